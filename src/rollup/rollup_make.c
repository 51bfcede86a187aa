/*
 * rollup_make.c: making rollups, and views over them
 *
 * The definition is parsed as the caller's search path has it, in one CREATE VIEW.
 * Everything else runs with a search path of pg_catalog, as the caller too: he will be the
 * owner of what is made.
 */
#include "postgres.h"

#include "access/table.h"
#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"
#include "utils/syscache.h"
#include "utils/varlena.h"

#include "compat.h"
#include "rollup.h"

/* What probds_create_rollup was called with. */
typedef struct Wish
{
	char	   *schema;
	char	   *name;
	Oid			source;
	List	   *group_by;		/* of char * */
	List	   *sketches;
	bool		refreshed;
	AttrNumber	number;
	int			slots;
	bool		backfill;
	char	   *retention;
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

/* A text[] of expressions as a list of C strings; 22004 if one of them is NULL. */
static List *
expressions_of(ArrayType *array, const char *name)
{
	Datum	   *elements;
	bool	   *nulls;
	int			n;
	List	   *list = NIL;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, &n);
	for (int i = 0; i < n; i++)
	{
		char	   *expression;

		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("element %d of %s is null", i + 1, name)));
		expression = TextDatumGetCString(elements[i]);
		rollup_require_expression(expression, name);

		/* a comment at its end must end, too */
		list = lappend(list, strstr(expression, "--") != NULL ? psprintf("%s\n", expression) :
					   expression);
	}
	return list;
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

/* Columns of the source that are numbered by a sequence, for a hint. */
static char *
numbered_columns(Oid source)
{
	return rollup_value(psprintf("SELECT pg_catalog.string_agg(pg_catalog.quote_ident(attname), "
								 "', ' ORDER BY attnum) FROM pg_catalog.pg_attribute"
								 " WHERE attrelid = %u AND attnum > 0 AND NOT attisdropped"
								 " AND pg_catalog.pg_get_serial_sequence(%s, attname) IS NOT NULL",
								 source, quote_literal_cstr(pds_relation_name(source))));
}

/* 'trigger', or the column that numbers the rows. */
static void
take_mode(const char *refresh, Wish *wish)
{
	char	   *columns;

	if (strcmp(refresh, "trigger") == 0)
		return;
	wish->refreshed = true;
	wish->number = get_attnum(wish->source, refresh);
	if (wish->number > 0 &&
		rollup_value(psprintf("SELECT pg_catalog.pg_get_serial_sequence(%s, %s)",
							  quote_literal_cstr(pds_relation_name(wish->source)),
							  quote_literal_cstr(refresh))) != NULL)
		return;
	columns = numbered_columns(wish->source);
	if (wish->number > 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" of %s is not numbered by a sequence", refresh,
						pds_relation_name(wish->source)),
				 errdetail("A refresh reads the rows above the last number of the previous "
						   "refresh, so numbers must only grow."),
				 columns != NULL ? errhint("Columns with a sequence: %s.", columns) :
				 errhint("Add an identity column: ALTER TABLE ... ADD COLUMN id bigint GENERATED "
						 "ALWAYS AS IDENTITY.")));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unknown refresh mode \"%s\"", refresh),
			 errdetail("The mode is 'trigger', or the name of the column that numbers the rows "
					   "of the source."),
			 columns != NULL ? errhint("Columns with a sequence: %s.", columns) :
			 errhint("%s has no column with a sequence.", pds_relation_name(wish->source))));
}

