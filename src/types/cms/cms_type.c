/*
 * cms_type.c: the type cms: its parameters, changes and differences
 *
 * What asks how often something occurred is in cms_answer_type.c.
 *
 * Macros define: probds_cms_in, probds_cms_out, probds_cms_recv, probds_cms_send,
 * probds_cms_from_bytea, probds_cms_typmod_in, probds_cms_typmod_out, probds_cms_typmod_cast,
 * probds_cms_eq, probds_cms_ne, probds_cms_lt, probds_cms_le, probds_cms_gt, probds_cms_ge,
 * probds_cms_cmp, probds_cms_hash, probds_cms_hash_extended, probds_cms_empty,
 * probds_cms_add_all, probds_cms_merge, probds_cms_size.
 */
#include "postgres.h"

#include "compat.h"
#include "decimal.h"
#include "cms_type.h"
#include "result_row.h"
#include "expanded.h"
#include "entry_points.h"
#include "state.h"
#include "call_argument.h"

/* ---------- parameters ---------- */

enum
{
	EPSILON,
	DELTA,
	CONSERVATIVE
};

/* Whether updates are conservative is left open by a modifier. */
static const PdsParameter parameters[] = {
	[EPSILON] = {"epsilon", PDS_SHARE, .standard = PDS_CMS_DEFAULT_EPSILON,
	.hint = "Write 0.001 for estimates that are too high by at most 0.1 % of the sum of all "
			"weights. A weight is for cms_agg_weighted(value, weight)."},
	[DELTA] = {"delta", PDS_SHARE, .standard = PDS_CMS_DEFAULT_DELTA,
	.hint = "Write 0.01 for estimates of which 99 % are within the error that epsilon sets."},
	[CONSERVATIVE] = {"conservative", PDS_FLAG, .standard = 0},
	{NULL}
};

/* The shape of these parameters; false if it is larger than a value can be. */
static bool
cms_shape_of(const double *values, void *shape)
{
	return pds_cms_shape_for(pds_decimal_code(values[EPSILON]), pds_decimal_code(values[DELTA]),
							 values[CONSERVATIVE] != 0, shape) == PDS_OK;
}

static void
cms_impossible(const double *values)
{
	uint16		delta = pds_decimal_code(values[DELTA]);

	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("cms of epsilon %g and delta %g would be larger than a value can be",
					pds_decimal_value(pds_decimal_code(values[EPSILON])),
					pds_decimal_value(delta)),
			 errdetail("With this delta the smallest epsilon is %g.",
					   pds_decimal_value(pds_cms_smallest_epsilon(delta)))));
}

/* "epsilon 0.001, delta 0.01 (2719 x 5 counters)" */
static char *
describe_shape(const pds_cms_shape *s)
{
	return psprintf("epsilon %g, delta %g (%u x %d counters%s)", pds_decimal_value(s->epsilon),
					pds_decimal_value(s->delta), s->width, s->depth,
					s->conservative ? ", conservative" : "");
}

static char *
cms_describe(const void *view)
{
	return describe_shape(&((const pds_cms_view *) view)->shape);
}

void
pds_cms_require_same_shape(const pds_cms_shape *a, const pds_cms_shape *b)
{
	if (!pds_cms_same_shape(a, b))
		pds_refuse_shapes("cms values of different shapes", describe_shape(a), describe_shape(b),
						  "Build both with the same epsilon and delta, and both by cms_agg or both "
						  "by cms_agg_conservative.");
}

PDS_MISMATCH_OF_SHAPES(cms, pds_cms_require_same_shape);

static void
cms_refuse(const void *state, pds_status status)
{
	const pds_cms_build *b = state;

	if (status == PDS_OVERFLOW)
		pds_refuse_overflow("sum of the weights in a cms", "The sum", PDS_CMS_MAX_COUNT);
	if (status == PDS_NEGATIVE && b->shape.conservative)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot subtract from a conservative cms"),
				 errdetail("The counters of a conservative cms are not sums, so nothing can be "
						   "subtracted from them."),
				 errhint("Build a plain one by cms_agg or cms_empty.")));
	if (status == PDS_NEGATIVE)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot subtract more from a cms than it contains"),
				 errdetail("A counter would be below zero.")));
}

/* ---------- the building form ---------- */

PDS_BEGUN_WITH_SHAPE(cms, pds_cms_shape, pds_cms_same_shape);
PDS_NEW_OF_SHAPE(cms, pds_cms_shape, PDS_CMS_FIRST_SIZE);

pds_cms_build *
pds_cms_add_weight(pds_cms_build *b, pds_hash hash, pds_kind kind, int64 weight)
{
	pds_state_take_kind(&pds_cms_type, b, kind);
	PDS_STATE_CHANGE(&pds_cms_type, b, pds_cms_add(b, hash, weight));
	return b;
}

