-- What tests of values include that look at a collation for which letters of both cases are equal

-- Warns of rows (what, ok) of a statement that are not true under the collation pg_temp.ci.  Says
-- nothing where ICU is missing, or does not know the database's encoding.
CREATE PROCEDURE pg_temp.check_without_case(statement text) LANGUAGE plpgsql AS $$
DECLARE
    wrong text;
BEGIN
    CREATE COLLATION pg_temp.ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    CREATE TYPE pg_temp.cirange AS RANGE (subtype = text, collation = pg_temp.ci);
    CREATE TYPE pg_temp.cirow AS (i int, t text COLLATE pg_temp.ci);
    EXECUTE format('SELECT string_agg(what, %L) FROM (%s) q WHERE NOT ok', ', ', statement)
        INTO wrong;
    IF wrong IS NOT NULL THEN
        RAISE WARNING 'nondeterministic collation: %', wrong;
    END IF;
EXCEPTION WHEN feature_not_supported OR undefined_object THEN
    NULL;
END
$$;
