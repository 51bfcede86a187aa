-- Sketches of other systems: in, on, and out again
\set try `echo "${PROBDS_SRC:-.}/test/types/try.sql"`
\set ECHO none
\i :try
\set ECHO all

-- As Redis 7.0.15 and datasketches-cpp write them: of nothing, of {foo,bar,zap,a,b,c}; of nothing, {1}, {1,'foo'},
-- 1 to 100 in registers of 8 and of 4 bits
CREATE TEMP TABLE vector (name text, b bytea);
INSERT INTO vector VALUES
    ('redis nothing', '\x48594c4c0100000000000000000000007fff'),
    ('redis six', '\x48594c4c0100000006000000000000005cb3904207844235804621804a8e844bfb80425a'),
    ('ds nothing', '\x0201070c030c0008'), ('ds one', '\x0201070c030801082bf2fb06'), ('ds two', '\x0201070c030802082bf2fb063f0e660a'),
    ('ds hundred 8', '\x0a0107040008000aad5f88e56ba05440000000000000fb3f0000000000000000000000000000000004020307030403060304050202030704'),
    ('ds hundred 4', '\x0a01070400080202ad5f88e56ba05440000000000000fb3f000000000000000003000000000000000251214121031025'),
    ('v1 undefined', '\x108b7f'), ('v1 nothing', '\x118b7f'), ('v1 one', '\x128b7f004403b7fb05c44a'), ('v1 two', '\x138b4015048944'),
    ('v1 hundred', '\x148400298680988119863288a2'), ('v1 hundred wide', '\x14a4001460c80461010c60c3142142');
CREATE FUNCTION pg_temp.v(name text) RETURNS bytea LANGUAGE sql AS 'SELECT b FROM pg_temp.vector v WHERE v.name = $1';

-- ---------- in ----------
SELECT name, i.precision_bits, encoding, kind, family, cardinality, round(error::numeric, 4) AS error
FROM vector, LATERAL (SELECT CASE left(name, 2) WHEN 're' THEN hll_from_redis(b) WHEN 'ds' THEN hll_from_datasketches(b, 'bigint')
    ELSE hll_from_storage_v1(b, 'bigint') END AS s) q, hll_info(s) i ORDER BY vector.ctid;
SELECT hll_from_storage_v1(pg_temp.v('v1 undefined')) IS NULL AS undefined, hll_from_storage_v1(NULL) IS NULL AS v1,
    hll_from_redis(NULL) IS NULL AS redis, hll_from_datasketches(NULL) IS NULL AS datasketches;
-- a stored one has four bytes of header: family and encoding in the second, the kind of value in the third
SELECT substr(hll_from_redis(pg_temp.v('redis six'))::bytea, 1, 4) AS redis, hll_from_redis(pg_temp.v('redis nothing'))::bytea AS redis_nothing,
    substr(hll_from_datasketches(pg_temp.v('ds one'))::bytea, 1, 4) AS datasketches, hll_from_datasketches(pg_temp.v('ds nothing'))::bytea AS datasketches_nothing,
    substr(hll_from_storage_v1(pg_temp.v('v1 two'))::bytea, 1, 4) AS v1;
-- of whatever encoding, the same sketch
SELECT hll_from_datasketches(pg_temp.v('ds hundred 8')) = hll_from_datasketches(pg_temp.v('ds hundred 4')) AS datasketches,
    hll_from_storage_v1(pg_temp.v('v1 hundred')) = hll_from_storage_v1(pg_temp.v('v1 hundred wide')) AS v1;
-- text and bytes of it are read back
SELECT s::text::hll = s AS text, s::bytea::hll = s AS bytea FROM hll_from_redis(pg_temp.v('redis six')) s;

-- ---------- on: Redis ----------
CREATE TEMP TABLE redis AS SELECT hll_from_redis(pg_temp.v('redis nothing')) AS nothing, hll_from_redis(pg_temp.v('redis six')) AS six;
SELECT hll_add_all(nothing, '{foo,bar,zap,a,b,c}'::text[]) = six AS add_all,
    hll_add(hll_add(hll_add(nothing, 'foo'), 'bar'::varchar), 'zap'::char(9)) || hll_add_all(nothing, '{a,b,c,NULL}'::name[]) = six AS add,
    hll_add(six, 'foo') = six AS again, #hll_add(six, 'd') AS another
