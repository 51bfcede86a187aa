/*
 * answer_range.c: conditions that cut through groups
 *
 * A dashboard asks for the rows between two times, and a rollup has days.  Where an expression g
 * that a rollup groups by never falls while x rises, the rows of a range of x are whole groups and
 * two edges.  Let p be the largest value below the range and q the smallest above it, then
 *
 *     g(p) < g(x) < g(q)     whole groups, which the rollup has
 *     g(x) = g(p)            the lower edge: the source's rows, under the conditions of the query
 *     g(x) = g(q)            the upper edge, if it is another group
 *
 * A range that begins where a group does has an empty lower edge, because p is in the group before.
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "pgtime.h"
#include "rewrite/rewriteManip.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "compat.h"
#include "answer.h"

/* ---------- expressions that never fall ---------- */

/* A way from x to g(x) */
typedef struct Way
{
	double		unit;			/* of x that one of the value is: microseconds, or 1 */
	double		length;			/* of a group, the same; steps may not nest, so they add up */
	List	   *zones;			/* pg_tz * whose clocks it follows */
} Way;

static double
interval_length(Const *value)
{
	Interval   *i;

	if (value == NULL || value->consttype != INTERVALOID)
		return 0;
	i = DatumGetIntervalP(value->constvalue);
	return i->month != 0 ? 0 : (double) i->day * (double) USECS_PER_DAY + (double) i->time;
}

static bool never_falls(Node *g, Node *x, Way *way);

/* g is a call: of a function of one argument that varies, the others are constants */
static bool
call_never_falls(Oid function, List *args, Node *x, Way *way)
{
	Node	   *first = linitial(args);
	Node	   *second = list_length(args) > 1 ? lsecond(args) : NULL;
	double		n;
	double		length = 0;
	pg_tz	   *zone = NULL;
	bool		follows = false;

	switch (function)
	{
		case F_DATE_TIMESTAMPTZ:
			zone = session_timezone;
			follows = true;
			pg_fallthrough;
		case F_DATE_TIMESTAMP:
			length = (double) USECS_PER_DAY;
			break;
		case F_TIMESTAMP_TIMESTAMPTZ:
		case F_TIMESTAMPTZ_DATE:
			zone = session_timezone;
			follows = true;
			break;
		case F_TIMESTAMP_DATE:
		case F_INT8_INT4:
		case F_INT8_INT2:
		case F_INT4_INT2:
		case F_NUMERIC_INT8:
		case F_NUMERIC_INT4:
		case F_NUMERIC_INT2:
			break;
		case F_TIMEZONE_TEXT_TIMESTAMPTZ:
			zone = pds_zone(pds_text(first));
			follows = true;
			first = second;
			break;
		case F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT:
		case F_DATE_TRUNC_TEXT_TIMESTAMPTZ:
			zone = list_length(args) < 3 ? session_timezone :
				pds_zone(pds_text(lthird(args)));
			follows = true;
			pg_fallthrough;
		case F_DATE_TRUNC_TEXT_TIMESTAMP:
			length = pds_unit_seconds(first) * 1e6;
			if (length == 0)
				return false;
			first = second;
			break;
		case F_DATE_BIN_INTERVAL_TIMESTAMPTZ_TIMESTAMPTZ:
		case F_DATE_BIN_INTERVAL_TIMESTAMP_TIMESTAMP:
			length = interval_length(pds_constant(first));
			if (length <= 0 || pds_constant(lthird(args)) == NULL)
				return false;
			first = second;
			break;
		case F_EXTRACT_TEXT_TIMESTAMPTZ:
		case F_EXTRACT_TEXT_TIMESTAMP:
		case F_EXTRACT_TEXT_DATE:
		case F_DATE_PART_TEXT_TIMESTAMPTZ:
		case F_DATE_PART_TEXT_TIMESTAMP:
		case F_DATE_PART_TEXT_DATE:
			if (strcmp(pds_text(first), "epoch") != 0 || !never_falls(second, x, way))
				return false;
			way->unit *= 1e6;
			return true;
		case F_FLOOR_NUMERIC:
		case F_FLOOR_FLOAT8:
			if (!never_falls(first, x, way))
				return false;
			way->length += way->unit;
			return true;
		case F_INT2DIV:
		case F_INT4DIV:
		case F_INT8DIV:
		case F_INT84DIV:
		case F_INT82DIV:
		case F_INT42DIV:
		case F_NUMERIC_DIV:
		case F_FLOAT8DIV:
			n = pds_number(second);
			if (n == 0 || !never_falls(first, x, way))
				return false;
			way->unit *= n;
			/* the group of 0 is twice as long */
			if (function != F_NUMERIC_DIV && function != F_FLOAT8DIV)
				way->length += 2 * way->unit;
			return true;
		case F_INT4MUL:
		case F_INT8MUL:
		case F_INT84MUL:
		case F_NUMERIC_MUL:
		case F_FLOAT8MUL:
			n = pds_number(second);
			if (n == 0 || !never_falls(first, x, way))
				return false;
			way->unit /= n;
			/* a product that is larger than x may be out of range at a bound */
			return way->unit >= 1;
		default:
			return false;
	}
	if (follows && zone == NULL)
		return false;
	if (!never_falls(first, x, way))
		return false;
	way->length += length;
	if (follows)
		way->zones = lappend(way->zones, zone);
	return true;
}

