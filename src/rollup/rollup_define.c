/*
 * rollup_define.c: the query of a rollup, what may be in it, and how its results are merged
 *
 *     SELECT key, ..., aggregate, ... FROM source [WHERE condition] [GROUP BY key, ...]
 *
 * Each column that is not grouped by is a bare aggregate whose results can be merged: one of
 * ours that gives a sketch, or count, sum, min, max, bool_and, bool_or.  Anything else would be
 * wrong in silence, from the second batch of rows on.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/sysattr.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/pg_aggregate.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "mb/pg_wchar.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteHandler.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "rollup.h"

/* ---------- the source ---------- */

Query *
rollup_named_query(Relation view)
{
	Query	   *query = copyObject(get_view_query(view));
	ListCell   *lc;

	foreach(lc, query->targetList)
	{
		TargetEntry *entry = lfirst(lc);

		if (!entry->resjunk)
			entry->resname = get_attname(RelationGetRelid(view), entry->resno, false);
	}
	return query;
}

Query *
rollup_view_query(Oid view)
{
	Relation	rel = get_rel_relkind(view) == RELKIND_VIEW ?
		try_table_open(view, AccessShareLock) : NULL;
	Query	   *query;

	if (rel == NULL)
		return NULL;
	query = rollup_named_query(rel);
	/* no lock is kept: finding a rollup must not hold up who drops it */
	table_close(rel, AccessShareLock);
	PDS_FLATTEN_GROUPS(query);
	return query;
}

int
rollup_relation_index(const Query *query)
{
	RangeTblRef *ref;

	if (query->jointree == NULL || list_length(query->jointree->fromlist) != 1 ||
		!IsA(linitial(query->jointree->fromlist), RangeTblRef))
		return 0;
	ref = linitial(query->jointree->fromlist);
	return rt_fetch(ref->rtindex, query->rtable)->rtekind == RTE_RELATION ? ref->rtindex : 0;
}

static bool
collect_function(Oid function, void *context)
{
	List	  **functions = context;

	*functions = list_append_unique_oid(*functions, function);
	return false;
}

static bool
collect_functions(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, collect_functions, context, 0);
	(void) check_functions_in_node(node, collect_function, context);
	return expression_tree_walker(node, collect_functions, context);
}

List *
rollup_functions(Query *query)
{
	List	   *functions = NIL;

	(void) collect_functions((Node *) query, &functions);
	return functions;
}

List *
rollup_used_columns(Oid view)
{
	Query	   *query = rollup_view_query(view);
	Bitmapset  *used = NULL;
	List	   *columns = NIL;
	int			i = -1;

	if (query == NULL)
		return NIL;
	pull_varattnos((Node *) query->targetList, rollup_relation_index(query), &used);
	pull_varattnos((Node *) query->jointree->quals, rollup_relation_index(query), &used);
	while ((i = bms_next_member(used, i)) >= 0)
		columns = lappend_int(columns, i + FirstLowInvalidHeapAttributeNumber);
	return columns;
}

/* Where in the query's text: for ereport(). */
static int
at(const char *text, const void *node)
{
	int			location = exprLocation(node);

	if (text == NULL || location < 0)
		return 0;
	internalerrquery(text);
	return internalerrposition(pg_mbstrlen_with_len(text, location) + 1);
}

/* ---------- aggregates ---------- */

/* Is this object a member of one of our extensions? */
static bool
is_ours(Oid class, Oid object)
{
	Oid			extension = getExtensionOfObject(class, object);
	char	   *name = OidIsValid(extension) ? get_extension_name(extension) : NULL;

	return name != NULL && (strcmp(name, "probds") == 0 || strcmp(name, "probds_citext") == 0 ||
							strcmp(name, "probds_citus") == 0);
}

/*
 * What a view shows is a text, and somebody may have made a function in our schema that fits a
 * call better.  In a view it would run as who reads it.
 */
void
rollup_require_our_functions(Oid view)
{
	ListCell   *lc;

	foreach(lc, rollup_functions(rollup_view_query(view)))
		if (get_func_namespace(lfirst_oid(lc)) != PG_CATALOG_NAMESPACE &&
			(!is_ours(ProcedureRelationId, lfirst_oid(lc)) ||
			 !pds_is_of_superuser(lfirst_oid(lc))))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("rollup %s would call function %s(), which is not a function of probds",
							pds_relation_name(view), get_func_name(lfirst_oid(lc))),
					 errhint("Drop the function.")));
}

#define MORE_LAYERS "Each batch of new rows would add a layer to a filter, up to the most that " \
	"it can have."

/* Aggregates of ours that give sketches which new rows cannot be merged into. */
static const struct
{
	const char *name;
	const char *detail;
	bool		use_bloom;
}			not_kept_current[] = {
	{"bloom_intersect_agg", "A rollup merges new rows by union.", false},
	{"fuse_agg", "A fuse filter cannot be merged with that of new rows.", true},
	{"scalable_bloom_agg", MORE_LAYERS, true},
	{"scalable_bloom_merge_agg", MORE_LAYERS, true},
};

