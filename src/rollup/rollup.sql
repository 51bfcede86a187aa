-- rollup: tables of sketches that keep themselves current
--
-- A rollup is made of plain objects, so that it is dumped and restored as any
-- table is.  For one called "daily" of a table "visits":
--
--   daily             the table: a row for each group, a sketch in each column.  With
--                     slots it is daily_slots, and daily a view that merges them
--   daily_rollup      a table of one row: what it is made of, and how far it is
--   daily_rollup()    and the trigger daily_rollup on visits, if that keeps it current
--
-- No function here depends on its caller's search_path, but for the expressions
-- that the caller gives: they mean what they mean to him, and are kept as the
-- server understood them, all names qualified.  The functions find each other in
-- the extension's schema, which may change.

CREATE FUNCTION probds_rollup_plain(expression text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    bare text := regexp_replace(expression, '''[^'']*''|"[^"]*"', 'q', 'g');
    before text;
BEGIN
    IF bare ~* '\(\s*distinct\M' THEN
        RETURN NULL;
    END IF;
    LOOP
        before := bare;
        bare := regexp_replace(bare, '\([^()]*\)', ' ', 'g');
        EXIT WHEN bare = before;
    END LOOP;
    RETURN lower((regexp_match(bare, '^\s*(count|sum|min|max)(?:\s+filter)?(?:\s+as)?(?:\s+[\w$]+)?\s*$', 'i'))[1]);
END $$;
COMMENT ON FUNCTION probds_rollup_plain(text) IS 'internal: count, sum, min or max if the expression is just that, so that two results of it can be merged';

CREATE FUNCTION probds_rollup_meta(rollup regclass,
                                   OUT parts text, OUT source regclass, OUT refresh text, OUT watermark bigint,
                                   OUT slots integer, OUT stored text, OUT keys text[], OUT query text,
                                   OUT into_head text, OUT into_tail text, OUT merged text[], OUT views text[])
    LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    SELECT format('%I.%I', n.nspname, c.relname || '_rollup') INTO parts
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = rollup;
    IF parts IS NULL OR to_regclass(parts) IS NULL
        OR obj_description(to_regclass(parts), 'pg_class') IS DISTINCT FROM 'what a rollup of probds is made of' THEN
        RAISE EXCEPTION '% is not a rollup', rollup USING ERRCODE = 'wrong_object_type',
            DETAIL = format('There is no table %s that describes it.', parts),
            HINT = 'Give a table or view that probds_create_rollup has made, under the name that it was made with.';
    END IF;
    EXECUTE format('SELECT m.source, m.refresh, m.watermark, m.slots, m.stored, m.keys, m.query, m.into_head, m.into_tail, m.merged, m.views FROM %s m', parts)
        INTO STRICT source, refresh, watermark, slots, stored, keys, query, into_head, into_tail, merged, views;
END $$;
COMMENT ON FUNCTION probds_rollup_meta(regclass) IS 'internal: the table that describes a rollup, and what it says';

-- The rows of a rollup from some rows of its source: one statement
CREATE FUNCTION probds_rollup_statement(query text, source text, rows_from text, into_head text, into_tail text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
    SELECT into_head || replace(query, format('FROM %s probds_rows', source), 'FROM ' || rows_from) || into_tail
$$;
COMMENT ON FUNCTION probds_rollup_statement(text, text, text, text, text) IS 'internal: the statement that merges rows of the source into a rollup';

CREATE FUNCTION probds_rollup_make(name text, source regclass, group_by text[], sketches text[],
                                   refresh text, slots integer, backfill boolean, caller_path text, ext text) RETURNS regclass
    LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    parsed text[];
    nsp text;
    rel text;
    source_name text := source::text;
    width int := cardinality(group_by);
    column_names text[];
    type_ids oid[];
    keys text[];
    query text;
    stored text;
    parts text;
    function_name text;
    kind text;
    typ text;
    steps text[] := '{}';
    merged text[] := '{}';
    arbiter text;
    into_head text;
    into_tail text;
    statement text;
    sequence regclass;
BEGIN
    -- what the caller means, as the caller means it
    PERFORM set_config('search_path', caller_path, true);
    parsed := parse_ident(name);
    nsp := CASE WHEN cardinality(parsed) > 1 THEN parsed[1] ELSE current_schema() END;
    rel := parsed[cardinality(parsed)];
    IF cardinality(parsed) > 2 OR nsp IS NULL THEN
        RAISE EXCEPTION 'invalid name for a rollup: "%"', name USING ERRCODE = 'invalid_name';
    END IF;
    IF length(rel) > 50 THEN
        RAISE EXCEPTION 'name of a rollup is too long: "%"', rel USING ERRCODE = 'name_too_long',
            HINT = 'At most 50 characters; the objects that belong to it are called after it.';
    END IF;
    IF array_position(group_by, NULL) IS NOT NULL OR array_position(sketches, NULL) IS NOT NULL OR cardinality(sketches) = 0 THEN
        RAISE EXCEPTION 'a rollup needs expressions to group by and at least one aggregate' USING ERRCODE = 'invalid_parameter_value',
            HINT = 'For example: ARRAY[''ts::date AS day''], ARRAY[''hll_agg(visitor) AS visitors''].';
    END IF;
    EXECUTE format('CREATE TEMP VIEW probds_rollup_query AS SELECT %s FROM %s probds_rows%s',
        array_to_string(group_by || sketches, ', '), source,
        CASE WHEN width > 0 THEN ' GROUP BY ' || (SELECT string_agg(i::text, ', ') FROM generate_series(1, width) i) ELSE ' HAVING count(*) > 0' END);
    PERFORM set_config('search_path', 'pg_catalog, pg_temp', true);

    source_name := source::text;
    query := rtrim(pg_get_viewdef('pg_temp.probds_rollup_query'::regclass), ';');
    SELECT array_agg(quote_ident(attname) ORDER BY attnum), array_agg(atttypid ORDER BY attnum)
        INTO column_names, type_ids
        FROM pg_attribute WHERE attrelid = 'pg_temp.probds_rollup_query'::regclass AND attnum > 0;
    IF cardinality(column_names) <> width + cardinality(sketches) OR position(format('FROM %s probds_rows', source_name) IN query) = 0 THEN
        RAISE EXCEPTION 'each element must be one expression' USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('%s expressions give %s columns.', width + cardinality(sketches), cardinality(column_names));
    END IF;
    IF 'slot' = ANY (column_names) AND slots > 1 THEN
        RAISE EXCEPTION 'column name "slot" is taken in a rollup with slots' USING ERRCODE = 'duplicate_column';
    END IF;
    keys := column_names[1:width];

    -- how two rows of a group become one
    FOR i IN width + 1 .. cardinality(column_names) LOOP
        SELECT quote_ident(t.typname) INTO typ FROM pg_type t JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid
            JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND e.extname = 'probds' AND d.deptype = 'e'
            WHERE t.oid = type_ids[i];
        EXECUTE format('SELECT %s.probds_rollup_plain($1)', ext) INTO kind USING sketches[i - width];
        IF typ IS NOT NULL THEN
            steps := steps || format('%1$s = %2$s.%3$s_merge(t.%1$s, excluded.%1$s)', column_names[i], ext, typ);
            merged := merged || format('%2$s.%3$s_merge_agg(%1$s) AS %1$s', column_names[i], ext, typ);
        ELSIF kind IN ('count', 'sum') THEN
            steps := steps || format('%1$s = coalesce(t.%1$s + excluded.%1$s, t.%1$s, excluded.%1$s)', column_names[i]);
            merged := merged || format('sum(%1$s)::%2$s AS %1$s', column_names[i], format_type(type_ids[i], NULL));
        ELSIF kind IN ('min', 'max') THEN
            steps := steps || format('%1$s = %2$s(t.%1$s, excluded.%1$s)', column_names[i],
                CASE kind WHEN 'min' THEN 'least' ELSE 'greatest' END);
            merged := merged || format('%2$s(%1$s) AS %1$s', column_names[i], kind);
        ELSE
            RAISE EXCEPTION 'results of "%" cannot be merged', sketches[i - width] USING ERRCODE = 'feature_not_supported',
                DETAIL = format('It is of type %s, and neither count, sum, min nor max.', format_type(type_ids[i], NULL)),
                HINT = 'Use an aggregate that gives a sketch, for example hll_agg(x) for count(DISTINCT x), or sum and count for avg.';
        END IF;
    END LOOP;

    -- the table
    stored := format('%I.%I', nsp, rel || CASE WHEN slots > 1 THEN '_slots' ELSE '' END);
    parts := format('%I.%I', nsp, rel || '_rollup');
    function_name := parts;
    EXECUTE format('CREATE TABLE %s AS SELECT *%s FROM pg_temp.probds_rollup_query WITH NO DATA', stored,
        CASE WHEN slots > 1 THEN ', NULL::smallint AS slot' ELSE '' END);
    DROP VIEW pg_temp.probds_rollup_query;
    arbiter := array_to_string(keys || CASE WHEN slots > 1 THEN '{slot}'::text[] END, ', ');
    IF arbiter = '' THEN
        arbiter := '(true)';
    END IF;
    EXECUTE format('CREATE UNIQUE INDEX ON %s (%s)%s', stored, arbiter,
        CASE WHEN current_setting('server_version_num')::int >= 150000 AND width > 0 THEN ' NULLS NOT DISTINCT' ELSE '' END);
    IF current_setting('server_version_num')::int < 150000 THEN
        -- where a unique index takes NULLs for different
        FOR i IN 1 .. width LOOP
            EXECUTE format('ALTER TABLE %s ALTER %s SET NOT NULL', stored, keys[i]);
        END LOOP;
    END IF;
    IF slots > 1 THEN
        EXECUTE format('CREATE VIEW %I.%I AS SELECT %s FROM %s%s', nsp, rel, array_to_string(keys || merged, ', '), stored,
            CASE WHEN width > 0 THEN ' GROUP BY ' || array_to_string(keys, ', ') ELSE ' HAVING count(*) > 0' END);
    END IF;
    -- writers lock the groups in one order
    into_head := format('INSERT INTO %s AS t (%s%s) SELECT q.*%s FROM (', stored, array_to_string(column_names, ', '),
        CASE WHEN slots > 1 THEN ', slot' ELSE '' END,
        CASE WHEN slots > 1 THEN format(', 1 + pg_backend_pid() %% %s', slots) ELSE '' END);
    into_tail := format(') q%s ON CONFLICT (%s) DO UPDATE SET %s',
        CASE WHEN width > 0 THEN ' ORDER BY ' || array_to_string(keys, ', ') ELSE '' END, arbiter, array_to_string(steps, ', '));

    EXECUTE format('CREATE TABLE %s (source regclass, refresh text, watermark bigint, slots integer, stored text, keys text[],
        query text, into_head text, into_tail text, merged text[], views text[] DEFAULT ''{}'')', parts);
    EXECUTE format('COMMENT ON TABLE %s IS ''what a rollup of probds is made of''', parts);
    EXECUTE format('INSERT INTO %s VALUES ($1, $2, NULL, $3, $4, $5, $6, $7, $8, $9)', parts)
        USING source, refresh, slots, stored, keys, query, into_head, into_tail, merged;

    IF refresh = 'trigger' THEN
        EXECUTE format('SELECT %s.probds_rollup_statement($1, $2, $3, $4, $5)', ext) INTO statement
            USING query, source_name, 'probds_rows', into_head, into_tail;
        EXECUTE format('CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS %L',
            function_name, 'BEGIN ' || statement || '; RETURN NULL; END');
        EXECUTE format('REVOKE ALL ON FUNCTION %s() FROM PUBLIC', function_name);
        EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %s REFERENCING NEW TABLE AS probds_rows FOR EACH STATEMENT EXECUTE FUNCTION %s()',
            rel || '_rollup', source, function_name);
        -- CREATE TRIGGER has locked the source against writers: no row is counted twice, none left out
        IF backfill THEN
            EXECUTE into_head || query || into_tail;
        END IF;
    ELSE
        sequence := pg_get_serial_sequence(source_name, refresh);
        IF sequence IS NULL THEN
            RAISE EXCEPTION 'column "%" of % is not numbered by a sequence', refresh, source USING ERRCODE = 'invalid_parameter_value',
                DETAIL = 'A refresh takes the rows above the number where the last one ended, so numbers must only grow.',
                HINT = 'Use an identity or serial column, for example: ALTER TABLE ... ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY.';
        END IF;
        IF EXISTS (SELECT FROM pg_sequence WHERE seqrelid = sequence AND (seqcache <> 1 OR seqincrement < 1 OR seqcycle)) THEN
            RAISE EXCEPTION 'sequence % does not count upward one number at a time', sequence USING ERRCODE = 'invalid_parameter_value',
                DETAIL = 'With CACHE above 1 a session may write a lower number after another one has written a higher one, and a refresh would miss it.',
                HINT = 'ALTER SEQUENCE ... CACHE 1 NO CYCLE, with a positive increment.';
        END IF;
        IF NOT backfill THEN
            EXECUTE format('LOCK TABLE %s IN SHARE MODE', source);
            EXECUTE format('UPDATE %s SET watermark = (SELECT max(%I) FROM %s)', parts, refresh, source);
        END IF;
    END IF;
    RETURN format('%I.%I', nsp, rel)::regclass;
