/*
 * health.c: what the sketches in a database are, and whether they can be trusted
 *
 * probds_health() looks at each column of a sketch type.  A table is read as its owner
 * (server/run_as.h), so no policy or function of his runs as the caller; a table whose policies
 * apply to the caller is not read.  Each value is looked at in a subtransaction of its own:
 * one that is corrupt is counted and reported, and the others are looked at all the same.
 */
#include "postgres.h"

#include "access/genam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"
#include "utils/tuplestore.h"

#include "result_row.h"
#include "compat.h"
#include "existence.h"
#include "run_as.h"
#include "sketch.h"

/* Rows that are fetched at a time */
#define FETCH		100

/* How often a text has been seen */
typedef struct Seen
{
	char		text[128];		/* the key; longer ones are cut off */
	int64		times;
} Seen;

/* What is known of the sketches of a column so far. */
typedef struct Column
{
	const PdsSketchType *type;
	Oid			relation;
	Oid			owner;
	AttrNumber	number;
	double		percent;		/* of the table's blocks that are read */
	Datum		value;			/* that is looked at */
	int64		sketches;
	int64		bytes;
	double		fill;
	double		rate;
	double		error;
	int64		unreadable;
	char	   *why;			/* of the first of these */
	HTAB	   *parameters;		/* of Seen, or NULL */
	HTAB	   *states;
	HTAB	   *kinds;
	HTAB	   *families;
	MemoryContext context;		/* where these live, to the end */
} Column;

/* ---------- what was seen ---------- */

static void
see(Column *c, HTAB **table, const char *text)
{
	Seen	   *seen;
	bool		found;

	if (*table == NULL)
	{
		HASHCTL		ctl = {
			.keysize = sizeof(seen->text), .entrysize = sizeof(Seen), .hcxt = c->context
		};

		*table = hash_create("probds health", 16, &ctl, HASH_ELEM | HASH_STRINGS | HASH_CONTEXT);
	}
	seen = hash_search(*table, text, HASH_ENTER, &found);
	if (!found)
		seen->times = 0;
	seen->times++;
}

/* All that were seen; of Seen * */
static List *
list_of(HTAB *table)
{
	HASH_SEQ_STATUS status;
	List	   *list = NIL;
	Seen	   *seen;

	if (table == NULL)
		return NIL;
	hash_seq_init(&status, table);
	while ((seen = hash_seq_search(&status)) != NULL)
		list = lappend(list, seen);
	return list;
}

static bool
has_several(HTAB *table)
{
	return table != NULL && hash_get_num_entries(table) > 1;
}

/* The most frequent first; of equally frequent ones by their texts. */
static int
compare_seen(const ListCell *a, const ListCell *b)
{
	const Seen *x = lfirst(a);
	const Seen *y = lfirst(b);

	if (x->times != y->times)
		return x->times > y->times ? -1 : 1;
	return strcmp(x->text, y->text);
}

/* Up to "most" of them: "3 x this; 1 x that", or "this" if there is nothing else. */
static char *
enumerate(HTAB *table, int most)
{
	List	   *list = list_of(table);
	StringInfoData s;
	ListCell   *lc;
	int			n = 0;

	initStringInfo(&s);
	list_sort(list, compare_seen);
	foreach(lc, list)
	{
		Seen	   *seen = lfirst(lc);

		if (n++ == most)
			break;
		if (list_length(list) > 1)
			appendStringInfo(&s, "%s" INT64_FORMAT " x %s", n > 1 ? "; " : "", seen->times,
							 seen->text);
		else
			appendStringInfoString(&s, seen->text);
	}
	return s.data;
}

/* ---------- one value ---------- */

static void
look_at(void *arg)
{
	Column	   *c = arg;
	PdsView		view;
	PdsHealth	h;

	pds_sketch_health(c->type, c->value, &view, &h);
	c->sketches++;
	c->bytes += h.bytes;
	c->fill = Max(c->fill, h.fill);
	c->rate = Max(c->rate, h.rate);
	c->error = Max(c->error, h.error);
	see(c, &c->parameters, h.parameters);
	see(c, &c->states, h.status);
	if (h.kind != PDS_KIND_NONE)
		see(c, &c->kinds, pds_kind_full_name(h.kind));
	see(c, &c->families, h.family);
}

