/*
 * bracket.h: the root of a function between two ends where it has different signs
 *
 * Regula falsi, as the Illinois algorithm has it: the value at an end that stays twice is
 * halved, so that the next guess is nearer to that end.
 */
#ifndef PDS_BASE_BRACKET_H
#define PDS_BASE_BRACKET_H

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

#endif
