/*
 * cuckoo_accuracy.c: how often cuckoo filters are wrong, and how large they are
 *
 *     cuckoo_accuracy FILE [--full]
 *
 * Writes FILE, blocks of tab-separated lines, and checks each against what is promised.  With D
 * classes of M held, a value that is not held is found with the probability D / M (cuckoo.h),
 * so the number of such values is binomial. n distinct values have D = M (1 - exp(-n / M))
 * classes on average.  A value that is held is always found, whatever was added and removed
 * before.  Values are integers, hashed as the server does, other ones for each filter.
 */
#include <string.h>

#include "measure.h"

#include "cuckoo_sketch.h"

static int	full;
static FILE *out;

static uint64_t next_key;

/* ---------- rate and size ---------- */

static void
measure_rate(uint64_t capacity, double rate, double filled)
{
	pds_cuckoo_shape shape = shape_of(capacity, rate);
	sketch		s = sketch_new(&shape);
	uint64_t	n = (uint64_t) ((double) capacity * filled);
	/* at capacity so many that four standard deviations are below a tenth of the rate */
	uint64_t	probes = filled == 1 && 2000 / rate > 1e6 ? (uint64_t) (2000 / rate) :
		full ? 5000000 : 1000000;
	double		m = (double) shape.classes;
	double		expected = m * -expm1(-(double) n / m);
	uint64_t	found = 0;
	double		said;
	double		measured;
	double		bits;
	double		most = log2(1 / rate) + 2.6;
	payload		stored;

	for (uint64_t i = 0; i < n; i++)
		sketch_add(&s, pds_murmur3_u64(next_key++));
	pds_cuckoo_flush(s.b);
	said = pds_cuckoo_rate(&shape, pds_cuckoo_distinct(s.b));
	for (uint64_t i = 0; i < probes; i++)
		found += pds_cuckoo_count(s.b, pds_murmur3_u64(next_key++)) > 0;
	measured = (double) found / (double) probes;
	stored = sketch_encode(&s);
	bits = 8 * (double) stored.len / (double) n;
	fprintf(out, "rate\t%llu\t%g\t%g\t%.6g\t%.6g\t%.4f\t%.2f\n", (unsigned long long) capacity,
			rate,
			filled, measured, said, measured / (rate * filled), bits);

	/* of throws into classes, the variance of those hit is below their number's */
	must(fabs((double) pds_cuckoo_distinct(s.b) - expected) <=
		 SIGMAS * sqrt(expected * expected / m) + 1,
		 "rate: %llu classes of %llu values, not %.0f",
		 (unsigned long long) pds_cuckoo_distinct(s.b), (unsigned long long) n, expected);
	must(fabs(measured - said) <= SIGMAS * sqrt(said * (1 - said) / (double) probes),
		 "rate: %g of %llu at %g, %g is said", measured, (unsigned long long) capacity, rate, said);
	must(filled > 1 || measured <= 1.1 * rate, "rate: %g of %llu at %g", measured,
		 (unsigned long long) capacity, rate);
	must(filled != 1 || capacity < 1000 || bits <= most, "size: %.2f bits a value, at most %.2f",
		 bits,
		 most);
	must(fabs(pds_cuckoo_cardinality(&shape, pds_cuckoo_distinct(s.b)) / (double) n - 1) <=
		 SIGMAS / sqrt(m) + 1 / (double) n, "cardinality: off for %llu", (unsigned long long) n);
	payload_free(&stored);
	sketch_free(&s);
}

static void
measure_rates(void)
{
	static const double rates[] = {0.1, 0.03, 0.01, 0.001, 0.0001};
	static const double fills[] = {0.1, 0.5, 1, 2, 8};

	fprintf(out, "# rate\nblock\tcapacity\trate\tfilled\tmeasured\tsaid\tof_promised\tbits\n");
	for (int r = 0; r < 5; r++)
		for (uint64_t capacity = 100; capacity <= (full ? 10000000 : 1000000); capacity *= 10)
			for (int f = 0; f < 5; f++)
				if (capacity <= 100000 || fills[f] == 1)
					measure_rate(capacity, rates[r], fills[f]);
}

