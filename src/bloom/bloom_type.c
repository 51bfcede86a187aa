/*
 * bloom_type.c: the type bloom: constructors, unions and intersections, answers
 *
 * What asks whether a value is in a filter is in bloom_probe_type.c.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "base/decimal.h"
#include "bloom/bloom_estimate.h"
#include "bloom/bloom_size.h"
#include "bloom/bloom_type.h"
#include "pg/answer.h"
#include "pg/expanded.h"
#include "pg/state.h"
#include "pg/value.h"

/* ---------- parameters ---------- */

uint8
bloom_layout_family(const char *name, size_t len)
{
	if (len == 7 && memcmp(name, "blocked", 7) == 0)
		return PDS_BLOOM_BLOCKED;
	if (len == 7 && memcmp(name, "classic", 7) == 0)
		return PDS_BLOOM_CLASSIC;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized bloom layout: \"%.*s\"", (int) Min(len, 40), name),
			 errhint("Layouts are \"blocked\" and \"classic\".")));
}

/* A layout that an argument names, or PDS_BLOOM_AS_GUAVA. */
uint8
bloom_layout_arg(const text *layout)
{
	const char *name = VARDATA_ANY(layout);
	size_t		len = VARSIZE_ANY_EXHDR(layout);

	if (len == 5 && memcmp(name, "guava", 5) == 0)
		return PDS_BLOOM_AS_GUAVA;
	return bloom_layout_family(name, len);
}

const char *
bloom_layout_name(uint8 family)
{
	return family == PDS_BLOOM_BLOCKED ? "blocked" :
		pds_bloom_is_split_block(family) ? "split block" : "classic";
}

int64
bloom_capacity(double capacity)
{
	/* also if it is no number */
	if (!(capacity >= 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("bloom capacity must be at least 1, not %g", capacity),
				 errhint("The capacity is the number of distinct values at which the false-positive rate is reached.")));
	/* one beyond all bounds is refused by its size */
	return capacity < -(double) PG_INT64_MIN ? (int64) ceil(capacity) : PG_INT64_MAX;
}

void
bloom_shape_for(int64 capacity, double rate, uint8 family, pds_bloom_shape *s)
{
	uint16		code = pds_decimal_code(rate);

	if (code == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("bloom false-positive rate must be at least %g and below 1, not %g",
						PDS_DECIMAL_MIN, rate),
				 errhint("Write 0.01 for 1 %%.")));
	if (pds_bloom_shape_for((uint64) capacity, code, family, s) != PDS_OK)
	{
		uint64		most = pds_bloom_max_capacity(code, family);

		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("bloom filter for " INT64_FORMAT " values would be larger than a value can be",
						capacity),
				 errdetail("At a false-positive rate of %g one filter can be for up to %llu values.",
						   pds_decimal_value(code), (unsigned long long) most),
				 errhint("Split the values over %llu rows by their hash, with a filter in each.",
						 (unsigned long long) (((uint64) capacity + most - 1) / most))));
	}
}

/* "capacity 1000 at 0.01, blocked: 10240 bits, 6 hashes" */
static char *
describe_shape(const pds_bloom_shape *s)
{
	char	   *size = psprintf("%llu bits, %d hashes, %s", (unsigned long long) s->bits,
								s->hashes, pds_bloom_is_layout(s->family) ?
								bloom_layout_name(s->family) : bloom_family_name(s->family));

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
					s->rate != 0 ? pds_decimal_value(s->rate) : 0.01,
					s->family == PDS_BLOOM_CLASSIC ? ", 'classic'" : "");
}

void
bloom_require_same_shape(const pds_bloom_shape *a, const pds_bloom_shape *b)
{
	const pds_bloom_shape *larger = a->capacity >= b->capacity ? a : b;

	if (a->family != b->family &&
		(!pds_bloom_is_layout(a->family) || !pds_bloom_is_layout(b->family)))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot combine bloom filters of different hash families"),
				 errdetail("One is of %s, the other of %s. The same value sets other bits in each.",
						   describe_shape(a), describe_shape(b))));
	if (!pds_bloom_same_shape(a, b))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot combine bloom filters of different sizes"),
				 errdetail("One is of %s, the other of %s.",
						   describe_shape(a), describe_shape(b)),
				 pds_bloom_is_layout(a->family) ?
				 errhint("Build both with the same capacity, rate and layout, for example by %s.",
						 describe_call(larger)) : 0));
}

