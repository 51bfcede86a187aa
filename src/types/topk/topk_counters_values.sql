-- topk: aggregates with a number of counters that was chosen

--@include ../../extension/agg_step.sql step=topk_step sketch=topk entry_c=probds_topk \
--    args=', bigint, integer, integer' \
--    what='transition function of topk_agg and approx_top_k with a number of counters'

--@include ../../extension/agg.sql aggregate=topk_agg sketch=topk step=topk_step \
--    named=', weight bigint, k integer, counters integer' args=', bigint, integer, integer' \
--    final=topk_final space=4096 more='' \
--    what='a sketch of the k values of the largest sums of weights, with so many counters'

--@include ../../extension/agg.sql aggregate=approx_top_k sketch=topk step=topk_step \
--    named=', weight bigint, k integer, counters integer' args=', bigint, integer, integer' \
--    final=topk_final_json space=4096 more='' \
--    what='the k values of the largest sums of weights from so many counters, with these and \
--    their errors, as a JSON array'
