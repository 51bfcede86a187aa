-- Every kind of bad input, with its message and its SQLSTATE
\set try `echo "${PROBDS_SRC:-.}/test/types/try.sql"`
\set ECHO none
\i :try
\set ECHO all

-- ---------- capacity, rate, layout ----------
SELECT bloom_empty(0);
SELECT bloom_empty(100, 0);
SELECT bloom_empty(100, 5);
SELECT bloom_empty(100, 'NaN');
SELECT bloom_empty(100, 0.01, 'round');
SELECT bloom_empty(1000000000);
SELECT bloom_size(9223372036854775807, 0.001, 'classic');
SELECT bloom_agg(i, 0) FROM generate_series(1, 3) i;
SELECT bloom_agg(i, 100, 1) FROM generate_series(1, 3) i;
SELECT bloom_agg(i, NULL) FROM generate_series(1, 3) i;
SELECT bloom_agg(i, i) FROM generate_series(1, 3) i;
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT bloom_empty(0)'), (2, 'SELECT bloom_empty(-1)'), (3, 'SELECT bloom_empty(1)'), (4, 'SELECT bloom_empty(NULL)'), (5, 'SELECT bloom_empty(''-9223372036854775808'')'),
    (6, 'SELECT bloom_empty(9223372036854775807)'), (7, 'SELECT bloom_empty(1.5)'), (8, 'SELECT bloom_empty(''many'')'),
    (9, 'SELECT bloom_empty(9, 0)'), (10, 'SELECT bloom_empty(9, 1)'), (11, 'SELECT bloom_empty(9, -0.01)'), (12, 'SELECT bloom_empty(9, 1.5)'), (13, 'SELECT bloom_empty(9, ''NaN'')'),
    (14, 'SELECT bloom_empty(9, ''Infinity'')'), (15, 'SELECT bloom_empty(9, ''-Infinity'')'), (16, 'SELECT bloom_empty(9, 1e-10)'), (17, 'SELECT bloom_empty(9, 1e-300)'),
    (18, 'SELECT (bloom_info(bloom_empty(9, 1e-9))).promised_rate'), (19, 'SELECT (bloom_info(bloom_empty(9, 0.9999999999))).promised_rate'), (20, 'SELECT bloom_empty(9, NULL)'),
    (21, 'SELECT bloom_empty(9, 0.1, ''Blocked'')'), (22, 'SELECT bloom_empty(9, 0.1, '''')'), (23, 'SELECT bloom_empty(9, 0.1, NULL)'), (24, 'SELECT bloom_empty(9, 0.1, repeat(''blocked'', 100000))'),
    (25, 'SELECT bloom_size(0)'), (26, 'SELECT bloom_size(9, 0)'), (27, 'SELECT bloom_size(9, 0.1, ''x'')'),
    (28, 'SELECT bloom_agg(1, 0)'), (29, 'SELECT bloom_agg(1, -1)'), (30, 'SELECT bloom_agg(NULL::int, 0)'), (31, 'SELECT bloom_agg(1, 9, 0)'), (32, 'SELECT bloom_agg(1, 9, ''NaN'')'),
    (33, 'SELECT bloom_agg(1, 9, 0.1, ''x'')'), (34, 'SELECT bloom_agg(1, NULL)'), (35, 'SELECT bloom_agg(1, 9, NULL)'), (36, 'SELECT bloom_agg(1, 9, 0.1, NULL)'), (37, 'SELECT bloom_agg(NULL::int, NULL)'),
    (38, 'SELECT bloom_agg(1, 0) WHERE false'), (39, 'SELECT bloom_agg(i, 10 + i) FROM generate_series(1, 3) i'), (40, 'SELECT bloom_agg(NULL::int, 10 + i) FROM generate_series(1, 3) i'),
    (41, 'SELECT bloom_agg(i, nullif(12, 10 + i)) FROM generate_series(1, 3) i'), (42, 'SELECT bloom_agg(i, 9, 0.1 / i) FROM generate_series(1, 3) i'),
    (43, 'SELECT bloom_agg(i, 9, 0.1, (ARRAY[''blocked'', ''classic''])[i]) FROM generate_series(1, 2) i'), (44, 'SELECT bloom_agg(1, 9000000000)')) q(n, statement) ORDER BY n;

-- the largest at some rates, and one more; what would fit, it says
CREATE FUNCTION pg_temp.largest(rate float8, layout text, OUT capacity bigint, OUT bytes bigint, OUT one_more text) LANGUAGE plpgsql AS $$
DECLARE
    detail text;
BEGIN
    BEGIN
        PERFORM bloom_size(9223372036854775807, rate, layout);
    EXCEPTION WHEN program_limit_exceeded THEN
        GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
        capacity := substring(detail FROM 'up to (\d+) values');
    END;
    SELECT s.bytes INTO bytes FROM bloom_size(capacity, rate, layout) s;
    -- one more does not fit, except where capacities of one size are many
    BEGIN
        PERFORM bloom_empty(capacity, rate, layout), bloom_empty(capacity + 1, rate, layout);
        one_more := 'accepted';
    EXCEPTION WHEN OTHERS THEN
        one_more := SQLSTATE;
    END;
END
$$;
SELECT rate, layout, l.* FROM unnest(ARRAY[0.1, 0.01, 0.001]) rate, unnest(ARRAY['blocked', 'classic']) layout, pg_temp.largest(rate, layout) l ORDER BY 1, 2;

-- ---------- what does not go together ----------
SELECT bloom_agg(i, 1000) || bloom_agg(i, 2000) FROM generate_series(1, 3) i;
SELECT bloom_agg(i, 1000) & bloom_agg(i, 1000, 0.001) FROM generate_series(1, 3) i;
SELECT bloom_agg(i, 1000) || bloom_agg(i, 1000, 0.01, 'classic') FROM generate_series(1, 3) i;
SELECT bloom_merge_agg(f) FROM (VALUES (bloom_empty(100)), (bloom_empty(1000000, 0.001))) q(f);
SELECT bloom_intersect_agg(f) FROM (VALUES (bloom_empty(100)), (bloom_empty(200))) q(f);
-- what an aggregate without a capacity makes is of the size of what it saw
SELECT bloom_merge_agg(f) FROM (SELECT bloom_agg(i) AS f FROM generate_series(1, 1000) i GROUP BY i > 100) q;

CREATE TEMP TABLE kinds AS
SELECT bloom_agg(i, 100) AS numbers, bloom_agg(i::text, 100) AS texts, bloom_agg(md5(i::text)::uuid, 100) AS uuids, bloom_empty(100) AS nothing, bloom_agg(i, 5) AS crowded
FROM generate_series(1, 10) i;
SELECT numbers || texts FROM kinds;
SELECT numbers & texts FROM kinds;
SELECT bloom_merge_agg(f) FROM kinds, unnest(ARRAY[nothing, uuids, texts]) f;
SELECT bloom_intersect_agg(f) FROM kinds, unnest(ARRAY[uuids, texts]) f;
SELECT bloom_add(numbers, (SELECT 'seven'::text)) FROM kinds;
SELECT bloom_add(crowded, (SELECT 'seven'::text)) FROM kinds;
SELECT bloom_add_all(texts, ARRAY[1, 2]) FROM kinds;
SELECT bloom_add(texts, ARRAY['seven']) FROM kinds;
SELECT bloom_add(numbers, 'seven') FROM kinds;
SELECT bloom_add(crowded, 'seven') FROM kinds;
SELECT bloom_add(numbers, '{"a": 1}'::json) FROM kinds;
SELECT bloom_agg('(1,2)'::point, 100);
SELECT bloom_agg('{}'::json);
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT numbers || texts FROM kinds'), (2, 'SELECT bloom_merge(texts, numbers) FROM kinds'), (3, 'SELECT bloom_intersect(texts, numbers) FROM kinds'),
    (4, 'SELECT bloom_merge_agg(f) FROM kinds, unnest(ARRAY[numbers, texts]) f'), (5, 'SELECT bloom_intersect_agg(f) FROM kinds, unnest(ARRAY[numbers, texts]) f'),
    (6, 'SELECT bloom_add(numbers, (SELECT ''7''::text)) FROM kinds'), (7, 'SELECT bloom_add(texts, 7) FROM kinds'), (8, 'SELECT bloom_add(numbers, 7.0::float8) FROM kinds'),
    (9, 'SELECT bloom_add(numbers, 7.0) = bloom_add(numbers, 7::smallint) FROM kinds'), (10, 'SELECT bloom_add(numbers, ''7'') = numbers FROM kinds'),
    (11, 'SELECT bloom_add_all(texts, ARRAY[1]) FROM kinds'), (12, 'SELECT bloom_add_all(texts, ARRAY[]::int[]) = texts FROM kinds'),
    (13, 'SELECT nothing || texts = texts FROM kinds'), (14, 'SELECT nothing & texts = nothing FROM kinds'), (15, 'SELECT texts & nothing = nothing FROM kinds'),
    (16, 'SELECT numbers = texts FROM kinds'), (17, 'SELECT bloom_add(nothing, ''1''::json) FROM kinds'), (18, 'SELECT numbers || crowded FROM kinds'),
    (19, 'SELECT bloom_agg(f, 100) FROM kinds, unnest(ARRAY[numbers]) f'), (20, 'SELECT bloom_add(nothing, numbers) FROM kinds'), (21, 'SELECT hll_empty() || numbers FROM kinds'),
    (22, 'SELECT numbers || hll_empty()::bytea::bloom FROM kinds'), (23, 'SELECT bloom_add(crowded, true) FROM kinds'), (24, 'SELECT bloom_add(crowded, NULL::text) = crowded FROM kinds'))
    q(n, statement) ORDER BY n;

-- ---------- text that is no filter ----------
SELECT 'blocked hosts'::bloom;
SELECT ''::bloom;
SELECT '\x2'::bloom;
SELECT 'some more data here'::bloom;
SELECT hll_empty()::text::bloom;

-- ---------- bytes that are no filter ----------
-- one of each, by what is wrong with it
SELECT why, pg_temp.try(format('SELECT %L::bloom', bytes)) AS by_text, pg_temp.try(format('SELECT %L::bytea::bloom', bytes)) AS by_bytea FROM (VALUES
    (0, 'nothing: a filter for 100 values at 1 %, empty', '\x210000850364'),
    (1, 'cut off', '\x2100'), (2, 'a hyperloglog', '\x1100000e'), (3, 'format version 2', '\x220000850364'), (4, 'hash family 2', '\x212000850364'), (5, 'encoding 3', '\x210301850364'),
    (6, 'an aggregate''s state', '\x210f01850364000000000000'), (7, 'values of kind 24', '\x210118850364'), (8, 'empty, with a kind', '\x210001850364'), (9, 'a list, without a kind', '\x210100850364010100'),
    (10, 'no rate, and no size', '\x210000000064'), (11, 'a rate of code 8101', '\x210000a51f64'), (12, 'no capacity, and no size', '\x210000850300'),
    (13, 'a capacity longer than need be', '\x2100008503e400'), (14, 'a capacity of 2^63', '\x210000850380808080808080808001'), (15, 'a capacity of 2^64', '\x210000850380808080808080808002'),
    (16, 'a size that the rate does not tell', '\x2100008503904e'), (17, 'a size that the rate would tell', '\x210000858364070f'), (18, 'no hashes', '\x210000858364000f'),
    (19, '41 hashes', '\x210000858364290f'), (20, 'no bits', '\x2100008583640700'), (21, 'too many bits', '\x21000085836407c0ffffffff7f'), (22, 'half a block', '\x210000858364074c'),
    (23, 'bytes after its end', '\x21000085036400'), (24, 'a list of no bits', '\x210101850364000100'), (25, 'a list that should be an array', '\x2101018503647901ff'),
    (26, 'a list in two cells of one', '\x210101850364050200'), (27, 'a list that ends', '\x2101018503640501'), (28, 'an array that ends', '\x210201850364ffff'),
    (29, 'an array that should be a list', '\x21020185030a01000000000000000000000000000000'),
    (30, 'an array of 128 bits, all set', '\x21020185030affffffffffffffffffffffffffffffff'), (31, 'and one byte more', '\x21020185030affffffffffffffffffffffffffffffff00')
) q(n, why, bytes) ORDER BY n;
SELECT '\x220000850364'::bloom;
SELECT '\x220000850364'::bytea::bloom;

-- ---------- cut off, extended, a bit changed ----------
-- One filter of each encoding, layout, and way to say its size
CREATE TEMP TABLE good AS
SELECT n, name, f::bytea AS b FROM (
    SELECT 1 AS n, 'empty' AS name, bloom_empty(100) AS f
    UNION ALL SELECT 2, 'empty, explicit', bloom_empty(10000)
    UNION ALL SELECT 3, 'one value', bloom_add(bloom_empty(10000), 1)
    UNION ALL SELECT 4, 'list of one cell', bloom_agg(i, 100) FROM generate_series(1, 12) i
    UNION ALL SELECT 5, 'list of blocks', bloom_agg(i, 2000) FROM generate_series(1, 60) i
    UNION ALL SELECT 6, 'list, classic', bloom_agg(i, 2000, 0.01, 'classic') FROM generate_series(1, 60) i
    UNION ALL SELECT 7, 'list with directory', bloom_agg(i, 10000, 0.1) FROM generate_series(1, 250) i
    UNION ALL SELECT 8, 'array', bloom_agg(i, 50) FROM generate_series(1, 50) i
    UNION ALL SELECT 9, 'array, classic', bloom_agg(i, 50, 0.01, 'classic') FROM generate_series(1, 50) i
    UNION ALL SELECT 10, 'array of blocks', bloom_agg(i, 500, 0.001) FROM generate_series(1, 300) i) q;
SELECT n, name, i.encoding, i.bytes, i.bits FROM good, bloom_info(b::bloom) i ORDER BY n;

SELECT * FROM pg_temp.damage('bloom', 'bloom_cardinality(s) >= 0 AND s || s = s AND s & s = s AND bloom_false_positive_rate(s) BETWEEN 0 AND 1', 3, 7);

-- every sentence that explains why
SELECT * FROM pg_temp.every_why('bloom', ARRAY['\x21020185030a01000000000000000000000000000000'::bytea]);

-- ---------- type modifiers ----------
SELECT NULL::bloom();
SELECT NULL::bloom(1, 2, 3, 4);
SELECT NULL::bloom('many');
SELECT NULL::bloom(100, 'few');
SELECT NULL::bloom(0);
SELECT NULL::bloom(100, 1);
SELECT NULL::bloom(100, 0.01, 'round');
SELECT NULL::bloom(12345);
SELECT NULL::bloom(2000000000);
CREATE TEMP TABLE modified (f bloom(200));
INSERT INTO modified SELECT bloom_agg(i, 100) FROM generate_series(1, 3) i;
INSERT INTO modified VALUES ('IQAAhQNk');
SELECT statement, pg_temp.try(statement) FROM (VALUES
    (1, 'SELECT NULL::bloom(1, 2, 3, 4)'), (2, 'SELECT NULL::bloom(x)'), (3, 'SELECT NULL::bloom(9, ''x'')'), (4, 'SELECT NULL::bloom(0)'), (5, 'SELECT NULL::bloom(-1)'), (6, 'SELECT NULL::bloom(9, 0)'),
    (7, 'SELECT NULL::bloom(9, 2)'), (8, 'SELECT NULL::bloom(9, ''NaN'')'), (9, 'SELECT NULL::bloom(9, 0.1, x)'), (10, 'SELECT NULL::bloom(12345)'), (11, 'SELECT NULL::bloom(123400)'),
    (12, 'SELECT NULL::bloom(2000000000)'), (13, 'SELECT NULL::bloom(100000000000000000000)'), (14, 'SELECT ''IQAAhQNk''::bloom(200)'), (15, 'SELECT bloom_add(bloom_empty(100), 1)::bloom(200)'),
    (16, 'INSERT INTO modified VALUES (''IQAAhQNk'') RETURNING f'), (17, 'INSERT INTO modified SELECT bloom_agg(1, 100) RETURNING f'), (18, 'INSERT INTO modified SELECT bloom_agg(1, 200) RETURNING bloom_cardinality(f)')
) q(n, statement) ORDER BY n;

-- ---------- functions that belong to aggregates ----------
SELECT _bloom_step(bloom_empty(9), 1);
