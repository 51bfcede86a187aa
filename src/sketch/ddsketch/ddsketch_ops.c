/*
 * ddsketch_ops.c: what the server's frame calls, by the table of base/state_ops.h
 *
 * Numbers are added without a hash: types/ddsketch does it.
 */
#include "ddsketch.h"

static void
init_nothing(pds_ddsketch_build *b)
{
	pds_ddsketch_build_init(b, PDS_DDSKETCH_DEFAULT_SCALE, PDS_DDSKETCH_DEFAULT_BUCKETS, 0);
}

static void
ops_plan_growth(const void *state, pds_plan *plan)
{
	pds_ddsketch_plan_growth(state, (pds_ddsketch_plan *) plan);
}

PDS_PLAN_START(ddsketch);

static pds_status
ops_plan_finish(void *state, pds_plan *plan)
{
	return pds_ddsketch_plan_finish(state, (pds_ddsketch_plan *) plan);
}

/* A union empties its ring. */
static bool
changes_as_operand(const void *state)
{
	return ((const pds_ddsketch_build *) state)->pending > 0;
}

PDS_STATE_OPS_OF_VALUES(ddsketch, .first_size = PDS_DDSKETCH_FIRST_SIZE,
						.changes_as_operand = changes_as_operand, .plan_growth = ops_plan_growth,
						.plan_start = plan_start, .plan_finish = ops_plan_finish);
