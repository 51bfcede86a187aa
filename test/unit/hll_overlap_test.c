/*
 * hll_overlap_test.c: the joint estimate of two sketches against a likelihood
 * written down a second time, and its bounds
 *
 * How good the estimates are and how often the bounds hold is measured by test/accuracy.
 */
#include "test.h"

#include "hll_reference.h"
#include "hll_simulate.h"
#include "hll_sketch.h"

#include "murmur3.h"
#include "hll_estimate.h"
#include "hll_registers.h"

#define LOWEST	PDS_HLL_MIN_PRECISION
#define HIGHEST	PDS_HLL_MAX_PRECISION
#define CELLS	67108864.0

static uint8_t first[1 << HIGHEST];
static uint8_t second[1 << HIGHEST];

static pds_hll_pair pair;

/* Of the two arrays; the pair is left for what else is to be asked of it. */
static pds_hll_overlap
overlap(int p)
{
	pds_hll_overlap o;

	pds_hll_pair_registers(&pair, PDS_FAMILY_NATIVE, p, first, second);
	pds_hll_pair_estimate(&pair, &o);
	return o;
}

/* Of two sketches. */
static pds_hll_overlap
overlap_of(sketch *a, sketch *b)
{
	void	   *scratch = sketch_memory(pds_hll_pair_scratch(a->b, b->b));
	pds_hll_overlap o;

	pds_hll_pair_of(&pair, a->b, b->b, scratch);
	pds_hll_pair_estimate(&pair, &o);
	free(scratch);
	return o;
}

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
 * Of the pair at hand: numbers, and bounds that are wider the more they are to hold.  So they are
 * if the registers are what hashing can make of values.
 */
static void
check_pair(const pds_hll_overlap *o, bool likely)
{
	static const double confidence[] = {1e-6, 0.5, 0.95, 0.99, 1 - 1e-9};
	static int	calls;
	double		lower_before = rint(o->both);
	double		upper_before = rint(o->both);
	double		lower_alone = rint(o->only_1);
	double		upper_alone = rint(o->only_1);

	CHECK(isfinite(o->only_1) && o->only_1 >= 0);
	CHECK(isfinite(o->only_2) && o->only_2 >= 0);
	CHECK(isfinite(o->both) && o->both >= 0);
	/* they take their time: not each at each call */
	calls++;
	for (int i = calls % 3; i < 5; i += 3)
	{
		double		lower;
		double		upper;

		pds_hll_pair_bounds(&pair, o, confidence[i], &lower, &upper);
		CHECK(lower >= 0 && lower == floor(lower) && lower <= rint(o->both));
		CHECK(upper == floor(upper) && upper >= rint(o->both));
		if (likely)
			CHECK(lower <= lower_before && upper >= upper_before);
		/* a value more where two confidences meet the search's end from two sides */
		lower_before = lower + 1;
		upper_before = upper - 1;
		if (confidence[i] == 0.95)
			CHECK(pds_hll_pair_tells(&pair, o) ==
				  (pair.of_tokens || lower > 0 || upper == 0));

		pds_hll_pair_difference_bounds(&pair, o, confidence[i], &lower, &upper);
		CHECK(lower >= 0 && lower == floor(lower) && lower <= rint(o->only_1));
		CHECK(upper == floor(upper) && upper >= rint(o->only_1));
		if (likely)
			CHECK(lower <= lower_alone && upper >= upper_alone);
		lower_alone = lower + 1;
		upper_alone = upper - 1;
	}
}

static void
check_sane(const pds_hll_overlap *o)
{
	check_pair(o, true);
}

/* How a pair of registers goes in a trial at rank k; -1 where there is no trial of them. */
static int
outcome(const pds_hll_trials *t, int k, int r1, int r2)
{
	int			lower = t->of == (1 | 2) ? r2 : r1;
	int			higher = t->of == (1 | 2) ? r1 : r2;

	if (t->kind == PDS_HLL_PAIR)
		return r1 > k || r2 > k ? -1 : (r1 == k) * 2 + (r2 == k);
	return lower > k || higher <= k ? -1 : lower == k;
}

