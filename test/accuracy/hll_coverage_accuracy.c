/*
 * hll_coverage_accuracy.c: how often the true number is within hll's bounds
 *
 *     hll_coverage_accuracy FILE [--full]
 *
 * Appends blocks to FILE.  "covered": bounds of one sketch.  "joint": bounds of the intersection
 * of two sketches, over a grid; "left" and "came": of the first without the second, and of the
 * second without the first.  The grid has sizes of both sets, shares of the
 * smaller set that are in the larger one, precisions and confidences.  All values are hashed as
 * the server hashes integers.
 *
 * A trial makes three lists of values: those in both sets, those in the first only, those in the
 * second only.  Each pair of the grid takes as many from the front of each as it wants.  So the
 * pairs of one trial have values in common, and the trials of one pair do not.
 *
 * A bound that holds with probability c is missed in T trials more often than by 3 standard
 * deviations in one of 700 figures, and the grid has thousands.  So where that happens --full
 * tries the cell again with ten times the trials, and these decide.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

#include "hll_sketch.h"

#include "murmur3.h"
#include "hll_estimate.h"

#define MOST		1000000

static int	full;
static FILE *out;

static const double confidences[] = {0.68, 0.95, 0.99};

#define CONFIDENCES	3

/* ---------- values ---------- */

/* In both, in the first only, in the second only. */
enum
{
	BOTH, FIRST, SECOND, LISTS
};

static uint64_t *hashes[LISTS];
static uint64_t next_value;

static void
draw_values(size_t n)
{
	for (int l = 0; l < LISTS; l++)
		for (size_t i = 0; i < n; i++)
			hashes[l][i] = pds_murmur3_u64(next_value++).h1;
}

static void
throw_values(uint8_t *registers, int p, const uint64_t *h, size_t n)
{
	uint64_t	mask = pds_hll_registers(p) - 1;

	for (size_t i = 0; i < n; i++)
	{
		uint8_t    *at = registers + (h[i] & mask);
		uint8_t		rank = (uint8_t) (pds_ctz64(h[i] >> p | UINT64_C(1) << (64 - p)) + 1);

		*at = *at > rank ? *at : rank;
	}
}

/*
 * Registers of the first n values of each list, for all n in question: filled in order, and
 * copied when n is reached.
 */
typedef struct stages
{
	size_t		n;
	size_t		size[1024];
	uint8_t    *registers[2][1024];	/* at one precision, and at another */
} stages;

static stages staged[LISTS];

static size_t
stage_of(const stages *s, size_t size)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->size[i] == size)
			return i;
	return s->n;
}

static void
stage_add(int list, size_t size)
{
	stages	   *s = &staged[list];
	size_t		i;

	if (stage_of(s, size) < s->n)
		return;
	if (s->n == sizeof(s->size) / sizeof(s->size[0]))
		exit(2);
	for (i = s->n++; i > 0 && s->size[i - 1] > size; i--)
		s->size[i] = s->size[i - 1];
	s->size[i] = size;
}

static void
stages_fill(int which, int p)
{
	static uint8_t work[1 << PDS_HLL_MAX_PRECISION];
	uint32_t	m = pds_hll_registers(p);

	for (int l = 0; l < LISTS; l++)
	{
		stages	   *s = &staged[l];
		size_t		have = 0;

		memset(work, 0, m);
		for (size_t i = 0; i < s->n; i++)
		{
			throw_values(work, p, hashes[l] + have, s->size[i] - have);
			have = s->size[i];
			if (s->registers[which][i] == NULL)
				s->registers[which][i] = malloc(1 << PDS_HLL_MAX_PRECISION);
			memcpy(s->registers[which][i], work, m);
		}
	}
}

/* The sketch of the first "both" and "only" values of two lists: of tokens, if it has so few. */
static sketch
make_sketch(int which, int p, size_t both, int list, size_t only)
{
	sketch		s;
	uint8_t    *registers;
	const uint8_t *a;
	const uint8_t *b;

	if (both + only <= 2 * pds_hll_max_tokens(p))
	{
		s = sketch_new(p);
		for (size_t i = 0; i < both; i++)
			sketch_add(&s, hashes[BOTH][i]);
		for (size_t i = 0; i < only; i++)
			sketch_add(&s, hashes[list][i]);
		return s;
	}
	s = sketch_dense(p);
	registers = pds_hll_build_registers(s.b);
	a = staged[BOTH].registers[which][stage_of(&staged[BOTH], both)];
	b = staged[list].registers[which][stage_of(&staged[list], only)];
	for (uint32_t i = 0; i < pds_hll_registers(p); i++)
		registers[i] = a[i] > b[i] ? a[i] : b[i];
	return s;
}

/* ---------- two sketches ---------- */

