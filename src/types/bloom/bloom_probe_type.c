/*
 * bloom_probe_type.c: is this value in the filter?
 *
 * A filter comes to a probe in one of three ways.  All its bits may be an array
 * in memory: of a constant, a variable, the result of another function, or of a
 * stored filter that is kept (server/detoast_cache.h).  Then a probe is a hash and
 * one cache miss.  It may be in memory as a sparse filter: then a segment of it
 * is decoded, until that has been done so often that an array pays
 * (server/unpack.h).  Or it lies in a table, and the bytes that are needed are fetched.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/array.h"

#include "bloom_probe_type.h"
#include "bloom_type.h"
#include "compat.h"
#include "detoast_cache.h"
#include "unpack.h"
#include "value.h"

/* What a call site knows of a stored filter (or of one in memory, see below). */
typedef struct StoredFilter
{
	bool		opened;
	pds_bloom_view view;		/* its head */
} StoredFilter;

/* What a call site keeps (PdsCallSite.known). */
typedef struct ProbeSite
{
	/*
	 * The head of the last filter that was in memory, and what it means.  It is
	 * recognized by its bytes and the length of the payload, which are all that
	 * the meaning depends on: an address can be another filter's by the next row.
	 */
	uint8_t		head[PDS_BLOOM_MAX_PREFIX];
	pds_bloom_view view;

	PdsStoredCache *cache;		/* made when there is something for it */
} ProbeSite;

/* A filter to be probed. */
typedef struct Filter
{
	const pds_bloom_view *view;
	const uint8_t *array;		/* all bits, if they are in memory as such */
	PdsStored  *stored;			/* where else they are, or NULL: view->payload */
} Filter;

/* ---------- filters in memory ---------- */

/*
 * pds_bloom_array_contains() stops at the first bit that is not set.  In a block all bits come
 * with one cache miss, and the place to stop cannot be predicted.  The processor would know it
 * only when the miss is over, and would have done nothing of the next row by then.  So all bits
 * are tested.
 */
static inline bool
array_contains(const uint8_t *array, const pds_bloom_shape *s, pds_hash hash)
{
	const uint8_t *block;
	uint64_t	range;
	uint64_t	x = hash.h2;
	unsigned	all = 1;

	if (unlikely(s->family != PDS_BLOOM_BLOCKED))
		return pds_bloom_array_contains(array, s, hash);
	block = array + pds_bloom_block_of(hash.h1, s->bits) / 8;
	range = pds_bloom_block_bits(s->bits);
	for (int i = s->hashes; i > 0; i--)
	{
		uint64_t	bit = ((x >> 32) * range) >> 32;

		all &= (unsigned) block[bit / 8] >> bit % 8;
		x *= PDS_BLOOM_REMIX;
	}
	return all & 1;
}

/* ---------- sparse filters ---------- */

static void
plan_unpacking(const pds_bloom_view *v, PdsUnpackPlan *plan)
{
	double		segment = (double) v->count / (double) v->list.segments;

	plan->size = v->shape.bits / 8;
	/* page faults included */
	plan->unpack_cost = 1000 + (double) plan->size * 0.3 + (double) v->count * 10;
	plan->ask_cost = (v->shape.family == PDS_BLOOM_BLOCKED ? 1 : 2) * (100 + 6 * segment);
}

static bool
same_probe(const pds_bloom_view *v, const uint8_t *other, pds_hash hash)
{
	pds_bloom_view o = *v;

	o.payload = other;
	return memcmp(v->payload, other, v->data_at) == 0 && pds_bloom_same_probe(v, &o, hash);
}

static bool
bits_contain(const pds_bloom_view *v, const uint8_t *array, pds_hash hash)
{
	return array_contains(array, &v->shape, hash);
}

PDS_UNPACKING(to_array, bloom, plan_unpacking, pds_bloom_view_or, same_probe, bits_contain);

/* ---------- payloads in memory ---------- */

static inline bool
same_bytes(const uint8_t *a, const uint8_t *b, size_t len)
{
	/* heads mostly are so long, and to call memcmp takes as long as to probe */
	if (likely(len >= 8 && len <= 16))
		return pds_load_le64(a) == pds_load_le64(b) &&
			pds_load_le64(a + len - 8) == pds_load_le64(b + len - 8);
	return memcmp(a, b, len) == 0;
}

static pg_noinline void
open_payload(ProbeSite *site, const uint8_t *payload, size_t len)
{
	pds_bloom_view v;
	const char *why;

	if (pds_bloom_open(&v, payload, len, len, &why) != PDS_OK)
		pds_stored_corrupt(&pds_bloom_type, why);
	site->view = v;
	memcpy(site->head, payload, v.data_at);
}