/* ---------- the building form ---------- */

pds_bloom_build *
bloom_new(const pds_bloom_shape *shape)
{
	size_t		size = shape != NULL ? pds_bloom_first_size(shape) : PDS_BLOOM_FIRST_SIZE;
	pds_bloom_build *b = pds_state_alloc(size);

	pds_bloom_build_init(b, size, shape);
	return b;
}

static pds_bloom_build *
bloom_move(const pds_bloom_build *b, const pds_bloom_plan *plan)
{
	pds_bloom_build *to = pds_state_alloc(plan->size);

	pds_bloom_rebuild(to, plan, b);
	return to;
}

pds_bloom_build *
bloom_add_hash(pds_bloom_build *b, pds_hash hash)
{
	while (pds_bloom_add(b, hash) == PDS_FULL)
	{
		pds_bloom_plan plan = pds_bloom_plan_growth(b, VARSIZE(b));

		b = bloom_move(b, &plan);
	}
	return b;
}

/* By its native hash, which is what all aggregates make. */
static void *
bloom_add(void *state, pds_hash hash)
{
	pds_bloom_build *b = state;

	if (unlikely(!pds_bloom_hashes_natively(b->shape.family)))
		elog(ERROR, "native hash for a bloom filter of the %s hash family",
			 bloom_family_name(b->shape.family));
	return bloom_add_hash(b, hash);
}

static void *
bloom_add_value(void *state, pds_hash hash, PdsHasher *hasher, Datum value)
{
	pds_bloom_build *b = state;

	if (unlikely(!pds_bloom_hashes_natively(b->shape.family)))
		hash = bloom_foreign_hash_to_add(b->shape.family, hasher, value);
	return bloom_add_hash(b, hash);
}

void
bloom_view(struct varlena *value, pds_bloom_view *v)
{
	const char *why;
	size_t		len = PDS_PAYLOAD_LEN(value);

	if (pds_bloom_open(v, PDS_PAYLOAD(value), len, len, &why) != PDS_OK)
		pds_stored_corrupt(&pds_bloom_type, why);
}

static void *
bloom_merge(void *state, struct varlena *value)
{
	pds_bloom_build *b = state;
	const pds_bloom_build *other = NULL;
	const pds_bloom_shape *shape;
	pds_bloom_mode mode;
	uint64		count;
	pds_bloom_view v;
	pds_bloom_plan plan;

	if (pds_is_building(value))
	{
		other = (const pds_bloom_build *) value;
		if (other->undecided)
			return b;
		/* an automatic one has no shape yet that could be taken */
		if (b->undecided)
			return pds_state_from(&pds_bloom_type, value);
		shape = &other->shape;
		mode = (pds_bloom_mode) other->mode;
		count = other->count;
	}
	else
	{
		bloom_view(value, &v);
		shape = &v.shape;
		mode = v.encoding == PDS_BLOOM_ARRAY ? PDS_BLOOM_BITS : PDS_BLOOM_POSITIONS;
		count = v.count;
	}
	if (!b->undecided)
		bloom_require_same_shape(&b->shape, shape);
	pds_state_join(&pds_bloom_type, b, value);
	if (pds_bloom_plan_merge(b, shape, mode, count, &plan))
		b = bloom_move(b, &plan);
	for (;;)
	{
		pds_status	status = other != NULL ? pds_bloom_merge_build(b, other) :
			pds_bloom_merge_view(b, &v);

		if (status == PDS_OK)
			return b;
		if (status != PDS_FULL)
			pds_stored_corrupt(&pds_bloom_type, NULL);
		plan = pds_bloom_plan_growth(b, VARSIZE(b));
		b = bloom_move(b, &plan);
	}
}

/* A union of nothing yet. */
static void *
bloom_nothing(void)
{
	pds_bloom_build *b = bloom_new(NULL);

	b->automatic = 0;
	b->undecided = 1;
	return b;
}

static void *
bloom_load(struct varlena *value)
{
	return bloom_merge(bloom_nothing(), value);
}

