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
            'counting_bloom', 'scalable_bloom', 'minhash']::pg_catalog.name[]);
    IF taken IS NOT NULL THEN
        RAISE EXCEPTION 'schema % already has a type %',
            pg_catalog.quote_ident(pg_catalog.current_schema()::pg_catalog.text), taken
            USING ERRCODE = 'duplicate_object',
            DETAIL = 'probds has types of the same names.',
            HINT = 'Install it into another schema: CREATE SCHEMA probds; '
                'CREATE EXTENSION probds SCHEMA probds;';
    END IF;
END $$;
