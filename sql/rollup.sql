-- Rollups: the results of a query, kept current (test/t/030_rollup.pl: several sessions at once,
-- crashes, dumps; test/t/037_rollup_random.pl: whatever comes)
\set SHOW_CONTEXT never
SET TimeZone = 'UTC';
SET DateStyle = ISO;
SET client_min_messages = warning;
CREATE SCHEMA shop;
CREATE TABLE shop.visits (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ts timestamptz NOT NULL,
    country text, visitor text, url text, seconds int, found boolean);
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found)
SELECT '2024-01-01 00:30+00'::timestamptz + i * interval '1 hour', CASE i % 3 WHEN 0 THEN 'de' WHEN 1 THEN 'fr' ELSE 'it' END,
    'visitor ' || i * i % 301, '/page/' || i % 97, i % 60, i % 2 = 0
FROM generate_series(1, 500) i;
-- more of them, some late
CREATE VIEW more AS
SELECT '2024-01-15 00:30+00'::timestamptz + i * interval '40 minutes' AS ts, CASE i % 3 WHEN 0 THEN 'de' WHEN 1 THEN 'at' ELSE 'it' END AS country,
    'visitor ' || i * i % 501 AS visitor, '/page/' || i % 111 AS url, i % 70 AS seconds, i % 2 = 1 AS found
FROM generate_series(1, 500) i;
-- what the rollup should be, which is also what its own query says
CREATE VIEW wanted AS
SELECT (ts AT TIME ZONE 'UTC')::date AS day, country, hll_agg(visitor) AS visitors, bloom_agg(url, 200) AS urls, count(*) AS hits, sum(seconds) AS seconds,
    min(ts) AS first, max(seconds) FILTER (WHERE found) AS longest
FROM shop.visits GROUP BY 1, 2;
CREATE FUNCTION differences(rollup text, wanted text DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM ((TABLE %1$s EXCEPT ALL TABLE %2$s) UNION ALL (TABLE %2$s EXCEPT ALL TABLE %1$s)) q',
        rollup, coalesce(wanted, regexp_replace(rollup, '("?)$', '_query\1'))) INTO n;
    RETURN n;
END $$;

-- ---------- made ----------
SELECT probds_create_rollup('shop.daily', $$SELECT ts::date AS day, country, hll_agg(visitor) AS visitors, bloom_agg(url, 200) AS urls,
    count(*) AS hits, sum(seconds) AS seconds, min(ts) AS first, max(seconds) FILTER (WHERE found) AS longest
    FROM shop.visits GROUP BY 1, 2$$);
SELECT count(*), sum(hits), differences('shop.daily') FROM shop.daily;
\d shop.daily_parts
\d shop.daily
\d shop.visits
SELECT c.relname, obj_description(c.oid, 'pg_class') FROM pg_class c WHERE relname ~ '^daily' AND relkind <> 'i' ORDER BY 1;
SELECT rollup, source, query, live, groups_waiting, refreshing, schedule, last_refresh, bytes > 0 AS bytes, status FROM probds_rollups();

-- ---------- rows come ----------
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
INSERT INTO shop.visits (ts, country) SELECT ts, country FROM more WHERE false;
INSERT INTO shop.visits (ts, country) VALUES ('2024-01-01 12:00+00', 'de'), ('2023-12-31 23:59+00', 'de');
COPY shop.visits (ts, country, visitor) FROM STDIN;
2024-02-29 12:00:00+00	ch	visitor 1
2024-02-29 13:00:00+00	ch	visitor 2
\.
SELECT count(*), sum(hits), differences('shop.daily'), differences('shop.daily', 'wanted') FROM shop.daily;
-- a writer in another time zone counts in the rollup's
SET TimeZone = 'Pacific/Auckland';
INSERT INTO shop.visits (ts, country, visitor) VALUES ('2024-01-10 23:00+00', 'nz', 'kiwi');
SET TimeZone = 'UTC';
SELECT day, hits FROM shop.daily WHERE country = 'nz';
-- what is rolled back was not counted
BEGIN;
INSERT INTO shop.visits (ts, country, visitor) SELECT ts, 'xx', visitor FROM more;
SAVEPOINT s;
INSERT INTO shop.visits (ts, country, visitor) SELECT ts, 'yy', visitor FROM more;
ROLLBACK TO s;
SELECT country, sum(hits), #hll_merge_agg(visitors) AS visitors FROM shop.daily WHERE country IN ('xx', 'yy') GROUP BY 1;
ROLLBACK;
SELECT differences('shop.daily', 'wanted');
-- INSERT ... ON CONFLICT counts what it inserts
INSERT INTO shop.visits (id, ts, country) OVERRIDING SYSTEM VALUE VALUES (1, '2024-01-01', 'de'), (100001, '2024-01-01', 'de') ON CONFLICT (id) DO NOTHING;
INSERT INTO shop.visits (id, ts, country) OVERRIDING SYSTEM VALUE VALUES (1, '2024-01-01', 'de'), (100002, '2024-01-01', 'de') ON CONFLICT (id) DO UPDATE SET found = visits.found;
SELECT groups_waiting, differences('shop.daily', 'wanted') FROM probds_rollups();

