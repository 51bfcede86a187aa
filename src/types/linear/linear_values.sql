-- linear: functions and aggregates over values

--@include ../../extension/sketch_add.sql sketch=linear cost=500

--@include ../../extension/agg_step.sql step=linear_step sketch=linear entry_c=probds_linear \
--    args=', integer' what='transition function of linear_agg'

--@include ../../extension/agg.sql aggregate=linear_agg sketch=linear step=linear_step \
--    named=', bits integer' args=', integer' final=linear_final space=640 more='' \
--    what='a sketch of the values of so many bits'
