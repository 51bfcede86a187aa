-- psql stops here; ALTER EXTENSION skips the line
\echo Use "ALTER EXTENSION probds UPDATE" to load this file. \quit

CREATE FUNCTION ddsketch_from_datadog(sketch bytea, rounds_up boolean DEFAULT false)
    RETURNS ddsketch AS 'MODULE_PATHNAME', 'probds_ddsketch_from_datadog'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
COMMENT ON FUNCTION ddsketch_from_datadog(bytea, boolean)
    IS 'imports a DDSketch of DataDog''s libraries, in Protocol Buffers; those of JavaScript and '
       'Python round indexes up';
