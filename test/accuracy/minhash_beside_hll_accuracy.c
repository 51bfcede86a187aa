/*
 * minhash_beside_hll_accuracy.c: Jaccard indexes of MinHash and of HyperLogLog, at equal bytes
 *
 *     minhash_beside_hll_accuracy FILE [--full]
 *
 * Appends a block to FILE: the root mean square errors of MinHash and HyperLogLog for pairs of
 * large sets.  MinHash has the largest k whose stored bytes are no more than those of
 * HyperLogLog at some precision.  This k is not a power of 2, which a sketch cannot have.  So
 * the registers are those of k bins of a larger sketch, a random sample of them.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

#include "minhash_sketch.h"

#include "hll.h"
#include "hll_estimate.h"
#include "hll_registers.h"

static int	full;
static FILE *out;

#define MOST_REGISTERS	(1 << 12)

static uint8_t hll_1[MOST_REGISTERS];
static uint8_t hll_2[MOST_REGISTERS];
static uint16_t min_1[2 * MOST_REGISTERS];
static uint16_t min_2[2 * MOST_REGISTERS];

static void
hll_raise(uint8_t *registers, int p, uint64_t h)
{
	uint64_t	rest = h >> p;
	uint8_t		rank = (uint8_t) (rest == 0 ? 65 - p : pds_ctz64(rest) + 1);
	uint8_t    *at = registers + (h & ((UINT64_C(1) << p) - 1));

	if (rank > *at)
		*at = rank;
}

static void
min_raise(uint16_t *registers, int log2_k, pds_hash h)
{
	uint64_t	token = pds_minhash_token(h, log2_k);
	uint16_t   *at = registers + pds_minhash_token_bin(token);

	if (pds_minhash_token_register(token) > *at)
		*at = pds_minhash_token_register(token);
}

/* in: 1, 2 or 3 for both */
static void
draw(uint64_t n, int in, int p)
{
	for (uint64_t i = 0; i < n; i++)
	{
		pds_hash	h;

		h.h1 = test_random();
		h.h2 = test_random();
		if (in & 1)
		{
			hll_raise(hll_1, p, h.h1);
			min_raise(min_1, p + 1, h);
		}
		if (in & 2)
		{
			hll_raise(hll_2, p, h.h1);
			min_raise(min_2, p + 1, h);
		}
	}
}

/* Bytes that these HyperLogLog registers are stored in. */
static size_t
hll_bytes(const uint8_t *registers, int p)
{
	pds_hll_build *b = sketch_memory(pds_hll_dense_size(p));
	pds_hll_encoding encoding;
	uint8_t    *bytes;
	void	   *scratch;
	size_t		len;

	pds_hll_build_init(b, pds_hll_dense_size(p), p, PDS_FAMILY_NATIVE, true);
	pds_state_set_kind(b, PDS_KIND_NUMBER);
	memcpy(pds_hll_build_registers(b), registers, (size_t) 1 << p);
	pds_hll_measure(b, &encoding);
	bytes = sketch_memory(encoding.bytes);
	scratch = sketch_memory(encoding.scratch);
	len = pds_hll_encode(b, &encoding, scratch, bytes);
	free(scratch);
	free(bytes);
	free(b);
	return len;
}

/* And these MinHash registers, of 2^log2_k. */
static size_t
min_bytes(const uint16_t *registers, int log2_k)
{
	pds_minhash_build *b = sketch_memory(pds_minhash_dense_size(log2_k));
	sketch		s = {b, pds_minhash_dense_size(log2_k)};
	payload		p;

	pds_minhash_build_init(b, log2_k);
	b->dense = 1;
	b->log2_slots = 0;
	pds_state_set_kind(b, PDS_KIND_NUMBER);
	memcpy(pds_minhash_registers(b), registers, sizeof(uint16_t) << log2_k);
	p = sketch_encode(&s);
	payload_free(&p);
	free(b);
	return p.len;
}

static void
measure(int p, double jaccard, uint64_t all, long trials)
{
	uint64_t	both = (uint64_t) round(jaccard * (double) all);
	uint64_t	only = (all - both) / 2;
	double		truth = (double) both / (double) (2 * only + both);
	size_t		bytes = 0;
	uint32_t	k = 0;
	double		hll_squares = 0;
	double		min_squares = 0;
	long		untold = 0;

	for (long t = 0; t < trials; t++)
	{
		static pds_hll_pair pair;
		pds_hll_overlap o;
		pds_minhash_pair of_min;
		double		j;

		memset(hll_1, 0, sizeof(hll_1));
		memset(hll_2, 0, sizeof(hll_2));
		memset(min_1, 0, sizeof(min_1));
		memset(min_2, 0, sizeof(min_2));
		draw(only, 1, p);
		draw(only, 2, p);
		draw(both, 3, p);
		if (t == 0)
		{
			double		whole = (double) min_bytes(min_1, p + 1);

			bytes = hll_bytes(hll_1, p);
			k = (uint32_t) ((double) (2 << p) * ((double) bytes - 5) / (whole - 5));
		}
		pds_hll_pair_registers(&pair, PDS_FAMILY_NATIVE, p, hll_1, hll_2);
		pds_hll_pair_estimate(&pair, &o);
		untold += !pds_hll_pair_tells(&pair, &o);
		j = o.both / (o.only_1 + o.only_2 + o.both);
		hll_squares += (j - truth) * (j - truth);
		pds_minhash_pair_registers(&of_min, min_1, min_2, k);
		(void) pds_minhash_jaccard(&of_min, &j);
		min_squares += (j - truth) * (j - truth);
	}
	hll_squares = sqrt(hll_squares / (double) trials);
	min_squares = sqrt(min_squares / (double) trials);
	fprintf(out, "beside-hll\t%d\t%zu\t%u\t%g\t%ld\t%.6f\t%.6f\t%.4f\t%.4f\n", p, bytes, k, jaccard,
			trials, hll_squares,
			min_squares, min_squares / hll_squares, (double) untold / (double) trials);
	must(jaccard > 0.03 || min_squares < hll_squares, "beside hll: precision %d, J %g: %g, hll %g",
		 p, jaccard, min_squares,
		 hll_squares);
}

int
main(int argc, char **argv)
{
	static const double jaccards[] = {0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.2, 0.5};

	if (argc < 2 || (out = fopen(argv[1], "a")) == NULL)
		return 2;
	full = argc > 2 && strcmp(argv[2], "--full") == 0;
	fprintf(out,
			"\n\n# beside "
			"hll\nblock\tprecision\tbytes\tk\tjaccard\ttrials\thll_rmse\trmse\tof_hll\tuntold\n");
	for (int p = 8; p <= 10; p += 2)
		for (int j = 0; j < 9; j++)
			measure(p, jaccards[j], (uint64_t) 40 << p, full ? 1000 : 200);
	fclose(out);
	return finish();
}
