/*
 * counting_bloom_probe_type.c: is this value in the filter, and how often can it have been
 * added?
 *
 * Macros define: probds_counting_bloom_contained, probds_counting_bloom_contains,
 * probds_counting_bloom_contains_all, probds_counting_bloom_contains_any.
 */
#include "postgres.h"

#include "bloom_bits.h"
#include "counting_bloom_type.h"
#include "probe.h"

static void
view_state(const pds_counting_bloom_build *b, pds_counting_bloom_view *v)
{
	v->kind = pds_state_kind(b);
	v->shape = b->shape;
}

/* ---------- filters that are probed often ---------- */

static void
plan_of(const pds_counting_bloom_view *v, size_t size, PdsUnpackPlan *plan)
{
	/* counters that are not coded are probed where they are */
	plan->size = v->encoding == PDS_COUNTING_BLOOM_CODED ? size : 0;
	if (plan->size == 0)
		return;
	plan->unpack_cost = 1000 + (double) size * 0.3 + (double) v->nonzero * 10;
	plan->probe_cost = (v->shape.family == PDS_BLOOM_BLOCKED ? 1 : 2) *
		(100 + 6 * (double) v->nonzero / (double) v->list.segments);
}

/*
 * Define a question, answered by "lookup" from a form that "unpack" makes, in which so many
 * counters are one byte.
 */
#define QUESTION(question, counters_in_byte, unpack, lookup) \
	static void \
	question##_unpack_plan(const pds_counting_bloom_view *v, PdsUnpackPlan *plan) \
	{ \
		plan_of(v, v->shape.bits / (counters_in_byte), plan); \
	} \
	static uint64_t \
	question##_lookup(const pds_counting_bloom_view *v, const uint8_t *form, pds_hash hash) \
	{ \
		return lookup(form, &v->shape, hash); \
	} \
	PDS_UNPACKING(question##_unpacking, counting_bloom, question##_unpack_plan, unpack, \
				  pds_counting_bloom_same_lookup, question##_lookup); \
	PDS_PROBE_OF_STATES(question, counting_bloom, PDS_COUNTING_BLOOM_MAX_PREFIX, \
						pds_counting_bloom_view_count, pds_counting_bloom_build_count, \
						&question##_unpacking)

/* Is a value there?  This needs only the bits of a Bloom filter; how often, the counters. */
QUESTION(is_there, 8, pds_counting_bloom_set_bits, pds_bloom_array_contains);
QUESTION(how_often, 2, pds_counting_bloom_unpack, pds_counting_bloom_array_count);

/* ---------- questions ---------- */

PDS_CONTAINS_FUNCTIONS(counting_bloom, is_there);

/* counting_bloom_count(counting_bloom, "any"): the smallest counter; 15 is 15 or more */
PDS_FUNCTION(probds_counting_bloom_count)
{
	PdsProbed	probed;

	PG_RETURN_INT32((int32) pds_probe_args(fcinfo, 0, 1, &how_often, &probed));
}
