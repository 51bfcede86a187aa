/*
 * bloom_probe_type.c: is this value in the filter?
 *
 * Most filters are an array in memory: a constant, a variable, a stored filter that is kept.
 * Then a probe is a hash and one cache miss, and here is a short way to it.  For a stored filter
 * it takes 171 instructions a row less than the way of every type (server/stored/probe.h), which
 * is for all else.
 *
 * Macros define: probds_bloom_contains_all, probds_bloom_contains_any, probds_bloom_contains_sel,
 * probds_bloom_contains_support.
 */
#include "postgres.h"

#include "bloom_bits.h"
#include "bloom_family.h"
#include "bloom_type.h"
#include "compat.h"
#include "probe.h"
#include "selectivity.h"
#include "call_argument.h"

/* ---------- probes of any filter ---------- */

/* A sparse filter that is probed often is unpacked to an array. */
static void
plan_unpacking(const pds_bloom_view *v, PdsUnpackPlan *plan)
{
	plan->size = 0;
	if (v->encoding != PDS_BLOOM_SPARSE)
		return;
	plan->size = v->shape.bits / 8;
	/* page faults included */
	plan->unpack_cost = 1000 + (double) plan->size * 0.3 + (double) v->count * 10;
	plan->probe_cost = (v->shape.family == PDS_BLOOM_BLOCKED ? 1 : 2) *
		(100 + 6 * (double) v->count / (double) v->list.segments);
}

static bool
bits_contain(const pds_bloom_view *v, const uint8_t *array, pds_hash hash)
{
	return pds_bloom_array_contains(array, &v->shape, hash);
}

static size_t
array_at(const void *view)
{
	const pds_bloom_view *v = view;

	return v->encoding == PDS_BLOOM_ARRAY ? v->data_at : 0;
}

static bool
hash_value(const void *view, PdsHasher *hasher, Datum value, pds_hash *hash)
{
	return bloom_foreign_hash(((const pds_bloom_view *) view)->family, hasher, value, hash);
}

PDS_UNPACKING(to_array, bloom, plan_unpacking, pds_bloom_view_or, pds_bloom_same_probe,
			  bits_contain);
PDS_PROBE(is_there, bloom, PDS_BLOOM_MAX_PREFIX, pds_bloom_view_contains, .unpacking = &to_array,
		  .align_at = array_at, .hash_value = hash_value, .foreign_from = PDS_BLOOM_GUAVA32 + 1);

static pg_noinline Datum
contains_any_form(FunctionCallInfo fcinfo, int filter_argno, int value_argno)
{
	PdsProbed	probed;

	PG_RETURN_BOOL(pds_probe_args(fcinfo, filter_argno, value_argno, &is_there, &probed) != 0);
}

/* ---------- the short way ---------- */

static inline bool
same_bytes(const uint8_t *a, const uint8_t *b, size_t len)
{
	/* heads mostly are so long, and to call memcmp takes as long as to probe */
	if (likely(len >= 8 && len <= 16))
		return pds_load_le64(a) == pds_load_le64(b) &&
			pds_load_le64(a + len - 8) == pds_load_le64(b + len - 8);
	return memcmp(a, b, len) == 0;
}

/*
 * The view of a filter in memory.  NULL unless it is whole there, and the call site's last one
 * had the same head.
 */
static inline const pds_bloom_view *
view_in_memory(PdsProbeSite *site, const struct varlena *v)
{
	pds_bloom_view *view = (pds_bloom_view *) &site->view;

	if (VARATT_IS_EXTERNAL(v) || VARATT_IS_COMPRESSED(v) || pds_is_building(v))
		return NULL;
	if (unlikely(PDS_PAYLOAD_LEN(v) != view->len ||
				 !same_bytes(PDS_PAYLOAD(v), site->head, view->data_at)))
		return NULL;
	view->payload = PDS_PAYLOAD(v);
	return view;
}

/* The same of a filter in a table; NULL unless its payload is kept. */
static inline const pds_bloom_view *
view_kept(PdsProbeSite *site, const struct varlena *v, PdsStored **stored)
{
	PdsStored  *s = site->cache == NULL ? NULL : pds_stored_find(site->cache, v);

	if (s == NULL || s->kept == NULL || s->unpacked > 0)
		return NULL;
	*stored = s;
	return (const pds_bloom_view *) &((PdsStoredSketch *) pds_stored_known(s))->view;
}

static inline Datum
contains_args(FunctionCallInfo fcinfo, int filter_argno, int value_argno)
{
	const PdsCallSite *call = fcinfo->flinfo->fn_extra;
	const struct varlena *v = (const struct varlena *) PG_GETARG_POINTER(filter_argno);
	PdsProbeSite *site = call == NULL ? NULL : call->known;
	const pds_bloom_view *view = NULL;
	PdsStored  *stored = NULL;

	if (likely(site != NULL))
		view = pds_is_stored(v) ? view_kept(site, v, &stored) : view_in_memory(site, v);
	if (likely(view != NULL && view->encoding == PDS_BLOOM_ARRAY &&
			   pds_bloom_hashes_natively(view->family)))
	{
		pds_kind	kind;
		pds_hash	hash = pds_hash_arg(fcinfo, value_argno, view->kind, &kind);
		const uint8_t *payload = stored != NULL ? stored->kept : view->payload;

		pds_require_kind(&pds_bloom_type, view->kind, kind);
		/* (what was kept may have gone while the value was hashed) */
		if (likely(payload != NULL))
			PG_RETURN_BOOL(pds_bloom_array_contains(payload + view->data_at, &view->shape, hash));
	}
	return contains_any_form(fcinfo, filter_argno, value_argno);
}

/* bloom_contains(bloom, "any"), bloom @> "any" */
PDS_FUNCTION(probds_bloom_contains)
{
	return contains_args(fcinfo, 0, 1);
}

/* bloom_contained("any", bloom), "any" <@ bloom */
PDS_FUNCTION(probds_bloom_contained)
{
	return contains_args(fcinfo, 1, 0);
}

PDS_CONTAINS_ARRAY_FUNCTIONS(bloom, is_there);

PDS_SKETCH_FUNCTION(probds_bloom_contains_sel, return pds_contains_sel(fcinfo, &is_there));
PDS_SKETCH_FUNCTION(probds_bloom_contains_support, return pds_contains_support(fcinfo, &is_there));
