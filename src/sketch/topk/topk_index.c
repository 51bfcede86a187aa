/*
 * topk_index.c: an index of a stored sketch, for one that is asked again and again
 *
 * A stored sketch has its items in the order of their counts.  A search for a value would go
 * through all items and hash most of their texts.  This is a hash table over the items, with
 * linear probing:
 *
 *     slots      n + n / 2 + 1 for n items
 *     slot       hash, u, e; u is 0 if it is free
 */
#include "topk_build.h"

static inline uint32_t
slots_for(const pds_topk_view *v)
{
	return v->items + v->items / 2 + 1;
}

size_t
pds_topk_index_bytes(const pds_topk_view *v)
{
	return sizeof(pds_topk_index) + slots_for(v) * sizeof(pds_topk_slot);
}

/* The slot with this hash, or the free one where the search for it ends. */
static inline const pds_topk_slot *
search(const pds_topk_index *index, uint64_t hash)
{
	uint32_t	slots = (uint32_t) index->slots;
	uint32_t	i = pds_topk_home(hash, slots);

	while (index->slot[i].upper != 0 && index->slot[i].hash != hash)
		if (++i == slots)
			i = 0;
	return &index->slot[i];
}

pds_status
pds_topk_index_make(const pds_topk_view *v, pds_topk_index *index)
{
	pds_topk_cursor c;
	pds_topk_item item;

	index->slots = slots_for(v);
	memset(index->slot, 0, index->slots * sizeof(pds_topk_slot));
	pds_topk_items_from(&c, v);
	while (c.left > 0)
	{
		pds_status	status = pds_topk_next(&c, &item, NULL);
		uint64_t	hash;
		pds_topk_slot *slot;

		pds_topk_poll(c.left);
		if (status != PDS_OK)
			return status;
		hash = pds_topk_item_hash(v->kind, &item);
		slot = (pds_topk_slot *) search(index, hash);
		/* of a damaged sketch that has a value twice: the first, as pds_topk_lookup() */
		if (slot->upper == 0)
			*slot = (pds_topk_slot) {hash, item.upper, item.error};
	}
	return PDS_OK;
}

const pds_topk_slot *
pds_topk_index_lookup(const pds_topk_index *index, uint64_t hash)
{
	const pds_topk_slot *slot = search(index, hash);

	return slot->upper != 0 ? slot : NULL;
}
