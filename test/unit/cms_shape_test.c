/*
 * cms_shape_test.c: from epsilon and delta to width and depth, and from hashes to
 * positions
 */
#include "test.h"

#include <math.h>

#include "cms_oracle.h"

TEST(widths_and_depths_are_the_formulas)
{
	double		nearest = 1;

	for (uint16_t code = 1; code < PDS_DECIMAL_CODES; code++)
	{
		double		value = pds_decimal_value(code);
		double		width = exp(1) / value;
		double		depth = log(1 / value);
		pds_cms_shape s;

		(void) pds_cms_shape_for(code, pds_decimal_code(0.5), false, &s);
		CHECK_U64(s.width, (uint64_t) ceil(width));
		CHECK_U64(s.epsilon, code);
		(void) pds_cms_shape_for(pds_decimal_code(0.1), code, false, &s);
		CHECK_U64(s.depth, (uint64_t) ceil(depth));
		CHECK_U64(s.delta, code);
		if (fabs(width - nearbyint(width)) / width < nearest)
			nearest = fabs(width - nearbyint(width)) / width;
		if (fabs(depth - nearbyint(depth)) / depth < nearest)
			nearest = fabs(depth - nearbyint(depth)) / depth;
	}
	/* even the C library's doubles are good enough to tell on which side they are */
	printf("# relative distance from the next whole number: at least %g\n", nearest);
	CHECK(nearest > 1e-14);
}

TEST(shapes_that_are_known)
{
	pds_cms_shape s = shape_of(0.001, 0.01);

	CHECK_U64(s.width, 2719);
	CHECK_U64(s.depth, 5);
	CHECK_U64(pds_cms_counters(&s), 13595);
	s = shape_of(0.0001, 0.001);
	CHECK_U64(s.width, 27183);
	CHECK_U64(s.depth, 7);
	s = shape_of(0.999, 0.999);
	CHECK_U64(s.width, 3);
	CHECK_U64(s.depth, 1);
	s = shape_of(0.5, 1e-9);
	CHECK_U64(s.width, 6);
	CHECK_U64(s.depth, PDS_CMS_MAX_DEPTH);
}

TEST(the_largest_shape_has_space_in_a_value)
{
	static const double deltas[] = {0.9, 0.5, 0.1, 0.01, 0.001, 1e-6, 1e-9};

	for (size_t i = 0; i < sizeof(deltas) / sizeof(deltas[0]); i++)
	{
		uint16_t	delta = pds_decimal_code(deltas[i]);
		uint16_t	code = pds_cms_smallest_epsilon(delta);
		pds_cms_shape s;

		CHECK(pds_cms_shape_for(code, delta, false, &s) == PDS_OK);
		CHECK((uint64_t) s.width * s.depth <= PDS_CMS_MAX_COUNTERS);
		CHECK((uint64_t) s.width * s.depth >= PDS_CMS_MAX_COUNTERS / 100 * 98);
		CHECK(sizeof(pds_cms_build) + (uint64_t) s.width * s.depth * 8 < 0x3fffffff);
		/* three digits less 0.4 % */
		code = pds_decimal_code(pds_decimal_value(code) * 0.99);
		CHECK(pds_cms_shape_for(code, delta, false, &s) == PDS_TOO_LARGE);
	}
}

TEST(positions_are_the_oracle_s)
{
	static const double epsilons[] = {0.9, 0.1, 0.001, 0.0001, 3e-8};

	for (size_t i = 0; i < sizeof(epsilons) / sizeof(epsilons[0]); i++)
	{
		oracle		o;

		/* no counters: only where they would be */
		o.shape = shape_of(epsilons[i], epsilons[i] < 1e-6 ? 0.9 : 1e-9);
		o.counters = NULL;
		for (int n = 0; n < 2000; n++)
		{
			pds_hash	h = {test_random(), test_random()};
			uint32_t	at[PDS_CMS_MAX_DEPTH];

			if (n < 4)
			{
				h.h1 = n & 1 ? UINT64_MAX : 0;
				h.h2 = n & 2 ? UINT64_MAX : 0;
			}
			pds_cms_positions(h, &o.shape, at);
			for (int row = 0; row < o.shape.depth; row++)
			{
				uint64_t	x = h.h1;

				for (int k = 0; k < row; k++)
					x = x * UINT64_C(0x9e3779b97f4a7c15) + h.h2;
				CHECK_U64(at[row], (uint64_t) row * o.shape.width + oracle_scale(x, o.shape.width));
			}
		}
	}
}

