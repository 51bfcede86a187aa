/*
 * hll_score.c: score tests of the sizes of sets, and intervals made of them
 */
#include <string.h>

#include "bracket.h"
#include "hll_score.h"

/* In a test, another size that is estimated to be no more than this is taken to be nothing. */
#define NOTHING		1e-2

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

/* Projection of size 0's score on those of the others: what their errors take with them. */
static void
project(const pds_hll_model *m, const pds_hll_likelihood *l, const double *size,
		const double *along,
		double *beta)
{
	int			n = m->sizes - 1;
	double		a[PDS_HLL_SIZES][PDS_HLL_SIZES];
	double		b[PDS_HLL_SIZES];

	for (int i = 0; i < n; i++)
	{
		bool		known = size[i + 1] <= NOTHING;

		b[i] = known ? 0 : along[i + 1];
		for (int k = 0; k < n; k++)
			a[i][k] = known || size[k + 1] <= NOTHING ? 0 : l->information[i + 1][k + 1];
	}
	pds_hll_solve(a, b, beta, n);
}

/* The information about size 0 when the others are estimated as well. */
static double
information_alone(const pds_hll_model *m, const pds_hll_likelihood *l, const double *size)
{
	double		beta[PDS_HLL_SIZES];
	double		left = l->information[0][0];

	project(m, l, size, l->information[0], beta);
	for (int i = 1; i < m->sizes; i++)
		left -= beta[i - 1] * l->information[0][i];
	return left;
}

/*
 * The other sizes that are most likely if exactly "supposed" values are of size 0.  In the
 * model alone that number varies freely, so the other sizes would absorb too much.  Therefore
 * they are fitted under the tilt at which "supposed" is the expected number given the
 * observations.
 */
static void
fit_others(const pds_hll_model *m, double supposed, double *size)
{
	double		lo = -6;
	double		hi = 6;
	double		tau = 0;
	pds_hll_likelihood l;

	if (m->sizes == 1)
		return;
	for (int round = 0; round < 60; round++)
	{
		pds_hll_tilted t = pds_hll_tilt(m, supposed, tau);
		double		off;
		double		slope;
		double		beta[PDS_HLL_SIZES];
		double		next;

		size[0] = t.mean;
		pds_hll_maximise(m, size, 1, NOTHING, &l);
		off = t.mean + t.slope * l.score[0] - supposed;
		if (fabs(off) <= 1e-8 * supposed || supposed <= 0)
			break;
		if (off > 0)
			hi = tau;
		else
			lo = tau;
		if (hi - lo < 1e-9)
			break;
		project(m, &l, size, l.information[0], beta);
		slope = t.slope + t.bend * l.score[0] - t.slope * t.slope * l.curvature[0][0];
		for (int i = 1; i < m->sizes; i++)
			slope += t.slope * t.slope * beta[i - 1] * l.information[0][i];
		next = tau - off / slope;
		tau = next > lo && next < hi ? next : (lo + hi) / 2;
	}
	size[0] = supposed;
}

/* ---------- the test ---------- */

/* A cumulant generating function and its first two derivatives at one place. */
typedef struct cumulants
{
	double		value;
	double		slope;
	double		bend;
} cumulants;

/*
 * Of the sum of weights, less beta times how many values more than expected there are of size 0.
 */
static void
cumulants_at(const pds_hll_model *m, const double *size, double beta, double s, cumulants *c)
{
	pds_hll_tilted t = pds_hll_tilt(m, size[0], -s * beta);
	double		there[PDS_HLL_SIZES] = {t.mean, size[1], size[2]};

	c->value = t.log_norm;
	c->slope = -beta * (t.mean - size[0]);
	c->bend = beta * beta * t.slope;
	for (int i = 0; i < m->n; i++)
	{
		const double *w = m->weights[i];
		double		n = pds_hll_trials_of(&m->trials[i]);
		pds_hll_outcomes o;
		double		most = -INFINITY;
		double		sum = 0;
		double		first = 0;
		double		second = 0;

		pds_hll_outcomes_of(m, i, there, &o);
		for (int k = 0; k < o.n; k++)
			if (o.p[k] > 0 && s * w[k] > most)
				most = s * w[k];
		for (int k = 0; k < o.n; k++)
		{
			double		e = o.p[k] > 0 ? o.p[k] * exp(s * w[k] - most) : 0;
			double		g = o.g[k][0];
			double		d = w[k] - beta * t.slope * g;
			double		h = pds_hll_second_derivative(m, i, &o, k, 0, 0);

			if (!(e > 0))
				continue;
			sum += e;
			first += e * d;
			second += e * (d * d + beta * beta * ((h - g * g) * t.slope * t.slope + g * t.bend));
		}
		first /= sum;
		c->value += n * (log(sum) + most);
		c->slope += n * first;
		c->bend += n * (second / sum - first * first);
	}
}

/* The weights of the test that size 0 is size[0], and what the trials have of them. */
typedef struct statistic
{
	double		sum;
	double		jump;			/* by how much it changes with the outcome of a trial */
	double		beta;			/* regression on the number of values of size 0 */
	double		variance;		/* by the model, before that */
} statistic;

