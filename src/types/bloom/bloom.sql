-- bloom: Bloom filters, was this value among them

-- ---------- type ----------

--@include ../../extension/sketch_type.sql sketch=bloom align=int4 \
--    category=', CATEGORY = b, PREFERRED = true' \
--    modifier='capacity, false-positive rate and layout' same='same shape, same bits set'

COMMENT ON TYPE bloom
    IS 'Bloom filter: tells whether a value was added; bloom(1000000, 0.01) is for a million '
       'values at a false-positive rate of 1 %';

-- ---------- constructors and changes ----------

--@include ../../extension/sketch_empty_filter.sql sketch=bloom \
--    what='an empty filter for a number of values and a false-positive rate; the layout is \
--    blocked, classic, or guava (classic in the size that Guava uses)'

CREATE FUNCTION bloom_size(capacity double precision,
                           false_positive_rate double precision DEFAULT 0.01,
                           layout text DEFAULT 'blocked',
                           OUT bits bigint, OUT hashes integer, OUT bytes bigint,
                           OUT bits_per_value double precision)
    AS 'MODULE_PATHNAME', 'probds_bloom_size' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_size(double precision, double precision, text)
    IS 'the size of a filter for a number of values and a false-positive rate, for planning';

--@include ../../extension/sketch_add_all.sql sketch=bloom cost=500

--@include ../../extension/sketch_merge.sql sketch=bloom cost=500 step_cost=300 space=8192

--@include ../../extension/function.sql function=bloom_intersect takes='a bloom, b bloom' \
--    types='bloom, bloom' gives='RETURNS bloom' cost=500 \
--    what='the bits set in both filters: a filter of the common values, with more false positives \
--    than if it was built from these'

CREATE OPERATOR & (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_intersect, COMMUTATOR = &);
COMMENT ON OPERATOR & (bloom, bloom) IS 'the intersection of two filters';

--@include ../../extension/function_null.sql function=bloom_intersect_step takes='bloom, bloom' \
--    types='bloom, bloom' gives='RETURNS bloom' cost=300 \
--    what='transition and combine function of bloom_intersect_agg'

CREATE AGGREGATE bloom_intersect_agg(bloom) (
    SFUNC = bloom_intersect_step, STYPE = bloom, SSPACE = 8192, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_intersect_step, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_intersect_agg(bloom)
    IS 'the intersection of all filters; NULLs are skipped';

-- ---------- filters of other systems ----------

--@include ../../extension/function_null.sql function=bloom_from_guava \
--    takes='filter bytea, value_type regtype DEFAULT NULL' types='bytea, regtype' \
--    gives='RETURNS bloom' cost=500 \
--    what='imports a BloomFilter of Guava, with the type of its values (bigint, text or bytea) if \
--    it is to be queried'

--@include ../../extension/function.sql function=bloom_to_guava takes='filter bloom' types=bloom \
--    gives='RETURNS bytea' cost=500 \
--    what='exports a filter of layout classic, or from Guava, as a BloomFilter of Guava'

--@include ../../extension/sketch_from_redis.sql sketch=bloom noun=filter \
--    what='imports the whole output of BF.SCANDUMP of RedisBloom, concatenated; strings are text \
--    or bytea'

--@include ../../extension/function.sql function=bloom_to_redis \
--    takes='filter bloom, expansion integer DEFAULT 2' types='bloom, integer' \
--    gives='RETURNS bytea' cost=500 \
--    what='exports a filter that came from RedisBloom for BF.LOADCHUNK: a head of 73 bytes, then \
--    data; expansion 0 is NONSCALING'

--@include ../../extension/function_null.sql function=bloom_from_parquet \
--    takes='filter bytea, value_type regtype' types='bytea, regtype' gives='RETURNS bloom' \
--    cost=500 \
--    what='imports the Bloom filter of an Apache Parquet column with its header; the type of the \
--    values is bigint, integer, text, bytea or uuid'

--@include ../../extension/function.sql function=bloom_to_parquet takes='filter bloom' \
--    types=bloom gives='RETURNS bytea' cost=500 \
--    what='exports a filter that came from Apache Parquet, with its header'

-- ---------- probing ----------

CREATE FUNCTION bloom_contains_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'probds_bloom_contains_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_contains_support(internal)
    IS 'planner support for bloom_contains and bloom_contained: estimates the share of rows that '
       'pass';

CREATE FUNCTION bloom_contains_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_bloom_contains_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_contains_sel(internal, oid, internal, integer)
    IS 'restriction selectivity of @> and <@ with a bloom filter';

--@include ../../extension/sketch_contains_array.sql sketch=bloom cost=50

-- ---------- answers ----------

--@include ../../extension/function.sql function=bloom_cardinality takes='filter bloom' \
--    types=bloom gives='RETURNS bigint' cost=500 \
--    what='the estimated number of distinct values, from the fill'

--@include ../../extension/function.sql function=bloom_false_positive_rate takes='filter bloom' \
--    types=bloom gives='RETURNS double precision' cost=500 \
--    what='the present false-positive rate: the share of values never added that the filter \
--    claims to hold'

--@include ../../extension/function.sql function=bloom_info \
--    takes='filter bloom, OUT layout text, OUT bits bigint, OUT hashes integer, OUT capacity \
--    bigint, OUT items bigint, OUT fill double precision, OUT false_positive_rate double \
--    precision, OUT design_rate double precision, OUT kind text, OUT family text, OUT bytes \
--    integer, OUT encoding text, OUT status text' types=bloom gives='' cost=500 \
--    what='parameters, fill, rates, size and status (ok, nearly full, over capacity) of a \
--    filter, one row'
