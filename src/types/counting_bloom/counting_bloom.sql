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
