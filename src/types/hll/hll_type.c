/*
 * hll_type.c: the type hll: its parameters, changes and answers
 *
 * Macros define: probds_hll_in, probds_hll_out, probds_hll_recv, probds_hll_send,
 * probds_hll_from_bytea, probds_hll_typmod_in, probds_hll_typmod_out, probds_hll_typmod_cast,
 * probds_hll_eq, probds_hll_ne, probds_hll_lt, probds_hll_le, probds_hll_gt, probds_hll_ge,
 * probds_hll_cmp, probds_hll_hash, probds_hll_hash_extended, probds_hll_empty, probds_hll_add,
 * probds_hll_add_all, probds_hll_merge, probds_hll_info.
 */
#include "postgres.h"

#include <limits.h>
#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"

#include "compat.h"
#include "hll_type.h"
#include "result_row.h"
#include "entry_points.h"
#include "state.h"
#include "call_argument.h"

/* ---------- parameters ---------- */

static const PdsParameter parameters[] = {
	{"precision", PDS_INTEGER, .standard = PDS_HLL_DEFAULT_PRECISION,
		.least = PDS_HLL_MIN_PRECISION, .most = PDS_HLL_MAX_PRECISION,
	.hint = "Precision p means 2^p registers and a standard error of 104 % / sqrt(2^p): 0.81 % at "
			"14, 1.6 % at 12. It comes behind the value."},
	{NULL}
};

/* What a modifier of postgresql-hll has behind the precision, and no hll here has. */
#define V1_HINT "hll(log2m, regwidth, expthresh, sparseon) is the type of postgresql-hll. " \
	"Only log2m means something here."

static const PdsParameter v1_modifiers[] = {
	{"regwidth", PDS_INTEGER, .standard = 5, .least = 1, .most = 7, .hint = V1_HINT},
	{"expthresh", PDS_INTEGER, .standard = -1, .least = -1, .most = INT_MAX, .hint = V1_HINT},
	{"sparseon", PDS_INTEGER, .standard = 1, .least = 0, .most = 1, .hint = V1_HINT},
	{NULL}
};

PDS_ONE_PARAMETER(hll, s->precision);

/* ---------- hash families ---------- */

static const struct
{
	const char *name;
	const char *hint;			/* what one can have in it */
}			families[] = {
	[PDS_FAMILY_NATIVE] = {"native", NULL},
	[PDS_HLL_REDIS] = {"redis", "Redis counts strings. Cast the value to text or bytea."},
	[PDS_HLL_DATASKETCHES] = {"datasketches",
	"DataSketches counts integers, floating-point numbers, strings and bytes."},
	[PDS_HLL_INT32] = {"int32", "It was imported as one of 4-byte integers."},
};

StaticAssertDecl(lengthof(families) == PDS_HLL_FAMILIES, "a hash family has no name");

const char *
hll_family_name(int family)
{
	return families[family].name;
}

/*
 * The bytes that a family other than the native one hashes of a value; they live until the
 * hasher's next one.  Errors: 22000 if the value is of a kind that the family does not hold.
 */
static const uint8 *
bytes_for_family(int family, PdsHasher *hasher, Datum value, size_t *len)
{
	pds_kind	kind = pds_hasher_kind(hasher);
	const uint8 *bytes;
	int64		number = 0;

	if (!pds_hll_family_holds(family, kind))
		pds_family_mismatch("hll", hll_family_name(family),
							psprintf("a value of kind %s", pds_kind_name(kind)),
							families[family].hint);
	bytes = pds_bytes_of(hasher, value, len);
	if (family == PDS_HLL_INT32)
	{
		if (*len == 8)
			number = (int64) pds_load_le64(bytes);
		if (*len != 8 || number != (int32) number)
			pds_family_mismatch("hll", hll_family_name(family),
								"a number that is not an integer of 4 bytes", NULL);
		/* the first four of eight, little-endian, are the number as an int4 */
		*len = 4;
	}
	else if (kind == PDS_KIND_NUMBER && *len != 8)
		pds_family_mismatch("hll", hll_family_name(family), "a number that is not a bigint",
							"Cast the value to double precision if the sketch was built from that "
							"type.");
	return bytes;
}

/* ---------- the building form ---------- */

pds_hll_build *
pds_hll_new(int precision, int family, bool dense)
{
	pds_hll_build *b;
	size_t		size;

	dense = dense || !pds_hll_has_tokens(family);
	size = dense ? pds_hll_dense_size(precision) : PDS_HLL_FIRST_SIZE;
	b = pds_state_alloc(size);
	pds_hll_build_init(b, size, precision, family, dense);
	return b;
}

