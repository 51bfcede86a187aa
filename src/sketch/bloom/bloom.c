/*
 * bloom.c: the building form of a Bloom filter
 *
 * An image begins as a table of hashes, or as a list of positions if it is made from stored
 * filters.  It becomes an array of bits when the list takes a quarter of the array's space.  So
 * a group of ten keys in a filter for a million takes 256 bytes, not 1.2 MB.
 */
#include <math.h>

#include "decimal.h"
#include "poll.h"
#include "sort.h"
#include "bloom.h"
#include "bloom_size.h"

/* ---------- images ---------- */

static inline size_t
ring_size(uint64_t bits)
{
	/* and what it takes to reach a cache line's boundary */
	return bits >= PDS_BLOOM_RING_BITS ? PDS_BLOOM_RING * sizeof(pds_hash) + 64 : 0;
}

size_t
pds_bloom_bits_size(uint64_t bits)
{
	return sizeof(pds_bloom_build) + ring_size(bits) + (size_t) (bits / 8);
}

size_t
pds_bloom_first_size(const pds_bloom_shape *s)
{
	size_t		all = pds_bloom_bits_size(s->bits);

	return all <= 2 * PDS_BLOOM_FIRST_SIZE ? all : PDS_BLOOM_FIRST_SIZE;
}

/* Is a list of this many bytes no longer worth its while? */
static inline bool
better_as_bits(uint64_t list, const pds_bloom_shape *s)
{
	return list >= pds_bloom_bits_size(s->bits) / 4;
}

static void
init_as(pds_bloom_build *b, size_t size, pds_bloom_mode mode)
{
	size_t		space = size - sizeof(pds_bloom_build);

	b->mode = (uint8_t) mode;
	switch (mode)
	{
		case PDS_BLOOM_HASHES:
			b->slots = (uint32_t) (space / sizeof(pds_hash));
			break;
		case PDS_BLOOM_POSITIONS:
			b->slots = (uint32_t) (space / sizeof(uint64_t));
			break;
		case PDS_BLOOM_BITS:
			b->offset = sizeof(pds_bloom_build) + ring_size(b->shape.bits);
			break;
	}
	/* all of it, also where nothing is read before it is written: a state can get into a table */
	memset(b->words, 0, space);
}

static void
auto_shape(uint16_t rate, pds_bloom_shape *s)
{
	(void) pds_bloom_shape_for(PDS_BLOOM_AUTO_HASHES, rate, PDS_BLOOM_BLOCKED, s);
	s->bits = (uint64_t) PDS_BLOOM_AUTO_BLOCKS * PDS_BLOOM_BLOCK_BITS;
}

void
pds_bloom_build_init_planned(pds_bloom_build *b, const pds_bloom_plan *plan)
{
	uint32_t	varlena = b->varlena;

	memset(b, 0, sizeof(*b));
	b->varlena = varlena;
	b->shape = plan->shape;
	pds_state_init(b, PDS_TYPE_BLOOM, b->shape.family);
	init_as(b, plan->size, plan->mode);
}

void
pds_bloom_build_init(pds_bloom_build *b, size_t size, const pds_bloom_shape *s)
{
	pds_bloom_plan plan = {size, PDS_BLOOM_HASHES, *s};

	if (size >= pds_bloom_bits_size(s->bits))
		plan.mode = PDS_BLOOM_BITS;
	pds_bloom_build_init_planned(b, &plan);
}

void
pds_bloom_build_init_automatic(pds_bloom_build *b, size_t size, uint16_t rate)
{
	pds_bloom_plan plan = {.size = size, .mode = PDS_BLOOM_HASHES};

	auto_shape(rate, &plan.shape);
	pds_bloom_build_init_planned(b, &plan);
	b->automatic = 1;
}

/* How many keys an automatic filter of n blocks is good for, at a rate. */
static uint64_t
auto_capacity(uint64_t blocks, uint16_t rate)
{
	return pds_bloom_max_capacity_of(rate, PDS_BLOOM_BLOCKED, blocks * PDS_BLOOM_BLOCK_BITS);
}

