/*
 * counting_bloom_accuracy.c: how often counting filters say yes to what is not in them,
 * after adds and removes and over moving windows
 *
 *     counting_bloom_accuracy FILE [--full]
 *
 * Theory is bloom's, pds_bloom_model_rate(): counters that are not zero are the bits of a
 * Bloom filter.  Its formula for classic filters of few keys is an approximation (see
 * bloom_accuracy.c), so those here are of 10,000 keys and more.
 *
 * Nothing else is a matter of chance, as long as no counter is saturated.  A filter after adds
 * and removes in random order has the same bytes as a filter built from the remaining values.
 * No value in it is missed, and a window's filter is right at every row.
 */
#include <stdlib.h>
#include <string.h>

#include "measure.h"

#include "counting_bloom_filter.h"

static int	full;
static FILE *out;

static uint64_t next_key;

static size_t
below(size_t n)
{
	return (size_t) (test_random() % n);
}

/* ---------- adds and removes ---------- */

/*
 * A filter into which "stay" keys from "first" on went, and others came and went again, in
 * random order.
 */
static filter
churned(const pds_bloom_shape *shape, uint64_t first, uint64_t stay, uint64_t others)
{
	filter		f = filter_new(shape);
	uint64_t   *there = malloc(others * sizeof(uint64_t));
	uint64_t	here = 0;
	uint64_t	added = 0;
	uint64_t	come = 0;
	uint64_t	refused = 0;

	while (added < stay || come < others || here > 0)
	{
		size_t		what = below(3);

		if (what == 0 && added < stay)
			filter_add(&f, pds_murmur3_u64(first + added++));
		else if (what == 1 && come < others)
		{
			/* every fourth twice */
			there[here] = first + stay + come - come % 4 / 3;
			come++;
			filter_add(&f, pds_murmur3_u64(there[here++]));
		}
		else if (what == 2 && here > 0)
		{
			size_t		i = below(here);

			refused += pds_counting_bloom_remove(f.b, pds_murmur3_u64(there[i])) != PDS_OK;
			there[i] = there[--here];
		}
	}
	must(refused == 0, "%llu removals refused", (unsigned long long) refused);
	free(there);
	return f;
}

