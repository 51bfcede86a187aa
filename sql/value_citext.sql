-- citext: equal values must be one, or an error.  The core extension refuses it where it
-- would be cast to text; probds_citext adds it to all functions.
SET client_min_messages = warning;
CREATE EXTENSION citext;
RESET client_min_messages;

CREATE DOMAIN pg_temp.login AS citext;
CREATE TEMP TABLE visitor(c citext, l pg_temp.login, t text);
INSERT INTO visitor SELECT v, v, v FROM unnest(ARRAY['Anna', 'ANNA', 'anna', 'Berta', NULL]) v;

CREATE FUNCTION pg_temp.show(h hll) RETURNS TABLE (kind text, n bigint) LANGUAGE sql AS $$
    SELECT i.kind, i.cardinality FROM hll_info(h) i
$$;

-- ---------- without probds_citext ----------

-- The aggregates take "any", and citext as it is.  Aggregates that the planner takes for the same
SELECT pg_temp.show(hll_agg(c)) AS citext, pg_temp.show(hll_agg(l)) AS domain, approx_count_distinct(coalesce(c, 'nobody')) AS expression FROM visitor;
SELECT DISTINCT pg_temp.show(hll_agg(c) OVER ()) FROM visitor;
SELECT pg_temp.show(hll_agg(c)) AS citext, pg_temp.show(hll_agg(c::text)) AS text FROM visitor;
SELECT bloom_agg(c, 10) @> 'ANNA' AS bloom, cms_agg(c) -> 'anna' AS cms, topk_agg(c, 5) -> 'Anna' AS topk FROM visitor;
-- functions and operators
SELECT hll_add(hll_empty(), c) FROM visitor;
SELECT bloom_empty(10) @> c FROM visitor;
SELECT c <@ bloom_empty(10) FROM visitor;
SELECT cms_empty() -> c FROM visitor;
SELECT topk_frequency(topk_empty(), c) FROM visitor;
SELECT probds_hash(c) FROM visitor;
-- a parameter
PREPARE add(citext) AS SELECT hll_add(hll_empty(), $1);
EXECUTE add('Anna');
DEALLOCATE add;
-- a cast that is written asks for text
SELECT pg_temp.show(hll_agg(c::text)) FROM visitor;
SELECT pg_temp.show(hll_agg(x)) FROM (SELECT c::text AS x FROM visitor OFFSET 0) s;
-- a cast to citext asks for citext
SELECT pg_temp.show(hll_agg(t::citext)) AS citext, pg_temp.show(hll_agg(lower(t))) AS lower FROM visitor;
-- arrays come as they are
SELECT hll_add_all(hll_empty(), '{Anna,ANNA}'::citext[]) = hll_add_all(hll_empty(), '{anna}'::citext[]) AS array_of_citext;

-- ---------- with aggregates over text, for Citus, which refuse it ----------

SET client_min_messages = warning;
CREATE EXTENSION probds_citus;
RESET client_min_messages;
-- The column, a domain over it, an expression
SELECT hll_agg(c) FROM visitor;
SELECT hll_agg(l) FROM visitor;
SELECT approx_count_distinct(coalesce(c, 'nobody')) FROM visitor;
-- windows, and aggregates that the planner takes for the same
SELECT hll_agg(c) OVER () FROM visitor;
SELECT hll_agg(c), hll_agg(c::text) FROM visitor;
SELECT hll_agg(c::text), hll_agg(c) FROM visitor;
-- already the planner: what Citus gathers from its workers has lost the type
EXPLAIN (COSTS OFF) SELECT bloom_agg(c) FROM visitor;
EXPLAIN (COSTS OFF) SELECT 1 FROM visitor HAVING approx_count_distinct(c, 12) > 1;
EXPLAIN (COSTS OFF) SELECT bloom_agg(c::text) FROM visitor;
-- a view can be made, and says so when it is read
CREATE TEMP VIEW counted AS SELECT hll_agg(c) AS visitors FROM visitor;
SELECT visitors FROM counted;
DROP VIEW counted;
DROP EXTENSION probds_citus;

-- ---------- with probds_citext ----------

CREATE EXTENSION probds_citext;

SELECT pg_temp.show(hll_agg(c)) AS citext, pg_temp.show(hll_agg(l)) AS domain, pg_temp.show(hll_agg(t)) AS text,
    pg_temp.show(hll_agg(coalesce(c, 'nobody'))) AS expression, pg_temp.show(hll_agg(c, 12)) AS twelve FROM visitor;
SELECT approx_count_distinct(c) AS citext, approx_count_distinct(t) AS text, count(DISTINCT c) AS exact FROM visitor;
SELECT hll_agg(c) = hll_agg(DISTINCT c) AS alike, hll_agg(c) = hll_agg(c ORDER BY t DESC) AS sorted FROM visitor;
SELECT pg_temp.show(hll_agg(c::text)) AS cast_to_text, pg_temp.show(hll_agg(t::citext)) AS cast_to_citext FROM visitor;
-- now they are two aggregates
SELECT pg_temp.show(hll_agg(c)) AS citext, pg_temp.show(hll_agg(c::text)) AS text FROM visitor;
SELECT DISTINCT pg_temp.show(hll_agg(c) OVER ()) AS citext, pg_temp.show(hll_agg(t) OVER ()) AS text FROM visitor;
SELECT length(t) AS length, pg_temp.show(hll_agg(c)) FROM visitor WHERE t IS NOT NULL GROUP BY ROLLUP (length(t)) ORDER BY 1;

