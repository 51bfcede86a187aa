-- The life of an existence index: options, commands that make it again, tables of every sort
CREATE TABLE existence_life (id int PRIMARY KEY, k text);
INSERT INTO existence_life SELECT i, 'key ' || i FROM generate_series(1, 2000) i;

-- ---------- what it can be ----------
CREATE INDEX ON existence_life USING existence (k) WITH (false_positive_rate = 0);
CREATE INDEX ON existence_life USING existence (k) WITH (false_positive_rate = 0.6);
CREATE INDEX ON existence_life USING existence (k) WITH (capacity = -1);
CREATE INDEX ON existence_life USING existence (k) WITH (expansion = 0.5);
CREATE INDEX ON existence_life USING existence (k) WITH (fillfactor = 90);
CREATE UNIQUE INDEX ON existence_life USING existence (k);
CREATE INDEX ON existence_life USING existence (k, id);
CREATE INDEX ON existence_life USING existence (k) INCLUDE (id);
-- (19 shows the place)
\set VERBOSITY sqlstate
CREATE INDEX ON existence_life USING existence (k DESC);
\set VERBOSITY default
ALTER TABLE existence_life ADD EXCLUDE USING existence (k WITH =);

-- ---------- sizes ----------
CREATE INDEX existence_life_k ON existence_life USING existence (k) WITH (false_positive_rate = 0.001);
SELECT layers, keys, capacity, promised_rate, bytes, bytes_after_reindex, kind, status FROM existence_info('existence_life', 'k');
ALTER INDEX existence_life_k SET (capacity = 1000000);
SELECT layers, capacity, bytes, bytes_after_reindex > 1.9e6 AS larger FROM existence_info('existence_life', 'k');
REINDEX INDEX existence_life_k;
-- what bloom_size() says, 3 % for pages and for what follows when it is full, and the metapage
SELECT layers, capacity >= 1000000 AS capacity, bytes = bytes_after_reindex AS bytes, bytes - 8192 <= 1.03 * (bloom_size(1000000, 0.001)).bytes AS small FROM existence_info('existence_life', 'k');
ALTER INDEX existence_life_k RESET (capacity);
REINDEX INDEX existence_life_k;

-- distinct keys count
CREATE TABLE existence_repeated AS SELECT i % 1000 AS k FROM generate_series(1, 100000) i;
CREATE INDEX ON existence_repeated USING existence (k);
SELECT keys BETWEEN 990 AND 1010 AS keys, bytes FROM existence_info('existence_repeated', 'k');
DROP TABLE existence_repeated;

-- ---------- every command that makes tables and indexes again ----------
CREATE VIEW pg_temp.found AS SELECT count(*) FILTER (WHERE existence_might_contain('existence_life', 'k', k)) AS found, count(*) FROM existence_life;
SELECT * FROM pg_temp.found;
REINDEX TABLE existence_life;
SELECT * FROM pg_temp.found;
-- the function finds the index that there is, whatever its OID
REINDEX INDEX CONCURRENTLY existence_life_k;
SELECT * FROM pg_temp.found;
CREATE INDEX CONCURRENTLY existence_life_k2 ON existence_life USING existence (k);
DROP INDEX existence_life_k;
SELECT * FROM pg_temp.found;
DELETE FROM existence_life WHERE id % 2 = 0;
VACUUM existence_life;
SELECT * FROM pg_temp.found;
SELECT existence_verify('existence_life', 'k');
VACUUM FULL existence_life;
SELECT * FROM pg_temp.found;
SELECT keys BETWEEN 990 AND 1010 AS forgotten FROM existence_info('existence_life', 'k');
CLUSTER existence_life USING existence_life_pkey;
SELECT * FROM pg_temp.found;
ALTER TABLE existence_life ALTER id TYPE bigint;
SELECT * FROM pg_temp.found;
CLUSTER existence_life USING existence_life_k2;
ALTER TABLE existence_life ADD CONSTRAINT u UNIQUE USING INDEX existence_life_k2;
-- a key that changes, in updates that are and are not heap-only
UPDATE existence_life SET k = k || '!' WHERE id % 3 = 0;
SELECT * FROM pg_temp.found;
TRUNCATE existence_life;
SELECT existence_might_contain('existence_life', 'k', 'key 1');
BEGIN;
INSERT INTO existence_life VALUES (1, 'before');
TRUNCATE existence_life;
INSERT INTO existence_life VALUES (1, 'after');
SELECT existence_might_contain('existence_life', 'k', 'before') AS before, existence_might_contain('existence_life', 'k', 'after') AS after;
ROLLBACK;
SELECT existence_might_contain('existence_life', 'k', 'after') AS after;
-- names
ALTER TABLE existence_life RENAME k TO key;
SELECT existence_might_contain('existence_life', 'k', 'key 1');
SELECT existence_might_contain('existence_life', 'key', 'key 1');
DROP VIEW pg_temp.found;

