-- upgrade_answers.sql: what there is to know about the values, a line each, the
-- same on all versions
\set VERBOSITY terse
SET client_min_messages = warning;
SELECT 'types', count(*), string_agg(name, ',' ORDER BY name) FROM kind;

SELECT format($sql$
SELECT '%1$s values', count(*), count(s),
    md5(string_agg(n || values || coalesce(encode(s::bytea, 'hex'), ''), ',' ORDER BY n, values))
    FROM values_%1$s;
SELECT '%1$s answers', md5(string_agg(i::text, ',' ORDER BY n, values, i::text))
FROM values_%1$s LEFT JOIN LATERAL %1$s_info(s) i ON true;
SELECT '%1$s by text', count(*) FROM values_%1$s WHERE s::text::%1$s = s AND s::bytea::%1$s = s;
SELECT '%1$s made again', count(*) FROM values_%1$s v JOIN made_%1$s m USING (n, values)
WHERE v.s IS NOT DISTINCT FROM m.s;
SELECT '%1$s merged', md5(string_agg(encode((s || s)::bytea, 'hex'), ',' ORDER BY n, values))
FROM values_%1$s;
SELECT '%1$s in a view', md5(string_agg(encode(s::bytea, 'hex'), ',' ORDER BY n, values))
FROM twice_%1$s;
REFRESH MATERIALIZED VIEW twice_%1$s;
SELECT '%1$s refreshed', md5(string_agg(encode(s::bytea, 'hex'), ',' ORDER BY n, values))
FROM twice_%1$s;

SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
SELECT '%1$s by index', count(*) FROM values_%1$s a JOIN values_%1$s b USING (s);
SELECT '%1$s by its ordering', count(*) FROM (SELECT s FROM values_%1$s WHERE n <= 10 ORDER BY s) q;
SELECT '%1$s by expression', count(*) FROM values_%1$s a
    JOIN values_%1$s b ON md5(a.s::bytea) = md5(b.s::bytea);
RESET ALL;
SET client_min_messages = warning;
$sql$, name) FROM kind ORDER BY name \gexec

SELECT 'daily', count(*), md5(string_agg(d::text, ',' ORDER BY at)) FROM daily d;
SELECT 'weekly', count(*), md5(string_agg(w::text, ',' ORDER BY week)) FROM weekly w;
SELECT 'differences', (SELECT count(*) FROM (TABLE daily EXCEPT TABLE daily_query) d),
    (SELECT count(*) FROM (TABLE weekly EXCEPT TABLE weekly_query) w);
SELECT rollup, groups_waiting, status FROM probds_rollups() ORDER BY rollup::text;
BEGIN;
INSERT INTO visit SELECT '2026-01-01'::date + i % 20, -i FROM generate_series(1, 1000) i;
DELETE FROM visit WHERE who < 5;
SELECT 'differences after changes',
    (SELECT count(*) FROM (TABLE daily EXCEPT TABLE daily_query) d),
    (SELECT count(*) FROM (TABLE weekly EXCEPT TABLE weekly_query) w),
    (SELECT sum(hits) FROM daily);
ROLLBACK;
SELECT 'existence', count(*) FILTER (WHERE existence_might_contain('visit', 'who', i)),
    count(*) FILTER (WHERE EXISTS (SELECT FROM visit WHERE who = i)),
    (SELECT sum(existence_verify(t, 'who')) FROM unnest('{visit_1,visit_2}'::regclass[]) t)
FROM generate_series(1, 1000) i;
