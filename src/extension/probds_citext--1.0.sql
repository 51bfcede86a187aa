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
-- The aggregates over "any" once more, with declared argument types: probds_citus has the usual
-- ones, probds_citext has citext.  The script says in probds_install.value_types which these are.
-- Another "any" is a weight, and is declared as bigint.
DO $$
DECLARE
    target pg_catalog.name := pg_catalog.current_schema();
    value_types pg_catalog.regtype[];
    -- what a ddsketch takes
    numbers pg_catalog.regtype[] := '{int2,int4,int8,numeric,float4,float8,interval}';
    value_type pg_catalog.regtype;
    step record;
    agg record;
    name text;
    arguments text;
BEGIN
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    value_types := current_setting('probds_install.value_types')::regtype[];

    FOR step IN SELECT DISTINCT p.oid, p.proname, p.prosrc, p.prorettype::regtype AS state,
            (SELECT coalesce(string_agg(', ' || format_type(CASE t WHEN '"any"'::regtype THEN
                    'bigint'::regtype ELSE t END, NULL), '' ORDER BY i), '')
                FROM unnest(p.proargtypes) WITH ORDINALITY u(t, i) WHERE i > 2) AS parameters
        FROM pg_depend d
        JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'probds'
        JOIN pg_aggregate a ON a.aggfnoid = d.objid
        JOIN pg_proc p ON p.oid IN (a.aggtransfn, a.aggminvtransfn)
        WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass
            AND d.deptype = 'e' AND p.proargtypes[1] = '"any"'::regtype
    LOOP
        FOREACH value_type IN ARRAY value_types LOOP
            CONTINUE WHEN step.proname LIKE '\_ddsketch%' AND value_type <> ALL (numbers);
            name := format('%I.%I(%s, %s%s)', target, step.proname, step.state, value_type,
                step.parameters);
            EXECUTE format('CREATE FUNCTION %s RETURNS %s AS %L, %L LANGUAGE C IMMUTABLE '
                'PARALLEL SAFE', name, step.state, 'MODULE_PATHNAME', step.prosrc)
                -- which refuses citext that the parser casts to text
                || CASE WHEN value_type = 'text'::regtype
                    THEN format(' SUPPORT %I._probds_text_step_support', target) ELSE '' END;
            EXECUTE format('COMMENT ON FUNCTION %s IS %L', name,
                obj_description(step.oid, 'pg_proc'));
        END LOOP;
    END LOOP;

    FOR agg IN SELECT p.oid, p.proname, a.aggtransspace, a.aggtranstype::regtype AS state,
            a.aggmtransspace, trans.proname AS step, inverse.proname AS inverse,
            a.aggfinalfn, a.aggmfinalfn, a.aggcombinefn, p.proargnames,
            p.proargtypes
        FROM pg_depend d
        JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'probds'
        JOIN pg_aggregate a ON a.aggfnoid = d.objid
        JOIN pg_proc p ON p.oid = d.objid
        JOIN pg_proc trans ON trans.oid = a.aggtransfn
        LEFT JOIN pg_proc inverse ON inverse.oid = a.aggminvtransfn
        WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass
            AND d.deptype = 'e' AND p.proargtypes[0] = '"any"'::regtype
    LOOP
        FOREACH value_type IN ARRAY value_types LOOP
            CONTINUE WHEN agg.step LIKE '\_ddsketch%' AND value_type <> ALL (numbers);
            SELECT string_agg(format('%I %s', n, format_type(CASE t WHEN '"any"'::regtype
                    THEN 'bigint'::regtype ELSE t END, NULL)), ', ' ORDER BY i)
                INTO arguments
                FROM unnest(agg.proargnames, value_type::oid || (agg.proargtypes::oid[])[1:])
                    WITH ORDINALITY u(n, t, i);
            name := format('%I.%I(%s)', target, agg.proname, arguments);
            EXECUTE format('CREATE AGGREGATE %s (SFUNC = %I.%I, STYPE = %s, SSPACE = %s, '
                    'FINALFUNC = %s, PARALLEL = SAFE', name, target, agg.step, agg.state,
                    agg.aggtransspace, agg.aggfinalfn)
                -- the text of its state lacks the fractions
                || CASE WHEN agg.aggcombinefn <> 0 AND agg.proname <> 'approx_percentile'
                    THEN format(', COMBINEFUNC = %s', agg.aggcombinefn) ELSE '' END
                || CASE WHEN agg.inverse IS NOT NULL
                    THEN format(', MSFUNC = %I.%I, MINVFUNC = %I.%I, MSTYPE = %s, MSSPACE = %s, '
                        'MFINALFUNC = %s', target, agg.step, target, agg.inverse, agg.state,
                        agg.aggmtransspace, agg.aggmfinalfn) ELSE '' END
                || ')';
            EXECUTE format('COMMENT ON AGGREGATE %s IS %L', name,
                obj_description(agg.oid, 'pg_proc'));
        END LOOP;
    END LOOP;
