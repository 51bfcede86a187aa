/*
 * rollup_trigger.c: what triggers on a source do
 *
 *     INSERT          a part for each group of the new rows
 *     UPDATE, DELETE  a mark for each group of rows that were changed
 *     TRUNCATE        the parts go, too; of a partition, marks for the groups of its rows
 *
 * The triggers are the source's, for all its rollups.  A session keeps what it knows of a source,
 * with plans.  The rows of a rollup's view are a source like any other for its rollups; its
 * "triggers" are calls from here.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "access/table.h"
#include "access/tupconvert.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_trigger.h"
#include "commands/trigger.h"
#include "common/hashfn.h"
#include "executor/executor.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "rewrite/rewriteHandler.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/syscache.h"

#include "rollup.h"

/* ---------- what a session knows of a source ---------- */

typedef struct Known
{
	RollupParts parts;
	RollupDefinition d;
	RollupOptions options;
	List	   *used;			/* columns of the relation that the query uses: numbers */
	bool		has_rollups;	/* it is a source itself */
	PlannedStmt *append;		/* NULL until they are needed */
	PlannedStmt *mark;
	SPIPlanPtr	fold[2];		/* of groups without and with NULLs */
} Known;

typedef struct KnownSource
{
	Oid			relation;		/* the key: a source, or a partition or a child of one */
	bool		valid;			/* nothing has changed since we began to learn */
	bool		learning;
	int			busy;			/* how many plans are running, one within the other */
	int			n;
	Known	   *rollup;
	List	   *concerns;		/* relations whose change makes it invalid */
	List	   *untold;			/* options of rollups that miss what is written, not said yet */
	MemoryContext context;
} KnownSource;

static HTAB *known_sources = NULL;

static void
relation_changed(Datum arg, Oid relation)
{
	HASH_SEQ_STATUS status;
	KnownSource *known;

	hash_seq_init(&status, known_sources);
	while ((known = hash_seq_search(&status)) != NULL)
		if (!OidIsValid(relation) || relation == known->relation ||
			list_member_oid(known->concerns, relation))
			known->valid = false;
}

/* Anything may depend on any function, type or operator that has changed. */
static void
catalog_changed(Datum arg, int cacheid, uint32 hashvalue)
{
	if (hashvalue != ROLLUP_NO_FUNCTION)
		relation_changed(arg, InvalidOid);
}

static void
forget(KnownSource *known)
{
	/* what is running further up is left to it */
	if (known->context != NULL && known->busy == 0)
	{
		for (int i = 0; i < known->n; i++)
			for (int j = 0; j < 2; j++)
				if (known->rollup[i].fold[j] != NULL)
					(void) SPI_freeplan(known->rollup[i].fold[j]);
		MemoryContextDelete(known->context);
	}
	known->context = NULL;
	known->concerns = NIL;
	known->untold = NIL;
	known->rollup = NULL;
	known->n = 0;
}

/* Those of dropped tables would stay for ever. */
static void
forget_invalid(void)
{
	HASH_SEQ_STATUS status;
	KnownSource *known;

	hash_seq_init(&status, known_sources);
	while ((known = hash_seq_search(&status)) != NULL)
		if (!known->valid && !known->learning && known->busy == 0)
		{
			forget(known);
			(void) hash_search(known_sources, &known->relation, HASH_REMOVE, NULL);
		}
}

static KnownSource *
known_source(Oid relation)
{
	static long most = 0;		/* beyond so many we look for what is invalid */
	KnownSource *known;
	bool		found;

	if (known_sources == NULL)
	{
		HASHCTL		ctl = {.keysize = sizeof(Oid), .entrysize = sizeof(KnownSource)};

		known_sources = hash_create("probds rollup sources", 16, &ctl, HASH_ELEM | HASH_BLOBS);
		CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
		CacheRegisterSyscacheCallback(PROCOID, catalog_changed, (Datum) 0);
		CacheRegisterSyscacheCallback(TYPEOID, catalog_changed, (Datum) 0);
		CacheRegisterSyscacheCallback(OPEROID, catalog_changed, (Datum) 0);
		CacheRegisterSyscacheCallback(AMOPOPID, catalog_changed, (Datum) 0);
	}
	if (hash_get_num_entries(known_sources) >= most)
	{
		forget_invalid();
		most = Max(64, 2 * hash_get_num_entries(known_sources));
	}
	known = hash_search(known_sources, &relation, HASH_ENTER, &found);
	if (!found)
	{
		memset(known, 0, sizeof(*known));
		known->relation = relation;
	}
	return known;
}

