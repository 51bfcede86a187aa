-- An existence index in front of the index lookups of nested loops: the same rows, in
-- every kind of join and plan, as without it
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
SET max_parallel_workers_per_gather = 0;
SET enable_bitmapscan = off;
CREATE TABLE gate_inner (k int, t text, v varchar, c char(8), n int);
INSERT INTO gate_inner SELECT i, 'text ' || i, 'text ' || i, 'c' || i, i FROM generate_series(1, 20000) i;
INSERT INTO gate_inner SELECT 7, 'again', 'again', 'again', -i FROM generate_series(1, 3) i;
INSERT INTO gate_inner VALUES (-1, 'blank ', 'blank ', 'blank', 0), (NULL, NULL, NULL, NULL, 0);
CREATE INDEX ON gate_inner (k);
CREATE INDEX ON gate_inner USING hash (t);
CREATE INDEX ON gate_inner (v, n);
CREATE INDEX ON gate_inner (c);
CREATE INDEX gate_inner_k_seen ON gate_inner USING existence (k);
CREATE INDEX ON gate_inner USING existence (t);
CREATE INDEX ON gate_inner USING existence (v);
CREATE INDEX ON gate_inner USING existence (c);
CREATE TABLE gate_outer AS SELECT i AS id, CASE WHEN i % 50 = 0 THEN i WHEN i % 77 = 0 THEN NULL ELSE -i END AS k, 'text ' || CASE WHEN i % 50 = 0 THEN i ELSE -i END AS t, ('c' || CASE WHEN i % 50 = 0 THEN i ELSE -i END)::char(8) AS c FROM generate_series(1, 3000) i;
INSERT INTO gate_outer VALUES (0, 7, 'again', 'again');
ANALYZE gate_inner, gate_outer;

-- ---------- plans ----------
EXPLAIN (COSTS OFF) SELECT count(*) FROM gate_outer JOIN gate_inner USING (k);
EXPLAIN (COSTS OFF) SELECT o.id, i.n FROM gate_outer o LEFT JOIN gate_inner i ON i.t = o.t;
EXPLAIN (COSTS OFF) SELECT count(*) FROM gate_outer o WHERE EXISTS (SELECT FROM gate_inner i WHERE i.v = o.t AND i.n > 5);
EXPLAIN (COSTS OFF) SELECT count(*) FROM gate_outer o WHERE NOT EXISTS (SELECT FROM gate_inner i WHERE i.c = o.c);
-- not for a single key, nor for other conditions, nor when it is off
EXPLAIN (COSTS OFF) SELECT * FROM gate_inner WHERE k = 7;
EXPLAIN (COSTS OFF) SELECT count(*) FROM gate_outer o JOIN gate_inner i ON i.k < o.k;
SET probds.existence_gate = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM gate_outer JOIN gate_inner USING (k);
RESET probds.existence_gate;

-- ---------- the same rows with and without it ----------
CREATE FUNCTION pg_temp.same(query text, OUT gates bigint, OUT same boolean, OUT row_count bigint) LANGUAGE plpgsql AS $$
DECLARE
    line text;
    with_gate text;
    without text;
    digest text := 'SELECT coalesce(md5(string_agg(q::text, '';'' ORDER BY q::text)), ''none''), count(*) FROM (%s) q';
BEGIN
    gates := 0;
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        gates := gates + (line ~ 'Existence Gate')::int;
    END LOOP;
    EXECUTE format(digest, query) INTO with_gate, row_count;
    SET LOCAL probds.existence_gate = off;
    EXECUTE format(digest, query) INTO without;
    SET LOCAL probds.existence_gate = on;
    same := with_gate = without;