END $$;
COMMENT ON FUNCTION probds_rollup_make(text, regclass, text[], text[], text, integer, boolean, text, text) IS 'internal: what probds_create_rollup does, once it knows the search_path of its caller';

CREATE FUNCTION probds_create_rollup(name text, source regclass, group_by text[], sketches text[],
                                     refresh text DEFAULT 'trigger', slots integer DEFAULT 1,
                                     backfill boolean DEFAULT true) RETURNS regclass
    LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE
    made regclass;
    ext text := (SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n
        ON n.oid OPERATOR(pg_catalog.=) e.extnamespace WHERE e.extname OPERATOR(pg_catalog.=) 'probds');
BEGIN
    IF slots OPERATOR(pg_catalog.<) 1 OR slots OPERATOR(pg_catalog.>) 1000 THEN
        RAISE EXCEPTION 'slots must be between 1 and 1000' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    EXECUTE pg_catalog.format('SELECT %s.probds_rollup_make($1, $2, $3, $4, $5, $6, $7, $8, $9)', ext) INTO made
        USING name, source, group_by, sketches, refresh, slots, backfill, pg_catalog.current_setting('search_path'), ext;
    RETURN made;
END $$;
COMMENT ON FUNCTION probds_create_rollup(text, regclass, text[], text[], text, integer, boolean) IS 'make a table of sketches of another table that keeps itself current, by a trigger or by refreshes from a column of numbers';

