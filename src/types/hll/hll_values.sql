-- hll: functions and aggregates over values

--@include ../../extension/sketch_add.sql sketch=hll cost=500

--@include ../../extension/agg_step.sql step=hll_step sketch=hll entry_c=probds_hll args='' \
--    what='transition function of hll_agg and approx_count_distinct'

--@include ../../extension/agg_step.sql step=hll_step sketch=hll entry_c=probds_hll \
--    args=', integer' \
--    what='transition function of hll_agg and approx_count_distinct with a precision'

--@include ../../extension/agg.sql aggregate=hll_agg sketch=hll step=hll_step named='' args='' \
--    final=hll_final space=512 more='' what='a sketch of the values, precision 14'

--@include ../../extension/agg.sql aggregate=hll_agg sketch=hll step=hll_step \
--    named=', precision_bits integer' args=', integer' final=hll_final space=512 more='' \
--    what='a sketch of the values of a given precision, 4 to 18'

--@include ../../extension/agg.sql aggregate=approx_count_distinct sketch=hll step=hll_step \
--    named='' args='' final=hll_final_count space=512 more='' \
--    what='the estimated number of distinct values, by hll_agg at precision 14'

--@include ../../extension/agg.sql aggregate=approx_count_distinct sketch=hll step=hll_step \
--    named=', precision_bits integer' args=', integer' final=hll_final_count space=512 more='' \
--    what='the estimated number of distinct values, by hll_agg at a given precision'
