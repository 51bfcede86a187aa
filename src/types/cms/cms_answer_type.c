/*
 * cms_answer_type.c: how often this value occurred, and what else a cms answers
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "utils/builtins.h"

#include "compat.h"
#include "decimal.h"
#include "cms_type.h"
#include "result_row.h"
#include "probe.h"

/* ---------- frequencies ---------- */

/* The parameters of a live state as those of a view. */
static void
view_state(const pds_cms_build *b, pds_cms_view *v)
{
	v->kind = pds_state_kind(b);
	v->shape = b->shape;
	v->total = b->total;
}

/* A sparse sketch that is probed often is unpacked to an array of all counters. */
static void
plan_unpacking(const pds_cms_view *v, PdsUnpackPlan *plan)
{
	plan->size = 0;
	if (v->encoding != PDS_CMS_SPARSE)
		return;
	plan->size = pds_cms_unpacked_size(v);
	plan->unpack_cost = 1000 + (double) plan->size * 0.3 + (double) v->nonzero * 8;
	/* a value that is not there has a counter of zero in the first rows */
	plan->probe_cost = 100 + (v->shape.depth + 1) / 2 *
		(50 + 4 * (double) v->nonzero / (double) v->list.segments);
}

PDS_UNPACKING(to_counters, cms, plan_unpacking, pds_cms_unpack, pds_cms_same_frequency,
			  pds_cms_unpacked_frequency);
PDS_PROBE_OF_STATES(how_often, cms, PDS_CMS_MAX_PREFIX, pds_cms_frequency,
					   pds_cms_build_frequency, &to_counters);

/* cms_frequency(cms, "any"), cms -> "any" */
PDS_FUNCTION(probds_cms_frequency)
{
	PdsProbed	probed;

	PG_RETURN_INT64((int64) pds_probe_args(fcinfo, 0, 1, &how_often, &probed));
}

/* cms_bounds(cms, "any"): (lower, estimate, upper) */
PDS_FUNCTION(probds_cms_bounds)
{
	PdsProbed	probed;
	uint64		f = pds_probe_args(fcinfo, 0, 1, &how_often, &probed);
	const pds_cms_view *v = probed.view;
	uint64		lower = pds_cms_lower_bound(&v->shape, v->total, f);

	return pds_bounds_row_exact((int64) lower, (int64) f, (int64) f);
}

/* cms_frequencies(cms, anyarray): of each element, NULL of a NULL */
PDS_SKETCH_FUNCTION(probds_cms_frequencies, return pds_probe_elements(fcinfo, &how_often));

/* ---------- answers of the whole ---------- */

/* cms_total(cms): the sum of all weights */
PDS_FUNCTION(probds_cms_total)
{
	pds_cms_view v;

	pds_probe_head(fcinfo, 0, &how_often, &v);
	PG_RETURN_INT64((int64) v.total);
}

/* The most that an estimate is expected to be over, as a share of the sum of all weights. */
static double
error_of(const pds_cms_view *v)
{
	return v->total == 0 ? 0 : (double) pds_cms_error(&v->shape, v->total) / (double) v->total;
}

/* cms_error(cms) */
PDS_FUNCTION(probds_cms_error)
{
	pds_cms_view v;

	pds_probe_head(fcinfo, 0, &how_often, &v);
	PG_RETURN_FLOAT8(error_of(&v));
}

static Datum
wide_numeric(pds_cms_wide v)
{
	const uint64 parts[] = {v.high >> 32, (uint32) v.high, v.low >> 32, (uint32) v.low};
	Datum		base = DirectFunctionCall1(int8_numeric, Int64GetDatum(INT64CONST(1) << 32));
	Datum		sum = DirectFunctionCall1(int8_numeric, Int64GetDatum(0));

	for (int i = 0; i < lengthof(parts); i++)
	{
		Datum		part = DirectFunctionCall1(int8_numeric, Int64GetDatum((int64) parts[i]));

		sum = DirectFunctionCall2(numeric_add, DirectFunctionCall2(numeric_mul, sum, base), part);
	}
	return sum;
}

/* cms_inner_product(cms, cms): the size of their join, as numeric: it may be up to 2^126 */
PDS_FUNCTION(probds_cms_inner_product)
{
	struct varlena *a = pds_sketch_get(&pds_cms_type, PG_GETARG_DATUM(0));
	struct varlena *b = pds_sketch_get(&pds_cms_type, PG_GETARG_DATUM(1));
	pds_cms_view va;
	pds_cms_view vb;
	pds_cms_wide product;

	pds_sketch_open(&pds_cms_type, a, &va);
	pds_sketch_open(&pds_cms_type, b, &vb);
	if (va.shape.conservative || vb.shape.conservative)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot compute the inner product of a conservative cms"),
				 errdetail("The result could be lower than the true inner product."),
				 errhint("Build both by cms_agg.")));
	pds_cms_require_same_shape(&va.shape, &vb.shape);
	(void) pds_require_mergeable(&pds_cms_type, va.kind, va.family, vb.kind, vb.family);
	if (pds_cms_inner_product(&va, &vb, &product) != PDS_OK)
		pds_stored_corrupt(&pds_cms_type, NULL);
	return wide_numeric(product);
}

/*
 * cms_info(cms): epsilon, delta, width, depth, conservative, encoding,
 * counter_bytes, kind, family, bytes, total, fill, error
 */
PDS_FUNCTION(probds_cms_info)
{
	pds_cms_view v;
	Datum		values[13];
	bool		nulls[13] = {false};
	int			n = 0;

	(void) pds_sketch_arg(fcinfo, 0, &pds_cms_type, &v);
	values[n++] = Float8GetDatum(pds_decimal_value(v.shape.epsilon));
	values[n++] = Float8GetDatum(pds_decimal_value(v.shape.delta));
	values[n++] = Int32GetDatum((int32) v.shape.width);
	values[n++] = Int32GetDatum(v.shape.depth);
	values[n++] = BoolGetDatum(v.shape.conservative != 0);
	values[n++] = CStringGetTextDatum(v.encoding == PDS_CMS_EMPTY ? "empty" :
									  v.encoding == PDS_CMS_SPARSE ? "sparse" : "dense");
	nulls[n] = v.bytes == 0;
	values[n++] = Int32GetDatum(v.bytes);
	values[n++] = CStringGetTextDatum(pds_kind_full_name(v.kind));
	values[n++] = CStringGetTextDatum("native");
	values[n++] = Int32GetDatum((int32) v.len);
	values[n++] = Int64GetDatum((int64) v.total);
	values[n++] = Float8GetDatum(pds_for_people((double) pds_cms_count_nonzero(&v) /
												pds_cms_counters(&v.shape)));
	values[n++] = Float8GetDatum(error_of(&v));
	return pds_info_row(fcinfo, values, nulls);
}
