/*
 * ddsketch_agg.c: the aggregates of ddsketch
 *
 * The state is a ddsketch in its building form (server/type/aggregate.h).
 *
 * Macros define: probds_ddsketch_final.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/float.h"

#include "aggregate.h"
#include "compat.h"
#include "ddsketch_type.h"
#include "weight.h"

/*
 * The arguments are the state, the value, a weight if the aggregate is weighted, and from here on
 * the parameters.
 */
#define WEIGHT_ARG				2
#define ERROR_ARG(weighted)		((weighted) ? 3 : 2)

/* Argument 1 (not NULL) as a number, of a type that the call site knows already or not yet. */
static inline double
value_arg(FunctionCallInfo fcinfo, pds_kind *kind)
{
	const PdsHasher *hasher = pds_known_hasher(fcinfo);

	*kind = PDS_KIND_NUMBER;
	if (likely(hasher != NULL && hasher->typid == FLOAT8OID))
		return PG_GETARG_FLOAT8(1);
	return pds_ddsketch_value_of(pds_arg_hasher(fcinfo, 1, PDS_KIND_NONE), PG_GETARG_DATUM(1),
								 kind);
}

/* Everything that a step may have to do beyond the usual case: a row, a state that fits. */
static pg_noinline Datum
slow_step(FunctionCallInfo fcinfo, bool weighted)
{
	pds_ddsketch_build *b = pds_aggregate_state(fcinfo, ERROR_ARG(weighted), &pds_ddsketch_type);
	pds_kind	kind;
	double		value;

	if (PG_ARGISNULL(1) || (weighted && PG_ARGISNULL(WEIGHT_ARG)))
		PG_RETURN_POINTER(b);
	value = value_arg(fcinfo, &kind);
	PG_RETURN_POINTER(pds_ddsketch_add_weight(b, value, kind, weighted ?
											  pds_weight_arg(fcinfo, WEIGHT_ARG) : 1));
}

static pg_attribute_always_inline Datum
any_step(FunctionCallInfo fcinfo, bool weighted)
{
	pds_ddsketch_build *b = (pds_ddsketch_build *) PG_GETARG_POINTER(0);

	if (likely(!PG_ARGISNULL(0) && !PG_ARGISNULL(1) && !(weighted && PG_ARGISNULL(WEIGHT_ARG)) &&
			   pds_parameters_known(fcinfo)))
	{
		pds_kind	kind;
		double		value = value_arg(fcinfo, &kind);
		int64		weight = weighted ? pds_weight_arg(fcinfo, WEIGHT_ARG) : 1;

		if (likely(weight > 0 &&
				   pds_is_state_of(b, PDS_TYPE_DDSKETCH, PDS_FAMILY_NATIVE, kind) &&
				   pds_in_aggregate(fcinfo) &&
				   pds_ddsketch_add(b, value, (uint64) weight) == PDS_OK))
			PG_RETURN_POINTER(b);
	}
	return slow_step(fcinfo, weighted);
}

PDS_SKETCH_FUNCTION(probds_ddsketch_agg, return any_step(fcinfo, false));
PDS_SKETCH_FUNCTION(probds_ddsketch_weighted_agg, return any_step(fcinfo, true));
PDS_FINAL_FUNCTION(ddsketch);

/* ---------- approx_percentile ---------- */

/*
 * The final function needs the aggregate's second argument, and gets no arguments.  So the state
 * keeps it: as questions.
 */
#define FRACTION_ARG		2
#define MOST_FRACTIONS		UINT8_MAX

/* The fractions in an argument that is not NULL; NaN alone of an empty array. */
static int
fractions_arg(FunctionCallInfo fcinfo, bool many, double *fractions)
{
	ArrayType  *array;
	Datum	   *elements;
	bool	   *nulls;
	int			n;

	if (!many)
	{
		fractions[0] = PG_GETARG_FLOAT8(FRACTION_ARG);
		pds_ddsketch_require_share(fractions[0]);
		return 1;
	}
	array = PG_GETARG_ARRAYTYPE_P(FRACTION_ARG);
	deconstruct_array(array, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE,
					  &elements, &nulls, &n);
	if (n > MOST_FRACTIONS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("approx_percentile takes up to %d fractions", MOST_FRACTIONS),
				 errhint("Use ddsketch_quantiles(ddsketch_agg(value), fractions).")));
	for (int i = 0; i < n; i++)
	{
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("fractions must not be null")));
		fractions[i] = DatumGetFloat8(elements[i]);
		pds_ddsketch_require_share(fractions[i]);
	}
	/* a state without any has lost them */
	if (n == 0)
		fractions[n++] = get_float8_nan();
	return n;
}

