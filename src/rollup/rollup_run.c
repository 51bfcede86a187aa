/*
 * rollup_run.c: refresh, rebuild, fold, drop
 *
 * How a refresh takes each row exactly once.  The rows are numbered by a sequence, and a
 * writer has its lock on the table before it takes a number.  So: read the last number
 * that the sequence has given out; wait until the transactions that hold a lock for
 * writing have ended; take the rows up to that number.  Who had taken one of these numbers
 * is over and done; who begins to write later gets a higher one.  Nobody waits for us.  Rows
 * that come by another way are told afterwards (rollup_late.c, rollup_tally.c).
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/parsenodes.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"
#include "utils/varlena.h"

#include "compat.h"
#include "rollup.h"

/* Execute a statement with one of rollup_merge_text() in it, for slot 0. */
static void
execute_merge(const char *statement, int slots, int expected)
{
	Oid			type = INT8OID;
	Datum		slot = Int64GetDatum(0);

	rollup_writing++;
	PG_TRY();
	{
		int			code = SPI_execute_with_args(statement, slots > 1 ? 1 : 0, &type, &slot, NULL,
												 false, 0);

		if (code != expected)
			elog(ERROR, "merge ended with %s", SPI_result_code_string(code));
	}
	PG_FINALLY();
	{
		rollup_writing--;
	}
	PG_END_TRY();
}

/* Delete the groups that are older than the retention. */
static uint64
expire(const RollupParts *parts, const RollupProgress *progress)
{
	RollupDefinition d;

	if (progress->retention == NULL)
		return 0;
	rollup_read_definition(parts->definition, &d);
	if (d.keys == 0)
		return 0;
	return rollup_executef(SPI_OK_DELETE, "DELETE FROM %s WHERE %s OPERATOR(pg_catalog.<)"
						   " (pg_catalog.now() OPERATOR(pg_catalog.-) %s::pg_catalog.interval)::%s",
						   pds_relation_name(parts->stored), rollup_stored_column(parts, 0),
						   quote_literal_cstr(progress->retention),
						   format_type_extended(d.column[0].type, -1, FORMAT_TYPE_FORCE_QUALIFY));
}

/* ---------- refresh ---------- */

/*
 * Merge the rows of one batch, in a transaction of its own; false when there are no more
 * up to "top".
 */
static bool
refresh_batch(Oid relation, int64 top, int64 batch)
{
	RollupParts parts;
	RollupProgress progress;
	PdsScope scope;
	RollupRows	rows = {.numbered = true, .above_set = true};
	char	   *number;
	char	   *tally;
	int64		low;
	int64		high;

	rollup_require(relation, &parts);
	pds_scope_enter(&scope, parts.owner);
	PushActiveSnapshot(GetTransactionSnapshot());
	rollup_read_progress(&parts, true, &progress);
	rollup_apply_settings(progress.settings);
	number = rollup_column_name(parts.source, parts.number);
	low = progress.watermark;

	/* to the next number that there is: numbers may have wide gaps */
	if (!progress.counted || (batch > 0 && batch < top - low))
	{
		char	   *above = progress.counted ? psprintf(" WHERE %s > " INT64_FORMAT, number, low) :
			"";
		char	   *next = rollup_value(psprintf("SELECT pg_catalog.min(%s)::pg_catalog.int8 FROM "
												 "%s%s", number,
												 pds_relation_name(parts.source), above));

		low = next == NULL ? top : rollup_number(next, 0) - 1;
	}
	if (low >= top)
	{
		(void) expire(&parts, &progress);
		rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET last_refresh = pg_catalog.now()",
						pds_relation_name(parts.progress));
		PopActiveSnapshot();
		pds_scope_leave(&scope);
		return false;
	}
	high = batch > 0 && batch < top - low ? low + batch : top;
	rows.above = low;
	rows.up_to = high;
	tally = rollup_tally(&parts, &low, high);
	rollup_merge_source(&parts, progress.slots, &rows);
	rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET watermark = " INT64_FORMAT ", last_refresh = "
																			 "pg_catalog.now(), %s",
					pds_relation_name(parts.progress), high, tally);
	PopActiveSnapshot();
	pds_scope_leave(&scope);
	return true;
}