TEST(registers_are_counted_against_each_other)
{
	for (int p = LOWEST; p <= 12; p++)
	{
		uint32_t	histogram[PDS_HLL_RANKS];

		simulate_pair(first, second, p, test_random() % 100000, test_random() % 100000,
					  test_random() % 100000);
		pds_hll_pair_registers(&pair, PDS_FAMILY_NATIVE, p, first, second);
		CHECK_U64(pair.summary_1.precision, p);
		CHECK_U64(pair.summary_2.precision, p);
		pds_hll_registers_histogram(first, p, histogram);
		CHECK_BYTES(pair.summary_1.histogram, histogram, sizeof(histogram));
		pds_hll_registers_histogram(second, p, histogram);
		CHECK_BYTES(pair.summary_2.histogram, histogram, sizeof(histogram));
		for (int n = 0; n < pair.model.n; n++)
		{
			const pds_hll_trials *t = &pair.trials[n];
			int			k = (int) rint(-log2(t->chance * pds_hll_registers(p)));
			double		want[PDS_HLL_OUTCOMES] = {0};

			/* the last one is about all ranks above */
			if (n == pair.model.n - 1)
				k++;
			for (uint32_t i = 0; i < pds_hll_registers(p); i++)
			{
				int			at = outcome(t, k, first[i], second[i]);

				if (at >= 0)
					want[at]++;
			}
			CHECK_BYTES(t->count, want, sizeof(want));
		}
	}
}

/* No neighbour in any direction is likelier. */
TEST(the_joint_estimate_is_the_maximum_of_the_likelihood)
{
	for (int round = 0; round < 400; round++)
	{
		int			p = LOWEST + round % 7;
		double		m = pds_hll_registers(p);
		double		size = m * exp2((double) (test_random() % 24) - 3);
		double		share = (double) (test_random() % 1000) / 1000;
		double		ratio = exp2(-(double) (test_random() % 8));
		pds_hll_overlap o;
		double		rate[3];
		long double best;

		simulate_pair(first, second, p, size * (1 - share), size * (1 - share) * ratio,
					  size * share);
		o = overlap(p);
		check_sane(&o);
		if (cardinality(first, p) == 0 || cardinality(second, p) == 0)
			continue;
		rate[0] = o.only_1 / m;
		rate[1] = o.only_2 / m;
		rate[2] = o.both / m;
		for (int i = 0; i < 3; i++)
			if (rate[i] < 1e-4 / m)
				rate[i] = 1e-4 / m;
		best = reference_joint(first, second, p, rate);
		for (int i = 0; i < 3; i++)
		{
			for (int sign = -1; sign <= 1; sign += 2)
			{
				for (double step = 0.001; step < 2; step *= 10)
				{
					double		other[3];

					memcpy(other, rate, sizeof(other));
					other[i] *= exp(sign * step);
					/* half a unit would be one standard deviation */
					CHECK(reference_joint(first, second, p, other) <= best + 1e-3);
				}
			}
		}
		/* nor is the other extreme, a different mixture of the same sizes */
		for (int k = 1; k < 20; k++)
		{
			double		n1 = rate[0] + rate[2];
			double		n2 = rate[1] + rate[2];
			double		other[3];

			other[2] = (n1 < n2 ? n1 : n2) * k / 20.0;
			other[0] = n1 - other[2];
			other[1] = n2 - other[2];
			if (other[0] > 0 && other[1] > 0)
				CHECK(reference_joint(first, second, p, other) <= best + 1e-3);
		}
	}
}

/*
 * The true numbers are not likelier than the best ones, also where the overlap
 * is small and the search for it long.
 */
TEST(the_truth_is_no_likelier_than_the_estimate)
{
	for (int round = 0; round < 300; round++)
	{
		int			p = 8 + round % 5;
		double		m = pds_hll_registers(p);
		double		n = exp2((double) (12 + test_random() % 40));
		double		ratio = exp2(-(double) (test_random() % 4));
		double		share = exp2(-(double) (1 + test_random() % 8));
		double		truth[3];
		double		rate[3];
		pds_hll_overlap o;

		truth[2] = n * ratio * share / m;
		truth[0] = n / m - truth[2];
		truth[1] = n * ratio / m - truth[2];
		simulate_pair(first, second, p, truth[0] * m, truth[1] * m, truth[2] * m);
		o = overlap(p);
		check_sane(&o);
		rate[0] = fmax(o.only_1, 1e-4) / m;
		rate[1] = fmax(o.only_2, 1e-4) / m;
		rate[2] = fmax(o.both, 1e-4) / m;
		CHECK(reference_joint(first, second, p, truth) <=
			  reference_joint(first, second, p, rate) + 1e-3);
	}
}

