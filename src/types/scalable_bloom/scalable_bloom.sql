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
