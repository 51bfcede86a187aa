/*
 * existence_gate.c: an existence index in front of index lookups
 *
 * A nested loop looks up one key after the other in an index of its inner table.  Where an
 * existence index on the same column says "no", the lookup is left out.  The gate is a
 * CustomScan over the index scan.  It passes rows on as they are, so it knows nothing of
 * joins, and fits inner, left, semi and anti joins and correlated subqueries alike.
 *
 * The planner estimates how many keys will be there (existence_estimate.c).  It can be wrong, so
 * the gate finds out, too: where it keeps almost nothing back it lets most keys pass unseen.
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
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "pgstat.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/typcache.h"

#include "existence.h"
#include PDS_EXPLAIN_HEADER

/*
 * The cost of a gated lookup, as a share of the lookup's.  Where the planner cannot know the keys
 * it assumes little, so that a wrong guess does no harm.  Where it can, this is the share of keys
 * that pass, and the probe itself: it takes a tenth of a lookup in a btree (doc/existence.md).
 */
#define SHARE_OF_COST	0.9
#define SHARE_OF_PROBE	0.1

/*
 * An open gate looks at each key.  It becomes idle when it has kept back fewer than FEWEST_REMOVED
 * of WINDOW keys.  An idle gate looks at one key and lets SKIPPED pass, and so on, and opens again
 * when it has kept back IDLE_REMOVED of IDLE_WINDOW that it looked at.
 */
#define WINDOW			1024
#define FEWEST_REMOVED	(WINDOW / 16)
#define SKIPPED			15
#define IDLE_WINDOW		32
#define IDLE_REMOVED	3

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

/*
 * Does a key change from one execution of a scan to the next?  One key for the whole query is
 * not worth a node of the plan, and cursors can do more without it (WHERE CURRENT OF, FETCH
 * BACKWARD).  The result of an uncorrelated subquery is such a key.
 */
static bool
is_variable(PlannerInfo *root, Node *key)
{
	if (contain_var_clause(key))
		return true;
	for (root = root->parent_root; root != NULL; root = root->parent_root)
		/* what this query takes from the one around it */
		if (root->plan_params != NIL)
			return pull_paramids((Expr *) key) != NULL;
	return false;
}

/* The key that a condition of an index scan looks up, if "index" can answer for it. */
static Node *
key_of_condition(PlannerInfo *root, Expr *condition, const IndexOptInfo *index)
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
	/* the lookup evaluates the key, before it has told a subplan which row it is for */
	if (!is_variable(root, key) || contain_volatile_functions(key) || contain_subplans(key))
		return NULL;
	return key;
}

/* The lookup of a key, and an existence index that can answer for the key */
typedef struct Lookup
{
	IndexPath  *path;
	IndexOptInfo *index;
	Node	   *key;
	int			number;			/* of the condition in the plan of the path */
} Lookup;

/* Find the key that an index scan looks up, and the existence index that can answer for it. */
static bool
find_key(PlannerInfo *root, RelOptInfo *rel, Lookup *lookup)
{
	ListCell   *lc;

	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, lc);
		ListCell   *clause;
		int			number = 0;

		if ((void *) index->amcostestimate != (void *) existence_cost || index->hypothetical ||
			index->indexkeys[0] == 0 || (index->indpred != NIL && !index->predOK))
			continue;
		foreach(clause, lookup->path->indexclauses)
		{
			IndexClause *c = lfirst_node(IndexClause, clause);

			lookup->index = index;
			lookup->number = number;
			number += list_length(c->indexquals);
			if (c->lossy || list_length(c->indexquals) != 1)
				continue;
			lookup->key = key_of_condition(root, linitial_node(RestrictInfo, c->indexquals)->clause,
										   index);
			if (lookup->key != NULL)
				return true;
		}
	}
	return false;
}

/* ---------- the plan ---------- */

static Node *create_state(CustomScan *scan);

static const CustomScanMethods scan_methods = {
	.CustomName = "Existence Gate",
	.CreateCustomScanState = create_state
};

/*
 * The planner puts a Result in front of a scan if a condition has no column of the scan's query:
 * i.k = o.k AND o.visible, in a subquery over i.  It puts one in front of the gate, too, so this
 * one is left out.
 */
