-- Text, bytea and what is made of them; receive is in bloom_bad_input and TAP

-- one line of base64
SELECT bloom_empty(100), bloom_add(bloom_empty(100), 1), bloom_add(bloom_empty(1000000, 0.001, 'classic'), 'x');
SELECT bloom_add(bloom_empty(10), 1)::text, bloom_add(bloom_empty(10), 1)::bytea;
SELECT length(f::text), f::text LIKE E'%\n%' AS has_line_break, length(f::bytea) FROM (SELECT bloom_agg(i, 100000) AS f FROM generate_series(1, 60000) i) q;

-- in: base64, or the digits that bytea shows
SELECT 'IQIBhQMK/////////////////////w=='::bloom = '\x21020185030affffffffffffffffffffffffffffffff'::bloom AS hex, 'IQAAhQNk'::bloom = bloom_empty(100) AS base64,
    '\X210000850364'::bloom = bloom_empty(100) AS upper_case, '\x210000850364'::bytea::bloom = bloom_empty(100) AS bytea;
-- space around it means nothing, as with numbers and dates
SELECT ' IQAAhQNk'::bloom AS before, E'IQAAhQNk \r\n'::bloom AS after, ' \x210000850364 '::bloom AS hex;
-- what encode() makes of bytea has line breaks
SELECT encode(bloom_agg(i, 200)::bytea, 'base64')::bloom = bloom_agg(i, 200) AS from_encode FROM generate_series(1, 100) i;

-- there and back, every encoding and layout: by text, by hexadecimal text, by bytea
CREATE TEMP TABLE filters AS
SELECT layout, capacity, n, rate, (SELECT bloom_agg(i, capacity, rate, layout) FROM generate_series(1, n) i) AS f
FROM unnest(ARRAY['blocked', 'classic']) layout, unnest(ARRAY[1, 100, 1000, 10000, 1000000]) capacity, unnest(ARRAY[0, 1, 2, 50, 1000, 20000]) n, unnest(ARRAY[0.1, 0.001]) rate;
-- (an aggregate over no rows is NULL)
UPDATE filters SET f = bloom_empty(capacity, rate, layout) WHERE n = 0;
SELECT layout, capacity, string_agg(left((bloom_info(f)).encoding, 1), '' ORDER BY rate, n) AS encodings,
    bool_and(f::text::bloom = f) AS text, bool_and(f::text::bloom::text = f::text) AS text_twice, bool_and(f::bytea::text::bloom = f) AS hex,
    bool_and(f::bytea::bloom = f) AS bytea, bool_and(f::bytea::bloom::bytea = f::bytea) AS bytea_twice
FROM filters GROUP BY 1, 2 ORDER BY 1, 2;
-- all of them differ, but for those that have all bits set
SELECT count(*) AS filters, count(DISTINCT f) AS different, count(DISTINCT f::text) AS texts FROM filters;

-- inside of arrays, rows, JSON
SELECT ARRAY[bloom_empty(100), NULL, bloom_empty(1)], '{IQAAhQNk,NULL,"\\x210000850301"}'::bloom[];
SELECT ROW(bloom_empty(100), 1), to_json(bloom_empty(100)), row_to_json(q) FROM (SELECT 1 AS day, bloom_empty(100) AS seen) q;
SELECT * FROM json_to_record('{"day": 1, "seen": "IQAAhQNk"}') AS q(day int, seen bloom);

-- COPY as text
COPY (SELECT n, f FROM filters WHERE layout = 'blocked' AND rate = 0.1 AND capacity = 100 AND n BETWEEN 1 AND 50 ORDER BY n) TO STDOUT;
COPY (SELECT n, f FROM filters WHERE layout = 'blocked' AND rate = 0.1 AND capacity = 100 AND n < 2 ORDER BY n) TO STDOUT (FORMAT csv);

