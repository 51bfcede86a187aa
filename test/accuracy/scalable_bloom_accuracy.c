/*
 * scalable_bloom_accuracy.c: how often scalable Bloom filters are wrong, and how large
 * they are
 *
 *     scalable_bloom_accuracy FILE [--full]
 *
 * Writes FILE, blocks of tab-separated lines, and checks each against what is promised.  Every
 * key is found.  At most the promised share of foreign keys is found, up to 4 standard
 * deviations of the count, and as many as the fill predicts.  Keys are integers, hashed as the
 * server does, other ones for each seed.
 */
#include <string.h>

#include "measure.h"

#include "scalable_bloom_sketch.h"

#include "bloom_size.h"
#include "scalable_bloom_estimate.h"

static int	full;
static FILE *out;

static uint64_t next_key;

/* Foreign keys that are found, of so many. */
static double
foreign_found(const pds_scalable_bloom_view *v, uint64_t probes)
{
	uint64_t	found = 0;

	for (uint64_t i = 0; i < probes; i++)
		found += view_contains(v, key(next_key++));
	return (double) found;
}

/* Bits that a bloom of our blocked layout takes for so many keys at a rate. */
static double
bloom_bits(uint64_t n, double rate)
{
	pds_bloom_shape s;

	if (pds_bloom_shape_for(n, pds_decimal_code(rate), PDS_BLOOM_BLOCKED, &s) != PDS_OK)
		return 0;
	return (double) s.bits;
}

/* Planned for so many, added one by one up to 1,000 times as many. */
static void
measure_growth(uint64_t capacity, double rate, uint32_t expansion, uint64_t most, int seeds)
{
	pds_scalable_bloom_parameters p = parameters_of(capacity, rate, expansion);

	for (uint64_t n = capacity; n <= most; n *= 10)
	{
		uint64_t	probes = (uint64_t) ((full ? 10000 : 3000) / rate);
		double		found = 0;
		double		estimated = 0;
		double		bytes = 0;
		double		layers = 0;
		double		all = (double) seeds * (double) probes;
		uint64_t	missed = 0;

		for (int seed = 0; seed < seeds; seed++)
		{
			uint64_t	first = next_key;
			payload		stored;
			pds_scalable_bloom_view v;
			pds_scalable_bloom_summary s;

			next_key += n;
			stored = payload_of_keys(&p, first, first + n);
			v = payload_view(&stored);
			for (uint64_t i = 0; i < n; i++)
				missed += !view_contains(&v, key(first + i));
			found += foreign_found(&v, probes);
			(void) pds_scalable_bloom_summarize(&v, &s);
			estimated += s.current_rate;
			bytes += (double) stored.len;
			layers += v.layers;
			payload_free(&stored);
		}
		fprintf(out, "growth\t%llu\t%g\t%u\t%llu\t%d\t%.4g\t%.6g\t%.6g\t%.6g\t%.6g\n",
				(unsigned long long) capacity, rate, expansion, (unsigned long long) n, seeds,
				layers / seeds, found / all, estimated / seeds, 8 * bytes / seeds / (double) n,
				bloom_bits(n, rate) / (double) n);
		must(missed == 0, "growth: %llu of %llu keys are not found", (unsigned long long) missed,
			 (unsigned long long) n);
		must(found <= all * rate + SIGMAS * sqrt(all * rate),
			 "growth: capacity %llu, rate %g, expansion %u, %llu keys: %g of foreign keys are "
			 "found",
			 (unsigned long long) capacity, rate, expansion, (unsigned long long) n, found / all);
		must(fabs(found - all * estimated / seeds) <= SIGMAS * sqrt(found + 1) + 0.02 * found,
			 "growth: capacity %llu, rate %g, expansion %u, %llu keys: rate %g, by the fill %g",
			 (unsigned long long) capacity, rate, expansion, (unsigned long long) n, found / all,
			 estimated / seeds);
	}
}

