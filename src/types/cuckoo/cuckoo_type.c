/*
 * cuckoo_type.c: the type cuckoo: its parameters and changes
 *
 * What asks whether a value is in a filter, or how often, is in cuckoo_answer_type.c.
 *
 * Macros define: probds_cuckoo_in, probds_cuckoo_out, probds_cuckoo_recv, probds_cuckoo_send,
 * probds_cuckoo_from_bytea, probds_cuckoo_typmod_in, probds_cuckoo_typmod_out,
 * probds_cuckoo_typmod_cast, probds_cuckoo_eq, probds_cuckoo_ne, probds_cuckoo_lt,
 * probds_cuckoo_le, probds_cuckoo_gt, probds_cuckoo_ge, probds_cuckoo_cmp, probds_cuckoo_hash,
 * probds_cuckoo_hash_extended, probds_cuckoo_empty, probds_cuckoo_add, probds_cuckoo_add_all,
 * probds_cuckoo_remove, probds_cuckoo_remove_all, probds_cuckoo_merge, probds_cuckoo_size.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "compat.h"
#include "decimal.h"
#include "cuckoo_type.h"
#include "result_row.h"
#include "expanded.h"
#include "entry_points.h"
#include "state.h"

/* ---------- parameters ---------- */

enum
{
	CAPACITY,
	RATE
};

static const PdsParameter parameters[] = {
	[CAPACITY] = PDS_CAPACITY_PARAMETER,
	[RATE] = PDS_RATE_PARAMETER(PDS_CUCKOO_DEFAULT_RATE),
	{NULL}
};

/* The shape of these parameters; false if it is larger than a value can be. */
static bool
cuckoo_shape_of(const double *values, void *shape)
{
	uint64_t	capacity = pds_capacity_of(values[CAPACITY]);

	if (capacity > PDS_CUCKOO_MAX_CAPACITY)
		return false;
	pds_cuckoo_shape_for(capacity, pds_decimal_code(values[RATE]), shape);
	return pds_cuckoo_fits(shape);
}

static void
cuckoo_impossible(const double *values)
{
	uint16		rate = pds_decimal_code(values[RATE]);

	pds_refuse_capacity("cuckoo filter", values[CAPACITY], rate,
						pds_cuckoo_max_capacity(rate));
}

/* "capacity 1000 at 0.01" */
static char *
describe_shape(const pds_cuckoo_shape *s)
{
	return psprintf("capacity %llu at %g", (unsigned long long) s->capacity,
					pds_decimal_value(s->rate));
}

PDS_DESCRIBED_BY_SHAPE(cuckoo, describe_shape, pds_cuckoo_same_shape);

/* "cuckoo_agg(value, 1000, 0.01)" */
static char *
describe_call(const pds_cuckoo_shape *s)
{
	return psprintf("cuckoo_agg(value, %llu, %g)", (unsigned long long) s->capacity,
					pds_decimal_value(s->rate));
}

PDS_REQUIRE_SAME_SHAPE(pds_cuckoo_shape, pds_cuckoo_same_shape,
					   "cuckoo filters of different parameters", "capacity and rate");
PDS_MISMATCH_OF_SHAPES(cuckoo, require_same_shape);

static void
cuckoo_refuse(const void *state, pds_status status)
{
	if (status == PDS_NEGATIVE)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot remove a value that is not in the cuckoo filter"),
				 errdetail("It was never added, or has been removed as often as it was added."),
				 errhint("Test with cuckoo_contains() whether the filter may hold the value.")));
	if (status == PDS_OVERFLOW)
		pds_refuse_overflow("number of values in a cuckoo filter", "The number",
							PDS_CUCKOO_MAX_COUNT);
	if (status == PDS_TOO_LARGE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("cuckoo filter would be larger than a value can be"),
				 errdetail("It holds %llu distinct values.",
						   (unsigned long long) pds_cuckoo_distinct(state)),
				 errhint("Split the values over several rows by their hash, with a filter "
						 "in each.")));
}

/* ---------- the building form ---------- */

PDS_BEGUN_WITH_SHAPE(cuckoo, pds_cuckoo_shape, pds_cuckoo_same_shape);
PDS_NEW_OF_SHAPE(cuckoo, pds_cuckoo_shape, PDS_CUCKOO_FIRST_SIZE);

/* ---------- how full it is ---------- */

const char *
pds_cuckoo_status_name(const pds_cuckoo_view *v)
{
	double		values = pds_cuckoo_cardinality(&v->shape, v->distinct);
	double		capacity = (double) v->shape.capacity;

	/* the rate follows from the classes held, of which there are never more than values */
	return v->distinct > v->shape.capacity ? "over capacity" :
		values >= 0.9 * capacity ? "nearly full" : "ok";
}

static void
cuckoo_health(const void *view, PdsHealth *h)
{
	const pds_cuckoo_view *v = view;

	h->modifier = pds_capacity_modifier(v->shape.capacity, v->shape.rate);
	h->values = pds_cuckoo_cardinality(&v->shape, v->distinct);
	h->capacity = (double) v->shape.capacity;
	h->fill = (double) v->distinct / (double) v->shape.capacity;
	if (h->fill > 1)
		h->fill = 1;
	h->rate = pds_cuckoo_rate(&v->shape, v->distinct);
	h->status = pds_cuckoo_status_name(v);
}

/* Only a filter with nothing in it can have other parameters. */
PDS_SKETCH_TYPE(cuckoo,
	.array_functions = "cuckoo_contains_any(), cuckoo_contains_all(), cuckoo_add_all() or "
	"cuckoo_remove_all()",
	PDS_MODIFIERS(2, "a capacity and a false-positive rate as its modifier",
				  "Write cuckoo(1000000) or cuckoo(1000000, 0.01)."),
	.shape_of = cuckoo_shape_of, .impossible = cuckoo_impossible, .refuse = cuckoo_refuse,
	.mismatch = cuckoo_mismatch);

/* cuckoo_size(capacity, false_positive_rate): bytes, bits_per_value */
PDS_SIZE_FUNCTION(cuckoo, pds_cuckoo_shape,
				  Int64GetDatum((int64) pds_cuckoo_full_bytes(&s)),
				  Float8GetDatum(pds_for_people((double) pds_cuckoo_full_bytes(&s) * 8 /
												(double) s.capacity)));

PDS_REMOVE_FUNCTIONS(cuckoo);
