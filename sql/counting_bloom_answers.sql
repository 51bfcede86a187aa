-- What a counting filter answers, and what changes it
CREATE FUNCTION pg_temp.error_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
    hint text;
BEGIN
    EXECUTE query;
    RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    IF SQLSTATE = '42883' THEN
        RETURN SQLSTATE; -- 19 says more
    END IF;
    RETURN concat_ws(' | ', SQLSTATE, SQLERRM, nullif(detail, ''), nullif(hint, ''));
END
$$;

-- ---------- contains, count ----------
SELECT c @> 7 AS seven, 7 <@ c AS commuted, c @> 11 AS eleven, counting_bloom_contains(c, 7) AS by_name, _counting_bloom_contained(7, c) AS contained,
    counting_bloom_contains_any(c, '{11,12,3}'::int[]) AS any, counting_bloom_contains_any(c, '{11,12}'::int[]) AS none, counting_bloom_contains_all(c, '{1,2,NULL}'::int[]) AS all, counting_bloom_contains_all(c, '{1,11}'::int[]) AS not_all,
    counting_bloom_contains_any(c, '{}'::int[]) AS any_of_none, counting_bloom_contains_all(c, '{}'::int[]) AS all_of_none, counting_bloom_contains_any(c, '{11,3}') AS literal
FROM (SELECT counting_bloom_agg(i, 100) AS c FROM generate_series(1, 10) i) q;
SELECT counting_bloom_count(c, 1) AS one, counting_bloom_count(c, 14) AS fourteen, counting_bloom_count(c, 15) AS fifteen, counting_bloom_count(c, 20) AS twenty, counting_bloom_count(c, 99) AS none
FROM (SELECT counting_bloom_agg(n, 1000, 0.001) AS c FROM generate_series(1, 20) n, generate_series(1, n)) q;
-- never a "no" for what is there, in all encodings and layouts; of what is not, some
CREATE TEMP TABLE filters AS
SELECT layout, rate, n, (SELECT counting_bloom_agg(i, 1000, rate, layout) FROM generate_series(1, n) i) AS c, (SELECT bloom_agg(i, 1000, rate, layout) FROM generate_series(1, n) i) AS b
FROM unnest('{blocked,classic}'::text[]) layout, unnest('{0.03,0.01,0.001}'::float8[]) rate, unnest('{1,10,300,1000,10000,30000}'::int[]) n;
SELECT layout, string_agg((counting_bloom_info(c)).encoding, ' ' ORDER BY rate, n) AS encodings, bool_and((SELECT bool_and(c @> i AND counting_bloom_count(c, i) > 0) FROM generate_series(1, n, n / 300 + 1) i)) AS found,
    bool_and(c::bloom = b) AS as_bloom, bool_and((SELECT bool_and((c @> i) = (b @> i)) FROM generate_series(n + 1, n + 300) i)) AS same_answers
FROM filters GROUP BY layout ORDER BY layout;
-- out of line, a segment at a time, and all of it when asked often
CREATE TEMP TABLE stored (c counting_bloom, n int);
INSERT INTO stored SELECT counting_bloom_agg(i, 100000), 100000 FROM generate_series(1, 100000) i UNION ALL SELECT counting_bloom_agg(i, 100000, 0.01, 'classic'), 50000 FROM generate_series(1, 50000) i;
INSERT INTO stored SELECT counting_bloom_agg(i % 100000, 20000), 100000 FROM generate_series(1, 700000) i;
SELECT n, (counting_bloom_info(c)).encoding, pg_column_size(c) > 20000 AS large, c @> 7 AS seven, count(*) FILTER (WHERE c @> i) AS of_1000, count(*) FILTER (WHERE counting_bloom_count(c, -i) > 0) < 50 OR n = 100000 AND (counting_bloom_info(c)).capacity = 20000 AS few_others
FROM stored, generate_series(1, 1000) i GROUP BY c, n ORDER BY n, 2;

-- ---------- parameters without casts ----------
PREPARE by_text AS SELECT counting_bloom_agg(i, 100) @> $1, counting_bloom_count(counting_bloom_agg(i, 100), $1) FROM generate_series(1, 5) i;
EXECUTE by_text('5');
PREPARE take_out AS SELECT counting_bloom_count(counting_bloom_remove(counting_bloom_agg(i, 100), $1), 5) FROM generate_series(1, 5) i;
EXECUTE take_out('5');
SELECT counting_bloom_add(counting_bloom_empty(10), 'a') @> 'a' AS text, counting_bloom_add(counting_bloom_empty(10), now()::date) @> now()::date AS date, counting_bloom_add(counting_bloom_empty(10), ROW(1, 'x')) @> ROW(1, 'x') AS record,
    counting_bloom_add(counting_bloom_empty(10), 42) @> 42::numeric AS numeric, counting_bloom_add(counting_bloom_empty(10), 42::smallint) @> 42::bigint AS bigint;