/* What no rollup can be made of. */
static void
require_source(const Wish *wish)
{
	char		kind = get_rel_relkind(wish->source);

	if (kind != RELKIND_RELATION && kind != RELKIND_PARTITIONED_TABLE)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a table", get_rel_name(wish->source)),
				 kind == RELKIND_FOREIGN_TABLE ?
				 errdetail("This server does not see changes of the rows of a foreign table.") :
					 0,
				 kind == RELKIND_FOREIGN_TABLE ?
				 errhint("Create the rollup on the server that has the rows, and merge the "
						 "sketches here.") : 0));
	if (get_rel_persistence(wish->source) == RELPERSISTENCE_TEMP)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a temporary table cannot have a rollup")));
	if (!wish->refreshed && get_rel_relispartition(wish->source))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a partition cannot have a rollup that is kept current by a trigger"),
				 errdetail("Rows that are inserted through the partitioned table do not fire the "
						   "partition's triggers."),
				 errhint("Create the rollup on the partitioned table, or use refresh => with a "
						 "numbered column.")));
	if (!wish->refreshed && kind == RELKIND_RELATION &&
		list_length(find_inheritance_children(wish->source, NoLock)) > 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a table with child tables cannot have a rollup that is kept current by a "
						"trigger"),
				 errdetail("Rows that are inserted into a child table do not fire the parent's "
						   "triggers.")));
	if (check_enable_rls(wish->source, InvalidOid, true) == RLS_ENABLED)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("row-level security of %s applies to the owner of the rollup",
						pds_relation_name(wish->source)),
				 errdetail("A trigger would count rows that a rebuild cannot see.")));
	/* whose rows other rollups write: the trigger would see states that are merged later */
	if (!wish->refreshed)
	{
		RollupParts other;

		if (rollup_find(wish->source, &other))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("%s is itself a rollup", pds_relation_name(wish->source)),
					 errdetail("The rows of a rollup change when new rows are merged into them."),
					 errhint("Use probds_create_rollup_view() for coarser groups.")));
	}
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

/* The view, with the caller's expressions as his search path has them. */
static void
make_definition(const Wish *wish)
{
	StringInfoData s;
	ListCell   *lc;

	initStringInfo(&s);
	appendStringInfo(&s, "CREATE VIEW %s AS SELECT ", part_name(wish, "_rollup"));
	foreach(lc, wish->group_by)
		appendStringInfo(&s, "%s, ", (char *) lfirst(lc));
	foreach(lc, wish->sketches)
		appendStringInfo(&s, "%s%s", lc == list_head(wish->sketches) ? "" : ", ",
						 (char *) lfirst(lc));
	appendStringInfo(&s, " FROM %s " ROLLUP_ROWS, pds_relation_name(wish->source));
	if (wish->refreshed)
		appendStringInfo(&s, " WHERE " ROLLUP_ROWS ".%s IS NOT NULL",
						 rollup_column_name(wish->source, wish->number));
	if (wish->group_by == NIL)
		appendStringInfoString(&s, " HAVING pg_catalog.count(*) OPERATOR(pg_catalog.>) 0");
	for (int i = 1; i <= list_length(wish->group_by); i++)
		appendStringInfo(&s, "%s%d", i == 1 ? " GROUP BY " : ", ", i);
	rollup_execute(s.data, SPI_OK_UTILITY);
}

/* The indexes of the table: one that tells groups apart, and one to find them by. */
static void
make_indexes(const Wish *wish, const RollupDefinition *d, const char *stored, Oid stored_oid)
{
	StringInfoData s;
	StringInfoData keys;
	int			fixed = 0;

	initStringInfo(&s);
	initStringInfo(&keys);
	for (int i = 0; i < d->keys; i++)
		appendStringInfo(&keys, "%s%s", i > 0 ? ", " : "",
						 rollup_column_name(stored_oid, (AttrNumber) (i + 1)));
	appendStringInfo(&s, "CREATE UNIQUE INDEX ON %s (", stored);
	if (d->keys == 0)
		appendStringInfoString(&s, wish->slots > 1 ? "slot" : "(true)");
	else if (d->by_hash)
		appendStringInfo(&s, "%s._probds_rollup_key(ROW(%s))", rollup_extension_schema(),
						 keys.data);
	else
		appendStringInfoString(&s, keys.data);
	if (d->keys > 0 && wish->slots > 1)
		appendStringInfoString(&s, ", slot");
	appendStringInfoChar(&s, ')');
#if PDS_HAVE_NULLS_NOT_DISTINCT
	if (d->keys > 0 && !d->by_hash)
		appendStringInfoString(&s, " NULLS NOT DISTINCT");
#endif
	rollup_execute(s.data, SPI_OK_UTILITY);

	/* a hash does not find the groups of a month */
	while (d->by_hash && fixed < d->keys && get_typlen(d->column[fixed].type) > 0)
		fixed++;
	if (fixed == 0)
		return;
	resetStringInfo(&s);
	appendStringInfo(&s, "CREATE INDEX ON %s (", stored);
	for (int i = 0; i < fixed; i++)
		appendStringInfo(&s, "%s%s", i > 0 ? ", " : "",
						 rollup_column_name(stored_oid, (AttrNumber) (i + 1)));
	appendStringInfoChar(&s, ')');
	rollup_execute(s.data, SPI_OK_UTILITY);
}

