-- Filters of other systems: in, asked, on, and out again
\set try `echo "${PROBDS_SRC:-.}/test/types/try.sql"`
\set ECHO none
\i :try
\set plans `echo "${PROBDS_SRC:-.}/test/types/plans.sql"`
\i :plans
\set ECHO all

-- As Guava 31.1 (10 values at 1 %), RedisBloom (BF.RESERVE k 0.01 10) and arrow-rs write them
CREATE TEMP TABLE vector (name text, b bytea);
INSERT INTO vector VALUES
    ('gu texts', '\x0107000000020010000009000814a040814200002010'),
    ('gu longs', '\x01070000000250000104008010400005412610412600'),
    ('gu ints', '\x0107000000024818080080000c084020000948000200'),
    ('gu 32', '\x000700000002043000410390000240010c1000004084'),
    ('re five', '\x05000000000000000100000005000000020000001000000000000000800000000000000005000000000000007b14ae47e17a743fe9862fb2350e2640080000000a0000000000000000'
        '2ca02b025803482a08e089182a041a04'),
    ('pa ten', '\x15401c1c00001c1c00001c1c000000c80150144044086d062504439050602008842b21000563410200e02c404e6004'),
    ('pa hello', '\x15401c1c00001c1c00001c1c0000000000100000020000000400008000000000020000000000800000001000000008'),
    ('pa one', '\x15401c1c00001c1c00001c1c0000000000000800000002000000020000020000000004000000084000000000010000');
CREATE FUNCTION pg_temp.v(n text) RETURNS bytea LANGUAGE sql AS $$ SELECT b FROM pg_temp.vector WHERE name = n $$;

-- ---------- in, and asked ----------
CREATE TEMP TABLE f AS SELECT
    bloom_from_guava(pg_temp.v('gu texts'), 'text') AS guava, bloom_from_guava(pg_temp.v('gu longs'), 'bigint') AS longs,
    bloom_from_guava(pg_temp.v('gu 32'), 'text') AS guava32, bloom_from_redis(pg_temp.v('re five')) AS redis,
    bloom_from_parquet(pg_temp.v('pa ten'), 'text') AS parquet, bloom_from_parquet(pg_temp.v('pa one'), 'bigint') AS one;
SELECT n, i.* FROM f, LATERAL (VALUES (1, guava), (2, longs), (3, guava32), (4, redis), (5, parquet), (6, one)) q(n, s), bloom_info(s) i ORDER BY n;
SELECT bloom_contains_all(guava, '{foo,bar,hello}'::text[]) AS guava, bloom_contains_all(longs, '{1,2,3}'::int[]) AS longs, bloom_contains_all(guava32, '{foo,bar,hello}'::text[]) AS guava32,
    bloom_contains_all(redis, '{foo,bar,hello,1,2}'::text[]) AS redis, bloom_contains_all(parquet, '{a0,a1,a2,a3,a4,a5,a6,a7,a8,a9}'::text[]) AS parquet, one @> 1 AS one
FROM f;
-- what is not there, all forms of asking
SELECT count(*) FILTER (WHERE guava @> ('v' || i)) AS guava, count(*) FILTER (WHERE i <@ longs) AS longs, count(*) FILTER (WHERE bloom_contains(guava32, 'v' || i)) AS guava32,
    count(*) FILTER (WHERE bloom_contains_any(redis, ARRAY['v' || i])) AS redis, count(*) FILTER (WHERE parquet @> ('v' || i)) AS parquet, count(*) FILTER (WHERE one @> i) AS one
FROM f, generate_series(10, 1009) i;
-- plain literals are read as what the filter holds
SELECT guava @> 'foo' AS guava, '3' <@ longs AS longs, redis @> '2' AS redis, parquet @> 'a3' AS parquet, '1' <@ one AS one FROM f;
-- as bytes: the same filters
SELECT bloom_from_redis(pg_temp.v('re five'), 'bytea') @> 'foo'::bytea AS redis, bloom_from_guava(pg_temp.v('gu texts'), 'bytea') @> 'bar'::bytea AS guava,
    bloom_from_parquet(pg_temp.v('pa hello'), 'bytea') @> 'hello'::bytea AS parquet, bloom_from_parquet(pg_temp.v('pa hello'), 'varchar') @> 'hello'::varchar AS varchar,
    bloom_from_guava(pg_temp.v('gu ints'), 'bytea') @> '\x02000000'::bytea AS int_funnel;

