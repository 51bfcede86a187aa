-- demo.sql: exact answers and sketches side by side
--
-- Called by lib-show.sh behind names_log.sql or names_packages.sql, which say what it works on:
--   rows    table of rows           part     what a stored sketch is for (a day)
--   item    what is counted         keys     part, and what group1 needs
--   stored  table of sketches       sketch   its column
--   group1, group2 expressions over the stored table (and the rows) for unions
--   side    what is compared pairwise
--   parts, items, groups2, group1_as, group2_as, group1_shown: words

VACUUM ANALYZE :rows;
SET client_min_messages = warning;

-- --- helpers, gone with this session ------------------------------------------

CREATE FUNCTION pg_temp.plain(n bigint) RETURNS text LANGUAGE sql AS $$
    SELECT to_char(n, 'FM999,999,999,999,990') $$;
CREATE FUNCTION pg_temp.num(n bigint, width int) RETURNS text LANGUAGE sql AS $$
    SELECT lpad(pg_temp.plain(n), width) $$;
CREATE FUNCTION pg_temp.ms(t float8) RETURNS text LANGUAGE sql AS $$
    SELECT lpad(to_char(t, CASE WHEN t < 10 THEN 'FM999,990.00' ELSE 'FM999,990.0' END), 11) ||
        ' ms' $$;
CREATE FUNCTION pg_temp.off(estimate bigint, exact bigint) RETURNS text LANGUAGE sql AS $$
    SELECT lpad(CASE
        WHEN estimate IS NULL THEN 'unknown'
        WHEN estimate = exact THEN 'exact'
        WHEN exact = 0 THEN ''
        ELSE to_char(100.0 * (estimate - exact) / exact, 'FMS999,990.00') || ' %' END, 9) $$;
-- "2.3 times as fast", for a reader who wants no arithmetic
CREATE FUNCTION pg_temp.faster(slow float8, fast float8) RETURNS text LANGUAGE sql AS $$
    SELECT CASE
        WHEN slow / fast >= 10 THEN format('   %s times as fast', round((slow / fast)::numeric))
        WHEN slow / fast >= 1.05 THEN format('   %s times as fast',
            round((slow / fast)::numeric, 1))
        WHEN fast / slow >= 1.05 THEN format('   %s times as long',
            round((fast / slow)::numeric, 1))
        ELSE '   as long' END $$;

CREATE TEMP TABLE took (name text PRIMARY KEY, ms float8);

