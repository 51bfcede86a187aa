/*
 * hll_shape.h: precisions, hash families and ranks
 */
#ifndef PDS_SKETCH_HLL_HLL_SHAPE_H
#define PDS_SKETCH_HLL_HLL_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "header.h"

#define PDS_HLL_MIN_PRECISION		4
#define PDS_HLL_MAX_PRECISION		18
#define PDS_HLL_DEFAULT_PRECISION	14

/* A token's cell has this many bits. */
#define PDS_HLL_CELL_BITS			26

/*
 * Hash families beside PDS_FAMILY_NATIVE.  The family of 4-byte integers is native, except that
 * it hashes 4 bytes (hll_hash_integer() of postgresql-hll).
 */
#define PDS_HLL_REDIS			1
#define PDS_HLL_DATASKETCHES	2
#define PDS_HLL_INT32			3
#define PDS_HLL_FAMILIES		4

/* Can a sketch of this family hold tokens?  The others are always of registers. */
static inline bool
pds_hll_has_tokens(int family)
{
	return family == PDS_FAMILY_NATIVE || family == PDS_HLL_INT32;
}

/* The only precision that Redis has; ours are folded from it. */
#define PDS_HLL_REDIS_PRECISION	14

/* One past the largest register value at any precision of any family. */
#define PDS_HLL_RANKS				64

/* How many registers there are: 2^precision. */
static inline uint32_t
pds_hll_registers(int precision)
{
	return UINT32_C(1) << precision;
}

/* The largest register value: 64 - p bits of zeros, plus 1. */
static inline int
pds_hll_max_rank(int precision)
{
	return 65 - precision;
}

/* The same in any family. */
static inline int
pds_hll_top_rank(int family, int precision)
{
	return family == PDS_HLL_DATASKETCHES ? 63 : pds_hll_max_rank(precision);
}

/* The highest precision of a family. */
static inline int
pds_hll_top_precision(int family)
{
	return family == PDS_HLL_REDIS ? PDS_HLL_REDIS_PRECISION : PDS_HLL_MAX_PRECISION;
}

/* Returns whether a sketch of this family can hold values of this kind (not PDS_KIND_NONE). */
static inline bool
pds_hll_family_holds(int family, pds_kind kind)
{
	if (family == PDS_FAMILY_NATIVE)
		return true;
	if (family == PDS_HLL_INT32)
		return kind == PDS_KIND_NUMBER;
	if (family == PDS_HLL_DATASKETCHES &&
		(kind == PDS_KIND_NUMBER || kind == PDS_KIND_FLOAT))
		return true;
	return kind == PDS_KIND_STRING || kind == PDS_KIND_BYTES || kind == PDS_KIND_HASH;
}

/* The most tokens that a sketch holds before it turns to registers. */
static inline uint32_t
pds_hll_max_tokens(int precision)
{
	return UINT32_C(3) << (precision - 4);
}

#endif
