/*
 * hll_estimate.h: from a sketch to the number of distinct values, and how far
 * that can be off
 *
 * Registers are estimated by maximum likelihood in the Poisson model (Ertl, "New cardinality
 * estimation algorithms for HyperLogLog sketches", 2017, section 4).  This needs no tables and
 * no ranges to switch between, and has no bias beyond the order of 1 / m.  Tokens are estimated
 * by linear counting over their 2^26 cells (Whang, Vander-Zanden, Taylor, "A linear-time
 * probabilistic counting algorithm", 1990).
 *
 * Errors come from the same models.  They use the Fisher information of 2^p registers, less the
 * variance that the Poisson model adds, because the number of values is not random.
 */
#ifndef PDS_SKETCH_HLL_HLL_ESTIMATE_H
#define PDS_SKETCH_HLL_HLL_ESTIMATE_H

#include "hll.h"
#include "hll_trials.h"

/* The estimated number of distinct values, 0 to 2^64. */
extern double pds_hll_cardinality(const pds_hll_summary *s);

/*
 * The relative standard error of that estimate at its own fill: 0 for an empty
 * sketch, 0.009 % while it holds tokens, rising to pds_hll_standard_error().
 */
extern double pds_hll_relative_error(const pds_hll_summary *s);

/* The relative standard error of 2^p registers with many values: 1.037 / sqrt(2^p). */
extern double pds_hll_standard_error(int precision);

/*
 * The numbers of values that the sketch does not rule out at a confidence (0 < confidence < 1),
 * with the estimate between them: whole numbers, upper may be infinite.  The true one is among
 * them with at least that probability (hll_trials.h).
 */
extern void pds_hll_bounds(const pds_hll_summary *s, double confidence,
						   double *lower, double *estimate, double *upper);

/*
 * The numbers of values of which "tokens" have a cell to themselves, and the rest has fallen to
 * cells of one another or to "others" more that were taken.
 */
extern void pds_hll_token_bounds(uint32_t tokens, uint32_t others, double confidence,
								 double *lower, double *upper);

/* P(at most k) of Poisson's distribution. */
extern double pds_hll_poisson_at_most(double mean, int k);

/* Linear counting over 2^26 cells of which so many are taken. */
extern double pds_hll_linear_count(double taken);

/* ---------- two sketches: hll_joint.c ---------- */

/*
 * The observations about the intersection of two sketches, from two sets of tokens, from a set
 * of tokens and registers, or from two arrays of registers.
 */
#define PDS_HLL_MAX_TRIALS	768

typedef struct pds_hll_pair
{
	double		n_1;			/* estimates of each by itself */
	double		n_2;
	pds_hll_summary summary_1;	/* from which these and their bounds are */
	pds_hll_summary summary_2;

	/* two sets of tokens: */
	bool		of_tokens;
	uint32_t	common;

	/* else: */
	bool		exchanged;		/* the second is of tokens, and the first one here */
	uint32_t	absent;			/* tokens of which the registers show that they are not there */
	double		size[PDS_HLL_SIZES];	/* the most likely ones */
	pds_hll_model model;
	pds_hll_trials trials[PDS_HLL_MAX_TRIALS];
} pds_hll_pair;

/* Two sets of tokens, of any precisions, with so many cells in common. */
extern void pds_hll_pair_tokens(pds_hll_pair *pair, uint32_t tokens_1, uint32_t tokens_2,
								uint32_t common);

/* Two arrays of registers of the same family and precision. */
extern void pds_hll_pair_registers(pds_hll_pair *pair, int family, int precision,
								   const uint8_t *registers_1, const uint8_t *registers_2);

/*
 * The same for two building images of one hash family, whose rings it empties, with so many
 * bytes to work in, aligned to 8.  Registers of different precisions are compared at the lower
 * precision.  If one sketch has tokens, all that both know is used.
 */
extern size_t pds_hll_pair_scratch(const pds_hll_build *a, const pds_hll_build *b);
extern void pds_hll_pair_of(pds_hll_pair *pair, pds_hll_build *a, pds_hll_build *b, void *scratch);

/* The most likely numbers of values that are in one of two sets only, or in both. */
typedef struct pds_hll_overlap
{
	double		only_1;
	double		only_2;
	double		both;
} pds_hll_overlap;

extern void pds_hll_pair_estimate(pds_hll_pair *pair, pds_hll_overlap *o);

/*
 * The numbers of values in both that are not ruled out at a confidence, as pds_hll_bounds(), around
 * what pds_hll_pair_estimate() has found: never more than the smaller set can have.
 */
extern void pds_hll_pair_bounds(const pds_hll_pair *pair, const pds_hll_overlap *o,
								double confidence, double *lower, double *upper);

/* The same of the values in the first set that are not in the second. */
extern void pds_hll_pair_difference_bounds(const pds_hll_pair *pair, const pds_hll_overlap *o,
										   double confidence, double *lower, double *upper);

/*
 * Returns whether the size of the intersection can be distinguished from 0.  It cannot if the
 * bounds at 95 % reach from nothing to something.  For two sets of tokens it always can.
 */
extern bool pds_hll_pair_tells(const pds_hll_pair *pair, const pds_hll_overlap *o);

#endif
