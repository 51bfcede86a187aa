/*
 * answer_nest.c: times that are the same in a whole group
 *
 * A rollup has days, and a query asks for months: date_trunc('month', at) over at::date.  Both cut
 * the time on the same clock into pieces, and no day is in two months.  So the month of the day's
 * beginning is the month of each of its rows.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "pgtime.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "answer.h"

/* Units of date_trunc() that differ from others */
#define DAY		((double) SECS_PER_DAY)
#define WEEK	(7 * DAY)
#define DECADE	(3653 * DAY)

/* How an expression cuts a column's time into pieces */
typedef struct Pieces
{
	Node	   *x;				/* the column, or an expression of local time */
	Node	   *zone;			/* a constant, or NULL */
	bool		session;		/* the zone is the session's */
	double		unit;			/* of date_trunc(), by its length; or the pieces are ... */
	double		seconds;		/* ... so long, counted from 1970 on */
} Pieces;

/* An expression of local time may follow a zone's clocks. */
static void
set_local(Node *x, Pieces *p)
{
	FuncExpr   *call = (FuncExpr *) x;

	p->x = x;
	if (!IsA(x, FuncExpr))
		return;
	if (call->funcid == F_TIMESTAMP_TIMESTAMPTZ)
	{
		p->session = true;
		p->x = linitial(call->args);
	}
	else if (call->funcid == F_TIMEZONE_TEXT_TIMESTAMPTZ && pds_text(linitial(call->args))[0])
	{
		p->zone = linitial(call->args);
		p->x = lsecond(call->args);
	}
}

/* Is it an operator of this function? */
static bool
calls(Node *node, Oid function)
{
	return IsA(node, OpExpr) && get_opcode(((OpExpr *) node)->opno) == function;
}

/*
 * floor(extract(epoch FROM x) / n) * n, which Grafana writes, or without the last step.  Not with
 * date_part(), whose float8 rounds the last microsecond of a day after 2255 up to the next day.
 */
static bool
read_seconds(Node *node, Pieces *p)
{
	OpExpr	   *op = (OpExpr *) node;
	FuncExpr   *call;

	if (calls(node, F_NUMERIC_MUL) && pds_number(lsecond(op->args)) > 0)
		node = linitial(op->args);
	call = (FuncExpr *) node;
	if (!IsA(node, FuncExpr) || call->funcid != F_FLOOR_NUMERIC)
		return false;
	op = linitial(call->args);
	if (!calls((Node *) op, F_NUMERIC_DIV))
		return false;
	p->seconds = pds_number(lsecond(op->args));
	call = linitial(op->args);
	if (p->seconds == 0 || !IsA(call, FuncExpr) ||
		(call->funcid != F_EXTRACT_TEXT_TIMESTAMPTZ && call->funcid != F_EXTRACT_TEXT_TIMESTAMP) ||
		strcmp(pds_text(linitial(call->args)), "epoch") != 0)
		return false;
	p->x = lsecond(call->args);
	p->session = call->funcid == F_EXTRACT_TEXT_TIMESTAMPTZ;
	return true;
}

/* Behind a day, what is made of it is made of the time: date_trunc('month', at::date) */
static Node *
behind_day(Node *x)
{
	FuncExpr   *cast = (FuncExpr *) x;
	FuncExpr   *day = IsA(x, FuncExpr) && cast->args != NIL ? linitial(cast->args) : NULL;

	if (day != NULL && IsA(day, FuncExpr) &&
		((cast->funcid == F_TIMESTAMPTZ_DATE && day->funcid == F_DATE_TIMESTAMPTZ) ||
		 (cast->funcid == F_TIMESTAMP_DATE && day->funcid == F_DATE_TIMESTAMP)))
		return linitial(day->args);
	return x;
}

static bool
read_pieces(Node *node, Pieces *p)
{
	FuncExpr   *call = (FuncExpr *) node;

	memset(p, 0, sizeof(*p));
	if (!IsA(node, FuncExpr))
		return read_seconds(node, p);
	switch (call->funcid)
	{
		case F_FLOOR_NUMERIC:
			return read_seconds(node, p);
		case F_DATE_TIMESTAMPTZ:
			p->session = true;
			p->x = linitial(call->args);
			p->unit = DAY;
			return true;
		case F_DATE_TIMESTAMP:
			set_local(linitial(call->args), p);
			p->unit = DAY;
			return true;
		case F_DATE_TRUNC_TEXT_TIMESTAMP:
			p->unit = pds_unit_seconds(linitial(call->args));
			set_local(p->unit < DAY ? lsecond(call->args) : behind_day(lsecond(call->args)), p);
			return p->unit != 0;
		case F_DATE_TRUNC_TEXT_TIMESTAMPTZ:
			p->unit = pds_unit_seconds(linitial(call->args));
			p->session = true;
			p->x = p->unit < DAY ? lsecond(call->args) : behind_day(lsecond(call->args));
			return p->unit != 0;
		case F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT:
			p->unit = pds_unit_seconds(linitial(call->args));
			p->zone = lthird(call->args);
			p->x = lsecond(call->args);
			return p->unit != 0 && pds_text(p->zone)[0];
		default:
			return false;
	}
}

