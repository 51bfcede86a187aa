-- psql stops here; CREATE EXTENSION skips the line
\echo Use "CREATE EXTENSION probds" to load this file. \quit

-- Another extension can have a type of one of these names, such as hll
DO $$
DECLARE
    taken text;
BEGIN
    -- all is qualified and has its exact type: others may have made functions here
    SELECT pg_catalog.string_agg(pg_catalog.quote_ident(t.typname::pg_catalog.text), ', '::pg_catalog.text ORDER BY t.typname) INTO taken
    FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) t.typnamespace
    WHERE n.nspname OPERATOR(pg_catalog.=) pg_catalog.current_schema() AND t.typname OPERATOR(pg_catalog.=) ANY (ARRAY['hll', 'bloom', 'cms', 'topk']::pg_catalog.name[]);
    IF taken IS NOT NULL THEN
        RAISE EXCEPTION 'schema % already has a type %', pg_catalog.quote_ident(pg_catalog.current_schema()::pg_catalog.text), taken
            USING ERRCODE = 'duplicate_object',
            DETAIL = 'probds has types of the same names.',
            HINT = 'Install it into another schema: CREATE SCHEMA probds; CREATE EXTENSION probds SCHEMA probds;';
    END IF;
END $$;

-- The hash that all sketches share (doc/hashing.md)

CREATE FUNCTION murmur3_x64_128(data bytea, seed bigint DEFAULT 0) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_murmur3_x64_128' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION murmur3_x64_128(bytea, bigint) IS 'MurmurHash3 x64_128 of a byte string: 16 bytes, both halves little-endian';

-- The hash of a value

CREATE FUNCTION probds_hash(value text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION probds_hash(text) IS 'the hash of any value as sketches see it: the first 64 bits of MurmurHash3 x64_128 of its canonical bytes';

CREATE FUNCTION probds_hash(value "any") RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION probds_hash("any") IS 'the hash of any value as sketches see it: the first 64 bits of MurmurHash3 x64_128 of its canonical bytes';

CREATE FUNCTION probds_add_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'probds_add_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION probds_add_support(internal) IS 'support function of the functions that add a value: s := X_add(s, v) may change s where it is';

CREATE FUNCTION probds_text_step_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'probds_text_step_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION probds_text_step_support(internal) IS 'support function of the transition functions over text: refuses citext under an implicit cast';

-- hll: HyperLogLog, how many distinct values there were

-- ---------- type ----------

CREATE TYPE hll;

CREATE FUNCTION hll_in(cstring, oid, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_in(cstring, oid, integer) IS 'input: base64, or hexadecimal after \x';

CREATE FUNCTION hll_out(hll) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_hll_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_out(hll) IS 'output: base64';

CREATE FUNCTION hll_recv(internal, oid, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_recv(internal, oid, integer) IS 'binary input, checked';

CREATE FUNCTION hll_send(hll) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_hll_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_send(hll) IS 'binary output';

CREATE FUNCTION hll_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_hll_typmod_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_typmod_in(cstring[]) IS 'type modifier input: the precision';

CREATE FUNCTION hll_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_hll_typmod_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_typmod_out(integer) IS 'type modifier output';

CREATE TYPE hll (
    INPUT = hll_in, OUTPUT = hll_out, RECEIVE = hll_recv, SEND = hll_send,
    TYPMOD_IN = hll_typmod_in, TYPMOD_OUT = hll_typmod_out,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external
);

-- ---------- casts ----------

CREATE FUNCTION hll_to_bytea(hll) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_hll_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_to_bytea(hll) IS 'the bytes of a sketch';

CREATE FUNCTION hll_from_bytea(bytea) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_from_bytea(bytea) IS 'a sketch from its bytes, checked';

CREATE FUNCTION hll(hll, integer, boolean) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_typmod_cast' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll(hll, integer, boolean) IS 'enforces a type modifier; an explicit cast folds to it';

CREATE CAST (hll AS bytea) WITH FUNCTION hll_to_bytea(hll);
COMMENT ON CAST (hll AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS hll) WITH FUNCTION hll_from_bytea(bytea);
COMMENT ON CAST (bytea AS hll) IS 'a sketch from its bytes, checked';
CREATE CAST (hll AS hll) WITH FUNCTION hll(hll, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (hll AS hll) IS 'enforces a type modifier';

-- ---------- comparison ----------

CREATE FUNCTION hll_eq(hll, hll) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_hll_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION hll_eq(hll, hll) IS 'implementation of = operator';
CREATE FUNCTION hll_ne(hll, hll) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_hll_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION hll_ne(hll, hll) IS 'implementation of <> operator';
CREATE FUNCTION hll_lt(hll, hll) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_hll_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION hll_lt(hll, hll) IS 'implementation of *< operator';
CREATE FUNCTION hll_le(hll, hll) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_hll_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION hll_le(hll, hll) IS 'implementation of *<= operator';
CREATE FUNCTION hll_gt(hll, hll) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_hll_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION hll_gt(hll, hll) IS 'implementation of *> operator';
CREATE FUNCTION hll_ge(hll, hll) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_hll_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION hll_ge(hll, hll) IS 'implementation of *>= operator';
CREATE FUNCTION hll_cmp(hll, hll) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_hll_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION hll_cmp(hll, hll) IS 'less-equal-greater, by bytes';
CREATE FUNCTION hll_hash(hll) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_hll_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION hll_hash(hll) IS 'hash of the bytes';
CREATE FUNCTION hll_hash_extended(hll, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hll_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION hll_hash_extended(hll, bigint) IS 'seeded hash of the bytes';

CREATE OPERATOR = (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_eq,
    COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (hll, hll) IS 'same state: same precision, same values added';
CREATE OPERATOR <> (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_ne,
    COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (hll, hll) IS 'different state';
-- The order is for sorting and merge joins; "<" would look as if it meant something
CREATE OPERATOR *< (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_lt,
    COMMUTATOR = *>, NEGATOR = *>=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (hll, hll) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_le,
    COMMUTATOR = *>=, NEGATOR = *>, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (hll, hll) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_gt,
    COMMUTATOR = *<, NEGATOR = *<=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (hll, hll) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_ge,
    COMMUTATOR = *<=, NEGATOR = *<, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR *>= (hll, hll) IS 'greater or equal, by bytes';

CREATE OPERATOR FAMILY hll_ops USING btree;
COMMENT ON OPERATOR FAMILY hll_ops USING btree IS 'hll by bytes';
CREATE OPERATOR CLASS hll_ops DEFAULT FOR TYPE hll USING btree FAMILY hll_ops AS
    OPERATOR 1 *<, OPERATOR 2 *<=, OPERATOR 3 =, OPERATOR 4 *>=, OPERATOR 5 *>,
    FUNCTION 1 hll_cmp(hll, hll);
COMMENT ON OPERATOR CLASS hll_ops USING btree IS 'hll by bytes';

CREATE OPERATOR FAMILY hll_ops USING hash;
COMMENT ON OPERATOR FAMILY hll_ops USING hash IS 'hll by bytes';
CREATE OPERATOR CLASS hll_ops DEFAULT FOR TYPE hll USING hash FAMILY hll_ops AS
    OPERATOR 1 =, FUNCTION 1 hll_hash(hll), FUNCTION 2 hll_hash_extended(hll, bigint);
COMMENT ON OPERATOR CLASS hll_ops USING hash IS 'hll by bytes';

COMMENT ON TYPE hll IS 'HyperLogLog sketch: the number of distinct values added to it; hll(14) is of precision 14';

-- ---------- constructors and changes ----------

CREATE FUNCTION hll_empty(precision_bits integer DEFAULT 14) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_empty(integer) IS 'an empty sketch of 2^precision_bits registers, precision_bits 4 to 18';

CREATE FUNCTION hll_add_all(sketch hll, elements text) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_add_all(hll, text) IS 'the sketch with every element of an array';

CREATE FUNCTION hll_add_all(sketch hll, elements anyarray) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_add_all(hll, anyarray) IS 'the sketch with every element of an array';

CREATE FUNCTION hll_merge(a hll, b hll) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_merge(hll, hll) IS 'the union; NULL counts as nothing';

CREATE OPERATOR || (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (hll, hll) IS 'the union';

CREATE FUNCTION hll_combine(hll, hll) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_combine' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION hll_combine(hll, hll) IS 'combine function of the aggregates';

CREATE FUNCTION hll_merge_step(hll, hll) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_merge_step' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION hll_merge_step(hll, hll) IS 'transition function of hll_merge_agg';

CREATE FUNCTION hll_final(hll) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_final(hll) IS 'final function of hll_agg and hll_merge_agg';

CREATE AGGREGATE hll_merge_agg(hll) (
    SFUNC = hll_merge_step, STYPE = hll, SSPACE = 8192, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_merge_agg(hll) IS 'the union of stored sketches';

CREATE FUNCTION hll_reduce(sketch hll, precision_bits integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_reduce' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_reduce(hll, integer) IS 'the sketch as if it had been built at a lower precision';

CREATE FUNCTION hll_add_hash(sketch hll, hash bigint) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add_hash' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_add_hash(hll, bigint) IS 'the sketch with one more value, by a 64-bit hash that was made elsewhere';

CREATE FUNCTION hll_hash_step(hll, bigint) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_hash' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_hash_step(hll, bigint) IS 'transition function of hll_agg_hash';

CREATE FUNCTION hll_hash_step(hll, bigint, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_hash' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_hash_step(hll, bigint, integer) IS 'transition function of hll_agg_hash with a precision';

CREATE AGGREGATE hll_agg_hash(hash bigint) (
    SFUNC = hll_hash_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg_hash(bigint) IS 'a sketch of values by their 64-bit hashes, which were made elsewhere, precision 14';

CREATE AGGREGATE hll_agg_hash(hash bigint, precision_bits integer) (
    SFUNC = hll_hash_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg_hash(bigint, integer) IS 'a sketch of values by their 64-bit hashes, which were made elsewhere, of a given precision';

-- ---------- sketches of other systems ----------

CREATE FUNCTION hll_from_storage_v1(sketch bytea, value_type regtype DEFAULT NULL) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_from_storage_v1' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_from_storage_v1(bytea, regtype) IS 'a sketch of postgresql-hll (storage specification v1.0.0), with the type of its values if more are to be added';

CREATE FUNCTION hll_to_storage_v1(sketch hll, log2m integer DEFAULT NULL, regwidth integer DEFAULT 5,
                                  expthresh bigint DEFAULT -1, sparseon integer DEFAULT 1) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_hll_to_storage_v1' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_to_storage_v1(hll, integer, integer, bigint, integer) IS 'the sketch as one of postgresql-hll (storage specification v1.0.0)';

CREATE FUNCTION hll_from_redis(sketch bytea, value_type regtype DEFAULT 'text') RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_from_redis' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_from_redis(bytea, regtype) IS 'a HyperLogLog string of Redis, of strings as text or as bytea';

CREATE FUNCTION hll_to_redis(sketch hll) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_hll_to_redis' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_to_redis(hll) IS 'the sketch, which came from Redis, as its HyperLogLog string';

CREATE FUNCTION hll_from_datasketches(sketch bytea, value_type regtype DEFAULT NULL) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_from_datasketches' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_from_datasketches(bytea, regtype) IS 'an HLL sketch of Apache DataSketches, with the type of its values if more are to be added';

CREATE FUNCTION hll_to_datasketches(sketch hll) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_hll_to_datasketches' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_to_datasketches(hll) IS 'the sketch, which came from Apache DataSketches, as its HLL_8';

-- ---------- answers ----------

CREATE FUNCTION hll_cardinality(sketch hll) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hll_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION hll_cardinality(hll) IS 'the estimated number of distinct values';

CREATE FUNCTION hll_error(sketch hll) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_hll_error' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION hll_error(hll) IS 'the relative standard error of hll_cardinality, as the sketch is filled now';

CREATE FUNCTION hll_bounds(sketch hll, confidence double precision DEFAULT 0.95,
                           OUT lower bigint, OUT estimate bigint, OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_hll_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION hll_bounds(hll, double precision) IS 'the estimated number of distinct values with its confidence interval';

CREATE FUNCTION hll_info(sketch hll,
                         OUT precision_bits integer, OUT registers integer, OUT encoding text,
                         OUT kind text, OUT family text, OUT bytes integer,
                         OUT fill double precision, OUT cardinality bigint,
                         OUT error double precision)
    AS 'MODULE_PATHNAME', 'probds_hll_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION hll_info(hll) IS 'parameters, encoding, size, fill and error of a sketch, one row';

CREATE FUNCTION hll_union_cardinality(a hll, b hll) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hll_union_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION hll_union_cardinality(hll, hll) IS 'the estimated number of values in either, by joint maximum likelihood';

CREATE FUNCTION hll_intersection_cardinality(a hll, b hll) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hll_intersection_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION hll_intersection_cardinality(hll, hll) IS 'the estimated number of values in both, by joint maximum likelihood; NULL if it cannot be told from none';

CREATE FUNCTION hll_intersection_bounds(a hll, b hll, confidence double precision DEFAULT 0.95,
                                        OUT lower bigint, OUT estimate bigint, OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_hll_intersection_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION hll_intersection_bounds(hll, hll, double precision) IS 'the estimated number of values in both with its confidence interval';

CREATE FUNCTION hll_jaccard(a hll, b hll) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_hll_jaccard' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION hll_jaccard(hll, hll) IS 'the share of the union that is in both, 0 to 1; NULL if it cannot be told from 0';

CREATE OPERATOR # (RIGHTARG = hll, FUNCTION = hll_cardinality);
COMMENT ON OPERATOR # (NONE, hll) IS 'the estimated number of distinct values';

-- ---------- aggregates ----------

CREATE FUNCTION hll_final_count(hll) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hll_final_count' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION hll_final_count(hll) IS 'final function of approx_count_distinct';

-- hll: functions and aggregates over values

CREATE FUNCTION hll_add(sketch hll, value text) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500
    SUPPORT probds_add_support;
COMMENT ON FUNCTION hll_add(hll, text) IS 'the sketch with one more value';

CREATE FUNCTION hll_add(sketch hll, value "any") RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500
    SUPPORT probds_add_support;
COMMENT ON FUNCTION hll_add(hll, "any") IS 'the sketch with one more value';

CREATE FUNCTION hll_step(hll, text) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION hll_step(hll, text) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, text, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION hll_step(hll, text, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value text) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(text) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value text, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(text, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value text) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(text) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value text, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(text, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, bytea) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, bytea) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, bytea, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, bytea, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value bytea) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(bytea) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value bytea, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(bytea, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value bytea) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(bytea) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value bytea, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(bytea, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, int2) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, int2) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, int2, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, int2, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value int2) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(int2) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value int2, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(int2, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value int2) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(int2) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value int2, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(int2, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, int4) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, int4) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, int4, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, int4, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value int4) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(int4) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value int4, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(int4, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value int4) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(int4) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value int4, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(int4, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, int8) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, int8) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, int8, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, int8, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value int8) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(int8) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value int8, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(int8, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value int8) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(int8) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value int8, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(int8, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, oid) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, oid) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, oid, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, oid, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value oid) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(oid) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value oid, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(oid, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value oid) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(oid) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value oid, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(oid, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, uuid) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, uuid) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, uuid, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, uuid, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value uuid) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(uuid) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value uuid, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(uuid, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value uuid) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(uuid) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value uuid, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(uuid, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, inet) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, inet) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, inet, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, inet, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value inet) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(inet) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value inet, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(inet, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value inet) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(inet) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value inet, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(inet, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, numeric) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, numeric) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, numeric, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, numeric, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value numeric) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(numeric) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value numeric, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(numeric, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value numeric) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(numeric) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value numeric, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(numeric, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, float4) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, float4) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, float4, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, float4, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value float4) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(float4) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value float4, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(float4, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value float4) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(float4) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value float4, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(float4, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, float8) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, float8) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, float8, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, float8, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value float8) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(float8) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value float8, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(float8, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value float8) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(float8) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value float8, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(float8, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, bool) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, bool) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, bool, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, bool, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value bool) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(bool) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value bool, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(bool, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value bool) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(bool) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value bool, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(bool, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, date) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, date) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, date, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, date, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value date) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(date) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value date, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(date, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value date) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(date) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value date, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(date, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, time) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, time) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, time, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, time, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value time) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(time) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value time, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(time, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value time) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(time) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value time, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(time, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, timestamp) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, timestamp) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, timestamp, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, timestamp, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value timestamp) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(timestamp) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value timestamp, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(timestamp, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value timestamp) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(timestamp) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value timestamp, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(timestamp, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, timestamptz) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, timestamptz) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, timestamptz, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, timestamptz, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value timestamptz) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(timestamptz) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value timestamptz, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(timestamptz, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value timestamptz) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(timestamptz) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value timestamptz, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(timestamptz, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, interval) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, interval) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, interval, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, interval, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value interval) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(interval) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value interval, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(interval, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value interval) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(interval) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value interval, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(interval, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, jsonb) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, jsonb) IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, jsonb, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, jsonb, integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value jsonb) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(jsonb) IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value jsonb, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(jsonb, integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value jsonb) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(jsonb) IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value jsonb, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct(jsonb, integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

CREATE FUNCTION hll_step(hll, "any") RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, "any") IS 'transition function of hll_agg and approx_count_distinct';

