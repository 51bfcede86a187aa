/*
 * bloom_fuzz.c: whatever bytes pass pds_bloom_check() must be a filter in every way
 */
#include <math.h>

#include "bloom_filter.h"
#include "fuzz.h"
#include "pieces.h"
#include "stored.h"

#include "bloom_estimate.h"
#include "bloom_ops.h"

fuzz_count	fuzz_counts;

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
	MUST(pds_bloom_status_of(&s) <= PDS_BLOOM_OVER_CAPACITY);
}

/* Ask for some keys: the answer, where there is one, is that of the array. */
static void
fuzz_probes(const payload *in, const pds_bloom_view *v, const uint8_t *array, uint64_t seed)
{
	source		src = {in, NULL};

	for (int i = 0; i < 4; i++)
	{
		pds_hash	h = fuzz_hash(&seed);
		bool		found = false;
		pds_status	status = pds_bloom_view_contains(v, h, fetch_piece, &src, &found);

		MUST(status == PDS_OK || status == PDS_CORRUPT);
		if (array != NULL)
			MUST(status == PDS_OK && found == pds_bloom_array_contains(array, &v->shape, h));
	}
	free(src.piece);
}

/* A damaged table's filter: each reader must stay within bounds, and end. */
static void
fuzz_unchecked(const payload *in, const pds_bloom_view *v, uint64_t seed)
{
	filter		f = filter_undecided();

	fuzz_estimates(v);
	fuzz_probes(in, v, NULL, seed);
	(void) pds_bloom_same_probe(v, v, fuzz_hash(&seed));
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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* a piece of memory that ends where the bytes end */
	payload		in = payload_copy(data, size);
	const char *why = NULL;
	pds_status	status = pds_bloom_check(in.bytes, in.len, &why);
	uint64_t	seed = fuzz_seed(data, size);
	size_t		have = in.len < PDS_BLOOM_MAX_PREFIX ? in.len : PDS_BLOOM_MAX_PREFIX;
	payload		head = payload_copy(in.bytes, have);
	pds_bloom_view v;

	fuzz_counts.all++;
	fuzz_stored(&pds_bloom_ops, &in);
	if (status != PDS_OK)
	{
		fuzz_counts.refused++;
		MUST(status == PDS_CORRUPT && why != NULL);
		/* the head alone is as good, or as bad */
		MUST(pds_bloom_open(&v, head.bytes, have, in.len, NULL) ==
			 pds_bloom_open(&v, in.bytes, in.len, in.len, NULL));
		if (pds_bloom_open(&v, in.bytes, in.len, in.len, NULL) == PDS_OK)
		{
			fuzz_counts.opened++;
			fuzz_unchecked(&in, &v, seed);
		}
	}
	else
	{
		filter		same;
		payload		again;

		MUST(why == NULL);
		MUST(pds_bloom_open(&v, head.bytes, have, in.len, NULL) == PDS_OK);
		MUST(pds_bloom_open(&v, in.bytes, in.len, in.len, &why) == PDS_OK);
		MUST(pds_bloom_shape_valid(&v.shape));
		fuzz_counts.accepted[v.encoding]++;
		fuzz_estimates(&v);
		if (v.encoding == PDS_BLOOM_SPARSE)
			MUST(pds_bloom_same_probe(&v, &v, fuzz_hash(&seed)));

		/* written again it is the same */
		if (v.encoding != PDS_BLOOM_ARRAY || v.shape.bits <= MOST_BITS)
		{
			same = filter_of_payload(&in);
			again = filter_encode(&same);
			MUST(payload_equal(&in, &again));
			payload_free(&again);
			if (seed % 4 == 0 && v.shape.bits <= MOST_BITS)
			{
				filter		array = filter_of_bits(&v.shape);

				MUST(pds_bloom_view_or(&v, pds_bloom_build_array(array.b)) == PDS_OK);
				pds_state_set_kind(array.b, v.kind);
				fuzz_probes(&in, &v, pds_bloom_build_array(array.b), seed);
				again = filter_encode(&array);
				MUST(payload_equal(&in, &again));
				payload_free(&again);
				filter_free(&array);
			}
			else
				fuzz_probes(&in, &v, NULL, seed);
			if (seed % 4 == 1 && (v.shape.bits <= MOST_BITS || same.b->mode != PDS_BLOOM_BITS))
				fuzz_algebra(&in, &v, &same, seed / 4);
			filter_free(&same);
		}
	}
	payload_free(&head);
	payload_free(&in);
	return 0;
}
