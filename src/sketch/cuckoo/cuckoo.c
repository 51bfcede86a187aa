/*
 * cuckoo.c: the building form of a cuckoo filter
 */
#include "decimal.h"
#include "poll.h"
#include "cuckoo_table.h"

/* How many buckets are looked at for a free slot. */
#define SEARCH_BUCKETS		512

/* ---------- images ---------- */

/* Make an empty image as planned. */
static void
init(pds_cuckoo_build *b, const pds_cuckoo_shape *s, const pds_cuckoo_plan *plan)
{
	size_t		table = (size_t) plan->buckets * PDS_CUCKOO_SLOTS * plan->width;

	memset((uint8_t *) b + sizeof(b->varlena), 0, plan->size - table - sizeof(b->varlena));
	memset((uint8_t *) b + plan->size - table, 0xff, table);
	pds_state_init(b, PDS_TYPE_CUCKOO, PDS_FAMILY_NATIVE);
	b->shape = *s;
	b->buckets = plan->buckets;
	b->stash_slots = plan->stash_slots;
	b->width = (uint8_t) plan->width;
	b->ring = pds_cuckoo_ring_for(plan->buckets, plan->width);
	b->fingerprints = pds_cuckoo_divide_up(s->classes, b->buckets / 2);
	b->fingerprint_bits = (uint8_t) pds_cuckoo_bits_for(b->fingerprints);
	b->reciprocal = UINT64_MAX / b->fingerprints;
}

void
pds_cuckoo_build_init(pds_cuckoo_build *b, const pds_cuckoo_shape *s)
{
	static const pds_cuckoo_plan first = {
		PDS_CUCKOO_FIRST_SIZE, PDS_CUCKOO_FIRST_BUCKETS, PDS_CUCKOO_FIRST_STASH, sizeof(uint64_t)
	};

	init(b, s, &first);
}

/* ---------- slots ---------- */

/* A bucket that was reached in search of a free slot: from slot "slot" of "from". */
typedef struct reached
{
	uint64_t	bucket;
	int16_t		from;			/* -1: one of the two to begin with */
	uint8_t		slot;
} reached;

/*
 * Move each fingerprint of a chain one bucket further, the last one to the given free slot at
 * the end.  Returns the slot that becomes free, in the bucket where the chain begins.
 */
static uint8_t *
move_chain(pds_cuckoo_build *b, const reached *list, int at, uint8_t *hole)
{
	int			width = b->width;

	for (; list[at].from >= 0; at = list[at].from)
	{
		uint8_t    *slot = pds_cuckoo_bucket(b, list[list[at].from].bucket, width) +
			list[at].slot * width;

		pds_store_number(hole, 0, width, pds_load_number(slot, 0, width));
		hole = slot;
	}
	return hole;
}

/*
 * Make a free slot in one of the two buckets of a place, both of which are full, by moving
 * fingerprints to their other buckets.  Searches in breadth, and moves nothing before it has
 * found the end of the chain.  Returns NULL if no slot nearby is free.
 */
static uint8_t *
make_free_slot(pds_cuckoo_build *b, const pds_cuckoo_place *p)
{
	int			width = b->width;
	reached		list[SEARCH_BUCKETS];
	int			n = 2;

	if (b->used == b->buckets * PDS_CUCKOO_SLOTS)
		return NULL;
	list[0] = (reached) {p->even, -1, 0};
	list[1] = (reached) {p->odd, -1, 0};
	for (int at = 0; at < n; at++)
	{
		uint8_t    *bucket = pds_cuckoo_bucket(b, list[at].bucket, width);
		uint8_t    *hole = pds_cuckoo_free_in(bucket, width);

		if (hole != NULL)
			return move_chain(b, list, at, hole);
		/* by the time that it is their turn they have been fetched */
		for (int i = 0; i < PDS_CUCKOO_SLOTS && n < SEARCH_BUCKETS; i++)
		{
			uint64_t	v = pds_load_number(bucket, i, width);
			uint64_t	other = pds_cuckoo_other(b, pds_cuckoo_fingerprint_in(b, v),
												 list[at].bucket);

			__builtin_prefetch(pds_cuckoo_bucket(b, other, width), 1);
			list[n++] = (reached) {other, (int16_t) at, (uint8_t) i};
		}
	}
	return NULL;
}

