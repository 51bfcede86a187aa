/*
 * scalable_bloom_fuzz.c: whatever bytes pass pds_scalable_bloom_check() must be a filter in
 * every way
 */
#include <math.h>

#include "scalable_bloom_sketch.h"
#include "fuzz.h"
#include "pieces.h"

#include "scalable_bloom_estimate.h"
#include "scalable_bloom_foreign.h"

fuzz_count	fuzz_counts;

/* Larger images than this are not made: a few bytes can tell of a large layer. */
#define LARGEST		((size_t) 1 << 20)

static void
must_be_good(const payload *p)
{
	const char *why = "";

	if (pds_scalable_bloom_check(p->bytes, p->len, &why) != PDS_OK)
		fprintf(stderr, "%s\n", why);
	MUST(pds_scalable_bloom_check(p->bytes, p->len, NULL) == PDS_OK);
}

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
		bool		found = false;
		bool		again = false;
		pds_status	status = pds_scalable_bloom_view_contains(v, h, fetch_piece, &src, &found);

		MUST(status == PDS_OK || (!checked && status == PDS_CORRUPT));
		MUST(pds_scalable_bloom_view_contains(v, h, in_memory, (void *) v, &again) == status);
		MUST(found == again);
	}
	free(src.piece);
}

/* Add some, as long as no large image is asked for. */
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

/* The union with another filter, from either side; and more values in it. */
static void
fuzz_union(const payload *in, const pds_scalable_bloom_view *v, uint64_t seed)
{
	sketch		other = sketch_new(&v->parameters, false);
	sketch		left = sketch_nothing();
	sketch		right = sketch_nothing();
	payload		stored;
	payload		a;
	payload		b;

	if (v->kind != PDS_KIND_NONE)
		pds_state_set_kind(other.b, v->kind);
	(void) add_some(&other, (int) (seed >> 40 & 127), &seed);
	stored = sketch_encode(&other);
	must_be_good(&stored);
	sketch_union_payload(&left, in);
	sketch_union_payload(&left, &stored);
	sketch_union_payload(&right, &stored);
	sketch_union_payload(&right, in);
	a = sketch_encode(&left);
	b = sketch_encode(&right);
	MUST(payload_equal(&a, &b));
	payload_free(&b);
	if (add_some(&left, 50, &seed))
	{
		b = sketch_encode(&left);
		must_be_good(&b);
		payload_free(&b);
	}
	payload_free(&a);
	payload_free(&stored);
	sketch_free(&other);
	sketch_free(&left);
	sketch_free(&right);
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
		must_be_good(&again);
		payload_free(&again);
		sketch_free(&s);
	}
	payload_free(&dump);
	(void) in;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* a piece of memory that ends where the bytes end */
	payload		in = payload_copy(data, size);
	const char *why = NULL;
	pds_status	status = pds_scalable_bloom_check(in.bytes, in.len, &why);
	uint64_t	seed = fuzz_seed(data, size);
	size_t		have = in.len < PDS_SCALABLE_BLOOM_MAX_PREFIX ? in.len : PDS_SCALABLE_BLOOM_MAX_PREFIX;
	payload		head = payload_copy(in.bytes, have);
	pds_scalable_bloom_view v;
	pds_status	opened = pds_scalable_bloom_open(&v, head.bytes, have, in.len, NULL);

	fuzz_counts.all++;
	MUST((status == PDS_OK) == (why == NULL) && (status == PDS_OK || status == PDS_CORRUPT));
	/* the head alone is as good, or as bad */
	MUST(pds_scalable_bloom_open(&v, in.bytes, in.len, in.len, NULL) == opened);
	if (status == PDS_OK)
	{
		sketch		same = payload_state(&in);
		payload		again = sketch_encode(&same);

		MUST(opened == PDS_OK);
		fuzz_counts.accepted[v.encoding]++;
		MUST(payload_equal(&in, &again));
		fuzz_estimates(&v);
		fuzz_probes(&in, &v, true, seed);
		if (seed % 2 == 0)
			fuzz_union(&in, &v, seed / 2);
		if (v.parameters.family == PDS_BLOOM_REDIS)
			fuzz_redis(&in, &v);
		payload_free(&again);
		sketch_free(&same);
	}
	else
	{
		fuzz_counts.refused++;
		if (opened == PDS_OK)
		{
			sketch		s = sketch_nothing();
			pds_operand operand = {NULL, &v};

			/* a damaged table's: each reader must stay within bounds, and end */
			fuzz_counts.opened++;
			fuzz_estimates(&v);
			fuzz_probes(&in, &v, false, seed);
			(void) sketch_try_union(&s, &operand);
			sketch_free(&s);
		}
	}
	payload_free(&head);
	payload_free(&in);
	return 0;
}