static inline void
use_payload(ProbeSite *site, const struct varlena *v, Filter *filter)
{
	const uint8_t *payload = PDS_PAYLOAD(v);
	pds_bloom_view *view = &site->view;

	if (unlikely(PDS_PAYLOAD_LEN(v) != view->len ||
				 !same_bytes(payload, site->head, view->data_at)))
		open_payload(site, payload, PDS_PAYLOAD_LEN(v));
	view->payload = payload;
	filter->view = view;
	filter->stored = NULL;
	filter->array = view->encoding == PDS_BLOOM_ARRAY ? payload + view->data_at : NULL;
}

static const uint8_t *
fetch_from_payload(void *view, size_t offset, size_t len)
{
	return ((const pds_bloom_view *) view)->payload + offset;
}

bool
pds_bloom_payload_contains(const pds_bloom_view *v, pds_hash hash)
{
	bool		found;

	if (pds_bloom_view_contains(v, hash, fetch_from_payload, (void *) v, &found) != PDS_OK)
		pds_stored_corrupt(&pds_bloom_type, NULL);
	return found;
}

/* ---------- filters in tables ---------- */

/* Read the head of a stored filter.  False if it has none: an aggregate's state. */
static bool
open_stored(PdsStored *stored, Datum value)
{
	StoredFilter *known = pds_stored_known(stored);
	size_t		have;
	const uint8_t *head = pds_stored_get_head(stored, value, PDS_BLOOM_MAX_PREFIX, &have);
	const char *why;

	if (head == NULL)
		return false;
	if (pds_bloom_open(&known->view, head, have, stored->len, &why) != PDS_OK)
		pds_stored_corrupt(&pds_bloom_type, why);
	known->opened = true;
	return true;
}

/* Keep all of it, if there is space. */
static void
keep_payload(PdsStored *stored)
{
	StoredFilter *known = pds_stored_known(stored);
	bool		is_array = known->view.encoding == PDS_BLOOM_ARRAY;
	uint8	   *payload = pds_stored_reserve(stored, stored->len,
											 is_array ? known->view.data_at : 0);

	if (payload == NULL)
		return;
	pds_stored_read_all(stored, payload);
	pds_stored_keep(stored);
	known->view.payload = payload;
}

static const uint8_t *
fetch_from_table(void *stored, size_t offset, size_t len)
{
	return pds_stored_read(stored, offset, len);
}

static bool
stored_contains(PdsStored *stored, pds_hash hash)
{
	StoredFilter *known = pds_stored_known(stored);
	bool		found;

	if (stored->kept == NULL && pds_stored_earned(stored))
		keep_payload(stored);
	if (stored->kept != NULL)
	{
		const uint8_t *array = known->view.encoding == PDS_BLOOM_ARRAY ?
			stored->kept + known->view.data_at : pds_unpacked(stored, &to_array, &known->view);

		if (likely(array != NULL))
			return array_contains(array, &known->view.shape, hash);
		return pds_bloom_payload_contains(&known->view, hash);
	}
	if (stored->sliceable)
	{
		if (pds_bloom_view_contains(&known->view, hash, fetch_from_table, stored, &found) != PDS_OK)
			pds_stored_corrupt(&pds_bloom_type, NULL);
	}
	else
	{
		/* compressed, and too large to be kept */
		pds_bloom_view v = known->view;
		uint8	   *memory = palloc(VARHDRSZ + stored->len);

		pds_stored_read_all(stored, memory + VARHDRSZ);
		v.payload = memory + VARHDRSZ;
		found = pds_bloom_payload_contains(&v, hash);
		pfree(memory);
	}
	return found;
}

/* ---------- sparse filters in memory ---------- */

static inline PdsStoredCache *
site_cache(FunctionCallInfo fcinfo, ProbeSite *site)
{
	if (site->cache == NULL)
		site->cache = pds_stored_cache(fcinfo->flinfo->fn_mcxt, sizeof(StoredFilter));
	return site->cache;
}

static pg_noinline bool
sparse_contains(FunctionCallInfo fcinfo, const pds_bloom_view *v, pds_hash hash)
{
	ProbeSite  *site = pds_call_site(fcinfo)->known;
	PdsStored  *stored = pds_stored_at(site_cache(fcinfo, site), v->payload, v->len);
	const uint8_t *array = pds_unpacked_in_memory(stored, &to_array, v, v->payload, hash);

	if (array != NULL)
		return array_contains(array, &v->shape, hash);
	return pds_bloom_payload_contains(v, hash);
}

/* ---------- probing ---------- */

static pg_noinline void
open_slowly(FunctionCallInfo fcinfo, ProbeSite *site, Datum value, Filter *filter)
{
	const struct varlena *v = (const struct varlena *) DatumGetPointer(value);

	if (pds_is_stored(v))
	{
		PdsStored  *stored;
		StoredFilter *known;

		stored = pds_stored_find(site_cache(fcinfo, site), v);
		known = pds_stored_known(stored);
		if (likely(known->opened || open_stored(stored, value)))
		{
			filter->view = &known->view;
			filter->array = NULL;
			filter->stored = stored;
			return;
		}
	}
	use_payload(site, pds_sketch_get(&pds_bloom_type, value), filter);
}

