/*
 * aggregate.c: the aggregates of all sketch types: merge, final
 *
 * The state is a value of the type in its building form (state.h).  A state
 * that grows is returned as a new value, which the executor copies to where
 * states live, freeing the old one; all other changes happen in place.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "utils/syscache.h"

#include "aggregate.h"
#include "argument.h"
#include "expanded.h"
#include "toast_reader.h"

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
	struct varlena *state = (struct varlena *) PG_GETARG_POINTER(0);

	/* what was compressed or out of line is a value that passed through merge_in_place() */
	if (pds_is_writable_state(state))
		return state;
	return pds_state_from(type, PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(0)));
}

/* 22023: a group's rows are of different parameters. */
pg_noreturn static void
parameters_changed(const PdsSketchType *type, struct varlena *state, const double *values)
{
	PdsView		was;
	PdsView		now;

	pds_sketch_open(type, pds_sketch_get(type, PointerGetDatum(state)), &was);
	pds_sketch_open(type, pds_state_store(type, type->new_state(values)), &now);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s %s must be the same for all rows of a group", type->name,
					pds_parameter_names(type->parameters, type->modifiers)),
			 errdetail("It was %s and is now %s.", pds_describe_beside(type, &was, &now),
					   pds_describe_beside(type, &now, &was))));
}

void
pds_require_constant(FunctionCallInfo fcinfo, int argno, const PdsSketchType *type)
{
	PdsCallSite *site = pds_call_site(fcinfo);
	PdsVariation worst = PDS_CONSTANT;

	if (site->parameters != PDS_NOT_LOOKED_AT)
		return;
	for (int i = argno; i < PG_NARGS(); i++)
	{
		PdsVariation variation = pds_argument_variation(fcinfo, i);

		if (variation == PDS_VARIES)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("%s %s must be the same for the whole query", type->name,
							type->parameters[i - argno].name),
					 errdetail("Argument %d of the aggregate is computed from columns.", i),
					 type->weighted ?
					 errhint("Write ROW(a, b) for pairs of values. For weights there is the "
							 "aggregate whose name ends in \"_weighted\".") :
					 errhint("Write ROW(a, b) for pairs of values. The value comes before the %s.",
							 type->parameters[i - argno].name)));
		worst = Max(worst, variation);
	}
	site->parameters = worst;
}

void *
pds_aggregate_known_state(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	if (PG_ARGISNULL(0) || !pds_parameters_known(fcinfo))
		return NULL;
	pds_require_aggregate(fcinfo);
	return pds_state_arg(fcinfo, type);
}

void
pds_aggregate_arguments(FunctionCallInfo fcinfo, int argno, const PdsSketchType *type,
						double *values)
{
	pds_require_aggregate(fcinfo);
	pds_require_constant(fcinfo, argno, type);
	for (int i = argno; i < PG_NARGS(); i++)
		if (PG_ARGISNULL(i))
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("%s %s must not be null", type->name,
							pds_parameter_names(type->parameters, PG_NARGS() - argno))));
	pds_parameter_args(fcinfo, argno, type->name, type->parameters, values);
}

void *
pds_aggregate_state_of(FunctionCallInfo fcinfo, const PdsSketchType *type, const double *values)
{
	void	   *state;

	if (PG_ARGISNULL(0))
		return pds_expected_state(fcinfo, type, type->new_state(values));
	state = pds_state_arg(fcinfo, type);
	if (!type->begun_with(state, values))
		parameters_changed(type, state, values);
	return state;
}

void *
pds_aggregate_state(FunctionCallInfo fcinfo, int argno, const PdsSketchType *type)
{
	void	   *state = pds_aggregate_known_state(fcinfo, type);
	double		values[PDS_MAX_PARAMETERS];

	if (state != NULL)
		return state;
	pds_aggregate_arguments(fcinfo, argno, type, values);
	return pds_aggregate_state_of(fcinfo, type, values);
}

Datum
pds_aggregate_step(FunctionCallInfo fcinfo, int argno, bool isnull, pds_hash hash, pds_kind kind,
				   const PdsSketchType *type)
{
	void	   *state = pds_aggregate_state(fcinfo, argno, type);

	if (!isnull)
		state = pds_state_add(type, state, hash, kind);
	PG_RETURN_POINTER(state);
}

Datum
pds_aggregate_final_live(FunctionCallInfo fcinfo, const PdsSketchType *type,
						 bool (*can_ask) (void *state))
{
	struct varlena *state;

	pds_require_aggregate(fcinfo);
	if (!PG_ARGISNULL(0) && IsA(fcinfo->context, WindowAggState))
	{
		state = (struct varlena *) PG_GETARG_POINTER(0);
		if (pds_is_writable_state(state) && can_ask(state))
			PG_RETURN_POINTER(pds_live_result(fcinfo, type, state));
	}
	return pds_aggregate_final(fcinfo, type);
}

/* Values up to this size are prefetched; of larger ones the CPU itself sees that they are read. */
#define PREFETCHED_BYTES	1024

#define CACHE_LINE	64

/* What stands between the values of two rows if nobody knows better, and the longest row. */
#define ROW_BYTES		32
#define MOST_ROW_BYTES	4096

/*
 * Of many small values in a table, each is in lines of memory that are not cached, and is read
 * byte by byte.  All lines are fetched at once where the next row probably has its value: rows
 * stand in a page from its end to its front.  They are often equally long.
 *
 * (Inline, because gcc 12 drops a function that does nothing else.)
 */
