/*
 * hll_agg.c: the aggregates of hll
 *
 * Macros define: probds_hll_final.
 */
#include "postgres.h"

#include "compat.h"
#include "hll_type.h"
#include "aggregate.h"
#include "result_row.h"

static pg_attribute_always_inline Datum
hll_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	pds_hll_build *b = (pds_hll_build *) PG_GETARG_POINTER(0);

	if (likely(!isnull && !PG_ARGISNULL(0) &&
			   pds_in_aggregate(fcinfo) &&
			   pds_is_state_of(b, PDS_TYPE_HLL, PDS_FAMILY_NATIVE, kind) &&
			   (PG_NARGS() < 3 ||
				(!PG_ARGISNULL(2) && PG_GETARG_INT32(2) == b->precision)) &&
			   pds_hll_add(b, hash.h1) == PDS_OK))
		PG_RETURN_POINTER(b);
	return pds_aggregate_step(fcinfo, 2, isnull, hash, kind, &pds_hll_type);
}

PDS_AGGREGATE_ENTRY(probds_hll_agg, hll_step);


/* hll_agg_hash: argument 1 is a hash that was made elsewhere */
PDS_FUNCTION(probds_hll_agg_hash)
{
	pds_hash	hash = {(uint64) PG_GETARG_INT64(1), 0};

	return hll_step(fcinfo, PG_ARGISNULL(1), hash, PDS_KIND_HASH);
}

PDS_FINAL_FUNCTION(hll);

/* Final function of approx_count_distinct: no rows are 0 values. */
PDS_FUNCTION(probds_hll_final_count)
{
	struct varlena *state;
	pds_hll_summary s;

	pds_require_aggregate(fcinfo);
	if (PG_ARGISNULL(0))
		PG_RETURN_INT64(0);
	state = (struct varlena *) PG_GETARG_POINTER(0);
	if (pds_is_writable_state(state))
		pds_hll_summarize_build((pds_hll_build *) state, &s);
	else
		pds_hll_summary_arg(fcinfo, 0, &s);
	return pds_count_datum(pds_hll_cardinality(&s));
}
