-- Rollups: the results of a query over a table, kept as rows come (test/t/030_rollup.pl: several
-- sessions at once, crashes, dumps; test/t/037_rollup_random.pl: random statements)
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
-- more of them, some of the same days
CREATE VIEW more AS
SELECT '2024-01-15 00:30+00'::timestamptz + i * interval '40 minutes' AS ts, CASE i % 3 WHEN 0 THEN 'de' WHEN 1 THEN 'at' ELSE 'it' END AS country,
    'visitor ' || i * i % 501 AS visitor, '/page/' || i % 111 AS url, i % 70 AS seconds, i % 2 = 1 AS found
FROM generate_series(1, 500) i;
-- rows that a rollup has and its query does not give, and the other way round
CREATE FUNCTION differences(rollup text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM ((TABLE %1$s EXCEPT ALL TABLE %2$s) UNION ALL (TABLE %2$s EXCEPT ALL TABLE %1$s)) q',
        rollup, CASE WHEN rollup ~ '"$' THEN rtrim(rollup, '"') || '_query"' ELSE rollup || '_query' END) INTO n;
    RETURN n;
END $$;

-- ---------- its life ----------
SELECT probds_create_rollup('shop.daily', $$
    SELECT ts::date AS day, country, hll_agg(visitor) AS visitors, bloom_agg(url, 200) AS urls, count(*) AS hits, sum(seconds) AS seconds,
        min(ts) AS first, max(seconds) FILTER (WHERE found) AS longest, bool_and(found) AS all_found, bool_or(found) AS any_found
    FROM shop.visits WHERE country IS NOT NULL GROUP BY 1, 2$$);
SELECT count(*), sum(hits), differences('shop.daily') FROM shop.daily;
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
INSERT INTO shop.visits (ts, country) SELECT ts, country FROM more WHERE false;
INSERT INTO shop.visits (ts, country) VALUES ('2024-01-01 12:00+00', 'de'), ('2023-12-31 23:59+00', 'de'), ('2024-01-01', NULL);
COPY shop.visits (ts, country, visitor) FROM STDIN;
2024-02-29 12:00:00+00	ch	visitor 1
2024-02-29 13:00:00+00	ch	visitor 2
\.
SELECT count(*), sum(hits), differences('shop.daily') FROM shop.daily;
-- a part for each group of each statement, unless one of them has folded
SELECT sum(hits), count(*) <= 2 AS parts FROM shop.daily_parts WHERE day = '2024-01-01' AND country = 'de';
-- what people see
SELECT pg_get_viewdef('shop.daily_query') ~ 'FROM shop.visits\s+WHERE .*country IS NOT NULL.*GROUP BY' AS query;
\d shop.visits
SELECT rollup, source, query = pg_get_viewdef('shop.daily_query') AS query, live, groups_waiting, refreshing, schedule, last_refresh, status FROM probds_rollups() \gx
-- a writer in another time zone counts in the rollup's, and a reader sees the same
SET TimeZone = 'Pacific/Auckland';
INSERT INTO shop.visits (ts, country, visitor) VALUES ('2024-01-10 23:00+00', 'nz', 'kiwi');
UPDATE shop.visits SET visitor = 'moa' WHERE country = 'nz';
SELECT day, hits, #visitors AS visitors FROM shop.daily WHERE country = 'nz';
SET TimeZone = 'UTC';
SELECT day, hits, #visitors AS visitors FROM shop.daily WHERE country = 'nz';
-- what is rolled back was not counted
BEGIN;
INSERT INTO shop.visits (ts, country, visitor) SELECT ts, 'xx', visitor FROM more;
SAVEPOINT s;
INSERT INTO shop.visits (ts, country, visitor) SELECT ts, 'yy', visitor FROM more;
SELECT differences('shop.daily');
ROLLBACK TO s;
SELECT country, sum(hits), #hll_merge_agg(visitors) AS visitors FROM shop.daily WHERE country IN ('xx', 'yy') GROUP BY 1;
ROLLBACK;
SELECT differences('shop.daily');

-- ---------- rows are changed ----------
UPDATE shop.visits SET visitor = 'other' WHERE id % 10 = 0;
DELETE FROM shop.visits WHERE country = 'fr' AND ts > '2024-01-08';
INSERT INTO shop.visits (id, ts, country) OVERRIDING SYSTEM VALUE VALUES (1, '2024-01-01', 'de'), (100001, '2024-01-01', 'de') ON CONFLICT (id) DO NOTHING;
INSERT INTO shop.visits (id, ts, country) OVERRIDING SYSTEM VALUE VALUES (1, '2024-01-01', 'de'), (100002, '2024-01-01', 'de') ON CONFLICT (id) DO UPDATE SET seconds = 7;
SELECT differences('shop.daily');
SELECT groups_waiting > 20 AS many_wait, status FROM probds_rollups();
CALL probds_refresh_rollup('shop.daily');
SELECT differences('shop.daily'), groups_waiting, last_refresh IS NOT NULL AS refreshed, status FROM probds_rollups();
SELECT count(*) = count(DISTINCT (day, country)) AS one_part_each FROM shop.daily_parts;

