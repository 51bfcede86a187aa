/*
 * counting_bloom_type.c: the type counting_bloom: its parameters, changes and differences
 *
 * What asks whether a value is in a filter is in counting_bloom_probe_type.c, what tells
 * about a filter as a whole in counting_bloom_answer_type.c.
 *
 * Macros define: probds_counting_bloom_in, probds_counting_bloom_out, probds_counting_bloom_recv,
 * probds_counting_bloom_send, probds_counting_bloom_from_bytea, probds_counting_bloom_typmod_in,
 * probds_counting_bloom_typmod_out, probds_counting_bloom_typmod_cast, probds_counting_bloom_eq,
 * probds_counting_bloom_ne, probds_counting_bloom_lt, probds_counting_bloom_le,
 * probds_counting_bloom_gt, probds_counting_bloom_ge, probds_counting_bloom_cmp,
 * probds_counting_bloom_hash, probds_counting_bloom_hash_extended, probds_counting_bloom_empty,
 * probds_counting_bloom_add, probds_counting_bloom_add_all, probds_counting_bloom_remove,
 * probds_counting_bloom_remove_all, probds_counting_bloom_merge.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/array.h"

#include "result_row.h"
#include "compat.h"
#include "decimal.h"
#include "counting_bloom_answer_type.h"
#include "counting_bloom_type.h"
#include "expanded.h"
#include "entry_points.h"
#include "state.h"
#include "call_argument.h"

/* ---------- parameters ---------- */

enum
{
	CAPACITY,
	RATE,
	LAYOUT
};

/* In the order of their hash families. */
static const char *const layouts[] = {"blocked", "classic", NULL};

static const PdsParameter parameters[] = {
	[CAPACITY] = PDS_CAPACITY_PARAMETER,
	[RATE] = PDS_RATE_PARAMETER(PDS_COUNTING_BLOOM_DEFAULT_RATE),
	[LAYOUT] = {"layout", PDS_NAME, .names = layouts,
	.hint = "Layouts are \"blocked\" and \"classic\"."},
	{NULL}
};

uint8
pds_counting_bloom_layout_arg(const text *layout)
{
	return (uint8) pds_parameter_place("counting_bloom", &parameters[LAYOUT], VARDATA_ANY(layout),
									   VARSIZE_ANY_EXHDR(layout));
}

/* The shape of these parameters; false if it is larger than a value can be. */
static bool
counting_bloom_shape_of(const double *values, void *shape)
{
	return pds_counting_bloom_shape_for(pds_capacity_of(values[CAPACITY]),
										pds_decimal_code(values[RATE]),
										(uint8) values[LAYOUT], shape) == PDS_OK;
}

static void
counting_bloom_impossible(const double *values)
{
	uint16		rate = pds_decimal_code(values[RATE]);

	pds_refuse_capacity("counting_bloom", values[CAPACITY], rate,
						pds_counting_bloom_max_capacity(rate, (uint8) values[LAYOUT]));
}

/* "capacity 1000 at 0.01 (10240 counters, 6 hashes, blocked)" */
static char *
describe_shape(const pds_bloom_shape *s)
{
	return psprintf("capacity %llu at %g (%llu counters, %d hashes, %s)",
					(unsigned long long) s->capacity, pds_decimal_value(s->rate),
					(unsigned long long) s->bits, s->hashes, layouts[s->family]);
}

PDS_DESCRIBED_BY_SHAPE(counting_bloom, describe_shape, pds_bloom_same_shape);

/* "counting_bloom_agg(value, 1000, 0.01)" */
static char *
describe_call(const pds_bloom_shape *s)
{
	return psprintf("counting_bloom_agg(value, %llu, %g%s)", (unsigned long long) s->capacity,
					pds_decimal_value(s->rate),
					s->family == PDS_BLOOM_CLASSIC ? ", 'classic'" : "");
}

PDS_REQUIRE_SAME_SHAPE(pds_bloom_shape, pds_bloom_same_shape,
					   "counting_bloom values of different sizes", "capacity, rate and layout");
PDS_MISMATCH_OF_SHAPES(counting_bloom, require_same_shape);

/* ---------- the building form ---------- */

PDS_REMEMBERED_PARAMETERS(counting_bloom, pds_bloom_shape, pds_bloom_same_shape, values[RATE]);

static void *
counting_bloom_new(const double *values)
{
	pds_bloom_shape shape;
	pds_counting_bloom_build *b;
	size_t		size;

	pds_require_shape(&pds_counting_bloom_type, values, &shape);
	size = pds_counting_bloom_first_size(&shape);
	b = pds_state_alloc(size);
	pds_counting_bloom_init(b, size, &shape, false);
	counting_bloom_remember(b, values);
	return b;
}

