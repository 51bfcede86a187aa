/*
 * hll_type.c: the type hll: constructors, scalar functions, operators
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "compat.h"
#include "hll_family.h"
#include "hll_foreign.h"
#include "hll_type.h"
#include "answer.h"
#include "state.h"
#include "value.h"

/* ---------- the building form ---------- */

pds_hll_build *
hll_new(size_t size, int precision)
{
	pds_hll_build *b = pds_state_alloc(size);

	pds_hll_build_init(b, size, precision);
	return b;
}

pds_hll_build *
hll_new_registers(int precision, int family)
{
	pds_hll_build *b = pds_state_alloc(pds_hll_dense_size(precision));

	pds_hll_build_init_registers(b, precision, family);
	return b;
}

pds_hll_build *
hll_new_empty(int precision, int family)
{
	pds_hll_build *b;

	if (!pds_hll_has_tokens(family))
		return hll_new_registers(precision, family);
	b = hll_new(PDS_HLL_FIRST_SIZE, precision);
	pds_hll_build_set_family(b, family);
	return b;
}

pds_hll_build *
hll_move(const pds_hll_build *b, const pds_hll_plan *plan)
{
	pds_hll_build *to = pds_state_alloc(plan->size);

	pds_hll_rebuild(to, plan, b);
	return to;
}

/* The same state in a new, larger image, after a PDS_FULL. */
static pds_hll_build *
hll_grow(const pds_hll_build *b)
{
	pds_hll_plan plan = pds_hll_plan_growth(b, VARSIZE(b));

	return hll_move(b, &plan);
}

pds_hll_build *
hll_at_precision(pds_hll_build *b, int precision, bool dense)
{
	pds_hll_plan plan;

	if (pds_hll_plan_merge(b, VARSIZE(b), precision, dense, 0, &plan))
		b = hll_move(b, &plan);
	pds_hll_flush(b);
	return b;
}

void
hll_view(struct varlena *value, pds_hll_view *v)
{
	const char *why;

	if (pds_hll_open(v, PDS_PAYLOAD(value), PDS_PAYLOAD_LEN(value), &why) != PDS_OK)
		pds_stored_corrupt(&pds_hll_type, why);
}

/*
 * A state of nothing takes the hash family of what it is merged with.  If that
 * is nothing as well, the higher number of the two stays, so that order does not
 * matter.
 */
static pds_hll_build *
take_family(pds_hll_build *b, pds_kind kind, int family, int precision)
{
	int			own = pds_hll_build_family(b);

	if (pds_state_kind(b) != PDS_KIND_NONE || family == own ||
		(kind == PDS_KIND_NONE && family < own))
		return b;
	return hll_new_empty(Min(b->precision, precision), family);
}

static void *
hll_merge(void *state, struct varlena *value)
{
	pds_hll_build *b = state;
	const pds_hll_build *other = NULL;
	pds_kind	kind;
	pds_hll_view v;
	pds_hll_plan plan;
	int			precision;
	bool		dense;
	uint32_t	tokens;

	if (pds_is_building(value))
	{
		other = (const pds_hll_build *) value;
		if (other->undecided)
			return b;
		precision = other->precision;
		dense = other->dense;
		/* more, if what waits is new; duplicates must not count */
		tokens = other->tokens;
	}
	else
	{
		hll_view(value, &v);
		precision = v.precision;
		dense = v.encoding == PDS_HLL_DENSE;
		tokens = v.tokens;
	}

	kind = pds_value_kind(value);
	if (b->undecided)
	{
		/* an empty token table suits every precision */
		b->precision = (uint8_t) precision;
		b->undecided = 0;
	}
	b = take_family(b, kind, pds_value_family(value), precision);
	pds_state_join(&pds_hll_type, b, value);
	if (kind == PDS_KIND_NONE)
		return hll_at_precision(b, precision, false);
	if (pds_hll_plan_merge(b, VARSIZE(b), precision, dense, tokens, &plan))
		b = hll_move(b, &plan);
	for (;;)
	{
		pds_status	status = other != NULL ? pds_hll_merge_build(b, other) :
			pds_hll_merge_view(b, &v);

		if (status == PDS_OK)
			return b;
		if (status != PDS_FULL)
			pds_stored_corrupt(&pds_hll_type, NULL);
		b = hll_grow(b);
	}
}

/* A union of nothing yet. */
static void *
hll_nothing(void)
{
	pds_hll_build *b = hll_new(PDS_HLL_FIRST_SIZE, PDS_HLL_DEFAULT_PRECISION);

	b->undecided = 1;
	return b;
}

void *
hll_load(struct varlena *value)
{
	return hll_merge(hll_nothing(), value);
}

pds_hll_build *
hll_add_h1(pds_hll_build *b, uint64 h1)
{
	while (pds_hll_add(b, h1) == PDS_FULL)
		b = hll_grow(b);
	return b;
}