-- ---------- one that is not live says how far it is behind ----------
SELECT probds_create_rollup('later', $$SELECT country, hll_agg(visitor, 11) AS visitors, count(*) AS hits FROM shop.visits GROUP BY 1$$, live => false);
INSERT INTO shop.visits (ts, country, visitor) VALUES ('2024-01-01', 'de', 'one more');
SELECT differences('later');
UPDATE shop.visits SET seconds = 1 WHERE country = 'at';
SELECT groups_waiting FROM probds_rollups() WHERE rollup = 'later'::regclass;
UPDATE shop.visits SET country = 'li' WHERE country = 'at' AND id % 2 = 0;
SELECT groups_waiting, differences('later') FROM probds_rollups() WHERE rollup = 'later'::regclass;
SELECT probds_alter_rollup('later', live => true);
SELECT live, differences('later') FROM probds_rollups() WHERE rollup = 'later'::regclass;
SELECT probds_alter_rollup('later', live => false);
SELECT live, differences('later') FROM probds_rollups() WHERE rollup = 'later'::regclass;
CALL probds_refresh_rollup('later');
SELECT groups_waiting, differences('later') FROM probds_rollups() WHERE rollup = 'later'::regclass;
-- not built, and then built
SELECT probds_create_rollup('empty', $$SELECT country, count(*) AS hits FROM shop.visits GROUP BY 1$$, with_data => false);
SELECT count(*) FROM empty;
SELECT status FROM probds_rollups() WHERE rollup = 'empty'::regclass;
INSERT INTO shop.visits (ts, country, visitor) VALUES ('2024-01-01', 'de', 'before it is built');
CALL probds_rebuild_rollup('empty');
SELECT differences('empty'), status FROM probds_rollups() WHERE rollup = 'empty'::regclass;

-- ---------- weeks and months from days ----------
-- as a view
SELECT probds_create_rollup_view('shop.weekly_view', 'shop.daily', ARRAY['date_trunc(''week'', day)::date AS week']);
SELECT week, #visitors AS visitors, hits, seconds, first, longest, all_found, any_found, urls @> '/page/110' AS page_110 FROM shop.weekly_view ORDER BY 1;
SELECT probds_create_rollup_view('shop.ever', 'shop.daily', ARRAY[]::text[]);
SELECT hits, seconds, visitors = (SELECT hll_agg(visitor) FROM shop.visits WHERE country IS NOT NULL) AS same_visitors FROM shop.ever;
-- as a rollup
SELECT probds_create_rollup('shop.weekly', $$SELECT date_trunc('week', day)::date AS week, hll_merge_agg(visitors) AS visitors, sum(hits) AS hits FROM shop.daily GROUP BY 1$$);
SELECT probds_create_rollup('shop.total', $$SELECT hll_merge_agg(visitors) AS visitors, sum(hits) AS hits FROM shop.weekly$$, live => false);
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
SELECT differences('shop.weekly'), differences('shop.total');
UPDATE shop.visits SET visitor = 'another' WHERE id % 10 = 1;
SELECT differences('shop.daily'), differences('shop.weekly'), differences('shop.total');
SELECT rollup, groups_waiting > 0 AS wait FROM probds_rollups() WHERE rollup::text ~ '^shop' ORDER BY rollup::text;
CALL probds_refresh_rollup('shop.total');
SELECT rollup, groups_waiting, differences(rollup::text) FROM probds_rollups() WHERE rollup::text ~ '^shop' ORDER BY rollup::text;

-- ---------- columns come and go ----------
SELECT probds_add_rollup_column('shop.daily', 'topk_agg(url, 5) AS pages');
SELECT differences('shop.daily');
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
CALL probds_refresh_rollup('shop.daily');
SELECT differences('shop.daily'), count(pages) FROM shop.daily;
SELECT probds_drop_rollup_column('later', 'hits');
\d later
UPDATE shop.visits SET country = 'li' WHERE country = 'at' AND id % 4 = 0;
INSERT INTO shop.visits (ts, country, visitor) VALUES ('2024-01-01', 'de', 'and one more');
CALL probds_refresh_rollup('later');
SELECT differences('later');
-- a column of the source gets another type
\set VERBOSITY terse
ALTER TABLE shop.visits ALTER seconds TYPE bigint;
\set VERBOSITY default
SELECT probds_alter_rollup_source('shop.visits', 'ALTER found TYPE boolean, ALTER visitor TYPE varchar(100)');
SELECT differences('shop.daily'), differences('later');
CALL probds_refresh_rollup('later');
SELECT differences('later');

