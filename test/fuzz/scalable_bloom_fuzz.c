/*
 * scalable_bloom_fuzz.c: whatever bytes pass pds_scalable_bloom_check() must be a filter in
 * every way
 */
#include <math.h>

#include "scalable_bloom_sketch.h"
#include "driver.h"

#include "scalable_bloom_estimate.h"
#include "scalable_bloom_foreign.h"

/* Larger images than this are not made: a few bytes can tell of a large layer. */
#define LARGEST		((size_t) 1 << 20)

/* All numbers that may be asked of a filter. */
static void
fuzz_estimates(const pds_scalable_bloom_view *v)
{
	pds_scalable_bloom_summary s;

	if (pds_scalable_bloom_summarize(v, &s) != PDS_OK)
		return;
	MUST(isfinite(s.keys) && s.keys >= 0 && isfinite(s.keys_error));
	MUST(s.current_rate >= 0 && s.current_rate <= 1 + 1e-12);
	MUST(s.design_rate >= 0 && s.design_rate < 1 + 1e-12);
}

/* Read in pieces, and all in memory: the same answers. */
static void
fuzz_probes(const payload *in, const pds_scalable_bloom_view *v, bool checked, uint64_t seed)
{
	source		src = {in, NULL};

	for (int i = 0; i < 4; i++)
	{
		pds_hash	h = fuzz_hash(&seed);
		uint64_t	found = 0;
		uint64_t	again = 0;
		pds_status	status = pds_scalable_bloom_view_contains(v, h, fetch_piece, &src, &found);

		MUST(status == PDS_OK || (!checked && status == PDS_CORRUPT));
		MUST(pds_scalable_bloom_view_contains(v, h, in_memory, (void *) v, &again) == status);
		MUST(found == again);
	}
	free(src.piece);
}

/* Add some values, unless that takes a large image. */
static bool
add_some(sketch *s, int n, uint64_t *seed)
{
	for (int i = 0; i < n; i++)
	{
		pds_hash	h = fuzz_hash(seed);
		any_plan	plan;

		if (pds_state_kind(s->b) == PDS_KIND_NONE)
			pds_state_set_kind(s->b, s->b->parameters.family == PDS_BLOOM_BLOCKED ?
							   PDS_KIND_NUMBER : PDS_KIND_STRING);
		for (int moves = 0; ops->add(s->b, h) == PDS_FULL; moves++)
		{
			MUST(moves < 4);
			plan.head.size = s->size;
			ops->plan_growth(s->b, &plan.head);
			if (plan.head.size > LARGEST)
				return false;
			sketch_move(s, &plan);
		}
	}
	return true;
}

static payload
stored_another(const void *view, uint64_t seed)
{
	const pds_scalable_bloom_view *v = view;
	sketch		other = sketch_new(&v->parameters, false);
	payload		stored;

	if (v->kind != PDS_KIND_NONE)
		pds_state_set_kind(other.b, v->kind);
	(void) add_some(&other, (int) (seed >> 40 & 127), &seed);
	stored = sketch_encode(&other);
	sketch_free(&other);
	return stored;
}

/* More values in what came of a union. */
static void
fuzz_united(const void *view, const payload *other, pds_status status, const payload *all)
{
	uint64_t	seed = fuzz_seed(other->bytes, other->len);
	sketch		s;

	MUST(status == PDS_OK);
	s = payload_state(all);
	if (add_some(&s, 50, &seed))
	{
		payload		out = sketch_encode(&s);

		MUST(pds_scalable_bloom_check(out.bytes, out.len, NULL) == PDS_OK);
		payload_free(&out);
	}
	sketch_free(&s);
	(void) view;
}

/* Out to RedisBloom and in again: the same. */
static void
fuzz_redis(const payload *in, const pds_scalable_bloom_view *v)
{
	pds_scalable_bloom_chain c;
	const char *why;
	payload		dump;
	payload		again;
	sketch		s;

	MUST(pds_scalable_bloom_redis_size(v, &dump.len) == PDS_OK);
	if (dump.len > LARGEST)
		return;
	dump.bytes = sketch_memory(dump.len);
	MUST(pds_scalable_bloom_redis_write(v, dump.bytes) == PDS_OK);
	if (pds_scalable_bloom_redis_open(&c, dump.bytes, dump.len, &why) == PDS_OK)
	{
		s.size = pds_scalable_bloom_import_size(&c);
		s.b = sketch_memory(s.size);
		pds_scalable_bloom_import(s.b, &c, v->kind);
		again = sketch_encode(&s);
		MUST(pds_scalable_bloom_check(again.bytes, again.len, NULL) == PDS_OK);
		payload_free(&again);
		sketch_free(&s);
	}
	payload_free(&dump);
	(void) in;
}

static void
fuzz_good(const payload *in, const void *view, uint64_t seed)
{
	const pds_scalable_bloom_view *v = view;

	fuzz_estimates(v);
	fuzz_probes(in, v, true, seed);
	if (v->parameters.family == PDS_BLOOM_REDIS)
		fuzz_redis(in, v);
}

/* A damaged table's filter: each reader must stay within bounds, and end. */
static void
fuzz_unchecked(const payload *in, const void *view, uint64_t seed)
{
	fuzz_estimates(view);
	fuzz_probes(in, view, false, seed);
}

FUZZ_TARGET(.ops = &pds_scalable_bloom_ops, .added = PDS_KIND_STRING,
			.prefix = PDS_SCALABLE_BLOOM_MAX_PREFIX, .another = stored_another, .sets = true,
			.united = fuzz_united, .good = fuzz_good, .unchecked = fuzz_unchecked)
