/*
 * hll_score.c: tests of the sizes of sets, and intervals made of them
 */
#include <string.h>

#include "bracket.h"
#include "hll_score.h"

/* Another size that is estimated to be no more than this is taken to be nothing. */
#define NOTHING		1e-2

/* What a matrix of information says of size 0 when the others are estimated as well. */
static double
information_alone(const pds_hll_model *m, double (*information)[PDS_HLL_SIZES],
				  const double *size)
{
	int			n = m->sizes - 1;
	double		of_others[PDS_HLL_SIZES][PDS_HLL_SIZES];
	double		shared[PDS_HLL_SIZES] = {0};
	double		beta[PDS_HLL_SIZES];
	double		left = information[0][0];

	for (int i = 0; i < n; i++)
	{
		bool		known = size[i + 1] <= NOTHING;

		shared[i] = known ? 0 : information[0][i + 1];
		for (int k = 0; k < n; k++)
			of_others[i][k] = known || size[k + 1] <= NOTHING ? 0 : information[i + 1][k + 1];
	}
	pds_hll_solve(of_others, shared, beta, n);
	for (int i = 0; i < n; i++)
		left -= beta[i] * shared[i];
	return left;
}

typedef struct search
{
	const pds_hll_model *m;
	double		z;
	double		step;			/* where it begins to look */
	double		greatest;		/* the logarithm of the greatest likelihood */
	double		size[PDS_HLL_SIZES];	/* at the last step */
	double		tau;
} search;

/* A deviation as no confidence asks for. */
#define IMPOSSIBLE	1e3

/*
 * The other sizes that are most likely if exactly "supposed" values are of size 0.  In the
 * model alone that number varies freely, so the other sizes would absorb too much.  Therefore
 * they are fitted under the tilt at which "supposed" is the expected number given the trials.
 */
static pds_hll_tilted
fit_others(search *s, double supposed, pds_hll_likelihood *l)
{
	double		lo = -6;
	double		hi = 6;

	for (int round = 0;; round++)
	{
		pds_hll_tilted t = pds_hll_tilt(s->m, 0, supposed, s->tau);
		double		off;
		double		next;

		s->size[0] = t.mean;
		pds_hll_maximise(s->m, s->size, 1, NOTHING, l);
		off = t.mean + t.slope * l->score[0] - supposed;
		if (fabs(off) <= 1e-8 * supposed || hi - lo < 1e-9 || round == 60)
			return t;
		if (off > 0)
			hi = s->tau;
		else
			lo = s->tau;
		next = s->tau - off / (t.slope + t.bend * l->score[0] - t.slope * t.slope *
							   information_alone(s->m, l->curvature, s->size));
		s->tau = next > lo && next < hi ? next : (lo + hi) / 2;
	}
}

/* Below 0 where both tests rule out "supposed", which is on this side of size 0: -1 or 1. */
static double
margin(search *s, double supposed, int side)
{
	pds_hll_likelihood l;
	pds_hll_tilted t = fit_others(s, supposed, &l);
	double		ratio = sqrt(fmax(0, 2 * (s->greatest - l.value - t.log_norm)));
	double		share = s->m->among > 0 && s->m->both == 0 ? s->size[0] / s->m->among : 0;
	double		slope = log1p((1 - share) * l.score[0]) - log1p(-share * l.score[0]);
	double		score = ratio;
	double		variance;

	s->size[0] = supposed;
	pds_hll_evaluate(s->m, s->size, &l);
	variance = 1 / information_alone(s->m, l.information, s->size) -
		pds_hll_tilt(s->m, 0, supposed, 0).slope;
	/* where all but a value is determined, or nothing at all, a slope says nothing */
	if (variance > 1 && isfinite(variance))
		score = -side * slope * sqrt(variance);
	return s->z - fmin(fmin(score, ratio), IMPOSSIBLE);
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

void
pds_hll_model_bounds(const pds_hll_model *m, const double *size, double confidence,
					 double least, double most, double *lower, double *upper)
{
	search		s = {.m = m, .z = pds_normal_quantile(confidence),
	.size = {size[0], size[1], size[2]}};
	double		information;
	pds_hll_likelihood l;

	pds_hll_evaluate(m, size, &l);
	information = information_alone(m, l.information, size);
	s.greatest = l.value;
	s.step = information > 0 ? fmax(1, s.z / sqrt(information)) : 1;
	*lower = least < size[0] ? find_bound(s, size[0], least) : size[0];
	*upper = most > size[0] ? find_bound(s, size[0], most) : size[0];
}
