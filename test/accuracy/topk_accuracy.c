/*
 * topk_accuracy.c: that the bounds of topk hold for every value, of many streams and
 * trees of merges, and how far apart they are
 *
 *     topk_accuracy FILE [--full]
 *
 * Nothing here is a matter of chance: a single value outside its bounds is a failure.
 * Of each sketch, with its total N, offset o, and m = k' + 1:
 *
 *     each value's true frequency is within its bounds, or at most o if it is not there
 *     o <= (N - C) / m, C what all upper bounds are above o
 *     o <= R_j / (m - j) for every j < m, R_j what all but the j most frequent values
 *          have together (which follows from the line before)
 *     a sketch of no more than k' values is exact
 */
#include <stdlib.h>
#include <string.h>

#include "measure.h"

#include "topk_sketch.h"

static int	full;
static FILE *out;

/* Values are numbers below this. */
#define VALUES		400000

static uint64_t truth[VALUES];
static uint64_t total;
static uint8_t *seen;

static size_t
below(size_t n)
{
	return (size_t) (test_random() % n);
}

/* ---------- streams ---------- */

typedef struct stream
{
	const char *name;
	double		s;				/* Zipf's exponent, or 0 for another shape */
} stream;

static const stream streams[] = {
	{"Zipf 0.6", 0.6}, {"Zipf 0.8", 0.8}, {"Zipf 1.0", 1.0}, {"Zipf 1.2", 1.2}, {"Zipf 1.5", 1.5},
	{"uniform", 0}, {"400,000 in turn", 0}, {"2,049 in turn", 0}, {"frequent ones first", 0},
	{"frequent ones last", 0},
	{"in blocks", 0},
};

#define STREAMS	(sizeof(streams) / sizeof(streams[0]))

static double cumulated[VALUES];

static void
prepare(const stream *st)
{
	double		sum = 0;

	if (st->s == 0)
		return;
	for (int i = 0; i < VALUES; i++)
		cumulated[i] = sum += pow(i + 1, -st->s);
}

static uint64_t
zipf(void)
{
	double		x = (double) (test_random() >> 11) / 9007199254740992.0 * cumulated[VALUES - 1];
	int			low = 0;
	int			high = VALUES - 1;

	while (low < high)
	{
		int			middle = (low + high) / 2;

		if (cumulated[middle] < x)
			low = middle + 1;
		else
			high = middle;
	}
	/* so that numbers do not say how frequent they are */
	return (uint64_t) low * 7919 % VALUES;
}

/* Value number i of n of a stream, in a sketch of so many counters. */
static uint64_t
draw(size_t which, uint64_t i, uint64_t n, uint32_t counters)
{
	if (streams[which].s > 0)
		return zipf();
	switch (which)
	{
		case 5:
			return below(VALUES);
		case 6:
			return i % VALUES;
		case 7:
			/* one more than there are counters, again and again: the worst there is */
			return i % (counters + 1);
		case 8:
			return i < n / 4 ? below(50) : 50 + i % (VALUES - 50);
		case 9:
			return i > 3 * (n / 4) ? below(50) : 50 + i % (VALUES - 50);
		default:
			/* for a while one thousand values, then another */
			return (i / 20000 * 1000 + below(1000)) % VALUES;
	}
}

static uint64_t
draw_weight(int weights, uint64_t i)
{
	switch (weights)
	{
		case 0:
			return 1;
		case 1:
			return 1 + below(100);
		default:
			return 1 + (test_random() >> (30 + i % 34));
	}
}

/* ---------- judging ---------- */

static int
compare_falling(const void *a, const void *b)
{
	uint64_t	x = *(const uint64_t *) a;
	uint64_t	y = *(const uint64_t *) b;

	return x > y ? -1 : x < y;
}

/* What was seen of a sketch. */
typedef struct figures
{
	double		error;			/* o / N */
	double		limit;			/* 1 / m */
	double		tail;			/* the least R_j / (m - j) / N */
	int			top;			/* how many of the 20 most frequent values are the first 20 */
	int			exact_top;		/* how many of these have an exact count */
	double		spread;			/* most (upper - lower) / upper of these */
	size_t		bytes;
} figures;

