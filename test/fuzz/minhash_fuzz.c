/*
 * minhash_fuzz.c: whatever bytes pass pds_minhash_check() must be a sketch in every way
 */
#include "fuzz.h"
#include "stored.h"
#include "minhash_sketch.h"
#include "minhash_ops.h"

fuzz_count	fuzz_counts;

static uint64_t
next(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed >> 16;
}

/* A sketch of the same kind, of the same k or another one. */
static sketch
another(const pds_minhash_view *v, uint64_t seed)
{
	static const int powers[] = {4, 5, 7, 9};
	static const uint64_t numbers[] = {0, 1, 5, 16, 17, 130, 1000};
	sketch		s = sketch_new(next(&seed) % 2 ? v->log2_k : powers[next(&seed) % 4]);
	uint64_t	n = numbers[next(&seed) % 7];

	for (uint64_t i = 0; i < n; i++)
		sketch_add(&s, pds_murmur3_u64(next(&seed) % (2 * n + 1)));
	if (n > 0)
		pds_state_set_kind(s.b, v->kind == PDS_KIND_NONE ? PDS_KIND_NUMBER : v->kind);
	return s;
}

static void
must_be_good(const payload *p)
{
	const char *why = NULL;

	if (pds_minhash_check(p->bytes, p->len, &why) != PDS_OK)
		fprintf(stderr, "%s\n", why);
	MUST(why == NULL);
}

/* A damaged table's sketch: each reader must stay within bounds, and end. */
static void
fuzz_unchecked(const payload *in, const pds_minhash_view *v, uint64_t seed)
{
	uint64_t   *tokens = sketch_memory(v->tokens * sizeof(uint64_t));
	uint16_t   *registers = sketch_memory(sizeof(uint16_t) << v->log2_k);
	void	   *scratch;
	sketch		s = another(v, seed);
	payload		stored = sketch_encode(&s);
	pds_minhash_view w = payload_view(&stored);
	pds_minhash_pair pair;
	pds_minhash_summary summary;
	payload		out;

	if (v->encoding == PDS_MINHASH_SPARSE)
		(void) pds_minhash_read_tokens(v, tokens);
	(void) pds_minhash_read_registers(v, v->log2_k, registers);
	(void) pds_minhash_summarize(&summary, v, registers);
	scratch = sketch_memory(pds_minhash_pair_scratch(v, &w));
	(void) pds_minhash_pair_of(&pair, v, &w, scratch);
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

/* The union with another sketch, from either side. */
static void
fuzz_union(const payload *in, const pds_minhash_view *v, uint64_t seed)
{
	sketch		other = another(v, seed);
	payload		stored = sketch_encode(&other);
	sketch		left = sketch_load(in);
	sketch		right = sketch_load(&stored);
	sketch		state = sketch_load(in);
	payload		a;
	payload		b;
	payload		c;

	must_be_good(&stored);
	MUST(sketch_merge_payload(&left, &stored) == PDS_OK);
	MUST(sketch_merge_payload(&right, in) == PDS_OK);
	MUST(sketch_merge(&state, &other) == PDS_OK);
	a = sketch_encode(&left);
	b = sketch_encode(&right);
	c = sketch_encode(&state);
	must_be_good(&a);
	MUST(payload_equal(&a, &b) && payload_equal(&a, &c));
	/* once more is nothing new */
	MUST(sketch_merge_payload(&left, in) == PDS_OK);
	payload_free(&b);
	b = sketch_encode(&left);
	MUST(payload_equal(&a, &b));
	payload_free(&a);
	payload_free(&b);
	payload_free(&c);
	payload_free(&stored);
	sketch_free(&left);
	sketch_free(&right);
	sketch_free(&state);
	sketch_free(&other);
}

/* More values, or a smaller k. */
static void
fuzz_more(const payload *in, const pds_minhash_view *v, uint64_t seed)
{
	sketch		s = sketch_load(in);
	uint64_t	n = next(&seed) % 200;
	payload		out;
	pds_minhash_plan plan;

	for (uint64_t i = 0; i < n; i++)
		sketch_add(&s, pds_murmur3_u64(next(&seed)));
	if (n > 0)
		pds_state_set_kind(s.b, v->kind == PDS_KIND_NONE ? PDS_KIND_NUMBER : v->kind);
	if (seed % 2 == 0)
	{
		pds_minhash_plan_fold(s.b, 4 + (int) (next(&seed) % (uint64_t) (v->log2_k - 3)), &plan);
		sketch_move(&s, &plan);
	}
	out = sketch_encode(&s);
	must_be_good(&out);
	payload_free(&out);
	sketch_free(&s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* a piece of memory that ends where the bytes end */
	payload		in = payload_copy(data, size);
	const char *why = NULL;
	pds_status	status = pds_minhash_check(in.bytes, in.len, &why);
	uint64_t	seed = fuzz_seed(data, size);
	pds_minhash_view v;
	pds_status	opened = pds_minhash_open(&v, in.bytes, in.len, in.len, NULL);

	fuzz_counts.all++;
	fuzz_stored(&pds_minhash_ops, &in);
	MUST((status == PDS_OK) == (why == NULL) && (status == PDS_OK || status == PDS_CORRUPT));
	if (status == PDS_OK)
	{
		sketch		same = sketch_load(&in);
		payload		again = sketch_encode(&same);

		MUST(opened == PDS_OK);
		fuzz_counts.accepted[v.encoding]++;
		MUST(payload_equal(&in, &again));
		if (seed % 4 == 0)
			fuzz_union(&in, &v, seed / 4);
		if (seed % 4 == 1)
			fuzz_more(&in, &v, seed / 4);
		if (seed % 4 == 2)
			fuzz_answers(&in, &v, seed / 4);
		payload_free(&again);
		sketch_free(&same);
	}
	else
	{
		fuzz_counts.refused++;
		if (opened == PDS_OK)
		{
			fuzz_counts.opened++;
			fuzz_unchecked(&in, &v, seed);
		}
	}
	payload_free(&in);
	return 0;
}
