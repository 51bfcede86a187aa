/*
 * answer_edges.c: the rows of a range that are not whole groups (answer_range.c)
 *
 * Where the bounds are known when the query is planned, so is where the groups of p and q end, and
 *
 *     lo <= x < e            lower edge, up to the first x of the next group; e is p + 1 if none
 *     b <= x < hi            upper edge, from the first x of q's group on; b is q if none
 *
 * are all that is read of the source.  Where a bound is known only later, the edge asks for g(x).
 * An index finds it by x: rows of p's group are not farther from p than a group is long.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_language.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "common/int.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/optimizer.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "compat.h"
#include "answer.h"

/* ---------- values near a bound ---------- */

/* A type whose values are numbers of steps: of 1, of a day, of a microsecond */
typedef struct Steps
{
	int64		least;			/* of dates and timestamps these are infinite */
	int64		most;
	int64		low;			/* values of the calendar are between these */
	int64		high;
} Steps;

/* False if values of the type are no steps. */
static bool
steps_of(Oid type, Steps *s)
{
	switch (type)
	{
		case INT2OID:
			*s = (Steps) {PG_INT16_MIN, PG_INT16_MAX, PG_INT16_MIN, PG_INT16_MAX};
			return true;
		case INT4OID:
			*s = (Steps) {PG_INT32_MIN, PG_INT32_MAX, PG_INT32_MIN, PG_INT32_MAX};
			return true;
		case INT8OID:
			*s = (Steps) {PG_INT64_MIN, PG_INT64_MAX, PG_INT64_MIN, PG_INT64_MAX};
			return true;
		case DATEOID:
			*s = (Steps) {DATEVAL_NOBEGIN, DATEVAL_NOEND,
				DATETIME_MIN_JULIAN - POSTGRES_EPOCH_JDATE,
				DATE_END_JULIAN - POSTGRES_EPOCH_JDATE - 1};
			return true;
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			*s = (Steps) {DT_NOBEGIN, DT_NOEND, MIN_TIMESTAMP, END_TIMESTAMP - 1};
			return true;
		default:
			return false;
	}
}

bool
pds_has_steps(Oid type)
{
	Steps		s;

	return steps_of(type, &s);
}

static int64
to_number(Datum value, Oid type)
{
	return type == INT2OID ? DatumGetInt16(value) :
		type == INT4OID || type == DATEOID ? DatumGetInt32(value) : DatumGetInt64(value);
}

static Datum
from_number(int64 number, Oid type)
{
	return type == INT2OID ? Int16GetDatum((int16) number) :
		type == INT4OID || type == DATEOID ? Int32GetDatum((int32) number) :
		Int64GetDatum(number);
}

/*
 * _probds_shift(bound anyelement, steps bigint): the value so many steps above or below, in steps
 * of its type: 1, a day of a date, a microsecond of a timestamp.  A value that the type does not
 * have becomes the last one that it has: infinity, for dates and timestamps.
 */
PG_FUNCTION_INFO_V1(probds_shift);
Datum
probds_shift(PG_FUNCTION_ARGS)
{
	Oid			type = get_fn_expr_argtype(fcinfo->flinfo, 0);
	int64		steps = PG_GETARG_INT64(1);
	int64		value;
	int64		result;
	Steps		s;

	if (!steps_of(type, &s))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("values of type %s cannot be shifted", format_type_be(type))));
	value = to_number(PG_GETARG_DATUM(0), type);
	if (value == s.least || value == s.most)
		result = value;
	else if (pg_add_s64_overflow(value, steps, &result) || result < s.low || result > s.high)
		result = steps < 0 ? s.least : s.most;
	PG_RETURN_DATUM(from_number(result, type));
}

Node *
pds_shifted(Node *value, int64 steps, const AnswerMatch *m)
{
	return steps == 0 ? value :
		pds_call(m->rollup->shift, exprType(value), value, pds_int8(steps));
}

/* ---------- what is known when the query is planned ---------- */

/* May a function give another result when the plan is executed, at once, in this transaction? */
static bool
may_change(Oid function, void *context)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Form_pg_proc form;
	bool		result;

	if (!HeapTupleIsValid(tuple))
		return true;
	form = (Form_pg_proc) GETSTRUCT(tuple);
	result = form->provolatile != PROVOLATILE_IMMUTABLE &&
		(form->prolang != INTERNALlanguageId || form->pronamespace != PG_CATALOG_NAMESPACE ||
		 function == F_STATEMENT_TIMESTAMP);
	ReleaseSysCache(tuple);
	return result;
}

/* context: ParamListInfo, or NULL */
static bool
is_open(Node *node, void *context)
{
	ParamListInfo params = context;

	if (node == NULL)
		return false;
	if (IsA(node, Param))
	{
		const Param *p = (Param *) node;

		return p->paramkind != PARAM_EXTERN || params == NULL || params->paramFetch != NULL ||
			p->paramid > params->numParams ||
			!(params->params[p->paramid - 1].pflags & PARAM_FLAG_CONST);
	}
	return IsA(node, Var) || check_functions_in_node(node, may_change, NULL) ||
		expression_tree_walker(node, is_open, context);
}

