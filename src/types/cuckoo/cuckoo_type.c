/*
 * cuckoo_type.c: the type cuckoo: its parameters and changes
 *
 * What asks whether a value is in a filter, or how often, is in cuckoo_answer_type.c.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/array.h"

#include "compat.h"
#include "decimal.h"
#include "cuckoo_type.h"
#include "expanded.h"
#include "functions.h"
#include "state.h"
#include "value.h"

/* ---------- parameters ---------- */

enum
{
	CAPACITY,
	RATE
};

static const PdsParameter parameters[] = {
	[CAPACITY] = {"capacity", PDS_COUNT, .standard = NAN,
	.hint = "The capacity is the number of distinct values at which the false-positive rate is reached."},
	[RATE] = {"false-positive rate", PDS_SHARE, .standard = PDS_CUCKOO_DEFAULT_RATE,
	.hint = "Write 0.01 for 1 %."},
	{NULL}
};

static uint64
capacity_of(const double *values)
{
	/* one beyond all bounds is refused by its size */
	return values[CAPACITY] < -(double) PG_INT64_MIN ? (uint64) values[CAPACITY] : PG_INT64_MAX;
}

/* The shape of these parameters; false if it is larger than a value can be. */
static bool
has_shape(const double *values, pds_cuckoo_shape *s)
{
	uint64_t	capacity = capacity_of(values);

	if (capacity > PDS_CUCKOO_MAX_CAPACITY)
		return false;
	pds_cuckoo_shape_for(capacity, pds_decimal_code(values[RATE]), s);
	return pds_cuckoo_fits(s);
}

static bool
cuckoo_possible(const double *values)
{
	pds_cuckoo_shape s;

	return has_shape(values, &s);
}

/* The same; 54000 if it is larger than a value can be. */
static void
shape_for(const double *values, pds_cuckoo_shape *s)
{
	uint16		code = pds_decimal_code(values[RATE]);
	uint64		capacity = capacity_of(values);
	uint64		most;

	if (has_shape(values, s))
		return;
	most = pds_cuckoo_max_capacity(code);
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("cuckoo filter for %llu values would be larger than a value can be",
					(unsigned long long) capacity),
			 errdetail("At a false-positive rate of %g one filter can be for up to %llu values.",
					   pds_decimal_value(code), (unsigned long long) most),
			 errhint("Split the values over %llu rows by their hash, with a filter in each.",
					 (unsigned long long) ((capacity - 1) / most + 1))));
}

/* "capacity 1000 at 0.01" */
static char *
cuckoo_describe(const void *view)
{
	const pds_cuckoo_shape *s = &((const pds_cuckoo_view *) view)->shape;

	return psprintf("capacity %llu at %g", (unsigned long long) s->capacity,
					pds_decimal_value(s->rate));
}

static bool
cuckoo_same_parameters(const void *a, const void *b)
{
	return pds_cuckoo_same_shape(&((const pds_cuckoo_view *) a)->shape,
								 &((const pds_cuckoo_view *) b)->shape);
}

static void
cuckoo_mismatch(const void *a, const void *b)
{
	const pds_cuckoo_shape *s = &((const pds_cuckoo_view *) a)->shape;
	const pds_cuckoo_shape *t = &((const pds_cuckoo_view *) b)->shape;
	const pds_cuckoo_shape *larger = s->capacity >= t->capacity ? s : t;

	if (!pds_cuckoo_same_shape(s, t))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot combine cuckoo filters of different parameters"),
				 errdetail("One is of %s, the other of %s.", cuckoo_describe(a),
						   cuckoo_describe(b)),
				 errhint("Build both with the same capacity and rate, for example by cuckoo_agg(value, %llu, %g).",
						 (unsigned long long) larger->capacity, pds_decimal_value(larger->rate))));
}

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
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("number of values in a cuckoo filter out of range"),
				 errdetail("It can be up to %lld.", (long long) PDS_CUCKOO_MAX_COUNT)));
	if (status == PDS_TOO_LARGE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("cuckoo filter would be larger than a value can be"),
				 errdetail("It holds %llu distinct values.",
						   (unsigned long long) pds_cuckoo_distinct(state)),
				 errhint("Split the values over several rows by their hash, with a filter in each.")));
}

/* ---------- the building form ---------- */

/* What was asked for: the shape has it rounded. */
static void
remember(pds_cuckoo_build *b, const double *values)
{
	b->asked_capacity = values[CAPACITY];
	b->asked_rate = values[RATE];
}

