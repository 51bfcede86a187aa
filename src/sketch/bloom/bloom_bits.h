/*
 * bloom_bits.h: from a hash to the bits of a filter, and arrays of bits
 *
 * From hash to bits.  With h1, h2 the two halves of the hash there are two
 * layouts, told by the family in the header:
 *
 *   blocked   Putze, Sanders, Singler, "Cache-, hash- and space-efficient Bloom
 *             filters", 2007.  The filter is n blocks of 512 bits (a filter of up
 *             to 4,096 bits is a single block of all its bits), and all bits of a
 *             key lie in one of them: one cache line, one TOAST chunk.
 *
 *                 block = floor(h1 * n / 2^64)
 *                 x     = h2, and then for each of the k bits
 *                 bit   = floor((x div 2^32) * B / 2^32),  x = x * REMIX mod 2^64
 *
 *             where B is the number of bits of a block.  Plain double hashing
 *             within so few bits would cost 2.7 times the rate.
 *
 *   classic   The textbook's; bit i of 0 to k - 1 is
 *
 *                 ((h1 + i * h2) mod 2^63) mod m
 *
 *             (Kirsch, Mitzenmacher, "Less hashing, same performance", 2006),
 *             which is what Guava's MURMUR128_MITZ_64 does.
 *
 * A filter that was read from another system's (bloom_foreign.h) is of one of
 * these families, which hash and set bits as that system does:
 *
 *   guava32   Guava's MURMUR128_MITZ_32: of h1 the low and the high 32 bits, a and
 *             b; bit i of 1 to k is c mod m, or (not c) mod m where the highest bit
 *             of c is set,
 *
 *                 c = (a + i * b) mod 2^32
 *
 *   redis     RedisBloom: a is the MurmurHash64A of the value, b that with the seed
 *             a; bit i of 0 to k - 1 is
 *
 *                 ((a + i * b) mod 2^64) mod m
 *
 *   parquet   Apache Parquet's split block filter: h is the xxHash64 of the value,
 *             the filter is n blocks of eight words of 32 bits, and in each word of
 *             one of them a bit is set,
 *
 *                 block = floor(floor(h / 2^32) * n / 2^32)
 *                 bit   = floor((h * SALT[word] mod 2^32) / 2^27)
 *
 *   parquet32 the same of numbers of four bytes
 *
 * Their two halves of a hash are h1 = a or h, h2 = b or 0.
 */
#ifndef PDS_SKETCH_BLOOM_BLOOM_BITS_H
#define PDS_SKETCH_BLOOM_BLOOM_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bits.h"
#include "murmur3.h"
#include "bloom_shape.h"

/* Bits of a block: for the blocked layout. */
static inline uint32_t
pds_bloom_block_bits(uint64_t bits)
{
	return bits <= PDS_BLOOM_SINGLE_BITS ? (uint32_t) bits : PDS_BLOOM_BLOCK_BITS;
}

/* The first bit of a hash's block. */
static inline uint64_t
pds_bloom_block_of(uint64_t h1, uint64_t bits)
{
	if (bits <= PDS_BLOOM_SINGLE_BITS)
		return 0;
	return pds_mulhi64(h1, bits / PDS_BLOOM_BLOCK_BITS) * PDS_BLOOM_BLOCK_BITS;
}

/*
 * A walk over the bits of a hash in a filter of one of our layouts: start, then
 * next as often as there are hashes.  (A struct that the compiler keeps in registers.)
 */
typedef struct pds_bloom_walk
{
	uint64_t	x;
	uint64_t	step;
	uint64_t	base;
	uint64_t	range;
	uint64_t	inverse;		/* 2^64 / range, for classic: one division a key */
	bool		blocked;
} pds_bloom_walk;

static inline pds_bloom_walk
pds_bloom_walk_start(uint8_t family, uint64_t bits, pds_hash h)
{
	pds_bloom_walk w;

	w.blocked = family == PDS_BLOOM_BLOCKED;
	if (w.blocked)
	{
		w.x = h.h2;
		w.step = 0;
		w.base = pds_bloom_block_of(h.h1, bits);
		w.range = pds_bloom_block_bits(bits);
		w.inverse = 0;
	}
	else
	{
		w.x = h.h1;
		w.step = h.h2;
		w.base = 0;
		w.range = bits;
		w.inverse = UINT64_MAX / bits;
	}
	return w;
}

