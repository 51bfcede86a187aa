/*
 * cuckoo_sketch.h: cuckoo filters on malloc, for the tests
 *
 * The library never allocates; this is the caller that it expects.  Every piece of memory
 * is exactly as large as the library asked for, so that a sanitizer sees the first byte
 * too far.  What the server's frame does by the table of functions is done by it here.
 */
#ifndef PDS_TEST_CUCKOO_SKETCH_H
#define PDS_TEST_CUCKOO_SKETCH_H

#include "payload.h"

#include "decimal.h"
#include "murmur3.h"
#include "cuckoo.h"

typedef struct sketch
{
	pds_cuckoo_build *b;
	size_t		size;
} sketch;

static inline pds_cuckoo_shape
shape_of(uint64_t capacity, double rate)
{
	pds_cuckoo_shape s;

	pds_cuckoo_shape_for(capacity, pds_decimal_code(rate), &s);
	return s;
}

/* An empty sketch. */
static inline sketch
sketch_new(const pds_cuckoo_shape *shape)
{
	sketch		s;

	s.size = PDS_CUCKOO_FIRST_SIZE;
	s.b = sketch_memory(s.size);
	pds_cuckoo_build_init(s.b, shape);
	return s;
}

static inline sketch
sketch_nothing(void)
{
	sketch		s;

	s.size = pds_cuckoo_ops.first_size;
	s.b = sketch_memory(s.size);
	pds_cuckoo_ops.init_nothing(s.b);
	return s;
}

static inline void
sketch_free(sketch *s)
{
	free(s->b);
	s->b = NULL;
}

static inline void
sketch_move(sketch *s, pds_cuckoo_plan plan)
{
	int			tries = 0;

	for (;;)
	{
		pds_cuckoo_build *to = sketch_memory(plan.size);
		size_t		size = plan.size;

		if (pds_cuckoo_ops.rebuild(to, (pds_plan *) &plan, s->b) == PDS_OK)
		{
			free(s->b);
			s->b = to;
			s->size = size;
			return;
		}
		free(to);
		if (plan.size <= size || ++tries > 30)
			sketch_die("a plan that is not larger");
	}
}

static inline void
sketch_grow(sketch *s)
{
	pds_cuckoo_plan plan;

	plan.size = s->size;
	pds_cuckoo_ops.plan_growth(s->b, (pds_plan *) &plan);
	sketch_move(s, plan);
}

static inline pds_status
sketch_try_add(sketch *s, pds_hash h)
{
	pds_status	status;
	int			moves = 0;

	pds_state_set_kind(s->b, PDS_KIND_NUMBER);
	while ((status = pds_cuckoo_ops.add(s->b, h)) == PDS_FULL)
	{
		if (++moves > 2)
			sketch_die("plans that did not help");
		sketch_grow(s);
	}
	return status;
}

static inline void
sketch_add(sketch *s, pds_hash h)
{
	if (sketch_try_add(s, h) != PDS_OK)
		sketch_die("a value that cannot be added");
}

static inline uint64_t
sketch_count(sketch *s, pds_hash h)
{
	pds_cuckoo_flush(s->b);
	return pds_cuckoo_count(s->b, h);
}

static inline pds_status
sketch_try_union(sketch *s, const pds_operand *from, pds_kind kind)
{
	pds_cuckoo_plan plan = {.size = s->size};
	pds_status	status = pds_cuckoo_ops.plan_union(s->b, from, (pds_plan *) &plan);
	int			moves = 0;

	if (status == PDS_FULL)
		sketch_move(s, plan);
	else if (status != PDS_OK)
		return status;
	if (kind != PDS_KIND_NONE)
		pds_state_set_kind(s->b, kind);
	while ((status = pds_cuckoo_ops.merge(s->b, from)) == PDS_FULL)
	{
		if (++moves > 100)
			sketch_die("plans that did not help");
		sketch_grow(s);
	}
	return status;
}

static inline pds_status
sketch_try_merge(sketch *s, const sketch *from)
{
	pds_operand operand = {from->b, NULL};

	return sketch_try_union(s, &operand, pds_state_kind(from->b));
}

static inline pds_cuckoo_view
payload_view(const payload *from)
{
	pds_cuckoo_view v;
	const char *why = "";

	if (pds_cuckoo_check(from->bytes, from->len, &why) != PDS_OK ||
		pds_cuckoo_ops.open(&v, from->bytes, from->len, from->len, &why) != PDS_OK)
		sketch_die(why);
	return v;
}

static inline pds_status
sketch_try_merge_payload(sketch *s, const payload *from)
{
	pds_cuckoo_view v = payload_view(from);
	pds_operand operand = {NULL, &v};

	return sketch_try_union(s, &operand, v.kind);
}

/* Of a state that may come from damaged bytes. */
static inline payload
sketch_write(sketch *s)
{
	pds_cuckoo_encoding x;
	uint8_t    *out;
	void	   *scratch;
	size_t		len;
	payload		p;

	pds_cuckoo_ops.measure(s->b, (pds_encoding *) &x);
	out = sketch_memory(x.bytes);
	scratch = sketch_memory(x.scratch);
	len = pds_cuckoo_ops.encode(s->b, (pds_encoding *) &x, scratch, out);
	if (len > x.bytes)
		sketch_die("longer than its bound");
	p = payload_copy(out, len);
	free(scratch);
	free(out);
	return p;
}

static inline payload
sketch_encode(sketch *s)
{
	if (!pds_cuckoo_check_build(s->b, s->size))
		sketch_die("a state is refused");
	return sketch_write(s);
}

static inline uint64_t
payload_count(const payload *p, pds_hash h)
{
	pds_cuckoo_view v;
	uint64_t	copies;

	if (pds_cuckoo_open(&v, p->bytes, p->len, p->len, NULL) != PDS_OK ||
		pds_cuckoo_view_count(&v, h, pds_in_memory, &v, &copies) != PDS_OK)
		sketch_die("a checked filter that is corrupt");
	return copies;
}

#endif
