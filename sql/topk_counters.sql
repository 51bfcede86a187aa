-- topk with a number of counters that was chosen

-- ---------- a small sketch of many values ----------
CREATE TEMP TABLE visit AS SELECT i % 3 AS day, 'page ' || ((i::bigint * 7919 % 100003) ^ 3 / 1e11)::int AS page FROM generate_series(1, 60000) i;
CREATE TEMP TABLE exact AS SELECT page, count(*) AS n FROM visit GROUP BY page;
SELECT p.k, c AS counters, i.items, i.total, round(i.error * i.total) <= i.total / (c + 1) AS within, i.error > 0 AS forgotten, pg_column_size(s) < 40 * c + 100 AS small, (SELECT count(*) FROM topk_items(s)) AS items, (SELECT bool_and(n BETWEEN lower AND upper) FROM topk_items(s) JOIN exact ON page = item) AS bounds,
    (SELECT max(n) <= round(i.error * i.total) FROM exact WHERE page NOT IN (SELECT item FROM topk_items(s, i.error + 0.5 / i.total))) AS none_missing
FROM (VALUES (1, 1), (1, 2), (20, 20), (20, 100), (20, 900), (100, 2047), (3, 2048), (3, 20000)) p(k, c), LATERAL (SELECT topk_agg_weighted(page, 1, k, c) AS s FROM visit) q, topk_info(s) i ORDER BY c, p.k;
SELECT t.item, t.frequency, t.upper - t.lower AS uncertain FROM (SELECT topk_agg_weighted(page, 1, 3, 400) AS s FROM visit) q, topk_items(s) t;
SELECT approx_top_k_weighted(page, 1, 3, 400) FROM visit;
SELECT approx_top_k_weighted(page, 2, 3, 400) #>> '{0,frequency}' AS weighted FROM visit;

-- ---------- up to so many different values: exact, and the same bytes whatever the order and the merges ----------
CREATE TEMP TABLE few AS SELECT i, i * i % 97 AS v, 1 + i % 5 AS w FROM generate_series(1, 3000) i;
SELECT topk_agg_weighted(v, w, 5, 60) = topk_agg_weighted(v, w, 5, 60 ORDER BY i DESC) AS any_order, (SELECT topk_merge_agg(s ORDER BY g DESC) FROM (SELECT i % 7 AS g, topk_agg_weighted(v, w, 5, 60) AS s FROM few GROUP BY 1) q) = topk_agg_weighted(v, w, 5, 60) AS merged, (topk_info(topk_agg_weighted(v, w, 5, 60))).error FROM few;
-- the same numbers as in a sketch of more counters, and its fold
SELECT topk_agg_weighted(v, w, 5, 60)::topk(5) = topk_agg_weighted(v, w, 5) AS same, topk_agg_weighted(v, w, 5)::topk(5, 60) = topk_agg_weighted(v, w, 5, 60) AS back FROM few;

-- ---------- the usual number is the same as none ----------
SELECT topk_empty(20, 2048) = topk_empty(20) AS empty, topk_empty(500, 8000) = topk_empty(500) AS larger, topk_agg_weighted(v, w, 20, 2048) = topk_agg_weighted(v, w, 20) AS filled, topk_agg_weighted(v, w, 20, 2047) = topk_agg_weighted(v, w, 20) AS another FROM few;
SELECT 2048 = (topk_info(s)).counters AS usual FROM CAST(topk_empty(7, 100) AS topk(7)) s;

