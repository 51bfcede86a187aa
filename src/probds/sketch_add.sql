-- Sketches with more values in them
--
-- Parameters: sketch    the type's name
--             cost      of taking one apart and putting it together again

CREATE FUNCTION @sketch@_add(sketch @sketch@, value "any") RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST @cost@
    SUPPORT probds_add_support;
COMMENT ON FUNCTION @sketch@_add(@sketch@, "any") IS 'the sketch with one more value';

CREATE FUNCTION @sketch@_add_all(sketch @sketch@, elements anyarray) RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_add_all' LANGUAGE C IMMUTABLE PARALLEL SAFE COST @cost@;
COMMENT ON FUNCTION @sketch@_add_all(@sketch@, anyarray) IS 'the sketch with every element of an array';
