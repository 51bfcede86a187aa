-- A function that is called for NULL, too
--
-- Parameters: as those of function.sql

CREATE FUNCTION @function@(@takes@) @gives@
    AS 'MODULE_PATHNAME', 'probds_@function@' LANGUAGE C IMMUTABLE PARALLEL SAFE COST @cost@;
COMMENT ON FUNCTION @function@(@types@) IS '@what@';