/* Is the table so full that it may grow?  From a load of 0.94 on. */
static inline bool
is_loaded(const pds_cuckoo_build *b)
{
	return b->used * 50 >= b->buckets * PDS_CUCKOO_SLOTS * 47;
}

static void
put_in_stash(pds_cuckoo_build *b, uint64_t class, uint64_t copies)
{
	pds_cuckoo_stash *there = pds_cuckoo_stash_find(b, class);

	b->stash_used += there->copies == 0;
	there->class = class;
	there->copies += copies;
}

/* Without a slot, for want of one. */
static void
put_homeless(pds_cuckoo_build *b, uint64_t class, uint64_t copies)
{
	uint32_t	before = b->stash_used;

	put_in_stash(b, class, copies);
	b->homeless += b->stash_used - before;
}

PDS_INLINE void
put(pds_cuckoo_build *b, uint64_t class, uint64_t copies, bool new, int width)
{
	pds_cuckoo_place p = pds_cuckoo_place_of(b, class);
	uint64_t	limit = pds_cuckoo_slot_limit(b->fingerprint_bits, width);
	uint8_t    *even = pds_cuckoo_bucket(b, p.even, width);
	uint8_t    *odd = pds_cuckoo_bucket(b, p.odd, width);
	uint8_t    *slot = NULL;
	uint64_t	have = 0;
	uint64_t	sum;

	if (!new)
		slot = pds_cuckoo_find(b, &p, width);
	if (slot != NULL)
		have = pds_cuckoo_copies_in(b, pds_load_number(slot, 0, width));
	else
	{
		if (!new && b->homeless > 0 && pds_cuckoo_stash_find(b, class)->copies > 0)
		{
			put_in_stash(b, class, copies);
			return;
		}
		slot = pds_cuckoo_free_in(even, width);
		if (slot == NULL)
			slot = pds_cuckoo_free_in(odd, width);
		if (slot == NULL)
			slot = make_free_slot(b, &p);
		if (slot == NULL)
		{
			put_homeless(b, class, copies);
			b->crowded = is_loaded(b);
			return;
		}
		b->used++;
	}
	sum = have + copies;
	if (sum > limit)
	{
		put_in_stash(b, class, sum - limit);
		sum = limit;
	}
	pds_store_number(slot, 0, width, pds_cuckoo_slot_value(b, p.fingerprint, sum));
}

void
pds_cuckoo_put(pds_cuckoo_build *b, uint64_t class, uint64_t copies, bool new)
{
	switch (b->width)
	{
		case 1:
			put(b, class, copies, new, 1);
			break;
		case 2:
			put(b, class, copies, new, 2);
			break;
		case 4:
			put(b, class, copies, new, 4);
			break;
		default:
			put(b, class, copies, new, 8);
			break;
	}
}

static uint8_t *
find_slot(const pds_cuckoo_build *b, const pds_cuckoo_place *p)
{
	switch (b->width)
	{
		case 1:
			return pds_cuckoo_find(b, p, 1);
		case 2:
			return pds_cuckoo_find(b, p, 2);
		case 4:
			return pds_cuckoo_find(b, p, 4);
		default:
			return pds_cuckoo_find(b, p, 8);
	}
}

/* Can there be copies in the stash of a class whose slot says so many? */
static inline bool
has_more(const pds_cuckoo_build *b, uint64_t copies)
{
	return b->stash_used > b->homeless &&
		copies == pds_cuckoo_slot_limit(b->fingerprint_bits, b->width);
}

uint64_t
pds_cuckoo_copies(const pds_cuckoo_build *b, uint64_t class)
{
	uint64_t	copies = 0;
	pds_cuckoo_place p = pds_cuckoo_place_of(b, class);
	const uint8_t *slot = find_slot(b, &p);

	if (slot != NULL)
	{
		copies = pds_cuckoo_copies_in(b, pds_load_number(slot, 0, b->width));
		if (!has_more(b, copies))
			return copies;
	}
	else if (b->homeless == 0)
		return 0;
	return copies + pds_cuckoo_stash_find(b, class)->copies;
}

