/*
 * hll_estimate_test.c: estimates, errors and bounds against the formulas of
 * hll_reference.h, number by number
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
#include "bracket.h"

#define LOWEST	PDS_HLL_MIN_PRECISION
#define HIGHEST	PDS_HLL_MAX_PRECISION
#define CELLS	67108864.0

static uint8_t registers[1 << HIGHEST];

static pds_hll_summary
tokens_summary(int p, uint32_t tokens)
{
	pds_hll_summary s;

	memset(&s, 0, sizeof(s));
	s.precision = (uint8_t) p;
	s.tokens = tokens;
	return s;
}

static pds_hll_summary
registers_summary(int p)
{
	pds_hll_summary s;

	memset(&s, 0, sizeof(s));
	s.precision = (uint8_t) p;
	s.dense = true;
	pds_hll_registers_histogram(registers, p, s.histogram);
	return s;
}

/* All that may be asked of a summary, whatever is in it. */
static void
check_sane(const pds_hll_summary *s)
{
	static const double confidence[] = {1e-9, 0.5, 0.6827, 0.95, 0.99, 1 - 1e-12};
	double		n = pds_hll_cardinality(s);
	double		proven = s->dense ?
		pds_hll_registers(s->precision) - s->histogram[0] : s->tokens;
	double		error = pds_hll_relative_error(s);
	double		lower_before = rint(n);
	double		upper_before = rint(n);

	CHECK(n >= proven * (1 - 1e-12) && isfinite(n));
	CHECK(error >= 0 && error <= 100);
	for (size_t i = 0; i < sizeof(confidence) / sizeof(confidence[0]); i++)
	{
		double		lower;
		double		estimate;
		double		upper;

		pds_hll_bounds(s, confidence[i], &lower, &estimate, &upper);
		CHECK(estimate == n);
		CHECK(lower >= proven && lower == floor(lower) && lower <= lower_before);
		CHECK(upper >= upper_before && upper == ceil(upper));
		lower_before = lower;
		upper_before = upper;
	}
}

TEST(nothing_counts_as_nothing)
{
	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		pds_hll_summary s = tokens_summary(p, 0);
		double		lower = 1;
		double		estimate = 1;
		double		upper = 1;

		CHECK(pds_hll_cardinality(&s) == 0);
		CHECK(pds_hll_relative_error(&s) == 0);
		pds_hll_bounds(&s, 0.95, &lower, &estimate, &upper);
		CHECK(lower == 0 && estimate == 0 && upper == 0);
	}
}

TEST(tokens_are_counted_linearly)
{
	for (uint32_t t = 1; t <= pds_hll_max_tokens(HIGHEST); t += 1 + t / 20)
	{
		pds_hll_summary s = tokens_summary(HIGHEST, t);
		long double n = -CELLS * logl(1 - t / (long double) CELLS);
		long double load = n / CELLS;
		double		error = (double) (sqrtl(CELLS * (expl(load) - load - 1)) / n);

		CHECK_NEAR(pds_hll_cardinality(&s), (double) n, 1e-9 * (double) n);
		/* the long double formula loses digits where the load is small */
		CHECK_NEAR(pds_hll_relative_error(&s), error, t < 1000 ? 1e-4 : 1e-8);
		CHECK_NEAR(pds_hll_relative_error(&s), 1 / sqrt(2 * CELLS), 1e-6);
		/* whole numbers up to 10,000: what COUNT(DISTINCT) would say */
		if (t < 8000)
			CHECK(round(pds_hll_cardinality(&s)) == t);
		check_sane(&s);
	}
}

TEST(known_quantiles_of_the_normal_distribution)
{
	CHECK_NEAR(pds_normal_quantile(0.5), 0.6744897501960817, 1e-9);
	CHECK_NEAR(pds_normal_quantile(0.6826894921370859), 1, 1e-9);
	CHECK_NEAR(pds_normal_quantile(0.95), 1.959963984540054, 1e-9);
	CHECK_NEAR(pds_normal_quantile(0.99), 2.575829303548901, 1e-9);
	CHECK_NEAR(pds_normal_quantile(0.9973002039367398), 3, 1e-9);
	CHECK_NEAR(pds_normal_quantile(0.999999), 4.891638475699, 1e-6);
}

TEST(the_error_of_many_values_is_the_bound_of_cramer_and_rao)
{
	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		double		m = ldexp(1, p);
		double		pi = 3.14159265358979323846;

		CHECK_NEAR(pds_hll_standard_error(p) * sqrt(m),
				   sqrt(log(2) / (pi * pi / 6 - 1)), 2e-4);
		CHECK_NEAR(reference_of(1e6 * m, p).error, pds_hll_standard_error(p),
				   1e-3 * pds_hll_standard_error(p));
	}
}

