/*
 * hll_score.c: tests of the sizes of sets, and intervals made of them
 */
#include <string.h>

#include "bracket.h"
#include "hll_score.h"
#include "normal.h"

/* Another size that is estimated to be no more than this is taken to be nothing. */
#define NOTHING		1e-2

/* The information about size 0 when the others are estimated as well. */
static double
information_alone(const pds_hll_model *m, const pds_hll_likelihood *l, const double *size)
{
	int			n = m->sizes - 1;
	double		of_others[PDS_HLL_SIZES][PDS_HLL_SIZES];
	double		shared[PDS_HLL_SIZES] = {0};
	double		beta[PDS_HLL_SIZES];
	double		left = l->information[0][0];

	for (int i = 0; i < n; i++)
	{
		bool		known = size[i + 1] <= NOTHING;

		shared[i] = known ? 0 : l->information[0][i + 1];
		for (int k = 0; k < n; k++)
			of_others[i][k] = known || size[k + 1] <= NOTHING ? 0 : l->information[i + 1][k + 1];
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
} search;

/* A deviation as no confidence asks for. */
#define IMPOSSIBLE	1e3

/* Below 0 where both tests rule out "supposed", which is on this side of size 0: -1 or 1. */
static double
margin(search *s, double supposed, int side)
{
	double		information;
	double		left;			/* of the variance, without that of the number */
	double		score;
	double		ratio;
	pds_hll_likelihood l;

	s->size[0] = supposed;
	pds_hll_maximise(s->m, s->size, 1, NOTHING, &l);
	information = information_alone(s->m, &l, s->size);
	/* where all is determined, some is left for rounding */
	left = fmax(1 - information * pds_hll_tilt(s->m, supposed, 0).slope, 1e-9);
	ratio = sqrt(fmax(0, 2 * (s->greatest - l.value) / left));
	/* where nothing changes with it any more, there is no slope */
	score = information > 0 ? -side * l.score[0] / sqrt(information * left) : ratio;
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
	information = information_alone(m, &l, size);
	s.greatest = l.value;
	s.step = information > 0 ? fmax(1, s.z / sqrt(information)) : 1;
	*lower = least < size[0] ? find_bound(s, size[0], least) : size[0];
	*upper = most > size[0] ? find_bound(s, size[0], most) : size[0];
}
