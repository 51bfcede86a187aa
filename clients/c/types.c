/*
 * types.c: what differs from type to type: parameters, adding, facts
 *
 * What the files of src/types describe in the server.  Parameters, their defaults and the states
 * that are made of them are the same there.
 */
#include <math.h>

#include "bloom_estimate.h"
#include "bloom_size.h"
#include "cms.h"
#include "counting_bloom.h"
#include "cuckoo.h"
#include "ddsketch_answer.h"
#include "decimal.h"
#include "hll_estimate.h"
#include "minhash_estimate.h"
#include "scalable_bloom_estimate.h"
#include "sketch.h"
#include "topk.h"

/* A whole number that is beyond all bounds is refused by the size it leads to. */
static uint64_t
capacity_of(double value)
{
	return value < 9.2e18 ? (uint64_t) value : INT64_MAX;
}

static int
too_large(const sketch_type *type, probds_error *error)
{
	return fail(error, PROBDS_LIMIT, "A %s of these parameters would be larger than a value of "
				"the server can be.", type->name);
}

static int
need_capacity(const sketch_type *type, double capacity, probds_error *error)
{
	return isnan(capacity) ? fail(error, PROBDS_PARAMETER, "A %s needs a capacity: the number of "
								  "distinct values that it is for.", type->name) : PROBDS_OK;
}

/* ---------- hll ---------- */

static const parameter hll_parameters[] = {
	{"precision", INTEGER, PDS_HLL_DEFAULT_PRECISION, PDS_HLL_MIN_PRECISION,
	PDS_HLL_MAX_PRECISION, NULL},
	{NULL, INTEGER, 0, 0, 0, NULL}
};

static int
hll_make(probds_sketch *s, const double *values, probds_error *error)
{
	pds_hll_build *b;

	BEGIN(b, PDS_HLL_FIRST_SIZE);
	pds_hll_build_init(b, PDS_HLL_FIRST_SIZE, (int) values[0], PDS_FAMILY_NATIVE, false);
	return PROBDS_OK;
}

static int
hll_describe(probds_sketch *s, facts *f, probds_error *error)
{
	const pds_hll_view *v = (const pds_hll_view *) &s->view;
	pds_hll_summary sum;

	(void) error;
	pds_hll_summarize(v, &sum);
	write_text(f->parameters, sizeof(f->parameters), "precision=%d", v->precision);
	f->values = pds_hll_cardinality(&sum);
	f->error = pds_hll_relative_error(&sum);
	return PROBDS_OK;
}

static const sketch_type hll = {
	.name = "hll", .ops = &pds_hll_ops, .parameters = hll_parameters, .number = PDS_TYPE_HLL,
	.families = 1, .make = hll_make, .describe = hll_describe
};

/* ---------- bloom ---------- */

static const char *const layouts[] = {"blocked", "classic", "guava", NULL};
static const uint8_t layout_families[] = {PDS_BLOOM_BLOCKED, PDS_BLOOM_CLASSIC, PDS_BLOOM_AS_GUAVA};

static const parameter bloom_parameters[] = {
	{"capacity", COUNT, NAN, 0, 0, NULL},
	{"rate", SHARE, 0.01, 0, 0, NULL},
	{"layout", NAME, 0, 0, 0, layouts},
	{NULL, INTEGER, 0, 0, 0, NULL}
};

static int
bloom_make(probds_sketch *s, const double *values, probds_error *error)
{
	uint16_t	rate = pds_decimal_code(values[1]);
	pds_bloom_shape shape;
	pds_bloom_build *b;
	size_t		size = PDS_BLOOM_FIRST_SIZE;

	if (isnan(values[0]))
	{
		if (rate != pds_decimal_code(PDS_BLOOM_AUTO_RATE) || values[2] != 0)
			return need_capacity(s->type, values[0], error);
		BEGIN(b, size);
		pds_bloom_build_init_automatic(b, size, rate);
		return PROBDS_OK;
	}
	if (pds_bloom_shape_for(capacity_of(values[0]), rate, layout_families[(int) values[2]],
							&shape) != PDS_OK)
		return too_large(s->type, error);
	size = pds_bloom_first_size(&shape);
	BEGIN(b, size);
	pds_bloom_build_init(b, size, &shape);
	return PROBDS_OK;
}

