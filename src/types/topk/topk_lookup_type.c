/*
 * topk_lookup_type.c: how often did this value occur, by a topk sketch
 *
 * To find one value is to go through the items of the sketch, after all of it has been read.  So
 * a call site that meets the same sketch again unpacks it (pds_topk_unpack()).
 */
#include "postgres.h"

#include "result_row.h"
#include "compat.h"
#include "probe.h"
#include "topk_type.h"

/* With fewer items a search of what is unpacked is no faster. */
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

/* The second time a sketch is met, it is unpacked. */
static void
plan_unpacking(const pds_topk_view *v, PdsUnpackPlan *plan)
{
	plan->size = v->items > FEW_ITEMS ? pds_topk_unpacked_size(v) : 0;
	plan->probe_cost = 20 * (double) v->items;
	plan->unpack_cost = 2 * plan->probe_cost;
}

static bool
same_sketch(const pds_topk_view *v, const uint8_t *other, pds_hash hash)
{
	return memcmp(v->payload, other, v->len) == 0;
}

static uint64
unpacked_upper(const pds_topk_view *v, const pds_topk_build *b, pds_hash hash)
{
	const pds_topk_entry *e = pds_topk_find(b, hash.h1);

	return e != NULL ? e->upper : 0;
}

static uint64
unpacked_error(const pds_topk_view *v, const pds_topk_build *b, pds_hash hash)
{
	const pds_topk_entry *e = pds_topk_find(b, hash.h1);

	return e != NULL ? pds_topk_error(b, (uint32) (e - pds_topk_entries(b))) : 0;
}

PDS_UNPACKING(to_upper, topk, plan_unpacking, pds_topk_unpack, same_sketch, unpacked_upper);
PDS_UNPACKING(to_error, topk, plan_unpacking, pds_topk_unpack, same_sketch, unpacked_error);
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
