-- cms: functions, operators and aggregates over values

--@include ../../extension/sketch_add.sql sketch=cms cost=1000

--@for-each text any
CREATE FUNCTION cms_add(sketch cms, value @type@, count bigint) RETURNS cms
    AS 'MODULE_PATHNAME', 'probds_cms_add' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION cms_add(cms, @type@, bigint)
    IS 'the sketch with a value more, so many times; a negative count takes it out';

CREATE FUNCTION cms_frequency(sketch cms, value @type@) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cms_frequency' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
COMMENT ON FUNCTION cms_frequency(cms, @type@)
    IS 'how often the value occurred: never too low, seldom too high by more than cms_error';

CREATE FUNCTION cms_bounds(sketch cms, value @type@,
                           OUT lower bigint, OUT estimate bigint, OUT upper bigint)
    AS 'MODULE_PATHNAME', 'probds_cms_bounds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
COMMENT ON FUNCTION cms_bounds(cms, @type@)
    IS 'how often the value occurred: at most upper, and at least lower with a probability of 1 - '
       'delta';

CREATE OPERATOR -> (LEFTARG = cms, RIGHTARG = @type@, FUNCTION = cms_frequency);
COMMENT ON OPERATOR -> (cms, @type@) IS 'how often the value occurred';
--@end

-- ---------- aggregates ----------

--@include ../../extension/agg_step.sql step=cms_step sketch=cms entry_c=probds_cms args='' \
--    what='transition function of cms_agg'

--@include ../../extension/agg_step.sql step=cms_step sketch=cms entry_c=probds_cms \
--    args=', bigint' what='transition function of cms_agg with weights'

--@include ../../extension/agg_step.sql step=cms_step sketch=cms entry_c=probds_cms \
--    args=', double precision, double precision' \
--    what='transition function of cms_agg with epsilon and delta'

--@include ../../extension/agg_step.sql step=cms_step sketch=cms entry_c=probds_cms \
--    args=', bigint, double precision, double precision' \
--    what='transition function of cms_agg with weights, epsilon and delta'

--@include ../../extension/agg_step.sql step=cms_inverse_step sketch=cms \
--    entry_c=probds_cms_inverse args='' what='inverse transition function of cms_agg'

--@include ../../extension/agg_step.sql step=cms_inverse_step sketch=cms \
--    entry_c=probds_cms_inverse args=', bigint' \
--    what='inverse transition function of cms_agg with weights'

--@include ../../extension/agg_step.sql step=cms_inverse_step sketch=cms \
--    entry_c=probds_cms_inverse args=', double precision, double precision' \
--    what='inverse transition function of cms_agg with epsilon and delta'

--@include ../../extension/agg_step.sql step=cms_inverse_step sketch=cms \
--    entry_c=probds_cms_inverse args=', bigint, double precision, double precision' \
--    what='inverse transition function of cms_agg with weights, epsilon and delta'

--@include ../../extension/agg_step.sql step=cms_conservative_step sketch=cms \
--    entry_c=probds_cms_conservative args='' what='transition function of cms_agg_conservative'

--@include ../../extension/agg_step.sql step=cms_conservative_step sketch=cms \
--    entry_c=probds_cms_conservative args=', bigint' \
--    what='transition function of cms_agg_conservative with weights'

--@include ../../extension/agg_step.sql step=cms_conservative_step sketch=cms \
--    entry_c=probds_cms_conservative args=', double precision, double precision' \
--    what='transition function of cms_agg_conservative with epsilon and delta'

--@include ../../extension/agg_step.sql step=cms_conservative_step sketch=cms \
--    entry_c=probds_cms_conservative args=', bigint, double precision, double precision' \
--    what='transition function of cms_agg_conservative with weights, epsilon and delta'

--@include ../../extension/agg.sql aggregate=cms_agg sketch=cms step=cms_step named='' args='' \
--    final=cms_final space=4096 \
--    more=', MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, \
--    MFINALFUNC = cms_final' \
--    what='a sketch of how often each value occurs, epsilon 0.001 and delta 0.01'

--@include ../../extension/agg.sql aggregate=cms_agg sketch=cms step=cms_step \
--    named=', weight bigint' args=', bigint' final=cms_final space=4096 \
--    more=', MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, \
--    MFINALFUNC = cms_final' \
--    what='a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01'

--@include ../../extension/agg.sql aggregate=cms_agg sketch=cms step=cms_step \
--    named=', epsilon double precision, delta double precision' \
--    args=', double precision, double precision' final=cms_final space=4096 \
--    more=', MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, \
--    MFINALFUNC = cms_final' \
--    what='a sketch of how often each value occurs, of a given epsilon and delta'

--@include ../../extension/agg.sql aggregate=cms_agg sketch=cms step=cms_step \
--    named=', weight bigint, epsilon double precision, delta double precision' \
--    args=', bigint, double precision, double precision' final=cms_final space=4096 \
--    more=', MSFUNC = cms_step, MINVFUNC = cms_inverse_step, MSTYPE = cms, MSSPACE = 16384, \
--    MFINALFUNC = cms_final' \
--    what='a sketch of the sum of each value''s weights, of a given epsilon and delta'

--@include ../../extension/agg.sql aggregate=cms_agg_conservative sketch=cms \
--    step=cms_conservative_step named='' args='' final=cms_final space=4096 more='' \
--    what='a sketch of how often each value occurs, epsilon 0.001 and delta 0.01, by \
--    conservative update: closer estimates, but nothing can be taken out'

--@include ../../extension/agg.sql aggregate=cms_agg_conservative sketch=cms \
--    step=cms_conservative_step named=', weight bigint' args=', bigint' final=cms_final \
--    space=4096 more='' \
--    what='a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01, by \
--    conservative update: closer estimates, but nothing can be taken out'

--@include ../../extension/agg.sql aggregate=cms_agg_conservative sketch=cms \
--    step=cms_conservative_step named=', epsilon double precision, delta double precision' \
--    args=', double precision, double precision' final=cms_final space=4096 more='' \
--    what='a sketch of how often each value occurs, of a given epsilon and delta, by \
--    conservative update: closer estimates, but nothing can be taken out'

--@include ../../extension/agg.sql aggregate=cms_agg_conservative sketch=cms \
--    step=cms_conservative_step \
--    named=', weight bigint, epsilon double precision, delta double precision' \
--    args=', bigint, double precision, double precision' final=cms_final space=4096 more='' \
--    what='a sketch of the sum of each value''s weights, of a given epsilon and delta, by \
--    conservative update: closer estimates, but nothing can be taken out'
