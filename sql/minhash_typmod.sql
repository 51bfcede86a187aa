-- minhash(128): a promise about k; what all types have is in types_typmod and types_messages

CREATE TABLE minhash_typmod (day int, visitors minhash(128), tiny minhash(16));
INSERT INTO minhash_typmod VALUES (1, 'gQEBBwGVTJ0A', '\x810101040195a913'), (2, minhash_empty(), minhash_empty(16));
SELECT * FROM minhash_typmod ORDER BY day;

-- a cast folds to each smaller k: what building with it makes
CREATE TEMP TABLE built AS SELECT n, minhash_agg(i, 1024) AS s FROM unnest(ARRAY[5, 100, 20000]) n, generate_series(1, n) i GROUP BY n;
SELECT n, s::minhash(512)::minhash(128) = s::minhash(128) AS by_steps, minhash_jaccard(s::minhash(64), s) AS jaccard,
    (SELECT s::minhash(512) = minhash_agg(i, 512) AND s::minhash(128) = minhash_agg(i, 128) AND s::minhash(32) = minhash_agg(i, 32) AND s::minhash(16) = minhash_agg(i, 16) FROM generate_series(1, n) i) AS as_built
FROM built ORDER BY n;
INSERT INTO minhash_typmod SELECT 3, s::minhash(128), s::minhash(16) FROM built WHERE n = 100;
UPDATE minhash_typmod SET tiny = visitors::minhash(16);
SELECT day, (minhash_info(visitors)).k, (minhash_info(tiny)).k AS tiny, #visitors AS cardinality FROM minhash_typmod ORDER BY day;
-- two powers of two above what it has, or a half of it
SELECT 'gQEBBwGVTJ0A'::minhash(512);
SELECT 'gQEBBwGVTJ0A'::minhash(64);
DROP TABLE minhash_typmod;
