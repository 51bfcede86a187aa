/*
 * topk_fuzz.c: whatever bytes pass pds_topk_check() and pds_topk_distinct() must be a
 * sketch in every way
 */
#include "fuzz.h"
#include "stored.h"
#include "topk_sketch.h"
#include "topk_ops.h"

fuzz_count	fuzz_counts;

static uint64_t
next(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed >> 16;
}

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

/* A sketch of the same k and kind, exact or not. */
static sketch
another(const pds_topk_view *v, uint64_t seed)
{
	sketch		s = sketch_new(v->k, v->kind == PDS_KIND_NONE ? PDS_KIND_STRING : v->kind);
	static const uint64_t numbers[] = {0, 1, 5, 30, 200, 5000};
	uint64_t	n = numbers[next(&seed) % 6];

	/* most are quick to make */
	if (n == 5000 && next(&seed) % 64 != 0)
		n = 12;
	for (uint64_t i = 0; i < n; i++)
		MUST(add_value(&s, next(&seed) % (2 * n + 1), 1 + next(&seed) % 7) == PDS_OK);
	return s;
}

static void
must_be_good(const payload *p)
{
	const char *why = NULL;

	if (!payload_accepted(p, &why))
		fprintf(stderr, "%s\n", why != NULL ? why : "a value is there twice");
	MUST(payload_accepted(p, NULL));
}

