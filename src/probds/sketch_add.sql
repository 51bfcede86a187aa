-- The sketch with one more value
--
-- Parameters: sketch    the type's name
--             cost      of taking one apart and putting it together again

--@for-each text any
CREATE FUNCTION @sketch@_add(sketch @sketch@, value @type@) RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST @cost@
    SUPPORT probds_add_support;
COMMENT ON FUNCTION @sketch@_add(@sketch@, @type@) IS 'the sketch with one more value';
--@end
