-- The same rows in distributed tables and in local ones, and what compares queries over
-- them.  Results are rows of "verdict", which report.sql shows.

-- ---------- tables ----------

CREATE COLLATION ignore_case (PROVIDER = icu, LOCALE = 'und-u-ks-level2', DETERMINISTIC = false);
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy', 'very happy', 'calm', 'tired', 'awake');
CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN digits AS text CHECK (VALUE ~ '^[0-9]*$');
CREATE DOMAIN positive AS int CHECK (VALUE >= 0);
CREATE DOMAIN span AS interval;

-- A column of each type of values.  "make" is its value number v, 0 to 999.
-- A type that an aggregate is declared with must be among them.
CREATE TABLE column_type (n serial, type text, make text, what text);
INSERT INTO column_type (type, make, what) VALUES
    ('text', $$'value ' || v$$, 'text'),
    ('bytea', $$decode(md5(v::text), 'hex')$$, 'bytea'),
    ('smallint', 'v - 500', 'smallint'),
    ('integer', 'v * 65537 - 500', 'integer'),
    ('bigint', 'v::bigint * 10000000019', 'bigint'),
    ('oid', 'v + 4000000000', 'oid'),
    ('uuid', 'md5(v::text)::uuid', 'uuid'),
    ('inet', $$'10.0.0.0'::inet + v$$, 'inet'),
    ('numeric', 'v / 7.0', 'numeric'),
    ('real', 'v / 7.0', 'real'),
    ('double precision', 'v / 7.0', 'double precision'),
    ('boolean', 'v % 2 = 0', 'boolean'),
    ('date', $$'2026-01-01'::date + v$$, 'date'),
    ('time', $$'00:00'::time + v * interval '1 s'$$, 'time'),
    ('timestamp', $$'2026-01-01'::timestamp + v * interval '1 h'$$, 'timestamp'),
    ('timestamptz', $$'2026-01-01 00:00Z'::timestamptz + v * interval '1 h'$$, 'timestamptz'),
    -- equal ones of two texts, where a topk keeps one
    ('interval', $$CASE WHEN v % 2 = 0 THEN interval '1 day'
        ELSE interval '24 hours' END * (v / 3)$$, 'interval'),
    ('jsonb', $$jsonb_build_object('a', v % 100, 'b', jsonb_build_array(v, 1.50, NULL))$$, 'jsonb'),
    ('varchar(40)', $$'value ' || v$$, 'varchar'),
    ('char(12)', $$'value ' || v$$, 'char(n)'),
    ('name', $$'value ' || v$$, 'name'),
    ('digits', 'v::text', 'domain over text'),
    ('text COLLATE ignore_case', $$CASE WHEN i % 2 = 0 THEN 'value ' ELSE 'VALUE ' END || v$$,
        'text under a nondeterministic collation'),
    ('cidr', $$set_masklen('10.0.0.0'::inet + v * 256, 24)::cidr$$, 'cidr'),
    ('regclass', '(v + 4000000000)::oid::regclass', 'regclass'),
    ('positive', 'v', 'domain over integer'),
    ('span', $$interval '1 minute' * v$$, 'domain over interval'),
    ('macaddr',
        $$('08:00:2b:01:' || lpad(to_hex(v / 256), 2, '0') || ':' ||
        lpad(to_hex(v % 256), 2, '0'))::macaddr$$, 'macaddr'),
    ('macaddr8',
        $$('08:00:2b:01:02:03:' || lpad(to_hex(v / 256), 2, '0') || ':' ||
        lpad(to_hex(v % 256), 2, '0'))::macaddr8$$, 'macaddr8'),
    ('timetz', $$('00:00+0' || v % 9)::timetz + v * interval '1 s'$$, 'timetz'),
    ('bit(10)', 'v::bit(10)', 'bit(n)'),
    ('bit varying', 'left(v::bit(10)::text, 1 + v % 10)::varbit', 'varbit'),
    ('money', 'v::numeric::money', 'money'),
    ('xid', 'v::text::xid', 'xid'),
    ('xid8', 'v::text::xid8', 'xid8'),
    ('pg_lsn', $$'0/0'::pg_lsn + v$$, 'pg_lsn'),
    ('mood', '(enum_range(NULL::mood))[1 + v % 7]', 'enum'),
    ('integer[]', 'ARRAY[v % 10, NULL, v]', 'integer[]'),
    ('text[]', $$ARRAY['value ' || v, 'a']$$, 'text[]'),
    ('text[] COLLATE ignore_case',
        $$ARRAY[CASE WHEN i % 2 = 0 THEN 'value ' ELSE 'VALUE ' END || v]$$,
        'text[] under a nondeterministic collation'),
    ('timestamptz[]', $$ARRAY['2026-01-01 00:00Z'::timestamptz + v * interval '1 h']$$,
        'timestamptz[]'),
    ('mood[]', '(enum_range(NULL::mood))[1 + v % 3 : v % 7]', 'enum[]'),
    ('int4range', 'int4range(v, v + 10)', 'int4range'),
    ('tstzrange',
        $$tstzrange('2026-01-01 00:00Z'::timestamptz,
        '2026-01-01 00:00Z'::timestamptz + v * interval '1 h')$$, 'tstzrange'),
    ('int4multirange', 'int4multirange(int4range(v, v + 10), int4range(v + 20, v + 30))',
        'int4multirange'),
    ('pair', $$ROW(v, 'value ' || v)::pair$$, 'composite'),
    ('citext', $$CASE WHEN i % 2 = 0 THEN 'value ' ELSE 'VALUE ' END || v$$, 'citext'),
    ('"char"', 'chr(1 + v % 100)', '"char"');
