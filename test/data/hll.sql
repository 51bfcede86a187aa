-- hll: unique visitors per day, week and month, from stored daily sketches

-- ---------- usagov_clicks: 43 days of clicks on short links ----------
CREATE TABLE usagov_daily AS
SELECT day, hll_agg(visitor) AS visitors, count(DISTINCT visitor) AS exact FROM usagov_clicks
GROUP BY day;

\echo usagov_clicks: visitors each day
SELECT day, exact, #visitors AS estimate, percent(#visitors, exact) AS "error %",
    (hll_info(visitors)).bytes
FROM usagov_daily ORDER BY day;
INSERT INTO verdict (what, ok)
SELECT format('usagov_clicks %s: %s visitors, estimated %s', t.day, t.visitors, #d.visitors),
    within(#d.visitors, t.visitors)
FROM usagov_truth t LEFT JOIN usagov_daily d USING (day) ORDER BY t.day;
INSERT INTO verdict (what, ok)
SELECT 'usagov_clicks: 43 days, and the exact numbers are those that came with the data',
    count(*) = 43 AND bool_and(d.exact = t.visitors)
FROM usagov_truth t FULL JOIN usagov_daily d USING (day);

\echo usagov_clicks: visitors each week, from the stored days
CREATE TABLE usagov_weekly AS
SELECT week, days, visitors, exact, from_rows
FROM (SELECT date_trunc('week', day)::date AS week, count(*) AS days,
    hll_merge_agg(visitors) AS visitors FROM usagov_daily GROUP BY 1) stored
    JOIN (SELECT date_trunc('week', day)::date AS week, count(DISTINCT visitor) AS exact,
        hll_agg(visitor) AS from_rows FROM usagov_clicks GROUP BY 1) logged USING (week);
SELECT week, days, exact, #visitors AS estimate, percent(#visitors, exact) AS "error %",
    (hll_info(visitors)).bytes FROM usagov_weekly ORDER BY week;
INSERT INTO verdict (what, ok)
SELECT format('usagov_clicks, week of %s: %s visitors, estimated %s', week, exact, #visitors),
    within(#visitors, exact) FROM usagov_weekly ORDER BY week;
INSERT INTO verdict (what, ok)
SELECT 'usagov_clicks: each week from the days is the same bytes as from the rows',
    bool_and(visitors = from_rows) FROM usagov_weekly;

\echo usagov_clicks: all 43 days, from the stored days
SELECT 125171 AS exact, #hll_merge_agg(visitors) AS estimate,
    percent(#hll_merge_agg(visitors), 125171) AS "error %",
    hll_bounds(hll_merge_agg(visitors)), sum(length(visitors::bytea)) AS bytes_of_43_days
        FROM usagov_daily;
INSERT INTO verdict (what, ok)
SELECT format('usagov_clicks, 43 days: 125171 visitors, estimated %s', #hll_merge_agg(visitors)),
    within(#hll_merge_agg(visitors), 125171) AND hll_merge_agg(visitors) = (SELECT hll_agg(visitor)
        FROM usagov_clicks)
FROM usagov_daily;
INSERT INTO verdict (what, ok)
SELECT 'usagov_clicks: urls, 23308 of them, estimated ' || approx_count_distinct(url),
    within(approx_count_distinct(url), 23308) FROM usagov_clicks;

-- ---------- nasa_http: two days of a web server ----------
CREATE TABLE nasa_daily AS
SELECT day, hll_agg(host) AS hosts, count(DISTINCT host) AS exact FROM nasa_http GROUP BY day;

\echo nasa_http: hosts each day
SELECT day, exact, #hosts AS estimate, percent(#hosts, exact) AS "error %",
    (hll_info(hosts)).encoding, (hll_info(hosts)).bytes FROM nasa_daily ORDER BY day;
INSERT INTO verdict (what, ok)
SELECT 'nasa_http: the exact numbers are 2554 and 2365',
    array_agg(exact ORDER BY day) = '{2554,2365}' FROM nasa_daily;
INSERT INTO verdict (what, ok)
SELECT format('nasa_http %s: %s hosts, estimated %s', day, exact, #hosts), within(#hosts, exact)
FROM nasa_daily ORDER BY day;

\echo nasa_http: hosts on both days and on either, exactly 118 and 4801
CREATE TEMP VIEW nasa_both AS
SELECT p, hll_intersection_cardinality(a, b) AS shared, (hll_intersection_bounds(a, b)).lower,
    (hll_intersection_bounds(a, b)).upper,
    round(hll_jaccard(a, b)::numeric, 4) AS jaccard, hll_union_cardinality(a, b) AS either,
        #(a || b) AS merged
FROM unnest(ARRAY[10, 11, 12, 13, 14]) p,
    LATERAL (SELECT hll_agg(host, p) AS a FROM nasa_http
    WHERE day = (SELECT min(day) FROM nasa_http)) x,
    LATERAL (SELECT hll_agg(host, p) AS b FROM nasa_http
        WHERE day = (SELECT max(day) FROM nasa_http)) y;
SELECT p AS "precision", shared, lower, upper, jaccard, either, merged FROM nasa_both ORDER BY p;
INSERT INTO verdict (what, ok)
SELECT format('nasa_http at precision %s: 118 hosts on both days, estimated %s within %s to %s', p,
    coalesce(shared::text, 'nothing'), lower, upper),
    118 BETWEEN lower AND upper AND (shared IS NULL OR shared BETWEEN lower AND upper)
        FROM nasa_both ORDER BY p;
INSERT INTO verdict (what, ok)
SELECT format('nasa_http: 4801 hosts on either day, estimated %s, and %s by merging', either,
    merged), within(either, 4801) AND within(merged, 4801) FROM nasa_both WHERE p = 14;

-- ---------- apache_semicomplete: addresses as inet, without a cast ----------
CREATE TABLE apache_daily AS
SELECT day, hll_agg(ip) AS visitors, approx_count_distinct(ip) AS in_one_step,
    count(DISTINCT ip) AS exact FROM apache_semicomplete GROUP BY day;

\echo apache_semicomplete: addresses each day
SELECT day, exact, #visitors AS estimate, percent(#visitors, exact) AS "error %",
    (hll_info(visitors)).kind, (hll_info(visitors)).bytes FROM apache_daily ORDER BY day;
INSERT INTO verdict (what, ok)
SELECT 'apache_semicomplete: the exact numbers are 341, 627, 561 and 505',
    array_agg(exact ORDER BY day) = '{341,627,561,505}' FROM apache_daily;
INSERT INTO verdict (what, ok)
SELECT format('apache_semicomplete %s: %s addresses, estimated %s', day, exact, #visitors),
    within(#visitors, exact) AND in_one_step = #visitors FROM apache_daily ORDER BY day;
INSERT INTO verdict (what, ok)
SELECT 'apache_semicomplete: all days, 1753 addresses, estimated ' || #hll_merge_agg(visitors),
    within(#hll_merge_agg(visitors), 1753) FROM apache_daily;