FROM redis;
SELECT hll_add(six, NULL) = six AS null_value, hll_add(NULL::hll, 'foo') = hll_add(hll_empty(), 'foo') AS null_sketch, (hll_info(hll_add(nothing, '\x666f6f'::bytea))).kind AS bytea FROM redis;
SELECT hll_add(six, 1) FROM redis;
SELECT hll_add(nothing, 1) FROM redis;
SELECT hll_add_all(nothing, '{1.5,2.5}'::float8[]) FROM redis;
SELECT hll_add(six, '\x666f6f'::bytea) FROM redis;
SELECT hll_from_redis(pg_temp.v('redis six'), 'int');
-- of a type that nobody knows they can be counted and merged
SELECT i.kind, i.cardinality, #(s || s) AS merged FROM hll_from_redis(pg_temp.v('redis six'), NULL) s, hll_info(s) i;
SELECT hll_add(hll_from_redis(pg_temp.v('redis six'), NULL), 'foo'::text);

-- ---------- on: DataSketches ----------
CREATE TEMP TABLE ds AS SELECT hll_from_datasketches(pg_temp.v('ds nothing')) AS nothing, hll_from_datasketches(pg_temp.v('ds one'), 'int') AS one,
    hll_from_datasketches(pg_temp.v('ds hundred 8'), 'bigint') AS hundred;
SELECT hll_add(nothing, 1) = one AS int, hll_add(nothing, 1::bigint) = one AS bigint, hll_add(nothing, 1.00) = one AS numeric, hll_add(one, '1') = one AS literal,
    hll_reduce(hll_add_all(nothing, (SELECT array_agg(i) FROM generate_series(1, 100) i)), 4) = hundred AS hundred,
    hll_add_all(hll_reduce(nothing, 4), (SELECT array_agg(i) FROM generate_series(1, 100) i)) = hundred AS hundred_at_once
FROM ds;
-- it passes over the empty string; floating-point numbers are the double that they are
SELECT hll_add(nothing, '') = nothing AS nothing, hll_add(nothing, ''::bytea) = nothing AS no_bytes, #hll_add(hll_add(nothing, ''), 'foo') AS foo,
    hll_add(nothing, 0.5::real) = hll_add(nothing, 0.5::float8) AS float, hll_add(nothing, '-0'::float8) = hll_add(nothing, 0::float8) AS zero
FROM ds;
SELECT hll_add(one, 1.5) FROM ds;
SELECT hll_add(nothing, 1e30::numeric) FROM ds;
SELECT hll_add(nothing, now()) FROM ds;
SELECT hll_add(one, (SELECT 'foo'::text)) FROM ds;
SELECT hll_from_datasketches(pg_temp.v('ds one'), 'uuid');

-- ---------- on: postgresql-hll ----------
-- native from the first byte: hashes become tokens, registers stay registers
SELECT hll_from_storage_v1(pg_temp.v('v1 one'), 'bigint') = hll_add(hll_empty(11), 1) AS one,
    hll_from_storage_v1(pg_temp.v('v1 two'), 'bigint') || hll_agg(i, 11) = hll_from_storage_v1(pg_temp.v('v1 two'), 'bigint') AS two
FROM generate_series(1, 2) i;
SELECT hll_from_storage_v1(pg_temp.v('v1 hundred'), 'bigint') = hll_agg(i, 4) AS same, #hll_from_storage_v1(pg_temp.v('v1 hundred'), 'bigint') AS cardinality
FROM generate_series(1, 100) i;
SELECT hll_add_all(hll_from_storage_v1(pg_temp.v('v1 hundred'), 'bigint'), (SELECT array_agg(i) FROM generate_series(101, 300) i)) = hll_agg(i, 4) AS gone_on
FROM generate_series(1, 300) i;
-- types that it hashes alike, and others
SELECT type, (hll_info(hll_from_storage_v1(pg_temp.v('v1 two'), type))).kind
FROM unnest('{text,varchar,bytea,bigint,boolean,"double precision",uuid,time,timestamp,timestamptz,macaddr,NULL}'::regtype[]) type;
CREATE DOMAIN pg_temp.big AS bigint;
SELECT (hll_info(hll_from_storage_v1(pg_temp.v('v1 two'), 'pg_temp.big'))).kind;
SELECT (hll_info(hll_from_storage_v1(pg_temp.v('v1 two'), 'int'))).kind;
SELECT hll_from_storage_v1(pg_temp.v('v1 two'), 'smallint');
SELECT hll_from_storage_v1(pg_temp.v('v1 two'), 'date');
SELECT hll_from_storage_v1(pg_temp.v('v1 two'), 'json');
-- by hashes: probds_hash is what hll_hash_bigint makes
SELECT hll_add_hash(hll_add_hash(hll_empty(11), probds_hash(1)), probds_hash(2)) AS hashes;
SELECT #hll_add_hash(hll_from_storage_v1(pg_temp.v('v1 two')), probds_hash(2)) AS same, #hll_add_hash(hll_from_storage_v1(pg_temp.v('v1 two')), probds_hash(3)) AS another,
    hll_add_hash(hll_empty(), NULL) = hll_empty() AS null_hash, hll_add_hash(NULL, 1) IS NULL AS null_sketch;
