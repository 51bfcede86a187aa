/*
 * counting_bloom.c: the building form of a counting Bloom filter
 *
 * An image begins as a table of the counters that are not zero. It becomes an array of all
 * counters when the table would take half of the array's space. So a group of ten values in a
 * filter for a million takes 1 kB, not 4.8 MB.
 */
#include "decimal.h"
#include "poll.h"
#include "bloom_size.h"
#include "counting_bloom.h"
#include "counting_bloom_build.h"

/* Slots of the table of an exact image of counters, at least. */
#define EXCESS_SLOTS	64

/* ---------- shapes ---------- */

pds_status
pds_counting_bloom_shape_for(uint64_t capacity, uint16_t rate, uint8_t family,
							 pds_bloom_shape *s)
{
	pds_status	status = pds_bloom_shape_for(capacity, rate, family, s);

	return status == PDS_OK && s->bits > PDS_COUNTING_BLOOM_MAX_COUNTERS ? PDS_FULL : status;
}

uint64_t
pds_counting_bloom_max_capacity(uint16_t rate, uint8_t family)
{
	return pds_bloom_max_capacity_of(rate, family, PDS_COUNTING_BLOOM_MAX_COUNTERS);
}

bool
pds_counting_bloom_shape_valid(const pds_bloom_shape *s)
{
	return s->family < PDS_COUNTING_BLOOM_FAMILIES && pds_bloom_shape_valid(s) &&
		s->bits <= PDS_COUNTING_BLOOM_MAX_COUNTERS && s->rate != 0 && s->capacity != 0 &&
		s->unused == 0;
}

int
pds_counting_bloom_places(const pds_bloom_shape *s, pds_hash h, uint64_t *places)
{
	pds_bloom_walk w = pds_bloom_walk_start(s->family, s->bits, h);
	int			n = 0;

	for (int i = 0; i < s->hashes; i++)
	{
		uint64_t	place = pds_bloom_walk_next(&w);
		int			at = n;

		while (at > 0 && places[at - 1] > place)
			at--;
		if (at > 0 && places[at - 1] == place)
			continue;
		for (int j = n; j > at; j--)
			places[j] = places[j - 1];
		places[at] = place;
		n++;
	}
	return n;
}

/* ---------- images ---------- */

static inline size_t
image_bytes(const pds_bloom_shape *s, pds_counting_bloom_mode mode, uint64_t slots)
{
	return pds_counting_bloom_table_at(s->bits, mode) +
		(size_t) slots * sizeof(pds_counting_bloom_slot);
}

/* How many slots an image of this size has space for. */
static inline uint32_t
slots_of(const pds_bloom_shape *s, pds_counting_bloom_mode mode, size_t size)
{
	size_t		n = (size - pds_counting_bloom_table_at(s->bits, mode)) /
		sizeof(pds_counting_bloom_slot);

	return n < UINT32_MAX ? (uint32_t) n : UINT32_MAX;
}

/* Is a table of so many bytes no longer worth its while? */
static inline bool
better_as_counters(size_t size, const pds_bloom_shape *s)
{
	return size >= image_bytes(s, PDS_COUNTING_BLOOM_COUNTERS, 0) / 2;
}

size_t
pds_counting_bloom_first_size(const pds_bloom_shape *s)
{
	size_t		all = image_bytes(s, PDS_COUNTING_BLOOM_COUNTERS, 0);

	return better_as_counters(PDS_COUNTING_BLOOM_FIRST_SIZE, s) ? all :
		PDS_COUNTING_BLOOM_FIRST_SIZE;
}

static void
init_as(pds_counting_bloom_build *b, size_t size, pds_counting_bloom_mode mode)
{
	b->mode = (uint8_t) mode;
	b->slots = slots_of(&b->shape, mode, size);
	b->used = 0;
	b->pending = 0;
	b->nonzero = 0;
	/* all of it, also where nothing is read: a state can get into a table */
	memset(b->words, 0, size - sizeof(*b));
}

void
pds_counting_bloom_init(pds_counting_bloom_build *b, size_t size, const pds_bloom_shape *s)
{
	uint32_t	varlena = b->varlena;

	memset(b, 0, sizeof(*b));
	b->varlena = varlena;
	b->shape = *s;
	pds_state_init(b, PDS_TYPE_COUNTING_BLOOM, s->family);
	init_as(b, size, better_as_counters(PDS_COUNTING_BLOOM_FIRST_SIZE, s) ?
			PDS_COUNTING_BLOOM_COUNTERS : PDS_COUNTING_BLOOM_TABLE);
}

/* ---------- the table ---------- */

static inline uint32_t
home(uint64_t i, uint32_t slots)
{
	return (uint32_t) (((uint64_t) ((uint32_t) i * UINT32_C(0x9e3779b1)) * slots) >> 32);
}

