-- Many lookups in one sketch say what one lookup says: it is unpacked once, wherever it is
\set SHOW_CONTEXT never

-- each form that a sketch can have: blocked and classic, few counters and many, coded or an array
CREATE TEMP TABLE f AS SELECT row_number() OVER () AS id, layout, n, (SELECT counting_bloom_agg(i % 7919, capacity, 0.01, layout) FROM generate_series(1, n) i) AS s
FROM unnest(ARRAY['blocked', 'classic']) layout, (VALUES (1, 1), (100, 60), (3000, 100), (3000, 3000), (1000, 7918), (60000, 4000), (60000, 20000)) q(capacity, n);
INSERT INTO f SELECT 99, 'blocked', 0, counting_bloom_empty(1000);
CREATE TEMP TABLE c AS SELECT row_number() OVER () AS id, n, weight, (SELECT cms_agg_weighted(i % 2003, 1 + i % weight, epsilon, 0.01) FROM generate_series(1, n) i) AS s
FROM unnest(ARRAY[0.01, 0.001, 0.0001]) epsilon, unnest(ARRAY[1, 100, 700, 30000]) n, unnest(ARRAY[1, 1000, 10000000000]::bigint[]) weight;
INSERT INTO c SELECT 98, 500, 1, cms_agg_conservative(i) FROM generate_series(1, 500) i;
INSERT INTO c SELECT 99, 0, 1, cms_empty();
SELECT layout, count(*) AS filters, string_agg(DISTINCT (counting_bloom_info(s)).encoding, ' ') AS encodings, count(*) FILTER (WHERE length(s::bytea) > 2000) AS large FROM f GROUP BY layout ORDER BY layout;
SELECT count(*) AS sketches, string_agg(DISTINCT (cms_info(s)).encoding, ' ') AS encodings, count(*) FILTER (WHERE length(s::bytea) > 2000) AS large FROM c;