/* ---------- one column ---------- */

static void
read_column(void *arg)
{
	Column	   *c = arg;
	char	   *sample = c->percent < 100 ?
		psprintf(" TABLESAMPLE SYSTEM (%.17g)", c->percent) : "";
	char	   *column;
	char	   *query;
	SPIPlanPtr	plan;
	MemoryContext each = AllocSetContextCreate(CurrentMemoryContext, "probds health",
											   ALLOCSET_DEFAULT_SIZES);
	Portal		portal;

	if (!pds_hold_relation(c->relation, c->owner))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("its owner has just changed")));
	column = pstrdup(quote_identifier(get_attname(c->relation, c->number, false)));
	query = psprintf("SELECT %s FROM ONLY %s%s WHERE %s IS NOT NULL", column,
					 pds_relation_name(c->relation), sample, column);
	plan = SPI_prepare(query, 0, NULL);
	if (plan == NULL)
		elog(ERROR, "SPI_prepare failed: %s", SPI_result_code_string(SPI_result));
	portal = SPI_cursor_open(NULL, plan, NULL, NULL, true);
	for (;;)
	{
		SPITupleTable *rows;
		uint64		n;

		SPI_cursor_fetch(portal, true, FETCH);
		rows = SPI_tuptable;
		n = SPI_processed;
		/* while we waited for the table; and rows that are frozen are visible to our snapshot */
		if (pds_sketch_type_of(SPI_gettypeid(rows->tupdesc, 1)) != c->type)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("its type has just changed")));
		for (uint64 i = 0; i < n; i++)
		{
			MemoryContext old = MemoryContextSwitchTo(each);
			bool		isnull;
			char	   *why;

			CHECK_FOR_INTERRUPTS();
			c->value = SPI_getbinval(rows->vals[i], rows->tupdesc, 1, &isnull);
			if (!isnull && !pds_attempt(look_at, c, &why))
			{
				c->sketches++;
				if (c->unreadable++ == 0)
					c->why = MemoryContextStrdup(c->context, why);
			}
			MemoryContextSwitchTo(old);
			MemoryContextReset(each);
		}
		SPI_freetuptable(rows);
		if (n == 0)
			break;
	}
	SPI_cursor_close(portal);
}

/* "ok", or how many are not. */
static char *
status_of(const Column *c)
{
	List	   *states = list_of(c->states);
	StringInfoData s;
	ListCell   *lc;

	initStringInfo(&s);
	if (c->unreadable > 0)
		appendStringInfo(&s, INT64_FORMAT " corrupt", c->unreadable);
	list_sort(states, compare_seen);
	foreach(lc, states)
	{
		Seen	   *seen = lfirst(lc);

		if (strcmp(seen->text, "ok") != 0)
			appendStringInfo(&s, "%s" INT64_FORMAT " %s", s.len > 0 ? ", " : "", seen->times,
							 seen->text);
	}
	if (s.len == 0)
		return "ok";
	appendStringInfo(&s, " of " INT64_FORMAT, c->sketches);
	return s.data;
}

/* What cannot be merged, or not without loss; NULL if nothing. */
static char *
remark_of(const Column *c, const char *failure)
{
	StringInfoData s;

	initStringInfo(&s);
	if (failure != NULL)
		appendStringInfo(&s, "; not read: %s", failure);
	if (c->why != NULL)
		appendStringInfo(&s, "; %s", c->why);
	if (has_several(c->parameters))
		appendStringInfoString(&s, "; mixed parameters");
	if (has_several(c->kinds))
		appendStringInfo(&s, "; mixed kinds of values: %s", enumerate(c->kinds, 5));
	if (has_several(c->families))
		appendStringInfo(&s, "; mixed hash families: %s", enumerate(c->families, 5));
	return s.len > 0 ? s.data + strlen("; ") : NULL;
}

