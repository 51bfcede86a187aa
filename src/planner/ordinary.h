/*
 * ordinary.h: ordinary queries, answered by sketches and from rollups
 *
 * The planner's hook changes a query before it is planned.  There views are written out, the
 * policies of row security are attached, and the plan cache has made a copy.
 *
 *     ordinary.c              hooks and settings; which statements are changed
 *     approximate_count.c     count(DISTINCT x) as approx_count_distinct(x)
 *     answer.c                a query over a rollup's source, answered from the rollup
 *     answer_rollups.c        the rollups of a table, kept as trees
 *     answer_flatten.c        subqueries that only pick columns and rows of a table
 *     answer_expr.c           expressions and queries: looked through, read, and put together
 *     answer_match.c          expressions of the query, computed from a rollup's columns
 *     answer_nest.c           times that are the same in a whole group
 *     answer_range.c          conditions that cut through groups
 *     answer_edges.c          the rows of a range that are not whole groups
 */
#ifndef PDS_PLANNER_ORDINARY_H
#define PDS_PLANNER_ORDINARY_H

#include "postgres.h"

#include "nodes/params.h"
#include "nodes/parsenodes.h"

/* For which there is an aggregate without an argument for the precision */
#define PDS_DEFAULT_PRECISION	14

extern int	pds_approximate_precision;
extern bool pds_explain_rollups;

/* Define the settings, and take the hooks of the planner, the executor and utility statements. */
extern void pds_ordinary_init(void);

/* Walk through a query, and not through the conditions of policies of its tables. */
extern void pds_walk_query(Query *query, bool (*walker) (Node *, void *), void *context);

/* Returns whether the plan depends on the role, because the query has such a count. */
extern bool pds_approximate_counts(Query *query);

/*
 * Have all levels of a query read rollups where these hold the answer.  Returns whether the plan
 * depends on the role and on what can change without notice: a level reads a table with rollups.
 */
extern bool pds_answer_from_rollups(Query *query, ParamListInfo params);

/* The next query looks again which rollups its tables have. */
extern void pds_forget_rollups(void);

#endif
