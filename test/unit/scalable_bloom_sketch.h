/*
 * scalable_bloom_sketch.h: scalable Bloom filters on malloc, for the tests
 *
 * The library never allocates; this is the caller that it expects, and it calls by the
 * table of functions that the server's frame has.  Every piece of memory is exactly as
 * large as the library asked for, so that a sanitizer sees the first byte too far.
 */
#ifndef PDS_TEST_SCALABLE_BLOOM_SKETCH_H
#define PDS_TEST_SCALABLE_BLOOM_SKETCH_H

#include "payload.h"

#include "decimal.h"
#include "murmur3.h"
#include "scalable_bloom.h"
#include "scalable_bloom_layers.h"

typedef struct sketch
{
	pds_scalable_bloom_build *b;
	size_t		size;
} sketch;

typedef union any_plan
{
	pds_plan	head;
	pds_scalable_bloom_plan plan;
} any_plan;

static const pds_state_ops *const ops = &pds_scalable_bloom_ops;

static inline pds_scalable_bloom_parameters
parameters_of(uint64_t capacity, double rate, uint32_t expansion)
{
	pds_scalable_bloom_parameters p = {PDS_BLOOM_BLOCKED, 0, pds_decimal_code(rate), expansion,
		capacity};

	if (!pds_scalable_bloom_parameters_valid(&p))
		sketch_die("parameters out of range");
	return p;
}

static inline sketch
sketch_new(const pds_scalable_bloom_parameters *p, bool collect)
{
	sketch		s;

	s.size = PDS_SCALABLE_BLOOM_FIRST_SIZE;
	s.b = sketch_memory(s.size);
	pds_scalable_bloom_build_init(s.b, p, collect);
	return s;
}

/* A union of nothing yet. */
static inline sketch
sketch_nothing(void)
{
	sketch		s;

	s.size = ops->first_size;
	s.b = sketch_memory(s.size);
	ops->init_nothing(s.b);
	if (!ops->is_nothing(s.b))
		sketch_die("nothing is something");
	return s;
}

static inline void
sketch_free(sketch *s)
{
	free(s->b);
	s->b = NULL;
}

static inline void
sketch_move(sketch *s, any_plan *plan)
{
	sketch		to;

	to.size = plan->head.size;
	to.b = sketch_memory(to.size);
	if (ops->rebuild(to.b, &plan->head, s->b) != PDS_OK)
		sketch_die("a rebuild that fails");
	free(s->b);
	*s = to;
}

static inline pds_status
sketch_try(sketch *s, pds_hash h)
{
	pds_status	status;
	int			moves = 0;

	/* the frame gives the kind before it adds */
	pds_state_set_kind(s->b, s->b->parameters.family == PDS_BLOOM_BLOCKED ? PDS_KIND_NUMBER :
					   PDS_KIND_STRING);
	while ((status = ops->add(s->b, h)) == PDS_FULL)
	{
		any_plan	plan;

		/* open it, begin the next layer, space */
		if (++moves > 3)
			sketch_die("plans that did not help");
		plan.head.size = s->size;
		ops->plan_growth(s->b, &plan.head);
		sketch_move(s, &plan);
	}
	return status;
}

static inline void
sketch_add(sketch *s, pds_hash h)
{
	if (sketch_try(s, h) != PDS_OK)
		sketch_die("a value that cannot be added");
}

static inline pds_status
sketch_try_union(sketch *s, const pds_operand *from)
{
	any_plan	plan;
	pds_kind	kind = from->state != NULL ? pds_state_kind(from->state) :
		((const pds_scalable_bloom_view *) from->view)->kind;
	pds_status	status;

	if (kind != PDS_KIND_NONE)
		pds_state_set_kind(s->b, kind);
	plan.head.size = s->size;
	status = ops->plan_union(s->b, from, &plan.head);
	if (status == PDS_FULL)
		sketch_move(s, &plan);
	else if (status != PDS_OK)
		return status;
	status = ops->merge(s->b, from);
	if (status == PDS_FULL)
		sketch_die("a plan that did not help");
	return status;
}

static inline pds_scalable_bloom_view
payload_view(const payload *from)
{
	pds_scalable_bloom_view v;
	const char *why = "";

	if (ops->check(from->bytes, from->len, &why) != PDS_OK ||
		ops->open(&v, from->bytes, from->len, from->len, &why) != PDS_OK)
		sketch_die(why);
	return v;
}

static inline void
sketch_union_payload(sketch *s, const payload *from)
{
	pds_scalable_bloom_view v = payload_view(from);
	pds_operand operand = {NULL, &v};

	if (sketch_try_union(s, &operand) != PDS_OK)
		sketch_die("a sketch that does not merge");
}

static inline void
sketch_union_state(sketch *s, const sketch *from)
{
	pds_operand operand = {from->b, NULL};

	if (sketch_try_union(s, &operand) != PDS_OK)
		sketch_die("a state that does not merge");
}

/* Of a state that may come from damaged bytes. */
static inline payload
sketch_write(sketch *s)
{
	union
	{
		pds_encoding head;
		pds_scalable_bloom_encoding encoding;
	}			encoding;
	any_plan	plan;
	uint8_t    *out;
	void	   *scratch;
	size_t		len;
	payload		p;
	pds_status	status = ops->plan_finish(s->b, &plan.head);

	if (status == PDS_FULL)
		sketch_move(s, &plan);
	ops->measure(s->b, &encoding.head);
	out = sketch_memory(encoding.head.bytes);
	scratch = sketch_memory(encoding.head.scratch);
	len = ops->encode(s->b, &encoding.head, scratch, out);
	if (len > encoding.head.bytes)
		sketch_die("longer than its bound");
	p = payload_copy(out, len);
	free(scratch);
	free(out);
	return p;
}

static inline payload
sketch_encode(sketch *s)
{
	payload		p;
	const char *why = "";

	if (!ops->check_state(s->b, s->size))
		sketch_die("a state is refused");
	p = sketch_write(s);
	if (ops->check(p.bytes, p.len, &why) != PDS_OK)
		sketch_die(why);
	return p;
}

/* A state made from a stored sketch, to add to. */
static inline sketch
payload_state(const payload *p)
{
	sketch		s = sketch_nothing();

	sketch_union_payload(&s, p);
	return s;
}

static inline const uint8_t *
in_memory(void *context, size_t offset, size_t len)
{
	const pds_scalable_bloom_view *v = context;

	if (offset > v->len || len > v->len - offset)
		sketch_die("a look outside of the payload");
	return v->payload + offset;
}

static inline bool
view_contains(const pds_scalable_bloom_view *v, pds_hash h)
{
	uint64_t	found = 0;

	if (pds_scalable_bloom_view_contains(v, h, in_memory, (void *) v, &found) != PDS_OK)
		sketch_die("a checked sketch that is corrupt");
	return found;
}

/* The keys of a test: all different. */
static inline pds_hash
key(uint64_t i)
{
	return pds_murmur3_u64(i);
}

/* A sketch to which the keys from "from" to below "to" were added one by one, stored. */
static inline payload
payload_of_keys(const pds_scalable_bloom_parameters *p, uint64_t from, uint64_t to)
{
	sketch		s = sketch_new(p, false);
	payload		stored;

	for (uint64_t i = from; i < to; i++)
		sketch_add(&s, key(i));
	stored = sketch_encode(&s);
	sketch_free(&s);
	return stored;
}

#endif
