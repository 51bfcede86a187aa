/*
 * bloom_accuracy.c: how often Bloom filters say yes to what is not in them
 *
 *     bloom_accuracy FILE [--full]
 *
 * Writes FILE, blocks of tab-separated lines, and checks each against theory and
 * against what is promised.  Keys are integers, hashed as the server does, and
 * different ones in each filter.
 *
 * Theory is pds_bloom_model_rate(): for the blocked layout with the second-order term and
 * binomially distributed blocks, for the classic one the textbook's.  Below 10^4 keys, double
 * hashing by itself has more false positives than any closed formula says.  There the theory of
 * the classic layout is the layout itself, with random numbers in place of hashes.  So the test
 * judges the hashes.
 */
#include <string.h>

#include "measure.h"

#include "bloom_filter.h"

#include "bloom_estimate.h"

static int	full;
static FILE *out;

static uint64_t next_key;
static uint64_t members_asked;
static uint64_t members_lost;

static inline pds_hash
next_hash(int simulated)
{
	if (simulated)
	{
		uint64_t	h1 = test_random();

		return (pds_hash) {h1, test_random()};
	}
	return pds_murmur3_u64(next_key++);
}

/* ---------- measuring ---------- */

/* What was seen of filters of one shape with n keys each. */
typedef struct point
{
	pds_bloom_shape shape;
	double		n;
	int			simulated;
	long		filters;
	double		probes;
	double		hits;
	double		rates;			/* sum of the filters' measured rates, */
	double		squares;		/* and of their squares */
	long		summaries;		/* of how many filters the sums below are */
	double		told;			/* sum of pds_bloom_current_rate() */
	double		spread;			/* sum of the variance that a filter's rate has by what
								 * its blocks or bits happen to be */
	double		estimates;		/* sum of (estimate - n) / n, */
	double		square_z;		/* of ((estimate - n) / its standard error)^2, */
	double		errors;			/* and of the standard errors / n */
} point;

/*
 * The variance of a filter's true rate around what is to be expected of its shape:
 * of a mean over so many blocks, or of a power of the fill.
 */
static double
spread_of(const pds_bloom_summary *s)
{
	double		m = (double) s->shape.bits;
	double		k = s->shape.hashes;
	double		blocks = m / PDS_BLOOM_BLOCK_BITS;
	double		mean = 0;
	double		square = 0;

	if (s->shape.family == PDS_BLOOM_BLOCKED && s->shape.bits > PDS_BLOOM_SINGLE_BITS)
	{
		for (int i = 1; i <= PDS_BLOOM_BLOCK_BITS; i++)
		{
			double		rate = pow((double) i / PDS_BLOOM_BLOCK_BITS, k);

			mean += rate * (double) s->blocks[i] / blocks;
			square += rate * rate * (double) s->blocks[i] / blocks;
		}
		return (square - mean * mean) / blocks;
	}
	mean = (double) s->set / m;
	/* a bit is set or not: less of it is by chance than if each was drawn */
	return pow(k * pow(mean, k - 1), 2) * mean * (1 - mean) / m;
}

#define MOST_SUMMARIES	500

/* One more filter, and so many probes of keys that are not in it. */
static void
measure_filter(point *pt, long probes, long members)
{
	const pds_bloom_shape *s = &pt->shape;
	filter		f = filter_of_bits(s);
	uint64_t	first = next_key;
	long		hits = 0;
	uint8_t    *array;
	payload		stored;
	pds_bloom_view v;
	pds_bloom_summary summary;
	double		rate;
	double		error;
	double		off;

	for (uint64_t i = 0; i < (uint64_t) pt->n; i++)
		filter_add(&f, next_hash(pt->simulated));
	pds_bloom_flush(f.b);
	array = pds_bloom_build_array(f.b);
	for (long i = 0; i < probes; i++)
		hits += pds_bloom_array_contains(array, s, next_hash(pt->simulated));

	rate = (double) hits / (double) probes;
	pt->filters++;
	pt->probes += (double) probes;
	pt->hits += (double) hits;
	pt->rates += rate;
	pt->squares += rate * rate;
	/* reading small classic ones takes longer than filling them */
	if (pt->summaries >= MOST_SUMMARIES)
	{
		filter_free(&f);
		return;
	}

	stored = filter_encode(&f);
	if (pds_bloom_open(&v, stored.bytes, stored.len, stored.len, NULL) != PDS_OK ||
		pds_bloom_summarize(&v, &summary) != PDS_OK)
		sketch_die("cannot be read");
	for (long i = 0; i < members && i < (long) pt->n; i++)
	{
		pds_hash	h = pds_murmur3_u64(first + (uint64_t) i);

		members_lost += !pds_bloom_array_contains(array, s, h);
		members_lost += i % 16 == 0 && !payload_contains(&stored, &v, h);
		members_asked++;
	}

	error = pds_bloom_cardinality_error(&summary);
	off = pds_bloom_cardinality(&summary) - pt->n;
	pt->summaries++;
	pt->told += pds_bloom_current_rate(&summary);
	pt->spread += spread_of(&summary);
	pt->estimates += off / pt->n;
	pt->square_z += off * off / (error * error);
	pt->errors += error / pt->n;
	payload_free(&stored);
	filter_free(&f);
}

