/*
 * rollup_alter.c: changing and dropping rollups
 */
#include "postgres.h"

#include "access/table.h"
#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_type.h"
#include "commands/comment.h"
#include "commands/view.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_relation.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteHandler.h"
#include "rewrite/rewriteManip.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"
#include "utils/snapmgr.h"
#include "utils/varlena.h"

#include "rollup.h"

/* ---------- options ---------- */

/*
 * probds_alter_rollup(rollup regclass, live boolean, retention interval, frozen_after interval,
 * schedule interval): NULL leaves an option as it is
 */
PG_FUNCTION_INFO_V1(probds_alter_rollup);
Datum
probds_alter_rollup(PG_FUNCTION_ARGS)
{
	RollupParts parts;
	PdsScope	path;
	PdsScope	scope;

	rollup_require(PG_ARGISNULL(0) ? InvalidOid : PG_GETARG_OID(0), &parts);
	rollup_require_owner(&parts);
	SPI_connect();
	pds_scope_enter_path(&path);
	if (!PG_ARGISNULL(1))
	{
		pds_scope_enter(&scope, parts.owner);
		rollup_hold(&parts);
		rollup_make_shown(&parts, pds_relation_name(parts.shown), NULL, PG_GETARG_BOOL(1));
		(void) rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET live = %s",
							   pds_relation_name(parts.options),
							   PG_GETARG_BOOL(1) ? "true" : "false");
		pds_scope_leave(&scope);
	}
	rollup_set_intervals(&parts, fcinfo, 2);
	CacheInvalidateRelcacheByRelid(parts.options);
	pds_scope_leave(&path);
	SPI_finish();
	PG_RETURN_VOID();
}

/* ---------- columns ---------- */

/* What is to lose or to get a column, locked.  It may have changed while we waited. */
static void
begin_altering(Oid relation, RollupParts *parts, RollupDefinition *d)
{
	rollup_require(relation, parts);
	rollup_require_owner(parts);
	rollup_require_read_committed("a rollup can only be altered");
	rollup_require_watch(parts);
	rollup_lock(parts, ShareRowExclusiveLock);
	rollup_require(relation, parts);
	rollup_require_owner(parts);
	rollup_make_triggers(parts->source);
	rollup_read_definition(parts->query, d);
}

static void
drop_relation(Oid relation)
{
	if (!OidIsValid(relation) || get_rel_name(relation) == NULL)
		return;
	(void) rollup_executef(SPI_OK_UTILITY, "DROP %s %s", get_rel_relkind(relation) == RELKIND_VIEW ?
						   "VIEW" : "TABLE", pds_relation_name(relation));
	CommandCounterIncrement();
}

/* The one aggregate of a text, over the source. */
static TargetEntry *
parse_column(const RollupParts *parts, const char *text)
{
	char	   *query = psprintf("SELECT %s\nFROM %s", text, pds_relation_name(parts->source));
	Query	   *parsed = rollup_parse(query);
	RollupDefinition d;
	PdsScope	scope;

	rollup_read_query(parsed, query, &d);
	if (d.columns != 1 || d.source != parts->source || parsed->jointree->quals != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 errmsg("a column of a rollup must be one aggregate, with a name"),
				 errhint("For example: 'hll_agg(device) AS devices'.")));
	/* the casts of a type of somebody else's would be code of his */
	pds_scope_enter(&scope, parts->owner);
	rollup_try_query(parsed);
	pds_scope_leave(&scope);
	return linitial(parsed->targetList);
}

/* The type of an expression, and its collation, as in the definition of a column. */
static char *
type_text(Node *expr)
{
	char	   *type = format_type_extended(exprType(expr), exprTypmod(expr),
											FORMAT_TYPE_TYPEMOD_GIVEN | FORMAT_TYPE_FORCE_QUALIFY);

	return !OidIsValid(exprCollation(expr)) ? type :
		psprintf("%s COLLATE %s", type, generate_collation_name(exprCollation(expr)));
}

