/*
 * topk_ops.c: what the server's frame calls, by the table of base/state_ops.h
 *
 * Values are added with their texts, which the frame does not know: types/topk does it.
 */
#include "topk.h"

static void
init_nothing(pds_topk_build *b)
{
	pds_topk_build_init(b, PDS_TOPK_DEFAULT_K, pds_topk_usual_counters(PDS_TOPK_DEFAULT_K));
}

pds_status
pds_topk_plan_union(pds_topk_build *b, const pds_operand *from, pds_topk_plan *plan)
{
	const pds_topk_build *other = from->state;
	const pds_topk_view *v = from->view;
	uint32_t	k = other != NULL ? other->k : v->k;
	uint32_t	counters = other != NULL ? other->counters : v->counters;
	uint32_t	items = other != NULL ? other->items : v->items;
	size_t		text_bytes = other != NULL ? pds_topk_text_bytes(other) : v->record_bytes;
	bool		errors = other != NULL ? other->offset > 0 : v->offset > 0;

	if (b->undecided)
	{
		b->k = k;
		b->counters = counters;
		b->undecided = 0;
	}
	if (b->k != k || b->counters != counters)
		return PDS_PARAMETER_MISMATCH;
	return pds_topk_plan_space(b, items, text_bytes, errors, plan) ? PDS_FULL : PDS_OK;
}

/* A state that lacks space after that plan is damaged. */
pds_status
pds_topk_merge(pds_topk_build *b, const pds_operand *from)
{
	pds_status	status = from->state != NULL ? pds_topk_merge_build(b, from->state) :
		pds_topk_merge_view(b, from->view);

	return status == PDS_FULL ? PDS_CORRUPT : status;
}

PDS_STATE_OPS_OF_VALUES(topk, .first_size = PDS_TOPK_FIRST_SIZE);
