-- psql stops here; ALTER EXTENSION skips the line
\echo Use "ALTER EXTENSION probds_hll UPDATE" to load this file. \quit

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
            HINT = 'Run ALTER EXTENSION probds UPDATE first.';
    END IF;
END;
$$;
