-- bloom: a blocklist in front of hosts, a dictionary in front of tokens

-- How many of n foreign values were let through, against the rate that the
-- filter states of itself: within three standard errors
CREATE FUNCTION as_stated(passed bigint, n bigint, filter bloom) RETURNS boolean LANGUAGE sql AS $$
    SELECT abs(passed - n * r) <= 3 * sqrt(n * r * (1 - r)) FROM bloom_false_positive_rate(filter) r
$$;

-- ---------- blocklist_domains: which of the hosts are on a list ----------
CREATE TABLE blocklist AS
SELECT l AS layout, (SELECT bloom_agg(domain, 606958, 0.001, l) FROM blocklist_domains) AS listed
FROM unnest(ARRAY['blocked', 'classic']) l;
CREATE TABLE dap_hosts AS SELECT host, domain IS NOT NULL AS listed
FROM (SELECT DISTINCT host FROM dap_domains_monthly) h LEFT
    JOIN (SELECT DISTINCT domain FROM blocklist_domains) b ON domain = host;
INSERT INTO verdict (what, ok)
SELECT 'dap_domains_monthly: 642378 hosts, 685 of them on the blocklist',
    count(*) = 642378 AND count(*) FILTER (WHERE listed) = 685 FROM dap_hosts;

\echo blocklist_domains: 606958 domains as a filter at 0.1 %
SELECT i.layout, i.capacity, i.items, percent(i.items, 606958) AS "items, error %", i.bytes,
    round(i.bytes * 8.0 / 606958, 2) AS "bits a domain", i.promised_rate,
    round(i.false_positive_rate::numeric, 6) AS "rate as filled", i.status
FROM blocklist b, bloom_info(b.listed) i ORDER BY 1;

CREATE TABLE dap_probed AS
SELECT layout, count(*) FILTER (WHERE h.listed) AS listed,
    count(*) FILTER (WHERE h.listed AND b.listed @> host) AS found,
    count(*) FILTER (WHERE NOT h.listed) AS others,
        count(*) FILTER (WHERE NOT h.listed AND b.listed @> host) AS passed
FROM dap_hosts h, blocklist b GROUP BY layout;
\echo dap_domains_monthly: all hosts as probes
SELECT layout, listed, found, others, passed, round(100.0 * passed / others, 4) AS "passed %"
FROM dap_probed ORDER BY layout;
INSERT INTO verdict (what, ok)
SELECT format('blocklist, %s: all of the %s listed hosts are found', layout, listed),
    found = listed AND listed = 685 FROM dap_probed ORDER BY layout;
INSERT INTO verdict (what, ok)
SELECT format('blocklist, %s: of %s other hosts %s pass, by the stated rate %s', layout, others,
    passed, round((others * bloom_false_positive_rate(b.listed))::numeric)),
    others = 641693 AND as_stated(passed, others, b.listed) AND passed <= 1.1 * 0.001 * others
        FROM dap_probed JOIN blocklist b USING (layout) ORDER BY layout;
-- by category, merged: the same filter as of all at once
INSERT INTO verdict (what, ok)
SELECT 'blocklist: the filters of its 19 categories merged are the same bytes',
    count(*) = 19 AND bloom_merge_agg(f) = (SELECT listed FROM blocklist WHERE layout = 'blocked')
FROM (SELECT category, bloom_agg(domain, 606958, 0.001) AS f FROM blocklist_domains
    GROUP BY category) q;

-- ---------- words_dwyl: which tokens are no dictionary words ----------
CREATE TABLE tokens AS SELECT word, n, w.word IS NOT NULL AS known
FROM (SELECT word, count(*) AS n FROM gutenberg_tokens GROUP BY word) t LEFT
    JOIN words_dwyl w USING (word);
CREATE TABLE dictionary AS SELECT bloom_agg(word) AS words FROM words_dwyl;
\echo -n 'words_dwyl: 466551 words as a filter that sizes itself, and the tokens that it does not '
\echo know, as Bloom did in 1970
SELECT i.capacity, i.items, i.bytes, round(i.bytes * 8.0 / i.capacity, 2) AS "bits a word",
    round(i.false_positive_rate::numeric, 5) AS "rate as filled",
    count(*) AS tokens, count(*) FILTER (WHERE NOT known) AS unknown,
        count(*) FILTER (WHERE NOT words @> word) AS "told as unknown",
        count(*) FILTER (WHERE words @> word AND NOT known) AS "taken for known"
FROM dictionary d, bloom_info(d.words) i, tokens GROUP BY 1, 2, 3, 4, 5;
-- (the list lacks common ones, too)
SELECT string_agg(word, ' ' ORDER BY n DESC, word) AS "the most frequent unknown ones"
FROM (SELECT word, n FROM tokens, dictionary WHERE NOT words @> word AND length(word) > 4
    ORDER BY n DESC, word LIMIT 12) q;
INSERT INTO verdict (what, ok)
SELECT format('dictionary: %s tokens, %s of them words; the filter misses %s of these', count(*),
    count(*) FILTER (WHERE known), count(*) FILTER (WHERE known AND NOT words @> word)),
    count(*) = 49258 AND count(*) FILTER (WHERE known AND NOT words @> word) = 0 FROM tokens,
        dictionary;
INSERT INTO verdict (what, ok)
SELECT format('dictionary: of %s tokens that are no words %s pass, by the stated rate %s', n,
    passed, round((n * bloom_false_positive_rate(words))::numeric)), as_stated(passed, n, words)
FROM dictionary, (SELECT count(*) AS n, count(*) FILTER (WHERE words @> word) AS passed FROM tokens,
    dictionary WHERE NOT known) q;
-- with the exact check behind it, the same as the anti-join
INSERT INTO verdict (what, ok)
SELECT 'dictionary: the filter with the exact check behind it leaves the same tokens as the '
    'anti-join', count(*) = 0
FROM (SELECT word FROM tokens WHERE NOT (SELECT words FROM dictionary) @> word
    UNION ALL SELECT word FROM tokens t WHERE (SELECT words FROM dictionary) @> word
        AND NOT EXISTS (SELECT FROM words_dwyl w WHERE w.word = t.word)) f
    FULL JOIN (SELECT word FROM tokens WHERE NOT known) e USING (word)
        WHERE f.word IS NULL OR e.word IS NULL;

-- ---------- ipsum_bad_ips: addresses, without a cast ----------
CREATE TABLE bad_ips AS SELECT bloom_agg(ip, 120430, 0.0001) AS bad FROM ipsum_bad_ips;
INSERT INTO verdict (what, ok)
SELECT format('ipsum_bad_ips: %s addresses, all found', count(*)),
    count(*) = 120430 AND bool_and(bad @> ip) FROM ipsum_bad_ips, bad_ips;
INSERT INTO verdict (what, ok)
SELECT format('ipsum_bad_ips: of %s visitors of apache_semicomplete %s are listed, '
    '%s pass the filter', count(*), count(*) FILTER (WHERE listed),
    count(*) FILTER (WHERE bad @> ip)),
    bool_and(bad @> ip) FILTER (WHERE listed) IS NOT FALSE
        AND count(*) FILTER (WHERE bad @> ip AND NOT listed) <= 2
FROM (SELECT DISTINCT ip, n_lists IS NOT NULL AS listed FROM apache_semicomplete LEFT
    JOIN ipsum_bad_ips USING (ip)) v, bad_ips;
