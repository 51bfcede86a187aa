/*
 * counting_bloom_type.c: the type counting_bloom: its parameters, changes, differences and answers
 *
 * What asks whether a value is in a filter is in counting_bloom_probe_type.c.
 *
 * Macros define: probds_counting_bloom_in, probds_counting_bloom_out, probds_counting_bloom_recv,
 * probds_counting_bloom_send, probds_counting_bloom_from_bytea, probds_counting_bloom_typmod_in,
 * probds_counting_bloom_typmod_out, probds_counting_bloom_typmod_cast, probds_counting_bloom_eq,
 * probds_counting_bloom_ne, probds_counting_bloom_lt, probds_counting_bloom_le,
 * probds_counting_bloom_gt, probds_counting_bloom_ge, probds_counting_bloom_cmp,
 * probds_counting_bloom_hash, probds_counting_bloom_hash_extended, probds_counting_bloom_empty,
 * probds_counting_bloom_add, probds_counting_bloom_add_all, probds_counting_bloom_remove,
 * probds_counting_bloom_remove_all, probds_counting_bloom_merge, probds_counting_bloom_info,
 * probds_counting_bloom_size.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "utils/builtins.h"

#include "bloom_estimate.h"
#include "bloom_type.h"
#include "result_row.h"
#include "compat.h"
#include "decimal.h"
#include "counting_bloom_type.h"
#include "entry_points.h"
#include "state.h"

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

PDS_BEGUN_WITH_SHAPE(counting_bloom, pds_bloom_shape, pds_bloom_same_shape);

static void *
counting_bloom_new(const double *values)
{
	pds_bloom_shape shape;
	pds_counting_bloom_build *b;
	size_t		size;

	pds_require_shape(&pds_counting_bloom_type, values, &shape);
	size = pds_counting_bloom_first_size(&shape);
	b = pds_state_alloc(size);
	pds_counting_bloom_init(b, size, &shape);
	return b;
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

static void counting_bloom_health(const void *view, PdsHealth *h);

/* Only a filter with nothing in it can have another shape. */
PDS_SKETCH_TYPE(counting_bloom,
	.array_functions = "counting_bloom_contains_any(), counting_bloom_contains_all(), "
	"counting_bloom_add_all() or counting_bloom_remove_all()",
	PDS_MODIFIERS(3, "a capacity, a false-positive rate and a layout as its modifier",
				  "Write counting_bloom(1000000), counting_bloom(1000000, 0.01) or "
				  "counting_bloom(1000000, 0.01, 'classic')."),
	.shape_of = counting_bloom_shape_of, .impossible = counting_bloom_impossible,
	.refuse = counting_bloom_refuse, .mismatch = counting_bloom_mismatch);

/*
 * counting_bloom_size(capacity, false_positive_rate, layout): counters, hashes, bytes,
 * filled_bytes, bits_per_value
 */
PDS_SIZE_FUNCTION(counting_bloom, pds_bloom_shape,
				  Int64GetDatum((int64) s.bits),
				  Int32GetDatum(s.hashes),
				  Int64GetDatum((int64) pds_counting_bloom_most_bytes(&s)),
				  Int64GetDatum((int64) pds_counting_bloom_full_bytes(&s)),
				  Float8GetDatum(pds_for_people((double) pds_counting_bloom_full_bytes(&s) * 8 /
												(double) s.capacity)));

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
	pds_status	status;

	PDS_RETURN_UNCHANGED_BY_NULL();
	b = pds_state_load_arg(fcinfo, 0, type);
	value = pds_sketch_get(type, PG_GETARG_DATUM(1));
	pds_sketch_open(type, value, &view);
	require_same_shape(&b->shape, &view.shape);
	pds_state_join(type, b, value);
	status = pds_counting_bloom_subtract(b, &view);
	if (status == PDS_NEGATIVE)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot subtract a counting_bloom that holds more than the other"),
				 errdetail("A counter would be below zero.")));
	if (status != PDS_OK)
		pds_stored_corrupt(type, NULL);
	PG_RETURN_POINTER(pds_state_store(type, b));
}

/* ---------- as a Bloom filter ---------- */

