-- counting_bloom: counting Bloom filters, is this value among those that were not removed

-- ---------- type ----------

--@include ../../extension/sketch_type.sql sketch=counting_bloom align=int4 \
--    category=', CATEGORY = b' \
--    modifier='capacity, false-positive rate and layout' same='same shape, same counters'

COMMENT ON TYPE counting_bloom
    IS 'counting Bloom filter: whether a value was added to it and not removed again; '
       'counting_bloom(1000000, 0.01) is for a million values at a false-positive rate of 1 %';

-- ---------- constructors and changes ----------

CREATE FUNCTION counting_bloom_empty(capacity double precision,
                                     false_positive_rate double precision DEFAULT 0.01,
                                     layout text DEFAULT 'blocked') RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloom_empty(double precision, double precision, text)
    IS 'an empty filter for so many values at a false-positive rate; the layout is blocked or '
       'classic';

--@include ../../extension/sketch_add_all.sql sketch=counting_bloom cost=1000

--@for-each text anyarray
CREATE FUNCTION counting_bloom_remove_all(filter counting_bloom, elements @type@)
    RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_remove_all'
    LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION counting_bloom_remove_all(counting_bloom, @type@)
    IS 'the filter with each element of an array once less, all of which must have been added';
--@end

--@include ../../extension/sketch_merge.sql sketch=counting_bloom cost=1000 step_cost=500 \
--    space=16384

CREATE FUNCTION counting_bloom_subtract(a counting_bloom, b counting_bloom) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_subtract'
    LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION counting_bloom_subtract(counting_bloom, counting_bloom)
    IS 'what the first holds beyond the second, such as an earlier state of it';

CREATE FUNCTION counting_bloom_to_bloom(counting_bloom) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_to_bloom'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION counting_bloom_to_bloom(counting_bloom)
    IS 'the Bloom filter of the values in the filter';

CREATE CAST (counting_bloom AS bloom) WITH FUNCTION counting_bloom_to_bloom(counting_bloom);
COMMENT ON CAST (counting_bloom AS bloom) IS 'the Bloom filter of the values in the filter';

-- ---------- probing ----------

--@include ../../extension/sketch_contains_array.sql sketch=counting_bloom cost=100

-- ---------- answers ----------

CREATE FUNCTION counting_bloom_cardinality(filter counting_bloom) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_cardinality'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION counting_bloom_cardinality(counting_bloom)
    IS 'the estimated number of different values in the filter, from its fill';

CREATE FUNCTION counting_bloom_info(filter counting_bloom,
                                    OUT layout text, OUT counters bigint, OUT hashes integer,
                                    OUT capacity bigint, OUT items bigint,
                                    OUT fill double precision, OUT saturated bigint,
                                    OUT false_positive_rate double precision,
                                    OUT design_rate double precision,
                                    OUT kind text, OUT family text, OUT bytes integer,
                                    OUT encoding text, OUT status text)
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_info'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION counting_bloom_info(counting_bloom)
    IS 'parameters, fill, saturated counters, rates, size and status (ok, nearly full, over '
       'capacity) of a filter, one row';
