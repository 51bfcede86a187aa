/*
 * ddsketch_answer.h: what is read from a stored DDSketch
 *
 * The order of numbers is PostgreSQL's: negative infinity is below all others, and NaN above
 * positive infinity.
 */
#ifndef PDS_SKETCH_DDSKETCH_DDSKETCH_ANSWER_H
#define PDS_SKETCH_DDSKETCH_DDSKETCH_ANSWER_H

#include "ddsketch.h"

/* A number that is known to be from lower to upper. */
typedef struct pds_ddsketch_range
{
	double		lower;
	double		estimate;
	double		upper;
} pds_ddsketch_range;

/* What a bucket's numbers are, each by itself. */
extern pds_ddsketch_range pds_ddsketch_range_of(const pds_ddsketch_view *v,
												const pds_ddsketch_bucket *bucket);

/*
 * The quantile q, 0 to 1, of a sketch that is not empty.  Of n numbers in order it is the one at
 * place ceil(q * n), and the first for q = 0, as percentile_disc() has it.  Errors: PDS_CORRUPT.
 */
extern pds_status pds_ddsketch_quantile(const pds_ddsketch_view *v, double q,
										pds_ddsketch_range *range);

/* About how many numbers are at or below this one.  Errors: PDS_CORRUPT. */
extern pds_status pds_ddsketch_up_to(const pds_ddsketch_view *v, double number, double *count);

/*
 * About the sum of all numbers by a divisor: within the error of the scale if all have the same
 * sign.  Errors: PDS_CORRUPT.
 */
extern pds_status pds_ddsketch_sum(const pds_ddsketch_view *v, double divisor, double *sum);

/* The smallest and the largest number of a sketch that is not empty. */
extern double pds_ddsketch_min(const pds_ddsketch_view *v);
extern double pds_ddsketch_max(const pds_ddsketch_view *v);

#endif
