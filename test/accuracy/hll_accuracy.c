/*
 * hll_accuracy.c: how far the estimated number of distinct values is off
 *
 *     hll_accuracy FILE [--full]
 *
 * Writes FILE, blocks of tab-separated lines, and checks each against theory
 * (hll_reference.h) and against what the README promises.  Values are real
 * hashes of integers up to some multiple of 2^p, different ones in each trial,
 * beyond that simulated registers (hll_simulate.h).
 */
#include <stdlib.h>
#include <string.h>

#include "measure.h"

#include "hll_reference.h"
#include "hll_simulate.h"
#include "hll_sketch.h"

#include "murmur3.h"
#include "hll_estimate.h"
#include "hll_registers.h"

#define CELLS		67108864.0
#define MOST_POINTS	200

/* Percent */
#define PC(x) ((x) * 100)

static int	full;
static FILE *out;

/* What was measured at one number of values. */
typedef struct point
{
	double		n;
	int			simulated;
	errors		sketch;			/* what a user gets */
	errors		ml;				/* of registers, however few values: by maximum
								 * likelihood, */
	errors		raw;			/* by Ertl's improved raw estimator, */
	errors		classic;		/* by Flajolet's with linear counting */
	double		reported;		/* sum of pds_hll_relative_error */
	long		covered;		/* trials in which pds_hll_bounds held n, */
	long		covered_whole;	/* and rounded outwards to whole numbers */
	double		bytes;			/* sum over "encoded" */
	double		most_bytes;
	long		encoded;
	long		dense;
} point;

static int
trials_at(int p)
{
	int			t = p <= 13 ? 10000 : p == 14 ? 4000 : p == 15 ? 2000 : 1000;

	return full ? t : t / 25;
}

static void
measure_summary(point *pt, const pds_hll_summary *s, double n)
{
	double		lower;
	double		estimate;
	double		upper;

	pds_hll_bounds(s, 0.95, &lower, &estimate, &upper);
	errors_add(&pt->sketch, estimate, n);
	pt->reported += pds_hll_relative_error(s);
	pt->covered += lower <= n && n <= upper;
	pt->covered_whole += floor(lower) <= n && n <= ceil(upper);
	pt->dense += s->dense;
}

static void
measure_registers(point *pt, const uint8_t *registers, int p, double n)
{
	pds_hll_summary s;

	memset(&s, 0, sizeof(s));
	s.precision = (uint8_t) p;
	s.dense = true;
	pds_hll_registers_histogram(registers, p, s.histogram);
	if (pt->simulated)
		measure_summary(pt, &s, n);
	errors_add(&pt->ml, pds_hll_cardinality(&s), n);
	errors_add(&pt->raw, reference_raw(s.histogram, p), n);
	errors_add(&pt->classic, reference_classic(s.histogram, p), n);
}

/* The number of values at each point goes up; one trial passes all of them. */
static void
run_real(int p, point *points, int count, int trials)
{
	uint8_t    *registers = sketch_memory(pds_hll_registers(p));

	for (int t = 0; t < trials; t++)
	{
		sketch		s = sketch_new(p);
		uint64_t	first = test_random();
		uint64_t	n = 0;

		memset(registers, 0, pds_hll_registers(p));
		for (int i = 0; i < count; i++)
		{
			pds_hll_summary summary;

			for (; n < (uint64_t) points[i].n; n++)
			{
				uint64_t	h = pds_murmur3_u64(first + n).h1;
				uint8_t    *r = registers + (h & (pds_hll_registers(p) - 1));
				uint8_t		rank = (uint8_t) (1 + pds_ctz64(h >> p | UINT64_C(1) << (64 - p)));

				if (*r < rank)
					*r = rank;
				sketch_add(&s, h);
			}
			pds_hll_summarize_build(s.b, &summary);
			measure_summary(&points[i], &summary, points[i].n);
			measure_registers(&points[i], registers, p, points[i].n);
			if (t < 100)
			{
				payload		stored = sketch_encode(&s);

				points[i].bytes += (double) stored.len;
				if (points[i].most_bytes < (double) stored.len)
					points[i].most_bytes = (double) stored.len;
				points[i].encoded++;
				payload_free(&stored);
			}
		}
		sketch_free(&s);
	}
	free(registers);
}

