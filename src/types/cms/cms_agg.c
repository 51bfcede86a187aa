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
 * The arguments behind the value: [weight] [epsilon, delta], told apart by
 * their number.
 */
typedef struct agg_args
{
	bool		isnull;			/* of the value, or of the weight */
	int64		weight;
	double		epsilon;
	double		delta;
} agg_args;

/* False if epsilon or delta is NULL. */
static inline bool
get_args(FunctionCallInfo fcinfo, bool isnull, agg_args *args)
{
	int			n = PG_NARGS();

	args->isnull = isnull;
	args->weight = 1;
	args->epsilon = CMS_DEFAULT_EPSILON;
	args->delta = CMS_DEFAULT_DELTA;
	if (n == 3 || n == 5)
	{
		if (likely(!PG_ARGISNULL(2)))
			args->weight = PG_GETARG_INT64(2);
		else
			args->isnull = true;
	}
	if (n >= 4)
	{
		if (PG_ARGISNULL(n - 2) || PG_ARGISNULL(n - 1))
			return false;
		args->epsilon = PG_GETARG_FLOAT8(n - 2);
		args->delta = PG_GETARG_FLOAT8(n - 1);
	}
	return true;
}

/* Is this state one that was begun with the arguments of this row? */
static inline bool
begun_with(const pds_cms_build *b, const agg_args *args, bool conservative)
{
	return b->asked_epsilon == args->epsilon && b->asked_delta == args->delta &&
		b->shape.conservative == conservative;
}

/* The state that a row is for: that of the rows before, or a new one. */
static pds_cms_build *
state_for(FunctionCallInfo fcinfo, const agg_args *args, bool conservative)
{
	pds_cms_build *b = NULL;
	pds_cms_shape shape;

	if (!PG_ARGISNULL(0))
	{
		b = pds_state_arg(fcinfo, &pds_cms_type);
		if (begun_with(b, args, conservative))
			return b;
	}
	cms_shape_for(args->epsilon, args->delta, conservative, &shape);
	/* over a window it is asked for every row */
	if (b == NULL)
		b = IsA(fcinfo->context, WindowAggState) ? cms_new_to_ask(&shape) : cms_new(&shape);
	/* one that came by send and receive does not say what was asked for */
	else if (b->asked_epsilon != 0 || !pds_cms_same_shape(&b->shape, &shape))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cms epsilon and delta must be the same for all rows of a group")));
	b->asked_epsilon = args->epsilon;
	b->asked_delta = args->delta;
	return b;
}

/* The arguments of a step that is more than the usual case; errors if it cannot be. */
static void
require_args(FunctionCallInfo fcinfo, bool isnull, agg_args *args)
{
	pds_require_aggregate(fcinfo);
	if (!get_args(fcinfo, isnull, args))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("cms epsilon and delta must not be null")));
}

/* All that a step may have to do but for the usual case: a row, a state that fits. */
static pg_noinline Datum
unusual_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind, bool conservative)
{
	pds_cms_build *b;
	agg_args	args;

	require_args(fcinfo, isnull, &args);
	b = state_for(fcinfo, &args, conservative);
	if (!args.isnull)
		b = cms_add_weight(b, hash, kind, args.weight);
	PG_RETURN_POINTER(b);
}

static pg_attribute_always_inline Datum
any_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind, bool conservative)
{
	pds_cms_build *b = (pds_cms_build *) PG_GETARG_POINTER(0);
	agg_args	args;

	if (likely(get_args(fcinfo, isnull, &args) && !args.isnull && !PG_ARGISNULL(0) &&
			   pds_is_state_of(b, PDS_TYPE_CMS, PDS_FAMILY_NATIVE, kind) &&
			   begun_with(b, &args, conservative) &&
			   pds_in_aggregate(fcinfo) &&
			   pds_cms_add(b, hash, args.weight) == PDS_OK))
		PG_RETURN_POINTER(b);
	return unusual_step(fcinfo, isnull, hash, kind, conservative);
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
 * The inverse transition: a row leaves the window.  If that cannot be, NULL has
 * the server aggregate the window's rows anew, which then says why.
 */
static pg_attribute_always_inline Datum
cms_inverse_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	pds_cms_build *b;
	pds_status	status;
	agg_args	args;

	require_args(fcinfo, isnull, &args);
	b = state_for(fcinfo, &args, false);
	if (args.isnull)
		PG_RETURN_POINTER(b);
	if (args.weight == PG_INT64_MIN)
		PG_RETURN_NULL();
	pds_state_take_kind(&pds_cms_type, b, kind);
	while ((status = pds_cms_add(b, hash, -args.weight)) == PDS_FULL)
		b = cms_grow(b);
	if (status != PDS_OK)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(b);
}

PDS_AGGREGATE_ENTRIES(cms, cms_step);
PDS_AGGREGATE_ENTRIES(cms_conservative, cms_conservative_step);
PDS_AGGREGATE_ENTRIES(cms_inverse, cms_inverse_step);
PDS_SKETCH_FUNCTION(probds_cms_merge_step,
					return pds_aggregate_merge_step(fcinfo, &pds_cms_type));
PDS_SKETCH_FUNCTION(probds_cms_combine, return pds_aggregate_combine(fcinfo, &pds_cms_type));

/* The final function of all: over a window the live state, if that can be asked. */
PG_FUNCTION_INFO_V1(probds_cms_final);
Datum
probds_cms_final(PG_FUNCTION_ARGS)
{
	pds_require_aggregate(fcinfo);
	if (!PG_ARGISNULL(0) && IsA(fcinfo->context, WindowAggState))
	{
		pds_cms_build *b = (pds_cms_build *) PG_GETARG_POINTER(0);

		if (pds_is_writable_state((struct varlena *) b))
		{
			pds_cms_flush(b);
			if (pds_cms_can_ask(b))
				PG_RETURN_POINTER(pds_live_result(fcinfo, &pds_cms_type, b));
		}
	}
	return pds_aggregate_final(fcinfo, &pds_cms_type);
}