/* SELECT of NULLs of the types of a query's columns, under the same names. */
static char *
empty_text(const Query *query)
{
	StringInfoData s;
	ListCell   *lc;

	initStringInfo(&s);
	foreach(lc, query->targetList)
	{
		TargetEntry *entry = lfirst(lc);

		appendStringInfo(&s, "%sNULL::%s AS %s", s.len > 0 ? ", " : "SELECT ",
						 type_text((Node *) entry->expr), quote_identifier(entry->resname));
	}
	return s.data;
}

/* A copy of the query as it is stored, without what the rule of a view adds to its tables. */
static Query *
stored_query(Oid view)
{
	Relation	rel = table_open(view, AccessExclusiveLock);
	Query	   *query = rollup_named_query(rel);
	int			added = 0;

	table_close(rel, NoLock);
	while (added < list_length(query->rtable) &&
		   list_nth_node(RangeTblEntry, query->rtable, added)->relid == view)
		added++;
	if (added > 0)
	{
		query->rtable = list_copy_tail(query->rtable, added);
		OffsetVarNodes((Node *) query, -added, 0);
	}
	return query;
}

/* Who reads the view needs the right to read the columns that the query has now. */
static void
set_selected(Query *query)
{
	Query	   *flat = copyObject(query);
	int			index = rollup_relation_index(query);
	Bitmapset  *selected = NULL;

	PDS_FLATTEN_GROUPS(flat);
	pull_varattnos((Node *) flat->targetList, index, &selected);
	pull_varattnos(flat->jointree->quals, index, &selected);
	PDS_SET_SELECTED(query, rt_fetch(index, query->rtable), selected);
}

/* The view gets its columns by an empty query; then the query is put there as a tree. */
static void
put_query(const char *name, const char *schema, Query *query)
{
	set_selected(query);
	(void) rollup_executef(SPI_OK_UTILITY, "CREATE OR REPLACE VIEW %s AS %s",
						   quote_qualified_identifier(schema, name), empty_text(query));
	CommandCounterIncrement();
	StoreViewQuery(get_relname_relid(name, get_namespace_oid(schema, false)), query, true);
	CommandCounterIncrement();
}

/* The query of the view, with one more column. */
static void
add_to_query(const RollupParts *parts, const RollupDefinition *d, TargetEntry *entry)
{
	Query	   *query = stored_query(parts->query);
	int			index = rollup_relation_index(query);

	entry = copyObject(entry);
	if (index != 1)
		ChangeVarNodes((Node *) entry, 1, index, 0);
	entry->resno = (AttrNumber) (d->columns + 1);
	query->targetList = lappend(query->targetList, entry);
	query->hasAggs = true;
	put_query(get_rel_name(parts->query), get_namespace_name(get_rel_namespace(parts->query)),
			  query);
}

/*
 * Older snapshots see the marks of an altered rollup as little as the parts' new values.  By the
 * row of options the planner knows (planner/answer_rollups.c).
 */
static void
touch_options(const RollupParts *parts)
{
	(void) rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET built = built",
						   pds_relation_name(parts->options));
}

/* probds_add_rollup_column(rollup regclass, aggregate text) */
PG_FUNCTION_INFO_V1(probds_add_rollup_column);
Datum
probds_add_rollup_column(PG_FUNCTION_ARGS)
{
	RollupParts parts;
	RollupOptions options;
	RollupDefinition d;
	TargetEntry *entry;
	PdsScope	scope;

	SPI_connect();
	begin_altering(PG_GETARG_OID(0), &parts, &d);
	entry = parse_column(&parts, text_to_cstring(PG_GETARG_TEXT_PP(1)));
	rollup_enter(&scope, &parts, &options);
	add_to_query(&parts, &d, entry);
	rollup_require_watch(&parts);
	(void) rollup_executef(SPI_OK_UTILITY, "ALTER TABLE %s ADD COLUMN %s %s",
						   pds_relation_name(parts.stored), quote_identifier(entry->resname),
						   type_text((Node *) entry->expr));
	CommandCounterIncrement();
	rollup_make_shown(&parts, pds_relation_name(parts.shown), NULL, options.live);
	CommandCounterIncrement();
	rollup_mark_all(&parts, &options);
	touch_options(&parts);
	pds_scope_leave(&scope);
	SPI_finish();
	PG_RETURN_VOID();
}