END $$;
SELECT n, s.* FROM (VALUES (1, 'SELECT * FROM gate_outer JOIN gate_inner USING (k)'),
    (2, 'SELECT o.id, i FROM gate_outer o JOIN gate_inner i USING (k)'), (3, 'SELECT o.id, i.ctid, i.tableoid, i.n + o.id AS s FROM gate_outer o LEFT JOIN gate_inner i USING (k)'),
    (4, 'SELECT o.id FROM gate_outer o WHERE EXISTS (SELECT FROM gate_inner i WHERE i.t = o.t)'), (5, 'SELECT o.id FROM gate_outer o WHERE NOT EXISTS (SELECT FROM gate_inner i WHERE i.t = o.t)'),
    (6, 'SELECT o.id, i.n FROM gate_outer o JOIN gate_inner i ON i.v = o.t AND i.n = o.id'), (7, 'SELECT o.id, i.n FROM gate_outer o JOIN gate_inner i ON i.c = o.c'),
    (8, 'SELECT o.id, (SELECT max(n) FROM gate_inner i WHERE i.k = o.k) FROM gate_outer o'), (9, 'SELECT o.id, i.k FROM gate_outer o JOIN gate_inner i ON i.k = o.k + 1'),
    (10, 'SELECT o.id, i.n FROM gate_outer o JOIN gate_inner i ON i.k = o.k::bigint'), (11, 'SELECT o.id, x.n FROM gate_outer o, LATERAL (SELECT n FROM gate_inner i WHERE i.k = o.k ORDER BY n DESC LIMIT 2) x'),
    (12, 'SELECT o.id FROM gate_outer o LEFT JOIN gate_inner i USING (k) LEFT JOIN gate_inner j ON j.t = i.t WHERE o.id < 500'),
    -- types that the column is relabeled as hash otherwise
    (13, 'SELECT o.k FROM (VALUES (4294967295::oid), (7::oid)) o (k) JOIN gate_inner i ON i.k::oid = o.k'), (14, 'SELECT o.c FROM (VALUES (''blank''::bpchar), (''again'')) o (c) JOIN gate_inner i ON i.t::bpchar = o.c'),
    (15, 'SELECT o.id, i.n FROM gate_outer o JOIN gate_inner i ON i.k = o.k WHERE i.n > 1000')) q (n, query), pg_temp.same(query) s ORDER BY n;

-- rows are locked, changed and deleted through it
BEGIN;
SELECT count(*) FROM (SELECT i.n FROM gate_outer o JOIN gate_inner i USING (k) FOR UPDATE OF i) q;
UPDATE gate_inner i SET n = n + 100000 FROM gate_outer o WHERE i.k = o.k;
SELECT count(*) FROM gate_inner WHERE n > 50000;
DELETE FROM gate_inner i USING gate_outer o WHERE i.k = o.k;
SELECT count(*) FROM gate_inner;
INSERT INTO gate_inner SELECT k, t FROM gate_outer o WHERE k IS NOT NULL AND NOT EXISTS (SELECT FROM gate_inner i WHERE i.k = o.k);
SELECT count(*) FROM gate_outer JOIN gate_inner USING (k);
ROLLBACK;
-- (keys of rows that were rolled back are in the index)
REINDEX INDEX gate_inner_k_seen;

-- cursors, forwards and backwards
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT o.id, i.n FROM gate_outer o JOIN gate_inner i USING (k) ORDER BY o.id, i.n;
FETCH 5 FROM c;
FETCH BACKWARD 2 FROM c;
COMMIT;

-- a key that is the same for the whole query has no gate, so a cursor can do what it can without
BEGIN;
DECLARE c CURSOR FOR SELECT k, n FROM gate_inner WHERE k = (SELECT max(id) FROM gate_outer);
FETCH c;
FETCH BACKWARD c;
FETCH FORWARD c;
UPDATE gate_inner SET n = -5 WHERE CURRENT OF c;
DELETE FROM gate_inner WHERE CURRENT OF c;
SELECT n FROM gate_inner WHERE k = 3000;
DECLARE u CURSOR FOR SELECT * FROM (SELECT k, n FROM gate_inner WHERE k = (SELECT min(k) + 13 FROM gate_inner) OFFSET 0) q;
FETCH u;
UPDATE gate_inner SET n = -6 WHERE CURRENT OF u;
SELECT n FROM gate_inner WHERE k = 12;
ROLLBACK;

-- the key is evaluated once a row, whether it is there, and in a lookup that is begun again
CREATE FUNCTION gate_loud(key text) RETURNS text STABLE LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'key %', key; RETURN key; END $$;
EXPLAIN (COSTS OFF) SELECT o.id, i.n FROM gate_outer o LEFT JOIN gate_inner i ON i.v = gate_loud(o.t) WHERE o.id BETWEEN 49 AND 51;
SELECT o.id, i.n FROM gate_outer o LEFT JOIN gate_inner i ON i.v = gate_loud(o.t) WHERE o.id BETWEEN 49 AND 51;
SELECT o.id, (SELECT i.n FROM gate_inner i WHERE i.v = gate_loud(o.t)) FROM gate_outer o WHERE o.id BETWEEN 49 AND 51;
SELECT o.id, q.* FROM gate_outer o, generate_series(1, 2) g, LATERAL (SELECT n FROM gate_inner i WHERE i.v = gate_loud(o.t) OFFSET 0) q WHERE o.id BETWEEN 49 AND 50;

