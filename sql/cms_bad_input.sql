-- Every kind of bad input, with its message and its SQLSTATE
\set try `echo "${PROBDS_SRC:-.}/test/types/try.sql"`
\set ECHO none
\i :try
\set ECHO all

-- ---------- epsilon, delta ----------
SELECT cms_empty(0);
SELECT cms_empty(0.1, 1);
SELECT cms_empty('NaN');
SELECT cms_empty(1e-9, 1e-9);
SELECT cms_agg(i, 0, 0.1) FROM generate_series(1, 3) i;
SELECT cms_agg(i, NULL, 0.1) FROM generate_series(1, 3) i;
SELECT cms_agg(i, 0.1 / i, 0.1) FROM generate_series(1, 3) i;
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT cms_empty(0)'), (2, 'SELECT cms_empty(1)'), (3, 'SELECT cms_empty(-0.1)'), (4, 'SELECT cms_empty(1.5)'), (5, 'SELECT cms_empty(''NaN'')'), (6, 'SELECT cms_empty(''Infinity'')'), (7, 'SELECT cms_empty(''-Infinity'')'),
    (8, 'SELECT cms_empty(1e-10, 0.9)'), (9, 'SELECT cms_empty(1e-300)'), (10, 'SELECT cms_empty(0.1, 0)'), (11, 'SELECT cms_empty(0.1, 1)'), (12, 'SELECT cms_empty(0.1, -1)'), (13, 'SELECT cms_empty(0.1, ''NaN'')'), (14, 'SELECT cms_empty(0.1, 1e-10)'),
    (15, 'SELECT cms_empty(0.99999999, 0.99999999)'), (16, 'SELECT cms_empty(NULL)'), (17, 'SELECT cms_empty(0.1, NULL)'), (18, 'SELECT cms_empty(1e-9, 0.5)'), (19, 'SELECT (cms_info(cms_empty(2.03e-8, 0.5))).width'), (20, 'SELECT cms_empty(2.02e-8, 0.5)'),
    (21, 'SELECT cms_agg(1, 0, 0.1)'), (22, 'SELECT cms_agg(1, 0.1, 0)'), (23, 'SELECT cms_agg_weighted(1, 5, 0.1, 1)'), (24, 'SELECT cms_agg(NULL::int, 0, 0.1)'), (25, 'SELECT cms_agg(1, 0.1, NULL)'), (26, 'SELECT cms_agg_weighted(1, 1, NULL, 0.1)'), (27, 'SELECT cms_agg(NULL::int, NULL, 0.1)'),
    (28, 'SELECT cms_agg(i, 0.1, 0.1 * i) FROM generate_series(1, 3) i'), (29, 'SELECT cms_agg(NULL::int, 0.1, 0.1 * i) FROM generate_series(1, 3) i'), (30, 'SELECT cms_agg_weighted(i, 1, 0.1 * i, 0.1) FROM generate_series(1, 3) i'), (31, 'SELECT cms_agg(1, 0, 0) WHERE false'),
    (32, 'SELECT cms_agg(1, 1e-8, 0.01)'), (33, 'SELECT cms_agg_conservative(1, 0, 0.1)'), (34, 'SELECT cms_agg_weighted(1, 1.5)'), (35, 'SELECT cms_agg_weighted(1, ''many'')'), (36, 'SELECT cms_add(cms_empty(), 1, 1.5)'), (37, 'SELECT cms_add(cms_empty(), 1, ''x'')')) q(n, statement) ORDER BY n;
-- the smallest epsilon that it says there is, and the next smaller one
DO $$
DECLARE
    delta float8;
    detail text;
    smallest text;
BEGIN
    FOREACH delta IN ARRAY ARRAY[0.9, 0.1, 0.01, 1e-9] LOOP
        BEGIN
            PERFORM cms_empty(1e-9, delta);
        EXCEPTION WHEN program_limit_exceeded THEN
            GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
            smallest := substring(detail FROM 'smallest epsilon is (.*)\.$');
        END;
        PERFORM cms_empty(smallest::float8, delta);
        BEGIN
            PERFORM cms_empty(smallest::float8 * 0.995, delta);
            RAISE WARNING 'not the smallest one: %', smallest;
        EXCEPTION WHEN program_limit_exceeded THEN
            RAISE NOTICE 'delta %: %', delta, smallest;
        END;
    END LOOP;
END
$$;

