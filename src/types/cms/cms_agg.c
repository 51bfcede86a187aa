/*
 * cms_agg.c: the aggregates of cms
 *
 * The state is a cms in its building form (server/aggregate.h).
 */
#include "postgres.h"

#include "cms_type.h"
#include "aggregate.h"
#include "compat.h"
#include "live.h"
#include "state.h"
#include "value.h"

/*
 * The arguments behind the value are [weight] [epsilon, delta], told apart by their number.
 */
#define WEIGHTED		(PG_NARGS() == 3 || PG_NARGS() == 5)
#define WEIGHT_ARG		2
#define WEIGHT_IS_NULL	(WEIGHTED && PG_ARGISNULL(WEIGHT_ARG))
#define WEIGHT			(WEIGHTED ? PG_GETARG_INT64(WEIGHT_ARG) : 1)
#define EPSILON_ARG		(WEIGHTED ? 3 : 2)

/* Is this state one that was begun with the arguments of this row? */
static inline bool
begun_with_args(FunctionCallInfo fcinfo, const pds_cms_build *b, bool conservative)
{
	int			at = EPSILON_ARG;

	if (b->shape.conservative != conservative)
		return false;
	if (PG_NARGS() < at + 2)
		return b->asked_epsilon == PDS_CMS_DEFAULT_EPSILON &&
			b->asked_delta == PDS_CMS_DEFAULT_DELTA;
	return !PG_ARGISNULL(at) && !PG_ARGISNULL(at + 1) &&
		b->asked_epsilon == PG_GETARG_FLOAT8(at) && b->asked_delta == PG_GETARG_FLOAT8(at + 1);
}

/* Returns the group's state, creating it for the first row. */
static pds_cms_build *
state_for(FunctionCallInfo fcinfo, bool conservative)
{
	double		values[PDS_MAX_PARAMETERS];
	pds_cms_build *b;
	pds_cms_build begun;

	pds_aggregate_arguments(fcinfo, EPSILON_ARG, &pds_cms_type, values);
	values[2] = conservative;
	b = pds_aggregate_state_of(fcinfo, &pds_cms_type, values);
	/* over a window it is queried for every row */
	if (PG_ARGISNULL(0) && IsA(fcinfo->context, WindowAggState))
	{
		begun = *b;
		pds_cms_build_init_to_ask(b, &begun.shape);
		b->asked_epsilon = begun.asked_epsilon;
		b->asked_delta = begun.asked_delta;
	}
	return b;
}

/* Everything that a step may have to do beyond the usual case: a row, a state that fits. */
static pg_noinline Datum
slow_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind, bool conservative)
{
	pds_cms_build *b = state_for(fcinfo, conservative);

	if (!isnull && !WEIGHT_IS_NULL)
		b = pds_cms_add_weight(b, hash, kind, WEIGHT);
	PG_RETURN_POINTER(b);
}

static pg_attribute_always_inline Datum
any_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind, bool conservative)
{
	pds_cms_build *b = (pds_cms_build *) PG_GETARG_POINTER(0);

	if (likely(!isnull && !WEIGHT_IS_NULL && !PG_ARGISNULL(0) &&
			   pds_is_state_of(b, PDS_TYPE_CMS, PDS_FAMILY_NATIVE, kind) &&
			   begun_with_args(fcinfo, b, conservative) &&
			   pds_in_aggregate(fcinfo) &&
			   pds_cms_add(b, hash, WEIGHT) == PDS_OK))
		PG_RETURN_POINTER(b);
	return slow_step(fcinfo, isnull, hash, kind, conservative);
}

static pg_attribute_always_inline Datum
cms_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	return any_step(fcinfo, isnull, hash, kind, false);
}

static pg_attribute_always_inline Datum
cms_conservative_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	return any_step(fcinfo, isnull, hash, kind, true);
}

/*
 * The inverse transition: a row leaves the window.  If that is impossible, the NULL makes the
 * server aggregate the window's rows again, and that reports the reason.
 */
static pg_attribute_always_inline Datum
cms_inverse_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	pds_cms_build *b = state_for(fcinfo, false);
	pds_status	status;

	if (isnull || WEIGHT_IS_NULL)
		PG_RETURN_POINTER(b);
	if (WEIGHT == PG_INT64_MIN)
		PG_RETURN_NULL();
	pds_state_take_kind(&pds_cms_type, b, kind);
	while ((status = pds_cms_add(b, hash, -WEIGHT)) == PDS_FULL)
		b = pds_state_grow(&pds_cms_type, b);
	if (status != PDS_OK)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(b);
}

PDS_AGGREGATE_ENTRY(probds_cms_agg, cms_step);
PDS_AGGREGATE_ENTRY(probds_cms_conservative_agg, cms_conservative_step);
PDS_AGGREGATE_ENTRY(probds_cms_inverse_agg, cms_inverse_step);
PDS_LIVE_AGGREGATE_FUNCTIONS(cms, pds_cms_can_ask(state));
