-- postgresql-hll and this extension side by side: run by hll_storage_v1_test.sh
CREATE SCHEMA theirs;
CREATE EXTENSION hll SCHEMA theirs;
CREATE EXTENSION probds;
SET search_path = public;

CREATE TABLE verdict (n serial, ok boolean NOT NULL, what text);
CREATE FUNCTION report(ok boolean, what text) RETURNS text LANGUAGE sql AS $$
    INSERT INTO verdict (ok, what) VALUES (coalesce(ok, false), what);
    SELECT CASE WHEN ok THEN 'ok' ELSE 'not ok' END || ' - postgresql-hll: ' || what
$$;

-- ---------- hashes ----------
SELECT report(there::text = here::text, 'hashes ' || type || ' as here') FROM (VALUES
    ('text', theirs.hll_hash_text('foo'), probds_hash('foo'::text)),
        ('empty text', theirs.hll_hash_text(''), probds_hash(''::text)),
    ('bytea', theirs.hll_hash_bytea('\xdeadbeef'), probds_hash('\xdeadbeef'::bytea)),
        ('bigint', theirs.hll_hash_bigint(-7), probds_hash(-7::bigint)),
    ('boolean', theirs.hll_hash_boolean(true), probds_hash(true)),
        ('false', theirs.hll_hash_boolean(false), probds_hash(false)),
    ('uuid', theirs.hll_hash_any('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid),
        probds_hash('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid)),
    ('float8', theirs.hll_hash_any(1.5::float8), probds_hash(1.5::float8)),
        ('varchar', theirs.hll_hash_any('foo'::varchar), probds_hash('foo'::varchar)),
    ('timestamp', theirs.hll_hash_any('2026-01-02 03:04:05.6'::timestamp),
        probds_hash('2026-01-02 03:04:05.6'::timestamp)),
    ('timestamptz', theirs.hll_hash_any('2026-01-02 03:04:05.6+02'::timestamptz),
        probds_hash('2026-01-02 03:04:05.6+02'::timestamptz)),
    ('infinity', theirs.hll_hash_any('infinity'::timestamptz),
        probds_hash('infinity'::timestamptz)),
    ('time', theirs.hll_hash_any('03:04:05.6'::time), probds_hash('03:04:05.6'::time)),
    ('macaddr', theirs.hll_hash_any('08:00:2b:01:02:03'::macaddr),
        probds_hash('08:00:2b:01:02:03'::macaddr))) q(type, there, here);
SELECT report(there::text <> here::text, 'hashes ' || type || ' otherwise') FROM (VALUES
    ('integer', theirs.hll_hash_integer(1), probds_hash(1)),
        ('smallint', theirs.hll_hash_smallint(1::smallint), probds_hash(1::smallint)),
    ('date', theirs.hll_hash_any('2026-01-02'::date), probds_hash('2026-01-02'::date)),
        ('numeric', theirs.hll_hash_any(1.5), probds_hash(1.5)),
    ('inet', theirs.hll_hash_any('192.0.2.1'::inet), probds_hash('192.0.2.1'::inet))) q(type, there,
        here);

-- ---------- 10,000 sketches of all sorts ----------
-- Where log2m + regwidth is below 8, postgresql-hll reads the padding of its own SPARSE
-- sketches as one more register, of index and value 0. So these sketches are compared here, but
-- not there.
DO $$ BEGIN PERFORM setseed(0.7); END $$;
CREATE TABLE param AS
SELECT id, log2m, regwidth, CASE WHEN a < 0.4 THEN -1 WHEN a < 0.6 THEN 0
    ELSE 1 << floor(b * 14)::int END AS expthresh, (c < 0.8)::int AS sparseon,
    -- narrow registers are soon full: some of these beyond what can be imported
    floor(exp(d *
        ln(least(6000, 1.5 * (1 << log2m) * 0.0645 * (1::bigint << (1 << least(regwidth, 5)) - 2)) +
        1)))::int - 1 AS n
FROM (SELECT id, 4 + floor(random() ^ 2 * 14)::int AS log2m,
    1 + floor(random() * 7)::int AS regwidth,
    random() AS a, random() AS b, random() AS c, random() AS d FROM generate_series(1, 10000) id) q;
CREATE TABLE sketch AS
SELECT p.*, coalesce(t, theirs.hll_empty(log2m, regwidth, expthresh, sparseon)) AS there,
    coalesce(o, hll_empty(log2m)) AS native, v AS more
FROM param p,
    LATERAL (SELECT theirs.hll_add_agg(theirs.hll_hash_bigint(id * 100000 + i), log2m, regwidth,
    expthresh, sparseon) AS t,
    hll_agg(id * 100000 + i, log2m) AS o FROM generate_series(1, n) i) q,
    LATERAL (SELECT array_agg(id * 100000 + i * 3) AS v FROM generate_series(1, 50 + id % 100) i) r;

-- What is imported, NULL where it cannot be held
CREATE FUNCTION import(there theirs.hll) RETURNS hll LANGUAGE plpgsql AS $$
BEGIN
    RETURN hll_from_storage_v1(theirs.hll_send(there), 'bigint');
EXCEPTION WHEN feature_not_supported THEN
    RETURN NULL;
END
$$;
-- The same set there by a way of registers only: EXPLICIT ones are lists of hashes
CREATE FUNCTION same(a theirs.hll, b theirs.hll) RETURNS boolean LANGUAGE sql AS $$
    SELECT theirs.hll_eq(CASE WHEN theirs.hll_type(a) = 2 THEN theirs.hll_union(b, a) ELSE a END, b)
$$;
CREATE TABLE trip AS
SELECT *, hll_to_storage_v1(here, log2m, regwidth, expthresh, sparseon)::theirs.hll AS out
FROM (SELECT *, theirs.hll_type(there) AS type, import(there) AS here FROM sketch) q;
SELECT report(count(*) = 10000 AND count(DISTINCT type) = 4 AND min(log2m) = 4 AND max(log2m) = 17,
    format('%s sketches: %s', count(*), string_agg(DISTINCT names, ', ')))
FROM (SELECT log2m, type,
    format('%s %s', count(*) OVER (PARTITION BY type),
    (ARRAY['EMPTY', 'EXPLICIT', 'SPARSE', 'FULL'])[type]) AS names FROM trip) q;
SELECT report(count(*) BETWEEN 1 AND 2000 AND bool_and(regwidth < 5 AND type > 2),
    format('%s sketches with too many full registers refused, none of regwidth 5 and more',
    count(*)))
FROM trip WHERE here IS NULL;
SELECT report(bool_and(theirs.hll_eq(out, there)),
    format('%s sketches of registers: imported and exported they are = what they were', count(*)))
FROM trip WHERE here IS NOT NULL AND type <> 2 AND log2m + regwidth >= 8;
SELECT report(bool_and(theirs.hll_send(out) = theirs.hll_send(there)), 'to the byte') FROM trip
WHERE here IS NOT NULL AND type <> 2 AND log2m + regwidth >= 8;
SELECT report(bool_and(same(there, out)),
    format('%s sketches of hashes: imported and exported they are the registers of them', count(*)))
    FROM trip WHERE type = 2 AND log2m + regwidth >= 8;
SELECT report(bool_and(import(out) = CASE WHEN type = 2 THEN here || import(out) ELSE here END),
    'imported again they are = what they were here') FROM trip
    WHERE here IS NOT NULL AND (type <> 2 OR regwidth > 4);
SELECT report(bool_and(here = native),
    'sketches of hashes become what values would have made here, to the byte') FROM trip
    WHERE type <= 2;
SELECT report(bool_and(here || native = here),
    'sketches of registers hold what values would have made here') FROM trip
    WHERE type > 2 AND regwidth > 4;
SELECT report(bool_and(same(there,
    hll_to_storage_v1(native, log2m, regwidth, expthresh, sparseon)::theirs.hll)),
    'what values made here is exported as what they made there')
FROM trip WHERE log2m + regwidth >= 8;

-- on either side more values, some of them new: register for register
CREATE TABLE on_both AS
SELECT log2m, regwidth, expthresh, sparseon, hll_add_all(here, more) AS here,
    theirs.hll_union(there,
        (SELECT theirs.hll_add_agg(theirs.hll_hash_bigint(v), log2m, regwidth, expthresh, sparseon)
        FROM unnest(more) v)) AS there,
    theirs.hll_union(out,
        (SELECT theirs.hll_add_agg(theirs.hll_hash_bigint(v), log2m, regwidth, expthresh, sparseon)
        FROM unnest(more) v)) AS there_later
FROM trip WHERE here IS NOT NULL AND log2m + regwidth >= 8;
SELECT report(bool_and(same(there,
    hll_to_storage_v1(here, log2m, regwidth, expthresh, sparseon)::theirs.hll)),
    format('%s sketches with more values added there and here: the same registers', count(*)))
FROM on_both;
SELECT report(bool_and(same(there_later,
    hll_to_storage_v1(here, log2m, regwidth, expthresh, sparseon)::theirs.hll)),
    'and with the values added there after the export') FROM on_both;
-- unions here and there
SELECT report(bool_and(same(there, hll_to_storage_v1(here, 11, 5, -1, 1)::theirs.hll)),
    format('%s unions there and here: the same registers', count(*)))
FROM (SELECT id % 50, theirs.hll_union_agg(t) AS there, hll_merge_agg(import(t)) AS here
    FROM (SELECT id, theirs.hll_add_agg(theirs.hll_hash_bigint(id * i)) AS t
        FROM generate_series(1, 1000) id, generate_series(1, 1000, 1 + 200) i GROUP BY id
        UNION ALL SELECT id, theirs.hll_add_agg(theirs.hll_hash_bigint(id * i))
            FROM generate_series(1, 100) id, generate_series(1, 900) i GROUP BY id) p GROUP BY 1) q;

-- ---------- the estimate on the same bytes ----------
-- 40,000 values at log2m 14: where the classic estimator changes from one formula to the other
CREATE TABLE rated AS
SELECT hll_cardinality(hll_from_storage_v1(theirs.hll_send(there), 'bigint')) / 40000.0 - 1 AS here,
    theirs.hll_cardinality(there) / 40000.0 - 1 AS there
FROM generate_series(1, :trials) t,
    LATERAL (SELECT theirs.hll_add_agg(theirs.hll_hash_bigint(t * 10000000::bigint + i), 14, 5, -1,
    1) AS there FROM generate_series(1, 40000) i) q;
SELECT report(sqrt(avg(here * here)) <= 0.0070
    AND sqrt(avg(here * here)) < sqrt(avg(there * there)) / 3,
    format('40,000 values %s times: root of the mean square error %s %%, theirs on the same bytes '
        '%s %%', count(*),
        round(100 * sqrt(avg(here * here))::numeric, 3),
            round(100 * sqrt(avg(there * there))::numeric, 3)))
FROM rated;

-- ---------- a table moves over (doc/migration.md) ----------
CREATE TABLE visits (day date PRIMARY KEY, visitors theirs.hll NOT NULL);
INSERT INTO visits SELECT '2026-01-01'::date + d,
    theirs.hll_add_agg(theirs.hll_hash_text('user ' || i % (1000 * (d + 1))))
    FROM generate_series(0, 2) d, generate_series(1, 5000) i GROUP BY d;
ALTER TABLE visits ALTER COLUMN visitors TYPE hll
    USING hll_from_storage_v1(theirs.hll_send(visitors), 'text');
UPDATE visits SET visitors = hll_add(visitors, 'somebody else') WHERE day = '2026-01-03';
SELECT report(bool_and(abs((#visitors) - exact) < 0.07 * exact),
    'a column moved over and gone on with: ' || string_agg((#visitors)::text, ', ' ORDER BY day))
FROM visits
    JOIN (VALUES ('2026-01-01'::date, 1000), ('2026-01-02', 2000), ('2026-01-03', 3001)) e(day,
    exact) USING (day);
-- columns of hll_hash_integer continue with hashes of the same 4 bytes
CREATE FUNCTION hash_int4(i int) RETURNS bigint LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ('x' || substr(h, 15, 2) || substr(h, 13, 2) || substr(h, 11, 2) || substr(h, 9, 2) ||
                   substr(h, 7, 2) || substr(h, 5, 2) || substr(h, 3, 2) ||
                       substr(h, 1, 2))::bit(64)::bigint
    FROM (SELECT encode(murmur3_x64_128(substr(b, 4, 1) || substr(b, 3, 1) || substr(b, 2, 1) ||
        substr(b, 1, 1)), 'hex') AS h FROM int4send(i) b) q
$$;
SELECT report(bool_and(hash_int4(i)::text = theirs.hll_hash_integer(i)::text),
    'hll_hash_integer made from murmur3_x64_128')
    FROM unnest('{0,1,-1,42,2147483647,-2147483648,123456789}'::int[]) i;
SELECT report(#hll_from_storage_v1(theirs.hll_send(t)) = 1000
    AND #hll_add_hash(hll_from_storage_v1(theirs.hll_send(t)), hash_int4(7)) = 1000
    AND #hll_add_hash(hll_from_storage_v1(theirs.hll_send(t)), hash_int4(1001)) = 1001,
        'a sketch of integers gone on with by hashes')
FROM (SELECT theirs.hll_add_agg(theirs.hll_hash_integer(i), 17, 5, 8192, 1) AS t
    FROM generate_series(1, 1000) i) q;

-- ---------- probds_hll: the same hashes, and its sketches as text ----------
CREATE EXTENSION probds_hll;
SET client_min_messages = error;	-- of negative seeds
CREATE TABLE hashed AS
SELECT i, floor(random() * 4294967296 - 2147483648)::int AS seed, (random() * 1e18)::bigint AS n,
    left(repeat(md5(i::text), 3), floor(random() * 97)::int) AS t FROM generate_series(1, 10000) i;
CREATE FUNCTION same(VARIADIC h text[]) RETURNS boolean LANGUAGE sql AS $$
    SELECT bool_and(h[i] = h[i + 1]) FROM generate_series(1, cardinality(h), 2) i
$$;
SELECT report(bool_and(same(
        theirs.hll_hash_boolean(n % 2 = 0, seed)::text, hll_hash_boolean(n % 2 = 0, seed)::text,
        theirs.hll_hash_smallint((n % 32768)::smallint, seed)::text,
        hll_hash_smallint((n % 32768)::smallint, seed)::text,
        theirs.hll_hash_integer(seed, seed)::text, hll_hash_integer(seed, seed)::text,
        theirs.hll_hash_bigint(-n, seed)::text, hll_hash_bigint(-n, seed)::text,
        theirs.hll_hash_bytea(t::bytea, seed)::text, hll_hash_bytea(t::bytea, seed)::text,
        theirs.hll_hash_text(t, seed)::text, hll_hash_text(t, seed)::text)),
    '10,000 hashes of each function')
FROM hashed;
SELECT report(bool_and(same(
        theirs.hll_hash_any(n::numeric / 7, seed)::text, hll_hash_any(n::numeric / 7, seed)::text,
        theirs.hll_hash_any(md5(t)::uuid, seed)::text, hll_hash_any(md5(t)::uuid, seed)::text,
        theirs.hll_hash_any(ARRAY[seed, i], seed)::text, hll_hash_any(ARRAY[seed, i], seed)::text,
        theirs.hll_hash_any(n::float8, seed)::text, hll_hash_any(n::float8, seed)::text,
        theirs.hll_hash_any(seed::float4, seed)::text, hll_hash_any(seed::float4, seed)::text,
        theirs.hll_hash_any('2026-01-01'::date + i, seed)::text,
        hll_hash_any('2026-01-01'::date + i, seed)::text,
        theirs.hll_hash_any(t::name, seed)::text, hll_hash_any(t::name, seed)::text,
        theirs.hll_hash_any(make_interval(secs => i), seed)::text,
        hll_hash_any(make_interval(secs => i), seed)::text)),
    '10,000 hashes of hll_hash_any for each of eight types')
FROM hashed;
CREATE FUNCTION by_text(b bytea) RETURNS hll LANGUAGE plpgsql AS $$
BEGIN
    RETURN b::text::hll;
EXCEPTION WHEN invalid_text_representation THEN
    RETURN NULL;
END $$;
CREATE FUNCTION by_import(b bytea) RETURNS hll LANGUAGE plpgsql AS $$
BEGIN
    RETURN hll_from_storage_v1(b);
EXCEPTION WHEN feature_not_supported THEN
    RETURN NULL;
END $$;
-- except EMPTY of regwidth 1 or 2 and log2m above 15, which could be a header of ours, cut off
SELECT report(bool_and(by_text(b) IS NOT DISTINCT FROM by_import(b)) AND count(by_text(b)) > 9000,
    format('%s of %s sketches are read as text as they are imported', count(by_text(b)), count(*)))
FROM (SELECT theirs.hll_send(there) AS b FROM sketch) q
WHERE substr(b, 1, 2) <> ALL (ARRAY['\x1110', '\x1111', '\x1130', '\x1131']::bytea[]);
