-- Is a value in the filter?  What was added is always found; all else now and then, at the filter's rate
\set SHOW_CONTEXT never

-- ---------- four ways to ask ----------
CREATE TEMP TABLE ten AS SELECT bloom_agg(i, 100, 0.000001) AS f FROM generate_series(1, 10) i;
SELECT bloom_contains(f, 3) AS function, f @> 3 AS contains, 3 <@ f AS is_contained, bloom_contains(f, 33) AS other, f @> 33 AS not_there, 33 <@ f AS nor_here, NOT f @> 33 AS "not" FROM ten;
SELECT count(*) FROM generate_series(1, 1000) i, ten WHERE f @> i;
-- a column, an expression, a parameter, a literal: no cast needed
PREPARE ask(int) AS SELECT f @> $1 AS found FROM ten;
EXECUTE ask(10);
EXECUTE ask(11);
SELECT f @> 3::smallint AS smallint, f @> 3::bigint AS bigint, f @> 3.0 AS numeric, f @> 3::oid AS oid, f @> '3' AS literal, f @> ' 3.00 ' AS spaces, 3.5 <@ f AS fraction, '99' <@ f AS not_there FROM ten;
-- precedence: as other operators of these names
SELECT f @> 1 + 2 AS sum, f @> 1 = true AS equal, NOT 1 <@ f OR 2 <@ f AS mixed FROM ten;

-- ---------- each type, as what it was added as ----------
CREATE TYPE pg_temp.mood AS ENUM ('sad', 'ok');
CREATE TYPE pg_temp.pair AS (a int, b text);
CREATE DOMAIN pg_temp.age AS int CHECK (VALUE > 0);
CREATE FUNCTION pg_temp.of_type(type text, a text, b text, OUT kind text, OUT contains boolean, OUT "any" boolean, OUT "all" boolean, OUT other boolean, OUT by_literal text)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT (bloom_info(f)).kind, bloom_contains(f, v) AND f @> v AND v <@ f, bloom_contains_any(f, ARRAY[w, v]), bloom_contains_all(f, ARRAY[v, v]), f @> w OR bloom_contains_all(f, ARRAY[v, w])
        FROM (SELECT bloom_agg(x, 10, 1e-9) AS f FROM (SELECT %2$L::%1$s AS x) q) q, (SELECT %2$L::%1$s AS v, %3$L::%1$s AS w) r', type, a, b) INTO kind, contains, "any", "all", other;
    -- a literal is read as what the filter holds, where that is certain
    EXECUTE format('SELECT bloom_add(bloom_empty(10, 1e-9), %2$L::%1$s) @> %2$L', type, a) INTO by_literal;
EXCEPTION WHEN OTHERS THEN
    by_literal := SQLSTATE;
END
$$;
SELECT type, (pg_temp.of_type(type, a, b)).* FROM (VALUES
    (1, 'smallint', '1', '2'), (2, 'bigint', '1', '2'), (3, 'numeric', '1.5', '2'), (4, 'real', '1.5', '2'), (5, 'double precision', '1.5', '2'), (6, 'money', '1', '2'), (7, 'regclass', 'pg_class', 'pg_type'),
    (8, 'text', 'a', 'b'), (9, 'varchar(10)', 'a', 'b'), (10, 'char(10)', 'a', 'b'), (11, 'name', 'a', 'b'), (12, 'bytea', 'a', 'b'), (13, 'bit(3)', '101', '111'), (14, 'boolean', 't', 'f'),
    (15, 'date', '2000-01-01', '2000-01-02'), (16, 'timestamptz', '2000-01-01', '2000-01-02'), (17, 'interval', '1 day', '1 hour'), (18, 'uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12'),
    (19, 'inet', '10.0.0.1', '::1'), (20, 'cidr', '10.0.0.0/8', '::/0'), (21, 'macaddr', '08:00:2b:01:02:03', '08:00:2b:01:02:04'), (22, 'jsonb', '{"a": 1}', '[1]'), (23, 'pg_temp.mood', 'sad', 'ok'),
    (24, 'pg_temp.age', '1', '2'), (25, 'pg_temp.pair', '(1,a)', '(1,)'), (26, 'int4range', '[1,3)', '[1,)')) q(n, type, a, b) ORDER BY n;
