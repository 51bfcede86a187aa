/*
 * bloom_type.c: the type bloom: its parameters, changes, intersections and answers
 *
 * What asks whether a value is in a filter is in bloom_probe_type.c.
 *
 * Macros define: probds_bloom_in, probds_bloom_out, probds_bloom_recv, probds_bloom_send,
 * probds_bloom_from_bytea, probds_bloom_typmod_in, probds_bloom_typmod_out,
 * probds_bloom_typmod_cast, probds_bloom_eq, probds_bloom_ne, probds_bloom_lt, probds_bloom_le,
 * probds_bloom_gt, probds_bloom_ge, probds_bloom_cmp, probds_bloom_hash,
 * probds_bloom_hash_extended, probds_bloom_empty, probds_bloom_add_all, probds_bloom_merge,
 * probds_bloom_size.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "utils/builtins.h"

#include "compat.h"
#include "decimal.h"
#include "bloom_estimate.h"
#include "bloom_size.h"
#include "bloom_type.h"
#include "result_row.h"
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

/* The hash families of the layouts, and how many bits Guava takes for a classic one. */
static const char *const layouts[] = {"blocked", "classic", "guava", NULL};
static const uint8 layout_families[] = {PDS_BLOOM_BLOCKED, PDS_BLOOM_CLASSIC, PDS_BLOOM_AS_GUAVA};

static const PdsParameter parameters[] = {
	[CAPACITY] = PDS_CAPACITY_PARAMETER,
	[RATE] = PDS_RATE_PARAMETER(PDS_BLOOM_DEFAULT_RATE),
	[LAYOUT] = {"layout", PDS_NAME, .names = layouts, .unmodified = 1,
	.hint = "Layouts are \"blocked\" and \"classic\"."},
	{NULL}
};

const char *
pds_bloom_layout_name(uint8 family)
{
	return family == PDS_BLOOM_BLOCKED ? "blocked" :
		pds_bloom_is_split_block(family) ? "split block" : "classic";
}

/* The shape of these parameters; false if it is larger than a value can be. */
static bool
bloom_shape_of(const double *values, void *shape)
{
	return pds_bloom_shape_for(pds_capacity_of(values[CAPACITY]), pds_decimal_code(values[RATE]),
							   layout_families[(int) values[LAYOUT]], shape) == PDS_OK;
}

static void
bloom_impossible(const double *values)
{
	uint16		rate = pds_decimal_code(values[RATE]);

	pds_refuse_capacity("bloom filter", values[CAPACITY], rate,
						pds_bloom_max_capacity(rate, layout_families[(int) values[LAYOUT]]));
}

/* "capacity 1000 at 0.01, blocked: 10240 bits, 6 hashes" */
static char *
describe_shape(const pds_bloom_shape *s)
{
	char	   *size = psprintf("%llu bits, %d hashes, %s", (unsigned long long) s->bits,
								s->hashes, pds_bloom_is_layout(s->family) ?
								pds_bloom_layout_name(s->family) : bloom_family_name(s->family));

	if (s->capacity == 0 || s->rate == 0)
		return size;
	return psprintf("capacity %llu at %g (%s)", (unsigned long long) s->capacity,
					pds_decimal_value(s->rate), size);
}

/* "bloom_agg(value, 1000, 0.01)" */
static char *
describe_call(const pds_bloom_shape *s)
{
	return psprintf("bloom_agg(value, %llu, %g%s)", (unsigned long long) s->capacity,
					s->rate != 0 ? pds_decimal_value(s->rate) : PDS_BLOOM_DEFAULT_RATE,
					s->family == PDS_BLOOM_CLASSIC ? ", 'classic'" : "");
}

PDS_DESCRIBED_BY_SHAPE(bloom, describe_shape, pds_bloom_same_shape);

/* 22000 unless both filters are of the same shape. */
static void
require_same_shape(const pds_bloom_shape *a, const pds_bloom_shape *b)
{
	const pds_bloom_shape *larger = a->capacity >= b->capacity ? a : b;

	if (a->family != b->family &&
		(!pds_bloom_is_layout(a->family) || !pds_bloom_is_layout(b->family)))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot combine bloom filters of different hash families"),
				 errdetail("One is of %s, the other of %s. The same value sets different bits in "
						   "each.",
						   describe_shape(a), describe_shape(b))));
	if (!pds_bloom_same_shape(a, b))
		pds_refuse_shapes("bloom filters of different sizes", describe_shape(a), describe_shape(b),
						  pds_bloom_is_layout(a->family) ?
						  psprintf("Build both with the same capacity, rate and layout, for "
								   "example by %s.", describe_call(larger)) : NULL);
}

