/*
 * linear_type.c: the type linear
 */
#include "postgres.h"

#include <math.h>

#include "funcapi.h"
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

	h->parameters = linear_describe(view);
	h->fill = 1 - exp(-pds_linear_cardinality(v) / v->bits);
	h->status = h->fill < 0.99 ? "ok" : "nearly full";
	h->family = "native";
}

const PdsSketchType pds_linear_type = {
	.name = "linear",
	.array_functions = "linear_add_all()",
	.ops = &pds_linear_ops,
	.parameters = parameters,
	.modifiers = 1,
	.modifier_takes = "one modifier, the number of bits",
	.modifier_hint = "Write linear(4096).",
	.new_state = linear_new,
	.begun_with = linear_begun_with,
	.describe = linear_describe,
	.same_parameters = linear_same_parameters,
	.health = linear_health,
};

PDS_SKETCH_FUNCTIONS(linear, pds_linear_type);
PDS_EMPTY_FUNCTION(linear, pds_linear_type);
PDS_ADD_FUNCTION(linear, pds_linear_type);
PDS_ADD_ALL_FUNCTION(linear, pds_linear_type);
PDS_MERGE_FUNCTION(linear, pds_linear_type);

static pg_attribute_always_inline Datum
linear_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	return pds_aggregate_step(fcinfo, 2, isnull, hash, kind, &pds_linear_type);
}

PDS_AGGREGATE_ENTRIES(linear, linear_step);
PDS_MERGE_AGGREGATE_FUNCTIONS(linear, pds_linear_type);

/* linear_cardinality(linear) */
PG_FUNCTION_INFO_V1(probds_linear_cardinality);
Datum
probds_linear_cardinality(PG_FUNCTION_ARGS)
{
	pds_linear_view v;

	pds_sketch_open(&pds_linear_type, pds_sketch_get(&pds_linear_type, PG_GETARG_DATUM(0)), &v);
	return pds_count_datum(pds_linear_cardinality(&v));
}

/* linear_info(linear): bits, cardinality, kind, bytes */
PG_FUNCTION_INFO_V1(probds_linear_info);
Datum
probds_linear_info(PG_FUNCTION_ARGS)
{
	struct varlena *value = pds_sketch_get(&pds_linear_type, PG_GETARG_DATUM(0));
	pds_linear_view v;
	Datum		values[4];

	pds_sketch_open(&pds_linear_type, value, &v);
	values[0] = Int32GetDatum((int32) v.bits);
	values[1] = pds_count_datum(pds_linear_cardinality(&v));
	values[2] = CStringGetTextDatum(pds_kind_full_name(v.kind));
	values[3] = Int32GetDatum((int32) PDS_PAYLOAD_LEN(value));
	return pds_info_row(fcinfo, values, NULL);
}
