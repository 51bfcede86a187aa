-- What a value hashes to: the test vectors of doc/hashing.md, which must never change

-- The hash itself, at the seeds and lengths that others publish
SELECT murmur3_x64_128('');
SELECT murmur3_x64_128('foo');
SELECT murmur3_x64_128('foo', 0) = murmur3_x64_128('foo') AS default_seed;
-- a seed of Apache DataSketches': the 8 bytes of 1
SELECT murmur3_x64_128('\x0100000000000000', 9001);
SELECT murmur3_x64_128('foo', -1) = murmur3_x64_128('foo', 4294967295) AS wide_seed_cut;
SELECT murmur3_x64_128(repeat('x', 100000)::bytea, 42);
SELECT murmur3_x64_128(NULL) IS NULL AS null_data, murmur3_x64_128('', NULL) IS NULL AS null_seed,
    probds_hash(NULL::int) IS NULL AS null_value;

-- The first 8 bytes of the hash of some bytes, as a bigint
CREATE FUNCTION pg_temp.h1(canonical bytea) RETURNS bigint LANGUAGE sql AS $$
    SELECT ('x' || string_agg(lpad(to_hex(get_byte(murmur3_x64_128(canonical), i)), 2, '0'), '' ORDER BY i DESC))::bit(64)::bigint
    FROM generate_series(0, 7) i
$$;

CREATE TYPE pg_temp.mood AS ENUM ('bad', 'ok');

