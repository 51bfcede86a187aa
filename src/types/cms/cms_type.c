/*
 * cms_type.c: the type cms: constructors, changes, unions and differences
 *
 * What asks how often something occurred is in cms_answer_type.c.
 */
#include "postgres.h"

#include "compat.h"
#include "decimal.h"
#include "cms_type.h"
#include "expanded.h"
#include "state.h"
#include "value.h"

/* ---------- parameters ---------- */

void
cms_shape_for(double epsilon, double delta, bool conservative, pds_cms_shape *s)
{
	uint16		epsilon_code = pds_decimal_code(epsilon);
	uint16		delta_code = pds_decimal_code(delta);

	if (epsilon_code == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cms epsilon must be at least %g and below 1, not %g", PDS_DECIMAL_MIN, epsilon),
				 errhint("Write 0.001 for estimates that are too high by at most 0.1 %% of the sum of all weights.")));
	if (delta_code == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("cms delta must be at least %g and below 1, not %g", PDS_DECIMAL_MIN, delta),
				 errhint("Write 0.01 for estimates of which 99 %% are within the error that epsilon sets.")));
	if (pds_cms_shape_for(epsilon_code, delta_code, conservative, s) != PDS_OK)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("cms of epsilon %g and delta %g would be larger than a value can be",
						pds_decimal_value(epsilon_code), pds_decimal_value(delta_code)),
				 errdetail("With this delta the smallest epsilon is %g.",
						   pds_decimal_value(pds_cms_smallest_epsilon(delta_code)))));
}

/* "epsilon 0.001, delta 0.01 (2719 x 5 counters)" */
static char *
describe_shape(const pds_cms_shape *s)
{
	return psprintf("epsilon %g, delta %g (%u x %d counters%s)", pds_decimal_value(s->epsilon),
					pds_decimal_value(s->delta), s->width, s->depth,
					s->conservative ? ", conservative" : "");
}

void
cms_require_same_shape(const pds_cms_shape *a, const pds_cms_shape *b)
{
	if (!pds_cms_same_shape(a, b))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot combine cms values of different shapes"),
				 errdetail("One is of %s, the other of %s.", describe_shape(a), describe_shape(b)),
				 errhint("Build both with the same epsilon and delta, and both by cms_agg or both by cms_agg_conservative.")));
}

/* What a change was refused for, but for a lack of space. */
pg_noreturn static void
refuse(const pds_cms_build *b, pds_status status)
{
	if (status == PDS_OVERFLOW)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("sum of the weights in a cms out of range"),
				 errdetail("It can be up to %lld.", (long long) PDS_CMS_MAX_COUNT)));
	if (status == PDS_NEGATIVE && b->shape.conservative)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot take anything out of a conservative cms"),
				 errdetail("Its counters are not sums that something could be subtracted from."),
				 errhint("Build a plain one by cms_agg or cms_empty.")));
	if (status == PDS_NEGATIVE)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot take more out of a cms than is in it"),
				 errdetail("A counter would be below zero.")));
	pds_stored_corrupt(&pds_cms_type, NULL);
}

/* ---------- the building form ---------- */

pds_cms_build *
cms_new(const pds_cms_shape *shape)
{
	pds_cms_build *b = pds_state_alloc(PDS_CMS_FIRST_SIZE);

	pds_cms_build_init(b, shape);
	return b;
}

pds_cms_build *
cms_new_to_ask(const pds_cms_shape *shape)
{
	pds_cms_build *b = pds_state_alloc(PDS_CMS_FIRST_SIZE);

	pds_cms_build_init_to_ask(b, shape);
	return b;
}

static pds_cms_build *
cms_move(const pds_cms_build *b, pds_cms_plan plan)
{
	for (;;)
	{
		pds_cms_build *to = pds_state_alloc(plan.size);

		if (pds_cms_rebuild(to, &plan, b))
			return to;
		pfree(to);
	}
}

pds_cms_build *
cms_grow(const pds_cms_build *b)
{
	pds_cms_plan plan = pds_cms_plan_growth(b, VARSIZE(b));

	return cms_move(b, plan);
}

pds_cms_build *
cms_add_weight(pds_cms_build *b, pds_hash hash, pds_kind kind, int64 weight)
{
	pds_status	status;

	pds_state_take_kind(&pds_cms_type, b, kind);
	while ((status = pds_cms_add(b, hash, weight)) == PDS_FULL)
		b = cms_grow(b);
	if (status != PDS_OK)
		refuse(b, status);
	return b;
}

void
cms_view(const struct varlena *value, pds_cms_view *v)
{
	const char *why;
	size_t		len = PDS_PAYLOAD_LEN(value);

	if (pds_cms_open(v, PDS_PAYLOAD(value), len, len, &why) != PDS_OK)
		pds_stored_corrupt(&pds_cms_type, why);
}

