/*
 * topk_fuzz.c: whatever bytes pass pds_topk_check() and pds_topk_distinct() must be a
 * sketch in every way
 */
#include "driver.h"
#include "topk_sketch.h"
#include "topk.h"

/* Add a value of a kind by the hash that a reader will find for it. */
static pds_status
add_value(sketch *s, uint64_t value, uint64_t weight)
{
	char		text[VALUE_TEXT];
	pds_kind	kind = pds_state_kind(s->b);
	pds_topk_item item = {0, 0, text, 0, NULL};
	uint8_t		hash[8];

	item.len = (uint32_t) snprintf(text, sizeof(text), "%llu", (unsigned long long) value);
	if (kind != PDS_KIND_STRING && kind != PDS_KIND_ENUM && kind != PDS_KIND_CITEXT &&
		kind != PDS_KIND_NUMBER)
	{
		pds_store_le64(hash, pds_murmur3_u64(value).h1);
		item.stored_hash = hash;
	}
	return sketch_add_text(s, pds_topk_item_hash(kind, &item), weight, text, item.len);
}

/* A sketch of the same k, counters and kind, exact or not. */
static sketch
another(const pds_topk_view *v, uint64_t seed)
{
	sketch		s = sketch_new_of(v->k, v->counters,
								  v->kind == PDS_KIND_NONE ? PDS_KIND_STRING : v->kind);
	static const uint64_t numbers[] = {0, 1, 5, 30, 200, 5000};
	uint64_t	n = numbers[fuzz_next(&seed) % 6];

	/* most are quick to make */
	if (n == 5000 && fuzz_next(&seed) % 64 != 0)
		n = 12;
	for (uint64_t i = 0; i < n; i++)
		MUST(add_value(&s, fuzz_next(&seed) % (2 * n + 1), 1 + fuzz_next(&seed) % 7) == PDS_OK);
	return s;
}

/* A damaged table's sketch: each reader must stay within bounds, and end. */
static void
fuzz_unchecked(const payload *in, const void *view, uint64_t seed)
{
	const pds_topk_view *v = view;
	pds_topk_cursor c;
	pds_topk_item item;
	bool		found;
	sketch		s = another(v, seed);
	payload		out;

	pds_topk_items_from(&c, v);
	while (c.left > 0 && pds_topk_next(&c, &item, NULL) == PDS_OK)
		(void) pds_topk_item_hash(v->kind, &item);
	(void) pds_topk_lookup(v, seed, &found, &item);
	/* up to 7 MB, whatever the bytes are */
	if (seed % 8 == 0)
	{
		pds_topk_build *unpacked = sketch_memory(pds_topk_unpacked_size(v));

		if (pds_topk_unpack(v, unpacked) == PDS_OK)
			(void) pds_topk_find(unpacked, seed);
		free(unpacked);
	}
	pds_state_set_kind(s.b, v->kind);
	(void) sketch_merge_payload(&s, in);
	(void) sketch_merge_payload(&s, in);
	out = sketch_write(&s);
	payload_free(&out);
	sketch_free(&s);
}

/* The items are as the header says, and each is found. */
static void
fuzz_items(const pds_topk_view *v, uint64_t seed)
{
	pds_topk_cursor c;
	pds_topk_item item;
	pds_topk_item there;
	uint64_t	last = UINT64_MAX;
	const pds_topk_entry *e;
	bool		found;
	pds_topk_build *unpacked = sketch_memory(pds_topk_unpacked_size(v));

	MUST(pds_topk_unpack(v, unpacked) == PDS_OK);
	MUST(v->items <= v->counters);
	MUST(v->offset <= v->total / (v->counters + 1));
	pds_topk_items_from(&c, v);
	while (c.left > 0)
	{
		MUST(pds_topk_next(&c, &item, NULL) == PDS_OK);
		MUST(item.upper <= last && item.upper >= v->offset && item.upper <= v->total);
		MUST(item.upper > 0 && item.error <= v->offset && item.len <= PDS_TOPK_MAX_ITEM_TEXT);
		last = item.upper;
		e = pds_topk_find(unpacked, pds_topk_item_hash(v->kind, &item));
		MUST(e != NULL && e->upper == item.upper);
		MUST(pds_topk_error(unpacked, (uint32_t) (e - pds_topk_entries(unpacked))) == item.error);
		if (fuzz_next(&seed) % 32 != 0)
			continue;
		MUST(pds_topk_lookup(v, pds_topk_item_hash(v->kind, &item), &found, &there) == PDS_OK);
		MUST(found && there.upper == item.upper && there.text == item.text);
	}
	free(unpacked);
}

