-- Windows: rows enter and leave, and the result is the live state until somebody keeps it
CREATE TEMP TABLE clicks AS
SELECT i AS ts, 'page ' || (i * i % 101) % 37 AS url, (i % 5)::bigint AS n, i % 3 AS site FROM generate_series(1, 400) i;

-- every row against the same question asked anew
CREATE FUNCTION pg_temp.anew(a int, b int) RETURNS cms LANGUAGE sql AS 'SELECT cms_agg(url) FROM clicks WHERE ts BETWEEN a AND b';
-- the live state asked
SELECT frame, count(*), bool_and(f = exact) AS exact FROM (
    SELECT 1 AS frame, cms_agg(url) OVER w -> 'page 7'::text AS f, count(*) FILTER (WHERE url = 'page 7') OVER w AS exact FROM clicks WINDOW w AS (ORDER BY ts ROWS 10 PRECEDING)
    UNION ALL SELECT 2, cms_frequency(cms_agg(url) OVER w, 'page 7'), count(*) FILTER (WHERE url = 'page 7') OVER w FROM clicks WINDOW w AS (ORDER BY ts ROWS 300 PRECEDING)
    UNION ALL SELECT 3, cms_frequency(cms_agg(url) OVER w, 'page 7'), count(*) FILTER (WHERE url = 'page 7') OVER w FROM clicks WINDOW w AS (ORDER BY ts)
    UNION ALL SELECT 4, cms_frequency(cms_agg(url) OVER w, url), count(*) OVER v FROM clicks WINDOW w AS (ORDER BY ts ROWS BETWEEN 1000 PRECEDING AND 1000 FOLLOWING), v AS (PARTITION BY url)
    UNION ALL SELECT 5, cms_frequency(cms_agg(url) OVER w, 'page 7'), count(*) FILTER (WHERE url = 'page 7') OVER w FROM clicks WINDOW w AS (PARTITION BY site ORDER BY ts ROWS 20 PRECEDING)
    UNION ALL SELECT 6, (cms_bounds(cms_agg(url) OVER w, 'page 7')).estimate, count(*) FILTER (WHERE url = 'page 7') OVER w FROM clicks WINDOW w AS (ORDER BY ts ROWS BETWEEN 5 PRECEDING AND 5 FOLLOWING)
    UNION ALL SELECT 7, (cms_frequencies(cms_agg(url) OVER w, '{page 7,page 9}'::text[]))[1], count(*) FILTER (WHERE url = 'page 7') OVER w FROM clicks WINDOW w AS (ORDER BY ts RANGE 50 PRECEDING)
    UNION ALL SELECT 8, cms_total(cms_agg(url) OVER w), count(*) OVER w FROM clicks WINDOW w AS (ORDER BY ts ROWS 33 PRECEDING)
    UNION ALL SELECT 9, cms_agg_weighted(url, n) OVER w -> 'page 7'::text, coalesce(sum(n) FILTER (WHERE url = 'page 7') OVER w, 0) FROM clicks WINDOW w AS (ORDER BY ts ROWS 50 PRECEDING)
    UNION ALL SELECT 10, cms_agg(url, 0.01, 0.5) OVER w -> 'page 7'::text, count(*) FILTER (WHERE url = 'page 7') OVER w FROM clicks WINDOW w AS (ORDER BY ts ROWS 2 PRECEDING)
    UNION ALL SELECT 11, cms_agg_weighted(url, n, 0.0001, 1e-6) OVER w -> 'page 7'::text, coalesce(sum(n) FILTER (WHERE url = 'page 7') OVER w, 0) FROM clicks WINDOW w AS (ORDER BY ts ROWS 50 PRECEDING)
    UNION ALL SELECT 12, cms_agg_conservative(url) OVER w -> 'page 7'::text, count(*) FILTER (WHERE url = 'page 7') OVER w FROM clicks WINDOW w AS (ORDER BY ts ROWS 50 PRECEDING)
    UNION ALL SELECT 13, cms_agg(url) FILTER (WHERE site = 1) OVER w -> 'page 7'::text, count(*) FILTER (WHERE url = 'page 7' AND site = 1) OVER w FROM clicks WINDOW w AS (ORDER BY ts ROWS 90 PRECEDING)
    UNION ALL SELECT 14, cms_agg(url) OVER w -> 'page 7'::text, count(*) FILTER (WHERE url = 'page 7') OVER w FROM clicks WINDOW w AS (ORDER BY ts ROWS 30 PRECEDING EXCLUDE CURRENT ROW)
    UNION ALL SELECT 15, round(cms_error(cms_agg_weighted(url, n * 1000, 0.01, 0.5) OVER w) * sum(n * 1000) OVER w), floor(sum(n * 1000) OVER w * exp(1) / 272) FROM clicks WINDOW w AS (ORDER BY ts ROWS 30 PRECEDING)) q
WHERE f IS DISTINCT FROM NULL GROUP BY frame ORDER BY frame;

