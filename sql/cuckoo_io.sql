-- Text, bytea, COPY, type modifiers, and every kind of bad input
\set SHOW_CONTEXT never
SELECT cuckoo_empty(1000), cuckoo_empty(1000)::bytea, cuckoo_add(cuckoo_empty(1000), 42), cuckoo_add_all(cuckoo_empty(100, 0.001), '{the,cat,the}'::text[])::bytea;
SELECT length(f::text), f::text LIKE E'%\n%' AS has_line_break, length(f::bytea), cuckoo_info(f) FROM (SELECT cuckoo_agg(i, 100) AS f FROM generate_series(1, 100) i) q;
SELECT ' UQAA6AeFAw== '::cuckoo = cuckoo_empty(1000) AS base64, '\x510000e8078503'::cuckoo = cuckoo_empty(1000) AS hex, '\x510000e8078503'::bytea::cuckoo = cuckoo_empty(1000) AS bytea;

-- there and back: by text, by hexadecimal text, by bytea, by COPY
CREATE TEMP TABLE sketches AS
SELECT capacity, n, l.* FROM unnest(ARRAY[1, 100, 10000]) capacity, unnest(ARRAY[1, 2, 50, 1000, 20000]) n, LATERAL (SELECT cuckoo_agg(i * i % 7919, capacity) AS numbers, cuckoo_agg('value ' || i * i % 7919, capacity, 0.001) AS texts, cuckoo_agg((i / 3)::float8, capacity, 0.03) AS floats, cuckoo_agg(ROW(i, 'x'), capacity) AS records
    FROM generate_series(1, n) i) l;
SELECT capacity, string_agg((cuckoo_info(s)).encoding, ', ' ORDER BY n, kind) AS encodings, bool_and(s::text::cuckoo = s) AS text, bool_and(s::bytea::text::cuckoo = s) AS hex, bool_and(s::bytea::cuckoo::bytea = s::bytea) AS bytea
FROM sketches, LATERAL (VALUES (1, numbers), (2, texts), (3, floats), (4, records)) v(kind, s) GROUP BY capacity ORDER BY capacity;
SELECT count(*) AS filters, count(DISTINCT s) AS different, count(DISTINCT s::text) AS texts FROM sketches, unnest(ARRAY[numbers, texts, floats, records]) s;
\copy sketches TO 'results/cuckoo_io.bin' (FORMAT binary)
CREATE TEMP TABLE binary_copy (LIKE sketches);
\copy binary_copy FROM 'results/cuckoo_io.bin' (FORMAT binary)
SELECT count(*), bool_and(a.numbers = b.numbers AND a.texts = b.texts AND a.floats = b.floats AND a.records = b.records) AS same FROM sketches a JOIN binary_copy b USING (capacity, n);

-- The state of an aggregate that lacks a final function comes out as a filter like any other
CREATE AGGREGATE pg_temp.unfinished(int, float8) (SFUNC = _cuckoo_step, STYPE = cuckoo);
SELECT count(*), bool_and(state = sketch) AS equal, bool_and(state::text = sketch::text) AS text, bool_and(cuckoo_info(state) = cuckoo_info(sketch)) AS info, bool_and(state @> 4 = sketch @> 4) AS contains, bool_and(cuckoo_remove(state, 1) = cuckoo_remove(sketch, 1)) AS removed,
    bool_and(state || sketch = sketch || sketch) AS merged FROM (SELECT n, pg_temp.unfinished(i, 100) AS state, cuckoo_agg(i, 100) AS sketch FROM unnest(ARRAY[1, 7, 8, 9, 60, 120, 5000]) n, generate_series(1, n) i GROUP BY n) q;
DROP AGGREGATE pg_temp.unfinished(int, float8);

-- ---------- type modifiers ----------
CREATE TEMP TABLE modified (id int, f cuckoo(1000, 0.001), g cuckoo(200));
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'modified'::regclass AND attnum > 1;
INSERT INTO modified VALUES (1, cuckoo_empty(1000, 0.001), cuckoo_empty(200)), (2, NULL, NULL), (3, cuckoo_add(cuckoo_empty(1000, 0.001), 1), cuckoo_add(cuckoo_empty(200), 'x'));
INSERT INTO modified VALUES (4, cuckoo_empty(1000));
INSERT INTO modified VALUES (4, cuckoo_add(cuckoo_empty(1000), 1)::cuckoo(1000, 0.001));
SELECT cuckoo_empty(5)::cuckoo(1000, 0.001) = cuckoo_empty(1000, 0.001) AS an_empty_one_folds;
SELECT 'UQAA6AeFAw=='::cuckoo(1001);
SELECT NULL::cuckoo(1, 2, 3);
SELECT NULL::cuckoo(0);
SELECT NULL::cuckoo(100, 1);
SELECT NULL::cuckoo('x');