static payload
stored_another(const void *view, uint64_t seed)
{
	sketch		other = another(view, seed);
	payload		stored = sketch_encode(&other);

	sketch_free(&other);
	return stored;
}

/* Totals add up, and what was forgotten stays forgotten. */
static void
fuzz_united(const void *view, const payload *other, pds_status status, const payload *all)
{
	const pds_topk_view *v = view;
	pds_topk_view w = payload_view(other);

	MUST((status == PDS_OVERFLOW) == (v->total > PDS_TOPK_MAX_TOTAL - w.total));
	if (all != NULL)
	{
		pds_topk_view u = payload_view(all);

		MUST(u.total == v->total + w.total && u.offset >= v->offset + w.offset);
	}
}

/* The union with a state that has never been stored. */
static void
fuzz_state(const payload *in, const pds_topk_view *v, uint64_t seed)
{
	sketch		other = another(v, seed);
	sketch		s = sketch_load(in);
	uint64_t	total = other.b->total;

	if (v->kind == PDS_KIND_NONE)
		pds_state_set_kind(s.b, pds_state_kind(other.b));
	if (v->total <= PDS_TOPK_MAX_TOTAL - total)
	{
		payload		out;

		MUST(sketch_merge(&s, &other) == PDS_OK);
		out = sketch_encode(&s);
		MUST(payload_accepted(&out, NULL));
		MUST(payload_view(&out).total == v->total + total);
		payload_free(&out);
	}
	sketch_free(&s);
	sketch_free(&other);
}

/* More values, until some have to go. */
static void
fuzz_more(const payload *in, const pds_topk_view *v, uint64_t seed)
{
	sketch		s = sketch_load(in);
	uint64_t	n = fuzz_next(&seed) % 64 == 0 && v->k <= 128 ? 6000 : 20;
	payload		out;

	if (v->kind == PDS_KIND_NONE)
		pds_state_set_kind(s.b, PDS_KIND_NUMBER);
	for (uint64_t i = 0; i < n; i++)
	{
		pds_status	status = add_value(&s, fuzz_next(&seed) % (2 * n),
									   1 + (fuzz_next(&seed) >> (12 + i % 36)));

		MUST(status == PDS_OK || status == PDS_OVERFLOW);
	}
	out = sketch_encode(&s);
	MUST(payload_accepted(&out, NULL));
	payload_free(&out);
	sketch_free(&s);
}

static void
fuzz_good(const payload *in, const void *view, uint64_t seed)
{
	fuzz_items(view, seed);
	if (seed % 4 == 0)
		fuzz_state(in, view, seed / 4);
	if (seed % 4 == 1)
		fuzz_more(in, view, seed / 4);
}

/* (a value that is there twice is for pds_topk_distinct() to find) */
static bool
is_accepted(const payload *in)
{
	return payload_accepted(in, NULL);
}

FUZZ_TARGET(.ops = &pds_topk_ops, .added = PDS_KIND_NUMBER, .prefix = PDS_TOPK_MAX_PREFIX,
			.accepted = is_accepted, .another = stored_another, .united = fuzz_united,
			.good = fuzz_good, .unchecked = fuzz_unchecked)