-- arrays as values: of many of them only one by one, since any and all take an array for its elements
SELECT f @> ARRAY[1, 2] AS array, '{2,1}'::int[] <@ f AS other, f @> '{{1,2}}'::int[] AS matrix FROM (SELECT bloom_add(bloom_empty(10, 1e-9), ARRAY[1, 2]) AS f) q;
-- equal is what the type's own = says
SELECT bloom_add(bloom_empty(9), 'a'::char(3)) @> 'a'::char(9) AS bpchar, bloom_add(bloom_empty(9), 1.50) @> 1.5 AS numeric, bloom_add(bloom_empty(9), '-0'::float8) @> 0::float8 AS zero,
    bloom_add(bloom_empty(9), '1 day'::interval) @> '24:00'::interval AS interval, bloom_add(bloom_empty(9), '[1,3]'::int4range) @> '[1,4)'::int4range AS range, bloom_add(bloom_empty(9), '{"a": 1}'::jsonb) @> '{"a":1.0}'::jsonb AS jsonb;

-- ---------- another kind is an error, never "no" ----------
CREATE TEMP TABLE kinds AS SELECT bloom_agg(i, 100) AS numbers, bloom_agg(i::text, 100) AS texts, bloom_agg(i) AS crowded, bloom_agg(now(), 10) AS times, bloom_empty(100) AS nothing FROM generate_series(1, 10) i;
SELECT numbers @> (SELECT '7'::text) FROM kinds;
SELECT 7 <@ texts FROM kinds;
SELECT crowded @> 7.0::float8 FROM kinds;
SELECT numbers @> 'seven' FROM kinds;
SELECT bloom_contains_any(texts, ARRAY[1, 2]) FROM kinds;
SELECT texts @> ARRAY['7'] FROM kinds;
SELECT times @> '2026-01-01' FROM kinds;
SELECT numbers @> '{"a": 1}'::json FROM kinds;
SELECT numbers @> numbers FROM kinds;
\set try `echo "${PROBDS_SRC:-.}/test/types/try.sql"`
\set ECHO none
\i :try
\set ECHO all
SELECT statement, pg_temp.try('SELECT ' || statement || ' FROM kinds') FROM (VALUES
    (1, 'bloom_contains(numbers, (SELECT ''7''::text))'), (2, 'numbers @> true'), (3, '(SELECT ''7''::text) <@ numbers'), (4, 'bloom_contains_any(numbers, ARRAY[''7''])'), (5, 'bloom_contains_all(texts, ARRAY[7])'),
    (6, 'bloom_contains_all(texts, ARRAY[]::int[])'), (7, 'bloom_contains_any(texts, ARRAY[NULL::int])'), (8, 'numbers @> ''x'''), (9, 'nothing @> 7'), (10, 'nothing @> ''7'''), (11, 'nothing @> ''{}''::json'),
    (12, 'bloom_contains_any(nothing, ARRAY[7])'), (13, 'bloom_contains_all(nothing, ARRAY[7])'), (14, 'times @> now()::date'), (15, 'numbers @> hll_empty()'), (16, 'numbers @> ROW(1)'), (17, 'texts @> ''7''')) q(n, statement) ORDER BY n;

-- ---------- NULL ----------
SELECT f @> NULL AS null, f @> NULL::int AS null_int, NULL::int <@ f AS left, bloom_contains(NULL, 1) AS no_filter, NULL::bloom @> 1 AS nothing, bloom_contains_any(f, NULL::int[]) AS "any", bloom_contains_all(NULL, ARRAY[1]) AS "all" FROM ten;

-- ---------- several at once ----------
SELECT elements, bloom_contains_any(f, elements::int[]) AS "any", bloom_contains_all(f, elements::int[]) AS "all" FROM ten, (VALUES
    (1, '{1,2,3}'), (2, '{1,99}'), (3, '{98,99}'), (4, '{}'), (5, '{NULL}'), (6, '{1,NULL}'), (7, '{99,NULL}'), (8, '{{1,2},{3,99}}'), (9, '[5:6]={9,10}')) q(n, elements) ORDER BY n;
SELECT bloom_contains_all(f, (SELECT array_agg(i) FROM generate_series(1, 10) i)) AS all_ten, bloom_contains_all(f, (SELECT array_agg(i) FROM generate_series(1, 11) i)) AS and_one_more FROM ten;

