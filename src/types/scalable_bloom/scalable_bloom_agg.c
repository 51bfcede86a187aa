/*
 * scalable_bloom_agg.c: the aggregates of scalable_bloom
 *
 * The state is a scalable_bloom in its building form (server/type/aggregate.h), which collects:
 * what becomes of the rows does not depend on their order.
 *
 * Macros define: probds_scalable_bloom_agg, probds_scalable_bloom_final.
 */
#include "postgres.h"

#include "aggregate.h"
#include "compat.h"
#include "decimal.h"
#include "scalable_bloom_type.h"
#include "state.h"
#include "call_argument.h"

/* Everything that a step may have to do beyond the usual case. */
static pg_noinline Datum
slow_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	Datum		result = pds_aggregate_step(fcinfo, PDS_FIRST_PARAMETER, isnull, hash, kind,
											&pds_scalable_bloom_type);
	const pds_scalable_bloom_build *b = (const pds_scalable_bloom_build *) DatumGetPointer(result);

	/* what cannot collect has one layer: more would make its bytes depend on the order of rows */
	if (!pds_scalable_bloom_collects(b) && b->layers > 0)
	{
		uint64_t	limit = pds_scalable_bloom_collect_limit(b->parameters.rate);

		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("more distinct values than the capacity of %llu",
						(unsigned long long) b->parameters.capacity),
				 errdetail("An aggregate with a capacity above %llu has one layer and does not "
						   "grow.", (unsigned long long) limit)));
	}
	return result;
}

PDS_AGGREGATE_STEP_OR(scalable_bloom, PDS_TYPE_SCALABLE_BLOOM,
					  PDS_BLOOM_BLOCKED, slow_step);

PDS_FINAL_FUNCTION(scalable_bloom);
