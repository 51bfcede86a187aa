-- casts.sql: random queries with casts on both sides of "=", with existence indexes and without
--
-- random_casts(n, seed) runs n queries twice: by sequential scans and plain index scans, and by
-- what existence indexes offer (bitmap scans and gates).  It returns one row with the number of
-- queries, of those that used an existence index, of those that both ways refused, and the texts
-- of those that differed.
CREATE DOMAIN over_oid AS oid;
CREATE DOMAIN over_text AS text;

-- ranges whose bounds have an equality of their own
CREATE FUNCTION less(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT lower($1) < lower($2)';
CREATE FUNCTION at_most(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT lower($1) <= lower($2)';
CREATE FUNCTION same(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT lower($1) = lower($2)';
CREATE FUNCTION at_least(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT lower($1) >= lower($2)';
CREATE FUNCTION more(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT lower($1) > lower($2)';
CREATE FUNCTION compare(text, text) RETURNS integer LANGUAGE sql IMMUTABLE
    AS 'SELECT sign(length($1) - length($2))::integer * 0 + CASE WHEN lower($1) < lower($2) THEN -1 WHEN lower($1) > lower($2) THEN 1 ELSE 0 END';
CREATE OPERATOR <! (LEFTARG = text, RIGHTARG = text, FUNCTION = less);
CREATE OPERATOR <=! (LEFTARG = text, RIGHTARG = text, FUNCTION = at_most);
CREATE OPERATOR =! (LEFTARG = text, RIGHTARG = text, FUNCTION = same);
CREATE OPERATOR >=! (LEFTARG = text, RIGHTARG = text, FUNCTION = at_least);
CREATE OPERATOR >! (LEFTARG = text, RIGHTARG = text, FUNCTION = more);
CREATE OPERATOR CLASS caseless FOR TYPE text USING btree AS OPERATOR 1 <!, OPERATOR 2 <=!,
    OPERATOR 3 =!, OPERATOR 4 >=!, OPERATOR 5 >!, FUNCTION 1 compare(text, text);
CREATE TYPE caseless_range AS RANGE (subtype = text, subtype_opclass = caseless);
CREATE TYPE plain_range AS RANGE (subtype = text, subtype_opclass = text_pattern_ops);

-- columns by family: casts are between the types of a family
CREATE TABLE types (family text, type text, n serial);
INSERT INTO types (family, type) VALUES ('number', 'int2'), ('number', 'int4'), ('number', 'int8'), ('number', 'oid'),
    ('number', 'regclass'), ('number', 'regtype'), ('number', 'over_oid'), ('number', 'float4'), ('number', 'float8'), ('number', 'numeric'),
    ('text', 'text'), ('text', 'varchar'), ('text', 'bpchar'), ('text', 'char(4)'), ('text', 'name'), ('text', 'citext'),
    ('text', 'over_text'), ('net', 'inet'), ('net', 'cidr'), ('bits', 'bit(4)'), ('bits', 'varbit'),
    ('time', 'date'), ('time', 'timestamp'), ('time', 'timestamptz'), ('ranges', 'plain_range'), ('ranges', 'caseless_range'),
    ('array', 'int4[]'), ('array', 'oid[]'), ('array', 'int8[]'), ('strings', 'text[]'), ('strings', 'varchar[]'),
    ('strings', 'bpchar[]'), ('strings', 'citext[]');
CREATE TABLE texts (family text, value text);
INSERT INTO texts VALUES ('number', '-1'), ('number', '4294967295'), ('number', '0'), ('number', '5'), ('number', '2147483648'),
    ('number', '-2147483648'), ('number', '1259'), ('text', 'a'), ('text', 'a  '), ('text', 'A'), ('text', 'A  '), ('text', 'bc'),
    ('text', ''), ('text', ' '), ('net', '10.0.0.0/8'), ('net', '10.1.2.3'), ('net', '10.1.2.3/32'), ('net', '::1'),
    ('bits', '1010'), ('bits', '0000'), ('bits', '1'), ('bits', '10100'), ('time', '2026-03-01'), ('time', '2026-03-01 12:00'),
    ('time', 'infinity'), ('ranges', '[a,b)'), ('ranges', '[A,B)'), ('ranges', 'empty'), ('ranges', '[a,)'),
    ('array', '{-1,5}'), ('array', '{4294967295,5}'), ('array', '{}'), ('array', '{NULL}'),
    ('strings', '{a,b}'), ('strings', '{"a  ",b}'), ('strings', '{A,b}'), ('strings', '{}');

-- a value of another family's form is NULL
CREATE FUNCTION try_cast(value text, type text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    quoted text;
BEGIN
    EXECUTE format('SELECT quote_nullable(%L::%s)', value, type) INTO quoted;
    RETURN quoted;
EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
END $$;

-- three tables: "found" has existence indexes only, "gated" has btree indexes too, "outside" has
-- keys to join with
DO $$
DECLARE
    t record;
    other record;
    o record;
    made integer := 0;
BEGIN
    EXECUTE (SELECT format('CREATE TABLE found (%s)', string_agg(format('c%s %s', n, type), ', ')) FROM types);
    CREATE TABLE gated (LIKE found);
    CREATE TABLE outside (LIKE found);
    FOR t IN SELECT * FROM types LOOP
        FOR o IN SELECT value FROM texts WHERE family = t.family LOOP
            IF try_cast(o.value, t.type) IS NOT NULL THEN
                EXECUTE format('INSERT INTO outside (c%s) VALUES (%L::%s)', t.n, o.value, t.type);
                IF abs(hashtext(o.value || t.type)) % 3 > 0 THEN
                    EXECUTE format('INSERT INTO found (c%s) VALUES (%L::%s)', t.n, o.value, t.type);
                    EXECUTE format('INSERT INTO gated (c%s) VALUES (%L::%s)', t.n, o.value, t.type);
                END IF;
            END IF;
        END LOOP;
        BEGIN
            EXECUTE format('CREATE INDEX ON found USING existence (c%s)', t.n);
            EXECUTE format('CREATE INDEX ON gated USING existence (c%s)', t.n);
            made := made + 1;
        EXCEPTION WHEN undefined_function THEN
            NULL;
        END;
        EXECUTE format('CREATE INDEX ON gated (c%s)', t.n);
        FOR other IN SELECT * FROM types WHERE family = t.family AND n <> t.n LOOP
            BEGIN
                EXECUTE format('CREATE INDEX ON found USING existence ((c%s::%s))', t.n, other.type);
                made := made + 1;
            EXCEPTION WHEN OTHERS THEN
                NULL;
            END;
        END LOOP;
    END LOOP;
    RAISE NOTICE '% existence indexes', made;
END $$;
ANALYZE found, gated, outside;

-- the answer of a query, or its error
CREATE FUNCTION answer(query text, with_existence boolean, used OUT boolean, said OUT text) LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    PERFORM set_config('probds.existence_gate', with_existence::text, true),
        set_config('enable_bitmapscan', with_existence::text, true),
        set_config('enable_seqscan', (NOT with_existence)::text, true),
        set_config('enable_hashjoin', (NOT with_existence)::text, true),
        set_config('enable_mergejoin', (NOT with_existence)::text, true),
        set_config('enable_material', (NOT with_existence)::text, true);
    used := false;
    IF with_existence THEN
        FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
            used := used OR line ~ 'Existence Gate|Bitmap Index Scan';
        END LOOP;
    END IF;
    EXECUTE query INTO said;
EXCEPTION WHEN OTHERS THEN
    said := SQLSTATE;
END $$;

CREATE FUNCTION random_casts(n integer, seed float8, queries OUT integer, used OUT integer, refused OUT integer, different OUT text[])
LANGUAGE plpgsql AS $$
DECLARE
    t record;
    u record;
    x text;
    y text;
    v text;
    v2 text;
    query text;
    params text;
    a record;
    b record;
    form integer;
BEGIN
    PERFORM setseed(seed), set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true);
    queries := 0; used := 0; refused := 0; different := '{}';
    WHILE queries < n LOOP
        SELECT * INTO t FROM types ORDER BY random() LIMIT 1;
        SELECT * INTO u FROM types WHERE family = t.family ORDER BY random() LIMIT 1;
        SELECT value INTO v FROM texts WHERE family = t.family ORDER BY random() LIMIT 1;
        SELECT value INTO v2 FROM texts WHERE family = t.family ORDER BY random() LIMIT 1;
        -- the column, under up to two casts, and the value's type under up to one
        x := 's.c' || t.n;
        FOR i IN 1..floor(random() * 3)::int LOOP
            x := format('(%s)::%s', x, (SELECT type FROM types WHERE family = t.family ORDER BY random() LIMIT 1));
        END LOOP;
        y := CASE WHEN random() < 0.5 THEN '' ELSE '::' || (SELECT type FROM types WHERE family = t.family ORDER BY random() LIMIT 1) END;
        form := floor(random() * 7);
        params := NULL;
        query := CASE form
            WHEN 0 THEN format('SELECT count(*) FROM found s WHERE %s = %L::%s%s', x, v, u.type, y)
            WHEN 1 THEN format('SELECT count(*) FROM found s WHERE %s = ANY (ARRAY[%L::%s%s, %L::%s%s])', x, v, u.type, y, v2, u.type, y)
            WHEN 2 THEN format('SELECT count(*) FROM found s WHERE %L::%s%s = %s', v, u.type, y, x)
            WHEN 3 THEN format('SELECT count(*) FROM outside k JOIN gated s ON %s = (k.c%s)%s', x, u.n, y)
            WHEN 4 THEN format('SELECT count(*) FROM outside k WHERE NOT EXISTS (SELECT FROM gated s WHERE %s = (k.c%s)%s)', x, u.n, y)
            WHEN 5 THEN format('SELECT count(*) FROM outside k JOIN found s ON %s = (k.c%s)%s', x, u.n, y)
            ELSE format('EXECUTE asked (%L)', v) END;
        IF form = 6 THEN
            BEGIN
                PERFORM set_config('plan_cache_mode', 'force_generic_plan', true);
                EXECUTE format('PREPARE asked (text) AS SELECT count(*) FROM found s WHERE %s = $1::%s%s', x, u.type, y);
            EXCEPTION WHEN OTHERS THEN
                CONTINUE;
            END;
        END IF;
        SELECT * INTO a FROM answer(query, false);
        IF form = 6 THEN
            DEALLOCATE asked;
            EXECUTE format('PREPARE asked (text) AS SELECT count(*) FROM found s WHERE %s = $1::%s%s', x, u.type, y);
        END IF;
        SELECT * INTO b FROM answer(query, true);
        IF form = 6 THEN
            SELECT query || ': ' || statement INTO query FROM pg_prepared_statements WHERE name = 'asked';
            DEALLOCATE asked;
        END IF;
        queries := queries + 1;
        used := used + b.used::int;
        IF length(a.said) = 5 AND a.said = b.said THEN
            refused := refused + 1;
        ELSIF a.said IS DISTINCT FROM b.said AND NOT (length(a.said) = 5 OR length(b.said) = 5) THEN
            different := different || format('%s: %s, not %s', query, b.said, a.said);
        ELSIF b.said ~ '^[XD]' THEN
            different := different || format('%s: error %s', query, b.said);
        END IF;
    END LOOP;
END $$;