/* A bound's value, as a number of steps; false if it is not known, or is no finite one. */
static bool
read_bound(Node *value, const Steps *s, ParamListInfo params, int64 *number)
{
	PlannerGlobal global = {.boundParams = params};
	PlannerInfo root = {.glob = &global};
	Const	   *known;

	if (value == NULL || is_open(value, params))
		return false;
	known = (Const *) estimate_expression_value(&root, value);
	if (!IsA(known, Const) || known->constisnull)
		return false;
	*number = to_number(known->constvalue, known->consttype);
	return *number > s->least && *number < s->most;
}

bool
pds_is_extreme(Node *bound, const AnswerMatch *m)
{
	/* date_bin() counts from its origin, and int64 has not all microseconds of the calendar */
	const int64 margin = 10000 * INT64CONST(366);
	int64		day = exprType(bound) == DATEOID ? 1 : USECS_PER_DAY;
	int64		number;
	Steps		s;

	/* numbers have no infinity */
	return steps_of(exprType(bound), &s) && s.least < s.low &&
		read_bound(bound, &s, m->params, &number) &&
		(number < s.low + 366 * day || number / day > END_TIMESTAMP / USECS_PER_DAY - margin);
}

/* The key's expression g over one value */
typedef struct Grouping
{
	Oid			type;			/* of x */
	EState	   *estate;
	ExprState  *state;
	TypeCacheEntry *cache;		/* of g(x) */
	Oid			collation;
	bool		isnull;			/* some g(x) was NULL */
} Grouping;

static Datum
group_at(Grouping *g, int64 x)
{
	bool		isnull;
	Datum		result;

	g->estate->es_param_list_info->params[0].value = from_number(x, g->type);
	result = ExecEvalExpr(g->state, GetPerTupleExprContext(g->estate), &isnull);
	g->isnull |= isnull;
	return result;
}

/* g(a) <=> g(b); 0 where one of them is NULL */
static int
compare_groups(Grouping *g, Datum a, int64 b)
{
	Datum		other = group_at(g, b);

	return g->isnull ? 0 :
		DatumGetInt32(FunctionCall2Coll(&g->cache->cmp_proc_finfo, g->collation, a, other));
}

/*
 * A bound whose value is known: its group, and the edge's end.  For the lower one this is the first
 * x of the next group, for the upper one the first x of its own.
 */
static void
know_bound(AnswerBound *b, bool upper, int64 number, int64 reach, const Steps *s, Grouping *g,
		   const AnswerColumn *key)
{
	int64		low;
	int64		high;
	Datum		group = group_at(g, number);

	if (g->isnull || reach > PG_INT64_MAX / 8 ||
		pg_add_s64_overflow(number, upper ? -reach : reach, upper ? &low : &high))
		return;
	if (upper)
		high = number;
	else
		low = number;
	/* g may add the offset of a zone, and must have a value that its type has */
	if (low < s->low + 2 * reach || high > s->high - 2 * reach)
		return;
	/* low is in an earlier group than the end, high is not */
	if (upper ? compare_groups(g, group, low) <= 0 : compare_groups(g, group, high) >= 0)
		return;
	while (high - low > 1)
	{
		int64		middle = low + (high - low) / 2;
		int			order = compare_groups(g, group, middle);

		if (upper ? order > 0 : order >= 0)
			low = middle;
		else
			high = middle;
	}
	if (g->isnull)
		return;
	b->empty = upper ? high == number : high == number + 1;
	b->group = (Node *) makeConst(key->type, key->typmod, key->collation, g->cache->typlen,
								  datumCopy(group, g->cache->typbyval, g->cache->typlen), false,
								  g->cache->typbyval);
	b->end = (Node *) makeConst(g->type, -1, InvalidOid, get_typlen(g->type),
								from_number(high, g->type), false, get_typbyval(g->type));
}

void
pds_know_edges(AnswerMatch *m)
{
	const AnswerColumn *key = &m->column[m->range.key];
	AnswerRange *r = &m->range;
	Grouping	g = {.type = exprType(r->base), .collation = key->collation};
	Steps		s;
	int64		lower;
	int64		upper;
	bool		knows_lower;
	bool		knows_upper;

	(void) steps_of(g.type, &s);
	knows_lower = read_bound(r->lower.value, &s, m->params, &lower);
	knows_upper = read_bound(r->upper.value, &s, m->params, &upper);
	if (!knows_lower && !knows_upper)
		return;
	g.state = pds_prepare(pds_put((Node *) key->expr, r->base, pds_parameter(1, g.type)), 1, g.type,
						  &g.estate);
	g.cache = lookup_type_cache(key->type, TYPECACHE_CMP_PROC_FINFO);
	if (knows_lower)
		know_bound(&r->lower, false, lower, r->reach, &s, &g, key);
	if (knows_upper)
		know_bound(&r->upper, true, upper, r->reach, &s, &g, key);
	if (r->lower.end != NULL && r->upper.end != NULL &&
		to_number(((Const *) r->lower.end)->constvalue, g.type) >=
		to_number(((Const *) r->upper.end)->constvalue, g.type))
		m->reason = "the range has no whole group";
	FreeExecutorState(g.estate);
}

