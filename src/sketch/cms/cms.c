/*
 * cms.c: the building form of a Count-Min sketch: images, and how they grow
 */
#include "decimal.h"
#include "poll.h"
#include "cms.h"
#include "cms_build.h"
#include "cms_counters.h"

/* ---------- images ---------- */

/* The ring that a table of this size has. */
static inline uint32_t
ring_of(size_t size)
{
	return size < 1024 ? 0 : size < 2048 ? PDS_CMS_RING / 4 : PDS_CMS_RING;
}

static inline uint32_t
slots_in(size_t size, uint8_t mode, int bytes)
{
	return (uint32_t) ((size - sizeof(pds_cms_build) - ring_of(size) * sizeof(pds_hash)) /
					   (size_t) (pds_cms_key_bytes(mode) + bytes));
}

static inline size_t
counters_size(const pds_cms_shape *s, int bytes)
{
	return sizeof(pds_cms_build) + (size_t) pds_cms_counters(s) * (size_t) bytes;
}

/*
 * The smallest image in this mode for so many keys, or, if that takes no more, all
 * counters.  Tables are of 256, 1,024, 2,048, 4,096, ... bytes, whole chunks of the
 * server's allocator.
 */
static pds_cms_plan
plan_for(const pds_cms_shape *s, uint8_t mode, int bytes, uint64_t keys)
{
	uint64_t	slots = keys + keys / 5 + 1;
	size_t		all = counters_size(s, bytes);
	pds_cms_plan plan;

	plan.bytes = (uint8_t) bytes;
	plan.mode = mode;
	plan.size = PDS_CMS_FIRST_SIZE;
	while (plan.size < all && slots_in(plan.size, mode, bytes) < slots)
		plan.size *= plan.size < 1024 ? 4 : 2;
	if (mode == PDS_CMS_COUNTERS || plan.size >= all)
	{
		plan.mode = PDS_CMS_COUNTERS;
		plan.size = all > PDS_CMS_FIRST_SIZE ? all : PDS_CMS_FIRST_SIZE;
	}
	return plan;
}

/* Bring an image of a plan into being, with nothing in it. */
static void
init(pds_cms_build *b, const pds_cms_plan *plan, const pds_cms_shape *s)
{
	uint32_t	varlena = b->varlena;

	memset(b, 0, plan->size);
	b->varlena = varlena;
	pds_state_init(b, PDS_TYPE_CMS, PDS_FAMILY_NATIVE);
	b->mode = plan->mode;
	b->bytes = plan->bytes;
	b->shape = *s;
	if (plan->mode != PDS_CMS_COUNTERS)
	{
		b->ring = (uint8_t) ring_of(plan->size);
		b->slots = slots_in(plan->size, plan->mode, plan->bytes);
	}
	pds_cms_make_space(b);
}

void
pds_cms_build_init(pds_cms_build *b, const pds_cms_shape *s)
{
	pds_cms_plan plan = plan_for(s, pds_cms_has_keys(s) ? PDS_CMS_VALUES : PDS_CMS_POSITIONS, 1, 0);

	init(b, &plan, s);
}

void
pds_cms_build_init_to_ask(pds_cms_build *b, const pds_cms_shape *s)
{
	pds_cms_plan plan = plan_for(s, PDS_CMS_POSITIONS, 1, 0);

	init(b, &plan, s);
}

/* How many counts of a table are not zero. */
static uint32_t
count_live(const pds_cms_build *b)
{
	int			key_bytes = pds_cms_key_bytes(b->mode);
	uint32_t	live = 0;

	for (uint32_t i = 0; i < b->slots; i++)
		live += pds_cms_slot_count(pds_cms_slot(b, i), key_bytes, b->bytes) != 0;
	return live;
}

bool
pds_cms_plan_start(const pds_cms_build *b, uint64_t values, size_t most, pds_cms_plan *plan)
{
	uint64_t	keys = values / 2;

	if (b->mode == PDS_CMS_POSITIONS)
		keys *= b->shape.depth;
	*plan = plan_for(&b->shape, b->mode, b->bytes, keys);
	return b->mode != PDS_CMS_COUNTERS && plan->size > PDS_CMS_FIRST_SIZE && plan->size <= most;
}

void
pds_cms_plan_growth(const pds_cms_build *b, pds_cms_plan *plan)
{
	int			bytes = b->wanted_bytes > b->bytes ? b->wanted_bytes : b->bytes;
	uint8_t		mode = b->wanted_mode > b->mode ? b->wanted_mode : b->mode;
	uint64_t	keys = 0;
	size_t		size = plan->size;

	if (mode != PDS_CMS_COUNTERS)
		keys = count_live(b);
	if (mode != b->mode)
		keys *= b->shape.depth;
	keys += b->wanted;

	/*
	 * If it is full of zeros, a new table of the same size will do; but not one
	 * that is full again soon.
	 */
	if (mode == b->mode && b->wanted > 0 && keys <= pds_cms_table_limit(b->slots) &&
		keys > pds_cms_table_limit(b->slots) / 4 * 3)
		keys = (uint64_t) pds_cms_table_limit(b->slots) + 1;
	*plan = plan_for(&b->shape, mode, bytes, keys);
	if (plan->mode != PDS_CMS_COUNTERS && plan->size < size)
		plan->size = size;
}

