-- What a ddsketch answers, beside the exact numbers
\set SHOW_CONTEXT never
\set answer `echo "${PROBDS_SRC:-.}/test/types/answer.sql"`
\i :answer
SET intervalstyle = postgres;
-- the same numbers on every run
CREATE FUNCTION pg_temp.uniform(i int) RETURNS float8 LANGUAGE sql AS
    $$SELECT ((probds_hash(i) & 4503599627370495) + 0.5) / 4503599627370496$$;
CREATE TEMP TABLE numbers AS
SELECT name, v FROM generate_series(1, 20000) i, LATERAL (SELECT pg_temp.uniform(i) AS u, pg_temp.uniform(-i) AS w) r,
    LATERAL (SELECT sqrt(-2 * ln(u)) * cos(2 * pi() * w) AS n) s,
    LATERAL (VALUES ('log-normal', exp(n)), ('Pareto', u ^ (-1 / 1.5::float8)), ('uniform', u), ('bimodal', CASE WHEN i % 2 = 0 THEN 10 + n ELSE 1000 + 30 * n END),
        ('negative', -exp(n)), ('both signs', 100 * n), ('ties', (i % 20)::float8), ('six decades', 10 ^ (6 * u)), ('a few', CASE WHEN i < 12 THEN u END)) d(name, v);
CREATE TEMP TABLE sketches AS
SELECT name, 0.01 AS relative_error, 4096 AS max_buckets, ddsketch_agg(v) AS s FROM numbers GROUP BY 1
UNION ALL SELECT name, 0.001, 4096, ddsketch_agg(v, 0.001) FROM numbers GROUP BY 1
UNION ALL SELECT name, 0.2, 4096, ddsketch_agg(v, 0.2) FROM numbers GROUP BY 1
UNION ALL SELECT name, 0.01, 64, ddsketch_agg(v, 0.01, 64) FROM numbers GROUP BY 1;

-- ---------- the promise ----------
-- at every quantile the bounds hold, and the error is not above that of the scale
SELECT relative_error, max_buckets, count(*) AS quantiles, count(*) FILTER (WHERE NOT d BETWEEN (b).lower AND (b).upper) AS outside,
    count(*) FILTER (WHERE abs((b).estimate - d) > abs(d) * (i).error * 1.00001) AS off, bool_and((i).error <= relative_error) AS kept, count(DISTINCT (i).scale) AS scales
FROM sketches, unnest('{0,0.001,0.01,0.1,0.25,0.5,0.75,0.9,0.95,0.99,0.999,1}'::float8[]) q, LATERAL (SELECT ddsketch_bounds(s, q) AS b, ddsketch_info(s) AS i) a,
    LATERAL (SELECT percentile_disc(q) WITHIN GROUP (ORDER BY v) AS d FROM numbers n WHERE n.name = sketches.name) e
GROUP BY 1, 2 ORDER BY 1, 2;
-- exact: count, smallest, largest; within the error: sum and mean of one sign, the share up to a value
SELECT name, ddsketch_count(s) = count(v) AS count, ddsketch_min(s) = min(v) AND ddsketch_quantile(s, 0) = min(v) AS min, ddsketch_max(s) = max(v) AND ddsketch_quantile(s, 1) = max(v) AS max,
    name = 'both signs' OR abs(ddsketch_sum(s) - sum(v)) <= 0.0055 * abs(sum(v)) AS sum, name = 'both signs' OR abs(ddsketch_avg(s) - avg(v)) <= 0.0055 * abs(avg(v)) AS avg
FROM numbers JOIN sketches USING (name) WHERE relative_error = 0.01 AND max_buckets = 4096 GROUP BY name, s ORDER BY name;
SELECT count(*) AS ranks, count(*) FILTER (WHERE ddsketch_rank(s, v) NOT BETWEEN least_share AND most_share) AS off
FROM (SELECT s, n.name, x AS v, (SELECT count(*) FILTER (WHERE v <= x - abs(x) * 0.011) / count(v)::float8 FROM numbers m WHERE m.name = n.name) AS least_share,
    (SELECT count(*) FILTER (WHERE v <= x + abs(x) * 0.011) / count(v)::float8 FROM numbers m WHERE m.name = n.name) AS most_share
    FROM sketches n, unnest('{-1000,-2.5,0,0.3,1,2,7,12,990,20000}'::float8[]) x WHERE relative_error = 0.01 AND max_buckets = 4096) q;
