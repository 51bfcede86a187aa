-- Queries whose answer from a rollup was another than the source's
LOAD 'probds';
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
SET client_min_messages = warning;
SET probds.explain_rollups = on;
CREATE TABLE visit (at timestamptz NOT NULL, born timestamp, k int, country varchar(10), amount int);
INSERT INTO visit SELECT '2026-03-01'::timestamptz + i * '17 min'::interval,
    '1985-05-05'::timestamp + i * '60 days'::interval, i % 23, (ARRAY['de', 'fr', 'us', NULL])[1 + i % 4],
    i % 7 FROM generate_series(0, 999) i;
CREATE TABLE land (country text, weight int);
INSERT INTO land VALUES ('de', 1), ('fr', 2), ('fr', 5), ('xx', 9);
CREATE TABLE most (code text, n int);
INSERT INTO most VALUES ('de', 600), ('us', 100);

-- an aggregate of the query that is written inside of a subquery sees each row of the join
SELECT probds_create_rollup('of_country', 'SELECT country, count(*) AS n FROM visit GROUP BY 1');
SET probds.answer_from_rollups = on;
SET client_min_messages = notice;
SELECT count(*), (SELECT sum(l.weight)) AS weight FROM visit v JOIN land l ON v.country = l.country;
SELECT v.country FROM visit v JOIN land l ON v.country = l.country GROUP BY 1
    HAVING EXISTS (SELECT FROM most WHERE n < sum(l.weight) AND n = 600);
SELECT v.country, (SELECT max(n) FROM most) AS most FROM visit v JOIN land l ON v.country = l.country
    GROUP BY 1 ORDER BY 1;
SET client_min_messages = warning;
RESET probds.answer_from_rollups;
SELECT probds_drop_rollup('of_country');

-- a column of a join that has a name of its own, and a whole row of it, read the source
SELECT probds_create_rollup('of_country', 'SELECT country, count(*) AS n FROM visit GROUP BY 1');
SELECT count(*) FROM visit JOIN land USING (country)
    WHERE EXISTS (SELECT FROM most WHERE code = land.country AND n > 500);
SET probds.answer_from_rollups = on;
SET client_min_messages = notice;
SELECT count(*) FROM visit JOIN land USING (country)
    WHERE EXISTS (SELECT FROM most WHERE code = country AND n > 500);
SELECT count(*) FROM visit JOIN land USING (country), LATERAL (SELECT FROM most WHERE code = country) l;
SELECT count(*) FROM visit JOIN land USING (country), LATERAL unnest(ARRAY[country]) u WHERE u = 'de';
SELECT count(*) FROM (visit JOIN land USING (country)) j WHERE EXISTS (SELECT FROM most WHERE to_jsonb(j)->>'country' = code);
SELECT country, count(*) FROM visit JOIN land USING (country) WHERE weight = 1 GROUP BY 1;
SET client_min_messages = warning;
RESET probds.answer_from_rollups;
SELECT probds_drop_rollup('of_country');

-- a constant that the rollup groups by is there without rows, too
CREATE TABLE empty (at timestamptz);
SELECT probds_create_rollup('of_site', 'SELECT ''web''::text AS site, at::date AS day, count(*) AS n FROM empty GROUP BY 1, 2');
SET probds.answer_from_rollups = on;
SET client_min_messages = notice;
SELECT 'web'::text AS site, count(*) FROM empty;
SELECT 'web'::text AS site, count(*) FROM empty GROUP BY 1;
SET client_min_messages = warning;
RESET probds.answer_from_rollups;
SELECT probds_drop_rollup('of_site');
DROP TABLE empty;

-- grouping sets make NULL what is computed from a grouped expression, also where that is a key itself
SELECT probds_create_rollup('of_k', 'SELECT k, k % 10 AS digit, count(*) AS n FROM visit GROUP BY 1, 2');
SET probds.answer_from_rollups = on;
SET client_min_messages = notice;
SELECT k % 10 AS digit, count(*) FROM visit WHERE k > 20 GROUP BY ROLLUP (k) ORDER BY 1, 2;
SELECT k % 10 AS digit, k, count(*) FROM visit WHERE k > 21 GROUP BY CUBE (k, k % 10) ORDER BY 1, 2;
-- also beside columns of the queries around them, which may have the same numbers
SELECT (SELECT max(a + b + c) FROM (SELECT 1 + c6 AS a, 1 + c7 AS b, 1 + c8 AS c FROM visit GROUP BY ROLLUP (1 + k)) q)
    FROM land, (VALUES (1, 2, 3, 4, 5, 6, 7, 8)) v(c1, c2, c3, c4, c5, c6, c7, c8) WHERE weight = 1;