/* Close the gap that a class leaves in the stash. */
static void
free_stash(pds_cuckoo_build *b, pds_cuckoo_stash *gone)
{
	pds_cuckoo_stash *stash = pds_cuckoo_stash_of(b);
	uint32_t	mask = b->stash_slots - 1;
	uint32_t	hole = (uint32_t) (gone - stash);

	b->stash_used--;
	for (uint32_t i = (hole + 1) & mask; stash[i].copies != 0; i = (i + 1) & mask)
	{
		uint32_t	home = pds_cuckoo_stash_home(b, stash[i].class);

		if (((i - home) & mask) >= ((i - hole) & mask))
		{
			stash[hole] = stash[i];
			hole = i;
		}
	}
	stash[hole] = (pds_cuckoo_stash) {0, 0};
}

/* Remove one copy of a class.  Returns false if the class has no copy. */
static bool
take(pds_cuckoo_build *b, uint64_t class)
{
	pds_cuckoo_place p = pds_cuckoo_place_of(b, class);
	uint8_t    *slot = find_slot(b, &p);
	uint64_t	copies = 0;

	if (slot != NULL)
		copies = pds_cuckoo_copies_in(b, pds_load_number(slot, 0, b->width));
	if (slot == NULL ? b->homeless > 0 : has_more(b, copies))
	{
		pds_cuckoo_stash *there = pds_cuckoo_stash_find(b, class);

		if (there->copies > 0)
		{
			if (--there->copies == 0)
			{
				free_stash(b, there);
				b->homeless -= slot == NULL;
			}
			return true;
		}
	}
	if (slot == NULL)
		return false;
	if (copies > 1)
		pds_store_number(slot, 0, b->width,
						 pds_cuckoo_slot_value(b, p.fingerprint, copies - 1));
	else
	{
		pds_store_number(slot, 0, b->width, pds_cuckoo_free_slot(b->width));
		b->used--;
	}
	return true;
}

/* ---------- changes ---------- */

void
pds_cuckoo_flush(pds_cuckoo_build *b)
{
	unsigned	n = b->pending;

	/* the space of each was kept while it waited */
	b->pending = 0;
	for (unsigned i = 0; i < n; i++)
		pds_cuckoo_put(b, b->words[i], 1, false);
}

pds_status
pds_cuckoo_add(pds_cuckoo_build *b, pds_hash h)
{
	uint64_t	class = pds_cuckoo_class(h, &b->shape);

	if (pds_cuckoo_is_full(b))
	{
		pds_cuckoo_flush(b);
		if (pds_cuckoo_is_full(b))
			return pds_cuckoo_full(b);
	}
	if (b->total == PDS_CUCKOO_MAX_COUNT)
		return PDS_OVERFLOW;
	b->total++;
	if (b->ring == 0)
	{
		pds_cuckoo_put(b, class, 1, false);
		return PDS_OK;
	}
	pds_cuckoo_prefetch(b, class, true);
	b->words[b->pending++] = class;
	if (b->pending == b->ring)
		pds_cuckoo_flush(b);
	return PDS_OK;
}

pds_status
pds_cuckoo_remove(pds_cuckoo_build *b, pds_hash h)
{
	pds_cuckoo_flush(b);
	if (!take(b, pds_cuckoo_class(h, &b->shape)))
		return PDS_NEGATIVE;
	if (--b->total == 0)
		pds_state_set_kind(b, PDS_KIND_NONE);
	return PDS_OK;
}

uint64_t
pds_cuckoo_count(const pds_cuckoo_build *b, pds_hash h)
{
	return pds_cuckoo_copies(b, pds_cuckoo_class(h, &b->shape));
}

/* ---------- walking, moving, merging ---------- */

