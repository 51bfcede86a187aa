-- An index that grows: no key is lost, and the rates of filter and table add up to less than the promise
CREATE TABLE existence_grow (k int);
CREATE INDEX existence_grow_k ON existence_grow USING existence (k) WITH (false_positive_rate = 0.001);
SELECT layers, keys, capacity, bytes FROM existence_info('existence_grow', 'k');

-- By how many standard errors the answers for n keys that are not there miss a rate
CREATE FUNCTION pg_temp.sigma(n int, OUT false_positives bigint, OUT sigma numeric) LANGUAGE sql AS $$
    SELECT count(*), round(((count(*) - n * r) / sqrt(n * r * (1 - r)))::numeric, 1)
    FROM (SELECT false_positive_rate AS r FROM existence_info('existence_grow', 'k')) i, generate_series(-n, -1) k
    WHERE existence_might_contain('existence_grow', 'k', k) GROUP BY r
$$;
-- from empty, through some ten steps of growth: always at most 2.2 times as large as a bloom of the keys
CREATE PROCEDURE pg_temp.grow_to(most int) LANGUAGE plpgsql AS $$
DECLARE
    worst numeric := 0;
    n int := 0;
BEGIN
    WHILE n < most LOOP
        INSERT INTO existence_grow SELECT generate_series(n + 1, least(n + 20000, most));
        n := least(n + 20000, most);
        worst := greatest(worst, pg_relation_size('existence_grow_k')::numeric / (bloom_size(greatest(n, 200000), 0.001)).bytes);
    END LOOP;
    RAISE NOTICE 'at most 2.2 times as large: %', worst <= 2.2;
END $$;
CALL pg_temp.grow_to(700000);
SELECT layers, keys BETWEEN 0.99 * 700000 AND 700000 AS keys, false_positive_rate < promised_rate AS kept, bytes < 2.2 * (bloom_size(700000, 0.001)).bytes AS bytes FROM existence_info('existence_grow', 'k');
SELECT abs(sigma) <= 3 AS as_said FROM pg_temp.sigma(400000);
SELECT existence_verify('existence_grow', 'k');
-- keys that are there take nothing
CREATE TEMP TABLE before AS SELECT pg_relation_size('existence_grow_k') AS bytes, keys FROM existence_info('existence_grow', 'k');
INSERT INTO existence_grow SELECT generate_series(1, 100000);
SELECT pg_relation_size('existence_grow_k') = b.bytes AS same_bytes, i.keys = b.keys AS same_keys FROM before b, existence_info('existence_grow', 'k') i;
-- and rolled back ones do
BEGIN;
INSERT INTO existence_grow SELECT generate_series(1000001, 1001000);
ROLLBACK;
SELECT i.keys - b.keys BETWEEN 950 AND 1050 AS left_behind FROM before b, existence_info('existence_grow', 'k') i;

-- one filter of all, as large as a bloom of the keys
REINDEX INDEX existence_grow_k;
SELECT layers, keys BETWEEN 0.99 * 700000 AND 1.01 * 700000 AS keys, bytes - 8192 <= 1.03 * (bloom_size(700000, 0.001)).bytes AS bytes, bytes <= 1.01 * bytes_after_reindex AS final,
    false_positive_rate BETWEEN 0.9 * promised_rate AND promised_rate AS rate FROM existence_info('existence_grow', 'k');
SELECT abs(sigma) <= 3 AS as_said, false_positives <= 400 + 3 * sqrt(400) AS as_promised FROM pg_temp.sigma(400000);
SELECT existence_verify('existence_grow', 'k');
-- as a bloom of the same bits
SELECT count(*) FILTER (WHERE b @> k) AS here, count(*) FILTER (WHERE (b @> -k) <> existence_might_contain('existence_grow', 'k', -k)) AS otherwise
FROM (SELECT existence_export('existence_grow', 'k') AS b OFFSET 0) e, generate_series(1, 20000) k;
SELECT (bloom_info(existence_export('existence_grow', 'k'))).status;

-- and on from there
INSERT INTO existence_grow SELECT generate_series(700001, 1000000);
SELECT layers, false_positive_rate < promised_rate AS kept, status FROM existence_info('existence_grow', 'k');
SELECT existence_verify('existence_grow', 'k');
SELECT abs(sigma) <= 3 AS as_said FROM pg_temp.sigma(400000);
SELECT existence_export('existence_grow', 'k');

-- expansion: the table has space for as many keys again when it begins, so that it does not grow until then
TRUNCATE existence_grow;
ALTER INDEX existence_grow_k SET (expansion = 3, capacity = 100000);
REINDEX INDEX existence_grow_k;
SELECT layers, capacity BETWEEN 100000 AND 110000 AS capacity FROM existence_info('existence_grow', 'k');
INSERT INTO existence_grow SELECT generate_series(1, 120000);
CREATE TEMP TABLE begun AS SELECT pg_relation_size('existence_grow_k') AS bytes;
SELECT layers, capacity >= 300000 AS capacity FROM existence_info('existence_grow', 'k');
INSERT INTO existence_grow SELECT generate_series(120001, 280000);
SELECT pg_relation_size('existence_grow_k') = bytes AS same_bytes FROM begun;
INSERT INTO existence_grow SELECT generate_series(280001, 600000);
SELECT pg_relation_size('existence_grow_k') > bytes AS larger, existence_verify('existence_grow', 'k') FROM begun;
SELECT abs(sigma) <= 3 AS as_said, false_positives <= 400 + 3 * sqrt(400) AS as_promised FROM pg_temp.sigma(400000);
DROP TABLE existence_grow;

-- high and low rates, without WAL
CREATE UNLOGGED TABLE existence_rates (k int);
CREATE INDEX existence_high ON existence_rates USING existence ((k + 1)) WITH (false_positive_rate = 0.5);
CREATE INDEX existence_low ON existence_rates USING existence ((k + 2)) WITH (false_positive_rate = 1e-9);
INSERT INTO existence_rates SELECT generate_series(1, 300000);
SELECT index, layers, false_positive_rate < promised_rate AS kept, status, existence_verify('existence_rates', index::text::name)
FROM unnest(ARRAY['existence_high', 'existence_low']) i, existence_info('existence_rates', i);
SELECT count(*) FILTER (WHERE existence_might_contain('existence_rates', 'existence_high', -k)) < 100000 * 0.5 AS high,
    count(*) FILTER (WHERE existence_might_contain('existence_rates', 'existence_low', -k)) AS low
FROM generate_series(1, 100000) k;
DROP TABLE existence_rates;

-- with files instead of memory during the build; and through a temporary table, whose pages are elsewhere
CREATE TEMP TABLE existence_spilled AS SELECT generate_series(1, 400000) AS k;
SET maintenance_work_mem = '1MB';
CREATE INDEX ON existence_spilled USING existence (k);
RESET maintenance_work_mem;
SELECT layers, keys BETWEEN 0.99 * 400000 AND 1.01 * 400000 AS keys, bytes - 8192 <= 1.03 * (bloom_size(400000, 0.01)).bytes AS bytes, existence_verify('pg_temp.existence_spilled', 'k') FROM existence_info('pg_temp.existence_spilled', 'k');
-- the same pages as from memory
CREATE TEMP TABLE from_files AS SELECT existence_export('pg_temp.existence_spilled', 'k') AS b;
REINDEX TABLE existence_spilled;
SELECT (b || existence_export('pg_temp.existence_spilled', 'k')) = b AS same FROM from_files;