/* By its native hash, which is what all aggregates make. */
static void *
hll_add(void *state, pds_hash hash)
{
	pds_hll_build *b = state;

	if (unlikely(pds_hll_build_family(b) != PDS_FAMILY_NATIVE))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot aggregate values into an hll of the %s hash family",
						hll_family_name(pds_hll_build_family(b))),
				 errhint("Use hll_add() or hll_add_all().")));
	return hll_add_h1(b, hash.h1);
}

static void *
hll_add_value(void *state, pds_hash hash, PdsHasher *hasher, Datum value)
{
	pds_hll_build *b = state;
	int			family = pds_hll_build_family(b);
	const uint8 *bytes;
	size_t		len;

	if (likely(family == PDS_FAMILY_NATIVE))
		return hll_add(state, hash);
	bytes = hll_family_bytes(family, hasher, value, &len);
	if (family == PDS_HLL_INT32)
		return hll_add_h1(b, pds_murmur3(bytes, len, 0).h1);
	pds_hll_add_bytes(b, bytes, len);
	return b;
}

/* Empties the ring. */
struct varlena *
hll_store(void *state)
{
	pds_hll_build *b = state;
	struct varlena *v = palloc(VARHDRSZ + pds_hll_encode_bound(b));
	void	   *scratch = palloc(pds_hll_encode_scratch(b) + 1);

	SET_VARSIZE(v, VARHDRSZ + pds_hll_encode(b, scratch, (uint8_t *) VARDATA(v)));
	pfree(scratch);
	return v;
}

/* ---------- the type, to the storage frame ---------- */

void
hll_require_precision(int32 precision)
{
	if (precision < PDS_HLL_MIN_PRECISION || precision > PDS_HLL_MAX_PRECISION)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("hll precision must be between %d and %d, not %d",
						PDS_HLL_MIN_PRECISION, PDS_HLL_MAX_PRECISION, precision),
				 errhint("Precision p means 2^p registers and a standard error of 104 %% / sqrt(2^p): 0.81 %% at 14, 1.6 %% at 12.")));
}

static int32
hll_typmod_in(char **args, int n)
{
	int32		precision;

	if (n != 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("type hll takes one modifier, the precision"),
				 errhint("Write hll(14).")));
	precision = pds_typmod_int32(args[0]);
	hll_require_precision(precision);
	return precision;
}

static bool
hll_typmod_valid(int32 typmod)
{
	return typmod >= PDS_HLL_MIN_PRECISION && typmod <= PDS_HLL_MAX_PRECISION;
}

static char *
hll_typmod_out(int32 typmod)
{
	return psprintf("%d", typmod);
}

static bool
hll_typmod_holds(const uint8_t *payload, size_t len, int32 typmod,
				 char **promised, char **found, char **hint)
{
	pds_hll_view v;

	if (pds_hll_open(&v, payload, len, NULL) != PDS_OK)
		pds_stored_corrupt(&pds_hll_type, NULL);
	if (v.precision == typmod)
		return true;
	*promised = psprintf("precision %d", typmod);
	*found = psprintf("precision %d", v.precision);
	*hint = v.precision > typmod ?
		psprintf("Fold it by an explicit cast, value::hll(%d), or build it with hll_agg(value, %d).",
				 typmod, typmod) :
		psprintf("Build it with hll_agg(value, %d) or hll_empty(%d).", typmod, typmod);
	return false;
}

/* Fold to a lower precision; an empty sketch can have any that its family has. */
static struct varlena *
hll_fold(struct varlena *value, int32 precision)
{
	pds_hll_build *b = hll_load(value);
	int			family = pds_hll_build_family(b);

	if (pds_state_kind(b) == PDS_KIND_NONE && precision <= pds_hll_top_precision(family))
		return hll_store(hll_new_empty(precision, family));
	if (precision > b->precision)
		return NULL;
	return hll_store(hll_at_precision(b, precision, false));
}

static void hll_health(struct varlena *value, PdsHealth *h);

const PdsSketchType pds_hll_type = {
	.name = "hll",
	.array_functions = "hll_add_all()",
	.check = pds_hll_check,
	.nothing = hll_nothing,
	.load = hll_load,
	.add = hll_add,
	.add_value = hll_add_value,
	.merge = hll_merge,
	.store = hll_store,
	.health = hll_health,
	.check_state = pds_hll_check_build,
	.typmod_in = hll_typmod_in,
	.typmod_out = hll_typmod_out,
	.typmod_valid = hll_typmod_valid,
	.typmod_holds = hll_typmod_holds,
	.typmod_fold = hll_fold,
};

PDS_SKETCH_FUNCTIONS(hll, pds_hll_type);
PDS_ADD_FUNCTIONS(hll, pds_hll_type);
PDS_MERGE_FUNCTION(hll, pds_hll_type);

/* ---------- constructors and changes ---------- */

