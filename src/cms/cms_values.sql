-- cms: functions, operators and aggregates over values

--@include ../probds/sketch_add.sql sketch=cms cost=1000

--@for-each text any
CREATE FUNCTION cms_add(sketch cms, value @type@, count bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION cms_add(cms, @type@, bigint) IS 'the sketch with a value more, so many times; a negative count takes it out';

CREATE FUNCTION cms_frequency(sketch cms, value @type@) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION cms_frequency(cms, @type@) IS 'how often the value occurred: never too low, seldom too high by more than cms_error';

CREATE FUNCTION cms_bounds(sketch cms, value @type@,
                           OUT lower bigint, OUT estimate bigint, OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_cms_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION cms_bounds(cms, @type@) IS 'how often the value occurred: at most upper, and at least lower with a probability of 1 - delta';

CREATE OPERATOR -> (LEFTARG = cms, RIGHTARG = @type@, FUNCTION = cms_frequency);
COMMENT ON OPERATOR -> (cms, @type@) IS 'how often the value occurred';
--@end

-- ---------- aggregates ----------

--@include cms_step.sql function=cms_step entry_c=probds_cms what='transition function of cms_agg'

--@include cms_step.sql function=cms_inverse_step entry_c=probds_cms_inverse what='inverse transition function of cms_agg'

--@include cms_step.sql function=cms_conservative_step entry_c=probds_cms_conservative what='transition function of cms_agg_conservative'

--@include cms_agg.sql aggregate=cms_agg step=cms_step moving=', MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, MFINALFUNC = cms_final' how=''

--@include cms_agg.sql aggregate=cms_agg_conservative step=cms_conservative_step moving='' how=', by conservative update: closer estimates, but nothing can be taken out'