bool
pds_cms_plan_finish(pds_cms_build *b, pds_cms_plan *plan)
{
	uint64_t	counters;

	pds_cms_flush(b);
	if (b->mode != PDS_CMS_VALUES)
		return false;
	counters = (uint64_t) count_live(b) * b->shape.depth;
	/* an array is filled and read so much faster that it may be larger */
	*plan = plan_for(&b->shape, counters * 6 < pds_cms_counters(&b->shape) ?
					 PDS_CMS_POSITIONS : PDS_CMS_COUNTERS, b->bytes, counters);
	return true;
}

/* The counters of all values of a table.  False if one does not fit. */
static bool
spread_values(pds_cms_build *to, const pds_cms_build *from)
{
	uint32_t	at[PDS_CMS_MAX_DEPTH];

	for (uint32_t i = 0; i < from->slots; i++)
	{
		const uint8_t *slot = pds_cms_slot(from, i);
		uint64_t	count = pds_cms_slot_count(slot, 8, from->bytes);

		pds_poll_each(i);
		if (count == 0)
			continue;
		pds_cms_value_positions(&from->shape, pds_cms_slot_key(slot, 8), at);
		for (int row = 0; row < from->shape.depth; row++)
			if (pds_cms_change_one(to, at[row], count, false) != PDS_OK)
				return false;
	}
	return true;
}

/* Nothing waits in the ring of "from". */
pds_status
pds_cms_rebuild(pds_cms_build *to, pds_cms_plan *plan, const pds_cms_build *from)
{
	int			key_bytes = pds_cms_key_bytes(from->mode);

	init(to, plan, &from->shape);
	pds_state_copy_head(to, from);
	to->undecided = from->undecided;
	to->total = from->total;

	if (from->mode == PDS_CMS_VALUES && to->mode != PDS_CMS_VALUES)
	{
		if (!spread_values(to, from))
		{
			*plan = plan_for(&from->shape, plan->mode, plan->bytes * 2,
							 (uint64_t) count_live(from) * from->shape.depth + from->wanted);
			return PDS_FULL;
		}
	}
	else if (from->mode == PDS_CMS_COUNTERS)
		pds_cms_copy(to->data, to->bytes, from->data, from->bytes,
					 pds_cms_counters(&from->shape));
	else
		for (uint32_t i = 0; i < from->slots; i++)
		{
			const uint8_t *slot = pds_cms_slot(from, i);
			uint64_t	key = pds_cms_slot_key(slot, key_bytes);
			uint64_t	count = pds_cms_slot_count(slot, key_bytes, from->bytes);

			pds_poll_each(i);
			if (count == 0)
				continue;
			if (to->mode == PDS_CMS_COUNTERS)
				pds_store_number(to->data, (uint32_t) key - 1, to->bytes, count);
			else
				pds_cms_set_slot(to, pds_cms_find(to, key, key_bytes, to->bytes), key, count,
								 key_bytes, to->bytes);
		}
	pds_cms_make_space(to);
	return PDS_OK;
}

/* ---------- asking and adding ---------- */

uint64_t
pds_cms_build_frequency(const pds_cms_build *b, pds_hash h)
{
	uint32_t	at[PDS_CMS_MAX_DEPTH];
	uint64_t	least = UINT64_MAX;

	if (b->total == 0)
		return 0;
	pds_cms_positions(h, &b->shape, at);
	for (int i = 0; i < b->shape.depth; i++)
	{
		uint64_t	there = b->mode == PDS_CMS_COUNTERS ?
			pds_load_number(b->data, at[i], b->bytes) :
			pds_cms_slot_count(pds_cms_find(b, (uint64_t) at[i] + 1, 4, b->bytes), 4, b->bytes);

		least = there < least ? there : least;
	}
	return least;
}

void
pds_cms_flush(pds_cms_build *b)
{
	if (b->pending == 0)
		return;
	pds_cms_empty_ring(b);
	pds_cms_make_space(b);
}

