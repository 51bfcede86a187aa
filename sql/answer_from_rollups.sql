-- Ordinary queries answered from rollups: what is, what is not and why, and for whom.  Where the
-- rollup answers there is no notice.
LOAD 'probds';
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
CREATE TABLE visit (at timestamptz NOT NULL, ts timestamp, country text, visitor int, amount int,
    price numeric, score float8, bot boolean);
INSERT INTO visit SELECT '2026-03-28'::timestamptz + i * '10 min'::interval,
    '2026-03-28'::timestamp + i * '10 min'::interval, (ARRAY['de', 'fr', NULL])[1 + i % 3], i % 90,
    i % 7, i % 5 + 0.50, i / 3.0, i % 4 = 0 FROM generate_series(0, 999) i;
CREATE TABLE land (code text, region text, weight int);
INSERT INTO land VALUES ('de', 'eu', 1), ('fr', 'eu', 2), ('us', 'am', 3), ('de', 'x', 9);
SELECT probds_create_rollup('daily', 'SELECT at::date AS day, country, hll_agg(visitor) AS visitors,
    count(*) AS hits, sum(amount) AS amount, count(amount) AS amounts, min(at) AS first,
    max(price) AS price, sum(score) AS score FROM visit GROUP BY 1, 2');
SET probds.explain_rollups = on;

-- off: nothing is said
SELECT count(visitor) FROM visit;
SET probds.answer_from_rollups = on;

-- what a dashboard asks
SELECT at::date AS day, count(*), sum(amount), round(avg(amount), 3) AS avg, min(at) FROM visit
    GROUP BY 1 ORDER BY 1 LIMIT 3;
SELECT count(*), count(1), hll_cardinality(hll_agg(visitor)), approx_count_distinct(visitor),
    count(DISTINCT country), max(at::date) FROM visit;
SELECT DISTINCT country FROM visit ORDER BY country;
SELECT date_trunc('month', at) AS month, country, count(*) FROM visit GROUP BY 1, 2 ORDER BY 1, 2;
SELECT region, count(*) FROM visit JOIN land ON code = country WHERE weight < 9 GROUP BY 1;
SELECT region, count(*) FROM visit LEFT JOIN land ON code = country GROUP BY 1 ORDER BY 1;
SELECT code, (SELECT count(*) FROM visit WHERE country = code) FROM land ORDER BY weight;
WITH v AS (SELECT at, country FROM visit) SELECT count(*) FROM v WHERE country = 'de';
CREATE VIEW plain AS SELECT at, country AS land, amount FROM visit;
SELECT land, sum(amount) FROM plain GROUP BY land ORDER BY land;
SELECT country, count(*) FILTER (WHERE at::date > '2026-03-30'), count(*) FROM visit
    GROUP BY ROLLUP (country) HAVING count(*) > 10 ORDER BY country;
SELECT at::date, sum(count(*)) OVER (ORDER BY at::date) FROM visit GROUP BY 1 ORDER BY 1 LIMIT 2;
SET probds.approximate_count_distinct = on;
SELECT count(DISTINCT visitor) FROM visit;
RESET probds.approximate_count_distinct;

-- the time filters of Grafana, Metabase and Superset
SELECT floor(extract(epoch from at)/86400)*86400 AS "time", count(*) FROM visit
    WHERE at BETWEEN '2026-03-29T07:30:00Z' AND '2026-03-31T12:00:00Z' GROUP BY 1 ORDER BY 1;
-- a float8 rounds the last microsecond of a day up to the next
SELECT floor(date_part('epoch', '2300-01-01 23:59:59.999999+00'::timestamptz) / 86400) * 86400 AS next_day;
SELECT floor(date_part('epoch', at) / 86400) * 86400 AS "time", count(*) FROM visit GROUP BY 1 ORDER BY 1 LIMIT 1;
PREPARE metabase(timestamptz, timestamptz) AS SELECT DATE_TRUNC('week', at) AS at, COUNT(*) AS "count"
    FROM visit WHERE (at >= $1) AND (at < $2) GROUP BY DATE_TRUNC('week', at) ORDER BY 1 ASC;
EXECUTE metabase('2026-03-29', '2026-04-01');
EXECUTE metabase('2026-03-29 00:00:01', '2026-04-01 00:00:01');
SELECT DATE_TRUNC('day', at) AS __timestamp, count(*) AS count FROM visit
    WHERE at >= TO_TIMESTAMP('2026-03-29 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US')
    AND at < TO_TIMESTAMP('2026-03-30 13:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US')
    GROUP BY DATE_TRUNC('day', at) ORDER BY count DESC LIMIT 1000;
SELECT count(*) FROM visit WHERE at >= now() - '100000 hours'::interval;
SELECT count(*) FROM visit WHERE at >= '-infinity' AND at <= 'infinity';
SELECT count(*) FROM visit WHERE at >= '4714-11-24 BC'::date AND at < '5874897-12-31'::date;
SELECT count(*) FROM visit WHERE at > '2026-03-29' AND at < '2026-03-28';
SELECT count(*) FROM visit WHERE at > NULL;

-- what changes is read from the source, also in the same transaction and in a plan of before
PREPARE total AS SELECT count(*), sum(amount) FROM visit;
EXECUTE total;
BEGIN;
INSERT INTO visit VALUES ('2026-03-28 12:00', NULL, 'de', 1, 100);
UPDATE visit SET amount = amount + 1 WHERE at < '2026-03-28 01:00';
DELETE FROM visit WHERE at >= '2026-04-03';
EXECUTE total;
SELECT count(*) FROM visit WHERE at < '2026-03-28 12:00';
ROLLBACK;
EXECUTE total;

-- not answered, with the reason
SELECT visitor, count(*) FROM visit GROUP BY 1 ORDER BY 1 LIMIT 1;
SELECT count(*) FROM visit WHERE visitor = 7;
SELECT count(visitor) FROM visit;
SELECT sum(score) > 0 FROM visit;
SELECT max(price) FROM visit;
SELECT sum(DISTINCT amount) FROM visit;
SELECT count(DISTINCT visitor) FROM visit;
SELECT count(*) FILTER (WHERE bot) FROM visit;
SELECT sum(weight) FROM visit JOIN land ON code = country;
SELECT region, count(*) FROM land LEFT JOIN visit ON code = country GROUP BY 1 ORDER BY 1;
SELECT count(*) FROM land FULL JOIN visit ON code = country;
SELECT country FROM visit ORDER BY at LIMIT 1;
SELECT row_number() OVER (ORDER BY at) FROM visit LIMIT 1;
SELECT count(*) FROM ONLY visit;
SELECT count(*) > 0 FROM visit TABLESAMPLE bernoulli (100);
SELECT count(*) FROM visit WHERE random() < 2;
SELECT count(visit) FROM visit;
SELECT count(*) FROM visit, LATERAL (SELECT bot) b;
SELECT date_trunc('hour', at), count(*) FROM visit GROUP BY 1 ORDER BY 1 LIMIT 1;
SELECT count(*) FROM visit WHERE ts >= '2026-03-29';
SELECT country COLLATE "C" < 'e', count(*) FROM visit GROUP BY 1 ORDER BY 1;
SELECT hll_cardinality(hll_agg(visitor, 12)) FROM visit;
SELECT array_agg(country) IS NULL FROM visit;
SELECT count(*) FROM visit WHERE at >= '2026-03-29' AND ts < '2026-04-01';
SELECT count(*) FROM visit WHERE at < '2026-03-29 07:00' OR at > '2026-04-01 07:00';
SELECT count(*) FROM visit WHERE at BETWEEN SYMMETRIC '2026-04-01' AND '2026-03-29';
SELECT count(*) FROM visit WHERE at = '2026-03-29 07:00';
SELECT count(*) FROM visit WHERE at >= '2026-03-29 07:00' AND at < '2026-03-29 09:00';
SELECT count(*) FROM visit WHERE at >= (SELECT min(ts) FROM visit v);
SELECT count(*) > 0 FROM visit WHERE at < clock_timestamp() + '100 years';
SELECT count(*) FROM visit JOIN land ON at > '2026-04-01 07:00' AND weight = 1;
SELECT count(*) FROM visit HAVING count(*) > random() - 1;
SELECT count(*) FILTER (WHERE at > '2026-03-29 07:00') FROM visit;
SELECT sum(amount ORDER BY at) FROM visit;
SELECT round(stddev(amount), 3) FROM visit;
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY amount) FROM visit;
SELECT string_agg(country, '') IS NULL FROM visit;
SELECT avg(score) > 0 FROM visit;
SELECT visit IS NULL, count(*) FROM visit GROUP BY 1;
SELECT tableoid = 'visit'::regclass, count(*) FROM visit GROUP BY 1;
SELECT count(*) FROM visit WHERE EXISTS (SELECT FROM land WHERE code = country);
SELECT count(*) FROM visit, unnest(ARRAY[country, country]);
SELECT date_trunc('month', at, 'Asia/Tokyo') IS NULL, count(*) FROM visit GROUP BY 1;
SELECT (at AT TIME ZONE 'Asia/Tokyo')::date IS NULL, count(*) FROM visit GROUP BY 1;
CREATE VIEW barrier WITH (security_barrier) AS SELECT at, country FROM visit;
SELECT count(*) FROM barrier;
BEGIN;
SELECT count(*) FROM visit WHERE country IN (SELECT code FROM land FOR UPDATE) LIMIT 0;
COMMIT;