-- the states kept: in a tuplestore, a sort, a table, a variable, an array, another aggregate
CREATE TEMP TABLE kept AS SELECT ts, cms_agg(url) OVER (ORDER BY ts ROWS 30 PRECEDING) AS c, cms_agg(url) OVER (ORDER BY ts) AS running FROM clicks;
SELECT count(*), bool_and(c = pg_temp.anew(ts - 30, ts)) AS moving, bool_and(running = pg_temp.anew(1, ts)) AS running FROM kept;
SELECT bool_and(q.c = k.c AND q.d = k.running) AS sorted FROM (SELECT ts, cms_agg(url) OVER (ORDER BY ts ROWS 30 PRECEDING) AS c, cms_agg(url) OVER (ORDER BY ts) AS d FROM clicks ORDER BY -ts OFFSET 0) q JOIN kept k USING (ts) WHERE q.ts > 0;
SELECT bool_and(before IS NOT DISTINCT FROM k.c) AS lagged FROM (SELECT ts - 1 AS ts, lag(c) OVER (ORDER BY ts) AS before FROM (SELECT ts, cms_agg(url) OVER (ORDER BY ts ROWS 30 PRECEDING) AS c FROM clicks) q) r JOIN kept k USING (ts);
SELECT count(*), count(DISTINCT c) = (SELECT count(DISTINCT c) FROM kept) AS distinct, cms_merge_agg(c) = (SELECT cms_merge_agg(c) FROM kept) AS merged, array_agg(c ORDER BY ts) = (SELECT array_agg(c ORDER BY ts) FROM kept) AS array,
    min(c::text) = (SELECT min(c::text) FROM kept) AS text, count(c) FROM (SELECT ts, cms_agg(url) OVER (ORDER BY ts ROWS 30 PRECEDING) AS c FROM clicks) q;
WITH w AS MATERIALIZED (SELECT ts, cms_agg(url) OVER (ORDER BY ts ROWS 30 PRECEDING) AS c FROM clicks)
SELECT bool_and(w.c = k.c) AS with_materialized, bool_and(w.c -> 'page 7'::text = k.c -> 'page 7'::text) AS asked FROM w JOIN kept k USING (ts);
DO $$
DECLARE
    x record;
    first cms;
    last cms;
    wrong int := 0;
BEGIN
    FOR x IN SELECT ts, cms_agg(url) OVER (ORDER BY ts ROWS 30 PRECEDING) AS c, cms_frequency(cms_agg(url) OVER (ORDER BY ts ROWS 30 PRECEDING), 'page 7') AS f FROM clicks LOOP
        wrong := wrong + (last IS NOT NULL AND last <> pg_temp.anew(x.ts - 31, x.ts - 1))::int + (x.f <> x.c -> 'page 7'::text)::int;
        last := x.c;
        first := coalesce(first, last);
    END LOOP;
    RAISE NOTICE '% wrong, first: %, last: %', wrong, first = pg_temp.anew(1, 1), last = pg_temp.anew(370, 400);
END
$$;
BEGIN;
DECLARE by_cursor CURSOR FOR SELECT ts, cms_agg(url) OVER (ORDER BY ts ROWS 30 PRECEDING) = pg_temp.anew(ts - 30, ts) AS same, cms_agg(url) OVER (ORDER BY ts ROWS 30 PRECEDING) -> url AS f FROM clicks;
FETCH 2 FROM by_cursor;
MOVE 300 IN by_cursor;
FETCH 2 FROM by_cursor;
COMMIT;
-- asked and kept in the same row, by functions that take their time
CREATE FUNCTION pg_temp.slowly(c cms) RETURNS TABLE (f bigint, same cms) LANGUAGE plpgsql AS $$
BEGIN
    f := c -> 'page 7'::text;
    same := c;
    RETURN NEXT;
    f := cms_total(same);
    RETURN NEXT;
END
$$;
SELECT count(*), bool_and(same = k.c) AS same, sum(f) AS sum FROM (SELECT ts, (pg_temp.slowly(c)).* FROM (SELECT ts, cms_agg(url) OVER (ORDER BY ts ROWS 30 PRECEDING) AS c FROM clicks) q) r JOIN kept k USING (ts);
CREATE FUNCTION pg_temp.in_sql(c cms) RETURNS SETOF bigint LANGUAGE sql AS 'SELECT c -> ''page 7''::text UNION ALL SELECT cms_total(c)';
SELECT count(*), sum(f) AS sum FROM (SELECT pg_temp.in_sql(c) AS f FROM (SELECT ts, cms_agg(url) OVER (ORDER BY ts ROWS 30 PRECEDING) AS c FROM clicks) q) r;

-- rows that have a frame in common, and so the result
SELECT count(*), bool_and(c = pg_temp.anew(1, last)) AS same, bool_and(f = exact) AS asked FROM (
    SELECT cms_agg(url) OVER w AS c, cms_agg(url) OVER w -> 'page 7'::text AS f, count(*) FILTER (WHERE url = 'page 7') OVER w AS exact, max(ts) OVER w AS last FROM clicks WINDOW w AS (ORDER BY ts / 10)) q;