-- ---------- weights ----------
SELECT cms_add(cms_empty(), 1, -1);
SELECT cms_add(cms_add(cms_empty(), 1, 9223372036854775807), 2);
SELECT cms_agg_weighted(1, w) FROM unnest(ARRAY[1, -2]) w;
SELECT cms_agg_weighted(1, 9223372036854775807) FROM generate_series(1, 2);
SELECT cms_add(cms_empty(), 1, 9223372036854775807) || cms_add(cms_empty(), 1);
SELECT cms_subtract(cms_agg(i), cms_agg_weighted(i, 2)) FROM generate_series(1, 3) i;
SELECT cms_subtract(cms_agg_weighted(i, 2), cms_agg(i + 1)) FROM generate_series(1, 3) i;
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT cms_add(cms_empty(), 1, -9223372036854775808)'), (2, 'SELECT cms_add(cms_add(cms_empty(), 1, 9223372036854775807), 1, -9223372036854775808)'), (3, 'SELECT cms_add(cms_add(cms_empty(), 1, 9223372036854775807), 1, -9223372036854775807) = cms_empty()'),
    (4, 'SELECT cms_add(cms_add(cms_empty(), 1, 9223372036854775806), 1) -> 1'), (5, 'SELECT cms_add(cms_add(cms_empty(), 1, 9223372036854775806), 2, 2)'), (6, 'SELECT cms_add(cms_add(cms_empty(), 1), 2, -1)'), (7, 'SELECT cms_add(cms_add(cms_empty(0.999, 0.5), 1), 2, -1)'),
    (8, 'SELECT cms_agg_weighted(i, -1) FROM generate_series(1, 3) i'), (9, 'SELECT cms_agg_weighted(i, -9223372036854775808) FROM generate_series(1, 3) i'), (10, 'SELECT cms_agg_weighted(i, 5000000000000000000) FROM generate_series(1, 2) i'), (11, 'SELECT cms_total(cms_agg_weighted(i, 4611686018427387903)) FROM generate_series(1, 2) i'),
    (12, 'SELECT cms_merge_agg(c) FROM (SELECT cms_agg_weighted(i, 5000000000000000000) AS c FROM generate_series(1, 2) i GROUP BY i) q'), (13, 'SELECT cms_agg_conservative_weighted(i, 5000000000000000000) FROM generate_series(1, 2) i'), (14, 'SELECT cms_add_all(cms_add(cms_empty(), 1, 9223372036854775806), ARRAY[1, 2])'),
    (15, 'SELECT cms_subtract(cms_empty(), cms_add(cms_empty(), 1))'), (16, 'SELECT cms_subtract(cms_empty(), cms_empty()) = cms_empty()'), (17, 'SELECT cms_subtract(cms_agg_weighted(i, 1000000), cms_agg_weighted(i + 20000, 1)) FROM generate_series(1, 20000) i'),
    (18, 'SELECT cms_total(cms_subtract(cms_agg_weighted(i, 1000000), cms_agg_weighted(i, 999999))) FROM generate_series(1, 20000) i')) q(n, statement) ORDER BY n;

-- ---------- what does not go together ----------
SELECT cms_agg(i) || cms_agg(i, 0.002, 0.01) FROM generate_series(1, 3) i;
SELECT cms_merge_agg(c) FROM (VALUES (cms_empty()), (cms_empty(0.001, 0.02))) q(c);
CREATE TEMP TABLE kinds AS SELECT cms_agg(i) AS numbers, cms_agg(i::text) AS texts, cms_agg(md5(i::text)::uuid) AS uuids, cms_empty() AS nothing FROM generate_series(1, 10) i;
SELECT numbers || texts FROM kinds;
SELECT cms_subtract(numbers, texts) FROM kinds;
SELECT cms_inner_product(numbers, texts) FROM kinds;
SELECT cms_merge_agg(c) FROM kinds, unnest(ARRAY[nothing, uuids, texts]) c;
SELECT cms_add(numbers, (SELECT 'seven'::text)) FROM kinds;
SELECT cms_add(numbers, 'seven') FROM kinds;
SELECT texts -> 7 FROM kinds;
SELECT numbers -> 'seven' FROM kinds;
SELECT cms_frequencies(texts, ARRAY[1, 2]) FROM kinds;
SELECT cms_add_all(texts, ARRAY[1, 2]) FROM kinds;
SELECT cms_add(numbers, '{"a": 1}'::json) FROM kinds;
SELECT cms_agg('(1,2)'::point);
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT numbers || texts FROM kinds'), (2, 'SELECT cms_merge(texts, numbers) FROM kinds'), (3, 'SELECT cms_subtract(numbers, texts) FROM kinds'), (4, 'SELECT cms_inner_product(numbers, uuids) FROM kinds'), (5, 'SELECT cms_merge_agg(c) FROM kinds, unnest(ARRAY[numbers, texts]) c'),
    (6, 'SELECT cms_add(numbers, (SELECT ''7''::text)) FROM kinds'), (7, 'SELECT numbers -> 7.5::float8 FROM kinds'), (8, 'SELECT numbers -> 7.0 FROM kinds'), (9, 'SELECT numbers -> ''7'' FROM kinds'), (10, 'SELECT cms_bounds(texts, 7) FROM kinds'),
    (11, 'SELECT cms_frequencies(texts, ARRAY[]::int[]) FROM kinds'), (12, 'SELECT cms_add_all(texts, ARRAY[]::int[]) = texts FROM kinds'), (13, 'SELECT nothing || texts = texts FROM kinds'), (14, 'SELECT nothing -> ''x''::text FROM kinds'),
    (15, 'SELECT cms_inner_product(nothing, texts) FROM kinds'), (16, 'SELECT numbers = texts FROM kinds'), (17, 'SELECT cms_agg(c) FROM kinds, unnest(ARRAY[numbers]) c'), (18, 'SELECT cms_add(nothing, numbers) FROM kinds'), (19, 'SELECT hll_empty() || numbers FROM kinds'),
    (20, 'SELECT numbers || hll_empty()::bytea::cms FROM kinds'), (21, 'SELECT cms_inner_product(numbers, cms_agg(i, 0.1, 0.1)) FROM kinds, generate_series(1, 3) i GROUP BY numbers'), (22, 'SELECT numbers -> NULL::text FROM kinds'), (23, 'SELECT _cms_step(numbers, 1) FROM kinds'),
    (24, 'SELECT _cms_inverse_step(numbers, 1) FROM kinds'), (25, 'SELECT _cms_final(numbers) FROM kinds')) q(n, statement) ORDER BY n;
