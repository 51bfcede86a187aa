-- The aggregates: topk_agg, topk_merge_agg, approx_top_k

-- ---------- with and without weights ----------
CREATE TEMP TABLE words AS
SELECT n, word, length(word) AS weight FROM regexp_split_to_table('it was the best of times it was the worst of times it was the age of wisdom it was the age of foolishness', ' ') WITH ORDINALITY w(word, n);
SELECT t.* FROM (SELECT topk_agg(word, 4) AS s FROM words) q, topk_items(s) t;
SELECT t.* FROM (SELECT topk_agg_weighted(word, weight, 4) AS s FROM words) q, topk_items(s) t;
SELECT approx_top_k(word, 2), approx_top_k_weighted(word, weight, 2) FROM words;
-- a value of weight w is as w of them; one of weight 0 is nothing
SELECT topk_agg_weighted(word, weight, 9) = (SELECT topk_agg(word, 9) FROM words, generate_series(1, weight)) AS as_often, topk_agg_weighted(word, 1, 9) = topk_agg(word, 9) AS one,
    topk_agg_weighted(word, 0, 9) = topk_empty(9) AS zero, topk_agg_weighted(word, nullif(weight, 2), 9) = (SELECT topk_agg_weighted(word, weight, 9) FROM words WHERE weight <> 2) AS null_weight,
    topk_agg_weighted(word, weight::smallint, 9) = topk_agg_weighted(word, weight::bigint, 9) AS widths FROM words;
-- without a k it is that of topk_empty()
SELECT topk_agg(word) = topk_agg(word, 20) AS text, topk_agg(weight) = topk_agg(weight, 20) AS integer, topk_agg(ROW(word, weight)) = topk_agg(ROW(word, weight), 20) AS record, topk_agg(word) = topk_merge_agg(topk_add(topk_empty(), word)) AS empty,
    approx_top_k(word) = approx_top_k(word, 20) AS json, approx_top_k(ROW(word)) = approx_top_k(ROW(word), 20) AS json_record, (topk_info(topk_agg(NULL::date))).k FROM words;
SELECT topk_agg(i, 7) || topk_agg(i) FROM generate_series(1, 3) i;
-- k says how many are reported, and from 129 on how many are counted
SELECT q.k, i.counters, i.items, i.total, i.error > 0 AS forgets, i.bytes, (SELECT count(*) FROM topk_items(s)) AS reported
FROM unnest(ARRAY[1, 20, 128, 129, 500, 1000, 10000]) n, LATERAL (SELECT n AS k, topk_agg(i, n) AS s FROM generate_series(1, 5000) i GROUP BY n) q, topk_info(s) i ORDER BY q.k;

-- no rows, and rows without values
SELECT topk_agg(i, 9) IS NULL AS agg, topk_agg_weighted(i, i, 9) IS NULL AS weighted, approx_top_k(i, 9) IS NULL AS json, approx_top_k_weighted(i, i, 9) IS NULL AS json_weighted, topk_merge_agg(NULL::topk) IS NULL AS merge
FROM generate_series(1, 0) i;
SELECT topk_agg(NULL::int, 9) = topk_empty(9) AS agg, topk_agg_weighted(NULL::text, 1, 9) = topk_empty(9) AS null_value, topk_agg_weighted(i, NULL::int, 9) = topk_empty(9) AS null_weight,
    approx_top_k(NULL::int, 9) AS json, approx_top_k_weighted(i, NULL::bigint, 9) AS json_weighted, topk_merge_agg(NULL::topk) IS NULL AS merge FROM generate_series(1, 3) i;

-- ---------- each type by itself, without a cast ----------
CREATE TYPE pg_temp.mood AS ENUM ('sad', 'ok');
CREATE TYPE pg_temp.pair AS (a int, b text);
CREATE DOMAIN pg_temp.age AS int CHECK (VALUE > 0);
CREATE DOMAIN pg_temp.email AS varchar(100);
CREATE DOMAIN pg_temp.tags AS text[];

