-- When the answer is "maybe", and when there is none: partial indexes, expressions,
-- partitions, tables whose rows are elsewhere, privileges and row-level security
SET client_min_messages = warning;
CREATE ROLE existence_owner;
CREATE ROLE existence_reader;
RESET client_min_messages;
CREATE SCHEMA existence_test AUTHORIZATION existence_owner;
GRANT USAGE ON SCHEMA existence_test TO existence_reader;
SET search_path = existence_test, public;
SET ROLE existence_owner;

-- ---------- no index ----------
CREATE TABLE page (url text, host text, hidden text, n int);
INSERT INTO page SELECT 'https://host' || i % 10 || '.example/' || i, 'Host' || i % 10 || '.example', 'h' || i, i FROM generate_series(1, 1000) i;
SELECT existence_might_contain('page', 'url', 'x');
CREATE INDEX ON page (url);
CREATE INDEX ON page USING hash (url);
SELECT existence_might_contain('page', 'url', 'x');
SELECT existence_might_contain('page', 'no such column', 'x');
SELECT existence_might_contain('page', 'ctid', 'x');
SELECT existence_might_contain('page', 'page_url_idx', 'x');
SELECT existence_might_contain(0, 'url', 'x');
SELECT existence_might_contain(NULL, 'url', 'x') IS NULL AS null;

-- ---------- expressions ----------
-- are asked for by the name of the index, which stays when the index is made again
CREATE INDEX page_host ON page USING existence (lower(host));
SELECT existence_might_contain('page', 'page_host', 'host7.example') AS here, existence_might_contain('page', 'page_host', 'Host7.example') AS elsewhere;
REINDEX INDEX CONCURRENTLY page_host;
SELECT existence_might_contain('page', 'page_host', 'host7.example') AS here, existence_verify('page', 'page_host');
SELECT existence_might_contain('page', 'host', 'Host7.example');
CREATE TABLE other (host text);
CREATE INDEX other_host ON other USING existence (lower(host));
SELECT existence_might_contain('page', 'other_host', 'x');
DROP TABLE other;

-- ---------- partial indexes ----------
CREATE INDEX page_some ON page USING existence (url) WHERE n > 500;
SELECT existence_might_contain('page', 'url', 'https://host1.example/1') AS not_in_index, existence_might_contain('page', 'url', 'x') AS maybe,
    existence_might_contain('page', 'page_some', 'x') AS maybe_too;
SELECT index, status, keys FROM existence_info('page', 'url');
SELECT existence_verify('page', 'url');
-- one that leaves out NULLs alone has all keys
CREATE INDEX page_not_null ON page USING existence (url) WHERE url IS NOT NULL;
INSERT INTO page (url) VALUES (NULL);
SELECT existence_might_contain('page', 'url', 'https://host1.example/1') AS here, existence_might_contain('page', 'url', 'x') AS elsewhere;
SELECT index, status, keys FROM existence_info('page', 'url') ORDER BY index::text;
SELECT existence_export('page', 'url') @> 'https://host1.example/1';
BEGIN;
CREATE INDEX page_lower ON page USING existence (lower(url)) WHERE lower(url) IS NOT NULL;
CREATE INDEX page_posix ON page USING existence (url COLLATE "POSIX") WHERE url IS NOT NULL;
CREATE INDEX page_lower_too ON page USING existence (lower(url)) WHERE n IS NOT NULL;
SELECT index, status FROM unnest('{url,page_lower,page_lower_too}'::name[]) c, existence_info('page', c) WHERE index::text ~ 'posix|lower' ORDER BY index::text;
ROLLBACK;
DROP INDEX page_not_null;
SELECT existence_export('page', 'url');
DROP INDEX page_some;

