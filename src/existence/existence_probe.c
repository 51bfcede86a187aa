/*
 * existence_probe.c: is a key in an existence index?
 */
#include "postgres.h"

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

/* Are the bits of a hash set in one layer? */
static inline bool
layer_contains(Relation index, const pds_existence_layer *layer, pds_hash hash)
{
	pds_existence_place place = pds_existence_place_of(layer, EXISTENCE_BLOCKS_IN_PAGE, hash);
	Buffer		buffer;
	bool		found;

	/* whoever inserts this key later will have to do with us: before the page is read */
	if (IsolationIsSerializable() && ActiveSnapshotSet())
		PredicateLockPage(index, place.page, GetActiveSnapshot());

	/* a page that is being restored on a standby has other bytes for a moment */
	buffer = ReadBuffer(index, place.page);
	found = existence_page_contains(index, buffer, layer, &place, hash);
	ReleaseBuffer(buffer);
	return found;
}

bool
existence_probe(Relation index, pds_hash hash)
{
	uint32		probed = 0;

	do
	{
		const pds_existence_meta *meta = existence_meta(index);
		uint32		n = meta->n_layers;

		/* most keys are in the largest layer, which mostly is the newest one */
		for (uint32 i = n; i-- > probed;)
		{
			if (layer_contains(index, &meta->layer[i], hash))
				return true;
		}
		probed = n;

		/* a key may be in a layer that did not exist when the list was read */
	} while (existence_meta_refresh(index));
	return false;
}