-- A column of the type, with two values of it, one of them twice, and a NULL: the items, against what adding makes, and back into the type
CREATE FUNCTION pg_temp.column_of(type text, a text, b text, OUT kind text, OUT items text, OUT as_json text, OUT as_added boolean, OUT counted boolean, OUT cast_back boolean)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TEMP TABLE one_column (v %s)', type);
    EXECUTE format('INSERT INTO one_column VALUES (%L), (%L), (%L), (NULL)', a, b, b);
    EXECUTE 'SELECT (topk_info(topk_agg(v, 2))).kind, (SELECT string_agg(item || '' '' || frequency, '', '') FROM topk_items(topk_agg(v, 2))), approx_top_k(v, 1),
        topk_agg(v, 2) = topk_add(topk_add(topk_empty(2), (SELECT v FROM one_column OFFSET 1 LIMIT 1), 2), (SELECT v FROM one_column LIMIT 1))
        AND topk_agg_weighted(v, 1, 2) = topk_agg(v, 2)
        FROM one_column' INTO kind, items, as_json, as_added;
    EXECUTE 'SELECT bool_and(topk_frequency(s, v) = n AND topk_bounds(s, v) = (n, n, n)::record) FROM (SELECT topk_agg(v, 2) AS s FROM one_column) q, (SELECT v, count(*) AS n FROM one_column WHERE v IS NOT NULL GROUP BY v) f' INTO counted;
    EXECUTE format('SELECT bool_and(EXISTS (SELECT FROM one_column WHERE v = item::%s)) FROM (SELECT topk_agg(v, 2) AS s FROM one_column) q, topk_items(s)', regexp_replace(type, ' COLLATE.*', '')) INTO cast_back;
    DROP TABLE one_column;
END
$$;
SET TimeZone = 'Asia/Tokyo';
SET DateStyle = 'SQL, DMY';
SET IntervalStyle = iso_8601;
SET bytea_output = escape;
SET extra_float_digits = -3;
SELECT type, (pg_temp.column_of(type, a, b)).* FROM (VALUES
    (1, 'smallint', '1', '2'), (2, 'integer', '1', '-2'), (3, 'bigint', '1', '9223372036854775807'), (4, 'numeric', '1.5', '2.00'), (5, 'numeric(10,2)', '1.5', '2'),
    (6, 'real', '1.5', '0.1'), (7, 'double precision', '1.5', '0.1'), (9, 'oid', '1', '4294967295'),
    (11, 'text', 'a', 'b "quoted"'), (12, 'varchar(10)', 'a', 'b'), (13, 'char(10)', 'a', 'b'), (14, 'name', 'a', 'b'), (15, 'text COLLATE "C"', 'a', ''),
    (16, 'bytea', 'a', '\000b'), (17, 'bit(3)', '101', '111'), (18, 'boolean', 't', 'f'), (19, 'date', '01/02/2000', '31/12/2000'), (20, 'time', '12:00', '13:00'),
    (21, 'timetz', '12:00+00', '13:00+00'), (22, 'timestamp', '01/02/2000', '31/12/2000 10:00:00.5'), (23, 'timestamptz', '01/02/2000 09:00', 'infinity'), (24, 'interval', '1 day', '1 month 1 hour'),
    (25, 'uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12'), (26, 'inet', '10.0.0.1', '::1'), (27, 'cidr', '10.0.0.0/8', '::/0'),
    (28, 'macaddr', '08:00:2b:01:02:03', '08:00:2b:01:02:04'), (29, 'jsonb', '{"a": 1}', '[1, "b", null]'), (30, 'pg_temp.mood', 'sad', 'ok'), (31, 'pg_temp.age', '1', '2'),
    (32, 'pg_temp.email', 'a@x', 'b@x'), (33, 'pg_temp.tags', '{a}', '{a,b}'), (34, 'pg_temp.pair', '(1,a)', '(1,)'), (35, 'integer[]', '{1,2}', '{2,1}'), (36, 'text[]', '{a}', '{}'),
    (37, 'pg_temp.pair[]', '{"(1,a)"}', '{NULL}'), (38, 'int4range', '[1,3)', '[1,)'), (39, 'numrange', '[1,3)', 'empty'), (40, 'tstzrange', '[01/02/2000,)', '(,)'),
    (41, 'pg_lsn', '0/80000001', '1/80000000')) q(n, type, a, b) ORDER BY n;
