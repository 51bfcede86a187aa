/*
 * cms_build.c: one value, or one counter, of a building Count-Min sketch
 */
#include <string.h>

#include "cms_build.h"

/* ---------- one counter ---------- */

pds_status
pds_cms_change_one(pds_cms_build *b, uint32_t position, uint64_t count, bool subtract)
{
	bool		all = b->mode == PDS_CMS_COUNTERS;
	uint8_t    *slot = all ? NULL : pds_cms_find(b, (uint64_t) position + 1, 4, b->bytes);
	uint64_t	there = all ? pds_load_number(b->data, position, b->bytes) :
		pds_cms_slot_count(slot, 4, b->bytes);

	if (subtract && there < count)
		return PDS_NEGATIVE;
	there = subtract ? there - count : there + count;
	if (there > pds_cms_most(b->bytes))
		return pds_cms_want(b, b->mode, there, 0);
	if (all)
		pds_store_number(b->data, position, b->bytes, there);
	else
		pds_cms_set_slot(b, slot, (uint64_t) position + 1, there, 4, b->bytes);
	return PDS_OK;
}

/* ---------- one value, by its counters ---------- */

/*
 * The counters of a value, and what they are to become.  All of them are looked
 * at before the first is changed, because a change is done in full or not at all.
 */
typedef struct change
{
	int			depth;
	const uint32_t *at;			/* positions */
	uint8_t    *slot[PDS_CMS_MAX_DEPTH];	/* of a table */
	uint64_t	count[PDS_CMS_MAX_DEPTH];
} change;

/* What counters become by a weight: false if one would be below zero. */
PDS_INLINE bool
change_counts(change *c, uint64_t weight, bool subtract, bool conservative)
{
	uint64_t	least = UINT64_MAX;

	for (int i = 0; i < c->depth && (subtract || conservative); i++)
		least = c->count[i] < least ? c->count[i] : least;
	if (subtract && least < weight)
		return false;
	for (int i = 0; i < c->depth; i++)
	{
		if (subtract)
			c->count[i] -= weight;
		else if (!conservative)
			c->count[i] += weight;
		else if (c->count[i] < least + weight)
			c->count[i] = least + weight;
	}
	return true;
}

/* A number that is too large for a width if, and only if, one of the counters is. */
static inline uint64_t
any_of(const change *c)
{
	uint64_t	any = 0;

	for (int i = 0; i < c->depth; i++)
		any |= c->count[i];
	return any;
}

PDS_INLINE pds_status
change_counters(pds_cms_build *b, change *c, uint64_t weight, bool subtract, bool conservative,
				int bytes)
{
	uint64_t	any;

	for (int i = 0; i < c->depth; i++)
		c->count[i] = pds_load_number(b->data, c->at[i], bytes);
	if (!change_counts(c, weight, subtract, conservative))
		return PDS_NEGATIVE;
	any = any_of(c);
	if (any > pds_cms_most(bytes))
		return pds_cms_want(b, PDS_CMS_COUNTERS, any, 0);
	for (int i = 0; i < c->depth; i++)
		pds_store_number(b->data, c->at[i], bytes, c->count[i]);
	return PDS_OK;
}

PDS_INLINE pds_status
change_positions(pds_cms_build *b, change *c, uint64_t weight, bool subtract, bool conservative,
				 int bytes)
{
	uint32_t	missing = 0;
	uint64_t	any;

	for (int i = 0; i < c->depth; i++)
	{
		c->slot[i] = pds_cms_find(b, (uint64_t) c->at[i] + 1, 4, bytes);
		c->count[i] = pds_cms_slot_count(c->slot[i], 4, bytes);
		missing += pds_cms_slot_key(c->slot[i], 4) == 0;
	}
	if (!change_counts(c, weight, subtract, conservative))
		return PDS_NEGATIVE;
	any = any_of(c);
	if (any > pds_cms_most(bytes) || missing > pds_cms_table_limit(b->slots) - b->used)
		return pds_cms_want(b, PDS_CMS_POSITIONS, any, missing);
	for (int i = 0; i < c->depth; i++)
	{
		uint64_t	key = (uint64_t) c->at[i] + 1;

		/* another of them may have taken the free slot */
		if (missing > 1)
			c->slot[i] = pds_cms_find_from(b, c->slot[i], key, 4, bytes);
		pds_cms_set_slot(b, c->slot[i], key, c->count[i], 4, bytes);
	}
	return PDS_OK;
}

