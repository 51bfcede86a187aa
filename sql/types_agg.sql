-- Of all types: what aggregates take, and how they are called
\set types `echo "${PROBDS_SRC:-.}/test/types/check.sql"`
\set ECHO none
\i :types
\set values `echo "${PROBDS_SRC:-.}/test/types/values.sql"`
\i :values
\set ECHO all

-- ---------- no rows, no values, parameters ----------
SELECT c.check, pg_temp.verdict(statement, expected, condition) FROM (VALUES
    (1, 'no rows', 'true', 'true', $$SELECT {type}_agg(i, {usual}) IS NULL AND {type}_agg(i::text, {usual}) IS NULL AND {type}_agg(ROW(i), {usual}) IS NULL AND {type}_merge_agg({type}_empty({usual})) IS NULL FROM generate_series(1, 0) i$$),
    (2, 'NULLs alone', 'true', 'true', $$SELECT {type}_agg(NULL::int, {usual}) = {type}_empty({usual}) AND {type}_agg(NULL::text, {other}) = {type}_empty({other}) AND {type}_agg(NULL::int[], {usual}) = {type}_empty({usual})
        AND {type}_merge_agg(NULL::{type}) IS NULL FROM generate_series(1, 3)$$),
    (3, 'NULLs are skipped', 'true', 'true', $$SELECT {type}_agg(nullif(i, 2), {usual}) = {type}_agg(i, {usual}) FILTER (WHERE i <> 2) FROM generate_series(1, 3) i$$),
    (4, 'NULL has no kind', 'true', 'true', $$/* as added */ SELECT ({type}_info({type}_agg(NULL::int, {usual}))).kind IS NULL OR ({type}_info({type}_agg(NULL::int, {usual}))).kind = ({type}_info({type}_empty({usual}))).kind$$),
    (5, 'a parameter that is NULL', '22004', 'true', $$SELECT {type}_agg(i, {nothing}) FROM generate_series(1, 5) i$$),
    (6, 'also for values that are', '22004', 'true', $$SELECT {type}_agg(NULL::int, {nothing})$$),
    (7, 'one that becomes NULL', '22004', 'true', $$SELECT count(s) FROM (SELECT (SELECT {type}_agg(i * o, {missing}) FROM generate_series(1, 1) o) AS s FROM generate_series(1, 5) i) q$$),
    (8, 'one that changes', '22023', 'true', $$SELECT {type}_agg(i, {changing}) FROM generate_series(1, 5) i$$),
    (9, 'also for values that are NULL', '22023', 'true', $$SELECT {type}_agg(NULL::int, {changing}) FROM generate_series(1, 5) i$$),
    (10, 'in texts', '22023', 'true', $$SELECT {type}_agg('value ' || i, {changing}) FROM generate_series(1, 5) i$$),
    (11, 'in records', '22023', 'true', $$SELECT {type}_agg(ROW(i), {changing}) FROM generate_series(1, 5) i$$),
    (12, 'each subquery its own', 'true', 'true', $$SELECT bool_and(s = {type}_add(CASE WHEN i < 3 THEN {type}_empty({usual}) ELSE {type}_empty({other}) END, i)) FROM (SELECT i, (SELECT {type}_agg(i * o, {changing}) FROM generate_series(1, 1) o) AS s FROM generate_series(1, 5) i) q$$)
) c(n, "check", expected, condition, statement) ORDER BY n;

