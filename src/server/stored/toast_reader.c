/*
 * toast_reader.c: many stored values in turn, out of one TOAST table
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/genam.h"
#include "access/heaptoast.h"
#include "access/relscan.h"
#include "access/stratnum.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/toast_internals.h"
#include "executor/tuptable.h"
#include "nodes/execnodes.h"
#include "utils/fmgroids.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"

#include "call_argument.h"
#include "compat.h"
#include "toast_reader.h"

/* A larger value is worth opening its table for, and no memory for it is kept. */
#define MOST_BYTES		(256 * 1024)

typedef struct Reader
{
	Oid			toast;			/* the TOAST table that the last value was in */
	bool		is_open;
	bool		registered;		/* the executor is going to call end_of_group() */
	ResourceOwner owner;		/* of what is open */
	Relation	table;
	Relation   *indexes;
	int			index_count;
	SnapshotData snapshot;		/* up to PostgreSQL 17 */
	IndexScanDesc scan;
	TupleTableSlot *slot;
	MemoryContext context;		/* where all this lives */
	struct varlena *value;		/* the last value, in memory that is used again */
	Size		size;			/* of this memory */
} Reader;

static void
close_reader(Reader *r)
{
	if (!r->is_open)
		return;
	r->is_open = false;
	ExecDropSingleTupleTableSlot(r->slot);
	index_endscan(r->scan);
	toast_close_indexes(r->indexes, r->index_count, AccessShareLock);
	table_close(r->table, AccessShareLock);
}

/* The executor resets the context of the group's states, or ends the query. */
static void
end_of_group(Datum arg)
{
	Reader	   *r = (Reader *) DatumGetPointer(arg);

	r->registered = false;
	r->toast = InvalidOid;
	close_reader(r);
}

/* False if the table's values are not kept as heaptoast.c keeps them. */
static bool
open_reader(Reader *r, FunctionCallInfo fcinfo)
{
	int			valid;

	r->table = table_open(r->toast, AccessShareLock);
	if (r->table->rd_tableam->relation_fetch_toast_slice != heap_fetch_toast_slice)
	{
		table_close(r->table, AccessShareLock);
		return false;
	}
	valid = toast_open_indexes(r->table, AccessShareLock, &r->indexes, &r->index_count);
	r->scan = PDS_INDEX_BEGINSCAN(r->table, r->indexes[valid], PDS_TOAST_SNAPSHOT(&r->snapshot), 1);
	r->slot = table_slot_create(r->table, NULL);
	r->owner = CurrentResourceOwner;
	r->is_open = true;
	if (!r->registered)
	{
		AggRegisterCallback(fcinfo, end_of_group, PointerGetDatum(r));
		r->registered = true;
	}
	return true;
}

/* Memory for a value of len bytes.  Its address is a multiple of MAXIMUM_ALIGNOF. */
static void
reserve(Reader *r, Size len)
{
	Size		need = VARHDRSZ + len;

	if (need <= r->size)
		return;
	if (r->value != NULL)
		pfree(r->value);
	r->value = NULL;
	r->size = 0;
	r->value = MemoryContextAlloc(r->context, need + need / 4);
	r->size = need + need / 4;
}

/*
 * Reads the value behind a pointer with the open scan.  Returns false if its chunks are not what
 * they should be.  Then the server reads it, and raises the error.
 */
static bool
read_chunks(Reader *r, const struct varatt_external *pointer, Size len)
{
	Size		done = 0;
	int32		chunk = 0;
	ScanKeyData key;

	ScanKeyInit(&key, 1, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(pointer->va_valueid));
	r->scan->xs_snapshot = PDS_TOAST_SNAPSHOT(&r->snapshot);
	index_rescan(r->scan, &key, 1, NULL, 0);
	/* to the end, where the scan lets go of its pages */
	while (index_getnext_slot(r->scan, ForwardScanDirection, r->slot))
	{
		bool		isnull;
		bool		isnull_data;
		int32		number = DatumGetInt32(slot_getattr(r->slot, 2, &isnull));
		struct varlena *data =
			(struct varlena *) DatumGetPointer(slot_getattr(r->slot, 3, &isnull_data));
		Size		expected = Min(len - done, TOAST_MAX_CHUNK_SIZE);

		if (isnull || isnull_data || number != chunk || expected == 0 ||
			VARATT_IS_EXTERNAL(data) || VARATT_IS_COMPRESSED(data) ||
			VARSIZE_ANY_EXHDR(data) != expected)
			return false;
		memcpy(VARDATA(r->value) + done, VARDATA_ANY(data), expected);
		done += expected;
		chunk++;
	}
	ExecClearTuple(r->slot);
	SET_VARSIZE(r->value, VARHDRSZ + len);
	return done == len;
}

static struct varlena *
read_external(Reader *r, FunctionCallInfo fcinfo, const struct varatt_external *pointer)
{
	Size		len = (Size) pointer->va_rawsize - VARHDRSZ;
	MemoryContext old;
	bool		read;

	if (VARATT_EXTERNAL_IS_COMPRESSED(*pointer) || len == 0 || len > MOST_BYTES)
		return NULL;
	if (r->toast != pointer->va_toastrelid)
	{
		/* one value does not pay, nor does one after the other from different tables */
		close_reader(r);
		r->toast = pointer->va_toastrelid;
		return NULL;
	}
	/* the executor runs a query under one resource owner; no other may use what it owns */
	if (r->is_open && r->owner != CurrentResourceOwner)
		return NULL;
	/* scans keep some of what they allocate on the way */
	old = MemoryContextSwitchTo(r->context);
	read = r->is_open || open_reader(r, fcinfo);
	if (read)
	{
		reserve(r, len);
		read = read_chunks(r, pointer, len);
		/* in the middle of a scan pages are pinned */
		if (!read)
			close_reader(r);
	}
	MemoryContextSwitchTo(old);
	return read ? r->value : NULL;
}

/*
 * Returns the call site's reader; NULL if there can be none.  A call site without an expression
 * is one of somebody who calls the step by hand, perhaps with another FmgrInfo for each row
 * (Citus does).  A window's states end otherwise, too.
 */
static Reader *
reader_of(FunctionCallInfo fcinfo)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;
	PdsCallSite *site;

	if (flinfo == NULL || flinfo->fn_expr == NULL || fcinfo->context == NULL ||
		!IsA(fcinfo->context, AggState))
		return NULL;
	site = pds_call_site(fcinfo);
	if (site->known == NULL)
	{
		Reader	   *r = MemoryContextAllocZero(flinfo->fn_mcxt, sizeof(Reader));

		r->context = flinfo->fn_mcxt;
		site->known = r;
	}
	return site->known;
}

struct varlena *
pds_toast_reader_arg(FunctionCallInfo fcinfo, int argno, bool *borrowed)
{
	struct varlena *value = (struct varlena *) DatumGetPointer(PG_GETARG_DATUM(argno));

	*borrowed = false;
	if (VARATT_IS_EXTERNAL_ONDISK(value))
	{
		Reader	   *r = reader_of(fcinfo);
		struct varatt_external pointer;
		struct varlena *read;

		VARATT_EXTERNAL_GET_POINTER(pointer, value);
		read = r == NULL ? NULL : read_external(r, fcinfo, &pointer);
		if (read != NULL)
		{
			*borrowed = true;
			return read;
		}
	}
	return PG_DETOAST_DATUM_PACKED(PointerGetDatum(value));
}