SELECT hll_add(hll_from_storage_v1(pg_temp.v('v1 two')), 3);
SELECT hll_add_hash(hll_agg(1), 1);
SELECT hll_add_hash(six, 1) FROM redis;

-- ---------- families do not mix ----------
SELECT six || hll_add(hll_empty(), 'foo') FROM redis;
SELECT hll_merge_agg(s) FROM redis, ds, unnest(ARRAY[six, hll_add(ds.nothing, 'foo')]) s;
SELECT hll_jaccard(six, hll_add(hll_empty(), 'foo')) FROM redis;
SELECT hll_from_storage_v1(pg_temp.v('v1 two')) || hll_agg(1);
-- nothing goes with everything, whatever family it is of, in any order
SELECT six || hll_empty() = six AS native, hll_empty() || six = six AS native_first, six || ds.nothing = hll_reduce(six, 12) AS other, ds.nothing || six = hll_reduce(six, 12) AS other_first,
    redis.nothing || six = six AS own, hll_agg(i) || redis.nothing = hll_agg(i) AS to_tokens, redis.nothing || hll_agg(i) = hll_agg(i) AS from_tokens
FROM redis, ds, generate_series(1, 3) i GROUP BY redis.nothing, six, ds.nothing;
SELECT (hll_info(a || b)).family, a || b = b || a AS commutes, (hll_info(a || b)).precision_bits
FROM redis, ds, LATERAL (VALUES (redis.nothing, hll_empty(16)), (redis.nothing, ds.nothing), (hll_empty(5), ds.nothing), (hll_empty(), hll_empty())) q(a, b);
SELECT (hll_info(hll_merge_agg(s))).family, hll_merge_agg(s) = hll_reduce(redis.six, 12) AS same
FROM redis, ds, LATERAL (VALUES (1, redis.nothing), (2, hll_empty()), (3, six), (4, ds.nothing)) q(n, s) GROUP BY six;
SELECT hll_union_cardinality(six, ds.nothing) AS union, hll_intersection_cardinality(six, hll_empty()) AS intersection, hll_union_cardinality(redis.nothing, ds.nothing) AS none,
    hll_union_cardinality(redis.nothing, hll_agg(i)) AS of_tokens
FROM redis, ds, generate_series(1, 1000) i GROUP BY six, redis.nothing, ds.nothing;
-- within one it is as ever: unions in any order, folded to the lower precision, and what two have in common
CREATE TEMP TABLE part AS
SELECT f, n, hll_add_all(s, (SELECT array_agg('user ' || i) FROM generate_series(n * 10000, n * 10000 + 19999) i)) AS s
FROM redis, ds, LATERAL (VALUES ('redis', redis.nothing), ('datasketches', ds.nothing)) q(f, s), generate_series(0, 2) n;
SELECT f, #hll_merge_agg(s) AS union, hll_merge_agg(s ORDER BY n) = hll_merge_agg(s ORDER BY n DESC) AS any_order,
    hll_merge_agg(hll_reduce(s, 10 + n)) = hll_reduce(hll_merge_agg(s), 10) AS folded, #hll_reduce(hll_merge_agg(s), 10) AS roughly
FROM part GROUP BY f ORDER BY f;
SELECT a.f, hll_intersection_cardinality(a.s, b.s) AS both, hll_union_cardinality(a.s, b.s) AS either, round(hll_jaccard(a.s, b.s)::numeric, 3) AS jaccard
FROM part a JOIN part b ON a.f = b.f AND a.n = 0 AND b.n = 1 ORDER BY a.f;
SELECT f, count(DISTINCT s), bool_and(s = s || s) AS idempotent FROM part GROUP BY f ORDER BY f;
-- a modifier is about precision
SELECT (hll_info(six::hll(12))).*, (hll_info(nothing::hll(12))).family AS empty FROM redis;
SELECT nothing::hll(15) FROM redis;
SELECT (hll_info(nothing::hll(15))).precision_bits FROM ds;
-- an aggregate of values is native: one that is made to begin with another family's
CREATE AGGREGATE pg_temp.go_on(text) (SFUNC = _hll_step, STYPE = hll, INITCOND = 'ERAADg==');
SELECT pg_temp.go_on('foo');

