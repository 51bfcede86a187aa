-- scalable_bloom: Bloom filters that grow, was this value among them

-- ---------- type ----------

--@include ../../extension/sketch_type.sql sketch=scalable_bloom align=int4 \
--    category=', CATEGORY = b' modifier='capacity and false-positive rate' \
--    same='same parameters, same layers'

COMMENT ON TYPE scalable_bloom
    IS 'Bloom filter that grows by adding layers; scalable_bloom(1000, 0.01) begins with a layer '
       'for 1000 values, and all layers together keep a false-positive rate of 1 %';

-- ---------- constructors and changes ----------

--@include ../../extension/sketch_empty.sql sketch=scalable_bloom \
--    takes='capacity double precision DEFAULT 1000, false_positive_rate double precision \
--    DEFAULT 0.01, expansion integer DEFAULT 2' \
--    types='double precision, double precision, integer' \
--    what='an empty filter whose first layer holds a number of values; each later layer is larger \
--    by the expansion, and all together keep the false-positive rate'

--@include ../../extension/sketch_add_all.sql sketch=scalable_bloom cost=500

--@include ../../extension/sketch_merge.sql sketch=scalable_bloom cost=500 step_cost=300 space=8192

-- ---------- filters of RedisBloom ----------

--@include ../../extension/sketch_from_redis.sql sketch=scalable_bloom noun=filter \
--    what='imports the whole output of BF.SCANDUMP of RedisBloom, concatenated, with all layers; \
--    strings are text or bytea'

--@include ../../extension/function.sql function=scalable_bloom_to_redis \
--    takes='filter scalable_bloom' types=scalable_bloom gives='RETURNS bytea' cost=500 \
--    what='exports a filter that came from RedisBloom for BF.LOADCHUNK: a head of 20 bytes and 53 \
--    for each layer, then data'

-- ---------- probing ----------

--@include ../../extension/sketch_contains_array.sql sketch=scalable_bloom cost=100

-- ---------- answers ----------

--@include ../../extension/function.sql function=scalable_bloom_cardinality \
--    takes='filter scalable_bloom' types=scalable_bloom gives='RETURNS bigint' cost=500 \
--    what='the estimated number of distinct values, from the fill of the layers; a value that is \
--    in several merged filters counts once for each'

--@include ../../extension/function.sql function=scalable_bloom_false_positive_rate \
--    takes='filter scalable_bloom' types=scalable_bloom gives='RETURNS double precision' \
--    cost=500 \
--    what='the present false-positive rate: the share of values never added that some layer \
--    claims to hold'

--@include ../../extension/function.sql function=scalable_bloom_info \
--    takes='filter scalable_bloom, OUT layer integer, OUT capacity bigint, OUT items bigint, OUT \
--    fill double precision, OUT false_positive_rate double precision, OUT design_rate double \
--    precision, OUT bits bigint, OUT hashes integer, OUT bytes integer, OUT encoding text, OUT \
--    status text, OUT promised_rate double precision, OUT expansion integer, OUT kind text, OUT \
--    family text' types=scalable_bloom gives='RETURNS SETOF record' cost='500 ROWS 5' \
--    what='size, fill, rates and status (ok, full) of each layer, one row a layer, with the \
--    common parameters'
