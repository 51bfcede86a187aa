-- psql stops here; CREATE EXTENSION skips the line
\echo Use "CREATE EXTENSION probds_hll" to load this file. \quit

-- The functions of postgresql-hll that probds has not, under their names there, so that its dumps
-- can be restored and its queries run.  doc/migration.md has the list of differences.
--
-- The functions in SQL have a body that is parsed here: no search path changes what it means.

DO $$
DECLARE
    versions pg_catalog.text[];
BEGIN
    SELECT pg_catalog.array_agg(extversion ORDER BY extname) INTO versions
        FROM pg_catalog.pg_extension
        WHERE extname OPERATOR(pg_catalog.=) ANY ('{probds,probds_hll}'::pg_catalog.name[]);
    IF versions[1] OPERATOR(pg_catalog.<>) versions[2] THEN
        RAISE EXCEPTION 'probds_hll % does not fit probds %', versions[2], versions[1]
            USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = pg_catalog.format('Run ALTER EXTENSION probds UPDATE first, or choose VERSION '
                '%L of probds_hll.', versions[1]);
    END IF;
END $$;

-- ---------- hashes ----------

CREATE TYPE hll_hashval;
CREATE FUNCTION hll_hashval_in(cstring, oid, integer) RETURNS hll_hashval
    AS 'MODULE_PATHNAME', 'probds_hll_hashval_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_hashval_in(cstring, oid, integer) IS 'input: a bigint';
CREATE FUNCTION hll_hashval_out(hll_hashval) RETURNS cstring
    AS 'MODULE_PATHNAME', 'probds_hll_hashval_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_hashval_out(hll_hashval) IS 'output: a bigint';
CREATE TYPE hll_hashval (INPUT = hll_hashval_in, OUTPUT = hll_hashval_out, LIKE = bigint);
COMMENT ON TYPE hll_hashval IS 'a value as the 64 bits of its hash, which an hll takes';

CREATE FUNCTION hll_hashval(bigint) RETURNS hll_hashval
    AS 'int8up' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_hashval(bigint) IS 'a number that is a hash already';
CREATE FUNCTION hll_hashval_int4(integer) RETURNS hll_hashval
    AS 'int48' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_hashval_int4(integer) IS 'a number that is a hash already';
CREATE CAST (bigint AS hll_hashval) WITHOUT FUNCTION;
COMMENT ON CAST (bigint AS hll_hashval) IS 'a number that is a hash already';
CREATE CAST (integer AS hll_hashval) WITH FUNCTION hll_hashval_int4(integer);
COMMENT ON CAST (integer AS hll_hashval) IS 'a number that is a hash already';

CREATE FUNCTION hll_hashval_eq(hll_hashval, hll_hashval) RETURNS boolean
    AS 'int8eq' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_hashval_eq(hll_hashval, hll_hashval) IS 'implementation of = operator';
CREATE FUNCTION hll_hashval_ne(hll_hashval, hll_hashval) RETURNS boolean
    AS 'int8ne' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_hashval_ne(hll_hashval, hll_hashval) IS 'implementation of <> operator';
CREATE OPERATOR = (LEFTARG = hll_hashval, RIGHTARG = hll_hashval, FUNCTION = hll_hashval_eq,
    COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel);
COMMENT ON OPERATOR = (hll_hashval, hll_hashval) IS 'the same hash';
CREATE OPERATOR <> (LEFTARG = hll_hashval, RIGHTARG = hll_hashval, FUNCTION = hll_hashval_ne,
    COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel);
COMMENT ON OPERATOR <> (hll_hashval, hll_hashval) IS 'different hashes';

CREATE FUNCTION hll_hash_boolean(value boolean, seed integer DEFAULT 0) RETURNS hll_hashval
    AS 'MODULE_PATHNAME', 'probds_hll_hash_boolean' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 2;
COMMENT ON FUNCTION hll_hash_boolean(boolean, integer)
    IS 'MurmurHash3 of the byte of a boolean';
CREATE FUNCTION hll_hash_smallint(value smallint, seed integer DEFAULT 0) RETURNS hll_hashval
    AS 'MODULE_PATHNAME', 'probds_hll_hash_smallint' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 2;
COMMENT ON FUNCTION hll_hash_smallint(smallint, integer)
    IS 'MurmurHash3 of the 2 bytes of a smallint';
CREATE FUNCTION hll_hash_integer(value integer, seed integer DEFAULT 0) RETURNS hll_hashval
    AS 'MODULE_PATHNAME', 'probds_hll_hash_integer' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 2;
COMMENT ON FUNCTION hll_hash_integer(integer, integer)
    IS 'MurmurHash3 of the 4 bytes of an integer';
CREATE FUNCTION hll_hash_bigint(value bigint, seed integer DEFAULT 0) RETURNS hll_hashval
    AS 'MODULE_PATHNAME', 'probds_hll_hash_bigint' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 2;
