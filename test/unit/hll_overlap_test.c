/*
 * hll_overlap_test.c: the joint estimate of two sketches against a likelihood
 * written down a second time
 *
 * How good the estimates are is measured by test/accuracy.
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

static uint8_t first[1 << HIGHEST];
static uint8_t second[1 << HIGHEST];

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
		simulate_pair(first, second, p, test_random() % 100000, test_random() % 100000,
					  test_random() % 100000);
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

		simulate_pair(first, second, p, size * (1 - share), size * (1 - share) * ratio, size * share);
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

/* The likelihood with the logarithms of two rates moved by so many steps. */
static double
moved(int p, const double rate[3], int i, int steps_i, int k, int steps_k)
{
	double		other[3];

	memcpy(other, rate, sizeof(other));
	other[i] *= exp(0.01 * steps_i);
	other[k] *= exp(0.01 * steps_k);
	return reference_joint(first, second, p, other);
}

/* The stated error is the curvature's, found here by finite differences. */
TEST(the_error_of_an_overlap_is_that_of_the_likelihood)
{
	for (int round = 0; round < 60; round++)
	{
		int			p = 9 + round % 3;
		double		m = pds_hll_registers(p);
		double		n = m * exp2((double) (test_random() % 8));
		double		share = 0.2 + (double) (test_random() % 60) / 100;
		pds_hll_overlap o;
		double		rate[3];
		double		h[3][3];
		double		minor;
		double		determinant;
		double		variance;

		simulate_pair(first, second, p, n * (1 - share), 2 * n * (1 - share), n * share);
		o = overlap(p);
		rate[0] = o.only_1 / m;
		rate[1] = o.only_2 / m;
		rate[2] = o.both / m;
		for (int i = 0; i < 3; i++)
		{
			for (int k = 0; k < 3; k++)
				h[i][k] = -(moved(p, rate, i, 1, k, 1) - moved(p, rate, i, 1, k, -1) -
							moved(p, rate, i, -1, k, 1) + moved(p, rate, i, -1, k, -1)) / 4e-4;
		}
		minor = h[0][0] * h[1][1] - h[0][1] * h[1][0];
		determinant = h[2][2] * minor -
			h[2][1] * (h[0][0] * h[1][2] - h[0][2] * h[1][0]) +
			h[2][0] * (h[0][1] * h[1][2] - h[0][2] * h[1][1]);
		/* less what a random number of values adds */
		variance = minor / determinant * o.both * o.both - o.both;
		CHECK_NEAR(o.both_error / sqrt(variance), 1, 5e-3);
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

		simulate_pair(first, second, p, n, n * (double) (test_random() % 100) / 30, n / 3);
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

			simulate_pair(first, second, p, 0, 0, n);
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

		simulate_pair(first, second, p, 0, 0, 0);
		o = overlap(p);
		CHECK(o.only_1 == 0 && o.only_2 == 0 && o.both == 0 && o.told);
		simulate_pair(first, second, p, 1000, 0, 0);
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
