-- The step functions of an aggregate over values: with a capacity, a rate, and a layout
--
-- Parameters: function  its name
--             entry_c   the beginning of the C functions' names
--             what      what it is

--@for-each-value-type
CREATE FUNCTION @function@(counting_bloom, @type@, double precision) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', '@entry_c@_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION @function@(counting_bloom, @type@, double precision) IS '@what@ with a capacity';

CREATE FUNCTION @function@(counting_bloom, @type@, double precision, double precision) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', '@entry_c@_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION @function@(counting_bloom, @type@, double precision, double precision) IS '@what@ with a capacity and a false-positive rate';

CREATE FUNCTION @function@(counting_bloom, @type@, double precision, double precision, text) RETURNS counting_bloom
    AS 'MODULE_PATHNAME', '@entry_c@_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION @function@(counting_bloom, @type@, double precision, double precision, text) IS '@what@ with a capacity, a false-positive rate and a layout';
--@end
