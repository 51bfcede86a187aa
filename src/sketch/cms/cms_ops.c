/*
 * cms_ops.c: what the server's frame calls, by the table of base/state_ops.h
 */
#include "decimal.h"
#include "cms.h"

/* A sketch of nothing at all has the default shape. */
static void
init_nothing(pds_cms_build *b)
{
	pds_cms_shape shape;

	(void) pds_cms_shape_for(pds_decimal_code(PDS_CMS_DEFAULT_EPSILON),
							 pds_decimal_code(PDS_CMS_DEFAULT_DELTA), false, &shape);
	pds_cms_build_init(b, &shape);
}

static pds_status
add_once(pds_cms_build *b, pds_hash hash)
{
	return pds_cms_add(b, hash, 1);
}

pds_status
pds_cms_plan_union(pds_cms_build *b, const pds_operand *from, pds_cms_plan *plan)
{
	const pds_cms_shape *shape = from->state != NULL ?
		&((const pds_cms_build *) from->state)->shape : &((const pds_cms_view *) from->view)->shape;

	(void) plan;
	if (b->undecided)
		pds_cms_build_init(b, shape);
	return pds_cms_same_shape(&b->shape, shape) ? PDS_OK : PDS_PARAMETER_MISMATCH;
}

static pds_status
combine(pds_cms_build *b, const pds_operand *from, bool subtract)
{
	return from->state != NULL ?
		pds_cms_merge_build(b, (pds_cms_build *) from->state, subtract) :
		pds_cms_merge_view(b, from->view, subtract);
}

pds_status
pds_cms_merge(pds_cms_build *b, const pds_operand *from)
{
	return combine(b, from, false);
}

pds_status
pds_cms_subtract(pds_cms_build *b, const pds_operand *from)
{
	return combine(b, from, true);
}

/* A union empties its ring. */
static bool
changes_as_operand(const void *state)
{
	return ((const pds_cms_build *) state)->pending > 0;
}

PDS_PLAN_START(cms);

static pds_status
plan_finish(void *state, pds_plan *plan)
{
	return pds_cms_plan_finish(state, (pds_cms_plan *) plan) ? PDS_FULL : PDS_OK;
}

static const char *
contradiction(const void *state, const pds_encoding *encoding)
{
	return ((const pds_cms_encoding *) encoding)->encoding == PDS_CMS_EMPTY &&
		((const pds_cms_build *) state)->total > 0 ? "It counts more than is in it." : NULL;
}

PDS_STATE_OPS(cms, add_once, .first_size = PDS_CMS_FIRST_SIZE,
			  .changes_as_operand = changes_as_operand, .plan_start = plan_start,
			  .plan_finish = plan_finish, .contradiction = contradiction);
