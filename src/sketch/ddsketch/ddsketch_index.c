/*
 * ddsketch_index.c: from a number to its bucket, and back
 */
#include <math.h>

#include "bits.h"
#include "ddsketch_index.h"
#include "ddsketch_table.h"

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
	uint64_t	bits;
	uint64_t	mantissa;
	int32_t		exponent;
	int32_t		below;

	memcpy(&bits, &value, sizeof(bits));
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

/* (b - 1) / (b + 1) and 2b / (b + 1), for b = 2^(2^-scale) */
static const struct
{
	double		error;
	double		middle;
}			scales[PDS_DDSKETCH_MAX_SCALE - PDS_DDSKETCH_MIN_SCALE + 1] = {
	{1, 2},	/* -10 */
	{1, 2},	/* -9 */
	{1, 2},	/* -8 */
	{1, 2},	/* -7 */
	{1, 2},	/* -6 */
	{0.99999999953433871, 1.9999999995343387},	/* -5 */
	{0.99996948288752918, 1.9999694828875292},	/* -4 */
	{0.99221789883268485, 1.9922178988326849},	/* -3 */
	{0.88235294117647056, 1.8823529411764706},	/* -2 */
	{0.59999999999999998, 1.6000000000000001},	/* -1 */
	{0.33333333333333331, 1.3333333333333333},	/* 0 */
	{0.1715728752538099, 1.1715728752538099},	/* 1 */
	{0.086427233725889799, 1.0864272337258898},	/* 2 */
	{0.043294617499389176, 1.0432946174993891},	/* 3 */
	{0.021657462326226291, 1.0216574623262262},	/* 4 */
	{0.010830001253373642, 1.0108300012533737},	/* 5 */
	{0.0054151594159025686, 1.0054151594159026},	/* 6 */
	{0.0027075995574763279, 1.0027075995574763},	/* 7 */
	{0.0013538022599560793, 1.0013538022599562},	/* 8 */
	{0.00067690144013113178, 1.0006769014401311},	/* 9 */
	{0.00033845075883472906, 1.0003384507588347},	/* 10 */
	{0.00016922538426351075, 1.0001692253842636},	/* 11 */
	{8.4612692737523685e-05, 1.0000846126927376},	/* 12 */
	{4.2306346444482881e-05, 1.0000423063464445},	/* 13 */
	{2.115317323170657e-05, 1.0000211531732317},	/* 14 */
	{1.0576586617036426e-05, 1.000010576586617},	/* 15 */
	{5.2882933086661056e-06, 1.0000052882933086},	/* 16 */
	{2.6441466543515393e-06, 1.0000026441466543},	/* 17 */
	{1.3220733271780806e-06, 1.0000013220733273},	/* 18 */
	{6.6103666358932912e-07, 1.0000006610366636},	/* 19 */
	{3.3051833179470066e-07, 1.0000003305183318},	/* 20 */
};

double
pds_ddsketch_middle(int32_t index, int scale)
{
	uint32_t	j;
	int64_t		exponent = exponent_of(index, scale, &j);

	return scaled((double) bound(j, scale < 0 ? 0 : scale) *
				  scales[scale - PDS_DDSKETCH_MIN_SCALE].middle, exponent);
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
	return scales[scale - PDS_DDSKETCH_MIN_SCALE].error;
}

int
pds_ddsketch_scale_for(double error)
{
	int			scale = PDS_DDSKETCH_MIN_SCALE;

	while (scale <= PDS_DDSKETCH_MAX_SCALE && pds_ddsketch_error(scale) > error)
		scale++;
	return scale;
}
