/*
 * bloom_ops.c: what the server's frame calls, by the table of base/state_ops.h
 */
#include "decimal.h"
#include "bloom.h"

static void
init_nothing(pds_bloom_build *b)
{
	pds_bloom_build_init_automatic(b, PDS_BLOOM_FIRST_SIZE,
								   pds_decimal_code(PDS_BLOOM_AUTO_RATE));
	b->automatic = 0;
}

/* Adds a value by its native hash, which is the hash that all aggregates make. */
static pds_status
add_native(pds_bloom_build *b, pds_hash hash)
{
	return pds_bloom_hashes_natively(b->shape.family) ? pds_bloom_add(b, hash) :
		PDS_PARAMETER_MISMATCH;
}

pds_status
pds_bloom_plan_union(pds_bloom_build *b, const pds_operand *from, pds_bloom_plan *plan)
{
	const pds_bloom_build *other = from->state;
	const pds_bloom_view *v = from->view;
	const pds_bloom_shape *shape = other != NULL ? &other->shape : &v->shape;
	pds_bloom_mode mode = other != NULL ? (pds_bloom_mode) other->mode :
		v->encoding == PDS_BLOOM_ARRAY ? PDS_BLOOM_BITS : PDS_BLOOM_POSITIONS;

	if (!b->undecided && !pds_bloom_same_shape(&b->shape, shape))
		return PDS_PARAMETER_MISMATCH;
	return pds_bloom_plan_merge(b, shape, mode, other != NULL ? other->count : v->count, plan) ?
		PDS_FULL : PDS_OK;
}

pds_status
pds_bloom_merge(pds_bloom_build *b, const pds_operand *from)
{
	return from->state != NULL ? pds_bloom_merge_build(b, from->state) :
		pds_bloom_merge_view(b, from->view);
}

/* A union of nothing at all is an automatic filter of nothing. */
static pds_status
plan_finish(void *state, pds_plan *plan)
{
	pds_bloom_build *b = state;

	if (b->undecided)
	{
		b->automatic = 1;
		b->undecided = 0;
	}
	return pds_bloom_plan_finish(b, 1, (pds_bloom_plan *) plan);
}

PDS_PLAN_START(bloom);

PDS_STATE_OPS(bloom, add_native, .first_size = PDS_BLOOM_FIRST_SIZE, .plan_start = plan_start,
			  .plan_finish = plan_finish);