/* What a view that is made again has, and does not get from its definition. */
typedef struct Kept
{
	char	   *name;
	char	   *grants;			/* statements, or NULL */
	char	   *comment;
} Kept;

/* Rights of others, without those on the column that the view loses. */
static Kept
keep(Oid view, int lost)
{
	Kept		kept = {.name = pds_relation_name(view)};

	kept.comment = GetComment(view, RelationRelationId, 0);
	kept.grants = rollup_value(psprintf(
		"SELECT pg_catalog.string_agg(pg_catalog.format('GRANT %%s%%s ON %%s TO %%s%%s', "
		"r.privilege_type, r.columns, %s, CASE r.grantee WHEN 0 THEN 'PUBLIC' ELSE "
		"r.grantee::pg_catalog.regrole::pg_catalog.text END, CASE WHEN r.is_grantable THEN "
		"' WITH GRANT OPTION' END), ';') FROM (SELECT a.*, '' AS columns FROM pg_catalog.pg_class "
		"c, pg_catalog.aclexplode(c.relacl) a WHERE c.oid OPERATOR(pg_catalog.=) "
		"%u::pg_catalog.oid UNION ALL SELECT a.*, pg_catalog.format(' (%%I)', t.attname) FROM "
		"pg_catalog.pg_attribute t, pg_catalog.aclexplode(t.attacl) a WHERE t.attrelid "
		"OPERATOR(pg_catalog.=) %u::pg_catalog.oid AND t.attnum OPERATOR(pg_catalog.<>) %d) r "
		"WHERE r.grantee OPERATOR(pg_catalog.<>) %u::pg_catalog.oid",
		quote_literal_cstr(kept.name), view, view, lost + 1, pds_relation_owner(view)));
	return kept;
}

/* Others have these rights and no more: the owner's default privileges may have given them some. */
static void
give_back(const Kept *kept, Oid view)
{
	char	   *revokes = rollup_value(psprintf(
		"SELECT pg_catalog.string_agg(DISTINCT pg_catalog.format('REVOKE ALL ON %%s FROM %%s', %s, "
		"CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::pg_catalog.regrole::pg_catalog.text "
		"END), ';') FROM pg_catalog.pg_class c, pg_catalog.aclexplode(c.relacl) a WHERE c.oid "
		"OPERATOR(pg_catalog.=) %u::pg_catalog.oid AND a.grantee OPERATOR(pg_catalog.<>) "
		"c.relowner", quote_literal_cstr(kept->name), view));

	if (revokes != NULL)
		(void) rollup_executef(SPI_OK_UTILITY, "%s", revokes);
	if (kept->grants != NULL)
		(void) rollup_executef(SPI_OK_UTILITY, "%s", kept->grants);
	if (kept->comment != NULL)
		CreateComments(view, RelationRelationId, 0, kept->comment);
}

/* The names of a view's columns, except one. */
static char *
names_without(Oid view, int columns, int column)
{
	StringInfoData s;

	initStringInfo(&s);
	for (int i = 0; i < columns; i++)
		if (i != column)
			appendStringInfo(&s, "%s%s", s.len > 0 ? ", " : "",
							 rollup_column_name(view, (AttrNumber) (i + 1)));
	return s.data;
}

