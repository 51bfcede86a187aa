/*
 * existence_scan.c: bitmap scans
 *
 * The index knows no rows.  Where it says "no" a scan is over at once; where it says "yes"
 * the bitmap is of all pages of the table.  That is for tables and partitions that have
 * nothing better: with any other index on the column, this one is not used.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/relscan.h"
#include "access/table.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/tidbitmap.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "pgstat.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/selfuncs.h"

#include "existence.h"

/* What is assumed of a key, or of an array of keys, that the planner does not know */
#define SHARE_OF_YES	0.5

/* ---------- cost ---------- */

/* The operator of a condition of a scan: "column = ANY (array)", or else "column = value" */
static Oid
operator_of(Expr *condition)
{
	return IsA(condition, ScalarArrayOpExpr) ? ((ScalarArrayOpExpr *) condition)->opno :
		castNode(OpExpr, condition)->opno;
}

/* Has the table another index on what this one is on, with which the query can do the same? */
static bool
has_better_index(const IndexOptInfo *index, Expr *condition)
{
	ListCell   *lc;

	foreach(lc, index->rel->indexlist)
	{
		IndexOptInfo *other = lfirst_node(IndexOptInfo, lc);

		if (other->relam == index->relam || other->indexkeys[0] != index->indexkeys[0] ||
			(other->indpred != NIL && !other->predOK) ||
			!op_in_opfamily(operator_of(condition), other->opfamily[0]) ||
			(OidIsValid(other->indexcollations[0]) &&
			 other->indexcollations[0] != exprInputCollation((Node *) condition)))
			continue;
		if (other->indexkeys[0] != 0 ||
			(other->indexprs != NIL && equal(linitial(other->indexprs), linitial(index->indexprs))))
			return true;
	}
	return false;
}

/*
 * The chance of "yes" for a condition of a scan.  A value that the planner knows is looked up:
 * that takes less time than any estimate.
 */
static double
chance_of_yes(PlannerInfo *root, IndexOptInfo *info, Expr *condition)
{
	bool		is_array = IsA(condition, ScalarArrayOpExpr);
	Node	   *value = lsecond(is_array ? ((ScalarArrayOpExpr *) condition)->args :
								castNode(OpExpr, condition)->args);
	double		chance = -1;

	if (!IsA(value, Const))
		value = estimate_expression_value(root, value);
	if (IsA(value, Const))
		chance = existence_chance_of_yes(root, info, operator_of(condition),
										 exprInputCollation((Node *) condition),
										 (Const *) value, is_array);
	return chance >= 0 ? chance : SHARE_OF_YES;
}

void
existence_cost(PlannerInfo *root, IndexPath *path, double loop_count, Cost *startup, Cost *total,
			   Selectivity *selectivity, double *correlation, double *pages)
{
	IndexOptInfo *info = path->indexinfo;
	double		yes = 1;
	bool		better = false;
	ListCell   *lc;

	*startup = 0;
	*total = random_page_cost;
	*correlation = 0;
	*pages = 1;
	foreach(lc, get_quals_from_indexclauses(path->indexclauses))
	{
		Expr	   *condition = lfirst_node(RestrictInfo, lc)->clause;

		better = better || has_better_index(info, condition);
		if (!better)
			yes = Min(yes, chance_of_yes(root, info, condition));
	}

	/* "yes" takes more than to read the table without an index */
	if (yes == 1 || better)
		*startup = *total = 1e10;
	*selectivity = Max(yes, 1e-9);
}

/* ---------- scan ---------- */

void
existence_rescan(IndexScanDesc scan, ScanKey keys, int n_keys, ScanKey order_bys, int n_order_bys)
{
	if (keys != NULL && scan->numberOfKeys > 0)
		memmove(scan->keyData, keys, scan->numberOfKeys * sizeof(ScanKeyData));
}

void
existence_end_scan(IndexScanDesc scan)
{
}

/* Might there be a row for any element of an array? */
static bool
might_be_any(Relation index, PdsHasher *hasher, ArrayType *array)
{
	ArrayIterator it = array_create_iterator(array, 0, NULL);
	bool		yes = false;
	Datum		value;
	bool		isnull;

	/* a serializable transaction relies on all elements: after "yes" it looks for each of them */
	while ((!yes || IsolationIsSerializable()) && array_iterate(it, &value, &isnull))
	{
		CHECK_FOR_INTERRUPTS();
		if (!isnull && existence_probe_value(index, hasher, value))
			yes = true;
	}
	array_free_iterator(it);
	return yes;
}

/* Might there be a row for all keys of the scan? */
static bool
might_be_there(IndexScanDesc scan)
{
	Relation	index = scan->indexRelation;

	for (int i = 0; i < scan->numberOfKeys; i++)
	{
		ScanKey		key = &scan->keyData[i];
		PdsHasher  *hasher;
		Oid		   *types;
		int			n;

		/* the operators are strict */
		if (key->sk_flags & SK_ISNULL)
			return false;
		(void) get_func_signature(key->sk_func.fn_oid, &types, &n);
		hasher = existence_hasher_for(index, types[0], types[1], key->sk_collation,
									  CurrentMemoryContext);
		if (key->sk_flags & SK_SEARCHARRAY ?
			!might_be_any(index, hasher, DatumGetArrayTypeP(key->sk_argument)) :
			!existence_probe_value(index, hasher, key->sk_argument))
			return false;
	}
	return true;
}

int64
existence_get_bitmap(IndexScanDesc scan, TIDBitmap *bitmap)
{
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "existence scan",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(scratch);
	bool		yes = might_be_there(scan);
	Relation	table;
	BlockNumber n;

	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);
	pgstat_count_index_scan(scan->indexRelation);
	if (!yes)
		return 0;
	table = table_open(scan->indexRelation->rd_index->indrelid, NoLock);
	n = RelationGetNumberOfBlocks(table);
	table_close(table, NoLock);
	for (BlockNumber page = 0; page < n; page++)
	{
		if (page % 1024 == 0)
			CHECK_FOR_INTERRUPTS();
		tbm_add_page(bitmap, page);
	}
	/* (only for statistics) */
	return n;
}
