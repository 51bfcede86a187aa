-- Columns of a rollup that are added and dropped: rights, collations, comments
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE ROLE regress_columns_thief;
CREATE ROLE regress_columns_reader;
CREATE ROLE regress_columns_other;
CREATE SCHEMA columns AUTHORIZATION regress_columns_thief;
GRANT USAGE ON SCHEMA columns TO PUBLIC;
CREATE TABLE columns.pay (day date, who text COLLATE "C", salary int);
INSERT INTO columns.pay VALUES ('2026-01-01', 'ann', 4711), ('2026-01-01', 'bob', 10);
GRANT SELECT (day, who), TRIGGER ON columns.pay TO regress_columns_thief;

-- ---------- an added column is read with the rights of the owner ----------
SET ROLE regress_columns_thief;
SET search_path = columns, public;
SELECT probds_create_rollup('daily', 'SELECT day, count(who) AS n FROM pay GROUP BY 1');
SELECT probds_add_rollup_column('daily', 'max(salary) AS most');
SELECT probds_add_rollup_column('daily', 'sum(1) FILTER (WHERE salary > 1000) AS most');
SELECT probds_add_rollup_column('daily', 'max(who) AS last');
TABLE daily_query;
TABLE daily;
-- the right on it is looked at when the query is read
RESET ROLE;
REVOKE SELECT (who) ON columns.pay FROM regress_columns_thief;
SET ROLE regress_columns_thief;
TABLE daily_query;
RESET ROLE;
GRANT SELECT ON columns.pay TO regress_columns_thief;

-- ---------- results of an added column are merged by its collation ----------
CREATE COLLATION columns.upper_last (provider = icu, locale = 'und');
RESET search_path;
CREATE TABLE columns.word (k int, w text);
SELECT probds_create_rollup('columns.words', 'SELECT k, count(*) AS n, min(w COLLATE columns.upper_last) AS of_first FROM columns.word GROUP BY 1');
SELECT probds_add_rollup_column('columns.words', 'min(w COLLATE columns.upper_last) AS added');
INSERT INTO columns.word VALUES (1, 'a');
INSERT INTO columns.word VALUES (1, 'B');
TABLE columns.words;
TABLE columns.words_query;
SELECT attname, attcollation::regcollation FROM pg_attribute WHERE attrelid = 'columns.words_parts'::regclass AND attcollation <> 0 ORDER BY 1;

-- ---------- who may read a rollup that has lost a column ----------
ALTER DEFAULT PRIVILEGES IN SCHEMA columns GRANT SELECT ON TABLES TO regress_columns_other;
SELECT probds_create_rollup('columns.kept', 'SELECT k, count(*) AS n, min(w) AS first, max(w) AS last FROM columns.word GROUP BY 1');
REVOKE ALL ON columns.kept, columns.kept_query FROM regress_columns_other;
GRANT SELECT ON columns.kept TO regress_columns_reader WITH GRANT OPTION;
GRANT SELECT (k, n, last) ON columns.kept TO PUBLIC;
GRANT SELECT ON columns.kept_query TO regress_columns_reader;
COMMENT ON VIEW columns.kept IS 'mine';
CREATE VIEW columns.rights AS
    SELECT c.relname, NULL AS attname, relacl AS acl, obj_description(c.oid) FROM pg_class c WHERE relname IN ('kept', 'kept_query')
    UNION ALL SELECT c.relname, a.attname, a.attacl, NULL FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE relname IN ('kept', 'kept_query') AND attacl IS NOT NULL;
CREATE TABLE columns.rights_before AS TABLE columns.rights;
SELECT probds_drop_rollup_column('columns.kept', 'last');
-- only the right on the column is gone
TABLE columns.rights_before EXCEPT TABLE columns.rights;
TABLE columns.rights EXCEPT TABLE columns.rights_before;
SET ROLE regress_columns_other;
SELECT k, n FROM columns.kept;
TABLE columns.kept;
TABLE columns.kept_query;
RESET ROLE;

DROP SCHEMA columns CASCADE;
DROP OWNED BY regress_columns_thief, regress_columns_reader, regress_columns_other;
DROP ROLE regress_columns_thief, regress_columns_reader, regress_columns_other;
