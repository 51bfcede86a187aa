/*
 * rollup_plan.c: the query applied to other rows than the source's
 *
 * Parts are appended by one INSERT (rollup_text.c) that selects from the view of the query.  We
 * put the view's query there ourselves, in place of the server.  The source is replaced by other
 * rows: those that a statement has inserted, changed or deleted, or those of a partition.  The
 * query is the view's own tree, as it was parsed when the rollup was made.  It is never deparsed
 * and parsed again: a function that somebody has added since could fit a call better, and would
 * run as the owner.
 */
#include "postgres.h"

#include "access/attmap.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "executor/tstoreReceiver.h"
#include "miscadmin.h"
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
#include "type_hasher.h"

/* ---------- other rows ---------- */

/* Columns of the source become those of "rel", which may have them in another order. */
static void
map_columns(Query *query, int index, Oid source, Relation rel)
{
	Relation	of = RelationIdGetRelation(source);
	AttrMap    *map;
	Oid			row_type = RelationGetForm(rel)->reltype;
	bool		whole_row;

	/* TRUNCATE locks the source before its partition, which is locked here: so there is no lock */
	if (of == NULL)
		elog(ERROR, "relation %u is gone", source);
	map = PDS_ATTRMAP_BY_NAME(RelationGetDescr(rel), RelationGetDescr(of));
	RelationClose(of);
	query->targetList = (List *) map_variable_attnos((Node *) query->targetList, index, 0, map,
													 row_type, &whole_row);
	query->jointree->quals = map_variable_attnos(query->jointree->quals, index, 0, map, row_type,
												 &whole_row);
}

static bool
is_foreign_code(Oid function, void *context)
{
	return get_func_namespace(function) != PG_CATALOG_NAMESPACE;
}

bool
rollup_calls_foreign_code(Node *node, void *context)
{
	if (node == NULL)
		return false;
	return IsA(node, CoerceToDomain) || check_functions_in_node(node, is_foreign_code, NULL) ||
		expression_tree_walker(node, rollup_calls_foreign_code, context);
}

typedef struct Generated
{
	Relation	relation;
	int			index;
} Generated;

/*
 * The server routes a row to a partition, and computes generated columns there.  Where that has
 * its columns in another order, the new row of the statement has NULLs in their place.  Then they
 * are computed here, as the rollup's owner: so only by functions of the server.
 */
static Node *
put_generated(Node *node, void *context)
{
	const Generated *g = context;
	Var		   *var = (Var *) node;
	Node	   *expr;
	CoalesceExpr *result;

	if (node == NULL)
		return NULL;
	if (!IsA(node, Var))
		return expression_tree_mutator(node, put_generated, context);
	if (var->varno != g->index || var->varlevelsup != 0 || var->varattno <= 0 ||
		TupleDescAttr(RelationGetDescr(g->relation), var->varattno - 1)->attgenerated == '\0')
		return node;
	expr = build_column_default(g->relation, var->varattno);
	if (expr == NULL || rollup_calls_foreign_code(expr, NULL))
		return node;
	ChangeVarNodes(expr, 1, g->index, 0);
	/* no row has a value of a virtual one, and the server computes it in rows of tables alone */
	if (TupleDescAttr(RelationGetDescr(g->relation), var->varattno - 1)->attgenerated == 'v')
		return expr;
	result = makeNode(CoalesceExpr);
	result->coalescetype = var->vartype;
	result->coalescecollid = var->varcollid;
	result->args = list_make2(var, expr);
	result->location = -1;
	return (Node *) result;
}

static void
put_rows(Query *query, int index, Relation rel, QueryEnvironment *env)
{
	RangeTblEntry *source = rt_fetch(index, query->rtable);
	Oid			relid = RelationGetRelid(rel);

	if (relid != source->relid)
		map_columns(query, index, source->relid, rel);
	if (env == NULL)
	{
		PDS_REPLACE_RELATION(query, source, relid);
		source->relkind = RelationGetForm(rel)->relkind;
	}
	else
	{
		ParseState *pstate = make_parsestate(NULL);
		Generated	g = {rel, index};

		query->targetList = (List *) put_generated((Node *) query->targetList, &g);
		query->jointree->quals = put_generated(query->jointree->quals, &g);

		pstate->p_queryEnv = env;
		lfirst(list_nth_cell(query->rtable, index - 1)) =
			addRangeTableEntryForENR(pstate, makeRangeVar(NULL, ROLLUP_ROWS, -1), true)->p_rte;
	}
}

/*
 * Only the groups, with NULLs in the place of the results.  The rows of a rollup that is a source
 * have no more than their keys here, so its rollups' conditions are left out.
 */
static void
keep_groups(Query *query, int index)
{
	ListCell   *lc;

	foreach(lc, query->targetList)
	{
		TargetEntry *entry = lfirst(lc);
		Node	   *expr = (Node *) entry->expr;

		if (entry->ressortgroupref == 0)
			entry->expr = (Expr *) makeNullConst(exprType(expr), exprTypmod(expr),
												 exprCollation(expr));
	}
	query->hasAggs = false;
	if (query->groupClause == NIL)
		query->limitCount = (Node *) makeConst(INT8OID, -1, InvalidOid, sizeof(int64),
											   Int64GetDatum(1), false, FLOAT8PASSBYVAL);
	if (rt_fetch(index, query->rtable)->relkind == RELKIND_VIEW)
		query->jointree->quals = NULL;
}

/* ---------- the view's query in the place of the view ---------- */

