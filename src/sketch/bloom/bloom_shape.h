/*
 * bloom_shape.h: what a filter is, before there is anything in it
 */
#ifndef PDS_SKETCH_BLOOM_BLOOM_SHAPE_H
#define PDS_SKETCH_BLOOM_BLOOM_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "header.h"

/*
 * Layouts are hash families: what is set for a hash differs.  So are the filters
 * of other systems.
 */
#define PDS_BLOOM_BLOCKED	PDS_FAMILY_NATIVE
#define PDS_BLOOM_CLASSIC	1
#define PDS_BLOOM_GUAVA32	2
#define PDS_BLOOM_REDIS		3
#define PDS_BLOOM_PARQUET	4
#define PDS_BLOOM_PARQUET32	5
#define PDS_BLOOM_FAMILIES	6

#define PDS_BLOOM_BLOCK_BITS		512
#define PDS_BLOOM_SINGLE_BITS		4096	/* up to here one block is all */
#define PDS_BLOOM_MAX_HASHES		40
#define PDS_BLOOM_SPLIT_BITS		256	/* a block of the split block filter */
#define PDS_BLOOM_SPLIT_WORDS		8
#define PDS_BLOOM_REMIX				UINT64_C(0x9e3779b97f4a7c15)

/*
 * The most bits: what fits in a value of the server (1 GB less one byte, less
 * its length word), with space for a header and the building form's head.
 */
#define PDS_BLOOM_MAX_BITS			((UINT64_C(0x3fffffff) - 2047) / 64 * 512)

/*
 * The parameters of a filter, which an empty one has, too.  Filters can be united if family,
 * hashes and bits are the same.
 */
typedef struct pds_bloom_shape
{
	uint8_t		family;			/* layout */
	uint8_t		hashes;			/* k, 1 to PDS_BLOOM_MAX_HASHES */
	uint16_t	rate;			/* the requested rate, base/decimal.h; 0 if unknown */
	uint32_t	unused;			/* 0: a state goes where the server wants all bytes known */
	uint64_t	capacity;		/* for how many keys; 0 unknown */
	uint64_t	bits;			/* m, a multiple of 64; of 512 if there are
								 * blocks of that */
} pds_bloom_shape;

/* The shape for so many keys at a rate: bloom_size.h. */

/* Returns whether the family is one that SQL calls a layout and creates filters of. */
static inline bool
pds_bloom_is_layout(uint8_t family)
{
	return family <= PDS_BLOOM_CLASSIC;
}

/* Returns whether the family uses the native hash, and differs only in how bits follow from it. */
static inline bool
pds_bloom_hashes_natively(uint8_t family)
{
	return family <= PDS_BLOOM_GUAVA32;
}

static inline bool
pds_bloom_is_split_block(uint8_t family)
{
	return family >= PDS_BLOOM_PARQUET;
}

/* Returns whether a filter of this family can hold values of this kind (not PDS_KIND_NONE). */
static inline bool
pds_bloom_family_holds(uint8_t family, pds_kind kind)
{
	if (pds_bloom_hashes_natively(family) || kind == PDS_KIND_HASH)
		return true;
	if (family == PDS_BLOOM_PARQUET32)
		return kind == PDS_KIND_NUMBER;
	return kind == PDS_KIND_STRING || kind == PDS_KIND_BYTES ||
		(family == PDS_BLOOM_PARQUET && (kind == PDS_KIND_NUMBER || kind == PDS_KIND_UUID));
}

static inline bool
pds_bloom_same_shape(const pds_bloom_shape *a, const pds_bloom_shape *b)
{
	return a->family == b->family && a->hashes == b->hashes && a->bits == b->bits;
}

#endif
