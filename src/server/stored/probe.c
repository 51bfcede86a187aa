/*
 * probe.c: what a stored sketch says of one value, reading as little of it as possible
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/lsyscache.h"

#include "expanded.h"
#include "probe.h"
#include "call_argument.h"

static inline pds_view_head *
head_of(void *view)
{
	return view;
}

static inline PdsStoredCache *
site_cache(FunctionCallInfo fcinfo, PdsProbeSite *site)
{
	if (site->cache == NULL)
		site->cache = pds_stored_cache(fcinfo->flinfo->fn_mcxt, sizeof(PdsStoredSketch));
	return site->cache;
}

static inline pds_kind
kind_of(const PdsProbed *probed)
{
	return head_of(probed->view)->kind;
}

/* ---------- opening ---------- */

/* Read the head of a payload of len bytes.  Returns whether the sketch can be unpacked. */
static bool
open_view(const PdsProbe *probe, void *view, const uint8_t *payload, size_t have, size_t len)
{
	PdsUnpackPlan plan;
	const char *why;

	if (probe->type->ops->open(view, payload, have, len, &why) != PDS_OK)
		pds_stored_corrupt(probe->type, why);
	if (probe->unpacking == NULL)
		return false;
	probe->unpacking->plan(view, &plan);
	/* or else it takes as long to find what is kept as to answer */
	return plan.size > 0 && plan.probe_cost > 100;
}

static void
open_payload(FunctionCallInfo fcinfo, PdsProbeSite *site, const struct varlena *v,
			 PdsProbed *probed)
{
	const uint8_t *payload = PDS_PAYLOAD(v);
	size_t		len = PDS_PAYLOAD_LEN(v);
	size_t		head = Min(len, probed->probe->head_bytes);

	if (unlikely(len != head_of(&site->view)->len || memcmp(payload, site->head, head) != 0))
	{
		head_of(&site->view)->len = SIZE_MAX;	/* of no sketch, if this is corrupt */
		site->unpackable = open_view(probed->probe, &site->view, payload, len, len);
		memcpy(site->head, payload, head);
	}
	head_of(&site->view)->payload = payload;
	probed->view = &site->view;
	if (site->unpackable)
		probed->memory = pds_stored_at(site_cache(fcinfo, site), payload, len);
}

/* Read the head of a stored sketch.  False if it has none: an aggregate's state. */
static bool
open_stored(const PdsProbe *probe, PdsStored *stored, Datum value)
{
	PdsStoredSketch *known = pds_stored_known(stored);
	size_t		have;
	const uint8_t *head = pds_stored_get_head(stored, value, (int32) probe->head_bytes, &have);

	if (head == NULL)
		return false;
	known->unpackable = open_view(probe, &known->view, head, have, stored->len);
	known->opened = true;
	return true;
}

/* The sketch of argument argno, not NULL. */
static void
open_sketch(FunctionCallInfo fcinfo, int argno, const PdsProbe *probe, PdsProbed *probed)
{
	PdsCallSite *call = pds_call_site(fcinfo);
	Datum		value = PG_GETARG_DATUM(argno);
	const struct varlena *v = (const struct varlena *) DatumGetPointer(value);
	PdsProbeSite *site;

	if (unlikely(call->known == NULL))
	{
		call->known = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(PdsProbeSite));
		head_of(call->known)->len = SIZE_MAX;
	}
	site = call->known;
	probed->probe = probe;
	probed->stored = probed->memory = NULL;
	probed->live = probe->probe_state == NULL ? NULL : pds_live_state(probe->type, v);
	if (probed->live != NULL)
	{
		probe->view_state(probed->live, &site->live);
		probed->view = &site->live;
		return;
	}
	if (pds_is_stored(v))
	{
		PdsStored  *stored = pds_stored_find(site_cache(fcinfo, site), v);
		PdsStoredSketch *known = pds_stored_known(stored);

		if (known->opened || open_stored(probe, stored, value))
		{
			probed->stored = stored;
			probed->view = &known->view;
			return;
		}
	}
	open_payload(fcinfo, site, pds_sketch_get(probe->type, value), probed);
}

/* ---------- unpacking ---------- */