-- ---------- another kind of value, or of none that is known, is an error ----------
SELECT redis @> 42 FROM f;
SELECT guava @> 42 FROM f;
SELECT parquet @> 42 FROM f;
SELECT one @> (SELECT 'foo'::text) FROM f;
SELECT bloom_contains_any(redis, '{1,2}'::int[]) FROM f;
SELECT bloom_from_guava(pg_temp.v('gu texts')) @> 'foo'::text;
SELECT bloom_add(bloom_from_guava(pg_temp.v('gu texts')), 'foo'::text);
SELECT bloom_from_redis(pg_temp.v('re five'), NULL) @> 'foo'::text;
SELECT (bloom_info(bloom_from_parquet(pg_temp.v('pa ten'), NULL))).kind;
SELECT bloom_from_guava(pg_temp.v('gu ints'), 'int');
SELECT bloom_from_guava(pg_temp.v('gu ints'), 'uuid');
SELECT bloom_from_redis(pg_temp.v('re five'), 'int');
SELECT bloom_from_parquet(pg_temp.v('pa ten'), 'date');
SELECT bloom_from_parquet(pg_temp.v('pa ten'), 'float8');
SELECT type, pg_temp.try(format('SELECT kind || '' '' || family FROM bloom_info(bloom_from_guava(pg_temp.v(''gu texts''), %L))', type)) AS guava,
    pg_temp.try(format('SELECT kind || '' '' || family FROM bloom_info(bloom_from_guava(pg_temp.v(''gu 32''), %L))', type)) AS guava32,
    pg_temp.try(format('SELECT kind || '' '' || family FROM bloom_info(bloom_from_redis(pg_temp.v(''re five''), %L))', type)) AS redis,
    pg_temp.try(format('SELECT kind || '' '' || family FROM bloom_info(bloom_from_parquet(pg_temp.v(''pa ten''), %L))', type)) AS parquet
FROM unnest('{text,varchar,bytea,bigint,int,smallint,numeric,uuid,"double precision",date,json,NULL}'::text[]) type;
CREATE DOMAIN pg_temp.big AS bigint;
SELECT bloom_from_guava(pg_temp.v('gu longs'), 'pg_temp.big') @> 2 AS domain;

-- ---------- numbers of a Parquet column ----------
-- bits of an INT32 column are of 4 bytes: xxHash64 of 2a000000 and 2a00000000000000 differ
CREATE TEMP TABLE p AS SELECT bloom_add(bloom_from_parquet(z, 'int'), 42) AS four, bloom_add(bloom_from_parquet(z, 'bigint'), 42) AS eight
FROM (SELECT '\x1580041c1c00001c1c00001c1c000000'::bytea || decode(repeat('00', 256), 'hex') AS z) q;
SELECT (bloom_info(four)).family, (bloom_info(eight)).family, four @> 42 AS four, four @> 42::bigint AS wide, four @> 42.0 AS numeric, eight @> 42::smallint AS eight FROM p;
-- an empty one remembers of how many bytes they are
SELECT (bloom_info(z)).family, (bloom_info(z)).kind, z @> 'x'::text AS text, z @> 1 AS number
FROM bloom_from_parquet('\x1580041c1c00001c1c00001c1c000000'::bytea || decode(repeat('00', 256), 'hex'), 'int') z;
SELECT bloom_to_parquet(four) = bloom_to_parquet(eight) AS same_bits, bloom_from_parquet(bloom_to_parquet(four), 'int') = four AS back, bloom_from_parquet(bloom_to_parquet(eight), 'int') @> 42 AS read_wrongly FROM p;
-- what no such column can have in it is not there, and cannot be added
SELECT four @> 4294967338 AS beyond, four @> 42.5 AS fraction, eight @> 42.5 AS eight, eight @> 1e30 AS large FROM p;
SELECT bloom_add(four, 4294967338) FROM p;
SELECT bloom_add(eight, 42.5) FROM p;
SELECT bloom_add(eight, true) FROM p;
SELECT bloom_add(four, (SELECT 'x'::text)) FROM p;
SELECT four || eight FROM p;
-- a uuid is its 16 bytes
SELECT bloom_add(z, u) @> u AS uuid, bloom_to_parquet(bloom_add(z, u)) = bloom_to_parquet(bloom_add(z, uuid_send(u))) AS as_bytes
FROM (SELECT bloom_from_parquet('\x15401c1c00001c1c00001c1c000000'::bytea || decode(repeat('00', 32), 'hex'), 'uuid') AS z, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid AS u) q;

