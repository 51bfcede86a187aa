/*
 * stored.h: a sketch by way of its module's table of functions (base/state_ops.h), as the
 * server's frame goes it: load, merge, store
 */
#ifndef PDS_TEST_STORED_H
#define PDS_TEST_STORED_H

#include "payload.h"

#include "state_ops.h"

/* Images of larger states (of which few bytes may tell) are not made here. */
#define STORED_MOST		((size_t) 1 << 22)

typedef union stored_space
{
	uint64_t	aligned;
	uint8_t		view[PDS_VIEW_BYTES];
	uint8_t		bytes[PDS_PLAN_BYTES > PDS_ENCODING_BYTES ? PDS_PLAN_BYTES : PDS_ENCODING_BYTES];
	pds_plan	plan;
	pds_encoding encoding;
} stored_space;

/* A state on malloc, in memory that is exactly as large as the module asked for. */
typedef struct stored_state
{
	const pds_state_ops *ops;
	void	   *image;
	size_t		size;
} stored_state;

static inline stored_state
stored_nothing(const pds_state_ops *ops)
{
	stored_state s = {ops, sketch_memory(ops->first_size), ops->first_size};

	ops->init_nothing(s.image);
	if (!ops->is_nothing(s.image))
		sketch_die("the state of nothing is something");
	return s;
}

/* Move by a plan.  Errors: PDS_TOO_LARGE, and the module's. */
static inline pds_status
stored_move(stored_state *s, pds_plan *plan)
{
	pds_status	status;

	do
	{
		void	   *to;

		if (plan->size > STORED_MOST)
			return PDS_TOO_LARGE;
		to = sketch_memory(plan->size);
		status = s->ops->rebuild(to, plan, s->image);
		if (status == PDS_OK)
		{
			free(s->image);
			s->image = to;
			s->size = plan->size;
		}
		else
			free(to);
	} while (status == PDS_FULL);
	return status;
}

static inline pds_status
stored_plan_union(stored_state *s, const pds_operand *from, pds_plan *plan)
{
	plan->size = s->size;
	return s->ops->plan_union(s->image, from, plan);
}

/* Move to where one more value will fit, after a PDS_FULL.  Errors: as stored_move(). */
static inline pds_status
stored_grow(stored_state *s)
{
	stored_space space;

	space.plan.size = s->size;
	s->ops->plan_growth(s->image, &space.plan);
	return stored_move(s, &space.plan);
}

static inline pds_status
stored_merge(stored_state *s, const pds_operand *from, pds_kind kind)
{
	stored_space space;
	pds_status	status;

	for (int moves = 0; (status = stored_plan_union(s, from, &space.plan)) == PDS_FULL; moves++)
	{
		if (moves > 3)
			sketch_die("plans that did not help");
		if ((status = stored_move(s, &space.plan)) != PDS_OK)
			return status;
	}
	if (status != PDS_OK)
		return status;
	if (pds_state_kind(s->image) == PDS_KIND_NONE)
		pds_state_set_kind(s->image, kind);
	while ((status = s->ops->merge(s->image, from)) == PDS_FULL)
	{
		if (s->ops->plan_growth == NULL)
			return status;
		if ((status = stored_grow(s)) != PDS_OK)
			return status;
	}
	return status;
}

/* Merge with stored bytes, which open.  Errors: as stored_merge(). */
static inline pds_status
stored_merge_bytes(stored_state *s, const payload *in)
{
	stored_space view;
	pds_operand from = {NULL, &view};

	if (s->ops->open(&view, in->bytes, in->len, in->len, NULL) != PDS_OK)
		sketch_die("a head does not open");
	return stored_merge(s, &from, pds_header_kind(in->bytes, in->len));
}

/* The stored form.  Errors: PDS_TOO_LARGE, PDS_CORRUPT of what was not checked. */
static inline pds_status
stored_write(stored_state *s, payload *out)
{
	stored_space space;
	void	   *scratch = NULL;
	pds_status	status = s->ops->plan_finish == NULL ? PDS_OK :
		s->ops->plan_finish(s->image, &space.plan);

	if (status == PDS_FULL)
		status = stored_move(s, &space.plan);
	if (status != PDS_OK)
		return status;
	s->ops->measure(s->image, &space.encoding);
	if (s->ops->contradiction != NULL && s->ops->contradiction(s->image, &space.encoding) != NULL)
		return PDS_CORRUPT;
	out->bytes = sketch_memory(space.encoding.bytes);
	if (space.encoding.scratch > 0)
		scratch = sketch_memory(space.encoding.scratch);
	out->len = s->ops->encode(s->image, &space.encoding, scratch, out->bytes);
	if (out->len > space.encoding.bytes)
		sketch_die("the stored form is longer than it was said to be");
	free(scratch);
	return PDS_OK;
}

#endif