/* ---------- pieces of pieces ---------- */

/* The zone whose clock it is; NULL for local times that follow none, and for unknown names. */
static pg_tz *
zone_of(const Pieces *p)
{
	return p->session ? session_timezone : p->zone != NULL ? pds_zone(pds_text(p->zone)) : NULL;
}

/* Is the clock never set, and the same as that which counts seconds? */
static bool
is_plain_clock(const Pieces *p)
{
	pg_tz	   *zone = zone_of(p);
	long		offset;

	return zone == NULL ? !p->session && p->zone == NULL :
		pg_get_timezone_offset(zone, &offset) && offset == 0;
}

/* Is each piece of g inside one piece of f?  "whole_days": is each piece of g inside a day? */
static bool
is_inside(const Pieces *g, const Pieces *f, bool whole_days)
{
	if (!equal(g->x, f->x) || g->seconds != 0)
		return false;
	if (f->seconds != 0)
		return g->unit <= DAY && is_plain_clock(g) && fmod(f->seconds, g->unit) == 0;
	if (!equal(g->zone, f->zone) || g->session != f->session)
		return false;
	/* an hour of local time is two of timestamptz, where the clock is set back */
	if (g->unit == f->unit)
		return g->unit >= DAY || is_plain_clock(g);
	if (g->unit >= DAY)
		/* nothing is made of weeks, nor centuries of decades: 2000 is of the 20th century */
		return g->unit < f->unit && g->unit != WEEK && g->unit != DECADE;
	return f->unit >= DAY ? whole_days : g->unit < f->unit && is_plain_clock(g);
}

/* A time on the clock of p, from a value of its column */
static Node *
local_time(const Pieces *p, Node *x)
{
	if (exprType(p->x) == TIMESTAMPOID)
		return x;
	return p->zone == NULL ? pds_call(F_TIMESTAMP_TIMESTAMPTZ, TIMESTAMPOID, x, NULL) :
		pds_call(F_TIMEZONE_TEXT_TIMESTAMPTZ, TIMESTAMPOID, copyObject(p->zone), x);
}

/* A value of the column in the piece that has this value */
static Node *
first_in(const Pieces *p, Node *piece)
{
	Oid			type = exprType(p->x);

	if (exprType(piece) == type)
		return piece;
	if (type == TIMESTAMPOID)
		return pds_call(F_TIMESTAMP_DATE, TIMESTAMPOID, piece, NULL);
	if (p->zone == NULL)
		return exprType(piece) == DATEOID ?
			pds_call(F_TIMESTAMPTZ_DATE, TIMESTAMPTZOID, piece, NULL) :
			pds_call(F_TIMESTAMPTZ_TIMESTAMP, TIMESTAMPTZOID, piece, NULL);
	if (exprType(piece) == DATEOID)
		piece = pds_call(F_TIMESTAMP_DATE, TIMESTAMPOID, piece, NULL);
	return pds_call(F_TIMEZONE_TEXT_TIMESTAMP, TIMESTAMPTZOID, copyObject(p->zone), piece);
}

/* Is each piece of a key, shorter than a day, inside a day, also where the clocks are set? */
static bool
is_in_a_day(const Pieces *g, Node *key, AnswerColumn *of)
{
	pg_tz	   *zone = zone_of(g);
	List	   *differ = NIL;

	if (zone == NULL)
		return is_plain_clock(g);
	if (of->in_a_day == ANSWER_UNKNOWN)
	{
		double		back = 0;

		for (int i = 1; i <= PDS_CLOCK_TIMES; i++)
		{
			Node	   *x = pds_parameter(i, TIMESTAMPTZOID);
			Node	   *first = first_in(g, pds_put(key, g->x, x));

			differ = lappend(differ, pds_compare(pds_call(F_DATE_TIMESTAMP, DATEOID,
													  local_time(g, x), NULL), "<>",
												 pds_call(F_DATE_TIMESTAMP, DATEOID,
													  local_time(g, first), NULL)));
		}
		of->in_a_day = pds_ever_with_clocks((Node *) make_orclause(differ), list_make1(zone),
											&back) ? ANSWER_NO : ANSWER_YES;
	}
	return of->in_a_day == ANSWER_YES;
}

Node *
pds_answer_nested(Node *node, AnswerMatch *m)
{
	Pieces		f;

	if (!read_pieces(node, &f) || !pds_reads_relation(f.x, m->source, m->query) ||
		(exprType(f.x) != TIMESTAMPOID && exprType(f.x) != TIMESTAMPTZOID))
		return NULL;
	for (int i = 0; i < m->rollup->columns; i++)
	{
		Pieces		g;
		Node	   *key = (Node *) m->column[i].expr;

		if (m->column[i].is_key && m->column[i].looks_same && read_pieces(key, &g) &&
			is_inside(&g, &f, g.unit >= DAY || (f.unit >= DAY && f.seconds == 0 &&
												is_in_a_day(&g, key, &m->rollup->column[i]))))
			return pds_put(node, f.x, first_in(&g, pds_answer_column(i, m)));
	}
	return NULL;
}
