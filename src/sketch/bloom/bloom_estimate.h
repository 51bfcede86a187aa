/*
 * bloom_estimate.h: what a Bloom filter's fill tells: how many keys, how wrong
 */
#ifndef PDS_SKETCH_BLOOM_BLOOM_ESTIMATE_H
#define PDS_SKETCH_BLOOM_BLOOM_ESTIMATE_H

#include "bloom.h"

/* Filters of at most so many bits without blocks have a rate that is counted. */
#define PDS_BLOOM_COUNTED_BITS	65536

/*
 * Numbers of bits that are set: in all, and a histogram over the blocks.  For a split block
 * filter the histogram is over words, and only over words with any bit set.
 */
typedef struct pds_bloom_summary
{
	pds_bloom_shape shape;
	uint64_t	set;
	uint64_t	blocks[PDS_BLOOM_BLOCK_BITS + 1];
	double		product;		/* split block: the sum over blocks of the product of
								 * their words' shares */
	uint8_t		small[PDS_BLOOM_COUNTED_BITS / 8];	/* the bits of a filter whose rate is counted */
} pds_bloom_summary;

/* Add the blocks of an array, of len bytes, to "set" and "blocks". */
extern void pds_bloom_count_blocks(const uint8_t *array, size_t len, pds_bloom_summary *s);

/* Reads the whole payload.  Errors: PDS_CORRUPT. */
extern pds_status pds_bloom_summarize(const pds_bloom_view *v, pds_bloom_summary *s);

/*
 * Estimates the number of distinct keys by inverting the fill (Swamidass, Baldi, "Mathematical
 * correction for fingerprint similarity measures", 2007).  In blocked filters this is done
 * block by block, and its bias is removed.  If all bits are set, the estimate is that for half
 * a bit less, since nothing higher can be estimated.
 */
extern double pds_bloom_cardinality(const pds_bloom_summary *s);

/* The standard error of that, in keys (Whang et al., linear counting, 1990). */
extern double pds_bloom_cardinality_error(const pds_bloom_summary *s);

/*
 * Returns the share of foreign keys that the filter answers "yes" for, at its present fill.  In
 * filters of up to 65,536 bits without blocks, double hashing matters, so the rate is counted.
 * For a fixed sample of steps from one bit of a key to the next, it counts the starting places
 * at which all bits of the key are set.  Measured over many filters, a rate of 0.01 is right to
 * 1 %, a rate of 0.001 to 4 % and a rate of 0.0001 to 15 %.  Counting takes 2 or 3 ms.  Rates
 * that are too low to be counted come from pds_bloom_fill_rate().
 */
extern double pds_bloom_current_rate(const pds_bloom_summary *s);

/*
 * Is it filled as planned?  "ok"; "nearly full", from nine tenths of the capacity on; "over
 * capacity", by more than three standard errors, or full.
 */
extern const char *pds_bloom_status_of(const pds_bloom_summary *s);

#endif