/* Does an aggregate of ours give sketches that merge by union? */
static bool
gives_sketches(const Aggref *aggref, const char *text, const char *name)
{
	if (!is_ours(TypeRelationId, aggref->aggtype))
		return false;
	for (int i = 0; i < lengthof(not_kept_current); i++)
		if (strcmp(name, not_kept_current[i].name) == 0)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("%s() cannot be kept current in a rollup", name),
					 errdetail("%s", not_kept_current[i].detail),
					 not_kept_current[i].use_bloom ?
					 errhint("Use bloom_agg(value, capacity) with a capacity for the largest "
							 "group.") : 0, at(text, aggref)));
	if (strcmp(name, "bloom_agg") == 0 && list_length(aggref->args) == 1)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("bloom_agg() needs a capacity in a rollup"),
				 errdetail("Filters of different sizes cannot be merged."),
				 errhint("Use bloom_agg(value, capacity) with a capacity for the largest group."),
				 at(text, aggref)));
	return true;
}

/* Aggregates of the server's that merge: by which rule */
static const struct
{
	const char *name;
	RollupMerge merge;
}			of_server[] = {
	{"count", ROLLUP_SUM}, {"sum", ROLLUP_SUM}, {"min", ROLLUP_MIN}, {"max", ROLLUP_MAX},
	{"bool_and", ROLLUP_AND}, {"every", ROLLUP_AND}, {"bool_or", ROLLUP_OR}
};

/* How results of this aggregate are merged; an error if they cannot be. */
static void
read_aggregate(const Aggref *aggref, const char *text, const char *column, RollupColumn *c)
{
	const char *name = get_func_name(aggref->aggfnoid);

	if (name == NULL)
		elog(ERROR, "cache lookup failed for function %u", aggref->aggfnoid);
	if (aggref->aggdistinct != NIL || aggref->aggorder != NIL || aggref->aggkind != AGGKIND_NORMAL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("aggregate of column \"%s\" cannot have DISTINCT or ORDER BY in a rollup",
						column),
				 errdetail("Results over parts of the rows could not be merged."),
				 strcmp(name, "count") == 0 ?
				 errhint("Use hll_agg(value) for the number of distinct values.") : 0,
				 at(text, aggref)));
	if (is_ours(ProcedureRelationId, aggref->aggfnoid))
	{
		if (gives_sketches(aggref, text, name))
		{
			c->merge = ROLLUP_UNION;
			c->type_name = pds_type_name(aggref->aggtype);
			return;
		}
	}
	else if (get_func_namespace(aggref->aggfnoid) == PG_CATALOG_NAMESPACE)
		for (size_t i = 0; i < lengthof(of_server); i++)
			if (strcmp(name, of_server[i].name) == 0)
			{
				c->merge = of_server[i].merge;
				c->counts = strcmp(name, "count") == 0;
				return;
			}
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("results of %s() in column \"%s\" cannot be merged", name, column),
			 errhint("Use an aggregate of probds that returns a sketch, or count, sum, min, max, "
					 "bool_and or bool_or. Replace avg with sum and count, and "
					 "approx_count_distinct with hll_agg."),
			 at(text, aggref)));
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

static bool
contains_system_column(Node *node, void *context)
{
	if (node == NULL)
		return false;
	return (IsA(node, Var) && ((Var *) node)->varattno < 0) ||
		expression_tree_walker(node, contains_system_column, context);
}

/* Writers, refreshes and readers compute an expression at different times. */
static void
require_lasting(Node *expr, const char *text, const char *what)
{
	if (expression_returns_set(expr))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s of a rollup cannot return a set", what), at(text, expr)));
	if (contains_system_column(expr, NULL))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s of a rollup cannot use a system column", what),
				 errdetail("The new rows of a statement have none."), at(text, expr)));
	if (contain_volatile_functions(expr))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s of a rollup cannot use a volatile function", what),
				 errdetail("A rebuild would give different results."), at(text, expr)));
	if (contains_passing(expr, NULL))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s of a rollup depends on when or for whom it is computed", what),
				 errdetail("A rebuild would give different results."),
				 errhint("Use columns of the source; compare with now() when you read the "
						 "rollup."), at(text, expr)));
	if (contain_subplans(expr))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s of a rollup cannot use a subquery", what),
				 errdetail("The result of the subquery may change, but rows that are already "
						   "counted would keep the old one."), at(text, expr)));
}

/* ---------- the whole query ---------- */

