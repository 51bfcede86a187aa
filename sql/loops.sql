-- Sketches that grow in PL/pgSQL variables: kept in their building form between
-- two calls, and never seen to be
\set VERBOSITY terse

-- the same bytes as from the aggregate
DO $$
DECLARE
    h hll := hll_empty(12);
    b bloom := bloom_empty(5000);
    c cuckoo := cuckoo_empty(1000);
BEGIN
    FOR i IN 1..5000 LOOP
        h := hll_add(h, i);
        b := bloom_add(b, 'value ' || i);
        c := cuckoo_add(c, i % 100);
    END LOOP;
    RAISE NOTICE 'hll % bloom % cuckoo %', h = (SELECT hll_agg(i, 12) FROM generate_series(1, 5000) i),
        b = (SELECT bloom_agg('value ' || i, 5000) FROM generate_series(1, 5000) i), c = (SELECT cuckoo_agg(i % 100, 1000) FROM generate_series(1, 5000) i);
END $$;

-- asked between two changes, assigned, changed on one side only
DO $$
DECLARE
    s hll := hll_empty();
    r hll;
BEGIN
    s := hll_add(s, 1);
    r := s;
    s := hll_add(s, 2);
    s := hll_add_all(s, ARRAY[3, 4, NULL]);
    s := hll_add(s, NULL::int);
    r := hll_add(hll_add(r, 10), 11);
    RAISE NOTICE '% %', #s, #r;
    s := s || r;
    RAISE NOTICE '% %', #s, s = (SELECT hll_agg(x) FROM unnest(ARRAY[1, 2, 3, 4, 10, 11]) x);
    s := hll_add(NULL, 1);
    RAISE NOTICE '%', s = hll_add(hll_empty(), 1);
END $$;

-- an error leaves the variable as it was
DO $$
DECLARE
    s hll := hll_empty();
BEGIN
    s := hll_add(s, 1);
    FOR i IN 1..3 LOOP
        BEGIN
            IF i = 1 THEN s := hll_add(s, true); ELSIF i = 2 THEN s := hll_add(s, 'text'); ELSE s := hll_add_all(s, ARRAY['a', 'b']); END IF;
        EXCEPTION WHEN data_exception THEN
            RAISE NOTICE '%, same %', sqlerrm, s::text = hll_add(hll_empty(), 1)::text;
        END;
    END LOOP;
    s := hll_add(s, 2);
    RAISE NOTICE '%', #s;
END $$;

-- out of a function, into a table, an array, a record; with a type modifier
CREATE FUNCTION pg_temp.grow(s hll, OUT grown hll) LANGUAGE plpgsql AS $$
BEGIN
    grown := s;
    FOR i IN 1..100 LOOP
        grown := hll_add(grown, i);
    END LOOP;
END $$;
CREATE TEMP TABLE kept (id int, s hll(14), b bloom(100));
DO $$
DECLARE
    s hll(14) := hll_empty();
    many hll[] := '{}';
    k kept;
