-- limits: sketches of the greatest size, built, stored, merged and asked; what would be
-- larger is an error of its own.  Needs several gigabytes of memory and of disk.
--
-- Each query answers true, or ends in the SQLSTATE that it should.

CREATE SCHEMA limits;
SET search_path = limits, public;
SET client_min_messages = warning;
\o /dev/null

CREATE TABLE report (at timestamptz DEFAULT clock_timestamp(), what text, expected text,
    answer text, seconds float8, process bigint);

-- The most memory that the process had so far, above what it shares
CREATE FUNCTION peak() RETURNS bigint LANGUAGE sql AS $$
    SELECT 1024 * (regexp_match(pg_read_file('/proc/self/status', 0, 4000),
        'RssAnon:\s*(\d+)'))[1]::bigint
$$;
CREATE PROCEDURE try(what text, query text, expected text DEFAULT 'true') LANGUAGE plpgsql AS $$
DECLARE
    started timestamptz := clock_timestamp();
    answer text;
BEGIN
    BEGIN
        EXECUTE query INTO answer;
    EXCEPTION WHEN OTHERS THEN
        answer := sqlstate;
    END;
    INSERT INTO limits.report (what, expected, answer, seconds)
        VALUES (what, expected, answer, extract(epoch FROM clock_timestamp() - started));
    COMMIT;
END $$;

CREATE TABLE f (f bloom);
CREATE TABLE c (c cms);
CREATE TABLE t (t topk);
ALTER TABLE t ALTER t SET STORAGE EXTERNAL;

-- ---------- 1,073,600,000 bytes of a filter, half of its bits set ----------
CALL try('bloom: 1.07 GB read', $$INSERT INTO limits.f SELECT bloom_from_guava(
    '\x0106'::bytea || int4send(134200000) || (SELECT string_agg(c, '')
        FROM (SELECT decode(repeat('a5', 1000000), 'hex') AS c
        FROM (SELECT generate_series(1, 1073)) g OFFSET 0) q)
        || decode(repeat('a5', 600000), 'hex'), 'bigint') RETURNING true$$);
CALL try('bloom: info', $$SELECT bytes > 1073600000 AND bits = 8588800000 AND encoding = 'array'
    FROM limits.f, bloom_info(f)$$);
CALL try('bloom: a value added', $$SELECT bloom_add(f, 1) @> 1 FROM limits.f$$);
CALL try('bloom: merged with itself', $$SELECT (f || f) = f FROM limits.f$$);
CALL try('bloom: merged by an aggregate', $$SELECT bloom_merge_agg(f) = (SELECT f FROM limits.f)
    FROM (TABLE limits.f UNION ALL TABLE limits.f) q$$);
CALL try('bloom: to Guava', $$SELECT length(bloom_to_guava(f)) = 1073600006 FROM limits.f$$);
CALL try('bloom: its text would be too long', $$SELECT length(f::text) FROM limits.f$$, '54000');
CALL try('bloom: 1,000 keys', $$SELECT count(*) BETWEEN 1 AND 100 FROM limits.f,
    generate_series(1, 1000) i WHERE f @> i$$);
CALL try('bloom: a greater one', $$SELECT bloom_empty(880000000)$$, '54000');
TRUNCATE f;

-- ---------- Count-Min of 21 rows, as wide as can be, counters of 8 bytes ----------
CALL try('cms: 1.07 GB built', $$INSERT INTO limits.c SELECT cms_agg_weighted(i, 8589934592,
    4.3e-7, 1e-9)
    FROM (SELECT generate_series(1, 5000000) AS i) q RETURNING true$$);
CALL try('cms: info', $$SELECT bytes > 1000000000 AND counter_bytes = 8 AND depth = 21
    FROM limits.c, cms_info(c)$$);
CALL try('cms: merged', $$SELECT cms_total(c || c) = 2 * cms_total(c) FROM limits.c$$);
CALL try('cms: subtracted', $$SELECT cms_total(cms_subtract(c, c)) = 0 FROM limits.c$$);
CALL try('cms: asked', $$SELECT bool_and(c -> i = 8589934592) FROM limits.c,
    generate_series(1, 1000) i$$);
CALL try('cms: product', $$SELECT cms_inner_product(c, c) >= 5000000 * 8589934592 ^ 2::numeric
    FROM limits.c$$);
CALL try('cms: read again', $$SELECT c::bytea::cms = c FROM limits.c$$);
CALL try('cms: its text would be too long', $$SELECT length(c::text) FROM limits.c$$, '54000');
CALL try('cms: a greater one', $$SELECT cms_empty(4.2e-7, 1e-9)$$, '54000');
TRUNCATE c;

-- ---------- the longest texts, more of them than an image of 1 GB can hold ----------
CALL try('topk: built', $$INSERT INTO limits.t SELECT topk_agg(repeat(md5(i::text), 128), 10000)
    FROM (SELECT generate_series(1, 330000) AS i) q RETURNING true$$);
CALL try('topk: info', $$SELECT bytes > 600000000 AND items <= 160000 AND total = 330000
    AND round(error * 330000) <= 330000 / 160001 FROM limits.t, topk_info(t)$$);
CALL try('topk: merged', $$SELECT topk_total(t || t) = 660000 FROM limits.t$$);
CALL try('topk: read again', $$SELECT t::bytea::topk = t FROM limits.t$$);
TRUNCATE t;

-- ---------- a million groups ----------
CREATE FUNCTION groups(expression text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    n bigint;
    most bigint;
    base bigint := limits.peak();
BEGIN
    EXECUTE format('SELECT count(s), max(CASE WHEN g %% 100000 = 0 THEN limits.peak() END) FROM
        (SELECT g, %s AS s FROM (SELECT i %% 1000000 AS g, i
            FROM (SELECT generate_series(1, 2000000) AS i) q) p
        GROUP BY g OFFSET 0) r', expression) INTO n, most;
    PERFORM set_config('limits.bytes', (most - base)::text, false);
    RETURN n = 1000000;
END $$;
CREATE PROCEDURE try_groups(expression text) LANGUAGE plpgsql AS $$
BEGIN
    CALL limits.try('1,000,000 groups: ' || expression,
        format('SELECT limits.groups(%L)', expression));
    UPDATE limits.report SET process = current_setting('limits.bytes')::bigint
    WHERE what = '1,000,000 groups: ' || expression;
END $$;
-- each in a session of its own, whose memory is the groups' memory (the server counts a group
-- at its SSPACE, not at what it takes)
ALTER DATABASE postgres SET work_mem = '20GB';
ALTER DATABASE postgres SET enable_sort = off;
\c
CALL limits.try_groups('hll_agg(i)');
\c
CALL limits.try_groups('bloom_agg(i)');
\c
CALL limits.try_groups('bloom_agg(i, 1000)');
\c
CALL limits.try_groups('cms_agg(i)');
\c
CALL limits.try_groups('cms_agg_conservative(i)');
\c
CALL limits.try_groups('topk_agg(i, 10)');
\o
SELECT format('%s - %s: %s (%s s%s)', CASE WHEN answer = expected THEN 'ok' ELSE 'not ok' END, what,
    answer, round(seconds::numeric, 1), ', ' || process || ' bytes') FROM limits.report ORDER BY at;
SELECT format('%s passed, %s failed', count(*) FILTER (WHERE answer IS NOT DISTINCT FROM expected),
    count(*) FILTER (WHERE answer IS DISTINCT FROM expected)) FROM limits.report;
