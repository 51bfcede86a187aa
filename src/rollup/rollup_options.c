/*
 * rollup_options.c: the row of options and what sets it, and the settings that a rollup's
 * statements run with
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/comment.h"
#include "commands/extension.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

#include "run_as.h"
#include "rollup.h"

/* The settings that change what an expression means, beside the search path */
static const char *const meaning[] = {
	"TimeZone", "timezone_abbreviations", "DateStyle", "IntervalStyle",
	"extra_float_digits", "bytea_output", "lc_monetary", "lc_numeric", "lc_time",
	"array_nulls", "xmloption", "default_text_search_config", "transform_null_equals",
	"backslash_quote", "standard_conforming_strings", "quote_all_identifiers", "xmlbinary"
};

ArrayType *
rollup_current_settings(void)
{
	Datum		values[2 * lengthof(meaning)];

	for (size_t i = 0; i < lengthof(meaning); i++)
	{
		values[2 * i] = CStringGetTextDatum(meaning[i]);
		values[2 * i + 1] = CStringGetTextDatum(GetConfigOptionByName(meaning[i], NULL, false));
	}
	return construct_array(values, lengthof(values), TEXTOID, -1, false, TYPALIGN_INT);
}

void
rollup_apply_settings(char **settings)
{
	for (; settings != NULL && settings[0] != NULL && settings[1] != NULL; settings += 2)
	{
		size_t		i = 0;

		/* a row of options may ask for these alone; to set one costs more than to look */
		while (i < lengthof(meaning) && pg_strcasecmp(meaning[i], settings[0]) != 0)
			i++;
		if (i < lengthof(meaning) &&
			strcmp(GetConfigOption(meaning[i], false, false), settings[1]) != 0)
			pds_scope_set(meaning[i], settings[1]);
	}
}

/* A text[] of settings as C strings, with NULL behind the last. */
static char **
settings_of(Datum array)
{
	Datum	   *elements;
	int			n;
	char	  **settings;

	deconstruct_array(DatumGetArrayTypeP(array), TEXTOID, -1, false, TYPALIGN_INT, &elements,
					  NULL, &n);
	n -= n % 2;
	settings = palloc(((size_t) n + 1) * sizeof(char *));
	for (int i = 0; i < n; i++)
		settings[i] = TextDatumGetCString(elements[i]);
	settings[n] = NULL;
	return settings;
}

void
rollup_hold(const RollupParts *parts)
{
	if (!pds_hold_relation(parts->options, parts->owner) ||
		!pds_hold_relation(parts->query, parts->owner) ||
		!pds_hold_relation(parts->stored, parts->owner))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the rollup has just been dropped, or has another owner")));
}

void
rollup_read_options(const RollupParts *parts, RollupOptions *options)
{
	Datum		value[4];
	bool		isnull[4];
	HeapTuple	row;
	TupleDesc	desc;
	MemoryContext caller = CurrentMemoryContext;

	rollup_hold(parts);
	/* the types are what we read them as, whatever its owner has made of the columns */
	if (SPI_execute(psprintf("SELECT o.probds_rollup::pg_catalog.int4, o.live::pg_catalog.bool, "
							 "o.built::pg_catalog.bool, o.settings::pg_catalog.text[], "
							 "o.retention::pg_catalog.text, o.frozen_after::pg_catalog.text "
							 "FROM %s o", pds_relation_name(parts->options)), true, 2) !=
		SPI_OK_SELECT ||
		SPI_processed != 1)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("table %s does not have one row", pds_relation_name(parts->options)),
				 errdetail("The row holds the options of rollup %s.",
						   pds_relation_name(parts->shown)),
				 errhint("Restore the row, or drop the rollup with probds_drop_rollup() and "
						 "create it again.")));
	MemoryContextSwitchTo(caller);	/* SPI has left its own */
	row = SPI_tuptable->vals[0];
	desc = SPI_tuptable->tupdesc;
	for (int i = 0; i < (int) lengthof(value); i++)
		value[i] = SPI_getbinval(row, desc, i + 1, &isnull[i]);
	if (isnull[0] || DatumGetInt32(value[0]) != ROLLUP_FORMAT)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("rollup %s has a format that this version of probds does not support",
						pds_relation_name(parts->shown))));
	options->live = !isnull[1] && DatumGetBool(value[1]);
	options->built = !isnull[2] && DatumGetBool(value[2]) &&
		!rollup_has_note(parts->options, ROLLUP_MISSED);
	options->settings = isnull[3] ? NULL : settings_of(value[3]);
	options->retention = SPI_getvalue(row, desc, 5);
	options->frozen_after = SPI_getvalue(row, desc, 6);
}

void
rollup_enter(PdsScope *scope, const RollupParts *parts, RollupOptions *options)
{
	pds_scope_enter(scope, parts->owner);
	PushActiveSnapshot(GetLatestSnapshot());
	rollup_read_options(parts, options);
	PopActiveSnapshot();
	rollup_apply_settings(options->settings);
}

