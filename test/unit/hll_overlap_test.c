/*
 * hll_overlap_test.c: the joint estimate of two sketches against a likelihood
 * written down a second time
 *
 * How good the estimates are is measured by test/accuracy.
 */
#include "test.h"

#include "hll_simulate.h"
#include "hll_sketch.h"

#include "base/murmur3.h"
#include "hll/hll_estimate.h"
#include "hll/hll_registers.h"

#define LOWEST	PDS_HLL_MIN_PRECISION
#define HIGHEST	PDS_HLL_MAX_PRECISION

static uint8_t first[1 << HIGHEST];
static uint8_t second[1 << HIGHEST];

/*
 * The probability that a register pair is at most (k1, k2), of three Poisson
 * processes: those of the first set only, of the second only, of both.
 */
static long double
at_most(const double *rate, int k1, int k2, int p)
{
	long double f1 = k1 < 0 ? INFINITY : k1 > 64 - p ? 0 : ldexpl(1, -k1);
	long double f2 = k2 < 0 ? INFINITY : k2 > 64 - p ? 0 : ldexpl(1, -k2);
	long double least = f1 > f2 ? f1 : f2;

	if (k1 < 0 || k2 < 0)
		return 0;
	return expl(-rate[0] * f1 - rate[1] * f2 - rate[2] * least);
}

/* The log-likelihood of both arrays, register by register. */
static long double
joint_likelihood(const double *rate, int p)
{
	long double sum = 0;

	for (uint32_t i = 0; i < pds_hll_registers(p); i++)
	{
		int			a = first[i];
		int			b = second[i];

		sum += logl(at_most(rate, a, b, p) - at_most(rate, a - 1, b, p) -
					at_most(rate, a, b - 1, p) + at_most(rate, a - 1, b - 1, p));
	}
	return sum;
}

/* Registers of two sets of which "both" values are in common. */
static void
simulate_pair(int p, double only_1, double only_2, double both)
{
	double		m = pds_hll_registers(p);

	for (uint32_t i = 0; i < pds_hll_registers(p); i++)
	{
		uint8_t		common = simulate_register(both / m, p);

		first[i] = simulate_register(only_1 / m, p);
		second[i] = simulate_register(only_2 / m, p);
		if (first[i] < common)
			first[i] = common;
		if (second[i] < common)
			second[i] = common;
	}
}

static pds_hll_overlap
overlap(int p)
{
	pds_hll_joint j;
	pds_hll_overlap o;

	pds_hll_joint_count(&j, p, first, second);
	pds_hll_joint_estimate(&j, &o);
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

static void
check_sane(const pds_hll_overlap *o)
{
	CHECK(isfinite(o->only_1) && o->only_1 >= 0);
	CHECK(isfinite(o->only_2) && o->only_2 >= 0);
	CHECK(isfinite(o->both) && o->both >= 0);
	CHECK(isfinite(o->both_error) && o->both_error >= 0);
}

TEST(registers_are_counted_against_each_other)
{
	for (int p = LOWEST; p <= 12; p++)
	{
		pds_hll_joint j;
		pds_hll_joint want;

		memset(&want, 0, sizeof(want));
		want.precision = (uint8_t) p;
		simulate_pair(p, test_random() % 100000, test_random() % 100000, test_random() % 100000);
		for (uint32_t i = 0; i < pds_hll_registers(p); i++)
		{
			want.below_1[first[i]] += first[i] < second[i];
			want.above_2[second[i]] += first[i] < second[i];
			want.above_1[first[i]] += first[i] > second[i];
			want.below_2[second[i]] += first[i] > second[i];
			want.equal[first[i]] += first[i] == second[i];
		}
		memset(&j, 0xee, sizeof(j));
		pds_hll_joint_count(&j, p, first, second);
		CHECK_U64(j.precision, want.precision);
		CHECK_BYTES(j.below_1, want.below_1, sizeof(want.below_1));
		CHECK_BYTES(j.above_1, want.above_1, sizeof(want.above_1));
		CHECK_BYTES(j.below_2, want.below_2, sizeof(want.below_2));
		CHECK_BYTES(j.above_2, want.above_2, sizeof(want.above_2));
		CHECK_BYTES(j.equal, want.equal, sizeof(want.equal));
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

		simulate_pair(p, size * (1 - share), size * (1 - share) * ratio, size * share);
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
		best = joint_likelihood(rate, p);
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
					CHECK(joint_likelihood(other, p) <= best + 1e-3);
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
				CHECK(joint_likelihood(other, p) <= best + 1e-3);
		}
	}
}

