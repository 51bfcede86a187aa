/*
 * argtype.c: what type an argument declared as text really has
 *
 * citext is binary coercible to text, so hll_agg(citext_column) resolves to
 * the overload for text and the parser relabels the column.  Its own "=" would
 * be forgotten: 'Anna' and 'ANNA' would be two.  The relabeling is still there
 * in the plan's expression of the aggregate's argument.  A cast that the user
 * has written is no relabeling of this kind: it asks for text.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "nodes/execnodes.h"
#include "nodes/nodeFuncs.h"
#include "nodes/primnodes.h"
#include "utils/syscache.h"

#include "pg/canonical.h"
#include "pg/compat.h"

/* The type below implicit relabelings if that is citext, else text */
static Oid
unrelabeled_type(Node *arg)
{
	Oid			typid;

	if (exprType(arg) != TEXTOID)
		return TEXTOID;			/* not the argument that was meant */
	while (IsA(arg, RelabelType) &&
		   ((RelabelType *) arg)->relabelformat == COERCE_IMPLICIT_CAST)
		arg = (Node *) ((RelabelType *) arg)->arg;
	typid = exprType(arg);
	return pds_type_is_citext(typid) ? typid : TEXTOID;
}

static bool
has_transition_function(Oid aggregate, Oid function)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggregate));
	bool		result;

	if (!HeapTupleIsValid(tuple))
		return false;			/* a true window function */
	result = ((Form_pg_aggregate) GETSTRUCT(tuple))->aggtransfn == function ||
		((Form_pg_aggregate) GETSTRUCT(tuple))->aggmtransfn == function;
	ReleaseSysCache(tuple);
	return result;
}

/*
 * One more aggregate that may be the one being computed: all of them must
 * have the argument under the same type, or the answer depends on chance.
 */
static void
agree(Oid *typid, Node *arg)
{
	Oid			other = unrelabeled_type(arg);

	if (OidIsValid(*typid) && *typid != other)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot compute the same aggregate over citext and over text at once"),
				 errhint("Compute them in separate queries, or write value::text || '' for the values as text.")));
	*typid = other;
}

/*
 * To the planner an aggregate over c and one over c::text are the same, and
 * it computes only one of them.
 */
static Oid
aggregate_type(AggState *state, Aggref *aggref, Oid function, int argno)
{
	Node	   *arg = (Node *) ((TargetEntry *) list_nth(aggref->args, argno - 1))->expr;
	Oid			result = InvalidOid;
	ListCell   *lc;

	agree(&result, arg);
	foreach(lc, state->aggs)
	{
		Aggref	   *other = PDS_AGGREF(lfirst(lc));

		if (other != aggref && equal(other->args, aggref->args) &&
			has_transition_function(other->aggfnoid, function))
			agree(&result, (Node *)
				  ((TargetEntry *) list_nth(other->args, argno - 1))->expr);
	}
	return result;
}

/*
 * A window's state does not say which of its aggregates is being computed,
 * but it knows all of them.
 */
static Oid
window_type(WindowAggState *state, Oid function, int argno)
{
	Oid			result = InvalidOid;
	ListCell   *lc;

	foreach(lc, state->funcs)
	{
		WindowFunc *wfunc = ((WindowFuncExprState *) lfirst(lc))->wfunc;

		if (list_length(wfunc->args) >= argno &&
			has_transition_function(wfunc->winfnoid, function))
			agree(&result, list_nth(wfunc->args, argno - 1));
	}
	return result;
}

/*
 * The type of argument argno (the state is argument 0) of the aggregate whose
 * transition function is being called: citext, or a domain over it, where the
 * argument is of that type; in all other cases text.
 */
Oid
pds_aggregate_text_type(FunctionCallInfo fcinfo, int argno)
{
	Oid			function = fcinfo->flinfo->fn_oid;
	Oid			result = InvalidOid;

	if (fcinfo->context != NULL && IsA(fcinfo->context, AggState))
	{
		Aggref	   *aggref = AggGetAggref(fcinfo);

		if (aggref != NULL && argno >= 1 && argno <= list_length(aggref->args))
			result = aggregate_type((AggState *) fcinfo->context, aggref,
									function, argno);
	}
	else if (fcinfo->context != NULL && IsA(fcinfo->context, WindowAggState))
		result = window_type((WindowAggState *) fcinfo->context, function, argno);
	return OidIsValid(result) ? result : TEXTOID;
}
