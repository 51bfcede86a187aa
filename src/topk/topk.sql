-- topk: the most frequent values, and how frequent they are

-- ---------- type ----------

--@include ../probds/sketch_type.sql sketch=topk align=int4 modifier='k' same='same k, same items and counts'

-- Texts can be compressed, and a sketch is always read as a whole
ALTER TYPE topk SET (STORAGE = extended);

COMMENT ON TYPE topk IS 'sketch of the most frequent values: the values, their counts and how far these can be off; topk(20) reports 20 of them';

-- ---------- constructors and changes ----------

CREATE FUNCTION topk_empty(k integer DEFAULT 20) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION topk_empty(integer) IS 'an empty sketch that reports the k most frequent values, k 1 to 10,000';

-- Not immutable: a new value is written down by the output function of its type
CREATE FUNCTION topk_add(sketch topk, value "any") RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add' LANGUAGE C STABLE PARALLEL SAFE COST 5000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION topk_add(topk, "any") IS 'the sketch with one more value';

CREATE FUNCTION topk_add(sketch topk, value "any", weight bigint) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add' LANGUAGE C STABLE PARALLEL SAFE COST 5000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION topk_add(topk, "any", bigint) IS 'the sketch with a value that counts as often as its weight says';

CREATE FUNCTION topk_add_all(sketch topk, elements anyarray) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add_all' LANGUAGE C STABLE PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION topk_add_all(topk, anyarray) IS 'the sketch with every element of an array';

--@include ../probds/sketch_merge.sql sketch=topk cost=5000 step_cost=2000 space=16384

-- ---------- answers ----------

CREATE FUNCTION topk_items(sketch topk, OUT item text, OUT frequency bigint,
                           OUT lower bigint, OUT upper bigint) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_topk_items' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100 ROWS 20;
COMMENT ON FUNCTION topk_items(topk) IS 'the k most frequent values by falling frequency, which is between lower and upper';

CREATE FUNCTION topk_items(sketch topk, min_share double precision,
                           OUT item text, OUT frequency bigint, OUT lower bigint, OUT upper bigint,
                           OUT guaranteed boolean) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_topk_items' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100 ROWS 20;
COMMENT ON FUNCTION topk_items(topk, double precision) IS 'all values that may have at least this share of the total, and which of them have it for certain';

CREATE FUNCTION topk_frequency(sketch topk, value "any") RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_topk_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION topk_frequency(topk, "any") IS 'how often a value occurred, at most; 0 if it is not in the sketch';

CREATE FUNCTION topk_bounds(sketch topk, value "any",
                            OUT lower bigint, OUT estimate bigint, OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_topk_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION topk_bounds(topk, "any") IS 'how often a value occurred: certainly between lower and upper, whether it is in the sketch or not';

CREATE FUNCTION topk_total(sketch topk) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_topk_total' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION topk_total(topk) IS 'the number of values, or the sum of their weights';

CREATE FUNCTION topk_info(sketch topk,
                          OUT k integer, OUT counters integer, OUT items integer,
                          OUT total bigint, OUT error bigint, OUT kind text, OUT family text,
                          OUT bytes integer, OUT encoding text)
    AS 'MODULE_PATHNAME', 'probds_topk_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION topk_info(topk) IS 'parameters, size and the most that a count can be off or a value not in the sketch have occurred, one row';

-- ---------- aggregates ----------

CREATE FUNCTION topk_final_json(topk) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'probds_topk_final_json' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION topk_final_json(topk) IS 'final function of approx_top_k';

-- Not immutable, as topk_add
--@for-each-value-type
CREATE FUNCTION topk_step(topk, @type@, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_@entry@' LANGUAGE C STABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, @type@, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, @type@, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_@entry@' LANGUAGE C STABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, @type@, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value @type@, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(@type@, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value @type@, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(@type@, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value @type@, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(@type@, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value @type@, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(@type@, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';
--@end