TEST(exchanging_the_sketches_exchanges_the_answers)
{
	for (int round = 0; round < 200; round++)
	{
		int			p = LOWEST + round % 11;
		double		n = exp((double) (test_random() % 20000) / 1000);
		pds_hll_overlap there;
		pds_hll_overlap back;
		double		lower;
		double		upper;
		double		lower_back;
		double		upper_back;
		double		slack;

		simulate_pair(first, second, p, n, n * (double) (test_random() % 100) / 30, n / 3);
		there = overlap(p);
		pds_hll_pair_bounds(&pair, &there, 0.9, &lower, &upper);
		pds_hll_pair_registers(&pair, PDS_FAMILY_NATIVE, p, second, first);
		pds_hll_pair_estimate(&pair, &back);
		pds_hll_pair_bounds(&pair, &back, 0.9, &lower_back, &upper_back);
		slack = 1e-3 * pds_hll_standard_error(p) * (there.only_1 + there.only_2 + there.both)
			+ 1e-3;
		CHECK_NEAR(back.only_2, there.only_1, slack);
		CHECK_NEAR(back.only_1, there.only_2, slack);
		CHECK_NEAR(back.both, there.both, slack);
		CHECK_NEAR(lower_back, lower, 1 + 1e-3 * (upper - lower));
		CHECK_NEAR(upper_back, upper, 1 + 1e-3 * (upper - lower));
	}
}

TEST(the_same_sketch_twice_is_all_in_common)
{
	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		for (double n = 1; n < 1e15; n *= 37)
		{
			pds_hll_overlap o;
			double		size;

			simulate_pair(first, second, p, 0, 0, n);
			size = cardinality(first, p);
			o = overlap(p);
			check_sane(&o);
			CHECK(size < 10 || pds_hll_pair_tells(&pair, &o));
			CHECK_NEAR(o.both, size, 1e-3 * size + 1e-3);
			CHECK(o.only_1 <= 1e-3 * size + 1e-3);
			CHECK(o.only_2 <= 1e-3 * size + 1e-3);
		}
	}
}

TEST(nothing_has_nothing_in_common)
{
	for (int p = LOWEST; p <= HIGHEST; p += 7)
	{
		pds_hll_overlap o;

		simulate_pair(first, second, p, 0, 0, 0);
		o = overlap(p);
		CHECK(o.only_1 == 0 && o.only_2 == 0 && o.both == 0);
		CHECK(pds_hll_pair_tells(&pair, &o));
		simulate_pair(first, second, p, 1000, 0, 0);
		o = overlap(p);
		CHECK(o.only_1 > 0 && o.only_2 == 0 && o.both == 0);
		CHECK(pds_hll_pair_tells(&pair, &o));
		check_sane(&o);
	}
}

/* Any two arrays that can be stored, likely or not, give numbers. */
TEST(any_two_sketches_give_numbers)
{
	for (int round = 0; round < 100; round++)
	{
		int			p = LOWEST + round % 6;
		uint32_t	m = pds_hll_registers(p);
		size_t		most = (size_t) pds_hll_max_rank(p) + 1;
		size_t		spread_1 = 1 + test_random() % most;
		size_t		spread_2 = 1 + test_random() % most;
		size_t		from_1 = test_random() % (most - spread_1 + 1);
		size_t		from_2 = test_random() % (most - spread_2 + 1);
		pds_hll_overlap o;

		for (uint32_t i = 0; i < m; i++)
		{
			first[i] = (uint8_t) (from_1 + test_random() % spread_1);
			second[i] = round % 3 == 0 && test_random() % 2 == 0 ? first[i] :
				(uint8_t) (from_2 + test_random() % spread_2);
		}
		o = overlap(p);
		check_pair(&o, false);
	}
	/* and at their ends */
	for (int p = LOWEST; p <= HIGHEST; p += 7)
	{
		uint32_t	m = pds_hll_registers(p);

		for (int round = 0; round < 16; round++)
		{
			pds_hll_overlap o;

			memset(first, round & 1 ? pds_hll_max_rank(p) : round & 2 ? 1 : 0, m);
			memset(second, round & 4 ? pds_hll_max_rank(p) : round & 8 ? 1 : 0, m);
			o = overlap(p);
			check_pair(&o, false);
			first[m - 1] = 1;
			o = overlap(p);
			check_pair(&o, false);
			second[m / 2] = (uint8_t) pds_hll_max_rank(p);
			o = overlap(p);
			check_pair(&o, false);
		}
	}
}

