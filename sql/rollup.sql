-- Rollups: tables of sketches that keep themselves current (test/t/030_rollup.pl:
-- several sessions at once, crashes, dumps)
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

-- ---------- by a trigger ----------
SELECT probds_create_rollup('shop.daily', 'shop.visits', ARRAY['ts::date AS day', 'country'],
    ARRAY['hll_agg(visitor) AS visitors', 'bloom_agg(url, 200) AS urls', 'count(*) AS hits', 'sum(seconds) AS seconds',
        'min(ts) AS first', 'max(seconds) FILTER (WHERE found) AS longest']);
SELECT count(*), sum(hits) FROM shop.daily;
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
INSERT INTO shop.visits (ts, country) SELECT ts, country FROM more WHERE false;
INSERT INTO shop.visits (ts, country) VALUES ('2024-01-01 12:00+00', 'de'), ('2023-12-31 23:59+00', 'de');
COPY shop.visits (ts, country, visitor) FROM STDIN;
2024-02-29 12:00:00+00	ch	visitor 1
2024-02-29 13:00:00+00	ch	visitor 2
\.

-- what the rollup should be
CREATE VIEW wanted AS
SELECT (ts AT TIME ZONE 'UTC')::date AS day, country, hll_agg(visitor) AS visitors, bloom_agg(url, 200) AS urls, count(*) AS hits, sum(seconds) AS seconds,
    min(ts) AS first, max(seconds) FILTER (WHERE found) AS longest
