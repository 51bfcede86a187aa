-- psql stops here; ALTER EXTENSION skips the line
\echo Use "ALTER EXTENSION probds_citext UPDATE" to load this file. \quit

DO $$
DECLARE
    versions pg_catalog.text[];
BEGIN
    SELECT pg_catalog.array_agg(extversion ORDER BY extname) INTO versions
        FROM pg_catalog.pg_extension
        WHERE extname OPERATOR(pg_catalog.=) ANY ('{probds,probds_citext}'::pg_catalog.name[]);
    IF versions[1] OPERATOR(pg_catalog.<>) versions[2] THEN
        RAISE EXCEPTION 'probds_citext % does not fit probds %', versions[2], versions[1]
            USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'Run ALTER EXTENSION probds UPDATE first.';
    END IF;
END;
$$;

-- fuse is new: its functions and operators, with citext
DO $$
DECLARE
    target pg_catalog.name := pg_catalog.current_schema();
    path pg_catalog.text := pg_catalog.current_setting('search_path');
    citext pg_catalog.regtype;
    f record;
    name text;
BEGIN
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    SELECT t.oid INTO STRICT citext FROM pg_type t
        JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid
            AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
        JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'citext'
        WHERE t.typname = 'citext';
    PERFORM set_config('probds_install.value_types', array[citext]::text, true);

    FOR f IN SELECT p.*,
            (SELECT string_agg(format('%I %s', n, CASE t WHEN 'text'::regtype THEN citext
                    ELSE t::regtype END), ', ' ORDER BY i)
                FROM unnest(p.proargnames, p.proargtypes::oid[]) WITH ORDINALITY u(n, t, i))
                AS arguments
        FROM pg_proc p
        JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
            AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
        JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'probds'
        JOIN pg_language l ON l.oid = p.prolang AND l.lanname = 'c'
        WHERE p.proname IN ('fuse_add', 'fuse_contains', '_fuse_contained', 'fuse_contains_any',
            'fuse_contains_all') AND 'text'::regtype = ANY (p.proargtypes)
    LOOP
        name := format('%I.%I(%s)', target, f.proname, f.arguments);
        EXECUTE format('CREATE FUNCTION %s RETURNS %s AS %L, %L LANGUAGE C IMMUTABLE %s '
            'PARALLEL SAFE COST %s', name, f.prorettype::regtype, 'MODULE_PATHNAME', f.prosrc,
            CASE WHEN f.proisstrict THEN 'STRICT' END, f.procost)
            || CASE WHEN f.prosupport <> 0 THEN format(' SUPPORT %s', f.prosupport) ELSE '' END;
        EXECUTE format('COMMENT ON FUNCTION %s IS %L', name, obj_description(f.oid, 'pg_proc'));
    END LOOP;

    FOR f IN SELECT o.oid, o.oprname, p.proname, o.oprrest, o.oprjoin, other.oprname AS commutator,
            CASE o.oprleft WHEN 'text'::regtype THEN citext ELSE o.oprleft::regtype END AS lefttype,
            CASE o.oprright WHEN 'text'::regtype THEN citext ELSE o.oprright::regtype END
                AS righttype
        FROM pg_operator o
        JOIN pg_depend d ON d.classid = 'pg_operator'::regclass AND d.objid = o.oid
            AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
        JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'probds'
        JOIN pg_proc p ON p.oid = o.oprcode
        JOIN pg_operator other ON other.oid = o.oprcom
        WHERE p.proname IN ('fuse_contains', '_fuse_contained')
            AND 'text'::regtype IN (o.oprleft, o.oprright)
    LOOP
        EXECUTE format('CREATE OPERATOR %1$I.%2$s (LEFTARG = %3$s, RIGHTARG = %4$s, '
            'FUNCTION = %1$I.%5$I, COMMUTATOR = OPERATOR(%1$I.%6$s), RESTRICT = %7$s, JOIN = %8$s)',
            target, f.oprname, f.lefttype, f.righttype, f.proname, f.commutator, f.oprrest,
            f.oprjoin);
        EXECUTE format('COMMENT ON OPERATOR %I.%s (%s, %s) IS %L', target, f.oprname, f.lefttype,
            f.righttype, obj_description(f.oid, 'pg_operator'));
    END LOOP;
    PERFORM set_config('search_path', path, true);
END $$;

-- its aggregates, over declared citext
DO $$
DECLARE
    target pg_catalog.name := pg_catalog.current_schema();
    value_types pg_catalog.regtype[];
    value_type pg_catalog.regtype;
    agg record;
    name text;
BEGIN
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    value_types := current_setting('probds_install.value_types')::regtype[];
    FOR agg IN SELECT p.oid, a.aggtransfn, a.aggtranstype::regtype AS state, a.aggtransspace,
            a.aggfinalfn, a.aggcombinefn,
            CASE p.pronargs WHEN 2 THEN ', false_positive_rate double precision' ELSE '' END AS rate
        FROM pg_depend d
        JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'probds'
        JOIN pg_aggregate a ON a.aggfnoid = d.objid
        JOIN pg_proc p ON p.oid = d.objid
        WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass
            AND d.deptype = 'e' AND p.proname = 'fuse_agg'
    LOOP
        FOREACH value_type IN ARRAY value_types LOOP
            name := format('%I._fuse_step(%s, %s%s)', target, agg.state, value_type,
                replace(agg.rate, 'false_positive_rate ', ''));
            EXECUTE format('CREATE FUNCTION %s RETURNS %s AS %L, %L LANGUAGE C IMMUTABLE '
                'PARALLEL SAFE', name, agg.state, 'MODULE_PATHNAME', 'probds_fuse_agg');
            EXECUTE format('COMMENT ON FUNCTION %s IS %L', name,
                obj_description(agg.aggtransfn, 'pg_proc'));
            name := format('%I.fuse_agg(value %s%s)', target, value_type, agg.rate);
            EXECUTE format('CREATE AGGREGATE %s (SFUNC = %I._fuse_step, STYPE = %s, SSPACE = %s, '
                'FINALFUNC = %s, COMBINEFUNC = %s, PARALLEL = SAFE)', name, target, agg.state,
                agg.aggtransspace, agg.aggfinalfn, agg.aggcombinefn);
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
