/*
 * rollup_numbers.c: the sequence that numbers the rows of a source
 */
#include "postgres.h"

#include "commands/sequence.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"

#include "rollup.h"

/* On a worker of Citus a sequence of bigint starts here, or higher; a node has 2^48. */
#define FIRST_OF_WORKERS	(INT64CONST(1) << 48)

Oid
rollup_sequence_of(const RollupParts *parts)
{
	char	   *source = pds_relation_name(parts->source);
	char	   *column = get_attname(parts->source, parts->number, false);
	char	   *query =
	psprintf("SELECT pg_catalog.pg_get_serial_sequence(%s, %s)"
			 "::pg_catalog.regclass::pg_catalog.oid",
			 quote_literal_cstr(source), quote_literal_cstr(column));
	Oid			sequence = (Oid) rollup_number(rollup_value(query), InvalidOid);

	if (!OidIsValid(sequence))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("column \"%s\" of %s is no longer numbered by a sequence", column,
						source),
				 errdetail("A refresh reads the rows above the last number of the previous "
						   "refresh, so numbers must only grow.")));
	if (rollup_value(psprintf("SELECT 1 FROM pg_catalog.pg_sequence WHERE seqrelid = "
							  "%u::pg_catalog.oid AND (seqcache <> 1 OR seqincrement < 1 OR "
							  "seqcycle)",
							  sequence)) != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("sequence %s does not count upward one number at a time",
						pds_relation_name(sequence)),
				 errdetail("With CACHE above 1, a session may write a lower number after another "
						   "session has written a higher one, and a refresh would miss that row."),
				 errhint("Use ALTER SEQUENCE ... CACHE 1 NO CYCLE, with a positive increment.")));
	if (pg_class_aclcheck(sequence, GetUserId(), ACL_SELECT | ACL_USAGE) != ACLCHECK_OK)
		aclcheck_error(ACLCHECK_NO_PRIV, OBJECT_SEQUENCE, get_rel_name(sequence));
	return sequence;
}

int64
rollup_sequence_last(Oid sequence)
{
	char	   *query =
		psprintf("SELECT pg_catalog.pg_sequence_last_value(%u::pg_catalog.regclass)", sequence);

	return rollup_number(rollup_value(query), 0);
}

int64
rollup_last_number(const RollupParts *parts)
{
	return rollup_sequence_last(rollup_sequence_of(parts));
}

void
rollup_require_growing(const RollupParts *parts, const RollupProgress *progress)
{
	Oid			sequence = rollup_sequence_of(parts);
	int64		highest = rollup_number(rollup_value(psprintf("SELECT pg_catalog.max(%s) FROM %s",
															  rollup_column_name(parts->source,
																				 parts->number),
															  pds_relation_name(parts->source))),
																  0);

	int64		now = rollup_sequence_last(sequence);

	if (highest <= now && !(progress->counted && progress->watermark > now))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("sequence %s has given out numbers up to " INT64_FORMAT ", and there are rows "
																			"up to " INT64_FORMAT,
					pds_relation_name(sequence), now, Max(highest, progress->watermark)),
			 errdetail("The next rows would get numbers that are already counted. Either the "
					   "sequence was set back, or rows were inserted with explicit numbers."),
			 highest >= FIRST_OF_WORKERS && !rollup_is_watched(parts) ?
			 errhint("Rows were inserted through a worker, which numbers them from a range of "
					 "its own. Insert the rows again through the coordinator, and delete the old "
					 "ones.") :
			 errhint("Set the sequence above all numbers with setval(). If it was meant to start "
					 "again, call probds_rebuild_rollup().")));
}
