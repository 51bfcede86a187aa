-- The promise of the hash: a = b exactly when probds_hash(a) = probds_hash(b)

-- All pairs of some values of a type: how many there are, how many are equal
-- under the type's own "=", and for how many the hashes say otherwise
CREATE FUNCTION pg_temp.pairs(type text, VARIADIC vals text[])
RETURNS TABLE (of text, pairs bigint, equal bigint, wrong bigint) LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format(
        'WITH v AS (SELECT x::%1$s AS x FROM unnest($1) x)
         SELECT %1$L, count(*), count(*) FILTER (WHERE a.x = b.x),
             count(*) FILTER (WHERE (a.x = b.x) <> (probds_hash(a.x) = probds_hash(b.x)))
         FROM v a, v b', type) USING vals;
END $$;

CREATE TYPE pg_temp.pair AS (i int, t text);
CREATE TYPE pg_temp.nested AS (p pg_temp.pair, n numeric[], c char(3));
CREATE TYPE pg_temp.mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE pg_temp.floatrange AS RANGE (subtype = float8);

SELECT p.* FROM (VALUES
    ('smallint', ARRAY['0', '1', '-1', '32767', '-32768']),
    ('integer', ARRAY['0', '1', '-1', '2147483647', '-2147483648']),
    ('bigint', ARRAY['0', '1', '-1', '4294967296', '9223372036854775807', '-9223372036854775808']),
    ('oid', ARRAY['0', '1', '4294967295', '2147483648']),
    ('numeric', ARRAY['0', '0.00', '-0', '1', '1.0', '1.00', '-1', '10', '1e1', '10000', '1e4', '100000000', '1e8',
        '0.1', '0.10', '0.0001', '0.00010', '-0.1', '1.0001', '10000.0001', '12345678.9', '12345678.90',
        '9223372036854775807', '9223372036854775807.0', '9223372036854775808', '9223372036854775808.00',
        '-9223372036854775808', '-9223372036854775808.0', '-9223372036854775809', '99999999999999999999',
        '1e30', '1000000000000000000000000000000.000', '1e-30', '1.0e-30', '1e31', '-1e30', 'NaN', 'nan',
        '0.00000000000000000001', '18446744073709551616', '18446744073709551617']),
    ('numeric(10,3)', ARRAY['1', '1.0004', '1.001']),
    ('real', ARRAY['0', '-0', '1', '0.1', '0.10000000149', 'NaN', 'nan', 'Infinity', '-Infinity', '1e-40']),
    ('float8', ARRAY['0', '-0', '1', '0.1', '0.10000000149011612', 'NaN', 'nan', 'Infinity', '-Infinity', '5e-324']),
    ('boolean', ARRAY['t', 'true', 'f', 'no']),
    ('text', ARRAY['', 'a', 'a ', 'A', 'ab', E'a\tb', 'aaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaaa']),
    ('varchar(3)', ARRAY['', 'a', 'a ', 'abc', 'abcd']),
    ('char(5)', ARRAY['', ' ', 'a', 'a  ', ' a', 'abcde']),
    ('name', ARRAY['', 'a', 'a ', 'b']),
    ('"char"[]', ARRAY['{""}', '{a}', '{ab}', '{b}']),
    ('bytea', ARRAY['', '\x00', '\x0000', 'a', '\x61']),
    ('uuid', ARRAY['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{A0EEBC999C0B4EF8BB6D6BB9BD380A11}', '00000000-0000-0000-0000-000000000000']),
    ('date', ARRAY['2000-01-01', '20000101', '1999-12-31', 'infinity', '-infinity', '0044-03-15 BC']),
    ('time', ARRAY['00:00', '24:00', '12:00', '12:00:00.0', '12:00:00.000001']),
    ('timetz', ARRAY['12:00+00', '13:00+01', '12:00:00.0Z', '12:00+01', '00:00+00', '24:00+00']),
    ('timestamp', ARRAY['2000-01-01', '2000-01-01 00:00:00', '1999-12-31 24:00', 'infinity', '-infinity', '2000-01-01 00:00:00.000001']),
    ('timestamptz', ARRAY['2000-01-01 00:00Z', '2000-01-01 01:00+01', '2000-01-01 01:00Z', 'infinity', '-infinity']),
    ('interval', ARRAY['1 month', '30 days', '720 hours', '1 day', '24 hours', '1 year', '12 months', '360 days', '365 days',
        '-1 month', '-30 days', '1 month -30 days', '0', '1 microsecond', '-1 microsecond', '1 day -24 hours',
        '178000000 years', '-178000000 years', '2147483647 days', '-2147483648 days', '2147483647 days 1 microsecond']),
    ('inet', ARRAY['10.0.0.0', '10.0.0.0/32', '10.0.0.0/8', '10.0.0.1/8', '::', '::/128', '::a00:0', '::a00:0/104', '10.0.0.1']),
    ('cidr', ARRAY['10/8', '10.0.0.0/8', '10.0.0.0/9', '::/0', '0.0.0.0/0']),
    ('macaddr', ARRAY['08:00:2b:01:02:03', '08002b:010203', '08:00:2b:01:02:04']),
    ('macaddr8', ARRAY['08:00:2b:01:02:03', '08:00:2b:ff:fe:01:02:03', '08:00:2b:01:02:03:04:05']),
    ('money', ARRAY['1', '1.00', '-1', '0']),
    ('bit(3)', ARRAY['000', '001', '100']),
    ('varbit', ARRAY['', '0', '00', '000', '1', '10', '100', '00000000', '000000000']),
    ('pg_temp.mood', ARRAY['sad', 'ok', 'happy']),
    ('jsonb', ARRAY['1', '1.0', '1.00', '[1]', '[1.0]', '"1"', 'null', '[null]', '[]', '{}', '[[]]', '[{}]', '[[],[]]', '[[[]]]', 'true', 'false',
        '{"a": 1, "b": 2}', '{"b": 2.0, "a": 1}', '{"a": 0, "a": 1, "b": 2}', '{"a": 1, "b": "2"}', '{"ab": 1}', '{"a": {"b": 1}}',
        '[1, 2]', '[12]', '["a", "b"]', '["ab"]', '["a\"b"]', '""', '"a"', '1e400', '0.1', '0.10', '[1, [2, 3], 4]', '[1, [2, 3, 4]]']),
    ('int[]', ARRAY['{}', '{1}', '{1,2}', '{2,1}', '{{1,2}}', '{{1},{2}}', '[0:1]={1,2}', '[1:2]={1,2}', '{NULL}', '{1,NULL}', '{NULL,1}', '{1,2,NULL}']),
    ('numeric[]', ARRAY['{1,1.50}', '{1.0,1.5}', '{1,1.5,1.5}']),
    ('text[]', ARRAY['{a,b}', '{ab}', '{ab,""}', '{"",ab}', '{"a,b"}', '{NULL}', '{"NULL"}', '{""}', '{}', '{{a,b}}']),
    ('float8[]', ARRAY['{0,-0}', '{-0,0}', '{NaN,1}', '{nan,1}']),
    ('int4range', ARRAY['empty', '(1,1)', '[1,4]', '[1,5)', '(0,5)', '[1,)', '(0,)', '(,5)', '(,4]', '(,)', '[1,5]']),
    ('numrange', ARRAY['[1,2]', '[1.0,2.00]', '[1,2)', '(1,2]', '(1,2)', '(,2)', '(,2]', 'empty', '[1,1]', '[1.0,1]', '(,)']),
    ('pg_temp.floatrange', ARRAY['[0,1]', '[-0,1]', '[0,NaN]', '[-0,nan]', '[0,]', '[0,Infinity]']),
    ('tsrange', ARRAY['[2000-01-01,2000-01-02)', '[2000-01-01 00:00,2000-01-02 00:00)', '[2000-01-01,infinity]', '[2000-01-01,)']),
    ('int4range[]', ARRAY['{"[1,4]"}', '{"[1,5)"}', '{empty}', '{}', '{NULL}']),
    ('pg_temp.pair', ARRAY['(1,a)', '(1,)', '(,a)', '(,)', '(2,a)', '(1,"")', '(,"")']),
    ('pg_temp.nested', ARRAY['("(1,a)","{1,1.0}",x)', '("(1,a)","{1.0,1}","x  ")', '("(1,a)","{1,1}",y)', '("(,)","{1,1}",y)', '(,"{1,1}",y)']),
    ('pg_temp.pair[]', ARRAY['{"(1,a)","(2,b)"}', '{"(1,a)"}', '{NULL,"(1,a)"}', '{"(,)","(1,a)"}']),
    ('tid', ARRAY['(0,1)', '(0,2)', '(1,1)']),
    ('pg_lsn', ARRAY['0/1', '0/01', '1/0']),
    ('xid8', ARRAY['1', '01', '4294967296']),
    ('xid', ARRAY['1', '01', '4294967295']),
    ('oidvector', ARRAY['', '1', '1 2', '2 1'])
) t(type, vals), LATERAL pg_temp.pairs(t.type, VARIADIC t.vals) p;

-- Across types: what one may store as another type in the next table
SELECT count(DISTINCT h) AS one FROM unnest(ARRAY[
    probds_hash(42::smallint), probds_hash(42), probds_hash(42::bigint), probds_hash(42::oid),
    probds_hash(42::numeric), probds_hash(42.000), probds_hash(4.2e1::numeric), probds_hash(42::regclass)]) h;
SELECT count(DISTINCT h) AS one FROM unnest(ARRAY[
    probds_hash('foo'::text), probds_hash('foo'::varchar), probds_hash('foo'::char(9)), probds_hash('foo'::name), probds_hash('foo')]) h;
SELECT probds_hash(0.5::real) = probds_hash(0.5::float8) AS floats,
    probds_hash('10.0.0.0/8'::inet) = probds_hash('10/8'::cidr) AS addresses,
    probds_hash(B'101') = probds_hash('101'::varbit) AS bits,
    probds_hash('{1,2}'::smallint[]) = probds_hash('{1.0,2.0}'::numeric[]) AS arrays,
    probds_hash('[1,5)'::int4range) = probds_hash('[1,5)'::int8range) AS ranges,
    probds_hash(ROW(1, 'a'::text)) = probds_hash(ROW(1::bigint, 'a'::varchar)::record) AS records;
-- and what must not be mixed up inside of a value
SELECT probds_hash(ROW(1::bigint)) <> probds_hash(ROW(E'\\x0100000000000000'::bytea)) AS kinds_of_columns,
    probds_hash(ROW('ab', 'c')) <> probds_hash(ROW('a', 'bc')) AS bounds_of_columns,
    probds_hash(ROW(NULL, 1)) <> probds_hash(ROW(1, NULL)) AS order_of_nulls;

-- A row is its columns, whatever it is the row of; dropped columns are none
CREATE TEMP TABLE was_wider(gone int, i int, away text, t text);
INSERT INTO was_wider VALUES (7, 1, 'x', 'a');
ALTER TABLE was_wider DROP gone, DROP away;
INSERT INTO was_wider VALUES (1, 'a');
ALTER TABLE was_wider ADD added numeric DEFAULT 5;
SELECT count(DISTINCT probds_hash(w)) AS one, bool_and(probds_hash(w) = probds_hash(ROW(1, 'a'::text, 5.0))) AS alike FROM was_wider w;
-- rows of several types at one call site
SELECT r, probds_hash(r) = h AS alike FROM (VALUES
    (1, ROW(1, 'a'::text), probds_hash(ROW(1, 'a'::text))),
    (2, ROW('x'::text, 2, true), probds_hash(ROW('x'::text, 2, true))),
    (3, ROW(2.50), probds_hash(ROW(2.5))),
    (4, ROW(2, 'b'::text), probds_hash(ROW(2, 'b'::text))),
    (5, ROW(ROW(1.0, 'a'::text), '{1}'::int[]), probds_hash(ROW(ROW(1, 'a'::text), '{1}'::int[])))
) v(n, r, h) ORDER BY n;
-- expanded arrays and rows, as PL/pgSQL holds them
DO $$
DECLARE
    a int[] := '{1,2}';
    r record;
    p pg_temp.pair := ROW(1, 'a');
BEGIN
    a[3] := 3;
    a[5] := NULL;
    r := ROW(1, 'a'::text);
    ASSERT probds_hash(a) = probds_hash('{1,2,3,NULL,NULL}'::int[]), 'expanded array';
    ASSERT probds_hash(r) = probds_hash(ROW(1, 'a'::text)), 'record';
    ASSERT probds_hash(p) = probds_hash(ROW(1, 'a'::text)), 'composite';
    p.i := 2;
    ASSERT probds_hash(p) = probds_hash(ROW(2, 'a'::text)), 'changed composite';
END $$;

-- Newer types, with no output where the server lacks them
DO $$
DECLARE
    p record;
    v record;
BEGIN
    FOR v IN SELECT * FROM (VALUES
        (140000, 'int4multirange', '{"{}", "{[1,2],[4,5]}", "{[1,3),[4,6)}", "{[1,2],[3,5]}", "{[1,5]}", "{(,)}", "{(,1),(1,)}"}'::text[], 11),
        (140000, 'nummultirange', '{"{[1,2]}", "{[1.0,2.0]}", "{[1,2)}"}', 5),
        (140000, 'numeric', '{Infinity, inf, -Infinity, NaN, 1}', 7),
        (170000, 'interval', '{infinity, -infinity, "1 day"}', 3)
    ) t(since, type, vals, equal)
    LOOP
        CONTINUE WHEN current_setting('server_version_num')::int < v.since;
        SELECT * INTO p FROM pg_temp.pairs(v.type, VARIADIC v.vals);
        IF p.wrong <> 0 OR p.equal <> v.equal THEN
            RAISE WARNING '%', p;
        END IF;
    END LOOP;
END $$;

-- Nondeterministic collations
\set collation `echo "${PROBDS_SRC:-.}/test/types/collation.sql"`
\set ECHO none
\i :collation
\set ECHO all
CALL pg_temp.check_without_case($q$
    SELECT * FROM (VALUES
        ('text', probds_hash('Anna'::text COLLATE pg_temp.ci) = probds_hash('ANNA'::text COLLATE pg_temp.ci)),
        ('other text', probds_hash('Anna'::text COLLATE pg_temp.ci) <> probds_hash('Anne'::text COLLATE pg_temp.ci)),
        ('deterministic', probds_hash('Anna'::text COLLATE "C") <> probds_hash('ANNA'::text COLLATE "C")),
        ('varchar', probds_hash('Anna'::varchar COLLATE pg_temp.ci) = probds_hash('ANNA'::text COLLATE pg_temp.ci)),
        ('bpchar', probds_hash('Anna'::char(9) COLLATE pg_temp.ci) = probds_hash('ANNA'::text COLLATE pg_temp.ci)),
        ('padding', probds_hash('Anna'::char(4) COLLATE pg_temp.ci) = probds_hash('ANNA'::char(9) COLLATE pg_temp.ci)),
        ('name', probds_hash('Anna'::name COLLATE pg_temp.ci) = probds_hash('ANNA'::text COLLATE pg_temp.ci)),
        ('array', probds_hash('{Anna}'::text[] COLLATE pg_temp.ci) = probds_hash('{ANNA}'::text[] COLLATE pg_temp.ci)),
        ('range', probds_hash('[Anna,Berta]'::pg_temp.cirange) = probds_hash('[ANNA,BERTA]'::pg_temp.cirange)),
        ('row', probds_hash('(1,Anna)'::pg_temp.cirow) = probds_hash('(1,ANNA)'::pg_temp.cirow)),
        ('aggregate', (SELECT hll_agg(t COLLATE pg_temp.ci) = hll_add(hll_empty(), 'anna'::text COLLATE pg_temp.ci)
            AND (hll_info(hll_agg(t COLLATE pg_temp.ci))).kind ~ '^collated text [0-9a-f]{8}$'
            FROM unnest(ARRAY['Anna', 'ANNA']) t)),
        ('elements', hll_add_all(hll_empty(), ARRAY['Anna', 'ANNA'] COLLATE pg_temp.ci) = hll_add(hll_empty(), 'anna'::text COLLATE pg_temp.ci)),
        ('as the server hashes it', probds_hash('Anna'::text COLLATE pg_temp.ci) =
            probds_hash(hashtextextended('ANNA' COLLATE pg_temp.ci, 0)))
    ) v(what, ok) $q$);