/* Does g, which reads the source only inside x, never fall while x rises? */
static bool
never_falls(Node *g, Node *x, Way *way)
{
	if (equal(g, x))
		return true;
	if (IsA(g, RelabelType))
		return never_falls((Node *) ((RelabelType *) g)->arg, x, way);
	if (IsA(g, FuncExpr) && ((FuncExpr *) g)->args != NIL)
		return call_never_falls(((FuncExpr *) g)->funcid, ((FuncExpr *) g)->args, x, way);
	if (IsA(g, OpExpr))
		return call_never_falls(get_opcode(((OpExpr *) g)->opno), ((OpExpr *) g)->args, x, way);
	return false;
}

/* ---------- clocks that run back ---------- */

/* Between the times at which clocks are set, local time does not fall. */
bool
pds_ever_with_clocks(Node *condition, List *zones, double *back)
{
	EState	   *estate;
	ExprState  *state = pds_prepare(condition, PDS_CLOCK_TIMES, TIMESTAMPTZOID, &estate);
	ParamExternData *given = estate->es_param_list_info->params;
	bool		ever = false;
	ListCell   *lc;

	foreach(lc, zones)
	{
		/* to 2100, from the first time that is on record; later rules are those of the last year */
		pg_time_t	time = INT64CONST(-10000000000);
		pg_time_t	next;
		long		offset[2];
		int			summer[2];

		while (!ever && time < INT64CONST(4102444800) &&
			   pg_next_dst_boundary(&time, &offset[0], &summer[0], &next, &offset[1], &summer[1],
									lfirst(lc)) == 1)
		{
			TimestampTz set = (next - (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) *
							   (pg_time_t) SECS_PER_DAY) * USECS_PER_SEC;
			bool		isnull;

			*back = Max(*back, (double) (offset[0] - offset[1]) * USECS_PER_SEC);
			given[0].value = TimestampTzGetDatum(set - 1);
			given[1].value = TimestampTzGetDatum(set);
			given[2].value = TimestampTzGetDatum(set + USECS_PER_HOUR - 1);
			ever = DatumGetBool(ExecEvalExpr(state, GetPerTupleExprContext(estate), &isnull)) ||
				isnull;
			time = next;
		}
	}
	FreeExecutorState(estate);
	return ever;
}

/* ---------- conditions ---------- */

/* The condition as x op bound, where only x reads the source; the strategy of op, or 0. */
static int
read_condition(Node *condition, const AnswerMatch *m, Node **x, Node **bound)
{
	OpExpr	   *op = (OpExpr *) condition;
	Oid			operator;
	bool		right;

	if (!IsA(condition, OpExpr) || list_length(op->args) != 2)
		return 0;
	right = pds_reads_relation(lsecond(op->args), m->source, m->query);
	operator = right ? get_commutator(op->opno) : op->opno;
	*x = right ? lsecond(op->args) : linitial(op->args);
	*bound = right ? linitial(op->args) : lsecond(op->args);
	if (!OidIsValid(operator) || contain_vars_of_level(*bound, 0) || contain_subplans(*bound) ||
		contain_volatile_functions(*bound) || contain_aggs_of_level(*bound, 0))
		return 0;
	return get_op_opfamily_strategy(operator,
									lookup_type_cache(exprType(*x),
													  TYPECACHE_BTREE_OPFAMILY)->btree_opf);
}

