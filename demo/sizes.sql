-- sizes.sql: percentiles of the rows' bytes, exactly and from stored sketches
--
-- Called by lib-show.sh after ordinary.sql, in the same session and with its names.

SELECT count(bytes) > 0 AS sized FROM :rows \gset
\if :sized

\set line '7. How large? The percentiles of ' :sized_things
\echo :line
\echo
\set line '   CREATE TABLE sizes AS SELECT ' :keys ', ddsketch_agg(bytes) AS sizes'
\echo :line
\set line '     FROM ' :rows ' GROUP BY ' :keys ';'
\echo :line
\echo '   SELECT ddsketch_quantiles(ddsketch_merge_agg(sizes), ''{0.5,0.95,0.99}'') FROM sizes;'
\echo

\set query 'SELECT ' :keys ', ddsketch_agg(bytes) AS sizes FROM ' :rows ' GROUP BY ' :keys
CREATE TEMP TABLE sizes AS :query;
\set query 'SELECT percentile_disc(''{0.5,0.95,0.99}''::float8[])'
\set query :query ' WITHIN GROUP (ORDER BY bytes) AS q FROM ' :rows
SELECT pg_temp.timed('exact_size', :'query') \g /dev/null
\set query 'SELECT ddsketch_merge_agg(sizes) AS sizes FROM sizes'
SELECT pg_temp.timed('sketch_size', :'query') \g /dev/null

SELECT format('   %s %s %s %s', rpad('', 24), lpad('exactly', 13), lpad('sketches', 13),
    lpad('off by', 9));
CREATE TEMP TABLE size_row AS
    SELECT p.share, p.name, e.q[p.i]::bigint AS exact,
        ddsketch_quantile(s.sizes, p.share)::bigint AS estimate
    FROM exact_size e, sketch_size s,
        (VALUES (1, 0.5::float8, 'p50, the median'), (2, 0.95, 'p95'), (3, 0.99, 'p99'))
            p(i, share, name);
SELECT format('   %s %s %s %s', rpad(name, 24), pg_temp.num(exact, 13), pg_temp.num(estimate, 13),
    pg_temp.off(estimate, exact))
FROM size_row ORDER BY share;
\echo
\echo '   None can be off by more than 1 %: the error of a ddsketch is a promise.'
\echo
SELECT format('   exactly, percentile_disc of the rows%s%s', repeat(' ', 17), pg_temp.ms(ms))
    FROM took WHERE name = 'exact_size';
SELECT format('   from the stored sketches%s%s%s', repeat(' ', 29), pg_temp.ms(s.ms),
    pg_temp.faster(e.ms, s.ms))
    FROM took s, took e WHERE s.name = 'sketch_size' AND e.name = 'exact_size';
\echo
\endif
