-- Of all types: the same values are the same bytes, whatever way led there
\set types `echo "${PROBDS_SRC:-.}/test/types/check.sql"`
\set ECHO none
\i :types
\set ECHO all
-- X_sets: of the large parameters, from nothing to many
CALL pg_temp.each($$
CREATE TEMP TABLE {type}_sets AS
SELECT n, coalesce((SELECT {type}_agg(i, {large}) FROM generate_series(1, n) i), {type}_empty({large})) AS s FROM unnest('{0,1,2,7,90,1500,15000}'::int[]) n WHERE 2 * n <= {exact}
$$);

-- ---------- the order of rows ----------
SELECT c.check, pg_temp.verdict(statement, 'true', condition) FROM (VALUES
    (1, 'backwards', 'true', $$SELECT bool_and(s = (SELECT {type}_agg(i, {large}) FROM generate_series(n, 1, -1) i)) FROM {type}_sets WHERE n > 0$$),
    (2, 'shuffled', 'true', $$SELECT bool_and(s = (SELECT {type}_agg(i, {large} ORDER BY md5(i::text)) FROM generate_series(1, n) i)) FROM {type}_sets WHERE n > 0$$),
    (3, 'by hash', 'true', $$SELECT bool_and(s = (SELECT {type}_agg(i, {large} ORDER BY probds_hash(i)) FROM generate_series(1, n) i)) FROM {type}_sets WHERE n > 0$$),
    (4, 'by the trailing zeros of the hash', 'true', $$SELECT bool_and(s = (SELECT {type}_agg(i, {large} ORDER BY probds_hash(i) & -probds_hash(i)) FROM generate_series(1, n) i)
        AND s = (SELECT {type}_agg(i, {large} ORDER BY probds_hash(i) & -probds_hash(i) DESC) FROM generate_series(1, n) i)) FROM {type}_sets WHERE n BETWEEN 1 AND 2000$$),
    (5, 'with NULLs', 'true', $$SELECT bool_and(s = (SELECT {type}_agg(nullif(i, n + 1), {large}) FROM generate_series(1, n + 1) i)) FROM {type}_sets$$),
    (6, 'each twice, a set', 'NOT counts', $$SELECT bool_and(s = (SELECT {type}_agg(least(i, 2 * n - i + 1), {large}) FROM generate_series(1, 2 * n) i)) FROM {type}_sets WHERE n > 0$$),
    (7, 'each twice, counted', 'counts', $$SELECT bool_and(s || s = (SELECT {type}_agg(least(i, 2 * n - i + 1), {large}) FROM generate_series(1, 2 * n) i) AND s || s = (SELECT {type}_agg(i, {large}) FROM generate_series(1, n) i, generate_series(1, 2))) FROM {type}_sets WHERE n > 0$$)
) c(n, "check", condition, statement) ORDER BY n;