/*
 * The test should best distinguish "more" values of size 0, taken from the values that are in
 * one set only.  So trials about the size of one set keep the weight that they have without the
 * test.
 */
static statistic
weigh(const pds_hll_model *m, const double *size, double more)
{
	double		there[PDS_HLL_SIZES];
	double		along[PDS_HLL_SIZES] = {0};
	double		beta[PDS_HLL_SIZES] = {0};
	pds_hll_likelihood l;
	statistic	s = {0};

	for (int a = 1; a < m->sizes; a++)
		if (size[a] > NOTHING && more > size[a] / 2)
			more = size[a] / 2;
	there[0] = size[0] + more;
	for (int a = 1; a < PDS_HLL_SIZES; a++)
		there[a] = size[a] > NOTHING ? size[a] - more : size[a];

	memset(&l, 0, sizeof(l));
	for (int i = 0; i < m->n; i++)
	{
		double		n = pds_hll_trials_of(&m->trials[i]);
		double	   *w = m->weights[i];
		double		mean = 0;
		pds_hll_outcomes o;
		pds_hll_outcomes o_there;

		pds_hll_outcomes_of(m, i, size, &o);
		pds_hll_outcomes_of(m, i, there, &o_there);
		for (int k = 0; k < o.n; k++)
		{
			w[k] = o_there.g[k][0];
			if (o.p[k] > 0)
				mean += o.p[k] * w[k];
		}
		for (int k = 0; k < o.n; k++)
		{
			w[k] -= mean;
			for (int a = 1; a < m->sizes && o.p[k] > 0; a++)
			{
				along[a] += n * o.p[k] * w[k] * o.g[k][a];
				for (int b = 1; b <= a; b++)
					l.information[a][b] = l.information[b][a] += n * o.p[k] * o.g[k][a] * o.g[k][b];
			}
		}
	}
	project(m, &l, size, along, beta);
	for (int i = 0; i < m->n; i++)
	{
		double		n = pds_hll_trials_of(&m->trials[i]);
		double	   *w = m->weights[i];
		double		variance = 0;
		double		low = INFINITY;
		double		high = -INFINITY;
		pds_hll_outcomes o;

		pds_hll_outcomes_of(m, i, size, &o);
		for (int k = 0; k < o.n; k++)
		{
			for (int a = 1; a < m->sizes; a++)
				if (size[a] > NOTHING)
					w[k] -= beta[a - 1] * o.g[k][a];
			s.sum += m->trials[i].count[k] > 0 ? m->trials[i].count[k] * w[k] : 0;
			if (!(o.p[k] > 0))
				continue;
			variance += n * o.p[k] * w[k] * w[k];
			s.beta += n * o.p[k] * w[k] * o.g[k][0];
			low = w[k] < low ? w[k] : low;
			high = w[k] > high ? w[k] : high;
		}
		s.variance += variance;
		s.jump += variance * (high - low);
	}
	if (s.variance > 0)
		s.jump /= s.variance;
	return s;
}

/* A deviation as no confidence asks for. */
#define IMPOSSIBLE	1e3

/*
 * Returns how far the trials are from those that "supposed" values of size 0 would give, in
 * units of a normal distribution.  The result is above 0 if the trials indicate more values.
 * Half a jump is granted in the direction of "grant"; "more" as for weigh().  "size" is where
 * the search for the others begins, and what it found.
 */
static double
deviation(const pds_hll_model *m, double supposed, double more, int grant, double *size)
{
	statistic	st;
	cumulants	c;
	double		sd;
	double		sum;
	double		s;
	double		near;
	double		far;
	double		r;
	double		correction;

	fit_others(m, supposed, size);
	size[0] = supposed;
	st = weigh(m, size, more);
	if (!(st.variance > 0))
		return 0;				/* nothing that would depend on it */
	cumulants_at(m, size, st.beta, 0, &c);
	/* where all is determined, some is left for rounding */
	sd = sqrt(c.bend > 1e-9 * st.variance ? c.bend : 1e-9 * st.variance);
	sum = st.sum + grant * st.jump / 2;

	/*
	 * the tilt under which this sum would be expected: away from 0, where it is 0, and no
	 * farther
	 */
	near = 0;
	far = 0;
	s = sum / (sd * sd);
	if (fabs(s) > 1 / sd)
		s = sum > 0 ? 1 / sd : -1 / sd;
	for (int round = 0; round < 100; round++)
	{
		double		next;

		/* beyond what there can be */
		if (fabs(s) > 1e6 / sd)
			return s > 0 ? IMPOSSIBLE : -IMPOSSIBLE;
		cumulants_at(m, size, st.beta, s, &c);
		if (fabs(c.slope - sum) < 1e-7 * sd)
			break;
		if (sum > 0 ? c.slope > sum : c.slope < sum)
			far = s;
		else
			near = s;
		next = s - (c.slope - sum) / c.bend;
		if (far == 0)
			s = (next - s) / s > 0 && (next - s) / s < 2 ? next : 3 * s;
		else
			s = (next - near) / (far - next) > 0 ? next : (near + far) / 2;
		if (far != 0 && fabs(far - near) < 1e-12 * fabs(far))
			break;
	}
	r = 2 * (s * sum - c.value);
	r = r > 0 ? sqrt(r) : 0;
	if (r < 1e-3)
	{
		/* the limit of what follows: a sixth of the skewness */
		cumulants	right;
		cumulants	left;

		cumulants_at(m, size, st.beta, 0.01 / sd, &right);
		cumulants_at(m, size, st.beta, -0.01 / sd, &left);
		return (s < 0 ? -r : r) + (right.bend - left.bend) / (0.12 * sd * sd);
	}
	/* at the end of what there can be the second term would outweigh the first */
	correction = c.bend > 0 ? log(fabs(s) * sqrt(c.bend) / r) / r : -r;
	if (correction < -r / 2)
		correction = -r / 2;
	return s < 0 ? -r - correction : r + correction;
}

