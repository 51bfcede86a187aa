/*
 * bloom_ops.c: what the server's frame calls, by the table of base/state_ops.h
 */
#include "bloom.h"
#include "bloom_ops.h"

/* The module's encoding, behind what the frame reads of it. */
typedef struct encoding
{
	pds_encoding head;
	pds_bloom_encoding own;
} encoding;

PDS_OPS_FIT(pds_bloom_view, pds_bloom_plan, encoding);

static pds_status
ops_open(void *view, const uint8_t *payload, size_t len, const char **why)
{
	return pds_bloom_open(view, payload, len, len, why);
}

static void
ops_init_nothing(void *state)
{
	pds_bloom_build *b = state;

	pds_bloom_build_init(b, PDS_BLOOM_FIRST_SIZE, NULL);
	b->automatic = 0;
	b->undecided = 1;
}

static bool
ops_is_nothing(const void *state)
{
	return ((const pds_bloom_build *) state)->undecided;
}

/* By its native hash, which is what all aggregates make. */
static pds_status
ops_add(void *state, pds_hash hash)
{
	pds_bloom_build *b = state;

	return pds_bloom_hashes_natively(b->shape.family) ? pds_bloom_add(b, hash) :
		PDS_PARAMETER_MISMATCH;
}

static void
ops_plan_growth(const void *state, size_t size, pds_plan *plan)
{
	*(pds_bloom_plan *) plan = pds_bloom_plan_growth(state, size);
}

static pds_status
ops_rebuild(void *to, pds_plan *plan, const void *from)
{
	pds_bloom_rebuild(to, (const pds_bloom_plan *) plan, from);
	return PDS_OK;
}

static pds_status
ops_plan_merge(void *state, size_t size, const pds_operand *from, pds_plan *plan)
{
	pds_bloom_build *b = state;
	const pds_bloom_build *other = from->state;
	const pds_bloom_view *v = from->view;
	const pds_bloom_shape *shape = other != NULL ? &other->shape : &v->shape;
	pds_bloom_mode mode = other != NULL ? (pds_bloom_mode) other->mode :
		v->encoding == PDS_BLOOM_ARRAY ? PDS_BLOOM_BITS : PDS_BLOOM_POSITIONS;

	(void) size;
	if (!b->undecided && !pds_bloom_same_shape(&b->shape, shape))
		return PDS_PARAMETER_MISMATCH;
	return pds_bloom_plan_merge(b, shape, mode, other != NULL ? other->count : v->count,
								(pds_bloom_plan *) plan) ? PDS_FULL : PDS_OK;
}

static pds_status
ops_merge(void *state, const pds_operand *from)
{
	return from->state != NULL ? pds_bloom_merge_build(state, from->state) :
		pds_bloom_merge_view(state, from->view);
}

/* A union of nothing at all is an automatic filter of nothing. */
static pds_status
ops_plan_finish(void *state, pds_plan *plan)
{
	pds_bloom_build *b = state;
	bool		full;

	if (b->undecided)
	{
		b->automatic = 1;
		b->undecided = 0;
	}
	if (pds_bloom_plan_finish(b, &full, (pds_bloom_plan *) plan))
		return PDS_FULL;
	return full ? PDS_TOO_LARGE : PDS_OK;
}

static pds_status
ops_encode_plan(void *state, pds_encoding *plan, const char **why)
{
	pds_bloom_encoding *own = &((encoding *) plan)->own;

	(void) why;
	pds_bloom_encode_plan(state, own);
	plan->bytes = own->bytes;
	return PDS_OK;
}

static size_t
ops_encode(void *state, const pds_encoding *plan, void *scratch, uint8_t *out)
{
	(void) scratch;
	pds_bloom_encode(state, &((const encoding *) plan)->own, out);
	return plan->bytes;
}

const pds_state_ops pds_bloom_ops = {
	PDS_STATE_OPS(bloom, PDS_BLOOM_FIRST_SIZE),
	.add = ops_add,
	.plan_growth = ops_plan_growth,
	.plan_finish = ops_plan_finish,
};
