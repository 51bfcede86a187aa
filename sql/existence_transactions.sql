--
-- Existence indexes in transactions that change their minds, and under types that change
--
SET client_min_messages = warning;

-- In one transaction: a temporary table, savepoints, TRUNCATE, DROP
BEGIN;
CREATE TEMP TABLE short_lived (k int) ON COMMIT DROP;
CREATE INDEX ON short_lived USING existence (k);
INSERT INTO short_lived SELECT generate_series(1, 30000);
SELECT count(*) AS missing FROM generate_series(1, 30000) i
WHERE NOT existence_might_contain('short_lived', 'k', i);
SAVEPOINT a;
TRUNCATE short_lived;
SELECT existence_might_contain('short_lived', 'k', 5) AS truncated;
INSERT INTO short_lived VALUES (77);
SELECT existence_verify('short_lived', 'k');
ROLLBACK TO a;
SELECT count(*) AS missing FROM generate_series(1, 30000) i
WHERE NOT existence_might_contain('short_lived', 'k', i);
SAVEPOINT b;
INSERT INTO short_lived SELECT generate_series(30001, 90000);
ROLLBACK TO b;
INSERT INTO short_lived VALUES (-1);
SELECT existence_verify('short_lived', 'k');
SAVEPOINT c;
DROP TABLE short_lived;
ROLLBACK TO c;
SELECT existence_might_contain('short_lived', 'k', -1) AS not_dropped;
COMMIT;

-- The index itself is rolled back, grown or made again
CREATE TABLE minds (k int);
CREATE INDEX minds_k ON minds USING existence (k);
INSERT INTO minds SELECT generate_series(1, 25000);
BEGIN;
TRUNCATE minds;
INSERT INTO minds SELECT generate_series(1, 60000);
SELECT existence_verify('minds', 'k');
ROLLBACK;
SELECT existence_verify('minds', 'k');
BEGIN;
SAVEPOINT a;
INSERT INTO minds SELECT generate_series(25001, 100000);
ROLLBACK TO a;
INSERT INTO minds VALUES (200000);
COMMIT;
SELECT existence_verify('minds', 'k');
BEGIN;
REINDEX INDEX minds_k;
SAVEPOINT a;
INSERT INTO minds VALUES (300000);
ROLLBACK TO a;
INSERT INTO minds VALUES (300001);
SELECT existence_verify('minds', 'k');
ROLLBACK;
SELECT existence_verify('minds', 'k');
PREPARE asked AS SELECT existence_might_contain('minds', 'k', $1) AS seen;
EXECUTE asked(7);
BEGIN;
DROP INDEX minds_k;
CREATE INDEX minds_k ON minds USING existence (k) WHERE k > 10;
EXECUTE asked(-7);
ROLLBACK;
EXECUTE asked(-7);
BEGIN;
TRUNCATE minds;
EXECUTE asked(7);
ROLLBACK;
EXECUTE asked(7);

-- Cursors: rows that come while they are open, some of them rolled back
BEGIN;
DECLARE c CURSOR WITH HOLD FOR
SELECT i, existence_might_contain('minds', 'k', i) AS seen FROM generate_series(-3, 2) i;
FETCH 2 FROM c;
INSERT INTO minds VALUES (-1);
SAVEPOINT a;
INSERT INTO minds VALUES (0);
FETCH 2 FROM c;
ROLLBACK TO a;
COMMIT;
FETCH 9 FROM c;
CLOSE c;

-- Exceptions, commits and rebuilds in loops
CREATE PROCEDURE minds_change() LANGUAGE plpgsql AS $$
DECLARE
    missing int := 0;
BEGIN
    FOR i IN 1..60 LOOP
        INSERT INTO minds VALUES (500000 + i);
        BEGIN
            INSERT INTO minds VALUES (600000 + i);
            RAISE division_by_zero;
        EXCEPTION WHEN division_by_zero THEN
            NULL;
        END;
        missing := missing + (NOT existence_might_contain('minds', 'k', 500000 + i))::int;
        IF i % 3 = 0 THEN
            ROLLBACK;
        ELSE
            COMMIT;
            missing := missing +
                (NOT existence_might_contain('minds', 'k', 500000 + i))::int;
        END IF;
        IF i % 20 = 0 THEN
            REINDEX TABLE minds;
        END IF;
    END LOOP;
    RAISE WARNING 'missing: %', missing;
END $$;
CALL minds_change();
SELECT existence_verify('minds', 'k') = (SELECT count(*) FROM minds) AS verified;

-- Other files for the same rows
ALTER TABLE minds SET UNLOGGED;
INSERT INTO minds SELECT generate_series(700001, 760000);
ALTER TABLE minds SET LOGGED;
SELECT existence_verify('minds', 'k') = (SELECT count(*) FROM minds) AS verified,
    existence_might_contain('minds', 'k', 7);
CREATE MATERIALIZED VIEW minds_view AS SELECT k FROM minds WITH NO DATA;
CREATE INDEX ON minds_view USING existence (k);
SELECT existence_might_contain('minds_view', 'k', 7) AS empty;
REFRESH MATERIALIZED VIEW minds_view;
SELECT existence_verify('minds_view', 'k') = (SELECT count(*) FROM minds) AS verified;
DROP TABLE minds CASCADE;

-- Types that change: the index is made again, or its keys hash as before
CREATE TABLE typed (i int, v varchar(10), n cidr, a varchar[], t timestamp,
    g int GENERATED ALWAYS AS (i * 2) STORED);
CREATE INDEX ON typed USING existence (i);
CREATE INDEX ON typed USING existence (v);
CREATE INDEX ON typed USING existence (n);
CREATE INDEX ON typed USING existence (a);
CREATE INDEX ON typed USING existence (t);
CREATE INDEX ON typed USING existence (g);
INSERT INTO typed VALUES (5, 'x ', '10.0.0.0/8', '{a,b}', '2026-01-01');
SET TimeZone = 'UTC';
ALTER TABLE typed ALTER g DROP EXPRESSION;
ALTER TABLE typed ALTER i TYPE oid, ALTER v TYPE text, ALTER n TYPE inet,
    ALTER a TYPE text[], ALTER t TYPE timestamptz;
SELECT column_name, existence_verify('typed', column_name)
FROM unnest('{i,v,n,a,t,g}'::name[]) column_name;
SELECT existence_might_contain('typed', 'i', 5::oid) AS i,
    existence_might_contain('typed', 'v', 'x ') AS v,
    existence_might_contain('typed', 'n', '10.0.0.0/8'::inet) AS n,
    existence_might_contain('typed', 'a', '{a,b}'::text[]) AS a,
    existence_might_contain('typed', 't', '2026-01-01 00:00+00'::timestamptz) AS t,
    existence_might_contain('typed', 'g', 10) AS g;
SELECT existence_might_contain('typed', 'i', 6::oid) AS i,
    existence_might_contain('typed', 'v', 'x') AS v,
    existence_might_contain('typed', 'n', '10.0.0.0/9'::inet) AS n,
    existence_might_contain('typed', 'a', '{a}'::text[]) AS a,
    existence_might_contain('typed', 't', '2026-01-01 01:00+00'::timestamptz) AS t,
    existence_might_contain('typed', 'g', 5) AS g;
ALTER TABLE typed ALTER v TYPE char(5);
SELECT existence_verify('typed', 'v'), existence_might_contain('typed', 'v', 'x') AS text,
    existence_might_contain('typed', 'v', 'x   '::char(8)) AS padded;
DROP TABLE typed;
RESET client_min_messages;
