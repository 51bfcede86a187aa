/*
 * selectivity.c: what the planner is told of probes: how many rows pass
 *
 * If the filter is known when the query is planned, it is probed.  The most common values of
 * the column are looked up in it, and the bounds of the column's histogram, which are a sample
 * of the other values.  (The server's own generic_restriction_selectivity() would call the
 * operator without an expression tree, which tells a function declared with "any" the type.)
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "citext.h"
#include "compat.h"
#include "selectivity.h"
#include "type_hasher.h"

/* Of a filter of which nothing is known: what the server takes for "matches a pattern". */
#define UNKNOWN_SELECTIVITY		DEFAULT_MATCHING_SEL

/*
 * The share of the rows whose value is in the filter, by a call of this function over a column (or
 * expression) of which there may be statistics.
 */
static double
known_selectivity(const PdsSketchType *type, FuncExpr *call, VariableStatData *vardata,
				  Datum filter, bool varonleft)
{
	PdsView		view;
	PdsHealth	health;			/* how many values it holds, and its rate as it is filled */
	PdsHasher  *hasher;
	FmgrInfo	contains;
	double		nulls = 0;
	double		mcv_share;
	double		mcv_total;
	double		distinct;
	double		share;
	double		hits;
	bool		isdefault;
	int			n;

	pds_sketch_health(type, filter, &view, &health);
	if (health.kind == PDS_KIND_NONE)
		return 0;
	if (HeapTupleIsValid(vardata->statsTuple))
		nulls = ((Form_pg_statistic) GETSTRUCT(vardata->statsTuple))->stanullfrac;
	/* who may not see the values must not hear of them from a function either */
	if (!HeapTupleIsValid(vardata->statsTuple) ||
		!statistic_proc_security_check(vardata, call->funcid))
		return Max(UNKNOWN_SELECTIVITY, health.rate) * (1 - nulls);

	hasher = pds_hasher_for_type(vardata->vartype, call->inputcollid, CurrentMemoryContext);
	if (hasher->varies || pds_hasher_kind(hasher) != health.kind)
		return UNKNOWN_SELECTIVITY; /* an error, once it is executed */
	fmgr_info(call->funcid, &contains);
	fmgr_info_set_expr((Node *) call, &contains);
	mcv_share = mcv_selectivity(vardata, &contains, call->inputcollid, filter, varonleft,
								&mcv_total);

	/*
	 * Among the values that are not most common ones, at most as many can be members as the
	 * filter holds values.  Values that are not members pass at the false-positive rate.
	 */
	distinct = get_variable_numdistinct(vardata, &isdefault);
	share = isdefault ? 1 : Min(1, health.values / Max(1, distinct));
	share = share + (1 - share) * health.rate;

	/* the bounds of the histogram say how many do; no hit is less than half of one */
	hits = histogram_selectivity(vardata, &contains, call->inputcollid, filter, varonleft, 1, 0,
								 &n);
	if (hits >= 0)
		share = Min(share, (hits * n + 0.5) / (n + 1));
	else if (isdefault)
		share = Min(share, UNKNOWN_SELECTIVITY);
	return mcv_share + Max(0, 1 - nulls - mcv_total) * Max(share, health.rate);
}

/* Does a function of a filter and a value declare its value with this type? */
static bool
is_value_type(Oid typid)
{
	return typid == ANYOID || typid == TEXTOID || pds_type_is_citext(typid);
}

/*
 * The selectivity of a call with these arguments of the function, which has the
 * filter as its first or second argument.
 */
static double
selectivity(const PdsProbe *probe, PlannerInfo *root, Oid function, List *args, Oid collation,
			int varRelid)
{
	VariableStatData vardata;
	Node	   *other;
	Node	   *filter;
	bool		varonleft;
	double		result = UNKNOWN_SELECTIVITY;
	Oid		   *argtypes;
	int			nargs;
	bool		filter_is_left;

	(void) get_func_signature(function, &argtypes, &nargs);
	if (nargs != 2 || list_length(args) != 2)
		return result;
	filter_is_left = is_value_type(argtypes[1]);
	if (!get_restriction_variable(root, args, varRelid, &vardata, &other, &varonleft))
		return result;
	filter = varonleft == filter_is_left ? NULL : other;
	/* this function can be that of somebody's operator over other types */
	if (filter != NULL && IsA(filter, Const) &&
		pds_sketch_type_of(((Const *) filter)->consttype) == probe->type)
		result = ((Const *) filter)->constisnull ? 0 :
			known_selectivity(probe->type,
							  makeFuncExpr(function, BOOLOID, args, InvalidOid, collation,
										   COERCE_EXPLICIT_CALL),
							  &vardata, ((Const *) filter)->constvalue, varonleft);
	ReleaseVariableStats(vardata);
	CLAMP_PROBABILITY(result);
	return result;
}

Datum
pds_contains_sel(FunctionCallInfo fcinfo, const PdsProbe *probe)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	int			varRelid = PG_GETARG_INT32(3);

	PG_RETURN_FLOAT8(selectivity(probe, root, get_opcode(operator), args, PG_GET_COLLATION(),
								 varRelid));
}

Datum
pds_contains_support(FunctionCallInfo fcinfo, const PdsProbe *probe)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSelectivity))
	{
		SupportRequestSelectivity *req = (SupportRequestSelectivity *) request;

		req->selectivity = req->is_join ? UNKNOWN_SELECTIVITY :
			selectivity(probe, req->root, req->funcid, req->args, req->inputcollid,
						req->varRelid);
		PG_RETURN_POINTER(req);
	}
	PG_RETURN_POINTER(NULL);
}
