-- Direct calls of every function of the extensions, with arguments that nobody means: after
-- setup.sql, of the payloads that are there.
--
--     SELECT direct(n)           n calls of each function
--     SELECT * FROM direct_verdict()
--
-- A call may answer or be refused.  It must not end the session, nor report what "cannot happen".

CREATE TABLE direct_call (call text, code text, message text);

-- An SQL expression of a type, chosen at random; NULL if a call in SQL cannot have one
CREATE FUNCTION odd_value(argument regtype) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    choices text[] := CASE argument::text
        WHEN 'smallint' THEN '{-32768,-1,0,1,14,32767}'
        WHEN 'integer' THEN '{-2147483648,-1,0,1,2,14,20,1000,2147483647}'
        WHEN 'bigint' THEN
            '{-9223372036854775808,-1,0,1,7,1000000,4294967296,9223372036854775807}'
        WHEN 'double precision' THEN
            '{NaN,-Infinity,Infinity,-1,-0,1e-308,0.01,0.5,0.95,1,1.5,100,1e5,1e308}'
        WHEN 'boolean' THEN '{t,f}'
        WHEN 'oid' THEN '{0,1,23,1259,4294967295}'
        WHEN 'regclass' THEN '{0,4294967295,pg_class,pg_toast.pg_toast_1255,payload,payload_id_seq,
            payload_type_id_idx}'
        WHEN 'name' THEN '{"",id,nosuch,ctid,"a\"b"}'
        WHEN 'text' THEN '{"",a,blocked,classic,42,"{1,2}","{{1},{2}}","{","\\x00",int4,text,hourly,
            "a''b; SELECT 1","é€"}'
        WHEN 'text[]' THEN '{"{}","{NULL}","{{a},{b}}","{id}","{a,\"hll_agg(id)\"}"}'
        WHEN 'bytea' THEN '{"","\\x00","\\xff","\\x0000000000000000000000000000000000"}'
        WHEN 'bytea[]' THEN '{"{}","{NULL}","{\"\\\\xff\",\"\"}"}'
        WHEN 'cstring' THEN '{"","=","\\x","\\x0","AAAA","\\xffffffffffffffff"}'
        WHEN 'cstring[]' THEN '{"{}","{NULL}","{\"\"}","{-1}","{1,2,3,4}","{NaN}","{{1},{2}}",
            "{99999999999999999999}","{1e308,1e-308}"}'
        WHEN 'interval' THEN '{-1 day,0,infinite,178000000 years}'
        WHEN 'uuid' THEN '{00000000-0000-0000-0000-000000000000}'
        WHEN 'inet' THEN '{0.0.0.0/0,::1}' END;
    odd_any text[] := ARRAY['42', '''a''::text', '''a''', '0.5::float8', 'NULL', '''{}''::int[]',
        '''{{1,NULL},{2,3}}''::int[]', 'ROW(1, NULL)', 'ROW()', '''[1,]''::int4range',
        '''{"a": [1, null]}''::jsonb', '''<a/>''::xml', '''(1,2)''::point', 'now()', '1::money',
        '''NaN''::numeric', '1e1000::numeric', '''pg_class''::regclass', 'repeat(''x'', 100000)',
        '''a''::"char"', '''a''::name', 'B''101''', '''12:00+01''::timetz', 'NULL::void'];
    odd_array text[] := ARRAY['''{}''::int[]', '''{NULL}''::text[]', '''{{1,2},{3,4}}''::int8[]',
        '''[5:6]={a,b}''::text[]', 'ARRAY[ROW(1, 2)]', 'NULL::int[]', '''1 2''::int2vector',
        'array_fill(1, ARRAY[10000])', 'ARRAY[''<a/>''::xml]'];
    bytes text;
BEGIN
    IF random() < 0.1 AND argument <> '"any"'::regtype AND argument <> 'anyarray'::regtype
        AND argument <> 'record'::regtype AND argument <> 'internal'::regtype THEN
        RETURN format('NULL::%s', argument);
    ELSIF EXISTS (SELECT FROM sketch_type WHERE type = argument::text) THEN
        IF random() < 0.3 THEN
            RETURN (SELECT format('(SELECT %s_agg(i, %s) FROM generate_series(1, %s) i)', type,
                usual, (random() * 300)::int) FROM sketch_type WHERE type = argument::text);
        END IF;
        SELECT p.bytes::text INTO bytes FROM payload p
        WHERE type = argument::text AND NOT foreigner AND length(p.bytes) < 4000
        ORDER BY random() LIMIT 1;
        RETURN format('unchecked_%s(%L)', argument, bytes);
    ELSIF argument::text = 'hll_hashval' THEN
        RETURN format('%s::bigint::hll_hashval', (random() * 1e18)::bigint);
    ELSIF argument::text = 'citext' THEN
        RETURN '''aB''::citext';
    ELSIF argument = '"any"'::regtype THEN
        RETURN odd_any[1 + floor(random() * cardinality(odd_any))::int];
    ELSIF argument = 'anyarray'::regtype THEN
        RETURN odd_array[1 + floor(random() * cardinality(odd_array))::int];
    ELSIF argument = 'record'::regtype THEN
        RETURN (ARRAY['ROW()', 'ROW(1, NULL, ''a''::text)', 'NULL::pg_class'])
            [1 + floor(random() * 3)::int];
    ELSIF argument = 'bytea'::regtype AND random() < 0.6 THEN
        RETURN (SELECT format('%L::bytea', p.bytes) FROM payload p WHERE length(p.bytes) < 4000
            ORDER BY random() LIMIT 1);
    END IF;
    RETURN format('%L::%s', choices[1 + floor(random() * cardinality(choices))::int], argument);
END
$$;

CREATE FUNCTION direct(n int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    f record;
    call text;
BEGIN
    FOR f IN SELECT p.oid::regproc AS name, p.prokind, p.proargtypes::oid[] AS args
        FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid
            JOIN pg_extension e ON e.oid = d.refobjid
                AND e.extname IN ('probds', 'probds_citext', 'probds_hll')
        WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass
            AND d.deptype = 'e' AND p.prokind <> 'p'
            AND 'internal'::regtype <> ALL (p.proargtypes::oid[])
        ORDER BY p.oid::regprocedure::text COLLATE "C", n
    LOOP
        FOR i IN 1 .. n LOOP
            call := format('%s(%s)', f.name, (SELECT string_agg(odd_value(a), ', ' ORDER BY o)
                FROM unnest(f.args) WITH ORDINALITY AS u (a, o)))
                || CASE WHEN f.prokind = 'a' AND random() < 0.3
                    THEN ' OVER (ROWS 1 PRECEDING)' ELSE '' END;
            RAISE LOG 'hostile: %', left(call, 2000);
            BEGIN
                -- what it answers must have a text, too
                EXECUTE format('SELECT length(format(''%%s'', %s)) FROM generate_series(1, 2)',
                    call);
                INSERT INTO direct_call VALUES (call);
            EXCEPTION WHEN OTHERS THEN
                INSERT INTO direct_call VALUES (call, sqlstate, sqlerrm);
            END;
        END LOOP;
    END LOOP;
    RETURN (SELECT count(*) FROM direct_call);
END
$$;

-- XX001 is a damaged sketch.  XX000 cannot happen.
CREATE FUNCTION direct_verdict() RETURNS SETOF text LANGUAGE sql AS $$
WITH called AS (
    SELECT *, coalesce(code ~ '^(0A|22|39|42|54|55)|^XX001$', true) AS is_right FROM direct_call
)
SELECT format('# %s: %s calls', coalesce(code, 'answered'), count(*)) FROM called GROUP BY code
UNION ALL
SELECT format('#   %s: %s: %s', code, left(call, 300), message) FROM called WHERE NOT is_right
UNION ALL
SELECT format('%s - direct calls: %s', CASE WHEN bool_and(is_right) THEN 'ok' ELSE 'not ok' END,
    count(*)) FROM called
$$;
