/*
 * cms_accuracy.c: how far off Count-Min sketches are, and how large
 *
 *     cms_accuracy FILE [--full]
 *
 * Writes FILE, blocks of tab-separated lines, and checks each against what is promised.  No
 * estimate is too low.  For each of 100 seeds, at most a share of delta of the keys has an
 * estimate more than epsilon * N too high.  Conservative update has mean errors well below the
 * plain ones.  Sizes are checked, too.  Keys are integers, hashed as the server does, other
 * ones for each seed.
 */
#include <string.h>

#include "measure.h"

#include "cms_sketch.h"

static int	full;
static FILE *out;

static uint64_t next_key;

static uint64_t estimates_asked;
static uint64_t estimates_low;

/* ---------- how often keys occur ---------- */

/*
 * Zipf: the i-th in proportion to i^-s.  Alike: some 1 / epsilon keys of just over epsilon * N
 * each, which fill the sum.  This is the worst case, because sharing one counter with any of
 * them is too much.
 */
typedef struct frequencies
{
	const char *name;
	double		s;				/* Zipf's exponent; 0: alike */
} frequencies;

static const frequencies distributions[] = {
	{"worst", 0}, {"Zipf 0.8", 0.8}, {"Zipf 1", 1}, {"Zipf 1.2", 1.2}, {"Zipf 1.5", 1.5}
};

#define DISTRIBUTIONS	((int) (sizeof(distributions) / sizeof(distributions[0])))

/* How many distinct keys there are, and how often the i-th (from 0) of them occurs. */
static uint64_t
keys_of(const frequencies *f, double epsilon, uint64_t most)
{
	return f->s > 0 ? most : (uint64_t) (1 / epsilon) - 1;
}

static uint64_t
count_of(const frequencies *f, uint64_t i)
{
	return f->s > 0 ? 1 + (uint64_t) (1e7 * pow((double) i + 1, -f->s)) : 1000;
}

/* ---------- the bound ---------- */

/* What was seen of the sketches of one shape and distribution. */
typedef struct bound
{
	int			seeds;
	double		worst;			/* largest share, of a seed, of keys above the bound */
	double		worst_foreign;	/* the same of keys that are not in the sketch */
	double		worst_lower;	/* and of keys in it less frequent than cms_bounds says */
	double		shares;			/* sum of the first */
	double		error;			/* sum of mean errors, of epsilon * N */
} bound;

#define FOREIGN_KEYS	10000

static double
larger(double a, double b)
{
	return a > b ? a : b;
}

static void
measure_seed(bound *b, const pds_cms_shape *s, double epsilon, const frequencies *f, uint64_t most)
{
	sketch		k = sketch_new(s);
	uint64_t	first = next_key;
	uint64_t	n = keys_of(f, epsilon, most);
	uint64_t	over = 0;
	uint64_t	foreign = 0;
	uint64_t	below = 0;
	double		sum = 0;
	double		allowed;

	pds_cms_build_init_to_ask(k.b, s);
	for (uint64_t i = 0; i < n; i++)
		sketch_add(&k, pds_murmur3_u64(first + i), (int64_t) count_of(f, i));
	pds_cms_flush(k.b);
	allowed = epsilon * (double) k.b->total;
	next_key += n;
	for (uint64_t i = 0; i < n; i++)
	{
		uint64_t	estimate = pds_cms_build_frequency(k.b, pds_murmur3_u64(first + i));
		uint64_t	truth = count_of(f, i);

		estimates_low += estimate < truth;
		over += (double) estimate - (double) truth > allowed;
		below += truth < pds_cms_lower_bound(s, k.b->total, estimate);
		sum += (double) estimate - (double) truth;
	}
	for (int i = 0; i < FOREIGN_KEYS; i++)
		foreign += (double) pds_cms_build_frequency(k.b, pds_murmur3_u64(next_key++)) > allowed;
	estimates_asked += n;
	b->seeds++;
	b->worst = larger(b->worst, (double) over / (double) n);
	b->worst_foreign = larger(b->worst_foreign, (double) foreign / FOREIGN_KEYS);
	b->worst_lower = larger(b->worst_lower, (double) below / (double) n);
	b->shares += (double) over / (double) n;
	b->error += sum / (double) n / allowed;
	sketch_free(&k);
}

