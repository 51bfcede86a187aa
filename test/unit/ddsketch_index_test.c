/*
 * ddsketch_index_test.c: a number is in the bucket that exact arithmetic says
 */
#include "test.h"

#include <math.h>
#include <stdlib.h>

#include "payload.h"

#include "ddsketch_index.h"

/* ---------- whole numbers of any size ---------- */

#define LIMBS	1024

typedef struct big
{
	int			n;
	uint32_t	limb[LIMBS];
} big;

static void
big_set(big *x, uint64_t v)
{
	x->n = v >> 32 != 0 ? 2 : 1;
	x->limb[0] = (uint32_t) v;
	x->limb[1] = (uint32_t) (v >> 32);
}

static void
big_square(big *x)
{
	static big	y;

	memset(&y, 0, sizeof(y));
	for (int i = 0; i < x->n; i++)
	{
		uint64_t	carry = 0;

		for (int j = 0; j < x->n; j++)
		{
			carry += (uint64_t) x->limb[i] * x->limb[j] + y.limb[i + j];
			y.limb[i + j] = (uint32_t) carry;
			carry >>= 32;
		}
		y.limb[i + x->n] = (uint32_t) carry;
	}
	y.n = 2 * x->n;
	while (y.limb[y.n - 1] == 0)
		y.n--;
	memcpy(x, &y, sizeof(y));
}

static int
big_bits(const big *x)
{
	return 32 * (x->n - 1) + 32 - __builtin_clz(x->limb[x->n - 1]);
}

/* Is it below 2^bits? */
static bool
below_power(const big *x, int bits)
{
	return big_bits(x) <= bits;
}

/*
 * Is mantissa / 2^52 above 2^(j / 2^scale)?  By raising both to the power of 2^scale: no number
 * but a power of 2 is equal to the other side.
 */
static bool
above(uint64_t mantissa, uint32_t j, int scale)
{
	static big	x;

	big_set(&x, mantissa);
	for (int i = 0; i < scale; i++)
		big_square(&x);
	return !below_power(&x, 52 * (1 << scale) + (int) j);
}

static double
number(uint64_t mantissa, int exponent)
{
	return ldexp((double) mantissa, exponent - 52);
}

TEST(exact_arithmetic_makes_the_same_table)
{
	for (uint32_t j = 1; j < 512; j++)
	{
		CHECK(!above(pds_ddsketch_bounds[j], j, 9));
		CHECK(above(pds_ddsketch_bounds[j] + 1, j, 9));
	}
	CHECK_U64(pds_ddsketch_bounds[0], UINT64_C(1) << 52);
	CHECK_U64(pds_ddsketch_bounds[512], UINT64_C(1) << 53);
	for (uint32_t c = 0; c < 1024; c++)
	{
		uint32_t	n = 0;

		while (pds_ddsketch_bounds[n] < (UINT64_C(1) << 52) + ((uint64_t) c << 42))
			n++;
		CHECK_U64(pds_ddsketch_starts[c], n);
	}
}

/* The numbers on both sides of every edge between 1 and 2, at every scale that has a table. */
TEST(numbers_beside_an_edge)
{
	for (int scale = 0; scale <= 9; scale++)
		for (uint32_t j = 0; j < UINT32_C(1) << scale; j++)
		{
			uint64_t	mantissa = pds_ddsketch_bounds[j << (9 - scale)];

			CHECK(pds_ddsketch_index(number(mantissa, 0), scale) == (int32_t) j - 1);
			CHECK(pds_ddsketch_index(number(mantissa + 1, 0), scale) == (int32_t) j);
			CHECK(pds_ddsketch_index(-number(mantissa + 1, 0), scale) == (int32_t) j);
			CHECK(pds_ddsketch_index(number(mantissa, 1000), scale) ==
				  1000 * (1 << scale) + (int32_t) j - 1);
			CHECK(pds_ddsketch_index(number(mantissa + 1, -1000), scale) ==
				  -1000 * (1 << scale) + (int32_t) j);
		}
}

TEST(random_numbers)
{
	for (int i = 0; i < 300; i++)
	{
		uint64_t	mantissa = (UINT64_C(1) << 52) | test_random() >> 12;
		int			scale = (int) below(9) + 1;
		int32_t		j = pds_ddsketch_index(number(mantissa, 0), scale);

		CHECK(j >= 0 && j < 1 << scale);
		CHECK(j == 0 || above(mantissa, (uint32_t) j, scale));
		CHECK(j == (1 << scale) - 1 || !above(mantissa, (uint32_t) j + 1, scale));
	}
}