RESET TimeZone;
RESET DateStyle;
RESET IntervalStyle;
RESET bytea_output;
RESET extra_float_digits;
SELECT t.item, t.item::oid = 'pg_class'::regclass AS class FROM (SELECT topk_agg('pg_class'::regclass, 1) AS s) q, topk_items(s) t;
-- a plain literal is text, as everywhere
SELECT topk_agg('a', 9) = topk_agg('a'::text, 9) AS text, (topk_info(topk_agg(NULL, 9))).kind FROM generate_series(1, 2);
-- two columns at once: a row
SELECT t.item, t.frequency FROM (SELECT topk_agg(ROW(i % 2, 'x'), 9) AS s FROM generate_series(1, 101) i) q, topk_items(s) t;
-- equal values that are written differently are one, and which text stays does not depend on the order
SELECT v.type, bool_and(a = b) AS same, min(i.item) AS item, count(*) AS items FROM (
    SELECT 'interval' AS type, topk_agg(x, 9) AS a, topk_agg(x, 9 ORDER BY n DESC) AS b FROM (VALUES (1, interval '1 day'), (2, '24 hours'), (3, '1 day')) v(n, x)
    UNION ALL SELECT 'jsonb', topk_agg(x, 9), topk_agg(x, 9 ORDER BY n DESC) FROM (VALUES (1, jsonb '[1.00]'), (2, '[1]'), (3, '[1.0]')) v(n, x)
    UNION ALL SELECT 'numeric[]', topk_agg(x, 9), topk_agg(x, 9 ORDER BY n DESC) FROM (VALUES (1, ARRAY[1.00]), (2, ARRAY[1]), (3, ARRAY[1.0])) v(n, x)
    UNION ALL SELECT 'numrange', topk_agg(x, 9), topk_agg(x, 9 ORDER BY n DESC) FROM (VALUES (1, numrange(1.00, 2)), (2, numrange(1, 2)), (3, numrange(1, 2.0))) v(n, x)
    UNION ALL SELECT 'record', topk_agg(x, 9), topk_agg(x, 9 ORDER BY n DESC) FROM (VALUES (1, ROW(1.00)), (2, ROW(1)), (3, ROW(1.0))) v(n, x)
    UNION ALL SELECT 'numeric', topk_agg(x, 9), topk_agg(x, 9 ORDER BY n DESC) FROM (VALUES (1, 1.50), (2, 1.5), (3, 1.500)) v(n, x)
    UNION ALL SELECT 'float8', topk_agg(x, 9), topk_agg(x, 9 ORDER BY n DESC) FROM (VALUES (1, float8 '0'), (2, '-0'), (3, '0')) v(n, x)
    UNION ALL SELECT 'char(9)', topk_agg(x, 9), topk_agg(x, 9 ORDER BY n DESC) FROM (VALUES (1, char(9) 'a'), (2, 'a '), (3, 'a')) v(n, x)) v, topk_items(a) i GROUP BY v.type ORDER BY v.type;
-- a real and a double precision of the same value
SELECT (SELECT string_agg(item || ' ' || frequency, ', ') FROM topk_items(a || b)) AS merged, a || b = b || a AS commutes, topk_add(a, 0.1::real) = topk_add(b, 0.1::real::float8) AS added
FROM (SELECT topk_add(topk_empty(), 0.1::real::float8) AS a, topk_add(topk_empty(), 0.1::real) AS b) q;