static void *
hll_new(const double *values)
{
	return pds_hll_new((int) values[0], PDS_FAMILY_NATIVE, false);
}

pds_hll_build *
pds_hll_at_precision(pds_hll_build *b, int precision, bool dense)
{
	pds_hll_plan plan;

	if (pds_hll_plan_merge(b, VARSIZE(b), precision, dense, 0, &plan))
		b = pds_state_move(&pds_hll_type, b, (pds_plan *) &plan);
	pds_hll_flush(b);
	return b;
}

pds_hll_build *
pds_hll_add_h1(pds_hll_build *b, uint64 h1)
{
	PDS_STATE_CHANGE(&pds_hll_type, b, pds_hll_add(b, h1));
	return b;
}

static void
hll_refuse(const void *state, pds_status status)
{
	if (status == PDS_PARAMETER_MISMATCH)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot aggregate values into an hll of the %s hash family",
						hll_family_name(pds_state_family(state))),
				 errhint("Use hll_add() or hll_add_all().")));
}

static void *
hll_add_value(void *state, pds_hash hash, PdsHasher *hasher, Datum value)
{
	pds_hll_build *b = state;
	int			family = pds_state_family(b);
	const uint8 *bytes;
	size_t		len;

	if (likely(family == PDS_FAMILY_NATIVE))
		return pds_hll_add_h1(b, hash.h1);
	bytes = bytes_for_family(family, hasher, value, &len);
	if (family == PDS_HLL_INT32)
		return pds_hll_add_h1(b, pds_murmur3(bytes, len, 0).h1);
	pds_hll_add_bytes(b, bytes, len);
	return b;
}

/* ---------- sketches of postgresql-hll ---------- */

bool
pds_hll_v1_too_full(const pds_hll_v1_form *form, uint32_t full)
{
	static const uint32_t one_in[] = {256, 64, 16};

	return full > pds_hll_registers(form->log2m) / one_in[Min(form->regwidth, 3) - 1];
}

pds_hll_build *
pds_hll_of_v1(const pds_hll_v1 *s, int family, uint32_t *full, const char **why)
{
	pds_hll_build *b;

	*full = 0;
	if (s->type == PDS_HLL_V1_EMPTY || s->type == PDS_HLL_V1_EXPLICIT)
	{
		b = pds_hll_new(s->form.log2m, family, false);
		for (size_t i = 0; i < pds_hll_v1_hashes(s); i++)
			b = pds_hll_add_h1(b, pds_hll_v1_hash(s, i));
		return b;
	}
	b = pds_hll_new(s->form.log2m, family, true);
	return pds_hll_v1_registers(s, pds_hll_build_registers(b), full, why) == PDS_OK ? b : NULL;
}

/* The input that is a sketch of postgresql-hll, as one of hashes (read_foreign() of sketch.h). */
static bool
read_v1(const uint8_t *payload, size_t len, struct varlena **value, const char **why)
{
	pds_hll_v1	s;
	pds_hll_build *b;
	uint32_t	full;

	if (!pds_hll_begins_as_v1(payload, len))
		return false;
	*value = NULL;
	if (pds_hll_v1_open(&s, payload, len, why) != PDS_OK)
		return true;
	if (s.type == PDS_HLL_V1_UNDEFINED)
		*why = "It is an UNDEFINED sketch of postgresql-hll, which is NULL here.";
	else if (!pds_hll_holds_precision(s.form.log2m))
		*why = "It is a sketch of postgresql-hll whose log2m is not between 4 and 18.";
	else if ((b = pds_hll_of_v1(&s, PDS_FAMILY_NATIVE, &full, why)) == NULL)
		return true;
	else if (pds_hll_v1_too_full(&s.form, full))
		*why = "It is a sketch of postgresql-hll with too many full registers.";
	else
	{
		pds_state_set_kind(b, PDS_KIND_HASH);
		*value = pds_state_store(&pds_hll_type, b);
	}
	return true;
}

/* ---------- type modifiers ---------- */

static bool
hll_can_fold(const void *from, const void *to)
{
	return ((const pds_hll_view *) from)->precision > ((const pds_hll_view *) to)->precision;
}

/* To a lower precision; an empty sketch can have any that its family has.  NULL if it cannot be. */
static void *
reduce(struct varlena *value, int precision)
{
	pds_hll_build *b = pds_state_load(&pds_hll_type, value);
	int			family = pds_state_family(b);

	if (pds_state_kind(b) == PDS_KIND_NONE && precision <= pds_hll_top_precision(family))
		return pds_hll_new(precision, family, false);
	return precision > b->precision ? NULL : pds_hll_at_precision(b, precision, false);
}