static void
require_refreshed(const RollupParts *parts, bool refreshed)
{
	if (!refreshed)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("rollup %s is kept current by a trigger", pds_relation_name(parts->shown)),
				 errhint("A refresh is not needed. To rebuild the rollup from its source, call "
						 "probds_rebuild_rollup().")));
}

/* probds_refresh_rollup(rollup regclass, batch bigint): a procedure */
PG_FUNCTION_INFO_V1(probds_refresh_rollup);
Datum
probds_refresh_rollup(PG_FUNCTION_ARGS)
{
	CallContext *call = (CallContext *) fcinfo->context;
	Oid			relation = PG_ARGISNULL(0) ? InvalidOid : PG_GETARG_OID(0);
	int64		batch = PG_ARGISNULL(1) ? 0 : PG_GETARG_INT64(1);
	RollupParts parts;
	RollupProgress progress;
	PdsScope	scope;
	int64		top;
	bool		more;

	if (call == NULL || !IsA(call, CallContext) || call->atomic)
		ereport(ERROR,
				(errcode(ERRCODE_ACTIVE_SQL_TRANSACTION),
				 errmsg("probds_refresh_rollup() cannot run inside a transaction block"),
				 errdetail("It commits after each batch."),
				 errhint("Use CALL outside transaction blocks and functions, and do not send it "
						 "in one string with other statements.")));
	if (!PG_ARGISNULL(1) && batch < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("batch must be at least 1")));
	rollup_require_read_committed("a rollup can only be refreshed");
	rollup_require(relation, &parts);
	rollup_require_owner(&parts);

	rollup_connect(SPI_OPT_NONATOMIC);
	pds_scope_enter(&scope, parts.owner);
	PushActiveSnapshot(GetTransactionSnapshot());
	rollup_read_progress(&parts, false, &progress);
	require_refreshed(&parts, progress.refreshed);
	top = rollup_last_number(&parts);
	rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET settled = GREATEST(settled, " INT64_FORMAT ")",
					pds_relation_name(parts.progress), top);
	CacheInvalidateRelcacheByRelid(parts.progress);
	PopActiveSnapshot();
	pds_scope_leave(&scope);
	SPI_commit();

	SPI_start_transaction();
	rollup_require(relation, &parts);
	pds_scope_enter(&scope, parts.owner);
	rollup_wait_for_writers(parts.source);
	PushActiveSnapshot(GetTransactionSnapshot());
	rollup_read_progress(&parts, true, &progress);
	rollup_check_tally(&parts, &progress);
	rollup_require_growing(&parts, &progress);
	PopActiveSnapshot();
	pds_scope_leave(&scope);
	SPI_commit();
	do
	{
		CHECK_FOR_INTERRUPTS();
		SPI_start_transaction();
		more = refresh_batch(relation, top, batch);
		SPI_commit();
	} while (more);
	SPI_start_transaction();
	SPI_finish();
	PG_RETURN_VOID();
}

/* ---------- rebuild ---------- */

/* probds_rebuild_rollup(rollup regclass) */
PG_FUNCTION_INFO_V1(probds_rebuild_rollup);
Datum
probds_rebuild_rollup(PG_FUNCTION_ARGS)
{
	RollupParts parts;
	RollupProgress progress;
	PdsScope scope;
	char	   *watermark = "NULL";
	char	   *tally = "rows_counted = NULL";
	RollupRows	rows = {0};

	rollup_require(PG_GETARG_OID(0), &parts);
	rollup_require_owner(&parts);
	rollup_require_read_committed("a rollup can only be rebuilt");
	rollup_connect(0);
	pds_scope_enter(&scope, parts.owner);
	rollup_read_progress(&parts, false, &progress);
	if (progress.refreshed)
	{
		int64		last = rollup_last_number(&parts);

		/* numbers may begin again */
		progress.counted = false;
		progress.watermark = 0;
		rollup_wait_for_writers(parts.source);
		rollup_require_growing(&parts, &progress);
		watermark = psprintf(INT64_FORMAT, last);
		rows.numbered = true;
		rows.up_to = last;
	}
	else
		(void) find_all_inheritors(parts.source, ShareLock, NULL);

	/* against a refresh, a fold and another rebuild; readers are not blocked */
	rollup_read_progress(&parts, true, &progress);
	LockRelationOid(parts.stored, ShareRowExclusiveLock);
	rollup_apply_settings(progress.settings);
	rollup_make_triggers(&parts, progress.refreshed);
	rollup_executef(SPI_OK_DELETE, "DELETE FROM %s", pds_relation_name(parts.stored));
	if (progress.refreshed)
		tally = rollup_tally(&parts, NULL, rows.up_to);
	rollup_merge_source(&parts, progress.slots, &rows);
	(void) expire(&parts, &progress);
	rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET watermark = %s, settled = %s, truncated = false,"
					" changes_seen = "
					INT64_FORMAT ", last_refresh = pg_catalog.now(), %s",
					pds_relation_name(parts.progress), watermark, watermark,
					rollup_sequence_last(parts.changes) + rollup_changes_pending(&parts), tally);
	CacheInvalidateRelcacheByRelid(parts.progress);
	pds_scope_leave(&scope);
	SPI_finish();
	PG_RETURN_VOID();
}

