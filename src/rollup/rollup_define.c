/*
 * rollup_define.c: what may be in the definition of a rollup, and how its results are
 * merged
 *
 * The definition is a view:
 *
 *     SELECT key, ..., aggregate, ... FROM source probds_rows
 *         [WHERE probds_rows.number IS NOT NULL]
 *         GROUP BY key, ... | HAVING count(*) > 0
 *
 * Each column behind the keys is a bare aggregate whose results can be merged: one of
 * ours that gives a sketch, or count, sum, min, max.  Anything else would be wrong in
 * silence, from the second batch of rows on.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/sysattr.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parser.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteHandler.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "compat.h"
#include "rollup.h"

/* ---------- the source ---------- */

/* The view's query as it is stored; NULL if the relation is no view. */
static Query *
view_query(Oid view)
{
	Relation	rel;
	Query	   *query;

	if (get_rel_relkind(view) != RELKIND_VIEW)
		return NULL;
	rel = table_open(view, AccessShareLock);
	query = copyObject(get_view_query(rel));
	table_close(rel, NoLock);
	PDS_FLATTEN_GROUPS(query);
	return query;
}

/* The index in the range table of the one relation, if this is its alias; or 0. */
static int
relation_index(const Query *query, const char *alias)
{
	RangeTblRef *ref;
	RangeTblEntry *rte;

	if (query->jointree == NULL || list_length(query->jointree->fromlist) != 1 ||
		!IsA(linitial(query->jointree->fromlist), RangeTblRef))
		return 0;
	ref = linitial(query->jointree->fromlist);
	rte = rt_fetch(ref->rtindex, query->rtable);
	return rte->rtekind == RTE_RELATION && rte->alias != NULL &&
		strcmp(rte->alias->aliasname, alias) == 0 ? ref->rtindex : 0;
}

/* The column that "WHERE column IS NOT NULL" names, or 0. */
static AttrNumber
number_column(const Query *query)
{
	NullTest   *test = (NullTest *) query->jointree->quals;

	if (test == NULL || !IsA(test, NullTest) || test->nulltesttype != IS_NOT_NULL ||
		!IsA(test->arg, Var))
		return 0;
	return ((Var *) test->arg)->varattno;
}

Query *
rollup_definition_query(Oid view, int *source)
{
	Query	   *query = view_query(view);

	*source = query != NULL ? relation_index(query, ROLLUP_ROWS) : 0;
	if (*source == 0)
		elog(ERROR, "relation %u is not the definition of a rollup", view);
	return query;
}

bool
rollup_source_of(Oid view, Oid *source, AttrNumber *number)
{
	Query	   *query = view_query(view);
	int			index = query != NULL ? relation_index(query, ROLLUP_ROWS) : 0;

	if (index == 0)
		return false;
	*source = rt_fetch(index, query->rtable)->relid;
	*number = number_column(query);
	return true;
}

bool
rollup_is_view_over(Oid view, Oid relation)
{
	Query	   *query = view_query(view);
	int			index = query != NULL ? relation_index(query, ROLLUP_VIEWED) : 0;

	return index != 0 && rt_fetch(index, query->rtable)->relid == relation;
}

/* ---------- aggregates ---------- */

/* Is this object a member of one of our extensions? */
static bool
is_ours(Oid class, Oid object)
{
	Oid			extension = getExtensionOfObject(class, object);
	char	   *name = OidIsValid(extension) ? get_extension_name(extension) : NULL;

	return name != NULL && (strcmp(name, "probds") == 0 || strcmp(name, "probds_citext") == 0);
}

/* Does an aggregate of ours give sketches that merge by union? */
static bool
gives_sketches(const Aggref *aggref, const char *name)
{
	if (!is_ours(TypeRelationId, aggref->aggtype))
		return false;
	if (strcmp(name, "bloom_intersect_agg") == 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("bloom_intersect_agg() cannot be kept current in a rollup"),
				 errdetail("A rollup merges new rows by union.")));
	if (strcmp(name, "bloom_agg") == 0 && list_length(aggref->args) == 1)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("bloom_agg() needs a capacity in a rollup"),
				 errdetail("Filters of different sizes cannot be merged."),
				 errhint("Use bloom_agg(value, capacity) with a capacity for the largest group.")));
	if (strcmp(name, "scalable_bloom_agg") == 0 || strcmp(name, "scalable_bloom_merge_agg") == 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s() cannot be kept current in a rollup", name),
				 errdetail("Each batch of new rows would add a layer to a filter, up to the most "
						   "that it can have."),
				 errhint("Use bloom_agg(value, capacity) with a capacity for the largest group.")));
	return true;
}