/* 0A000: what a rollup's query cannot have. */
static void
require_plain(Query *query, const char *text)
{
	const char *what = NULL;
	RangeTblEntry *source;

	if (query->commandType != CMD_SELECT)
		what = "anything but SELECT";
	else if (query->cteList != NIL)
		what = "WITH";
	else if (query->setOperations != NULL)
		what = "UNION, INTERSECT or EXCEPT";
	else if (query->distinctClause != NIL)
		what = "DISTINCT";
	else if (query->hasWindowFuncs)
		what = "window functions";
	else if (query->groupingSets != NIL)
		what = "grouping sets";
	else if (query->havingQual != NULL)
		what = "HAVING";
	else if (query->sortClause != NIL)
		what = "ORDER BY";
	else if (query->limitCount != NULL || query->limitOffset != NULL)
		what = "LIMIT or OFFSET";
	else if (query->rowMarks != NIL)
		what = "FOR UPDATE";
	if (what != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the query of a rollup cannot have %s", what),
				 errhint("Say it when you read the rollup.")));
	if (rollup_relation_index(query) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the query of a rollup must read one table or one rollup"),
				 errdetail("Without joins, subqueries or functions behind FROM, a change of a "
						   "row says which groups it changes."),
				 errhint("Join other tables when you read the rollup.")));
	source = rt_fetch(rollup_relation_index(query), query->rtable);
	if (!source->inh || source->tablesample != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("the query of a rollup cannot have %s",
						source->inh ? "TABLESAMPLE" : "ONLY"),
				 errdetail("The triggers of the table tell of all its rows.")));
	if (query->jointree->quals != NULL)
		require_lasting(query->jointree->quals, text, "WHERE condition");
}

/* How the server tells two values of a key apart. */
static void
read_equality(RollupColumn *c)
{
	Oid			operator = lookup_type_cache(c->type, TYPECACHE_EQ_OPR)->eq_opr;
	HeapTuple	tuple = SearchSysCache1(OPEROID, ObjectIdGetDatum(operator));
	Form_pg_operator form;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "no equality of type %u", c->type);
	form = (Form_pg_operator) GETSTRUCT(tuple);
	c->equal = psprintf("OPERATOR(%s.%s)",
						quote_identifier(get_namespace_name(form->oprnamespace)),
						NameStr(form->oprname));

	/* one of a domain would fit better, and anybody may make it in the operator's schema */
	c->as = c->type == form->oprleft || form->oprnamespace == PG_CATALOG_NAMESPACE ? "" :
		psprintf("::%s", format_type_extended(form->oprleft, -1, FORMAT_TYPE_FORCE_QUALIFY));
	ReleaseSysCache(tuple);
}

static void
read_column(const TargetEntry *entry, const char *text, RollupColumn *c)
{
	c->type = exprType((Node *) entry->expr);
	c->typmod = exprTypmod((Node *) entry->expr);
	c->collation = exprCollation((Node *) entry->expr);
	c->is_key = entry->ressortgroupref != 0;
	require_lasting((Node *) entry->expr, text, psprintf("column \"%s\"", entry->resname));
	if (strncmp(entry->resname, "probds_", 7) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_RESERVED_NAME),
				 errmsg("column name \"%s\" is reserved", entry->resname),
				 errdetail("Names that begin with \"probds_\" are used by probds itself."),
				 at(text, entry->expr)));
	if (c->is_key && is_ours(TypeRelationId, c->type))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a rollup cannot group by a sketch"), at(text, entry->expr)));
	if (c->is_key && !OidIsValid(lookup_type_cache(c->type, TYPECACHE_LT_OPR)->lt_opr))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a rollup cannot group by type %s", format_type_be(c->type)),
				 errdetail("Values of the type cannot be sorted."), at(text, entry->expr)));
	if (c->is_key)
		read_equality(c);
	else if (IsA(entry->expr, Aggref))
		read_aggregate((Aggref *) entry->expr, text, entry->resname, c);
	else
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" of a rollup is not a bare aggregate", entry->resname),
				 errdetail("The results of aggregates can be merged, but not expressions "
						   "over them."),
				 errhint("Keep the aggregates, and compute from them when you read the "
						 "rollup. For conditions use FILTER: hll_agg(value) FILTER "
						 "(WHERE ...)."),
				 at(text, entry->expr)));
}

void
rollup_read_query(Query *query, const char *text, RollupDefinition *d)
{
	ListCell   *lc;

	require_plain(query, text);
	memset(d, 0, sizeof(*d));
	d->source = rt_fetch(rollup_relation_index(query), query->rtable)->relid;
	d->column = palloc0(list_length(query->targetList) * sizeof(RollupColumn));
	foreach(lc, query->targetList)
	{
		TargetEntry *entry = lfirst(lc);

		if (entry->resjunk)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("a rollup must have each expression of GROUP BY as a column"),
					 at(text, entry->expr)));
		read_column(entry, text, &d->column[d->columns]);
		if (d->column[d->columns++].is_key)
			d->keys++;
	}
	if (d->keys == d->columns)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a rollup needs at least one aggregate"),
				 errhint("For example: SELECT at::date AS day, hll_agg(visitor) AS visitors FROM "
						 "visit GROUP BY 1.")));
}

void
rollup_read_definition(Oid view, RollupDefinition *d)
{
	Query	   *query = rollup_view_query(view);

	if (query == NULL)
		elog(ERROR, "relation %u is no view", view);
	rollup_read_query(query, NULL, d);
}
