-- health: what the sketches in a database are, and whether they can be trusted
--
-- One row for each column of a table whose type is one of this extension's.  The
-- rooms' info functions tell; here they are put together.

CREATE FUNCTION probds_health(sample_percent double precision DEFAULT 100,
                              OUT sketch_column text, OUT type text, OUT sketches bigint, OUT bytes bigint,
                              OUT parameters text, OUT fill double precision,
                              OUT false_positive_rate double precision, OUT error double precision,
                              OUT status text, OUT remark text)
    RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    c record;
    ext text;
    asked text;
    kinds text[];
BEGIN
    IF NOT (sample_percent > 0 AND sample_percent <= 100) THEN
        RAISE EXCEPTION 'sample_percent must be above 0 and at most 100' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT quote_ident(n.nspname) INTO ext FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'probds';
    FOR c IN
        SELECT cl.oid::regclass AS rel, quote_ident(a.attname) AS att, t.typname,
            cl.oid::regclass || '.' || quote_ident(a.attname) AS shown
        FROM pg_attribute a JOIN pg_class cl ON cl.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
            JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
            JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND e.extname = 'probds'
        WHERE cl.relkind IN ('r', 'm') AND a.attnum > 0 AND NOT a.attisdropped
            AND NOT pg_is_other_temp_schema(cl.relnamespace)
            AND (cl.relkind <> 'm' OR cl.relispopulated)
            AND has_column_privilege(cl.oid, a.attnum, 'SELECT') AND has_schema_privilege(cl.relnamespace, 'USAGE')
        ORDER BY cl.oid::regclass::text COLLATE "C", a.attnum
    LOOP
        -- parameters, fill, rate, error, status of one sketch, in the terms of its type
        asked := CASE c.typname
            WHEN 'hll' THEN 'format(''precision %s'', i.precision_bits), i.fill, NULL::float8, i.error, ''ok'', i.bytes, i.kind, i.family'
            WHEN 'bloom' THEN 'format(''%s for %s at %s: %s bits, %s hashes'', i.layout, i.capacity, i.design_rate, i.bits, i.hashes), i.fill, i.false_positive_rate, NULL::float8, i.status, i.bytes, i.kind, i.family'
            WHEN 'cms' THEN 'format(''epsilon %s, delta %s%s'', i.epsilon, i.delta, CASE WHEN i.conservative THEN '', conservative'' ELSE '''' END), i.fill, NULL::float8, i.error::float8 / nullif(i.total, 0), ''ok'', i.bytes, i.kind, i.family'
            WHEN 'topk' THEN 'format(''k %s'', i.k), i.items::float8 / i.counters, NULL::float8, i.error::float8 / nullif(i.total, 0), ''ok'', i.bytes, i.kind, i.family'
        END;
        CONTINUE WHEN asked IS NULL;
        sketch_column := c.shown;
        type := c.typname;
        EXECUTE format('WITH s(parameters, fill, rate, error, status, bytes, kind, family) AS MATERIALIZED
                (SELECT %1$s FROM %2$s x%3$s, %4$s.%5$s_info(x.%6$s) i WHERE x.%6$s IS NOT NULL)
            SELECT count(*), sum(bytes), max(fill), max(rate), max(error),
                (SELECT string_agg(CASE WHEN p.several THEN p.n || '' x '' ELSE '''' END || p.parameters, ''; '' ORDER BY p.n DESC, p.parameters) FROM
                    (SELECT parameters, count(*) AS n, count(*) OVER () > 1 AS several FROM s GROUP BY parameters ORDER BY 2 DESC, 1 LIMIT 3) p),
                CASE WHEN count(*) = 0 THEN NULL WHEN bool_and(status = ''ok'') THEN ''ok'' ELSE
                    (SELECT string_agg(w.n || '' '' || w.status, '', '' ORDER BY w.status DESC) FROM (SELECT status, count(*) AS n FROM s WHERE status <> ''ok'' GROUP BY status) w) || '' of '' || count(*) END,
                array_remove(ARRAY[CASE WHEN count(DISTINCT parameters) > 1 THEN ''mixed parameters'' END,
                    CASE WHEN count(DISTINCT nullif(kind, ''none'')) > 1 THEN ''mixed kinds of values: '' || string_agg(DISTINCT nullif(kind, ''none''), '', '') END,
                    CASE WHEN count(DISTINCT family) > 1 THEN ''mixed hash families: '' || string_agg(DISTINCT family, '', '') END], NULL) FROM s',
            asked, c.rel,
            CASE WHEN sample_percent < 100 THEN format(' TABLESAMPLE SYSTEM (%s)', sample_percent) ELSE '' END,
            ext, c.typname, c.att)
            INTO sketches, bytes, fill, false_positive_rate, error, parameters, status, kinds;
        remark := nullif(array_to_string(kinds, '; '), '');
        RETURN NEXT;
    END LOOP;
END $$;
COMMENT ON FUNCTION probds_health(double precision) IS 'one row for each column of sketches in this database: how many, bytes, parameters, the worst fill, rate and error, filters that are too full, parameters that do not go together';