/* ---------- adding and removing ---------- */

/*
 * Adds and removes in random order, up to "most" values held of which a part is held
 * several times; now and then those that must be found are looked for.
 */
static void
measure_changes(double rate, uint64_t changes, uint64_t probes)
{
	uint64_t	most = changes / 10;
	pds_cuckoo_shape shape = shape_of(most / 2, rate);
	sketch		s = sketch_new(&shape);
	uint64_t   *held = sketch_memory(most * sizeof(uint64_t));
	uint64_t	n = 0;
	uint64_t	missed = 0;
	uint64_t	refused = 0;
	uint64_t	asked = 0;

	for (uint64_t i = 0; i < changes; i++)
	{
		/* mostly more in the first half, mostly fewer in the second */
		bool		add = n == 0 || (n < most && test_random() % 8 < (i < changes / 2 ? 5 : 3));

		if (add)
		{
			uint64_t	key = test_random() % 4 == 0 && n > 0 ? held[test_random() % n]
				: next_key++;

			sketch_add(&s, pds_murmur3_u64(key));
			held[n++] = key;
		}
		else
		{
			uint64_t	at = test_random() % n;

			refused += pds_cuckoo_remove(s.b, pds_murmur3_u64(held[at])) != PDS_OK;
			held[at] = held[--n];
		}
		for (; n > 0 && asked < probes * (i + 1) / changes; asked++)
		{
			uint64_t	at = asked % 64 == 0 ? 0 : test_random() % n;

			missed += sketch_count(&s, pds_murmur3_u64(held[at])) == 0;
		}
	}
	fprintf(out, "changes\t%g\t%llu\t%llu\t%llu\t%llu\t%llu\n", rate, (unsigned long long) changes,
			(unsigned long long) n, (unsigned long long) asked, (unsigned long long) missed,
			(unsigned long long) refused);
	must(missed == 0, "changes: %llu of %llu are not found", (unsigned long long) missed,
		 (unsigned long long) asked);
	must(refused == 0, "changes: %llu values that are held cannot be removed",
		 (unsigned long long) refused);
	must(s.b->total == n, "changes: %llu copies of %llu", (unsigned long long) s.b->total,
		 (unsigned long long) n);
	free(held);
	sketch_free(&s);
}

/* ---------- how full tables get ---------- */

static void
measure_loads(void)
{
	static const double rates[] = {0.03, 0.01, 0.001, 0.0001};

	fprintf(out, "\n\n# load\nblock\trate\tvalues\tload\n");
	for (int r = 0; r < 4; r++)
	{
		pds_cuckoo_shape shape = shape_of(10000, rates[r]);
		sketch		s = sketch_new(&shape);

		for (uint64_t n = 0; n < (full ? 30000000 : 2000000); n++)
		{
			uint64_t	buckets = s.b->buckets;
			double		load =
				(double) (s.b->used + s.b->pending) / (double) (4 * s.b->buckets);

			sketch_add(&s, pds_murmur3_u64(next_key++));
			if (s.b->buckets == buckets || n < 1000)
				continue;
			fprintf(out, "load\t%g\t%llu\t%.4f\n", rates[r], (unsigned long long) n, load);
			must(load >= 0.94, "load: a table of %llu values grows at %.4f", (unsigned long long) n,
				 load);
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
	measure_rates();
	measure_loads();
	fprintf(out, "\n\n# changes\nblock\trate\tchanges\theld\tasked\tmissed\trefused\n");
	measure_changes(0.01, 1000000, 10000000);
	measure_changes(0.0001, full ? 10000000 : 1000000, 1000000);
	fclose(out);
	return finish();
}
