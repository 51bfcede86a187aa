/*
 * hll_estimate.h: from a sketch to the number of distinct values, and how far
 * that can be off
 *
 * Registers are estimated by maximum likelihood in the Poisson model (Ertl,
 * "New cardinality estimation algorithms for HyperLogLog sketches", 2017,
 * section 4: no tables, no ranges to switch between, no bias beyond the order of
 * 1 / m), tokens by linear counting over their 2^26 cells (Whang, Vander-Zanden,
 * Taylor, "A linear-time probabilistic counting algorithm", 1990).
 *
 * Errors are those of the same models: the Fisher information of 2^p registers,
 * less what the Poisson model adds to the variance because the number of values
 * is not random at all.
 */
#ifndef PDS_SKETCH_HLL_HLL_ESTIMATE_H
#define PDS_SKETCH_HLL_HLL_ESTIMATE_H

#include "hll.h"

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
 * A two-sided confidence interval (0 < confidence < 1) around the estimate.
 * *lower is never below the number of values that the sketch proves.
 */
extern void pds_hll_bounds(const pds_hll_summary *s, double confidence,
						   double *lower, double *estimate, double *upper);

/* The quantile of the normal distribution that a two-sided interval needs. */
extern double pds_normal_quantile(double confidence);

/* Linear counting over 2^26 cells of which so many are taken. */
extern double pds_hll_linear_count(double taken);

/* The standard deviation of a linear count of n values. */
extern double pds_hll_linear_count_error(double n);

/*
 * Two sketches as unions and intersections see them: the registers of one
 * against those of the other, counted by value (Ertl 2017, section 5).
 */
typedef struct pds_hll_joint
{
	uint8_t		family;
	uint8_t		precision;
	uint32_t	below_1[PDS_HLL_RANKS]; /* value of 1's where it is the lower */
	uint32_t	above_1[PDS_HLL_RANKS]; /* value of 1's where it is the higher */
	uint32_t	below_2[PDS_HLL_RANKS];
	uint32_t	above_2[PDS_HLL_RANKS];
	uint32_t	equal[PDS_HLL_RANKS];	/* where both are the same */
} pds_hll_joint;

/*
 * Count two register arrays of the same precision against each other.  They are
 * taken to be native; of another family, set j->family after this.
 */
extern void pds_hll_joint_count(pds_hll_joint *j, int precision,
								const uint8_t *registers_1,
								const uint8_t *registers_2);

/*
 * What two sets have in common.  All three numbers are estimates by maximum
 * likelihood of the joint distribution.
 *
 * "told" is false when the data cannot tell the intersection from nothing: an
 * empty one lies within the 95 % interval by likelihood (its logarithm is less
 * than 1.92 below the best).
 */
typedef struct pds_hll_overlap
{
	double		only_1;
	double		only_2;
	double		both;
	double		both_error;		/* standard deviation of "both" */
	bool		told;
} pds_hll_overlap;

extern void pds_hll_joint_estimate(const pds_hll_joint *j, pds_hll_overlap *o);

/* The same of two token sets: their sizes and that of their union. */
extern void pds_hll_token_overlap(uint32_t tokens_1, uint32_t tokens_2,
								  uint32_t tokens_union, pds_hll_overlap *o);

#endif
