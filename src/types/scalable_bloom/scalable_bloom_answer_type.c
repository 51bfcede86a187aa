/*
 * scalable_bloom_answer_type.c: what the fill of a scalable_bloom tells, and chains from
 * RedisBloom and for it
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "result_row.h"
#include "bloom_estimate.h"
#include "bloom_family.h"
#include "compat.h"
#include "decimal.h"
#include "import.h"
#include "scalable_bloom_estimate.h"
#include "scalable_bloom_foreign.h"
#include "scalable_bloom_layers.h"
#include "scalable_bloom_type.h"
#include "state.h"

static void
summary_arg(FunctionCallInfo fcinfo, int argno, pds_scalable_bloom_summary *s)
{
	pds_scalable_bloom_view v;
	struct varlena *value = pds_sketch_arg(fcinfo, argno, &pds_scalable_bloom_type, &v);

	if (pds_scalable_bloom_summarize(&v, s) != PDS_OK)
		pds_stored_corrupt(&pds_scalable_bloom_type, NULL);
	PG_FREE_IF_COPY(value, argno);
}

/* scalable_bloom_cardinality(scalable_bloom) */
PDS_SUMMARY_FUNCTION(probds_scalable_bloom_cardinality, pds_scalable_bloom_summary, summary_arg,
					 pds_count_datum(s.keys));

/* scalable_bloom_false_positive_rate(scalable_bloom): of all layers, as they are filled now */
PDS_SUMMARY_FUNCTION(probds_scalable_bloom_false_positive_rate, pds_scalable_bloom_summary,
					 summary_arg, Float8GetDatum(s.current_rate));

/*
 * scalable_bloom_info(scalable_bloom): a row for each layer: layer, capacity, items, fill,
 * false_positive_rate, layer_rate, bits, hashes, bytes, encoding, status; and of the whole
 * sketch: promised_rate, expansion, kind, family.  Of an empty sketch one row, of the layer that
 * is going to be the first.
 */
