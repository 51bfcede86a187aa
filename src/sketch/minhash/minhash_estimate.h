/*
 * minhash_estimate.h: from MinHash sketches to similarity and size, and how far
 * off these can be
 *
 * Two sketches of tokens are compared exactly.  Otherwise both are registers.  In each bin that
 * is empty in neither, the smallest hash of the union belongs to the first set, to the second,
 * or to both.  The values that are the smallest of their bins are a random sample of the union,
 * so with f of these bins
 *
 *     E(equal) / f = J + c(J)
 *
 * where c is the chance that two different values have equal registers.  Registers are equal if
 * both hashes fall into a cell of relative width w, which is 2^-6 of the power of two below.
 * To first order in w, this has the probability
 *
 *     c = 2^-6 / (4 ln 2) * (2 u v + J (1 - J))
 *
 * with u and v the shares of the union that are in the first or second set only
 * (the integral of the density of two exponential minima along the diagonal).
 *
 * The estimate's standard deviation is sqrt(J (1 - J) (1 / f - 1 / n)) for a union of n values,
 * because they are drawn without replacement.  On average f is k (1 - e^(-n / k)).  So the
 * standard deviation is below sqrt(J (1 - J) / k) for every n.
 */
#ifndef PDS_SKETCH_MINHASH_MINHASH_ESTIMATE_H
#define PDS_SKETCH_MINHASH_MINHASH_ESTIMATE_H

#include "minhash.h"

/* ---------- quantiles ---------- */

/*
 * The quantiles of a gamma variable of shape a and of a beta variable of shape (a, b).  z is the
 * quantile of the normal distribution for the same probability, for beta above 0.  Cube roots of
 * gamma variables are taken to be normal (Wilson, Hilferty, "The distribution of chi-square",
 * 1931).  Where a or b is below 2, intervals become wider by this.  Elsewhere it changes their
 * width by less than a hundredth.
 */
extern double pds_minhash_gamma_quantile(double a, double z);
extern double pds_minhash_beta_upper(double a, double b, double z);

/* ---------- two sketches ---------- */

/* The union of two sketches: values, if exact, or else bins that are not empty. */
typedef struct pds_minhash_pair
{
	bool		exact;
	uint32_t	both;
	uint32_t	only_1;
	uint32_t	only_2;
} pds_minhash_pair;

/* Bytes to compare two views in, aligned to 8. */
extern size_t pds_minhash_pair_scratch(const pds_minhash_view *a, const pds_minhash_view *b);

/*
 * Compare two sketches whose payloads are in memory, at the smaller k.  Their kinds are
 * the caller's business.  Errors: PDS_CORRUPT.
 */
extern pds_status pds_minhash_pair_of(pds_minhash_pair *pair, const pds_minhash_view *a,
									  const pds_minhash_view *b, void *scratch);

/* Count two arrays of n registers against each other. */
extern void pds_minhash_pair_registers(pds_minhash_pair *pair, const uint16_t *a,
									   const uint16_t *b, uint32_t n);

/* The Jaccard index of the two sets, 0 to 1.  False if both are empty. */
extern bool pds_minhash_jaccard(const pds_minhash_pair *pair, double *jaccard);

/* The share of the first set that is in the second.  False if the first is empty. */
extern bool pds_minhash_containment(const pds_minhash_pair *pair, double *share);

/*
 * Computes bounds of the Jaccard index at a confidence (0 < confidence < 1), with the estimate
 * between them.  They are the interval of Clopper and Pearson, "The use of confidence or
 * fiducial limits", 1934, for the share of equal registers.  Returns false if both sketches are
 * empty.
 */
extern bool pds_minhash_jaccard_bounds(const pds_minhash_pair *pair, double confidence,
									   double *lower, double *estimate, double *upper);

/* ---------- one sketch ---------- */

/*
 * How many bins there are, how many are not empty, and the sum over all of them of the
 * smallest hash, between 0 and 1; 1 for an empty bin.
 */
