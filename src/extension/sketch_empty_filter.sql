-- An empty filter, of a layout
--
-- Parameters: sketch    the type's name
--             what      what it is

CREATE FUNCTION @sketch@_empty(capacity double precision,
                               false_positive_rate double precision DEFAULT 0.01,
                               layout text DEFAULT 'blocked') RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_empty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @sketch@_empty(double precision, double precision, text) IS '@what@';