SET client_min_messages = warning;
SELECT probds_drop_rollup('of_k');
SELECT probds_create_rollup('of_day', 'SELECT at::date AS day, country, date_trunc(''month'', at) AS month, count(*) AS n FROM visit GROUP BY 1, 2, 3');
SET client_min_messages = notice;
SELECT date_trunc('month', at::date) AS month, count(*) FROM visit WHERE at::date < '2026-03-02' GROUP BY ROLLUP (at::date) ORDER BY 1;
SELECT upper(country) AS land, country, GROUPING(country), count(*) FROM visit WHERE country = 'de' GROUP BY ROLLUP (country) HAVING lower(country) IS NULL;
SET client_min_messages = warning;
SELECT date_trunc('month', at) AS month, date_trunc('month', at::date) AS of_day, count(*) FROM visit WHERE at::date < '2026-03-02' GROUP BY CUBE (date_trunc('month', at), at::date) ORDER BY 1, 2, 3;
SELECT date_trunc('year', at) AS year, date_trunc('year', at::date) AS of_day, count(*) FROM visit WHERE at::date < '2026-03-02' GROUP BY CUBE (date_trunc('year', at), at::date) ORDER BY 1, 2, 3;
RESET probds.answer_from_rollups;
SELECT probds_drop_rollup('of_day');

-- a decade is in two centuries
SELECT probds_create_rollup('of_decade', 'SELECT date_trunc(''decade'', born) AS decade, count(*) AS n FROM visit GROUP BY 1');
SET probds.answer_from_rollups = on;
SELECT date_trunc('century', born) AS century, count(*) FROM visit GROUP BY 1 ORDER BY 1;
SELECT date_trunc('millennium', born) AS millennium, count(*) FROM visit GROUP BY 1 ORDER BY 1;
RESET probds.answer_from_rollups;
SELECT probds_drop_rollup('of_decade');
SELECT probds_create_rollup('of_century', 'SELECT date_trunc(''century'', born) AS century, count(*) AS n FROM visit GROUP BY 1');
SET probds.answer_from_rollups = on;
SET client_min_messages = notice;
SELECT date_trunc('millennium', born) AS millennium, count(*) FROM visit GROUP BY 1 ORDER BY 1;
RESET probds.answer_from_rollups;
SET client_min_messages = warning;
SELECT probds_drop_rollup('of_century');

-- the text of a time depends on DateStyle
SELECT probds_create_rollup('of_text', 'SELECT at::text AS at, count(*) AS n FROM visit GROUP BY 1');
SET probds.answer_from_rollups = on;
SET datestyle = 'German';
SET client_min_messages = notice;
SELECT at::text, count(*) FROM visit GROUP BY 1 ORDER BY 1 LIMIT 1;
SET datestyle = 'ISO, YMD';
-- and has the abbreviation of the zone
SET timezone = 'GMT';
SELECT at::text, count(*) FROM visit GROUP BY 1 ORDER BY 1 LIMIT 1;
SET timezone = 'UTC';
SET client_min_messages = warning;
RESET probds.answer_from_rollups;
SELECT probds_drop_rollup('of_text');

-- days of one time zone, summed up in another
SELECT probds_create_rollup('of_day', 'SELECT at::date AS day, count(*) AS n FROM visit GROUP BY 1');
SET timezone = 'America/New_York';
SELECT probds_create_rollup('summed', 'SELECT day, sum(n) AS n FROM of_day GROUP BY 1');
SET probds.answer_from_rollups = on;
SET client_min_messages = notice;
SELECT at::date, count(*) FROM visit GROUP BY 1 ORDER BY 1 LIMIT 2;
SET client_min_messages = warning;
RESET probds.answer_from_rollups;
SET timezone = 'UTC';
SELECT probds_drop_rollup('summed'), probds_drop_rollup('of_day');

-- a column that is NOT NULL may have NULLs in a child, before PostgreSQL 18
CREATE TABLE parent (a int NOT NULL, b int NOT NULL);
CREATE TABLE child (more int) INHERITS (parent);
INSERT INTO child VALUES (1, 1);
DO $$ BEGIN
    ALTER TABLE child ALTER a DROP NOT NULL;
    INSERT INTO child VALUES (NULL, 1);
