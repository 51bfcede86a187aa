-- citext comes to the aggregates as text: its equal values must still be one
SET client_min_messages = warning;
CREATE EXTENSION citext;
RESET client_min_messages;

CREATE DOMAIN pg_temp.login AS citext;
CREATE TEMP TABLE visitor(c citext, l pg_temp.login, t text);
INSERT INTO visitor SELECT v, v, v FROM unnest(ARRAY['Anna', 'ANNA', 'anna', 'Berta', NULL]) v;

CREATE FUNCTION pg_temp.show(h hll) RETURNS TABLE (kind text, n bigint) LANGUAGE sql AS $$
    SELECT i.kind, i.cardinality FROM hll_info(h) i
$$;

-- the column, a domain over it, text; an expression; with more arguments
SELECT pg_temp.show(hll_agg(c)) AS citext, pg_temp.show(hll_agg(l)) AS domain, pg_temp.show(hll_agg(t)) AS text,
    pg_temp.show(hll_agg(coalesce(c, 'nobody'))) AS expression, pg_temp.show(hll_agg(c, 12)) AS twelve FROM visitor;
SELECT approx_count_distinct(c) AS citext, approx_count_distinct(t) AS text, count(DISTINCT c) AS exact FROM visitor;
SELECT hll_agg(c) = hll_agg(DISTINCT c) AS alike, hll_agg(c) = hll_agg(c ORDER BY t DESC) AS sorted FROM visitor;
-- a cast that is written asks for text
SELECT pg_temp.show(hll_agg(c::text)) FROM visitor;
SELECT pg_temp.show(hll_agg(x)) FROM (SELECT c::text AS x FROM visitor OFFSET 0) s;
-- a cast to citext and back to text is nothing to the planner, which drops it: doc/hashing.md
SELECT pg_temp.show(hll_agg(t::citext)) AS dropped, pg_temp.show(hll_agg(lower(t))) AS lower FROM visitor;
-- to the planner c and c::text are one argument
SELECT hll_agg(c), hll_agg(c::text) FROM visitor;
SELECT hll_agg(c::text), hll_agg(c) FROM visitor;
SELECT pg_temp.show(hll_agg(c)), pg_temp.show(hll_agg(c::text || '')) FROM visitor;
SELECT pg_temp.show(hll_agg(c)), max(c::text) FROM visitor;
-- windows
SELECT DISTINCT pg_temp.show(hll_agg(c) OVER ()) FROM visitor;
SELECT DISTINCT pg_temp.show(hll_agg(t) OVER ()), row_number() OVER (ORDER BY 1) = 0 FROM visitor;
SELECT DISTINCT hll_agg(c) OVER (), hll_agg(t) OVER () FROM visitor;
-- groups, grouping sets, a parallel plan
SELECT length(t) AS length, pg_temp.show(hll_agg(c)) FROM visitor WHERE t IS NOT NULL GROUP BY ROLLUP (length(t)) ORDER BY 1;
CREATE TABLE visitors_par(c citext) WITH (parallel_workers = 2);
INSERT INTO visitors_par SELECT (ARRAY['Anna', 'ANNA', 'anna', 'Berta'])[1 + i % 4] FROM generate_series(1, 1000) i;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS off) SELECT hll_agg(c) FROM visitors_par;
SELECT pg_temp.show(hll_agg(c)) FROM visitors_par;
DROP TABLE visitors_par;

-- functions over any type, arrays, literals
SELECT hll_add(hll_empty(), 'Anna'::citext) = hll_add(hll_empty(), 'ANNA'::citext) AS add,
    hll_add(hll_add(hll_empty(), 'Anna'::citext), 'ANNA') = hll_add(hll_empty(), 'anna'::citext) AS literal,
    hll_add_all(hll_empty(), '{Anna,ANNA}'::citext[]) = hll_add(hll_empty(), 'anna'::citext) AS array,
    probds_hash('{Anna}'::citext[]) = probds_hash('{ANNA}'::citext[]) AS hash;
SELECT hll_add(hll_add(hll_empty(), 'Anna'::citext), 'Anna'::text);

SET client_min_messages = warning;
DROP EXTENSION citext CASCADE;
