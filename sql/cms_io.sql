-- Text, bytea, binary COPY, and what is made of them

-- one line of base64
SELECT cms_empty(), cms_empty(0.1, 0.1), cms_empty(0.1, 0.1, true), cms_add(cms_empty(0.1, 0.1), 1);
SELECT cms_add(cms_empty(0.1, 0.1), 1, 1000)::text, cms_add(cms_empty(0.1, 0.1), 1, 1000)::bytea;
SELECT length(c::text), c::text LIKE E'%\n%' AS has_line_break, length(c::bytea) FROM (SELECT cms_agg(i) AS c FROM generate_series(1, 60000) i) q;

-- in: base64, or the digits that bytea shows; space around it means nothing
SELECT 'MQAAAAUJB4UDnwoAAA=='::cms = cms_empty() AS base64, '\x3100000005090785039f0a0000'::cms = cms_empty() AS hex, '\x3100000005090785039f0a0000'::bytea::cms = cms_empty() AS bytea,
    ' MQAAAAUJB4UDnwoAAA=='::cms = cms_empty() AS before, E'MQAAAAUJB4UDnwoAAA== \r\n'::cms = cms_empty() AS after;
-- what encode() makes of bytea has line breaks
SELECT encode(cms_agg(i)::bytea, 'base64')::cms = cms_agg(i) AS from_encode FROM generate_series(1, 1000) i;

-- there and back, every encoding: by text, by hexadecimal text, by bytea
CREATE TEMP TABLE sketches AS
SELECT epsilon, conservative, weight, n, (SELECT CASE WHEN conservative THEN cms_agg_conservative_weighted(i, weight, epsilon, 0.05) ELSE cms_agg_weighted(i, weight, epsilon, 0.05) END FROM generate_series(1, n) i) AS c
FROM unnest(ARRAY[0.5, 0.05, 0.001]) epsilon, unnest(ARRAY[false, true]) conservative, unnest(ARRAY[1, 1000, 100000, 10000000000]) weight, unnest(ARRAY[0, 1, 2, 20, 700, 20000]) n;
-- (an aggregate over no rows is NULL)
UPDATE sketches SET c = cms_empty(epsilon, 0.05, conservative) WHERE n = 0;
SELECT s.epsilon, s.conservative, string_agg(left(i.encoding, 1) || coalesce(i.counter_bytes::text, ''), ' ' ORDER BY weight, n) AS encodings,
    bool_and(c::text::cms = c) AS text, bool_and(c::text::cms::text = c::text) AS text_twice, bool_and(c::bytea::text::cms = c) AS hex,
    bool_and(c::bytea::cms = c) AS bytea, bool_and(c::bytea::cms::bytea = c::bytea) AS bytea_twice
FROM sketches s, cms_info(c) i GROUP BY 1, 2 ORDER BY 1, 2;
-- all of them differ (of nothing the weight makes no difference)
SELECT count(*) AS sketches, count(DISTINCT c) AS different, count(DISTINCT c::text) AS texts FROM sketches;

-- inside of arrays, rows, JSON
SELECT '{MQAAAAUJB4UDnwoAAA==,NULL}'::cms[], ROW(cms_empty(), 1), to_json(cms_empty()), row_to_json(q) FROM (SELECT 1 AS day, cms_empty() AS pages) q;
SELECT * FROM json_to_record('{"day": 1, "pages": "MQAAAAUJB4UDnwoAAA=="}') AS q(day int, pages cms);

-- COPY as text
COPY (SELECT n, c FROM sketches WHERE epsilon = 0.5 AND weight = 1 AND n < 700 ORDER BY n, conservative) TO STDOUT;

-- COPY as binary, in psql's folder
\copy (SELECT epsilon, conservative, weight, n, c FROM sketches) TO 'results/cms_io.bin' (FORMAT binary)
CREATE TEMP TABLE binary_copy (LIKE sketches);
\copy binary_copy FROM 'results/cms_io.bin' (FORMAT binary)
SELECT count(*), bool_and(a.c = b.c) AS same FROM sketches a JOIN binary_copy b USING (epsilon, conservative, weight, n);

