/*
 * fuse_ops.c: fuse filters as the server's frame calls them (base/state_ops.h)
 */
#include "decimal.h"
#include "fuse.h"
#include "poll.h"

static void
init_nothing(pds_fuse_build *b)
{
	pds_fuse_build_init(b, PDS_FUSE_FIRST_SIZE, pds_decimal_code(PDS_FUSE_DEFAULT_RATE));
}

pds_status
pds_fuse_plan_union(pds_fuse_build *b, const pds_operand *from, pds_fuse_plan *plan)
{
	const pds_fuse_build *other = from->state;
	const pds_fuse_view *v = from->view;
	uint16_t	rate = other != NULL ? other->rate : v->rate;

	(void) plan;
	if (other == NULL && v->encoding == PDS_FUSE_FINISHED)
		return PDS_FINISHED;
	if (b->undecided)
		b->rate = rate;
	b->undecided = 0;
	return b->rate == rate ? PDS_OK : PDS_PARAMETER_MISMATCH;
}

/* A list that becomes full grows: so far, the union has been said, and is said again. */
pds_status
pds_fuse_merge(pds_fuse_build *b, const pds_operand *from)
{
	const pds_fuse_build *other = from->state;
	const pds_fuse_view *v = from->view;
	uint64_t	n = other != NULL ? other->count : v->count;

	for (uint64_t i = 0; i < n; i++)
	{
		pds_hash	h = {0, 0};
		pds_status	status;

		pds_poll_each(i);
		h.h1 = other != NULL ? other->hashes[i] : pds_load_le64(v->payload + v->data_at + 8 * i);
		status = pds_fuse_add(b, h);
		if (status != PDS_OK)
			return status;
	}
	return PDS_OK;
}

PDS_PLAN_START(fuse);

static pds_status
plan_finish(void *state, pds_plan *plan)
{
	(void) plan;
	return pds_fuse_plan_finish(state);
}

PDS_STATE_OPS(fuse, pds_fuse_add, .first_size = PDS_FUSE_FIRST_SIZE, .plan_start = plan_start,
			  .plan_finish = plan_finish);
