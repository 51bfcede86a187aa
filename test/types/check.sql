-- What tests of all types (sql/types_*.sql) begin with.  They write a statement once, with
-- {type}, {usual}, ... for the columns of types.sql, and it is made for each type.
\set SHOW_CONTEXT never
\ir types.sql
\ir plans.sql
\ir answer.sql

-- Parameters for rows i: others from the third on; NULL; and NULL in the third
ALTER TABLE types ADD changing text, ADD nothing text, ADD missing text;
UPDATE types SET changing = q.changing, nothing = q.nothing, missing = q.missing
FROM (SELECT type, string_agg(format('CASE WHEN i < 3 THEN %s ELSE %s END', u, o), ', '
    ORDER BY n) AS changing, string_agg(CASE n WHEN 1 THEN 'NULL' ELSE u END, ', '
    ORDER BY n) AS nothing,
        string_agg(CASE n WHEN 1 THEN format('CASE WHEN i <> 3 THEN %s END', u) ELSE u END, ', '
            ORDER BY n) AS missing
    FROM types, regexp_split_to_table(usual, ', *') WITH ORDINALITY a(u, n) LEFT
        JOIN LATERAL regexp_split_to_table(other, ', *') WITH ORDINALITY b(o, n) USING (n)
        GROUP BY type) q
WHERE q.type = types.type;

-- The statement for a type
CREATE FUNCTION pg_temp.fill_in(statement text, t types) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    name text;
    value text;
BEGIN
    FOR name, value IN SELECT * FROM jsonb_each_text(to_jsonb(t)) LOOP
        statement := replace(statement, '{' || name || '}', coalesce(value, 'NULL'));
    END LOOP;
    RETURN statement;
END
$$;

-- number(X), a function for each type; 17 and later build indexes without the search path
CREATE PROCEDURE pg_temp.make_numbers() LANGUAGE plpgsql AS $$
DECLARE
    t types;
BEGIN
    FOR t IN SELECT * FROM types LOOP
        EXECUTE format('CREATE FUNCTION pg_temp.number(s %s) RETURNS float8 '
            'LANGUAGE sql IMMUTABLE SET search_path = public AS %L', t.type,
            format('SELECT (%s)::float8', t.number));
    END LOOP;
END
$$;
CALL pg_temp.make_numbers();

-- Does a statement change or merge a sketch of a type that does neither?
CREATE FUNCTION pg_temp.not_of(t types, statement text) RETURNS boolean LANGUAGE sql AS $$
    SELECT t.fixed AND pg_temp.fill_in(statement, t) ~
        ('\m' || t.type || '_(add|add_all|merge|merge_agg)\(|\ms \|\| |\|\| s\M')
$$;

-- Run a statement for each type of which the condition is true
CREATE PROCEDURE pg_temp.each(statement text, condition text DEFAULT 'true') LANGUAGE plpgsql AS $$
DECLARE
    t types;
BEGIN
    FOR t IN EXECUTE format('SELECT * FROM types t WHERE %s', condition) LOOP
        CONTINUE WHEN pg_temp.not_of(t, statement);
        EXECUTE pg_temp.fill_in(statement, t);
    END LOOP;
END
$$;

-- Returns "ok" if the statement returns what is expected, or ends in that SQLSTATE, for each
-- type for which the condition is true.  There must be one such type.  Otherwise returns which
-- type returns what
CREATE FUNCTION pg_temp.verdict(statement text, expected text DEFAULT 'true',
    condition text DEFAULT 'true') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    t types;
    answer text;
    message text;
    result text := '';
    n int := 0;
BEGIN
    FOR t IN EXECUTE format('SELECT * FROM types t WHERE %s ORDER BY type', condition) LOOP
        n := n + 1;
        CONTINUE WHEN NOT t.as_added AND statement LIKE '%/* as added */%';
        CONTINUE WHEN pg_temp.not_of(t, statement);
        CONTINUE WHEN t.numbers AND statement LIKE '%/* any value */%';
        BEGIN
            EXECUTE pg_temp.fill_in(statement, t) INTO answer;
            message := '';
        EXCEPTION WHEN OTHERS THEN
            answer := SQLSTATE;
            message := ' (' || SQLERRM || ')';
        END;
        IF answer IS DISTINCT FROM pg_temp.fill_in(expected, t) THEN
            result := result || format('%s: %s%s; ', t.type, coalesce(answer, 'NULL'), message);
        END IF;
    END LOOP;
    RETURN CASE WHEN n = 0 THEN 'of no type' WHEN result = '' THEN 'ok' ELSE result END;
END
$$;

-- What each type says of a statement that is refused, in full, or that it answers; {a_bad}
-- stands for each of its bad parameters.  Types that say the same are listed together, and X
-- stands for the type's name.
CREATE FUNCTION pg_temp.messages(name text, statement text, condition text DEFAULT 'true')
    RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    t types;
    bad text;
    says text;
    detail text;
    hint text;
    said jsonb := '[]';