CREATE FUNCTION probds_create_rollup_view(name text, rollup regclass, group_by text[]) RETURNS regclass
    LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE
    meta record;
    made text;
    width int := pg_catalog.cardinality(group_by);
BEGIN
    EXECUTE pg_catalog.format('SELECT * FROM %s.probds_rollup_meta($1)', (SELECT pg_catalog.quote_ident(n.nspname)
        FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) e.extnamespace
        WHERE e.extname OPERATOR(pg_catalog.=) 'probds')) INTO meta USING rollup;
    EXECUTE pg_catalog.format('CREATE VIEW %s AS SELECT %s FROM %s%s', name,
        pg_catalog.array_to_string(pg_catalog.array_cat(group_by, meta.merged), ', '), meta.stored,
        CASE WHEN width OPERATOR(pg_catalog.>) 0
            THEN pg_catalog.concat(' GROUP BY ', (SELECT pg_catalog.string_agg(i::pg_catalog.text, ', ') FROM pg_catalog.generate_series(1, width) i))
            ELSE '' END);
    SELECT pg_catalog.format('%I.%I', n.nspname, c.relname) INTO made FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
        WHERE c.oid OPERATOR(pg_catalog.=) name::pg_catalog.regclass;
    EXECUTE pg_catalog.format('UPDATE %s SET views = pg_catalog.array_append(views, $1)', meta.parts) USING made;
    RETURN made::pg_catalog.regclass;