static inline uint64_t
pds_bloom_walk_next(pds_bloom_walk *w)
{
	uint64_t	x = w->x;

	if (w->blocked)
	{
		w->x = x * PDS_BLOOM_REMIX;
		return w->base + (((x >> 32) * w->range) >> 32);
	}
	w->x = x + w->step;
	x &= UINT64_MAX >> 1;
	/* x mod range; the quotient may be one or two too small */
	x -= pds_mulhi64(x, w->inverse) * w->range;
	while (x >= w->range)
		x -= w->range;
	return x;
}

/* The bits of a hash in a filter of any family, s->hashes numbers. */
extern void pds_bloom_places(const pds_bloom_shape *s, pds_hash h, uint64_t *places);

/* Bit i of an array is in byte i / 8, the lowest first. */
static inline bool
pds_bloom_bit(const uint8_t *array, uint64_t i)
{
	return (array[i >> 3] >> (i & 7) & 1) != 0;
}

static inline void
pds_bloom_set_bit(uint8_t *array, uint64_t i)
{
	array[i >> 3] |= (uint8_t) (1 << (i & 7));
}

/*
 * Set the bits of a key in its block of PDS_BLOOM_BLOCK_BITS; x is the half h2 of its hash.  By
 * words: as bytes they would take half as many instructions again.
 */
static inline void
pds_bloom_block_add(uint8_t *block, uint64_t x, int hashes)
{
	for (; hashes > 0; hashes--)
	{
		uint8_t    *word = block + (x >> 61) * sizeof(uint64_t);

		pds_store_le64(word, pds_load_le64(word) | UINT64_C(1) << (x >> 55) % 64);
		x *= PDS_BLOOM_REMIX;
	}
}

/*
 * Returns whether all bits of a key are set in its block of "range" bits.  All bits are tested:
 * they come with one cache miss, and the place to stop could not be predicted.  The processor
 * would know the place only when the miss is over, and would have done nothing of the next row
 * by then.
 */
static inline bool
pds_bloom_block_contains(const uint8_t *block, uint64_t range, uint64_t x, int hashes)
{
	unsigned	all = 1;

	for (; hashes > 0; hashes--)
	{
		uint64_t	bit = ((x >> 32) * range) >> 32;

		all &= (unsigned) block[bit / 8] >> bit % 8;
		x *= PDS_BLOOM_REMIX;
	}
	return all & 1;
}

/*
 * Are (or: set) all bits of a hash in an array of the shape's bits.  Other families
 * than our layouts take the longer way.
 */
extern bool pds_bloom_array_contains_places(const uint8_t *array, const pds_bloom_shape *s,
											pds_hash h);
extern void pds_bloom_array_add_places(uint8_t *array, const pds_bloom_shape *s, pds_hash h);

static inline bool
pds_bloom_array_contains(const uint8_t *array, const pds_bloom_shape *s, pds_hash h)
{
	pds_bloom_walk w;

	if (!pds_bloom_is_layout(s->family))
		return pds_bloom_array_contains_places(array, s, h);
	if (s->family == PDS_BLOOM_BLOCKED)
		return pds_bloom_block_contains(array + pds_bloom_block_of(h.h1, s->bits) / 8,
										pds_bloom_block_bits(s->bits), h.h2, s->hashes);
	w = pds_bloom_walk_start(s->family, s->bits, h);
	for (int i = 0; i < s->hashes; i++)
		if (!pds_bloom_bit(array, pds_bloom_walk_next(&w)))
			return false;
	return true;
}

static inline void
pds_bloom_array_add(uint8_t *array, const pds_bloom_shape *s, pds_hash h)
{
	pds_bloom_walk w;

	if (!pds_bloom_is_layout(s->family))
	{
		pds_bloom_array_add_places(array, s, h);
		return;
	}
	if (s->family == PDS_BLOOM_BLOCKED && s->bits > PDS_BLOOM_SINGLE_BITS)
	{
		pds_bloom_block_add(array + pds_bloom_block_of(h.h1, s->bits) / 8, h.h2, s->hashes);
		return;
	}
	w = pds_bloom_walk_start(s->family, s->bits, h);
	for (int i = 0; i < s->hashes; i++)
		pds_bloom_set_bit(array, pds_bloom_walk_next(&w));
}

/* How many bits are set in len bytes, a multiple of 8, at any alignment. */
extern uint64_t pds_bloom_count_bits(const uint8_t *array, size_t len);

/* The same for whole blocks of 512 bits; blocks[n] is raised for each block of n bits set. */
extern uint64_t pds_bloom_count_block_bits(const uint8_t *array, size_t len, uint64_t *blocks);

/* Set the bits of another array of the same length; keep only those that are set in it. */
extern void pds_bloom_or(uint8_t *array, const uint8_t *in, size_t len);
extern void pds_bloom_and(uint8_t *array, const uint8_t *in, size_t len);

#endif