TEST(token_sets_overlap_as_sets_do)
{
	static const struct
	{
		uint32_t	n1;
		uint32_t	n2;
		uint32_t	in_union;
	}			sets[] = {
		{0, 0, 0}, {5, 0, 5}, {1, 1, 1}, {1, 1, 2}, {100, 50, 150}, {100, 50, 100},
		{3000, 3000, 5900}, {49152, 49152, 49152}, {49152, 100, 49252},
	};

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
	{
		double		both = (double) sets[i].n1 + sets[i].n2 - sets[i].in_union;
		pds_hll_overlap o;

		pds_hll_pair_tokens(&pair, sets[i].n1, sets[i].n2, sets[i].n1
							+ sets[i].n2 - sets[i].in_union);
		pds_hll_pair_estimate(&pair, &o);
		check_sane(&o);
		CHECK(pds_hll_pair_tells(&pair, &o));
		/* less the cells that two values share by chance */
		CHECK_NEAR(o.both, both, 0.01 + 1.1e-3 * both
				   + 4 * (double) sets[i].n1 * sets[i].n2 / CELLS);
		CHECK_NEAR(o.only_1 + o.both, sets[i].n1, 0.01 + 1e-3 * sets[i].n1);
		CHECK_NEAR(o.only_2 + o.both, sets[i].n2, 0.01 + 1e-3 * sets[i].n2);
	}
}

TEST(token_sets_of_real_hashes)
{
	double		squares = 0;
	double		expected = 0;

	for (int round = 0; round < 60; round++)
	{
		sketch		a = sketch_new(HIGHEST);
		sketch		b = sketch_new(HIGHEST);
		uint64_t	start = test_random();
		pds_hll_overlap o;
		double		error;

		/* 20,000 each, 2,000 in common */
		for (uint64_t i = 0; i < 38000; i++)
		{
			uint64_t	h = pds_murmur3_u64(start + i).h1;

			if (i < 20000)
				sketch_add(&a, h);
			if (i >= 18000)
				sketch_add(&b, h);
		}
		o = overlap_of(&a, &b);
		error = sqrt(20000.0 * 20000 / CELLS);
		CHECK(pair.of_tokens);
		CHECK_NEAR(o.both, 2000, 6 * error);
		squares += (o.both - 2000) * (o.both - 2000);
		expected += error * error;
		sketch_free(&a);
		sketch_free(&b);
	}
	/* of the pairs of one value from each one in 2^26 falls to the same cell by chance */
	CHECK_NEAR(sqrt(squares / expected), 1, 4 / sqrt(2 * 60.0));
}

/* ---------- tokens against registers ---------- */

/* So many values from "start" on. */
static sketch
sketch_of(int p, uint64_t start, uint64_t n)
{
	sketch		s = sketch_new(p);

	for (uint64_t i = 0; i < n; i++)
		sketch_add(&s, pds_murmur3_u64(start + i).h1);
	pds_hll_flush(s.b);
	return s;
}

/*
 * Which values are not in the other set for certain, one by one from their hashes.  Only a token of
 * fewer bits than the registers may not know.
 */
