/*
 * topk_ops.c: what the server's frame calls, by the table of base/state_ops.h
 *
 * Values are added with their texts, which the frame does not know: types/topk does it.
 */
#include "topk.h"
#include "topk_ops.h"

PDS_OPS_FIT(pds_topk_view, pds_topk_plan, pds_encoding);

static pds_status
ops_open(void *view, const uint8_t *payload, size_t len, const char **why)
{
	return pds_topk_open(view, payload, len, len, why);
}

static void
ops_init_nothing(void *state)
{
	pds_topk_build_init(state, PDS_TOPK_DEFAULT_K);
	((pds_topk_build *) state)->undecided = 1;
}

static bool
ops_is_nothing(const void *state)
{
	return ((const pds_topk_build *) state)->undecided;
}

static pds_status
ops_rebuild(void *to, pds_plan *plan, const void *from)
{
	pds_topk_rebuild(to, (const pds_topk_plan *) plan, from);
	return PDS_OK;
}

static pds_status
ops_plan_merge(void *state, size_t size, const pds_operand *from, pds_plan *plan)
{
	pds_topk_build *b = state;
	const pds_topk_build *other = from->state;
	const pds_topk_view *v = from->view;
	uint32_t	k = other != NULL ? other->k : v->k;
	uint32_t	items = other != NULL ? other->items : v->items;
	size_t		text_bytes = other != NULL ? other->text_bytes : v->record_bytes;
	bool		errors = other != NULL ? other->offset > 0 : v->offset > 0;

	(void) size;
	if (b->undecided)
	{
		b->k = (uint16_t) k;
		b->undecided = 0;
	}
	if (b->k != k)
		return PDS_PARAMETER_MISMATCH;
	return pds_topk_plan_space(b, items, text_bytes, errors, (pds_topk_plan *) plan) ?
		PDS_FULL : PDS_OK;
}

/* What lacks space after that plan is damaged. */
static pds_status
ops_merge(void *state, const pds_operand *from)
{
	pds_status	status = from->state != NULL ? pds_topk_merge_build(state, from->state) :
		pds_topk_merge_view(state, from->view);

	return status == PDS_FULL ? PDS_CORRUPT : status;
}

static pds_status
ops_encode_plan(void *state, pds_encoding *plan, const char **why)
{
	(void) why;
	plan->bytes = pds_topk_encode_bound(state);
	plan->scratch = pds_topk_encode_scratch(state);
	return PDS_OK;
}

static size_t
ops_encode(void *state, const pds_encoding *plan, void *scratch, uint8_t *out)
{
	(void) plan;
	return pds_topk_encode(state, scratch, out);
}

const pds_state_ops pds_topk_ops = {
	PDS_STATE_OPS(topk, PDS_TOPK_FIRST_SIZE),
};