static figures
judge(const payload *p, const char *what)
{
	static uint64_t sorted[VALUES];
	pds_topk_view v = payload_view(p);
	pds_topk_cursor c;
	pds_topk_item item;
	uint64_t	m = v.counters + 1;
	uint64_t	counts = 0;
	uint64_t	wrong = 0;
	uint64_t	missing = 0;
	uint64_t	different = 0;
	uint64_t	rest = total;
	double		tail = (double) total;
	int			number = 0;
	figures		f = {(double) v.offset / (double) total, 1 / (double) m, 1, 0, 0, 0, p->len};

	memset(seen, 0, VALUES);
	memcpy(sorted, truth, sizeof(sorted));
	qsort(sorted, VALUES, sizeof(uint64_t), compare_falling);

	must(payload_accepted(p, NULL), "%s: no sketch", what);
	must(v.total == total, "%s: total", what);
	pds_topk_items_from(&c, &v);
	for (; c.left > 0 && pds_topk_next(&c, &item, NULL) == PDS_OK; number++)
	{
		char		text[VALUE_TEXT] = "";
		uint64_t	value;

		memcpy(text, item.text, item.len);
		value = strtoull(text, NULL, 10);
		seen[value] = 1;
		wrong += truth[value] > item.upper || truth[value] < item.upper - item.error;
		counts += item.upper - v.offset;
		if (number < 20)
		{
			double		spread = (double) item.error / (double) item.upper;

			f.top += truth[value] >= sorted[19];
			f.exact_top += item.error == 0;
			if (spread > f.spread)
				f.spread = spread;
		}
	}
	for (int i = 0; i < VALUES; i++)
	{
		missing += !seen[i] && truth[i] > v.offset;
		different += truth[i] > 0;
	}
	must(c.left == 0 && wrong == 0, "%s: %llu values outside their bounds", what,
		 (unsigned long long) wrong);
	must(missing == 0, "%s: %llu values above the offset missing", what,
		 (unsigned long long) missing);
	must(v.offset <= (total - counts) / m, "%s: offset %llu above (N - C) / m", what,
		 (unsigned long long) v.offset);
	for (uint64_t j = 0; j < m && j < VALUES; j++)
	{
		if ((double) rest / (double) (m - j) < tail)
			tail = (double) rest / (double) (m - j);
		rest -= sorted[j];
	}
	must((double) v.offset <= tail * (1 + 1e-9), "%s: offset %llu above the tail's %g", what,
		 (unsigned long long) v.offset, tail);
	must(different >= m || (v.offset == 0 && v.items == different), "%s: not exact", what);
	must(different < m || v.items == m - 1, "%s: %u items", what, v.items);
	f.tail = tail / (double) total;
	return f;
}

/* ---------- trees ---------- */

static const char *const trees[] = {"one sketch", "one by one", "pairs", "at random",
	"stored and not"};

#define TREES	(sizeof(trees) / sizeof(trees[0]))

static void
merge(sketch *to, sketch *from, bool stored)
{
	pds_status	status;

	if (stored)
	{
		payload		p = sketch_encode(from);

		status = sketch_merge_payload(to, &p);
		payload_free(&p);
	}
	else
		status = sketch_merge(to, from);
	must(status == PDS_OK, "a merge says %d", (int) status);
}

