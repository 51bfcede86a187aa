/*
 * minhash_agg.c: the aggregates of minhash
 *
 * Macros define: probds_minhash_final.
 */
#include "postgres.h"

#include "aggregate.h"
#include "compat.h"
#include "minhash_type.h"

static pg_attribute_always_inline Datum
minhash_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	pds_minhash_build *b = (pds_minhash_build *) PG_GETARG_POINTER(0);

	if (likely(!isnull && !PG_ARGISNULL(0) &&
			   pds_in_aggregate(fcinfo) &&
			   pds_is_state_of(b, PDS_TYPE_MINHASH, PDS_FAMILY_NATIVE, kind) &&
			   (PG_NARGS() < 3 ? b->log2_k == PDS_MINHASH_DEFAULT_LOG2_K :
				!PG_ARGISNULL(2) && PG_GETARG_INT32(2) == 1 << b->log2_k) &&
			   pds_minhash_add(b, hash) == PDS_OK))
		PG_RETURN_POINTER(b);
	return pds_aggregate_step(fcinfo, 2, isnull, hash, kind, &pds_minhash_type);
}

PDS_AGGREGATE_ENTRY(probds_minhash_agg, minhash_step);
PDS_FINAL_FUNCTION(minhash);
