/*
 * answer_match.c: expressions of a query, computed from the columns of a rollup
 *
 * An expression of the source's rows is either a key of the rollup, or inside an aggregate that
 * the rollup has, or computed from these.  The rollup gives any number of rows for a group, each
 * over some of the group's rows.  So an aggregate merges, and joins and conditions over keys do to
 * each row what they would do to the rows that it stands for.
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_class.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "compat.h"
#include "answer.h"
#include "ordinary.h"

/* ---------- aggregates ---------- */

static void
require_right(Oid function, AnswerMatch *m)
{
	if (!OidIsValid(function) || !PDS_MAY_EXECUTE(function))
		m->reason = "you may not execute a function that computes or merges its results";
}

/* The merge of column i; a sum is numeric. */
static Node *
merge_column(int i, Expr *filter, AnswerMatch *m)
{
	const AnswerColumn *c = &m->column[i];
	const Aggref *made = (const Aggref *) c->expr;
	bool		sums = c->merge == ROLLUP_SUM;
	Oid			function = c->merge == ROLLUP_UNION ? c->merge_agg : made->aggfnoid;

	if (sums)
		function = c->type == INT8OID ? F_SUM_INT8 : F_SUM_NUMERIC;
	require_right(function, m);
	/* it computes the edges of a range */
	require_right(made->aggfnoid, m);
	return pds_aggregate(function, pds_answer_column(i, m), filter,
						 sums ? NUMERICOID : made->aggtype, sums ? InvalidOid : made->aggcollid);
}

static Node *
or_zero(Node *value)
{
	CoalesceExpr *c = makeNode(CoalesceExpr);

	c->coalescetype = INT8OID;
	c->args = list_make2(value, pds_int8(0));
	c->location = -1;
	return (Node *) c;
}

/* What an aggregate is called that is the server's, or ours; else nothing. */
static const char *
known_name(Oid function)
{
	return get_func_namespace(function) == PG_CATALOG_NAMESPACE ||
		pds_is_our_function(function) ? get_func_name(function) : "";
}

static Node *
first_argument(const Aggref *a)
{
	return a->args == NIL ? NULL : (Node *) linitial_node(TargetEntry, a->args)->expr;
}

/* Is it a column that never is NULL, or a constant that is not?  Children may have NULLs. */
static bool
is_never_null(Node *node, const AnswerMatch *m)
{
	const Var  *var = (Var *) node;
	Relation	rel;
	bool		result;

	if (IsA(node, Const))
		return !((Const *) node)->constisnull;
	if (!IsA(node, Var) || var->varno != (int) m->source || var->varlevelsup != 0 ||
		var->varattno <= 0)
		return false;
	rel = table_open(m->relid, NoLock);
	result = PDS_NEVER_NULL(rel, var->varattno) &&
		(rel->rd_rel->relkind != RELKIND_RELATION || !rel->rd_rel->relhassubclass);
	table_close(rel, NoLock);
	return result;
}

/* The rollup's column of an aggregate that is computed by "function" of the same values; or -1. */
static int
find_aggregate(const Aggref *like, Oid function, Expr *filter, const AnswerMatch *m)
{
	for (int i = 0; i < m->rollup->columns; i++)
	{
		const Aggref *a = (const Aggref *) m->column[i].expr;

		if (!m->column[i].is_key && a->aggfnoid == function && equal(a->args, like->args) &&
			equal(a->aggfilter, filter) && a->inputcollid == like->inputcollid)
			return i;
	}
	return -1;
}

/* The column that counts the rows where a value is not NULL. */
static int
find_count(const Aggref *like, Expr *filter, const AnswerMatch *m)
{
	Node	   *arg = first_argument(like);
	int			i = arg != NULL ? find_aggregate(like, F_COUNT_ANY, filter, m) : -1;
	Aggref		all = {.args = NIL};

	return i >= 0 || (arg != NULL && !is_never_null(arg, m)) ? i :
		find_aggregate(&all, F_COUNT_, filter, m);
}

/* The precision of an hll_agg() or approx_count_distinct(); 0 if it is no constant. */
static int32
precision_of(const Aggref *a)
{
	const Const *precision;

	if (list_length(a->args) == 1)
		return PDS_DEFAULT_PRECISION;
	precision = (const Const *) lsecond_node(TargetEntry, a->args)->expr;
	return !IsA(precision, Const) || precision->constisnull ? 0 :
		DatumGetInt32(precision->constvalue);
}

/*
 * The column whose sketches approx_count_distinct() would make.  The edges of a range are computed
 * by its aggregate.
 */
