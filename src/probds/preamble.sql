-- psql stops here; CREATE EXTENSION skips the line
\echo Use "CREATE EXTENSION probds" to load this file. \quit

-- Another extension can have a type of one of these names, such as hll
DO $$
DECLARE
    taken text;
BEGIN
    SELECT string_agg(quote_ident(typname), ', ' ORDER BY typname) INTO taken FROM pg_type
    WHERE typnamespace = current_schema()::regnamespace AND typname IN ('hll', 'bloom', 'cms', 'topk');
    IF taken IS NOT NULL THEN
        RAISE EXCEPTION 'schema % already has a type %', quote_ident(current_schema()), taken
            USING ERRCODE = 'duplicate_object',
            DETAIL = 'probds has types of the same names.',
            HINT = 'Install it into another schema: CREATE SCHEMA probds; CREATE EXTENSION probds SCHEMA probds;';
    END IF;
END $$;