static void
measure_rates(void)
{
	static const double rates[] = {0.03, 0.01, 0.001};
	static const uint64_t capacities[] = {1000, 10000, 100000};
	static const char *const layouts[] = {"blocked", "classic"};

	fprintf(out, "# rates\nblock\tlayout\tcapacity\trate\tfilters\tprobes\tmeasured\ttheory\t"
			"promised\tmembers\tmissed\tbits_per_key\n");
	for (int i = 0; i < 18; i++)
	{
		uint64_t	capacity = capacities[i / 6];
		double		rate = rates[i / 2 % 3];
		uint8_t		family = (uint8_t) (i % 2);
		pds_bloom_shape shape = shape_of(capacity, rate, family);
		double		theory = pds_bloom_model_rate(&shape, (double) capacity);
		long		filters = (long) ((full ? 5000000 : 400000) / capacity) + 4;
		uint64_t	probes = (full ? 4000000 : 200000) / capacity * 10 + 100000;
		uint64_t	missed = 0;
		uint64_t	members = 0;
		double		sum = 0;
		double		squares = 0;
		double		bytes = 0;
		double		mean;
		double		sigma;

		if (family == PDS_BLOOM_CLASSIC && capacity < 10000)
			continue;
		if (filters > 400)
			filters = 400;
		for (long trial = 0; trial < filters; trial++)
		{
			filter		f = churned(&shape, next_key, capacity, capacity / 2);
			filter		fresh = filter_new(&shape);
			uint64_t	hits = 0;
			payload		a;
			payload		b;
			pds_counting_bloom_view v;

			for (uint64_t key = 0; key < capacity; key++)
				filter_add(&fresh, pds_murmur3_u64(next_key + key));
			a = filter_encode(&f);
			b = filter_encode(&fresh);
			must(payload_equal(&a, &b), "%s for %llu at %g: other bytes after adds and removes",
				 layouts[family], (unsigned long long) capacity, rate);
			v = payload_view(&a);
			for (uint64_t key = 0; key < capacity; key++)
				missed += pds_counting_bloom_build_count(f.b, pds_murmur3_u64(next_key + key)) == 0;
			for (uint64_t key = 0; key < 100; key++)
				missed += view_count(&v, pds_murmur3_u64(next_key + key)) == 0;
			members += capacity + 100;
			next_key += 2 * capacity;
			for (uint64_t i_probe = 0; i_probe < probes; i_probe++)
				hits += pds_counting_bloom_build_count(f.b, pds_murmur3_u64(next_key++)) > 0;
			sum += (double) hits / (double) probes;
			squares += (double) hits / (double) probes * (double) hits / (double) probes;
			bytes += (double) a.len;
			payload_free(&a);
			payload_free(&b);
			filter_free(&f);
			filter_free(&fresh);
		}
		mean = sum / (double) filters;
		/* of the mean, from the filters' own spread */
		sigma = sqrt((squares / (double) filters - mean * mean) / (double) (filters - 1));
		must(missed == 0, "%s for %llu at %g: %llu members missed", layouts[family],
			 (unsigned long long) capacity, rate, (unsigned long long) missed);
		/* the formula of double hashing is right to a quarter of a small part */
		must(fabs(mean - theory) <= SIGMAS * sigma + 0.01 * theory,
			 "%s for %llu at %g: rate %g, not %g (sigma %g)", layouts[family],
			 (unsigned long long) capacity, rate, mean, theory, sigma);
		must(mean <= rate * 1.006 + SIGMAS * sigma, "%s for %llu at %g: rate %g", layouts[family],
			 (unsigned long long) capacity, rate, mean);
		fprintf(out, "rates\t%s\t%llu\t%g\t%ld\t%g\t%.6g\t%.6g\t%g\t%llu\t%llu\t%.2f\n",
				layouts[family], (unsigned long long) capacity, rate, filters,
				(double) probes * (double) filters, mean, theory, rate,
				(unsigned long long) members, (unsigned long long) missed,
				8 * bytes / (double) filters / (double) capacity);
	}
	fprintf(out, "\n\n");
}

/* ---------- windows ---------- */

/* The value of a row: uniform, or by far most often a small one. */
static uint64_t
value_of_row(int skewed, uint64_t row, uint64_t values)
{
	pds_hash	h = pds_murmur3_u64(row + (uint64_t) skewed * 1000000007);
	double		x = (double) (h.h1 >> 11) / 9007199254740992.0;

	return skewed ? (uint64_t) pow((double) values, x) - 1 : h.h1 % values;
}