-- another time zone means other days: also in a plan that was made before
-- the same clock under another name; of GMT the abbreviation is another, which text may have
SET timezone = 'Etc/UTC';
EXECUTE total;
SET timezone = 'GMT';
EXECUTE total;
SET timezone = 'Asia/Tokyo';
EXECUTE metabase('2026-03-29', '2026-04-01');
SET timezone = 'UTC';
EXECUTE metabase('2026-03-29', '2026-04-01');

-- functions, and statements that store, read the source
CREATE FUNCTION of_function() RETURNS bigint LANGUAGE plpgsql AS $$BEGIN RETURN (SELECT count(visitor) FROM visit); END$$;
SELECT of_function();
-- a function without arguments, where a time might be
CREATE FUNCTION an_hour() RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT 3600.0';
SELECT floor(an_hour() / 60), count(*) FROM visit GROUP BY 1;
CREATE TABLE stored AS SELECT count(visitor) FROM visit;

-- a rollup that may not be right is not used
ALTER TABLE visit DISABLE TRIGGER ALL;
EXECUTE total;
ALTER TABLE visit ENABLE TRIGGER ALL;
EXECUTE total;
SELECT probds_alter_rollup('daily', retention => '100 years');
EXECUTE total;
SELECT probds_alter_rollup('daily', retention => '0');
EXECUTE total;
CALL probds_rebuild_rollup('daily');
EXECUTE total;