END $$;
-- The last statement of every script: the script fails if a name in it has found an object of
-- somebody else.  All that the extension's objects use belongs to the server (whose objects have no
-- rows in pg_depend), to the extension, or to an extension that it requires.
DO $$
DECLARE
    stranger record;
BEGIN
    -- from here on operators are the server's
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    SELECT e.extname, pg_catalog.concat(ours.type, ' ', ours.identity) AS ours,
        pg_catalog.concat(theirs.type, ' ', theirs.identity) AS theirs INTO stranger
    FROM pg_catalog.pg_extension e
    JOIN pg_catalog.pg_depend m ON m.refclassid = 'pg_extension'::pg_catalog.regclass
        AND m.refobjid = e.oid AND m.deptype = 'e'
    CROSS JOIN LATERAL (
        -- an array type is where its element type is
        SELECT d.refclassid AS classid, COALESCE((SELECT t.oid FROM pg_catalog.pg_type t
            WHERE d.refclassid = 'pg_type'::pg_catalog.regclass AND t.typarray = d.refobjid),
            d.refobjid) AS objid
        FROM pg_catalog.pg_depend d
        WHERE d.classid = m.classid AND d.objid = m.objid
            AND d.refclassid NOT IN ('pg_extension'::pg_catalog.regclass,
                'pg_namespace'::pg_catalog.regclass)
        UNION ALL
        -- which the operator does not depend on
        SELECT m.classid, other FROM pg_catalog.pg_operator o
        CROSS JOIN LATERAL pg_catalog.unnest(ARRAY[o.oprcom, o.oprnegate]) AS other
        WHERE m.classid = 'pg_operator'::pg_catalog.regclass AND o.oid = m.objid AND other <> 0
    ) AS used
    CROSS JOIN LATERAL pg_catalog.pg_identify_object(m.classid, m.objid, 0) AS ours
    CROSS JOIN LATERAL pg_catalog.pg_identify_object(used.classid, used.objid, 0) AS theirs
    WHERE e.extname IN ('probds', 'probds_citus', 'probds_citext', 'probds_hll') AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_depend owner
        WHERE owner.classid = used.classid AND owner.objid = used.objid AND owner.deptype = 'e'
            AND (owner.refobjid = e.oid OR EXISTS (
                SELECT FROM pg_catalog.pg_depend required
                WHERE required.classid = owner.refclassid AND required.objid = e.oid
                    AND required.refclassid = owner.refclassid
                    AND required.refobjid = owner.refobjid)))
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'extension % cannot use %', stranger.extname, stranger.theirs
            USING ERRCODE = 'invalid_object_definition',
            DETAIL = pg_catalog.format('It is used by %1$s, but belongs neither to %2$s nor to an '
                'extension that %2$s requires.', stranger.ours, stranger.extname),
            HINT = 'Drop it, or create the extension in another schema.';
    END IF;
END $$;
