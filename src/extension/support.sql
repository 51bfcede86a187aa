CREATE FUNCTION probds_add_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'probds_add_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION probds_add_support(internal) IS 'support function of the functions that add a value: s := X_add(s, v) may change s where it is';