/* A virtual generated column has no value in a row: what it is computed from is used. */
static void
learn_computed(Known *k, Relation rel, int number)
{
	Bitmapset  *from = NULL;
	int			i = -1;

	pull_varattnos(build_column_default(rel, number), 1, &from);
	while ((i = bms_next_member(from, i)) >= 0)
		if (i + FirstLowInvalidHeapAttributeNumber > 0)
			k->used = list_append_unique_int(k->used, i + FirstLowInvalidHeapAttributeNumber);
}

/* The columns of a relation that are those that a query uses of its source. */
static void
learn_used(Known *k, Relation rel)
{
	TupleDesc	desc = RelationGetDescr(rel);
	List	   *of_source = rollup_used_columns(k->parts.query);

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(desc, i);

		if (attribute->attisdropped ||
			(!list_member_int(of_source, 0) &&
			 !list_member_int(of_source, get_attnum(k->parts.source,
													NameStr(attribute->attname)))))
			continue;
		k->used = list_append_unique_int(k->used, i + 1);
		if (attribute->attgenerated == 'v')
			learn_computed(k, rel, i + 1);
	}
}

/* What there is to know of one rollup. */
typedef struct Learning
{
	Known	   *k;
	Relation	rel;
	MemoryContext context;
} Learning;

static void
learn_one(void *arg)
{
	Learning   *l = arg;
	Known	   *k = l->k;
	PdsScope	scope;
	MemoryContext old;

	rollup_require_plain(&k->parts);
	SPI_connect();
	old = MemoryContextSwitchTo(l->context);
	rollup_enter(&scope, &k->parts, &k->options);
	rollup_read_definition(k->parts.query, &k->d);
	learn_used(k, l->rel);
	k->has_rollups = rollup_list_of_source(k->parts.shown) != NIL;
	MemoryContextSwitchTo(old);
	pds_scope_leave(&scope);
	SPI_finish();
}

/*
 * A rollup misses what is written now, until it is rebuilt.  A comment on its options says so:
 * that runs no code of theirs.  Where somebody else is at it, the next statement tries again.
 */
static bool
could_note(Oid options)
{
	if (rollup_has_note(options, ROLLUP_MISSED))
		return true;
	if (!ConditionalLockRelationOid(options, ShareUpdateExclusiveLock))
		return false;
	/* what we know becomes invalid by that, and again if it is rolled back */
	rollup_note(options, ROLLUP_MISSED, true);
	return true;
}

/* A rollup that is damaged stops no writer; probds_rollups() says what is wrong. */
static void
learn(KnownSource *known, Relation rel)
{
	List	   *unwatched;
	List	   *found = rollup_list_all_of_source(known->relation, &unwatched);
	ListCell   *lc;
	MemoryContext old;

	/* what comes in from here on makes it invalid again */
	forget(known);
	known->valid = true;
	known->context = AllocSetContextCreate(CacheMemoryContext, "probds rollup source",
										   ALLOCSET_SMALL_SIZES);
	known->rollup = MemoryContextAllocZero(known->context,
										   (list_length(found) + 1) * sizeof(Known));
	old = MemoryContextSwitchTo(known->context);
	known->concerns = list_copy(rollup_ancestors(known->relation));
	foreach(lc, list_concat_copy(found, unwatched))
	{
		const RollupParts *parts = lfirst(lc);

		known->concerns = lappend_oid(known->concerns, parts->options);
		known->concerns = lappend_oid(known->concerns, parts->query);
		known->concerns = lappend_oid(known->concerns, parts->stored);
		known->concerns = lappend_oid(known->concerns, parts->shown);
	}
	MemoryContextSwitchTo(old);
	foreach(lc, found)
	{
		Learning	l = {&known->rollup[known->n], rel, known->context};
		const RollupParts *parts = lfirst(lc);
		char	   *why;

		l.k->parts = *parts;
		/* who gives up waiting for a lock has not found the rollup damaged */
		LockRelationOid(parts->options, AccessShareLock);
		LockRelationOid(parts->stored, RowExclusiveLock);
		if (pds_attempt(learn_one, &l, &why))
			known->n++;
		else
		{
			memset(l.k, 0, sizeof(Known));
			unwatched = lappend(unwatched, lfirst(lc));
		}
	}
	old = MemoryContextSwitchTo(known->context);
	foreach(lc, unwatched)
		known->untold = lappend_oid(known->untold, ((const RollupParts *) lfirst(lc))->options);
	MemoryContextSwitchTo(old);
}

/* Learn, but not from code of a rollup's owner that runs while we learn: it could write here. */
static void
learn_once(KnownSource *known, Relation rel)
{
	if (known->learning)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_IN_USE),
				 errmsg("rows of %s cannot be changed while its rollups are looked up",
						pds_relation_name(known->relation))));
	known->learning = true;
	PG_TRY();
	{
		learn(known, rel);
	}
	PG_CATCH();
	{
		known->valid = known->learning = false;
		PG_RE_THROW();
	}
	PG_END_TRY();
	known->learning = false;
}

