/*
 * stored.h: stored bytes by way of a module's table of functions (base/state_ops.h),
 * as the server's frame goes it: check, open, load, merge, add, store
 *
 * The same for all types; what only one type promises is in its <target>_fuzz.c.
 */
#ifndef PDS_TEST_STORED_H
#define PDS_TEST_STORED_H

#include "fuzz.h"
#include "payload.h"
#include "pieces.h"

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
	MUST(ops->is_nothing(s.image));
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

static inline pds_status
stored_merge(stored_state *s, const pds_operand *from, pds_kind kind)
{
	stored_space space;
	pds_status	status;

	while ((status = stored_plan_union(s, from, &space.plan)) == PDS_FULL)
		if ((status = stored_move(s, &space.plan)) != PDS_OK)
			return status;
	if (status != PDS_OK)
		return status;
	if (pds_state_kind(s->image) == PDS_KIND_NONE)
		pds_state_set_kind(s->image, kind);
	while ((status = s->ops->merge(s->image, from)) == PDS_FULL)
	{
		if (s->ops->plan_growth == NULL)
			return status;
		space.plan.size = s->size;
		s->ops->plan_growth(s->image, &space.plan);
		if ((status = stored_move(s, &space.plan)) != PDS_OK)
			return status;
	}
	return status;
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
	MUST(out->len <= space.encoding.bytes);
	free(scratch);
	return PDS_OK;
}

/* The state is stored as these bytes, and can be worked with. */
static inline void
stored_must_be(stored_state *s, const payload *in)
{
	payload		out;

	MUST(!s->ops->is_nothing(s->image) && s->ops->check_state(s->image, s->size));
	MUST(stored_write(s, &out) == PDS_OK);
	MUST(payload_equal(in, &out));
	payload_free(&out);
}

/* The state is stored as some sketch, unless it became too large for a test. */
static inline void
stored_must_be_good(stored_state *s)
{
	payload		out;
	pds_status	status = stored_write(s, &out);

	MUST(status == PDS_OK || status == PDS_TOO_LARGE);
	if (status != PDS_OK)
		return;
	MUST(s->ops->check(out.bytes, out.len, NULL) == PDS_OK);
	payload_free(&out);
}

/* What passed the check: loaded it is the same, also as a state; twice of it and more in it. */
static inline void
stored_good(const pds_state_ops *ops, const payload *in, const pds_operand *from, uint64_t seed)
{
	pds_kind	kind = pds_header_kind(in->bytes, in->len);
	stored_state s = stored_nothing(ops);
	stored_state t = stored_nothing(ops);
	pds_operand as_state = {NULL, NULL};
	pds_status	status = stored_merge(&s, from, kind);

	MUST(status == PDS_OK || status == PDS_TOO_LARGE);
	if (status == PDS_OK)
	{
		stored_must_be(&s, in);
		as_state.state = s.image;
		status = stored_merge(&t, &as_state, kind);
		MUST(status == PDS_OK || status == PDS_TOO_LARGE);
		if (status == PDS_OK)
			stored_must_be(&t, in);
		status = stored_merge(&s, from, kind);
		MUST(status != PDS_CORRUPT && status != PDS_FULL && status != PDS_PARAMETER_MISMATCH);
		if (status == PDS_OK)
			stored_must_be_good(&s);
		for (int i = 0; ops->add != NULL && i < 20 && status == PDS_OK; i++)
		{
			pds_hash	h = fuzz_hash(&seed);
			stored_space space;

			if (kind == PDS_KIND_NONE)
				pds_state_set_kind(s.image, PDS_KIND_NUMBER);
			while ((status = ops->add(s.image, h)) == PDS_FULL)
			{
				space.plan.size = s.size;
				ops->plan_growth(s.image, &space.plan);
				if ((status = stored_move(&s, &space.plan)) != PDS_OK)
					break;
			}
			MUST(status != PDS_CORRUPT);
		}
		if (status == PDS_OK)
			stored_must_be_good(&s);
	}
	free(s.image);
	free(t.image);
}

/* Bytes, whatever they are: refused with a reason, or a sketch in every way. */
static inline void
fuzz_stored(const pds_state_ops *ops, const payload *in)
{
	stored_space view;
	pds_operand from = {NULL, &view};
	const char *why = NULL;
	pds_status	status = ops->check(in->bytes, in->len, &why);
	bool		opens = ops->open(&view, in->bytes, in->len, in->len, NULL) == PDS_OK;

	MUST((status == PDS_OK) == (why == NULL) && (status == PDS_OK || status == PDS_CORRUPT));
	MUST(opens || status != PDS_OK);
	if (status == PDS_OK)
		stored_good(ops, in, &from, fuzz_seed(in->bytes, in->len));
	else if (opens)
	{
		/* a damaged table's sketch: each reader must stay within bounds, and end */
		stored_state s = stored_nothing(ops);
		payload		out;

		if (stored_merge(&s, &from, pds_header_kind(in->bytes, in->len)) == PDS_OK &&
			stored_write(&s, &out) == PDS_OK)
			payload_free(&out);
		free(s.image);
	}
}

#endif