-- hash: of the value; ok: it is the hash of these canonical bytes
SELECT type, value, canonical, hash, hash = pg_temp.h1(canonical) AS ok
FROM (VALUES
    ('smallint', $$42::smallint$$, '\x2a00000000000000'::bytea, probds_hash(42::smallint)),
    ('integer', $$42$$, '\x2a00000000000000'::bytea, probds_hash(42)),
    ('bigint', $$(-1)::bigint$$, '\xffffffffffffffff'::bytea, probds_hash((-1)::bigint)),
    ('oid', $$4294967295::oid$$, '\xffffffff00000000'::bytea, probds_hash(4294967295::oid)),
    ('regclass', $$'pg_catalog.pg_type'::regclass$$, '\xdf04000000000000'::bytea, probds_hash('pg_catalog.pg_type'::regclass)),
    ('numeric', $$42.00::numeric$$, '\x2a00000000000000'::bytea, probds_hash(42.00::numeric)),
    ('numeric', $$'-9223372036854775808'::numeric$$, '\x0000000000000080'::bytea, probds_hash('-9223372036854775808'::numeric)),
    ('numeric', $$9223372036854775808$$, '\x0104009a032c0d70016515b016'::bytea, probds_hash(9223372036854775808)),
    ('numeric', $$1.50$$, '\x01000001008813'::bytea, probds_hash(1.50)),
    ('numeric', $$-0.00012$$, '\x02ffff0100d007'::bytea, probds_hash(-0.00012)),
    ('numeric', $$1e30::numeric$$, '\x0107006400'::bytea, probds_hash(1e30::numeric)),
    ('numeric', $$'NaN'::numeric$$, '\x03'::bytea, probds_hash('NaN'::numeric)),
    ('real', $$0.1::real$$, '\x000000a09999b93f'::bytea, probds_hash(0.1::real)),
    ('double precision', $$0.1::float8$$, '\x9a9999999999b93f'::bytea, probds_hash(0.1::float8)),
    ('double precision', $$'-0'::float8$$, '\x0000000000000000'::bytea, probds_hash('-0'::float8)),
    ('double precision', $$'NaN'::float8$$, '\x000000000000f87f'::bytea, probds_hash('NaN'::float8)),
    ('double precision', $$'-Infinity'::float8$$, '\x000000000000f0ff'::bytea, probds_hash('-Infinity'::float8)),
    ('money', $$'12.34'::numeric::money$$, '\xd204000000000000'::bytea, probds_hash('12.34'::numeric::money)),
    ('boolean', $$true$$, '\x01'::bytea, probds_hash(true)),
    ('text', $$'foo'::text$$, '\x666f6f'::bytea, probds_hash('foo'::text)),
    ('text', $$''::text$$, '\x'::bytea, probds_hash(''::text)),
    ('varchar', $$'foo'::varchar(10)$$, '\x666f6f'::bytea, probds_hash('foo'::varchar(10))),
    ('char(n)', $$'foo'::char(10)$$, '\x666f6f'::bytea, probds_hash('foo'::char(10))),
    ('name', $$'foo'::name$$, '\x666f6f'::bytea, probds_hash('foo'::name)),
    ('bytea', $$'\x00ff'::bytea$$, '\x00ff'::bytea, probds_hash('\x00ff'::bytea)),
    ('uuid', $$'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid$$, '\xa0eebc999c0b4ef8bb6d6bb9bd380a11'::bytea, probds_hash('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid)),
    ('date', $$'2000-01-02'::date$$, '\x0100000000000000'::bytea, probds_hash('2000-01-02'::date)),
    ('date', $$'infinity'::date$$, '\xffffff7f00000000'::bytea, probds_hash('infinity'::date)),
    ('time', $$'01:02:03'::time$$, '\xc078e8dd00000000'::bytea, probds_hash('01:02:03'::time)),
    ('timetz', $$'01:02:03+02'::timetz$$, '\xc078e8dd00000000e0e3ffff'::bytea, probds_hash('01:02:03+02'::timetz)),
    ('timestamp', $$'2000-01-02 00:00:00'::timestamp$$, '\x0060d71d14000000'::bytea, probds_hash('2000-01-02 00:00:00'::timestamp)),
    ('timestamptz', $$'2000-01-01 00:00:00-01'::timestamptz$$, '\x00a493d600000000'::bytea, probds_hash('2000-01-01 00:00:00-01'::timestamptz)),
    ('timestamptz', $$'-infinity'::timestamptz$$, '\x0000000000000080'::bytea, probds_hash('-infinity'::timestamptz)),
    ('interval', $$'1 month 1 day 01:00:00'::interval$$, '\x0044a873700200000000000000000000'::bytea, probds_hash('1 month 1 day 01:00:00'::interval)),
    ('interval', $$'-1 day'::interval$$, '\x00a028e2ebffffffffffffffffffffff'::bytea, probds_hash('-1 day'::interval)),
    ('interval', $$'1000000 years'::interval$$, '\x0000c035349ba7af0100000000000000'::bytea, probds_hash('1000000 years'::interval)),
    ('inet', $$'192.0.2.1'::inet$$, '\x0420c0000201'::bytea, probds_hash('192.0.2.1'::inet)),
    ('inet', $$'2001:db8::1/64'::inet$$, '\x064020010db8000000000000000000000001'::bytea, probds_hash('2001:db8::1/64'::inet)),
    ('cidr', $$'192.0.2.0/24'::cidr$$, '\x0418c0000200'::bytea, probds_hash('192.0.2.0/24'::cidr)),
    ('macaddr', $$'08:00:2b:01:02:03'::macaddr$$, '\x08002b010203'::bytea, probds_hash('08:00:2b:01:02:03'::macaddr)),
    ('macaddr8', $$'08:00:2b:01:02:03:04:05'::macaddr8$$, '\x08002b0102030405'::bytea, probds_hash('08:00:2b:01:02:03:04:05'::macaddr8)),
    ('bit', $$B'101'$$, '\x03000000a0'::bytea, probds_hash(B'101')),
    ('varbit', $$'101'::varbit$$, '\x03000000a0'::bytea, probds_hash('101'::varbit)),
    ('enum', $$'ok'::mood$$, '\x6f6b'::bytea, probds_hash('ok'::pg_temp.mood)),
    ('jsonb', $$'{"b": [1.0, null], "aa": "x"}'::jsonb$$, '\x7b0200000001000000625b02000000230800000001000000000000006e020000006161220100000078'::bytea, probds_hash('{"b": [1.0, null], "aa": "x"}'::jsonb)),
    ('jsonb', $$'true'::jsonb$$, '\x74'::bytea, probds_hash('true'::jsonb)),
    ('jsonb', $$'[]'::jsonb$$, '\x5b00000000'::bytea, probds_hash('[]'::jsonb)),
    ('integer[]', $$'{1,NULL}'::int[]$$, '\x010200000001000000080000000100000000000000ffffffff'::bytea, probds_hash('{1,NULL}'::int[])),
    ('integer[]', $$'{}'::int[]$$, '\x00'::bytea, probds_hash('{}'::int[])),
    ('text[]', $$'[0:0][2:3]={{a,b}}'::text[]$$, '\x020100000000000000020000000200000001000000610100000062'::bytea, probds_hash('[0:0][2:3]={{a,b}}'::text[])),
    ('"char"[]', $$'{f,""}'::"char"[]$$, '\x010200000001000000010000006600000000'::bytea, probds_hash('{f,""}'::"char"[])),
    ('int4range', $$'[1,4]'::int4range$$, '\x02080000000100000000000000080000000500000000000000'::bytea, probds_hash('[1,4]'::int4range)),
    ('numrange', $$'(1.0,)'::numrange$$, '\x10080000000100000000000000'::bytea, probds_hash('(1.0,)'::numrange)),
    ('daterange', $$'empty'::daterange$$, '\x01'::bytea, probds_hash('empty'::daterange)),
    ('composite', $$ROW(1, NULL::date, 'x'::text)$$, '\x0108000000010000000000000000020100000078'::bytea, probds_hash(ROW(1, NULL::date, 'x'::text)))
) v(type, value, canonical, hash);

