-- queries.sql: what a user asks, exactly and by sketches, in seconds and bytes
--
--     psql -v rows=5000000 -f test/bench/queries.sql
--
-- Seconds are CPU time of the session, which runs each query for half a second or longer, on one
-- core.  Wants probds in the database, a superuser and Linux.  Leaves nothing behind.
-- doc/performance.md has the table.
\set ON_ERROR_STOP on
\pset footer off
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET work_mem = '1GB';

CREATE TEMP TABLE hit AS
SELECT '2026-03-01'::date + (30 * i / :rows)::int AS day,
    (i * 7919 * 7919) % (:rows / 5) AS visitor,
    'https://shop.example/page/' || ((i * 7919 % 1000003) ^ 3 / 1e14)::int AS page,
    exp((i * 7907 % 1000003) / 1e5::float8) AS ms
FROM generate_series(0::bigint, :rows - 1) i;
CREATE TEMP TABLE daily AS
SELECT day, hll_agg(visitor) AS visitors, bloom_agg(visitor, :rows / 5) AS who,
    topk_agg(page, 10) AS top, cms_agg(page) AS pages, ddsketch_agg(ms) AS times
FROM hit GROUP BY day;
CREATE TEMP TABLE asked AS SELECT i * 37 AS visitor FROM generate_series(1, 100000) i;
CREATE TEMP TABLE month AS SELECT bloom_agg(visitor, :rows / 5) AS who FROM hit;
ANALYZE;

-- CPU time of this session
CREATE FUNCTION pg_temp.cpu() RETURNS numeric LANGUAGE sql AS $$
SELECT (a[12]::numeric + a[13]::numeric) / 100
FROM string_to_array(regexp_replace(pg_read_file('/proc/self/stat', 0, 4000), '.*\) ', 'x '), ' ') a
$$;
CREATE FUNCTION pg_temp.seconds(query text) RETURNS numeric LANGUAGE plpgsql STRICT AS $$
DECLARE
    began numeric := pg_temp.cpu();
    took numeric;
BEGIN
    FOR n IN 1..1000 LOOP
        EXECUTE query;
        took := pg_temp.cpu() - began;
        IF took > 0.5 OR n = 1000 THEN
            RETURN round(took / n, 5);
        END IF;
    END LOOP;
END $$;

SELECT question, pg_temp.seconds(exact) AS exact, pg_temp.seconds(rows) AS "sketch, from rows",
    pg_temp.seconds(stored) AS "stored sketches"
FROM (VALUES
    (1, 'different visitors', 'SELECT count(DISTINCT visitor) FROM hit',
        'SELECT approx_count_distinct(visitor) FROM hit',
        'SELECT hll_cardinality(hll_merge_agg(visitors)) FROM daily'),
    (2, 'different pages (text)', 'SELECT count(DISTINCT page) FROM hit',
        'SELECT approx_count_distinct(page) FROM hit', NULL),
    (3, 'different visitors by day', 'SELECT day, count(DISTINCT visitor) FROM hit GROUP BY day',
        'SELECT day, approx_count_distinct(visitor) FROM hit GROUP BY day',
        'SELECT day, hll_cardinality(visitors) FROM daily'),
    (4, 'the ten most frequent pages',
        'SELECT page, count(*) FROM hit GROUP BY page ORDER BY 2 DESC LIMIT 10',
        'SELECT approx_top_k(page, 10) FROM hit',
        'SELECT * FROM topk_items((SELECT topk_merge_agg(top) FROM daily))'),
    (5, 'how often was this page seen',
        $$SELECT count(*) FROM hit WHERE page = 'https://shop.example/page/7'$$,
        $$SELECT cms_agg(page) -> 'https://shop.example/page/7'::text FROM hit$$,
        $$SELECT cms_merge_agg(pages) -> 'https://shop.example/page/7'::text FROM daily$$),
    (6, 'which of 100,000 were there',
        'SELECT count(*) FROM asked a WHERE EXISTS (SELECT FROM hit h WHERE h.visitor = a.visitor)',
        'SELECT count(*) FROM asked, (SELECT bloom_agg(visitor, ' || :rows / 5 || ') AS who '
        'FROM hit OFFSET 0) f WHERE who @> visitor',
        'SELECT count(*) FROM asked, month WHERE who @> visitor'),
    (7, 'the 95th percentile of the times',
        'SELECT percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) FROM hit',
        'SELECT approx_percentile(ms, 0.95) FROM hit',
        'SELECT ddsketch_quantile(ddsketch_merge_agg(times), 0.95) FROM daily')
    ) q(n, question, exact, rows, stored) ORDER BY n;

SELECT 'hll of all visitors' AS sketch, octet_length(hll_merge_agg(visitors)::bytea) AS bytes
FROM daily
UNION ALL SELECT 'topk of all pages', octet_length(topk_merge_agg(top)::bytea) FROM daily
UNION ALL SELECT 'cms of all pages', octet_length(cms_merge_agg(pages)::bytea) FROM daily
UNION ALL SELECT 'ddsketch of all times', octet_length(ddsketch_merge_agg(times)::bytea) FROM daily
UNION ALL SELECT 'bloom of all visitors', octet_length(who::bytea) FROM month;
SELECT pg_size_pretty(pg_relation_size('hit')) AS hit, count(*) AS rows,
    count(DISTINCT visitor) AS visitors,
    (SELECT hll_cardinality(hll_merge_agg(visitors)) FROM daily) AS estimate,
    count(DISTINCT page) AS pages FROM hit;
