/*
 * rollup_hang.c: where the triggers of a rollup hang
 *
 * Their WHEN conditions mention the row types of the rollup's parts.  So they depend on
 * these, and a trigger is known to be the rollup's own by them.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_trigger.h"
#include "commands/trigger.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "rollup.h"

char
rollup_trigger_state(Oid relation, const RollupParts *parts, const char *function)
{
	char	   *query = psprintf("SELECT t.tgqual, t.tgenabled FROM pg_catalog.pg_trigger t JOIN "
								 "pg_catalog.pg_proc p ON p.oid = t.tgfoid"
								 " WHERE t.tgrelid = %u AND p.prosrc = %s AND t.tgqual IS NOT NULL",
								 relation, quote_literal_cstr(function));

	if (SPI_execute(query, true, 0) != SPI_OK_SELECT)
		elog(ERROR, "SPI_execute failed");
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple	row = SPI_tuptable->vals[i];
		TupleDesc	desc = SPI_tuptable->tupdesc;
		RollupParts other;
		bool		isnull;

		if (rollup_of_trigger(SPI_getvalue(row, desc, 1), &other) &&
			other.progress == parts->progress)
			return DatumGetChar(SPI_getbinval(row, desc, 2, &isnull));
	}
	return 0;
}

bool
rollup_trigger_fires(Oid relation, const RollupParts *parts, const char *function)
{
	char		state = rollup_trigger_state(relation, parts, function);

	return state == TRIGGER_FIRES_ON_ORIGIN || state == TRIGGER_FIRES_ALWAYS;
}

/* A trigger to make. */
typedef struct Hanging
{
	const RollupParts *parts;
	Oid			relation;
	const char *suffix;			/* of its name */
	const char *event;			/* "AFTER INSERT", ... */
	const char *more;			/* between ON table and WHEN */
	const char *condition;		/* one more, or "" */
	const char *function;
} Hanging;

/* A name that no trigger of the relation has. */
static char *
free_name(Oid relation, const char *rollup, const char *suffix)
{
	char	   *name = psprintf("%s%s", rollup, suffix);

	for (int i = 2; OidIsValid(get_trigger_oid(relation, name, true)); i++)
		name = psprintf("%s%s%d", rollup, suffix, i);
	return name;
}

static void
hang(void *arg)
{
	const Hanging *h = arg;
	const RollupParts *parts = h->parts;
	char	   *name = free_name(h->relation, get_rel_name(parts->shown), h->suffix);

	rollup_executef(SPI_OK_UTILITY, "CREATE TRIGGER %s %s ON %s %s"
					" WHEN (NULL::%s IS NULL AND NULL::%s IS NULL AND NULL::%s IS NULL%s%s)"
					" EXECUTE FUNCTION %s.%s()",
					quote_identifier(name), h->event, pds_relation_name(h->relation), h->more,
					pds_relation_name(parts->progress), pds_relation_name(parts->definition),
					pds_relation_name(parts->stored),
					parts->shown == parts->stored ? "" :
					psprintf(" AND NULL::%s IS NULL", pds_relation_name(parts->shown)),
					h->condition, rollup_extension_schema(), h->function);
}

/*
 * A condition that depends on each column of the rollup's table, so that DROP COLUMN is
 * refused, or takes the trigger with it.  It is for one trigger that is not called at each
 * INSERT, since the server parses the condition at each call.
 */
