-- linear: linear counting, how many distinct values there were

--@include ../../extension/sketch_type.sql sketch=linear align=int4 category='' \
--    modifier='number of bits' same='same number of bits, same bits set'

COMMENT ON TYPE linear IS 'linear counting: the number of distinct values added to it';

--@include ../../extension/sketch_empty.sql sketch=linear takes='bits integer DEFAULT 4096' \
--    types=integer what='an empty sketch of so many bits, 64 to 65,536'

--@include ../../extension/sketch_add_all.sql sketch=linear cost=500
--@include ../../extension/sketch_merge.sql sketch=linear cost=500 step_cost=300 space=640

--@include ../../extension/function.sql function=linear_cardinality takes='sketch linear' \
--    types=linear gives='RETURNS bigint' cost=50 what='the estimated number of distinct values'

--@include ../../extension/function.sql function=linear_info \
--    takes='sketch linear, OUT bits integer, OUT cardinality bigint, OUT kind text, OUT bytes \
--    integer' types=linear gives='' cost=50 \
--    what='parameters, size and estimate of a sketch, one row'