END $$;
COMMENT ON FUNCTION probds_create_rollup_view(text, regclass, text[]) IS 'make a view of a rollup that merges its rows into coarser groups: weeks and months from days';

CREATE PROCEDURE probds_refresh_rollup(rollup regclass)
    LANGUAGE plpgsql AS $$
DECLARE
    ext text;
    meta record;
    top bigint;
BEGIN
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    SELECT quote_ident(n.nspname) INTO ext FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'probds';
    EXECUTE format('SELECT * FROM %s.probds_rollup_meta($1)', ext) INTO meta USING rollup;
    IF meta.refresh = 'trigger' THEN
        RAISE EXCEPTION '% is kept current by a trigger', rollup USING ERRCODE = 'wrong_object_type',
            HINT = 'There is nothing to refresh; probds_rebuild_rollup makes it anew.';
    END IF;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'a rollup can only be refreshed at isolation level READ COMMITTED' USING ERRCODE = 'invalid_transaction_state';
    END IF;
    -- Wait for those who are writing.  From then on no lower number can come: a
    -- writer takes its numbers after its lock.
    EXECUTE format('LOCK TABLE %s IN SHARE MODE', meta.source);
    EXECUTE format('SELECT max(%I) FROM %s', meta.refresh, meta.source) INTO top;
    COMMIT;
    -- without the lock; rows and watermark in one transaction, one refresh at a time
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    EXECUTE format('SELECT watermark FROM %s FOR UPDATE', meta.parts) INTO meta.watermark;
    IF top > meta.watermark OR (meta.watermark IS NULL AND top IS NOT NULL) THEN
        EXECUTE format('SELECT %s.probds_rollup_statement($1, $2, $3, $4, $5)', ext) INTO meta.query
            USING meta.query, meta.source::text,
                format('(SELECT * FROM %s WHERE %I <= %s%s) probds_rows', meta.source, meta.refresh, top,
                    CASE WHEN meta.watermark IS NOT NULL THEN format(' AND %I > %s', meta.refresh, meta.watermark) ELSE '' END),
                meta.into_head, meta.into_tail;
        EXECUTE meta.query;
        EXECUTE format('UPDATE %s SET watermark = $1', meta.parts) USING top;
    END IF;
    COMMIT;
