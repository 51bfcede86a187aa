/*
 * argument.c: what the expression of an argument says about it
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "nodes/execnodes.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/primnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "argument.h"
#include "citext.h"
#include "compat.h"
#include "hasher.h"

/* What is done with each expression that an argument may have. */
typedef void (*Visitor) (Node *arg, void *context);

/* ---------- aggregates ---------- */

static bool
has_transition_function(Oid aggregate, Oid function)
{
	HeapTuple	tuple = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(aggregate));
	Form_pg_aggregate agg;
	bool		result;

	if (!HeapTupleIsValid(tuple))
		return false;			/* a true window function */
	agg = (Form_pg_aggregate) GETSTRUCT(tuple);
	result = agg->aggtransfn == function || agg->aggmtransfn == function ||
		agg->aggminvtransfn == function;
	ReleaseSysCache(tuple);
	return result;
}

/*
 * Argument argno of an aggregate.  Citus calls our transition function from an aggregate of its
 * own, which has an argument of its own before ours.  A single argument of ours follows as it
 * is, several in a ROW().
 */
static Node *
aggregate_argument(Aggref *aggref, Oid function, int argno)
{
	Node	   *last;

	if (aggref->args == NIL)
		return NULL;
	if (has_transition_function(aggref->aggfnoid, function))
		return argno > list_length(aggref->args) ? NULL :
			(Node *) ((TargetEntry *) list_nth(aggref->args, argno - 1))->expr;
	last = (Node *) ((TargetEntry *) llast(aggref->args))->expr;
	if (IsA(last, RowExpr))
		return argno > list_length(((RowExpr *) last)->args) ? NULL :
			list_nth(((RowExpr *) last)->args, argno - 1);
	return argno == 1 ? last : NULL;
}

/*
 * To the planner an aggregate over c and one over c::text are the same, and it
 * computes only one of them: each is visited.
 */
static void
visit_aggregates(AggState *state, Aggref *aggref, Oid function, int argno,
				 Visitor visit, void *context)
{
	ListCell   *lc;
	Node	   *arg = aggregate_argument(aggref, function, argno);

	if (arg != NULL)
		visit(arg, context);
	foreach(lc, state->aggs)
	{
		Aggref	   *other = lfirst(lc);

		if (other != aggref && equal(other->args, aggref->args) &&
			(arg = aggregate_argument(other, function, argno)) != NULL)
			visit(arg, context);
	}
}

/*
 * A window's state does not say which of its aggregates is being computed, but it
 * knows all of them.
 */
static void
visit_windows(WindowAggState *state, Oid function, int argno, Visitor visit, void *context)
{
	ListCell   *lc;

	foreach(lc, state->funcs)
	{
		WindowFunc *wfunc = ((WindowFuncExprState *) lfirst(lc))->wfunc;

		if (argno >= 1 && list_length(wfunc->args) >= argno &&
			has_transition_function(wfunc->winfnoid, function))
			visit(list_nth(wfunc->args, argno - 1), context);
	}
}

/* ---------- scalar functions ---------- */

static Node *
scalar_argument(FunctionCallInfo fcinfo, int argno)
{
	Node	   *call = fcinfo->flinfo->fn_expr;
	List	   *args = NIL;

	if (call == NULL)
		return NULL;
	if (IsA(call, FuncExpr))
		args = ((FuncExpr *) call)->args;
	else if (IsA(call, OpExpr))
		args = ((OpExpr *) call)->args;
	else if (IsA(call, ScalarArrayOpExpr))
		args = ((ScalarArrayOpExpr *) call)->args;
	return argno < list_length(args) ? list_nth(args, argno) : NULL;
}

/* ---------- both ---------- */

