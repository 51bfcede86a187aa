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
