-- Windows: rows enter and leave, and the result is the live state until somebody keeps it
CREATE TEMP TABLE clicks AS
SELECT i AS ts, 'page ' || (i * i % 101) % 37 AS url, i % 3 AS site FROM generate_series(1, 400) i;
CREATE FUNCTION pg_temp.anew(a int, b int) RETURNS counting_bloom LANGUAGE sql AS 'SELECT counting_bloom_agg(url, 300, 0.0001) FROM clicks WHERE ts BETWEEN a AND b';

-- the live state asked: a filter of 300 at 0.0001 is right of 37 values
SELECT frame, count(*), bool_and(f = exact) AS exact FROM (
    SELECT 1 AS frame, counting_bloom_count(counting_bloom_agg(url, 300, 0.0001) OVER w, 'page 7') AS f, least(15, count(*) FILTER (WHERE url = 'page 7') OVER w) AS exact FROM clicks WINDOW w AS (ORDER BY ts ROWS 10 PRECEDING)
    UNION ALL SELECT 2, counting_bloom_count(counting_bloom_agg(url, 300, 0.0001) OVER w, 'page 7'), least(15, count(*) FILTER (WHERE url = 'page 7') OVER w) FROM clicks WINDOW w AS (ORDER BY ts ROWS 300 PRECEDING)
    UNION ALL SELECT 3, (counting_bloom_agg(url, 300, 0.0001) OVER w @> 'page 7')::int, least(1, count(*) FILTER (WHERE url = 'page 7') OVER w) FROM clicks WINDOW w AS (ORDER BY ts)
    UNION ALL SELECT 4, counting_bloom_count(counting_bloom_agg(url, 300, 0.0001, 'classic') OVER w, url), least(15, count(*) OVER v) FROM clicks WINDOW w AS (ORDER BY ts ROWS BETWEEN 1000 PRECEDING AND 1000 FOLLOWING), v AS (PARTITION BY url)
    UNION ALL SELECT 5, counting_bloom_count(counting_bloom_agg(url, 300, 0.0001) OVER w, 'page 7'), least(15, count(*) FILTER (WHERE url = 'page 7') OVER w) FROM clicks WINDOW w AS (PARTITION BY site ORDER BY ts ROWS 20 PRECEDING)
    UNION ALL SELECT 6, counting_bloom_contains_any(counting_bloom_agg(url, 300, 0.0001) OVER w, '{page 7,page 9}'::text[])::int, least(1, count(*) FILTER (WHERE url IN ('page 7', 'page 9')) OVER w) FROM clicks WINDOW w AS (ORDER BY ts RANGE 5 PRECEDING)
    UNION ALL SELECT 7, counting_bloom_contains_all(counting_bloom_agg(url, 300, 0.0001) OVER w, '{page 7,page 9}'::text[])::int, least(1, count(*) FILTER (WHERE url = 'page 7') OVER w) * least(1, count(*) FILTER (WHERE url = 'page 9') OVER w) FROM clicks WINDOW w AS (ORDER BY ts ROWS 15 PRECEDING)
    UNION ALL SELECT 8, counting_bloom_count(counting_bloom_agg(url, 300, 0.0001) FILTER (WHERE site = 1) OVER w, 'page 7'), least(15, count(*) FILTER (WHERE url = 'page 7' AND site = 1) OVER w) FROM clicks WINDOW w AS (ORDER BY ts ROWS 90 PRECEDING)
    UNION ALL SELECT 9, counting_bloom_count(counting_bloom_agg(url, 300, 0.0001) OVER w, 'page 7'), least(15, count(*) FILTER (WHERE url = 'page 7') OVER w) FROM clicks WINDOW w AS (ORDER BY ts ROWS 30 PRECEDING EXCLUDE CURRENT ROW)) q
WHERE f IS NOT NULL GROUP BY frame ORDER BY frame;