uint64_t
pds_bloom_auto_limit(uint16_t rate)
{
	return auto_capacity(PDS_BLOOM_AUTO_BLOCKS, rate);
}

/* ---------- hashes ---------- */

static inline bool
is_zero(pds_hash h)
{
	return (h.h1 | h.h2) == 0;
}

/* The most hashes that a table takes: at least one slot stays free. */
static inline uint32_t
table_limit(uint32_t slots)
{
	return slots - slots / 8 - 1;
}

static pds_status
table_add(pds_bloom_build *b, pds_hash h)
{
	pds_hash   *table = pds_bloom_build_hashes(b);
	uint32_t	i = (uint32_t) pds_mulhi64(h.h1, b->slots);

	if (is_zero(h))
	{
		b->zero = 1;
		return PDS_OK;
	}
	for (; !is_zero(table[i]); i = i + 1 < b->slots ? i + 1 : 0)
		if (table[i].h1 == h.h1 && table[i].h2 == h.h2)
			return PDS_OK;
	if (b->count >= table_limit(b->slots) ||
		(b->automatic && b->count >= PDS_BLOOM_AUTO_HASHES))
		return PDS_FULL;
	table[i] = h;
	b->count++;
	return PDS_OK;
}

/* ---------- positions ---------- */

/*
 * Put the list in order, each position once.  What came since the last time is
 * mostly a handful, which is merged in from the end.
 */
static void
sort_positions(pds_bloom_build *b)
{
	uint64_t   *list = b->words;
	uint64_t	n = b->count;
	uint64_t	sorted = b->sorted;
	uint64_t	kept = 0;

	if (sorted == n)
		return;
	if (n - sorted <= 64)
	{
		uint64_t	tail[64];
		uint64_t	t = n - sorted;
		uint64_t	to = n;

		memcpy(tail, list + sorted, t * sizeof(uint64_t));
		pds_sort_words(tail, t);
		while (t > 0)
		{
			if (sorted > 0 && list[sorted - 1] > tail[t - 1])
				list[--to] = list[--sorted];
			else
				list[--to] = tail[--t];
		}
	}
	else
	{
		/* in no order, should it be left halfway */
		b->sorted = 0;
		pds_sort_words(list, n);
	}
	for (uint64_t i = 0; i < n; i++)
		if (i == 0 || list[i] != list[i - 1])
			list[kept++] = list[i];
	b->count = b->sorted = kept;
}

/* Space for n more positions?  A list that is all but full is not sorted each time. */
static pds_status
positions_space(pds_bloom_build *b, uint64_t n)
{
	if (b->count + n <= b->slots)
		return PDS_OK;
	sort_positions(b);
	return b->count + n <= b->slots - b->slots / 4 ? PDS_OK : PDS_FULL;
}

/* ---------- adding ---------- */

pds_status
pds_bloom_add_slowly(pds_bloom_build *b, pds_hash h)
{
	if (b->mode == PDS_BLOOM_HASHES)
		return table_add(b, h);
	if (b->mode == PDS_BLOOM_BITS)
	{
		pds_bloom_array_add(pds_bloom_build_array(b), &b->shape, h);
		return PDS_OK;
	}
	if (positions_space(b, b->shape.hashes) != PDS_OK)
		return PDS_FULL;
	pds_bloom_places(&b->shape, h, b->words + b->count);
	b->count += b->shape.hashes;
	return PDS_OK;
}

/*
 * Set the bits of what waits in an image's ring, in its array or another of the
 * same shape.  A ring's hashes have the byte offset of their block for h1.
 */
static void
set_ring(uint8_t *array, const pds_bloom_build *b)
{
	const pds_hash *ring = pds_bloom_build_hashes(b);
	int			hashes = b->shape.hashes;

	for (int i = 0; i < b->pending; i++)
		pds_bloom_block_add(array + ring[i].h1, ring[i].h2, hashes);
}