-- ---------- gone on with ----------
CREATE TEMP TABLE nothing AS SELECT
    bloom_from_guava('\x010700000002' || decode(repeat('00', 16), 'hex'), 'text') AS guava, bloom_from_guava('\x000700000002' || decode(repeat('00', 16), 'hex'), 'text') AS guava32,
    bloom_from_redis(set_byte(set_byte(substr(pg_temp.v('re five'), 1, 73), 0, 0), 36, 0) || decode(repeat('00', 16), 'hex')) AS redis,
    bloom_from_parquet('\x15401c1c00001c1c00001c1c000000' || decode(repeat('00', 32), 'hex'), 'text') AS parquet;
-- the same values make the same bytes here
SELECT bloom_add_all(n.guava, '{foo,bar,hello}'::text[]) = f.guava AS guava, bloom_add_all(n.guava, '{1,2,3}'::int[]) = f.longs AS longs, bloom_add_all(n.guava32, '{hello,bar,foo}'::text[]) = f.guava32 AS guava32,
    bloom_add(bloom_add(bloom_add_all(n.redis, '{foo,bar,hello}'::text[]), '1'), '2') = f.redis AS redis, bloom_add_all(n.parquet, (SELECT array_agg('a' || i) FROM generate_series(0, 9) i)) = f.parquet AS parquet
FROM f, nothing n;
-- one by one, in any order, in parts
CREATE TEMP TABLE v AS SELECT i, 'value ' || i AS v FROM generate_series(1, 12) i;
CREATE TEMP TABLE on_and_on AS
SELECT name, s, bloom_add_all(s, (SELECT array_agg(v ORDER BY i) FROM v)) AS forth, bloom_add_all(s, (SELECT array_agg(v ORDER BY i DESC) FROM v)) AS back,
    bloom_add_all(s, (SELECT array_agg(v) FROM v WHERE i <= 7)) AS a, bloom_add_all(s, (SELECT array_agg(v) FROM v WHERE i > 5)) AS b
FROM f, LATERAL (VALUES ('guava', guava), ('guava32', guava32), ('redis', redis), ('parquet', parquet)) q(name, s);
SELECT name, forth = back AS order, a || b = forth AS parts, b || a = forth AS other_way, forth || s = forth AS idempotent, (a & b) @> 'value 6' AS common, bloom_intersect(a, forth) = a AS within
FROM on_and_on ORDER BY name;
SELECT name, bool_and(forth @> v) AS all_there, (SELECT bloom_merge_agg(x) FROM unnest(ARRAY[a, b, s]) x) = forth AS merged, (SELECT bloom_intersect_agg(x) FROM unnest(ARRAY[forth, a, back]) x) = a AS intersected
FROM on_and_on, v GROUP BY name, a, b, s, forth, back ORDER BY name;
SELECT name, forth::text::bloom = forth AS text, forth::bytea::bloom = forth AS bytea, (bloom_info(forth)).items, (bloom_info(forth)).status FROM on_and_on ORDER BY name;
-- NULL and nothing
SELECT bloom_from_guava(NULL) IS NULL AS guava, bloom_from_redis(NULL) IS NULL AS redis, bloom_from_parquet(NULL, NULL) IS NULL AS parquet, bloom_to_guava(NULL) IS NULL AS out,
    bloom_add(redis, NULL::text) = redis AS add_null, redis @> NULL::text IS NULL AS ask_null FROM f;