/* The slot of counter i, or the free one in which it would be. */
static inline pds_counting_bloom_slot *
find(const pds_counting_bloom_build *b, uint64_t i)
{
	pds_counting_bloom_slot *table = pds_counting_bloom_table(b);
	uint32_t	at = home(i, b->slots);

	while (table[at].key != 0 && table[at].key != i + 1)
		if (++at == b->slots)
			at = 0;
	return &table[at];
}

/* The slot of counter i, which it gets if it has none. */
static inline pds_counting_bloom_slot *
take(pds_counting_bloom_build *b, uint64_t i)
{
	pds_counting_bloom_slot *slot = find(b, i);

	if (slot->key == 0)
	{
		slot->key = (uint32_t) i + 1;
		b->used++;
	}
	return slot;
}

/* ---------- counters ---------- */

uint64_t
pds_counting_bloom_get(const pds_counting_bloom_build *b, uint64_t i)
{
	uint32_t	c;

	if (b->mode == PDS_COUNTING_BLOOM_TABLE)
		return find(b, i)->count;
	c = pds_counting_bloom_counter(pds_counting_bloom_array(b), i);
	if (c == PDS_COUNTING_BLOOM_MAX && b->exact)
		return (uint64_t) c + find(b, i)->count;
	return c;
}

static inline void
set_nibble(uint8_t *array, uint64_t i, uint32_t c)
{
	int			shift = i % 2 * 4;

	array[i >> 1] = (uint8_t) ((array[i >> 1] & (0xf0 >> shift)) | c << shift);
}

void
pds_counting_bloom_raise(pds_counting_bloom_build *b, uint64_t i, uint32_t n)
{
	if (b->mode == PDS_COUNTING_BLOOM_TABLE)
	{
		pds_counting_bloom_slot *slot = take(b, i);

		b->nonzero += slot->count == 0;
		slot->count += n;
		if (slot->count > PDS_COUNTING_BLOOM_MAX)
			slot->count = PDS_COUNTING_BLOOM_MAX;
	}
	else
	{
		uint8_t    *array = pds_counting_bloom_array(b);
		uint32_t	c = pds_counting_bloom_counter(array, i);

		b->nonzero += c == 0;
		c += n;
		set_nibble(array, i, c < PDS_COUNTING_BLOOM_MAX ? c : PDS_COUNTING_BLOOM_MAX);
	}
}

void
pds_counting_bloom_lower(pds_counting_bloom_build *b, uint64_t i, uint32_t n)
{
	uint32_t	left;

	if (b->mode == PDS_COUNTING_BLOOM_TABLE)
		left = find(b, i)->count -= n;
	else
	{
		uint8_t    *array = pds_counting_bloom_array(b);

		left = pds_counting_bloom_counter(array, i) - n;
		set_nibble(array, i, left);
	}
	b->nonzero -= left == 0;
}

/* Counter i of an exact image, one more. */
static inline void
raise_exactly(pds_counting_bloom_build *b, uint64_t i)
{
	if (b->mode == PDS_COUNTING_BLOOM_TABLE ||
		pds_counting_bloom_counter(pds_counting_bloom_array(b), i) == PDS_COUNTING_BLOOM_MAX)
	{
		pds_counting_bloom_slot *slot = take(b, i);

		if (b->mode == PDS_COUNTING_BLOOM_TABLE)
			b->nonzero += slot->count == 0;
		slot->count += slot->count < UINT32_MAX;
	}
	else
		pds_counting_bloom_raise(b, i, 1);
}

/* Counter i of any image, one less, if it is not saturated. */
static inline void
lower_by_one(pds_counting_bloom_build *b, uint64_t i)
{
	uint64_t	c = pds_counting_bloom_get(b, i);

	if (!b->exact && c == PDS_COUNTING_BLOOM_MAX)
		return;
	if (b->mode == PDS_COUNTING_BLOOM_COUNTERS && c > PDS_COUNTING_BLOOM_MAX)
	{
		pds_counting_bloom_slot *slot = find(b, i);

		slot->count -= slot->count < UINT32_MAX;
	}
	else if (c < UINT32_MAX)
		pds_counting_bloom_lower(b, i, 1);
}

void
pds_counting_bloom_make_plain(pds_counting_bloom_build *b)
{
	pds_counting_bloom_slot *table = pds_counting_bloom_table(b);

	if (!b->exact)
		return;
	b->exact = 0;
	if (b->mode == PDS_COUNTING_BLOOM_COUNTERS)
	{
		memset(table, 0, (size_t) b->slots * sizeof(*table));
		b->used = 0;
		return;
	}
	for (uint32_t i = 0; i < b->slots; i++)
		if (table[i].count > PDS_COUNTING_BLOOM_MAX)
			table[i].count = PDS_COUNTING_BLOOM_MAX;
}