static bool
bloom_collects(const void *state)
{
	return ((const pds_bloom_build *) state)->automatic != 0;
}

static pds_status
bloom_count(const void *view, pds_hash hash, uint64_t *lower, uint64_t *count, uint64_t *upper)
{
	pds_status	status = pds_bloom_view_contains(view, hash, pds_in_memory, (void *) view, count);

	*lower = 0;
	*upper = *count;
	return status;
}

/* A filter that gets values and lookups in turn becomes an array of bits. */
static bool
bloom_count_state(probds_sketch *s, pds_hash hash, uint64_t *count, uint64_t *upper)
{
	pds_bloom_build *b = s->state;
	pds_bloom_plan plan;

	if (b->automatic)
		return false;
	if (b->mode != PDS_BLOOM_BITS)
	{
		if (b->count < b->shape.bits / 8192)
			return false;
		plan.mode = PDS_BLOOM_BITS;
		plan.shape = b->shape;
		plan.size = pds_bloom_bits_size(b->shape.bits);
		if (move_state(s, (pds_plan *) &plan) != PDS_OK)
			return false;
		b = s->state;
	}
	pds_bloom_flush(b);
	*count = *upper = pds_bloom_array_contains(pds_bloom_build_array(b), &b->shape, hash);
	return true;
}

static void
put_filter(facts *f, uint64_t capacity, uint16_t rate, const char *more)
{
	write_text(f->parameters, sizeof(f->parameters), "capacity=%llu,rate=%g%s",
			   (unsigned long long) capacity, rate != 0 ? pds_decimal_value(rate) : 0, more);
	f->capacity = (double) capacity;
}

static const char *
layout_of(uint8_t family)
{
	return family == PDS_BLOOM_BLOCKED ? "" : pds_bloom_is_split_block(family) ?
		", split block" : ",layout=classic";
}

static void
put_bloom(facts *f, const pds_bloom_summary *sum)
{
	put_filter(f, sum->shape.capacity, sum->shape.rate, layout_of(sum->shape.family));
	f->values = pds_bloom_cardinality(sum);
	f->fill = (double) sum->set / (double) sum->shape.bits;
	f->rate = pds_bloom_current_rate(sum);
	f->status = pds_bloom_status_of(sum);
}

static int
bloom_describe(probds_sketch *s, facts *f, probds_error *error)
{
	pds_bloom_summary sum;

	if (pds_bloom_summarize((const pds_bloom_view *) &s->view, &sum) != PDS_OK)
		return refuse(s, PDS_CORRUPT, error);
	put_bloom(f, &sum);
	return PROBDS_OK;
}

static const sketch_type bloom = {
	.name = "bloom", .ops = &pds_bloom_ops, .parameters = bloom_parameters,
	.number = PDS_TYPE_BLOOM, .families = PDS_BLOOM_GUAVA32 + 1, .make = bloom_make,
	.collects = bloom_collects, .count = bloom_count, .count_state = bloom_count_state,
	.describe = bloom_describe
};

/* ---------- cms ---------- */

static const char *const no_yes[] = {"0", "1", NULL};

static const parameter cms_parameters[] = {
	{"epsilon", SHARE, PDS_CMS_DEFAULT_EPSILON, 0, 0, NULL},
	{"delta", SHARE, PDS_CMS_DEFAULT_DELTA, 0, 0, NULL},
	{"conservative", NAME, 0, 0, 0, no_yes},
	{NULL, INTEGER, 0, 0, 0, NULL}
};

static int
cms_make(probds_sketch *s, const double *values, probds_error *error)
{
	pds_cms_shape shape;
	pds_cms_build *b;

	if (pds_cms_shape_for(pds_decimal_code(values[0]), pds_decimal_code(values[1]),
						  values[2] != 0, &shape) != PDS_OK)
		return too_large(s->type, error);
	BEGIN(b, PDS_CMS_FIRST_SIZE);
	pds_cms_build_init(b, &shape);
	return PROBDS_OK;
}

