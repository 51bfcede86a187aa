/*
 * hll_trials.c: trials, their likelihood, the sizes under which that is greatest, and intervals
 */
#include <stdbool.h>
#include <string.h>

#include "bracket.h"
#include "hll_trials.h"

/* How far a single step may go in the logarithm of a size. */
#define LONGEST		3.0

/*
 * The most rounds of a search.  Where the likelihood is all but flat, a round goes a hundredth of
 * the way.  A bound takes many searches, each from where the one before it ended.
 */
#define ROUNDS_OF_ESTIMATE	1000
#define ROUNDS_OF_BOUND		200

/* Not one of the sizes. */
#define NONE		(-1)

/* Another size that is estimated to be no more than this is taken to be nothing. */
#define NOTHING		1e-2

/* ---------- one trial ---------- */

/* What it can give. */
typedef struct outcomes
{
	int			n;
	double		p[PDS_HLL_OUTCOMES];	/* probability */
	double		g[PDS_HLL_OUTCOMES][PDS_HLL_SIZES]; /* p' / p by each size */
} outcomes;

static inline void
outcomes_of_set(const pds_hll_trials *t, const double *size, outcomes *o)
{
	double		f = t->chance;
	double		y = 0;

	for (int i = 0; i < PDS_HLL_SIZES; i++)
		if (t->of >> i & 1)
			y += size[i] * f;
	o->n = 2;
	o->p[1] = -expm1(-y);
	o->p[0] = 1 - o->p[1];
	for (int i = 0; i < PDS_HLL_SIZES; i++)
	{
		bool		of = t->of >> i & 1;

		o->g[0][i] = of ? -f : 0;
		o->g[1][i] = of ? f * o->p[0] / o->p[1] : 0;
	}
}

static inline void
outcomes_of_pair(const pds_hll_trials *t, const double *size, outcomes *o)
{
	double		f = t->chance;
	double		some_x = -expm1(-size[0] * f);
	double		some_2 = -expm1(-size[1] * f);
	double		some_1 = -expm1(-size[2] * f);
	double		none_x = 1 - some_x;
	double		none_2 = 1 - some_2;
	double		none_1 = 1 - some_1;
	double		by_both;

	o->n = 4;
	o->p[0] = none_x * none_1 * none_2;
	o->p[1] = none_x * none_1 * some_2;
	o->p[2] = none_x * some_1 * none_2;
	o->p[3] = some_x + none_x * some_1 * some_2;
	for (int k = 0; k < 3; k++)
		for (int i = 0; i < PDS_HLL_SIZES; i++)
			o->g[k][i] = -f;
	o->g[1][1] = f * none_2 / some_2;
	o->g[2][2] = f * none_1 / some_1;
	by_both = f * none_x / o->p[3];
	o->g[3][0] = by_both * (1 - some_1 * some_2);
	o->g[3][1] = by_both * none_2 * some_1;
	o->g[3][2] = by_both * none_1 * some_2;
}

/*
 * The chance of no value of the second set.  It covers the d known values of the first set,
 * each of which is in the second with the probability size 0 / among, and all other values.
 */
static inline void
outcomes_of_tokens(const pds_hll_trials *t, const double *size, double among, outcomes *o)
{
	double		d = t->tokens;
	double		some_2 = -expm1(-size[1] * t->chance);
	double		out = 1 - size[0] / among;
	double		all_out = d == 1 ? out : pow(out, d);

	o->n = 2;
	o->p[0] = (1 - some_2) * all_out;
	o->p[1] = some_2 + (1 - some_2) * (1 - all_out);
	o->g[0][0] = -d / (out * among);
	o->g[0][1] = -t->chance;
	for (int i = 0; i < 2; i++)
		o->g[1][i] = -o->p[0] * o->g[0][i] / o->p[1];
	o->g[0][2] = o->g[1][2] = 0;
}

