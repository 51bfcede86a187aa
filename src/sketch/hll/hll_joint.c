/*
 * hll_joint.c: two sketches at once, by maximum likelihood
 *
 * Ertl 2017, section 5.  Split the union of two sets into what is only in the
 * first (a values), only in the second (b) and in both (x), each a Poisson
 * process over m registers with the rates a/m, b/m and x/m.  A register of the
 * first sketch is the maximum of what the first and third process put there,
 * one of the second that of the second and third; so where the first is lower,
 * the third cannot have exceeded it, and the pair's probability is a product of
 * P(a + x; value 1) and P(b; value 2), and the other way round; where both are
 * equal it is inclusion-exclusion over the events "no more than k".
 *
 * The log-likelihood is maximised over the logarithms of the three by Newton's
 * method with Levenberg's damping; gradient and Hessian are exact.
 */
#include <math.h>

#include "hll_estimate.h"

void
pds_hll_joint_count(pds_hll_joint *j, int precision,
					const uint8_t *registers_1, const uint8_t *registers_2)
{
	uint32_t	m = pds_hll_registers(precision);
	uint32_t	pairs[64][64];

	/* count first, compare after: comparing would mispredict every other register */
	memset(pairs, 0, sizeof(pairs));
	for (uint32_t i = 0; i < m; i++)
		pairs[registers_1[i] & 63][registers_2[i] & 63]++;

	memset(j, 0, sizeof(*j));
	j->family = PDS_FAMILY_NATIVE;
	j->precision = (uint8_t) precision;
	for (int r1 = 0; r1 < PDS_HLL_RANKS; r1++)
	{
		for (int r2 = 0; r2 < PDS_HLL_RANKS; r2++)
		{
			uint32_t	n = pairs[r1][r2];

			if (r1 < r2)
			{
				j->below_1[r1] += n;
				j->above_2[r2] += n;
			}
			else if (r1 > r2)
			{
				j->above_1[r1] += n;
				j->below_2[r2] += n;
			}
			else
				j->equal[r1] += n;
		}
	}
}

/* Log-likelihood, gradient and (symmetric) Hessian in the rates a, b, x. */
typedef struct likelihood
{
	double		value;
	double		g[3];
	double		h[3][3];
} likelihood;

/* Add n * (grad s)(grad s)^T etc. for a term of one sum s of rates. */
static void
add_term(likelihood *l, const int *of, double n, double value, double d1, double d2)
{
	l->value += n * value;
	for (int i = 0; i < 3; i++)
	{
		if (!of[i])
			continue;
		l->g[i] += n * d1;
		for (int k = 0; k < 3; k++)
			if (of[k])
				l->h[i][k] += n * d2;
	}
}

/*
 * n registers of value k under a process of rate s, s the sum of the rates
 * marked in "of": log P = -s f + log(1 - e^(-s f)), f = 2^-k, without the second
 * term at k = 0 and without the first at k = q + 1, where f = 2^-q.
 */
static void
add_register(likelihood *l, const int *of, const double *rate, uint32_t n, int k, int q)
{
	double		s = 0;
	double		f = ldexp(1.0, k <= q ? -k : -q);
	double		value = 0;
	double		d1 = 0;
	double		d2 = 0;

	if (n == 0)
		return;
	for (int i = 0; i < 3; i++)
		if (of[i])
			s += rate[i];
	if (k <= q)
	{
		value -= s * f;
		d1 -= f;
	}
	if (k >= 1)
	{
		double		e = expm1(s * f);

		value += log(-expm1(-s * f));
		d1 += f / e;
		d2 -= f * f / e * (1 + 1 / e);
	}
	add_term(l, of, n, value, d1, d2);
}

/* n registers that have the value k in both. */
static void
add_equal(likelihood *l, const double *rate, uint32_t n, int k, int q)
{
	static const int all[3] = {1, 1, 1};
	double		a = rate[0];
	double		b = rate[1];
	double		x = rate[2];
	double		f = ldexp(1.0, k <= q ? -k : -q);
	double		ea;
	double		eb;
	double		ec;
	double		pr;
	double		d[3];
	double		dd[3][3];

	if (n == 0)
		return;
	if (k <= q)
		add_term(l, all, n, -(a + b + x) * f, -f, 0);
	if (k == 0)
		return;

	/* 1 - A - B + C, A = e^(-(a+x)f) and so on, without cancellation */
	ea = exp(-(a + x) * f);
	eb = exp(-(b + x) * f);
	ec = exp(-(a + b + x) * f);
	pr = -expm1(-(a + x) * f) + eb * expm1(-a * f);
	if (pr < 1e-300)
		pr = 1e-300;
	d[0] = f * -ea * expm1(-b * f);
	d[1] = f * -eb * expm1(-a * f);
	d[2] = f * (ea + eb * -expm1(-a * f));
	dd[0][0] = dd[0][2] = dd[2][0] = -f * d[0];
	dd[1][1] = dd[1][2] = dd[2][1] = -f * d[1];
	dd[0][1] = dd[1][0] = f * f * ec;
	dd[2][2] = -f * d[2];
	l->value += n * log(pr);
	for (int i = 0; i < 3; i++)
	{
		l->g[i] += n * d[i] / pr;
		for (int m = 0; m < 3; m++)
			l->h[i][m] += n * (dd[i][m] - d[i] * d[m] / pr) / pr;
	}
}