static int
find_distinct(const Aggref *count, Expr *filter, const AnswerMatch *m)
{
	for (int i = 0; i < m->rollup->columns; i++)
	{
		const Aggref *a = (const Aggref *) m->column[i].expr;

		if (!m->column[i].is_key && m->column[i].merge == ROLLUP_UNION &&
			strcmp(known_name(a->aggfnoid), "hll_agg") == 0 && equal(a->aggfilter, filter) &&
			equal(first_argument(a), first_argument(count)) &&
			a->inputcollid == count->inputcollid && precision_of(a) == precision_of(count) &&
			precision_of(a) != 0)
			return i;
	}
	return -1;
}

/* The aggregate with this filter, computed from the rollup's columns; NULL if it cannot be. */
static Node *
from_columns(const Aggref *a, const char *name, Expr *filter, Expr *ours, AnswerMatch *m)
{
	int			i;

	if (a->aggfnoid == F_COUNT_ || a->aggfnoid == F_COUNT_ANY)
	{
		i = find_count(a, filter, m);
		return i < 0 ? NULL :
			or_zero(pds_call(F_INT8_NUMERIC, INT8OID, merge_column(i, ours, m), NULL));
	}
	if (strcmp(name, "approx_count_distinct") == 0)
	{
		Oid			function;

		i = find_distinct(a, filter, m);
		if (i < 0)
			return NULL;
		function = pds_function("hll_cardinality", 1, m->column[i].type);
		require_right(function, m);
		return or_zero(pds_call(function, INT8OID, merge_column(i, ours, m), NULL));
	}
	if (strcmp(name, "avg") == 0)
	{
		Oid			type = linitial_oid(a->aggargtypes);
		int			count = find_count(a, filter, m);

		i = type != INT2OID && type != INT4OID && type != INT8OID && type != NUMERICOID ? -1 :
			find_aggregate(a, type == INT2OID ? F_SUM_INT2 : type == INT4OID ? F_SUM_INT4 :
						   type == INT8OID ? F_SUM_INT8 : F_SUM_NUMERIC, filter, m);
		if (i < 0 || count < 0)
			return NULL;
		return pds_call(F_NUMERIC_DIV, NUMERICOID, merge_column(i, ours, m),
						merge_column(count, ours, m));
	}
	i = find_aggregate(a, a->aggfnoid, filter, m);
	if (i < 0)
		return NULL;
	switch (m->column[i].merge)
	{
		case ROLLUP_SUM:
			/* the last digits of a float depend on the order of the rows */
			if (a->aggtype != INT8OID && a->aggtype != NUMERICOID)
				return NULL;
			return a->aggtype == INT8OID ?
				pds_call(F_INT8_NUMERIC, INT8OID, merge_column(i, ours, m), NULL) :
				merge_column(i, ours, m);
		case ROLLUP_MIN:
		case ROLLUP_MAX:
			if (!m->column[i].looks_same)
				return NULL;
			pg_fallthrough;
		default:
			return merge_column(i, ours, m);
	}
}

