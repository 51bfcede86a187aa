/*
 * ddsketch_index.c: from a number to its bucket, and back
 *
 * All edges are made of 20 roots of 2 by whole numbers, and are the same on every machine.
 * test/unit/ddsketch_index_test.c checks them by exact arithmetic.
 */
#include <math.h>

#include "bits.h"
#include "ddsketch_index.h"

/* floor(2^128 * (2^(2^-k) - 1)) for k from 1 to 20: the high and the low 64 bits */
static const uint64_t roots[PDS_DDSKETCH_MAX_SCALE][2] = {
	{UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xb2fb1366ea957d3e)},
	{UINT64_C(0x306fe0a31b7152de), UINT64_C(0x8d5a46305c85edec)},
	{UINT64_C(0x172b83c7d517adcd), UINT64_C(0xf7c8c50eb14a7920)},
	{UINT64_C(0x0b5586cf9890f629), UINT64_C(0x8b92b71842a98364)},
	{UINT64_C(0x059b0d31585743ae), UINT64_C(0x7c548eb68ca417fe)},
	{UINT64_C(0x02c9a3e778060ee6), UINT64_C(0xf7caca4f7a29bde9)},
	{UINT64_C(0x0163da9fb33356d8), UINT64_C(0x4a66ae336dcdfa40)},
	{UINT64_C(0x00b1afa5abcbed61), UINT64_C(0x29ab13ec11dc9544)},
	{UINT64_C(0x0058c86da1c09ea1), UINT64_C(0xff19d294cf2f679c)},
	{UINT64_C(0x002c605e2e8cec50), UINT64_C(0x6d21bfc89a23a010)},
	{UINT64_C(0x00162f3904051fa1), UINT64_C(0x28bca9c55c31e5e0)},
	{UINT64_C(0x000b175effdc76ba), UINT64_C(0x38e31671ca939726)},
	{UINT64_C(0x00058ba01fb9f96d), UINT64_C(0x6cacd4b180917c3e)},
	{UINT64_C(0x0002c5cc37da9491), UINT64_C(0xd0985c348c68e7b3)},
	{UINT64_C(0x000162e525ee0547), UINT64_C(0x54457d5995292026)},
	{UINT64_C(0x0000b17255775c04), UINT64_C(0x0618bf4a4ade83fc)},
	{UINT64_C(0x000058b91b5bc9ae), UINT64_C(0x2eed81e9b7d4cfac)},
	{UINT64_C(0x00002c5c89d5ec6c), UINT64_C(0xa4d7c8acc017b7c9)},
	{UINT64_C(0x0000162e43f4f831), UINT64_C(0x060e02d839a9d16d)},
	{UINT64_C(0x00000b1721bcfc99), UINT64_C(0xd9f890ea06911763)},
};

#define HIDDEN_BIT	(UINT64_C(1) << PDS_DDSKETCH_MANTISSA_BITS)

/* A number from 1 to below 2: 1 + (high * 2^64 + low) / 2^128 */
typedef struct wide
{
	uint64_t	high;
	uint64_t	low;
} wide;

/* The product of two that is below 2, too low by no more than 3 in the last place. */
static wide
times(wide x, wide y)
{
	uint64_t	parts[3] = {pds_mulhi64(x.high, y.low), pds_mulhi64(x.low, y.high),
		x.high * y.high};
	wide		product = {pds_mulhi64(x.high, y.high) + x.high + y.high, 0};

	for (int i = 0; i < 3; i++)
	{
		product.low += parts[i];
		product.high += product.low < parts[i];
	}
	product.low += x.low;
	product.high += product.low < x.low;
	product.low += y.low;
	product.high += product.low < y.low;
	return product;
}

/* floor(2^52 * x).  No edge is so near to a whole number that its last places matter. */
static uint64_t
mantissa_of(wide x)
{
	return HIDDEN_BIT | x.high >> (64 - PDS_DDSKETCH_MANTISSA_BITS);
}

static wide
root(int k)
{
	return (wide) {roots[k - 1][0], roots[k - 1][1]};
}

uint64_t	pds_ddsketch_bounds[(1 << PDS_DDSKETCH_TABLE_SCALE) + 1];
uint16_t	pds_ddsketch_starts[2 << PDS_DDSKETCH_TABLE_SCALE];

/* (b - 1) / (b + 1), for b = 2^(2^-scale), of the scales from the least one up */
static double errors[PDS_DDSKETCH_MAX_SCALE - PDS_DDSKETCH_MIN_SCALE + 1];