void
pds_bloom_build_or(const pds_bloom_build *b, uint8_t *array)
{
	if (b->mode == PDS_BLOOM_BITS)
	{
		pds_bloom_or(array, pds_bloom_build_array(b), (size_t) (b->shape.bits / 8));
		set_ring(array, b);
		return;
	}
	for (uint64_t i = 0; i < b->count; i++)
	{
		pds_poll_each(i);
		pds_bloom_set_bit(array, b->words[i]);
	}
}

static void
flush_ring(pds_bloom_build *b)
{
	uint8_t    *array = pds_bloom_build_array(b);
	size_t		stray = (uintptr_t) array % 64;

	set_ring(array, b);
	b->pending = 0;

	/* the image was moved: back to a cache line's boundary, once */
	if (stray != 0)
	{
		uint64_t	first = sizeof(pds_bloom_build) + PDS_BLOOM_RING * sizeof(pds_hash);
		uint64_t	offset = b->offset - stray;

		if (offset < first)
			offset += 64;
		memmove((uint8_t *) b + offset, array, (size_t) (b->shape.bits / 8));
		b->offset = offset;
	}
}

void
pds_bloom_flush(pds_bloom_build *b)
{
	if (b->mode == PDS_BLOOM_POSITIONS)
		sort_positions(b);
	else if (b->pending > 0)
		flush_ring(b);
}

/* ---------- moving ---------- */

void
pds_bloom_plan_growth(const pds_bloom_build *b, pds_bloom_plan *plan)
{
	plan->shape = b->shape;
	plan->mode = (pds_bloom_mode) b->mode;
	plan->size *= 2;
	if (b->automatic)
	{
		if (b->count >= PDS_BLOOM_AUTO_HASHES)
			plan->mode = PDS_BLOOM_BITS;
	}
	else if (better_as_bits(plan->size, &b->shape))
		plan->mode = PDS_BLOOM_BITS;
	if (plan->mode == PDS_BLOOM_BITS)
		plan->size = pds_bloom_bits_size(b->shape.bits);
}

bool
pds_bloom_plan_start(const pds_bloom_build *b, uint64_t keys, size_t most, pds_bloom_plan *plan)
{
	plan->shape = b->shape;
	plan->mode = PDS_BLOOM_BITS;
	plan->size = pds_bloom_bits_size(b->shape.bits);
	return b->mode == PDS_BLOOM_HASHES && !b->automatic && plan->size <= most &&
		better_as_bits(keys / 2 * sizeof(pds_hash), &b->shape);
}

void
pds_bloom_plan_positions(uint64_t count, pds_bloom_plan *plan)
{
	uint64_t	space = count + count / 2 + 2 * PDS_BLOOM_MAX_HASHES;
	size_t		bits_size = pds_bloom_bits_size(plan->shape.bits);

	plan->mode = PDS_BLOOM_BITS;
	plan->size = bits_size;
	if (space < UINT32_MAX && !better_as_bits(count * sizeof(uint64_t), &plan->shape) &&
		sizeof(pds_bloom_build) + space * sizeof(uint64_t) < bits_size)
	{
		plan->mode = PDS_BLOOM_POSITIONS;
		plan->size = sizeof(pds_bloom_build) + (size_t) space * sizeof(uint64_t);
	}
}

/* Tables merge into a table that has space for all bits from the beginning. */
static bool
plan_tables(const pds_bloom_build *b, uint64_t count, pds_bloom_plan *plan)
{
	uint64_t	all = b->count + count;
	uint64_t	space;

	if (b->automatic && all > PDS_BLOOM_AUTO_HASHES)
		all = PDS_BLOOM_AUTO_HASHES;
	if (all <= table_limit(b->slots))
		return false;
	space = (all + all / 4 + 8) * sizeof(pds_hash);
	if (!b->automatic && space >= pds_bloom_bits_size(plan->shape.bits) / 4)
	{
		plan->mode = PDS_BLOOM_BITS;
		plan->size = pds_bloom_bits_size(plan->shape.bits);
	}
	else
	{
		plan->mode = PDS_BLOOM_HASHES;
		plan->size = sizeof(pds_bloom_build) + (size_t) space;
	}
	return true;
}

