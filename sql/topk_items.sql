-- The answers: topk_items, topk_frequency, topk_bounds, topk_total, topk_info, approx_top_k

-- Values of a Zipf-like distribution: half a million of them possible, in 60,000 rows
CREATE TEMP TABLE rows AS
SELECT i, v, 'page ' || v AS page FROM (SELECT i, (x * x / 99991) * (x * x / 99991) / 99991 * 5 AS v FROM (SELECT i, i * 7919::bigint % 99991 AS x FROM generate_series(1, 60000) i) q) q;
CREATE TEMP TABLE truth AS SELECT v, page, count(*) AS n FROM rows GROUP BY v, page;
CREATE TEMP TABLE sketch AS SELECT topk_agg(v, 10) AS s, topk_agg(page, 10) AS pages, topk_agg(v, 3000) AS exact, topk_agg_weighted(page, i, 10) AS weighted FROM rows;
SELECT count(*) AS different, max(n) AS most FROM truth;

-- ---------- topk_items ----------
SELECT t.*, truth.n FROM sketch, topk_items(s) t JOIN truth ON item = v::text ORDER BY n DESC;
SELECT bool_and(n BETWEEN lower AND upper AND frequency = upper) AS within, array_agg(item ORDER BY n DESC) = (SELECT array_agg(page) FROM (SELECT page FROM truth ORDER BY n DESC LIMIT 10) q) AS the_top FROM sketch, topk_items(pages) t JOIN truth ON item = page;
SELECT (SELECT array_agg(lower) FROM topk_items(exact)) = (SELECT array_agg(n ORDER BY n DESC) FROM (SELECT n FROM truth ORDER BY n DESC LIMIT 3000) q) AS exact_counts, (SELECT count(*) FROM topk_items(exact)) AS items FROM sketch;
SELECT count(*) AS none FROM topk_items(topk_empty());
SELECT count(*) AS none FROM topk_items(NULL);
-- in falling order, and equal ones as their hashes are
SELECT count(*) FILTER (WHERE before < frequency) AS out_of_order FROM (SELECT frequency, lag(frequency) OVER () AS before FROM sketch, topk_items(exact)) q;
SELECT item FROM (SELECT topk_agg(i, 9) AS s FROM generate_series(1, 20) i) q, topk_items(s) EXCEPT ALL SELECT i::text FROM (SELECT i FROM generate_series(1, 20) i ORDER BY probds_hash(i) < 0, probds_hash(i) LIMIT 9) q;
-- a few of the rows, and none of them
SELECT item FROM sketch, topk_items(s) LIMIT 2;
SELECT day, t.item FROM (VALUES (1, topk_add(topk_empty(), 'a')), (2, NULL), (3, topk_empty()), (4, topk_add_all(topk_empty(), ARRAY['b', 'c', 'b']))) d(day, s) LEFT JOIN LATERAL topk_items(s) t ON true ORDER BY 1, 2;
-- joined back, by a cast of the item
SELECT r.page, t.frequency FROM sketch, topk_items(s) t JOIN truth r ON r.v = t.item::bigint ORDER BY t.frequency DESC, r.v LIMIT 3;

-- ---------- topk_items with a share: heavy hitters ----------
SELECT t.*, n FROM sketch, topk_items(s, 0.01) t JOIN truth ON item = v::text ORDER BY n DESC;
-- all that have it are there, those that are guaranteed have it, and those that are not are few
SELECT share, count(*) AS items, count(*) FILTER (WHERE guaranteed) AS guaranteed, bool_and(n >= share * 60000) FILTER (WHERE guaranteed) AS have_it, count(*) FILTER (WHERE n >= share * 60000) AS with_it, min(frequency) >= share * 60000 AS may_have_it,
    (SELECT count(*) FROM truth WHERE n >= share * 60000) AS true_ones
FROM unnest(ARRAY[0.0005, 0.001, 0.002, 0.01, 0.05, 0.1]) share, sketch, topk_items(s, share) t JOIN truth ON item = v::text GROUP BY share ORDER BY share;
SELECT count(*) AS all_values FROM sketch, topk_items(exact, 0.000001);
-- a share that is a whole number of values, as it is written
SELECT share, (SELECT count(*) FROM topk_items(s, share)) AS items FROM (SELECT topk_add(topk_add(topk_empty(), 'a', 7), 'b', 93) AS s) q, unnest(ARRAY[0.06, 0.07, 0.0700001, 0.93, 0.9300001, 1]) share ORDER BY share;
SELECT (SELECT count(*) FROM topk_items(topk_add(topk_empty(), 'a', 9223372036854775807), 1)) AS largest, (SELECT count(*) FROM topk_items(topk_empty(), 0.5)) AS empty, (SELECT count(*) FROM topk_items(NULL, 0.5)) AS null_sketch,
    (SELECT count(*) FROM topk_items(topk_add(topk_empty(), 1), NULL)) AS null_share;