static void
run_simulated(int p, point *pt, int trials)
{
	uint8_t    *registers = sketch_memory(pds_hll_registers(p));

	pt->simulated = 1;
	for (int t = 0; t < trials; t++)
	{
		simulate_registers(registers, p, pt->n);
		measure_registers(pt, registers, p, pt->n);
	}
	free(registers);
}

/* What theory says of a sketch of n values. */
static reference_theory
theory_at(const point *pt, int p)
{
	reference_theory t;
	double		load = pt->n / CELLS;

	/* more often than not tokens still? */
	if (!pt->simulated && 2 * pt->dense < pt->sketch.trials)
	{
		t.error = load < 1e-3 ? sqrt((1 + load / 3) / (2 * CELLS)) :
			sqrt(CELLS * (expm1(load) - load)) / pt->n;
		t.bias = 0;
		return t;
	}
	t = reference_of(pt->n, p);
	if (pt->simulated)
		t.error = sqrt(t.error * t.error + 1 / pt->n);
	return t;
}

static void
write_point(const char *block, int p, const point *pt)
{
	reference_theory t = theory_at(pt, p);
	double		trials = (double) pt->sketch.trials;

	fprintf(out, "%s\t%d\t%.0f\t%s\t%.0f\t%.3f\t%.5f\t%.5f\t%.5f\t%+.5f\t%+.5f\t%.2f\t"
			"%.2f\t%.5f\t%+.5f\t%.5f\t%+.5f\t%.5f\t%+.5f\t",
			block, p, pt->n, pt->simulated ? "simulated" : "hashed", trials,
			(double) pt->dense / trials,
			PC(rmse_of(&pt->sketch)), PC(t.error), PC(pt->reported / trials),
			PC(bias_of(&pt->sketch)), PC(t.bias), PC((double) pt->covered / trials),
			PC((double) pt->covered_whole / trials),
			PC(rmse_of(&pt->ml)), PC(bias_of(&pt->ml)),
			PC(rmse_of(&pt->raw)), PC(bias_of(&pt->raw)),
			PC(rmse_of(&pt->classic)), PC(bias_of(&pt->classic)));
	if (pt->encoded > 0)
		fprintf(out, "%.1f\t%.0f\n", pt->bytes / (double) pt->encoded, pt->most_bytes);
	else
		fprintf(out, "-\t-\n");
}

static void
write_head(const char *block)
{
	fprintf(out, "# %s\nblock\tprecision\tn\tvalues\ttrials\tdense\trmse\ttheory\treported\t"
			"bias\ttheory_bias\tcovered95\twhole95\tml_rmse\tml_bias\traw_rmse\traw_bias\t"
			"classic_rmse\tclassic_bias\tbytes\tmost_bytes\n", block);
}

/*
 * Checks that the error is what theory says, that there is no bias except of order 1 / m, and
 * that a sketch reports its real error.
 */
