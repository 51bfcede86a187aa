/*
 * halves.c: aggregates in two halves, called the way Citus calls them
 *
 * worker_half(agg, value) or worker_half(agg, ROW(value, parameter, ...)) runs the
 * transition function of an aggregate over rows and gives the state by the type's
 * output function.  coordinator_half(agg, text, NULL::result) reads it by the input
 * function, runs the combine function, and at the end the final function.
 *
 * This works as in Citus 13.2 (src/backend/distributed/utils/aggregate_utils.c). The types of
 * the arguments must be those that the aggregate is declared with. The functions are looked up
 * at every row (so fn_extra is empty) and have no expression tree (fn_expr is NULL). They see
 * the outer aggregate's context and its collation, which a ROW() does not have. The state is
 * copied between rows as a value of its declared type, unless it is the same pointer.
 *
 * Built and used by test/t/031_machines.pl; test/citus/run has Citus itself.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_proc.h"
#include "fmgr.h"
#include "nodes/execnodes.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/expandeddatum.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"
#include "utils/syscache.h"
#include "utils/typcache.h"
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(worker_half_step);
PG_FUNCTION_INFO_V1(worker_half_final);
PG_FUNCTION_INFO_V1(coordinator_half_step);
PG_FUNCTION_INFO_V1(coordinator_half_final);

typedef struct
{
	Oid			agg;
	Oid			type;
	Datum		value;
	bool		isnull;
	int16		len;
	bool		byval;
} Box;

static FormData_pg_aggregate
aggregate_form(Oid agg)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(agg));
	FormData_pg_aggregate form;
	bool		isnull;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "%u is not an aggregate", agg);
	form = *(Form_pg_aggregate) GETSTRUCT(tuple);
	(void) SysCacheGetAttr(AGGFNOID, tuple, Anum_pg_aggregate_agginitval, &isnull);
	if (!isnull)
		elog(ERROR, "an initial value is not foreseen here");
	ReleaseSysCache(tuple);
	return form;
}

static MemoryContext
aggregate_context(FunctionCallInfo fcinfo)
{
	MemoryContext context;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "not called as an aggregate");
	return context;
}

static Box *
box_of(FunctionCallInfo fcinfo, Oid agg)
{
	Box		   *box;

	if (!PG_ARGISNULL(0))
		return (Box *) PG_GETARG_POINTER(0);
	box = MemoryContextAllocZero(aggregate_context(fcinfo), sizeof(Box));
	box->agg = agg;
	box->type = aggregate_form(agg).aggtranstype;
	box->isnull = true;
	get_typlenbyval(box->type, &box->len, &box->byval);
	return box;
}

/* call a function on the state and nargs others, and keep the result */
static void
advance(Box *box, FunctionCallInfo fcinfo, Oid function, NullableDatum *args, int nargs)
{
	LOCAL_FCINFO(inner, FUNC_MAX_ARGS);
	FmgrInfo	info;
	Datum		value;

	fmgr_info(function, &info);
	InitFunctionCallInfoData(*inner, &info, nargs + 1, fcinfo->fncollation, fcinfo->context,
							 fcinfo->resultinfo);
	inner->args[0].value = box->value;
	inner->args[0].isnull = box->isnull;
	memcpy(&inner->args[1], args, nargs * sizeof(NullableDatum));
	if (info.fn_strict)
	{
		for (int i = 0; i < nargs; i++)
			if (args[i].isnull)
				return;
		if (box->isnull)
		{
			MemoryContext old = MemoryContextSwitchTo(aggregate_context(fcinfo));

			box->value = datumCopy(args[0].value, box->byval, box->len);
			box->isnull = false;
			MemoryContextSwitchTo(old);
			return;
		}
	}

	value = FunctionCallInvoke(inner);
	if (!box->byval && DatumGetPointer(value) != DatumGetPointer(box->value))
	{
		if (!inner->isnull)
		{
			MemoryContext old = MemoryContextSwitchTo(aggregate_context(fcinfo));

			value = datumCopy(value, box->byval, box->len);
			MemoryContextSwitchTo(old);
		}
		if (!box->isnull)
		{
			if (DatumIsReadWriteExpandedObject(box->value, false, box->len))
				DeleteExpandedObject(box->value);
			else
				pfree(DatumGetPointer(box->value));
		}
	}
	box->value = value;
	box->isnull = inner->isnull;
}