/* ---------- reading ---------- */

/* From the level of the query into a SELECT of the rollup's UNION */
static Node *
moved(Node *node)
{
	node = copyObject(node);
	IncrementVarSublevelsUp(node, 2, 1);
	return node;
}

/* The group of a value of the base */
static Node *
group_at_value(Node *value, const AnswerMatch *m)
{
	return moved(pds_put((Node *) m->column[m->range.key].expr, m->range.base, value));
}

/* The group that a bound is in */
static Node *
group_of(const AnswerBound *b, const AnswerMatch *m)
{
	return b->group != NULL ? copyObject(b->group) : group_at_value(b->value, m);
}

static void
add_condition(Query *query, Node *condition)
{
	query->jointree->quals = make_and_qual(query->jointree->quals, condition);
}

void
pds_leave_edges(Query *read, const AnswerMatch *m)
{
	ListCell   *lc;

	foreach(lc, read->rtable)
	{
		Query	   *select = lfirst_node(RangeTblEntry, lc)->subquery;
		Node	   *key = (Node *) list_nth_node(TargetEntry, select->targetList,
												 m->range.key)->expr;

		if (m->range.lower.value != NULL)
			add_condition(select, pds_compare(copyObject(key), ">", group_of(&m->range.lower, m)));
		if (m->range.upper.value != NULL)
			add_condition(select, pds_compare(copyObject(key), "<", group_of(&m->range.upper, m)));
	}
}

/* The columns that nobody asks for become NULL, and do not group. */
static void
drop_unused(Query *query, const AnswerMatch *m)
{
	ListCell   *lc;

	foreach(lc, query->targetList)
	{
		TargetEntry *entry = lfirst(lc);
		int			i = foreach_current_index(lc);

		if (m->used[i])
			continue;
		query->groupClause =
			list_delete_ptr(query->groupClause,
							get_sortgroupref_clause_noerr(entry->ressortgroupref,
														  query->groupClause));
		entry->ressortgroupref = 0;
		entry->expr = (Expr *) makeNullConst(m->column[i].type, m->column[i].typmod,
											 m->column[i].collation);
	}
	if (query->groupClause == NIL)
	{
		/* no row is not a row */
		query->havingQual = pds_compare(pds_aggregate(F_COUNT_, NULL, NULL, INT8OID, InvalidOid),
										">", pds_int8(0));
		query->hasAggs = true;
	}
}

/* SELECT of the source's rows in a bound's group that the range has; NULL if it has none. */
static Query *
compute_edge(const Query *q, const AnswerBound *b, bool upper, const AnswerMatch *m)
{
	Query	   *query;
	RangeTblEntry *rte;
	Node	   *conditions;
	Node	   *x;

	if (b->value == NULL || b->empty)
		return NULL;
	query = copyObject(m->rollup->compute);
	rte = copyObject(rt_fetch(m->source, q->rtable));
	query->rtable = list_make1(rte);
	PDS_TAKE_PERMISSION(query, rte, q);
	drop_unused(query, m);
	conditions = moved((Node *) list_make3(make_ands_explicit(m->range.conditions),
										   m->column[m->range.key].expr, m->range.base));
	ChangeVarNodes(conditions, (int) m->source, 1, 0);
	x = lthird((List *) conditions);
	add_condition(query, linitial((List *) conditions));
	if (b->end != NULL)
		add_condition(query, pds_compare(x, upper ? ">=" : "<", b->end));
	else
	{
		/* no row where the range begins or ends with a group: this is found out once */
		add_condition(query, pds_compare(group_at_value(pds_shifted(b->value, upper ? -1 : 1, m),
														m), "=", group_of(b, m)));
		add_condition(query, pds_compare(lsecond((List *) conditions), "=", group_of(b, m)));
		/* an index finds them by this */
		add_condition(query, pds_compare(x, upper ? ">=" : "<=",
										 moved(pds_shifted(b->value, upper ? -m->range.reach :
														   m->range.reach, m))));
	}
	if (upper && m->range.lower.value != NULL &&
		(b->end == NULL || m->range.lower.end == NULL))
		add_condition(query, pds_compare(group_of(&m->range.lower, m), "<>", group_of(b, m)));
	return query;
}

List *
pds_compute_edges(const Query *q, const AnswerMatch *m)
{
	Query	   *lower = compute_edge(q, &m->range.lower, false, m);
	Query	   *upper = compute_edge(q, &m->range.upper, true, m);

	return list_concat(lower != NULL ? list_make1(lower) : NIL,
					   upper != NULL ? list_make1(upper) : NIL);
}
