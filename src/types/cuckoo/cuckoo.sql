-- cuckoo: cuckoo filters, a set that forgets

-- ---------- type ----------

--@include ../../extension/sketch_type.sql sketch=cuckoo align=int4 category=', CATEGORY = b' \
--    modifier='capacity and false-positive rate' same='same parameters, same contents'

COMMENT ON TYPE cuckoo
    IS 'cuckoo filter: whether a value was added to it and not removed since; cuckoo(1000000, '
       '0.01) is for a million values at a false-positive rate of 1 %';

-- ---------- constructors and changes ----------

CREATE FUNCTION cuckoo_empty(capacity double precision, false_positive_rate double precision DEFAULT 0.01)
    RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_empty(double precision, double precision)
    IS 'an empty filter for so many distinct values at a false-positive rate';

--@include ../../extension/sketch_add_all.sql sketch=cuckoo cost=1000

--@for-each text anyarray
CREATE FUNCTION cuckoo_remove_all(filter cuckoo, elements @type@) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_remove_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cuckoo_remove_all(cuckoo, @type@)
    IS 'the filter without one copy of every element of an array; an error if the filter does not '
       'hold one of them';
--@end

--@include ../../extension/sketch_merge.sql sketch=cuckoo cost=1000 step_cost=500 space=8192

-- ---------- probing ----------

--@include ../../extension/sketch_contains_array.sql sketch=cuckoo cost=100

-- ---------- answers ----------

CREATE FUNCTION cuckoo_cardinality(filter cuckoo) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cuckoo_cardinality'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION cuckoo_cardinality(cuckoo)
    IS 'the estimated number of distinct values that the filter holds';

CREATE FUNCTION cuckoo_false_positive_rate(filter cuckoo) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_cuckoo_false_positive_rate'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION cuckoo_false_positive_rate(cuckoo)
    IS 'the share of values not in the filter that it claims to hold, as it is filled now';

CREATE FUNCTION cuckoo_info(filter cuckoo,
                            OUT capacity bigint, OUT items bigint, OUT copies bigint,
                            OUT fill double precision, OUT false_positive_rate double precision,
                            OUT design_rate double precision,
                            OUT kind text, OUT family text, OUT bytes integer,
                            OUT encoding text, OUT status text)
    AS 'MODULE_PATHNAME', 'probds_cuckoo_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION cuckoo_info(cuckoo)
    IS 'capacity, number of values, fill, rates, size and status (ok, nearly full, over capacity) '
       'of a filter, one row';