-- The state of an aggregate that lacks a final function comes out as a sketch like any other
CREATE AGGREGATE pg_temp.unfinished(int) (SFUNC = _cms_step, STYPE = cms);
CREATE AGGREGATE pg_temp.unfinished(int, bigint, float8, float8) (SFUNC = _cms_weighted_step, STYPE = cms);
CREATE AGGREGATE pg_temp.unfinished_conservative(int) (SFUNC = _cms_conservative_step, STYPE = cms);
CREATE FUNCTION pg_temp.same(anyelement) RETURNS anyelement LANGUAGE sql AS 'SELECT $1';
CREATE AGGREGATE pg_temp.unfinished_merge(cms) (SFUNC = cms_merge, STYPE = cms, FINALFUNC = pg_temp.same);
CREATE TEMP TABLE states AS
SELECT n, 1 AS sort, (SELECT pg_temp.unfinished(i) FROM generate_series(1, n) i) AS state, (SELECT cms_agg(i) FROM generate_series(1, n) i) AS sketch FROM unnest(ARRAY[1, 10, 100, 1000, 10000]) n
UNION ALL SELECT n, 2, (SELECT pg_temp.unfinished(i, i, 0.01, 0.1) FROM generate_series(1, n) i), (SELECT cms_agg_weighted(i, i, 0.01, 0.1) FROM generate_series(1, n) i) FROM unnest(ARRAY[1, 10, 100, 1000, 10000]) n
UNION ALL SELECT n, 3, (SELECT pg_temp.unfinished_conservative(i) FROM generate_series(1, n) i), (SELECT cms_agg_conservative(i) FROM generate_series(1, n) i) FROM unnest(ARRAY[1, 10, 100, 1000, 10000]) n
UNION ALL SELECT n, 4, (SELECT pg_temp.unfinished_merge(c) FROM (SELECT cms_agg(i) AS c FROM generate_series(1, n) i GROUP BY i % 7) q), (SELECT cms_agg(i) FROM generate_series(1, n) i) FROM unnest(ARRAY[1, 10, 100, 1000]) n;
SELECT count(*), bool_and(state = sketch) AS equal, bool_and(cms_cmp(state, sketch) = 0) AS in_order, bool_and(cms_hash(state) = cms_hash(sketch)) AS hash,
    bool_and(cms_hash_extended(state, 1) = cms_hash_extended(sketch, 1)) AS hash_extended, bool_and(state::text = sketch::text) AS text, bool_and(state::bytea = sketch::bytea) AS bytea,
    bool_and(cms_total(state) = cms_total(sketch)) AS total, bool_and(cms_error(state) = cms_error(sketch)) AS error, bool_and(cms_info(state) = cms_info(sketch)) AS info,
    bool_and(state -> 7 = sketch -> 7) AS frequency, bool_and(cms_bounds(state, 1) = cms_bounds(sketch, 1)) AS bounds, bool_and(cms_frequencies(state, '{1,2,7}'::int[]) = cms_frequencies(sketch, '{1,2,7}'::int[])) AS frequencies FROM states;
SELECT bool_and(cms_add(state, 0) = cms_add(sketch, 0)) AS add, bool_and(cms_add_all(state, '{0,1}'::int[]) = cms_add(cms_add(sketch, 0), 1)) AS add_all, bool_and(state || state = sketch || sketch) AS merge,
    bool_and(cms_subtract(state || sketch, state) = sketch) FILTER (WHERE sort <> 3) AS subtract, bool_and(cms_inner_product(state, sketch) = cms_inner_product(sketch, sketch)) FILTER (WHERE sort <> 3) AS inner_product,
    bool_and(state::cms(0.001) = sketch) FILTER (WHERE sort <> 2) AS modifier FROM states;
SELECT sort, cms_merge_agg(state) = cms_merge_agg(sketch) AS merge_agg FROM states GROUP BY sort ORDER BY sort;
SELECT count(*), count(DISTINCT sketch) AS different FROM (SELECT sketch FROM states UNION SELECT state FROM states) q;
DROP AGGREGATE pg_temp.unfinished(int);
DROP AGGREGATE pg_temp.unfinished(int, bigint, float8, float8);
DROP AGGREGATE pg_temp.unfinished_conservative(int);
DROP AGGREGATE pg_temp.unfinished_merge(cms);