ALTER TABLE column_type ADD name text;
UPDATE column_type SET name = 'c' || lpad(n::text, 2, '0');
-- what a ddsketch takes
CREATE VIEW number_type AS SELECT * FROM column_type WHERE type IN ('smallint', 'integer', 'bigint',
    'numeric', 'real', 'double precision', 'interval', 'positive', 'span');

-- id distributes: of 32 shards some are empty, one has half of all rows, and ids 90 to
-- 94 have no value but NULL
SELECT format('CREATE TABLE local (id int NOT NULL, g text, w bigint, %s)',
    string_agg(name || ' ' || type, ', ' ORDER BY n)) FROM column_type \gexec
SELECT format('INSERT INTO local SELECT id, g, w, %s FROM (
    SELECT i, CASE WHEN i %% 2 = 0 THEN 7 ELSE i %% 20 END AS id, ''g'' || i %% 3 AS g,
        nullif(i %% 5, 3) AS w, CASE WHEN i %% 11 <> 0 THEN i * 7919 %% 1000 END AS v
    FROM generate_series(1, 4000) i
    UNION ALL SELECT i, 90 + i %% 5, ''g'' || i %% 4, 1, NULL FROM generate_series(1, 40) i) r',
    string_agg('CASE WHEN v IS NOT NULL THEN (' || make || ')::' || type || ' END', ', '
        ORDER BY n)) FROM column_type \gexec
CREATE TABLE dist (LIKE local);
SELECT create_distributed_table('dist', 'id');
INSERT INTO dist SELECT * FROM local;

-- more values than a topk has counters
CREATE TABLE many_local (id int NOT NULL, g text, w bigint, text text, bigint bigint,
    numeric numeric);
INSERT INTO many_local
SELECT v % 23, 'g' || v % 3, nullif(v % 5, 3), nullif('value ' || v, 'value 77'), v, v / 7.0
FROM (SELECT floor(6000 * (i * 7919 % 20011 / 20011.0) ^ 2)::bigint AS v
    FROM generate_series(1, 20000) i) r;
CREATE TABLE many (LIKE many_local);
SELECT create_distributed_table('many', 'id');
INSERT INTO many SELECT * FROM many_local;

-- stored sketches, some of them NULL
CREATE TABLE sketch_local (id int, g text, hll hll(16), bloom bloom(2000, 0.01),
    cms cms(0.01, 0.05), topk topk(10), cuckoo cuckoo(2000), counting_bloom counting_bloom(2000),
    scalable_bloom scalable_bloom(2000), minhash minhash(64), ddsketch ddsketch);
INSERT INTO sketch_local
SELECT id, 'g' || row % 3, CASE WHEN row % 5 <> 0 THEN hll END,
    CASE WHEN row % 5 <> 0 THEN bloom END, CASE WHEN row % 5 <> 0 THEN cms END,
    CASE WHEN row % 5 <> 0 THEN topk END, CASE WHEN row % 5 <> 0 THEN cuckoo END,
    CASE WHEN row % 5 <> 0 THEN counting_bloom END,
    CASE WHEN row % 5 <> 0 THEN scalable_bloom END, CASE WHEN row % 5 <> 0 THEN minhash END,
    CASE WHEN row % 5 <> 0 THEN ddsketch END
FROM (SELECT id, row_number() OVER () AS row, hll_agg(c01, 16) AS hll,
    bloom_agg(c01, 2000, 0.01) AS bloom, cms_agg(c01, 0.01, 0.05) AS cms, topk_agg(c01, 10) AS topk,
        cuckoo_agg(c01, 2000) AS cuckoo, counting_bloom_agg(c01, 2000) AS counting_bloom,
            scalable_bloom_agg(c01, 2000) AS scalable_bloom, minhash_agg(c01, 64) AS minhash,
    ddsketch_agg(c05) AS ddsketch
    FROM local GROUP BY id, g) q;