TEST(exchanging_the_sketches_exchanges_the_answers)
{
	for (int round = 0; round < 200; round++)
	{
		int			p = LOWEST + round % 11;
		double		n = exp((double) (test_random() % 20000) / 1000);
		pds_hll_joint j;
		pds_hll_overlap there;
		pds_hll_overlap back;
		double		slack;

		simulate_pair(p, n, n * (double) (test_random() % 100) / 30, n / 3);
		there = overlap(p);
		pds_hll_joint_count(&j, p, second, first);
		pds_hll_joint_estimate(&j, &back);
		slack = 1e-3 * pds_hll_standard_error(p) * (there.only_1 + there.only_2 + there.both) + 1e-3;
		CHECK_NEAR(back.only_2, there.only_1, slack);
		CHECK_NEAR(back.only_1, there.only_2, slack);
		CHECK_NEAR(back.both, there.both, slack);
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

			simulate_pair(p, 0, 0, n);
			size = cardinality(first, p);
			o = overlap(p);
			check_sane(&o);
			CHECK(o.told || size < 3);
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

		simulate_pair(p, 0, 0, 0);
		o = overlap(p);
		CHECK(o.only_1 == 0 && o.only_2 == 0 && o.both == 0 && o.told);
		simulate_pair(p, 1000, 0, 0);
		o = overlap(p);
		CHECK(o.only_1 > 0 && o.only_2 == 0 && o.both == 0 && o.told);
		CHECK(o.both_error == 0);
	}
}

/* Any two arrays that can be stored, likely or not, give numbers. */
TEST(any_two_sketches_give_numbers)
{
	for (int round = 0; round < 3000; round++)
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
		check_sane(&o);
	}
	/* and at their ends */
	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		uint32_t	m = pds_hll_registers(p);

		for (int round = 0; round < 16; round++)
		{
			pds_hll_overlap o;

			memset(first, round & 1 ? pds_hll_max_rank(p) : round & 2 ? 1 : 0, m);
			memset(second, round & 4 ? pds_hll_max_rank(p) : round & 8 ? 1 : 0, m);
			o = overlap(p);
			check_sane(&o);
			first[m - 1] = 1;
			o = overlap(p);
			check_sane(&o);
			second[m / 2] = (uint8_t) pds_hll_max_rank(p);
			o = overlap(p);
			check_sane(&o);
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

		pds_hll_token_overlap(sets[i].n1, sets[i].n2, sets[i].in_union, &o);
		check_sane(&o);
		CHECK(o.told);
		/* less the cells that two values share by chance */
		CHECK_NEAR(o.both, both, 0.01 + 1.1e-3 * both + 4 * o.both_error * o.both_error);
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
		sketch		u = sketch_new(HIGHEST);
		uint64_t	start = test_random();
		pds_hll_overlap o;

		/* 20,000 each, 2,000 in common */
		for (uint64_t i = 0; i < 38000; i++)
		{
			uint64_t	h = pds_murmur3_u64(start + i).h1;

			if (i < 20000)
				sketch_add(&a, h);
			if (i >= 18000)
				sketch_add(&b, h);
			sketch_add(&u, h);
		}
		CHECK(!u.b->dense);
		pds_hll_flush(a.b);
		pds_hll_flush(b.b);
		pds_hll_flush(u.b);
		pds_hll_token_overlap(a.b->tokens, b.b->tokens, u.b->tokens, &o);
		CHECK_NEAR(o.both, 2000, 6 * o.both_error);
		squares += (o.both - 2000) * (o.both - 2000);
		expected += o.both_error * o.both_error;
		sketch_free(&a);
		sketch_free(&b);
		sketch_free(&u);
	}
	/* the error that it says is the error that it makes */
	CHECK_NEAR(sqrt(squares / expected), 1, 4 / sqrt(2 * 60.0));
}
