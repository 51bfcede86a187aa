-- counting_bloom: functions, operators and aggregates over values

--@include ../../extension/sketch_add.sql sketch=counting_bloom cost=1000

--@include ../../extension/sketch_remove.sql sketch=counting_bloom cost=1000 \
--    what='the filter with a value removed once; an error if the value was not added'

--@include ../../extension/function_values.sql function=counting_bloom_count \
--    takes='filter counting_bloom, value @type@' types='counting_bloom, @type@' \
--    gives='RETURNS integer' cost=50 \
--    what='an upper bound of how often the value is in the filter, 0 to 15; 15 stands for 15 or \
--    more'

-- ---------- probing ----------

--@include ../../extension/sketch_contains.sql sketch=counting_bloom cost=50 selectivity=contsel \
--    yes='whether the filter holds the value: "no" is certain, "yes" is wrong at the \
--    false-positive rate'

-- ---------- aggregates ----------

--@include ../../extension/agg_step.sql step=counting_bloom_step sketch=counting_bloom \
--    entry_c=probds_counting_bloom args=', double precision' \
--    what='transition function of counting_bloom_agg with a capacity'

--@include ../../extension/agg_step.sql step=counting_bloom_step sketch=counting_bloom \
--    entry_c=probds_counting_bloom args=', double precision, double precision' \
--    what='transition function of counting_bloom_agg with a capacity and a false-positive rate'

--@include ../../extension/agg_step.sql step=counting_bloom_step sketch=counting_bloom \
--    entry_c=probds_counting_bloom args=', double precision, double precision, text' \
--    what='transition function of counting_bloom_agg with a capacity, a false-positive \
--    rate and a layout'

--@include ../../extension/agg_step.sql step=counting_bloom_inverse_step sketch=counting_bloom \
--    entry_c=probds_counting_bloom_inverse args=', double precision' \
--    what='inverse transition function of counting_bloom_agg with a capacity'

--@include ../../extension/agg_step.sql step=counting_bloom_inverse_step sketch=counting_bloom \
--    entry_c=probds_counting_bloom_inverse args=', double precision, double precision' \
--    what='inverse transition function of counting_bloom_agg with a capacity and a false-positive \
--    rate'

--@include ../../extension/agg_step.sql step=counting_bloom_inverse_step sketch=counting_bloom \
--    entry_c=probds_counting_bloom_inverse args=', double precision, double precision, text' \
--    what='inverse transition function of counting_bloom_agg with a capacity, a false-positive \
--    rate and a layout'

--@include ../../extension/agg.sql aggregate=counting_bloom_agg sketch=counting_bloom \
--    step=counting_bloom_step \
--    named=', capacity double precision' \
--    args=', double precision' final=counting_bloom_final space=16384 \
--    more=', MSFUNC = counting_bloom_step, MINVFUNC = counting_bloom_inverse_step, \
--    MSTYPE = counting_bloom, MSSPACE = 16384, MFINALFUNC = counting_bloom_final' \
--    what='a counting filter of the values for a given capacity, at a false-positive rate of 1 %'

--@include ../../extension/agg.sql aggregate=counting_bloom_agg sketch=counting_bloom \
--    step=counting_bloom_step \
--    named=', capacity double precision, false_positive_rate double precision' \
--    args=', double precision, double precision' final=counting_bloom_final space=16384 \
--    more=', MSFUNC = counting_bloom_step, MINVFUNC = counting_bloom_inverse_step, \
--    MSTYPE = counting_bloom, MSSPACE = 16384, MFINALFUNC = counting_bloom_final' \
--    what='a counting filter of the values for a given capacity and false-positive rate'

--@include ../../extension/agg.sql aggregate=counting_bloom_agg sketch=counting_bloom \
--    step=counting_bloom_step \
--    named=', capacity double precision, false_positive_rate double precision, \
--    layout text' \
--    args=', double precision, double precision, text' \
--    final=counting_bloom_final space=16384 \
--    more=', MSFUNC = counting_bloom_step, MINVFUNC = counting_bloom_inverse_step, \
--    MSTYPE = counting_bloom, MSSPACE = 16384, MFINALFUNC = counting_bloom_final' \
--    what='a counting filter of the values for a given capacity, false-positive rate and \
--    layout, blocked or classic'