struct varlena *
bloom_store(void *state)
{
	pds_bloom_build *b = state;
	pds_bloom_build *moved = NULL;
	pds_bloom_plan plan;
	pds_bloom_encoding encoding;
	struct varlena *value;
	bool		full;

	if (b->undecided)
		return bloom_store(bloom_new(NULL));
	if (pds_bloom_plan_finish(b, &full, &plan))
		b = moved = bloom_move(b, &plan);
	else if (full)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("too many distinct values for bloom_agg without a capacity"),
				 errdetail("It can size a filter for up to %llu values.",
						   (unsigned long long) pds_bloom_auto_limit()),
				 errhint("Give the number of values to expect: bloom_agg(value, capacity).")));
	pds_bloom_encode_plan(b, &encoding);
	value = palloc(VARHDRSZ + encoding.bytes);
	SET_VARSIZE(value, VARHDRSZ + encoding.bytes);
	pds_bloom_encode(b, &encoding, (uint8_t *) VARDATA(value));
	if (moved != NULL)
		pfree(moved);
	return value;
}

void
bloom_intersect(pds_bloom_build *b, struct varlena *value)
{
	pds_bloom_view v;

	bloom_view(value, &v);
	bloom_require_same_shape(&b->shape, &v.shape);
	pds_state_join(&pds_bloom_type, b, value);
	if (pds_bloom_intersect_view(b, &v) != PDS_OK)
		pds_stored_corrupt(&pds_bloom_type, NULL);
}

/* ---------- type modifiers ---------- */

/*
 * A modifier in 31 bits:
 *
 *     bit  0 - 13   capacity, four decimal digits
 *     bit 14 - 16   and the zeros behind them
 *     bit 17 - 29   rate, base/decimal.h
 *     bit 30        layout
 */
static int32
bloom_typmod_in(char **args, int n)
{
	int64		capacity;
	int			zeros = 0;
	double		rate = 0.01;
	uint8		family = PDS_BLOOM_BLOCKED;
	pds_bloom_shape shape;

	if (n < 1 || n > 3)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("type bloom takes a capacity, a false-positive rate and a layout as its modifier"),
				 errhint("Write bloom(1000000), bloom(1000000, 0.01) or bloom(1000000, 0.01, 'classic').")));
	capacity = bloom_capacity(pds_typmod_float8(args[0]));
	if (n > 1)
		rate = pds_typmod_float8(args[1]);
	if (n > 2)
		family = bloom_layout_family(args[2], strlen(args[2]));
	bloom_shape_for(capacity, rate, family, &shape);
	while (capacity > 9999 && capacity % 10 == 0)
	{
		capacity /= 10;
		zeros++;
	}
	if (capacity > 9999)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("capacity in a type modifier of bloom can have four significant digits"),
				 errhint("Round it up.")));
	return (int32) (capacity | zeros << 14 | shape.rate << 17 | family << 30);
}

static bool
shape_of_typmod(int32 typmod, pds_bloom_shape *s)
{
	int64		capacity = typmod & 0x3fff;
	uint16		rate = typmod >> 17 & 0x1fff;

	for (int zeros = typmod >> 14 & 7; zeros > 0; zeros--)
		capacity *= 10;
	return typmod >= 0 && capacity >= 1 && rate != 0 && rate < PDS_DECIMAL_CODES &&
		pds_bloom_shape_for((uint64) capacity, rate, (uint8) (typmod >> 30), s) == PDS_OK;
}

static bool
bloom_typmod_valid(int32 typmod)
{
	pds_bloom_shape s;

	return shape_of_typmod(typmod, &s);
}

/* The same of one that is valid. */
static void
typmod_shape(int32 typmod, pds_bloom_shape *s)
{
	if (!shape_of_typmod(typmod, s))
		elog(ERROR, "invalid type modifier for type bloom: %d", typmod);
}

static char *
bloom_typmod_out(int32 typmod)
{
	pds_bloom_shape s;

	typmod_shape(typmod, &s);
	return psprintf("%llu,%g%s", (unsigned long long) s.capacity, pds_decimal_value(s.rate),
					s.family == PDS_BLOOM_CLASSIC ? ",'classic'" : "");
}

static bool
bloom_typmod_holds(const uint8_t *payload, size_t len, int32 typmod,
				   char **promised, char **found, char **hint)
{
	pds_bloom_view v;
	pds_bloom_shape s;

	typmod_shape(typmod, &s);
	if (pds_bloom_open(&v, payload, len, len, NULL) != PDS_OK)
		pds_stored_corrupt(&pds_bloom_type, NULL);
	if (pds_bloom_same_shape(&v.shape, &s))
		return true;
	*promised = describe_shape(&s);
	*found = describe_shape(&v.shape);
	*hint = psprintf("Build it by %s.", describe_call(&s));
	return false;
}