static pds_status
cms_add(probds_sketch *s, probds_value value, pds_hash hash, int64_t weight)
{
	(void) value;
	return pds_cms_add(s->state, hash, weight);
}

static pds_status
cms_count(const void *view, pds_hash hash, uint64_t *lower, uint64_t *count, uint64_t *upper)
{
	const pds_cms_view *v = view;
	pds_status	status = pds_cms_frequency(v, hash, pds_in_memory, (void *) view, count);

	if (status != PDS_OK)
		return status;
	*lower = pds_cms_lower_bound(&v->shape, v->total, *count);
	*upper = *count;
	return status;
}

static int
cms_describe(probds_sketch *s, facts *f, probds_error *error)
{
	const pds_cms_view *v = (const pds_cms_view *) &s->view;

	(void) error;
	write_text(f->parameters, sizeof(f->parameters), "epsilon=%g,delta=%g%s",
			   pds_decimal_value(v->shape.epsilon), pds_decimal_value(v->shape.delta),
			   v->shape.conservative ? ",conservative=1" : "");
	f->total = (double) v->total;
	f->fill = (double) pds_cms_count_nonzero(v) / pds_cms_counters(&v->shape);
	if (v->total > 0)
		f->error = (double) pds_cms_error(&v->shape, v->total) / (double) v->total;
	return PROBDS_OK;
}

static const sketch_type cms = {
	.name = "cms", .ops = &pds_cms_ops, .parameters = cms_parameters, .number = PDS_TYPE_CMS,
	.weighted = true, .families = 1, .make = cms_make, .add = cms_add, .count = cms_count,
	.counts = true, .describe = cms_describe
};

/* ---------- topk ---------- */

static const parameter topk_parameters[] = {
	{"k", INTEGER, PDS_TOPK_DEFAULT_K, 1, PDS_TOPK_MAX_K, NULL},
	{"counters", INTEGER, 0, 1, PDS_TOPK_MAX_COUNTERS, NULL},
	{NULL, INTEGER, 0, 0, 0, NULL}
};

static int
topk_make(probds_sketch *s, const double *values, probds_error *error)
{
	uint32_t	k = (uint32_t) values[0];
	uint32_t	counters = values[1] == 0 ? pds_topk_usual_counters(k) : (uint32_t) values[1];
	pds_topk_build *b;

	if (!pds_topk_counters_valid(k, counters))
		return fail(error, PROBDS_PARAMETER, "The counters of a topk must be at least k, which "
					"is %u.", k);
	BEGIN(b, PDS_TOPK_FIRST_SIZE);
	pds_topk_build_init(b, k, counters);
	return PROBDS_OK;
}

static pds_status
topk_add(probds_sketch *s, probds_value value, pds_hash hash, int64_t weight)
{
	char		memory[2 + 2 * PDS_TOPK_MAX_ITEM_TEXT];
	char		cut[PDS_TOPK_MAX_ITEM_TEXT];
	const char *text;
	size_t		length;

	if (weight > 0 && pds_topk_count(s->state, hash.h1, (uint64_t) weight))
		return PDS_OK;
	text = value_text(&value, memory, sizeof(memory), &length);
	if (text == NULL)
		return PDS_CORRUPT;
	if (length > PDS_TOPK_MAX_TEXT)
	{
		length = pds_topk_cut_text(text, cut);
		text = cut;
	}
	for (;;)
	{
		pds_status	status = pds_topk_add(s->state, hash.h1, (uint64_t) weight, text,
										  (uint32_t) length);
		pds_topk_plan plan;

		if (status != PDS_FULL)
			return status;
		if (!pds_topk_plan_space(s->state, 1, length, false, &plan))
			return PDS_TOO_LARGE;
		status = move_state(s, (pds_plan *) &plan);
		if (status != PDS_OK)
			return status;
	}
}

