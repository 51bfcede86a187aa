-- topk: sketches with a number of counters that was chosen

--@include ../../extension/sketch_empty.sql sketch=topk takes='k integer, counters integer' \
--    types='integer, integer' \
--    what='an empty sketch with so many counters, k to 160,000, instead of 16 for each of the k'