-- ---------- no false negative, whatever the layout, the size, the fill, and where the filter lies ----------
CREATE TEMP TABLE filters AS
SELECT row_number() OVER () AS id, layout, capacity, rate, n, (SELECT bloom_agg(i * 7919, capacity, rate, layout) FROM generate_series(1, n) i) AS f
FROM unnest(ARRAY['blocked', 'classic']) layout, unnest(ARRAY[1, 10, 100, 427, 1000, 40000]) capacity, unnest(ARRAY[0.5, 0.01, 0.000001]) rate, unnest(ARRAY[1, 10, 100, 1000, 3000]) n;
SELECT layout, count(DISTINCT id) AS filters, count(DISTINCT (bloom_info(f)).encoding) AS encodings FROM filters GROUP BY layout ORDER BY layout;
SELECT count(*) AS probes, count(*) FILTER (WHERE NOT f @> i * 7919) AS missed FROM filters, generate_series(1, n) i;
-- in memory, one after the other and as a state, compressed, merged, intersected
SELECT count(*) AS probes, count(*) FILTER (WHERE NOT bloom_contains(f::text::bloom, i * 7919)) AS missed FROM filters, generate_series(1, n, 97) i;
SELECT count(*) AS probes, count(*) FILTER (WHERE NOT merged @> i * 7919) AS missed FROM (SELECT capacity, rate, layout, bloom_merge_agg(f) AS merged FROM filters GROUP BY 1, 2, 3) q, generate_series(1, 3000) i;
SELECT count(*) AS probes, count(*) FILTER (WHERE NOT common @> i * 7919) AS missed FROM (SELECT a.f & b.f AS common, least(a.n, b.n) AS n FROM filters a JOIN filters b USING (layout, capacity, rate) WHERE capacity IN (10, 1000)) q, generate_series(1, n, 7) i;
CREATE TEMP TABLE compressed (id int, f bloom);
ALTER TABLE compressed ALTER f SET STORAGE extended;
INSERT INTO compressed SELECT id, f::text::bloom FROM filters;
SELECT count(*) AS probes, count(*) FILTER (WHERE NOT f @> i * 7919) AS missed FROM compressed JOIN filters USING (id, f), generate_series(1, n, 13) i;
CREATE AGGREGATE pg_temp.unfinished(int, float8, float8, text) (SFUNC = _bloom_step, STYPE = bloom);
SELECT count(*) AS probes, count(*) FILTER (WHERE NOT s @> i * 7919) AS missed FROM (SELECT n, (SELECT pg_temp.unfinished(i * 7919, capacity, rate, layout) FROM generate_series(1, n) i) AS s FROM filters OFFSET 0) q, generate_series(1, n, n / 3 + 1) i;
DROP AGGREGATE pg_temp.unfinished(int, float8, float8, text);
-- as a constant and by an InitPlan
CREATE FUNCTION pg_temp.missed(f bloom, n int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    answer bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM generate_series(1, %s) i WHERE NOT %L::bloom @> i * 7919', n, f) INTO answer;
    RETURN answer;
END
$$;
SELECT count(*), sum(pg_temp.missed(f, n)) AS missed FROM filters WHERE rate = 0.01;
SELECT count(*) FILTER (WHERE NOT (SELECT f FROM filters WHERE capacity = 40000 AND rate = 0.01 AND n = 3000 AND layout = 'blocked') @> i * 7919) AS missed FROM generate_series(1, 3000) i;

-- with little memory to keep filters in, or none: the same answers
CREATE TEMP TABLE stored AS SELECT g, (SELECT bloom_agg(i, CASE WHEN g <= 6 THEN 3000 ELSE 60000 END, 0.01, CASE WHEN g % 2 = 0 THEN 'blocked' ELSE 'classic' END) FROM generate_series(g, 3000 * g, g) i) AS f
FROM generate_series(1, 12) g;
CREATE FUNCTION pg_temp.answers() RETURNS text LANGUAGE sql AS $$
    SELECT count(*) || ' ' || count(*) FILTER (WHERE f @> i) || ' ' || count(*) FILTER (WHERE i % g = 0 AND i <= 3000 * g AND NOT i <@ f) || ' ' || md5(string_agg(g || ':' || i, ',' ORDER BY g, i) FILTER (WHERE f @> i))
    FROM (SELECT i, g, f FROM generate_series(1, 2000) i, stored OFFSET 0) q
$$;
SHOW probds.probe_cache_size;
SELECT pg_temp.answers();
SET probds.probe_cache_size = 100;
SELECT pg_temp.answers();
SET probds.probe_cache_size = 0;
SELECT pg_temp.answers();
SELECT pg_temp.try('SELECT set_config(''probds.probe_cache_size'', ''-2'', false)') AS negative;
RESET probds.probe_cache_size;
-- the stored filter changes between probes
DO $$
DECLARE
    missed int := 0;
BEGIN
    FOR i IN 100001..100300 LOOP
        UPDATE stored SET f = bloom_add(f, i) WHERE g IN (11, 12);
        missed := missed + (SELECT count(*) FROM stored WHERE g IN (11, 12) AND NOT f @> i);
    END LOOP;
    RAISE NOTICE 'missed: %', missed;
END
$$;
SELECT count(*) FILTER (WHERE f @> i) AS found FROM stored, generate_series(100001, 100300) i WHERE g IN (11, 12);

-- ---------- false positives as promised ----------
-- of 20,000 values that were never added, within three standard errors of the rate that the filter states of itself
CREATE FUNCTION pg_temp.measured(f bloom, OUT stated numeric, OUT measured numeric, OUT as_stated boolean) LANGUAGE sql AS $$
    SELECT round(r::numeric, 4), round(m::numeric, 4), abs(m - r) <= 3 * sqrt(r * (1 - r) / 20000)
    FROM (SELECT bloom_false_positive_rate(f) AS r, (count(*) FILTER (WHERE f @> -i))::float8 / 20000 AS m FROM generate_series(1, 20000) i) q
$$;
SELECT layout, rate, round(fill::numeric, 1) AS fill, m.* FROM unnest(ARRAY['blocked', 'classic']) layout, unnest(ARRAY[0.1, 0.01]) rate, unnest(ARRAY[0.5, 1, 1.5, 2, 3]) fill,
    LATERAL (SELECT bloom_agg(i, 5000, rate, layout) AS f FROM generate_series(1, (5000 * fill)::int) i) q, pg_temp.measured(f) m ORDER BY 1, 2 DESC, 3;

-- ---------- in front of an exact check ----------
CREATE TEMP TABLE known AS SELECT i * 3 AS id FROM generate_series(1, 20000) i;
CREATE UNIQUE INDEX known_id ON known (id);
CREATE TEMP TABLE guard AS SELECT bloom_agg(id, 20000) AS f FROM known;
CREATE TEMP TABLE candidate AS SELECT i AS id FROM generate_series(1, 60000) i;
ANALYZE known, candidate, guard;
-- the new ones, with the filter in front and without it
SELECT count(*) AS new, count(*) FILTER (WHERE id % 3 = 0) AS wrong FROM candidate c WHERE NOT ((SELECT f FROM guard) @> c.id AND EXISTS (SELECT FROM known k WHERE k.id = c.id));
SELECT count(*) AS new FROM candidate c WHERE NOT EXISTS (SELECT FROM known k WHERE k.id = c.id);
-- the known ones
SELECT count(*) AS known, count(*) FILTER (WHERE id % 3 <> 0) AS wrong FROM candidate c WHERE EXISTS (SELECT FROM known k WHERE k.id = c.id) AND (SELECT f FROM guard) @> c.id;

-- in a plan the cheap check comes first, also where it was written last
CREATE FUNCTION pg_temp.plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
    plan text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        plan := plan || line || E'\n';
    END LOOP;
    RETURN plan;
END
$$;
SELECT plan ~ 'Filter: [^\n]*@>[^\n]*SubPlan' AS first, plan ~ 'Filter: [^\n]*SubPlan[^\n]*@>' AS last
FROM pg_temp.plan_of('SELECT * FROM candidate c WHERE (SELECT count(*) FROM known k WHERE k.id < c.id) > 7 AND (SELECT f FROM guard) @> c.id') plan;
-- what plans guess of a filter that they know: here half of the rows
CREATE FUNCTION pg_temp.rows(query text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
    RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END
$$;
SELECT pg_temp.rows(format('SELECT FROM known WHERE %L::bloom @> id', half)) BETWEEN 8000 AND 12000 AS operator, pg_temp.rows(format('SELECT FROM known WHERE id <@ %L::bloom', half)) BETWEEN 8000 AND 12000 AS commuted,
    pg_temp.rows(format('SELECT FROM known WHERE bloom_contains(%L, id)', half)) BETWEEN 8000 AND 12000 AS function, pg_temp.rows(format('SELECT FROM known WHERE NOT %L::bloom @> id', half)) BETWEEN 8000 AND 12000 AS negated,
    pg_temp.rows(format('SELECT FROM known WHERE bloom_contains(%L, id)', nothing)) <= 1 AS nothing, pg_temp.rows(format('SELECT FROM known WHERE bloom_contains(%L, id)', "all")) > 19000 AS "all"
FROM (SELECT bloom_agg(id, 20000) FILTER (WHERE id <= 30000) AS half, bloom_agg(id, 20000) AS "all", bloom_empty(10) AS nothing FROM known) q;
-- the estimate of somebody's operator over other types
CREATE FUNCTION pg_temp.starts(int, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT $2 LIKE $1 || '%' $$;
CREATE OPERATOR pg_temp.=== (LEFTARG = int, RIGHTARG = text, FUNCTION = pg_temp.starts, RESTRICT = _bloom_contains_sel);
CREATE TEMP TABLE starting AS SELECT i::text AS k FROM generate_series(1, 1000) i;
ANALYZE starting;
SELECT count(*) FROM starting WHERE 12 OPERATOR(pg_temp.===) k;
DROP TABLE starting;
