/*
 * ask.c: what a stored sketch says of one value, reading as little of it as possible
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/lsyscache.h"

#include "ask.h"
#include "live.h"
#include "value.h"

/* What a call site knows of a stored sketch. */
typedef struct StoredSketch
{
	bool		opened;
	pds_kind	kind;
	uint8		family;
	PdsView		view;			/* its head */
} StoredSketch;

/* What a call site keeps (PdsCallSite.known). */
typedef struct AskSite
{
	/*
	 * The head of the last sketch that was in memory, and what it means.  It is
	 * recognized by its bytes and the length of the payload, which are all that
	 * the meaning depends on: an address can be another sketch's by the next row.
	 */
	uint8_t		head[PDS_ASK_MAX_HEAD];
	size_t		len;
	PdsView		view;
	bool		unpackable;		/* it can be unpacked */

	PdsView		live;			/* of a live state, no more than its parameters */
	PdsStoredCache *cache;		/* made when there is something for it */
} AskSite;

static inline PdsStoredCache *
site_cache(FunctionCallInfo fcinfo, AskSite *site)
{
	if (site->cache == NULL)
		site->cache = pds_stored_cache(fcinfo->flinfo->fn_mcxt, sizeof(StoredSketch));
	return site->cache;
}

static bool
can_be_unpacked(const PdsQuestion *question, const void *view)
{
	PdsUnpackPlan plan;

	if (question->unpacking == NULL)
		return false;
	question->unpacking->plan(view, &plan);
	/* or else it takes as long to find what is kept as to answer */
	return plan.size > 0 && plan.ask_cost > 100;
}

static void
use_payload(FunctionCallInfo fcinfo, AskSite *site, const struct varlena *v, PdsAsked *asked)
{
	const uint8_t *payload = PDS_PAYLOAD(v);
	size_t		len = PDS_PAYLOAD_LEN(v);
	size_t		head = Min(len, asked->question->head_bytes);
	const char *why;

	if (unlikely(len != site->len || memcmp(payload, site->head, head) != 0))
	{
		site->len = 0;
		if (asked->question->type->ops->open(&site->view, payload, len, len, &why) != PDS_OK)
			pds_stored_corrupt(asked->question->type, why);
		site->len = len;
		memcpy(site->head, payload, head);
		site->unpackable = can_be_unpacked(asked->question, &site->view);
	}
	asked->payload = payload;
	asked->memory = !site->unpackable ? NULL :
		pds_stored_at(site_cache(fcinfo, site), payload, len);
	asked->view = &site->view;
	asked->kind = pds_header_kind(payload, len);
	asked->family = pds_value_family(v);
}

/* Read the head of a stored sketch.  False if it has none: an aggregate's state. */
static bool
open_stored(PdsAsked *asked, Datum value)
{
	StoredSketch *known = pds_stored_known(asked->stored);
	size_t		have;
	const uint8_t *head = pds_stored_get_head(asked->stored, value,
											  (int32) asked->question->head_bytes, &have);
	const char *why;

	if (head == NULL)
		return false;
	if (asked->question->type->ops->open(&known->view, head, have, asked->stored->len,
										 &why) != PDS_OK)
		pds_stored_corrupt(asked->question->type, why);
	known->kind = pds_header_kind(head, have);
	known->family = head[1] >> 4;
	known->opened = true;
	return true;
}

