/*
 * rollup_mark.c: groups of a rollup are marked, or are all gone
 */
#include "postgres.h"

#include "storage/lmgr.h"
#include "utils/rel.h"
#include "utils/rls.h"

#include "rollup.h"

/* The keys of the parts, each behind a comma. */
static char *
further_keys(const RollupParts *parts, const RollupDefinition *d)
{
	StringInfoData keys;

	initStringInfo(&keys);
	for (int i = 0; i < d->columns; i++)
		if (d->column[i].is_key)
			appendStringInfo(&keys, ", %s", rollup_stored_column(parts, i));
	return keys.data;
}

/* Mark all groups that there are parts of, and those of rollups of rollups that they are in. */
static void
mark_everything(const RollupParts *parts)
{
	RollupDefinition d;
	RollupOptions options;
	PdsScope	scope;
	ListCell   *lc;
	char	   *keys;

	rollup_enter(&scope, parts, &options);
	rollup_read_definition(parts->query, &d);
	keys = further_keys(parts, &d);
	(void) rollup_execute_latest(SPI_OK_INSERT, psprintf(
		"INSERT INTO %s (" ROLLUP_TOUCHED "%s) SELECT DISTINCT true%s FROM %s WHERE %s",
		pds_relation_name(parts->stored), keys, keys, pds_relation_name(parts->stored),
		rollup_recent(parts, &d, &options, rollup_stored_column(parts, 0))));
	pds_scope_leave(&scope);
	foreach(lc, rollup_list_of_source(parts->shown))
		mark_everything(lfirst(lc));
}

void
rollup_mark(const RollupParts *parts, const RollupOptions *options, Relation relation)
{
	RollupDefinition d;
	Tuplestorestate *marked;

	/* policies of a partition are not for who reads the source, nor may they run as him */
	if (relation != NULL &&
		check_enable_rls(RelationGetRelid(relation), parts->owner, true) == RLS_ENABLED)
	{
		rollup_mark_all(parts, options);
		return;
	}
	rollup_read_definition(parts->query, &d);
	marked = rollup_run_append(rollup_plan_append(parts, &d, relation, NULL, true, options), NULL);
	rollup_mark_dependants(parts, marked);
	tuplestore_end(marked);
}

void
rollup_mark_all(const RollupParts *parts, const RollupOptions *options)
{
	rollup_mark(parts, options, NULL);
	mark_everything(parts);
}

void
rollup_empty(const RollupParts *parts)
{
	RollupDefinition d;
	RollupOptions options;
	PdsScope	scope;
	ListCell   *lc;

	SPI_connect();
	rollup_enter(&scope, parts, &options);
	rollup_read_definition(parts->query, &d);
	/* who reads the rollup may have locked the parts, and wait for the source */
	if (options.frozen_after == NULL &&
		(ConditionalLockRelationOid(parts->stored, AccessExclusiveLock) ||
		 !rollup_is_deletable(parts->stored)))
		(void) rollup_executef(SPI_OK_UTILITY, "TRUNCATE ONLY %s",
							   pds_relation_name(parts->stored));
	else
		(void) rollup_execute_latest(SPI_OK_DELETE, psprintf(
			"DELETE FROM %s WHERE %s", pds_relation_name(parts->stored),
			options.frozen_after == NULL ? "true" :
			rollup_recent(parts, &d, &options, rollup_stored_column(parts, 0))));
	pds_scope_leave(&scope);
	/* it has rows all the same where some are frozen, and without keys the one of no rows */
	foreach(lc, rollup_list_of_source(parts->shown))
	{
		const RollupParts *upper = lfirst(lc);
		RollupOptions its;

		if (options.frozen_after == NULL && d.keys > 0)
			rollup_empty(upper);
		else
		{
			rollup_enter(&scope, upper, &its);
			rollup_mark_all(upper, &its);
			pds_scope_leave(&scope);
		}
	}
	SPI_finish();
}

int64
rollup_waiting(const RollupParts *parts)
{
	RollupDefinition d;

	rollup_read_definition(parts->query, &d);
	(void) rollup_executef(SPI_OK_SELECT, "SELECT pg_catalog.count(*) FROM (SELECT DISTINCT true%s "
						   "FROM %s WHERE " ROLLUP_TOUCHED ") m", further_keys(parts, &d),
						   pds_relation_name(parts->stored));
	return DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1,
									   &(bool) {false}));
}