/* The union with a value of either form, or the difference. */
static pds_cms_build *
combine(pds_cms_build *b, struct varlena *value, bool subtract)
{
	pds_cms_build *other = NULL;
	const pds_cms_shape *shape;
	pds_cms_view v;
	pds_status	status;

	if (pds_is_building(value))
	{
		other = (pds_cms_build *) value;
		if (other->undecided)
			return b;
		/* its ring is going to be emptied, and it may lie in a page of a table */
		if (other->pending > 0)
			other = (pds_cms_build *) pds_sketch_from_payload(PDS_PAYLOAD(value),
															  PDS_PAYLOAD_LEN(value));
		shape = &other->shape;
	}
	else
	{
		cms_view(value, &v);
		shape = &v.shape;
	}
	if (b->undecided)
		pds_cms_build_init(b, shape);
	cms_require_same_shape(&b->shape, shape);
	pds_state_join(&pds_cms_type, b, value);
	for (;;)
	{
		status = other != NULL ? pds_cms_merge_build(b, other, subtract) :
			pds_cms_merge_view(b, &v, subtract);
		if (status != PDS_FULL)
			break;
		b = cms_grow(b);
	}
	if (status != PDS_OK)
		refuse(b, status);
	return b;
}

static void *
cms_merge(void *state, struct varlena *value)
{
	return combine(state, value, false);
}

/* A union of nothing yet; one of nothing at all has the usual shape. */
static void *
cms_nothing(void)
{
	pds_cms_shape shape;
	pds_cms_build *b;

	cms_shape_for(CMS_DEFAULT_EPSILON, CMS_DEFAULT_DELTA, false, &shape);
	b = cms_new(&shape);
	b->undecided = 1;
	return b;
}

static void *
cms_load(struct varlena *value)
{
	return cms_merge(cms_nothing(), value);
}

static void *
cms_add(void *state, pds_hash hash)
{
	return cms_add_weight(state, hash, pds_state_kind(state), 1);
}

static struct varlena *
cms_store(void *state)
{
	pds_cms_build *b = state;
	pds_cms_build *moved = NULL;
	void	   *scratch = NULL;
	pds_cms_plan plan;
	pds_cms_extent x;
	struct varlena *value;

	if (pds_cms_plan_finish(b, &plan))
		b = moved = cms_move(b, plan);
	pds_cms_measure(b, &x);
	if (x.encoding == PDS_CMS_EMPTY && b->total > 0)
		pds_stored_corrupt(&pds_cms_type, "It counts more than is in it.");
	value = palloc(VARHDRSZ + x.bytes);
	if (x.scratch > 0)
		scratch = palloc_extended(x.scratch, MCXT_ALLOC_HUGE);
	SET_VARSIZE(value, VARHDRSZ + pds_cms_encode(b, &x, scratch, (uint8_t *) VARDATA(value)));
	if (scratch != NULL)
		pfree(scratch);
	if (moved != NULL)
		pfree(moved);
	return value;
}

/* ---------- type modifiers ---------- */

/* A modifier is the code of epsilon (bit 0 - 12) and that of delta (bit 13 - 25). */
static int32
cms_typmod_in(char **args, int n)
{
	double		delta = CMS_DEFAULT_DELTA;
	pds_cms_shape s;

	if (n < 1 || n > 2)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("type cms takes epsilon and delta as its modifier"),
				 errhint("Write cms(0.001) or cms(0.001, 0.01).")));
	if (n > 1)
		delta = pds_typmod_float8(args[1]);
	cms_shape_for(pds_typmod_float8(args[0]), delta, false, &s);
	return s.epsilon | s.delta << 13;
}

static bool
shape_of_typmod(int32 typmod, pds_cms_shape *s)
{
	int			epsilon = typmod & 0x1fff;
	int			delta = typmod >> 13;

	return epsilon > 0 && epsilon < PDS_DECIMAL_CODES && delta > 0 && delta < PDS_DECIMAL_CODES &&
		pds_cms_shape_for((uint16) epsilon, (uint16) delta, false, s) == PDS_OK;
}

static bool
cms_typmod_valid(int32 typmod)
{
	pds_cms_shape s;

	return shape_of_typmod(typmod, &s);
}

/* The same of one that is valid. */
static void
typmod_shape(int32 typmod, pds_cms_shape *s)
{
	if (!shape_of_typmod(typmod, s))
		elog(ERROR, "invalid type modifier for type cms: %d", typmod);
}

static char *
cms_typmod_out(int32 typmod)
{
	pds_cms_shape s;

	typmod_shape(typmod, &s);
	return psprintf("%g,%g", pds_decimal_value(s.epsilon), pds_decimal_value(s.delta));
}

/* Can a sketch of this shape be folded to that of a modifier, by forgetting rows? */
static bool
can_fold(const pds_cms_shape *from, const pds_cms_shape *to)
{
	return !from->conservative && from->width == to->width && from->depth >= to->depth;
}

