/*
 * answer_rollups.c: the rollups of a table, kept as trees
 *
 * To parse the statements of a rollup takes longer than to plan them.  So a session keeps for each
 * table that it reads what rollups the table has, until one of the relations changes.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/nbtree.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteDefine.h"
#include "rewrite/rewriteHandler.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "answer.h"
#include "ordinary.h"

/* A table, and what the session knows of its rollups */
typedef struct Known
{
	Oid			table;			/* key */
	bool		valid;			/* nothing has changed since we began to look, ... */
	bool		complete;		/* ... and we have ended */
	List	   *rollups;		/* AnswerRollup * */
	List	   *watched;		/* relations whose changes matter */
	MemoryContext memory;
} Known;

#define MOST_OUTDATED	100

static HTAB *known;
static bool some_passing;		/* another transaction will know better of some */
static int	outdated;			/* how many became invalid since those were thrown away */

/* ---------- what is known is forgotten ---------- */

static void
forget(Datum arg, Oid relation)
{
	HASH_SEQ_STATUS all;
	Known	   *k;

	hash_seq_init(&all, known);
	while ((k = hash_seq_search(&all)) != NULL)
		if (k->valid && (!OidIsValid(relation) || k->table == relation ||
						 (k->watched != NIL && list_member_oid(k->watched, relation))))
		{
			k->valid = false;
			outdated++;
		}
}

void
pds_forget_rollups(void)
{
	if (known != NULL)
		forget((Datum) 0, InvalidOid);
}

/* Tables come and go, above all temporary ones: throw away what is invalid, now and then. */
void
pds_tidy_rollups(void)
{
	HASH_SEQ_STATUS all;
	Known	   *k;

	if (outdated < MOST_OUTDATED)
		return;
	outdated = 0;
	hash_seq_init(&all, known);
	while ((k = hash_seq_search(&all)) != NULL)
		if (!k->valid)
		{
			if (k->memory != NULL)
				MemoryContextDelete(k->memory);
			(void) hash_search(known, &k->table, HASH_REMOVE, NULL);
		}
}

/* A table is fed by a subscription, or is not any more. */
static void
forget_all(Datum arg, int cache, uint32 hash)
{
	forget(arg, InvalidOid);
}

/* Forget what was looked up under an old snapshot. */
static void
forget_passing(XactEvent event, void *arg)
{
	if (some_passing)
		forget((Datum) 0, InvalidOid);
	some_passing = false;
}