-- a kind may follow another where the first has gone
SELECT cms_add(cms_add(cms_add(cms_empty(), 1), 1, -1), 'x'::text) -> 'x'::text AS f;

-- ---------- text that is no sketch ----------
SELECT 'page counts'::cms;
SELECT ''::cms;
SELECT '\x3'::cms;
SELECT hll_empty()::text::cms;

-- ---------- bytes that are no sketch ----------
-- one of each, by what is wrong with it: of 3 counters in 1 row (epsilon 0.999, delta 0.999: 84 03), and 6 (0.5, 0.5: 91 01)
SELECT why, pg_temp.try(format('SELECT %L::cms', bytes)) AS by_text, pg_temp.try(format('SELECT %L::bytea::cms', bytes)) AS by_bytea FROM (VALUES
    (0, 'nothing: an empty one', '\x31000000018403840303000000'), (1, 'cut off', '\x3100000001840384030300'), (2, 'a hyperloglog', '\x1100000e'), (3, 'format version 2', '\x32000000018403840303000000'),
    (4, 'hash family 1', '\x31100000018403840303000000'), (5, 'encoding 6', '\x310601000184038403030000000100000000000000010000'), (6, 'an aggregate''s state', '\x310f01000184038403030000000100000000000000010000'), (7, 'values of kind 25', '\x310219000184038403030000000100000000000000010000'),
    (8, 'empty, with a kind', '\x31000100018403840303000000'), (9, 'not empty, without a kind', '\x310200000184038403030000000300000000000000010101'), (10, 'flag 2', '\x31000002018403840303000000'), (11, 'epsilon of code 0', '\x31000000010000840303000000'), (12, 'delta of code 8101', '\x31000000018403a51f03000000'),
    (13, 'another width', '\x31000000018403840304000000'), (14, 'another depth', '\x31000000028403840303000000'), (15, 'too wide', '\x3100000001211c840300000000'), (16, 'bytes after its end', '\x3100000001840384030300000000'),
    (17, 'a total of 0', '\x310201000184038403030000000000000000000000010101'), (18, 'a total of 2^63', '\x310201000184038403030000000000000000000080010101'), (19, 'without a total', '\x3102010001840384030300000003000000'),
    (20, 'dense, right', '\x310201000184038403030000000300000000000000010101'), (21, 'dense, of another sum', '\x310201000184038403030000000400000000000000010101'), (22, 'dense, too short', '\x3102010001840384030300000003000000000000000102'), (23, 'dense, too long', '\x31020100018403840303000000030000000000000001010100'),
    (24, 'dense, that would be a list', '\x310201000184038403030000000300000000000000030000'), (25, 'wider than need be', '\x310301000184038403030000000300000000000000010001000100'),
    (26, 'a list, right', '\x310101000184038403030000000100000000000000010005'), (27, 'a list of none', '\x310101000184038403030000000100000000000000000005'), (28, 'a list that should be dense', '\x310101000184038403030000000100000000000000020005'), (29, 'a list that ends', '\x310101000184038403030000000100000000000000'),
    (30, 'an order of 63', '\x310101000184038403030000000100000000000000013f05'), (31, 'another order', '\x310101000184038403030000000100000000000000010105'), (32, 'bytes after a list', '\x31010100018403840303000000010000000000000001000500'), (33, 'a longer number than need be', '\x31010100018403840303000000010000000000000081000005'), (34, 'a list of a counter beyond the end', '\x310101000184038403030000000100000000000000010030'), (35, 'a list of another sum', '\x310101000184038403030000000100000000000000010009')) q(n, why, bytes) ORDER BY n;
