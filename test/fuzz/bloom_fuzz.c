/*
 * bloom_fuzz.c: whatever bytes pass pds_bloom_check() must be a filter in every way
 */
#include <math.h>

#include "bloom_filter.h"
#include "driver.h"

#include "bloom_estimate.h"
#include "bloom.h"

/* Arrays of larger filters (of which few bytes may tell) are not made here. */
#define MOST_BITS	(UINT64_C(1) << 18)

/* All numbers that may be asked of a filter. */
static void
fuzz_estimates(const pds_bloom_view *v)
{
	pds_bloom_summary s;
	double		n;
	double		rate;
	double		model;

	if (pds_bloom_summarize(v, &s) != PDS_OK)
		return;
	n = pds_bloom_cardinality(&s);
	rate = pds_bloom_current_rate(&s);
	model = pds_bloom_model_rate(&s.shape, (double) s.shape.capacity);
	MUST(isfinite(n) && n >= 0);
	MUST(isfinite(pds_bloom_cardinality_error(&s)));
	MUST(rate >= 0 && rate <= 1 + 1e-12);
	MUST(model >= 0 && model <= 1);
	MUST(pds_bloom_status_of(&s) != NULL);
}

/* Probe some keys: an answer must be the same as from the array. */
static void
fuzz_probes(const payload *in, const pds_bloom_view *v, const uint8_t *array, uint64_t seed)
{
	source		src = {in, NULL};

	for (int i = 0; i < 4; i++)
	{
		pds_hash	h = fuzz_hash(&seed);
		uint64_t	found = 0;
		pds_status	status = pds_bloom_view_contains(v, h, fetch_piece, &src, &found);

		MUST(status == PDS_OK || status == PDS_CORRUPT);
		if (array != NULL)
			MUST(status == PDS_OK && found == pds_bloom_array_contains(array, &v->shape, h));
	}
	free(src.piece);
}

/* A damaged table's filter: each reader must stay within bounds, and end. */
static void
fuzz_unchecked(const payload *in, const void *view, uint64_t seed)
{
	const pds_bloom_view *v = view;
	filter		f = filter_undecided();

	fuzz_estimates(v);
	fuzz_probes(in, v, NULL, seed);
	(void) pds_bloom_same_probe(v, v->payload, fuzz_hash(&seed));
	if (v->shape.bits <= MOST_BITS)
	{
		(void) filter_merge_view(&f, v);
		filter_free(&f);
		f = seed & 1 ? filter_of_bits(&v->shape) : filter_new(&v->shape);
		for (int i = 0; i < 20; i++)
			filter_add(&f, fuzz_hash(&seed));
		if (f.b->mode == PDS_BLOOM_HASHES)
			filter_as(&f, PDS_BLOOM_POSITIONS);
		(void) pds_bloom_intersect_view(f.b, v);
	}
	filter_free(&f);
}

/* Is every bit of a in b? */
static bool
within(const payload *a, const payload *b)
{
	pds_bloom_view v = payload_view(a);
	pds_bloom_view w = payload_view(b);
	size_t		bytes = (size_t) (v.shape.bits / 8);
	uint8_t    *one = sketch_memory(bytes);
	uint8_t    *two = sketch_memory(bytes);
	bool		is = true;

	memset(one, 0, bytes);
	memset(two, 0, bytes);
	MUST(pds_bloom_view_or(&v, one) == PDS_OK);
	MUST(pds_bloom_view_or(&w, two) == PDS_OK);
	for (size_t i = 0; i < bytes; i++)
		is = is && (one[i] & ~two[i]) == 0;
	free(one);
	free(two);
	return is;
}

/* Another filter of the same shape, with some keys. */
static filter
fuzz_other(const pds_bloom_view *v, uint64_t seed)
{
	filter		f = filter_new(&v->shape);
	uint64_t	n = v->shape.bits / v->shape.hashes / (seed >> 60 & 1 ? 1 : 16) + 2;

	if (v->kind != PDS_KIND_NONE)
		pds_state_set_kind(f.b, v->kind);
	n = seed % (n < 150 ? n : 150);
	for (uint64_t i = 0; i < n; i++)
		filter_add(&f, fuzz_hash(&seed));
	return f;
}

