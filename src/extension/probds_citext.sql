-- psql stops here; CREATE EXTENSION skips the line
\echo Use "CREATE EXTENSION probds_citext" to load this file. \quit

-- The functions and operators of probds that take a value as text or "any", once more with citext.
-- Without them citext would be cast to text, and values that are equal as citext would count as
-- different ones.  The aggregates of probds take "any", and so citext as it is; those over declared
-- citext, which are for Citus, are in aggregates.sql.
--
-- All names are resolved in pg_catalog, and everything of probds and of citext is found by its
-- extension.  So nothing that somebody made in the target schema is taken for it.

DO $$
DECLARE
    target pg_catalog.name := pg_catalog.current_schema();
    path pg_catalog.text := pg_catalog.current_setting('search_path');
    versions pg_catalog.text[];
    citext pg_catalog.oid;
    f record;
    name text;
BEGIN
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

    SELECT array_agg(extversion ORDER BY extname) INTO versions FROM pg_extension
        WHERE extname IN ('probds', 'probds_citext');
    IF versions[1] <> versions[2] THEN
        RAISE EXCEPTION 'probds_citext % does not fit probds %', versions[2], versions[1]
            USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format('Run ALTER EXTENSION probds UPDATE first, or choose VERSION %L of '
                'probds_citext.', versions[1]);
    END IF;

    SELECT t.oid INTO STRICT citext FROM pg_type t
        JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid
            AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
        JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'citext'
        WHERE t.typname = 'citext';
    PERFORM set_config('probds_install.value_types', array[citext::regtype]::text, true);

    -- with place "at" of the arguments text, which in a function of the same name is
    -- "any".  Only those in C, because the owner of probds can make functions in SQL its members
    FOR f IN WITH member AS (
            SELECT p.* FROM pg_proc p
            JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
                AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
            JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'probds'
            JOIN pg_language l ON l.oid = p.prolang AND l.lanname = 'c'
            WHERE p.prokind = 'f')
        SELECT p.oid, p.*,
            (SELECT string_agg(concat_ws(' ', CASE m WHEN 'o' THEN 'OUT' END, quote_ident(n),
                    format_type(CASE WHEN i = at + 1 THEN citext ELSE t END, NULL),
                    'DEFAULT ' || pg_get_function_arg_default(p.oid, i::int)), ', ' ORDER BY i)
                FROM unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames,
                    p.proargmodes) WITH ORDINALITY u(t, n, m, i)) AS arguments,
            (SELECT string_agg(format_type(CASE WHEN i = at + 1 THEN citext ELSE t END, NULL),
                    ', ' ORDER BY i)
                FROM unnest(p.proargtypes) WITH ORDINALITY u(t, i)) AS types
        FROM member p
        JOIN member q ON q.proname = p.proname AND q.pronargs = p.pronargs
        CROSS JOIN generate_series(0, p.pronargs - 1) at
        WHERE p.proargtypes[at] = 'text'::regtype
            AND q.proargtypes[at] IN ('"any"'::regtype, 'anyarray'::regtype)
            AND NOT EXISTS (SELECT FROM generate_series(0, p.pronargs - 1) i
                WHERE i <> at AND p.proargtypes[i] <> q.proargtypes[i])
    LOOP
        name := format('%I.%I(%s)', target, f.proname, f.types);
        EXECUTE format('CREATE FUNCTION %I.%I(%s) %s AS %L, %L LANGUAGE C %s %s PARALLEL SAFE '
            'COST %s', target, f.proname, f.arguments,
            CASE WHEN f.proargmodes IS NULL THEN 'RETURNS ' || pg_get_function_result(f.oid) END,
            'MODULE_PATHNAME', f.prosrc,
            CASE f.provolatile WHEN 'i' THEN 'IMMUTABLE' ELSE 'STABLE' END,
            CASE WHEN f.proisstrict THEN 'STRICT' END, f.procost)
            || CASE WHEN f.prosupport <> 0 THEN format(' SUPPORT %s', f.prosupport) ELSE '' END;
        EXECUTE format('COMMENT ON FUNCTION %s IS %L', name, obj_description(f.oid, 'pg_proc'));
    END LOOP;

    FOR f IN WITH member AS (
            SELECT o.* FROM pg_operator o
            JOIN pg_depend d ON d.classid = 'pg_operator'::regclass AND d.objid = o.oid
                AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
            JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'probds')
        SELECT o.oid, o.oprname, p.proname, o.oprrest, o.oprjoin, other.oprname AS commutator,
            CASE o.oprleft WHEN 'text'::regtype THEN citext ELSE o.oprleft END::regtype AS lefttype,
            CASE o.oprright WHEN 'text'::regtype THEN citext ELSE o.oprright END::regtype
                AS righttype
        FROM member o
        JOIN member q ON q.oprname = o.oprname
            AND ((o.oprright = 'text'::regtype AND q.oprright = '"any"'::regtype
                    AND o.oprleft = q.oprleft)
                OR (o.oprleft = 'text'::regtype AND q.oprleft = '"any"'::regtype
                    AND o.oprright = q.oprright))
        JOIN pg_proc p ON p.oid = o.oprcode
        LEFT JOIN pg_operator other ON other.oid = o.oprcom
    LOOP
        EXECUTE format('CREATE OPERATOR %I.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = %I.%I',
                target, f.oprname, f.lefttype, f.righttype, target, f.proname)
            || CASE WHEN f.commutator IS NOT NULL
                THEN format(', COMMUTATOR = OPERATOR(%I.%s)', target, f.commutator) ELSE '' END
            || CASE WHEN f.oprrest <> 0 THEN format(', RESTRICT = %s', f.oprrest) ELSE '' END
            || CASE WHEN f.oprjoin <> 0 THEN format(', JOIN = %s', f.oprjoin) ELSE '' END
            || ')';
        EXECUTE format('COMMENT ON OPERATOR %I.%s (%s, %s) IS %L', target, f.oprname, f.lefttype,
            f.righttype, obj_description(f.oid, 'pg_operator'));
    END LOOP;
    PERFORM set_config('search_path', path, true);
END $$;
