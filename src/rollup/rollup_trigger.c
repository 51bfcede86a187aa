/*
 * rollup_trigger.c: triggers on the source of a rollup, and on its table
 *
 *     insert    AFTER INSERT on the source: merge the new rows
 *     change    AFTER UPDATE OR DELETE OR TRUNCATE on the source: count such statements
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
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/tuplestore.h"

#include "rollup/rollup.h"

int			rollup_writing = 0;

/* ---------- what a session knows of a trigger ---------- */

typedef struct KnownTrigger
{
	Oid			trigger;		/* the key */
	bool		valid;
	int			busy;			/* how many merges are running, one within the other */
	RollupParts parts;
	int			slots;
	char	  **settings;
	SPIPlanPtr	plan;			/* of the merge; NULL until it is needed */
	MemoryContext context;
} KnownTrigger;

static HTAB *known_triggers = NULL;

/* Anything may depend on any relation, function or schema that has changed. */
static void
forget_all(void)
{
	HASH_SEQ_STATUS status;
	KnownTrigger *known;

	hash_seq_init(&status, known_triggers);
	while ((known = hash_seq_search(&status)) != NULL)
		known->valid = false;
}

static void
relation_changed(Datum arg, Oid relation)
{
	HASH_SEQ_STATUS status;
	KnownTrigger *known;

	hash_seq_init(&status, known_triggers);
	while ((known = hash_seq_search(&status)) != NULL)
		if (!OidIsValid(relation) || relation == known->parts.source ||
			relation == known->parts.progress || relation == known->parts.definition ||
			relation == known->parts.stored || relation == known->parts.shown)
			known->valid = false;
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
		CacheRegisterSyscacheCallback(NAMESPACEOID, catalog_changed, (Datum) 0);
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
	if (known->plan != NULL && known->busy == 0)
		SPI_freeplan(known->plan);
	known->plan = NULL;
	if (known->context != NULL && known->busy == 0)
		MemoryContextDelete(known->context);
	known->context = NULL;
}

/*
 * Learn what a trigger is for.  As the owner, with SPI connected.  The relation must be
 * the source, or a partition of it: a trigger of somebody else's table is none of ours.
 */
static void
learn(KnownTrigger *known, const TriggerData *trigger, const RollupParts *parts)
{
	RollupProgress progress;
	MemoryContext old;

	rollup_read_progress(parts, false, &progress);
	forget(known);
	known->context = AllocSetContextCreate(CacheMemoryContext, "probds rollup trigger",
										   ALLOCSET_SMALL_SIZES);
	old = MemoryContextSwitchTo(known->context);
	known->settings = copy_settings(progress.settings);
	MemoryContextSwitchTo(old);
	known->parts = *parts;
	known->slots = progress.slots;
	/* not before all of it is there */
	known->valid = true;
}

static void
require_called_as(FunctionCallInfo fcinfo, bool as_expected)
{
	if (!CALLED_AS_TRIGGER(fcinfo) || !as_expected)
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function is for triggers of rollups only"),
				 errhint("They are made by probds_create_rollup().")));
}

/* The rollup of a trigger; an error if the trigger is not where one of ours is. */
static void
parts_of_call(const TriggerData *trigger, Oid relation_of(const RollupParts *parts), RollupParts *parts)
{
	Oid			relation = RelationGetRelid(trigger->tg_relation);

	if (!rollup_of_trigger(trigger->tg_trigger->tgqual, parts))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("trigger \"%s\" belongs to no rollup", trigger->tg_trigger->tgname),
				 errhint("Drop it: DROP TRIGGER %s ON %s.",
						 quote_identifier(trigger->tg_trigger->tgname), pds_relation_name(relation))));
	while (relation != relation_of(parts) && get_rel_relispartition(relation))
		relation = PDS_PARTITION_PARENT(relation);
	if (relation != relation_of(parts))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("trigger \"%s\" is on another table than the source of rollup %s",
						trigger->tg_trigger->tgname, pds_relation_name(parts->shown))));
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