-- a filter of Guava's strategy of 64 bits is native: as one that is built here for as many values at the same rate
SELECT bloom_to_guava(bloom_agg(v, 10, 0.01, 'guava')) = pg_temp.v('gu texts') AS built_here, bloom_to_guava(bloom_agg(i, 10, 0.01, 'guava')) = pg_temp.v('gu longs') AS longs
FROM (VALUES ('foo', 1), ('bar', 2), ('hello', 3)) q(v, i);
SELECT (bloom_info(m)).*, bloom_to_guava(m) = pg_temp.v('gu texts') AS same
FROM f, LATERAL (SELECT guava || bloom_agg(v, 10, 0.01, 'guava') AS m FROM (VALUES ('foo'), ('bar')) q(v)) r;

-- ---------- families do not mix ----------
SELECT guava32 || guava FROM f;
SELECT redis || bloom_agg('foo'::text, 10) FROM f GROUP BY redis;
SELECT bloom_merge_agg(s) FROM f, unnest(ARRAY[redis, parquet]) s;
SELECT parquet & redis FROM f;
SELECT redis || bloom_add_all(bloom_from_redis(pg_temp.v('re five'), 'bytea'), NULL::bytea[]) FROM f;
SELECT bloom_add(z, 'x') || redis FROM f, bloom_from_redis(set_byte(set_byte(set_byte(substr(pg_temp.v('re five'), 1, 73), 20, 8), 28, 64) || '\x0102030405060708'::bytea, 29, 0)) z;
-- nor does nothing of one with something of another: it has other bits
SELECT nothing.redis || f.guava FROM f, nothing;
SELECT redis::bloom(10) FROM f;
CREATE TEMP TABLE t (b bloom(10));
INSERT INTO t SELECT parquet FROM f;
-- an aggregate of values is native: one that is made to begin with another family's
SELECT format('CREATE AGGREGATE pg_temp.go_on(text) (SFUNC = _bloom_step, STYPE = bloom, INITCOND = %L)', redis) FROM f \gexec
SELECT pg_temp.go_on('foo');

-- ---------- out ----------
SELECT name, b = CASE left(name, 2) WHEN 'gu' THEN bloom_to_guava(bloom_from_guava(b)) WHEN 're' THEN bloom_to_redis(bloom_from_redis(b)) ELSE bloom_to_parquet(bloom_from_parquet(b, 'text')) END AS same
FROM vector ORDER BY name;
SELECT bloom_to_redis(redis) = bloom_to_redis(redis, 2) AS default, get_byte(bloom_to_redis(redis, 0), 12) AS nonscaling, get_byte(bloom_to_redis(redis, 4), 16) AS expansion, bloom_from_redis(bloom_to_redis(redis, 0)) = redis AS same FROM f;
-- how many values there are is said by the fill
SELECT n, get_byte(bloom_to_redis(s), 0) AS items, length(bloom_to_redis(s)) AS bytes
FROM nothing, unnest(ARRAY[0, 1, 3, 10]) n, bloom_add_all(redis, (SELECT array_agg('v' || i) FROM generate_series(1, n) i)) s ORDER BY n;
SELECT bloom_to_guava(bloom_agg('foo'::text, 10));
SELECT bloom_to_guava(redis) FROM f;
SELECT bloom_to_redis(guava) FROM f;
SELECT bloom_to_redis(redis, -1) FROM f;
SELECT bloom_to_redis(redis, 32769) FROM f;
SELECT bloom_to_parquet(redis) FROM f;
SELECT bloom_to_parquet(bloom_empty(10));
-- large ones, sparse and not
SELECT n, i.encoding, i.items, length(g) AS bytes, bloom_from_guava(g, 'bigint') = bloom_from_guava(bloom_to_guava(bloom_from_guava(g, 'bigint')), 'bigint') AS same,
    (SELECT bool_and(bloom_from_guava(g, 'bigint') @> v) FROM generate_series(1, n, n / 50) v) AS all_there