bool
pds_cuckoo_walk_next(pds_cuckoo_walk *w, pds_cuckoo_part *part)
{
	const pds_cuckoo_build *b = w->b;
	uint64_t	slots = b->buckets * PDS_CUCKOO_SLOTS;
	const uint8_t *table = pds_cuckoo_buckets_of(b);
	uint64_t	i;

	while (w->at < slots)
	{
		uint64_t	v = pds_load_number(table, w->at, b->width);

		w->at++;
		if (v == pds_cuckoo_free_slot(b->width))
			continue;
		part->class = pds_cuckoo_class_of(b, pds_cuckoo_fingerprint_in(b, v),
										  (w->at - 1) / PDS_CUCKOO_SLOTS);
		part->copies = pds_cuckoo_copies_in(b, v);
		part->stashed = false;
		return true;
	}
	part->stashed = true;
	for (i = w->at - slots; i < b->stash_slots; i++)
	{
		const pds_cuckoo_stash *there = &pds_cuckoo_stash_of(b)[i];

		w->at++;
		if (there->copies == 0)
			continue;
		part->class = there->class;
		part->copies = there->copies;
		return true;
	}
	i -= b->stash_slots;
	if (i >= b->pending)
		return false;
	w->at++;
	part->class = b->words[i];
	part->copies = 1;
	return true;
}

pds_status
pds_cuckoo_rebuild(pds_cuckoo_build *to, pds_cuckoo_plan *plan, const pds_cuckoo_build *from)
{
	pds_cuckoo_walk w = {from, 0};
	pds_cuckoo_part parts[PDS_CUCKOO_BATCH];
	size_t		batches = 0;
	int			n;

	init(to, &from->shape, plan);
	pds_state_copy_head(to, from);
	to->undecided = from->undecided;
	to->total = from->total;
	to->resume = from->resume;
	to->asked_capacity = from->asked_capacity;
	to->asked_rate = from->asked_rate;
	if (to->buckets == from->buckets && to->width == from->width)
	{
		w.at = to->buckets * PDS_CUCKOO_SLOTS;
		memcpy(pds_cuckoo_buckets_of(to), pds_cuckoo_buckets_of(from), w.at * to->width);
		to->used = from->used;
	}
	do
	{
		pds_poll_every(batches++, PDS_POLL_ITEMS / PDS_CUCKOO_BATCH);
		for (n = 0; n < PDS_CUCKOO_BATCH && pds_cuckoo_walk_next(&w, &parts[n]); n++)
			pds_cuckoo_prefetch(to, parts[n].class, parts[n].stashed);
		for (int i = 0; i < n; i++)
		{
			if (pds_cuckoo_is_full(to))
			{
				if (to->crowded)
					pds_cuckoo_plan_more_buckets(&to->shape, plan);
				else
					pds_cuckoo_plan_larger_stash(plan);
				return PDS_FULL;
			}
			/* a class has one slot, and comes from there first */
			pds_cuckoo_put(to, parts[i].class, parts[i].copies, !parts[i].stashed);
		}
	} while (n == PDS_CUCKOO_BATCH);
	return PDS_OK;
}

pds_status
pds_cuckoo_merge_start(const pds_cuckoo_build *b, const pds_cuckoo_shape *s, uint64_t total)
{
	if (!pds_cuckoo_same_shape(&b->shape, s))
		return PDS_PARAMETER_MISMATCH;
	if (total > PDS_CUCKOO_MAX_COUNT - b->total)
		return PDS_OVERFLOW;
	return PDS_OK;
}

pds_status
pds_cuckoo_merge_build(pds_cuckoo_build *b, const pds_cuckoo_build *from)
{
	pds_status	status = pds_cuckoo_merge_start(b, &from->shape, from->total);
	pds_cuckoo_walk w = {from, b->resume};
	pds_cuckoo_part part;

	if (status != PDS_OK)
		return status;
	pds_cuckoo_flush(b);
	while (pds_cuckoo_walk_next(&w, &part))
	{
		if (pds_cuckoo_is_full(b))
		{
			b->resume = w.at - 1;
			return pds_cuckoo_full(b);
		}
		pds_cuckoo_put(b, part.class, part.copies, false);
	}
	b->resume = 0;
	b->total += from->total;
	return PDS_OK;
}

/* ---------- damaged images ---------- */

