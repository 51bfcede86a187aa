/*
 * rollup_trigger.c: what triggers on a source do
 *
 *     INSERT          a part for each group of the new rows
 *     UPDATE, DELETE  a mark for each group of rows that were changed
 *     TRUNCATE        the parts go, too; of a partition, marks for the groups of its rows
 *
 * The triggers are the source's, for all its rollups.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_trigger.h"
#include "commands/trigger.h"
#include "executor/executor.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/rel.h"

#include "rollup.h"

/* ---------- rows that were changed ---------- */

static bool
is_same_value(TupleTableSlot *a, TupleTableSlot *b, int column)
{
	Form_pg_attribute attribute = TupleDescAttr(a->tts_tupleDescriptor, column - 1);
	bool		a_null;
	bool		b_null;
	Datum		a_value = slot_getattr(a, column, &a_null);
	Datum		b_value = slot_getattr(b, column, &b_null);

	if (a_null || b_null)
		return a_null && b_null;
	return datumIsEqual(a_value, b_value, attribute->attbyval, attribute->attlen);
}

static bool
is_same_row(const RollupKnown *k, TupleTableSlot *a, TupleTableSlot *b)
{
	ListCell   *lc;

	foreach(lc, k->used)
		if (!is_same_value(a, b, lfirst_int(lc)))
			return false;
	return true;
}

/* Read a transition table from its beginning, by a pointer of our own. */
static int
begin_reading(Tuplestorestate *store)
{
	int			pointer = tuplestore_alloc_read_pointer(store, EXEC_FLAG_REWIND);

	tuplestore_select_read_pointer(store, pointer);
	tuplestore_rescan(store);
	return pointer;
}

/*
 * The rows before and after an UPDATE that differ in a column that the query uses.  Rows are
 * compared in the order in which both tables have them.  That a row and its own successor meet
 * is not needed: two equal rows, one of each table, change no group, whichever they are.
 */
static Tuplestorestate *
changed_rows(const RollupKnown *k, Relation rel, Tuplestorestate *before, Tuplestorestate *after)
{
	Tuplestorestate *changed = tuplestore_begin_heap(false, false, work_mem);
	TupleTableSlot *a = MakeSingleTupleTableSlot(RelationGetDescr(rel), &TTSOpsMinimalTuple);
	TupleTableSlot *b = MakeSingleTupleTableSlot(RelationGetDescr(rel), &TTSOpsMinimalTuple);
	int			at_a = begin_reading(before);
	int			at_b = begin_reading(after);

	for (;;)
	{
		bool		has_a;
		bool		has_b;

		CHECK_FOR_INTERRUPTS();
		tuplestore_select_read_pointer(before, at_a);
		has_a = tuplestore_gettupleslot(before, true, false, a);
		tuplestore_select_read_pointer(after, at_b);
		has_b = tuplestore_gettupleslot(after, true, false, b);
		if (!has_a && !has_b)
			break;
		if (has_a && has_b && is_same_row(k, a, b))
			continue;
		if (has_a)
			tuplestore_puttupleslot(changed, a);
		if (has_b)
			tuplestore_puttupleslot(changed, b);
	}
	tuplestore_select_read_pointer(before, 0);
	tuplestore_select_read_pointer(after, 0);
	ExecDropSingleTupleTableSlot(a);
	ExecDropSingleTupleTableSlot(b);
	return changed;
}

static void
mark_updated(RollupKnown *k, TriggerData *trigger)
{
	Tuplestorestate *changed = changed_rows(k, trigger->tg_relation, trigger->tg_oldtable,
											trigger->tg_newtable);

	if (tuplestore_tuple_count(changed) > 0)
		rollup_append(k, trigger->tg_relation, changed, true);
	tuplestore_end(changed);
}

/* ---------- rows that are all gone ---------- */

/* Before a table is truncated: the whole source, or a partition of it, or a parent or a child. */
static void
before_truncation(RollupKnown *k, Relation rel)
{
	PdsScope	scope;

	if (RelationGetRelid(rel) == k->parts.source &&
		(RelationGetForm(rel)->relkind == RELKIND_PARTITIONED_TABLE ||
		 find_inheritance_children(RelationGetRelid(rel), NoLock) == NIL))
		rollup_empty(&k->parts);
	else if (RelationGetForm(rel)->relkind == RELKIND_RELATION)
	{
		pds_scope_enter(&scope, k->parts.owner);
		rollup_apply_settings(k->options.settings);
		SPI_connect();
		/* where the whole source goes, its parts have gone before */
		if (rollup_execute_latest(SPI_OK_SELECT,
								  psprintf("SELECT FROM %s LIMIT 1",
										   pds_relation_name(k->parts.stored))) > 0)
			rollup_mark(&k->parts, &k->options, rel);
		SPI_finish();
		pds_scope_leave(&scope);
	}
}