-- ---------- parameters ----------
SELECT cuckoo_empty(0);
SELECT cuckoo_empty(100, 0);
SELECT cuckoo_empty(100, 1);
SELECT cuckoo_empty('NaN');
SELECT cuckoo_empty(1e300);
SELECT cuckoo_empty(483182331, 0.01);
SELECT cuckoo_agg(i, 1e12, 0.001) FROM generate_series(1, 3) i;
SELECT cuckoo_agg(i, NULL) FROM generate_series(1, 3) i;
SELECT cuckoo_agg(i, 10 * i) FROM generate_series(1, 3) i;
SELECT (cuckoo_info(cuckoo_empty(99.5))).capacity, (cuckoo_info(cuckoo_empty(10, 1e-9))).promised_rate, (cuckoo_info(cuckoo_empty(10, 0.012345))).promised_rate AS of_three_digits, cuckoo_empty(NULL), cuckoo_empty(10, NULL);
SELECT cuckoo_agg(i, 10) IS NULL AS no_rows FROM generate_series(1, 0) i;
SELECT cuckoo_agg(NULL::int, 10) = cuckoo_empty(10) AS no_values FROM generate_series(1, 3) i;

-- ---------- what does not go together ----------
SELECT cuckoo_empty(100) || cuckoo_empty(1000);
SELECT cuckoo_empty(100) || cuckoo_empty(100, 0.001);
SELECT cuckoo_add(cuckoo_empty(100), 1) || cuckoo_add(cuckoo_empty(100), 'x');
SELECT cuckoo_add(cuckoo_empty(100), 1) @> 'x'::text;
SELECT cuckoo_count(cuckoo_add(cuckoo_empty(100), 1), date '2024-01-01');
SELECT cuckoo_add(cuckoo_add(cuckoo_empty(100), 1), 'x'::text);
SELECT cuckoo_add(cuckoo_empty(100), 1) @> ARRAY[1];
SELECT cuckoo_merge_agg(f) FROM unnest(ARRAY[cuckoo_empty(100), cuckoo_empty(101)]) f;

-- ---------- bytes ----------
SELECT '\x'::cuckoo;
SELECT '\x510000e80785'::cuckoo;
SELECT '\x510000e807850300'::cuckoo;
SELECT '\x520000e8078503'::cuckoo;
SELECT '\x410000e8078503'::cuckoo;
SELECT '\x510300e8078503'::cuckoo;
SELECT '\x51000000'::bytea::cuckoo;
SELECT '\x51000081808080108503'::cuckoo;
SELECT ''::cuckoo;
SELECT 'hello'::cuckoo;
-- none that is cut off, and of those with a bit flipped none that is not written again as it is
CREATE FUNCTION pg_temp.accepted(b bytea) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RETURN b::cuckoo::bytea = b;
EXCEPTION WHEN invalid_binary_representation THEN
    RETURN NULL;
END
$$;
CREATE TEMP TABLE bytes AS SELECT id, f::bytea AS b FROM (VALUES (1, cuckoo_empty(1000)), (2, cuckoo_add(cuckoo_empty(1000), 'x')), (3, cuckoo_add_all(cuckoo_empty(100), ARRAY[1, 2, 2, 3])), (4, cuckoo_add_all(cuckoo_empty(10), ARRAY[1, 2, 2, 2, 1, 3, 3]))) v(id, f);
SELECT id, count(pg_temp.accepted(substr(b, 1, n))) AS cut_off FROM bytes, generate_series(0, length(b) - 1) n GROUP BY id ORDER BY id;
SELECT id, count(*) AS flips, count(pg_temp.accepted(set_bit(b, n, 1 - get_bit(b, n)))) AS accepted, bool_and(pg_temp.accepted(set_bit(b, n, 1 - get_bit(b, n)))) AS as_they_are FROM bytes, generate_series(0, 8 * length(b) - 1) n GROUP BY id ORDER BY id;
