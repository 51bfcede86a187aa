/*
 * rollup_trigger.c: triggers on the source of a rollup, and on its table
 *
 *     insert    AFTER INSERT on the source: merge the new rows
 *     change    AFTER UPDATE OR DELETE OR TRUNCATE on the source: count such statements;
 *               AFTER INSERT of a row whose number has been passed: count it
 *     guard     BEFORE INSERT OR UPDATE on the table: only the rollup writes into it
 *
 * A session keeps the plan of the merge for each trigger that has fired in it.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/partition.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "commands/sequence.h"
#include "commands/trigger.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/tuplestore.h"

#include "compat.h"
#include "rollup.h"

int			rollup_writing = 0;

/* ---------- what a session knows of a trigger ---------- */

typedef struct KnownTrigger
{
	Oid			trigger;		/* the key */
	bool		valid;
	bool		unchanged;		/* since it is being learned */
	int			busy;			/* how many merges are running, one within the other */
	RollupParts parts;
	int			slots;
	char	  **settings;
	PlannedStmt *plan;			/* of the merge; NULL until it is needed */
	MemoryContext context;
} KnownTrigger;

static HTAB *known_triggers = NULL;

/* Anything may depend on any relation, function or schema that has changed. */
static void
forget_all(void)
{
	KnownTrigger *known;

	ROLLUP_FOR_EACH_ENTRY(known, known_triggers)
		known->valid = known->unchanged = false;
}

static void
relation_changed(Datum arg, Oid relation)
{
	KnownTrigger *known;

	ROLLUP_FOR_EACH_ENTRY(known, known_triggers)
		if (!OidIsValid(relation) || relation == known->parts.source ||
			relation == known->parts.progress || relation == known->parts.definition ||
			relation == known->parts.stored || relation == known->parts.shown)
			known->valid = known->unchanged = false;
}

static void
catalog_changed(Datum arg, int cacheid, uint32 hashvalue)
{
	forget_all();
}

static KnownTrigger *
known_trigger(Oid trigger)
{
	KnownTrigger *known;
	bool		found;

	if (known_triggers == NULL)
	{
		HASHCTL		ctl = {.keysize = sizeof(Oid), .entrysize = sizeof(KnownTrigger)};

		known_triggers = hash_create("probds rollup triggers", 16, &ctl, HASH_ELEM | HASH_BLOBS);
		CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
		CacheRegisterSyscacheCallback(PROCOID, catalog_changed, (Datum) 0);
		CacheRegisterSyscacheCallback(TYPEOID, catalog_changed, (Datum) 0);
		CacheRegisterSyscacheCallback(OPEROID, catalog_changed, (Datum) 0);
		CacheRegisterSyscacheCallback(AMOPOPID, catalog_changed, (Datum) 0);
	}
	known = hash_search(known_triggers, &trigger, HASH_ENTER, &found);
	if (!found)
	{
		memset(known, 0, sizeof(*known));
		known->trigger = trigger;
	}
	return known;
}

/* Settings that last as long as the session knows the trigger. */
static char **
copy_settings(char **settings)
{
	int			n = 0;
	char	  **copy;

	while (settings != NULL && settings[n] != NULL)
		n++;
	copy = palloc((n + 1) * sizeof(char *));
	for (int i = 0; i < n; i++)
		copy[i] = pstrdup(settings[i]);
	copy[n] = NULL;
	return copy;
}

static void
forget(KnownTrigger *known)
{
	/* what a merge further up is still working with is left to it */
	known->plan = NULL;
	if (known->context != NULL && known->busy == 0)
		MemoryContextDelete(known->context);
	known->context = NULL;
}

/* Learn what a trigger is for, as the owner. */
static void
learn(KnownTrigger *known, const RollupParts *parts)
{
	RollupProgress progress;
	MemoryContext old;

	/* what comes in from here on makes it invalid again */
	forget(known);
	known->parts = *parts;
	known->unchanged = true;
	rollup_connect(0);
	rollup_read_progress(parts, false, &progress);
	known->context = AllocSetContextCreate(CacheMemoryContext, "probds rollup trigger",
										   ALLOCSET_SMALL_SIZES);
	old = MemoryContextSwitchTo(known->context);
	known->settings = copy_settings(progress.settings);
	MemoryContextSwitchTo(old);
	SPI_finish();
	known->slots = progress.slots;
	known->valid = known->unchanged;
}

static void
require_called_as(bool as_expected)
{
	if (!as_expected)
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function can only be called by a trigger of a rollup"),
				 errhint("probds_create_rollup() creates these triggers.")));
}

