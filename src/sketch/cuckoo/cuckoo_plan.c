/*
 * cuckoo_plan.c: how large a cuckoo filter and its images are
 */
#include <math.h>

#include "cuckoo_table.h"

/* From so many classes on, images grow by larger steps. */
#define QUICK_CLASSES		16384

/* An image with a ring has a stash of at least so many slots. */
#define MIN_RING_STASH		64

/* ---------- shape ---------- */

void
pds_cuckoo_shape_for(uint64_t capacity, uint16_t rate, pds_cuckoo_shape *s)
{
	uint64_t	digits = 100 + (uint64_t) (rate - 1) % 900;
	uint64_t	scale = 1000;

	for (int e = (rate - 1) / 900; e > 0; e--)
		scale *= 10;
	memset(s, 0, sizeof(*s));
	s->capacity = capacity;
	s->rate = rate;
	/* below 2^62, for a rate of 10^-9 at least */
	s->classes = capacity / digits * scale +
		pds_cuckoo_divide_up(capacity % digits * scale, digits);
}

double
pds_cuckoo_cardinality(const pds_cuckoo_shape *s, uint64_t distinct)
{
	double		m = (double) s->classes;
	double		missing = m - (double) distinct;

	if (missing < 0.5)
		missing = 0.5;
	return distinct == 0 ? 0 : m * -log(missing / m);
}

/* ---------- images ---------- */

size_t
pds_cuckoo_image_size(uint64_t buckets, uint32_t width, uint32_t stash_slots)
{
	uint64_t	size = sizeof(pds_cuckoo_build) +
		pds_cuckoo_ring_for(buckets, width) * sizeof(uint64_t) +
		(uint64_t) stash_slots * sizeof(pds_cuckoo_stash) + buckets * PDS_CUCKOO_SLOTS * width;

	/* where size_t has 32 bits, one that is too large must not look small */
	return size < UINT32_MAX ? (size_t) size : UINT32_MAX;
}