/* How results of this aggregate are merged; an error if they cannot be. */
static void
read_aggregate(const Aggref *aggref, const char *column, RollupColumn *c)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(aggref->aggfnoid));
	Form_pg_proc proc;
	const char *name;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", aggref->aggfnoid);
	proc = (Form_pg_proc) GETSTRUCT(tuple);
	name = pstrdup(NameStr(proc->proname));
	if (aggref->aggdistinct != NIL || aggref->aggorder != NIL || aggref->aggkind != AGGKIND_NORMAL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("aggregate of column \"%s\" cannot have DISTINCT or ORDER BY in a rollup",
						column),
				 errdetail("Results over parts of the rows could not be merged."),
				 strcmp(name, "count") == 0 ?
				 errhint("Use hll_agg(value) for the number of distinct values.") : 0));
	if (is_ours(ProcedureRelationId, aggref->aggfnoid))
	{
		if (gives_sketches(aggref, name))
		{
			c->merge = ROLLUP_UNION;
			c->type_name = pds_type_name(aggref->aggtype);
			ReleaseSysCache(tuple);
			return;
		}
	}
	else if (proc->pronamespace == PG_CATALOG_NAMESPACE)
	{
		bool		found = true;

		if (strcmp(name, "count") == 0 || strcmp(name, "sum") == 0)
			c->merge = ROLLUP_SUM;
		else if (strcmp(name, "min") == 0)
			c->merge = ROLLUP_MIN;
		else if (strcmp(name, "max") == 0)
			c->merge = ROLLUP_MAX;
		else
			found = false;
		if (found)
		{
			ReleaseSysCache(tuple);
			return;
		}
	}
	ReleaseSysCache(tuple);
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("results of %s() in column \"%s\" cannot be merged", name, column),
			 errhint("Use an aggregate of probds that returns a sketch, or count, sum, min or max. "
					 "Replace avg with sum and count, and approx_count_distinct with hll_agg.")));
}

/* ---------- one expression ---------- */

/* An error of the parser is about the expression, not about the caller's statement. */
static void
about_expression(void *text)
{
	int			position = geterrposition();

	if (position > 0)
	{
		errposition(0);
		internalerrposition(position);
		internalerrquery(text);
	}
}

/* Is this a SELECT of one expression, and of nothing else? */
static bool
selects_one(const List *statements)
{
	const SelectStmt *select;
	const ResTarget *target;

	if (list_length(statements) != 1)
		return false;
	select = (const SelectStmt *) ((const RawStmt *) linitial(statements))->stmt;
	if (!IsA(select, SelectStmt) || list_length(select->targetList) != 1)
		return false;
	target = linitial(select->targetList);
	if (IsA(target->val, ColumnRef) &&
		IsA(llast(((const ColumnRef *) target->val)->fields), A_Star))
		return false;
	return select->op == SETOP_NONE && select->distinctClause == NIL &&
		select->intoClause == NULL &&
		select->fromClause == NIL && select->whereClause == NULL && select->groupClause == NIL &&
		select->havingClause == NULL && select->windowClause == NIL && select->valuesLists == NIL &&
		select->sortClause == NIL && select->limitOffset == NULL && select->limitCount == NULL &&
		select->lockingClause == NIL && select->withClause == NULL;
}

void
rollup_require_expression(const char *text, const char *argument)
{
	char	   *query = psprintf("SELECT %s", text);
	ErrorContextCallback context = {error_context_stack, about_expression, query};
	List	   *statements;

	error_context_stack = &context;
	statements = raw_parser(query, RAW_PARSE_DEFAULT);
	error_context_stack = context.previous;
	if (!selects_one(statements))
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 errmsg("each element of %s must be one expression, optionally with a name",
						argument),
				 errdetail("\"%s\" is not one expression.", text),
				 errhint("For example: ARRAY['at::date AS day'], ARRAY['hll_agg(visitor) AS "
						 "visitors'].")));
}

/* ---------- what means the same tomorrow ---------- */

/* Stable functions that tell the time, or who asks; volatile ones need no list. */
static const char *const passing[] = {
	"now", "transaction_timestamp", "statement_timestamp", "current_setting", "current_user",
	"session_user", "current_schema", "current_schemas", "current_query", "current_database",
	"pg_backend_pid", "pg_my_temp_schema", "inet_client_addr", "inet_client_port",
	"inet_server_addr", "inet_server_port", "txid_current", "txid_current_if_assigned",
	"txid_current_snapshot", "pg_current_xact_id", "pg_current_xact_id_if_assigned",
	"pg_current_snapshot", "getdatabaseencoding", "pg_client_encoding"
};

static bool
is_passing(Oid function, void *context)
{
	char	   *name;

	if (get_func_namespace(function) != PG_CATALOG_NAMESPACE)
		return false;
	name = get_func_name(function);

	/* age(at) is up to today */
	if (strcmp(name, "age") == 0 && get_func_nargs(function) == 1)
		return true;
	for (size_t i = 0; i < lengthof(passing); i++)
		if (strcmp(name, passing[i]) == 0)
			return true;
	return false;
}

