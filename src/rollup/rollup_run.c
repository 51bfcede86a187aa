/*
 * rollup_run.c: refresh, rebuild, fold
 *
 * A refresh recomputes groups that have marks, some in each transaction.  A rebuild marks all
 * groups first.  Rows that are written meanwhile lose nothing (rollup.h), so nobody waits.
 */
#include "postgres.h"

#include <float.h>

#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "executor/tstoreReceiver.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "portability/instr_time.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "result_row.h"
#include "rollup.h"

/* How many groups the first statement of a refresh takes, and the largest. */
#define FIRST_GROUPS	64
#define MOST_GROUPS		(INT64CONST(1) << 20)
/* The planner looks at each value that is listed, for each partition of the source again. */
#define MOST_LISTED		(1 << 17)

/* Delete parts and marks that are "what" and too old; returns how many. */
static uint64
delete_old(const RollupParts *parts, const RollupDefinition *d, const RollupOptions *options,
		   const char *what)
{
	char	   *stored = pds_relation_name(parts->stored);

	return rollup_executef(SPI_OK_DELETE, "DELETE FROM %s WHERE ctid OPERATOR(pg_catalog.=) ANY "
						   "(ARRAY(SELECT ctid FROM %s WHERE %s AND NOT %s FOR UPDATE SKIP "
						   "LOCKED))", stored, stored, what,
						   rollup_recent(parts, d, options, rollup_stored_column(parts, 0)));
}

/* Delete groups that are older than the retention, and marks of those that are frozen. */
static uint64
expire(const RollupParts *parts, const RollupDefinition *d, const RollupOptions *options)
{
	RollupOptions only = {.retention = options->retention};
	uint64		deleted = 0;

	if (options->retention != NULL)
		deleted = delete_old(parts, d, &only, "true");
	if (options->frozen_after != NULL)
		(void) delete_old(parts, d, options, ROLLUP_TOUCHED);
	return deleted;
}

/* Add the rows that the last statement gave. */
static void
put_result(Tuplestorestate *rows)
{
	for (uint64 i = 0; i < SPI_processed; i++)
		tuplestore_puttuple(rows, SPI_tuptable->vals[i]);
	SPI_freetuptable(SPI_tuptable);
}

/*
 * The arrays of rollup_keys_text(), NULL where they are long, for a statement with this snapshot.
 * They are constants, which it hashes.  Of a subquery's array, each row of the source that no index
 * finds would be compared with all values.
 */
static ParamListInfo
list_keys(const RollupParts *parts, const RollupDefinition *d, int64 limit)
{
	int			most = MOST_LISTED / list_length(find_all_inheritors(parts->source, NoLock, NULL));
	ParamListInfo keys;

	if (SPI_execute(rollup_keys_text(parts, d, limit, most + 1), true, 0) != SPI_OK_SELECT)
		elog(ERROR, "could not list the groups");
	keys = makeParamList(SPI_tuptable->tupdesc->natts);
	for (int i = 0; i < keys->numParams; i++)
	{
		ParamExternData *key = &keys->params[i];
		ArrayType  *array;

		key->value = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, i + 1,
								   &key->isnull);
		array = DatumGetArrayTypeP(key->value);
		key->isnull = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) > most;
		key->ptype = SPI_gettypeid(SPI_tuptable->tupdesc, i + 1);
		key->pflags = PARAM_FLAG_CONST;
	}
	return keys;
}