static void
start(void)
{
	HASHCTL		control = {.keysize = sizeof(Oid), .entrysize = sizeof(Known),
		.hcxt = CacheMemoryContext};

	known = hash_create("tables and their rollups", 64, &control,
						HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	RegisterXactCallback(forget_passing, NULL);
	CacheRegisterRelcacheCallback(forget, (Datum) 0);
	CacheRegisterSyscacheCallback(SUBSCRIPTIONRELMAP, forget_all, (Datum) 0);
}

/* ---------- what the expressions need ---------- */

/* Functions whose results depend on a setting, though most are immutable to the server */
static const struct
{
	Oid			function;
	const char *setting;
}			by_setting[] = {
	{F_FLOAT4OUT, "extra_float_digits"}, {F_FLOAT8OUT, "extra_float_digits"},
	{F_POINT_OUT, "extra_float_digits"}, {F_LSEG_OUT, "extra_float_digits"},
	{F_LINE_OUT, "extra_float_digits"}, {F_BOX_OUT, "extra_float_digits"},
	{F_PATH_OUT, "extra_float_digits"}, {F_POLY_OUT, "extra_float_digits"},
	{F_CIRCLE_OUT, "extra_float_digits"},
	{F_BYTEAOUT, "bytea_output"},
	/* months and days are counted on the session's clock */
	{F_AGE_TIMESTAMPTZ_TIMESTAMPTZ, "TimeZone"},
	/* a zone by its name: the server looks for an abbreviation first */
	{F_TIMEZONE_TEXT_TIMESTAMPTZ, "timezone_abbreviations"},
	{F_TIMEZONE_TEXT_TIMESTAMP, "timezone_abbreviations"},
	{F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT, "timezone_abbreviations"},
	{F_MAKE_TIMESTAMPTZ_INT4_INT4_INT4_INT4_INT4_FLOAT8_TEXT, "timezone_abbreviations"}
};

/*
 * Stable functions whose results depend on these settings alone.  Those of others may depend on the
 * search path, on tables, or on who asks: a regclass as text does.
 */
static const char *const of_text[] = {
	"to_char", "to_date", "to_timestamp", "to_number", "date_in", "date_out", "time_in",
	"timestamp_in", "timestamp_out", "timestamptz_in", "timestamptz_out", "interval_in",
	"interval_out", "cash_in", "cash_out", "enum_in", "enum_out"
};
static const char *const for_text[] = {
	"TimeZone", "timezone_abbreviations", "DateStyle", "IntervalStyle", "lc_monetary", "lc_numeric",
	"lc_time"
};

/* What these make of a value is what the output function of its type, or of its elements', does */
static const char *const by_output[] = {
	"concat", "concat_ws", "textanycat", "anytextcat", "array_to_string", "array_out"
};

typedef struct Needs
{
	List	   *settings;		/* their names */
	bool		text;			/* of times, perhaps with the zone's abbreviation */
	bool		outputs;		/* for the node at hand: what its arguments' output depends on */
	bool		more;			/* than settings */
} Needs;

static bool
is_one_of(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Of stable functions, those whose results depend on the time zone, and on no other setting */
static bool
asks_for_zone_only(const char *name, int nargs)
{
	return strstr(name, "timestamptz") != NULL || strcmp(name, "date_trunc") == 0 ||
		strcmp(name, "date_part") == 0 || strcmp(name, "extract") == 0 ||
		(nargs == 1 && (strcmp(name, "date") == 0 || strcmp(name, "time") == 0 ||
						strcmp(name, "timestamp") == 0));
}

static bool
needs_of_function(Oid function, void *context)
{
	Needs	   *needs = context;

	for (size_t i = 0; i < lengthof(by_setting); i++)
		if (function == by_setting[i].function)
			needs->settings = lappend(needs->settings, unconstify(char *, by_setting[i].setting));
	/* rollups of 1.0 have not kept quote_all_identifiers */
	needs->more |= function == F_QUOTE_IDENT;
	if (func_volatile(function) == PROVOLATILE_IMMUTABLE)
		return false;
	if (get_func_namespace(function) != PG_CATALOG_NAMESPACE)
		needs->more = true;
	else if (is_one_of(get_func_name(function), of_text, lengthof(of_text)))
		needs->text = true;
	else if (asks_for_zone_only(get_func_name(function), get_func_nargs(function)))
		needs->settings = lappend(needs->settings, "TimeZone");
	else if (is_one_of(get_func_name(function), by_output, lengthof(by_output)))
		needs->outputs = true;
	else
		needs->more = true;
	return false;
}

/* What a node puts out, by a function of by_output */
static List *
arguments_of(Node *node)
{
	switch (nodeTag(node))
	{
		case T_FuncExpr:
			return ((FuncExpr *) node)->args;
		case T_OpExpr:
			return ((OpExpr *) node)->args;
		case T_CoerceViaIO:
			return list_make1(((CoerceViaIO *) node)->arg);
		default:
			return NIL;			/* no other calls one */
	}
}

static bool
needs_setting(const Needs *needs, const char *name)
{
	ListCell   *lc;

	foreach(lc, needs->settings)
		if (strcmp(lfirst(lc), name) == 0)
			return true;
	return needs->text && is_one_of(name, for_text, lengthof(for_text));
}

static bool
find_needs(Node *node, void *context)
{
	Needs	   *needs = context;
	ListCell   *lc;

	if (node == NULL)
		return false;
	needs->outputs = false;
	(void) check_functions_in_node(node, needs_of_function, needs);
	foreach(lc, needs->outputs ? arguments_of(node) : NIL)
	{
		Oid			type = exprType(lfirst(lc));
		Oid			output;
		bool		varlena;

		/* an array's elements may be of a domain over arrays */
		while (OidIsValid(get_base_element_type(type)))
			type = get_base_element_type(type);
		getTypeOutputInfo(type, &output, &varlena);
		(void) needs_of_function(output, needs);
	}
	/* text of any values is made without a function that has a name */
	needs->more |= IsA(node, XmlExpr) || PDS_IS_JSON_EXPR(node);
	return expression_tree_walker(node, find_needs, context);
}

/* Do equal values of a type have the same bytes, so that one may stand for another? */
static bool
looks_same(Oid type, int32 typmod, Oid collation)
{
	TypeCacheEntry *cache;
	Oid			function;

	type = getBaseTypeAndTypmod(type, &typmod);
	/* blanks at the end count for nothing, and character(n) is filled up with them */
	if (type == BPCHAROID && typmod >= 0)
		type = TEXTOID;
	cache = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY);
	function = OidIsValid(cache->btree_opf) && type != BPCHAROID ?
		get_opfamily_proc(cache->btree_opf, cache->btree_opintype, cache->btree_opintype,
						  BTEQUALIMAGE_PROC) : InvalidOid;
	return OidIsValid(function) &&
		DatumGetBool(OidFunctionCall1Coll(function, collation,
										  ObjectIdGetDatum(cache->btree_opintype)));
}

/* The type modifier of a column; max() is one of its arguments, and has not theirs itself. */
static int32
length_of(Expr *expr)
{
	const Aggref *a = (const Aggref *) expr;

	if (IsA(expr, Aggref) && a->args != NIL)
		expr = linitial_node(TargetEntry, a->args)->expr;
	return exprTypmod((Node *) expr);
}

/* ---------- the rollup's query over the table ---------- */

/* A rollup that reads "below", another rollup of the table: its query over the table. */
typedef struct Composition
{
	const AnswerRollup *below;
	bool		fails;
} Composition;

/*
 * The column of the rollup below that an expression is, or NULL.  A view that somebody has put in
 * the rollup's place may have more columns than its query has, and of other types.
 */
static const AnswerColumn *
column_below(const Expr *expr, const AnswerRollup *below)
{
	const Var  *var = (const Var *) expr;

	return IsA(expr, Var) && var->varattno > 0 && var->varattno <= below->columns &&
		var->vartype == below->column[var->varattno - 1].type ?
		&below->column[var->varattno - 1] : NULL;
}

/* An expression over keys of the rollup below */
static Node *
compose(Node *node, void *context)
{
	Composition *c = context;
	const AnswerColumn *of;

	if (node == NULL)
		return NULL;
	if (!IsA(node, Var))
		return expression_tree_mutator(node, compose, context);
	of = column_below((Expr *) node, c->below);
	if (of != NULL && of->is_key)
		return copyObject((Node *) of->expr);
	c->fails = true;
	return node;
}

/* An aggregate that merges a column of the rollup below, as that column is made from rows */
static Expr *
compose_aggregate(Aggref *aggref, const RollupColumn *as, Composition *c)
{
	const AnswerColumn *of = list_length(aggref->args) == 1 && aggref->aggfilter == NULL ?
		column_below(linitial_node(TargetEntry, aggref->args)->expr, c->below) : NULL;

	if (of != NULL && !of->is_key && of->merge == as->merge && !as->counts &&
		(as->merge != ROLLUP_UNION || aggref->aggfnoid == of->merge_agg))
		return copyObject(of->expr);
	c->fails = true;
	return (Expr *) aggref;
}

/* Its query, once more with the table in the place of the rollup that it reads. */
static bool
compose_query(Query *query, const RollupDefinition *d, const AnswerRollup *below)
{
	Composition c = {below, false};
	Query	   *base = copyObject(below->compute);
	ListCell   *lc;

	foreach(lc, query->targetList)
	{
		TargetEntry *entry = lfirst(lc);
		const RollupColumn *as = &d->column[foreach_current_index(lc)];

		entry->expr = as->is_key ? (Expr *) compose((Node *) entry->expr, &c) :
			compose_aggregate((Aggref *) entry->expr, as, &c);
	}
	query->jointree->quals = make_and_qual(compose(query->jointree->quals, &c),
										   base->jointree->quals);
	query->jointree->fromlist = base->jointree->fromlist;
	query->rtable = base->rtable;
	PDS_TAKE_PERMISSIONS(query, base);
	return !c.fails;
}

/* ---------- one rollup ---------- */

/* Why the rollup may not be what its query gives over the source, or NULL. */
static char *
doubt(const RollupParts *parts, const RollupOptions *options)
{
	StringInfoData status;

	if (!options->built)
		return "it is not built, or has missed changes";
	if (options->retention != NULL || options->frozen_after != NULL)
		return "it keeps groups for another time than its source keeps rows";
	if (rollup_has_note(parts->options, ROLLUP_KEPT))
		return "it has kept groups for another time than its source keeps rows: rebuild it";
	initStringInfo(&status);
	rollup_check_source(parts, &status);
	return status.len > 0 ? status.data + strlen("; ") : NULL;
}

/* The index of the groups with marks, and of nothing else; InvalidOid if somebody dropped it. */
static Oid
find_marks(Oid stored)
{
	Relation	rel = table_open(stored, AccessShareLock);
	Oid			result = InvalidOid;
	ListCell   *lc;

	foreach(lc, RelationGetIndexList(rel))
	{
		Relation	index = index_open(lfirst_oid(lc), AccessShareLock);

		if (index->rd_rel->relam == BTREE_AM_OID && index->rd_index->indisvalid &&
			index->rd_index->indnatts == 1 && index->rd_index->indkey.values[0] == 1 &&
			RelationGetIndexPredicate(index) != NIL)
			result = RelationGetRelid(index);
		index_close(index, NoLock);
	}
	table_close(rel, NoLock);
	return result;
}

/*
 * Have the parts the types of the query's columns?  To cast others could run conditions of a
 * domain, which are code of its owner's, as who reads the source.
 */
static bool
has_types_of(Oid stored, const RollupDefinition *d)
{
	Relation	rel = table_open(stored, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(rel);
	int			n = -1;			/* behind ROLLUP_TOUCHED */
	bool		same = true;

	for (int i = 0; i < desc->natts && n < d->columns; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(desc, i);

		if (attribute->attisdropped)
			continue;
		same &= n < 0 || attribute->atttypid == d->column[n].type;
		n++;
	}
	table_close(rel, NoLock);
	return same;
}

/* The UNION ALL of rollup_all_text(). */
static Query *
read_all(const RollupParts *parts, const RollupDefinition *d, bool some_wait)
{
	Query	   *query;
	List	   *queries;
	ListCell   *lc;

	query = rollup_parse(rollup_all_text(parts, d, some_wait));
	foreach(lc, query->rtable)
		PDS_FLATTEN_GROUPS(lfirst_node(RangeTblEntry, lc)->subquery);

	/* somebody may have made a function in our schema that fits a call better */
	foreach(lc, rollup_functions(query))
		if (get_func_namespace(lfirst_oid(lc)) != PG_CATALOG_NAMESPACE &&
			!pds_is_our_function(lfirst_oid(lc)))
			return NULL;
	setRuleCheckAsUser((Node *) query, parts->owner);
	queries = QueryRewrite(query);
	return list_length(queries) == 1 ? linitial_node(Query, queries) : NULL;
}

/*
 * Of "settings", and of those that the rollup below was made with, the rollup keeps those that its
 * expressions need.
 */
static void
read_columns(AnswerRollup *r, const RollupDefinition *d, char **settings)
{
	Needs		needs = {0};
	Relation	rel;
	ListCell   *lc;

	r->keys = d->keys;
	r->columns = d->columns;
	r->column = palloc0(d->columns * sizeof(AnswerColumn));
	foreach(lc, r->compute->targetList)
	{
		TargetEntry *entry = lfirst(lc);
		AnswerColumn *c = &r->column[foreach_current_index(lc)];
		const RollupColumn *of = &d->column[foreach_current_index(lc)];

		c->expr = entry->expr;
		c->is_key = of->is_key;
		c->merge = of->merge;
		c->type = of->type;
		c->typmod = of->typmod;
		c->collation = of->collation;
		c->name = entry->resname;
		c->looks_same = looks_same(of->type, length_of(entry->expr), of->collation);
		if (!of->is_key && of->merge == ROLLUP_UNION)
			c->merge_agg = pds_function(psprintf("%s_merge_agg", of->type_name), 1, of->type);
	}
	rel = table_open(rt_fetch(1, r->compute->rtable)->relid, AccessShareLock);
	(void) find_needs(PDS_EXPAND_GENERATED((Node *) r->compute->targetList, rel, 1), &needs);
	(void) find_needs(PDS_EXPAND_GENERATED(r->compute->jointree->quals, rel, 1), &needs);
	table_close(rel, NoLock);
	r->shows = needs.text;
	if (needs.more)
		r->unusable = "it may depend on who asks, on the search path, or on other tables";
	for (char **s = settings; s != NULL && s[0] != NULL && s[1] != NULL; s += 2)
		/* who reads the source is told what it is now; the owner can write any name here */
		if (needs_setting(&needs, s[0]) && !(GetConfigOptionFlags(s[0], true) & GUC_SUPERUSER_ONLY))
			r->settings = list_concat(r->settings, list_make2(pstrdup(s[0]), pstrdup(s[1])));
	for (int i = 0; r->below != NULL && i < list_length(r->below->settings); i += 2)
		if (needs_setting(&needs, list_nth(r->below->settings, i)))
			r->settings = list_concat(r->settings, list_make2(list_nth(r->below->settings, i),
															  list_nth(r->below->settings, i + 1)));
}

/* The query of a view, whose relation is the first and only one. */
static Query *
query_over_one(Oid view)
{
	Query	   *query = rollup_view_query(view);
	int			index = rollup_relation_index(query);

	ChangeVarNodes((Node *) query, index, 1, 0);
	query->rtable = list_make1(rt_fetch(index, query->rtable));
	return query;
}

/*
 * Does the transaction see the row of options that all see from now on?  Who alters or rebuilds a
 * rollup writes it.  A comment says what was missed since then, and the catalogs show it at once.
 */
static bool
sees_latest_options(Oid options)
{
	Relation	rel = table_open(options, AccessShareLock);
	Snapshot	latest = RegisterSnapshot(GetLatestSnapshot());
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, latest, 0, NULL);
	HeapTuple	tuple;
	bool		sees = true;

	while (HeapTupleIsValid(tuple = systable_getnext(scan)))
	{
		TransactionId by = HeapTupleHeaderGetXmin(tuple->t_data);

		sees &= TransactionIdIsCurrentTransactionId(by) ||
			!XidInMVCCSnapshot(by, GetActiveSnapshot());
	}
	systable_endscan(scan);
	UnregisterSnapshot(latest);
	table_close(rel, AccessShareLock);
	return sees;
}

/* The AnswerRollup has its parts, and what is below it.  What it gets is where it is itself. */
static void
read_rollup(void *arg)
{
	AnswerRollup *r = arg;
	RollupDefinition d;
	RollupOptions options;
	Query	   *compute;
	Query	   *read[2] = {NULL};
	char	   *unusable;
	List	   *functions;
	bool		row_security;
	ListCell   *lc;
	PdsScope	scope;
	MemoryContext caller = CurrentMemoryContext;

	SPI_connect();
	pds_scope_enter(&scope, r->parts.owner);
	rollup_read_options(&r->parts, &options);
	rollup_read_definition(r->parts.query, &d);
	compute = query_over_one(r->parts.query);
	unusable = doubt(&r->parts, &options);
	if (!sees_latest_options(r->parts.options))
	{
		some_passing = true;
		unusable = "it was built or altered after the transaction began";
	}
	if (r->below != NULL && unusable == NULL &&
		(r->below->unusable != NULL || !r->below->live || !compose_query(compute, &d, r->below)))
		unusable = "it is a rollup of a rollup that cannot be used, or is not live";
	if (unusable == NULL && !has_types_of(r->parts.stored, &d))
		unusable = "its parts have other types than its query";
	if (unusable == NULL)
	{
		read[0] = read_all(&r->parts, &d, false);
		read[1] = read_all(&r->parts, &d, true);
		if (read[0] == NULL || read[1] == NULL)
			unusable = "it would call a function that is not a function of probds";
	}
	MemoryContextSwitchTo(GetMemoryChunkContext(r));
	if (unusable != NULL)
		r->unusable = pstrdup(unusable);
	else
	{
		r->live = options.live;
		r->compute = copyObject(compute);
		r->read[0] = copyObject(read[0]);
		r->read[1] = copyObject(read[1]);
		extract_query_dependencies((Node *) r->read[0], &r->relations, &functions,
								   &row_security);
		r->shift = pds_function("_probds_shift", 2, ANYELEMENTOID);
		r->functions = list_make1_oid(r->shift);
		foreach(lc, list_concat_unique_oid(rollup_functions(read[0]), rollup_functions(read[1])))
			if (get_func_namespace(lfirst_oid(lc)) != PG_CATALOG_NAMESPACE)
				r->functions = lappend_oid(r->functions, lfirst_oid(lc));
		r->marks = find_marks(r->parts.stored);
		read_columns(r, &d, options.settings);
	}
	pds_scope_leave(&scope);
	MemoryContextSwitchTo(caller);
	SPI_finish();
}

/* ---------- the rollups of a table ---------- */

/* Add the rollups that read this relation, and the rollups of these. */
static void
add_rollups(Known *k, Oid relation, const AnswerRollup *below)
{
	ListCell   *lc;

	foreach(lc, rollup_list_of_source(relation))
	{
		const RollupParts *parts = lfirst(lc);
		AnswerRollup *r;
		MemoryContext caller;
		char	   *why;

		if (parts->source != relation)
			continue;
		caller = MemoryContextSwitchTo(k->memory);
		r = palloc0(sizeof(AnswerRollup));
		r->parts = *parts;
		r->below = below;
		k->rollups = lappend(k->rollups, r);
		k->watched = lappend_oid(k->watched, parts->query);
		k->watched = lappend_oid(k->watched, parts->stored);
		k->watched = lappend_oid(k->watched, parts->shown);
		k->watched = lappend_oid(k->watched, parts->options);
		MemoryContextSwitchTo(caller);
		if (!pds_attempt(read_rollup, r, &why))
		{
			some_passing = true;
			r->unusable = MemoryContextStrdup(k->memory, why);
		}
		add_rollups(k, parts->shown, r);
	}
}

static void
look(Known *k)
{
	MemoryContext caller;

	k->memory = AllocSetContextCreate(CacheMemoryContext, "rollups of a table",
									  ALLOCSET_SMALL_SIZES);
	k->rollups = NIL;
	k->watched = NIL;
	k->valid = true;
	k->complete = false;
	add_rollups(k, k->table, NULL);
	if (k->rollups != NIL)
	{
		caller = MemoryContextSwitchTo(k->memory);
		k->watched = list_concat(k->watched, find_all_inheritors(k->table, NoLock, NULL));
		MemoryContextSwitchTo(caller);
	}
	k->complete = true;
}

bool
pds_rollups_have_changed(Oid table)
{
	const Known *k = hash_search(known, &table, HASH_FIND, NULL);

	return !k->valid;
}

List *
pds_rollups_of(Oid table)
{
	Known	   *k;
	bool		found;

	if (known == NULL)
		start();
	k = hash_search(known, &table, HASH_ENTER, &found);
	if (!found)
	{
		k->memory = NULL;
		k->valid = false;
		k->complete = false;
	}
	if (!k->valid || !k->complete)
	{
		if (k->memory != NULL)
			MemoryContextDelete(k->memory);
		k->memory = NULL;
		look(k);
	}
	return k->rollups;
}
