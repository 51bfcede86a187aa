/*
 * rollup_list.c: what rollups there are, and how they are
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_trigger.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"
#include "utils/timestamp.h"

#include "result_row.h"
#include "compat.h"
#include "rollup.h"

/* Remarks, separated by semicolons. */
static void
remark(StringInfo status, const char *format,...) pg_attribute_printf(2, 3);

static void
remark(StringInfo status, const char *format,...)
{
	char		text[512];
	va_list		args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	appendStringInfo(status, "%s%s", status->len > 0 ? "; " : "", text);
}

/* Are all triggers there? */
static void
check_triggers(const RollupParts *parts, bool refreshed, StringInfo status)
{
	List	   *relations = find_all_inheritors(parts->source, NoLock, NULL);
	const char *function = refreshed ? "probds_rollup_change" : "probds_rollup_insert";
	Oid			newcomer = InvalidOid;
	int			newcomers = 0;
	ListCell   *lc;

	foreach(lc, relations)
	{
		Oid			relation = lfirst_oid(lc);
		char		state;

		if (get_rel_relkind(relation) == RELKIND_FOREIGN_TABLE)
			continue;
		state = rollup_trigger_state(relation, parts, function);
		if (state == TRIGGER_DISABLED || state == TRIGGER_FIRES_ON_REPLICA)
			remark(status, "the trigger of %s is disabled", pds_relation_name(relation));
		else if (state == 0 && relation == parts->source && !refreshed)
			remark(status, "the source has no trigger: new rows are not counted");
		else if (state == 0 && newcomers++ == 0)
			newcomer = relation;
	}
	if (refreshed && !rollup_is_watched(parts))
		remark(status, "updates of the source's rows are not noticed, late and deleted ones at "
					   "the next refresh");
	if (newcomers > 0 && !refreshed)
		remark(status, "%s: rows are counted that come through %s",
			   newcomers == 1 ? psprintf("partition %s is newer than the rollup",
										 pds_relation_name(newcomer)) :
			   psprintf("%d partitions are newer than the rollup (%s, ...)", newcomers,
						pds_relation_name(newcomer)),
			   pds_relation_name(parts->source));
	if (!refreshed && !rollup_trigger_fires(parts->source, parts, "probds_rollup_change"))
		remark(status, "changes of the source's rows are not noticed");
	if (get_rel_relispartition(parts->source) && !refreshed)
		remark(status, "the source has become a partition: rows that come through its parent are "
					   "not counted");
}

/* One rollup as the columns of probds_rollups(); false if the caller may not read it. */
#define COLUMNS		8

typedef struct Row
{
	const RollupParts *parts;
	Datum	   *values;
	bool	   *nulls;
	StringInfo	status;
} Row;