-- ---------- an index that is not valid ----------
CREATE INDEX page_url ON page USING existence (url);
SELECT existence_might_contain('page', 'url', 'x');
RESET ROLE;
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'page_url'::regclass;
SELECT existence_might_contain('page', 'url', 'x');
SELECT index, status FROM existence_info('page', 'url');
SELECT existence_verify('page', 'url');
UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'page_url'::regclass;
SET ROLE existence_owner;
SELECT existence_might_contain('page', 'url', 'x');

-- ---------- a composite type that has got another attribute ----------
CREATE TYPE point2 AS (x int, y int);
CREATE TABLE place (p point2);
INSERT INTO place VALUES ('(1,2)');
CREATE INDEX ON place USING existence (p);
SELECT existence_might_contain('place', 'p', '(1,2)'::point2) AS here, existence_might_contain('place', 'p', '(2,2)'::point2) AS elsewhere;
ALTER TYPE point2 ADD ATTRIBUTE z int;
SELECT existence_might_contain('place', 'p', '(1,2,)'::point2) AS here, existence_might_contain('place', 'p', '(2,2,)'::point2) AS maybe;
SELECT status FROM existence_info('place', 'p');
REINDEX TABLE place;
SELECT existence_might_contain('place', 'p', '(1,2,)'::point2) AS here, existence_might_contain('place', 'p', '(2,2,)'::point2) AS elsewhere;
-- one that is dropped, and one of its type in its place; one that has come and gone
ALTER TYPE point2 DROP ATTRIBUTE z;
ALTER TYPE point2 ADD ATTRIBUTE z int;
SELECT p, existence_might_contain('place', 'p', p) AS here, existence_might_contain('place', 'p', '(2,2,)'::point2) AS maybe FROM place;
REINDEX TABLE place;
ALTER TYPE point2 ADD ATTRIBUTE t int;
INSERT INTO place VALUES ('(1,2,3,4)');
ALTER TYPE point2 DROP ATTRIBUTE t;
SELECT p, existence_might_contain('place', 'p', p) AS here FROM place;
SELECT status FROM existence_info('place', 'p');
SELECT existence_export('place', 'p');
SET enable_seqscan = off;
SELECT * FROM place WHERE p = '(1,2,3)'::point2;
RESET enable_seqscan;
-- also inside of other types
CREATE DOMAIN places AS point2[];
ALTER TABLE place ADD ps places;
UPDATE place SET ps = ARRAY[p];
CREATE INDEX ON place USING existence (ps);
ALTER TYPE point2 DROP ATTRIBUTE z;
ALTER TYPE point2 ADD ATTRIBUTE z int;
SELECT count(*), bool_and(existence_might_contain('place', 'ps', ps)) AS here FROM place;
DROP TABLE place;
DROP DOMAIN places;

-- ---------- partitions ----------
CREATE TABLE part (region int, k text, PRIMARY KEY (region, k)) PARTITION BY LIST (region);
CREATE TABLE part1 PARTITION OF part FOR VALUES IN (1);
CREATE TABLE part2 PARTITION OF part FOR VALUES IN (2) PARTITION BY HASH (k);
CREATE TABLE part2a PARTITION OF part2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
-- columns in another order
CREATE TABLE part2b (x int, k text NOT NULL, region int NOT NULL);
ALTER TABLE part2b DROP x;
ALTER TABLE part2 ATTACH PARTITION part2b FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO part SELECT 1 + i % 2, 'key ' || i FROM generate_series(1, 100) i;
CREATE INDEX part_upper ON part USING existence (upper(k));
CREATE INDEX ON part1 USING existence (k);
SELECT existence_might_contain('part1', 'k', 'key 2') AS here, existence_might_contain('part1', 'k', 'key 1') AS elsewhere;
-- each partition must have one
SELECT existence_might_contain('part', 'k', 'key 2');
CREATE INDEX ON part USING existence (k);
SELECT count(*) FILTER (WHERE existence_might_contain('part', 'k', k)) AS here, count(*) FILTER (WHERE existence_might_contain('part', 'k', k || '?')) AS elsewhere,
    count(*) FILTER (WHERE existence_might_contain('part', 'part_upper', upper(k))) AS upper, count(*) FILTER (WHERE existence_might_contain('part2', 'k', k)) AS subtree FROM part;
