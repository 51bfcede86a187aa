/*
 * ddsketch.c: the building form of a DDSketch
 */
#include <math.h>

#include "ddsketch.h"
#include "poll.h"

static void
plan_size(pds_ddsketch_plan *plan)
{
	plan->size = pds_ddsketch_size(plan->questions, plan->log2_slots);
}

/* The image as it is. */
static void
plan_same(const pds_ddsketch_build *b, pds_ddsketch_plan *plan)
{
	plan->asked = b->asked;
	plan->scale = b->scale;
	plan->log2_slots = b->log2_slots;
	plan->questions = b->questions;
	plan->max_buckets = b->max_buckets;
	plan_size(plan);
}

/* Slots for so many buckets. */
static void
plan_slots(pds_ddsketch_plan *plan, uint32_t buckets)
{
	while (pds_ddsketch_capacity(plan->log2_slots) < buckets &&
		   plan->log2_slots < PDS_DDSKETCH_MAX_LOG2_SLOTS)
		plan->log2_slots++;
	plan_size(plan);
}

/* How many numbers may wait: there are other slots, or buckets. */
static void
set_space(pds_ddsketch_build *b)
{
	uint32_t	most = pds_ddsketch_capacity(b->log2_slots);

	if (most > b->max_buckets)
		most = b->max_buckets;
	b->space = b->buckets + PDS_DDSKETCH_RING <= most ? PDS_DDSKETCH_RING :
		b->buckets < most ? most - b->buckets : 0;
}

static void
begin(pds_ddsketch_build *b, const pds_ddsketch_plan *plan)
{
	pds_state_init(b, PDS_TYPE_DDSKETCH, PDS_FAMILY_NATIVE);
	memset((uint8_t *) b + sizeof(pds_state_head), 0, plan->size - sizeof(pds_state_head));
	b->scale = plan->scale;
	b->asked = plan->asked;
	b->log2_slots = plan->log2_slots;
	b->questions = plan->questions;
	b->max_buckets = plan->max_buckets;
	set_space(b);
}

void
pds_ddsketch_build_init(pds_ddsketch_build *b, int scale, uint32_t max_buckets, int questions)
{
	pds_ddsketch_plan plan;

	plan.asked = (int8_t) scale;
	plan.scale = (int8_t) scale;
	plan.log2_slots = PDS_DDSKETCH_FIRST_LOG2_SLOTS;
	plan.questions = (uint8_t) questions;
	plan.max_buckets = max_buckets;
	plan_size(&plan);
	begin(b, &plan);
}

static bool
scale_valid(int scale)
{
	return scale >= PDS_DDSKETCH_MIN_SCALE && scale <= PDS_DDSKETCH_MAX_SCALE;
}

/* Is a range as the counts say?  Sums that overflow are no counts. */
static bool
apart_valid(const pds_ddsketch_apart *a, uint64_t counted, uint64_t total, uint64_t in_buckets)
{
	const uint64_t counts[] = {a->zeros, a->negative_infinities, a->positive_infinities, a->nans};

	for (int i = 0; i < 4; i++)
	{
		if (counts[i] > PDS_DDSKETCH_MAX_COUNT - counted)
			return false;
		counted += counts[i];
	}
	if (counted != total || !isfinite(a->min) || !isfinite(a->max) || a->min > a->max)
		return false;
	return in_buckets > 0 || (a->min == 0 && a->max == 0);
}

static bool
key_valid(uint64_t key, int scale)
{
	int32_t		index = pds_ddsketch_key_index(key);

	return key >> 33 == 0 && index >= pds_ddsketch_least_index(scale) &&
		index <= pds_ddsketch_largest_index(scale);
}

