/*
 * rollup_make.c: making rollups, and views over them
 *
 * The query is parsed as the caller's search path has it, in one CREATE VIEW.  Everything else
 * runs with a search path of pg_catalog, as the caller too: he will be the owner of what is made.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/analyze.h"
#include "parser/parser.h"
#include "parser/parsetree.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"
#include "utils/varlena.h"

#include "rollup.h"

/* What probds_create_rollup was called with. */
typedef struct Wish
{
	char	   *schema;
	char	   *name;
	char	   *text;
	Query	   *query;
	RollupDefinition d;
	bool		live;
	bool		with_data;
} Wish;

/* ---------- arguments ---------- */

/* 22004 if one of the first n arguments is NULL. */
static void
require_arguments(FunctionCallInfo fcinfo, const char *const *names, int n, const char *what)
{
	for (int i = 0; i < n; i++)
		if (PG_ARGISNULL(i))
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("%s of a %s must not be null", names[i], what)));
}

/* The schema and the name of what is to be made. */
static void
take_name(text *name, char **schema, char **rel)
{
	RangeVar   *range = makeRangeVarFromNameList(textToQualifiedNameList(name));

	*schema = get_namespace_name(RangeVarGetCreationNamespace(range));
	*rel = range->relname;
	if (strlen(*rel) > (size_t) ROLLUP_MAX_NAME)
		ereport(ERROR,
				(errcode(ERRCODE_NAME_TOO_LONG),
				 errmsg("name of a rollup is too long: \"%s\"", *rel),
				 errdetail("The name can have up to %d bytes, because the objects of the rollup "
						   "are named after it.",
						   ROLLUP_MAX_NAME)));
}

/* An error of the parser is about the query, not about the caller's statement. */
static void
about_query(void *text)
{
	int			position = geterrposition();

	if (position > 0)
	{
		errposition(0);
		internalerrposition(position);
		internalerrquery(text);
	}
}

/* Parse the query as the caller's search path has it. */
Query *
rollup_parse(char *text)
{
	ErrorContextCallback context = {error_context_stack, about_query, text};
	List	   *statements;
	RawStmt    *statement;
	Query	   *query;

	error_context_stack = &context;
	statements = raw_parser(text, RAW_PARSE_DEFAULT);
	statement = list_length(statements) == 1 ? linitial_node(RawStmt, statements) : NULL;
	if (statement == NULL || !IsA(statement->stmt, SelectStmt) ||
		((SelectStmt *) statement->stmt)->intoClause != NULL ||
		((SelectStmt *) statement->stmt)->valuesLists != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 errmsg("the query of a rollup must be one SELECT"),
				 errhint("For example: SELECT at::date AS day, hll_agg(visitor) AS visitors FROM "
						 "visit GROUP BY 1.")));
	query = parse_analyze_fixedparams(statement, text, NULL, 0, NULL);
	error_context_stack = context.previous;
	PDS_FLATTEN_GROUPS(query);
	return query;
}

/* ---------- the source ---------- */

/* 0A000 unless the groups of a rollup's rows are told by its groups. */
static void
require_groups_of_groups(const Wish *wish, const RollupParts *source)
{
	RollupDefinition below;
	ListCell   *lc;

	rollup_read_definition(source->query, &below);
	foreach(lc, wish->query->targetList)
	{
		TargetEntry *entry = lfirst(lc);
		ListCell   *var;

		if (entry->ressortgroupref == 0)
			continue;
		foreach(var, pull_var_clause((Node *) entry->expr, 0))
		{
			AttrNumber	number = ((Var *) lfirst(var))->varattno;

			if (number <= 0 || number > below.columns || !below.column[number - 1].is_key)
				ereport(ERROR,
						(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						 errmsg("column \"%s\" is computed from results of %s", entry->resname,
								pds_relation_name(source->shown)),
						 errdetail("Results change, and rows would go to another group."),
						 errhint("Group by expressions over the columns that %s groups by.",
								 pds_relation_name(source->shown))));
		}
	}
}

