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
        'min(ts) AS first', 'max(seconds) FILTER (WHERE found) AS longest', 'count(DISTINCT visitor) AS exact']);
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
    ARRAY['hll_agg(visitor, 11)::hll(11) AS "Visitors"', 'count(*) AS "count"', 'sum(seconds) AS "select"', 'max(ts) AS "max"'], slots => 4);
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
CREATE VIEW "wanted, by slot" AS
SELECT ts::date AS "the ""day""", hll_agg(visitor, 11) AS "Visitors", count(*) AS "count", sum(seconds) AS "select", max(ts) AS "max" FROM shop.visits GROUP BY 1;
SELECT differences('"Daily, by slot"', '"wanted, by slot"'), count(*) FROM "Daily, by slot";
SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = '"Daily, by slot_slots"'::regclass AND attname = 'Visitors';
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
    ARRAY['hll_agg(visitor) AS visitors', 'topk_agg(url, 5) AS pages', 'topk_agg(url, seconds::bigint, 5) AS longest', 'cms_agg(country, 0.01, 0.05) AS countries', 'bloom_agg(url, 200) AS urls'], slots => 2);
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
SELECT probds_fold_rollup('every_kind') > 0 AS folded;
INSERT INTO shop.visits (ts, country, visitor, url, seconds, found) TABLE more;
CREATE VIEW wanted_of_every_kind AS
SELECT ts::date AS day, hll_agg(visitor) AS visitors, topk_agg(url, 5) AS pages, topk_agg(url, seconds::bigint, 5) AS longest, cms_agg(country, 0.01, 0.05) AS countries, bloom_agg(url, 200) AS urls
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
SELECT source, stored, refresh, watermark, slots, timezone, keys, columns FROM shop.numbered_rollup;
-- a new name for the source, and a new table of the old name: what is meant is the old table
ALTER TABLE shop.visits RENAME TO visits_2024;
CREATE TABLE shop.visits (LIKE shop.visits_2024 INCLUDING ALL);
INSERT INTO shop.visits (ts, country) SELECT ts, country FROM more;
INSERT INTO shop.visits_2024 (ts, country, visitor, url, seconds, found) TABLE more;
CALL probds_refresh_rollup('shop.numbered');
SELECT differences('shop.numbered', 'wanted'), differences('shop.daily', 'wanted');
SELECT probds_rebuild_rollup('shop.numbered');
SELECT differences('shop.numbered', 'wanted'), differences('shop.daily', 'wanted');
-- numbers that start again would be missed
TRUNCATE shop.visits_2024 RESTART IDENTITY;
INSERT INTO shop.visits_2024 (ts, country, visitor, url, seconds, found) TABLE more;
CALL probds_refresh_rollup('shop.numbered');
SELECT probds_rebuild_rollup('shop.numbered'), probds_rebuild_rollup('shop.daily');
INSERT INTO shop.visits_2024 (ts, country, visitor, url, seconds, found) TABLE more;
CALL probds_refresh_rollup('shop.numbered');
SELECT differences('shop.numbered', 'wanted'), differences('shop.daily', 'wanted');
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

