CREATE FUNCTION probds_add_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'probds_add_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION probds_add_support(internal)
    IS 'planner support for functions that add a value: in PL/pgSQL, s := X_add(s, v) changes s '
       'in place';

CREATE FUNCTION probds_text_step_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'probds_text_step_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION probds_text_step_support(internal)
    IS 'planner support for transition functions over text: refuses implicitly cast citext';
