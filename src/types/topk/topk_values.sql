-- topk: functions, operators and aggregates over values

--@include ../../extension/sketch_add.sql sketch=topk cost=5000

--@include ../../extension/sketch_add_weight.sql sketch=topk weight=weight cost=5000 \
--    what='the sketch with a value added with a weight'

--@include ../../extension/function_values.sql function=topk_frequency \
--    takes='sketch topk, value @type@' types='topk, @type@' gives='RETURNS bigint' cost=2000 \
--    what='an upper bound of how often a value occurred; 0 if it is not in the sketch'

--@include ../../extension/function_values.sql function=topk_bounds \
--    takes='sketch topk, value @type@, OUT lower bigint, OUT estimate bigint, OUT upper bigint' \
--    types='topk, @type@' gives='' cost=2000 \
--    what='bounds of how often a value occurred, whether it is in the sketch or not'

--@include ../../extension/operator_values.sql sketch=topk operator=-> function=topk_frequency \
--    what='an upper bound of how often the value occurred'

-- ---------- aggregates ----------

--@include ../../extension/agg_step.sql step=topk_step sketch=topk entry_c=probds_topk args='' \
--    what='transition function of topk_agg and approx_top_k with the default k'

--@include ../../extension/agg_step.sql step=topk_step sketch=topk entry_c=probds_topk \
--    args=', integer' what='transition function of topk_agg and approx_top_k'

--@include ../../extension/agg_step.sql step=topk_step sketch=topk entry_c=probds_topk \
--    args=', bigint, integer' \
--    what='transition function of topk_agg and approx_top_k with weights'

--@include ../../extension/agg.sql aggregate=topk_agg sketch=topk step=topk_step named='' \
--    args='' final=topk_final space=4096 more='' what='a sketch of the 20 most frequent values'

--@include ../../extension/agg.sql aggregate=topk_agg sketch=topk step=topk_step \
--    named=', k integer' args=', integer' final=topk_final space=4096 more='' \
--    what='a sketch of the k most frequent values'

--@include ../../extension/agg.sql aggregate=topk_agg sketch=topk step=topk_step \
--    named=', weight bigint, k integer' args=', bigint, integer' final=topk_final space=4096 \
--    more='' what='a sketch of the k values of the largest sums of weights'

--@include ../../extension/agg.sql aggregate=approx_top_k sketch=topk step=topk_step named='' \
--    args='' final=topk_final_json space=4096 more='' \
--    what='the 20 most frequent values with their counts and errors, as a JSON array'

--@include ../../extension/agg.sql aggregate=approx_top_k sketch=topk step=topk_step \
--    named=', k integer' args=', integer' final=topk_final_json space=4096 more='' \
--    what='the k most frequent values with their counts and errors, as a JSON array'

--@include ../../extension/agg.sql aggregate=approx_top_k sketch=topk step=topk_step \
--    named=', weight bigint, k integer' args=', bigint, integer' final=topk_final_json \
--    space=4096 more='' \
--    what='the k values of the largest sums of weights with these and their errors, as a JSON \
--    array'