-- ---------- add, remove ----------
SELECT counting_bloom_remove(counting_bloom_add(c, 77), 77) = c AS and_back, counting_bloom_remove_all(counting_bloom_add_all(c, '{7,7,8,NULL}'::int[]), '{8,7,NULL,7}'::int[]) = c AS all_back, counting_bloom_add_all(counting_bloom_empty(100), '{3,1,2}'::int[]) = counting_bloom_remove_all(c, '{4,5,6,7,8,9,10}') AS literal,
    counting_bloom_remove_all(c, (SELECT array_agg(i) FROM generate_series(1, 10) i)) = counting_bloom_empty(100) AS all_of_it
FROM (SELECT counting_bloom_agg(i, 100) AS c FROM generate_series(1, 10) i) q;
-- any order of adds and removes, the same as what remains
SELECT count(*), bool_and(same) AS same FROM unnest('{50,1000,100000}'::int[]) capacity, unnest('{0.1,0.01}'::float8[]) rate, unnest('{blocked,classic}'::text[]) layout, LATERAL (
    SELECT counting_bloom_remove_all(counting_bloom_agg(i, capacity, rate, layout), array_agg(i) FILTER (WHERE i % 3 = 0)) = counting_bloom_agg(i, capacity, rate, layout) FILTER (WHERE i % 3 <> 0) AS same
    FROM generate_series(1, 2000) i WHERE capacity > 50 OR i < 60) q;
-- a saturated counter is never counted down: no value is ever missed
SELECT counting_bloom_count(c, 1) AS once_more, (counting_bloom_info(c)).saturated AS saturated, c @> 1 AS stays FROM (
    SELECT counting_bloom_remove_all(counting_bloom_agg(1, 100), array_fill(1, '{20}')) AS c FROM generate_series(1, 16)) q;
-- in a variable, in place
DO $$
DECLARE
    c counting_bloom := counting_bloom_empty(1000);
    wrong int := 0;
BEGIN
    FOR i IN 1..3000 LOOP
        c := counting_bloom_add(c, i);
        IF i > 100 THEN
            c := counting_bloom_remove(c, i - 100);
        END IF;
        wrong := wrong + (NOT c @> i)::int;
    END LOOP;
    BEGIN
        c := counting_bloom_remove(c, -1);
    EXCEPTION WHEN data_exception THEN
        RAISE NOTICE '%', SQLERRM;
    END;
    RAISE NOTICE '% wrong, %', wrong, c = (SELECT counting_bloom_agg(i, 1000) FROM generate_series(2901, 3000) i);
END
$$;

-- ---------- union, difference ----------
SELECT bool_and((a.c || b.c) = (SELECT counting_bloom_agg(i, 1000, a.rate, a.layout) FROM (SELECT generate_series(1, a.n) i UNION ALL SELECT generate_series(1, b.n)) q)) AS as_built, bool_and(a.c || b.c = b.c || a.c) AS commutes,
    bool_and(counting_bloom_subtract(a.c || b.c, b.c) = a.c) FILTER (WHERE a.n < 4000 AND b.n < 4000) AS back, bool_and((a.c || b.c)::bloom = a.b || b.b) AS as_bloom
FROM filters a JOIN filters b USING (layout, rate);
SELECT layout, rate, (SELECT counting_bloom_merge_agg(c) FROM filters f WHERE f.layout = l.layout AND f.rate = l.rate) = counting_bloom_merge(f4, f5) AS merge_agg FROM (SELECT layout, rate, (array_agg(c ORDER BY n))[1] || (array_agg(c ORDER BY n))[2] || (array_agg(c ORDER BY n))[3] AS f4,
    (array_agg(c ORDER BY n))[4] || (array_agg(c ORDER BY n))[5] || (array_agg(c ORDER BY n))[6] AS f5 FROM filters GROUP BY layout, rate) l ORDER BY 1, 2;
SELECT counting_bloom_subtract(counting_bloom_agg(i, 100), counting_bloom_agg(i, 100) FILTER (WHERE i < 5)) = counting_bloom_agg(i, 100) FILTER (WHERE i >= 5) AS since, counting_bloom_subtract(counting_bloom_agg(i, 100), counting_bloom_agg(i, 100)) = counting_bloom_empty(100) AS all,
    counting_bloom_agg(i, 100) || counting_bloom_empty(100) = counting_bloom_agg(i, 100) AS nothing_more FROM generate_series(1, 10) i;