static void
evaluate(const pds_hll_joint *j, const double *rate, likelihood *l)
{
	static const int first[3] = {1, 0, 1};
	static const int second[3] = {0, 1, 1};
	static const int only_first[3] = {1, 0, 0};
	static const int only_second[3] = {0, 1, 0};
	int			q = pds_hll_top_rank(j->family, j->precision) - 1;

	memset(l, 0, sizeof(*l));
	for (int k = 0; k <= q + 1; k++)
	{
		add_register(l, first, rate, j->below_1[k], k, q);
		add_register(l, only_second, rate, j->above_2[k], k, q);
		add_register(l, second, rate, j->below_2[k], k, q);
		add_register(l, only_first, rate, j->above_1[k], k, q);
		add_equal(l, rate, j->equal[k], k, q);
	}
}

/* Solve h * d = -g for a positive definite -h by Cholesky; false if it is not. */
static bool
newton_step(double h[3][3], const double *g, double *d)
{
	double		c[3][3];

	for (int i = 0; i < 3; i++)
	{
		for (int k = 0; k <= i; k++)
		{
			double		s = -h[i][k];

			for (int t = 0; t < k; t++)
				s -= c[i][t] * c[k][t];
			if (i == k)
			{
				if (!(s > 0))
					return false;
				c[i][i] = sqrt(s);
			}
			else
				c[i][k] = s / c[k][k];
		}
	}
	for (int i = 0; i < 3; i++)
	{
		double		s = g[i];

		for (int t = 0; t < i; t++)
			s -= c[i][t] * d[t];
		d[i] = s / c[i][i];
	}
	for (int i = 2; i >= 0; i--)
	{
		double		s = d[i];

		for (int t = i + 1; t < 3; t++)
			s -= c[t][i] * d[t];
		d[i] = s / c[i][i];
	}
	return true;
}

/*
 * Maximise over the logarithms of the rates from "rate" on, which is changed.
 * "least" keeps a rate that wants to be 0 from running away.
 */
static void
maximise(const pds_hll_joint *j, double *rate, double least, likelihood *l)
{
	double		damping = 0;

	evaluate(j, rate, l);
	for (int round = 0; round < 200; round++)
	{
		double		g[3];
		double		h[3][3];
		double		d[3];
		double		next[3];
		double		moved = 0;
		likelihood	l_next;

		for (int i = 0; i < 3; i++)
		{
			g[i] = rate[i] * l->g[i];
			for (int k = 0; k < 3; k++)
				h[i][k] = rate[i] * rate[k] * l->h[i][k];
		}
		for (int i = 0; i < 3; i++)
			h[i][i] += g[i];
		for (int i = 0; i < 3; i++)
		{
			/* a rate at its floor that would fall further stays there */
			if (rate[i] <= least && g[i] <= 0)
			{
				g[i] = 0;
				for (int k = 0; k < 3; k++)
					h[i][k] = h[k][i] = 0;
				h[i][i] = -1;
			}
			h[i][i] -= damping * (fabs(h[i][i]) + 1e-9);
		}
		if (!newton_step(h, g, d))
		{
			damping = damping > 0 ? damping * 10 : 1e-3;
			continue;
		}
		for (int i = 0; i < 3; i++)
		{
			if (d[i] > 3)
				d[i] = 3;
			if (d[i] < -3)
				d[i] = -3;
			next[i] = rate[i] * exp(d[i]);
			if (next[i] < least)
				next[i] = least;
			if (fabs(log(next[i] / rate[i])) > moved)
				moved = fabs(log(next[i] / rate[i]));
		}
		evaluate(j, next, &l_next);
		if (l_next.value < l->value - 1e-9 * fabs(l->value))
		{
			damping = damping > 0 ? damping * 10 : 1e-3;
			if (damping > 1e12)
				return;
			continue;
		}
		memcpy(rate, next, sizeof(next));
		*l = l_next;
		damping = damping > 1e-6 ? damping / 10 : 0;
		if (moved < 1e-7)
			return;
	}
}