static pds_status
topk_count(const void *view, pds_hash hash, uint64_t *lower, uint64_t *count, uint64_t *upper)
{
	const pds_topk_view *v = view;
	pds_topk_item item;
	bool		found;
	pds_status	status = pds_topk_lookup(v, hash.h1, &found, &item);

	if (status != PDS_OK)
		return status;
	*count = found ? item.upper : 0;
	*upper = found ? item.upper : v->offset;
	*lower = found ? item.upper - item.error : 0;
	return status;
}

static int
topk_describe(probds_sketch *s, facts *f, probds_error *error)
{
	const pds_topk_view *v = (const pds_topk_view *) &s->view;

	(void) error;
	write_text(f->parameters, sizeof(f->parameters), "k=%u,counters=%u", v->k, v->counters);
	f->total = (double) v->total;
	f->fill = (double) v->items / v->counters;
	if (v->total > 0)
		f->error = (double) v->offset / (double) v->total;
	return PROBDS_OK;
}

static const sketch_type topk = {
	.name = "topk", .ops = &pds_topk_ops, .parameters = topk_parameters, .number = PDS_TYPE_TOPK,
	.weighted = true, .families = 1, .make = topk_make, .add = topk_add, .count = topk_count,
	.counts = true, .describe = topk_describe
};

/* ---------- cuckoo ---------- */

static const parameter cuckoo_parameters[] = {
	{"capacity", COUNT, NAN, 0, 0, NULL},
	{"rate", SHARE, PDS_CUCKOO_DEFAULT_RATE, 0, 0, NULL},
	{NULL, INTEGER, 0, 0, 0, NULL}
};

static int
cuckoo_make(probds_sketch *s, const double *values, probds_error *error)
{
	pds_cuckoo_shape shape;
	pds_cuckoo_build *b;
	int			code = need_capacity(s->type, values[0], error);

	if (code != PROBDS_OK)
		return code;
	if (values[0] > (double) PDS_CUCKOO_MAX_CAPACITY)
		return too_large(s->type, error);
	pds_cuckoo_shape_for((uint64_t) values[0], pds_decimal_code(values[1]), &shape);
	if (!pds_cuckoo_fits(&shape))
		return too_large(s->type, error);
	BEGIN(b, PDS_CUCKOO_FIRST_SIZE);
	pds_cuckoo_build_init(b, &shape);
	return PROBDS_OK;
}

static pds_status
cuckoo_count(const void *view, pds_hash hash, uint64_t *lower, uint64_t *count, uint64_t *upper)
{
	pds_status	status = pds_cuckoo_view_count(view, hash, pds_in_memory, (void *) view, count);

	*lower = 0;
	*upper = status == PDS_OK ? *count : 0;
	return status;
}

static bool
cuckoo_count_state(probds_sketch *s, pds_hash hash, uint64_t *count, uint64_t *upper)
{
	pds_cuckoo_flush(s->state);
	*count = *upper = pds_cuckoo_count(s->state, hash);
	return true;
}

static int
cuckoo_describe(probds_sketch *s, facts *f, probds_error *error)
{
	const pds_cuckoo_view *v = (const pds_cuckoo_view *) &s->view;

	(void) error;
	put_filter(f, v->shape.capacity, v->shape.rate, "");
	f->values = pds_cuckoo_cardinality(&v->shape, v->distinct);
	f->total = (double) v->total;
	f->fill = (double) v->distinct / (double) v->shape.capacity;
	f->rate = pds_cuckoo_rate(&v->shape, v->distinct);
	f->status = v->distinct > v->shape.capacity ? "over capacity" :
		f->values >= 0.9 * f->capacity ? "nearly full" : "ok";
	return PROBDS_OK;
}

static const sketch_type cuckoo = {
	.name = "cuckoo", .ops = &pds_cuckoo_ops, .parameters = cuckoo_parameters,
	.number = PDS_TYPE_CUCKOO, .families = 1, .make = cuckoo_make, .count = cuckoo_count,
	.counts = true, .count_state = cuckoo_count_state, .describe = cuckoo_describe
};