pds_counting_bloom_build *
pds_counting_bloom_new_exact(const pds_counting_bloom_build *like)
{
	size_t		size = pds_counting_bloom_first_exact_size(&like->shape);
	pds_counting_bloom_build *b = pds_state_alloc(size);

	pds_counting_bloom_init(b, size, &like->shape, true);
	b->asked_capacity = like->asked_capacity;
	b->asked_rate = like->asked_rate;
	return b;
}

static bool
counting_bloom_begun_with(void *state, const double *values)
{
	const pds_counting_bloom_build *b = state;

	if (b->asked_capacity == 0)
		return counting_bloom_takes(state, values);
	return counting_bloom_remembers(b, values) &&
		b->shape.family == (uint8) values[LAYOUT];
}

static pds_status
counting_bloom_remove(void *state, pds_hash hash)
{
	return pds_counting_bloom_remove(state, hash);
}

static void
counting_bloom_refuse(const void *state, pds_status status)
{
	(void) state;
	if (status == PDS_NEGATIVE)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot remove a value that the counting_bloom does not contain"),
				 errdetail("A counter would be below zero."),
				 errhint("Remove only values that were added. Removing a false positive makes "
						 "the filter miss other values.")));
}

static void
counting_bloom_health(const void *view, PdsHealth *h)
{
	pds_counting_bloom_health(view, h);
}

/* Only a filter with nothing in it can have another shape. */
PDS_SKETCH_TYPE(counting_bloom,
	.array_functions = "counting_bloom_contains_any(), counting_bloom_contains_all(), "
	"counting_bloom_add_all() or counting_bloom_remove_all()",
	PDS_MODIFIERS(3, "a capacity, a false-positive rate and a layout as its modifier",
				  "Write counting_bloom(1000000), counting_bloom(1000000, 0.01) or "
				  "counting_bloom(1000000, 0.01, 'classic')."),
	.shape_of = counting_bloom_shape_of, .impossible = counting_bloom_impossible,
	.remove = counting_bloom_remove, .refuse = counting_bloom_refuse,
	.mismatch = counting_bloom_mismatch);

/*
 * counting_bloom_size(capacity, false_positive_rate, layout): counters, hashes, bytes,
 * filled_bytes, bits_per_value
 */
PDS_FUNCTION(probds_counting_bloom_size)
{
	double		asked[PDS_MAX_PARAMETERS];
	pds_bloom_shape s;
	size_t		full;
	Datum		values[5];

	pds_parameter_args(fcinfo, 0, "counting_bloom", parameters, asked);
	pds_require_shape(&pds_counting_bloom_type, asked, &s);
	full = pds_counting_bloom_full_bytes(&s);
	values[0] = Int64GetDatum((int64) s.bits);
	values[1] = Int32GetDatum(s.hashes);
	values[2] = Int64GetDatum((int64) pds_counting_bloom_most_bytes(&s));
	values[3] = Int64GetDatum((int64) full);
	values[4] = Float8GetDatum(pds_for_people((double) full * 8 / (double) s.capacity));
	return pds_info_row(fcinfo, values, NULL);
}
PDS_REMOVE_FUNCTIONS(counting_bloom);

/*
 * counting_bloom_subtract(counting_bloom, counting_bloom): NULL is nothing to take out, but
 * nothing is taken out of NULL
 */
PDS_FUNCTION(probds_counting_bloom_subtract)
{
	const PdsSketchType *type = &pds_counting_bloom_type;
	pds_counting_bloom_build *b;
	struct varlena *value;
	pds_counting_bloom_view view;
	pds_operand operand = {NULL, &view};
	pds_status	status;

	PDS_RETURN_UNCHANGED_BY_NULL();
	b = pds_state_load_arg(fcinfo, 0, type);
	value = pds_sketch_get(type, PG_GETARG_DATUM(1));
	pds_sketch_open(type, value, &view);
	require_same_shape(&b->shape, &view.shape);
	pds_state_join(type, b, value);
	status = pds_counting_bloom_subtract(b, &operand);
	if (status == PDS_NEGATIVE)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot subtract a counting_bloom that holds more than the other"),
				 errdetail("A counter would be below zero.")));
	if (status != PDS_OK)
		pds_stored_corrupt(type, NULL);
	PG_RETURN_POINTER(pds_state_store(type, b));
}
