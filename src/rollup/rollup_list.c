/*
 * rollup_list.c: what rollups there are, and how they are
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "commands/dbcommands.h"
#include "commands/extension.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "storage/procarray.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"

#include "result_row.h"
#include "rollup.h"

/* One rollup as the columns of probds_rollups(). */
enum
{
	ROLLUP,
	SOURCE,
	QUERY,
	LIVE,
	WAITING,
	REFRESHING,
	SCHEDULE,
	LAST_REFRESH,
	BYTES,
	STATUS,
	COLUMNS
};

typedef struct Row
{
	const RollupParts *parts;
	Datum	   *values;
	bool	   *nulls;
	StringInfo	status;			/* remarks, "; " before each */
} Row;

static void
set(Row *row, int column, Datum value)
{
	row->values[column] = value;
	row->nulls[column] = false;
}

/* What its owner may find out, with SPI connected. */
static void
fill_as_owner(void *arg)
{
	Row		   *row = arg;
	const RollupParts *parts = row->parts;
	static const int columns[] = {QUERY, SCHEDULE, LAST_REFRESH, REFRESHING};
	RollupOptions options;
	PdsScope	scope;
	SPITupleTable *table;
	char	   *pid;
	char	   *failure;

	rollup_lock_source(parts);
	rollup_require_plain(parts);
	pds_scope_enter(&scope, parts->owner);
	rollup_read_options(parts, &options);
	set(row, LIVE, BoolGetDatum(options.live));
	set(row, WAITING, Int64GetDatum(rollup_waiting(parts)));
	(void) rollup_executef(SPI_OK_SELECT, "SELECT pg_catalog.pg_get_viewdef(%u), "
						   "schedule::pg_catalog.interval, last_refresh::pg_catalog.timestamptz, "
						   "(groups_done || ' of ' || GREATEST(groups, groups_done) || ' groups')"
						   "::pg_catalog.text, refreshing, failure FROM %s", parts->query,
						   pds_relation_name(parts->options));
	if (SPI_processed != 1)
		elog(ERROR, "the row of options is gone");
	table = SPI_tuptable;
	for (int i = 0; i < (int) lengthof(columns); i++)
		row->values[columns[i]] = SPI_getbinval(table->vals[0], table->tupdesc, i + 1,
												&row->nulls[columns[i]]);
	/* does the backend still live that has begun to refresh it? */
	pid = SPI_getvalue(table->vals[0], table->tupdesc, lengthof(columns) + 1);
	row->nulls[REFRESHING] |= pid == NULL || BackendPidGetProc(atoi(pid)) == NULL;
	failure = SPI_getvalue(table->vals[0], table->tupdesc, lengthof(columns) + 2);
	if (!options.built)
		appendStringInfoString(row->status, "; not built, or changes were missed: rebuild");
	if (failure != NULL)
		appendStringInfo(row->status, "; the last refresh failed: %s", failure);
	rollup_check_source(parts, row->status);
	if (!rollup_may_watch(parts))
		appendStringInfoString(row->status, "; the owner may not read the source or hang triggers "
							   "on it: its changes are not noticed");
	if (check_enable_rls(parts->source, parts->owner, true) == RLS_ENABLED)
		appendStringInfoString(row->status, "; row-level security of the source applies to the "
							   "owner of the rollup");
	pds_scope_leave(&scope);
}

