/*
 * topk_agg.c: the aggregates of topk
 *
 * The state is a topk in its building form (server/type/aggregate.h).
 *
 * Macros define: probds_topk_final.
 */
#include "postgres.h"

#include "aggregate.h"
#include "compat.h"
#include "value_text.h"
#include "call_argument.h"
#include "weight.h"
#include "topk_type.h"

/*
 * The arguments are the state, the value, a weight if the aggregate is weighted, and from here on
 * the parameters, k and counters.
 */
#define WEIGHT_ARG	2
#define K_ARG		(weighted ? 3 : 2)

/*
 * Everything that a step may have to do beyond the usual case: a value that is counted already,
 * and whose text cannot differ.
 */
static pg_noinline Datum
slow_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind, bool weighted)
{
	pds_topk_build *b = pds_aggregate_state(fcinfo, K_ARG, &pds_topk_type);
	int64		weight;

	/* a value without a weight is skipped, as one that is NULL */
	if (isnull || (weighted && PG_ARGISNULL(WEIGHT_ARG)))
		PG_RETURN_POINTER(b);

	/* the value is looked at again only to write it down */
	weight = weighted ? pds_weight_arg(fcinfo, WEIGHT_ARG) : 1;
	if (weight != 0)
	{
		pds_state_take_kind(&pds_topk_type, b, kind);
		b = pds_topk_add_weight(b, hash.h1, weight, pds_arg_hasher(fcinfo, 1, PDS_KIND_NONE),
								PG_GETARG_DATUM(1));
	}
	PG_RETURN_POINTER(b);
}

static pg_attribute_always_inline Datum
step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind, bool weighted)
{
	pds_topk_build *b = (pds_topk_build *) PG_GETARG_POINTER(0);

	static pds_topk_shape shape;	/* of the last state; no more than a guess */

	const char *likely_place = pds_topk_likely_place(b, shape, hash.h1);

	/* the search seldom goes further than this, but often into the next cache line */
	__builtin_prefetch(likely_place, 1);
	__builtin_prefetch(likely_place + 3 * sizeof(pds_topk_entry), 1);
	if (likely(!isnull && !PG_ARGISNULL(0) && (!weighted || !PG_ARGISNULL(WEIGHT_ARG)) &&
			   pds_parameters_known(fcinfo) && pds_in_aggregate(fcinfo) &&
			   pds_is_state_of(b, PDS_TYPE_TOPK, PDS_FAMILY_NATIVE, kind)))
	{
		int64		weight = weighted ? pds_weight_arg(fcinfo, WEIGHT_ARG) : 1;

		if (unlikely(!pds_topk_has_shape(b, shape)))
			shape = (pds_topk_shape) {b->places, b->indexed};
		if (likely(weight > 0 && pds_kind_has_one_text(kind) &&
				   pds_topk_count(b, hash.h1, (uint64) weight)))
			PG_RETURN_POINTER(b);
	}
	return slow_step(fcinfo, isnull, hash, kind, weighted);
}

PDS_AGGREGATE_ENTRY(probds_topk_agg, step, false);
PDS_AGGREGATE_ENTRY(probds_topk_weighted_agg, step, true);
PDS_FINAL_FUNCTION(topk);
