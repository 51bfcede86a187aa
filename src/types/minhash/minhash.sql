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