-- ---------- rows go, and change ----------
DELETE FROM shop.visits WHERE country = 'fr' AND ts > '2024-01-08';
UPDATE shop.visits SET visitor = 'other' WHERE id % 10 = 0;
SELECT groups_waiting, differences('shop.daily', 'wanted') FROM probds_rollups();
-- one that is not live says what it said, without the groups that wait
SELECT probds_alter_rollup('shop.daily', live => false);
SELECT differences('shop.daily', 'wanted') > 0 AS stale, count(*) = (SELECT count(*) FROM wanted) AS as_many FROM shop.daily;
CALL probds_refresh_rollup('shop.daily');
SELECT groups_waiting, live, last_refresh IS NOT NULL AS refreshed, differences('shop.daily', 'wanted') FROM probds_rollups();
SELECT probds_alter_rollup('shop.daily', live => true);
SELECT live, differences('shop.daily', 'wanted') FROM probds_rollups();
CALL probds_rebuild_rollup('shop.daily');
SELECT groups_waiting, differences('shop.daily', 'wanted') FROM probds_rollups();

-- ---------- folded ----------
SELECT probds_fold_rollup('shop.daily') AS folded;
INSERT INTO shop.visits (ts, country, visitor) VALUES ('2024-01-01 12:00+00', 'de', 'once');
INSERT INTO shop.visits (ts, country, visitor) VALUES ('2024-01-01 12:00+00', 'de', 'twice'), ('2024-01-01 12:00+00', NULL, 'who');
INSERT INTO shop.visits (ts, country, visitor) VALUES ('2024-01-01 12:00+00', NULL, 'whose');
SELECT probds_fold_rollup('shop.daily') AS folded;
SELECT probds_fold_rollup('shop.daily') AS folded;
SELECT count(*) = count(DISTINCT (day, country)) AS one_each, differences('shop.daily', 'wanted') FROM shop.daily_parts;
-- who inserts folds now and then
DO $$ BEGIN FOR i IN 1 .. 2000 LOOP INSERT INTO shop.visits (ts, country, visitor) VALUES ('2024-01-01 12:00+00', 'li', i); END LOOP; END $$;
SELECT count(*) < 1900 AS folded, differences('shop.daily', 'wanted') FROM shop.daily_parts WHERE country = 'li';

-- ---------- conditions reach the index ----------
CREATE FUNCTION plan(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS off) ' || query LOOP
        RETURN NEXT regexp_replace(line, 'cost=.*', '');
    END LOOP;
END $$;
SELECT probds_fold_rollup('shop.daily') > 0 AS folded;
ANALYZE shop.daily_parts;
SET enable_seqscan = off;
SELECT count(*) > 0 AS by_index FROM plan('SELECT * FROM shop.daily WHERE day = ''2024-01-01''') p WHERE p ~ 'Index Cond: \(day';
RESET enable_seqscan;

