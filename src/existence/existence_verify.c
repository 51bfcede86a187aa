/*
 * existence_verify.c: does an index find every row of its table?
 *
 * What amcheck is to a btree.  A row whose key is not found would mean that "no" was not
 * certain.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/index.h"
#include "catalog/pg_class.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "existence.h"
#include "run_as.h"

/* Probes each visible row that the index covers.  Returns their number. */
static int64
verify_rows(Relation table, Relation index)
{
	IndexInfo  *info = BuildIndexInfo(index);
	EState	   *estate = CreateExecutorState();
	ExprContext *each = GetPerTupleExprContext(estate);
	TupleTableSlot *slot = table_slot_create(table, NULL);
	ExprState  *predicate = ExecPrepareQual(info->ii_Predicate, estate);
	PdsHasher  *hasher = existence_hasher(index, CurrentMemoryContext);
	TableScanDesc scan = PDS_TABLE_BEGINSCAN(table, GetActiveSnapshot());
	int64		rows = 0;

	each->ecxt_scantuple = slot;
	while (table_scan_getnextslot(scan, ForwardScanDirection, slot))
	{
		Datum		values[INDEX_MAX_KEYS];
		bool		isnull[INDEX_MAX_KEYS];
		MemoryContext old;

		CHECK_FOR_INTERRUPTS();
		ResetExprContext(each);
		if (predicate != NULL && !ExecQual(predicate, each))
			continue;
		FormIndexDatum(info, slot, estate, values, isnull);
		rows++;
		if (isnull[0])
			continue;
		old = MemoryContextSwitchTo(each->ecxt_per_tuple_memory);
		if (!existence_probe(index, pds_hasher_hash(hasher, values[0])))
			ereport(ERROR,
					(errcode(ERRCODE_INDEX_CORRUPTED),
					 errmsg("index \"%s\" does not find a row of table \"%s\"",
							RelationGetRelationName(index), RelationGetRelationName(table)),
					 errdetail("The row is at (%u,%u).", ItemPointerGetBlockNumber(&slot->tts_tid),
							   ItemPointerGetOffsetNumber(&slot->tts_tid)),
					 errhint("REINDEX the index.")));
		MemoryContextSwitchTo(old);
	}
	table_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
	FreeExecutorState(estate);
	return rows;
}

/*
 * Returns whether the table of an index has another index on the column that is valid.  Then
 * this one is being built by REINDEX CONCURRENTLY, or that was interrupted.
 */
static bool
is_to_replace(const ExistenceTarget *target, const ExistenceSeen *seen)
{
	Oid			table = IndexGetRelation(seen->index, false);
	ListCell   *lc;

	foreach(lc, target->seen)
	{
		Oid			other = ((ExistenceSeen *) lfirst(lc))->index;

		if (get_index_isvalid(other) && IndexGetRelation(other, false) == table)
			return true;
	}
	return false;
}

static int64
verify_index(const ExistenceSeen *seen)
{
	Relation	index = index_open(seen->index, AccessShareLock);
	Relation	table = table_open(index->rd_index->indrelid, AccessShareLock);
	PdsScope	scope;
	int64		rows;

	/* one with fewer keys on purpose has these */
	if (!existence_is_usable(index) ||
		!existence_keys_are_as_built(index, existence_hasher(index, CurrentMemoryContext)))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("cannot verify index \"%s\": it is %s",
						RelationGetRelationName(index), seen->why)));

	/* the expressions of the index are the owner's code */
	pds_scope_enter(&scope, table->rd_rel->relowner);
	rows = verify_rows(table, index);
	pds_scope_leave(&scope);
	table_close(table, NoLock);
	index_close(index, NoLock);
	return rows;
}

/* existence_verify(relation, column_name): the number of rows that were looked up */
PG_FUNCTION_INFO_V1(probds_existence_verify);
Datum
probds_existence_verify(PG_FUNCTION_ARGS)
{
	Oid			relation = PG_GETARG_OID(0);
	ExistenceTarget *target = existence_target(NULL, relation, PG_GETARG_NAME(1),
											   CurrentMemoryContext);
	int64		rows = 0;
	ListCell   *lc;

	if (!PDS_OWNS_RELATION(relation))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(relation));
	foreach(lc, target->seen)
	{
		const ExistenceSeen *seen = lfirst(lc);

		if (!get_index_isvalid(seen->index) && is_to_replace(target, seen))
			ereport(NOTICE,
					(errmsg("index \"%s\" is not verified: it is not valid",
							get_rel_name(seen->index)),
					 errdetail("It is being built, or its build failed.")));
		else
			rows += verify_index(seen);
	}
	PG_RETURN_INT64(rows);
}
