/*
 * ddsketch_answer_type.c: what is read from ddsketch sketches
 *
 * Numbers of a sketch of intervals are seconds, as extract(epoch) has them.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/float.h"

#include "compat.h"
#include "ddsketch_type.h"
#include "result_row.h"

/* Argument argno, opened. */
static pds_ddsketch_view
view_arg(FunctionCallInfo fcinfo, int argno)
{
	pds_ddsketch_view v;

	(void) pds_sketch_arg(fcinfo, argno, &pds_ddsketch_type, &v);
	return v;
}

/* The same, without its buckets. */
static pds_ddsketch_view
head_arg(FunctionCallInfo fcinfo, int argno)
{
	pds_ddsketch_view v;

	pds_sketch_head_arg(fcinfo, argno, &pds_ddsketch_type, PDS_DDSKETCH_MAX_PREFIX, &v);
	return v;
}

static void
require_ok(pds_status status)
{
	if (status != PDS_OK)
		pds_stored_corrupt(&pds_ddsketch_type, "Its buckets cannot be read.");
}

pds_ddsketch_range
pds_ddsketch_in_seconds(pds_kind kind, pds_ddsketch_range range)
{
	double		unit = pds_ddsketch_unit(kind);

	return (pds_ddsketch_range) {range.lower / unit, range.estimate / unit, range.upper / unit};
}

void
pds_ddsketch_require_share(double q)
{
	if (!(q >= 0 && q <= 1))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("quantile %g is not between 0 and 1", q),
				 errhint("Write 0.95 for the 95th percentile.")));
}

/* The quantile of a sketch that is not empty, in its own unit. */
static pds_ddsketch_range
quantile_of(const pds_ddsketch_view *v, double q)
{
	pds_ddsketch_range range;

	require_ok(pds_ddsketch_quantile(v, q, &range));
	return range;
}

/* ---------- quantiles ---------- */

/* ddsketch_quantile(ddsketch, quantile float8): NULL of an empty one */
PDS_FUNCTION(probds_ddsketch_quantile)
{
	pds_ddsketch_view v = view_arg(fcinfo, 0);

	pds_ddsketch_require_share(PG_GETARG_FLOAT8(1));
	if (v.total == 0)
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(quantile_of(&v, PG_GETARG_FLOAT8(1)).estimate / pds_ddsketch_unit(v.kind));
}

/* ddsketch_quantile_interval(ddsketch, quantile float8): the same as an interval */
PDS_FUNCTION(probds_ddsketch_quantile_interval)
{
	pds_ddsketch_view v = view_arg(fcinfo, 0);

	pds_ddsketch_require_share(PG_GETARG_FLOAT8(1));
	if (v.total == 0)
		PG_RETURN_NULL();
	if (v.kind != PDS_KIND_INTERVAL)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("the ddsketch holds numbers, not intervals"),
				 errhint("Use ddsketch_quantile().")));
	PG_RETURN_DATUM(pds_ddsketch_interval(quantile_of(&v, PG_GETARG_FLOAT8(1)).estimate));
}

