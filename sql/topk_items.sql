-- The answers: topk_items, topk_frequency, topk_bounds, topk_total, topk_info, approx_top_k

-- Values of a Zipf-like distribution: half a million of them possible, in 60,000 rows
CREATE TEMP TABLE rows AS
SELECT i, v, 'page ' || v AS page FROM (SELECT i, (x * x / 99991) * (x * x / 99991) / 99991 * 5 AS v FROM (SELECT i, i * 7919::bigint % 99991 AS x FROM generate_series(1, 60000) i) q) q;
CREATE TEMP TABLE truth AS SELECT v, page, count(*) AS n FROM rows GROUP BY v, page;
CREATE TEMP TABLE sketch AS SELECT topk_agg(v, 10) AS s, topk_agg(page, 10) AS pages, topk_agg(v, 3000) AS exact, topk_agg(page, i, 10) AS weighted FROM rows;
SELECT count(*) AS different, max(n) AS most FROM truth;

-- ---------- topk_items ----------
SELECT t.*, truth.n FROM sketch, topk_items(s) t JOIN truth ON item = v::text ORDER BY n DESC;
SELECT bool_and(n BETWEEN lower AND upper AND frequency = upper) AS within, array_agg(item ORDER BY n DESC) = (SELECT array_agg(page) FROM (SELECT page FROM truth ORDER BY n DESC LIMIT 10) q) AS the_top FROM sketch, topk_items(pages) t JOIN truth ON item = page;
SELECT (SELECT array_agg(lower) FROM topk_items(exact)) = (SELECT array_agg(n ORDER BY n DESC) FROM (SELECT n FROM truth ORDER BY n DESC LIMIT 3000) q) AS exact_counts, (SELECT count(*) FROM topk_items(exact)) AS items FROM sketch;
SELECT count(*) AS none FROM topk_items(topk_empty());
SELECT count(*) AS none FROM topk_items(NULL);
-- in falling order, and equal ones as their hashes are
SELECT count(*) FILTER (WHERE before < frequency) AS out_of_order FROM (SELECT frequency, lag(frequency) OVER () AS before FROM sketch, topk_items(exact)) q;
SELECT item FROM (SELECT topk_agg(i, 9) AS s FROM generate_series(1, 20) i) q, topk_items(s) EXCEPT ALL SELECT i::text FROM (SELECT i FROM generate_series(1, 20) i ORDER BY probds_hash(i) < 0, probds_hash(i) LIMIT 9) q;
-- a few of the rows, and none of them
SELECT item FROM sketch, topk_items(s) LIMIT 2;
SELECT day, t.item FROM (VALUES (1, topk_add(topk_empty(), 'a')), (2, NULL), (3, topk_empty()), (4, topk_add_all(topk_empty(), ARRAY['b', 'c', 'b']))) d(day, s) LEFT JOIN LATERAL topk_items(s) t ON true ORDER BY 1, 2;
-- joined back, by a cast of the item
SELECT r.page, t.frequency FROM sketch, topk_items(s) t JOIN truth r ON r.v = t.item::bigint ORDER BY t.frequency DESC, r.v LIMIT 3;

-- ---------- topk_items with a share: heavy hitters ----------
SELECT t.*, n FROM sketch, topk_items(s, 0.01) t JOIN truth ON item = v::text ORDER BY n DESC;
-- all that have it are there, those that are guaranteed have it, and those that are not are few
SELECT share, count(*) AS items, count(*) FILTER (WHERE guaranteed) AS guaranteed, bool_and(n >= share * 60000) FILTER (WHERE guaranteed) AS have_it, count(*) FILTER (WHERE n >= share * 60000) AS with_it, min(frequency) >= share * 60000 AS may_have_it,
    (SELECT count(*) FROM truth WHERE n >= share * 60000) AS true_ones
FROM unnest(ARRAY[0.0005, 0.001, 0.002, 0.01, 0.05, 0.1]) share, sketch, topk_items(s, share) t JOIN truth ON item = v::text GROUP BY share ORDER BY share;
SELECT count(*) AS all_values FROM sketch, topk_items(exact, 0.000001);
-- a share that is a whole number of values, as it is written
SELECT share, (SELECT count(*) FROM topk_items(s, share)) AS items FROM (SELECT topk_add(topk_add(topk_empty(), 'a', 7), 'b', 93) AS s) q, unnest(ARRAY[0.06, 0.07, 0.0700001, 0.93, 0.9300001, 1]) share ORDER BY share;
SELECT (SELECT count(*) FROM topk_items(topk_add(topk_empty(), 'a', 9223372036854775807), 1)) AS largest, (SELECT count(*) FROM topk_items(topk_empty(), 0.5)) AS empty, (SELECT count(*) FROM topk_items(NULL, 0.5)) AS null_sketch,
    (SELECT count(*) FROM topk_items(topk_add(topk_empty(), 1), NULL)) AS null_share;

