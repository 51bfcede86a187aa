/*
 * answer_flatten.c: subqueries, views and CTEs that only pick columns and rows of a table
 *
 * The planner puts the table in their place, but later than we look.  So we do it before, on a
 * copy of the level: the expressions of the subquery in the place of its columns, its condition
 * beside the others.  The subquery stays in the range table, where nothing refers to it.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"

#include "compat.h"
#include "answer.h"

bool
pds_is_joined(Node *from, Index relation)
{
	ListCell   *lc;

	if (IsA(from, RangeTblRef))
		return ((RangeTblRef *) from)->rtindex == (int) relation;
	if (IsA(from, JoinExpr))
	{
		JoinExpr   *join = (JoinExpr *) from;

		return ((join->jointype == JOIN_INNER || join->jointype == JOIN_LEFT) &&
				pds_is_joined(join->larg, relation)) ||
			((join->jointype == JOIN_INNER || join->jointype == JOIN_RIGHT) &&
			 pds_is_joined(join->rarg, relation));
	}
	foreach(lc, ((FromExpr *) from)->fromlist)
		if (pds_is_joined(lfirst(lc), relation))
			return true;
	return false;
}

/* The one table of a query that only picks columns and rows of it, or 0. */
static Index
only_table(const Query *q)
{
	RangeTblRef *ref;

	if (q->commandType != CMD_SELECT || q->hasAggs || q->hasWindowFuncs || q->hasTargetSRFs ||
		q->hasSubLinks || q->groupClause != NIL || q->groupingSets != NIL ||
		q->havingQual != NULL || q->distinctClause != NIL || q->sortClause != NIL ||
		q->limitCount != NULL || q->limitOffset != NULL || q->setOperations != NULL ||
		q->rowMarks != NIL || q->cteList != NIL || list_length(q->jointree->fromlist) != 1 ||
		contain_volatile_functions((Node *) q->targetList) ||
		contain_volatile_functions(q->jointree->quals))
		return 0;
	ref = linitial(q->jointree->fromlist);
	return IsA(ref, RangeTblRef) ? (Index) ref->rtindex : 0;
}

/* The query behind an entry: a subquery, a view, or a CTE of this level that nobody else reads. */
static Query *
query_of(const Query *q, const RangeTblEntry *rte, CommonTableExpr **cte)
{
	ListCell   *lc;

	*cte = NULL;
	if (rte->rtekind == RTE_SUBQUERY && !rte->security_barrier && !rte->lateral)
		return rte->subquery;
	if (rte->rtekind != RTE_CTE || rte->ctelevelsup != 0 || rte->self_reference)
		return NULL;
	foreach(lc, q->cteList)
	{
		*cte = lfirst(lc);
		if (strcmp((*cte)->ctename, rte->ctename) == 0)
			return (*cte)->cterefcount == 1 && !(*cte)->cterecursive &&
				(*cte)->ctematerialized != CTEMaterializeAlways && IsA((*cte)->ctequery, Query) ?
				(Query *) (*cte)->ctequery : NULL;
	}
	return NULL;
}

/*
 * The table that an entry only picks from, at any depth; InvalidOid if it is no table, or one with
 * policies.  Their conditions are on the table's number in the subquery.
 */
static Oid
table_below(const Query *q, const RangeTblEntry *rte)
{
	CommonTableExpr *cte;
	const Query *sub = query_of(q, rte, &cte);
	Index		table = sub != NULL ? only_table(sub) : 0;

	if (table == 0)
		return InvalidOid;
	rte = rt_fetch(table, sub->rtable);
	if (rte->rtekind != RTE_RELATION)
		return table_below(sub, rte);
	return rte->securityQuals == NIL ? rte->relid : InvalidOid;
}

/* Does such an entry pick columns alone, and compute nothing? */
static bool
picks_columns(const Query *q, const RangeTblEntry *rte)
{
	CommonTableExpr *cte;
	const Query *sub = query_of(q, rte, &cte);
	ListCell   *lc;

	foreach(lc, sub->targetList)
		if (!IsA(lfirst_node(TargetEntry, lc)->expr, Var))
			return false;
	rte = rt_fetch(only_table(sub), sub->rtable);
	return rte->rtekind == RTE_RELATION || picks_columns(sub, rte);
}

static void
flatten(Query *q, Index at)
{
	RangeTblEntry *rte = rt_fetch(at, q->rtable);
	CommonTableExpr *cte;
	Query	   *sub = copyObject(query_of(q, rte, &cte));
	Index		table = only_table(sub);
	RangeTblEntry *below = rt_fetch(table, sub->rtable);
	int			number;
	ListCell   *lc;

	if (below->rtekind != RTE_RELATION)
	{
		flatten(sub, table);
		table = only_table(sub);
		below = rt_fetch(table, sub->rtable);
	}
	/* columns of the queries around this level were one level further from the subquery */
	IncrementVarSublevelsUp((Node *) sub, -1, 1);
	if (cte != NULL)
		cte->cterefcount--;
	/* the right to read a view is checked by an entry of its own */
	foreach(lc, sub->rtable)
	{
		RangeTblEntry *other = lfirst(lc);

		if (other != below && OidIsValid(other->relid))
			PDS_APPEND_ENTRY(q, sub, other);
	}
	PDS_APPEND_ENTRY(q, sub, below);
	number = list_length(q->rtable);
	ChangeVarNodes((Node *) sub->targetList, (int) table, number, 0);
	ChangeVarNodes(sub->jointree->quals, (int) table, number, 0);
	*q = *(Query *) PDS_REPLACE_VARS((Node *) q, (int) at, rte, sub->targetList);
	ChangeVarNodes((Node *) q->jointree, (int) at, number, 0);
	q->jointree->quals = make_and_qual(q->jointree->quals, sub->jointree->quals);
}

Query *
pds_flatten_level(const Query *q)
{
	Query	   *result = NULL;

	for (Index i = 1; i <= (Index) list_length(q->rtable); i++)
	{
		Oid			table = table_below(q, rt_fetch(i, q->rtable));

		if (!OidIsValid(table) || !pds_is_joined((Node *) q->jointree, i) ||
			pds_rollups_of(table) == NIL)
			continue;
		/* grouping sets make a column NULL, and not what another column computes in the same way */
		if (q->groupingSets != NIL && !picks_columns(q, rt_fetch(i, q->rtable)))
			continue;
		if (result == NULL)
			result = copyObject((Query *) q);
		flatten(result, i);
	}
	return result;
}