/* Recompute up to so many groups; returns how many were. */
static int64
recompute(const RollupParts *parts, const RollupDefinition *d, int64 limit)
{
	Oid		   *types = palloc(d->columns * sizeof(Oid));
	Datum	   *values = palloc(d->columns * sizeof(Datum));
	char	   *nulls = palloc(d->columns);
	ParamListInfo keys;
	SPITupleTable *listed;
	SPIPlanPtr	plan;
	Snapshot	snapshot;
	Tuplestorestate *rows = tuplestore_begin_heap(false, false, work_mem);
	int64		done;

	/*
	 * TRUNCATE and DETACH hide rows from older snapshots, so they are locked out first.  ATTACH is
	 * not.  Of a partition that comes after the snapshot, the mark is not seen, and stays.  If the
	 * plan were made first, it would miss the rows of a partition whose mark it takes away.
	 */
	LockRelationOid(parts->source, AccessShareLock);
	snapshot = RegisterSnapshot(GetTransactionSnapshot());
	PushActiveSnapshot(snapshot);
	keys = list_keys(parts, d, limit);
	listed = SPI_tuptable;
	PopActiveSnapshot();
	for (int i = 0; i < keys->numParams; i++)
	{
		types[i] = keys->params[i].ptype;
		values[i] = keys->params[i].value;
		nulls[i] = keys->params[i].isnull ? 'n' : ' ';
	}
	/* in a generic plan they would not be constants */
	pds_scope_set("plan_cache_mode", "force_custom_plan");
	plan = SPI_prepare(rollup_refresh_text(parts, d, limit), keys->numParams, types);
	if (plan == NULL ||
		SPI_execute_snapshot(plan, values, nulls, snapshot, InvalidSnapshot, false, true, 0) !=
		SPI_OK_SELECT)
		elog(ERROR, "could not refresh");
	UnregisterSnapshot(snapshot);
	SPI_freetuptable(listed);
	SPI_freeplan(plan);
	done = (int64) SPI_processed;
	put_result(rows);
	rollup_mark_dependants(parts, rows);
	tuplestore_end(rows);
	return done;
}

/* ---------- a transaction of a refresh ---------- */

typedef struct Step
{
	Oid			relation;
	int64		limit;			/* groups */
	bool		begins;
	bool		skip_locked;	/* do nothing while somebody else refreshes it */
	int64		done;			/* groups; -1 if it was skipped */
	int64		marked;			/* groups with marks when it began */
	char	   *why;			/* what went wrong, for probds_rollups() */
} Step;

static void
take_step(void *arg)
{
	Step	   *step = arg;
	RollupParts parts;
	RollupOptions options;
	RollupDefinition d;
	PdsScope	scope;
	char	   *name;

	/* what a step leaves in memory goes with it: a refresh may have many thousands */
	SPI_connect();
	rollup_require(step->relation, &parts);
	rollup_require_owner(&parts);
	rollup_lock_source(&parts);
	rollup_require_plain(&parts);
	PushActiveSnapshot(GetTransactionSnapshot());
	rollup_enter(&scope, &parts, &options);
	rollup_read_definition(parts.query, &d);
	name = pds_relation_name(parts.options);
	step->done = -1;
	/* over groups that another step has there would be nothing to do, and the refresh would end */
	if (rollup_value(psprintf("SELECT 1 FROM %s FOR UPDATE%s", name,
							  step->skip_locked ? " SKIP LOCKED" : "")) != NULL)
	{
		if (step->begins)
		{
			(void) expire(&parts, &d, &options);
			step->marked = rollup_waiting(&parts);
			(void) rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET refreshing = %d, "
								   "groups_done = 0, groups = " INT64_FORMAT, name, MyProcPid,
								   step->marked);
		}
		step->done = recompute(&parts, &d, step->limit);
		(void) rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET groups_done = groups_done "
							   "OPERATOR(pg_catalog.+) " INT64_FORMAT ", failure = NULL%s", name,
							   step->done, step->done > 0 ? "" :
							   ", refreshing = NULL, last_refresh = pg_catalog.now()");
		if (step->done == 0)
			(void) rollup_executef(SPI_OK_SELECT, "%s", rollup_fold_all_text(&parts, &d));
	}
	pds_scope_leave(&scope);
	PopActiveSnapshot();
	SPI_finish();
}

static void
record_failure(void *arg)
{
	const Step *step = arg;
	RollupParts parts;
	PdsScope	scope;

	if (!rollup_find(step->relation, &parts) || !OidIsValid(parts.owner) ||
		!has_privs_of_role(GetUserId(), parts.owner))
		return;
	pds_scope_enter(&scope, parts.owner);
	PushActiveSnapshot(GetTransactionSnapshot());
	rollup_hold(&parts);
	(void) rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET failure = %s, last_refresh = "
						   "pg_catalog.now()", pds_relation_name(parts.options),
						   quote_literal_cstr(step->why));
	PopActiveSnapshot();
	pds_scope_leave(&scope);
}

/*
 * Refresh a rollup, and first the one that it reads.  Each step is a transaction.  Statements
 * take more groups while that makes a group cheaper: without an index each reads the source.
 */
