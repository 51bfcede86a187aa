-- cms: functions, operators and aggregates over values

--@include ../../extension/sketch_add.sql sketch=cms cost=1000

--@include ../../extension/sketch_add_weight.sql sketch=cms weight=count cost=1000 \
--    what='the sketch with a value added a number of times; a negative count removes it'

--@include ../../extension/function_values.sql function=cms_frequency \
--    takes='sketch cms, value @type@' types='cms, @type@' gives='RETURNS bigint' cost=50 \
--    what='the estimated frequency of the value: never too low, seldom too high by more than \
--    cms_error'

--@include ../../extension/function_values.sql function=cms_bounds \
--    takes='sketch cms, value @type@, OUT lower bigint, OUT estimate bigint, OUT upper bigint' \
--    types='cms, @type@' gives='' cost=100 \
--    what='the estimated frequency of the value with bounds: at most upper, and at least lower \
--    with a probability of 1 - delta'

--@include ../../extension/operator_values.sql sketch=cms operator=-> function=cms_frequency \
--    what='the estimated frequency of the value'

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