EXCEPTION WHEN invalid_table_definition THEN
END $$;
SELECT probds_create_rollup('of_all', 'SELECT count(*) AS n FROM parent');
SET probds.answer_from_rollups = on;
SELECT count(a) = (SELECT count(*) FROM (SELECT FROM parent WHERE a IS NOT NULL OFFSET 0) q) AS same FROM parent;
RESET probds.answer_from_rollups;
SELECT probds_drop_rollup('of_all');
DROP TABLE parent, child;

-- the group of a bound may be out of range
SELECT probds_create_rollup('of_thousands', 'SELECT k * 1000 AS k, count(*) AS n FROM visit GROUP BY 1');
SELECT probds_create_rollup('of_fives', 'SELECT k / 5 * 5 AS k, count(*) AS n FROM visit GROUP BY 1');
SET probds.answer_from_rollups = on;
SELECT count(*) FROM visit WHERE k < 2000000000;
SELECT probds_drop_rollup('of_fives');
SELECT count(*) FROM visit WHERE k < 2000000000;
SELECT count(*) FROM visit WHERE k * 1000 < 20000;
RESET probds.answer_from_rollups;
SELECT probds_drop_rollup('of_thousands');

-- what a rollup groups by need not come first
CREATE TABLE late (at timestamptz);
INSERT INTO late VALUES ('2026-03-01');
SELECT probds_create_rollup('of_late', 'SELECT count(*) AS n, at::date AS day FROM late GROUP BY 2');
SET probds.answer_from_rollups = on;
SET client_min_messages = notice;
SELECT at::date, count(*), max(at::date) FROM late GROUP BY 1;
SET client_min_messages = warning;
RESET probds.answer_from_rollups;
SELECT probds_drop_rollup('of_late');
DROP TABLE late;

-- a subquery that only picks rows reads columns of the queries around its level
SELECT probds_create_rollup('of_k', 'SELECT k, count(*) AS n FROM visit GROUP BY 1');
SET probds.answer_from_rollups = on;
SET client_min_messages = notice;
SELECT code, (SELECT count(*) FROM (SELECT * FROM visit WHERE k < n / 50) v) AS visits FROM most ORDER BY 1;
SELECT code, (SELECT count(*) FROM (SELECT k + n AS kn FROM (SELECT k FROM visit WHERE k < n) q) v WHERE kn < 115) AS visits
    FROM most ORDER BY 1;
SELECT code, (WITH v AS (SELECT k FROM visit WHERE k < n / 50) SELECT count(*) FROM v) AS visits FROM most ORDER BY 1;
SELECT (SELECT count(*) FROM (SELECT * FROM visit WHERE k < min(n) / 50) v) AS visits FROM most;
SET client_min_messages = warning;
RESET probds.answer_from_rollups;
SELECT code, (SELECT count(*) FROM (SELECT k + n AS kn FROM (SELECT k FROM visit WHERE k < n) q) v WHERE kn < 115) AS visits
    FROM most ORDER BY 1;
SELECT probds_drop_rollup('of_k');

-- a group of steps that do not nest is longer than each of them: five weeks that begin in March
SELECT probds_create_rollup('of_month', 'SELECT date_trunc(''month'', date_trunc(''week'', at)) AS month, count(*) AS n FROM visit GROUP BY 1');
SELECT probds_create_rollup('of_sevens', 'SELECT ((k - 11) / 7 * 7) / 10 AS k, count(*) AS n FROM visit GROUP BY 1');
INSERT INTO visit (at, k) SELECT '2026-04-05', 24 FROM generate_series(1, 100);
SELECT count(*) FROM visit WHERE at < '2026-04-05 12:00';
SELECT count(*) FROM visit WHERE k - 11 < 13;
SET probds.answer_from_rollups = on;
SET client_min_messages = notice;
SELECT count(*) FROM visit WHERE at < '2026-04-05 12:00';
SELECT count(*) FROM visit WHERE k - 11 < 13;
SET client_min_messages = warning;
RESET probds.answer_from_rollups;
SELECT probds_drop_rollup('of_month'), probds_drop_rollup('of_sevens');