-- for whom: rights on the source are checked as ever, and the rollup must be readable
CREATE ROLE regress_dashboard;
SET ROLE regress_dashboard;
SELECT count(*) FROM visit;
EXECUTE total;
RESET ROLE;
GRANT SELECT ON visit TO regress_dashboard;
SET ROLE regress_dashboard;
EXECUTE total;
SELECT count(visitor) FROM visit;
RESET ROLE;
GRANT SELECT ON daily TO regress_dashboard;
SET ROLE regress_dashboard;
EXECUTE total;
SELECT count(visitor) FROM visit;
RESET ROLE;
REVOKE SELECT ON visit FROM regress_dashboard;
SET ROLE regress_dashboard;
EXECUTE total;
RESET ROLE;
GRANT SELECT (country) ON visit TO regress_dashboard;
SET ROLE regress_dashboard;
SELECT country, count(*) FROM visit GROUP BY 1 ORDER BY 1;
SELECT sum(amount) FROM visit;
RESET ROLE;
ALTER TABLE visit ENABLE ROW LEVEL SECURITY;
EXECUTE total;
ALTER TABLE visit DISABLE ROW LEVEL SECURITY;
EXECUTE total;

-- whoever owns a rollup can forge it, so that must be the source's owner, a member of that role, or
-- the user himself
GRANT SELECT, TRIGGER ON visit TO regress_dashboard;
GRANT CREATE ON SCHEMA public TO regress_dashboard;
SET ROLE regress_dashboard;
SELECT probds_create_rollup('forged', 'SELECT country, sum(amount) AS total FROM visit GROUP BY 1');
DELETE FROM forged_parts;
SELECT sum(amount) FROM visit;
RESET ROLE;
SELECT sum(amount) > 0 AS "from the source" FROM visit;
SELECT probds_create_rollup('sums', 'SELECT country, sum(total) AS total FROM forged GROUP BY 1');
SELECT sum(amount) > 0 AS "from the source" FROM visit;
SELECT pg_get_userbyid(relowner) AS owner FROM pg_class WHERE oid = 'visit'::regclass \gset
ALTER TABLE visit OWNER TO regress_dashboard;
SELECT sum(amount) FROM visit;
ALTER TABLE visit OWNER TO :"owner";
SELECT probds_drop_rollup('sums'), probds_drop_rollup('forged');
REVOKE CREATE ON SCHEMA public FROM regress_dashboard;

