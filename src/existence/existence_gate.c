/*
 * existence_gate.c: an existence index in front of index lookups
 *
 * A nested loop looks up one key after the other in an index of its inner table.  Where an
 * existence index on the same column says "no", the lookup is left out.  The gate is a
 * CustomScan over the index scan.  It passes rows on as they are, so it knows nothing of
 * joins, and fits inner, left, semi and anti joins and correlated subqueries alike.
 *
 * Whether most keys will be there the planner cannot know, so the gate finds out: where it
 * keeps almost nothing back it lets everything pass for a while.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/extensible.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "pgstat.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/typcache.h"

#include "existence.h"
#include PDS_EXPLAIN_HEADER

/* What the planner assumes: little, so that a wrong guess does no harm */
#define SHARE_OF_COST	0.9

/* So many keys are looked at, and if fewer than these are kept back, so many pass */
#define WINDOW			1024
#define FEWEST_REMOVED	(WINDOW / 16)
#define PASSED			(16 * WINDOW)

bool		existence_gate_enabled = true;

static set_rel_pathlist_hook_type previous_hook;

/* ---------- which lookups ---------- */

/* Is a side of a comparison the column that an existence index is on, hashed as its keys are? */
static bool
is_key_column(Node *node, const IndexOptInfo *index, Oid *type)
{
	Var		   *var;

	*type = exprType(node);
	if (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	if (!IsA(node, Var))
		return false;
	var = (Var *) node;
	if (var->varno != index->rel->relid || var->varattno != index->indexkeys[0])
		return false;
	return existence_hash_alike(*type, var->vartype);
}

/* Is an operator the equality by which values of this type are hashed? */
static bool
is_equality(Oid operator, Oid type, const IndexOptInfo *index)
{
	Oid			left;
	Oid			right;

	op_input_types(operator, &left, &right);
	if (op_in_opfamily(operator, index->opfamily[0]))
		return left == type;
	return lookup_type_cache(getBaseType(type), TYPECACHE_EQ_OPR)->eq_opr == operator;
}

/* Does an expression change from one execution of a scan to the next? */
static bool
has_exec_param(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Param))
		return ((Param *) node)->paramkind == PARAM_EXEC;
	return expression_tree_walker(node, has_exec_param, context);
}

/* The key that a condition of an index scan looks up, if "index" can answer for it. */
static Expr *
key_of_condition(Expr *condition, const IndexOptInfo *index)
{
	OpExpr	   *op = (OpExpr *) condition;
	Node	   *key;
	Oid			type;

	if (!IsA(condition, OpExpr) || list_length(op->args) != 2)
		return NULL;
	key = lsecond(op->args);
	if (!is_key_column(linitial(op->args), index, &type) || !is_equality(op->opno, type, index))
		return NULL;
	if (OidIsValid(index->indexcollations[0]) && index->indexcollations[0] != op->inputcollid)
		return NULL;
	/* one key for the whole query is not worth a node of the plan */
	if (!contain_var_clause(key) && !has_exec_param(key, NULL))
		return NULL;
	return contain_volatile_functions(key) ? NULL : (Expr *) key;
}

/* The key that an index scan looks up, and the existence index that can answer for it. */
static Expr *
key_of_path(RelOptInfo *rel, const IndexPath *path, Oid *existence_index)
{
	ListCell   *lc;

	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);
		ListCell   *clause;

		if ((void *) index->amcostestimate != (void *) existence_cost || index->hypothetical ||
			index->indexkeys[0] == 0 || (index->indpred != NIL && !index->predOK))
			continue;
		foreach(clause, path->indexclauses)
		{
			IndexClause *c = lfirst_node(IndexClause, clause);
			Expr	   *key;

			if (c->lossy || list_length(c->indexquals) != 1)
				continue;
			key = key_of_condition(linitial_node(RestrictInfo, c->indexquals)->clause, index);
			if (key != NULL)
			{
				*existence_index = index->indexoid;
				return key;
			}
		}
	}
	return NULL;
}

/* ---------- the plan ---------- */

static Node *create_state(CustomScan *scan);

static const CustomScanMethods scan_methods = {
	.CustomName = "Existence Gate",
	.CreateCustomScanState = create_state
};

