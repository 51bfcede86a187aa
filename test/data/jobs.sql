-- jobs: a rollup over usagov_clicks, and the orphan finder of doc/recipes over the
-- hosts of dap_domains_monthly.  find_orphans() comes from the page itself (run).

-- ---------- a rollup against the exact numbers that came with the log ----------
SET TimeZone = 'UTC';
CREATE TABLE clicks (id bigint GENERATED ALWAYS AS IDENTITY, LIKE usagov_clicks);
SELECT probds_create_rollup('clicks_daily', 'SELECT day, hll_agg(visitor) AS visitors,
    bloom_agg(url, 20000) AS urls, topk_agg(url, 10) AS pages, cms_agg(ref_domain) AS referrers,
    count(*) AS hits FROM clicks GROUP BY day') \g /dev/null
SELECT probds_create_rollup_view('clicks_monthly', 'clicks_daily',
    ARRAY['date_trunc(''month'', day)::date AS month']) \g /dev/null
INSERT INTO clicks (ts, day, visitor, url, ghash, short_host, country, city, tz, ref_domain,
    known) TABLE usagov_clicks;
INSERT INTO verdict (what, ok)
SELECT format('rollup of usagov_clicks: %s days, %s clicks, %s days with the exact number of '
    'visitors', count(*), sum(hits), count(*) FILTER (WHERE #d.visitors = t.visitors)),
    count(*) = 43 AND sum(hits) = 197058 AND bool_and(hits = clicks)
        AND bool_and(within(#d.visitors, t.visitors))
FROM clicks_daily d FULL JOIN usagov_truth t USING (day);
INSERT INTO verdict (what, ok)
SELECT format('rollup of usagov_clicks: the same sketches as of the rows, %s differences',
    count(*)), count(*) = 0
FROM (SELECT day, hll_agg(visitor) AS visitors, bloom_agg(url, 20000) AS urls,
    cms_agg(ref_domain) AS referrers, count(*) AS hits FROM usagov_clicks GROUP BY day
    EXCEPT SELECT day, visitors, urls, referrers, hits FROM clicks_daily) q;
INSERT INTO verdict (what, ok)
SELECT format('rollup of usagov_clicks: %s months from its days, each the sketch of the month''s '
    'rows', count(*)), count(*) = 5 AND bool_and(m.visitors = e.visitors)
FROM clicks_monthly m
    JOIN (SELECT date_trunc('month', day)::date AS month, hll_agg(visitor) AS visitors
    FROM usagov_clicks GROUP BY 1) e USING (month);

-- what the definition says, and what the list of rollups says
INSERT INTO verdict (what, ok)
SELECT format('rollup of usagov_clicks: %s days are not what the definition gives', count(*)),
    count(*) = 0 FROM (TABLE clicks_daily_query EXCEPT TABLE clicks_daily) q;
INSERT INTO verdict (what, ok)
SELECT format('rollup of usagov_clicks: status %s', status), status = 'ok' AND live
    AND source = 'clicks'::regclass FROM probds_rollups();

-- ---------- orphans: hosts that are in some snapshot and not in the last ----------
INSERT INTO document (object_key) SELECT DISTINCT host FROM dap_domains_monthly;
INSERT INTO object SELECT DISTINCT host FROM dap_domains_monthly
WHERE snapshot = (SELECT max(snapshot) FROM dap_domains_monthly);
ANALYZE document, object;
SET client_min_messages = warning;
CALL find_orphans(batch => 50000);
RESET client_min_messages;
\echo orphans: hosts of dap_domains_monthly that are not in its last snapshot
SELECT documents, (SELECT count(*) FROM object) AS objects, missing_by_filter, looked_up,
    missing_by_look_up AS "of these missing", batches,
    length(existing::bytea) AS "bytes of the filter" FROM orphan_run;
INSERT INTO verdict (what, ok)
SELECT format('orphans: %s of 642378 hosts, the anti-join''s', count(*)),
    (SELECT documents FROM orphan_run) = 642378 AND count(*) > 0 AND count(o.document_id) = count(*)
    AND count(d.id) = count(*)
FROM orphan o FULL
    JOIN (SELECT id, object_key FROM document d
    WHERE NOT EXISTS (SELECT FROM object WHERE key = d.object_key)) d ON d.id = o.document_id
    AND d.object_key = o.object_key;
INSERT INTO verdict (what, ok)
SELECT format('orphans: %s looked up in vain of %s that the filter could not exclude',
    missing_by_look_up, looked_up),
    missing_by_look_up <= 0.012 * (missing_by_filter + missing_by_look_up)
        AND looked_up = missing_by_look_up + (SELECT count(*) FROM object) FROM orphan_run;

-- what is not as it should be is told
INSERT INTO verdict (what, ok)
SELECT format('health: %s columns of sketches, %s not ok', count(*),
    count(*) FILTER (WHERE status <> 'ok')),
    count(*) >= 5 AND count(*) FILTER (WHERE sketch_column ~ 'clicks_daily' AND status = 'ok') = 4
        FROM probds_health();