PDS_MISMATCH_OF_SHAPES(bloom, require_same_shape);

/* ---------- the building form ---------- */

static void *
bloom_new(const double *values)
{
	pds_bloom_shape shape;
	pds_bloom_build *b;
	size_t		size = PDS_BLOOM_FIRST_SIZE;

	if (isnan(values[CAPACITY]))
	{
		b = pds_state_alloc(size);
		pds_bloom_build_init_automatic(b, size, pds_decimal_code(PDS_BLOOM_AUTO_RATE));
		return b;
	}
	pds_require_shape(&pds_bloom_type, values, &shape);
	size = pds_bloom_first_size(&shape);
	b = pds_state_alloc(size);
	pds_bloom_build_init(b, size, &shape);
	return b;
}

static bool
bloom_begun_with(const void *state, const double *values)
{
	const pds_bloom_build *b = state;
	pds_bloom_shape shape;

	if (isnan(values[CAPACITY]) || b->automatic)
		return isnan(values[CAPACITY]) && b->automatic;
	pds_require_shape(&pds_bloom_type, values, &shape);
	return pds_bloom_same_shape(&b->shape, &shape);
}

static void
bloom_refuse(const void *state, pds_status status)
{
	if (status == PDS_TOO_LARGE)
		pds_refuse_values("bloom_agg without a capacity",
						  pds_bloom_auto_limit(pds_decimal_code(PDS_BLOOM_AUTO_RATE)),
						  "Specify the expected number of values: bloom_agg(value, capacity).");
	if (status == PDS_PARAMETER_MISMATCH)
		elog(ERROR, "native hash for a bloom filter of the %s hash family",
			 bloom_family_name(((const pds_bloom_build *) state)->shape.family));
}

static void *
bloom_add_value(void *state, pds_hash hash, PdsHasher *hasher, Datum value)
{
	pds_bloom_build *b = state;

	if (unlikely(!pds_bloom_hashes_natively(b->shape.family)))
		hash = bloom_foreign_hash_to_add("bloom", b->shape.family, hasher, value);
	PDS_STATE_CHANGE(&pds_bloom_type, b, pds_bloom_add(b, hash));
	return b;
}

void
pds_bloom_intersect(pds_bloom_build *b, struct varlena *value)
{
	pds_bloom_view v;

	pds_sketch_open(&pds_bloom_type, value, &v);
	require_same_shape(&b->shape, &v.shape);
	pds_state_join(&pds_bloom_type, b, value);
	if (pds_bloom_intersect_view(b, &v) != PDS_OK)
		pds_stored_corrupt(&pds_bloom_type, NULL);
}

static void bloom_health(const void *view, PdsHealth *h);

/* Only a filter with nothing in it can have another shape. */
PDS_SKETCH_TYPE_BUT_ADD(bloom,
	.array_functions = "bloom_contains_any(), bloom_contains_all() or bloom_add_all()",
	PDS_MODIFIERS(3, "a capacity, a false-positive rate and a layout as its modifier",
				  "Write bloom(1000000), bloom(1000000, 0.01) or bloom(1000000, 0.01, 'classic')."),
	.shape_of = bloom_shape_of, .impossible = bloom_impossible, .add_value = bloom_add_value,
	.refuse = bloom_refuse, .mismatch = bloom_mismatch);

/* ---------- changes ---------- */

/*
 * bloom_add(bloom, "any"): as of other types, but one more value in an array of
 * bits is a copy of it and k bits set.
 */
PDS_FUNCTION(probds_bloom_add)
{
	struct varlena *value;
	pds_bloom_view v;
	pds_hash	hash;
	pds_kind	kind;

	/* a filter that a PL/pgSQL variable holds is a state, not an array */
	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || pds_is_kept(fcinfo))
		return pds_sketch_change(fcinfo, &pds_bloom_type, pds_add_value);
	value = pds_sketch_get(&pds_bloom_type, PG_GETARG_DATUM(0));
	pds_sketch_open(&pds_bloom_type, value, &v);
	if (v.encoding != PDS_BLOOM_ARRAY || !pds_bloom_hashes_natively(v.shape.family))
		return pds_sketch_change(fcinfo, &pds_bloom_type, pds_add_value);
	hash = pds_hash_arg(fcinfo, 1, v.kind, &kind);
	if (kind != v.kind)
		pds_kind_mismatch(&pds_bloom_type, v.kind, kind);
	value = pds_sketch_from_payload(v.payload, v.len);
	pds_bloom_array_add((uint8_t *) VARDATA(value) + v.data_at, &v.shape, hash);
	PG_RETURN_POINTER(value);
}

