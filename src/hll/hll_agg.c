/*
 * hll_agg.c: the aggregates of hll
 *
 * The state is an hll in its building form.  A state that grows is returned as
 * a new value, which the executor copies to where states live, freeing the old
 * one; all other changes happen in place.
 */
#include "postgres.h"

#include "hll/hll_type.h"
#include "pg/aggregate.h"

/* The precision argument of hll_agg(value, precision), or the default. */
static int
precision_arg(FunctionCallInfo fcinfo)
{
	if (PG_NARGS() < 3)
		return PDS_HLL_DEFAULT_PRECISION;
	if (PG_ARGISNULL(2))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("hll precision must not be null")));
	hll_require_precision(PG_GETARG_INT32(2));
	return PG_GETARG_INT32(2);
}

/*
 * The state (not NULL), to be changed in place.  One that came here by way of
 * send and receive is a stored one.
 */
static pds_hll_build *
state_arg(FunctionCallInfo fcinfo)
{
	struct varlena *state = PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(0));

	return pds_is_writable_state(state) ? (pds_hll_build *) state : hll_load(state);
}

/* All that a step may have to do but for the usual case: a row, a state that fits. */
static pg_noinline Datum
unusual_step(FunctionCallInfo fcinfo, bool isnull, uint64 hash, pds_kind kind)
{
	pds_hll_build *b;

	pds_require_aggregate(fcinfo);
	if (PG_ARGISNULL(0))
		b = hll_new(PDS_HLL_FIRST_SIZE, precision_arg(fcinfo));
	else
	{
		b = state_arg(fcinfo);
		if (PG_NARGS() >= 3 && precision_arg(fcinfo) != b->precision)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("hll precision must be the same for all rows of a group"),
					 errdetail("It was %d and is now %d.", b->precision, precision_arg(fcinfo))));
	}
	if (!isnull)
		b = hll_add_hash(b, hash, kind);
	PG_RETURN_POINTER(b);
}

static pg_attribute_always_inline Datum
hll_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	pds_hll_build *b = (pds_hll_build *) PG_GETARG_POINTER(0);

	if (likely(!isnull && !PG_ARGISNULL(0) &&
			   pds_is_state_of(b, PDS_TYPE_HLL, kind) &&
			   (PG_NARGS() < 3 ||
				(!PG_ARGISNULL(2) && PG_GETARG_INT32(2) == b->precision)) &&
			   pds_in_aggregate(fcinfo) &&
			   pds_hll_add(b, hash.h1) == PDS_OK))
		PG_RETURN_POINTER(b);
	return unusual_step(fcinfo, isnull, hash.h1, kind);
}

PDS_AGGREGATE_ENTRIES(hll, hll_step);

/* The union of a state and a value, in place if it can be. */
static Datum
merge_step(FunctionCallInfo fcinfo)
{
	pds_hll_build *b;

	if (PG_ARGISNULL(0))
	{
		b = hll_new(PDS_HLL_FIRST_SIZE, PDS_HLL_DEFAULT_PRECISION);
		b->undecided = 1;
	}
	else
		b = state_arg(fcinfo);
	if (!PG_ARGISNULL(1))
	{
		struct varlena *value = PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(1));

		b = hll_merge(b, value);
		PG_FREE_IF_COPY(value, 1);
	}
	PG_RETURN_POINTER(b);
}

/*
 * Transition function of hll_merge_agg.  NULLs are skipped, but a group of
 * them is an empty sketch rather than NULL.
 */
PG_FUNCTION_INFO_V1(probds_hll_merge_step);
Datum
probds_hll_merge_step(PG_FUNCTION_ARGS)
{
	pds_require_aggregate(fcinfo);
	return merge_step(fcinfo);
}

/* Combine function of all: two groups without a row are one without. */
PG_FUNCTION_INFO_V1(probds_hll_combine);
Datum
probds_hll_combine(PG_FUNCTION_ARGS)
{
	pds_require_aggregate(fcinfo);
	if (PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}
	return merge_step(fcinfo);
}

/* Final function of hll_agg and hll_merge_agg. */
PG_FUNCTION_INFO_V1(probds_hll_final);
Datum
probds_hll_final(PG_FUNCTION_ARGS)
{
	struct varlena *state;

	pds_require_aggregate(fcinfo);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	state = PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(0));
	/* the state is ours: no need for the copy that pds_sketch_get() makes of it */
	if (pds_is_writable_state(state))
		PG_RETURN_POINTER(hll_store((pds_hll_build *) state));
	PG_RETURN_POINTER(pds_sketch_get(&pds_hll_type, PointerGetDatum(state)));
}

/* Final function of approx_count_distinct: no rows are 0 values. */
PG_FUNCTION_INFO_V1(probds_hll_final_count);
Datum
probds_hll_final_count(PG_FUNCTION_ARGS)
{
	struct varlena *state;
	pds_hll_summary s;

	pds_require_aggregate(fcinfo);
	if (PG_ARGISNULL(0))
		PG_RETURN_INT64(0);
	state = PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(0));
	if (pds_is_writable_state(state))
		pds_hll_summarize_build((pds_hll_build *) state, &s);
	else
		hll_summary_arg(fcinfo, 0, &s);
	return pds_count_datum(pds_hll_cardinality(&s));
}