static double
random_number(void)
{
	uint64_t	bits;
	double		v;

	do
	{
		bits = test_random() & ~(UINT64_C(1) << 63);
		memcpy(&v, &bits, sizeof(v));
	} while (!isfinite(v) || v == 0);
	return v;
}

/* At each scale the index is half of the index at the next one. */
TEST(scales_halve_the_index)
{
	for (int i = 0; i < 20000; i++)
	{
		double		v = i % 10 == 0 ? ldexp(1, (int) below(2098) - 1074) :
			i % 10 == 1 ? ldexp((double) below(1000) + 1, -1074) : random_number();
		int32_t		at = pds_ddsketch_index(v, 20);

		for (int scale = 19; scale >= -10; scale--)
		{
			int32_t		next = pds_ddsketch_index(v, scale);

			CHECK(next == pds_ddsketch_coarser(at, 1));
			CHECK(next >= pds_ddsketch_least_index(scale) &&
				  next <= pds_ddsketch_largest_index(scale));
			at = next;
		}
	}
	CHECK(pds_ddsketch_coarser(-1, 1) == -1 && pds_ddsketch_coarser(-3, 1) == -2 &&
		  pds_ddsketch_coarser(3, 1) == 1 && pds_ddsketch_coarser(-1025, 10) == -2);
}

/* The edges of a bucket are on both sides of its numbers, and no number is between. */
TEST(edges_go_with_indexes)
{
	for (int i = 0; i < 20000; i++)
	{
		int			scale = (int) below(31) - 10;
		double		v = random_number();
		int32_t		index = pds_ddsketch_index(v, scale);
		double		lower = pds_ddsketch_edge(index, scale);
		double		upper = pds_ddsketch_edge((int64_t) index + 1, scale);

		CHECK(lower <= v && v <= upper);
		if (v < 2.3e-308)
			continue;
		CHECK(isinf(upper) || pds_ddsketch_index(upper, scale) == index);
		CHECK(lower < 2.3e-308 || pds_ddsketch_index(lower, scale) == index - 1);
		CHECK(isinf(upper) || pds_ddsketch_index(nextafter(upper, HUGE_VAL), scale) == index + 1 ||
			  isinf(nextafter(upper, HUGE_VAL)));
		CHECK(lower < 2.3e-308 || pds_ddsketch_index(nextafter(lower, HUGE_VAL), scale) == index);
		CHECK(fabs(pds_ddsketch_middle(index, scale) - v) / v <=
			  pds_ddsketch_error(scale) * (1 + 1e-9) + 1e-15);
	}
}

TEST(the_smallest_and_the_largest_number)
{
	for (int scale = -10; scale <= 20; scale++)
	{
		CHECK(pds_ddsketch_index(5e-324, scale) == pds_ddsketch_least_index(scale));
		CHECK(pds_ddsketch_index(1.7976931348623157e308, scale) ==
			  pds_ddsketch_largest_index(scale));
		CHECK(pds_ddsketch_edge((int64_t) pds_ddsketch_largest_index(scale) + 1, scale) ==
			  HUGE_VAL);
	}
	CHECK(pds_ddsketch_index(1, 0) == -1 && pds_ddsketch_index(1, -1) == -1);
	CHECK(pds_ddsketch_index(2, 0) == 0 && pds_ddsketch_index(4, 0) == 1);
	CHECK(pds_ddsketch_index(2, -1) == 0 && pds_ddsketch_index(4, -1) == 0 &&
		  pds_ddsketch_index(5, -1) == 1);
}

TEST(the_scale_of_an_error)
{
	CHECK(pds_ddsketch_scale_for(0.01) == 6);
	CHECK(pds_ddsketch_scale_for(0.02) == 5);
	CHECK(pds_ddsketch_scale_for(0.34) == 0);
	CHECK(pds_ddsketch_scale_for(0.001) == 9);
	CHECK(pds_ddsketch_scale_for(3.31e-7) == 20);
	CHECK(pds_ddsketch_scale_for(3.3e-7) == 21);
	for (int scale = -4; scale <= 20; scale++)
	{
		double		b = exp2(exp2(-scale));

		CHECK_NEAR(pds_ddsketch_error(scale), (b - 1) / (b + 1), 1e-9 * pds_ddsketch_error(scale));
		CHECK(pds_ddsketch_error(scale) < pds_ddsketch_error(scale - 1));
	}
}
