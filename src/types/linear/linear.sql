-- linear: linear counting, how many distinct values there were

--@include ../../extension/sketch_type.sql sketch=linear align=int4 category='' \
--    modifier='number of bits' \
--    same='same number of bits, same bits set'

COMMENT ON TYPE linear IS 'linear counting: the number of distinct values added to it';

CREATE FUNCTION linear_empty(bits integer DEFAULT 4096) RETURNS linear
    AS 'MODULE_PATHNAME', 'probds_linear_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION linear_empty(integer) IS 'an empty sketch of so many bits, 64 to 65,536';

--@include ../../extension/sketch_add_all.sql sketch=linear cost=500
--@include ../../extension/sketch_merge.sql sketch=linear cost=500 step_cost=300 space=640

CREATE FUNCTION linear_cardinality(sketch linear) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_linear_cardinality'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION linear_cardinality(linear) IS 'the estimated number of distinct values';

CREATE FUNCTION linear_info(sketch linear, OUT bits integer, OUT cardinality bigint, OUT kind text,
                            OUT bytes integer)
    AS 'MODULE_PATHNAME', 'probds_linear_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION linear_info(linear) IS 'parameters, size and estimate of a sketch, one row';