/* ---------- fold ---------- */

/* probds_fold_rollup(rollup regclass): how many rows were merged away, or too old */
PG_FUNCTION_INFO_V1(probds_fold_rollup);
Datum
probds_fold_rollup(PG_FUNCTION_ARGS)
{
	RollupParts parts;
	RollupProgress progress;
	RollupDefinition d;
	PdsScope scope;
	uint64		folded = 0;

	rollup_require(PG_GETARG_OID(0), &parts);
	rollup_require_owner(&parts);
	rollup_connect(0);
	pds_scope_enter(&scope, parts.owner);
	rollup_read_progress(&parts, false, &progress);
	rollup_apply_settings(progress.settings);
	folded = expire(&parts, &progress);
	if (progress.slots > 1)
	{
		char	   *stored = pds_relation_name(parts.stored);

		rollup_read_definition(parts.definition, &d);
		/* rows that somebody is writing to wait for the next time */
		execute_merge(psprintf("WITH taken AS (DELETE FROM %s WHERE ctid OPERATOR(pg_catalog.=) "
							   "ANY (ARRAY("
									  "SELECT ctid FROM %s WHERE slot <> 0 FOR UPDATE SKIP "
									  "LOCKED)) RETURNING *),"
									  " folded AS (%s) SELECT pg_catalog.count(*) FROM taken",
									  stored, stored,
									  rollup_merge_text(&parts, progress.slots,
														rollup_merged_groups(&parts, &d, "taken"))),
							 progress.slots, SPI_OK_SELECT);
		folded += (uint64) rollup_number(SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc,
													  1), 0);
	}
	pds_scope_leave(&scope);
	SPI_finish();
	PG_RETURN_INT64((int64) folded);
}

/* ---------- drop ---------- */

/*
 * The views over a table that probds_create_rollup_view() has made.  The query reads with
 * a snapshot of its own: an earlier call in the same statement may have dropped some.
 */
static List *
views_over(Oid relation)
{
	List	   *views = NIL;
	char	   *query = psprintf("SELECT DISTINCT r.ev_class FROM pg_catalog.pg_depend d JOIN "
								 "pg_catalog.pg_rewrite r ON r.oid = d.objid"
								 " WHERE d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass"
								 " AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass "
								 "AND d.refobjid = %u",
								 relation);

	if (SPI_execute(query, false, 0) != SPI_OK_SELECT)
		elog(ERROR, "SPI_execute failed");
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		bool		isnull;
		Oid			view = DatumGetObjectId(SPI_getbinval(SPI_tuptable->vals[i],
														  SPI_tuptable->tupdesc, 1, &isnull));

		if (rollup_is_view_over(view, relation))
			views = lappend_oid(views, view);
	}
	return views;
}

static void
drop_relation(Oid relation, const char *more)
{
	const char *kind;

	if (!OidIsValid(relation) || get_rel_name(relation) == NULL)
		return;
	switch (get_rel_relkind(relation))
	{
		case RELKIND_VIEW:
			kind = "VIEW";
			break;
		case RELKIND_SEQUENCE:
			kind = "SEQUENCE";
			break;
		default:
			kind = "TABLE";
			break;
	}
	rollup_executef(SPI_OK_UTILITY, "DROP %s %s%s", kind, pds_relation_name(relation), more);
	CommandCounterIncrement();
}

