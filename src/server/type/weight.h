/*
 * weight.h: the weight of a value
 *
 * It is a bigint.  The aggregates declare it with "any", and functions that add a value have a form
 * that takes any number.  So a weight that is no integer gets an error that says what to write,
 * where the server would say that there is no such function.
 */
#ifndef PDS_SERVER_TYPE_WEIGHT_H
#define PDS_SERVER_TYPE_WEIGHT_H

#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"

#include "call_argument.h"

/* A weight of a type that the call site does not know yet, or a rare one.  Errors: 42804. */
extern int64 pds_look_up_weight(FunctionCallInfo fcinfo, int argno);

/* Argument argno of an aggregate (not NULL) as a weight. */
static inline int64
pds_weight_arg(FunctionCallInfo fcinfo, int argno)
{
	const PdsCallSite *site = fcinfo->flinfo->fn_extra;

	if (likely(site != NULL && site->weight_expr == fcinfo->flinfo->fn_expr))
	{
		if (site->weight_type == INT8OID)
			return PG_GETARG_INT64(argno);
		if (site->weight_type == INT4OID)
			return PG_GETARG_INT32(argno);
		if (site->weight_type == INT2OID)
			return PG_GETARG_INT16(argno);
	}
	return pds_look_up_weight(fcinfo, argno);
}

#endif