typedef struct cell
{
	int			precision_1;
	int			precision_2;
	size_t		n_1;
	size_t		n_2;
	int			share;			/* percent of the first set that are in the second */
	size_t		both;
	long		trials;
	long		told;
	struct asked
	{
		long		low[CONFIDENCES];	/* the truth is below the bounds, */
		long		high[CONFIDENCES];	/* and above */
		double		width[CONFIDENCES];
		double		squares;	/* of errors */
		long		wrong;		/* bounds without the estimate, or that cannot be */
	}			asked[LISTS];	/* for how many there are in each list of values */
} cell;

static const char *const blocks[LISTS] = {"joint", "left", "came"};

static size_t
in_both(size_t n_1, int share)
{
	return (size_t) lround((double) n_1 * share / 100);
}

/* How many values of a list are there, by two sketches, of which one may have none of the list? */
static void
try_bounds(struct asked *asked, const sketch *a, const sketch *b, bool both, double truth,
		   long *told)
{
	static pds_hll_pair pair;
	void	   *scratch = sketch_memory(pds_hll_pair_scratch(a->b, b->b));
	pds_hll_overlap o;
	double		estimate;

	pds_hll_pair_of(&pair, a->b, b->b, scratch);
	free(scratch);
	pds_hll_pair_estimate(&pair, &o);
	estimate = both ? o.both : o.only_1;
	asked->squares += (estimate - truth) * (estimate - truth);
	if (both)
		*told += pds_hll_pair_tells(&pair, &o);
	for (int k = 0; k < CONFIDENCES; k++)
	{
		double		lower;
		double		upper;

		(both ? pds_hll_pair_bounds : pds_hll_pair_difference_bounds) (&pair, &o, confidences[k],
																	   &lower, &upper);
		asked->low[k] += lower > truth;
		asked->high[k] += upper < truth;
		asked->width[k] += upper - lower;
		asked->wrong += !(lower >= 0 && lower <= rint(estimate) && upper >= rint(estimate) &&
						  lower == floor(lower) && upper == floor(upper));
	}
}

static void
try_cell(cell *c, const sketch *a, const sketch *b)
{
	c->trials++;
	try_bounds(&c->asked[BOTH], a, b, true, (double) c->both, &c->told);
	try_bounds(&c->asked[FIRST], a, b, false, (double) (c->n_1 - c->both), &c->told);
	try_bounds(&c->asked[SECOND], b, a, false, (double) (c->n_2 - c->both), &c->told);
}

/* P(at least k of n) if each is with probability p, in logarithms where it must. */
static double
binomial_at_least(long n, double p, long k)
{
	double		sum = 0;

	for (long i = k; i <= n; i++)
	{
		double		t = exp(lgamma((double) n + 1) - lgamma((double) i + 1) -
							lgamma((double) (n - i) + 1) + (double) i * log(p) +
							(double) (n - i) * log1p(-p));

		sum += t;
		if (t < sum * 1e-12)
			break;
	}
	return sum;
}

/* Is it missed too often: as seldom by chance as so many standard deviations? */
static bool
missed_too_often(long missed, long trials, double confidence, double sigmas)
{
	return binomial_at_least(trials, 1 - confidence, missed) < erfc(sigmas / sqrt(2)) / 2;
}

static cell cells[8192];
static size_t cell_count;

static void
add_cell(int precision_1, int precision_2, size_t n_1, size_t n_2, int share)
{
	if (cell_count == sizeof(cells) / sizeof(cells[0]))
		exit(2);
	cells[cell_count++] = (cell) {
		.precision_1 = precision_1, .precision_2 = precision_2, .n_1 = n_1, .n_2 = n_2,
			.share = share, .both = in_both(n_1, share)
	};
}

/* All cells that have these precisions; they come in order of n_1 and share. */
static void
try_cells(int precision_1, int precision_2)
{
	int			other = precision_1 != precision_2;
	sketch		a = {0};
	sketch		b;
	size_t		made_n = 0;
	size_t		made_both = SIZE_MAX;

	stages_fill(0, precision_1);
	if (other)
		stages_fill(1, precision_2);
	for (size_t i = 0; i < cell_count; i++)
	{
		cell	   *c = &cells[i];

		if (c->precision_1 != precision_1 || c->precision_2 != precision_2)
			continue;
		if (c->n_1 != made_n || c->both != made_both)
		{
			sketch_free(&a);
			a = make_sketch(0, precision_1, c->both, FIRST, c->n_1 - c->both);
		}
		made_n = c->n_1;
		made_both = c->both;
		b = make_sketch(other, precision_2, c->both, SECOND, c->n_2 - c->both);
		try_cell(c, &a, &b);
		sketch_free(&b);
	}
	sketch_free(&a);
}