-- timed(NAME, QUERY): the query's result as temporary table NAME; its time, the
-- middle one of three, into "took"
CREATE FUNCTION pg_temp.timed(name text, query text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    start timestamptz;
    times float8[];
BEGIN
    FOR i IN 1..3 LOOP
        EXECUTE format('DROP TABLE IF EXISTS %I', name);
        start := clock_timestamp();
        EXECUTE format('CREATE TEMP TABLE %I AS %s', name, query);
        times := times || extract(epoch FROM clock_timestamp() - start)::float8 * 1000;
    END LOOP;
    INSERT INTO took SELECT name, percentile_disc(0.5) WITHIN GROUP (ORDER BY t)
    FROM unnest(times) t;
    EXECUTE format('ANALYZE %I', name);
END $$;

-- --- 1. a sketch for each part ------------------------------------------------

\echo '1. One sketch for each' :part
\echo
\set line '     SELECT ' :keys ', hll_agg(' :item ') AS ' :sketch
\set line :line ' FROM ' :rows ' GROUP BY ' :keys ';'
\echo '   CREATE TABLE' :stored 'AS'
\echo :line
\set line '   SELECT ' :part ', #' :sketch ' FROM ' :stored ';'
\echo :line
\echo

\set query 'SELECT ' :keys ', count(DISTINCT ' :item ') AS exact FROM ' :rows ' GROUP BY ' :keys
SELECT pg_temp.timed('exact_part', :'query') \g /dev/null
\set query 'SELECT ' :keys ', hll_agg(' :item ') AS ' :sketch ' FROM ' :rows ' GROUP BY ' :keys
SELECT pg_temp.timed('sketch_part', :'query') \g /dev/null
CREATE TABLE :stored AS TABLE sketch_part;
ANALYZE :stored;

CREATE TEMP TABLE part_row AS
    SELECT :part::text AS part, r.n, e.exact, #s.:sketch AS estimate,
        pg_column_size(s.:sketch) AS bytes,
        hll_error(s.:sketch) AS error
    FROM (SELECT :part, count(*) AS n FROM :rows GROUP BY :part) r
    JOIN exact_part e USING (:part)
    JOIN :stored s USING (:part);
SELECT count(*) AS parts_count, count(*) > CASE :'part' WHEN 'day' THEN 62 ELSE 40 END AS parts_many
FROM part_row \gset

SELECT format('   %s %s %s %s %s %s', rpad(:'part', 24), lpad('rows', 9), lpad('exactly', 9),
    lpad('sketch', 9), lpad('off by', 9), lpad('stored in', 11));
SELECT format('   %s %s %s %s %s %s bytes', rpad(left(part, 24), 24), pg_temp.num(n, 9),
    pg_temp.num(exact, 9), pg_temp.num(estimate, 9), pg_temp.off(estimate, exact),
        pg_temp.num(bytes, 5))
FROM (SELECT *, rank() OVER (ORDER BY n DESC, part) AS place FROM part_row) p
WHERE place <= 12 OR NOT :'parts_many'::bool
ORDER BY CASE WHEN :'parts_many'::bool AND :'part' <> 'day' THEN place END, part;
\if :parts_many
    SELECT format('   (the 12 with most rows, of %s %s)', pg_temp.plain(:parts_count), :'parts');
\endif
\echo
SELECT format('   All %s %s: off by %s %% on average, by %s %% at worst; %s exact.',
    pg_temp.plain(count(*)), :'parts',
    to_char(avg(off), 'FM990.00'), to_char(max(off), 'FM990.00'),
    CASE count(*) FILTER (WHERE off = 0) WHEN 0 THEN 'none is' WHEN 1 THEN 'one is'
        WHEN count(*) THEN 'all are' ELSE pg_temp.plain(count(*) FILTER (WHERE off = 0)) ||
            ' are' END)
FROM (SELECT 100.0 * abs(estimate - exact) / greatest(exact, 1) AS off FROM part_row) o;
SELECT format('   A large sketch of this precision is off by %s %% (one standard error), '
    'a small one less.',
    to_char(100 * 1.03896 / sqrt(2 ^ 14), 'FM0.00'));
\echo
SELECT format('   exactly, count(DISTINCT %s)%s%s', :'item', repeat(' ', 25 - length(:'item')),
    pg_temp.ms(ms))
    FROM took WHERE name = 'exact_part';
SELECT format('   sketches, hll_agg(%s)%s%s%s', :'item', repeat(' ', 31 - length(:'item')),
    pg_temp.ms(s.ms),
    pg_temp.faster(e.ms, s.ms))
    FROM took s, took e WHERE s.name = 'sketch_part' AND e.name = 'exact_part';
\echo

SELECT :parts_count > 1 AS several \gset
\if :several

-- --- 2. unions ------------------------------------------------------------------

\set line '2. ' :groups2 ', from the stored sketches: the rows are not read again'
\echo :line
\echo
\set line '   SELECT ' :group1_shown ', #hll_merge_agg(' :sketch ')'
\echo :line
\set line '     FROM ' :stored ' GROUP BY ' :group1_as ';'
\echo :line
\echo

\set query 'SELECT ' :group1 ' AS part, count(DISTINCT ' :item ') AS exact'
\set query :query ' FROM ' :rows ' GROUP BY 1'
SELECT pg_temp.timed('exact_group1', :'query') \g /dev/null
\set query 'SELECT ' :group1 ' AS part, #hll_merge_agg(' :sketch ') AS estimate'
\set query :query ' FROM ' :stored ' GROUP BY 1'
SELECT pg_temp.timed('sketch_group1', :'query') \g /dev/null
\set query 'SELECT ' :group2 ' AS part, count(DISTINCT ' :item ') AS exact'
\set query :query ' FROM ' :rows ' GROUP BY 1'
SELECT pg_temp.timed('exact_group2', :'query') \g /dev/null
\set query 'SELECT ' :group2 ' AS part, #hll_merge_agg(' :sketch ') AS estimate'
\set query :query ' FROM ' :stored ' GROUP BY 1'
SELECT pg_temp.timed('sketch_group2', :'query') \g /dev/null

CREATE TEMP TABLE union_row AS
    SELECT 1 AS level, g.part::text, s.parts, exact, estimate
    FROM exact_group1 g JOIN sketch_group1 USING (part)
    JOIN (SELECT :group1 AS part, count(*) AS parts FROM :stored GROUP BY 1) s USING (part)
    UNION ALL
    SELECT 2, g.part::text, s.parts, exact, estimate
    FROM exact_group2 g JOIN sketch_group2 USING (part)
    JOIN (SELECT :group2 AS part, count(*) AS parts FROM :stored GROUP BY 1) s USING (part);

CREATE FUNCTION pg_temp.unions(wanted int, word text, parts_word text) RETURNS SETOF text
    LANGUAGE sql AS $$
    SELECT format('   %s %s %s %s %s', rpad(word, 24), lpad(parts_word, 9), lpad('exactly', 9),
        lpad('sketches', 9), lpad('off by', 9))
    UNION ALL
    (SELECT format('   %s %s %s %s %s', rpad(left(part, 24), 24), pg_temp.num(parts, 9),
        pg_temp.num(exact, 9),
        pg_temp.num(estimate, 9), pg_temp.off(estimate, exact))
    FROM (SELECT *, rank() OVER (ORDER BY exact DESC, part) AS place FROM union_row
        WHERE level = wanted) u
    WHERE place <= 15
    ORDER BY part)
    UNION ALL
    SELECT format('   (the 15 largest of %s)', count(*)) FROM union_row WHERE level = wanted
    HAVING count(*) > 15
$$;
SELECT pg_temp.unions(1, :'group1_as', :'parts');
\echo
SELECT pg_temp.unions(2, :'group2_as', :'parts');
\echo
SELECT format('   exactly, from the rows%s%s', repeat(' ', 28), pg_temp.ms(sum(ms)))
    FROM took WHERE name IN ('exact_group1', 'exact_group2');
SELECT format('   from the stored sketches%s%s%s', repeat(' ', 26), pg_temp.ms(s.ms),
    pg_temp.faster(e.ms, s.ms))
    FROM (SELECT sum(ms) AS ms FROM took WHERE name IN ('exact_group1', 'exact_group2')) e,
        (SELECT sum(ms) AS ms FROM took WHERE name IN ('sketch_group1', 'sketch_group2')) s;
\echo

-- --- 3. overlap -----------------------------------------------------------------

CREATE TEMP TABLE side AS
    SELECT :side::text AS name, hll_merge_agg(:sketch) AS sketch,
        rank() OVER (ORDER BY #hll_merge_agg(:sketch) DESC, :side::text) AS place
    FROM :stored GROUP BY :side;
DELETE FROM side WHERE place > 3;
SELECT count(*) > 1 AS sides FROM side \gset
\if :sides

\set line '3. How many ' :items ' do two ' :side 's share?'
\echo :line
\echo
\echo '   SELECT hll_intersection_cardinality(a, b), hll_jaccard(a, b)'
\echo

CREATE TEMP TABLE pair AS
    SELECT a.name AS a, b.name AS b, a.place + b.place AS place,
        NULL::bigint AS exact, NULL::bigint AS either, NULL::float8 AS exact_ms,
        NULL::bigint AS estimate, NULL::bigint AS lower, NULL::bigint AS upper,
        NULL::float8 AS jaccard, NULL::float8 AS sketch_ms
    FROM side a JOIN side b ON a.place < b.place;

CREATE FUNCTION pg_temp.compare(rows text, side text, item text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    p record;
    n bigint;
    u bigint;
    l bigint;
    h bigint;
    j float8;
    start timestamptz;
    two text := format('SELECT %1$s FROM %2$s WHERE %3$s::text = $1 %%s SELECT %1$s FROM %2$s '
        'WHERE %3$s::text = $2',
        item, rows, side);
BEGIN
    FOR p IN SELECT * FROM pair LOOP
        start := clock_timestamp();
        EXECUTE format('SELECT count(*) FROM (%s) x', format(two, 'INTERSECT')) INTO n USING p.a,
            p.b;
        UPDATE pair SET exact = n, exact_ms = extract(epoch FROM clock_timestamp() - start) * 1000
            WHERE a = p.a AND b = p.b;
        EXECUTE format('SELECT count(*) FROM (%s) x', format(two, 'UNION')) INTO u USING p.a, p.b;
        start := clock_timestamp();
        SELECT hll_intersection_cardinality(x.sketch, y.sketch), hll_jaccard(x.sketch, y.sketch)
            INTO n, j
            FROM side x, side y WHERE x.name = p.a AND y.name = p.b;
        UPDATE pair SET estimate = n, jaccard = j, either = u,
            sketch_ms = extract(epoch FROM clock_timestamp() - start) * 1000
            WHERE a = p.a AND b = p.b;
        SELECT i.lower, i.upper INTO l, h
            FROM side x, side y, hll_intersection_bounds(x.sketch, y.sketch) i
            WHERE x.name = p.a AND y.name = p.b;
        UPDATE pair SET lower = l, upper = h WHERE a = p.a AND b = p.b;
    END LOOP;
END $$;
SELECT pg_temp.compare(:'rows', :'side', :'item') \g /dev/null

SELECT format('   %s %s %s %s %s %s', rpad('two ' || :'side' || 's', 24), lpad('exactly', 9),
    lpad('sketches', 9),
    lpad('95 % sure', 15), lpad('jaccard', 9), lpad('sketches', 9));
SELECT format('   %s %s %s %s %s %s', rpad(left(a || ', ' || b, 24), 24), pg_temp.num(exact, 9),
    coalesce(pg_temp.num(estimate, 9), lpad('unknown', 9)),
    lpad(pg_temp.plain(lower) || ' to ' || pg_temp.plain(upper), 15),
    lpad(to_char(exact::float8 / nullif(either, 0), 'FM0.0000'), 9),
    lpad(coalesce(to_char(jaccard, 'FM0.0000'), 'unknown'), 9))
FROM pair ORDER BY place;
\echo
\echo '   What two large sketches share is known to about one percent of their union: a small'
\echo '   overlap only roughly.'
\echo
SELECT format('   exactly, INTERSECT of the rows%s%s', repeat(' ', 20), pg_temp.ms(sum(exact_ms)))
FROM pair;
SELECT format('   from the stored sketches%s%s%s', repeat(' ', 26), pg_temp.ms(sum(sketch_ms)),
    pg_temp.faster(sum(exact_ms), sum(sketch_ms))) FROM pair;
\echo
\endif
\endif

-- --- bytes ------------------------------------------------------------------------

\echo 'What it takes on disk'
\echo
CREATE TEMP TABLE distinct_pair AS SELECT DISTINCT :part, :item FROM :rows;
SELECT format('   the rows: %s%s%s bytes', :'rows', repeat(' ', 40 - length(:'rows')),
    pg_temp.num(pg_table_size(:'rows'), 14));
SELECT format('   the least for exact unions: distinct %s, %s%s%s bytes', :'part', :'item',
    repeat(' ', 11 - length(:'part') - length(:'item')),
        pg_temp.num(pg_table_size('distinct_pair'), 14));
SELECT format('   the sketches: %s%s%s bytes', :'stored', repeat(' ', 36 - length(:'stored')),
    pg_temp.num(pg_table_size(:'stored'), 14));
SELECT format('   of these, the sketches themselves%s%s bytes', repeat(' ', 17),
    pg_temp.num(sum(pg_column_size(:sketch)), 14)) FROM :stored;
\echo
