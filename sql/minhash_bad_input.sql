-- Every kind of bad input, with its message and its SQLSTATE
\set SHOW_CONTEXT never

-- The SQLSTATE of a statement, or what it answered
CREATE FUNCTION pg_temp.try(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE statement INTO answer;
    RETURN 'accepted: ' || coalesce(answer, 'NULL');
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
END
$$;

-- ---------- k ----------
SELECT minhash_empty(8);
SELECT minhash_empty(131072);
SELECT minhash_empty(100);
SELECT minhash_agg(i, 12) FROM generate_series(1, 3) i;
SELECT minhash_agg(i, 100) FROM generate_series(1, 3) i;
SELECT minhash_agg(i, NULL) FROM generate_series(1, 3) i;
SELECT minhash_agg(i, 16 << i) FROM generate_series(1, 3) i;
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT minhash_empty(15)'), (2, 'SELECT minhash_empty(65537)'), (3, 'SELECT minhash_empty(-1)'), (4, 'SELECT minhash_empty(2147483647)'),
    (5, 'SELECT minhash_empty(16)'), (6, 'SELECT minhash_empty(65536)'), (7, 'SELECT minhash_empty(NULL)'), (8, 'SELECT minhash_empty(17)'), (9, 'SELECT minhash_empty(0)'),
    (10, 'SELECT minhash_agg(1, 15)'), (11, 'SELECT minhash_agg(1, 17)'), (12, 'SELECT minhash_agg(NULL::int, 17)'), (13, 'SELECT minhash_agg(1, NULL)'),
    (14, 'SELECT minhash_agg(NULL::int, NULL)'), (15, 'SELECT minhash_agg(1, 17) WHERE false'), (16, 'SELECT minhash_agg(i, 16 << i) FROM generate_series(1, 3) i'),
    (17, 'SELECT minhash_agg(NULL::int, 16 << i) FROM generate_series(1, 3) i')) q(n, statement) ORDER BY n;

-- ---------- text that is no sketch ----------
SELECT 'unique visitors'::minhash;
SELECT ''::minhash;
SELECT '\x1'::minhash;
SELECT repeat('what is this? ', 10)::minhash;
-- words of four letters are base64, but no sketch
SELECT 'what does this mean'::minhash;
SELECT 'some more data here'::minhash;
SELECT input, pg_temp.try(format('SELECT %L::minhash', input)) FROM (VALUES
    (1, ''), (2, ' '), (3, 'x'), (4, 'gQAABw'), (5, 'gQAABw='), (6, 'gQAABw==='), (7, 'gQAABw==x'), (8, 'gQA=ABw='), (9, 'gQAAB-=='),
    (10, '\x'), (11, '\x1'), (12, '\x8100000'), (13, '\x8100000g'), (14, '\y81000007'), (15, '81000007'), (16, '{1,2,3}')
) q(n, input) ORDER BY n;
-- a soft error where the server has them (PostgreSQL 16 and later)
SELECT CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'accepted: false|false|true'
    ELSE pg_temp.try($q$SELECT pg_input_is_valid('?', 'minhash') || '|' || pg_input_is_valid('\x81000007ff', 'minhash') || '|' || pg_input_is_valid('gQAABw==', 'minhash')$q$) END AS soft;

-- ---------- bytes that are no sketch ----------
SELECT '\x810000'::minhash;
SELECT '\x82000007'::minhash;
SELECT '\x11000007'::minhash;
SELECT '\x81400007'::minhash;
SELECT '\x81030107'::minhash;
-- what an aggregate's state looks like in memory
SELECT '\x810f010700000000'::minhash;
SELECT '\x8101190701954c9d00'::minhash;
SELECT '\x81000107'::minhash;
SELECT '\x81000003'::minhash;
SELECT '\x81000011'::minhash;
SELECT '\x8100000700'::minhash;
SELECT '\x810101070181'::minhash;
SELECT '\x8101010700954c9d00'::minhash;
SELECT '\x81010107810100'::minhash;
SELECT '\x8101010701954c9d0000'::minhash;
SELECT '\x81020107'::minhash;
SELECT '\x8102010431'::minhash;
SELECT '\x81020104000000'::minhash;
-- sixteen empty bins
SELECT '\x810201040000000000'::minhash;
-- the same by bytea
SELECT '\x82000007'::bytea::minhash;
SELECT '\x82'::bytea::minhash;
SELECT ''::bytea::minhash;

-- ---------- cut off, extended, a bit changed ----------
-- One sketch of each encoding
CREATE TEMP TABLE good AS
SELECT name, s::bytea AS b FROM (
    SELECT 'empty' AS name, minhash_empty() AS s
    UNION ALL SELECT 'one value', minhash_add(minhash_empty(), 1)
    UNION ALL SELECT 'sparse', minhash_agg(i) FROM generate_series(1, 50) i
    UNION ALL SELECT 'full', minhash_agg(i, 32) FROM generate_series(1, 32) i
    UNION ALL SELECT 'dense', minhash_agg(i, 16) FROM generate_series(1, 1000) i
    UNION ALL SELECT 'dense, half filled', minhash_agg(i, 32) FROM generate_series(1, 33) i) q;