-- ---------- weeks and months from days ----------
SELECT probds_create_rollup_view('shop.weekly', 'shop.daily', ARRAY['date_trunc(''week'', day)::date AS week']);
SELECT week, #visitors AS visitors, hits, seconds, first, longest, urls @> '/page/110' AS page_110 FROM shop.weekly ORDER BY 1;
SELECT probds_create_rollup_view('shop.ever', 'shop.daily', ARRAY[]::text[]);
SELECT hits, seconds, visitors = (SELECT hll_agg(visitor) FROM shop.visits) AS same_visitors, urls = (SELECT bloom_agg(url, 200) FROM shop.visits) AS same_urls FROM shop.ever;
-- weeks that are kept
SELECT probds_create_rollup('shop.kept_weekly', $$SELECT date_trunc('week', day)::date AS week, hll_merge_agg(visitors) AS visitors, sum(hits) AS hits FROM shop.daily GROUP BY 1$$);
SELECT probds_create_rollup('shop.kept_yearly', $$SELECT extract(year FROM week)::int AS year, hll_merge_agg(visitors) AS visitors, sum(hits) AS hits FROM shop.kept_weekly GROUP BY 1$$, live => false);
SELECT differences('shop.kept_weekly'), differences('shop.kept_yearly');
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
SELECT rollup, groups_waiting > 0 AS wait FROM probds_rollups() ORDER BY rollup::text;
SELECT differences('shop.kept_weekly');
-- what they read is refreshed first
CALL probds_refresh_rollup('shop.kept_yearly');
SELECT differences('shop.kept_weekly'), differences('shop.kept_yearly'), (SELECT hits FROM shop.kept_yearly WHERE year = 2024) = (SELECT count(*) FROM shop.visits WHERE ts >= '2024-01-01') AS all_of_it;
UPDATE shop.visits SET ts = ts - interval '1 year' WHERE id % 9 = 1;
SELECT differences('shop.daily'), differences('shop.kept_weekly');
CALL probds_refresh_rollup('shop.kept_yearly');
SELECT year, hits = (SELECT count(*) FROM shop.visits WHERE extract(year FROM date_trunc('week', ts)) = year) AS same FROM shop.kept_yearly ORDER BY 1;

-- ---------- more columns ----------
SELECT probds_add_rollup_column('shop.daily', 'topk_agg(url, 5) AS top');
SELECT count(*) = count(top) AS all_have, differences('shop.daily') FROM shop.daily;
CALL probds_refresh_rollup('shop.daily');
SELECT groups_waiting, differences('shop.daily') FROM probds_rollups() WHERE rollup = 'shop.daily'::regclass;
INSERT INTO shop.visits (ts, country, visitor, url) VALUES ('2024-01-01 12:00+00', 'de', 'v', '/page/new');
SELECT differences('shop.daily'), differences('shop.kept_weekly');
SELECT pg_get_viewdef('shop.daily_query');

-- ---------- conditions, and names that need quotes ----------
SELECT probds_create_rollup('"Daily, by found"', 'SELECT ts::date AS "the ""day""", hll_agg(visitor, 11) AS "Visitors", count(*) AS "count", sum(seconds) AS "select", max(ts) AS "max" FROM shop.visits AS v WHERE v.found AND country <> ''li'' GROUP BY 1; ');
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
UPDATE shop.visits SET found = NOT found WHERE id % 20 = 3;
CREATE VIEW "wanted, by found" AS
SELECT ts::date AS "the ""day""", hll_agg(visitor, 11) AS "Visitors", count(*) AS "count", sum(seconds) AS "select", max(ts) AS "max" FROM shop.visits WHERE found AND country <> 'li' GROUP BY 1;
SELECT differences('"Daily, by found"', '"wanted, by found"'), differences('"Daily, by found"'), count(*) FROM "Daily, by found";
SELECT probds_fold_rollup('"Daily, by found"') > 0 AS folded;
CALL probds_refresh_rollup('"Daily, by found"');
SELECT differences('"Daily, by found"', '"wanted, by found"');
SELECT probds_create_rollup_view('shop."of days"', '"Daily, by found"', ARRAY['extract(year FROM "the ""day""")::int AS year']);
SELECT year, "count" = (SELECT count(*) FROM shop.visits WHERE extract(year FROM ts) = year AND found AND country <> 'li') AS same FROM shop."of days" ORDER BY 1;
CALL probds_rebuild_rollup('"Daily, by found"');
SELECT differences('"Daily, by found"', '"wanted, by found"');