static Plan *
plan_gate(PlannerInfo *root, RelOptInfo *rel, CustomPath *path, List *tlist, List *clauses,
		  List *plans)
{
	CustomScan *scan = makeNode(CustomScan);
	Plan	   *lookup = linitial(plans);
	Oid			index = InvalidOid;
	Expr	   *key = key_of_path(rel, linitial_node(IndexPath, path->custom_paths), &index);

	if (key == NULL)
		elog(ERROR, "no key for an existence gate");
	scan->scan.plan.targetlist = tlist;
	scan->scan.scanrelid = 0;
	scan->flags = path->flags;
	scan->custom_plans = plans;
	scan->custom_scan_tlist = copyObject(lookup->targetlist);
	scan->custom_exprs = list_make1(copyObject(key));
	scan->custom_private = list_make1_oid(index);
	scan->methods = &scan_methods;
	return &scan->scan.plan;
}

static const CustomPathMethods path_methods = {
	.CustomName = "Existence Gate",
	.PlanCustomPath = plan_gate
};

static Path *
make_gate(RelOptInfo *rel, IndexPath *lookup)
{
	CustomPath *gate = makeNode(CustomPath);
	Path	   *path = &lookup->path;

	gate->path.pathtype = T_CustomScan;
	gate->path.parent = rel;
	gate->path.pathtarget = path->pathtarget;
	gate->path.param_info = path->param_info;
	gate->path.parallel_aware = false;
	gate->path.parallel_safe = path->parallel_safe;
	gate->path.parallel_workers = 0;
	gate->path.rows = path->rows;
	gate->path.startup_cost = path->startup_cost * SHARE_OF_COST;
	gate->path.total_cost = path->total_cost * SHARE_OF_COST;
	gate->path.pathkeys = path->pathkeys;
	PDS_COPY_DISABLED_NODES(&gate->path, path);
	gate->flags = PDS_CUSTOMPATH_PROJECTS;
	gate->custom_paths = list_make1(lookup);
	gate->methods = &path_methods;
	return &gate->path;
}

static void
add_gates(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	List	   *gates = NIL;
	ListCell   *lc;

	if (previous_hook != NULL)
		previous_hook(root, rel, rti, rte);
	if (!existence_gate_enabled || rte->rtekind != RTE_RELATION ||
		(rel->reloptkind != RELOPT_BASEREL && rel->reloptkind != RELOPT_OTHER_MEMBER_REL))
		return;
	foreach(lc, rel->pathlist)
	{
		IndexPath  *path = lfirst(lc);
		Oid			index;

		if (IsA(path, IndexPath) && !path->path.parallel_aware &&
			key_of_path(rel, path, &index) != NULL)
			gates = lappend(gates, make_gate(rel, path));
	}
	foreach(lc, gates)
		add_path(rel, lfirst(lc));
}

/* ---------- execution ---------- */

typedef struct GateState
{
	CustomScanState css;
	Relation	index;			/* NULL: everything passes */
	PdsHasher  *hasher;
	ExprState  *key;
	bool		decided;		/* about the key that there is now */
	bool		closed;
	int			probes;			/* in this window */
	int			removed;		/* of them */
	int			passing;		/* so many more pass without being looked at */
	uint64		all_removed;
} GateState;

static void
begin_gate(CustomScanState *node, EState *estate, int eflags)
{
	GateState  *gate = (GateState *) node;
	CustomScan *scan = (CustomScan *) node->ss.ps.plan;
	Expr	   *key = linitial(scan->custom_exprs);

	node->custom_ps = list_make1(ExecInitNode(linitial(scan->custom_plans), estate, eflags));

	/* rows are passed on in the slots of the lookup, whatever they are */
	node->ss.ps.resultopsset = true;
	node->ss.ps.resultopsfixed = false;
	if (eflags & EXEC_FLAG_EXPLAIN_ONLY)
		return;
	gate->key = ExecInitExpr(key, &node->ss.ps);

	/* a row that is checked again has been found already */
	if (estate->es_epq_active != NULL)
		return;
	gate->index = index_open(linitial_oid(scan->custom_private), AccessShareLock);
	if (existence_is_usable(gate->index))
	{
		/* plan_gate() has looked at the operator and its collation */
		Form_pg_attribute column = TupleDescAttr(RelationGetDescr(gate->index), 0);

		gate->hasher = existence_hasher_for(gate->index, column->atttypid, exprType((Node *) key),
											gate->index->rd_indcollation[0],
											estate->es_query_cxt);
	}
}

