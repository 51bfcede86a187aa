-- What tests of aggregates include: the types of values, and of each a table column_N (v) with
-- two values a and b, each twice, and a NULL

CREATE TYPE pg_temp.mood AS ENUM ('sad', 'ok');
CREATE TYPE pg_temp.pair AS (a int, b text);
CREATE DOMAIN pg_temp.age AS int CHECK (VALUE > 0);
CREATE DOMAIN pg_temp.email AS varchar(100);
CREATE DOMAIN pg_temp.tags AS text[];
CREATE TEMP TABLE value_types AS SELECT * FROM (VALUES
    (1, 'smallint', 'number', '1', '2'), (2, 'integer', 'number', '1', '2'),
        (3, 'bigint', 'number', '1', '2'), (4, 'numeric', 'number', '1.5', '2'),
        (5, 'numeric(10,2)', 'number', '1.5', '2'),
    (6, 'real', 'float', '1.5', '2'), (7, 'double precision', 'float', '1.5', '2'),
        (8, 'money', 'money', '1', '2'), (9, 'oid', 'number', '1', '2'),
        (10, 'regclass', 'number', 'pg_class', 'pg_type'),
    (11, 'regtype', 'number', 'int', 'text'), (12, 'regproc', 'number', 'now', 'pi'),
        (13, 'text', 'text', 'a', 'b'), (14, 'varchar', 'text', 'a', 'b'),
        (15, 'varchar(10)', 'text', 'a', 'b'), (16, 'char(10)', 'text', 'a', 'b'),
    (17, 'name', 'text', 'a', 'b'), (18, 'text COLLATE "C"', 'text', 'a', 'b'),
        (19, 'bytea', 'bytea', 'a', 'b'), (20, 'bit(3)', 'bit', '101', '111'),
        (21, 'bit varying', 'bit', '1', '11'),
    (22, 'boolean', 'boolean', 't', 'f'), (23, 'date', 'date', '2000-01-01', '2000-01-02'),
        (24, 'time', 'time', '12:00', '13:00'), (25, 'timetz', 'timetz', '12:00+00', '13:00+00'),
    (26, 'timestamp', 'timestamp', '2000-01-01', '2000-01-02'),
        (27, 'timestamptz', 'timestamptz', '2000-01-01', '2000-01-02'),
        (28, 'interval', 'interval', '1 day', '1 hour'),
    (29, 'uuid', 'uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
        'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12'), (30, 'inet', 'inet', '10.0.0.1', '::1'),
        (31, 'cidr', 'inet', '10.0.0.0/8', '::/0'),
    (32, 'macaddr', 'macaddr', '08:00:2b:01:02:03', '08:00:2b:01:02:04'),
        (33, 'macaddr8', 'macaddr8', '08:00:2b:01:02:03:04:05', '08:00:2b:01:02:03:04:06'),
    (34, 'jsonb', 'jsonb', '{"a": 1}', '[1]'), (35, 'pg_temp.mood', 'enum', 'sad', 'ok'),
        (36, 'pg_temp.age', 'number', '1', '2'), (37, 'pg_temp.email', 'text', 'a@x', 'b@x'),
        (38, 'pg_temp.tags', 'array of text', '{a}', '{a,b}'),
    (39, 'pg_temp.pair', 'record eb1184b7', '(1,a)', '(1,)'),
        (40, 'integer[]', 'array of number', '{1,2}', '{2,1}'),
        (41, 'text[]', 'array of text', '{a}', '{}'),
        (42, 'pg_temp.pair[]', 'array of record eb1184b7', '{"(1,a)"}', '{NULL}'),
    (43, 'int4range', 'range of number be17d4b1', '[1,3)', '[1,)'),
        (44, 'numrange', 'range of number d3bf7626', '[1,3)', 'empty'),
        (45, 'tstzrange', 'range of timestamptz 31811a87', '[2000-01-01,)', '(,)'),
    (46, 'pg_lsn', 'opclass-hashed 1eed444b', '0/1', '1/0')) v(n, value_type, kind, a, b);
DO $$
DECLARE
    v record;
BEGIN
    FOR v IN SELECT * FROM value_types LOOP
        EXECUTE format('CREATE TEMP TABLE column_%s (v %s)', v.n, v.value_type);
        EXECUTE format('INSERT INTO column_%s VALUES (%L), (%L), (%L), (%L), (NULL)', v.n, v.a, v.b,
            v.a, v.b);
    END LOOP;
END
$$;

-- The row that a query makes of one of these columns, as JSON: of t (v), and of pair (a, b)
CREATE FUNCTION pg_temp.of_column(n int, query text, OUT answer text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('WITH t AS (TABLE column_%1$s), pair AS (SELECT (SELECT v '
        'FROM column_%1$s LIMIT 1) AS a, (SELECT v FROM column_%1$s OFFSET 1 LIMIT 1) AS b) '
        'SELECT row_to_json(q) FROM (%2$s) q', n, query) INTO answer;
END
$$;