-- ---------- what is refused ----------
SELECT probds_create_rollup('r', 'parted', ARRAY['at'], ARRAY['avg(who)']);
SELECT probds_create_rollup('r', 'parted', ARRAY['at'], ARRAY['sum(who) + 1']);
SELECT probds_create_rollup('r', 'parted', ARRAY['at'], ARRAY['sum(count(*)) OVER ()']);
SELECT probds_create_rollup('r', 'parted', ARRAY['at'], ARRAY['bloom_agg(who)']);
SELECT probds_create_rollup('r', 'parted', ARRAY['at'], ARRAY['bloom_intersect_agg(bloom_add(bloom_empty(10), who))']);
SELECT probds_create_rollup('r', 'parted', ARRAY['at'], ARRAY['hll_agg(who), count(*)']);
SELECT probds_create_rollup('r', 'parted', ARRAY['at'], ARRAY['nobody(who)']);
SELECT probds_create_rollup('r', 'parted', ARRAY['at'], ARRAY['who']);
SELECT probds_create_rollup('r', 'parted', ARRAY['at'], ARRAY[]::text[]);
SELECT probds_create_rollup('r', 'parted', ARRAY['at', NULL], ARRAY['count(*)']);
SELECT probds_create_rollup('r', 'parted', NULL, ARRAY['count(*)']);
SELECT probds_create_rollup('r', 'parted', ARRAY['at'], ARRAY['count(*)'], slots => 0);
SELECT probds_create_rollup('r', 'parted', ARRAY['who AS slot'], ARRAY['count(*)'], slots => 2);
SELECT probds_create_rollup('a.b.c', 'parted', ARRAY['at'], ARRAY['count(*)']);
SELECT probds_create_rollup(repeat('r', 57), 'parted', ARRAY['at'], ARRAY['count(*)']);
SELECT probds_create_rollup('shop.daily', 'parted', ARRAY['at'], ARRAY['count(*)']);
SELECT probds_create_rollup('r', 'parted', ARRAY['at'], ARRAY['count(*)'], refresh => 'who');
SELECT probds_create_rollup('r', 'parted', ARRAY['at'], ARRAY['count(*)'], refresh => 'nothing');
ALTER SEQUENCE parted_n_seq CACHE 10;
SELECT probds_create_rollup('r', 'parted', ARRAY['at'], ARRAY['count(*)'], refresh => 'n');
CALL probds_refresh_rollup('parted_numbered');
CALL probds_refresh_rollup('parted_daily');
CALL probds_refresh_rollup('parted');
CALL probds_refresh_rollup(NULL);
CALL probds_refresh_rollup('parted_numbered', 0);
SELECT probds_fold_rollup('parted'), probds_rebuild_rollup('parted'), probds_drop_rollup('parted');
SELECT probds_create_rollup_view('v', 'parted', ARRAY['at']);
SELECT probds_create_rollup_view('v', 'parted_daily', NULL);
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT probds_create_rollup('r', 'parted', ARRAY['at'], ARRAY['count(*)']);
ROLLBACK;
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT probds_rebuild_rollup('parted_daily');
ROLLBACK;
BEGIN;
CALL probds_refresh_rollup('shop.numbered');
ROLLBACK;
-- and leaves nothing behind
SELECT relname FROM pg_class WHERE relname ~ '^(r|v)(_rollup|_slots)?$';

-- ---------- a search_path that is up to no good ----------
CREATE SCHEMA evil;
CREATE FUNCTION evil.format(text, text) RETURNS text LANGUAGE sql AS 'SELECT 1/0 || $1';
CREATE FUNCTION evil.array_to_string(anyarray, text) RETURNS text LANGUAGE sql AS 'SELECT 1/0 || $2';
CREATE FUNCTION evil.count() RETURNS int LANGUAGE sql AS 'SELECT 1/0';
CREATE FUNCTION evil.current_setting(text) RETURNS text LANGUAGE sql AS 'SELECT 1/0 || $1';
CREATE FUNCTION evil.set_config(text, text, boolean) RETURNS text LANGUAGE sql AS 'SELECT 1/0 || $1';
CREATE FUNCTION evil.eq(int, int) RETURNS boolean LANGUAGE sql AS 'SELECT 1/0 = 1';
CREATE OPERATOR evil.= (LEFTARG = int, RIGHTARG = int, FUNCTION = evil.eq);
CREATE OPERATOR evil.+ (LEFTARG = int, RIGHTARG = int, FUNCTION = int4mul);
CREATE DOMAIN evil.text AS int;
CREATE DOMAIN evil.regclass AS int;
SET search_path = evil, pg_catalog, public;
-- the caller's + is what the caller says it is, and stays so
SELECT probds_create_rollup('public.good', 'public.parted', ARRAY['at'::pg_catalog.text], ARRAY['sum(who + 2) AS who', 'hll_agg(who) AS whos'], slots => 2);
SELECT probds_create_rollup('public.good_numbered', 'shop.visits', ARRAY['country'::pg_catalog.text], ARRAY['hll_agg(visitor) AS whos'], refresh => 'id');
INSERT INTO parted (at, who) VALUES ('2024-01-10', 11), ('2024-01-10', 12);
INSERT INTO shop.visits (ts, country, visitor) VALUES ('2024-01-01', 'de', 'a');
CALL probds_refresh_rollup('public.good_numbered');
SELECT probds_create_rollup_view('public.good_view', 'public.good', ARRAY[]::pg_catalog.text[]);
SELECT probds_fold_rollup('public.good') > 0 AS folded, probds_rebuild_rollup('public.good');
RESET search_path;
SELECT who = (SELECT sum(2 * who) FROM parted) AS same FROM good_view;
SELECT country, #whos AS whos FROM good_numbered;
SET search_path = evil, pg_catalog, public;
SELECT probds_drop_rollup('public.good'), probds_drop_rollup('public.good_numbered');
SET search_path = '';
SELECT public.probds_create_rollup('good', 'public.parted', ARRAY['at'], ARRAY['public.hll_agg(who)']);
SELECT public.probds_create_rollup('public.good', 'public.parted', ARRAY['at'], ARRAY['public.hll_agg(who)']);
INSERT INTO public.parted (at, who) VALUES ('2024-01-10', 13);
SELECT public.probds_drop_rollup('public.good');
RESET search_path;

