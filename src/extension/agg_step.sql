-- The transition function of an aggregate over values, for one list of parameters
--
-- Parameters: step      its name
--             sketch    the type's name
--             entry_c   the beginning of the C functions' names
--             args      the types of the parameters behind the value, each after a comma
--             what      what it is

--@for-each-value-type
CREATE FUNCTION @step@(@sketch@, @type@@args@) RETURNS @sketch@
    AS 'MODULE_PATHNAME', '@entry_c@_agg_@entry@' LANGUAGE C IMMUTABLE PARALLEL SAFE@support@;
COMMENT ON FUNCTION @step@(@sketch@, @type@@args@) IS '@what@';
--@end
