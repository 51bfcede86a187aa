/*
 * ddsketch_type.c: the type ddsketch: its parameters and changes
 *
 * The functions that read a sketch are in ddsketch_answer_type.c.
 *
 * Macros define: probds_ddsketch_in, probds_ddsketch_out, probds_ddsketch_recv,
 * probds_ddsketch_send, probds_ddsketch_from_bytea, probds_ddsketch_typmod_in,
 * probds_ddsketch_typmod_out, probds_ddsketch_typmod_cast,
 * probds_ddsketch_eq, probds_ddsketch_ne, probds_ddsketch_lt, probds_ddsketch_le,
 * probds_ddsketch_gt, probds_ddsketch_ge, probds_ddsketch_cmp, probds_ddsketch_hash,
 * probds_ddsketch_hash_extended, probds_ddsketch_empty, probds_ddsketch_add,
 * probds_ddsketch_add_all, probds_ddsketch_merge, probds_ddsketch_size.
 */
#include "postgres.h"

#include <math.h>

#include "compat.h"
#include "ddsketch_type.h"
#include "decimal.h"
#include "entry_points.h"
#include "result_row.h"
#include "state.h"

/* ---------- parameters ---------- */

enum
{
	RELATIVE_ERROR,
	MAX_BUCKETS
};

static const PdsParameter parameters[] = {
	[RELATIVE_ERROR] = {"relative error", PDS_SHARE, .standard = PDS_DDSKETCH_DEFAULT_ERROR,
	.hint = "Write 0.01 for quantiles that are off by at most 1 %. A weight is for "
			"ddsketch_agg_weighted(value, weight)."},
	[MAX_BUCKETS] = {"max_buckets", PDS_INTEGER, .standard = PDS_DDSKETCH_DEFAULT_BUCKETS,
		.least = PDS_DDSKETCH_MIN_BUCKETS, .most = PDS_DDSKETCH_MAX_BUCKETS,
	.hint = "It is how many counts a sketch keeps at most. With more, the error doubles."},
	{NULL}
};

typedef struct Shape
{
	int			scale;
	uint32		max_buckets;
} Shape;

static bool
ddsketch_shape_of(const double *values, void *shape)
{
	Shape	   *s = shape;

	/* as a type modifier keeps it, so that both mean the same scale */
	s->scale = pds_ddsketch_scale_for(pds_decimal_value(pds_decimal_code(values[RELATIVE_ERROR])));
	s->max_buckets = (uint32) values[MAX_BUCKETS];
	return s->scale <= PDS_DDSKETCH_MAX_SCALE;
}

static void
ddsketch_impossible(const double *values)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("ddsketch relative error must be at least %.3g, not %g",
					pds_ddsketch_error(PDS_DDSKETCH_MAX_SCALE), values[RELATIVE_ERROR])));
}

/*
 * The error of a scale as a parameter that leads to it: three digits, rounded up.  0 if no
 * parameter does.
 */
static double
error_parameter(int scale)
{
	uint16		code = pds_decimal_code(pds_ddsketch_error(scale));

	if (code == 0)
		return 0;
	/* the code has rounded it down */
	if (pds_decimal_value(code) < pds_ddsketch_error(scale))
		code++;
	return code < PDS_DECIMAL_CODES && pds_decimal_value(code) < 1 ? pds_decimal_value(code) : 0;
}

static char *
ddsketch_describe(const void *view)
{
	const pds_ddsketch_view *v = view;

	return psprintf("relative error %.3g and %u buckets", pds_ddsketch_error(v->asked),
					v->max_buckets);
}

static bool
ddsketch_same_parameters(const void *a, const void *b)
{
	const pds_ddsketch_view *va = a;
	const pds_ddsketch_view *vb = b;

	return va->asked == vb->asked && va->max_buckets == vb->max_buckets;
}

/* ---------- the building form ---------- */

static void *
ddsketch_new(const double *values)
{
	pds_ddsketch_build *b = pds_state_alloc(PDS_DDSKETCH_FIRST_SIZE);
	Shape		s;

	pds_require_shape(&pds_ddsketch_type, values, &s);
	pds_ddsketch_build_init(b, s.scale, s.max_buckets, 0);
	return b;
}

static bool
ddsketch_begun_with(const void *state, const double *values)
{
	const pds_ddsketch_build *b = state;
	Shape		s;

	pds_require_shape(&pds_ddsketch_type, values, &s);
	return b->asked == s.scale && b->max_buckets == s.max_buckets;
}

