/*
 * minhash_ops.c: what the server's frame calls for a MinHash sketch
 */
#include "minhash.h"
#include "minhash_ops.h"

PDS_OPS_FIT(pds_minhash_view, pds_minhash_plan, pds_minhash_extent);

_Static_assert(offsetof(pds_minhash_plan, size) == offsetof(pds_plan, size) &&
			   offsetof(pds_minhash_extent, bytes) == offsetof(pds_encoding, bytes) &&
			   offsetof(pds_minhash_extent, scratch) == offsetof(pds_encoding, scratch),
			   "a module's structs begin with what the frame reads");

static pds_status
ops_open(void *view, const uint8_t *payload, size_t len, const char **why)
{
	return pds_minhash_open(view, payload, len, why);
}

static void
ops_init_nothing(void *state)
{
	pds_minhash_build *b = state;

	pds_minhash_build_init(b, PDS_MINHASH_DEFAULT_LOG2_K);
	b->undecided = 1;
}

static bool
ops_is_nothing(const void *state)
{
	return ((const pds_minhash_build *) state)->undecided;
}

static pds_status
ops_add(void *state, pds_hash hash)
{
	return pds_minhash_add(state, hash);
}

static void
ops_plan_growth(const void *state, size_t size, pds_plan *plan)
{
	(void) size;
	pds_minhash_plan_growth(state, (pds_minhash_plan *) plan);
}

static pds_status
ops_rebuild(void *to, pds_plan *plan, const void *from)
{
	return pds_minhash_rebuild(to, (pds_minhash_plan *) plan, from);
}

static pds_status
ops_plan_merge(void *state, size_t size, const pds_operand *from, pds_plan *plan)
{
	pds_minhash_plan *p = (pds_minhash_plan *) plan;
	const pds_minhash_build *b = from->state;
	const pds_minhash_view *v = from->view;
	bool		move;

	(void) size;
	if (b != NULL && b->undecided)
		return PDS_OK;
	move = b != NULL ? pds_minhash_plan_union(state, b->log2_k, b->dense, b->tokens, p) :
		pds_minhash_plan_union(state, v->log2_k, v->encoding == PDS_MINHASH_DENSE, v->tokens, p);
	return move ? PDS_FULL : PDS_OK;
}

static pds_status
ops_merge(void *state, const pds_operand *from)
{
	const pds_minhash_build *b = from->state;

	if (b == NULL)
		return pds_minhash_merge_view(state, from->view);
	return b->undecided ? PDS_OK : pds_minhash_merge_build(state, b);
}

static pds_status
ops_encode_plan(void *state, pds_encoding *encoding, const char **why)
{
	(void) why;
	pds_minhash_measure(state, (pds_minhash_extent *) encoding);
	return PDS_OK;
}

static size_t
ops_encode(void *state, const pds_encoding *encoding, void *scratch, uint8_t *out)
{
	return pds_minhash_encode(state, (const pds_minhash_extent *) encoding, scratch, out);
}

const pds_state_ops pds_minhash_ops = {
	PDS_STATE_OPS(minhash, PDS_MINHASH_FIRST_SIZE),
	.add = ops_add,
	.plan_growth = ops_plan_growth,
};