static bool
build_valid(const pds_ddsketch_build *b, size_t size)
{
	const pds_ddsketch_slot *slots = pds_ddsketch_slots(b);
	uint32_t	buckets = 0;
	uint64_t	counted = b->pending;

	if (!scale_valid(b->asked) || !scale_valid(b->scale) || b->scale > b->asked ||
		b->undecided > 1 || b->max_buckets < PDS_DDSKETCH_MIN_BUCKETS ||
		b->max_buckets > PDS_DDSKETCH_MAX_BUCKETS ||
		b->log2_slots < PDS_DDSKETCH_FIRST_LOG2_SLOTS ||
		b->log2_slots > PDS_DDSKETCH_MAX_LOG2_SLOTS ||
		size != pds_ddsketch_size(b->questions, b->log2_slots) ||
		b->buckets > pds_ddsketch_capacity(b->log2_slots) || b->pending > b->space ||
		b->space > PDS_DDSKETCH_RING ||
		(b->space > 0 && (b->space > pds_ddsketch_capacity(b->log2_slots) - b->buckets ||
						  b->buckets > b->max_buckets || b->space > b->max_buckets - b->buckets)))
		return false;
	for (uint32_t i = 0; i < b->pending; i++)
		if (!key_valid(b->ring[i], b->scale))
			return false;
	for (uint32_t i = 0; i < UINT32_C(1) << b->log2_slots; i++)
	{
		if (slots[i].count == 0)
		{
			if (slots[i].key != 0)
				return false;
			continue;
		}
		if (!key_valid(slots[i].key, b->scale) ||
			slots[i].count > PDS_DDSKETCH_MAX_COUNT - counted)
			return false;
		counted += slots[i].count;
		buckets++;
	}
	return buckets == b->buckets && apart_valid(&b->apart, counted, b->total, counted) &&
		!(b->undecided && b->total > 0);
}

PDS_STATE_CHECK(ddsketch, PDS_TYPE_DDSKETCH, PDS_FAMILY_NATIVE + 1, sizeof(pds_ddsketch_build))

/* ---------- numbers ---------- */

/* Count a bucket.  Errors: PDS_FULL if it would be one more than "most"; PDS_CORRUPT. */
static pds_status
put_bucket(pds_ddsketch_build *b, uint64_t key, uint64_t count, uint32_t most)
{
	pds_ddsketch_slot *slot = pds_ddsketch_slot_of(b, key);

	if (slot->count == 0)
	{
		if (b->buckets >= most || b->buckets >= pds_ddsketch_capacity(b->log2_slots))
			return PDS_FULL;
		slot->key = key;
		b->buckets++;
		set_space(b);
	}
	else if (count > PDS_DDSKETCH_MAX_COUNT - slot->count)
		return PDS_CORRUPT;
	slot->count += count;
	return PDS_OK;
}

pds_status
pds_ddsketch_add_bucket(pds_ddsketch_build *b, uint64_t key, uint64_t count)
{
	return put_bucket(b, key, count, b->max_buckets);
}

/* Count what waits in the ring. */
static void
empty_ring(pds_ddsketch_build *b)
{
	for (uint32_t i = 0; i < b->pending; i++)
		__builtin_prefetch(pds_ddsketch_slots(b) + pds_ddsketch_home(b->ring[i], b->log2_slots));
	for (uint32_t i = 0; i < b->pending; i++)
		(void) pds_ddsketch_add_bucket(b, b->ring[i], 1);
	b->pending = 0;
}

/* The range of finite numbers, of which there were "before". */
static void
widen(pds_ddsketch_apart *a, double min, double max, bool none)
{
	if (none || min < a->min)
		a->min = min;
	if (none || max > a->max)
		a->max = max;
}

pds_status
pds_ddsketch_add_slowly(pds_ddsketch_build *b, double value, uint64_t weight)
{
	pds_ddsketch_apart *a = &b->apart;

	empty_ring(b);
	if (weight > PDS_DDSKETCH_MAX_COUNT - b->total)
		return PDS_OVERFLOW;
	if (weight == 0)
		return PDS_OK;
	if (isnan(value))
		a->nans += weight;
	else if (isinf(value))
		*(value < 0 ? &a->negative_infinities : &a->positive_infinities) += weight;
	else
	{
		bool		none = pds_ddsketch_finite(a, b->total) == 0;

		if (value == 0)
		{
			value = 0;			/* and not -0 */
			a->zeros += weight;
		}
		else
		{
			uint64_t	key = pds_ddsketch_key(pds_ddsketch_index(value, b->scale), value < 0);
			pds_status	status = pds_ddsketch_add_bucket(b, key, weight);

			if (status != PDS_OK)
				return status;
		}
		widen(a, value, value, none);
	}
	b->total += weight;
	return PDS_OK;
}

