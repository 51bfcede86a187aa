-- An aggregate over values, for one list of parameters
--
-- Parameters: aggregate  its name
--             sketch     the type's name
--             step       its transition function
--             named      the parameters behind the value with their names, each after a comma
--             args       their types alone
--             final      its final function
--             space      bytes of a state, on average
--             more       options more: a moving aggregate's, each after a comma
--             what       what it is

--@for-each-value-type
CREATE AGGREGATE @aggregate@(value @type@@named@) (
    SFUNC = @step@, STYPE = @sketch@, SSPACE = @space@, FINALFUNC = @final@,
    @combine:@sketch@_combine@PARALLEL = SAFE@more@
);
COMMENT ON AGGREGATE @aggregate@(@type@@args@) IS '@what@';
--@end