static void
measure_windows(void)
{
	const uint64_t rows = full ? 1000000 : 150000;
	const uint64_t window = full ? 100000 : 15000;
	const uint64_t values = 4 * window;
	uint32_t   *truth = calloc(values, sizeof(uint32_t));

	fprintf(out, "# windows\nblock\tstream\trows\twindow\tcapacity\tmissed\ttoo_low\tfalse\t"
			"asked\tmeasured\tbound\tmost\n");
	for (int skewed = 0; skewed < 2; skewed++)
	{
		pds_bloom_shape shape = shape_of(window, 0.01, PDS_BLOOM_BLOCKED);
		filter		f = filter_new_exact(&shape);
		uint64_t	distinct = 0;
		uint64_t	missed = 0;
		uint64_t	too_low = 0;
		uint64_t	too_high = 0;
		uint64_t	asked = 0;
		uint64_t	refused = 0;
		uint32_t	most = 0;
		double		bound = 0;

		memset(truth, 0, values * sizeof(uint32_t));
		for (uint64_t row = 0; row < rows; row++)
		{
			uint64_t	value = value_of_row(skewed, row, values);
			uint32_t	count;

			filter_add(&f, pds_murmur3_u64(value));
			distinct += truth[value]++ == 0;
			most = truth[value] > most ? truth[value] : most;
			if (row >= window)
			{
				uint64_t	old = value_of_row(skewed, row - window, values);

				refused += pds_counting_bloom_remove(f.b, pds_murmur3_u64(old)) != PDS_OK;
				distinct -= --truth[old] == 0;
			}
			/* at every row: the value of another one, and one that may be there or not */
			for (int i = 0; i < 2; i++)
			{
				value = i == 0 ? value_of_row(skewed, row - below(row < window ? row + 1 : window),
											  values) : below(values);
				count = pds_counting_bloom_build_count(f.b, pds_murmur3_u64(value));
				missed += truth[value] > 0 && count == 0;
				too_low += count < (truth[value] < 15 ? truth[value] : 15);
				if (truth[value] == 0)
				{
					asked++;
					too_high += count > 0;
				}
			}
			if (row % (rows / 100) == 0)
				bound += pds_bloom_model_rate(&shape, (double) distinct) / 100;
			if (row % (rows / 5) == rows / 10)
			{
				filter		copy = filter_copy(&f);
				filter		fresh = filter_new(&shape);
				payload		a;
				payload		b;

				for (uint64_t i = row < window ? 0 : row + 1 - window; i <= row; i++)
					filter_add(&fresh, pds_murmur3_u64(value_of_row(skewed, i, values)));
				a = filter_encode(&copy);
				b = filter_encode(&fresh);
				must(payload_equal(&a, &b), "window: other bytes than its rows make");
				payload_free(&a);
				payload_free(&b);
				filter_free(&copy);
				filter_free(&fresh);
			}
		}
		must(refused == 0 && missed == 0 && too_low == 0,
			 "window: %llu removals refused, %llu values missed, %llu counts too low",
			 (unsigned long long) refused, (unsigned long long) missed,
			 (unsigned long long) too_low);
		/* a value that is a false positive is one for many rows: a part of these counts alone */
		must((double) too_high / (double) asked <=
			 bound + SIGMAS * sqrt(4 * bound / (double) asked),
			 "window: rate %g above %g", (double) too_high / (double) asked, bound);
		fprintf(out, "windows\t%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%.6g\t%.6g\t%u\n",
				skewed ? "skewed" : "uniform", (unsigned long long) rows,
				(unsigned long long) window, (unsigned long long) window,
				(unsigned long long) missed, (unsigned long long) too_low,
				(unsigned long long) too_high, (unsigned long long) asked,
				(double) too_high / (double) asked, bound, most);
		filter_free(&f);
	}
	fprintf(out, "\n\n");
	free(truth);
}

/* ---------- sizes ---------- */

/* Bits a counter by how full a filter is, beside the entropy of its counters. */
static void
measure_sizes(void)
{
	static const int percents[] = {1, 5, 10, 25, 50, 75, 100, 150, 200, 400, 1000};

	fprintf(out, "# sizes\nblock\tpercent\tbits_per_counter\tentropy\tbits_per_key\n");
	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++)
	{
		pds_bloom_shape shape = shape_of(100000, 0.01, PDS_BLOOM_BLOCKED);
		uint64_t	keys = 1000 * (uint64_t) percents[i];
		filter		f = filter_new(&shape);
		uint64_t	histogram[16];
		double		entropy = 0;
		double		bits;
		payload		p;
		pds_counting_bloom_view v;

		for (uint64_t key = 0; key < keys; key++)
			filter_add(&f, pds_murmur3_u64(next_key++));
		p = filter_encode(&f);
		v = payload_view(&p);
		must(pds_counting_bloom_histogram(&v, histogram) == PDS_OK, "histogram");
		for (int c = 0; c < 16; c++)
			if (histogram[c] > 0)
				entropy -= (double) histogram[c] / (double) shape.bits *
					log2((double) histogram[c] / (double) shape.bits);
		bits = 8 * (double) p.len / (double) shape.bits;
		must(bits <= 4.01 && (percents[i] > 200 || bits <= 1.15 * entropy + 0.05),
			 "%d %% full: %g bits a counter, entropy %g", percents[i], bits, entropy);
		fprintf(out, "sizes\t%d\t%.4f\t%.4f\t%.3f\n", percents[i], bits, entropy,
				8 * (double) p.len / (double) keys);
		payload_free(&p);
		filter_free(&f);
	}
	fprintf(out, "\n\n");
}

int
main(int argc, char **argv)
{
	full = argc > 2 && strcmp(argv[2], "--full") == 0;
	out = argc > 1 ? fopen(argv[1], "w") : stdout;
	if (out == NULL)
		return 2;
	measure_rates();
	measure_windows();
	measure_sizes();
	return finish();
}
