-- What tests of all types (sql/types_*.sql) begin with.  They write a statement once, with
-- {type}, {usual}, ... for the columns of types.sql, and it is made for each type.
\set SHOW_CONTEXT never
\ir types.sql

-- Parameters for rows i: others from the third on; NULL; and NULL in the third
ALTER TABLE types ADD changing text, ADD nothing text, ADD missing text;
UPDATE types SET changing = q.changing, nothing = q.nothing, missing = q.missing
FROM (SELECT type, string_agg(format('CASE WHEN i < 3 THEN %s ELSE %s END', u, o), ', ' ORDER BY n) AS changing, string_agg(CASE n WHEN 1 THEN 'NULL' ELSE u END, ', ' ORDER BY n) AS nothing,
        string_agg(CASE n WHEN 1 THEN format('CASE WHEN i <> 3 THEN %s END', u) ELSE u END, ', ' ORDER BY n) AS missing
    FROM types, regexp_split_to_table(usual, ', *') WITH ORDINALITY a(u, n) LEFT JOIN LATERAL regexp_split_to_table(other, ', *') WITH ORDINALITY b(o, n) USING (n) GROUP BY type) q
WHERE q.type = types.type;

-- The statement for a type
CREATE FUNCTION pg_temp.fill_in(statement text, t types) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    name text;
    value text;
BEGIN
    FOR name, value IN SELECT * FROM jsonb_each_text(to_jsonb(t)) LOOP
        statement := replace(statement, '{' || name || '}', coalesce(value, 'NULL'));
    END LOOP;
    RETURN statement;
END
$$;

-- What a statement answers, or the SQLSTATE of its error
CREATE FUNCTION pg_temp.try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE statement INTO answer;
    RETURN answer;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END
$$;

-- Run a statement for each type
CREATE PROCEDURE pg_temp.each(statement text) LANGUAGE plpgsql AS $$
DECLARE
    t types;
BEGIN
    FOR t IN SELECT * FROM types LOOP
        EXECUTE pg_temp.fill_in(statement, t);
    END LOOP;
END
$$;

-- "ok" if the statement answers what is expected (or ends in that SQLSTATE) for each type
-- of which the condition is true, and of which there must be one; else who answers what
CREATE FUNCTION pg_temp.verdict(statement text, expected text DEFAULT 'true', condition text DEFAULT 'true') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    t types;
    answer text;
    message text;
    result text := '';
    n int := 0;
BEGIN
    FOR t IN EXECUTE format('SELECT * FROM types t WHERE %s ORDER BY type', condition) LOOP
        n := n + 1;
        BEGIN
            EXECUTE pg_temp.fill_in(statement, t) INTO answer;
            message := '';
        EXCEPTION WHEN OTHERS THEN
            answer := SQLSTATE;
            message := ' (' || SQLERRM || ')';
        END;
        IF answer IS DISTINCT FROM pg_temp.fill_in(expected, t) THEN
            result := result || format('%s: %s%s; ', t.type, coalesce(answer, 'NULL'), message);
        END IF;
    END LOOP;
    RETURN CASE WHEN n = 0 THEN 'of no type' WHEN result = '' THEN 'ok' ELSE result END;
END
$$;

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

-- Rows for plans: groups of 1, 2, 4, ... 32,768 in g, of all sizes in c, n is NULL in some;
-- once as they are, once in partitions by g
CREATE PROCEDURE pg_temp.make_rows() LANGUAGE plpgsql AS $$
BEGIN
    CREATE TABLE plan_rows AS SELECT i, length(ltrim(i::bit(20)::text, '0')) - 1 AS g, i % 7 AS c, i AS n FROM generate_series(1::bigint, 65535) i;
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
CREATE FUNCTION pg_temp.all_plans(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    digest text := format('SELECT count(*) || '' groups, '' || md5(string_agg(k || '':'' || coalesce(md5(s::text::bytea), ''NULL''), '','' ORDER BY k)) FROM (%s) q', query);
    plan text;
    answer text;
    first text;
    wrong text := '';
    partial boolean;
BEGIN
    FOREACH plan IN ARRAY ARRAY['max_parallel_workers_per_gather=0 parallel_setup_cost=0 parallel_tuple_cost=0 min_parallel_table_scan_size=0 enable_hashagg=off', 'enable_hashagg=on enable_sort=off', 'work_mem=64kB',
        'work_mem=4MB enable_sort=on enable_partitionwise_aggregate=on', 'max_parallel_workers_per_gather=2', 'parallel_leader_participation=off'] LOOP
        PERFORM set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), true) FROM regexp_split_to_table(plan, ' ') setting;
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
    PERFORM set_config(name, reset_val, true) FROM pg_settings WHERE name IN ('max_parallel_workers_per_gather', 'parallel_setup_cost', 'parallel_tuple_cost', 'min_parallel_table_scan_size', 'work_mem',
        'enable_partitionwise_aggregate', 'parallel_leader_participation');
    RETURN first || CASE WHEN partial THEN ', in parts' ELSE '' END || wrong;
END
$$;

-- COPY a value into a column, as text and as binary, without a file
CREATE FUNCTION pg_temp.copy_text(target text, value text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('COPY %s FROM PROGRAM %L', target, format('echo ''%s''', value));
END
$$;
CREATE FUNCTION pg_temp.copy_binary(target text, value bytea) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    bytes bytea := '\x5047434f50590aff0d0a00'::bytea || int4send(0) || int4send(0) || int2send(1::smallint) || int4send(length(value)) || value || int2send(-1::smallint);
    octal text;
BEGIN
    SELECT string_agg(format('\%s%s%s', b / 64, b / 8 % 8, b % 8), '' ORDER BY n) INTO octal FROM generate_series(0, length(bytes) - 1) n, get_byte(bytes, n) b;
    EXECUTE format('COPY %s FROM PROGRAM %L (FORMAT binary)', target, format('printf ''%s''', octal));
END
$$;

-- Sketches of all sizes, of the usual parameters and the large ones, and of several kinds
-- of values: X_examples (n, s), n the number of values, NULL where there is no saying
CREATE PROCEDURE pg_temp.make_examples() LANGUAGE plpgsql AS $body$
BEGIN
    CALL pg_temp.each($$CREATE TEMP TABLE {type}_examples (id int GENERATED ALWAYS AS IDENTITY, large boolean, n int, s {type})$$);
    CALL pg_temp.each($$
INSERT INTO {type}_examples (large, n, s)
SELECT false, 0, {type}_empty({usual})
UNION ALL SELECT true, 0, {type}_empty({large})
UNION ALL SELECT false, n, (SELECT {type}_agg(i, {usual}) FROM generate_series(1, n) i) FROM unnest('{1,2,3,20,90}'::int[]) n
UNION ALL SELECT true, n, (SELECT {type}_agg(i, {large}) FROM generate_series(1, n) i) FROM unnest('{1,100,1000,20000}'::int[]) n WHERE n <= {exact}
UNION ALL SELECT false, NULL, {type}_agg('value ' || i, {usual}) FROM generate_series(1, 50) i
UNION ALL SELECT false, NULL, {type}_agg(i / 8.0::float8, {usual}) FROM generate_series(1, 50) i
UNION ALL SELECT false, NULL, {type}_agg(ROW(i, 'x'), {usual}) FROM generate_series(1, 50) i
UNION ALL SELECT false, NULL, {type}_agg(ARRAY[i % 5], {usual}) FROM generate_series(1, 50) i
$$);
END
$body$;
\set ECHO all
