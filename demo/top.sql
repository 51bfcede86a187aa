-- top.sql: which values occur most?  Heavy hitters beside the exact answer
--
-- Called by lib-show.sh after seen.sql, in the same session and with its names.

\set line '5. Which ' :items ' occur most, in all of ' :rows '?'
\echo :line
\echo
\set line '   SELECT * FROM topk_items((SELECT topk_agg(' :item ', 10) FROM ' :rows '));'
\echo :line
\echo

-- (%s: as topk_items writes a value; a cast of inet to text would add "/32")
\set query 'SELECT format(''%s'', ' :item ') AS item, count(*) AS n FROM ' :rows
\set query :query ' GROUP BY 1 ORDER BY 2 DESC, 1'
SELECT pg_temp.timed('top_exact', :'query') \g /dev/null
\set query 'SELECT topk_agg(' :item ', 10) AS top FROM ' :rows
SELECT pg_temp.timed('top_sketch', :'query') \g /dev/null

SELECT format('   %s %s %s %s', rpad(:'item', 34), lpad('exactly', 9), lpad('sketch', 9),
    lpad('for certain', 19));
SELECT format('   %s %s %s %s', rpad(left(i.item, 34), 34), pg_temp.num(e.n, 9),
    pg_temp.num(i.frequency, 9),
    lpad(CASE WHEN lower = upper THEN 'exact' ELSE pg_temp.plain(lower) || ' to ' ||
        pg_temp.plain(upper) END, 19))
FROM top_sketch, topk_items(top) i LEFT JOIN top_exact e ON e.item = i.item
ORDER BY i.frequency DESC, i.item LIMIT 10;
\echo
SELECT format('   exactly, GROUP BY and ORDER BY%s%s', repeat(' ', 20), pg_temp.ms(ms)) FROM took
WHERE name = 'top_exact';
SELECT format('   topk_agg%s%s%s', repeat(' ', 42), pg_temp.ms(s.ms), pg_temp.faster(e.ms, s.ms))
    FROM took s, took e WHERE s.name = 'top_sketch' AND e.name = 'top_exact';
SELECT format('   the sketch, to be kept and merged with others%s%s bytes', repeat(' ', 5),
    pg_temp.num(pg_column_size(top), 14)) FROM top_sketch;
\echo
