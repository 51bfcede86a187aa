/*
 * hll_agg.c: the aggregates of hll
 *
 * Macros define: probds_hll_final.
 */
#include "postgres.h"

#include "compat.h"
#include "hll_type.h"
#include "aggregate.h"
#include "result_row.h"

/* Adds a hash if that is the usual case: a state that fits. */
static pg_attribute_always_inline bool
usual_step(FunctionCallInfo fcinfo, bool isnull, uint64 h1, pds_kind kind)
{
	pds_hll_build *b = (pds_hll_build *) PG_GETARG_POINTER(0);

	return likely(!isnull && !PG_ARGISNULL(0) && pds_parameters_known(fcinfo) &&
				  pds_in_aggregate(fcinfo) &&
				  pds_is_state_of(b, PDS_TYPE_HLL, PDS_FAMILY_NATIVE, kind) &&
				  pds_hll_add(b, h1) == PDS_OK);
}

static pg_attribute_always_inline Datum
hll_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	if (usual_step(fcinfo, isnull, hash.h1, kind))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	return pds_aggregate_step(fcinfo, PDS_FIRST_PARAMETER, isnull, hash, kind, &pds_hll_type);
}

PDS_AGGREGATE_ENTRY(probds_hll_agg, hll_step);

/* hll_agg_hash: argument 1 is a hash that was made elsewhere */
PDS_FUNCTION(probds_hll_agg_hash)
{
	pds_hash	hash = {PG_ARGISNULL(1) ? 0 : (uint64) PG_GETARG_INT64(1), 0};

	return hll_step(fcinfo, PG_ARGISNULL(1), hash, PDS_KIND_HASH);
}

/* The state of a group whose row is not the usual case, and which has no precision behind it. */
static void *
state_of_default(FunctionCallInfo fcinfo)
{
	double		values[PDS_MAX_PARAMETERS] = {pds_hll_log2m};

	pds_require_aggregate(fcinfo);
	pds_require_constant(fcinfo, PDS_FIRST_PARAMETER, &pds_hll_type);
	return PG_ARGISNULL(0) ? pds_aggregate_state_of(fcinfo, &pds_hll_type, values) :
		pds_state_arg(fcinfo, &pds_hll_type);
}

/* The same with a precision, and parameters behind it that only the first row is looked at for. */
static void *
state_of_form(FunctionCallInfo fcinfo)
{
	LOCAL_FCINFO(call, 3);

	if (PG_ARGISNULL(0))
		pds_hll_require_form_args(fcinfo, 3);
	InitFunctionCallInfoData(*call, fcinfo->flinfo, 3, fcinfo->fncollation, fcinfo->context,
							 fcinfo->resultinfo);
	memcpy(call->args, fcinfo->args, 3 * sizeof(NullableDatum));
	return pds_aggregate_state(call, PDS_FIRST_PARAMETER, &pds_hll_type);
}

/*
 * hll_add_agg of probds_hll: argument 1 is an hll_hashval, and behind it may be the parameters of
 * postgresql-hll
 */
PDS_FUNCTION(probds_hll_add_agg)
{
	pds_hash	hash = {PG_ARGISNULL(1) ? 0 : (uint64) PG_GETARG_INT64(1), 0};
	void	   *state;

	if (usual_step(fcinfo, PG_ARGISNULL(1), hash.h1, PDS_KIND_HASH))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	state = PG_NARGS() < 3 ? state_of_default(fcinfo) : state_of_form(fcinfo);
	if (!PG_ARGISNULL(1))
		state = pds_state_add(&pds_hll_type, state, hash, PDS_KIND_HASH);
	PG_RETURN_POINTER(state);
}

PDS_FINAL_FUNCTION(hll);

/* Final function of approx_count_distinct: no rows are 0 values. */
PDS_FUNCTION(probds_hll_final_count)
{
	struct varlena *state;
	pds_hll_summary s;

	pds_require_aggregate(fcinfo);
	if (PG_ARGISNULL(0))
		PG_RETURN_INT64(0);
	state = (struct varlena *) PG_GETARG_POINTER(0);
	if (pds_is_writable_state(state))
		pds_hll_summarize_build((pds_hll_build *) state, &s);
	else
		pds_hll_summary_arg(fcinfo, 0, &s);
	return pds_count_datum(pds_hll_cardinality(&s));
}
