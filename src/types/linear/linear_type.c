/*
 * linear_type.c: the type linear
 */
#include "postgres.h"

#include <math.h>

#include "utils/builtins.h"

#include "aggregate.h"
#include "answer.h"
#include "linear.h"
#include "linear_type.h"

static const PdsParameter parameters[] = {
	{"number of bits", PDS_INTEGER, .standard = PDS_LINEAR_DEFAULT_BITS,
		.least = PDS_LINEAR_MIN_BITS, .most = PDS_LINEAR_MAX_BITS,
	.hint = "It should be at least a tenth of the distinct values that are expected."},
	{NULL}
};

static void *
linear_new(const double *values)
{
	pds_linear_build *b = pds_state_alloc(pds_linear_size((uint32) values[0]));

	pds_linear_init(b, (uint32) values[0]);
	return b;
}

static bool
linear_begun_with(void *state, const double *values)
{
	return ((const pds_linear_build *) state)->bits == values[0];
}

static char *
linear_describe(const void *view)
{
	return psprintf("%u bits", ((const pds_linear_view *) view)->bits);
}

static bool
linear_same_parameters(const void *a, const void *b)
{
	return ((const pds_linear_view *) a)->bits == ((const pds_linear_view *) b)->bits;
}

static void
linear_health(const void *view, PdsHealth *h)
{
	const pds_linear_view *v = view;

	h->fill = 1 - exp(-pds_linear_cardinality(v) / v->bits);
	if (h->fill >= 0.99)
		h->status = "nearly full";
}

PDS_SKETCH_TYPE(linear,
	.array_functions = "linear_add_all()",
	PDS_MODIFIERS(1, "one modifier, the number of bits", "Write linear(4096)."));

static pg_attribute_always_inline Datum
linear_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	return pds_aggregate_step(fcinfo, PDS_FIRST_PARAMETER, isnull, hash, kind, &pds_linear_type);
}

PDS_AGGREGATE_ENTRIES(linear, linear_step);
PDS_MERGE_AGGREGATE_FUNCTIONS(linear);

/* linear_cardinality(linear) */
PDS_FUNCTION(probds_linear_cardinality)
{
	pds_linear_view v;

	(void) pds_sketch_arg(fcinfo, 0, &pds_linear_type, &v);
	return pds_count_datum(pds_linear_cardinality(&v));
}

/* linear_info(linear): bits, cardinality, kind, bytes */
PDS_FUNCTION(probds_linear_info)
{
	pds_linear_view v;
	Datum		values[4];

	(void) pds_sketch_arg(fcinfo, 0, &pds_linear_type, &v);
	values[0] = Int32GetDatum((int32) v.bits);
	values[1] = pds_count_datum(pds_linear_cardinality(&v));
	values[2] = CStringGetTextDatum(pds_kind_full_name(v.kind));
	values[3] = Int32GetDatum((int32) v.len);
	return pds_info_row(fcinfo, values, NULL);
}