/* ---------- adding, removing, asking ---------- */

pds_status
pds_counting_bloom_add_now(pds_counting_bloom_build *b, pds_hash h)
{
	uint64_t	places[PDS_BLOOM_MAX_HASHES];
	int			n;

	if ((b->exact || b->mode == PDS_COUNTING_BLOOM_TABLE) &&
		!pds_counting_bloom_has_space(b, b->shape.hashes))
		return PDS_FULL;
	n = pds_counting_bloom_places(&b->shape, h, places);
	if (b->exact)
		for (int i = 0; i < n; i++)
			raise_exactly(b, places[i]);
	else
		for (int i = 0; i < n; i++)
			pds_counting_bloom_raise(b, places[i], 1);
	return PDS_OK;
}

void
pds_counting_bloom_flush(pds_counting_bloom_build *b)
{
	const pds_hash *ring = pds_counting_bloom_ring(b);

	/* an image with a ring always has space */
	for (int i = 0; i < b->pending; i++)
		(void) pds_counting_bloom_add_now(b, ring[i]);
	b->pending = 0;
}

pds_status
pds_counting_bloom_remove(pds_counting_bloom_build *b, pds_hash h)
{
	uint64_t	places[PDS_BLOOM_MAX_HASHES];
	int			n = pds_counting_bloom_places(&b->shape, h, places);

	pds_counting_bloom_flush(b);
	for (int i = 0; i < n; i++)
		if (pds_counting_bloom_get(b, places[i]) == 0)
			return PDS_NEGATIVE;
	for (int i = 0; i < n; i++)
		lower_by_one(b, places[i]);
	pds_counting_bloom_settle(b);
	return PDS_OK;
}

uint32_t
pds_counting_bloom_build_count(const pds_counting_bloom_build *b, pds_hash h)
{
	pds_bloom_walk w = pds_bloom_walk_start(b->shape.family, b->shape.bits, h);
	uint64_t	least = PDS_COUNTING_BLOOM_MAX;

	for (int i = 0; i < b->shape.hashes && least > 0; i++)
	{
		uint64_t	c = pds_counting_bloom_get(b, pds_bloom_walk_next(&w));

		least = c < least ? c : least;
	}
	return (uint32_t) least;
}

/* ---------- moving ---------- */

/* Entries of the table of an exact image of all counters. */
static uint64_t
excess_entries(const pds_counting_bloom_build *b)
{
	const pds_counting_bloom_slot *table = pds_counting_bloom_table(b);
	uint64_t	n = 0;

	if (!b->exact)
		return 0;
	for (uint32_t i = 0; i < b->slots; i++)
		n += table[i].count > (b->mode == PDS_COUNTING_BLOOM_TABLE ? PDS_COUNTING_BLOOM_MAX : 0);
	return n;
}

void
pds_counting_bloom_plan_counters(const pds_counting_bloom_build *b, pds_counting_bloom_plan *plan)
{
	uint64_t	slots = 0;

	if (b->exact)
		slots = 2 * (excess_entries(b) + b->shape.hashes) + EXCESS_SLOTS;
	plan->mode = PDS_COUNTING_BLOOM_COUNTERS;
	plan->size = image_bytes(&b->shape, plan->mode, slots);
}

void
pds_counting_bloom_plan_for(const pds_counting_bloom_build *b, uint64_t more,
							pds_counting_bloom_plan *plan)
{
	plan->mode = PDS_COUNTING_BLOOM_TABLE;
	plan->size = image_bytes(&b->shape, plan->mode, 2 * (b->nonzero + more));
	if (plan->size < PDS_COUNTING_BLOOM_FIRST_SIZE)
		plan->size = PDS_COUNTING_BLOOM_FIRST_SIZE;
	if (b->mode == PDS_COUNTING_BLOOM_COUNTERS || better_as_counters(plan->size, &b->shape))
		pds_counting_bloom_plan_counters(b, plan);
}

void
pds_counting_bloom_plan_growth(const pds_counting_bloom_build *b, pds_counting_bloom_plan *plan)
{
	pds_counting_bloom_plan_for(b, b->shape.hashes, plan);
}

/* Put the counters of a table where they go in an image that has space for them. */
static void
put_table(pds_counting_bloom_build *to, const pds_counting_bloom_build *from)
{
	const pds_counting_bloom_slot *table = pds_counting_bloom_table(from);

	for (uint32_t i = 0; i < from->slots; i++)
	{
		uint64_t	at = (uint64_t) table[i].key - 1;
		uint32_t	count = table[i].count;

		pds_poll_each(i);
		if (count == 0)
			continue;
		if (to->mode == from->mode)
		{
			take(to, at)->count = count;
			to->nonzero += to->mode == PDS_COUNTING_BLOOM_TABLE;
			continue;
		}
		pds_counting_bloom_raise(to, at, count < PDS_COUNTING_BLOOM_MAX ? count :
								 PDS_COUNTING_BLOOM_MAX);
		if (count > PDS_COUNTING_BLOOM_MAX)
			take(to, at)->count = count - PDS_COUNTING_BLOOM_MAX;
	}
}