static void
merge_new_rows(KnownTrigger *known, TriggerData *trigger)
{
	Oid			argtype = INT8OID;
	Datum		slot;

	if (SPI_register_trigger_data(trigger) < 0)
		elog(ERROR, "could not register the new rows");
	if (known->plan == NULL)
	{
		char	   *statement = rollup_merge_text(&known->parts, known->slots,
												  rollup_query_text(&known->parts, ROLLUP_ROWS));
		SPIPlanPtr	plan = SPI_prepare(statement, known->slots > 1 ? 1 : 0, &argtype);

		if (plan == NULL)
			elog(ERROR, "SPI_prepare failed: %s", SPI_result_code_string(SPI_result));
		if (SPI_keepplan(plan) != 0)
			elog(ERROR, "SPI_keepplan failed");
		known->plan = plan;
	}
	slot = Int64GetDatum(own_slot(known->slots));
	if (SPI_execute_plan(known->plan, &slot, NULL, false, 0) != SPI_OK_INSERT)
		elog(ERROR, "merge of new rows failed");
}

/* Trigger function: merge the rows that a statement has inserted into the source */
PG_FUNCTION_INFO_V1(probds_rollup_insert);
Datum
probds_rollup_insert(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	KnownTrigger *known;
	RollupParts parts;
	PdsScope scope;

	require_called_as(fcinfo, CALLED_AS_TRIGGER(fcinfo) &&
					  TRIGGER_FIRED_AFTER(trigger->tg_event) && TRIGGER_FIRED_BY_INSERT(trigger->tg_event) &&
					  TRIGGER_FIRED_FOR_STATEMENT(trigger->tg_event) && trigger->tg_newtable != NULL &&
					  strcmp(trigger->tg_trigger->tgnewtable, ROLLUP_ROWS) == 0);
	if (tuplestore_tuple_count(trigger->tg_newtable) == 0)
		PG_RETURN_POINTER(NULL);
	known = known_trigger(trigger->tg_trigger->tgoid);
	if (!known->valid)
		parts_of_call(trigger, source_relation, &parts);
	else
		parts = known->parts;

	pds_scope_enter(&scope, parts.owner);
	if (SPI_connect() != SPI_OK_CONNECT)
		elog(ERROR, "SPI_connect failed");
	if (!known->valid)
		learn(known, trigger, &parts);
	rollup_apply_settings(known->settings);
	rollup_writing++;
	known->busy++;
	PG_TRY();
	{
		merge_new_rows(known, trigger);
	}
	PG_FINALLY();
	{
		known->busy--;
		rollup_writing--;
	}
	PG_END_TRY();
	SPI_finish();
	pds_scope_leave(&scope);
	PG_RETURN_POINTER(NULL);
}

/* ---------- changed rows ---------- */

/*
 * Has the current transaction changed rows of this table?  A statement that found none
 * to change is no change.  Not known of partitioned tables, and without statistics.
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
	char	   *last = NULL;

	if (parts->number != 0)
	{
		char	   *sequence = rollup_value(psprintf("SELECT pg_catalog.pg_get_serial_sequence(%s, %s)",
													 quote_literal_cstr(pds_relation_name(parts->source)),
													 quote_literal_cstr(get_attname(parts->source, parts->number, false))));

		if (sequence != NULL)
			last = rollup_value(psprintf("SELECT COALESCE(pg_catalog.pg_sequence_last_value(%s::pg_catalog.regclass), 0)",
										 quote_literal_cstr(sequence)));
	}
	rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET truncated = true, watermark = LEAST(watermark, %s)",
					pds_relation_name(parts->progress), last != NULL ? last : "watermark");
}

/* Trigger function: rows of the source that are counted were changed */
PG_FUNCTION_INFO_V1(probds_rollup_change);
Datum
probds_rollup_change(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	RollupParts parts;
	PdsScope scope;
	bool		truncated;

	require_called_as(fcinfo, CALLED_AS_TRIGGER(fcinfo) &&
					  TRIGGER_FIRED_AFTER(trigger->tg_event) && !TRIGGER_FIRED_BY_INSERT(trigger->tg_event) &&
					  TRIGGER_FIRED_FOR_STATEMENT(trigger->tg_event));
	truncated = TRIGGER_FIRED_BY_TRUNCATE(trigger->tg_event);
	if (!truncated && !may_have_changed(trigger->tg_relation))
		PG_RETURN_POINTER(NULL);
	parts_of_call(trigger, source_relation, &parts);
	pds_scope_enter(&scope, parts.owner);
	if (truncated)
	{
		if (SPI_connect() != SPI_OK_CONNECT)
			elog(ERROR, "SPI_connect failed");
		note_truncation(&parts);
		SPI_finish();
	}
	else
		(void) nextval_internal(parts.changes, false);
	pds_scope_leave(&scope);
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
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	RollupParts parts;

	require_called_as(fcinfo, CALLED_AS_TRIGGER(fcinfo) &&
					  TRIGGER_FIRED_BEFORE(trigger->tg_event) && TRIGGER_FIRED_FOR_STATEMENT(trigger->tg_event));
	if (rollup_writing > 0)
		PG_RETURN_POINTER(NULL);
	parts_of_call(trigger, stored_relation, &parts);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("rollup %s can only be written from its source", pds_relation_name(parts.shown)),
			 errdetail("Its rows are merged from those of %s.", pds_relation_name(parts.source)),
			 errhint("To restore data alone use --disable-triggers, or leave the rollup out; to make it again from its source call probds_rebuild_rollup().")));
}

