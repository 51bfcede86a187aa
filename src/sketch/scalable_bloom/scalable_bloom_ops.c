/*
 * scalable_bloom_ops.c: what the server's frame calls
 */
#include "decimal.h"
#include "scalable_bloom_build.h"
#include "scalable_bloom_ops.h"

PDS_OPS_FIT(pds_scalable_bloom_view, pds_scalable_bloom_plan, pds_scalable_bloom_encoding);

static pds_status
ops_open(void *view, const uint8_t *payload, size_t len, const char **why)
{
	return pds_scalable_bloom_open(view, payload, len, len, why);
}

static void
ops_init_nothing(void *state)
{
	const pds_scalable_bloom_parameters defaults = {
		PDS_BLOOM_BLOCKED, 0, pds_decimal_code(PDS_SCALABLE_BLOOM_DEFAULT_RATE),
		PDS_SCALABLE_BLOOM_DEFAULT_EXPANSION, PDS_SCALABLE_BLOOM_DEFAULT_CAPACITY
	};

	pds_scalable_bloom_build_init(state, &defaults, false);
	((pds_scalable_bloom_build *) state)->undecided = 1;
}

static bool
ops_is_nothing(const void *state)
{
	return ((const pds_scalable_bloom_build *) state)->undecided != 0;
}

static pds_status
add(void *state, pds_hash hash)
{
	return pds_scalable_bloom_add(state, hash);
}

static void
plan_growth(const void *state, size_t size, pds_plan *plan)
{
	pds_scalable_bloom_plan_growth(state, size, (pds_scalable_bloom_plan *) plan);
}

static pds_status
ops_rebuild(void *to, pds_plan *plan, const void *from)
{
	return pds_scalable_bloom_rebuild(to, (const pds_scalable_bloom_plan *) plan, from);
}

static pds_status
ops_plan_merge(void *state, size_t size, const pds_operand *from, pds_plan *plan)
{
	return pds_scalable_bloom_plan_merge(state, size, from, (pds_scalable_bloom_plan *) plan);
}

static pds_status
ops_merge(void *state, const pds_operand *from)
{
	return pds_scalable_bloom_merge(state, from);
}

/* The list of an open layer's positions is put in order. */
static bool
changes_as_operand(const void *state)
{
	return pds_scalable_bloom_open_layer(state) != NULL;
}

static pds_status
plan_finish(void *state, pds_plan *plan)
{
	return pds_scalable_bloom_plan_finish(state, (pds_scalable_bloom_plan *) plan);
}

static pds_status
ops_encode_plan(void *state, pds_encoding *encoding, const char **why)
{
	(void) why;
	pds_scalable_bloom_encode_plan(state, (pds_scalable_bloom_encoding *) encoding);
	return PDS_OK;
}

static size_t
ops_encode(void *state, const pds_encoding *encoding, void *scratch, uint8_t *out)
{
	return pds_scalable_bloom_encode(state, (const pds_scalable_bloom_encoding *) encoding,
									 scratch, out);
}

const pds_state_ops pds_scalable_bloom_ops = {
	PDS_STATE_OPS(scalable_bloom, PDS_SCALABLE_BLOOM_FIRST_SIZE),
	.add = add,
	.plan_growth = plan_growth,
	.changes_as_operand = changes_as_operand,
	.plan_finish = plan_finish,
};