/* ---------- notes ---------- */

/* A note is a comment on a column of the options: it can be set without running code of theirs. */
static const struct
{
	const char *column;
	const char *comment;
} notes[] = {
	[ROLLUP_MISSED] = {"built", "changes were missed since the rollup was built"},
	[ROLLUP_KEPT] = {"retention", "groups were deleted or frozen since the rollup was built"}
};

bool
rollup_has_note(Oid options, RollupNote note)
{
	AttrNumber	attno = get_attnum(options, notes[note].column);

	return attno != InvalidAttrNumber && GetComment(options, RelationRelationId, attno) != NULL;
}

void
rollup_note(Oid options, RollupNote note, bool is_so)
{
	AttrNumber	attno = get_attnum(options, notes[note].column);

	if (attno == InvalidAttrNumber || is_so == rollup_has_note(options, note))
		return;
	CreateComments(options, RelationRelationId, attno, is_so ? notes[note].comment : NULL);
	CacheInvalidateRelcacheByRelid(options);
}

/* ---------- retention, freezing and schedule ---------- */

/* 22023: retention and freezing are told by the first column. */
static void
require_time(const RollupParts *parts, const char *option)
{
	RollupDefinition d;
	Oid			type;

	rollup_read_definition(parts->query, &d);
	type = d.column[0].type;
	if (!d.column[0].is_key || (type != DATEOID && type != TIMESTAMPOID && type != TIMESTAMPTZOID))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("option \"%s\" requires a date or timestamp as the first column, and to "
						"group by it", option)));
}

/*
 * One job of pg_cron for each role that has rollups with a schedule.  That role is the current
 * user: pg_cron runs a job as the role that made it.
 */
static void
schedule_job(void)
{
	Oid			cron = get_extension_oid("pg_cron", true);
	char	   *call = psprintf("CALL %s.probds_refresh_due_rollups()",
								rollup_extension_schema());

	if (!OidIsValid(cron))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("a schedule needs the extension pg_cron in this database"),
				 errdetail("On Debian it is in the package postgresql-%s-cron.",
						   PG_MAJORVERSION),
				 errhint("pg_cron lives in one database. There, cron.schedule_in_database() "
						 "schedules a command for another one, such as: CALL "
						 "probds_refresh_rollup('...').")));
	if (rollup_value("SELECT 1 WHERE pg_catalog.has_schema_privilege('cron', 'USAGE')") == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("a schedule needs the privilege USAGE on schema \"cron\""),
				 errhint("GRANT USAGE ON SCHEMA cron TO %s.",
						 quote_identifier(GetUserNameFromId(GetUserId(), false)))));

	/* the role's job of this name, if there is one, becomes this one */
	(void) rollup_value(psprintf("SELECT cron.schedule('probds rollups', '* * * * *', %s)",
								 quote_literal_cstr(call)));
}

/* Set an option; an interval of 0 is none. */
static void
set_interval(const RollupParts *parts, const char *option, const Interval *value)
{
	PdsScope	scope;
	char	   *literal = quote_literal_cstr(DatumGetCString(
		DirectFunctionCall1(interval_out, IntervalPGetDatum(value))));
	bool		none = value->time == 0 && value->day == 0 && value->month == 0;
	bool		is_schedule = strcmp(option, "schedule") == 0;

	if (!none)
	{
		if (!is_schedule)
			require_time(parts, option);
		if (rollup_value(psprintf("SELECT 1 WHERE %s::pg_catalog.interval "
								  "OPERATOR(pg_catalog.<) '0'::pg_catalog.interval",
								  literal)) != NULL)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("option \"%s\" must not be negative", option)));
		/* one that leads out of the range of time would stop writers */
		(void) rollup_value(psprintf("SELECT pg_catalog.now() OPERATOR(pg_catalog.%s) "
									 "%s::pg_catalog.interval", is_schedule ? "+" : "-", literal));
	}
	pds_scope_enter(&scope, parts->owner);
	rollup_hold(parts);
	if (is_schedule && !none)
		schedule_job();
	if (none && !is_schedule &&
		rollup_value(psprintf("SELECT 1 FROM %s WHERE %s IS NOT NULL",
							  pds_relation_name(parts->options), option)) != NULL)
		rollup_note(parts->options, ROLLUP_KEPT, true);
	(void) rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET %s = %s",
						   pds_relation_name(parts->options), option,
						   none ? "NULL" : literal);
	pds_scope_leave(&scope);
}

void
rollup_set_intervals(const RollupParts *parts, FunctionCallInfo fcinfo, int i)
{
	static const char *const options[] = {"retention", "frozen_after", "schedule"};

	for (size_t n = 0; n < lengthof(options); n++)
		if (!PG_ARGISNULL(i + n))
			set_interval(parts, options[n], PG_GETARG_INTERVAL_P(i + n));
}
