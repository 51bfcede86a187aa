/*
 * minhash_accuracy.c: how far off MinHash sketches are, and how large
 *
 *     minhash_accuracy FILE [--full]
 *
 * Writes FILE, blocks of tab-separated lines, and checks each against theory.  They have the
 * root mean square error of Jaccard indexes, containments and sizes, the coverage of bounds,
 * how often similar sets have a band in common, and bytes.  Values are random hashes, other
 * ones in each trial.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

#include "minhash_sketch.h"

static int	full;
static FILE *out;

#define CONFIDENCES	3

static const double confidences[CONFIDENCES] = {0.68, 0.95, 0.99};

static double
at_least(double a, double b)
{
	return a > b ? a : b;
}

/* ---------- trials ---------- */

/* Two sets: so many values only in one, only in the other, in both. */
typedef struct sets
{
	uint64_t	only_1;
	uint64_t	only_2;
	uint64_t	both;
} sets;

static pds_hash
random_hash(void)
{
	pds_hash	h;

	h.h1 = test_random();
	h.h2 = test_random();
	return h;
}

/* As stored sketches. */
static void
draw_sets(const sets *n, int log2_k, payload *first, payload *second)
{
	sketch		a = sketch_new(log2_k);
	sketch		b = sketch_new(log2_k);

	for (uint64_t i = 0; i < n->only_1; i++)
		sketch_add(&a, random_hash());
	for (uint64_t i = 0; i < n->only_2; i++)
		sketch_add(&b, random_hash());
	for (uint64_t i = 0; i < n->both; i++)
	{
		pds_hash	h = random_hash();

		sketch_add(&a, h);
		sketch_add(&b, h);
	}
	*first = sketch_encode(&a);
	*second = sketch_encode(&b);
	sketch_free(&a);
	sketch_free(&b);
}

/*
 * Two sets with a union of so many values, sizes in the ratio of a factor, and this Jaccard
 * index.
 */
static sets
sets_of(double jaccard, uint64_t all, double ratio)
{
	sets		n;

	n.both = (uint64_t) round(jaccard * (double) all);
	/* (only_2 + both) = ratio * (only_1 + both) */
	n.only_1 =
		(uint64_t) round(at_least(0, ((double) all - ratio * (double) n.both) / (1 + ratio)));
	n.only_2 = all - n.both - n.only_1;
	return n;
}

static double
jaccard_of(const sets *n)
{
	return (double) n->both / (double) (n->both + n->only_1 + n->only_2);
}

/* The bins that are not empty, on average. */
static double
expected_filled(double k, double all)
{
	return k * -expm1(all * log1p(-1 / k));
}

/* What a share of that many drawn of so many without replacement is off by. */
static double
theory_of(double share, double drawn, double all)
{
	return sqrt(share * (1 - share) * (1 / drawn - 1 / all));
}

/* Bounds hold as often as they promise, apart from chance. */
static void
check_coverage(const char *what, const long *held, long trials)
{
	for (int c = 0; c < CONFIDENCES; c++)
	{
		double		sigma = sqrt(confidences[c] * (1 - confidences[c]) / (double) trials);

		must((double) held[c] / (double) trials >= confidences[c] - 3 * sigma,
			 "%s: bounds at %g %% held in %.2f %%", what, 100 * confidences[c],
			 100 * (double) held[c] / (double) trials);
	}
}

/* ---------- Jaccard indexes ---------- */