static void *
hll_fold(struct varlena *value, const double *values)
{
	return reduce(value, (int) values[0]);
}

static void hll_health(const void *view, PdsHealth *h);

PDS_SKETCH_TYPE(hll,
	.array_functions = "hll_add_all()",
	PDS_MODIFIERS(1, "one modifier, the precision", "Write hll(14)."),
	.other_modifiers = v1_modifiers, .read_foreign = read_v1,
	.add_value = hll_add_value, .refuse = hll_refuse, .can_fold = hll_can_fold, .fold = hll_fold);

/* hll_size(precision int): registers, error, bytes */
PDS_FUNCTION(probds_hll_size)
{
	double		asked[PDS_MAX_PARAMETERS];
	int			precision;
	Datum		values[3];

	pds_parameter_args(fcinfo, 0, "hll", parameters, asked);
	precision = (int) asked[0];
	values[0] = Int32GetDatum((int32) pds_hll_registers(precision));
	values[1] = Float8GetDatum(pds_for_people(pds_hll_standard_error(precision)));
	values[2] = Int64GetDatum((int64) pds_hll_most_bytes(precision));
	return pds_info_row(fcinfo, values, NULL);
}

/* hll_reduce(hll, precision int): as if it had been built at that precision */
PDS_FUNCTION(probds_hll_reduce)
{
	struct varlena *value = pds_sketch_get(&pds_hll_type, PG_GETARG_DATUM(0));
	double		values[PDS_MAX_PARAMETERS];
	void	   *reduced;

	pds_parameter_args(fcinfo, 1, "hll", parameters, values);
	reduced = reduce(value, (int) values[0]);
	if (reduced == NULL)
	{
		pds_hll_view v;

		pds_sketch_open(&pds_hll_type, value, &v);
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cannot reduce an hll of precision %d to precision %d",
						v.precision, (int) values[0]),
				 errdetail("A sketch can only lose precision, not gain it.")));
	}
	PG_RETURN_POINTER(pds_state_store(&pds_hll_type, reduced));
}

/* ---------- answers ---------- */

void
pds_hll_summary_arg(FunctionCallInfo fcinfo, int argno, pds_hll_summary *s)
{
	pds_hll_view v;

	pds_sketch_head_arg(fcinfo, argno, &pds_hll_type, PDS_HLL_MAX_PREFIX, &v);
	pds_hll_summarize(&v, s);
}

/* hll_cardinality(hll), #hll */
PDS_SUMMARY_FUNCTION(probds_hll_cardinality, pds_hll_summary, pds_hll_summary_arg,
					 pds_count_datum(pds_hll_cardinality(&s)));

/* hll_error(hll): the relative standard error of that */
PDS_SUMMARY_FUNCTION(probds_hll_error, pds_hll_summary, pds_hll_summary_arg,
					 Float8GetDatum(pds_hll_relative_error(&s)));

/* hll_bounds(hll, confidence float8): (lower, estimate, upper) */
PDS_BOUNDS_FUNCTION(probds_hll_bounds, pds_hll_summary, pds_hll_summary_arg, pds_hll_bounds);

/* The share of registers that are not 0. */
static double
fill_of(const pds_hll_summary *s)
{
	double		m = pds_hll_registers(s->precision);

	/* what tokens will leave empty when they become registers, on average */
	return 1 - (s->dense ? s->histogram[0] : m * pow(1 - 1 / m, s->tokens)) / m;
}

PDS_SUMMARY_HEALTH(hll, pds_hll_summary, pds_hll_summarize,
				   h->modifier = psprintf("%d", v->precision);
				   h->values = pds_hll_cardinality(&s);
				   h->fill = fill_of(&s);
				   h->error = pds_hll_relative_error(&s);
				   h->family = hll_family_name(v->family));

static const char *const encodings[] = {"empty", "sparse", "dense"};

/*
 * hll_info(hll): precision, registers, encoding, kind, family, bytes, fill,
 * cardinality, error
 */
PDS_INFO_FUNCTION(hll, pds_hll_summary, pds_hll_summarize,
				  Int32GetDatum(v->precision),
				  Int32GetDatum((int32) pds_hll_registers(v->precision)),
				  CStringGetTextDatum(encodings[v->encoding]),
				  CStringGetTextDatum(pds_kind_full_name(v->kind)),
				  CStringGetTextDatum(hll_family_name(v->family)),
				  Int32GetDatum((int32) v->len),
				  Float8GetDatum(pds_for_people(fill_of(&s))),
				  pds_count_datum(pds_hll_cardinality(&s)),
				  Float8GetDatum(pds_for_people(pds_hll_relative_error(&s))));
