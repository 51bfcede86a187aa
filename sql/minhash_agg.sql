-- The aggregates: minhash_agg, minhash_merge_agg

-- no rows, rows without values, one value
SELECT minhash_agg(i) IS NULL AS agg, minhash_agg(i, 64) IS NULL AS agg_64, minhash_merge_agg(NULL::minhash) IS NULL AS merge FROM generate_series(1, 0) i;
SELECT minhash_agg(NULL::int) = minhash_empty() AS agg, minhash_agg(NULL::text, 64) = minhash_empty(64) AS agg_64, minhash_merge_agg(NULL::minhash) IS NULL AS merge FROM generate_series(1, 3) i;
SELECT #minhash_agg(nullif(i, 2)) AS skips_null FROM generate_series(1, 3) i;

-- each type by itself, without a cast
CREATE TYPE pg_temp.mood AS ENUM ('sad', 'ok');
CREATE DOMAIN pg_temp.email AS varchar(100);
CREATE FUNCTION pg_temp.column_of(type text, a text, b text, OUT kind text, OUT agg bigint, OUT agg_1024 bigint, OUT as_added boolean)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TEMP TABLE one_column (v %s)', type);
    EXECUTE format('INSERT INTO one_column VALUES (%L), (%L), (%L), (%L), (NULL)', a, b, a, b);
    EXECUTE 'SELECT (minhash_info(minhash_agg(v))).kind, #minhash_agg(v), #minhash_agg(v, 1024),
        minhash_agg(v) = minhash_add(minhash_add(minhash_empty(), (SELECT v FROM one_column LIMIT 1)), (SELECT v FROM one_column OFFSET 1 LIMIT 1)) FROM one_column'
        INTO kind, agg, agg_1024, as_added;
    DROP TABLE one_column;
END
$$;
SELECT type, (pg_temp.column_of(type, a, b)).* FROM (VALUES
    (1, 'smallint', '1', '2'), (2, 'integer', '1', '2'), (3, 'bigint', '1', '2'), (4, 'numeric', '1.5', '2'), (5, 'real', '1.5', '2'), (6, 'double precision', '1.5', '2'),
    (7, 'oid', '1', '2'), (8, 'text', 'a', 'b'), (9, 'varchar(10)', 'a', 'b'), (10, 'char(10)', 'a', 'b'), (11, 'name', 'a', 'b'), (12, 'bytea', 'a', 'b'), (13, 'boolean', 't', 'f'),
    (14, 'date', '2000-01-01', '2000-01-02'), (15, 'time', '12:00', '13:00'), (16, 'timestamp', '2000-01-01', '2000-01-02'), (17, 'timestamptz', '2000-01-01', '2000-01-02'), (18, 'interval', '1 day', '1 hour'),
    (19, 'uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12'), (20, 'inet', '10.0.0.1', '::1'), (21, 'jsonb', '{"a": 1}', '[1]'),
    (22, 'pg_temp.mood', 'sad', 'ok'), (23, 'pg_temp.email', 'a@x', 'b@x'), (24, 'integer[]', '{1,2}', '{2,1}'), (25, 'text[]', '{a}', '{}'), (26, 'int4range', '[1,3)', '[1,)')) q(n, type, a, b) ORDER BY n;
SELECT minhash_agg('{}'::json);
SELECT minhash_agg(m) FROM (VALUES (minhash_empty())) s(m);

-- k
SELECT k, l.* FROM (SELECT 1 << p AS k FROM generate_series(4, 16) p) q, LATERAL (SELECT (minhash_info(minhash_agg(i, k))).k AS info, (minhash_info(minhash_agg(i, k))).encoding, (minhash_agg(i, 65536))::minhash(16) = minhash_agg(i, 16) AS folds FROM generate_series(1, 3000) i) l ORDER BY k;
PREPARE by_k(int) AS SELECT (minhash_info(minhash_agg(i, $1))).k FROM generate_series(1, 100) i;
EXECUTE by_k(32);
EXECUTE by_k(256);
SELECT minhash_agg(i, 100) FROM generate_series(1, 3) i;
SELECT minhash_agg(i, 8) FROM generate_series(1, 3) i;
SELECT minhash_agg(i, NULL) FROM generate_series(1, 3) i;
SELECT minhash_agg(i, CASE WHEN i < 3 THEN 64 ELSE 128 END) FROM generate_series(1, 3) i;
SELECT minhash_agg(i, CASE WHEN i < 3 THEN 64 ELSE 128 END) FROM generate_series(1, 300) i;