PDS_FUNCTION(probds_scalable_bloom_info)
{
	static const char *const encodings[] = {"empty", "sparse", "array"};
	Tuplestorestate *rows = pds_begin_rows(fcinfo);
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	pds_scalable_bloom_view v;

	(void) pds_sketch_arg(fcinfo, 0, &pds_scalable_bloom_type, &v);
	for (uint32 i = 0; i < Max(v.layers, 1); i++)
	{
		pds_bloom_view layer;
		pds_bloom_summary s;
		Datum		values[15];
		bool		nulls[15] = {false};
		int			n = 0;
		bool		full;

		if (pds_scalable_bloom_summarize_layer(&v, i, &layer, &s) != PDS_OK)
			pds_stored_corrupt(&pds_scalable_bloom_type, NULL);
		full = s.set >= pds_scalable_bloom_full_bits(&layer.shape);

		values[n++] = Int32GetDatum((int32) i + 1);
		values[n++] = Int64GetDatum((int64) layer.shape.capacity);
		values[n++] = pds_count_datum(pds_bloom_cardinality(&s));
		values[n++] = Float8GetDatum(pds_for_people((double) s.set / (double) layer.shape.bits));
		values[n++] = Float8GetDatum(pds_for_people(pds_bloom_current_rate(&s)));
		nulls[n] = layer.shape.rate == 0;
		values[n++] = Float8GetDatum(pds_scalable_bloom_rate_of(&layer.shape));
		values[n++] = Int64GetDatum((int64) layer.shape.bits);
		values[n++] = Int32GetDatum(layer.shape.hashes);
		values[n++] = Int32GetDatum((int32) layer.len);
		values[n++] = CStringGetTextDatum(encodings[layer.encoding]);
		values[n++] = CStringGetTextDatum(full ? "full" : "ok");
		values[n++] = Float8GetDatum(pds_decimal_value(v.parameters.rate));
		values[n++] = Int32GetDatum((int32) v.parameters.expansion);
		values[n++] = CStringGetTextDatum(pds_kind_full_name(v.kind));
		values[n++] = CStringGetTextDatum(bloom_family_name(v.parameters.family));
		tuplestore_putvalues(rows, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/*
 * scalable_bloom_size(capacity, false_positive_rate, expansion): a row for each layer: layer,
 * capacity of the layers up to this one, layer_rate, bits, hashes, bytes of these layers,
 * bits_per_value.  The last is the last that fits into a value.
 */
PDS_FUNCTION(probds_scalable_bloom_size)
{
	Tuplestorestate *rows = pds_begin_rows(fcinfo);
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	double		asked[PDS_MAX_PARAMETERS];
	pds_scalable_bloom_parameters p;
	pds_bloom_shape layer;
	uint8		head[PDS_BLOOM_MAX_PREFIX];
	double		bytes = PDS_SCALABLE_BLOOM_MAX_PREFIX;
	double		capacity = 0;
	double		rates = 0;

	pds_parameter_args(fcinfo, 0, "scalable_bloom", pds_scalable_bloom_type.parameters, asked);
	pds_require_shape(&pds_scalable_bloom_type, asked, &p);
	(void) pds_scalable_bloom_first_shape(&p, &layer);
	for (int i = 1; i <= PDS_SCALABLE_BLOOM_MAX_LAYERS; i++)
	{
		bool		nulls[7] = {false};
		Datum		values[7];

		bytes += 4 + (double) layer.bits / 8 +
			(double) pds_bloom_write_head(&layer, PDS_BLOOM_ARRAY, PDS_KIND_NUMBER, head);
		if (bytes > MaxAllocSize)
			break;
		capacity += (double) layer.capacity;
		values[0] = Int32GetDatum(i);
		values[1] = Int64GetDatum((int64) capacity);
		values[2] = Float8GetDatum(pds_scalable_bloom_rate_of(&layer));
		values[3] = Int64GetDatum((int64) layer.bits);
		values[4] = Int32GetDatum(layer.hashes);
		values[5] = Int64GetDatum((int64) bytes);
		values[6] = Float8GetDatum(pds_for_people(bytes * 8 / capacity));
		tuplestore_putvalues(rows, result->setDesc, values, nulls);
		rates += pds_scalable_bloom_rate_of(&layer);
		pds_scalable_bloom_next_shape(&p, &layer, rates, &layer);
	}
	return (Datum) 0;
}

/* ---------- RedisBloom ---------- */

#define REDIS_SYSTEM	"RedisBloom"

static Datum
from_redis(FunctionCallInfo fcinfo, bytea *bytes, pds_kind kind, Oid type)
{
	pds_scalable_bloom_chain chain;
	pds_scalable_bloom_build *b;
	size_t		size;

	pds_require_held(pds_bloom_family_holds(PDS_BLOOM_REDIS, kind), type, REDIS_SYSTEM " filter",
					 "RedisBloom hashes strings: text or bytea.");
	PDS_READ_FOREIGN(pds_scalable_bloom_redis_open(&chain, PDS_PAYLOAD(bytes),
												   PDS_PAYLOAD_LEN(bytes), &why),
					 REDIS_SYSTEM " filter", bytes);
	size = pds_scalable_bloom_import_size(&chain);
	if (size > MaxAllocSize)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%s filter of %zu bytes is too large to be imported", REDIS_SYSTEM,
						PDS_PAYLOAD_LEN(bytes))));
	b = pds_state_alloc(size);
	pds_scalable_bloom_import(b, &chain, kind);
	PG_RETURN_POINTER(pds_state_store(&pds_scalable_bloom_type, b));
}

/* scalable_bloom_from_redis(bytea, regtype) */
PDS_IMPORT_FUNCTION(probds_scalable_bloom_from_redis, from_redis);

/* scalable_bloom_to_redis(scalable_bloom) */
PDS_FUNCTION(probds_scalable_bloom_to_redis)
{
	pds_scalable_bloom_view v;
	bytea	   *result;
	size_t		size;

	(void) pds_sketch_arg(fcinfo, 0, &pds_scalable_bloom_type, &v);
	if (v.parameters.family != PDS_BLOOM_REDIS)
		bloom_refuse_export("scalable_bloom", v.parameters.family, REDIS_SYSTEM);
	if (pds_scalable_bloom_redis_size(&v, &size) != PDS_OK)
		pds_stored_corrupt(&pds_scalable_bloom_type, NULL);
	if (size > MaxAllocSize - VARHDRSZ)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("scalable_bloom is too large for the format of the other system"),
				 errdetail("It would be larger than a value can be.")));
	result = palloc(VARHDRSZ + size);
	SET_VARSIZE(result, VARHDRSZ + size);
	if (pds_scalable_bloom_redis_write(&v, (uint8 *) VARDATA(result)) != PDS_OK)
		pds_stored_corrupt(&pds_scalable_bloom_type, NULL);
	PG_RETURN_BYTEA_P(result);
}
