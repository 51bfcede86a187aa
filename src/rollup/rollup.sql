-- rollup: tables of sketches that keep themselves current
--
-- A rollup is made of plain objects, so that it is dumped and restored as any
-- table is.  For one called "daily" of a table "visits":
--
--   daily             the table: a row for each group, a sketch in each column.  With
--                     slots that is daily_slots, and daily a view that merges them
--   daily_rollup      a table of one row: what the rollup is made of, and how far it is
--   daily_rollup()    and the trigger daily_rollup on visits, if that keeps it current
--
-- The expressions that the caller gives are parsed once, as his search_path
-- and his privileges have it, and kept as the server understood them, all names
-- qualified.  Everything else depends on no search_path.  The extension may lie
-- in any schema, so its functions find each other by looking where it is.

-- ---------- internal ----------

CREATE FUNCTION probds_rollup_kind(expression text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    bare text := regexp_replace(expression, '''[^'']*''|"[^"]*"', 'q', 'g');
    before text;
BEGIN
    IF bare ~* '\(\s*distinct\M|\mover\M' THEN
        RETURN NULL;
    END IF;
    LOOP
        before := bare;
        bare := regexp_replace(bare, '\([^()]*\)', ' ', 'g');
        EXIT WHEN bare = before;
    END LOOP;
    RETURN lower((regexp_match(bare, '^\s*(count|sum|min|max)(?:\s+filter)?(?:\s+as)?(?:\s+[\w$]+)?\s*$', 'i'))[1]);
END $$;
COMMENT ON FUNCTION probds_rollup_kind(text) IS 'internal: count, sum, min or max if the expression is just that, so that two results of it can be merged';

-- What a rollup is made of: the row of its table daily_rollup
CREATE FUNCTION probds_rollup_meta(rollup regclass,
                                   OUT parts text, OUT source regclass, OUT stored regclass, OUT refresh text,
                                   OUT watermark bigint, OUT slots integer, OUT timezone text, OUT keys text[], OUT columns text[],
                                   OUT steps text[], OUT merged text[], OUT query text, OUT views regclass[])
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    SELECT format('%I.%I', n.nspname, c.relname || '_rollup') INTO parts
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = rollup;
    IF (SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass(parts)
        AND attname IN ('source', 'stored', 'refresh', 'watermark', 'slots', 'timezone', 'keys', 'columns', 'steps', 'merged', 'query', 'views')) IS DISTINCT FROM 12 THEN
        RAISE EXCEPTION '% is not a rollup', coalesce(rollup::text, 'NULL') USING ERRCODE = 'wrong_object_type',
            DETAIL = format('There is no table %s that tells what it is made of.', coalesce(parts, 'NULL')),
            HINT = 'Give what probds_create_rollup has made, under the name that it was made with.';
    END IF;
    EXECUTE format('SELECT m.source, m.stored, m.refresh, m.watermark, m.slots, m.timezone, m.keys, m.columns, m.steps, m.merged, m.query, m.views FROM %s m', parts)
        INTO STRICT source, stored, refresh, watermark, slots, timezone, keys, columns, steps, merged, query, views;
END $$;
COMMENT ON FUNCTION probds_rollup_meta(regclass) IS 'internal: what a rollup is made of';

-- The statement that merges what "query" gives into a rollup.  Writers lock the
-- groups in one order.
CREATE FUNCTION probds_rollup_statement(stored regclass, keys text[], columns text[], steps text[], slots integer,
                                        query text, slot text) RETURNS text
    LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT format('INSERT INTO %s AS t (%s) SELECT q.*%s FROM (%s) q%s ON CONFLICT (%s) DO UPDATE SET %s',
        stored,
        array_to_string(columns || CASE WHEN slots > 1 THEN '{slot}'::text[] END, ', '),
        CASE WHEN slots > 1 THEN ', ' || slot ELSE '' END,
        query,
        CASE WHEN keys <> '{}' THEN ' ORDER BY ' || (SELECT string_agg(i::text, ', ') FROM generate_series(1, cardinality(keys)) i) ELSE '' END,
        coalesce(nullif(array_to_string(keys || CASE WHEN slots > 1 THEN '{slot}'::text[] END, ', '), ''), '(true)'),
        array_to_string(steps, ', '))
$$;
COMMENT ON FUNCTION probds_rollup_statement(regclass, text[], text[], text[], integer, text, text) IS 'internal: the statement that merges rows into a rollup';

-- The same for rows of its source
CREATE FUNCTION probds_rollup_rows(stored regclass, keys text[], columns text[], steps text[], slots integer,
                                   query text, rows text) RETURNS text
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    statement text;
BEGIN
    EXECUTE format('SELECT %s.probds_rollup_statement($1, $2, $3, $4, $5, $6, $7)', (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'probds'))
        INTO statement USING stored, keys, columns, steps, slots, query, format('1 + pg_backend_pid() %% %s', slots);
    RETURN coalesce('WITH probds_rows AS (' || rows || ') ', '') || statement;
END $$;
COMMENT ON FUNCTION probds_rollup_rows(regclass, text[], text[], text[], integer, text, text) IS 'internal: the statement that merges rows of its source into a rollup';

-- The numbers of a table's rows must grow in the order in which writers take
-- them.  The sequence that they come from, or an error.
CREATE FUNCTION probds_rollup_sequence(source regclass, number_column text, counted bigint) RETURNS regclass
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    sequence regclass := pg_get_serial_sequence(source::text, number_column);
BEGIN
    IF sequence IS NULL THEN
        RAISE EXCEPTION 'column "%" of % is not numbered by a sequence', number_column, source USING ERRCODE = 'invalid_parameter_value',
            DETAIL = 'A refresh takes the rows above the number where the last one ended, so numbers must only grow.',
            HINT = 'Use an identity or serial column, for example: ALTER TABLE ... ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY.';
    END IF;
    IF EXISTS (SELECT FROM pg_sequence WHERE seqrelid = sequence AND (seqcache <> 1 OR seqincrement < 1 OR seqcycle)) THEN
        RAISE EXCEPTION 'sequence % does not count upward one number at a time', sequence USING ERRCODE = 'invalid_parameter_value',
            DETAIL = 'With CACHE above 1 a session may write a lower number after another one has written a higher one, and a refresh would miss it.',
            HINT = 'ALTER SEQUENCE ... CACHE 1 NO CYCLE, with a positive increment.';
    END IF;
    IF has_sequence_privilege(sequence, 'SELECT, USAGE') AND pg_sequence_last_value(sequence) < counted THEN
        RAISE EXCEPTION 'sequence % has given out numbers up to %, and the rollup has counted up to %', sequence, pg_sequence_last_value(sequence), counted
            USING ERRCODE = 'object_not_in_prerequisite_state',
            DETAIL = 'The next rows would have numbers that count as done: the sequence was set back, or rows were given numbers of their own.',
            HINT = 'Set the sequence above all numbers with setval(); or, if it starts again, call probds_rebuild_rollup().';
    END IF;
    RETURN sequence;
END $$;
COMMENT ON FUNCTION probds_rollup_sequence(regclass, text, bigint) IS 'internal: the sequence that numbers the rows of a rollup''s source, checked';

-- Where a rollup is to be, and the query that is its definition
CREATE FUNCTION probds_rollup_define(name text, home text, source regclass, group_by text[], sketches text[], refresh text, slots integer,
                                     OUT nsp text, OUT rel text, OUT definition text)
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    parsed text[];
BEGIN
    IF name IS NULL OR source IS NULL OR group_by IS NULL OR sketches IS NULL OR refresh IS NULL OR slots IS NULL THEN
        RAISE EXCEPTION 'no parameter of a rollup may be NULL' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    parsed := parse_ident(name);
    rel := parsed[cardinality(parsed)];
    nsp := CASE WHEN cardinality(parsed) > 1 THEN parsed[1] ELSE home END;
    IF cardinality(parsed) > 2 OR nsp IS NULL THEN
        RAISE EXCEPTION 'invalid name for a rollup: "%"', name USING ERRCODE = 'invalid_name';
    END IF;
    IF octet_length(rel) > 56 THEN
        RAISE EXCEPTION 'name of a rollup is too long: "%"', rel USING ERRCODE = 'name_too_long',
            HINT = 'At most 56 bytes: the objects that belong to it are called after it.';
    END IF;
    IF array_position(group_by, NULL) IS NOT NULL OR array_position(sketches, NULL) IS NOT NULL OR cardinality(sketches) = 0 THEN
        RAISE EXCEPTION 'a rollup needs expressions to group by and at least one aggregate' USING ERRCODE = 'invalid_parameter_value',
            HINT = 'For example: ARRAY[''ts::date AS day''], ARRAY[''hll_agg(visitor) AS visitors''].';
    END IF;
    IF slots < 1 OR slots > 1000 THEN
        RAISE EXCEPTION 'slots must be between 1 and 1000' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    definition := format('SELECT %s FROM %s probds_rows%s', array_to_string(group_by || sketches, ', '), source,
        CASE WHEN group_by <> '{}' THEN ' GROUP BY ' || (SELECT string_agg(i::text, ', ') FROM generate_series(1, cardinality(group_by)) i)
            ELSE ' HAVING count(*) > 0' END);
END $$;
COMMENT ON FUNCTION probds_rollup_define(text, text, regclass, text[], text[], text, integer) IS 'internal: where a rollup is to be, and the query that is its definition';

-- From a view that is the definition, to a rollup of its name
CREATE FUNCTION probds_rollup_make(nsp text, rel text, source regclass, width integer, sketches text[],
                                   refresh text, slots integer, backfill boolean) RETURNS regclass
    LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    ext text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'probds');
    name text := format('%I.%I', nsp, rel);
    parts text := format('%I.%I', nsp, rel || '_rollup');
    stored text := format('%I.%I', nsp, rel || CASE WHEN slots > 1 THEN '_slots' ELSE '' END);
    view oid := format('%I.%I', nsp, rel)::regclass;
    from_source text := format('FROM %s probds_rows', source);
    query text := rtrim(pg_get_viewdef(view), ';');
    columns text[];
    type_ids oid[];
    keys text[];
    kind text;
    typ text;
    steps text[] := '{}';
    merged text[] := '{}';
    statement text;
    unfit text;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'a rollup can only be made at isolation level READ COMMITTED' USING ERRCODE = 'invalid_transaction_state';
    END IF;
    SELECT array_agg(quote_ident(attname) ORDER BY attnum), array_agg(atttypid ORDER BY attnum) INTO columns, type_ids
        FROM pg_attribute WHERE attrelid = view AND attnum > 0;
    IF cardinality(columns) <> width + cardinality(sketches) OR cardinality(string_to_array(query, from_source)) <> 2 THEN
        RAISE EXCEPTION 'each element must be one expression' USING ERRCODE = 'invalid_parameter_value',
            DETAIL = format('%s expressions give %s columns.', width + cardinality(sketches), cardinality(columns));
    END IF;
    IF 'slot' = ANY (columns) AND slots > 1 THEN
        RAISE EXCEPTION 'column name "slot" is taken in a rollup with slots' USING ERRCODE = 'duplicate_column';
    END IF;
    query := replace(query, from_source, 'FROM probds_rows');
    keys := columns[1:width];

    -- sketches that do not go together from one time to the next
    SELECT p.proname INTO unfit FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
            JOIN pg_proc p ON d.refclassid = 'pg_proc'::regclass AND p.oid = d.refobjid
            JOIN pg_depend m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid AND m.deptype = 'e'
            JOIN pg_extension e ON m.refclassid = 'pg_extension'::regclass AND m.refobjid = e.oid AND e.extname = 'probds'
        WHERE r.ev_class = view AND (p.proname = 'bloom_agg' AND p.pronargs = 1 OR p.proname = 'bloom_intersect_agg') LIMIT 1;
    IF unfit = 'bloom_agg' THEN
        RAISE EXCEPTION 'bloom_agg needs a capacity in a rollup' USING ERRCODE = 'invalid_parameter_value',
            DETAIL = 'Filters of different sizes cannot be merged.', HINT = 'bloom_agg(value, capacity): for the most that a group will hold.';
    ELSIF unfit IS NOT NULL THEN
        RAISE EXCEPTION '% cannot be kept current in a rollup', unfit USING ERRCODE = 'feature_not_supported',
            DETAIL = 'A rollup merges new rows by union.';
    END IF;

    -- how two rows of a group become one
    FOR i IN width + 1 .. cardinality(columns) LOOP
        SELECT quote_ident(t.typname) INTO typ FROM pg_type t JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
            JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND e.extname = 'probds'
            WHERE t.oid = type_ids[i];
        EXECUTE format('SELECT %s.probds_rollup_kind($1)', ext) INTO kind USING sketches[i - width];
        IF typ IS NOT NULL THEN
            steps := steps || format('%1$s = %2$s.%3$s_merge(t.%1$s, excluded.%1$s)', columns[i], ext, typ);
            merged := merged || format('%2$s.%3$s_merge_agg(%1$s) AS %1$s', columns[i], ext, typ);
        ELSIF kind IN ('count', 'sum') THEN
            steps := steps || format('%1$s = coalesce(t.%1$s + excluded.%1$s, t.%1$s, excluded.%1$s)', columns[i]);
            merged := merged || format('pg_catalog.sum(%1$s)::%2$s AS %1$s', columns[i], format_type(type_ids[i], NULL));
        ELSIF kind IN ('min', 'max') THEN
            steps := steps || format('%1$s = %2$s(t.%1$s, excluded.%1$s)', columns[i], CASE kind WHEN 'min' THEN 'least' ELSE 'greatest' END);
            merged := merged || format('pg_catalog.%2$s(%1$s) AS %1$s', columns[i], kind);
        ELSE
            RAISE EXCEPTION 'results of "%" cannot be merged', sketches[i - width] USING ERRCODE = 'feature_not_supported',
                DETAIL = format('It is of type %s, and neither count, sum, min nor max.', format_type(type_ids[i], NULL)),
                HINT = 'Use an aggregate that gives a sketch, for example hll_agg(x) for count(DISTINCT x), or sum and count for avg.';
        END IF;
    END LOOP;

    -- the table; the view has told what there was to know
    EXECUTE format('ALTER VIEW %s RENAME TO %I', name, rel || '_rollup');
    EXECUTE format('CREATE TABLE %s AS SELECT *%s FROM %s WITH NO DATA', stored,
        CASE WHEN slots > 1 THEN ', NULL::smallint AS slot' ELSE '' END, parts);
    EXECUTE format('DROP VIEW %s', parts);
    EXECUTE format('CREATE UNIQUE INDEX ON %s (%s)%s', stored,
        coalesce(nullif(array_to_string(keys || CASE WHEN slots > 1 THEN '{slot}'::text[] END, ', '), ''), '(true)'),
        CASE WHEN current_setting('server_version_num')::int >= 150000 AND width > 0 THEN ' NULLS NOT DISTINCT' ELSE '' END);
    IF current_setting('server_version_num')::int < 150000 THEN
        -- where a unique index takes NULLs for different
        FOR i IN 1 .. width LOOP
            EXECUTE format('ALTER TABLE %s ALTER %s SET NOT NULL', stored, keys[i]);
        END LOOP;
    END IF;
    IF slots > 1 THEN
        EXECUTE format('CREATE VIEW %s AS SELECT %s FROM %s%s', name, array_to_string(keys || merged, ', '), stored,
            CASE WHEN width > 0 THEN ' GROUP BY ' || array_to_string(keys, ', ') ELSE ' HAVING count(*) > 0' END);
    END IF;
    EXECUTE format('CREATE TABLE %s (source regclass, stored regclass, refresh text, watermark bigint, slots integer, timezone text,
        keys text[], columns text[], steps text[], merged text[], query text, views regclass[] DEFAULT ''{}'')', parts);
    EXECUTE format('COMMENT ON TABLE %s IS %L', parts, format('what the rollup %s is made of', name));
    EXECUTE format('INSERT INTO %s VALUES ($1, $2, $3, NULL, $4, $5, $6, $7, $8, $9, $10)', parts)
        USING source, stored::regclass, refresh, slots, current_setting('TimeZone'), keys, columns, steps, merged, query;

    IF refresh = 'trigger' THEN
        EXECUTE format('SELECT %s.probds_rollup_rows($1, $2, $3, $4, $5, $6, NULL)', ext) INTO statement
            USING stored::regclass, keys, columns, steps, slots, query;
        EXECUTE format('CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET TimeZone = %L AS %L',
            parts, current_setting('TimeZone'), '#variable_conflict use_column' || chr(10) || 'BEGIN ' || statement || '; RETURN NULL; END');
        EXECUTE format('REVOKE ALL ON FUNCTION %s() FROM PUBLIC', parts);
        EXECUTE format('COMMENT ON FUNCTION %s() IS %L', parts, format('merges new rows of %s into %s', source, name));
        EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %s REFERENCING NEW TABLE AS probds_rows FOR EACH STATEMENT EXECUTE FUNCTION %s()',
            rel || '_rollup', source, parts);
        -- CREATE TRIGGER has locked the source against writers: no row is counted twice, none left out
        IF backfill THEN
            EXECUTE format('SELECT %s.probds_rollup_rows($1, $2, $3, $4, $5, $6, $7)', ext) INTO statement
                USING stored::regclass, keys, columns, steps, slots, query, format('SELECT * FROM %s', source);
            EXECUTE statement;
        END IF;
    ELSE
        EXECUTE format('SELECT %s.probds_rollup_sequence($1, $2, NULL)', ext) USING source, refresh;
        IF NOT backfill THEN
            EXECUTE format('LOCK TABLE %s IN SHARE MODE', source);
            EXECUTE format('UPDATE %s SET watermark = (SELECT max(%I) FROM %s)', parts, refresh, source);
        END IF;
    END IF;
    RETURN name::regclass;
END $$;
COMMENT ON FUNCTION probds_rollup_make(text, text, regclass, integer, text[], text, integer, boolean) IS 'internal: makes a rollup from the view that is its definition';

-- ---------- what users call ----------

-- Its own path is the caller's, for the sake of the one statement that has the
-- caller's expressions
CREATE FUNCTION probds_create_rollup(name text, source regclass, group_by text[], sketches text[],
                                     refresh text DEFAULT 'trigger', slots integer DEFAULT 1,
                                     backfill boolean DEFAULT true) RETURNS regclass
    LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    made pg_catalog.regclass;
    spec pg_catalog.record;
    ext pg_catalog.text := (SELECT extnamespace::pg_catalog.regnamespace FROM pg_catalog.pg_extension WHERE extname OPERATOR(pg_catalog.=) 'probds');
BEGIN
    EXECUTE pg_catalog.format('SELECT * FROM %s.probds_rollup_define($1, $2, $3, $4, $5, $6, $7)', ext) INTO spec
        USING name, pg_catalog.current_schema(), source, group_by, sketches, refresh, slots;
    EXECUTE pg_catalog.format('CREATE VIEW %I.%I AS %s', spec.nsp, spec.rel, spec.definition);
    EXECUTE pg_catalog.format('SELECT %s.probds_rollup_make($1, $2, $3, $4, $5, $6, $7, $8)', ext) INTO made
        USING spec.nsp, spec.rel, source, pg_catalog.cardinality(group_by), sketches, refresh, slots, backfill;
    RETURN made;
END $$;
COMMENT ON FUNCTION probds_create_rollup(text, regclass, text[], text[], text, integer, boolean) IS 'make a table of sketches of another table that keeps itself current, by a trigger or by refreshes from a column of numbers';

CREATE FUNCTION probds_create_rollup_view(name text, rollup regclass, group_by text[]) RETURNS regclass
    LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    meta pg_catalog.record;
    made pg_catalog.text;
BEGIN
    IF group_by IS NULL THEN
        RAISE EXCEPTION 'no parameter of a rollup may be NULL' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    EXECUTE pg_catalog.format('SELECT * FROM %s.probds_rollup_meta($1)',
        (SELECT extnamespace::pg_catalog.regnamespace FROM pg_catalog.pg_extension WHERE extname OPERATOR(pg_catalog.=) 'probds')) INTO meta USING rollup;
    made := (SELECT pg_catalog.string_agg(pg_catalog.quote_ident(part), '.') FROM pg_catalog.unnest(pg_catalog.parse_ident(name)) part);
    EXECUTE pg_catalog.format('CREATE VIEW %s AS SELECT %s FROM %s%s', made,
        pg_catalog.array_to_string(pg_catalog.array_cat(group_by, meta.merged), ', '), meta.stored,
        (SELECT pg_catalog.concat(' GROUP BY ' OPERATOR(pg_catalog.||) pg_catalog.string_agg(i::pg_catalog.text, ', '))
            FROM pg_catalog.generate_series(1, pg_catalog.cardinality(group_by)) i));
    EXECUTE pg_catalog.format('UPDATE %s SET views = pg_catalog.array_append(views, $1)', meta.parts) USING made::pg_catalog.regclass;
    RETURN made::pg_catalog.regclass;
END $$;
COMMENT ON FUNCTION probds_create_rollup_view(text, regclass, text[]) IS 'make a view of a rollup that merges its rows into coarser groups: weeks and months from days';

-- A procedure that ends transactions may not have a SET clause: the path is set for
-- each of its transactions
CREATE PROCEDURE probds_refresh_rollup(rollup regclass, batch bigint DEFAULT NULL)
    LANGUAGE plpgsql AS $$
DECLARE
    ext pg_catalog.text;
    meta pg_catalog.record;
    statement pg_catalog.text;
    top bigint;
    low bigint;
    high bigint;
BEGIN
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    SELECT extnamespace::regnamespace INTO ext FROM pg_extension WHERE extname = 'probds';
    EXECUTE format('SELECT * FROM %s.probds_rollup_meta($1)', ext) INTO meta USING rollup;
    IF meta.refresh = 'trigger' THEN
        RAISE EXCEPTION '% is kept current by a trigger', rollup USING ERRCODE = 'wrong_object_type',
            HINT = 'There is nothing to refresh; probds_rebuild_rollup makes it anew.';
    END IF;
    IF batch < 1 THEN
        RAISE EXCEPTION 'batch must be at least 1' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'a rollup can only be refreshed at isolation level READ COMMITTED' USING ERRCODE = 'invalid_transaction_state';
    END IF;
    -- Wait for those who are writing.  From then on no lower number can come: a
    -- writer takes its numbers after its lock.
    EXECUTE format('LOCK TABLE %s IN SHARE MODE', meta.source);
    EXECUTE format('SELECT max(%I) FROM %s', meta.refresh, meta.source) INTO top;
    EXECUTE format('SELECT %s.probds_rollup_sequence($1, $2, $3)', ext) USING meta.source, meta.refresh, greatest(meta.watermark, top);
    COMMIT;
    -- Without that lock; rows and watermark in one transaction, one refresh at a time
    LOOP
        PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
        PERFORM set_config('TimeZone', meta.timezone, true);
        EXECUTE format('SELECT watermark FROM %s FOR UPDATE', meta.parts) INTO low;
        -- to the next number that there is: numbers may have wide gaps
        IF low IS NULL OR batch < top - low THEN
            EXECUTE format('SELECT min(%I)::bigint - 1 FROM %s', meta.refresh, meta.source)
                || CASE WHEN low IS NULL THEN '' ELSE format(' WHERE %I > %s', meta.refresh, low) END INTO low;
        END IF;
        EXIT WHEN low >= top IS NOT FALSE;
        high := CASE WHEN batch < top - low THEN low + batch ELSE top END;
        EXECUTE format('SELECT %s.probds_rollup_rows($1, $2, $3, $4, $5, $6, $7)', ext) INTO statement
            USING meta.stored, meta.keys, meta.columns, meta.steps, meta.slots, meta.query,
                format('SELECT * FROM %s WHERE %I > %s AND %I <= %s', meta.source, meta.refresh, low, meta.refresh, high);
        EXECUTE statement;
        EXECUTE format('UPDATE %s SET watermark = $1', meta.parts) USING high;
        COMMIT;
    END LOOP;
    COMMIT;
END $$;
COMMENT ON PROCEDURE probds_refresh_rollup(regclass, bigint) IS 'merge the rows that have come since the last refresh into a rollup, each exactly once';

CREATE FUNCTION probds_rebuild_rollup(rollup regclass) RETURNS void
    LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    ext text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'probds');
    meta record;
    statement text;
BEGIN
    EXECUTE format('SELECT * FROM %s.probds_rollup_meta($1)', ext) INTO meta USING rollup;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'a rollup can only be made at isolation level READ COMMITTED' USING ERRCODE = 'invalid_transaction_state';
    END IF;
    -- against writers, a refresh and a fold; readers go on
    EXECUTE format('LOCK TABLE %s IN SHARE MODE', meta.source);
    EXECUTE format('SELECT FROM %s FOR UPDATE', meta.parts);
    EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', meta.stored);
    PERFORM set_config('TimeZone', meta.timezone, true);
    EXECUTE format('DELETE FROM %s', meta.stored);
    EXECUTE format('SELECT %s.probds_rollup_rows($1, $2, $3, $4, $5, $6, $7)', ext) INTO statement
        USING meta.stored, meta.keys, meta.columns, meta.steps, meta.slots, meta.query, format('SELECT * FROM %s', meta.source);
    EXECUTE statement;
    IF meta.refresh <> 'trigger' THEN
        EXECUTE format('UPDATE %s SET watermark = (SELECT max(%I) FROM %s)', meta.parts, meta.refresh, meta.source);
    END IF;
END $$;
COMMENT ON FUNCTION probds_rebuild_rollup(regclass) IS 'make a rollup anew from the rows that its source has now, after rows were changed or deleted';

CREATE FUNCTION probds_fold_rollup(rollup regclass) RETURNS bigint
    LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    ext text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'probds');
    meta record;
    statement text;
    folded bigint;
BEGIN
    EXECUTE format('SELECT * FROM %s.probds_rollup_meta($1)', ext) INTO meta USING rollup;
    IF meta.slots = 1 THEN
        RETURN 0;
    END IF;
    EXECUTE format('SELECT %s.probds_rollup_statement($1, $2, $3, $4, $5, $6, $7)', ext) INTO statement
        USING meta.stored, meta.keys, meta.columns, meta.steps, meta.slots,
            format('SELECT %s FROM taken%s', array_to_string(meta.keys || meta.merged, ', '),
                CASE WHEN meta.keys <> '{}' THEN ' GROUP BY ' || array_to_string(meta.keys, ', ') ELSE ' HAVING count(*) > 0' END), '0';
    -- rows that somebody is writing to wait for the next time
    EXECUTE format('WITH taken AS (DELETE FROM %1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE slot > 0 FOR UPDATE SKIP LOCKED)) RETURNING *),
        folded AS (%2$s) SELECT count(*) FROM taken', meta.stored, statement) INTO folded;
    RETURN folded;
END $$;
COMMENT ON FUNCTION probds_fold_rollup(regclass) IS 'merge the slots of a rollup into one row a group; how many rows were merged away';

CREATE FUNCTION probds_drop_rollup(rollup regclass) RETURNS void
    LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    meta record;
    name text;
BEGIN
    EXECUTE format('SELECT * FROM %s.probds_rollup_meta($1)', (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'probds'))
        INTO meta USING rollup;
    -- views may be gone, and so may the source, with its trigger
    FOR name IN SELECT c.oid::regclass FROM unnest(meta.views) v JOIN pg_class c ON c.oid = v AND c.relkind = 'v' LOOP
        EXECUTE format('DROP VIEW %s', name);
    END LOOP;
    IF meta.slots > 1 THEN
        EXECUTE format('DROP VIEW %s', rollup);
    END IF;
    IF meta.refresh = 'trigger' THEN
        IF EXISTS (SELECT FROM pg_class WHERE oid = meta.source) THEN
            EXECUTE format('DROP TRIGGER IF EXISTS %I ON %s', (parse_ident(meta.parts))[2], meta.source);
        END IF;
        EXECUTE format('DROP FUNCTION %s()', meta.parts);
    END IF;
    EXECUTE format('DROP TABLE %s', meta.stored);
    EXECUTE format('DROP TABLE %s', meta.parts);
END $$;
COMMENT ON FUNCTION probds_drop_rollup(regclass) IS 'remove a rollup and all that was made for it';