static void
ddsketch_refuse(const void *state, pds_status status)
{
	if (status == PDS_OVERFLOW)
		pds_refuse_overflow("number of values in a ddsketch", "The number",
							PDS_DDSKETCH_MAX_COUNT);
}

void
pds_ddsketch_refuse_fractions(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("the fraction of approx_percentile must be the same for all rows of a "
					"group")));
}

/* Sketches of all parameters can be united, so only states of other fractions cannot. */
static void
ddsketch_mismatch(const void *a, const void *b)
{
	pds_ddsketch_refuse_fractions();
}

pds_ddsketch_build *
pds_ddsketch_add_weight(pds_ddsketch_build *b, double value, pds_kind kind, int64 weight)
{
	if (weight < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ddsketch weight must not be negative, but is " INT64_FORMAT, weight)));
	if (weight == 0)
		return b;
	pds_state_take_kind(&pds_ddsketch_type, b, kind);
	PDS_STATE_CHANGE(&pds_ddsketch_type, b, pds_ddsketch_add(b, value, (uint64) weight));
	return b;
}

static void *
ddsketch_add_datum(void *state, PdsHasher *hasher, Datum value)
{
	pds_kind	kind;
	double		number = pds_ddsketch_value_of(hasher, value, &kind);

	return pds_ddsketch_add_weight(state, number, kind, 1);
}

/* ---------- type modifiers ---------- */

/* A sketch that has gone to a lower scale does not know how it would be with more buckets. */
static bool
ddsketch_can_fold(const void *from, const void *to)
{
	const pds_ddsketch_view *v = from;
	const pds_ddsketch_view *w = to;

	return w->asked <= v->asked && (w->max_buckets <= v->max_buckets || w->asked <= v->scale);
}

static void *
ddsketch_fold(struct varlena *value, const double *values)
{
	pds_ddsketch_build *b = pds_state_load(&pds_ddsketch_type, value);
	Shape		s;
	pds_ddsketch_plan plan;

	pds_require_shape(&pds_ddsketch_type, values, &s);
	if (b->total == 0)
		return ddsketch_new(values);
	pds_ddsketch_plan_fold(b, s.scale, s.max_buckets, &plan);
	return pds_state_move(&pds_ddsketch_type, b, (pds_plan *) &plan);
}

/* ---------- the type, to the storage frame ---------- */

static void
ddsketch_health(const void *view, PdsHealth *h)
{
	const pds_ddsketch_view *v = view;
	double		error = error_parameter(v->asked);

	if (error > 0)
		h->modifier = v->max_buckets == PDS_DDSKETCH_DEFAULT_BUCKETS ? psprintf("%g", error) :
			psprintf("%g, %u", error, v->max_buckets);
	h->total = (int64) v->total;
	h->fill = (double) (v->negatives + v->positives) / v->max_buckets;
	h->error = v->total == 0 ? -1 : pds_ddsketch_error(v->scale);
	if (v->total > 0)
		h->says = psprintf(INT64_FORMAT " values from %g to %g%s, quantiles within %.2g %%",
						   (int64) v->total, pds_ddsketch_min(v) / pds_ddsketch_unit(v->kind),
						   pds_ddsketch_max(v) / pds_ddsketch_unit(v->kind),
						   v->kind == PDS_KIND_INTERVAL ? " seconds" : "",
						   100 * pds_ddsketch_error(v->scale));
	if (v->scale < v->asked)
		h->status = "over capacity";
}

PDS_SKETCH_TYPE(ddsketch,
	.array_functions = "ddsketch_add_all()",
	PDS_MODIFIERS(2, "a relative error and a number of buckets as its modifier",
				  "Write ddsketch(0.01) or ddsketch(0.01, 4096)."),
	.weighted = true, .shape_of = ddsketch_shape_of, .impossible = ddsketch_impossible,
	.add_datum = ddsketch_add_datum, .reads_text_as = PDS_KIND_NUMBER, .refuse = ddsketch_refuse,
	.mismatch = ddsketch_mismatch, .can_fold = ddsketch_can_fold, .fold = ddsketch_fold);

/*
 * ddsketch_size(relative_error, max_buckets): scale, error, bytes, filled_bytes.  Counts of many
 * values take up to 12 bits, and of a few thousand each some 8.
 */
PDS_SIZE_FUNCTION(ddsketch, Shape,
				  Int32GetDatum(s.scale),
				  Float8GetDatum(pds_for_people(pds_ddsketch_error(s.scale))),
				  Int64GetDatum((int64) pds_ddsketch_most_bytes(s.max_buckets)),
				  Int64GetDatum((int64) s.max_buckets + 40));