/*
 * Rows are as good as independent. Among all pairs of n keys, count those that share their
 * counters in exactly j of d rows. The counts are binomially distributed, as if each row had
 * its own hash function.
 */
TEST(rows_are_as_good_as_independent)
{
	enum { KEYS = 6000, DEPTH = 5 };
	static uint32_t at[KEYS][PDS_CMS_MAX_DEPTH];
	static const double epsilons[] = {0.3, 0.1, 0.03, 0.01};

	for (size_t e = 0; e < sizeof(epsilons) / sizeof(epsilons[0]); e++)
	{
		pds_cms_shape s = shape_of(epsilons[e], 0.01);
		double		p = 1.0 / s.width;
		double		pairs = KEYS * (KEYS - 1) / 2.0;
		uint64_t	shared[DEPTH + 1] = {0};
		uint64_t	both[DEPTH][DEPTH] = {{0}};

		for (uint64_t i = 0; i < KEYS; i++)
			pds_cms_positions(pds_murmur3_u64(i), &s, at[i]);
		for (int i = 0; i < KEYS; i++)
			for (int j = 0; j < i; j++)
			{
				int			n = 0;

				for (int row = 0; row < DEPTH; row++)
					n += at[i][row] == at[j][row];
				shared[n]++;
				for (int row = 0; n >= 2 && row < DEPTH; row++)
					for (int other = 0; other < row; other++)
						both[row][other] += at[i][row] == at[j][row] &&
							at[i][other] == at[j][other];
			}
		for (int n = 0; n <= DEPTH; n++)
		{
			double		want = pairs * pow(p, n) * pow(1 - p, DEPTH - n);

			for (int k = 0; k < n; k++)
				want = want * (DEPTH - k) / (k + 1);
			printf("# width %u: %" PRIu64 " pairs share %d rows, expected %.1f\n",
				   s.width, shared[n], n, want);
			CHECK_NEAR((double) shared[n], want, 5 * sqrt(want) + 5);
		}
		for (int row = 0; row < DEPTH; row++)
			for (int other = 0; other < row; other++)
				CHECK_NEAR((double) both[row][other], pairs * p * p, 5 * sqrt(pairs * p * p) + 5);
	}
}

/* Each row by itself: as even as chance makes it. */
TEST(columns_are_evenly_used)
{
	enum { KEYS = 400000 };
	pds_cms_shape s = shape_of(0.01, 0.01);
	uint32_t   *count = calloc(pds_cms_counters(&s), sizeof(uint32_t));

	for (uint64_t i = 0; i < KEYS; i++)
	{
		uint32_t	at[PDS_CMS_MAX_DEPTH];

		pds_cms_positions(pds_murmur3_u64(i * 1000003), &s, at);
		for (int row = 0; row < s.depth; row++)
			count[at[row]]++;
	}
	for (uint32_t row = 0; row < s.depth; row++)
	{
		double		mean = (double) KEYS / s.width;
		double		chi = 0;
		double		freedom = s.width - 1.0;

		for (uint32_t i = row * s.width; i < (row + 1) * s.width; i++)
			chi += (count[i] - mean) * (count[i] - mean) / mean;
		printf("# row %u: chi-square %.1f of %.0f degrees of freedom\n", row, chi, freedom);
		CHECK_NEAR(chi, freedom, 4.5 * sqrt(2 * freedom));
	}
	free(count);
}
