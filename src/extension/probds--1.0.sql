-- psql stops here; CREATE EXTENSION skips the line
\echo Use "CREATE EXTENSION probds" to load this file. \quit

-- Another extension can have a type of one of these names, such as hll
DO $$
DECLARE
    taken text;
BEGIN
    -- all is qualified and has its exact type: others may have made functions here
    SELECT pg_catalog.string_agg(pg_catalog.quote_ident(t.typname::pg_catalog.text),
                                 ', '::pg_catalog.text ORDER BY t.typname) INTO taken
    FROM pg_catalog.pg_type t
    JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) t.typnamespace
    WHERE n.nspname OPERATOR(pg_catalog.=) pg_catalog.current_schema()
        AND t.typname OPERATOR(pg_catalog.=) ANY (ARRAY['hll', 'bloom', 'cms', 'topk', 'cuckoo',
            'counting_bloom', 'scalable_bloom', 'minhash', 'ddsketch']::pg_catalog.name[]);
    IF taken IS NOT NULL THEN
        RAISE EXCEPTION 'schema % already has a type %',
            pg_catalog.quote_ident(pg_catalog.current_schema()::pg_catalog.text), taken
            USING ERRCODE = 'duplicate_object',
            DETAIL = 'probds has types of the same names.',
            HINT = 'Install it into another schema: CREATE SCHEMA probds; '
                'CREATE EXTENSION probds SCHEMA probds;';
    END IF;
END $$;

-- Citus splits only aggregates whose arguments have declared types
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_catalog.pg_extension
        WHERE extname OPERATOR(pg_catalog.=) 'citus'::pg_catalog.name) THEN
        -- during CREATE EXTENSION notices are off
        PERFORM pg_catalog.set_config('client_min_messages'::pg_catalog.text,
            'notice'::pg_catalog.text, true);
        RAISE NOTICE 'aggregates of probds cannot be split by Citus yet'
            USING HINT = 'Run CREATE EXTENSION probds_citus, which adds aggregates that can.';
        PERFORM pg_catalog.set_config('client_min_messages'::pg_catalog.text,
            'warning'::pg_catalog.text, true);
    END IF;
END $$;

-- ---------- the hash that all sketches share (doc/hashing.md) ----------

CREATE FUNCTION murmur3_x64_128(data bytea, seed bigint DEFAULT 0) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_murmur3_x64_128' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION murmur3_x64_128(bytea, bigint)
    IS 'MurmurHash3 x64_128 of a byte string: 16 bytes, both halves little-endian';