static pg_noinline pds_ddsketch_build *
first_percentile_state(FunctionCallInfo fcinfo, bool many)
{
	double		fractions[MOST_FRACTIONS];
	pds_ddsketch_build *b;
	int			n;

	pds_require_aggregate(fcinfo);
	if (PG_ARGISNULL(FRACTION_ARG))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the fraction of approx_percentile must not be null")));
	n = fractions_arg(fcinfo, many, fractions);
	b = pds_state_alloc(pds_ddsketch_size(n, PDS_DDSKETCH_FIRST_LOG2_SLOTS));
	pds_ddsketch_build_init(b, PDS_DDSKETCH_DEFAULT_SCALE, PDS_DDSKETCH_DEFAULT_BUCKETS, n);
	memcpy(pds_ddsketch_questions(b), fractions, n * sizeof(double));
	return b;
}

/* 0A000 for a state that has lost its fractions on the way from another server. */
static inline void
require_fractions(const pds_ddsketch_build *b)
{
	if (unlikely(!pds_is_writable_state((const struct varlena *) b) || b->questions == 0))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("approx_percentile cannot be computed in parts on several servers"),
				 errhint("Use ddsketch_quantile(ddsketch_agg(value), fraction).")));
}

/* 22023 if the fractions are not those of the first row. */
static void
require_same_fraction(FunctionCallInfo fcinfo, const pds_ddsketch_build *b, bool many)
{
	double		fractions[MOST_FRACTIONS];

	if (!many && likely(!PG_ARGISNULL(FRACTION_ARG) &&
						PG_GETARG_FLOAT8(FRACTION_ARG) == pds_ddsketch_questions(b)[0]))
		return;
	if (PG_ARGISNULL(FRACTION_ARG) || fractions_arg(fcinfo, many, fractions) != b->questions ||
		memcmp(fractions, pds_ddsketch_questions(b), b->questions * sizeof(double)) != 0)
		pds_ddsketch_refuse_fractions();
}

static pg_attribute_always_inline Datum
percentile_step(FunctionCallInfo fcinfo, bool many)
{
	pds_ddsketch_build *b;
	pds_kind	kind;
	double		value;

	if (PG_ARGISNULL(0))
		b = first_percentile_state(fcinfo, many);
	else
	{
		b = (pds_ddsketch_build *) PG_GETARG_POINTER(0);
		if (!pds_in_aggregate(fcinfo))
			pds_require_aggregate(fcinfo);
		require_fractions(b);
		require_same_fraction(fcinfo, b, many);
	}
	if (PG_ARGISNULL(1))
		PG_RETURN_POINTER(b);
	value = value_arg(fcinfo, &kind);
	if (likely(pds_state_kind(b) == kind && pds_ddsketch_add(b, value, 1) == PDS_OK))
		PG_RETURN_POINTER(b);
	PG_RETURN_POINTER(pds_ddsketch_add_weight(b, value, kind, 1));
}

PDS_SKETCH_FUNCTION(probds_ddsketch_percentile_agg, return percentile_step(fcinfo, false));
PDS_SKETCH_FUNCTION(probds_ddsketch_percentiles_agg, return percentile_step(fcinfo, true));

/* The answers of a state, or false if it has no values.  0A000 as above. */
static bool
percentiles_of(FunctionCallInfo fcinfo, Datum *answers, int *n)
{
	pds_ddsketch_build *b;
	struct varlena *stored;
	pds_ddsketch_view v;

	pds_require_aggregate(fcinfo);
	b = pds_state_arg(fcinfo, &pds_ddsketch_type);
	require_fractions(b);
	stored = pds_state_store(&pds_ddsketch_type, b);
	pds_sketch_open(&pds_ddsketch_type, stored, &v);
	*n = 0;
	for (int i = 0; v.total > 0 && i < b->questions; i++)
	{
		pds_ddsketch_range range;

		if (isnan(pds_ddsketch_questions(b)[i]))
			continue;
		if (pds_ddsketch_quantile(&v, pds_ddsketch_questions(b)[i], &range) != PDS_OK)
			pds_stored_corrupt(&pds_ddsketch_type, NULL);
		answers[(*n)++] = Float8GetDatum(pds_ddsketch_in_seconds(v.kind, range).estimate);
	}
	return v.total > 0;
}

/* Final functions of approx_percentile: NULL of no values */
PDS_FUNCTION(probds_ddsketch_final_percentile)
{
	Datum		answers[MOST_FRACTIONS];
	int			n;

	if (PG_ARGISNULL(0) || !percentiles_of(fcinfo, answers, &n) || n != 1)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(answers[0]);
}

PDS_FUNCTION(probds_ddsketch_final_percentiles)
{
	Datum		answers[MOST_FRACTIONS];
	int			n;

	if (PG_ARGISNULL(0) || !percentiles_of(fcinfo, answers, &n))
		PG_RETURN_NULL();
	PG_RETURN_ARRAYTYPE_P(construct_array(answers, n, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL,
										  TYPALIGN_DOUBLE));
}
