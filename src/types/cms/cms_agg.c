/*
 * cms_agg.c: the aggregates of cms
 *
 * The state is a cms in its building form (server/type/aggregate.h).
 *
 * Macros define: probds_cms_final.
 */
#include "postgres.h"

#include "cms_type.h"
#include "aggregate.h"
#include "compat.h"
#include "state.h"
#include "weight.h"

/*
 * The arguments are the state, the value, a weight if the aggregate is weighted, and from here on
 * the parameters.
 */
#define WEIGHT_ARG				2
#define EPSILON_ARG(weighted)	((weighted) ? 3 : 2)
#define WEIGHT_IS_NULL			(weighted && PG_ARGISNULL(WEIGHT_ARG))
#define WEIGHT					(weighted ? pds_weight_arg(fcinfo, WEIGHT_ARG) : 1)

/* Returns the group's state, creating it for the first row. */
static pds_cms_build *
state_for(FunctionCallInfo fcinfo, bool conservative, bool weighted)
{
	double		values[PDS_MAX_PARAMETERS];
	pds_cms_build *b = pds_aggregate_known_state(fcinfo, &pds_cms_type);
	pds_cms_shape shape;

	if (b != NULL)
		return b;
	pds_aggregate_arguments(fcinfo, EPSILON_ARG(weighted), &pds_cms_type, values);
	values[2] = conservative;
	b = pds_aggregate_state_of(fcinfo, &pds_cms_type, values);
	/* over a window it is queried for every row */
	if (PG_ARGISNULL(0) && IsA(fcinfo->context, WindowAggState))
	{
		shape = b->shape;
		pds_cms_build_init_to_ask(b, &shape);
	}
	return b;
}

/* Everything that a step may have to do beyond the usual case: a row, a state that fits. */
static pg_noinline Datum
slow_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind, bool conservative,
		  bool weighted)
{
	pds_cms_build *b = state_for(fcinfo, conservative, weighted);

	if (!isnull && !WEIGHT_IS_NULL)
		b = pds_cms_add_weight(b, hash, kind, WEIGHT);
	PG_RETURN_POINTER(b);
}

static pg_attribute_always_inline Datum
step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind, bool conservative,
	 bool weighted)
{
	pds_cms_build *b = (pds_cms_build *) PG_GETARG_POINTER(0);

	if (likely(!isnull && !WEIGHT_IS_NULL && !PG_ARGISNULL(0) && pds_parameters_known(fcinfo) &&
			   pds_in_aggregate(fcinfo) &&
			   pds_is_state_of(b, PDS_TYPE_CMS, PDS_FAMILY_NATIVE, kind) &&
			   pds_cms_add(b, hash, WEIGHT) == PDS_OK))
		PG_RETURN_POINTER(b);
	return slow_step(fcinfo, isnull, hash, kind, conservative, weighted);
}

/*
 * The inverse transition: a row leaves the window.  If that is impossible, the NULL makes the
 * server aggregate the window's rows again, and that reports the reason.
 */
static pg_attribute_always_inline Datum
inverse_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind, bool weighted)
{
	pds_cms_build *b = state_for(fcinfo, false, weighted);
	pds_status	status;
	int64		weight;

	if (isnull || WEIGHT_IS_NULL)
		PG_RETURN_POINTER(b);
	weight = WEIGHT;
	if (weight == PG_INT64_MIN)
		PG_RETURN_NULL();
	pds_state_take_kind(&pds_cms_type, b, kind);
	while ((status = pds_cms_add(b, hash, -weight)) == PDS_FULL)
		b = pds_state_grow(&pds_cms_type, b);
	if (status != PDS_OK)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(b);
}

/* conservative?  weighted? */
PDS_AGGREGATE_ENTRY(probds_cms_agg, step, false, false);
PDS_AGGREGATE_ENTRY(probds_cms_weighted_agg, step, false, true);
PDS_AGGREGATE_ENTRY(probds_cms_conservative_agg, step, true, false);
PDS_AGGREGATE_ENTRY(probds_cms_conservative_weighted_agg, step, true, true);
/* weighted? */
PDS_AGGREGATE_ENTRY(probds_cms_inverse_agg, inverse_step, false);
PDS_AGGREGATE_ENTRY(probds_cms_inverse_weighted_agg, inverse_step, true);
PDS_LIVE_FINAL_FUNCTION(cms, pds_cms_can_ask(state));
