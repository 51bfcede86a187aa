/*
 * hll_fuzz.c: whatever bytes pass pds_hll_check() must be a sketch in every way
 */
#include <math.h>

#include "driver.h"
#include "hll_sketch.h"

#include "hll_estimate.h"
#include "hll_foreign.h"
#include "hll.h"

/* All numbers that may be asked of a sketch. */
static void
fuzz_estimates(const pds_hll_summary *s)
{
	double		n = pds_hll_cardinality(s);
	double		error = pds_hll_relative_error(s);
	double		lower;
	double		estimate;
	double		upper;

	MUST(isfinite(n) && n >= 0);
	MUST(isfinite(error) && error >= 0);
	pds_hll_bounds(s, 0.95, &lower, &estimate, &upper);
	MUST(estimate == n && lower >= 0 && lower <= rint(n) && upper >= rint(n));
}

/* The union with a sketch that holds something already, then both again. */
static void
fuzz_merged(sketch *into, const pds_hll_view *v, const sketch *same)
{
	payload		once;
	payload		twice;
	pds_hll_summary before;
	pds_hll_summary after;

	pds_hll_summarize_build(into->b, &before);
	sketch_merge_view(into, v);
	once = sketch_encode(into);
	MUST(pds_hll_check(once.bytes, once.len, NULL) == PDS_OK);
	pds_hll_summarize_build(into->b, &after);
	fuzz_estimates(&after);
	MUST(!before.dense || after.dense);

	/* what is there already changes nothing, whichever way it comes */
	sketch_merge_view(into, v);
	sketch_merge(into, same);
	twice = sketch_encode(into);
	MUST(payload_equal(&once, &twice));
	payload_free(&once);
	payload_free(&twice);
}

/* What it has in common with another sketch, as they are and as registers. */
static void
fuzz_overlap(sketch *a, sketch *b)
{
	static pds_hll_pair pair;
	void	   *scratch = sketch_memory(pds_hll_pair_scratch(a->b, b->b));
	pds_hll_overlap o;

	pds_hll_pair_of(&pair, a->b, b->b, scratch);
	pds_hll_pair_estimate(&pair, &o);
	MUST(isfinite(o.only_1) && isfinite(o.only_2) && isfinite(o.both));
	MUST(o.only_1 >= 0 && o.only_2 >= 0 && o.both >= 0);
	for (int i = 0; i < 3; i++)
	{
		static const double confidence[] = {0.5, 0.95, 1 - 1e-9};
		double		lower;
		double		upper;

		pds_hll_pair_bounds(&pair, &o, confidence[i], &lower, &upper);
		MUST(lower >= 0 && lower <= rint(o.both) && upper >= rint(o.both));
		MUST(lower == floor(lower) && upper == floor(upper));
	}
	(void) pds_hll_pair_tells(&pair, &o);
	free(scratch);
}

/* So many random values at a precision of at most p, in a hash family. */
static sketch
fuzz_other(int p, int family, uint64_t seed)
{
	sketch		s = sketch_of_family(PDS_HLL_MIN_PRECISION +
									 (int) (seed % (uint64_t) (p - PDS_HLL_MIN_PRECISION + 1)),
									 family, pds_hll_family_holds(family, PDS_KIND_STRING) ?
									 PDS_KIND_STRING : PDS_KIND_NUMBER);
	uint64_t	n = seed >> 8 & (pds_hll_registers(s.b->precision) - 1) & 511;

	for (uint64_t i = 0; i < n; i++)
	{
		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		if (pds_hll_has_tokens(family))
			sketch_add(&s, seed ^ seed >> 29);
		else
			pds_hll_add_bytes(s.b, &seed, sizeof(seed));
	}
	return s;
}

static payload
stored_another(const void *view, uint64_t seed)
{
	const pds_hll_view *v = view;
	sketch		other = fuzz_other(v->precision, v->family, seed);
	payload		stored;

	if (v->kind != PDS_KIND_NONE)
		pds_state_set_kind(other.b, v->kind);
	stored = sketch_encode(&other);
	sketch_free(&other);
	return stored;
}

static void
fuzz_good(const payload *in, const void *view, uint64_t seed)
{
	const pds_hll_view *v = view;
	pds_hll_summary summary;
	sketch		same = sketch_of_family(v->precision, v->family, v->kind);
	sketch		other = fuzz_other(v->precision, v->family, seed);
	payload		again;

	pds_hll_summarize(v, &summary);
	fuzz_estimates(&summary);

	/* written again it is the same */
	sketch_merge_view(&same, v);
	again = sketch_encode(&same);
	MUST(payload_equal(in, &again));
	payload_free(&again);

	fuzz_merged(&other, v, &same);
	sketch_fold(&same, other.b->precision);
	if (seed % 8 == 0)
	{
		sketch		one = sketch_dense(same.b->precision);

		fuzz_overlap(&same, &other);
		if (v->family == PDS_FAMILY_NATIVE)
		{
			sketch_merge(&one, &same);
			fuzz_overlap(&one, &other);
			fuzz_overlap(&other, &one);
		}
		sketch_free(&one);
	}
	sketch_free(&other);
	sketch_free(&same);
}

/* Refused bytes may stand in a damaged table: reading them must stay within bounds and end. */
static void
fuzz_unchecked(const payload *in, const void *view, uint64_t seed)
{
	const pds_hll_view *v = view;
	pds_hll_summary summary;
	pds_hll_plan plan;
	sketch		into = seed & 1 ? sketch_dense(v->precision) :
		sketch_of_family(v->precision, v->family, v->kind);

	pds_hll_summarize(v, &summary);
	fuzz_estimates(&summary);
	if (pds_hll_plan_merge(into.b, into.size, v->precision, v->encoding == PDS_HLL_DENSE, v->tokens,
						   &plan))
		sketch_move(&into, &plan);
	(void) pds_hll_merge_view(into.b, v);
	sketch_free(&into);
	(void) in;
}

FUZZ_TARGET(.ops = &pds_hll_ops, .added = PDS_KIND_NUMBER, .prefix = PDS_HLL_MAX_PREFIX,
			.another = stored_another, .sets = true, .good = fuzz_good,
			.unchecked = fuzz_unchecked)
