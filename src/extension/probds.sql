-- psql stops here; CREATE EXTENSION skips the line
\echo Use "CREATE EXTENSION probds" to load this file. \quit

-- Another extension can have a type of one of these names, such as hll
DO $$
DECLARE
    taken text;
BEGIN
    -- all is qualified and has its exact type: others may have made functions here
    SELECT pg_catalog.string_agg(pg_catalog.quote_ident(t.typname::pg_catalog.text),
                                 ', '::pg_catalog.text ORDER BY t.typname) INTO taken
    FROM pg_catalog.pg_type t
    JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) t.typnamespace
    WHERE n.nspname OPERATOR(pg_catalog.=) pg_catalog.current_schema()
        AND t.typname OPERATOR(pg_catalog.=) ANY (ARRAY['hll', 'bloom', 'cms', 'topk', 'cuckoo',
            'counting_bloom', 'scalable_bloom', 'minhash', 'ddsketch', 'fuse']::pg_catalog.name[]);
    IF taken IS NOT NULL THEN
        RAISE EXCEPTION 'schema % already has a type %',
            pg_catalog.quote_ident(pg_catalog.current_schema()::pg_catalog.text), taken
            USING ERRCODE = 'duplicate_object',
            DETAIL = 'probds has types of the same names.',
            HINT = 'Install it into another schema: CREATE SCHEMA probds; '
                'CREATE EXTENSION probds SCHEMA probds;';
    END IF;
END $$;

-- Citus splits only aggregates whose arguments have declared types
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_catalog.pg_extension
        WHERE extname OPERATOR(pg_catalog.=) 'citus'::pg_catalog.name) THEN
        -- during CREATE EXTENSION notices are off
        PERFORM pg_catalog.set_config('client_min_messages'::pg_catalog.text,
            'notice'::pg_catalog.text, true);
        RAISE NOTICE 'aggregates of probds cannot be split by Citus yet'
            USING HINT = 'Run CREATE EXTENSION probds_citus, which adds aggregates that can.';
        PERFORM pg_catalog.set_config('client_min_messages'::pg_catalog.text,
            'warning'::pg_catalog.text, true);
    END IF;
END $$;

-- ---------- the hash that all sketches share (doc/hashing.md) ----------

CREATE FUNCTION murmur3_x64_128(data bytea, seed bigint DEFAULT 0) RETURNS bytea
    AS 'MODULE_PATHNAME', 'probds_murmur3_x64_128' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION murmur3_x64_128(bytea, bigint)
    IS 'MurmurHash3 x64_128 of a byte string: 16 bytes, both halves little-endian';

CREATE FUNCTION probds_hash(value text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION probds_hash(text)
    IS 'the hash of a value as all sketches use it: the first 64 bits of MurmurHash3 x64_128 of '
       'its canonical bytes';
CREATE FUNCTION probds_hash(value "any") RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_hash' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION probds_hash("any")
    IS 'the hash of a value as all sketches use it: the first 64 bits of MurmurHash3 x64_128 of '
       'its canonical bytes';

-- ---------- a sketch in one line for people ----------

CREATE FUNCTION probds_describe(sketch "any") RETURNS text
    AS 'MODULE_PATHNAME', 'probds_describe' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION probds_describe("any")
    IS 'what the sketch, of any type, is and says, in one line for people';

-- ---------- weights ----------

CREATE DOMAIN _probds_number AS double precision;
COMMENT ON DOMAIN _probds_number
    IS 'internal: a number in place of a weight, which is to be a bigint';

-- ---------- planner support ----------

CREATE FUNCTION _probds_add_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'probds_add_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION _probds_add_support(internal)
    IS 'internal: planner support for functions that add a value: in PL/pgSQL, s := X_add(s, v) '
       'changes s in place';