/* bloom_intersect(bloom, bloom), bloom & bloom */
PDS_FUNCTION(probds_bloom_intersect)
{
	pds_bloom_build *b = pds_state_load_arg(fcinfo, 0, &pds_bloom_type);

	pds_bloom_intersect(b, pds_sketch_get(&pds_bloom_type, PG_GETARG_DATUM(1)));
	PG_RETURN_POINTER(pds_state_store(&pds_bloom_type, b));
}

/* ---------- answers ---------- */

static void
summary_of(const pds_bloom_view *v, pds_bloom_summary *s)
{
	if (pds_bloom_summarize(v, s) != PDS_OK)
		pds_stored_corrupt(&pds_bloom_type, NULL);
}

static void
summary_arg(FunctionCallInfo fcinfo, int argno, pds_bloom_summary *s)
{
	pds_bloom_view v;
	struct varlena *value = pds_sketch_arg(fcinfo, argno, &pds_bloom_type, &v);

	summary_of(&v, s);
	PG_FREE_IF_COPY(value, argno);
}

/* bloom_cardinality(bloom) */
PDS_SUMMARY_FUNCTION(probds_bloom_cardinality, pds_bloom_summary, summary_arg,
					 pds_count_datum(pds_bloom_cardinality(&s)));

/* bloom_false_positive_rate(bloom): as it is filled now */
PDS_SUMMARY_FUNCTION(probds_bloom_false_positive_rate, pds_bloom_summary, summary_arg,
					 Float8GetDatum(pds_bloom_current_rate(&s)));

PDS_SUMMARY_HEALTH(bloom, pds_bloom_summary, summary_of,
				   h->modifier = pds_capacity_modifier(v->shape.capacity, v->shape.rate);
				   h->values = pds_bloom_cardinality(&s);
				   h->capacity = (double) v->shape.capacity;
				   h->fill = (double) s.set / (double) v->shape.bits;
				   h->rate = pds_bloom_current_rate(&s);
				   h->status = pds_bloom_status_of(&s);
				   h->family = bloom_family_name(v->shape.family));

/*
 * bloom_size(capacity, false_positive_rate, layout): bits, hashes, bytes,
 * bits_per_value
 */
PDS_SIZE_FUNCTION(bloom, pds_bloom_shape,
				  Int64GetDatum((int64) s.bits),
				  Int32GetDatum(s.hashes),
				  Int64GetDatum((int64) (s.bits / 8 +
										 pds_bloom_write_head(&s, PDS_BLOOM_ARRAY, PDS_KIND_NUMBER,
															  (uint8[PDS_BLOOM_MAX_PREFIX]) {0}))),
				  Float8GetDatum(pds_for_people((double) s.bits / (double) s.capacity)));

/*
 * bloom_info(bloom): layout, bits, hashes, capacity, items, fill,
 * false_positive_rate, promised_rate, kind, family, bytes, encoding, status
 */
PDS_FUNCTION(probds_bloom_info)
{
	static const char *const encodings[] = {"empty", "sparse", "array"};
	pds_bloom_view v;
	pds_bloom_summary s;
	Datum		values[13];
	bool		nulls[13] = {false};

	(void) pds_sketch_arg(fcinfo, 0, &pds_bloom_type, &v);
	summary_of(&v, &s);
	values[0] = CStringGetTextDatum(pds_bloom_layout_name(v.shape.family));
	values[1] = Int64GetDatum((int64) v.shape.bits);
	values[2] = Int32GetDatum(v.shape.hashes);
	values[3] = Int64GetDatum((int64) v.shape.capacity);
	nulls[3] = v.shape.capacity == 0;
	values[4] = pds_count_datum(pds_bloom_cardinality(&s));
	values[5] = Float8GetDatum(pds_for_people((double) s.set / (double) v.shape.bits));
	values[6] = Float8GetDatum(pds_for_people(pds_bloom_current_rate(&s)));
	nulls[7] = v.shape.rate == 0;
	values[7] = Float8GetDatum(nulls[7] ? 0 : pds_decimal_value(v.shape.rate));
	values[8] = CStringGetTextDatum(pds_kind_full_name(v.kind));
	values[9] = CStringGetTextDatum(bloom_family_name(v.shape.family));
	values[10] = Int32GetDatum((int32) v.len);
	values[11] = CStringGetTextDatum(encodings[v.encoding]);
	values[12] = CStringGetTextDatum(pds_bloom_status_of(&s));
	return pds_info_row(fcinfo, values, nulls);
}
