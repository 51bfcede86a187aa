-- bloom: functions, operators and aggregates over values

--@include ../probds/sketch_add.sql sketch=bloom cost=500

-- ---------- probing ----------

--@for-each text any
CREATE FUNCTION bloom_contains(filter bloom, value @type@) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
    SUPPORT bloom_contains_support;
COMMENT ON FUNCTION bloom_contains(bloom, @type@) IS 'was the value added? "No" is certain, "yes" is wrong at the false-positive rate';

CREATE FUNCTION bloom_contained(value @type@, filter bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contained' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
    SUPPORT bloom_contains_support;
COMMENT ON FUNCTION bloom_contained(@type@, bloom) IS 'bloom_contains with its arguments the other way round';

CREATE OPERATOR @> (LEFTARG = bloom, RIGHTARG = @type@, FUNCTION = bloom_contains, COMMUTATOR = <@,
    RESTRICT = bloom_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (bloom, @type@) IS 'was the value added?';
CREATE OPERATOR <@ (LEFTARG = @type@, RIGHTARG = bloom, FUNCTION = bloom_contained, COMMUTATOR = @>,
    RESTRICT = bloom_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ (@type@, bloom) IS 'was the value added?';
--@end

-- ---------- aggregates ----------

-- The states of one without a capacity cannot be merged across machines, so it has no
-- combine function

--@for-each-value-type
CREATE FUNCTION bloom_step(bloom, @type@) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION bloom_step(bloom, @type@) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, @type@, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION bloom_step(bloom, @type@, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, @type@, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION bloom_step(bloom, @type@, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, @type@, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION bloom_step(bloom, @type@, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value @type@) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(@type@) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value @type@, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    @combine:bloom_combine@PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(@type@, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value @type@, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    @combine:bloom_combine@PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(@type@, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value @type@, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    @combine:bloom_combine@PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(@type@, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';
--@end
