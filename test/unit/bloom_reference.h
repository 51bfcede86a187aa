/*
 * bloom_reference.h: false-positive rates of Bloom filters without an
 * approximation, for judging the library's
 *
 * The number of B bits that are set after t throws follows a Markov chain of B + 1 states,
 * which is computed throw by throw. The chance that k further throws hit only bits that are set
 * is then the mean of (set / B)^k.
 */
#ifndef PDS_TEST_BLOOM_REFERENCE_H
#define PDS_TEST_BLOOM_REFERENCE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* The chances of 0 to b bits set, after some throws. */
typedef struct occupancy
{
	int			b;
	int			most;			/* no more can be set yet */
	double	   *chance;
} occupancy;

static inline occupancy
occupancy_new(int b)
{
	occupancy	o;

	o.b = b;
	o.most = 0;
	o.chance = calloc((size_t) b + 1, sizeof(double));
	if (o.chance == NULL)
		abort();
	o.chance[0] = 1;
	return o;
}

static inline void
occupancy_throw(occupancy *o, int times)
{
	while (times-- > 0)
	{
		if (o->most < o->b)
			o->most++;
		for (int d = o->most; d >= 1; d--)
			o->chance[d] = (o->chance[d] * d + o->chance[d - 1] * (o->b - d + 1)) / o->b;
		o->chance[0] = 0;
	}
}

/* The mean of (share of bits set)^k. */
static inline double
occupancy_power(const occupancy *o, int k)
{
	double		sum = 0;

	for (int d = 1; d <= o->most; d++)
		sum += o->chance[d] * pow((double) d / o->b, k);
	return sum;
}

static inline void
occupancy_free(occupancy *o)
{
	free(o->chance);
	o->chance = NULL;
}

/* The rate of a single block of m bits with n keys of k bits. */
static inline double
reference_single(int m, int k, int n)
{
	occupancy	o = occupancy_new(m);
	double		rate;

	occupancy_throw(&o, n * k);
	rate = occupancy_power(&o, k);
	occupancy_free(&o);
	return rate;
}

/*
 * The rate of so many blocks of 512 bits with n keys of k bits; no end of blocks
 * with n keys each if blocks is 0.
 */
static inline double
reference_blocks(double n, double blocks, int k)
{
	double		mean = blocks > 0 ? n / blocks : n;
	occupancy	o = occupancy_new(512);
	double		rate = 0;

	for (int i = 1; i <= mean + 12 * sqrt(mean) + 30; i++)
	{
		double		log_p;

		occupancy_throw(&o, k);
		if (blocks == 0)
			log_p = i * log(mean) - mean - lgamma(i + 1.0);
		else if (i > n)
			break;
		else
			log_p = lgamma(n + 1) - lgamma(i + 1.0) - lgamma(n - i + 1) - i * log(blocks) +
				(n - i) * log1p(-1 / blocks);
		rate += exp(log_p) * occupancy_power(&o, k);
	}
	occupancy_free(&o);
	return rate;
}

#endif