-- ---------- sketches of every kind, and all that can be merged ----------
SELECT probds_create_rollup('every_kind', 'SELECT ts::date AS day, hll_agg(visitor) AS visitors, topk_agg(url, 5) AS pages, topk_agg_weighted(url, seconds::bigint, 5) AS longest, '
    'cms_agg(country, 0.01, 0.05) AS countries, bloom_agg(url, 200) AS urls, cuckoo_agg(visitor, 500) AS cuckoo, counting_bloom_agg(url, 200) AS counting, minhash_agg(visitor) AS minhash, '
    'bool_and(found) AS all_found, every(seconds > 3) AS every_second, bool_or(found) AS one_found, min(country) AS country FROM shop.visits GROUP BY 1');
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
SELECT probds_fold_rollup('every_kind') > 0 AS folded;
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
SELECT count(*), (SELECT count(*) FROM every_kind r JOIN every_kind_query q USING (day) WHERE (r.visitors, r.countries, r.urls, r.minhash, r.all_found, r.every_second, r.one_found, r.country)
    IS NOT DISTINCT FROM (q.visitors, q.countries, q.urls, q.minhash, q.all_found, q.every_second, q.one_found, q.country)) AS same FROM every_kind;
SELECT probds_create_rollup_view('every_week', 'every_kind', ARRAY['date_trunc(''week'', day)::date AS week']);
SELECT week, #visitors AS visitors, countries -> 'de' AS de, urls @> '/page/110' AS page_110 FROM every_week WHERE week >= '2024-01-01' ORDER BY 1;
CALL probds_rebuild_rollup('every_kind');
SELECT differences('every_kind');

-- ---------- without groups ----------
SELECT probds_create_rollup('total', 'SELECT hll_agg(visitor), count(*) FROM shop.visits', with_data => false);
SELECT probds_create_rollup('total_of_nobody', 'SELECT hll_agg(visitor), count(*), sum(seconds) FROM shop.visits WHERE country = ''nobody''');
SELECT count, hll_agg FROM total;
TABLE total_of_nobody;
SELECT differences('total_of_nobody');
SELECT rollup, status FROM probds_rollups() WHERE status <> 'ok';
INSERT INTO shop.visits (ts, visitor, country) SELECT ts, visitor, 'li' FROM more;
INSERT INTO shop.visits (ts, visitor, country) SELECT ts, visitor, 'li' FROM more WHERE false;
INSERT INTO shop.visits (ts, visitor, country) SELECT ts, visitor, 'li' FROM more;
SELECT count, hll_agg = (SELECT hll_agg(visitor) FROM more) AS same FROM total;
INSERT INTO shop.visits (ts, visitor, country) VALUES ('2024-01-01', 'a', 'nobody');
SELECT differences('total_of_nobody');
DELETE FROM shop.visits WHERE country = 'nobody';
SELECT differences('total_of_nobody');
CALL probds_refresh_rollup('total_of_nobody');
SELECT differences('total_of_nobody');
CALL probds_rebuild_rollup('total');
SELECT differences('total');
SELECT rollup, status FROM probds_rollups() WHERE status <> 'ok';

-- ---------- prepared, and by functions ----------
PREPARE read AS SELECT hits FROM shop.daily WHERE day = '2024-01-01' AND country = 'de';
EXECUTE read;
INSERT INTO shop.visits (ts, country) VALUES ('2024-01-01 12:00', 'de');
EXECUTE read;
DELETE FROM shop.visits WHERE ts = '2024-01-01 12:00' AND country = 'de' AND url IS NULL;
EXECUTE read;
SELECT hits = (SELECT count(*) FROM shop.visits WHERE ts::date = '2024-01-01' AND country = 'de') AS same FROM shop.daily WHERE day = '2024-01-01' AND country = 'de';

-- ---------- gone without a trace ----------
-- a view that is renamed goes with it, one that is gone does no harm
ALTER VIEW shop.weekly RENAME TO per_week;
DROP VIEW shop.ever;
SELECT probds_drop_rollup('shop.daily');
SELECT probds_drop_rollup('shop.kept_yearly'), probds_drop_rollup('shop.kept_weekly'), probds_drop_rollup('shop.daily');
SELECT probds_drop_rollup('"Daily, by found"'), probds_drop_rollup('total'), probds_drop_rollup('every_kind'), probds_drop_rollup('total_of_nobody');
SELECT relnamespace::regnamespace, relname FROM pg_class
WHERE relnamespace IN ('public'::regnamespace, 'shop'::regnamespace) AND relkind IN ('r', 'p', 'v', 'S') ORDER BY 1, 2;
SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal;

DROP SCHEMA shop CASCADE;
DROP VIEW more;
DROP FUNCTION differences, plan;
