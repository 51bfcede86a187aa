/*
 * bloom_size.h: how large a filter must be, and how often it will be wrong
 */
#ifndef PDS_SKETCH_BLOOM_BLOOM_SIZE_H
#define PDS_SKETCH_BLOOM_BLOOM_SIZE_H

#include "status.h"
#include "bloom_shape.h"

/* Returns whether a stored filter can have this shape. */
extern bool pds_bloom_shape_valid(const pds_bloom_shape *s);

/*
 * The shape for a capacity of at least 1 at a rate (base/decimal.h, not 0) in
 * a layout.
 *
 * Classic, and blocked up to 4,096 bits: the textbook's size with c = log2(1/p) / ln 2 bits a
 * key. m is ceil(c * capacity) rounded up to a multiple of 64.  The number of hashes is the
 * whole number nearest to log2(1/p), at least 1.  Above a rate of 0.5 there is one hash, and c =
 * -1 / ln(1 - p).
 *
 * The textbook takes the share of bits set for what it is on average, and the
 * k bits of a key for independent, and k is rounded.  In a filter for a few keys the first two
 * miss the rate by up to 2.4 times, and double hashing in the classic layout by far
 * more (pds_bloom_model_rate()).  So m grows by 64 as long as the model is over
 * 1.006 p, which leaves most filters for more than some 10,000 keys as they are.
 *
 * Blocked above 4,096 bits: the fewest bits a key at which pds_bloom_model_rate() of a very
 * large filter keeps the promised rate, and the number of hashes that goes with them.  Bits a
 * key are counted in 1/1024 of a bit, and m is rounded up to whole blocks.
 *
 * PDS_BLOOM_AS_GUAVA in place of a layout is the classic one with the bits and hashes that Guava's
 * BloomFilter.create() takes.
 *
 * Errors: PDS_FULL if that is more than PDS_BLOOM_MAX_BITS.
 */
#define PDS_BLOOM_AS_GUAVA	0xff
extern pds_status pds_bloom_shape_for(uint64_t capacity, uint16_t rate, uint8_t family,
									  pds_bloom_shape *s);

/*
 * What the format leaves out because it follows from capacity and rate (see
 * doc/format.md): the shape of a filter of at most 4,096 bits; false where it
 * would be larger.  As above, but that a classic filter is the textbook's: one
 * that had to grow says its size.
 */
extern bool pds_bloom_small_shape(uint64_t capacity, uint16_t rate, uint8_t family,
								  pds_bloom_shape *s);

/* The greatest capacity that fits, into a filter of any size or of so many bits. */
extern uint64_t pds_bloom_max_capacity(uint16_t rate, uint8_t family);
extern uint64_t pds_bloom_max_capacity_of(uint16_t rate, uint8_t family, uint64_t bits);

/*
 * The false-positive rate that is to be expected of a filter of this shape, of a
 * layout of ours, with n distinct keys in it.
 *
 * A block of B bits in which t bits were set with repetition has a share X of them set.  A
 * foreign key finds its k bits set with probability E[X^k].  To second order, with mean and
 * variance of X, this is mean^k * (1 + k(k-1)/2 * var/mean^2).  (The textbook's mean^k is what
 * remains for large B; in a block of 512 it is
 * 1 % too good at a rate of 1 %, 4 % at 0.01 %.)  In the blocked layout the
 * number of keys of a block is binomially distributed.
 *
 * Where there is one block, or none, the third moment is taken as well, which is right to
 * 0.4 % of the exact chain (bloom_size_test.c).
 *
 * In the classic layout, two keys with equal steps, or with steps in a small ratio, share more
 * bits than independent keys.  Such a foreign key is found more often (Dillinger, Manolios,
 * "Bloom filters in probabilistic verification", 2004).  Each of the n keys adds A / m^2.  In a
 * half-full filter, A was measured as (1 + 128 / m) min(1.5 (k - 2), 9), which is right to a
 * quarter.  If m is a power of 2, steps return to their beginning more often.  The effect is
 * negligible in large filters, but exceeds a rate of 0.0001 in a filter for 100 keys.
 */
extern double pds_bloom_model_rate(const pds_bloom_shape *s, double n);

/*
 * The same for a filter with this share of its bits set, in a filter without blocks or of a
 * single block.
 */
extern double pds_bloom_fill_rate(const pds_bloom_shape *s, double fill);

/*
 * Bits a key of the blocked layout in many blocks, and how many hashes: the
 * unrounded solution, for tests.
 */
extern double pds_bloom_solve_blocked(double rate, int *hashes);

#endif