-- ---------- each type of values by itself, without a cast ----------
-- two values, each twice, and a NULL: as adding makes it, one by one and as an array; all there; the kind
SELECT value_type, kind, pg_temp.verdict(format($$
/* as added */ %4$s SELECT concat(CASE WHEN s <> added THEN 'not as added ' END, CASE WHEN s <> added_all THEN 'not as added as an array ' END, CASE WHEN NOT holds THEN 'lost ' END, ({type}_info(s)).kind)
FROM (SELECT s, a || b AS added, CASE WHEN arrays THEN s ELSE many END AS added_all, (SELECT bool_and({holds}) FROM column_%1$s) AS holds
    FROM (SELECT {type}_agg(v, {usual}) AS s FROM column_%1$s) q,
        LATERAL (SELECT {type}_add({type}_add({type}_empty({usual}), v), v) AS a FROM column_%1$s LIMIT 1) x, LATERAL (SELECT {type}_add({type}_add({type}_empty({usual}), v), v) AS b FROM column_%1$s OFFSET 1 LIMIT 1) y,
        LATERAL (SELECT %2$s AS many, %3$L::boolean AS arrays) z) q
$$, n, CASE WHEN value_type ~ '\[\]$|tags' THEN 's' ELSE format('(SELECT {type}_add_all({type}_empty({usual}), array_agg(v)) FROM column_%s)', n) END, value_type ~ '\[\]$|tags',
    CASE WHEN value_type ~ '^(smallint|integer|bigint|numeric.*|interval|pg_temp.age)$' THEN '' ELSE '/* any value */' END), kind) AS outcome
FROM value_types ORDER BY n;
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'a plain literal is text', $$/* any value */ SELECT {type}_agg('a', {usual}) = {type}_agg('a'::text, {usual}) FROM generate_series(1, 2)$$),
    (2, 'two columns at once: a row', $$/* any value */ SELECT {type}_agg(ROW(i, 'x'), {usual}) = {type}_agg(ROW(i, 'x'::text), {usual}) FROM generate_series(1, 100) i$$),
    (3, 'numbers of all widths', $$SELECT {type}_agg(i, {usual}) = {type}_agg(i::smallint, {usual}) AND {type}_agg(i::bigint, {usual}) = {type}_agg(i::numeric, {usual}) AND {type}_agg(i, {usual}) = {type}_agg(i::bigint, {usual}) FROM generate_series(1, 100) i$$)
) c(n, "check", statement) ORDER BY n;

-- ---------- FILTER, DISTINCT, ORDER BY, groups ----------
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'FILTER', $$SELECT {type}_agg(i, {usual}) FILTER (WHERE i % 2 = 0) = {type}_agg(2 * i, {usual}) FILTER (WHERE i <= 50) AND {type}_agg(i, {usual}) FILTER (WHERE false) IS NULL FROM generate_series(1, 100) i$$),
    (2, 'DISTINCT', $$/* any value */ SELECT {type}_agg(DISTINCT i / 2, {usual}) = (SELECT {type}_agg(x, {usual}) FROM generate_series(0, 50) x) AND {type}_agg(DISTINCT (i / 2)::text, {usual}) = (SELECT {type}_agg(x::text, {usual}) FROM generate_series(0, 50) x) FROM generate_series(1, 100) i$$),
    (3, 'ORDER BY', $$/* any value */ SELECT {type}_agg(i, {usual} ORDER BY -i) = {type}_agg(i, {usual}) AND {type}_agg(i::text, {usual} ORDER BY md5(i::text)) = {type}_agg(i::text, {usual}) FROM generate_series(1, 100) i$$),
    (4, 'DISTINCT sketches', $$/* as added */ SELECT {type}_merge_agg(DISTINCT {type}_add({type}_empty({usual}), i % 5)) = {type}_agg(DISTINCT i % 5, {usual}) FROM generate_series(1, 100) i$$),
    (5, 'GROUP BY', $$SELECT count(*) = 3 AND bool_and(s = (SELECT {type}_agg(x, {usual}) FROM generate_series(1, 90) x WHERE x % 3 = d)) FROM (SELECT i % 3 AS d, {type}_agg(i, {usual}) AS s FROM generate_series(1, 90) i GROUP BY 1) q$$),
    (6, 'GROUPING SETS', $$SELECT count(*) = 10 AND bool_and(s = (SELECT {type}_agg(x, {usual}) FROM generate_series(1, 90) x WHERE (d IS NULL OR x % 3 = d) AND (p IS NULL OR x % 2 = p)))
        FROM (SELECT d, p, {type}_agg(i, {usual}) AS s FROM (SELECT i, i % 3 AS d, i % 2 AS p FROM generate_series(1, 90) i) h GROUP BY GROUPING SETS ((d, p), (d), ())) q$$),
    (7, 'HAVING', $$SELECT count(*) = 1 FROM (SELECT i % 3 FROM generate_series(1, 10) i GROUP BY 1 HAVING {type}_agg(i, {usual}) = (SELECT {type}_agg(x, {usual}) FROM unnest('{1,4,7,10}'::int[]) x)) q$$),
    (8, 'a group without values', $$SELECT count(*) FILTER (WHERE s = {type}_empty({usual})) = 1 AND count(s) = 3 FROM (SELECT i % 3 AS d, {type}_agg(CASE WHEN i % 3 > 0 THEN i END, {usual}) AS s FROM generate_series(1, 9) i GROUP BY 1) q$$),
    (9, 'thousands of groups', $$SELECT count(*) = 10000 AND bool_and(s = {type}_add({type}_add({type}_empty({usual}), g), g + 10000)) FROM (SELECT i % 10000 AS g, {type}_agg(i, {usual}) AS s FROM generate_series(0, 19999) i GROUP BY 1) q$$),
    (10, 'groups of all sizes', $$SELECT bool_and(s = {type}_add_all({type}_empty({large}), a)) FROM (SELECT {type}_agg(i, {large}) AS s, array_agg(i) AS a FROM generate_series(0, 10) g, generate_series(1, 1 << g) i GROUP BY g) q$$),
    (11, 'several at once', $$/* any value */ SELECT {type}_agg(i, {usual}) = {type}_agg(i + 0, {usual}) AND {type}_agg(i, {usual}) <> {type}_agg(i, {other}) AND {type}_agg(i::text, {usual}) <> {type}_agg(i, {usual}) AND {type}_agg(i, {usual}) FILTER (WHERE i > 5) <> {type}_agg(i, {usual})
        FROM generate_series(1, 50) i$$),
    (12, 'LATERAL', $$SELECT count(*) = 3 AND bool_and({holds}) FROM generate_series(1, 3) v, LATERAL (SELECT {type}_agg(x, {usual}) AS s FROM generate_series(1, v) x) q$$),
    (13, 'nested', $$/* as added */ SELECT {type}_merge_agg(s) = (SELECT {type}_agg(i, {usual}) FROM generate_series(1, 90) i) FROM (SELECT {type}_agg(i, {usual}) AS s FROM generate_series(1, 90) i GROUP BY i % 6) q$$)
) c(n, "check", statement) ORDER BY n;

