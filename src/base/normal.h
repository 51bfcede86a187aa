/*
 * normal.h: quantiles of the normal distribution, which intervals of confidence are made of
 */
#ifndef PDS_BASE_NORMAL_H
#define PDS_BASE_NORMAL_H

#include <math.h>

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
