/*
 * counting_bloom_answer_type.c: a counting filter as a Bloom filter, and what it tells of
 * its fill
 *
 * Its false-positive rate and how many distinct values it holds follow from which
 * counters are not zero, as they do of the Bloom filter that has these bits set.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "compat.h"
#include "decimal.h"
#include "bloom.h"
#include "bloom_estimate.h"
#include "counting_bloom_answer_type.h"
#include "counting_bloom_type.h"
#include "result_row.h"
#include "entry_points.h"
#include "state.h"

/* A bloom, as far as storing one goes. */
static const PdsSketchType plain_bloom = {.name = "bloom", .ops = &pds_bloom_ops};

/* The Bloom filter of a counting filter, as a value of the type bloom. */
static struct varlena *
bloom_of(const pds_counting_bloom_view *v)
{
	size_t		size = pds_bloom_bits_size(v->shape.bits);
	pds_bloom_build *b = palloc0(size);
	struct varlena *value;

	pds_bloom_build_init(b, size, &v->shape);
	pds_state_set_kind(b, v->kind);
	if (pds_counting_bloom_set_bits(v, pds_bloom_build_array(b)) != PDS_OK)
		pds_stored_corrupt(&pds_counting_bloom_type, NULL);
	value = pds_state_store(&plain_bloom, b);
	pfree(b);
	return value;
}

/* counting_bloom_to_bloom(counting_bloom), counting_bloom::bloom */
PDS_FUNCTION(probds_counting_bloom_to_bloom)
{
	pds_counting_bloom_view v;

	(void) pds_sketch_arg(fcinfo, 0, &pds_counting_bloom_type, &v);
	PG_RETURN_POINTER(bloom_of(&v));
}

/* What the bits tell, and how many counters are saturated. */
static uint64
summarize(const pds_counting_bloom_view *v, pds_bloom_summary *s)
{
	struct varlena *bloom = bloom_of(v);
	uint64_t	histogram[PDS_COUNTING_BLOOM_MAX + 1];
	pds_bloom_view view;

	if (pds_bloom_open(&view, PDS_PAYLOAD(bloom), PDS_PAYLOAD_LEN(bloom), PDS_PAYLOAD_LEN(bloom),
					   NULL) != PDS_OK ||
		pds_bloom_summarize(&view, s) != PDS_OK ||
		pds_counting_bloom_histogram(v, histogram) != PDS_OK)
		pds_stored_corrupt(&pds_counting_bloom_type, NULL);
	pfree(bloom);
	return histogram[PDS_COUNTING_BLOOM_MAX];
}

static void
summary_arg(FunctionCallInfo fcinfo, int argno, pds_bloom_summary *s)
{
	pds_counting_bloom_view v;
	struct varlena *value = pds_sketch_arg(fcinfo, argno, &pds_counting_bloom_type, &v);

	(void) summarize(&v, s);
	PG_FREE_IF_COPY(value, argno);
}

/* counting_bloom_cardinality(counting_bloom): different values, as bloom_cardinality() */
PDS_SUMMARY_FUNCTION(probds_counting_bloom_cardinality, pds_bloom_summary, summary_arg,
					 pds_count_datum(pds_bloom_cardinality(&s)));

/* counting_bloom_false_positive_rate(counting_bloom): as it is filled now */
PDS_SUMMARY_FUNCTION(probds_counting_bloom_false_positive_rate, pds_bloom_summary, summary_arg,
					 Float8GetDatum(pds_bloom_current_rate(&s)));

static const char *
layout_name(const pds_counting_bloom_view *v)
{
	return v->shape.family == PDS_BLOOM_BLOCKED ? "blocked" : "classic";
}

static const char *
status_name(const pds_bloom_summary *s)
{
	static const char *const names[] = {"ok", "nearly full", "over capacity"};

	return names[pds_bloom_status_of(s)];
}

void
pds_counting_bloom_health(const void *view, PdsHealth *h)
{
	const pds_counting_bloom_view *v = view;
	pds_bloom_summary s;
	uint64		saturated = summarize(v, &s);

	h->parameters = psprintf("%s for %llu at %g: %llu counters, %d hashes%s", layout_name(v),
							 (unsigned long long) v->shape.capacity,
							 pds_decimal_value(v->shape.rate), (unsigned long long) v->shape.bits,
							 v->shape.hashes, saturated == 0 ? "" :
							 psprintf(", %llu saturated", (unsigned long long) saturated));
	h->modifier = pds_capacity_modifier(v->shape.capacity, v->shape.rate);
	h->values = pds_bloom_cardinality(&s);
	h->capacity = (double) v->shape.capacity;
	h->fill = (double) s.set / (double) v->shape.bits;
	h->rate = pds_bloom_current_rate(&s);
	h->status = status_name(&s);
}

/*
 * counting_bloom_info(counting_bloom): layout, counters, hashes, capacity, items, fill,
 * saturated, false_positive_rate, promised_rate, kind, family, bytes, encoding, status
 */
PDS_FUNCTION(probds_counting_bloom_info)
{
	static const char *const encodings[] = {"empty", "coded", "array"};
	pds_counting_bloom_view v;
	pds_bloom_summary s;
	Datum		values[14];

	(void) pds_sketch_arg(fcinfo, 0, &pds_counting_bloom_type, &v);
	values[6] = Int64GetDatum((int64) summarize(&v, &s));
	values[0] = CStringGetTextDatum(layout_name(&v));
	values[1] = Int64GetDatum((int64) v.shape.bits);
	values[2] = Int32GetDatum(v.shape.hashes);
	values[3] = Int64GetDatum((int64) v.shape.capacity);
	values[4] = pds_count_datum(pds_bloom_cardinality(&s));
	values[5] = Float8GetDatum(pds_for_people((double) s.set / (double) v.shape.bits));
	values[7] = Float8GetDatum(pds_for_people(pds_bloom_current_rate(&s)));
	values[8] = Float8GetDatum(pds_decimal_value(v.shape.rate));
	values[9] = CStringGetTextDatum(pds_kind_full_name(v.kind));
	values[10] = CStringGetTextDatum("native");
	values[11] = Int32GetDatum((int32) v.len);
	values[12] = CStringGetTextDatum(encodings[v.encoding]);
	values[13] = CStringGetTextDatum(status_name(&s));
	return pds_info_row(fcinfo, values, NULL);
}