static void
visit_argument(FunctionCallInfo fcinfo, int argno, Visitor visit, void *context)
{
	Oid			function = fcinfo->flinfo->fn_oid;
	Node	   *arg;

	if (fcinfo->context != NULL && IsA(fcinfo->context, AggState))
	{
		Aggref	   *aggref = AggGetAggref(fcinfo);

		if (aggref != NULL && argno >= 1)
			visit_aggregates((AggState *) fcinfo->context, aggref, function, argno,
							 visit, context);
	}
	else if (fcinfo->context != NULL && IsA(fcinfo->context, WindowAggState))
		visit_windows((WindowAggState *) fcinfo->context, function, argno, visit, context);
	else if ((arg = scalar_argument(fcinfo, argno)) != NULL)
		visit(arg, context);
}

static void
take_first(Node *arg, void *context)
{
	Node	  **first = context;

	if (*first == NULL)
		*first = arg;
}

Node *
pds_argument(FunctionCallInfo fcinfo, int argno)
{
	Node	   *arg = NULL;

	visit_argument(fcinfo, argno, take_first, &arg);
	return arg;
}

Oid
pds_argument_type(FunctionCallInfo fcinfo, int argno)
{
	Oid			typid = get_fn_expr_argtype(fcinfo->flinfo, argno);

	if (!OidIsValid(typid))
		ereport(ERROR,
				(errcode(ERRCODE_INDETERMINATE_DATATYPE),
				 errmsg("could not determine data type of argument %d", argno + 1)));
	return typid;
}

/* Does an expression depend on anything but literals and parameters of the statement? */
static bool
depends_on_row(Node *node, void *context)
{
	if (node == NULL || IsA(node, Const))
		return false;
	switch (nodeTag(node))
	{
		case T_Param:
			return ((Param *) node)->paramkind != PARAM_EXTERN;
		case T_Var:
		case T_Aggref:
		case T_GroupingFunc:
		case T_WindowFunc:
		case T_SubLink:
		case T_SubPlan:
		case T_AlternativeSubPlan:
		case T_CurrentOfExpr:
			return true;
		default:
			return expression_tree_walker(node, depends_on_row, context);
	}
}

/* What is looked for in the expressions of an aggregate's argument */
typedef struct ColumnSearch
{
	Plan	   *plan;			/* the node that has the expressions */
	PdsVariation found;			/* the worst */
} ColumnSearch;

/*
 * Are the columns of a plan node computed elsewhere?  Where Citus gathers the rows of an aggregate,
 * its workers send the literals among the arguments as columns, too.
 */
static bool
is_computed_elsewhere(const Plan *plan)
{
	return IsA(plan, CustomScan) && ((const CustomScan *) plan)->scan.scanrelid == 0;
}

/*
 * Does an expression of a plan node have a column of the node's own query?  A column that the
 * node's input computes can be a constant: where the query groups by one of an outer query.
 */
static bool
has_column(Node *node, void *context)
{
	Plan	   *input = outerPlan((Plan *) context);
	TargetEntry *entry;

	if (node == NULL)
		return false;
	if (!IsA(node, Var))
		return expression_tree_walker(node, has_column, context);
	if (((Var *) node)->varno != OUTER_VAR || input == NULL)
		return !is_computed_elsewhere(context);
	entry = get_tle_by_resno(input->targetlist, ((Var *) node)->varattno);
	return entry == NULL || has_column((Node *) entry->expr, input);
}

/* context: a ColumnSearch */
static void
search_column(Node *arg, void *context)
{
	ColumnSearch *search = context;
	/* volatile functions in a subplan are not found; one that is computed once is a parameter */
	PdsVariation variation = has_column(arg, search->plan) ? PDS_VARIES :
		contain_var_clause(arg) || contain_subplans(arg) || contain_volatile_functions(arg) ?
		PDS_MAY_VARY : PDS_CONSTANT;

	search->found = Max(search->found, variation);
}

PdsVariation
pds_argument_variation(FunctionCallInfo fcinfo, int argno)
{
	ColumnSearch search = {((PlanState *) fcinfo->context)->plan, PDS_NOT_LOOKED_AT};

	visit_argument(fcinfo, argno, search_column, &search);
	return search.found != PDS_NOT_LOOKED_AT ? search.found : PDS_MAY_VARY;
}