/* The filter of argument argno, not NULL. */
static inline void
open_filter(FunctionCallInfo fcinfo, int argno, Filter *filter)
{
	PdsCallSite *call = fcinfo->flinfo->fn_extra;
	Datum		value = PG_GETARG_DATUM(argno);
	const struct varlena *v = (const struct varlena *) DatumGetPointer(value);

	if (unlikely(call == NULL || call->known == NULL))
	{
		ProbeSite  *site = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(ProbeSite));

		site->view.len = SIZE_MAX;	/* of no filter */
		call = pds_call_site(fcinfo);
		call->known = site;
	}
	if (likely(!VARATT_IS_EXTERNAL(v) && !VARATT_IS_COMPRESSED(v) && !pds_is_building(v)))
		use_payload(call->known, v, filter);
	else
		open_slowly(fcinfo, call->known, value, filter);
}

static inline bool
filter_contains(FunctionCallInfo fcinfo, const Filter *filter, pds_hash hash)
{
	if (likely(filter->array != NULL))
		return array_contains(filter->array, &filter->view->shape, hash);
	/* what is kept may have gone while the value was hashed: ask now */
	if (filter->stored != NULL)
		return stored_contains(filter->stored, hash);
	if (filter->view->encoding == PDS_BLOOM_EMPTY)
		return false;
	return sparse_contains(fcinfo, filter->view, hash);
}

/* Of a filter that hashes as another system does. */
static pg_noinline Datum
contains_foreign(FunctionCallInfo fcinfo, const Filter *filter, int value_argno)
{
	PdsHasher  *hasher = pds_arg_hasher(fcinfo, value_argno, filter->view->kind);
	pds_hash	hash;

	/* other systems' hashes are of no records, so the kind is known */
	pds_require_kind(&pds_bloom_type, filter->view->kind, pds_hasher_kind(hasher));
	PG_RETURN_BOOL(bloom_foreign_hash(filter->view->shape.family, hasher,
									  PG_GETARG_DATUM(value_argno), &hash) &&
				   filter_contains(fcinfo, filter, hash));
}

static inline Datum
contains(FunctionCallInfo fcinfo, int filter_argno, int value_argno)
{
	Filter		filter;
	pds_kind	kind;
	pds_hash	hash;

	open_filter(fcinfo, filter_argno, &filter);
	if (unlikely(!pds_bloom_hashes_natively(filter.view->shape.family)))
		return contains_foreign(fcinfo, &filter, value_argno);
	hash = pds_hash_arg(fcinfo, value_argno, filter.view->kind, &kind);
	pds_require_kind(&pds_bloom_type, filter.view->kind, kind);
	PG_RETURN_BOOL(filter_contains(fcinfo, &filter, hash));
}

/* bloom_contains(bloom, "any"), bloom @> "any" */
PDS_FUNCTION(probds_bloom_contains)
{
	return contains(fcinfo, 0, 1);
}

/* bloom_contained("any", bloom), "any" <@ bloom */
PDS_FUNCTION(probds_bloom_contained)
{
	return contains(fcinfo, 1, 0);
}

/*
 * Does the filter of argument 0 say "sought" of any element of the array of
 * argument 1?  NULL elements are none: bloom_add_all() adds nothing for them.
 */
static bool
says_of_any(FunctionCallInfo fcinfo, bool sought)
{
	ArrayType  *array;
	PdsHasher  *hasher;
	Filter		filter;
	ArrayIterator it;
	Datum		value;
	bool		isnull;
	bool		said = false;

	open_filter(fcinfo, 0, &filter);
	array = pds_array_arg(fcinfo, 1, filter.view->kind, &hasher);
	/* whatever the elements are, so that a wrong type is found with the first row */
	pds_require_kind_of_elements(&pds_bloom_type, filter.view->kind, hasher);
	it = array_create_iterator(array, 0, NULL);
	while (!said && array_iterate(it, &value, &isnull))
	{
		pds_hash	hash;

		CHECK_FOR_INTERRUPTS();
		if (isnull)
			continue;
		said = (bloom_hash_value(filter.view->shape.family, hasher, value, &hash) &&
				filter_contains(fcinfo, &filter, hash)) == sought;
		pds_require_kind(&pds_bloom_type, filter.view->kind, pds_hasher_kind(hasher));
	}
	array_free_iterator(it);
	PG_FREE_IF_COPY(array, 1);
	return said;
}

/* bloom_contains_any(bloom, anyarray) */
PDS_FUNCTION(probds_bloom_contains_any)
{
	PG_RETURN_BOOL(says_of_any(fcinfo, true));
}

/* bloom_contains_all(bloom, anyarray) */
PDS_FUNCTION(probds_bloom_contains_all)
{
	PG_RETURN_BOOL(!says_of_any(fcinfo, false));
}