static Datum
optional_float(double v, bool *isnull)
{
	*isnull = v < 0;
	return Float8GetDatum(*isnull ? 0 : pds_for_people(v));
}

/* Was it dropped, or is it gone with its table?  Others may do so while we wait for a table. */
static bool
is_gone(const Column *c)
{
	return !OidIsValid(get_atttype(c->relation, c->number));
}

static void
put_column(Tuplestorestate *rows, TupleDesc desc, Column *c)
{
	Datum		values[10];
	bool		nulls[10] = {false};
	char	   *failure = NULL;
	char	   *remark;
	PdsScope	scope;

	if (is_gone(c))
		return;
	/* The owner reads every row; who may see some of them only is not told about the others. */
	if (check_enable_rls(c->relation, InvalidOid, true) == RLS_ENABLED)
		failure = "the policies of the table apply to you";
	else
	{
		c->owner = pds_relation_owner(c->relation);
		pds_scope_enter(&scope, c->owner);
		if (pds_attempt(read_column, c, &failure))
			failure = NULL;
		pds_scope_leave(&scope);
	}
	if (is_gone(c))
		return;

	values[0] = CStringGetTextDatum(psprintf("%s.%s", pds_relation_name(c->relation),
											 quote_identifier(get_attname(c->relation, c->number,
																		  false))));
	values[1] = CStringGetTextDatum(c->type->name);
	values[2] = Int64GetDatum(c->sketches);
	values[3] = Int64GetDatum(c->bytes);
	nulls[3] = nulls[4] = nulls[5] = c->parameters == NULL;
	values[4] = nulls[4] ? (Datum) 0 : CStringGetTextDatum(enumerate(c->parameters, 3));
	values[5] = Float8GetDatum(pds_for_people(c->fill));
	values[6] = optional_float(c->rate, &nulls[6]);
	values[7] = optional_float(c->error, &nulls[7]);
	nulls[8] = c->sketches == 0;
	values[8] = nulls[8] ? (Datum) 0 : CStringGetTextDatum(status_of(c));
	remark = remark_of(c, failure);
	nulls[9] = remark == NULL;
	values[9] = remark == NULL ? (Datum) 0 : CStringGetTextDatum(remark);
	tuplestore_putvalues(rows, desc, values, nulls);
}

/* ---------- all columns ---------- */

/* The columns that the caller may read, in the order of their names; of Column *. */
static List *
all_columns(double percent)
{
	List	   *columns = NIL;
	PdsScope	scope;

	pds_scope_enter_path(&scope);
	if (SPI_execute("SELECT c.oid, a.attnum, t.oid"
					" FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = "
					"a.attrelid"
					" JOIN pg_catalog.pg_type t ON t.oid = a.atttypid"
					" WHERE t.typtype IN ('b', 'd') AND t.typelem = 0 AND t.oid >= 16384"
					" AND c.relkind IN ('r', 'm') AND a.attnum > 0 AND NOT a.attisdropped"
					" AND NOT pg_catalog.pg_is_other_temp_schema(c.relnamespace) AND (c.relkind "
					"<> 'm' OR c.relispopulated)"
					" AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')"
					" AND pg_catalog.has_schema_privilege(c.relnamespace, 'USAGE')"
					" ORDER BY c.oid::pg_catalog.regclass::pg_catalog.text COLLATE \"C\", a.attnum",
						true, 0) != SPI_OK_SELECT)
		elog(ERROR, "SPI_execute failed");
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple	row = SPI_tuptable->vals[i];
		TupleDesc	desc = SPI_tuptable->tupdesc;
		bool		isnull;
		Oid			typid = DatumGetObjectId(SPI_getbinval(row, desc, 3, &isnull));
		const PdsSketchType *type = pds_sketch_type_of(typid);
		Column	   *c;

		if (type == NULL)
			continue;
		c = palloc0(sizeof(Column));
		c->type = type;
		c->relation = DatumGetObjectId(SPI_getbinval(row, desc, 1, &isnull));
		c->number = DatumGetInt16(SPI_getbinval(row, desc, 2, &isnull));
		c->percent = percent;
		c->rate = c->error = -1;
		c->context = CurrentMemoryContext;
		columns = lappend(columns, c);
	}
	pds_scope_leave(&scope);
	return columns;
}