/* The types that an aggregate is declared with must be these. */
static void
require_declared(Oid agg, const Oid *types, int n)
{
	Oid		   *declared;
	int			ndeclared;

	(void) get_func_signature(agg, &declared, &ndeclared);
	if (ndeclared != n || memcmp(declared, types, n * sizeof(Oid)) != 0)
		elog(ERROR, "could not confirm type correctness of %s", format_procedure(agg));
}

/* (internal, oid, anyelement) */
Datum
worker_half_step(PG_FUNCTION_ARGS)
{
	Box		   *box = box_of(fcinfo, PG_GETARG_OID(1));
	Oid			type = get_fn_expr_argtype(fcinfo->flinfo, 2);
	NullableDatum args[FUNC_MAX_ARGS];
	int			n = 1;

	if (type != RECORDOID)
	{
		require_declared(box->agg, &type, 1);
		args[0] = fcinfo->args[2];
	}
	else
	{
		HeapTupleHeader row = PG_GETARG_HEAPTUPLEHEADER(2);
		TupleDesc	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(row),
												  HeapTupleHeaderGetTypMod(row));
		HeapTupleData tuple = {0};
		Datum		values[FUNC_MAX_ARGS];
		bool		nulls[FUNC_MAX_ARGS];
		Oid			types[FUNC_MAX_ARGS];

		n = desc->natts;
		tuple.t_len = HeapTupleHeaderGetDatumLength(row);
		tuple.t_data = row;
		heap_deform_tuple(&tuple, desc, values, nulls);
		for (int i = 0; i < n; i++)
		{
			types[i] = TupleDescAttr(desc, i)->atttypid;
			args[i].value = values[i];
			args[i].isnull = nulls[i];
		}
		ReleaseTupleDesc(desc);
		require_declared(box->agg, types, n);
	}
	advance(box, fcinfo, aggregate_form(box->agg).aggtransfn, args, n);
	PG_RETURN_POINTER(box);
}

Datum
worker_half_final(PG_FUNCTION_ARGS)
{
	Box		   *box = PG_ARGISNULL(0) ? NULL : (Box *) PG_GETARG_POINTER(0);
	Oid			output;
	bool		varlena;

	if (box == NULL || box->isnull)
		PG_RETURN_NULL();
	getTypeOutputInfo(box->type, &output, &varlena);
	PG_RETURN_CSTRING(OidOutputFunctionCall(output, box->value));
}

/* (internal, oid, cstring, anyelement) */
Datum
coordinator_half_step(PG_FUNCTION_ARGS)
{
	Box		   *box = box_of(fcinfo, PG_GETARG_OID(1));
	NullableDatum part = {0, true};

	if (!PG_ARGISNULL(2))
	{
		Oid			input;
		Oid			ioparam;

		getTypeInputInfo(box->type, &input, &ioparam);
		part.value = OidInputFunctionCall(input, PG_GETARG_CSTRING(2), ioparam, -1);
		part.isnull = false;
	}
	advance(box, fcinfo, aggregate_form(box->agg).aggcombinefn, &part, 1);
	PG_RETURN_POINTER(box);
}

Datum
coordinator_half_final(PG_FUNCTION_ARGS)
{
	Box		   *box = PG_ARGISNULL(0) ? NULL : (Box *) PG_GETARG_POINTER(0);
	LOCAL_FCINFO(inner, FUNC_MAX_ARGS);
	FormData_pg_aggregate form;
	FmgrInfo	info;
	Datum		value;

	if (box == NULL)
		PG_RETURN_NULL();
	form = aggregate_form(box->agg);
	if (!OidIsValid(form.aggfinalfn))
	{
		if (box->isnull)
			PG_RETURN_NULL();
		PG_RETURN_DATUM(box->value);
	}
	fmgr_info(form.aggfinalfn, &info);
	if (info.fn_strict && box->isnull)
		PG_RETURN_NULL();
	InitFunctionCallInfoData(*inner, &info, info.fn_nargs, fcinfo->fncollation, fcinfo->context,
							 fcinfo->resultinfo);
	for (int i = 0; i < info.fn_nargs; i++)
		inner->args[i] = (NullableDatum) {0, true};
	inner->args[0].value = box->value;
	inner->args[0].isnull = box->isnull;
	value = FunctionCallInvoke(inner);
	if (inner->isnull)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(value);
}