-- ---------- parts are folded ----------
DO $$ BEGIN FOR i IN 1 .. 3000 LOOP INSERT INTO shop.visits (ts, country, visitor) VALUES ('2024-05-01', 'fold', 'v' || i); END LOOP; END $$;
-- by who inserts: 1 in 100 folds up to 400 parts (that none of 3,000 does: 10^-13)
SELECT count(*) < 3000 AS fewer, sum(hits) FROM shop.daily_parts WHERE country = 'fold';
SELECT probds_fold_rollup('shop.daily') > 0 AS folded;
SELECT count(*), sum(hits), differences('shop.daily') FROM shop.daily_parts WHERE country = 'fold';
SELECT probds_fold_rollup('shop.daily') AS again;

-- ---------- sketches of every kind, quoted names ----------
SELECT probds_create_rollup('"Every kind"', $$SELECT hll_agg(visitor) AS "the ""hll""", ts::date AS "Day", topk_agg(url, 5) AS pages, topk_agg_weighted(url, seconds, 5) AS longest,
    cms_agg(country, 0.01, 0.05) AS countries, bloom_agg(url, 200) AS urls, cuckoo_agg(url, 200) AS cuckoo, counting_bloom_agg(url, 200) AS counting, minhash_agg(url) AS minhash,
    max(ts) AS "max", count(*) AS "select" FROM shop.visits GROUP BY ts::date$$);
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
DELETE FROM shop.visits WHERE id % 31 = 0;
SELECT differences('"Every kind"'), count(*) FROM "Every kind";
CALL probds_refresh_rollup('"Every kind"');
SELECT differences('"Every kind"'), count(*) FROM "Every kind";

-- ---------- without groups ----------
SELECT probds_create_rollup('total', 'SELECT hll_agg(visitor), count(*), sum(seconds) FROM shop.visits -- all');
SELECT differences('total');
BEGIN;
TRUNCATE shop.visits;
SELECT differences('total'), count FROM total;
SELECT differences('shop.daily'), differences('shop.weekly'), (SELECT count(*) FROM shop.daily_parts) AS parts;
INSERT INTO shop.visits (ts, visitor, country) SELECT ts, visitor, 'li' FROM more;
SELECT differences('total'), count FROM total;
ROLLBACK;
SELECT differences('total'), differences('shop.daily');
SELECT probds_create_rollup('of_nothing', 'SELECT count(*), hll_agg(visitor) FROM shop.visits WHERE false');
INSERT INTO shop.visits (ts, visitor, country) SELECT ts, visitor, 'li' FROM more;
SELECT differences('of_nothing'), * FROM of_nothing;

-- ---------- a fold by a writer ----------
-- without keys it has no index to look up, and its scan must not be compiled
CREATE TABLE folded (v int);
SELECT probds_create_rollup('folding', 'SELECT count(*) AS n FROM folded');
CREATE TABLE noted (jit text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO public.noted VALUES (current_setting('jit'));
    RETURN NULL;
END $$;
CREATE TRIGGER note AFTER DELETE ON folding_parts EXECUTE FUNCTION note();
SET jit = on;
DO $$ BEGIN FOR i IN 1..3000 LOOP INSERT INTO folded VALUES (i); END LOOP; END $$;
RESET jit;
SELECT DISTINCT jit, n FROM noted, folding;
SELECT probds_drop_rollup('folding');
DROP TABLE folded, noted;
DROP FUNCTION note;

-- ---------- gone without a trace ----------
SELECT probds_drop_rollup('shop.daily');
SELECT probds_drop_rollup('shop.total'), probds_drop_rollup('shop.weekly');
-- a view that is renamed goes with it, one that is gone does no harm; nor does a source that is gone
ALTER VIEW shop.weekly_view RENAME TO per_week;
DROP VIEW shop.ever;
SELECT probds_drop_rollup('shop.daily');
SELECT probds_drop_rollup('later'), probds_drop_rollup('empty'), probds_drop_rollup('total');
DROP TABLE shop.visits CASCADE;
SELECT probds_drop_rollup('of_nothing'), probds_drop_rollup('"Every kind"');
SELECT relnamespace::regnamespace, relname FROM pg_class
WHERE relnamespace IN ('public'::regnamespace, 'shop'::regnamespace) AND relkind IN ('r', 'p', 'v', 'S') ORDER BY 1, 2;
SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal;

DROP SCHEMA shop CASCADE;
DROP VIEW more;
DROP FUNCTION differences;