static void
measure_pair(int log2_k, double load, double jaccard, double ratio, long trials)
{
	double		k = 1 << log2_k;
	sets		n = sets_of(jaccard, (uint64_t) (load * k), ratio);
	double		truth = jaccard_of(&n);
	double		all = (double) (n.only_1 + n.only_2 + n.both);
	double		share = (double) n.both / (double) (n.both + n.only_1);
	double		filled = expected_filled(k, all);
	double		theory = theory_of(truth, filled, all);
	double		share_theory = theory_of(share, filled * (double) (n.both + n.only_1) / all,
										 (double) (n.both + n.only_1));
	double		sum = 0;
	double		squares = 0;
	double		share_squares = 0;
	double		widths = 0;
	bool		exact = false;
	long		held[CONFIDENCES] = {0};
	char		what[100];

	for (long t = 0; t < trials; t++)
	{
		payload		a;
		payload		b;
		pds_minhash_pair pair;
		double		j;
		double		c;

		draw_sets(&n, log2_k, &a, &b);
		pair = payload_pair(&a, &b);
		if (!pds_minhash_jaccard(&pair, &j) || !pds_minhash_containment(&pair, &c))
			sketch_die("no answer");
		exact = pair.exact;
		sum += j - truth;
		squares += (j - truth) * (j - truth);
		share_squares += (c - share) * (c - share);
		for (int i = 0; i < CONFIDENCES; i++)
		{
			double		lower;
			double		upper;

			(void) pds_minhash_jaccard_bounds(&pair, confidences[i], &lower, &j, &upper);
			held[i] += lower <= truth && truth <= upper;
			if (i == 1)
				widths += upper - lower;
		}
		payload_free(&a);
		payload_free(&b);
	}
	sum /= (double) trials;
	squares = sqrt(squares / (double) trials);
	share_squares = sqrt(share_squares / (double) trials);
	fprintf(out,
			"jaccard\t%d\t%g\t%g\t%g\t%.4f\t%ld\t%.3g\t%.6f\t%.6f\t%.6f\t%.4f\t%.6f\t%.6f\t%.6f\t"
			"%.4f\t%.4f\t%.4f\n",
			1 << log2_k, load, ratio, jaccard, truth, trials, sum, squares, theory,
			sqrt(truth * (1 - truth) / k),
			theory > 0 ? squares / theory : 0, share_squares, share_theory,
			widths / (double) trials,
			(double) held[0] / (double) trials, (double) held[1] / (double) trials,
			(double) held[2] / (double) trials);
	snprintf(what, sizeof(what), "jaccard: k %d, load %g, ratio %g, J %g", 1 << log2_k, load, ratio,
			 truth);
	check_coverage(what, held, trials);
	must(fabs(sum) <= SIGMAS * theory / sqrt((double) trials) + 2e-4, "%s: off by %g on average",
		 what, sum);
	/* what the trials leave open, and 5 % */
	must(squares / theory <= 1.05 + 3 / sqrt(2.0 * (double) trials) &&
		 (squares / theory >= 0.95 - 3 / sqrt(2.0 * (double) trials) || exact),
		 "%s: %.3f of theory", what,
		 squares / theory);
	/* of so few bins that are the smaller set's, theory is a first order */
	must(filled * (double) (n.both + n.only_1) / all < 50 || share_squares <= 1.1 * share_theory
		 + 0.0005,
		 "%s: containment off by %g, theory %g", what, share_squares, share_theory);
}

static void
measure_pairs(void)
{
	static const double jaccards[] = {0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95};
	static const double loads[] = {1.5, 2, 4, 10};
	long		trials = full ? 10000 : 1000;

	fprintf(out,
			"# jaccard\nblock\tk\tload\tratio\tasked\tjaccard\ttrials\tbias\trmse\ttheory\t"
			"infinite\tof_theory\t"
			"share_rmse\tshare_theory\twidth95\theld68\theld95\theld99\n");
	for (int j = 0; j < 9; j++)
		measure_pair(7, 50, jaccards[j], 1, trials);
	for (int j = 0; j < 9; j += 2)
		for (int l = 0; l < 4; l++)
			measure_pair(7, loads[l], jaccards[j], 1, trials);
	for (int j = 0; j < 9; j += 2)
		measure_pair(4, 50, jaccards[j], 1, trials);
	for (int j = 0; j < 9; j += 4)
		measure_pair(10, 30, jaccards[j], 1, full ? 2000 : 200);
	measure_pair(7, 50, 0.05, 4, trials);
	measure_pair(7, 50, 0.2, 4, trials);
	measure_pair(7, 50, 0.09, 10, trials);
	measure_pair(14, 10, 0.02, 1, full ? 200 : 50);
}