-- ---------- splits and merges ----------
SELECT c.check, pg_temp.verdict(statement, 'true', condition) FROM (VALUES
    (1, 'odd and even', 'true', $$/* as added */ SELECT bool_and(s = (SELECT {type}_merge_agg(p) FROM (SELECT {type}_agg(i, {large}) AS p FROM generate_series(1, n) i GROUP BY i % 2) q)) FROM {type}_sets WHERE n > 0$$),
    (2, 'halves', 'true', $$/* as added */ SELECT bool_and(s = (SELECT {type}_merge_agg(p) FROM (SELECT {type}_agg(i, {large}) AS p FROM generate_series(1, n) i GROUP BY i * 2 / n) q)) FROM {type}_sets WHERE n > 0$$),
    (3, 'seventeen', 'true', $$/* as added */ SELECT bool_and(s = (SELECT {type}_merge_agg(p) FROM (SELECT {type}_agg(i, {large}) AS p FROM generate_series(1, n) i GROUP BY i % 17) q)) FROM {type}_sets WHERE n > 0$$),
    (4, 'one and the rest', 'true', $$/* as added */ SELECT bool_and(s = (SELECT {type}_merge_agg(p) FROM (SELECT {type}_agg(i, {large}) AS p FROM generate_series(1, n) i GROUP BY i = 5) q)) FROM {type}_sets WHERE n > 0$$),
    (5, 'in two orders', 'true', $$/* as added */ SELECT bool_and(s = (SELECT {type}_merge_agg(p ORDER BY d) FROM (SELECT i % 17 AS d, {type}_agg(i, {large}) AS p FROM generate_series(1, n) i GROUP BY 1) q)
        AND s = (SELECT {type}_merge_agg(p ORDER BY d DESC) FROM (SELECT i % 17 AS d, {type}_agg(i, {large}) AS p FROM generate_series(1, n) i GROUP BY 1) q)) FROM {type}_sets WHERE n > 0$$),
    (6, 'merged of merged', 'true', $$/* as added */ SELECT bool_and(s = (SELECT {type}_merge_agg(m) FROM (SELECT {type}_merge_agg(p) AS m FROM (SELECT i % 17 AS d, {type}_agg(i, {large}) AS p FROM generate_series(1, n) i GROUP BY 1) q GROUP BY d % 4) r)) FROM {type}_sets WHERE n > 0$$),
    (7, 'with nothing', 'true', $$SELECT bool_and(s || {type}_empty({large}) = s AND {type}_empty({large}) || s = s AND s || NULL = s) FROM {type}_sets$$),
    (8, 'with itself, a set', 'NOT counts', $$SELECT bool_and(s || s = s AND (SELECT {type}_merge_agg(x) FROM unnest(ARRAY[s, NULL, {type}_empty({large}), s]) x) = s) FROM {type}_sets$$),
    (9, 'with itself, counted', 'counts', $$SELECT bool_and((SELECT {type}_merge_agg(x) FROM unnest(ARRAY[s, NULL, {type}_empty({large}), s]) x) = s || s) FROM {type}_sets$$),
    (10, 'a small and a large one, overlapping', 'true', $$/* as added */ SELECT bool_and(a || b = (SELECT {type}_agg(v, {large}) FROM (SELECT generate_series(1, n / 2 + 1) UNION ALL SELECT generate_series(n / 3 + 1, n)) q(v)) AND a || b = b || a)
        FROM {type}_sets, LATERAL (SELECT {type}_agg(i, {large}) AS a FROM generate_series(1, n / 2 + 1) i) x, LATERAL (SELECT {type}_agg(i, {large}) AS b FROM generate_series(n / 3 + 1, n) i) y WHERE n > 0$$),
    (11, 'associates', 'true', $$SELECT bool_and((s || a) || b = s || (a || b)) FROM {type}_sets, {type}_add({type}_empty({large}), -1) a, {type}_add_all({type}_empty({large}), '{-2,-3,1}'::int[]) b$$)
) c(n, "check", condition, statement) ORDER BY n;

-- ---------- by rows, by arrays, by loops ----------
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'an array', $$SELECT bool_and({type}_add_all({type}_empty({large}), (SELECT array_agg(i) FROM generate_series(1, n) i)) = s) FROM {type}_sets WHERE n > 0$$),
    (2, 'an array of arrays', $$SELECT bool_and({type}_add_all({type}_add_all({type}_empty({large}), (SELECT array_agg(i) FROM generate_series(1, n / 2) i)), (SELECT array_agg(i) FROM generate_series(n / 2 + 1, n) i)) = s) FROM {type}_sets WHERE n > 0$$),
    (3, 'row by row, added and merged', $$/* as added */ WITH RECURSIVE grown(n, s, t) AS (SELECT 0, {type}_empty({large}), {type}_empty({large})
            UNION ALL SELECT n + 1, {type}_add(s, n + 1), CASE n % 2 WHEN 0 THEN t || {type}_add({type}_empty({large}), n + 1) ELSE {type}_add({type}_empty({large}), n + 1) || t END FROM grown WHERE n < 1000)
        SELECT bool_and(g.s = g.t) AND bool_and(g.s = e.s) AND count(*) = 1001 FROM grown g LEFT JOIN {type}_sets e USING (n)$$),
    (4, 'windows', $$SELECT bool_and(w.s = e.s) FROM (SELECT i AS n, {type}_agg(i, {large}) OVER (ORDER BY i) AS s FROM generate_series(1, 1500) i) w JOIN {type}_sets e USING (n)$$),
    (5, 'stored in parts', $$SELECT bool_and(s::text::{type} || s::bytea::{type} = s || s) FROM {type}_sets$$)
) c(n, "check", statement) ORDER BY n;