static void
refresh(Oid relation, bool due)
{
	Step		step = {.relation = relation, .limit = FIRST_GROUPS, .begins = true,
		.skip_locked = due};
	double		cheapest = DBL_MAX;
	int64		done = 0;

	if (!due)
	{
		RollupParts parts;
		RollupParts below;

		rollup_require(relation, &parts);
		if (rollup_find(parts.source, &below) && below.shown == parts.source &&
			has_privs_of_role(GetUserId(), below.owner))
			refresh(parts.source, false);
	}
	do
	{
		instr_time	start;
		instr_time	end;
		char	   *why;
		double		each;

		CHECK_FOR_INTERRUPTS();
		INSTR_TIME_SET_CURRENT(start);
		if (!due)
			take_step(&step);
		else if (!pds_attempt(take_step, &step, &step.why))
		{
			/* where that fails, too, others are still to be refreshed */
			step.done = -1;
			(void) pds_attempt(record_failure, &step, &why);
		}
		SPI_commit();
		SPI_start_transaction();
		INSTR_TIME_SET_CURRENT(end);
		INSTR_TIME_SUBTRACT(end, start);
		step.begins = false;
		if (step.done > 0)
		{
			each = INSTR_TIME_GET_DOUBLE(end) / (double) step.done;
			if (each < cheapest * 0.7 && step.limit < MOST_GROUPS)
				step.limit *= 8;
			cheapest = Min(cheapest, each);
			done += step.done;
		}
		/* others may be marking groups, or keep their rows from going: it ends all the same */
	} while (step.done > 0 && done <= 2 * step.marked + FIRST_GROUPS);
}

/* 25001: a procedure that commits. */
static void
require_procedure(FunctionCallInfo fcinfo, const char *name)
{
	CallContext *call = (CallContext *) fcinfo->context;

	if (call == NULL || !IsA(call, CallContext) || call->atomic)
		ereport(ERROR,
				(errcode(ERRCODE_ACTIVE_SQL_TRANSACTION),
				 errmsg("%s() cannot run inside a transaction block", name),
				 errdetail("It commits after each batch of groups."),
				 errhint("Use CALL outside transaction blocks and functions, and do not send it "
						 "in one string with other statements.")));
}

/* probds_refresh_rollup(rollup regclass): a procedure */
PG_FUNCTION_INFO_V1(probds_refresh_rollup);
Datum
probds_refresh_rollup(PG_FUNCTION_ARGS)
{
	Oid			relation = PG_ARGISNULL(0) ? InvalidOid : PG_GETARG_OID(0);
	RollupParts parts;

	require_procedure(fcinfo, "probds_refresh_rollup");
	rollup_require_read_committed("a rollup can only be refreshed");
	rollup_require(relation, &parts);
	rollup_require_owner(&parts);
	SPI_connect_ext(SPI_OPT_NONATOMIC);
	refresh(parts.shown, false);
	SPI_finish();
	PG_RETURN_VOID();
}

/* ---------- rebuild ---------- */

/* probds_rebuild_rollup(rollup regclass): a procedure */
PG_FUNCTION_INFO_V1(probds_rebuild_rollup);
Datum
probds_rebuild_rollup(PG_FUNCTION_ARGS)
{
	Oid			relation = PG_ARGISNULL(0) ? InvalidOid : PG_GETARG_OID(0);
	RollupParts parts;
	RollupOptions options;
	PdsScope	scope;

	require_procedure(fcinfo, "probds_rebuild_rollup");
	rollup_require_read_committed("a rollup can only be rebuilt");
	rollup_require(relation, &parts);
	rollup_require_owner(&parts);
	SPI_connect_ext(SPI_OPT_NONATOMIC);
	rollup_require_watch(&parts);
	rollup_make_triggers(parts.source);
	SPI_commit();
	SPI_start_transaction();
	rollup_require(relation, &parts);
	rollup_lock_source(&parts);
	PushActiveSnapshot(GetTransactionSnapshot());
	rollup_enter(&scope, &parts, &options);
	rollup_mark_all(&parts, &options);
	(void) rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET built = true",
						   pds_relation_name(parts.options));
	rollup_note(parts.options, ROLLUP_MISSED, false);
	if (options.retention == NULL && options.frozen_after == NULL)
		rollup_note(parts.options, ROLLUP_KEPT, false);
	CacheInvalidateRelcacheByRelid(parts.options);
	pds_scope_leave(&scope);
	PopActiveSnapshot();
	SPI_commit();
	SPI_start_transaction();
	refresh(parts.shown, false);
	SPI_finish();
	PG_RETURN_VOID();
}

