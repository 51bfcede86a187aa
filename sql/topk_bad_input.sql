-- Every kind of bad input, with its message and its SQLSTATE
\set try `echo "${PROBDS_SRC:-.}/test/types/try.sql"`
\set ECHO none
\i :try
\set ECHO all

-- ---------- k, weights ----------
SELECT topk_empty(0);
SELECT topk_agg(i, 10001) FROM generate_series(1, 3) i;
SELECT topk_agg(i, i) FROM generate_series(1, 3) i;
SELECT topk_agg_weighted(i, 20, i) FROM generate_series(1, 3) i;
SELECT topk_agg(i, NULL) FROM generate_series(1, 3) i;
SELECT topk_agg_weighted(i, -i, 20) FROM generate_series(1, 3) i;
SELECT topk_add(topk_empty(), 'a', -1);
SELECT topk_agg_weighted(i, 9223372036854775807, 20) FROM generate_series(1, 2) i;
SELECT topk_add(topk_add(topk_empty(), 'a', 9223372036854775807), 'b');
SELECT topk_add(topk_empty(), 'a', 9223372036854775807) || topk_add(topk_empty(), 'b');
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT topk_empty(0)'), (2, 'SELECT topk_empty(-1)'), (3, 'SELECT topk_empty(1)'), (4, 'SELECT topk_empty(10000)'), (5, 'SELECT topk_empty(10001)'), (6, 'SELECT topk_empty(2147483648)'), (7, 'SELECT topk_empty(''many'')'),
    (8, 'SELECT topk_empty(NULL)'), (9, 'SELECT topk_agg(1, 0)'), (10, 'SELECT topk_agg(1, -1)'), (11, 'SELECT topk_agg(NULL::int, 0)'), (12, 'SELECT topk_agg(1, NULL)'), (13, 'SELECT topk_agg(NULL::int, NULL)'), (14, 'SELECT topk_agg(1, 0) WHERE false'),
    (15, 'SELECT topk_agg_weighted(1, 1, NULL)'), (16, 'SELECT topk_agg(i, 10 + i) FROM generate_series(1, 3) i'), (17, 'SELECT topk_agg(NULL::int, 10 + i) FROM generate_series(1, 3) i'), (18, 'SELECT topk_agg(i, nullif(12, 10 + i)) FROM generate_series(1, 3) i'),
    (19, 'SELECT approx_top_k(1, 0)'), (20, 'SELECT approx_top_k_weighted(1, 1, 0)'), (21, 'SELECT topk_agg_weighted(1, -1, 9)'), (22, 'SELECT topk_agg_weighted(NULL::int, -1, 9)'), (23, 'SELECT topk_agg_weighted(1, ''-9223372036854775808'', 9)'), (24, 'SELECT topk_agg_weighted(1, 1.5, 9)'),
    (25, 'SELECT topk_agg_weighted(1, 9223372036854775807, 9)'), (26, 'SELECT topk_agg_weighted(1, 9223372036854775808, 9)'), (27, 'SELECT topk_agg_weighted(1, 9223372036854775807, 9) FROM generate_series(1, 2)'),
    (28, 'SELECT topk_add(topk_empty(), 1, -1)'), (29, 'SELECT topk_add(topk_empty(), NULL, -1)'), (30, 'SELECT topk_add(topk_add(topk_empty(), 1, 9223372036854775806), 1)'), (31, 'SELECT topk_add(topk_add(topk_empty(), 1, 9223372036854775807), 1, 1)'),
    (32, 'SELECT topk_add(topk_add(topk_empty(), 1, 9223372036854775807), 1, 0)'), (33, 'SELECT s || s FROM topk_add(topk_empty(), 1, 4611686018427387904) s'), (34, 'SELECT s || s FROM topk_add(topk_empty(), 1, 4611686018427387903) s'),
    (35, 'SELECT topk_merge_agg(s) FROM topk_add(topk_empty(), 1, 4611686018427387903) s, generate_series(1, 3)'), (36, 'SELECT topk_total(topk_agg_weighted(i, 1000000000000000000, 9)) FROM generate_series(1, 9) i'), (37, 'SELECT topk_agg_weighted(i, 1000000000000000000, 9) FROM generate_series(1, 10) i')) q(n, statement) ORDER BY n;

