/*
 * hll_type.c: the type hll: constructors, scalar functions, operators
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "hll/hll_type.h"
#include "pg/value.h"

/* ---------- memory ---------- */

pds_hll_build *
hll_new(size_t size, int precision)
{
	pds_hll_build *b = palloc(size);

	SET_VARSIZE(b, size);
	pds_hll_build_init(b, size, precision);
	return b;
}

pds_hll_build *
hll_move(const pds_hll_build *b, const pds_hll_plan *plan)
{
	pds_hll_build *to = palloc(plan->size);

	SET_VARSIZE(to, plan->size);
	pds_hll_rebuild(to, plan, b);
	return to;
}

pds_hll_build *
hll_grow(const pds_hll_build *b)
{
	pds_hll_plan plan = pds_hll_plan_growth(b, VARSIZE(b));

	return hll_move(b, &plan);
}

pds_hll_build *
hll_building(struct varlena *value)
{
	if (VARATT_IS_4B_U(value) && (uintptr_t) value % sizeof(uint32_t) == 0)
		return (pds_hll_build *) value;
	return (pds_hll_build *) pds_sketch_from_payload(PDS_PAYLOAD(value),
													 PDS_PAYLOAD_LEN(value));
}

void
hll_view(struct varlena *value, pds_hll_view *v)
{
	const char *why;

	if (pds_hll_open(v, PDS_PAYLOAD(value), PDS_PAYLOAD_LEN(value), &why) != PDS_OK)
		pds_stored_corrupt(&pds_hll_type, why);
}

pds_hll_build *
hll_merge(pds_hll_build *b, struct varlena *value)
{
	pds_hll_build *other = NULL;
	pds_hll_view v;
	pds_hll_plan plan;
	pds_kind	kind;
	uint8_t		family;
	int			precision;
	bool		dense;
	uint32_t	tokens;

	if (pds_is_building(value))
	{
		other = hll_building(value);
		if (other->undecided)
			return b;
		kind = other->header[2];
		family = other->header[1] >> 4;
		precision = other->precision;
		dense = other->dense;
		/* more, if what waits is new; duplicates must not count */
		tokens = other->tokens;
	}
	else
	{
		hll_view(value, &v);
		kind = v.kind;
		family = v.family;
		precision = v.precision;
		dense = v.encoding == PDS_HLL_DENSE;
		tokens = v.tokens;
	}

	if (b->undecided)
	{
		/* an empty token table suits every precision */
		b->precision = (uint8_t) precision;
		b->undecided = 0;
	}
	kind = pds_require_mergeable(&pds_hll_type, b->header[2], b->header[1] >> 4,
								 kind, family);

	if (pds_hll_plan_merge(b, VARSIZE(b), precision, dense, tokens, &plan))
		b = hll_move(b, &plan);
	b->header[2] = kind;
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

pds_hll_build *
hll_load(struct varlena *value)
{
	pds_hll_build *b = hll_new(PDS_HLL_FIRST_SIZE, PDS_HLL_DEFAULT_PRECISION);

	b->undecided = 1;
	return hll_merge(b, value);
}

pds_hll_build *
hll_add_hash(pds_hll_build *b, uint64_t hash, pds_kind kind)
{
	b->header[2] = pds_kind_with(&pds_hll_type, b->header[2], kind);
	while (pds_hll_add(b, hash) == PDS_FULL)
		b = hll_grow(b);
	return b;
}

struct varlena *
hll_store(pds_hll_build *b)
{
	struct varlena *v = palloc(VARHDRSZ + pds_hll_encode_bound(b));
	void	   *scratch = palloc(pds_hll_encode_scratch(b) + 1);

	SET_VARSIZE(v, VARHDRSZ + pds_hll_encode(b, scratch, (uint8_t *) VARDATA(v)));
	pfree(scratch);
	return v;
}

/* ---------- the type, to the storage frame ---------- */

static struct varlena *
hll_finish(struct varlena *building)
{
	/* a copy: it may lie in a page of the table, and the ring will be emptied */
	return hll_store((pds_hll_build *)
					 pds_sketch_from_payload(PDS_PAYLOAD(building),
											 PDS_PAYLOAD_LEN(building)));
}

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
hll_typmod_in(int32 *args, int n)
{
	if (n != 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("type hll takes one modifier, the precision"),
				 errhint("Write hll(14).")));
	hll_require_precision(args[0]);
	return args[0];
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

/* Fold to a lower precision; an empty sketch can have any. */
static struct varlena *
hll_fold(struct varlena *value, int32 precision)
{
	pds_hll_build *b = hll_load(value);
	pds_hll_plan plan;

	if (b->header[2] == PDS_KIND_NONE)
		return hll_store(hll_new(PDS_HLL_FIRST_SIZE, precision));
	if (precision > b->precision)
		return NULL;
	if (pds_hll_plan_merge(b, VARSIZE(b), precision, false, 0, &plan))
		b = hll_move(b, &plan);
	return hll_store(b);
}

const PdsSketchType pds_hll_type = {
	.name = "hll",
	.check = pds_hll_check,
	.finish = hll_finish,
	.typmod_in = hll_typmod_in,
	.typmod_out = hll_typmod_out,
	.typmod_holds = hll_typmod_holds,
	.typmod_fold = hll_fold,
};

PDS_SKETCH_FUNCTIONS(hll, pds_hll_type);

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

/* hll_add(hll, "any"): a NULL sketch stays NULL, a NULL value adds nothing */
PG_FUNCTION_INFO_V1(probds_hll_add);
Datum
probds_hll_add(PG_FUNCTION_ARGS)
{
	pds_hll_build *b;
	pds_hash	h;
	pds_kind	kind;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(1))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	b = hll_load(pds_sketch_get(&pds_hll_type, PG_GETARG_DATUM(0)));
	h = pds_hash_arg(fcinfo, 1, b->header[2], &kind);
	PG_RETURN_POINTER(hll_store(hll_add_hash(b, h.h1, kind)));
}