/* Views cannot lose a column: the two of a rollup are made again, under their names. */
static void
make_views_without(RollupParts *parts, int column, bool live)
{
	char	   *schema = get_namespace_name(get_rel_namespace(parts->query));
	char	   *name = get_rel_name(parts->query);
	char	   *options = pds_relation_name(parts->options);
	char	   *dropped = rollup_stored_column(parts, column);
	Kept		of_shown = keep(parts->shown, column);
	Kept		of_query = keep(parts->query, column);
	Query	   *query = stored_query(parts->query);
	char	   *names = names_without(parts->shown, list_length(query->targetList), column);
	AttrNumber	n = 0;
	ListCell   *lc;

	query->targetList = list_delete_nth_cell(query->targetList, column);
	foreach(lc, query->targetList)
		((TargetEntry *) lfirst(lc))->resno = ++n;
	(void) rollup_executef(SPI_OK_UTILITY, "ALTER TABLE %s DROP COLUMN shown, DROP COLUMN query",
						   options);
	drop_relation(parts->shown);
	drop_relation(parts->query);
	put_query(name, schema, query);
	(void) rollup_executef(SPI_OK_UTILITY, "ALTER TABLE %s DROP COLUMN %s",
						   pds_relation_name(parts->stored), dropped);
	CommandCounterIncrement();
	parts->query = get_relname_relid(name, get_namespace_oid(schema, false));
	parts->shown = InvalidOid;
	(void) rollup_executef(SPI_OK_UTILITY, "ALTER TABLE %s ADD COLUMN query %s", options,
						   pds_relation_name(parts->query));
	rollup_make_shown(parts, of_shown.name, names, live);
	give_back(&of_shown, parts->shown);
	give_back(&of_query, parts->query);
}

/* probds_drop_rollup_column(rollup regclass, column_name text) */
PG_FUNCTION_INFO_V1(probds_drop_rollup_column);
Datum
probds_drop_rollup_column(PG_FUNCTION_ARGS)
{
	RollupParts parts;
	RollupOptions options;
	RollupDefinition d;
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(1));
	AttrNumber	number;
	PdsScope	scope;

	SPI_connect();
	begin_altering(PG_GETARG_OID(0), &parts, &d);
	number = get_attnum(parts.shown, name);
	/* somebody may have given the view more columns than the query has */
	if (number <= 0 || number > d.columns)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_COLUMN),
				 errmsg("column \"%s\" of rollup %s does not exist", name,
						pds_relation_name(parts.shown))));
	if (d.column[number - 1].is_key || d.columns == d.keys + 1)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" cannot be dropped", name),
				 d.column[number - 1].is_key ? errdetail("The rollup groups by it.") :
				 errdetail("A rollup needs at least one aggregate.")));
	rollup_enter(&scope, &parts, &options);
	make_views_without(&parts, number - 1, options.live);
	CommandCounterIncrement();
	pds_scope_leave(&scope);
	SPI_finish();
	PG_RETURN_VOID();
}

/* ---------- the source ---------- */

/* The query of a rollup while its source is altered. */
typedef struct Waiting
{
	RollupParts parts;
	char	   *text;
	List	   *functions;		/* that the query calls */
} Waiting;

/*
 * 0A000 if a query calls a function that is neither the server's nor one that it called before.
 * Somebody may have made a function that fits the new types better.  It would run as the owner.
 */
static void
require_known_functions(const Waiting *w)
{
	ListCell   *lc;

	foreach(lc, rollup_functions(rollup_view_query(w->parts.query)))
		if (get_func_namespace(lfirst_oid(lc)) != PG_CATALOG_NAMESPACE &&
			!list_member_oid(w->functions, lfirst_oid(lc)))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("the query of rollup %s would call another function %s()",
							pds_relation_name(w->parts.shown), get_func_name(lfirst_oid(lc))),
					 errhint("Drop the rollup and create it again.")));
}

/* The view shows nothing, and depends on nothing. */
static Waiting *
take_query(const RollupParts *parts)
{
	Waiting    *w = palloc0(sizeof(Waiting));
	PdsScope	scope;

	rollup_require_owner(parts);
	w->parts = *parts;
	w->functions = rollup_functions(rollup_view_query(parts->query));
	pds_scope_enter(&scope, parts->owner);
	w->text = rollup_value(psprintf("SELECT pg_catalog.pg_get_viewdef(%u)", parts->query));
	(void) rollup_executef(SPI_OK_UTILITY, "CREATE OR REPLACE VIEW %s AS %s",
						   pds_relation_name(parts->query),
						   empty_text(rollup_view_query(parts->query)));
	pds_scope_leave(&scope);
	return w;
}