/* ---------- making them ---------- */

/* Does a relation have a trigger of this rollup that calls this function? */
static bool
has_trigger(Oid relation, const RollupParts *parts, const char *function)
{
	char	   *query = psprintf("SELECT t.tgqual FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid"
								 " WHERE t.tgrelid = %u AND p.prosrc = %s AND t.tgqual IS NOT NULL",
								 relation, quote_literal_cstr(function));

	if (SPI_execute(query, true, 0) != SPI_OK_SELECT)
		elog(ERROR, "SPI_execute failed");
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		RollupParts other;

		if (rollup_of_trigger(SPI_getvalue(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 1), &other) &&
			other.progress == parts->progress)
			return true;
	}
	return false;
}

int
rollup_make_triggers(const RollupParts *parts, bool refreshed, const char *name)
{
	List	   *relations = find_all_inheritors(parts->source, NoLock, NULL);
	char	   *when = psprintf("FOR EACH STATEMENT WHEN (NULL::%s IS NULL AND NULL::%s IS NULL AND NULL::%s IS NULL)"
								" EXECUTE FUNCTION %s",
								pds_relation_name(parts->progress), pds_relation_name(parts->definition),
								pds_relation_name(parts->stored), rollup_extension_schema());
	ListCell   *lc;
	int			made = 0;

	foreach(lc, relations)
	{
		Oid			relation = lfirst_oid(lc);

		if (get_rel_relkind(relation) == RELKIND_FOREIGN_TABLE)
			continue;
		if (!refreshed && !has_trigger(relation, parts, "probds_rollup_insert"))
		{
			rollup_executef(SPI_OK_UTILITY, "CREATE TRIGGER %s AFTER INSERT ON %s REFERENCING NEW TABLE AS " ROLLUP_ROWS " %s._probds_rollup_insert()",
							quote_identifier(psprintf("%s_rollup", name)), pds_relation_name(relation), when);
			made++;
		}
		if (!has_trigger(relation, parts, "probds_rollup_change"))
		{
			rollup_executef(SPI_OK_UTILITY, "CREATE TRIGGER %s AFTER UPDATE OR DELETE OR TRUNCATE ON %s %s._probds_rollup_change()",
							quote_identifier(psprintf("%s_changes", name)), pds_relation_name(relation), when);
			made++;
		}
	}
	if (!has_trigger(parts->stored, parts, "probds_rollup_guard"))
	{
		rollup_executef(SPI_OK_UTILITY, "CREATE TRIGGER %s BEFORE INSERT OR UPDATE ON %s %s._probds_rollup_guard()",
						quote_identifier(psprintf("%s_guard", name)), pds_relation_name(parts->stored), when);
		made++;
	}
	return made;
}
