/*
 * existence_handler.c: the access method as the server sees it
 */
#include "postgres.h"

#include <math.h>

#include "access/amapi.h"
#include "access/genam.h"
#include "access/reloptions.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/guc.h"

#include "existence.h"

static relopt_kind option_kind;

/* The setting probds.existence_size_limit, in megabytes */
static int	size_limit;

/* ---------- options and settings ---------- */

void
existence_init(void)
{
	option_kind = add_reloption_kind();
	add_real_reloption(option_kind, "false_positive_rate",
					   "How often \"yes\" is answered for keys that are not there",
					   EXISTENCE_DEFAULT_RATE, 1e-9, 0.5, AccessExclusiveLock);
	add_real_reloption(option_kind, "capacity",
					   "For how many distinct keys the index has space at once",
					   0, 0, 1e12, AccessExclusiveLock);
	add_real_reloption(option_kind, "expansion",
					   "By what factor the index grows at once when its filter is full",
					   EXISTENCE_DEFAULT_EXPANSION, 1, 16, AccessExclusiveLock);
	DefineCustomBoolVariable("probds.existence_gate",
							 "Lets the planner put existence indexes in front of index lookups"
							 " in joins.",
							 NULL, &existence_gate_enabled, true, PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);
	DefineCustomIntVariable("probds.existence_size_limit",
							"The largest size that the capacity of an existence index may ask for.",
							"An index over the rows of a table may be larger.", &size_limit, 1024,
							1, INT_MAX, PGC_USERSET, GUC_UNIT_MB, NULL, NULL, NULL);
	existence_gate_init();
}

/*
 * 53400 if a filter of this capacity, and the pages that it grows by at once, are larger than
 * probds.existence_size_limit.  A typing error in the capacity would fill the disk.
 */
static void
require_size(const ExistenceOptions *o)
{
	pds_existence_meta meta;
	double		bytes;

	/* pg_upgrade makes only the indexes that there were, and copies their files */
	if (IsBinaryUpgrade ||
		!pds_existence_plan_build(1, o->capacity, o->false_positive_rate, o->expansion, BLCKSZ,
								  PDS_KIND_NONE, &meta))
		return;					/* a build says so if no relation can be as large */
	(void) pds_existence_plan_table(&meta);
	bytes = (double) meta.used * BLCKSZ;
	if (bytes > (double) size_limit * 1024 * 1024)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
				 errmsg("existence index with capacity %g would take %.0f bytes", o->capacity,
						bytes),
				 errdetail("The setting probds.existence_size_limit permits %d MB.", size_limit),
				 errhint("Use a lower capacity: the index grows when it is full. Or SET "
						 "probds.existence_size_limit = '%.0fMB'.", ceil(bytes / 1024 / 1024))));
}

static bytea *
options(Datum reloptions, bool validate)
{
	static const relopt_parse_elt table[] = {
		{.optname = "false_positive_rate", .opttype = RELOPT_TYPE_REAL,
		.offset = offsetof(ExistenceOptions, false_positive_rate)},
		{.optname = "capacity", .opttype = RELOPT_TYPE_REAL,
		.offset = offsetof(ExistenceOptions, capacity)},
		{.optname = "expansion", .opttype = RELOPT_TYPE_REAL,
		.offset = offsetof(ExistenceOptions, expansion)},
	};

	ExistenceOptions *parsed = build_reloptions(reloptions, validate, option_kind,
												sizeof(ExistenceOptions), table, lengthof(table));

	if (validate && parsed != NULL)
		require_size(parsed);
	return (bytea *) parsed;
}

/* ---------- vacuum ---------- */

/* Bits belong to several rows, so none is cleared; REINDEX forgets what was deleted. */
static IndexBulkDeleteResult *
bulk_delete(IndexVacuumInfo *info, IndexBulkDeleteResult *stats,
			IndexBulkDeleteCallback callback, void *callback_state)
{
	return stats;
}

static IndexBulkDeleteResult *
vacuum_cleanup(IndexVacuumInfo *info, IndexBulkDeleteResult *stats)
{
	return stats;
}

/* ---------- the method ---------- */

/* Any class will do that has no more than the equality of types that hash alike. */
static bool
validate(Oid opclass)
{
	return true;
}

bool
existence_is_index(Relation index)
{
	return index->rd_indam->ambuild == existence_build;
}

PG_FUNCTION_INFO_V1(probds_existence_handler);
Datum
probds_existence_handler(PG_FUNCTION_ARGS)
{
	IndexAmRoutine *routine = makeNode(IndexAmRoutine);

	routine->amstrategies = EXISTENCE_EQUAL_STRATEGY;
	routine->amsearcharray = true;	/* an array is over at its first "yes" */
	routine->ampredlocks = true;

	/*
	 * Not amsummarizing, although the index has no tuple identifiers. Otherwise an update of
	 * the key would stay heap-only. REINDEX never sets indcheckxmin, so it would then lose the
	 * key of a row that an older snapshot still sees (existence_snapshot.spec).
	 */
	PDS_SET_AM_CONSISTENT_EQUALITY(routine);

	routine->ambuild = existence_build;
	routine->ambuildempty = existence_build_empty;
	routine->aminsert = existence_insert;
	routine->ambulkdelete = bulk_delete;
	routine->amvacuumcleanup = vacuum_cleanup;
	routine->amcostestimate = existence_cost;
	routine->amoptions = options;
	routine->ambuildphasename = existence_build_phase;
	routine->amvalidate = validate;
	routine->ambeginscan = RelationGetIndexScan;
	routine->amrescan = existence_rescan;
	routine->amgetbitmap = existence_get_bitmap;
	routine->amendscan = existence_end_scan;
	PG_RETURN_POINTER(routine);
}
