-- hll: functions and aggregates over values

--@include ../probds/sketch_add.sql sketch=hll cost=500

--@for-each-value-type
CREATE FUNCTION hll_step(hll, @type@) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION hll_step(hll, @type@) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, @type@, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION hll_step(hll, @type@, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value @type@) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    @combine:hll_combine@PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(@type@) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value @type@, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    @combine:hll_combine@PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(@type@, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value @type@) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    @combine:hll_combine@PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(@type@) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value @type@, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    @combine:hll_combine@PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(@type@, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';
--@end
