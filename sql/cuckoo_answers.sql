-- What a cuckoo filter answers, and what may be removed from it
CREATE TEMP TABLE filters AS
SELECT row_number() OVER (ORDER BY capacity, rate, n) AS id, capacity, rate, n, (SELECT coalesce(cuckoo_agg(i, capacity, rate), cuckoo_empty(capacity, rate)) FROM generate_series(1, n) i) AS f
FROM (VALUES (10, 0.01), (100, 0.03), (1000, 0.001), (20000, 0.01)) p(capacity, rate), unnest(ARRAY[0, 1, 9, 90, 1000, 15000]) n WHERE n <= 100 * capacity;

-- every value that was added is found; of others as many as the rate says
SELECT id, filters.capacity, rate, n, (SELECT bool_and(f @> i) FROM generate_series(1, n) i) AS found, i.items BETWEEN 0.9 * n AND 1.1 * n AS items, i.copies = n AS copies,
    i.encoding, i.bytes, i.status, cuckoo_cardinality(f) = i.items AS cardinality, abs(cuckoo_false_positive_rate(f) - i.false_positive_rate) <= 1e-6 * i.false_positive_rate AS rate_of_info FROM filters, cuckoo_info(f) i ORDER BY id;
SELECT id, abs(yes / 20000.0 - p) <= 4 * sqrt(p * (1 - p) / 20000) AS as_said FROM (SELECT id, cuckoo_false_positive_rate(f) AS p, (SELECT count(*) FROM generate_series(1, 20000) i WHERE f @> -i) AS yes FROM filters OFFSET 0) q ORDER BY id;
SELECT * FROM cuckoo_info(cuckoo_empty(1000000));
SELECT * FROM cuckoo_info((SELECT cuckoo_agg(i, 1000) FROM generate_series(1, 500) i));
SELECT * FROM cuckoo_info((SELECT cuckoo_agg('user ' || i % 10, 1000, 0.05) FROM generate_series(1, 500) i));

-- all ways of asking
SELECT f @> 7 AS op, 7 <@ f AS mirrored, cuckoo_contains(f, 7) AS contains, _cuckoo_contained(7, f) AS contained, cuckoo_count(f, 7) AS count, f @> 7::bigint AS bigint, f @> 7.0 AS numeric, f @> '7' AS literal,
    cuckoo_contains_any(f, ARRAY[-1, 7]) AS any, cuckoo_contains_any(f, '{-1,7}') AS any_literal, cuckoo_contains_any(f, ARRAY[-1, -2]) AS any_not, cuckoo_contains_all(f, ARRAY[1, 7]) AS all, cuckoo_contains_all(f, ARRAY[1, -7]) AS all_not,
    cuckoo_contains_any(f, '{}'::int[]) AS any_of_none, cuckoo_contains_all(f, '{}'::int[]) AS all_of_none, cuckoo_contains_any(f, ARRAY[NULL, 7]) AS any_null, cuckoo_contains_all(f, ARRAY[NULL, 7]) AS all_null FROM filters WHERE id = 16;
PREPARE ask AS SELECT f @> $1 AS contains, cuckoo_count(f, $1) AS count, cuckoo_remove(f, $1) @> $1 AS after FROM filters WHERE id = 16;
EXECUTE ask('7');
PREPARE ask_any AS SELECT cuckoo_contains_any(f, $1) FROM filters WHERE id = 16;
EXECUTE ask_any('{7,8}');
SELECT f @> NULL AS value, NULL::cuckoo @> 7 AS filter, cuckoo_count(f, NULL) AS count, cuckoo_contains_any(f, NULL::int[]) AS any, cuckoo_info(NULL) AS info, cuckoo_cardinality(NULL), cuckoo_false_positive_rate(NULL) FROM filters WHERE id = 16;
SELECT count(*) FROM filters WHERE cuckoo_empty(10) @> id OR cuckoo_empty(10) @> 'text'::text;

-- ---------- copies ----------
SELECT cuckoo_count(f, 1) AS of_1, cuckoo_count(f, 2) AS of_2, cuckoo_count(f, 1000) AS of_1000, (cuckoo_info(f)).copies, (cuckoo_info(f)).encoding
FROM (SELECT cuckoo_agg(CASE WHEN i % 2 = 0 THEN 1 WHEN i % 4 = 1 THEN 2 ELSE i END, 100000, 0.0001) AS f FROM generate_series(1, 10000) i) q;
SELECT rate, k, cuckoo_count(f, 'a') AS copies, cuckoo_count(f, 'b') AS of_none FROM unnest(ARRAY[0.03, 0.0001]) rate, unnest(ARRAY[1, 3, 8, 9, 100]) k, LATERAL (SELECT cuckoo_agg(left('a', i), 1000, rate) AS f FROM generate_series(1, k) i) q ORDER BY 1, 2;
-- the union is the sum
SELECT cuckoo_count(f || f, 1) AS twice, cuckoo_count(f || f || f, 1) AS thrice, f || f = f AS itself FROM filters WHERE id = 16;

-- ---------- removal ----------
SELECT cuckoo_remove(f, 7) @> 7 AS removed, cuckoo_add(cuckoo_remove(f, 7), 7) = f AS back, cuckoo_remove(cuckoo_add(f, 7), 7) = f AS one_copy, cuckoo_count(cuckoo_remove(cuckoo_add(f, 7), 7), 7) AS left,
    cuckoo_remove(f, '7') = cuckoo_remove(f, 7) AS literal, cuckoo_remove(f, NULL) = f AS null_value, cuckoo_remove(NULL, 7) IS NULL AS null_filter FROM filters WHERE id = 16;
