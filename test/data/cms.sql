-- Frequencies from Count-Min sketches against exact ones: never too low; within the stated
-- error except for a share of delta; conservative update; join sizes
\echo
\echo ========== cms ==========

-- every key of each data set, with what it weighs
CREATE TABLE exact AS
SELECT 'gutenberg_tokens' AS data, word AS key, count(*) AS n FROM gutenberg_tokens GROUP BY word
UNION ALL SELECT 'babynames', name, sum(n)::bigint FROM babynames GROUP BY name
UNION ALL SELECT 'dap visits', host, sum(visits)::bigint FROM dap_domains_monthly GROUP BY host
UNION ALL SELECT 'dap pageviews', host, sum(pageviews)::bigint FROM dap_domains_monthly
GROUP BY host
UNION ALL SELECT 'nasa hosts', host, count(*) FROM nasa_http GROUP BY host
UNION ALL SELECT 'usagov urls', url, count(*) FROM usagov_clicks WHERE url IS NOT NULL GROUP BY url
UNION ALL SELECT 'apache ips', host(ip), count(*) FROM apache_semicomplete GROUP BY ip;
ANALYZE exact;

CREATE TABLE sketch (data text, variant text, epsilon float8, delta float8, c cms);
INSERT INTO sketch SELECT 'gutenberg_tokens', v.*
FROM (SELECT cms_agg(word), cms_agg(word, 0.0001, 0.001), cms_agg_conservative(word),
    cms_agg_conservative(word, 0.0001, 0.001) FROM gutenberg_tokens) q(a, b, c, d),
    LATERAL (VALUES ('plain', 0.001, 0.01, a), ('plain', 0.0001, 0.001, b),
        ('conservative', 0.001, 0.01, c), ('conservative', 0.0001, 0.001, d)) v;
INSERT INTO sketch SELECT 'babynames', v.*
FROM (SELECT cms_agg_weighted(name, n), cms_agg_weighted(name, n, 0.0001, 0.001),
    cms_agg_conservative_weighted(name, n),
    cms_agg_conservative_weighted(name, n, 0.0001, 0.001) FROM babynames) q(a, b, c, d),
    LATERAL (VALUES ('plain', 0.001, 0.01, a), ('plain', 0.0001, 0.001, b),
        ('conservative', 0.001, 0.01, c), ('conservative', 0.0001, 0.001, d)) v;
INSERT INTO sketch SELECT 'dap visits', v.*
FROM (SELECT cms_agg_weighted(host, visits), cms_agg_weighted(host, visits, 0.0001, 0.001),
    cms_agg_conservative_weighted(host, visits), cms_agg_conservative_weighted(host, visits,
        0.0001, 0.001)
    FROM dap_domains_monthly) q(a, b, c, d),
    LATERAL (VALUES ('plain', 0.001, 0.01, a), ('plain', 0.0001, 0.001, b),
        ('conservative', 0.001, 0.01, c), ('conservative', 0.0001, 0.001, d)) v;
INSERT INTO sketch SELECT 'dap pageviews', v.*
FROM (SELECT cms_agg_weighted(host, pageviews), cms_agg_weighted(host, pageviews, 0.0001, 0.001)
    FROM dap_domains_monthly) q(a, b),
    LATERAL (VALUES ('plain', 0.001, 0.01, a), ('plain', 0.0001, 0.001, b)) v;
INSERT INTO sketch SELECT 'nasa hosts', v.*
FROM (SELECT cms_agg(host), cms_agg(host, 0.0001, 0.001), cms_agg_conservative(host),
    cms_agg_conservative(host, 0.0001, 0.001) FROM nasa_http) q(a, b, c, d),
    LATERAL (VALUES ('plain', 0.001, 0.01, a), ('plain', 0.0001, 0.001, b),
        ('conservative', 0.001, 0.01, c), ('conservative', 0.0001, 0.001, d)) v;
INSERT INTO sketch SELECT 'usagov urls', v.* FROM (SELECT cms_agg(url), cms_agg(url, 0.0001, 0.001)
    FROM usagov_clicks) q(a, b),
    LATERAL (VALUES ('plain', 0.001, 0.01, a), ('plain', 0.0001, 0.001, b)) v;