pds_status
pds_cms_add_now(pds_cms_build *b, pds_hash h, int64_t weight)
{
	bool		subtract = weight < 0;
	uint64_t	by = subtract ? 0 - (uint64_t) weight : (uint64_t) weight;
	uint32_t	at[PDS_CMS_MAX_DEPTH];

	if (subtract ? by > b->total || b->shape.conservative : by > PDS_CMS_MAX_COUNT - b->total)
		return subtract ? PDS_NEGATIVE : PDS_OVERFLOW;
	if (by > 0)
	{
		pds_status	status;

		pds_cms_empty_ring(b);
		pds_cms_positions(h, &b->shape, at);
		status = pds_cms_change(b, at, by, subtract);
		if (status != PDS_OK)
			return status;
	}
	else
		pds_cms_flush(b);
	pds_cms_set_total(b, subtract ? b->total - by : b->total + by);
	return PDS_OK;
}

/*
 * Raise the counters of a value.  No counter is above the total, so if counters can hold the
 * total (sure), they need no look before they are raised.  Else returns false, and has changed
 * nothing, if one cannot hold what it would become.
 */
PDS_INLINE bool
raise_counters(pds_cms_build *b, pds_hash h, uint64_t weight, bool sure, int bytes)
{
	size_t		row_bytes = (size_t) b->shape.width * (size_t) bytes;
	uint8_t    *row = b->data;
	uint64_t	x = h.h1;
	uint64_t	any = 0;

	for (int i = b->shape.depth; i > 0 && !sure; i--)
	{
		any |= pds_load_number(row, (size_t) pds_mulhi64(x, b->shape.width), bytes) + weight;
		row += row_bytes;
		x = x * PDS_CMS_MULTIPLIER + h.h2;
	}
	if (any > pds_cms_most(bytes))
		return false;
	row = b->data;
	x = h.h1;
	for (int i = b->shape.depth; i > 0; i--)
	{
		size_t		column = (size_t) pds_mulhi64(x, b->shape.width);

		pds_store_number(row, column, bytes, pds_load_number(row, column, bytes) + weight);
		row += row_bytes;
		x = x * PDS_CMS_MULTIPLIER + h.h2;
	}
	return true;
}

/* The same by conservative update: no further than to the new estimate. */
PDS_INLINE bool
raise_conservatively(pds_cms_build *b, pds_hash h, uint64_t weight, int bytes)
{
	uint32_t	at[PDS_CMS_MAX_DEPTH];
	uint64_t	least = UINT64_MAX;

	pds_cms_positions(h, &b->shape, at);
	for (int i = 0; i < b->shape.depth; i++)
	{
		uint64_t	there = pds_load_number(b->data, at[i], bytes);

		least = there < least ? there : least;
	}
	least += weight;
	if (least > pds_cms_most(bytes))
		return false;
	for (int i = 0; i < b->shape.depth; i++)
		if (pds_load_number(b->data, at[i], bytes) < least)
			pds_store_number(b->data, at[i], bytes, least);
	return true;
}

PDS_INLINE bool
raise_of_width(pds_cms_build *b, pds_hash h, uint64_t weight, int bytes)
{
	uint64_t	most = pds_cms_most(bytes);

	if (weight > most)
		return false;
	if (b->shape.conservative)
		return raise_conservatively(b, h, weight, bytes);
	if (b->total <= most - weight)
		return raise_counters(b, h, weight, true, bytes);
	return raise_counters(b, h, weight, false, bytes);
}

pds_status
pds_cms_add_to_counters(pds_cms_build *b, pds_hash h, int64_t weight)
{
	bool		done = false;

	if (weight > 0 && (uint64_t) weight <= PDS_CMS_MAX_COUNT - b->total)
		switch (b->bytes)
		{
			case 1:
				done = raise_of_width(b, h, (uint64_t) weight, 1);
				break;
			case 2:
				done = raise_of_width(b, h, (uint64_t) weight, 2);
				break;
			case 4:
				done = raise_of_width(b, h, (uint64_t) weight, 4);
				break;
			default:
				done = raise_of_width(b, h, (uint64_t) weight, 8);
				break;
		}
	if (!done)
		return pds_cms_add_now(b, h, weight);
	b->total += (uint64_t) weight;
	return PDS_OK;
}

/* ---------- images that may be damaged ---------- */

/* Do the weights of all rows, or of all values, sum up to the total? */
static bool
sum_valid(const pds_cms_build *b, uint64_t sum)
{
	uint64_t	total = b->total - b->pending;

	return b->shape.conservative ? sum <= total : sum == total;
}

/* Each by itself: all bits of all counters can make a larger number than any of them is. */
static bool
none_above_total(const pds_cms_build *b)
{
	for (uint32_t i = 0; i < pds_cms_counters(&b->shape); i++)
	{
		pds_poll_each(i);
		if (pds_load_number(b->data, i, b->bytes) > b->total)
			return false;
	}
	return true;
}

