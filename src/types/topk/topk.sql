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
