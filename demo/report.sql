-- report.sql: what the demo has shown, as one HTML file with charts
--
-- Called by lib-show.sh after the others, in the same session and with their names; and
--   html      the file to write
--   heading, origin   words: what it is about, and what was read
-- The file needs no other: style and charts (inline SVG) are in it.  It is well-formed XML, too.

SET client_min_messages = warning;

-- --- helpers, gone with this session ------------------------------------------

-- a text as HTML has it; characters that XML does not know are shown as "?"
CREATE FUNCTION pg_temp.esc(t text) RETURNS text LANGUAGE sql AS $$
    SELECT replace(replace(replace(replace(
        regexp_replace(t, U&'[\0001-\0008\000B\000C\000E-\001F\FFFE\FFFF]', '?', 'g'),
        '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;') $$;
CREATE FUNCTION pg_temp.width(share float8) RETURNS text LANGUAGE sql AS $$
    SELECT to_char(100 * least(greatest(share, 0), 1), 'FM990.00') $$;
-- a bar over the whole width of its cell: filled up to one share, and paler up to another
CREATE FUNCTION pg_temp.bar(share float8, class text, paler float8 DEFAULT 0) RETURNS text
    LANGUAGE sql AS $$
    SELECT format('<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" '
        'aria-hidden="true">'
        '<rect class="back" width="100" height="10"/><rect class="pale" width="%s" height="10"/>'
        '<rect class="%s" width="%s" height="10"/></svg>',
        pg_temp.width(paler), class, pg_temp.width(share)) $$;
CREATE FUNCTION pg_temp.time(t float8) RETURNS text LANGUAGE sql AS $$
    SELECT ltrim(pg_temp.ms(t)) $$;
CREATE FUNCTION pg_temp.size(bytes bigint) RETURNS text LANGUAGE sql AS $$
    SELECT CASE
        WHEN bytes >= 10000000 THEN to_char(bytes / 1e6, 'FM999,990') || ' MB'
        WHEN bytes >= 1000000 THEN to_char(bytes / 1e6, 'FM990.0') || ' MB'
        WHEN bytes >= 10000 THEN to_char(bytes / 1e3, 'FM990') || ' kB'
        WHEN bytes >= 1000 THEN to_char(bytes / 1e3, 'FM990.0') || ' kB'
        ELSE bytes || ' bytes' END $$;
CREATE FUNCTION pg_temp.tile(number text, words text) RETURNS text LANGUAGE sql AS $$
    SELECT format('<div><b>%s</b><span>%s</span></div>', pg_temp.esc(number),
        pg_temp.esc(words)) $$;
-- two bars, one above the other: exactly, and from the sketch
CREATE FUNCTION pg_temp.pair_row(name text, exact bigint, estimate bigint, most bigint, note text)
RETURNS text LANGUAGE sql AS $$
    SELECT format('<tr><th scope="row">%s</th><td class="bars">%s%s</td><td class="n">%s</td>'
        '<td class="n">%s</td><td class="n">%s</td></tr>',
        pg_temp.esc(name), pg_temp.bar(exact::float8 / greatest(most, 1), 'exact'),
        pg_temp.bar(estimate::float8 / greatest(most, 1), 'sketch'),
        pg_temp.plain(exact), coalesce(pg_temp.plain(estimate), 'unknown'), pg_temp.esc(note)) $$;

SELECT to_regclass('pg_temp.union_row') IS NOT NULL AS has_unions,
    to_regclass('pg_temp.pair') IS NOT NULL AS has_pairs,
    to_regclass('pg_temp.new_exact') IS NOT NULL AS has_seen,
    to_regclass('pg_temp.size_row') IS NOT NULL AS has_sizes \gset

\o :html
-- --- head ---------------------------------------------------------------------

SELECT format($h$<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>probds: %1$s</title>
<style>
body { margin: 0 auto; max-width: 54rem; padding: 1rem 1rem 3rem; color: #1f2328; background: #fff;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 2.5rem 0 .5rem; padding-top: .8rem;
    border-top: 1px solid #d1d9e0; }
p, pre { margin: .6rem 0; }
.soft, figcaption { color: #59636e; font-size: .9rem; }
pre { background: #f6f8fa; border: 1px solid #d1d9e0; border-radius: 6px; padding: .6rem .8rem;
  overflow-x: auto; font: .8rem/1.45 ui-monospace, Menlo, "DejaVu Sans Mono", monospace; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .6rem;
    margin: 1rem 0; }
.tiles div { background: #f6f8fa; border: 1px solid #d1d9e0; border-radius: 8px;
    padding: .6rem .8rem; }
.tiles b { display: block; font-size: 1.35rem; line-height: 1.3; color: #1b5e9e; }
.tiles span { font-size: .85rem; color: #59636e; }
table { width: 100%%; border-collapse: collapse; font-size: .88rem; margin: .8rem 0; }
thead th { color: #59636e; font-weight: 600; text-align: right; vertical-align: bottom; }
thead th:first-child, tbody th { text-align: left; }
tbody th { font-weight: 400; overflow-wrap: anywhere; min-width: 5rem; }
th, td { padding: .28rem .35rem; border-bottom: 1px solid #eaeef2; }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.bars { width: 38%%; }
.bar { display: block; width: 100%%; height: .55rem; margin: 1px 0; }
.back { fill: #f0f3f6; } .exact { fill: #8c959f; } .sketch { fill: #1b5e9e; }
.pale { fill: #a9c8e6; }
.key { display: inline-block; width: .8em; height: .8em; border-radius: 2px;
    margin: 0 .3em 0 .8em; }
figure { margin: 1rem 0; }
figure > svg { display: block; width: 100%%; max-width: 34rem; height: auto; margin: 0 auto; }
svg text { font-size: 12px; fill: #59636e; }
@media (max-width: 34rem) {
    body { font-size: 15px; } .bars { width: 26%%; }
    table { font-size: .8rem; } th, td { padding: .25rem .2rem; }
}
</style>
</head>
<body>
<h1>%1$s</h1>
<p>%2$s</p>
<div class="tiles">%3$s</div>
<p class="soft"><span class="key" style="background:#8c959f;margin-left:0"></span>exactly
<span class="key" style="background:#1b5e9e"></span>from sketches of
probds %4$s, PostgreSQL %5$s</p>$h$,
    pg_temp.esc(:'heading'), pg_temp.esc(:'origin'),
    pg_temp.tile(pg_temp.plain(sum(n)::bigint), 'rows')
        || pg_temp.tile(pg_temp.plain(count(*)), :'parts')
        || (SELECT pg_temp.tile(pg_temp.size(pg_table_size(:'rows')), 'take the rows'))
        || (SELECT pg_temp.tile(pg_temp.size(sum(pg_column_size(:sketch))::bigint),
            'take their sketches') FROM :stored),
    (SELECT extversion FROM pg_extension WHERE extname = 'probds'),
    split_part(current_setting('server_version'), ' ', 1))
FROM part_row;

-- --- 1. parts -----------------------------------------------------------------

SELECT format($h$<h2>How many different %1$s had each %2$s?</h2>
<pre>CREATE TABLE %3$s AS
SELECT %4$s, hll_agg(%5$s) AS %6$s FROM %7$s GROUP BY %4$s;

SELECT %2$s, #%6$s AS estimate FROM %3$s;</pre>
<table><thead><tr><th>%2$s</th><th></th><th>exactly</th><th>sketch</th><th>off by</th></tr></thead>
<tbody>$h$,
    pg_temp.esc(:'items'), pg_temp.esc(:'part'), pg_temp.esc(:'stored'), pg_temp.esc(:'keys'),
    pg_temp.esc(:'item'), pg_temp.esc(:'sketch'), pg_temp.esc(:'rows'));
SELECT pg_temp.pair_row(part, exact, estimate, most, ltrim(pg_temp.off(estimate, exact)))
FROM (SELECT *, rank() OVER (ORDER BY n DESC, part) AS place, max(exact) OVER () AS most
    FROM part_row) p
WHERE place <= 12 OR NOT :'parts_many'::bool
ORDER BY CASE WHEN :'parts_many'::bool AND :'part' <> 'day' THEN place END, part;
\qecho '</tbody></table>'
SELECT format('<p class="soft">The 12 with most rows, of %s %s.</p>', pg_temp.plain(count(*)),
    pg_temp.esc(:'parts'))
FROM part_row HAVING :'parts_many'::bool;

-- The error of each part over its number of values; the band is two standard errors
WITH p AS (
    SELECT log(greatest(exact, 1)) AS x, 100.0 * (estimate - exact) / greatest(exact, 1) AS y
    FROM part_row
), s AS (
    SELECT greatest(ceil(max(x)), 1)::float8 AS decades,
        greatest(ceil(max(abs(y))), 2)::float8 AS most,
        200 * 1.03896 / sqrt(2 ^ 14) AS two
    FROM p
)
SELECT format('<figure><svg viewBox="0 0 434 230" role="img" aria-label="The error of each sketch '
    'over the number of different values">'
    '<rect x="52" y="%s" width="356" height="%s" fill="#e3eefa"/>', 100 - 85 * two / most,
        170 * two / most)
    || (SELECT string_agg(format('<path d="M52,%1$s H408" stroke="%2$s"/><text x="46" y="%3$s" '
        'text-anchor="end">%4$s %%</text>',
            100 - 85 * i / most, CASE i WHEN 0 THEN '#8c959f' ELSE '#e4e8ec' END,
                104 - 85 * i / most,
            CASE i WHEN 0 THEN '0' ELSE to_char(i, 'FMSG90') END), '')
        FROM (VALUES (-most), (0), (most)) v (i))
    || (SELECT string_agg(format('<path d="M%1$s,185 v5" stroke="#8c959f"/><text x="%1$s" y="203" '
        'text-anchor="middle">%2$s</text>',
            52 + 356 * i / decades, pg_temp.plain((10 ^ i)::bigint)), '')
        FROM generate_series(0, decades::int) i)
    || (SELECT string_agg(DISTINCT format('<circle cx="%s" cy="%s" r="3" fill="#1b5e9e" '
        'fill-opacity="0.55"/>',
            to_char(52 + 356 * x / decades, 'FM990.0'), to_char(100 - 85 * y / most, 'FM990.0')),
                '')
        FROM p)
    || format('<text x="230" y="224" text-anchor="middle">different %s, exactly</text></svg>'
        '<figcaption>Each dot is the sketch of a %s. %s of %s are exact. The band is '
        'two standard errors of a '
        'large sketch, ± %s %%.</figcaption></figure>',
        pg_temp.esc(:'items'), pg_temp.esc(:'part'),
        (SELECT pg_temp.plain(count(*)) FROM p WHERE y = 0),
            (SELECT pg_temp.plain(count(*)) FROM p),
        to_char(two, 'FM0.00'))
FROM s;

-- --- 2. unions ----------------------------------------------------------------

\if :has_unions
SELECT format($h$<h2>%1$s, without the rows</h2>
<pre>SELECT %2$s, #hll_merge_agg(%3$s) AS %3$s
FROM %4$s GROUP BY %5$s;</pre>$h$,
    pg_temp.esc(:'groups2'), pg_temp.esc(:'group1_shown'), pg_temp.esc(:'sketch'),
        pg_temp.esc(:'stored'),
    pg_temp.esc(:'group1_as'));
SELECT format('<table><thead><tr><th>%s</th><th></th><th>exactly</th><th>sketches</th>'
    '<th>off by</th></tr></thead><tbody>',
        pg_temp.esc(word))
    || (SELECT string_agg(pg_temp.pair_row(part, exact, estimate, most,
        ltrim(pg_temp.off(estimate, exact))), '' ORDER BY part)
        FROM (SELECT *, rank() OVER (ORDER BY exact DESC, part) AS place, max(exact) OVER () AS most
            FROM union_row WHERE level = w.level) u
        WHERE place <= 15)
    || '</tbody></table>'
    || (SELECT CASE WHEN count(*) > 15 THEN format('<p class="soft">The 15 largest of %s.</p>',
        count(*)) ELSE '' END
        FROM union_row WHERE level = w.level)
FROM (VALUES (1, :'group1_as'), (2, :'group2_as')) w (level, word);
\endif

-- --- 3. overlaps --------------------------------------------------------------

\if :has_pairs
SELECT format($h$<h2>How many %1$s do two %2$ss share?</h2>
<pre>SELECT hll_intersection_cardinality(a, b) AS shared, hll_jaccard(a, b) AS similarity</pre>$h$,
    pg_temp.esc(:'items'), pg_temp.esc(:'side'));
WITH p AS (
    SELECT *, row_number() OVER (ORDER BY place, a, b) - 1 AS i,
        greatest(max(greatest(upper, exact)) OVER (), 1)::float8 AS most
    FROM pair
)
SELECT format('<figure><svg viewBox="0 0 420 %s" role="img" aria-label="Shared values: exactly, '
    'by the sketches, and between which bounds">',
        34 + 46 * count(*))
    || string_agg(format('<text x="8" y="%s" style="fill:#1f2328">%s</text>', 20 + 46 * i,
        pg_temp.esc(left(a || ', ' || b, 52)))
        || format('<path d="M8,%1$s H412" stroke="#eaeef2" stroke-width="9"/>', 33 + 46 * i)
        || coalesce(format('<path d="M%1$s,%2$s H%3$s" stroke="#a9c8e6" stroke-width="9"/>',
            8 + 404 * lower / most, 33 + 46 * i, 8 + 404 * upper / most), '')
        || coalesce(format('<circle cx="%s" cy="%s" r="5" fill="#1b5e9e"/>',
            8 + 404 * estimate / most, 33 + 46 * i), '')
        || format('<path d="M%s,%s v18" stroke="#1f2328" stroke-width="2"/>',
            8 + 404 * exact / most, 24 + 46 * i), '' ORDER BY i)
    || format('<text x="8" y="%1$s">0</text><text x="412" y="%1$s" '
        'text-anchor="end">%2$s</text></svg>',
        20 + 46 * count(*), pg_temp.plain(max(most)::bigint))
    || '<figcaption>Line: exactly. Dot: by the sketches, which are 95 % sure of the blue span. '
        'What two large sketches share is known to about one percent of their union.'
        '</figcaption></figure>'
FROM p;
\endif

-- --- 4. was it there before ---------------------------------------------------

\if :has_seen
SELECT format($h$<h2>Which %1$s of %2$s are in no %3$s?</h2>
<pre>CREATE TABLE seen AS
SELECT bloom_agg(%4$s) AS %1$s FROM %5$s WHERE %6$s &lt;&gt; '%2$s';

SELECT DISTINCT %4$s FROM %5$s, seen
WHERE %6$s = '%2$s' AND NOT %1$s @&gt; %4$s;</pre>
<div class="tiles">%7$s</div>$h$,
    pg_temp.esc(:'items'), pg_temp.esc(:'newest'), pg_temp.esc(:'before'), pg_temp.esc(:'item'),
    pg_temp.esc(:'rows'), pg_temp.esc(:'part'),
    pg_temp.tile(pg_temp.plain(:asked), format('%s of %s', :'items', :'newest'))
        || pg_temp.tile(pg_temp.plain(:new), 'are new, exactly')
        || pg_temp.tile(pg_temp.plain(:said), 'are new, says the filter')
        || pg_temp.tile(pg_temp.plain(:wrong), 'of these are wrong: "no" is certain')
        || pg_temp.tile(to_char(100.0 * (:new - :said) / greatest(:new, 1), 'FM990.00') || ' %',
            'of the new ones taken for known, made for 1 %'));
\endif

-- --- 5. top -------------------------------------------------------------------

SELECT format($h$<h2>Which %1$s occur most?</h2>
<pre>SELECT * FROM topk_items((SELECT topk_agg(%2$s, 10) FROM %3$s));</pre>
<table><thead><tr><th>%2$s</th><th></th><th>exactly</th><th>sketch</th><th>for certain</th></tr>
</thead><tbody>$h$,
    pg_temp.esc(:'items'), pg_temp.esc(:'item'), pg_temp.esc(:'rows'));
SELECT format('<tr><th scope="row">%s</th><td class="bars">%s%s</td><td class="n">%s</td>'
    '<td class="n">%s</td><td class="n">%s</td></tr>',
    pg_temp.esc(left(i.item, 60)), pg_temp.bar(e.n::float8 / max(i.upper) OVER (), 'exact'),
    pg_temp.bar(i.lower::float8 / max(i.upper) OVER (), 'sketch',
        i.upper::float8 / max(i.upper) OVER ()),
    pg_temp.plain(e.n), pg_temp.plain(i.frequency),
    CASE WHEN lower = upper THEN 'exact' ELSE pg_temp.plain(lower) || '–' ||
        pg_temp.plain(upper) END)
FROM top_sketch, topk_items(top) i LEFT JOIN top_exact e ON e.item = i.item
ORDER BY i.frequency DESC, i.item LIMIT 10;
\qecho '</tbody></table>'

-- --- 7. sizes ------------------------------------------------------------------

\if :has_sizes
SELECT format($h$<h2>How large are %1$s?</h2>
<pre>CREATE TABLE sizes AS
SELECT %2$s, ddsketch_agg(bytes) AS sizes FROM %3$s GROUP BY %2$s;

SELECT ddsketch_quantiles(ddsketch_merge_agg(sizes), '{0.5,0.95,0.99}') FROM sizes;</pre>
<table><thead><tr><th></th><th></th><th>exactly</th><th>sketches</th><th>off by</th></tr></thead>
<tbody>$h$,
    pg_temp.esc(:'sized_things'), pg_temp.esc(:'keys'), pg_temp.esc(:'rows'));
SELECT pg_temp.pair_row(name, exact, estimate, max(exact) OVER (),
    ltrim(pg_temp.off(estimate, exact)))
FROM size_row ORDER BY share;
\qecho '</tbody></table>'
-- from the sketch alone, folded to buckets of powers of 2
WITH b AS (
    SELECT ceil(log(2, greatest(upper, 1)::numeric))::int AS i, sum(count)::bigint AS n
    FROM sketch_size, ddsketch_buckets(sizes::ddsketch(0.34)) GROUP BY 1
), s AS (
    SELECT min(i) AS low, max(i) - min(i) + 1 AS bars, max(n)::float8 AS most FROM b
)
SELECT '<figure><svg viewBox="0 0 434 190" role="img" aria-label="A histogram of the sizes">'
    || (SELECT string_agg(format('<rect x="%s" y="%s" width="%s" height="%s" class="sketch"/>',
            to_char(20 + 394.0 * (i - low) / bars, 'FM990.0'),
            to_char(150 - 140 * n / most, 'FM990.0'), to_char(394.0 / bars - 1, 'FM990.0'),
            to_char(140 * n / most, 'FM990.0')), '' ORDER BY i)
        FROM b)
    || (SELECT string_agg(format('<text x="%s" y="168" text-anchor="middle">%s</text>',
            to_char(20 + 394.0 * (i - low + 1) / bars, 'FM990.0'),
            pg_temp.size((2::numeric ^ i)::bigint)), '')
        FROM generate_series(low, low + bars - 1) i WHERE i % 5 = 0 AND i - low + 1 < bars)
    || '<path d="M20,150 H414" stroke="#8c959f"/></svg>'
        '<figcaption>How many rows there are of each size, from the merged sketch. The sizes of a '
        'bar are up to twice those of the bar before it.</figcaption></figure>'
FROM s;
\endif

-- --- time and bytes -----------------------------------------------------------

CREATE TEMP TABLE report_time (place int, what text, exact float8, sketch float8);
INSERT INTO report_time
SELECT 1, format('%s of each %s', :'items', :'part'), max(ms) FILTER (WHERE name = 'exact_part'),
    max(ms) FILTER (WHERE name = 'sketch_part') FROM took
UNION ALL
SELECT 2, lower(:'groups2'), sum(ms) FILTER (WHERE name LIKE 'exact\_group%'),
    sum(ms) FILTER (WHERE name LIKE 'sketch\_group%') FROM took
UNION ALL
SELECT 4, format('new %s', :'items'), max(ms) FILTER (WHERE name = 'new_exact'),
    max(ms) FILTER (WHERE name = 'new_sketch') FROM took
UNION ALL
SELECT 5, format('most frequent %s', :'items'), max(ms) FILTER (WHERE name = 'top_exact'),
    max(ms) FILTER (WHERE name = 'top_sketch') FROM took
UNION ALL
SELECT 6, 'percentiles', max(ms) FILTER (WHERE name = 'exact_size'),
    max(ms) FILTER (WHERE name = 'sketch_size') FROM took;
\if :has_pairs
INSERT INTO report_time SELECT 3, format('shared %s', :'items'), sum(exact_ms), sum(sketch_ms)
FROM pair;
\endif
\qecho '<h2>Time</h2>'
\qecho '<table><thead><tr><th></th><th></th><th>exactly</th><th>sketches</th><th>faster</th>'
\qecho '</tr></thead><tbody>'
SELECT format('<tr><th scope="row">%s</th><td class="bars">%s%s</td><td class="n">%s</td>'
    '<td class="n">%s</td><td class="n">%s</td></tr>',
    pg_temp.esc(what), pg_temp.bar(exact / greatest(exact, sketch), 'exact'),
    pg_temp.bar(sketch / greatest(exact, sketch), 'sketch'), pg_temp.time(exact),
        pg_temp.time(sketch),
    to_char(exact / sketch, CASE WHEN exact / sketch >= 10 THEN 'FM999,990' ELSE 'FM990.0' END) ||
        ' ×')
FROM report_time WHERE exact IS NOT NULL AND sketch IS NOT NULL ORDER BY place;
\qecho '</tbody></table>'

CREATE TEMP TABLE report_bytes AS
SELECT 1 AS place, format('the rows, %s', :'rows') AS what, pg_table_size(:'rows') AS bytes,
    'exact' AS class
UNION ALL SELECT 2, format('distinct %s and %s, the least for exact unions', :'part', :'item'),
    pg_table_size('distinct_pair'), 'exact'
UNION ALL SELECT 3, format('the sketches, %s', :'stored'), pg_table_size(:'stored'), 'sketch'
UNION ALL SELECT 6, format('the most frequent %s', :'items'), pg_column_size(top), 'sketch'
FROM top_sketch;
\if :has_seen
INSERT INTO report_bytes
SELECT 4, format('the %s of each %s, with an index', :'items', :'before'),
    pg_table_size('distinct_item') + pg_indexes_size('distinct_item'), 'exact'
UNION ALL SELECT 5, 'the filter of these', pg_column_size(filter), 'sketch' FROM seen;
\endif
\qecho '<h2>Bytes on disk</h2>'
\qecho '<table><tbody>'
SELECT format('<tr><th scope="row">%s</th><td class="bars">%s</td><td class="n">%s</td></tr>',
    pg_temp.esc(what), pg_temp.bar(bytes::float8 / max(bytes) OVER (), class), pg_temp.size(bytes))
FROM report_bytes ORDER BY place;
\qecho '</tbody></table>'
\qecho '</body>'
\qecho '</html>'
\o
