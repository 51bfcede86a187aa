-- topk: the most frequent values, and how frequent they are

-- ---------- type ----------

--@include ../../extension/sketch_type.sql sketch=topk align=int4 category='' modifier='k' \
--    same='same k, same items and counts'

-- Texts can be compressed, and a sketch is always read as a whole
ALTER TYPE topk SET (STORAGE = extended);

COMMENT ON TYPE topk
    IS 'sketch of the most frequent values, with their counts and the error bounds of these; '
       'topk(20) reports 20 values';

-- ---------- constructors and changes ----------

--@include ../../extension/sketch_empty.sql sketch=topk takes='k integer DEFAULT 20' \
--    types=integer \
--    what='an empty sketch that reports the k most frequent values, k 1 to 10,000'

-- Immutable although the text of a value comes from its output function: the settings that
-- output functions read (DateStyle, TimeZone, ...) are fixed meanwhile
--@include ../../extension/sketch_add_all.sql sketch=topk cost=5000

--@include ../../extension/sketch_merge.sql sketch=topk cost=5000 step_cost=2000 space=16384

-- ---------- answers ----------

--@include ../../extension/function.sql function=topk_items \
--    takes='sketch topk, OUT item text, OUT frequency bigint, OUT lower bigint, OUT upper bigint' \
--    types=topk gives='RETURNS SETOF record' cost='100 ROWS 20' \
--    what='the k most frequent values by falling frequency; the true frequency is between lower \
--    and upper'

--@include ../../extension/function.sql function=topk_items \
--    takes='sketch topk, min_share double precision, OUT item text, OUT frequency bigint, OUT \
--    lower bigint, OUT upper bigint, OUT guaranteed boolean' types='topk, double precision' \
--    gives='RETURNS SETOF record' cost='100 ROWS 20' \
--    what='all values that may have at least this share of the total, and whether each certainly \
--    has it'

--@include ../../extension/function.sql function=topk_total takes='sketch topk' types=topk \
--    gives='RETURNS bigint' cost=50 what='the number of values, or the sum of their weights'

--@include ../../extension/function.sql function=topk_info \
--    takes='sketch topk, OUT k integer, OUT counters integer, OUT items integer, OUT total \
--    bigint, OUT error bigint, OUT kind text, OUT family text, OUT bytes integer, OUT encoding \
--    text' types=topk gives='' cost=100 \
--    what='parameters, size, the largest error of a count and the highest possible frequency of a \
--    value not in the sketch, one row'

-- ---------- aggregates ----------

--@include ../../extension/function_null.sql function=topk_final_json takes=topk types=topk \
--    gives='RETURNS jsonb' cost=5000 what='final function of approx_top_k'
