/*
 * answer_expr.c: expressions and queries: looked through, read, and put together
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "answer.h"
#include "ordinary.h"

/* ---------- looked through ---------- */

/*
 * Policies decide who sees what, and who asks can forge a rollup of his own.  An error leaves the
 * query without them: it is the planner's copy, and nobody plans it again.
 */
void
pds_walk_query(Query *query, bool (*walker) (Node *, void *), void *context)
{
	List	   *policies = NIL;
	ListCell   *lc;
	ListCell   *policy;

	foreach(lc, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);

		policies = lappend(policies, rte->securityQuals);
		rte->securityQuals = NIL;
	}
	(void) query_tree_walker(query, walker, context, 0);
	forboth(lc, query->rtable, policy, policies)
		lfirst_node(RangeTblEntry, lc)->securityQuals = lfirst(policy);
}

typedef struct Reading
{
	const Query *query;
	Index		relation;
	int			levels_up;
} Reading;

static bool reads(Node *node, void *context);

/* A column of a join, or a whole row of it, may be one of the relation's. */
static bool
var_reads(const Var *var, const Reading *r)
{
	RangeTblEntry *rte;
	Reading		joined = {r->query, r->relation, 0};

	if ((int) var->varlevelsup != r->levels_up)
		return false;
	if (var->varno == (int) r->relation)
		return true;
	rte = rt_fetch(var->varno, r->query->rtable);
	return rte->rtekind == RTE_JOIN &&
		reads(var->varattno > 0 ? list_nth(rte->joinaliasvars, var->varattno - 1) :
			  (Node *) rte->joinaliasvars, &joined);
}

static bool
reads(Node *node, void *context)
{
	Reading    *r = context;

	if (node == NULL)
		return false;
	if (IsA(node, Var))
		return var_reads((Var *) node, r);
	if (IsA(node, Query))
	{
		bool		result;

		r->levels_up++;
		result = query_tree_walker((Query *) node, reads, context, 0);
		r->levels_up--;
		return result;
	}
	return expression_tree_walker(node, reads, context);
}

bool
pds_reads_relation(Node *node, Index relation, const Query *query)
{
	Reading		r = {query, relation, 0};

	return reads(node, &r);
}

/* ---------- values that an expression names ---------- */

Const *
pds_constant(Node *node)
{
	/* it is computed as who reads the source, and can come from a rollup of somebody else's */
	if (contain_var_clause(node) || contain_mutable_functions(node) || contain_subplans(node) ||
		rollup_calls_foreign_code(node, NULL))
		return NULL;
	node = eval_const_expressions(NULL, node);
	return IsA(node, Const) && !((Const *) node)->constisnull ? (Const *) node : NULL;
}

double
pds_number(Node *node)
{
	Const	   *value = pds_constant(node);
	double		d = 0;

	if (value == NULL)
		return 0;
	switch (value->consttype)
	{
		case INT2OID:
			d = DatumGetInt16(value->constvalue);
			break;
		case INT4OID:
			d = DatumGetInt32(value->constvalue);
			break;
		case INT8OID:
			d = (double) DatumGetInt64(value->constvalue);
			break;
		case FLOAT8OID:
			d = DatumGetFloat8(value->constvalue);
			break;
		case NUMERICOID:
			d = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow,
												   value->constvalue));
			break;
	}
	return d > 0 && d < 1e18 ? d : 0;
}

char *
pds_text(Node *node)
{
	Const	   *value = pds_constant(node);

	return value != NULL && value->consttype == TEXTOID ? TextDatumGetCString(value->constvalue) :
		"";
}

double
pds_unit_seconds(Node *name)
{
	static const struct
	{
		const char *name;
		double		seconds;
	}			units[] = {
		{"microseconds", 1e-6}, {"milliseconds", 1e-3}, {"second", 1}, {"minute", 60},
		{"hour", 3600}, {"day", 86400}, {"week", 7 * 86400}, {"month", 31 * 86400},
		{"quarter", 92 * 86400}, {"year", 366 * 86400}, {"decade", 3653 * 86400},
		{"century", 36525 * 86400.0}, {"millennium", 365250 * 86400.0}
	};
	const char *text = pds_text(name);

	for (size_t i = 0; i < lengthof(units); i++)
		if (pg_strcasecmp(units[i].name, text) == 0)
			return units[i].seconds;
	return 0;
}