void
pds_ask_open(FunctionCallInfo fcinfo, int argno, const PdsQuestion *question, PdsAsked *asked)
{
	PdsCallSite *call = pds_call_site(fcinfo);
	Datum		value = PG_GETARG_DATUM(argno);
	const struct varlena *v = (const struct varlena *) DatumGetPointer(value);
	AskSite    *site;

	if (unlikely(call->known == NULL))
		call->known = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(AskSite));
	site = call->known;
	asked->question = question;
	asked->stored = NULL;
	asked->live = question->ask_state == NULL ? NULL : pds_live_state(question->type, v);
	if (asked->live != NULL)
	{
		question->view_state(asked->live, &site->live);
		asked->view = &site->live;
		asked->kind = pds_state_kind(asked->live);
		asked->family = pds_state_family(asked->live);
		return;
	}
	if (pds_is_stored(v))
	{
		StoredSketch *known;

		asked->stored = pds_stored_find(site_cache(fcinfo, site), v);
		known = pds_stored_known(asked->stored);
		if (known->opened || open_stored(asked, value))
		{
			asked->view = &known->view;
			asked->kind = known->kind;
			asked->family = known->family;
			return;
		}
		asked->stored = NULL;
	}
	use_payload(fcinfo, site, pds_sketch_get(question->type, value), asked);
}

static const uint8_t *
fetch_from_table(void *stored, size_t offset, size_t len)
{
	return pds_stored_read(stored, offset, len);
}

static const uint8_t *
fetch_from_memory(void *payload, size_t offset, size_t len)
{
	return (const uint8_t *) payload + offset;
}

/* Keep all of it, if there is space. */
static void
keep_payload(PdsStored *stored)
{
	uint8	   *payload = pds_stored_reserve(stored, stored->len, 0);

	if (payload == NULL)
		return;
	pds_stored_read_all(stored, payload);
	pds_stored_keep(stored);
}

/* Kept memory may be dropped while the value is hashed, so it is only looked up here. */
uint64
pds_ask(PdsAsked *asked, pds_hash hash, pds_kind kind)
{
	const PdsQuestion *question = asked->question;
	PdsStored  *stored = asked->stored;
	const uint8 *payload = asked->payload;
	const uint8 *form = NULL;
	uint8	   *memory = NULL;
	uint64_t	answer;
	pds_status	status;

	pds_require_kind(question->type, asked->kind, kind);
	if (asked->live != NULL)
		return question->ask_state(asked->live, hash);
	if (stored != NULL)
	{
		if (stored->kept == NULL && pds_stored_earned(stored))
			keep_payload(stored);
		payload = stored->kept;
		if (payload != NULL && question->unpacking != NULL)
			form = pds_unpacked(stored, question->unpacking, asked->view);
		else if (payload == NULL && !stored->sliceable)
		{
			/* compressed, and too large to be kept */
			memory = palloc(VARHDRSZ + stored->len);
			pds_stored_read_all(stored, memory + VARHDRSZ);
			payload = memory + VARHDRSZ;
		}
	}
	else if (asked->memory != NULL)
		form = pds_unpacked_in_memory(asked->memory, question->unpacking, asked->view, payload,
									  hash);
	if (form != NULL)
		return question->unpacking->ask(asked->view, form, hash);
	if (payload == NULL)
		status = question->ask(asked->view, hash, fetch_from_table, stored, &answer);
	else
		status = question->ask(asked->view, hash, fetch_from_memory, (void *) payload, &answer);
	if (status != PDS_OK)
		pds_stored_corrupt(question->type, NULL);
	if (memory != NULL)
		pfree(memory);
	return answer;
}

/* What it says of a value that is not hashed natively; 0 if it cannot hold such a one. */
static uint64
ask_foreign(PdsAsked *asked, PdsHasher *hasher, Datum value)
{
	pds_hash	hash;

	/* other systems' hashes are of no records, so the kind is known */
	pds_require_kind(asked->question->type, asked->kind, pds_hasher_kind(hasher));
	if (!asked->question->hash_value(asked->view, hasher, value, &hash))
		return 0;
	return pds_ask(asked, hash, pds_hasher_kind(hasher));
}

static inline bool
is_foreign(const PdsAsked *asked)
{
	return unlikely(asked->family != PDS_FAMILY_NATIVE && asked->question->hash_value != NULL);
}