/* Sets of no more than k values, together any number: exact. */
static void
measure_small(void)
{
	long		wrong = 0;
	long		trials = full ? 100000 : 5000;

	for (long t = 0; t < trials; t++)
	{
		sets		n = {test_random() % 64, test_random() % 64, test_random() % 64};
		payload		a;
		payload		b;
		pds_minhash_pair pair;
		double		j;

		n.both++;
		draw_sets(&n, 7, &a, &b);
		pair = payload_pair(&a, &b);
		wrong += !pds_minhash_jaccard(&pair, &j) || j != jaccard_of(&n);
		payload_free(&a);
		payload_free(&b);
	}
	fprintf(out, "\n\n# small\nblock\tk\ttrials\twrong\nsmall\t128\t%ld\t%ld\n", trials, wrong);
	/* some 190 values, and pairs of them that are one token with probability 2^-17.6 / k */
	must((double) wrong <= 3e-3 * (double) trials,
		 "small: %ld of %ld sets of up to k values are not exact", wrong,
		 trials);
}

/* ---------- sizes ---------- */

static void
measure_cardinality(int log2_k, double load, long trials)
{
	double		k = 1 << log2_k;
	uint64_t	n = (uint64_t) ceil(load * k);
	double		x = (double) n / k;
	double		theory = load > 20 ? 1 / sqrt(k - 2) : sqrt((1 / -expm1(-x) - 1 / x) / k);
	errors		e = {0, 0, 0, 0};
	double		said = 0;
	double		bytes = 0;
	long		held[CONFIDENCES] = {0};
	char		what[100];

	for (long t = 0; t < trials; t++)
	{
		sketch		s = sketch_new(log2_k);
		payload		p;
		pds_minhash_summary summary;

		for (uint64_t i = 0; i < n; i++)
			sketch_add(&s, random_hash());
		p = sketch_encode(&s);
		bytes += (double) p.len;
		summary = payload_summary(&p);
		errors_add(&e, pds_minhash_cardinality(&summary), (double) n);
		said += pds_minhash_cardinality_error(&summary);
		for (int i = 0; i < CONFIDENCES; i++)
		{
			double		lower;
			double		estimate;
			double		upper;

			pds_minhash_cardinality_bounds(&summary, confidences[i], &lower, &estimate, &upper);
			held[i] += lower <= (double) n && (double) n <= upper;
		}
		payload_free(&p);
		sketch_free(&s);
	}
	fprintf(out, "cardinality\t%d\t%llu\t%ld\t%.5f\t%.5f\t%.5f\t%.5f\t%.4f\t%.4f\t%.4f\t%.1f\n",
			1 << log2_k,
			(unsigned long long) n, trials, bias_of(&e), rmse_of(&e), theory,
			said / (double) trials,
			(double) held[0] / (double) trials, (double) held[1] / (double) trials,
			(double) held[2] / (double) trials, bytes / (double) trials);
	snprintf(what, sizeof(what), "cardinality: k %d, %llu values", 1 << log2_k,
			 (unsigned long long) n);
	check_coverage(what, held, trials);
	must(rmse_of(&e) <= theory * (1.05 + 3 / sqrt(2.0 * (double) trials) + 3 / k),
		 "%s: off by %g, theory %g", what,
		 rmse_of(&e), theory);
	must(fabs(bias_of(&e)) <= 1.5 / k + SIGMAS * theory / sqrt((double) trials), "%s: bias %g",
		 what, bias_of(&e));
}

static void
measure_cardinalities(void)
{
	static const double loads[] = {1.1, 1.5, 2, 3, 5, 10, 100};
	long		trials = full ? 10000 : 1000;

	fprintf(out,
			"\n\n# cardinality\nblock\tk\tn\ttrials\tbias\trmse\ttheory\tsaid\theld68\theld95\t"
			"held99\tbytes\n");
	for (int log2_k = 4; log2_k <= 10; log2_k += 3)
		for (int l = 0; l < 7; l++)
			measure_cardinality(log2_k, loads[l], log2_k < 10 ? trials : full ? 2000 : 200);
}

/* ---------- bands ---------- */

