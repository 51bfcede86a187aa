/*
 * fuse_fuzz.c: whatever bytes pass pds_fuse_check() must be a filter in every way
 */
#include "driver.h"
#include "fuse_sketch.h"

/* It becomes no state, and has no union. */
static bool
is_finished(const void *view)
{
	return ((const pds_fuse_view *) view)->encoding == PDS_FUSE_FINISHED;
}

static payload
another(const void *view, uint64_t seed)
{
	const pds_fuse_view *v = view;
	stored_state s = filter_new(pds_decimal_value(v->rate));
	uint64_t	n = seed % 40;
	payload		out;

	for (uint64_t i = 0; i < n; i++)
		filter_add(&s, pds_murmur3_u64(seed % 7 + i).h1);
	if (n > 0 && v->kind != PDS_KIND_NONE)
		pds_state_set_kind(s.image, v->kind);
	out = filter_write(&s, false);
	free(s.image);
	return out;
}

/* Each reader must stay within bounds, and end. */
static void
fuzz_unchecked(const payload *in, const void *view, uint64_t seed)
{
	const pds_fuse_view *v = view;

	for (uint64_t i = 0; i < 32; i++)
		(void) filter_contains(v, i % 4 == 0 ? i << 59 : pds_murmur3_u64(seed + i).h1);
	MUST(pds_fuse_rate(v) >= 0 && pds_fuse_rate(v) < 1);
	(void) in;
}

/* Hashes make a filter that holds them all. */
static void
fuzz_good(const payload *in, const void *view, uint64_t seed)
{
	const pds_fuse_view *v = view;
	stored_state s = stored_nothing(&pds_fuse_ops);
	payload		out;
	pds_fuse_view w;

	fuzz_unchecked(in, view, seed);
	if (!is_finished(view))
	{
		MUST(stored_merge_bytes(&s, in) == PDS_OK);
		out = filter_write(&s, true);
		MUST(pds_fuse_check(out.bytes, out.len, NULL) == PDS_OK);
		w = filter_view(&out);
		MUST(w.count == v->count);
		for (uint64_t i = 0; i < v->count; i++)
		{
			uint64_t	hash = pds_load_le64(in->bytes + v->data_at + 8 * i);

			MUST(filter_contains(v, hash) && filter_contains(&w, hash));
		}
		payload_free(&out);
	}
	free(s.image);
}

FUZZ_TARGET(.ops = &pds_fuse_ops, .added = PDS_KIND_NUMBER, .prefix = PDS_FUSE_MAX_PREFIX,
			.too_large = is_finished, .another = another, .sets = true, .good = fuzz_good,
			.unchecked = fuzz_unchecked)
