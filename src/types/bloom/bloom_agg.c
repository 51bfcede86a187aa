/*
 * bloom_agg.c: the aggregates of bloom
 *
 * The state is a bloom in its building form (server/type/aggregate.h).
 *
 * Macros define: probds_bloom_agg, probds_bloom_final.
 */
#include "postgres.h"

#include "bloom_size.h"
#include "bloom_type.h"
#include "aggregate.h"
#include "state.h"
#include "call_argument.h"
#include "compat.h"

/* Is this state one that was begun with the arguments of this row, none of which is NULL? */
static inline bool
begun_with_args(FunctionCallInfo fcinfo, const pds_bloom_build *b)
{
	int			n = PG_NARGS();
	double		rate = n < 4 ? PDS_BLOOM_DEFAULT_RATE : PG_GETARG_FLOAT8(3);
	uint8		layout = PDS_BLOOM_BLOCKED;

	if (n < 3)
		return b->automatic;
	if (n >= 5)
		layout = pds_bloom_layout_arg(PG_GETARG_TEXT_PP(4));
	if (layout == PDS_BLOOM_AS_GUAVA)
	{
		layout = PDS_BLOOM_CLASSIC;
		rate = -rate;
	}
	return b->asked_capacity == PG_GETARG_FLOAT8(2) && b->asked_rate == rate &&
		b->shape.family == layout;
}

PDS_AGGREGATE_STEP(bloom, PDS_TYPE_BLOOM,
				   PG_NARGS() < 5 ? PDS_BLOOM_BLOCKED : pds_state_family(b));

PDS_FINAL_FUNCTION(bloom);

/* ---------- intersection ---------- */

/*
 * Transition and combine function of bloom_intersect_agg: a state and a value, either of which may
 * be the first.  NULLs are skipped; of NULLs only there is no intersection, so the result is NULL.
 */
PDS_FUNCTION(probds_bloom_intersect_step)
{
	struct varlena *value;
	pds_bloom_build *b;

	pds_require_aggregate(fcinfo);
	if (PG_ARGISNULL(1))
		PDS_RETURN_UNCHANGED();
	value = pds_sketch_get(&pds_bloom_type, PG_GETARG_DATUM(1));
	if (PG_ARGISNULL(0))
		PG_RETURN_POINTER(pds_state_from(&pds_bloom_type, value));
	b = pds_state_arg(fcinfo, &pds_bloom_type);
	pds_bloom_intersect(b, value);
	PG_FREE_IF_COPY(value, 1);
	PG_RETURN_POINTER(b);
}