/* False if the caller may not read it. */
static bool
fill(Oid options, Datum *values, bool *nulls)
{
	RollupParts parts;
	StringInfoData status;
	Row			row = {&parts, values, nulls, &status};
	bool		found;

	/* who drops or alters it waits from here on; we may have waited for one */
	found = rollup_find(options, &parts);
	if (found)
	{
		LockRelationOid(parts.query, AccessShareLock);
		found = rollup_find(options, &parts);
	}
	if (get_rel_name(options) == NULL)
		return false;
	initStringInfo(&status);
	memset(values, 0, COLUMNS * sizeof(Datum));
	memset(nulls, true, COLUMNS * sizeof(bool));
	if (!found)
	{
		set(&row, ROLLUP, ObjectIdGetDatum(options));
		set(&row, STATUS,
			CStringGetTextDatum("parts of this rollup are gone: drop it by its name"));
		return pg_class_aclcheck(options, GetUserId(), ACL_SELECT) == ACLCHECK_OK;
	}
	if (!rollup_is_first(&parts) ||
		pg_class_aclcheck(parts.shown, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
		return false;
	if (OidIsValid(parts.owner))
	{
		char	   *why;

		/* one that is damaged is one row */
		if (!pds_attempt(fill_as_owner, &row, &why))
		{
			/* it, or a part of it, was dropped while we waited */
			if (get_rel_name(parts.shown) == NULL || get_rel_name(parts.stored) == NULL)
				return fill(options, values, nulls);
			memset(nulls, true, COLUMNS * sizeof(bool));
			resetStringInfo(&status);
			appendStringInfo(&status, "; %s", why);
		}
	}
	else
		appendStringInfoString(&status, "; its parts have different owners");
	set(&row, ROLLUP, ObjectIdGetDatum(parts.shown));
	set(&row, SOURCE, ObjectIdGetDatum(parts.source));
	set(&row, BYTES, DirectFunctionCall1(pg_total_relation_size,
										 ObjectIdGetDatum(parts.stored)));
	set(&row, STATUS, CStringGetTextDatum(status.len > 0 ? status.data + strlen("; ") : "ok"));
	return true;
}

/* The options of all rollups that there are. */
static List *
all_options(void)
{
	List	   *found = NIL;

	(void) rollup_executef(SPI_OK_SELECT,
						   "SELECT a.attrelid FROM pg_catalog.pg_attribute a JOIN "
						   "pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) a.attrelid WHERE "
						   "a.attname OPERATOR(pg_catalog.=) 'probds_rollup' AND a.attnum "
						   "OPERATOR(pg_catalog.>) 0 AND NOT a.attisdropped AND c.relkind "
						   "OPERATOR(pg_catalog.=) 'r' AND NOT "
						   "pg_catalog.pg_is_other_temp_schema(c.relnamespace) ORDER BY 1");
	for (uint64 i = 0; i < SPI_processed; i++)
		found = lappend_oid(found, DatumGetObjectId(SPI_getbinval(SPI_tuptable->vals[i],
																  SPI_tuptable->tupdesc, 1,
																  &(bool) {false})));
	return found;
}

/*
 * A setting of ours does nothing in sessions that have not loaded the library.  Say so where a role
 * or the database has one, and nothing has sessions load it.
 */
static void
notice_idle_settings(void)
{
	static const char *const preload[] = {"shared_preload_libraries", "session_preload_libraries",
		"local_preload_libraries"};

	for (int i = 0; i < (int) lengthof(preload); i++)
	{
		const char *libraries = GetConfigOption(preload[i], true, false);

		if (libraries != NULL && strstr(libraries, "probds") != NULL)
			return;
	}
	(void) rollup_executef(SPI_OK_SELECT,
		"WITH set AS (SELECT s.setrole AS role, l AS line FROM pg_catalog.pg_db_role_setting s, "
		"pg_catalog.unnest(s.setconfig) l WHERE s.setdatabase OPERATOR(pg_catalog.=) 0 OR "
		"s.setdatabase OPERATOR(pg_catalog.=) (SELECT d.oid FROM pg_catalog.pg_database d WHERE "
		"d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database())) "
		"SELECT pg_catalog.split_part(s.line, '=', 1), "
		"CASE s.role WHEN 0 THEN NULL ELSE pg_catalog.pg_get_userbyid(s.role) END FROM set s "
		"WHERE pg_catalog.starts_with(s.line, 'probds.') AND NOT EXISTS (SELECT FROM set p WHERE "
		"(p.role OPERATOR(pg_catalog.=) 0 OR p.role OPERATOR(pg_catalog.=) s.role) AND p.line "
		"OPERATOR(pg_catalog.~) '^(session|local)_preload_libraries=.*probds') ORDER BY 2, 1");
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple	row = SPI_tuptable->vals[i];
		char	   *name = SPI_getvalue(row, SPI_tuptable->tupdesc, 1);
		char	   *role = SPI_getvalue(row, SPI_tuptable->tupdesc, 2);

		/* while an extension is created, notices are off */
		ereport(creating_extension ? WARNING : NOTICE,
				(role != NULL ? errmsg("setting \"%s\" of role %s has no effect", name,
									   quote_identifier(role)) :
				 errmsg("setting \"%s\" of the database has no effect", name),
				 errdetail("No session loads the library before its first query is planned."),
				 errhint("Run ALTER DATABASE %s SET session_preload_libraries = 'probds'.",
						 quote_identifier(get_database_name(MyDatabaseId)))));
	}
}

/*
 * probds_rollups(): one row for each rollup that the caller may read, and a notice for each setting
 * that does nothing
 */
PG_FUNCTION_INFO_V1(probds_rollups);
Datum
probds_rollups(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Tuplestorestate *rows = pds_begin_rows(fcinfo);
	PdsScope	scope;
	ListCell   *lc;
	List	   *all;

	SPI_connect();
	pds_scope_enter_path(&scope);
	all = all_options();
	notice_idle_settings();
	pds_scope_leave(&scope);
	foreach(lc, all)
	{
		Datum		values[COLUMNS];
		bool		nulls[COLUMNS];

		if (fill(lfirst_oid(lc), values, nulls))
			tuplestore_putvalues(rows, result->setDesc, values, nulls);
	}
	SPI_finish();
	return (Datum) 0;
}

/* ---------- what is due ---------- */

typedef struct Due
{
	RollupParts parts;
	bool		due;
} Due;

static void
look_whether_due(void *arg)
{
	Due		   *d = arg;
	PdsScope	scope;
	bool		due;

	pds_scope_enter(&scope, d->parts.owner);
	rollup_hold(&d->parts);
	due = rollup_value(psprintf("SELECT 1 FROM %s WHERE schedule IS NOT NULL AND (last_refresh "
								"IS NULL OR (last_refresh OPERATOR(pg_catalog.+) schedule) "
								"OPERATOR(pg_catalog.<=) (pg_catalog.clock_timestamp() "
								"OPERATOR(pg_catalog.+) '1 s'::pg_catalog.interval))",
								pds_relation_name(d->parts.options))) != NULL;
	d->due = due;
	pds_scope_leave(&scope);
}

List *
rollup_due(void)
{
	List	   *sources = NIL;
	List	   *others = NIL;
	PdsScope	scope;
	ListCell   *lc;

	pds_scope_enter_path(&scope);
	foreach(lc, all_options())
	{
		Due			d = {0};
		char	   *why;

		/* one that is damaged keeps no other from being refreshed */
		if (!rollup_find(lfirst_oid(lc), &d.parts) || !OidIsValid(d.parts.owner) ||
			!rollup_is_first(&d.parts) ||
			d.parts.owner != GetUserId() || !pds_attempt(look_whether_due, &d, &why) || !d.due)
			continue;
		if (get_rel_relkind(d.parts.source) == RELKIND_VIEW)
			others = lappend_oid(others, d.parts.shown);
		else
			sources = lappend_oid(sources, d.parts.shown);
	}
	pds_scope_leave(&scope);
	return list_concat(sources, others);
}