typedef struct pds_minhash_summary
{
	uint8_t		log2_k;
	bool		dense;
	uint32_t	tokens;			/* if not dense, and else: */
	uint32_t	filled;
	double		sum;
} pds_minhash_summary;

/* Bytes to read a view in. */
extern size_t pds_minhash_summary_scratch(const pds_minhash_view *v);

/* Errors: PDS_CORRUPT. */
extern pds_status pds_minhash_summarize(pds_minhash_summary *s, const pds_minhash_view *v,
										void *scratch);

/*
 * Estimates the number of distinct values.  In registers, the smallest hashes are exponential
 * of rate n / k, cut off at 1.  So f of them with the sum s give n = k (f - 1) / s.
 */
extern double pds_minhash_cardinality(const pds_minhash_summary *s);

/* Returns the share of bins that are not empty; with tokens, the number of tokens / k. */
extern double pds_minhash_fill(const pds_minhash_summary *s);

/*
 * Its relative standard error at that size: sqrt((1 / (1 - e^-x) - 1 / x) / k), where
 * x = n / k; 0 for tokens.
 */
extern double pds_minhash_cardinality_error(const pds_minhash_summary *s);

/* Bounds of it, as above, by the quantiles of the gamma distribution; whole numbers. */
extern void pds_minhash_cardinality_bounds(const pds_minhash_summary *s, double confidence,
										   double *lower, double *estimate, double *upper);

/* ---------- many sketches ---------- */

/*
 * What all of many sketches have in common.  In registers, the bins whose smallest hash is in all
 * of the sets are a count of Poisson's over the sum of all smallest hashes.  So c of them give k c
 * / s values, in the place of f in pds_minhash_cardinality().
 *
 * A bin is also equal in all of them by chance, as in two.  Its two smallest hashes are in one
 * cell, the first is not in all of the sets, and each set has one of the two.  How often each set
 * has one of two hashes is seen from pairs of neighbouring bins.
 */
typedef struct pds_minhash_common
{
	bool		exact;
	pds_minhash_summary in_union;	/* if not exact */
	uint32_t	equal;			/* values, if exact, or else bins */
	double		by_chance;		/* so many of these bins, to be expected */
	uint32_t	most;			/* no more values, because a set has no more */
} pds_minhash_common;

/* Bytes to compare n views in, aligned to 8. */
extern size_t pds_minhash_common_scratch(const pds_minhash_view *v, uint32_t n);

/*
 * Compare n sketches, at least one, whose payloads are in memory, at the smallest k.  Their kinds
 * are the caller's business.  Errors: PDS_CORRUPT.
 */
extern pds_status pds_minhash_common_of(pds_minhash_common *c, const pds_minhash_view *v,
										uint32_t n, void *scratch);

/*
 * Bounds of the number of values in all of them, by the quantiles of the gamma distribution; lower
 * and upper are whole numbers.
 */
extern void pds_minhash_common_bounds(const pds_minhash_common *c, double confidence,
									  double *lower, double *estimate, double *upper);

/* ---------- bands ---------- */

/*
 * Computes "bands" numbers from "rows" registers each.  Two sketches have one of them in common
 * with a probability of 1 - (1 - J^rows)^bands (Leskovec, Rajaraman, Ullman, "Mining of massive
 * datasets", section 3.4). bands * rows is at most k.
 *
 * An empty bin takes the register of another bin.  The number of the empty bin determines an
 * order of all bins, and the first bin in this order that is not empty is taken.  (Shrivastava,
 * "Optimal densification for fast and accurate minwise hashing", 2017.)  So every register of
 * two sketches is equal with probability J, however small the sets are.
 *
 * "scratch" has space for k numbers.  Returns how many bands were written: all of
 * them, or 0 for an empty sketch.
 */
extern uint32_t pds_minhash_bands(const uint16_t *registers, int log2_k, uint32_t bands,
								  uint32_t rows, uint16_t *scratch, uint64_t *out);

#endif