static void
check_point(const char *block, int p, const point *pt)
{
	reference_theory t = theory_at(pt, p);
	double		trials = (double) pt->sketch.trials;
	double		m = pds_hll_registers(p);
	double		lambda = pt->n * pt->n / (2 * CELLS);
	bool		dense = 2 * pt->dense >= pt->sketch.trials;
	double		rmse = rmse_of(&pt->sketch);
	double		bias = bias_of(&pt->sketch);
	double		reported;
	double		slack;

	if (!dense)
	{
		/* a square error is a count of collisions, lambda of them a trial */
		slack = SIGMAS * 0.5 * sqrt((2 + 1 / lambda) / trials);
		must(trials * lambda < 20 ||
			 fabs(rmse / t.error - 1) <= slack + 0.01,
			 "%s: precision %d, n = %.0f: RMSE %.4f %%, theory %.4f %%",
			 block, p, pt->n, PC(rmse), PC(t.error));
		must(fabs(bias) <= SIGMAS * t.error / sqrt(trials) + 10 / (pt->n * trials),
			 "%s: precision %d, n = %.0f: bias %.5f %% of tokens",
			 block, p, pt->n, PC(bias));
		/* errors of less than one value: whole numbers are what counts */
		must((double) pt->covered_whole >= 0.95 * trials - SIGMAS * sqrt(0.0475 * trials) - 2,
			 "%s: precision %d, n = %.0f: 95 %% bounds hold n in %ld of %.0f trials",
			 block, p, pt->n, pt->covered_whole, trials);
		return;
	}

	/* near the switch some trials are tokens and better: an upper bound only */
	slack = SIGMAS / sqrt(2 * trials) + 4 / m;
	must(rmse <= t.error * (1 + slack) &&
		 (pt->dense < pt->sketch.trials || rmse >= t.error * (1 - slack)),
		 "%s: precision %d, n = %.0f: RMSE %.4f %%, theory %.4f %%",
		 block, p, pt->n, PC(rmse), PC(t.error));
	must(fabs(bias - t.bias) <= SIGMAS * t.error / sqrt(trials) + 3 / (m * m),
		 "%s: precision %d, n = %.0f: bias %+.4f %%, theory %+.4f %%",
		 block, p, pt->n, PC(bias), PC(t.bias));
	if (pt->dense < pt->sketch.trials)
		return;
	reported = sqrt(pow(pt->reported / trials, 2) + (pt->simulated ? 1 / pt->n : 0));
	must(fabs(reported / rmse - 1) <= slack + 0.01 + 2 / m,
		 "%s: precision %d, n = %.0f: RMSE %.4f %%, %.4f %% reported",
		 block, p, pt->n, PC(rmse), PC(reported));
	/*
	 * With few values an estimate can only be one of so many: 1 % for that.  Bounds are rounded
	 * outwards, half a value both together, and so may hold more often.
	 */
	slack = SIGMAS * sqrt(0.0475 * trials) + trials * (0.01 + 2 / m) + 2;
	if (p >= 8)
		must((double) pt->covered >= 0.95 * trials - slack &&
			 (double) pt->covered <= 0.95 * trials + slack + 0.06 * trials / (t.error * pt->n),
			 "%s: precision %d, n = %.0f: 95 %% bounds hold n in %ld of %.0f trials",
			 block, p, pt->n, pt->covered, trials);
}

/* ---------- the runs ---------- */

static int
add_point(point *points, int count, double n)
{
	n = round(n);
	if (count == MOST_POINTS || n < 1 || (count > 0 && points[count - 1].n >= n))
		return count;
	memset(&points[count], 0, sizeof(point));
	points[count].n = n;
	return count + 1;
}

/* From 1 to "end", so many to a power of ten. */
static int
decades(point *points, double end, double per_decade)
{
	int			count = 0;

	for (int i = 0; pow(10, i / per_decade) <= end * 1.0001; i++)
	{
		count = add_point(points, count, pow(10, i / per_decade));
	}
	return count;
}

/* A root mean square error, in percent, that was promised. */
static void
promise(const point *pt, double percent)
{
	double		trials = (double) pt->sketch.trials;
	double		limit = percent;

	/* few trials: as far above it as chance can carry what would be within */
	if (!full)
		limit = fmax(percent * (1 + SIGMAS / sqrt(2 * trials)), PC(2 / (pt->n * sqrt(trials))));
	must(PC(rmse_of(&pt->sketch)) <= limit, "promise: RMSE %.4f %% at n = %.0f, over %.2f %%",
		 PC(rmse_of(&pt->sketch)), pt->n, percent);
}