/* Whether updates are conservative is left open. */
static bool
cms_typmod_holds(const uint8_t *payload, size_t len, int32 typmod,
				 char **promised, char **found, char **hint)
{
	pds_cms_view v;
	pds_cms_shape s;

	typmod_shape(typmod, &s);
	if (pds_cms_open(&v, payload, len, len, NULL) != PDS_OK)
		pds_stored_corrupt(&pds_cms_type, NULL);
	if (v.shape.epsilon == s.epsilon && v.shape.delta == s.delta)
		return true;
	*promised = describe_shape(&s);
	*found = describe_shape(&v.shape);
	*hint = psprintf("%s by cms_agg(value, %g, %g).",
					 can_fold(&v.shape, &s) ? "Fold it by an explicit cast, or build it" : "Build it",
					 pds_decimal_value(s.epsilon), pds_decimal_value(s.delta));
	return false;
}

/* To fewer rows; and an empty sketch can have any shape. */
static struct varlena *
cms_typmod_fold(struct varlena *value, int32 typmod)
{
	pds_cms_view v;
	pds_cms_shape s;
	pds_cms_build *b;
	pds_status	status;

	cms_view(value, &v);
	typmod_shape(typmod, &s);
	if (v.encoding == PDS_CMS_EMPTY)
	{
		s.conservative = v.shape.conservative;
		return cms_store(cms_new(&s));
	}
	if (!can_fold(&v.shape, &s))
		return NULL;
	b = cms_load(value);
	while ((status = pds_cms_keep_rows(b, &s)) == PDS_FULL)
		b = cms_grow(b);
	if (status != PDS_OK)
		elog(ERROR, "cannot fold a cms to fewer rows");
	return cms_store(b);
}

static void
cms_health(struct varlena *value, PdsHealth *h)
{
	pds_cms_view v;
	uint32_t	nonzero;

	cms_view(value, &v);
	if (pds_cms_count_nonzero(&v, &nonzero) != PDS_OK)
		pds_stored_corrupt(&pds_cms_type, NULL);
	h->parameters = psprintf("epsilon %g, delta %g%s", pds_decimal_value(v.shape.epsilon),
							 pds_decimal_value(v.shape.delta), v.shape.conservative ? ", conservative" : "");
	h->fill = (double) nonzero / pds_cms_counters(&v.shape);
	h->error = v.total == 0 ? -1 : (double) pds_cms_error(&v.shape, v.total) / (double) v.total;
	h->status = "ok";
	h->kind = v.kind;
	h->family = "native";
}

const PdsSketchType pds_cms_type = {
	.name = "cms",
	.array_functions = "cms_frequencies() or cms_add_all()",
	.check = pds_cms_check,
	.nothing = cms_nothing,
	.load = cms_load,
	.add = cms_add,
	.merge = cms_merge,
	.store = cms_store,
	.health = cms_health,
	.check_state = pds_cms_check_build,
	.typmod_in = cms_typmod_in,
	.typmod_out = cms_typmod_out,
	.typmod_valid = cms_typmod_valid,
	.typmod_holds = cms_typmod_holds,
	.typmod_fold = cms_typmod_fold,
};

PDS_SKETCH_FUNCTIONS(cms, pds_cms_type);
PDS_MERGE_FUNCTION(cms, pds_cms_type);
PDS_SKETCH_FUNCTION(probds_cms_add_all, return pds_sketch_add_all(fcinfo, &pds_cms_type));

/* ---------- constructors and changes ---------- */

/* cms_empty(epsilon float8, delta float8, conservative boolean) */
PG_FUNCTION_INFO_V1(probds_cms_empty);
Datum
probds_cms_empty(PG_FUNCTION_ARGS)
{
	pds_cms_shape s;

	cms_shape_for(PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(1), PG_GETARG_BOOL(2), &s);
	PG_RETURN_POINTER(cms_store(cms_new(&s)));
}

/*
 * cms_add(cms, "any" [, count bigint]): a NULL sketch stays NULL, a NULL value or
 * count adds nothing
 */
PG_FUNCTION_INFO_V1(probds_cms_add);
Datum
probds_cms_add(PG_FUNCTION_ARGS)
{
	int64		count = 1;
	PdsTarget	target;
	pds_hash	hash;
	pds_kind	kind;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(1) || (PG_NARGS() > 2 && PG_ARGISNULL(2)))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	if (PG_NARGS() > 2)
		count = PG_GETARG_INT64(2);
	target = pds_change_begin(fcinfo, &pds_cms_type, true);
	hash = pds_hash_arg(fcinfo, 1, pds_state_kind(target.state), &kind);
	return pds_change_end(&target, &pds_cms_type,
						  cms_add_weight(target.state, hash, kind, count));
}

/* cms_subtract(cms, cms): NULL is nothing to take out, but nothing is taken out of NULL */
PG_FUNCTION_INFO_V1(probds_cms_subtract);
Datum
probds_cms_subtract(PG_FUNCTION_ARGS)
{
	pds_cms_build *b;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(1))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	b = cms_load(pds_sketch_get(&pds_cms_type, PG_GETARG_DATUM(0)));
	b = combine(b, pds_sketch_get(&pds_cms_type, PG_GETARG_DATUM(1)), true);
	PG_RETURN_POINTER(cms_store(b));
}
