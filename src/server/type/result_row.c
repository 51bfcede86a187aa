/*
 * result_row.c: numbers as the results of SQL functions
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "result_row.h"

Datum
pds_count_datum(double n)
{
	if (!(n < 9.2e18))
		return Int64GetDatum(PG_INT64_MAX);
	return Int64GetDatum((int64) rint(n));
}

double
pds_for_people(double n)
{
	char		digits[32];

	snprintf(digits, sizeof(digits), "%.6g", n);
	return strtod(digits, NULL);
}

/*
 * A row (lower, estimate, upper).  All functions that return such a row declare it by the same
 * OUT arguments, so its row type is looked up once a session.  A lookup at each call would cost
 * more than most answers do.
 */
static Datum
bounds_row(Datum lower, Datum estimate, Datum upper)
{
	static TupleDesc desc = NULL;
	Datum		values[3] = {lower, estimate, upper};
	bool		nulls[3] = {false, false, false};

	if (desc == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(TopMemoryContext);
		TupleDesc	made = CreateTemplateTupleDesc(3);

		TupleDescInitEntry(made, 1, "lower", INT8OID, -1, 0);
		TupleDescInitEntry(made, 2, "estimate", INT8OID, -1, 0);
		TupleDescInitEntry(made, 3, "upper", INT8OID, -1, 0);
		desc = BlessTupleDesc(made);
		MemoryContextSwitchTo(old);
	}
	return HeapTupleGetDatum(heap_form_tuple(desc, values, nulls));
}

/*
 * All three rounded to the nearest: numbers of values are whole, and where a
 * sketch is all but exact an interval rounded outwards would say that it is not.
 */
Datum
pds_bounds_row(double lower, double estimate, double upper)
{
	return bounds_row(pds_count_datum(lower), pds_count_datum(estimate), pds_count_datum(upper));
}

Datum
pds_bounds_row_exact(int64 lower, int64 estimate, int64 upper)
{
	return bounds_row(Int64GetDatum(lower), Int64GetDatum(estimate), Int64GetDatum(upper));
}

double
pds_confidence_arg(FunctionCallInfo fcinfo, int argno)
{
	double		confidence = PG_GETARG_FLOAT8(argno);

	if (!(confidence > 0 && confidence < 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("confidence must be between 0 and 1, not %g", confidence),
				 errhint("Write 0.95 for 95 %%.")));
	return confidence;
}

/* No function has more OUT arguments. */
#define MAX_COLUMNS	32

Datum
pds_info_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls)
{
	static bool none[MAX_COLUMNS];
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	Assert(desc->natts <= MAX_COLUMNS);
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values,
											 nulls != NULL ? nulls : none));
}

Tuplestorestate *
pds_begin_rows(FunctionCallInfo fcinfo)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext old;
	TupleDesc	desc;

	if (result == NULL || !IsA(result, ReturnSetInfo) ||
		(result->allowedModes & SFRM_Materialize) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("set-valued function called in context that cannot accept a set")));
	/* it leaves scraps behind, which a call for each row of a query must not collect */
	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	old = MemoryContextSwitchTo(result->econtext->ecxt_per_query_memory);
	result->returnMode = SFRM_Materialize;
	result->setResult = tuplestore_begin_heap((result->allowedModes & SFRM_Materialize_Random) != 0,
											  false, work_mem);
	result->setDesc = BlessTupleDesc(CreateTupleDescCopy(desc));
	MemoryContextSwitchTo(old);
	return result->setResult;
}