/* How often a pair has a band in common, and how often without the borrowing of registers. */
static void
measure_bands(uint32_t bands, uint32_t rows, uint64_t all, double jaccard, long trials)
{
	sets		n = sets_of(jaccard, all, 1);
	double		truth = jaccard_of(&n);
	double		theory = 1 - pow(1 - pow(truth, rows), bands);
	long		found = 0;
	long		plain = 0;
	double		sigma;

	for (long t = 0; t < trials; t++)
	{
		payload		a;
		payload		b;
		uint64_t	x[128];
		uint64_t	y[128];
		bool		same = false;
		uint16_t	p[128];
		uint16_t	q[128];
		pds_minhash_view v;

		draw_sets(&n, 7, &a, &b);
		if (payload_bands(&a, bands, rows, x) != bands || payload_bands(&b, bands, rows, y) !=
			bands)
			sketch_die("no bands");
		for (uint32_t i = 0; i < bands; i++)
			same = same || x[i] == y[i];
		found += same;
		v = payload_view(&a);
		(void) pds_minhash_read_registers(&v, 7, p);
		v = payload_view(&b);
		(void) pds_minhash_read_registers(&v, 7, q);
		same = false;
		for (uint32_t i = 0; i < bands; i++)
		{
			bool		equal = true;

			for (uint32_t r = i * rows; r < (i + 1) * rows; r++)
				equal = equal && p[r] == q[r] && p[r] != 0;
			same = same || equal;
		}
		plain += same;
		payload_free(&a);
		payload_free(&b);
	}
	sigma = sqrt(theory * (1 - theory) / (double) trials);
	fprintf(out, "bands\t%u\t%u\t%llu\t%.4f\t%ld\t%.5f\t%.5f\t%.5f\n", bands, rows,
			(unsigned long long) all, truth,
			trials, (double) found / (double) trials, theory, (double) plain / (double) trials);
	/* registers of 6 bits are equal for others too: a twentieth more at low indexes */
	must(all < 1000 || fabs((double) found / (double) trials - theory) <= SIGMAS * sigma
		 + 0.05 * theory * (1 - theory) + 0.002,
		 "bands: %u of %u, %llu values, J %g: %.4f, theory %.4f", bands, rows,
		 (unsigned long long) all, truth,
		 (double) found / (double) trials, theory);
	/* of sets no smaller than a few bands it is close to that */
	must(all < 64 || fabs((double) found / (double) trials - theory) <= SIGMAS * sigma + 0.12,
		 "bands: %u of %u, %llu values, J %g: %.4f, theory %.4f", bands, rows,
		 (unsigned long long) all, truth,
		 (double) found / (double) trials, theory);
}

static void
measure_curves(void)
{
	static const uint32_t shapes[][2] = {{64, 2}, {32, 4}, {16, 8}};
	static const uint64_t sizes[] = {20, 64, 200, 3000};
	static const double jaccards[] = {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1};
	long		trials = full ? 5000 : 500;

	fprintf(out,
			"\n\n# bands\nblock\tbands\trows\tvalues\tjaccard\ttrials\tfound\ttheory\t"
			"not_borrowed\n");
	for (int s = 0; s < 3; s++)
		for (int n = 0; n < 4; n++)
			for (int j = 0; j < 12; j++)
				measure_bands(shapes[s][0], shapes[s][1], sizes[n], jaccards[j], trials);
}

/* ---------- beside bottom-k ---------- */

typedef struct marked
{
	uint64_t	hash;
	int			in;				/* 1, 2 or 3 for both */
} marked;

static int
marked_order(const void *a, const void *b)
{
	uint64_t	x = ((const marked *) a)->hash;
	uint64_t	y = ((const marked *) b)->hash;

	return x < y ? -1 : x > y;
}

/*
 * Compares the k smallest hashes of each set, with all 64 bits, with the registers.  The errors
 * are those of the Jaccard index and of the size of the first set.
 */
