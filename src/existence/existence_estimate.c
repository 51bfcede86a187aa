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
#include "access/htup_details.h"
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

/*
 * How many pages are read at most for a table, in one planning of a query.  Its partitions share
 * them.
 */
#define MOST_READS		100

/* A partition for which fewer values were looked up is taken for one like the others */
#define FEW_VALUES		10

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
 * if it is not known.  From PostgreSQL 18 on statistics are what the owner of a table says: shares
 * can be NaN, and there can be more of them than values.
 */
static bool
value_at(const Values *values, double place, Datum *value, bool *isnull)
{
	double		left = 1 - values->nulls;
	double		at;

	*isnull = place < values->nulls;
	if (*isnull)
		return true;
	place -= values->nulls;
	for (int i = 0; i < Min(values->common.nnumbers, values->common.nvalues); i++)
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
	at = place / Max(left, 1e-6) * values->n_others;
	*value = values->others[at > 0 ? (int) Min(at, values->n_others - 1) : 0];
	return true;
}

/* A key or value of a query, and how it is compared with the keys of an index */
typedef struct Asked
{
	PlannerInfo *root;
	const IndexOptInfo *index;
	const Node *key;
	Oid			left;			/* InvalidOid: the keys' own type */
	Oid			right;
	Oid			collation;
	const Values *values;
	int			most;			/* so many of them, or as many as may be looked up */
} Asked;

/* Look up some of the values, with so many page reads at most, which are taken from *left. */
static void
look_up(const Asked *asked, int reads, int *left, Answer *answer)
{
	Relation	index = index_open(asked->index->indexoid, NoLock);
	Oid			key = TupleDescAttr(RelationGetDescr(index), 0)->atttypid;
	PdsHasher  *hasher = existence_hasher_for(index, OidIsValid(asked->left) ? asked->left : key,
											  asked->right, asked->collation,
											  CurrentMemoryContext);

	/* the metapage, and the key can be in the filter or in the table of fingerprints */
	int			each = existence_meta(index)->table.started ? 2 : 1;
	int			n = Min(asked->most, Max(1, (reads - 1) / each));

	/* a part of the values, so that the partitions of a table look up different ones */
	double		offset = 0.25 + fmod(asked->index->rel->relid * 0.618, 0.5);

	*left -= 1 + n * each;
	answer->tried = n;
	answer->rate = existence_meta(index)->rate;
	for (int i = 0; i < n && hasher != NULL && existence_is_usable(index); i++)
	{
		Datum		value;
		bool		isnull;
		pds_hash	hash;

		if (!value_at(asked->values, (i + offset) / n, &value, &isnull))
			continue;
		answer->known++;
		if (isnull)
		{
			answer->absent++;
			continue;
		}
		hash = pds_hasher_hash(hasher, value);
		/* a value can be of another kind than its type */
		answer->absent += existence_meta(index)->kind == pds_hasher_kind(hasher) &&
			!existence_peek(index, hash);
	}
	index_close(index, NoLock);
}

/* ---------- what a planning has found out ---------- */

/* What an index said of a key; without an index, what those of all partitions did */
typedef struct Found
{
	Oid			index;
	const Node *key;
	Answer		answer;
} Found;

/* All of that for a table, for as long as a query is planned */
typedef struct Findings
{
	MemoryContextCallback forget;
	PlannerInfo *root;
	Index		table;
	int			left;			/* so many pages may still be read */
	List	   *found;
} Findings;

static Findings *findings;

static void
forget(void *old)
{
	if (findings == old)
		findings = NULL;
}

static Findings *
findings_for(PlannerInfo *root, Index table)
{
	if (findings == NULL || findings->root != root || findings->table != table)
	{
		findings = MemoryContextAllocZero(root->planner_cxt, sizeof(Findings));
		findings->root = root;
		findings->table = table;
		findings->left = MOST_READS;
		findings->forget.func = forget;
		findings->forget.arg = findings;
		MemoryContextRegisterResetCallback(root->planner_cxt, &findings->forget);
	}
	return findings;
}

static Found *
find(Findings *all, Oid index, const Node *key)
{
	ListCell   *lc;

	foreach(lc, all->found)
	{
		Found	   *found = lfirst(lc);

		if (found->index == index && equal(found->key, key))
			return found;
	}
	return NULL;
}

