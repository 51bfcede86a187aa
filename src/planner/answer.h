/*
 * answer.h: a query over a rollup's source, answered from the rollup
 *
 * Each level of a query is looked at by itself.  A level reads a rollup where all that it wants of
 * the source's rows can be computed from the columns of the rollup.  Then
 *
 *     SELECT date_trunc('month', at::date), count(*) FROM visit WHERE at >= lo GROUP BY 1
 *
 * becomes
 *
 *     SELECT date_trunc('month', r.day), coalesce(sum(r.hits), 0) FROM (
 *         SELECT day, hits FROM daily_parts WHERE (no group waits) AND day > (day of lo)
 *         UNION ALL
 *         SELECT day, hits FROM (what the live rollup shows) WHERE (a group waits) AND day > ...
 *         UNION ALL
 *         SELECT at::date, count(*) FROM visit WHERE at >= lo AND at < (the next day) GROUP BY 1
 *     ) r GROUP BY 1
 *
 * The source stays in the range table, where nothing refers to it: rights are checked, and locks
 * are taken, as for the query as it was written.
 */
#ifndef PDS_PLANNER_ANSWER_H
#define PDS_PLANNER_ANSWER_H

#include "postgres.h"

#include "nodes/execnodes.h"
#include "nodes/params.h"
#include "nodes/parsenodes.h"
#include "nodes/primnodes.h"
#include "pgtime.h"

#include "rollup.h"

/* ---------- the rollups of a table ---------- */

/* What is found out when it is asked first */
typedef enum AnswerKnown
{
	ANSWER_UNKNOWN,
	ANSWER_YES,
	ANSWER_NO
} AnswerKnown;

/* A column of a rollup */
typedef struct AnswerColumn
{
	Expr	   *expr;			/* over the source, which is Var number 1: a key, or an Aggref */
	bool		is_key;
	RollupMerge merge;			/* if it is no key */
	bool		looks_same;		/* two equal values have the same bytes */
	Oid			type;			/* of the stored results */
	int32		typmod;
	Oid			collation;
	char	   *name;
	Oid			merge_agg;		/* of sketches */
	AnswerKnown falls;			/* of a key: where the zone's clocks are set back, ... */
	double		back;			/* ... by so many microseconds at most */
	AnswerKnown in_a_day;		/* of a key: no group is in two days */
} AnswerColumn;

typedef struct AnswerRollup
{
	RollupParts parts;
	bool		live;
	int			keys;
	int			columns;
	AnswerColumn *column;
	Oid			shift;			/* function _probds_shift() */
	Oid			marks;			/* index of the groups that wait, or InvalidOid */
	Query	   *read[2];		/* UNION ALL of SELECTs: what the live rollup shows ... */
								/* ... while no group waits, and while some do */
	Query	   *compute;		/* the rollup's query over the source, which is Var number 1 */
	List	   *relations;		/* that these read */
	List	   *functions;		/* of ours that reading it calls, as who asks */
	List	   *settings;		/* that must be as they were: name, value, ... */
	bool		shows;			/* text of times, perhaps with the zone's abbreviation */
	char	   *unusable;		/* why it never can be used, or NULL */
	const struct AnswerRollup *below;	/* the rollup that is its source, or NULL */
} AnswerRollup;

/* The rollups of a table, and the rollups of these: AnswerRollup *, valid until the next call. */
extern List *pds_rollups_of(Oid table);

/* Free what is not valid any more.  No list is, after that. */
extern void pds_tidy_rollups(void);

/* Returns whether they have changed since then. */
extern bool pds_rollups_have_changed(Oid table);

/* ---------- one level and one rollup ---------- */

/*
 * A copy of a level with tables in the place of the subqueries that only pick from them, where
 * these tables have rollups; or NULL.
 */
extern Query *pds_flatten_level(const Query *q);

/* Is a relation among the joined ones, and where no outer join adds rows of NULLs for it? */
extern bool pds_is_joined(Node *from, Index relation);

/* A bound of a range */
typedef struct AnswerBound
{
	Node	   *value;			/* the nearest value outside of the range, or NULL */
	/* if it is known when the query is planned: */
	Node	   *group;			/* that the value is in */
	Node	   *end;			/* where rows of the group end: answer_edges.c */
	bool		empty;			/* the range has no value of the group */
} AnswerBound;