INSERT INTO sketch SELECT 'apache ips', v.*
FROM (SELECT cms_agg(host(ip)), cms_agg(host(ip), 0.0001, 0.001) FROM apache_semicomplete) q(a, b),
    LATERAL (VALUES ('plain', 0.001, 0.01, a), ('plain', 0.0001, 0.001, b)) v;

\echo every key of seven data sets: the most that an estimate is off, and on average
CREATE TABLE asked AS
SELECT data, variant, s.epsilon, s.delta, i.total, i.error, i.bytes, key, n, f, lower
FROM sketch s, cms_info(c) i, LATERAL (SELECT key, n, c -> key AS f, (cms_bounds(c, key)).lower
    FROM exact e WHERE e.data = s.data OFFSET 0) a;
SELECT data, variant, epsilon, total, bytes, count(*) AS keys, error,
    round(avg(f - n), 1) AS "mean error", max(f - n) AS largest,
    count(*) FILTER (WHERE f - n > error) AS "over it", count(*) FILTER (WHERE f < n) AS "too low"
FROM asked GROUP BY 1, 2, 3, 4, 5, error ORDER BY 1, 3 DESC, 2 DESC;
INSERT INTO verdict (what, ok)
SELECT format('%s, %s at %s: no key of %s below its %s of %s', data, variant, epsilon, count(*),
    CASE WHEN max(n) > 1000000 THEN 'weight' ELSE 'count' END, total),
    bool_and(f >= n) AND total = sum(n)
FROM asked GROUP BY data, variant, epsilon, total ORDER BY data, variant, epsilon;
INSERT INTO verdict (what, ok)
SELECT format('%s, %s at %s: %s of %s keys more than %s too high', data, variant, epsilon,
    count(*) FILTER (WHERE f - n > error), count(*), error),
    count(*) FILTER (WHERE f - n > error) <= delta * count(*)
FROM asked GROUP BY data, variant, epsilon, delta, error ORDER BY data, variant, epsilon;
INSERT INTO verdict (what, ok)
SELECT format('cms_bounds: %s of %s keys are below the lower bound, in no sketch more than delta '
    'of them', sum(below), sum(keys)), bool_and(below <= delta * keys)
FROM (SELECT delta, count(*) FILTER (WHERE n < lower) AS below, count(*) AS keys FROM asked
    GROUP BY data, variant, epsilon, delta) q;
INSERT INTO verdict (what, ok)
SELECT 'dap visits: the top key has over 2^32, ' || n || ', told as ' || f,
    n = 5383181003 AND f BETWEEN n AND n + error FROM asked
    WHERE data = 'dap visits' AND key = 'tools.usps.com' AND variant = 'plain' AND epsilon = 0.0001;
-- the top hundred, as they came with the data
INSERT INTO verdict (what, ok)
SELECT 'gutenberg_tokens: "the", 98906 times, is told as ' || string_agg(f::text, ', '
    ORDER BY variant, epsilon), bool_and(f BETWEEN 98906 AND 98906 + error) FROM asked
    WHERE data = 'gutenberg_tokens' AND key = 'the';

\echo conservative update against plain
SELECT data, epsilon, round(avg(f - n) FILTER (WHERE variant = 'plain'), 2) AS plain,
    round(avg(f - n) FILTER (WHERE variant = 'conservative'), 2) AS conservative,
    round(avg(f - n) FILTER (WHERE variant = 'conservative') /
        nullif(avg(f - n) FILTER (WHERE variant = 'plain'), 0), 3) AS ratio
FROM asked WHERE data IN ('gutenberg_tokens', 'babynames', 'dap visits', 'nasa hosts') GROUP BY 1, 2
ORDER BY 1, 2 DESC;
INSERT INTO verdict (what, ok)
SELECT format('gutenberg_tokens at %s: the mean error by conservative update is %s, plain %s',
    epsilon, round(avg(f - n) FILTER (WHERE variant = 'conservative'), 3),
    round(avg(f - n) FILTER (WHERE variant = 'plain'), 3)),
    avg(f - n) FILTER (WHERE variant = 'conservative') <= 0.6 * avg(f - n) FILTER
        (WHERE variant = 'plain') FROM asked WHERE data = 'gutenberg_tokens' GROUP BY epsilon
        ORDER BY epsilon;