static void
measure_bounds(void)
{
	static const double shapes[][2] = {{0.001, 0.01}, {0.0001, 0.001}, {0.01, 0.1}, {0.0001, 0.1}};

	fprintf(out,
			"# bound\nblock\tepsilon\tdelta\tdistribution\tkeys\tseeds\tshare\tworst\t"
			"worst_foreign\tworst_lower\terror\n");
	for (int i = 0; i < (full ? 4 : 2); i++)
	{
		pds_cms_shape s = shape_of(shapes[i][0], shapes[i][1]);

		for (int d = 0; d < DISTRIBUTIONS; d++)
		{
			const frequencies *f = &distributions[d];
			uint64_t	most = full ? 100000 : 10000;
			bound		b = {0};

			while (b.seeds < 100)
				measure_seed(&b, &s, shapes[i][0], f, most);
			fprintf(out, "bound\t%g\t%g\t%s\t%llu\t%d\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\n",
					shapes[i][0], shapes[i][1],
					f->name, (unsigned long long) keys_of(f, shapes[i][0], most), b.seeds,
					b.shares / b.seeds,
					b.worst, b.worst_foreign, b.worst_lower, b.error / b.seeds);
			must(b.worst <= shapes[i][1],
				 "bound: (%g, %g), %s: for one seed %g of the keys are over it",
				 shapes[i][0], shapes[i][1], f->name, b.worst);
			must(b.worst_foreign <= shapes[i][1],
				 "bound: (%g, %g), %s: for one seed %g of foreign keys are over it",
				 shapes[i][0], shapes[i][1], f->name, b.worst_foreign);
			must(b.worst_lower <= shapes[i][1],
				 "bound: (%g, %g), %s: for one seed %g of the keys are below cms_bounds",
				 shapes[i][0], shapes[i][1], f->name, b.worst_lower);
		}
	}
}

/* ---------- conservative update ---------- */

/* Row by row in random order: s of Zipf, over so many keys. */
static uint64_t
draw_key(double s, uint64_t keys)
{
	/* of the continuous law, rounded down; for s = 1 its limit */
	double		u = ((double) (test_random() >> 11) + 0.5) / 9007199254740992.0;
	double		x = s == 1 ? pow((double) keys + 1, u) :
		pow(1 + u * (pow((double) keys + 1, 1 - s) - 1), 1 / (1 - s));

	return (uint64_t) x - 1;
}

static double
mean_error(const sketch *k, const uint64_t *truth, uint64_t first, uint64_t keys)
{
	double		sum = 0;
	uint64_t	n = 0;

	pds_cms_flush(k->b);
	for (uint64_t i = 0; i < keys; i++)
	{
		uint64_t	estimate;

		if (truth[i] == 0)
			continue;
		estimate = pds_cms_build_frequency(k->b, pds_murmur3_u64(first + i));
		estimates_low += estimate < truth[i];
		estimates_asked++;
		sum += (double) (estimate - truth[i]);
		n++;
	}
	return sum / (double) n;
}

#define PARTS	10

static void
measure_conservative(double s, uint64_t keys, uint64_t rows, double most)
{
	pds_cms_shape plain_shape = shape_of(0.001, 0.01);
	pds_cms_shape shape = conservative_shape_of(0.001, 0.01);
	sketch		plain = sketch_new(&plain_shape);
	sketch		all = sketch_new(&shape);
	sketch		part[PARTS];
	uint64_t   *truth = sketch_memory(keys * sizeof(*truth));
	uint64_t	first = next_key;
	double		of_plain;
	double		of_all;
	double		of_merged;

	memset(truth, 0, keys * sizeof(*truth));
	pds_cms_build_init_to_ask(plain.b, &plain_shape);
	for (int i = 0; i < PARTS; i++)
		part[i] = sketch_new(&shape);
	for (uint64_t i = 0; i < rows; i++)
	{
		uint64_t	key = draw_key(s, keys);
		pds_hash	h = pds_murmur3_u64(first + key);

		truth[key]++;
		sketch_add(&plain, h, 1);
		sketch_add(&all, h, 1);
		sketch_add(&part[i * PARTS / rows], h, 1);
	}
	next_key += keys;
	of_plain = mean_error(&plain, truth, first, keys);
	of_all = mean_error(&all, truth, first, keys);
	for (int i = 1; i < PARTS; i++)
		if (sketch_try_merge(&part[0], &part[i], false) != PDS_OK)
			sketch_die("cannot be merged");
	of_merged = mean_error(&part[0], truth, first, keys);
	fprintf(out, "conservative\t%g\t%llu\t%llu\t%.6g\t%.6g\t%.6g\t%.4f\t%.4f\n", s,
			(unsigned long long) keys,
			(unsigned long long) rows, of_plain, of_all, of_merged, of_all / of_plain,
			of_merged / of_plain);
	must(of_all <= most * of_plain, "conservative: Zipf %g: %.3f of the plain mean error", s,
		 of_all / of_plain);
	must(of_merged <= of_plain, "conservative: Zipf %g: merged %.3f of the plain mean error", s,
		 of_merged / of_plain);
	for (int i = 0; i < PARTS; i++)
		sketch_free(&part[i]);
	sketch_free(&plain);
	sketch_free(&all);
	free(truth);
}

