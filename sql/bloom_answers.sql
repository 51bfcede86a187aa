-- What a filter tells about itself: how many values, how full, how wrong, how large

-- integers a to b as a filter
CREATE FUNCTION pg_temp.ints(a int, b int, capacity bigint, rate float8 DEFAULT 0.01, layout text DEFAULT 'blocked') RETURNS bloom LANGUAGE sql
AS 'SELECT coalesce(bloom_agg(i, capacity, rate, layout), bloom_empty(capacity, rate, layout)) FROM generate_series(a, b) i';

-- ---------- bloom_size ----------
SELECT rate, capacity, s.* FROM unnest(ARRAY[0.1, 0.01, 0.001, 0.0001]) rate, unnest(ARRAY[1, 10, 100, 1000, 1000000, 100000000]) capacity, bloom_size(capacity, rate) s ORDER BY rate DESC, capacity;
SELECT rate, capacity, s.* FROM unnest(ARRAY[0.1, 0.01, 0.001, 0.0001]) rate, unnest(ARRAY[1, 100, 1000000]) capacity, bloom_size(capacity, rate, 'classic') s ORDER BY rate DESC, capacity;
SELECT * FROM bloom_size(1000);
-- as it is built: when more than one bit in eight is set
SELECT rate, l AS layout, n, i.bytes = s.bytes AS bytes, i.bits = s.bits AS bits, i.hashes = s.hashes AS hashes
FROM unnest(ARRAY[0.5, 0.01, 0.001]) rate, unnest(ARRAY['blocked', 'classic']) l, unnest(ARRAY[50, 5000]) n,
    bloom_size(n, rate, l) s, bloom_info(pg_temp.ints(1, n, n, rate, l)) i ORDER BY 1, 2, 3;
-- odd rates: three digits are kept, and rounded down
SELECT rate, (bloom_info(bloom_empty(100, rate))).promised_rate, s.hashes, s.bits_per_value FROM unnest(ARRAY[0.999, 0.5, 0.3333333333, 0.012345, 1e-5, 1e-7, 1e-9]::float8[]) rate, bloom_size(1000000, rate) s ORDER BY rate DESC;
-- at capacity each keeps its promise: the model rate of the layout is what was asked for
SELECT layout, rate, round((bloom_false_positive_rate(pg_temp.ints(1, 20000, 20000, rate, layout)) / rate)::numeric, 2) AS of_promise
FROM unnest(ARRAY['blocked', 'classic']) layout, unnest(ARRAY[0.1, 0.01, 0.001]) rate ORDER BY 1, 2;

-- ---------- bloom_info ----------
\x
SELECT * FROM bloom_info(bloom_empty(1000));
SELECT * FROM bloom_info(pg_temp.ints(1, 10, 1000000));
SELECT * FROM bloom_info(pg_temp.ints(1, 900, 1000, 0.001));
SELECT * FROM bloom_info(pg_temp.ints(1, 2500, 1000, 0.01, 'classic'));
\x
-- the kind of the values
SELECT (bloom_info(bloom_add(bloom_empty(9), 'a'))).kind AS text, (bloom_info(bloom_add(bloom_empty(9), 1.5))).kind AS numeric, (bloom_info(bloom_add(bloom_empty(9), ARRAY[now()]))).kind AS timestamps;

-- ---------- how many values ----------
SELECT l AS layout, n, bloom_cardinality(f) AS cardinality, i.items = bloom_cardinality(f) AS as_in_info, i.encoding, i.status
FROM unnest(ARRAY['blocked', 'classic']) l, unnest(ARRAY[0, 1, 2, 10, 100, 1000, 9000, 10000, 11000, 20000, 40000]) n, pg_temp.ints(1, n, 10000, 0.01, l) f, bloom_info(f) i ORDER BY 1, 2;
-- when all bits are set nobody knows how many it were
SELECT bloom_cardinality(pg_temp.ints(1, 100000, 10)) AS cardinality, bloom_false_positive_rate(pg_temp.ints(1, 100000, 10)) AS rate, (bloom_info(pg_temp.ints(1, 100000, 10))).status;
SELECT bloom_cardinality(pg_temp.ints(1, 100000, 2000)) AS cardinality, bloom_false_positive_rate(pg_temp.ints(1, 100000, 2000)) AS rate;
-- of what two have in common: the bits of both are more than those of the common values
SELECT bloom_cardinality(a & b) AS of_both_bits, bloom_cardinality(a) + bloom_cardinality(b) - bloom_cardinality(a || b) AS by_subtraction, 1000 AS exactly
FROM pg_temp.ints(1, 10000, 20000) a, pg_temp.ints(9001, 19000, 20000) b;

-- ---------- status ----------
SELECT n, i.status, i.items FROM unnest(ARRAY[0, 1, 50, 85, 95, 100, 105, 120, 200]) n, bloom_info(pg_temp.ints(1, n * 100, 10000)) i ORDER BY n;
SELECT i.capacity, i.status, round(i.false_positive_rate::numeric, 3) AS rate FROM unnest(ARRAY[100, 5000, 9990, 10000, 100000]) c, bloom_info(pg_temp.ints(1, 10000, c)) i ORDER BY c;

-- ---------- false positives ----------
-- 0 when empty, rising with each value, 1 when full; the promise is kept up to the capacity
SELECT layout, n, round(bloom_false_positive_rate(f)::numeric, 6) AS rate, round((bloom_info(f)).false_positive_rate::numeric, 5) AS in_info, round((bloom_info(f)).fill::numeric, 3) AS fill
FROM unnest(ARRAY['blocked', 'classic']) layout, unnest(ARRAY[0, 1, 100, 5000, 10000, 15000, 20000, 30000, 100000]) n, pg_temp.ints(1, n, 10000, 0.01, layout) f ORDER BY 1, 2;
-- an intersection has more of them than a filter of the common values alone
SELECT bloom_false_positive_rate(a & b) > bloom_false_positive_rate(pg_temp.ints(501, 1000, 1000)) AS intersection, bloom_false_positive_rate(a & b) < bloom_false_positive_rate(a) AS better_than_one,
    bloom_false_positive_rate(a || b) > bloom_false_positive_rate(a) AS union
FROM pg_temp.ints(1, 1000, 1000) a, pg_temp.ints(501, 1500, 1000) b;

-- ---------- the promise of cookies ----------
-- 100 values at 1 % print as at most 168 characters, as Guava's do
SELECT layout, max(length(f::text)) AS longest FROM (SELECT layout, g, (SELECT bloom_agg(md5(g || ' ' || i), 100, 0.01, layout) FROM generate_series(1, 100) i) AS f FROM unnest(ARRAY['blocked', 'classic']) layout, generate_series(1, 100) g) q GROUP BY layout ORDER BY layout;
-- and while there are few, in fewer
SELECT n, length(f::text) AS of_100, length(g::text) AS of_1000, length(h::text) AS of_a_million
FROM unnest(ARRAY[0, 1, 5, 10, 20, 50, 100]) n, pg_temp.ints(1, n, 100) f, pg_temp.ints(1, n, 1000) g, pg_temp.ints(1, n, 1000000) h ORDER BY n;
-- the encoding follows from the state: a list while at most one bit in eight is set
SELECT n, i.encoding, i.bytes, round(i.fill::numeric, 3) AS fill FROM unnest(ARRAY[1, 10, 100, 1000, 3000, 3100, 3200, 10000, 20000]) n, bloom_info(pg_temp.ints(1, n, 10000, 0.01, 'classic')) i ORDER BY n;
