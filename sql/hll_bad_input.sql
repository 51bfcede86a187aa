-- Every kind of bad input, with its message and its SQLSTATE
\set try `echo "${PROBDS_SRC:-.}/test/types/try.sql"`
\set ECHO none
\i :try
\set ECHO all

-- ---------- precision ----------
SELECT hll_empty(3);
SELECT hll_empty(19);
SELECT hll_agg(i, 3) FROM generate_series(1, 3) i;
SELECT hll_agg(i, NULL) FROM generate_series(1, 3) i;
SELECT hll_agg(i, 10 + i) FROM generate_series(1, 3) i;
SELECT hll_reduce(hll_agg(i, 12), 14) FROM generate_series(1, 3) i;
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT hll_empty(3)'), (2, 'SELECT hll_empty(19)'), (3, 'SELECT hll_empty(-1)'), (4, 'SELECT hll_empty(2147483647)'),
    (5, 'SELECT hll_empty(4)'), (6, 'SELECT hll_empty(18)'), (7, 'SELECT hll_empty(NULL)'),
    (8, 'SELECT hll_agg(1, 3)'), (9, 'SELECT hll_agg(1, 19)'), (10, 'SELECT hll_agg(NULL::int, 19)'), (11, 'SELECT hll_agg(1, NULL)'),
    (12, 'SELECT hll_agg(NULL::int, NULL)'), (13, 'SELECT hll_agg(1, 19) WHERE false'),
    (14, 'SELECT hll_agg(i, 10 + i) FROM generate_series(1, 3) i'), (15, 'SELECT hll_agg(NULL::int, 10 + i) FROM generate_series(1, 3) i'),
    (16, 'SELECT hll_agg(i, nullif(12, 10 + i)) FROM generate_series(1, 3) i'),
    (17, 'SELECT approx_count_distinct(1, 3)'), (18, 'SELECT approx_count_distinct(''a''::text, 19)'),
    (19, 'SELECT hll_reduce(hll_add(hll_empty(12), 1), 14)'), (20, 'SELECT hll_reduce(hll_add(hll_empty(12), 1), 3)'),
    (21, 'SELECT hll_reduce(hll_empty(12), 19)'), (22, 'SELECT hll_reduce(hll_empty(12), NULL)')) q(n, statement) ORDER BY n;

-- ---------- text that is no sketch ----------
SELECT 'unique visitors'::hll;
SELECT ''::hll;
SELECT '\x1'::hll;
SELECT repeat('what is this? ', 10)::hll;
-- words of four letters are base64, but no sketch
SELECT 'what does this mean'::hll;
SELECT 'some more data here'::hll;
SELECT input, pg_temp.try(format('SELECT %L::hll', input)) FROM (VALUES
    (1, ''), (2, ' '), (3, 'x'), (4, 'EQAADg'), (5, 'EQAADg='), (6, 'EQAADg==='), (7, 'EQAADg==x'), (8, 'EQA=ADg='), (9, 'EQAAD-=='),
    (10, '\x'), (11, '\x1'), (12, '\x1100000'), (13, '\x1100000g'), (14, '\y1100000e'), (15, '1100000e'), (16, '{1,2,3}')
) q(n, input) ORDER BY n;
-- a soft error where the server has them (PostgreSQL 16 and later)
SELECT CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'accepted: false|false|true'
    ELSE pg_temp.try($q$SELECT pg_input_is_valid('?', 'hll') || '|' || pg_input_is_valid('\x1100000eff', 'hll') || '|' || pg_input_is_valid('EQAADg==', 'hll')$q$) END AS soft;

-- ---------- bytes that are no sketch ----------
SELECT '\x110000'::hll;
SELECT '\x1200000e'::hll;
SELECT '\x2100000e'::hll;
SELECT '\x1140000e'::hll;
SELECT '\x1103010e'::hll;
-- what an aggregate's state looks like in memory
SELECT '\x110f010e0e0000000000'::hll;
SELECT '\x1101190e012a111704'::hll;
SELECT '\x1100010e'::hll;
SELECT '\x11000003'::hll;
SELECT '\x1100000e00'::hll;
SELECT '\x1101010e0181'::hll;
SELECT '\x1101010e002a111704'::hll;
SELECT '\x1101010e012a11170400'::hll;
SELECT '\x1102010e'::hll;
SELECT '\x110201040202100000'::hll;
-- the same by bytea
SELECT '\x1200000e'::bytea::hll;
SELECT '\x12'::bytea::hll;
SELECT ''::bytea::hll;