static void
measure_conservatives(void)
{
	uint64_t	rows = full ? 10000000 : 500000;

	fprintf(out,
			"\n\n# conservative\nblock\ts\tkeys\trows\tplain\tconservative\tmerged\tratio\t"
			"merged_ratio\n");
	measure_conservative(0.8, 50000, rows, 0.75);
	measure_conservative(1, 50000, rows, 0.6);
	measure_conservative(1.2, 50000, rows, 0.6);
	measure_conservative(1.5, 50000, rows, 0.6);
	measure_conservative(1, 1000000, rows, 0.75);
}

/* ---------- bytes stored ---------- */

/* By the number of rows, all of other keys (s = 0) or as Zipf has it. */
static void
measure_size(const char *name, double s, double rows)
{
	pds_cms_shape shape = shape_of(0.001, 0.01);
	sketch		k = sketch_new(&shape);
	uint64_t	n = 0;
	payload		stored = sketch_encode(&k);

	must(stored.len <= 40, "size: %zu bytes of nothing", stored.len);
	payload_free(&stored);
	for (double to = 1; to <= rows * 1.01; to *= pow(10, 1 / 12.0))
	{
		const char *encoding;

		for (; (double) n < round(to); n++)
			sketch_add(&k, pds_murmur3_u64(next_key + (s == 0 ? n : draw_key(s, 1000000))), 1);
		stored = sketch_encode(&k);
		encoding = stored.bytes[1] == PDS_CMS_SPARSE ? "sparse" : stored.bytes[1] == PDS_CMS_DENSE1
			? "1 byte" :
			stored.bytes[1] == PDS_CMS_DENSE2 ? "2 bytes" : "4 bytes";
		fprintf(out, "size\t%s\t%llu\t%zu\t%s\n", name, (unsigned long long) n, stored.len,
				encoding);
		must(n > 100 || stored.len <= 3000, "size: %zu bytes of %llu keys", stored.len,
			 (unsigned long long) n);
		must(n > 10000001 || stored.len <= 56000, "size: %zu bytes of %llu rows", stored.len,
			 (unsigned long long) n);
		must(stored.len <= 109000, "size: %zu bytes", stored.len);
		payload_free(&stored);
	}
	next_key += n;
	sketch_free(&k);
}

/* 100 keys with weights up to so many bits; and all counters at their largest. */
static void
measure_weights(void)
{
	for (int bits = 1; bits <= 50; bits++)
	{
		pds_cms_shape shape = shape_of(0.001, 0.01);
		sketch		k = sketch_new(&shape);
		payload		stored;

		for (int i = 0; i < 100; i++)
			sketch_add(&k, pds_murmur3_u64(next_key++), (int64_t) (test_random() >> (64 - bits))
					   + 1);
		stored = sketch_encode(&k);
		must(bits > 40 || stored.len <= 3000, "size: %zu bytes of 100 keys with weights of %d bits",
			 stored.len, bits);
		payload_free(&stored);
		for (int i = 0; i < 20000; i++)
			sketch_add(&k, pds_murmur3_u64(next_key++),
					   (int64_t) (test_random() >> (64 - bits)) / 256 + 1);
		stored = sketch_encode(&k);
		must(stored.len <= 109000, "size: %zu bytes", stored.len);
		payload_free(&stored);
		sketch_free(&k);
	}
}

int
main(int argc, char **argv)
{
	if (argc < 2 || (out = fopen(argv[1], "w")) == NULL)
		return 2;
	full = argc > 2 && strcmp(argv[2], "--full") == 0;
	measure_bounds();
	measure_conservatives();
	fprintf(out, "\n\n# size\nblock\trows_are\trows\tbytes\tencoding\n");
	measure_size("distinct", 0, full ? 1e8 : 1e7);
	measure_size("Zipf", 1, full ? 1e8 : 1e7);
	measure_weights();
	fprintf(out, "\n\n# estimates\nblock\tasked\tlow\nestimates\t%llu\t%llu\n",
			(unsigned long long) estimates_asked, (unsigned long long) estimates_low);
	must(estimates_low == 0, "estimates: %llu of %llu are too low",
		 (unsigned long long) estimates_low,
		 (unsigned long long) estimates_asked);
	fclose(out);
	return finish();
}