uint64
pds_ask_args(FunctionCallInfo fcinfo, int sketch_argno, int value_argno,
			 const PdsQuestion *question, PdsAsked *asked)
{
	pds_kind	kind;
	pds_hash	hash;

	pds_ask_open(fcinfo, sketch_argno, question, asked);
	if (is_foreign(asked))
		return ask_foreign(asked, pds_arg_hasher(fcinfo, value_argno, asked->kind),
						   PG_GETARG_DATUM(value_argno));
	hash = pds_hash_arg(fcinfo, value_argno, asked->kind, &kind);
	return pds_ask(asked, hash, kind);
}

static uint64
ask_element(PdsAsked *asked, PdsHasher *hasher, Datum value)
{
	pds_hash	hash;

	if (is_foreign(asked))
		return ask_foreign(asked, hasher, value);
	hash = pds_hasher_hash(hasher, value);
	return pds_ask(asked, hash, pds_hasher_kind(hasher));
}

/* The sketch of argument 0 and the array of argument 1. */
static ArrayType *
open_array(FunctionCallInfo fcinfo, const PdsQuestion *question, PdsAsked *asked,
		   PdsHasher **hasher)
{
	ArrayType  *array;

	pds_ask_open(fcinfo, 0, question, asked);
	array = pds_array_arg(fcinfo, 1, asked->kind, hasher);
	/* whatever the elements are, so that a wrong type is found with the first row */
	pds_require_kind_of_elements(question->type, asked->kind, *hasher);
	return array;
}

Datum
pds_ask_elements(FunctionCallInfo fcinfo, const PdsQuestion *question)
{
	PdsAsked	asked;
	PdsHasher  *hasher;
	ArrayType  *array = open_array(fcinfo, question, &asked, &hasher);
	int			n = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	Datum	   *results = palloc(Max(n, 1) * sizeof(Datum));
	bool	   *nulls = palloc(Max(n, 1) * sizeof(bool));
	ArrayIterator it = array_create_iterator(array, 0, NULL);
	int16		typlen;
	bool		typbyval;
	char		typalign;
	Datum		value;

	for (int i = 0; i < n && array_iterate(it, &value, &nulls[i]); i++)
	{
		CHECK_FOR_INTERRUPTS();
		results[i] = nulls[i] ? (Datum) 0 :
			Int64GetDatum((int64) ask_element(&asked, hasher, value));
	}
	array_free_iterator(it);
	if (n == 0)
		PG_RETURN_ARRAYTYPE_P(construct_empty_array(INT8OID));
	get_typlenbyvalalign(INT8OID, &typlen, &typbyval, &typalign);
	PG_RETURN_ARRAYTYPE_P(construct_md_array(results, nulls, ARR_NDIM(array), ARR_DIMS(array),
											 ARR_LBOUND(array), INT8OID, typlen, typbyval,
												 typalign));
}

bool
pds_ask_any(FunctionCallInfo fcinfo, const PdsQuestion *question, bool sought)
{
	PdsAsked	asked;
	PdsHasher  *hasher;
	ArrayType  *array = open_array(fcinfo, question, &asked, &hasher);
	ArrayIterator it = array_create_iterator(array, 0, NULL);
	Datum		value;
	bool		isnull;
	bool		said = false;

	while (!said && array_iterate(it, &value, &isnull))
	{
		CHECK_FOR_INTERRUPTS();
		if (!isnull)
			said = (ask_element(&asked, hasher, value) != 0) == sought;
	}
	array_free_iterator(it);
	PG_FREE_IF_COPY(array, 1);
	return said;
}

void
pds_ask_head(FunctionCallInfo fcinfo, int argno, const PdsQuestion *question, void *view)
{
	const struct varlena *v = (const struct varlena *) PG_GETARG_POINTER(argno);
	const void *state = question->ask_state == NULL ? NULL : pds_live_state(question->type, v);

	if (state != NULL)
	{
		question->view_state(state, view);
		return;
	}
	pds_sketch_head_arg(fcinfo, argno, question->type, (int32) question->head_bytes, view);
}
