/*
 * counting_bloom_fuzz.c: whatever bytes pass pds_counting_bloom_check() must be a filter in
 * every way
 */
#include "counting_bloom_filter.h"
#include "driver.h"

#include "counting_bloom.h"

/* Arrays of larger filters (of which few bytes may tell) are not made here. */
#define MOST_COUNTERS	(UINT64_C(1) << 20)

/* Ask for some values, in pieces and in memory. */
static void
fuzz_answers(const payload *in, const pds_counting_bloom_view *v, bool checked, uint64_t seed)
{
	source		src = {in, NULL};
	pds_counting_bloom_view whole = *v;

	for (int i = 0; i < 4; i++)
	{
		pds_hash	h = fuzz_hash(&seed);
		uint64_t	a = 0;
		uint64_t	b = 0;
		pds_status	status = pds_counting_bloom_view_count(v, h, fetch_piece, &src, &a);

		MUST(status == pds_counting_bloom_view_count(&whole, h, pds_in_memory,
													 &whole, &b) && a == b);
		MUST(status == PDS_OK || (status == PDS_CORRUPT && !checked));
		MUST(status != PDS_OK || a <= PDS_COUNTING_BLOOM_MAX);
		if (v->encoding == PDS_COUNTING_BLOOM_CODED)
			MUST(pds_counting_bloom_same_lookup(&whole, in->bytes, h) || !checked);
	}
	free(src.piece);
}

/* All counters at once say what each says alone. */
static void
fuzz_unpacked(const pds_counting_bloom_view *v, bool checked, uint64_t seed)
{
	uint8_t    *counters = sketch_memory((size_t) (v->shape.bits / 2));
	pds_counting_bloom_view whole = *v;

	memset(counters, 0, (size_t) (v->shape.bits / 2));
	if (pds_counting_bloom_unpack(v, counters) == PDS_OK && checked)
		for (int i = 0; i < 4; i++)
		{
			pds_hash	h = fuzz_hash(&seed);

			MUST(pds_counting_bloom_array_count(counters, &v->shape, h) == view_count(&whole, h));
		}
	else
		MUST(!checked);
	free(counters);
}

/* A damaged table's filter: each reader must stay within bounds, and end. */
static void
fuzz_unchecked(const payload *in, const void *view, uint64_t seed)
{
	const pds_counting_bloom_view *v = view;
	uint64_t	histogram[PDS_COUNTING_BLOOM_MAX + 1];

	fuzz_answers(in, v, false, seed);
	(void) pds_counting_bloom_histogram(v, histogram);
	if (v->shape.bits <= MOST_COUNTERS)
	{
		filter		f = (seed & 1) != 0 ? filter_new(&v->shape) : filter_new_exact(&v->shape);
		uint8_t    *bits = sketch_memory((size_t) (v->shape.bits / 8));

		memset(bits, 0, (size_t) (v->shape.bits / 8));
		(void) pds_counting_bloom_set_bits(v, bits);
		free(bits);
		fuzz_unpacked(v, false, seed);
		for (uint64_t i = 0; i < seed % 40; i++)
			filter_add(&f, fuzz_hash(&seed));
		if (filter_merge_view(&f, v) == PDS_OK &&
			pds_counting_bloom_subtract(f.b, v) != PDS_CORRUPT)
		{
			payload		out = filter_encode(&f);

			MUST(pds_counting_bloom_check(out.bytes, out.len, NULL) == PDS_OK);
			payload_free(&out);
		}
		filter_free(&f);
	}
}

/* What was added can be taken out again, one by one and as a filter. */
static void
fuzz_algebra(filter *same, const payload *in, const pds_counting_bloom_view *v, uint64_t seed)
{
	uint64_t	values = seed;
	uint64_t	histogram[PDS_COUNTING_BLOOM_MAX + 1];
	filter		other = filter_new(&v->shape);
	payload		added;
	payload		after;
	pds_counting_bloom_view w;

	MUST(pds_counting_bloom_histogram(v, histogram) == PDS_OK);
	for (int i = 0; i < 3; i++)
		filter_add(&other, fuzz_hash(&values));
	pds_state_set_kind(other.b, v->kind);
	added = filter_encode(&other);
	w = payload_view(&added);
	MUST(filter_merge_view(same, &w) == PDS_OK);
	values = seed;
	for (int i = 0; i < 3; i++)
		MUST(pds_counting_bloom_build_count(same->b, fuzz_hash(&values)) > 0);
	if ((seed & 1) != 0)
	{
		values = seed;
		for (int i = 0; i < 3; i++)
			MUST(pds_counting_bloom_remove(same->b, fuzz_hash(&values)) == PDS_OK);
	}
	else
		MUST(pds_counting_bloom_subtract(same->b, &w) == PDS_OK);
	after = filter_encode(same);
	/* unless three more saturate a counter */
	if (histogram[12] + histogram[13] + histogram[14] == 0)
		MUST(payload_equal(in, &after));
	MUST(pds_counting_bloom_check(after.bytes, after.len, NULL) == PDS_OK);
	payload_free(&after);
	payload_free(&added);
	filter_free(&other);
}

/* Read again it is the same, and answers the same while it is a state. */
static void
fuzz_same(const payload *in, const pds_counting_bloom_view *v, uint64_t seed)
{
	filter		same = filter_nothing();
	pds_counting_bloom_view whole = *v;
	payload		again;

	MUST(filter_merge_view(&same, v) == PDS_OK);
	MUST(pds_counting_bloom_check_build(same.b, same.size));
	again = filter_encode(&same);
	MUST(payload_equal(in, &again));
	payload_free(&again);
	for (uint64_t i = 0, s = seed; i < 4; i++)
	{
		pds_hash	h = fuzz_hash(&s);

		MUST(pds_counting_bloom_build_count(same.b, h) == view_count(&whole, h));
	}
	if (v->encoding != PDS_COUNTING_BLOOM_EMPTY)
	{
		fuzz_unpacked(v, true, seed);
		fuzz_algebra(&same, in, v, seed);
	}
	filter_free(&same);
}

static payload
stored_another(const void *view, uint64_t seed)
{
	const pds_counting_bloom_view *v = view;
	filter		other = filter_new(&v->shape);
	payload		stored;

	for (uint64_t i = seed % 40; i > 0; i--)
		filter_add(&other, fuzz_hash(&seed));
	if (v->kind != PDS_KIND_NONE)
		pds_state_set_kind(other.b, v->kind);
	stored = filter_encode(&other);
	filter_free(&other);
	return stored;
}

static bool
is_too_large(const void *view)
{
	return ((const pds_counting_bloom_view *) view)->shape.bits > MOST_COUNTERS;
}

static void
fuzz_good(const payload *in, const void *view, uint64_t seed)
{
	fuzz_answers(in, view, true, seed);
	if (!is_too_large(view))
		fuzz_same(in, view, seed);
}

FUZZ_TARGET(.ops = &pds_counting_bloom_ops, .added = PDS_KIND_NUMBER,
			.prefix = PDS_COUNTING_BLOOM_MAX_PREFIX, .too_large = is_too_large,
			.another = stored_another, .good = fuzz_good, .unchecked = fuzz_unchecked)