-- Newer types and values, with no output where the server lacks them
DO $$
DECLARE
    version int := current_setting('server_version_num')::int;
    v record;
    hash bigint;
BEGIN
    FOR v IN SELECT * FROM (VALUES
        (140000, '''Infinity''::numeric', '\x04'::bytea),
        (140000, '''-Infinity''::numeric', '\x05'),
        (140000, '''{[1,2],[4,)}''::int4multirange', '\x020000000208000000010000000000000008000000030000000000000012080000000400000000000000'),
        (140000, '''{}''::int4multirange', '\x00000000'),
        (170000, '''infinity''::interval', '\xff5feb62904d8a4e3801000000000000'),
        (170000, '''-infinity''::interval', '\x0000000000b075b1c7feffffffffffff')
    ) t(since, value, canonical)
    LOOP
        CONTINUE WHEN version < v.since;
        EXECUTE 'SELECT probds_hash(' || v.value || ')' INTO hash;
        IF hash IS DISTINCT FROM pg_temp.h1(v.canonical) THEN
            RAISE WARNING '% hashes to %', v.value, hash;
        END IF;
    END LOOP;
END $$;

-- ---------- signatures ----------
-- A signature is the low 32 bits of h1 of a description; the kind of a sketch shows it
CREATE FUNCTION pg_temp.signature(description bytea) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(lpad(to_hex(get_byte(h, 3 - i)), 2, '0'), '' ORDER BY i) FROM murmur3_x64_128(description) h, generate_series(0, 3) i
$$;
-- the description of a signed kind in that of a larger one: its code, then its signature, little-endian
CREATE FUNCTION pg_temp.signed(code int, description bytea) RETURNS bytea LANGUAGE sql AS $$
    SELECT decode(lpad(to_hex(code), 2, '0'), 'hex') || substr(murmur3_x64_128(description), 1, 4)
$$;
-- what hll_add makes of a value: the code in its header, the signature in its header and in hll_info
CREATE FUNCTION pg_temp.kind_of(sketch hll, OUT code int, OUT kind text, OUT agree boolean) LANGUAGE sql AS $$
    SELECT get_byte(sketch::bytea, 2), k, right(k, 8) = encode(substr(sketch::bytea, 7, 1) || substr(sketch::bytea, 6, 1) || substr(sketch::bytea, 5, 1) || substr(sketch::bytea, 4, 1), 'hex')
    FROM (SELECT (hll_info(sketch)).kind AS k) q
$$;
CREATE TYPE pg_temp.pair AS (i int, t text);
CREATE TYPE pg_temp.nested AS (p pg_temp.pair, r int4range, n numeric[]);
CREATE DOMAIN pg_temp.tags AS text[];
CREATE TYPE pg_temp.arrayrange AS RANGE (subtype = int[]);
CREATE TYPE pg_temp.rangerange AS RANGE (subtype = int4range);
-- a discrete range type of one's own
SET client_min_messages = warning;
CREATE TYPE pg_temp.steps;
CREATE FUNCTION pg_temp.steps_canonical(pg_temp.steps) RETURNS pg_temp.steps LANGUAGE internal IMMUTABLE STRICT AS 'int4range_canonical';
CREATE TYPE pg_temp.steps AS RANGE (subtype = int4, canonical = pg_temp.steps_canonical);
RESET client_min_messages;
SELECT type, code, kind, agree AND kind LIKE '% ' || pg_temp.signature(description) AS ok FROM (VALUES
    (1, 'record', hll_add(hll_empty(), ROW(1, 'a'::text)), '\x0102'::bytea),
    (2, 'composite', hll_add(hll_empty(), '(1,a)'::pg_temp.pair), '\x0102'),
    (4, 'of signed columns', hll_add(hll_empty(), '("(1,a)",,)'::pg_temp.nested), pg_temp.signed(20, '\x0102') || pg_temp.signed(65, 'discrete\000\001') || '\x81'),
    (5, 'no columns', hll_add(hll_empty(), ROW()), '\x'),
    (6, 'composite[]', hll_add(hll_empty(), '{}'::pg_temp.pair[]), '\x0102'),
    (7, 'int4range', hll_add(hll_empty(), '[1,4]'::int4range), 'discrete\000\001'),
    (8, 'int8range', hll_add(hll_empty(), '[1,4]'::int8range), 'discrete\000\001'),
    (9, 'numrange', hll_add(hll_empty(), '[1,4]'::numrange), 'continuous\000\001'),
    (10, 'daterange', hll_add(hll_empty(), '[2000-01-01,]'::daterange), 'discrete\000\007'),
    (11, 'tstzrange[]', hll_add(hll_empty(), '{"[2000-01-01,]"}'::tstzrange[]), 'continuous\000\013'),
    (12, 'steps', hll_add(hll_empty(), '[1,4]'::pg_temp.steps), 'steps_canonical\000\001'),
    (13, 'tags[]', hll_add(hll_empty(), ARRAY['{a,b}'::pg_temp.tags]), '\x82'),
    (14, 'arrayrange', hll_add(hll_empty(), '["{1}","{2}"]'::pg_temp.arrayrange), 'continuous\000\201'),
    (15, 'rangerange', hll_add(hll_empty(), '["[1,2)","[3,4)"]'::pg_temp.rangerange), 'continuous\000' || pg_temp.signed(65, 'discrete\000\001')),
    (16, 'pg_lsn', hll_add(hll_empty(), '0/1'::pg_lsn), 'pg_lsn\000pg_lsn_ops\000'),
    (17, 'xid', hll_add(hll_empty(), '1'::xid), 'xid\000xid_ops\000')) v(n, type, sketch, description), pg_temp.kind_of(sketch)
ORDER BY n;
-- the form of it that doc/hashing.md shows: the description, its hash, the signature, the header
SELECT description, murmur3_x64_128(description) AS hash, pg_temp.signature(description) AS signature, substr(hll_add(hll_empty(), ROW(1, 'a'::text))::bytea, 1, 7) AS header FROM (VALUES ('\x0102'::bytea)) v(description);
DO $$
DECLARE
    kind text;
BEGIN
    SELECT (hll_info(hll_add(hll_empty(), '{[1,2]}'::int4multirange))).kind INTO kind;
    ASSERT kind = 'multirange ' || pg_temp.signature('discrete\000\001'), kind;
    SELECT (hll_info(hll_add(hll_empty(), '{}'::datemultirange[]))).kind INTO kind;
    ASSERT kind = 'array of multirange ' || pg_temp.signature('discrete\000\007'), kind;
    -- needs ICU and an encoding that ICU has
    CREATE COLLATION pg_temp.ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    EXECUTE $q$SELECT (hll_info(hll_add(hll_empty(), 'a' COLLATE pg_temp.ci))).kind$q$ INTO kind;
    ASSERT kind = 'collated text ' || pg_temp.signature(('iund-u-ks-level2\000\000'
        || pg_collation_actual_version((SELECT oid FROM pg_collation WHERE collname = 'ci')) || '\000')::bytea), kind;
EXCEPTION WHEN feature_not_supported OR undefined_object THEN
    NULL;
END $$;

-- A literal without a type is text; a domain is its base type; a parameter has its type
SELECT probds_hash('foo') = probds_hash('foo'::text) AS literal;
CREATE DOMAIN pg_temp.positive AS numeric CHECK (VALUE > 0);
CREATE DOMAIN pg_temp.more_positive AS pg_temp.positive;
CREATE DOMAIN pg_temp.moods AS pg_temp.mood[];
SELECT probds_hash('42.0'::pg_temp.more_positive) = probds_hash(42) AS domain,
    probds_hash('{ok}'::pg_temp.moods) = probds_hash('{ok}'::pg_temp.mood[]) AS domain_of_array,
    probds_hash('{42.0}'::pg_temp.more_positive[]) = probds_hash(ARRAY[42]) AS array_of_domain;
PREPARE q(int, text) AS SELECT probds_hash($1) = probds_hash(42::bigint) AS number, probds_hash($2) = probds_hash('foo') AS string;
EXECUTE q(42, 'foo');

-- Values that were toasted: out of line, compressed, and with a short header
CREATE TEMP TABLE long(kind text, t text, b bytea, j jsonb, a int[], n numeric, v varbit);
ALTER TABLE long ALTER t SET STORAGE external, ALTER b SET STORAGE external;
INSERT INTO long SELECT 'out of line', s, s::bytea, to_jsonb(s), array_agg(i), repeat('1234567890', 1000)::numeric, repeat('10', 50000)::varbit
    FROM generate_series(1, 5000) i, repeat('0123456789', 2000) s GROUP BY s;
ALTER TABLE long ALTER t SET STORAGE extended, ALTER b SET STORAGE extended;
INSERT INTO long SELECT 'compressed', t, b, j, a, n, v FROM (SELECT repeat('0123456789', 2000) t, long.b || '' AS b, long.j, a, n, v FROM long) x;
SELECT kind, probds_hash(t) = pg_temp.h1(convert_to(repeat('0123456789', 2000), 'UTF8')) AS text,
    probds_hash(b) = pg_temp.h1(repeat('0123456789', 2000)::bytea) AS bytea,
    probds_hash(j) = probds_hash(to_jsonb(repeat('0123456789', 2000))) AS jsonb,
    probds_hash(a) = probds_hash((SELECT array_agg(i) FROM generate_series(1, 5000) i)) AS array,
    probds_hash(n) = probds_hash(repeat('1234567890', 1000)::numeric) AS numeric,
    probds_hash(v) = probds_hash(repeat('10', 50000)::varbit) AS varbit
FROM long ORDER BY kind;

-- Types without an equality that a hash could follow
SELECT probds_hash('{}'::json);
SELECT probds_hash(point(1, 2));
SELECT probds_hash('a b'::tsvector);
SELECT probds_hash(ARRAY['{}'::json]);
SELECT probds_hash(ROW(1, '{}'::json));