pg_tz *
pds_zone(const char *name)
{
	return name[0] == '\0' || strpbrk(name, "0123456789<") != NULL ? NULL : pg_tzset(name);
}

/* ---------- put together ---------- */

typedef struct Replacement
{
	Node	   *what;
	Node	   *by;
} Replacement;

static Node *
replace(Node *node, void *context)
{
	Replacement *r = context;

	if (node == NULL)
		return NULL;
	if (equal(node, r->what))
		return copyObject(r->by);
	return expression_tree_mutator(node, replace, context);
}

Node *
pds_put(Node *g, Node *x, Node *value)
{
	Replacement r = {x, value};

	return replace(g, &r);
}

Node *
pds_parameter(int i, Oid type)
{
	Param	   *param = makeNode(Param);

	param->paramkind = PARAM_EXTERN;
	param->paramid = i;
	param->paramtype = type;
	param->paramtypmod = -1;
	param->location = -1;
	return (Node *) param;
}

ExprState *
pds_prepare(Node *expr, int n, Oid type, EState **estate)
{
	ParamListInfo params = makeParamList(n);

	for (int i = 0; i < n; i++)
		params->params[i] = (ParamExternData) {.pflags = PARAM_FLAG_CONST, .ptype = type};
	*estate = CreateExecutorState();
	(*estate)->es_param_list_info = params;
	return ExecPrepareExpr((Expr *) expr, *estate);
}

Node *
pds_call(Oid function, Oid type, Node *a, Node *b)
{
	return (Node *) makeFuncExpr(function, type, b == NULL ? list_make1(a) : list_make2(a, b),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

Node *
pds_int8(int64 value)
{
	return (Node *) makeConst(INT8OID, -1, InvalidOid, sizeof(int64), Int64GetDatum(value), false,
							  FLOAT8PASSBYVAL);
}

Node *
pds_compare(Node *a, const char *how, Node *b)
{
	static const char *const by_strategy[] = {"<", "<=", "=", ">=", ">"};
	TypeCacheEntry *type = lookup_type_cache(exprType(a), TYPECACHE_BTREE_OPFAMILY);
	bool		differs = strcmp(how, "<>") == 0;
	int16		strategy = BTLessStrategyNumber;
	Expr	   *result;

	while (strcmp(by_strategy[strategy - 1], differs ? "=" : how) != 0)
		strategy++;
	result = make_opclause(get_opfamily_member(type->btree_opf, type->btree_opintype,
											   type->btree_opintype, strategy),
						   BOOLOID, false, (Expr *) a, (Expr *) b, InvalidOid, exprCollation(a));
	set_opfuncid((OpExpr *) result);
	return (Node *) (differs ? make_notclause(result) : result);
}

Node *
pds_aggregate(Oid function, Node *arg, Expr *filter, Oid type, Oid collation)
{
	Aggref	   *a = makeNode(Aggref);

	a->aggfnoid = function;
	a->aggtype = type;
	a->aggcollid = collation;
	a->aggstar = arg == NULL;
	if (arg != NULL)
	{
		a->inputcollid = exprCollation(arg);
		a->aggargtypes = list_make1_oid(exprType(arg));
		a->args = list_make1(makeTargetEntry((Expr *) arg, 1, NULL, false));
	}
	a->aggfilter = copyObject(filter);
	a->aggkind = AGGKIND_NORMAL;
	a->aggsplit = AGGSPLIT_SIMPLE;
	a->aggno = a->aggtransno = -1;
	a->location = -1;
	return (Node *) a;
}

Node *
pds_answer_column(int i, AnswerMatch *m)
{
	const AnswerColumn *c = &m->column[i];

	m->used[i] = true;
	return (Node *) makeVar(m->result, (AttrNumber) (i + 1), c->type, c->typmod, c->collation, 0);
}