/* ddsketch_quantiles(ddsketch, quantiles float8[]): NULL for an element that is NULL */
PDS_FUNCTION(probds_ddsketch_quantiles)
{
	pds_ddsketch_view v = view_arg(fcinfo, 0);
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(1);
	Datum	   *elements;
	bool	   *nulls;
	int			n;

	deconstruct_array(array, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE,
					  &elements, &nulls, &n);
	for (int i = 0; i < n; i++)
	{
		if (nulls[i])
			continue;
		CHECK_FOR_INTERRUPTS();
		pds_ddsketch_require_share(DatumGetFloat8(elements[i]));
		if (v.total == 0)
			nulls[i] = true;
		else
			elements[i] = Float8GetDatum(quantile_of(&v, DatumGetFloat8(elements[i])).estimate /
										 pds_ddsketch_unit(v.kind));
	}
	PG_RETURN_ARRAYTYPE_P(construct_md_array(elements, nulls, ARR_NDIM(array), ARR_DIMS(array),
											 ARR_LBOUND(array), FLOAT8OID, sizeof(float8),
											 FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

/* ddsketch_bounds(ddsketch, quantile float8): (lower, estimate, upper); NULLs of an empty one */
PDS_FUNCTION(probds_ddsketch_bounds)
{
	pds_ddsketch_view v = view_arg(fcinfo, 0);
	bool		nulls[3] = {true, true, true};
	Datum		values[3] = {0, 0, 0};
	pds_ddsketch_range r;

	pds_ddsketch_require_share(PG_GETARG_FLOAT8(1));
	if (v.total == 0)
		return pds_info_row(fcinfo, values, nulls);
	r = pds_ddsketch_in_seconds(v.kind, quantile_of(&v, PG_GETARG_FLOAT8(1)));
	values[0] = Float8GetDatum(r.lower);
	values[1] = Float8GetDatum(r.estimate);
	values[2] = Float8GetDatum(r.upper);
	return pds_info_row(fcinfo, values, NULL);
}

/* ddsketch_rank(ddsketch, "any"): the share of the values that are at or below this one */
PDS_FUNCTION(probds_ddsketch_rank)
{
	pds_ddsketch_view v = view_arg(fcinfo, 0);
	pds_kind	kind;
	pds_kind	want = v.kind == PDS_KIND_NONE ? PDS_KIND_NUMBER : v.kind;
	double		number = pds_ddsketch_value_of(pds_arg_hasher(fcinfo, 1, want),
											   PG_GETARG_DATUM(1), &kind);
	double		count;

	pds_require_kind(&pds_ddsketch_type, v.kind, kind);
	if (v.total == 0)
		PG_RETURN_NULL();
	require_ok(pds_ddsketch_up_to(&v, number, &count));
	PG_RETURN_FLOAT8(Min(count / (double) v.total, 1));
}

/* ---------- the whole ---------- */

/* ddsketch_count(ddsketch) */
PDS_FUNCTION(probds_ddsketch_count)
{
	PG_RETURN_INT64((int64) head_arg(fcinfo, 0).total);
}

/* A number about a sketch, NULL of an empty one. */
#define WHOLE_FUNCTION(name, view, number) \
	PDS_FUNCTION(name) \
	{ \
		pds_ddsketch_view v = view(fcinfo, 0); \
		if (v.total == 0) \
			PG_RETURN_NULL(); \
		PG_RETURN_FLOAT8((number) / pds_ddsketch_unit(v.kind)); \
	} \
	extern Datum name(PG_FUNCTION_ARGS)

static double
sum_of(const pds_ddsketch_view *v, double divisor)
{
	double		sum;

	require_ok(pds_ddsketch_sum(v, divisor, &sum));
	return sum;
}

/* The mean is a number where the sum is too large to be one. */
static double
mean_of(const pds_ddsketch_view *v)
{
	double		sum = sum_of(v, 1);

	return isfinite(sum) ? sum / (double) v->total : sum_of(v, (double) v->total);
}

/* ddsketch_min(ddsketch), ddsketch_max(ddsketch), ddsketch_sum(ddsketch), ddsketch_avg(ddsketch) */
WHOLE_FUNCTION(probds_ddsketch_min, head_arg, pds_ddsketch_min(&v));
WHOLE_FUNCTION(probds_ddsketch_max, head_arg, pds_ddsketch_max(&v));
WHOLE_FUNCTION(probds_ddsketch_sum, view_arg, sum_of(&v, 1));
WHOLE_FUNCTION(probds_ddsketch_avg, view_arg, mean_of(&v));

/* ---------- its buckets ---------- */

static void
put_range(Tuplestorestate *rows, TupleDesc desc, pds_ddsketch_range r, double unit, uint64 count)
{
	Datum		values[3] = {Float8GetDatum(r.lower / unit), Float8GetDatum(r.upper / unit),
		Int64GetDatum((int64) count)};
	bool		nulls[3] = {false, false, false};

	if (count > 0)
		tuplestore_putvalues(rows, desc, values, nulls);
}

/* ddsketch_buckets(ddsketch): (lower, upper, count), in ascending order */
PDS_FUNCTION(probds_ddsketch_buckets)
{
	Tuplestorestate *rows = pds_begin_rows(fcinfo);
	TupleDesc	desc = ((ReturnSetInfo *) fcinfo->resultinfo)->setDesc;
	pds_ddsketch_view v = view_arg(fcinfo, 0);
	double		unit = pds_ddsketch_unit(v.kind);
	pds_ddsketch_bucket *positives = palloc(sizeof(pds_ddsketch_bucket) * (v.positives + 1));
	pds_ddsketch_range at = {-get_float8_infinity(), 0, -get_float8_infinity()};
	pds_ddsketch_reader r;
	pds_ddsketch_bucket bucket;
	uint32		n = 0;

	put_range(rows, desc, at, unit, v.apart.negative_infinities);
	pds_ddsketch_buckets_from(&r, &v);
	while (pds_ddsketch_next(&r, &bucket))
	{
		if (bucket.negative)
			put_range(rows, desc, pds_ddsketch_range_of(&v, &bucket), unit, bucket.count);
		else
			positives[n++] = bucket;
	}
	require_ok(r.bits.overrun ? PDS_CORRUPT : PDS_OK);
	at.lower = at.upper = 0;
	put_range(rows, desc, at, unit, v.apart.zeros);
	while (n-- > 0)
		put_range(rows, desc, pds_ddsketch_range_of(&v, &positives[n]), unit, positives[n].count);
	at.lower = at.upper = get_float8_infinity();
	put_range(rows, desc, at, unit, v.apart.positive_infinities);
	at.lower = at.upper = get_float8_nan();
	put_range(rows, desc, at, unit, v.apart.nans);
	return (Datum) 0;
}

/*
 * ddsketch_info(ddsketch): relative_error, error, scale, max_buckets, buckets, encoding, kind,
 * bytes, total, status
 */
PDS_FUNCTION(probds_ddsketch_info)
{
	static const char *const encodings[] = {"empty", "buckets"};
	pds_ddsketch_view v = view_arg(fcinfo, 0);
	Datum		values[] = {
		Float8GetDatum(pds_for_people(pds_ddsketch_error(v.asked))),
		Float8GetDatum(pds_for_people(pds_ddsketch_error(v.scale))),
		Int32GetDatum(v.scale),
		Int32GetDatum((int32) v.max_buckets),
		Int32GetDatum((int32) (v.negatives + v.positives)),
		CStringGetTextDatum(encodings[v.encoding]),
		CStringGetTextDatum(pds_kind_full_name(v.kind)),
		Int32GetDatum((int32) v.len),
		Int64GetDatum((int64) v.total),
		CStringGetTextDatum(v.scale < v.asked ? "over capacity" : "ok")
	};

	return pds_info_row(fcinfo, values, NULL);
}