static double
rate_of(const point *pt)
{
	return pt->rates / (double) pt->filters;
}

/* The standard error of that as a measurement of the shape, by what the filters did. */
static double
sigma_of(const point *pt)
{
	double		filters = (double) pt->filters;
	double		mean = rate_of(pt);
	double		hits = pt->hits > 1 ? pt->hits : 1;

	/* by how much they differ, probes and all */
	if (pt->filters >= 30)
		return sqrt((pt->squares / filters - mean * mean) / (filters - 1));
	return sqrt(hits / (pt->probes * pt->probes) + pt->spread / (filters * filters));
}

/* The same as a measurement of just these filters. */
static double
sigma_of_probes(const point *pt)
{
	return sqrt(pt->hits > 1 ? pt->hits : 1) / pt->probes;
}

/* Filters until there were so many probes; small filters are many. */
static void
measure(point *pt, double probes, double members)
{
	double		each = pt->n < 250 ? 1000 : pt->n < 25000 ? 4 * pt->n : 1e7;
	long		filters = (long) ceil(probes / each);

	if (filters < 1)
		filters = 1;
	each = probes / (double) filters;
	for (long i = 0; i < filters; i++)
		measure_filter(pt, (long) each, (long) (members / (double) filters));
}

static const char *
layout_name(const pds_bloom_shape *s)
{
	return s->family == PDS_BLOOM_CLASSIC ? "classic" : "blocked";
}

/* ---------- the promised rate ---------- */

static const double rates[] = {0.1, 0.03, 0.01, 0.001, 0.0001};

#define RATES	((int) (sizeof(rates) / sizeof(rates[0])))

static void
measure_capacity(double capacity, double p, int family, double hits)
{
	point		pt = {.shape = shape_of((uint64_t) capacity, p, (uint8_t) family), .n = capacity};
	double		model = pds_bloom_model_rate(&pt.shape, capacity);
	double		probes = fmin(hits / model, full ? 2e8 : 2e7);
	double		theory = model;
	double		sigma;
	double		slack;
	double		filters;

	measure(&pt, probes, full ? 1.2e7 : 2e4);
	sigma = sigma_of(&pt);
	if (family == PDS_BLOOM_CLASSIC && capacity < 1e4)
	{
		point		ideal = {.shape = pt.shape, .n = capacity, .simulated = 1};

		measure(&ideal, probes, 0);
		theory = rate_of(&ideal);
		sigma = hypot(sigma, sigma_of(&ideal));
	}
	filters = (double) pt.summaries;
	fprintf(out,
			"rates\t%s\t%g\t%.0f\t%llu\t%d\t%.3f\t%ld\t%.0f\t%.6g\t%.6g\t%s\t%.2g\t%.6g\t%.4f\t"
			"%+.6f\t%.6f\t%.3f\n",
			layout_name(&pt.shape), p, capacity, (unsigned long long) pt.shape.bits,
			pt.shape.hashes,
			(double) pt.shape.bits / capacity, pt.filters, pt.probes, rate_of(&pt), theory,
			theory == model ? "model" : "simulated", sigma, model, rate_of(&pt) / p,
			pt.estimates / filters, pt.errors / filters, sqrt(pt.square_z / filters));

	must(fabs(rate_of(&pt) - theory) <= 3 * sigma,
		 "rates: %s, %.0f keys at %g: measured %.6g, theory %.6g, %.1f sigma",
		 layout_name(&pt.shape), capacity, p, rate_of(&pt), theory,
		 (rate_of(&pt) - theory) / sigma);
	/* the promise, with what bloom_size.h grants itself */
	must(rate_of(&pt) <= 1.006 * p + 3 * sigma_of(&pt),
		 "rates: %s, %.0f keys at %g: %.6g is over the rate", layout_name(&pt.shape), capacity, p,
		 rate_of(&pt));
	must(model <= 1.006 * p, "rates: %s, %.0f keys at %g: the model is over the rate",
		 layout_name(&pt.shape), capacity, p);
	/* what filters state on average, where they are small: bloom_estimate.h */
	if (family == PDS_BLOOM_CLASSIC && pt.shape.bits <= 65536 && pt.filters >= 30)
		must(fabs(pt.told / filters - rate_of(&pt)) <=
			 4 * sigma_of(&pt) * sqrt((double) pt.filters / filters)
			 + (p >= 0.01 ? 0.01 : p >= 0.001 ? 0.04 : 0.2) * rate_of(&pt),
			 "rates: %s, %.0f keys at %g: stated %.6g, measured %.6g", layout_name(&pt.shape),
			 capacity, p,
			 pt.told / filters, rate_of(&pt));
	/*
	 * The bias of the mean estimate, and the size of a single one's error.  Of a
	 * few keys in a classic filter one now and then sets next to no bits.
	 */
	slack = family == PDS_BLOOM_CLASSIC && capacity < 1000 ? 0.02 : 1e-4;
	must(fabs(pt.estimates / filters) <= 3.5 * pt.errors / filters / sqrt(filters) + slack,
		 "rates: %s, %.0f keys at %g: the estimate is off by %+.3f %% on average",
		 layout_name(&pt.shape), capacity, p, 100 * pt.estimates / filters);
	must(pt.square_z / filters <= pow(pt.summaries < 30 ? 3 : capacity < 1000 ? 1.6 : 1.2, 2),
		 "rates: %s, %.0f keys at %g: estimates are off by %.2f standard errors",
		 layout_name(&pt.shape), capacity, p, sqrt(pt.square_z / filters));
}