-- ---------- rows of one's own ----------
INSERT INTO existence_life SELECT i, i FROM generate_series(1, 10) i;
CREATE FUNCTION pg_temp.sees() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT existence_might_contain('existence_life', 'key', NEW.key) THEN
        RAISE 'the row of % is not found', NEW.key;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER sees AFTER INSERT OR UPDATE ON existence_life FOR EACH ROW EXECUTE FUNCTION pg_temp.sees();
INSERT INTO existence_life SELECT i, 'row ' || i FROM generate_series(11, 20) i;
UPDATE existence_life SET key = 'updated ' || id;
COPY existence_life FROM stdin;
21	copied
22	\N
\.
SELECT existence_verify('existence_life', 'key');
-- subtransactions, and an index that comes and goes under a call site
DO $$
DECLARE
    found boolean;
    n int := 0;
BEGIN
    FOR i IN 1..6 LOOP
        BEGIN
            IF i = 3 THEN
                REINDEX INDEX existence_life_k2;
            END IF;
            INSERT INTO existence_life VALUES (100 + i, 'loop ' || i);
            SELECT existence_might_contain('existence_life', 'key', 'loop ' || i) INTO found;
            n := n + found::int;
            IF i % 2 = 0 THEN
                RAISE 'undo';
            END IF;
        EXCEPTION WHEN raise_exception THEN
            NULL;
        END;
    END LOOP;
    RAISE NOTICE '% of 6', n;
END $$;
SELECT existence_verify('existence_life', 'key');
DROP TABLE existence_life;

-- ---------- made and filled in one transaction ----------
BEGIN;
CREATE TABLE existence_new (k int);
CREATE INDEX ON existence_new USING existence (k);
INSERT INTO existence_new SELECT generate_series(1, 50000);
TRUNCATE existence_new;
INSERT INTO existence_new SELECT generate_series(1, 100);
SELECT existence_might_contain('existence_new', 'k', 100) AS here, existence_might_contain('existence_new', 'k', 40000) AS gone;
SELECT layers, keys FROM existence_info('existence_new', 'k');
COMMIT;
SELECT existence_verify('existence_new', 'k');
DROP TABLE existence_new;

-- ---------- sizes that nobody means ----------
CREATE TABLE existence_size (k int);
CREATE INDEX existence_size_k ON existence_size USING existence (k) WITH (capacity = 1e12);
CREATE INDEX CONCURRENTLY existence_size_k ON existence_size USING existence (k) WITH (capacity = 1e12);
CREATE INDEX existence_size_k ON existence_size USING existence (k) WITH (capacity = 1e12, false_positive_rate = 1e-9, expansion = 16);
CREATE INDEX existence_size_k ON existence_size USING existence (k) WITH (capacity = 2e8, expansion = 16);
CREATE INDEX existence_size_k ON existence_size USING existence (k) WITH (capacity = 1e6);
ALTER INDEX existence_size_k SET (capacity = 1e12);
SET probds.existence_size_limit = '1MB';
-- one that there is can be made again
REINDEX INDEX existence_size_k;
TRUNCATE existence_size;
ALTER INDEX existence_size_k SET (false_positive_rate = 0.001);
SET probds.existence_size_limit = '3MB';
ALTER INDEX existence_size_k SET (false_positive_rate = 0.001);
RESET probds.existence_size_limit;
-- what is made of an unlogged index after a crash is small
ALTER TABLE existence_size SET UNLOGGED;
SELECT pg_relation_size('existence_size_k') AS bytes, pg_relation_size('existence_size_k', 'init') AS init;
DROP TABLE existence_size;

