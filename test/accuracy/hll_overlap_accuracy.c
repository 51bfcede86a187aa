/*
 * hll_overlap_accuracy.c: how far estimated intersections and unions are off
 *
 *     hll_overlap_accuracy FILE [--full]
 *
 * Appends two blocks to FILE. The first compares joint maximum likelihood with
 * inclusion-exclusion on simulated registers, and once on real hashes, to see that the result
 * is the same. The second has pairs of all kinds that must give numbers.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

#include "hll_reference.h"
#include "hll_simulate.h"
#include "hll_sketch.h"

#include "murmur3.h"
#include "hll_estimate.h"
#include "hll_registers.h"

#define PC(x) ((x) * 100)

static int	full;
static FILE *out;

static uint8_t first[1 << PDS_HLL_MAX_PRECISION];
static uint8_t second[1 << PDS_HLL_MAX_PRECISION];
static uint8_t merged[1 << PDS_HLL_MAX_PRECISION];

/* Two sets: so many values only in one, only in the other, in both. */
typedef struct scenario
{
	const char *name;
	int			p;
	double		only_1;
	double		only_2;
	double		both;
	bool		hashed;
} scenario;

typedef struct result
{
	errors		joint;			/* of the intersection, by joint likelihood, */
	errors		apart;			/* by inclusion-exclusion, */
	errors		clamped;		/* the same, never below 0 */
	errors		jaccard;
	errors		joint_union;	/* of the union, as the sum of the three */
	errors		merged_union;	/* and from the merged registers */
	double		error;			/* sum of half the bounds at one standard deviation */
	double		estimate;		/* sum of both */
	long		held;			/* true number within the bounds at 95 % */
	long		told;
	long		broken;			/* no number, or negative */
	long		short_of;		/* the truth is likelier than the estimate */
	long		trials;
} result;

static double
cardinality(const uint8_t *registers, int p)
{
	pds_hll_summary s;

	memset(&s, 0, sizeof(s));
	s.precision = (uint8_t) p;
	s.dense = true;
	pds_hll_registers_histogram(registers, p, s.histogram);
	return pds_hll_cardinality(&s);
}

/*
 * Up to so many values are thrown one by one: the model's random number of them
 * would show beside the error.
 */
#define FEW		150000

/* Let n random values fall to these registers (and those, if any). */
static void
throw_values(int p, double n, uint8_t *registers, uint8_t *others)
{
	for (double i = 0; i < n; i++)
	{
		uint64_t	h = test_random();
		size_t		index = (size_t) (h & (pds_hll_registers(p) - 1));
		uint8_t		rank = (uint8_t) (1 + pds_ctz64(h >> p | UINT64_C(1) << (64 - p)));

		if (registers[index] < rank)
			registers[index] = rank;
		if (others != NULL && others[index] < rank)
			others[index] = rank;
	}
}

static void
make_pair(const scenario *sc)
{
	/* of a pair at random no error is taken */
	double		few = sc->name != NULL ? FEW : FEW / 100;

	simulate_pair(first, second, sc->p, sc->only_1 > few ? sc->only_1 : 0,
				  sc->only_2 > few ? sc->only_2 : 0, sc->both > few ? sc->both : 0);
	if (sc->only_1 <= few)
		throw_values(sc->p, sc->only_1, first, NULL);
	if (sc->only_2 <= few)
		throw_values(sc->p, sc->only_2, second, NULL);
	if (sc->both <= few)
		throw_values(sc->p, sc->both, first, second);
}

/* The registers of the two sets of real integers. */
static void
hash_pair(const scenario *sc)
{
	sketch		a = sketch_dense(sc->p);
	sketch		b = sketch_dense(sc->p);
	uint64_t	at = test_random();
	double		all = sc->only_1 + sc->both + sc->only_2;

	for (double i = 0; i < all; i++)
	{
		uint64_t	h = pds_murmur3_u64(at++).h1;

		if (i < sc->only_1 + sc->both)
			sketch_add(&a, h);
		if (i >= sc->only_1)
			sketch_add(&b, h);
	}
	pds_hll_flush(a.b);
	pds_hll_flush(b.b);
	memcpy(first, pds_hll_build_registers(a.b), pds_hll_registers(sc->p));
	memcpy(second, pds_hll_build_registers(b.b), pds_hll_registers(sc->p));
	sketch_free(&a);
	sketch_free(&b);
}