/* The outcomes of trial number i if the sizes are these. */
static void
outcomes_of(const pds_hll_model *m, int i, const double *size, outcomes *o)
{
	const pds_hll_trials *t = &m->trials[i];

	if (t->kind == PDS_HLL_SET)
		outcomes_of_set(t, size, o);
	else if (t->kind == PDS_HLL_PAIR)
		outcomes_of_pair(t, size, o);
	else
		outcomes_of_tokens(t, size, m->among, o);
}

/* ---------- the number of values that a size is about ---------- */

/* Is the number of values that size i is about one of known values? */
static bool
is_among(const pds_hll_model *m, int i)
{
	return m->among > 0 && i == 0;
}

/* The variance of that number in the model: of Poisson's distribution, or the binomial one. */
static double
variance_of(const pds_hll_model *m, int i, double size)
{
	return is_among(m, i) ? size * (1 - size / m->among) : size;
}

/* The size with its natural parameter, the logarithm or the logit, increased by d. */
static double
size_at(const pds_hll_model *m, int i, double size, double d)
{
	return is_among(m, i) ? size * exp(d) / (1 + size / m->among * expm1(d)) : size * exp(d);
}

/* ---------- likelihood ---------- */

typedef struct likelihood
{
	double		value;			/* its logarithm */
	double		score[PDS_HLL_SIZES];
	double		information[PDS_HLL_SIZES][PDS_HLL_SIZES];	/* Fisher's */
} likelihood;

static void
evaluate(const pds_hll_model *m, const double *size, likelihood *l)
{
	memset(l, 0, sizeof(*l));
	for (int i = 0; i < m->n; i++)
	{
		const pds_hll_trials *t = &m->trials[i];
		double		n = t->count[0] + t->count[1] + t->count[2] + t->count[3];
		outcomes	o;

		outcomes_of(m, i, size, &o);
		for (int k = 0; k < o.n; k++)
		{
			double		expected = n * o.p[k];

			if (t->count[k] > 0)
			{
				l->value += t->count[k] * log(o.p[k]);
				for (int a = 0; a < m->sizes; a++)
					l->score[a] += t->count[k] * o.g[k][a];
			}
			for (int a = 0; a < m->sizes && expected > 0; a++)
				for (int b = 0; b <= a; b++)
					l->information[a][b] += expected * o.g[k][a] * o.g[k][b];
		}
	}
	for (int a = 0; a < PDS_HLL_SIZES; a++)
		for (int b = a + 1; b < PDS_HLL_SIZES; b++)
			l->information[a][b] = l->information[b][a];
}

/*
 * Solve a * x = b for a symmetric positive definite matrix by Cholesky's method, n up to 3.
 * Rows whose diagonal is 0 are skipped, and their x is 0.
 */
static void
solve(double a[PDS_HLL_SIZES][PDS_HLL_SIZES], const double *b, double *x, int n)
{
	double		c[PDS_HLL_SIZES][PDS_HLL_SIZES];

	for (int i = 0; i < n; i++)
	{
		for (int k = 0; k <= i; k++)
		{
			double		s = a[i][k];

			for (int t = 0; t < k; t++)
				s -= c[i][t] * c[k][t];
			if (i != k)
				c[i][k] = c[k][k] > 0 ? s / c[k][k] : 0;
			else
				c[i][i] = s > 1e-10 * fabs(a[i][i]) ? sqrt(s) : 0;
		}
	}
	for (int i = 0; i < n; i++)
	{
		double		s = b[i];

		for (int t = 0; t < i; t++)
			s -= c[i][t] * x[t];
		x[i] = c[i][i] > 0 ? s / c[i][i] : 0;
	}
	for (int i = n - 1; i >= 0; i--)
	{
		double		s = x[i];

		for (int t = i + 1; t < n; t++)
			s -= c[t][i] * x[t];
		x[i] = c[i][i] > 0 ? s / c[i][i] : 0;
	}
}