-- the buckets have all values, once, in order
SELECT name, count(*) = (ddsketch_info(s)).buckets + (count(*) FILTER (WHERE lower = 0 AND upper = 0)) AS buckets, sum(b.count) = ddsketch_count(s) AS all_values, bool_and(lower <= upper AND (before IS NULL OR before <= lower)) AS in_order
FROM sketches, LATERAL (SELECT *, lag(upper) OVER () AS before FROM ddsketch_buckets(s)) b WHERE relative_error = 0.2 GROUP BY name, s ORDER BY name;
SELECT * FROM ddsketch_buckets((SELECT ddsketch_agg(v, 0.4) FROM unnest('{-Infinity,-3,0,0,1,2,3,4,5,Infinity,NaN,NaN}'::float8[]) v));

-- ---------- infinities and NaN: as percentile_disc() has them ----------
CREATE TEMP TABLE special AS SELECT v FROM unnest('{-Infinity,-Infinity,-1.5,0,-0,2,Infinity,NaN}'::float8[]) v;
SELECT q, ddsketch_quantile(s, q), percentile_disc(q) WITHIN GROUP (ORDER BY v) AS exact FROM special, (SELECT ddsketch_agg(v) AS s FROM special) t, unnest('{0,0.25,0.3,0.375,0.5,0.7,0.75,0.8,0.9,1}'::float8[]) q GROUP BY q, s ORDER BY q;
SELECT ddsketch_count(s), ddsketch_min(s), ddsketch_max(s), ddsketch_sum(s), ddsketch_rank(s, '-Infinity'::float8) AS low, ddsketch_rank(s, 0) AS zero, ddsketch_rank(s, 'Infinity'::float8) AS high, ddsketch_rank(s, 'NaN'::float8) AS nan FROM (SELECT ddsketch_agg(v) AS s FROM special) t;
-- in a bucket of the smallest numbers there are
SELECT round(ddsketch_rank(ddsketch_agg(v, 0.5), 3.5e-323)::numeric, 3) AS smallest FROM unnest('{3.5e-323,1,2}'::float8[]) v;
-- whose sum is too large
SELECT round((ddsketch_avg(ddsketch_agg(v)) / 1e308)::numeric, 2) AS avg, ddsketch_sum(ddsketch_agg(v)) FROM unnest('{1e308,1.5e308,1.25e308}'::float8[]) v;
SELECT ddsketch_agg(v) = ddsketch_agg(v::float8) AS numeric FROM (VALUES ('NaN'::numeric), (1), (0.0), (-7.25)) t(v);
-- numbers at both ends
SELECT ddsketch_quantiles(ddsketch_agg(v), '{0,0.4,0.6,1}') FROM unnest('{5e-324,1e-320,2.2250738585072014e-308,1.7976931348623157e308,1.5e308}'::float8[]) v;

-- ---------- values ----------
SELECT ddsketch_agg(i::smallint) = ddsketch_agg(i) AND ddsketch_agg(i::bigint) = ddsketch_agg(i) AND ddsketch_agg(i::numeric) = ddsketch_agg(i) AND ddsketch_agg(i::real) = ddsketch_agg(i) AND ddsketch_agg(i::float8) = ddsketch_agg(i) AS same FROM generate_series(-100, 100) i;
-- intervals are what their comparison has; answers are seconds, or an interval
SELECT ddsketch_agg(v) = ddsketch_agg(v2) AS same FROM (VALUES (interval '1 mon', interval '30 days'), ('1 day', '24 hours'), ('-90 min', '-01:30')) t(v, v2);
SELECT q, ddsketch_quantile_interval(s, q), round(ddsketch_quantile(s, q)::numeric, 6) AS seconds, d FROM (SELECT ddsketch_agg(i * interval '1 min') AS s FROM generate_series(1, 1000) i) t, unnest('{0,0.5,0.95,1}'::float8[]) q,
    LATERAL (SELECT percentile_disc(q) WITHIN GROUP (ORDER BY i * interval '1 min') AS d FROM generate_series(1, 1000) i) e ORDER BY q;