-- ---------- windows ----------
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'so far', $$/* as added */ SELECT bool_and(s = {type}_add_all({type}_empty({usual}), a)) AND count(DISTINCT s) > 90 FROM (SELECT {type}_agg(i, {usual}) OVER w AS s, array_agg(i) OVER w AS a FROM generate_series(1, 300) i WINDOW w AS (ORDER BY i)) q$$),
    (2, 'the last three', $$SELECT bool_and(s = {type}_add_all({type}_empty({usual}), a)) FROM (SELECT {type}_agg(i % 40, {usual}) OVER w AS s, array_agg(i % 40) OVER w AS a FROM generate_series(1, 300) i WINDOW w AS (ORDER BY i ROWS 2 PRECEDING)) q$$),
    (3, 'later ones', $$SELECT bool_and(s IS NOT DISTINCT FROM {type}_add_all({type}_empty({usual}), a) OR a IS NULL AND s IS NULL) FROM (SELECT {type}_agg(i, {usual}) OVER w AS s, array_agg(i) OVER w AS a FROM generate_series(1, 30) i
        WINDOW w AS (ORDER BY i ROWS BETWEEN 2 FOLLOWING AND 3 FOLLOWING)) q$$),
    (4, 'without the row itself', $$SELECT count(*) = 297 AND bool_and(s = {type}_add_all({type}_empty({usual}), a)) FROM (SELECT {type}_agg(i, {usual}) OVER w AS s, array_agg(i) OVER w AS a FROM generate_series(1, 300) i
        WINDOW w AS (PARTITION BY i % 3 ORDER BY i ROWS BETWEEN 20 PRECEDING AND 1 PRECEDING EXCLUDE TIES)) q WHERE a IS NOT NULL$$),
    (5, 'all rows, some of them', $$SELECT bool_and(s = (SELECT {type}_agg(x, {usual}) FROM generate_series(4, 50) x)) FROM (SELECT {type}_agg(i, {usual}) FILTER (WHERE i > 3) OVER () AS s FROM generate_series(1, 50) i) q$$),
    (6, 'of stored sketches', $$/* as added */ SELECT bool_and(m = {type}_add_all({type}_empty({large}), a)) FROM (SELECT {type}_merge_agg(s) OVER w AS m, (SELECT array_agg(x) FROM generate_series(greatest(d - 6, 1), d) e, generate_series(e * 5, e * 5 + 9) x) AS a
        FROM (SELECT d, {type}_agg(i, {large}) AS s FROM generate_series(1, 10) d, generate_series(d * 5, d * 5 + 9) i GROUP BY d) q WINDOW w AS (ORDER BY d ROWS 6 PRECEDING)) r$$)
) c(n, "check", statement) ORDER BY n;