bool
pds_bloom_plan_merge(pds_bloom_build *b, const pds_bloom_shape *s,
					 pds_bloom_mode mode, uint64_t count, pds_bloom_plan *plan)
{
	uint64_t	have;

	plan->shape = b->undecided ? *s : b->shape;
	pds_bloom_flush(b);
	if (!b->undecided && b->mode == PDS_BLOOM_BITS)
		return false;
	if (!b->undecided && b->mode == PDS_BLOOM_HASHES && mode == PDS_BLOOM_HASHES)
		return plan_tables(b, count, plan);
	if (mode == PDS_BLOOM_BITS)
	{
		plan->mode = PDS_BLOOM_BITS;
		plan->size = pds_bloom_bits_size(plan->shape.bits);
		return true;
	}
	have = b->undecided ? 0 : b->count;
	if (b->mode == PDS_BLOOM_HASHES)
		have *= plan->shape.hashes;
	if (mode == PDS_BLOOM_HASHES)
		count *= plan->shape.hashes;
	if (!b->undecided && b->mode == PDS_BLOOM_POSITIONS &&
		have + count <= b->slots - b->slots / 4)
		return false;
	pds_bloom_plan_positions(have + count, plan);
	return true;
}

/*
 * How many keys are in an automatic filter's array: the mean share of zeros of
 * blocks with Poisson distributed numbers of keys, inverted.
 */
static double
auto_estimate(const pds_bloom_build *b, uint64_t set)
{
	double		m = (double) b->shape.bits;
	double		per_key = 1 - pow(1 - 1.0 / PDS_BLOOM_BLOCK_BITS, b->shape.hashes);

	return -(double) PDS_BLOOM_AUTO_BLOCKS * log1p(-(double) set / m) / per_key;
}

/*
 * The smallest filter that the automatic one's array can be folded to, for no fewer keys than
 * "least".
 */
static bool
plan_fold(const pds_bloom_build *b, uint64_t least, pds_bloom_plan *plan)
{
	uint64_t	set = pds_bloom_count_bits(pds_bloom_build_array(b),
										   (size_t) (b->shape.bits / 8));
	double		keys = fmax(auto_estimate(b, set), (double) least);
	uint64_t	best = 0;

	for (uint32_t f = 1; f <= PDS_BLOOM_AUTO_BLOCKS / 1024; f++)
		if (PDS_BLOOM_AUTO_BLOCKS % f == 0 &&
			(double) auto_capacity(PDS_BLOOM_AUTO_BLOCKS / f, b->shape.rate) >= keys)
			best = PDS_BLOOM_AUTO_BLOCKS / f;
	if (best == 0)
		return false;
	plan->shape.capacity = auto_capacity(best, b->shape.rate);
	plan->shape.bits = best * PDS_BLOOM_BLOCK_BITS;
	return true;
}

pds_status
pds_bloom_plan_finish(pds_bloom_build *b, uint64_t least, pds_bloom_plan *plan)
{
	uint64_t	keys;

	plan->shape = b->shape;
	plan->mode = PDS_BLOOM_BITS;
	if (b->mode != PDS_BLOOM_HASHES)
	{
		pds_bloom_flush(b);
		if (!b->automatic)
			return PDS_OK;
		if (!plan_fold(b, least, plan))
			return PDS_TOO_LARGE;
		plan->size = pds_bloom_bits_size(plan->shape.bits);
		return PDS_FULL;
	}
	keys = b->count + b->zero;
	if (b->automatic)
		(void) pds_bloom_shape_for(keys > least ? keys : least, b->shape.rate, PDS_BLOOM_BLOCKED,
								   &plan->shape);
	pds_bloom_plan_positions(keys * plan->shape.hashes, plan);
	return PDS_FULL;
}