-- one lookup after the other in each sketch, then one in each sketch after the other: in the table, in memory, and as an array
CREATE FUNCTION pg_temp.answers(kept text, OUT way text, OUT lookups bigint, OUT missed bigint, OUT answers text) RETURNS SETOF record LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('probds.probe_cache_size', kept, true);
    RETURN QUERY SELECT 'contains, filter by filter', count(*), count(*) FILTER (WHERE i <= n AND NOT y), md5(string_agg(y::text, '' ORDER BY id, i)) FROM (SELECT id, i, n, s @> i AS y FROM f, LATERAL (SELECT i FROM generate_series(1, 600) i OFFSET 0) k OFFSET 0) q;
    RETURN QUERY SELECT 'contains, value by value', count(*), count(*) FILTER (WHERE i <= n AND NOT y), md5(string_agg(y::text, '' ORDER BY id, i)) FROM (SELECT id, i, n, i <@ s AS y FROM generate_series(1, 600) i, LATERAL (SELECT * FROM f ORDER BY id + 0 * i OFFSET 0) k OFFSET 0) q;
    RETURN QUERY SELECT 'contains, in memory', count(*), count(*) FILTER (WHERE i <= n AND NOT y), md5(string_agg(y::text, '' ORDER BY id, i)) FROM (SELECT id, i, n, s @> i AS y FROM (SELECT id, n, counting_bloom_merge_agg(s) AS s FROM f GROUP BY 1, 2 OFFSET 0) f, generate_series(1, 600) i OFFSET 0) q;
    RETURN QUERY SELECT 'count', count(*), count(*) FILTER (WHERE i <= n AND y = 0), md5(string_agg(y::text, ' ' ORDER BY id, i)) FROM (SELECT id, i, n, counting_bloom_count(s, i) AS y FROM f, generate_series(1, 600) i OFFSET 0) q;
    RETURN QUERY SELECT 'count, in memory', count(*), count(*) FILTER (WHERE i <= n AND y = 0), md5(string_agg(y::text, ' ' ORDER BY id, i)) FROM (SELECT id, i, n, counting_bloom_count(s, i) AS y FROM (SELECT id, n, counting_bloom_merge_agg(s) AS s FROM f GROUP BY 1, 2 OFFSET 0) f, generate_series(1, 600) i OFFSET 0) q;
    RETURN QUERY SELECT 'arrays', count(*), count(*) FILTER (WHERE NOT y), md5(string_agg(z::text, '' ORDER BY id)) FROM (SELECT id, counting_bloom_contains_all(s, (SELECT array_agg(i) FROM generate_series(1, least(n, 7000)) i)) AS y, counting_bloom_contains_any(s, (SELECT array_agg(-i) FROM generate_series(1, 3000) i)) AS z FROM f WHERE n > 0) q;
    RETURN QUERY SELECT 'frequency', count(*), count(*) FILTER (WHERE y < CASE WHEN i <= n THEN 1 + i % weight END), md5(string_agg(y::text, ' ' ORDER BY id, i)) FROM (SELECT id, i, n, weight, s -> i AS y FROM c, generate_series(1, 600) i OFFSET 0) q;
    RETURN QUERY SELECT 'frequency, value by value', count(*), count(*) FILTER (WHERE y < CASE WHEN i <= n THEN 1 + i % weight END), md5(string_agg(y::text, ' ' ORDER BY id, i)) FROM (SELECT id, i, n, weight, s -> i AS y FROM generate_series(1, 600) i, LATERAL (SELECT * FROM c ORDER BY id + 0 * i OFFSET 0) k OFFSET 0) q;
    RETURN QUERY SELECT 'frequency, in memory', count(*), count(*) FILTER (WHERE y < CASE WHEN i <= n THEN 1 + i % weight END), md5(string_agg(y::text, ' ' ORDER BY id, i)) FROM (SELECT id, i, n, weight, s -> i AS y FROM (SELECT id, n, weight, cms_merge_agg(s) AS s FROM c GROUP BY 1, 2, 3 OFFSET 0) c, generate_series(1, 600) i OFFSET 0) q;
    RETURN QUERY SELECT 'frequencies', count(*), count(*) FILTER (WHERE NOT y), md5(string_agg(z, ' ' ORDER BY id)) FROM (SELECT id, 1 <= ALL (a[1:least(n, 600)]) AS y, a::text AS z FROM (SELECT id, n, cms_frequencies(s, (SELECT array_agg(i) FROM generate_series(1, 600) i)) AS a FROM c) q) q;
END
$$;
CREATE TEMP TABLE never AS SELECT * FROM pg_temp.answers('0');
SELECT way, lookups, missed FROM never;
-- the same answers whatever is kept; and of a filter in memory and of its copy in the table
SELECT kept, a.way, a.missed, a.answers = n.answers AS same FROM unnest(ARRAY['100', '2000', '-1']) kept, pg_temp.answers(kept) a JOIN never n USING (way) WHERE a.missed <> 0 OR a.answers <> n.answers;
SELECT count(DISTINCT answers) FILTER (WHERE way LIKE 'contains%') AS contains, count(DISTINCT answers) FILTER (WHERE way LIKE 'count%') AS count, count(DISTINCT answers) FILTER (WHERE way IN ('frequency', 'frequency, in memory', 'frequency, value by value')) AS frequency FROM never;

-- a stored sketch that changes between lookups, each time after it was unpacked
CREATE TEMP TABLE one AS SELECT counting_bloom_agg(i, 20000) AS s, cms_agg(i, 0.0005, 0.01) AS c FROM generate_series(1, 5000) i;
DO $$
DECLARE
    missed int := 0;
    stayed int := 0;
    low int := 0;
BEGIN
    FOR i IN 100001..100020 LOOP
        UPDATE one SET s = counting_bloom_remove(counting_bloom_add(s, i), i - 100000), c = cms_add(c, i, 5);
        missed := missed + (SELECT count(*) FROM one, generate_series(1, 30000) j WHERE (j BETWEEN i - 99999 AND 5000 OR j = 25000) AND NOT s @> CASE j WHEN 25000 THEN i ELSE j END);
        stayed := stayed + (SELECT count(*) FROM one WHERE s @> (i - 100000));
        low := low + (SELECT count(*) FROM one, generate_series(1, 5000) j WHERE c -> CASE j WHEN 5000 THEN i ELSE j END < CASE j WHEN 5000 THEN 5 ELSE 1 END);
    END LOOP;
    RAISE NOTICE 'missed: %, stayed: %, too low: %', missed, stayed, low;
