-- A search over pairs of types for a silent "no": a value that is equal under "=" to one in a sketch, or has the same
-- text where there is no such operator, is of the same kind, and not found.  Values of different kinds must be an error.
-- (Not searched, as doc/hashing.md says: negative integers against oid, blanks at the end of varchar against char)
SET client_min_messages = warning;
CREATE TYPE pg_temp.mood AS ENUM ('a', '1', '{1}');
CREATE TYPE pg_temp.other_mood AS ENUM ('a', '1');
CREATE TYPE pg_temp.int_text AS (i int, t text);
CREATE TYPE pg_temp.renamed AS (n numeric, label varchar);
CREATE TYPE pg_temp.int_date AS (i int, d date);
CREATE TYPE pg_temp.one AS (i int);
CREATE TYPE pg_temp.floatrange AS RANGE (subtype = float8);
CREATE TYPE pg_temp.textrange AS RANGE (subtype = text);
CREATE DOMAIN pg_temp.age AS int;
CREATE DOMAIN pg_temp.label AS varchar(10);
CREATE DOMAIN pg_temp.numbers AS int[];
CREATE DOMAIN pg_temp.two AS pg_temp.int_text;

-- every type that a value can be written of, and has a hash: its values, their kind and hash
CREATE TEMP TABLE literal AS SELECT l FROM unnest(ARRAY['', '0', '1', '1.5', '1.0', '2', 'a', 'A', 't', 'f', '101', '2000-01-01', '2000-01-01 00:00+00', '12:00', '12:00+00', '1 day', '24:00', '10.0.0.1', '10.0.0.0/8', '08:00:2b:01:02:03',
    '08:00:2b:ff:fe:01:02:03', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{}', '[]', '"a"', '{1}', '{a}', '{NULL}', '{{1}}', '[0:0]={1}', '{2000-01-01}', '1 2', '(0,1)', '(1,a)', '(1,2000-01-01)', '(1,)', '(1)', '()', '{"(1,a)"}', '{"(1,2000-01-01)"}',
    '[1,2)', '[1,1]', '[1,2]', '(,)', 'empty', '[a,b)', '[2000-01-01,2000-01-02)', '{"[1,2)"}', '{[1,2)}', '{[1,1]}', '0/1', '1:1:', 'pg_class', 'int4', 'infinity', 'NaN']) l;
CREATE TEMP TABLE value (type text, l text, kind text, hash bigint);
DO $$
DECLARE
    t text;
    l text;
    h hll;
    hash bigint;
BEGIN
    FOR t, l IN SELECT format_type(t.oid, NULL), literal.l FROM pg_type t, literal
        WHERE t.typtype IN ('b', 'd', 'e', 'r', 'm') AND t.typisdefined AND (t.typnamespace = 'pg_catalog'::regnamespace OR pg_type_is_visible(t.oid)) AND t.typname !~ '^_?reg(role|namespace|config|dictionary|collation|database|oper|proc)'
            AND NOT (t.typelem <> 0 AND EXISTS (SELECT FROM pg_type e JOIN pg_class c ON c.oid = e.typrelid WHERE e.oid = t.typelem AND c.relkind <> 'c'))
            OR t.typtype = 'c' AND t.typnamespace = pg_my_temp_schema() AND (SELECT relkind = 'c' FROM pg_class WHERE oid = t.typrelid)
    LOOP
        BEGIN
            EXECUTE format('SELECT hll_add(hll_empty(), v), probds_hash(v) FROM (SELECT x::%s AS v FROM unnest(ARRAY[%L]) x OFFSET 0) q', t, l) INTO h, hash;
            INSERT INTO value VALUES (t, l, (hll_info(h)).kind, hash);
        EXCEPTION WHEN OTHERS THEN
            -- no such value, or no hash of it (ambiguous of "char")
            NULL;
        END;
    END LOOP;
END $$;
SELECT count(DISTINCT type) > 90 AS types, count(*) > 500 AS values FROM value;