/* ---------- the triggers ---------- */

static void
require_called_as(bool as_expected)
{
	if (!as_expected)
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function can only be called by a trigger of a rollup"),
				 errhint("probds_create_rollup() creates these triggers.")));
}

/* The rows of the statement's event, or NULL for TRUNCATE. */
static Tuplestorestate *
rows_of(const TriggerData *trigger)
{
	return TRIGGER_FIRED_BY_DELETE(trigger->tg_event) ? trigger->tg_oldtable :
		trigger->tg_newtable;
}

bool
rollup_tells(const Trigger *trigger, int16 events)
{
	return (trigger->tgtype & events & TRIGGER_TYPE_EVENT_MASK) != 0 && trigger->tgqual == NULL &&
		trigger->tgnattr == 0 && !TRIGGER_FOR_ROW(trigger->tgtype) &&
		TRIGGER_FOR_BEFORE(trigger->tgtype) == (TRIGGER_FOR_TRUNCATE(trigger->tgtype) != 0);
}

/* Does another trigger do the same?  Who may hang triggers could have rows counted twice. */
static bool
is_second(const TriggerData *trigger)
{
	const Trigger *this = trigger->tg_trigger;
	const TriggerDesc *desc = trigger->tg_relation->trigdesc;

	for (int i = 0; desc != NULL && i < desc->numtriggers; i++)
		if (desc->triggers[i].tgfoid == this->tgfoid &&
			rollup_tells(&desc->triggers[i], this->tgtype))
			return desc->triggers[i].tgoid != this->tgoid;
	return false;
}

/* A statement's rows have come, gone or changed, or will all be gone. */
static void
take(RollupKnown *k, Relation rel, void *arg)
{
	TriggerData *trigger = arg;

	if (TRIGGER_FIRED_BY_TRUNCATE(trigger->tg_event))
		before_truncation(k, rel);
	else if (TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))
		mark_updated(k, trigger);
	else
		rollup_append(k, rel, rows_of(trigger), TRIGGER_FIRED_BY_DELETE(trigger->tg_event));
}

/* Trigger function: rows of a source have come, gone, or changed */
PG_FUNCTION_INFO_V1(probds_rollup_trigger);
Datum
probds_rollup_trigger(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	Tuplestorestate *rows;
	bool		truncated;

	require_called_as(CALLED_AS_TRIGGER(fcinfo) && !TRIGGER_FIRED_FOR_ROW(trigger->tg_event));
	truncated = TRIGGER_FIRED_BY_TRUNCATE(trigger->tg_event);
	rows = rows_of(trigger);
	require_called_as(truncated || rows != NULL);
	require_called_as(!TRIGGER_FIRED_BY_UPDATE(trigger->tg_event) || trigger->tg_oldtable != NULL);
	if ((!truncated && tuplestore_tuple_count(rows) == 0) || is_second(trigger))
		PG_RETURN_POINTER(NULL);
	rollup_tell(trigger->tg_relation, take, trigger);
	PG_RETURN_POINTER(NULL);
}

/*
 * Trigger function: parts come from the source.  A data-only restore would write them once more,
 * beside those of the source's rows.
 */
PG_FUNCTION_INFO_V1(probds_rollup_guard);
Datum
probds_rollup_guard(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	RollupParts parts;

	require_called_as(CALLED_AS_TRIGGER(fcinfo) && TRIGGER_FIRED_BEFORE(trigger->tg_event));
	if (InSecurityRestrictedOperation() ||
		!rollup_find(RelationGetRelid(trigger->tg_relation), &parts))
		PG_RETURN_POINTER(NULL);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("rollup %s cannot be modified directly",
					pds_relation_name(parts.shown)),
			 errdetail("Its parts are computed from the rows of %s.",
					   pds_relation_name(parts.source)),
			 errhint("To restore only data, use --disable-triggers or leave out the rollup. To "
					 "rebuild it from its source, call probds_rebuild_rollup().")));
}