-- ---------- another role ----------
CREATE ROLE regress_probds_owner;
CREATE ROLE regress_probds_writer;
CREATE SCHEMA owned AUTHORIZATION regress_probds_owner;
GRANT USAGE ON SCHEMA owned TO regress_probds_writer;
SET ROLE regress_probds_owner;
CREATE TABLE owned.hits (id bigserial, who int, tg_op text);
GRANT INSERT ON owned.hits TO regress_probds_writer;
GRANT USAGE ON SEQUENCE owned.hits_id_seq TO regress_probds_writer;
SELECT probds_create_rollup('owned.counted', 'owned.hits', ARRAY['tg_op'], ARRAY['hll_agg(who) AS who', 'count(*) AS n'], slots => 2);
SELECT probds_create_rollup('owned.counted_later', 'owned.hits', ARRAY['tg_op'], ARRAY['hll_agg(who) AS who', 'count(*) AS n'], refresh => 'id');
SET ROLE regress_probds_writer;
INSERT INTO owned.hits (who, tg_op) SELECT i, 'x' FROM generate_series(1, 100) i;
SELECT * FROM owned.counted;
CALL probds_refresh_rollup('owned.counted_later');
SELECT probds_drop_rollup('owned.counted');
SET ROLE regress_probds_owner;
CALL probds_refresh_rollup('owned.counted_later');
SELECT tg_op, #who AS who, n FROM owned.counted UNION ALL SELECT tg_op, #who, n FROM owned.counted_later;
SELECT probds_create_rollup('shop.mine', 'owned.hits', '{}', ARRAY['count(*)']);
SELECT probds_create_rollup('owned.theirs', 'public.parted', '{}', ARRAY['count(*)']);
RESET ROLE;

-- ---------- gone without a trace ----------
-- a view that is renamed goes with it, one that is gone does no harm; nor does a source that is gone
ALTER VIEW shop.weekly RENAME TO per_week;
DROP VIEW shop.ever;
SELECT probds_drop_rollup('shop.daily');
DROP TABLE shop.visits CASCADE;
SELECT probds_drop_rollup('shop.numbered'), probds_drop_rollup('"Daily, by slot"'), probds_drop_rollup('total'), probds_drop_rollup('every_kind'), probds_drop_rollup('total_by_slot'), probds_drop_rollup('from_now'),
    probds_drop_rollup('of_nothing'), probds_drop_rollup('parted_daily'), probds_drop_rollup('parted_numbered'), probds_drop_rollup('owned.counted'), probds_drop_rollup('owned.counted_later');
SELECT relnamespace::regnamespace, relname FROM pg_class
WHERE relnamespace IN ('public'::regnamespace, 'shop'::regnamespace, 'owned'::regnamespace) AND relkind IN ('r', 'p', 'v') ORDER BY 1, 2;
SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal;
SELECT proname FROM pg_proc WHERE prorettype = 'trigger'::regtype AND pronamespace IN ('public'::regnamespace, 'shop'::regnamespace, 'owned'::regnamespace);

DROP SCHEMA shop, owned, evil CASCADE;
DROP TABLE parted;
DROP VIEW more;
DROP FUNCTION differences;
DROP ROLE regress_probds_owner, regress_probds_writer;