-- How bytes fare by way of text, and of bytea; both must agree
CREATE FUNCTION pg_temp.try_bytes(b bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    s minhash;
    by_text text := 'accepted';
BEGIN
    BEGIN
        s := replace(encode(b, 'base64'), E'\n', '')::minhash;
    EXCEPTION WHEN OTHERS THEN
        by_text := SQLSTATE;
    END;
    s := b::minhash;
    -- what is accepted is a sketch, written in the one way there is
    IF by_text <> 'accepted' OR s::bytea <> b OR minhash_cardinality(s) < 0 OR s || s <> s THEN
        RETURN 'wrong: ' || by_text;
    END IF;
    RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ', text ' || by_text;
END
$$;

SELECT name, length(b) AS bytes, r.outcome, count(*)
FROM good, generate_series(0, length(b) - 1) cut, pg_temp.try_bytes(substr(b, 1, cut)) r(outcome)
GROUP BY name, b, r.outcome ORDER BY length(b), r.outcome;

SELECT name, r.outcome, count(*)
FROM good, unnest(ARRAY['\x00', '\x01', '\x80', '\xff', '\x0000000000000000']::bytea[]) more, pg_temp.try_bytes(b || more) r(outcome)
GROUP BY name, b, r.outcome ORDER BY length(b), r.outcome;

-- A changed bit can make another sketch: of other values, or of another kind of
-- them (there is no checksum).  It cannot make something else.
SELECT name, r.outcome, count(*)
FROM good, generate_series(0, 8 * length(b) - 1) bit, pg_temp.try_bytes(set_bit(b, bit, 1 - get_bit(b, bit))) r(outcome)
GROUP BY name, b, r.outcome ORDER BY length(b), r.outcome;
-- every sentence that explains why
CREATE FUNCTION pg_temp.why(b bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    detail text;
BEGIN
    PERFORM b::minhash;
    RETURN NULL;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
    RETURN detail;
END
$$;
SELECT DISTINCT pg_temp.why(set_byte(b, byte, value)) COLLATE "C" AS why
FROM good, generate_series(0, least(length(b), 20) - 1) byte, generate_series(0, 255) value WHERE name <> 'full'
UNION SELECT pg_temp.why(substr(b, 1, cut)) FROM good, generate_series(0, length(b)) cut WHERE name = 'dense'
UNION SELECT pg_temp.why(b || '\x00') FROM good
ORDER BY 1;

-- ---------- receive ----------
-- A bytea sends its bytes as they are, so a binary copy of it is one of sketches
CREATE TEMP TABLE received (s minhash, s64 minhash(64));
\copy (SELECT '\x8101010701954c9d00'::bytea, '\x810101060115a64e00'::bytea) TO 'results/minhash_bad_input.bin' (FORMAT binary)
\copy received FROM 'results/minhash_bad_input.bin' (FORMAT binary)
SELECT s, s64, #s AS cardinality FROM received;
\copy (SELECT '\x8101010701954c9d'::bytea) TO 'results/minhash_bad_input.bin' (FORMAT binary)
\copy received (s) FROM 'results/minhash_bad_input.bin' (FORMAT binary)
\copy (SELECT '\x8101010701954c9d0000'::bytea) TO 'results/minhash_bad_input.bin' (FORMAT binary)
\copy received (s) FROM 'results/minhash_bad_input.bin' (FORMAT binary)
\copy (SELECT '\x810f010700000000'::bytea) TO 'results/minhash_bad_input.bin' (FORMAT binary)
\copy received (s) FROM 'results/minhash_bad_input.bin' (FORMAT binary)
\copy (SELECT ''::bytea) TO 'results/minhash_bad_input.bin' (FORMAT binary)
\copy received (s) FROM 'results/minhash_bad_input.bin' (FORMAT binary)
\copy (SELECT '\x8101010701954c9d00'::bytea) TO 'results/minhash_bad_input.bin' (FORMAT binary)
\copy received (s64) FROM 'results/minhash_bad_input.bin' (FORMAT binary)
\set VERBOSITY sqlstate
\copy received (s64) FROM 'results/minhash_bad_input.bin' (FORMAT binary)
\copy (SELECT '\x8101010701954c9d'::bytea) TO 'results/minhash_bad_input.bin' (FORMAT binary)
\copy received (s) FROM 'results/minhash_bad_input.bin' (FORMAT binary)
\set VERBOSITY default
SELECT count(*) FROM received;

-- ---------- what does not go together ----------
CREATE TEMP TABLE kinds AS
SELECT minhash_agg(i) AS numbers, minhash_agg(i::text) AS texts, minhash_agg(md5(i::text)::uuid) AS uuids, minhash_empty() AS nothing
FROM generate_series(1, 10) i;
SELECT numbers || texts FROM kinds;
SELECT minhash_merge_agg(s) FROM kinds, unnest(ARRAY[nothing, uuids, texts]) s;
SELECT minhash_add(numbers, (SELECT 'seven'::text)) FROM kinds;
SELECT minhash_add_all(texts, ARRAY[1, 2]) FROM kinds;
SELECT minhash_jaccard(numbers, texts) FROM kinds;
SELECT minhash_add(texts, ARRAY['seven']) FROM kinds;
SELECT minhash_add(numbers, 'seven') FROM kinds;
SELECT minhash_add(numbers, '{"a": 1}'::json) FROM kinds;
SELECT minhash_add(numbers, point '(1, 2)') FROM kinds;
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT numbers || texts FROM kinds'), (2, 'SELECT minhash_merge(texts, numbers) FROM kinds'),
    (3, 'SELECT minhash_merge_agg(s) FROM kinds, unnest(ARRAY[numbers, texts]) s'),
    (4, 'SELECT minhash_add(numbers, (SELECT ''7''::text)) FROM kinds'), (5, 'SELECT minhash_add(texts, 7) FROM kinds'), (6, 'SELECT minhash_add(numbers, 7.0::float8) FROM kinds'),
    (7, 'SELECT #minhash_add(numbers, 7.0) FROM kinds'), (8, 'SELECT #minhash_add(numbers, 7::smallint) FROM kinds'), (9, 'SELECT #minhash_add(numbers, ''7'') FROM kinds'),
    (10, 'SELECT minhash_add_all(texts, ARRAY[1]) FROM kinds'), (11, 'SELECT #minhash_add_all(texts, ARRAY[]::int[]) FROM kinds'),
    (12, 'SELECT minhash_containment(texts, numbers) FROM kinds'), (13, 'SELECT minhash_jaccard_bounds(texts, numbers) FROM kinds'),
    (14, 'SELECT minhash_jaccard(texts, numbers) FROM kinds'), (15, 'SELECT #(nothing || texts) FROM kinds'), (16, 'SELECT minhash_jaccard(texts, nothing) FROM kinds'),
    (17, 'SELECT numbers = texts FROM kinds'), (18, 'SELECT minhash_add(nothing, ''1''::json) FROM kinds')) q(n, statement) ORDER BY n;

-- ---------- type modifiers ----------
SELECT minhash_add(minhash_empty(), 1)::minhash(8);
SELECT minhash_add(minhash_empty(), 1)::minhash(128, 2);
SELECT minhash_add(minhash_empty(), 1)::minhash('many');
SELECT minhash_add(minhash_empty(64), 1)::minhash(128);
CREATE TEMP TABLE modified (s minhash(64));
INSERT INTO modified SELECT minhash_agg(i) FROM generate_series(1, 10) i;
INSERT INTO modified VALUES ('gQEBBwGVTJ0A');
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT ''gQEBBwGVTJ0A''::minhash(64)'), (2, 'SELECT minhash_add(minhash_empty(64), 1)::minhash(128)'), (3, 'SELECT NULL::minhash(8)'), (4, 'SELECT NULL::minhash(17)'),
    (5, 'SELECT NULL::minhash(1, 2)'), (6, 'SELECT NULL::minhash(x)'), (7, 'INSERT INTO modified VALUES (''gQEBBwGVTJ0A'') RETURNING s'),
    (8, 'INSERT INTO modified SELECT minhash_agg(1) RETURNING s'), (9, 'INSERT INTO modified SELECT minhash_agg(1, 64) RETURNING s')) q(n, statement) ORDER BY n;

