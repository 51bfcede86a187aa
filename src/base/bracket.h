/*
 * bracket.h: the root of a function between two ends where it has different signs, and a quantile
 * that is such a root
 *
 * Regula falsi, as the Illinois algorithm has it: the value at an end that stays twice is
 * halved, so that the next guess is nearer to that end.
 */
#ifndef PDS_BASE_BRACKET_H
#define PDS_BASE_BRACKET_H

#include <math.h>

typedef struct pds_bracket
{
	double		x_above;		/* where the function is above 0, and what it is there */
	double		f_above;
	double		x_below;		/* where it is not */
	double		f_below;
	int			last;			/* which end moved last: 1 the first, -1 the second */
} pds_bracket;

static inline double
pds_bracket_guess(const pds_bracket *b)
{
	return b->x_above + (b->x_below - b->x_above) * b->f_above / (b->f_above - b->f_below);
}

/* Between the ends the function is f at x: one of them moves there. */
static inline void
pds_bracket_put(pds_bracket *b, double x, double f)
{
	double	   *other = f > 0 ? &b->f_below : &b->f_above;
	int			side = f > 0 ? 1 : -1;

	if (f > 0)
	{
		b->x_above = x;
		b->f_above = f;
	}
	else
	{
		b->x_below = x;
		b->f_below = f;
	}
	if (b->last == side)
		*other /= 2;
	b->last = side;
}

/*
 * The z for which a normal variable is between -z and z with the probability "confidence", by
 * bisection.
 */
static inline double
pds_normal_quantile(double confidence)
{
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

#endif