static Plan *
without_result(Plan *plan)
{
	return IsA(plan, Result) && outerPlan(plan) != NULL ? outerPlan(plan) : plan;
}

static Plan *
plan_gate(PlannerInfo *root, RelOptInfo *rel, CustomPath *path, List *tlist, List *clauses,
		  List *plans)
{
	CustomScan *scan = makeNode(CustomScan);
	Plan	   *lookup = without_result(linitial(plans));

	scan->scan.plan.targetlist = tlist;
	scan->scan.scanrelid = 0;
	scan->flags = path->flags;
	scan->custom_plans = list_make1(lookup);
	scan->custom_scan_tlist = copyObject(lookup->targetlist);
	scan->custom_private = path->custom_private;
	scan->methods = &scan_methods;
	return &scan->scan.plan;
}

static const CustomPathMethods path_methods = {
	.CustomName = "Existence Gate",
	.PlanCustomPath = plan_gate
};

static Path *
make_gate(PlannerInfo *root, RelOptInfo *rel, const Lookup *lookup)
{
	CustomPath *gate = makeNode(CustomPath);
	Path	   *path = &lookup->path->path;
	double		no = existence_share_of_no(root, lookup->index, lookup->key);
	double		share_of_cost = no < 0 ? SHARE_OF_COST : SHARE_OF_PROBE + 1 - no;

	gate->path.pathtype = T_CustomScan;
	gate->path.parent = rel;
	gate->path.pathtarget = path->pathtarget;
	gate->path.param_info = path->param_info;
	gate->path.parallel_safe = path->parallel_safe;
	gate->path.rows = path->rows;
	gate->path.startup_cost = path->startup_cost * share_of_cost;
	gate->path.total_cost = path->total_cost * share_of_cost;
	gate->path.pathkeys = path->pathkeys;
	PDS_COPY_DISABLED_NODES(&gate->path, path);
	gate->flags = PDS_CUSTOMPATH_PROJECTS;
	gate->custom_paths = list_make1(lookup->path);
	gate->custom_private = list_make3_oid(lookup->index->indexoid, exprType(lookup->key),
										  (Oid) lookup->number);
	gate->methods = &path_methods;
	return &gate->path;
}

static void
add_gates(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	List	   *paths = NIL;
	ListCell   *lc;

	if (previous_hook != NULL)
		previous_hook(root, rel, rti, rte);
	if (!existence_gate_enabled || rte->rtekind != RTE_RELATION ||
		(rel->reloptkind != RELOPT_BASEREL && rel->reloptkind != RELOPT_OTHER_MEMBER_REL))
		return;
	/* (a path that is added can take others from the list) */
	foreach(lc, rel->pathlist)
		if (IsA(lfirst(lc), IndexPath) && !((Path *) lfirst(lc))->parallel_aware)
			paths = lappend(paths, lfirst(lc));
	foreach(lc, paths)
	{
		Lookup		lookup = {.path = lfirst(lc)};

		if (find_key(root, rel, &lookup))
			add_path(rel, make_gate(root, rel, &lookup));
	}
}

/* ---------- execution ---------- */

typedef struct GateState
{
	CustomScanState css;
	Relation	index;
	PdsHasher  *hasher;			/* NULL: everything passes */
	ExprState  *evaluate;		/* the lookup's expression for the key */
	ExprState	handed;			/* what the lookup has in its place: the key that we evaluated */
	ExprContext *context;		/* where the key is */
	Datum		key;
	bool		isnull;
	bool		evaluated;		/* the key that there is now */
	bool		decided;		/* about it */
	bool		closed;
	bool		idle;
	int			probes;			/* in this window */
	int			removed;		/* of them */
	int			passing;		/* so many more pass without being looked at */
	uint64		all_removed;
} GateState;

/* Evaluate the key, once, in a context that lives until there is another one. */
static inline void
evaluate_key(GateState *gate)
{
	if (gate->evaluated)
		return;
	ResetExprContext(gate->context);
	gate->key = ExecEvalExprSwitchContext(gate->evaluate, gate->context, &gate->isnull);
	gate->evaluated = true;
}