/* What no rollup can be made of. */
static void
require_source(const Wish *wish)
{
	Oid			source = wish->d.source;
	char		kind = get_rel_relkind(source);
	RollupParts other;

	if (kind == RELKIND_VIEW && rollup_find(source, &other) && other.shown == source)
		require_groups_of_groups(wish, &other);
	else if (kind != RELKIND_RELATION && kind != RELKIND_PARTITIONED_TABLE)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a table", get_rel_name(source)),
				 kind == RELKIND_FOREIGN_TABLE ?
				 errdetail("This server does not see changes of the rows of a foreign table.") :
					 0,
				 kind == RELKIND_FOREIGN_TABLE ?
				 errhint("Create the rollup on the server that has the rows, and merge the "
						 "sketches here.") : 0));
	/* but not of one that anybody may have made of it */
	else if (rollup_find(source, &other) && OidIsValid(other.owner))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is a part of the rollup %s", get_rel_name(source),
						pds_relation_name(other.shown)),
				 errhint("Read the rollup itself.")));
	if (get_rel_persistence(source) == RELPERSISTENCE_TEMP)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a temporary table cannot have a rollup")));
	if (list_length(rollup_ancestors(source)) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s is a partition or a child of another table",
						pds_relation_name(source)),
				 errdetail("What is done to its rows through that table does not fire its "
						   "triggers."),
				 errhint("Create the rollup on the other table, with a WHERE condition.")));
	if (kind != RELKIND_VIEW && check_enable_rls(source, InvalidOid, true) == RLS_ENABLED)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("row-level security of %s applies to the owner of the rollup",
						pds_relation_name(source)),
				 errdetail("A trigger would count rows that a rebuild cannot see.")));
}

/* ---------- the objects ---------- */

static char *
part_name(const Wish *wish, const char *suffix)
{
	return quote_qualified_identifier(wish->schema, psprintf("%s%s", wish->name, suffix));
}

static Oid
part_oid(const Wish *wish, const char *suffix)
{
	return get_relname_relid(psprintf("%s%s", wish->name, suffix),
							 get_namespace_oid(wish->schema, false));
}

/* A publication of all tables would refuse to delete rows that nothing identifies. */
static void
replicate_whole_rows(const char *table)
{
	rollup_executef(SPI_OK_UTILITY, "ALTER TABLE %s REPLICA IDENTITY FULL", table);
}

/* The table of parts, and how a group's are found. */
static void
make_parts(const Wish *wish, RollupParts *parts)
{
	char	   *stored = part_name(wish, "_parts");
	char	   *keys;

	rollup_executef(SPI_OK_UTILITY, "CREATE TABLE %s USING heap AS SELECT false AS "
					ROLLUP_TOUCHED ", * FROM %s WITH NO DATA", stored, part_name(wish, "_query"));
	CommandCounterIncrement();
	parts->stored = part_oid(wish, "_parts");
	keys = rollup_index_text(parts, &wish->d);
	if (keys != NULL)
		rollup_executef(SPI_OK_UTILITY, "CREATE INDEX ON %s (%s)", stored, keys);
	rollup_executef(SPI_OK_UTILITY, "CREATE INDEX ON %s (" ROLLUP_TOUCHED ") WHERE "
					ROLLUP_TOUCHED, stored);
	replicate_whole_rows(stored);
	rollup_executef(SPI_OK_UTILITY, "CREATE TRIGGER _probds_rollup_guard BEFORE INSERT OR UPDATE "
					"ON %s FOR EACH STATEMENT EXECUTE FUNCTION %s._probds_rollup_guard()", stored,
					rollup_extension_schema());
	rollup_executef(SPI_OK_UTILITY, "COMMENT ON TABLE %s IS %s", stored,
					quote_literal_cstr(psprintf("parts of the rollup %s: any number of rows for "
												"each group", part_name(wish, ""))));
}

void
rollup_make_shown(RollupParts *parts, const char *name, const char *columns, bool live)
{
	RollupDefinition d;
	bool		is_new = !OidIsValid(parts->shown);
	StringInfoData names;

	rollup_read_definition(parts->query, &d);
	initStringInfo(&names);
	for (AttrNumber i = 1; columns == NULL && i <= d.columns; i++)
		appendStringInfo(&names, "%s%s", i > 1 ? ", " : "",
						 rollup_column_name(get_attname(parts->shown, i, true) != NULL ?
											parts->shown : parts->query, i));
	rollup_executef(SPI_OK_UTILITY, "CREATE %s VIEW %s (%s) AS %s", is_new ? "" : "OR REPLACE",
					name, columns != NULL ? columns : names.data,
					rollup_shown_text(parts, &d, live));
	CommandCounterIncrement();
	parts->shown = DatumGetObjectId(DirectFunctionCall1(regclassin, CStringGetDatum(name)));
	rollup_require_our_functions(parts->shown);
	if (!is_new)
		return;
	rollup_executef(SPI_OK_UTILITY, "ALTER TABLE %s ADD COLUMN shown %s",
					pds_relation_name(parts->options), name);
	rollup_executef(SPI_OK_UTILITY, "COMMENT ON VIEW %s IS %s", name,
					quote_literal_cstr(psprintf("rollup of %s: the results of %s, kept",
												pds_relation_name(parts->source),
												pds_relation_name(parts->query))));
}

