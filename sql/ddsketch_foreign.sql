-- Histograms of OpenTelemetry and Prometheus, in and out; sketches of DataDog, in
\set SHOW_CONTEXT never
\set answer `echo "${PROBDS_SRC:-.}/test/types/answer.sql"`
\i :answer

-- ---------- messages ----------
-- OpenTelemetry: count 7 (4), sum 30.5 (5), scale 0 (6), zero_count 1 (7), positive (8) offset 0 and counts 2, 0, 3, negative (9) offset -1 and 1, min -0.75 (12), max 7.5 (13)
\set otel '\\x210700000000000000290000000000803e4030003901000000000000004207080012030200034a05080112010161000000000000e8bf690000000000001e40'
SELECT * FROM ddsketch_buckets(ddsketch_from_opentelemetry(:'otel'));
SELECT ddsketch_count(s), ddsketch_min(s), ddsketch_max(s), ddsketch_info(s) FROM ddsketch_from_opentelemetry(:'otel') s;
-- without sum it goes out as it came in
SELECT ddsketch_to_opentelemetry(ddsketch_from_opentelemetry(:'otel')) = decode(replace(substr(:'otel', 3), '290000000000803e40', ''), 'hex') AS the_same;
-- counts that are not packed, and without min and max: the range is that of the buckets
SELECT * FROM ddsketch_buckets(ddsketch_from_opentelemetry('\x21030000000000000030004206080010021001'));
SELECT ddsketch_from_opentelemetry('') = ddsketch_empty(0.34) AS of_nothing;
-- Prometheus: count 7 (1), schema 0 (4), zero_count 1 (6), negative span (8) of offset 0 and length 1, deltas (9) 1, positive spans (11) 1 and 1, 1 and 1, deltas (12) 2, +1
SELECT * FROM ddsketch_buckets(ddsketch_from_prometheus('\x0807200030014204080010014a01025a04080210015a040802100162020402'));
SELECT ddsketch_to_prometheus(ddsketch_from_prometheus('\x0807200030014204080010014a01025a04080210015a040802100162020402'));
-- DataDog: a mapping (1) of gamma 3, positive (2) counts 2 and 1 from bin -1 on, negative (3) 3 in bin 0, 4 zeros (4)
\set datadog '\\x0a09090000000000000840121412100000000000000040000000000000f03f18011a0d0a0b0800110000000000000840210000000000001040'
-- in Go bin 0 is from 1 to 3 and counts as 1.5, in JavaScript from 1/3 to 1 and counts as 0.5
SELECT up, ddsketch_count(s), (ddsketch_info(s)).scale, b.* FROM unnest('{f,t}'::bool[]) up, ddsketch_from_datadog(:'datadog', up) s, LATERAL (SELECT array_agg(round(middle::numeric, 2) || ': ' || count) AS buckets FROM (SELECT (lower + upper) / 2 AS middle, count FROM ddsketch_buckets(s)) m) b;
-- the counts before the offset and one by one, an offset of all indexes, the same bin twice
SELECT ddsketch_from_datadog(:'datadog') = ddsketch_from_datadog('\x0a1209000000000000084011000000000000144012210a0b080811000000000000f03f11000000000000f03f11000000000000f03f18081a0d0a0b080a110000000000000840210000000000001040') AS same;
-- each estimate is DataDog's, 2 gamma^i / (gamma + 1), in the bucket: of bins -80 to 80 of gammas by the relative accuracy
SELECT accuracy, (ddsketch_info(s)).error * 10 <= accuracy AS a_tenth, count(*) AS bins, count(*) FILTER (WHERE estimate BETWEEN ddsketch_min(s) * (1 - 1e-12) AND ddsketch_max(s) * (1 + 1e-12)) AS within FROM (VALUES (0.5::float8), (0.1), (0.01), (0.001), (0.00001)) a(accuracy),
    LATERAL (SELECT (1 + accuracy) / (1 - accuracy) AS gamma) g, generate_series(-80, 80) i, LATERAL (SELECT 2 * gamma ^ i / (gamma + 1) AS estimate) e,
    LATERAL (SELECT string_agg(substr(float8send(gamma), n, 1), '' ORDER BY n DESC) AS bytes FROM generate_series(1, 8) n) b,
    LATERAL ddsketch_from_datadog('\x0a0909'::bytea || bytes || '\x120e0a0c08'::bytea || set_byte(set_byte('\x0000', 0, ((2 * i) # (i >> 31)) % 128 + 128), 1, ((2 * i) # (i >> 31)) / 128) || '\x110000000000000040'::bytea, true) s GROUP BY accuracy, a_tenth ORDER BY accuracy;

-- ---------- there and back, at all scales ----------
CREATE TEMP TABLE sketches AS
SELECT scale, ddsketch_from_prometheus(ddsketch_to_prometheus(s)) AS s FROM (VALUES (20, 3.31e-7), (19, 6.62e-7), (16, 5.29e-6), (12, 8.47e-5), (9, 6.77e-4), (8, 0.00136), (6, 0.00542), (3, 0.0433), (0, 0.334), (-1, 0.6), (-2, 0.883), (-3, 0.993)) p(scale, e),
    LATERAL (SELECT ddsketch_merge_agg(ddsketch_add_all(ddsketch_empty(e), a)) AS s FROM (VALUES (ARRAY[1, 1.00001, 1.0001, 1.001, 1.01, 1.5, 2, 3, 0, -1.0002, -1, 0]::float8[])) v(a)) q;
-- of what min and max cannot be told the buckets stay
SELECT count(*) AS sketches, bool_and((ddsketch_info(s)).scale = scale) AS scales, bool_and(ddsketch_from_prometheus(ddsketch_to_prometheus(s)) = s) AS prometheus FROM sketches;
SELECT count(*) AS sketches, bool_and(ddsketch_from_opentelemetry(ddsketch_to_opentelemetry(s)) = s) AS opentelemetry FROM sketches WHERE scale < 16;
SELECT scale, ddsketch_from_opentelemetry(ddsketch_to_opentelemetry(s)) = s AS same FROM (VALUES (20, 3.31e-7), (12, 8.47e-5)) p(scale, e), LATERAL (SELECT ddsketch_add_all(ddsketch_empty(e), ARRAY[1, 1.00001, 1.0001, 1.001, 1.01, -1.0002, -1, 0]::float8[]) AS s) q;
-- the same of many values, and min and max exact
SELECT e, ddsketch_from_opentelemetry(ddsketch_to_opentelemetry(s)) = s AS same, ddsketch_quantile(ddsketch_from_prometheus(ddsketch_to_prometheus(s)), 0.5) = ddsketch_quantile(s, 0.5) AS same_median
FROM (SELECT 0.00542 AS e, ddsketch_agg(i ^ 3 - 5000, 0.00542) AS s FROM generate_series(1, 5000) i UNION ALL SELECT 0.1, ddsketch_agg(i ^ 3 - 5000, 0.1) FROM generate_series(1, 5000) i) q;
-- a scale below those that a relative error leads to
SELECT (ddsketch_info(s)).scale, ddsketch_count(s), ddsketch_min(s), ddsketch_max(s) FROM ddsketch_from_opentelemetry('\x210200000000000000301342050800120102') s;
SELECT ddsketch_to_opentelemetry(ddsketch_empty()), ddsketch_to_prometheus(ddsketch_empty()), ddsketch_from_opentelemetry(ddsketch_to_opentelemetry(ddsketch_empty())) = ddsketch_empty() AS same;

-- ---------- what is refused ----------
SELECT what, pg_temp.answer(format('SELECT ddsketch_from_%s(%L)', system, bytes), true) FROM (VALUES
    (1, 'cut off', 'opentelemetry', '\x2107'), (2, 'a sketch', 'opentelemetry', ddsketch_add(ddsketch_empty(), 1)::bytea::text), (3, 'a sum that differs', 'opentelemetry', '\x21040000000000000030004206080010021001'),
    (5, 'scale 21', 'opentelemetry', '\x302a'), (6, 'an index', 'opentelemetry', '\x2101000000000000003000420708ffff3f120101'), (7, 'min elsewhere', 'opentelemetry', '\x210100000000000000300042050800120101610000000000000840'),
    (9, 'min above its bucket', 'opentelemetry', '\x210100000000000000300042050800120101610000000000001040'), (10, 'min NaN is none', 'opentelemetry', '\x21010000000000000030004205080012010161000000000000f87f'),
    (11, 'a span without counts', 'prometheus', '\x080720005a0408021001'), (12, 'counts without a span', 'prometheus', '\x0801200062020402'), (13, 'fractions', 'prometheus', '\x11000000000000f03f'), (14, 'a gap backwards', 'prometheus', '\x080220005a04080210015a040801100162020200'),
    (20, 'a fraction', 'datadog', '\x0a09090000000000000840210000000000000e40'), (21, 'a count below zero', 'datadog', '\x0a0909000000000000084012091100000000000010c0'), (22, 'no mapping', 'datadog', '\x210000000000001040'), (23, 'gamma 1', 'datadog', '\x0a0909000000000000f03f'),
    (24, 'cubic', 'datadog', '\x0a0b0900000000000008401803'), (25, 'half an index', 'datadog', '\x0a1209000000000000084011000000000000e03f'), (26, 'far', 'datadog', '\x0a09090000000000000840120f11000000000000004018feffffff0f'), (27, 'half a count', 'datadog', '\x0a0909000000000000084012041202ffff'), (28, 'NaN', 'datadog', '\x0a0909000000000000084021000000000000f87f'),
    (16, 'below zero', 'prometheus', '\x080120005a0408021001620101'), (17, 'a schema', 'prometheus', '\x202a'), (18, 'a long span', 'prometheus', '\x080120005a08080210ffffffff0f620102')
) v(n, what, system, bytes) ORDER BY n;
SELECT what, pg_temp.answer(format('SELECT ddsketch_to_opentelemetry(%s)', sketch), true) FROM (VALUES (1, 'infinity', $$ddsketch_add(ddsketch_empty(), 'Infinity'::float8)$$), (2, 'intervals', $$ddsketch_add(ddsketch_empty(), interval '1 s')$$),
    (3, 'far from each other', $$ddsketch_add_all(ddsketch_empty(0.0001), ARRAY[1e-300, 1e300])$$)) v(n, what, sketch) ORDER BY n;