SELECT existence_verify('part', 'k'), existence_verify('part', 'part_upper'), (SELECT count(*) FROM existence_info('part', 'k')) AS indexes;
SELECT existence_export('part', 'k');
CREATE TABLE part3 PARTITION OF part FOR VALUES IN (3);
INSERT INTO part VALUES (3, 'new');
SELECT existence_might_contain('part', 'k', 'new') AS here, existence_might_contain('part', 'part_upper', 'NEW') AS upper;
ALTER TABLE part DETACH PARTITION part3;
SELECT existence_might_contain('part', 'k', 'new') AS gone, existence_might_contain('part3', 'k', 'new') AS here;

-- ---------- rows that are elsewhere ----------
RESET ROLE;
CREATE FOREIGN DATA WRAPPER existence_nowhere;
CREATE SERVER existence_nowhere FOREIGN DATA WRAPPER existence_nowhere;
CREATE FOREIGN TABLE existence_test.far (region int, k text) SERVER existence_nowhere;
CREATE TABLE existence_test.half (k text) PARTITION BY LIST (k);
CREATE TABLE existence_test.half1 PARTITION OF existence_test.half FOR VALUES IN ('a');
CREATE INDEX ON existence_test.half1 USING existence (k);
CREATE FOREIGN TABLE existence_test.half2 PARTITION OF existence_test.half FOR VALUES IN ('b') SERVER existence_nowhere;
SELECT existence_might_contain('far', 'k', 'x');
SELECT existence_might_contain('half', 'k', 'x');
SELECT existence_might_contain('half1', 'k', 'x');
DROP FOREIGN TABLE far, half2;
SELECT existence_might_contain('half', 'k', 'x');
DROP TABLE half;
DROP SERVER existence_nowhere;
DROP FOREIGN DATA WRAPPER existence_nowhere;
SET ROLE existence_owner;
CREATE TABLE child (more int) INHERITS (page);
SELECT existence_might_contain('page', 'url', 'x');
SELECT existence_might_contain('child', 'url', 'x');
DROP TABLE child;
SELECT existence_might_contain('page', 'url', 'x');
CREATE VIEW pages AS SELECT * FROM page;
SELECT existence_might_contain('pages', 'url', 'x');
-- what Citus keeps about the tables that it has distributed
RESET ROLE;
SET allow_system_table_mods = on;
CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass NOT NULL, partmethod "char");
INSERT INTO pg_catalog.pg_dist_partition VALUES ('existence_test.page', 'h');
GRANT SELECT ON pg_catalog.pg_dist_partition TO public;
SELECT existence_might_contain('page', 'url', 'https://host1.example/1');
SELECT existence_might_contain_any('page', 'url', '{a,b}');
SELECT * FROM existence_info('page', 'url');
SELECT existence_might_contain('part1', 'k', 'key 2');
DROP TABLE pg_catalog.pg_dist_partition;
RESET allow_system_table_mods;

-- ---------- privileges ----------
SET ROLE existence_reader;
SELECT existence_might_contain('page', 'url', 'x');
SELECT * FROM existence_info('page', 'url');
SELECT existence_export('page', 'url');
RESET ROLE;
GRANT SELECT (url) ON page TO existence_reader;
SET ROLE existence_reader;
SELECT existence_might_contain('page', 'url', 'x') AS url;
SELECT existence_might_contain('page', 'page_host', 'x');
SELECT existence_verify('page', 'url');
RESET ROLE;
GRANT SELECT (host) ON page TO existence_reader;
SET ROLE existence_reader;
SELECT existence_might_contain('page', 'page_host', 'x') AS expression;
-- a call site that another role goes on with
RESET ROLE;
CREATE FUNCTION asks() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN existence_might_contain('existence_test.part1', 'k', 'x'); END $$;
BEGIN;
SELECT asks();
SET LOCAL ROLE existence_reader;
SELECT asks();
ROLLBACK;
-- a key without a column
BEGIN;
RESET ROLE;
CREATE INDEX part1_rows ON part1 USING existence ((1));
SET LOCAL ROLE existence_reader;
SELECT existence_might_contain('part1', 'part1_rows', 1);
ROLLBACK;

