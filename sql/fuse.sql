-- fuse: the static filter.  It has no X_add and no X_merge_agg, so the tests of all types
-- (sql/types_*.sql) are not for it.
SET max_parallel_workers_per_gather = 0;
CREATE TABLE word AS SELECT i, 'word ' || i AS w FROM generate_series(1, 20000) i;
ANALYZE word;

-- ---------- what it holds, and how often it is wrong ----------
CREATE TABLE filter (rate float8 PRIMARY KEY, numbers fuse, words fuse);
INSERT INTO filter SELECT rate, (SELECT fuse_agg(i, rate) FROM word), (SELECT fuse_agg(w, rate) FROM word)
FROM unnest('{0.9,0.06,0.01,0.001,1e-9}'::float8[]) rate;
SELECT rate, (fuse_info(numbers)).*,
    (SELECT count(*) FROM word WHERE numbers @> i) AS numbers_found, (SELECT count(*) FROM word WHERE w <@ words) AS words_found
FROM filter ORDER BY rate DESC;
-- others are found at the rate: within 3 sigma
SELECT rate, abs(n - p * 200000) <= 3 * sqrt(p * 200000) AS as_promised
FROM filter, LATERAL fuse_false_positive_rate(numbers) p, LATERAL (SELECT count(*) AS n FROM generate_series(20001, 220000) x WHERE numbers @> x) q ORDER BY 1 DESC;
SELECT fuse_cardinality(numbers), fuse_cardinality(fuse_empty()), fuse_false_positive_rate(fuse_empty()) FROM filter WHERE rate = 0.01;
SELECT fuse_contains(numbers, 5), fuse_contains(words, 'word 5'), fuse_contains(words, NULL), fuse_contains_any(numbers, '{5,NULL}'), fuse_contains_any(numbers, '{}'::int[]),
    fuse_contains_all(numbers, ARRAY[5, 6, NULL]), fuse_contains_all(numbers, '{}'), fuse_contains_all(words, ARRAY['word 1', 'x']) FROM filter WHERE rate = 1e-9;

-- ---------- sizes ----------
SELECT n, rate, bytes, bits_per_value, (SELECT length(fuse_agg(i, rate)::bytea) FROM generate_series(1, n) i) - bytes BETWEEN -20 AND 20 AS as_said
FROM unnest('{1,100,1000,40000}'::int[]) n, unnest('{0.01,1e-6}'::float8[]) rate, LATERAL fuse_size(n, rate) ORDER BY 1, 2;
SELECT fuse_size(0);
SELECT fuse_size('nan');
SELECT fuse_size(1e9);
SELECT fuse_size(1000, 1);

-- ---------- the aggregate ----------
SELECT fuse_agg(i) IS NULL AS of_no_rows FROM word WHERE false;
SELECT fuse_agg(NULL::int) = fuse_empty() AS of_nulls, fuse_agg(NULL::text, 0.1) = fuse_empty(0.1) AS rate, fuse_agg(NULL::int) @> 1 AS found FROM word;
SELECT fuse_agg(i) = fuse_agg(i ORDER BY -i) AS in_any_order, fuse_agg(i) = fuse_agg(DISTINCT i) AS of_distinct, fuse_agg(i % 100) = fuse_agg(i) FILTER (WHERE i BETWEEN 100 AND 199) AS other_values,
    fuse_agg(i % 100) = fuse_agg(i - 1) FILTER (WHERE i <= 100) AS duplicates, fuse_agg(i) = fuse_agg(i::bigint) AS widths, fuse_agg(i) = fuse_agg(i, 0.001) AS rates FROM word;