static Found *
add_found(PlannerInfo *root, Findings *all, Oid index, const Node *key)
{
	MemoryContext old = MemoryContextSwitchTo(root->planner_cxt);
	Found	   *found = palloc0(sizeof(Found));

	found->index = index;
	/* (GEQO makes paths in memory that it throws away) */
	found->key = GetMemoryChunkContext((void *) key) == root->planner_cxt ? key : copyObject(key);
	all->found = lappend(all->found, found);
	MemoryContextSwitchTo(old);
	return found;
}

/*
 * How many pages may be read for one index: a partition's part of those for the table.  Of many
 * partitions some have none: one page tells nothing.
 */
static int
share_of_reads(PlannerInfo *root, const RelOptInfo *rel, Index table)
{
	Relids		parts = find_base_rel(root, (int) table)->all_partrels;
	int			n = bms_num_members(parts);
	int			i = bms_member_index(parts, (int) rel->relid);

	return i < 0 ? MOST_READS : 2 * (MOST_READS / 2 * (i + 1) / n - MOST_READS / 2 * i / n);
}

/* What the index says, and what it and those of other partitions do. */
static Answer
answer_for(const Asked *asked, Answer *all_parts)
{
	const RelOptInfo *rel = asked->index->rel;
	Oid			id = asked->index->indexoid;
	Index		table = rel->top_parent_relids == NULL ? rel->relid :
		(Index) bms_next_member(rel->top_parent_relids, -1);
	Findings   *all = findings_for(asked->root, table);
	Found	   *found = find(all, id, asked->key);
	Found	   *shared = find(all, InvalidOid, asked->key);
	int			reads = Min(all->left, share_of_reads(asked->root, rel, table));

	if (found == NULL)
	{
		found = add_found(asked->root, all, id, asked->key);
		if (shared == NULL)
			shared = add_found(asked->root, all, InvalidOid, found->key);
		if (reads > 0)
			look_up(asked, reads, &all->left, &found->answer);
		shared->answer.tried += found->answer.tried;
		shared->answer.known += found->answer.known;
		shared->answer.absent += found->answer.absent;
	}
	*all_parts = shared->answer;
	return found->answer;
}

/* The share of "no", of which a few values never make it certain (Laplace's rule of succession). */
static double
share_of_no(const Answer *answer)
{
	return (answer->absent + 1.0) / (answer->known + 2.0);
}

double
existence_share_of_no(PlannerInfo *root, const IndexOptInfo *index, Node *key)
{
	Asked		asked = {
		root, index, key, InvalidOid, exprType(key), index->indexcollations[0], NULL, MOST_READS
	};
	MemoryContext scratch;
	MemoryContext old;
	Values		values = {0};
	Answer		answer = {0};
	Answer		all = {0};

	if (!may_look(root, index))
		return -1;
	scratch = AllocSetContextCreate(CurrentMemoryContext, "existence estimate",
									ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(scratch);
	asked.values = &values;
	if (values_of_key(root, key, &values))
		answer = answer_for(&asked, &all);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);

	if (answer.tried < FEW_VALUES)
		answer = all;
	if (answer.known == 0 || 2 * answer.known < answer.tried)
		return -1;
	return share_of_no(&answer);
}

double
existence_chance_of_yes(PlannerInfo *root, const IndexOptInfo *index, Oid operator, Oid collation,
						const Const *value, bool is_array)
{
	Values		values = {0};
	Asked		asked = {root, index, (const Node *) value, .collation = collation,
						 .values = &values};
	MemoryContext scratch;
	MemoryContext old;
	Datum		single;
	Answer		answer = {0};
	Answer		all = {0};

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
	op_input_types(operator, &asked.left, &asked.right);
	asked.most = values.n_others;
	if (asked.most > 0)
		answer = answer_for(&asked, &all);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);

	if (answer.tried == 0 && all.known > 0)
		return 1 - pow(share_of_no(&all), asked.most);
	if (answer.tried == 0 && asked.most > 0)
		return -1;
	if (answer.known < answer.tried || answer.absent < answer.known)
		return 1;
	return 1 - pow(1 - answer.rate, asked.most - answer.known);
}
