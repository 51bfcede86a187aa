/*
 * scalable_bloom_ops.c: what the server's frame calls
 */
#include "decimal.h"
#include "scalable_bloom_build.h"
#include "scalable_bloom.h"

static void
init_nothing(pds_scalable_bloom_build *b)
{
	const pds_scalable_bloom_parameters defaults = {
		PDS_BLOOM_BLOCKED, 0, pds_decimal_code(PDS_SCALABLE_BLOOM_DEFAULT_RATE),
		PDS_SCALABLE_BLOOM_DEFAULT_EXPANSION, PDS_SCALABLE_BLOOM_DEFAULT_CAPACITY
	};

	pds_scalable_bloom_build_init(b, &defaults, false);
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

PDS_STATE_OPS(scalable_bloom, pds_scalable_bloom_add,
			  .first_size = PDS_SCALABLE_BLOOM_FIRST_SIZE,
			  .changes_as_operand = changes_as_operand, .plan_finish = plan_finish);