/* ---------- other images ---------- */

void
pds_ddsketch_plan_growth(const pds_ddsketch_build *b, pds_ddsketch_plan *plan)
{
	plan_same(b, plan);
	if (b->buckets >= b->max_buckets && b->scale > PDS_DDSKETCH_MIN_SCALE)
		plan->scale--;
	else
		plan_slots(plan, b->buckets + 1);
}

void
pds_ddsketch_plan_fold(const pds_ddsketch_build *b, int asked, uint32_t max_buckets,
					   pds_ddsketch_plan *plan)
{
	plan_same(b, plan);
	plan->asked = (int8_t) asked;
	if (asked < plan->scale)
		plan->scale = (int8_t) asked;
	plan->max_buckets = max_buckets;
}

/* A few numbers have a bucket each, and many have some hundred buckets.  Half as many may come. */
#define USUAL_BUCKETS	512

bool
pds_ddsketch_plan_start(const pds_ddsketch_build *b, uint64_t values, size_t most,
						pds_ddsketch_plan *plan)
{
	values /= 2;
	plan_same(b, plan);
	plan_slots(plan, values < USUAL_BUCKETS ? (uint32_t) values : USUAL_BUCKETS);
	while (plan->size > most && plan->log2_slots > b->log2_slots)
	{
		plan->log2_slots--;
		plan_size(plan);
	}
	return plan->log2_slots > b->log2_slots;
}

pds_status
pds_ddsketch_plan_finish(pds_ddsketch_build *b, pds_ddsketch_plan *plan)
{
	empty_ring(b);
	if (b->buckets <= b->max_buckets || b->scale == PDS_DDSKETCH_MIN_SCALE)
		return PDS_OK;
	plan_same(b, plan);
	plan->scale--;
	return PDS_FULL;
}

/* What of an operand a plan needs to know. */
typedef struct operand_shape
{
	int8_t		asked;
	int8_t		scale;
	uint32_t	max_buckets;
	uint32_t	buckets;
	uint64_t	total;
} operand_shape;

static operand_shape
shape_of(const pds_operand *from)
{
	pds_ddsketch_build *other = (pds_ddsketch_build *) from->state;
	const pds_ddsketch_view *v = from->view;

	if (other != NULL)
	{
		empty_ring(other);
		return (operand_shape) {other->asked, other->scale, other->max_buckets, other->buckets,
			other->total};
	}
	return (operand_shape) {v->asked, v->scale, v->max_buckets, v->negatives + v->positives,
		v->total};
}

/* States that have lost their questions go with any. */
static bool
same_questions(const pds_ddsketch_build *a, const pds_ddsketch_build *b)
{
	return a->questions == 0 || b->questions == 0 ||
		(a->questions == b->questions &&
		 memcmp(pds_ddsketch_questions(a), pds_ddsketch_questions(b),
				a->questions * sizeof(double)) == 0);
}

pds_status
pds_ddsketch_plan_union(pds_ddsketch_build *b, const pds_operand *from, pds_ddsketch_plan *plan)
{
	operand_shape other = shape_of(from);

	if (from->state != NULL && !same_questions(b, from->state))
		return PDS_PARAMETER_MISMATCH;
	if (other.total > PDS_DDSKETCH_MAX_COUNT - b->total)
		return PDS_OVERFLOW;
	empty_ring(b);
	if (b->undecided)
	{
		b->asked = other.asked;
		b->scale = other.scale;
		b->max_buckets = other.max_buckets;
		b->undecided = 0;
	}
	plan_same(b, plan);
	if (other.asked < plan->asked)
		plan->asked = other.asked;
	if (other.scale < plan->scale)
		plan->scale = other.scale;
	if (other.max_buckets < plan->max_buckets)
		plan->max_buckets = other.max_buckets;
	if (b->buckets > plan->max_buckets && plan->scale == b->scale &&
		plan->scale > PDS_DDSKETCH_MIN_SCALE)
		plan->scale--;
	plan_slots(plan, b->buckets + other.buckets);
	return plan->asked < b->asked || plan->scale < b->scale ||
		plan->max_buckets < b->max_buckets || plan->log2_slots > b->log2_slots ?
		PDS_FULL : PDS_OK;
}