/* ---------- counting_bloom ---------- */

static const char *const counting_layouts[] = {"blocked", "classic", NULL};

static const parameter counting_bloom_parameters[] = {
	{"capacity", COUNT, NAN, 0, 0, NULL},
	{"rate", SHARE, PDS_COUNTING_BLOOM_DEFAULT_RATE, 0, 0, NULL},
	{"layout", NAME, 0, 0, 0, counting_layouts},
	{NULL, INTEGER, 0, 0, 0, NULL}
};

static int
counting_bloom_make(probds_sketch *s, const double *values, probds_error *error)
{
	pds_counting_bloom_build *b;
	pds_bloom_shape shape;
	size_t		size;
	int			code = need_capacity(s->type, values[0], error);

	if (code != PROBDS_OK)
		return code;
	if (pds_counting_bloom_shape_for(capacity_of(values[0]), pds_decimal_code(values[1]),
									 (uint8_t) values[2], &shape) != PDS_OK)
		return too_large(s->type, error);
	size = pds_counting_bloom_first_size(&shape);
	BEGIN(b, size);
	pds_counting_bloom_init(b, size, &shape);
	return PROBDS_OK;
}

static pds_status
counting_bloom_count(const void *view, pds_hash hash, uint64_t *lower, uint64_t *count,
					 uint64_t *upper)
{
	pds_status	status = pds_counting_bloom_view_count(view, hash, pds_in_memory, (void *) view,
													   count);

	*lower = 0;
	*upper = *count == PDS_COUNTING_BLOOM_MAX ? INT64_MAX : *count;
	return status;
}

static bool
counting_bloom_count_state(probds_sketch *s, pds_hash hash, uint64_t *count, uint64_t *upper)
{
	pds_counting_bloom_flush(s->state);
	*count = pds_counting_bloom_build_count(s->state, hash);
	*upper = *count == PDS_COUNTING_BLOOM_MAX ? INT64_MAX : *count;
	return true;
}

static int
counting_bloom_describe(probds_sketch *s, facts *f, probds_error *error)
{
	const pds_counting_bloom_view *v = (const pds_counting_bloom_view *) &s->view;
	size_t		size = (size_t) (v->shape.bits / 8);
	uint8_t    *bits = take(s, size);
	pds_bloom_view view = {
		.payload = bits, .len = size, .encoding = PDS_BLOOM_ARRAY, .shape = v->shape
	};
	pds_bloom_summary sum;
	pds_status	status = PDS_FULL;

	/* what it tells is what the Bloom filter of its counters tells */
	if (bits != NULL)
	{
		memset(bits, 0, size);
		status = pds_counting_bloom_set_bits(v, bits);
		if (status == PDS_OK)
			status = pds_bloom_summarize(&view, &sum);
	}
	give(s, bits);
	if (status != PDS_OK)
		return refuse(s, status, error);
	put_bloom(f, &sum);
	return PROBDS_OK;
}

static const sketch_type counting_bloom = {
	.name = "counting_bloom", .ops = &pds_counting_bloom_ops,
	.parameters = counting_bloom_parameters, .number = PDS_TYPE_COUNTING_BLOOM,
	.families = PDS_COUNTING_BLOOM_FAMILIES, .make = counting_bloom_make,
	.count = counting_bloom_count, .counts = true, .count_state = counting_bloom_count_state,
	.describe = counting_bloom_describe
};

/* ---------- scalable_bloom ---------- */

static const parameter scalable_bloom_parameters[] = {
	{"capacity", COUNT, PDS_SCALABLE_BLOOM_DEFAULT_CAPACITY, 0, 0, NULL},
	{"rate", SHARE, PDS_SCALABLE_BLOOM_DEFAULT_RATE, 0, 0, NULL},
	{"expansion", INTEGER, PDS_SCALABLE_BLOOM_DEFAULT_EXPANSION, 1,
	PDS_SCALABLE_BLOOM_MAX_EXPANSION, NULL},
	{NULL, INTEGER, 0, 0, 0, NULL}
};

