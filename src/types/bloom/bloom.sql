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
