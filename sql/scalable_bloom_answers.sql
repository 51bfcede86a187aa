-- What a scalable_bloom answers while it grows, and what it refuses
\set SHOW_CONTEXT never

-- ---------- empty, NULL ----------
SELECT scalable_bloom_empty(), scalable_bloom_empty()::bytea AS bytes, scalable_bloom_empty(10, 0.001, 4)::bytea AS parameters;
SELECT scalable_bloom_empty() @> 1 AS number, scalable_bloom_empty() @> 'a' AS text, scalable_bloom_cardinality(scalable_bloom_empty()) AS cardinality,
    scalable_bloom_false_positive_rate(scalable_bloom_empty()) AS rate;
SELECT scalable_bloom_empty(NULL) IS NULL AS empty, scalable_bloom_add(NULL, 1) = scalable_bloom_add(scalable_bloom_empty(), 1) AS add_to_null, scalable_bloom_add(scalable_bloom_empty(), NULL::int) = scalable_bloom_empty() AS add_null,
    scalable_bloom_add_all(scalable_bloom_empty(), NULL::int[]) = scalable_bloom_empty() AS add_all_null, scalable_bloom_empty() @> NULL::int IS NULL AS contains_null,
    scalable_bloom_merge(NULL, scalable_bloom_empty(7)) = scalable_bloom_empty(7) AS merge_null, scalable_bloom_cardinality(NULL) IS NULL AS cardinality;
SELECT scalable_bloom_agg(i) IS NULL AS no_rows, scalable_bloom_merge_agg(scalable_bloom_add(scalable_bloom_empty(), i)) IS NULL AS no_sketches FROM generate_series(1, 0) i;
SELECT scalable_bloom_agg(NULL::int) = scalable_bloom_empty() AS nulls, scalable_bloom_agg(NULL::text, 50, 0.05, 3) = scalable_bloom_empty(50, 0.05, 3) AS with_parameters FROM generate_series(1, 3);
SELECT * FROM scalable_bloom_info(scalable_bloom_empty(100, 0.02));
SELECT count(*) FROM scalable_bloom_info(NULL);

-- ---------- growth ----------
-- added one at a time, in a variable and in a table
CREATE FUNCTION pg_temp.grown(n int, capacity float8, rate float8, expansion int) RETURNS scalable_bloom LANGUAGE plpgsql AS $$
DECLARE
    s scalable_bloom := scalable_bloom_empty(capacity, rate, expansion);
BEGIN
    FOR i IN 1..n LOOP
        s := scalable_bloom_add(s, i);
    END LOOP;
    RETURN s;
END
$$;
CREATE TEMP TABLE grown AS
SELECT n, capacity, rate, expansion, pg_temp.grown(n, capacity, rate, expansion) AS s
FROM (VALUES (3, 10, 0.01, 2), (10, 100, 0.01, 2), (2000, 100, 0.01, 2), (2000, 10, 0.1, 2), (3000, 50, 0.001, 4), (400, 20, 0.01, 1)) v (n, capacity, rate, expansion);
SELECT n, rate, g.expansion, layer, i.capacity, items, fill, layer_rate, bits, hashes, bytes, encoding, status FROM grown g, scalable_bloom_info(s) i
ORDER BY n, rate, g.expansion, layer;
-- whatever was added is found
SELECT g.n, expansion, bool_and(s @> i) AS all_found, bool_and(i <@ s) AS contained FROM grown g, generate_series(1, g.n) i GROUP BY 1, 2, g.rate ORDER BY 1, 2, g.rate;
-- other values at the promised rate at most: 4 standard deviations of 20,000 probes
SELECT g.n, rate, bool_and(found <= 20000 * rate + 4 * sqrt(20000 * rate)) AS kept, bool_and(scalable_bloom_false_positive_rate(s) <= rate) AS estimated,
    bool_and(abs(found - 20000 * scalable_bloom_false_positive_rate(s)) <= 5 * sqrt(20000 * scalable_bloom_false_positive_rate(s)) + 1) AS as_estimated
FROM grown g, LATERAL (SELECT count(*) FILTER (WHERE s @> i) AS found FROM generate_series(1000001, 1020000) i) f GROUP BY 1, 2 ORDER BY 1, 2;
-- the promise is more than all layers' rates in sum
SELECT n, rate, g.expansion, sum(layer_rate) < rate AS below FROM grown g, scalable_bloom_info(s) i GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;
SELECT n, expansion, abs(scalable_bloom_cardinality(s) - n) <= (0.05 + rate) * n + 2 AS near FROM grown ORDER BY 1, 2, rate;
-- an array is as many single values
SELECT bool_and(scalable_bloom_add_all(scalable_bloom_empty(g.capacity, g.rate, g.expansion), ARRAY(SELECT i FROM generate_series(1, n) i)) = s) AS add_all FROM grown g;
SELECT bool_and(scalable_bloom_add_all(s, ARRAY[1, NULL, n]) = s) AS nothing_new FROM grown;
CREATE TEMP TABLE one (s scalable_bloom(10));
INSERT INTO one VALUES (scalable_bloom_empty(10));
DO $$ BEGIN FOR i IN 1..200 LOOP UPDATE one SET s = scalable_bloom_add(s, i); END LOOP; END $$;
SELECT s = pg_temp.grown(200, 10, 0.01, 2) AS by_update FROM one;

