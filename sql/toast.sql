-- Unions of stored values, which the merge aggregates read out of a TOAST table that they keep
-- open: of all types, in all forms that a value can be stored in, and however a query ends.
SET max_parallel_workers_per_gather = 0;

-- All types; the values are in 12 groups of 3 rows, and of 8 bytes to 15 kB.
CREATE TABLE stored AS
SELECT i % 12 AS g, i, hll_agg(v) AS hll, bloom_agg(v, 6000) AS bloom, cms_agg(v, 0.001, 0.01) AS cms,
       topk_agg(v, 50) AS topk, cuckoo_agg(v, 4000) AS cuckoo,
       counting_bloom_agg(v, 4000) AS counting_bloom, scalable_bloom_agg(v, 1000) AS scalable_bloom,
       minhash_agg(v, 4096) AS minhash
FROM generate_series(1, 36) i, LATERAL (SELECT (i % 5) * 500 + x AS v
                                       FROM generate_series(1, CASE WHEN i % 7 = 0 THEN 1
                                                                    ELSE 2500 END) x) q
GROUP BY i;

CREATE FUNCTION wrong_unions(type text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	storage text;
	keys text;
	wrong int;
BEGIN
	FOREACH storage IN ARRAY '{EXTERNAL,EXTENDED,MAIN}'::text[] LOOP
		EXECUTE format('CREATE TEMP TABLE one (g int, i int, v %I)', type);
		EXECUTE format('ALTER TABLE one ALTER v SET STORAGE %s', storage);
		-- from bytea, so that the new table's storage is what counts
		EXECUTE format('INSERT INTO one SELECT g, i, %I::bytea::%1$I FROM stored ORDER BY i', type);
		INSERT INTO one VALUES (1, 37, NULL), (12, 38, NULL);
		FOREACH keys IN ARRAY '{g,GROUPING SETS (()),"CUBE (g, i)"}'::text[] LOOP
			EXECUTE format($q$
				WITH a AS (SELECT %2$s_merge_agg(v)::bytea AS v FROM one GROUP BY %1$s),
				b AS MATERIALIZED (SELECT g, i, v::bytea || '' AS v FROM one),
				c AS (SELECT %2$s_merge_agg(v::%2$I)::bytea AS v FROM b GROUP BY %1$s)
				SELECT count(*) FROM (SELECT * FROM a EXCEPT ALL SELECT * FROM c) q
				$q$, keys, type) INTO wrong;
			IF wrong <> 0 THEN
				RETURN NEXT format('%s %s %s: %s', type, storage, keys, wrong);
			END IF;
		END LOOP;
		DROP TABLE one;
	END LOOP;
END $$;

CREATE TEMP VIEW all_wrong AS
SELECT type, wrong_unions(type) FROM unnest('{hll,bloom,cms,topk,cuckoo,counting_bloom,scalable_bloom,
	minhash}'::text[]) type;
SET enable_hashagg = off;
SELECT * FROM all_wrong;
SET enable_hashagg = on;
SET enable_sort = off;
SELECT * FROM all_wrong;
-- hash tables that spill
SET work_mem = '64kB';
SELECT * FROM all_wrong WHERE type IN ('hll', 'bloom', 'scalable_bloom');
RESET work_mem;
RESET enable_sort;

-- Dense sketches, all of them out of line; "kind" is of other values in the last group.
CREATE TABLE dense AS
SELECT i / 4 AS g, i, hll_agg(i * 3000 + x) AS h
FROM generate_series(0, 15) i, generate_series(1, 9000) x GROUP BY i;
CREATE TABLE wrong_kind AS SELECT * FROM dense;
UPDATE wrong_kind SET h = (SELECT hll_agg(x::text) FROM generate_series(1, 9000) x) WHERE i = 15;
CREATE TABLE expected AS
SELECT g, hll_merge_agg(h) AS h FROM (SELECT g, h::bytea::hll AS h FROM dense) q GROUP BY g;

-- The TOAST table is locked, with its index, from the second value of a group to its end.
CREATE FUNCTION toast_locks() RETURNS bigint LANGUAGE sql VOLATILE AS $$
	SELECT count(*) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
	WHERE l.pid = pg_backend_pid() AND c.relnamespace = 'pg_toast'::regnamespace
$$;
SET enable_hashagg = off;
SELECT hll_merge_agg(h) = (SELECT hll_merge_agg(h) FROM expected) AS same,
       min(toast_locks()) AS at_first, max(toast_locks()) AS then
FROM (SELECT * FROM dense ORDER BY i OFFSET 0) q;
BEGIN;
SELECT count(hll_merge_agg) FROM (SELECT hll_merge_agg(h) FROM dense GROUP BY g) q;
SELECT toast_locks();
COMMIT;

-- Nothing remains open after an error, and the table can be changed in the same transaction.
BEGIN;
SAVEPOINT s;
SELECT count(hll_merge_agg(h)) OVER () FROM wrong_kind GROUP BY g;
ROLLBACK TO s;
SELECT toast_locks();
TRUNCATE wrong_kind;
ROLLBACK;
BEGIN;
SELECT hll_merge_agg(h) = (SELECT hll_merge_agg(h) FROM expected) AS same FROM dense;
ALTER TABLE dense ALTER g TYPE bigint;
SELECT hll_merge_agg(h) = (SELECT hll_merge_agg(h) FROM expected) AS same FROM dense;
DROP TABLE dense;
ROLLBACK;

-- Cursors: over the abort of a subtransaction, over deletion, with an error, and held.
BEGIN;
DECLARE c CURSOR FOR
	SELECT g, hll_merge_agg(d.h) = e.h AS same FROM dense d JOIN expected e USING (g)
	GROUP BY g, e.h ORDER BY g;
SAVEPOINT s;
FETCH c;
SAVEPOINT t;
SELECT hll_merge_agg(h) FROM wrong_kind;
ROLLBACK TO t;
FETCH c;
ROLLBACK TO s;
DELETE FROM dense;
FETCH ALL FROM c;
SELECT toast_locks() > 0 AS locked_by_the_delete;
ROLLBACK;
BEGIN;
DECLARE c CURSOR FOR SELECT g, hll_merge_agg(h) IS NULL AS nothing FROM wrong_kind
	GROUP BY g ORDER BY g;
FETCH 2 FROM c;
SAVEPOINT s;
FETCH ALL FROM c;
ROLLBACK TO s;
FETCH c;
ROLLBACK TO s;
SELECT toast_locks();
COMMIT;
BEGIN;
DECLARE c CURSOR WITH HOLD FOR
	SELECT g, hll_merge_agg(d.h) = e.h AS same FROM dense d JOIN expected e USING (g)
	GROUP BY g, e.h ORDER BY g;
FETCH c;
COMMIT;
FETCH ALL FROM c;
CLOSE c;
-- one that nobody reads to its end
BEGIN;
DECLARE c CURSOR FOR SELECT g, hll_merge_agg(h) IS NULL AS nothing FROM dense GROUP BY g ORDER BY g;
FETCH c;
COMMIT;

-- In PL/pgSQL, with subtransactions and commits between the groups.
DO $$
DECLARE r record;
BEGIN
	FOR r IN SELECT g, hll_merge_agg(d.h) = e.h AS same FROM dense d JOIN expected e USING (g)
		GROUP BY g, e.h ORDER BY g
	LOOP
		BEGIN
			PERFORM hll_merge_agg(h) FROM wrong_kind;
		EXCEPTION WHEN data_exception THEN
			RAISE NOTICE '% %', r.g, r.same;
		END;
	END LOOP;
	FOR r IN SELECT g, hll_merge_agg(d.h) = e.h AS same FROM dense d JOIN expected e USING (g)
		GROUP BY g, e.h ORDER BY g
	LOOP
		RAISE NOTICE '% %', r.g, r.same;
		COMMIT;
	END LOOP;
END $$;

-- Again and again, from two tables in turn, in a window, and with LIMIT.
SELECT e.g, (SELECT hll_merge_agg(d.h) FROM dense d WHERE d.g = e.g) = e.h AS same
FROM expected e ORDER BY g;
SELECT hll_merge_agg(h) = (SELECT hll_merge_agg(h) FROM expected) AS same
FROM (SELECT i, h FROM dense UNION ALL SELECT i, h FROM wrong_kind WHERE i < 15 ORDER BY i) q;
SELECT hll_merge_agg(h) = (SELECT hll_merge_agg(h) FROM expected) AS same
FROM (SELECT i, h FROM dense UNION ALL SELECT i, h FROM wrong_kind WHERE i < 15) q;
SELECT i, h = (SELECT hll_merge_agg(h) FROM expected) AS same
FROM (SELECT i, hll_merge_agg(h) OVER (ORDER BY i) AS h FROM dense) q ORDER BY i DESC LIMIT 1;
SELECT count(*) FROM (SELECT hll_merge_agg(h) FROM dense GROUP BY g LIMIT 2) q;

-- Parallel workers.
RESET enable_hashagg;
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
ALTER TABLE dense SET (parallel_workers = 2);
SELECT hll_merge_agg(h) = (SELECT hll_merge_agg(h) FROM expected) AS same FROM dense;
RESET max_parallel_workers_per_gather;
RESET min_parallel_table_scan_size;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;


DROP VIEW all_wrong;
DROP TABLE stored, dense, wrong_kind, expected;
DROP FUNCTION wrong_unions, toast_locks;
