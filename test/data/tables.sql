-- The data as it comes, and what is found out about them
CREATE EXTENSION probds;

CREATE TABLE usagov_clicks (ts timestamptz, day date, visitor text, url text, ghash text,
    short_host text,
    country text, city text, tz text, ref_domain text, known text);
CREATE TABLE nasa_http (ts timestamptz, day date, host text, method text, path text, status int,
    bytes bigint);
CREATE TABLE apache_semicomplete (ts timestamptz, day date, ip inet, method text, path text,
    status int, bytes bigint,
    referer text, agent text);
CREATE TABLE dap_domains_monthly (snapshot date, host text, pageviews bigint, visits bigint);
CREATE TABLE blocklist_domains (category text, domain text);
CREATE TABLE ipsum_bad_ips (ip inet, n_lists int);
CREATE TABLE gutenberg_tokens (book text, word text);
CREATE TABLE words_dwyl (word text);
CREATE TABLE babynames (year int, sex char(1), name text, n int);

-- the exact answers that came with usagov_clicks
CREATE TABLE usagov_truth (day date, clicks bigint, visitors bigint);
-- and the 100 most frequent values of some
CREATE TABLE top_truth (stream text, n bigint, item text);

CREATE TABLE verdict (n serial, what text, ok boolean NOT NULL);

-- An estimate against the exact number: within three standard errors of
-- precision 14, 0.81 % each
CREATE FUNCTION within(estimate bigint, exact bigint) RETURNS boolean LANGUAGE sql IMMUTABLE AS
    'SELECT coalesce(abs(estimate - exact) <= 3 * 0.0081 * exact, false)';
CREATE FUNCTION percent(estimate bigint, exact bigint) RETURNS numeric LANGUAGE sql IMMUTABLE AS
    'SELECT round(100.0 * (estimate - exact) / exact, 2)';