CREATE FUNCTION hll_step(hll, "any", integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION hll_step(hll, "any", integer) IS 'transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value "any") (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg("any") IS 'a sketch of the values, precision 14';

CREATE AGGREGATE hll_agg(value "any", precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg("any", integer) IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value "any") (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct("any") IS 'the estimated number of distinct values, by hll_agg at precision 14';

CREATE AGGREGATE approx_count_distinct(value "any", precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final_count,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_count_distinct("any", integer) IS 'the estimated number of distinct values, by hll_agg at a given precision';

-- bloom: Bloom filters, was this value among them

-- ---------- type ----------

CREATE TYPE bloom;

CREATE FUNCTION bloom_in(cstring, oid, integer) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_in(cstring, oid, integer) IS 'input: base64, or hexadecimal after \x';

CREATE FUNCTION bloom_out(bloom) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_bloom_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_out(bloom) IS 'output: base64';

CREATE FUNCTION bloom_recv(internal, oid, integer) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_recv(internal, oid, integer) IS 'binary input, checked';

CREATE FUNCTION bloom_send(bloom) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_bloom_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_send(bloom) IS 'binary output';

CREATE FUNCTION bloom_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_bloom_typmod_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_typmod_in(cstring[]) IS 'type modifier input: capacity, false-positive rate and layout';

CREATE FUNCTION bloom_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_bloom_typmod_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_typmod_out(integer) IS 'type modifier output';

CREATE TYPE bloom (
    INPUT = bloom_in, OUTPUT = bloom_out, RECEIVE = bloom_recv, SEND = bloom_send,
    TYPMOD_IN = bloom_typmod_in, TYPMOD_OUT = bloom_typmod_out,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external, CATEGORY = b, PREFERRED = true
);

-- ---------- casts ----------

CREATE FUNCTION bloom_to_bytea(bloom) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_bloom_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_to_bytea(bloom) IS 'the bytes of a sketch';

CREATE FUNCTION bloom_from_bytea(bytea) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_from_bytea(bytea) IS 'a sketch from its bytes, checked';

CREATE FUNCTION bloom(bloom, integer, boolean) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_typmod_cast' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom(bloom, integer, boolean) IS 'enforces a type modifier; an explicit cast folds to it';

CREATE CAST (bloom AS bytea) WITH FUNCTION bloom_to_bytea(bloom);
COMMENT ON CAST (bloom AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS bloom) WITH FUNCTION bloom_from_bytea(bytea);
COMMENT ON CAST (bytea AS bloom) IS 'a sketch from its bytes, checked';
CREATE CAST (bloom AS bloom) WITH FUNCTION bloom(bloom, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (bloom AS bloom) IS 'enforces a type modifier';

-- ---------- comparison ----------

CREATE FUNCTION bloom_eq(bloom, bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_eq(bloom, bloom) IS 'implementation of = operator';
CREATE FUNCTION bloom_ne(bloom, bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_ne(bloom, bloom) IS 'implementation of <> operator';
CREATE FUNCTION bloom_lt(bloom, bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_lt(bloom, bloom) IS 'implementation of *< operator';
CREATE FUNCTION bloom_le(bloom, bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_le(bloom, bloom) IS 'implementation of *<= operator';
CREATE FUNCTION bloom_gt(bloom, bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_gt(bloom, bloom) IS 'implementation of *> operator';
CREATE FUNCTION bloom_ge(bloom, bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_ge(bloom, bloom) IS 'implementation of *>= operator';
CREATE FUNCTION bloom_cmp(bloom, bloom) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_bloom_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_cmp(bloom, bloom) IS 'less-equal-greater, by bytes';
CREATE FUNCTION bloom_hash(bloom) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_bloom_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_hash(bloom) IS 'hash of the bytes';
CREATE FUNCTION bloom_hash_extended(bloom, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_bloom_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION bloom_hash_extended(bloom, bigint) IS 'seeded hash of the bytes';

CREATE OPERATOR = (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_eq,
    COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (bloom, bloom) IS 'same state: same shape, same bits set';
CREATE OPERATOR <> (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_ne,
    COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (bloom, bloom) IS 'different state';
-- The order is for sorting and merge joins; "<" would look as if it meant something
CREATE OPERATOR *< (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_lt,
    COMMUTATOR = *>, NEGATOR = *>=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (bloom, bloom) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_le,
    COMMUTATOR = *>=, NEGATOR = *>, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (bloom, bloom) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_gt,
    COMMUTATOR = *<, NEGATOR = *<=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (bloom, bloom) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_ge,
    COMMUTATOR = *<=, NEGATOR = *<, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR *>= (bloom, bloom) IS 'greater or equal, by bytes';

CREATE OPERATOR FAMILY bloom_ops USING btree;
COMMENT ON OPERATOR FAMILY bloom_ops USING btree IS 'bloom by bytes';
CREATE OPERATOR CLASS bloom_ops DEFAULT FOR TYPE bloom USING btree FAMILY bloom_ops AS
    OPERATOR 1 *<, OPERATOR 2 *<=, OPERATOR 3 =, OPERATOR 4 *>=, OPERATOR 5 *>,
    FUNCTION 1 bloom_cmp(bloom, bloom);
COMMENT ON OPERATOR CLASS bloom_ops USING btree IS 'bloom by bytes';

CREATE OPERATOR FAMILY bloom_ops USING hash;
COMMENT ON OPERATOR FAMILY bloom_ops USING hash IS 'bloom by bytes';
CREATE OPERATOR CLASS bloom_ops DEFAULT FOR TYPE bloom USING hash FAMILY bloom_ops AS
    OPERATOR 1 =, FUNCTION 1 bloom_hash(bloom), FUNCTION 2 bloom_hash_extended(bloom, bigint);
COMMENT ON OPERATOR CLASS bloom_ops USING hash IS 'bloom by bytes';

COMMENT ON TYPE bloom IS 'Bloom filter: whether a value was added to it; bloom(1000000, 0.01) is for a million values at a false-positive rate of 1 %';

-- ---------- constructors and changes ----------

CREATE FUNCTION bloom_empty(capacity double precision, false_positive_rate double precision DEFAULT 0.01,
                            layout text DEFAULT 'blocked') RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_empty(double precision, double precision, text) IS 'an empty filter for so many values at a false-positive rate; the layout is blocked, classic, or guava for a classic one of the size that Guava takes';

CREATE FUNCTION bloom_size(capacity double precision, false_positive_rate double precision DEFAULT 0.01,
                           layout text DEFAULT 'blocked',
                           OUT bits bigint, OUT hashes integer, OUT bytes bigint,
                           OUT bits_per_value double precision)
    AS 'MODULE_PATHNAME', 'probds_bloom_size' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_size(double precision, double precision, text) IS 'how large a filter for so many values at a false-positive rate is, for planning';

CREATE FUNCTION bloom_add_all(sketch bloom, elements text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_add_all(bloom, text) IS 'the sketch with every element of an array';

CREATE FUNCTION bloom_add_all(sketch bloom, elements anyarray) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_add_all(bloom, anyarray) IS 'the sketch with every element of an array';

CREATE FUNCTION bloom_merge(a bloom, b bloom) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_merge(bloom, bloom) IS 'the union; NULL counts as nothing';

CREATE OPERATOR || (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (bloom, bloom) IS 'the union';

CREATE FUNCTION bloom_combine(bloom, bloom) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_combine' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION bloom_combine(bloom, bloom) IS 'combine function of the aggregates';

CREATE FUNCTION bloom_merge_step(bloom, bloom) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_merge_step' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION bloom_merge_step(bloom, bloom) IS 'transition function of bloom_merge_agg';

CREATE FUNCTION bloom_final(bloom) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_final(bloom) IS 'final function of bloom_agg and bloom_merge_agg';

CREATE AGGREGATE bloom_merge_agg(bloom) (
    SFUNC = bloom_merge_step, STYPE = bloom, SSPACE = 8192, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_merge_agg(bloom) IS 'the union of stored sketches';

CREATE FUNCTION bloom_intersect(a bloom, b bloom) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_intersect' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_intersect(bloom, bloom) IS 'the bits that are set in both: a filter of what both hold, with more false positives than one built of that alone';

CREATE OPERATOR & (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_intersect, COMMUTATOR = &);
COMMENT ON OPERATOR & (bloom, bloom) IS 'the intersection';

CREATE FUNCTION bloom_intersect_step(bloom, bloom) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_intersect_step' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION bloom_intersect_step(bloom, bloom) IS 'transition and combine function of bloom_intersect_agg';

CREATE AGGREGATE bloom_intersect_agg(bloom) (
    SFUNC = bloom_intersect_step, STYPE = bloom, SSPACE = 8192, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_intersect_step, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_intersect_agg(bloom) IS 'the intersection of stored filters; NULLs are skipped';

-- ---------- filters of other systems ----------

CREATE FUNCTION bloom_from_guava(filter bytea, value_type regtype DEFAULT NULL) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_from_guava' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_from_guava(bytea, regtype) IS 'a BloomFilter of Guava, with the type of its values (bigint, text or bytea) if it is to be queried';

CREATE FUNCTION bloom_to_guava(filter bloom) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_bloom_to_guava' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_to_guava(bloom) IS 'the filter, of the layout classic or from Guava, as a BloomFilter of Guava';

CREATE FUNCTION bloom_from_redis(filter bytea, value_type regtype DEFAULT 'text') RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_from_redis' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_from_redis(bytea, regtype) IS 'what BF.SCANDUMP of RedisBloom gives, all of it in one, of strings as text or as bytea';

CREATE FUNCTION bloom_to_redis(filter bloom, expansion integer DEFAULT 2) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_bloom_to_redis' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_to_redis(bloom, integer) IS 'the filter, which came from RedisBloom, for BF.LOADCHUNK: a head of 73 bytes, then data; expansion 0 is NONSCALING';

CREATE FUNCTION bloom_from_parquet(filter bytea, value_type regtype) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_from_parquet' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_from_parquet(bytea, regtype) IS 'the Bloom filter of a column of Apache Parquet with its header, of values of a type: bigint, integer, text, bytea, uuid';

CREATE FUNCTION bloom_to_parquet(filter bloom) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_bloom_to_parquet' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_to_parquet(bloom) IS 'the filter, which came from Apache Parquet, with its header';

-- ---------- probing ----------

CREATE FUNCTION bloom_contains_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'probds_bloom_contains_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_contains_support(internal) IS 'planner support for bloom_contains and bloom_contained: how many rows pass';

CREATE FUNCTION bloom_contains_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_bloom_contains_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_contains_sel(internal, oid, internal, integer) IS 'restriction selectivity of @> and <@ with a bloom filter';

CREATE FUNCTION bloom_contains_any(filter bloom, elements text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contains_any' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION bloom_contains_any(bloom, text) IS 'was any element of the array added? NULL elements are skipped, so of none it is false';

CREATE FUNCTION bloom_contains_all(filter bloom, elements text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contains_all' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION bloom_contains_all(bloom, text) IS 'was every element of the array added? NULL elements are skipped, as bloom_add_all skips them, so of none it is true';

CREATE FUNCTION bloom_contains_any(filter bloom, elements anyarray) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contains_any' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION bloom_contains_any(bloom, anyarray) IS 'was any element of the array added? NULL elements are skipped, so of none it is false';

CREATE FUNCTION bloom_contains_all(filter bloom, elements anyarray) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contains_all' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION bloom_contains_all(bloom, anyarray) IS 'was every element of the array added? NULL elements are skipped, as bloom_add_all skips them, so of none it is true';

-- ---------- answers ----------

CREATE FUNCTION bloom_cardinality(filter bloom) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_bloom_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_cardinality(bloom) IS 'the estimated number of distinct values, from the fill';

CREATE FUNCTION bloom_false_positive_rate(filter bloom) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_bloom_false_positive_rate' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_false_positive_rate(bloom) IS 'the share of values never added that the filter claims to hold, as it is filled now';

CREATE FUNCTION bloom_info(filter bloom,
                           OUT layout text, OUT bits bigint, OUT hashes integer,
                           OUT capacity bigint, OUT items bigint, OUT fill double precision,
                           OUT false_positive_rate double precision,
                           OUT design_rate double precision,
                           OUT kind text, OUT family text, OUT bytes integer,
                           OUT encoding text, OUT status text)
    AS 'MODULE_PATHNAME', 'probds_bloom_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_info(bloom) IS 'parameters, fill, rates, size and status (ok, nearly full, over capacity) of a filter, one row';

-- bloom: functions, operators and aggregates over values

CREATE FUNCTION bloom_add(sketch bloom, value text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500
    SUPPORT probds_add_support;
COMMENT ON FUNCTION bloom_add(bloom, text) IS 'the sketch with one more value';

CREATE FUNCTION bloom_add(sketch bloom, value "any") RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500
    SUPPORT probds_add_support;
COMMENT ON FUNCTION bloom_add(bloom, "any") IS 'the sketch with one more value';

-- ---------- probing ----------

CREATE FUNCTION bloom_contains(filter bloom, value text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
    SUPPORT bloom_contains_support;
COMMENT ON FUNCTION bloom_contains(bloom, text) IS 'was the value added? "No" is certain, "yes" is wrong at the false-positive rate';

CREATE FUNCTION bloom_contained(value text, filter bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contained' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
    SUPPORT bloom_contains_support;
COMMENT ON FUNCTION bloom_contained(text, bloom) IS 'bloom_contains with its arguments the other way round';

CREATE OPERATOR @> (LEFTARG = bloom, RIGHTARG = text, FUNCTION = bloom_contains, COMMUTATOR = <@,
    RESTRICT = bloom_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (bloom, text) IS 'was the value added?';
CREATE OPERATOR <@ (LEFTARG = text, RIGHTARG = bloom, FUNCTION = bloom_contained, COMMUTATOR = @>,
    RESTRICT = bloom_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ (text, bloom) IS 'was the value added?';

CREATE FUNCTION bloom_contains(filter bloom, value "any") RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
    SUPPORT bloom_contains_support;
COMMENT ON FUNCTION bloom_contains(bloom, "any") IS 'was the value added? "No" is certain, "yes" is wrong at the false-positive rate';

CREATE FUNCTION bloom_contained(value "any", filter bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contained' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
    SUPPORT bloom_contains_support;
COMMENT ON FUNCTION bloom_contained("any", bloom) IS 'bloom_contains with its arguments the other way round';

CREATE OPERATOR @> (LEFTARG = bloom, RIGHTARG = "any", FUNCTION = bloom_contains, COMMUTATOR = <@,
    RESTRICT = bloom_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (bloom, "any") IS 'was the value added?';
CREATE OPERATOR <@ (LEFTARG = "any", RIGHTARG = bloom, FUNCTION = bloom_contained, COMMUTATOR = @>,
    RESTRICT = bloom_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ ("any", bloom) IS 'was the value added?';

-- ---------- aggregates ----------

-- The states of one without a capacity cannot be merged across machines, so it has no
-- combine function

CREATE FUNCTION bloom_step(bloom, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION bloom_step(bloom, text) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, text, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION bloom_step(bloom, text, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, text, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION bloom_step(bloom, text, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, text, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION bloom_step(bloom, text, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(text) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value text, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(text, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value text, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(text, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value text, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(text, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, bytea) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, bytea) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, bytea, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, bytea, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, bytea, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, bytea, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, bytea, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, bytea, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value bytea) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(bytea) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value bytea, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(bytea, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value bytea, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(bytea, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value bytea, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(bytea, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, int2) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, int2) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, int2, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, int2, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, int2, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, int2, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, int2, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, int2, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value int2) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(int2) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value int2, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(int2, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value int2, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(int2, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value int2, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(int2, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, int4) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, int4) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, int4, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, int4, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, int4, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, int4, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, int4, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, int4, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value int4) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(int4) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value int4, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(int4, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value int4, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(int4, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value int4, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(int4, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, int8) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, int8) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, int8, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, int8, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, int8, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, int8, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, int8, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, int8, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value int8) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(int8) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value int8, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(int8, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value int8, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(int8, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value int8, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(int8, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, oid) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, oid) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, oid, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, oid, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, oid, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, oid, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, oid, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, oid, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value oid) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(oid) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value oid, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(oid, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value oid, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(oid, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value oid, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(oid, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, uuid) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, uuid) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, uuid, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, uuid, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, uuid, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, uuid, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, uuid, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, uuid, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value uuid) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(uuid) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value uuid, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(uuid, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value uuid, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(uuid, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value uuid, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(uuid, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, inet) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, inet) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, inet, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, inet, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, inet, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, inet, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, inet, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, inet, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value inet) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(inet) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value inet, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(inet, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value inet, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(inet, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value inet, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(inet, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, numeric) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, numeric) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, numeric, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, numeric, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, numeric, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, numeric, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, numeric, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, numeric, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value numeric) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(numeric) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value numeric, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(numeric, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value numeric, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(numeric, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value numeric, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(numeric, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, float4) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, float4) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, float4, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, float4, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, float4, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, float4, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, float4, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, float4, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value float4) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(float4) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value float4, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(float4, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value float4, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(float4, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value float4, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(float4, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, float8) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, float8) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, float8, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, float8, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, float8, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, float8, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, float8, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, float8, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value float8) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(float8) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value float8, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(float8, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value float8, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(float8, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value float8, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(float8, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, bool) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, bool) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, bool, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, bool, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, bool, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, bool, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, bool, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, bool, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value bool) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(bool) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value bool, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(bool, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value bool, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(bool, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value bool, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(bool, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, date) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, date) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, date, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, date, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, date, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, date, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, date, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, date, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value date) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(date) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value date, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(date, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value date, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(date, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value date, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(date, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, time) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, time) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, time, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, time, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, time, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, time, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, time, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, time, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value time) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(time) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value time, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(time, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value time, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(time, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value time, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(time, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, timestamp) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, timestamp) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, timestamp, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, timestamp, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, timestamp, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, timestamp, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, timestamp, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, timestamp, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value timestamp) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(timestamp) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value timestamp, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(timestamp, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value timestamp, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(timestamp, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value timestamp, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(timestamp, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, timestamptz) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, timestamptz) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, timestamptz, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, timestamptz, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, timestamptz, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, timestamptz, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, timestamptz, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, timestamptz, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value timestamptz) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(timestamptz) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value timestamptz, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(timestamptz, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value timestamptz, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(timestamptz, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value timestamptz, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(timestamptz, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, interval) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, interval) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, interval, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, interval, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, interval, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, interval, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, interval, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, interval, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value interval) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(interval) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value interval, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(interval, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value interval, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(interval, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value interval, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(interval, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, jsonb) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, jsonb) IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, jsonb, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, jsonb, double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, jsonb, double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, jsonb, double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, jsonb, double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, jsonb, double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value jsonb) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(jsonb) IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value jsonb, capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(jsonb, double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value jsonb, capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(jsonb, double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value jsonb, capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    COMBINEFUNC = bloom_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg(jsonb, double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

CREATE FUNCTION bloom_step(bloom, "any") RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, "any") IS 'transition function of bloom_agg';

CREATE FUNCTION bloom_step(bloom, "any", double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, "any", double precision) IS 'transition function of bloom_agg with a capacity';

CREATE FUNCTION bloom_step(bloom, "any", double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, "any", double precision, double precision) IS 'transition function of bloom_agg with a capacity and a false-positive rate';

CREATE FUNCTION bloom_step(bloom, "any", double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION bloom_step(bloom, "any", double precision, double precision, text) IS 'transition function of bloom_agg with a capacity, a false-positive rate and a layout';

CREATE AGGREGATE bloom_agg(value "any") (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg("any") IS 'a filter of the values, sized for as many as there are, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value "any", capacity double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg("any", double precision) IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';

CREATE AGGREGATE bloom_agg(value "any", capacity double precision, false_positive_rate double precision) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg("any", double precision, double precision) IS 'a filter of the values for a given capacity and false-positive rate';

CREATE AGGREGATE bloom_agg(value "any", capacity double precision, false_positive_rate double precision, layout text) (
    SFUNC = bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = bloom_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE bloom_agg("any", double precision, double precision, text) IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or classic';

-- cms: Count-Min, how often each value occurred

-- ---------- type ----------

CREATE TYPE cms;

CREATE FUNCTION cms_in(cstring, oid, integer) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_in(cstring, oid, integer) IS 'input: base64, or hexadecimal after \x';

CREATE FUNCTION cms_out(cms) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_cms_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_out(cms) IS 'output: base64';

CREATE FUNCTION cms_recv(internal, oid, integer) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_recv(internal, oid, integer) IS 'binary input, checked';

CREATE FUNCTION cms_send(cms) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_cms_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_send(cms) IS 'binary output';

CREATE FUNCTION cms_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_cms_typmod_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_typmod_in(cstring[]) IS 'type modifier input: epsilon and delta';

CREATE FUNCTION cms_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_cms_typmod_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_typmod_out(integer) IS 'type modifier output';

CREATE TYPE cms (
    INPUT = cms_in, OUTPUT = cms_out, RECEIVE = cms_recv, SEND = cms_send,
    TYPMOD_IN = cms_typmod_in, TYPMOD_OUT = cms_typmod_out,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external
);

-- ---------- casts ----------

CREATE FUNCTION cms_to_bytea(cms) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_cms_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_to_bytea(cms) IS 'the bytes of a sketch';

CREATE FUNCTION cms_from_bytea(bytea) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_from_bytea(bytea) IS 'a sketch from its bytes, checked';

CREATE FUNCTION cms(cms, integer, boolean) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_typmod_cast' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms(cms, integer, boolean) IS 'enforces a type modifier; an explicit cast folds to it';

CREATE CAST (cms AS bytea) WITH FUNCTION cms_to_bytea(cms);
COMMENT ON CAST (cms AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS cms) WITH FUNCTION cms_from_bytea(bytea);
COMMENT ON CAST (bytea AS cms) IS 'a sketch from its bytes, checked';
CREATE CAST (cms AS cms) WITH FUNCTION cms(cms, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (cms AS cms) IS 'enforces a type modifier';

-- ---------- comparison ----------

CREATE FUNCTION cms_eq(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cms_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_eq(cms, cms) IS 'implementation of = operator';
CREATE FUNCTION cms_ne(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cms_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_ne(cms, cms) IS 'implementation of <> operator';
CREATE FUNCTION cms_lt(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cms_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_lt(cms, cms) IS 'implementation of *< operator';
CREATE FUNCTION cms_le(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cms_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_le(cms, cms) IS 'implementation of *<= operator';
CREATE FUNCTION cms_gt(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cms_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_gt(cms, cms) IS 'implementation of *> operator';
CREATE FUNCTION cms_ge(cms, cms) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cms_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_ge(cms, cms) IS 'implementation of *>= operator';
CREATE FUNCTION cms_cmp(cms, cms) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_cms_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_cmp(cms, cms) IS 'less-equal-greater, by bytes';
CREATE FUNCTION cms_hash(cms) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_cms_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_hash(cms) IS 'hash of the bytes';
CREATE FUNCTION cms_hash_extended(cms, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cms_hash_extended(cms, bigint) IS 'seeded hash of the bytes';

CREATE OPERATOR = (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_eq,
    COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (cms, cms) IS 'same state: same shape, same counters';
CREATE OPERATOR <> (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_ne,
    COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (cms, cms) IS 'different state';
-- The order is for sorting and merge joins; "<" would look as if it meant something
CREATE OPERATOR *< (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_lt,
    COMMUTATOR = *>, NEGATOR = *>=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (cms, cms) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_le,
    COMMUTATOR = *>=, NEGATOR = *>, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (cms, cms) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_gt,
    COMMUTATOR = *<, NEGATOR = *<=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (cms, cms) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_ge,
    COMMUTATOR = *<=, NEGATOR = *<, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR *>= (cms, cms) IS 'greater or equal, by bytes';

CREATE OPERATOR FAMILY cms_ops USING btree;
COMMENT ON OPERATOR FAMILY cms_ops USING btree IS 'cms by bytes';
CREATE OPERATOR CLASS cms_ops DEFAULT FOR TYPE cms USING btree FAMILY cms_ops AS
    OPERATOR 1 *<, OPERATOR 2 *<=, OPERATOR 3 =, OPERATOR 4 *>=, OPERATOR 5 *>,
    FUNCTION 1 cms_cmp(cms, cms);
COMMENT ON OPERATOR CLASS cms_ops USING btree IS 'cms by bytes';

CREATE OPERATOR FAMILY cms_ops USING hash;
COMMENT ON OPERATOR FAMILY cms_ops USING hash IS 'cms by bytes';
CREATE OPERATOR CLASS cms_ops DEFAULT FOR TYPE cms USING hash FAMILY cms_ops AS
    OPERATOR 1 =, FUNCTION 1 cms_hash(cms), FUNCTION 2 cms_hash_extended(cms, bigint);
COMMENT ON OPERATOR CLASS cms_ops USING hash IS 'cms by bytes';

COMMENT ON TYPE cms IS 'Count-Min sketch: how often each value was added to it; estimates of cms(0.001, 0.01) are too high by at most 0.1 % of the sum of all weights, 99 % of the time';

-- ---------- constructors and changes ----------

CREATE FUNCTION cms_empty(epsilon double precision DEFAULT 0.001, delta double precision DEFAULT 0.01,
                          conservative boolean DEFAULT false) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_empty(double precision, double precision, boolean) IS 'an empty sketch for a relative error of epsilon with a probability of 1 - delta, by conservative update or plain';

CREATE FUNCTION cms_add_all(sketch cms, elements text) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cms_add_all(cms, text) IS 'the sketch with every element of an array';

CREATE FUNCTION cms_add_all(sketch cms, elements anyarray) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cms_add_all(cms, anyarray) IS 'the sketch with every element of an array';

CREATE FUNCTION cms_merge(a cms, b cms) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cms_merge(cms, cms) IS 'the union; NULL counts as nothing';

CREATE OPERATOR || (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (cms, cms) IS 'the union';

CREATE FUNCTION cms_combine(cms, cms) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_combine' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION cms_combine(cms, cms) IS 'combine function of the aggregates';

CREATE FUNCTION cms_merge_step(cms, cms) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_merge_step' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION cms_merge_step(cms, cms) IS 'transition function of cms_merge_agg';

CREATE FUNCTION cms_final(cms) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cms_final(cms) IS 'final function of cms_agg and cms_merge_agg';

CREATE AGGREGATE cms_merge_agg(cms) (
    SFUNC = cms_merge_step, STYPE = cms, SSPACE = 16384, FINALFUNC = cms_final,
    COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_merge_agg(cms) IS 'the union of stored sketches';

CREATE FUNCTION cms_subtract(a cms, b cms) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_subtract' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cms_subtract(cms, cms) IS 'what the first holds beyond the second, such as an earlier state of it';

-- ---------- answers ----------

CREATE FUNCTION cms_frequencies(sketch cms, elements text) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'probds_cms_frequencies' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION cms_frequencies(cms, text) IS 'how often each element of an array occurred';

CREATE FUNCTION cms_frequencies(sketch cms, elements anyarray) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'probds_cms_frequencies' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION cms_frequencies(cms, anyarray) IS 'how often each element of an array occurred';

CREATE FUNCTION cms_total(sketch cms) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_total' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION cms_total(cms) IS 'the sum of all weights';

CREATE FUNCTION cms_error(sketch cms) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_error' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION cms_error(cms) IS 'the most that a frequency is too high, with a probability of 1 - delta';

CREATE FUNCTION cms_inner_product(a cms, b cms) RETURNS numeric
    AS 'MODULE_PATHNAME', 'probds_cms_inner_product' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION cms_inner_product(cms, cms) IS 'the estimated number of rows of a join on the values: never too low';

CREATE FUNCTION cms_info(sketch cms,
                         OUT epsilon double precision, OUT delta double precision,
                         OUT width integer, OUT depth integer, OUT conservative boolean,
                         OUT encoding text, OUT counter_bytes integer,
                         OUT kind text, OUT family text, OUT bytes integer,
                         OUT total bigint, OUT fill double precision, OUT error bigint)
    AS 'MODULE_PATHNAME', 'probds_cms_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION cms_info(cms) IS 'parameters, encoding, size, total, fill and error of a sketch, one row';

-- cms: functions, operators and aggregates over values

CREATE FUNCTION cms_add(sketch cms, value text) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION cms_add(cms, text) IS 'the sketch with one more value';

CREATE FUNCTION cms_add(sketch cms, value "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION cms_add(cms, "any") IS 'the sketch with one more value';

CREATE FUNCTION cms_add(sketch cms, value text, count bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION cms_add(cms, text, bigint) IS 'the sketch with a value more, so many times; a negative count takes it out';

CREATE FUNCTION cms_frequency(sketch cms, value text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION cms_frequency(cms, text) IS 'how often the value occurred: never too low, seldom too high by more than cms_error';

CREATE FUNCTION cms_bounds(sketch cms, value text,
                           OUT lower bigint, OUT estimate bigint, OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_cms_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION cms_bounds(cms, text) IS 'how often the value occurred: at most upper, and at least lower with a probability of 1 - delta';

CREATE OPERATOR -> (LEFTARG = cms, RIGHTARG = text, FUNCTION = cms_frequency);
COMMENT ON OPERATOR -> (cms, text) IS 'how often the value occurred';

CREATE FUNCTION cms_add(sketch cms, value "any", count bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION cms_add(cms, "any", bigint) IS 'the sketch with a value more, so many times; a negative count takes it out';

CREATE FUNCTION cms_frequency(sketch cms, value "any") RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION cms_frequency(cms, "any") IS 'how often the value occurred: never too low, seldom too high by more than cms_error';

CREATE FUNCTION cms_bounds(sketch cms, value "any",
                           OUT lower bigint, OUT estimate bigint, OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_cms_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION cms_bounds(cms, "any") IS 'how often the value occurred: at most upper, and at least lower with a probability of 1 - delta';

CREATE OPERATOR -> (LEFTARG = cms, RIGHTARG = "any", FUNCTION = cms_frequency);
COMMENT ON OPERATOR -> (cms, "any") IS 'how often the value occurred';

-- ---------- aggregates ----------

CREATE FUNCTION cms_step(cms, text) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION cms_step(cms, text) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, text, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION cms_step(cms, text, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, text, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION cms_step(cms, text, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, text, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION cms_step(cms, text, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, bytea) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, bytea) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, bytea, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, bytea, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, bytea, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, bytea, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, bytea, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, bytea, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, int2) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, int2) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, int2, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, int2, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, int2, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, int2, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, int2, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, int2, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, int4) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, int4) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, int4, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, int4, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, int4, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, int4, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, int4, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, int4, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, int8) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, int8) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, int8, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, int8, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, int8, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, int8, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, int8, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, int8, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, oid) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, oid) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, oid, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, oid, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, oid, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, oid, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, oid, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, oid, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, uuid) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, uuid) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, uuid, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, uuid, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, uuid, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, uuid, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, uuid, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, uuid, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, inet) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, inet) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, inet, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, inet, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, inet, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, inet, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, inet, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, inet, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, numeric) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, numeric) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, numeric, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, numeric, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, numeric, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, numeric, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, numeric, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, numeric, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, float4) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, float4) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, float4, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, float4, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, float4, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, float4, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, float4, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, float4, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, float8) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, float8) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, float8, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, float8, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, float8, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, float8, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, float8, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, float8, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, bool) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, bool) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, bool, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, bool, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, bool, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, bool, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, bool, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, bool, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, date) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, date) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, date, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, date, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, date, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, date, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, date, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, date, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, time) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, time) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, time, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, time, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, time, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, time, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, time, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, time, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, timestamp) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, timestamp) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, timestamp, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, timestamp, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, timestamp, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, timestamp, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, timestamp, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, timestamp, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, timestamptz) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, timestamptz) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, timestamptz, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, timestamptz, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, timestamptz, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, timestamptz, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, timestamptz, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, timestamptz, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, interval) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, interval) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, interval, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, interval, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, interval, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, interval, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, interval, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, interval, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, jsonb) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, jsonb) IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, jsonb, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, jsonb, bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, jsonb, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, jsonb, double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, jsonb, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, jsonb, bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_step(cms, "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, "any") IS 'transition function of cms_agg';

CREATE FUNCTION cms_step(cms, "any", bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, "any", bigint) IS 'transition function of cms_agg with weights';

CREATE FUNCTION cms_step(cms, "any", double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, "any", double precision, double precision) IS 'transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_step(cms, "any", bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_step(cms, "any", bigint, double precision, double precision) IS 'transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, text) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION cms_inverse_step(cms, text) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, text, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION cms_inverse_step(cms, text, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, text, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION cms_inverse_step(cms, text, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, text, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION cms_inverse_step(cms, text, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, bytea) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, bytea) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, bytea, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, bytea, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, bytea, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, bytea, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, bytea, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, bytea, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, int2) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, int2) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, int2, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, int2, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, int2, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, int2, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, int2, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, int2, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, int4) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, int4) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, int4, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, int4, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, int4, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, int4, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, int4, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, int4, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, int8) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, int8) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, int8, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, int8, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, int8, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, int8, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, int8, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, int8, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, oid) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, oid) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, oid, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, oid, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, oid, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, oid, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, oid, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, oid, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, uuid) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, uuid) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, uuid, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, uuid, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, uuid, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, uuid, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, uuid, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, uuid, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, inet) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, inet) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, inet, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, inet, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, inet, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, inet, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, inet, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, inet, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, numeric) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, numeric) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, numeric, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, numeric, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, numeric, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, numeric, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, numeric, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, numeric, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, float4) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, float4) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, float4, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, float4, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, float4, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, float4, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, float4, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, float4, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, float8) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, float8) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, float8, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, float8, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, float8, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, float8, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, float8, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, float8, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, bool) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, bool) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, bool, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, bool, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, bool, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, bool, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, bool, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, bool, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, date) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, date) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, date, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, date, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, date, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, date, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, date, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, date, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, time) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, time) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, time, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, time, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, time, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, time, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, time, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, time, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, timestamp) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, timestamp) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, timestamp, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, timestamp, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, timestamp, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, timestamp, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, timestamp, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, timestamp, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, timestamptz) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, timestamptz) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, timestamptz, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, timestamptz, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, timestamptz, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, timestamptz, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, timestamptz, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, timestamptz, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, interval) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, interval) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, interval, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, interval, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, interval, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, interval, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, interval, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, interval, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, jsonb) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, jsonb) IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, jsonb, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, jsonb, bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, jsonb, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, jsonb, double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, jsonb, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, jsonb, bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, "any") IS 'inverse transition function of cms_agg';

