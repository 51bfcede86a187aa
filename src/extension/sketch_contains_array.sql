-- Are values of an array in the sketch
--
-- Parameters: sketch    the type's name
--             cost      of a probe of a sketch in memory, some times

--@for-each-row which some when_empty
--| any | any | false
--| all | every | true
--@for-each text anyarray
CREATE FUNCTION @sketch@_contains_@which@(filter @sketch@, elements @type@) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_@sketch@_contains_@which@'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST @cost@;
COMMENT ON FUNCTION @sketch@_contains_@which@(@sketch@, @type@)
    IS 'whether @some@ element of the array was added; NULL elements are skipped, '
       '@when_empty@ for an empty array';
--@end
--@end-row