SELECT ddsketch_rank(ddsketch_agg(i * interval '1 min'), interval '50 min') FROM generate_series(1, 100) i;
SELECT (ddsketch_info(ddsketch_agg(interval '1 min'))).kind, ddsketch_min(ddsketch_agg(interval '1 min')), ddsketch_max(ddsketch_agg(interval '-1 day')), ddsketch_avg(ddsketch_agg(interval '0'));

-- ---------- weights ----------
SELECT ddsketch_agg_weighted(i, i) = (SELECT ddsketch_agg(j) FROM generate_series(1, 100) j, generate_series(1, j)) AS same, ddsketch_agg_weighted(i, 1, 0.05) = ddsketch_agg(i, 0.05) AS one, ddsketch_agg_weighted(i, 1, 0.05, 20) = ddsketch_agg(i, 0.05, 20) AS buckets,
    ddsketch_agg_weighted(i, nullif(i, 5)::bigint) = ddsketch_agg_weighted(nullif(i, 5), i) AS nulls, ddsketch_agg_weighted(i, 0) = ddsketch_empty() AS nothing FROM generate_series(1, 100) i;

-- ---------- in one step ----------
SELECT approx_percentile(v, 0.95) = ddsketch_quantile(ddsketch_agg(v), 0.95) AS one, approx_percentile(v, ARRAY[0.5, 0.9, 0.99]) = ddsketch_quantiles(ddsketch_agg(v), '{0.5,0.9,0.99}') AS several, approx_percentile(v, '{}'::float8[]) AS none
FROM numbers WHERE name = 'log-normal';
-- a state that comes from another server has lost its fractions: an error, and not NULL
CREATE AGGREGATE lost_percentile(ddsketch) (SFUNC = ddsketch_merge, STYPE = ddsketch, FINALFUNC = _ddsketch_final_percentile);
CREATE AGGREGATE lost_percentiles(ddsketch) (SFUNC = ddsketch_merge, STYPE = ddsketch, FINALFUNC = _ddsketch_final_percentiles);
SELECT lost_percentile(s) FROM (SELECT ddsketch_agg(v) AS s FROM generate_series(1, 10) v, generate_series(1, 2) n GROUP BY n) g;
SELECT lost_percentiles(s) FROM (SELECT ddsketch_agg(v) AS s FROM generate_series(1, 10) v, generate_series(1, 2) n GROUP BY n) g;
DROP AGGREGATE lost_percentile(ddsketch), lost_percentiles(ddsketch);
-- ... and so has one that an aggregate of somebody's begins with: it is shorter than a state
CREATE AGGREGATE begun_percentile("any", double precision) (SFUNC = _ddsketch_percentile_step, STYPE = ddsketch, INITCOND = 'kQAAEIAg');
CREATE AGGREGATE begun_percentiles("any", double precision[]) (SFUNC = _ddsketch_percentile_step, STYPE = ddsketch, INITCOND = 'kQAAEIAg');
SELECT begun_percentile(1, 0);
SELECT begun_percentiles(1, '{0}');
DROP AGGREGATE begun_percentile("any", double precision), begun_percentiles("any", double precision[]);
SELECT approx_percentile(v, 0.5) AS of_nulls, (SELECT approx_percentile(1, 0.5) WHERE false) AS of_no_rows FROM (VALUES (NULL::int), (NULL)) t(v);
SELECT i % 2 AS odd, approx_percentile(i * interval '1 s', 0.5) AS seconds FROM generate_series(1, 1000) i GROUP BY 1 ORDER BY 1;
-- percentile_cont() interpolates between two values, and percentile_disc() and these take one
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY v), percentile_disc(0.5) WITHIN GROUP (ORDER BY v), round(approx_percentile(v, 0.5)::numeric, 3) AS approx_percentile FROM (VALUES (1), (2), (100), (1000)) t(v);

