-- An empty sketch
--
-- Parameters: sketch    the type's name
--             takes     its arguments, with their names and defaults
--             types     their types
--             what      what it is

CREATE FUNCTION @sketch@_empty(@takes@) RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @sketch@_empty(@types@) IS '@what@';