/*
 * Counts a probe of the payload of a view.  If it was one too many, keeps the unpacked form and
 * behind it copied bytes of the payload, as long as there is space.  What it costs to look for
 * space each time is little beside the probe.
 */
static const uint8 *
count_probe(PdsStored *stored, const PdsProbe *probe, const void *view, Size copied)
{
	PdsUnpackPlan plan;
	uint8	   *form;

	probe->unpacking->plan(view, &plan);
	stored->spent += plan.probe_cost;
	if (stored->spent < plan.unpack_cost)
		return NULL;
	form = pds_stored_reserve(stored, plan.size + copied, 0);
	if (form == NULL)
		return NULL;
	memset(form, 0, plan.size);
	if (probe->unpacking->unpack(view, form) != PDS_OK)
		pds_stored_corrupt(probe->type, NULL);
	memcpy(form + plan.size, ((const pds_view_head *) view)->payload, copied);
	pds_stored_keep(stored);
	stored->unpacked = plan.size;
	return form;
}

/*
 * The unpacked form of a sketch in memory, or NULL; counts the probe.  An address does not tell a
 * sketch: a constant stays at its address, but the next row of a column may put another sketch
 * there.  So the address only says where to count what was spent.  A form is kept with the
 * payload that it was made of.  It answers for a sketch in which the probe would have read the
 * same bytes.
 */
static const uint8 *
unpacked_in_memory(PdsStored *memory, const PdsProbe *probe, const void *view, pds_hash hash)
{
	if (memory->kept != NULL &&
		probe->unpacking->same(view, memory->kept + memory->unpacked, hash))
		return memory->kept;
	return count_probe(memory, probe, view, memory->len);
}

/* ---------- probing ---------- */

static const uint8_t *
fetch_from_table(void *stored, size_t offset, size_t len)
{
	return pds_stored_read(stored, offset, len);
}

/* Keep all of it, if there is space. */
static void
keep_payload(PdsStored *stored, const PdsProbe *probe, const void *view)
{
	uint8	   *payload = pds_stored_reserve(stored, stored->len,
											 probe->align_at == NULL ? 0 : probe->align_at(view));

	if (payload == NULL)
		return;
	pds_stored_read_all(stored, payload);
	pds_stored_keep(stored);
}

/* Of a payload, in memory or in a table. */
static uint64
probe_payload(const PdsProbe *probe, void *view, pds_hash hash, pds_fetch fetch, void *context)
{
	uint64_t	answer;

	if (probe->probe(view, hash, fetch, context, &answer) != PDS_OK)
		pds_stored_corrupt(probe->type, NULL);
	return answer;
}

static uint64
probe_stored(PdsStored *stored, const PdsProbe *probe, pds_hash hash)
{
	PdsStoredSketch *known = pds_stored_known(stored);
	pds_view_head *head = head_of(&known->view);
	uint8	   *memory;
	uint64		answer;

	if (stored->kept == NULL && pds_stored_earned(stored))
		keep_payload(stored, probe, &known->view);
	if (stored->kept != NULL)
	{
		const uint8 *form = stored->unpacked > 0 ? stored->kept : NULL;

		head->payload = stored->kept;
		if (form == NULL && known->unpackable)
			form = count_probe(stored, probe, &known->view, 0);
		return form != NULL ? probe->unpacking->probe(&known->view, form, hash) :
			probe_payload(probe, &known->view, hash, pds_in_memory, &known->view);
	}
	if (stored->sliceable)
		return probe_payload(probe, &known->view, hash, fetch_from_table, stored);
	/* compressed, and too large to be kept */
	memory = palloc(VARHDRSZ + stored->len);
	head->payload = memory + VARHDRSZ;
	pds_stored_read_all(stored, memory + VARHDRSZ);
	answer = probe_payload(probe, &known->view, hash, pds_in_memory, &known->view);
	pfree(memory);
	return answer;
}

/*
 * Returns the sketch's answer for the value with this hash, of this kind.  Raises 22000 for
 * another kind.  Kept memory may be dropped while the value is hashed: it is only looked up here.
 */