static int
scalable_bloom_make(probds_sketch *s, const double *values, probds_error *error)
{
	pds_scalable_bloom_parameters p;
	pds_scalable_bloom_build *b;

	memset(&p, 0, sizeof(p));
	p.family = PDS_BLOOM_BLOCKED;
	p.capacity = capacity_of(values[0]);
	p.rate = pds_decimal_code(values[1]);
	p.expansion = (uint32_t) values[2];
	if (values[1] < PDS_SCALABLE_BLOOM_MIN_RATE)
		return fail(error, PROBDS_PARAMETER, "The rate of a scalable_bloom must be at least %g.",
					PDS_SCALABLE_BLOOM_MIN_RATE);
	if (!pds_scalable_bloom_parameters_valid(&p))
		return too_large(s->type, error);
	BEGIN(b, PDS_SCALABLE_BLOOM_FIRST_SIZE);
	pds_scalable_bloom_build_init(b, &p, p.capacity <= PDS_BLOOM_AUTO_HASHES ||
								  p.capacity <= pds_scalable_bloom_collect_limit(p.rate));
	return PROBDS_OK;
}

static bool
scalable_bloom_collects(const void *state)
{
	return pds_scalable_bloom_collects(state);
}

static pds_status
scalable_bloom_count(const void *view, pds_hash hash, uint64_t *lower, uint64_t *count,
					 uint64_t *upper)
{
	pds_status	status = pds_scalable_bloom_view_contains(view, hash, pds_in_memory,
														  (void *) view, count);

	*lower = 0;
	*upper = *count;
	return status;
}

static int
scalable_bloom_describe(probds_sketch *s, facts *f, probds_error *error)
{
	const pds_scalable_bloom_view *v = (const pds_scalable_bloom_view *) &s->view;
	pds_scalable_bloom_summary sum;
	char		more[40];

	if (pds_scalable_bloom_summarize(v, &sum) != PDS_OK)
		return refuse(s, PDS_CORRUPT, error);
	write_text(more, sizeof(more), ",expansion=%u", v->parameters.expansion);
	put_filter(f, v->parameters.capacity, v->parameters.rate, more);
	f->values = sum.keys;
	f->capacity = -1;
	f->fill = sum.bits > 0 ? (double) sum.set / (double) sum.bits : 0;
	f->rate = sum.current_rate;
	f->status = sum.current_rate > pds_decimal_value(v->parameters.rate) *
		PDS_SCALABLE_BLOOM_TOLERANCE ? "over rate" : "ok";
	return PROBDS_OK;
}

static const sketch_type scalable_bloom = {
	.name = "scalable_bloom", .ops = &pds_scalable_bloom_ops,
	.parameters = scalable_bloom_parameters, .number = PDS_TYPE_SCALABLE_BLOOM, .families = 1,
	.make = scalable_bloom_make, .collects = scalable_bloom_collects, .count = scalable_bloom_count,
	.describe = scalable_bloom_describe
};

/* ---------- minhash ---------- */

static const parameter minhash_parameters[] = {
	{"k", INTEGER, PDS_MINHASH_DEFAULT_K, PDS_MINHASH_MIN_K, PDS_MINHASH_MAX_K, NULL},
	{NULL, INTEGER, 0, 0, 0, NULL}
};

static int
minhash_make(probds_sketch *s, const double *values, probds_error *error)
{
	uint32_t	k = (uint32_t) values[0];
	pds_minhash_build *b;

	if ((k & (k - 1)) != 0)
		return fail(error, PROBDS_PARAMETER, "The k of a minhash must be a power of 2, not %u.",
					k);
	BEGIN(b, PDS_MINHASH_FIRST_SIZE);
	pds_minhash_build_init(b, pds_log2_64(k));
	return PROBDS_OK;
}

int
summarize_minhash(probds_sketch *s, pds_minhash_summary *sum, probds_error *error)
{
	const pds_minhash_view *v = (const pds_minhash_view *) &s->view;
	void	   *scratch = take(s, pds_minhash_summary_scratch(v));
	pds_status	status = scratch == NULL ? PDS_FULL : pds_minhash_summarize(sum, v, scratch);

	give(s, scratch);
	return refuse(s, status, error);
}