/* Its query again, over the source as it is now; all groups are to be computed. */
static void
give_query(Waiting *w)
{
	RollupParts *parts = &w->parts;
	RollupOptions options;
	PdsScope	scope;
	RollupDefinition d;
	Query	   *query;

	pds_scope_enter(&scope, parts->owner);
	query = rollup_parse(w->text);
	rollup_read_query(query, w->text, &d);
	(void) rollup_executef(SPI_OK_UTILITY, "CREATE OR REPLACE VIEW %s AS %s",
						   pds_relation_name(parts->query), w->text);
	CommandCounterIncrement();
	require_known_functions(w);
	pds_scope_leave(&scope);
	rollup_enter(&scope, parts, &options);
	rollup_mark_all(parts, &options);
	touch_options(parts);
	pds_scope_leave(&scope);
}

/*
 * probds_alter_rollup_source(source regclass, command text): ALTER TABLE source command, which
 * the views of the rollups' queries would not let through
 */
PG_FUNCTION_INFO_V1(probds_alter_rollup_source);
Datum
probds_alter_rollup_source(PG_FUNCTION_ARGS)
{
	Oid			source = PG_GETARG_OID(0);
	char	   *command = text_to_cstring(PG_GETARG_TEXT_PP(1));
	List	   *objects = NIL;
	List	   *waiting = NIL;
	ListCell   *lc;

	rollup_require_read_committed("the source of a rollup can only be altered");
	if (get_rel_name(source) == NULL || !PDS_OWNS_RELATION(source))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_TABLE, get_rel_name(source));
	SPI_connect();
	foreach(lc, rollup_list_of_source(source))
	{
		rollup_require_owner(lfirst(lc));
		objects = list_concat(objects, rollup_objects(lfirst(lc)));
	}
	rollup_lock_all(find_all_inheritors(source, NoLock, NULL), AccessExclusiveLock, objects);
	/* others may have been made or dropped */
	foreach(lc, rollup_list_of_source(source))
		waiting = lappend(waiting, take_query(lfirst(lc)));
	CommandCounterIncrement();
	(void) rollup_executef(SPI_OK_UTILITY, "ALTER TABLE %s %s", pds_relation_name(source),
						   command);
	CommandCounterIncrement();
	foreach(lc, waiting)
		give_query(lfirst(lc));
	/* they have the rows of a partition that was attached, and it has no triggers */
	if (waiting != NIL)
		rollup_make_triggers(source);
	SPI_finish();
	PG_RETURN_VOID();
}

/* ---------- dropping ---------- */

/* Has probds_create_rollup_view() made this view over that relation? */
static bool
is_view_over(Oid view, Oid relation)
{
	Query	   *query = rollup_view_query(view);
	int			index = query != NULL ? rollup_relation_index(query) : 0;
	RangeTblEntry *rte = index != 0 ? rt_fetch(index, query->rtable) : NULL;

	return rte != NULL && rte->relid == relation && rte->alias != NULL &&
		strcmp(rte->alias->aliasname, ROLLUP_VIEWED) == 0;
}

/* All of a rollup that is whole. */
static void
drop_parts(const RollupParts *parts)
{
	List	   *above = rollup_list_of_source(parts->shown);
	ListCell   *lc;

	if (above != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST),
				 errmsg("cannot drop rollup %s because rollup %s reads it",
						pds_relation_name(parts->shown),
						pds_relation_name(((RollupParts *) linitial(above))->shown))));

	/* they may be somebody else's: DROP ... CASCADE does not ask their owners either */
	foreach(lc, rollup_views_over(parts->shown))
	{
		ObjectAddress view = {RelationRelationId, lfirst_oid(lc), 0};

		if (!is_view_over(view.objectId, parts->shown))
			continue;
		performDeletion(&view, DROP_RESTRICT, 0);
		CommandCounterIncrement();
	}
	(void) rollup_executef(SPI_OK_UTILITY, "ALTER TABLE %s DROP COLUMN shown",
						   pds_relation_name(parts->options));
	CommandCounterIncrement();
	drop_relation(parts->shown);
	drop_relation(parts->options);
	drop_relation(parts->stored);
	drop_relation(parts->query);
}

/*
 * Drops what is left of a rollup of which parts are gone.  They are found by their names, if its
 * options or its parts are there and look like those of a rollup.
 */