/* Makes the tables when the library is loaded, which takes some microseconds. */
static __attribute__((constructor)) void
make_tables(void)
{
	wide		powers[1 << PDS_DDSKETCH_TABLE_SCALE] = {{0, 0}};	/* 2^(j / 512) */
	int			size = 1 << PDS_DDSKETCH_TABLE_SCALE;
	uint16_t	below = 0;

	for (int k = 1, step = size / 2; step > 0; k++, step /= 2)
		for (int j = 0; j < size; j += 2 * step)
			powers[j + step] = times(powers[j], root(k));
	for (int j = 0; j < size; j++)
		pds_ddsketch_bounds[j] = mantissa_of(powers[j]);
	pds_ddsketch_bounds[size] = 2 * HIDDEN_BIT;
	for (int i = 0; i < 2 * size; i++)
	{
		while (pds_ddsketch_bounds[below] < HIDDEN_BIT + HIDDEN_BIT / (2 * size) * i)
			below++;
		pds_ddsketch_starts[i] = below;
	}
	for (int scale = PDS_DDSKETCH_MIN_SCALE; scale <= PDS_DDSKETCH_MAX_SCALE; scale++)
	{
		/* 2^1024 would be infinite, and 2^512 is so large that the error is 1, too */
		double		growth = scale <= 0 ? ldexp(1, scale < -9 ? 512 : 1 << -scale) - 1 :
			ldexp((double) root(scale).high, -64) + ldexp((double) root(scale).low, -128);

		errors[scale - PDS_DDSKETCH_MIN_SCALE] = growth / (growth + 2);
	}
}

/* floor(2^52 * 2^(j / 2^scale)), of a scale from 0 up and a j below 2^scale */
static uint64_t
bound(uint32_t j, int scale)
{
	wide		x = {0, 0};

	if (scale <= PDS_DDSKETCH_TABLE_SCALE)
		return pds_ddsketch_bounds[j << (PDS_DDSKETCH_TABLE_SCALE - scale)];
	for (int k = 1; k <= scale; k++)
		if ((j >> (scale - k) & 1) != 0)
			x = times(x, root(k));
	return mantissa_of(x);
}

/* The largest j below 2^scale whose bound is below this mantissa, which is above 2^52. */
static uint32_t
last_below(uint64_t mantissa, int scale)
{
	wide		x = {0, 0};
	uint32_t	j = 0;

	for (int k = 1; k <= scale; k++)
	{
		wide		y = times(x, root(k));

		j <<= 1;
		if (mantissa_of(y) < mantissa)
		{
			x = y;
			j |= 1;
		}
	}
	return j;
}

int32_t
pds_ddsketch_index(double value, int scale)
{
	uint64_t	bits = pds_bits_of(value);
	uint64_t	mantissa;
	int32_t		exponent;
	int32_t		below;

	if (pds_ddsketch_is_plain(bits, scale))
		return pds_ddsketch_index_plain(bits, scale);
	exponent = (int32_t) (bits >> PDS_DDSKETCH_MANTISSA_BITS & 0x7ff);
	mantissa = bits & (HIDDEN_BIT - 1);
	if (exponent > 0)
		mantissa |= HIDDEN_BIT;
	else
	{
		int			shift = PDS_DDSKETCH_MANTISSA_BITS - pds_log2_64(mantissa);

		mantissa <<= shift;
		exponent = 1 - shift;
	}
	exponent -= PDS_DDSKETCH_EXPONENT_BIAS;
	below = mantissa == HIDDEN_BIT ? -1 :
		scale > 0 ? (int32_t) last_below(mantissa, scale) : 0;
	if (scale <= 0)
		return pds_ddsketch_coarser(exponent + below, -scale);
	return exponent * (1 << scale) + below;
}

/* 2^52 <= mantissa < 2^53 */
static double
scaled(double mantissa, int64_t exponent)
{
	return ldexp(mantissa, (int) exponent - PDS_DDSKETCH_MANTISSA_BITS);
}

/* The power of 2 at or below an edge, and the edge's place behind it. */
static int64_t
exponent_of(int64_t index, int scale, uint32_t *j)
{
	int64_t		exponent;

	*j = 0;
	if (scale <= 0)
		return index * (1 << -scale);
	exponent = index >= 0 ? index >> scale : ~(~index >> scale);
	*j = (uint32_t) (index - exponent * (1 << scale));
	return exponent;
}

double
pds_ddsketch_edge(int64_t index, int scale)
{
	uint32_t	j;
	int64_t		exponent = exponent_of(index, scale, &j);

	return scaled((double) bound(j, scale < 0 ? 0 : scale), exponent);
}

/* 2b / (b + 1) above the lower edge */
double
pds_ddsketch_middle(int32_t index, int scale)
{
	uint32_t	j;
	int64_t		exponent = exponent_of(index, scale, &j);

	return scaled((double) bound(j, scale < 0 ? 0 : scale) *
				  (1 + pds_ddsketch_error(scale)), exponent);
}

/* Those of 2^-1074 and of the largest number, which is below 2^1024. */
int32_t
pds_ddsketch_least_index(int scale)
{
	return scale < 0 ? pds_ddsketch_coarser(-1075, -scale) : -1074 * (1 << scale) - 1;
}

int32_t
pds_ddsketch_largest_index(int scale)
{
	return scale < 0 ? pds_ddsketch_coarser(1023, -scale) : 1024 * (1 << scale) - 1;
}

double
pds_ddsketch_error(int scale)
{
	return errors[scale - PDS_DDSKETCH_MIN_SCALE];
}

int
pds_ddsketch_scale_for(double error)
{
	int			scale = PDS_DDSKETCH_MIN_SCALE;

	while (scale <= PDS_DDSKETCH_MAX_SCALE && pds_ddsketch_error(scale) > error)
		scale++;
	return scale;
}
