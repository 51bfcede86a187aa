-- The same set of values is the same bytes, whatever way led there.  The
-- digests pin the format: a release that changes one of them cannot read what
-- earlier ones have stored.

-- Sizes below, at and above the switch from a list of values to registers: 3/16 of the registers
CREATE TEMP TABLE sets AS
SELECT p, n, (SELECT hll_agg(i, p) FROM generate_series(1, n) i) AS s
FROM unnest(ARRAY[4, 8, 11, 12, 14, 18]) p, LATERAL (SELECT 3 << (p - 4) AS switch) q,
    LATERAL (SELECT DISTINCT n FROM unnest(ARRAY[1, 2, 100, switch - 1, switch, switch + 1, 20 * switch, 60000]) n WHERE n < 65000 AND (n <> 60000 OR p = 18)) r;
SELECT p, n, i.encoding, i.bytes, md5(s::bytea) FROM sets, hll_info(s) i ORDER BY p, n;
-- text and other kinds, empty ones
SELECT n, md5(hll_agg('value ' || i)::bytea) AS text, md5(hll_agg(md5(i::text)::uuid)::bytea) AS uuid, md5(hll_agg(i / 8.0)::bytea) AS numeric, md5(hll_agg('10.0.0.0'::inet + i)::bytea) AS inet
FROM unnest(ARRAY[1, 100, 10000]) n, generate_series(1, n) i GROUP BY n ORDER BY n;
SELECT p, hll_empty(p)::bytea FROM generate_series(4, 18) p;

-- ---------- the order of rows ----------
SELECT bool_and(s = (SELECT hll_agg(i, p) FROM generate_series(n, 1, -1) i)) AS backwards,
    bool_and(s = (SELECT hll_agg(i, p ORDER BY md5(i::text)) FROM generate_series(1, n) i)) AS shuffled,
    bool_and(s = (SELECT hll_agg(i, p ORDER BY hashint4(i)) FROM generate_series(1, n) i)) AS by_hash,
    bool_and(s = (SELECT hll_agg(least(i, 2 * n - i + 1), p) FROM generate_series(1, 2 * n) i)) AS each_twice,
    bool_and(s = (SELECT hll_agg(nullif(i, n + 1), p) FROM generate_series(1, n + 1) i)) AS with_a_null
FROM sets;
-- as a switch of one register or token for another: ascending and descending rank
SELECT bool_and(s = (SELECT hll_agg(i, p ORDER BY probds_hash(i) & -probds_hash(i)) FROM generate_series(1, n) i)) AS rising,
    bool_and(s = (SELECT hll_agg(i, p ORDER BY probds_hash(i) & -probds_hash(i) DESC) FROM generate_series(1, n) i)) AS falling
FROM sets WHERE n < 20000;

-- ---------- splits and merges ----------
CREATE FUNCTION pg_temp.merged(n int, p int, parts int, of text) RETURNS hll LANGUAGE plpgsql AS $$
DECLARE
    result hll;
BEGIN
    EXECUTE format('SELECT hll_merge_agg(s) FROM (SELECT hll_agg(i, $2) AS s FROM generate_series(1, $1) i GROUP BY %s) q', of) INTO result USING n, p, parts;
    RETURN result;
END
$$;
SELECT bool_and(s = pg_temp.merged(n, p, 2, 'i % $3')) AS odd_and_even, bool_and(s = pg_temp.merged(n, p, 2, 'i * $3 / $1')) AS halves,
    bool_and(s = pg_temp.merged(n, p, 17, 'i % $3')) AS seventeen, bool_and(s = pg_temp.merged(n, p, 100, '(i = $3)')) AS one_and_the_rest
FROM sets;
-- overlapping parts, a small and a large one, by operator
SELECT bool_and(s || (SELECT hll_agg(i, p) FROM generate_series(1, least(n, 10)) i) = s) AS small_in_large,
    bool_and((SELECT hll_agg(i, p) FROM generate_series(1, n / 2 + 1) i) || (SELECT hll_agg(i, p) FROM generate_series(n / 3 + 1, n) i) = s) AS overlapping,
    bool_and(s || s = s) AS itself, bool_and(s || hll_empty(p) = s AND hll_empty(p) || s = s) AS empty, bool_and(hll_merge_agg = s) AS aggregate
FROM sets, LATERAL (SELECT hll_merge_agg(x) FROM unnest(ARRAY[s, NULL, hll_empty(p), s]) x) m;
-- one after the other across the switch
DO $$
DECLARE
    s hll;
    t hll;
    wrong int := 0;
BEGIN
    FOREACH s IN ARRAY ARRAY[hll_empty(4), hll_empty(8), hll_empty(10)] LOOP
        t := s;
        FOR i IN 1..220 LOOP
            s := hll_add(s, i);
            t := hll_add(hll_empty((hll_info(t)).precision_bits), i) || t;
            wrong := wrong + (s <> t OR s <> (SELECT hll_agg(x, (hll_info(t)).precision_bits) FROM generate_series(1, i) x))::int;
        END LOOP;
    END LOOP;
    RAISE NOTICE '% of 660 steps differ', wrong;
END
$$;
SELECT bool_and(hll_add_all(hll_empty(p), (SELECT array_agg(i) FROM generate_series(1, n) i)) = s) AS add_all,
    bool_and(hll_add_all(s, ARRAY[1, NULL, n]) = s) AS nothing_new FROM sets;

-- ---------- precision ----------
-- folded before, while or after it is merged
SELECT a.p, b.p, bool_and(a.s || b.s = hll_reduce(a.s, least(a.p, b.p)) || hll_reduce(b.s, least(a.p, b.p))) AS same,
    bool_and(a.s || b.s = (SELECT hll_agg(i, least(a.p, b.p)) FROM generate_series(1, greatest(a.n, b.n)) i)) AS as_built
FROM sets a, sets b WHERE a.p < b.p AND greatest(a.n, b.n) <= 5000 GROUP BY a.p, b.p ORDER BY a.p, b.p;

-- ---------- stored and read back ----------
CREATE TEMP TABLE stored (id int, plain hll, main hll, extended hll, external hll);
ALTER TABLE stored ALTER plain SET STORAGE external, ALTER main SET STORAGE main, ALTER extended SET STORAGE extended;
INSERT INTO stored SELECT row_number() OVER (), s, s, s, s FROM sets;
SELECT count(*) AS sketches, bool_and(plain = main AND main = extended AND extended = external) AS equal,
    bool_and(#plain = #main AND #main = #extended AND #extended = #external) AS cardinality,
    count(DISTINCT md5(plain::bytea)) + count(DISTINCT md5(main::bytea)) + count(DISTINCT md5(extended::bytea)) + count(DISTINCT md5(external::bytea)) = 4 * count(*) AS bytes
FROM stored;
