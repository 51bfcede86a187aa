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