/* ---------- existence indexes ---------- */

/* The OIDs of those that the caller may see, in the order of their names. */
static List *
all_indexes(void)
{
	List	   *all = NIL;
	PdsScope	scope;
	bool		isnull;

	pds_scope_enter_path(&scope);
	if (SPI_execute("SELECT c.oid FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = "
					"i.indexrelid JOIN pg_catalog.pg_am m ON m.oid = c.relam"
					" WHERE m.amname = 'existence' AND c.relkind = 'i'"
					" AND NOT pg_catalog.pg_is_other_temp_schema(c.relnamespace)"
					" AND pg_catalog.has_table_privilege(i.indrelid, 'SELECT')"
					" ORDER BY c.oid::pg_catalog.regclass::pg_catalog.text COLLATE \"C\"",
					true, 0) != SPI_OK_SELECT)
		elog(ERROR, "SPI_execute failed");
	for (uint64 i = 0; i < SPI_processed; i++)
		all = lappend_oid(all, DatumGetObjectId(SPI_getbinval(SPI_tuptable->vals[i],
															  SPI_tuptable->tupdesc, 1, &isnull)));
	pds_scope_leave(&scope);
	return all;
}

typedef struct LookAtIndex
{
	Oid			index;
	ExistenceState state;
} LookAtIndex;

static void
look_at_index(void *arg)
{
	LookAtIndex *look = arg;
	Relation	index = index_open(look->index, AccessShareLock);

	existence_look(index, &look->state);
	index_close(index, AccessShareLock);
}

static void
put_index(Tuplestorestate *rows, TupleDesc desc, Oid id)
{
	Datum		values[10];
	bool		nulls[10] = {false};
	char	   *failure = NULL;
	LookAtIndex look = {.index = id};
	bool		done = pds_attempt(look_at_index, &look, &failure);
	const ExistenceState *state = &look.state;
	bool		looked = done && state->layers > 0;

	/* it was dropped, or is gone with its table */
	if (get_rel_name(id) == NULL)
		return;
	values[0] = CStringGetTextDatum(pds_relation_name(id));
	values[1] = CStringGetTextDatum("existence");
	values[2] = Int64GetDatum(1);
	nulls[3] = !done;
	nulls[4] = nulls[5] = nulls[6] = !looked;
	values[3] = Int64GetDatum((int64) state->bytes);
	values[4] = looked ? CStringGetTextDatum(psprintf("rate %g, %u layers", state->promised,
													state->layers)) : (Datum) 0;
	values[5] = Float8GetDatum(pds_for_people(state->fill));
	values[6] = Float8GetDatum(pds_for_people(state->rate));
	nulls[7] = true;
	values[8] = CStringGetTextDatum(done ? state->status : "1 corrupt of 1");
	if (done && !looked)
		failure = "it is being built, or its build failed";
	nulls[9] = failure == NULL;
	values[9] = nulls[9] ? (Datum) 0 : CStringGetTextDatum(failure);
	tuplestore_putvalues(rows, desc, values, nulls);
}

/* probds_health(sample_percent float8): one row for each column of a sketch type, and index */
PG_FUNCTION_INFO_V1(probds_health);
Datum
probds_health(PG_FUNCTION_ARGS)
{
	double		sample_percent = PG_GETARG_FLOAT8(0);
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Tuplestorestate *rows;
	ListCell   *lc;

	if (!(sample_percent > 0 && sample_percent <= 100))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("sample_percent must be above 0 and at most 100, not %g", sample_percent)));
	rows = pds_begin_rows(fcinfo);
	SPI_connect();
	foreach(lc, all_columns(sample_percent))
		put_column(rows, result->setDesc, lfirst(lc));
	foreach(lc, all_indexes())
		put_index(rows, result->setDesc, lfirst_oid(lc));
	SPI_finish();
	return (Datum) 0;
}