-- FILTER, DISTINCT, ORDER BY, groups
SELECT #minhash_agg(i) FILTER (WHERE i % 20 = 0) AS some, #minhash_agg(i) FILTER (WHERE false) AS none, minhash_agg(DISTINCT i / 2) = minhash_agg(i / 2) AS distinct_same, minhash_agg(i ORDER BY -i) = minhash_agg(i) AS order_same,
    minhash_agg(i::text, 64 ORDER BY md5(i::text)) = minhash_agg(i::text, 64) AS order_64, minhash_merge_agg(DISTINCT minhash_add(minhash_empty(), i % 5)) = minhash_agg(i % 5) AS merge_distinct FROM generate_series(1, 1000) i;
SELECT g % 3 AS g, h, #minhash_agg(i) AS n FROM generate_series(1, 6) g, unnest(ARRAY['x', 'y']) h, generate_series(1, 20) i GROUP BY ROLLUP (g % 3, h) ORDER BY 1, 2;
-- ten thousand groups, from tokens to registers
SELECT count(*), bool_and(m = minhash_add_all(minhash_empty(16), a)) AS as_added FROM (SELECT i % 10000 AS g, minhash_agg(i, 16) AS m, array_agg(i) AS a FROM generate_series(1, 200000) i GROUP BY 1) q;

-- windows
SELECT bool_and(#m = i) AS unchanged, count(DISTINCT m) AS different FROM (SELECT i, minhash_agg(i, 1024) OVER (ORDER BY i) AS m FROM generate_series(1, 500) i) q;
SELECT bool_and(m = minhash_add_all(minhash_empty(), frame)) AS right FROM (SELECT minhash_agg(i % 70) OVER w AS m, array_agg(i % 70) OVER w AS frame FROM generate_series(1, 400) i WINDOW w AS (ORDER BY i ROWS BETWEEN 150 PRECEDING AND 1 PRECEDING)) q WHERE frame IS NOT NULL;

-- minhash_merge_agg: of the smallest k, whatever the order, and also of an empty one
SELECT (minhash_info(minhash_merge_agg(m ORDER BY k))).k AS up, (minhash_info(minhash_merge_agg(m ORDER BY k DESC))).k AS down, minhash_merge_agg(m ORDER BY k) = minhash_merge_agg(m ORDER BY k DESC) AS same, minhash_merge_agg(m) = minhash_merge_agg(m::minhash(32)) AS as_folded
FROM (SELECT k, (SELECT minhash_agg(i, k) FROM generate_series(k, k + 500) i) AS m FROM unnest(ARRAY[32, 64, 1024]) k) q;
SELECT minhash_info(minhash_merge_agg(m)) FROM (SELECT minhash_agg(i) AS m FROM generate_series(1, 10) i UNION ALL SELECT minhash_empty(16)) q;
SELECT minhash_merge_agg(m) = minhash_empty(16) AS empty_ones FROM (VALUES (minhash_empty(1024)), (NULL), (minhash_empty(16)), (minhash_empty(128))) q(m);
SELECT minhash_merge_agg(m) = (SELECT minhash_agg(1, 256)) AS of_parts FROM (SELECT minhash_merge_agg(m) AS m FROM (SELECT 1, minhash_agg(1, 256) UNION ALL VALUES (2, NULL::minhash), (2, NULL)) q(part, m) GROUP BY part) q;
SELECT minhash_merge_agg(m) FROM (VALUES (minhash_add(minhash_empty(), 1)), (minhash_add(minhash_empty(), 'a'))) q(m);

-- the same bytes from every plan
CREATE TABLE minhash_rows AS SELECT i, i % 7 AS g, i % 900 AS v FROM generate_series(1, 20000) i;
ALTER TABLE minhash_rows SET (parallel_workers = 2);
ANALYZE minhash_rows;
CREATE TEMP TABLE serial AS SELECT g, minhash_agg(v) AS m, minhash_agg(i::text, 1024) AS t, minhash_agg(v % 20) AS few FROM minhash_rows GROUP BY g;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
EXPLAIN (COSTS OFF) SELECT minhash_agg(v) FROM minhash_rows;
SELECT bool_and(s.m = p.m AND s.t = p.t AND s.few = p.few) AS same FROM serial s JOIN (SELECT g, minhash_agg(v) AS m, minhash_agg(i::text, 1024) AS t, minhash_agg(v % 20) AS few FROM minhash_rows GROUP BY g) p USING (g);
SELECT minhash_agg(v) = (SELECT minhash_merge_agg(m) FROM serial) AS of_groups FROM minhash_rows;
DROP TABLE minhash_rows;