-- COPY as binary, in psql's folder
\copy (SELECT layout, capacity, n, rate, f FROM filters) TO 'results/bloom_io.bin' (FORMAT binary)
CREATE TEMP TABLE binary_copy (LIKE filters);
\copy binary_copy FROM 'results/bloom_io.bin' (FORMAT binary)
SELECT count(*), bool_and(a.f = b.f) AS same FROM filters a JOIN binary_copy b USING (layout, capacity, n, rate);

-- The state of an aggregate that lacks a final function comes out as a filter
-- like any other, also where it is yet to be sized
CREATE AGGREGATE pg_temp.unfinished(int) (SFUNC = _bloom_step, STYPE = bloom);
CREATE AGGREGATE pg_temp.unfinished(int, float8) (SFUNC = _bloom_step, STYPE = bloom);
CREATE FUNCTION pg_temp.same(anyelement) RETURNS anyelement LANGUAGE sql AS 'SELECT $1';
CREATE AGGREGATE pg_temp.unfinished_merge(bloom) (SFUNC = bloom_merge, STYPE = bloom, FINALFUNC = pg_temp.same);
CREATE TEMP TABLE states AS
SELECT n, 0 AS capacity, (SELECT pg_temp.unfinished(i) FROM generate_series(1, n) i) AS state, (SELECT bloom_agg(i) FROM generate_series(1, n) i) AS filter FROM unnest(ARRAY[1, 10, 100, 1000, 10000]) n
UNION ALL SELECT n, capacity, (SELECT pg_temp.unfinished(i, capacity) FROM generate_series(1, n) i), (SELECT bloom_agg(i, capacity) FROM generate_series(1, n) i)
FROM unnest(ARRAY[1, 10, 100, 1000, 10000]) n, unnest(ARRAY[10, 10000, 1000000]) capacity
UNION ALL SELECT -n, capacity, (SELECT pg_temp.unfinished_merge(f) FROM (SELECT bloom_agg(i, capacity) AS f FROM generate_series(1, n) i GROUP BY i % 7) q), (SELECT bloom_agg(i, capacity) FROM generate_series(1, n) i)
FROM unnest(ARRAY[1, 10, 100, 1000]) n, unnest(ARRAY[10, 10000, 1000000]) capacity;
SELECT count(*), bool_and(state = filter) AS equal, bool_and(bloom_cmp(state, filter) = 0) AS in_order, bool_and(bloom_hash(state) = bloom_hash(filter)) AS hash,
    bool_and(bloom_hash_extended(state, 1) = bloom_hash_extended(filter, 1)) AS hash_extended, bool_and(state::text = filter::text) AS text, bool_and(state::bytea = filter::bytea) AS bytea,
    bool_and(bloom_cardinality(state) = bloom_cardinality(filter)) AS cardinality, bool_and(bloom_info(state) = bloom_info(filter)) AS info,
    bool_and(bloom_false_positive_rate(state) = bloom_false_positive_rate(filter)) AS rate FROM states;
SELECT bool_and(bloom_add(state, 0) = bloom_add(filter, 0)) AS add, bool_and(bloom_add_all(state, '{0,1}'::int[]) = bloom_add(bloom_add(filter, 0), 1)) AS add_all,
    bool_and(state || state = filter) AS merge, bool_and(state || filter = filter) AS merge_right, bool_and(state & filter = filter) AS intersect, bool_and(filter & state = filter) AS intersect_right FROM states;
SELECT bool_and(merged) AS merge_agg, bool_and(intersected) AS intersect_agg FROM (SELECT bloom_merge_agg(state) = bloom_merge_agg(filter) AS merged, bloom_intersect_agg(state) = bloom_intersect_agg(filter) AS intersected FROM states WHERE capacity > 0 GROUP BY capacity) q;
SELECT count(*), count(DISTINCT filter) AS different FROM (SELECT filter FROM states UNION SELECT state FROM states) q;
DROP AGGREGATE pg_temp.unfinished(int);
DROP AGGREGATE pg_temp.unfinished(int, float8);
DROP AGGREGATE pg_temp.unfinished_merge(bloom);