-- ---------- confidence ----------
SELECT minhash_bounds(minhash_empty(), 95);
SELECT confidence, pg_temp.try(format('SELECT minhash_bounds(minhash_agg(1), %L)', confidence)) AS bounds,
    pg_temp.try(format('SELECT minhash_jaccard_bounds(minhash_agg(1), minhash_agg(1), %L)', confidence)) AS jaccard_bounds, pg_temp.try(format('SELECT (minhash_bounds(minhash_agg(i), %L)).lower > 128 FROM generate_series(1, 500) i', confidence)) AS many,
    pg_temp.try(format('SELECT (minhash_jaccard_bounds(minhash_agg(i), minhash_agg(i + 100), %L)).upper <= 1 FROM generate_series(1, 500) i', confidence)) AS similar
FROM (VALUES (1, '0'), (2, '1'), (3, '-0.5'), (4, '95'), (5, 'NaN'), (6, 'Infinity'), (7, '1e-300'), (8, '0.9999999999999999'), (9, NULL)) q(n, confidence) ORDER BY n;

-- ---------- functions that belong to aggregates ----------
SELECT minhash_step(minhash_empty(), 1);
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT minhash_step(NULL, 1)'), (2, 'SELECT minhash_step(minhash_empty(), ''a''::text, 64)'), (3, 'SELECT minhash_step(minhash_empty(), true)'),
    (4, 'SELECT minhash_merge_step(minhash_empty(), minhash_empty())'), (5, 'SELECT minhash_combine(minhash_empty(), minhash_empty())'), (6, 'SELECT minhash_combine(NULL, NULL)'),
    (7, 'SELECT minhash_final(minhash_empty())')) q(n, statement) ORDER BY n;

-- ---------- types without an equality to count by ----------
SELECT minhash_agg('{}'::json);
SELECT minhash_agg(ARRAY['(1,2)'::point]);
