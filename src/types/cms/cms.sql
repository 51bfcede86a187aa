-- cms: Count-Min, how often each value occurred

-- ---------- type ----------

--@include ../../extension/sketch_type.sql sketch=cms align=int4 category='' \
--    modifier='epsilon and delta' \
--    same='same shape, same counters'

COMMENT ON TYPE cms
    IS 'Count-Min sketch: estimates how often each value was added. Estimates of cms(0.001, '
       '0.01) are too high by at most 0.1 % of the sum of all weights, 99 % of the time';

-- ---------- constructors and changes ----------

--@include ../../extension/sketch_empty.sql sketch=cms \
--    takes='epsilon double precision DEFAULT 0.001, delta double precision DEFAULT 0.01, \
--    conservative boolean DEFAULT false' types='double precision, double precision, boolean' \
--    what='an empty sketch for a relative error of epsilon with a probability of 1 - delta, plain \
--    or with conservative update'

--@include ../../extension/sketch_add_all.sql sketch=cms cost=1000

--@include ../../extension/sketch_merge.sql sketch=cms cost=1000 step_cost=500 space=16384

--@include ../../extension/function_null.sql function=cms_subtract takes='a cms, b cms' \
--    types='cms, cms' gives='RETURNS cms' cost=1000 \
--    what='subtracts the second sketch, such as an earlier state, from the first'

-- ---------- answers ----------

--@for-each text anyarray
CREATE FUNCTION cms_frequencies(sketch cms, elements @type@) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'probds_cms_frequencies'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
COMMENT ON FUNCTION cms_frequencies(cms, @type@)
    IS 'the estimated frequency of each element of an array';
--@end

--@include ../../extension/function.sql function=cms_total takes='sketch cms' types=cms \
--    gives='RETURNS bigint' cost=20 what='the sum of all weights'

--@include ../../extension/function.sql function=cms_error takes='sketch cms' types=cms \
--    gives='RETURNS bigint' cost=20 \
--    what='the largest error of a frequency, with a probability of 1 - delta'

--@include ../../extension/function.sql function=cms_inner_product takes='a cms, b cms' \
--    types='cms, cms' gives='RETURNS numeric' cost=2000 \
--    what='the estimated number of rows of a join on the values, never too low'

--@include ../../extension/function.sql function=cms_info \
--    takes='sketch cms, OUT epsilon double precision, OUT delta double precision, OUT width \
--    integer, OUT depth integer, OUT conservative boolean, OUT encoding text, OUT counter_bytes \
--    integer, OUT kind text, OUT family text, OUT bytes integer, OUT total bigint, OUT fill \
--    double precision, OUT error bigint' types=cms gives='' cost=500 \
--    what='parameters, encoding, size, total, fill and error of a sketch, one row'