SELECT count(*), count(DISTINCT c), bool_and(f = exact) AS asked FROM (
    SELECT cms_agg(url) OVER w AS c, cms_agg(url) OVER w -> url AS f, count(*) OVER (PARTITION BY url) AS exact FROM clicks WINDOW w AS ()) q;
SELECT count(*), bool_and(c = pg_temp.anew(first, last)) AS same FROM (
    SELECT cms_agg(url) OVER w AS c, min(ts) OVER w AS first, max(ts) OVER w AS last FROM clicks WINDOW w AS (ORDER BY ts / 10 GROUPS BETWEEN 3 PRECEDING AND 1 FOLLOWING)) q;

-- frames without rows, and of rows without values
SELECT ts, cms_agg(url) OVER w IS NULL AS no_rows, cms_agg(nullif(url, url)) OVER w = cms_empty() AS no_values, cms_agg(nullif(url, url)) OVER w -> 'x'::text AS asked
FROM clicks WHERE ts <= 4 WINDOW w AS (ORDER BY ts ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING);
SELECT bool_and(c IS NOT DISTINCT FROM (SELECT cms_agg(nullif(n, 3)) FROM clicks y WHERE y.ts BETWEEN q.ts - 3 AND q.ts)) AS some_null FROM (SELECT ts, cms_agg(nullif(n, 3)) OVER (ORDER BY ts ROWS 3 PRECEDING) AS c FROM clicks) q;

-- the table grows, its zeros are swept out, counters become wider; what has left leaves no trace
SELECT rows, count(*), bool_and(c = again) AS same FROM unnest(ARRAY[1, 50, 700, 3000]) rows, LATERAL (
    SELECT c, (SELECT cms_agg_weighted(x % 5000, x % 7 * (x % 1000), 0.001, 0.01) FROM generate_series(greatest(i - rows, 1), i) x) AS again
    FROM (SELECT i, cms_agg_weighted(i % 5000, i % 7 * (i % 1000), 0.001, 0.01) OVER (ORDER BY i ROWS BETWEEN rows PRECEDING AND CURRENT ROW) AS c FROM generate_series(1, 8000) i) q WHERE i % 499 = 0) l GROUP BY rows ORDER BY rows;
SELECT count(*), bool_and(c = again) AS same FROM (SELECT c, (SELECT cms_agg(x, 0.0001, 1e-9) FROM generate_series(greatest(i - 100, 1), i) x) AS again
    FROM (SELECT i, cms_agg(i, 0.0001, 1e-9) OVER (ORDER BY i ROWS 100 PRECEDING) AS c FROM generate_series(1, 8000) i) q WHERE i % 499 = 0) l;
-- the last seven days of stored sketches, day by day
SELECT d, cms_merge_agg(c) OVER (ORDER BY d ROWS 6 PRECEDING) -> 7 AS week, cms_merge_agg(c) OVER (ORDER BY d) -> 7 AS so_far, cms_total(cms_merge_agg(c) OVER (ORDER BY d)) AS total
FROM (SELECT d, cms_agg_weighted(i % 10, d) AS c FROM generate_series(1, 10) d, generate_series(1, 100) i GROUP BY d) q ORDER BY d;

-- negative weights: what cannot be taken out again row by row is as good as from the beginning of each frame
SELECT ts, cms_agg_weighted(1, w) OVER (ORDER BY ts RANGE 5 PRECEDING) -> 1 AS f FROM (VALUES (1, 2), (2, -2), (6, 1), (10, 3)) q(ts, w);
SELECT ts, cms_agg_weighted(1, w) OVER (ORDER BY ts ROWS 1 PRECEDING) -> 1 AS f FROM (VALUES (1, 5), (2, -2), (3, 4)) q(ts, w);
SELECT cms_agg_weighted(v, w) OVER (ORDER BY v ROWS 1 PRECEDING) -> v AS f FROM (VALUES (1, 9223372036854775807), (2, 0), (3, 9223372036854775807)) q(v, w);
SELECT cms_agg_weighted(v, w) OVER (ORDER BY v ROWS 1 PRECEDING) -> v AS f FROM (VALUES (1, 9223372036854775807), (2, 1)) q(v, w);
-- values of another kind are found wherever they enter
SELECT cms_agg(url) OVER (ORDER BY ts) -> 7 FROM clicks;
SELECT cms_frequencies(cms_agg(url) OVER (ORDER BY ts), '{7}'::int[]) FROM clicks;
-- parameters that change within a partition are refused, between partitions not
SELECT cms_agg(url, 0.1 / ts, 0.1) OVER (ORDER BY ts ROWS 3 PRECEDING) FROM clicks WHERE ts < 3;
SELECT DISTINCT s AS site, (cms_info(c)).width FROM generate_series(0, 2) s, LATERAL (SELECT cms_agg(url, 0.1 / (s + 1), 0.1) OVER (PARTITION BY site) AS c FROM clicks WHERE site = s) l ORDER BY site;
-- the step functions are the server's to call
SELECT _cms_inverse_step(cms_empty(), 1);
