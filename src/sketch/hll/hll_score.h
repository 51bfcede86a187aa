/*
 * hll_score.h: which numbers of values do the registers rule out?
 *
 * An interval of confidence holds the sizes that a test does not rule out (Clopper and Pearson,
 * "The use of confidence or fiducial limits", 1934).  The test is Rao's score test on the
 * trials of hll_trials.h.  Under a supposed size the other sizes are estimated, and the trials
 * are summed with weights.  The weights best distinguish the supposed size from a neighbouring
 * one, while errors of the other sizes cancel.  The chance of a sum as far off comes from its
 * cumulant generating function.  This works for a handful of trials as well as for thousands
 * (Lugannani and Rice, "Saddle point approximation for the distribution of the sum of
 * independent random variables", 1980).  Sums jump, so half a jump is granted to each size: an
 * interval covers too much rather than too little.
 *
 * The model lets numbers of values vary, the sets do not.  So the sum is taken less its regression
 * on the number of values of size 0, which is what remains once that number is given.
 */
#ifndef PDS_SKETCH_HLL_HLL_SCORE_H
#define PDS_SKETCH_HLL_HLL_SCORE_H

#include <math.h>

#include "hll_trials.h"

/*
 * The sizes 0 between "least" and "most" that the trials do not rule out at this confidence, as an
 * interval around size[0].  "size" are the most likely sizes.  "most" may be infinite.
 */
extern void pds_hll_model_bounds(const pds_hll_model *m, const double *size, double confidence,
								 double least, double most, double *lower, double *upper);

/* The quantile of the normal distribution that a two-sided interval needs. */
extern double pds_normal_quantile(double confidence);

/*
 * Round bounds to whole numbers: outwards, with a tolerance of a quarter.  Numbers of values
 * are whole, so rounding inwards would still cover them.  A bound that is exact to a hundredth
 * should show as exact.
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

#endif
