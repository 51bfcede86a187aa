-- hll: HyperLogLog, how many distinct values there were

-- ---------- type ----------

--@include ../../extension/sketch_type.sql sketch=hll align=int4 category='' \
--    modifier='the precision' \
--    same='same precision, same values added'

COMMENT ON TYPE hll
    IS 'HyperLogLog sketch: estimates the number of distinct values added; hll(14) has precision '
       '14';

-- ---------- constructors and changes ----------

--@include ../../extension/sketch_empty.sql sketch=hll takes='precision_bits integer DEFAULT 14' \
--    types=integer what='an empty sketch of 2^precision_bits registers, precision_bits 4 to 18'

--@include ../../extension/sketch_add_all.sql sketch=hll cost=500

--@include ../../extension/sketch_merge.sql sketch=hll cost=500 step_cost=300 space=8192

--@include ../../extension/function.sql function=hll_reduce \
--    takes='sketch hll, precision_bits integer' types='hll, integer' gives='RETURNS hll' \
--    cost=500 what='reduces a sketch to a lower precision, as if it had been built with that'

--@include ../../extension/function_null.sql function=hll_add_hash takes='sketch hll, hash bigint' \
--    types='hll, bigint' gives='RETURNS hll' cost=500 \
--    what='the sketch with one more value, given as a 64-bit hash computed elsewhere'

CREATE FUNCTION hll_hash_step(hll, bigint) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_hash' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_hash_step(hll, bigint) IS 'transition function of hll_agg_hash';

CREATE FUNCTION hll_hash_step(hll, bigint, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_hash' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_hash_step(hll, bigint, integer)
    IS 'transition function of hll_agg_hash with a precision';

CREATE AGGREGATE hll_agg_hash(hash bigint) (
    SFUNC = hll_hash_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg_hash(bigint)
    IS 'a sketch of values, given as 64-bit hashes computed elsewhere, precision 14';

CREATE AGGREGATE hll_agg_hash(hash bigint, precision_bits integer) (
    SFUNC = hll_hash_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg_hash(bigint, integer)
    IS 'a sketch of values, given as 64-bit hashes computed elsewhere, of a given precision';

-- ---------- sketches of other systems ----------

--@include ../../extension/function_null.sql function=hll_from_storage_v1 \
--    takes='sketch bytea, value_type regtype DEFAULT NULL' types='bytea, regtype' \
--    gives='RETURNS hll' cost=500 \
--    what='imports a sketch of postgresql-hll (storage specification v1.0.0), with the type of \
--    its values if more are to be added'

--@include ../../extension/function_null.sql function=hll_to_storage_v1 \
--    takes='sketch hll, log2m integer DEFAULT NULL, regwidth integer DEFAULT 5, expthresh bigint \
--    DEFAULT -1, sparseon integer DEFAULT 1' types='hll, integer, integer, bigint, integer' \
--    gives='RETURNS bytea' cost=500 \
--    what='exports a sketch to postgresql-hll (storage specification v1.0.0)'

--@include ../../extension/sketch_from_redis.sql sketch=hll noun=sketch \
--    what='imports a HyperLogLog string of Redis; its strings are text or bytea'

--@include ../../extension/function.sql function=hll_to_redis takes='sketch hll' types=hll \
--    gives='RETURNS bytea' cost=500 \
--    what='exports a sketch that came from Redis as a HyperLogLog string'

--@include ../../extension/function_null.sql function=hll_from_datasketches \
--    takes='sketch bytea, value_type regtype DEFAULT NULL' types='bytea, regtype' \
--    gives='RETURNS hll' cost=500 \
--    what='imports an HLL sketch of Apache DataSketches, with the type of its values if more are \
--    to be added'

--@include ../../extension/function.sql function=hll_to_datasketches takes='sketch hll' \
--    types=hll gives='RETURNS bytea' cost=500 \
--    what='exports a sketch that came from Apache DataSketches as an HLL_8'

-- ---------- answers ----------

--@include ../../extension/function.sql function=hll_cardinality takes='sketch hll' types=hll \
--    gives='RETURNS bigint' cost=50 what='the estimated number of distinct values'

--@include ../../extension/function.sql function=hll_error takes='sketch hll' types=hll \
--    gives='RETURNS double precision' cost=100 \
--    what='the relative standard error of hll_cardinality at the present fill'

--@include ../../extension/function.sql function=hll_bounds \
--    takes='sketch hll, confidence double precision DEFAULT 0.95, OUT lower bigint, OUT \
--    estimate bigint, OUT upper bigint' types='hll, double precision' gives='' cost=200 \
--    what='the estimated number of distinct values with its confidence interval'

--@include ../../extension/function.sql function=hll_info \
--    takes='sketch hll, OUT precision_bits integer, OUT registers integer, OUT encoding text, \
--    OUT kind text, OUT family text, OUT bytes integer, OUT fill double precision, OUT \
--    cardinality bigint, OUT error double precision' types=hll gives='' cost=200 \
--    what='parameters, encoding, size, fill and error of a sketch, one row'

--@include ../../extension/function.sql function=hll_union_cardinality takes='a hll, b hll' \
--    types='hll, hll' gives='RETURNS bigint' cost=5000 \
--    what='the estimated number of distinct values in either sketch, by joint maximum likelihood'

--@include ../../extension/function.sql function=hll_intersection_cardinality \
--    takes='a hll, b hll' types='hll, hll' gives='RETURNS bigint' cost=5000 \
--    what='the estimated number of distinct values in both sketches, by joint maximum likelihood; \
--    NULL if indistinguishable from 0'

--@include ../../extension/function.sql function=hll_intersection_bounds \
--    takes='a hll, b hll, confidence double precision DEFAULT 0.95, OUT lower bigint, OUT \
--    estimate bigint, OUT upper bigint' types='hll, hll, double precision' gives='' cost=5000 \
--    what='the estimated number of distinct values in both sketches with its confidence interval'

--@include ../../extension/function.sql function=hll_jaccard takes='a hll, b hll' \
--    types='hll, hll' gives='RETURNS double precision' cost=5000 \
--    what='the Jaccard index: the share of the union that is in both, 0 to 1; NULL if \
--    indistinguishable from 0'

CREATE OPERATOR # (RIGHTARG = hll, FUNCTION = hll_cardinality);
COMMENT ON OPERATOR # (NONE, hll) IS 'the estimated number of distinct values';

-- ---------- aggregates ----------

--@include ../../extension/function_null.sql function=hll_final_count takes=hll types=hll \
--    gives='RETURNS bigint' cost=300 what='final function of approx_count_distinct'
