/*
 * cuckoo_ops.c: cuckoo filters as the server's frame calls them (base/state_ops.h)
 */
#include "decimal.h"
#include "cuckoo.h"

/* A sketch of nothing at all has the default shape. */
static void
init_nothing(pds_cuckoo_build *b)
{
	pds_cuckoo_shape s;

	pds_cuckoo_shape_for(PDS_CUCKOO_DEFAULT_CAPACITY, pds_decimal_code(PDS_CUCKOO_DEFAULT_RATE),
						 &s);
	pds_cuckoo_build_init(b, &s);
}

pds_status
pds_cuckoo_plan_union(pds_cuckoo_build *b, const pds_operand *from, pds_cuckoo_plan *plan)
{
	const pds_cuckoo_build *other = from->state;
	const pds_cuckoo_view *v = from->view;
	const pds_cuckoo_shape *s = other != NULL ? &other->shape : &v->shape;
	uint64_t	more = other != NULL ? pds_cuckoo_distinct(other) + other->pending : v->distinct;

	if (b->undecided)
		pds_cuckoo_build_init(b, s);
	if (!pds_cuckoo_same_shape(&b->shape, s))
		return PDS_PARAMETER_MISMATCH;
	/* where not all classes of both would fit, most of them may be the same ones: that shows */
	return pds_cuckoo_plan_space(b, more, plan) && plan->size <= PDS_CUCKOO_MAX_IMAGE ?
		PDS_FULL : PDS_OK;
}

pds_status
pds_cuckoo_merge(pds_cuckoo_build *b, const pds_operand *from)
{
	return from->state != NULL ? pds_cuckoo_merge_build(b, from->state) :
		pds_cuckoo_merge_view(b, from->view);
}

static pds_status
ops_remove(void *state, pds_hash hash)
{
	return pds_cuckoo_remove(state, hash);
}

PDS_STATE_OPS(cuckoo, pds_cuckoo_add, .first_size = PDS_CUCKOO_FIRST_SIZE,
			  .remove = ops_remove);
