-- The sketch with the values of an array
--
-- Parameters: sketch    the type's name
--             cost      of taking one apart and putting it together again

--@for-each text anyarray
CREATE FUNCTION @sketch@_add_all(sketch @sketch@, elements @type@) RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST @cost@;
COMMENT ON FUNCTION @sketch@_add_all(@sketch@, @type@)
    IS 'the sketch with every element of an array';
--@end