-- ---------- NULL ----------
SELECT counting_bloom_add(NULL::counting_bloom(100), 1) = counting_bloom_add(counting_bloom_empty(100), 1) AS null_filter, counting_bloom_add(c, NULL) = c AS null_value, counting_bloom_remove(NULL, 1) IS NULL AS remove_from_null, counting_bloom_remove(c, NULL) = c AS remove_null, counting_bloom_remove_all(c, NULL::int[]) = c AS null_array, counting_bloom_remove_all(NULL, '{1}'::int[]) IS NULL AS all_from_null,
    c @> NULL IS NULL AS contains, counting_bloom_count(c, NULL::int) IS NULL AS count, counting_bloom_subtract(c, NULL) = c AS subtract_null, counting_bloom_subtract(NULL, c) IS NULL AS from_null, c || NULL = c AS merge_null, counting_bloom_info(NULL) IS NULL AS info, NULL::counting_bloom::bloom IS NULL AS bloom
FROM (SELECT counting_bloom_agg(i, 100) AS c FROM generate_series(1, 3) i) q;
SELECT counting_bloom_agg(i, 100) IS NULL AS no_rows, counting_bloom_merge_agg(NULL::counting_bloom) IS NULL AS no_filters FROM generate_series(1, 0) i;
SELECT counting_bloom_agg(NULL::int, 100) = counting_bloom_empty(100) AS no_values FROM generate_series(1, 3);

-- ---------- aggregates: groups, parallel, types ----------
SELECT count(*), bool_and(c = (SELECT counting_bloom_agg(x, 1000) FROM generate_series(g, 29999, 10000) x)) AS same FROM (SELECT i % 10000 AS g, counting_bloom_agg(i, 1000) AS c FROM generate_series(0, 29999) i GROUP BY 1) q WHERE g % 100 = 0;
CREATE TABLE counting_rows AS SELECT i, 'value ' || i % 20000 AS t FROM generate_series(1, 60000) i;
ANALYZE counting_rows;
CREATE TEMP TABLE serial AS SELECT counting_bloom_agg(i, 5000) AS c, counting_bloom_agg(t, 90000, 0.001, 'classic') AS d FROM counting_rows;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SELECT c = (SELECT counting_bloom_agg(i, 5000) FROM counting_rows) AS parallel, d = (SELECT counting_bloom_agg(t, 90000, 0.001, 'classic') FROM counting_rows) AS parallel_text FROM serial;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET max_parallel_workers_per_gather;
DROP TABLE counting_rows;

-- ---------- info, health ----------
SELECT n, (counting_bloom_info(c)).* FROM (SELECT * FROM filters WHERE rate = 0.01 AND n IN (1, 1000, 10000)) q ORDER BY q.layout, n;
SELECT counting_bloom_cardinality(c) = bloom_cardinality(b) AS as_bloom, count(*) FROM filters GROUP BY 1;
SELECT counting_bloom_info(counting_bloom_empty(1000, 0.02)), counting_bloom_info(counting_bloom_agg('a'::text, 5)) FROM generate_series(1, 40);

-- ---------- type modifiers ----------
CREATE TEMP TABLE typed (c counting_bloom(1000), d counting_bloom(1000, 0.001), e counting_bloom(1000, 0.001, 'classic'));
INSERT INTO typed SELECT counting_bloom_agg(i, 1000), counting_bloom_agg(i, 1000, 0.001), counting_bloom_agg(i, 1000, 0.001, 'classic') FROM generate_series(1, 5) i;
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'typed'::regclass AND attnum > 0 ORDER BY attnum;
SELECT pg_temp.error_of(q) FROM unnest(ARRAY[
    'INSERT INTO typed (c) SELECT counting_bloom_agg(i, 1001) FROM generate_series(1, 5) i',
    'INSERT INTO typed (d) SELECT counting_bloom_agg(i, 1000) FROM generate_series(1, 5) i',
    'SELECT counting_bloom_agg(i, 1000)::counting_bloom(2000) FROM generate_series(1, 5) i',
    'SELECT counting_bloom_empty(1000)::counting_bloom(2000)',
    'CREATE TEMP TABLE bad (c counting_bloom(0))',
    'CREATE TEMP TABLE bad (c counting_bloom(1000, 2))',
    'CREATE TEMP TABLE bad (c counting_bloom(1000, 0.01, ''guava''))',
    'CREATE TEMP TABLE bad (c counting_bloom(1, 2, 3, 4))']) q;
SELECT (counting_bloom_agg(i, 1000))::bloom(1000) = bloom_agg(i, 1000) AS to_bloom_of_a_modifier FROM generate_series(1, 5) i;

