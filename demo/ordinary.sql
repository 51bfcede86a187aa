-- ordinary.sql: a dashboard's query as it stands, exact and then answered from a rollup
--
-- Called by lib-show.sh after top.sql, in the same session and with its names.

\set line '6. What does a dashboard see, which calls none of these functions?'
\echo :line
\echo
\set query 'SELECT ' :group1 ', count(DISTINCT ' :item ') AS n, count(*) AS rows FROM ' :rows
\set query :query ' GROUP BY 1'
\set line '   SELECT ' :group1_shown ', count(DISTINCT ' :item '), count(*)'
\echo :line
\set line '     FROM ' :rows ' GROUP BY 1;'
\echo :line
\echo
\set line '   SELECT probds_create_rollup(''dashboard'', ''SELECT ' :keys ', count(*) AS n,'
\echo :line
\set line '     hll_agg(' :item ') AS ' :sketch ' FROM ' :rows ' GROUP BY ' :keys ''');'
\echo :line
\echo '   SET probds.answer_from_rollups = on;'
\echo '   SET probds.approximate_count_distinct = on;'
\echo
\set rollup 'SELECT ' :keys ', count(*) AS n, hll_agg(' :item ') AS ' :sketch ' FROM ' :rows
\set rollup :rollup ' GROUP BY ' :keys
SELECT probds_create_rollup('dashboard', :'rollup') \g /dev/null

-- by the session itself: what a function executes reads no rollup
\set sums 'SELECT count(*) AS groups, sum(n) AS n, sum(rows) AS rows FROM (' :query ') q'
SELECT extract(epoch FROM clock_timestamp()) AS start \gset
:sums \gset exact_
SELECT 1000 * (extract(epoch FROM clock_timestamp()) - :start) AS ms \gset exact_
SET probds.answer_from_rollups = on;
SET probds.approximate_count_distinct = on;
SELECT extract(epoch FROM clock_timestamp()) AS start \gset
:sums \gset rollup_
SELECT 1000 * (extract(epoch FROM clock_timestamp()) - :start) AS ms \gset rollup_
RESET probds.answer_from_rollups;
RESET probds.approximate_count_distinct;

SELECT format('   %s %s %s %s', rpad('', 30), lpad('groups', 8), lpad('distinct, summed', 17),
    lpad('rows', 12));
SELECT format('   %s %s %s %s', rpad('exactly', 30), pg_temp.num(:exact_groups, 8),
    pg_temp.num(:exact_n, 17), pg_temp.num(:exact_rows, 12));
SELECT format('   %s %s %s %s   %s', rpad('the same text, by the rollup', 30),
    pg_temp.num(:rollup_groups, 8), pg_temp.num(:rollup_n, 17), pg_temp.num(:rollup_rows, 12),
    trim(pg_temp.off(:rollup_n, :exact_n)));
\echo
SELECT format('   exactly%s%s', repeat(' ', 45), pg_temp.ms(:exact_ms));
SELECT format('   the same text, by the rollup%s%s%s', repeat(' ', 24), pg_temp.ms(:rollup_ms),
    pg_temp.faster(:exact_ms, :rollup_ms));
SELECT probds_drop_rollup('dashboard') \g /dev/null
\echo
