/*
 * hll_joint_type.c: SQL functions of two sketches: union, intersection, Jaccard
 */
#include "postgres.h"

#include "compat.h"
#include "hll_type.h"
#include "answer.h"

/* How many cells two sorted lists of tokens have in common. */
static uint32_t
common_tokens(pds_hll_build *a, pds_hll_build *b)
{
	uint32_t   *ta = palloc(a->tokens * sizeof(uint32_t) + 1);
	uint32_t   *tb = palloc(b->tokens * sizeof(uint32_t) + 1);
	uint32_t	i = 0;
	uint32_t	j = 0;
	uint32_t	common = 0;

	pds_hll_sorted_tokens(a, ta);
	pds_hll_sorted_tokens(b, tb);
	while (i < a->tokens && j < b->tokens)
	{
		uint32_t	cell_a = ta[i] >> 6;
		uint32_t	cell_b = tb[j] >> 6;

		common += cell_a == cell_b;
		i += cell_a <= cell_b;
		j += cell_b <= cell_a;
	}
	pfree(ta);
	pfree(tb);
	return common;
}

/*
 * Argument argno.  What holds nothing has no hash family that would matter, and
 * compares with tokens as well as with registers.
 */
static pds_hll_build *
load_arg(FunctionCallInfo fcinfo, int argno)
{
	pds_hll_build *b = hll_load(pds_sketch_get(&pds_hll_type, PG_GETARG_DATUM(argno)));

	return pds_state_kind(b) != PDS_KIND_NONE ? b : hll_new(PDS_HLL_FIRST_SIZE, b->precision);
}

/*
 * What arguments 0 and 1 have in common.  Tokens are compared exactly; if one
 * of the two has registers, both are compared by registers, at the lower
 * precision.
 */
static void
overlap_args(FunctionCallInfo fcinfo, pds_hll_overlap *o)
{
	pds_hll_build *a = load_arg(fcinfo, 0);
	pds_hll_build *b = load_arg(fcinfo, 1);
	int			precision = Min(a->precision, b->precision);

	(void) pds_require_mergeable(&pds_hll_type, pds_state_kind(a), pds_state_family(a),
								 pds_state_kind(b), pds_state_family(b));
	a = hll_at_precision(a, precision, false);
	b = hll_at_precision(b, precision, a->dense);
	if (b->dense && !a->dense)
		a = hll_at_precision(a, precision, true);
	if (a->dense)
	{
		pds_hll_joint j;

		pds_hll_joint_count(&j, precision, pds_hll_build_registers(a),
							pds_hll_build_registers(b));
		/* one that holds nothing is native */
		j.family = Max(pds_hll_build_family(a), pds_hll_build_family(b));
		pds_hll_joint_estimate(&j, o);
	}
	else
		pds_hll_token_overlap(a->tokens, b->tokens,
							  a->tokens + b->tokens - common_tokens(a, b), o);
	pfree(a);
	pfree(b);
}

/* hll_union_cardinality(hll, hll) */
PG_FUNCTION_INFO_V1(probds_hll_union_cardinality);
Datum
probds_hll_union_cardinality(PG_FUNCTION_ARGS)
{
	pds_hll_overlap o;

	overlap_args(fcinfo, &o);
	return pds_count_datum(o.only_1 + o.only_2 + o.both);
}

/* hll_intersection_cardinality(hll, hll): NULL where it cannot be told from nothing */
PG_FUNCTION_INFO_V1(probds_hll_intersection_cardinality);
Datum
probds_hll_intersection_cardinality(PG_FUNCTION_ARGS)
{
	pds_hll_overlap o;

	overlap_args(fcinfo, &o);
	if (!o.told)
		PG_RETURN_NULL();
	return pds_count_datum(o.both);
}

/* hll_intersection_bounds(hll, hll, confidence): (lower, estimate, upper) */
PG_FUNCTION_INFO_V1(probds_hll_intersection_bounds);
Datum
probds_hll_intersection_bounds(PG_FUNCTION_ARGS)
{
	double		confidence = pds_confidence_arg(fcinfo, 2);
	pds_hll_overlap o;
	double		reach;
	double		lower;
	double		upper;

	overlap_args(fcinfo, &o);
	reach = pds_normal_quantile(confidence) * o.both_error;
	lower = o.told ? Max(o.both - reach, 0) : 0;
	upper = o.both + reach;
	return pds_bounds_row(lower, o.both, upper);
}

/* hll_jaccard(hll, hll): intersection over union, 0 to 1 */
PG_FUNCTION_INFO_V1(probds_hll_jaccard);
Datum
probds_hll_jaccard(PG_FUNCTION_ARGS)
{
	pds_hll_overlap o;
	double		total;

	overlap_args(fcinfo, &o);
	total = o.only_1 + o.only_2 + o.both;
	if (!o.told || total <= 0)
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(o.both / total);
}
