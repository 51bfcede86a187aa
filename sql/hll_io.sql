-- Text, bytea and what is made of them; what all types have is in types_io

-- one line of base64
SELECT hll_empty(), hll_add(hll_empty(), 1), hll_add(hll_empty(4), 'x');
SELECT hll_add(hll_empty(), 1)::text, hll_add(hll_empty(), 1)::bytea;

-- the longest there is has no line break either
SELECT length(s::text), s::text LIKE E'%\n%' AS has_line_break, length(s::bytea)
FROM (SELECT hll_agg(i, 18) AS s FROM generate_series(1, 60000) i) q;

-- in: base64, or the digits that bytea shows
SELECT 'EQEBDgEqERcE'::hll = hll_add(hll_empty(), 1) AS base64,
    '\x1101010e012a111704'::hll = hll_add(hll_empty(), 1) AS hex,
    '\x1101010e012a111704'::bytea::hll = hll_add(hll_empty(), 1) AS bytea;

-- text that ends within a group: nothing is written behind the memory for its bytes
DO $$ BEGIN
    FOR i IN 1..3 * 64 LOOP
        BEGIN
            PERFORM repeat('A', 40000 + i)::hll;
        EXCEPTION WHEN invalid_text_representation THEN
        END;
    END LOOP;
END $$;

-- there and back, every encoding: by text, by hexadecimal text, by bytea
CREATE TEMP TABLE sketches AS
SELECT p, n, (SELECT hll_agg(i, p) FROM generate_series(1, n) i) AS s
FROM unnest(ARRAY[4, 11, 12, 14, 18]) p, unnest(ARRAY[0, 1, 2, 3, 50, 1000, 20000]) n;
-- (an aggregate over no rows is NULL)
UPDATE sketches SET s = hll_empty(p) WHERE n = 0;
SELECT p, string_agg((hll_info(s)).encoding, ' ' ORDER BY n) AS encodings,
    bool_and(s::text::hll = s) AS text, bool_and(s::text::hll::text = s::text) AS text_twice,
    bool_and(s::bytea::text::hll = s) AS hex, bool_and(s::bytea::hll = s) AS bytea,
    bool_and(s::bytea::hll::bytea = s::bytea) AS bytea_twice
FROM sketches GROUP BY p ORDER BY p;
SELECT count(*) AS sketches, count(DISTINCT s) AS different, count(DISTINCT s::text) AS texts FROM sketches;

-- inside of arrays, rows, JSON
SELECT ARRAY[hll_empty(), NULL, hll_empty(4)], '{EQAADg==,NULL,"\\x11000004"}'::hll[];
SELECT ROW(hll_empty(), 1), to_json(hll_empty()), row_to_json(q) FROM (SELECT 1 AS day, hll_empty() AS visitors) q;
SELECT * FROM json_to_record('{"day": 1, "visitors": "EQAADg=="}') AS q(day int, visitors hll);

-- COPY as text
COPY (SELECT n, s FROM sketches WHERE p = 14 AND n BETWEEN 1 AND 3 ORDER BY n) TO STDOUT;
COPY (SELECT n, s FROM sketches WHERE p = 14 AND n < 2 ORDER BY n) TO STDOUT (FORMAT csv);
CREATE TEMP TABLE copied (n int, s hll);
COPY copied FROM STDIN;
1	EQEBDgEqERcE
2	\\x1101010e012a111704
3	\N
\.
COPY copied FROM STDIN (FORMAT csv);
4,EQEBDgEqERcE
5,\x1101010e012a111704
6,
\.
SELECT n, s, #s AS cardinality FROM copied ORDER BY n;

-- what hll alone answers, of the state of an aggregate that lacks a final function
CREATE AGGREGATE pg_temp.unfinished(int) (SFUNC = _hll_step, STYPE = hll);
SELECT bool_and(hll_bounds(state) = hll_bounds(sketch)) AS bounds, bool_and(hll_error(state) = hll_error(sketch)) AS error, bool_and(hll_reduce(state, 10) = hll_reduce(sketch, 10)) AS reduce,
    bool_and(hll_union_cardinality(state, sketch) = hll_union_cardinality(sketch, sketch)) AS union_cardinality
FROM unnest(ARRAY[1, 10, 100, 1000, 10000]) n, LATERAL (SELECT pg_temp.unfinished(i) AS state, hll_agg(i) AS sketch FROM generate_series(1, n) i) q;
DROP AGGREGATE pg_temp.unfinished(int);
