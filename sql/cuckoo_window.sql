-- Windows: rows enter and leave, and the result is the live state until somebody keeps it
CREATE TEMP TABLE visits AS
SELECT i AS ts, 'user ' || (i * i % 101) % 37 AS who, CASE WHEN i % 10 > 0 THEN i * 7 % 23 END AS n, i % 3 AS site FROM generate_series(1, 400) i;
CREATE FUNCTION pg_temp.again(a int, b int) RETURNS cuckoo LANGUAGE sql AS 'SELECT cuckoo_agg(who, 50) FROM visits WHERE ts BETWEEN a AND b';

-- the live state asked
SELECT frame, count(*), bool_and(f = exact) AS exact FROM (
    SELECT 1 AS frame, cuckoo_count(cuckoo_agg(who, 50, 1e-6) OVER w, 'user 7') AS f, count(*) FILTER (WHERE who = 'user 7') OVER w AS exact FROM visits WINDOW w AS (ORDER BY ts ROWS 10 PRECEDING)
    UNION ALL SELECT 2, cuckoo_count(cuckoo_agg(who, 50, 1e-6) OVER w, 'user 7'), count(*) FILTER (WHERE who = 'user 7') OVER w FROM visits WINDOW w AS (ORDER BY ts ROWS 300 PRECEDING)
    UNION ALL SELECT 3, cuckoo_count(cuckoo_agg(who, 50, 1e-6) OVER w, who), count(*) OVER (PARTITION BY who ORDER BY ts) FROM visits WINDOW w AS (ORDER BY ts)
    UNION ALL SELECT 4, (cuckoo_agg(who, 50, 1e-6) OVER w @> 'user 7')::int, (count(*) FILTER (WHERE who = 'user 7') OVER w > 0)::int FROM visits WINDOW w AS (ORDER BY ts ROWS BETWEEN 5 PRECEDING AND 5 FOLLOWING)
    UNION ALL SELECT 5, cuckoo_contains_any(cuckoo_agg(who, 50, 1e-6) OVER w, '{user 7,user 9}')::int, (count(*) FILTER (WHERE who IN ('user 7', 'user 9')) OVER w > 0)::int FROM visits WINDOW w AS (PARTITION BY site ORDER BY ts RANGE 50 PRECEDING)
    UNION ALL SELECT 6, (cuckoo_info(cuckoo_agg(n, 50, 1e-6) OVER w)).copies, count(n) OVER w FROM visits WINDOW w AS (ORDER BY ts ROWS 33 PRECEDING)
    UNION ALL SELECT 7, cuckoo_count(cuckoo_agg(n, 50, 1e-6) OVER w, 14), count(*) FILTER (WHERE n = 14) OVER w FROM visits WINDOW w AS (ORDER BY ts ROWS 50 PRECEDING EXCLUDE CURRENT ROW)
    UNION ALL SELECT 8, cuckoo_cardinality(cuckoo_agg(ts, 50, 1e-6) OVER w), count(*) OVER w FROM visits WINDOW w AS (ORDER BY ts ROWS 40 PRECEDING)
    UNION ALL SELECT 9, round(cuckoo_false_positive_rate(cuckoo_agg(ts, 50, 1e-6) OVER w) * 5e7), count(*) OVER w FROM visits WINDOW w AS (ORDER BY ts ROWS 300 PRECEDING)) q
WHERE f IS NOT NULL GROUP BY frame ORDER BY frame;

-- the states kept, and of every size: the bytes of the same rows aggregated by themselves
SELECT count(*), bool_and(c = pg_temp.again(ts - 30, ts)) AS moving, bool_and(running = pg_temp.again(1, ts)) AS running FROM (SELECT ts, cuckoo_agg(who, 50) OVER (ORDER BY ts ROWS 30 PRECEDING) AS c, cuckoo_agg(who, 50) OVER (ORDER BY ts) AS running FROM visits) q;
SELECT rate, rows, count(*), bool_and(c = again) AS same FROM unnest(ARRAY[0.03, 0.01, 0.0001]) rate, unnest(ARRAY[1, 50, 700, 3000]) rows, LATERAL (
    SELECT c, (SELECT cuckoo_agg(x % 5000, 1000, rate) FROM generate_series(greatest(i - rows, 1), i) x) AS again
    FROM (SELECT i, cuckoo_agg(i % 5000, 1000, rate) OVER (ORDER BY i ROWS BETWEEN rows PRECEDING AND CURRENT ROW) AS c FROM generate_series(1, 8000) i) q WHERE i % 499 = 0) l GROUP BY 1, 2 ORDER BY 1, 2;
DO $$
DECLARE
    x record;
    last cuckoo;
    wrong int := 0;
BEGIN
    FOR x IN SELECT ts, cuckoo_agg(who, 50) OVER (ORDER BY ts ROWS 30 PRECEDING) AS c, cuckoo_count(cuckoo_agg(who, 50) OVER (ORDER BY ts ROWS 30 PRECEDING), 'user 7') AS f FROM visits LOOP
        wrong := wrong + (last IS NOT NULL AND last <> pg_temp.again(x.ts - 31, x.ts - 1))::int + (x.f <> cuckoo_count(x.c, 'user 7'))::int;
        last := x.c;
    END LOOP;
    RAISE NOTICE '% wrong, last: %', wrong, last = pg_temp.again(370, 400);
END
$$;
SELECT count(*), bool_and(c = pg_temp.again(1, last)) AS same FROM (SELECT cuckoo_agg(who, 50) OVER w AS c, max(ts) OVER w AS last FROM visits WINDOW w AS (ORDER BY ts / 10)) q;

-- frames without rows, and of rows without values
SELECT ts, cuckoo_agg(who, 50) OVER w IS NULL AS no_rows, cuckoo_agg(nullif(who, who), 50) OVER w = cuckoo_empty(50) AS no_values, cuckoo_agg(nullif(who, who), 50) OVER w @> 'x'::text AS asked
FROM visits WHERE ts <= 4 WINDOW w AS (ORDER BY ts ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING);
-- another kind, other parameters
SELECT cuckoo_agg(who, 50) OVER (ORDER BY ts) @> 7 FROM visits;
SELECT cuckoo_agg(who, 50 + ts) OVER (ORDER BY ts ROWS 3 PRECEDING) FROM visits WHERE ts < 3;
SELECT DISTINCT s AS site, (cuckoo_info(c)).capacity FROM (SELECT DISTINCT site AS s FROM visits) d, LATERAL (SELECT cuckoo_agg(who, 50 + s) OVER (PARTITION BY site) AS c FROM visits WHERE site = s) l ORDER BY site;
-- the step functions are the server's to call
SELECT _cuckoo_inverse_step(cuckoo_empty(10), 1, 10);
SELECT _cuckoo_step(cuckoo_empty(10), 1, 10);