COMMENT ON FUNCTION hll_hash_bigint(bigint, integer)
    IS 'MurmurHash3 of the 8 bytes of a bigint';
CREATE FUNCTION hll_hash_bytea(value bytea, seed integer DEFAULT 0) RETURNS hll_hashval
    AS 'MODULE_PATHNAME', 'probds_hll_hash_varlena' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 2;
COMMENT ON FUNCTION hll_hash_bytea(bytea, integer)
    IS 'MurmurHash3 of a byte string';
CREATE FUNCTION hll_hash_text(value text, seed integer DEFAULT 0) RETURNS hll_hashval
    AS 'MODULE_PATHNAME', 'probds_hll_hash_varlena' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 2;
COMMENT ON FUNCTION hll_hash_text(text, integer)
    IS 'MurmurHash3 of a text';
CREATE FUNCTION hll_hash_any(value anyelement, seed integer DEFAULT 0) RETURNS hll_hashval
    AS 'MODULE_PATHNAME', 'probds_hll_hash_any' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    COST 10;
COMMENT ON FUNCTION hll_hash_any(anyelement, integer)
    IS 'MurmurHash3 of a value by its length, as one of the other functions';

-- ---------- sketches of hashes ----------

-- hll_empty() stays the function of probds: PostgreSQL could not choose between two
CREATE FUNCTION hll_empty(log2m integer, regwidth integer, expthresh bigint DEFAULT -1,
    sparseon integer DEFAULT 1) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_empty_v1' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION hll_empty(integer, integer, bigint, integer)
    IS 'an empty sketch of precision log2m; the other parameters have no meaning here';

CREATE FUNCTION hll_add(sketch hll, hash hll_hashval) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_add(hll, hll_hashval) IS 'the sketch with one more value, by its hash';
CREATE FUNCTION hll_add_rev(hash hll_hashval, sketch hll) RETURNS hll
    IMMUTABLE STRICT PARALLEL SAFE COST 500 RETURN hll_add(sketch, hash);
COMMENT ON FUNCTION hll_add_rev(hll_hashval, hll) IS 'the sketch with one more value, by its hash';
CREATE OPERATOR || (LEFTARG = hll, RIGHTARG = hll_hashval, FUNCTION = hll_add);
COMMENT ON OPERATOR || (hll, hll_hashval) IS 'the sketch with one more value, by its hash';
CREATE OPERATOR || (LEFTARG = hll_hashval, RIGHTARG = hll, FUNCTION = hll_add_rev);
COMMENT ON OPERATOR || (hll_hashval, hll) IS 'the sketch with one more value, by its hash';

CREATE FUNCTION hll_union(sketch hll, other hll) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_merge' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION hll_union(hll, hll) IS 'the union of two sketches; NULL if one of them is';

