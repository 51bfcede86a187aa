/*
 * hll_score.h: which numbers of values do the registers rule out?
 *
 * An interval of confidence holds the sizes that a test does not rule out (Clopper and Pearson,
 * "The use of confidence or fiducial limits", 1934).  The test is Rao's score test on the trials of
 * hll_trials.h: under a
 * supposed size the others are estimated, and the trials are summed with weights that tell the
 * supposed size from a neighbour best while errors of the other sizes cancel.  The chance of a
 * sum as far off comes from its cumulant generating function (Lugannani and Rice, "Saddle point
 * approximation for the distribution of the sum of independent random variables", 1980), which is
 * good for a handful of trials as for thousands.  Sums jump, so half a jump is granted to each
 * size: an interval covers too much rather than too little.
 *
 * The model lets numbers of values vary, the sets do not.  So the sum is taken less its regression
 * on the number of values of size 0, which is what remains once that number is given.
 */
#ifndef PDS_HLL_HLL_SCORE_H
#define PDS_HLL_HLL_SCORE_H

#include <math.h>

#include "hll/hll_trials.h"

#pragma GCC visibility push(hidden)

/*
 * The sizes 0 between "least" and "most" that the trials do not rule out at this confidence, as an
 * interval around size[0].  "size" are the most likely sizes.  "most" may be infinite.
 */
extern void pds_hll_model_bounds(const pds_hll_model *m, const double *size, double confidence,
								 double least, double most, double *lower, double *upper);

/* The quantile of the normal distribution that a two-sided interval needs. */
extern double pds_normal_quantile(double confidence);

/*
 * Bounds as whole numbers: outwards, but for a quarter.  Numbers of values are whole, so that
 * rounding inwards would still cover them; and what is exact but for a hundredth is to say so.
 */
static inline double
pds_hll_whole_lower(double lower)
{
	return floor(lower + 0.25);
}

static inline double
pds_hll_whole_upper(double upper)
{
	return ceil(upper - 0.25);
}

#pragma GCC visibility pop

#endif