static bool
is_number(double x)
{
	return isfinite(x) && x >= 0;
}

static void
one_trial(const scenario *sc, result *r)
{
	double		all = sc->only_1 + sc->only_2 + sc->both;
	/* errors of an intersection of nothing are given in parts of the smaller set */
	double		smaller = sc->both + fmin(sc->only_1, sc->only_2);
	double		shift = sc->both > 0 ? 0 : smaller;
	double		truth = sc->both + shift;
	double		in_union;
	double		apart;
	static pds_hll_pair pair;
	pds_hll_overlap o;
	double		lower;
	double		upper;

	if (sc->hashed)
		hash_pair(sc);
	else
		make_pair(sc);
	for (uint32_t i = 0; i < pds_hll_registers(sc->p); i++)
		merged[i] = first[i] > second[i] ? first[i] : second[i];
	in_union = cardinality(merged, sc->p);
	apart = cardinality(first, sc->p) + cardinality(second, sc->p) - in_union;

	pds_hll_pair_registers(&pair, PDS_FAMILY_NATIVE, sc->p, first, second);
	pds_hll_pair_estimate(&pair, &o);
	pds_hll_pair_bounds(&pair, &o, 0.682689, &lower, &upper);
	r->trials++;
	if (!is_number(o.only_1) || !is_number(o.only_2) || !is_number(o.both) ||
		!is_number(lower) || !is_number(upper))
	{
		r->broken++;
		return;
	}
	if (sc->name == NULL)
	{
		/* of a pair at random no more is asked */
		double		m = pds_hll_registers(sc->p);
		double		truths[3] = {
			fmax(sc->only_1, 1e-4) / m, fmax(sc->only_2, 1e-4) / m, fmax(sc->both, 1e-4) / m
		};
		double		found[3] = {
			fmax(o.only_1, 1e-4) / m, fmax(o.only_2, 1e-4) / m, fmax(o.both, 1e-4) / m
		};

		if (reference_joint(first, second, sc->p, truths) >
			reference_joint(first, second, sc->p, found) + 0.01)
			r->short_of++;
		return;
	}
	errors_add(&r->joint, o.both + shift, truth);
	errors_add(&r->apart, apart + shift, truth);
	errors_add(&r->clamped, fmax(apart, 0) + shift, truth);
	errors_add(&r->jaccard, o.both / (o.only_1 + o.only_2 + o.both) + (shift > 0),
			   shift > 0 ? 1 : sc->both / all);
	errors_add(&r->joint_union, o.only_1 + o.only_2 + o.both, all);
	errors_add(&r->merged_union, in_union, all);
	r->error += (upper - lower) / 2;
	r->estimate += o.both;
	pds_hll_pair_bounds(&pair, &o, 0.95, &lower, &upper);
	r->held += lower <= sc->both && upper >= sc->both;
	r->told += pds_hll_pair_tells(&pair, &o);
}

static result
run(const scenario *sc, int trials)
{
	result		r;
	double		t = trials;

	memset(&r, 0, sizeof(r));
	for (int i = 0; i < trials; i++)
		one_trial(sc, &r);
	fprintf(out, "overlap\t%s\t%d\t%.0f\t%.0f\t%.0f\t%.5f\t%s\t%d\t%.3f\t%+.3f\t%.3f\t%.3f\t%.3f\t"
			"%.3f\t%.1f\t%.1f\t%.4f\t%.4f\t%ld\n",
			sc->name, sc->p, sc->only_1 + sc->both, sc->only_2 + sc->both, sc->both,
			sc->both / (sc->only_1 + sc->only_2 + sc->both),
			sc->hashed ? "hashed" : "simulated", trials,
			PC(rmse_of(&r.joint)), PC(bias_of(&r.joint)), PC(rmse_of(&r.apart)),
			PC(rmse_of(&r.clamped)), PC(rmse_of(&r.jaccard)),
			PC(r.error / t / (sc->both > 0 ? sc->both : sc->both + fmin(sc->only_1, sc->only_2))),
			PC((double) r.held / t), PC((double) r.told / t),
			PC(rmse_of(&r.joint_union)), PC(rmse_of(&r.merged_union)), r.broken);
	must(r.broken == 0, "overlap %s: %ld of %d without a number", sc->name, r.broken, trials);
	return r;
}

