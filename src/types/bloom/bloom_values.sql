-- bloom: functions, operators and aggregates over values

--@include ../../extension/sketch_add.sql sketch=bloom cost=500

-- ---------- probing ----------

--@include ../../extension/sketch_contains.sql sketch=bloom \
--    cost='10 SUPPORT bloom_contains_support' selectivity=bloom_contains_sel \
--    yes='whether the value was added: "no" is certain, "yes" is wrong at the false-positive \
--    rate'

-- ---------- aggregates ----------

-- The states of one without a capacity cannot be merged across machines, so it has no
-- combine function

--@include ../../extension/agg_step.sql step=bloom_step sketch=bloom entry_c=probds_bloom \
--    args='' what='transition function of bloom_agg'

--@include ../../extension/agg_step.sql step=bloom_step sketch=bloom entry_c=probds_bloom \
--    args=', double precision' what='transition function of bloom_agg with a capacity'

--@include ../../extension/agg_step.sql step=bloom_step sketch=bloom entry_c=probds_bloom \
--    args=', double precision, double precision' \
--    what='transition function of bloom_agg with a capacity and a false-positive rate'

--@include ../../extension/agg_step.sql step=bloom_step sketch=bloom entry_c=probds_bloom \
--    args=', double precision, double precision, text' \
--    what='transition function of bloom_agg with a capacity, a false-positive rate and a layout'

--@include ../../extension/agg_whole.sql aggregate=bloom_agg sketch=bloom step=bloom_step \
--    named='' args='' final=bloom_final space=2048 more='' \
--    what='a filter of the values, sized for their number, at a false-positive rate of 1 %'

--@include ../../extension/agg.sql aggregate=bloom_agg sketch=bloom step=bloom_step \
--    named=', capacity double precision' args=', double precision' final=bloom_final space=2048 \
--    more='' \
--    what='a filter of the values for a given capacity, at a false-positive rate of 1 %'

--@include ../../extension/agg.sql aggregate=bloom_agg sketch=bloom step=bloom_step \
--    named=', capacity double precision, false_positive_rate double precision' \
--    args=', double precision, double precision' final=bloom_final space=2048 more='' \
--    what='a filter of the values for a given capacity and false-positive rate'

--@include ../../extension/agg.sql aggregate=bloom_agg sketch=bloom step=bloom_step \
--    named=', capacity double precision, false_positive_rate double precision, layout text' \
--    args=', double precision, double precision, text' final=bloom_final space=2048 more='' \
--    what='a filter of the values for a given capacity, false-positive rate and layout, blocked \
--    or classic'
