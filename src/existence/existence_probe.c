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

	if (!form->indisvalid || !form->indislive)
		return false;

	/* rows that only an old snapshot sees may have no key in the index */
	return !form->indcheckxmin ||
		TransactionIdPrecedes(HeapTupleHeaderGetXmin(index->rd_indextuple->t_data),
							  TransactionXmin);
}

/* Are the bits of a hash set in the filter? */
static inline bool
filter_contains(Relation index, const pds_existence_place *place, pds_hash hash)
{
	Buffer		buffer;
	bool		found;

	/*
	 * Whoever inserts this key later, into the filter or the table, will have to do with us:
	 * before the page is read.
	 */
	if (IsolationIsSerializable() && ActiveSnapshotSet())
		PredicateLockPage(index, place->page, GetActiveSnapshot());

	/* a page that is being restored on a standby has other bytes for a moment */
	buffer = existence_read_page(index, place->page);
	found = existence_page_contains(index, buffer, &existence_meta(index)->filter, place, hash);
	ReleaseBuffer(buffer);
	return found;
}

bool
existence_probe(Relation index, pds_hash hash)
{
	const pds_existence_meta *meta = existence_meta(index);
	pds_existence_place place = pds_existence_place_of(&meta->filter, EXISTENCE_BLOCKS_IN_PAGE,
													   hash);

	existence_expect_in_filter(index, &place);
	if (meta->table.started)
		existence_expect_in_table(index, hash);
	if (filter_contains(index, &place, hash))
		return true;

	/* the table may have begun since the metapage was read */
	if (!existence_meta(index)->table.started &&
		!(existence_meta_refresh(index) && existence_meta(index)->table.started))
		return false;
	return existence_table_contains(index, hash);
}