SELECT '\x32000000018403840303000000'::cms;
SELECT '\x32000000018403840303000000'::bytea::cms;

-- ---------- cut off, extended, a bit changed ----------
-- One sketch of each encoding
CREATE TEMP TABLE good AS
SELECT n, name, c::bytea AS b FROM (
    SELECT 1 AS n, 'empty' AS name, cms_empty() AS c
    UNION ALL SELECT 2, 'empty, conservative', cms_empty(0.1, 0.1, true)
    UNION ALL SELECT 3, 'one value', cms_add(cms_empty(), 1)
    UNION ALL SELECT 4, 'list', cms_agg_weighted(i, 1 << i, 0.01, 0.01) FROM generate_series(1, 12) i
    UNION ALL SELECT 5, 'list with directory', cms_agg_weighted(i, i * i) FROM generate_series(1, 250) i
    UNION ALL SELECT 6, '1 byte', cms_agg(i % 50, 0.05, 0.1) FROM generate_series(1, 500) i
    UNION ALL SELECT 7, '2 bytes', cms_agg_weighted(i, 300, 0.05, 0.1) FROM generate_series(1, 500) i
    UNION ALL SELECT 8, '4 bytes', cms_agg_weighted(i, 300000, 0.05, 0.1) FROM generate_series(1, 500) i
    UNION ALL SELECT 9, '8 bytes', cms_agg_weighted(i, 30000000000, 0.05, 0.1) FROM generate_series(1, 500) i
    UNION ALL SELECT 10, 'conservative list', cms_agg_conservative(i % 7, 0.05, 0.1) FROM generate_series(1, 50) i
    UNION ALL SELECT 11, 'conservative, dense', cms_agg_conservative(i, 0.05, 0.1) FROM generate_series(1, 500) i) q;
SELECT n, name, i.encoding, i.counter_bytes, i.bytes, i.width, i.depth FROM good, cms_info(b::cms) i ORDER BY n;

-- A changed bit of a counter is found, as all rows sum to the total; but for those of a conservative one
SELECT * FROM pg_temp.damage('cms', 'cms_total(s) >= 0 AND cms_merge(s, NULL) = s AND s || cms_empty((cms_info(s)).epsilon, (cms_info(s)).delta, (cms_info(s)).conservative) = s AND ((cms_info(s)).fill > 1) IS NOT TRUE', 3, 7);

-- every sentence that explains why
SELECT * FROM pg_temp.every_why('cms', ARRAY['\x310201000184038403030000000300000000000000030000', '\x310301000184038403030000000300000000000000010001000100', '\x310101000184038403030000000300000000000000030005']::bytea[]);

-- ---------- type modifiers ----------
SELECT NULL::cms();
SELECT NULL::cms(1, 2, 3);
SELECT NULL::cms('many');
SELECT NULL::cms(0);
SELECT NULL::cms(0.1, 1);
SELECT NULL::cms(1e-9);
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT NULL::cms(1, 2, 3)'), (2, 'SELECT NULL::cms(x)'), (3, 'SELECT NULL::cms(0.1, ''x'')'), (4, 'SELECT NULL::cms(0)'), (5, 'SELECT NULL::cms(-1)'), (6, 'SELECT NULL::cms(0.1, 2)'), (7, 'SELECT NULL::cms(''NaN'')'),
    (8, 'SELECT NULL::cms(0.1, ''NaN'')'), (9, 'SELECT NULL::cms(1e-9)'), (10, 'SELECT NULL::cms(1e400)'), (11, 'SELECT ''MQAAAAUJB4UDnwoAAA==''::cms(0.5)'), (12, 'SELECT cms_add(cms_empty(), 1)::cms(0.5)'),
    (13, 'SELECT cms_typmod_out(-1)'), (14, 'SELECT cms_typmod_out(0)'), (15, 'SELECT cms_typmod_out(2147483647)'), (16, 'SELECT cms_typmod_in(''{}''::cstring[])'), (17, 'SELECT cms_typmod_in(''{0.1,NULL}''::cstring[])'), (18, 'SELECT cms(cms_empty(), 12345, true)'),
    (19, 'SELECT cms(cms_empty(), -1, true) = cms_empty()')) q(n, statement) ORDER BY n;

-- the place of a weight is an aggregate of its own
SELECT cms_agg(i, 10) FROM generate_series(1, 3) i;
SELECT cms_agg(i, i) FROM generate_series(1, 3) i;
SELECT approx_top_k(i, i) FROM generate_series(1, 3) i;
SELECT topk_agg(i, 100000) FROM generate_series(1, 3) i;
SELECT bloom_size(0.01, 1000000);
SELECT bloom_agg(i, 0.01) FROM generate_series(1, 3) i;