-- prepared statements, and an index that goes
PREPARE joined AS SELECT count(*) FROM gate_outer o JOIN gate_inner i USING (k) WHERE o.id > $1;
SET plan_cache_mode = force_generic_plan;
EXECUTE joined (0);
BEGIN;
DROP INDEX gate_inner_k_seen;
EXECUTE joined (0);
ROLLBACK;
EXECUTE joined (0);
RESET plan_cache_mode;

-- a condition without a column of the subquery: the planner puts a Result in front of the lookup
SELECT s.* FROM pg_temp.same('SELECT o.id, (SELECT n FROM gate_inner i WHERE i.k = o.k AND o.id % 2 = 1) FROM gate_outer o') s;
SELECT s.* FROM pg_temp.same('SELECT o.id, (SELECT max(i.k) FROM gate_inner i WHERE i.k = o.k AND now() > ''2020-01-01'') FROM gate_outer o') s;
SELECT s.* FROM pg_temp.same('SELECT o.id FROM gate_outer o WHERE EXISTS (SELECT FROM gate_inner i WHERE i.k = o.k AND o.id > 5 OFFSET 0)') s;

-- keys that are mostly there: the gate stops looking for a while, and none is lost
CREATE TEMP TABLE present AS SELECT 1 + i % 20000 AS k FROM generate_series(1, 60000) i;
SELECT s.* FROM pg_temp.same('SELECT present.k, n FROM present JOIN gate_inner USING (k)') s;
-- there is none where the planner knows that
ANALYZE present;
SELECT s.* FROM pg_temp.same('SELECT present.k, n FROM present JOIN gate_inner USING (k)') s;

-- an idle gate notices that keys are absent again: of 10,000 it keeps back more than 9,000
CREATE TEMP TABLE turn AS SELECT CASE WHEN i > 10000 THEN -i ELSE i END AS k FROM generate_series(1, 20000) i;
CREATE FUNCTION pg_temp.removed(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    line text;
    total int := 0;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
        total := total + coalesce(substring(line FROM 'Keys Removed: (\d+)')::int, 0);
    END LOOP;
    RETURN total;
END $$;
SELECT r BETWEEN 9000 AND 10000 AS relearned FROM pg_temp.removed('SELECT turn.k, n FROM turn LEFT JOIN gate_inner USING (k)') r;

-- in parallel
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT count(*), sum(i.n) FROM gate_outer JOIN gate_inner i USING (k);
SELECT count(*), sum(i.n) FROM gate_outer JOIN gate_inner i USING (k);
RESET max_parallel_workers_per_gather;
SET max_parallel_workers_per_gather = 0;

-- compiled
SET jit_above_cost = 0;
SELECT count(*), sum(i.n) FROM gate_outer JOIN gate_inner i USING (k);
RESET jit_above_cost;

-- partitions, also joined one by one
CREATE TABLE gate_part (k int, n int) PARTITION BY RANGE (k);
CREATE TABLE gate_part1 PARTITION OF gate_part FOR VALUES FROM (MINVALUE) TO (5000);
CREATE TABLE gate_part2 PARTITION OF gate_part FOR VALUES FROM (5000) TO (MAXVALUE);
CREATE INDEX ON gate_part (k);
CREATE INDEX ON gate_part USING existence (k);
INSERT INTO gate_part SELECT i, i FROM generate_series(1, 10000) i;
CREATE TABLE gate_side (LIKE gate_part) PARTITION BY RANGE (k);
CREATE TABLE gate_side1 PARTITION OF gate_side FOR VALUES FROM (MINVALUE) TO (5000);
CREATE TABLE gate_side2 PARTITION OF gate_side FOR VALUES FROM (5000) TO (MAXVALUE);
INSERT INTO gate_side SELECT CASE WHEN i % 20 = 0 THEN i ELSE 20000 + i END, i FROM generate_series(1, 6000) i;
ANALYZE gate_part, gate_side;
SELECT s.* FROM pg_temp.same('SELECT o.id, p.n FROM gate_outer o JOIN gate_part p USING (k)') s;
SET enable_partitionwise_join = on;
SELECT s.gates > 0 AS gates, s.same, s.row_count FROM pg_temp.same('SELECT a.n AS n, b.n AS m FROM gate_side a JOIN gate_part b USING (k)') s;
RESET enable_partitionwise_join;
DROP TABLE gate_part, gate_side, gate_inner, gate_outer;
DROP FUNCTION gate_loud;