static void
stage_cells(void)
{
	for (int l = 0; l < LISTS; l++)
		staged[l].n = 0;
	for (size_t i = 0; i < cell_count; i++)
	{
		stage_add(BOTH, cells[i].both);
		stage_add(FIRST, cells[i].n_1 - cells[i].both);
		stage_add(SECOND, cells[i].n_2 - cells[i].both);
	}
}

/* All cells so many times. */
static void
run_cells(long trials)
{
	size_t		most = 0;

	stage_cells();
	for (int l = 0; l < LISTS; l++)
		if (staged[l].n > 0 && staged[l].size[staged[l].n - 1] > most)
			most = staged[l].size[staged[l].n - 1];
	for (long t = 0; t < trials; t++)
	{
		draw_values(most);
		for (int p1 = PDS_HLL_MIN_PRECISION; p1 <= PDS_HLL_MAX_PRECISION; p1++)
		{
			for (int p2 = PDS_HLL_MIN_PRECISION; p2 <= PDS_HLL_MAX_PRECISION; p2++)
			{
				bool		any = false;

				for (size_t i = 0; i < cell_count && !any; i++)
					any = cells[i].precision_1 == p1 && cells[i].precision_2 == p2;
				if (any)
					try_cells(p1, p2);
			}
		}
	}
}

/* Are bounds of the cell missed too often? */
static bool
is_bad(const cell *c, double sigmas)
{
	for (int l = 0; l < LISTS; l++)
		for (int k = 0; k < CONFIDENCES; k++)
			if (missed_too_often(c->asked[l].low[k] + c->asked[l].high[k], c->trials,
								 confidences[k], sigmas))
				return true;
	return false;
}

static void
must_be_good(const cell *c, double sigmas)
{
	for (int l = 0; l < LISTS; l++)
		for (int k = 0; k < CONFIDENCES; k++)
		{
			long		missed = c->asked[l].low[k] + c->asked[l].high[k];

			must(!missed_too_often(missed, c->trials, confidences[k], sigmas),
				 "%s: precisions %d and %d, %zu and %zu values, %d %% in both: %.0f %% bounds "
				 "missed %ld times of %ld",
				 blocks[l], c->precision_1, c->precision_2, c->n_1, c->n_2, c->share,
				 100 * confidences[k], missed, c->trials);
		}
}

static void
print_cell(const cell *c)
{
	double		t = (double) c->trials;

	for (int l = 0; l < LISTS; l++)
	{
		const struct asked *of = &c->asked[l];

		fprintf(out, "%s\t%d\t%d\t%zu\t%zu\t%d\t%ld", blocks[l], c->precision_1, c->precision_2,
				c->n_1, c->n_2, c->share, c->trials);
		for (int k = 0; k < CONFIDENCES; k++)
			fprintf(out, "\t%.2f", 100 * (1 - (double) (of->low[k] + of->high[k]) / t));
		fprintf(out, "\t%.2f\t%.2f", 100 * (double) of->low[1] / t,
				100 * (double) of->high[1] / t);
		for (int k = 0; k < CONFIDENCES; k++)
			fprintf(out, "\t%.5g", of->width[k] / t);
		fprintf(out, "\t%.5g\t%.1f\n", sqrt(of->squares / t),
				l == BOTH ? 100 * (double) c->told / t : 100);
	}
}

