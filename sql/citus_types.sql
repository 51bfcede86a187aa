-- probds_citus: aggregates with declared types beside those over "any"
\set values `echo "${PROBDS_SRC:-.}/test/types/values.sql"`
\set answer `echo "${PROBDS_SRC:-.}/test/types/answer.sql"`
\set ECHO none
\i :values
\i :answer
\set ECHO all
SET client_min_messages = warning;
INSERT INTO value_types VALUES (0, '"char"', 'text', 'a', 'b');
CREATE TEMP TABLE column_0 AS SELECT v::"char" FROM unnest('{a,b,a,b,NULL}'::text[]) v;

-- what aggregates say of every type of values, and whether every type of the server is taken; the
-- catalog's own types have no values
CREATE TEMP VIEW said AS
SELECT value_type, call, pg_temp.answer(format('SELECT (%s)::text FROM column_%s', call, n)) AS said
FROM value_types, unnest('{hll_agg(v),"hll_agg(v, 12)","bloom_agg(v, 100)",cms_agg(v),'
    '"cms_agg_weighted(v, 2)","topk_items(topk_agg(v))","cuckoo_agg(v, 100)",'
    '"counting_bloom_agg(v, 100)","scalable_bloom_agg(v, 100)",minhash_agg(v)}'::text[]) call
UNION ALL
SELECT oid::regtype::text, 'hll_agg(NULL)',
    pg_temp.answer(format('SELECT hll_agg(NULL::%s)', oid::regtype))
FROM pg_type WHERE typtype <> 'p' AND oid < 16384 AND (typcategory <> 'Z' OR typname = 'char');
CREATE TEMP TABLE before AS TABLE said;
SELECT count(*) > 900 AS many, count(*) FILTER (WHERE said !~ '^[0-9]{5}$') > 400 AS sketches
FROM before;

CREATE EXTENSION probds_citus;
-- the same as before
SELECT value_type, call, b.said AS before, a.said AS after FROM before b
FULL JOIN said a USING (value_type, call) WHERE a.said IS DISTINCT FROM b.said;
-- a call takes the declared type, where there is one
CREATE TEMP VIEW declared AS SELECT hll_agg('a'::"char") AS char, topk_agg(1::bigint, 10) AS bigint,
    cms_agg('a') AS literal, minhash_agg('a'::varchar) AS varchar, hll_agg(ARRAY[1]) AS array;
SELECT d.refobjid::regprocedure FROM pg_rewrite r JOIN pg_depend d ON d.objid = r.oid
    AND d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_proc'::regclass
WHERE r.ev_class = 'declared'::regclass AND d.refobjid >= 16384
ORDER BY d.refobjid::regprocedure::text COLLATE "C";
DROP VIEW declared;
-- a ddsketch takes numbers; and the text of a state of approx_percentile lacks its fractions
SELECT proname, string_agg(DISTINCT proargtypes[0]::regtype::text, ' ' ORDER BY proargtypes[0]::regtype::text) AS of, bool_or(aggcombinefn <> 0) AS is_split
FROM pg_aggregate a JOIN pg_proc p ON p.oid = a.aggfnoid JOIN pg_depend d ON d.objid = p.oid JOIN pg_extension e ON e.oid = d.refobjid
WHERE extname = 'probds_citus' AND proname ~ 'ddsketch|percentile' GROUP BY proname ORDER BY proname;
-- they fill rollups, too
CREATE TABLE seen (day date, who text, n int);
SELECT probds_create_rollup('daily', 'SELECT day, hll_agg(who) AS visitors, cms_agg_weighted(who, n, 0.01, 0.05) AS counts, bloom_agg(n, 100) AS filter FROM seen GROUP BY 1');
INSERT INTO seen SELECT '2026-03-01'::date + i % 3, 'v' || i, i FROM generate_series(1, 100) i;
UPDATE seen SET n = n + 1 WHERE n = 7;
SELECT count(*) AS groups, count(*) FILTER (WHERE d::text = q::text) AS equal FROM daily d FULL JOIN daily_query q USING (day);
CALL probds_refresh_rollup('daily');
SELECT count(*) AS groups, count(*) FILTER (WHERE d::text = q::text) AS equal FROM daily d FULL JOIN daily_query q USING (day);
SELECT probds_drop_rollup('daily');
DROP TABLE seen;
DROP EXTENSION probds_citus;
