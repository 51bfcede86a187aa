/*
 * rollup_late.c: rows whose number has been passed
 *
 * A refresh takes the rows above the number where the last one ended.  A row that is
 * given a lower number by hand would never be counted, and nobody would know.  So a row
 * trigger asks for each new row whether its number is above all that refreshes have
 * settled (X_progress.settled).
 *
 * What counts is what was settled when the statement began: a number that the sequence
 * gives out later is above it.  A refresh commits what it settles, and then waits for those
 * who are writing; so who did not see it is counted, whatever his numbers are.
 *
 * A session keeps the settled number until a refresh says by an invalidation of X_progress
 * that it has changed.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/fmgrprotos.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/typcache.h"

#include "compat.h"
#include "rollup.h"

typedef struct Settled
{
	Oid			progress;		/* the key */
	bool		valid;
	bool		unchanged;		/* since it is being read */
	int64		number;
} Settled;

static HTAB *settled = NULL;

static void
relation_changed(Datum arg, Oid relation)
{
	Settled    *s;

	ROLLUP_FOR_EACH_ENTRY(s, settled)
		if (!OidIsValid(relation) || relation == s->progress)
			s->valid = s->unchanged = false;
}

static int64
read_settled(Relation rel, AttrNumber column, Snapshot snapshot)
{
	TableScanDesc scan = PDS_TABLE_BEGINSCAN(rel, snapshot);
	int64		number = PG_INT64_MIN;
	HeapTuple	tuple;

	while ((tuple = heap_getnext(scan, ForwardScanDirection)) != NULL)
	{
		bool		isnull;
		Datum		value = heap_getattr(tuple, column, RelationGetDescr(rel), &isnull);

		if (!isnull)
			number = Max(number, DatumGetInt64(value));
	}
	table_endscan(scan);
	return number;
}

/*
 * What was settled when the statement began; *lasting if nothing has been settled since.
 */
static int64
read_progress(Oid progress, bool *lasting)
{
	AttrNumber	column = get_attnum(progress, "settled");
	Relation	rel;
	Snapshot	now;
	int64		number;

	*lasting = false;
	if (column == InvalidAttrNumber || get_atttype(progress, column) != INT8OID ||
		!ActiveSnapshotSet())
		return PG_INT64_MIN;
	rel = table_open(progress, AccessShareLock);
	number = read_settled(rel, column, GetActiveSnapshot());
	now = RegisterSnapshot(GetLatestSnapshot());
	*lasting = read_settled(rel, column, now) == number;
	UnregisterSnapshot(now);
	table_close(rel, AccessShareLock);
	return number;
}

static int64
settled_number(Oid progress)
{
	Settled    *s;
	bool		found;
	bool		lasting;

	if (settled == NULL)
	{
		HASHCTL		ctl = {.keysize = sizeof(Oid), .entrysize = sizeof(Settled)};

		settled = hash_create("probds rollups' settled numbers", 16, &ctl, HASH_ELEM | HASH_BLOBS);
		CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
	}
	s = hash_search(settled, &progress, HASH_ENTER, &found);
	if (!found)
		s->valid = s->unchanged = false;
	if (!s->valid)
	{
		/* what comes in while we read makes it invalid again */
		s->unchanged = true;
		s->number = read_progress(progress, &lasting);
		s->valid = lasting && s->unchanged;
	}
	return s->number;
}

/* The table whose row type the first column of a record has, if it is one of ours. */
static Oid
progress_of_record(HeapTupleHeader record)
{
	TupleDesc	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(record),
											  HeapTupleHeaderGetTypMod(record));
	Oid			relation = desc->natts == 1 ? get_typ_typrelid(TupleDescAttr(desc, 0)->atttypid) :
		InvalidOid;

	ReleaseTupleDesc(desc);
	return OidIsValid(relation) && rollup_is_progress(relation) ? relation : InvalidOid;
}

bool
rollup_row_is_late(const RollupParts *parts, Relation rel, HeapTuple row)
{
	AttrNumber	column = get_attnum(RelationGetRelid(rel),
									get_attname(parts->source, parts->number, false));
	bool		isnull;
	Datum		number = heap_getattr(row, column, RelationGetDescr(rel), &isnull);
	int64		n;

	if (isnull)
		return false;
	switch (get_atttype(parts->source, parts->number))
	{
		case INT2OID:
			n = DatumGetInt16(number);
			break;
		case INT4OID:
			n = DatumGetInt32(number);
			break;
		case INT8OID:
			n = DatumGetInt64(number);
			break;
		case NUMERICOID:
			n = DatumGetInt64(DirectFunctionCall1(numeric_int8, number));
			break;
		default:
			return true;		/* the trigger's condition has told */
	}
	return n <= settled_number(parts->progress);
}

/*
 * May the current user know how far a rollup is?  Those may who insert into its source, and
 * those who may read the table of its progress.
 */
static bool
may_know(Oid progress)
{
	RollupParts parts;

	return pg_class_aclcheck(progress, GetUserId(), ACL_SELECT) == ACLCHECK_OK ||
		(rollup_find(progress, &parts) &&
		 (pg_class_aclcheck(parts.source, GetUserId(), ACL_INSERT) == ACLCHECK_OK ||
		  pg_attribute_aclcheck_all(parts.source, GetUserId(), ACL_INSERT,
									ACLMASK_ANY) == ACLCHECK_OK));
}

/*
 * _probds_rollup_is_late(bigint, ROW(NULL::progress)): has the number been passed?
 *
 * Returns true to a user who may not know.  Such a user may insert through a view, or through
 * the parent of the source; then the trigger's function looks itself.
 */
PG_FUNCTION_INFO_V1(probds_rollup_is_late);
Datum
probds_rollup_is_late(PG_FUNCTION_ARGS)
{
	typedef struct Asked
	{
		Oid			progress;
		bool		may_know;
	} Asked;
	Asked	   *asked = fcinfo->flinfo->fn_extra;

	/* the record is a constant of the trigger */
	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_BOOL(false);
	if (asked == NULL)
	{
		asked = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof(Asked));
		asked->progress = progress_of_record(PG_GETARG_HEAPTUPLEHEADER(1));
		asked->may_know = OidIsValid(asked->progress) && may_know(asked->progress);
		fcinfo->flinfo->fn_extra = asked;
	}
	if (!OidIsValid(asked->progress))
		PG_RETURN_BOOL(false);
	PG_RETURN_BOOL(!asked->may_know || PG_GETARG_INT64(0) <= settled_number(asked->progress));
}