bool
pds_argument_is_literal(FunctionCallInfo fcinfo, int argno)
{
	Node	   *arg = scalar_argument(fcinfo, argno);

	if (arg == NULL || depends_on_row(arg, NULL))
		return false;
	/* what the planner would compute, once it knows the parameters */
	return IsA(arg, Const) || IsA(arg, Param) || !contain_mutable_functions(arg);
}

Oid
pds_argument_collation(FunctionCallInfo fcinfo, int argno)
{
	Oid			collation = PG_GET_COLLATION();
	Node	   *arg;

	if (OidIsValid(collation) || (arg = pds_argument(fcinfo, argno)) == NULL)
		return collation;
	return exprCollation(arg);
}

/*
 * Does Citus call, or has it sent the statement?  Citus writes out the cast to text that
 * the parser has added, so that its workers cannot tell it from one that was written.
 */
static bool
called_by_citus(FunctionCallInfo fcinfo)
{
	Aggref	   *aggref;

	/* as it names its connections to workers */
	if (application_name != NULL &&
		strncmp(application_name, "citus_internal", strlen("citus_internal")) == 0)
		return true;
	if (fcinfo->context == NULL || !IsA(fcinfo->context, AggState))
		return false;
	aggref = AggGetAggref(fcinfo);
	return aggref != NULL && !has_transition_function(aggref->aggfnoid, fcinfo->flinfo->fn_oid);
}

/*
 * 0A000 if an expression of type text is citext under an implicit cast.  Is it citext under
 * another one?
 */
static bool
require_no_implicit_citext(Node *arg)
{
	bool		cast = IsA(arg, RelabelType);
	bool		implicit = cast;

	for (; IsA(arg, RelabelType); arg = (Node *) ((RelabelType *) arg)->arg)
		implicit &= ((RelabelType *) arg)->relabelformat == COERCE_IMPLICIT_CAST;
	if (!cast || !pds_type_is_citext(exprType(arg)))
		return false;
	if (implicit)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot take a value of type citext as text"),
				 errdetail("Values that are equal as citext would count as different texts."),
				 errhint("Install the extension probds_citext, which adds citext to all "
						 "functions, or cast the value to text.")));
	return true;
}

/* context: the call */
static void
refuse_citext(Node *arg, void *context)
{
	/* with the extension the parser adds no casts, so this one was written */
	if (require_no_implicit_citext(arg) && called_by_citus(context) &&
		!OidIsValid(get_extension_oid("probds_citext", true)))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot take a value of type citext as text"),
				 errdetail("Citus does not tell its workers whether the cast was explicit, and "
						   "values that are equal as citext would count as different texts."),
				 errhint("Install the extension probds_citext, which adds citext to all "
						 "functions.")));
}

void
pds_refuse_citext(FunctionCallInfo fcinfo, int argno)
{
	visit_argument(fcinfo, argno, refuse_citext, fcinfo);
}

/* The value of each aggregate with this transition function; context: its OID. */
static bool
refuse_citext_of(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Aggref) && ((Aggref *) node)->args != NIL &&
		has_transition_function(((Aggref *) node)->aggfnoid, *(Oid *) context))
	{
		TargetEntry *first = linitial(((Aggref *) node)->args);

		(void) require_no_implicit_citext((Node *) first->expr);
	}
	return expression_tree_walker(node, refuse_citext_of, context);
}

/*
 * probds_text_step_support(internal) -> internal: planner support of the transition functions
 * over text.  When the planner wants the cost, it refuses citext in the query that is planned.
 * Where Citus gathers the rows of an aggregate the executor sees columns of type text.
 */
PG_FUNCTION_INFO_V1(probds_text_step_support);
extern Datum probds_text_step_support(PG_FUNCTION_ARGS);
Datum
probds_text_step_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestCost) && ((SupportRequestCost *) request)->root != NULL)
	{
		SupportRequestCost *r = (SupportRequestCost *) request;
		Query	   *query = r->root->parse;

		(void) refuse_citext_of((Node *) query->targetList, &r->funcid);
		(void) refuse_citext_of(query->havingQual, &r->funcid);
	}
	PG_RETURN_POINTER(NULL);
}
