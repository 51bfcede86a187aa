/*
 * rollup_text.c: the statements that keep a rollup current
 *
 * All names in them are qualified and quoted; they are executed with a search path of
 * pg_catalog alone.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_class.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/ruleutils.h"
#include "utils/snapmgr.h"

#include "rollup.h"

char *
rollup_stored_column(const RollupParts *parts, int i)
{
	const char *dropped = rollup_dropped_column(parts);

	if (dropped != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("column \"%s\" of rollup %s was dropped", dropped,
						pds_relation_name(parts->shown)),
				 errhint("Drop the rollup with probds_drop_rollup() and create it again.")));
	return rollup_column_name(parts->stored, (AttrNumber) (i + 1));
}

/* Are groups told apart by a hash?  Has their unique index an expression in it? */
static bool
is_by_hash(Oid stored)
{
	Relation	rel = table_open(stored, AccessShareLock);
	List	   *indexes = RelationGetIndexList(rel);
	ListCell   *lc;
	bool		by_hash = false;

	foreach(lc, indexes)
	{
		Relation	index = RelationIdGetRelation(lfirst_oid(lc));

		if (!RelationIsValid(index))
			continue;
		if (index->rd_index->indisunique && RelationGetIndexExpressions(index) != NIL)
			by_hash = true;
		RelationClose(index);
	}
	table_close(rel, NoLock);
	return by_hash;
}

/* Names of the first n columns of the table, separated by commas. */
static void
append_columns(StringInfo out, const RollupParts *parts, int n)
{
	for (int i = 0; i < n; i++)
		appendStringInfo(out, "%s%s", i > 0 ? ", " : "", rollup_stored_column(parts, i));
}

/* How a group is found: its keys, or their hash, and the slot. */
static void
append_target(StringInfo out, const RollupParts *parts, const RollupDefinition *d, bool by_hash,
			  bool slots)
{
	if (d->keys == 0)
		appendStringInfoString(out, slots ? "slot" : "(true)");
	else if (by_hash)
	{
		appendStringInfo(out, "%s._probds_rollup_key(ROW(", rollup_extension_schema());
		append_columns(out, parts, d->keys);
		appendStringInfo(out, "))%s", slots ? ", slot" : "");
	}
	else
	{
		append_columns(out, parts, d->keys);
		appendStringInfoString(out, slots ? ", slot" : "");
	}
}

/* column = how what is there and what comes become one */
static void
append_step(StringInfo out, const char *column, const RollupColumn *c)
{
	switch (c->merge)
	{
		case ROLLUP_UNION:
			appendStringInfo(out, "%s = %s.%s(t.%s, excluded.%s)", column,
							 rollup_extension_schema(),
							 quote_identifier(psprintf("%s_merge", c->type_name)), column, column);
			break;
		case ROLLUP_SUM:
			appendStringInfo(out, "%s = COALESCE(t.%s OPERATOR(pg_catalog.+) excluded.%s, t.%s, "
								  "excluded.%s)",
							 column, column, column, column, column);
			break;
		case ROLLUP_MIN:
		case ROLLUP_MAX:
			appendStringInfo(out, "%s = %s(t.%s, excluded.%s)", column,
							 c->merge == ROLLUP_MIN ? "LEAST" : "GREATEST", column, column);
			break;
	}
}

/*
 * Writers take their groups in one order, so that two of them do not wait for each
 * other.
 */
static void
append_order(StringInfo out, const RollupParts *parts, const RollupDefinition *d, bool by_hash)
{
	if (d->keys == 0)
		return;
	appendStringInfoString(out, " ORDER BY ");
	if (by_hash)
	{
		appendStringInfo(out, "%s._probds_rollup_key(ROW(", rollup_extension_schema());
		for (int i = 0; i < d->keys; i++)
			appendStringInfo(out, "%sq.%s", i > 0 ? ", " : "",
							 rollup_column_name(parts->definition, (AttrNumber) (i + 1)));
		appendStringInfoString(out, "))");
	}
	else
		for (int i = 0; i < d->keys; i++)
			appendStringInfo(out, "%s%d", i > 0 ? ", " : "", i + 1);
}

char *
rollup_merge_text(const RollupParts *parts, int slots, const char *query)
{
	bool		by_hash = is_by_hash(parts->stored);
	StringInfoData out;
	RollupDefinition d;

	rollup_read_definition(parts->definition, &d);
	initStringInfo(&out);
	appendStringInfo(&out, "INSERT INTO %s AS t (", pds_relation_name(parts->stored));
	append_columns(&out, parts, d.columns);
	appendStringInfo(&out, "%s) SELECT q.*%s FROM %s q", slots > 1 ? ", slot" : "",
					 slots > 1 ? ", $1" : "",
					 query != NULL ? psprintf("(%s)", query) :
						 pds_relation_name(parts->definition));
	append_order(&out, parts, &d, by_hash);
	appendStringInfoString(&out, " ON CONFLICT (");
	append_target(&out, parts, &d, by_hash, slots > 1);
	appendStringInfoString(&out, ") DO UPDATE SET ");
	for (int i = d.keys; i < d.columns; i++)
	{
		if (i > d.keys)
			appendStringInfoString(&out, ", ");
		append_step(&out, rollup_stored_column(parts, i), &d.column[i]);
	}
	return out.data;
}

void
rollup_merged_columns(StringInfo out, const RollupParts *parts, const RollupDefinition *d)
{
	for (int i = d->keys; i < d->columns; i++)
	{
		const RollupColumn *c = &d->column[i];
		char	   *column = rollup_stored_column(parts, i);

		if (i > d->keys)
			appendStringInfoString(out, ", ");
		switch (c->merge)
		{
			case ROLLUP_UNION:
				appendStringInfo(out, "%s.%s(%s) AS %s", rollup_extension_schema(),
								 quote_identifier(psprintf("%s_merge_agg", c->type_name)), column,
									 column);
				break;
			case ROLLUP_SUM:
				/* the sum of a bigint is a numeric */
				appendStringInfo(out, "pg_catalog.sum(%s)::%s AS %s", column,
								 format_type_extended(c->type, c->typmod,
													  FORMAT_TYPE_TYPEMOD_GIVEN |
													  FORMAT_TYPE_FORCE_QUALIFY),
								 column);
				break;
			case ROLLUP_MIN:
				appendStringInfo(out, "pg_catalog.min(%s) AS %s", column, column);
				break;
			case ROLLUP_MAX:
				appendStringInfo(out, "pg_catalog.max(%s) AS %s", column, column);
				break;
		}
	}
}

char *
rollup_merged_groups(const RollupParts *parts, const RollupDefinition *d, const char *from)
{
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoString(&out, "SELECT ");
	for (int i = 0; i < d->keys; i++)
		appendStringInfo(&out, "%s AS %s, ", rollup_stored_column(parts, i),
						 rollup_column_name(parts->definition, (AttrNumber) (i + 1)));
	rollup_merged_columns(&out, parts, d);
	appendStringInfo(&out, " FROM %s", from);
	if (d->keys == 0)
		appendStringInfoString(&out, " HAVING pg_catalog.count(*) OPERATOR(pg_catalog.>) 0");
	for (int i = 0; i < d->keys; i++)
		appendStringInfo(&out, "%s%s", i == 0 ? " GROUP BY " : ", ",
						 rollup_stored_column(parts, i));
	return out.data;
}