/* Fills from one value to where hashes of 64 bits begin to be too short. */
TEST(the_estimate_is_the_maximum_of_the_likelihood)
{
	double		furthest = 0;

	for (int p = LOWEST; p <= HIGHEST; p += p < 14 ? 1 : 2)
	{
		double		m = ldexp(1, p);

		for (double n = 1; n < ldexp(1, 62); n *= p < 12 ? 1.9 : 10)
		{
			pds_hll_summary s;
			double		got;
			double		want;
			double		off;

			simulate_registers(registers, p, n);
			s = registers_summary(p);
			if (s.histogram[0] == m || s.histogram[pds_hll_max_rank(p)] == m)
				continue;
			got = pds_hll_cardinality(&s);
			want = reference_ml(s.histogram, p);
			off = fabs(got / want - 1) * sqrt(m);
			if (off > furthest)
				furthest = off;
			/* far below its standard error of 1.04 / sqrt(m) */
			CHECK_NEAR(off, 0, 1e-6);
			check_sane(&s);
		}
	}
	printf("# at most %.2g / sqrt(m) off the maximum\n", furthest);
}

TEST(another_estimator_agrees)
{
	for (int p = 6; p <= HIGHEST; p += 2)
	{
		double		m = ldexp(1, p);

		for (double n = m / 30; n < 1e15; n *= 3)
		{
			for (int round = 0; round < (p <= 12 ? 20 : 2); round++)
			{
				pds_hll_summary s;
				double		ml;

				simulate_registers(registers, p, n);
				s = registers_summary(p);
				ml = pds_hll_cardinality(&s);
				if (s.histogram[0] == m)
					continue;
				/* they differ by less than their standard error */
				CHECK_NEAR(reference_raw(s.histogram, p) / ml, 1,
						   1.2 * pds_hll_standard_error(p));
				CHECK_NEAR(ml / n, 1, (p < 8 ? 8 : 6) * (pds_hll_standard_error(p) + sqrt(1 / n)));
			}
		}
	}
}

TEST(the_error_is_that_of_the_fisher_information)
{
	for (int p = LOWEST; p <= HIGHEST; p += 2)
	{
		for (double n = 5; n < 1e15; n *= p <= 10 ? 2.3 : 40)
		{
			pds_hll_summary s;
			double		estimate;
			double		want;

			simulate_registers(registers, p, n);
			s = registers_summary(p);
			estimate = pds_hll_cardinality(&s);
			if (estimate <= 0)
				continue;
			want = reference_of(estimate, p).error;
			/* the difference of two nearly equal numbers where few registers are taken */
			CHECK_NEAR(pds_hll_relative_error(&s), want, 1e-3 * want);
		}
	}
}

/* Nobody counts so far, but a sketch that says so can be sent in. */
TEST(the_error_near_saturation)
{
	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		for (double n = 1e15; n < ldexp(1, 66); n *= 2)
		{
			pds_hll_summary s;
			double		want;

			simulate_registers(registers, p, n);
			s = registers_summary(p);
			if (s.histogram[pds_hll_max_rank(p)] == pds_hll_registers(p))
				continue;
			want = reference_of(pds_hll_cardinality(&s), p).error;
			CHECK_NEAR(pds_hll_relative_error(&s), want, 1e-3 * want);
		}
	}
}

TEST(registers_at_their_ends)
{
	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		uint32_t	m = pds_hll_registers(p);
		pds_hll_summary s;

		/* all at their largest: 2^64 values or more, no division by nothing */
		memset(registers, pds_hll_max_rank(p), m);
		s = registers_summary(p);
		CHECK(pds_hll_cardinality(&s) >= ldexp(1, 63));
		check_sane(&s);
		/* all but one, and half of them */
		registers[0]--;
		s = registers_summary(p);
		check_sane(&s);
		memset(registers, 0, m / 2);
		s = registers_summary(p);
		check_sane(&s);
		/* a single value */
		for (int v = 1; v <= pds_hll_max_rank(p); v++)
		{
			memset(registers, 0, m);
			registers[m / 3] = (uint8_t) v;
			s = registers_summary(p);
			check_sane(&s);
			CHECK(pds_hll_cardinality(&s) < 1 + 3.0 / m);
		}
	}
}

/* Adding a value never makes the count smaller, except for the solver's tolerance. */
TEST(larger_registers_never_count_less)
{
	for (int p = LOWEST; p <= 10; p++)
	{
		double		before = 0;

		memset(registers, 0, pds_hll_registers(p));
		for (int i = 0; i < 3000; i++)
		{
			uint32_t	at = (uint32_t) (test_random() % pds_hll_registers(p));
			pds_hll_summary s;
			double		n;

			if (registers[at] == pds_hll_max_rank(p))
				continue;
			registers[at]++;
			s = registers_summary(p);
			n = pds_hll_cardinality(&s);
			CHECK(n >= before * (1 - 2e-3 / sqrt(ldexp(1, p))));
			before = n;
		}
	}
}

TEST(real_hashes_are_counted)
{
	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		sketch		s = sketch_new(p);
		uint64_t	first = test_random();
		uint64_t	next = 1;

		for (uint64_t n = 1; n <= 200000; n++)
		{
			pds_hll_summary summary;
			double		lower;
			double		estimate;
			double		upper;

			sketch_add(&s, pds_murmur3_u64(first + n).h1);
			if (n != next)
				continue;
			next = next * 5 / 4 + 1;
			pds_hll_summarize_build(s.b, &summary);
			check_sane(&summary);
			/* one time in 10^9, were all of it normally distributed */
			if (p >= 7 || !s.b->dense)
			{
				pds_hll_bounds(&summary, 1 - 1e-9, &lower, &estimate, &upper);
				CHECK(floor(lower) <= n && n <= ceil(upper));
			}
		}
		sketch_free(&s);
	}
}