/* Two sets of so many values each and a Jaccard index. */
static scenario
of_jaccard(const char *name, int p, double n, double jaccard, bool hashed)
{
	scenario	sc = {.name = name, .p = p, .hashed = hashed};

	sc.both = round(2 * n * jaccard / (1 + jaccard));
	sc.only_1 = sc.only_2 = n - sc.both;
	return sc;
}

static void
measure_overlaps(int trials)
{
	double		sd = 1 / sqrt(2.0 * trials);
	scenario	sc;
	result		r;
	result		hashed;

	fprintf(out, "\n\n# overlap\nblock\tname\tprecision\tn1\tn2\tboth\tjaccard\tvalues\ttrials\t"
			"joint_rmse\tjoint_bias\tapart_rmse\tclamped_rmse\tjaccard_rmse\treported\t"
			"held95\ttold\tjoint_union_rmse\tmerged_union_rmse\tbroken\n");

	/* errors of two large sets fall with their overlap's share */
	sc = of_jaccard("J=0.33", 14, 1e6, 1 / 3.0, false);
	r = run(&sc, trials);
	must(rmse_of(&r.joint) < rmse_of(&r.apart), "J = 0.33: joint is no better");
	must(r.told == trials, "J = 0.33: told in %ld of %d", r.told, trials);
	/* what two sketches know of a union is more than what their union knows */
	must(rmse_of(&r.joint_union) < rmse_of(&r.merged_union),
		 "J = 0.33: the joint union is no better");

	sc = of_jaccard("J=0.05", 14, 1e6, 0.05, false);
	r = run(&sc, trials);
	must(rmse_of(&r.joint) < rmse_of(&r.apart) / 1.7 * (1 + SIGMAS * sd),
		 "J = 0.05: %.2f %% against %.2f %%", PC(rmse_of(&r.joint)), PC(rmse_of(&r.apart)));

	sc = of_jaccard("J=0.01", 14, 1e6, 0.01, false);
	r = run(&sc, trials);
	must(rmse_of(&r.joint) <= rmse_of(&r.apart) / 2,
		 "promise: J = 0.01: %.2f %% is over half of %.2f %%",
		 PC(rmse_of(&r.joint)), PC(rmse_of(&r.apart)));
	must(fabs(r.error / trials / sc.both / rmse_of(&r.joint) - 1) < 0.1 + SIGMAS * sd,
		 "J = 0.01: %.2f %% reported, %.2f %% measured",
		 PC(r.error / trials / sc.both), PC(rmse_of(&r.joint)));

	/* the same from real values, to see that the simulation is no fiction */
	sc = of_jaccard("J=0.01", 14, 1e6, 0.01, true);
	hashed = run(&sc, trials / 5);
	must(fabs(rmse_of(&hashed.joint) / rmse_of(&r.joint) - 1) <= SIGMAS * sd * sqrt(6),
		 "J = 0.01: %.2f %% hashed, %.2f %% simulated",
		 PC(rmse_of(&hashed.joint)), PC(rmse_of(&r.joint)));

	sc = of_jaccard("J=0.005", 14, 1e6, 0.005, false);
	r = run(&sc, trials);
	must(rmse_of(&r.joint) <= rmse_of(&r.apart) / 2, "J = 0.005: not half");
	sc = of_jaccard("J=0.002", 14, 1e6, 0.002, false);
	(void) run(&sc, trials);
	sc = of_jaccard("J=0.001", 14, 1e6, 0.001, false);
	(void) run(&sc, trials);

	/* nothing in common: one pair in forty lies outside its 95 % on that side */
	sc = of_jaccard("disjoint", 14, 1e6, 0, false);
	r = run(&sc, trials);
	must(fabs((double) r.told / trials - 0.025) <= 0.01 + SIGMAS * sqrt(0.025 * 0.975 / trials),
		 "disjoint: told in %ld of %d", r.told, trials);
	must(r.estimate / trials < 0.01 * 1e6, "disjoint: %.0f on average", r.estimate / trials);

	sc = (scenario) {.name = "identical", .p = 14, .both = 1e6};
	r = run(&sc, trials);
	must(r.told == trials, "identical: told in %ld of %d", r.told, trials);
	must(rmse_of(&r.joint) < 0.0085 * (1 + SIGMAS * sd), "identical: RMSE %.3f %%",
		 PC(rmse_of(&r.joint)));
	must(rmse_of(&r.jaccard) < 0.001, "identical: Jaccard off by %.4f", rmse_of(&r.jaccard));

	sc = (scenario) {.name = "subset of a tenth", .p = 14, .only_1 = 9e5, .both = 1e5};
	r = run(&sc, trials);
	must(rmse_of(&r.joint) < rmse_of(&r.apart) * 1.01, "subset: joint is worse");
	must(fabs(r.error / trials / sc.both / rmse_of(&r.joint) - 1) < 0.02 + SIGMAS * sd,
		 "subset: %.2f %% reported, %.2f %% measured",
		 PC(r.error / trials / sc.both), PC(rmse_of(&r.joint)));
	sc = (scenario) {.name = "subset of a thousandth", .p = 14, .only_1 = 999000, .both = 1000};
	(void) run(&sc, trials);
	sc = (scenario) {.name = "a million and 10,000", .p = 14, .only_1 = 990000, .only_2 = 5000,
		.both = 5000};
	(void) run(&sc, trials);
	sc = (scenario) {.name = "a billion and a million", .p = 14, .only_1 = 999e6, .only_2 = 5e5,
		.both = 5e5};
	(void) run(&sc, trials);
	sc = of_jaccard("two of 10,000", 14, 1e4, 0.1, false);
	r = run(&sc, trials);
	must(rmse_of(&r.joint) < rmse_of(&r.apart), "two of 10,000: joint is no better");
	/* far from where the search begins */
	sc = of_jaccard("two of a billion", 14, 1e9, 0.01, false);
	r = run(&sc, trials);
	must(rmse_of(&r.joint) <= rmse_of(&r.apart) / 2, "two of a billion: %.2f %% against %.2f %%",
		 PC(rmse_of(&r.joint)), PC(rmse_of(&r.apart)));
	must(fabs(r.error / trials / sc.both / rmse_of(&r.joint) - 1) < 0.1 + SIGMAS * sd,
		 "two of a billion: %.2f %% reported, %.2f %% measured",
		 PC(r.error / trials / sc.both), PC(rmse_of(&r.joint)));
	sc = of_jaccard("J=0.05", 12, 1e6, 0.05, false);
	(void) run(&sc, trials);
	sc = of_jaccard("J=0.05", 10, 1e6, 0.05, false);
	(void) run(&sc, trials);
	sc = of_jaccard("J=0.33", 10, 1e6, 1 / 3.0, false);
	(void) run(&sc, trials);
}