SELECT cuckoo_remove_all(f, ARRAY[1, 2, NULL, 3]) = cuckoo_remove(cuckoo_remove(cuckoo_remove(f, 1), 2), 3) AS one_by_one, cuckoo_remove_all(f, '{1,2,3}') = cuckoo_remove_all(f, ARRAY[3, 2, 1]) AS literal, cuckoo_remove_all(f, '{}'::int[]) = f AS none,
    cuckoo_remove_all(f, NULL::int[]) = f AS null_array, cuckoo_remove_all(NULL, ARRAY[1]) IS NULL AS null_filter FROM filters WHERE id = 16;
-- all of it: as if there had never been anything, of any kind
SELECT id, cuckoo_remove_all(f, (SELECT array_agg(i) FROM generate_series(1, n) i)) = cuckoo_empty(capacity, rate) AS empty, cuckoo_remove_all(f, (SELECT array_agg(i) FROM generate_series(1, n) i)) @> 'text'::text AS of_text FROM filters WHERE n > 0 ORDER BY id;
SELECT cuckoo_add(cuckoo_remove(cuckoo_add(cuckoo_empty(10), 1), 1), 'text') = cuckoo_add(cuckoo_empty(10), 'text') AS another_kind;
-- what is not in it; nothing is changed then
SELECT cuckoo_remove(f, -5) FROM filters WHERE id = 16;
SELECT cuckoo_remove(cuckoo_remove(f, 5), 5) FROM filters WHERE id = 16;
SELECT cuckoo_remove_all(f, ARRAY[1, 2, 2]) FROM filters WHERE id = 16;
SELECT cuckoo_remove(cuckoo_empty(10), 5);
SELECT cuckoo_remove(f, 'text'::text) FROM filters WHERE id = 16;
SELECT cuckoo_remove_all(f, ARRAY['text']) FROM filters WHERE id = 16;
SELECT cuckoo_remove_all(f, ARRAY[NULL]::text[]) FROM filters WHERE id = 16;
DO $$
DECLARE
    f cuckoo := cuckoo_add_all(cuckoo_empty(1000), (SELECT array_agg(i % 100) FROM generate_series(1, 500) i));
    refused int := 0;
BEGIN
    FOR i IN 1..1000 LOOP
        BEGIN
            f := cuckoo_remove(f, i);
        EXCEPTION WHEN data_exception THEN
            refused := refused + 1;
        END;
    END LOOP;
    RAISE NOTICE '% refused, % left: %', refused, (cuckoo_info(f)).copies, f = (SELECT cuckoo_agg(i % 100, 1000) FROM generate_series(100, 500) i);
    f := cuckoo_remove_all(f, ARRAY[0, 0, 0, 0]);
    BEGIN
        f := cuckoo_remove_all(f, ARRAY[1, 0, 0]);
    EXCEPTION WHEN data_exception THEN
        RAISE NOTICE 'half of an array: % and % left', cuckoo_count(f, 1), cuckoo_count(f, 0);
    END;
END
$$;
-- in a table
CREATE TEMP TABLE sessions (day date PRIMARY KEY, open cuckoo(1000, 0.01) NOT NULL DEFAULT cuckoo_empty(1000, 0.01));
INSERT INTO sessions VALUES ('2024-01-01');
UPDATE sessions SET open = cuckoo_add_all(open, ARRAY['a', 'b', 'b', 'c']);
UPDATE sessions SET open = cuckoo_remove(open, 'b') RETURNING open @> 'b' AS still, cuckoo_count(open, 'b') AS copies;
UPDATE sessions SET open = cuckoo_remove(open, 'b') RETURNING open @> 'b' AS still, cuckoo_count(open, 'b') AS copies;
UPDATE sessions SET open = cuckoo_remove(open, 'b') RETURNING open @> 'b' AS still, cuckoo_count(open, 'b') AS copies;

-- ---------- large stored filters ----------
-- asked in pieces, whole, and compressed
CREATE TEMP TABLE stored AS SELECT rate, copies, (SELECT cuckoo_agg(i, 20000, rate) FROM generate_series(1, 20000) i, generate_series(1, copies)) AS f FROM unnest(ARRAY[0.03, 0.0001]) rate, unnest(ARRAY[1, 2]) copies;
CREATE TEMP TABLE compressed (LIKE stored);
ALTER TABLE compressed ALTER f SET STORAGE main;
INSERT INTO compressed SELECT rate, copies, f::text::cuckoo FROM stored;
SELECT rate, stored.copies, i.encoding, i.bytes FROM stored, cuckoo_info(f) i ORDER BY 1, 2;
SELECT count(*), bool_and(cuckoo_count(s.f, v) = cuckoo_count(s.f::bytea::cuckoo, v)) AS in_memory, bool_and(cuckoo_count(s.f, v) = cuckoo_count(c.f, v)) AS compressed, bool_and(v < 1 OR cuckoo_count(s.f, v) >= copies) AS one_sided
FROM generate_series(-50, 150) v, stored s JOIN compressed c USING (rate, copies);
SET probds.probe_cache_size = 0;
SELECT count(*), bool_and(cuckoo_count(s.f, v) = cuckoo_count(s.f::bytea::cuckoo, v)) AS in_memory, bool_and(cuckoo_count(s.f, v) = cuckoo_count(c.f, v)) AS compressed FROM generate_series(-5, 15) v, stored s JOIN compressed c USING (rate, copies);
RESET probds.probe_cache_size;