static double
one_cardinality(const pds_hll_joint *j, const uint32_t *below,
				const uint32_t *above)
{
	pds_hll_summary s;

	s.family = j->family;
	s.precision = j->precision;
	s.dense = true;
	s.tokens = 0;
	for (int k = 0; k < PDS_HLL_RANKS; k++)
		s.histogram[k] = below[k] + above[k] + j->equal[k];
	return pds_hll_cardinality(&s);
}

void
pds_hll_joint_estimate(const pds_hll_joint *j, pds_hll_overlap *o)
{
	double		m = (double) pds_hll_registers(j->precision);
	double		n1 = one_cardinality(j, j->below_1, j->above_1);
	double		n2 = one_cardinality(j, j->below_2, j->above_2);
	double		least = 1e-4 / m;
	double		n_union;
	double		x;
	double		rate[3];
	double		apart[3];
	likelihood	best;
	likelihood	none;
	pds_hll_summary u;

	memset(o, 0, sizeof(*o));
	if (n1 <= 0 || n2 <= 0)
	{
		o->only_1 = n1;
		o->only_2 = n2;
		o->told = true;
		return;
	}

	/* start at inclusion-exclusion, within reason */
	u.family = j->family;
	u.precision = j->precision;
	u.dense = true;
	u.tokens = 0;
	for (int k = 0; k < PDS_HLL_RANKS; k++)
		u.histogram[k] = j->above_1[k] + j->above_2[k] + j->equal[k];
	n_union = pds_hll_cardinality(&u);
	x = n1 + n2 - n_union;

	/*
	 * Not below what inclusion-exclusion can tell from nothing: the likelihood is
	 * flat down there, and a search from above finds its way.
	 */
	if (x < n_union / sqrt(m))
		x = n_union / sqrt(m);
	if (x > 0.9 * n1)
		x = 0.9 * n1;
	if (x > 0.9 * n2)
		x = 0.9 * n2;
	rate[0] = (n1 - x) / m;
	rate[1] = (n2 - x) / m;
	rate[2] = x / m;
	maximise(j, rate, least, &best);

	/* against the best explanation without an intersection */
	apart[0] = n1 / m;
	apart[1] = n2 / m;
	apart[2] = least;
	evaluate(j, apart, &none);

	o->only_1 = rate[0] > least * 2 ? rate[0] * m : 0;
	o->only_2 = rate[1] > least * 2 ? rate[1] * m : 0;
	o->both = rate[2] > least * 2 ? rate[2] * m : 0;
	o->told = best.value - none.value >= 1.92;

	/*
	 * The error from the curvature at the maximum; what lies on its boundary is
	 * taken to be known.  Where the intersection itself is nothing, it is as
	 * far as the likelihood takes to fall by one half, by its slope.
	 */
	{
		double		h[3][3];
		double		g[3] = {0, 0, 1};
		double		d[3];

		for (int i = 0; i < 3; i++)
			for (int k = 0; k < 3; k++)
				h[i][k] = best.h[i][k];
		for (int i = 0; i < 3; i++)
		{
			if (rate[i] <= least * 2 && i != 2)
			{
				for (int k = 0; k < 3; k++)
					h[i][k] = h[k][i] = 0;
				h[i][i] = -1;
			}
		}
		if (newton_step(h, g, d) && d[2] > 0)
		{
			double		variance = d[2] * m * m - o->both;

			o->both_error = variance > 0 ? sqrt(variance) : 0;
		}
		else if (best.g[2] < 0)
			o->both_error = 0.5 / -best.g[2] * m;
		else
			o->both_error = n1 < n2 ? n1 : n2;
	}
}

void
pds_hll_token_overlap(uint32_t tokens_1, uint32_t tokens_2,
					  uint32_t tokens_union, pds_hll_overlap *o)
{
	double		n1 = pds_hll_linear_count(tokens_1);
	double		n2 = pds_hll_linear_count(tokens_2);
	double		n = pds_hll_linear_count(tokens_union);

	o->both = n1 + n2 - n;
	if (o->both > n1)
		o->both = n1;
	if (o->both > n2)
		o->both = n2;
	if (o->both < 0)
		o->both = 0;
	o->only_1 = n1 - o->both;
	o->only_2 = n2 - o->both;

	/*
	 * Of the pairs of one value from each set one in 2^26 falls to the same
	 * cell by chance.
	 */
	o->both_error = sqrt(n1 * n2 / 67108864.0);
	o->told = true;
}