/* hll_empty(precision int) */
PG_FUNCTION_INFO_V1(probds_hll_empty);
Datum
probds_hll_empty(PG_FUNCTION_ARGS)
{
	int32		precision = PG_GETARG_INT32(0);

	hll_require_precision(precision);
	PG_RETURN_POINTER(hll_store(hll_new(PDS_HLL_FIRST_SIZE, precision)));
}

/* hll_reduce(hll, precision int): as if it had been built at that precision */
PG_FUNCTION_INFO_V1(probds_hll_reduce);
Datum
probds_hll_reduce(PG_FUNCTION_ARGS)
{
	struct varlena *value = pds_sketch_get(&pds_hll_type, PG_GETARG_DATUM(0));
	int32		precision = PG_GETARG_INT32(1);
	struct varlena *folded;

	hll_require_precision(precision);
	folded = hll_fold(value, precision);
	if (folded == NULL)
	{
		pds_hll_view v;

		hll_view(value, &v);
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cannot reduce an hll of precision %d to precision %d",
						v.precision, precision),
				 errdetail("A sketch can only lose precision, not gain it.")));
	}
	PG_RETURN_POINTER(folded);
}

/* ---------- answers ---------- */

void
hll_summary_arg(FunctionCallInfo fcinfo, int argno, pds_hll_summary *s)
{
	struct varlena *head = pds_sketch_get_head(&pds_hll_type, PG_GETARG_DATUM(argno),
											   PDS_HLL_MAX_PREFIX);
	pds_hll_view v;

	hll_view(head, &v);
	pds_hll_summarize(&v, s);
	PG_FREE_IF_COPY(head, argno);
}

/* hll_cardinality(hll), #hll */
PG_FUNCTION_INFO_V1(probds_hll_cardinality);
Datum
probds_hll_cardinality(PG_FUNCTION_ARGS)
{
	pds_hll_summary s;

	hll_summary_arg(fcinfo, 0, &s);
	return pds_count_datum(pds_hll_cardinality(&s));
}

/* hll_error(hll): the relative standard error of that */
PG_FUNCTION_INFO_V1(probds_hll_error);
Datum
probds_hll_error(PG_FUNCTION_ARGS)
{
	pds_hll_summary s;

	hll_summary_arg(fcinfo, 0, &s);
	PG_RETURN_FLOAT8(pds_hll_relative_error(&s));
}

/* hll_bounds(hll, confidence float8): (lower, estimate, upper) */
PG_FUNCTION_INFO_V1(probds_hll_bounds);
Datum
probds_hll_bounds(PG_FUNCTION_ARGS)
{
	double		confidence = pds_confidence_arg(fcinfo, 1);
	pds_hll_summary s;
	double		lower;
	double		estimate;
	double		upper;

	hll_summary_arg(fcinfo, 0, &s);
	pds_hll_bounds(&s, confidence, &lower, &estimate, &upper);
	return pds_bounds_row(lower, estimate, upper);
}

/* The share of registers that are not 0. */
static double
fill_of(const pds_hll_summary *s)
{
	double		m = pds_hll_registers(s->precision);

	/* what tokens will leave empty when they become registers, on average */
	return 1 - (s->dense ? s->histogram[0] : m * pow(1 - 1 / m, s->tokens)) / m;
}

static void
hll_health(struct varlena *value, PdsHealth *h)
{
	pds_hll_view v;
	pds_hll_summary s;

	hll_view(value, &v);
	pds_hll_summarize(&v, &s);
	h->parameters = psprintf("precision %d", v.precision);
	h->fill = fill_of(&s);
	h->error = pds_hll_relative_error(&s);
	h->status = "ok";
	h->kind = v.kind;
	h->family = hll_family_name(v.family);
}

/*
 * hll_info(hll): precision, registers, encoding, kind, family, bytes, fill,
 * cardinality, error
 */
PG_FUNCTION_INFO_V1(probds_hll_info);
Datum
probds_hll_info(PG_FUNCTION_ARGS)
{
	static const char *const encodings[] = {"empty", "sparse", "dense"};
	struct varlena *value = pds_sketch_get(&pds_hll_type, PG_GETARG_DATUM(0));
	pds_hll_view v;
	pds_hll_summary s;
	TupleDesc	desc;
	Datum		values[9];
	bool		nulls[9] = {false};

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	hll_view(value, &v);
	pds_hll_summarize(&v, &s);

	values[0] = Int32GetDatum(v.precision);
	values[1] = Int32GetDatum((int32) pds_hll_registers(v.precision));
	values[2] = CStringGetTextDatum(encodings[v.encoding]);
	values[3] = CStringGetTextDatum(pds_kind_full_name(v.kind));
	values[4] = CStringGetTextDatum(hll_family_name(v.family));
	values[5] = Int32GetDatum((int32) PDS_PAYLOAD_LEN(value));
	values[6] = Float8GetDatum(pds_for_people(fill_of(&s)));
	values[7] = pds_count_datum(pds_hll_cardinality(&s));
	values[8] = Float8GetDatum(pds_for_people(pds_hll_relative_error(&s)));
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls));
}