-- ---------- a lower scale ----------
SELECT n, i.scale, i.error, i.buckets, i.status FROM unnest('{10,100,1000,100000}'::int[]) n, LATERAL (SELECT ddsketch_info(ddsketch_agg(v, 0.01, 100)) AS i FROM generate_series(1, n) v) q, LATERAL (SELECT (q.i).*) i ORDER BY n;
-- it depends on the values alone, by every plan and order
SELECT bool_and(s = t) AS same FROM (SELECT ddsketch_agg(v, 0.001, 50 ORDER BY v) AS s, ddsketch_agg(v, 0.001, 50 ORDER BY md5(v::text)) AS t FROM numbers GROUP BY name) q;
SELECT bool_and(s = t) AS merged FROM (SELECT name, ddsketch_agg(v, 0.001, 50) AS s FROM numbers GROUP BY name) q JOIN
    (SELECT name, ddsketch_merge_agg(p) AS t FROM (SELECT name, ddsketch_agg(v, 0.001, 50) AS p FROM numbers GROUP BY name, hashfloat8(v) % 13) r GROUP BY name) u USING (name);
-- other parameters: the coarser ones
SELECT ddsketch_agg(i, 0.001) || ddsketch_agg(i, 0.05, 200) = (SELECT ddsketch_agg(i, 0.05, 200) FROM generate_series(1, 500) i, generate_series(1, 2)) AS coarser, ddsketch_agg(i, 0.001)::ddsketch(0.05, 200) = ddsketch_agg(i, 0.05, 200) AS folded FROM generate_series(1, 500) i;
SELECT pg_temp.answer('SELECT ddsketch_add(ddsketch_empty(), 1e400::numeric)') AS too_large;
SELECT pg_temp.answer('SELECT ddsketch_agg(i, 0.001, 16)::ddsketch(0.001, 32) FROM generate_series(1, 500) i') AS not_known;

-- ---------- NULL, nothing, errors ----------
SELECT ddsketch_quantile(e, 0.5), ddsketch_quantile_interval(e, 0.5) AS interval, ddsketch_quantiles(e, '{0.5,NULL}') AS several, ddsketch_bounds(e, 0.5), ddsketch_rank(e, 1), ddsketch_count(e), ddsketch_min(e), ddsketch_max(e), ddsketch_sum(e), ddsketch_avg(e),
    (SELECT count(*) FROM ddsketch_buckets(e)) AS buckets FROM ddsketch_empty() e;
SELECT statement, pg_temp.answer('SELECT ' || statement || ' FROM (SELECT ddsketch_agg(i) AS s, ddsketch_agg(i * interval ''1 s'') AS t FROM generate_series(1, 9) i) q', true) FROM unnest(ARRAY['ddsketch_quantile(s, 1.1)', 'ddsketch_quantile(s, -0.1)',
    'ddsketch_quantile(s, ''NaN'')', 'ddsketch_quantiles(s, ''{0.5,2}'')', 'ddsketch_bounds(s, 2)', 'ddsketch_quantile_interval(s, 0.5)', 's || t', 'ddsketch_add(s, interval ''1 s'')', 'ddsketch_add(t, 5)', 'ddsketch_rank(t, 5)', 'ddsketch_rank(s, interval ''1 s'')',
    'ddsketch_add(s, ''five'')', 'ddsketch_add(s, now())', 'ddsketch_add(s, true)', 'ddsketch_add_all(s, ARRAY[''5''])', 'ddsketch_add_all(s, ''{5,x}'')', 'ddsketch_add_all(s, ''{5,6}'') = ddsketch_add_all(s, ARRAY[6, 5.0])', 'ddsketch_rank(s, ''5'') > 0.4',
    'ddsketch_empty(0)', 'ddsketch_empty(1)', 'ddsketch_empty(1e-8)', 'ddsketch_empty(''NaN'')', 'ddsketch_empty(0.01, 15)', '(SELECT ddsketch_agg(''5''))', '(SELECT ddsketch_agg(ROW(1)))', '(SELECT ddsketch_agg_weighted(1, -1))', '(SELECT ddsketch_agg_weighted(1, 0.5))',
    '(SELECT ddsketch_agg_weighted(1, 9223372036854775807) FROM generate_series(1, 2))', '(SELECT approx_percentile(1, 1.5))', '(SELECT approx_percentile(1, NULL::float8))', '(SELECT approx_percentile(1, ARRAY[0.5, NULL]))', '(SELECT approx_percentile(i, i / 10.0) FROM generate_series(1, 2) i)',
    '(SELECT approx_percentile(''x''::text, 0.5))']) WITH ORDINALITY u(statement, n) ORDER BY n;

