/*
 * minhash_common_accuracy.c: how many values three sets have in common
 *
 *     minhash_common_accuracy FILE [--full]
 *
 * Appends a block to FILE.  It has the root mean square error of the number that all three sets
 * have, and how often its bounds hold.  Beside it is the error of inclusion and exclusion over
 * HyperLogLog sketches of the same sets.  Values are random hashes, other ones in each trial.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

#include "minhash_sketch.h"

#include "hll_estimate.h"
#include "hll_registers.h"

#define LOG2_K		12
#define PRECISION	14
#define SETS		3
#define REGIONS		8

static int	full;
static FILE *out;

/* So many values in each region: bit i of its number says whether they are in set i. */
typedef struct scenario
{
	const char *name;
	int			values[REGIONS];
} scenario;

static const scenario scenarios[] = {
	{"half in all", {0, 10000, 10000, 10000, 10000, 10000, 10000, 60000}},
	{"a tenth in all", {0, 20000, 20000, 16000, 20000, 16000, 16000, 12000}},
	{"3 % in all", {0, 30000, 30000, 8800, 30000, 8800, 8800, 3600}},
	{"1 % in all", {0, 34000, 34000, 5600, 34000, 5600, 5600, 1200}},
	{"0.3 % in all", {0, 36000, 36000, 3880, 36000, 3880, 3880, 360}},
	{"nothing in all", {0, 40000, 40000, 0, 40000, 0, 0, 0}},
	{"two alike, one apart", {0, 0, 0, 60000, 60000, 0, 0, 0}},
	{"two by two", {0, 0, 0, 40000, 0, 40000, 40000, 0}},
	{"funnel: a third, a sixth of these", {0, 80000, 0, 33000, 0, 0, 0, 7000}},
	{"a small one in two large ones", {0, 59500, 59500, 0, 500, 0, 0, 500}},
	{"the same three times", {0, 0, 0, 0, 0, 0, 0, 100000}},
	{"sets of twice k values", {0, 2000, 2000, 2000, 2000, 2000, 2000, 2000}},
};

static uint8_t hll[SETS][1 << PRECISION];

static double
cardinality_of(int sets)
{
	static uint8_t merged[1 << PRECISION];
	pds_hll_summary s;

	memset(merged, 0, sizeof(merged));
	for (int i = 0; i < SETS; i++)
		for (int r = 0; sets >> i & 1 && r < 1 << PRECISION; r++)
			merged[r] = hll[i][r] > merged[r] ? hll[i][r] : merged[r];
	memset(&s, 0, sizeof(s));
	s.precision = PRECISION;
	s.dense = true;
	pds_hll_registers_histogram(merged, PRECISION, s.histogram);
	return pds_hll_cardinality(&s);
}

static double
inclusion_exclusion(void)
{
	double		sum = 0;

	for (int sets = 1; sets < REGIONS; sets++)
	{
		bool		odd = (sets ^ sets >> 1 ^ sets >> 2) & 1;

		sum += odd ? cardinality_of(sets) : -cardinality_of(sets);
	}
	return sum;
}

static void
draw(const scenario *sc, payload *stored)
{
	sketch		s[SETS];

	memset(hll, 0, sizeof(hll));
	for (int i = 0; i < SETS; i++)
		s[i] = sketch_new(LOG2_K);
	for (int sets = 1; sets < REGIONS; sets++)
	{
		for (int n = 0; n < sc->values[sets]; n++)
		{
			pds_hash	h;
			uint32_t	at;
			uint8_t		rank;

			h.h1 = test_random();
			h.h2 = test_random();
			at = (uint32_t) (h.h1 & ((1 << PRECISION) - 1));
			rank = (uint8_t) (1 + pds_ctz64(h.h1 >> PRECISION | UINT64_C(1) << (64 - PRECISION)));
			for (int i = 0; i < SETS; i++)
			{
				if (!(sets >> i & 1))
					continue;
				sketch_add(&s[i], h);
				hll[i][at] = hll[i][at] > rank ? hll[i][at] : rank;
			}
		}
	}
	for (int i = 0; i < SETS; i++)
	{
		stored[i] = sketch_encode(&s[i]);
		sketch_free(&s[i]);
	}
}

static void
measure(const scenario *sc, long trials)
{
	double		truth = sc->values[REGIONS - 1];
	double		squares = 0;
	double		sum = 0;
	double		width = 0;
	double		of_hll = 0;
	double		rmse;
	long		held = 0;

	for (long t = 0; t < trials; t++)
	{
		payload		stored[SETS];
		pds_minhash_view v[SETS];
		pds_minhash_common c;
		void	   *scratch;
		const char *why;
		double		lower;
		double		estimate;
		double		upper;

		draw(sc, stored);
		for (int i = 0; i < SETS; i++)
			if (pds_minhash_open(&v[i], stored[i].bytes, stored[i].len, stored[i].len, &why) !=
				PDS_OK)
				sketch_die("a sketch that cannot be opened");
		scratch = sketch_memory(pds_minhash_common_scratch(v, SETS));
		if (pds_minhash_common_of(&c, v, SETS, scratch) != PDS_OK)
			sketch_die("sketches that cannot be compared");
		free(scratch);
		pds_minhash_common_bounds(&c, 0.95, &lower, &estimate, &upper);
		must(lower <= estimate && estimate <= upper && lower == floor(lower) &&
			 upper == floor(upper), "common: %s: %f, %f, %f", sc->name, lower, estimate, upper);
		held += lower <= truth && truth <= upper;
		width += upper - lower;
		sum += estimate - truth;
		squares += (estimate - truth) * (estimate - truth);
		of_hll += pow(inclusion_exclusion() - truth, 2);
		for (int i = 0; i < SETS; i++)
			payload_free(&stored[i]);
	}
	rmse = sqrt(squares / (double) trials);
	fprintf(out, "common\t%s\t%.0f\t%ld\t%.1f\t%+.1f\t%.1f\t%.1f\t%.1f\n", sc->name, truth, trials,
			rmse, sum / (double) trials, 100 * (double) held / (double) trials,
			width / (double) trials, sqrt(of_hll / (double) trials));
	must((double) held >= 0.95 * (double) trials - SIGMAS * sqrt(0.0475 * (double) trials) - 1,
		 "common: %s: 95 %% bounds hold in %ld of %ld", sc->name, held, trials);
	/* where nothing is in all, an estimate can be no less: half of what chance makes remains */
	must(fabs(sum / (double) trials) <= SIGMAS * rmse / sqrt((double) trials) +
		 (truth > 0 ? 1 : rmse), "common: %s: bias %+.1f", sc->name, sum / (double) trials);
}

int
main(int argc, char **argv)
{
	if (argc < 2 || (out = fopen(argv[1], "a")) == NULL)
		return 2;
	full = argc > 2 && strcmp(argv[2], "--full") == 0;
	fprintf(out,
			"\n\n# common\nblock\tname\tin_all\ttrials\trmse\tbias\theld95\twidth95\t"
			"hll_rmse\n");
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++)
		measure(&scenarios[i], full ? 1000 : 30);
	fclose(out);
	return finish();
}
