-- Bad input that only minhash has; what all types refuse is in types_bad_input, and how they say so in types_messages
\set try `echo "${PROBDS_SRC:-.}/test/types/try.sql"`
\set ECHO none
\i :try
\set ECHO all

-- ---------- k ----------
SELECT k, pg_temp.try(format('SELECT minhash_empty(%L)', k)) AS empty, pg_temp.try(format('SELECT minhash_agg(1, %L)', k)) AS agg FROM unnest('{-1,0,15,16,17,65536,65537,2147483647,NULL}'::int[]) WITH ORDINALITY u(k, n) ORDER BY n;
SELECT pg_temp.try('SELECT minhash_agg(i, 16 << i) FROM generate_series(1, 3) i') AS changes, pg_temp.try('SELECT minhash_agg(NULL::int, 16 << i) FROM generate_series(1, 3) i') AS also_for_nulls;

-- ---------- bytes that are no sketch ----------
SELECT '\x8101190701954c9d00'::minhash;
SELECT bytes, pg_temp.why('minhash', bytes) FROM unnest(ARRAY['\x810000', '\x82000007', '\x11000007', '\x81400007', '\x81030107', '\x8101190701954c9d00', '\x81000107', '\x81000003', '\x81000011', '\x8100000700',
    '\x810101070181', '\x8101010700954c9d00', '\x81010107810100', '\x8101010701954c9d0000', '\x81020107', '\x8102010431', '\x81020104000000', '\x810f010700000000']::bytea[]) WITH ORDINALITY u(bytes, n) ORDER BY n;
-- sixteen empty bins
SELECT pg_temp.why('minhash', '\x810201040000000000') AS empty_bins;

-- ---------- cut off, extended, a bit changed ----------
CREATE TEMP TABLE good AS SELECT n, name, CASE n WHEN 1 THEN minhash_empty() ELSE minhash_add_all(minhash_empty(k), array_agg(i)) END::bytea AS b
FROM (VALUES (1, 'empty', 128, 1), (2, 'one value', 128, 1), (3, 'dense', 16, 1000), (4, 'dense, half filled', 32, 33), (5, 'full', 32, 32), (6, 'sparse', 128, 50)) q(n, name, k, size), generate_series(1, size) i GROUP BY n, name, k;
SELECT * FROM pg_temp.damage('minhash', 'minhash_cardinality(s) >= 0 AND s || s = s');
SELECT * FROM pg_temp.every_why('minhash');

-- ---------- what does not go together ----------
CREATE TEMP TABLE kinds AS SELECT minhash_agg(i) AS numbers, minhash_agg(i::text) AS texts, minhash_empty() AS nothing FROM generate_series(1, 10) i;
SELECT minhash_jaccard(numbers, texts) FROM kinds;
SELECT pg_temp.try('SELECT minhash_containment(texts, numbers) FROM kinds') AS containment, pg_temp.try('SELECT minhash_jaccard_bounds(texts, numbers) FROM kinds') AS bounds, pg_temp.try('SELECT minhash_jaccard(texts, nothing) FROM kinds') AS nothing,
    pg_temp.try('SELECT #(nothing || texts) FROM kinds') AS union, pg_temp.try('SELECT #minhash_add(numbers, ''7'') FROM kinds') AS literal;

-- ---------- confidence ----------
SELECT minhash_bounds(minhash_empty(), 95);
SELECT confidence, pg_temp.try(format('SELECT minhash_bounds(minhash_agg(1), %L)', confidence)) AS bounds,
    pg_temp.try(format('SELECT minhash_jaccard_bounds(minhash_agg(1), minhash_agg(1), %L)', confidence)) AS jaccard_bounds, pg_temp.try(format('SELECT (minhash_bounds(minhash_agg(i), %L)).lower > 128 FROM generate_series(1, 500) i', confidence)) AS many,
    pg_temp.try(format('SELECT (minhash_jaccard_bounds(minhash_agg(i), minhash_agg(i + 100), %L)).upper <= 1 FROM generate_series(1, 500) i', confidence)) AS similar
FROM (VALUES (1, '0'), (2, '1'), (3, '-0.5'), (4, '95'), (5, 'NaN'), (6, 'Infinity'), (7, '1e-300'), (8, '0.9999999999999999'), (9, NULL)) q(n, confidence) ORDER BY n;
