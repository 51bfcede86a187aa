-- What tests of plans include: the same sketches by every plan

-- Has the plan of a query such a node?
CREATE FUNCTION pg_temp.plan_has(query text, node text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        IF line LIKE '%' || node || '%' THEN
            RETURN true;
        END IF;
    END LOOP;
    RETURN false;
END
$$;

-- How many rows the planner expects of a query
CREATE FUNCTION pg_temp.rows_planned(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
    RETURN plan #>> '{0,Plan,Plan Rows}';
END
$$;

-- Rows for plans: groups of 1, 2, 4, ... 32,768 in g, of all sizes in c, n is NULL in some;
-- once as they are, once in partitions by g
CREATE PROCEDURE pg_temp.make_rows() LANGUAGE plpgsql AS $$
BEGIN
    CREATE TABLE plan_rows AS SELECT i, length(ltrim(i::bit(20)::text, '0')) - 1 AS g, i % 7 AS c,
        i AS n FROM generate_series(1::bigint, 65535) i;
    INSERT INTO plan_rows SELECT 0, -1, 0 FROM generate_series(1, 9);
    CREATE TABLE plan_parts (LIKE plan_rows) PARTITION BY HASH (g);
    CREATE TABLE plan_part_0 PARTITION OF plan_parts FOR VALUES WITH (MODULUS 3, REMAINDER 0);
    CREATE TABLE plan_part_1 PARTITION OF plan_parts FOR VALUES WITH (MODULUS 3, REMAINDER 1);
    CREATE TABLE plan_part_2 PARTITION OF plan_parts FOR VALUES WITH (MODULUS 3, REMAINDER 2);
    INSERT INTO plan_parts TABLE plan_rows;
    ALTER TABLE plan_rows SET (parallel_workers = 2);
    ALTER TABLE plan_part_0 SET (parallel_workers = 2);
    ALTER TABLE plan_part_1 SET (parallel_workers = 2);
    ALTER TABLE plan_part_2 SET (parallel_workers = 2);
    ANALYZE plan_rows, plan_parts;
END
$$;

-- A query of groups k and their sketches s, by all plans: serial, sorted and hashed, with a
-- hash table that spills; partition-wise; parallel, with and without the leader.  Returns
-- the bytes of all groups as one number and whether workers made parts of groups; or the
-- plans that differ
CREATE FUNCTION pg_temp.all_plans(query text, bytes text DEFAULT 's::bytea') RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    digest text :=
        format('SELECT count(*) || '' groups, '
        ''' || md5(string_agg(k || '':'' || coalesce(md5(%s), ''NULL''), '','' ORDER BY k)) '
        'FROM (%s) q', bytes, query);
    plan text;
    answer text;
    first text;
    wrong text := '';
    partial boolean;
BEGIN
    FOREACH plan IN ARRAY ARRAY['max_parallel_workers_per_gather=0 parallel_setup_cost=0 '
        'parallel_tuple_cost=0 min_parallel_table_scan_size=0 enable_hashagg=off',
        'enable_hashagg=on enable_sort=off', 'work_mem=64kB',
        'work_mem=4MB enable_sort=on enable_partitionwise_aggregate=on',
            'max_parallel_workers_per_gather=2', 'parallel_leader_participation=off'] LOOP
        PERFORM set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), true)
            FROM regexp_split_to_table(plan, ' ') setting;
        EXECUTE digest INTO answer;
        first := coalesce(first, answer);
        IF answer IS DISTINCT FROM first THEN
            wrong := wrong || format(' %s: %s', plan, answer);
        END IF;
    END LOOP;
    IF NOT pg_temp.plan_has(query, 'Gather') THEN
        wrong := wrong || ' not parallel';
    END IF;
    partial := pg_temp.plan_has(query, 'Partial');
    PERFORM set_config(name, reset_val, true) FROM pg_settings
        WHERE name IN ('max_parallel_workers_per_gather', 'parallel_setup_cost',
        'parallel_tuple_cost', 'min_parallel_table_scan_size', 'work_mem',
        'enable_partitionwise_aggregate', 'parallel_leader_participation');
    RETURN first || CASE WHEN partial THEN ', in parts' ELSE '' END || wrong;
END
$$;
