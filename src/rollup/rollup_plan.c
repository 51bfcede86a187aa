/*
 * rollup_plan.c: the definition applied to some rows of its source
 *
 * The merge is one INSERT (rollup_text.c) that selects from the definition view.  We put the
 * view's query there ourselves, in place of the server.  The source is replaced by other rows:
 * the rows that a statement has just inserted, or the rows between two numbers.  The query is
 * the view's own tree, as it was parsed when the rollup was made.  It is never deparsed and
 * parsed again: a function that somebody has added since could fit a call better, and would run
 * as the owner.
 */
#include "postgres.h"

#include "access/attmap.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "parser/analyze.h"
#include "parser/parse_oper.h"
#include "parser/parse_relation.h"
#include "parser/parser.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteHandler.h"
#include "rewrite/rewriteManip.h"
#include "tcop/tcopprot.h"
#include "utils/lsyscache.h"
#include "utils/queryenvironment.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "rollup.h"

/* ---------- other rows ---------- */

/* The rows that a statement has inserted, by the name that the trigger gives them. */
static void
put_new_rows(Query *query, int index, Relation inserted, QueryEnvironment *env)
{
	RangeTblEntry *source = rt_fetch(index, query->rtable);
	ParseState *pstate = make_parsestate(NULL);
	RangeTblEntry *rows;

	pstate->p_queryEnv = env;
	rows = addRangeTableEntryForENR(pstate, makeRangeVar(NULL, ROLLUP_ROWS, -1), true)->p_rte;
	if (RelationGetRelid(inserted) != source->relid)
	{
		/* a partition may have its columns in another order */
		Relation	rel = table_open(source->relid, AccessShareLock);
		AttrMap    *map = PDS_ATTRMAP_BY_NAME(RelationGetDescr(inserted), RelationGetDescr(rel));
		bool		whole_row;

		query->targetList = (List *) map_variable_attnos((Node *) query->targetList, index, 0, map,
														 RelationGetForm(inserted)->reltype,
															 &whole_row);
		table_close(rel, NoLock);
	}
	lfirst(list_nth_cell(query->rtable, index - 1)) = rows;
}

/* column "operator" number */
static Node *
compare_number(const Query *query, int index, AttrNumber column, const char *operator, int64 number)
{
	RangeTblEntry *source = rt_fetch(index, query->rtable);
	Oid			type;
	int32		typmod;
	Oid			collation;
	Const	   *constant = makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(number),
									 false, FLOAT8PASSBYVAL);

	get_atttypetypmodcoll(source->relid, column, &type, &typmod, &collation);
	return (Node *) make_op(make_parsestate(NULL),
							list_make2(makeString("pg_catalog"), makeString(pstrdup(operator))),
							(Node *) makeVar(index, column, type, typmod, collation, 0),
							(Node *) constant, NULL, -1);
}

static void
put_numbered_rows(Query *query, int index, AttrNumber column, const RollupRows *rows)
{
	List	   *quals = NIL;

	if (query->jointree->quals != NULL)
		quals = lappend(quals, query->jointree->quals);
	if (rows->above_set)
		quals = lappend(quals, compare_number(query, index, column, ">", rows->above));
	quals = lappend(quals, compare_number(query, index, column, "<=", rows->up_to));
	query->jointree->quals = (Node *) makeBoolExpr(AND_EXPR, quals, -1);
}

/* ---------- the view's query in the place of the view ---------- */

typedef struct Expansion
{
	Oid			view;
	Query	   *query;
	int			found;
} Expansion;

static bool
expand_view(Node *node, void *context)
{
	Expansion  *e = context;

	if (node == NULL)
		return false;
	if (IsA(node, RangeTblEntry))
	{
		RangeTblEntry *rte = (RangeTblEntry *) node;

		if (rte->rtekind == RTE_RELATION && rte->relid == e->view)
		{
			rte->rtekind = RTE_SUBQUERY;
			rte->subquery = e->query;
			rte->relid = InvalidOid;
			rte->relkind = 0;
			rte->rellockmode = 0;
			rte->inh = false;
			PDS_FORGET_PERMISSIONS(rte);
			e->found++;
		}
		return false;
	}
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, expand_view, context, QTW_EXAMINE_RTES_AFTER);
	return expression_tree_walker(node, expand_view, context);
}

PlannedStmt *
rollup_plan_merge(const RollupParts *parts, int slots, const RollupRows *rows)
{
	char	   *statement = rollup_merge_text(parts, slots, NULL);
	List	   *raw = raw_parser(statement, RAW_PARSE_DEFAULT);
	Oid			slot_type = INT8OID;
	Query	   *merge = parse_analyze_fixedparams(linitial_node(RawStmt, raw), statement,
												  &slot_type, slots > 1 ? 1 : 0, NULL);
	int			index;
	Expansion	expansion = {parts->definition, rollup_definition_query(parts->definition, &index),
							 0};
	List	   *queries;

	if (rows->inserted != NULL)
		put_new_rows(expansion.query, index, rows->inserted, rows->env);
	else if (rows->numbered)
		put_numbered_rows(expansion.query, index, parts->number, rows);
	(void) expand_view((Node *) merge, &expansion);
	if (expansion.found != 1)
		elog(ERROR, "view %u occurs %d times in the merge", parts->definition, expansion.found);
	AcquireRewriteLocks(merge, true, false);
	queries = QueryRewrite(merge);
	if (list_length(queries) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("table %s of a rollup has rules", pds_relation_name(parts->stored)),
				 errhint("Drop the rules, and use triggers instead.")));
	return PDS_PLAN_QUERY(linitial_node(Query, queries), statement);
}

/* ---------- running ---------- */

static void
run(PlannedStmt *plan, QueryEnvironment *env, ParamListInfo params)
{
	QueryDesc  *desc = CreateQueryDesc(plan, "merge into a rollup", GetActiveSnapshot(),
									   InvalidSnapshot,
									   None_Receiver, params, env, 0);

	ExecutorStart(desc, 0);
	PDS_EXECUTOR_RUN(desc);
	ExecutorFinish(desc);
	ExecutorEnd(desc);
	FreeQueryDesc(desc);
}

/* $1 of the merge, if there are slots */
static ParamListInfo
slot_parameter(int slots, int64 slot)
{
	ParamListInfo params;

	if (slots <= 1)
		return NULL;
	params = makeParamList(1);
	params->params[0].value = Int64GetDatum(slot);
	params->params[0].isnull = false;
	params->params[0].pflags = PARAM_FLAG_CONST;
	params->params[0].ptype = INT8OID;
	return params;
}

void
rollup_run_merge(PlannedStmt *plan, QueryEnvironment *env, int slots, int64 slot)
{
	CommandCounterIncrement();
	PushActiveSnapshot(GetTransactionSnapshot());
	rollup_writing++;
	PG_TRY();
	{
		run(plan, env, slot_parameter(slots, slot));
	}
	PG_FINALLY();
	{
		rollup_writing--;
	}
	PG_END_TRY();
	PopActiveSnapshot();
	CommandCounterIncrement();
}

void
rollup_merge_source(const RollupParts *parts, int slots, const RollupRows *rows)
{
	rollup_run_merge(rollup_plan_merge(parts, slots, rows), NULL, slots, 0);
}
