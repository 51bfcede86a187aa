-- The sketch with one value less
--
-- Parameters: sketch    the type's name
--             cost      of taking one apart and putting it together again
--             what      what it is

--@for-each text any
CREATE FUNCTION @sketch@_remove(filter @sketch@, value @type@) RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_remove' LANGUAGE C IMMUTABLE PARALLEL SAFE COST @cost@
    SUPPORT probds_add_support;
COMMENT ON FUNCTION @sketch@_remove(@sketch@, @type@) IS '@what@';
--@end
