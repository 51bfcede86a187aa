/*
 * existence_estimate.c: what the planner learns from an existence index
 *
 * The planner looks up some values that the query names, or that the statistics of the other
 * table have.  The share of "no" weighs the costs.  A plan tells what it was made from, so the
 * planner looks only for those who may read the table themselves.
 */
#include "postgres.h"

#include <math.h>

#include "access/genam.h"
#include "catalog/pg_statistic.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/pathnode.h"
#include "parser/parsetree.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rls.h"
#include "utils/selfuncs.h"

#include "existence.h"

/* How many values are looked up at most, for a table (all of its partitions) or an array */
#define MOST_VALUES		100

/* Values, and how frequent they are: each of "others" is as frequent as the next one */
typedef struct Values
{
	double		nulls;			/* the share of NULLs */
	AttStatsSlot common;		/* the most common ones and their shares */
	Datum	   *others;
	int			n_others;
} Values;

/* What an index says about a sample of values */
typedef struct Answer
{
	int			tried;			/* how many values were looked for */
	int			known;			/* of them */
	int			absent;			/* of them */
	double		rate;			/* false-positive rate of the index */
} Answer;

/* ---------- rights ---------- */

/*
 * Returns whether the plan may depend on the keys of an index: the user may read the column,
 * and no policy or security barrier hides rows.  A partition is read with the rights on the
 * table that it is a part of.
 */
