/*
 * hll_reference.h: the estimators' theory, written down a second time
 *
 * The distribution of one register that Poisson(x) values fell to.  It is 0 with the
 * probability e^-x.  It is k with e^(-x 2^-k) (1 - e^(-x 2^-k)).  It is q + 1 = 65 - p, the
 * largest, with 1 - e^(-x 2^-q).  From this come the likelihood, the Fisher information, and
 * the bias of order 1 / m of every maximum likelihood estimate (Cox and Snell, "A general
 * definition of residuals", 1968).
 *
 * Besides, two other estimators to compare with: the improved raw estimator of
 * Ertl 2017 (section 3), and the one of Flajolet et al. 2007 with linear
 * counting below 5/2 m.  All in long double, and slow.
 */
#ifndef PDS_TEST_HLL_REFERENCE_H
#define PDS_TEST_HLL_REFERENCE_H

#include <math.h>

#include "hll.h"

/* log P(k; x) and its first three derivatives by x. */
static inline void
reference_log_probability(long double x, int k, int p, long double d[4])
{
	int			q = 64 - p;
	long double f = ldexpl(1, k <= q ? -k : -q);
	long double e = expm1l(x * f);

	memset(d, 0, 4 * sizeof(*d));
	if (k <= q)
	{
		d[0] -= x * f;
		d[1] -= f;
	}
	if (k >= 1)
	{
		d[0] += logl(-expm1l(-x * f));
		d[1] += f / e;
		/* as 1 / e, lest e^2 overflow */
		d[2] -= f * f * (1 + 1 / e) / e;
		d[3] += f * f * f * (1 + 1 / e) * (1 + 2 / e) / e;
	}
}

/* What the theory says of 2^p registers that n values fell to. */
typedef struct reference_theory
{
	double		error;			/* relative standard error of an estimate of n */
	double		bias;			/* relative bias, of order 1 / m */
} reference_theory;

static inline reference_theory
reference_of(double n, int p)
{
	long double m = ldexpl(1, p);
	long double x = n / m;
	long double information = 0;
	long double skew = 0;
	long double variance;
	reference_theory t;

	for (int k = 0; k <= 65 - p; k++)
	{
		long double d[4];
		long double pr;

		reference_log_probability(x, k, p, d);
		pr = expl(d[0]);
		if (!(pr > 0))
			continue;
		information += pr * d[1] * d[1];
		skew += pr * (d[1] * d[2] + d[3] / 2);
	}
	/* less the variance of the number of values itself, which is not random */
	variance = m / information - n;
	t.error = (double) (sqrtl(variance > 0 ? variance : 0) / n);
	t.bias = (double) (skew / (m * information * information) / x);
	return t;
}

/* The derivative by log x of the log-likelihood of a histogram. */
static inline long double
reference_slope(const uint32_t *histogram, int p, long double x)
{
	long double slope = 0;

	for (int k = 0; k <= 65 - p; k++)
	{
		long double d[4];

		if (histogram[k] == 0)
			continue;
		reference_log_probability(x, k, p, d);
		slope += histogram[k] * d[1] * x;
	}
	return slope;
}

/* The maximum likelihood estimate by halving: the slope has one root. */
static inline double
reference_ml(const uint32_t *histogram, int p)
{
	long double lo = -60;
	long double hi = 80;

	for (int i = 0; i < 90; i++)
	{
		long double mid = (lo + hi) / 2;

		if (reference_slope(histogram, p, expl(mid)) > 0)
			lo = mid;
		else
			hi = mid;
	}
	return (double) (ldexpl(1, p) * expl(lo));
}

/*
 * The probability that a pair of registers is at most (k1, k2).  It comes from three Poisson
 * processes: values only in the first set, only in the second, and in both.
 */
static inline long double
reference_at_most(const double rate[3], int k1, int k2, int p)
{
	long double f1 = k1 > 64 - p ? 0 : ldexpl(1, -k1);
	long double f2 = k2 > 64 - p ? 0 : ldexpl(1, -k2);

	if (k1 < 0 || k2 < 0)
		return 0;
	return expl(-rate[0] * f1 - rate[1] * f2 - rate[2] * (f1 > f2 ? f1 : f2));
}

/* The log-likelihood of two arrays, pair by pair. */
static inline double
reference_joint(const uint8_t *first, const uint8_t *second, int p, const double rate[3])
{
	long double sum = 0;

	for (uint32_t i = 0; i < pds_hll_registers(p); i++)
	{
		int			a = first[i];
		int			b = second[i];

		sum += logl(reference_at_most(rate, a, b, p) - reference_at_most(rate, a - 1, b, p) -
					reference_at_most(rate, a, b - 1, p)
					+ reference_at_most(rate, a - 1, b - 1, p));
	}
	return (double) sum;
}

/* Ertl 2017, algorithms 4 and 6. */
static inline double
reference_raw(const uint32_t *histogram, int p)
{
	double		m = ldexp(1, p);
	double		x = 1 - histogram[65 - p] / m;
	double		tau = 0;
	double		sigma;
	double		weight = 1;
	double		before;
	double		z;

	if (x > 0 && x < 1)
	{
		tau = 1 - x;
		do
		{
			x = sqrt(x);
			before = tau;
			weight /= 2;
			tau -= (1 - x) * (1 - x) * weight;
		} while (tau != before);
		tau /= 3;
	}
	z = m * tau;
	for (int k = 64 - p; k >= 1; k--)
		z = 0.5 * (z + histogram[k]);

	x = histogram[0] / m;
	if (x == 1)
		return 0;
	sigma = x;
	weight = 1;
	do
	{
		x *= x;
		before = sigma;
		sigma += x * weight;
		weight *= 2;
	} while (sigma != before);
	return m * m / (2 * log(2) * (z + m * sigma));
}

/*
 * Flajolet et al. 2007, figure 3, for hashes of 64 bits: raw estimate, or linear
 * counting below 5/2 m while there are zeros.
 */
static inline double
reference_classic(const uint32_t *histogram, int p)
{
	double		m = ldexp(1, p);
	double		alpha = p == 4 ? 0.673 : p == 5 ? 0.697 : p == 6 ? 0.709 :
		0.7213 / (1 + 1.079 / m);
	double		sum = 0;
	double		n;

	for (int k = 65 - p; k >= 0; k--)
		sum += ldexp(histogram[k], -k);
	n = alpha * m * m / sum;
	if (n <= 2.5 * m && histogram[0] > 0)
		n = m * log(m / histogram[0]);
	return n;
}

#endif
