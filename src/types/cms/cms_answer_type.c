/*
 * cms_answer_type.c: how often this value occurred, and what else a cms answers
 *
 * A sketch comes to a question in one of three ways.  It may be in memory: a
 * constant, a variable, the result of another function, or a stored one that is
 * kept (server/detoast_cache.h).  Or it lies in a table, and the bytes that are
 * needed are fetched.  Or it is the live state of a window aggregate
 * (server/live.h).
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "decimal.h"
#include "cms_type.h"
#include "answer.h"
#include "detoast_cache.h"
#include "live.h"
#include "value.h"

/* ---------- sketches to be asked ---------- */

/* What a call site knows of a stored sketch. */
typedef struct StoredSketch
{
	bool		opened;
	pds_cms_view view;			/* its head; of the payload too, if that is kept */
} StoredSketch;

/* What a call site keeps (PdsCallSite.known). */
typedef struct AnswerSite
{
	/*
	 * The head of the last sketch that was in memory, and what it means.  It is
	 * recognized by its bytes and the length of the payload, which are all that
	 * the meaning depends on: an address can be another sketch's by the next row.
	 */
	uint8_t		head[PDS_CMS_MAX_PREFIX];
	pds_cms_view view;

	pds_cms_view live;			/* of a live state, no more than its parameters */
	PdsStoredCache *cache;		/* made when the first stored sketch comes */
} AnswerSite;

/* A sketch to be asked. */
typedef struct Sketch
{
	pds_cms_view *view;
	PdsStored  *stored;			/* where it is, or NULL: view->payload */
	const pds_cms_build *live;	/* the state that it is, or NULL */
} Sketch;

static void
use_payload(AnswerSite *site, const struct varlena *v, Sketch *sketch)
{
	const uint8_t *payload = PDS_PAYLOAD(v);
	size_t		len = PDS_PAYLOAD_LEN(v);

	if (unlikely(len != site->view.len || memcmp(payload, site->head, site->view.data_at) != 0))
	{
		pds_cms_view view;

		pds_sketch_open(&pds_cms_type, v, &view);
		site->view = view;
		memcpy(site->head, payload, view.data_at);
	}
	site->view.payload = payload;
	sketch->view = &site->view;
}

/* The parameters of a live state as those of a view. */
static void
view_live(const pds_cms_build *b, pds_cms_view *v)
{
	v->kind = pds_state_kind(b);
	v->shape = b->shape;
	v->total = b->total;
}

/* Read the head of a stored sketch.  False if it has none: an aggregate's state. */
static bool
open_stored(PdsStored *stored, Datum value)
{
	StoredSketch *known = pds_stored_known(stored);
	size_t		have;
	const uint8_t *head = pds_stored_get_head(stored, value, PDS_CMS_MAX_PREFIX, &have);
	const char *why;

	if (head == NULL)
		return false;
	if (pds_cms_open(&known->view, head, have, stored->len, &why) != PDS_OK)
		pds_stored_corrupt(&pds_cms_type, why);
	known->opened = true;
	return true;
}

/* The sketch of argument argno, not NULL. */
static void
open_sketch(FunctionCallInfo fcinfo, int argno, Sketch *sketch)
{
	PdsCallSite *call = pds_call_site(fcinfo);
	Datum		value = PG_GETARG_DATUM(argno);
	const struct varlena *v = (const struct varlena *) DatumGetPointer(value);
	AnswerSite *site;

	if (unlikely(call->known == NULL))
		call->known = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(AnswerSite));
	site = call->known;
	sketch->stored = NULL;
	sketch->live = pds_live_state(&pds_cms_type, v);
	if (sketch->live != NULL)
	{
		view_live(sketch->live, &site->live);
		sketch->view = &site->live;
		return;
	}
	if (pds_is_stored(v))
	{
		if (site->cache == NULL)
			site->cache = pds_stored_cache(fcinfo->flinfo->fn_mcxt, sizeof(StoredSketch));
		sketch->stored = pds_stored_find(site->cache, v);
		sketch->view = &((StoredSketch *) pds_stored_known(sketch->stored))->view;
		if (((StoredSketch *) pds_stored_known(sketch->stored))->opened ||
			open_stored(sketch->stored, value))
			return;
		sketch->stored = NULL;
	}
	use_payload(site, pds_sketch_get(&pds_cms_type, value), sketch);
}

static const uint8_t *
fetch_from_table(void *stored, size_t offset, size_t len)
{
	return pds_stored_read(stored, offset, len);
}

/* Keep all of it, if there is space. */
static void
keep_payload(PdsStored *stored, pds_cms_view *v)
{
	uint8	   *payload = pds_stored_reserve(stored, stored->len, 0);

	if (payload == NULL)
		return;
	pds_stored_read_all(stored, payload);
	pds_stored_keep(stored);
	v->payload = payload;
}

