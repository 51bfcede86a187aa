-- Bitmap scans: a table without another index on the column is not read for keys that are
-- not there.  Every answer is that of a sequential scan
SET max_parallel_workers_per_gather = 0;
CREATE TABLE existence_scan AS SELECT i AS k, i::bigint AS b, 'text ' || i AS t, (i % 100)::text AS s, i AS n FROM generate_series(1, 20000) i;
INSERT INTO existence_scan VALUES (-1, -1, 'blank  ', NULL, 0);
CREATE INDEX existence_scan_k ON existence_scan USING existence (k);
CREATE INDEX existence_scan_b ON existence_scan USING existence (b);
CREATE INDEX existence_scan_t ON existence_scan USING existence (t);
CREATE INDEX existence_scan_lower ON existence_scan USING existence (lower(s));
CREATE INDEX existence_scan_part ON existence_scan USING existence (n) WHERE n > 10000;
ANALYZE existence_scan;

-- a key that the planner knows is looked up at once
EXPLAIN (COSTS OFF) SELECT * FROM existence_scan WHERE k = 7;
EXPLAIN (COSTS OFF) SELECT * FROM existence_scan WHERE k = -7;
EXPLAIN (COSTS OFF) SELECT * FROM existence_scan WHERE b = -7 AND t = 'text 7';
EXPLAIN (COSTS OFF) SELECT * FROM existence_scan WHERE k = -7::bigint;
EXPLAIN (COSTS OFF) SELECT * FROM existence_scan WHERE k = ANY ('{-7,-8,NULL}');
EXPLAIN (COSTS OFF) SELECT * FROM existence_scan WHERE k = ANY ('{-7,7}');
EXPLAIN (COSTS OFF) SELECT * FROM existence_scan WHERE lower(s) = 'x';
-- partial ones, where their condition is
EXPLAIN (COSTS OFF) SELECT * FROM existence_scan WHERE n = -7;
EXPLAIN (COSTS OFF) SELECT * FROM existence_scan WHERE n = -7 AND n > 12000;
-- and what it is not for
EXPLAIN (COSTS OFF) SELECT * FROM existence_scan WHERE k < 0;
EXPLAIN (COSTS OFF) SELECT * FROM existence_scan WHERE k IS NULL;
EXPLAIN (COSTS OFF) SELECT * FROM existence_scan WHERE k <> 7;
EXPLAIN (COSTS OFF) SELECT * FROM existence_scan ORDER BY k;

SELECT count(*) FILTER (WHERE k > 0), count(*) FROM existence_scan WHERE k = 7 OR k = -7 OR k = -1;
SELECT * FROM existence_scan WHERE k = -7;
SET enable_seqscan = off;
SELECT k FROM existence_scan WHERE k = 7;
SELECT k FROM existence_scan WHERE k = ANY ('{7,8,-9,NULL}') ORDER BY k;
SELECT count(*) FROM existence_scan WHERE lower(s) = '7';
SELECT count(*) FROM existence_scan WHERE t = NULL;
RESET enable_seqscan;

-- parameters
PREPARE ask AS SELECT k FROM existence_scan WHERE k = $1;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE ask (7);
EXECUTE ask (7);
EXECUTE ask (-7);
EXECUTE ask (NULL);
RESET plan_cache_mode;

-- operators of another type, to which the column is relabeled, hash otherwise
EXPLAIN (COSTS OFF) SELECT k FROM existence_scan WHERE k::oid = 4294967295;
SELECT k FROM existence_scan WHERE k::oid = 4294967295;
SELECT k FROM existence_scan WHERE t::bpchar = 'blank';

-- an array that the planner does not know, and one probe after the other until one says "yes"
SET plan_cache_mode = force_generic_plan;
PREPARE in_array (int[]) AS SELECT k FROM existence_scan WHERE k = ANY ($1);
EXPLAIN (COSTS OFF) EXECUTE in_array ('{-7,-8}');
EXECUTE in_array ('{-7,NULL,-8}');
EXECUTE in_array ('{{-7,NULL},{-8,7}}');
EXECUTE in_array ('{NULL}');
EXECUTE in_array ('{}');
EXECUTE in_array (NULL);
EXPLAIN (COSTS OFF) SELECT u.n, s.k FROM (VALUES (1, '{-7,7}'::int[]), (2, '{-8}'), (3, NULL)) u (n, ks) LEFT JOIN existence_scan s ON s.k = ANY (ks) ORDER BY n;
SELECT u.n, s.k FROM (VALUES (1, '{-7,7}'::int[]), (2, '{-8}'), (3, NULL)) u (n, ks) LEFT JOIN existence_scan s ON s.k = ANY (ks) ORDER BY n;
DEALLOCATE in_array;
RESET plan_cache_mode;

-- any other index on the column is better
CREATE INDEX existence_scan_btree ON existence_scan (k);
EXPLAIN (COSTS OFF) SELECT * FROM existence_scan WHERE k = -7;
DROP INDEX existence_scan_btree;
CREATE INDEX existence_scan_brin ON existence_scan USING brin (k) WITH (pages_per_range = 4);
EXPLAIN (COSTS OFF) SELECT * FROM existence_scan WHERE k = -7;
DROP TABLE existence_scan;

-- partitions: only those are read that might have the key
CREATE TABLE existence_day (day date, k text) PARTITION BY RANGE (day);
CREATE TABLE existence_day1 PARTITION OF existence_day FOR VALUES FROM ('2026-01-01') TO ('2026-01-02');
CREATE TABLE existence_day2 PARTITION OF existence_day FOR VALUES FROM ('2026-01-02') TO ('2026-01-03');
CREATE TABLE existence_day3 PARTITION OF existence_day FOR VALUES FROM ('2026-01-03') TO ('2026-01-04');
CREATE INDEX ON existence_day USING existence (k);
INSERT INTO existence_day SELECT '2026-01-01'::date + i % 3, 'key ' || i FROM generate_series(1, 30000) i;
ANALYZE existence_day;
EXPLAIN (COSTS OFF) SELECT * FROM existence_day WHERE k = 'key 7';
SELECT * FROM existence_day WHERE k = 'key 7';
EXPLAIN (COSTS OFF) SELECT * FROM existence_day WHERE k = 'no key';
SELECT * FROM existence_day WHERE k = 'no key';
DROP TABLE existence_day;
RESET max_parallel_workers_per_gather;

-- what the catalog says of the method
SELECT pg_indexam_has_property(oid, p), p FROM pg_am, unnest('{can_order,can_unique,can_multi_col,can_exclude,can_include}'::text[]) p WHERE amname = 'existence';
SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = 'existence_ops';
-- each operator is the equality of types that hash alike
SELECT amopopr::regoperator FROM pg_amop a JOIN pg_am m ON m.oid = a.amopmethod WHERE m.amname = 'existence' AND (amopstrategy <> 1 OR (SELECT oprname FROM pg_operator o WHERE o.oid = amopopr) <> '=');
