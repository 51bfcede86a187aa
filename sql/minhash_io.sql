-- Text, bytea and what is made of them; receive is in minhash_bad_input and TAP

-- one line of base64
SELECT minhash_empty(), minhash_add(minhash_empty(), 1), minhash_add(minhash_empty(16), 'x');
SELECT minhash_add(minhash_empty(), 1)::text, minhash_add(minhash_empty(), 1)::bytea;

-- the longest there is has no line break either
SELECT length(s::text), s::text LIKE E'%\n%' AS has_line_break, length(s::bytea)
FROM (SELECT minhash_agg(i, 65536) AS s FROM generate_series(1, 60000) i) q;

-- in: base64, or the digits that bytea shows
SELECT 'gQEBBwGVTJ0A'::minhash = minhash_add(minhash_empty(), 1) AS base64,
    '\x8101010701954c9d00'::minhash = minhash_add(minhash_empty(), 1) AS hex,
    '\X8101010701954C9D00'::minhash = minhash_add(minhash_empty(), 1) AS upper_case,
    '\x8101010701954c9d00'::bytea::minhash = minhash_add(minhash_empty(), 1) AS bytea;

-- space around it means nothing, as with numbers and dates
SELECT ' gQAABw=='::minhash AS before;
SELECT 'gQAABw== '::minhash AS after;
SELECT E'\tgQAABw==\r\n'::minhash AS lines;
SELECT ' \x81000007'::minhash AS hex_before;
SELECT '\x81000007 '::minhash AS hex_after;
-- what encode() makes of bytea has line breaks
SELECT encode(minhash_agg(i)::bytea, 'base64')::minhash = minhash_agg(i) AS from_encode FROM generate_series(1, 100) i;

-- there and back, every encoding: by text, by hexadecimal text, by bytea
CREATE TEMP TABLE sketches AS
SELECT p, n, (SELECT minhash_agg(i, p) FROM generate_series(1, n) i) AS s
FROM unnest(ARRAY[16, 64, 128, 1024, 8192]) p, unnest(ARRAY[0, 1, 2, 3, 50, 1000, 20000]) n;
-- (an aggregate over no rows is NULL)
UPDATE sketches SET s = minhash_empty(p) WHERE n = 0;
SELECT p, string_agg((minhash_info(s)).encoding, ' ' ORDER BY n) AS encodings,
    bool_and(s::text::minhash = s) AS text, bool_and(s::text::minhash::text = s::text) AS text_twice,
    bool_and(s::bytea::text::minhash = s) AS hex, bool_and(s::bytea::minhash = s) AS bytea,
    bool_and(s::bytea::minhash::bytea = s::bytea) AS bytea_twice
FROM sketches GROUP BY p ORDER BY p;
SELECT count(*) AS sketches, count(DISTINCT s) AS different, count(DISTINCT s::text) AS texts FROM sketches;

-- inside of arrays, rows, JSON
SELECT ARRAY[minhash_empty(), NULL, minhash_empty(16)], '{gQAABw==,NULL,"\\x81000004"}'::minhash[];
SELECT ROW(minhash_empty(), 1), to_json(minhash_empty()), row_to_json(q) FROM (SELECT 1 AS day, minhash_empty() AS visitors) q;
SELECT * FROM json_to_record('{"day": 1, "visitors": "gQAABw=="}') AS q(day int, visitors minhash);

-- COPY as text
COPY (SELECT n, s FROM sketches WHERE p = 128 AND n BETWEEN 1 AND 3 ORDER BY n) TO STDOUT;
COPY (SELECT n, s FROM sketches WHERE p = 128 AND n < 2 ORDER BY n) TO STDOUT (FORMAT csv);
CREATE TEMP TABLE copied (n int, s minhash);
COPY copied FROM STDIN;
1	gQEBBwGVTJ0A
2	\\x8101010701954c9d00
3	\N
\.
COPY copied FROM STDIN (FORMAT csv);
4,gQEBBwGVTJ0A
5,\x8101010701954c9d00
6,
\.
SELECT n, s, #s AS cardinality FROM copied ORDER BY n;

-- COPY as binary, in psql's folder
\copy (SELECT p, n, s FROM sketches) TO 'results/minhash_io.bin' (FORMAT binary)
CREATE TEMP TABLE binary_copy (p int, n int, s minhash);
\copy binary_copy FROM 'results/minhash_io.bin' (FORMAT binary)
SELECT count(*), bool_and(a.s = b.s) AS same FROM sketches a JOIN binary_copy b USING (p, n);

-- The state of an aggregate that lacks a final function comes out as a sketch
-- like any other
CREATE AGGREGATE pg_temp.unfinished(int) (SFUNC = minhash_step, STYPE = minhash);
SELECT pg_temp.unfinished(i) AS text, pg_temp.unfinished(i)::bytea, pg_temp.unfinished(i) = minhash_agg(i) AS same,
    #pg_temp.unfinished(i) AS cardinality
FROM generate_series(1, 2) i;
CREATE TEMP TABLE states AS
SELECT n, (SELECT pg_temp.unfinished(i) FROM generate_series(1, n) i) AS state,
    (SELECT minhash_agg(i) FROM generate_series(1, n) i) AS sketch
FROM unnest(ARRAY[1, 10, 100, 1000, 10000]) n;
SELECT bool_and(state = sketch) AS equal, bool_and(minhash_cmp(state, sketch) = 0) AS in_order,
    bool_and(minhash_hash(state) = minhash_hash(sketch)) AS hash,
    bool_and(minhash_hash_extended(state, 1) = minhash_hash_extended(sketch, 1)) AS hash_extended,
    bool_and(state::text = sketch::text) AS text, bool_and(state::bytea = sketch::bytea) AS bytea,
    bool_and(#state = #sketch) AS cardinality, bool_and(minhash_info(state) = minhash_info(sketch)) AS info,
    bool_and(minhash_bounds(state) = minhash_bounds(sketch)) AS bounds
FROM states;
SELECT bool_and(minhash_add(state, 0) = minhash_add(sketch, 0)) AS add,
    bool_and(minhash_add_all(state, '{0,1}'::int[]) = minhash_add(sketch, 0)) AS add_all,
    bool_and(state || state = sketch) AS merge, bool_and(state || sketch = sketch) AS merge_right,
    bool_and(state::minhash(32) = sketch::minhash(32)) AS folded, bool_and(state::minhash(128) = sketch) AS typmod,
    bool_and(minhash_jaccard(state, sketch) = 1) AS jaccard, bool_and(minhash_containment(sketch, state) = 1) AS containment,
    bool_and(minhash_bands(state, 32, 4) = minhash_bands(sketch, 32, 4)) AS bands,
    minhash_merge_agg(state) = minhash_merge_agg(sketch) AS merge_agg
FROM states;
SELECT count(*) FROM (SELECT state FROM states UNION SELECT sketch FROM states) q;
DROP AGGREGATE pg_temp.unfinished(int);