/* The trigger that calls; "when" is what its event says besides the kind of statement. */
static TriggerData *
trigger_of_call(FunctionCallInfo fcinfo, TriggerEvent when)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	require_called_as(CALLED_AS_TRIGGER(fcinfo) &&
					  (trigger->tg_event & (TRIGGER_EVENT_TIMINGMASK | TRIGGER_EVENT_ROW)) == when);
	return trigger;
}

/*
 * The rollup of a trigger.  False if the trigger is not where one of ours is: on a
 * partition that was detached, or where somebody else has put it.  There it does nothing.
 */
static bool
parts_of_call(const TriggerData *trigger, Oid relation_of(const RollupParts *parts),
			  RollupParts *parts)
{
	Oid			relation = RelationGetRelid(trigger->tg_relation);

	if (!rollup_of_trigger(trigger->tg_trigger->tgqual, parts))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("trigger \"%s\" belongs to no rollup", trigger->tg_trigger->tgname),
				 errhint("Drop it: DROP TRIGGER %s ON %s.",
						 quote_identifier(trigger->tg_trigger->tgname),
							 pds_relation_name(relation))));
	rollup_require_one_owner(parts);
	while (relation != relation_of(parts) && get_rel_relispartition(relation))
		relation = get_partition_parent(relation, false);
	return relation == relation_of(parts);
}

static Oid
source_relation(const RollupParts *parts)
{
	return parts->source;
}

static Oid
stored_relation(const RollupParts *parts)
{
	return parts->stored;
}

/* ---------- new rows ---------- */

/*
 * The slot of this session.  A transaction that cannot see what others have committed
 * since it began would fail when it meets their row: it writes a row of its own.
 */
static int64
own_slot(int slots)
{
	if (slots > 1 && IsolationUsesXactSnapshot())
		return -(int64) GetTopTransactionId();
	return 1 + MyProcPid % slots;
}

/* The new rows, by the name that the definition has for them. */
static QueryEnvironment *
environment_of(TriggerData *trigger)
{
	QueryEnvironment *env = create_queryEnv();
	EphemeralNamedRelation rows = palloc0(sizeof(EphemeralNamedRelationData));

	rows->md.name = ROLLUP_ROWS;
	rows->md.reliddesc = RelationGetRelid(trigger->tg_relation);
	rows->md.enrtype = ENR_NAMED_TUPLESTORE;
	rows->md.enrtuples = (double) tuplestore_tuple_count(trigger->tg_newtable);
	rows->reldata = trigger->tg_newtable;
	register_ENR(env, rows);
	return env;
}

static void
make_plan(KnownTrigger *known, TriggerData *trigger, QueryEnvironment *env)
{
	RollupRows	rows = {.inserted = trigger->tg_relation, .env = env};
	PlannedStmt *plan = rollup_plan_merge(&known->parts, known->slots, &rows);
	MemoryContext old = MemoryContextSwitchTo(known->context);

	known->plan = copyObject(plan);
	MemoryContextSwitchTo(old);
}

/*
 * Merge the new rows as the owner.  What a session knows may become invalid until the
 * table is locked; from then on it holds.
 */
static void
merge_new_rows(KnownTrigger *known, TriggerData *trigger, const RollupParts *parts)
{
	QueryEnvironment *env = environment_of(trigger);

	LockRelationOid(parts->stored, RowExclusiveLock);
	if (!known->valid)
		learn(known, parts);
	rollup_apply_settings(known->settings);
	if (known->plan == NULL)
		make_plan(known, trigger, env);
	known->busy++;
	PG_TRY();
	{
		rollup_run_merge(known->plan, env, known->slots, own_slot(known->slots));
	}
	PG_FINALLY();
	{
		known->busy--;
	}
	PG_END_TRY();
}

/* Trigger function: merge the rows that a statement has inserted into the source */
PG_FUNCTION_INFO_V1(probds_rollup_insert);
Datum
probds_rollup_insert(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = trigger_of_call(fcinfo, TRIGGER_EVENT_AFTER);
	KnownTrigger *known;
	RollupParts parts;
	PdsScope scope;

	require_called_as(TRIGGER_FIRED_BY_INSERT(trigger->tg_event) &&
					  trigger->tg_newtable != NULL &&
					  strcmp(trigger->tg_trigger->tgnewtable, ROLLUP_ROWS) == 0);
	if (tuplestore_tuple_count(trigger->tg_newtable) == 0)
		PG_RETURN_POINTER(NULL);
	known = known_trigger(trigger->tg_trigger->tgoid);
	if (known->valid)
		parts = known->parts;
	else if (!parts_of_call(trigger, source_relation, &parts))
		PG_RETURN_POINTER(NULL);

	pds_scope_enter(&scope, parts.owner);
	merge_new_rows(known, trigger, &parts);
	pds_scope_leave(&scope);
	PG_RETURN_POINTER(NULL);
}

