-- Stored filters that meet a literal in WHERE: to the planner the literal is the value,
-- whichever overload it is, and never the filter
\set plans `echo "${PROBDS_SRC:-.}/test/types/plans.sql"`
\set ECHO none
\i :plans
\set ECHO all

CREATE TABLE stored AS
SELECT g, bloom_agg(g || ' ' || i, 100) AS texts, bloom_agg(1000 * g + i, 100) AS numbers
FROM generate_series(1, 5) g, generate_series(1, 20) i GROUP BY g ORDER BY g;
ANALYZE stored;

SELECT g FROM stored WHERE texts @> '3 7';
SELECT g FROM stored WHERE '3 7' <@ texts;
SELECT g FROM stored WHERE bloom_contains(texts, '3 7'::text);
SELECT g FROM stored WHERE _bloom_contained('3 7'::varchar, texts);
SELECT g FROM stored WHERE numbers @> '3007';
SELECT g FROM stored WHERE 3007 <@ numbers AND numbers @> 3007;
PREPARE lookup AS SELECT g FROM stored WHERE texts @> $1 AND numbers @> $2;
EXECUTE lookup('3 7', 3007);

-- a column of values and a filter that the planner sees: rows are estimated by it, with
-- both overloads
CREATE TABLE item AS SELECT i AS number, md5(i::text) AS text FROM generate_series(1, 10000) i;
ANALYZE item;
SELECT pg_temp.rows_planned(format('SELECT FROM item WHERE %s', condition)) BETWEEN 50 AND 200 AS close, count(*)
FROM (SELECT bloom_agg(number, 100, 0.0001) AS numbers, bloom_agg(text, 100, 0.0001) AS texts FROM item WHERE number % 100 = 0) f,
    unnest(ARRAY[format('%L::bloom @> number', numbers), format('number <@ %L::bloom', numbers),
        format('%L::bloom @> text', texts), format('text <@ %L::bloom', texts)]) condition
GROUP BY 1;

DROP TABLE stored, item;
