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
