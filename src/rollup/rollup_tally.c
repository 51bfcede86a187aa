/*
 * rollup_tally.c: changes of a source that has no triggers
 *
 * Some sources cannot have the triggers that tell of late rows and of changes: tables that
 * Citus distributes, foreign partitions, tables on which the rollup's owner may not put
 * any.  There a refresh keeps a tally of the rows up to its watermark: how many there are,
 * and the sum of their numbers.  The next refresh makes it again.  If the two differ, rows
 * came late, were given numbers that had been passed, or are gone.
 *
 * That is how a writer is found whom rollup_wait_for_writers() cannot see.  On Citus these
 * are writers who insert through a worker, and rows that a worker commits after the
 * coordinator's transaction has ended (a transaction that was prepared there, and is
 * committed when the coordinator can reach the worker again).
 *
 * Rows are counted before they are merged.  A row that comes between the two is merged,
 * and its change is told although the rollup is right; the other way round it would be
 * missed in silence.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_trigger.h"
#include "commands/sequence.h"
#include "utils/lsyscache.h"

#include "rollup/rollup.h"

static bool
fires(Oid relation, const RollupParts *parts, const char *function)
{
	char		state = rollup_trigger_state(relation, parts, function);

	return state == TRIGGER_FIRES_ON_ORIGIN || state == TRIGGER_FIRES_ALWAYS;
}

bool
rollup_is_watched(const RollupParts *parts)
{
	ListCell   *lc;

	foreach(lc, find_all_inheritors(parts->source, NoLock, NULL))
	{
		Oid			relation = lfirst_oid(lc);

		if (get_rel_relkind(relation) == RELKIND_FOREIGN_TABLE ||
			!fires(relation, parts, "probds_rollup_late"))
			return false;
	}

	/* a partition that is newer than the rollup has the one, by its parent, without the other */
	return fires(parts->source, parts, "probds_rollup_change");
}

/* "count, sum" of the rows with these numbers */
static char *
count_rows(const RollupParts *parts, const int64 *above, int64 up_to)
{
	char	   *number = rollup_column_name(parts->source, parts->number);
	char	   *and_above = above == NULL ? "" : psprintf(" AND %s > " INT64_FORMAT, number, *above);

	return rollup_value(psprintf("SELECT pg_catalog.format('%%s, %%s', pg_catalog.count(*), COALESCE(pg_catalog.sum(%s), 0)) FROM %s"
								 " WHERE %s <= " INT64_FORMAT "%s",
								 number, pds_relation_name(parts->source), number, up_to, and_above));
}

char *
rollup_tally(const RollupParts *parts, const int64 *above, int64 up_to)
{
	char	   *rows;

	if (rollup_is_watched(parts))
		return "(rows_counted, numbers_counted) = (NULL, NULL)";
	rows = count_rows(parts, above, up_to);
	if (above == NULL)
		return psprintf("(rows_counted, numbers_counted) = (%s)", rows);
	return psprintf("(rows_counted, numbers_counted) = (SELECT COALESCE(rows_counted, 0) + c, COALESCE(numbers_counted, 0) + s FROM (VALUES (%s)) v (c, s))",
					rows);
}

void
rollup_check_tally(const RollupParts *parts, const RollupProgress *progress)
{
	char	   *counted;
	char	   *there;

	if (!progress->counted || rollup_is_watched(parts))
		return;
	counted = rollup_value(psprintf("SELECT pg_catalog.format('%%s, %%s', rows_counted, numbers_counted) FROM %s WHERE rows_counted IS NOT NULL",
									pds_relation_name(parts->progress)));
	there = count_rows(parts, NULL, progress->watermark);
	if (counted != NULL && strcmp(counted, there) == 0)
		return;
	rollup_executef(SPI_OK_UPDATE, "UPDATE %s SET (rows_counted, numbers_counted) = (%s)",
					pds_relation_name(parts->progress), there);

	/* the triggers have gone since the last refresh */
	if (counted == NULL)
		return;
	(void) nextval_internal(parts->changes, false);
	ereport(WARNING,
			(errmsg("rows of %s have come late, or were changed", pds_relation_name(parts->source)),
			 errdetail("Up to number " INT64_FORMAT ", rollup %s has counted %s rows, and there are %s.",
					   progress->watermark, pds_relation_name(parts->shown),
					   pnstrdup(counted, strcspn(counted, ",")), pnstrdup(there, strcspn(there, ","))),
			 errhint("Call probds_rebuild_rollup().")));
}
