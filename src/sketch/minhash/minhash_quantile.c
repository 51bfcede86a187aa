/*
 * minhash_quantile.c: quantiles of the beta and gamma distributions
 */
#include <math.h>

#include "minhash_quantile.h"

#define MOST_TERMS	10000
#define PRECISE		1e-14
#define TINY		1e-300

/* One step of the method of Lentz for continued fractions. */
static double
lentz(double *c, double *d, double numerator, double denominator)
{
	*d = denominator + numerator * *d;
	if (fabs(*d) < TINY)
		*d = TINY;
	*c = denominator + numerator / *c;
	if (fabs(*c) < TINY)
		*c = TINY;
	*d = 1 / *d;
	return *c * *d;
}

/* The continued fraction of the incomplete beta function, for x below its mean. */
static double
beta_fraction(double a, double b, double x)
{
	double		c = 1;
	double		d = 1 / (1 - (a + b) * x / (a + 1));
	double		f = d;

	for (int m = 1; m < MOST_TERMS; m++)
	{
		double		step;

		f *= lentz(&c, &d, m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), 1);
		step = lentz(&c, &d, -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), 1);
		f *= step;
		if (fabs(step - 1) < PRECISE)
			break;
	}
	return f;
}

/* P(a beta variable is below x). */
static double
beta_below(double a, double b, double x)
{
	double		front;

	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

/* P(a gamma variable is below x). */
static double
gamma_below(double a, double x)
{
	double		front;
	double		term = 1 / a;
	double		sum = term;
	double		b = x + 1 - a;
	double		c = 1 / TINY;
	double		d;
	double		f;

	if (x <= 0)
		return 0;
	front = exp(a * log(x) - x - lgamma(a));
	if (x < a + 1)
	{
		for (int n = 1; n < MOST_TERMS && term > sum * PRECISE; n++)
		{
			term *= x / (a + n);
			sum += term;
		}
		return front * sum;
	}
	f = d = 1 / b;
	for (int n = 1; n < MOST_TERMS; n++)
	{
		double		step = lentz(&c, &d, -n * (n - a), b + 2 * n);

		f *= step;
		if (fabs(step - 1) < PRECISE)
			break;
	}
	return 1 - front * f;
}

#define BISECTIONS	60

double
pds_minhash_beta_quantile(double a, double b, double p)
{
	double		low = 0;
	double		high = 1;

	for (int i = 0; i < BISECTIONS; i++)
	{
		double		x = (low + high) / 2;

		if (beta_below(a, b, x) < p)
			low = x;
		else
			high = x;
	}
	return (low + high) / 2;
}

double
pds_minhash_gamma_quantile(double a, double p)
{
	double		low = 0;
	double		high = a;

	while (gamma_below(a, high) < p)
		high *= 2;
	for (int i = 0; i < BISECTIONS; i++)
	{
		double		x = (low + high) / 2;

		if (gamma_below(a, x) < p)
			low = x;
		else
			high = x;
	}
	return (low + high) / 2;
}
