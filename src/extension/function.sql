-- A function that is strict, as most are
--
-- Parameters: function  its name
--             takes     its arguments, with their names and what it returns in OUT arguments
--             types     the types of the former alone
--             gives     what it returns otherwise: RETURNS ..., or nothing
--             cost      of a call, and ROWS of one that returns a set
--             what      what it is

CREATE FUNCTION @function@(@takes@) @gives@
    AS 'MODULE_PATHNAME', 'probds_@function@' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST @cost@;
COMMENT ON FUNCTION @function@(@types@) IS '@what@';