CREATE FUNCTION cms_inverse_step(cms, "any", bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, "any", bigint) IS 'inverse transition function of cms_agg with weights';

CREATE FUNCTION cms_inverse_step(cms, "any", double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, "any", double precision, double precision) IS 'inverse transition function of cms_agg with epsilon and delta';

CREATE FUNCTION cms_inverse_step(cms, "any", bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_inverse_step(cms, "any", bigint, double precision, double precision) IS 'inverse transition function of cms_agg with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, text) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION cms_conservative_step(cms, text) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, text, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION cms_conservative_step(cms, text, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, text, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION cms_conservative_step(cms, text, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, text, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION cms_conservative_step(cms, text, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, bytea) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, bytea) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, bytea, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, bytea, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, bytea, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, bytea, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, bytea, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, bytea, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, int2) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, int2) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, int2, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, int2, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, int2, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, int2, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, int2, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, int2, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, int4) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, int4) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, int4, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, int4, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, int4, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, int4, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, int4, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, int4, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, int8) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, int8) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, int8, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, int8, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, int8, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, int8, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, int8, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, int8, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, oid) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, oid) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, oid, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, oid, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, oid, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, oid, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, oid, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, oid, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, uuid) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, uuid) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, uuid, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, uuid, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, uuid, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, uuid, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, uuid, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, uuid, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, inet) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, inet) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, inet, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, inet, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, inet, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, inet, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, inet, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, inet, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, numeric) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, numeric) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, numeric, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, numeric, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, numeric, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, numeric, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, numeric, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, numeric, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, float4) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, float4) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, float4, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, float4, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, float4, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, float4, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, float4, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, float4, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, float8) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, float8) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, float8, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, float8, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, float8, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, float8, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, float8, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, float8, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, bool) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, bool) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, bool, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, bool, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, bool, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, bool, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, bool, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, bool, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, date) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, date) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, date, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, date, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, date, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, date, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, date, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, date, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, time) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, time) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, time, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, time, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, time, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, time, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, time, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, time, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, timestamp) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, timestamp) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, timestamp, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, timestamp, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, timestamp, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, timestamp, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, timestamp, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, timestamp, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, timestamptz) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, timestamptz) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, timestamptz, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, timestamptz, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, timestamptz, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, timestamptz, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, timestamptz, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, timestamptz, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, interval) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, interval) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, interval, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, interval, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, interval, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, interval, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, interval, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, interval, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, jsonb) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, jsonb) IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, jsonb, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, jsonb, bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, jsonb, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, jsonb, double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, jsonb, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, jsonb, bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, "any") IS 'transition function of cms_agg_conservative';

CREATE FUNCTION cms_conservative_step(cms, "any", bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, "any", bigint) IS 'transition function of cms_agg_conservative with weights';

CREATE FUNCTION cms_conservative_step(cms, "any", double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, "any", double precision, double precision) IS 'transition function of cms_agg_conservative with epsilon and delta';

CREATE FUNCTION cms_conservative_step(cms, "any", bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_conservative_step(cms, "any", bigint, double precision, double precision) IS 'transition function of cms_agg_conservative with weights, epsilon and delta';

CREATE AGGREGATE cms_agg(value text) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(text) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value text, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(text, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value text, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(text, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value text, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(text, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value bytea) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(bytea) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value bytea, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(bytea, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value bytea, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(bytea, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value bytea, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(bytea, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value int2) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(int2) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value int2, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(int2, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value int2, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(int2, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value int2, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(int2, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value int4) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(int4) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value int4, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(int4, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value int4, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(int4, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value int4, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(int4, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value int8) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(int8) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value int8, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(int8, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value int8, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(int8, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value int8, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(int8, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value oid) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(oid) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value oid, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(oid, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value oid, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(oid, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value oid, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(oid, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value uuid) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(uuid) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value uuid, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(uuid, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value uuid, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(uuid, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value uuid, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(uuid, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value inet) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(inet) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value inet, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(inet, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value inet, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(inet, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value inet, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(inet, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value numeric) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(numeric) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value numeric, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(numeric, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value numeric, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(numeric, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value numeric, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(numeric, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value float4) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(float4) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value float4, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(float4, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value float4, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(float4, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value float4, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(float4, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value float8) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(float8) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value float8, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(float8, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value float8, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(float8, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value float8, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(float8, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value bool) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(bool) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value bool, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(bool, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value bool, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(bool, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value bool, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(bool, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value date) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(date) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value date, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(date, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value date, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(date, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value date, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(date, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value time) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(time) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value time, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(time, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value time, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(time, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value time, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(time, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value timestamp) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(timestamp) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value timestamp, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(timestamp, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value timestamp, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(timestamp, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value timestamp, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(timestamp, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value timestamptz) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(timestamptz) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value timestamptz, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(timestamptz, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value timestamptz, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(timestamptz, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value timestamptz, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(timestamptz, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value interval) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(interval) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value interval, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(interval, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value interval, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(interval, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value interval, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(interval, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value jsonb) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(jsonb) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value jsonb, weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(jsonb, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value jsonb, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(jsonb, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value jsonb, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg(jsonb, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value "any") (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg("any") IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value "any", weight bigint) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg("any", bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01';

CREATE AGGREGATE cms_agg(value "any", epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg("any", double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg(value "any", weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, PARALLEL = SAFE, MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final
);
COMMENT ON AGGREGATE cms_agg("any", bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg_conservative(value text) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(text) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value text, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(text, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value text, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(text, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value text, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(text, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value bytea) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(bytea) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value bytea, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(bytea, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value bytea, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(bytea, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value bytea, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(bytea, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value int2) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(int2) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value int2, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(int2, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value int2, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(int2, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value int2, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(int2, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value int4) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(int4) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value int4, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(int4, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value int4, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(int4, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value int4, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(int4, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value int8) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(int8) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value int8, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(int8, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value int8, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(int8, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value int8, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(int8, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value oid) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(oid) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value oid, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(oid, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value oid, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(oid, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value oid, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(oid, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value uuid) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(uuid) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value uuid, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(uuid, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value uuid, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(uuid, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value uuid, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(uuid, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value inet) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(inet) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value inet, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(inet, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value inet, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(inet, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value inet, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(inet, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value numeric) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(numeric) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value numeric, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(numeric, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value numeric, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(numeric, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value numeric, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(numeric, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value float4) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(float4) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value float4, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(float4, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value float4, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(float4, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value float4, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(float4, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value float8) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(float8) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value float8, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(float8, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value float8, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(float8, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value float8, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(float8, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value bool) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(bool) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value bool, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(bool, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value bool, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(bool, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value bool, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(bool, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value date) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(date) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value date, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(date, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value date, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(date, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value date, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(date, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value time) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(time) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value time, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(time, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value time, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(time, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value time, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(time, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value timestamp) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(timestamp) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value timestamp, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(timestamp, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value timestamp, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(timestamp, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value timestamp, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(timestamp, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value timestamptz) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(timestamptz) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value timestamptz, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(timestamptz, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value timestamptz, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(timestamptz, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value timestamptz, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(timestamptz, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value interval) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(interval) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value interval, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(interval, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value interval, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(interval, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value interval, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(interval, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value jsonb) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(jsonb) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value jsonb, weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(jsonb, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value jsonb, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(jsonb, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value jsonb, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, COMBINEFUNC = cms_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative(jsonb, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value "any") (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative("any") IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value "any", weight bigint) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative("any", bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value "any", epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative("any", double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative(value "any", weight bigint, epsilon double precision, delta double precision) (
    SFUNC = cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, PARALLEL = SAFE
);
COMMENT ON AGGREGATE cms_agg_conservative("any", bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by conservative update: closer estimates, but nothing can be taken out';

-- topk: the most frequent values, and how frequent they are

-- ---------- type ----------

CREATE TYPE topk;

CREATE FUNCTION topk_in(cstring, oid, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION topk_in(cstring, oid, integer) IS 'input: base64, or hexadecimal after \x';

CREATE FUNCTION topk_out(topk) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_topk_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION topk_out(topk) IS 'output: base64';

CREATE FUNCTION topk_recv(internal, oid, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION topk_recv(internal, oid, integer) IS 'binary input, checked';

CREATE FUNCTION topk_send(topk) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_topk_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION topk_send(topk) IS 'binary output';

CREATE FUNCTION topk_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_topk_typmod_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION topk_typmod_in(cstring[]) IS 'type modifier input: k';

CREATE FUNCTION topk_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_topk_typmod_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION topk_typmod_out(integer) IS 'type modifier output';

CREATE TYPE topk (
    INPUT = topk_in, OUTPUT = topk_out, RECEIVE = topk_recv, SEND = topk_send,
    TYPMOD_IN = topk_typmod_in, TYPMOD_OUT = topk_typmod_out,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external
);

-- ---------- casts ----------

CREATE FUNCTION topk_to_bytea(topk) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_topk_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION topk_to_bytea(topk) IS 'the bytes of a sketch';

CREATE FUNCTION topk_from_bytea(bytea) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION topk_from_bytea(bytea) IS 'a sketch from its bytes, checked';

CREATE FUNCTION topk(topk, integer, boolean) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_typmod_cast' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION topk(topk, integer, boolean) IS 'enforces a type modifier; an explicit cast folds to it';

CREATE CAST (topk AS bytea) WITH FUNCTION topk_to_bytea(topk);
COMMENT ON CAST (topk AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS topk) WITH FUNCTION topk_from_bytea(bytea);
COMMENT ON CAST (bytea AS topk) IS 'a sketch from its bytes, checked';
CREATE CAST (topk AS topk) WITH FUNCTION topk(topk, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (topk AS topk) IS 'enforces a type modifier';

-- ---------- comparison ----------

CREATE FUNCTION topk_eq(topk, topk) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_topk_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION topk_eq(topk, topk) IS 'implementation of = operator';
CREATE FUNCTION topk_ne(topk, topk) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_topk_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION topk_ne(topk, topk) IS 'implementation of <> operator';
CREATE FUNCTION topk_lt(topk, topk) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_topk_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION topk_lt(topk, topk) IS 'implementation of *< operator';
CREATE FUNCTION topk_le(topk, topk) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_topk_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION topk_le(topk, topk) IS 'implementation of *<= operator';
CREATE FUNCTION topk_gt(topk, topk) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_topk_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION topk_gt(topk, topk) IS 'implementation of *> operator';
CREATE FUNCTION topk_ge(topk, topk) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_topk_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION topk_ge(topk, topk) IS 'implementation of *>= operator';
CREATE FUNCTION topk_cmp(topk, topk) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_topk_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION topk_cmp(topk, topk) IS 'less-equal-greater, by bytes';
CREATE FUNCTION topk_hash(topk) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_topk_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION topk_hash(topk) IS 'hash of the bytes';
CREATE FUNCTION topk_hash_extended(topk, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_topk_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION topk_hash_extended(topk, bigint) IS 'seeded hash of the bytes';

CREATE OPERATOR = (LEFTARG = topk, RIGHTARG = topk, FUNCTION = topk_eq,
    COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (topk, topk) IS 'same state: same k, same items and counts';
CREATE OPERATOR <> (LEFTARG = topk, RIGHTARG = topk, FUNCTION = topk_ne,
    COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (topk, topk) IS 'different state';
-- The order is for sorting and merge joins; "<" would look as if it meant something
CREATE OPERATOR *< (LEFTARG = topk, RIGHTARG = topk, FUNCTION = topk_lt,
    COMMUTATOR = *>, NEGATOR = *>=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (topk, topk) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = topk, RIGHTARG = topk, FUNCTION = topk_le,
    COMMUTATOR = *>=, NEGATOR = *>, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (topk, topk) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = topk, RIGHTARG = topk, FUNCTION = topk_gt,
    COMMUTATOR = *<, NEGATOR = *<=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (topk, topk) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = topk, RIGHTARG = topk, FUNCTION = topk_ge,
    COMMUTATOR = *<=, NEGATOR = *<, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR *>= (topk, topk) IS 'greater or equal, by bytes';

CREATE OPERATOR FAMILY topk_ops USING btree;
COMMENT ON OPERATOR FAMILY topk_ops USING btree IS 'topk by bytes';
CREATE OPERATOR CLASS topk_ops DEFAULT FOR TYPE topk USING btree FAMILY topk_ops AS
    OPERATOR 1 *<, OPERATOR 2 *<=, OPERATOR 3 =, OPERATOR 4 *>=, OPERATOR 5 *>,
    FUNCTION 1 topk_cmp(topk, topk);
COMMENT ON OPERATOR CLASS topk_ops USING btree IS 'topk by bytes';

CREATE OPERATOR FAMILY topk_ops USING hash;
COMMENT ON OPERATOR FAMILY topk_ops USING hash IS 'topk by bytes';
CREATE OPERATOR CLASS topk_ops DEFAULT FOR TYPE topk USING hash FAMILY topk_ops AS
    OPERATOR 1 =, FUNCTION 1 topk_hash(topk), FUNCTION 2 topk_hash_extended(topk, bigint);
COMMENT ON OPERATOR CLASS topk_ops USING hash IS 'topk by bytes';

-- Texts can be compressed, and a sketch is always read as a whole
ALTER TYPE topk SET (STORAGE = extended);

COMMENT ON TYPE topk IS 'sketch of the most frequent values: the values, their counts and how far these can be off; topk(20) reports 20 of them';

-- ---------- constructors and changes ----------

CREATE FUNCTION topk_empty(k integer DEFAULT 20) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION topk_empty(integer) IS 'an empty sketch that reports the k most frequent values, k 1 to 10,000';

-- Immutable although the text of a value is that of its output function: what the
-- output functions of the server look at (DateStyle, TimeZone, ...) is set aside for them
CREATE FUNCTION topk_add_all(sketch topk, elements text) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION topk_add_all(topk, text) IS 'the sketch with every element of an array';

CREATE FUNCTION topk_add_all(sketch topk, elements anyarray) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION topk_add_all(topk, anyarray) IS 'the sketch with every element of an array';

CREATE FUNCTION topk_merge(a topk, b topk) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION topk_merge(topk, topk) IS 'the union; NULL counts as nothing';

CREATE OPERATOR || (LEFTARG = topk, RIGHTARG = topk, FUNCTION = topk_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (topk, topk) IS 'the union';

CREATE FUNCTION topk_combine(topk, topk) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_combine' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION topk_combine(topk, topk) IS 'combine function of the aggregates';

CREATE FUNCTION topk_merge_step(topk, topk) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_merge_step' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION topk_merge_step(topk, topk) IS 'transition function of topk_merge_agg';

CREATE FUNCTION topk_final(topk) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION topk_final(topk) IS 'final function of topk_agg and topk_merge_agg';

CREATE AGGREGATE topk_merge_agg(topk) (
    SFUNC = topk_merge_step, STYPE = topk, SSPACE = 16384, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_merge_agg(topk) IS 'the union of stored sketches';

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

-- topk: functions, operators and aggregates over values

CREATE FUNCTION topk_add(sketch topk, value text) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION topk_add(topk, text) IS 'the sketch with one more value';

CREATE FUNCTION topk_add(sketch topk, value "any") RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION topk_add(topk, "any") IS 'the sketch with one more value';

CREATE FUNCTION topk_add(sketch topk, value text, weight bigint) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION topk_add(topk, text, bigint) IS 'the sketch with a value that counts as often as its weight says';

CREATE FUNCTION topk_frequency(sketch topk, value text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_topk_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION topk_frequency(topk, text) IS 'how often a value occurred, at most; 0 if it is not in the sketch';

CREATE FUNCTION topk_bounds(sketch topk, value text,
                            OUT lower bigint, OUT estimate bigint, OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_topk_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION topk_bounds(topk, text) IS 'how often a value occurred: certainly between lower and upper, whether it is in the sketch or not';

CREATE OPERATOR -> (LEFTARG = topk, RIGHTARG = text, FUNCTION = topk_frequency);
COMMENT ON OPERATOR -> (topk, text) IS 'how often the value occurred, at most';

CREATE FUNCTION topk_add(sketch topk, value "any", weight bigint) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION topk_add(topk, "any", bigint) IS 'the sketch with a value that counts as often as its weight says';

CREATE FUNCTION topk_frequency(sketch topk, value "any") RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_topk_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION topk_frequency(topk, "any") IS 'how often a value occurred, at most; 0 if it is not in the sketch';

CREATE FUNCTION topk_bounds(sketch topk, value "any",
                            OUT lower bigint, OUT estimate bigint, OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_topk_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION topk_bounds(topk, "any") IS 'how often a value occurred: certainly between lower and upper, whether it is in the sketch or not';

CREATE OPERATOR -> (LEFTARG = topk, RIGHTARG = "any", FUNCTION = topk_frequency);
COMMENT ON OPERATOR -> (topk, "any") IS 'how often the value occurred, at most';

-- ---------- aggregates ----------

CREATE FUNCTION topk_step(topk, text) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION topk_step(topk, text) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, text, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION topk_step(topk, text, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, text, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE SUPPORT probds_text_step_support;
COMMENT ON FUNCTION topk_step(topk, text, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value text) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(text) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value text, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(text, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value text, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(text, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value text) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(text) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value text, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(text, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value text, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(text, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, bytea) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, bytea) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, bytea, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, bytea, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, bytea, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_bytea' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, bytea, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value bytea) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(bytea) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value bytea, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(bytea, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value bytea, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(bytea, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value bytea) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(bytea) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value bytea, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(bytea, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value bytea, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(bytea, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, int2) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, int2) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, int2, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, int2, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, int2, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_int2' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, int2, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value int2) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(int2) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value int2, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(int2, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value int2, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(int2, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value int2) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(int2) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value int2, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(int2, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value int2, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(int2, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, int4) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, int4) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, int4, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, int4, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, int4, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, int4, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value int4) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(int4) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value int4, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(int4, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value int4, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(int4, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value int4) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(int4) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value int4, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(int4, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value int4, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(int4, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, int8) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, int8) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, int8, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, int8, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, int8, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_int8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, int8, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value int8) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(int8) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value int8, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(int8, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value int8, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(int8, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value int8) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(int8) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value int8, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(int8, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value int8, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(int8, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, oid) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, oid) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, oid, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, oid, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, oid, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_oid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, oid, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value oid) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(oid) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value oid, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(oid, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value oid, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(oid, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value oid) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(oid) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value oid, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(oid, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value oid, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(oid, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, uuid) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, uuid) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, uuid, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, uuid, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, uuid, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_uuid' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, uuid, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value uuid) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(uuid) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value uuid, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(uuid, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value uuid, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(uuid, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value uuid) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(uuid) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value uuid, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(uuid, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value uuid, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(uuid, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, inet) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, inet) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, inet, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, inet, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, inet, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_inet' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, inet, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value inet) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(inet) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value inet, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(inet, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value inet, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(inet, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value inet) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(inet) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value inet, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(inet, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value inet, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(inet, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, numeric) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, numeric) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, numeric, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, numeric, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, numeric, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, numeric, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value numeric) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(numeric) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value numeric, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(numeric, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value numeric, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(numeric, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value numeric) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(numeric) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value numeric, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(numeric, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value numeric, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(numeric, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, float4) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, float4) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, float4, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, float4, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, float4, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_float4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, float4, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value float4) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(float4) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value float4, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(float4, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value float4, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(float4, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value float4) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(float4) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value float4, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(float4, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value float4, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(float4, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, float8) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, float8) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, float8, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, float8, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, float8, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, float8, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value float8) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(float8) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value float8, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(float8, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value float8, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(float8, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value float8) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(float8) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value float8, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(float8, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value float8, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(float8, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, bool) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, bool) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, bool, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, bool, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, bool, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_bool' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, bool, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value bool) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(bool) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value bool, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(bool, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value bool, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(bool, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value bool) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(bool) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value bool, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(bool, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value bool, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(bool, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, date) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, date) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, date, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, date, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, date, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_date' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, date, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value date) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(date) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value date, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(date, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value date, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(date, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value date) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(date) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value date, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(date, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value date, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(date, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, time) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, time) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, time, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, time, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, time, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_time' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, time, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value time) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(time) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value time, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(time, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value time, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(time, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value time) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(time) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value time, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(time, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value time, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(time, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, timestamp) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, timestamp) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, timestamp, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, timestamp, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, timestamp, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_timestamp' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, timestamp, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value timestamp) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(timestamp) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value timestamp, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(timestamp, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value timestamp, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(timestamp, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value timestamp) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(timestamp) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value timestamp, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(timestamp, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value timestamp, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(timestamp, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, timestamptz) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, timestamptz) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, timestamptz, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, timestamptz, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, timestamptz, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_timestamptz' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, timestamptz, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value timestamptz) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(timestamptz) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value timestamptz, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(timestamptz, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value timestamptz, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(timestamptz, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value timestamptz) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(timestamptz) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value timestamptz, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(timestamptz, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value timestamptz, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(timestamptz, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, interval) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, interval) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, interval, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, interval, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, interval, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, interval, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value interval) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(interval) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value interval, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(interval, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value interval, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(interval, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value interval) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(interval) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value interval, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(interval, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value interval, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(interval, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, jsonb) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, jsonb) IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, jsonb, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, jsonb, integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, jsonb, bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, jsonb, bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value jsonb) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(jsonb) IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value jsonb, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(jsonb, integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value jsonb, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg(jsonb, bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value jsonb) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(jsonb) IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value jsonb, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(jsonb, integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value jsonb, weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    COMBINEFUNC = topk_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k(jsonb, bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

CREATE FUNCTION topk_step(topk, "any") RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, "any") IS 'transition function of topk_agg and approx_top_k with the default k';

CREATE FUNCTION topk_step(topk, "any", integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, "any", integer) IS 'transition function of topk_agg and approx_top_k';

CREATE FUNCTION topk_step(topk, "any", bigint, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_step(topk, "any", bigint, integer) IS 'transition function of topk_agg and approx_top_k with weights';

CREATE AGGREGATE topk_agg(value "any") (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg("any") IS 'a sketch of the 20 most frequent values';

CREATE AGGREGATE topk_agg(value "any", k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg("any", integer) IS 'a sketch of the k most frequent values';

CREATE AGGREGATE topk_agg(value "any", weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE topk_agg("any", bigint, integer) IS 'a sketch of the k values of the largest sums of weights';

CREATE AGGREGATE approx_top_k(value "any") (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k("any") IS 'the 20 most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value "any", k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k("any", integer) IS 'the k most frequent values with their counts and errors, as a JSON array';

CREATE AGGREGATE approx_top_k(value "any", weight bigint, k integer) (
    SFUNC = topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = topk_final_json,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE approx_top_k("any", bigint, integer) IS 'the k values of the largest sums of weights with these and their errors, as a JSON array';

-- rollup: tables of sketches that keep themselves current (rollup.h)

-- ---------- internal ----------

CREATE FUNCTION _probds_rollup_insert() RETURNS trigger
    AS 'MODULE_PATHNAME', 'probds_rollup_insert' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION _probds_rollup_insert() IS 'internal: trigger that merges new rows of a rollup''s source';

CREATE FUNCTION _probds_rollup_change() RETURNS trigger
    AS 'MODULE_PATHNAME', 'probds_rollup_change' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION _probds_rollup_change() IS 'internal: trigger that notes changes of rows that a rollup has counted';

CREATE FUNCTION _probds_rollup_late() RETURNS trigger
    AS 'MODULE_PATHNAME', 'probds_rollup_late' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION _probds_rollup_late() IS 'internal: trigger that notes rows whose number a rollup has passed';

CREATE FUNCTION _probds_rollup_is_late(number bigint, rollup record) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_rollup_is_late' LANGUAGE C VOLATILE COST 2;
COMMENT ON FUNCTION _probds_rollup_is_late(bigint, record) IS 'internal: has the rollup with this table of progress passed a number?';

CREATE FUNCTION _probds_rollup_guard() RETURNS trigger
    AS 'MODULE_PATHNAME', 'probds_rollup_guard' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION _probds_rollup_guard() IS 'internal: trigger that lets only the rollup itself write into its table';

CREATE FUNCTION _probds_rollup_key(keys record) RETURNS uuid
    AS 'MODULE_PATHNAME', 'probds_rollup_key' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION _probds_rollup_key(record) IS 'internal: a hash of 128 bits that tells the groups of a rollup apart';

-- ---------- what users call ----------

CREATE FUNCTION probds_create_rollup(name text, source regclass, group_by text[], sketches text[],
                                     refresh text DEFAULT 'trigger', slots integer DEFAULT 1, backfill boolean DEFAULT true,
                                     if_not_exists boolean DEFAULT false, retention interval DEFAULT NULL) RETURNS regclass
    AS 'MODULE_PATHNAME', 'probds_create_rollup' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION probds_create_rollup(text, regclass, text[], text[], text, integer, boolean, boolean, interval) IS 'make a table of sketches of another table that keeps itself current, by a trigger or by refreshes from a column of numbers';

CREATE FUNCTION probds_create_rollup_view(name text, rollup regclass, group_by text[]) RETURNS regclass
    AS 'MODULE_PATHNAME', 'probds_create_rollup_view' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION probds_create_rollup_view(text, regclass, text[]) IS 'make a view of a rollup that merges its rows into coarser groups: weeks and months from days';

CREATE PROCEDURE probds_refresh_rollup(rollup regclass, batch bigint DEFAULT NULL)
    AS 'MODULE_PATHNAME', 'probds_refresh_rollup' LANGUAGE C;
COMMENT ON PROCEDURE probds_refresh_rollup(regclass, bigint) IS 'merge the rows that have come since the last refresh into a rollup, each exactly once';

CREATE FUNCTION probds_rebuild_rollup(rollup regclass) RETURNS void
    AS 'MODULE_PATHNAME', 'probds_rebuild_rollup' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_rebuild_rollup(regclass) IS 'make a rollup again from the rows that its source has now, after rows were changed or deleted';

CREATE FUNCTION probds_fold_rollup(rollup regclass) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_fold_rollup' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_fold_rollup(regclass) IS 'merge the slots of a rollup into one row a group, and delete groups beyond its retention; how many rows have gone';

CREATE FUNCTION probds_drop_rollup(name text) RETURNS void
    AS 'MODULE_PATHNAME', 'probds_drop_rollup' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_drop_rollup(text) IS 'remove a rollup and all that was made for it, also if parts of it are gone';

CREATE FUNCTION probds_rollups(OUT rollup regclass, OUT source regclass, OUT refresh text, OUT slots integer, OUT rows_behind bigint,
                               OUT last_refresh timestamp with time zone, OUT bytes bigint, OUT status text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_rollups' LANGUAGE C STABLE ROWS 10;
COMMENT ON FUNCTION probds_rollups() IS 'the rollups that the current user may read: source, how they are kept current, rows behind, size and status';

-- health: what the sketches in a database are, and whether they can be trusted

CREATE FUNCTION probds_health(sample_percent double precision DEFAULT 100,
                              OUT sketch_column text, OUT type text, OUT sketches bigint, OUT bytes bigint,
                              OUT parameters text, OUT fill double precision,
                              OUT false_positive_rate double precision, OUT error double precision,
                              OUT status text, OUT remark text)
    RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_health' LANGUAGE C STABLE STRICT ROWS 100;
COMMENT ON FUNCTION probds_health(double precision) IS 'one row for each column of sketches in this database: how many, bytes, parameters, the worst fill, rate and error, filters that are too full, values that are corrupt, parameters that do not go together';

-- The last statement of every script: the script fails if a name in it has found an object of
-- somebody else.  All that the extension's objects use belongs to the server (whose objects have no
-- rows in pg_depend), to the extension, or to an extension that it requires.
DO $$
DECLARE
    stranger record;
BEGIN
    -- from here on operators are the server's
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    SELECT e.extname, pg_catalog.concat(ours.type, ' ', ours.identity) AS ours,
        pg_catalog.concat(theirs.type, ' ', theirs.identity) AS theirs INTO stranger
    FROM pg_catalog.pg_extension e
    JOIN pg_catalog.pg_depend m ON m.refclassid = 'pg_extension'::pg_catalog.regclass
        AND m.refobjid = e.oid AND m.deptype = 'e'
    CROSS JOIN LATERAL (
        SELECT d.refclassid AS classid, d.refobjid AS objid FROM pg_catalog.pg_depend d
        WHERE d.classid = m.classid AND d.objid = m.objid
            AND d.refclassid NOT IN ('pg_extension'::pg_catalog.regclass,
                'pg_namespace'::pg_catalog.regclass)
        UNION ALL
        -- which the operator does not depend on
        SELECT m.classid, other FROM pg_catalog.pg_operator o
        CROSS JOIN LATERAL pg_catalog.unnest(ARRAY[o.oprcom, o.oprnegate]) AS other
        WHERE m.classid = 'pg_operator'::pg_catalog.regclass AND o.oid = m.objid AND other <> 0
    ) AS used
    CROSS JOIN LATERAL pg_catalog.pg_identify_object(m.classid, m.objid, 0) AS ours
    CROSS JOIN LATERAL pg_catalog.pg_identify_object(used.classid, used.objid, 0) AS theirs
    WHERE e.extname IN ('probds', 'probds_citext') AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_depend owner
        WHERE owner.classid = used.classid AND owner.objid = used.objid AND owner.deptype = 'e'
            AND (owner.refobjid = e.oid OR EXISTS (
                SELECT FROM pg_catalog.pg_depend required
                WHERE required.classid = owner.refclassid AND required.objid = e.oid
                    AND required.refclassid = owner.refclassid
                    AND required.refobjid = owner.refobjid)))
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'extension % cannot use %', stranger.extname, stranger.theirs
            USING ERRCODE = 'invalid_object_definition',
            DETAIL = pg_catalog.format('It is used by %1$s, but belongs neither to %2$s nor to an '
                'extension that %2$s requires.', stranger.ours, stranger.extname),
            HINT = 'Drop it, or create the extension in another schema.';
    END IF;
END $$;