/* All of a rollup that is whole. */
static void
drop_parts(const RollupParts *parts)
{
	ListCell   *lc;

	/* they may be somebody else's: DROP ... CASCADE does not ask their owners either */
	foreach(lc, views_over(parts->stored))
	{
		ObjectAddress view = {RelationRelationId, lfirst_oid(lc), 0};

		performDeletion(&view, DROP_RESTRICT, 0);
		CommandCounterIncrement();
	}
	/* the triggers depend on it; the source may be somebody else's */
	drop_relation(parts->progress, " CASCADE");
	if (parts->shown != parts->stored)
		drop_relation(parts->shown, "");
	drop_relation(parts->stored, "");
	drop_relation(parts->definition, "");
}

/* Returns the first part of a rollup that is found under this name. */
static Oid
part_by_name(RangeVar *range, const char *suffix)
{
	RangeVar   *part = makeRangeVar(range->schemaname, psprintf("%s%s", range->relname, suffix),
									-1);

	return RangeVarGetRelid(part, NoLock, true);
}

/* 42704 if a part of this name belongs to a rollup that is whole: it has been renamed. */
static void
require_remains(const RangeVar *range, Oid part)
{
	RollupParts parts;

	if (rollup_find(part, &parts))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("there is no rollup \"%s\"", range->relname),
				 errdetail("%s belongs to rollup %s.", pds_relation_name(part),
						   pds_relation_name(parts.shown))));
}

/*
 * Removes the suffix of the metadata's name, under which probds_rollups() shows an incomplete
 * rollup.
 */
static void
without_suffix(RangeVar *range, Oid relation)
{
	static const char suffix[] = "_progress";
	size_t		len = strlen(range->relname);

	if (OidIsValid(relation) && rollup_is_progress(relation) && len >= sizeof(suffix) &&
		strcmp(range->relname + len + 1 - sizeof(suffix), suffix) == 0)
		range->relname = pnstrdup(range->relname, len + 1 - sizeof(suffix));
}

/*
 * Drops the remaining parts of an incomplete rollup.  They are found by their names, and
 * dropped only if nothing else looks like them.
 */
static void
drop_remains(RangeVar *range)
{
	Oid			progress = part_by_name(range, "_progress");
	Oid			definition = part_by_name(range, "_rollup");
	Oid			table = part_by_name(range, "");
	Oid			slots = part_by_name(range, "_slots");
	Oid			source;
	Oid			owner;
	AttrNumber	number;
	PdsScope scope;
	RollupParts parts = {0};
	bool		has_definition;

	if (OidIsValid(progress) && get_attnum(progress, "probds_rollup") == InvalidAttrNumber)
		progress = InvalidOid;
	has_definition = OidIsValid(definition) && rollup_source_of(definition, &source, &number);
	if (!has_definition && !OidIsValid(progress))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("there is no rollup \"%s\"", range->relname),
				 OidIsValid(table) ?
				 errdetail("Relation %s is neither a rollup nor part of a rollup.",
						   pds_relation_name(table)) : 0,
				 errhint("probds_rollups() lists all rollups.")));
	require_remains(range, OidIsValid(progress) ? progress : definition);
	parts.shown = OidIsValid(table) ? table : has_definition ? definition : progress;
	owner = pds_relation_owner(has_definition ? definition : progress);
	parts.owner = owner;
	rollup_require_owner(&parts);
	pds_scope_enter(&scope, owner);
	drop_relation(progress, " CASCADE");
	drop_relation(table, "");
	drop_relation(slots, "");
	if (has_definition)
		drop_relation(definition, "");
	pds_scope_leave(&scope);
}

/* probds_drop_rollup(name text) */
PG_FUNCTION_INFO_V1(probds_drop_rollup);
Datum
probds_drop_rollup(PG_FUNCTION_ARGS)
{
	RangeVar   *range = makeRangeVarFromNameList(textToQualifiedNameList(PG_GETARG_TEXT_PP(0)));
	Oid			relation = RangeVarGetRelid(range, NoLock, true);
	RollupParts parts;
	PdsScope scope;

	rollup_connect(0);
	if (OidIsValid(relation) && rollup_find(relation, &parts))
	{
		rollup_require(relation, &parts);
		rollup_require_owner(&parts);
		pds_scope_enter(&scope, parts.owner);
		pds_scope_set("client_min_messages", "warning");
		drop_parts(&parts);
		pds_scope_leave(&scope);
	}
	else
	{
		without_suffix(range, relation);
		drop_remains(range);
	}
	SPI_finish();
	PG_RETURN_VOID();
}