/* ---------- type modifiers ---------- */

/* Conservative or not. */
static bool
cms_fits_modifier(const void *state, const double *values)
{
	const pds_cms_shape *s = &((const pds_cms_build *) state)->shape;

	return s->epsilon == pds_decimal_code(values[EPSILON]) &&
		s->delta == pds_decimal_code(values[DELTA]);
}

static bool
cms_same_parameters(const void *a, const void *b)
{
	const pds_cms_shape *s = &((const pds_cms_view *) a)->shape;
	const pds_cms_shape *t = &((const pds_cms_view *) b)->shape;

	return s->epsilon == t->epsilon && s->delta == t->delta;
}

/* By forgetting rows. */
static bool
cms_can_fold(const void *from, const void *to)
{
	const pds_cms_shape *s = &((const pds_cms_view *) from)->shape;
	const pds_cms_shape *t = &((const pds_cms_view *) to)->shape;

	return !s->conservative && s->width == t->width && s->depth >= t->depth;
}

/* To fewer rows; and an empty sketch can have any shape. */
static void *
cms_fold(struct varlena *value, const double *values)
{
	double		plain[PDS_MAX_PARAMETERS] = {values[EPSILON], values[DELTA], false};
	pds_cms_build *b = pds_state_load(&pds_cms_type, value);
	pds_cms_shape s;

	if (b->total == 0)
	{
		plain[CONSERVATIVE] = b->shape.conservative;
		return cms_new(plain);
	}
	pds_require_shape(&pds_cms_type, plain, &s);
	PDS_STATE_CHANGE(&pds_cms_type, b, pds_cms_keep_rows(b, &s));
	return b;
}

static void
cms_health(const void *view, PdsHealth *h)
{
	const pds_cms_view *v = view;

	h->modifier = psprintf("%g, %g", pds_decimal_value(v->shape.epsilon),
						   pds_decimal_value(v->shape.delta));
	h->total = (int64) v->total;
	h->fill = (double) pds_cms_count_nonzero(v) / pds_cms_counters(&v->shape);
	h->error = v->total == 0 ? -1 : (double) pds_cms_error(&v->shape, v->total) / (double) v->total;
}

PDS_SKETCH_TYPE_BUT_ADD(cms,
	.array_functions = "cms_frequencies() or cms_add_all()",
	PDS_MODIFIERS(2, "epsilon and delta as its modifier", "Write cms(0.001) or cms(0.001, 0.01)."),
	.weighted = true, .fits_modifier = cms_fits_modifier,
	.shape_of = cms_shape_of, .impossible = cms_impossible, .refuse = cms_refuse,
	.can_fold = cms_can_fold, .fold = cms_fold, .mismatch = cms_mismatch);

/* cms_size(epsilon, delta): width, depth, bytes, filled_bytes */
PDS_SIZE_FUNCTION(cms, pds_cms_shape,
				  Int32GetDatum((int32) s.width),
				  Int32GetDatum(s.depth),
				  Int64GetDatum((int64) pds_cms_most_bytes(&s, 8)),
				  Int64GetDatum((int64) pds_cms_most_bytes(&s, 4)));

/* ---------- changes ---------- */

/* cms_add(sketch, "any", weight bigint): a NULL value or weight adds nothing */
PDS_FUNCTION(probds_cms_add)
{
	PdsTarget	target;
	pds_hash	hash;
	pds_kind	kind;

	if (PG_ARGISNULL(1) || PG_ARGISNULL(2))
		return pds_change_nothing(fcinfo, &pds_cms_type);
	target = pds_change_begin(fcinfo, &pds_cms_type, true);
	hash = pds_hash_arg(fcinfo, 1, pds_state_kind(target.state), &kind);
	return pds_change_end(&target, &pds_cms_type,
						  pds_cms_add_weight(target.state, hash, kind, PG_GETARG_INT64(2)));
}

/* cms_subtract(cms, cms): NULL is nothing to take out, but nothing is taken out of NULL */
PDS_FUNCTION(probds_cms_subtract)
{
	pds_cms_build *b;
	struct varlena *value;
	pds_cms_view view;
	pds_operand operand = {NULL, &view};

	PDS_RETURN_UNCHANGED_BY_NULL();
	b = pds_state_load_arg(fcinfo, 0, &pds_cms_type);
	value = pds_sketch_get(&pds_cms_type, PG_GETARG_DATUM(1));
	pds_sketch_open(&pds_cms_type, value, &view);
	pds_cms_require_same_shape(&b->shape, &view.shape);
	pds_state_join(&pds_cms_type, b, value);
	PDS_STATE_CHANGE(&pds_cms_type, b, pds_cms_subtract(b, &operand));
	PG_RETURN_POINTER(pds_state_store(&pds_cms_type, b));
}
