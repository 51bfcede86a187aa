-- psql stops here; ALTER EXTENSION skips the line
\echo Use "ALTER EXTENSION probds UPDATE" to load this file. \quit

CREATE FUNCTION ddsketch_from_datadog(sketch bytea, rounds_up boolean DEFAULT false)
    RETURNS ddsketch AS 'MODULE_PATHNAME', 'probds_ddsketch_from_datadog'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION ddsketch_from_datadog(bytea, boolean)
    IS 'imports a DDSketch of DataDog''s libraries, in Protocol Buffers; those of JavaScript and '
       'Python round indexes up';
CREATE TYPE fuse;
CREATE FUNCTION fuse_in(cstring, oid, integer) RETURNS fuse
    AS 'MODULE_PATHNAME', 'probds_fuse_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fuse_in(cstring, oid, integer) IS 'input: base64, or hexadecimal after \x';
CREATE FUNCTION fuse_out(fuse) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_fuse_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fuse_out(fuse) IS 'output: base64';
CREATE FUNCTION fuse_recv(internal, oid, integer) RETURNS fuse
    AS 'MODULE_PATHNAME', 'probds_fuse_recv' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fuse_recv(internal, oid, integer) IS 'binary input, checked';
CREATE FUNCTION fuse_send(fuse) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_fuse_send' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fuse_send(fuse) IS 'binary output';
CREATE FUNCTION fuse_typmod_in(cstring[]) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_fuse_typmod_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fuse_typmod_in(cstring[])
    IS 'type modifier input: false-positive rate';
CREATE FUNCTION fuse_typmod_out(integer) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_fuse_typmod_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fuse_typmod_out(integer) IS 'type modifier output';
CREATE TYPE fuse (
    INPUT = fuse_in, OUTPUT = fuse_out, RECEIVE = fuse_recv, SEND = fuse_send,
    TYPMOD_IN = fuse_typmod_in, TYPMOD_OUT = fuse_typmod_out,
    INTERNALLENGTH = VARIABLE, ALIGNMENT = int4, STORAGE = external, CATEGORY = b
);
COMMENT ON TYPE fuse
    IS 'fuse filter: tells whether a value was among those it was made of; fuse(0.01) has a '
       'false-positive rate of 1 % or less';
CREATE FUNCTION fuse_from_bytea(bytea) RETURNS fuse
    AS 'MODULE_PATHNAME', 'probds_fuse_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fuse_from_bytea(bytea) IS 'a sketch from its bytes, checked';
CREATE FUNCTION fuse(fuse, integer, boolean) RETURNS fuse
    AS 'MODULE_PATHNAME', 'probds_fuse_typmod_cast' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fuse(fuse, integer, boolean) IS 'enforces a type modifier';
CREATE CAST (fuse AS bytea) WITH FUNCTION fuse_send(fuse);
COMMENT ON CAST (fuse AS bytea) IS 'the bytes of a sketch';
CREATE CAST (bytea AS fuse) WITH FUNCTION fuse_from_bytea(bytea);
COMMENT ON CAST (bytea AS fuse) IS 'a sketch from its bytes, checked';
CREATE CAST (fuse AS fuse) WITH FUNCTION fuse(fuse, integer, boolean) AS IMPLICIT;
COMMENT ON CAST (fuse AS fuse) IS 'enforces a type modifier';
CREATE FUNCTION fuse_eq(fuse, fuse) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_fuse_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION fuse_eq(fuse, fuse) IS 'implementation of = operator';
CREATE FUNCTION fuse_ne(fuse, fuse) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_fuse_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION fuse_ne(fuse, fuse) IS 'implementation of <> operator';
CREATE FUNCTION fuse_lt(fuse, fuse) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_fuse_lt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION fuse_lt(fuse, fuse) IS 'implementation of *< operator';
CREATE FUNCTION fuse_le(fuse, fuse) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_fuse_le' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION fuse_le(fuse, fuse) IS 'implementation of *<= operator';
CREATE FUNCTION fuse_gt(fuse, fuse) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_fuse_gt' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION fuse_gt(fuse, fuse) IS 'implementation of *> operator';
CREATE FUNCTION fuse_ge(fuse, fuse) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_fuse_ge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION fuse_ge(fuse, fuse) IS 'implementation of *>= operator';
CREATE FUNCTION fuse_cmp(fuse, fuse) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_fuse_cmp' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION fuse_cmp(fuse, fuse) IS 'less-equal-greater, by bytes';
CREATE FUNCTION fuse_hash(fuse) RETURNS integer
    AS 'MODULE_PATHNAME', 'probds_fuse_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION fuse_hash(fuse) IS 'hash of the bytes';
