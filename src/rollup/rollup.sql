-- rollup: tables of sketches that keep themselves current (rollup.h)

-- ---------- internal ----------

CREATE FUNCTION _probds_rollup_trigger() RETURNS trigger
    AS 'MODULE_PATHNAME', 'probds_rollup_trigger' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION _probds_rollup_trigger()
    IS 'internal: trigger that tells the rollups of a table what has changed';

CREATE FUNCTION _probds_rollup_guard() RETURNS trigger
    AS 'MODULE_PATHNAME', 'probds_rollup_guard' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION _probds_rollup_guard()
    IS 'internal: trigger that lets only the rollup itself write into its parts';

CREATE FUNCTION _probds_rollup_touched(query anyelement, secret uuid, settled boolean)
    RETURNS SETOF anyelement
    AS 'MODULE_PATHNAME', 'probds_rollup_touched' LANGUAGE C STABLE PARALLEL RESTRICTED COST 10000;
COMMENT ON FUNCTION _probds_rollup_touched(anyelement, uuid, boolean)
    IS 'internal: the groups of a rollup that are to be computed from its source, and the others';

CREATE FUNCTION _probds_shift(bound anyelement, steps bigint) RETURNS anyelement
    AS 'MODULE_PATHNAME', 'probds_shift' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION _probds_shift(anyelement, bigint)
    IS 'internal: a value so many steps away: near a bound that cuts through a group of a rollup';

CREATE FUNCTION _probds_rollup_ddl() RETURNS event_trigger
    AS 'MODULE_PATHNAME', 'probds_rollup_ddl' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION _probds_rollup_ddl()
    IS 'internal: event trigger that tells rollups of partitions that come and go';

CREATE EVENT TRIGGER probds_rollup_drop ON ddl_command_start
    WHEN TAG IN ('DROP TABLE', 'DROP VIEW', 'DROP SCHEMA', 'DROP OWNED')
    EXECUTE FUNCTION _probds_rollup_ddl();
COMMENT ON EVENT TRIGGER probds_rollup_drop
    IS 'tells rollups of partitions that go';
CREATE EVENT TRIGGER probds_rollup_change ON ddl_command_end
    WHEN TAG IN ('CREATE TABLE', 'CREATE FOREIGN TABLE', 'ALTER TABLE', 'ALTER FOREIGN TABLE')
    EXECUTE FUNCTION _probds_rollup_ddl();
COMMENT ON EVENT TRIGGER probds_rollup_change
    IS 'tells rollups of partitions that come, or are detached';

-- ---------- what users call ----------

CREATE FUNCTION probds_create_rollup(name text, query text, live boolean DEFAULT true,
                                     with_data boolean DEFAULT true,
                                     if_not_exists boolean DEFAULT false,
                                     retention interval DEFAULT NULL,
                                     frozen_after interval DEFAULT NULL,
                                     schedule interval DEFAULT NULL) RETURNS regclass
    AS 'MODULE_PATHNAME', 'probds_create_rollup' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION probds_create_rollup(text, text, boolean, boolean, boolean, interval, interval,
    interval)
    IS 'creates a rollup: the results of a query over a table, kept current as rows come';

CREATE FUNCTION probds_alter_rollup(rollup regclass, live boolean DEFAULT NULL,
                                    retention interval DEFAULT NULL,
                                    frozen_after interval DEFAULT NULL,
                                    schedule interval DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'probds_alter_rollup' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION probds_alter_rollup(regclass, boolean, interval, interval, interval)
    IS 'changes options of a rollup; NULL leaves one as it is, an interval of 0 removes it';

CREATE FUNCTION probds_add_rollup_column(rollup regclass, aggregate text) RETURNS void
    AS 'MODULE_PATHNAME', 'probds_add_rollup_column' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_add_rollup_column(regclass, text)
    IS 'adds an aggregate to a rollup; its groups are computed again by the next refresh';

CREATE FUNCTION probds_drop_rollup_column(rollup regclass, column_name text) RETURNS void
    AS 'MODULE_PATHNAME', 'probds_drop_rollup_column' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_drop_rollup_column(regclass, text)
    IS 'drops an aggregate of a rollup';

CREATE FUNCTION probds_alter_rollup_source(source regclass, command text) RETURNS void
    AS 'MODULE_PATHNAME', 'probds_alter_rollup_source' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_alter_rollup_source(regclass, text)
    IS 'runs ALTER TABLE on the source of rollups, such as for the type of a column; their groups '
       'are computed again by the next refresh';

CREATE FUNCTION probds_create_rollup_view(name text, rollup regclass, group_by text[])
    RETURNS regclass
    AS 'MODULE_PATHNAME', 'probds_create_rollup_view' LANGUAGE C VOLATILE;
COMMENT ON FUNCTION probds_create_rollup_view(text, regclass, text[])
    IS 'creates a view that merges the rows of a rollup into coarser groups, such as days into '
       'weeks';

CREATE PROCEDURE probds_refresh_rollup(rollup regclass)
    AS 'MODULE_PATHNAME', 'probds_refresh_rollup' LANGUAGE C;
COMMENT ON PROCEDURE probds_refresh_rollup(regclass)
    IS 'computes the groups of a rollup again whose rows were changed, and folds its parts';

CREATE PROCEDURE probds_refresh_due_rollups()
    AS 'MODULE_PATHNAME', 'probds_refresh_due_rollups' LANGUAGE C;
COMMENT ON PROCEDURE probds_refresh_due_rollups()
    IS 'refreshes the rollups of the current user whose schedule says so; pg_cron calls it';

CREATE PROCEDURE probds_rebuild_rollup(rollup regclass)
    AS 'MODULE_PATHNAME', 'probds_rebuild_rollup' LANGUAGE C;
COMMENT ON PROCEDURE probds_rebuild_rollup(regclass)
    IS 'computes all groups of a rollup again from the current rows of its source';

CREATE FUNCTION probds_fold_rollup(rollup regclass) RETURNS bigint
    AS 'MODULE_PATHNAME', 'probds_fold_rollup' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_fold_rollup(regclass)
    IS 'merges the parts of each group into one, deletes groups beyond the retention, and returns '
       'the number of rows removed';

CREATE FUNCTION probds_drop_rollup(name text) RETURNS void
    AS 'MODULE_PATHNAME', 'probds_drop_rollup' LANGUAGE C VOLATILE STRICT;
COMMENT ON FUNCTION probds_drop_rollup(text)
    IS 'drops a rollup and all its objects, even if some of them are missing';

CREATE FUNCTION probds_rollups(OUT rollup regclass, OUT source regclass, OUT query text,
                               OUT live boolean, OUT groups_waiting bigint, OUT refreshing text,
                               OUT schedule interval, OUT last_refresh timestamp with time zone,
                               OUT bytes bigint, OUT status text)
    RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'probds_rollups' LANGUAGE C STABLE ROWS 10;
COMMENT ON FUNCTION probds_rollups()
    IS 'the rollups that the current user may read: source, query, groups that wait for a refresh, '
       'size and status';

-- A setting may be there before the library: the function says so.
SELECT FROM probds_rollups();
