/*
 * bloom_agg.c: the aggregates of bloom
 *
 * The state is a bloom in its building form (server/type/aggregate.h).
 *
 * Macros define: probds_bloom_agg, probds_bloom_final.
 */
#include "postgres.h"

#include "bloom_type.h"
#include "aggregate.h"
#include "state.h"
#include "compat.h"

PDS_AGGREGATE_STEP(bloom, PDS_TYPE_BLOOM,
				   PG_NARGS() < 5 ? PDS_BLOOM_BLOCKED : pds_state_family(b));

PDS_FINAL_FUNCTION(bloom);

/* ---------- intersection ---------- */

/*
 * Transition and combine function of bloom_intersect_agg: a state and a value, either of which may
 * be the first.  NULLs are skipped; of NULLs only there is no intersection, so the result is NULL.
 */
PDS_FUNCTION(probds_bloom_intersect_step)
{
	struct varlena *value;
	pds_bloom_build *b;

	pds_require_aggregate(fcinfo);
	if (PG_ARGISNULL(1))
		PDS_RETURN_UNCHANGED();
	value = pds_sketch_get(&pds_bloom_type, PG_GETARG_DATUM(1));
	if (PG_ARGISNULL(0))
		PG_RETURN_POINTER(pds_state_from(&pds_bloom_type, value));
	b = pds_state_arg(fcinfo, &pds_bloom_type);
	pds_bloom_intersect(b, value);
	PG_FREE_IF_COPY(value, 1);
	PG_RETURN_POINTER(b);
}
