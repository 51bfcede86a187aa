-- parallel_types.sql: serial plans and plans with two workers over every type, seconds and bytes
--
--     psql -f test/bench/parallel_types.sql
--
-- doc/performance.md has the table.  Wants probds in the database, and leaves nothing behind.
\set ON_ERROR_STOP on
\pset footer off
SET jit = off;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
CREATE SCHEMA parallel_types;
SET search_path = parallel_types, public;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE pair AS (a int, b text);
CREATE TABLE result (type text, workers int, seconds numeric, sum text);
CREATE PROCEDURE try(type text, expression text) LANGUAGE plpgsql AS $$
DECLARE
    plan json;
    sum text;
BEGIN
    EXECUTE format('CREATE UNLOGGED TABLE one AS SELECT %s AS v FROM generate_series(1, 1000000) i',
        expression);
    ALTER TABLE one SET (parallel_workers = 2);
    ANALYZE one;
    FOR workers IN 0..2 BY 2 LOOP
        PERFORM set_config('max_parallel_workers_per_gather', workers::text, false);
        EXECUTE 'EXPLAIN (ANALYZE, TIMING off, FORMAT JSON) CREATE TABLE built AS SELECT '
            'hll_agg(v) AS h, bloom_agg(v, 10000) AS b, cms_agg(v) AS c, topk_agg(v) AS t FROM one'
            INTO plan;
        SELECT md5(concat(h, b, c, t)) INTO sum FROM built;
        INSERT INTO result VALUES (type, coalesce((regexp_match(plan::text,
            '"Workers Launched": (\d+)'))[1]::int, 0),
            round((plan #>> '{0,Execution Time}')::numeric / 1000, 2), sum);
        DROP TABLE built;
    END LOOP;
    DROP TABLE one;
END $$;
SET client_min_messages = warning;
SELECT format('CALL try(%L, %L)', type, expression) FROM (VALUES
    ('bigint', 'i % 1000::bigint'), ('integer', 'i % 1000'), ('numeric', '(i % 1000) / 8.0'),
    ('double precision', '(i % 1000)::float8 / 8'), ('text', $$'page ' || i % 1000$$),
    ('bytea', 'int4send(i % 1000)'), ('boolean', 'i % 3 = 0'),
    ('uuid', $$lpad((i % 1000)::text, 32, '0')::uuid$$), ('inet', $$'10.0.0.0'::inet + i % 1000$$),
    ('date', $$date '2024-01-01' + i % 1000$$),
    ('timestamptz', $$timestamptz '2024-01-01 0:00+00' + i % 1000 * interval '1 s'$$),
    ('interval', $$i % 1000 * interval '1 min'$$),
    ('enum', $$(enum_range(NULL::mood))[i % 3 + 1]$$), ('array', 'ARRAY[i % 1000, 2]'),
    ('range', 'int4range(i % 1000, 2000)'), ('composite', $$(i % 1000, 'x')::pair$$),
    ('jsonb', $$jsonb_build_object('a', i % 1000)$$)) v(type, expression) \gexec
SELECT s.type, s.seconds AS serial, p.seconds AS parallel, p.workers, s.sum = p.sum AS same_bytes
FROM result s JOIN result p USING (type) WHERE s.workers = 0 AND p.workers > 0 ORDER BY s.ctid;
SELECT count(*) FILTER (WHERE workers > 0) AS parallel, count(DISTINCT type) AS types FROM result;
DROP SCHEMA parallel_types CASCADE;
