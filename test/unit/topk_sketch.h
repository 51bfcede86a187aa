/*
 * topk_sketch.h: sketches of the most frequent values on malloc, for the tests
 *
 * The library never allocates; this is the caller that it expects.  Every piece
 * of memory is exactly as large as the library asked for, so that a sanitizer
 * sees the first byte too far.  Values are numbers, known to the library by a hash
 * and a text that depend on the kind:
 *
 *     text     w and the number: the text tells the hash
 *     number   the number itself: the same
 *     float    the number and a half: the hash is stored
 */
#ifndef PDS_TEST_TOPK_SKETCH_H
#define PDS_TEST_TOPK_SKETCH_H

#include "payload.h"

#include "murmur3.h"
#include "topk.h"

typedef struct sketch
{
	pds_topk_build *b;
	size_t		size;
} sketch;

/* ---------- values ---------- */

#define VALUE_TEXT	64

static inline uint32_t
value_text(pds_kind kind, uint64_t value, char *text)
{
	const char *form = kind == PDS_KIND_STRING ? "w%llu" :
		kind == PDS_KIND_NUMBER ? "%llu" : "%llu.5";

	return (uint32_t) snprintf(text, VALUE_TEXT, form, (unsigned long long) value);
}

static inline uint64_t
value_hash(pds_kind kind, uint64_t value)
{
	char		text[VALUE_TEXT];

	if (kind == PDS_KIND_STRING)
		return pds_murmur3(text, value_text(kind, value, text), 0).h1;
	return pds_murmur3_u64(kind == PDS_KIND_NUMBER ? value : ~value).h1;
}

/* ---------- building ---------- */

static inline sketch
sketch_new_of(uint32_t k, uint32_t counters, pds_kind kind)
{
	sketch		s;

	s.size = PDS_TOPK_FIRST_SIZE;
	s.b = sketch_memory(s.size);
	pds_topk_build_init(s.b, k, counters);
	pds_state_set_kind(s.b, kind);
	return s;
}

static inline sketch
sketch_new(uint32_t k, pds_kind kind)
{
	return sketch_new_of(k, pds_topk_usual_counters(k), kind);
}

static inline void
sketch_free(sketch *s)
{
	free(s->b);
	s->b = NULL;
}

/* Have the space; an image that is large enough stays. */
static inline void
sketch_space(sketch *s, uint32_t items, size_t text_bytes, bool errors)
{
	pds_topk_plan plan;
	pds_topk_build *to;

	if (!pds_topk_plan_space(s->b, items, text_bytes, errors, &plan))
		return;
	to = sketch_memory(plan.size);
	pds_topk_rebuild(to, &plan, s->b);
	free(s->b);
	s->b = to;
	s->size = plan.size;
	if (pds_topk_plan_space(s->b, items, text_bytes, errors, &plan))
		sketch_die("a plan without the space that it is for");
}

static inline pds_status
sketch_add_text(sketch *s, uint64_t hash, uint64_t weight, const char *text, uint32_t len)
{
	for (;;)
	{
		pds_status	status;

		if (pds_topk_count(s->b, hash, weight))
			return PDS_OK;
		status = pds_topk_add(s->b, hash, weight, text, len);
		if (status != PDS_FULL)
			return status;
		sketch_space(s, 1, len, false);
	}
}

static inline pds_status
sketch_add(sketch *s, uint64_t value, uint64_t weight)
{
	char		text[VALUE_TEXT];
	pds_kind	kind = pds_state_kind(s->b);

	return sketch_add_text(s, value_hash(kind, value), weight, text,
						   value_text(kind, value, text));
}

/* The text of the value with this hash, which must be there; until the next call. */
static inline const char *
sketch_text(const sketch *s, uint64_t hash, uint32_t *len)
{
	static char whole[PDS_TOPK_MAX_ITEM_TEXT];
	const pds_topk_entry *e = pds_topk_find(s->b, hash);

	if (e == NULL)
		sketch_die("a value that is not in the sketch");
	return pds_topk_text(s->b, (uint32_t) (e - pds_topk_entries(s->b)), whole, len);
}

static inline pds_status
sketch_merge(sketch *s, const sketch *from)
{
	sketch_space(s, from->b->items, pds_topk_text_bytes(from->b), from->b->offset > 0);
	return pds_topk_merge_build(s->b, from->b);
}

/* ---------- the stored form ---------- */

/* Of a state that may come from damaged bytes. */
static inline payload
sketch_write(const sketch *s)
{
	pds_topk_encoding e;
	uint8_t    *out;
	void	   *scratch;
	size_t		len;
	payload		p;

	pds_topk_measure(s->b, &e);
	out = sketch_memory(e.bytes);
	scratch = sketch_memory(e.scratch);
	len = pds_topk_encode(s->b, &e, scratch, out);
	if (len > e.bytes)
		sketch_die("longer than its bound");
	/* again, to the byte: the sanitizer sees what is read beyond it */
	p = payload_copy(out, len);
	free(scratch);
	free(out);
	return p;
}

static inline payload
sketch_encode(const sketch *s)
{
	if (!pds_topk_check_build(s->b, s->size))
		sketch_die("a state is refused");
	return sketch_write(s);
}

static inline pds_topk_view
payload_view(const payload *p)
{
	pds_topk_view v;

	if (pds_topk_open(&v, p->bytes, p->len, p->len, NULL) != PDS_OK)
		sketch_die("a stored sketch that cannot be opened");
	return v;
}

/* Does it pass all that stands between input and a sketch? */
static inline bool
payload_accepted(const payload *p, const char **why)
{
	pds_topk_view v;
	uint64_t   *scratch;
	bool		distinct;

	if (pds_topk_check(p->bytes, p->len, why) != PDS_OK)
		return false;
	v = payload_view(p);
	scratch = sketch_memory(v.items * sizeof(uint64_t));
	distinct = pds_topk_distinct(&v, scratch);
	free(scratch);
	return distinct;
}

static inline pds_status
sketch_merge_payload(sketch *s, const payload *p)
{
	pds_topk_view v = payload_view(p);

	sketch_space(s, v.items, v.record_bytes, v.offset > 0);
	return pds_topk_merge_view(s->b, &v);
}

/* A stored sketch as a building one. */
static inline sketch
sketch_load(const payload *p)
{
	pds_topk_view v = payload_view(p);
	sketch		s = sketch_new_of(v.k, v.counters, v.kind);

	if (sketch_merge_payload(&s, p) != PDS_OK)
		sketch_die("a stored sketch that cannot be loaded");
	return s;
}

#endif
