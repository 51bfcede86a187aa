-- Is a value in the sketch: functions and operators over one value
--
-- Parameters: sketch    the type's name
--             cost      of a probe of a sketch in memory, and options behind it
--             selectivity  the operators' estimator
--             yes       what a "yes" means, for the comment
--
-- The estimator must not be matchingsel.  That calls the operator for the statistics of a column,
-- without the expression tree from which a function declared with "any" learns the type of a value.

--@for-each text any
CREATE FUNCTION @sketch@_contains(filter @sketch@, value @type@) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_@sketch@_contains'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST @cost@;
COMMENT ON FUNCTION @sketch@_contains(@sketch@, @type@) IS '@yes@';

CREATE FUNCTION @sketch@_contained(value @type@, filter @sketch@) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_@sketch@_contained'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST @cost@;
COMMENT ON FUNCTION @sketch@_contained(@type@, @sketch@)
    IS 'same as @sketch@_contains, with the arguments swapped';

CREATE OPERATOR @> (LEFTARG = @sketch@, RIGHTARG = @type@, FUNCTION = @sketch@_contains,
    COMMUTATOR = <@, RESTRICT = @selectivity@, JOIN = matchingjoinsel);
COMMENT ON OPERATOR @> (@sketch@, @type@) IS 'whether the value was added';
CREATE OPERATOR <@ (LEFTARG = @type@, RIGHTARG = @sketch@, FUNCTION = @sketch@_contained,
    COMMUTATOR = @>, RESTRICT = @selectivity@, JOIN = matchingjoinsel);
COMMENT ON OPERATOR <@ (@type@, @sketch@) IS 'whether the value was added';
--@end
