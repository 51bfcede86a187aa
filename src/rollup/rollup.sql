-- rollup: tables of sketches that keep themselves current (rollup.h)

-- ---------- internal ----------

CREATE FUNCTION _probds_rollup_insert() RETURNS trigger
    AS 'MODULE_PATHNAME', 'probds_rollup_insert' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION _probds_rollup_insert()
    IS 'internal: trigger that merges new rows of a rollup''s source';

CREATE FUNCTION _probds_rollup_change() RETURNS trigger
    AS 'MODULE_PATHNAME', 'probds_rollup_change' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION _probds_rollup_change()
    IS 'internal: trigger that records changes of rows that a rollup has counted';

CREATE FUNCTION _probds_rollup_late() RETURNS trigger
    AS 'MODULE_PATHNAME', 'probds_rollup_late' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION _probds_rollup_late()
    IS 'internal: trigger that records rows whose number a rollup has already passed';

CREATE FUNCTION _probds_rollup_is_late(number bigint, rollup record) RETURNS boolean
    AS 'MODULE_PATHNAME', 'probds_rollup_is_late' LANGUAGE C VOLATILE COST 2;
COMMENT ON FUNCTION _probds_rollup_is_late(bigint, record)
    IS 'internal: whether a rollup has already passed a number';

CREATE FUNCTION _probds_rollup_guard() RETURNS trigger
    AS 'MODULE_PATHNAME', 'probds_rollup_guard' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION _probds_rollup_guard()
    IS 'internal: trigger that lets only the rollup itself write into its table';

CREATE FUNCTION _probds_rollup_key(keys record) RETURNS uuid
    AS 'MODULE_PATHNAME', 'probds_rollup_key' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2;
COMMENT ON FUNCTION _probds_rollup_key(record)
    IS 'internal: 128-bit hash that identifies a group of a rollup';

-- ---------- what users call ----------

CREATE FUNCTION probds_create_rollup(name text, source regclass, group_by text[], sketches text[],
                                     refresh text DEFAULT 'trigger', slots integer DEFAULT 1,
                                     backfill boolean DEFAULT true,
                                     if_not_exists boolean DEFAULT false,
                                     retention interval DEFAULT NULL) RETURNS regclass
    AS 'MODULE_PATHNAME', 'probds_create_rollup' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION probds_create_rollup(text, regclass, text[], text[], text, integer, boolean,
    boolean, interval)
    IS 'creates a rollup: a table of sketches of another table, kept current by a trigger or by '
       'refreshes';

CREATE FUNCTION probds_create_rollup_view(name text, rollup regclass, group_by text[])
    RETURNS regclass
    AS 'MODULE_PATHNAME', 'probds_create_rollup_view' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION probds_create_rollup_view(text, regclass, text[])
    IS 'creates a view that merges the rows of a rollup into coarser groups, such as days into '
       'weeks';

CREATE PROCEDURE probds_refresh_rollup(rollup regclass, batch bigint DEFAULT NULL)
    AS 'MODULE_PATHNAME', 'probds_refresh_rollup' LANGUAGE C;
COMMENT ON PROCEDURE probds_refresh_rollup(regclass, bigint)
    IS 'merges the rows added since the last refresh into a rollup, each exactly once';

CREATE FUNCTION probds_rebuild_rollup(rollup regclass) RETURNS void
    AS 'MODULE_PATHNAME', 'probds_rebuild_rollup' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_rebuild_rollup(regclass)
    IS 'rebuilds a rollup from the current rows of its source, after rows were changed or deleted';

CREATE FUNCTION probds_fold_rollup(rollup regclass) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_fold_rollup' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_fold_rollup(regclass)
    IS 'merges the slots of a rollup into one row a group, deletes groups beyond its retention, '
       'and returns the number of rows removed';

CREATE FUNCTION probds_drop_rollup(name text) RETURNS void
    AS 'MODULE_PATHNAME', 'probds_drop_rollup' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_drop_rollup(text)
    IS 'drops a rollup and all its objects, even if some of them are missing';

CREATE FUNCTION probds_rollups(OUT rollup regclass, OUT source regclass, OUT refresh text,
                               OUT slots integer, OUT rows_behind bigint,
                               OUT last_refresh timestamp with time zone, OUT bytes bigint,
                               OUT status text)
    RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_rollups' LANGUAGE C STABLE ROWS 10;
COMMENT ON FUNCTION probds_rollups()
    IS 'the rollups that the current user may read: source, refresh mode, rows behind, size and '
       'status';
