/*
 * hll_estimate.c: the number of distinct values in one sketch, and its error
 */
#include <math.h>

#include "hll_estimate.h"

#define CELLS	67108864.0		/* 2^26 */

/* 2^64, the number of different hashes: what lies above cannot be told from it. */
#define MOST	18446744073709551616.0

/*
 * Ertl 2017, algorithm 8: the root of the derivative of the log-likelihood in
 * the rate x = n / m by the secant method, from below.  C[k] is the number of
 * registers of value k, q the bits that a rank is taken from (64 - p in the
 * native family).  Every
 * term f(x 2^-k) = 1 - x' / (e^x' - 1), x' = x 2^-k, follows from that of k + 1 by
 * h(2x) = (x + h (1 - h)) / (x + (1 - h)).
 */
static double
maximum_likelihood(const uint32_t *C, int p, int q)
{
	double		m = (double) pds_hll_registers(p);
	double		tolerance = 1e-3 / sqrt(m);
	int			k_min = 0;
	int			k_max = q + 1;
	int			lo;
	int			hi;
	double		z = 0;
	double		top;			/* registers at or above the highest bit used */
	double		a;
	double		b;
	double		m_set;
	double		x;
	double		dx;
	double		g_before = 0;

	while (C[k_min] == 0)
		k_min++;
	if (k_min > q)
		return MOST;			/* all saturated */
	while (C[k_max] == 0)
		k_max--;
	if (k_max == 0)
		return 0;
	lo = k_min > 1 ? k_min : 1;
	hi = k_max < q ? k_max : q;

	for (int k = hi; k >= lo; k--)
		z = 0.5 * z + C[k];
	z = ldexp(z, -lo);
	top = C[q + 1];
	if (q >= 1)
		top += C[hi];
	a = z + C[0];
	b = z + ldexp(C[q + 1], -q);
	m_set = m - C[0];
	x = b <= 1.5 * a ? m_set / (0.5 * b + a) : m_set / b * log1p(b / a);

	dx = x;
	while (dx > x * tolerance)
	{
		int			kappa;
		double		x1;
		double		x2;
		double		h;
		double		g;

		(void) frexp(x, &kappa);	/* floor(log2 x) + 1 */
		kappa++;
		x1 = ldexp(x, -(hi > kappa ? hi : kappa) - 1);
		x2 = x1 * x1;
		h = x1 - x2 / 3 + x2 * x2 * (1.0 / 45 - x2 / 472.5);
		for (int k = kappa - 1; k >= hi; k--)
		{
			h = (x1 + h * (1 - h)) / (x1 + (1 - h));
			x1 *= 2;
		}
		g = top * h;
		for (int k = hi - 1; k >= lo; k--)
		{
			h = (x1 + h * (1 - h)) / (x1 + (1 - h));
			g += C[k] * h;
			x1 *= 2;
		}
		g += x * a;
		if (g > g_before && m_set >= g)
			dx *= (m_set - g) / (g - g_before);
		else
			dx = 0;
		x += dx;
		g_before = g;
	}
	return m * x < MOST ? m * x : MOST;
}

/*
 * The Fisher information about the rate x that one register holds: the sum
 * over its values of P'(k)^2 / P(k), with P(k) = E(k) - E(k - 1) and E(k) =
 * exp(-x 2^-k).
 */
static double
register_information(double x, int q)
{
	double		information = 0;
	double		f_before = 0;
	double		e_before = 0;
	double		d_before = 0;

	for (int k = 0; k <= q + 1; k++)
	{
		double		f = k <= q ? ldexp(1.0, -k) : 0;
		double		e = exp(-x * f);
		double		d = -f * e;
		double		pr = e - e_before;
		double		slope = d - d_before;

		if (k > 0 && x * f_before < 1e-4)
		{
			/* differences of nearly equal numbers: by series */
			pr = x * (f_before - f) * (1 - x * (f_before + f) / 2);
			slope = (f_before - f) * (1 - x * (f_before + f));
		}
		if (pr > 1e-300)
			information += slope * slope / pr;
		f_before = f;
		e_before = e;
		d_before = d;
	}
	return information;
}

/* The bits that a rank is taken from: all zero is one rank more. */
static int
rank_bits(const pds_hll_summary *s)
{
	return pds_hll_top_rank(s->family, s->precision) - 1;
}

double
pds_hll_linear_count(double taken)
{
	return -CELLS * log1p(-taken / CELLS);
}

double
pds_hll_linear_count_error(double n)
{
	double		t = n / CELLS;

	/* sqrt(cells * (e^t - t - 1)) */
	return t < 1e-3 ? n / sqrt(2 * CELLS) * sqrt(1 + t / 3) :
		sqrt(CELLS * (expm1(t) - t));
}

double
pds_hll_cardinality(const pds_hll_summary *s)
{
	if (!s->dense)
		return pds_hll_linear_count(s->tokens);
	return maximum_likelihood(s->histogram, s->precision, rank_bits(s));
}

static double
standard_deviation(const pds_hll_summary *s, double n)
{
	double		m;
	double		variance;

	if (n <= 0)
		return 0;
	if (!s->dense)
		return pds_hll_linear_count_error(n);
	m = (double) pds_hll_registers(s->precision);
	variance = m / register_information(n / m, rank_bits(s)) - n;
	return variance > 0 ? sqrt(variance) : 0;
}

double
pds_hll_relative_error(const pds_hll_summary *s)
{
	double		n = pds_hll_cardinality(s);

	return n > 0 ? standard_deviation(s, n) / n : 0;
}

double
pds_hll_standard_error(int precision)
{
	/* sqrt(ln 2 / (pi^2 / 6 - 1)): the Cramer-Rao bound for many values */
	return 1.0367 / sqrt((double) pds_hll_registers(precision));
}

double
pds_normal_quantile(double confidence)
{
	/* the z for which erf(z / sqrt 2) = confidence, by bisection */
	double		lo = 0;
	double		hi = 40;

	for (int i = 0; i < 80; i++)
	{
		double		mid = (lo + hi) / 2;

		/* erfc keeps its precision where erf is all but 1 */
		if (erfc(mid / 1.4142135623730951) > 1 - confidence)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

void
pds_hll_bounds(const pds_hll_summary *s, double confidence,
			   double *lower, double *estimate, double *upper)
{
	double		n = pds_hll_cardinality(s);
	double		proven = s->dense ?
		pds_hll_registers(s->precision) - s->histogram[0] : s->tokens;
	double		r;

	*estimate = n;
	*lower = n;
	*upper = n;
	if (n <= 0)
		return;

	/*
	 * The error is proportional to the true number, not to the estimate: those
	 * n' are in the interval for which n is within z standard errors of n'.
	 */
	r = pds_normal_quantile(confidence) * standard_deviation(s, n) / n;
	*lower = n / (1 + r);
	*upper = r < 1 ? n / (1 - r) : INFINITY;
	if (*lower < proven)
		*lower = proven;
}
