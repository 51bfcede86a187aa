/*
 * rollup_known.c: what a session knows of the rollups of a source, with plans
 *
 * The rows of a rollup's view are a source like any other for its rollups.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "access/table.h"
#include "access/tupconvert.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "common/hashfn.h"
#include "executor/executor.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "rewrite/rewriteHandler.h"
#include "storage/lmgr.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "rollup.h"

/* ---------- what a session knows of a source ---------- */

typedef struct KnownSource
{
	Oid			relation;		/* the key: a source, or a partition or a child of one */
	bool		valid;			/* nothing has changed since we began to learn */
	bool		learning;
	int			busy;			/* how many plans are running, one within the other */
	int			n;
	RollupKnown *rollup;
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
learn_computed(RollupKnown *k, Relation rel, int number)
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
learn_used(RollupKnown *k, Relation rel)
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
	RollupKnown *k;
	Relation	rel;
	MemoryContext context;
} Learning;

static void
learn_one(void *arg)
{
	Learning   *l = arg;
	RollupKnown *k = l->k;
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
										   (list_length(found) + 1) * sizeof(RollupKnown));
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
		l.k->context = known->context;
		/* who gives up waiting for a lock has not found the rollup damaged */
		LockRelationOid(parts->options, AccessShareLock);
		LockRelationOid(parts->stored, RowExclusiveLock);
		if (pds_attempt(learn_one, &l, &why))
			known->n++;
		else
		{
			memset(l.k, 0, sizeof(RollupKnown));
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
is_of_source(Relation rel, const RollupKnown *k)
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
fold_plan(RollupKnown *k, bool nulls)
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
fold_some(RollupKnown *k, Tuplestorestate *appended)
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

void
rollup_append(RollupKnown *k, Relation rel, Tuplestorestate *rows, bool marks)
{
	QueryEnvironment *env = rollup_environment(RelationGetRelid(rel), rows);
	PlannedStmt **plan = marks ? &k->mark : &k->append;
	Tuplestorestate *appended;
	PdsScope	scope;

	pds_scope_enter(&scope, k->parts.owner);
	rollup_apply_settings(k->options.settings);
	if (*plan == NULL)
	{
		PlannedStmt *made = rollup_plan_append(&k->parts, &k->d, rel, env, marks, &k->options);
		MemoryContext old = MemoryContextSwitchTo(k->context);

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

/* ---------- telling all rollups ---------- */

void
rollup_tell(Relation rel, RollupTold told, void *arg)
{
	KnownSource *known = lock_known(rel);
	RollupKnown *rollup = known->rollup;
	int			n = known->n;

	known->busy++;
	PG_TRY();
	{
		for (int i = 0; i < n; i++)
			if (is_of_source(rel, &rollup[i]))
				told(&rollup[i], rel, arg);
	}
	PG_FINALLY();
	{
		known->busy--;
	}
	PG_END_TRY();
}

static void
mark_rows(RollupKnown *k, Relation rel, void *rows)
{
	rollup_append(k, rel, rows, true);
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
	rollup_tell(rel, mark_rows, shown);
	table_close(query, NoLock);
	table_close(rel, NoLock);
}