-- ---------- k of each group its own ----------
SELECT q.k, i.k AS is, i.items FROM (SELECT k, (SELECT topk_agg(i, k) FROM generate_series(1, k) i) AS s FROM unnest(ARRAY[1, 10, 1000]) k) q, topk_info(s) i ORDER BY q.k;
PREPARE by_k(int) AS SELECT topk_agg(i, $1) = topk_add_all(topk_empty($1), array_agg(i)) AS same FROM generate_series(1, 100) i;
EXECUTE by_k(1);
EXECUTE by_k(10000);

-- ---------- FILTER, DISTINCT, ORDER BY ----------
SELECT topk_agg(i, 9) FILTER (WHERE i % 2 = 0) = topk_agg(2 * i, 9) FILTER (WHERE i <= 500) AS even, topk_agg(i, 9) FILTER (WHERE false) IS NULL AS none,
    topk_agg(DISTINCT i / 2, 9) = (SELECT topk_agg(x, 9) FROM generate_series(0, 500) x) AS distinct_once, topk_agg(i, 9 ORDER BY -i) = topk_agg(i, 9) AS order_same,
    topk_agg_weighted(i, i, 9 ORDER BY md5(i::text)) = topk_agg_weighted(i, i, 9) AS weighted_order, topk_total(topk_merge_agg(DISTINCT topk_add(topk_empty(9), i % 5))) AS merge_distinct,
    approx_top_k(i % 3, 1) FILTER (WHERE i < 10) AS json
FROM generate_series(1, 1000) i;

-- ---------- GROUP BY and its relatives ----------
CREATE TEMP TABLE hits AS
SELECT i, i % 3 AS day, chr(97 + i % 2) AS page, nullif(i % 100, 0) / 7 AS visitor, nullif(i % 3, 2) AS site FROM generate_series(1, 900) i;
CREATE FUNCTION pg_temp.top(s topk, n int) RETURNS text LANGUAGE sql AS $$ SELECT string_agg(item || ':' || frequency, ' ') FROM (SELECT * FROM topk_items(s) LIMIT n) t $$;
SELECT day, page, pg_temp.top(topk_agg(visitor, 9), 3) AS visitors, topk_total(topk_agg(visitor, 9)) AS total, count(visitor) FROM hits GROUP BY day, page ORDER BY day, page;
SELECT day, page, pg_temp.top(topk_agg(visitor, 9), 2) AS visitors FROM hits GROUP BY GROUPING SETS ((day, page), (day), ()) ORDER BY day, page;
SELECT site, topk_agg(visitor, 9) FILTER (WHERE i > 2000) IS NULL AS no_rows, topk_total(topk_agg(CASE WHEN i > 2000 THEN visitor END, 9)) AS no_values FROM hits GROUP BY site ORDER BY site;
SELECT day FROM hits GROUP BY day HAVING topk_total(topk_agg(i, 9)) = 300 ORDER BY day;
-- many groups, from one value through all forms of a state
SELECT g, i.items, i.total, i.error > 0 AS forgets, pg_temp.top(s, 1) AS first FROM (SELECT g, topk_agg(nullif(i % (1 << g), 7), 3) AS s FROM generate_series(0, 13) g, generate_series(1, 3 << g) i WHERE i % (1 << g) <> 7 OR i < 1 << g GROUP BY g) q, topk_info(s) i ORDER BY g;

-- ---------- windows ----------
SELECT i, pg_temp.top(topk_agg(visitor, 3) OVER (ORDER BY i), 1) AS so_far, pg_temp.top(topk_agg(visitor % 5, 3) OVER w, 3) AS last_three, approx_top_k(visitor % 2, 1) OVER w AS json,
    topk_total(topk_agg_weighted(visitor, i, 3) FILTER (WHERE visitor > 0) OVER (ORDER BY i)) AS filtered
