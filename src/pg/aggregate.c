/*
 * aggregate.c: the aggregates of all sketch types: merge step, combine, final
 *
 * The state is a value of the type in its building form (state.h).  A state
 * that grows is returned as a new value, which the executor copies to where
 * states live, freeing the old one; all other changes happen in place.
 */
#include "postgres.h"

#include "pg/aggregate.h"

void
pds_require_aggregate(FunctionCallInfo fcinfo)
{
	if (!AggCheckCallContext(fcinfo, NULL))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("function is for use in aggregates only"),
				 errhint("Call the aggregate that it belongs to.")));
}

void *
pds_state_arg(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	struct varlena *state = PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(0));

	return pds_is_writable_state(state) ? (void *) state : pds_state_from(type, state);
}

/*
 * The union of a state and a value, in place if it can be.  NULLs are skipped, and the
 * union of NULLs only is NULL: an empty sketch would have to have parameters, and those
 * of a part of the rows that has no sketch (a shard, say) would meet the true ones.
 */
static Datum
merge_step(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	struct varlena *value;
	void	   *state;

	pds_require_aggregate(fcinfo);
	if (PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}
	state = PG_ARGISNULL(0) ? type->nothing() : pds_state_arg(fcinfo, type);
	value = PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(1));
	state = pds_state_merge(type, state, value);
	PG_FREE_IF_COPY(value, 1);
	PG_RETURN_POINTER(state);
}

Datum
pds_aggregate_merge_step(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	return merge_step(fcinfo, type);
}

/* Two groups without a row are one without. */
Datum
pds_aggregate_combine(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	return merge_step(fcinfo, type);
}

Datum
pds_aggregate_final(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	struct varlena *state;

	pds_require_aggregate(fcinfo);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	state = PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(0));
	/* the state is ours: no need for the copy that pds_sketch_get() makes of it */
	if (pds_is_writable_state(state))
		PG_RETURN_POINTER(type->store(state));
	PG_RETURN_POINTER(pds_sketch_get(type, PointerGetDatum(state)));
}
