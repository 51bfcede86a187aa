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
 *
 * Tests and bounds are about size 0.  So that they are about another size, pds_hll_ask() makes that
 * size 0, and what two sets have in common takes its place.
 */
#ifndef PDS_SKETCH_HLL_HLL_TRIALS_H
#define PDS_SKETCH_HLL_HLL_TRIALS_H

#include <stdbool.h>
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
	int			both;			/* the size of what two sets have in common */
	double		among;			/* known values of which "both" are so many, or else 0 */
	int			n;
	const pds_hll_trials *trials;
} pds_hll_model;

/* What is estimated to be nothing comes out as this much. */
#define PDS_HLL_LEAST_SIZE	1e-4

/*
 * The sizes under which the trials are most likely, from "size" on, which must be above 0 and,
 * that of both, below m->among.
 */
extern void pds_hll_model_fit(const pds_hll_model *m, double *size);

/* Make size i of a model about two sets, and of these sizes, size 0.  Twice is as never. */
extern void pds_hll_ask(pds_hll_model *m, pds_hll_trials *trials, double *size, int i);

/*
 * The number of values that size i is about is given in truth.  The model has it vary, by Poisson's
 * distribution or, among known values, the binomial one.  Either is tilted by e^tau: its mean then,
 * the first derivatives of the mean by tau, and the logarithm of E[e^(tau (number - mean))].
 */
typedef struct pds_hll_tilted
{
	double		mean;
	double		slope;			/* the variance, too */
	double		bend;
	double		log_norm;
} pds_hll_tilted;

extern pds_hll_tilted pds_hll_tilt(const pds_hll_model *m, int i, double size, double tau);

/* ---------- likelihood ---------- */

typedef struct pds_hll_likelihood
{
	double		value;			/* its logarithm */
	double		score[PDS_HLL_SIZES];
	double		information[PDS_HLL_SIZES][PDS_HLL_SIZES];	/* to be expected of such trials */
	/* that of these: less the second derivatives */
	double		curvature[PDS_HLL_SIZES][PDS_HLL_SIZES];
} pds_hll_likelihood;

extern void pds_hll_evaluate(const pds_hll_model *m, const double *size, pds_hll_likelihood *l);

/*
 * Maximise the likelihood over the sizes from "first" on, starting from "size"; none of them falls
 * below
 * "least".  *l is that of what was found.
 */
extern void pds_hll_maximise(const pds_hll_model *m, double *size, int first, double least,
							 pds_hll_likelihood *l);

/*
 * Solve a * x = b for a symmetric positive definite matrix by Cholesky's method, n up to 3.
 * Rows whose diagonal is 0 are skipped, and their x is 0.  Returns false if the matrix is not
 * positive definite.
 */
extern bool pds_hll_solve(double a[PDS_HLL_SIZES][PDS_HLL_SIZES], const double *b, double *x,
						  int n);

#endif