FROM hits WHERE i <= 12 WINDOW w AS (ORDER BY i ROWS 2 PRECEDING) ORDER BY i;
-- what a window returned stays as it was while the state goes on, whatever form that has
SELECT bool_and(s = topk_add_all(topk_empty(9), so_far)) AS unchanged, count(DISTINCT s) AS different
FROM (SELECT topk_agg(i, 9) OVER w AS s, array_agg(i) OVER w AS so_far FROM generate_series(1, 300) i WINDOW w AS (ORDER BY i)) q;
-- the last seven days of stored sketches, day by day
SELECT d, pg_temp.top(topk_merge_agg(s) OVER (ORDER BY d ROWS 6 PRECEDING), 2) AS week, topk_total(topk_merge_agg(s) OVER (ORDER BY d)) AS so_far
FROM (SELECT d, topk_agg(i / 10, 9) AS s FROM generate_series(1, 10) d, generate_series(d * 50, d * 50 + 99) i GROUP BY d) q ORDER BY d;

-- ---------- topk_merge_agg ----------
CREATE TEMP TABLE daily AS SELECT day, topk_agg(visitor, 9) AS s FROM hits GROUP BY day;
SELECT pg_temp.top(topk_merge_agg(s), 3) AS all_days, topk_merge_agg(s) = (SELECT topk_agg(visitor, 9) FROM hits) AS as_from_rows FROM daily;
-- NULLs are skipped, empty ones add nothing
SELECT topk_merge_agg(s) = (SELECT topk_merge_agg(s) FROM daily) AS same FROM (SELECT s FROM daily UNION ALL SELECT NULL UNION ALL SELECT topk_empty(9)) q;
-- a part without a sketch has no parameters that could meet those of the others
SELECT topk_merge_agg(s) = (SELECT topk_agg(1, 9)) AS of_parts FROM (SELECT topk_merge_agg(s) AS s FROM (SELECT 1, topk_agg(1, 9) UNION ALL VALUES (2, NULL::topk), (2, NULL)) q(part, s) GROUP BY part) q;
SELECT topk_merge_agg(s) = topk_empty(7) AS empty_ones FROM (VALUES (topk_empty(7)), (NULL), (topk_empty(7))) q(s);

-- ---------- nested ----------
SELECT d, l.visitors FROM generate_series(0, 3) d, LATERAL (SELECT approx_top_k(visitor, 1) AS visitors FROM hits WHERE day = d AND visitor < 4) l ORDER BY d;
SELECT topk_total(topk_merge_agg(s)) AS total, max(n) AS largest FROM (SELECT topk_agg(i, 9) AS s, topk_total(topk_agg(i, 9)) AS n FROM hits GROUP BY page, day) q;
-- several at once share their work or not, and do not disturb each other
SELECT pg_temp.top(topk_agg(visitor, 9), 1) AS a, approx_top_k(visitor, 9) -> 0 AS b, pg_temp.top(topk_agg_weighted(visitor, i, 9), 1) AS c, pg_temp.top(topk_agg(visitor::text, 9), 1) AS d,
    topk_agg(visitor, 9) || topk_agg(visitor + 0, 9) = topk_agg_weighted(visitor, 2, 9) AS e FROM hits;
-- topk_items in the list of columns
SELECT day, (topk_items(s)).item, (topk_items(s)).frequency FROM (SELECT day, topk_agg(page, 2) AS s FROM hits GROUP BY day) q ORDER BY 1, 3 DESC, 2;

-- ---------- sketches are no values ----------
SELECT topk_agg(s, 9) FROM (VALUES (topk_empty())) v(s);
SELECT topk_agg(s, 9) FROM (VALUES (hll_empty())) v(s);
SELECT topk_agg(ARRAY[s], 9) FROM (VALUES (topk_empty())) v(s);