END
$$;
-- a variable that changes, at one place in memory: all of it, and by one value
DO $$
DECLARE
    v counting_bloom := (SELECT s FROM one);
    w cms := (SELECT c FROM one);
    first counting_bloom := v;
    missed int := 0;
    found int := 0;
    low int := 0;
BEGIN
    FOR i IN 1..6000 LOOP
        IF i % 2000 = 0 THEN
            v := CASE WHEN i = 4000 THEN first ELSE (SELECT counting_bloom_agg(-j, 20000) FROM generate_series(1, 5000) j) END;
            w := (SELECT cms_agg(j, 0.0005, 0.01) FROM generate_series(i + 1, i + 2000) j);
        ELSIF i % 500 = 1 THEN
            v := counting_bloom_add(v, i + 50000);
            missed := missed + CASE WHEN v @> (i + 50000) THEN 0 ELSE 1 END;
        END IF;
        -- those of 1 to 20 were removed
        missed := missed + CASE WHEN v @> CASE WHEN i BETWEEN 2000 AND 3999 OR i = 6000 THEN -1 - i % 5000 ELSE 21 + i % 4979 END THEN 0 ELSE 1 END;
        found := found + CASE WHEN v @> (i + 1000000) THEN 1 ELSE 0 END;
        low := low + CASE WHEN w -> (i + CASE WHEN i >= 5000 OR i % 2000 = 0 THEN 1 ELSE 0 END) < CASE WHEN i < 5000 AND i < 2000 OR i > 2000 AND i < 6000 THEN 1 ELSE 0 END THEN 1 ELSE 0 END;
    END LOOP;
    RAISE NOTICE 'missed: %, found: %, too low: %', missed, found < 60, low;
END
$$;

-- an unpacked filter is of no other kind than before
SELECT s @> i::text FROM one, generate_series(1, 5) i;

-- the planner has the statistics of a column of filters, or of values beside a literal: it does not ask the operator
CREATE TEMP TABLE planned AS SELECT i AS v, (SELECT cuckoo_agg(j, 20) FROM generate_series(i, i + 9) j) AS cuckoo, (SELECT counting_bloom_agg(j, 20) FROM generate_series(i, i + 9) j) AS counting_bloom,
    (SELECT scalable_bloom_agg(j, 20) FROM generate_series(i, i + 9) j) AS scalable_bloom, (SELECT bloom_agg(j, 20) FROM generate_series(i, i + 9) j) AS bloom FROM generate_series(1, 300) i;
ANALYZE planned;
CREATE FUNCTION pg_temp.found(x text, OUT filters bigint, OUT by_text bigint, OUT contained bigint, OUT "values" bigint) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT count(*) FILTER (WHERE v BETWEEN 91 AND 100) FROM planned WHERE %I @> 100', x) INTO filters;
    EXECUTE format('SELECT count(*) FILTER (WHERE v BETWEEN 91 AND 100) FROM planned WHERE %I @> ''100''', x) INTO by_text;
    EXECUTE format('SELECT count(*) FILTER (WHERE v BETWEEN 91 AND 100) FROM planned WHERE 100 <@ %I', x) INTO contained;
    EXECUTE format('SELECT count(*) FILTER (WHERE v BETWEEN 100 AND 109) FROM planned WHERE %L::%I @> v', (SELECT to_jsonb(p) ->> x FROM planned p WHERE v = 100), x) INTO "values";
END
$$;
SELECT x AS type, f.* FROM unnest(ARRAY['bloom', 'cuckoo', 'counting_bloom', 'scalable_bloom']) x, pg_temp.found(x) f;
