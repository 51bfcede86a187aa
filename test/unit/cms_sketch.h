/*
 * cms_sketch.h: Count-Min sketches on malloc, for the tests
 *
 * The library never allocates; this is the caller that it expects.  Every piece
 * of memory is exactly as large as the library asked for, so that a sanitizer
 * sees the first byte too far.
 */
#ifndef PDS_TEST_CMS_SKETCH_H
#define PDS_TEST_CMS_SKETCH_H

#include "payload.h"

#include "decimal.h"
#include "murmur3.h"
#include "cms.h"

typedef struct sketch
{
	pds_cms_build *b;
	size_t		size;
} sketch;

static inline pds_cms_shape
shape_of(double epsilon, double delta)
{
	pds_cms_shape s;

	if (pds_cms_shape_for(pds_decimal_code(epsilon), pds_decimal_code(delta), false, &s) != PDS_OK)
		sketch_die("too large");
	return s;
}

static inline pds_cms_shape
conservative_shape_of(double epsilon, double delta)
{
	pds_cms_shape s = shape_of(epsilon, delta);

	s.conservative = 1;
	return s;
}

/* An empty sketch. */
static inline sketch
sketch_new(const pds_cms_shape *shape)
{
	sketch		s;

	s.size = PDS_CMS_FIRST_SIZE;
	s.b = sketch_memory(s.size);
	pds_cms_build_init(s.b, shape);
	return s;
}

static inline void
sketch_free(sketch *s)
{
	free(s->b);
	s->b = NULL;
}

static inline sketch
sketch_moved(const sketch *s, pds_cms_plan plan)
{
	sketch		to;

	for (;;)
	{
		to.size = plan.size;
		to.b = sketch_memory(plan.size);
		if (pds_cms_rebuild(to.b, &plan, s->b) == PDS_OK)
			return to;
		free(to.b);
	}
}

static inline void
sketch_grow(sketch *s)
{
	pds_cms_plan plan = {.size = s->size};
	sketch		to;

	pds_cms_plan_growth(s->b, &plan);
	to = sketch_moved(s, plan);
	free(s->b);
	*s = to;
}

/* What pds_cms_add() says when it has the space it wants. */
static inline pds_status
sketch_try(sketch *s, pds_hash h, int64_t weight)
{
	pds_status	status;
	int			moves = 0;

	/* the frame gives the kind before it adds */
	pds_state_set_kind(s->b, PDS_KIND_NUMBER);
	while ((status = pds_cms_add(s->b, h, weight)) == PDS_FULL)
	{
		/* space, or width, or both; or counters, and their width */
		if (++moves > 2)
			sketch_die("plans that did not help");
		sketch_grow(s);
	}
	if (status != PDS_OK && s->b->total == 0)
		pds_state_set_kind(s->b, PDS_KIND_NONE);
	return status;
}

static inline void
sketch_add(sketch *s, pds_hash h, int64_t weight)
{
	if (sketch_try(s, h, weight) != PDS_OK)
		sketch_die("a weight that cannot be added");
}

static inline pds_status
sketch_try_merge(sketch *s, const sketch *from, bool subtract)
{
	pds_status	status;
	int			moves = 0;

	if (from->b->total > 0)
		pds_state_set_kind(s->b, PDS_KIND_NUMBER);
	while ((status = pds_cms_merge_build(s->b, from->b, subtract)) == PDS_FULL)
	{
		/* space, then perhaps width, then perhaps width again */
		if (++moves > 5)
			sketch_die("plans that did not help");
		sketch_grow(s);
	}
	return status;
}

static inline pds_status
sketch_try_merge_view(sketch *s, const pds_cms_view *v, bool subtract)
{
	pds_status	status;
	int			moves = 0;

	if (v->total > 0)
		pds_state_set_kind(s->b, v->kind);
	while ((status = pds_cms_merge_view(s->b, v, subtract)) == PDS_FULL)
	{
		if (++moves > 5)
			sketch_die("plans that did not help");
		sketch_grow(s);
	}
	return status;
}

static inline pds_cms_view
payload_view(const payload *from)
{
	pds_cms_view v;
	const char *why = "";

	if (pds_cms_check(from->bytes, from->len, &why) != PDS_OK ||
		pds_cms_open(&v, from->bytes, from->len, from->len, &why) != PDS_OK)
		sketch_die(why);
	return v;
}

static inline pds_status
sketch_try_merge_payload(sketch *s, const payload *from, bool subtract)
{
	pds_cms_view v = payload_view(from);

	return sketch_try_merge_view(s, &v, subtract);
}

/* Of a state that may come from damaged bytes. */
static inline payload
sketch_write(const sketch *s)
{
	sketch		moved = {NULL, 0};
	pds_cms_plan plan;
	pds_cms_encoding x;
	uint8_t    *out;
	void	   *scratch;
	size_t		len;
	payload		p;

	if (pds_cms_plan_finish(s->b, &plan))
	{
		moved = sketch_moved(s, plan);
		s = &moved;
		if (pds_cms_plan_finish(s->b, &plan))
			sketch_die("a plan that does not finish");
	}
	pds_cms_measure(s->b, &x);
	out = sketch_memory(x.bytes);
	scratch = sketch_memory(x.scratch);
	len = pds_cms_encode(s->b, &x, scratch, out);
	if (len > x.bytes)
		sketch_die("longer than its bound");
	p = payload_copy(out, len);
	free(scratch);
	free(out);
	free(moved.b);
	return p;
}

static inline payload
sketch_encode(const sketch *s)
{
	if (!pds_cms_check_build(s->b, s->size))
		sketch_die("a state is refused");
	return sketch_write(s);
}

static inline uint64_t
payload_frequency(const payload *p, pds_hash h)
{
	pds_cms_view v = payload_view(p);
	uint64_t	f;

	if (pds_cms_frequency(&v, h, pds_in_memory, &v, &f) != PDS_OK)
		sketch_die("a checked sketch that is corrupt");
	return f;
}

#endif