/* With slots: the view that merges them. */
static void
make_shown(const Wish *wish, const RollupDefinition *d, const char *stored, Oid stored_oid)
{
	RollupParts parts = {.stored = stored_oid, .definition = part_oid(wish, "_rollup")};

	rollup_executef(SPI_OK_UTILITY, "CREATE VIEW %s AS %s", part_name(wish, ""),
					rollup_merged_groups(&parts, d, stored));
}

/* The table of one row, and the sequence. */
static void
make_progress(const Wish *wish, const char *stored, ArrayType *settings)
{
	Oid			types[5] = {TEXTOID, INT4OID, TEXTARRAYOID, TEXTOID, BOOLOID};
	Datum		values[5];
	char		nulls[5] = {' ', ' ', ' ', ' ', ' '};
	char	   *progress = part_name(wish, "_progress");

	rollup_executef(SPI_OK_UTILITY,
					"CREATE TABLE %s (probds_rollup integer NOT NULL, definition %s, stored %s, "
					"shown %s,"
					" mode text NOT NULL, watermark bigint, slots integer NOT NULL, settings "
					"text[] NOT NULL, retention interval,"
					" settled bigint, rows_counted bigint, numbers_counted numeric, changes_seen "
					"bigint NOT NULL DEFAULT 0, truncated boolean NOT NULL DEFAULT false,"
					" last_refresh timestamp with time zone) USING heap",
					progress, part_name(wish, "_rollup"), stored, part_name(wish, ""));
	rollup_executef(SPI_OK_UTILITY, "CREATE UNIQUE INDEX ON %s ((true))", progress);
	rollup_executef(SPI_OK_UTILITY, "COMMENT ON TABLE %s IS %s", progress,
					quote_literal_cstr(psprintf("how far the rollup %s is, and its settings: one "
												"row, which probds keeps", part_name(wish, ""))));
	rollup_executef(SPI_OK_UTILITY, "CREATE SEQUENCE %s OWNED BY %s.changes_seen",
					part_name(wish, "_changes"), progress);
	rollup_executef(SPI_OK_UTILITY, "COMMENT ON SEQUENCE %s IS %s", part_name(wish, "_changes"),
					quote_literal_cstr(psprintf("counts the statements that changed rows which "
												"the rollup %s has counted", part_name(wish, ""))));
	rollup_executef(SPI_OK_UTILITY, "COMMENT ON VIEW %s IS %s", part_name(wish, "_rollup"),
					quote_literal_cstr(psprintf("the definition of the rollup %s, computed from "
												"its source", part_name(wish, ""))));

	values[0] = CStringGetTextDatum(wish->refreshed ? "refresh" : "trigger");
	values[1] = Int32GetDatum(wish->slots);
	values[2] = PointerGetDatum(settings);
	values[3] = wish->retention != NULL ? CStringGetTextDatum(wish->retention) : (Datum) 0;
	nulls[3] = wish->retention != NULL ? ' ' : 'n';
	values[4] = BoolGetDatum(false);
	if (SPI_execute_with_args(psprintf("INSERT INTO %s (probds_rollup, mode, slots, settings, "
									   "retention, truncated)"
									   " VALUES (%d, $1, $2, $3, $4::pg_catalog.interval, $5)",
										   progress, ROLLUP_FORMAT),
							  lengthof(types), types, values, nulls, false, 0) != SPI_OK_INSERT)
		elog(ERROR, "could not write %s", progress);
}