/* A damaged table's sketch: each reader must stay within bounds, and end. */
static void
fuzz_unchecked(const payload *in, const pds_topk_view *v, uint64_t seed)
{
	pds_topk_cursor c;
	pds_topk_item item;
	bool		found;
	sketch		s = another(v, seed);
	payload		out;

	pds_topk_items_from(&c, v);
	while (c.left > 0 && pds_topk_next(&c, &item, NULL) == PDS_OK)
		(void) pds_topk_item_hash(v->kind, &item);
	(void) pds_topk_lookup(v, seed, &found, &item);
	/* up to 6 MB, whatever the bytes are */
	if (seed % 8 == 0)
	{
		pds_topk_index *index = sketch_memory(pds_topk_index_bytes(v));

		if (pds_topk_index_make(v, index) == PDS_OK)
			(void) pds_topk_index_lookup(index, seed);
		free(index);
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
	const pds_topk_slot *slot;
	bool		found;
	pds_topk_index *index = sketch_memory(pds_topk_index_bytes(v));

	MUST(pds_topk_index_make(v, index) == PDS_OK);
	MUST(v->items <= pds_topk_counters(v->k));
	MUST(v->offset <= v->total / (pds_topk_counters(v->k) + 1));
	pds_topk_items_from(&c, v);
	while (c.left > 0)
	{
		MUST(pds_topk_next(&c, &item, NULL) == PDS_OK);
		MUST(item.upper <= last && item.upper >= v->offset && item.upper <= v->total);
		MUST(item.upper > 0 && item.error <= v->offset && item.len <= PDS_TOPK_MAX_ITEM_TEXT);
		last = item.upper;
		slot = pds_topk_index_lookup(index, pds_topk_item_hash(v->kind, &item));
		MUST(slot != NULL && slot->upper == item.upper && slot->error == item.error);
		if (next(&seed) % 32 != 0)
			continue;
		MUST(pds_topk_lookup(v, pds_topk_item_hash(v->kind, &item), &found, &there) == PDS_OK);
		MUST(found && there.upper == item.upper && there.text == item.text);
	}
	free(index);
}

/* The union with another sketch, from either side. */
static void
fuzz_union(const payload *in, const pds_topk_view *v, uint64_t seed)
{
	sketch		other = another(v, seed);
	payload		stored = sketch_encode(&other);
	pds_topk_view w = payload_view(&stored);
	sketch		left = sketch_load(in);
	sketch		right = sketch_load(&stored);
	payload		a;
	payload		b;
	pds_topk_view u;

	must_be_good(&stored);
	if (v->kind == PDS_KIND_NONE)
		pds_state_set_kind(left.b, w.kind);
	else
		pds_state_set_kind(right.b, v->kind);
	if (v->total > PDS_TOPK_MAX_TOTAL - w.total)
		MUST(sketch_merge_payload(&left, &stored) == PDS_OVERFLOW);
	else
	{
		MUST(sketch_merge_payload(&left, &stored) == PDS_OK);
		MUST(sketch_merge_payload(&right, in) == PDS_OK);
		a = sketch_encode(&left);
		b = sketch_encode(&right);
		MUST(payload_equal(&a, &b));
		must_be_good(&a);
		u = payload_view(&a);
		MUST(u.total == v->total + w.total && u.offset >= v->offset + w.offset);
		payload_free(&b);
		/* of building states, too */
		sketch_free(&right);
		right = sketch_load(in);
		pds_state_set_kind(right.b, pds_state_kind(left.b));
		MUST(sketch_merge(&right, &other) == PDS_OK);
		b = sketch_encode(&right);
		must_be_good(&b);
		MUST(payload_view(&b).total == u.total);
		payload_free(&a);
		payload_free(&b);
	}
	payload_free(&stored);
	sketch_free(&left);
	sketch_free(&right);
	sketch_free(&other);
}

/* More values, until some have to go. */
static void
fuzz_more(const payload *in, const pds_topk_view *v, uint64_t seed)
{
	sketch		s = sketch_load(in);
	uint64_t	n = next(&seed) % 64 == 0 && v->k <= 128 ? 6000 : 20;
	payload		out;

	if (v->kind == PDS_KIND_NONE)
		pds_state_set_kind(s.b, PDS_KIND_NUMBER);
	for (uint64_t i = 0; i < n; i++)
	{
		pds_status	status = add_value(&s, next(&seed) % (2 * n), 1 + (next(&seed) >> (12 + i % 36)));

		MUST(status == PDS_OK || status == PDS_OVERFLOW);
	}
	out = sketch_encode(&s);
	must_be_good(&out);
	payload_free(&out);
	sketch_free(&s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* a piece of memory that ends where the bytes end */
	payload		in = payload_copy(data, size);
	const char *why = NULL;
	pds_status	status = pds_topk_check(in.bytes, in.len, &why);
	uint64_t	seed = fuzz_seed(data, size);
	size_t		have = in.len < PDS_TOPK_MAX_PREFIX ? in.len : PDS_TOPK_MAX_PREFIX;
	payload		head = payload_copy(in.bytes, have);
	pds_topk_view v;
	pds_status	opened = pds_topk_open(&v, head.bytes, have, in.len, NULL);

	fuzz_counts.all++;
	/* (a value that is there twice is for pds_topk_distinct() to find) */
	if (status != PDS_OK || payload_accepted(&in, NULL))
		fuzz_stored(&pds_topk_ops, &in);
	MUST((status == PDS_OK) == (why == NULL) && (status == PDS_OK || status == PDS_CORRUPT));
	/* the head alone is as good, or as bad */
	MUST(pds_topk_open(&v, in.bytes, in.len, in.len, NULL) == opened);
	if (status == PDS_OK && payload_accepted(&in, NULL))
	{
		sketch		same = sketch_load(&in);
		payload		again = sketch_encode(&same);

		MUST(opened == PDS_OK);
		fuzz_counts.accepted[v.encoding]++;
		MUST(payload_equal(&in, &again));
		fuzz_items(&v, seed);
		if (seed % 4 == 0)
			fuzz_union(&in, &v, seed / 4);
		if (seed % 4 == 1)
			fuzz_more(&in, &v, seed / 4);
		payload_free(&again);
		sketch_free(&same);
	}
	else
	{
		fuzz_counts.refused++;
		if (opened == PDS_OK)
		{
			fuzz_counts.opened++;
			fuzz_unchecked(&in, &v, seed);
		}
	}
	payload_free(&head);
	payload_free(&in);
	return 0;
}