static void *
cuckoo_new(const double *values)
{
	pds_cuckoo_build *b = pds_state_alloc(PDS_CUCKOO_FIRST_SIZE);
	pds_cuckoo_shape shape;

	shape_for(values, &shape);
	pds_cuckoo_build_init(b, &shape);
	remember(b, values);
	return b;
}

/* A state that came by send and receive does not say what was asked for. */
static bool
cuckoo_begun_with(void *state, const double *values)
{
	pds_cuckoo_build *b = state;
	pds_cuckoo_shape shape;

	if (b->asked_capacity == values[CAPACITY] && b->asked_rate == values[RATE])
		return true;
	shape_for(values, &shape);
	if (b->asked_capacity != 0 || !pds_cuckoo_same_shape(&b->shape, &shape))
		return false;
	remember(b, values);
	return true;
}

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

	h->parameters = cuckoo_describe(view);
	h->fill = (double) v->distinct / (double) v->shape.capacity;
	if (h->fill > 1)
		h->fill = 1;
	h->rate = pds_cuckoo_rate(&v->shape, v->distinct);
	h->status = pds_cuckoo_status_name(v);
	h->family = "native";
}

/* Only a filter with nothing in it can have other parameters. */
const PdsSketchType pds_cuckoo_type = {
	PDS_SKETCH_TYPE(cuckoo),
	.array_functions = "cuckoo_contains_any(), cuckoo_contains_all(), cuckoo_add_all() or cuckoo_remove_all()",
	.modifiers = 2,
	.modifier_takes = "a capacity and a false-positive rate as its modifier",
	.modifier_hint = "Write cuckoo(1000000) or cuckoo(1000000, 0.01).",
	.possible = cuckoo_possible,
	.refuse = cuckoo_refuse,
	.mismatch = cuckoo_mismatch,
};

PDS_SKETCH_FUNCTIONS(cuckoo, pds_cuckoo_type);
PDS_EMPTY_FUNCTION(cuckoo, pds_cuckoo_type);
PDS_ADD_FUNCTION(cuckoo, pds_cuckoo_type);
PDS_ADD_ALL_FUNCTION(cuckoo, pds_cuckoo_type);
PDS_MERGE_FUNCTION(cuckoo, pds_cuckoo_type);

/* ---------- removal ---------- */

static void
remove_value(pds_cuckoo_build *b, PdsHasher *hasher, Datum value)
{
	pds_hash	hash = pds_hasher_hash(hasher, value);
	pds_status	status;

	pds_require_kind(&pds_cuckoo_type, pds_state_kind(b), pds_hasher_kind(hasher));
	status = pds_cuckoo_remove(b, hash);
	if (status != PDS_OK)
		pds_state_refuse(&pds_cuckoo_type, b, status);
}

/* cuckoo_remove(cuckoo, "any"): a NULL filter stays NULL, a NULL value removes nothing */
PG_FUNCTION_INFO_V1(probds_cuckoo_remove);
Datum
probds_cuckoo_remove(PG_FUNCTION_ARGS)
{
	PdsTarget	target;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(1))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	target = pds_change_begin(fcinfo, &pds_cuckoo_type, true);
	remove_value(target.state, pds_arg_hasher(fcinfo, 1, pds_state_kind(target.state)),
				 PG_GETARG_DATUM(1));
	return pds_change_end(&target, &pds_cuckoo_type, target.state);
}

/* cuckoo_remove_all(cuckoo, anyarray): NULL elements remove nothing */
PG_FUNCTION_INFO_V1(probds_cuckoo_remove_all);
Datum
probds_cuckoo_remove_all(PG_FUNCTION_ARGS)
{
	PdsTarget	target;
	ArrayType  *array;
	PdsHasher  *hasher;
	ArrayIterator it;
	Datum		value;
	bool		isnull;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(1))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	/* an array may hold what cannot be removed behind what can */
	target = pds_change_begin(fcinfo, &pds_cuckoo_type, false);
	array = pds_array_arg(fcinfo, 1, pds_state_kind(target.state), &hasher);
	pds_require_kind_of_elements(&pds_cuckoo_type, pds_state_kind(target.state), hasher);
	it = array_create_iterator(array, 0, NULL);
	while (array_iterate(it, &value, &isnull))
	{
		CHECK_FOR_INTERRUPTS();
		if (!isnull)
			remove_value(target.state, hasher, value);
	}
	array_free_iterator(it);
	return pds_change_end(&target, &pds_cuckoo_type, target.state);
}
