/*
 * minhash_quantile.h: quantiles of the beta and gamma distributions
 *
 * Abramowitz, Stegun, "Handbook of mathematical functions", 26.5.8 and 6.5.29,
 * 6.5.31, solved by bisection.
 */
#ifndef PDS_SKETCH_MINHASH_MINHASH_QUANTILE_H
#define PDS_SKETCH_MINHASH_MINHASH_QUANTILE_H

/* The x below which a beta variable of shape (a, b), both at least 1, is with probability p. */
extern double pds_minhash_beta_quantile(double a, double b, double p);

/* The same for a gamma variable of shape a, at least 1, and scale 1. */
extern double pds_minhash_gamma_quantile(double a, double p);

#endif
