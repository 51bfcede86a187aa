-- psql stops here; CREATE EXTENSION skips the line
\echo Use "CREATE EXTENSION probds_citus" to load this file. \quit

-- The aggregates of probds over "any", once more for each of the usual argument types.  Citus
-- splits an aggregate only if its arguments have declared types, because it calls the transition
-- function without an expression tree.
-- "char" is among them because it is cast to text in silence: a call would fit both "any" and text.
-- The aggregates themselves are in aggregates.sql.

CREATE FUNCTION _probds_text_step_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'probds_text_step_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION _probds_text_step_support(internal)
    IS 'internal: planner support for transition functions over text: refuses implicitly cast '
       'citext';

DO $$
DECLARE
    versions pg_catalog.text[];
BEGIN
    SELECT pg_catalog.array_agg(extversion ORDER BY extname) INTO versions
        FROM pg_catalog.pg_extension
        WHERE extname OPERATOR(pg_catalog.=) ANY ('{probds,probds_citus}'::pg_catalog.name[]);
    IF versions[1] OPERATOR(pg_catalog.<>) versions[2] THEN
        RAISE EXCEPTION 'probds_citus % does not fit probds %', versions[2], versions[1]
            USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = pg_catalog.format('Run ALTER EXTENSION probds UPDATE first, or choose VERSION '
                '%L of probds_citus.', versions[1]);
    END IF;
    PERFORM pg_catalog.set_config('probds_install.value_types'::pg_catalog.text,
        '{text,bytea,int2,int4,int8,oid,uuid,inet,numeric,float4,float8,bool,date,time,timestamp,'
        'timestamptz,interval,jsonb,"\"char\""}'::pg_catalog.text, true);
END $$;
