/*
 * counting_bloom_probe_type.c: is this value in the filter, and how often can it have been
 * added?
 */
#include "postgres.h"

#include "counting_bloom_type.h"
#include "ask.h"

static pds_status
ask(const void *view, pds_hash hash, PdsFetch fetch, void *context, uint64_t *answer)
{
	uint32_t	count;
	pds_status	status = pds_counting_bloom_view_count(view, hash, fetch, context, &count);

	*answer = count;
	return status;
}

static pds_status
open_head(void *view, const uint8_t *payload, size_t have, size_t len, const char **why)
{
	return pds_counting_bloom_open(view, payload, have, len, why);
}

static uint64_t
ask_state(const void *state, pds_hash hash)
{
	return pds_counting_bloom_build_count(state, hash);
}

static void
view_state(const void *state, void *view)
{
	const pds_counting_bloom_build *b = state;
	pds_counting_bloom_view *v = view;

	v->kind = pds_state_kind(b);
	v->shape = b->shape;
}

static const PdsQuestion question = {
	.type = &pds_counting_bloom_type,
	.head_bytes = PDS_COUNTING_BLOOM_MAX_PREFIX,
	.open_head = open_head,
	.ask = ask,
	.ask_state = ask_state,
	.view_state = view_state,
};

PDS_CONTAINS_FUNCTIONS(counting_bloom, question);

/* counting_bloom_count(counting_bloom, "any"): the smallest counter; 15 is 15 or more */
PG_FUNCTION_INFO_V1(probds_counting_bloom_count);
Datum
probds_counting_bloom_count(PG_FUNCTION_ARGS)
{
	PdsAsked	asked;

	PG_RETURN_INT32((int32) pds_ask_args(fcinfo, 0, 1, &question, &asked));
}