CREATE TABLE sketch (LIKE sketch_local);
SELECT create_distributed_table('sketch', 'id');
INSERT INTO sketch SELECT * FROM sketch_local;

-- ---------- one query, distributed and local ----------

CREATE TABLE verdict (n serial, ok boolean NOT NULL, aggregate oid, call text, form text, what text,
    grouping text, how text, remark text);

-- How Citus runs a query of one aggregate: split in two halves, whole on the workers, or
-- gathered: the workers send rows
CREATE FUNCTION how_planned(query text, name text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
    remote text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || query LOOP
        IF line ~ '^ *Query: ' THEN
            remote := line;
            EXIT;
        END IF;
    END LOOP;
    RETURN CASE WHEN remote IS NULL THEN 'local'
        WHEN remote ~ 'worker_partial_agg\(' THEN 'split'
        WHEN remote ~ ('\m' || name || '\(') THEN 'whole'
        ELSE 'gathered' END;
END $$;

CREATE FUNCTION rows_of(query text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    result text[] := '{}';
    r record;
BEGIN
    FOR r IN EXECUTE query LOOP
        result := result || r::text;
    END LOOP;
    RETURN (SELECT coalesce(array_agg(x ORDER BY x COLLATE "C"), '{}') FROM unnest(result) x);
END $$;

-- Returns what is wrong with a result of which only bounds are promised, or NULL.  In a
-- conservative cms no answer is too low and the total is exact.  In a topk with more values
-- than counters the bounds hold, and the error is at most total / (counters + 1)
CREATE FUNCTION bounds_broken(name text, query text, value text, weight text, source text, key text)
    RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    wrong bigint;
    groups bigint;
    bounds text := CASE WHEN name LIKE 'cms_agg_conservative%'
        THEN 'cms_total(r.s) <> total OR cms_frequency(r.s, v) < n'
        ELSE 'topk_total(r.s) <> total OR n NOT BETWEEN (topk_bounds(r.s, v)).lower '
            'AND (topk_bounds(r.s, v)).upper OR (topk_info(r.s)).error * '
            '((topk_info(r.s)).counters + 1) > total' END;
BEGIN
    EXECUTE 'CREATE TEMP TABLE result ON COMMIT DROP AS ' || query;
    EXECUTE format('WITH truth AS (
            SELECT %1$s AS key, %2$s AS v, sum(%3$s) AS n,
                sum(sum(%3$s)) OVER (PARTITION BY %1$s) AS total
            FROM %4$s
            WHERE %2$s IS NOT NULL AND %3$s > 0 GROUP BY 1, 2)
        SELECT (SELECT count(*) FROM truth LEFT JOIN result r USING (key)
                WHERE (%5$s) IS NOT FALSE),
            (SELECT count(*) FROM result) - (SELECT count(DISTINCT %1$s) FROM %4$s)',
        key, value, weight, source, bounds) INTO wrong, groups;
    DROP TABLE result;
    RETURN CASE WHEN wrong <> 0 THEN format('the bounds of %s values do not hold', wrong)
        WHEN groups <> 0 THEN 'other groups' END;
END $$;

-- ---------- aggregates ----------

CREATE VIEW aggregate AS
SELECT p.oid, p.proname::text AS name, p.proargtypes[0]::regtype AS first,
    p.proargtypes::oid[] AS types, p.proargnames AS names,
    (SELECT coalesce(string_agg(', ' || coalesce(p.proargnames[i + 1], '?'), '' ORDER BY i), '')
        FROM generate_series(1, p.pronargs - 1) i) AS further
FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid AND p.prokind = 'a'
    JOIN pg_extension e ON e.oid = d.refobjid
WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass
    AND d.deptype = 'e' AND e.extname IN ('probds', 'probds_citus', 'probds_citext');

-- The arguments after the first, by their names; one that is not known here becomes an error
CREATE FUNCTION further_arguments(further text) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(', ' || CASE name WHEN 'precision_bits' THEN '11'
        WHEN 'capacity' THEN '1500' WHEN 'false_positive_rate' THEN '0.001'
        WHEN 'layout' THEN '''classic''' WHEN 'k' THEN '16' WHEN 'expansion' THEN '2'
            WHEN 'counters' THEN '1700'
            WHEN 'weight' THEN 'w' WHEN 'relative_error' THEN '0.02' WHEN 'max_buckets' THEN '200'
            WHEN 'quantile' THEN '0.95' WHEN 'quantiles' THEN '''{0.5,0.99}''::float8[]'
            WHEN 'epsilon' THEN '0.01' WHEN 'delta' THEN '0.05'
            ELSE name END, '' ORDER BY n), '')
    FROM unnest(string_to_array(substr(further, 3), ', ')) WITH ORDINALITY f(name, n)
$$;

-- The aggregate that a call stands for
CREATE FUNCTION aggregate_of(call text, source text) RETURNS oid LANGUAGE plpgsql AS $$
DECLARE
    found oid;
BEGIN
    SET LOCAL citus.enable_ddl_propagation = off;
    EXECUTE format('CREATE VIEW called AS SELECT %s AS a FROM %s', call, source);
    SELECT a.aggfnoid INTO STRICT found FROM pg_rewrite r
        JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
        AND d.refclassid = 'pg_proc'::regclass
        JOIN pg_aggregate a ON a.aggfnoid = d.refobjid WHERE r.ev_class = 'called'::regclass;
    DROP VIEW called;
    RETURN found;
END $$;

-- What a worker says of an aggregate over "any".  Citus splits it because it has a combine
-- function, and then compares the type of the value with the declared one.
CREATE FUNCTION split_error() RETURNS text LANGUAGE sql
    RETURN 'worker_partial_agg_sfunc could not confirm type correctness';

-- An aggregate in a query of each grouping; kind is "same" (results) or "bounds"
CREATE PROCEDURE try(name text, arguments text, form text, what text, kind text, weight text,
    source text, source_local text) LANGUAGE plpgsql AS $$
DECLARE
    call text := format('%s(%s)', name, arguments);
    -- a lookup of "char" is ambiguous
    value text := replace(split_part(arguments, ',', 1), 'c48', 'c48::text');
    aggregate oid;
    undeclared boolean;
    template text;
    grouping text;
    key text;
    how text;
    problem text;
    here text[];
BEGIN
    aggregate := aggregate_of(call, source_local);
    undeclared := (SELECT proargtypes[0] = '"any"'::regtype AND aggcombinefn <> 0
        FROM pg_proc p JOIN pg_aggregate a ON a.aggfnoid = p.oid WHERE p.oid = aggregate);
    FOR grouping, key, template IN VALUES
        ('none', '''all''::text', 'SELECT ''all''::text AS key, %s AS s FROM %s'),
        ('other', 'g', 'SELECT g AS key, %s AS s FROM %s GROUP BY g'),
        ('key', 'id', 'SELECT id AS key, %s AS s FROM %s GROUP BY id') LOOP
        how := NULL;
        problem := NULL;
        BEGIN
            IF kind = 'same' THEN
                here := rows_of(format(template, call, source_local));
            END IF;
            how := how_planned(format(template, call, source), name);
            IF kind = 'same' THEN
                problem := CASE
                    WHEN here <> rows_of(format(template, call, source)) THEN 'another result' END;
            ELSE
                problem := bounds_broken(name, format(template, call, source), value, weight,
                    source_local, key);
            END IF;
            IF undeclared AND grouping <> 'key' THEN
                problem := 'it is split, although its argument is declared as "any"';
            END IF;
        EXCEPTION WHEN OTHERS THEN
            IF undeclared AND grouping <> 'key' AND sqlerrm = split_error() THEN
                how := 'error';
            ELSE
                problem := sqlerrm;
            END IF;
        END;
        INSERT INTO verdict (ok, aggregate, call, form, what, grouping, how, remark)
        VALUES (problem IS NULL, aggregate, call, form, what, grouping, how, problem);
    END LOOP;
END $$;

-- ---------- other queries ----------

-- The same rows from two queries
CREATE PROCEDURE same(what text, query text, query_local text, expected_how text DEFAULT NULL,
    name text DEFAULT NULL) LANGUAGE plpgsql AS $$
DECLARE
    how text;
    problem text;
    here text[];
    there text[];
BEGIN
    BEGIN
        here := rows_of(query_local);
        there := rows_of(query);
        IF here <> there THEN
            problem := format('%s rows, expected %s; first %s, expected %s', cardinality(there),
                cardinality(here), left(there[1], 60), left(here[1], 60));
        END IF;
        IF expected_how IS NOT NULL THEN
            how := how_planned(query, name);
            IF how <> expected_how THEN
                problem := concat_ws(', and ', problem, format('%s, not %s', how, expected_how));
            END IF;
        END IF;
    EXCEPTION WHEN OTHERS THEN
        problem := sqlerrm;
    END;
    INSERT INTO verdict (ok, call, what, how, remark)
        VALUES (problem IS NULL, query, what, how, problem);
END $$;

-- A statement that ends with an error
CREATE PROCEDURE refused(what text, statement text, message text) LANGUAGE plpgsql AS $$
DECLARE
    said text := 'no error';
BEGIN
    BEGIN
        EXECUTE statement;
    EXCEPTION WHEN OTHERS THEN
        said := sqlerrm;
    END;
    INSERT INTO verdict (ok, call, what, remark)
        VALUES (said ~ message, statement, what, CASE WHEN said !~ message THEN said END);
END $$;
