-- seen.sql: was this value there before?  A Bloom filter beside the exact answer
--
-- Called by lib-show.sh after demo.sql, in its session and with its names; and
--   newest      what the new values are asked of: one part (the last day, the largest package)
--   before      the other parts, in words

SELECT :newest::text AS newest, count(DISTINCT :part) > 1 AS several FROM :rows \gset
\if :several

\set line '4. Which ' :items ' of ' :newest ' are in no ' :before '?'
\echo :line
\echo
\echo '   CREATE TABLE seen AS'
\set line '     SELECT bloom_agg(' :item ') AS ' :items ' FROM ' :rows
\set line :line ' WHERE ' :part ' <> ''' :newest ''';'
\echo :line
\set line '   SELECT DISTINCT ' :item ' FROM ' :rows ', seen'
\echo :line
\set line '     WHERE ' :part ' = ''' :newest ''' AND NOT ' :items ' @> ' :item ';'
\echo :line
\echo

CREATE TEMP TABLE before_that AS SELECT * FROM :rows WHERE :part::text <> :'newest';
CREATE TEMP TABLE that AS SELECT DISTINCT :item FROM :rows WHERE :part::text = :'newest';
ANALYZE before_that, that;
SELECT pg_temp.timed('seen', format('SELECT bloom_agg(%I) AS filter FROM before_that', :'item'))
    \g /dev/null
SELECT pg_temp.timed('new_exact',
    format('SELECT %1$I FROM that EXCEPT SELECT %1$I FROM before_that', :'item')) \g /dev/null
SELECT pg_temp.timed('new_sketch', format('SELECT %1$I FROM that, seen WHERE NOT filter @> %1$I',
    :'item')) \g /dev/null

SELECT (SELECT count(*) FROM that) AS asked, (SELECT count(*) FROM new_exact) AS new,
    (SELECT count(*) FROM new_sketch) AS said,
    (SELECT count(*) FROM new_sketch s
        WHERE NOT EXISTS (SELECT FROM new_exact e WHERE e.:item = s.:item)) AS wrong \gset
SELECT format('   %s %s of %s', pg_temp.num(:asked, 9), :'items', :'newest');
SELECT format('   %s are new, exactly', pg_temp.num(:new, 9));
SELECT format('   %s are new, says the filter, and %s of these is wrong: its "no" is certain',
    pg_temp.num(:said, 9),
    CASE :wrong WHEN 0 THEN 'none' ELSE :'wrong' END);
SELECT format('   %s new ones it takes for known: %s %%, where it was made for 1 %%',
    pg_temp.num(:new - :said, 9),
    to_char(100.0 * (:new - :said) / greatest(:new, 1), 'FM990.00'));
\echo
SELECT format('   exactly, EXCEPT%s%s', repeat(' ', 35), pg_temp.ms(ms)) FROM took
WHERE name = 'new_exact';
SELECT format('   querying the filter%s%s%s', repeat(' ', 31), pg_temp.ms(s.ms),
    pg_temp.faster(e.ms, s.ms))
    FROM took s, took e WHERE s.name = 'new_sketch' AND e.name = 'new_exact';
SELECT format('   making the filter%s%s', repeat(' ', 33), pg_temp.ms(ms)) FROM took
WHERE name = 'seen';
CREATE TEMP TABLE distinct_item AS SELECT DISTINCT :item FROM before_that;
CREATE INDEX ON distinct_item (:item);
SELECT format('   the filter%s%s bytes', repeat(' ', 40), pg_temp.num(pg_column_size(filter), 14))
FROM seen;
SELECT format('   the %s themselves, and an index%s%s bytes', :'items',
    repeat(' ', 22 - length(:'items')),
    pg_temp.num(pg_table_size('distinct_item') + pg_indexes_size('distinct_item'), 14));
\echo
\endif