/*
 * The rollups of a relation's rows, their parts locked.  What a session knows may become invalid
 * until they are locked; from then on it holds.
 */
static KnownSource *
lock_known(Relation rel)
{
	KnownSource *known = known_source(RelationGetRelid(rel));
	ListCell   *lc;

	for (int tries = 0; tries < 10; tries++)
	{
		if (!known->valid || known->learning)
			learn_once(known, rel);
		for (int i = 0; i < known->n; i++)
			LockRelationOid(known->rollup[i].parts.stored, RowExclusiveLock);
		if (known->valid)
			break;
	}
	foreach(lc, known->untold)
		if (could_note(lfirst_oid(lc)))
			known->untold = foreach_delete_current(known->untold, lc);
	return known;
}

/* Is the relation still a part of the source?  A table between them can have been detached. */
static bool
is_of_source(Relation rel, const Known *k)
{
	Oid			source = k->parts.source;

	if (RelationGetRelid(rel) != source &&
		!typeInheritsFrom(RelationGetForm(rel)->reltype, get_rel_type_id(source)))
		return false;
	if (rollup_may_watch(&k->parts))
		return true;
	(void) could_note(k->parts.options);
	return false;
}

/* ---------- appending ---------- */

/*
 * A fold of one group.  The plan for groups without NULLs is generic, because planning takes longer
 * than folding.  It must look up the index, however small the parts are when it is made.  A bitmap
 * scan would visit all dead parts of the group each time: only a plain one notes them in the index.
 */
static SPIPlanPtr
fold_plan(Known *k, bool nulls)
{
	if (k->fold[nulls] == NULL)
	{
		Oid		   *types = palloc(k->d.columns * sizeof(Oid));

		for (int i = 0, n = 0; i < k->d.columns; i++)
			if (k->d.column[i].is_key)
				types[n++] = k->d.column[i].type;
		k->fold[nulls] = SPI_prepare_cursor(rollup_fold_text(&k->parts, &k->d, nulls), k->d.keys,
											types, nulls ? CURSOR_OPT_CUSTOM_PLAN :
											CURSOR_OPT_GENERIC_PLAN);
		if (k->fold[nulls] == NULL || SPI_keepplan(k->fold[nulls]) != 0)
			elog(ERROR, "could not prepare a fold");
	}
	return k->fold[nulls];
}

static void
look_whether_deletable(void *rel)
{
	CheckCmdReplicaIdentity(rel, CMD_DELETE);
}

bool
rollup_is_deletable(Oid stored)
{
	Relation	rel = table_open(stored, NoLock);
	char	   *why;
	bool		result = RelationGetForm(rel)->relreplident == REPLICA_IDENTITY_FULL ||
		pds_attempt(look_whether_deletable, rel, &why);

	table_close(rel, NoLock);
	return result;
}

/*
 * Merge parts of some groups that were appended to: of one in ROLLUP_FOLD_ONE_IN, beginning with
 * one that is drawn.  In the scope of the rollup's owner.
 */
static void
fold_some(Known *k, Tuplestorestate *appended)
{
	static uint32 draws = 0;
	int64		skipped = murmurhash32(murmurhash32((uint32) MyProcPid) + draws++) %
		ROLLUP_FOLD_ONE_IN;
	TupleTableSlot *slot;
	Relation	query;
	Datum	   *values;
	char	   *nulls;

	if (skipped >= tuplestore_tuple_count(appended) || !rollup_is_deletable(k->parts.stored))
		return;
	SPI_connect();
	pds_scope_set("enable_seqscan", "off");
	pds_scope_set("enable_bitmapscan", "off");
	/* a scan that is off all the same, for want of keys, looks expensive enough to be compiled */
	pds_scope_set("jit", "off");
	values = palloc(k->d.columns * sizeof(Datum));
	nulls = palloc(k->d.columns + 1);
	query = table_open(k->parts.query, AccessShareLock);
	slot = MakeSingleTupleTableSlot(RelationGetDescr(query), &TTSOpsMinimalTuple);
	while (tuplestore_skiptuples(appended, skipped, true) &&
		   tuplestore_gettupleslot(appended, true, false, slot))
	{
		bool		has_null = false;

		for (int i = 0, n = 0; i < k->d.columns; i++)
			if (k->d.column[i].is_key)
			{
				bool		isnull;

				values[n] = slot_getattr(slot, i + 1, &isnull);
				nulls[n++] = isnull ? 'n' : ' ';
				has_null |= isnull;
			}
		if (SPI_execute_plan(fold_plan(k, has_null), values, nulls, false, 0) != SPI_OK_INSERT)
			elog(ERROR, "could not fold");
		skipped = ROLLUP_FOLD_ONE_IN - 1;
	}
	ExecDropSingleTupleTableSlot(slot);
	table_close(query, NoLock);
	SPI_finish();
}

