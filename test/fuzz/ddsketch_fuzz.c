/*
 * ddsketch_fuzz.c: whatever bytes pass pds_ddsketch_check() must be a sketch in every way
 */
#include "driver.h"
#include "ddsketch_sketch.h"

static double
random_number(uint64_t *seed)
{
	uint64_t	bits = fuzz_next(seed);
	double		v;

	switch (bits % 4)
	{
		case 0:
			return (double) (fuzz_next(seed) % 100) - 20;
		case 1:
			memcpy(&v, &bits, sizeof(v));
			return v;
		default:
			return (double) (fuzz_next(seed) % 100000) / 17;
	}
}

/* A sketch of the same kind, of the same parameters or other ones. */
static payload
another(const void *view, uint64_t seed)
{
	static const uint64_t numbers[] = {0, 1, 5, 16, 17, 130, 1000};
	const pds_ddsketch_view *v = view;
	bool		same = fuzz_next(&seed) % 2 == 0;
	stored_state s = sketch_new(same ? v->asked : (int) (fuzz_next(&seed) % 31) - 10,
								same ? v->max_buckets : 16 + (uint32_t) (fuzz_next(&seed) % 500));
	uint64_t	n = numbers[fuzz_next(&seed) % 7];
	payload		p;

	for (uint64_t i = 0; i < n; i++)
		sketch_add(&s, random_number(&seed));
	if (n > 0 && v->kind != PDS_KIND_NONE)
		pds_state_set_kind(s.image, v->kind);
	p = sketch_encode(&s);
	sketch_free(&s);
	return p;
}

/* The counts of both together, whatever the scale. */
static void
united(const void *view, const payload *other, pds_status status, const payload *all)
{
	const pds_ddsketch_view *v = view;
	pds_ddsketch_view w = payload_view(other);
	pds_ddsketch_view u;

	if (status == PDS_OVERFLOW)
	{
		MUST(w.total > PDS_DDSKETCH_MAX_COUNT - v->total);
		return;
	}
	MUST(status == PDS_OK);
	u = payload_view(all);
	MUST(u.total == v->total + w.total && u.scale <= v->scale && u.scale <= w.scale);
	MUST(u.apart.zeros == v->apart.zeros + w.apart.zeros);
}

/* All that can be asked has an answer, within the bounds. */
static void
fuzz_answers(const payload *in, const pds_ddsketch_view *v)
{
	double		before = 0;
	double		count;

	(void) in;
	for (int i = 0; v->total > 0 && i <= 10; i++)
	{
		pds_ddsketch_range r;

		MUST(pds_ddsketch_quantile(v, i / 10.0, &r) == PDS_OK);
		MUST(isnan(r.estimate) || (r.lower <= r.estimate && r.estimate <= r.upper));
		MUST(i == 0 || isnan(r.estimate) || r.estimate >= before);
		before = r.estimate;
		MUST(pds_ddsketch_up_to(v, r.estimate, &count) == PDS_OK);
		MUST(count >= 0 && count <= (double) v->total * (1 + 1e-9));
		MUST(pds_ddsketch_sum(v, 1, &count) == PDS_OK);
	}
}

/* More numbers, or a lower scale. */
static void
fuzz_more(const payload *in, const pds_ddsketch_view *v, uint64_t seed)
{
	stored_state s = sketch_load(in);
	uint64_t	n = fuzz_next(&seed) % 200;
	stored_space plan;
	payload		out;

	for (uint64_t i = 0; i < n; i++)
		if (sketch_try_add(&s, random_number(&seed), 1 + fuzz_next(&seed) % 3) != PDS_OK)
			break;
	if (seed % 2 == 0)
	{
		pds_ddsketch_plan_fold(s.image, v->asked - (int) (fuzz_next(&seed) %
														  (uint64_t) (v->asked + 11)),
							   16, (pds_ddsketch_plan *) &plan);
		MUST(stored_move(&s, &plan.plan) == PDS_OK);
	}
	out = sketch_encode(&s);
	MUST(pds_ddsketch_check(out.bytes, out.len, NULL) == PDS_OK);
	payload_free(&out);
	sketch_free(&s);
}

static bool
too_large(const void *view)
{
	const pds_ddsketch_view *v = view;

	return v->negatives + v->positives > 50000;
}

static void
fuzz_good(const payload *in, const void *view, uint64_t seed)
{
	if (seed % 4 == 1)
		fuzz_more(in, view, seed / 4);
	if (seed % 4 == 2)
		fuzz_answers(in, view);
}

/* A damaged table's sketch: each reader must stay within bounds, and end. */
static void
fuzz_unchecked(const payload *in, const void *view, uint64_t seed)
{
	const pds_ddsketch_view *v = view;
	pds_ddsketch_range r;
	double		answer;

	(void) in;
	(void) seed;
	if (v->total == 0)
		return;
	(void) pds_ddsketch_quantile(v, 0.3, &r);
	(void) pds_ddsketch_quantile(v, 0.99, &r);
	(void) pds_ddsketch_up_to(v, 10, &answer);
	(void) pds_ddsketch_sum(v, 1, &answer);
}

FUZZ_TARGET(.ops = &pds_ddsketch_ops, .added = PDS_KIND_NUMBER, .prefix = PDS_DDSKETCH_MAX_PREFIX,
			.too_large = too_large, .another = another, .united = united, .good = fuzz_good,
			.unchecked = fuzz_unchecked)