-- ---------- topk_frequency, topk_bounds ----------
-- (some of the values: each call reads a whole sketch)
SELECT bool_and(topk_frequency(s, v) >= n OR topk_frequency(s, v) = 0) AS at_least, bool_and(topk_frequency(exact, v) = n) AS exact, bool_and(topk_frequency(pages, page) >= n OR n <= (topk_info(pages)).error) AS pages FROM truth, sketch WHERE v % 13 = 0;
SELECT count(*) FILTER (WHERE n NOT BETWEEN lower AND upper OR estimate <> upper AND (estimate <> 0 OR lower <> 0)) AS wrong, count(*) FILTER (WHERE estimate = 0) > 10000 AS many_missing FROM truth, sketch, topk_bounds(s, v);
SELECT topk_bounds(s, 0), topk_bounds(s, '0'), topk_bounds(s, 0.0), topk_bounds(s, 0::smallint), topk_frequency(s, -1), topk_bounds(exact, -1), topk_bounds(pages, 'page 0'), topk_bounds(pages, 'page 0'::varchar(20)) FROM sketch;
SELECT topk_bounds(topk_empty(), 1), topk_frequency(topk_empty(), 'a'), topk_bounds(topk_empty(), 1::float8), topk_frequency(NULL, 1) IS NULL AS null_sketch, topk_frequency(topk_empty(), NULL) IS NULL AS null_value, (topk_bounds(s, NULL::int)).upper AS null_bounds FROM sketch;
PREPARE often(text) AS SELECT topk_frequency(pages, $1) > 1000 AS often FROM sketch;
EXECUTE often('page 0');
EXECUTE often('page 99');

-- ---------- topk_total, topk_info ----------
SELECT topk_total(s), topk_total(weighted) = (SELECT sum(i) FROM rows) AS weighted, topk_total(topk_empty()) AS empty, topk_total(NULL) AS null FROM sketch;
SELECT k, counters, items, total, error <= total / (counters + 1) AS within, kind, family, encoding FROM sketch, unnest(ARRAY[s, pages, exact, weighted, topk_empty(3)]) x, topk_info(x);
SELECT (topk_info(topk_add(topk_empty(3), 1.5))).*;
SELECT topk_info(NULL) IS NULL AS null;
-- from a column where it is stored apart, compressed and not
CREATE TEMP TABLE stored AS SELECT * FROM sketch;
ALTER TABLE stored ALTER pages SET STORAGE external, ALTER exact SET STORAGE main;
INSERT INTO stored SELECT * FROM sketch;
SELECT topk_total(pages), topk_total(exact), (topk_info(pages)).bytes = (topk_info(weighted)).bytes AS bytes, topk_frequency(exact, 0), (SELECT item FROM topk_items(pages) LIMIT 1) FROM stored;
SELECT pg_column_size(weighted) < 0.8 * (topk_info(weighted)).bytes AS compressed FROM stored LIMIT 1;

-- ---------- approx_top_k ----------
SELECT approx_top_k(v, 3), approx_top_k(page, 2) FROM rows;
SELECT (SELECT array_agg((x ->> 'value', (x ->> 'count')::bigint, (x ->> 'error')::bigint)) FROM jsonb_array_elements(approx_top_k(v, 10)) x) = (SELECT array_agg((item, frequency, upper - lower)) FROM sketch, topk_items(s)) AS as_items FROM rows;
SELECT approx_top_k(x::numeric, 9) AS numbers, approx_top_k(x::float8, 9) AS floats FROM (VALUES ('NaN'), ('1e30'), ('-0.5'), ('1e-7')) q(x);
SELECT approx_top_k(x::float8, 9) AS floats FROM (VALUES ('Infinity'), ('-Infinity'), ('1e20'), ('-0')) q(x);
SELECT approx_top_k(x, 9) FROM (VALUES (jsonb '1'), ('"a"'), ('null'), ('true'), ('{"a": [1, {}]}'), ('[]')) q(x);
SELECT approx_top_k(x, 9) FROM (VALUES (E'a"b\\c\n\te'), (''), ('null'), ('{}')) q(x);
SELECT approx_top_k(v, 10000000000, 1) AS large_counts, approx_top_k(v, 1) FILTER (WHERE v < 0) AS none FROM rows;
SELECT jsonb_array_length(approx_top_k(v, 3000)) AS items FROM rows;