static bool
counters_valid(const pds_cms_build *b, size_t size)
{
	uint32_t	nonzero;
	uint64_t	any;

	if (counters_size(&b->shape, b->bytes) > size || b->pending > 0 || b->space > 0 ||
		b->ring > 0 || b->slots > 0)
		return false;
	/* they may be many: that each row sums up to the total is not looked at */
	pds_cms_scan(b->data, pds_cms_counters(&b->shape), b->bytes, &nonzero, &any);
	return (nonzero > 0) == (b->total > 0) && (any <= b->total || none_above_total(b));
}

/* Does a key stand for a value, or for a position? */
static bool
key_valid(const pds_cms_build *b, uint64_t key)
{
	int			bits = pds_cms_column_bits(&b->shape);

	if (b->mode == PDS_CMS_POSITIONS)
		return key <= pds_cms_counters(&b->shape);
	key--;
	for (int i = 0; i < b->shape.depth; i++, key >>= bits)
		if ((key & ((UINT64_C(1) << bits) - 1)) >= b->shape.width)
			return false;
	return key == 0;
}

static bool
table_valid(const pds_cms_build *b, size_t size)
{
	int			key_bytes = pds_cms_key_bytes(b->mode);
	uint64_t	sums[PDS_CMS_MAX_DEPTH] = {0};
	uint32_t	used = 0;
	uint64_t	free_slots;

	if (size < PDS_CMS_FIRST_SIZE || b->ring != ring_of(size) ||
		b->slots != slots_in(size, b->mode, b->bytes) ||
		(b->mode == PDS_CMS_VALUES && !pds_cms_has_keys(&b->shape)) ||
		b->used > pds_cms_table_limit(b->slots) || b->largest > pds_cms_most(b->bytes))
		return false;
	free_slots = pds_cms_table_limit(b->slots) - b->used;
	if (b->space > b->ring || b->space > pds_cms_most(b->bytes) - b->largest ||
		b->space * (uint64_t) (b->mode == PDS_CMS_POSITIONS ? b->shape.depth : 1) > free_slots ||
		(b->pending > 0 && b->pending >= b->space))
		return false;
	for (uint32_t i = 0; i < b->slots; i++)
	{
		const uint8_t *slot = pds_cms_slot(b, i);
		uint64_t	key = pds_cms_slot_key(slot, key_bytes);
		uint64_t	count = pds_cms_slot_count(slot, key_bytes, b->bytes);
		uint64_t   *sum = sums;

		if (key == 0)
		{
			if (count != 0)
				return false;
			continue;
		}
		used++;
		/* rows that have been forgotten leave such, and nothing looks at them */
		if (count == 0)
			continue;
		if (!key_valid(b, key))
			return false;
		if (b->mode == PDS_CMS_POSITIONS)
			sum += (key - 1) / b->shape.width;
		if (count > b->largest || count > b->total - *sum)
			return false;
		*sum += count;
	}
	for (int row = 0; row < (b->mode == PDS_CMS_POSITIONS ? b->shape.depth : 1); row++)
		if (!sum_valid(b, sums[row]))
			return false;
	if (used != b->used)
		return false;
	/* now that a search ends: is each where it is looked for, and so there once? */
	for (uint32_t i = 0; i < b->slots; i++)
	{
		const uint8_t *slot = pds_cms_slot(b, i);
		uint64_t	key = pds_cms_slot_key(slot, key_bytes);

		if (key != 0 && pds_cms_find(b, key, key_bytes, b->bytes) != slot)
			return false;
	}
	return true;
}

static bool
build_valid(const pds_cms_build *b, size_t size)
{
	pds_cms_shape shape;

	if (b->shape.epsilon == 0 || b->shape.epsilon >= PDS_DECIMAL_CODES ||
		b->shape.delta == 0 || b->shape.delta >= PDS_DECIMAL_CODES || b->shape.conservative > 1 ||
		pds_cms_shape_for(b->shape.epsilon, b->shape.delta, b->shape.conservative,
						  &shape) != PDS_OK ||
		!pds_cms_same_shape(&b->shape, &shape))
		return false;
	if ((b->bytes != 1 && b->bytes != 2 && b->bytes != 4 && b->bytes != 8) || b->undecided > 1 ||
		(b->undecided && (b->total > 0 || size < PDS_CMS_FIRST_SIZE)) ||
		b->wanted_bytes > 8 || (b->wanted_bytes & (b->wanted_bytes - 1)) != 0 ||
		b->wanted_mode > PDS_CMS_COUNTERS ||
		b->total > PDS_CMS_MAX_COUNT || b->pending > b->total)
		return false;
	switch (b->mode)
	{
		case PDS_CMS_VALUES:
		case PDS_CMS_POSITIONS:
			return table_valid(b, size);
		case PDS_CMS_COUNTERS:
			return counters_valid(b, size);
	}
	return false;
}

PDS_STATE_CHECK(cms, PDS_TYPE_CMS, PDS_FAMILY_NATIVE + 1, sizeof(pds_cms_build))