static void
measure_bottom_k(double load, double jaccard, long trials)
{
	double		k = 128;
	sets		n = sets_of(jaccard, (uint64_t) (load * k), 1);
	uint64_t	all = n.only_1 + n.only_2 + n.both;
	double		truth = jaccard_of(&n);
	double		size = (double) (n.only_1 + n.both);
	double		squares[4] = {0};
	marked	   *list = sketch_memory(all * sizeof(*list));

	for (long t = 0; t < trials; t++)
	{
		sketch		a = sketch_new(7);
		sketch		b = sketch_new(7);
		payload		p;
		payload		q;
		pds_minhash_pair pair;
		pds_minhash_summary s;
		uint64_t	seen = 0;
		uint64_t	both = 0;
		uint64_t	first = 0;
		double		j = 0;
		double		c = size;

		for (uint64_t i = 0; i < all; i++)
		{
			pds_hash	h = random_hash();

			list[i].hash = h.h2;
			list[i].in = i < n.only_1 ? 1 : i < n.only_1 + n.only_2 ? 2 : 3;
			if (list[i].in & 1)
				sketch_add(&a, h);
			if (list[i].in & 2)
				sketch_add(&b, h);
		}
		qsort(list, all, sizeof(*list), marked_order);
		for (uint64_t i = 0; i < all && (seen < 128 || first < 128); i++)
		{
			if (seen < 128)
			{
				seen++;
				both += list[i].in == 3;
			}
			if ((list[i].in & 1) && ++first == 128)
				c = 127 / ldexp((double) list[i].hash, -64);
		}
		p = sketch_encode(&a);
		q = sketch_encode(&b);
		squares[0] += pow((double) both / (double) seen - truth, 2);
		squares[1] += pow(c / size - 1, 2);
		pair = payload_pair(&p, &q);
		(void) pds_minhash_jaccard(&pair, &j);
		s = payload_summary(&p);
		squares[2] += pow(j - truth, 2);
		squares[3] += pow(pds_minhash_cardinality(&s) / size - 1, 2);
		payload_free(&p);
		payload_free(&q);
		sketch_free(&a);
		sketch_free(&b);
	}
	for (int i = 0; i < 4; i++)
		squares[i] = sqrt(squares[i] / (double) trials);
	fprintf(out, "bottom-k\t%g\t%.4f\t%ld\t%.6f\t%.6f\t%.6f\t%.6f\n", load, truth, trials,
			squares[0], squares[2],
			squares[1], squares[3]);
	must(load < 20 || squares[2] <= squares[0] * (1.05 + 4 / sqrt((double) trials)),
		 "bottom-k: J %g: %g, registers %g", truth, squares[0], squares[2]);
	free(list);
}

static void
measure_beside_bottom_k(void)
{
	static const double loads[] = {1, 1.9, 3, 5, 10, 30};
	long		trials = full ? 4000 : 400;

	fprintf(out,
			"\n\n# bottom-k\nblock\tload\tjaccard\ttrials\tbottom_rmse\trmse\tbottom_size_rmse\t"
			"size_rmse\n");
	for (int l = 0; l < 6; l++)
		for (double j = 0.1; j < 1; j += 0.4)
			measure_bottom_k(loads[l], j, trials);
}

/* ---------- bytes stored ---------- */

static void
measure_sizes(void)
{
	fprintf(out, "\n\n# size\nblock\tk\tvalues\tbytes\tencoding\n");
	for (int log2_k = 4; log2_k <= 16; log2_k += 3)
	{
		sketch		s = sketch_new(log2_k);
		uint64_t	n = 0;

		for (double to = 1; to <= 1.001e7; to *= pow(10, 0.25))
		{
			payload		p;

			for (; n < (uint64_t) round(to); n++)
				sketch_add(&s, random_hash());
			p = sketch_encode(&s);
			fprintf(out, "size\t%d\t%llu\t%zu\t%s\n", 1 << log2_k, (unsigned long long) n, p.len,
					s.b->dense ? "dense" : "sparse");
			/* entropy: 8.83 bits a register; and of a token some 20 bits and the gap */
			must(!s.b->dense || (double) p.len <= 9.3 * (1 << log2_k) / 8 + 12,
				 "size: k %d, %llu values: %zu bytes",
				 1 << log2_k, (unsigned long long) n, p.len);
			must(s.b->dense
				 || (double) p.len <= (double) n * (20.5 + at_least(0, log2_k - log2((double) n))) /
				 8 + 14,
				 "size: k %d, %llu values: %zu bytes", 1 << log2_k, (unsigned long long) n, p.len);
			payload_free(&p);
		}
		sketch_free(&s);
	}
}

int
main(int argc, char **argv)
{
	if (argc < 2 || (out = fopen(argv[1], "w")) == NULL)
		return 2;
	full = argc > 2 && strcmp(argv[2], "--full") == 0;
	measure_pairs();
	measure_small();
	measure_cardinalities();
	measure_curves();
	measure_beside_bottom_k();
	measure_sizes();
	fclose(out);
	return finish();
}
