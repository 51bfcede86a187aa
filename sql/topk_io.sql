-- Text, bytea and what is made of them; receive is in topk_bad_input and TAP

-- one line of base64
SELECT topk_empty(), topk_empty(100), topk_add(topk_empty(), 'the'), topk_add(topk_empty(), 42, 300);
SELECT topk_add_all(topk_empty(), '{the,and,the,cat,the,and,the,the,and}'::text[])::bytea;
SELECT length(s::text), s::text LIKE E'%\n%' AS has_line_break, length(s::bytea) FROM (SELECT topk_agg(i, 20) AS s FROM generate_series(1, 6000) i) q;

-- in: base64, or the digits that bytea shows
SELECT 'QQECFAEAAQMBA3RoZQ=='::topk = '\x41010214010001030103746865'::topk AS hex, 'QQAAFA=='::topk = topk_empty() AS base64,
    '\X41000014'::topk = topk_empty() AS upper_case, '\x41000014'::bytea::topk = topk_empty() AS bytea;
-- space around it means nothing, as with numbers and dates
SELECT ' QQAAFA=='::topk AS before, E'QQAAFA== \r\n'::topk AS after, ' \x41000014 '::topk AS hex;
-- what encode() makes of bytea has line breaks
SELECT encode(topk_agg(i, 20)::bytea, 'base64')::topk = topk_agg(i, 20) AS from_encode FROM generate_series(1, 100) i;

-- there and back, exact or not, with hashes beside the texts or without: by text, by hexadecimal text, by bytea
CREATE TEMP TABLE sketches AS
SELECT k, n, topk_agg(i * i % 7919, k) AS numbers, topk_agg('value ' || i * i % 7919, k) AS texts, topk_agg((i * i % 7919)::float8 / 8, k) AS floats, topk_agg(date '2000-01-01' + i * i % 7919, i, k) AS dates
FROM unnest(ARRAY[1, 20, 1000]) k, unnest(ARRAY[1, 2, 50, 1000, 20000]) n, generate_series(1, n) i GROUP BY k, n
UNION ALL SELECT k, 0, topk_empty(k), topk_empty(k), topk_empty(k), topk_empty(k) FROM unnest(ARRAY[1, 20, 1000]) k;
SELECT k, string_agg(left((topk_info(s)).encoding, 1) || CASE WHEN (topk_info(s)).error > 0 THEN '!' ELSE '' END, ' ' ORDER BY n, kind) AS encodings,
    bool_and(s::text::topk = s) AS text, bool_and(s::text::topk::text = s::text) AS text_twice, bool_and(s::bytea::text::topk = s) AS hex,
    bool_and(s::bytea::topk = s) AS bytea, bool_and(s::bytea::topk::bytea = s::bytea) AS bytea_twice
FROM sketches, LATERAL (VALUES (1, numbers), (2, texts), (3, floats), (4, dates)) v(kind, s) GROUP BY k ORDER BY k;
-- all of them differ, but for the empty ones
SELECT count(*) AS sketches, count(DISTINCT s) AS different, count(DISTINCT s::text) AS texts FROM sketches, unnest(ARRAY[numbers, texts, floats, dates]) s;

-- inside of arrays, rows, JSON
SELECT ARRAY[topk_empty(), NULL, topk_empty(1)], '{QQAAFA==,NULL,"\\x41000001"}'::topk[];
SELECT ROW(topk_empty(), 1), to_json(topk_empty()), row_to_json(q) FROM (SELECT 1 AS day, topk_empty() AS seen) q;
SELECT * FROM json_to_record('{"day": 1, "seen": "QQAAFA=="}') AS q(day int, seen topk);