pds_status
pds_ddsketch_rebuild(pds_ddsketch_build *to, pds_ddsketch_plan *plan,
					 const pds_ddsketch_build *from)
{
	const pds_ddsketch_slot *slots = pds_ddsketch_slots(from);
	uint32_t	n = UINT32_C(1) << from->log2_slots;
	int			by = from->scale - plan->scale;

	begin(to, plan);
	pds_state_copy_head(to, from);
	to->undecided = from->undecided;
	to->total = from->total;
	to->apart = from->apart;
	memcpy(pds_ddsketch_questions(to), pds_ddsketch_questions(from),
		   (size_t) from->questions * sizeof(double));
	for (uint32_t i = 0; i < n + from->pending; i++)
	{
		uint64_t	key = i < n ? slots[i].key : from->ring[i - n];
		uint64_t	count = i < n ? slots[i].count : 1;
		pds_status	status = count == 0 ? PDS_OK :
			pds_ddsketch_add_bucket(to, pds_ddsketch_key_coarser(key, by), count);

		pds_poll_every(i, PDS_DDSKETCH_POLL_BUCKETS);
		if (status == PDS_OK)
			continue;
		if (status != PDS_FULL)
			return status;
		if (to->buckets >= to->max_buckets && to->scale > PDS_DDSKETCH_MIN_SCALE)
			plan->scale--;
		else
			plan_slots(plan, pds_ddsketch_capacity(plan->log2_slots) + 1);
		return PDS_FULL;
	}
	return PDS_OK;
}

/* ---------- a union ---------- */

/* Beyond max_buckets, too.  Errors: PDS_CORRUPT if there is no slot, or a count is too large. */
static pds_status
unite_bucket(pds_ddsketch_build *b, uint64_t key, int by, uint64_t count)
{
	return put_bucket(b, pds_ddsketch_key_coarser(key, by), count, UINT32_MAX) == PDS_OK ?
		PDS_OK : PDS_CORRUPT;
}

static void
unite_apart(pds_ddsketch_build *b, const pds_ddsketch_apart *a, uint64_t total)
{
	if (pds_ddsketch_finite(a, total) > 0)
		widen(&b->apart, a->min, a->max, pds_ddsketch_finite(&b->apart, b->total) == 0);
	b->apart.zeros += a->zeros;
	b->apart.negative_infinities += a->negative_infinities;
	b->apart.positive_infinities += a->positive_infinities;
	b->apart.nans += a->nans;
	b->total += total;
}

static pds_status
unite_view(pds_ddsketch_build *b, const pds_ddsketch_view *v)
{
	pds_ddsketch_reader r;
	pds_ddsketch_bucket bucket;
	int			by = v->scale - b->scale;

	pds_ddsketch_buckets_from(&r, v);
	for (uint32_t i = 0; pds_ddsketch_next(&r, &bucket); i++)
	{
		pds_poll_every(i, PDS_DDSKETCH_POLL_BUCKETS);
		if (unite_bucket(b, pds_ddsketch_key(bucket.index, bucket.negative), by,
						 bucket.count) != PDS_OK)
			return PDS_CORRUPT;
	}
	return r.bits.overrun ? PDS_CORRUPT : PDS_OK;
}

pds_status
pds_ddsketch_merge(pds_ddsketch_build *b, const pds_operand *from)
{
	const pds_ddsketch_build *other = from->state;
	const pds_ddsketch_view *v = from->view;
	operand_shape shape = shape_of(from);
	pds_status	status = PDS_OK;

	if (shape.scale < b->scale)
		return PDS_CORRUPT;
	if (other != NULL)
	{
		const pds_ddsketch_slot *slots = pds_ddsketch_slots(other);
		int			by = other->scale - b->scale;

		for (uint32_t i = 0; i < UINT32_C(1) << other->log2_slots && status == PDS_OK; i++)
		{
			pds_poll_every(i, PDS_DDSKETCH_POLL_BUCKETS);
			if (slots[i].count > 0)
				status = unite_bucket(b, slots[i].key, by, slots[i].count);
		}
	}
	else
		status = unite_view(b, v);
	if (status == PDS_OK)
		unite_apart(b, other != NULL ? &other->apart : &v->apart, shape.total);
	return status;
}