/* ---------- what is due ---------- */

/* probds_refresh_due_rollups(): a procedure; those of the caller whose schedule says so */
PG_FUNCTION_INFO_V1(probds_refresh_due_rollups);
Datum
probds_refresh_due_rollups(PG_FUNCTION_ARGS)
{
	ListCell   *lc;

	require_procedure(fcinfo, "probds_refresh_due_rollups");
	rollup_require_read_committed("rollups can only be refreshed");
	SPI_connect_ext(SPI_OPT_NONATOMIC);
	/* the list is in the memory of SPI, which outlives the transactions of a procedure */
	foreach(lc, rollup_due())
		refresh(lfirst_oid(lc), true);
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
	RollupOptions options;
	RollupDefinition d;
	PdsScope scope;
	int64		folded;

	rollup_require(PG_GETARG_OID(0), &parts);
	rollup_require_owner(&parts);
	rollup_require_plain(&parts);
	rollup_require_read_committed("a rollup can only be folded");
	/* TRUNCATE would not see what a fold has put in the place of parts that it deletes */
	rollup_lock_source(&parts);
	SPI_connect();
	rollup_enter(&scope, &parts, &options);
	rollup_read_definition(parts.query, &d);
	folded = (int64) expire(&parts, &d, &options);
	(void) rollup_executef(SPI_OK_SELECT, "%s", rollup_fold_all_text(&parts, &d));
	folded += DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1,
										  &(bool) {false}));
	pds_scope_leave(&scope);
	SPI_finish();
	PG_RETURN_INT64(folded);
}

/* ---------- reading ---------- */

/* All groups of a rollup may be more than fits in memory: they go where the rows may spill. */
static void
put_rows(Tuplestorestate *rows, const char *query, ParamListInfo params)
{
	DestReceiver *receiver = CreateDestReceiver(DestTuplestore);
	SPIExecuteOptions options = {.params = params, .read_only = true, .dest = receiver};

	SetTuplestoreDestReceiverParams(receiver, rows, CurrentMemoryContext, false, NULL, NULL);
	if (SPI_execute_extended(query, &options) != SPI_OK_SELECT)
		elog(ERROR, "could not read the rollup");
	receiver->rDestroy(receiver);
}

/*
 * _probds_rollup_touched(NULL::query, secret, settled): the groups with marks, computed from the
 * source with the rights of the rollup's owner, as a view reads its tables; and the others, if
 * "settled".  Who calls knows the secret in the options: the rollup's view does, which reads them
 * with its owner's rights.
 */
PG_FUNCTION_INFO_V1(probds_rollup_touched);
Datum
probds_rollup_touched(PG_FUNCTION_ARGS)
{
	Oid			view = get_typ_typrelid(get_fn_expr_argtype(fcinfo->flinfo, 0));
	Tuplestorestate *rows;
	char	   *secret;
	RollupParts parts;
	RollupOptions options;
	RollupDefinition d;
	PdsScope	scope;

	if (!OidIsValid(view) || !rollup_find(view, &parts) || parts.query != view)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("function can only be called by the view of a rollup")));
	rollup_require(view, &parts);
	rows = pds_begin_rows(fcinfo);
	if (PG_ARGISNULL(1))
		return (Datum) 0;
	secret = DatumGetCString(DirectFunctionCall1(uuid_out, PG_GETARG_DATUM(1)));
	SPI_connect();
	pds_scope_enter(&scope, parts.owner);
	rollup_hold(&parts);
	if (rollup_value(psprintf("SELECT 1 FROM %s WHERE secret OPERATOR(pg_catalog.=) "
							  "%s::pg_catalog.uuid", pds_relation_name(parts.options),
							  quote_literal_cstr(secret))) == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("function can only be called by the view of a rollup")));
	rollup_read_options(&parts, &options);
	rollup_apply_settings(options.settings);
	rollup_read_definition(parts.query, &d);
	if (PG_GETARG_BOOL(2))
		put_rows(rows, rollup_settled_text(&parts, &d), NULL);
	put_rows(rows, rollup_touched_text(&parts, &d), list_keys(&parts, &d, PG_INT64_MAX));
	pds_scope_leave(&scope);
	SPI_finish();
	return (Datum) 0;
}
