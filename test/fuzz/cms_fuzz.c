/*
 * cms_fuzz.c: whatever bytes pass pds_cms_check() must be a sketch in every way
 */
#include "cms_sketch.h"
#include "driver.h"

#include "cms.h"

/* Arrays of larger sketches (of which few bytes may tell) are not made here. */
#define MOST_COUNTERS	(UINT32_C(1) << 18)

/* All counters at once say what each says alone. */
static void
fuzz_unpacked(pds_cms_view *v, bool checked, uint64_t seed)
{
	size_t		size = pds_cms_unpacked_size(v);
	uint8_t    *array = sketch_memory(size);

	memset(array, 0, size);
	if (pds_cms_unpack(v, array) == PDS_OK && checked)
		for (int i = 0; i < 4; i++)
		{
			pds_hash	h = fuzz_hash(&seed);
			uint64_t	f;

			MUST(pds_cms_frequency(v, h, pds_in_memory, v, &f) == PDS_OK);
			MUST(pds_cms_unpacked_frequency(v, array, h) == f);
		}
	else
		MUST(!checked);
	free(array);
}

/* Ask for some values, in pieces and in memory, and what may be asked of the answers. */
static void
fuzz_answers(const payload *in, const pds_cms_view *v, bool checked, uint64_t seed)
{
	source		src = {in, NULL};
	pds_cms_view whole = *v;

	for (int i = 0; i < 4; i++)
	{
		pds_hash	h = fuzz_hash(&seed);
		uint64_t	f = 0;
		uint64_t	g = 0;
		pds_status	status = pds_cms_frequency(v, h, fetch_piece, &src, &f);

		MUST(status == pds_cms_frequency(&whole, h, pds_in_memory, &whole, &g) && f == g);
		MUST(status == PDS_OK || (status == PDS_CORRUPT && !checked));
		if (v->encoding == PDS_CMS_SPARSE)
			MUST(pds_cms_same_frequency(&whole, in->bytes, h) || !checked);
		if (checked)
		{
			MUST(f <= v->total);
			MUST(pds_cms_lower_bound(&v->shape, v->total, f) <= f);
		}
		else
			(void) pds_cms_lower_bound(&v->shape, v->total, f);
	}
	MUST(pds_cms_error(&v->shape, v->total) <= PDS_CMS_MAX_COUNT);
	if (v->encoding == PDS_CMS_SPARSE && pds_cms_counters(&v->shape) <= MOST_COUNTERS)
		fuzz_unpacked(&whole, checked, seed);
	if (pds_cms_counters(&v->shape) <= MOST_COUNTERS)
		MUST(pds_cms_count_nonzero(v) <= pds_cms_counters(&v->shape));
	free(src.piece);
}

/* Another sketch of the same shape, with some values. */
static sketch
fuzz_other(const pds_cms_view *v, uint64_t seed)
{
	sketch		s = sketch_new(&v->shape);
	uint64_t	n = seed >> 60 & 1 ? seed % 150 : seed % 5;

	for (uint64_t i = 0; i < n; i++)
	{
		pds_hash	h = fuzz_hash(&seed);

		sketch_add(&s, h, (int64_t) (h.h1 >> (63 - h.h2 % 40)));
	}
	return s;
}

/* A damaged table's sketch: each reader must stay within bounds, and end. */
static void
fuzz_unchecked(const payload *in, const void *view, uint64_t seed)
{
	const pds_cms_view *v = view;
	pds_cms_wide product;

	fuzz_answers(in, v, false, seed);
	(void) pds_cms_inner_product(v, v, &product);
	if (pds_cms_counters(&v->shape) <= MOST_COUNTERS)
	{
		sketch		s = (seed & 2) != 0 ? sketch_new(&v->shape) : fuzz_other(v, seed);

		if (sketch_try_merge_view(&s, v, (seed & 1) != 0) == PDS_OK)
		{
			payload		out = sketch_write(&s);

			payload_free(&out);
		}
		sketch_free(&s);
	}
}

