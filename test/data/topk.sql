-- topk: the most frequent words, names, hosts and pages, in one sketch and merged

-- The exact frequencies of everything, to compare with
CREATE TABLE exact (stream text, item text, n bigint);
INSERT INTO exact SELECT 'gutenberg', word, count(*) FROM gutenberg_tokens GROUP BY word;
INSERT INTO exact SELECT 'babynames', name, sum(n) FROM babynames GROUP BY name;
INSERT INTO exact SELECT 'dap', host, sum(visits) FROM dap_domains_monthly GROUP BY host;
INSERT INTO exact SELECT 'nasa', host, count(*) FROM nasa_http GROUP BY host;
INSERT INTO exact SELECT 'usagov', url, count(*) FROM usagov_clicks WHERE url IS NOT NULL
GROUP BY url;
CREATE UNIQUE INDEX ON exact (stream, item);
ANALYZE exact;
INSERT INTO verdict (what, ok)
SELECT format('topk truth, %s: the 100 most frequent are as they came with the data', stream),
    count(*) = 100 AND bool_and(e.n = t.n) AND min(t.n) >= (SELECT n FROM exact x
    WHERE x.stream = t.stream ORDER BY n DESC OFFSET 100 LIMIT 1)
FROM top_truth t LEFT JOIN exact e USING (stream, item) GROUP BY stream ORDER BY stream;

-- One sketch of all rows, and one a book, year, month or day, merged
CREATE TABLE top (stream text, how text, s topk);
INSERT INTO top SELECT 'gutenberg', 'at once', topk_agg(word, 20) FROM gutenberg_tokens;
INSERT INTO top SELECT 'gutenberg', 'merged', topk_merge_agg(s)
FROM (SELECT topk_agg(word, 20) AS s FROM gutenberg_tokens GROUP BY book) q;
INSERT INTO top SELECT 'babynames', 'at once', topk_agg_weighted(name, n, 20) FROM babynames;
INSERT INTO top SELECT 'babynames', 'merged', topk_merge_agg(s)
FROM (SELECT topk_agg_weighted(name, n, 20) AS s FROM babynames GROUP BY year) q;
INSERT INTO top SELECT 'dap', 'at once', topk_agg_weighted(host, visits, 20)
    FROM dap_domains_monthly;
INSERT INTO top SELECT 'dap', 'merged', topk_merge_agg(s)
FROM (SELECT topk_agg_weighted(host, visits, 20) AS s FROM dap_domains_monthly GROUP BY snapshot) q;
INSERT INTO top SELECT 'nasa', 'at once', topk_agg(host, 20) FROM nasa_http;
INSERT INTO top SELECT 'nasa', 'merged', topk_merge_agg(s)
FROM (SELECT topk_agg(host, 20) AS s FROM nasa_http GROUP BY day) q;
INSERT INTO top SELECT 'usagov', 'at once', topk_agg(url, 20) FROM usagov_clicks;
INSERT INTO top SELECT 'usagov', 'merged', topk_merge_agg(s)
FROM (SELECT topk_agg(url, 20) AS s FROM usagov_clicks GROUP BY day) q;

-- All items of a sketch, and the first 20 of them
CREATE TABLE top_item AS
SELECT stream, how, t.*, e.n,
    row_number() OVER (PARTITION BY stream, how ORDER BY frequency DESC) AS place
FROM top CROSS JOIN topk_info(s) i CROSS JOIN topk_items(s, i.error + 0.5 / i.total) t LEFT
    JOIN exact e USING (stream, item);
CREATE TABLE top_seen AS
SELECT stream, how, i.items, i.total, round(i.error * i.total) AS error,
    i.bytes, pg_column_size(s) AS stored,
    (SELECT count(*) FROM top_item t WHERE (t.stream, t.how) = (top.stream, top.how)
        AND (n BETWEEN lower AND upper) IS NOT TRUE) AS outside,
    (SELECT count(*) FROM exact e WHERE e.stream = top.stream AND n > round(i.error * i.total)
        AND NOT EXISTS (SELECT FROM top_item t
        WHERE (t.stream, t.how, t.item) = (top.stream, top.how, e.item))) AS missing,
    (SELECT sum(n) FROM exact e WHERE e.stream = top.stream) AS sum,
    (SELECT count(*) FROM top_truth t JOIN topk_items(s) USING (item) WHERE t.stream = top.stream
        AND t.n >= (SELECT n FROM top_truth x WHERE x.stream = t.stream
        ORDER BY n DESC OFFSET 19 LIMIT 1)) AS top_20,
    (SELECT max((upper - lower)::float8 / frequency) FROM (SELECT * FROM topk_items(s) LIMIT 5) t)
        AS spread_5, (SELECT max((upper - lower)::float8 / frequency)
        FROM topk_items(s)) AS spread_20
FROM top, topk_info(s) i;
\echo -n 'topk, k 20: what may be missing from a sketch, how many of the 20 most frequent are '
\echo its first 20, and how far apart their bounds are
SELECT stream, how, items, total, error, top_20, round((100 * spread_5)::numeric, 4) AS "top 5, %",
    round((100 * spread_20)::numeric, 4) AS "top 20, %", bytes, stored FROM top_seen
    ORDER BY stream, how;

INSERT INTO verdict (what, ok)
SELECT format('topk, %s, %s: all counts are within their bounds, and what is missing occurred up '
    'to %s of %s times', stream, how, error, total), outside = 0 AND missing = 0 AND total = sum
    AND error <= total / 2049
FROM top_seen ORDER BY stream, how;
INSERT INTO verdict (what, ok)
SELECT format('topk, %s, %s: the first 20 are the 20 most frequent', stream, how), top_20 = 20
FROM top_seen ORDER BY stream, how;
INSERT INTO verdict (what, ok)
SELECT format('topk, %s, %s: bounds of the first 5 are %s %% apart at most', stream, how,
    round((100 * spread_5)::numeric, 4)), spread_5 <= 0.01 FROM top_seen
    WHERE stream IN ('gutenberg', 'babynames', 'dap') ORDER BY stream, how;
INSERT INTO verdict (what, ok)
SELECT 'topk: sums above 2^32, at the first of dap: ' || lower,
    lower > 2 ^ 32 AND item = 'tools.usps.com' FROM top_item
    WHERE stream = 'dap' AND how = 'at once' AND place = 1;

-- in one step
INSERT INTO verdict (what, ok)
SELECT 'approx_top_k(word, 20) of gutenberg_tokens: ' || string_agg(item ->> 'item', ' '
    ORDER BY i),
    array_agg(item ->> 'item' ORDER BY i) = (SELECT array_agg(item)
        FROM (SELECT item FROM top_truth WHERE stream = 'gutenberg' ORDER BY n DESC LIMIT 20) q)
    AND array_agg((item -> 'frequency')::bigint ORDER BY i) = (SELECT array_agg(n)
        FROM (SELECT n FROM top_truth WHERE stream = 'gutenberg' ORDER BY n DESC LIMIT 20) q)
FROM (SELECT approx_top_k(word, 20) AS top FROM gutenberg_tokens) q, jsonb_array_elements(top)
    WITH ORDINALITY e(item, i);

-- heavy hitters: 1 % of all visits
INSERT INTO verdict (what, ok)
SELECT format('topk, dap: %s hosts have 1 %% of all visits', count(*)),
    count(*) FILTER (WHERE guaranteed) = count(*) AND count(*) = (SELECT count(*) FROM exact
    WHERE stream = 'dap' AND n >= 355228974)
FROM top, topk_items(s, 0.01) WHERE stream = 'dap' AND how = 'merged';