/* The table of one row. */
static void
make_options(const Wish *wish, RollupParts *parts, ArrayType *settings)
{
	Oid			types[3] = {BOOLOID, BOOLOID, TEXTARRAYOID};
	Datum		values[3];
	char	   *options = part_name(wish, "_options");

	rollup_executef(SPI_OK_UTILITY,
					"CREATE TABLE %s (probds_rollup integer NOT NULL, query %s, stored %s, live "
					"boolean NOT NULL, built boolean NOT NULL, settings text[] NOT NULL, secret "
					"uuid NOT NULL DEFAULT pg_catalog.gen_random_uuid(), retention interval, "
					"frozen_after interval, schedule interval, refreshing integer, groups bigint, "
					"groups_done bigint, last_refresh timestamp with time zone, failure text) "
					"USING heap",
					options, part_name(wish, "_query"), part_name(wish, "_parts"));
	rollup_executef(SPI_OK_UTILITY, "CREATE UNIQUE INDEX ON %s ((true))", options);
	replicate_whole_rows(options);
	rollup_executef(SPI_OK_UTILITY, "COMMENT ON TABLE %s IS %s", options,
					quote_literal_cstr(psprintf("options of the rollup %s: one row, which probds "
												"keeps", part_name(wish, ""))));
	rollup_executef(SPI_OK_UTILITY, "COMMENT ON VIEW %s IS %s", part_name(wish, "_query"),
					quote_literal_cstr(psprintf("the query of the rollup %s, over its source",
												part_name(wish, ""))));
	values[0] = BoolGetDatum(wish->live);
	values[1] = BoolGetDatum(wish->with_data);
	values[2] = PointerGetDatum(settings);
	if (SPI_execute_with_args(psprintf("INSERT INTO %s (probds_rollup, live, built, settings) "
									   "VALUES (%d, $1, $2, $3)", options, ROLLUP_FORMAT),
							  lengthof(types), types, values, NULL, false, 0) != SPI_OK_INSERT)
		elog(ERROR, "could not write %s", options);
	CommandCounterIncrement();
	parts->options = part_oid(wish, "_options");
}

/* From here on, whoever writes to the source knows of the rollup. */
static void
watch_source(const RollupParts *parts)
{
	RollupParts below;

	if (get_rel_relkind(parts->source) == RELKIND_VIEW)
	{
		rollup_require(parts->source, &below);
		rollup_lock_source(parts);
		LockRelationOid(below.stored, ShareRowExclusiveLock);
		CacheInvalidateRelcacheByRelid(below.stored);
	}
	else
		rollup_make_triggers(parts->source);
}

static void
make_rollup(const Wish *wish, ArrayType *settings)
{
	RollupParts parts = {.query = part_oid(wish, "_query"), .source = wish->d.source,
		.owner = GetUserId()};
	PdsScope	scope;

	rollup_require_watch(&parts);
	make_parts(wish, &parts);
	make_options(wish, &parts, settings);
	rollup_make_shown(&parts, part_name(wish, ""), NULL, wish->live);
	watch_source(&parts);
	if (wish->with_data)
	{
		pds_scope_enter(&scope, parts.owner);
		(void) rollup_executef(SPI_OK_INSERT, "INSERT INTO %s SELECT false, q.* FROM %s q",
							   part_name(wish, "_parts"), part_name(wish, "_query"));
		pds_scope_leave(&scope);
	}
}

/*
 * probds_create_rollup(name text, query text, live boolean, with_data boolean,
 * if_not_exists boolean, retention interval, frozen_after interval, schedule interval)
 */
