/*
 * approximate_count.c: count(DISTINCT x) as approx_count_distinct(x), by a setting
 *
 * The planner's hook changes the aggregates of a query before it is planned.  There views are
 * written out, the policies of row security are attached, and the plan cache has made a copy.
 *
 * Only SELECTs that the session itself sends are changed.  What a function executes is not: a
 * constraint, a policy, an index or a trigger may call the function, and its plans are cached
 * without a word about who called.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_class.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "commands/prepare.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/planner.h"
#include "tcop/pquery.h"
#include "tcop/tcopprot.h"
#include "tcop/utility.h"
#include "utils/acl.h"
#include "utils/catcache.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/plancache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "run_as.h"
#include "type_hasher.h"
#include "approximate_count.h"

/* For which there is an aggregate without an argument for the precision */
#define DEFAULT_PRECISION	14

static bool enabled;
static int	precision = DEFAULT_PRECISION;

static planner_hook_type previous_planner;
static ProcessUtility_hook_type previous_utility;

/* ---------- whose statement it is ---------- */

/* What a utility statement plans or executes: what EXPLAIN and CREATE TABLE AS are about. */
static Node *
innermost(Node *statement, bool *stores)
{
	for (;;)
	{
		if (IsA(statement, ExplainStmt))
			statement = ((ExplainStmt *) statement)->query;
		else if (IsA(statement, CreateTableAsStmt))
		{
			*stores = true;
			statement = ((CreateTableAsStmt *) statement)->query;
		}
		else if (IsA(statement, Query) && ((Query *) statement)->utilityStmt != NULL)
			statement = ((Query *) statement)->utilityStmt;
		else
			return statement;
	}
}

/*
 * Does the text belong to a statement that the session sends and that only reads?  The text of
 * such a statement is debug_query_string itself, in the same memory, except with EXECUTE.  What
 * SPI and functions in SQL plan has a text of its own.
 */
static bool
is_sent_by_session(const char *text)
{
	bool		stores = false;
	Node	   *statement;
	PreparedStatement *prepared;

	if (ActivePortal == NULL)
		return text != NULL && text == debug_query_string;
	if (list_length(ActivePortal->stmts) != 1)
		return false;
	statement = linitial_node(PlannedStmt, ActivePortal->stmts)->utilityStmt;
	if (statement == NULL)
		return false;
	statement = innermost(statement, &stores);
	if (stores)
		return false;
	if (IsA(statement, ExecuteStmt))
	{
		prepared = FetchPreparedStatement(((ExecuteStmt *) statement)->name, false);
		return prepared != NULL && prepared->plansource->query_string == text;
	}
	return text == debug_query_string &&
		(IsA(statement, Query) || IsA(statement, DeclareCursorStmt) ||
		 (IsA(statement, CopyStmt) && !((CopyStmt *) statement)->is_from));
}

static bool
is_for_session(const Query *query, const char *text)
{
	Oid			user;
	int			security;

	GetUserIdAndSecContext(&user, &security);
	return query->commandType == CMD_SELECT && query->querySource == QSRC_ORIGINAL &&
		!query->hasModifyingCTE && security == 0 && is_sent_by_session(text);
}

/* ---------- the aggregates ---------- */

/* What is found in a statement */
typedef struct Found
{
	List	   *counts;			/* each count(DISTINCT x) that can be approximate */
	bool		foreign_table;
} Found;

/* Are all values of an expression of one type that can be hashed?  ROW() says its columns. */
static bool
is_hashable(Node *node)
{
	ListCell   *lc;

	if (!IsA(node, RowExpr) || ((RowExpr *) node)->row_typeid != RECORDOID)
		return pds_type_is_hashable(exprType(node));
	foreach(lc, ((RowExpr *) node)->args)
		if (!is_hashable(lfirst(lc)))
			return false;
	return true;
}

static bool find(Node *node, void *context);

/*
 * A policy's conditions are not looked at.  An error leaves the query without them: it is the
 * planner's copy, and nobody plans it again.
 */
static void
find_in_query(Query *query, Found *found)
{
	List	   *policies = NIL;
	ListCell   *lc;
	ListCell   *policy;

	foreach(lc, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);

		found->foreign_table |= rte->rtekind == RTE_RELATION &&
			rte->relkind == RELKIND_FOREIGN_TABLE;
		policies = lappend(policies, rte->securityQuals);
		rte->securityQuals = NIL;
	}
	(void) query_tree_walker(query, find, found, 0);
	forboth(lc, query->rtable, policy, policies)
		lfirst_node(RangeTblEntry, lc)->securityQuals = lfirst(policy);
}

/* context: Found */
static bool
find(Node *node, void *context)
{
	Found	   *found = context;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		find_in_query((Query *) node, found);
		return false;
	}
	if (IsA(node, Aggref) && ((Aggref *) node)->aggfnoid == F_COUNT_ANY &&
		((Aggref *) node)->aggdistinct != NIL &&
		is_hashable((Node *) linitial_node(TargetEntry, ((Aggref *) node)->args)->expr))
		found->counts = lappend(found->counts, node);
	return expression_tree_walker(node, find, context);
}