-- ---------- merge_agg ----------
SELECT c.check, pg_temp.verdict(statement) FROM (VALUES
    (1, 'NULLs are skipped, empty ones add nothing', $$/* as added */ SELECT {type}_merge_agg(s) = {type}_add_all({type}_empty({usual}), '{1,2}'::int[]) FROM (VALUES ({type}_add({type}_empty({usual}), 1)), (NULL), ({type}_empty({usual})), ({type}_add({type}_empty({usual}), 2))) v(s)$$),
    (2, 'of empty ones', $$SELECT {type}_merge_agg(s) = {type}_empty({other}) FROM (VALUES (NULL), ({type}_empty({other})), (NULL), ({type}_empty({other}))) v(s)$$),
    (3, 'a part without a sketch has no parameters', $$SELECT {type}_merge_agg(s) = (SELECT {type}_agg(1, {other})) FROM (SELECT {type}_merge_agg(s) AS s FROM (SELECT 1, {type}_agg(1, {other}) UNION ALL VALUES (2, NULL::{type}), (2, NULL)) q(part, s) GROUP BY part) q$$),
    (4, 'in any order', $$SELECT {type}_merge_agg(s ORDER BY d) = {type}_merge_agg(s ORDER BY d DESC) FROM (SELECT d, {type}_agg(i, {usual}) AS s FROM generate_series(1, 5) d, generate_series(d * 5, d * 5 + 9) i GROUP BY d) q$$)
) c(n, "check", statement) ORDER BY n;

-- ---------- PL/pgSQL ----------
CREATE FUNCTION pg_temp.loop_of(t types) RETURNS text LANGUAGE plpgsql AS $body$
BEGIN
    EXECUTE pg_temp.fill_in($do$DO $$
DECLARE
    total {type} := {type}_empty({large});
    before {type};
    row record;
BEGIN
    FOR row IN SELECT {type}_agg(i, {large}) AS s FROM generate_series(1, 90) i GROUP BY i % 3 LOOP
        total := total || row.s;
    END LOOP;
    before := total;
    FOR i IN 91..1000 LOOP
        total := {type}_add(total, i);
    END LOOP;
    total := {type}_add_all(total, '{1001,NULL,1002}'::int[]);
    total := {type}_add(total, NULL::int);
    IF total <> (SELECT {type}_agg(i, {large}) FROM generate_series(1, 1002) i) THEN
        RAISE 'other values';
    END IF;
    IF before <> (SELECT {type}_agg(i, {large}) FROM generate_series(1, 90) i) THEN
        RAISE 'a copy has changed';
    END IF;
    -- an error leaves the variable as it was
    before := total;
    BEGIN
        total := {type}_add(total, true);
        RAISE 'of another kind';
    EXCEPTION WHEN data_exception OR datatype_mismatch THEN
        NULL;
    END;
    IF total <> before THEN
        RAISE 'changed by an error';
    END IF;
END $$$do$, t);
    RETURN 'same';
END
$body$;
SELECT pg_temp.verdict($$/* as added */ SELECT pg_temp.loop_of(t) FROM types t WHERE type = '{type}'$$, 'same') AS loops;