/* What was added can be taken out again, and products and totals go with each other. */
static void
fuzz_algebra(const payload *in, const pds_cms_view *v, const sketch *same, uint64_t seed)
{
	sketch		other = fuzz_other(v, seed);
	payload		before = sketch_encode(&other);
	pds_status	status;

	pds_state_set_kind(other.b, v->kind != PDS_KIND_NONE ? v->kind : pds_state_kind(other.b));
	payload_free(&before);
	before = sketch_encode(&other);
	status = sketch_try_merge_payload(&other, in, false);
	MUST(status == PDS_OK
		 || (status == PDS_OVERFLOW && v->total > PDS_CMS_MAX_COUNT - other.b->total));
	if (status == PDS_OK)
	{
		payload		all = sketch_encode(&other);
		pds_cms_view w = payload_view(&all);
		pds_cms_wide product;

		for (int i = 0; i < 4; i++)
		{
			pds_hash	h = fuzz_hash(&seed);

			MUST(payload_frequency(&all, h) >= payload_frequency(in, h));
			MUST(payload_frequency(&all, h) >= payload_frequency(&before, h));
		}
		status = pds_cms_inner_product(&w, v, &product);
		MUST(status == (v->shape.conservative ? PDS_PARAMETER_MISMATCH : PDS_OK));
		status = sketch_try_merge(&other, same, true);
		if (v->shape.conservative)
			MUST(status == (v->total > 0 ? PDS_NEGATIVE : PDS_OK));
		else
		{
			payload		after;

			MUST(status == PDS_OK);
			pds_state_set_kind(other.b, other.b->total > 0
							   ? pds_header_kind(before.bytes, before.len) : PDS_KIND_NONE);
			after = sketch_encode(&other);
			MUST(payload_equal(&before, &after));
			payload_free(&after);
		}
		payload_free(&all);
	}
	payload_free(&before);
	sketch_free(&other);
}

/* Read again it is the same, and answers the same while it is a state. */
static void
fuzz_same(const payload *in, const pds_cms_view *v, uint64_t seed)
{
	sketch		same = sketch_new(&v->shape);
	payload		again;

	if ((seed & 1) != 0)
		pds_cms_build_init_to_ask(same.b, &v->shape);
	MUST(sketch_try_merge_view(&same, v, false) == PDS_OK);
	again = sketch_encode(&same);
	MUST(payload_equal(in, &again));
	MUST(pds_cms_can_ask(same.b));
	for (int i = 0; i < 4; i++)
	{
		pds_hash	h = fuzz_hash(&seed);

		MUST(pds_cms_build_frequency(same.b, h) == payload_frequency(in, h));
	}
	if (seed % 4 == 1)
		fuzz_algebra(in, v, &same, seed / 4);
	payload_free(&again);
	sketch_free(&same);
}

static payload
stored_another(const void *view, uint64_t seed)
{
	const pds_cms_view *v = view;
	sketch		other = fuzz_other(v, seed);
	payload		stored;

	if (v->kind != PDS_KIND_NONE && other.b->total > 0)
		pds_state_set_kind(other.b, v->kind);
	stored = sketch_encode(&other);
	sketch_free(&other);
	return stored;
}

static void
fuzz_united(const void *view, const payload *other, pds_status status, const payload *all)
{
	const pds_cms_view *v = view;
	pds_cms_view w = payload_view(other);

	MUST(status == PDS_OK || v->total > PDS_CMS_MAX_COUNT - w.total);
	if (all != NULL)
		MUST(payload_view(all).total == v->total + w.total);
}

static bool
is_too_large(const void *view)
{
	return pds_cms_counters(&((const pds_cms_view *) view)->shape) > MOST_COUNTERS;
}

static void
fuzz_good(const payload *in, const void *view, uint64_t seed)
{
	const pds_cms_view *v = view;

	fuzz_answers(in, v, true, seed);
	if (v->encoding > PDS_CMS_SPARSE || pds_cms_counters(&v->shape) <= MOST_COUNTERS)
		fuzz_same(in, v, seed);
}

FUZZ_TARGET(.ops = &pds_cms_ops, .added = PDS_KIND_NUMBER, .prefix = PDS_CMS_MAX_PREFIX,
			.too_large = is_too_large, .another = stored_another, .united = fuzz_united,
			.good = fuzz_good, .unchecked = fuzz_unchecked)