/* The key for the lookup, in place of its own expression. */
static Datum
hand_key(ExprState *state, ExprContext *context, bool *isnull)
{
	GateState  *gate = state->evalfunc_private;

	evaluate_key(gate);
	*isnull = gate->isnull;
	return gate->key;
}

/* Take the expression for the key from the lookup, which asks us for the key from now on. */
static void
take_key(GateState *gate, PlanState *lookup, int number)
{
	ScanKey		keys;
	IndexRuntimeKeyInfo *runtime;
	int			n;

	if (IsA(lookup, IndexScanState))
	{
		keys = ((IndexScanState *) lookup)->iss_ScanKeys;
		runtime = ((IndexScanState *) lookup)->iss_RuntimeKeys;
		n = ((IndexScanState *) lookup)->iss_NumRuntimeKeys;
	}
	else
	{
		keys = castNode(IndexOnlyScanState, lookup)->ioss_ScanKeys;
		runtime = ((IndexOnlyScanState *) lookup)->ioss_RuntimeKeys;
		n = ((IndexOnlyScanState *) lookup)->ioss_NumRuntimeKeys;
	}
	while (n > 0 && runtime->scan_key != &keys[number])
		n--, runtime++;
	if (n == 0)
		elog(ERROR, "no key for an existence gate");
	gate->evaluate = runtime->key_expr;
	NodeSetTag(&gate->handed, T_ExprState);
	gate->handed.evalfunc = hand_key;
	gate->handed.evalfunc_private = gate;
	runtime->key_expr = &gate->handed;
}

static void
begin_gate(CustomScanState *node, EState *estate, int eflags)
{
	GateState  *gate = (GateState *) node;
	CustomScan *scan = (CustomScan *) node->ss.ps.plan;
	List	   *private = scan->custom_private;

	node->custom_ps = list_make1(ExecInitNode(linitial(scan->custom_plans), estate, eflags));

	/* rows are passed on in the slots of the lookup, whatever they are */
	node->ss.ps.resultopsset = true;
	node->ss.ps.resultopsfixed = false;

	/* a row that is checked again has been found already */
	if ((eflags & EXEC_FLAG_EXPLAIN_ONLY) || estate->es_epq_active != NULL)
		return;
	gate->index = index_open(linitial_oid(private), AccessShareLock);
	if (existence_is_usable(gate->index))
	{
		/* plan_gate() has looked at the operator and its collation */
		Form_pg_attribute column = TupleDescAttr(RelationGetDescr(gate->index), 0);

		gate->hasher = existence_hasher_for(gate->index, column->atttypid, lsecond_oid(private),
											gate->index->rd_indcollation[0], estate->es_query_cxt);
	}
	if (gate->hasher == NULL)
		return;
	gate->context = CreateExprContext(estate);
	take_key(gate, linitial(node->custom_ps), (int) lthird_oid(private));
}

/* Does the index say that there is no row for the key? */
static inline bool
index_denies(GateState *gate)
{
	MemoryContext old;
	bool		absent;

	evaluate_key(gate);
	old = MemoryContextSwitchTo(gate->context->ecxt_per_tuple_memory);
	pgstat_count_index_scan(gate->index);
	/* the equality is strict */
	absent = gate->isnull || !existence_probe_value(gate->index, gate->hasher, gate->key);
	MemoryContextSwitchTo(old);
	return absent;
}

/* Is there no row for the key, as far as the index is asked? */
static bool
is_absent(GateState *gate)
{
	bool		absent;
	int			enough = gate->idle ? IDLE_REMOVED : FEWEST_REMOVED;

	if (gate->hasher == NULL)
		return false;
	if (gate->passing > 0)
	{
		gate->passing--;
		return false;
	}
	absent = index_denies(gate);
	gate->all_removed += absent;
	gate->removed += absent;
	if (++gate->probes == (gate->idle ? IDLE_WINDOW : WINDOW) || gate->removed == enough)
	{
		gate->idle = gate->removed < enough;
		gate->probes = gate->removed = 0;
	}
	if (gate->idle)
		gate->passing = SKIPPED;
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

	/* without other parameters the key is the same */
	if (node->ss.ps.chgParam != NULL)
	{
		((GateState *) node)->evaluated = ((GateState *) node)->decided = false;
		UpdateChangedParamSet(lookup, node->ss.ps.chgParam);
	}
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
