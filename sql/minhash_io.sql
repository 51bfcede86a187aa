-- Text and bytea; what all types have is in types_io

-- the bytes of one value and of none
SELECT minhash_empty(), minhash_add(minhash_empty(), 1), minhash_add(minhash_empty(16), 'x'), minhash_add(minhash_empty(), 1)::bytea;
SELECT 'gQEBBwGVTJ0A'::minhash = minhash_add(minhash_empty(), 1) AS base64, '\x8101010701954c9d00'::minhash = minhash_add(minhash_empty(), 1) AS hex;
-- the longest there is
SELECT length(s::text), s::text LIKE E'%\n%' AS has_line_break, length(s::bytea), s::text::minhash = s AS again FROM (SELECT minhash_agg(i, 65536) AS s FROM generate_series(1, 60000) i) q;

-- every encoding, for each k
SELECT k, string_agg((minhash_info(s)).encoding, ' ' ORDER BY n) AS encodings, bool_and(s::text::minhash = s) AS text, bool_and(s::bytea::minhash::bytea = s::bytea) AS bytea, bool_and(s::bytea::text::minhash::text = s::text) AS hex,
    count(DISTINCT s::text) AS different
FROM unnest(ARRAY[16, 64, 128, 1024, 8192]) k, unnest(ARRAY[0, 1, 2, 3, 50, 1000, 20000]) n, LATERAL (SELECT coalesce(minhash_agg(i, k), minhash_empty(k)) AS s FROM generate_series(1, n) i) q GROUP BY k ORDER BY k;

-- what minhash alone answers, of the state of an aggregate that lacks a final function
CREATE AGGREGATE pg_temp.unfinished(int) (SFUNC = _minhash_step, STYPE = minhash);
SELECT bool_and(minhash_bounds(state) = minhash_bounds(sketch) AND minhash_jaccard_bounds(state, sketch) = minhash_jaccard_bounds(sketch, sketch)) AS bounds, bool_and(state::minhash(32) = sketch::minhash(32)) AS folded,
    bool_and(minhash_jaccard(state, sketch) = 1) AS jaccard, bool_and(minhash_containment(sketch, state) = 1) AS containment, bool_and(minhash_bands(state, 32, 4) = minhash_bands(sketch, 32, 4)) AS bands
FROM unnest(ARRAY[1, 10, 100, 1000, 10000]) n, LATERAL (SELECT pg_temp.unfinished(i) AS state, minhash_agg(i) AS sketch FROM generate_series(1, n) i) q;
DROP AGGREGATE pg_temp.unfinished(int);
