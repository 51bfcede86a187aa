/*
 * state.c: the building form of a sketch: memory, growth, unions, loading and storing
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "detoast_cache.h"
#include "state.h"

/* Memory for an encoding of any module. */
typedef union PdsEncoding
{
	pds_encoding head;
	uint8		bytes[PDS_ENCODING_BYTES];
} PdsEncoding;

void *
pds_state_alloc(size_t size)
{
	void	   *state = palloc(size);

	pds_ask_for_huge_pages(state, size);
	SET_VARSIZE(state, size);
	return state;
}

void *
pds_state_nothing(const PdsSketchType *type)
{
	void	   *state = pds_state_alloc(type->ops->first_size);

	type->ops->init_nothing(state);
	return state;
}

void *
pds_state_move(const PdsSketchType *type, const void *state, pds_plan *plan)
{
	for (;;)
	{
		void	   *to = pds_state_alloc(plan->size);
		pds_status	status = type->ops->rebuild(to, plan, state);

		if (status == PDS_OK)
			return to;
		if (status != PDS_FULL)
			pds_state_refuse(type, state, status);
		pfree(to);
	}
}

void *
pds_state_grow(const PdsSketchType *type, const void *state)
{
	PdsPlan		plan;

	plan.head.size = VARSIZE(state);
	type->ops->plan_growth(state, &plan.head);
	return pds_state_move(type, state, &plan.head);
}

void
pds_state_refuse(const PdsSketchType *type, const void *state, pds_status status)
{
	if (type->refuse != NULL)
		type->refuse(state, status);
	pds_stored_corrupt(type, NULL);
}

void *
pds_state_add(const PdsSketchType *type, void *state, pds_hash hash, pds_kind kind)
{
	pds_state_take_kind(type, state, kind);
	PDS_STATE_CHANGE(type, state, type->ops->add(state, hash));
	return state;
}

void *
pds_state_from(const PdsSketchType *type, struct varlena *value)
{
	if (pds_is_building(value))
		return pds_sketch_own_state(type, value);
	return pds_state_load(type, value);
}

void *
pds_state_load(const PdsSketchType *type, struct varlena *value)
{
	void	   *nothing = pds_state_nothing(type);
	void	   *state = pds_state_merge(type, nothing, value);

	if (state != nothing)
		pfree(nothing);
	return state;
}

/*
 * Returns a state for use as the other side of a union.  The state is copied if it came out of
 * a tuple (short header, any address) or if the union would work in it.  It may lie in a page
 * of a table, where a change would be a change for everybody.  Raises XX001 if it is damaged.
 */
static struct varlena *
as_operand(const PdsSketchType *type, struct varlena *value)
{
	if (!VARATT_IS_4B_U(value) || (uintptr_t) value % MAXIMUM_ALIGNOF != 0)
		return pds_sketch_own_state(type, value);
	pds_require_state(type, value);
	if (type->ops->changes_as_operand != NULL && type->ops->changes_as_operand(value))
		return pds_sketch_from_payload(PDS_PAYLOAD(value), PDS_PAYLOAD_LEN(value));
	return value;
}

/* The stored form of a state or value, which lasts. */
static void
open_either(const PdsSketchType *type, struct varlena *value, PdsView *view)
{
	pds_sketch_open(type, pds_is_building(value) ? pds_state_store(type, value) : value, view);
}

/* 22000: a state and a value of either form that cannot be united. */
pg_noreturn static void
mismatch(const PdsSketchType *type, void *state, struct varlena *value)
{
	PdsView		a;
	PdsView		b;

	open_either(type, state, &a);
	open_either(type, value, &b);
	if (type->mismatch != NULL)
		type->mismatch(&a, &b);
	pds_refuse_shapes(psprintf("%s values of different parameters", type->name),
					  type->describe(&a), type->describe(&b),
					  psprintf("Build both with the same %s.",
							   pds_parameter_names(type->parameters,
												   pds_parameter_count(type->parameters))));
}

static pds_status
plan_union(const PdsSketchType *type, void *state, const pds_operand *operand, pds_plan *plan)
{
	plan->size = VARSIZE(state);
	return type->ops->plan_union(state, operand, plan);
}

void *
pds_state_merge(const PdsSketchType *type, void *state, struct varlena *value)
{
	const void *given = state;
	struct varlena *copy = NULL;
	pds_operand operand = {NULL, NULL};
	PdsView		view;
	PdsPlan		plan;
	pds_status	status;

	if (type->ops->merge_plainly != NULL &&
		type->ops->merge_plainly(state, PDS_PAYLOAD(value), PDS_PAYLOAD_LEN(value)) == PDS_OK)
		return state;
	if (pds_is_building(value))
	{
		struct varlena *other = as_operand(type, value);

		if (other != value)
			value = copy = other;
		operand.state = value;
		if (type->ops->is_nothing(value))
			return state;
		if (type->ops->is_nothing(state))
			return copy != NULL ? copy :
				pds_sketch_from_payload(PDS_PAYLOAD(value), PDS_PAYLOAD_LEN(value));
	}
	else
	{
		pds_sketch_open(type, value, &view);
		operand.view = &view;
	}
	while ((status = plan_union(type, state, &operand, &plan.head)) == PDS_FULL)
		state = pds_state_replace(given, state, pds_state_move(type, state, &plan.head));
	if (status == PDS_PARAMETER_MISMATCH)
		mismatch(type, state, value);
	if (status != PDS_OK)
		pds_state_refuse(type, state, status);
	pds_state_join(type, state, value);
	while ((status = type->ops->merge(state, &operand)) != PDS_OK)
	{
		if (status != PDS_FULL)
			pds_state_refuse(type, state, status);
		state = pds_state_replace(given, state, pds_state_grow(type, state));
	}
	if (copy != NULL)
		pfree(copy);
	return state;
}

struct varlena *
pds_state_store(const PdsSketchType *type, void *state)
{
	const pds_state_ops *ops = type->ops;
	void	   *moved = NULL;
	void	   *scratch = NULL;
	const char *why;
	struct varlena *value;
	size_t		len;
	PdsPlan		plan;
	PdsEncoding encoding;
	pds_status	status = ops->plan_finish == NULL ? PDS_OK : ops->plan_finish(state, &plan.head);

	if (status == PDS_FULL)
		state = moved = pds_state_move(type, state, &plan.head);
	else if (status != PDS_OK)
		pds_state_refuse(type, state, status);
	ops->measure(state, &encoding.head);
	why = ops->contradiction == NULL ? NULL : ops->contradiction(state, &encoding.head);
	if (why != NULL)
		pds_stored_corrupt(type, why);
	value = palloc(VARHDRSZ + encoding.head.bytes);
	if (encoding.head.scratch > 0)
		scratch = palloc_extended(encoding.head.scratch, MCXT_ALLOC_HUGE);
	len = ops->encode(state, &encoding.head, scratch, (uint8_t *) VARDATA(value));
	if (len == 0)
		pds_state_refuse(type, state, PDS_TOO_LARGE);
	SET_VARSIZE(value, VARHDRSZ + len);
	if (scratch != NULL)
		pfree(scratch);
	if (moved != NULL)
		pfree(moved);
	return value;
}