/* Precision 14 close up: the promises, and the other estimators beside it. */
static void
measure_default(void)
{
	static point points[MOST_POINTS];
	int			trials = trials_at(14);
	int			count = 0;

	write_head("default");
	count = decades(points, 30000, 12);
	/* closer where plain HyperLogLog leaves linear counting */
	for (double n = 32000; n < 60000; n += 2000)
		count = add_point(points, count, n);
	for (double n = 60000; n < 1.01e6; n *= pow(10, 1 / 12.0))
	{
		if (n > 90000 && points[count - 1].n < 100000)
			n = 100000;
		count = add_point(points, count, n);
	}
	run_real(14, points, count, trials);
	for (int i = 0; i < count; i++)
	{
		double		n = points[i].n;

		write_point("default", 14, &points[i]);
		check_point("default", 14, &points[i]);
		if (n <= 1000)
			promise(&points[i], 0.02);
		if (n == 40000)
			promise(&points[i], 0.70);
		promise(&points[i], 0.85);
		if (n == 1)
			must(points[i].most_bytes <= 24, "promise: %.0f bytes of one value",
				 points[i].most_bytes);
		if (n == 100)
			must(points[i].most_bytes <= 300, "promise: %.0f bytes of 100", points[i].most_bytes);
		if (n == 1000)
			must(points[i].most_bytes <= 2300, "promise: %.0f bytes of 1,000",
				 points[i].most_bytes);
		must(points[i].most_bytes <= 6900, "promise: %.0f bytes of %.0f", points[i].most_bytes, n);
	}
	for (double n = 1e6 * pow(10, 1 / 3.0); n < 1.01e12; n *= n < 9e8 ? pow(10, 1 / 3.0) : 10)
	{
		point		pt = {.n = round(n)};

		run_simulated(14, &pt, trials);
		write_point("default", 14, &pt);
		check_point("default", 14, &pt);
		promise(&pt, 0.85);
	}
}

/* Every precision from one value to 10^11. */
static void
measure_precisions(void)
{
	static point points[MOST_POINTS];

	fprintf(out, "\n\n");
	write_head("precisions");
	for (int p = PDS_HLL_MIN_PRECISION; p <= PDS_HLL_MAX_PRECISION; p++)
	{
		double		m = pds_hll_registers(p);
		double		end = p <= 12 ? 20 * m : 5 * m;
		int			count = decades(points, end, 6);

		run_real(p, points, count, trials_at(p));
		for (int i = 0; i < count; i++)
		{
			write_point("precisions", p, &points[i]);
			check_point("precisions", p, &points[i]);
		}
		for (double n = 1e3; n < 1.1e11; n *= n < 9e8 ? sqrt(10) : 10)
		{
			point		pt = {.n = round(n)};

			/* not where the model's random number of values is all that one sees */
			if (n <= end || n * pow(pds_hll_standard_error(p), 2) < 10)
				continue;
			run_simulated(p, &pt, trials_at(p));
			write_point("precisions", p, &pt);
			check_point("precisions", p, &pt);
		}
	}
}

/*
 * A fine grid around changes.  Tokens become registers at 3/16 m.  Plain HyperLogLog changes
 * its estimator at 5/2 m, and HyperLogLog++ ends its bias correction at 5 m; nothing here
 * changes at these two.
 */
static void
measure_switches(void)
{
	static const int precisions[] = {8, 10, 12, 14, 16};
	static point points[MOST_POINTS];

	fprintf(out, "\n\n");
	write_head("switches");
	for (size_t i = 0; i < sizeof(precisions) / sizeof(precisions[0]); i++)
	{
		int			p = precisions[i];
		double		m = pds_hll_registers(p);
		int			count = 0;

		for (double x = 0.85; x < 1.151; x += 0.015)
			count = add_point(points, count, x * pds_hll_max_tokens(p));
		for (int near = 1; near <= 4; near++)
			count = add_point(points, count, pds_hll_max_tokens(p) * 1.151 + near * m / 16);
		for (double x = 2.2; x < 2.81; x += 0.05)
			count = add_point(points, count, x * m);
		for (double x = 4.4; x < 5.61; x += 0.1)
			count = add_point(points, count, x * m);
		run_real(p, points, count, trials_at(p));
		for (int j = 0; j < count; j++)
		{
			write_point("switches", p, &points[j]);
			check_point("switches", p, &points[j]);
		}
	}
}

int
main(int argc, char **argv)
{
	if (argc < 2 || (out = fopen(argv[1], "w")) == NULL)
		return 2;
	full = argc > 2 && strcmp(argv[2], "--full") == 0;
	measure_default();
	measure_precisions();
	measure_switches();
	fclose(out);
	return finish();
}
