/*
 * cms_build.h: inside the building form of a Count-Min sketch
 *
 * Its hash tables are of linear probing, without order or removal: a count that
 * has become zero keeps its slot until the table moves.  A slot is a key and its
 * count side by side, so that among thousands of groups each costs one cache miss.
 *
 * The code that runs for every row is written once, for keys and counts of any width.  The
 * compiler makes a copy for each width, which is passed as a constant.
 */
#ifndef PDS_SKETCH_CMS_CMS_BUILD_H
#define PDS_SKETCH_CMS_CMS_BUILD_H

#include "cms.h"
#include "cms_counters.h"

/* ---------- keys ---------- */

/*
 * The key of a position is position + 1.  The key of a value is its columns, packed into one
 * number, + 1.  So no key is 0.
 */
static inline int
pds_cms_key_bytes(uint8_t mode)
{
	return mode == PDS_CMS_VALUES ? 8 : 4;
}

static inline int
pds_cms_column_bits(const pds_cms_shape *s)
{
	return pds_log2_64(s->width - 1) + 1;
}

/* Are there keys of values?  Conservative counters do not follow from frequencies. */
static inline bool
pds_cms_has_keys(const pds_cms_shape *s)
{
	return !s->conservative && pds_cms_column_bits(s) * s->depth < 64;
}

static inline uint64_t
pds_cms_value_key(const pds_cms_shape *s, const uint32_t *at)
{
	int			bits = pds_cms_column_bits(s);
	uint64_t	key = 0;
	uint32_t	row = 0;

	for (int i = 0; i < s->depth; i++)
	{
		key = key << bits | (at[i] - row);
		row += s->width;
	}
	return key + 1;
}

static inline void
pds_cms_value_positions(const pds_cms_shape *s, uint64_t key, uint32_t *at)
{
	int			bits = pds_cms_column_bits(s);
	uint32_t	row = pds_cms_counters(s);

	key--;
	for (int i = s->depth - 1; i >= 0; i--)
	{
		row -= s->width;
		at[i] = row + (uint32_t) (key & ((UINT64_C(1) << bits) - 1));
		key >>= bits;
	}
}

/* ---------- slots ---------- */

static inline uint8_t *
pds_cms_slot(const pds_cms_build *b, uint32_t i)
{
	return (uint8_t *) b->data + b->ring * sizeof(pds_hash) +
		(size_t) i * (size_t) (pds_cms_key_bytes(b->mode) + b->bytes);
}

/* The key in a slot; 0 if it is free. */
PDS_INLINE uint64_t
pds_cms_slot_key(const uint8_t *slot, int key_bytes)
{
	uint64_t	key;
	uint32_t	position;

	if (key_bytes == 8)
	{
		memcpy(&key, slot, sizeof(key));
		return key;
	}
	memcpy(&position, slot, sizeof(position));
	return position;
}

PDS_INLINE uint64_t
pds_cms_slot_count(const uint8_t *slot, int key_bytes, int bytes)
{
	return pds_load_number(slot + key_bytes, 0, bytes);
}

/* A table of this many slots takes so many keys. */
static inline uint32_t
pds_cms_table_limit(uint32_t slots)
{
	return slots - slots / 6;
}

/* The slot where a key belongs. */
PDS_INLINE uint8_t *
pds_cms_home(const pds_cms_build *b, uint64_t key, int key_bytes, int bytes)
{
	uint64_t	i = ((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) * b->slots >> 32;

	return (uint8_t *) b->data + b->ring * sizeof(pds_hash) + i * (size_t) (key_bytes + bytes);
}

/* Searches from a slot on: the slot of a key, or the free slot where it would go. */
PDS_INLINE uint8_t *
pds_cms_find_from(const pds_cms_build *b, uint8_t *slot, uint64_t key, int key_bytes, int bytes)
{
	size_t		step = (size_t) (key_bytes + bytes);
	uint8_t    *first = (uint8_t *) b->data + b->ring * sizeof(pds_hash);
	uint8_t    *end = first + b->slots * step;

	for (;;)
	{
		uint64_t	there = pds_cms_slot_key(slot, key_bytes);

		if (there == key || there == 0)
			return slot;
		slot += step;
		if (slot == end)
			slot = first;
	}
}

PDS_INLINE uint8_t *
pds_cms_find(const pds_cms_build *b, uint64_t key, int key_bytes, int bytes)
{
	return pds_cms_find_from(b, pds_cms_home(b, key, key_bytes, bytes), key, key_bytes, bytes);
}

/* Give a key its slot, if it has none yet, and set its count. */
PDS_INLINE void
pds_cms_set_slot(pds_cms_build *b, uint8_t *slot, uint64_t key, uint64_t count,
				 int key_bytes, int bytes)
{
	uint32_t	position = (uint32_t) key;

	b->used += pds_cms_slot_key(slot, key_bytes) == 0;
	b->largest = b->largest > count ? b->largest : count;
	if (key_bytes == 8)
		memcpy(slot, &key, sizeof(key));
	else
		memcpy(slot, &position, sizeof(position));
	pds_store_number(slot + key_bytes, 0, bytes, count);
}

/* ---------- changes ---------- */

/*
 * Remember what an image would need, to say PDS_FULL: the mode, counts that can be
 * so large, and space for so many keys more.  A count that nothing can hold
 * is one of bytes that were damaged since they were checked.
 */
static inline pds_status
pds_cms_want(pds_cms_build *b, uint8_t mode, uint64_t count, uint32_t more)
{
	if (count > PDS_CMS_MAX_COUNT)
		return PDS_OVERFLOW;
	b->wanted_mode = mode;
	b->wanted_bytes = (uint8_t) pds_cms_bytes_for(count);
	b->wanted = more;
	return PDS_FULL;
}

/* Empty the ring.  Nothing can wait in it until make_space has looked again. */
extern void pds_cms_empty_ring(pds_cms_build *b);
extern void pds_cms_make_space(pds_cms_build *b);

/* All weights sum to this now. */
static inline void
pds_cms_set_total(pds_cms_build *b, uint64_t total)
{
	b->total = total;
	if (total == 0)
		pds_state_set_kind(b, PDS_KIND_NONE);
	pds_cms_make_space(b);
}

/*
 * A weight more, or less, of the value with these positions; the total is the
 * caller's business.  Errors: PDS_FULL; PDS_NEGATIVE; nothing is changed then.
 */
extern pds_status pds_cms_change(pds_cms_build *b, const uint32_t *at, uint64_t weight,
								 bool subtract);

/*
 * One counter of an image that is not of values.  Errors: PDS_FULL if it would be
 * too large for its width, PDS_NEGATIVE; nothing is changed then.  There must be
 * space for its position.
 */
extern pds_status pds_cms_change_one(pds_cms_build *b, uint32_t position, uint64_t count,
									 bool subtract);

#endif
