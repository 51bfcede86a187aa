/*
 * hll_ops.c: what the server's frame calls, by the table of base/state_ops.h
 */
#include "hll.h"
#include "hll_ops.h"

/* A plan of the module, or of an empty sketch of another hash family. */
typedef struct plan_or_family
{
	pds_hll_plan plan;
	bool		empty;
	uint8_t		family;
} plan_or_family;

PDS_OPS_FIT(pds_hll_view, plan_or_family, pds_encoding);

static pds_status
ops_open(void *view, const uint8_t *payload, size_t len, const char **why)
{
	return pds_hll_open(view, payload, len, why);
}

static void
ops_init_nothing(void *state)
{
	pds_hll_build *b = state;

	pds_hll_build_init(b, PDS_HLL_FIRST_SIZE, PDS_HLL_DEFAULT_PRECISION);
	b->undecided = 1;
}

static bool
ops_is_nothing(const void *state)
{
	return ((const pds_hll_build *) state)->undecided;
}

/* By its native hash, which is what all aggregates make. */
static pds_status
ops_add(void *state, pds_hash hash)
{
	return pds_hll_build_family(state) == PDS_FAMILY_NATIVE ? pds_hll_add(state, hash.h1) :
		PDS_PARAMETER_MISMATCH;
}

static void
ops_plan_growth(const void *state, size_t size, pds_plan *plan)
{
	plan_or_family *p = (plan_or_family *) plan;

	p->plan = pds_hll_plan_growth(state, size);
	p->empty = false;
}

static pds_status
ops_rebuild(void *to, pds_plan *plan, const void *from)
{
	const plan_or_family *p = (const plan_or_family *) plan;

	if (!p->empty)
		pds_hll_rebuild(to, &p->plan, from);
	else if (!pds_hll_has_tokens(p->family))
		pds_hll_build_init_registers(to, p->plan.precision, p->family);
	else
	{
		pds_hll_build_init(to, p->plan.size, p->plan.precision);
		pds_hll_build_set_family(to, p->family);
	}
	return PDS_OK;
}

static pds_status
ops_plan_merge(void *state, size_t size, const pds_operand *from, pds_plan *plan)
{
	pds_hll_build *b = state;
	const pds_hll_build *other = from->state;
	const pds_hll_view *v = from->view;
	plan_or_family *p = (plan_or_family *) plan;
	pds_kind	kind = other != NULL ? pds_state_kind(other) : v->kind;
	uint8_t		family = other != NULL ? pds_hll_build_family(other) : v->family;
	uint8_t		own = pds_hll_build_family(b);
	int			precision = other != NULL ? other->precision : v->precision;
	bool		dense = other != NULL ? other->dense : v->encoding == PDS_HLL_DENSE;
	/* of a state more, if what waits is new; duplicates must not count */
	uint32_t	tokens = other != NULL ? other->tokens : v->tokens;

	if (b->undecided)
	{
		/* an empty token table suits every precision */
		b->precision = (uint8_t) precision;
		b->undecided = 0;
	}

	/*
	 * A state of nothing takes the hash family of what it is merged with.  If that is
	 * nothing as well, the higher number of the two stays, so that order does not matter.
	 */
	p->empty = pds_state_kind(b) == PDS_KIND_NONE && family != own &&
		(kind != PDS_KIND_NONE || family > own);
	if (p->empty)
	{
		p->family = family;
		p->plan.precision = (uint8_t) (precision < b->precision ? precision : b->precision);
		p->plan.size = pds_hll_has_tokens(family) ? PDS_HLL_FIRST_SIZE :
			pds_hll_dense_size(p->plan.precision);
		return PDS_FULL;
	}
	if (kind == PDS_KIND_NONE)
	{
		dense = false;
		tokens = 0;
	}
	return pds_hll_plan_merge(b, size, precision, dense, tokens, &p->plan) ? PDS_FULL : PDS_OK;
}

static pds_status
ops_merge(void *state, const pds_operand *from)
{
	const pds_hll_build *other = from->state;
	const pds_hll_view *v = from->view;

	if ((other != NULL ? pds_state_kind(other) : v->kind) == PDS_KIND_NONE)
		return PDS_OK;
	return other != NULL ? pds_hll_merge_build(state, other) : pds_hll_merge_view(state, v);
}

/* Empties the ring. */
static pds_status
ops_encode_plan(void *state, pds_encoding *plan, const char **why)
{
	(void) why;
	plan->bytes = pds_hll_encode_bound(state);
	plan->scratch = pds_hll_encode_scratch(state);
	return PDS_OK;
}

static size_t
ops_encode(void *state, const pds_encoding *plan, void *scratch, uint8_t *out)
{
	(void) plan;
	return pds_hll_encode(state, scratch, out);
}

const pds_state_ops pds_hll_ops = {
	PDS_STATE_OPS(hll, PDS_HLL_FIRST_SIZE),
	.add = ops_add,
	.plan_growth = ops_plan_growth,
};