/* Fold the array of an automatic filter to a smaller shape. */
static void
fold_bits(pds_bloom_build *to, const pds_bloom_build *from)
{
	uint64_t	factor = from->shape.bits / to->shape.bits;
	const uint8_t *in = pds_bloom_build_array(from);
	uint8_t    *out = pds_bloom_build_array(to);

	for (uint64_t block = 0; block < to->shape.bits / PDS_BLOOM_BLOCK_BITS; block++)
	{
		pds_poll_each(block);
		for (uint64_t i = 0; i < factor; i++)
		{
			for (int j = 0; j < PDS_BLOOM_BLOCK_BITS / 8; j++)
				out[j] |= in[j];
			in += PDS_BLOOM_BLOCK_BITS / 8;
		}
		out += PDS_BLOOM_BLOCK_BITS / 8;
	}
}

/*
 * A table is copied to a table that holds hashes in so many passes, each of which takes one slot
 * of as many.  From first to last, the hashes would arrive in ascending order and crowd together
 * there.
 */
#define PASSES	64

/* Add the hashes of a table. */
static pds_status
add_table(pds_bloom_build *b, const pds_bloom_build *from)
{
	const pds_hash *table = pds_bloom_build_hashes(from);
	const uint32_t passes = b->mode == PDS_BLOOM_HASHES && b->count > 0 ? PASSES : 1;
	uint32_t	seen = 0;

	for (uint32_t first = 0; first < passes; first++)
		for (uint32_t i = first; i < from->slots; i += passes)
		{
			pds_poll_each(seen++);
			if (!is_zero(table[i]) && pds_bloom_add(b, table[i]) != PDS_OK)
				return PDS_FULL;
		}
	return from->zero ? pds_bloom_add(b, (pds_hash) {0, 0}) : PDS_OK;
}

/* Hashes to anything, positions to positions and bits, bits to bits. */
pds_status
pds_bloom_rebuild(pds_bloom_build *to, pds_bloom_plan *plan,
				  const pds_bloom_build *from)
{
	uint32_t	varlena = to->varlena;

	memcpy(to, from, sizeof(*to));
	to->varlena = varlena;
	to->header[1] = (uint8_t) (plan->shape.family << 4 | PDS_ENCODING_BUILDING);
	to->shape = plan->shape;
	to->count = to->sorted = 0;
	to->pending = 0;
	/* is the plan for a growth, and not the one that decides? */
	to->automatic = from->automatic && plan->shape.bits == from->shape.bits &&
		plan->shape.capacity == from->shape.capacity;
	init_as(to, plan->size, plan->mode);
	if (from->undecided)
	{
		to->undecided = 0;
		return PDS_OK;
	}

	/* plans are made so that the hashes fit */
	if (from->mode == PDS_BLOOM_HASHES)
		(void) add_table(to, from);
	else if (plan->mode == PDS_BLOOM_POSITIONS)
	{
		memcpy(to->words, from->words, (size_t) from->count * sizeof(uint64_t));
		to->count = from->count;
		to->sorted = from->sorted;
	}
	else if (from->shape.bits != to->shape.bits)
		fold_bits(to, from);
	else
		pds_bloom_build_or(from, pds_bloom_build_array(to));
	return PDS_OK;
}

/* ---------- union ---------- */

void
pds_bloom_join_shapes(pds_bloom_shape *s, const pds_bloom_shape *other)
{
	/* a total order, so that it does not matter who comes first */
	if (other->capacity > s->capacity ||
		(other->capacity == s->capacity && other->rate > s->rate))
	{
		s->capacity = other->capacity;
		s->rate = other->rate;
	}
}