BEGIN
    s := hll_add(s, 1);
    s := hll_add(s, 2);
    INSERT INTO kept VALUES (1, s, bloom_add(bloom_empty(100), 1));
    SELECT * INTO k FROM kept WHERE id = 1;
    k.s := hll_add(k.s, 3);
    k.b := bloom_add(k.b, 2);
    k.id := 2;
    INSERT INTO kept VALUES (k.*);
    FOR i IN 1..3 LOOP
        many := many || hll_add(s, 10 + i);
        many[1] := hll_add(many[1], 20 + i);
    END LOOP;
    UPDATE kept SET s = hll_add(kept.s, 100), b = bloom_add(b, 3);
    RAISE NOTICE '%', (SELECT array_agg(#x ORDER BY o) FROM unnest(many) WITH ORDINALITY u(x, o));
END $$;
SELECT id, #s AS values, b @> 1 AS one, b @> 2 AS two, b @> 3 AS three FROM kept ORDER BY id;
SELECT #pg_temp.grow(hll_empty()) AS grown, pg_temp.grow(hll_empty()) = hll_agg(i) AS same FROM generate_series(1, 100) i;
SELECT #pg_temp.grow(s) AS grown FROM kept ORDER BY id;

-- a prepared statement's parameter is a variable, too
PREPARE add(hll, int) AS SELECT #hll_add($1, $2), hll_add($1, $2) = hll_add(hll_empty(), $2), hll_add(hll_add($1, $2), 7) || $1 = hll_add(hll_add($1, 7), $2);
EXECUTE add(hll_empty(), 5);

-- counts and texts
DO $$
DECLARE
    c cms := cms_empty();
    t topk := topk_empty(3);
BEGIN
    FOR i IN 1..2000 LOOP
        c := cms_add(c, i % 7);
        c := cms_add(c, i % 5, 2);
        t := topk_add(t, 'text ' || i % 7);
        t := topk_add(t, 'text ' || i % 5, 2);
    END LOOP;
    RAISE NOTICE 'cms % topk %', c = (SELECT cms_agg_weighted(v, w) FROM generate_series(1, 2000) i, LATERAL (VALUES (i % 7, 1), (i % 5, 2)) x(v, w)),
        t = (SELECT topk_agg_weighted('text ' || v, w, 3) FROM generate_series(1, 2000) i, LATERAL (VALUES (i % 7, 1), (i % 5, 2)) x(v, w));
    BEGIN
        c := cms_add(c, 1, -1000000);
    EXCEPTION WHEN OTHERS THEN
        RAISE NOTICE '%', sqlerrm;
    END;
    BEGIN
        t := topk_add(t, 'x', 9223372036854775807);
    EXCEPTION WHEN OTHERS THEN
        RAISE NOTICE '%', sqlerrm;
    END;
    RAISE NOTICE '% %', cms_total(c), topk_total(t);
    t := topk_empty(3);
    BEGIN
        t := topk_add(t, 'x', -1);
    EXCEPTION WHEN OTHERS THEN
        RAISE NOTICE '%', sqlerrm;
    END;
    RAISE NOTICE '%', t = topk_empty(3);
END $$;

-- a modifier of the variable is looked at, and values are merged, without making the stored form:
-- the variable still has its object, whose memory is in a context
CREATE DOMAIN pg_temp.filter AS bloom(1000000);
DO $$
DECLARE
    m bloom(1000000) := bloom_empty(1000000);
    d pg_temp.filter := m;
    -- parameters that a modifier does not have, other than the default ones
    c cms(0.001) := cms_empty(0.001, 0.01, true);
    g scalable_bloom(100000) := scalable_bloom_empty(100000, 0.01, 4);
    h hll;
    t topk := topk_empty(10);
    objects text := $q$SELECT count(*) FROM pg_backend_memory_contexts WHERE name = 'probds sketch'$q$;
    n int;
    part record;
BEGIN
    m := bloom_add(m, 1);
    m := bloom_add(m, 2);
    d := bloom_add(bloom_add(d, 1), 2);
    c := cms_add(c, 1);
    g := scalable_bloom_add(g, 1);
    EXECUTE objects INTO n;
    RAISE NOTICE 'modified: % objects, % % % %', n, m = (SELECT bloom_agg(i, 1000000) FROM generate_series(1, 2) i),
        m = d, cms_frequency(c, 1), g @> 1;
    m := NULL;
    d := NULL;
    c := NULL;
    g := NULL;
    FOR part IN SELECT hll_agg(x) AS h, topk_agg(x % 11, 10) AS t
        FROM generate_series(1, 300) i, generate_series(i, 2 * i) x GROUP BY i ORDER BY i LOOP
        h := h || part.h;
        t := t || part.t;
    END LOOP;
    EXECUTE objects INTO n;
    RAISE NOTICE 'merged: % objects, % %', n,
        h = (SELECT hll_agg(x) FROM generate_series(1, 600) x),
        t = (SELECT topk_agg(x % 11, 10) FROM generate_series(1, 300) i, generate_series(i, 2 * i) x);
    -- NULL changes nothing, and not the form either
    h := h || NULL;
    t := topk_add(t, NULL::int);
    EXECUTE objects INTO n;
    RAISE NOTICE 'NULL: % objects, % %', n, hll_cardinality(h), topk_total(t);
    -- an error leaves the variable as it was
    BEGIN
        h := h || hll_add(NULL::hll, 'a'::text);
    EXCEPTION WHEN data_exception THEN
        RAISE NOTICE '%, still %', sqlerrm, hll_cardinality(h);
    END;
END $$;

-- a state is loaded where it stays: it is not in memory twice
CREATE FUNCTION pg_temp.most_elsewhere(bloom) RETURNS int LANGUAGE sql AS $$
    SELECT max(total_bytes) FROM pg_backend_memory_contexts WHERE name = 'ExprContext'
$$;
DO $$
DECLARE
    a bloom := (SELECT bloom_agg(i, 1000000) FROM generate_series(1, 200000) i);
BEGIN
    RAISE NOTICE '%, %', pg_temp.most_elsewhere(a || a) < 1000000, pg_temp.most_elsewhere(bloom_add_all(a, '{1,2}'::int[])) < 1000000;
END $$;

-- and is enforced as before
DO $$
DECLARE
    m bloom(1000) := bloom_empty(1000);
    f bloom(2000);
    c cms(0.01, 0.01) := cms_empty(0.01, 0.01);
    d ddsketch(0.01);
    h hll(12) := hll_empty(12);
BEGIN
    m := bloom_add(m, 1);
    BEGIN
        f := m;
    EXCEPTION WHEN data_exception THEN
        RAISE NOTICE '%', sqlerrm;
    END;
    BEGIN
        f := bloom_add(m, 1);
    EXCEPTION WHEN data_exception THEN
        RAISE NOTICE '%', sqlerrm;
    END;
    f := bloom_empty(1000)::bloom(2000);
    f := bloom_add(f, 1);
    c := cms_add(c, 1, 5);
    d := ddsketch_add(d, 3);
    h := hll_add(h, 1);
    BEGIN
        h := hll_add(hll_add(NULL, 1), 2);
    EXCEPTION WHEN data_exception THEN
        RAISE NOTICE '%', sqlerrm;
    END;
    RAISE NOTICE '% % % % %', f = bloom_add(bloom_empty(2000), 1), cms_frequency(c, 1), ddsketch_count(d), #h, #(hll_add(h, 7)::hll(10));
END $$;
