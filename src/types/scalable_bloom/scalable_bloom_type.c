/*
 * scalable_bloom_type.c: the type scalable_bloom: its parameters, changes and probes
 *
 * Macros define: probds_scalable_bloom_in, probds_scalable_bloom_out, probds_scalable_bloom_recv,
 * probds_scalable_bloom_send, probds_scalable_bloom_from_bytea, probds_scalable_bloom_typmod_in,
 * probds_scalable_bloom_typmod_out, probds_scalable_bloom_typmod_cast, probds_scalable_bloom_eq,
 * probds_scalable_bloom_ne, probds_scalable_bloom_lt, probds_scalable_bloom_le,
 * probds_scalable_bloom_gt, probds_scalable_bloom_ge, probds_scalable_bloom_cmp,
 * probds_scalable_bloom_hash, probds_scalable_bloom_hash_extended, probds_scalable_bloom_empty,
 * probds_scalable_bloom_add, probds_scalable_bloom_add_all, probds_scalable_bloom_merge,
 * probds_scalable_bloom_contained, probds_scalable_bloom_contains,
 * probds_scalable_bloom_contains_all, probds_scalable_bloom_contains_any.
 */
#include "postgres.h"

#include "bloom_family.h"
#include "bloom_size.h"
#include "call_argument.h"
#include "compat.h"
#include "decimal.h"
#include "probe.h"
#include "entry_points.h"
#include "scalable_bloom_estimate.h"
#include "scalable_bloom_layers.h"
#include "scalable_bloom_type.h"
#include "state.h"

/* ---------- parameters ---------- */

enum
{
	CAPACITY,
	RATE,
	EXPANSION
};

static const PdsParameter parameters[] = {
	[CAPACITY] = {"capacity", PDS_COUNT, .standard = PDS_SCALABLE_BLOOM_DEFAULT_CAPACITY,
	.hint = "The capacity is the number of distinct values that the first layer is for. It "
			"comes before the rate."},
	[RATE] = PDS_RATE_PARAMETER(PDS_SCALABLE_BLOOM_DEFAULT_RATE),
	[EXPANSION] = {"expansion", PDS_INTEGER, .standard = PDS_SCALABLE_BLOOM_DEFAULT_EXPANSION,
		.least = 1, .most = PDS_SCALABLE_BLOOM_MAX_EXPANSION,
	.hint = "Each layer is for so many times the values of the layer before."},
	{NULL}
};

static bool
scalable_bloom_shape_of(const double *values, void *shape)
{
	pds_scalable_bloom_parameters *p = shape;

	memset(p, 0, sizeof(*p));
	p->family = PDS_BLOOM_BLOCKED;
	p->capacity = pds_capacity_of(values[CAPACITY]);
	p->rate = pds_decimal_code(values[RATE]);
	p->expansion = (uint32) values[EXPANSION];
	return pds_scalable_bloom_parameters_valid(p);
}

/* 22023 for a rate that is too low, 54000 for a capacity that is too large. */
static void
scalable_bloom_impossible(const double *values)
{
	pds_scalable_bloom_parameters one;
	pds_bloom_shape first;

	(void) scalable_bloom_shape_of(values, &one);
	one.capacity = 1;
	if (!pds_scalable_bloom_parameters_valid(&one))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("false-positive rate of a scalable_bloom must be at least %g, not %g",
						PDS_SCALABLE_BLOOM_MIN_RATE, pds_decimal_value(one.rate)),
				 errdetail("Later layers need much lower rates than the whole filter.")));
	(void) pds_scalable_bloom_first_shape(&one, &first);
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("scalable_bloom for %llu values would be larger than a value can be",
					(unsigned long long) pds_capacity_of(values[CAPACITY])),
			 errdetail("At a false-positive rate of %g its first layer can be for up to "
					   "%llu values.", pds_decimal_value(one.rate), (unsigned long long)
					   pds_bloom_max_capacity(first.rate, PDS_BLOOM_BLOCKED))));
}

static char *
scalable_bloom_describe(const void *view)
{
	const pds_scalable_bloom_view *v = view;

	return psprintf("capacity %llu at %g, expansion %u%s",
					(unsigned long long) v->parameters.capacity,
					pds_decimal_value(v->parameters.rate), v->parameters.expansion,
					v->parameters.family == PDS_BLOOM_REDIS ? ", from RedisBloom" : "");
}

static bool
scalable_bloom_same_parameters(const void *a, const void *b)
{
	const pds_scalable_bloom_view *v = a;
	const pds_scalable_bloom_view *w = b;

	return v->parameters.capacity == w->parameters.capacity &&
		v->parameters.rate == w->parameters.rate;
}

/* ---------- the building form ---------- */

/*
 * A state that collects, as an aggregate needs it; an empty value is stored the same either
 * way.  Only one for very many values cannot, and is filled layer by layer.
 */
