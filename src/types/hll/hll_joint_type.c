/*
 * hll_joint_type.c: SQL functions of two sketches: union, intersection, difference, Jaccard; and
 * the union of many
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/lsyscache.h"

#include "compat.h"
#include "hll_type.h"
#include "result_row.h"
#include "state.h"

/*
 * Argument argno.  What holds nothing has no hash family that would matter, and
 * compares with tokens as well as with registers.
 */
static pds_hll_build *
load_arg(FunctionCallInfo fcinfo, int argno)
{
	pds_hll_build *b = pds_state_load_arg(fcinfo, argno, &pds_hll_type);

	return pds_state_kind(b) != PDS_KIND_NONE ? b :
		pds_hll_new(b->precision, PDS_FAMILY_NATIVE, false);
}

/* What arguments 0 and 1 show of each other. */
static pds_hll_pair *
pair_args(FunctionCallInfo fcinfo)
{
	pds_hll_pair *pair = palloc(sizeof(pds_hll_pair));
	pds_hll_build *a = load_arg(fcinfo, 0);
	pds_hll_build *b = load_arg(fcinfo, 1);

	(void) pds_require_mergeable(&pds_hll_type, pds_state_kind(a), pds_state_family(a),
								 pds_state_kind(b), pds_state_family(b));
	pds_hll_pair_of(pair, a, b, palloc(pds_hll_pair_scratch(a, b)));
	return pair;
}

/*
 * How many values are in which of arguments 0 and 1; and if tells is not NULL, whether what both
 * have can be told from nothing.
 */
static pds_hll_overlap
overlap_args(FunctionCallInfo fcinfo, bool *tells)
{
	pds_hll_pair *pair = pair_args(fcinfo);
	pds_hll_overlap o;

	pds_hll_pair_estimate(pair, &o);
	if (tells != NULL)
		*tells = pds_hll_pair_tells(pair, &o);
	return o;
}

/* hll_union_cardinality(hll, hll) */
PDS_FUNCTION(probds_hll_union_cardinality)
{
	pds_hll_overlap o = overlap_args(fcinfo, NULL);

	return pds_count_datum(o.only_1 + o.only_2 + o.both);
}

/* hll_union_cardinality(hll[]): of elements that are not NULL, as merged */
PDS_FUNCTION(probds_hll_union_cardinality_of_many)
{
	struct varlena **values;
	int			n = pds_sketch_array_arg(fcinfo, 0, &pds_hll_type, &values);
	void	   *state = pds_state_nothing(&pds_hll_type);
	pds_hll_summary s;

	for (int i = 0; i < n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		state = pds_state_merge(&pds_hll_type, state, values[i]);
	}
	pds_hll_summarize_build(state, &s);
	return pds_count_datum(n > 0 ? pds_hll_cardinality(&s) : 0);
}

/* hll_difference_cardinality(hll, hll): in the first only */
PDS_FUNCTION(probds_hll_difference_cardinality)
{
	return pds_count_datum(overlap_args(fcinfo, NULL).only_1);
}

/* hll_intersection_cardinality(hll, hll): NULL where it cannot be told from nothing */
PDS_FUNCTION(probds_hll_intersection_cardinality)
{
	bool		tells;
	pds_hll_overlap o = overlap_args(fcinfo, &tells);

	if (!tells)
		PG_RETURN_NULL();
	return pds_count_datum(o.both);
}

/* (lower, estimate, upper) of those in both, or in the first only */
static Datum
bounds_row(FunctionCallInfo fcinfo, bool both)
{
	double		confidence = pds_confidence_arg(fcinfo, 2);
	pds_hll_pair *pair = pair_args(fcinfo);
	pds_hll_overlap o;
	double		lower;
	double		upper;

	pds_hll_pair_estimate(pair, &o);
	if (both)
		pds_hll_pair_bounds(pair, &o, confidence, &lower, &upper);
	else
		pds_hll_pair_difference_bounds(pair, &o, confidence, &lower, &upper);
	return pds_bounds_row(lower, both ? o.both : o.only_1, upper);
}

/* hll_intersection_bounds(hll, hll, confidence): (lower, estimate, upper) */
PDS_FUNCTION(probds_hll_intersection_bounds)
{
	return bounds_row(fcinfo, true);
}

/* hll_difference_bounds(hll, hll, confidence): (lower, estimate, upper) */
PDS_FUNCTION(probds_hll_difference_bounds)
{
	return bounds_row(fcinfo, false);
}

/* hll_jaccard(hll, hll): intersection over union, 0 to 1 */
PDS_FUNCTION(probds_hll_jaccard)
{
	bool		tells;
	pds_hll_overlap o = overlap_args(fcinfo, &tells);
	double		total = o.only_1 + o.only_2 + o.both;

	if (!tells || total <= 0)
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(o.both / total);
}

/* ---------- operators that people try ---------- */

/* The first character of the operator; 0 if its function is called by itself. */
static char
operator_of(FunctionCallInfo fcinfo)
{
	Node	   *expr = fcinfo->flinfo->fn_expr;

	return expr != NULL && IsA(expr, OpExpr) ? get_opname(((OpExpr *) expr)->opno)[0] : 0;
}

/* hll - hll, hll & hll: 42883, with the function's name */
PDS_FUNCTION(probds_hll_no_operator)
{
	bool		both = operator_of(fcinfo) == '&';

	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_FUNCTION),
			 both ? errmsg("cannot intersect an hll") : errmsg("cannot subtract from an hll"),
			 both ? errhint("Use hll_intersection_cardinality(a, b) for the number of values in "
							"both.") :
			 errhint("Use hll_difference_cardinality(a, b) for the number of values that are only "
					 "in the first.")));
	PG_RETURN_NULL();
}

/*
 * hll - number, which #a - #b is: #(a - (#b)); and hll || number.  It is declared over a domain,
 * and reads none of its arguments.
 */
PG_FUNCTION_INFO_V1(probds_hll_refuse_value);
extern Datum probds_hll_refuse_value(PG_FUNCTION_ARGS);
Datum
probds_hll_refuse_value(PG_FUNCTION_ARGS)
{
	bool		minus = operator_of(fcinfo) == '-';

	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_FUNCTION),
			 minus ? errmsg("cannot subtract from an hll") :
			 errmsg("cannot merge an hll with a value"),
			 minus ? errhint("Write (#a) - (#b), with parentheses, for numbers of values.") :
			 errhint("Use hll_add(sketch, value).")));
	PG_RETURN_NULL();
}
