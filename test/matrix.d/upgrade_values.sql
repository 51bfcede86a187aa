-- upgrade_values.sql: for each type X of the extension that has an X_agg(), a table values_X of
-- sketches, as people have them. They are of few and of many values, with keys and indexes on
-- them, and in a materialized view
CREATE EXTENSION probds;
SET client_min_messages = warning;

-- the sizes go through every encoding
CREATE TABLE size AS SELECT n FROM unnest(ARRAY[1, 2, 10, 100, 1000, 5000, 20000, 200000]) n;

-- the shortest call of each aggregate: X_agg(value), or X_agg(value, capacity)
CREATE TABLE kind AS
SELECT DISTINCT ON (t.typname) t.typname AS name, CASE p.pronargs WHEN 1 THEN ''
    ELSE ', 200000' END AS parameters, CASE t.typname
    WHEN 'ddsketch' THEN '{i * 1.5,i / 4.0 - 100,exp(i / 100.0)::float8,i * interval ''1 s''}'
    ELSE '{''value '' || i,md5(i::text)::uuid,"ROW(i, ''value '' || i)","int4range(i, i + 2)"}'
    END::text[] AS of
FROM pg_type t
JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
    AND e.extname = 'probds'
JOIN pg_proc p ON p.proname = t.typname || '_agg' AND p.proargtypes[0] = '"any"'::regtype
    AND p.pronargs <= 2
WHERE t.typtype = 'b' AND t.typelem = 0
ORDER BY t.typname, p.pronargs;

SELECT format($sql$
CREATE VIEW made_%1$s AS
SELECT n, 'text' AS values, %1$s_agg(%3$s%2$s) AS s FROM size, generate_series(1, n) i
GROUP BY n
UNION ALL SELECT n, 'integer', %1$s_agg(i%2$s) FROM size, generate_series(1, n) i GROUP BY n
UNION ALL SELECT n, 'uuid', %1$s_agg(%4$s%2$s) FROM size, generate_series(1, n) i
WHERE n <= 1000 GROUP BY n
UNION ALL SELECT n, 'numeric', %1$s_agg(i / 4.0%2$s) FROM size, generate_series(1, n) i
WHERE n <= 1000 GROUP BY n
-- kinds with a signature, which is the same on all versions
UNION ALL SELECT n, 'record', %1$s_agg(%5$s%2$s) FROM size, generate_series(1, n) i
WHERE n <= 1000 GROUP BY n
UNION ALL SELECT n, 'range', %1$s_agg(%6$s%2$s) FROM size, generate_series(1, n) i
WHERE n <= 1000 GROUP BY n
UNION ALL SELECT -1, 'none', %1$s_agg(NULL::int%2$s)
UNION ALL SELECT -2, 'null', NULL;

CREATE TABLE values_%1$s (n int, values text, s %1$s, PRIMARY KEY (n, values));
INSERT INTO values_%1$s TABLE made_%1$s;
CREATE INDEX values_%1$s_hash ON values_%1$s USING hash (s);
-- a key of an index must be short
CREATE INDEX values_%1$s_btree ON values_%1$s USING btree (s) WHERE n <= 10;
CREATE INDEX values_%1$s_expression ON values_%1$s ((md5(s::bytea)));
CREATE MATERIALIZED VIEW twice_%1$s AS
SELECT n, values, %1$s_merge_agg(s) AS s FROM (TABLE values_%1$s UNION ALL TABLE values_%1$s) q
GROUP BY n, values;
$sql$, name, parameters, of[1], of[2], of[3], of[4]) FROM kind ORDER BY name \gexec

-- rollups with groups that wait, of a partitioned table and of one another; an existence index
CREATE TABLE visit (at date, who int) PARTITION BY RANGE (at);
CREATE TABLE visit_1 PARTITION OF visit FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
CREATE TABLE visit_2 PARTITION OF visit FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
SELECT probds_create_rollup('daily', 'SELECT at, hll_agg(who) AS visitors, '
    'topk_agg(who, 10) AS top, count(*) AS hits FROM visit GROUP BY 1');
SELECT probds_create_rollup('weekly', 'SELECT date_trunc(''week'', at)::date AS week, '
    'hll_merge_agg(visitors) AS visitors, sum(hits) AS hits FROM daily GROUP BY 1');
INSERT INTO visit SELECT '2026-01-01'::date + i % 50, i % 700 FROM generate_series(1, 5000) i;
CALL probds_refresh_rollup('weekly');
INSERT INTO visit SELECT '2026-01-01'::date + i % 20, i FROM generate_series(1, 1000) i;
UPDATE visit SET who = who + 1 WHERE at = '2026-02-03';
CREATE INDEX visit_who ON visit USING existence (who);