-- ---------- merged, subtracted, in parallel: the same bytes ----------
INSERT INTO verdict (what, ok)
SELECT format('%s at %s: merged from %s parts, the same bytes', data, epsilon, parts), m = c
FROM sketch JOIN (
    SELECT 'dap visits' AS data, count(*) AS parts, cms_merge_agg(p) AS m
    FROM (SELECT cms_agg_weighted(host, visits) AS p FROM dap_domains_monthly GROUP BY snapshot) q
    UNION ALL SELECT 'usagov urls', count(*), cms_merge_agg(p)
    FROM (SELECT cms_agg(url) AS p FROM usagov_clicks WHERE url IS NOT NULL GROUP BY day) q
    UNION ALL SELECT 'babynames', count(*), cms_merge_agg(p)
    FROM (SELECT cms_agg_weighted(name, n) AS p FROM babynames GROUP BY year) q
    UNION ALL SELECT 'gutenberg_tokens', count(*), cms_merge_agg(p)
        FROM (SELECT cms_agg(word) AS p FROM gutenberg_tokens GROUP BY book) q) r USING (data)
        WHERE variant = 'plain' AND epsilon = 0.001;
INSERT INTO verdict (what, ok)
SELECT 'gutenberg_tokens: all books less one is the others',
    cms_subtract(c, (SELECT cms_agg(word) FROM gutenberg_tokens WHERE book = b)) =
    (SELECT cms_agg(word) FROM gutenberg_tokens WHERE book <> b)
FROM sketch, (SELECT min(book) AS b FROM gutenberg_tokens) q WHERE data = 'gutenberg_tokens'
    AND variant = 'plain' AND epsilon = 0.001;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
INSERT INTO verdict (what, ok)
SELECT 'gutenberg_tokens, in parallel: the same bytes',
    (SELECT cms_agg(word, 0.0001, 0.001) FROM gutenberg_tokens) = c FROM sketch
    WHERE data = 'gutenberg_tokens' AND variant = 'plain' AND epsilon = 0.0001;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;

-- ---------- join sizes ----------
\echo how many pairs of the same word two novels have: the join that nobody should run
CREATE TABLE novel AS SELECT book, cms_agg(word, 0.0001, 0.001) AS c FROM gutenberg_tokens
GROUP BY book;
CREATE TABLE pairs AS
SELECT a.book, b.book AS other, cms_inner_product(a.c, b.c) AS told, exact,
    0.0001 * cms_total(a.c) * cms_total(b.c) AS allowed
FROM novel a JOIN novel b ON a.book < b.book,
    LATERAL (SELECT sum(x.n * y.n) AS exact FROM (SELECT word, count(*) AS n FROM gutenberg_tokens
    WHERE book = a.book GROUP BY 1) x JOIN (SELECT word, count(*) AS n FROM gutenberg_tokens
    WHERE book = b.book GROUP BY 1) y USING (word)) q;
SELECT book, other, exact, told, round(100 * (told / exact - 1), 3) AS "%" FROM pairs ORDER BY 1, 2;
INSERT INTO verdict (what, ok)
SELECT format('join sizes of %s pairs of novels: never too low, at most %s %% too high', count(*),
    round(max(100 * (told / exact - 1)), 3)), bool_and(told >= exact AND told <= exact + allowed)
    FROM pairs;

-- ---------- a window ----------
INSERT INTO verdict (what, ok)
SELECT format('a window of 5,000 clicks over %s: %s wrong', count(*),
    count(*) FILTER (WHERE f < exact OR f > exact + 40)), bool_and(f BETWEEN exact AND exact + 40)
FROM (SELECT cms_frequency(cms_agg(url) OVER w,
    'http://www.hpc.ncep.noaa.gov/discussions/nfdscc2.html') AS f,
    count(*) FILTER (WHERE url = 'http://www.hpc.ncep.noaa.gov/discussions/nfdscc2.html') OVER w
    AS exact
    FROM usagov_clicks WINDOW w AS (ORDER BY ts, visitor, url ROWS 4999 PRECEDING)) q;