static bool
may_look(PlannerInfo *root, const IndexOptInfo *index)
{
	Index		relid = index->rel->relid;
	int			column = index->indexkeys[0];
	AppendRelInfo *part;
	Oid			table;

	if (index->hypothetical || root->qual_security_level > 0)
		return false;
	for (PlannerInfo *outer = root->parent_root; outer != NULL; outer = outer->parent_root)
	{
		ListCell   *lc;

		foreach(lc, outer->parse->rtable)
			if (lfirst_node(RangeTblEntry, lc)->security_barrier)
				return false;
	}
	while (root->append_rel_array != NULL && (part = root->append_rel_array[relid]) != NULL &&
		   planner_rt_fetch(part->parent_relid, root)->rtekind == RTE_RELATION)
	{
		if (column > 0)
			column = part->parent_colnos[column - 1];
		relid = part->parent_relid;
	}
	table = planner_rt_fetch(relid, root)->relid;

	/* another user needs another plan */
	root->glob->dependsOnRole = true;
	if (pg_class_aclcheck(table, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
		(column <= 0 ||
		 pg_attribute_aclcheck(table, (AttrNumber) column, GetUserId(), ACL_SELECT) != ACLCHECK_OK))
		return false;
	return check_enable_rls(table, InvalidOid, true) != RLS_ENABLED;
}

/* ---------- values ---------- */

static void
add_constant(Values *values, const Const *value)
{
	if (value->constisnull)
		values->nulls++;
	else
		values->others[values->n_others++] = value->constvalue;
}

/* The elements of an array that are not NULL. */
static void
values_of_array(const Const *array, Values *values)
{
	ArrayType  *elements;
	Oid			type = get_element_type(array->consttype);
	int16		length;
	bool		by_value;
	char		align;
	bool	   *nulls;
	int			n;
	int			used = 0;

	if (array->constisnull)
		return;
	elements = DatumGetArrayTypeP(array->constvalue);
	get_typlenbyvalalign(type, &length, &by_value, &align);
	deconstruct_array(elements, type, length, by_value, align, &values->others, &nulls, &n);
	for (int i = 0; i < n; i++)
		if (!nulls[i])
			values->others[used++] = values->others[i];
	values->n_others = used;
}

/* A column of VALUES. */
static void
values_of_list(List *rows, AttrNumber column, Values *values)
{
	ListCell   *lc;

	values->others = palloc(list_length(rows) * sizeof(Datum));
	foreach(lc, rows)
	{
		Node	   *value = list_nth(lfirst_node(List, lc), column - 1);

		if (IsA(value, Const))
			add_constant(values, (Const *) value);
	}
	if (values->nulls > 0)
		values->nulls /= values->nulls + values->n_others;
}

/* unnest() of an array that the query names. */
static bool
values_of_function(List *functions, AttrNumber column, Values *values)
{
	FuncExpr   *call = (FuncExpr *) linitial_node(RangeTblFunction, functions)->funcexpr;

	if (list_length(functions) != 1 || column != 1 || !IsA(call, FuncExpr) ||
		call->funcid != F_UNNEST_ANYARRAY || !IsA(linitial(call->args), Const))
		return false;
	values_of_array(linitial(call->args), values);
	return true;
}

/* What ANALYZE has found in a column. */
static bool
values_of_statistics(PlannerInfo *root, Node *key, Values *values)
{
	VariableStatData variable;
	AttStatsSlot histogram;
	bool		readable;

	examine_variable(root, key, 0, &variable);
	readable = HeapTupleIsValid(variable.statsTuple) && variable.acl_ok;
	if (readable)
	{
		values->nulls = ((Form_pg_statistic) GETSTRUCT(variable.statsTuple))->stanullfrac;
		(void) get_attstatsslot(&values->common, variable.statsTuple, STATISTIC_KIND_MCV,
								InvalidOid, ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS);
		(void) get_attstatsslot(&histogram, variable.statsTuple, STATISTIC_KIND_HISTOGRAM,
								InvalidOid, ATTSTATSSLOT_VALUES);
		values->others = histogram.values;
		values->n_others = histogram.nvalues;
	}
	ReleaseVariableStats(variable);
	return readable;
}

/* The values that a key will have.  False if nothing is known of them. */
static bool
values_of_key(PlannerInfo *root, Node *key, Values *values)
{
	Node	   *node = IsA(key, RelabelType) ? (Node *) ((RelabelType *) key)->arg : key;

	if (IsA(node, Var))
	{
		RangeTblEntry *rte = planner_rt_fetch(((Var *) node)->varno, root);
		AttrNumber	column = ((Var *) node)->varattno;

		if (rte->rtekind == RTE_VALUES && column > 0)
		{
			values_of_list(rte->values_lists, column, values);
			return true;
		}
		if (rte->rtekind == RTE_FUNCTION)
			return values_of_function(rte->functions, column, values);
	}
	return values_of_statistics(root, key, values);
}

/* ---------- lookups ---------- */

/*
 * The value at a place from 0 to 1, where each value extends as far as it is frequent.  False
 * if it is not known.
 */
static bool
value_at(const Values *values, double place, Datum *value, bool *isnull)
{
	double		left = 1 - values->nulls;

	*isnull = place < values->nulls;
	if (*isnull)
		return true;
	place -= values->nulls;
	for (int i = 0; i < values->common.nnumbers; i++)
	{
		if (place < values->common.numbers[i])
		{
			*value = values->common.values[i];
			return true;
		}
		place -= values->common.numbers[i];
		left -= values->common.numbers[i];
	}
	if (values->n_others == 0)
		return false;
	*value = values->others[Min((int) (place / Max(left, 1e-6) * values->n_others),
								values->n_others - 1)];
	return true;
}

/*
 * Look up n of the values, or fewer that take n page reads at most.  They are of the type "right",
 * and compared with keys as "left" (InvalidOid: the keys' own type) under a collation.
 */
static Answer
look_up(const IndexOptInfo *info, Oid left, Oid right, Oid collation, const Values *values, int n,
		bool in_n_reads)
{
	Relation	index = index_open(info->indexoid, NoLock);
	PdsHasher  *hasher = existence_hasher_for(index, OidIsValid(left) ? left :
											  TupleDescAttr(RelationGetDescr(index), 0)->atttypid,
											  right, collation, CurrentMemoryContext);
	Answer		answer = {.rate = existence_meta(index)->rate};

	/* a part of the values, so that the partitions of a table look up different ones */
	double		offset = 0.25 + fmod(info->rel->relid * 0.618, 0.5);

	/* a key can be in the filter or in the table of fingerprints */
	if (in_n_reads && existence_meta(index)->table.started)
		n = (n + 1) / 2;
	answer.tried = n;
	for (int i = 0; i < n && hasher != NULL && existence_is_usable(index); i++)
	{
		Datum		value;
		bool		isnull;
		pds_hash	hash;

		if (!value_at(values, (i + offset) / n, &value, &isnull))
			continue;
		answer.known++;
		if (isnull)
		{
			answer.absent++;
			continue;
		}
		hash = pds_hasher_hash(hasher, value);
		/* a value can be of another kind than its type */
		answer.absent += existence_meta(index)->kind == pds_hasher_kind(hasher) &&
			!existence_peek(index, hash);
	}
	index_close(index, NoLock);
	return answer;
}

/* How many values are looked up for one index, of a table or one of its partitions. */
static int
sample_size(PlannerInfo *root, const RelOptInfo *rel)
{
	int			parts = 0;

	if (rel->top_parent_relids != NULL)
		parts = bms_num_members(find_base_rel(root, bms_next_member(rel->top_parent_relids, -1))
								->all_partrels);
	return Max(1, MOST_VALUES / Max(1, parts));
}

double
existence_share_of_no(PlannerInfo *root, const IndexOptInfo *index, Node *key)
{
	MemoryContext scratch;
	MemoryContext old;
	Values		values = {0};
	Answer		answer = {0};

	if (!may_look(root, index))
		return -1;
	scratch = AllocSetContextCreate(CurrentMemoryContext, "existence estimate",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(scratch);
	if (values_of_key(root, key, &values))
		answer = look_up(index, InvalidOid, exprType(key), index->indexcollations[0], &values,
						 sample_size(root, index->rel), true);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);

	/* a few values never make it certain (Laplace's rule of succession) */
	if (answer.known == 0 || 2 * answer.known < answer.tried)
		return -1;
	return (answer.absent + 1.0) / (answer.known + 2.0);
}

double
existence_chance_of_yes(PlannerInfo *root, const IndexOptInfo *index, Oid operator, Oid collation,
						const Const *value, bool is_array)
{
	MemoryContext scratch;
	MemoryContext old;
	Values		values = {0};
	Datum		single;
	Oid			left;
	Oid			right;
	Answer		answer = {0};
	int			n;

	if (!may_look(root, index))
		return -1;
	scratch = AllocSetContextCreate(CurrentMemoryContext, "existence estimate",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(scratch);
	values.others = &single;
	if (is_array)
		values_of_array(value, &values);
	else
		add_constant(&values, value);
	op_input_types(operator, &left, &right);
	n = values.n_others;
	if (n > 0)
		answer = look_up(index, left, right, collation, &values, Min(n, MOST_VALUES), false);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);

	if (answer.known < answer.tried || answer.absent < answer.known)
		return 1;
	return 1 - pow(1 - answer.rate, n - answer.known);
}