-- the states kept are what the rows of the window make
CREATE TEMP TABLE kept AS SELECT ts, counting_bloom_agg(url, 300, 0.0001) OVER (ORDER BY ts ROWS 30 PRECEDING) AS c, counting_bloom_agg(url, 300, 0.0001) OVER (ORDER BY ts) AS running FROM clicks;
SELECT count(*), bool_and(c = pg_temp.anew(ts - 30, ts)) AS moving, bool_and(running = pg_temp.anew(1, ts)) AS running FROM kept;
SELECT count(*), count(DISTINCT c) = (SELECT count(DISTINCT c) FROM kept) AS distinct, counting_bloom_merge_agg(c) = (SELECT counting_bloom_merge_agg(c) FROM kept) AS merged, array_agg(c ORDER BY ts) = (SELECT array_agg(c ORDER BY ts) FROM kept) AS array
FROM (SELECT ts, counting_bloom_agg(url, 300, 0.0001) OVER (ORDER BY ts ROWS 30 PRECEDING) AS c FROM clicks) q;
-- changed on the way: the state is not
SELECT bool_and(counting_bloom_count(c, 'page 7') = least(15, n)) AS state, bool_and(counting_bloom_count(more, 'page 7') = least(15, n + 1)) AS added, bool_and((twice).items = (SELECT count(DISTINCT url) FROM clicks k WHERE k.ts BETWEEN q.ts - 30 AND q.ts)) AS doubled FROM (
    SELECT ts, counting_bloom_agg(url, 300, 0.0001) OVER w AS c, counting_bloom_add(counting_bloom_agg(url, 300, 0.0001) OVER w, 'page 7') AS more, counting_bloom_info(counting_bloom_agg(url, 300, 0.0001) OVER w || counting_bloom_agg(url, 300, 0.0001) OVER w) AS twice,
        count(*) FILTER (WHERE url = 'page 7') OVER w AS n FROM clicks WINDOW w AS (ORDER BY ts ROWS 30 PRECEDING)) q;

-- what is a hundred times in a window leaves it without a trace
SELECT rows, count(*), bool_and(c = again) AS same, max(counting_bloom_count(c, 0)) AS most FROM unnest(ARRAY[1, 50, 700, 3000]) rows, LATERAL (
    SELECT c, (SELECT counting_bloom_agg(x / 2000 * (x % 7), 100) FROM generate_series(greatest(i - rows, 1), i) x) AS again
    FROM (SELECT i, counting_bloom_agg(i / 2000 * (i % 7), 100) OVER (ORDER BY i ROWS BETWEEN rows PRECEDING AND CURRENT ROW) AS c FROM generate_series(1, 8000) i) q WHERE i % 499 = 0) l GROUP BY rows ORDER BY rows;
-- the table grows, its zeros are swept out, and becomes all counters
SELECT count(*), bool_and(c = again) AS same FROM (SELECT c, (SELECT counting_bloom_agg(x, 2000) FROM generate_series(greatest(i - 1900, 1), i) x) AS again
    FROM (SELECT i, counting_bloom_agg(i, 2000) OVER (ORDER BY i ROWS 1900 PRECEDING) AS c FROM generate_series(1, 8000) i) q WHERE i % 499 = 0) l;

-- frames without rows, and of rows without values
SELECT ts, counting_bloom_agg(url, 10) OVER w IS NULL AS no_rows, counting_bloom_agg(nullif(url, url), 10) OVER w = counting_bloom_empty(10) AS no_values, counting_bloom_agg(nullif(url, url), 10) OVER w @> 'x' AS asked
FROM clicks WHERE ts <= 4 WINDOW w AS (ORDER BY ts ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING);
-- the last seven days of stored filters, day by day
SELECT d, counting_bloom_merge_agg(c) OVER (ORDER BY d ROWS 6 PRECEDING) @> 1 AS week, counting_bloom_count(counting_bloom_merge_agg(c) OVER (ORDER BY d), 5) AS so_far
FROM (SELECT d, counting_bloom_agg(d + i, 100) AS c FROM generate_series(0, 9) d, generate_series(1, 5) i GROUP BY d) q ORDER BY d;
-- parameters that change within a partition are refused, between partitions not
SELECT counting_bloom_agg(url, 10 * ts) OVER (ORDER BY ts ROWS 3 PRECEDING) FROM clicks WHERE ts < 3;
SELECT DISTINCT s AS site, (counting_bloom_info(c)).counters FROM generate_series(0, 2) s, LATERAL (SELECT counting_bloom_agg(url, 1000 * (s + 1)) OVER (PARTITION BY site) AS c FROM clicks WHERE site = s) l ORDER BY site;
