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
SELECT k, n, l.* FROM unnest(ARRAY[1, 20, 1000]) k, unnest(ARRAY[1, 2, 50, 1000, 20000]) n, LATERAL (SELECT topk_agg(i * i % 7919, k) AS numbers, topk_agg('value ' || i * i % 7919, k) AS texts, topk_agg((i * i % 7919)::float8 / 8, k) AS floats, topk_agg_weighted(date '2000-01-01' + i * i % 7919, i, k) AS dates
    FROM generate_series(1, n) i) l
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

-- COPY as binary, in psql's folder
\copy sketches TO 'results/topk_io.bin' (FORMAT binary)
CREATE TEMP TABLE binary_copy (LIKE sketches);
\copy binary_copy FROM 'results/topk_io.bin' (FORMAT binary)
SELECT count(*), bool_and(a.numbers = b.numbers AND a.texts = b.texts AND a.floats = b.floats AND a.dates = b.dates) AS same FROM sketches a JOIN binary_copy b USING (k, n);

-- what topk alone answers, of the state of an aggregate that lacks a final function
CREATE AGGREGATE pg_temp.unfinished(int, int) (SFUNC = _topk_step, STYPE = topk);
SELECT bool_and(topk_frequency(state, 4) = topk_frequency(sketch, 4)) AS frequency, bool_and((SELECT array_agg(i) FROM topk_items(state) i) = (SELECT array_agg(i) FROM topk_items(sketch) i)) AS items,
    bool_and(state::topk(1) = sketch::topk(1)) AS folded, bool_and(state = sketch) AS equal
FROM unnest(ARRAY[1, 5, 6, 12, 13, 100, 101, 113, 1000, 20000]) n, LATERAL (SELECT pg_temp.unfinished(i * i % 7919, 20) AS state, topk_agg(i * i % 7919, 20) AS sketch FROM generate_series(1, n) i) q;
DROP AGGREGATE pg_temp.unfinished(int, int);
