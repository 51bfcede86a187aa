-- cuckoo: cuckoo filters, a set that forgets

-- ---------- type ----------

--@include ../../extension/sketch_type.sql sketch=cuckoo align=int4 category=', CATEGORY = b' \
--    modifier='capacity and false-positive rate' same='same parameters, same contents'

COMMENT ON TYPE cuckoo
    IS 'cuckoo filter: tells whether a value was added and not removed; cuckoo(1000000, 0.01) is '
       'for a million values at a false-positive rate of 1 %';

-- ---------- constructors and changes ----------

--@include ../../extension/sketch_empty.sql sketch=cuckoo \
--    takes='capacity double precision, false_positive_rate double precision DEFAULT 0.01' \
--    types='double precision, double precision' \
--    what='an empty filter for a number of distinct values and a false-positive rate'

--@include ../../extension/sketch_add_all.sql sketch=cuckoo cost=1000

--@include ../../extension/sketch_remove_all.sql sketch=cuckoo cost=1000 \
--    what='the filter without one copy of every element of an array; an error if the filter \
--    does not hold one of them'

--@include ../../extension/sketch_merge.sql sketch=cuckoo cost=1000 step_cost=500 space=8192

-- ---------- probing ----------

--@include ../../extension/sketch_contains_array.sql sketch=cuckoo cost=100

-- ---------- answers ----------

--@include ../../extension/function.sql function=cuckoo_cardinality takes='filter cuckoo' \
--    types=cuckoo gives='RETURNS bigint' cost=20 \
--    what='the estimated number of distinct values that the filter holds'

--@include ../../extension/function.sql function=cuckoo_false_positive_rate \
--    takes='filter cuckoo' types=cuckoo gives='RETURNS double precision' cost=20 \
--    what='the present false-positive rate: the share of values not held that the filter claims \
--    to hold'

--@include ../../extension/function.sql function=cuckoo_info \
--    takes='filter cuckoo, OUT capacity bigint, OUT items bigint, OUT copies bigint, OUT fill \
--    double precision, OUT false_positive_rate double precision, OUT design_rate double \
--    precision, OUT kind text, OUT family text, OUT bytes integer, OUT encoding text, OUT \
--    status text' types=cuckoo gives='' cost=500 \
--    what='capacity, number of values, fill, rates, size and status (ok, nearly full, over \
--    capacity) of a filter, one row'