-- ---------- a loop ----------
DO $$
DECLARE
    s ddsketch(0.02) := ddsketch_empty(0.02);
    d ddsketch;
BEGIN
    FOR i IN 1..3000 LOOP
        s := ddsketch_add(s, i * i);
        d := ddsketch_add(d, i);
    END LOOP;
    RAISE NOTICE '% %', s = (SELECT ddsketch_agg(i * i, 0.02) FROM generate_series(1, 3000) i), d = (SELECT ddsketch_agg(i) FROM generate_series(1, 3000) i);
END
$$;

-- ---------- health, and parallel plans ----------
CREATE TABLE latency AS SELECT i % 10 AS day, ddsketch_agg(i) AS ms FROM generate_series(1, 100000) i GROUP BY 1;
SELECT sketch_column, sketches, status, error FROM probds_health() WHERE sketch_column = 'public.latency.ms';
DROP TABLE latency;
SELECT probds_describe(ddsketch_agg(i)) AS numbers, probds_describe(ddsketch_agg(i, 0.01, 100)) AS more FROM generate_series(1, 10000) i;
CREATE TABLE plan_rows AS SELECT i, (i * 7919 % 10007) ^ 2 AS v FROM generate_series(1::bigint, 60000) i;
ALTER TABLE plan_rows SET (parallel_workers = 2);
ANALYZE plan_rows;
SET max_parallel_workers_per_gather = 0;
SELECT ddsketch_agg(v, 0.001, 300) AS s, approx_percentile(v, 0.9) AS p, approx_percentile(v, ARRAY[0.1, 0.9]) AS ps FROM plan_rows \gset
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT approx_percentile(v, 0.9) FROM plan_rows;
SELECT ddsketch_agg(v, 0.001, 300) = :'s' AS sketch, approx_percentile(v, 0.9) = :'p' AS percentile, approx_percentile(v, ARRAY[0.1, 0.9]) = :'ps' AS percentiles FROM plan_rows;
DROP TABLE plan_rows;
-- fractions that differ between workers
CREATE TABLE plan_rows (half int, v float8) PARTITION BY LIST (half);
CREATE TABLE plan_rows_0 PARTITION OF plan_rows FOR VALUES IN (0);
CREATE TABLE plan_rows_1 PARTITION OF plan_rows FOR VALUES IN (1);
INSERT INTO plan_rows SELECT i % 2, i FROM generate_series(1, 1000) i;
ANALYZE plan_rows;
SET enable_partitionwise_aggregate = on;
SELECT approx_percentile(v, 0.2 + half / 2.0) FROM plan_rows;
SELECT approx_percentile(v, ARRAY[0.2 + half / 2.0]) FROM plan_rows;
SELECT half, approx_percentile(v, 0.2 + half / 2.0) > 600 AS high FROM plan_rows GROUP BY half ORDER BY half;
RESET enable_partitionwise_aggregate;
DROP TABLE plan_rows;

-- ---------- a rollup ----------
CREATE TABLE request (day int, ms float8, took interval);
SELECT probds_create_rollup('daily', 'SELECT day, ddsketch_agg(ms) AS latency, ddsketch_agg(took, 0.02) AS took, count(*) AS n FROM request GROUP BY day');
INSERT INTO request SELECT i % 3, i, i * interval '1 s' FROM generate_series(1, 3000) i;
INSERT INTO request SELECT i % 4, -i, NULL FROM generate_series(1, 100) i;
SELECT day, latency = (SELECT ddsketch_agg(ms) FROM request r WHERE r.day = d.day) AS latency, took = (SELECT ddsketch_agg(took, 0.02) FROM request r WHERE r.day = d.day) AS took, n, ddsketch_count(latency) AS count FROM daily d ORDER BY day;
SELECT pg_temp.answer($$SELECT probds_create_rollup('p95', 'SELECT day, approx_percentile(ms, 0.95) AS p95 FROM request GROUP BY day')$$) AS no_sketch;
SELECT probds_drop_rollup('daily');
DROP TABLE request;
