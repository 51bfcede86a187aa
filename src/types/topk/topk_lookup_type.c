/*
 * topk_lookup_type.c: how often did this value occur, by a topk sketch
 *
 * To find one value is to go through the items of the sketch, after all of it has been read.  So
 * a call site that meets the same sketch again makes an index of it (topk_index.c).
 */
#include "postgres.h"

#include "result_row.h"
#include "compat.h"
#include "probe.h"
#include "topk_type.h"
#include "call_argument.h"

/* With fewer items an index is no faster. */
#define FEW_ITEMS	8

/* Go through the items.  The first with this hash; its upper bound is 0 if no item has it. */
static pds_status
scan(const pds_topk_view *v, pds_hash hash, pds_fetch fetch, void *context, pds_topk_item *item)
{
	pds_topk_view whole = *v;
	bool		found;
	pds_status	status;

	whole.payload = fetch(context, 0, v->len);
	status = pds_topk_lookup(&whole, hash.h1, &found, item);
	if (status == PDS_OK && !found)
		item->upper = item->error = 0;
	return status;
}

static pds_status
find_upper(const pds_topk_view *v, pds_hash hash, pds_fetch fetch, void *context, uint64_t *upper)
{
	pds_topk_item item;
	pds_status	status = scan(v, hash, fetch, context, &item);

	*upper = item.upper;
	return status;
}

static pds_status
find_error(const pds_topk_view *v, pds_hash hash, pds_fetch fetch, void *context, uint64_t *error)
{
	pds_topk_item item;
	pds_status	status = scan(v, hash, fetch, context, &item);

	*error = item.error;
	return status;
}

/* The second time a sketch is met, an index is made. */
static void
plan_index(const pds_topk_view *v, PdsUnpackPlan *plan)
{
	plan->size = v->items > FEW_ITEMS ? pds_topk_index_bytes(v) : 0;
	plan->probe_cost = 20 * (double) v->items;
	plan->unpack_cost = 2 * plan->probe_cost;
}

static bool
same_sketch(const pds_topk_view *v, const uint8_t *other, pds_hash hash)
{
	return memcmp(v->payload, other, v->len) == 0;
}

static uint64
index_upper(const pds_topk_view *v, const pds_topk_index *index, pds_hash hash)
{
	const pds_topk_slot *slot = pds_topk_index_lookup(index, hash.h1);

	return slot != NULL ? slot->upper : 0;
}

static uint64
index_error(const pds_topk_view *v, const pds_topk_index *index, pds_hash hash)
{
	const pds_topk_slot *slot = pds_topk_index_lookup(index, hash.h1);

	return slot != NULL ? slot->error : 0;
}

PDS_UNPACKING(to_upper, topk, plan_index, pds_topk_index_make, same_sketch, index_upper);
PDS_UNPACKING(to_error, topk, plan_index, pds_topk_index_make, same_sketch, index_error);
PDS_PROBE(upper_bound, topk, PDS_TOPK_MAX_PREFIX, find_upper, .unpacking = &to_upper);
PDS_PROBE(upper_less_lower, topk, PDS_TOPK_MAX_PREFIX, find_error, .unpacking = &to_error);

/* topk_frequency(topk, "any"): an upper bound, 0 if the value is not in the sketch */
PDS_FUNCTION(probds_topk_frequency)
{
	PdsProbed	probed;

	PG_RETURN_INT64((int64) pds_probe_args(fcinfo, 0, 1, &upper_bound, &probed));
}

/* topk_bounds(topk, "any"): (lower, estimate, upper) */
PDS_FUNCTION(probds_topk_bounds)
{
	PdsProbed	probed;
	uint64		upper = pds_probe_args(fcinfo, 0, 1, &upper_bound, &probed);
	uint64		lower;

	if (upper == 0)
		return pds_bounds_row_exact(0, 0, (int64) ((pds_topk_view *) probed.view)->offset);
	lower = upper - pds_probe_args(fcinfo, 0, 1, &upper_less_lower, &probed);
	return pds_bounds_row_exact((int64) lower, (int64) upper, (int64) upper);
}
