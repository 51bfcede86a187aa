-- Are values of an array in the sketch
--
-- Parameters: sketch    the type's name
--             cost      of a probe of a sketch in memory, some times

--@for-each text anyarray
CREATE FUNCTION @sketch@_contains_any(filter @sketch@, elements @type@) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_@sketch@_contains_any'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST @cost@;
COMMENT ON FUNCTION @sketch@_contains_any(@sketch@, @type@)
    IS 'whether any element of the array was added; NULL elements are skipped, false for an '
       'empty array';

CREATE FUNCTION @sketch@_contains_all(filter @sketch@, elements @type@) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_@sketch@_contains_all'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST @cost@;
COMMENT ON FUNCTION @sketch@_contains_all(@sketch@, @type@)
    IS 'whether every element of the array was added; NULL elements are skipped, true for an '
       'empty array';
--@end
