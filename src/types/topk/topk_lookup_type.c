/*
 * topk_lookup_type.c: how often did this value occur, by a topk sketch
 *
 * To find one value is to go through the items of the sketch, after all of it has
 * been read.  So a call site that meets the same sketch again makes an index of it
 * (topk_index.c) and keeps that (server/detoast_cache.h).  One in a table is known by its
 * TOAST pointer.  One in memory is known by its bytes, since an address can be another
 * sketch's by the next row: they are kept behind the index, and compared.
 */
#include "postgres.h"

#include "answer.h"
#include "compat.h"
#include "detoast_cache.h"
#include "value.h"
#include "topk_type.h"

/* With fewer items an index is no faster. */
#define FEW_ITEMS	8

/*
 * What a call site (PdsCallSite.known is its cache) knows of a sketch.  PdsStored.spent
 * is how often items have been gone through since there was last an index.
 */
typedef struct KnownSketch
{
	bool		opened;			/* in a table: view is known */
	pds_topk_view view;			/* in a table: its head; in memory: that of what is kept */
	uint8_t		head[PDS_TOPK_MAX_PREFIX];	/* in memory: of the last one without an index */
} KnownSketch;

/* What was found. */
typedef struct Answer
{
	uint64		upper;			/* 0 if the value is not in the sketch */
	uint64		error;
	uint64		offset;			/* the sketch's */
} Answer;

/* Go through the items. */
static void
scan(const pds_topk_view *v, uint64 hash, Answer *answer)
{
	pds_topk_item item;
	bool		found;

	if (pds_topk_lookup(v, hash, &found, &item) != PDS_OK)
		pds_stored_corrupt(&pds_topk_type, NULL);
	answer->upper = found ? item.upper : 0;
	answer->error = found ? item.error : 0;
}

/* Ask what is kept. */
static void
ask(const PdsStored *stored, uint64 hash, Answer *answer)
{
	const pds_topk_slot *slot = pds_topk_index_lookup((pds_topk_index *) stored->kept, hash);

	answer->upper = slot != NULL ? slot->upper : 0;
	answer->error = slot != NULL ? slot->error : 0;
}

/* Keep an index, and so many bytes of the payload behind it.  False if there is no space. */
static bool
keep_index(PdsStored *stored, const pds_topk_view *v, size_t payload_len)
{
	size_t		index_len = pds_topk_index_bytes(v);
	uint8	   *index = pds_stored_reserve(stored, index_len + payload_len, 0);

	if (index == NULL)
		return false;
	if (pds_topk_index_make(v, (pds_topk_index *) index) != PDS_OK)
		pds_stored_corrupt(&pds_topk_type, NULL);
	memcpy(index + index_len, v->payload, payload_len);
	pds_stored_keep(stored);
	return true;
}

/* The hash of argument 1, which must be of the kind that the sketch holds. */
static uint64
hash_arg(FunctionCallInfo fcinfo, const pds_topk_view *v)
{
	pds_kind	kind;
	pds_hash	hash = pds_hash_arg(fcinfo, 1, v->kind, &kind);

	pds_require_kind(&pds_topk_type, v->kind, kind);
	return hash.h1;
}

/* All of the sketch of argument 0, which lies in a table, and its head. */
static struct varlena *
read_stored(FunctionCallInfo fcinfo, KnownSketch *known)
{
	struct varlena *value = pds_sketch_get(&pds_topk_type, PG_GETARG_DATUM(0));

	pds_sketch_open(&pds_topk_type, value, &known->view);
	known->opened = true;
	return value;
}

static void
lookup_stored(FunctionCallInfo fcinfo, PdsStored *stored, Answer *answer)
{
	KnownSketch *known = pds_stored_known(stored);
	struct varlena *value = NULL;
	uint64		hash;

	if (!known->opened)
		value = read_stored(fcinfo, known);
	hash = hash_arg(fcinfo, &known->view);
	answer->offset = known->view.offset;
	/* only now, as what is kept can have gone while the value was hashed */
	if (stored->kept == NULL)
	{
		if (value == NULL)
			value = read_stored(fcinfo, known);
		if (stored->spent == 0 || !keep_index(stored, &known->view, 0))
		{
			scan(&known->view, hash, answer);
			stored->spent++;
		}
	}
	if (stored->kept != NULL)
		ask(stored, hash, answer);
	if (value != NULL)
		pfree(value);
}

/* In a sketch in memory. */
static void
lookup_here(FunctionCallInfo fcinfo, PdsStoredCache *cache, Answer *answer)
{
	struct varlena *value;
	pds_topk_view v;
	uint64		hash;

	value = pds_sketch_arg(fcinfo, 0, &pds_topk_type, &v);
	hash = hash_arg(fcinfo, &v);
	answer->offset = v.offset;
	if (v.items <= FEW_ITEMS)
		scan(&v, hash, answer);
	else
	{
		/* a place for each length */
		PdsStored  *stored = pds_stored_at(cache, NULL, v.len);
		KnownSketch *known = pds_stored_known(stored);

		if (stored->kept != NULL &&
			memcmp(stored->kept + pds_topk_index_bytes(&known->view), v.payload, v.len) == 0)
			ask(stored, hash, answer);
		else if (stored->spent > 0 && memcmp(known->head, v.payload, v.data_at) == 0 &&
				 keep_index(stored, &v, v.len))
		{
			known->view = v;
			ask(stored, hash, answer);
		}
		else
		{
			memcpy(known->head, v.payload, v.data_at);
			scan(&v, hash, answer);
			stored->spent++;
		}
	}
	PG_FREE_IF_COPY(value, 0);
}

/*
 * Look for argument 1 in the sketch of argument 0.  Errors: 22000 if the kinds
 * differ.
 */
static void
lookup_args(FunctionCallInfo fcinfo, Answer *answer)
{
	PdsCallSite *call = pds_call_site(fcinfo);
	const struct varlena *v = (const struct varlena *) PG_GETARG_POINTER(0);

	if (unlikely(call->known == NULL))
		call->known = pds_stored_cache(fcinfo->flinfo->fn_mcxt, sizeof(KnownSketch));
	if (pds_is_stored(v))
		lookup_stored(fcinfo, pds_stored_find(call->known, v), answer);
	else
		lookup_here(fcinfo, call->known, answer);
}

/* topk_frequency(topk, "any"): an upper bound, 0 if the value is not in the sketch */
PDS_FUNCTION(probds_topk_frequency)
{
	Answer		answer;

	lookup_args(fcinfo, &answer);
	PG_RETURN_INT64((int64) answer.upper);
}

/* topk_bounds(topk, "any"): (lower, estimate, upper) */
PDS_FUNCTION(probds_topk_bounds)
{
	Answer		a;

	lookup_args(fcinfo, &a);
	if (a.upper == 0)
		return pds_bounds_row_exact(0, 0, (int64) a.offset);
	return pds_bounds_row_exact((int64) (a.upper - a.error), (int64) a.upper, (int64) a.upper);
}