BEGIN
    FOR t IN EXECUTE format('SELECT * FROM types t WHERE %s ORDER BY type', condition) LOOP
        FOREACH bad IN ARRAY CASE WHEN statement LIKE '%{a_bad}%' THEN string_to_array(t.bad, '|')
            ELSE ARRAY[''] END LOOP
            BEGIN
                EXECUTE pg_temp.fill_in(replace(statement, '{a_bad}', bad), t) INTO says;
                says := 'answers ' || coalesce(says, 'NULL');
            EXCEPTION WHEN OTHERS THEN
                GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
                says := concat(SQLSTATE || ': ' || SQLERRM, E'\nDETAIL:  ' || nullif(detail, ''),
                    E'\nHINT:  ' || nullif(hint, ''));
                -- (the server's own, of which versions have different ones)
                IF SQLSTATE = '42883' AND SQLERRM LIKE '% does not exist' THEN
                    says := SQLSTATE || ': ' || SQLERRM;
                END IF;
            END;
            said := said ||
                jsonb_build_array(jsonb_build_array(t.type,
                regexp_replace(says, '\m' || t.type || '(?=\M|_[a-z])', 'X', 'g')));
        END LOOP;
    END LOOP;
    RETURN QUERY SELECT format(E'%s (%s)\n%s\n', name, string_agg(DISTINCT who, ' ' ORDER BY who),
        what)
        FROM (SELECT v ->> 0, v ->> 1, n FROM jsonb_array_elements(said) WITH ORDINALITY a(v, n))
            q(who, what, n) GROUP BY what ORDER BY min(n);
END
$$;

-- COPY a value into a column, as text and as binary, without a file
CREATE FUNCTION pg_temp.copy_text(target text, value text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('COPY %s FROM PROGRAM %L', target, format('echo ''%s''', value));
END
$$;
CREATE FUNCTION pg_temp.copy_binary(target text, value bytea) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    bytes bytea := '\x5047434f50590aff0d0a00'::bytea || int4send(0) || int4send(0) ||
        int2send(1::smallint) || int4send(length(value)) || value || int2send(-1::smallint);
    octal text;
BEGIN
    SELECT string_agg(format('\%s%s%s', b / 64, b / 8 % 8, b % 8), '' ORDER BY n) INTO octal
    FROM generate_series(0, length(bytes) - 1) n, get_byte(bytes, n) b;
    EXECUTE format('COPY %s FROM PROGRAM %L (FORMAT binary)', target,
        format('printf ''%s''', octal));
END
$$;

-- Sketches of all sizes, of the usual parameters, the others and the large ones, and of several
-- kinds of
-- values: X_examples (n, s). n is the number of values, or NULL if that is not known
CREATE PROCEDURE pg_temp.make_examples() LANGUAGE plpgsql AS $body$
BEGIN
    CALL pg_temp.each($$CREATE TEMP TABLE {type}_examples (id int GENERATED ALWAYS AS IDENTITY,
        large boolean, n int, s {type})$$);
    CALL pg_temp.each($$
INSERT INTO {type}_examples (large, n, s)
SELECT false, 0, {type}_empty({usual})
UNION ALL SELECT true, 0, {type}_empty({large})
UNION ALL SELECT false, n, (SELECT {type}_agg(i, {usual}) FROM generate_series(1, n) i)
FROM unnest('{1,2,3,20,90}'::int[]) n
UNION ALL SELECT true, n, (SELECT {type}_agg(i, {large}) FROM generate_series(1, n) i)
FROM unnest('{1,100,1000,20000}'::int[]) n WHERE n <= {exact}
UNION ALL SELECT false, NULL, (SELECT {type}_agg(i, {other}) FROM generate_series(1, n) i)
FROM unnest('{50,10000}'::int[]) n
$$);
    CALL pg_temp.each($$
INSERT INTO {type}_examples (large, n, s)
SELECT false, NULL::int, {type}_agg('value ' || i, {usual}) FROM generate_series(1, 50) i
UNION ALL SELECT false, NULL, {type}_agg(i / 8.0::float8, {usual}) FROM generate_series(1, 50) i
UNION ALL SELECT false, NULL, {type}_agg(ROW(i, 'x'), {usual}) FROM generate_series(1, 50) i
UNION ALL SELECT false, NULL, {type}_agg(ARRAY[i % 5], {usual}) FROM generate_series(1, 50) i
$$, 'NOT numbers');
    CALL pg_temp.each($$
INSERT INTO {type}_examples (large, n, s)
SELECT false, NULL::int, {type}_agg(-i, {usual}) FROM generate_series(1, 50) i
UNION ALL SELECT false, NULL, {type}_agg(i / 8.0::float8, {usual}) FROM generate_series(-9, 50) i
UNION ALL SELECT false, NULL, {type}_agg(i * interval '1 min', {usual})
FROM generate_series(1, 50) i
UNION ALL SELECT false, NULL, {type}_agg(1e-3::float8 * i ^ 7, {usual})
FROM generate_series(1, 50) i
$$, 'numbers');
END
$body$;