CREATE FUNCTION probds_hash(value text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION probds_hash(text)
    IS 'the hash of a value as all sketches use it: the first 64 bits of MurmurHash3 x64_128 of '
       'its canonical bytes';
CREATE FUNCTION probds_hash(value "any") RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION probds_hash("any")
    IS 'the hash of a value as all sketches use it: the first 64 bits of MurmurHash3 x64_128 of '
       'its canonical bytes';

-- ---------- a sketch in one line for people ----------

CREATE FUNCTION probds_describe(sketch "any") RETURNS text
    AS 'MODULE_PATHNAME', 'probds_describe' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe("any")
    IS 'what the sketch, of any type, is and says, in one line for people';

-- ---------- weights ----------

CREATE DOMAIN _probds_number AS double precision;
COMMENT ON DOMAIN _probds_number
    IS 'internal: a number in place of a weight, which is to be a bigint';

-- ---------- planner support ----------

CREATE FUNCTION _probds_add_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'probds_add_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION _probds_add_support(internal)
    IS 'internal: planner support for functions that add a value: in PL/pgSQL, s := X_add(s, v) '
       'changes s in place';
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
COMMENT ON TYPE hll
    IS 'HyperLogLog sketch: estimates the number of distinct values added; hll(14) has precision '
       '14';

-- ---------- casts ----------

CREATE FUNCTION hll_from_bytea(bytea) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_from_bytea(bytea) IS 'a sketch from its bytes, checked';
CREATE FUNCTION hll(hll, integer, boolean) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_typmod_cast' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll(hll, integer, boolean)
    IS 'enforces a type modifier; an explicit cast folds to it';
CREATE CAST (hll AS bytea) WITH FUNCTION hll_send(hll);
COMMENT ON CAST (hll AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS hll) WITH FUNCTION hll_from_bytea(bytea);
COMMENT ON CAST (bytea AS hll) IS 'a sketch from its bytes, checked';
CREATE CAST (hll AS hll) WITH FUNCTION hll(hll, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (hll AS hll) IS 'enforces a type modifier';

-- ---------- comparison ----------

-- The order is for sorting and merge joins; "<" would look as if it meant something
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
    AS 'MODULE_PATHNAME', 'probds_hll_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION hll_hash_extended(hll, bigint) IS 'seeded hash of the bytes';
CREATE OPERATOR = (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (hll, hll) IS 'same state: same precision, same values added';
CREATE OPERATOR <> (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (hll, hll) IS 'different state';
CREATE OPERATOR *< (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_lt, COMMUTATOR = *>,
    NEGATOR = *>=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (hll, hll) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_le, COMMUTATOR = *>=,
    NEGATOR = *>, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (hll, hll) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_gt, COMMUTATOR = *<,
    NEGATOR = *<=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (hll, hll) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_ge, COMMUTATOR = *<=,
    NEGATOR = *<, RESTRICT = scalargesel, JOIN = scalargejoinsel);
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
    OPERATOR 1 =, FUNCTION 1 hll_hash(hll),
    FUNCTION 2 hll_hash_extended(hll, bigint);
COMMENT ON OPERATOR CLASS hll_ops USING hash IS 'hll by bytes';

-- ---------- constructors and changes ----------

CREATE FUNCTION hll_empty(precision_bits integer DEFAULT 14) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_empty(integer)
    IS 'an empty sketch of 2^precision_bits registers, precision_bits 4 to 18';

CREATE FUNCTION hll_size(precision_bits integer DEFAULT 14, OUT registers integer,
    OUT error double precision, OUT bytes bigint)
    AS 'MODULE_PATHNAME', 'probds_hll_size' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_size(integer)
    IS 'the size and the relative standard error of a sketch of a precision, for planning';

CREATE FUNCTION hll_add_all(sketch hll, elements text) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_add_all(hll, text) IS 'the sketch with every element of an array';
CREATE FUNCTION hll_add_all(sketch hll, elements anyarray) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_add_all(hll, anyarray) IS 'the sketch with every element of an array';

CREATE FUNCTION hll_merge(sketch hll, other hll) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION hll_merge(hll, hll) IS 'the union of two sketches; NULL is ignored';

CREATE OPERATOR || (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (hll, hll) IS 'the union of two sketches';

CREATE FUNCTION hll_reduce(sketch hll, precision_bits integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_reduce' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_reduce(hll, integer)
    IS 'reduces a sketch to a lower precision, as if it had been built with that';

CREATE FUNCTION hll_add_hash(sketch hll, hash bigint) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add_hash' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_add_hash(hll, bigint)
    IS 'the sketch with one more value, given as a 64-bit hash computed elsewhere';

CREATE FUNCTION hll_add(sketch hll, value text) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION hll_add(hll, text) IS 'the sketch with one more value';
CREATE FUNCTION hll_add(sketch hll, value "any") RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION hll_add(hll, "any") IS 'the sketch with one more value';

-- ---------- queries ----------

CREATE FUNCTION hll_cardinality(sketch hll) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hll_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 50;
COMMENT ON FUNCTION hll_cardinality(hll) IS 'the estimated number of distinct values';

CREATE FUNCTION hll_error(sketch hll) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_hll_error' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION hll_error(hll)
    IS 'the relative standard error of hll_cardinality at the present fill';

CREATE FUNCTION hll_bounds(sketch hll, confidence double precision DEFAULT 0.95, OUT lower bigint,
    OUT estimate bigint, OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_hll_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION hll_bounds(hll, double precision)
    IS 'the estimated number of distinct values with its confidence interval';

CREATE FUNCTION hll_info(sketch hll, OUT precision_bits integer, OUT registers integer,
    OUT encoding text, OUT kind text, OUT family text, OUT bytes integer, OUT fill double precision,
    OUT cardinality bigint, OUT error double precision)
    AS 'MODULE_PATHNAME', 'probds_hll_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION hll_info(hll)
    IS 'parameters, encoding, size, fill and error of a sketch, one row';

CREATE FUNCTION hll_union_cardinality(sketch hll, other hll) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hll_union_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 5000;
COMMENT ON FUNCTION hll_union_cardinality(hll, hll)
    IS 'the estimated number of distinct values in either sketch, by joint maximum likelihood';

CREATE FUNCTION hll_union_cardinality(sketches hll[]) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hll_union_cardinality_of_many' LANGUAGE C IMMUTABLE STRICT
    PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION hll_union_cardinality(hll[])
    IS 'the estimated number of distinct values in any of the sketches';

CREATE FUNCTION hll_intersection_cardinality(sketch hll, other hll) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hll_intersection_cardinality'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION hll_intersection_cardinality(hll, hll)
    IS 'the estimated number of distinct values in both sketches, by joint maximum likelihood; '
       'NULL if indistinguishable from 0';

CREATE FUNCTION hll_intersection_bounds(sketch hll, other hll,
    confidence double precision DEFAULT 0.95, OUT lower bigint, OUT estimate bigint,
    OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_hll_intersection_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 5000;
COMMENT ON FUNCTION hll_intersection_bounds(hll, hll, double precision)
    IS 'the estimated number of distinct values in both sketches with its confidence interval';

CREATE FUNCTION hll_difference_cardinality(sketch hll, other hll) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hll_difference_cardinality' LANGUAGE C IMMUTABLE STRICT
    PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION hll_difference_cardinality(hll, hll)
    IS 'the estimated number of distinct values in sketch that are not in other, by joint '
       'maximum likelihood';

CREATE FUNCTION hll_difference_bounds(sketch hll, other hll,
    confidence double precision DEFAULT 0.95, OUT lower bigint, OUT estimate bigint,
    OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_hll_difference_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 5000;
COMMENT ON FUNCTION hll_difference_bounds(hll, hll, double precision)
    IS 'the estimated number of distinct values in sketch that are not in other with its '
       'confidence interval';

CREATE FUNCTION hll_jaccard(sketch hll, other hll) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_hll_jaccard' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION hll_jaccard(hll, hll)
    IS 'the Jaccard index: the share of the union that is in both, 0 to 1; NULL if '
       'indistinguishable from 0';

CREATE OPERATOR # (RIGHTARG = hll, FUNCTION = hll_cardinality);
COMMENT ON OPERATOR # (NONE, hll) IS 'the estimated number of distinct values';

-- What people try.  With bigint in place of the domain, 'text' || bigint would read the text as an
-- hll.
CREATE FUNCTION _hll_no_operator(hll, hll) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_no_operator' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _hll_no_operator(hll, hll)
    IS 'internal: an error that names the function to call';
CREATE OPERATOR - (LEFTARG = hll, RIGHTARG = hll, FUNCTION = _hll_no_operator);
COMMENT ON OPERATOR - (hll, hll) IS 'an error that names hll_difference_cardinality()';
CREATE OPERATOR & (LEFTARG = hll, RIGHTARG = hll, FUNCTION = _hll_no_operator);
COMMENT ON OPERATOR & (hll, hll) IS 'an error that names hll_intersection_cardinality()';
CREATE FUNCTION _hll_refuse_value(hll, _probds_number) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_refuse_value' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _hll_refuse_value(hll, _probds_number)
    IS 'internal: an error that says what to write';
CREATE OPERATOR - (LEFTARG = hll, RIGHTARG = _probds_number, FUNCTION = _hll_refuse_value);
COMMENT ON OPERATOR - (hll, _probds_number)
    IS 'an error that says where parentheses are missing';
CREATE OPERATOR || (LEFTARG = hll, RIGHTARG = _probds_number, FUNCTION = _hll_refuse_value);
COMMENT ON OPERATOR || (hll, _probds_number) IS 'an error that names hll_add()';

-- ---------- other systems ----------

CREATE FUNCTION hll_from_storage_v1(sketch bytea, value_type regtype DEFAULT NULL) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_from_storage_v1' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_from_storage_v1(bytea, regtype)
    IS 'imports a sketch of postgresql-hll (storage specification v1.0.0), with the type of its '
       'values if more are to be added';

CREATE FUNCTION hll_to_storage_v1(sketch hll, log2m integer DEFAULT NULL,
    regwidth integer DEFAULT 5, expthresh bigint DEFAULT -1, sparseon integer DEFAULT 1)
    RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_hll_to_storage_v1' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_to_storage_v1(hll, integer, integer, bigint, integer)
    IS 'exports a sketch to postgresql-hll (storage specification v1.0.0)';

CREATE FUNCTION hll_from_redis(sketch bytea, value_type regtype DEFAULT 'text') RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_from_redis' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_from_redis(bytea, regtype)
    IS 'imports a HyperLogLog string of Redis; its strings are text or bytea';

CREATE FUNCTION hll_to_redis(sketch hll) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_hll_to_redis' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_to_redis(hll)
    IS 'exports a sketch that came from Redis as a HyperLogLog string';

CREATE FUNCTION hll_from_datasketches(sketch bytea, value_type regtype DEFAULT NULL) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_from_datasketches' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION hll_from_datasketches(bytea, regtype)
    IS 'imports an HLL sketch of Apache DataSketches, with the type of its values if more are to '
       'be added';

CREATE FUNCTION hll_to_datasketches(sketch hll) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_hll_to_datasketches' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION hll_to_datasketches(hll)
    IS 'exports a sketch that came from Apache DataSketches as an HLL_8';

-- ---------- aggregates ----------

CREATE FUNCTION _hll_final(hll) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION _hll_final(hll) IS 'internal: final function of hll_agg and hll_merge_agg';

CREATE AGGREGATE hll_merge_agg(hll) (
    SFUNC = hll_merge, STYPE = hll, SSPACE = 8192, FINALFUNC = _hll_final,
    COMBINEFUNC = hll_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE hll_merge_agg(hll) IS 'the union of all sketches';

CREATE FUNCTION _hll_hash_step(hll, bigint) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_hash' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _hll_hash_step(hll, bigint) IS 'internal: transition function of hll_agg_hash';
CREATE FUNCTION _hll_hash_step(hll, bigint, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_hash' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _hll_hash_step(hll, bigint, integer)
    IS 'internal: transition function of hll_agg_hash with a precision';

CREATE AGGREGATE hll_agg_hash(hash bigint) (
    SFUNC = _hll_hash_step, STYPE = hll, SSPACE = 512, FINALFUNC = _hll_final,
    COMBINEFUNC = hll_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE hll_agg_hash(bigint)
    IS 'a sketch of values, given as 64-bit hashes computed elsewhere, precision 14';
CREATE AGGREGATE hll_agg_hash(hash bigint, precision_bits integer) (
    SFUNC = _hll_hash_step, STYPE = hll, SSPACE = 512, FINALFUNC = _hll_final,
    COMBINEFUNC = hll_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE hll_agg_hash(bigint, integer)
    IS 'a sketch of values, given as 64-bit hashes computed elsewhere, of a given precision';

CREATE FUNCTION _hll_final_count(hll) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hll_final_count' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION _hll_final_count(hll) IS 'internal: final function of approx_count_distinct';

CREATE FUNCTION _hll_step(hll, "any") RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _hll_step(hll, "any")
    IS 'internal: transition function of hll_agg and approx_count_distinct';
CREATE FUNCTION _hll_step(hll, "any", integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _hll_step(hll, "any", integer)
    IS 'internal: transition function of hll_agg and approx_count_distinct with a precision';

CREATE AGGREGATE hll_agg(value "any") (
    SFUNC = _hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = _hll_final,
    COMBINEFUNC = hll_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE hll_agg("any") IS 'a sketch of the values, precision 14';
CREATE AGGREGATE hll_agg(value "any", precision_bits integer) (
    SFUNC = _hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = _hll_final,
    COMBINEFUNC = hll_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE hll_agg("any", integer)
    IS 'a sketch of the values of a given precision, 4 to 18';

CREATE AGGREGATE approx_count_distinct(value "any") (
    SFUNC = _hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = _hll_final_count,
    COMBINEFUNC = hll_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE approx_count_distinct("any")
    IS 'the estimated number of distinct values, by hll_agg at precision 14';
CREATE AGGREGATE approx_count_distinct(value "any", precision_bits integer) (
    SFUNC = _hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = _hll_final_count,
    COMBINEFUNC = hll_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE approx_count_distinct("any", integer)
    IS 'the estimated number of distinct values, by hll_agg at a given precision';
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
COMMENT ON FUNCTION bloom_typmod_in(cstring[])
    IS 'type modifier input: capacity, false-positive rate and layout';
CREATE FUNCTION bloom_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_bloom_typmod_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_typmod_out(integer) IS 'type modifier output';
CREATE TYPE bloom (
    INPUT = bloom_in, OUTPUT = bloom_out, RECEIVE = bloom_recv, SEND = bloom_send,
    TYPMOD_IN = bloom_typmod_in, TYPMOD_OUT = bloom_typmod_out,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external, CATEGORY = b, PREFERRED = true
);
COMMENT ON TYPE bloom
    IS 'Bloom filter: tells whether a value was added; bloom(1000000, 0.01) is for a million '
       'values at a false-positive rate of 1 %';

-- ---------- casts ----------

CREATE FUNCTION bloom_from_bytea(bytea) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_from_bytea(bytea) IS 'a sketch from its bytes, checked';
CREATE FUNCTION bloom(bloom, integer, boolean) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_typmod_cast' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom(bloom, integer, boolean)
    IS 'enforces a type modifier; an explicit cast folds to it';
CREATE CAST (bloom AS bytea) WITH FUNCTION bloom_send(bloom);
COMMENT ON CAST (bloom AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS bloom) WITH FUNCTION bloom_from_bytea(bytea);
COMMENT ON CAST (bytea AS bloom) IS 'a sketch from its bytes, checked';
CREATE CAST (bloom AS bloom) WITH FUNCTION bloom(bloom, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (bloom AS bloom) IS 'enforces a type modifier';

-- ---------- comparison ----------

-- The order is for sorting and merge joins; "<" would look as if it meant something
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
    AS 'MODULE_PATHNAME', 'probds_bloom_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION bloom_hash_extended(bloom, bigint) IS 'seeded hash of the bytes';
CREATE OPERATOR = (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_eq, COMMUTATOR = =,
    NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (bloom, bloom) IS 'same state: same shape, same bits set';
CREATE OPERATOR <> (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_ne, COMMUTATOR = <>,
    NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (bloom, bloom) IS 'different state';
CREATE OPERATOR *< (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_lt, COMMUTATOR = *>,
    NEGATOR = *>=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (bloom, bloom) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_le, COMMUTATOR = *>=,
    NEGATOR = *>, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (bloom, bloom) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_gt, COMMUTATOR = *<,
    NEGATOR = *<=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (bloom, bloom) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_ge, COMMUTATOR = *<=,
    NEGATOR = *<, RESTRICT = scalargesel, JOIN = scalargejoinsel);
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
    OPERATOR 1 =, FUNCTION 1 bloom_hash(bloom),
    FUNCTION 2 bloom_hash_extended(bloom, bigint);
COMMENT ON OPERATOR CLASS bloom_ops USING hash IS 'bloom by bytes';

-- ---------- constructors and changes ----------

CREATE FUNCTION bloom_empty(capacity double precision,
    false_positive_rate double precision DEFAULT 0.01, layout text DEFAULT 'blocked') RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_empty(double precision, double precision, text)
    IS 'an empty filter for a number of values and a false-positive rate; the layout is blocked, '
       'classic, or guava (classic in the size that Guava uses)';

CREATE FUNCTION bloom_size(capacity double precision,
    false_positive_rate double precision DEFAULT 0.01, layout text DEFAULT 'blocked',
    OUT bits bigint, OUT hashes integer, OUT bytes bigint, OUT bits_per_value double precision)
    AS 'MODULE_PATHNAME', 'probds_bloom_size' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION bloom_size(double precision, double precision, text)
    IS 'the size of a filter for a number of values and a false-positive rate, for planning';

CREATE FUNCTION bloom_add_all(sketch bloom, elements text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_add_all(bloom, text) IS 'the sketch with every element of an array';
CREATE FUNCTION bloom_add_all(sketch bloom, elements anyarray) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_add_all(bloom, anyarray) IS 'the sketch with every element of an array';

CREATE FUNCTION bloom_merge(sketch bloom, other bloom) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION bloom_merge(bloom, bloom) IS 'the union of two sketches; NULL is ignored';

CREATE OPERATOR || (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (bloom, bloom) IS 'the union of two sketches';

CREATE FUNCTION bloom_intersect(sketch bloom, other bloom) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_intersect' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION bloom_intersect(bloom, bloom)
    IS 'the bits set in both filters: a filter of the common values, with more false positives '
       'than if it was built from these';

CREATE OPERATOR & (LEFTARG = bloom, RIGHTARG = bloom, FUNCTION = bloom_intersect, COMMUTATOR = &);
COMMENT ON OPERATOR & (bloom, bloom) IS 'the intersection of two filters';

CREATE FUNCTION bloom_add(sketch bloom, value text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION bloom_add(bloom, text) IS 'the sketch with one more value';
CREATE FUNCTION bloom_add(sketch bloom, value "any") RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION bloom_add(bloom, "any") IS 'the sketch with one more value';

-- ---------- queries ----------

CREATE FUNCTION _bloom_contains_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'probds_bloom_contains_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION _bloom_contains_support(internal)
    IS 'internal: planner support for bloom_contains and _bloom_contained: estimates the share '
       'of rows that pass';

-- The estimator of the operators.  It must not be matchingsel, which calls an operator for the
-- statistics of a column without the expression tree from which "any" learns the type of a value.
CREATE FUNCTION _bloom_contains_sel(internal, oid, internal, integer) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_bloom_contains_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION _bloom_contains_sel(internal, oid, internal, integer)
    IS 'internal: restriction selectivity of @> and <@ with a bloom filter';

CREATE FUNCTION bloom_contains_any(sketch bloom, elements text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contains_any' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 50;
COMMENT ON FUNCTION bloom_contains_any(bloom, text)
    IS 'whether any element of the array was added; NULL elements are skipped, false for an '
       'empty array';
CREATE FUNCTION bloom_contains_any(sketch bloom, elements anyarray) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contains_any' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 50;
COMMENT ON FUNCTION bloom_contains_any(bloom, anyarray)
    IS 'whether any element of the array was added; NULL elements are skipped, false for an '
       'empty array';

CREATE FUNCTION bloom_contains_all(sketch bloom, elements text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contains_all' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 50;
COMMENT ON FUNCTION bloom_contains_all(bloom, text)
    IS 'whether every element of the array was added; NULL elements are skipped, true for an '
       'empty array';
CREATE FUNCTION bloom_contains_all(sketch bloom, elements anyarray) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contains_all' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 50;
COMMENT ON FUNCTION bloom_contains_all(bloom, anyarray)
    IS 'whether every element of the array was added; NULL elements are skipped, true for an '
       'empty array';

CREATE FUNCTION bloom_cardinality(sketch bloom) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_bloom_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION bloom_cardinality(bloom)
    IS 'the estimated number of distinct values, from the fill';

CREATE FUNCTION bloom_false_positive_rate(sketch bloom) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_bloom_false_positive_rate'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_false_positive_rate(bloom)
    IS 'the present false-positive rate: the share of values never added that the filter claims '
       'to hold';

CREATE FUNCTION bloom_info(sketch bloom, OUT layout text, OUT bits bigint, OUT hashes integer,
    OUT capacity bigint, OUT items bigint, OUT fill double precision,
    OUT false_positive_rate double precision, OUT promised_rate double precision, OUT kind text,
    OUT family text, OUT bytes integer, OUT encoding text, OUT status text)
    AS 'MODULE_PATHNAME', 'probds_bloom_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_info(bloom)
    IS 'parameters, fill, rates, size and status (ok, nearly full, over capacity) of a filter, '
       'one row';

CREATE FUNCTION bloom_contains(sketch bloom, value text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
    SUPPORT _bloom_contains_support;
COMMENT ON FUNCTION bloom_contains(bloom, text)
    IS 'whether the value was added: "no" is certain, "yes" is wrong at the false-positive rate';

CREATE FUNCTION _bloom_contained(value text, sketch bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contained' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
    SUPPORT _bloom_contains_support;
COMMENT ON FUNCTION _bloom_contained(text, bloom)
    IS 'internal: same as bloom_contains, with the arguments swapped';

CREATE OPERATOR @> (LEFTARG = bloom, RIGHTARG = text, FUNCTION = bloom_contains, COMMUTATOR = <@,
    RESTRICT = _bloom_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (bloom, text) IS 'whether the value was added';

CREATE OPERATOR <@ (LEFTARG = text, RIGHTARG = bloom, FUNCTION = _bloom_contained, COMMUTATOR = @>,
    RESTRICT = _bloom_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ (text, bloom) IS 'whether the value was added';

CREATE FUNCTION bloom_contains(sketch bloom, value "any") RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
    SUPPORT _bloom_contains_support;
COMMENT ON FUNCTION bloom_contains(bloom, "any")
    IS 'whether the value was added: "no" is certain, "yes" is wrong at the false-positive rate';

CREATE FUNCTION _bloom_contained(value "any", sketch bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_bloom_contained' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10
    SUPPORT _bloom_contains_support;
COMMENT ON FUNCTION _bloom_contained("any", bloom)
    IS 'internal: same as bloom_contains, with the arguments swapped';

CREATE OPERATOR @> (LEFTARG = bloom, RIGHTARG = "any", FUNCTION = bloom_contains, COMMUTATOR = <@,
    RESTRICT = _bloom_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (bloom, "any") IS 'whether the value was added';

CREATE OPERATOR <@ (LEFTARG = "any", RIGHTARG = bloom, FUNCTION = _bloom_contained, COMMUTATOR = @>,
    RESTRICT = _bloom_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ ("any", bloom) IS 'whether the value was added';

-- ---------- other systems ----------

CREATE FUNCTION bloom_from_guava(sketch bytea, value_type regtype DEFAULT NULL) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_from_guava' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_from_guava(bytea, regtype)
    IS 'imports a BloomFilter of Guava, with the type of its values (bigint, text or bytea) if '
       'it is to be queried';

CREATE FUNCTION bloom_to_guava(sketch bloom) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_bloom_to_guava' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION bloom_to_guava(bloom)
    IS 'exports a filter of layout classic, or from Guava, as a BloomFilter of Guava';

CREATE FUNCTION bloom_from_redis(sketch bytea, value_type regtype DEFAULT 'text') RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_from_redis' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_from_redis(bytea, regtype)
    IS 'imports the whole output of BF.SCANDUMP of RedisBloom, concatenated; strings are text or '
       'bytea';

CREATE FUNCTION bloom_to_redis(sketch bloom, expansion integer DEFAULT 2) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_bloom_to_redis' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION bloom_to_redis(bloom, integer)
    IS 'exports a filter that came from RedisBloom for BF.LOADCHUNK: a head of 73 bytes, then '
       'data; expansion 0 is NONSCALING';

CREATE FUNCTION bloom_from_parquet(sketch bytea, value_type regtype) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_from_parquet' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION bloom_from_parquet(bytea, regtype)
    IS 'imports the Bloom filter of an Apache Parquet column with its header; the type of the '
       'values is bigint, integer, text, bytea or uuid';

CREATE FUNCTION bloom_to_parquet(sketch bloom) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_bloom_to_parquet' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION bloom_to_parquet(bloom)
    IS 'exports a filter that came from Apache Parquet, with its header';

-- ---------- aggregates ----------

CREATE FUNCTION _bloom_final(bloom) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION _bloom_final(bloom)
    IS 'internal: final function of bloom_agg and bloom_merge_agg';

CREATE AGGREGATE bloom_merge_agg(bloom) (
    SFUNC = bloom_merge, STYPE = bloom, SSPACE = 8192, FINALFUNC = _bloom_final,
    COMBINEFUNC = bloom_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE bloom_merge_agg(bloom) IS 'the union of all sketches';

CREATE FUNCTION _bloom_intersect_step(bloom, bloom) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_intersect_step' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION _bloom_intersect_step(bloom, bloom)
    IS 'internal: transition and combine function of bloom_intersect_agg';

CREATE AGGREGATE bloom_intersect_agg(bloom) (
    SFUNC = _bloom_intersect_step, STYPE = bloom, SSPACE = 8192, FINALFUNC = _bloom_final,
    COMBINEFUNC = _bloom_intersect_step, PARALLEL = SAFE);
COMMENT ON AGGREGATE bloom_intersect_agg(bloom)
    IS 'the intersection of all filters; NULLs are skipped';

CREATE FUNCTION _bloom_step(bloom, "any") RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _bloom_step(bloom, "any") IS 'internal: transition function of bloom_agg';
CREATE FUNCTION _bloom_step(bloom, "any", double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _bloom_step(bloom, "any", double precision)
    IS 'internal: transition function of bloom_agg with a capacity';
CREATE FUNCTION _bloom_step(bloom, "any", double precision, double precision) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _bloom_step(bloom, "any", double precision, double precision)
    IS 'internal: transition function of bloom_agg with a capacity and a false-positive rate';
CREATE FUNCTION _bloom_step(bloom, "any", double precision, double precision, text) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_bloom_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _bloom_step(bloom, "any", double precision, double precision, text)
    IS 'internal: transition function of bloom_agg with a capacity, a false-positive rate and a '
       'layout';

-- The states of one without a capacity cannot be merged: it has no combine function
CREATE AGGREGATE bloom_agg(value "any") (
    SFUNC = _bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = _bloom_final, PARALLEL = SAFE);
COMMENT ON AGGREGATE bloom_agg("any")
    IS 'a filter of the values, sized for their number, at a false-positive rate of 1 %';
CREATE AGGREGATE bloom_agg(value "any", capacity double precision) (
    SFUNC = _bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = _bloom_final,
    COMBINEFUNC = bloom_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE bloom_agg("any", double precision)
    IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';
CREATE AGGREGATE bloom_agg(value "any", capacity double precision,
    false_positive_rate double precision) (
    SFUNC = _bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = _bloom_final,
    COMBINEFUNC = bloom_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE bloom_agg("any", double precision, double precision)
    IS 'a filter of the values for a given capacity and false-positive rate';
CREATE AGGREGATE bloom_agg(value "any", capacity double precision,
    false_positive_rate double precision, layout text) (
    SFUNC = _bloom_step, STYPE = bloom, SSPACE = 2048, FINALFUNC = _bloom_final,
    COMBINEFUNC = bloom_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE bloom_agg("any", double precision, double precision, text)
    IS 'a filter of the values for a given capacity, false-positive rate and layout, blocked or '
       'classic';
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
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external, CATEGORY = c, PREFERRED = true
);
COMMENT ON TYPE cms
    IS 'Count-Min sketch: estimates how often each value was added. Estimates of cms(0.001, '
       '0.01) are too high by at most 0.1 % of the sum of all weights, 99 % of the time';

-- ---------- casts ----------

CREATE FUNCTION cms_from_bytea(bytea) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_from_bytea(bytea) IS 'a sketch from its bytes, checked';
CREATE FUNCTION cms(cms, integer, boolean) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_typmod_cast' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms(cms, integer, boolean)
    IS 'enforces a type modifier; an explicit cast folds to it';
CREATE CAST (cms AS bytea) WITH FUNCTION cms_send(cms);
COMMENT ON CAST (cms AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS cms) WITH FUNCTION cms_from_bytea(bytea);
COMMENT ON CAST (bytea AS cms) IS 'a sketch from its bytes, checked';
CREATE CAST (cms AS cms) WITH FUNCTION cms(cms, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (cms AS cms) IS 'enforces a type modifier';

-- ---------- comparison ----------

-- The order is for sorting and merge joins; "<" would look as if it meant something
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
    AS 'MODULE_PATHNAME', 'probds_cms_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION cms_hash_extended(cms, bigint) IS 'seeded hash of the bytes';
CREATE OPERATOR = (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_eq, COMMUTATOR = =, NEGATOR = <>,
    RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (cms, cms) IS 'same state: same shape, same counters';
CREATE OPERATOR <> (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_ne, COMMUTATOR = <>, NEGATOR = =,
    RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (cms, cms) IS 'different state';
CREATE OPERATOR *< (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_lt, COMMUTATOR = *>,
    NEGATOR = *>=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (cms, cms) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_le, COMMUTATOR = *>=,
    NEGATOR = *>, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (cms, cms) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_gt, COMMUTATOR = *<,
    NEGATOR = *<=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (cms, cms) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_ge, COMMUTATOR = *<=,
    NEGATOR = *<, RESTRICT = scalargesel, JOIN = scalargejoinsel);
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
    OPERATOR 1 =, FUNCTION 1 cms_hash(cms),
    FUNCTION 2 cms_hash_extended(cms, bigint);
COMMENT ON OPERATOR CLASS cms_ops USING hash IS 'cms by bytes';

-- ---------- constructors and changes ----------

CREATE FUNCTION cms_empty(epsilon double precision DEFAULT 0.001,
    delta double precision DEFAULT 0.01, conservative boolean DEFAULT false) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_empty(double precision, double precision, boolean)
    IS 'an empty sketch for a relative error of epsilon with a probability of 1 - delta, plain '
       'or with conservative update';

CREATE FUNCTION cms_size(epsilon double precision DEFAULT 0.001,
    delta double precision DEFAULT 0.01, OUT width integer, OUT depth integer, OUT bytes bigint,
    OUT filled_bytes bigint)
    AS 'MODULE_PATHNAME', 'probds_cms_size' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cms_size(double precision, double precision)
    IS 'the size of a sketch of this epsilon and delta: at most, and while no counter is above '
       '4,294,967,295; for planning';

CREATE FUNCTION cms_add_all(sketch cms, elements text) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cms_add_all(cms, text) IS 'the sketch with every element of an array';
CREATE FUNCTION cms_add_all(sketch cms, elements anyarray) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cms_add_all(cms, anyarray) IS 'the sketch with every element of an array';

CREATE FUNCTION cms_merge(sketch cms, other cms) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION cms_merge(cms, cms) IS 'the union of two sketches; NULL is ignored';

CREATE OPERATOR || (LEFTARG = cms, RIGHTARG = cms, FUNCTION = cms_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (cms, cms) IS 'the union of two sketches';

CREATE FUNCTION cms_subtract(sketch cms, other cms) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_subtract' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cms_subtract(cms, cms)
    IS 'subtracts the second sketch, such as an earlier state, from the first';

CREATE FUNCTION cms_add(sketch cms, value text, weight bigint DEFAULT 1) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION cms_add(cms, text, bigint)
    IS 'the sketch with a value added a number of times; a negative count removes it';
CREATE FUNCTION cms_add(sketch cms, value "any", weight bigint DEFAULT 1) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION cms_add(cms, "any", bigint)
    IS 'the sketch with a value added a number of times; a negative count removes it';

-- A function over these two domains is the parser's last choice: their base types fit better, and
-- of a literal or a parameter without a type it prefers cms.
CREATE DOMAIN _cms_last AS cms;
COMMENT ON DOMAIN _cms_last IS 'internal: a cms, beside a weight that is no bigint';
CREATE FUNCTION cms_add(sketch _cms_last, value "any", weight _probds_number) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_refuse_weight' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION cms_add(_cms_last, "any", _probds_number)
    IS 'an error for a weight that is no bigint, which says how to write one';

-- ---------- queries ----------

CREATE FUNCTION cms_frequencies(sketch cms, elements text) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'probds_cms_frequencies' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 200;
COMMENT ON FUNCTION cms_frequencies(cms, text)
    IS 'the estimated frequency of each element of an array';
CREATE FUNCTION cms_frequencies(sketch cms, elements anyarray) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'probds_cms_frequencies' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 200;
COMMENT ON FUNCTION cms_frequencies(cms, anyarray)
    IS 'the estimated frequency of each element of an array';

CREATE FUNCTION cms_total(sketch cms) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_total' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION cms_total(cms) IS 'the sum of all weights';

CREATE FUNCTION cms_error(sketch cms) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_cms_error' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION cms_error(cms)
    IS 'the largest error of a frequency, as a share of the sum of all weights, with a '
       'probability of 1 - delta';

CREATE FUNCTION cms_inner_product(sketch cms, other cms) RETURNS numeric
    AS 'MODULE_PATHNAME', 'probds_cms_inner_product' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 2000;
COMMENT ON FUNCTION cms_inner_product(cms, cms)
    IS 'the estimated number of rows of a join on the values, never too low';

CREATE FUNCTION cms_info(sketch cms, OUT epsilon double precision, OUT delta double precision,
    OUT width integer, OUT depth integer, OUT conservative boolean, OUT encoding text,
    OUT counter_bytes integer, OUT kind text, OUT family text, OUT bytes integer, OUT total bigint,
    OUT fill double precision, OUT error double precision)
    AS 'MODULE_PATHNAME', 'probds_cms_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION cms_info(cms)
    IS 'parameters, encoding, size, total, fill and error of a sketch, one row';

CREATE FUNCTION cms_frequency(sketch cms, value text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION cms_frequency(cms, text)
    IS 'the estimated frequency of the value: never too low, seldom too high by more than '
       'cms_error * cms_total';
CREATE FUNCTION cms_frequency(sketch cms, value "any") RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION cms_frequency(cms, "any")
    IS 'the estimated frequency of the value: never too low, seldom too high by more than '
       'cms_error * cms_total';

CREATE FUNCTION cms_bounds(sketch cms, value text, OUT lower bigint, OUT estimate bigint,
    OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_cms_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION cms_bounds(cms, text)
    IS 'the estimated frequency of the value with bounds: at most upper, and at least lower with '
       'a probability of 1 - delta';
CREATE FUNCTION cms_bounds(sketch cms, value "any", OUT lower bigint, OUT estimate bigint,
    OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_cms_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION cms_bounds(cms, "any")
    IS 'the estimated frequency of the value with bounds: at most upper, and at least lower with '
       'a probability of 1 - delta';

CREATE OPERATOR -> (LEFTARG = cms, RIGHTARG = text, FUNCTION = cms_frequency);
COMMENT ON OPERATOR -> (cms, text) IS 'the estimated frequency of the value';
CREATE OPERATOR -> (LEFTARG = cms, RIGHTARG = "any", FUNCTION = cms_frequency);
COMMENT ON OPERATOR -> (cms, "any") IS 'the estimated frequency of the value';

-- ---------- aggregates ----------

CREATE FUNCTION _cms_final(cms) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION _cms_final(cms) IS 'internal: final function of cms_agg and cms_merge_agg';

CREATE AGGREGATE cms_merge_agg(cms) (
    SFUNC = cms_merge, STYPE = cms, SSPACE = 16384, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE cms_merge_agg(cms) IS 'the union of all sketches';

CREATE FUNCTION _cms_step(cms, "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_step(cms, "any") IS 'internal: transition function of cms_agg';
CREATE FUNCTION _cms_step(cms, "any", double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_step(cms, "any", double precision)
    IS 'internal: transition function of cms_agg';
CREATE FUNCTION _cms_step(cms, "any", double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_step(cms, "any", double precision, double precision)
    IS 'internal: transition function of cms_agg';

CREATE FUNCTION _cms_weighted_step(cms, "any", "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_weighted_step(cms, "any", "any")
    IS 'internal: transition function of cms_agg_weighted';
CREATE FUNCTION _cms_weighted_step(cms, "any", "any", double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_weighted_step(cms, "any", "any", double precision)
    IS 'internal: transition function of cms_agg_weighted';
CREATE FUNCTION _cms_weighted_step(cms, "any", "any", double precision, double precision)
    RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_weighted_step(cms, "any", "any", double precision, double precision)
    IS 'internal: transition function of cms_agg_weighted';

CREATE FUNCTION _cms_inverse_step(cms, "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_inverse_step(cms, "any")
    IS 'internal: inverse transition function of cms_agg';
CREATE FUNCTION _cms_inverse_step(cms, "any", double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_inverse_step(cms, "any", double precision)
    IS 'internal: inverse transition function of cms_agg';
CREATE FUNCTION _cms_inverse_step(cms, "any", double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_inverse_step(cms, "any", double precision, double precision)
    IS 'internal: inverse transition function of cms_agg';

CREATE FUNCTION _cms_inverse_weighted_step(cms, "any", "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_inverse_weighted_step(cms, "any", "any")
    IS 'internal: inverse transition function of cms_agg_weighted';
CREATE FUNCTION _cms_inverse_weighted_step(cms, "any", "any", double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_inverse_weighted_step(cms, "any", "any", double precision)
    IS 'internal: inverse transition function of cms_agg_weighted';
CREATE FUNCTION _cms_inverse_weighted_step(cms, "any", "any", double precision, double precision)
    RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_inverse_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_inverse_weighted_step(cms, "any", "any", double precision,
    double precision)
    IS 'internal: inverse transition function of cms_agg_weighted';

CREATE FUNCTION _cms_conservative_step(cms, "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_conservative_step(cms, "any")
    IS 'internal: transition function of cms_agg_conservative';
CREATE FUNCTION _cms_conservative_step(cms, "any", double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_conservative_step(cms, "any", double precision)
    IS 'internal: transition function of cms_agg_conservative';
CREATE FUNCTION _cms_conservative_step(cms, "any", double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_conservative_step(cms, "any", double precision, double precision)
    IS 'internal: transition function of cms_agg_conservative';

CREATE FUNCTION _cms_conservative_weighted_step(cms, "any", "any") RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_conservative_weighted_step(cms, "any", "any")
    IS 'internal: transition function of cms_agg_conservative_weighted';
CREATE FUNCTION _cms_conservative_weighted_step(cms, "any", "any", double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_conservative_weighted_step(cms, "any", "any", double precision)
    IS 'internal: transition function of cms_agg_conservative_weighted';
CREATE FUNCTION _cms_conservative_weighted_step(cms, "any", "any", double precision,
    double precision) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_conservative_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cms_conservative_weighted_step(cms, "any", "any", double precision,
    double precision)
    IS 'internal: transition function of cms_agg_conservative_weighted';

CREATE AGGREGATE cms_agg(value "any") (
    SFUNC = _cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE, MSFUNC = _cms_step, MINVFUNC = _cms_inverse_step,
    MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = _cms_final);
COMMENT ON AGGREGATE cms_agg("any")
    IS 'a sketch of how often each value occurs, of epsilon 0.001 and delta 0.01';
CREATE AGGREGATE cms_agg(value "any", epsilon double precision) (
    SFUNC = _cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE, MSFUNC = _cms_step, MINVFUNC = _cms_inverse_step,
    MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = _cms_final);
COMMENT ON AGGREGATE cms_agg("any", double precision)
    IS 'a sketch of how often each value occurs, of a given epsilon, and delta 0.01';
CREATE AGGREGATE cms_agg(value "any", epsilon double precision, delta double precision) (
    SFUNC = _cms_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE, MSFUNC = _cms_step, MINVFUNC = _cms_inverse_step,
    MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = _cms_final);
COMMENT ON AGGREGATE cms_agg("any", double precision, double precision)
    IS 'a sketch of how often each value occurs, of a given epsilon and delta';

CREATE AGGREGATE cms_agg_weighted(value "any", weight "any") (
    SFUNC = _cms_weighted_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE, MSFUNC = _cms_weighted_step,
    MINVFUNC = _cms_inverse_weighted_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = _cms_final);
COMMENT ON AGGREGATE cms_agg_weighted("any", "any")
    IS 'a sketch of the sum of each value''s weights, of epsilon 0.001 and delta 0.01';
CREATE AGGREGATE cms_agg_weighted(value "any", weight "any", epsilon double precision) (
    SFUNC = _cms_weighted_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE, MSFUNC = _cms_weighted_step,
    MINVFUNC = _cms_inverse_weighted_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = _cms_final);
COMMENT ON AGGREGATE cms_agg_weighted("any", "any", double precision)
    IS 'a sketch of the sum of each value''s weights, of a given epsilon, and delta 0.01';
CREATE AGGREGATE cms_agg_weighted(value "any", weight "any", epsilon double precision,
    delta double precision) (
    SFUNC = _cms_weighted_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE, MSFUNC = _cms_weighted_step,
    MINVFUNC = _cms_inverse_weighted_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = _cms_final);
COMMENT ON AGGREGATE cms_agg_weighted("any", "any", double precision, double precision)
    IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta';

CREATE AGGREGATE cms_agg_conservative(value "any") (
    SFUNC = _cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE cms_agg_conservative("any")
    IS 'a sketch of how often each value occurs, of epsilon 0.001 and delta 0.01, by '
       'conservative update: closer estimates, but nothing can be taken out';
CREATE AGGREGATE cms_agg_conservative(value "any", epsilon double precision) (
    SFUNC = _cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE cms_agg_conservative("any", double precision)
    IS 'a sketch of how often each value occurs, of a given epsilon, and delta 0.01, by '
       'conservative update: closer estimates, but nothing can be taken out';
CREATE AGGREGATE cms_agg_conservative(value "any", epsilon double precision,
    delta double precision) (
    SFUNC = _cms_conservative_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE cms_agg_conservative("any", double precision, double precision)
    IS 'a sketch of how often each value occurs, of a given epsilon and delta, by conservative '
       'update: closer estimates, but nothing can be taken out';

CREATE AGGREGATE cms_agg_conservative_weighted(value "any", weight "any") (
    SFUNC = _cms_conservative_weighted_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE cms_agg_conservative_weighted("any", "any")
    IS 'a sketch of the sum of each value''s weights, of epsilon 0.001 and delta 0.01, by '
       'conservative update: closer estimates, but nothing can be taken out';
CREATE AGGREGATE cms_agg_conservative_weighted(value "any", weight "any",
    epsilon double precision) (
    SFUNC = _cms_conservative_weighted_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE cms_agg_conservative_weighted("any", "any", double precision)
    IS 'a sketch of the sum of each value''s weights, of a given epsilon, and delta 0.01, by '
       'conservative update: closer estimates, but nothing can be taken out';
CREATE AGGREGATE cms_agg_conservative_weighted(value "any", weight "any", epsilon double precision,
    delta double precision) (
    SFUNC = _cms_conservative_weighted_step, STYPE = cms, SSPACE = 4096, FINALFUNC = _cms_final,
    COMBINEFUNC = cms_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE cms_agg_conservative_weighted("any", "any", double precision,
    double precision)
    IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta, by '
       'conservative update: closer estimates, but nothing can be taken out';
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
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external, CATEGORY = t, PREFERRED = true
);
-- Texts can be compressed, and a sketch is always read as a whole
ALTER TYPE topk SET (STORAGE = extended);
COMMENT ON TYPE topk
    IS 'sketch of the most frequent values, with their counts and the error bounds of these; '
       'topk(20) reports 20 values';

-- ---------- casts ----------

CREATE FUNCTION topk_from_bytea(bytea) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION topk_from_bytea(bytea) IS 'a sketch from its bytes, checked';
CREATE FUNCTION topk(topk, integer, boolean) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_typmod_cast' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION topk(topk, integer, boolean)
    IS 'enforces a type modifier; an explicit cast folds to it';
CREATE CAST (topk AS bytea) WITH FUNCTION topk_send(topk);
COMMENT ON CAST (topk AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS topk) WITH FUNCTION topk_from_bytea(bytea);
COMMENT ON CAST (bytea AS topk) IS 'a sketch from its bytes, checked';
CREATE CAST (topk AS topk) WITH FUNCTION topk(topk, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (topk AS topk) IS 'enforces a type modifier';

-- ---------- comparison ----------

-- The order is for sorting and merge joins; "<" would look as if it meant something
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
    AS 'MODULE_PATHNAME', 'probds_topk_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION topk_hash_extended(topk, bigint) IS 'seeded hash of the bytes';
CREATE OPERATOR = (LEFTARG = topk, RIGHTARG = topk, FUNCTION = topk_eq, COMMUTATOR = =,
    NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (topk, topk) IS 'same state: same k, same items and counts';
CREATE OPERATOR <> (LEFTARG = topk, RIGHTARG = topk, FUNCTION = topk_ne, COMMUTATOR = <>,
    NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (topk, topk) IS 'different state';
CREATE OPERATOR *< (LEFTARG = topk, RIGHTARG = topk, FUNCTION = topk_lt, COMMUTATOR = *>,
    NEGATOR = *>=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (topk, topk) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = topk, RIGHTARG = topk, FUNCTION = topk_le, COMMUTATOR = *>=,
    NEGATOR = *>, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (topk, topk) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = topk, RIGHTARG = topk, FUNCTION = topk_gt, COMMUTATOR = *<,
    NEGATOR = *<=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (topk, topk) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = topk, RIGHTARG = topk, FUNCTION = topk_ge, COMMUTATOR = *<=,
    NEGATOR = *<, RESTRICT = scalargesel, JOIN = scalargejoinsel);
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
    OPERATOR 1 =, FUNCTION 1 topk_hash(topk),
    FUNCTION 2 topk_hash_extended(topk, bigint);
COMMENT ON OPERATOR CLASS topk_ops USING hash IS 'topk by bytes';

-- ---------- constructors and changes ----------

CREATE FUNCTION topk_empty(k integer DEFAULT 20, counters integer DEFAULT NULL) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_empty' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_empty(integer, integer)
    IS 'an empty sketch that reports the k most frequent values; k is 1 to 10,000, and counters 16 '
       'times k unless given';

CREATE FUNCTION topk_size(k integer DEFAULT 20, counters integer DEFAULT NULL,
    OUT counters integer, OUT bytes bigint, OUT filled_bytes bigint)
    AS 'MODULE_PATHNAME', 'probds_topk_size' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_size(integer, integer)
    IS 'the size of a sketch that reports the k most frequent values: at most, and of values whose '
       'texts have up to 16 bytes; for planning';

-- Immutable although the text of a value comes from its output function: the settings that output
-- functions read (DateStyle, TimeZone, ...) are fixed meanwhile
CREATE FUNCTION topk_add_all(sketch topk, elements text) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION topk_add_all(topk, text) IS 'the sketch with every element of an array';
CREATE FUNCTION topk_add_all(sketch topk, elements anyarray) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION topk_add_all(topk, anyarray) IS 'the sketch with every element of an array';

CREATE FUNCTION topk_merge(sketch topk, other topk) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION topk_merge(topk, topk) IS 'the union of two sketches; NULL is ignored';

CREATE OPERATOR || (LEFTARG = topk, RIGHTARG = topk, FUNCTION = topk_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (topk, topk) IS 'the union of two sketches';

CREATE FUNCTION topk_add(sketch topk, value text, weight bigint DEFAULT 1) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION topk_add(topk, text, bigint) IS 'the sketch with a value added with a weight';
CREATE FUNCTION topk_add(sketch topk, value "any", weight bigint DEFAULT 1) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION topk_add(topk, "any", bigint) IS 'the sketch with a value added with a weight';

-- A function over these two domains is the parser's last choice: their base types fit better, and
-- of a literal or a parameter without a type it prefers topk.
CREATE DOMAIN _topk_last AS topk;
COMMENT ON DOMAIN _topk_last IS 'internal: a topk, beside a weight that is no bigint';
CREATE FUNCTION topk_add(sketch _topk_last, value "any", weight _probds_number) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_refuse_weight' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION topk_add(_topk_last, "any", _probds_number)
    IS 'an error for a weight that is no bigint, which says how to write one';

-- ---------- queries ----------

CREATE FUNCTION topk_items(sketch topk, OUT item text, OUT frequency bigint, OUT lower bigint,
    OUT upper bigint) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_topk_items' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100
    ROWS 20;
COMMENT ON FUNCTION topk_items(topk)
    IS 'the k most frequent values by falling frequency; the true frequency is between lower and '
       'upper';
CREATE FUNCTION topk_items(sketch topk, min_share double precision, OUT item text,
    OUT frequency bigint, OUT lower bigint, OUT upper bigint, OUT guaranteed boolean)
    RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_topk_items' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100
    ROWS 20;
COMMENT ON FUNCTION topk_items(topk, double precision)
    IS 'all values that may have at least this share of the total, and whether each certainly '
       'has it';

CREATE FUNCTION topk_total(sketch topk) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_topk_total' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION topk_total(topk) IS 'the number of values, or the sum of their weights';

CREATE FUNCTION topk_info(sketch topk, OUT k integer, OUT counters integer, OUT items integer,
    OUT total bigint, OUT error double precision, OUT kind text, OUT family text, OUT bytes integer,
    OUT encoding text)
    AS 'MODULE_PATHNAME', 'probds_topk_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION topk_info(topk)
    IS 'parameters, size, and the largest error of a count, one row; no value that is not in the '
       'sketch has a larger share of the total than that error';

CREATE FUNCTION topk_frequency(sketch topk, value text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_topk_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 2000;
COMMENT ON FUNCTION topk_frequency(topk, text)
    IS 'an upper bound of how often a value occurred; 0 if it is not in the sketch';
CREATE FUNCTION topk_frequency(sketch topk, value "any") RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_topk_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 2000;
COMMENT ON FUNCTION topk_frequency(topk, "any")
    IS 'an upper bound of how often a value occurred; 0 if it is not in the sketch';

CREATE FUNCTION topk_bounds(sketch topk, value text, OUT lower bigint, OUT estimate bigint,
    OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_topk_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION topk_bounds(topk, text)
    IS 'bounds of how often a value occurred, whether it is in the sketch or not';
CREATE FUNCTION topk_bounds(sketch topk, value "any", OUT lower bigint, OUT estimate bigint,
    OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_topk_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
COMMENT ON FUNCTION topk_bounds(topk, "any")
    IS 'bounds of how often a value occurred, whether it is in the sketch or not';

CREATE OPERATOR -> (LEFTARG = topk, RIGHTARG = text, FUNCTION = topk_frequency);
COMMENT ON OPERATOR -> (topk, text) IS 'an upper bound of how often the value occurred';
CREATE OPERATOR -> (LEFTARG = topk, RIGHTARG = "any", FUNCTION = topk_frequency);
COMMENT ON OPERATOR -> (topk, "any") IS 'an upper bound of how often the value occurred';

-- ---------- aggregates ----------

CREATE FUNCTION _topk_final(topk) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION _topk_final(topk) IS 'internal: final function of topk_agg and topk_merge_agg';

CREATE AGGREGATE topk_merge_agg(topk) (
    SFUNC = topk_merge, STYPE = topk, SSPACE = 16384, FINALFUNC = _topk_final,
    COMBINEFUNC = topk_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE topk_merge_agg(topk) IS 'the union of all sketches';

CREATE FUNCTION _topk_final_json(topk) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'probds_topk_final_json' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION _topk_final_json(topk) IS 'internal: final function of approx_top_k';

CREATE FUNCTION _topk_step(topk, "any") RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _topk_step(topk, "any")
    IS 'internal: transition function of topk_agg and approx_top_k';
CREATE FUNCTION _topk_step(topk, "any", integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _topk_step(topk, "any", integer)
    IS 'internal: transition function of topk_agg and approx_top_k';
CREATE FUNCTION _topk_step(topk, "any", integer, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _topk_step(topk, "any", integer, integer)
    IS 'internal: transition function of topk_agg and approx_top_k';

CREATE FUNCTION _topk_weighted_step(topk, "any", "any") RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _topk_weighted_step(topk, "any", "any")
    IS 'internal: transition function of topk_agg_weighted and approx_top_k_weighted';
CREATE FUNCTION _topk_weighted_step(topk, "any", "any", integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _topk_weighted_step(topk, "any", "any", integer)
    IS 'internal: transition function of topk_agg_weighted and approx_top_k_weighted';
CREATE FUNCTION _topk_weighted_step(topk, "any", "any", integer, integer) RETURNS topk
    AS 'MODULE_PATHNAME', 'probds_topk_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _topk_weighted_step(topk, "any", "any", integer, integer)
    IS 'internal: transition function of topk_agg_weighted and approx_top_k_weighted';

CREATE AGGREGATE topk_agg(value "any") (
    SFUNC = _topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = _topk_final,
    COMBINEFUNC = topk_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE topk_agg("any") IS 'a sketch of the 20 most frequent values';
CREATE AGGREGATE topk_agg(value "any", k integer) (
    SFUNC = _topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = _topk_final,
    COMBINEFUNC = topk_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE topk_agg("any", integer) IS 'a sketch of the k most frequent values';
CREATE AGGREGATE topk_agg(value "any", k integer, counters integer) (
    SFUNC = _topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = _topk_final,
    COMBINEFUNC = topk_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE topk_agg("any", integer, integer)
    IS 'a sketch of the k most frequent values, with so many counters';

CREATE AGGREGATE topk_agg_weighted(value "any", weight "any") (
    SFUNC = _topk_weighted_step, STYPE = topk, SSPACE = 4096, FINALFUNC = _topk_final,
    COMBINEFUNC = topk_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE topk_agg_weighted("any", "any")
    IS 'a sketch of the 20 values of the largest sums of weights';
CREATE AGGREGATE topk_agg_weighted(value "any", weight "any", k integer) (
    SFUNC = _topk_weighted_step, STYPE = topk, SSPACE = 4096, FINALFUNC = _topk_final,
    COMBINEFUNC = topk_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE topk_agg_weighted("any", "any", integer)
    IS 'a sketch of the k values of the largest sums of weights';
CREATE AGGREGATE topk_agg_weighted(value "any", weight "any", k integer, counters integer) (
    SFUNC = _topk_weighted_step, STYPE = topk, SSPACE = 4096, FINALFUNC = _topk_final,
    COMBINEFUNC = topk_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE topk_agg_weighted("any", "any", integer, integer)
    IS 'a sketch of the k values of the largest sums of weights, with so many counters';

CREATE AGGREGATE approx_top_k(value "any") (
    SFUNC = _topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = _topk_final_json,
    COMBINEFUNC = topk_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE approx_top_k("any")
    IS 'the 20 most frequent values with their counts and bounds, as a JSON array';
CREATE AGGREGATE approx_top_k(value "any", k integer) (
    SFUNC = _topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = _topk_final_json,
    COMBINEFUNC = topk_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE approx_top_k("any", integer)
    IS 'the k most frequent values with their counts and bounds, as a JSON array';
CREATE AGGREGATE approx_top_k(value "any", k integer, counters integer) (
    SFUNC = _topk_step, STYPE = topk, SSPACE = 4096, FINALFUNC = _topk_final_json,
    COMBINEFUNC = topk_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE approx_top_k("any", integer, integer)
    IS 'the k most frequent values from so many counters, with their counts and bounds, as a '
       'JSON array';

CREATE AGGREGATE approx_top_k_weighted(value "any", weight "any") (
    SFUNC = _topk_weighted_step, STYPE = topk, SSPACE = 4096, FINALFUNC = _topk_final_json,
    COMBINEFUNC = topk_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE approx_top_k_weighted("any", "any")
    IS 'the 20 values of the largest sums of weights with these and their bounds, as a JSON array';
CREATE AGGREGATE approx_top_k_weighted(value "any", weight "any", k integer) (
    SFUNC = _topk_weighted_step, STYPE = topk, SSPACE = 4096, FINALFUNC = _topk_final_json,
    COMBINEFUNC = topk_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE approx_top_k_weighted("any", "any", integer)
    IS 'the k values of the largest sums of weights with these and their bounds, as a JSON array';
CREATE AGGREGATE approx_top_k_weighted(value "any", weight "any", k integer, counters integer) (
    SFUNC = _topk_weighted_step, STYPE = topk, SSPACE = 4096, FINALFUNC = _topk_final_json,
    COMBINEFUNC = topk_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE approx_top_k_weighted("any", "any", integer, integer)
    IS 'the k values of the largest sums of weights from so many counters, with these and their '
       'bounds, as a JSON array';
-- cuckoo: cuckoo filters, a set that forgets

-- ---------- type ----------

CREATE TYPE cuckoo;
CREATE FUNCTION cuckoo_in(cstring, oid, integer) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_in(cstring, oid, integer) IS 'input: base64, or hexadecimal after \x';
CREATE FUNCTION cuckoo_out(cuckoo) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_cuckoo_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_out(cuckoo) IS 'output: base64';
CREATE FUNCTION cuckoo_recv(internal, oid, integer) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_recv(internal, oid, integer) IS 'binary input, checked';
CREATE FUNCTION cuckoo_send(cuckoo) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_cuckoo_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_send(cuckoo) IS 'binary output';
CREATE FUNCTION cuckoo_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_cuckoo_typmod_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_typmod_in(cstring[])
    IS 'type modifier input: capacity and false-positive rate';
CREATE FUNCTION cuckoo_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_cuckoo_typmod_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_typmod_out(integer) IS 'type modifier output';
CREATE TYPE cuckoo (
    INPUT = cuckoo_in, OUTPUT = cuckoo_out, RECEIVE = cuckoo_recv, SEND = cuckoo_send,
    TYPMOD_IN = cuckoo_typmod_in, TYPMOD_OUT = cuckoo_typmod_out,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external, CATEGORY = b
);
COMMENT ON TYPE cuckoo
    IS 'cuckoo filter: tells whether a value was added and not removed; cuckoo(1000000, 0.01) is '
       'for a million values at a false-positive rate of 1 %';

-- ---------- casts ----------

CREATE FUNCTION cuckoo_from_bytea(bytea) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_from_bytea(bytea) IS 'a sketch from its bytes, checked';
CREATE FUNCTION cuckoo(cuckoo, integer, boolean) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_typmod_cast' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo(cuckoo, integer, boolean)
    IS 'enforces a type modifier; an explicit cast folds to it';
CREATE CAST (cuckoo AS bytea) WITH FUNCTION cuckoo_send(cuckoo);
COMMENT ON CAST (cuckoo AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS cuckoo) WITH FUNCTION cuckoo_from_bytea(bytea);
COMMENT ON CAST (bytea AS cuckoo) IS 'a sketch from its bytes, checked';
CREATE CAST (cuckoo AS cuckoo) WITH FUNCTION cuckoo(cuckoo, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (cuckoo AS cuckoo) IS 'enforces a type modifier';

-- ---------- comparison ----------

-- The order is for sorting and merge joins; "<" would look as if it meant something
CREATE FUNCTION cuckoo_eq(cuckoo, cuckoo) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cuckoo_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cuckoo_eq(cuckoo, cuckoo) IS 'implementation of = operator';
CREATE FUNCTION cuckoo_ne(cuckoo, cuckoo) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cuckoo_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cuckoo_ne(cuckoo, cuckoo) IS 'implementation of <> operator';
CREATE FUNCTION cuckoo_lt(cuckoo, cuckoo) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cuckoo_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cuckoo_lt(cuckoo, cuckoo) IS 'implementation of *< operator';
CREATE FUNCTION cuckoo_le(cuckoo, cuckoo) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cuckoo_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cuckoo_le(cuckoo, cuckoo) IS 'implementation of *<= operator';
CREATE FUNCTION cuckoo_gt(cuckoo, cuckoo) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cuckoo_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cuckoo_gt(cuckoo, cuckoo) IS 'implementation of *> operator';
CREATE FUNCTION cuckoo_ge(cuckoo, cuckoo) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cuckoo_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cuckoo_ge(cuckoo, cuckoo) IS 'implementation of *>= operator';
CREATE FUNCTION cuckoo_cmp(cuckoo, cuckoo) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_cuckoo_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cuckoo_cmp(cuckoo, cuckoo) IS 'less-equal-greater, by bytes';
CREATE FUNCTION cuckoo_hash(cuckoo) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_cuckoo_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION cuckoo_hash(cuckoo) IS 'hash of the bytes';
CREATE FUNCTION cuckoo_hash_extended(cuckoo, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cuckoo_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION cuckoo_hash_extended(cuckoo, bigint) IS 'seeded hash of the bytes';
CREATE OPERATOR = (LEFTARG = cuckoo, RIGHTARG = cuckoo, FUNCTION = cuckoo_eq, COMMUTATOR = =,
    NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (cuckoo, cuckoo) IS 'same state: same parameters, same contents';
CREATE OPERATOR <> (LEFTARG = cuckoo, RIGHTARG = cuckoo, FUNCTION = cuckoo_ne, COMMUTATOR = <>,
    NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (cuckoo, cuckoo) IS 'different state';
CREATE OPERATOR *< (LEFTARG = cuckoo, RIGHTARG = cuckoo, FUNCTION = cuckoo_lt, COMMUTATOR = *>,
    NEGATOR = *>=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (cuckoo, cuckoo) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = cuckoo, RIGHTARG = cuckoo, FUNCTION = cuckoo_le, COMMUTATOR = *>=,
    NEGATOR = *>, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (cuckoo, cuckoo) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = cuckoo, RIGHTARG = cuckoo, FUNCTION = cuckoo_gt, COMMUTATOR = *<,
    NEGATOR = *<=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (cuckoo, cuckoo) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = cuckoo, RIGHTARG = cuckoo, FUNCTION = cuckoo_ge, COMMUTATOR = *<=,
    NEGATOR = *<, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR *>= (cuckoo, cuckoo) IS 'greater or equal, by bytes';
CREATE OPERATOR FAMILY cuckoo_ops USING btree;
COMMENT ON OPERATOR FAMILY cuckoo_ops USING btree IS 'cuckoo by bytes';
CREATE OPERATOR CLASS cuckoo_ops DEFAULT FOR TYPE cuckoo USING btree FAMILY cuckoo_ops AS
    OPERATOR 1 *<, OPERATOR 2 *<=, OPERATOR 3 =, OPERATOR 4 *>=, OPERATOR 5 *>,
    FUNCTION 1 cuckoo_cmp(cuckoo, cuckoo);
COMMENT ON OPERATOR CLASS cuckoo_ops USING btree IS 'cuckoo by bytes';
CREATE OPERATOR FAMILY cuckoo_ops USING hash;
COMMENT ON OPERATOR FAMILY cuckoo_ops USING hash IS 'cuckoo by bytes';
CREATE OPERATOR CLASS cuckoo_ops DEFAULT FOR TYPE cuckoo USING hash FAMILY cuckoo_ops AS
    OPERATOR 1 =, FUNCTION 1 cuckoo_hash(cuckoo),
    FUNCTION 2 cuckoo_hash_extended(cuckoo, bigint);
COMMENT ON OPERATOR CLASS cuckoo_ops USING hash IS 'cuckoo by bytes';

-- ---------- constructors and changes ----------

CREATE FUNCTION cuckoo_empty(capacity double precision,
    false_positive_rate double precision DEFAULT 0.01) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_empty(double precision, double precision)
    IS 'an empty filter for a number of distinct values and a false-positive rate';

CREATE FUNCTION cuckoo_size(capacity double precision,
    false_positive_rate double precision DEFAULT 0.01, OUT bytes bigint,
    OUT bits_per_value double precision)
    AS 'MODULE_PATHNAME', 'probds_cuckoo_size' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION cuckoo_size(double precision, double precision)
    IS 'the size of a filter that holds as many values as its capacity, each once, for planning';

CREATE FUNCTION cuckoo_add_all(sketch cuckoo, elements text) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cuckoo_add_all(cuckoo, text) IS 'the sketch with every element of an array';
CREATE FUNCTION cuckoo_add_all(sketch cuckoo, elements anyarray) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cuckoo_add_all(cuckoo, anyarray) IS 'the sketch with every element of an array';

CREATE FUNCTION cuckoo_remove_all(sketch cuckoo, elements text) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_remove_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cuckoo_remove_all(cuckoo, text)
    IS 'the filter without one copy of every element of an array; an error if the filter does '
       'not hold one of them';
CREATE FUNCTION cuckoo_remove_all(sketch cuckoo, elements anyarray) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_remove_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION cuckoo_remove_all(cuckoo, anyarray)
    IS 'the filter without one copy of every element of an array; an error if the filter does '
       'not hold one of them';

CREATE FUNCTION cuckoo_merge(sketch cuckoo, other cuckoo) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION cuckoo_merge(cuckoo, cuckoo) IS 'the union of two sketches; NULL is ignored';

CREATE OPERATOR || (LEFTARG = cuckoo, RIGHTARG = cuckoo, FUNCTION = cuckoo_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (cuckoo, cuckoo) IS 'the union of two sketches';

CREATE FUNCTION cuckoo_add(sketch cuckoo, value text) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION cuckoo_add(cuckoo, text) IS 'the sketch with one more value';
CREATE FUNCTION cuckoo_add(sketch cuckoo, value "any") RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION cuckoo_add(cuckoo, "any") IS 'the sketch with one more value';

CREATE FUNCTION cuckoo_remove(sketch cuckoo, value text) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_remove' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION cuckoo_remove(cuckoo, text)
    IS 'the filter without one copy of a value; an error if the filter does not hold it';
CREATE FUNCTION cuckoo_remove(sketch cuckoo, value "any") RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_remove' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION cuckoo_remove(cuckoo, "any")
    IS 'the filter without one copy of a value; an error if the filter does not hold it';

-- ---------- queries ----------

CREATE FUNCTION cuckoo_contains_any(sketch cuckoo, elements text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cuckoo_contains_any' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 100;
COMMENT ON FUNCTION cuckoo_contains_any(cuckoo, text)
    IS 'whether any element of the array was added; NULL elements are skipped, false for an '
       'empty array';
CREATE FUNCTION cuckoo_contains_any(sketch cuckoo, elements anyarray) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cuckoo_contains_any' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 100;
COMMENT ON FUNCTION cuckoo_contains_any(cuckoo, anyarray)
    IS 'whether any element of the array was added; NULL elements are skipped, false for an '
       'empty array';

CREATE FUNCTION cuckoo_contains_all(sketch cuckoo, elements text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cuckoo_contains_all' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 100;
COMMENT ON FUNCTION cuckoo_contains_all(cuckoo, text)
    IS 'whether every element of the array was added; NULL elements are skipped, true for an '
       'empty array';
CREATE FUNCTION cuckoo_contains_all(sketch cuckoo, elements anyarray) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cuckoo_contains_all' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 100;
COMMENT ON FUNCTION cuckoo_contains_all(cuckoo, anyarray)
    IS 'whether every element of the array was added; NULL elements are skipped, true for an '
       'empty array';

CREATE FUNCTION cuckoo_cardinality(sketch cuckoo) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cuckoo_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 20;
COMMENT ON FUNCTION cuckoo_cardinality(cuckoo)
    IS 'the estimated number of distinct values that the filter holds';

CREATE FUNCTION cuckoo_false_positive_rate(sketch cuckoo) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_cuckoo_false_positive_rate'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION cuckoo_false_positive_rate(cuckoo)
    IS 'the present false-positive rate: the share of values not held that the filter claims to '
       'hold';

CREATE FUNCTION cuckoo_info(sketch cuckoo, OUT capacity bigint, OUT items bigint, OUT copies bigint,
    OUT fill double precision, OUT false_positive_rate double precision,
    OUT promised_rate double precision, OUT kind text, OUT family text, OUT bytes integer,
    OUT encoding text, OUT status text)
    AS 'MODULE_PATHNAME', 'probds_cuckoo_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION cuckoo_info(cuckoo)
    IS 'capacity, number of values, fill, rates, size and status (ok, nearly full, over '
       'capacity) of a filter, one row';

CREATE FUNCTION cuckoo_count(sketch cuckoo, value text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cuckoo_count' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION cuckoo_count(cuckoo, text)
    IS 'the number of copies of the value that the filter holds: never too low, too high at the '
       'false-positive rate';
CREATE FUNCTION cuckoo_count(sketch cuckoo, value "any") RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cuckoo_count' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION cuckoo_count(cuckoo, "any")
    IS 'the number of copies of the value that the filter holds: never too low, too high at the '
       'false-positive rate';

CREATE FUNCTION cuckoo_contains(sketch cuckoo, value text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cuckoo_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 20;
COMMENT ON FUNCTION cuckoo_contains(cuckoo, text)
    IS 'whether the filter holds the value: "no" is certain, "yes" is wrong at the '
       'false-positive rate';

CREATE FUNCTION _cuckoo_contained(value text, sketch cuckoo) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cuckoo_contained' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 20;
COMMENT ON FUNCTION _cuckoo_contained(text, cuckoo)
    IS 'internal: same as cuckoo_contains, with the arguments swapped';

CREATE OPERATOR @> (LEFTARG = cuckoo, RIGHTARG = text, FUNCTION = cuckoo_contains, COMMUTATOR = <@,
    RESTRICT = contsel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (cuckoo, text) IS 'whether the value was added';

CREATE OPERATOR <@ (LEFTARG = text, RIGHTARG = cuckoo, FUNCTION = _cuckoo_contained,
    COMMUTATOR = @>, RESTRICT = contsel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ (text, cuckoo) IS 'whether the value was added';

CREATE FUNCTION cuckoo_contains(sketch cuckoo, value "any") RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cuckoo_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 20;
COMMENT ON FUNCTION cuckoo_contains(cuckoo, "any")
    IS 'whether the filter holds the value: "no" is certain, "yes" is wrong at the '
       'false-positive rate';

CREATE FUNCTION _cuckoo_contained(value "any", sketch cuckoo) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_cuckoo_contained' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 20;
COMMENT ON FUNCTION _cuckoo_contained("any", cuckoo)
    IS 'internal: same as cuckoo_contains, with the arguments swapped';

CREATE OPERATOR @> (LEFTARG = cuckoo, RIGHTARG = "any", FUNCTION = cuckoo_contains, COMMUTATOR = <@,
    RESTRICT = contsel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (cuckoo, "any") IS 'whether the value was added';

CREATE OPERATOR <@ (LEFTARG = "any", RIGHTARG = cuckoo, FUNCTION = _cuckoo_contained,
    COMMUTATOR = @>, RESTRICT = contsel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ ("any", cuckoo) IS 'whether the value was added';

-- ---------- aggregates ----------

CREATE FUNCTION _cuckoo_final(cuckoo) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION _cuckoo_final(cuckoo)
    IS 'internal: final function of cuckoo_agg and cuckoo_merge_agg';

CREATE AGGREGATE cuckoo_merge_agg(cuckoo) (
    SFUNC = cuckoo_merge, STYPE = cuckoo, SSPACE = 8192, FINALFUNC = _cuckoo_final,
    COMBINEFUNC = cuckoo_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE cuckoo_merge_agg(cuckoo) IS 'the union of all sketches';

CREATE FUNCTION _cuckoo_step(cuckoo, "any", double precision) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cuckoo_step(cuckoo, "any", double precision)
    IS 'internal: transition function of cuckoo_agg with a capacity';
CREATE FUNCTION _cuckoo_step(cuckoo, "any", double precision, double precision) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cuckoo_step(cuckoo, "any", double precision, double precision)
    IS 'internal: transition function of cuckoo_agg with a capacity and a false-positive rate';

CREATE FUNCTION _cuckoo_inverse_step(cuckoo, "any", double precision) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_inverse_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cuckoo_inverse_step(cuckoo, "any", double precision)
    IS 'internal: inverse transition function of cuckoo_agg with a capacity';
CREATE FUNCTION _cuckoo_inverse_step(cuckoo, "any", double precision, double precision)
    RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_inverse_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _cuckoo_inverse_step(cuckoo, "any", double precision, double precision)
    IS 'internal: inverse transition function of cuckoo_agg with a capacity and a false-positive '
       'rate';

CREATE AGGREGATE cuckoo_agg(value "any", capacity double precision) (
    SFUNC = _cuckoo_step, STYPE = cuckoo, SSPACE = 4096, FINALFUNC = _cuckoo_final,
    COMBINEFUNC = cuckoo_merge, PARALLEL = SAFE, MSFUNC = _cuckoo_step,
    MINVFUNC = _cuckoo_inverse_step, MSTYPE = cuckoo, MSSPACE = 16384, MFINALFUNC = _cuckoo_final);
COMMENT ON AGGREGATE cuckoo_agg("any", double precision)
    IS 'a filter of the values for a given capacity, at a false-positive rate of 1 %';
CREATE AGGREGATE cuckoo_agg(value "any", capacity double precision,
    false_positive_rate double precision) (
    SFUNC = _cuckoo_step, STYPE = cuckoo, SSPACE = 4096, FINALFUNC = _cuckoo_final,
    COMBINEFUNC = cuckoo_merge, PARALLEL = SAFE, MSFUNC = _cuckoo_step,
    MINVFUNC = _cuckoo_inverse_step, MSTYPE = cuckoo, MSSPACE = 16384, MFINALFUNC = _cuckoo_final);
COMMENT ON AGGREGATE cuckoo_agg("any", double precision, double precision)
    IS 'a filter of the values for a given capacity and false-positive rate';
-- counting_bloom: counting Bloom filters, is this value among those that were not removed

-- ---------- type ----------

CREATE TYPE counting_bloom;
CREATE FUNCTION counting_bloom_in(cstring, oid, integer) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloom_in(cstring, oid, integer)
    IS 'input: base64, or hexadecimal after \x';
CREATE FUNCTION counting_bloom_out(counting_bloom) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloom_out(counting_bloom) IS 'output: base64';
CREATE FUNCTION counting_bloom_recv(internal, oid, integer) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloom_recv(internal, oid, integer) IS 'binary input, checked';
CREATE FUNCTION counting_bloom_send(counting_bloom) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloom_send(counting_bloom) IS 'binary output';
CREATE FUNCTION counting_bloom_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_typmod_in'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloom_typmod_in(cstring[])
    IS 'type modifier input: capacity, false-positive rate and layout';
CREATE FUNCTION counting_bloom_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_typmod_out'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloom_typmod_out(integer) IS 'type modifier output';
CREATE TYPE counting_bloom (
    INPUT = counting_bloom_in, OUTPUT = counting_bloom_out, RECEIVE = counting_bloom_recv,
    SEND = counting_bloom_send,
    TYPMOD_IN = counting_bloom_typmod_in, TYPMOD_OUT = counting_bloom_typmod_out,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external, CATEGORY = b
);
COMMENT ON TYPE counting_bloom
    IS 'counting Bloom filter: tells whether a value was added and not removed; '
       'counting_bloom(1000000, 0.01) is for a million values at a false-positive rate of 1 %';

-- ---------- casts ----------

CREATE FUNCTION counting_bloom_from_bytea(bytea) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_from_bytea'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloom_from_bytea(bytea) IS 'a sketch from its bytes, checked';
CREATE FUNCTION counting_bloom(counting_bloom, integer, boolean) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_typmod_cast'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloom(counting_bloom, integer, boolean)
    IS 'enforces a type modifier; an explicit cast folds to it';
CREATE CAST (counting_bloom AS bytea) WITH FUNCTION counting_bloom_send(counting_bloom);
COMMENT ON CAST (counting_bloom AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS counting_bloom) WITH FUNCTION counting_bloom_from_bytea(bytea);
COMMENT ON CAST (bytea AS counting_bloom) IS 'a sketch from its bytes, checked';
CREATE CAST (counting_bloom AS counting_bloom)
    WITH FUNCTION counting_bloom(counting_bloom, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (counting_bloom AS counting_bloom) IS 'enforces a type modifier';

-- ---------- comparison ----------

-- The order is for sorting and merge joins; "<" would look as if it meant something
CREATE FUNCTION counting_bloom_eq(counting_bloom, counting_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION counting_bloom_eq(counting_bloom, counting_bloom)
    IS 'implementation of = operator';
CREATE FUNCTION counting_bloom_ne(counting_bloom, counting_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION counting_bloom_ne(counting_bloom, counting_bloom)
    IS 'implementation of <> operator';
CREATE FUNCTION counting_bloom_lt(counting_bloom, counting_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION counting_bloom_lt(counting_bloom, counting_bloom)
    IS 'implementation of *< operator';
CREATE FUNCTION counting_bloom_le(counting_bloom, counting_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION counting_bloom_le(counting_bloom, counting_bloom)
    IS 'implementation of *<= operator';
CREATE FUNCTION counting_bloom_gt(counting_bloom, counting_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION counting_bloom_gt(counting_bloom, counting_bloom)
    IS 'implementation of *> operator';
CREATE FUNCTION counting_bloom_ge(counting_bloom, counting_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION counting_bloom_ge(counting_bloom, counting_bloom)
    IS 'implementation of *>= operator';
CREATE FUNCTION counting_bloom_cmp(counting_bloom, counting_bloom) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION counting_bloom_cmp(counting_bloom, counting_bloom)
    IS 'less-equal-greater, by bytes';
CREATE FUNCTION counting_bloom_hash(counting_bloom) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION counting_bloom_hash(counting_bloom) IS 'hash of the bytes';
CREATE FUNCTION counting_bloom_hash_extended(counting_bloom, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_hash_extended'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION counting_bloom_hash_extended(counting_bloom, bigint)
    IS 'seeded hash of the bytes';
CREATE OPERATOR = (LEFTARG = counting_bloom, RIGHTARG = counting_bloom,
    FUNCTION = counting_bloom_eq, COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES);
COMMENT ON OPERATOR = (counting_bloom, counting_bloom) IS 'same state: same shape, same counters';
CREATE OPERATOR <> (LEFTARG = counting_bloom, RIGHTARG = counting_bloom,
    FUNCTION = counting_bloom_ne, COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel,
    JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (counting_bloom, counting_bloom) IS 'different state';
CREATE OPERATOR *< (LEFTARG = counting_bloom, RIGHTARG = counting_bloom,
    FUNCTION = counting_bloom_lt, COMMUTATOR = *>, NEGATOR = *>=, RESTRICT = scalarltsel,
    JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (counting_bloom, counting_bloom) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = counting_bloom, RIGHTARG = counting_bloom,
    FUNCTION = counting_bloom_le, COMMUTATOR = *>=, NEGATOR = *>, RESTRICT = scalarlesel,
    JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (counting_bloom, counting_bloom) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = counting_bloom, RIGHTARG = counting_bloom,
    FUNCTION = counting_bloom_gt, COMMUTATOR = *<, NEGATOR = *<=, RESTRICT = scalargtsel,
    JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (counting_bloom, counting_bloom) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = counting_bloom, RIGHTARG = counting_bloom,
    FUNCTION = counting_bloom_ge, COMMUTATOR = *<=, NEGATOR = *<, RESTRICT = scalargesel,
    JOIN = scalargejoinsel);
COMMENT ON OPERATOR *>= (counting_bloom, counting_bloom) IS 'greater or equal, by bytes';
CREATE OPERATOR FAMILY counting_bloom_ops USING btree;
COMMENT ON OPERATOR FAMILY counting_bloom_ops USING btree IS 'counting_bloom by bytes';
CREATE OPERATOR CLASS counting_bloom_ops DEFAULT FOR TYPE counting_bloom USING btree
    FAMILY counting_bloom_ops AS
    OPERATOR 1 *<, OPERATOR 2 *<=, OPERATOR 3 =, OPERATOR 4 *>=, OPERATOR 5 *>,
    FUNCTION 1 counting_bloom_cmp(counting_bloom, counting_bloom);
COMMENT ON OPERATOR CLASS counting_bloom_ops USING btree IS 'counting_bloom by bytes';
CREATE OPERATOR FAMILY counting_bloom_ops USING hash;
COMMENT ON OPERATOR FAMILY counting_bloom_ops USING hash IS 'counting_bloom by bytes';
CREATE OPERATOR CLASS counting_bloom_ops DEFAULT FOR TYPE counting_bloom USING hash
    FAMILY counting_bloom_ops AS
    OPERATOR 1 =, FUNCTION 1 counting_bloom_hash(counting_bloom),
    FUNCTION 2 counting_bloom_hash_extended(counting_bloom, bigint);
COMMENT ON OPERATOR CLASS counting_bloom_ops USING hash IS 'counting_bloom by bytes';

-- ---------- constructors and changes ----------

CREATE FUNCTION counting_bloom_empty(capacity double precision,
    false_positive_rate double precision DEFAULT 0.01, layout text DEFAULT 'blocked')
    RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloom_empty(double precision, double precision, text)
    IS 'an empty filter for a number of values and a false-positive rate; the layout is blocked '
       'or classic';

CREATE FUNCTION counting_bloom_size(capacity double precision,
    false_positive_rate double precision DEFAULT 0.01, layout text DEFAULT 'blocked',
    OUT counters bigint, OUT hashes integer, OUT bytes bigint, OUT filled_bytes bigint,
    OUT bits_per_value double precision)
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_size' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION counting_bloom_size(double precision, double precision, text)
    IS 'the size of a filter for a number of values and a false-positive rate: at most, and of '
       'that many values, each once; for planning';

CREATE FUNCTION counting_bloom_add_all(sketch counting_bloom, elements text) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 1000;
COMMENT ON FUNCTION counting_bloom_add_all(counting_bloom, text)
    IS 'the sketch with every element of an array';
CREATE FUNCTION counting_bloom_add_all(sketch counting_bloom, elements anyarray)
    RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 1000;
COMMENT ON FUNCTION counting_bloom_add_all(counting_bloom, anyarray)
    IS 'the sketch with every element of an array';

CREATE FUNCTION counting_bloom_remove_all(sketch counting_bloom, elements text)
    RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_remove_all' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 1000;
COMMENT ON FUNCTION counting_bloom_remove_all(counting_bloom, text)
    IS 'the filter with each element of an array removed once; an error if one was not added';
CREATE FUNCTION counting_bloom_remove_all(sketch counting_bloom, elements anyarray)
    RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_remove_all' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 1000;
COMMENT ON FUNCTION counting_bloom_remove_all(counting_bloom, anyarray)
    IS 'the filter with each element of an array removed once; an error if one was not added';

CREATE FUNCTION counting_bloom_merge(sketch counting_bloom, other counting_bloom)
    RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION counting_bloom_merge(counting_bloom, counting_bloom)
    IS 'the union of two sketches; NULL is ignored';

CREATE OPERATOR || (LEFTARG = counting_bloom, RIGHTARG = counting_bloom,
    FUNCTION = counting_bloom_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (counting_bloom, counting_bloom) IS 'the union of two sketches';

CREATE FUNCTION counting_bloom_subtract(sketch counting_bloom, other counting_bloom)
    RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_subtract' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 1000;
COMMENT ON FUNCTION counting_bloom_subtract(counting_bloom, counting_bloom)
    IS 'subtracts the second filter, such as an earlier state, from the first';

CREATE FUNCTION counting_bloom_to_bloom(counting_bloom) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_to_bloom' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 1000;
COMMENT ON FUNCTION counting_bloom_to_bloom(counting_bloom)
    IS 'the Bloom filter of the values in the filter';
CREATE CAST (counting_bloom AS bloom) WITH FUNCTION counting_bloom_to_bloom(counting_bloom);
COMMENT ON CAST (counting_bloom AS bloom) IS 'the Bloom filter of the values in the filter';

CREATE FUNCTION counting_bloom_add(sketch counting_bloom, value text) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION counting_bloom_add(counting_bloom, text) IS 'the sketch with one more value';
CREATE FUNCTION counting_bloom_add(sketch counting_bloom, value "any") RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION counting_bloom_add(counting_bloom, "any") IS 'the sketch with one more value';

CREATE FUNCTION counting_bloom_remove(sketch counting_bloom, value text) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_remove' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 1000 SUPPORT _probds_add_support;
COMMENT ON FUNCTION counting_bloom_remove(counting_bloom, text)
    IS 'the filter with a value removed once; an error if the value was not added';
CREATE FUNCTION counting_bloom_remove(sketch counting_bloom, value "any") RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_remove' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 1000 SUPPORT _probds_add_support;
COMMENT ON FUNCTION counting_bloom_remove(counting_bloom, "any")
    IS 'the filter with a value removed once; an error if the value was not added';

-- ---------- queries ----------

CREATE FUNCTION counting_bloom_contains_any(sketch counting_bloom, elements text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_contains_any'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION counting_bloom_contains_any(counting_bloom, text)
    IS 'whether any element of the array was added; NULL elements are skipped, false for an '
       'empty array';
CREATE FUNCTION counting_bloom_contains_any(sketch counting_bloom, elements anyarray)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_contains_any'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION counting_bloom_contains_any(counting_bloom, anyarray)
    IS 'whether any element of the array was added; NULL elements are skipped, false for an '
       'empty array';

CREATE FUNCTION counting_bloom_contains_all(sketch counting_bloom, elements text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_contains_all'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION counting_bloom_contains_all(counting_bloom, text)
    IS 'whether every element of the array was added; NULL elements are skipped, true for an '
       'empty array';
CREATE FUNCTION counting_bloom_contains_all(sketch counting_bloom, elements anyarray)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_contains_all'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION counting_bloom_contains_all(counting_bloom, anyarray)
    IS 'whether every element of the array was added; NULL elements are skipped, true for an '
       'empty array';

CREATE FUNCTION counting_bloom_cardinality(sketch counting_bloom) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_cardinality'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION counting_bloom_cardinality(counting_bloom)
    IS 'the estimated number of distinct values in the filter, from its fill';

CREATE FUNCTION counting_bloom_false_positive_rate(sketch counting_bloom) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_false_positive_rate'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION counting_bloom_false_positive_rate(counting_bloom)
    IS 'the present false-positive rate: the share of values not held that the filter claims to '
       'hold';

CREATE FUNCTION counting_bloom_info(sketch counting_bloom, OUT layout text, OUT counters bigint,
    OUT hashes integer, OUT capacity bigint, OUT items bigint, OUT fill double precision,
    OUT saturated bigint, OUT false_positive_rate double precision,
    OUT promised_rate double precision, OUT kind text, OUT family text, OUT bytes integer,
    OUT encoding text, OUT status text)
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 1000;
COMMENT ON FUNCTION counting_bloom_info(counting_bloom)
    IS 'parameters, fill, saturated counters, rates, size and status (ok, nearly full, over '
       'capacity) of a filter, one row';

CREATE FUNCTION counting_bloom_count(sketch counting_bloom, value text) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_count' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 50;
COMMENT ON FUNCTION counting_bloom_count(counting_bloom, text)
    IS 'an upper bound of how often the value is in the filter, 0 to 15; 15 stands for 15 or more';
CREATE FUNCTION counting_bloom_count(sketch counting_bloom, value "any") RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_count' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 50;
COMMENT ON FUNCTION counting_bloom_count(counting_bloom, "any")
    IS 'an upper bound of how often the value is in the filter, 0 to 15; 15 stands for 15 or more';

CREATE FUNCTION counting_bloom_contains(sketch counting_bloom, value text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 50;
COMMENT ON FUNCTION counting_bloom_contains(counting_bloom, text)
    IS 'whether the filter holds the value: "no" is certain, "yes" is wrong at the '
       'false-positive rate';

CREATE FUNCTION _counting_bloom_contained(value text, sketch counting_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_contained'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION _counting_bloom_contained(text, counting_bloom)
    IS 'internal: same as counting_bloom_contains, with the arguments swapped';

CREATE OPERATOR @> (LEFTARG = counting_bloom, RIGHTARG = text, FUNCTION = counting_bloom_contains,
    COMMUTATOR = <@, RESTRICT = contsel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (counting_bloom, text) IS 'whether the value was added';

CREATE OPERATOR <@ (LEFTARG = text, RIGHTARG = counting_bloom, FUNCTION = _counting_bloom_contained,
    COMMUTATOR = @>, RESTRICT = contsel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ (text, counting_bloom) IS 'whether the value was added';

CREATE FUNCTION counting_bloom_contains(sketch counting_bloom, value "any") RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 50;
COMMENT ON FUNCTION counting_bloom_contains(counting_bloom, "any")
    IS 'whether the filter holds the value: "no" is certain, "yes" is wrong at the '
       'false-positive rate';

CREATE FUNCTION _counting_bloom_contained(value "any", sketch counting_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_contained'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION _counting_bloom_contained("any", counting_bloom)
    IS 'internal: same as counting_bloom_contains, with the arguments swapped';

CREATE OPERATOR @> (LEFTARG = counting_bloom, RIGHTARG = "any", FUNCTION = counting_bloom_contains,
    COMMUTATOR = <@, RESTRICT = contsel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (counting_bloom, "any") IS 'whether the value was added';

CREATE OPERATOR <@ (LEFTARG = "any", RIGHTARG = counting_bloom,
    FUNCTION = _counting_bloom_contained, COMMUTATOR = @>, RESTRICT = contsel,
    JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ ("any", counting_bloom) IS 'whether the value was added';

-- ---------- aggregates ----------

CREATE FUNCTION _counting_bloom_final(counting_bloom) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_final' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 1000;
COMMENT ON FUNCTION _counting_bloom_final(counting_bloom)
    IS 'internal: final function of counting_bloom_agg and counting_bloom_merge_agg';

CREATE AGGREGATE counting_bloom_merge_agg(counting_bloom) (
    SFUNC = counting_bloom_merge, STYPE = counting_bloom, SSPACE = 16384,
    FINALFUNC = _counting_bloom_final, COMBINEFUNC = counting_bloom_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE counting_bloom_merge_agg(counting_bloom) IS 'the union of all sketches';

CREATE FUNCTION _counting_bloom_step(counting_bloom, "any", double precision) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _counting_bloom_step(counting_bloom, "any", double precision)
    IS 'internal: transition function of counting_bloom_agg with a capacity';
CREATE FUNCTION _counting_bloom_step(counting_bloom, "any", double precision, double precision)
    RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _counting_bloom_step(counting_bloom, "any", double precision, double precision)
    IS 'internal: transition function of counting_bloom_agg with a capacity and a false-positive '
       'rate';
CREATE FUNCTION _counting_bloom_step(counting_bloom, "any", double precision, double precision,
    text) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _counting_bloom_step(counting_bloom, "any", double precision,
    double precision, text)
    IS 'internal: transition function of counting_bloom_agg with a capacity, a false-positive '
       'rate and a layout';

CREATE FUNCTION _counting_bloom_inverse_step(counting_bloom, "any", double precision)
    RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_inverse_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _counting_bloom_inverse_step(counting_bloom, "any", double precision)
    IS 'internal: inverse transition function of counting_bloom_agg with a capacity';
CREATE FUNCTION _counting_bloom_inverse_step(counting_bloom, "any", double precision,
    double precision) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_inverse_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _counting_bloom_inverse_step(counting_bloom, "any", double precision,
    double precision)
    IS 'internal: inverse transition function of counting_bloom_agg with a capacity and a '
       'false-positive rate';
CREATE FUNCTION _counting_bloom_inverse_step(counting_bloom, "any", double precision,
    double precision, text) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', 'probds_counting_bloom_inverse_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _counting_bloom_inverse_step(counting_bloom, "any", double precision,
    double precision, text)
    IS 'internal: inverse transition function of counting_bloom_agg with a capacity, a '
       'false-positive rate and a layout';

CREATE AGGREGATE counting_bloom_agg(value "any", capacity double precision) (
    SFUNC = _counting_bloom_step, STYPE = counting_bloom, SSPACE = 16384,
    FINALFUNC = _counting_bloom_final, COMBINEFUNC = counting_bloom_merge, PARALLEL = SAFE,
    MSFUNC = _counting_bloom_step, MINVFUNC = _counting_bloom_inverse_step, MSTYPE = counting_bloom,
    MSSPACE = 16384, MFINALFUNC = _counting_bloom_final);
COMMENT ON AGGREGATE counting_bloom_agg("any", double precision)
    IS 'a counting filter of the values for a given capacity, at a false-positive rate of 1 %';
CREATE AGGREGATE counting_bloom_agg(value "any", capacity double precision,
    false_positive_rate double precision) (
    SFUNC = _counting_bloom_step, STYPE = counting_bloom, SSPACE = 16384,
    FINALFUNC = _counting_bloom_final, COMBINEFUNC = counting_bloom_merge, PARALLEL = SAFE,
    MSFUNC = _counting_bloom_step, MINVFUNC = _counting_bloom_inverse_step, MSTYPE = counting_bloom,
    MSSPACE = 16384, MFINALFUNC = _counting_bloom_final);
COMMENT ON AGGREGATE counting_bloom_agg("any", double precision, double precision)
    IS 'a counting filter of the values for a given capacity and false-positive rate';
CREATE AGGREGATE counting_bloom_agg(value "any", capacity double precision,
    false_positive_rate double precision, layout text) (
    SFUNC = _counting_bloom_step, STYPE = counting_bloom, SSPACE = 16384,
    FINALFUNC = _counting_bloom_final, COMBINEFUNC = counting_bloom_merge, PARALLEL = SAFE,
    MSFUNC = _counting_bloom_step, MINVFUNC = _counting_bloom_inverse_step, MSTYPE = counting_bloom,
    MSSPACE = 16384, MFINALFUNC = _counting_bloom_final);
COMMENT ON AGGREGATE counting_bloom_agg("any", double precision, double precision, text)
    IS 'a counting filter of the values for a given capacity, false-positive rate and layout, '
       'blocked or classic';
-- scalable_bloom: Bloom filters that grow, was this value among them

-- ---------- type ----------

CREATE TYPE scalable_bloom;
CREATE FUNCTION scalable_bloom_in(cstring, oid, integer) RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scalable_bloom_in(cstring, oid, integer)
    IS 'input: base64, or hexadecimal after \x';
CREATE FUNCTION scalable_bloom_out(scalable_bloom) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scalable_bloom_out(scalable_bloom) IS 'output: base64';
CREATE FUNCTION scalable_bloom_recv(internal, oid, integer) RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scalable_bloom_recv(internal, oid, integer) IS 'binary input, checked';
CREATE FUNCTION scalable_bloom_send(scalable_bloom) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scalable_bloom_send(scalable_bloom) IS 'binary output';
CREATE FUNCTION scalable_bloom_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_typmod_in'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scalable_bloom_typmod_in(cstring[])
    IS 'type modifier input: capacity and false-positive rate';
CREATE FUNCTION scalable_bloom_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_typmod_out'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scalable_bloom_typmod_out(integer) IS 'type modifier output';
CREATE TYPE scalable_bloom (
    INPUT = scalable_bloom_in, OUTPUT = scalable_bloom_out, RECEIVE = scalable_bloom_recv,
    SEND = scalable_bloom_send,
    TYPMOD_IN = scalable_bloom_typmod_in, TYPMOD_OUT = scalable_bloom_typmod_out,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external, CATEGORY = b
);
COMMENT ON TYPE scalable_bloom
    IS 'Bloom filter that grows by adding layers; scalable_bloom(1000, 0.01) begins with a layer '
       'for 1000 values, and all layers together keep a false-positive rate of 1 %';

-- ---------- casts ----------

CREATE FUNCTION scalable_bloom_from_bytea(bytea) RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_from_bytea'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scalable_bloom_from_bytea(bytea) IS 'a sketch from its bytes, checked';
CREATE FUNCTION scalable_bloom(scalable_bloom, integer, boolean) RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_typmod_cast'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scalable_bloom(scalable_bloom, integer, boolean)
    IS 'enforces a type modifier; an explicit cast folds to it';
CREATE CAST (scalable_bloom AS bytea) WITH FUNCTION scalable_bloom_send(scalable_bloom);
COMMENT ON CAST (scalable_bloom AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS scalable_bloom) WITH FUNCTION scalable_bloom_from_bytea(bytea);
COMMENT ON CAST (bytea AS scalable_bloom) IS 'a sketch from its bytes, checked';
CREATE CAST (scalable_bloom AS scalable_bloom)
    WITH FUNCTION scalable_bloom(scalable_bloom, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (scalable_bloom AS scalable_bloom) IS 'enforces a type modifier';

-- ---------- comparison ----------

-- The order is for sorting and merge joins; "<" would look as if it meant something
CREATE FUNCTION scalable_bloom_eq(scalable_bloom, scalable_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION scalable_bloom_eq(scalable_bloom, scalable_bloom)
    IS 'implementation of = operator';
CREATE FUNCTION scalable_bloom_ne(scalable_bloom, scalable_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION scalable_bloom_ne(scalable_bloom, scalable_bloom)
    IS 'implementation of <> operator';
CREATE FUNCTION scalable_bloom_lt(scalable_bloom, scalable_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION scalable_bloom_lt(scalable_bloom, scalable_bloom)
    IS 'implementation of *< operator';
CREATE FUNCTION scalable_bloom_le(scalable_bloom, scalable_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION scalable_bloom_le(scalable_bloom, scalable_bloom)
    IS 'implementation of *<= operator';
CREATE FUNCTION scalable_bloom_gt(scalable_bloom, scalable_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION scalable_bloom_gt(scalable_bloom, scalable_bloom)
    IS 'implementation of *> operator';
CREATE FUNCTION scalable_bloom_ge(scalable_bloom, scalable_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION scalable_bloom_ge(scalable_bloom, scalable_bloom)
    IS 'implementation of *>= operator';
CREATE FUNCTION scalable_bloom_cmp(scalable_bloom, scalable_bloom) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION scalable_bloom_cmp(scalable_bloom, scalable_bloom)
    IS 'less-equal-greater, by bytes';
CREATE FUNCTION scalable_bloom_hash(scalable_bloom) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION scalable_bloom_hash(scalable_bloom) IS 'hash of the bytes';
CREATE FUNCTION scalable_bloom_hash_extended(scalable_bloom, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_hash_extended'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION scalable_bloom_hash_extended(scalable_bloom, bigint)
    IS 'seeded hash of the bytes';
CREATE OPERATOR = (LEFTARG = scalable_bloom, RIGHTARG = scalable_bloom,
    FUNCTION = scalable_bloom_eq, COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel,
    HASHES, MERGES);
COMMENT ON OPERATOR = (scalable_bloom, scalable_bloom)
    IS 'same state: same parameters, same layers';
CREATE OPERATOR <> (LEFTARG = scalable_bloom, RIGHTARG = scalable_bloom,
    FUNCTION = scalable_bloom_ne, COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel,
    JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (scalable_bloom, scalable_bloom) IS 'different state';
CREATE OPERATOR *< (LEFTARG = scalable_bloom, RIGHTARG = scalable_bloom,
    FUNCTION = scalable_bloom_lt, COMMUTATOR = *>, NEGATOR = *>=, RESTRICT = scalarltsel,
    JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (scalable_bloom, scalable_bloom) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = scalable_bloom, RIGHTARG = scalable_bloom,
    FUNCTION = scalable_bloom_le, COMMUTATOR = *>=, NEGATOR = *>, RESTRICT = scalarlesel,
    JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (scalable_bloom, scalable_bloom) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = scalable_bloom, RIGHTARG = scalable_bloom,
    FUNCTION = scalable_bloom_gt, COMMUTATOR = *<, NEGATOR = *<=, RESTRICT = scalargtsel,
    JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (scalable_bloom, scalable_bloom) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = scalable_bloom, RIGHTARG = scalable_bloom,
    FUNCTION = scalable_bloom_ge, COMMUTATOR = *<=, NEGATOR = *<, RESTRICT = scalargesel,
    JOIN = scalargejoinsel);
COMMENT ON OPERATOR *>= (scalable_bloom, scalable_bloom) IS 'greater or equal, by bytes';
CREATE OPERATOR FAMILY scalable_bloom_ops USING btree;
COMMENT ON OPERATOR FAMILY scalable_bloom_ops USING btree IS 'scalable_bloom by bytes';
CREATE OPERATOR CLASS scalable_bloom_ops DEFAULT FOR TYPE scalable_bloom USING btree
    FAMILY scalable_bloom_ops AS
    OPERATOR 1 *<, OPERATOR 2 *<=, OPERATOR 3 =, OPERATOR 4 *>=, OPERATOR 5 *>,
    FUNCTION 1 scalable_bloom_cmp(scalable_bloom, scalable_bloom);
COMMENT ON OPERATOR CLASS scalable_bloom_ops USING btree IS 'scalable_bloom by bytes';
CREATE OPERATOR FAMILY scalable_bloom_ops USING hash;
COMMENT ON OPERATOR FAMILY scalable_bloom_ops USING hash IS 'scalable_bloom by bytes';
CREATE OPERATOR CLASS scalable_bloom_ops DEFAULT FOR TYPE scalable_bloom USING hash
    FAMILY scalable_bloom_ops AS
    OPERATOR 1 =, FUNCTION 1 scalable_bloom_hash(scalable_bloom),
    FUNCTION 2 scalable_bloom_hash_extended(scalable_bloom, bigint);
COMMENT ON OPERATOR CLASS scalable_bloom_ops USING hash IS 'scalable_bloom by bytes';

-- ---------- constructors and changes ----------

CREATE FUNCTION scalable_bloom_empty(capacity double precision DEFAULT 1000,
    false_positive_rate double precision DEFAULT 0.01, expansion integer DEFAULT 2)
    RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION scalable_bloom_empty(double precision, double precision, integer)
    IS 'an empty filter whose first layer holds a number of values; each later layer is larger '
       'by the expansion, and all together keep the false-positive rate';

CREATE FUNCTION scalable_bloom_size(capacity double precision DEFAULT 1000,
    false_positive_rate double precision DEFAULT 0.01, expansion integer DEFAULT 2,
    OUT layer integer, OUT capacity bigint, OUT layer_rate double precision, OUT bits bigint,
    OUT hashes integer, OUT bytes bigint, OUT bits_per_value double precision)
    RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_size' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    ROWS 20;
COMMENT ON FUNCTION scalable_bloom_size(double precision, double precision, integer)
    IS 'a row for each layer that a filter can have: how many values the filter holds when that '
       'layer is full, and its size then; for planning';

CREATE FUNCTION scalable_bloom_add_all(sketch scalable_bloom, elements text) RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION scalable_bloom_add_all(scalable_bloom, text)
    IS 'the sketch with every element of an array';
CREATE FUNCTION scalable_bloom_add_all(sketch scalable_bloom, elements anyarray)
    RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION scalable_bloom_add_all(scalable_bloom, anyarray)
    IS 'the sketch with every element of an array';

CREATE FUNCTION scalable_bloom_merge(sketch scalable_bloom, other scalable_bloom)
    RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION scalable_bloom_merge(scalable_bloom, scalable_bloom)
    IS 'the union of two sketches; NULL is ignored';

CREATE OPERATOR || (LEFTARG = scalable_bloom, RIGHTARG = scalable_bloom,
    FUNCTION = scalable_bloom_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (scalable_bloom, scalable_bloom) IS 'the union of two sketches';

CREATE FUNCTION scalable_bloom_add(sketch scalable_bloom, value text) RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION scalable_bloom_add(scalable_bloom, text) IS 'the sketch with one more value';
CREATE FUNCTION scalable_bloom_add(sketch scalable_bloom, value "any") RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION scalable_bloom_add(scalable_bloom, "any") IS 'the sketch with one more value';

-- ---------- queries ----------

CREATE FUNCTION scalable_bloom_contains_any(sketch scalable_bloom, elements text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_contains_any'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION scalable_bloom_contains_any(scalable_bloom, text)
    IS 'whether any element of the array was added; NULL elements are skipped, false for an '
       'empty array';
CREATE FUNCTION scalable_bloom_contains_any(sketch scalable_bloom, elements anyarray)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_contains_any'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION scalable_bloom_contains_any(scalable_bloom, anyarray)
    IS 'whether any element of the array was added; NULL elements are skipped, false for an '
       'empty array';

CREATE FUNCTION scalable_bloom_contains_all(sketch scalable_bloom, elements text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_contains_all'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION scalable_bloom_contains_all(scalable_bloom, text)
    IS 'whether every element of the array was added; NULL elements are skipped, true for an '
       'empty array';
CREATE FUNCTION scalable_bloom_contains_all(sketch scalable_bloom, elements anyarray)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_contains_all'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION scalable_bloom_contains_all(scalable_bloom, anyarray)
    IS 'whether every element of the array was added; NULL elements are skipped, true for an '
       'empty array';

CREATE FUNCTION scalable_bloom_cardinality(sketch scalable_bloom) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_cardinality'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION scalable_bloom_cardinality(scalable_bloom)
    IS 'the estimated number of distinct values, from the fill of the layers; a value that is in '
       'several merged filters counts once for each';

CREATE FUNCTION scalable_bloom_false_positive_rate(sketch scalable_bloom) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_false_positive_rate'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION scalable_bloom_false_positive_rate(scalable_bloom)
    IS 'the present false-positive rate: the share of values never added that some layer claims '
       'to hold';

CREATE FUNCTION scalable_bloom_info(sketch scalable_bloom, OUT layer integer, OUT capacity bigint,
    OUT items bigint, OUT fill double precision, OUT false_positive_rate double precision,
    OUT layer_rate double precision, OUT bits bigint, OUT hashes integer, OUT bytes integer,
    OUT encoding text, OUT status text, OUT promised_rate double precision, OUT expansion integer,
    OUT kind text, OUT family text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 500 ROWS 5;
COMMENT ON FUNCTION scalable_bloom_info(scalable_bloom)
    IS 'size, fill, rates and status (ok, full) of each layer, one row a layer, with the common '
       'parameters';

CREATE FUNCTION scalable_bloom_contains(sketch scalable_bloom, value text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 30;
COMMENT ON FUNCTION scalable_bloom_contains(scalable_bloom, text)
    IS 'whether the value was added: "no" is certain, "yes" is wrong at the false-positive rate';

CREATE FUNCTION _scalable_bloom_contained(value text, sketch scalable_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_contained'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 30;
COMMENT ON FUNCTION _scalable_bloom_contained(text, scalable_bloom)
    IS 'internal: same as scalable_bloom_contains, with the arguments swapped';

CREATE OPERATOR @> (LEFTARG = scalable_bloom, RIGHTARG = text, FUNCTION = scalable_bloom_contains,
    COMMUTATOR = <@, RESTRICT = contsel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (scalable_bloom, text) IS 'whether the value was added';

CREATE OPERATOR <@ (LEFTARG = text, RIGHTARG = scalable_bloom, FUNCTION = _scalable_bloom_contained,
    COMMUTATOR = @>, RESTRICT = contsel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ (text, scalable_bloom) IS 'whether the value was added';

CREATE FUNCTION scalable_bloom_contains(sketch scalable_bloom, value "any") RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 30;
COMMENT ON FUNCTION scalable_bloom_contains(scalable_bloom, "any")
    IS 'whether the value was added: "no" is certain, "yes" is wrong at the false-positive rate';

CREATE FUNCTION _scalable_bloom_contained(value "any", sketch scalable_bloom) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_contained'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 30;
COMMENT ON FUNCTION _scalable_bloom_contained("any", scalable_bloom)
    IS 'internal: same as scalable_bloom_contains, with the arguments swapped';

CREATE OPERATOR @> (LEFTARG = scalable_bloom, RIGHTARG = "any", FUNCTION = scalable_bloom_contains,
    COMMUTATOR = <@, RESTRICT = contsel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (scalable_bloom, "any") IS 'whether the value was added';

CREATE OPERATOR <@ (LEFTARG = "any", RIGHTARG = scalable_bloom,
    FUNCTION = _scalable_bloom_contained, COMMUTATOR = @>, RESTRICT = contsel,
    JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ ("any", scalable_bloom) IS 'whether the value was added';

-- ---------- other systems ----------

CREATE FUNCTION scalable_bloom_from_redis(sketch bytea, value_type regtype DEFAULT 'text')
    RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_from_redis' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION scalable_bloom_from_redis(bytea, regtype)
    IS 'imports the whole output of BF.SCANDUMP of RedisBloom, concatenated, with all layers; '
       'strings are text or bytea';

CREATE FUNCTION scalable_bloom_to_redis(sketch scalable_bloom) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_to_redis' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION scalable_bloom_to_redis(scalable_bloom)
    IS 'exports a filter that came from RedisBloom for BF.LOADCHUNK: a head of 20 bytes and 53 '
       'for each layer, then data';

-- ---------- aggregates ----------

CREATE FUNCTION _scalable_bloom_final(scalable_bloom) RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION _scalable_bloom_final(scalable_bloom)
    IS 'internal: final function of scalable_bloom_agg and scalable_bloom_merge_agg';

CREATE AGGREGATE scalable_bloom_merge_agg(scalable_bloom) (
    SFUNC = scalable_bloom_merge, STYPE = scalable_bloom, SSPACE = 8192,
    FINALFUNC = _scalable_bloom_final, COMBINEFUNC = scalable_bloom_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE scalable_bloom_merge_agg(scalable_bloom) IS 'the union of all sketches';

CREATE FUNCTION _scalable_bloom_step(scalable_bloom, "any") RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _scalable_bloom_step(scalable_bloom, "any")
    IS 'internal: transition function of scalable_bloom_agg';
CREATE FUNCTION _scalable_bloom_step(scalable_bloom, "any", double precision) RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _scalable_bloom_step(scalable_bloom, "any", double precision)
    IS 'internal: transition function of scalable_bloom_agg with a capacity';
CREATE FUNCTION _scalable_bloom_step(scalable_bloom, "any", double precision, double precision)
    RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _scalable_bloom_step(scalable_bloom, "any", double precision, double precision)
    IS 'internal: transition function of scalable_bloom_agg with a capacity and a false-positive '
       'rate';
CREATE FUNCTION _scalable_bloom_step(scalable_bloom, "any", double precision, double precision,
    integer) RETURNS scalable_bloom
    AS 'MODULE_PATHNAME', 'probds_scalable_bloom_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _scalable_bloom_step(scalable_bloom, "any", double precision,
    double precision, integer)
    IS 'internal: transition function of scalable_bloom_agg with a capacity, a false-positive '
       'rate and an expansion';

-- A state keeps the values' hashes and becomes one layer at the end.  Two layers would not be one:
-- no combine function.
CREATE AGGREGATE scalable_bloom_agg(value "any") (
    SFUNC = _scalable_bloom_step, STYPE = scalable_bloom, SSPACE = 2048,
    FINALFUNC = _scalable_bloom_final, PARALLEL = SAFE);
COMMENT ON AGGREGATE scalable_bloom_agg("any")
    IS 'a filter of the values that can grow, with one layer sized for their number';
CREATE AGGREGATE scalable_bloom_agg(value "any", capacity double precision) (
    SFUNC = _scalable_bloom_step, STYPE = scalable_bloom, SSPACE = 2048,
    FINALFUNC = _scalable_bloom_final, PARALLEL = SAFE);
COMMENT ON AGGREGATE scalable_bloom_agg("any", double precision)
    IS 'a filter of the values that can grow, with one layer sized for their number, at least '
       'for the capacity';
CREATE AGGREGATE scalable_bloom_agg(value "any", capacity double precision,
    false_positive_rate double precision) (
    SFUNC = _scalable_bloom_step, STYPE = scalable_bloom, SSPACE = 2048,
    FINALFUNC = _scalable_bloom_final, PARALLEL = SAFE);
COMMENT ON AGGREGATE scalable_bloom_agg("any", double precision, double precision)
    IS 'a filter of the values with at least a given capacity, and a false-positive rate';
CREATE AGGREGATE scalable_bloom_agg(value "any", capacity double precision,
    false_positive_rate double precision, expansion integer) (
    SFUNC = _scalable_bloom_step, STYPE = scalable_bloom, SSPACE = 2048,
    FINALFUNC = _scalable_bloom_final, PARALLEL = SAFE);
COMMENT ON AGGREGATE scalable_bloom_agg("any", double precision, double precision, integer)
    IS 'a filter of the values with at least a given capacity, a false-positive rate and an '
       'expansion';
-- minhash: how similar sets are

-- ---------- type ----------

CREATE TYPE minhash;
CREATE FUNCTION minhash_in(cstring, oid, integer) RETURNS minhash
    AS 'MODULE_PATHNAME', 'probds_minhash_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION minhash_in(cstring, oid, integer) IS 'input: base64, or hexadecimal after \x';
CREATE FUNCTION minhash_out(minhash) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_minhash_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION minhash_out(minhash) IS 'output: base64';
CREATE FUNCTION minhash_recv(internal, oid, integer) RETURNS minhash
    AS 'MODULE_PATHNAME', 'probds_minhash_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION minhash_recv(internal, oid, integer) IS 'binary input, checked';
CREATE FUNCTION minhash_send(minhash) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_minhash_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION minhash_send(minhash) IS 'binary output';
CREATE FUNCTION minhash_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_minhash_typmod_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION minhash_typmod_in(cstring[]) IS 'type modifier input: k';
CREATE FUNCTION minhash_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_minhash_typmod_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION minhash_typmod_out(integer) IS 'type modifier output';
CREATE TYPE minhash (
    INPUT = minhash_in, OUTPUT = minhash_out, RECEIVE = minhash_recv, SEND = minhash_send,
    TYPMOD_IN = minhash_typmod_in, TYPMOD_OUT = minhash_typmod_out,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external
);
COMMENT ON TYPE minhash
    IS 'MinHash sketch: estimates how similar sets of values are; minhash(128) has k = 128';

-- ---------- casts ----------

CREATE FUNCTION minhash_from_bytea(bytea) RETURNS minhash
    AS 'MODULE_PATHNAME', 'probds_minhash_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION minhash_from_bytea(bytea) IS 'a sketch from its bytes, checked';
CREATE FUNCTION minhash(minhash, integer, boolean) RETURNS minhash
    AS 'MODULE_PATHNAME', 'probds_minhash_typmod_cast' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION minhash(minhash, integer, boolean)
    IS 'enforces a type modifier; an explicit cast folds to it';
CREATE CAST (minhash AS bytea) WITH FUNCTION minhash_send(minhash);
COMMENT ON CAST (minhash AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS minhash) WITH FUNCTION minhash_from_bytea(bytea);
COMMENT ON CAST (bytea AS minhash) IS 'a sketch from its bytes, checked';
CREATE CAST (minhash AS minhash) WITH FUNCTION minhash(minhash, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (minhash AS minhash) IS 'enforces a type modifier';

-- ---------- comparison ----------

-- The order is for sorting and merge joins; "<" would look as if it meant something
CREATE FUNCTION minhash_eq(minhash, minhash) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_minhash_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION minhash_eq(minhash, minhash) IS 'implementation of = operator';
CREATE FUNCTION minhash_ne(minhash, minhash) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_minhash_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION minhash_ne(minhash, minhash) IS 'implementation of <> operator';
CREATE FUNCTION minhash_lt(minhash, minhash) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_minhash_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION minhash_lt(minhash, minhash) IS 'implementation of *< operator';
CREATE FUNCTION minhash_le(minhash, minhash) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_minhash_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION minhash_le(minhash, minhash) IS 'implementation of *<= operator';
CREATE FUNCTION minhash_gt(minhash, minhash) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_minhash_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION minhash_gt(minhash, minhash) IS 'implementation of *> operator';
CREATE FUNCTION minhash_ge(minhash, minhash) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_minhash_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION minhash_ge(minhash, minhash) IS 'implementation of *>= operator';
CREATE FUNCTION minhash_cmp(minhash, minhash) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_minhash_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION minhash_cmp(minhash, minhash) IS 'less-equal-greater, by bytes';
CREATE FUNCTION minhash_hash(minhash) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_minhash_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION minhash_hash(minhash) IS 'hash of the bytes';
CREATE FUNCTION minhash_hash_extended(minhash, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_minhash_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION minhash_hash_extended(minhash, bigint) IS 'seeded hash of the bytes';
CREATE OPERATOR = (LEFTARG = minhash, RIGHTARG = minhash, FUNCTION = minhash_eq, COMMUTATOR = =,
    NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (minhash, minhash) IS 'same state: same k, same values added';
CREATE OPERATOR <> (LEFTARG = minhash, RIGHTARG = minhash, FUNCTION = minhash_ne, COMMUTATOR = <>,
    NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (minhash, minhash) IS 'different state';
CREATE OPERATOR *< (LEFTARG = minhash, RIGHTARG = minhash, FUNCTION = minhash_lt, COMMUTATOR = *>,
    NEGATOR = *>=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (minhash, minhash) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = minhash, RIGHTARG = minhash, FUNCTION = minhash_le, COMMUTATOR = *>=,
    NEGATOR = *>, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (minhash, minhash) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = minhash, RIGHTARG = minhash, FUNCTION = minhash_gt, COMMUTATOR = *<,
    NEGATOR = *<=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (minhash, minhash) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = minhash, RIGHTARG = minhash, FUNCTION = minhash_ge, COMMUTATOR = *<=,
    NEGATOR = *<, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR *>= (minhash, minhash) IS 'greater or equal, by bytes';
CREATE OPERATOR FAMILY minhash_ops USING btree;
COMMENT ON OPERATOR FAMILY minhash_ops USING btree IS 'minhash by bytes';
CREATE OPERATOR CLASS minhash_ops DEFAULT FOR TYPE minhash USING btree FAMILY minhash_ops AS
    OPERATOR 1 *<, OPERATOR 2 *<=, OPERATOR 3 =, OPERATOR 4 *>=, OPERATOR 5 *>,
    FUNCTION 1 minhash_cmp(minhash, minhash);
COMMENT ON OPERATOR CLASS minhash_ops USING btree IS 'minhash by bytes';
CREATE OPERATOR FAMILY minhash_ops USING hash;
COMMENT ON OPERATOR FAMILY minhash_ops USING hash IS 'minhash by bytes';
CREATE OPERATOR CLASS minhash_ops DEFAULT FOR TYPE minhash USING hash FAMILY minhash_ops AS
    OPERATOR 1 =, FUNCTION 1 minhash_hash(minhash),
    FUNCTION 2 minhash_hash_extended(minhash, bigint);
COMMENT ON OPERATOR CLASS minhash_ops USING hash IS 'minhash by bytes';

-- ---------- constructors and changes ----------

CREATE FUNCTION minhash_empty(k integer DEFAULT 128) RETURNS minhash
    AS 'MODULE_PATHNAME', 'probds_minhash_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION minhash_empty(integer)
    IS 'an empty sketch of k registers, a power of 2 from 16 to 65536';

CREATE FUNCTION minhash_size(k integer DEFAULT 128, OUT error double precision,
    OUT jaccard_error double precision, OUT bytes bigint, OUT filled_bytes bigint)
    AS 'MODULE_PATHNAME', 'probds_minhash_size' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION minhash_size(integer)
    IS 'the errors of a sketch of k registers, and its size: at most, and of many values; for '
       'planning';

CREATE FUNCTION minhash_add_all(sketch minhash, elements text) RETURNS minhash
    AS 'MODULE_PATHNAME', 'probds_minhash_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION minhash_add_all(minhash, text) IS 'the sketch with every element of an array';
CREATE FUNCTION minhash_add_all(sketch minhash, elements anyarray) RETURNS minhash
    AS 'MODULE_PATHNAME', 'probds_minhash_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION minhash_add_all(minhash, anyarray)
    IS 'the sketch with every element of an array';

CREATE FUNCTION minhash_merge(sketch minhash, other minhash) RETURNS minhash
    AS 'MODULE_PATHNAME', 'probds_minhash_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 150;
COMMENT ON FUNCTION minhash_merge(minhash, minhash) IS 'the union of two sketches; NULL is ignored';

CREATE OPERATOR || (LEFTARG = minhash, RIGHTARG = minhash, FUNCTION = minhash_merge,
    COMMUTATOR = ||);
COMMENT ON OPERATOR || (minhash, minhash) IS 'the union of two sketches';

CREATE FUNCTION minhash_add(sketch minhash, value text) RETURNS minhash
    AS 'MODULE_PATHNAME', 'probds_minhash_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION minhash_add(minhash, text) IS 'the sketch with one more value';
CREATE FUNCTION minhash_add(sketch minhash, value "any") RETURNS minhash
    AS 'MODULE_PATHNAME', 'probds_minhash_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION minhash_add(minhash, "any") IS 'the sketch with one more value';

-- ---------- queries ----------

CREATE FUNCTION minhash_jaccard(sketch minhash, other minhash) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_minhash_jaccard' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 100;
COMMENT ON FUNCTION minhash_jaccard(minhash, minhash)
    IS 'the estimated Jaccard index: the share of the union that is in both, 0 to 1; NULL if '
       'both are empty';

CREATE FUNCTION minhash_jaccard_bounds(sketch minhash, other minhash,
    confidence double precision DEFAULT 0.95, OUT lower double precision,
    OUT estimate double precision, OUT upper double precision)
    AS 'MODULE_PATHNAME', 'probds_minhash_jaccard_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION minhash_jaccard_bounds(minhash, minhash, double precision)
    IS 'the estimated Jaccard index with its confidence interval';

CREATE FUNCTION minhash_containment(sketch minhash, other minhash) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_minhash_containment' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 100;
COMMENT ON FUNCTION minhash_containment(minhash, minhash)
    IS 'the estimated share of sketch that is in other, 0 to 1; NULL if sketch is empty';

CREATE FUNCTION minhash_intersection_bounds(sketches minhash[],
    confidence double precision DEFAULT 0.95, OUT lower bigint, OUT estimate bigint,
    OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_minhash_intersection_bounds' LANGUAGE C IMMUTABLE STRICT
    PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION minhash_intersection_bounds(minhash[], double precision)
    IS 'the estimated number of distinct values in all of the sketches with its confidence '
       'interval';

CREATE FUNCTION minhash_bands(sketch minhash, bands integer, rows integer) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'probds_minhash_bands' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION minhash_bands(minhash, integer, integer)
    IS 'bands of a sketch: similar sketches have at least one of these numbers in common, for a '
       'GIN index and &&';

CREATE FUNCTION minhash_cardinality(sketch minhash) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_minhash_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 50;
COMMENT ON FUNCTION minhash_cardinality(minhash) IS 'the estimated number of distinct values';

CREATE FUNCTION minhash_bounds(sketch minhash, confidence double precision DEFAULT 0.95,
    OUT lower bigint, OUT estimate bigint, OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_minhash_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION minhash_bounds(minhash, double precision)
    IS 'the estimated number of distinct values with its confidence interval';

CREATE FUNCTION minhash_info(sketch minhash, OUT k integer, OUT encoding text, OUT kind text,
    OUT bytes integer, OUT fill double precision, OUT cardinality bigint,
    OUT error double precision, OUT jaccard_error double precision)
    AS 'MODULE_PATHNAME', 'probds_minhash_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION minhash_info(minhash)
    IS 'k, encoding, size, fill and errors of a sketch, one row';

CREATE OPERATOR # (RIGHTARG = minhash, FUNCTION = minhash_cardinality);
COMMENT ON OPERATOR # (NONE, minhash) IS 'the estimated number of distinct values';

-- ---------- aggregates ----------

CREATE FUNCTION _minhash_final(minhash) RETURNS minhash
    AS 'MODULE_PATHNAME', 'probds_minhash_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION _minhash_final(minhash)
    IS 'internal: final function of minhash_agg and minhash_merge_agg';

CREATE AGGREGATE minhash_merge_agg(minhash) (
    SFUNC = minhash_merge, STYPE = minhash, SSPACE = 1024, FINALFUNC = _minhash_final,
    COMBINEFUNC = minhash_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE minhash_merge_agg(minhash) IS 'the union of all sketches';

CREATE FUNCTION _minhash_step(minhash, "any") RETURNS minhash
    AS 'MODULE_PATHNAME', 'probds_minhash_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _minhash_step(minhash, "any")
    IS 'internal: transition function of minhash_agg with the default k';
CREATE FUNCTION _minhash_step(minhash, "any", integer) RETURNS minhash
    AS 'MODULE_PATHNAME', 'probds_minhash_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _minhash_step(minhash, "any", integer)
    IS 'internal: transition function of minhash_agg';

CREATE AGGREGATE minhash_agg(value "any") (
    SFUNC = _minhash_step, STYPE = minhash, SSPACE = 1024, FINALFUNC = _minhash_final,
    COMBINEFUNC = minhash_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE minhash_agg("any") IS 'a sketch of the values, k = 128';
CREATE AGGREGATE minhash_agg(value "any", k integer) (
    SFUNC = _minhash_step, STYPE = minhash, SSPACE = 1024, FINALFUNC = _minhash_final,
    COMBINEFUNC = minhash_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE minhash_agg("any", integer)
    IS 'a sketch of the values of a given k, a power of 2 from 16 to 65536';
-- ddsketch: quantiles with an error that is certain

-- ---------- type ----------

CREATE TYPE ddsketch;
CREATE FUNCTION ddsketch_in(cstring, oid, integer) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_in(cstring, oid, integer) IS 'input: base64, or hexadecimal after \x';
CREATE FUNCTION ddsketch_out(ddsketch) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_ddsketch_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_out(ddsketch) IS 'output: base64';
CREATE FUNCTION ddsketch_recv(internal, oid, integer) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_recv(internal, oid, integer) IS 'binary input, checked';
CREATE FUNCTION ddsketch_send(ddsketch) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_ddsketch_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_send(ddsketch) IS 'binary output';
CREATE FUNCTION ddsketch_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_ddsketch_typmod_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_typmod_in(cstring[])
    IS 'type modifier input: relative error and max_buckets';
CREATE FUNCTION ddsketch_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_ddsketch_typmod_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_typmod_out(integer) IS 'type modifier output';
CREATE TYPE ddsketch (
    INPUT = ddsketch_in, OUTPUT = ddsketch_out, RECEIVE = ddsketch_recv, SEND = ddsketch_send,
    TYPMOD_IN = ddsketch_typmod_in, TYPMOD_OUT = ddsketch_typmod_out,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external
);
COMMENT ON TYPE ddsketch
    IS 'DDSketch: quantiles whose relative error is bounded; ddsketch(0.01) is off by at most '
       '1 %';

-- ---------- casts ----------

CREATE FUNCTION ddsketch_from_bytea(bytea) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_from_bytea(bytea) IS 'a sketch from its bytes, checked';
CREATE FUNCTION ddsketch(ddsketch, integer, boolean) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_typmod_cast' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch(ddsketch, integer, boolean)
    IS 'enforces a type modifier; an explicit cast folds to it';
CREATE CAST (ddsketch AS bytea) WITH FUNCTION ddsketch_send(ddsketch);
COMMENT ON CAST (ddsketch AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS ddsketch) WITH FUNCTION ddsketch_from_bytea(bytea);
COMMENT ON CAST (bytea AS ddsketch) IS 'a sketch from its bytes, checked';
CREATE CAST (ddsketch AS ddsketch) WITH FUNCTION ddsketch(ddsketch, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (ddsketch AS ddsketch) IS 'enforces a type modifier';

-- ---------- comparison ----------

-- The order is for sorting and merge joins; "<" would look as if it meant something
CREATE FUNCTION ddsketch_eq(ddsketch, ddsketch) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_ddsketch_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_eq(ddsketch, ddsketch) IS 'implementation of = operator';
CREATE FUNCTION ddsketch_ne(ddsketch, ddsketch) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_ddsketch_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_ne(ddsketch, ddsketch) IS 'implementation of <> operator';
CREATE FUNCTION ddsketch_lt(ddsketch, ddsketch) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_ddsketch_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_lt(ddsketch, ddsketch) IS 'implementation of *< operator';
CREATE FUNCTION ddsketch_le(ddsketch, ddsketch) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_ddsketch_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_le(ddsketch, ddsketch) IS 'implementation of *<= operator';
CREATE FUNCTION ddsketch_gt(ddsketch, ddsketch) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_ddsketch_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_gt(ddsketch, ddsketch) IS 'implementation of *> operator';
CREATE FUNCTION ddsketch_ge(ddsketch, ddsketch) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_ddsketch_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_ge(ddsketch, ddsketch) IS 'implementation of *>= operator';
CREATE FUNCTION ddsketch_cmp(ddsketch, ddsketch) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_ddsketch_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_cmp(ddsketch, ddsketch) IS 'less-equal-greater, by bytes';
CREATE FUNCTION ddsketch_hash(ddsketch) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_ddsketch_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ddsketch_hash(ddsketch) IS 'hash of the bytes';
CREATE FUNCTION ddsketch_hash_extended(ddsketch, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_ddsketch_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION ddsketch_hash_extended(ddsketch, bigint) IS 'seeded hash of the bytes';
CREATE OPERATOR = (LEFTARG = ddsketch, RIGHTARG = ddsketch, FUNCTION = ddsketch_eq,
    COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (ddsketch, ddsketch)
    IS 'same state: same parameters, same values in each bucket';
CREATE OPERATOR <> (LEFTARG = ddsketch, RIGHTARG = ddsketch, FUNCTION = ddsketch_ne,
    COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (ddsketch, ddsketch) IS 'different state';
CREATE OPERATOR *< (LEFTARG = ddsketch, RIGHTARG = ddsketch, FUNCTION = ddsketch_lt,
    COMMUTATOR = *>, NEGATOR = *>=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (ddsketch, ddsketch) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = ddsketch, RIGHTARG = ddsketch, FUNCTION = ddsketch_le,
    COMMUTATOR = *>=, NEGATOR = *>, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (ddsketch, ddsketch) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = ddsketch, RIGHTARG = ddsketch, FUNCTION = ddsketch_gt,
    COMMUTATOR = *<, NEGATOR = *<=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (ddsketch, ddsketch) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = ddsketch, RIGHTARG = ddsketch, FUNCTION = ddsketch_ge,
    COMMUTATOR = *<=, NEGATOR = *<, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR *>= (ddsketch, ddsketch) IS 'greater or equal, by bytes';
CREATE OPERATOR FAMILY ddsketch_ops USING btree;
COMMENT ON OPERATOR FAMILY ddsketch_ops USING btree IS 'ddsketch by bytes';
CREATE OPERATOR CLASS ddsketch_ops DEFAULT FOR TYPE ddsketch USING btree FAMILY ddsketch_ops AS
    OPERATOR 1 *<, OPERATOR 2 *<=, OPERATOR 3 =, OPERATOR 4 *>=, OPERATOR 5 *>,
    FUNCTION 1 ddsketch_cmp(ddsketch, ddsketch);
COMMENT ON OPERATOR CLASS ddsketch_ops USING btree IS 'ddsketch by bytes';
CREATE OPERATOR FAMILY ddsketch_ops USING hash;
COMMENT ON OPERATOR FAMILY ddsketch_ops USING hash IS 'ddsketch by bytes';
CREATE OPERATOR CLASS ddsketch_ops DEFAULT FOR TYPE ddsketch USING hash FAMILY ddsketch_ops AS
    OPERATOR 1 =, FUNCTION 1 ddsketch_hash(ddsketch),
    FUNCTION 2 ddsketch_hash_extended(ddsketch, bigint);
COMMENT ON OPERATOR CLASS ddsketch_ops USING hash IS 'ddsketch by bytes';

-- ---------- constructors and changes ----------

CREATE FUNCTION ddsketch_empty(relative_error double precision DEFAULT 0.01,
    max_buckets integer DEFAULT 4096) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_empty(double precision, integer)
    IS 'an empty sketch whose quantiles are off by at most a relative error, as long as it needs '
       'no more than max_buckets buckets';

CREATE FUNCTION ddsketch_size(relative_error double precision DEFAULT 0.01,
    max_buckets integer DEFAULT 4096, OUT scale integer, OUT error double precision,
    OUT bytes bigint, OUT filled_bytes bigint)
    AS 'MODULE_PATHNAME', 'probds_ddsketch_size' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ddsketch_size(double precision, integer)
    IS 'the scale of a relative error, the error that it has, and the size of a sketch of '
       'max_buckets buckets: at most, and of a smooth distribution; for planning';

CREATE FUNCTION ddsketch_add_all(sketch ddsketch, elements text) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION ddsketch_add_all(ddsketch, text) IS 'the sketch with every element of an array';
CREATE FUNCTION ddsketch_add_all(sketch ddsketch, elements anyarray) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300;
COMMENT ON FUNCTION ddsketch_add_all(ddsketch, anyarray)
    IS 'the sketch with every element of an array';

CREATE FUNCTION ddsketch_merge(sketch ddsketch, other ddsketch) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 250;
COMMENT ON FUNCTION ddsketch_merge(ddsketch, ddsketch)
    IS 'the values of two sketches together; NULL is ignored';

CREATE OPERATOR || (LEFTARG = ddsketch, RIGHTARG = ddsketch, FUNCTION = ddsketch_merge,
    COMMUTATOR = ||);
COMMENT ON OPERATOR || (ddsketch, ddsketch) IS 'the values of two sketches together';

CREATE FUNCTION ddsketch_add(sketch ddsketch, value text) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION ddsketch_add(ddsketch, text) IS 'the sketch with one more value';
CREATE FUNCTION ddsketch_add(sketch ddsketch, value "any") RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 300
    SUPPORT _probds_add_support;
COMMENT ON FUNCTION ddsketch_add(ddsketch, "any") IS 'the sketch with one more value';

-- ---------- queries ----------

CREATE FUNCTION ddsketch_quantile(sketch ddsketch, quantile double precision)
    RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_quantile' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 100;
COMMENT ON FUNCTION ddsketch_quantile(ddsketch, double precision)
    IS 'a quantile of the values, 0 to 1, as percentile_disc() has it; of intervals in seconds; '
       'NULL if there are no values';

CREATE FUNCTION ddsketch_quantile_interval(sketch ddsketch, quantile double precision)
    RETURNS interval
    AS 'MODULE_PATHNAME', 'probds_ddsketch_quantile_interval'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION ddsketch_quantile_interval(ddsketch, double precision)
    IS 'a quantile of a sketch of intervals, 0 to 1; NULL if there are no values';

CREATE FUNCTION ddsketch_quantiles(sketch ddsketch, quantiles double precision[])
    RETURNS double precision[]
    AS 'MODULE_PATHNAME', 'probds_ddsketch_quantiles' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 200;
COMMENT ON FUNCTION ddsketch_quantiles(ddsketch, double precision[])
    IS 'several quantiles of the values, each 0 to 1; of intervals in seconds';

CREATE FUNCTION ddsketch_bounds(sketch ddsketch, quantile double precision,
    OUT lower double precision, OUT estimate double precision, OUT upper double precision)
    AS 'MODULE_PATHNAME', 'probds_ddsketch_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 100;
COMMENT ON FUNCTION ddsketch_bounds(ddsketch, double precision)
    IS 'a quantile of the values, and bounds between which it is with certainty; of intervals in '
       'seconds';

CREATE FUNCTION ddsketch_rank(sketch ddsketch, value text) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_rank' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION ddsketch_rank(ddsketch, text)
    IS 'the estimated share of the values at or below this one, 0 to 1; NULL if there are none';
CREATE FUNCTION ddsketch_rank(sketch ddsketch, value "any") RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_rank' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION ddsketch_rank(ddsketch, "any")
    IS 'the estimated share of the values at or below this one, 0 to 1; NULL if there are none';

CREATE FUNCTION ddsketch_count(sketch ddsketch) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_ddsketch_count' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION ddsketch_count(ddsketch) IS 'the number of values, exact';
CREATE FUNCTION ddsketch_min(sketch ddsketch) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_min' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION ddsketch_min(ddsketch)
    IS 'the smallest value, exact; of intervals in seconds; NULL if there are none';
CREATE FUNCTION ddsketch_max(sketch ddsketch) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_max' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION ddsketch_max(ddsketch)
    IS 'the largest value, exact; of intervals in seconds; NULL if there are none';
CREATE FUNCTION ddsketch_sum(sketch ddsketch) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_sum' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION ddsketch_sum(ddsketch)
    IS 'the estimated sum of the values; of intervals in seconds; NULL if there are none';
CREATE FUNCTION ddsketch_avg(sketch ddsketch) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_avg' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION ddsketch_avg(ddsketch)
    IS 'the estimated mean of the values; of intervals in seconds; NULL if there are none';

CREATE FUNCTION ddsketch_buckets(sketch ddsketch, OUT lower double precision,
    OUT upper double precision, OUT count bigint) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_ddsketch_buckets' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 500 ROWS 500;
COMMENT ON FUNCTION ddsketch_buckets(ddsketch)
    IS 'how many values there are from lower to upper, bucket by bucket, for a histogram; of '
       'intervals in seconds';

CREATE FUNCTION ddsketch_info(sketch ddsketch, OUT relative_error double precision,
    OUT error double precision, OUT scale integer, OUT max_buckets integer, OUT buckets integer,
    OUT encoding text, OUT kind text, OUT bytes integer, OUT total bigint, OUT status text)
    AS 'MODULE_PATHNAME', 'probds_ddsketch_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION ddsketch_info(ddsketch)
    IS 'parameters, error, scale, buckets, size and number of values of a sketch, one row';

-- ---------- other systems ----------

CREATE FUNCTION ddsketch_from_opentelemetry(histogram bytea) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_from_opentelemetry'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION ddsketch_from_opentelemetry(bytea)
    IS 'imports an exponential histogram of OpenTelemetry, an '
       'ExponentialHistogramDataPoint in Protocol Buffers';
CREATE FUNCTION ddsketch_to_opentelemetry(sketch ddsketch) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_ddsketch_to_opentelemetry'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION ddsketch_to_opentelemetry(ddsketch)
    IS 'exports a sketch as an exponential histogram of OpenTelemetry, an '
       'ExponentialHistogramDataPoint in Protocol Buffers';

CREATE FUNCTION ddsketch_from_prometheus(histogram bytea) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_from_prometheus'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION ddsketch_from_prometheus(bytea)
    IS 'imports a native histogram of Prometheus, in Protocol Buffers';
CREATE FUNCTION ddsketch_to_prometheus(sketch ddsketch) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_ddsketch_to_prometheus'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION ddsketch_to_prometheus(ddsketch)
    IS 'exports a sketch as a native histogram of Prometheus, in Protocol Buffers';

-- ---------- aggregates ----------

CREATE FUNCTION _ddsketch_final(ddsketch) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION _ddsketch_final(ddsketch)
    IS 'internal: final function of ddsketch_agg and ddsketch_merge_agg';

CREATE AGGREGATE ddsketch_merge_agg(ddsketch) (
    SFUNC = ddsketch_merge, STYPE = ddsketch, SSPACE = 8192, FINALFUNC = _ddsketch_final,
    COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE ddsketch_merge_agg(ddsketch) IS 'the values of all sketches together';

CREATE FUNCTION _ddsketch_step(ddsketch, "any") RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_step(ddsketch, "any")
    IS 'internal: transition function of ddsketch_agg';
CREATE FUNCTION _ddsketch_step(ddsketch, "any", double precision) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_step(ddsketch, "any", double precision)
    IS 'internal: transition function of ddsketch_agg';
CREATE FUNCTION _ddsketch_step(ddsketch, "any", double precision, integer)
    RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_step(ddsketch, "any", double precision, integer)
    IS 'internal: transition function of ddsketch_agg';

CREATE FUNCTION _ddsketch_weighted_step(ddsketch, "any", "any") RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_weighted_step(ddsketch, "any", "any")
    IS 'internal: transition function of ddsketch_agg_weighted';
CREATE FUNCTION _ddsketch_weighted_step(ddsketch, "any", "any", double precision) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_weighted_step(ddsketch, "any", "any", double precision)
    IS 'internal: transition function of ddsketch_agg_weighted';
CREATE FUNCTION _ddsketch_weighted_step(ddsketch, "any", "any", double precision, integer)
    RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_weighted_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_weighted_step(ddsketch, "any", "any", double precision, integer)
    IS 'internal: transition function of ddsketch_agg_weighted';

CREATE AGGREGATE ddsketch_agg(value "any") (
    SFUNC = _ddsketch_step, STYPE = ddsketch, SSPACE = 8192, FINALFUNC = _ddsketch_final,
    COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE ddsketch_agg("any")
    IS 'a sketch of the values, of a relative error of 1 %';
CREATE AGGREGATE ddsketch_agg(value "any", relative_error double precision) (
    SFUNC = _ddsketch_step, STYPE = ddsketch, SSPACE = 8192, FINALFUNC = _ddsketch_final,
    COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE ddsketch_agg("any", double precision)
    IS 'a sketch of the values, of a given relative error';
CREATE AGGREGATE ddsketch_agg(value "any", relative_error double precision, max_buckets integer) (
    SFUNC = _ddsketch_step, STYPE = ddsketch, SSPACE = 8192, FINALFUNC = _ddsketch_final,
    COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE ddsketch_agg("any", double precision, integer)
    IS 'a sketch of the values, of a given relative error and '
       'number of buckets';

CREATE AGGREGATE ddsketch_agg_weighted(value "any", weight "any") (
    SFUNC = _ddsketch_weighted_step, STYPE = ddsketch, SSPACE = 8192, FINALFUNC = _ddsketch_final,
    COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE ddsketch_agg_weighted("any", "any")
    IS 'a sketch of the values, each as often as its weight says, of a relative error of 1 %';
CREATE AGGREGATE ddsketch_agg_weighted(value "any", weight "any",
    relative_error double precision) (
    SFUNC = _ddsketch_weighted_step, STYPE = ddsketch, SSPACE = 8192, FINALFUNC = _ddsketch_final,
    COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE ddsketch_agg_weighted("any", "any", double precision)
    IS 'a sketch of the values, each as often as its weight says, of a given relative error';
CREATE AGGREGATE ddsketch_agg_weighted(value "any", weight "any",
    relative_error double precision, max_buckets integer) (
    SFUNC = _ddsketch_weighted_step, STYPE = ddsketch, SSPACE = 8192, FINALFUNC = _ddsketch_final,
    COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE ddsketch_agg_weighted("any", "any", double precision, integer)
    IS 'a sketch of the values, each as often as its weight says, of a given relative error and '
       'number of buckets';

CREATE FUNCTION _ddsketch_percentile_step(ddsketch, "any", double precision) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_percentile_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_percentile_step(ddsketch, "any", double precision)
    IS 'internal: transition function of approx_percentile';
CREATE FUNCTION _ddsketch_percentile_step(ddsketch, "any", double precision[]) RETURNS ddsketch
    AS 'MODULE_PATHNAME', 'probds_ddsketch_percentiles_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _ddsketch_percentile_step(ddsketch, "any", double precision[])
    IS 'internal: transition function of approx_percentile';
CREATE FUNCTION _ddsketch_final_percentile(ddsketch) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_ddsketch_final_percentile' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION _ddsketch_final_percentile(ddsketch)
    IS 'internal: final function of approx_percentile';
CREATE FUNCTION _ddsketch_final_percentiles(ddsketch) RETURNS double precision[]
    AS 'MODULE_PATHNAME', 'probds_ddsketch_final_percentiles' LANGUAGE C IMMUTABLE PARALLEL SAFE
    COST 500;
COMMENT ON FUNCTION _ddsketch_final_percentiles(ddsketch)
    IS 'internal: final function of approx_percentile';
CREATE AGGREGATE approx_percentile(value "any", quantile double precision) (
    SFUNC = _ddsketch_percentile_step, STYPE = ddsketch, SSPACE = 8192,
    FINALFUNC = _ddsketch_final_percentile, COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE approx_percentile("any", double precision)
    IS 'a quantile of the values, 0 to 1, off by at most 1 %; of intervals in seconds';
CREATE AGGREGATE approx_percentile(value "any", quantiles double precision[]) (
    SFUNC = _ddsketch_percentile_step, STYPE = ddsketch, SSPACE = 8192,
    FINALFUNC = _ddsketch_final_percentiles, COMBINEFUNC = ddsketch_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE approx_percentile("any", double precision[])
    IS 'several quantiles of the values, each 0 to 1, off by at most 1 %; of intervals in seconds';
-- rollup: tables of sketches that keep themselves current (rollup.h)

-- ---------- internal ----------

CREATE FUNCTION _probds_rollup_trigger() RETURNS trigger
    AS 'MODULE_PATHNAME', 'probds_rollup_trigger' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION _probds_rollup_trigger()
    IS 'internal: trigger that tells the rollups of a table what has changed';

CREATE FUNCTION _probds_rollup_guard() RETURNS trigger
    AS 'MODULE_PATHNAME', 'probds_rollup_guard' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION _probds_rollup_guard()
    IS 'internal: trigger that lets only the rollup itself write into its parts';

CREATE FUNCTION _probds_rollup_touched(query anyelement, secret uuid, settled boolean)
    RETURNS SETOF anyelement
    AS 'MODULE_PATHNAME', 'probds_rollup_touched' LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000;
COMMENT ON FUNCTION _probds_rollup_touched(anyelement, uuid, boolean)
    IS 'internal: the groups of a rollup that are to be computed from its source, and the others';

CREATE FUNCTION _probds_shift(bound anyelement, steps bigint) RETURNS anyelement
    AS 'MODULE_PATHNAME', 'probds_shift' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION _probds_shift(anyelement, bigint)
    IS 'internal: a value so many steps away: near a bound that cuts through a group of a rollup';

CREATE FUNCTION _probds_rollup_ddl() RETURNS event_trigger
    AS 'MODULE_PATHNAME', 'probds_rollup_ddl' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION _probds_rollup_ddl()
    IS 'internal: event trigger that tells rollups of partitions that come and go';

CREATE EVENT TRIGGER probds_rollup_drop ON ddl_command_start
    WHEN TAG IN ('DROP TABLE', 'DROP VIEW', 'DROP SCHEMA', 'DROP OWNED')
    EXECUTE FUNCTION _probds_rollup_ddl();
COMMENT ON EVENT TRIGGER probds_rollup_drop
    IS 'tells rollups of partitions that go';
CREATE EVENT TRIGGER probds_rollup_change ON ddl_command_end
    WHEN TAG IN ('CREATE TABLE', 'CREATE FOREIGN TABLE', 'ALTER TABLE', 'ALTER FOREIGN TABLE')
    EXECUTE FUNCTION _probds_rollup_ddl();
COMMENT ON EVENT TRIGGER probds_rollup_change
    IS 'tells rollups of partitions that come, or are detached';

-- ---------- what users call ----------

CREATE FUNCTION probds_create_rollup(name text, query text, live boolean DEFAULT true,
                                     with_data boolean DEFAULT true,
                                     if_not_exists boolean DEFAULT false,
                                     retention interval DEFAULT NULL,
                                     frozen_after interval DEFAULT NULL,
                                     schedule interval DEFAULT NULL) RETURNS regclass
    AS 'MODULE_PATHNAME', 'probds_create_rollup' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION probds_create_rollup(text, text, boolean, boolean, boolean, interval, interval,
    interval)
    IS 'creates a rollup: the results of a query over a table, kept current as rows come';

CREATE FUNCTION probds_alter_rollup(rollup regclass, live boolean DEFAULT NULL,
                                    retention interval DEFAULT NULL,
                                    frozen_after interval DEFAULT NULL,
                                    schedule interval DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'probds_alter_rollup' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION probds_alter_rollup(regclass, boolean, interval, interval, interval)
    IS 'changes options of a rollup; NULL leaves one as it is, an interval of 0 removes it';

CREATE FUNCTION probds_add_rollup_column(rollup regclass, aggregate text) RETURNS void
    AS 'MODULE_PATHNAME', 'probds_add_rollup_column' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_add_rollup_column(regclass, text)
    IS 'adds an aggregate to a rollup; its groups are computed again by the next refresh';

CREATE FUNCTION probds_drop_rollup_column(rollup regclass, column_name text) RETURNS void
    AS 'MODULE_PATHNAME', 'probds_drop_rollup_column' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_drop_rollup_column(regclass, text)
    IS 'drops an aggregate of a rollup';

CREATE FUNCTION probds_alter_rollup_source(source regclass, command text) RETURNS void
    AS 'MODULE_PATHNAME', 'probds_alter_rollup_source' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_alter_rollup_source(regclass, text)
    IS 'runs ALTER TABLE on the source of rollups, such as for the type of a column; their groups '
       'are computed again by the next refresh';

CREATE FUNCTION probds_create_rollup_view(name text, rollup regclass, group_by text[])
    RETURNS regclass
    AS 'MODULE_PATHNAME', 'probds_create_rollup_view' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION probds_create_rollup_view(text, regclass, text[])
    IS 'creates a view that merges the rows of a rollup into coarser groups, such as days into '
       'weeks';

CREATE PROCEDURE probds_refresh_rollup(rollup regclass)
    AS 'MODULE_PATHNAME', 'probds_refresh_rollup' LANGUAGE C;
COMMENT ON PROCEDURE probds_refresh_rollup(regclass)
    IS 'computes the groups of a rollup again whose rows were changed, and folds its parts';

CREATE PROCEDURE probds_refresh_due_rollups()
    AS 'MODULE_PATHNAME', 'probds_refresh_due_rollups' LANGUAGE C;
COMMENT ON PROCEDURE probds_refresh_due_rollups()
    IS 'refreshes the rollups of the current user whose schedule says so; pg_cron calls it';

CREATE PROCEDURE probds_rebuild_rollup(rollup regclass)
    AS 'MODULE_PATHNAME', 'probds_rebuild_rollup' LANGUAGE C;
COMMENT ON PROCEDURE probds_rebuild_rollup(regclass)
    IS 'computes all groups of a rollup again from the current rows of its source';

CREATE FUNCTION probds_fold_rollup(rollup regclass) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_fold_rollup' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_fold_rollup(regclass)
    IS 'merges the parts of each group into one, deletes groups beyond the retention, and returns '
       'the number of rows removed';

CREATE FUNCTION probds_drop_rollup(name text) RETURNS void
    AS 'MODULE_PATHNAME', 'probds_drop_rollup' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_drop_rollup(text)
    IS 'drops a rollup and all its objects, even if some of them are missing';

CREATE FUNCTION probds_rollups(OUT rollup regclass, OUT source regclass, OUT query text,
                               OUT live boolean, OUT groups_waiting bigint, OUT refreshing text,
                               OUT schedule interval, OUT last_refresh timestamp with time zone,
                               OUT bytes bigint, OUT status text)
    RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_rollups' LANGUAGE C STABLE ROWS 10;
COMMENT ON FUNCTION probds_rollups()
    IS 'the rollups that the current user may read: source, query, groups that wait for a refresh, '
       'size and status';

-- A setting may be there before the library: the function says so.
SELECT FROM probds_rollups();
-- existence: an index that answers "is there a row with this key?"

CREATE FUNCTION _probds_existence_handler(internal) RETURNS index_am_handler
    AS 'MODULE_PATHNAME', 'probds_existence_handler' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION _probds_existence_handler(internal)
    IS 'internal: handler of the access method existence';

CREATE ACCESS METHOD existence TYPE INDEX HANDLER _probds_existence_handler;
COMMENT ON ACCESS METHOD existence
    IS 'existence index: answers whether a row with a key may exist, where "no" is certain';

CREATE OPERATOR FAMILY existence_ops USING existence;
COMMENT ON OPERATOR FAMILY existence_ops USING existence IS 'equality of types that probds hashes';

CREATE OPERATOR CLASS existence_ops DEFAULT FOR TYPE anyelement USING existence
    FAMILY existence_ops AS STORAGE anyelement;
-- Conditions for bitmap scans.  Not of types that others become by a mere change of name
-- (oid, bpchar, arrays, records), since the family serves columns of every type.
ALTER OPERATOR FAMILY existence_ops USING existence ADD
    OPERATOR 1 = (int2, int2),
    OPERATOR 1 = (int2, int4),
    OPERATOR 1 = (int2, int8),
    OPERATOR 1 = (int4, int2),
    OPERATOR 1 = (int4, int4),
    OPERATOR 1 = (int4, int8),
    OPERATOR 1 = (int8, int2),
    OPERATOR 1 = (int8, int4),
    OPERATOR 1 = (int8, int8),
    OPERATOR 1 = (float4, float4),
    OPERATOR 1 = (float4, float8),
    OPERATOR 1 = (float8, float4),
    OPERATOR 1 = (float8, float8),
    OPERATOR 1 = (text, text),
    OPERATOR 1 = (name, name),
    OPERATOR 1 = (numeric, numeric),
    OPERATOR 1 = (bytea, bytea),
    OPERATOR 1 = (bool, bool),
    OPERATOR 1 = (date, date),
    OPERATOR 1 = (time, time),
    OPERATOR 1 = (timetz, timetz),
    OPERATOR 1 = (timestamp, timestamp),
    OPERATOR 1 = (timestamptz, timestamptz),
    OPERATOR 1 = (interval, interval),
    OPERATOR 1 = (uuid, uuid),
    OPERATOR 1 = (inet, inet),
    OPERATOR 1 = (macaddr, macaddr),
    OPERATOR 1 = (macaddr8, macaddr8),
    OPERATOR 1 = (jsonb, jsonb),
    OPERATOR 1 = (money, money),
    OPERATOR 1 = (pg_lsn, pg_lsn);
COMMENT ON OPERATOR CLASS existence_ops USING existence IS 'keys of any type that probds can hash';

CREATE FUNCTION existence_info(relation regclass, column_name name,
                               OUT index regclass, OUT layers integer,
                               OUT keys bigint, OUT capacity bigint,
                               OUT fill double precision, OUT false_positive_rate double precision,
                               OUT promised_rate double precision, OUT bytes bigint,
                               OUT bytes_after_reindex bigint, OUT kind text, OUT status text)
    RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_existence_info' LANGUAGE C STABLE STRICT ROWS 1 COST 10000;
COMMENT ON FUNCTION existence_info(regclass, name)
    IS 'one row for each existence index on the column: layers, estimated keys, fill, current '
       'and promised false-positive rate, bytes now and after REINDEX, and whether it can answer '
       '"no"';

CREATE FUNCTION existence_verify(relation regclass, column_name name) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_existence_verify' LANGUAGE C STABLE STRICT COST 1000000;
COMMENT ON FUNCTION existence_verify(regclass, name)
    IS 'looks up every visible row of the table in its existence indexes and returns the number '
       'of rows; an error if one is not found';

CREATE FUNCTION existence_export(relation regclass, column_name name) RETURNS bloom
    AS 'MODULE_PATHNAME', 'probds_existence_export' LANGUAGE C STABLE STRICT COST 10000;
COMMENT ON FUNCTION existence_export(regclass, name)
    IS 'an existence index that has a single layer, as a bloom filter with the same bits';

CREATE FUNCTION existence_might_contain(relation regclass, column_name name, value text)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain' LANGUAGE C STABLE STRICT PARALLEL SAFE
    COST 20;
COMMENT ON FUNCTION existence_might_contain(regclass, name, text)
    IS 'whether a row may have this value in the column, by its existence index: "no" is '
       'certain, "yes" is wrong at the false-positive rate';
CREATE FUNCTION existence_might_contain(relation regclass, column_name name, value "any")
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain' LANGUAGE C STABLE STRICT PARALLEL SAFE
    COST 20;
COMMENT ON FUNCTION existence_might_contain(regclass, name, "any")
    IS 'whether a row may have this value in the column, by its existence index: "no" is '
       'certain, "yes" is wrong at the false-positive rate';

-- (a char(n) would become text, without the spaces at its end, before the function sees it)
CREATE FUNCTION existence_might_contain(relation regclass, column_name name, value character)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain' LANGUAGE C STABLE STRICT PARALLEL SAFE
    COST 20;
COMMENT ON FUNCTION existence_might_contain(regclass, name, character)
    IS 'whether a row may have this value in the column, by its existence index: "no" is '
       'certain, "yes" is wrong at the false-positive rate';

CREATE FUNCTION existence_might_contain_any(relation regclass, column_name name, elements text)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain_any'
    LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION existence_might_contain_any(regclass, name, text)
    IS 'whether a row may have any of these values in the column';
CREATE FUNCTION existence_might_contain_any(relation regclass, column_name name, elements anyarray)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain_any'
    LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION existence_might_contain_any(regclass, name, anyarray)
    IS 'whether a row may have any of these values in the column';

CREATE FUNCTION existence_might_contain_all(relation regclass, column_name name, elements text)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain_all'
    LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION existence_might_contain_all(regclass, name, text)
    IS 'whether each of these values may be in a row of the column';
CREATE FUNCTION existence_might_contain_all(relation regclass, column_name name, elements anyarray)
    RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_existence_might_contain_all'
    LANGUAGE C STABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION existence_might_contain_all(regclass, name, anyarray)
    IS 'whether each of these values may be in a row of the column';
-- health: what the sketches in a database are, and whether they can be trusted

CREATE FUNCTION probds_health(sample_percent double precision DEFAULT 100,
                              OUT sketch_column text, OUT type text,
                              OUT sketches bigint, OUT bytes bigint,
                              OUT parameters text, OUT fill double precision,
                              OUT false_positive_rate double precision, OUT error double precision,
                              OUT status text, OUT remark text)
    RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_health' LANGUAGE C STABLE STRICT ROWS 100;
COMMENT ON FUNCTION probds_health(double precision)
    IS 'one row for each sketch column in this database: number, bytes, parameters, worst fill, '
       'rate and error, and whether sketches are too full, corrupt or of different parameters';
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
        -- an array type is where its element type is
        SELECT d.refclassid AS classid, COALESCE((SELECT t.oid FROM pg_catalog.pg_type t
            WHERE d.refclassid = 'pg_type'::pg_catalog.regclass AND t.typarray = d.refobjid),
            d.refobjid) AS objid
        FROM pg_catalog.pg_depend d
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
    WHERE e.extname IN ('probds', 'probds_citus', 'probds_citext', 'probds_hll') AND NOT EXISTS (
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