-- COPY as text
COPY (SELECT k, n, texts FROM sketches WHERE k < 1000 AND n < 3 ORDER BY k, n) TO STDOUT;
COPY (SELECT n, numbers FROM sketches WHERE k = 20 AND n < 3 ORDER BY n) TO STDOUT (FORMAT csv);
CREATE TEMP TABLE copied (n int, s topk);
COPY copied FROM STDIN;
1	QQAAFA==
2	\\x41010214010001030103746865
3	\N
\.
COPY copied FROM STDIN (FORMAT csv);
4,QQAAFA==
5,\x41010214010001030103746865
6,
\.
SELECT n, s, topk_total(s) AS total FROM copied ORDER BY n;

-- COPY as binary, in psql's folder
\copy sketches TO 'results/topk_io.bin' (FORMAT binary)
CREATE TEMP TABLE binary_copy (LIKE sketches);
\copy binary_copy FROM 'results/topk_io.bin' (FORMAT binary)
SELECT count(*), bool_and(a.numbers = b.numbers AND a.texts = b.texts AND a.floats = b.floats AND a.dates = b.dates) AS same FROM sketches a JOIN binary_copy b USING (k, n);

-- The state of an aggregate that lacks a final function comes out as a sketch like any other
CREATE AGGREGATE pg_temp.unfinished(int, int) (SFUNC = topk_step, STYPE = topk);
CREATE AGGREGATE pg_temp.unfinished_merge(topk) (SFUNC = topk_merge_step, STYPE = topk);
SELECT pg_temp.unfinished(i, 20) AS text, pg_temp.unfinished(i, 20)::bytea, pg_temp.unfinished(i, 20) = topk_agg(i, 20) AS same FROM generate_series(1, 2) i;
CREATE TEMP TABLE states AS
SELECT n, pg_temp.unfinished(i * i % 7919, 20) AS state, topk_agg(i * i % 7919, 20) AS sketch FROM unnest(ARRAY[1, 5, 6, 12, 13, 100, 101, 113, 1000, 20000]) n, generate_series(1, n) i GROUP BY n
UNION ALL SELECT -n, pg_temp.unfinished_merge(s), topk_merge_agg(s) FROM (SELECT n, topk_agg(i * i % 7919, 20) AS s FROM unnest(ARRAY[1, 5, 10, 100, 1000, 20000]) n, generate_series(1, n) i GROUP BY n, i % 7) q GROUP BY n;
SELECT count(*), bool_and(state = sketch) AS equal, bool_and(topk_cmp(state, sketch) = 0) AS in_order, bool_and(topk_hash(state) = topk_hash(sketch)) AS hash,
    bool_and(topk_hash_extended(state, 1) = topk_hash_extended(sketch, 1)) AS hash_extended, bool_and(state::text = sketch::text) AS text, bool_and(state::bytea = sketch::bytea) AS bytea,
    bool_and(topk_total(state) = topk_total(sketch)) AS total, bool_and(topk_info(state) = topk_info(sketch)) AS info, bool_and(topk_frequency(state, 4) = topk_frequency(sketch, 4)) AS frequency,
    bool_and((SELECT array_agg(i) FROM topk_items(state) i) = (SELECT array_agg(i) FROM topk_items(sketch) i)) AS items FROM states;
SELECT bool_and(topk_add(state, 0) = topk_add(sketch, 0)) AS add, bool_and(topk_add_all(state, '{0,1}'::int[]) = topk_add_all(sketch, '{0,1}'::int[])) AS add_all,
    bool_and(state || state = sketch || sketch) AS merge, bool_and(state || sketch = sketch || sketch) AS merge_right, bool_and(state::topk(1) = sketch::topk(1)) AS folded FROM states;
SELECT topk_merge_agg(state) = topk_merge_agg(sketch) AS merge_agg FROM states WHERE abs(n) < 2000;
SELECT count(*), count(DISTINCT sketch) AS different FROM (SELECT sketch FROM states UNION SELECT state FROM states) q;
DROP AGGREGATE pg_temp.unfinished(int, int);
DROP AGGREGATE pg_temp.unfinished_merge(topk);