-- ---------- probing ----------
SELECT scalable_bloom_contains_all(s, '{1,2,3}'::int[]) AS all_three, scalable_bloom_contains_any(s, '{-7,3}'::int[]) AS any, scalable_bloom_contains_any(s, '{}'::int[]) AS none,
    scalable_bloom_contains_all(s, '{NULL}'::int[]) AS null_element, scalable_bloom_contains_all(s, '{1,2}') AS literal, s @> '3' AS literal_value, '3' <@ s AS turned FROM grown WHERE n = 3;
PREPARE probe AS SELECT s @> $1 AS found FROM grown WHERE n = 3;
EXECUTE probe('2');
EXECUTE probe('-1');
SELECT scalable_bloom_add(scalable_bloom_empty(5), 'a'::text) @> 'a' AS text, scalable_bloom_add(scalable_bloom_empty(5), '2026-01-01'::date) @> '2026-01-01' AS date,
    scalable_bloom_add(scalable_bloom_empty(5), ROW(1, 'x')) @> ROW(1, 'x') AS record, scalable_bloom_add(scalable_bloom_empty(5), 1.0) @> 1 AS numeric;
-- a stored one, larger than a page, by slices
CREATE TEMP TABLE stored AS SELECT pg_temp.grown(30000, 1000, 0.01, 2) AS s;
SELECT bool_and(s @> 17) AS first_layer, bool_and(s @> 30000) AS last_layer, bool_and(s @> 12345) AS middle FROM stored;
SELECT count(*) FROM stored, generate_series(1, 30000) i WHERE s @> i;

-- ---------- unions ----------
SELECT count(*) AS layers, sum(layer_rate) > 0.01 AS over_promise FROM scalable_bloom_info(pg_temp.grown(900, 1000, 0.01, 2) || (SELECT scalable_bloom_agg(i) FROM generate_series(901, 1800) i) || (SELECT scalable_bloom_agg(i) FROM generate_series(1801, 2700) i));
SELECT bool_and((a.s || b.s) = (b.s || a.s)) AS commutes, bool_and((a.s || b.s) || a.s = a.s || b.s) AS absorbs,
    bool_and((a.s || b.s) || c.s = a.s || (b.s || c.s)) AS associates, bool_and(a.s || a.s = a.s) AS idempotent FROM grown a, grown b, grown c;
SELECT bool_and(m @> i) AS all_found FROM (SELECT scalable_bloom_merge_agg(s) AS m FROM grown) q, generate_series(1, 3000) i;
-- and it grows on
SELECT count(*) AS layers, max(capacity) FROM scalable_bloom_info((SELECT scalable_bloom_add_all(scalable_bloom_merge_agg(s), ARRAY(SELECT i FROM generate_series(5001, 9000) i)) FROM grown));
-- what it is promised for is the larger of each
SELECT DISTINCT promised_rate, expansion FROM scalable_bloom_info((SELECT scalable_bloom_agg(1)) || (SELECT scalable_bloom_agg(2, 5, 0.05, 4)));

-- ---------- refused ----------
SELECT scalable_bloom_empty(0);
SELECT scalable_bloom_empty('NaN');
SELECT scalable_bloom_empty(1e10);
SELECT scalable_bloom_empty(10, 0.000001);
SELECT scalable_bloom_empty(10, 1);
SELECT scalable_bloom_empty(10, 0.01, 0);
SELECT scalable_bloom_empty(10, 0.01, 32769);
SELECT scalable_bloom_agg(i, 10 + i) FROM generate_series(1, 2) i;
SELECT scalable_bloom_agg(i, NULL) FROM generate_series(1, 2) i;
SELECT pg_temp.grown(3, 10, 0.01, 2) @> 'a';
SELECT pg_temp.grown(3, 10, 0.01, 2) @> concat('1');
SELECT scalable_bloom_add(pg_temp.grown(3, 10, 0.01, 2), concat('1'));
SELECT scalable_bloom_add_all(pg_temp.grown(3, 10, 0.01, 2), '{a,b}'::text[]);
SELECT pg_temp.grown(3, 10, 0.01, 2) || scalable_bloom_add(scalable_bloom_empty(), 'a'::text);
-- more layers than there can be
SELECT scalable_bloom_add_all(scalable_bloom_empty(1, 0.3, 1), ARRAY(SELECT i FROM generate_series(1, 3000) i));
-- larger than a value can be
SELECT scalable_bloom_add_all(scalable_bloom_empty(1, 0.5, 32768), ARRAY(SELECT i FROM generate_series(1, 100000) i)) IS NOT NULL AS large_layer;
SELECT _scalable_bloom_step(NULL, 1);

-- ---------- type modifiers ----------
SELECT format_type('scalable_bloom'::regtype, (SELECT atttypmod FROM pg_attribute WHERE attrelid = 'one'::regclass AND attname = 's')) AS type;
INSERT INTO one VALUES (scalable_bloom_empty(11));
INSERT INTO one SELECT scalable_bloom_agg(i, 10) FROM generate_series(1, 500) i;
SELECT scalable_bloom_empty(11)::scalable_bloom(10, 0.05) = scalable_bloom_empty(10, 0.05) AS fold_of_empty;
SELECT pg_temp.grown(3, 10, 0.01, 2)::scalable_bloom(11);
CREATE TEMP TABLE wrong (s scalable_bloom(10, 0.01, 2));
CREATE TEMP TABLE wrong (s scalable_bloom(10, 0.000001));