/* ---------- intervals ---------- */

/*
 * How much more than size[0] can be seen at all, at a deviation of z.  A test against so much more
 * looks at all trials; one against a single value more would hang on the few that are least
 * likely to come out by chance.
 */
static double
reach(const pds_hll_model *m, const double *size, double z)
{
	double		there[PDS_HLL_SIZES] = {size[0] > 1 ? size[0] : 1, size[1], size[2]};
	double		far = 1;

	if (z < 1)
		z = 1;
	for (int round = 0; round < 4; round++)
	{
		pds_hll_likelihood l;
		double		information;

		if (m->among > 0 && there[0] > (size[0] + m->among) / 2)
			there[0] = (size[0] + m->among) / 2;
		pds_hll_evaluate(m, there, &l);
		information = information_alone(m, &l, there);
		if (!(information > 0))
			break;
		far = z / 2 / sqrt(information);
		if (far < 1)
			far = 1;
		if (there[0] >= far)
			break;
		there[0] = far;
	}
	return far;
}

typedef struct search
{
	const pds_hll_model *m;
	double		z;
	double		reach;
	int			side;			/* -1: for the lower bound, 1: for the upper one */
	double		size[PDS_HLL_SIZES];	/* at the last step */
} search;

/* Below 0 where "supposed" is ruled out. */
static double
margin(search *s, double supposed)
{
	double		more = 0;

	if (s->side < 0 && s->m->sizes > 1)
	{
		more = s->reach;
		if (s->m->among > 0 && more > (s->m->among - supposed) / 2)
			more = (s->m->among - supposed) / 2;
	}
	return s->z + s->side * deviation(s->m, supposed, more, s->side, s->size);
}

/* Where there is no limit: sizes above all that hashes can tell are not ruled out. */
#define ENDLESS		1e24

/*
 * The last size from "inside", which is not ruled out, towards "limit" that is not, by regula falsi
 * with the Illinois rule.
 */
static double
find_bound(search *s, double inside, double limit)
{
	double		outside;
	double		m_in = s->z;
	double		m_out;
	pds_bracket b;

	/* what speaks least against nothing at all is few trials that say much */
	if (limit == 0 && margin(s, limit) >= 0)
		return limit;
	/* begin where the information says that it is */
	outside = inside + s->side * 2.5 * s->reach;
	for (;;)
	{
		double		next;

		if (s->side < 0 ? outside < limit : outside > limit)
			outside = limit;
		m_out = margin(s, outside);
		if (m_out < 0)
			break;
		if (outside == limit)
			return limit;
		if (outside > ENDLESS)
			return INFINITY;
		next = outside + 2 * (outside - inside);
		inside = outside;
		m_in = m_out;
		outside = next;
	}
	b = (pds_bracket) {inside, m_in, outside, m_out, 0};
	for (int round = 0; round < 60; round++)
	{
		double		width = fabs(b.x_below - b.x_above);
		double		x;
		double		mg;

		if (width < 1e-3 || width < 1e-7 * fabs(b.x_below))
			break;
		/* far out a deviation says little about where it began */
		if (b.f_below < -3 * s->z)
			x = (b.x_above + b.x_below) / 2;
		else
			x = pds_bracket_guess(&b);
		mg = margin(s, x);
		if (fabs(mg) < 1e-5)
			return x;
		pds_bracket_put(&b, x, mg);
	}
	return b.x_above;
}

void
pds_hll_model_bounds(const pds_hll_model *m, const double *size, double confidence,
					 double least, double most, double *lower, double *upper)
{
	double		z = pds_normal_quantile(confidence);
	search		s = {.m = m, .z = z, .side = -1, .size = {size[0], size[1], size[2]}};

	*lower = *upper = size[0];
	s.reach = reach(m, size, z);
	if (least < size[0])
		*lower = find_bound(&s, size[0], least);
	s.side = 1;
	memcpy(s.size, size, sizeof(s.size));
	if (most > size[0])
		*upper = find_bound(&s, size[0], most);
}