/* Union and intersection with another filter: what they must have, by sets of bits. */
static void
fuzz_algebra(const payload *in, const pds_bloom_view *v, const filter *same, uint64_t seed)
{
	filter		other = fuzz_other(v, seed);
	payload		stored = filter_encode(&other);
	filter		common = filter_of_payload(&stored);
	pds_bloom_view w = payload_view(&stored);
	payload		all;
	payload		both;
	payload		again;

	filter_merge_payload(&other, in);
	all = filter_encode(&other);
	MUST(pds_bloom_check(all.bytes, all.len, NULL) == PDS_OK);
	MUST(pds_bloom_intersect_view(common.b, v) == PDS_OK);
	both = filter_encode(&common);
	MUST(pds_bloom_check(both.bytes, both.len, NULL) == PDS_OK);
	if (v->shape.bits <= MOST_BITS)
	{
		MUST(within(in, &all) && within(&stored, &all));
		MUST(within(&both, in) && within(&both, &stored));
	}

	/* what is there already changes nothing, whichever way it comes */
	filter_merge(&other, same);
	filter_merge_payload(&other, &both);
	filter_merge_payload(&other, &stored);
	again = filter_encode(&other);
	MUST(payload_equal(&all, &again));
	payload_free(&again);
	/* nor does what was common, whoever is asked */
	filter_free(&common);
	common = filter_of_payload(in);
	MUST(pds_bloom_intersect_view(common.b, &w) == PDS_OK);
	again = filter_encode(&common);
	MUST(payload_equal(&both, &again));

	payload_free(&again);
	payload_free(&both);
	payload_free(&all);
	payload_free(&stored);
	filter_free(&common);
	filter_free(&other);
}

static payload
stored_another(const void *view, uint64_t seed)
{
	filter		other = fuzz_other(view, seed);
	payload		stored = filter_encode(&other);

	filter_free(&other);
	return stored;
}

static bool
is_too_large(const void *view)
{
	return ((const pds_bloom_view *) view)->shape.bits > MOST_BITS;
}

static void
fuzz_good(const payload *in, const void *view, uint64_t seed)
{
	const pds_bloom_view *v = view;
	filter		same;

	MUST(pds_bloom_shape_valid(&v->shape));
	fuzz_estimates(v);
	if (v->encoding == PDS_BLOOM_SPARSE)
		MUST(pds_bloom_same_probe(v, v->payload, fuzz_hash(&seed)));
	if (v->encoding == PDS_BLOOM_ARRAY && is_too_large(v))
		return;
	same = filter_of_payload(in);
	if (seed % 4 == 0 && !is_too_large(v))
	{
		/* its bits as an array, and written again */
		filter		array = filter_of_bits(&v->shape);
		payload		again;

		MUST(pds_bloom_view_or(v, pds_bloom_build_array(array.b)) == PDS_OK);
		pds_state_set_kind(array.b, v->kind);
		fuzz_probes(in, v, pds_bloom_build_array(array.b), seed);
		again = filter_encode(&array);
		MUST(payload_equal(in, &again));
		payload_free(&again);
		filter_free(&array);
	}
	else
		fuzz_probes(in, v, NULL, seed);
	if (seed % 4 == 1 && (!is_too_large(v) || same.b->mode != PDS_BLOOM_BITS))
		fuzz_algebra(in, v, &same, seed / 4);
	filter_free(&same);
}

FUZZ_TARGET(.ops = &pds_bloom_ops, .added = PDS_KIND_NUMBER, .prefix = PDS_BLOOM_MAX_PREFIX,
			.too_large = is_too_large, .another = stored_another, .sets = true,
			.good = fuzz_good, .unchecked = fuzz_unchecked)