/* ---------- one value, by its key ---------- */

PDS_INLINE pds_status
change_value(pds_cms_build *b, uint64_t key, uint64_t weight, bool subtract, int bytes)
{
	uint8_t    *slot = pds_cms_find(b, key, 8, bytes);
	uint64_t	count = pds_cms_slot_count(slot, 8, bytes);
	uint32_t	missing = pds_cms_slot_key(slot, 8) == 0;

	/* what there is too little of may be covered by what shares its counters */
	if (subtract && count < weight)
		return pds_cms_want(b, PDS_CMS_POSITIONS, 0, 0);
	count = subtract ? count - weight : count + weight;
	if (count > pds_cms_most(bytes) || missing > pds_cms_table_limit(b->slots) - b->used)
		return pds_cms_want(b, PDS_CMS_VALUES, count, missing);
	pds_cms_set_slot(b, slot, key, count, 8, bytes);
	return PDS_OK;
}

/* ---------- one value ---------- */

pds_status
pds_cms_change(pds_cms_build *b, const uint32_t *at, uint64_t weight, bool subtract)
{
	bool		conservative = b->shape.conservative != 0;
	change		c;

	if (b->mode == PDS_CMS_VALUES)
		return change_value(b, pds_cms_value_key(&b->shape, at), weight, subtract, b->bytes);
	c.depth = b->shape.depth;
	c.at = at;
	if (b->mode == PDS_CMS_COUNTERS)
		return change_counters(b, &c, weight, subtract, conservative, b->bytes);
	return change_positions(b, &c, weight, subtract, conservative, b->bytes);
}

/* ---------- the ring ---------- */

void
pds_cms_make_space(pds_cms_build *b)
{
	uint64_t	space = b->ring;
	uint64_t	most;

	b->space = 0;
	if (space == 0)
		return;
	/* each may need a slot, or one for each of its counters, and raise the largest */
	most = pds_cms_table_limit(b->slots) - b->used;
	if (b->mode == PDS_CMS_POSITIONS)
		most /= b->shape.depth;
	space = space < most ? space : most;
	most = pds_cms_most(b->bytes) - b->largest;
	space = space < most ? space : most;
	most = PDS_CMS_MAX_COUNT - b->total;
	b->space = (uint8_t) (space < most ? space : most);
}

/* One more of each of n values, for which there is space. */
PDS_INLINE void
raise_values(pds_cms_build *b, const uint64_t *keys, int n, int bytes)
{
	for (int i = 0; i < n; i++)
	{
		uint8_t    *slot = pds_cms_find(b, keys[i], 8, bytes);

		pds_cms_set_slot(b, slot, keys[i], pds_cms_slot_count(slot, 8, bytes) + 1, 8, bytes);
	}
}

void
pds_cms_empty_ring(pds_cms_build *b)
{
	uint64_t	keys[PDS_CMS_RING];
	uint32_t	at[PDS_CMS_RING][PDS_CMS_MAX_DEPTH];
	int			n = b->pending;

	b->space = 0;
	b->pending = 0;
	for (int i = 0; i < n; i++)
	{
		pds_hash	h;

		memcpy(&h, b->data + (size_t) i * sizeof(h), sizeof(h));
		pds_cms_positions(h, &b->shape, at[i]);
		if (b->mode == PDS_CMS_VALUES)
		{
			keys[i] = pds_cms_value_key(&b->shape, at[i]);
			__builtin_prefetch(pds_cms_home(b, keys[i], 8, b->bytes), 1);
		}
		else
			for (int row = 0; row < b->shape.depth; row++)
				__builtin_prefetch(pds_cms_home(b, (uint64_t) at[i][row] + 1, 4, b->bytes), 1);
	}
	if (b->mode != PDS_CMS_VALUES)
		for (int i = 0; i < n; i++)
			(void) pds_cms_change(b, at[i], 1, false);
	else if (b->bytes == 1)
		raise_values(b, keys, n, 1);
	else if (b->bytes == 2)
		raise_values(b, keys, n, 2);
	else if (b->bytes == 4)
		raise_values(b, keys, n, 4);
	else
		raise_values(b, keys, n, 8);
}
