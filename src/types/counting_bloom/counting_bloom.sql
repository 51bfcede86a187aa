-- counting_bloom: counting Bloom filters, is this value among those that were not removed

-- ---------- type ----------

--@include ../../extension/sketch_type.sql sketch=counting_bloom align=int4 \
--    category=', CATEGORY = b' \
--    modifier='capacity, false-positive rate and layout' same='same shape, same counters'

COMMENT ON TYPE counting_bloom
    IS 'counting Bloom filter: tells whether a value was added and not removed; '
       'counting_bloom(1000000, 0.01) is for a million values at a false-positive rate of 1 %';

-- ---------- constructors and changes ----------

--@include ../../extension/sketch_empty_filter.sql sketch=counting_bloom \
--    what='an empty filter for a number of values and a false-positive rate; the layout is \
--    blocked or classic'

--@include ../../extension/sketch_add_all.sql sketch=counting_bloom cost=1000

--@include ../../extension/sketch_remove_all.sql sketch=counting_bloom cost=1000 \
--    what='the filter with each element of an array removed once; an error if one was not added'

--@include ../../extension/sketch_merge.sql sketch=counting_bloom cost=1000 step_cost=500 \
--    space=16384

--@include ../../extension/function_null.sql function=counting_bloom_subtract \
--    takes='a counting_bloom, b counting_bloom' types='counting_bloom, counting_bloom' \
--    gives='RETURNS counting_bloom' cost=1000 \
--    what='subtracts the second filter, such as an earlier state, from the first'

--@include ../../extension/function.sql function=counting_bloom_to_bloom takes=counting_bloom \
--    types=counting_bloom gives='RETURNS bloom' cost=1000 \
--    what='the Bloom filter of the values in the filter'

CREATE CAST (counting_bloom AS bloom) WITH FUNCTION counting_bloom_to_bloom(counting_bloom);
COMMENT ON CAST (counting_bloom AS bloom) IS 'the Bloom filter of the values in the filter';

-- ---------- probing ----------

--@include ../../extension/sketch_contains_array.sql sketch=counting_bloom cost=100

-- ---------- answers ----------

--@include ../../extension/function.sql function=counting_bloom_cardinality \
--    takes='filter counting_bloom' types=counting_bloom gives='RETURNS bigint' cost=1000 \
--    what='the estimated number of distinct values in the filter, from its fill'

--@include ../../extension/function.sql function=counting_bloom_info \
--    takes='filter counting_bloom, OUT layout text, OUT counters bigint, OUT hashes integer, \
--    OUT capacity bigint, OUT items bigint, OUT fill double precision, OUT saturated bigint, \
--    OUT false_positive_rate double precision, OUT design_rate double precision, OUT kind text, \
--    OUT family text, OUT bytes integer, OUT encoding text, OUT status text' \
--    types=counting_bloom gives='' cost=1000 \
--    what='parameters, fill, saturated counters, rates, size and status (ok, nearly full, over \
--    capacity) of a filter, one row'
