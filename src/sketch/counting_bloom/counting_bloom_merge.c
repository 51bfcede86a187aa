/*
 * counting_bloom_merge.c: unions and differences of counting Bloom filters
 *
 * They are done in full or not at all: whether there is space, or enough to subtract
 * from, is known before anything is changed.
 */
#include "poll.h"
#include "bloom.h"
#include "counting_bloom.h"
#include "counting_bloom_build.h"

/* What a union needs to know of its other side. */
typedef struct other_side
{
	const pds_bloom_shape *shape;
	uint64_t	nonzero;		/* unless walk.array says that there are all counters */
	pds_counting_bloom_walk walk;
} other_side;

static void
look_at(other_side *o, const pds_operand *from)
{
	const pds_counting_bloom_build *b = from->state;
	const pds_counting_bloom_view *v = from->view;

	if (b != NULL)
		pds_counting_bloom_walk_build(&o->walk, b);
	else
		pds_counting_bloom_walk_view(&o->walk, v);
	o->shape = b != NULL ? &b->shape : &v->shape;
	o->nonzero = b != NULL ? b->nonzero : v->nonzero;
}

pds_status
pds_counting_bloom_plan_union(pds_counting_bloom_build *b, const pds_operand *from,
							  pds_counting_bloom_plan *plan)
{
	other_side	o;

	look_at(&o, from);
	if (b->undecided)
	{
		b->shape = *o.shape;
		b->header[1] = (uint8_t) (b->shape.family << 4 | PDS_ENCODING_BUILDING);
		b->undecided = 0;
	}
	if (!pds_bloom_same_shape(&b->shape, o.shape))
		return PDS_PARAMETER_MISMATCH;
	if (b->mode == PDS_COUNTING_BLOOM_COUNTERS ||
		(o.walk.array == NULL && pds_counting_bloom_has_space(b, o.nonzero)))
		return PDS_OK;
	if (o.walk.array != NULL)
		pds_counting_bloom_plan_counters(b, plan);
	else
		pds_counting_bloom_plan_for(b, o.nonzero, plan);
	return PDS_FULL;
}

/* To each of so many counters, a multiple of 64, another. */
static void
sum_arrays(uint8_t *array, const uint8_t *in, uint64_t counters)
{
	const uint64_t low = UINT64_C(0x0f0f0f0f0f0f0f0f);
	const uint64_t one = UINT64_C(0x0101010101010101);

	for (size_t i = 0; i < counters / 2; i += 8)
	{
		uint64_t	a = pds_load_le64(array + i);
		uint64_t	b = pds_load_le64(in + i);
		uint64_t	even = (a & low) + (b & low);
		uint64_t	odd = (a >> 4 & low) + (b >> 4 & low);

		/* where the sum is above 15, all four bits are set */
		even |= (even >> 4 & one) * 15;
		odd |= (odd >> 4 & one) * 15;
		pds_store_le64(array + i, (even & low) | (odd & low) << 4);
		pds_poll_every(i / 8, PDS_POLL_BYTES / 8);
	}
}

/* Can the two be joined, by their shapes? */
static bool
goes_with(const pds_counting_bloom_build *b, const pds_bloom_shape *other)
{
	return !b->undecided && pds_bloom_same_shape(&b->shape, other);
}

pds_status
pds_counting_bloom_merge(pds_counting_bloom_build *b, const pds_operand *from)
{
	const pds_counting_bloom_build *other = from->state;
	other_side	o;
	uint64_t	i;
	uint64_t	count;

	look_at(&o, from);
	if (!goes_with(b, o.shape))
		return PDS_PARAMETER_MISMATCH;
	if (b->mode == PDS_COUNTING_BLOOM_TABLE &&
		(o.walk.array != NULL || !pds_counting_bloom_has_space(b, o.nonzero)))
		return PDS_FULL;
	pds_counting_bloom_make_plain(b);
	pds_counting_bloom_flush(b);
	pds_bloom_join_shapes(&b->shape, o.shape);
	if (o.walk.array != NULL)
	{
		sum_arrays(pds_counting_bloom_array(b), o.walk.array, b->shape.bits);
		b->nonzero = pds_counting_bloom_count_nonzero(pds_counting_bloom_array(b), b->shape.bits);
		for (int j = 0; other != NULL && j < other->pending; j++)
			(void) pds_counting_bloom_add_now(b, pds_counting_bloom_ring(other)[j]);
		return PDS_OK;
	}
	for (uint64_t seen = 0; pds_counting_bloom_walk_next(&o.walk, &i, &count); seen++)
	{
		/* of bytes that did not go through the check: no more than there is space for */
		if (seen == o.nonzero)
			return PDS_CORRUPT;
		pds_poll_each(seen);
		pds_counting_bloom_raise(b, i, (uint32_t) count);
	}
	return o.walk.coded.corrupt ? PDS_CORRUPT : PDS_OK;
}

pds_status
pds_counting_bloom_subtract(pds_counting_bloom_build *b, const pds_counting_bloom_view *v)
{
	pds_counting_bloom_walk w;
	uint64_t	i;
	uint64_t	count;

	if (!goes_with(b, &v->shape))
		return PDS_PARAMETER_MISMATCH;
	pds_counting_bloom_make_plain(b);
	pds_counting_bloom_flush(b);
	pds_counting_bloom_walk_view(&w, v);
	for (uint64_t seen = 0; pds_counting_bloom_walk_next(&w, &i, &count); seen++)
	{
		uint64_t	have = pds_counting_bloom_get(b, i);

		pds_poll_each(seen);
		if (have < PDS_COUNTING_BLOOM_MAX && have < count)
			return PDS_NEGATIVE;
	}
	if (w.coded.corrupt)
		return PDS_CORRUPT;
	pds_counting_bloom_walk_view(&w, v);
	while (pds_counting_bloom_walk_next(&w, &i, &count))
		if (pds_counting_bloom_get(b, i) < PDS_COUNTING_BLOOM_MAX)
			pds_counting_bloom_lower(b, i, (uint32_t) count);
	pds_counting_bloom_settle(b);
	return PDS_OK;
}
