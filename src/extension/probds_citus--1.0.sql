-- psql stops here; CREATE EXTENSION skips the line
\echo Use "CREATE EXTENSION probds_citus" to load this file. \quit

-- The aggregates of probds over "any", once more for each of the usual argument types.  Citus
-- splits an aggregate only if its arguments have declared types, because it calls the transition
-- function without an expression tree.
-- "char" is among them because it is cast to text in silence: a call would fit both "any" and text.
-- The aggregates themselves are in aggregates.sql.

CREATE FUNCTION _probds_text_step_support(internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'probds_text_step_support' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION _probds_text_step_support(internal)
    IS 'internal: planner support for transition functions over text: refuses implicitly cast '
       'citext';

DO $$
DECLARE
    versions pg_catalog.text[];
BEGIN
    SELECT pg_catalog.array_agg(extversion ORDER BY extname) INTO versions
        FROM pg_catalog.pg_extension
        WHERE extname OPERATOR(pg_catalog.=) ANY ('{probds,probds_citus}'::pg_catalog.name[]);
    IF versions[1] OPERATOR(pg_catalog.<>) versions[2] THEN
        RAISE EXCEPTION 'probds_citus % does not fit probds %', versions[2], versions[1]
            USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = pg_catalog.format('Run ALTER EXTENSION probds UPDATE first, or choose VERSION '
                '%L of probds_citus.', versions[1]);
    END IF;
    PERFORM pg_catalog.set_config('probds_install.value_types'::pg_catalog.text,
        '{text,bytea,int2,int4,int8,oid,uuid,inet,numeric,float4,float8,bool,date,time,timestamp,'
        'timestamptz,interval,jsonb,"\"char\""}'::pg_catalog.text, true);
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
