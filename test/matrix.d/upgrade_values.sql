-- upgrade_values.sql: for each type X of the extension that has an X_agg(), a table values_X of
-- sketches, as people have them. They are of few and of many values, with keys and indexes on
-- them, and in a materialized view
CREATE EXTENSION probds;
SET client_min_messages = warning;

-- the sizes go through every encoding
CREATE TABLE size AS SELECT n FROM unnest(ARRAY[1, 2, 10, 100, 1000, 5000, 20000, 200000]) n;

-- the shortest call of each aggregate: X_agg(value), or X_agg(value, k)
CREATE TABLE kind AS
SELECT DISTINCT ON (t.typname) t.typname AS name, CASE p.pronargs WHEN 1 THEN ''
    ELSE ', 20' END AS parameters
FROM pg_type t
JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
    AND e.extname = 'probds'
JOIN pg_proc p ON p.proname = t.typname || '_agg' AND p.proargtypes[0] = 'text'::regtype
    AND (p.pronargs = 1 OR p.pronargs = 2 AND p.proargtypes[1] = 'integer'::regtype)
WHERE t.typtype = 'b' AND t.typelem = 0
ORDER BY t.typname, p.pronargs;

SELECT format($sql$
CREATE VIEW made_%1$s AS
SELECT n, 'text' AS values, %1$s_agg('value ' || i%2$s) AS s FROM size, generate_series(1, n) i
GROUP BY n
UNION ALL SELECT n, 'integer', %1$s_agg(i%2$s) FROM size, generate_series(1, n) i GROUP BY n
UNION ALL SELECT n, 'uuid', %1$s_agg(md5(i::text)::uuid%2$s) FROM size, generate_series(1, n) i
WHERE n <= 1000 GROUP BY n
UNION ALL SELECT n, 'numeric', %1$s_agg(i / 4.0%2$s) FROM size, generate_series(1, n) i
WHERE n <= 1000 GROUP BY n
-- kinds with a signature, which is the same on all versions
UNION ALL SELECT n, 'record', %1$s_agg(ROW(i, 'value ' || i)%2$s) FROM size, generate_series(1, n) i
WHERE n <= 1000 GROUP BY n
UNION ALL SELECT n, 'range', %1$s_agg(int4range(i, i + 2)%2$s) FROM size, generate_series(1, n) i
WHERE n <= 1000 GROUP BY n
UNION ALL SELECT -1, 'none', %1$s_agg(NULL::text%2$s)
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
$sql$, name, parameters) FROM kind ORDER BY name \gexec