-- ---------- long values ----------
-- cut between two characters and marked; told apart by their hash all the same
SELECT n, what, octet_length(item) AS bytes, right(item, 4) AS ends, frequency FROM (VALUES
    (1, 'kept', repeat('x', 4096)), (2, 'one byte more', repeat('x', 4097)), (3, 'two bytes a character', repeat(E'\u00e9', 2049)), (4, 'and an odd one', 'x' || repeat(E'\u00e9', 2048)), (5, 'three', repeat(E'\u20ac', 2000)),
    (6, 'four', 'xxx' || repeat(E'\U0001F600', 2000)), (7, 'ends like one that is cut', repeat('x', 4092) || ' ...')) v(n, what, t), topk_items(topk_add(topk_empty(), t, 2)) ORDER BY n;
SELECT count(*) AS items, count(DISTINCT item) AS texts, sum(frequency) AS total FROM topk_items((SELECT topk_agg(repeat('x', 4096 + i), 20) FROM generate_series(1, 3) i, generate_series(1, i)));
SELECT n, s -> repeat('x', 4096 + n) AS frequency, (topk_bounds(s, repeat('x', 4096 + n))).* FROM (SELECT topk_agg(repeat('x', 4096 + i), 20) AS s FROM generate_series(1, 3) i, generate_series(1, i)) q, generate_series(1, 4) n ORDER BY n;
SELECT s = s::text::topk AS text, s = s::bytea::topk AS bytea, s || s -> repeat('x', 5000) AS twice, s || topk_add(topk_empty(), repeat('x', 5000), 5) -> repeat('x', 5000) AS eight, length(approx_top_k) AS json
FROM (SELECT topk_agg(repeat('x', 5000), 20) AS s, (approx_top_k(repeat('x', 5000), 20)) #>> '{0,item}' AS approx_top_k FROM generate_series(1, 3)) q;
SELECT n, pg_temp.try(format('SELECT length(topk_add(topk_empty(), repeat(''x'', %s))::bytea)', n)) AS text, pg_temp.try(format('SELECT length(topk_agg(repeat(''x'', %s)::bytea, 3)::bytea)', n)) AS bytea,
    pg_temp.try(format('SELECT topk_frequency(topk_agg(repeat(''x'', %s), 3), repeat(''x'', %s))', n, n)) AS found FROM unnest(ARRAY[0, 1, 2046, 2047, 2048, 4095, 4096, 4097, 100000, 10000000]) n;
SELECT pg_temp.try('SELECT topk_add(topk_empty(), repeat(''x'', 5000), 0)') AS nothing_of_it, pg_temp.try('SELECT topk_frequency(topk_empty(), repeat(''x'', 5000))') AS asked_for;
-- many of them: as many as there are counters
SELECT i.items, i.total, i.error, i.bytes > 2048 * 4090 AS large FROM (SELECT topk_agg(repeat(chr(65 + i % 26), 4090) || i, 20) AS s FROM generate_series(1, 2048) i) q, topk_info(s) i;

-- ---------- shares ----------
SELECT * FROM topk_items(topk_empty(), 5);
SELECT count(*) FROM (SELECT topk_agg(i, 1) AS s FROM generate_series(1, 5000) i) q, topk_items(s, 0.0001);
SELECT share, pg_temp.try(format('SELECT count(*) FROM topk_items((SELECT topk_agg(i, 1) FROM generate_series(1, 5000) i), %L)', share)) FROM (VALUES
    (1, '0'), (2, '-0.5'), (3, '1'), (4, '1.5'), (5, 'NaN'), (6, 'Infinity'), (7, '1e-300'), (8, '0.0002'), (9, '0.0004'), (10, '0.99999999999999999'), (11, NULL)) q(n, share) ORDER BY n;

-- ---------- what does not go together ----------
SELECT topk_agg(i, 10) || topk_agg(i, 20) FROM generate_series(1, 3) i;
SELECT topk_merge_agg(s) FROM (VALUES (topk_empty(100)), (topk_empty(20))) q(s);
CREATE TEMP TABLE kinds AS
SELECT topk_agg(i, 20) AS numbers, topk_agg(i::text, 20) AS texts, topk_agg(md5(i::text)::uuid, 20) AS uuids, topk_empty() AS nothing FROM generate_series(1, 10) i;
SELECT numbers || texts FROM kinds;
SELECT topk_merge_agg(s) FROM kinds, unnest(ARRAY[nothing, uuids, texts]) s;
SELECT topk_add(numbers, (SELECT 'seven'::text)) FROM kinds;
SELECT topk_add_all(texts, ARRAY[1, 2]) FROM kinds;
SELECT topk_frequency(texts, 7) FROM kinds;
SELECT topk_bounds(numbers, 'seven') FROM kinds;
SELECT topk_agg('(1,2)'::point, 20);
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT numbers || texts FROM kinds'), (2, 'SELECT topk_merge(texts, numbers) FROM kinds'), (3, 'SELECT topk_merge_agg(s) FROM kinds, unnest(ARRAY[numbers, texts]) s'),
    (4, 'SELECT topk_add(numbers, (SELECT ''7''::text)) FROM kinds'), (5, 'SELECT topk_add(texts, 7, 2) FROM kinds'), (6, 'SELECT topk_add(numbers, 7.0::float8) FROM kinds'), (7, 'SELECT topk_add(numbers, 7.0) = topk_add(numbers, ''7'') FROM kinds'),
    (8, 'SELECT topk_add_all(texts, ARRAY[1]) FROM kinds'), (9, 'SELECT topk_add_all(texts, ARRAY[]::int[]) = texts FROM kinds'), (10, 'SELECT nothing || texts = texts FROM kinds'), (11, 'SELECT topk_frequency(numbers, (SELECT ''7''::text)) FROM kinds'),
    (12, 'SELECT topk_frequency(numbers, ''7'') FROM kinds'), (13, 'SELECT topk_bounds(uuids, 7) FROM kinds'), (14, 'SELECT numbers = texts FROM kinds'), (15, 'SELECT topk_add(nothing, ''1''::json) FROM kinds'), (16, 'SELECT topk_agg(''{}''::json, 20)'),
    (17, 'SELECT topk_agg(s, 20) FROM kinds, unnest(ARRAY[numbers]) s'), (18, 'SELECT topk_add(nothing, numbers) FROM kinds'), (19, 'SELECT hll_empty() || numbers FROM kinds'), (20, 'SELECT numbers || hll_empty()::bytea::topk FROM kinds'),
    (21, 'SELECT topk_add(texts, NULL::int) = texts FROM kinds'), (22, 'SELECT topk_add(texts, 7, 0) FROM kinds'), (23, 'SELECT topk_agg(x, 9) FROM (VALUES (''{1}''::int[]), (''{2}'')) q(x)')) q(n, statement) ORDER BY n;