/* counting_bloom_to_bloom(counting_bloom), counting_bloom::bloom */
PDS_FUNCTION(probds_counting_bloom_to_bloom)
{
	pds_counting_bloom_view v;
	pds_bloom_build *b;
	size_t		size;

	(void) pds_sketch_arg(fcinfo, 0, &pds_counting_bloom_type, &v);
	size = pds_bloom_bits_size(v.shape.bits);
	b = palloc0(size);
	pds_bloom_build_init(b, size, &v.shape);
	pds_state_set_kind(b, v.kind);
	if (pds_counting_bloom_set_bits(&v, pds_bloom_build_array(b)) != PDS_OK)
		pds_stored_corrupt(&pds_counting_bloom_type, NULL);
	PG_RETURN_POINTER(pds_state_store(&pds_bloom_type, b));
}

/*
 * What the fill tells.  The rate and the number of distinct values follow from which counters are
 * not zero, as they do of the Bloom filter that has these bits set.
 */
typedef struct filter_summary
{
	pds_bloom_summary bloom;
	uint64		saturated;		/* counters of 15 */
} filter_summary;

static void
summarize(const pds_counting_bloom_view *v, filter_summary *s)
{
	size_t		len = v->shape.bits / 8;
	uint8	   *array = palloc0(len);
	pds_bloom_view bits = {
		.payload = array, .len = len, .encoding = PDS_BLOOM_ARRAY, .shape = v->shape
	};
	uint64_t	histogram[PDS_COUNTING_BLOOM_MAX + 1];

	if (pds_counting_bloom_set_bits(v, array) != PDS_OK ||
		pds_bloom_summarize(&bits, &s->bloom) != PDS_OK ||
		pds_counting_bloom_histogram(v, histogram) != PDS_OK)
		pds_stored_corrupt(&pds_counting_bloom_type, NULL);
	pfree(array);
	s->saturated = histogram[PDS_COUNTING_BLOOM_MAX];
}

static void
summary_arg(FunctionCallInfo fcinfo, int argno, filter_summary *s)
{
	pds_counting_bloom_view v;
	struct varlena *value = pds_sketch_arg(fcinfo, argno, &pds_counting_bloom_type, &v);

	summarize(&v, s);
	PG_FREE_IF_COPY(value, argno);
}

/* counting_bloom_cardinality(counting_bloom): different values, as bloom_cardinality() */
PDS_SUMMARY_FUNCTION(probds_counting_bloom_cardinality, filter_summary, summary_arg,
					 pds_count_datum(pds_bloom_cardinality(&s.bloom)));

/* counting_bloom_false_positive_rate(counting_bloom): as it is filled now */
PDS_SUMMARY_FUNCTION(probds_counting_bloom_false_positive_rate, filter_summary, summary_arg,
					 Float8GetDatum(pds_bloom_current_rate(&s.bloom)));

static double
fill_of(const pds_bloom_summary *s)
{
	return (double) s->set / (double) s->shape.bits;
}

PDS_SUMMARY_HEALTH(counting_bloom, filter_summary, summarize,
				   h->modifier = pds_capacity_modifier(v->shape.capacity, v->shape.rate);
				   h->values = pds_bloom_cardinality(&s.bloom);
				   h->capacity = (double) v->shape.capacity;
				   h->fill = fill_of(&s.bloom);
				   h->rate = pds_bloom_current_rate(&s.bloom);
				   h->status = pds_bloom_status_of(&s.bloom));

static const char *const encodings[] = {"empty", "coded", "array"};

/*
 * counting_bloom_info(counting_bloom): layout, counters, hashes, capacity, items, fill,
 * saturated, false_positive_rate, promised_rate, kind, family, bytes, encoding, status
 */
PDS_INFO_FUNCTION(counting_bloom, filter_summary, summarize,
				  CStringGetTextDatum(layouts[v->shape.family]),
				  Int64GetDatum((int64) v->shape.bits),
				  Int32GetDatum(v->shape.hashes),
				  Int64GetDatum((int64) v->shape.capacity),
				  pds_count_datum(pds_bloom_cardinality(&s.bloom)),
				  Float8GetDatum(pds_for_people(fill_of(&s.bloom))),
				  Int64GetDatum((int64) s.saturated),
				  Float8GetDatum(pds_for_people(pds_bloom_current_rate(&s.bloom))),
				  Float8GetDatum(pds_decimal_value(v->shape.rate)),
				  CStringGetTextDatum(pds_kind_full_name(v->kind)),
				  CStringGetTextDatum("native"),
				  Int32GetDatum((int32) v->len),
				  CStringGetTextDatum(encodings[v->encoding]),
				  CStringGetTextDatum(pds_bloom_status_of(&s.bloom)));
