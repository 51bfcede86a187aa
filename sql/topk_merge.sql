-- Unions in several trees and plans: exact ones are the same bytes, and the bounds of all others hold

-- ---------- up to k' different values: whatever the order and the tree, the same bytes ----------
CREATE TEMP TABLE few AS SELECT i, i * i % 1009 AS v, 'value ' || i * i % 1009 AS t, (i * i % 1009) / 8.0::float8 AS f, i % 5 AS w FROM generate_series(1, 20000) i;
CREATE FUNCTION pg_temp.merged(what text, parts int, of text) RETURNS topk LANGUAGE plpgsql AS $$
DECLARE
    result topk;
BEGIN
    EXECUTE format('SELECT topk_merge_agg(s) FROM (SELECT topk_agg_weighted(%s, w, 20) AS s FROM (SELECT *, %s AS part FROM few) q GROUP BY part) q', what, replace(of, '$1', parts::text)) INTO result;
    RETURN result;
END
$$;
CREATE TEMP TABLE whole AS SELECT 'v' AS what, topk_agg_weighted(v, w, 20) AS s FROM few UNION ALL SELECT 't', topk_agg_weighted(t, w, 20) FROM few UNION ALL SELECT 'f', topk_agg_weighted(f, w, 20) FROM few;
SELECT what, i.items, i.total, i.error, s = pg_temp.merged(what, 2, 'i % $1') AS odd_and_even, s = pg_temp.merged(what, 2, 'i * $1 / 20001') AS halves, s = pg_temp.merged(what, 17, 'i % $1') AS seventeen,
    s = pg_temp.merged(what, 2000, '(i * 7919) % $1') AS many, s = pg_temp.merged(what, 77, '(i = $1)') AS one_and_the_rest FROM whole, topk_info(s) i ORDER BY what;
SELECT topk_agg_weighted(v, w, 20 ORDER BY i DESC) = topk_agg_weighted(v, w, 20) AS backwards, topk_agg_weighted(v, w, 20 ORDER BY md5(t)) = topk_agg_weighted(v, w, 20) AS shuffled FROM few;