-- ---------- topk_frequency, topk_bounds ----------
-- (some of the values)
SELECT bool_and(topk_frequency(s, v) >= n OR topk_frequency(s, v) = 0) AS at_least, bool_and(topk_frequency(exact, v) = n) AS exact, bool_and(topk_frequency(pages, page) >= n OR n <= round((topk_info(pages)).error * topk_total(pages))) AS pages FROM truth, sketch WHERE v % 13 = 0;
SELECT count(*) FILTER (WHERE n NOT BETWEEN lower AND upper OR estimate <> upper AND (estimate <> 0 OR lower <> 0)) AS wrong, count(*) FILTER (WHERE estimate = 0) > 10000 AS many_missing FROM truth, sketch, topk_bounds(s, v);
SELECT topk_bounds(s, 0), topk_bounds(s, '0'), topk_bounds(s, 0.0), topk_bounds(s, 0::smallint), topk_frequency(s, -1), topk_bounds(exact, -1), topk_bounds(pages, 'page 0'), topk_bounds(pages, 'page 0'::varchar(20)) FROM sketch;
SELECT topk_bounds(topk_empty(), 1), topk_frequency(topk_empty(), 'a'), topk_bounds(topk_empty(), 1::float8), topk_frequency(NULL, 1) IS NULL AS null_sketch, topk_frequency(topk_empty(), NULL) IS NULL AS null_value, (topk_bounds(s, NULL::int)).upper AS null_bounds FROM sketch;
PREPARE often(text) AS SELECT topk_frequency(pages, $1) > 1000 AS often FROM sketch;
EXECUTE often('page 0');
EXECUTE often('page 99');

-- ---------- asked again and again: an index is kept ----------
CREATE TEMP TABLE kept (id int, s topk, pages topk);
ALTER TABLE kept ALTER s SET STORAGE external, ALTER pages SET STORAGE main;
INSERT INTO kept SELECT 1, s, pages FROM sketch UNION ALL SELECT 2, exact, weighted FROM sketch
    UNION ALL SELECT 3, topk_agg(v, 20), topk_agg(v::text, 20) FROM generate_series(1, 9) v UNION ALL SELECT 4, topk_agg(v, 20), topk_agg(v::text, 20) FROM generate_series(1, 8) v UNION ALL SELECT 5, topk_empty(), topk_empty();