-- ---------- functions that belong to aggregates ----------
SELECT _topk_step(topk_empty(), 1, 20);

-- ---------- text that is no sketch ----------
SELECT 'most frequent'::topk;
SELECT ''::topk;
SELECT '\x4'::topk;
SELECT 'some more data here'::topk;
SELECT hll_empty()::text::topk;

-- ---------- bytes that are no sketch ----------
-- one of each, by what is wrong with it
SELECT why, left(pg_temp.try(format('SELECT %L::topk', bytes)), 50) AS by_text, left(pg_temp.try(format('SELECT %L::bytea::topk', bytes)), 50) AS by_bytea FROM (VALUES
    (0, 'nothing: the, and, cat of 5, 3 and 1', '\x4101021409000309050302030203746865616e64636174'),
    (1, 'cut off', '\x4100'), (2, 'a hyperloglog', '\x1100000e'), (3, 'format version 2', '\x42000014'), (4, 'hash family 1', '\x41100014'), (5, 'encoding 2', '\x41020014'), (6, 'an aggregate''s state', '\x410f0014000000000000'),
    (7, 'values of kind 31', '\x41011f14010001030103746865'), (8, 'empty, with a kind', '\x41000114'), (9, 'items, without a kind', '\x41010014010001030103746865'), (10, 'k 0', '\x41000000'), (11, 'k 10001', '\x410000914e'),
    (12, 'a k longer than need be', '\x4100009400'), (13, 'bytes after its end', '\x4100001400'), (14, 'a total of 0', '\x4101021400000000'), (15, 'a total of 2^63', '\x4101021480808080808080808001000103ffffffffffffffffff7f03746865'),
    (16, 'an offset above total / 2049', '\x410102148010020000'), (17, '2049 items', '\x41010214ff7f00811000'), (18, 'records that end', '\x41010214010001040103746865'), (19, 'a text that ends', '\x41010214010001030104746865'),
    (20, 'a text of 4097 bytes', '\x410102140100018920018120' || repeat('61', 4097) || repeat('00', 8)), (21, 'records that go on', '\x4101021401000104010374686578'), (22, 'a count of 0', '\x4101021401000204010101016161'), (23, 'a count above the total', '\x41010214010001030203746865'),
    (24, 'counts below the total', '\x41010214020001030103746865'), (25, 'a tie in the wrong order', '\x4101021402000202010100016162'), (26, 'or this one', '\x4101021402000202010100016261'), (27, 'a value that is there twice', '\x4101021403000202020101016161'),
    (28, 'a zero byte', '\x41010214010001030103740065'), (29, 'half a character, in UTF-8', '\x410102140100010301037468c3'), (30, 'numbers: 7 without a hash', '\x4101011401000101010137'), (31, '07 needs one', '\x410101140100010201023037'),
    (32, 'a float without its hash', '\x4101051401000101010137'), (33, 'a float with a hash', '\x41010514010001090101370102030405060708'), (34, 'an error above the offset', '\x41010214811001010100030161'),
    (35, 'nothing: a text that is cut', '\x410102140100018920018120' || repeat('61', 4093) || '202e2e2e' || repeat('00', 8)), (36, 'cut behind 4097 bytes', '\x410102140100018d20018520' || repeat('61', 4097) || '202e2e2e' || repeat('00', 8)),
    (37, 'cut, and without its hash', '\x410102140100018120018120' || repeat('61', 4093) || '202e2e2e'), (38, 'cut within a character', '\x410102140100018920018120' || repeat('61', 4092) || 'c3202e2e2e' || repeat('00', 8)),
    (39, 'records without their signature', '\x410114'), (40, 'half of it', '\x410114aabb'), (41, 'nothing: a record', '\x410114aabbccdd140100010b01032831290102030405060708'), (42, 'a record of another type: no error', '\x410114aabbccde140100010b01032831290102030405060708')) q(n, why, bytes) ORDER BY n;
