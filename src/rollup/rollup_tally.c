/*
 * rollup_tally.c: changes of a source that has no triggers
 *
 * Some sources cannot have the triggers that record late rows and changes.  These are tables
 * that Citus distributes, foreign partitions, and tables on which the rollup's owner may not
 * create triggers.  For such a source, a refresh keeps a tally of the rows up to its watermark:
 * their number, and the sum of their numbers.  The next refresh computes the tally again.  If
 * the two differ, rows came late, were given numbers that had been passed, or are gone.
 *
 * The tally also finds writers that rollup_wait_for_writers() cannot see.  On Citus, a writer
 * may insert through a worker.  A worker may also commit rows after the coordinator's
 * transaction has ended, if the transaction was prepared and the worker could not be reached.
 *
 * Rows are counted before they are merged.  A row that arrives between the two steps is merged,
 * and is reported as a change although the rollup is right.  In the opposite order, such a row
 * would be missed silently.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "commands/sequence.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "rollup.h"

bool
rollup_is_watched(const RollupParts *parts)
{
	ListCell   *lc;

	foreach(lc, find_all_inheritors(parts->source, NoLock, NULL))
	{
		Oid			relation = lfirst_oid(lc);

		if (get_rel_relkind(relation) == RELKIND_FOREIGN_TABLE ||
			!rollup_trigger_fires(relation, parts, "probds_rollup_late"))
			return false;
	}

	/* a partition that is newer than the rollup has the one, by its parent, without the other */
	return rollup_trigger_fires(parts->source, parts, "probds_rollup_change");
}

/* Rows: how many, and the sum of their numbers (a numeric, as text) */
typedef struct Tally
{
	int64		rows;
	char	   *numbers;
} Tally;

/* Reads the tally from a query that returns "count sum". Returns false without a result. */
static bool
read_tally(const char *query, Tally *t)
{
	char	   *text = rollup_value(query);
	char	   *space = text != NULL ? strchr(text, ' ') : NULL;

	if (space == NULL)
		return false;
	t->numbers = space + 1;
	*space = '\0';
	t->rows = rollup_number(text, 0);
	return true;
}

/* Computes the tally of the source's rows with these numbers. */
static void
count_rows(const RollupParts *parts, const int64 *above, int64 up_to, Tally *t)
{
	char	   *number = rollup_column_name(parts->source, parts->number);
	char	   *and_above = above == NULL ? "" :
		psprintf(" AND %s > " INT64_FORMAT, number, *above);

	if (!read_tally(psprintf("SELECT pg_catalog.concat_ws(' ', pg_catalog.count(*), "
							 "COALESCE(pg_catalog.sum(%s), 0)) FROM %s"
							 " WHERE %s <= " INT64_FORMAT "%s",
							 number, pds_relation_name(parts->source), number, up_to, and_above),
								 t))
		elog(ERROR, "rows of relation %u could not be counted", parts->source);
}

static char *
assignments(const char *rows_before, const char *numbers_before, const Tally *t)
{
	return psprintf("rows_counted = %s" INT64_FORMAT ", numbers_counted = %s%s::pg_catalog.numeric",
					rows_before, t->rows, numbers_before, quote_literal_cstr(t->numbers));
}

char *
rollup_tally(const RollupParts *parts, const int64 *above, int64 up_to)
{
	Tally		t;

	if (rollup_is_watched(parts))
		return "rows_counted = NULL, numbers_counted = NULL";
	count_rows(parts, above, up_to, &t);
	return above == NULL ? assignments("", "", &t) :
		assignments("COALESCE(rows_counted, 0) + ", "COALESCE(numbers_counted, 0) + ", &t);
}

void
rollup_check_tally(const RollupParts *parts, const RollupProgress *progress)
{
	Tally		counted;
	Tally		there;
	bool		known;

	if (!progress->counted || rollup_is_watched(parts))
		return;
	known = read_tally(psprintf("SELECT pg_catalog.concat_ws(' ', rows_counted, numbers_counted) "
								"FROM %s WHERE rows_counted IS NOT NULL",
								pds_relation_name(parts->progress)), &counted);
	count_rows(parts, NULL, progress->watermark, &there);
	if (known && counted.rows == there.rows && strcmp(counted.numbers, there.numbers) == 0)
		return;
	rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET %s", pds_relation_name(parts->progress),
					assignments("", "", &there));

	/* the triggers have gone since the last refresh */
	if (!known)
		return;
	(void) nextval_internal(parts->changes, false);
	ereport(WARNING,
			(errmsg("rows of %s were inserted late or changed", pds_relation_name(parts->source)),
			 errdetail("Up to number " INT64_FORMAT ", rollup %s has counted " INT64_FORMAT
					   " rows, and there are " INT64_FORMAT ".",
					   progress->watermark, pds_relation_name(parts->shown), counted.rows,
					   there.rows),
			 errhint("Call probds_rebuild_rollup().")));
}