/* What an aggregate makes: one layer, for as many as there are. */
static void
measure_collected(double rate, uint64_t n, int seeds)
{
	pds_scalable_bloom_parameters p = parameters_of(1000, rate, 2);
	uint64_t	probes = (uint64_t) ((full ? 10000 : 3000) / rate);
	double		found = 0;
	double		bytes = 0;
	double		all = (double) seeds * (double) probes;

	for (int seed = 0; seed < seeds; seed++)
	{
		sketch		s = sketch_new(&p, true);
		payload		stored;
		pds_scalable_bloom_view v;

		for (uint64_t i = 0; i < n; i++)
			sketch_add(&s, key(next_key++));
		stored = sketch_encode(&s);
		v = payload_view(&stored);
		found += foreign_found(&v, probes);
		bytes += (double) stored.len;
		payload_free(&stored);
		sketch_free(&s);
	}
	fprintf(out, "collected\t%g\t%llu\t%d\t%.6g\t%.6g\t%.6g\n", rate, (unsigned long long) n, seeds,
			found / all, 8 * bytes / seeds / (double) n, bloom_bits(n, rate) / (double) n);
	/* half of the rate is kept for what may follow */
	must(found <= 1.006 * all * rate / 2 + SIGMAS * sqrt(all * rate / 2),
		 "collected: rate %g, %llu keys: %g of foreign keys are found", rate,
		 (unsigned long long) n, found / all);
}

/* Of a number of sketches, each of them full: their rates add up, and it says so. */
static void
measure_unions(int sketches, int seeds)
{
	pds_scalable_bloom_parameters p = parameters_of(1000, 0.01, 2);
	double		found = 0;
	double		estimated = 0;
	uint64_t	probes = full ? 200000 : 50000;
	double		all = (double) seeds * (double) probes;

	for (int seed = 0; seed < seeds; seed++)
	{
		sketch		s = sketch_nothing();
		payload		stored;
		pds_scalable_bloom_view v;
		pds_scalable_bloom_summary sum;

		for (int i = 0; i < sketches; i++)
		{
			payload		one = payload_of_keys(&p, next_key, next_key + 3000);

			next_key += 3000;
			sketch_union_payload(&s, &one);
			payload_free(&one);
		}
		stored = sketch_encode(&s);
		v = payload_view(&stored);
		found += foreign_found(&v, probes);
		(void) pds_scalable_bloom_summarize(&v, &sum);
		estimated += sum.current_rate;
		payload_free(&stored);
		sketch_free(&s);
	}
	fprintf(out, "unions\t%d\t%d\t%.6g\t%.6g\n", sketches, seeds, found / all, estimated / seeds);
	must(fabs(found - all * estimated / seeds) <= SIGMAS * sqrt(found) + 0.02 * found,
		 "unions: of %d sketches: rate %g, by the fill %g", sketches, found / all,
		 estimated / seeds);
}

int
main(int argc, char **argv)
{
	if (argc < 2 || (out = fopen(argv[1], "w")) == NULL)
	{
		fprintf(stderr, "usage: scalable_bloom_accuracy FILE [--full]\n");
		return 2;
	}
	full = argc > 2 && strcmp(argv[2], "--full") == 0;
	next_key = test_random() >> 8;

	fprintf(out,
			"# growth\nblock\tcapacity\tpromised\texpansion\tn\tseeds\tlayers\trate\testimated\t"
			"bits_per_key\tbloom_bits_per_key\n");
	measure_growth(1000, 0.01, 2, 1000000, full ? 10 : 1);
	measure_growth(1000, 0.1, 2, 100000, full ? 20 : 2);
	measure_growth(1000, 0.001, 2, full ? 1000000 : 100000, full ? 5 : 1);
	measure_growth(1000, 0.01, 4, full ? 1000000 : 100000, full ? 10 : 1);
	measure_growth(10, 0.01, 2, 10000, full ? 100 : 5);
	if (full)
		measure_growth(10000, 0.0001, 2, 1000000, 1);

	fprintf(out,
			"# collected\nblock\tpromised\tn\tseeds\trate\tbits_per_key\tbloom_bits_per_key\n");
	measure_collected(0.01, 1000, full ? 100 : 10);
	measure_collected(0.01, 100000, full ? 10 : 1);
	measure_collected(0.001, 100000, full ? 5 : 1);
	measure_collected(0.01, 2000000, 1);

	fprintf(out, "# unions\nblock\tsketches\tseeds\trate\testimated\n");
	for (int sketches = 1; sketches <= 30; sketches = sketches == 1 ? 3 : sketches == 3 ? 10
		 : 3 * sketches)
		measure_unions(sketches, full ? 20 : 3);
	fclose(out);
	return finish();
}