/* ---------- changed rows ---------- */

/*
 * Returns whether the current transaction has changed rows of this table.  A statement that
 * changed no row does not count.  Not known for partitioned tables, and without statistics.
 */
static bool
may_have_changed(Relation rel)
{
	const PgStat_TableStatus *stats = rel->pgstat_info;

	if (!pgstat_track_counts || rel->rd_rel->relkind == RELKIND_PARTITIONED_TABLE)
		return true;
	if (stats == NULL)
		return false;
	for (const PgStat_TableXactStatus *xact = stats->trans; xact != NULL; xact = xact->upper)
		if (xact->tuples_updated > 0 || xact->tuples_deleted > 0)
			return true;
	return false;
}

/*
 * A truncated table may begin to number its rows again, so what comes next must not be
 * taken for rows that are counted.
 */
static void
note_truncation(const RollupParts *parts)
{
	char	   *last = "NULL";

	/* a sequence that will not do is the next refresh's trouble */
	if (parts->number != 0)
		last = psprintf("(SELECT COALESCE(pg_catalog.pg_sequence_last_value("
						"pg_catalog.pg_get_serial_sequence(%s, %s)::pg_catalog.regclass), 0))",
						quote_literal_cstr(pds_relation_name(parts->source)),
						quote_literal_cstr(get_attname(parts->source, parts->number, false)));
	rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET truncated = true, watermark = LEAST(watermark, "
								   "%s), settled = LEAST(settled, %s)",
					pds_relation_name(parts->progress), last, last);
	CacheInvalidateRelcacheByRelid(parts->progress);
}

/* What they count, the rollup's sequence counts; as its owner. */
static void
count_change(const RollupParts *parts, bool truncated)
{
	PdsScope	scope;

	pds_scope_enter(&scope, parts->owner);
	if (truncated)
	{
		rollup_connect(0);
		note_truncation(parts);
		SPI_finish();
	}
	else
		(void) nextval_internal(parts->changes, false);
	pds_scope_leave(&scope);
}

/* Trigger function: rows of the source that are counted were changed */
PG_FUNCTION_INFO_V1(probds_rollup_change);
Datum
probds_rollup_change(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = trigger_of_call(fcinfo, TRIGGER_EVENT_AFTER);
	RollupParts parts;
	bool		truncated = TRIGGER_FIRED_BY_TRUNCATE(trigger->tg_event);

	require_called_as(!TRIGGER_FIRED_BY_INSERT(trigger->tg_event));
	if ((truncated || may_have_changed(trigger->tg_relation)) &&
		parts_of_call(trigger, source_relation, &parts))
		count_change(&parts, truncated);
	PG_RETURN_POINTER(NULL);
}

/* Trigger function: a row has come whose number had been passed */
PG_FUNCTION_INFO_V1(probds_rollup_late);
Datum
probds_rollup_late(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = trigger_of_call(fcinfo, TRIGGER_EVENT_AFTER | TRIGGER_EVENT_ROW);
	RollupParts parts;

	require_called_as(TRIGGER_FIRED_BY_INSERT(trigger->tg_event));
	if (parts_of_call(trigger, source_relation, &parts))
		count_change(&parts, false);
	PG_RETURN_POINTER(NULL);
}

/* ---------- the table itself ---------- */

/*
 * Trigger function: rows of a rollup come from its source.  A data-only restore would
 * write them once more, and its source's rows would be merged into them.
 */
PG_FUNCTION_INFO_V1(probds_rollup_guard);
Datum
probds_rollup_guard(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = trigger_of_call(fcinfo, TRIGGER_EVENT_BEFORE);
	RollupParts parts;

	if (rollup_writing > 0 || !parts_of_call(trigger, stored_relation, &parts))
		PG_RETURN_POINTER(NULL);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("rollup %s cannot be modified directly",
					pds_relation_name(parts.shown)),
			 errdetail("Its rows are merged from the rows of %s.", pds_relation_name(parts.source)),
			 errhint("To restore only data, use --disable-triggers or leave out the rollup. To "
					 "rebuild it from its source, call probds_rebuild_rollup().")));
}