/* A retention is told by the first key. */
static void
require_retention(const Wish *wish, const RollupDefinition *d)
{
	if (wish->retention == NULL)
		return;
	if (d->keys == 0 || (d->column[0].type != DATEOID && d->column[0].type != TIMESTAMPOID &&
						 d->column[0].type != TIMESTAMPTZOID))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a retention requires a date or timestamp as the first grouping column")));
}

static void
make_rollup(const Wish *wish, ArrayType *settings)
{
	char	   *stored = part_name(wish, wish->slots > 1 ? "_slots" : "");
	RollupDefinition d;
	RollupParts parts;
	Oid			stored_oid;

	rollup_read_definition(part_oid(wish, "_rollup"), &d);
	if (d.source != wish->source || d.keys != list_length(wish->group_by) ||
		d.columns != list_length(wish->group_by) + list_length(wish->sketches))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("each element of group_by and sketches must be one expression"),
				 errdetail("%d expressions give %d columns.",
						   list_length(wish->group_by) + list_length(wish->sketches), d.columns)));
	require_retention(wish, &d);
	rollup_require_hashable(&d);
	if (wish->slots > 1 && get_attnum(part_oid(wish, "_rollup"), "slot") != InvalidAttrNumber)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_COLUMN),
				 errmsg("column name \"slot\" is taken in a rollup with slots")));
	rollup_executef(SPI_OK_UTILITY, "CREATE TABLE %s USING heap AS SELECT *%s FROM %s WITH NO DATA",
					stored,
					wish->slots > 1 ? ", NULL::bigint AS slot" : "", part_name(wish, "_rollup"));
	CommandCounterIncrement();
	stored_oid = part_oid(wish, wish->slots > 1 ? "_slots" : "");
	make_indexes(wish, &d, stored, stored_oid);
	if (wish->slots > 1)
		make_shown(wish, &d, stored, stored_oid);
	make_progress(wish, stored, settings);
	CommandCounterIncrement();
	rollup_require(part_oid(wish, "_progress"), &parts);
	if (wish->refreshed)
		(void) rollup_sequence_of(&parts);
	rollup_make_triggers(&parts, wish->refreshed);

	/* CREATE TRIGGER has locked the source against writers: no row is counted twice */
	if (!wish->refreshed && wish->backfill)
	{
		RollupRows	rows = {0};

		rollup_merge_source(&parts, wish->slots, &rows);
	}
	else if (wish->refreshed && !wish->backfill)
	{
		char	   *highest;

		rollup_wait_for_writers(wish->source);
		highest = rollup_value(psprintf("SELECT pg_catalog.max(%s) FROM %s",
										rollup_column_name(parts.source, parts.number),
										pds_relation_name(parts.source)));
		if (highest != NULL)
		{
			int64		watermark = rollup_number(highest, 0);

			rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET watermark = " INT64_FORMAT
							", settled = " INT64_FORMAT ", %s",
							pds_relation_name(parts.progress), watermark, watermark,
							rollup_tally(&parts, NULL, watermark));
		}
	}
}

/*
 * probds_create_rollup(name text, source regclass, group_by text[], sketches text[],
 * refresh text, slots int, backfill boolean, if_not_exists boolean, retention interval)
 */