/* Only a filter with nothing in it can have another shape. */
static struct varlena *
bloom_typmod_fold(struct varlena *value, int32 typmod)
{
	pds_bloom_view v;
	pds_bloom_shape s;

	bloom_view(value, &v);
	typmod_shape(typmod, &s);
	return v.encoding == PDS_BLOOM_EMPTY ? bloom_store(bloom_new(&s)) : NULL;
}

static void bloom_health(struct varlena *value, PdsHealth *h);

const PdsSketchType pds_bloom_type = {
	.name = "bloom",
	.array_functions = "bloom_contains_any(), bloom_contains_all() or bloom_add_all()",
	.check = pds_bloom_check,
	.nothing = bloom_nothing,
	.load = bloom_load,
	.add = bloom_add,
	.add_value = bloom_add_value,
	.merge = bloom_merge,
	.store = bloom_store,
	.health = bloom_health,
	.check_state = pds_bloom_check_build,
	.typmod_in = bloom_typmod_in,
	.typmod_out = bloom_typmod_out,
	.typmod_valid = bloom_typmod_valid,
	.typmod_holds = bloom_typmod_holds,
	.typmod_fold = bloom_typmod_fold,
};

PDS_SKETCH_FUNCTIONS(bloom, pds_bloom_type);
PDS_MERGE_FUNCTION(bloom, pds_bloom_type);
PDS_SKETCH_FUNCTION(probds_bloom_add_all, return pds_sketch_add_all(fcinfo, &pds_bloom_type));

/* ---------- constructors and changes ---------- */

/* The arguments (capacity, rate, layout) from argno on as a shape. */
static void
shape_args(FunctionCallInfo fcinfo, int argno, pds_bloom_shape *s)
{
	text	   *layout = PG_GETARG_TEXT_PP(argno + 2);

	bloom_shape_for(bloom_capacity(PG_GETARG_FLOAT8(argno)), PG_GETARG_FLOAT8(argno + 1),
					bloom_layout_arg(layout), s);
}

/* bloom_empty(capacity float8, false_positive_rate float8, layout text) */
PG_FUNCTION_INFO_V1(probds_bloom_empty);
Datum
probds_bloom_empty(PG_FUNCTION_ARGS)
{
	pds_bloom_shape s;
	uint8		head[PDS_BLOOM_MAX_PREFIX];

	shape_args(fcinfo, 0, &s);
	PG_RETURN_POINTER(pds_sketch_from_payload(head,
											  pds_bloom_write_head(&s, PDS_BLOOM_EMPTY,
																   PDS_KIND_NONE, head)));
}

/*
 * bloom_add(bloom, "any"): as pds_sketch_add(), but one more value in an array of
 * bits is a copy of it and k bits set.
 */
PG_FUNCTION_INFO_V1(probds_bloom_add);
Datum
probds_bloom_add(PG_FUNCTION_ARGS)
{
	struct varlena *value;
	pds_bloom_view v;
	pds_hash	hash;
	pds_kind	kind;

	/* one that a variable holds is no array, but a state */
	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || pds_is_kept(fcinfo))
		return pds_sketch_add(fcinfo, &pds_bloom_type);
	value = pds_sketch_get(&pds_bloom_type, PG_GETARG_DATUM(0));
	bloom_view(value, &v);
	if (v.encoding != PDS_BLOOM_ARRAY || !pds_bloom_hashes_natively(v.shape.family))
		return pds_sketch_add(fcinfo, &pds_bloom_type);
	hash = pds_hash_arg(fcinfo, 1, v.kind, &kind);
	if (kind != v.kind)
		pds_kind_mismatch(&pds_bloom_type, v.kind, kind);
	value = pds_sketch_from_payload(v.payload, v.len);
	pds_bloom_array_add((uint8_t *) VARDATA(value) + v.data_at, &v.shape, hash);
	PG_RETURN_POINTER(value);
}

/* bloom_intersect(bloom, bloom), bloom & bloom */
PG_FUNCTION_INFO_V1(probds_bloom_intersect);
Datum
probds_bloom_intersect(PG_FUNCTION_ARGS)
{
	pds_bloom_build *b = bloom_load(pds_sketch_get(&pds_bloom_type, PG_GETARG_DATUM(0)));

	bloom_intersect(b, pds_sketch_get(&pds_bloom_type, PG_GETARG_DATUM(1)));
	PG_RETURN_POINTER(bloom_store(b));
}

/* ---------- answers ---------- */