/* A range of the source's rows that cuts through groups, and how the rest is read */
typedef struct AnswerRange
{
	int			key;			/* the column whose groups it cuts, or -1 */
	Node	   *base;			/* of the source: what the bounds are compared with */
	AnswerBound lower;
	AnswerBound upper;
	int64		reach;			/* no group is longer, in steps of the base's type */
	List	   *conditions;		/* as the query has them */
} AnswerRange;

typedef struct AnswerMatch
{
	AnswerRollup *rollup;
	const Query *query;
	Index		source;			/* number in the range table */
	Index		result;			/* the number that the rollup will have there */
	Oid			relid;
	ParamListInfo params;		/* that are known, or NULL */
	AnswerColumn *column;		/* as the rollup's, where the source has its number */
	List	   *conditions;
	bool	   *used;			/* which columns */
	List	   *grouped;		/* what grouping sets make NULL, as the query has it, ... */
	List	   *answered;		/* ... and as it is answered; or PDS_GROUP_EXPRS() */
	AnswerRange range;
	char	   *reason;			/* why it does not match, or NULL */
} AnswerMatch;

/*
 * An expression of the level over the rollup's columns, or its joined tables with the rollup in the
 * place of the source; sets the reason where that cannot be.  context: AnswerMatch
 */
extern Node *pds_answer_expression(Node *node, void *context);

/* A time that is computed from a key whose groups are inside its pieces, or NULL. */
extern Node *pds_answer_nested(Node *node, AnswerMatch *m);

/*
 * Is a condition ever true, or NULL, when the clocks of some zones are set?  It may use three
 * parameters: the last microsecond before, the first one with the new clock, and the last one in
 * the hour.
 * Raises *back to the microseconds that a clock is set back at most.
 */
#define PDS_CLOCK_TIMES		3
extern bool pds_ever_with_clocks(Node *condition, List *zones, double *back);

/* Take a condition on a range of the source's rows; false if it is none, or cannot be. */
extern bool pds_answer_range(Node *condition, AnswerMatch *m);

/* Are values of the type steps, of 1, of a day, or of a microsecond? */
extern bool pds_has_steps(Oid type);

/* A value so many steps above, as an expression */
extern Node *pds_shifted(Node *value, int64 steps, const AnswerMatch *m);

/*
 * Is a bound known to be a time near an end of the calendar?  Rows are compared with it without an
 * error, but its group, or the same time in another type, may be out of range.
 */
extern bool pds_is_extreme(Node *bound, const AnswerMatch *m);

/* Find where the edges end, if the bounds are known; sets m->reason if there is no whole group. */
extern void pds_know_edges(AnswerMatch *m);

/* Have the SELECTs of a copy of rollup->read leave out groups at the edges of the range, ... */
extern void pds_leave_edges(Query *read, const AnswerMatch *m);

/* ... and return the SELECTs over the source that give them, for the source's entry of q. */
extern List *pds_compute_edges(const Query *q, const AnswerMatch *m);

/* ---------- expressions (answer_expr.c) ---------- */

/* Does an expression of a query read this relation of it, at any depth? */
extern bool pds_reads_relation(Node *node, Index relation, const Query *query);

/* The value of an expression that is one, or NULL. */
extern Const *pds_constant(Node *node);

/* The same as a string; "" if it is no text. */
extern char *pds_text(Node *node);

/* How long date_trunc()'s units of this name are at most; 0 for another word. */
extern double pds_unit_seconds(Node *name);

/* A constant number above 0; or 0 */
extern double pds_number(Node *node);

/* A zone by its name in the tz database; NULL for others, such as abbreviations. */
extern pg_tz *pds_zone(const char *name);

/* An expression, with another value in the place of x */
extern Node *pds_put(Node *expr, Node *x, Node *value);

/* function(a), or function(a, b) */
extern Node *pds_call(Oid function, Oid type, Node *a, Node *b);

extern Node *pds_int8(int64 value);

/* function(arg) FILTER (WHERE filter), or function(*) where arg is NULL */
extern Node *pds_aggregate(Oid function, Node *arg, Expr *filter, Oid type, Oid collation);

/* A column of the rollup in the level's query */
extern Node *pds_answer_column(int i, AnswerMatch *m);

/* a < b, and so on with "<=", "=", ">=", ">", "<>" */
extern Node *pds_compare(Node *a, const char *how, Node *b);

/* A value of an expression that is given later: number i, from 1 on */
extern Node *pds_parameter(int i, Oid type);

/*
 * An expression with n of them, to be executed.  They are in (*estate)->es_param_list_info;
 * FreeExecutorState() frees all.
 */
extern ExprState *pds_prepare(Node *expr, int n, Oid type, EState **estate);

#endif
