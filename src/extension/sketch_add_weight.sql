-- The sketch with one more value that counts more than once
--
-- Parameters: sketch    the type's name
--             weight    the name of the argument that says how often
--             cost      of taking one apart and putting it together again
--             what      what it is

--@for-each text any
CREATE FUNCTION @sketch@_add(sketch @sketch@, value @type@, @weight@ bigint) RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST @cost@
    SUPPORT probds_add_support;
COMMENT ON FUNCTION @sketch@_add(@sketch@, @type@, bigint) IS '@what@';
--@end
