/*
 * cms_ops.c: what the server's frame calls, by the table of base/state_ops.h
 */
#include "cms.h"
#include "cms_ops.h"

/* The extent, behind what the frame reads of it. */
typedef struct encoding
{
	pds_encoding head;
	pds_cms_extent extent;
} encoding;

PDS_OPS_FIT(pds_cms_view, pds_cms_plan, encoding);

static pds_status
ops_open(void *view, const uint8_t *payload, size_t len, const char **why)
{
	return pds_cms_open(view, payload, len, len, why);
}

/* One of nothing at all has the usual shape. */
static void
ops_init_nothing(void *state)
{
	pds_cms_build *b = state;
	pds_cms_shape shape;

	(void) pds_cms_shape_for(pds_decimal_code(PDS_CMS_DEFAULT_EPSILON),
							 pds_decimal_code(PDS_CMS_DEFAULT_DELTA), false, &shape);
	pds_cms_build_init(b, &shape);
	b->undecided = 1;
}

static bool
ops_is_nothing(const void *state)
{
	return ((const pds_cms_build *) state)->undecided;
}

static pds_status
ops_add(void *state, pds_hash hash)
{
	return pds_cms_add(state, hash, 1);
}

static void
ops_plan_growth(const void *state, size_t size, pds_plan *plan)
{
	*(pds_cms_plan *) plan = pds_cms_plan_growth(state, size);
}

static pds_status
ops_rebuild(void *to, pds_plan *plan, const void *from)
{
	return pds_cms_rebuild(to, (pds_cms_plan *) plan, from) ? PDS_OK : PDS_FULL;
}

static pds_status
ops_plan_merge(void *state, size_t size, const pds_operand *from, pds_plan *plan)
{
	pds_cms_build *b = state;
	const pds_cms_shape *shape = pds_cms_operand_shape(from);

	(void) size;
	(void) plan;
	if (b->undecided)
		pds_cms_build_init(b, shape);
	return pds_cms_same_shape(&b->shape, shape) ? PDS_OK : PDS_PARAMETER_MISMATCH;
}

static pds_status
ops_merge(void *state, const pds_operand *from)
{
	return pds_cms_combine(state, from, false);
}

/* A union empties its ring. */
static bool
ops_changes_as_operand(const void *state)
{
	return ((const pds_cms_build *) state)->pending > 0;
}

static pds_status
ops_plan_finish(void *state, pds_plan *plan)
{
	return pds_cms_plan_finish(state, (pds_cms_plan *) plan) ? PDS_FULL : PDS_OK;
}

static pds_status
ops_encode_plan(void *state, pds_encoding *plan, const char **why)
{
	pds_cms_extent *x = &((encoding *) plan)->extent;

	pds_cms_measure(state, x);
	if (x->encoding == PDS_CMS_EMPTY && ((const pds_cms_build *) state)->total > 0)
		PDS_REFUSE(why, "It counts more than is in it.");
	plan->bytes = x->bytes;
	plan->scratch = x->scratch;
	return PDS_OK;
}

static size_t
ops_encode(void *state, const pds_encoding *plan, void *scratch, uint8_t *out)
{
	return pds_cms_encode(state, &((const encoding *) plan)->extent, scratch, out);
}

const pds_cms_shape *
pds_cms_operand_shape(const pds_operand *from)
{
	return from->state != NULL ? &((const pds_cms_build *) from->state)->shape :
		&((const pds_cms_view *) from->view)->shape;
}

pds_status
pds_cms_combine(pds_cms_build *b, const pds_operand *from, bool subtract)
{
	return from->state != NULL ?
		pds_cms_merge_build(b, (pds_cms_build *) from->state, subtract) :
		pds_cms_merge_view(b, from->view, subtract);
}

const pds_state_ops pds_cms_ops = {
	PDS_STATE_OPS(cms, PDS_CMS_FIRST_SIZE),
	.add = ops_add,
	.plan_growth = ops_plan_growth,
	.changes_as_operand = ops_changes_as_operand,
	.plan_finish = ops_plan_finish,
};
