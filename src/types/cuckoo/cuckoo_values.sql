-- cuckoo: functions, operators and aggregates over values

--@include ../../extension/sketch_add.sql sketch=cuckoo cost=1000

--@include ../../extension/sketch_remove.sql sketch=cuckoo cost=1000 \
--    what='the filter without one copy of a value; an error if the filter does not hold it'

--@include ../../extension/function_values.sql function=cuckoo_count \
--    takes='filter cuckoo, value @type@' types='cuckoo, @type@' gives='RETURNS bigint' cost=20 \
--    what='the number of copies of the value that the filter holds: never too low, too high at \
--    the false-positive rate'

-- ---------- probing ----------

--@include ../../extension/sketch_contains.sql sketch=cuckoo cost=20 selectivity=contsel \
--    yes='whether the filter holds the value: "no" is certain, "yes" is wrong at the \
--    false-positive rate'

-- ---------- aggregates ----------

--@include ../../extension/agg_step.sql step=cuckoo_step sketch=cuckoo entry_c=probds_cuckoo \
--    args=', double precision' what='transition function of cuckoo_agg with a capacity'

--@include ../../extension/agg_step.sql step=cuckoo_step sketch=cuckoo entry_c=probds_cuckoo \
--    args=', double precision, double precision' \
--    what='transition function of cuckoo_agg with a capacity and a false-positive rate'

--@include ../../extension/agg_step.sql step=cuckoo_inverse_step sketch=cuckoo \
--    entry_c=probds_cuckoo_inverse args=', double precision' \
--    what='inverse transition function of cuckoo_agg with a capacity'

--@include ../../extension/agg_step.sql step=cuckoo_inverse_step sketch=cuckoo \
--    entry_c=probds_cuckoo_inverse args=', double precision, double precision' \
--    what='inverse transition function of cuckoo_agg with a capacity and a false-positive rate'

--@include ../../extension/agg.sql aggregate=cuckoo_agg sketch=cuckoo step=cuckoo_step \
--    named=', capacity double precision' args=', double precision' final=cuckoo_final space=4096 \
--    more=', MSFUNC = cuckoo_step, MINVFUNC = cuckoo_inverse_step, MSTYPE = cuckoo, MSSPACE = \
--    16384, MFINALFUNC = cuckoo_final' \
--    what='a filter of the values for a given capacity, at a false-positive rate of 1 %'

--@include ../../extension/agg.sql aggregate=cuckoo_agg sketch=cuckoo step=cuckoo_step \
--    named=', capacity double precision, false_positive_rate double precision' \
--    args=', double precision, double precision' final=cuckoo_final space=4096 \
--    more=', MSFUNC = cuckoo_step, MINVFUNC = cuckoo_inverse_step, MSTYPE = cuckoo, MSSPACE = \
--    16384, MFINALFUNC = cuckoo_final' \
--    what='a filter of the values for a given capacity and false-positive rate'