static pg_attribute_always_inline void
prefetch_next(const struct varlena *value)
{
	static uintptr_t last;		/* of another row, or of any other table: no more than a guess */

	uintptr_t	start = (uintptr_t) value;
	Size		len = VARSIZE_ANY(value);
	uintptr_t	back = last - start;

	last = start;
	if (len > PREFETCHED_BYTES)
		return;
	if (back > MOST_ROW_BYTES)
		back = len + ROW_BYTES;
	for (Size at = 0; at < len + CACHE_LINE; at += CACHE_LINE)
		__builtin_prefetch((const void *) (start - back + at));
}

/*
 * Is this a value that a table has, and not a state?  A value that is out of line is not read for
 * that: pds_state_arg() takes no such value for a state.
 */
static bool
is_stored_value(const struct varlena *value)
{
	return VARATT_IS_EXTERNAL_ONDISK(value) || VARATT_IS_COMPRESSED(value) ||
		!pds_is_building(value);
}

/* Is this the step or the combine function of an aggregate without a final function? */
static bool
is_unfinished(Oid aggregate, Oid function)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggregate));
	Form_pg_aggregate agg;
	bool		result;

	if (!HeapTupleIsValid(tuple))
		return false;			/* a true window function */
	agg = (Form_pg_aggregate) GETSTRUCT(tuple);
	result = (!OidIsValid(agg->aggfinalfn) &&
			  (agg->aggtransfn == function || agg->aggcombinefn == function)) ||
		(!OidIsValid(agg->aggmfinalfn) && agg->aggmtransfn == function);
	ReleaseSysCache(tuple);
	return result;
}

/*
 * Is this the step or the combine function of an aggregate that takes our states?  It has a final
 * function.  Without one its state is its result, which is to be a stored sketch.  Aggregates of a
 * node may share a state, so all of them are looked at.
 */
static bool
keeps_state(FunctionCallInfo fcinfo)
{
	Oid			function = fcinfo->flinfo->fn_oid;
	PdsCallSite *site;
	ListCell   *lc;

	if (!pds_in_aggregate(fcinfo))
		return false;
	/* the state is ours already */
	if (!PG_ARGISNULL(0) && pds_is_writable_state((struct varlena *) PG_GETARG_POINTER(0)))
		return true;
	site = pds_call_site(fcinfo);
	if (site->keeps_state)
		return true;
	if (IsA(fcinfo->context, AggState))
	{
		foreach(lc, ((AggState *) fcinfo->context)->aggs)
			if (is_unfinished(((Aggref *) lfirst(lc))->aggfnoid, function))
				return false;
	}
	else
	{
		foreach(lc, ((WindowAggState *) fcinfo->context)->funcs)
			if (is_unfinished(((WindowFuncExprState *) lfirst(lc))->wfunc->winfnoid, function))
				return false;
	}
	return site->keeps_state = true;
}

/* The union of a state, which may be NULL, and a value, in place if it can be. */
static Datum
merge_in_place(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	bool		borrowed;
	void	   *state = PG_ARGISNULL(0) ? pds_state_nothing(type) : pds_state_arg(fcinfo, type);
	struct varlena *value = pds_toast_reader_arg(fcinfo, 1, &borrowed);

	prefetch_next(value);
	state = pds_state_merge(type, state, value);
	if (!borrowed)
		PG_FREE_IF_COPY(value, 1);
	PG_RETURN_POINTER(state);
}

/*
 * X_merge(X, X), which is the step of X_merge_agg and the combine function of all aggregates.  NULL
 * is nothing, so the other one is the union.  A group's first value passes through as it is: most
 * groups of a rollup have no second one.  The union of NULLs only is NULL.  An empty sketch would
 * need parameters, and for a part of the rows without a sketch (a shard, say) these would conflict
 * with the true ones.
 */
Datum
pds_sketch_merge(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	PdsTarget	target;

	if (PG_ARGISNULL(1))
		return pds_change_nothing(fcinfo, type);
	if (PG_ARGISNULL(0) && is_stored_value((struct varlena *) PG_GETARG_POINTER(1)))
		PG_RETURN_DATUM(PG_GETARG_DATUM(1));
	if (keeps_state(fcinfo))
		return merge_in_place(fcinfo, type);
	if (PG_ARGISNULL(0))
		PG_RETURN_POINTER(pds_sketch_get(type, PG_GETARG_DATUM(1)));
	/* a mismatch is found before the first change, but growing can fail in the middle */
	target = pds_change_begin(fcinfo, type, false);
	return pds_change_end(&target, type,
						  pds_state_merge(type, target.state,
										  pds_sketch_get(type, PG_GETARG_DATUM(1))));
}

Datum
pds_aggregate_final(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	struct varlena *state;

	pds_require_aggregate(fcinfo);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	state = (struct varlena *) PG_GETARG_POINTER(0);
	/* the state is ours: no need for the copy that pds_sketch_get() makes of it */
	if (pds_is_writable_state(state))
		PG_RETURN_POINTER(pds_state_store(type, state));
	if (is_stored_value(state))
		PG_RETURN_POINTER(state);
	PG_RETURN_POINTER(pds_sketch_get(type, PointerGetDatum(state)));
}