-- ---------- cut off, extended, a bit changed ----------
-- One sketch of each encoding
CREATE TEMP TABLE good AS
SELECT row_number() OVER (ORDER BY length(s::bytea)) AS n, name, s::bytea AS b FROM (
    SELECT 'empty' AS name, hll_empty() AS s
    UNION ALL SELECT 'one value', hll_add(hll_empty(), 1)
    UNION ALL SELECT 'sparse', hll_agg(i) FROM generate_series(1, 50) i
    UNION ALL SELECT 'sparse with ranks', hll_agg(i, 18) FROM generate_series(1, 400) i
    UNION ALL SELECT 'dense', hll_agg(i, 4) FROM generate_series(1, 1000) i
    UNION ALL SELECT 'dense with escapes', hll_agg(i, 10) FROM generate_series(1, 50000) i) q;
SELECT * FROM pg_temp.damage('hll', 'hll_cardinality(s) >= 0 AND s || s = s');
-- of registers only the kind of value can be changed like this, or the hash family
SELECT name, bit / 8 AS byte, count(*)
FROM good, generate_series(0, 8 * length(b) - 1) bit, pg_temp.try_bytes('hll', 'true', set_bit(b, bit, 1 - get_bit(b, bit))) r(outcome)
WHERE name LIKE 'dense%' AND r.outcome = 'accepted'
GROUP BY name, b, bit / 8 ORDER BY length(b), bit / 8;

-- every sentence that explains why
SELECT DISTINCT pg_temp.why('hll', set_byte(b, byte, value)) COLLATE "C" AS why
FROM good, generate_series(0, least(length(b), 20) - 1) byte, generate_series(0, 255) value WHERE name <> 'sparse with ranks'
UNION SELECT pg_temp.why('hll', substr(b, 1, cut)) FROM good, generate_series(0, length(b)) cut WHERE name = 'dense'
UNION SELECT pg_temp.why('hll', b || '\x00') FROM good
ORDER BY 1;

-- ---------- receive ----------
-- A bytea sends its bytes as they are, so a binary copy of it is one of sketches
CREATE TEMP TABLE received (s hll, s12 hll(12));
\copy (SELECT '\x1101010e012a111704'::bytea, '\x1101010c012a111704'::bytea) TO 'results/hll_bad_input.bin' (FORMAT binary)
\copy received FROM 'results/hll_bad_input.bin' (FORMAT binary)
SELECT s, s12, #s AS cardinality FROM received;
\copy (SELECT '\x1101010e012a1117'::bytea) TO 'results/hll_bad_input.bin' (FORMAT binary)
\copy received (s) FROM 'results/hll_bad_input.bin' (FORMAT binary)
\copy (SELECT '\x1101010e012a11170400'::bytea) TO 'results/hll_bad_input.bin' (FORMAT binary)
\copy received (s) FROM 'results/hll_bad_input.bin' (FORMAT binary)
\copy (SELECT '\x110f010e0e0000000000'::bytea) TO 'results/hll_bad_input.bin' (FORMAT binary)
\copy received (s) FROM 'results/hll_bad_input.bin' (FORMAT binary)
\copy (SELECT ''::bytea) TO 'results/hll_bad_input.bin' (FORMAT binary)
\copy received (s) FROM 'results/hll_bad_input.bin' (FORMAT binary)
\copy (SELECT '\x1101010e012a111704'::bytea) TO 'results/hll_bad_input.bin' (FORMAT binary)
\copy received (s12) FROM 'results/hll_bad_input.bin' (FORMAT binary)
\set VERBOSITY sqlstate
\copy received (s12) FROM 'results/hll_bad_input.bin' (FORMAT binary)
\copy (SELECT '\x1101010e012a1117'::bytea) TO 'results/hll_bad_input.bin' (FORMAT binary)
\copy received (s) FROM 'results/hll_bad_input.bin' (FORMAT binary)
\set VERBOSITY default
SELECT count(*) FROM received;

