/*
 * hll_trials.h: what registers show, as independent trials
 *
 * Take a register that a Poisson number of values fall to, and that holds nothing above rank k.
 * Whether it holds rank k is a trial.  The answer is no with the probability exp(-rate 2^-k),
 * and then the trial at rank k - 1 follows.  The likelihood of registers is the product of such
 * trials.  So is the likelihood of two sketches side by side.  What the trials depend on are
 * sizes of sets, in values:
 *
 *     size 0   of the set, or of what two sets have in common
 *     size 1   the second set without the first
 *     size 2   the first set without the second
 */
#ifndef PDS_SKETCH_HLL_HLL_TRIALS_H
#define PDS_SKETCH_HLL_HLL_TRIALS_H

#include <math.h>
#include <stdint.h>

#define PDS_HLL_SIZES		3
#define PDS_HLL_OUTCOMES	4

typedef enum pds_hll_trial_kind
{
	/*
	 * Outcome 0: none of the values of the sizes in "of" (bit i for size i) is there; 1: one is.
	 */
	PDS_HLL_SET,

	/*
	 * Of two registers that hold nothing higher: 0 neither has the rank, 1 only the second, 2 only
	 * the first, 3 both.
	 */
	PDS_HLL_PAIR,

	/*
	 * Known values of the first set, "tokens" of them on average, have the register and rank.  0:
	 * no value of the second set does; 1: one does.
	 */
	PDS_HLL_TOKENS
} pds_hll_trial_kind;

/* Trials that are alike. */
typedef struct pds_hll_trials
{
	pds_hll_trial_kind kind;
	uint8_t		of;
	double		chance;			/* that a value falls to a given register and has the rank */
	double		tokens;
	double		count[PDS_HLL_OUTCOMES];	/* how many had which outcome */
} pds_hll_trials;

typedef struct pds_hll_model
{
	int			sizes;			/* how many of the sizes there are */
	double		among;			/* known values of which size 0 is so many, or else 0 */
	int			n;
	const pds_hll_trials *trials;
} pds_hll_model;

/* What is estimated to be nothing comes out as this much. */
#define PDS_HLL_LEAST_SIZE	1e-4

/*
 * The sizes under which the trials are most likely, from "size" on, which must be above 0 and,
 * that of what both have, below m->among.
 */
extern void pds_hll_model_fit(const pds_hll_model *m, double *size);

/* ---------- which numbers of values do the registers rule out? ---------- */

/*
 * An interval of confidence holds the sizes that a test does not rule out.  Two tests look at the
 * trials.  Each supposes a size, and estimates the other sizes under it.  One test
 * is the ratio of the likelihood to the greatest one, the other is its slope, Rao's score.  Both
 * are nearly normal for many trials.  For a few trials now the one says too much and now the
 * other, so a size is ruled out only if both rule it out.
 *
 * The model lets the number of values vary, the sets do not.  So the variance of that number is
 * taken away from the variance of the size, which is the inverse of its Fisher information.
 */

/*
 * The interval of the size number "about": what lies between "least" and "most" and is not ruled
 * out at this confidence, around size[about].  "size" are the most likely sizes.  "most" may be
 * infinite.
 */
extern void pds_hll_model_bounds(const pds_hll_model *m, const double *size, int about,
								 double confidence, double least, double most, double *lower,
								 double *upper);

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
