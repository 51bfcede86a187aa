/*
 * bloom_format.h: the parts of the stored form that writer and reader share
 *
 * The whole of it is drawn in bloom_format.c.
 */
#ifndef PDS_SKETCH_BLOOM_BLOOM_FORMAT_H
#define PDS_SKETCH_BLOOM_BLOOM_FORMAT_H

#include "bloom.h"

#define PDS_BLOOM_MAX_CELL_BITS	PDS_BLOOM_SINGLE_BITS

/* A filter is sparse if at most so many bits are set. */
static inline uint64_t
pds_bloom_sparse_limit(uint64_t bits)
{
	return bits / 8;
}

static inline uint32_t
pds_bloom_cell_bits(const pds_bloom_shape *s)
{
	if (s->bits <= PDS_BLOOM_SINGLE_BITS)
		return (uint32_t) s->bits;
	return s->family == PDS_BLOOM_BLOCKED ? PDS_BLOOM_BLOCK_BITS : PDS_BLOOM_MAX_CELL_BITS;
}

static inline uint64_t
pds_bloom_cell_count(const pds_bloom_shape *s)
{
	uint32_t	b = pds_bloom_cell_bits(s);

	return (s->bits + b - 1) / b;
}

#endif
