/*
 * bloom_filter.h: Bloom filters on malloc, for the tests
 *
 * The library never allocates; this is the caller that it expects.  Every piece
 * of memory is exactly as large as the library asked for, so that a sanitizer
 * sees the first byte too far.
 */
#ifndef PDS_TEST_BLOOM_FILTER_H
#define PDS_TEST_BLOOM_FILTER_H

#include "payload.h"

#include "decimal.h"
#include "bloom.h"
#include "bloom_size.h"

typedef struct filter
{
	pds_bloom_build *b;
	size_t		size;
} filter;

static inline pds_bloom_shape
shape_of(uint64_t capacity, double rate, uint8_t family)
{
	pds_bloom_shape s;

	if (pds_bloom_shape_for(capacity, pds_decimal_code(rate), family, &s) != PDS_OK)
		sketch_die("no such filter");
	return s;
}

/* A shape of so many bits and hashes that nobody planned. */
static inline pds_bloom_shape
shape_explicit(uint64_t bits, int hashes, uint8_t family)
{
	pds_bloom_shape s = {0};

	s.family = family;
	s.hashes = (uint8_t) hashes;
	s.bits = bits;
	if (!pds_bloom_shape_valid(&s))
		sketch_die("not a shape");
	return s;
}

/* What filters of a family hold in the tests: integers where it can. */
static inline pds_kind
filter_kind(uint8_t family)
{
	return pds_bloom_family_holds(family, PDS_KIND_NUMBER) ? PDS_KIND_NUMBER : PDS_KIND_BYTES;
}

/* An empty filter of these in an image of so many bytes; a NULL shape makes an automatic one. */
static inline filter
filter_sized(const pds_bloom_shape *shape, size_t size)
{
	filter		f;

	f.size = size;
	f.b = sketch_memory(size);
	memset(f.b, 0x5a, size);
	if (shape != NULL)
		pds_bloom_build_init(f.b, size, shape);
	else
		pds_bloom_build_init_automatic(f.b, size, pds_decimal_code(PDS_BLOOM_AUTO_RATE));
	pds_state_set_kind(f.b, filter_kind(f.b->shape.family));
	return f;
}

static inline filter
filter_new(const pds_bloom_shape *shape)
{
	return filter_sized(shape, pds_bloom_first_size(shape));
}

static inline filter
filter_automatic(void)
{
	return filter_sized(NULL, PDS_BLOOM_FIRST_SIZE);
}

/* An array of bits, however few are set. */
static inline filter
filter_of_bits(const pds_bloom_shape *shape)
{
	return filter_sized(shape, pds_bloom_bits_size(shape->bits));
}

/* A union of nothing yet. */
static inline filter
filter_undecided(void)
{
	filter		f = filter_automatic();

	f.b->automatic = 0;
	f.b->undecided = 1;
	pds_state_set_kind(f.b, PDS_KIND_NONE);
	return f;
}

static inline void
filter_free(filter *f)
{
	free(f->b);
	f->b = NULL;
}

static inline filter
filter_moved(const filter *f, pds_bloom_plan *plan)
{
	filter		to;

	to.size = plan->size;
	to.b = sketch_memory(plan->size);
	memset(to.b, 0x5a, plan->size);
	pds_bloom_rebuild(to.b, plan, f->b);
	return to;
}

static inline void
filter_move(filter *f, pds_bloom_plan *plan)
{
	filter		to = filter_moved(f, plan);

	filter_free(f);
	*f = to;
}

static inline void
filter_grow(filter *f)
{
	pds_bloom_plan plan = {.size = f->size};

	pds_bloom_plan_growth(f->b, &plan);
	if (plan.size <= f->size && plan.mode != PDS_BLOOM_BITS)
		sketch_die("a plan of growth that does not grow");
	if (f->b->mode == PDS_BLOOM_BITS)
		sketch_die("an array that grows");
	filter_move(f, &plan);
}

static inline void
filter_add(filter *f, pds_hash h)
{
	while (pds_bloom_add(f->b, h) != PDS_OK)
		filter_grow(f);
}

/* The state as another kind of image; what it holds must fit there. */
static inline void
filter_as(filter *f, pds_bloom_mode mode)
{
	pds_bloom_plan plan;
	size_t		words =
		(size_t) (f->b->count + 1) * f->b->shape.hashes + 2 * PDS_BLOOM_MAX_HASHES;

	plan.shape = f->b->shape;
	plan.mode = mode;
	plan.size = mode == PDS_BLOOM_BITS ? pds_bloom_bits_size(plan.shape.bits) :
		sizeof(pds_bloom_build) + words * sizeof(uint64_t);
	if (f->b->mode != mode)
		filter_move(f, &plan);
}