/*
 * Maximise the likelihood over all sizes but the fixed one (or NONE), starting from "size"; none of
 * them falls below "least".  *l is that of what was found.
 *
 * Works in their natural parameters (size_at()), by Fisher's scoring with Levenberg's damping.
 */
static void
maximise(const pds_hll_model *m, double *size, int fixed, double least, likelihood *l)
{
	int			n = m->sizes;
	int			rounds = fixed == NONE ? ROUNDS_OF_ESTIMATE : ROUNDS_OF_BOUND;
	double		damping = 0;

	evaluate(m, size, l);
	for (int round = 0; round < rounds; round++)
	{
		double		g[PDS_HLL_SIZES] = {0};
		double		fisher[PDS_HLL_SIZES][PDS_HLL_SIZES];
		double		step[PDS_HLL_SIZES];
		double		next[PDS_HLL_SIZES] = {size[0], size[1], size[2]};
		double		gain = 0;
		likelihood	there;

		for (int i = 0; i < n; i++)
		{
			double		slope = variance_of(m, i, size[i]);

			g[i] = slope * l->score[i];
			for (int k = 0; k < n; k++)
				fisher[i][k] = slope * variance_of(m, k, size[k]) * l->information[i][k];
			fisher[i][i] += damping * fisher[i][i];
		}
		for (int i = 0; i < n; i++)
		{
			/* the fixed one stays, and a size at its least that would fall further */
			if (i != fixed && (size[i] > least || g[i] > 0))
				continue;
			for (int k = 0; k < n; k++)
				fisher[i][k] = fisher[k][i] = 0;
		}
		solve(fisher, g, step, n);
		for (int i = 0; i < n; i++)
		{
			double		d = step[i] > LONGEST ? LONGEST : step[i] < -LONGEST ? -LONGEST : step[i];
			double		to = size_at(m, i, size[i], d);

			if (i == fixed)
				continue;
			if (!(to > least))
				to = least;
			if (is_among(m, i) && to > m->among * (1 - 1e-12))
				to = m->among * (1 - 1e-12);
			next[i] = to;
			if (to != size[i])
				gain += g[i] * step[i];
		}
		/* twice what the step is expected to add to the logarithm */
		if (gain < 1e-12)
			return;
		evaluate(m, next, &there);
		if (!(there.value >= l->value - 1e-12 * fabs(l->value)))
		{
			damping = damping > 0 ? damping * 10 : 1e-2;
			if (damping > 1e12)
				return;
			continue;
		}
		memcpy(size, next, sizeof(next));
		*l = there;
		damping = damping > 1e-4 ? damping / 10 : 0;
	}
}

void
pds_hll_model_fit(const pds_hll_model *m, double *size)
{
	likelihood	l;

	maximise(m, size, NONE, PDS_HLL_LEAST_SIZE, &l);
}

/* ---------- intervals ---------- */

/* The information about a size when the others are estimated as well. */
static double
information_alone(const pds_hll_model *m, const likelihood *l, const double *size, int about)
{
	double		of_others[PDS_HLL_SIZES][PDS_HLL_SIZES] = {{0}};
	double		shared[PDS_HLL_SIZES] = {0};
	double		beta[PDS_HLL_SIZES];
	double		left = l->information[about][about];

	for (int i = 0; i < m->sizes; i++)
	{
		if (i == about || size[i] <= NOTHING)
			continue;
		shared[i] = l->information[about][i];
		for (int k = 0; k < m->sizes; k++)
			if (k != about && size[k] > NOTHING)
				of_others[i][k] = l->information[i][k];
	}
	solve(of_others, shared, beta, m->sizes);
	for (int i = 0; i < m->sizes; i++)
		left -= beta[i] * shared[i];
	return left;
}

typedef struct search
{
	const pds_hll_model *m;
	int			about;			/* the size in question */
	double		z;
	bool		nothing_beside;	/* see nothing_beside() */
	double		step;			/* where it begins to look */
	double		greatest;		/* the logarithm of the greatest likelihood */
	double		size[PDS_HLL_SIZES];	/* at the last step */
} search;

