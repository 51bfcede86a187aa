/*
 * counting_bloom_ops.c: what the server's frame calls, by the table of
 * base/state_ops.h
 */
#include "decimal.h"
#include "counting_bloom.h"
#include "counting_bloom_ops.h"

PDS_OPS_FIT(pds_counting_bloom_view, pds_counting_bloom_plan, pds_counting_bloom_encoding);

static pds_status
ops_open(void *view, const uint8_t *payload, size_t len, const char **why)
{
	return pds_counting_bloom_open(view, payload, len, len, why);
}

/* For so many values an empty union of nothing has space. */
#define DEFAULT_CAPACITY	1000000

static void
ops_init_nothing(void *state)
{
	pds_bloom_shape s;

	(void) pds_counting_bloom_shape_for(DEFAULT_CAPACITY,
										pds_decimal_code(PDS_COUNTING_BLOOM_DEFAULT_RATE),
										PDS_BLOOM_BLOCKED, &s);
	pds_counting_bloom_init(state, PDS_COUNTING_BLOOM_FIRST_SIZE, &s, false);
	((pds_counting_bloom_build *) state)->undecided = 1;
}

static bool
ops_is_nothing(const void *state)
{
	return ((const pds_counting_bloom_build *) state)->undecided != 0;
}

static pds_status
ops_add(void *state, pds_hash hash)
{
	return pds_counting_bloom_add(state, hash);
}

static void
ops_plan_growth(const void *state, size_t size, pds_plan *plan)
{
	(void) size;
	pds_counting_bloom_plan_growth(state, (pds_counting_bloom_plan *) plan);
}

static pds_status
ops_rebuild(void *to, pds_plan *plan, const void *from)
{
	pds_counting_bloom_rebuild(to, (const pds_counting_bloom_plan *) plan, from);
	return PDS_OK;
}

static pds_status
ops_plan_merge(void *state, size_t size, const pds_operand *from, pds_plan *plan)
{
	(void) size;
	return pds_counting_bloom_plan_merge(state, from, (pds_counting_bloom_plan *) plan);
}

static pds_status
ops_merge(void *state, const pds_operand *from)
{
	return pds_counting_bloom_merge(state, from);
}

static pds_status
ops_encode_plan(void *state, pds_encoding *encoding, const char **why)
{
	(void) why;
	pds_counting_bloom_measure(state, (pds_counting_bloom_encoding *) encoding);
	return PDS_OK;
}

static size_t
ops_encode(void *state, const pds_encoding *encoding, void *scratch, uint8_t *out)
{
	return pds_counting_bloom_encode(state, (const pds_counting_bloom_encoding *) encoding,
									 scratch, out);
}

const pds_state_ops pds_counting_bloom_ops = {
	PDS_STATE_OPS(counting_bloom, PDS_COUNTING_BLOOM_FIRST_SIZE),
	.add = ops_add,
	.plan_growth = ops_plan_growth,
};