PlannedStmt *
rollup_plan_append(const RollupParts *parts, const RollupDefinition *d, Relation rel,
				   QueryEnvironment *env, bool marks, const RollupOptions *options)
{
	char	   *statement = rollup_append_text(parts, d, marks, options);
	List	   *raw = raw_parser(statement, RAW_PARSE_DEFAULT);
	Query	   *append = parse_analyze_fixedparams(linitial_node(RawStmt, raw), statement, NULL, 0,
												   NULL);
	Query	   *query = rollup_view_query(parts->query);
	int			index = rollup_relation_index(query);
	Query	   *select = rt_fetch(2, append->rtable)->subquery;
	List	   *queries;
	PlannedStmt *plan;

	if (marks)
		keep_groups(query, index);
	if (rel != NULL)
		put_rows(query, index, rel, env);
	if (list_length(select->rtable) != 1 ||
		linitial_node(RangeTblEntry, select->rtable)->relid != parts->query)
		elog(ERROR, "the parts do not come from view %u", parts->query);
	lfirst(list_head(select->rtable)) =
		addRangeTableEntryForSubquery(make_parsestate(NULL), query, makeAlias("q", NIL), false,
									  true)->p_rte;
	AcquireRewriteLocks(append, true, false);
	queries = QueryRewrite(append);
	if (list_length(queries) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("table %s of a rollup has rules", pds_relation_name(parts->stored)),
				 errhint("Drop the rules, and use triggers instead.")));
	plan = PDS_PLAN_QUERY(linitial_node(Query, queries), statement);
	PDS_DROP_UNASKED(plan);
	return plan;
}

/* ---------- running ---------- */

static void
run(PlannedStmt *plan, QueryEnvironment *env, DestReceiver *receiver)
{
	QueryDesc  *desc = CreateQueryDesc(plan, "append to a rollup", GetActiveSnapshot(),
									   InvalidSnapshot, receiver, NULL, env, 0);

	ExecutorStart(desc, 0);
	PDS_EXECUTOR_RUN(desc);
	ExecutorFinish(desc);
	ExecutorEnd(desc);
	FreeQueryDesc(desc);
}

Tuplestorestate *
rollup_run_append(PlannedStmt *plan, QueryEnvironment *env)
{
	Tuplestorestate *appended = tuplestore_begin_heap(false, false, work_mem);
	DestReceiver *receiver = CreateTuplestoreDestReceiver();

	SetTuplestoreDestReceiverParams(receiver, appended, CurrentMemoryContext, false, NULL, NULL);
	CommandCounterIncrement();
	/* of a table that comes or goes all rows, also those that the transaction does not see */
	PushActiveSnapshot(env == NULL ? GetLatestSnapshot() : GetTransactionSnapshot());
	run(plan, env, receiver);
	PopActiveSnapshot();
	CommandCounterIncrement();
	return appended;
}

QueryEnvironment *
rollup_environment(Oid relation, Tuplestorestate *rows)
{
	QueryEnvironment *env = create_queryEnv();
	EphemeralNamedRelation named = palloc0(sizeof(EphemeralNamedRelationData));

	named->md.name = ROLLUP_ROWS;
	named->md.reliddesc = relation;
	named->md.enrtype = ENR_NAMED_TUPLESTORE;
	named->md.enrtuples = (double) tuplestore_tuple_count(rows);
	named->reldata = rows;
	register_ENR(env, named);
	return env;
}

/* ---------- trying a query ---------- */

/* Aggregates count every row. */
static bool
drop_filters(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Aggref))
		((Aggref *) node)->aggfilter = NULL;
	return expression_tree_walker(node, drop_filters, context);
}

/* 42883 where an aggregate of ours is given values that have no hash. */
static bool
try_hashers(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Aggref))
	{
		const Aggref *aggref = (const Aggref *) node;
		Oid		   *declared;
		int			n;
		ListCell   *lc;

		(void) get_func_signature(aggref->aggfnoid, &declared, &n);
		foreach(lc, aggref->args)
		{
			Node	   *arg = (Node *) lfirst_node(TargetEntry, lc)->expr;

			if (foreach_current_index(lc) < n && declared[foreach_current_index(lc)] == ANYOID &&
				pds_is_member(ProcedureRelationId, aggref->aggfnoid))
				(void) pds_hasher_for_type(exprType(arg), exprCollation(arg),
										   CurrentMemoryContext);
		}
	}
	return expression_tree_walker(node, try_hashers, context);
}

void
rollup_try_query(Query *original)
{
	Query	   *query = copyObject(original);
	int			index = rollup_relation_index(query);
	Relation	rel = table_open(rt_fetch(index, query->rtable)->relid, AccessShareLock);
	Tuplestorestate *store = tuplestore_begin_heap(false, false, work_mem);
	int			columns = RelationGetDescr(rel)->natts;
	Datum	   *values = palloc0(columns * sizeof(Datum));
	bool	   *nulls = palloc(columns * sizeof(bool));
	QueryEnvironment *env;

	memset(nulls, true, columns * sizeof(bool));
	tuplestore_putvalues(store, RelationGetDescr(rel), values, nulls);
	env = rollup_environment(RelationGetRelid(rel), store);
	put_rows(query, index, rel, env);
	query->jointree->quals = NULL;
	(void) try_hashers((Node *) query->targetList, NULL);
	(void) drop_filters((Node *) query->targetList, NULL);
	PushActiveSnapshot(GetTransactionSnapshot());
	run(PDS_PLAN_QUERY(query, ""), env, None_Receiver);
	PopActiveSnapshot();
	tuplestore_end(store);
	table_close(rel, NoLock);
}