SELECT '\x42000014'::topk;
SELECT '\x42000014'::bytea::topk;
SELECT '\x4101021403000202020101016161'::topk;

-- ---------- cut off, extended, a bit changed ----------
CREATE TEMP TABLE good AS
SELECT n, name, s::bytea AS b FROM (
    SELECT 1 AS n, 'empty' AS name, topk_empty() AS s
    UNION ALL SELECT 2, 'one value', topk_add(topk_empty(), 'the')
    UNION ALL SELECT 3, 'numbers', topk_agg_weighted(i % 50, i, 20) FROM generate_series(1, 100) i
    UNION ALL SELECT 4, 'texts', topk_agg('value ' || i % 50, 20) FROM generate_series(1, 120) i
    UNION ALL SELECT 5, 'dates', topk_agg(date '2000-01-01' + i % 50, 20) FROM generate_series(1, 120) i
    UNION ALL SELECT 6, 'forgets', topk_agg(i * i % 7919, 1) FROM generate_series(1, 20000) i
    UNION ALL SELECT 7, 'records', topk_agg(ROW(i % 50, 'x'), 20) FROM generate_series(1, 120) i
    UNION ALL SELECT 8, 'cut', topk_agg(repeat('x', 5000 + i % 3), 20) FROM generate_series(1, 120) i) q;
CREATE FUNCTION pg_temp.accepted(b bytea) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    -- what is accepted is a sketch in every way
    PERFORM s || s, topk_info(s), (SELECT count(*) FROM topk_items(s)), s::text::topk FROM (SELECT b::topk AS s) q;
    IF b::topk::bytea <> b THEN
        RAISE 'another sketch than was given';
    END IF;
    RETURN true;
EXCEPTION WHEN invalid_binary_representation THEN
    RETURN false;
WHEN numeric_value_out_of_range THEN
    -- twice of a changed total is too much
    RETURN true;
END
$$;
SELECT n, name, length(b) > 1000 AS large, pg_temp.accepted(b) AS good, (SELECT count(*) FROM generate_series(0, least(length(b) - 1, 300)) len WHERE pg_temp.accepted(substring(b FROM 1 FOR len))) AS shorter,
    pg_temp.accepted(substring(b FROM 1 FOR length(b) - 1)) AS last_cut, (SELECT count(*) FROM generate_series(1, 20) more WHERE pg_temp.accepted(b || decode(repeat('00', more), 'hex'))) AS longer FROM good ORDER BY n;
SELECT n, name, count(*) > 20 AS flipped, count(*) FILTER (WHERE pg_temp.accepted(set_bit(b, bit, 1 - get_bit(b, bit)))) < count(*) AS some_refused FROM good, generate_series(0, least(8 * length(b) - 1, 4000)) bit GROUP BY n, name ORDER BY n;