-- ---------- all types, groups, windows, adds ----------
SELECT (topk_info(topk_agg_weighted(v::text, 1, 2, 9))).counters AS text, (topk_info(topk_agg_weighted(v::float8, 1, 2, 9))).counters AS float8, (topk_info(topk_agg_weighted(ARRAY[v], 1, 2, 9))).counters AS "any", (topk_info(topk_agg_weighted(v::numeric, 1, 2, 9))).counters AS numeric FROM few;
SELECT day, (topk_info(topk_agg_weighted(page, 1, 2, 50))).items FROM visit GROUP BY day ORDER BY day;
SELECT i, topk_total(topk_agg_weighted(v, 1, 1, 3) OVER (ORDER BY i ROWS 4 PRECEDING)) FROM few ORDER BY i LIMIT 7;
SELECT i.* FROM topk_info(topk_add(topk_add_all(topk_empty(1, 2), '{a,b,c,d,e,a,a}'::text[]), 'f')) i;
SELECT i.* FROM topk_info(topk_add(topk_empty(2, 2), 'a') || topk_add_all(topk_empty(2, 2), '{b,c}'::text[])) i;
-- a value with a weight that is NULL or 0 is nothing
SELECT topk_agg_weighted(v, nullif(w, w), 5, 60) = topk_empty(5, 60) AS nulls, topk_agg_weighted(v, 0, 5, 60) = topk_empty(5, 60) AS zeros FROM few;
SELECT topk_agg_weighted(v, 1, 5, 60) FROM few WHERE false;

-- ---------- the bytes ----------
SELECT s, s::bytea, s::text::topk = s AS text, s::bytea::topk = s AS bytea FROM unnest(ARRAY[topk_empty(20, 100), topk_add(topk_empty(1, 1), 'the')]) s;
-- fewer than k, more than 160,000, the usual number, none
SELECT '\x41000094800413'::topk;
SELECT '\x41000094800481e209'::topk;
SELECT '\x4100009480048010'::topk;
SELECT '\x410000948004'::topk;

-- ---------- the type modifier ----------
CREATE TEMP TABLE kept (small topk(20, 100), usual topk(20), same topk(20, 2048));
SELECT attname, format_type(atttypid, atttypmod), atttypmod FROM pg_attribute WHERE attrelid = 'kept'::regclass AND attnum > 0 ORDER BY attnum;
INSERT INTO kept SELECT topk_agg_weighted(page, 1, 20, 100), topk_agg(page), topk_agg(page) FROM visit;
INSERT INTO kept (small) SELECT topk_agg(page) FROM visit;
INSERT INTO kept (usual) SELECT topk_agg_weighted(page, 1, 20, 100) FROM visit;
INSERT INTO kept (usual) SELECT topk_agg_weighted(page, 1, 20, 99999) FROM visit;
SELECT small::topk(20) FROM kept;
SELECT (topk_info(usual::topk(20, 100))).counters, (topk_info(usual::topk(3, 3))).items, (topk_info(same::topk(20))).counters AS same FROM kept;
SELECT NULL::topk(20, 19);
SELECT NULL::topk(20, 0);
SELECT NULL::topk(1, 160001);
SELECT NULL::topk(1, 2, 3);
SELECT (NULL::topk(9999, 160000)) IS NULL AS largest, (NULL::topk(1, 1)) IS NULL AS smallest;

-- ---------- what does not go together ----------
SELECT small || usual FROM kept;
SELECT topk_merge(usual, topk_empty(3, 50)) FROM kept;
SELECT topk_merge_agg(s) FROM kept, unnest(ARRAY[usual, small]) s;
SELECT (topk_info(small || usual::topk(20, 100))).total FROM kept;
SELECT topk_empty(20, 19);
SELECT topk_empty(20, 0);
SELECT topk_empty(20, -1);
SELECT topk_empty(20, 160001);
SELECT topk_empty(10000, 160000) = topk_empty(10000) AS usual, (topk_info(topk_empty(9999, 160000))).counters;
SELECT topk_empty(20, NULL) = topk_empty(20) AS usual, topk_empty(NULL, 20) IS NULL AS no_k;
SELECT topk_agg_weighted(v, 1, 20, 19) FROM few;
SELECT topk_agg_weighted(v, 1, 20, NULL) FROM few;
SELECT topk_agg_weighted(v, 1, NULL, 20) FROM few;
SELECT topk_agg_weighted(v, 1, 20, 20 + i) FROM few;
SELECT topk_agg_weighted(v, -1, 20, 20) FROM few;
-- a share that the counters cannot tell
SELECT t.* FROM (SELECT topk_agg_weighted(page, 1, 3, 400) AS s FROM visit) q, topk_items(s, 0.001) t;
-- two integers are a weight and a k, as ever
SELECT i.k, i.counters, i.total FROM topk_info((SELECT topk_agg_weighted(v, 3, 20) FROM few)) i;