-- What is wrong with probes of sketches of one type with values of another; equal: how many are equal under "="
CREATE FUNCTION pg_temp.compare(a text, b text, OUT wrong text, OUT equal bigint) LANGUAGE plpgsql AS $$
DECLARE
    pairs CONSTANT text := format('(SELECT x.l::%s AS a, x.kind AS ka, x.hash AS ha, x.l AS la, y.l::%s AS b, y.kind AS kb, y.hash AS hb, y.l AS lb FROM value x, value y WHERE x.type = %L AND y.type = %L OFFSET 0) pairs', a, b, a, b);
    p record;
    found boolean;
    is_equal text := 'a::text = b::text';
BEGIN
    equal := 0;
    BEGIN
        EXECUTE 'SELECT count(*) FILTER (WHERE a = b) FROM ' || pairs INTO equal;
        is_equal := 'a = b';
    EXCEPTION WHEN OTHERS THEN
        -- no such operator, or (records) columns of other types
        NULL;
    END;
    BEGIN
        EXECUTE format('SELECT string_agg(la || '' and '' || lb, ''; '') FROM %s WHERE ka = kb AND (topk_frequency(topk_add(topk_empty(), a), b) IS DISTINCT FROM (ha = hb)::int OR (%s) AND ha <> hb)', pairs, is_equal) INTO wrong;
        IF a = b AND is_equal = 'a = b' AND wrong IS NULL THEN
            EXECUTE format('SELECT string_agg(la || '' and '' || lb, ''; '') FROM %s WHERE (a = b) IS DISTINCT FROM (ka = kb AND ha = hb) AND ka !~ ''opclass''', pairs) INTO wrong;
        END IF;
    EXCEPTION WHEN OTHERS THEN
        wrong := sqlerrm;
    END;
    -- of each two kinds one pair, by each way in which values and sketches meet
    FOR p IN SELECT DISTINCT ON (x.kind, y.kind) x.l AS la, y.l AS lb FROM value x, value y WHERE x.type = a AND y.type = b AND x.kind <> y.kind LOOP
        BEGIN
            EXECUTE format('SELECT topk_frequency(topk_add(topk_empty(), a), b) > 0 FROM %s WHERE (la, lb) = (%L, %L)', pairs, p.la, p.lb) INTO found;
            wrong := coalesce(wrong || ', ', '') || format('%s and %s are of different kinds: %s', p.la, p.lb, found);
        EXCEPTION WHEN data_exception THEN
            NULL;
        END;
        BEGIN
            EXECUTE format('SELECT hll_add(hll_empty(), a) || hll_add(hll_empty(), b) IS NULL FROM %s WHERE (la, lb) = (%L, %L)', pairs, p.la, p.lb) INTO found;
            wrong := coalesce(wrong || ', ', '') || format('%s and %s are of different kinds and make a union', p.la, p.lb);
        EXCEPTION WHEN data_exception THEN
            NULL;
        END;
    END LOOP;
END $$;
-- 2,000 pairs, the same ones on every server with the same types: each type with itself, scalar types, arrays, and others
CREATE TEMP TABLE result AS
SELECT a, b, r.* FROM (
    SELECT a, b FROM (SELECT *, row_number() OVER (PARTITION BY what ORDER BY md5(a || b)) AS n FROM (
        SELECT a.type AS a, b.type AS b, CASE WHEN a.type = b.type THEN 0 WHEN a.type !~ '\[\]$' AND b.type !~ '\[\]$' THEN 1 WHEN a.type ~ '\[\]$' AND b.type ~ '\[\]$' THEN 2 ELSE 3 END AS what
        FROM (SELECT DISTINCT type FROM value) a, (SELECT DISTINCT type FROM value) b) every) numbered
    WHERE n <= CASE WHEN what = 1 THEN 1200 ELSE 500 END ORDER BY what, n LIMIT 2000) pairs, pg_temp.compare(a, b) r;
SELECT a, b, wrong FROM result WHERE wrong IS NOT NULL ORDER BY a, b;
SELECT count(*) AS pairs, count(*) FILTER (WHERE a <> b AND equal > 0) > 15 AS with_equal_values FROM result;
