/*
 * ddsketch_sketch.h: DDSketches on malloc, for the tests
 *
 * The library never allocates; this is the caller that it expects.  Every piece of memory is
 * exactly as large as the library asked for, so that a sanitizer sees the first byte too far.
 */
#ifndef PDS_TEST_DDSKETCH_SKETCH_H
#define PDS_TEST_DDSKETCH_SKETCH_H

#include <math.h>

#include "payload.h"
#include "stored.h"

#include "ddsketch.h"
#include "ddsketch_answer.h"

/* An empty one. */
static inline stored_state
sketch_new(int scale, uint32_t max_buckets)
{
	stored_state s = stored_nothing(&pds_ddsketch_ops);

	pds_ddsketch_build_init(s.image, scale, max_buckets, 0);
	return s;
}

static inline void
sketch_free(stored_state *s)
{
	free(s->image);
	s->image = NULL;
}

static inline pds_ddsketch_build *
sketch_build(const stored_state *s)
{
	return s->image;
}

static inline pds_status
sketch_try_add(stored_state *s, double v, uint64_t weight)
{
	stored_space plan;
	pds_status	status;

	if (pds_state_kind(s->image) == PDS_KIND_NONE && weight > 0)
		pds_state_set_kind(s->image, PDS_KIND_NUMBER);
	while ((status = pds_ddsketch_add(s->image, v, weight)) == PDS_FULL)
	{
		pds_ddsketch_plan_growth(s->image, (pds_ddsketch_plan *) &plan);
		if (stored_move(s, &plan.plan) != PDS_OK)
			sketch_die("a state that cannot grow");
	}
	return status;
}

static inline void
sketch_add(stored_state *s, double v)
{
	if (sketch_try_add(s, v, 1) != PDS_OK)
		sketch_die("a number that cannot be added");
}

static inline payload
sketch_encode(stored_state *s)
{
	payload		p;

	if (!pds_ddsketch_check_build(s->image, s->size))
		sketch_die("a state is refused");
	if (stored_write(s, &p) != PDS_OK)
		sketch_die("a state that cannot be stored");
	return p;
}

static inline pds_ddsketch_view
payload_view(const payload *p)
{
	pds_ddsketch_view v;

	if (pds_ddsketch_open(&v, p->bytes, p->len, p->len, NULL) != PDS_OK)
		sketch_die("a stored sketch that cannot be opened");
	return v;
}

static inline stored_state
sketch_load(const payload *p)
{
	stored_state s = stored_nothing(&pds_ddsketch_ops);

	if (stored_merge_bytes(&s, p) != PDS_OK)
		sketch_die("a stored sketch that cannot be loaded");
	return s;
}

/* A sketch of these numbers. */
static inline payload
payload_of(const double *numbers, size_t n, int scale, uint32_t max_buckets)
{
	stored_state s = sketch_new(scale, max_buckets);
	payload		p;

	for (size_t i = 0; i < n; i++)
		sketch_add(&s, numbers[i]);
	p = sketch_encode(&s);
	sketch_free(&s);
	return p;
}

static inline pds_ddsketch_range
payload_quantile(const payload *p, double q)
{
	pds_ddsketch_view v = payload_view(p);
	pds_ddsketch_range r;

	if (pds_ddsketch_quantile(&v, q, &r) != PDS_OK)
		sketch_die("a stored sketch that cannot be asked");
	return r;
}

/* PostgreSQL's order: NaN is the largest. */
static inline int
number_cmp(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	if (isnan(x) || isnan(y))
		return isnan(x) - isnan(y);
	return (x > y) - (x < y);
}

#endif