TEST(tokens_know_which_values_the_registers_rule_out)
{
	uint64_t	seen = 0;

	for (int round = 0; round < 150; round++)
	{
		int			p_a = 8 + round % 11;
		int			p_b = LOWEST + round / 11 % 15;
		uint64_t	n_a = 1 + test_random() % pds_hll_max_tokens(p_a);
		uint64_t	n_b = pds_hll_max_tokens(p_b) + 1 + test_random() % (UINT64_C(40) << p_b);
		uint64_t	in_both;
		uint64_t	start = test_random();
		sketch		a;
		sketch		b;
		uint32_t	out = 0;
		pds_hll_overlap o;
		double		lower;
		double		upper;
		double		most[3];

		if (n_b > 300000)
			n_b = 300000;
		in_both = test_random() % ((n_a < n_b ? n_a : n_b) + 1);
		if (round % 3 == 0)
			in_both = n_a < n_b ? n_a : n_b;
		a = sketch_of(p_a, start, n_a);
		b = sketch_of(p_b, start + n_a - in_both, n_b);
		o = overlap_of(&a, &b);
		CHECK(!a.b->dense && b.b->dense && !pair.of_tokens && !pair.exchanged);
		for (uint64_t i = 0; i < n_a; i++)
		{
			uint64_t	h = pds_murmur3_u64(start + i).h1;

			out += pds_ctz64(h >> p_b | UINT64_C(1) << (64 - p_b)) + 1 >
				pds_hll_build_registers(b.b)[h & (pds_hll_registers(p_b) - 1)];
		}
		if (p_a >= p_b)
			CHECK(pair.absent <= out && pair.absent >= out - out / 1000);
		else
			CHECK(pair.absent <= out);
		seen += out;
		/* so nobody who is there is ever ruled out */
		CHECK(pair.absent <= n_a - in_both);
		check_sane(&o);
		pds_hll_pair_bounds(&pair, &o, 0.999999, &lower, &upper);
		CHECK(lower <= (double) in_both && upper >= (double) in_both);
		pds_hll_bounds(&pair.summary_1, 0.999999, &most[0], &most[1], &most[2]);
		CHECK(upper <= most[2]);
		sketch_free(&a);
		sketch_free(&b);
	}
	CHECK(seen > 30000);
}

TEST(exchanging_tokens_and_registers_exchanges_the_answers)
{
	sketch		a = sketch_of(14, 1, 2000);
	sketch		b = sketch_of(14, 1001, 30000);
	pds_hll_overlap there = overlap_of(&a, &b);
	pds_hll_overlap back;
	double		bounds[2];
	double		bounds_back[2];

	pds_hll_pair_bounds(&pair, &there, 0.95, &bounds[0], &bounds[1]);
	back = overlap_of(&b, &a);
	pds_hll_pair_bounds(&pair, &back, 0.95, &bounds_back[0], &bounds_back[1]);
	CHECK(there.both == back.both && there.only_1 == back.only_2 && there.only_2 == back.only_1);
	CHECK(bounds[0] == bounds_back[0] && bounds[1] == bounds_back[1]);
	CHECK_NEAR(there.both, 1000, 300);
	CHECK_NEAR(there.only_1, 1000, 300);
	CHECK_NEAR(there.only_2, 29000, 1000);
	sketch_free(&a);
	sketch_free(&b);
}

/* What is asked first changes no answer. */
TEST(bounds_of_the_difference_leave_those_of_the_intersection)
{
	for (int round = 0; round < 60; round++)
	{
		sketch		a = sketch_of(12, 1, 20000);
		sketch		b = sketch_of(12, 5001 + (uint64_t) round, round % 2 ? 500 : 30000);
		sketch	   *of = round % 3 == 0 ? &b : &a;
		pds_hll_overlap o = overlap_of(of, of == &a ? &b : &a);
		double		bounds[4];
		double		again[4];
		double		only = of == &a ? (round % 2 ? 19500 : 5000 + round) :
			round % 2 ? 0 : 15000 + round;

		pds_hll_pair_bounds(&pair, &o, 0.95, &bounds[0], &bounds[1]);
		pds_hll_pair_difference_bounds(&pair, &o, 0.95, &bounds[2], &bounds[3]);
		pds_hll_pair_difference_bounds(&pair, &o, 0.95, &again[2], &again[3]);
		pds_hll_pair_bounds(&pair, &o, 0.95, &again[0], &again[1]);
		CHECK_BYTES(again, bounds, sizeof(bounds));
		pds_hll_pair_difference_bounds(&pair, &o, 0.999999, &bounds[2], &bounds[3]);
		CHECK(bounds[2] <= only && bounds[3] >= only && bounds[3] - bounds[2] < 12000);
		sketch_free(&a);
		sketch_free(&b);
	}
}