/* Do the fields of an image go with each other, and with its size? */
static bool
check_fields(const pds_cuckoo_build *b, size_t size)
{
	pds_cuckoo_shape s;

	/* one that is undecided becomes an image to begin with */
	if (b->undecided > 1 ||
		(b->undecided && (b->total > 0 || b->pending > 0 || size < PDS_CUCKOO_FIRST_SIZE)) ||
		b->crowded > 1 || b->resume != 0 ||
		b->shape.capacity == 0 || b->shape.capacity > PDS_CUCKOO_MAX_CAPACITY ||
		b->shape.rate == 0 || b->shape.rate >= PDS_DECIMAL_CODES ||
		b->total > PDS_CUCKOO_MAX_COUNT)
		return false;
	pds_cuckoo_shape_for(b->shape.capacity, b->shape.rate, &s);
	if (memcmp(&s, &b->shape, sizeof(s)) != 0)
		return false;
	if (b->stash_slots < PDS_CUCKOO_FIRST_STASH || (b->stash_slots & (b->stash_slots - 1)) != 0 ||
		b->stash_used > pds_cuckoo_stash_limit(b->stash_slots) || b->homeless > b->stash_used ||
		b->pending > b->ring ||
		b->stash_used + b->pending > pds_cuckoo_stash_limit(b->stash_slots))
		return false;
	if (b->buckets == 0 || b->buckets % 2 != 0 || b->buckets / 2 > s.classes || b->buckets > size ||
		b->fingerprints != pds_cuckoo_divide_up(s.classes, b->buckets / 2) ||
		b->reciprocal != UINT64_MAX / b->fingerprints ||
		b->fingerprint_bits != pds_cuckoo_bits_for(b->fingerprints) ||
		(b->width != 1 && b->width != 2 && b->width != 4 && b->width != 8) ||
		b->fingerprint_bits > 8 * b->width || b->ring != pds_cuckoo_ring_for(b->buckets, b->width))
		return false;
	return size == pds_cuckoo_image_size(b->buckets, b->width, b->stash_slots);
}

/* Is what is in all slots a fingerprint? */
static bool
check_slots(const pds_cuckoo_build *b)
{
	const uint8_t *table = pds_cuckoo_buckets_of(b);

	for (uint64_t i = 0; i < b->buckets * PDS_CUCKOO_SLOTS; i++)
	{
		uint64_t	v = pds_load_number(table, i, b->width);

		if (v != pds_cuckoo_free_slot(b->width) &&
			pds_cuckoo_fingerprint_in(b, v) >= b->fingerprints)
			return false;
	}
	return true;
}

/*
 * Is each class of the stash where it is looked for, and does it not run full?  The
 * search ends at a free slot.
 */
static bool
check_stash(const pds_cuckoo_build *b)
{
	const pds_cuckoo_stash *stash = pds_cuckoo_stash_of(b);
	uint32_t	used = 0;

	for (uint32_t i = 0; i < b->stash_slots; i++)
		used += stash[i].copies != 0;
	if (used != b->stash_used)
		return false;
	for (uint32_t i = 0; i < b->stash_slots; i++)
		if (stash[i].copies != 0 && pds_cuckoo_stash_find(b, stash[i].class) != &stash[i])
			return false;
	return true;
}

static bool
build_valid(const pds_cuckoo_build *b, size_t size)
{
	pds_cuckoo_walk w = {b, 0};
	pds_cuckoo_part part;
	uint64_t	total = 0;
	uint64_t	slots = 0;

	if (!check_fields(b, size) || !check_slots(b) || !check_stash(b))
		return false;
	while (pds_cuckoo_walk_next(&w, &part))
	{
		if (part.class >= b->shape.classes || part.copies > b->total - total)
			return false;
		total += part.copies;
		slots += !part.stashed;
	}
	if (total != b->total || slots != b->used)
		return false;
	return (pds_state_kind(b) == PDS_KIND_NONE) == (b->total == 0);
}

PDS_STATE_CHECK(cuckoo, PDS_TYPE_CUCKOO, PDS_FAMILY_NATIVE + 1, sizeof(pds_cuckoo_build))