/* Rows dealt out to parts, and these merged. */
static figures
trial(size_t which, uint64_t n, uint32_t k, int weights, size_t tree, int parts, bool by_time)
{
	sketch	   *part = calloc((size_t) parts, sizeof(sketch));
	char		what[200];
	payload		p;
	figures		f;

	snprintf(what, sizeof(what), "%s, %llu rows, k %u, weights %d, %d parts%s, %s",
			 streams[which].name,
			 (unsigned long long) n, k, weights, parts, by_time ? " by time" : "", trees[tree]);
	memset(truth, 0, sizeof(truth));
	total = 0;
	for (int i = 0; i < parts; i++)
		part[i] = sketch_new(k, PDS_KIND_NUMBER);
	for (uint64_t i = 0; i < n; i++)
	{
		uint64_t	value = draw(which, i, n, pds_topk_usual_counters(k));
		uint64_t	weight = draw_weight(weights, i);
		int			to = by_time ? (int) (i * (uint64_t) parts / n) :
			(int) below((size_t) parts);

		if (sketch_add(&part[to], value, weight) != PDS_OK)
			must(0, "%s: a value is refused", what);
		truth[value] += weight;
		total += weight;
	}
	for (int left = parts; left > 1;)
	{
		int			from = left - 1;
		int			to = 0;
		bool		stored = tree == 1 || tree == 2;

		if (tree == 2)
		{
			/* each of the second half into one of the first */
			int			half = (left + 1) / 2;

			for (int i = half; i < left; i++)
			{
				merge(&part[i - half], &part[i], stored);
				sketch_free(&part[i]);
			}
			left = half;
			continue;
		}
		if (tree == 3 || tree == 4)
		{
			from = 1 + (int) below((size_t) (left - 1));
			to = (int) below((size_t) from);
			stored = tree == 4 && below(2) == 0;
		}
		merge(&part[to], &part[from], stored);
		sketch_free(&part[from]);
		part[from] = part[--left];
	}
	p = sketch_encode(&part[0]);
	f = judge(&p, what);
	payload_free(&p);
	sketch_free(&part[0]);
	free(part);
	return f;
}

/* ---------- ---------- */

/* Every stream by every tree, with all weights, parts and k. */
static void
measure_bounds(void)
{
	static const int parts[] = {2, 18, 150};
	static const uint32_t ks[] = {20, 1, 300};
	int			rounds = full ? 12 : 1;
	uint64_t	n = full ? 200000 : 30000;
	unsigned long trials = 0;

	for (size_t which = 0; which < STREAMS; which++)
	{
		prepare(&streams[which]);
		for (size_t tree = 0; tree < TREES; tree++)
			for (int round = 0; round < 3 * rounds; round++)
			{
				(void) trial(which, n / 2 + below(n), ks[(round / 3 + round) % 3], round % 3, tree,
							 tree == 0 ? 1 : parts[(round / 3 + 2 * round) % 3], below(2) == 0);
				trials++;
			}
	}
	fprintf(out, "# bounds\nblock\ttrials\tvalues\nbounds\t%lu\t%llu\n", trials,
			(unsigned long long) trials * VALUES);
}

/* How close the bounds are: k = 20, one sketch and 18 merged ones. */
static void
measure_error(void)
{
	uint64_t	n = full ? 10000000 : 300000;

	fprintf(out,
			"\n\n# error\nblock\tstream\tparts\trows\terror\ttail\tlimit\ttop\texact\tspread\t"
			"bytes\n");
	for (size_t which = 0; which < STREAMS; which++)
	{
		prepare(&streams[which]);
		for (int parts = 1; parts <= 18; parts += 17)
		{
			figures		f = trial(which, n, 20, 0, parts > 1, parts, true);

			fprintf(out, "error\t%s\t%d\t%llu\t%.3g\t%.3g\t%.3g\t%d\t%d\t%.3g\t%zu\n",
					streams[which].name, parts,
					(unsigned long long) n, f.error, f.tail, f.limit, f.top, f.exact_top, f.spread,
					f.bytes);
			if (streams[which].s >= 1)
				must(f.top == 20, "%s, %d parts: %d of the 20 most frequent", streams[which].name,
					 parts, f.top);
		}
	}
}

int
main(int argc, char **argv)
{
	if (argc < 2 || (out = fopen(argv[1], "w")) == NULL || (seen = malloc(VALUES)) == NULL)
		return 2;
	full = argc > 2 && strcmp(argv[2], "--full") == 0;
	measure_bounds();
	measure_error();
	fclose(out);
	return finish();
}