/*
 * The frequency of a value of this kind.  What is kept may have gone while the
 * value was hashed, so that only here it is asked for.
 */
static uint64
frequency_of(const Sketch *sketch, pds_hash hash, pds_kind kind)
{
	pds_cms_view *v = sketch->view;
	PdsStored  *stored = sketch->stored;
	uint8	   *memory = NULL;
	uint64_t	frequency;
	pds_status	status;

	pds_require_kind(&pds_cms_type, v->kind, kind);
	if (sketch->live != NULL)
		return pds_cms_build_frequency(sketch->live, hash);
	if (stored != NULL && stored->kept == NULL)
	{
		if (pds_stored_earned(stored))
			keep_payload(stored, v);
		if (stored->kept == NULL && !stored->sliceable)
		{
			/* compressed, and too large to be kept */
			memory = palloc(VARHDRSZ + stored->len);
			pds_stored_read_all(stored, memory + VARHDRSZ);
			v->payload = memory + VARHDRSZ;
		}
	}
	if (stored != NULL && stored->kept == NULL && memory == NULL)
		status = pds_cms_frequency(v, hash, fetch_from_table, stored, &frequency);
	else
		status = pds_cms_frequency(v, hash, pds_cms_in_memory, v, &frequency);
	if (status != PDS_OK)
		pds_stored_corrupt(&pds_cms_type, NULL);
	if (memory != NULL)
		pfree(memory);
	return frequency;
}

/* ---------- frequencies ---------- */

static uint64
frequency_arg(FunctionCallInfo fcinfo, Sketch *sketch)
{
	pds_kind	kind;
	pds_hash	hash;

	open_sketch(fcinfo, 0, sketch);
	hash = pds_hash_arg(fcinfo, 1, sketch->view->kind, &kind);
	return frequency_of(sketch, hash, kind);
}

/* cms_frequency(cms, "any"), cms -> "any" */
PG_FUNCTION_INFO_V1(probds_cms_frequency);
Datum
probds_cms_frequency(PG_FUNCTION_ARGS)
{
	Sketch		sketch;

	PG_RETURN_INT64((int64) frequency_arg(fcinfo, &sketch));
}

/* cms_bounds(cms, "any"): (lower, estimate, upper) */
PG_FUNCTION_INFO_V1(probds_cms_bounds);
Datum
probds_cms_bounds(PG_FUNCTION_ARGS)
{
	Sketch		sketch;
	uint64		f = frequency_arg(fcinfo, &sketch);
	uint64		lower = pds_cms_lower_bound(&sketch.view->shape, sketch.view->total, f);

	return pds_bounds_row_exact((int64) lower, (int64) f, (int64) f);
}

/* cms_frequencies(cms, anyarray): of each element, NULL of a NULL */
PG_FUNCTION_INFO_V1(probds_cms_frequencies);
Datum
probds_cms_frequencies(PG_FUNCTION_ARGS)
{
	ArrayType  *array;
	PdsHasher  *hasher;
	int			n;
	Datum	   *results;
	bool	   *nulls;
	int16		typlen;
	bool		typbyval;
	char		typalign;
	ArrayIterator it;
	Sketch		sketch;
	Datum		value;

	open_sketch(fcinfo, 0, &sketch);
	array = pds_array_arg(fcinfo, 1, sketch.view->kind, &hasher);
	n = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	results = palloc(Max(n, 1) * sizeof(Datum));
	nulls = palloc(Max(n, 1) * sizeof(bool));
	/* whatever the elements are, so that a wrong type is found with the first row */
	pds_require_kind_of_elements(&pds_cms_type, sketch.view->kind, hasher);
	it = array_create_iterator(array, 0, NULL);
	for (int i = 0; i < n && array_iterate(it, &value, &nulls[i]); i++)
	{
		CHECK_FOR_INTERRUPTS();
		results[i] = (Datum) 0;
		if (!nulls[i])
		{
			pds_hash	hash = pds_hasher_hash(hasher, value);

			results[i] = Int64GetDatum((int64) frequency_of(&sketch, hash, pds_hasher_kind(hasher)));
		}
	}
	array_free_iterator(it);
	if (n == 0)
		PG_RETURN_ARRAYTYPE_P(construct_empty_array(INT8OID));
	get_typlenbyvalalign(INT8OID, &typlen, &typbyval, &typalign);
	PG_RETURN_ARRAYTYPE_P(construct_md_array(results, nulls, ARR_NDIM(array), ARR_DIMS(array),
											 ARR_LBOUND(array), INT8OID, typlen, typbyval, typalign));
}

/* ---------- answers of the whole ---------- */