pds_status
pds_bloom_merge_build(pds_bloom_build *b, const pds_bloom_build *from)
{
	if (b->automatic != from->automatic || !pds_bloom_same_shape(&b->shape, &from->shape))
		return PDS_PARAMETER_MISMATCH;
	pds_bloom_flush(b);
	if (!b->automatic)
		pds_bloom_join_shapes(&b->shape, &from->shape);

	if (from->mode == PDS_BLOOM_HASHES)
		return add_table(b, from);
	if (from->mode == PDS_BLOOM_POSITIONS && b->mode == PDS_BLOOM_POSITIONS)
	{
		if (positions_space(b, from->count) != PDS_OK)
			return PDS_FULL;
		memcpy(b->words + b->count, from->words, (size_t) from->count * sizeof(uint64_t));
		b->count += from->count;
		return PDS_OK;
	}
	if (b->mode != PDS_BLOOM_BITS)
		return PDS_FULL;
	pds_bloom_build_or(from, pds_bloom_build_array(b));
	return PDS_OK;
}

/* ---------- images that may be damaged ---------- */

static bool
hashes_valid(const pds_bloom_build *b, size_t space)
{
	const pds_hash *table = pds_bloom_build_hashes(b);
	uint64_t	count = 0;

	if (b->slots == 0 || b->slots > space / sizeof(pds_hash) || b->count > table_limit(b->slots))
		return false;
	for (uint32_t i = 0; i < b->slots; i++)
		count += !is_zero(table[i]);
	return count == b->count;
}

static bool
positions_valid(const pds_bloom_build *b, size_t space)
{
	if (b->slots > space / sizeof(uint64_t) || b->count > b->slots || b->sorted > b->count)
		return false;
	for (uint64_t i = 0; i < b->count; i++)
		if (b->words[i] >= b->shape.bits ||
			(i > 0 && i < b->sorted && b->words[i] <= b->words[i - 1]))
			return false;
	return true;
}

static bool
bits_valid(const pds_bloom_build *b, size_t size)
{
	const pds_hash *ring = pds_bloom_build_hashes(b);
	bool		has_ring = b->shape.bits >= PDS_BLOOM_RING_BITS;
	size_t		first = sizeof(*b) + (has_ring ? PDS_BLOOM_RING * sizeof(pds_hash) : 0);

	/* the array starts on some byte of the 64 that there are to move it to a cache line */
	if (pds_bloom_bits_size(b->shape.bits) > size || b->offset < first ||
		b->offset > pds_bloom_bits_size(b->shape.bits) - b->shape.bits / 8)
		return false;
	if (b->pending > 0 && (!has_ring || b->shape.family != PDS_BLOOM_BLOCKED))
		return false;
	for (int i = 0; i < b->pending; i++)
		if (ring[i].h1 % (PDS_BLOOM_BLOCK_BITS / 8) != 0 || ring[i].h1 >= b->shape.bits / 8)
			return false;
	return true;
}

static bool
build_valid(const pds_bloom_build *b, size_t size)
{
	pds_bloom_shape automatic;

	if (pds_state_family(b) != b->shape.family || !pds_bloom_shape_valid(&b->shape) ||
		b->automatic > 1 || b->undecided > 1 || b->zero > 1)
		return false;
	if (b->automatic || b->undecided)
	{
		if (b->shape.rate == 0)
			return false;
		auto_shape(b->automatic ? b->shape.rate : pds_decimal_code(PDS_BLOOM_AUTO_RATE),
				   &automatic);
		if (!pds_bloom_same_shape(&b->shape, &automatic) ||
			b->shape.capacity != automatic.capacity)
			return false;
	}
	if ((b->automatic && b->mode == PDS_BLOOM_POSITIONS) ||
		(b->undecided && (b->automatic || b->mode != PDS_BLOOM_HASHES || b->count > 0)))
		return false;
	if (b->pending >= PDS_BLOOM_RING || (b->pending > 0 && b->mode != PDS_BLOOM_BITS))
		return false;
	switch (b->mode)
	{
		case PDS_BLOOM_HASHES:
			return hashes_valid(b, size - sizeof(*b));
		case PDS_BLOOM_POSITIONS:
			return positions_valid(b, size - sizeof(*b));
		case PDS_BLOOM_BITS:
			return bits_valid(b, size);
	}
	return false;
}

PDS_STATE_CHECK(bloom, PDS_TYPE_BLOOM, PDS_BLOOM_FAMILIES, sizeof(pds_bloom_build))
