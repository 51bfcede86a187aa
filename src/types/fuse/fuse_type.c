/*
 * fuse_type.c: the type fuse: its parameter, its aggregate, and what it answers
 *
 * Macros define: probds_fuse_in, probds_fuse_out, probds_fuse_recv, probds_fuse_send,
 * probds_fuse_from_bytea, probds_fuse_typmod_in, probds_fuse_typmod_out,
 * probds_fuse_typmod_cast, probds_fuse_eq, probds_fuse_ne, probds_fuse_lt, probds_fuse_le,
 * probds_fuse_gt, probds_fuse_ge, probds_fuse_cmp, probds_fuse_hash, probds_fuse_hash_extended,
 * probds_fuse_empty, probds_fuse_merge, probds_fuse_agg, probds_fuse_contained,
 * probds_fuse_contains, probds_fuse_contains_all, probds_fuse_contains_any.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "utils/builtins.h"

#include "aggregate.h"
#include "compat.h"
#include "decimal.h"
#include "fuse.h"
#include "fuse_type.h"
#include "probe.h"
#include "result_row.h"
#include "selectivity.h"
#include "state.h"

/* ---------- the type ---------- */

static const PdsParameter parameters[] = {
	{"false-positive rate", PDS_SHARE, .standard = PDS_FUSE_DEFAULT_RATE,
	.hint = "Write 0.01 for 1 %. A fuse has no capacity: it is made for the values that it gets."},
	{NULL}
};

static char *
fuse_describe(const void *view)
{
	return psprintf("rate %g", pds_decimal_value(((const pds_fuse_view *) view)->rate));
}

static bool
fuse_same_parameters(const void *a, const void *b)
{
	return ((const pds_fuse_view *) a)->rate == ((const pds_fuse_view *) b)->rate;
}

static void *
fuse_new(const double *values)
{
	pds_fuse_build *b = pds_state_alloc(PDS_FUSE_FIRST_SIZE);

	pds_fuse_build_init(b, PDS_FUSE_FIRST_SIZE, pds_decimal_code(values[0]));
	return b;
}

static bool
fuse_begun_with(const void *state, const double *values)
{
	return ((const pds_fuse_build *) state)->rate == pds_decimal_code(values[0]);
}

#define TOO_MANY_HINT "Split the values over several rows by their hash, with a filter in each."

static void
fuse_refuse(const void *state, pds_status status)
{
	if (status == PDS_FINISHED)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a fuse filter cannot be changed or merged"),
				 errdetail("It has no trace of the values that it was made of."),
				 errhint("Make it again from the rows by fuse_agg(). The types bloom, cuckoo, "
						 "counting_bloom and scalable_bloom can be added to and merged.")));
	if (((const pds_fuse_build *) state)->count <= PDS_FUSE_MAX_VALUES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("cannot make a fuse filter of these values"),
				 errdetail("None of %d seeds tells their hashes apart.", PDS_FUSE_SEEDS),
				 errhint("This happens with values that somebody made for it. Use a bloom.")));
	pds_refuse_values("fuse_agg", PDS_FUSE_MAX_VALUES, TOO_MANY_HINT);
}

static void
fuse_health(const void *view, PdsHealth *h)
{
	const pds_fuse_view *v = view;

	h->modifier = psprintf("%g", pds_decimal_value(v->rate));
	h->values = (double) v->count;
	h->rate = pds_fuse_rate(v);
}

PDS_SKETCH_TYPE_FINISHED(fuse,
	.array_functions = "fuse_contains_any() or fuse_contains_all()",
	PDS_MODIFIERS(1, "one modifier, the false-positive rate", "Write fuse(0.01)."),
	.refuse = fuse_refuse);

/* fuse_add(fuse, "any"): an error that names the types which have it */
PDS_FUNCTION(probds_fuse_add)
{
	fuse_refuse(NULL, PDS_FINISHED);
	PG_RETURN_NULL();
}

/* fuse_size(number_of_values, false_positive_rate): bytes, bits_per_value */
PDS_FUNCTION(probds_fuse_size)
{
	double		n = PG_GETARG_FLOAT8(0);
	double		rate;
	double		bytes;
	Datum		values[2];

	pds_parameter_args(fcinfo, 1, "fuse", parameters, &rate);
	if (!(n >= 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number of values must be at least 1, not %g", n)));
	if (n > PDS_FUSE_MAX_VALUES)
		pds_refuse_values("fuse_agg", PDS_FUSE_MAX_VALUES, TOO_MANY_HINT);
	bytes = pds_fuse_full_bytes(floor(n), pds_decimal_code(rate));
	values[0] = Int64GetDatum((int64) bytes);
	values[1] = Float8GetDatum(pds_for_people(bytes * 8 / floor(n)));
	return pds_info_row(fcinfo, values, NULL);
}

/* ---------- the aggregate ---------- */

PDS_AGGREGATE_STEP(fuse, PDS_TYPE_FUSE, PDS_FAMILY_NATIVE);

/* The state is stored as a filter only here: everywhere else, its hashes are. */
PDS_FUNCTION(probds_fuse_final)
{
	pds_fuse_build *b;
	Datum		result;

	pds_require_aggregate(fcinfo);
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	b = pds_state_arg(fcinfo, &pds_fuse_type);
	b->finished = 1;
	result = PointerGetDatum(pds_state_store(&pds_fuse_type, b));
	b->finished = 0;
	return result;
}

/* ---------- answers ---------- */

PDS_PROBE(is_there, fuse, PDS_FUSE_MAX_PREFIX, pds_fuse_view_contains);
PDS_CONTAINS_FUNCTIONS(fuse, is_there);
PDS_SKETCH_FUNCTION(probds_fuse_contains_sel, return pds_contains_sel(fcinfo, &is_there));
PDS_SKETCH_FUNCTION(probds_fuse_contains_support, return pds_contains_support(fcinfo, &is_there));

/* The head of argument 0. */
static void
head_arg(FunctionCallInfo fcinfo, int argno, pds_fuse_view *v)
{
	pds_probe_head(fcinfo, argno, &is_there, v);
}

/* fuse_cardinality(fuse): how many distinct hashes it was made of */
PDS_SUMMARY_FUNCTION(probds_fuse_cardinality, pds_fuse_view, head_arg,
					 Int64GetDatum((int64) s.count));

/* fuse_false_positive_rate(fuse) */
PDS_SUMMARY_FUNCTION(probds_fuse_false_positive_rate, pds_fuse_view, head_arg,
					 Float8GetDatum(pds_fuse_rate(&s)));

/*
 * fuse_info(fuse): items, fingerprint_bits, false_positive_rate, promised_rate, kind, bytes,
 * bits_per_item, encoding
 */
PDS_FUNCTION(probds_fuse_info)
{
	static const char *const encodings[] = {"empty", "hashes", "finished"};
	pds_fuse_view v;
	Datum		values[8];

	head_arg(fcinfo, 0, &v);
	values[0] = Int64GetDatum((int64) v.count);
	values[1] = Int32GetDatum(pds_fuse_bits(v.rate));
	values[2] = Float8GetDatum(pds_for_people(pds_fuse_rate(&v)));
	values[3] = Float8GetDatum(pds_decimal_value(v.rate));
	values[4] = CStringGetTextDatum(pds_kind_full_name(v.kind));
	values[5] = Int32GetDatum((int32) v.len);
	values[6] = Float8GetDatum(pds_for_people((double) v.len * 8 / (double) Max(v.count, 1)));
	values[7] = CStringGetTextDatum(encodings[v.encoding]);
	return pds_info_row(fcinfo, values, NULL);
}
