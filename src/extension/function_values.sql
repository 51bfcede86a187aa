-- A strict function over a value of any type, which stands as @type@ in takes and types
--
-- Parameters: as those of function.sql

--@for-each text any
CREATE FUNCTION @function@(@takes@) @gives@
    AS 'MODULE_PATHNAME', 'probds_@function@' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST @cost@;
COMMENT ON FUNCTION @function@(@types@) IS '@what@';
--@end
