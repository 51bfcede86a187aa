-- A sketch from what Redis has, whose values are strings
--
-- Parameters: sketch    the type's name
--             noun      what one is called: sketch, filter
--             what      what it is

CREATE FUNCTION @sketch@_from_redis(@noun@ bytea, value_type regtype DEFAULT 'text')
    RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_from_redis' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 500;
COMMENT ON FUNCTION @sketch@_from_redis(bytea, regtype) IS '@what@';
