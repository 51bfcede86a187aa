-- The sketch without the values of an array
--
-- Parameters: sketch    the type's name
--             cost      of taking one apart and putting it together again
--             what      what it is

--@for-each text anyarray
CREATE FUNCTION @sketch@_remove_all(filter @sketch@, elements @type@) RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_remove_all'
    LANGUAGE C IMMUTABLE PARALLEL SAFE COST @cost@;
COMMENT ON FUNCTION @sketch@_remove_all(@sketch@, @type@) IS '@what@';
--@end
