-- Unions: of two values, of a column, and of the states of parallel workers
--
-- Parameters: sketch     the type's name
--             cost       of taking two apart and putting their union together
--             step_cost  of uniting a state with a value
--             space      bytes of a state, on average

CREATE FUNCTION @sketch@_merge(a @sketch@, b @sketch@) RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_merge' LANGUAGE C IMMUTABLE PARALLEL SAFE COST @cost@;
COMMENT ON FUNCTION @sketch@_merge(@sketch@, @sketch@)
    IS 'the union of two sketches; NULL is ignored';

CREATE OPERATOR || (LEFTARG = @sketch@, RIGHTARG = @sketch@, FUNCTION = @sketch@_merge,
    COMMUTATOR = ||);
COMMENT ON OPERATOR || (@sketch@, @sketch@) IS 'the union of two sketches';

CREATE FUNCTION @sketch@_combine(@sketch@, @sketch@) RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_combine'
    LANGUAGE C IMMUTABLE PARALLEL SAFE COST @step_cost@;
COMMENT ON FUNCTION @sketch@_combine(@sketch@, @sketch@) IS 'combine function of the aggregates';

CREATE FUNCTION @sketch@_merge_step(@sketch@, @sketch@) RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_merge_step'
    LANGUAGE C IMMUTABLE PARALLEL SAFE COST @step_cost@;
COMMENT ON FUNCTION @sketch@_merge_step(@sketch@, @sketch@)
    IS 'transition function of @sketch@_merge_agg';

CREATE FUNCTION @sketch@_final(@sketch@) RETURNS @sketch@
    AS 'MODULE_PATHNAME', 'probds_@sketch@_final' LANGUAGE C IMMUTABLE PARALLEL SAFE COST @cost@;
COMMENT ON FUNCTION @sketch@_final(@sketch@)
    IS 'final function of @sketch@_agg and @sketch@_merge_agg';

CREATE AGGREGATE @sketch@_merge_agg(@sketch@) (
    SFUNC = @sketch@_merge_step, STYPE = @sketch@, SSPACE = @space@, FINALFUNC = @sketch@_final,
    COMBINEFUNC = @sketch@_combine, PARALLEL = SAFE
);
COMMENT ON AGGREGATE @sketch@_merge_agg(@sketch@) IS 'the union of all sketches';