-- ---------- out ----------
SELECT hll_to_redis(nothing) AS nothing, hll_to_redis(six) AS six, hll_from_redis(hll_to_redis(six)) = six AS same FROM redis;
SELECT f, length(hll_to_redis(s)) AS bytes, hll_from_redis(hll_to_redis(s)) = s AS same FROM part WHERE f = 'redis' ORDER BY n;
-- sparse up to 3,000 bytes, then dense
SELECT n, length(hll_to_redis(s)) AS bytes, get_byte(hll_to_redis(s), 4) AS sparse, hll_from_redis(hll_to_redis(s)) = s AS same
FROM redis, unnest(ARRAY[1, 10, 100, 1000, 1300, 1600, 10000]) n, hll_add_all(nothing, (SELECT array_agg('v' || i) FROM generate_series(1, n) i)) s ORDER BY n;
SELECT hll_to_datasketches(nothing) AS nothing, hll_to_datasketches(hundred) AS hundred, hll_from_datasketches(hll_to_datasketches(hundred), 'int') = hundred AS same FROM ds;
SELECT hll_to_storage_v1(hll_empty()) AS nothing, hll_to_storage_v1(hll_agg(i, 11), expthresh => 0) AS two, hll_to_storage_v1(hll_agg(i, 14), 11, 5, 0) AS two_folded
FROM generate_series(1, 2) i;
SELECT hll_to_storage_v1(hll_agg(i, 4), 4, 5, 0, 0) AS hundred, hll_to_storage_v1(hll_agg(i, 4), 4, 6, 0, 0) AS wide, hll_to_storage_v1(hll_agg(i, 4), regwidth => 2) AS narrow
FROM generate_series(1, 100) i;
SELECT hll_to_storage_v1(hll_agg(i, 4), NULL, NULL, NULL, NULL) = hll_to_storage_v1(hll_agg(i, 4), 4, 5, -1, 1) AS defaults, hll_to_storage_v1(NULL) IS NULL AS nothing
FROM generate_series(1, 100) i;
SELECT hll_to_redis(hll_agg('foo'::text));
SELECT hll_to_redis(hll_reduce(six, 12)) FROM redis;
SELECT hll_to_datasketches(six) FROM redis;
SELECT hll_to_storage_v1(six) FROM redis;
SELECT hll_to_storage_v1(hll_agg(1, 11), 12);
SELECT length(hll_to_storage_v1(hll_empty(11), 12)) AS empty_of_any;
SELECT hll_to_storage_v1(hll_agg(1, 11), 3);
SELECT hll_to_storage_v1(hll_agg(1, 11), 11, 8);
SELECT hll_to_storage_v1(hll_agg(1, 11), 11, 5, 3);
SELECT hll_to_storage_v1(hll_agg(1, 11), 11, 5, -2);
SELECT hll_to_storage_v1(hll_agg(1, 11), 11, 5, 16384);
SELECT hll_to_storage_v1(hll_agg(1, 11), 11, 5, -1, 2);

-- ---------- bytes that are nothing of the kind ----------
SELECT hll_from_storage_v1('\x');
SELECT hll_from_storage_v1('\x22ff00');
SELECT hll_from_storage_v1('\x119f7f');
SELECT hll_from_storage_v1('\x11837f');
-- registers of three bits, one or two of them full: what they saw beyond that is lost
SELECT #hll_from_storage_v1('\x14447fe00000000000') AS one;
SELECT hll_from_storage_v1('\x14447ffc0000000000');
SELECT hll_from_redis('\x48594c4c');
SELECT hll_from_redis('HYLL, or so it says'::bytea);
SELECT hll_from_datasketches('\x0201070c030c00');
SELECT hll_from_datasketches('\x02010713030c0008');
SELECT hll_from_datasketches('\x02010705030802082bf2fb06');
-- cut off, extended, with any bit changed: refused, or a sketch that goes out and comes in again
CREATE FUNCTION pg_temp.read_again(system text, b bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    s CONSTANT hll := CASE system WHEN 're' THEN hll_from_redis(b) WHEN 'ds' THEN hll_from_datasketches(b, 'bigint') ELSE hll_from_storage_v1(b, 'bigint') END;
    v1 hll;
BEGIN
    IF s IS NULL THEN
        RETURN 'undefined';
    ELSIF system = 'v1' THEN
        v1 := hll_from_storage_v1(hll_to_storage_v1(s, regwidth => 6), 'bigint');
    END IF;
    RETURN CASE WHEN CASE system WHEN 're' THEN hll_from_redis(hll_to_redis(s)) = s WHEN 'ds' THEN hll_from_datasketches(hll_to_datasketches(s), 'bigint') = s ELSE s || v1 = v1 END
        AND s::bytea::hll = s AND hll_cardinality(s) >= 0 THEN 'accepted' ELSE 'wrong' END;
END
$$;
SELECT * FROM pg_temp.damage_vectors();
