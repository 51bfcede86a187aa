-- scalable_bloom: functions, operators and aggregates over values

--@include ../../extension/sketch_add.sql sketch=scalable_bloom cost=500

--@include ../../extension/sketch_contains.sql sketch=scalable_bloom cost=30 selectivity=contsel \
--    yes='whether the value was added: "no" is certain, "yes" is wrong at the false-positive \
--    rate'

-- ---------- aggregates ----------

-- A state keeps the values' hashes and becomes one layer at the end.  Two layers would not
-- be one, so there is no combine function.

--@include ../../extension/agg_step.sql step=scalable_bloom_step sketch=scalable_bloom \
--    entry_c=probds_scalable_bloom args='' what='transition function of scalable_bloom_agg'

--@include ../../extension/agg_step.sql step=scalable_bloom_step sketch=scalable_bloom \
--    entry_c=probds_scalable_bloom args=', double precision' \
--    what='transition function of scalable_bloom_agg with a capacity'

--@include ../../extension/agg_step.sql step=scalable_bloom_step sketch=scalable_bloom \
--    entry_c=probds_scalable_bloom args=', double precision, double precision' \
--    what='transition function of scalable_bloom_agg with a capacity and a false-positive rate'

--@include ../../extension/agg_step.sql step=scalable_bloom_step sketch=scalable_bloom \
--    entry_c=probds_scalable_bloom args=', double precision, double precision, integer' \
--    what='transition function of scalable_bloom_agg with a capacity, a false-positive rate and \
--    an expansion'

--@include ../../extension/agg_whole.sql aggregate=scalable_bloom_agg sketch=scalable_bloom \
--    step=scalable_bloom_step named='' args='' final=scalable_bloom_final space=2048 more='' \
--    what='a filter of the values that can grow, with one layer sized for their number'

--@include ../../extension/agg_whole.sql aggregate=scalable_bloom_agg sketch=scalable_bloom \
--    step=scalable_bloom_step named=', capacity double precision' args=', double precision' \
--    final=scalable_bloom_final space=2048 more='' \
--    what='a filter of the values that can grow, with one layer sized for their number, at least \
--    for the capacity'

--@include ../../extension/agg_whole.sql aggregate=scalable_bloom_agg sketch=scalable_bloom \
--    step=scalable_bloom_step \
--    named=', capacity double precision, false_positive_rate double precision' \
--    args=', double precision, double precision' final=scalable_bloom_final space=2048 more='' \
--    what='a filter of the values with at least a given capacity, and a false-positive rate'

--@include ../../extension/agg_whole.sql aggregate=scalable_bloom_agg sketch=scalable_bloom \
--    step=scalable_bloom_step \
--    named=', capacity double precision, false_positive_rate double precision, expansion integer' \
--    args=', double precision, double precision, integer' final=scalable_bloom_final space=2048 \
--    more='' \
--    what='a filter of the values with at least a given capacity, a false-positive rate and an \
--    expansion'
