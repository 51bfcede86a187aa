/*
 * ordinary.c: hooks and settings of ordinary queries, and which statements are changed
 *
 * Only SELECTs that the session itself sends are changed.  What a function executes is not: a
 * constraint, a policy, an index or a trigger may call the function, and its plans are cached
 * without a word about who called.  For the same reason no statement reads a rollup while another
 * one changes the source.
 */
#include "postgres.h"

#include "access/xact.h"
#include "commands/prepare.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "optimizer/planner.h"
#include "tcop/pquery.h"
#include "tcop/tcopprot.h"
#include "tcop/utility.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/plancache.h"
#include "utils/syscache.h"

#include "compat.h"
#include "ordinary.h"
#include "rollup.h"

static bool approximate;
static bool answer;

static planner_hook_type previous_planner;
static ExecutorStart_hook_type previous_start;
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
	/* (a driver's Execute message has a text of its own) */
	return (text == debug_query_string || text == ActivePortal->sourceText) &&
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

/* ---------- plans that are used once ---------- */

/*
 * A plan that reads a rollup holds under the settings and rights that there are now, and nobody
 * tells the plan cache when they change.  So the cache is told as soon as the plan is executed, or
 * the transaction ends: the next execution is planned again.  The key is one that no function has.
 */
static PlanInvalItem used_once = {T_PlanInvalItem, PROCOID, ROLLUP_NO_FUNCTION};

static bool made;				/* such a plan, which the cache may keep */

static void
forget_plans(void)
{
	if (made)
	{
		made = false;
		CallSyscacheCallbacks(used_once.cacheId, used_once.hashValue);
	}
}

static void
start_executor(QueryDesc *desc, int flags)
{
	forget_plans();
	(previous_start != NULL ? previous_start : standard_ExecutorStart) (desc, flags);
}

static void
end_transaction(XactEvent event, void *arg)
{
	forget_plans();
}

/* ---------- hooks and settings ---------- */

static PlannedStmt *
plan_statement(Query *query, const char *text, int options, ParamListInfo params PDS_PLANNER_PARAMS)
{
	bool		changes = (approximate || answer) && is_for_session(query, text);
	bool		by_role = changes && approximate && pds_approximate_counts(query);
	bool		once = changes && answer && pds_answer_from_rollups(query, params);
	PlannedStmt *result = (previous_planner != NULL ? previous_planner : standard_planner)
		(query, text, options, params PDS_PLANNER_ARGS);

	result->dependsOnRole |= by_role || once;
	if (once)
	{
		result->invalItems = lappend(result->invalItems, copyObject(&used_once));
		made = true;
	}
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

/* A snapshot of another session may be older than what we know of the rollups. */
static bool
imports_snapshot(Node *statement)
{
	const VariableSetStmt *set = (VariableSetStmt *) statement;

	return IsA(statement, VariableSetStmt) && set->kind == VAR_SET_MULTI &&
		strcmp(set->name, "TRANSACTION SNAPSHOT") == 0;
}

static void
run_utility(PlannedStmt *statement, const char *text, bool read_only, ProcessUtilityContext context,
			ParamListInfo params, QueryEnvironment *env, DestReceiver *dest, QueryCompletion *qc)
{
	bool		elsewhere = (approximate || answer) &&
		executes_elsewhere(statement->utilityStmt, context);

	if (imports_snapshot(statement->utilityStmt))
		pds_forget_rollups();
	if (elsewhere)
		ResetPlanCache();
	(previous_utility != NULL ? previous_utility : standard_ProcessUtility)
		(statement, text, read_only, context, params, env, dest, qc);
	if (elsewhere)
		ResetPlanCache();
}

static void
assign_approximate(bool value, void *extra)
{
	if (value != approximate)
		ResetPlanCache();
}

static void
assign_precision(int value, void *extra)
{
	if (value != pds_approximate_precision)
		ResetPlanCache();
}

static void
assign_answer(bool value, void *extra)
{
	if (value != answer)
		ResetPlanCache();
}

void
pds_ordinary_init(void)
{
	DefineCustomBoolVariable("probds.approximate_count_distinct",
							 "Lets the planner compute count(DISTINCT x) by"
							 " approx_count_distinct(x).",
							 "Only in SELECTs that the session sends itself, and that store"
							 " nothing.",
							 &approximate, false, PGC_USERSET, GUC_EXPLAIN,
							 NULL, assign_approximate, NULL);
	DefineCustomIntVariable("probds.approximate_precision",
							"Sets the precision with which count(DISTINCT x) is approximate.",
							"It is the second argument of approx_count_distinct().",
							&pds_approximate_precision, PDS_DEFAULT_PRECISION, 4, 18, PGC_USERSET,
							GUC_EXPLAIN, NULL, assign_precision, NULL);
	DefineCustomBoolVariable("probds.answer_from_rollups",
							 "Lets the planner read a rollup in place of its source, where it"
							 " holds the answer.",
							 "Only in SELECTs that the session sends itself, and that store"
							 " nothing.",
							 &answer, false, PGC_USERSET, GUC_EXPLAIN,
							 NULL, assign_answer, NULL);
	DefineCustomBoolVariable("probds.explain_rollups",
							 "Says of each rollup of a table that a query reads why the rollup"
							 " does not answer it.",
							 NULL, &pds_explain_rollups, false, PGC_USERSET, 0,
							 NULL, NULL, NULL);
	previous_planner = planner_hook;
	planner_hook = plan_statement;
	previous_start = ExecutorStart_hook;
	ExecutorStart_hook = start_executor;
	previous_utility = ProcessUtility_hook;
	ProcessUtility_hook = run_utility;
	RegisterXactCallback(end_transaction, NULL);
}