static void *
scalable_bloom_new(const double *values)
{
	pds_scalable_bloom_build *b = pds_state_alloc(PDS_SCALABLE_BLOOM_FIRST_SIZE);
	pds_scalable_bloom_parameters p;

	pds_require_shape(&pds_scalable_bloom_type, values, &p);
	pds_scalable_bloom_build_init(b, &p, p.capacity <= PDS_BLOOM_AUTO_HASHES ||
								  p.capacity <= pds_scalable_bloom_collect_limit(p.rate));
	return b;
}

static bool
scalable_bloom_begun_with(const void *state, const double *values)
{
	const pds_scalable_bloom_build *b = state;
	pds_scalable_bloom_parameters p;

	(void) scalable_bloom_shape_of(values, &p);
	return memcmp(&b->parameters, &p, sizeof(p)) == 0;
}

/* Of any expansion and hash family. */
static bool
scalable_bloom_fits_modifier(const void *state, const double *values)
{
	const pds_scalable_bloom_parameters *p =
		&((const pds_scalable_bloom_build *) state)->parameters;

	return p->capacity == pds_capacity_of(values[CAPACITY]) &&
		p->rate == pds_decimal_code(values[RATE]);
}

static void
scalable_bloom_refuse(const void *state, pds_status status)
{
	const pds_scalable_bloom_build *b = state;

	if (status != PDS_TOO_LARGE)
		return;
	if (pds_scalable_bloom_collects(b))
		pds_refuse_values("scalable_bloom_agg",
						  pds_scalable_bloom_collect_limit(b->parameters.rate),
						  "Aggregate parts of the rows, and merge the results.");
	if (b->parameters.expansion == 0)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("scalable_bloom is full"),
				 errdetail("RedisBloom created it with NONSCALING, for %llu values.",
						   (unsigned long long) b->parameters.capacity)));
	if (b->layers + 1 >= PDS_SCALABLE_BLOOM_MAX_LAYERS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("scalable_bloom cannot have more than %d layers",
						PDS_SCALABLE_BLOOM_MAX_LAYERS),
				 errhint("Rebuild it from the rows by scalable_bloom_agg, which makes one "
						 "layer.")));
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("scalable_bloom would be larger than a value can be"),
			 errhint("Split the values over several rows by their hash, with a filter in each.")));
}

static void *
scalable_bloom_add_value(void *state, pds_hash hash, PdsHasher *hasher, Datum value)
{
	pds_scalable_bloom_build *b = state;
	uint8		family = b->parameters.family;

	if (unlikely(family != PDS_BLOOM_BLOCKED))
		hash = bloom_foreign_hash_to_add("scalable_bloom", family, hasher, value);
	PDS_STATE_CHANGE(&pds_scalable_bloom_type, b, pds_scalable_bloom_add(b, hash));
	return b;
}

static void
scalable_bloom_health(const void *view, PdsHealth *h)
{
	const pds_scalable_bloom_view *v = view;
	pds_scalable_bloom_summary s;
	double		promised = pds_decimal_value(v->parameters.rate);

	if (pds_scalable_bloom_summarize(v, &s) != PDS_OK)
		pds_stored_corrupt(&pds_scalable_bloom_type, NULL);
	h->modifier = pds_capacity_modifier(v->parameters.capacity, v->parameters.rate);
	h->values = s.keys;
	h->fill = s.bits > 0 ? (double) s.set / (double) s.bits : 0;
	h->rate = s.current_rate;
	h->status = s.current_rate > promised * PDS_SCALABLE_BLOOM_TOLERANCE ? "over rate" : "ok";
	h->family = bloom_family_name(v->parameters.family);
}

PDS_SKETCH_TYPE(scalable_bloom,
	.array_functions = "scalable_bloom_contains_any(), scalable_bloom_contains_all() or "
	"scalable_bloom_add_all()",
	PDS_MODIFIERS(2, "a capacity and a false-positive rate as its modifier",
				  "Write scalable_bloom(1000) or scalable_bloom(1000, 0.01)."),
	.shape_of = scalable_bloom_shape_of, .impossible = scalable_bloom_impossible,
	.fits_modifier = scalable_bloom_fits_modifier,
	.add_value = scalable_bloom_add_value, .refuse = scalable_bloom_refuse);

/* ---------- probes ---------- */

static bool
hash_value(const void *view, PdsHasher *hasher, Datum value, pds_hash *hash)
{
	return bloom_foreign_hash(((const pds_scalable_bloom_view *) view)->parameters.family, hasher,
							  value, hash);
}

PDS_PROBE(is_there, scalable_bloom, PDS_SCALABLE_BLOOM_MAX_PREFIX,
		  pds_scalable_bloom_view_contains, .hash_value = hash_value,
		  .foreign_from = PDS_FAMILY_NATIVE + 1);
PDS_CONTAINS_FUNCTIONS(scalable_bloom, is_there);