PG_FUNCTION_INFO_V1(probds_create_rollup);
Datum
probds_create_rollup(PG_FUNCTION_ARGS)
{
	static const char *const names[] = {
		"name", "source", "group_by", "sketches", "refresh", "slots", "backfill", "if_not_exists"
	};
	Wish		wish = {0};
	PdsScope scope;
	ArrayType  *settings;
	Oid			there;

	require_arguments(fcinfo, names, lengthof(names), "rollup");
	take_name(PG_GETARG_TEXT_PP(0), &wish.schema, &wish.name);
	there = part_oid(&wish, "");
	if (PG_GETARG_BOOL(7) && OidIsValid(there))
	{
		ereport(NOTICE,
				(errcode(ERRCODE_DUPLICATE_TABLE),
				 errmsg("relation \"%s\" already exists, skipping", wish.name)));
		PG_RETURN_OID(there);
	}
	wish.source = PG_GETARG_OID(1);
	if (get_rel_name(wish.source) == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", wish.source)));
	wish.group_by = expressions_of(PG_GETARG_ARRAYTYPE_P(2), "group_by");
	wish.sketches = expressions_of(PG_GETARG_ARRAYTYPE_P(3), "sketches");
	wish.slots = PG_GETARG_INT32(5);
	wish.backfill = PG_GETARG_BOOL(6);
	if (!PG_ARGISNULL(8))
		wish.retention = DatumGetCString(DirectFunctionCall1(interval_out, PG_GETARG_DATUM(8)));
	if (wish.sketches == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a rollup needs at least one aggregate"),
				 errhint("For example: ARRAY['at::date AS day'], ARRAY['hll_agg(visitor) AS "
						 "visitors'].")));
	if (wish.slots < 1 || wish.slots > ROLLUP_MAX_SLOTS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("slots must be between 1 and %d, not %d", ROLLUP_MAX_SLOTS, wish.slots)));
	rollup_require_read_committed("rollups can only be made");
	rollup_connect(0);
	settings = rollup_current_settings();

	pds_scope_enter_path(&scope);
	take_mode(text_to_cstring(PG_GETARG_TEXT_PP(4)), &wish);
	require_source(&wish);
	pds_scope_leave(&scope);

	/* the expressions mean what they mean to the caller */
	make_definition(&wish);
	CommandCounterIncrement();
	pds_scope_enter_path(&scope);
	make_rollup(&wish, settings);
	there = part_oid(&wish, "");
	pds_scope_leave(&scope);
	SPI_finish();
	PG_RETURN_OID(there);
}

/* ---------- views over rollups ---------- */

/* probds_create_rollup_view(name text, rollup regclass, group_by text[]) */
PG_FUNCTION_INFO_V1(probds_create_rollup_view);
Datum
probds_create_rollup_view(PG_FUNCTION_ARGS)
{
	static const char *const names[] = {"name", "rollup", "group_by"};
	char	   *schema;
	char	   *name;
	RollupParts parts;
	RollupDefinition d;
	StringInfoData s;
	List	   *group_by;
	ListCell   *lc;

	require_arguments(fcinfo, names, lengthof(names), "rollup view");
	take_name(PG_GETARG_TEXT_PP(0), &schema, &name);
	rollup_require(PG_GETARG_OID(1), &parts);
	if (pg_class_aclcheck(parts.shown, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_TABLE, get_rel_name(parts.shown));
	group_by = expressions_of(PG_GETARG_ARRAYTYPE_P(2), "group_by");
	rollup_connect(0);
	rollup_read_definition(parts.definition, &d);
	initStringInfo(&s);
	appendStringInfo(&s, "CREATE VIEW %s AS SELECT ", quote_qualified_identifier(schema, name));
	foreach(lc, group_by)
		appendStringInfo(&s, "%s, ", (char *) lfirst(lc));
	rollup_merged_columns(&s, &parts, &d);
	appendStringInfo(&s, " FROM %s %s", pds_relation_name(parts.stored), ROLLUP_VIEWED);
	for (int i = 1; i <= list_length(group_by); i++)
		appendStringInfo(&s, "%s%d", i == 1 ? " GROUP BY " : ", ", i);
	rollup_execute(s.data, SPI_OK_UTILITY);
	CommandCounterIncrement();
	SPI_finish();
	PG_RETURN_OID(get_relname_relid(name, get_namespace_oid(schema, false)));
}