/* Bytes that so many fingerprints, and the mark of a free slot, fit in. */
static uint32_t
width_for(uint64_t fingerprints)
{
	int			bits = pds_cuckoo_bits_for(fingerprints);

	return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

static void
plan_size(pds_cuckoo_plan *plan)
{
	if (pds_cuckoo_ring_for(plan->buckets, plan->width) > 0 && plan->stash_slots < MIN_RING_STASH)
		plan->stash_slots = MIN_RING_STASH;
	plan->size = pds_cuckoo_image_size(plan->buckets, plan->width, plan->stash_slots);
}

/*
 * Plan a table that so many classes fill to a load of 0.9; of up to a quarter more buckets,
 * if that makes fingerprints short enough for half the space.
 */
static void
plan_table(const pds_cuckoo_shape *s, uint64_t classes, uint32_t stash_slots,
		   pds_cuckoo_plan *plan)
{
	uint64_t	pairs = pds_cuckoo_divide_up(classes * 5, 36);

	if (pairs > s->classes)
		pairs = s->classes;
	/* a table that is to grow may have lost all its classes meanwhile */
	if (pairs == 0)
		pairs = 1;
	plan->width = width_for(pds_cuckoo_divide_up(s->classes, pairs));
	if (plan->width > 1)
	{
		uint64_t	most = (UINT64_C(1) << (4 * plan->width)) - 1;
		uint64_t	enough = pds_cuckoo_divide_up(s->classes, most);

		if (enough <= pairs + pairs / 4)
		{
			pairs = enough;
			plan->width /= 2;
		}
	}
	plan->buckets = pairs * 2;
	plan->stash_slots = stash_slots;
	plan_size(plan);
}

/*
 * A larger table than this one: for the capacity at once when an eighth of it is reached;
 * one that would be too large for a little more.
 */
static void
plan_larger_table(const pds_cuckoo_build *b, pds_cuckoo_plan *plan)
{
	uint64_t	classes = pds_cuckoo_distinct(b);
	uint64_t	capacity = b->shape.capacity;
	uint64_t	more[] = {
		classes >= capacity ? classes + classes / 2 :
		classes >= capacity / 8 ? capacity : classes * (classes < QUICK_CLASSES ? 2 : 4),
		classes + classes / 2, classes + classes / 4
	};

	for (int i = 0; i < 3; i++)
	{
		plan_table(&b->shape, more[i], b->stash_slots, plan);
		if (plan->buckets <= b->buckets)
			plan_table(&b->shape, b->buckets * PDS_CUCKOO_SLOTS * 3 / 2, b->stash_slots, plan);
		if (plan->size <= PDS_CUCKOO_MAX_IMAGE)
			return;
	}
}

/* The slots of the table, or else its width, so that they count some copies. */
static bool
plan_wider_slots(const pds_cuckoo_build *b, pds_cuckoo_plan *plan)
{
	if (b->stash_used - b->homeless <= b->used / 8)
		return false;
	plan->buckets = b->buckets;
	plan->width = b->width;
	while (plan->width < 8 && pds_cuckoo_slot_limit(b->fingerprint_bits, (int) plan->width) < 4)
		plan->width *= 2;
	plan->stash_slots = b->stash_slots;
	plan_size(plan);
	return plan->width > b->width;
}

void
pds_cuckoo_plan_more_buckets(const pds_cuckoo_shape *s, pds_cuckoo_plan *plan)
{
	uint32_t	width = plan->width;

	plan_table(s, plan->buckets * PDS_CUCKOO_SLOTS * 3 / 2, plan->stash_slots, plan);
	if (plan->width < width &&
		pds_cuckoo_image_size(plan->buckets, width, plan->stash_slots) <= PDS_CUCKOO_MAX_IMAGE)
	{
		/* slots that count copies: with narrower slots, the image could be the smaller one */
		plan->width = width;
		plan_size(plan);
	}
}

void
pds_cuckoo_plan_larger_stash(pds_cuckoo_plan *plan)
{
	if (plan->stash_slots < UINT32_C(1) << 30)
		plan->stash_slots *= 2;
	plan_size(plan);
}

void
pds_cuckoo_plan_growth(const pds_cuckoo_build *b, pds_cuckoo_plan *plan)
{
	if (b->crowded)
	{
		plan_larger_table(b, plan);
		return;
	}
	if (plan_wider_slots(b, plan))
		return;
	plan->buckets = b->buckets;
	plan->width = b->width;
	plan->stash_slots = b->stash_slots;
	pds_cuckoo_plan_larger_stash(plan);
}

pds_status
pds_cuckoo_full(const pds_cuckoo_build *b)
{
	pds_cuckoo_plan plan;

	pds_cuckoo_plan_growth(b, &plan);
	return plan.size <= PDS_CUCKOO_MAX_IMAGE ? PDS_FULL : PDS_TOO_LARGE;
}

bool
pds_cuckoo_plan_space(const pds_cuckoo_build *b, uint64_t more, pds_cuckoo_plan *plan)
{
	uint64_t	classes = pds_cuckoo_distinct(b) + more;

	if (classes > b->shape.classes)
		classes = b->shape.classes;
	if (classes * 20 <= b->buckets * PDS_CUCKOO_SLOTS * 19)
		return false;
	plan_table(&b->shape, classes, b->stash_slots, plan);
	return true;
}

bool
pds_cuckoo_fits(const pds_cuckoo_shape *s)
{
	pds_cuckoo_plan plan;

	plan_table(s, s->capacity, MIN_RING_STASH, &plan);
	return plan.size <= PDS_CUCKOO_MAX_IMAGE;
}

uint64_t
pds_cuckoo_max_capacity(uint16_t rate)
{
	uint64_t	fits = 1;
	uint64_t	too_large = PDS_CUCKOO_MAX_CAPACITY + 1;

	while (too_large - fits > 1)
	{
		uint64_t	middle = fits + (too_large - fits) / 2;
		pds_cuckoo_shape s;

		pds_cuckoo_shape_for(middle, rate, &s);
		if (pds_cuckoo_fits(&s))
			fits = middle;
		else
			too_large = middle;
	}
	return fits;
}
