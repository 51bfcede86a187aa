-- minhash: functions and aggregates over values

--@include ../../extension/sketch_add.sql sketch=minhash cost=300

--@include ../../extension/agg_step.sql step=minhash_step sketch=minhash entry_c=probds_minhash \
--    args='' what='transition function of minhash_agg with the default k'

--@include ../../extension/agg_step.sql step=minhash_step sketch=minhash entry_c=probds_minhash \
--    args=', integer' what='transition function of minhash_agg'

--@include ../../extension/agg.sql aggregate=minhash_agg sketch=minhash step=minhash_step named='' \
--    args='' final=minhash_final space=1024 more='' what='a sketch of the values, k = 128'

--@include ../../extension/agg.sql aggregate=minhash_agg sketch=minhash step=minhash_step \
--    named=', k integer' args=', integer' final=minhash_final space=1024 more='' \
--    what='a sketch of the values of a given k, a power of 2 from 16 to 65536'