/* hll_add_all(hll, anyarray): NULL elements add nothing */
PG_FUNCTION_INFO_V1(probds_hll_add_all);
Datum
probds_hll_add_all(PG_FUNCTION_ARGS)
{
	pds_hll_build *b;
	ArrayType  *array;
	PdsHasher  *hasher;
	ArrayIterator it;
	Datum		value;
	bool		isnull;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(1))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	b = hll_load(pds_sketch_get(&pds_hll_type, PG_GETARG_DATUM(0)));
	array = PG_GETARG_ARRAYTYPE_P(1);
	hasher = pds_hasher_for_elements(fcinfo, 1, ARR_ELEMTYPE(array));
	it = array_create_iterator(array, 0, NULL);
	while (array_iterate(it, &value, &isnull))
	{
		CHECK_FOR_INTERRUPTS();
		if (!isnull)
			b = hll_add_hash(b, pds_hasher_hash(hasher, value).h1, pds_hasher_kind(hasher));
	}
	array_free_iterator(it);
	PG_RETURN_POINTER(hll_store(b));
}

/* hll_merge(hll, hll): NULL is nothing, so the other one is the union */
PG_FUNCTION_INFO_V1(probds_hll_merge);
Datum
probds_hll_merge(PG_FUNCTION_ARGS)
{
	pds_hll_build *b;

	if (PG_ARGISNULL(0) && PG_ARGISNULL(1))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(1))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	if (PG_ARGISNULL(0))
		PG_RETURN_DATUM(PG_GETARG_DATUM(1));
	b = hll_load(pds_sketch_get(&pds_hll_type, PG_GETARG_DATUM(0)));
	b = hll_merge(b, pds_sketch_get(&pds_hll_type, PG_GETARG_DATUM(1)));
	PG_RETURN_POINTER(hll_store(b));
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

/*
 * All three rounded to the nearest: numbers of values are whole, and where a
 * sketch is all but exact an interval rounded outwards would say that it is not.
 */
Datum
hll_bounds_row(FunctionCallInfo fcinfo, double lower, double estimate, double upper)
{
	TupleDesc	desc;
	Datum		values[3];
	bool		nulls[3] = {false, false, false};

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	values[0] = pds_count_datum(lower);
	values[1] = pds_count_datum(estimate);
	values[2] = pds_count_datum(upper);
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls));
}

double
hll_confidence_arg(FunctionCallInfo fcinfo, int argno)
{
	double		confidence = PG_GETARG_FLOAT8(argno);

	if (!(confidence > 0 && confidence < 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("confidence must be between 0 and 1, not %g", confidence),
				 errhint("Write 0.95 for 95 %%.")));
	return confidence;
}

/* hll_bounds(hll, confidence float8): (lower, estimate, upper) */
PG_FUNCTION_INFO_V1(probds_hll_bounds);
Datum
probds_hll_bounds(PG_FUNCTION_ARGS)
{
	double		confidence = hll_confidence_arg(fcinfo, 1);
	pds_hll_summary s;
	double		lower;
	double		estimate;
	double		upper;

	hll_summary_arg(fcinfo, 0, &s);
	pds_hll_bounds(&s, confidence, &lower, &estimate, &upper);
	return hll_bounds_row(fcinfo, lower, estimate, upper);
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
	double		zero;
	double		m;
	TupleDesc	desc;
	Datum		values[9];
	bool		nulls[9] = {false};

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	hll_view(value, &v);
	pds_hll_summarize(&v, &s);
	m = pds_hll_registers(v.precision);
	/* what tokens will leave empty when they become registers, on average */
	zero = s.dense ? s.histogram[0] : m * pow(1 - 1 / m, s.tokens);

	values[0] = Int32GetDatum(v.precision);
	values[1] = Int32GetDatum((int32) pds_hll_registers(v.precision));
	values[2] = CStringGetTextDatum(encodings[v.encoding]);
	values[3] = CStringGetTextDatum(pds_kind_name(v.kind));
	values[4] = CStringGetTextDatum("native");
	values[5] = Int32GetDatum((int32) PDS_PAYLOAD_LEN(value));
	values[6] = Float8GetDatum(pds_for_people(1 - zero / m));
	values[7] = pds_count_datum(pds_hll_cardinality(&s));
	values[8] = Float8GetDatum(pds_for_people(pds_hll_relative_error(&s)));
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(desc), values, nulls));
}
