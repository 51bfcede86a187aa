-- The same values so often are the same bytes, whatever way led there.  The digests pin the
-- format: a release that changes one of them cannot read what earlier ones have stored.
CREATE TEMP TABLE sets AS
SELECT row_number() OVER (ORDER BY capacity, rate, n) AS id, capacity, rate, n, (SELECT coalesce(cuckoo_agg(i - i % 3, capacity, rate), cuckoo_empty(capacity, rate)) FROM generate_series(1, n) i) AS f
FROM (VALUES (10, 0.01), (100, 0.5), (1000, 0.001), (20000, 0.01), (1000000, 0.05), (5000, 1e-9)) p(capacity, rate), unnest(ARRAY[0, 1, 7, 90, 1000, 15000]) n WHERE n <= 100 * capacity;
SELECT s.capacity, s.rate, n, i.encoding, i.bytes, md5(f::bytea) FROM sets s, cuckoo_info(f) i ORDER BY id;
-- other kinds
SELECT n, md5(cuckoo_agg(i, 100)::bytea) AS int, md5(cuckoo_agg('value ' || i, 100)::bytea) AS text, md5(cuckoo_agg(md5(i::text)::uuid, 100)::bytea) AS uuid, md5(cuckoo_agg(i / 8.0, 100)::bytea) AS numeric, md5(cuckoo_agg('10.0.0.0'::inet + i, 100)::bytea) AS inet
FROM unnest(ARRAY[1, 100, 10000]) n, generate_series(1, n) i GROUP BY n ORDER BY n;

-- ---------- the order of rows, detours ----------
SELECT bool_and(f = (SELECT cuckoo_agg(i - i % 3, capacity, rate) FROM generate_series(n, 1, -1) i)) AS backwards,
    bool_and(f = (SELECT cuckoo_agg(i - i % 3, capacity, rate ORDER BY md5(i::text)) FROM generate_series(1, n) i)) AS shuffled,
    bool_and(f = (SELECT cuckoo_agg(nullif(i - i % 3, -1), capacity, rate) FROM (SELECT generate_series(1, n) AS i UNION ALL SELECT NULL) q)) AS with_a_null,
    bool_and(f = cuckoo_add_all(cuckoo_empty(capacity, rate), (SELECT array_agg(i - i % 3) FROM generate_series(1, n) i))) AS add_all,
    bool_and(f = cuckoo_remove_all(cuckoo_add_all(f, more), more)) AS removed, bool_and(f = f || cuckoo_empty(capacity, rate) AND f = cuckoo_empty(capacity, rate) || f) AS empty
FROM sets, LATERAL (SELECT array_agg(i % 2500) AS more FROM generate_series(1, 5000) i) m WHERE n > 0;
-- ---------- splits and merges ----------
CREATE FUNCTION pg_temp.merged(n int, capacity bigint, rate float8, parts int, of text) RETURNS cuckoo LANGUAGE plpgsql AS $$
DECLARE
    result cuckoo;
BEGIN
    EXECUTE format('SELECT cuckoo_merge_agg(f) FROM (SELECT cuckoo_agg(i - i %% 3, $2, $3) AS f FROM generate_series(1, $1) i GROUP BY %s) q', of) INTO result USING n, capacity, rate, parts;
    RETURN result;
END
$$;
SELECT bool_and(f = pg_temp.merged(n, capacity, rate, 2, 'i % $4')) AS odd_and_even, bool_and(f = pg_temp.merged(n, capacity, rate, 2, 'i * $4 / $1')) AS halves,
    bool_and(f = pg_temp.merged(n, capacity, rate, 17, 'i % $4')) AS seventeen, bool_and(f = pg_temp.merged(n, capacity, rate, 100, '(i = $4)')) AS one_and_the_rest FROM sets WHERE n > 0;
SELECT bool_and((a.f || b.f) || b.f = a.f || (b.f || b.f)) AS associates, bool_and(a.f || b.f = b.f || a.f) AS commutes, bool_and((cuckoo_info(a.f || b.f)).copies = a.n + b.n) AS sums FROM sets a JOIN sets b USING (capacity, rate);

-- ---------- every plan: serial, parallel, hashed, sorted, partition-wise ----------
\set plans `echo "${PROBDS_SRC:-.}/test/types/plans.sql"`
\set ECHO none
\i :plans
\set ECHO all
CALL pg_temp.make_rows();
CREATE TABLE cuckoo_stored WITH (parallel_workers = 2) AS SELECT g, i % 11 AS part, cuckoo_agg(n - n % 3, 5000) AS s FROM plan_rows GROUP BY 1, 2;
ANALYZE cuckoo_stored;
SELECT number, pg_temp.all_plans(query) FROM (VALUES
    (1, 'SELECT g AS k, cuckoo_agg(n - n % 3, 5000) AS s FROM plan_rows GROUP BY g'), (2, 'SELECT g AS k, cuckoo_agg(''user '' || n - n % 3, 900, 0.03) AS s FROM plan_rows GROUP BY g'),
    (3, 'SELECT 0 AS k, cuckoo_agg(n - n % 3, 5000) AS s FROM plan_rows'), (4, 'SELECT 0 AS k, cuckoo_agg((n - n % 3)::numeric, 1000000, 1e-6) AS s FROM plan_rows'),
    (5, 'SELECT g AS k, cuckoo_merge_agg(s) AS s FROM cuckoo_stored GROUP BY g'), (6, 'SELECT 0 AS k, cuckoo_merge_agg(s) AS s FROM cuckoo_stored'),
    (7, 'SELECT g AS k, cuckoo_agg(n - n % 3, 5000) AS s FROM plan_parts GROUP BY g'), (8, 'SELECT c AS k, cuckoo_agg(n - n % 3, 5000) AS s FROM plan_parts GROUP BY c')) q(number, query) ORDER BY number;
SELECT (SELECT cuckoo_merge_agg(s) FROM cuckoo_stored) = (SELECT cuckoo_agg(n - n % 3, 5000) FROM plan_rows) AS merged;
DROP TABLE plan_rows, plan_parts, cuckoo_stored;

-- ten thousand groups
SELECT count(*) AS groups, bool_and(f @> g) AS found, sum((cuckoo_info(f)).copies) AS copies FROM (SELECT i % 10000 AS g, cuckoo_agg(i % 10000, 100000) AS f FROM generate_series(1, 30000) i GROUP BY 1) q;

-- ---------- = and its relations ----------
CREATE TEMP TABLE s AS SELECT n, cuckoo_agg(i, 100) AS c FROM generate_series(0, 59) n, generate_series(1, n % 20 + 1) i GROUP BY n;
SELECT count(*), count(DISTINCT c) AS different FROM s;
SELECT count(*) AS pairs, bool_and((a.c *< b.c) = (a.c::bytea < b.c::bytea)) AS lt, bool_and((a.c *>= b.c) = (a.c::bytea >= b.c::bytea)) AS ge, bool_and((a.c = b.c) = (a.c::bytea = b.c::bytea)) AS eq, bool_and((a.c <> b.c) = (a.c::bytea <> b.c::bytea)) AS ne,
    bool_and((a.c = b.c) = (cuckoo_hash(a.c) = cuckoo_hash(b.c))) AS hash FROM s a, s b;
\set VERBOSITY sqlstate
SELECT cuckoo_empty(100) < cuckoo_empty(100);
\set VERBOSITY default