/* Does the index say that there is no row for the key? */
static inline bool
index_denies(GateState *gate)
{
	ExprContext *context = gate->css.ss.ps.ps_ExprContext;
	MemoryContext old;
	Datum		key;
	bool		isnull;
	bool		absent;

	ResetExprContext(context);
	key = ExecEvalExprSwitchContext(gate->key, context, &isnull);
	old = MemoryContextSwitchTo(context->ecxt_per_tuple_memory);
	pgstat_count_index_scan(gate->index);
	/* the equality is strict */
	absent = isnull || !existence_probe_value(gate->index, gate->hasher, key);
	MemoryContextSwitchTo(old);
	return absent;
}

/* Is there no row for the key, as far as the index is asked? */
static bool
is_absent(GateState *gate)
{
	bool		absent;

	if (gate->hasher == NULL)
		return false;
	if (gate->passing > 0)
	{
		gate->passing--;
		return false;
	}
	absent = index_denies(gate);
	gate->removed += absent;
	gate->all_removed += absent;
	if (++gate->probes == WINDOW)
	{
		if (gate->removed < FEWEST_REMOVED)
			gate->passing = PASSED;
		gate->probes = gate->removed = 0;
	}
	return absent;
}

/* A row of the lookup as a row of ours, if other columns are wanted. */
static TupleTableSlot *
project(CustomScanState *node, TupleTableSlot *row)
{
	TupleTableSlot *scan = node->ss.ss_ScanTupleSlot;

	ExecClearTuple(scan);
	slot_getallattrs(row);
	memcpy(scan->tts_values, row->tts_values, row->tts_tupleDescriptor->natts * sizeof(Datum));
	memcpy(scan->tts_isnull, row->tts_isnull, row->tts_tupleDescriptor->natts * sizeof(bool));
	ExecStoreVirtualTuple(scan);
	ResetExprContext(node->ss.ps.ps_ExprContext);
	node->ss.ps.ps_ExprContext->ecxt_scantuple = scan;
	return ExecProject(node->ss.ps.ps_ProjInfo);
}

static TupleTableSlot *
exec_gate(CustomScanState *node)
{
	GateState  *gate = (GateState *) node;
	TupleTableSlot *row;

	if (!gate->decided)
	{
		gate->closed = is_absent(gate);
		gate->decided = true;
	}
	if (gate->closed)
		return NULL;
	row = ExecProcNode(linitial(node->custom_ps));
	if (TupIsNull(row))
		return NULL;
	return node->ss.ps.ps_ProjInfo == NULL ? row : project(node, row);
}

static void
rescan_gate(CustomScanState *node)
{
	PlanState  *lookup = linitial(node->custom_ps);

	((GateState *) node)->decided = false;
	if (node->ss.ps.chgParam != NULL)
		UpdateChangedParamSet(lookup, node->ss.ps.chgParam);
	/* a node with changed parameters starts again by itself at its next row, if any */
	if (lookup->chgParam == NULL)
		ExecReScan(lookup);
}

static void
end_gate(CustomScanState *node)
{
	GateState  *gate = (GateState *) node;

	ExecEndNode(linitial(node->custom_ps));
	if (gate->index != NULL)
		index_close(gate->index, NoLock);
}

static void
explain_gate(CustomScanState *node, List *ancestors, ExplainState *es)
{
	CustomScan *scan = (CustomScan *) node->ss.ps.plan;

	ExplainPropertyText("Existence Index", get_rel_name(linitial_oid(scan->custom_private)), es);
	if (es->analyze)
		ExplainPropertyInteger("Keys Removed", NULL, (int64) ((GateState *) node)->all_removed, es);
}

static const CustomExecMethods exec_methods = {
	.CustomName = "Existence Gate",
	.BeginCustomScan = begin_gate,
	.ExecCustomScan = exec_gate,
	.EndCustomScan = end_gate,
	.ReScanCustomScan = rescan_gate,
	.ExplainCustomScan = explain_gate
};

static Node *
create_state(CustomScan *scan)
{
	GateState  *gate = palloc0(sizeof(GateState));

	NodeSetTag(gate, T_CustomScanState);
	gate->css.methods = &exec_methods;
	return (Node *) gate;
}

void
existence_gate_init(void)
{
	RegisterCustomScanMethods(&scan_methods);
	previous_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = add_gates;
}