CREATE AGGREGATE hll_union_agg(sketch hll) (
    SFUNC = hll_merge, STYPE = hll, SSPACE = 8192, FINALFUNC = _hll_final,
    COMBINEFUNC = hll_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE hll_union_agg(hll) IS 'the union of all sketches';

CREATE FUNCTION _hll_hashval_step(hll, hll_hashval) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _hll_hashval_step(hll, hll_hashval)
    IS 'internal: transition function of hll_add_agg';
CREATE AGGREGATE hll_add_agg(hash hll_hashval) (
    SFUNC = _hll_hashval_step, STYPE = hll, SSPACE = 512, FINALFUNC = _hll_final,
    COMBINEFUNC = hll_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE hll_add_agg(hll_hashval)
    IS 'a sketch of values, by their hashes, of the precision that hll_set_defaults() has set, or '
       '11';
CREATE FUNCTION _hll_hashval_step(hll, hll_hashval, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _hll_hashval_step(hll, hll_hashval, integer)
    IS 'internal: transition function of hll_add_agg';
CREATE AGGREGATE hll_add_agg(hash hll_hashval, log2m integer) (
    SFUNC = _hll_hashval_step, STYPE = hll, SSPACE = 512, FINALFUNC = _hll_final,
    COMBINEFUNC = hll_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE hll_add_agg(hll_hashval, integer)
    IS 'a sketch of values, by their hashes, of precision log2m';
CREATE FUNCTION _hll_hashval_step(hll, hll_hashval, integer, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _hll_hashval_step(hll, hll_hashval, integer, integer)
    IS 'internal: transition function of hll_add_agg';
CREATE AGGREGATE hll_add_agg(hash hll_hashval, log2m integer, regwidth integer) (
    SFUNC = _hll_hashval_step, STYPE = hll, SSPACE = 512, FINALFUNC = _hll_final,
    COMBINEFUNC = hll_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE hll_add_agg(hll_hashval, integer, integer)
    IS 'a sketch of values, by their hashes, of precision log2m';
CREATE FUNCTION _hll_hashval_step(hll, hll_hashval, integer, integer, bigint) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _hll_hashval_step(hll, hll_hashval, integer, integer, bigint)
    IS 'internal: transition function of hll_add_agg';
CREATE AGGREGATE hll_add_agg(hash hll_hashval, log2m integer, regwidth integer, expthresh bigint) (
    SFUNC = _hll_hashval_step, STYPE = hll, SSPACE = 512, FINALFUNC = _hll_final,
    COMBINEFUNC = hll_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE hll_add_agg(hll_hashval, integer, integer, bigint)
    IS 'a sketch of values, by their hashes, of precision log2m';
CREATE FUNCTION _hll_hashval_step(hll, hll_hashval, integer, integer, bigint, integer) RETURNS hll
    AS 'MODULE_PATHNAME', 'probds_hll_add_agg' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION _hll_hashval_step(hll, hll_hashval, integer, integer, bigint, integer)
    IS 'internal: transition function of hll_add_agg';
CREATE AGGREGATE hll_add_agg(hash hll_hashval, log2m integer, regwidth integer, expthresh bigint,
    sparseon integer) (
    SFUNC = _hll_hashval_step, STYPE = hll, SSPACE = 512, FINALFUNC = _hll_final,
    COMBINEFUNC = hll_merge, PARALLEL = SAFE);
COMMENT ON AGGREGATE hll_add_agg(hll_hashval, integer, integer, bigint, integer)
    IS 'a sketch of values, by their hashes, of precision log2m';

-- ---------- what a sketch is ----------

CREATE FUNCTION hll_print(sketch hll) RETURNS text
    IMMUTABLE STRICT PARALLEL SAFE COST 200 RETURN probds_describe(sketch);
COMMENT ON FUNCTION hll_print(hll) IS 'one line for people, by probds_describe()';
CREATE FUNCTION hll_schema_version(sketch hll) RETURNS integer
    IMMUTABLE STRICT PARALLEL SAFE RETURN 1;
COMMENT ON FUNCTION hll_schema_version(hll) IS '1, the version of what is read and exported';
CREATE FUNCTION hll_type(sketch hll) RETURNS integer
    IMMUTABLE STRICT PARALLEL SAFE COST 200
    RETURN CASE (hll_info(sketch)).encoding WHEN 'empty' THEN 1 WHEN 'sparse' THEN 2 ELSE 4 END;
COMMENT ON FUNCTION hll_type(hll) IS '1 empty, 2 a list of hashes, 4 registers';
CREATE FUNCTION hll_log2m(sketch hll) RETURNS integer
    IMMUTABLE STRICT PARALLEL SAFE COST 200 RETURN (hll_info(sketch)).precision_bits;
COMMENT ON FUNCTION hll_log2m(hll) IS 'the precision';
CREATE FUNCTION hll_regwidth(sketch hll) RETURNS integer
    IMMUTABLE STRICT PARALLEL SAFE RETURN 5;
COMMENT ON FUNCTION hll_regwidth(hll) IS '5, the default of postgresql-hll: no sketch has one here';
CREATE FUNCTION hll_expthresh(sketch hll, OUT specified bigint, OUT effective bigint)
    IMMUTABLE STRICT PARALLEL SAFE COST 200
    BEGIN ATOMIC
        SELECT -1::bigint, 3::bigint << (hll_info(sketch)).precision_bits - 4;
    END;
COMMENT ON FUNCTION hll_expthresh(hll)
    IS '-1, automatic, and the number of hashes beyond which the sketch has registers';
CREATE FUNCTION hll_sparseon(sketch hll) RETURNS integer
    IMMUTABLE STRICT PARALLEL SAFE RETURN 1;
COMMENT ON FUNCTION hll_sparseon(hll) IS '1, the default of postgresql-hll';

-- ---------- settings of a session ----------

CREATE FUNCTION hll_set_defaults(i_log2m integer, i_regwidth integer, i_expthresh bigint,
    i_sparseon integer, OUT o_log2m integer, OUT o_regwidth integer, OUT o_expthresh bigint,
    OUT o_sparseon integer)
    AS 'MODULE_PATHNAME', 'probds_hll_set_defaults' LANGUAGE C STRICT;
COMMENT ON FUNCTION hll_set_defaults(integer, integer, bigint, integer)
    IS 'sets probds_hll.log2m, the precision where none is given, and returns the former one; the '
       'other parameters have no meaning here';
CREATE FUNCTION hll_set_max_sparse(integer) RETURNS integer STRICT RETURN -1;
COMMENT ON FUNCTION hll_set_max_sparse(integer) IS '-1, automatic; does nothing';
CREATE FUNCTION hll_set_output_version(integer) RETURNS integer STRICT RETURN 1;
COMMENT ON FUNCTION hll_set_output_version(integer) IS '1; does nothing';
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