/*
 * Returns our aggregate with so many arguments, or InvalidOid: in whatever schema, but a member of
 * the extension and of a superuser.  The owner of a trusted extension can add others to it.
 */
static Oid
approximate_aggregate(int nargs)
{
	CatCList   *list = SearchSysCacheList1(PROCNAMEARGSNSP,
										   CStringGetDatum("approx_count_distinct"));
	Oid			result = InvalidOid;

	for (int i = 0; i < list->n_members; i++)
	{
		Form_pg_proc proc = (Form_pg_proc) GETSTRUCT(&list->members[i]->tuple);

		if (proc->prokind == PROKIND_AGGREGATE && proc->pronargs == nargs &&
			proc->proargtypes.values[0] == ANYOID && superuser_arg(proc->proowner) &&
			pds_is_member(ProcedureRelationId, proc->oid))
			result = proc->oid;
	}
	ReleaseSysCacheList(list);
	return result;
}

/* Have our aggregate count what count(DISTINCT x) would, as the parser would have made the call. */
static void
approximate(Aggref *count, Oid aggregate)
{
	TargetEntry *value = linitial_node(TargetEntry, count->args);

	value->ressortgroupref = 0;
	count->args = list_make1(value);
	/* a literal was unknown, until DISTINCT made it a text */
	count->aggargtypes = list_make1_oid(exprType((Node *) value->expr));
	count->inputcollid = exprCollation((Node *) value->expr);
	count->aggfnoid = aggregate;
	count->aggdistinct = NIL;
	count->aggorder = NIL;
	if (precision == DEFAULT_PRECISION)
		return;
	count->args = lappend(count->args, makeTargetEntry((Expr *)
													   makeConst(INT4OID, -1, InvalidOid,
																 sizeof(int32),
																 Int32GetDatum(precision), false,
																 true), 2, NULL, false));
	count->aggargtypes = lappend_oid(count->aggargtypes, INT4OID);
}

/* Returns whether the plan depends on the role, because the statement has such a count. */
static bool
approximate_all(Query *query)
{
	Found		found = {0};
	Oid			aggregate;
	ListCell   *lc;

	find_in_query(query, &found);
	/* a foreign server may count by itself; Citus wants declared types, and has its own setting */
	if (found.counts == NIL || found.foreign_table || OidIsValid(get_extension_oid("citus", true)))
		return false;
	aggregate = approximate_aggregate(precision == DEFAULT_PRECISION ? 1 : 2);
	if (OidIsValid(aggregate) && PDS_MAY_EXECUTE(aggregate))
		foreach(lc, found.counts)
			approximate(lfirst(lc), aggregate);
	return true;
}

/* ---------- hooks and settings ---------- */

static PlannedStmt *
plan_statement(Query *query, const char *text, int options, ParamListInfo params PDS_PLANNER_PARAMS)
{
	bool		by_role = enabled && is_for_session(query, text) && approximate_all(query);
	PlannedStmt *result = (previous_planner != NULL ? previous_planner : standard_planner)
		(query, text, options, params PDS_PLANNER_ARGS);

	result->dependsOnRole |= by_role;
	return result;
}

/*
 * Is it an EXECUTE whose result is stored, or whose caller is a function?  Its statement is planned
 * again then, and afterwards once more.
 */
static bool
executes_elsewhere(Node *statement, ProcessUtilityContext context)
{
	bool		stores = false;

	return IsA(innermost(statement, &stores), ExecuteStmt) &&
		(stores || context != PROCESS_UTILITY_TOPLEVEL);
}

static void
run_utility(PlannedStmt *statement, const char *text, bool read_only, ProcessUtilityContext context,
			ParamListInfo params, QueryEnvironment *env, DestReceiver *dest, QueryCompletion *qc)
{
	bool		elsewhere = enabled && executes_elsewhere(statement->utilityStmt, context);

	if (elsewhere)
		ResetPlanCache();
	(previous_utility != NULL ? previous_utility : standard_ProcessUtility)
		(statement, text, read_only, context, params, env, dest, qc);
	if (elsewhere)
		ResetPlanCache();
}

static void
assign_enabled(bool value, void *extra)
{
	if (value != enabled)
		ResetPlanCache();
}

static void
assign_precision(int value, void *extra)
{
	if (value != precision)
		ResetPlanCache();
}

void
pds_approximate_count_init(void)
{
	DefineCustomBoolVariable("probds.approximate_count_distinct",
							 "Lets the planner compute count(DISTINCT x) by"
							 " approx_count_distinct(x).",
							 "Only in SELECTs that the session sends itself, and that store"
							 " nothing.",
							 &enabled, false, PGC_USERSET, GUC_EXPLAIN,
							 NULL, assign_enabled, NULL);
	DefineCustomIntVariable("probds.approximate_precision",
							"Sets the precision with which count(DISTINCT x) is approximate.",
							"It is the second argument of approx_count_distinct().",
							&precision, DEFAULT_PRECISION, 4, 18, PGC_USERSET, GUC_EXPLAIN,
							NULL, assign_precision, NULL);
	previous_planner = planner_hook;
	planner_hook = plan_statement;
	previous_utility = ProcessUtility_hook;
	ProcessUtility_hook = run_utility;
}