static void
drop_remains(RangeVar *range)
{
	static const char *const suffixes[] = {"_options", "", "_parts", "_query"};
	Oid			part[lengthof(suffixes)];
	Oid			owner;
	Oid			schema;
	RollupParts parts = {0};
	PdsScope	scope;

	for (int i = 0; i < (int) lengthof(suffixes); i++)
		part[i] = RangeVarGetRelid(makeRangeVar(range->schemaname,
												psprintf("%s%s", range->relname, suffixes[i]), -1),
								   NoLock, true);
	if (OidIsValid(part[0]) && !rollup_is_options(part[0]))
		part[0] = InvalidOid;
	if (OidIsValid(part[2]) && get_attnum(part[2], ROLLUP_TOUCHED) != 1)
		part[2] = InvalidOid;
	for (int i = 1; i < (int) lengthof(suffixes); i += 2)
		if (OidIsValid(part[i]) && get_rel_relkind(part[i]) != RELKIND_VIEW)
			part[i] = InvalidOid;
	if (!OidIsValid(part[0]) && !OidIsValid(part[2]))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("there is no rollup \"%s\"", range->relname),
				 OidIsValid(part[1]) ?
				 errdetail("Relation %s is neither a rollup nor part of a rollup.",
						   pds_relation_name(part[1])) : 0,
				 errhint("probds_rollups() lists all rollups.")));
	for (int i = 0; i < (int) lengthof(suffixes); i++)
		if (OidIsValid(part[i]) && rollup_find(part[i], &parts) && OidIsValid(parts.owner))
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_OBJECT),
					 errmsg("there is no rollup \"%s\"", range->relname),
					 errdetail("%s belongs to rollup %s.", pds_relation_name(part[i]),
							   pds_relation_name(parts.shown))));
	owner = pds_relation_owner(OidIsValid(part[0]) ? part[0] : part[2]);
	parts.owner = owner;
	parts.shown = OidIsValid(part[0]) ? part[0] : part[2];
	rollup_require_owner(&parts);
	schema = get_rel_namespace(parts.shown);
	pds_scope_enter(&scope, owner);
	for (int i = 0; i < (int) lengthof(suffixes); i++)
		if (pds_relation_owner(part[i]) == owner && get_rel_namespace(part[i]) == schema)
			drop_relation(part[i]);
	pds_scope_leave(&scope);
}

/* probds_drop_rollup(name text) */
PG_FUNCTION_INFO_V1(probds_drop_rollup);
Datum
probds_drop_rollup(PG_FUNCTION_ARGS)
{
	RangeVar   *range = makeRangeVarFromNameList(textToQualifiedNameList(PG_GETARG_TEXT_PP(0)));
	Oid			relation = RangeVarGetRelid(range, NoLock, true);
	RollupParts parts;
	PdsScope scope;

	SPI_connect();
	if (OidIsValid(relation) && rollup_find(relation, &parts))
	{
		rollup_require(relation, &parts);
		rollup_require_owner(&parts);
		/* who makes it again, in the same transaction, locks the source */
		rollup_lock(&parts, !rollup_may_hang(&parts) ? AccessShareLock :
					list_length(rollup_list_of_source(parts.source)) > 1 ? ShareRowExclusiveLock :
					AccessExclusiveLock);
		if (!rollup_find(relation, &parts))
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_OBJECT),
					 errmsg("there is no rollup \"%s\"", range->relname)));
		/* it may have another owner by now */
		rollup_require(relation, &parts);
		rollup_require_owner(&parts);
		pds_scope_enter(&scope, parts.owner);
		pds_scope_set("client_min_messages", "warning");
		drop_parts(&parts);
		pds_scope_leave(&scope);
		if (rollup_may_hang(&parts))
			rollup_drop_triggers(parts.source);
	}
	else
	{
		/* probds_rollups() shows such a rollup by its options */
		if (OidIsValid(relation) && rollup_is_options(relation) &&
			strlen(range->relname) > strlen("_options"))
			range->relname[strlen(range->relname) - strlen("_options")] = '\0';
		drop_remains(range);
	}
	SPI_finish();
	PG_RETURN_VOID();
}
