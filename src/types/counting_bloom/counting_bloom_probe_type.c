/*
 * counting_bloom_probe_type.c: is this value in the filter, and how often can it have been
 * added?
 */
#include "postgres.h"

#include "counting_bloom_type.h"
#include "ask.h"

static pds_status
count(const pds_counting_bloom_view *v, pds_hash hash, PdsFetch fetch, void *context,
	  uint64_t *answer)
{
	uint32_t	smallest;
	pds_status	status = pds_counting_bloom_view_count(v, hash, fetch, context, &smallest);

	*answer = smallest;
	return status;
}

static void
view_state(const pds_counting_bloom_build *b, pds_counting_bloom_view *v)
{
	v->kind = pds_state_kind(b);
	v->shape = b->shape;
}

PDS_QUESTION_OF_STATES(how_many, counting_bloom, PDS_COUNTING_BLOOM_MAX_PREFIX, count,
					   pds_counting_bloom_build_count);
PDS_CONTAINS_FUNCTIONS(counting_bloom, how_many);

/* counting_bloom_count(counting_bloom, "any"): the smallest counter; 15 is 15 or more */
PDS_FUNCTION(probds_counting_bloom_count)
{
	PdsAsked	asked;

	PG_RETURN_INT32((int32) pds_ask_args(fcinfo, 0, 1, &how_many, &asked));
}