/* The head of argument argno, reading no more of it. */
static void
head_arg(FunctionCallInfo fcinfo, int argno, pds_cms_view *v)
{
	const pds_cms_build *b = pds_live_state(&pds_cms_type, (struct varlena *) PG_GETARG_POINTER(argno));
	struct varlena *head;
	const char *why;

	if (b != NULL)
	{
		view_live(b, v);
		return;
	}
	head = pds_sketch_get_head(&pds_cms_type, PG_GETARG_DATUM(argno), PDS_CMS_MAX_PREFIX);
	if (pds_cms_open(v, PDS_PAYLOAD(head), PDS_PAYLOAD_LEN(head), PDS_CMS_ANY_LENGTH, &why) != PDS_OK)
		pds_stored_corrupt(&pds_cms_type, why);
	PG_FREE_IF_COPY(head, argno);
}

/* cms_total(cms): the sum of all weights */
PG_FUNCTION_INFO_V1(probds_cms_total);
Datum
probds_cms_total(PG_FUNCTION_ARGS)
{
	pds_cms_view v;

	head_arg(fcinfo, 0, &v);
	PG_RETURN_INT64((int64) v.total);
}

/* cms_error(cms): the most that an estimate is expected to be over */
PG_FUNCTION_INFO_V1(probds_cms_error);
Datum
probds_cms_error(PG_FUNCTION_ARGS)
{
	pds_cms_view v;

	head_arg(fcinfo, 0, &v);
	PG_RETURN_INT64((int64) pds_cms_error(&v.shape, v.total));
}

/* cms_inner_product(cms, cms): the size of their join, as numeric: it may be up to 2^126 */
PG_FUNCTION_INFO_V1(probds_cms_inner_product);
Datum
probds_cms_inner_product(PG_FUNCTION_ARGS)
{
	struct varlena *a = pds_sketch_get(&pds_cms_type, PG_GETARG_DATUM(0));
	struct varlena *b = pds_sketch_get(&pds_cms_type, PG_GETARG_DATUM(1));
	pds_cms_view va;
	pds_cms_view vb;
	pds_cms_wide product;
	char		digits[40];

	pds_sketch_open(&pds_cms_type, a, &va);
	pds_sketch_open(&pds_cms_type, b, &vb);
	if (va.shape.conservative || vb.shape.conservative)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot take the inner product of a conservative cms"),
				 errdetail("It could be lower than the true one."),
				 errhint("Build both by cms_agg.")));
	pds_cms_require_same_shape(&va.shape, &vb.shape);
	(void) pds_require_mergeable(&pds_cms_type, va.kind, va.family, vb.kind, vb.family);
	if (pds_cms_inner_product(&va, &vb, &product) != PDS_OK)
		pds_stored_corrupt(&pds_cms_type, NULL);
	return DirectFunctionCall3(numeric_in, CStringGetDatum(pds_cms_wide_text(product, digits)),
							   ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}

/*
 * cms_info(cms): epsilon, delta, width, depth, conservative, encoding,
 * counter_bytes, kind, family, bytes, total, fill, error
 */
PG_FUNCTION_INFO_V1(probds_cms_info);
Datum
probds_cms_info(PG_FUNCTION_ARGS)
{
	struct varlena *value = pds_sketch_get(&pds_cms_type, PG_GETARG_DATUM(0));
	pds_cms_view v;
	uint32_t	nonzero;
	TupleDesc	desc;
	Datum		values[13];
	bool		nulls[13] = {false};
	int			n = 0;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	pds_sketch_open(&pds_cms_type, value, &v);
	if (pds_cms_count_nonzero(&v, &nonzero) != PDS_OK)
		pds_stored_corrupt(&pds_cms_type, NULL);

	values[n++] = Float8GetDatum(pds_decimal_value(v.shape.epsilon));
	values[n++] = Float8GetDatum(pds_decimal_value(v.shape.delta));
	values[n++] = Int32GetDatum((int32) v.shape.width);
	values[n++] = Int32GetDatum(v.shape.depth);
	values[n++] = BoolGetDatum(v.shape.conservative != 0);
	values[n++] = CStringGetTextDatum(v.encoding == PDS_CMS_EMPTY ? "empty" :
									  v.encoding == PDS_CMS_SPARSE ? "sparse" : "dense");
	nulls[n] = v.bytes == 0;
	values[n++] = Int32GetDatum(v.bytes);
	values[n++] = CStringGetTextDatum(pds_kind_full_name(v.kind));
	values[n++] = CStringGetTextDatum("native");
	values[n++] = Int32GetDatum((int32) v.len);
	values[n++] = Int64GetDatum((int64) v.total);
	values[n++] = Float8GetDatum(pds_for_people((double) nonzero / pds_cms_counters(&v.shape)));
	values[n++] = Int64GetDatum((int64) pds_cms_error(&v.shape, v.total));
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls));
}