static void
measure_rates(void)
{
	fprintf(out,
			"# rates\nblock\tlayout\trate\tcapacity\tbits\thashes\tbits_per_key\tfilters\tprobes\t"
			"measured\t"
			"theory\ttheory_is\tsigma\tmodel\tof_promise\testimate_off\testimate_error\t"
			"estimate_z\n");
	for (int family = 0; family <= 1; family++)
	{
		for (int r = 0; r < RATES; r++)
		{
			measure_capacity(10, rates[r], family, full ? 2e4 : 1000);
			if (full || rates[r] == 0.01)
			{
				measure_capacity(20, rates[r], family, full ? 2e4 : 1000);
				measure_capacity(100, rates[r], family, full ? 2e4 : 1000);
			}
			measure_capacity(1e3, rates[r], family, full ? 2e4 : 1000);
			measure_capacity(1e5, rates[r], family, full ? 2e4 : 1000);
			if (full || rates[r] == 0.01)
				measure_capacity(1e7, rates[r], family, full ? 2e4 : 1000);
		}
		if (full)
			measure_capacity(1e8, 0.01, family, 1e5);
	}
}

/* ---------- is the second-order term right ---------- */

/* The model with the mean's power for the power's mean: what most papers have. */
static double
first_order(const pds_bloom_shape *s, double n)
{
	double		mean = n / ((double) s->bits / PDS_BLOOM_BLOCK_BITS);
	double		rate = 0;

	for (int i = 1; i < 2000; i++)
		rate += exp(i * log(mean) - mean - lgamma(i + 1.0)) *
			pow(1 - pow(1 - 1.0 / PDS_BLOOM_BLOCK_BITS, i * s->hashes), s->hashes);
	return rate;
}

static void
measure_orders(void)
{
	static const double some[] = {0.01, 0.001, 0.0001};

	fprintf(out,
			"\n\n# orders\nblock\trate\thashes\tfilters\tprobes\tmeasured\tsigma\tsecond_order\t"
			"first_order\t"
			"off_second\toff_first\n");
	for (int r = 0; r < (full ? 3 : 1); r++)
	{
		/* hits for more than 5 standard errors between them, and blocks enough, too */
		point		pt = {.shape = shape_of(3000000, some[r], PDS_BLOOM_BLOCKED), .n = 3000000};
		long		filters = full ? 20 : 3;
		double		probes = full ? 1e6 / some[r] : 1e7;
		double		second;
		double		first;

		if (probes > 4e8)
			probes = 4e8;
		for (long i = 0; i < filters; i++)
			measure_filter(&pt, (long) (probes / (double) filters), 0);
		second = pds_bloom_model_rate(&pt.shape, pt.n);
		first = first_order(&pt.shape, pt.n);
		fprintf(out, "orders\t%g\t%d\t%ld\t%.0f\t%.7g\t%.2g\t%.7g\t%.7g\t%+.2f\t%+.2f\n",
				some[r], pt.shape.hashes, pt.filters, pt.probes, rate_of(&pt), sigma_of(&pt),
				second, first, (rate_of(&pt) - second) / sigma_of(&pt),
				(rate_of(&pt) - first) / sigma_of(&pt));
		must(fabs(rate_of(&pt) - second) <= 3 * sigma_of(&pt),
			 "orders: %g: %.1f sigma from the model", some[r],
			 (rate_of(&pt) - second) / sigma_of(&pt));
		must(!full || rate_of(&pt) - first >= 5 * sigma_of(&pt),
			 "orders: %g: only %.1f sigma above the mean's power", some[r],
			 (rate_of(&pt) - first) / sigma_of(&pt));
	}
}

