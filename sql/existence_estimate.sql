-- What the planner looks up in an existence index, and for whom
SET max_parallel_workers_per_gather = 0;
CREATE FUNCTION pg_temp.plan(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
    plan text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        plan := concat_ws(', ', nullif(plan, ''), substring(line FROM '(Seq Scan|Bitmap Heap Scan|Index Scan|Existence Gate|Nested Loop|Hash|Merge) ?(?:Anti |Left |Semi )?(?:Join)?'));
    END LOOP;
    RETURN plan;
END $$;

-- ---------- a join becomes a gated nested loop where most keys are absent ----------
CREATE TABLE estimate_inner AS SELECT i * 2 AS k, 'text ' || i * 2 AS t, i AS n FROM generate_series(1, 100000) i;
CREATE INDEX ON estimate_inner (k);
CREATE INDEX estimate_k_seen ON estimate_inner USING existence (k);
CREATE INDEX ON estimate_inner (t);
CREATE INDEX estimate_t_seen ON estimate_inner USING existence (t);
-- keys are even if they are there; NULLs are not; 40 % of "common" is one value
CREATE TABLE estimate_outer AS SELECT i * 30 + (i % 19 > 0)::int AS absent, i * 30 + (i % 19 = 0)::int AS present,
    CASE WHEN i % 19 > 0 THEN NULL ELSE i * 30 END AS nulls, CASE WHEN i % 7 < 3 THEN 1 ELSE i * 30 + (i % 19 > 0)::int END AS common,
    'text ' || i * 30 + (i % 19 > 0)::int AS t, (i * 30 + (i % 19 > 0)::int)::bigint AS big FROM generate_series(1, 6000) i;
ANALYZE estimate_inner, estimate_outer;
SELECT c, pg_temp.plan(format('SELECT o.*, i.n FROM estimate_outer o LEFT JOIN estimate_inner i ON i.k = o.%I', c)) FROM unnest('{absent,present,nulls,common,big}'::text[]) c;
SELECT pg_temp.plan('SELECT o.* FROM estimate_outer o WHERE NOT EXISTS (SELECT FROM estimate_inner i WHERE i.k = o.absent AND i.n > 0)') AS anti,
    pg_temp.plan('SELECT o.* FROM estimate_outer o WHERE NOT EXISTS (SELECT FROM estimate_inner i WHERE i.k = o.present AND i.n > 0)') AS anti_present,
    pg_temp.plan('SELECT o.*, i.n FROM estimate_outer o JOIN estimate_inner i USING (t)') AS text;
-- values that the query names
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT pg_temp.plan('SELECT i.n FROM (VALUES (3), (5), (NULL)) v (k) JOIN estimate_inner i USING (k)') AS absent, pg_temp.plan('SELECT i.n FROM (VALUES (4), (6), (8), (10), (12), (14), (16), (18), (20), (22), (24), (26), (28), (30), (32)) v (k) JOIN estimate_inner i USING (k)') AS present;
SELECT pg_temp.plan(format('SELECT i.n FROM unnest(%L::int[]) v (k) JOIN estimate_inner i USING (k)', (SELECT array_agg(absent) FROM estimate_outer))) AS absent, pg_temp.plan(format('SELECT i.n FROM unnest(%L::int[]) v (k) JOIN estimate_inner i USING (k)', (SELECT array_agg(present) FROM estimate_outer))) AS present;
-- without statistics the gate is tried
CREATE TEMP TABLE unknown AS SELECT present AS k FROM estimate_outer;
SELECT pg_temp.plan('SELECT i.n FROM unknown JOIN estimate_inner i USING (k)') AS unknown;
RESET enable_hashjoin;
RESET enable_mergejoin;

-- planning takes no predicate locks: the keys of an estimate are nobody's answer
BEGIN ISOLATION LEVEL SERIALIZABLE;
EXPLAIN (COSTS OFF) SELECT o.*, i.n FROM estimate_outer o LEFT JOIN estimate_inner i ON i.k = o.absent;
SELECT count(*) FROM pg_locks WHERE mode = 'SIReadLock' AND relation = 'estimate_k_seen'::regclass;
COMMIT;

-- ---------- an estimate tells nobody of rows that he may not read ----------
-- key 4 is there, but not for those whom a policy or a view keeps from it; key 3 is not there
CREATE TABLE estimate_secret AS SELECT i * 2 AS k, i AS n, i % 2 = 1 AS shown FROM generate_series(1, 20000) i;
CREATE INDEX ON estimate_secret USING existence (k) WITH (false_positive_rate = 0.000001);
CREATE VIEW estimate_barrier WITH (security_barrier) AS SELECT * FROM estimate_secret WHERE shown;
CREATE VIEW estimate_view AS SELECT * FROM estimate_secret WHERE shown;
CREATE VIEW estimate_nested AS SELECT * FROM estimate_barrier;
ANALYZE estimate_secret;
CREATE ROLE regress_probds_estimate;
GRANT SELECT ON estimate_barrier, estimate_view, estimate_nested, estimate_outer TO regress_probds_estimate;
CREATE FUNCTION pg_temp.tells(relation text) RETURNS boolean LANGUAGE sql AS $$ SELECT pg_temp.plan('SELECT n FROM ' || relation || ' WHERE k = 4') <> pg_temp.plan('SELECT n FROM ' || relation || ' WHERE k = 3') OR pg_temp.plan('SELECT n FROM ' || relation || ' WHERE k = ANY (''{2,4}'')') <> pg_temp.plan('SELECT n FROM ' || relation || ' WHERE k = ANY (''{1,3}'')') $$;
SELECT r, pg_temp.tells(r) FROM unnest('{estimate_secret,estimate_barrier,estimate_nested,estimate_view}'::text[]) r;
SET ROLE regress_probds_estimate;
SELECT r, pg_temp.tells(r) FROM unnest('{estimate_barrier,estimate_nested,estimate_view}'::text[]) r;
RESET ROLE;
-- the privilege on the column is enough, that on another one is not
GRANT SELECT (n, shown) ON estimate_secret TO regress_probds_estimate;
SET ROLE regress_probds_estimate;
SELECT pg_temp.tells('estimate_view') AS without_column;
RESET ROLE;
GRANT SELECT (k) ON estimate_secret TO regress_probds_estimate;
SET ROLE regress_probds_estimate;
SELECT pg_temp.tells('estimate_view') AS with_column, pg_temp.tells('estimate_secret') AS itself, pg_temp.tells('estimate_barrier') AS barrier;
RESET ROLE;
-- row security
ALTER TABLE estimate_secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY shown ON estimate_secret USING (shown);
SET ROLE regress_probds_estimate;
SELECT pg_temp.tells('estimate_secret') AS itself, pg_temp.tells('estimate_view') AS view;
RESET ROLE;
SELECT pg_temp.tells('estimate_secret') AS owner;
-- a plan that was kept is made again for another role
ALTER TABLE estimate_secret DISABLE ROW LEVEL SECURITY;
PREPARE kept AS SELECT n FROM estimate_view WHERE k = 4;
SELECT pg_temp.plan('EXECUTE kept');
REVOKE SELECT (k) ON estimate_secret FROM regress_probds_estimate;
SET ROLE regress_probds_estimate;
SELECT pg_temp.plan('EXECUTE kept');
RESET ROLE;
DEALLOCATE kept;

-- joins: neither the keys of the inner table nor the statistics of the outer one
CREATE VIEW estimate_lookup WITH (security_barrier) AS SELECT k, n FROM estimate_inner WHERE n > 0;
CREATE VIEW estimate_all AS SELECT k, n FROM estimate_inner;
GRANT SELECT ON estimate_lookup, estimate_all TO regress_probds_estimate;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET ROLE regress_probds_estimate;
SELECT pg_temp.plan('SELECT i.n FROM estimate_outer o JOIN estimate_all i ON i.k = o.absent') = pg_temp.plan('SELECT i.n FROM estimate_outer o JOIN estimate_all i ON i.k = o.present') AS same,
    pg_temp.plan('SELECT i.n FROM estimate_outer o JOIN estimate_all i ON i.k = o.absent') AS absent;
RESET ROLE;
CREATE VIEW estimate_outer_view WITH (security_barrier) AS SELECT absent, present FROM estimate_outer WHERE nulls IS NULL;
SELECT pg_temp.plan('SELECT i.n FROM estimate_outer_view o JOIN estimate_inner i ON i.k = o.absent') = pg_temp.plan('SELECT i.n FROM estimate_outer_view o JOIN estimate_inner i ON i.k = o.present') AS same;
RESET enable_hashjoin;
RESET enable_mergejoin;

-- partitions are read with the rights on their parent
CREATE TABLE estimate_part (n int, k int) PARTITION BY RANGE (k);
CREATE TABLE estimate_part1 (k int, n int);
ALTER TABLE estimate_part ATTACH PARTITION estimate_part1 FOR VALUES FROM (0) TO (100000);
CREATE INDEX ON estimate_part USING existence (k);
INSERT INTO estimate_part SELECT i, i * 2 FROM generate_series(1, 20000) i;
ANALYZE estimate_part;
GRANT SELECT (n) ON estimate_part TO regress_probds_estimate;
CREATE VIEW estimate_part_view AS SELECT * FROM estimate_part;
GRANT SELECT ON estimate_part_view TO regress_probds_estimate;
SET ROLE regress_probds_estimate;
SELECT pg_temp.tells('estimate_part_view') AS without_column;
RESET ROLE;
GRANT SELECT (k) ON estimate_part TO regress_probds_estimate;
SET ROLE regress_probds_estimate;
SELECT pg_temp.tells('estimate_part') AS with_column;
RESET ROLE;

-- ---------- what planning takes ----------
-- pages are read for 100 of 50,000 elements, and for 100 values of the statistics
CREATE FUNCTION pg_temp.pages(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (BUFFERS, FORMAT JSON) ' || query INTO plan;
    RETURN (plan -> 0 -> 'Planning' ->> 'Shared Hit Blocks')::bigint + (plan -> 0 -> 'Planning' ->> 'Shared Read Blocks')::bigint;
END $$;
SELECT format('SELECT n FROM estimate_secret WHERE k = ANY (%L::int[])', array_agg(-i)) AS many FROM generate_series(1, 50000) i \gset
SELECT pg_temp.pages(:'many') > 0 AS warm;
SELECT pg_temp.pages(:'many') BETWEEN 100 AND 500 AS elements;
SELECT 'SELECT o.*, i.n FROM estimate_outer o LEFT JOIN estimate_inner i ON i.k = o.absent' AS joined \gset
SELECT pg_temp.pages(:'joined') > 0 AS warm;
SELECT pg_temp.pages(:'joined') BETWEEN 100 AND 500 AS statistics;
SELECT pg_temp.plan('SELECT n FROM estimate_secret WHERE k = ANY (''{-1,NULL,-2}'')') AS few, pg_temp.plan('SELECT n FROM estimate_secret WHERE k = ANY (''{NULL}'')') AS none,
    pg_temp.plan(:'many') AS many;

-- 100 pages for a table, whatever its partitions: a "no" looks at two of them, the metapage again
CREATE TABLE estimate_parts (part int, k int) PARTITION BY LIST (part);
DO $$ BEGIN FOR i IN 1..130 LOOP EXECUTE format('CREATE TABLE estimate_parts%s PARTITION OF estimate_parts FOR VALUES IN (%s)', i, i); END LOOP; END $$;
CREATE INDEX ON estimate_parts USING existence (k);
INSERT INTO estimate_parts SELECT 1 + i % 130, i * 2 FROM generate_series(1, 13000) i;
ANALYZE estimate_parts;
SELECT format('SELECT FROM estimate_parts WHERE k = ANY (%L::int[])', array_agg(-i)) AS many FROM generate_series(1, 100) i \gset
SELECT 'SELECT FROM estimate_outer o LEFT JOIN estimate_parts i ON i.k = o.absent' AS joined \gset
SELECT q <> '' AND pg_temp.pages(q) > 0 AS warm FROM unnest(ARRAY[:'many', :'joined', 'SELECT FROM estimate_parts WHERE k = -1']) q;
SELECT pg_temp.pages(:'many') BETWEEN 50 AND 250 AS elements, pg_temp.pages('SELECT FROM estimate_parts WHERE k = -1') BETWEEN 50 AND 250 AS single;
CREATE INDEX ON estimate_parts (k);
SELECT pg_temp.pages(:'joined') > 0 AS warm;
SELECT pg_temp.pages(:'joined') BETWEEN 50 AND 250 AS statistics;
DROP TABLE estimate_parts;

-- ---------- another index on the column ----------
CREATE INDEX estimate_partial ON estimate_secret (k) WHERE n < 0;
SELECT pg_temp.plan('SELECT n FROM estimate_secret WHERE k = 3') AS not_implied, pg_temp.plan('SELECT n FROM estimate_secret WHERE k = 3 AND n < 0') AS implied;
DROP INDEX estimate_partial;
CREATE TABLE estimate_text AS SELECT 'text ' || i AS t FROM generate_series(1, 20000) i;
CREATE INDEX ON estimate_text USING existence (t);
-- one whose operators the query does not have
CREATE INDEX estimate_other ON estimate_text USING gin (to_tsvector('simple', t));
CREATE INDEX estimate_collation ON estimate_text (t COLLATE "POSIX");
ANALYZE estimate_text;
SELECT pg_temp.plan('SELECT * FROM estimate_text WHERE t = ''none''') AS other_collation;
CREATE INDEX estimate_btree ON estimate_text (t);
EXPLAIN (COSTS OFF) SELECT * FROM estimate_text WHERE t = 'none';
-- ---------- statistics that are not what ANALYZE gathers ----------
-- (from 18 on the owner of a table can set them)
CREATE TABLE estimate_forged AS SELECT CASE WHEN i % 2 = 0 THEN 'often' ELSE 'rare ' || i END AS t FROM generate_series(1, 2000) i;
ANALYZE estimate_forged;
SET allow_system_table_mods = on;
UPDATE pg_statistic SET stanumbers1 = array_fill(0.0005::float4, ARRAY[2000]) WHERE starelid = 'estimate_forged'::regclass;
SELECT pg_temp.plan('SELECT FROM estimate_forged JOIN estimate_text USING (t)') <> '' AS planned;
UPDATE pg_statistic SET stanullfrac = 'NaN' WHERE starelid = 'estimate_forged'::regclass;
SELECT pg_temp.plan('SELECT FROM estimate_forged JOIN estimate_text USING (t)') <> '' AS planned;
RESET allow_system_table_mods;
DROP TABLE estimate_inner, estimate_outer, estimate_secret, estimate_part, estimate_text, estimate_forged CASCADE;
DROP OWNED BY regress_probds_estimate;
DROP ROLE regress_probds_estimate;