-- ---------- what does not go together ----------
CREATE TEMP TABLE kinds AS
SELECT hll_agg(i) AS numbers, hll_agg(i::text) AS texts, hll_agg(md5(i::text)::uuid) AS uuids, hll_empty() AS nothing
FROM generate_series(1, 10) i;
SELECT numbers || texts FROM kinds;
SELECT hll_merge_agg(s) FROM kinds, unnest(ARRAY[nothing, uuids, texts]) s;
SELECT hll_add(numbers, (SELECT 'seven'::text)) FROM kinds;
SELECT hll_add_all(texts, ARRAY[1, 2]) FROM kinds;
SELECT hll_intersection_cardinality(numbers, texts) FROM kinds;
SELECT hll_add(texts, ARRAY['seven']) FROM kinds;
SELECT hll_add(numbers, 'seven') FROM kinds;
SELECT hll_add(numbers, '{"a": 1}'::json) FROM kinds;
SELECT hll_add(numbers, point '(1, 2)') FROM kinds;
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT numbers || texts FROM kinds'), (2, 'SELECT hll_merge(texts, numbers) FROM kinds'),
    (3, 'SELECT hll_merge_agg(s) FROM kinds, unnest(ARRAY[numbers, texts]) s'),
    (4, 'SELECT hll_add(numbers, (SELECT ''7''::text)) FROM kinds'), (5, 'SELECT hll_add(texts, 7) FROM kinds'), (6, 'SELECT hll_add(numbers, 7.0::float8) FROM kinds'),
    (7, 'SELECT #hll_add(numbers, 7.0) FROM kinds'), (8, 'SELECT #hll_add(numbers, 7::smallint) FROM kinds'), (9, 'SELECT #hll_add(numbers, ''7'') FROM kinds'),
    (10, 'SELECT hll_add_all(texts, ARRAY[1]) FROM kinds'), (11, 'SELECT #hll_add_all(texts, ARRAY[]::int[]) FROM kinds'),
    (12, 'SELECT hll_union_cardinality(texts, numbers) FROM kinds'), (13, 'SELECT hll_intersection_bounds(texts, numbers) FROM kinds'),
    (14, 'SELECT hll_jaccard(texts, numbers) FROM kinds'), (15, 'SELECT #(nothing || texts) FROM kinds'), (16, 'SELECT hll_union_cardinality(texts, nothing) FROM kinds'),
    (17, 'SELECT numbers = texts FROM kinds'), (18, 'SELECT hll_add(nothing, ''1''::json) FROM kinds')) q(n, statement) ORDER BY n;

-- ---------- type modifiers ----------
SELECT hll_add(hll_empty(), 1)::hll(3);
SELECT hll_add(hll_empty(), 1)::hll(14, 2);
SELECT hll_add(hll_empty(), 1)::hll('fourteen');
SELECT hll_add(hll_empty(13), 1)::hll(14);
CREATE TEMP TABLE modified (s hll(12));
INSERT INTO modified SELECT hll_agg(i) FROM generate_series(1, 10) i;
INSERT INTO modified VALUES ('EQEBDgEqERcE');
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT ''EQEBDgEqERcE''::hll(12)'), (2, 'SELECT hll_add(hll_empty(13), 1)::hll(14)'), (3, 'SELECT NULL::hll(3)'), (4, 'SELECT NULL::hll(19)'),
    (5, 'SELECT NULL::hll(1, 2)'), (6, 'SELECT NULL::hll(x)'), (7, 'INSERT INTO modified VALUES (''EQEBDgEqERcE'') RETURNING s'),
    (8, 'INSERT INTO modified SELECT hll_agg(1) RETURNING s'), (9, 'INSERT INTO modified SELECT hll_agg(1, 12) RETURNING s')) q(n, statement) ORDER BY n;

-- ---------- confidence ----------
SELECT hll_bounds(hll_empty(), 95);
SELECT confidence, pg_temp.try(format('SELECT hll_bounds(hll_agg(1), %L)', confidence)) AS bounds,
    pg_temp.try(format('SELECT hll_intersection_bounds(hll_agg(1), hll_agg(1), %L)', confidence)) AS intersection_bounds
FROM (VALUES (1, '0'), (2, '1'), (3, '-0.5'), (4, '95'), (5, 'NaN'), (6, 'Infinity'), (7, '1e-300'), (8, '0.9999999999999999'), (9, NULL)) q(n, confidence) ORDER BY n;

-- ---------- functions that belong to aggregates ----------
SELECT hll_step(hll_empty(), 1);

-- ---------- types without an equality to count by ----------
SELECT hll_agg('{}'::json);
SELECT hll_agg(ARRAY['(1,2)'::point]);