/* Append a part for each group of these rows, or a mark, and do what follows from it. */
static void
append(KnownSource *known, Known *k, Relation rel, Tuplestorestate *store, bool marks)
{
	QueryEnvironment *env = rollup_environment(RelationGetRelid(rel), store);
	PlannedStmt **plan = marks ? &k->mark : &k->append;
	Tuplestorestate *appended;
	PdsScope	scope;

	pds_scope_enter(&scope, k->parts.owner);
	rollup_apply_settings(k->options.settings);
	if (*plan == NULL)
	{
		PlannedStmt *made = rollup_plan_append(&k->parts, &k->d, rel, env, marks, &k->options);
		MemoryContext old = MemoryContextSwitchTo(known->context);

		*plan = copyObject(made);
		MemoryContextSwitchTo(old);
	}
	appended = rollup_run_append(*plan, env);

	/* at the other levels a lost race would be an error */
	if (!IsolationUsesXactSnapshot())
		fold_some(k, appended);
	if (k->has_rollups)
		rollup_mark_dependants(&k->parts, appended);
	tuplestore_end(appended);
	pds_scope_leave(&scope);
}

void
rollup_mark(const RollupParts *parts, const RollupOptions *options, Relation relation)
{
	RollupDefinition d;
	Tuplestorestate *marked;

	/* policies of a partition are not for who reads the source, nor may they run as him */
	if (relation != NULL &&
		check_enable_rls(RelationGetRelid(relation), parts->owner, true) == RLS_ENABLED)
	{
		rollup_mark_all(parts, options);
		return;
	}
	rollup_read_definition(parts->query, &d);
	marked = rollup_run_append(rollup_plan_append(parts, &d, relation, NULL, true, options), NULL);
	rollup_mark_dependants(parts, marked);
	tuplestore_end(marked);
}

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
is_same_row(const Known *k, TupleTableSlot *a, TupleTableSlot *b)
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
changed_rows(const Known *k, Relation rel, Tuplestorestate *before, Tuplestorestate *after)
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
mark_updated(KnownSource *known, Known *k, TriggerData *trigger)
{
	Tuplestorestate *changed = changed_rows(k, trigger->tg_relation, trigger->tg_oldtable,
											trigger->tg_newtable);

	if (tuplestore_tuple_count(changed) > 0)
		append(known, k, trigger->tg_relation, changed, true);
	tuplestore_end(changed);
}

/* ---------- rows that are all gone ---------- */

/* Before a table is truncated: the whole source, or a partition of it, or a parent or a child. */
static void
before_truncation(Known *k, Relation rel)
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

/* ---------- what has changed, for all rollups ---------- */

/*
 * Tell the rollups of a relation which of its rows have come, gone or changed: those of a
 * statement, or without a trigger rows of a rollup's view.
 */
static void
tell_rollups(Relation rel, Tuplestorestate *rows, TriggerData *trigger)
{
	KnownSource *known = lock_known(rel);
	Known	   *rollup = known->rollup;
	int			n = known->n;

	known->busy++;
	PG_TRY();
	{
		for (int i = 0; i < n; i++)
		{
			Known	   *k = &rollup[i];

			if (!is_of_source(rel, k))
				continue;
			if (trigger == NULL || TRIGGER_FIRED_BY_DELETE(trigger->tg_event))
				append(known, k, rel, rows, true);
			else if (TRIGGER_FIRED_BY_INSERT(trigger->tg_event))
				append(known, k, rel, rows, false);
			else if (TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))
				mark_updated(known, k, trigger);
			else
				before_truncation(k, rel);
		}
	}
	PG_FINALLY();
	{
		known->busy--;
	}
	PG_END_TRY();
}

void
rollup_mark_dependants(const RollupParts *parts, Tuplestorestate *shown)
{
	Relation	rel;
	Relation	query;

	if (tuplestore_tuple_count(shown) == 0)
		return;
	rel = table_open(parts->shown, AccessShareLock);
	query = table_open(parts->query, AccessShareLock);

	/* the rows have the types of the query; anybody can put a rollup together of any views */
	(void) convert_tuples_by_position(RelationGetDescr(query), RelationGetDescr(rel),
									  "columns of a rollup differ from those of its query");
	tell_rollups(rel, shown, NULL);
	table_close(query, NoLock);
	table_close(rel, NoLock);
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
	tell_rollups(trigger->tg_relation, rows, trigger);
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