-- ---------- every plan: serial, hashed, sorted, spilled, partition-wise, parallel ----------
CALL pg_temp.make_rows();
CALL pg_temp.each('CREATE TABLE {type}_stored WITH (parallel_workers = 2) AS SELECT g, c, {type}_agg(n % 1999, {large}) AS s FROM plan_rows GROUP BY 1, 2');
CALL pg_temp.each('ANALYZE {type}_stored');
SELECT c.check, pg_temp.verdict(format('SELECT pg_temp.all_plans(%L) ~ (''^[0-9]+ groups, [0-9a-f]{32}'' || CASE WHEN {as_added} THEN %L ELSE ''(, in parts)?'' END || ''$'')', statement,
        CASE WHEN partial THEN ', in parts' WHEN partial IS NULL THEN '(, in parts)?' ELSE '' END), 'true', condition) FROM (VALUES
    (1, 'groups of numbers', 'true', true, $$SELECT g AS k, {type}_agg(n % 1999, {large}) AS s FROM plan_rows GROUP BY g$$),
    (2, 'groups of texts', 'NOT numbers', true, $$SELECT g AS k, {type}_agg('item ' || n % 1999, {large}) AS s FROM plan_rows GROUP BY g$$),
    (3, 'large groups', 'true', true, $$SELECT c AS k, {type}_agg(n % 1999, {usual}) AS s FROM plan_rows GROUP BY c$$),
    (4, 'no groups', 'NOT numbers', true, $$SELECT 0 AS k, {type}_agg('item ' || n % 1999, {large}) AS s FROM plan_rows$$),
    (5, 'numeric', 'true', true, $$SELECT 0 AS k, {type}_agg(n % 1999 / 2.0, {large}) AS s FROM plan_rows$$),
    (6, 'records', 'NOT numbers', true, $$SELECT c AS k, {type}_agg(ROW(n % 1999, 'item'), {large}) AS s FROM plan_rows GROUP BY c$$),
    (7, 'merged by groups', 'true', true, $$SELECT g AS k, {type}_merge_agg(s) AS s FROM {type}_stored GROUP BY g$$),
    (8, 'merged', 'true', true, $$SELECT 0 AS k, {type}_merge_agg(s) AS s FROM {type}_stored$$),
    (9, 'partitions', 'true', NULL, $$SELECT g AS k, {type}_agg(n % 1999, {large}) AS s FROM plan_parts GROUP BY g$$),
    (10, 'across partitions', 'true', NULL, $$SELECT c AS k, {type}_agg(n % 1999, {large}) AS s FROM plan_parts GROUP BY c$$),
    (11, 'whose states cannot be united', 'alone IS NOT NULL', false, $$SELECT g AS k, {alone} AS s FROM (SELECT g, n % 1999 AS v FROM plan_rows) q GROUP BY g$$),
    (12, 'over all groups', 'alone IS NOT NULL', false, $$SELECT 0 AS k, {alone} AS s FROM (SELECT n % 1999 AS v FROM plan_rows) q$$)
) c(n, "check", condition, partial, statement) ORDER BY n;
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'the whole as its parts', $$SELECT (SELECT {type}_merge_agg(s) FROM {type}_stored) = (SELECT {type}_agg(n % 1999, {large}) FROM plan_rows)$$),
    (2, 'partitions as one table', $$SELECT (SELECT {type}_agg(n % 1999, {large}) FROM plan_parts) = (SELECT {type}_agg(n % 1999, {large}) FROM plan_rows)$$),
    (3, 'a window as a group', $$SELECT (SELECT {type}_agg(n % 1999, {large}) OVER () FROM plan_rows LIMIT 1) = (SELECT {type}_agg(n % 1999, {large}) FROM plan_rows)$$)
) c(n, "check", statement) ORDER BY n;
DROP TABLE plan_rows, plan_parts;
CALL pg_temp.each('DROP TABLE {type}_stored');