/*
 * At 99 %: 300 values of which 225 are among a million once gave (297, 302, 306), and held in two
 * cases of three.  Of 40 trials two may miss.
 */
TEST(bounds_of_few_values_among_many_hold)
{
	int			missed = 0;

	for (int round = 0; round < 40; round++)
	{
		uint64_t	start = test_random();
		sketch		a = sketch_of(14, start, 300);
		sketch		b = sketch_of(14, start + 75, 100000);
		pds_hll_overlap o = overlap_of(&a, &b);
		double		lower;
		double		upper;

		pds_hll_pair_bounds(&pair, &o, 0.99, &lower, &upper);
		missed += lower > 225 || upper < 225;
		CHECK(upper <= 300 && upper - lower < 250);
		sketch_free(&a);
		sketch_free(&b);
	}
	CHECK(missed <= 2);
}

/* One value against 100,000 once gave an upper bound of 280,998, and ten one of 3.5e16. */
TEST(no_bound_exceeds_the_smaller_set)
{
	static const uint64_t sizes[] = {1, 2, 10, 100};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
	{
		for (int round = 0; round < 20; round++)
		{
			uint64_t	start = test_random();
			sketch		a = sketch_of(14, start, sizes[i]);
			sketch		b = sketch_of(14, start + sizes[i] * (uint64_t) (round % 2), 100000);
			sketch		registers = sketch_dense(14);
			pds_hll_overlap o = overlap_of(&a, &b);
			double		lower;
			double		upper;

			check_sane(&o);
			pds_hll_pair_bounds(&pair, &o, 0.999, &lower, &upper);
			CHECK(upper <= (double) sizes[i]);
			/* a few values in registers, as Redis has them, may be some more */
			sketch_merge(&registers, &a);
			o = overlap_of(&registers, &b);
			check_sane(&o);
			pds_hll_pair_bounds(&pair, &o, 0.999, &lower, &upper);
			CHECK(upper <= (double) sizes[i] + 4);
			sketch_free(&a);
			sketch_free(&b);
			sketch_free(&registers);
		}
	}
}

/*
 * Nothing is told of a value that higher ranks hide, and all of one whose place is free.  A
 * register that is just at its rank may speak for it: here never rightly, and of a single value
 * hardly ever enough.
 */
TEST(a_single_value_is_told_or_not)
{
	sketch		many = sketch_of(14, 1, 100000);
	int			told = 0;
	int			taken_for_it = 0;

	for (uint64_t v = UINT64_C(1) << 40; v < (UINT64_C(1) << 40) + 2000; v++)
	{
		sketch		one = sketch_of(14, v, 1);
		pds_hll_overlap o = overlap_of(&one, &many);
		double		lower;
		double		upper;

		pds_hll_pair_bounds(&pair, &o, 0.95, &lower, &upper);
		CHECK(upper <= 1 && (upper == 0) == (pair.absent == 1));
		CHECK(pds_hll_pair_tells(&pair, &o) == (upper == 0 || lower == 1));
		told += upper == 0;
		taken_for_it += lower == 1;
		sketch_free(&one);
	}
	CHECK(told > 50);
	CHECK(taken_for_it <= 5);
	sketch_free(&many);
}

/*
 * 200 values that are among 2,000, where few registers tell so: the likelihood is all but flat.  A
 * search of 200 rounds left 45 of them outside.
 */
TEST(a_flat_likelihood_is_climbed_to_its_top)
{
	static const struct
	{
		int			p;
		uint64_t	start;
	}			sets[] = {{4, 588}, {5, 508}, {5, 1808}};

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
	{
		sketch		a = sketch_dense(sets[i].p);
		sketch		b = sketch_dense(sets[i].p);
		pds_hll_overlap o;

		sketch_add_integers(&a, sets[i].start * 20000, 200);
		sketch_add_integers(&b, sets[i].start * 20000, 2000);
		o = overlap_of(&a, &b);
		check_sane(&o);
		CHECK(o.only_1 < 1);
		CHECK_NEAR(o.both, pair.n_1, 1);
		sketch_free(&a);
		sketch_free(&b);
	}
}

/*
 * Of 100 values 90 are among 1,000, and the estimate is often that all of them are.  With the
 * variance of a fixed number 37 of 1,000 trials had a lower bound at 99 % that was too high.
 */
