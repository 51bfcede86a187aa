/*
 * existence_probe.c: is a key in an existence index?
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "access/xact.h"
#include "storage/predicate.h"
#include "utils/snapmgr.h"

#include "existence.h"

bool
existence_is_usable(Relation index)
{
	Form_pg_index form = index->rd_index;

	if (!form->indisvalid)
		return false;

	/* rows that only an old snapshot sees may have no key in the index */
	return !form->indcheckxmin ||
		TransactionIdPrecedes(HeapTupleHeaderGetXmin(index->rd_indextuple->t_data),
							  TransactionXmin);
}

bool
existence_peek(Relation index, pds_hash hash)
{
	pds_existence_place place = pds_existence_place_of(&existence_meta(index)->filter,
													   EXISTENCE_BLOCKS_IN_PAGE, hash);
	Buffer		buffer;
	bool		found;

	existence_expect(index, &place, hash);
	buffer = existence_read_page(index, place.page);
	/* under its lock: a page that is being restored on a standby has other bytes for a moment */
	found = existence_page_contains(index, buffer, &existence_meta(index)->filter, &place, hash);
	ReleaseBuffer(buffer);
	if (found)
		return true;

	/* the table may have begun since the metapage was read */
	if (!existence_meta(index)->table.started &&
		!(existence_meta_refresh(index) && existence_meta(index)->table.started))
		return false;
	return existence_table_contains(index, hash);
}

bool
existence_probe(Relation index, pds_hash hash)
{
	/*
	 * Whoever inserts this key later, into the filter or the table, will have to do with us:
	 * before the page is read.
	 */
	if (IsolationIsSerializable() && ActiveSnapshotSet())
	{
		pds_existence_place place = pds_existence_place_of(&existence_meta(index)->filter,
														   EXISTENCE_BLOCKS_IN_PAGE, hash);

		PredicateLockPage(index, place.page, GetActiveSnapshot());
	}
	return existence_peek(index, hash);
}

bool
existence_probe_value(Relation index, PdsHasher *hasher, Datum value)
{
	if (hasher != NULL)
	{
		pds_hash	hash = pds_hasher_hash(hasher, value);

		/* a record can be of another kind than its type */
		if (likely(existence_meta(index)->kind == pds_hasher_kind(hasher)))
			return existence_probe(index, hash);
	}

	/* any key that is inserted later might equal the value */
	if (IsolationIsSerializable() && ActiveSnapshotSet())
		PredicateLockRelation(index, GetActiveSnapshot());
	return true;
}