FROM unnest(ARRAY[200, 20000]) n, LATERAL (SELECT bloom_agg(v, 20000, 0.001, 'classic') AS s FROM generate_series(1, n) v) q, bloom_to_guava(s) g, bloom_info(s) i ORDER BY n;

-- ---------- in tables: out of line, kept, and asked by plans ----------
CREATE TEMP TABLE stored (name text, s bloom);
INSERT INTO stored
SELECT name, bloom_add_all(s, (SELECT array_agg('key ' || i) FROM generate_series(1, n) i))
FROM unnest(ARRAY[500, 20000]) n, LATERAL (VALUES
    ('guava32', bloom_from_guava('\x000700001000' || decode(repeat('00', 32768), 'hex'), 'text')),
    ('parquet', bloom_from_parquet('\x158080041c1c00001c1c00001c1c000000' || decode(repeat('00', 32768), 'hex'), 'text')),
    ('redis', bloom_from_redis(overlay(overlay(overlay(overlay(substr(pg_temp.v('re five'), 1, 73) PLACING '\x0000000000000000' FROM 1 FOR 8) PLACING '\x0080000000000000' FROM 21 FOR 8)
        PLACING '\x0000040000000000' FROM 29 FOR 8) PLACING '\x0000000000000000' FROM 37 FOR 8) || decode(repeat('00', 32768), 'hex')))) q(name, s);
SELECT name, i.encoding, i.items, count(*) FILTER (WHERE s @> ('key ' || k)) AS found, count(*) FILTER (WHERE s @> ('no ' || k)) AS wrong, round(20000 * i.false_positive_rate) AS expected
FROM stored, bloom_info(s) i, generate_series(1, 20000) k GROUP BY name, s, i.encoding, i.items, i.false_positive_rate ORDER BY name, items;
SET probds.probe_cache_size = 0;
SELECT name, (bloom_info(s)).encoding, count(*) FILTER (WHERE s @> ('key ' || k)) AS found FROM stored, generate_series(1, 500) k GROUP BY name, s ORDER BY name, 2;
RESET probds.probe_cache_size;
-- the planner asks a constant filter by its own hash
CREATE TEMP TABLE word AS SELECT 'key ' || i % 1000 AS w FROM generate_series(1, 5000) i;
ANALYZE word;
SELECT name, pg_temp.rows_planned(format('SELECT FROM word WHERE %L::bloom @> w', s)) BETWEEN 2000 AND 3000 AS half_of_them
FROM stored WHERE (bloom_info(s)).items < 1000 ORDER BY name;

-- ---------- bytes that are nothing of the kind ----------
SELECT bloom_from_guava('\x');
SELECT bloom_from_guava('\x020700000001aaaaaaaaaaaaaaaa');
SELECT bloom_from_guava('\x012900000001aaaaaaaaaaaaaaaa');
SELECT bloom_from_redis('\x0000');
SELECT bloom_from_redis(set_byte(pg_temp.v('re five'), 8, 2));
SELECT bloom_from_redis(set_byte(pg_temp.v('re five'), 12, 1));
SELECT bloom_from_parquet('\x15401c2c00001c1c00001c1c000000', 'text');
-- cut off, extended, with any bit changed: refused, or a filter that goes out and comes in again
CREATE FUNCTION pg_temp.read_again(system text, b bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    s CONSTANT bloom := CASE system WHEN 're' THEN bloom_from_redis(b) WHEN 'gu' THEN bloom_from_guava(b, 'text') ELSE bloom_from_parquet(b, 'text') END;
BEGIN
    RETURN CASE WHEN CASE system WHEN 're' THEN substr(bloom_to_redis(bloom_from_redis(bloom_to_redis(s))), 74) = substr(b, 74) WHEN 'gu' THEN bloom_to_guava(s) = b ELSE bloom_to_parquet(s) = b END
        AND s::bytea::bloom = s AND bloom_cardinality(s) >= 0 AND bloom_add(s, 'x') @> 'x' THEN 'accepted' ELSE 'wrong' END;
END
$$;
SELECT * FROM pg_temp.damage_vectors();
