/*
 * cuckoo_ops.c: cuckoo filters as the server's frame calls them (base/state_ops.h)
 */
#include "decimal.h"
#include "cuckoo.h"
#include "cuckoo_ops.h"

PDS_OPS_FIT(pds_cuckoo_view, pds_cuckoo_plan, pds_cuckoo_encoding);

static pds_status
ops_open(void *view, const uint8_t *payload, size_t len, const char **why)
{
	return pds_cuckoo_open(view, payload, len, len, why);
}

/* One of nothing at all has the usual shape. */
static void
ops_init_nothing(void *state)
{
	pds_cuckoo_build *b = state;
	pds_cuckoo_shape s;

	pds_cuckoo_shape_for(PDS_CUCKOO_DEFAULT_CAPACITY, pds_decimal_code(PDS_CUCKOO_DEFAULT_RATE),
						 &s);
	pds_cuckoo_build_init(b, &s);
	b->undecided = 1;
}

static bool
ops_is_nothing(const void *state)
{
	return ((const pds_cuckoo_build *) state)->undecided != 0;
}

static pds_status
ops_add(void *state, pds_hash hash)
{
	return pds_cuckoo_add(state, hash);
}

static void
ops_plan_growth(const void *state, size_t size, pds_plan *plan)
{
	(void) size;
	pds_cuckoo_plan_growth(state, (pds_cuckoo_plan *) plan);
}

static pds_status
ops_rebuild(void *to, pds_plan *plan, const void *from)
{
	return pds_cuckoo_rebuild(to, (pds_cuckoo_plan *) plan, from);
}

static pds_status
ops_plan_merge(void *state, size_t size, const pds_operand *from, pds_plan *plan)
{
	pds_cuckoo_build *b = state;
	const pds_cuckoo_build *other = from->state;
	const pds_cuckoo_view *v = from->view;
	const pds_cuckoo_shape *s = other != NULL ? &other->shape : &v->shape;
	uint64_t	more = other != NULL ? pds_cuckoo_distinct(other) + other->pending : v->distinct;

	(void) size;
	if (b->undecided)
	{
		b->shape = *s;
		b->undecided = other != NULL && other->undecided;
	}
	else if (other != NULL && other->undecided)
		return PDS_OK;
	if (!pds_cuckoo_same_shape(&b->shape, s))
		return PDS_PARAMETER_MISMATCH;
	if (!pds_cuckoo_plan_space(b, more, (pds_cuckoo_plan *) plan))
		return PDS_OK;
	return plan->size <= PDS_CUCKOO_MAX_IMAGE ? PDS_FULL : PDS_TOO_LARGE;
}

static pds_status
ops_merge(void *state, const pds_operand *from)
{
	if (from->state == NULL)
		return pds_cuckoo_merge_view(state, from->view);
	/* nothing was ever added to it */
	if (ops_is_nothing(from->state))
		return PDS_OK;
	return pds_cuckoo_merge_build(state, from->state);
}

static pds_status
ops_encode_plan(void *state, pds_encoding *encoding, const char **why)
{
	(void) why;
	pds_cuckoo_measure(state, (pds_cuckoo_encoding *) encoding);
	return PDS_OK;
}

static size_t
ops_encode(void *state, const pds_encoding *encoding, void *scratch, uint8_t *out)
{
	return pds_cuckoo_encode(state, (const pds_cuckoo_encoding *) encoding, scratch, out);
}

const pds_state_ops pds_cuckoo_ops = {
	PDS_STATE_OPS(cuckoo, PDS_CUCKOO_FIRST_SIZE),
	.add = ops_add,
	.plan_growth = ops_plan_growth,
};