/* ---------- fuller or emptier than planned ---------- */

static void
measure_fills(void)
{
	static const double fills[] = {0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2,
		2.5, 3};
	static const double some[] = {0.01, 0.001, 0.0001};
	const double capacity = 200000;

	fprintf(out,
			"\n\n# fill\nblock\tlayout\trate\tcapacity\tfill\tprobes\tmeasured\tsigma\tmodel\t"
			"told\n");
	for (int family = 0; family <= 1; family++)
	{
		for (int r = 0; r < 3; r++)
		{
			for (size_t i = 0; i < sizeof(fills) / sizeof(fills[0]); i++)
			{
				point		pt =
					{.shape = shape_of((uint64_t) capacity, some[r], (uint8_t) family)};
				double		model;
				double		off;

				if (!full && fills[i] != 1.5 && fills[i] != 2 && fills[i] != 3)
					continue;
				pt.n = round(capacity * fills[i]);
				model = pds_bloom_model_rate(&pt.shape, pt.n);
				/* too rare to be counted */
				if (model < 3e-6)
					continue;
				measure_filter(&pt,
							   (long) fmax(1e6,
										   fmin((full ? 4e4 : 4000) / model, full ? 2e8 : 2e6)), 0);
				fprintf(out, "fill\t%s\t%g\t%.0f\t%.2f\t%.0f\t%.6g\t%.2g\t%.6g\t%.6g\n",
						layout_name(&pt.shape), some[r], capacity, fills[i], pt.probes,
						rate_of(&pt),
						sigma_of_probes(&pt), model, pt.told);
				off = fabs(pt.told / rate_of(&pt) - 1);
				if (fills[i] > 1.4)
					must(off <= 0.05, "fill: %s at %g, %.0f %% full: told %.6g, measured %.6g",
						 layout_name(&pt.shape), some[r], 100 * fills[i], pt.told, rate_of(&pt));
				must(fabs(pt.told - rate_of(&pt)) <= 4 * sigma_of_probes(&pt)
					 + 0.002 * rate_of(&pt),
					 "fill: %s at %g, %.0f %% full: told %.6g, measured %.6g, %.1f sigma",
					 layout_name(&pt.shape), some[r], 100 * fills[i], pt.told, rate_of(&pt),
					 (pt.told - rate_of(&pt)) / sigma_of_probes(&pt));
			}
		}
	}
}

/* ---------- bytes ---------- */

static void
measure_sizes(void)
{
	static const double capacities[] = {1e6, 1000};

	fprintf(out, "\n\n# size\nblock\tlayout\tcapacity\tkeys\tbytes\tencoding\n");
	for (int c = 0; c < 2; c++)
	{
		for (int family = 0; family <= 1; family++)
		{
			pds_bloom_shape s = shape_of((uint64_t) capacities[c], 0.01, (uint8_t) family);
			filter		f = filter_new(&s);
			double		largest = (double) s.bits / 8 + PDS_BLOOM_MAX_PREFIX;
			uint64_t	n = 0;

			for (double to = 1; to <= 2 * capacities[c]; to *= pow(10, 1 / 24.0))
			{
				payload		stored;

				if (round(to) <= (double) n)
					continue;
				for (; (double) n < round(to); n++)
					filter_add(&f, next_hash(0));
				stored = filter_encode(&f);
				fprintf(out, "size\t%s\t%.0f\t%llu\t%zu\t%s\n", layout_name(&s), capacities[c],
						(unsigned long long) n, stored.len,
						(stored.bytes[1] & 15) == PDS_BLOOM_ARRAY ? "array" : "sparse");
				must((double) stored.len <= largest, "size: %zu bytes of %llu keys",
					 stored.len, (unsigned long long) n);
				if (n == 10 && c == 0 && family == PDS_BLOOM_BLOCKED)
					must(stored.len <= 150, "size: %zu bytes of ten keys", stored.len);
				payload_free(&stored);
			}
			filter_free(&f);
		}
	}
}

int
main(int argc, char **argv)
{
	if (argc < 2 || (out = fopen(argv[1], "w")) == NULL)
		return 2;
	full = argc > 2 && strcmp(argv[2], "--full") == 0;
	measure_rates();
	measure_orders();
	measure_fills();
	measure_sizes();
	fprintf(out, "\n\n# members\nblock\tasked\tlost\nmembers\t%llu\t%llu\n",
			(unsigned long long) members_asked, (unsigned long long) members_lost);
	must(members_lost == 0, "members: %llu of %llu lost", (unsigned long long) members_lost,
		 (unsigned long long) members_asked);
	must(!full || members_asked >= 100000000, "members: only %llu asked for",
		 (unsigned long long) members_asked);
	fclose(out);
	return finish();
}