/* A deviation as no confidence asks for. */
#define IMPOSSIBLE	1e3

/* The least variance that a number of values is taken to have, because it is a whole number. */
#define LEAST_VARIANCE	0.25

/* Below 0 where both tests rule out "supposed", on this side of the most likely size: -1 or 1. */
static double
margin(search *s, double supposed, int side)
{
	likelihood	l;
	double		information;
	double		ratio;
	double		score;
	double		share;

	s->size[s->about] = supposed;
	maximise(s->m, s->size, s->about, NOTHING, &l);
	information = information_alone(s->m, &l, s->size, s->about);
	ratio = sqrt(fmax(0, 2 * (s->greatest - l.value)));
	/* where nothing is determined a slope says nothing */
	score = information > 0 ? -side * l.score[s->about] / sqrt(information) : ratio;
	/* of the model's variance; none of it is taken away where that is below the least one */
	share = fmax(1 - information * variance_of(s->m, s->about, supposed),
				 information * LEAST_VARIANCE);
	share = side < 0 && s->nothing_beside ? 1 : fmin(share, 1);
	return s->z - fmin(fmin(score, ratio) / sqrt(share), IMPOSSIBLE);
}

/* Where there is no limit: sizes above all that hashes can tell are not ruled out. */
#define ENDLESS		1e24

/* The last size from "inside", which is not ruled out, towards "limit" that is not. */
static double
find_bound(search s, double inside, double limit)
{
	pds_bracket b = {.x_below = inside, .f_below = s.z};
	int			side = limit < inside ? -1 : 1;
	double		step = side * s.step;

	do
	{
		b.x_above = b.x_below;
		b.f_above = b.f_below;
		if (b.x_above == limit)
			return limit;
		if (b.x_above > ENDLESS)
			return INFINITY;
		b.x_below += step;
		if (side < 0 ? b.x_below < limit : b.x_below > limit)
			b.x_below = limit;
		b.f_below = margin(&s, b.x_below, side);
		step *= 3;
	} while (b.f_below >= 0);

	for (int round = 0; round < 60; round++)
	{
		double		width = fabs(b.x_below - b.x_above);
		double		x = pds_bracket_guess(&b);
		double		f;

		if (width < 1e-3 || width < 1e-7 * fabs(b.x_below))
			break;
		f = margin(&s, x, side);
		if (fabs(f) < 1e-5)
			return x;
		pds_bracket_put(&b, x, f);
	}
	return b.x_above;
}

/*
 * Is another size estimated to be nothing that would get the values of which this one has fewer?
 * The sets would have them there.  In the model the number of this size is small by chance, and the
 * other one stays at nothing.  So for fewer values than the estimate the variance is the model's.
 */
static bool
nothing_beside(const pds_hll_model *m, const double *size, int about)
{
	/* what both sets have is beside either other size, and these are not beside each other */
	for (int i = 0; i < m->sizes; i++)
		if (i != about && (i == 0 || about == 0) && size[i] <= NOTHING)
			return true;
	return false;
}

void
pds_hll_model_bounds(const pds_hll_model *m, const double *size, int about, double confidence,
					 double least, double most, double *lower, double *upper)
{
	search		s = {.m = m, .about = about, .z = pds_normal_quantile(confidence),
	.size = {size[0], size[1], size[2]}};
	double		information;
	likelihood	l;

	evaluate(m, size, &l);
	information = information_alone(m, &l, size, about);
	s.greatest = l.value;
	s.nothing_beside = nothing_beside(m, size, about);
	s.step = information > 0 ? fmax(1, s.z / sqrt(information)) : 1;
	*lower = least < size[about] ? find_bound(s, size[about], least) : size[about];
	*upper = most > size[about] ? find_bound(s, size[about], most) : size[about];
}