-- what each call says that finds the value for itself
SET probds.probe_cache_size = 0;
CREATE TEMP TABLE alone AS SELECT id, v, topk_bounds(s, v)::text AS s, topk_bounds(pages, 'page ' || v)::text AS pages, topk_frequency(pages, 'page ' || v) AS f FROM kept, (SELECT DISTINCT v FROM truth WHERE v % 401 < 2 UNION SELECT generate_series(-3, 12)) q;
RESET probds.probe_cache_size;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT count(*), count(*) FILTER (WHERE a.f > 0) AS found, bool_and(topk_bounds(k.s, v)::text = a.s) AS stored, bool_and(topk_bounds(k.pages, 'page ' || v)::text = a.pages) AS compressed, bool_and(topk_frequency(k.pages, 'page ' || v) = a.f) AS frequency FROM alone a JOIN kept k ON k.id = a.id;
SELECT count(*), bool_and(topk_bounds(k.s, v)::text = a.s) AS in_memory, bool_and(topk_frequency(k.pages, 'page ' || v) = a.f) AS frequency FROM alone a, (SELECT id, s::bytea::topk AS s, pages::bytea::topk AS pages FROM kept OFFSET 0) k WHERE k.id = a.id;
-- with room for few of them
SET probds.probe_cache_size = '100kB';
SELECT count(*), bool_and(topk_bounds(k.s, v)::text = a.s) AS stored, bool_and(topk_frequency(k.pages, 'page ' || v) = a.f) AS pages FROM (SELECT * FROM alone WHERE v < 2000 ORDER BY v, id) a JOIN kept k ON k.id = a.id;
RESET probds.probe_cache_size;
RESET enable_hashjoin;
RESET enable_mergejoin;
-- one call for sketches that change: in a table, and in a variable, where one of the same length is at the same address
CREATE FUNCTION pg_temp.changes(rounds int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    t topk := (SELECT topk_agg(v, 5) FROM generate_series(1, 100) v);
    wrong int := 0;
BEGIN
    FOR i IN 1..rounds LOOP
        IF i % 4 = 0 THEN t := topk_add(t, i / 4 % 20); END IF;
        wrong := wrong + (topk_frequency(t, i % 20) <> (SELECT coalesce(max(frequency), 0) FROM topk_items(t, 0.0001) WHERE item = (i % 20)::text))::int;
    END LOOP;
    RETURN NEXT format('in a variable: %s wrong', wrong);
    wrong := 0;
    CREATE TEMP TABLE changing AS SELECT exact AS s, 0::bigint AS n FROM sketch;
    ALTER TABLE changing ALTER s SET STORAGE external;
    UPDATE changing SET n = topk_frequency(s, -1);
    FOR i IN 1..rounds / 4 LOOP
        BEGIN
            UPDATE changing SET s = topk_add(s, -1), n = n + 1;
            wrong := wrong + (SELECT count(*) FROM changing, generate_series(1, 3) WHERE topk_frequency(s, -1) <> n);
            IF i % 3 = 0 THEN RAISE EXCEPTION 'back'; END IF;
        EXCEPTION WHEN raise_exception THEN NULL;
        END;
        wrong := wrong + (SELECT count(*) FROM changing, generate_series(1, 3) WHERE topk_frequency(s, -1) <> n);
    END LOOP;
    RETURN NEXT format('in a table: %s wrong, %s times at the end', wrong, (SELECT n FROM changing));
END $$;
SELECT pg_temp.changes(200);
-- ... and of the same length and head, in one query, in a row and in turn
CREATE TEMP TABLE twins AS SELECT first, topk_agg(v, 20) AS s FROM unnest(ARRAY[10, 40]) first, generate_series(first, first + 49) v GROUP BY first;
SELECT in_turn, count(*), bool_and(topk_frequency(s, v) = (v BETWEEN first AND first + 49)::int) AS right
FROM unnest(ARRAY[false, true]) in_turn, LATERAL (SELECT * FROM twins, generate_series(1, 99) v ORDER BY CASE WHEN in_turn THEN v ELSE first END, first, v OFFSET 0) q GROUP BY in_turn;
-- what it does not hold is an error at each call
SELECT count(*) FROM kept, generate_series(1, 3) i WHERE id = 1 AND topk_frequency(s, i) >= 0 AND topk_frequency(s, (SELECT 'x'::text)) >= 0;

-- ---------- topk_total, topk_info ----------
SELECT topk_total(s), topk_total(weighted) = (SELECT sum(i) FROM rows) AS weighted, topk_total(topk_empty()) AS empty, topk_total(NULL) AS null FROM sketch;
SELECT k, counters, items, total, round(error * total) <= total / (counters + 1) AS within, kind, family, encoding FROM sketch, unnest(ARRAY[s, pages, exact, weighted, topk_empty(3)]) x, topk_info(x);
SELECT (topk_info(topk_add(topk_empty(3), 1.5))).*;
SELECT topk_info(NULL) IS NULL AS null;
-- from a column where it is stored apart, compressed and not
CREATE TEMP TABLE stored AS SELECT * FROM sketch;
ALTER TABLE stored ALTER pages SET STORAGE external, ALTER exact SET STORAGE main;
INSERT INTO stored SELECT * FROM sketch;
SELECT topk_total(pages), topk_total(exact), (topk_info(pages)).bytes = (topk_info(weighted)).bytes AS bytes, topk_frequency(exact, 0), (SELECT item FROM topk_items(pages) LIMIT 1) FROM stored;
SELECT pg_column_size(weighted) < 0.8 * (topk_info(weighted)).bytes AS compressed FROM stored LIMIT 1;

-- ---------- approx_top_k ----------
SELECT approx_top_k(v, 3), approx_top_k(page, 2) FROM rows;
SELECT (SELECT array_agg((x ->> 'item', (x ->> 'frequency')::bigint, (x ->> 'lower')::bigint, (x ->> 'upper')::bigint)) FROM jsonb_array_elements(approx_top_k(v, 10)) x) = (SELECT array_agg((item, frequency, lower, upper)) FROM sketch, topk_items(s)) AS as_items FROM rows;
SELECT approx_top_k(x::numeric, 9) AS numbers, approx_top_k(x::float8, 9) AS floats FROM (VALUES ('NaN'), ('1e30'), ('-0.5'), ('1e-7')) q(x);
SELECT approx_top_k(x::float8, 9) AS floats FROM (VALUES ('Infinity'), ('-Infinity'), ('1e20'), ('-0')) q(x);
SELECT approx_top_k(x, 9) FROM (VALUES (jsonb '1'), ('"a"'), ('null'), ('true'), ('{"a": [1, {}]}'), ('[]')) q(x);
SELECT approx_top_k(x, 9) FROM (VALUES (E'a"b\\c\n\te'), (''), ('null'), ('{}')) q(x);
SELECT approx_top_k_weighted(v, 10000000000, 1) AS large_counts, approx_top_k(v, 1) FILTER (WHERE v < 0) AS none FROM rows;
SELECT jsonb_array_length(approx_top_k(v, 3000)) AS items FROM rows;
