/*
 * hll_score.h: which numbers of values do the registers rule out?
 *
 * An interval of confidence holds the sizes that a test does not rule out.  Two tests look at the
 * trials of hll_trials.h.  Each supposes a size, and estimates the other sizes under it.  One test
 * is the ratio of the likelihood to the greatest one, the other is its slope, Rao's score.  Both
 * are nearly normal for many trials.  For a few trials now the one says too much and now the
 * other, so a size is ruled out only if both rule it out.
 *
 * The model lets numbers of values vary, the sets do not.  So the likelihood is the model's under
 * the tilt at which the supposed number is to be expected, divided by the chance of this number.
 * This is the saddle point of the likelihood once the number is given.
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