PG_FUNCTION_INFO_V1(probds_create_rollup);
Datum
probds_create_rollup(PG_FUNCTION_ARGS)
{
	static const char *const names[] = {"name", "query", "live", "with_data", "if_not_exists"};
	Wish		wish = {0};
	PdsScope scope;
	ArrayType  *settings;
	RollupParts parts;
	Oid			there;

	require_arguments(fcinfo, names, lengthof(names), "rollup");
	take_name(PG_GETARG_TEXT_PP(0), &wish.schema, &wish.name);
	there = part_oid(&wish, "");
	if (OidIsValid(there))
	{
		ereport(PG_GETARG_BOOL(4) ? NOTICE : ERROR,
				(errcode(ERRCODE_DUPLICATE_TABLE),
				 errmsg("relation \"%s\" already exists%s", wish.name,
						PG_GETARG_BOOL(4) ? ", skipping" : "")));
		PG_RETURN_OID(there);
	}
	if (isAnyTempNamespace(get_namespace_oid(wish.schema, false)))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a rollup cannot be temporary"),
				 errdetail("Other sessions could not add what they write into the source.")));
	wish.text = text_to_cstring(PG_GETARG_TEXT_PP(1));
	wish.live = PG_GETARG_BOOL(2);
	wish.with_data = PG_GETARG_BOOL(3);
	rollup_require_read_committed("rollups can only be made");
	wish.query = rollup_parse(wish.text);
	rollup_read_query(wish.query, wish.text, &wish.d);
	require_source(&wish);
	SPI_connect();
	settings = rollup_current_settings();

	/* a function that finds others by the caller's search path would stop writers */
	pds_scope_enter_path(&scope);
	rollup_try_query(wish.query);
	pds_scope_leave(&scope);

	/* the expressions mean what they mean to the caller */
	rollup_executef(SPI_OK_UTILITY, "CREATE VIEW %s AS %s", part_name(&wish, "_query"), wish.text);
	CommandCounterIncrement();
	pds_scope_enter_path(&scope);
	make_rollup(&wish, settings);
	there = part_oid(&wish, "");
	rollup_require(there, &parts);
	rollup_set_intervals(&parts, fcinfo, 5);
	pds_scope_leave(&scope);
	SPI_finish();
	PG_RETURN_OID(there);
}

/* ---------- views over rollups ---------- */

/* A text[] of expressions, separated by commas; 22004 if one of them is NULL. */
static char *
expressions_of(ArrayType *array, int *n)
{
	Datum	   *elements;
	bool	   *nulls;
	StringInfoData s;

	initStringInfo(&s);
	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, n);
	for (int i = 0; i < *n; i++)
	{
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("element %d of group_by is null", i + 1)));

		/* a comment at its end must end, too */
		appendStringInfo(&s, "%s\n, ", TextDatumGetCString(elements[i]));
	}
	return s.data;
}

/* probds_create_rollup_view(name text, rollup regclass, group_by text[]) */
PG_FUNCTION_INFO_V1(probds_create_rollup_view);
Datum
probds_create_rollup_view(PG_FUNCTION_ARGS)
{
	static const char *const names[] = {"name", "rollup", "group_by"};
	char	   *schema;
	char	   *name;
	char	   *keys;
	int			n;
	RollupParts parts;
	RollupDefinition d;
	StringInfoData s;

	require_arguments(fcinfo, names, lengthof(names), "rollup view");
	take_name(PG_GETARG_TEXT_PP(0), &schema, &name);
	rollup_require(PG_GETARG_OID(1), &parts);
	/* who drops or alters it waits from here on; we may have waited for one */
	LockRelationOid(parts.shown, AccessShareLock);
	rollup_require(PG_GETARG_OID(1), &parts);
	if (pg_class_aclcheck(parts.shown, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_VIEW, get_rel_name(parts.shown));
	keys = expressions_of(PG_GETARG_ARRAYTYPE_P(2), &n);
	SPI_connect();
	rollup_read_definition(parts.query, &d);
	initStringInfo(&s);
	appendStringInfo(&s, "SELECT %s", keys);
	rollup_merged_columns(&s, &parts, &d);
	appendStringInfo(&s, " FROM %s " ROLLUP_VIEWED, pds_relation_name(parts.shown));
	for (int i = 1; i <= n; i++)
		appendStringInfo(&s, "%s%d", i == 1 ? " GROUP BY " : ", ", i);
	(void) rollup_parse(s.data);
	rollup_executef(SPI_OK_UTILITY, "CREATE VIEW %s AS %s",
					quote_qualified_identifier(schema, name), s.data);
	CommandCounterIncrement();
	SPI_finish();
	PG_RETURN_OID(get_relname_relid(name, get_namespace_oid(schema, false)));
}