static struct varlena *
summary_arg(FunctionCallInfo fcinfo, pds_bloom_view *v, pds_bloom_summary *s)
{
	struct varlena *value = pds_sketch_get(&pds_bloom_type, PG_GETARG_DATUM(0));

	bloom_view(value, v);
	if (pds_bloom_summarize(v, s) != PDS_OK)
		pds_stored_corrupt(&pds_bloom_type, NULL);
	return value;
}

/* bloom_cardinality(bloom) */
PG_FUNCTION_INFO_V1(probds_bloom_cardinality);
Datum
probds_bloom_cardinality(PG_FUNCTION_ARGS)
{
	pds_bloom_view v;
	pds_bloom_summary s;
	struct varlena *value = summary_arg(fcinfo, &v, &s);

	PG_FREE_IF_COPY(value, 0);
	return pds_count_datum(pds_bloom_cardinality(&s));
}

/* bloom_false_positive_rate(bloom): as it is filled now */
PG_FUNCTION_INFO_V1(probds_bloom_false_positive_rate);
Datum
probds_bloom_false_positive_rate(PG_FUNCTION_ARGS)
{
	pds_bloom_view v;
	pds_bloom_summary s;
	struct varlena *value = summary_arg(fcinfo, &v, &s);

	PG_FREE_IF_COPY(value, 0);
	PG_RETURN_FLOAT8(pds_bloom_current_rate(&s));
}

static const char *
status_name(const pds_bloom_summary *s)
{
	static const char *const names[] = {"ok", "nearly full", "over capacity"};

	return names[pds_bloom_status_of(s)];
}

static void
bloom_health(struct varlena *value, PdsHealth *h)
{
	pds_bloom_view v;
	pds_bloom_summary s;

	bloom_view(value, &v);
	if (pds_bloom_summarize(&v, &s) != PDS_OK)
		pds_stored_corrupt(&pds_bloom_type, NULL);
	h->parameters = psprintf("%s for %llu at %g: %llu bits, %d hashes", bloom_layout_name(v.shape.family),
							 (unsigned long long) v.shape.capacity,
							 v.shape.rate == 0 ? 0 : pds_decimal_value(v.shape.rate),
							 (unsigned long long) v.shape.bits, v.shape.hashes);
	h->fill = (double) s.set / (double) v.shape.bits;
	h->rate = pds_bloom_current_rate(&s);
	h->status = status_name(&s);
	h->kind = v.kind;
	h->family = bloom_family_name(v.shape.family);
}

static TupleDesc
result_desc(FunctionCallInfo fcinfo)
{
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return BlessTupleDesc(desc);
}

/*
 * bloom_size(capacity, false_positive_rate, layout): bits, hashes, bytes,
 * bits_per_value
 */
PG_FUNCTION_INFO_V1(probds_bloom_size);
Datum
probds_bloom_size(PG_FUNCTION_ARGS)
{
	pds_bloom_shape s;
	uint8		head[PDS_BLOOM_MAX_PREFIX];
	Datum		values[4];
	bool		nulls[4] = {false};

	shape_args(fcinfo, 0, &s);
	values[0] = Int64GetDatum((int64) s.bits);
	values[1] = Int32GetDatum(s.hashes);
	values[2] = Int64GetDatum((int64) (pds_bloom_write_head(&s, PDS_BLOOM_ARRAY,
															PDS_KIND_NUMBER, head) + s.bits / 8));
	values[3] = Float8GetDatum(pds_for_people((double) s.bits / (double) s.capacity));
	return HeapTupleGetDatum(heap_form_tuple(result_desc(fcinfo), values, nulls));
}

/*
 * bloom_info(bloom): layout, bits, hashes, capacity, items, fill,
 * false_positive_rate, design_rate, kind, family, bytes, encoding, status
 */
PG_FUNCTION_INFO_V1(probds_bloom_info);
Datum
probds_bloom_info(PG_FUNCTION_ARGS)
{
	static const char *const encodings[] = {"empty", "sparse", "array"};
	pds_bloom_view v;
	pds_bloom_summary s;
	Datum		values[13];
	bool		nulls[13] = {false};

	(void) summary_arg(fcinfo, &v, &s);
	values[0] = CStringGetTextDatum(bloom_layout_name(v.shape.family));
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
	values[12] = CStringGetTextDatum(status_name(&s));
	return HeapTupleGetDatum(heap_form_tuple(result_desc(fcinfo), values, nulls));
}