-- ---------- builds that fail ----------
CREATE TABLE existence_fails (k int);
INSERT INTO existence_fails SELECT generate_series(1, 100);
CREATE FUNCTION existence_key(k int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF current_setting('existence.fail', true) = 'yes' THEN
        RAISE 'no key of %', k;
    END IF;
    RETURN k;
END $$;
CREATE INDEX existence_fails_k ON existence_fails USING existence (existence_key(k));
CREATE INDEX existence_fails_column ON existence_fails USING existence (k);
SET existence.fail = 'yes';
REINDEX INDEX CONCURRENTLY existence_fails_k;
CREATE INDEX CONCURRENTLY existence_fails_new ON existence_fails USING existence (k) WHERE existence_key(k) IS NOT NULL;
RESET existence.fail;
SELECT index, layers, keys, bytes, kind, status FROM existence_info('existence_fails', 'k') ORDER BY index::text;
SELECT index, layers, keys, bytes, kind, status FROM existence_info('existence_fails', 'existence_fails_k_ccnew');
SELECT sketch_column, sketches, bytes, parameters, fill, status, remark FROM probds_health() WHERE sketch_column LIKE '%existence_fails%' ORDER BY sketch_column COLLATE "C";
SELECT existence_verify('existence_fails', 'k');
SELECT existence_verify('existence_fails', 'existence_fails_k');
SELECT existence_verify('existence_fails', 'existence_fails_k_ccnew');
SELECT existence_might_contain('existence_fails', 'k', 1000), existence_might_contain('existence_fails', 'existence_fails_k', 1000);
REINDEX INDEX existence_fails_new;
SELECT status, existence_verify('existence_fails', 'k') FROM probds_health() WHERE sketch_column LIKE '%existence_fails_new';
DROP TABLE existence_fails;
DROP FUNCTION existence_key;

-- ---------- unlogged and temporary ----------
CREATE UNLOGGED TABLE existence_unlogged (k int);
CREATE INDEX ON existence_unlogged USING existence (k);
INSERT INTO existence_unlogged SELECT generate_series(1, 40000);
SELECT layers > 1 AS grown, existence_verify('existence_unlogged', 'k') FROM existence_info('existence_unlogged', 'k');
ALTER TABLE existence_unlogged SET LOGGED;
SELECT existence_verify('existence_unlogged', 'k');
DROP TABLE existence_unlogged;
CREATE TEMP TABLE existence_temp (k int) ON COMMIT DELETE ROWS;
CREATE INDEX ON existence_temp USING existence (k);
BEGIN;
INSERT INTO existence_temp SELECT generate_series(1, 40000);
SELECT layers > 1 AS grown, existence_verify('pg_temp.existence_temp', 'k') FROM existence_info('pg_temp.existence_temp', 'k');
COMMIT;
SELECT existence_might_contain('existence_temp', 'k', 1);
BEGIN;
INSERT INTO existence_temp VALUES (1);
SELECT existence_might_contain('existence_temp', 'k', 1) AS here, existence_might_contain('existence_temp', 'k', 2) AS gone;
ROLLBACK;

-- ---------- materialized views ----------
CREATE MATERIALIZED VIEW existence_view AS SELECT generate_series(1, 100) AS k;
CREATE INDEX ON existence_view USING existence (k);
SELECT existence_might_contain('existence_view', 'k', 100) AS here, existence_might_contain('existence_view', 'k', 101) AS elsewhere;
REFRESH MATERIALIZED VIEW existence_view;
SELECT existence_might_contain('existence_view', 'k', 100) AS here, existence_might_contain('existence_view', 'k', 101) AS elsewhere;
DROP MATERIALIZED VIEW existence_view;

-- ---------- what CREATE INDEX reports ----------
SELECT i, pg_indexam_progress_phasename(a.oid, i) AS phase FROM pg_am a, generate_series(1, 5) i WHERE amname = 'existence';

-- ---------- tables that change under a call site, in the same transaction ----------
\set SHOW_CONTEXT never
-- what the call answers and what the table has, before and after
CREATE FUNCTION pg_temp.around(relation regclass, change text, value int = 77) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer boolean;
    has boolean;
    said text := '';
    i int;
BEGIN
    FOR i IN 1..3 LOOP
        IF i = 2 THEN
            EXECUTE change;
        END IF;
        answer := existence_might_contain(relation, 'k', value);
        EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE k = $1)', relation) INTO has USING value;
        said := said || CASE WHEN has THEN ', has it: ' ELSE ', has not: ' END || answer;
    END LOOP;
    RETURN substr(said, 3);
END $$;
CREATE TABLE existence_parent (k int, p int) PARTITION BY LIST (p);
CREATE TABLE existence_parent1 PARTITION OF existence_parent FOR VALUES IN (1);
CREATE INDEX ON existence_parent USING existence (k);
CREATE TABLE existence_attached AS SELECT 77 AS k, 2 AS p;
SELECT pg_temp.around('existence_parent', 'ALTER TABLE existence_parent ATTACH PARTITION existence_attached FOR VALUES IN (2)');
SELECT pg_temp.around('existence_parent', 'ALTER TABLE existence_parent DETACH PARTITION existence_attached');
DROP TABLE existence_parent, existence_attached;
CREATE TABLE existence_swapped AS SELECT 1 AS k, 77 AS l;
CREATE INDEX ON existence_swapped USING existence (k);
CREATE INDEX ON existence_swapped USING existence (l);
SELECT pg_temp.around('existence_swapped', 'ALTER TABLE existence_swapped RENAME k TO m; ALTER TABLE existence_swapped RENAME l TO k');
CREATE TABLE existence_child AS SELECT 78 AS k;
ALTER TABLE existence_swapped DROP m;
SELECT pg_temp.around('existence_swapped', 'ALTER TABLE existence_child INHERIT existence_swapped', 78);
DROP TABLE existence_swapped CASCADE;
DROP TABLE existence_child;
