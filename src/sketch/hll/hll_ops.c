/*
 * hll_ops.c: what the server's frame calls, by the table of base/state_ops.h
 */
#include "hll.h"

static void
init_nothing(pds_hll_build *b)
{
	pds_hll_build_init(b, PDS_HLL_FIRST_SIZE, PDS_HLL_DEFAULT_PRECISION, PDS_FAMILY_NATIVE, false);
}

/* Adds a value by its native hash, which is the hash that all aggregates make. */
static pds_status
add_native(pds_hll_build *b, pds_hash hash)
{
	return pds_state_family(b) == PDS_FAMILY_NATIVE ? pds_hll_add(b, hash.h1) :
		PDS_PARAMETER_MISMATCH;
}

pds_status
pds_hll_plan_union(pds_hll_build *b, const pds_operand *from, pds_hll_plan *plan)
{
	const pds_hll_build *other = from->state;
	const pds_hll_view *v = from->view;
	pds_kind	kind = other != NULL ? pds_state_kind(other) : v->kind;
	uint8_t		family = other != NULL ? pds_state_family(other) : v->family;
	uint8_t		own = pds_state_family(b);
	int			precision = other != NULL ? other->precision : v->precision;
	bool		dense = other != NULL ? other->dense : v->encoding == PDS_HLL_DENSE;
	/* a state may have more: waiting hashes are not counted, since they may be duplicates */
	uint32_t	tokens = other != NULL ? pds_hll_tokens_at_least(other) : v->tokens;

	if (b->undecided)
		pds_hll_build_init(b, plan->size, precision, own, false);

	/*
	 * A state of nothing takes the hash family of what it is merged with.  If that is
	 * nothing as well, the higher number of the two stays, so that order does not matter.
	 */
	plan->empty = pds_state_kind(b) == PDS_KIND_NONE && family != own &&
		(kind != PDS_KIND_NONE || family > own);
	if (plan->empty)
	{
		plan->family = family;
		plan->precision = (uint8_t) (precision < b->precision ? precision : b->precision);
		plan->dense = !pds_hll_has_tokens(family);
		plan->size = plan->dense ? pds_hll_dense_size(plan->precision) : PDS_HLL_FIRST_SIZE;
		return PDS_FULL;
	}
	if (kind == PDS_KIND_NONE)
	{
		dense = false;
		tokens = 0;
	}
	return pds_hll_plan_merge(b, plan->size, precision, dense, tokens, plan) ? PDS_FULL : PDS_OK;
}

pds_status
pds_hll_merge(pds_hll_build *b, const pds_operand *from)
{
	const pds_hll_build *other = from->state;
	const pds_hll_view *v = from->view;

	if ((other != NULL ? pds_state_kind(other) : v->kind) == PDS_KIND_NONE)
		return PDS_OK;
	return other != NULL ? pds_hll_merge_build(b, other) : pds_hll_merge_view(b, v);
}

PDS_PLAN_START(hll);

PDS_STATE_OPS(hll, add_native, .merge_plainly = pds_hll_merge_plainly,
			  .first_size = PDS_HLL_FIRST_SIZE, .plan_start = plan_start);
