-- An install script as one of an older version could have been, kept for
-- test/t/030_update.pl: only hll, fewer functions, one that was given up later, a column
-- of another name, other costs, defaults and comments, no hash operator class.
\echo Use "CREATE EXTENSION probds" to load this file. \quit

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
CREATE OPERATOR = (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_eq,
    COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (hll, hll) IS 'same state: same precision, same values added';
CREATE OPERATOR <> (LEFTARG = hll, RIGHTARG = hll, FUNCTION = hll_ne,
    COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (hll, hll) IS 'different state';
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
COMMENT ON TYPE hll IS 'HyperLogLog sketch: the number of distinct values added to it; hll(14) is of precision 14';
CREATE FUNCTION hll_empty(precision_bits integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_empty(integer) IS 'an empty sketch of 2^precision registers, precision 4 to 18';
CREATE FUNCTION hll_add(sketch hll, value "any") RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_add(hll, "any") IS 'the sketch with one more value';
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
    SFUNC = hll_merge_step, STYPE = hll, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_merge_agg(hll) IS 'the union of stored sketches';
CREATE FUNCTION hll_cardinality(sketch hll) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hll_cardinality' LANGUAGE C IMMUTABLE STRICT;
COMMENT ON FUNCTION hll_cardinality(hll) IS 'how many';
CREATE FUNCTION hll_error(sketch hll) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_hll_error' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION hll_error(hll) IS 'the relative standard error of hll_cardinality, as the sketch is filled now';
CREATE FUNCTION hll_info(sketch hll,
                         OUT "precision" integer, OUT registers integer, OUT encoding text,
                         OUT kind text, OUT family text, OUT bytes integer,
                         OUT fill double precision, OUT cardinality bigint,
                         OUT error double precision)
    AS 'MODULE_PATHNAME', 'probds_hll_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION hll_info(hll) IS 'what a sketch is';
CREATE OPERATOR # (RIGHTARG = hll, FUNCTION = hll_cardinality);
COMMENT ON OPERATOR # (NONE, hll) IS 'the estimated number of distinct values';
CREATE FUNCTION hll_step(hll, text) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION hll_step(hll, text, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_text' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE AGGREGATE hll_agg(value text) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
CREATE AGGREGATE hll_agg(value text, precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg(text, integer) IS 'a sketch of the values of a given precision, 4 to 18';
CREATE FUNCTION hll_step(hll, int4) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION hll_step(hll, int4, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_int4' LANGUAGE C IMMUTABLE PARALLEL SAFE;
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
CREATE FUNCTION hll_step(hll, "any") RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION hll_step(hll, "any", integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_agg_any' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE AGGREGATE hll_agg(value "any") (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg("any") IS 'a sketch of the values, precision 14';
CREATE AGGREGATE hll_agg(value "any", precision_bits integer) (
    SFUNC = hll_step, STYPE = hll, SSPACE = 512, FINALFUNC = hll_final,
    COMBINEFUNC = hll_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE hll_agg("any", integer) IS 'a sketch of the values of a given precision, 4 to 18';
CREATE FUNCTION hll_count(sketch hll) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hll_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_count(hll) IS 'the older name of hll_cardinality';
