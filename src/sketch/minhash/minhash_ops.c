/*
 * minhash_ops.c: what the server's frame calls for a MinHash sketch
 */
#include "minhash.h"

static void
init_nothing(pds_minhash_build *b)
{
	pds_minhash_build_init(b, PDS_MINHASH_DEFAULT_LOG2_K);
}

pds_status
pds_minhash_plan_union(pds_minhash_build *b, const pds_operand *from, pds_minhash_plan *plan)
{
	const pds_minhash_build *other = from->state;
	const pds_minhash_view *v = from->view;

	return pds_minhash_plan_merge(b, other != NULL ? other->log2_k : v->log2_k,
								  other != NULL ? other->dense : v->encoding == PDS_MINHASH_DENSE,
								  other != NULL ? other->tokens : v->tokens, plan) ?
		PDS_FULL : PDS_OK;
}

pds_status
pds_minhash_merge(pds_minhash_build *b, const pds_operand *from)
{
	return from->state != NULL ? pds_minhash_merge_build(b, from->state) :
		pds_minhash_merge_view(b, from->view);
}

PDS_STATE_OPS(minhash, pds_minhash_add, .first_size = PDS_MINHASH_FIRST_SIZE);
