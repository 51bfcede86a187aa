/*
 * hll_estimate.c: the number of distinct values in one sketch, and its error
 */
#include <math.h>
#include <string.h>

#include "hll_estimate.h"

#define CELLS	67108864.0		/* 2^26 */

/* 2^64, the number of different hashes: what lies above cannot be told from it. */
#define MOST	18446744073709551616.0

/*
 * Ertl 2017, algorithm 8: the root of the derivative of the log-likelihood in the rate x = n /
 * m by the secant method, from below.  C[k] is the number of registers of value k, q the bits
 * that a rank is taken from (64 - p in the native family).  Every term is f(x 2^-k) = 1 - x' /
 * (e^x' - 1) with x' = x 2^-k.  It follows from the term of k + 1 by h(2x) = (x + h (1 - h)) /
 * (x + (1 - h)).
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
 * Returns the Fisher information about the rate x that one register holds.  It is the sum over the
 * trials of hll_trials.h: does a register that holds nothing above a rank hold the rank?  Each
 * trial counts with its probability, which is that there is nothing above.
 */
static double
register_information(double x, int q)
{
	double		information = 0;

	for (int k = 1; k <= q + 1; k++)
	{
		double		chance = ldexp(1, -(k <= q ? k : q));
		double		nothing_above = k <= q ? exp(-x * chance) : 1;

		information += nothing_above * chance * chance / expm1(x * chance);
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

/* The standard deviation of a linear count of n values. */
static double
linear_count_error(double n)
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
		return linear_count_error(n);
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

/* ---------- bounds ---------- */

double
pds_hll_poisson_at_most(double mean, int k)
{
	double		p = exp(-mean);
	double		sum = 0;

	for (int i = 0; i <= k; i++)
	{
		sum += p;
		p *= mean / (i + 1);
	}
	return sum < 1 ? sum : 1;
}

/* How many values fall to cells that were taken is all but distributed by Poisson. */
void
pds_hll_token_bounds(uint32_t tokens, uint32_t others, double confidence, double *lower,
					 double *upper)
{
	double		tail = (1 - confidence) / 2;
	int			hidden = 0;

#define COLLISIONS(n) ((n) + CELLS * expm1(-(n) / CELLS) + (n) * (others / CELLS))
	while (pds_hll_poisson_at_most(COLLISIONS((double) tokens + hidden), hidden) <= tail)
		hidden++;
	*lower = (double) tokens + hidden;
	while (1 - pds_hll_poisson_at_most(COLLISIONS((double) tokens + hidden + 1), hidden) > tail)
		hidden++;
	*upper = (double) tokens + hidden;
#undef COLLISIONS
}

/*
 * Registers rank by rank, from the highest on: does one that holds nothing higher hold this rank?
 * Returns how many kinds of trials that makes.
 */
static int
register_trials(const pds_hll_summary *s, pds_hll_trials *trials)
{
	double		m = (double) pds_hll_registers(s->precision);
	int			q = rank_bits(s);
	double		at_most = s->histogram[0];
	int			top = 0;
	int			n = 0;

	for (int k = 1; k < PDS_HLL_RANKS; k++)
		if (s->histogram[k] > 0)
			top = k;
	memset(trials, 0, (size_t) (top + 1) * sizeof(*trials));
	for (int k = 1; k <= top; k++)
	{
		at_most += s->histogram[k];
		if (at_most == 0)
			continue;
		trials[n].kind = PDS_HLL_SET;
		trials[n].of = 1;
		trials[n].chance = ldexp(1 / m, -(k <= q ? k : q));
		trials[n].count[0] = at_most - s->histogram[k];
		trials[n].count[1] = s->histogram[k];
		n++;
	}
	if (top <= q)
	{
		/* all ranks above: nobody has one */
		trials[n].kind = PDS_HLL_SET;
		trials[n].of = 1;
		trials[n].chance = ldexp(1 / m, -top);
		trials[n].count[0] = m;
		n++;
	}
	return n;
}

void
pds_hll_bounds(const pds_hll_summary *s, double confidence,
			   double *lower, double *estimate, double *upper)
{
	double		n = pds_hll_cardinality(s);
	double		proven;
	pds_hll_trials trials[PDS_HLL_RANKS + 1];
	double		size[PDS_HLL_SIZES] = {n};
	pds_hll_model model = {.sizes = 1, .trials = trials};

	*estimate = *lower = *upper = n;
	if (n <= 0)
		return;
	if (!s->dense)
		pds_hll_token_bounds(s->tokens, 0, confidence, lower, upper);
	else
	{
		proven = pds_hll_registers(s->precision) - s->histogram[0];
		model.n = register_trials(s, trials);
		pds_hll_model_bounds(&model, size, 0, confidence, fmin(proven, n),
							 n < MOST ? INFINITY : n, lower, upper);
		*lower = fmax(pds_hll_whole_lower(*lower), proven);
		*upper = n < MOST ? pds_hll_whole_upper(*upper) : INFINITY;
	}
	*lower = fmin(*lower, rint(n));
	*upper = fmax(*upper, rint(n));
}