-- ---------- errors ----------
SELECT q, pg_temp.error_of(q) FROM unnest(ARRAY[
    'SELECT counting_bloom_empty(0)',
    'SELECT counting_bloom_empty(-1)',
    'SELECT counting_bloom_empty(''NaN'')',
    'SELECT counting_bloom_empty(1e12)',
    'SELECT counting_bloom_empty(1000, 0)',
    'SELECT counting_bloom_empty(1000, 1)',
    'SELECT counting_bloom_empty(1000, 0.01, ''guava'')',
    'SELECT counting_bloom_remove(counting_bloom_empty(10), 1)',
    'SELECT counting_bloom_remove(counting_bloom_add(counting_bloom_empty(10), 1), 2)',
    'SELECT counting_bloom_remove_all(counting_bloom_add(counting_bloom_empty(10), 1), ''{1,1}''::int[])',
    'SELECT counting_bloom_remove(counting_bloom_add(counting_bloom_empty(10), 1), now())',
    'SELECT counting_bloom_add(counting_bloom_add(counting_bloom_empty(10), 1), now())',
    'SELECT counting_bloom_add(counting_bloom_empty(10), 1) @> now()',
    'SELECT counting_bloom_count(counting_bloom_add(counting_bloom_empty(10), 1), ''2001-01-01''::date)',
    'SELECT counting_bloom_contains_any(counting_bloom_add(counting_bloom_empty(10), 1), ''{2001-01-01}''::date[])',
    'SELECT counting_bloom_add(counting_bloom_empty(10), 1) || counting_bloom_add(counting_bloom_empty(10), now()::date)',
    'SELECT counting_bloom_add(counting_bloom_empty(10), 1) || counting_bloom_add(counting_bloom_empty(20), 1)',
    'SELECT counting_bloom_empty(10) || counting_bloom_empty(10, 0.01, ''classic'')',
    'SELECT counting_bloom_subtract(counting_bloom_empty(10), counting_bloom_add(counting_bloom_empty(10), 1))',
    'SELECT counting_bloom_subtract(counting_bloom_empty(10), counting_bloom_empty(20))',
    'SELECT counting_bloom_subtract(counting_bloom_add(counting_bloom_empty(10), 1), counting_bloom_add(counting_bloom_empty(10), now()))',
    'SELECT counting_bloom_agg(i, i) FROM generate_series(1, 3) i',
    'SELECT counting_bloom_agg(i, NULL) FROM generate_series(1, 3) i',
    'SELECT counting_bloom_agg(i) FROM generate_series(1, 3) i',
    'SELECT _counting_bloom_step(counting_bloom_empty(10), 1, 10)',
    'SELECT _counting_bloom_inverse_step(counting_bloom_empty(10), 1, 10)',
    'SELECT ''x''::counting_bloom',
    'SELECT bloom_empty(10)::text::counting_bloom',
    'SELECT ''\x6101019101010102010200''::bytea::counting_bloom',
    'SELECT ''\x61010191010101020102000100''::bytea::counting_bloom',
    'SELECT counting_bloom_empty(10) < counting_bloom_empty(10)']) q;

-- ---------- in and out ----------
SELECT count(*), bool_and(c::text::counting_bloom = c AND c::bytea::counting_bloom = c AND c::bytea::text::counting_bloom = c) AS there_and_back, count(DISTINCT c) AS different FROM filters;
\copy (SELECT layout, rate, n, c FROM filters) TO 'results/counting_bloom.bin' (FORMAT binary)
CREATE TEMP TABLE binary_copy AS SELECT layout, rate, n, c FROM filters LIMIT 0;
\copy binary_copy FROM 'results/counting_bloom.bin' (FORMAT binary)
SELECT count(*), bool_and(a.c = b.c) AS same FROM filters a JOIN binary_copy b USING (layout, rate, n);
-- a state comes out as a filter like any other, and can be worked with
CREATE AGGREGATE pg_temp.unfinished(int, float8) (SFUNC = _counting_bloom_step, STYPE = counting_bloom);
CREATE TEMP TABLE states AS SELECT n, capacity, (SELECT pg_temp.unfinished(i, capacity) FROM generate_series(1, n) i) AS state, (SELECT counting_bloom_agg(i, capacity) FROM generate_series(1, n) i) AS c FROM unnest('{1,20,1000}'::int[]) n, unnest('{10,1000,200000}'::float8[]) capacity;
SELECT count(*), bool_and(state = c AND state::text = c::text AND state::bytea = c::bytea AND state || state = c || c AND counting_bloom_remove(state, 1) = counting_bloom_remove(c, 1) AND state @> 1 AND counting_bloom_count(state, 1) = counting_bloom_count(c, 1) AND counting_bloom_subtract(state, state) = counting_bloom_subtract(c, c) AND state::bloom = c::bloom AND counting_bloom_add(state, 7) = counting_bloom_add(c, 7)) AS same FROM states;