-- ---------- row-level security ----------
RESET ROLE;
GRANT SELECT ON part1 TO existence_reader;
ALTER TABLE part1 ENABLE ROW LEVEL SECURITY;
SET ROLE existence_reader;
SELECT existence_might_contain('part1', 'k', 'key 2') AS here, existence_might_contain('part1', 'k', 'x') AS maybe;
SELECT existence_export('part1', 'k');
SELECT existence_verify('part1', 'k');
SET ROLE existence_owner;
-- they do not apply to the owner
SELECT existence_might_contain('part1', 'k', 'key 2') AS here, existence_might_contain('part1', 'k', 'x') AS elsewhere;
ALTER TABLE part1 FORCE ROW LEVEL SECURITY;
SELECT existence_might_contain('part1', 'k', 'x') AS maybe;
RESET ROLE;
SELECT existence_might_contain('part1', 'k', 'x') AS superuser;
-- nor do plans tell which of the hidden keys are there
CREATE FUNCTION pg_temp.plan_of(key text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
    plan text := '';
BEGIN
    FOR line IN EXECUTE format('EXPLAIN SELECT * FROM hidden WHERE k = %L', key) LOOP
        plan := plan || replace(line, key, 'x');
    END LOOP;
    RETURN plan;
END $$;
CREATE TABLE hidden (k text, whose name);
INSERT INTO hidden SELECT 'key ' || i, 'somebody' FROM generate_series(1, 2000) i;
CREATE INDEX ON hidden USING existence (k);
ANALYZE hidden;
SELECT pg_temp.plan_of('key 7') = pg_temp.plan_of('nokey 7') AS all_rows_can_be_seen;
ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON hidden USING (whose = current_user);
GRANT SELECT ON hidden TO existence_reader;
SET ROLE existence_reader;
SELECT pg_temp.plan_of('key 7') = pg_temp.plan_of('nokey 7') AS own_rows_can_be_seen;
RESET ROLE;
DROP TABLE hidden;

-- ---------- code of the owner ----------
SET ROLE existence_owner;
CREATE FUNCTION mine(i int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
    IF current_user <> 'existence_owner' THEN
        RAISE 'code of the owner runs as somebody else';
    END IF;
    RETURN i;
END $$;
CREATE TABLE code (k int);
INSERT INTO code SELECT generate_series(1, 10);
CREATE INDEX code_sum ON code USING existence ((k + mine(1)));
CREATE INDEX code_some ON code USING existence (k) WHERE k > mine(3);
RESET ROLE;
-- (the server forgets what it has computed of an index that is altered)
ALTER INDEX code_sum SET (expansion = 1);
SELECT existence_verify('code', 'code_sum');
ALTER INDEX code_some SET (expansion = 1);
SELECT existence_verify('code', 'k');
ALTER INDEX code_sum SET (expansion = 1);
SELECT layers, status FROM existence_info('code', 'code_sum');
ALTER INDEX code_some SET (expansion = 1);
SELECT existence_might_contain('code', 'k', 100);
DROP TABLE code;

-- ---------- health ----------
SELECT sketch_column, type, sketches, bytes, parameters, status, remark FROM probds_health() WHERE type = 'existence' ORDER BY 1;
SET ROLE existence_reader;
SELECT sketch_column FROM probds_health() WHERE type = 'existence' ORDER BY 1;
RESET ROLE;

SET client_min_messages = warning;
DROP SCHEMA existence_test CASCADE;
RESET search_path;
DROP ROLE existence_owner, existence_reader;