-- ---------- more than that: bounds ----------
-- Zipf-like, other days other values, and now and then a weight that is large
CREATE TEMP TABLE many AS
SELECT i, i * 24 / 60001 AS day, (x * x / 99991) * (x * x / 99991) / 99991 + CASE WHEN i % 3 = 0 THEN i * 24 / 60001 * 1000 ELSE 0 END AS v, 1 + CASE WHEN i % 50 = 0 THEN i % 1000 ELSE 0 END AS w
FROM (SELECT i, i * 7919::bigint % 99991 AS x FROM generate_series(1, 60000) i) q;
CREATE TEMP TABLE truth AS SELECT 'item ' || v AS item, count(*) AS n, sum(w) AS weight FROM many GROUP BY v;
SELECT count(*) > 10000 AS different, sum(n) AS rows, sum(weight) AS weight FROM truth;
CREATE TEMP TABLE days AS SELECT day, topk_agg('item ' || v, 20) AS s, topk_agg_weighted('item ' || v, w, 20) AS w, topk_agg('item ' || v, 10000) AS exact FROM many GROUP BY day;
-- What is wrong with a sketch: nothing
CREATE FUNCTION pg_temp.wrong(s topk, weighted boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    info record := topk_info(s);
    total bigint;
    missing bigint;
    outside bigint;
    top int;
BEGIN
    SELECT sum(CASE WHEN weighted THEN weight ELSE n END) INTO total FROM truth;
    CREATE TEMP TABLE found AS SELECT * FROM topk_items(s, info.error + 0.5 / info.total);
    SELECT count(*) FILTER (WHERE f NOT BETWEEN b.lower AND b.upper) INTO outside
    FROM found b LEFT JOIN (SELECT item, CASE WHEN weighted THEN weight ELSE n END AS f FROM truth) t USING (item);
    SELECT count(*) INTO missing FROM truth t WHERE CASE WHEN weighted THEN weight ELSE n END > round(info.error * info.total) AND NOT EXISTS (SELECT FROM found f WHERE f.item = t.item);
    -- the first 10 stand out
    SELECT count(*) INTO top FROM (SELECT item FROM truth ORDER BY CASE WHEN weighted THEN weight ELSE n END DESC LIMIT 10) t JOIN topk_items(s) USING (item);
    DROP TABLE found;
    RETURN concat_ws(', ', CASE WHEN info.total <> total THEN 'total' END, CASE WHEN round(info.error * total) > total / (info.counters + 1) THEN 'error' END, CASE WHEN outside <> 0 THEN outside || ' outside' END,
        CASE WHEN missing <> 0 THEN missing || ' missing' END, CASE WHEN top <> 10 THEN 'top ' || top END);
END
$$;
CREATE FUNCTION pg_temp.tree(shape text, weighted boolean) RETURNS topk LANGUAGE plpgsql AS $$
DECLARE
    part topk[] := (SELECT array_agg(CASE WHEN weighted THEN w ELSE s END ORDER BY CASE WHEN shape = 'backwards' THEN -day ELSE day END) FROM days);
    n int := cardinality(part);
BEGIN
    WHILE n > 1 LOOP
        CASE shape
            WHEN 'left', 'backwards' THEN part := (part[1] || part[2]) || part[3:n];
            WHEN 'right' THEN part := part[1:n - 2] || (part[n - 1] || part[n]);
            WHEN 'pairs' THEN part := (SELECT array_agg(part[i] || part[i + 1] ORDER BY i) FROM generate_series(1, n, 2) i);
            WHEN 'swapped' THEN part := (SELECT array_agg(part[i + 1] || part[i] ORDER BY i) FROM generate_series(1, n, 2) i);
        END CASE;
        n := cardinality(part);
    END LOOP;
    RETURN part[1];
END
$$;
SELECT shape, pg_temp.wrong(pg_temp.tree(shape, false), false) AS counts, pg_temp.wrong(pg_temp.tree(shape, true), true) AS weights FROM unnest(ARRAY['left', 'backwards', 'right', 'pairs', 'swapped']) shape;
SELECT pg_temp.tree('pairs', false) = pg_temp.tree('swapped', false) AS from_either_side, pg_temp.tree('pairs', true) = pg_temp.tree('swapped', true) AS weighted;
SELECT pg_temp.wrong(topk_merge_agg(s), false) AS counts, pg_temp.wrong(topk_merge_agg(w), true) AS weights, pg_temp.wrong(topk_merge_agg(s ORDER BY day DESC), false) AS backwards FROM days;
SELECT pg_temp.wrong(topk_agg('item ' || v, 20), false) AS serial, pg_temp.wrong(topk_agg_weighted('item ' || v, w, 20), true) AS weighted, pg_temp.wrong(topk_agg('item ' || v, 20 ORDER BY v), false) AS sorted, pg_temp.wrong(topk_agg_weighted('item ' || v, w, 20 ORDER BY -v), true) AS sorted_down FROM many;
-- merged of merged, from days and from rows: the exact ones are the same bytes
SELECT topk_merge_agg(exact) = (SELECT topk_agg('item ' || v, 10000) FROM many) AS same, (topk_info(topk_merge_agg(exact))).error FROM days;
SELECT topk_merge_agg(s) = (SELECT topk_merge_agg(exact) FROM days) AS same FROM (SELECT topk_merge_agg(exact) AS s FROM days GROUP BY day % 5) q;
-- exact ones that are then folded: all of it is in the order of frequencies
SELECT pg_temp.wrong(topk_merge_agg(exact)::topk(20), false) AS folded_late, pg_temp.wrong(topk_merge_agg(exact::topk(20)), false) AS folded_early FROM days;

-- ---------- plans: serial, parallel, hashed, sorted, partition-wise ----------
\set plans `echo "${PROBDS_SRC:-.}/test/types/plans.sql"`
\set ECHO none
\i :plans
\set ECHO all
CALL pg_temp.make_rows();
CREATE VIEW topk_rows AS SELECT i, g, c, n * n % 1999 AS v, 'item ' || n * n % 1999 AS t, n % 3 AS w FROM plan_rows;
CREATE VIEW topk_parts AS SELECT i, g, c, n * n % 1999 AS v, 'item ' || n * n % 1999 AS t, n % 3 AS w FROM plan_parts;
CREATE TABLE topk_stored WITH (parallel_workers = 2) AS SELECT g, i % 11 AS part, topk_agg(t, 20) AS s FROM topk_rows GROUP BY 1, 2;
ANALYZE topk_stored;
SELECT n, pg_temp.all_plans(q, 's::text') FROM (VALUES
    (1, 'SELECT g AS k, topk_agg(v, 20) AS s FROM topk_rows GROUP BY g'), (2, 'SELECT g AS k, topk_agg_weighted(t, w, 20) AS s FROM topk_rows GROUP BY g'), (3, 'SELECT 0 AS k, topk_agg(t, 1) AS s FROM topk_rows'),
    (4, 'SELECT g AS k, topk_agg(i, 10000) AS s FROM topk_rows GROUP BY g'), (5, 'SELECT 0 AS k, topk_agg_weighted(v / 2.0, w, 20) AS s FROM topk_rows'), (6, 'SELECT c AS k, approx_top_k(t, 20) AS s FROM topk_rows GROUP BY c'),
    (7, 'SELECT g AS k, topk_merge_agg(s) AS s FROM topk_stored GROUP BY g'), (8, 'SELECT 0 AS k, topk_merge_agg(s) AS s FROM topk_stored'), (9, 'SELECT part AS k, topk_merge_agg(s) AS s FROM topk_stored GROUP BY part')) x(n, q) ORDER BY n;
-- over partitions, of which it depends on the server whether they are aggregated in parts
SELECT n, regexp_replace(pg_temp.all_plans(q, 's::text'), ', in parts$', '') FROM (VALUES
    (10, 'SELECT g AS k, topk_agg(v, 20) AS s FROM topk_parts GROUP BY g'), (11, 'SELECT c AS k, topk_agg(t, 20) AS s FROM topk_parts GROUP BY c')) x(n, q) ORDER BY n;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
-- with more different values than counters the bytes may differ, the bounds hold
CREATE TABLE topk_many WITH (parallel_workers = 2) AS SELECT * FROM many;
ANALYZE topk_many;
SELECT pg_temp.plan_has('SELECT topk_agg_weighted(v, w, 20) FROM topk_many', 'Partial') AS partial;
CREATE TEMP TABLE by_plan AS SELECT topk_agg('item ' || v, 20) AS s, topk_agg_weighted('item ' || v, w, 20) AS w FROM topk_many;
SELECT pg_temp.wrong(s, false) AS counts, pg_temp.wrong(w, true) AS weights FROM by_plan;
RESET min_parallel_table_scan_size;
RESET parallel_tuple_cost;
RESET parallel_setup_cost;
RESET max_parallel_workers_per_gather;
DROP TABLE topk_stored, topk_many;
DROP VIEW topk_rows, topk_parts;
DROP TABLE plan_rows, plan_parts;
