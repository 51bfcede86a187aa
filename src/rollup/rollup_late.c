/*
 * rollup_late.c: rows whose number has been passed
 *
 * A refresh takes the rows above the number where the last one ended.  A row that is
 * given a lower number by hand would never be counted, and nobody would know.  So a row
 * trigger asks for each new row whether its number is above all that refreshes have
 * settled (X_progress.settled).  A session keeps that number until a refresh says
 * that it has changed, by an invalidation of X_progress: who writes after a refresh has
 * settled its number sees it, and for those who wrote before the refresh has waited.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_type.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/typcache.h"

#include "rollup/rollup.h"

typedef struct Settled
{
	Oid			progress;		/* the key */
	bool		valid;
	int64		number;
} Settled;

static HTAB *settled = NULL;

static void
relation_changed(Datum arg, Oid relation)
{
	HASH_SEQ_STATUS status;
	Settled    *s;

	hash_seq_init(&status, settled);
	while ((s = hash_seq_search(&status)) != NULL)
		if (!OidIsValid(relation) || relation == s->progress)
			s->valid = false;
}

/* What is committed now, also for a transaction that began earlier. */
static int64
read_settled(Oid progress)
{
	AttrNumber	column = get_attnum(progress, "settled");
	int64		number = PG_INT64_MIN;
	Relation	rel;
	Snapshot	snapshot;
	TableScanDesc scan;
	HeapTuple	tuple;

	if (column == InvalidAttrNumber || get_atttype(progress, column) != INT8OID)
		return number;
	rel = table_open(progress, AccessShareLock);
	snapshot = RegisterSnapshot(GetLatestSnapshot());
	scan = table_beginscan(rel, snapshot, 0, NULL);
	while ((tuple = heap_getnext(scan, ForwardScanDirection)) != NULL)
	{
		bool		isnull;
		Datum		value = heap_getattr(tuple, column, RelationGetDescr(rel), &isnull);

		if (!isnull)
			number = Max(number, DatumGetInt64(value));
	}
	table_endscan(scan);
	UnregisterSnapshot(snapshot);
	table_close(rel, AccessShareLock);
	return number;
}

static int64
settled_number(Oid progress)
{
	Settled    *s;
	bool		found;

	if (settled == NULL)
	{
		HASHCTL		ctl = {.keysize = sizeof(Oid), .entrysize = sizeof(Settled)};

		settled = hash_create("probds rollups' settled numbers", 16, &ctl, HASH_ELEM | HASH_BLOBS);
		CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
	}
	s = hash_search(settled, &progress, HASH_ENTER, &found);
	if (!found)
		s->valid = false;
	if (!s->valid)
	{
		int64		number;

		/* what comes in while we read makes it invalid again */
		s->valid = true;
		number = read_settled(progress);
		s = hash_search(settled, &progress, HASH_FIND, NULL);
		s->number = number;
		return number;
	}
	return s->number;
}

/* The table whose row type the first column of a record has, if it is one of ours. */
static Oid
progress_of_record(HeapTupleHeader record)
{
	TupleDesc	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(record),
											  HeapTupleHeaderGetTypMod(record));
	Oid			relation = desc->natts == 1 ? get_typ_typrelid(TupleDescAttr(desc, 0)->atttypid) : InvalidOid;

	ReleaseTupleDesc(desc);
	return OidIsValid(relation) && rollup_is_progress(relation) ? relation : InvalidOid;
}

/* _probds_rollup_is_late(bigint, ROW(NULL::progress)): has the number been passed? */
PG_FUNCTION_INFO_V1(probds_rollup_is_late);
Datum
probds_rollup_is_late(PG_FUNCTION_ARGS)
{
	Oid		   *progress = fcinfo->flinfo->fn_extra;

	/* the record is a constant of the trigger */
	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_BOOL(false);
	if (progress == NULL)
	{
		progress = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof(Oid));
		*progress = progress_of_record(PG_GETARG_HEAPTUPLEHEADER(1));
		fcinfo->flinfo->fn_extra = progress;
	}
	if (!OidIsValid(*progress))
		PG_RETURN_BOOL(false);
	PG_RETURN_BOOL(PG_GETARG_INT64(0) <= settled_number(*progress));
}