static int
minhash_describe(probds_sketch *s, facts *f, probds_error *error)
{
	const pds_minhash_view *v = (const pds_minhash_view *) &s->view;
	pds_minhash_summary sum;
	int			code = summarize_minhash(s, &sum, error);

	if (code != PROBDS_OK)
		return code;
	write_text(f->parameters, sizeof(f->parameters), "k=%d", 1 << v->log2_k);
	f->values = pds_minhash_cardinality(&sum);
	f->fill = pds_minhash_fill(&sum);
	f->error = pds_minhash_cardinality_error(&sum);
	return PROBDS_OK;
}

static const sketch_type minhash = {
	.name = "minhash", .ops = &pds_minhash_ops, .parameters = minhash_parameters,
	.number = PDS_TYPE_MINHASH, .families = 1, .make = minhash_make, .describe = minhash_describe
};

/* ---------- ddsketch ---------- */

static const parameter ddsketch_parameters[] = {
	{"error", SHARE, PDS_DDSKETCH_DEFAULT_ERROR, 0, 0, NULL},
	{"buckets", INTEGER, PDS_DDSKETCH_DEFAULT_BUCKETS, PDS_DDSKETCH_MIN_BUCKETS,
	PDS_DDSKETCH_MAX_BUCKETS, NULL},
	{NULL, INTEGER, 0, 0, 0, NULL}
};

static int
ddsketch_make(probds_sketch *s, const double *values, probds_error *error)
{
	int			scale = pds_ddsketch_scale_for(pds_decimal_value(pds_decimal_code(values[0])));
	pds_ddsketch_build *b;

	if (scale > PDS_DDSKETCH_MAX_SCALE)
		return fail(error, PROBDS_PARAMETER, "The error of a ddsketch must be at least %.3g.",
					pds_ddsketch_error(PDS_DDSKETCH_MAX_SCALE));
	BEGIN(b, PDS_DDSKETCH_FIRST_SIZE);
	pds_ddsketch_build_init(b, scale, (uint32_t) values[1], 0);
	return PROBDS_OK;
}

static pds_status
ddsketch_add(probds_sketch *s, probds_value value, pds_hash hash, int64_t weight)
{
	double		number = value.kind == PROBDS_FLOAT ? value.of.real : (double) value.of.integer;
	pds_status	status;
	pds_ddsketch_plan plan;

	(void) hash;
	while ((status = pds_ddsketch_add(s->state, number, (uint64_t) weight)) == PDS_FULL)
	{
		plan.size = s->size;
		pds_ddsketch_plan_growth(s->state, &plan);
		if (move_state(s, (pds_plan *) &plan) != PDS_OK)
			return PDS_FULL;
	}
	return status;
}

static int
ddsketch_describe(probds_sketch *s, facts *f, probds_error *error)
{
	const pds_ddsketch_view *v = (const pds_ddsketch_view *) &s->view;

	(void) error;
	write_text(f->parameters, sizeof(f->parameters), "error=%.3g,buckets=%u",
			   pds_ddsketch_error(v->asked), v->max_buckets);
	f->total = (double) v->total;
	f->fill = (double) (v->negatives + v->positives) / v->max_buckets;
	if (v->total > 0)
		f->error = pds_ddsketch_error(v->scale);
	if (v->scale < v->asked)
		f->status = "over capacity";
	return PROBDS_OK;
}

static const sketch_type ddsketch = {
	.name = "ddsketch", .ops = &pds_ddsketch_ops, .parameters = ddsketch_parameters,
	.number = PDS_TYPE_DDSKETCH, .weighted = true, .families = 1, .make = ddsketch_make,
	.add = ddsketch_add, .describe = ddsketch_describe
};

const sketch_type *const sketch_types[] = {
	&hll, &bloom, &cms, &topk, &cuckoo, &counting_bloom, &scalable_bloom, &minhash, &ddsketch,
	&fuse_type, NULL
};