/* Does it not matter how often the aggregate sees a value? */
static bool
ignores_repetition(const Aggref *a, const char *name)
{
	static const char *const names[] = {"min", "max", "bool_and", "bool_or", "every", "bit_and",
		"bit_or", "approx_count_distinct"};

	if (a->aggkind != AGGKIND_NORMAL)
		return false;
	if (a->aggdistinct != NIL)
		return true;
	for (size_t i = 0; i < lengthof(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static Node *
answer_aggregate(Aggref *a, AnswerMatch *m)
{
	const char *name = known_name(a->aggfnoid);
	Node	   *result = NULL;

	if (a->agglevelsup > 0)
		return (Node *) a;
	if (a->aggdistinct == NIL && a->aggorder == NIL &&
		a->aggkind == AGGKIND_NORMAL)
	{
		result = from_columns(a, name, a->aggfilter, NULL, m);
		if (result == NULL && a->aggfilter != NULL)
		{
			AnswerMatch trial = *m;
			Expr	   *filter = (Expr *) pds_answer_expression((Node *) a->aggfilter, &trial);

			if (trial.reason == NULL)
				result = from_columns(a, name, NULL, filter, m);
		}
		if (result != NULL)
			return result;
	}
	/* without keys there is a row where the source has none: max(1) is NULL then */
	if (ignores_repetition(a, name) && m->rollup->keys > 0)
		return expression_tree_mutator((Node *) a, pds_answer_expression, m);
	m->reason = psprintf("the query asks for an aggregate (%s) that it does not have",
						 get_func_name(a->aggfnoid));
	return (Node *) a;
}

/* ---------- expressions ---------- */

/* The key that an expression of the source is, or -1.  A constant has a value without rows. */
static int
find_key(Node *node, const AnswerMatch *m)
{
	for (int i = 0; i < m->rollup->columns; i++)
		if (m->column[i].is_key && nodeTag(node) == nodeTag(m->column[i].expr) &&
			equal(node, m->column[i].expr))
			return pds_reads_relation(node, m->source, m->query) ? i : -1;
	return -1;
}

static char *
key_list(const AnswerMatch *m)
{
	StringInfoData s;

	initStringInfo(&s);
	for (int i = 0; i < m->rollup->columns; i++)
		if (m->column[i].is_key)
			appendStringInfo(&s, "%s%s", s.len > 0 ? ", " : "", m->column[i].name);
	return s.len > 0 ? s.data : "nothing";
}

/* A column of a join, which has a name of its own */
static Node *
answer_joined(Var *var, AnswerMatch *m)
{
	RangeTblEntry *rte = rt_fetch(var->varno, m->query->rtable);
	Node	   *column;

	if (rte->rtekind != RTE_JOIN)
		return (Node *) var;
	if (var->varattno <= 0)
	{
		m->reason = "the query asks for whole rows of a join";
		return (Node *) var;
	}
	column = list_nth(rte->joinaliasvars, var->varattno - 1);
	return pds_reads_relation(column, m->source, m->query) ? pds_answer_expression(column, m) :
		(Node *) var;
}

/* An answered expression with what it groups by in the place of PDS_GROUP_EXPRS()'s columns. */
static Node *
ungroup(Node *node, void *context)
{
	const AnswerMatch *m = context;
	Var		   *var = (Var *) node;

	if (node == NULL)
		return NULL;
	if (IsA(node, Var) && var->varlevelsup == 0 && var->varno <= list_length(m->query->rtable) &&
		PDS_GROUP_EXPRS(rt_fetch(var->varno, m->query->rtable)) != NULL)
		return list_nth(m->answered, var->varattno - 1);
	return expression_tree_mutator(node, ungroup, context);
}

/*
 * Outside of aggregates, grouping sets make NULLs of grouped expressions, and of what is computed
 * from these.  So they are found first, and no key stands for what is computed from them.
 */
static Node *
answer_grouped(Node *node, AnswerMatch *m)
{
	List	   *grouped = m->grouped;
	Node	   *result;

	if (IsA(node, Aggref) || IsA(node, Var) || IsA(node, Query) || list_member(grouped, node))
	{
		m->grouped = NIL;
		result = pds_answer_expression(node, m);
		m->grouped = grouped;
		return result;
	}
	result = expression_tree_mutator(node, pds_answer_expression, m);
	if (list_member(m->answered, ungroup(result, m)))
		m->reason = "the query computes in two ways what its grouping sets group by";
	return result;
}

Node *
pds_answer_expression(Node *node, void *context)
{
	AnswerMatch *m = context;
	int			key;
	Node	   *nested;

	if (node == NULL || m->reason != NULL)
		return node;
	if (m->grouped != NIL)
		return answer_grouped(node, m);
	if (IsA(node, Aggref))
		return answer_aggregate((Aggref *) node, m);
	if (IsA(node, RangeTblRef) && ((RangeTblRef *) node)->rtindex == (int) m->source)
	{
		RangeTblRef *ref = makeNode(RangeTblRef);

		ref->rtindex = (int) m->result;
		return (Node *) ref;
	}
	key = find_key(node, m);
	if (key >= 0)
	{
		if (m->column[key].looks_same)
			return pds_answer_column(key, m);
		m->reason = psprintf("values of \"%s\" can be equal and look different",
							 m->column[key].name);
		return node;
	}
	nested = pds_answer_nested(node, m);
	if (nested != NULL)
		return nested;
	if (IsA(node, Var))
	{
		Var		   *var = (Var *) node;

		if (var->varno == (int) m->source && var->varlevelsup == 0)
			m->reason = var->varattno > 0 ?
				psprintf("it groups by %s, and the query asks for column \"%s\"", key_list(m),
						 get_attname(m->relid, var->varattno, false)) :
				"the query asks for whole rows or system columns";
		return var->varlevelsup == 0 ? answer_joined(var, m) : node;
	}
	if (IsA(node, Query))
	{
		if (pds_reads_relation(node, m->source, m->query))
			m->reason = "a subquery asks for its source's rows";
		else if (contain_aggs_of_level(node, 1))
			m->reason = "a subquery has an aggregate of the query";
		return node;
	}
	return expression_tree_mutator(node, pds_answer_expression, context);
}