static inline void
filter_merge(filter *f, const filter *from)
{
	pds_bloom_plan plan;
	pds_status	status;

	if (pds_bloom_plan_merge(f->b, &from->b->shape, (pds_bloom_mode) from->b->mode,
							 from->b->count, &plan))
		filter_move(f, &plan);
	if (f->b->header[2] == PDS_KIND_NONE)
		pds_state_set_kind(f->b, pds_state_kind(from->b));
	while ((status = pds_bloom_merge_build(f->b, from->b)) == PDS_FULL)
		filter_grow(f);
	if (status != PDS_OK)
		sketch_die("two building filters do not merge");
}

/* Bytes must have been checked, but may be damaged in tests of that. */
static inline pds_status
filter_merge_view(filter *f, const pds_bloom_view *v)
{
	pds_bloom_plan plan;
	pds_status	status;

	if (pds_bloom_plan_merge(f->b, &v->shape,
							 v->encoding == PDS_BLOOM_ARRAY ? PDS_BLOOM_BITS : PDS_BLOOM_POSITIONS,
							 v->count, &plan))
		filter_move(f, &plan);
	if (f->b->header[2] == PDS_KIND_NONE)
		pds_state_set_kind(f->b, v->kind);
	while ((status = pds_bloom_merge_view(f->b, v)) == PDS_FULL)
		filter_grow(f);
	return status;
}

static inline pds_bloom_view
payload_view(const payload *from)
{
	pds_bloom_view v;
	const char *why = "";

	if (pds_bloom_check(from->bytes, from->len, &why) != PDS_OK ||
		pds_bloom_open(&v, from->bytes, from->len, from->len, &why) != PDS_OK)
		sketch_die(why);
	return v;
}

static inline void
filter_merge_payload(filter *f, const payload *from)
{
	pds_bloom_view v = payload_view(from);

	if (filter_merge_view(f, &v) != PDS_OK)
		sketch_die("a checked filter does not merge");
}

/* A stored filter as a state. */
static inline filter
filter_of_payload(const payload *from)
{
	filter		f = filter_undecided();

	filter_merge_payload(&f, from);
	return f;
}

/* The stored form.  The state does not change, except for the ring and the order of positions. */
static inline payload
filter_encode(filter *f)
{
	filter		own = {NULL, 0};
	pds_bloom_plan plan;
	pds_bloom_encoding encoding;
	pds_bloom_build *b = f->b;
	payload		p;
	uint8_t    *once;
	uint8_t    *twice;
	pds_status	status;

	if (!pds_bloom_check_build(b, f->size))
		sketch_die("a state is refused");
	status = pds_bloom_plan_finish(b, 1, &plan);
	if (status == PDS_FULL)
	{
		own = filter_moved(f, &plan);
		b = own.b;
	}
	else if (status != PDS_OK)
		sketch_die("too many keys");
	pds_bloom_measure(b, &encoding);
	once = sketch_memory(encoding.bytes);
	memset(once, 0xaa, encoding.bytes);
	p = payload_copy(once, pds_bloom_encode(b, &encoding, NULL, once));
	if (p.len > encoding.bytes)
		sketch_die("longer than its bound");

	/* every byte is written */
	twice = sketch_memory(encoding.bytes);
	memset(twice, 0x55, encoding.bytes);
	(void) pds_bloom_encode(b, &encoding, NULL, twice);
	if (memcmp(p.bytes, twice, p.len) != 0)
		sketch_die("bytes that are not written");
	free(once);
	free(twice);
	if (own.b != NULL)
		filter_free(&own);
	return p;
}

/* pds_fetch from memory */
static inline const uint8_t *
fetch_from_payload(void *context, size_t offset, size_t len)
{
	const payload *p = context;

	if (offset > p->len || len > p->len - offset)
		sketch_die("a fetch beyond the end");
	return p->bytes + offset;
}

static inline bool
payload_contains(const payload *p, const pds_bloom_view *v, pds_hash h)
{
	uint64_t	found;

	if (pds_bloom_view_contains(v, h, fetch_from_payload, (void *) p, &found) != PDS_OK)
		sketch_die("a checked filter cannot be read");
	return found;
}

#endif