static void
measure_pairs(void)
{
	static const size_t sizes[] = {1, 2, 3, 10, 30, 100, 300, 1000, 3000, 10000, 100000, 1000000};
	static const int shares[] = {0, 1, 10, 25, 50, 75, 90, 100};
	static const int precisions[] = {8, 11, 12, 14, 16};
	static const int mixed[][2] = {{14, 11}, {11, 14}, {16, 12}, {12, 16}, {14, 8}, {8, 14}};
	static cell again[256];
	size_t		again_count = 0;
	double		sigmas = full ? 3 : SIGMAS;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
	{
		for (size_t s = 0; s < sizeof(shares) / sizeof(shares[0]); s++)
		{
			/* the same share of very few is the same number */
			if (s > 0 && in_both(sizes[i], shares[s]) == in_both(sizes[i], shares[s - 1]))
				continue;
			for (size_t j = i; j < sizeof(sizes) / sizeof(sizes[0]); j++)
			{
				bool		few = (sizes[i] == 1 || sizes[i] == 10 || sizes[i] == 300 ||
								   sizes[i] == 3000 || sizes[i] >= 1000000) &&
					(sizes[j] == 1000 || sizes[j] == 10000 || sizes[j] >= 1000000) && s % 2 == 1;

				for (size_t p = 0; p < sizeof(precisions) / sizeof(precisions[0]); p++)
					if (full || (few && (precisions[p] == 11 || precisions[p] == 14)))
						add_cell(precisions[p], precisions[p], sizes[i], sizes[j], shares[s]);
				for (size_t p = 0; p < sizeof(mixed) / sizeof(mixed[0]); p++)
					if (few && (full || (p < 2 && shares[s] == 75)))
						add_cell(mixed[p][0], mixed[p][1], sizes[i], sizes[j], shares[s]);
			}
		}
	}
	run_cells(full ? 300 : 60);

	fprintf(out,
			"\n\n# joint\nblock\tprecision_1\tprecision_2\tn_1\tn_2\tshare\ttrials\tcovered68\t"
			"covered95\t"
			"covered99\tlow95\thigh95\twidth68\twidth95\twidth99\trmse\ttold\n");
	for (size_t i = 0; i < cell_count; i++)
	{
		cell	   *c = &cells[i];

		for (int l = 0; l < LISTS; l++)
			must(c->asked[l].wrong == 0,
				 "%s: precisions %d and %d, %zu and %zu values, %d %% in both: %ld bounds that "
				 "cannot be",
				 blocks[l], c->precision_1, c->precision_2, c->n_1, c->n_2, c->share,
				 c->asked[l].wrong);
		if (full && is_bad(c, sigmas) && again_count < sizeof(again) / sizeof(again[0]))
			again[again_count++] = *c;
		else
			print_cell(c);
		if (!full)
			must_be_good(c, sigmas);
	}
	if (!full)
		return;

	/* by chance, or not? */
	printf("# joint: %zu of %zu cells tried again\n", again_count, cell_count);
	for (size_t i = 0; i < again_count; i++)
	{
		cell	   *c = &cells[0];

		cell_count = 0;
		add_cell(again[i].precision_1, again[i].precision_2, again[i].n_1, again[i].n_2,
				 again[i].share);
		run_cells(10 * again[i].trials);
		print_cell(c);
		must_be_good(c, sigmas);
	}
}

/* ---------- one sketch ---------- */

static void
measure_single(void)
{
	static const size_t sizes[] = {1, 2, 3, 10, 30, 100, 300, 1000, 3000, 10000, 100000, 1000000};
	static long missed[PDS_HLL_MAX_PRECISION + 1][12][CONFIDENCES];
	static double width[PDS_HLL_MAX_PRECISION + 1][12];
	long		trials = full ? 400 : 200;
	size_t		n_sizes = sizeof(sizes) / sizeof(sizes[0]) - (full ? 0 : 1);

	for (long t = 0; t < trials; t++)
	{
		draw_values(sizes[n_sizes - 1]);
		for (int p = PDS_HLL_MIN_PRECISION; p <= PDS_HLL_MAX_PRECISION; p++)
		{
			sketch		s = sketch_new(p);
			size_t		have = 0;

			for (size_t i = 0; i < n_sizes; i++)
			{
				pds_hll_summary summary;

				for (; have < sizes[i]; have++)
					sketch_add(&s, hashes[BOTH][have]);
				pds_hll_summarize_build(s.b, &summary);
				for (int k = 0; k < CONFIDENCES; k++)
				{
					double		lower;
					double		estimate;
					double		upper;

					pds_hll_bounds(&summary, confidences[k], &lower, &estimate, &upper);
					missed[p][i][k] += (double) sizes[i] < lower || (double) sizes[i] > upper;
					if (k == 1)
						width[p][i] += upper - lower;
				}
			}
			sketch_free(&s);
		}
	}
	fprintf(out,
			"\n\n# covered\nblock\tprecision\tn\ttrials\tcovered68\tcovered95\tcovered99\t"
			"width95\n");
	for (int p = PDS_HLL_MIN_PRECISION; p <= PDS_HLL_MAX_PRECISION; p++)
	{
		for (size_t i = 0; i < n_sizes; i++)
		{
			fprintf(out, "covered\t%d\t%zu\t%ld", p, sizes[i], trials);
			for (int k = 0; k < CONFIDENCES; k++)
			{
				fprintf(out, "\t%.2f", 100 * (1 - (double) missed[p][i][k] / (double) trials));
				must(!missed_too_often(missed[p][i][k], trials, confidences[k], SIGMAS),
					 "covered: precision %d, %zu values: %.0f %% bounds held in %.2f %%", p,
					 sizes[i],
					 100 * confidences[k], 100 * (1 - (double) missed[p][i][k] / (double) trials));
			}
			fprintf(out, "\t%.5g\n", width[p][i] / (double) trials);
		}
	}
}

int
main(int argc, char **argv)
{
	if (argc < 2 || (out = fopen(argv[1], "a")) == NULL)
		return 2;
	full = argc > 2 && strcmp(argv[2], "--full") == 0;
	next_value = test_random();
	for (int l = 0; l < LISTS; l++)
	{
		hashes[l] = malloc(MOST * sizeof(uint64_t));
		if (hashes[l] == NULL)
			return 2;
	}
	measure_single();
	measure_pairs();
	fclose(out);
	return finish();
}