FROM shop.visits GROUP BY 1, 2;
CREATE FUNCTION differences(rollup text, wanted text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM ((TABLE %1$s EXCEPT ALL TABLE %2$s) UNION ALL (TABLE %2$s EXCEPT ALL TABLE %1$s)) q', rollup, wanted) INTO n;
    RETURN n;
END $$;
SELECT count(*), sum(hits), differences('shop.daily', 'wanted') FROM shop.daily;
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
SELECT differences('shop.daily', 'wanted');

-- weeks and months from days
SELECT probds_create_rollup_view('shop.weekly', 'shop.daily', ARRAY['date_trunc(''week'', day)::date AS week']);
SELECT week, #visitors AS visitors, hits, seconds, first, longest, urls @> '/page/110' AS page_110 FROM shop.weekly ORDER BY 1;
SELECT probds_create_rollup_view('shop.ever', 'shop.daily', ARRAY[]::text[]);
SELECT hits, seconds, visitors = (SELECT hll_agg(visitor) FROM shop.visits) AS same_visitors, urls = (SELECT bloom_agg(url, 200) FROM shop.visits) AS same_urls FROM shop.ever;

-- rows that were changed or deleted: anew
DELETE FROM shop.visits WHERE country = 'fr' AND ts > '2024-01-08';
UPDATE shop.visits SET visitor = 'other' WHERE id % 10 = 0;
SELECT differences('shop.daily', 'wanted') > 0 AS stale;
SELECT probds_rebuild_rollup('shop.daily');
SELECT differences('shop.daily', 'wanted');

-- ---------- with slots ----------
SELECT probds_create_rollup('"Daily, by slot"', 'shop.visits', ARRAY['ts::date AS "the ""day"""'],
    ARRAY['hll_agg(visitor, 11) AS "Visitors"', 'count(*) AS "count"', 'sum(seconds) AS "select"', 'max(ts) AS "max"'], slots => 4);
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
CREATE VIEW "wanted, by slot" AS
SELECT ts::date AS "the ""day""", hll_agg(visitor, 11) AS "Visitors", count(*) AS "count", sum(seconds) AS "select", max(ts) AS "max" FROM shop.visits GROUP BY 1;
SELECT differences('"Daily, by slot"', '"wanted, by slot"'), count(*) FROM "Daily, by slot";
SELECT probds_fold_rollup('"Daily, by slot"') AS folded;
SELECT probds_fold_rollup('"Daily, by slot"') AS folded;
SELECT slot, count(*) FROM "Daily, by slot_slots" GROUP BY 1;
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
SELECT differences('"Daily, by slot"', '"wanted, by slot"');
SELECT probds_fold_rollup('"Daily, by slot"') > 0 AS folded;
SELECT differences('"Daily, by slot"', '"wanted, by slot"');
SELECT probds_create_rollup_view('shop."of slots"', '"Daily, by slot"', ARRAY['extract(year FROM "the ""day""")::int AS year']);
SELECT year, "count" = (SELECT count(*) FROM shop.visits WHERE extract(year FROM ts) = year) AS same FROM shop."of slots" ORDER BY 1;
SELECT probds_rebuild_rollup('"Daily, by slot"');
SELECT differences('"Daily, by slot"', '"wanted, by slot"');
SELECT probds_fold_rollup('shop.daily') AS nothing_to_fold;

-- ---------- sketches of every kind ----------
SELECT probds_create_rollup('every_kind', 'shop.visits', ARRAY['ts::date AS day'],
    ARRAY['hll_agg(visitor) AS visitors', 'topk_agg(url, 5) AS pages', 'topk_agg_weighted(url, seconds::bigint, 5) AS longest', 'cms_agg(country, 0.01, 0.05) AS countries', 'bloom_agg(url, 200) AS urls'], slots => 2);
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
SELECT probds_fold_rollup('every_kind') > 0 AS folded;
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
CREATE VIEW wanted_of_every_kind AS
SELECT ts::date AS day, hll_agg(visitor) AS visitors, topk_agg(url, 5) AS pages, topk_agg_weighted(url, seconds::bigint, 5) AS longest, cms_agg(country, 0.01, 0.05) AS countries, bloom_agg(url, 200) AS urls
FROM shop.visits GROUP BY 1;
SELECT differences('every_kind', 'wanted_of_every_kind'), count(*) FROM every_kind;
SELECT probds_create_rollup_view('every_week', 'every_kind', ARRAY['date_trunc(''week'', day)::date AS week']);
SELECT week, #visitors AS visitors, countries -> 'de' AS de, urls @> '/page/110' AS page_110, (SELECT string_agg(item || ' ' || frequency, ', ') FROM (SELECT * FROM topk_items(pages) LIMIT 2) t) AS pages FROM every_week ORDER BY 1;

-- ---------- without groups ----------
SELECT probds_create_rollup('total', 'shop.visits', '{}', ARRAY['hll_agg(visitor)', 'count(*)'], backfill => false);
SELECT probds_create_rollup('total_by_slot', 'shop.visits', '{}', ARRAY['hll_agg(visitor)', 'count(*)'], slots => 3);
SELECT count(*) FROM total;
SELECT count = (SELECT count(*) FROM shop.visits) AS same FROM total_by_slot;
INSERT INTO shop.visits (ts, visitor, country) SELECT ts, visitor, 'li' FROM more;
INSERT INTO shop.visits (ts, visitor, country) SELECT ts, visitor, 'li' FROM more WHERE false;
INSERT INTO shop.visits (ts, visitor, country) SELECT ts, visitor, 'li' FROM more;
SELECT count, hll_agg = (SELECT hll_agg(visitor) FROM more) AS same FROM total;
SELECT count = (SELECT count(*) FROM shop.visits) AND hll_agg = (SELECT hll_agg(visitor) FROM shop.visits) AS same FROM total_by_slot;
SELECT probds_fold_rollup('total_by_slot');
SELECT count = (SELECT count(*) FROM shop.visits) AND hll_agg = (SELECT hll_agg(visitor) FROM shop.visits) AS same FROM total_by_slot;

-- ---------- by refreshes ----------
SELECT probds_create_rollup('shop.numbered', 'shop.visits', ARRAY['ts::date AS day', 'country'],
    ARRAY['hll_agg(visitor) AS visitors', 'bloom_agg(url, 200) AS urls', 'count(*) AS hits', 'sum(seconds) AS seconds',
        'min(ts) AS first', 'max(seconds) FILTER (WHERE found) AS longest'], refresh => 'id');
SELECT count(*) FROM shop.numbered;
-- rows with numbers that the sequence has not come to yet
CALL probds_refresh_rollup('shop.numbered');
SELECT setval('shop.visits_id_seq', 2000000000000);
CALL probds_refresh_rollup('shop.numbered');
SELECT differences('shop.numbered', 'wanted');
CALL probds_refresh_rollup('shop.numbered');
SELECT differences('shop.numbered', 'wanted');
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
-- a gap in the numbers is no work, however wide
CALL probds_refresh_rollup('shop.numbered', batch => 7);
SELECT differences('shop.numbered', 'wanted'), differences('shop.daily', 'wanted');
SELECT mode, slots, watermark, settled = watermark AS settled, changes_seen, truncated, retention, settings[1:2] FROM shop.numbered_progress;
-- a new name for the source, and a new table of the old name: what is meant is the old table
ALTER TABLE shop.visits RENAME TO visits_2024;
CREATE TABLE shop.visits (LIKE shop.visits_2024 INCLUDING ALL);
INSERT INTO shop.visits (ts, country) SELECT ts, country FROM more;
INSERT INTO shop.visits_2024 (ts, country, visitor, url, seconds, found) TABLE more;
CALL probds_refresh_rollup('shop.numbered');
SELECT differences('shop.numbered', 'wanted'), differences('shop.daily', 'wanted');
SELECT probds_rebuild_rollup('shop.numbered');
SELECT differences('shop.numbered', 'wanted'), differences('shop.daily', 'wanted');
-- numbers that start again are not missed, but what was counted is
TRUNCATE shop.visits_2024 RESTART IDENTITY;
INSERT INTO shop.visits_2024 (ts, country, visitor, url, seconds, found) TABLE more;
CALL probds_refresh_rollup('shop.numbered');
SELECT sum(hits) > count(*) AS as_before FROM shop.numbered;
SELECT rollup, status FROM probds_rollups() WHERE rollup IN ('shop.numbered'::regclass, 'shop.daily'::regclass) ORDER BY rollup::text;
SELECT probds_rebuild_rollup('shop.numbered'), probds_rebuild_rollup('shop.daily');
SELECT differences('shop.numbered', 'wanted'), differences('shop.daily', 'wanted');
INSERT INTO shop.visits_2024 (ts, country, visitor, url, seconds, found) TABLE more;
CALL probds_refresh_rollup('shop.numbered');
SELECT differences('shop.numbered', 'wanted'), differences('shop.daily', 'wanted');
SELECT rollup, refresh, rows_behind, status FROM probds_rollups() WHERE rollup IN ('shop.numbered'::regclass, 'shop.daily'::regclass) ORDER BY rollup::text;
-- from now on
SELECT probds_create_rollup('from_now', 'shop.visits_2024', '{}', ARRAY['count(*) AS hits'], refresh => 'id', backfill => false);
CALL probds_refresh_rollup('from_now');
INSERT INTO shop.visits_2024 (ts, country) VALUES ('2024-01-01', 'de');
CALL probds_refresh_rollup('from_now');
TABLE from_now;
-- of a table without rows
SELECT probds_create_rollup('of_nothing', 'shop.visits', '{}', ARRAY['hll_agg(visitor) AS visitors'], refresh => 'id');
TRUNCATE shop.visits;
CALL probds_refresh_rollup('of_nothing');
SELECT count(*) FROM of_nothing;

-- ---------- a table with partitions ----------
CREATE TABLE parted (n int GENERATED BY DEFAULT AS IDENTITY, at date, who int) PARTITION BY RANGE (at);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM ('2024-01-01') TO ('2024-02-01');
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM ('2024-02-01') TO ('2024-03-01');
SELECT probds_create_rollup('parted_daily', 'parted', ARRAY['at'], ARRAY['hll_agg(who) AS who', 'count(*) AS n']);
SELECT probds_create_rollup('parted_numbered', 'parted', ARRAY['at'], ARRAY['hll_agg(who) AS who', 'count(*) AS n'], refresh => 'n');
INSERT INTO parted (at, who) SELECT '2024-01-10'::date + i % 40, i FROM generate_series(1, 400) i;
CALL probds_refresh_rollup('parted_numbered');
SELECT count(*), sum(n), #hll_merge_agg(who) AS who FROM parted_daily;
SELECT differences('parted_daily', 'parted_numbered');

-- ---------- gone without a trace ----------
-- a view that is renamed goes with it, one that is gone does no harm; nor does a source that is gone
ALTER VIEW shop.weekly RENAME TO per_week;
DROP VIEW shop.ever;
SELECT probds_drop_rollup('shop.daily');
DROP TABLE shop.visits CASCADE;
SELECT probds_drop_rollup('shop.numbered'), probds_drop_rollup('"Daily, by slot"'), probds_drop_rollup('total'), probds_drop_rollup('every_kind'), probds_drop_rollup('total_by_slot'), probds_drop_rollup('from_now'),
    probds_drop_rollup('of_nothing'), probds_drop_rollup('parted_daily'), probds_drop_rollup('parted_numbered');
SELECT relnamespace::regnamespace, relname FROM pg_class
WHERE relnamespace IN ('public'::regnamespace, 'shop'::regnamespace) AND relkind IN ('r', 'p', 'v', 'S') ORDER BY 1, 2;
SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal;

DROP SCHEMA shop CASCADE;
DROP TABLE parted;
DROP VIEW more;
DROP FUNCTION differences;