END $$;
COMMENT ON PROCEDURE probds_refresh_rollup(regclass) IS 'merge the rows that have come since the last refresh into a rollup, each exactly once';

CREATE FUNCTION probds_rebuild_rollup(rollup regclass) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    meta record;
BEGIN
    EXECUTE format('SELECT * FROM %s.probds_rollup_meta($1)', (SELECT quote_ident(n.nspname)
        FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'probds')) INTO meta USING rollup;
    EXECUTE format('LOCK TABLE %s IN SHARE MODE', meta.source);
    EXECUTE format('SELECT FROM %s FOR UPDATE', meta.parts);
    EXECUTE format('DELETE FROM %s', meta.stored);
    EXECUTE meta.into_head || meta.query || meta.into_tail;
    IF meta.refresh <> 'trigger' THEN
        EXECUTE format('UPDATE %s SET watermark = (SELECT max(%I) FROM %s)', meta.parts, meta.refresh, meta.source);
    END IF;
END $$;
COMMENT ON FUNCTION probds_rebuild_rollup(regclass) IS 'make a rollup anew from the rows that its source has now, after rows were changed or deleted';

CREATE FUNCTION probds_fold_rollup(rollup regclass) RETURNS bigint
    LANGUAGE plpgsql VOLATILE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    meta record;
    folded bigint;
    key_list text;
BEGIN
    EXECUTE format('SELECT * FROM %s.probds_rollup_meta($1)', (SELECT quote_ident(n.nspname)
        FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'probds')) INTO meta USING rollup;
    IF meta.slots = 1 THEN
        RETURN 0;
    END IF;
    key_list := array_to_string(meta.keys, ', ');
    -- rows that somebody is writing to wait for the next time
    EXECUTE format('WITH taken AS (DELETE FROM %1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE slot > 0 FOR UPDATE SKIP LOCKED)) RETURNING *),
        folded AS (%2$sSELECT %3$s FROM taken%4$s%5$s) SELECT count(*) FROM taken',
        meta.stored, regexp_replace(meta.into_head, ', 1 \+ pg_backend_pid\(\) % \d+ FROM \($', ', 0 FROM ('),
        array_to_string(meta.keys || meta.merged, ', '),
        CASE WHEN key_list <> '' THEN ' GROUP BY ' || key_list ELSE ' HAVING count(*) > 0' END, meta.into_tail) INTO folded;
    RETURN folded;
END $$;
COMMENT ON FUNCTION probds_fold_rollup(regclass) IS 'merge the slots of a rollup into one row a group; how many rows were merged away';

CREATE FUNCTION probds_drop_rollup(rollup regclass) RETURNS void
    LANGUAGE plpgsql VOLATILE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    meta record;
    view_name text;
BEGIN
    EXECUTE format('SELECT * FROM %s.probds_rollup_meta($1)', (SELECT quote_ident(n.nspname)
        FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'probds')) INTO meta USING rollup;
    FOREACH view_name IN ARRAY meta.views LOOP
        EXECUTE format('DROP VIEW IF EXISTS %s', view_name);
    END LOOP;
    IF meta.slots > 1 THEN
        EXECUTE format('DROP VIEW %s', rollup);
    END IF;
    IF meta.refresh = 'trigger' THEN
        EXECUTE format('DROP TRIGGER IF EXISTS %I ON %s', (parse_ident(meta.parts))[2], meta.source);
        EXECUTE format('DROP FUNCTION %s()', meta.parts);
    END IF;
    EXECUTE format('DROP TABLE %s', meta.stored);
    EXECUTE format('DROP TABLE %s', meta.parts);
END $$;
COMMENT ON FUNCTION probds_drop_rollup(regclass) IS 'remove a rollup and all that was made for it';
