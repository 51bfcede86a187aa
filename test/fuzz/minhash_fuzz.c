/*
 * minhash_fuzz.c: whatever bytes pass pds_minhash_check() must be a sketch in every way
 */
#include "driver.h"
#include "minhash_sketch.h"
#include "minhash.h"

/* A sketch of the same kind, of the same k or another one. */
static sketch
another(const pds_minhash_view *v, uint64_t seed)
{
	static const int powers[] = {4, 5, 7, 9};
	static const uint64_t numbers[] = {0, 1, 5, 16, 17, 130, 1000};
	sketch		s = sketch_new(fuzz_next(&seed) % 2 ? v->log2_k : powers[fuzz_next(&seed) % 4]);
	uint64_t	n = numbers[fuzz_next(&seed) % 7];

	for (uint64_t i = 0; i < n; i++)
		sketch_add(&s, pds_murmur3_u64(fuzz_next(&seed) % (2 * n + 1)));
	if (n > 0)
		pds_state_set_kind(s.b, v->kind == PDS_KIND_NONE ? PDS_KIND_NUMBER : v->kind);
	return s;
}

/* A damaged table's sketch: each reader must stay within bounds, and end. */
static void
fuzz_unchecked(const payload *in, const void *view, uint64_t seed)
{
	const pds_minhash_view *v = view;
	uint64_t   *tokens = sketch_memory(v->tokens * sizeof(uint64_t));
	uint16_t   *registers = sketch_memory(sizeof(uint16_t) << v->log2_k);
	void	   *scratch;
	sketch		s = another(v, seed);
	payload		stored = sketch_encode(&s);
	pds_minhash_view w = payload_view(&stored);
	pds_minhash_view all[3] = {w, *v, w};
	pds_minhash_pair pair;
	pds_minhash_common common;
	pds_minhash_summary summary;
	void	   *many;
	payload		out;

	if (v->encoding == PDS_MINHASH_SPARSE)
		(void) pds_minhash_read_tokens(v, tokens);
	(void) pds_minhash_read_registers(v, v->log2_k, registers);
	(void) pds_minhash_summarize(&summary, v, registers);
	scratch = sketch_memory(pds_minhash_pair_scratch(v, &w));
	(void) pds_minhash_pair_of(&pair, v, &w, scratch);
	many = sketch_memory(pds_minhash_common_scratch(all, 3));
	(void) pds_minhash_common_of(&common, all, 3, many);
	free(many);
	(void) sketch_merge_payload(&s, in);
	(void) sketch_merge_payload(&s, in);
	out = sketch_write(&s);
	payload_free(&out);
	payload_free(&stored);
	sketch_free(&s);
	free(scratch);
	free(registers);
	free(tokens);
}

/* All that can be asked of it has an answer that can be. */
static void
fuzz_answers(const payload *in, const pds_minhash_view *v, uint64_t seed)
{
	pds_minhash_summary s = payload_summary(in);
	sketch		other = another(v, seed);
	payload		stored = sketch_encode(&other);
	pds_minhash_pair pair = payload_pair(in, &stored);
	pds_minhash_pair same = payload_pair(in, in);
	uint64_t	bands[16];
	double		lower;
	double		estimate;
	double		upper;
	double		x;

	pds_minhash_cardinality_bounds(&s, 0.95, &lower, &estimate, &upper);
	MUST(lower >= 0 && lower <= estimate && estimate <= upper);
	MUST(s.dense ? estimate > 1 << v->log2_k : estimate == v->tokens);
	MUST(pds_minhash_fill(&s) >= 0 && pds_minhash_fill(&s) <= 1);
	MUST(!(pds_minhash_cardinality_error(&s) < 0));
	if (pds_minhash_jaccard_bounds(&pair, 0.95, &lower, &estimate, &upper))
		MUST(lower >= 0 && lower <= estimate && estimate <= upper && upper <= 1);
	if (pds_minhash_containment(&pair, &x))
		MUST(x >= 0 && x <= 1);
	if (v->encoding == PDS_MINHASH_EMPTY)
	{
		MUST(!pds_minhash_jaccard(&same, &x));
		MUST(payload_bands(in, 4, 4, bands) == 0);
	}
	else
	{
		MUST(pds_minhash_jaccard(&same, &x) && x == 1);
		MUST(payload_bands(in, 4, 4, bands) == 4);
	}
	payload_free(&stored);
	sketch_free(&other);
}

/* More values, or a smaller k. */
static void
fuzz_more(const payload *in, const pds_minhash_view *v, uint64_t seed)
{
	sketch		s = sketch_load(in);
	uint64_t	n = fuzz_next(&seed) % 200;
	payload		out;

	for (uint64_t i = 0; i < n; i++)
		sketch_add(&s, pds_murmur3_u64(fuzz_next(&seed)));
	if (n > 0)
		pds_state_set_kind(s.b, v->kind == PDS_KIND_NONE ? PDS_KIND_NUMBER : v->kind);
	if (seed % 2 == 0)
	{
		sketch		folded = sketch_new(4 + (int) (fuzz_next(&seed) % (uint64_t) (v->log2_k - 3)));

		MUST(sketch_merge(&folded, &s) == PDS_OK);
		sketch_free(&s);
		s = folded;
	}
	out = sketch_encode(&s);
	MUST(pds_minhash_check(out.bytes, out.len, NULL) == PDS_OK);
	payload_free(&out);
	sketch_free(&s);
}

static payload
stored_another(const void *view, uint64_t seed)
{
	sketch		other = another(view, seed);
	payload		stored = sketch_encode(&other);

	sketch_free(&other);
	return stored;
}

static void
fuzz_good(const payload *in, const void *view, uint64_t seed)
{
	if (seed % 4 == 1)
		fuzz_more(in, view, seed / 4);
	if (seed % 4 == 2)
		fuzz_answers(in, view, seed / 4);
}

FUZZ_TARGET(.ops = &pds_minhash_ops, .added = PDS_KIND_NUMBER, .prefix = PDS_MINHASH_MAX_PREFIX,
			.another = stored_another, .sets = true, .good = fuzz_good,
			.unchecked = fuzz_unchecked)