CREATE FUNCTION fuse_hash_extended(fuse, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_fuse_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION fuse_hash_extended(fuse, bigint) IS 'seeded hash of the bytes';
CREATE OPERATOR = (LEFTARG = fuse, RIGHTARG = fuse, FUNCTION = fuse_eq, COMMUTATOR = =,
    NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
COMMENT ON OPERATOR = (fuse, fuse) IS 'same state: same parameters, same contents';
CREATE OPERATOR <> (LEFTARG = fuse, RIGHTARG = fuse, FUNCTION = fuse_ne, COMMUTATOR = <>,
    NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (fuse, fuse) IS 'different state';
CREATE OPERATOR *< (LEFTARG = fuse, RIGHTARG = fuse, FUNCTION = fuse_lt, COMMUTATOR = *>,
    NEGATOR = *>=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR *< (fuse, fuse) IS 'less, by bytes';
CREATE OPERATOR *<= (LEFTARG = fuse, RIGHTARG = fuse, FUNCTION = fuse_le, COMMUTATOR = *>=,
    NEGATOR = *>, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR *<= (fuse, fuse) IS 'less or equal, by bytes';
CREATE OPERATOR *> (LEFTARG = fuse, RIGHTARG = fuse, FUNCTION = fuse_gt, COMMUTATOR = *<,
    NEGATOR = *<=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR *> (fuse, fuse) IS 'greater, by bytes';
CREATE OPERATOR *>= (LEFTARG = fuse, RIGHTARG = fuse, FUNCTION = fuse_ge, COMMUTATOR = *<=,
    NEGATOR = *<, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR *>= (fuse, fuse) IS 'greater or equal, by bytes';
CREATE OPERATOR FAMILY fuse_ops USING btree;
COMMENT ON OPERATOR FAMILY fuse_ops USING btree IS 'fuse by bytes';
CREATE OPERATOR CLASS fuse_ops DEFAULT FOR TYPE fuse USING btree FAMILY fuse_ops AS
    OPERATOR 1 *<, OPERATOR 2 *<=, OPERATOR 3 =, OPERATOR 4 *>=, OPERATOR 5 *>,
    FUNCTION 1 fuse_cmp(fuse, fuse);
COMMENT ON OPERATOR CLASS fuse_ops USING btree IS 'fuse by bytes';
CREATE OPERATOR FAMILY fuse_ops USING hash;
COMMENT ON OPERATOR FAMILY fuse_ops USING hash IS 'fuse by bytes';
CREATE OPERATOR CLASS fuse_ops DEFAULT FOR TYPE fuse USING hash FAMILY fuse_ops AS
    OPERATOR 1 =, FUNCTION 1 fuse_hash(fuse),
    FUNCTION 2 fuse_hash_extended(fuse, bigint);
COMMENT ON OPERATOR CLASS fuse_ops USING hash IS 'fuse by bytes';
CREATE FUNCTION fuse_empty(false_positive_rate double precision DEFAULT 0.01)
    RETURNS fuse
    AS 'MODULE_PATHNAME', 'probds_fuse_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fuse_empty(double precision) IS 'a filter of no values';
CREATE FUNCTION fuse_size(number_of_values double precision,
    false_positive_rate double precision DEFAULT 0.01, OUT bytes bigint,
    OUT bits_per_value double precision)
    AS 'MODULE_PATHNAME', 'probds_fuse_size' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION fuse_size(double precision, double precision)
    IS 'the size of a filter of so many distinct values, for planning';
CREATE FUNCTION fuse_add(sketch fuse, value text) RETURNS fuse
    AS 'MODULE_PATHNAME', 'probds_fuse_add' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION fuse_add(fuse, text) IS 'an error: which types can be added to';
CREATE FUNCTION fuse_add(sketch fuse, value "any") RETURNS fuse
    AS 'MODULE_PATHNAME', 'probds_fuse_add' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION fuse_add(fuse, "any") IS 'an error: which types can be added to';
CREATE FUNCTION fuse_merge(sketch fuse, other fuse) RETURNS fuse
    AS 'MODULE_PATHNAME', 'probds_fuse_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION fuse_merge(fuse, fuse)
    IS 'an error for finished filters: which types can be merged; unites states of fuse_agg';
CREATE OPERATOR || (LEFTARG = fuse, RIGHTARG = fuse, FUNCTION = fuse_merge, COMMUTATOR = ||);
COMMENT ON OPERATOR || (fuse, fuse) IS 'an error: which types can be merged';
CREATE FUNCTION _fuse_contains_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'probds_fuse_contains_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION _fuse_contains_support(internal)
    IS 'internal: planner support for fuse_contains: estimates the share of rows that pass';
CREATE FUNCTION _fuse_contains_sel(internal, oid, internal, integer)
    RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_fuse_contains_sel' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION _fuse_contains_sel(internal, oid, internal, integer)
    IS 'internal: restriction selectivity of @> and <@ with a fuse filter';
CREATE FUNCTION fuse_contains_any(sketch fuse, elements text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_fuse_contains_any' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 100;
COMMENT ON FUNCTION fuse_contains_any(fuse, text)
    IS 'whether any element of the array is in the filter; NULL elements are skipped, false for an '
       'empty array';
CREATE FUNCTION fuse_contains_any(sketch fuse, elements anyarray) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_fuse_contains_any' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 100;
COMMENT ON FUNCTION fuse_contains_any(fuse, anyarray)
    IS 'whether any element of the array is in the filter; NULL elements are skipped, false for an '
       'empty array';
CREATE FUNCTION fuse_contains_all(sketch fuse, elements text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_fuse_contains_all' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 100;
COMMENT ON FUNCTION fuse_contains_all(fuse, text)
    IS 'whether every element of the array is in the filter; NULL elements are skipped, true for '
       'an empty array';
CREATE FUNCTION fuse_contains_all(sketch fuse, elements anyarray) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_fuse_contains_all' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 100;
COMMENT ON FUNCTION fuse_contains_all(fuse, anyarray)
    IS 'whether every element of the array is in the filter; NULL elements are skipped, true for '
       'an empty array';
CREATE FUNCTION fuse_cardinality(sketch fuse) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_fuse_cardinality' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 20;
COMMENT ON FUNCTION fuse_cardinality(fuse)
    IS 'the number of distinct values that the filter was made of';
CREATE FUNCTION fuse_false_positive_rate(sketch fuse) RETURNS double precision
    AS 'MODULE_PATHNAME', 'probds_fuse_false_positive_rate'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fuse_false_positive_rate(fuse)
    IS 'the false-positive rate: the share of other values that the filter claims to hold';
CREATE FUNCTION fuse_info(sketch fuse, OUT items bigint, OUT fingerprint_bits integer,
    OUT false_positive_rate double precision, OUT promised_rate double precision, OUT kind text,
    OUT bytes integer, OUT bits_per_item double precision, OUT encoding text)
    AS 'MODULE_PATHNAME', 'probds_fuse_info' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION fuse_info(fuse)
    IS 'number of values, rates and size of a filter, one row';
CREATE FUNCTION fuse_contains(sketch fuse, value text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_fuse_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 20 SUPPORT _fuse_contains_support;
COMMENT ON FUNCTION fuse_contains(fuse, text)
    IS 'whether the filter holds the value: "no" is certain, "yes" is wrong at the '
       'false-positive rate';
CREATE FUNCTION _fuse_contained(value text, sketch fuse) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_fuse_contained' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 20 SUPPORT _fuse_contains_support;
COMMENT ON FUNCTION _fuse_contained(text, fuse)
    IS 'internal: same as fuse_contains, with the arguments swapped';
CREATE OPERATOR @> (LEFTARG = fuse, RIGHTARG = text, FUNCTION = fuse_contains, COMMUTATOR = <@,
    RESTRICT = _fuse_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (fuse, text) IS 'whether the value is in the filter';
CREATE OPERATOR <@ (LEFTARG = text, RIGHTARG = fuse, FUNCTION = _fuse_contained,
    COMMUTATOR = @>, RESTRICT = _fuse_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ (text, fuse) IS 'whether the value is in the filter';
CREATE FUNCTION fuse_contains(sketch fuse, value "any") RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_fuse_contains' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 20 SUPPORT _fuse_contains_support;
COMMENT ON FUNCTION fuse_contains(fuse, "any")
    IS 'whether the filter holds the value: "no" is certain, "yes" is wrong at the '
       'false-positive rate';
CREATE FUNCTION _fuse_contained(value "any", sketch fuse) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_fuse_contained' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 20 SUPPORT _fuse_contains_support;
COMMENT ON FUNCTION _fuse_contained("any", fuse)
    IS 'internal: same as fuse_contains, with the arguments swapped';
CREATE OPERATOR @> (LEFTARG = fuse, RIGHTARG = "any", FUNCTION = fuse_contains, COMMUTATOR = <@,
    RESTRICT = _fuse_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (fuse, "any") IS 'whether the value is in the filter';
CREATE OPERATOR <@ (LEFTARG = "any", RIGHTARG = fuse, FUNCTION = _fuse_contained,
    COMMUTATOR = @>, RESTRICT = _fuse_contains_sel, JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ ("any", fuse) IS 'whether the value is in the filter';
CREATE FUNCTION _fuse_final(fuse) RETURNS fuse
    AS 'MODULE_PATHNAME', 'probds_fuse_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION _fuse_final(fuse) IS 'internal: final function of fuse_agg';
CREATE FUNCTION _fuse_step(fuse, "any") RETURNS fuse
    AS 'MODULE_PATHNAME', 'probds_fuse_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _fuse_step(fuse, "any")
    IS 'internal: transition function of fuse_agg with the default rate';
CREATE FUNCTION _fuse_step(fuse, "any", double precision) RETURNS fuse
    AS 'MODULE_PATHNAME', 'probds_fuse_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _fuse_step(fuse, "any", double precision)
    IS 'internal: transition function of fuse_agg';
CREATE OR REPLACE AGGREGATE fuse_agg(value "any") (
    SFUNC = _fuse_step, STYPE = fuse, SSPACE = 8192, FINALFUNC = _fuse_final,
    COMBINEFUNC = fuse_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE fuse_agg("any")
    IS 'a filter of the values, at a false-positive rate of at most 1 %';
CREATE OR REPLACE AGGREGATE fuse_agg(value "any", false_positive_rate double precision) (
    SFUNC = _fuse_step, STYPE = fuse, SSPACE = 8192, FINALFUNC = _fuse_final,
    COMBINEFUNC = fuse_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE fuse_agg("any", double precision)
    IS 'a filter of the values for a given false-positive rate';

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
