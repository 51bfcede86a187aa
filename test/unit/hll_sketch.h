/*
 * hll_sketch.h: HyperLogLog sketches on malloc, for the tests
 *
 * The library never allocates; this is the caller that it expects.  Every piece
 * of memory is exactly as large as the library asked for, so that a sanitizer
 * sees the first byte too far.
 */
#ifndef PDS_TEST_HLL_SKETCH_H
#define PDS_TEST_HLL_SKETCH_H

#include "payload.h"

#include "murmur3.h"
#include "hll.h"

typedef struct sketch
{
	pds_hll_build *b;
	size_t		size;
} sketch;

/* An empty sketch of integers in an image of so many bytes. */
static inline sketch
sketch_sized(int precision, size_t size)
{
	sketch		s;

	s.size = size;
	s.b = sketch_memory(size);
	pds_hll_build_init(s.b, size, precision, PDS_FAMILY_NATIVE, false);
	pds_state_set_kind(s.b, PDS_KIND_NUMBER);
	return s;
}

static inline sketch
sketch_new(int precision)
{
	return sketch_sized(precision, PDS_HLL_FIRST_SIZE);
}

static inline void
sketch_free(sketch *s)
{
	free(s->b);
	s->b = NULL;
}

static inline void
sketch_move(sketch *s, pds_hll_plan *plan)
{
	pds_hll_build *to = sketch_memory(plan->size);

	pds_hll_rebuild(to, plan, s->b);
	free(s->b);
	s->b = to;
	s->size = plan->size;
}

static inline void
sketch_grow(sketch *s)
{
	pds_hll_plan plan = {.size = s->size};

	pds_hll_plan_growth(s->b, &plan);
	if (plan.size <= s->size && !plan.dense)
		sketch_die("a plan of growth that does not grow");
	sketch_move(s, &plan);
}

/* Registers, however few values there are. */
static inline sketch
sketch_dense(int precision)
{
	sketch		s = sketch_new(precision);
	pds_hll_plan plan = {
		.size = pds_hll_dense_size(precision),
		.precision = (uint8_t) precision,
		.dense = true,
	};

	sketch_move(&s, &plan);
	return s;
}

/* An empty sketch of a hash family: of another than the native one, of registers. */
static inline sketch
sketch_of_family(int precision, int family, pds_kind kind)
{
	sketch		s = pds_hll_has_tokens(family) ? sketch_new(precision) :
		sketch_dense(precision);

	s.b->header[1] = (uint8_t) (family << 4 | PDS_ENCODING_BUILDING);
	pds_state_set_kind(s.b, kind);
	return s;
}

static inline void
sketch_add(sketch *s, uint64_t h)
{
	while (pds_hll_add(s->b, h) != PDS_OK)
		sketch_grow(s);
}

/* One that is expected to get so many values, and so begins as a log if it is large. */
static inline sketch
sketch_expecting(int precision, uint64_t values)
{
	sketch		s = sketch_new(precision);
	pds_hll_plan plan = {.size = s.size};

	if (pds_hll_plan_start(s.b, values, SIZE_MAX, &plan))
		sketch_move(&s, &plan);
	return s;
}

static inline void
sketch_fold(sketch *s, int precision)
{
	pds_hll_plan plan;

	if (pds_hll_plan_merge(s->b, s->size, precision, false, 0, &plan))
		sketch_move(s, &plan);
}

static inline void
sketch_merge(sketch *s, const sketch *from)
{
	pds_hll_plan plan;
	pds_status	status;

	/* with what waits in its ring */
	if (!pds_hll_check_build(from->b, from->size))
		sketch_die("a state is refused");
	if (pds_hll_plan_merge(s->b, s->size, from->b->precision,
						   from->b->dense != 0, pds_hll_tokens_at_least(from->b), &plan))
		sketch_move(s, &plan);
	while ((status = pds_hll_merge_build(s->b, from->b)) == PDS_FULL)
		sketch_grow(s);
	if (status != PDS_OK)
		sketch_die("two building sketches do not merge");
}

static inline void
sketch_merge_view(sketch *s, const pds_hll_view *v)
{
	pds_hll_plan plan;
	pds_status	status;

	if (pds_hll_plan_merge(s->b, s->size, v->precision,
						   v->encoding == PDS_HLL_DENSE, v->tokens, &plan))
		sketch_move(s, &plan);
	while ((status = pds_hll_merge_view(s->b, v)) == PDS_FULL)
		sketch_grow(s);
	if (status != PDS_OK)
		sketch_die("a checked sketch does not merge");
}

static inline pds_hll_view
payload_view(const payload *from)
{
	pds_hll_view v;
	const char *why = "";

	pds_status	status = pds_hll_check(from->bytes, from->len, &why);

	if (status != PDS_OK)
		sketch_die(why);
	if (pds_hll_open(&v, from->bytes, from->len, from->len, &why) != PDS_OK)
		sketch_die(why);
	return v;
}

static inline void
sketch_merge_payload(sketch *s, const payload *from)
{
	pds_hll_view v = payload_view(from);

	sketch_merge_view(s, &v);
}

/* Of a state that the library would not make. */
static inline payload
sketch_write(sketch *s)
{
	pds_hll_encoding e;
	uint8_t    *out;
	void	   *scratch;
	size_t		len;
	payload		p;

	pds_hll_measure(s->b, &e);
	out = sketch_memory(e.bytes);
	scratch = sketch_memory(e.scratch);
	len = pds_hll_encode(s->b, &e, scratch, out);
	if (len > e.bytes)
		sketch_die("longer than its bound");
	p = payload_copy(out, len);
	free(scratch);
	free(out);
	return p;
}

static inline payload
sketch_encode(sketch *s)
{
	if (!pds_hll_check_build(s->b, s->size))
		sketch_die("a state is refused");
	return sketch_write(s);
}

/* n integers from a certain one on. */
static inline void
sketch_add_integers(sketch *s, uint64_t from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sketch_add(s, pds_murmur3_u64(from + i).h1);
}

static inline payload
payload_of_integers(int precision, uint64_t from, size_t n)
{
	sketch		s = sketch_new(precision);
	payload		stored;

	sketch_add_integers(&s, from, n);
	stored = sketch_encode(&s);
	sketch_free(&s);
	return stored;
}

/* A hash that puts the value rank (1 to 65 - p) in register index. */
static inline uint64_t
hash_of_register(uint32_t index, int rank, int p)
{
	return index | (rank <= 64 - p ? UINT64_C(1) << (p + rank - 1) : 0);
}

#endif