static char *
on_columns(const RollupParts *parts)
{
	StringInfoData s;
	Relation	table = table_open(parts->stored, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(table);

	initStringInfo(&s);
	for (int i = 0; i < desc->natts; i++)
		if (!TupleDescAttr(desc, i)->attisdropped)
			appendStringInfo(&s, " AND (NULL::%s).%s IS NULL", pds_relation_name(parts->stored),
							 quote_identifier(NameStr(TupleDescAttr(desc, i)->attname)));
	table_close(table, NoLock);
	return s.data;
}

/* Updates of other columns than these change nothing; "" if there are none. */
static char *
update_of(const RollupParts *parts)
{
	StringInfoData s;
	ListCell   *lc;

	initStringInfo(&s);
	foreach(lc, rollup_used_columns(parts->definition))
	{
		if (lfirst_int(lc) <= 0)
			return "UPDATE OR ";	/* the whole row */
		appendStringInfo(&s, "%s%s", s.len > 0 ? ", " : "UPDATE OF ",
						 rollup_column_name(parts->source, (AttrNumber) lfirst_int(lc)));
	}
	if (s.len > 0)
		appendStringInfoString(&s, " OR ");
	return s.data;
}

/*
 * Hang a counter of changes.  A refreshed rollup does without where the source cannot have
 * triggers: it is another owner's, or distributed over several machines.  Then refreshes
 * count its rows, and probds_rollups() says so.
 */
static void
hang_counter(Hanging *h, bool refreshed, bool *told)
{
	char	   *why;

	if (!refreshed)
		hang(h);
	else if (!pds_attempt(hang, h, &why) && !*told)
	{
		*told = true;
		ereport(NOTICE,
				(errmsg("updates of counted rows of %s will not be noticed",
						pds_relation_name(h->relation)),
				 errdetail("The table gets no trigger: %s.", why),
				 errhint("Each refresh compares the number of rows in the table with the number "
						 "of rows that it has counted.")));
	}
}

/* What may help if a source cannot have triggers. */
static void
about_trigger(void *arg)
{
	if (geterrcode() != ERRCODE_INSUFFICIENT_PRIVILEGE)
		errhint("If the source cannot have triggers, use refresh => with the column that numbers "
				"its rows.");
}

static void
hang_on_source(const RollupParts *parts, Oid relation, bool refreshed, bool *told)
{
	Hanging		h = {.parts = parts, .relation = relation, .condition = ""};
	ErrorContextCallback context = {error_context_stack, about_trigger, NULL};
	bool		cloned = relation != parts->source && get_rel_relispartition(relation);

	if (!refreshed && rollup_trigger_state(relation, parts, "probds_rollup_insert") == 0)
	{
		h.suffix = "_rollup";
		h.event = "AFTER INSERT";
		h.more = "REFERENCING NEW TABLE AS " ROLLUP_ROWS " FOR EACH STATEMENT";
		h.function = "_probds_rollup_insert";
		error_context_stack = &context;
		hang(&h);
		error_context_stack = context.previous;
	}
	if (rollup_trigger_state(relation, parts, "probds_rollup_change") == 0)
	{
		h.suffix = "_changes";
		h.event = psprintf("AFTER %sDELETE OR TRUNCATE", update_of(parts));
		h.more = "FOR EACH STATEMENT";
		if (!refreshed && relation == parts->source)
			h.condition = on_columns(parts);
		h.function = "_probds_rollup_change";
		hang_counter(&h, refreshed, told);
	}
	/* row triggers of a partitioned table are its partitions' as well */
	if (refreshed && !cloned && rollup_trigger_state(relation, parts, "probds_rollup_late") == 0)
	{
		h.suffix = "_late";
		h.event = "AFTER INSERT";
		h.more = "FOR EACH ROW";
		h.condition = psprintf(" AND %s._probds_rollup_is_late(NEW.%s::pg_catalog.int8, "
							   "ROW(NULL::%s))",
							   rollup_extension_schema(),
								   rollup_column_name(parts->source, parts->number),
							   pds_relation_name(parts->progress));
		h.function = "_probds_rollup_late";
		hang_counter(&h, refreshed, told);
	}
}

void
rollup_make_triggers(const RollupParts *parts, bool refreshed)
{
	List	   *relations = find_all_inheritors(parts->source, NoLock, NULL);
	ListCell   *lc;
	bool		told = false;

	foreach(lc, relations)
		if (get_rel_relkind(lfirst_oid(lc)) != RELKIND_FOREIGN_TABLE)
			hang_on_source(parts, lfirst_oid(lc), refreshed, &told);
	if (rollup_trigger_state(parts->stored, parts, "probds_rollup_guard") == 0)
	{
		Hanging		h = {
			.parts = parts, .relation = parts->stored, .suffix = "_guard",
			.event = "BEFORE INSERT OR UPDATE", .more = "FOR EACH STATEMENT",
			.condition = refreshed ? on_columns(parts) : "",
			.function = "_probds_rollup_guard"
		};

		hang(&h);
	}
}
