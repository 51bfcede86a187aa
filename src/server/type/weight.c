/*
 * weight.c: the weight of a value
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "weight.h"

static void
refuse_weight(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("weight must be of type bigint"),
			 errhint("Weights are whole numbers. For an amount with two decimal places write "
					 "(amount * 100)::bigint.")));
}

int64
pds_look_up_weight(FunctionCallInfo fcinfo, int argno)
{
	PdsCallSite *site = pds_call_site(fcinfo);

	site->weight_expr = fcinfo->flinfo->fn_expr;
	site->weight_type = getBaseType(pds_declared_type(fcinfo, argno));
	switch (site->weight_type)
	{
		case INT8OID:
		case INT4OID:
		case INT2OID:
			return pds_weight_arg(fcinfo, argno);
		case UNKNOWNOID:
			/* a literal */
			return DatumGetInt64(DirectFunctionCall1(int8in, PG_GETARG_DATUM(argno)));
		default:
			refuse_weight();
			return 0;
	}
}

/*
 * probds_refuse_weight(sketch, value, weight): X_add() with a weight that is no bigint.  It is
 * declared over domains, and reads none of its arguments.
 */
PG_FUNCTION_INFO_V1(probds_refuse_weight);
extern Datum probds_refuse_weight(PG_FUNCTION_ARGS);
Datum
probds_refuse_weight(PG_FUNCTION_ARGS)
{
	refuse_weight();
	PG_RETURN_NULL();
}