-- floats as text, with another number of digits
CREATE TABLE measured (f float8, b bytea, word text);
INSERT INTO measured VALUES (1.0 / 7, '\xde41', 'word');
SELECT probds_create_rollup('of_digits', 'SELECT f::text AS f, count(*) AS n FROM measured GROUP BY 1');
SELECT probds_create_rollup('of_bytes', 'SELECT b::text AS b, count(*) AS n FROM measured GROUP BY 1');
SELECT probds_create_rollup('of_names', 'SELECT quote_ident(word) AS word, count(*) AS n FROM measured GROUP BY 1');
SET probds.answer_from_rollups = on;
SET client_min_messages = notice;
SELECT f::text, count(*) FROM measured GROUP BY 1;
SET extra_float_digits = -5;
SELECT f::text, count(*) FROM measured GROUP BY 1;
-- (1, 2 and 3 are the same, and drivers set 3)
SET extra_float_digits = 3;
SELECT f::text, count(*) FROM measured GROUP BY 1;
RESET extra_float_digits;
SET bytea_output = 'escape';
SELECT b::text, count(*) FROM measured GROUP BY 1;
RESET bytea_output;
SET quote_all_identifiers = on;
SELECT quote_ident(word), count(*) FROM measured GROUP BY 1;
-- settings that an expression does not depend on may be others
SET timezone = 'Asia/Tokyo';
SELECT probds_drop_rollup('of_bytes');
SELECT f::text, count(*) FROM measured GROUP BY 1;
RESET timezone;
UPDATE measured SET word = 'words';
RESET quote_all_identifiers;
SELECT quote_ident(word), count(*) FROM measured GROUP BY 1;
-- text that is put together depends on what the text of its parts, or of their elements, does
SET client_min_messages = warning;
SELECT probds_create_rollup('of_parts', 'SELECT concat(word, 1, true) AS parts, word || 7 AS sum, array[1, 2]::text AS list, count(*) AS n FROM measured GROUP BY 1, 2, 3');
SELECT probds_create_rollup('of_floats', 'SELECT concat_ws(''/'', word, f) AS parts, count(*) AS n FROM measured GROUP BY 1');
SELECT probds_create_rollup('of_classes', 'SELECT concat(''measured''::regclass, array[''measured''::regclass]) AS parts, count(*) AS n FROM measured GROUP BY 1');
SET client_min_messages = notice;
SET timezone = 'Asia/Tokyo';
SELECT concat(word, 1, true), word || 7, array[1, 2]::text, count(*) FROM measured GROUP BY 1, 2, 3;
SELECT concat_ws('/', word, f), count(*) FROM measured GROUP BY 1;
RESET timezone;
SET extra_float_digits = -5;
SELECT concat(word, 1, true), count(*) FROM measured GROUP BY 1;
SELECT concat_ws('/', word, f), count(*) FROM measured GROUP BY 1;
RESET extra_float_digits;
SELECT concat('measured'::regclass, array['measured'::regclass]), count(*) FROM measured GROUP BY 1;
-- (arrays of arrays, by a domain)
SET client_min_messages = warning;
SELECT probds_drop_rollup('of_classes');
CREATE DOMAIN classes AS regclass[];
SELECT probds_create_rollup('of_classes', 'SELECT array[''{measured}''::classes]::text AS parts, count(*) AS n FROM measured GROUP BY 1');
SET client_min_messages = notice;
SELECT array['{measured}'::classes]::text, count(*) FROM measured GROUP BY 1;
SET client_min_messages = warning;
RESET probds.answer_from_rollups;
SELECT probds_drop_rollup(r) FROM unnest('{of_digits,of_names,of_parts,of_floats,of_classes}'::text[]) r;
DROP DOMAIN classes;
-- a column that is virtual from PostgreSQL 18 on depends on what its expression depends on
DO $$ BEGIN
    EXECUTE format('ALTER TABLE measured ADD at timestamptz, ADD day date GENERATED ALWAYS AS ((at AT TIME ZONE ''IST'')::date) %s',
        CASE WHEN current_setting('server_version_num')::int < 180000 THEN 'STORED' ELSE 'VIRTUAL' END);
END $$;
UPDATE measured SET at = '2026-03-01 20:00+00';
SELECT probds_create_rollup('of_day', 'SELECT day, count(*) AS n FROM measured GROUP BY 1');
SET timezone_abbreviations = 'India';
SET probds.answer_from_rollups = on;
SELECT day = (SELECT m.day FROM measured m) AS same, count(*) FROM measured GROUP BY day;
RESET probds.answer_from_rollups;
RESET timezone_abbreviations;
SELECT probds_drop_rollup('of_day');
DROP TABLE measured;