/* The bound as a value of x's type that compares in the same way; NULL where it cannot be one. */
static Node *
bound_of_type(Node *bound, Oid type, const AnswerMatch *m)
{
	const int64 days = DATE_END_JULIAN - TIMESTAMP_END_JULIAN;
	Oid			is = exprType(bound);

	if (is == type)
		return bound;
	/* a date after the last timestamp: so many days above, it is infinity, and stays so */
	if (is == DATEOID)
		bound = pds_shifted(pds_shifted(bound, days, m), -days, m);
	if ((type == TIMESTAMPTZOID && (is == TIMESTAMPOID || is == DATEOID)) ||
		(type == TIMESTAMPOID && is == DATEOID) ||
		(type == INT8OID && (is == INT4OID || is == INT2OID)) ||
		(type == INT4OID && is == INT2OID))
		return coerce_to_target_type(NULL, bound, is, type, -1, COERCION_EXPLICIT,
									 COERCE_EXPLICIT_CAST, -1);
	return NULL;
}

/* The key with the shortest groups that are ranges of x; sets the range's key and reach. */
static void
choose_key(Node *x, AnswerMatch *m)
{
	double		shortest = 0;

	for (int i = 0; i < m->rollup->columns; i++)
	{
		/* kept of the column, and not of what is computed from it */
		AnswerColumn once = {0};
		AnswerColumn *of = IsA(strip_implicit_coercions(x), Var) ? &m->rollup->column[i] : &once;
		Way			way = {.unit = 1};
		double		steps;

		if (!m->column[i].is_key || !m->column[i].looks_same ||
			!never_falls((Node *) m->column[i].expr, x, &way) ||
			(m->range.key >= 0 && way.length >= shortest))
			continue;
		if (way.zones != NIL && of->falls == ANSWER_UNKNOWN)
		{
			/* the time of a date rises with it */
			Node	   *time = exprType(x) != DATEOID ? x :
				pds_call(F_TIMESTAMPTZ_DATE, TIMESTAMPTZOID, x, NULL);
			Node	   *g = (Node *) m->column[i].expr;
			Node	   *before = pds_put(g, time, pds_parameter(1, TIMESTAMPTZOID));
			Node	   *after = pds_put(g, time, pds_parameter(2, TIMESTAMPTZOID));
			Node	   *falls = pds_compare(before, ">", after);

			of->falls = exprType(time) == TIMESTAMPTZOID &&
				!pds_reads_relation(falls, m->source, m->query) &&
				!pds_ever_with_clocks(falls, way.zones, &of->back) ? ANSWER_NO : ANSWER_YES;
		}
		if (way.zones != NIL && of->falls == ANSWER_YES)
			continue;
		shortest = way.length;
		steps = way.length + of->back;
		if (exprType(x) == DATEOID)
			steps = steps / (double) USECS_PER_DAY + 1;
		m->range.key = i;
		m->range.reach = steps < 4e18 ? (int64) steps + 2 : PG_INT64_MAX;
	}
}

bool
pds_answer_range(Node *condition, AnswerMatch *m)
{
	Node	   *x;
	Node	   *bound;
	int			strategy = read_condition(condition, m, &x, &bound);
	bool		below = strategy == BTLessStrategyNumber || strategy == BTLessEqualStrategyNumber;

	if (!(below || strategy == BTGreaterStrategyNumber ||
		  strategy == BTGreaterEqualStrategyNumber) || !pds_has_steps(exprType(x)))
		return false;
	if (pds_is_extreme(bound, m))
	{
		m->reason = "a bound is near an end of the calendar";
		return false;
	}
	bound = bound_of_type(bound, exprType(x), m);
	if (bound == NULL || (m->range.base != NULL && !equal(m->range.base, x)) ||
		(below ? m->range.upper : m->range.lower).value != NULL)
		return false;
	if (m->range.base == NULL)
	{
		m->range.base = x;
		choose_key(x, m);
	}
	if (m->range.key < 0)
		return false;
	if (below)
		m->range.upper.value = pds_shifted(bound, strategy == BTLessEqualStrategyNumber ? 1 : 0, m);
	else
		m->range.lower.value = pds_shifted(bound, strategy == BTGreaterEqualStrategyNumber ? -1 : 0,
										   m);
	m->range.conditions = lappend(m->range.conditions, condition);
	return true;
}
