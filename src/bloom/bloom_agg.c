/*
 * bloom_agg.c: the aggregates of bloom
 *
 * The state is a bloom in its building form (pg/aggregate.h).
 */
#include "postgres.h"

#include "bloom/bloom_size.h"
#include "bloom/bloom_type.h"
#include "pg/aggregate.h"
#include "pg/state.h"
#include "pg/value.h"

#define DEFAULT_RATE 0.01

/* The arguments of bloom_agg behind the value: [capacity [, rate [, layout]]] */
typedef struct agg_args
{
	bool		automatic;
	double		capacity;
	double		rate;
	uint8		family;
	bool		guava;			/* its size, that is */
} agg_args;

static inline void
get_args(FunctionCallInfo fcinfo, agg_args *args)
{
	int			n = PG_NARGS();

	args->automatic = n < 3;
	args->capacity = n < 3 ? 0 : PG_GETARG_FLOAT8(2);
	args->rate = n < 4 ? DEFAULT_RATE : PG_GETARG_FLOAT8(3);
	args->family = PDS_BLOOM_BLOCKED;
	args->guava = false;
	if (n >= 5)
	{
		text	   *layout = PG_GETARG_TEXT_PP(4);

		args->family = bloom_layout_arg(layout);
		if (args->family == PDS_BLOOM_AS_GUAVA)
		{
			args->family = PDS_BLOOM_CLASSIC;
			args->guava = true;
		}
	}
}

static inline bool
args_null(FunctionCallInfo fcinfo)
{
	for (int i = 2; i < PG_NARGS(); i++)
		if (PG_ARGISNULL(i))
			return true;
	return false;
}

static void
shape_of_args(const agg_args *args, pds_bloom_shape *shape)
{
	bloom_shape_for(bloom_capacity(args->capacity), args->rate,
					args->guava ? PDS_BLOOM_AS_GUAVA : args->family, shape);
}

/* The rate as a state remembers it: below 0 if the size is Guava's. */
static inline double
asked_rate(const agg_args *args)
{
	return args->guava ? -args->rate : args->rate;
}

/* Is this state one that was begun with the arguments of this row? */
static inline bool
begun_with(const pds_bloom_build *b, const agg_args *args)
{
	if (args->automatic)
		return b->automatic;
	return b->asked_capacity == args->capacity && b->asked_rate == asked_rate(args) &&
		b->shape.family == args->family && (b->asked_rate < 0) == args->guava;
}

static void
remember(pds_bloom_build *b, const agg_args *args)
{
	b->asked_capacity = args->capacity;
	b->asked_rate = asked_rate(args);
}

/* All that a step may have to do but for the usual case: a row, a state that fits. */
static pg_noinline Datum
unusual_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	pds_bloom_build *b;
	pds_bloom_shape shape;
	agg_args	args;

	pds_require_aggregate(fcinfo);
	if (args_null(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("bloom capacity, false-positive rate and layout must not be null")));
	get_args(fcinfo, &args);
	if (!args.automatic)
		shape_of_args(&args, &shape);
	if (PG_ARGISNULL(0))
	{
		b = bloom_new(args.automatic ? NULL : &shape);
		remember(b, &args);
	}
	else
	{
		b = pds_state_arg(fcinfo, &pds_bloom_type);
		if (!begun_with(b, &args))
		{
			/* one that came by send and receive does not say what was asked for */
			if (b->automatic || args.automatic || b->asked_capacity != 0 ||
				!pds_bloom_same_shape(&b->shape, &shape))
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						 errmsg("bloom capacity, false-positive rate and layout must be the same for all rows of a group")));
			remember(b, &args);
		}
	}
	if (!isnull)
		b = pds_state_add(&pds_bloom_type, b, hash, kind);
	PG_RETURN_POINTER(b);
}

static pg_attribute_always_inline Datum
bloom_step(FunctionCallInfo fcinfo, bool isnull, pds_hash hash, pds_kind kind)
{
	pds_bloom_build *b = (pds_bloom_build *) PG_GETARG_POINTER(0);
	agg_args	args;

	if (likely(!isnull && !PG_ARGISNULL(0) && !args_null(fcinfo)))
	{
		get_args(fcinfo, &args);
		if (likely(pds_is_state_of(b, PDS_TYPE_BLOOM, args.family, kind) &&
				   begun_with(b, &args) &&
				   pds_in_aggregate(fcinfo) &&
				   pds_bloom_add(b, hash) == PDS_OK))
			PG_RETURN_POINTER(b);
	}
	return unusual_step(fcinfo, isnull, hash, kind);
}

PDS_AGGREGATE_ENTRIES(bloom, bloom_step);
PDS_MERGE_AGGREGATE_FUNCTIONS(bloom, pds_bloom_type);

/* ---------- intersection ---------- */

/* A state and a value, either of which may be the first. */
static Datum
intersect_step(FunctionCallInfo fcinfo)
{
	struct varlena *value;
	pds_bloom_build *b;

	pds_require_aggregate(fcinfo);
	if (PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}
	value = pds_sketch_get(&pds_bloom_type, PG_GETARG_DATUM(1));
	if (PG_ARGISNULL(0))
		PG_RETURN_POINTER(pds_state_from(&pds_bloom_type, value));
	b = pds_state_arg(fcinfo, &pds_bloom_type);
	bloom_intersect(b, value);
	PG_FREE_IF_COPY(value, 1);
	PG_RETURN_POINTER(b);
}

/*
 * Transition and combine function of bloom_intersect_agg.  NULLs are skipped;
 * of NULLs only there is no intersection, so the result is NULL.
 */
PG_FUNCTION_INFO_V1(probds_bloom_intersect_step);
Datum
probds_bloom_intersect_step(PG_FUNCTION_ARGS)
{
	return intersect_step(fcinfo);
}