-- days of a clock that was set back at midnight, in days of another clock
CREATE TABLE night (at timestamptz);
INSERT INTO night SELECT '2009-10-30 00:00+00'::timestamptz + i * '7 min'::interval FROM generate_series(0, 999) i;
SELECT probds_create_rollup('of_days', $$SELECT date_trunc('day', date_trunc('day', at, 'America/St_Johns'), 'UTC') AS day, count(*) AS n FROM night GROUP BY 1$$);
SET probds.answer_from_rollups = on;
SET client_min_messages = notice;
SELECT count(*) FROM night WHERE date_trunc('day', at, 'America/St_Johns') >= '2009-10-31 02:30+00';
SELECT count(*) FROM night WHERE at < '2009-11-01 02:30:30+00';
SET client_min_messages = warning;
RESET probds.answer_from_rollups;
SELECT count(*) FROM night WHERE at < '2009-11-01 02:30:30+00';
SELECT probds_drop_rollup('of_days');
DROP TABLE night;

-- blanks at the end of character, which has no length, count for nothing
CREATE TABLE padded (b bpchar, c char(5));
INSERT INTO padded VALUES ('a', 'a'), ('a ', 'a '), ('a  ', 'a  ');
SELECT probds_create_rollup('of_blanks', 'SELECT b, count(*) AS n FROM padded GROUP BY 1');
SELECT probds_create_rollup('of_padded', 'SELECT c, count(*) AS n FROM padded GROUP BY 1');
SET probds.answer_from_rollups = on;
SET client_min_messages = notice;
SELECT octet_length(b), count(*) FROM padded GROUP BY 1 ORDER BY 1;
SELECT octet_length(c), count(*) FROM padded GROUP BY 1 ORDER BY 1;
SET client_min_messages = warning;
RESET probds.answer_from_rollups;
SELECT probds_drop_rollup('of_blanks'), probds_drop_rollup('of_padded');
-- max() of them has their length; of values without one it is of any length
SELECT probds_create_rollup('of_most', 'SELECT max(b) AS b, max(c) AS c FROM padded');
SET probds.answer_from_rollups = on;
SET client_min_messages = notice;
SELECT octet_length(max(c)) FROM padded;
SELECT octet_length(max(b)) < 4 AS some FROM padded;
SET client_min_messages = warning;
RESET probds.answer_from_rollups;
SELECT probds_drop_rollup('of_most');
DROP TABLE padded;

-- grouping sets make a column of a subquery NULL, and not what another one computes in the same way
SELECT probds_create_rollup('of_country', 'SELECT country, count(*) AS n FROM visit GROUP BY 1');
SET probds.answer_from_rollups = on;
-- (before 18 the server does not sort by a constant that they make NULL)
SELECT * FROM (SELECT site, country, count(*) FROM (SELECT 'web' AS site, country FROM visit WHERE country = 'de') v
    GROUP BY CUBE (site, country) OFFSET 0) q ORDER BY site, country;
SELECT land, upper(country) AS u, count(*) FROM (SELECT upper(country) AS land, country FROM visit WHERE country = 'de') v
    GROUP BY ROLLUP (land), country ORDER BY 1, 2;
SET client_min_messages = notice;
SELECT land, count(*) FROM (SELECT country AS land FROM visit WHERE country = 'de') v GROUP BY ROLLUP (land) ORDER BY 1;
SET client_min_messages = warning;
RESET probds.answer_from_rollups;
SELECT probds_drop_rollup('of_country');

-- volatile functions in a subquery that is joined may be called for each row
SELECT probds_create_rollup('of_country', 'SELECT country, count(*) AS n FROM visit GROUP BY 1');
CREATE SEQUENCE calls;
SET probds.answer_from_rollups = on;
SET client_min_messages = notice;
SET enable_material = off;
SELECT count(*) FILTER (WHERE v % 2 = 0) FROM visit LEFT JOIN (SELECT nextval('calls') AS v) q ON true WHERE country = 'de';
RESET enable_material;
SELECT country, count(*) FROM (SELECT country, count(*) AS n FROM visit GROUP BY 1) q JOIN visit v USING (country)
    WHERE n = 250 GROUP BY 1 ORDER BY 1;
SET client_min_messages = warning;
RESET probds.answer_from_rollups;
SELECT probds_drop_rollup('of_country');
DROP SEQUENCE calls;
DROP TABLE visit, land, most;
