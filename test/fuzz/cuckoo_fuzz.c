/*
 * cuckoo_fuzz.c: whatever bytes pass pds_cuckoo_check() must be a filter in every way
 */
#include "driver.h"
#include "cuckoo_sketch.h"
#include "cuckoo.h"

/* A filter of the same shape, of few values or of some. */
static sketch
another(const pds_cuckoo_view *v, uint64_t seed)
{
	static const uint64_t numbers[] = {0, 1, 5, 30, 200, 3000};
	sketch		s = sketch_new(&v->shape);
	uint64_t	n = numbers[fuzz_next(&seed) % 6];

	/* most are quick to make */
	if (n == 3000 && fuzz_next(&seed) % 64 != 0)
		n = 12;
	for (uint64_t i = 0; i < n; i++)
		sketch_add(&s, pds_murmur3_u64(fuzz_next(&seed) % (2 * n)));
	return s;
}

/* All classes at once say what each says alone. */
static void
fuzz_unpacked(const pds_cuckoo_view *v, bool checked, uint64_t seed)
{
	size_t		size = v->encoding == PDS_CUCKOO_EMPTY ? 0 : pds_cuckoo_unpacked_size(v);
	uint8_t    *form;
	pds_cuckoo_view copy = *v;

	/* what is damaged can say that it holds more than any memory does */
	if (size == 0 || size > 64 * v->len + 65536)
		return;
	form = sketch_memory(size);
	if (pds_cuckoo_unpack(v, form) == PDS_OK)
		for (int i = 0; i < 8; i++)
		{
			pds_hash	h = {fuzz_next(&seed) << 16, 0};
			uint64_t	copies;

			MUST(pds_cuckoo_same_lookup(v, v->payload, h) || !checked);
			if (pds_cuckoo_view_count(v, h, pds_in_memory, &copy, &copies) == PDS_OK)
				MUST(pds_cuckoo_unpacked_contains(v, form, h) == (copies > 0));
		}
	else
		MUST(!checked);
	free(form);
}

/* A damaged table's filter: each reader must stay within bounds, and end. */
static void
fuzz_unchecked(const payload *in, const void *view, uint64_t seed)
{
	const pds_cuckoo_view *v = view;
	sketch		s = another(v, seed);
	pds_operand operand = {NULL, v};
	pds_cuckoo_view copy = *v;
	uint64_t	copies;

	for (int i = 0; i < 8; i++)
	{
		pds_hash	h = {fuzz_next(&seed) << 16, 0};

		(void) pds_cuckoo_view_count(v, h, pds_in_memory, &copy, &copies);
	}
	fuzz_unpacked(v, false, seed);
	(void) sketch_try_union(&s, &operand, v->kind);
	sketch_free(&s);
	(void) in;
}

static payload
stored_another(const void *view, uint64_t seed)
{
	sketch		other = another(view, seed);
	pds_kind	kind = ((const pds_cuckoo_view *) view)->kind;
	payload		stored;

	if (other.b->total > 0 && kind != PDS_KIND_NONE)
		pds_state_set_kind(other.b, kind);
	stored = sketch_encode(&other);
	sketch_free(&other);
	return stored;
}

static void
fuzz_united(const void *view, const payload *other, pds_status status, const payload *all)
{
	const pds_cuckoo_view *v = view;
	pds_cuckoo_view w = payload_view(other);

	MUST((status == PDS_OVERFLOW) == (v->total > PDS_CUCKOO_MAX_COUNT - w.total));
	if (all != NULL)
		MUST(payload_view(all).total == v->total + w.total);
}

/* More values, and these removed again: the same bytes. */
static void
fuzz_more(const payload *in, const pds_cuckoo_view *v, uint64_t seed)
{
	uint64_t	n = fuzz_next(&seed) % 64 == 0 ? 3000 : 20;
	sketch		s = sketch_nothing();
	payload		out;

	if (v->total > PDS_CUCKOO_MAX_COUNT - n)
		return;
	MUST(sketch_try_merge_payload(&s, in) == PDS_OK);
	for (uint64_t i = 0; i < n; i++)
		MUST(sketch_try_add(&s, pds_murmur3_u64(seed % 1000 + i % 700)) == PDS_OK);
	if (v->kind != PDS_KIND_NONE)
		pds_state_set_kind(s.b, v->kind);
	out = sketch_encode(&s);
	MUST(pds_cuckoo_check(out.bytes, out.len, NULL) == PDS_OK);
	for (uint64_t i = 0; i < n; i++)
	{
		pds_hash	h = pds_murmur3_u64(seed % 1000 + i % 700);

		MUST(payload_count(&out, h) > 0);
		MUST(pds_cuckoo_remove(s.b, h) == PDS_OK);
	}
	payload_free(&out);
	out = sketch_encode(&s);
	MUST(payload_equal(&out, in));
	payload_free(&out);
	sketch_free(&s);
}

static void
fuzz_good(const payload *in, const void *view, uint64_t seed)
{
	const pds_cuckoo_view *v = view;
	sketch		same = sketch_nothing();

	MUST(sketch_try_merge_payload(&same, in) == PDS_OK);
	MUST(same.b->total == v->total && pds_cuckoo_distinct(same.b) == v->distinct);
	sketch_free(&same);
	fuzz_unpacked(v, true, seed);
	if (seed % 4 == 1)
		fuzz_more(in, v, seed / 4);
}

FUZZ_TARGET(.ops = &pds_cuckoo_ops, .added = PDS_KIND_NUMBER, .prefix = PDS_CUCKOO_MAX_PREFIX,
			.another = stored_another, .united = fuzz_united, .good = fuzz_good,
			.unchecked = fuzz_unchecked)
