/*
 * counting_bloom_agg.c: the aggregates of counting_bloom
 *
 * The state is a counting_bloom in its building form (server/type/aggregate.h).
 *
 * Macros define: probds_counting_bloom_agg, probds_counting_bloom_final.
 */
#include "postgres.h"

#include "counting_bloom_type.h"
#include "aggregate.h"
#include "compat.h"
#include "state.h"

/*
 * Returns the group's state, creating it for the first row.  Over a window it counts past 15,
 * so that rows which leave it are forgotten, however many were the same.
 */
static pds_counting_bloom_build *
state_for(FunctionCallInfo fcinfo)
{
	pds_counting_bloom_build *b = pds_aggregate_state(fcinfo, PDS_FIRST_PARAMETER,
													  &pds_counting_bloom_type);

	if (PG_ARGISNULL(0) && IsA(fcinfo->context, WindowAggState))
		b->exact = 1;
	return b;
}

/* Everything that a step may have to do beyond the usual case: a row, a state that fits. */
static pg_noinline Datum
slow_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	void	   *state = state_for(fcinfo);

	if (!isnull)
		state = pds_state_add(&pds_counting_bloom_type, state, hash, kind);
	PG_RETURN_POINTER(state);
}

PDS_AGGREGATE_STEP_OR(counting_bloom, PDS_TYPE_COUNTING_BLOOM,
					  PG_NARGS() < 5 ? PDS_BLOOM_BLOCKED : pds_state_family(b), slow_step);

/*
 * The inverse transition: a row leaves the window.  If that cannot be, NULL has the
 * server aggregate the window's rows again.
 */
static pg_attribute_always_inline Datum
counting_bloom_inverse_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	pds_counting_bloom_build *b = state_for(fcinfo);

	if (isnull)
		PG_RETURN_POINTER(b);
	pds_require_kind(&pds_counting_bloom_type, pds_state_kind(b), kind);
	if (!b->exact || pds_counting_bloom_remove(b, hash) != PDS_OK)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(b);
}

PDS_AGGREGATE_ENTRY(probds_counting_bloom_inverse_agg, counting_bloom_inverse_step);
PDS_LIVE_FINAL_FUNCTION(counting_bloom, true);
