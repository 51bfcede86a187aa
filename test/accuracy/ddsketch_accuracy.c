/*
 * ddsketch_accuracy.c: how far off quantiles are, and how large sketches are
 *
 *     ddsketch_accuracy FILE [--full]
 *
 * Writes FILE, blocks of tab-separated lines, and checks each against the promise.  No estimate is
 * off by more than the error of the scale, and the bounds contain the exact value, in every trial.
 */
#include <string.h>

#include "measure.h"

#include "ddsketch_sketch.h"

static int	full;
static FILE *out;

static double
uniform(void)
{
	return ((double) (test_random() >> 11) + 0.5) / 9007199254740992.0;
}

static double
normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

static double
log_normal(void)
{
	return exp(normal());
}

static double
pareto(void)
{
	return pow(uniform(), -1 / 1.5);
}

static double
bimodal(void)
{
	return uniform() < 0.5 ? 10 + normal() : 1000 + 30 * normal();
}

static double
negative(void)
{
	return -exp(normal());
}

static double
ties(void)
{
	return floor(20 * uniform()) - 5;
}

static double
six_decades(void)
{
	return pow(10, 6 * uniform());
}

static double
wide_log_normal(void)
{
	return exp(1.381 * normal());
}

static const struct
{
	const char *name;
	double		(*draw) (void);
}			distributions[] = {
	{"log-normal", log_normal}, {"Pareto", pareto}, {"uniform", uniform}, {"bimodal", bimodal},
	{"negative", negative}, {"ties", ties}, {"six decades", six_decades}
};

#define DISTRIBUTIONS	(sizeof(distributions) / sizeof(distributions[0]))

static const double qs[] = {0, 0.001, 0.01, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 1};

#define QUANTILES	(sizeof(qs) / sizeof(qs[0]))
#define MOST		1000

static void
measure_quantiles(int d, uint32_t max_buckets)
{
	static double numbers[MOST];
	double		largest[QUANTILES] = {0};
	double		sum[QUANTILES] = {0};
	double		promise = 0;
	long		outside = 0;
	long		broken = 0;
	int			trials = full ? 10000 : 300;

	for (int trial = 0; trial < trials; trial++)
	{
		size_t		n = 1 + test_random() % MOST;
		payload		p;
		double		error;
		pds_ddsketch_view v;

		for (size_t i = 0; i < n; i++)
			numbers[i] = distributions[d].draw();
		p = payload_of(numbers, n, 6, max_buckets);
		v = payload_view(&p);
		error = pds_ddsketch_error(v.scale);
		promise = error > promise ? error : promise;
		qsort(numbers, n, sizeof(double), number_cmp);
		for (size_t i = 0; i < QUANTILES; i++)
		{
			double		place = ceil(qs[i] * (double) n);
			double		exact = numbers[place < 1 ? 0 : (size_t) place - 1];
			pds_ddsketch_range r = payload_quantile(&p, qs[i]);
			double		off = exact == 0 ? fabs(r.estimate) : fabs(r.estimate / exact - 1);

			outside += !(r.lower <= exact && exact <= r.upper);
			broken += !(off <= error * (1 + 1e-12));
			sum[i] += off;
			if (off > largest[i])
				largest[i] = off;
		}
		payload_free(&p);
	}
	must(outside == 0, "%s: %ld exact values are outside of the bounds", distributions[d].name,
		 outside);
	must(broken == 0, "%s: %ld errors are above the promise", distributions[d].name, broken);
	for (size_t i = 0; i < QUANTILES; i++)
		fprintf(out, "quantiles\t%s\t%u\t%g\t%d\t%.6g\t%.6g\t%.6g\n", distributions[d].name,
				max_buckets, qs[i], trials, promise, largest[i], sum[i] / trials);
}

static void
measure_size(const char *name, double (*draw) (void), double n)
{
	stored_state s = sketch_new(6, 4096);
	payload		p;
	pds_ddsketch_view v;

	for (double i = 0; i < n; i++)
		sketch_add(&s, draw());
	p = sketch_encode(&s);
	v = payload_view(&p);
	fprintf(out, "sizes\t%s\t%.0f\t%u\t%zu\t%.3g\n", name, n, v.negatives + v.positives, p.len,
			(double) p.len / (v.negatives + v.positives));
	must(n > 10 || p.len <= 60, "%s: 10 numbers take %zu bytes", name, p.len);
	must(p.len <= 1500, "%s: %.0f numbers take %zu bytes", name, n, p.len);
	payload_free(&p);
	sketch_free(&s);
}

int
main(int argc, char **argv)
{
	if (argc < 2 || (out = fopen(argv[1], "w")) == NULL)
		return 2;
	full = argc > 2 && strcmp(argv[2], "--full") == 0;
	fprintf(out, "# quantiles\nblock\tdistribution\tmax_buckets\tq\ttrials\tpromise\tlargest\t"
			"mean\n");
	for (size_t d = 0; d < DISTRIBUTIONS; d++)
	{
		measure_quantiles((int) d, 4096);
		measure_quantiles((int) d, 64);
	}
	fprintf(out, "\n\n# sizes\nblock\tdistribution\tn\tbuckets\tbytes\tbytes_per_bucket\n");
	for (double n = 10; n <= (full ? 1e7 : 1e5); n *= 10)
	{
		measure_size("log-normal", log_normal, n);
		measure_size("log-normal over six decades", wide_log_normal, n);
		measure_size("ties", ties, n);
	}
	measure_size("six decades", six_decades, full ? 1e7 : 1e4);
	fclose(out);
	return finish();
}