pds_status
pds_counting_bloom_rebuild(pds_counting_bloom_build *to, pds_counting_bloom_plan *plan,
						   const pds_counting_bloom_build *from)
{
	uint32_t	varlena = to->varlena;

	memcpy(to, from, sizeof(*to));
	to->varlena = varlena;
	init_as(to, plan->size, plan->mode);
	if (from->mode == PDS_COUNTING_BLOOM_COUNTERS)
	{
		memcpy(pds_counting_bloom_array(to), pds_counting_bloom_array(from),
			   (size_t) (from->shape.bits / 2));
		to->nonzero = from->nonzero;
		for (int i = 0; i < from->pending; i++)
			(void) pds_counting_bloom_add_now(to, pds_counting_bloom_ring(from)[i]);
	}
	if (from->mode == PDS_COUNTING_BLOOM_TABLE || from->exact)
		put_table(to, from);
	return PDS_OK;
}

uint64_t
pds_counting_bloom_count_nonzero(const uint8_t *array, uint64_t counters)
{
	uint64_t	n = 0;

	for (size_t i = 0; i < counters / 2; i += 8)
	{
		uint64_t	w = pds_load_le64(array + i);

		w |= w >> 2;
		w |= w >> 1;
		n += (uint64_t) pds_popcount64(w & UINT64_C(0x1111111111111111));
		pds_poll_every(i / 8, PDS_POLL_BYTES / 8);
	}
	return n;
}

/* ---------- images that may be damaged ---------- */

static bool
table_valid(const pds_counting_bloom_build *b)
{
	const pds_counting_bloom_slot *table = pds_counting_bloom_table(b);
	bool		counters = b->mode == PDS_COUNTING_BLOOM_COUNTERS;
	uint32_t	used = 0;
	uint64_t	nonzero = 0;

	for (uint32_t i = 0; i < b->slots; i++)
		used += table[i].key != 0;
	if (used != b->used || used > pds_counting_bloom_table_limit(b->slots))
		return false;
	for (uint32_t i = 0; i < b->slots; i++)
	{
		if (table[i].key == 0)
		{
			if (table[i].count != 0)
				return false;
			continue;
		}
		/* each can be found, so that none is there twice */
		if (table[i].key > b->shape.bits || find(b, table[i].key - 1) != &table[i] ||
			(!b->exact && table[i].count > PDS_COUNTING_BLOOM_MAX))
			return false;
		nonzero += table[i].count > 0;
		if (counters && table[i].count > 0 &&
			pds_counting_bloom_counter(pds_counting_bloom_array(b), table[i].key - 1) !=
			PDS_COUNTING_BLOOM_MAX)
			return false;
	}
	return counters || nonzero == b->nonzero;
}

static bool
build_valid(const pds_counting_bloom_build *b, size_t size)
{
	bool		counters = b->mode == PDS_COUNTING_BLOOM_COUNTERS;

	if (pds_state_family(b) != b->shape.family)
		return false;
	if (b->mode > PDS_COUNTING_BLOOM_COUNTERS || b->exact > 1 || b->undecided > 1 ||
		b->unused != 0 || !pds_counting_bloom_shape_valid(&b->shape))
		return false;
	if (size < pds_counting_bloom_table_at(b->shape.bits, (pds_counting_bloom_mode) b->mode) ||
		b->slots != slots_of(&b->shape, (pds_counting_bloom_mode) b->mode, size))
		return false;
	if (b->undecided && (counters || b->exact || b->used > 0))
		return false;
	if (b->pending >= PDS_COUNTING_BLOOM_RING ||
		(b->pending > 0 && (!counters || b->exact || b->shape.family != PDS_BLOOM_BLOCKED ||
							b->shape.bits < PDS_COUNTING_BLOOM_RING_COUNTERS)))
		return false;
	if (counters && b->nonzero !=
		pds_counting_bloom_count_nonzero(pds_counting_bloom_array(b), b->shape.bits))
		return false;
	/* a table is there when it is looked into, and an unused one is empty */
	if (b->slots == 0 && (!counters || (b->exact && b->nonzero > 0)))
		return false;
	if (counters && !b->exact && b->used > 0)
		return false;
	return table_valid(b);
}

PDS_STATE_CHECK(counting_bloom, PDS_TYPE_COUNTING_BLOOM, PDS_COUNTING_BLOOM_FAMILIES,
				sizeof(pds_counting_bloom_build))