TEST(bounds_hold_beside_a_size_estimated_to_be_nothing)
{
	int			missed = 0;

	for (uint64_t round = 1; round <= 1000; round++)
	{
		sketch		a = sketch_of(8, round * 100000, 100);
		sketch		b = sketch_of(8, round * 100000 + 10, 1000);
		pds_hll_overlap o = overlap_of(&a, &b);
		double		lower;
		double		upper;

		pds_hll_pair_bounds(&pair, &o, 0.99, &lower, &upper);
		missed += lower > 90 || upper < 90;
		sketch_free(&a);
		sketch_free(&b);
	}
	CHECK(missed <= 15);
}

/*
 * Of two values in registers one is among 1,000.  By its variance that number is nearly certain,
 * but it is whole: without the least variance 18 of 300 trials missed it at 99 %.
 */
TEST(one_value_in_common_is_not_ruled_out)
{
	int			missed = 0;

	for (uint64_t round = 0; round < 300; round++)
	{
		sketch		a = sketch_dense(11);
		sketch		b = sketch_dense(11);
		pds_hll_overlap o;
		double		lower;
		double		upper;

		sketch_add_integers(&a, round * 2000, 2);
		sketch_add_integers(&b, round * 2000 + 1, 1000);
		o = overlap_of(&a, &b);
		check_sane(&o);
		pds_hll_pair_bounds(&pair, &o, 0.99, &lower, &upper);
		missed += lower > 1 || upper < 1;
		CHECK(upper <= 4);
		sketch_free(&a);
		sketch_free(&b);
	}
	CHECK(missed <= 8);
}

/* With a variance above the one of the model, nothing would be told of a single value. */
TEST(one_value_in_common_is_told)
{
	int			told = 0;

	for (uint64_t round = 0; round < 100; round++)
	{
		sketch		a = sketch_of(11, round * 2000, 1);
		sketch		b = sketch_of(11, round * 2000, 1000);
		pds_hll_overlap o = overlap_of(&a, &b);
		double		lower;
		double		upper;

		pds_hll_pair_bounds(&pair, &o, 0.95, &lower, &upper);
		CHECK(upper == 1);
		told += lower == 1;
		sketch_free(&a);
		sketch_free(&b);
	}
	CHECK(told >= 25);
}

/* So many random values into the first array. */
static void
throw_values(int p, double n)
{
	memset(first, 0, pds_hll_registers(p));
	for (double i = 0; i < n; i++)
	{
		uint64_t	h = test_random();
		uint8_t		rank = (uint8_t) (pds_ctz64(h >> p | UINT64_C(1) << (64 - p)) + 1);
		size_t		index = (size_t) (h & (pds_hll_registers(p) - 1));

		if (first[index] < rank)
			first[index] = rank;
	}
}

/*
 * Both ends of an interval at 95 %, as they are meant: with so many values an estimate is as high,
 * or as low, in one case of forty.
 */
TEST(bounds_of_one_sketch_are_where_it_becomes_unlikely)
{
	for (int p = LOWEST; p <= 6; p++)
	{
		pds_hll_summary s;
		double		lower;
		double		estimate;
		double		upper;
		int			high = 0;
		int			low = 0;
		const int	trials = 10000;

		throw_values(p, 5.0 * pds_hll_registers(p));
		memset(&s, 0, sizeof(s));
		s.precision = (uint8_t) p;
		s.dense = true;
		pds_hll_registers_histogram(first, p, s.histogram);
		pds_hll_bounds(&s, 0.95, &lower, &estimate, &upper);
		for (int i = 0; i < trials; i++)
		{
			throw_values(p, lower);
			high += cardinality(first, p) >= estimate;
			throw_values(p, upper);
			low += cardinality(first, p) <= estimate;
		}
		printf("# precision %d, (%.0f, %.1f, %.0f): %.2f %% and %.2f %%\n", p, lower, estimate,
			   upper,
			   100.0 * high / trials, 100.0 * low / trials);
		/* of few registers more on the one side and less on the other; together, 5 % */
		CHECK(high > 0.011 * trials && high < 0.034 * trials);
		CHECK(low > 0.011 * trials && low < 0.028 * trials);
		CHECK(high + low < 0.055 * trials);
	}
}
