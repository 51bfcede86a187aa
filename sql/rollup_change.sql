-- What happens to a rollup when something else changes: partitions and children, names, objects
-- that it needs, triggers, settings of the writers, the age of groups
\set SHOW_CONTEXT never
SET TimeZone = 'UTC';
SET DateStyle = ISO;
SET IntervalStyle = postgres;
SET client_min_messages = warning;
CREATE VIEW status AS SELECT rollup::text, groups_waiting AS wait, status FROM probds_rollups();
CREATE FUNCTION differences(rollup text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM ((TABLE %1$s EXCEPT ALL TABLE %1$s_query) UNION ALL (TABLE %1$s_query EXCEPT ALL TABLE %1$s)) q', rollup) INTO n;
    RETURN n;
END $$;

-- ---------- partitions ----------
CREATE TABLE parted (id int, at date, who int) PARTITION BY RANGE (at);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM ('2024-01-01') TO ('2024-02-01');
-- columns in another order, one of them dropped
CREATE TABLE parted_2 (gone text, who int, at date, id int);
ALTER TABLE parted_2 DROP COLUMN gone;
ALTER TABLE parted ATTACH PARTITION parted_2 FOR VALUES FROM ('2024-02-01') TO ('2024-03-01');
SELECT probds_create_rollup('by_day', 'SELECT at, hll_agg(who) AS who, count(*) AS n, hll_agg(parted) AS rows, min(parted.id) AS first FROM parted WHERE who IS NOT NULL GROUP BY at');
SELECT probds_create_rollup('by_month', 'SELECT date_trunc(''month'', at)::date AS month, hll_merge_agg(who) AS who, sum(n) AS n FROM by_day GROUP BY 1');
INSERT INTO parted (id, at, who) SELECT i, '2024-01-10'::date + i % 40, i FROM generate_series(1, 400) i;
SELECT differences('by_day'), differences('by_month');
-- into a partition itself
INSERT INTO parted_1 (id, at, who) SELECT i, '2024-01-12', i FROM generate_series(1000, 1010) i;
INSERT INTO parted_2 (id, at, who) SELECT i, '2024-02-12', i FROM generate_series(1000, 1010) i;
UPDATE parted_2 SET who = 1 WHERE id % 20 = 5;
DELETE FROM parted_1 WHERE id % 20 = 5;
SELECT differences('by_day'), differences('by_month');
-- from one to the other
UPDATE parted SET at = '2024-02-20' WHERE id = 7;
SELECT differences('by_day'), differences('by_month');
TABLE status ORDER BY 1;
CALL probds_refresh_rollup('by_month');
SELECT differences('by_day'), differences('by_month');
TABLE status ORDER BY 1;
-- partitions that come later have triggers at once; of rows that they bring, the groups wait
CREATE TABLE parted_3 PARTITION OF parted FOR VALUES FROM ('2024-03-01') TO ('2024-04-01');
INSERT INTO parted_3 (id, at, who) VALUES (5000, '2024-03-01', 2);
CREATE TABLE parted_4 (who int, id int, at date);
INSERT INTO parted_4 SELECT i, i, '2024-04-01'::date + i % 3 FROM generate_series(1, 30) i;
ALTER TABLE parted ATTACH PARTITION parted_4 FOR VALUES FROM ('2024-04-01') TO ('2024-05-01');
INSERT INTO parted_4 (id, at, who) VALUES (5001, '2024-04-09', 2);
SELECT differences('by_day'), differences('by_month');
-- whole rows have one column more, or one less, or one of another type
ALTER TABLE parted ADD COLUMN more int DEFAULT 1;
SELECT differences('by_day'), differences('by_month');
CALL probds_refresh_rollup('by_month');
ALTER TABLE parted ALTER more TYPE text;
SELECT differences('by_day'), differences('by_month');
CALL probds_refresh_rollup('by_month');
ALTER TABLE parted DROP COLUMN more;
SELECT differences('by_day'), differences('by_month');
CALL probds_refresh_rollup('by_month');
ALTER TABLE parted ALTER id SET DEFAULT 1, ALTER who SET STATISTICS 10;
TABLE status ORDER BY 1;
-- a partition that has partitions
CREATE TABLE parted_5 (id int, at date, who int) PARTITION BY LIST (id);
CREATE TABLE parted_5_1 PARTITION OF parted_5 FOR VALUES IN (1);
CREATE TABLE parted_5_other PARTITION OF parted_5 DEFAULT;
INSERT INTO parted_5 VALUES (1, '2024-05-01', 1), (2, '2024-05-02', 2);
ALTER TABLE parted ATTACH PARTITION parted_5 FOR VALUES FROM ('2024-05-01') TO ('2024-06-01');
INSERT INTO parted_5_1 VALUES (1, '2024-05-03', 1);
INSERT INTO parted_5 VALUES (1, '2024-05-04', 1);
SELECT differences('by_day'), differences('by_month'), (SELECT count(*) FROM by_day WHERE at >= '2024-05-01') AS days;
CREATE TABLE parted_6 (id int, at date, who int);
INSERT INTO parted_6 VALUES (1, '2024-06-01', 1);
SELECT probds_alter_rollup_source('parted', $$ATTACH PARTITION parted_6 FOR VALUES FROM ('2024-06-01') TO ('2024-07-01')$$);
INSERT INTO parted_6 VALUES (1, '2024-06-02', 1);
CALL probds_refresh_rollup('by_month');
INSERT INTO parted_6 VALUES (1, '2024-06-02', 1);
SELECT differences('by_day'), differences('by_month'), (SELECT sum(n) FROM by_day WHERE at >= '2024-06-01') AS n;
ALTER TABLE parted_5 DETACH PARTITION parted_5_1;
INSERT INTO parted_5_1 VALUES (1, '2024-05-03', 1);
SELECT differences('by_day'), differences('by_month'), (SELECT count(*) FROM by_day WHERE at >= '2024-05-01') AS days;
-- and go
CALL probds_refresh_rollup('by_month');
ALTER TABLE parted DETACH PARTITION parted_1;
SELECT differences('by_day'), differences('by_month');
INSERT INTO parted_1 VALUES (1, '2024-01-03', 1);
TRUNCATE parted_2;
SELECT differences('by_day'), differences('by_month');
DROP TABLE parted_4;
SELECT differences('by_day'), differences('by_month');
BEGIN;
DROP TABLE parted_5, parted_3;
SELECT differences('by_day'), differences('by_month');
ROLLBACK;
SELECT differences('by_day'), differences('by_month');
CALL probds_refresh_rollup('by_month');
SELECT differences('by_day'), differences('by_month');
TABLE status ORDER BY 1;
SELECT probds_drop_rollup('by_month'), probds_drop_rollup('by_day');
SELECT count(*) AS triggers FROM pg_trigger WHERE NOT tgisinternal AND tgrelid::regclass::text ~ '^parted';
DROP TABLE parted, parted_1, parted_5_1;
-- a table that was there before is no partition
CREATE TABLE listed (a int, b int) PARTITION BY LIST (a);
SELECT probds_create_rollup('by_b', 'SELECT b, count(*) AS n FROM listed GROUP BY 1');
CREATE TABLE unlike (b text);
CREATE TABLE alike (a int, b int);
CREATE TABLE IF NOT EXISTS unlike PARTITION OF listed FOR VALUES IN (1);
CREATE TABLE IF NOT EXISTS alike PARTITION OF listed FOR VALUES IN (1);
CREATE TABLE IF NOT EXISTS listed_1 PARTITION OF listed FOR VALUES IN (1);
SELECT tgrelid::regclass, count(*) AS triggers FROM pg_trigger WHERE NOT tgisinternal AND tgrelid::regclass::text ~ 'like|listed' GROUP BY 1 ORDER BY 1;
DROP TABLE listed CASCADE;
SELECT probds_drop_rollup('by_b');
DROP TABLE alike, unlike;
-- the server has no generated values for a row that goes to a partition with another order of columns
CREATE TABLE made (p int, a int, twice int GENERATED ALWAYS AS (a * 2) STORED) PARTITION BY LIST (p);
CREATE TABLE made_1 PARTITION OF made FOR VALUES IN (1);
CREATE TABLE made_2 (twice int GENERATED ALWAYS AS (a * 2) STORED, a int, p int);
ALTER TABLE made ATTACH PARTITION made_2 FOR VALUES IN (2);
SELECT probds_create_rollup('by_twice', 'SELECT twice, count(*) AS n, sum(twice) FILTER (WHERE twice > 1) AS sum FROM made WHERE twice IS NOT NULL GROUP BY 1');
INSERT INTO made SELECT 1 + i % 2, i FROM generate_series(1, 10) i;
COPY made (p, a) FROM STDIN;
2	7
\.
UPDATE made SET p = 3 - p, a = a + 1 WHERE a % 3 = 0;
DELETE FROM made WHERE a = 5;
SELECT differences('by_twice'), sum(n) FROM by_twice;
DROP TABLE made CASCADE;
SELECT probds_drop_rollup('by_twice');
-- virtual ones, of which no row has a value (STORED before PostgreSQL 18)
DO $$ BEGIN
    EXECUTE format('CREATE TABLE made (a int, b int, twice int GENERATED ALWAYS AS (a * 2) %s)', CASE WHEN current_setting('server_version_num')::int < 180000 THEN 'STORED' ELSE 'VIRTUAL' END);
END $$;
SELECT probds_create_rollup('by_twice', 'SELECT twice, count(*) AS n FROM made GROUP BY 1');
INSERT INTO made SELECT i FROM generate_series(1, 10) i;
UPDATE made SET b = 1;
SELECT wait FROM status WHERE rollup = 'by_twice';
UPDATE made SET a = a + 1 WHERE a < 3;
SELECT differences('by_twice'), wait FROM status WHERE rollup = 'by_twice';
SELECT probds_drop_rollup('by_twice');
DROP TABLE made;

-- ---------- children ----------
CREATE TABLE base (k int, v int);
CREATE TABLE child_1 (more int) INHERITS (base);
INSERT INTO child_1 SELECT i % 3, i, i FROM generate_series(1, 100) i;
SELECT probds_create_rollup('by_k', 'SELECT k, hll_agg(v) AS v, count(*) AS n FROM base GROUP BY k');
SELECT k, n FROM by_k ORDER BY 1;
UPDATE base SET v = 1 WHERE v % 2 = 0;
DELETE FROM child_1 WHERE v % 5 = 0;
INSERT INTO base VALUES (7, 7);
SELECT differences('by_k');
CREATE TABLE child_2 () INHERITS (base);
INSERT INTO child_2 VALUES (8, 8);
CREATE TABLE child_3 (v int, k int);
INSERT INTO child_3 VALUES (9, 9);
ALTER TABLE child_3 INHERIT base;
INSERT INTO child_3 VALUES (10, 10);
SELECT differences('by_k');
ALTER TABLE child_2 NO INHERIT base;
INSERT INTO child_2 VALUES (1, 1);
SELECT differences('by_k');
SELECT count(*) AS triggers FROM pg_trigger WHERE tgrelid = 'child_2'::regclass;
-- of a child with two parents, the other one has the rollup
CREATE TABLE also (k int, v int);
ALTER TABLE child_2 INHERIT also, INHERIT base;
ALTER TABLE child_2 NO INHERIT also;
INSERT INTO child_2 VALUES (1, 2);
ALTER TABLE child_2 NO INHERIT base, INHERIT also, INHERIT base;
SELECT differences('by_k');
DROP TABLE child_2;
SELECT differences('by_k');
DROP TABLE also;
-- or goes, and takes the child with it
CREATE TABLE also (also int);
CREATE TABLE child_2 () INHERITS (base, also);
CREATE TABLE child_2_1 () INHERITS (child_2);
INSERT INTO child_2 VALUES (2, 2);
INSERT INTO child_2_1 VALUES (3, 3);
SELECT differences('by_k');
DROP TABLE also CASCADE;
SELECT differences('by_k');
CREATE SCHEMA old;
CREATE TABLE old.also (also int);
CREATE TABLE child_2 () INHERITS (base, old.also);
CREATE TABLE child_2_1 () INHERITS (child_2);
INSERT INTO child_2 VALUES (2, 2);
INSERT INTO child_2_1 VALUES (3, 3);
DROP SCHEMA old CASCADE;
SELECT differences('by_k');
-- other sessions do not see the rows of a temporary table
CREATE TEMPORARY TABLE brief () INHERITS (base);
CREATE TEMPORARY TABLE brief (k int, v int);
ALTER TABLE brief INHERIT base;
CREATE TABLE also (k int, v int);
CREATE TEMPORARY TABLE brief_1 () INHERITS (also);
SELECT probds_create_rollup('of_also', 'SELECT k, count(*) AS n FROM also GROUP BY k');
DROP TABLE brief, brief_1, also;
-- a schema, or what a role owns, goes with children of the source
CREATE SCHEMA old;
CREATE TABLE old.child_4 () INHERITS (base);
CREATE TABLE old.child_5 () INHERITS (old.child_4);
INSERT INTO old.child_4 VALUES (4, 4);
INSERT INTO old.child_5 VALUES (5, 5);
DROP SCHEMA old RESTRICT;
SELECT differences('by_k');
DROP SCHEMA old CASCADE;
SELECT differences('by_k'), (SELECT groups_waiting FROM probds_rollups()) AS wait;
CREATE ROLE regress_leaver;
CREATE TABLE child_6 () INHERITS (base);
CREATE TABLE child_7 () INHERITS (base);
INSERT INTO child_6 VALUES (6, 6);
INSERT INTO child_7 VALUES (7, 7);
ALTER TABLE child_6 OWNER TO regress_leaver;
CALL probds_refresh_rollup('by_k');
DROP OWNED BY regress_leaver;
SELECT differences('by_k'), (SELECT groups_waiting FROM probds_rollups()) AS wait;
DROP ROLE regress_leaver;
TRUNCATE ONLY base;
SELECT differences('by_k');
CALL probds_refresh_rollup('by_k');
SELECT differences('by_k'), wait, status FROM status;
SELECT probds_drop_rollup('by_k');
DROP TABLE base, child_1, child_3, child_7;

-- ---------- triggers that are off ----------
CREATE TABLE visits (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, at timestamptz, day text, who text, note text);
INSERT INTO visits (at, day, who) SELECT '2026-01-01'::timestamptz + i * interval '1 hour', '01/02/2026', 'v' || i FROM generate_series(1, 100) i;
SELECT probds_create_rollup('daily', 'SELECT at::date AS day, hll_agg(who) AS who, count(*) AS n FROM visits GROUP BY 1');
-- what changes nothing that is counted is no change
UPDATE visits SET note = 'seen';
UPDATE visits SET who = who, at = at;
UPDATE visits SET who = 'nobody' WHERE id < 0;
DELETE FROM visits WHERE id < 0;
INSERT INTO visits (id, who) VALUES (1, 'again') ON CONFLICT (id) DO UPDATE SET note = 'again';
TABLE status;
ALTER TABLE visits DISABLE TRIGGER _probds_rollup_insert;
TABLE status;
INSERT INTO visits (at, who) VALUES ('2026-02-01', 'not seen');
ALTER TABLE visits ENABLE TRIGGER _probds_rollup_insert;
DROP TRIGGER _probds_rollup_update ON visits;
TABLE status;
UPDATE visits SET who = 'not seen' WHERE id = 1;
SELECT differences('daily') > 0 AS wrong;
CALL probds_rebuild_rollup('daily');
SELECT differences('daily'), wait, status FROM status;

-- ---------- writers' and readers' settings ----------
SELECT probds_create_rollup('by_text', 'SELECT day::date AS day, count(*) AS n FROM visits GROUP BY 1');
INSERT INTO visits (day) VALUES ('01/02/2026');
SET DateStyle = 'SQL, DMY';
INSERT INTO visits (day) VALUES ('01/02/2026');
DELETE FROM visits WHERE id = (SELECT max(id) FROM visits WHERE day = '01/02/2026');
SELECT to_char(day, 'YYYY-MM-DD') AS day, n FROM by_text WHERE day IS NOT NULL;
SET DateStyle = ISO;
SELECT day, n FROM by_text WHERE day IS NOT NULL;
-- and what a rebuild sets is set no longer than it lasts
SET TimeZone = 'Pacific/Auckland';
CALL probds_rebuild_rollup('daily');
SHOW TimeZone;
SET TimeZone = 'UTC';
SELECT differences('daily');
SELECT probds_drop_rollup('by_text');

-- ---------- repeatable read ----------
BEGIN ISOLATION LEVEL REPEATABLE READ;
INSERT INTO visits (at, who) VALUES ('2026-02-02', 'rr');
UPDATE visits SET who = 'rr too' WHERE id = 1;
SELECT differences('daily');
COMMIT;
BEGIN ISOLATION LEVEL SERIALIZABLE;
INSERT INTO visits (at, who) VALUES ('2026-02-02', 'rr');
DELETE FROM visits WHERE id = 2;
SELECT differences('daily');
COMMIT;
SELECT differences('daily');

-- ---------- names ----------
ALTER TABLE visits RENAME TO hits;
ALTER TABLE hits RENAME who TO visitor;
ALTER VIEW daily RENAME TO at_once;
-- the old name does not take half of it
SELECT probds_drop_rollup('daily');
ALTER TABLE daily_parts RENAME n TO "how many";
ALTER VIEW at_once RENAME n TO number;
ALTER VIEW daily_query RENAME TO what_it_is;
ALTER TABLE daily_options RENAME TO "options of it";
CREATE SCHEMA elsewhere;
ALTER VIEW at_once SET SCHEMA elsewhere;
ALTER TABLE hits SET SCHEMA elsewhere;
INSERT INTO elsewhere.hits (at, visitor) VALUES ('2026-03-01', 'after all');
UPDATE elsewhere.hits SET visitor = 'who else' WHERE id = 3;
SELECT count(*) FROM (TABLE elsewhere.at_once EXCEPT ALL TABLE what_it_is) d;
ALTER TABLE elsewhere.hits ADD COLUMN more int DEFAULT 7, DROP COLUMN note;
INSERT INTO elsewhere.hits (at, visitor) VALUES ('2026-03-01', 'and more');
CALL probds_refresh_rollup('elsewhere.at_once');
SELECT count(*) FROM (TABLE elsewhere.at_once EXCEPT ALL TABLE what_it_is) d;
SELECT day, #who AS who, number FROM elsewhere.at_once WHERE day = '2026-03-01';
SELECT rollup, source, status FROM probds_rollups() ORDER BY 1;
\set VERBOSITY terse
ALTER TABLE elsewhere.hits DROP COLUMN visitor;
ALTER TABLE elsewhere.hits ALTER visitor TYPE varchar(10);
ALTER TABLE daily_parts DROP COLUMN "how many";
\set VERBOSITY default
-- columns keep their names when others come and go
ALTER VIEW what_it_is RENAME n TO counted;
SELECT probds_alter_rollup('elsewhere.at_once', live => false);
SELECT probds_alter_rollup('elsewhere.at_once', live => true);
SELECT probds_add_rollup_column('elsewhere.at_once', 'max(at) AS last');
SELECT probds_drop_rollup_column('elsewhere.at_once', 'who');
SELECT probds_alter_rollup_source('elsewhere.hits', 'ALTER at TYPE timestamptz(3)');
CALL probds_refresh_rollup('elsewhere.at_once');
SELECT count(*) FROM (TABLE elsewhere.at_once EXCEPT ALL TABLE what_it_is) d;
SELECT day, number, last FROM elsewhere.at_once WHERE day = '2026-03-01';
SELECT day, counted, last FROM what_it_is WHERE day = '2026-03-01';
SELECT probds_add_rollup_column('elsewhere.at_once', 'hll_agg(visitor) AS who');
-- the extension, too
ALTER EXTENSION probds SET SCHEMA elsewhere;
INSERT INTO elsewhere.hits (at, visitor) VALUES ('2026-03-01', 'and more');
UPDATE elsewhere.hits SET visitor = 'who at last' WHERE id = 3;
SET search_path = public, elsewhere;
SELECT count(*) FROM (TABLE at_once EXCEPT ALL TABLE what_it_is) d;
CALL probds_refresh_rollup('at_once');
SELECT count(*) FROM (TABLE at_once EXCEPT ALL TABLE what_it_is) d;
ALTER EXTENSION probds SET SCHEMA public;
RESET search_path;
SELECT probds_drop_rollup('elsewhere.at_once');
DROP SCHEMA elsewhere CASCADE;

-- ---------- keys of every length, and NULL ----------
CREATE TABLE keyed (id serial, k text, n numeric, b bytea, c text COLLATE "C", i int, arr int[], v tsvector);
SELECT probds_create_rollup('by_key', 'SELECT k, n, b, count(*) AS count, c, i, arr, sum(id) AS sum FROM keyed GROUP BY k, n, b, c, i, arr');
SELECT probds_create_rollup('by_number', 'SELECT i, count(*) AS count, sum(id) AS sum FROM keyed GROUP BY i');
-- one that cannot be hashed
SELECT probds_create_rollup('by_words', 'SELECT v, count(*) AS count FROM keyed GROUP BY v');
INSERT INTO keyed (k, n, b, c, i, arr, v) SELECT CASE g % 3 WHEN 0 THEN repeat(md5((g % 2)::text), 400) WHEN 1 THEN 'short' END, CASE g % 2 WHEN 0 THEN 1.5 WHEN 1 THEN 2.5 END,
    CASE WHEN g % 5 > 0 THEN decode(repeat('ab', 10000), 'hex') END, CASE WHEN g % 7 > 0 THEN 'x' END, nullif(g % 4, 0), CASE WHEN g % 6 > 0 THEN ARRAY[1, NULL, 3] END,
    to_tsvector('simple', 'a b ' || g % 3) FROM generate_series(1, 2000) g;
INSERT INTO keyed (k, n) SELECT k, n FROM keyed WHERE id % 3 = 0;
INSERT INTO keyed (i) VALUES (NULL), (NULL), (1);
SELECT count(*) > 50 AS many, sum(count), differences('by_key'), differences('by_number'), differences('by_words') FROM by_key;
UPDATE keyed SET i = 5 WHERE id % 100 = 1;
DELETE FROM keyed WHERE id % 100 = 2;
SELECT differences('by_key'), differences('by_number'), differences('by_words');
-- (or a writer has folded)
SELECT probds_fold_rollup('by_key') >= 0 AS folded;
CALL probds_refresh_rollup('by_key');
CALL probds_refresh_rollup('by_number');
CALL probds_refresh_rollup('by_words');
SELECT differences('by_key'), differences('by_number'), differences('by_words');
TABLE status ORDER BY 1;
SELECT probds_drop_rollup('by_key'), probds_drop_rollup('by_number'), probds_drop_rollup('by_words');
DROP TABLE keyed;
-- a row of NULLs is a group beside that of NULL
CREATE TYPE pair AS (a int, b text);
CREATE TABLE keyed (id serial, p pair);
SELECT probds_create_rollup('by_pair', 'SELECT p, count(*) AS n, sum(id) AS sum FROM keyed GROUP BY p');
INSERT INTO keyed (p) VALUES (ROW(1, 'a')), (ROW(NULL, NULL)), (NULL), (ROW(2, NULL)), (ROW(NULL, NULL));
UPDATE keyed SET id = id + 10;
SELECT p, n, differences('by_pair') FROM by_pair ORDER BY sum;
CALL probds_refresh_rollup('by_pair');
INSERT INTO keyed (p) SELECT ROW(NULL, NULL)::pair FROM generate_series(1, 3);
SELECT p, n, differences('by_pair') FROM by_pair ORDER BY sum;
SELECT probds_drop_rollup('by_pair');
-- the type of a key gets a column: the parts are found all the same
CREATE TYPE range_of_pairs AS RANGE (SUBTYPE = pair);
CREATE DOMAIN pairs AS pair[];
ALTER TABLE keyed ADD l pairs, ADD r range_of_pairs;
SELECT probds_create_rollup('by_pair', 'SELECT p, count(*) AS n FROM keyed GROUP BY p');
SELECT probds_create_rollup('by_pairs', 'SELECT l, count(*) AS n FROM keyed GROUP BY l');
SELECT probds_create_rollup('by_range', 'SELECT r, count(*) AS n FROM keyed GROUP BY r');
INSERT INTO keyed (p, l, r) SELECT ROW(g % 2000, 'x')::pair, ARRAY[ROW(g % 2000, 'x')::pair], range_of_pairs(ROW(g % 2000, 'x')::pair, NULL) FROM generate_series(1, 4000) g;
ANALYZE by_pair_parts, by_pairs_parts, by_range_parts;
ALTER TYPE pair ADD ATTRIBUTE c int;
DELETE FROM keyed WHERE (p).a IN (5, 6) AND id % 3 = 0;
CALL probds_refresh_rollup('by_pair');
CALL probds_refresh_rollup('by_pairs');
CALL probds_refresh_rollup('by_range');
SELECT differences('by_pair'), differences('by_pairs'), differences('by_range');
SELECT probds_drop_rollup('by_pair'), probds_drop_rollup('by_pairs'), probds_drop_rollup('by_range');
DROP TABLE keyed;
DROP TYPE range_of_pairs;
DROP DOMAIN pairs;
DROP TYPE pair;
-- writers fold groups of a collation that has equal texts of other bytes
CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE keyed (k text COLLATE folded);
SELECT probds_create_rollup('by_folded', 'SELECT k, count(*) AS n FROM keyed GROUP BY k');
DO $$ BEGIN FOR i IN 1..1500 LOOP INSERT INTO keyed VALUES (chr(65 + 32 * (i % 2))); END LOOP; END $$;
SELECT lower(k) AS k, n, differences('by_folded'), (SELECT count(*) < 1500 FROM by_folded_parts) AS folded FROM by_folded;
SELECT probds_drop_rollup('by_folded');
DROP TABLE keyed;
DROP COLLATION folded;

-- ---------- old groups ----------
CREATE TABLE hits (id bigserial, at timestamptz, who int);
INSERT INTO hits (at, who) SELECT now() - g * interval '1 day', g FROM unnest('{1,10,20,40,50,60}'::int[]) g;
SELECT probds_create_rollup('recent', 'SELECT at::date AS day, count(*) AS n FROM hits GROUP BY 1', retention => '30 days');
SELECT probds_create_rollup('history', 'SELECT date_trunc(''hour'', at) AS hour, count(*) AS n FROM hits GROUP BY 1', frozen_after => '30 days');
SELECT probds_fold_rollup('recent') AS gone;
SELECT count(*) AS kept FROM recent;
CALL probds_rebuild_rollup('recent');
SELECT count(*) AS kept FROM recent;
-- raw rows go, their groups stay; others follow
DELETE FROM hits;
SELECT (SELECT count(*) FROM recent) AS recent, (SELECT count(*) FROM history) AS history;
CALL probds_refresh_rollup('history');
CALL probds_rebuild_rollup('history');
SELECT (SELECT count(*) FROM recent) AS recent, (SELECT count(*) FROM history) AS history;
TRUNCATE hits;
SELECT (SELECT count(*) FROM recent) AS recent, (SELECT count(*) FROM history) AS history;
-- a row that comes late is added to what there is
INSERT INTO hits (at, who) SELECT hour, 1 FROM history LIMIT 1;
SELECT count(*) AS groups, sum(n) FROM history;
SELECT retention, frozen_after FROM recent_options UNION ALL SELECT retention, frozen_after FROM history_options;
SELECT probds_alter_rollup('history', frozen_after => '0', retention => '1 year');
SELECT retention, frozen_after FROM history_options;
SELECT probds_drop_rollup('recent'), probds_drop_rollup('history');
-- frozen is what the rollup's own time zone says, whoever truncates
SET TimeZone = 'Pacific/Kiritimati';
CREATE TABLE hit (day date);
SELECT probds_create_rollup('lately', 'SELECT day, count(*) AS n FROM hit GROUP BY 1', frozen_after => '5 days');
INSERT INTO hit SELECT now()::date - g FROM generate_series(0, 9) g;
CREATE TABLE days AS SELECT now()::date AS today;
SET TimeZone = 'Pacific/Pago_Pago';
TRUNCATE hit;
SELECT count(*), max(today - day) AS oldest, min(today - day) AS newest FROM lately, days;
SET TimeZone = 'UTC';
SELECT probds_drop_rollup('lately');
DROP TABLE hit, days;

-- ---------- what TRUNCATE leaves rows in: groups that are frozen, and the one of a rollup without keys ----------
CREATE TABLE raw (at timestamptz, who int);
SELECT probds_create_rollup('all_of_it', 'SELECT count(*) AS n, sum(who) AS who FROM raw');
SELECT probds_create_rollup('of_all', 'SELECT sum(n) AS n, sum(who) AS who FROM all_of_it');
SELECT probds_create_rollup('of_nothing', 'SELECT 1 AS k, sum(n) AS n FROM all_of_it WHERE n = 0 GROUP BY 1');
SELECT probds_create_rollup('frozen', 'SELECT at::date AS day, who, count(*) AS n FROM raw GROUP BY 1, 2', frozen_after => '30 days');
SELECT probds_create_rollup('of_frozen', 'SELECT who, sum(n) AS n FROM frozen GROUP BY 1');
SELECT probds_create_rollup('of_those', 'SELECT sum(n) AS n FROM of_frozen');
INSERT INTO raw SELECT now() - d * interval '1 day', w FROM unnest('{1,60}'::int[]) d, generate_series(1, d % 7) w;
-- without marks, which would have all groups computed anew
CALL probds_refresh_rollup('of_all');
CALL probds_refresh_rollup('of_nothing');
CALL probds_refresh_rollup('of_frozen');
CALL probds_refresh_rollup('of_those');
TRUNCATE raw;
SELECT n, who, differences('of_all') FROM of_all;
SELECT k, n, differences('of_nothing') FROM of_nothing;
SELECT n, differences('of_frozen'), differences('of_those') FROM of_those;
CALL probds_refresh_rollup('of_all');
CALL probds_refresh_rollup('of_frozen');
CALL probds_refresh_rollup('of_those');
SELECT n, differences('of_all') FROM of_all;
SELECT n, differences('of_frozen'), differences('of_those') FROM of_those;
SELECT count(*) FROM (SELECT probds_drop_rollup(name) FROM unnest('{of_all,of_nothing,all_of_it,of_those,of_frozen,frozen}'::text[]) name OFFSET 0) d;
DROP TABLE raw;

-- ---------- many groups wait: each row of the source is not compared with all of them ----------
-- the equality of this type counts its calls
CREATE SEQUENCE compared;
CREATE TYPE counted;
CREATE FUNCTION counted_in(cstring) RETURNS counted IMMUTABLE STRICT LANGUAGE internal AS 'int4in';
CREATE FUNCTION counted_out(counted) RETURNS cstring IMMUTABLE STRICT LANGUAGE internal AS 'int4out';
CREATE TYPE counted (INPUT = counted_in, OUTPUT = counted_out, LIKE = int);
CREATE CAST (int AS counted) WITHOUT FUNCTION;
CREATE FUNCTION counted_hash(counted) RETURNS int IMMUTABLE STRICT LANGUAGE internal AS 'hashint4';
CREATE FUNCTION counted_cmp(counted, counted) RETURNS int IMMUTABLE STRICT LANGUAGE internal AS 'btint4cmp';
CREATE FUNCTION counted_lt(counted, counted) RETURNS bool IMMUTABLE STRICT LANGUAGE internal AS 'int4lt';
CREATE FUNCTION counted_le(counted, counted) RETURNS bool IMMUTABLE STRICT LANGUAGE internal AS 'int4le';
CREATE FUNCTION counted_ge(counted, counted) RETURNS bool IMMUTABLE STRICT LANGUAGE internal AS 'int4ge';
CREATE FUNCTION counted_gt(counted, counted) RETURNS bool IMMUTABLE STRICT LANGUAGE internal AS 'int4gt';
CREATE FUNCTION counted_eq(a counted, b counted) RETURNS bool IMMUTABLE STRICT LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_catalog.nextval(''public.compared''); RETURN public.counted_cmp(a, b) OPERATOR(pg_catalog.=) 0; END';
CREATE OPERATOR < (LEFTARG = counted, RIGHTARG = counted, FUNCTION = counted_lt);
CREATE OPERATOR <= (LEFTARG = counted, RIGHTARG = counted, FUNCTION = counted_le);
CREATE OPERATOR >= (LEFTARG = counted, RIGHTARG = counted, FUNCTION = counted_ge);
CREATE OPERATOR > (LEFTARG = counted, RIGHTARG = counted, FUNCTION = counted_gt);
CREATE OPERATOR = (LEFTARG = counted, RIGHTARG = counted, FUNCTION = counted_eq, COMMUTATOR = =, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
CREATE OPERATOR CLASS counted_hash DEFAULT FOR TYPE counted USING hash AS OPERATOR 1 =, FUNCTION 1 counted_hash(counted);
CREATE OPERATOR CLASS counted_btree DEFAULT FOR TYPE counted USING btree AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 counted_cmp(counted, counted);
CREATE TABLE compares (k counted, l text, v int);
INSERT INTO compares SELECT nullif(i % 500, 7)::counted, nullif(i % 3, 0), i FROM generate_series(1, 2000) i;
SELECT probds_create_rollup('waits', 'SELECT k, count(*) AS n, sum(v) AS v FROM compares GROUP BY k');
SELECT probds_create_rollup('waits_two', 'SELECT l, k, count(*) AS n, sum(v) AS v FROM compares GROUP BY k, l');
UPDATE compares SET v = v + 1;
SELECT setval('compared', 1) AS reset;
SELECT count(*) AS groups, sum(n), sum(v) FROM waits;
SELECT last_value < 100000 AS few FROM compared;
SELECT differences('waits'), differences('waits_two');
SELECT setval('compared', 1) AS reset;
SET plan_cache_mode = force_generic_plan;
CALL probds_refresh_rollup('waits');
RESET plan_cache_mode;
SELECT last_value < 100000 AS few FROM compared;
CALL probds_refresh_rollup('waits_two');
SELECT differences('waits'), differences('waits_two');
SELECT count(*) FROM waits_parts WHERE probds_touched;
SELECT count(*) FROM waits_two_parts WHERE probds_touched;
SELECT probds_drop_rollup('waits'), probds_drop_rollup('waits_two');
DROP TABLE compares;
DROP TYPE counted CASCADE;
DROP SEQUENCE compared;

-- ---------- once is enough ----------
SET client_min_messages = notice;
SELECT probds_create_rollup('once', 'SELECT at::date AS day, count(*) AS n FROM hits GROUP BY 1', if_not_exists => true);
SELECT probds_create_rollup('once', 'SELECT at::date AS day, count(*) AS n FROM hits GROUP BY 1', if_not_exists => true);
SET client_min_messages = warning;
-- several are dropped by one statement, whatever its plans
SELECT probds_create_rollup(name, 'SELECT who, count(*) AS n FROM hits GROUP BY who') FROM (VALUES ('one'), ('two'), ('three')) v (name);
SELECT probds_create_rollup_view('one_total', 'one', '{}');
SET enable_nestloop = off;
SELECT count(*) FROM (SELECT probds_drop_rollup(name) FROM (VALUES ('one'), ('two'), ('three')) v (name) OFFSET 0) d;
RESET enable_nestloop;
SELECT relname FROM pg_class WHERE relname ~ '^(one|two|three)(_[a-z]+)?$';
-- several of one name on one source
CREATE SCHEMA other;
SELECT probds_create_rollup('other.once', 'SELECT at::date AS day, hll_agg(who) AS who FROM hits GROUP BY 1');
INSERT INTO hits (at, who) VALUES ('2000-01-01', 5);
SELECT n, (SELECT #who FROM other.once WHERE day = '2000-01-01') AS who FROM once WHERE day = '2000-01-01';
SELECT probds_drop_rollup('once');
TABLE status ORDER BY 1;
INSERT INTO hits (at, who) VALUES ('2000-01-01', 6);
SELECT #who AS who FROM other.once WHERE day = '2000-01-01';
DROP SCHEMA other CASCADE;
INSERT INTO hits (at, who) VALUES ('2000-01-01', 5);
DROP TABLE hits;

-- ---------- tables that are published, as by FOR ALL TABLES ----------
SET client_min_messages = error;
CREATE TABLE published (id int PRIMARY KEY);
SELECT probds_create_rollup('counted', 'SELECT id % 2 AS k, count(*) AS n FROM published GROUP BY 1');
CREATE PUBLICATION all_tables FOR TABLE published, counted_parts, counted_options;
DO $$ BEGIN FOR i IN 1..1500 LOOP INSERT INTO published VALUES (i); END LOOP; END $$;
DELETE FROM published WHERE id = 7;
CALL probds_refresh_rollup('counted');
SELECT differences('counted'), count(*) FROM counted_parts;
-- as of a rollup of version 1.0: writers append, and leave the parts as they are
ALTER TABLE counted_parts REPLICA IDENTITY DEFAULT;
DO $$ BEGIN FOR i IN 2001..3500 LOOP INSERT INTO published VALUES (i); END LOOP; END $$;
SELECT differences('counted'), count(*) FROM counted_parts;
CALL probds_refresh_rollup('counted');
DROP PUBLICATION all_tables;
CALL probds_refresh_rollup('counted');
SELECT differences('counted'), count(*) FROM counted_parts;
SELECT probds_drop_rollup('counted');
DROP TABLE published;

-- ---------- many steps of a refresh leave nothing in memory ----------
CREATE FUNCTION with_little(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    used bigint = (SELECT sum(used_bytes) FROM pg_backend_memory_contexts WHERE name = 'SPI Proc');
BEGIN
    IF used > 1000000 THEN
        RAISE EXCEPTION '% bytes in use', used;
    END IF;
    RETURN $1;
END $$;
CREATE TABLE stepped (k int);
DO $$ BEGIN
    FOR i IN 1..60 LOOP
        PERFORM probds_create_rollup('step_' || i, format('SELECT %s AS k, count(*) AS n FROM stepped GROUP BY 1', CASE i WHEN 60 THEN 'with_little(k)' ELSE 'k' END));
        EXECUTE format('UPDATE step_%s_options SET schedule = ''1 second''', i);
    END LOOP;
END $$;
INSERT INTO stepped VALUES (1), (2);
DELETE FROM stepped WHERE k = 1;
CALL probds_refresh_due_rollups();
SELECT count(*), sum(groups_waiting) AS wait, string_agg(DISTINCT status, ', ') AS status FROM probds_rollups() WHERE rollup::text ~ '^step_';
DO $$ BEGIN
    FOR i IN 1..60 LOOP
        PERFORM probds_drop_rollup('step_' || i);
    END LOOP;
END $$;
DROP TABLE stepped;
DROP FUNCTION with_little;

-- ---------- more keys than an index can have ----------
CREATE TABLE wide AS SELECT 1 AS k1;
SELECT format('ALTER TABLE wide %s', string_agg(format('ADD k%s int DEFAULT 0', i), ', ')) FROM generate_series(2, 34) i \gexec
SELECT probds_create_rollup('widest', (SELECT format('SELECT %1$s, count(*) AS n FROM wide GROUP BY %1$s', string_agg(format('k%s', i), ', ')) FROM generate_series(1, 34) i));
INSERT INTO wide (k33, k34) VALUES (1, 1), (1, 2), (1, NULL);
UPDATE wide SET k34 = 3 WHERE k34 IS NULL OR k34 = 1;
CALL probds_refresh_rollup('widest');
SELECT k1, k33, k34, n FROM widest ORDER BY 1, 2, 3;
SELECT probds_drop_rollup('widest');
DROP TABLE wide;

-- ---------- a session that writes into one partition after the other forgets those that are gone ----------
CREATE TABLE hourly (h int) PARTITION BY LIST (h);
SELECT probds_create_rollup('by_hour', 'SELECT h, count(*) AS n FROM hourly GROUP BY h');
DO $$ BEGIN
    FOR i IN 1..300 LOOP
        EXECUTE format('CREATE TABLE hourly_%s PARTITION OF hourly FOR VALUES IN (%s)', i, i);
        EXECUTE format('INSERT INTO hourly_%s VALUES (%s)', i, i);
        EXECUTE format('DROP TABLE hourly_%s', i);
    END LOOP;
END $$;
SELECT count(*) BETWEEN 1 AND 100 AS few FROM pg_backend_memory_contexts WHERE name = 'probds rollup source';
SELECT probds_drop_rollup('by_hour');
DROP TABLE hourly;
DROP VIEW status;
DROP FUNCTION differences;