static uint64
probe_hash(PdsProbed *probed, pds_hash hash, pds_kind kind)
{
	const PdsProbe *probe = probed->probe;

	pds_require_kind(probe->type, kind_of(probed), kind);
	if (probed->live != NULL)
		return probe->probe_state(probed->live, hash);
	if (probed->stored != NULL)
		return probe_stored(probed->stored, probe, hash);
	if (probed->memory != NULL)
	{
		const uint8 *form = unpacked_in_memory(probed->memory, probe, probed->view, hash);

		if (form != NULL)
			return probe->unpacking->probe(probed->view, form, hash);
	}
	return probe_payload(probe, probed->view, hash, pds_in_memory, probed->view);
}

/* The answer for a value in a sketch of a foreign family; 0 if it cannot hold such values. */
static uint64
probe_foreign(PdsProbed *probed, PdsHasher *hasher, Datum value)
{
	pds_hash	hash;

	/* other systems' hashes are of no records, so the kind is known */
	pds_require_kind(probed->probe->type, kind_of(probed), pds_hasher_kind(hasher));
	if (!probed->probe->hash_value(probed->view, hasher, value, &hash))
		return 0;
	return probe_hash(probed, hash, pds_hasher_kind(hasher));
}

static inline bool
is_foreign(const PdsProbed *probed)
{
	return unlikely(probed->probe->hash_value != NULL &&
					head_of(probed->view)->family >= probed->probe->foreign_from);
}

uint64
pds_probe_args(FunctionCallInfo fcinfo, int sketch_argno, int value_argno,
			   const PdsProbe *probe, PdsProbed *probed)
{
	pds_kind	kind;
	pds_hash	hash;

	open_sketch(fcinfo, sketch_argno, probe, probed);
	if (is_foreign(probed))
		return probe_foreign(probed, pds_arg_hasher(fcinfo, value_argno, kind_of(probed)),
							 PG_GETARG_DATUM(value_argno));
	hash = pds_hash_arg(fcinfo, value_argno, kind_of(probed), &kind);
	return probe_hash(probed, hash, kind);
}

static uint64
probe_element(PdsProbed *probed, PdsHasher *hasher, Datum value)
{
	pds_hash	hash;

	if (is_foreign(probed))
		return probe_foreign(probed, hasher, value);
	hash = pds_hasher_hash(hasher, value);
	return probe_hash(probed, hash, pds_hasher_kind(hasher));
}

/* The sketch of argument 0 and the array of argument 1. */
static ArrayType *
open_array(FunctionCallInfo fcinfo, const PdsProbe *probe, PdsProbed *probed,
		   PdsHasher **hasher)
{
	ArrayType  *array;

	open_sketch(fcinfo, 0, probe, probed);
	array = pds_array_arg(fcinfo, 1, kind_of(probed), hasher);
	/* whatever the elements are, so that a wrong type is found with the first row */
	pds_require_kind_of_elements(probe->type, kind_of(probed), *hasher);
	return array;
}

Datum
pds_probe_elements(FunctionCallInfo fcinfo, const PdsProbe *probe)
{
	PdsProbed	probed;
	PdsHasher  *hasher;
	ArrayType  *array = open_array(fcinfo, probe, &probed, &hasher);
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
			Int64GetDatum((int64) probe_element(&probed, hasher, value));
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
pds_probe_any(FunctionCallInfo fcinfo, const PdsProbe *probe, bool sought)
{
	PdsProbed	probed;
	PdsHasher  *hasher;
	ArrayType  *array = open_array(fcinfo, probe, &probed, &hasher);
	ArrayIterator it = array_create_iterator(array, 0, NULL);
	Datum		value;
	bool		isnull;
	bool		said = false;

	while (!said && array_iterate(it, &value, &isnull))
	{
		CHECK_FOR_INTERRUPTS();
		if (!isnull)
			said = (probe_element(&probed, hasher, value) != 0) == sought;
	}
	array_free_iterator(it);
	PG_FREE_IF_COPY(array, 1);
	return said;
}

void
pds_probe_head(FunctionCallInfo fcinfo, int argno, const PdsProbe *probe, void *view)
{
	const struct varlena *v = (const struct varlena *) PG_GETARG_POINTER(argno);
	const void *state = probe->probe_state == NULL ? NULL : pds_live_state(probe->type, v);

	if (state != NULL)
	{
		probe->view_state(state, view);
		return;
	}
	pds_sketch_head_arg(fcinfo, argno, probe->type, (int32) probe->head_bytes, view);
}
