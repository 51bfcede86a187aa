-- cuckoo: functions, operators and aggregates over values

--@include ../../extension/sketch_add.sql sketch=cuckoo cost=1000

--@for-each text any
CREATE FUNCTION cuckoo_remove(filter cuckoo, value @type@) RETURNS cuckoo
    AS 'MODULE_PATHNAME', 'probds_cuckoo_remove' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 1000
    SUPPORT probds_add_support;
COMMENT ON FUNCTION cuckoo_remove(cuckoo, @type@)
    IS 'the filter without one copy of a value; an error if the filter does not hold it';

CREATE FUNCTION cuckoo_count(filter cuckoo, value @type@) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_cuckoo_count' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
COMMENT ON FUNCTION cuckoo_count(cuckoo, @type@)
    IS 'how many copies of the value the filter holds: never too few, at the false-positive rate '
       'too many';
--@end

-- ---------- probing ----------

--@include ../../extension/sketch_contains.sql sketch=cuckoo cost=20 \
--    yes='does the filter hold the value? "No" is certain, "yes" is wrong at the false-positive \
--    rate'

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
