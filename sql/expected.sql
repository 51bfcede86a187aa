-- States that begin in the size that the planner's estimate says (server/type/expected_size.c): the same
-- answers, and memory within bounds where the estimate is wrong.
SET max_parallel_workers_per_gather = 0;
SET enable_sort = off;
SET jit = off;
SET work_mem = '64MB';

CREATE TABLE estimated AS SELECT i % 200 AS g, i, i % 200 AS one FROM generate_series(0, 399999) i;
ANALYZE estimated;

-- kB of the hash aggregate, or something else that EXPLAIN says of it
CREATE FUNCTION peak(query text, what text = 'Peak Memory Usage') RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, FORMAT JSON) ' || query INTO plan;
	IF plan->0->'Plan'->>'Strategy' <> 'Hashed' THEN
		RAISE EXCEPTION 'no hash aggregate: %', plan;
	END IF;
	RETURN (plan->0->'Plan'->>what)::int;
END $$;

-- 2,000 rows are expected in each of 200 groups.  (Their values are equal here: without an
-- estimate all groups together take less than 250 kB.)
SELECT peak('SELECT g, hll_agg(one) FROM estimated GROUP BY g') BETWEEN 1600 AND 2400 AS hll,
       peak('SELECT g, bloom_agg(one, 2000) FROM estimated GROUP BY g') BETWEEN 400 AND 1600 AS bloom,
       peak('SELECT g, cms_agg(one, 0.01, 0.01) FROM estimated GROUP BY g') BETWEEN 800 AND 2400 AS cms;
-- not where a filter takes rows away, or for grouping sets
SELECT peak('SELECT g, hll_agg(one) FILTER (WHERE i >= 0) FROM estimated GROUP BY g') < 250 AS filter,
       peak('SELECT g, hll_agg(one) FROM estimated GROUP BY GROUPING SETS ((g), (one))') < 500 AS sets;
-- nor where that would take more than half of hash_mem
SET hash_mem_multiplier = 1;
SET work_mem = '2MB';
SELECT peak('SELECT g, hll_agg(one) FROM estimated GROUP BY g') < 250 AS little_memory;
-- nor, for most groups, where there are more than the planner expects: of a function's result it
-- expects 200.  As many as begin large fit into half of the memory, and no group is spilled.
SET work_mem = '40MB';
CREATE FUNCTION of_many_groups(what text) RETURNS int LANGUAGE sql AS
$$ SELECT peak('SELECT x % 20000, hll_agg(1) FROM generate_series(0, 399999) x GROUP BY 1', what) $$;
SELECT of_many_groups('HashAgg Batches') AS batches,
       of_many_groups('Peak Memory Usage') > 20000 AS some_are_large;
RESET hash_mem_multiplier;
SET work_mem = '64MB';

-- the answers are the same: hashed, sorted, of one group, and of groups that are not what was
-- expected
CREATE FUNCTION wrong(keys text) RETURNS TABLE (aggregate text, groups bigint, wrong bigint)
LANGUAGE plpgsql AS $$
DECLARE
	call text;
BEGIN
	FOREACH call IN ARRAY '{hll_agg(i),"hll_agg(i, 4)","hll_agg(i, 16)",hll_agg(one),"bloom_agg(i, 2000)",
		"bloom_agg(i, 2000, 0.01, ''classic'')",bloom_agg(i),"cms_agg(i, 0.01, 0.01)",
		"cms_agg_conservative(one, 0.01, 0.01)","topk_agg(i % 50)"}'::text[] LOOP
		aggregate := call;
		SET LOCAL enable_hashagg = on;
		SET LOCAL enable_sort = off;
		EXECUTE format('CREATE TEMP TABLE hashed AS SELECT %s AS k, %s::bytea AS v FROM estimated GROUP BY 1',
					   keys, call);
		SET LOCAL enable_hashagg = off;
		SET LOCAL enable_sort = on;
		-- by a filter nothing is expected
		EXECUTE format('CREATE TEMP TABLE sorted AS SELECT %s AS k, %s::bytea AS v,
						%2$s FILTER (WHERE i >= 0)::bytea AS plain FROM estimated GROUP BY 1',
					   keys, call);
		SELECT count(*), count(*) FILTER (WHERE h.v IS DISTINCT FROM plain OR s.v IS DISTINCT FROM plain)
			INTO groups, wrong FROM hashed h FULL JOIN sorted s USING (k);
		DROP TABLE hashed, sorted;
		RETURN NEXT;
	END LOOP;
END $$;
SELECT * FROM wrong('g');
SELECT * FROM wrong('abs(i % 1000)');
SELECT * FROM wrong('one < 0');

DROP FUNCTION peak, of_many_groups, wrong;
DROP TABLE estimated;
