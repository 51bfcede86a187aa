-- topk: functions, operators and aggregates over values

--@include ../probds/sketch_add.sql sketch=topk cost=5000

--@for-each text any
CREATE FUNCTION topk_add(sketch topk, value @type@, weight bigint) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION topk_add(topk, @type@, bigint) IS 'the sketch with a value that counts as often as its weight says';

CREATE FUNCTION topk_frequency(sketch topk, value @type@) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_topk_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION topk_frequency(topk, @type@) IS 'how often a value occurred, at most; 0 if it is not in the sketch';

CREATE FUNCTION topk_bounds(sketch topk, value @type@,
                            OUT lower bigint, OUT estimate bigint, OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_topk_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION topk_bounds(topk, @type@) IS 'how often a value occurred: certainly between lower and upper, whether it is in the sketch or not';

CREATE OPERATOR -> (LEFTARG = topk, RIGHTARG = @type@, FUNCTION = topk_frequency);
COMMENT ON OPERATOR -> (topk, @type@) IS 'how often the value occurred, at most';
--@end

-- ---------- aggregates ----------

--@for-each-value-type
CREATE FUNCTION topk_step(topk, @type@) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION topk_step(topk, @type@) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, @type@, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION topk_step(topk, @type@, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, @type@, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION topk_step(topk, @type@, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value @type@) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    @combine:topk_combine@PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(@type@) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value @type@, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    @combine:topk_combine@PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(@type@, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value @type@, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    @combine:topk_combine@PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(@type@, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value @type@) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    @combine:topk_combine@PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(@type@) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value @type@, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    @combine:topk_combine@PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(@type@, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value @type@, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    @combine:topk_combine@PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(@type@, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';
--@end