SELECT fuse_cardinality(fuse_agg(1)) FROM word;
SELECT count(*), bool_and(s @> g AND s @> g + 10000), sum(fuse_cardinality(s)) FROM (SELECT i % 10000 AS g, fuse_agg(i) AS s FROM generate_series(0, 19999) i GROUP BY 1) q;
SELECT bool_and(s @> i), max(fuse_cardinality(s)) FROM (SELECT i, fuse_agg(i) OVER (ORDER BY i ROWS 2 PRECEDING) AS s FROM word WHERE i <= 300) q;
SELECT bool_and(s @> i), max(fuse_cardinality(s)) FROM (SELECT i, fuse_agg(i) OVER (ORDER BY i) AS s FROM word WHERE i <= 300) q;
-- by a parallel plan, in partitions
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT fuse_agg(i) FROM word;
SELECT fuse_agg(i) = (SELECT numbers FROM filter WHERE rate = 0.01) AS numbers, fuse_agg(w) = (SELECT words FROM filter WHERE rate = 0.01) AS words FROM word;
SET enable_partitionwise_aggregate = on;
CREATE TABLE part (i int) PARTITION BY HASH (i);
CREATE TABLE part_0 PARTITION OF part FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE part_1 PARTITION OF part FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO part SELECT i FROM word;
SELECT fuse_agg(i) = (SELECT numbers FROM filter WHERE rate = 0.01) AS of_partitions FROM part;
RESET max_parallel_workers_per_gather;
-- an aggregate without a final function has states for its results: hashes, which can be united and asked
CREATE AGGREGATE fuse_state("any") (SFUNC = _fuse_step, STYPE = fuse, COMBINEFUNC = fuse_merge);
CREATE AGGREGATE fuse_finish(fuse) (SFUNC = fuse_merge, STYPE = fuse, FINALFUNC = _fuse_final, COMBINEFUNC = fuse_merge);
SELECT (fuse_info(s)).*, s @> 7 AS found, s @> 30000 AS not_found FROM (SELECT fuse_state(i) AS s FROM word WHERE i <= 100) q;
SELECT fuse_finish(s::text::fuse) = (SELECT numbers FROM filter WHERE rate = 0.01) AS united FROM (SELECT fuse_state(i) AS s FROM word GROUP BY i % 2) q;
SELECT fuse_finish(numbers) FROM filter WHERE rate > 0.01;

-- ---------- what it refuses ----------
SELECT fuse_add(numbers, 1) FROM filter;
SELECT fuse_add(fuse_empty(), 'a');
SELECT numbers || words FROM filter;
SELECT fuse_merge(fuse_state(1), numbers) FROM filter GROUP BY numbers LIMIT 1;
SELECT fuse_merge(s, t) FROM (SELECT fuse_state(1) AS s, fuse_state('a') AS t) q;
SELECT fuse_agg(numbers) FROM filter;
SELECT numbers @> 'a'::text FROM filter;
SELECT numbers @> 1.5 FROM filter WHERE rate = 0.01;
SELECT words @> 1 FROM filter;
SELECT fuse_agg(i, 0) FROM word;
SELECT fuse_agg(i, 1) FROM word;
SELECT fuse_agg(i, 1e-10) FROM word;
SELECT fuse_agg(i, NULL) FROM word;
SELECT fuse_agg(i, i / 30000.0) FROM word;
SELECT fuse_agg(i, 1000000) FROM word;
SELECT fuse_empty(2);
SELECT _fuse_step(NULL::fuse, 1);
SELECT _fuse_final(fuse_empty());

-- ---------- type modifiers, input and output, comparison ----------
CREATE TABLE kept (f fuse(0.01));
\d kept
INSERT INTO kept SELECT fuse_agg(i) FROM word;
INSERT INTO kept SELECT fuse_agg(i, 0.001) FROM word;
INSERT INTO kept SELECT fuse_empty(0.001)::fuse(0.01);
SELECT fuse_agg(i, 0.001)::fuse(0.01) FROM word;
SELECT ''::fuse(0.01, 1);
SELECT NULL::fuse(2);
SELECT bool_and(numbers::text::fuse = numbers AND numbers::bytea::fuse = numbers AND ('\x' || encode(numbers::bytea, 'hex'))::fuse = numbers) AS same FROM filter;
SELECT fuse_agg(i)::text FROM generate_series(1, 10) i;
SELECT 'x'::fuse;
SELECT ''::fuse;
SELECT '\xa100000000'::bytea::fuse;
SELECT '\xa10001'::bytea::fuse;
SELECT '\xb100000000'::bytea::fuse;
SELECT set_byte(numbers::bytea, length(numbers::bytea) - 1, 0)::fuse IS NOT NULL AS any_slots, (numbers::bytea || '\x00')::fuse FROM filter WHERE rate = 0.01;
SELECT count(DISTINCT numbers), count(DISTINCT words) FROM filter;
SELECT count(*) FROM filter a JOIN filter b ON a.numbers = b.numbers;
\set VERBOSITY terse
SELECT numbers <> words AS differ, numbers *< words OR numbers *> words AS ordered, numbers < words FROM filter;
\set VERBOSITY default
SELECT probds_describe(numbers), probds_describe(fuse_empty(0.001)) FROM filter WHERE rate = 0.01;
SELECT * FROM probds_health() h WHERE h::text ~ 'kept';
-- the planner looks into a filter that it knows
CREATE FUNCTION pg_temp.rows(query text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
    RETURN plan->0->'Plan'->'Plan Rows';
END
$$;
SET max_parallel_workers_per_gather = 0;
SELECT pg_temp.rows(format('SELECT FROM word WHERE i <@ %L::fuse', (SELECT fuse_agg(i, 1e-6) FROM word WHERE i <= 2000))) BETWEEN 1500 AND 2500 AS about_right;
DROP TABLE word, filter, part, kept;
DROP AGGREGATE fuse_state("any"), fuse_finish(fuse);