static bool
contains_passing(Node *node, void *context)
{
	if (node == NULL)
		return false;
	return IsA(node, SQLValueFunction) || check_functions_in_node(node, is_passing, NULL) ||
		expression_tree_walker(node, contains_passing, context);
}

/* New rows, a refresh and a rebuild compute a column at different times. */
static void
require_lasting(const TargetEntry *entry)
{
	Node	   *expr = (Node *) entry->expr;

	if (expression_returns_set(expr))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" of a rollup cannot return a set", entry->resname)));
	if (contain_volatile_functions(expr))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" of a rollup cannot use a volatile function", entry->resname),
				 errdetail("A rebuild would give different results.")));
	if (contains_passing(expr, NULL))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" of a rollup depends on when or for whom it is computed",
						entry->resname),
				 errdetail("A rebuild would give different results."),
				 errhint("Use columns of the source; compare with now() when you read the "
						 "rollup.")));
	if (contain_subplans(expr))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" of a rollup cannot use a subquery", entry->resname),
				 errdetail("The result of the subquery may change, but rows that are already "
						   "counted would keep the old one.")));
}

/* ---------- the whole view ---------- */

/* Is the query more than the one that we put together from single expressions? */
static bool
is_plain(const Query *query)
{
	ListCell   *lc;

	foreach(lc, query->targetList)
		if (((TargetEntry *) lfirst(lc))->resjunk)
			return false;
	return !(query->commandType != CMD_SELECT || relation_index(query, ROLLUP_ROWS) == 0 ||
		query->cteList != NIL || query->setOperations != NULL || query->distinctClause != NIL ||
		query->sortClause != NIL || query->limitCount != NULL || query->limitOffset != NULL ||
		query->groupingSets != NIL || query->rowMarks != NIL ||
		(query->jointree->quals != NULL && number_column(query) == 0));
}

void
rollup_read_definition(Oid view, RollupDefinition *d)
{
	Query	   *query = view_query(view);
	ListCell   *lc;
	int			i = 0;

	if (query == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("%s is not a view", pds_relation_name(view))));
	if (!is_plain(query))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("each element of group_by and sketches must be one expression"),
				 errhint("For example: ARRAY['at::date AS day'], ARRAY['hll_agg(visitor) AS "
						 "visitors'].")));
	memset(d, 0, sizeof(*d));
	d->source = rt_fetch(relation_index(query, ROLLUP_ROWS), query->rtable)->relid;
	d->number = number_column(query);
	d->columns = list_length(query->targetList);
	d->column = palloc0(d->columns * sizeof(RollupColumn));
	foreach(lc, query->targetList)
	{
		TargetEntry *entry = lfirst(lc);
		RollupColumn *c = &d->column[i++];

		c->type = exprType((Node *) entry->expr);
		c->typmod = exprTypmod((Node *) entry->expr);
		c->collation = exprCollation((Node *) entry->expr);
		c->is_key = entry->ressortgroupref != 0;
		require_lasting(entry);
		if (c->is_key)
		{
			d->keys++;
			if (d->keys != i)
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						 errmsg("\"%s\" cannot be both grouped by and aggregated",
								entry->resname)));
			if (is_ours(TypeRelationId, c->type))
				ereport(ERROR,
						(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						 errmsg("a rollup cannot group by a sketch")));
		}
		else if (IsA(entry->expr, Aggref))
			read_aggregate((Aggref *) entry->expr, entry->resname, c);
		else
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("column \"%s\" of a rollup is not a bare aggregate", entry->resname),
					 errdetail("The results of aggregates can be merged, but not expressions "
							   "over them."),
					 errhint("Keep the aggregates, and compute from them when you read the "
							 "rollup. For conditions use FILTER: hll_agg(value) FILTER "
							 "(WHERE ...).")));
	}
	if (d->keys == d->columns)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a rollup needs at least one aggregate")));

	/* an index entry of a group must be short, and until 15 has NULLs that differ */
#if !PDS_HAVE_NULLS_NOT_DISTINCT
	d->by_hash = d->keys > 0;
#endif
	for (i = 0; i < d->keys; i++)
		if (get_typlen(d->column[i].type) < 0)
			d->by_hash = true;
}

List *
rollup_used_columns(Oid view)
{
	Query	   *query = view_query(view);
	Bitmapset  *used = NULL;
	List	   *columns = NIL;
	int			i = -1;

	pull_varattnos((Node *) query->targetList, relation_index(query, ROLLUP_ROWS), &used);
	pull_varattnos((Node *) query->jointree->quals, relation_index(query, ROLLUP_ROWS), &used);
	while ((i = bms_next_member(used, i)) >= 0)
		columns = lappend_int(columns, i + FirstLowInvalidHeapAttributeNumber);
	return columns;
}