static double
between(double lo, double hi)
{
	return lo + (hi - lo) * (double) (test_random() >> 11) / 9007199254740992.0;
}

/* Pairs of every precision, fill, overlap and proportion: always a number. */
static void
measure_failures(int trials)
{
	fprintf(out, "\n\n# failures\nblock\tprecision\tpairs\tbroken\tshort\n");
	for (int p = PDS_HLL_MIN_PRECISION; p <= PDS_HLL_MAX_PRECISION; p++)
	{
		int			pairs = p <= 10 ? 20 * trials : 20 * trials >> (p - 10);
		result		r;

		memset(&r, 0, sizeof(r));
		for (int i = 0; i < pairs; i++)
		{
			scenario	sc = {.p = p};
			double		scale = exp(between(0, 30));

			sc.only_1 = test_random() % 8 == 0 ? 0 : rint(scale * exp(between(-8, 0)));
			sc.only_2 = test_random() % 8 == 0 ? 0 : rint(scale * exp(between(-8, 0)));
			sc.both = test_random() % 8 == 0 ? 0 : rint(scale * exp(between(-12, 0)));
			one_trial(&sc, &r);
		}
		fprintf(out, "failures\t%d\t%d\t%ld\t%ld\n", p, pairs, r.broken, r.short_of);
		must(r.broken == 0, "precision %d: %ld of %d pairs without a number", p, r.broken, pairs);
		must(r.short_of == 0, "precision %d: %ld of %d estimates short of the maximum",
			 p, r.short_of, pairs);
	}
}

int
main(int argc, char **argv)
{
	if (argc < 2 || (out = fopen(argv[1], "a")) == NULL)
		return 2;
	full = argc > 2 && strcmp(argv[2], "--full") == 0;
	measure_overlaps(full ? 2000 : 200);
	measure_failures(full ? 1000 : 50);
	fclose(out);
	return finish();
}