/* What its owner may find out, with SPI connected. */
static void
fill_as_owner(void *arg)
{
	Row		   *row = arg;
	const RollupParts *parts = row->parts;
	Datum	   *values = row->values;
	bool	   *nulls = row->nulls;
	StringInfo	status = row->status;
	RollupProgress progress;
	PdsScope	scope;
	const char *dropped;
	int64		changes;

	pds_scope_enter(&scope, parts->owner);
	rollup_read_progress(parts, false, &progress);
	changes = rollup_sequence_last(parts->changes) + rollup_changes_pending(parts) -
		progress.changes_seen;
	values[3] = Int32GetDatum(progress.slots);
	nulls[2] = nulls[3] = false;
	if (!progress.refreshed)
		values[2] = CStringGetTextDatum("trigger");
	else
	{
		char	   *column = get_attname(parts->source, parts->number, false);
		char	   *last = rollup_value(psprintf("SELECT last_refresh FROM %s",
												 pds_relation_name(parts->progress)));
		char	   *query =
		psprintf("SELECT pg_catalog.pg_sequence_last_value("
				 "pg_catalog.pg_get_serial_sequence(%s, %s)::pg_catalog.regclass)",
				 quote_literal_cstr(pds_relation_name(parts->source)),
				 quote_literal_cstr(column));
		int64		given = rollup_number(rollup_value(query), 0);

		values[2] = CStringGetTextDatum(column);
		values[4] = Int64GetDatum(Max(0, given - progress.watermark));
		nulls[4] = false;
		if (last != NULL)
		{
			values[5] = DirectFunctionCall3(timestamptz_in, CStringGetDatum(last),
											ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
			nulls[5] = false;
		}
	}
	dropped = rollup_dropped_column(parts);
	if (dropped != NULL)
		remark(status, "column \"%s\" was dropped: drop the rollup and create it again", dropped);
	check_triggers(parts, progress.refreshed, status);
	if (check_enable_rls(parts->source, parts->owner, true) == RLS_ENABLED)
		remark(status, "row-level security of the source applies to the owner of the rollup: no "
					   "refresh, no rebuild");
	if (progress.truncated)
		remark(status, "the source was truncated: rebuild");
	if (changes > 0)
		remark(status, "source rows were changed%s (%s): rebuild", progress.refreshed ?
			   ", or came late" : "",
			   changes == 1 ? "once" : psprintf(INT64_FORMAT " times", changes));
	pds_scope_leave(&scope);
}

/* Not what somebody else has made of its parts */
static bool
is_first(Oid progress, Oid shown)
{
	RollupParts parts;

	return rollup_find(shown, &parts) && parts.progress == progress;
}

static bool
fill(Oid progress, Datum *values, bool *nulls)
{
	RollupParts parts;
	StringInfoData status;

	initStringInfo(&status);
	memset(values, 0, COLUMNS * sizeof(Datum));
	memset(nulls, true, COLUMNS * sizeof(bool));
	nulls[0] = nulls[7] = false;
	if (!rollup_find(progress, &parts))
	{
		values[0] = ObjectIdGetDatum(progress);
		values[7] = CStringGetTextDatum("parts of this rollup are gone: drop it by its name");
		return pg_class_aclcheck(progress, GetUserId(), ACL_SELECT) == ACLCHECK_OK;
	}
	if (!is_first(progress, parts.shown) ||
		pg_class_aclcheck(parts.shown, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
		return false;
	if (OidIsValid(parts.owner))
	{
		Row			row = {&parts, values, nulls, &status};
		char	   *why;

		/* one that is damaged is one row */
		if (!pds_attempt(fill_as_owner, &row, &why))
		{
			for (int i = 2; i <= 5; i++)
				nulls[i] = true;
			resetStringInfo(&status);
			remark(&status, "%s", why);
		}
	}
	else
		remark(&status, "its parts have different owners");
	values[0] = ObjectIdGetDatum(parts.shown);
	values[1] = ObjectIdGetDatum(parts.source);
	nulls[1] = nulls[6] = false;
	values[6] = DirectFunctionCall1(pg_total_relation_size, ObjectIdGetDatum(parts.stored));
	values[7] = CStringGetTextDatum(status.len > 0 ? status.data : "ok");
	return true;
}

/* The tables of rollups' metadata; with SPI connected. */
static List *
all_progress(void)
{
	List	   *found = NIL;
	PdsScope scope;

	pds_scope_enter_path(&scope);
	if (SPI_execute("SELECT a.attrelid FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c "
					"ON c.oid = a.attrelid"
					" WHERE a.attname = 'probds_rollup' AND a.attnum > 0 AND NOT a.attisdropped "
					"AND c.relkind = 'r'"
					" AND NOT pg_catalog.pg_is_other_temp_schema(c.relnamespace) ORDER BY 1", true,
						0) != SPI_OK_SELECT)
		elog(ERROR, "SPI_execute failed");
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		bool		isnull;

		found = lappend_oid(found, DatumGetObjectId(SPI_getbinval(SPI_tuptable->vals[i],
				SPI_tuptable->tupdesc, 1, &isnull)));
	}
	pds_scope_leave(&scope);
	return found;
}

/* probds_rollups(): one row for each rollup that the caller may read */
PG_FUNCTION_INFO_V1(probds_rollups);
Datum
probds_rollups(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Tuplestorestate *rows = pds_begin_rows(fcinfo);
	ListCell   *lc;

	rollup_connect(0);
	foreach(lc, all_progress())
	{
		Datum		values[COLUMNS];
		bool		nulls[COLUMNS];

		if (fill(lfirst_oid(lc), values, nulls))
			tuplestore_putvalues(rows, result->setDesc, values, nulls);
	}
	SPI_finish();
	return (Datum) 0;
}
