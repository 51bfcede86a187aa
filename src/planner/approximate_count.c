/*
 * approximate_count.c: count(DISTINCT x) as approx_count_distinct(x), by a setting
 */
#include "postgres.h"

#include "catalog/pg_aggregate.h"
#include "catalog/pg_class.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/acl.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "run_as.h"
#include "type_hasher.h"
#include "ordinary.h"

int			pds_approximate_precision = PDS_DEFAULT_PRECISION;

/* What is found in a statement */
typedef struct Found
{
	List	   *counts;			/* each count(DISTINCT x) that can be approximate */
	bool		foreign_table;
} Found;

/* Are all values of an expression of one type that can be hashed?  ROW() says its columns. */
static bool
is_hashable(Node *node)
{
	ListCell   *lc;

	if (!IsA(node, RowExpr) || ((RowExpr *) node)->row_typeid != RECORDOID)
		return pds_type_is_hashable(exprType(node));
	foreach(lc, ((RowExpr *) node)->args)
		if (!is_hashable(lfirst(lc)))
			return false;
	return true;
}

static bool find(Node *node, void *context);

static void
find_in_query(Query *query, Found *found)
{
	ListCell   *lc;

	foreach(lc, query->rtable)
	{
		RangeTblEntry *rte = lfirst_node(RangeTblEntry, lc);

		found->foreign_table |= rte->rtekind == RTE_RELATION &&
			rte->relkind == RELKIND_FOREIGN_TABLE;
	}
	pds_walk_query(query, find, found);
}

/* context: Found */
static bool
find(Node *node, void *context)
{
	Found	   *found = context;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		find_in_query((Query *) node, found);
		return false;
	}
	if (IsA(node, Aggref) && ((Aggref *) node)->aggfnoid == F_COUNT_ANY &&
		((Aggref *) node)->aggdistinct != NIL &&
		is_hashable((Node *) linitial_node(TargetEntry, ((Aggref *) node)->args)->expr))
		found->counts = lappend(found->counts, node);
	return expression_tree_walker(node, find, context);
}

/* Have our aggregate count what count(DISTINCT x) would, as the parser would have made the call. */
static void
approximate(Aggref *count, Oid aggregate)
{
	TargetEntry *value = linitial_node(TargetEntry, count->args);
	Const	   *bits;

	value->ressortgroupref = 0;
	count->args = list_make1(value);
	/* a literal was unknown, until DISTINCT made it a text */
	count->aggargtypes = list_make1_oid(exprType((Node *) value->expr));
	count->inputcollid = exprCollation((Node *) value->expr);
	count->aggfnoid = aggregate;
	count->aggdistinct = NIL;
	count->aggorder = NIL;
	if (pds_approximate_precision == PDS_DEFAULT_PRECISION)
		return;
	bits = makeConst(INT4OID, -1, InvalidOid, sizeof(int32),
					 Int32GetDatum(pds_approximate_precision), false, true);
	count->args = lappend(count->args, makeTargetEntry((Expr *) bits, 2, NULL, false));
	count->aggargtypes = lappend_oid(count->aggargtypes, INT4OID);
}

bool
pds_approximate_counts(Query *query)
{
	Found		found = {0};
	Oid			aggregate;
	ListCell   *lc;

	find_in_query(query, &found);
	/* a foreign server may count by itself; Citus wants declared types, and has its own setting */
	if (found.counts == NIL || found.foreign_table || OidIsValid(get_extension_oid("citus", true)))
		return false;
	aggregate = pds_function("approx_count_distinct",
							 pds_approximate_precision == PDS_DEFAULT_PRECISION ? 1 : 2, ANYOID);
	if (OidIsValid(aggregate) && PDS_MAY_EXECUTE(aggregate))
		foreach(lc, found.counts)
			approximate(lfirst(lc), aggregate);
	return true;
}
