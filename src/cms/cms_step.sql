-- The step functions of an aggregate over values: with and without a weight, with and
-- without epsilon and delta
--
-- Parameters: function  its name
--             entry_c   the beginning of the C functions' names
--             what      what it is

--@for-each-value-type
CREATE FUNCTION @function@(cms, @type@) RETURNS cms
    AS 'MODULE_PATHNAME', '@entry_c@_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION @function@(cms, @type@) IS '@what@';

CREATE FUNCTION @function@(cms, @type@, bigint) RETURNS cms
    AS 'MODULE_PATHNAME', '@entry_c@_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION @function@(cms, @type@, bigint) IS '@what@ with weights';

CREATE FUNCTION @function@(cms, @type@, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', '@entry_c@_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION @function@(cms, @type@, double precision, double precision) IS '@what@ with epsilon and delta';

CREATE FUNCTION @function@(cms, @type@, bigint, double precision, double precision) RETURNS cms
    AS 'MODULE_PATHNAME', '@entry_c@_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION @function@(cms, @type@, bigint, double precision, double precision) IS '@what@ with weights, epsilon and delta';
--@end