-- a view is read with the right to read it, also a view of a view
GRANT SELECT ON visit TO regress_dashboard;
SET ROLE regress_dashboard;
SELECT count(*) FROM plain;
WITH v AS (SELECT land FROM plain) SELECT count(*) FROM v WHERE land = 'de';
RESET ROLE;
CREATE VIEW plainer AS SELECT land FROM plain;
ALTER VIEW plainer OWNER TO regress_dashboard;
SELECT count(*) FROM plainer;
GRANT SELECT ON plain TO regress_dashboard;
SELECT count(*) FROM plainer;
-- and tells nothing of rollups that only its owner may read
SET ROLE regress_dashboard;
SELECT amount, count(*) FROM plain GROUP BY 1 LIMIT 0;
RESET ROLE;
REVOKE SELECT ON daily FROM regress_dashboard;
SET ROLE regress_dashboard;
SELECT amount, count(*) FROM plain GROUP BY 1 LIMIT 0;
RESET ROLE;

-- a rollup that cannot have this answer: another condition, one row for all, equal keys that look
-- different, pieces that do not nest, a clock that was set back over the edge of a day
CREATE TABLE sale (at timestamptz NOT NULL, price numeric, lasts interval, word bpchar, ok boolean);
SELECT probds_create_rollup('sale_ok', 'SELECT at::date AS day, count(*) AS n FROM sale WHERE ok
    GROUP BY 1');
SELECT at::date, count(*) FROM sale GROUP BY 1;
SELECT at::date, count(*) FROM sale WHERE NOT ok GROUP BY 1;
SELECT probds_drop_rollup('sale_ok');
SELECT probds_create_rollup('sale_key', 'SELECT price, lasts, word, count(*) AS n, min(price) AS low
    FROM sale GROUP BY 1, 2, 3');
SELECT price, count(*) FROM sale GROUP BY 1;
SELECT lasts, count(*) FROM sale GROUP BY 1;
SELECT count(DISTINCT price) FROM sale;
SELECT min(price) FROM sale;
SELECT probds_drop_rollup('sale_key');
SELECT probds_create_rollup('sale_week', 'SELECT date_trunc(''week'', at) AS week, count(*) AS n
    FROM sale GROUP BY 1');
SELECT date_trunc('month', at), count(*) FROM sale GROUP BY 1;
SELECT at::date, count(*) FROM sale GROUP BY 1;
SELECT probds_create_rollup('sale_late', 'SELECT week, sum(n) AS n FROM sale_week GROUP BY 1',
    live => false);
SELECT probds_create_rollup('sale_later', 'SELECT week, sum(n) AS n FROM sale_late GROUP BY 1');
SELECT max(at) FROM sale;
SELECT probds_drop_rollup('sale_later');
SELECT probds_drop_rollup('sale_late');
SELECT probds_alter_rollup('sale_week', frozen_after => '1 year');
SELECT count(*) FROM sale;
SELECT probds_drop_rollup('sale_week');
SELECT probds_create_rollup('sale_st_johns', 'SELECT (at AT TIME ZONE ''America/St_Johns'')::date AS
    day, count(*) AS n FROM sale GROUP BY 1');
SELECT count(*) FROM sale WHERE at >= '2026-03-01 07:00' AND at < '2026-04-01 07:00';
SELECT probds_drop_rollup('sale_st_johns');
SELECT probds_create_rollup('sale_all', 'SELECT count(*) AS n, max(at) AS last FROM sale');
SELECT count(*), max(at) FROM sale;
SELECT at::date, count(*) FROM sale GROUP BY 1;
SELECT count(*) FROM sale, land;
SELECT max(1) FROM sale;
SELECT count(DISTINCT 5) FROM sale;
SELECT DISTINCT 'x' FROM sale;
CREATE TEMPORARY TABLE sale (at timestamptz);
INSERT INTO sale VALUES ('2026-03-01');
SELECT count(*) FROM sale;
DROP TABLE pg_temp.sale;

-- rows of another server
CREATE FOREIGN DATA WRAPPER regress_no_handler;
CREATE SERVER regress_nowhere FOREIGN DATA WRAPPER regress_no_handler;
CREATE FOREIGN TABLE far (at timestamptz NOT NULL, price numeric, lasts interval, word bpchar,
    ok boolean) SERVER regress_nowhere;
SET session_replication_role = replica;
ALTER FOREIGN TABLE far INHERIT sale;
RESET session_replication_role;
SELECT status FROM probds_rollups() WHERE rollup = 'sale_all'::regclass;
SELECT max(1) FROM ONLY sale;
DROP FOREIGN DATA WRAPPER regress_no_handler CASCADE;
SELECT probds_drop_rollup('sale_all');
DROP TABLE sale;

-- settings that the owner has made up: the half of one, and one that he may not see
CREATE ROLE regress_maker;
GRANT CREATE ON SCHEMA public TO regress_maker;
CREATE TABLE made (at timestamptz NOT NULL);
ALTER TABLE made OWNER TO regress_maker;
SET ROLE regress_maker;
SELECT probds_create_rollup('made_years', 'SELECT to_char(at, ''YYYY'') AS year, count(*) AS n FROM
    made GROUP BY 1');
UPDATE made_years_options SET settings = '{data_directory,x}';
SELECT to_char(at, 'YYYY'), count(*) FROM made GROUP BY 1;
UPDATE made_years_options SET settings = '{DateStyle}';
ANALYZE made_years_options;
SELECT to_char(at, 'YYYY'), count(*) FROM made GROUP BY 1;
RESET ROLE;
SELECT probds_drop_rollup('made_years');
DROP TABLE made;
REVOKE CREATE ON SCHEMA public FROM regress_maker;
DROP ROLE regress_maker;

-- the rollup that reads least: months of a rollup of the rollup
SELECT probds_create_rollup('monthly', 'SELECT date_trunc(''month'', day) AS month, sum(hits) AS hits
    FROM daily GROUP BY 1');
SELECT date_trunc('month', at) AS month, count(*) FROM visit GROUP BY 1 ORDER BY 1;

SELECT probds_drop_rollup('monthly');
SELECT probds_drop_rollup('daily');
EXECUTE total;
DROP TABLE visit CASCADE;
DROP TABLE land, stored;
DROP FUNCTION of_function(), an_hour();
DROP ROLE regress_dashboard;
