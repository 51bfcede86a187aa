CREATE FUNCTION probds_add_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'probds_add_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION probds_add_support(internal)
    IS 'support function of the functions that add a value: s := X_add(s, v) may change s where '
       'it is';

CREATE FUNCTION probds_text_step_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'probds_text_step_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION probds_text_step_support(internal)
    IS 'support function of the transition functions over text: refuses citext under an implicit '
       'cast';