-- all other types and functions
SELECT bloom_agg(c, 10) @> 'ANNA' AS literal, bloom_agg(c, 10) @> 'aNNA'::citext AS citext, 'BERTA'::pg_temp.login <@ bloom_agg(c) AS domain,
    bloom_contains(bloom_agg(c, 10, 0.001), 'anna'::citext) AS contains, bloom_agg(c, 10, 0.01, 'classic') @> 'x'::citext AS other FROM visitor;
SELECT cms_agg(c) -> 'anna' AS literal, cms_agg_weighted(c, 2) -> 'ANNA'::citext AS weighted, cms_bounds(cms_agg(c, 0.01, 0.01), 'ANNA'::citext) AS bounds,
    cms_frequency(cms_agg_conservative(c), 'anna'::citext) AS conservative FROM visitor;
SELECT topk_agg(c) -> 'ANNA'::citext AS arrow, topk_bounds(topk_agg(c, 5), 'anna'::citext) AS bounds, approx_top_k_weighted(c, 2, 3) AS weighted FROM visitor;
SELECT hll_add(hll_empty(), 'Anna'::citext) = hll_add(hll_empty(), 'ANNA'::citext) AS add,
    hll_add(hll_add(hll_empty(), 'Anna'::citext), 'ANNA') = hll_add(hll_empty(), 'anna'::citext) AS literal,
    cms_add(cms_add(cms_empty(), 'Anna'::citext), 'anna'::citext, 2) -> 'ANNA'::citext AS cms_add,
    topk_add(topk_add(topk_empty(), 'Anna'::citext), 'anna'::citext, 2) -> 'ANNA' AS topk_add,
    probds_hash('Anna'::citext) = probds_hash('ANNA'::citext) AS hash, probds_hash('{Anna}'::citext[]) = probds_hash('{ANNA}'::citext[]) AS array_hash;
SELECT hll_add_all(hll_empty(), '{Anna}'::citext);
SELECT hll_add(hll_agg(c), (SELECT 'Anna'::text)) FROM visitor;

-- a parallel plan, with partial aggregates
CREATE TABLE visitors_par(c citext) WITH (parallel_workers = 2);
INSERT INTO visitors_par SELECT (ARRAY['Anna', 'ANNA', 'anna', 'Berta'])[1 + i % 4] FROM generate_series(1, 1000) i;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS off) SELECT hll_agg(c) FROM visitors_par;
SELECT pg_temp.show(hll_agg(c)) FROM visitors_par;
DROP TABLE visitors_par;

-- a view says citext, and so does its definition in a dump; it depends on the extension
CREATE VIEW counted_citext AS SELECT hll_agg('Anna'::citext) AS visitors;
SELECT pg_get_viewdef('counted_citext');
DROP EXTENSION probds_citext;
DROP VIEW counted_citext;

-- every overload over text has one over citext, with the same properties and a comment
SELECT c.proname, replace(pg_get_function_identity_arguments(c.oid), 'citext', 'text') AS arguments
FROM pg_proc c JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = c.oid AND d.deptype = 'e'
    JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'probds_citext'
WHERE obj_description(c.oid, 'pg_proc') IS NULL
    OR NOT EXISTS (SELECT FROM pg_proc t WHERE t.proname = c.proname AND (t.prosrc = c.prosrc OR c.proname LIKE '%step') AND t.provolatile = c.provolatile AND t.procost = c.procost
        AND t.proparallel = c.proparallel AND t.proisstrict = c.proisstrict
        AND pg_get_function_identity_arguments(t.oid) IN (replace(pg_get_function_identity_arguments(c.oid), 'citext', 'text'), replace(replace(pg_get_function_identity_arguments(c.oid), 'citext', '"any"'),
            CASE WHEN c.proname LIKE '%weighted%' THEN 'bigint' ELSE '' END, '"any"')));
-- and every object has a comment
SELECT pg_describe_object(d.classid, d.objid, 0) AS without_comment
FROM pg_depend d JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND e.oid = d.refobjid AND e.extname = 'probds_citext'
WHERE d.deptype = 'e' AND obj_description(d.objid, d.classid::regclass::name) IS NULL;

-- an existence index on citext
CREATE TABLE pg_temp.login_of(c citext);
INSERT INTO pg_temp.login_of VALUES ('Anna');
CREATE INDEX ON pg_temp.login_of USING existence (c);
SELECT existence_might_contain('pg_temp.login_of', 'c', 'ANNA'::citext) AS there,
    existence_might_contain('pg_temp.login_of', 'c', 'Berta'::citext) AS absent;

SET client_min_messages = warning;
DROP EXTENSION citext CASCADE;
