/*
 * hll_packed.h: what packing and unpacking of registers share
 */
#ifndef PDS_SKETCH_HLL_HLL_PACKED_H
#define PDS_SKETCH_HLL_HLL_PACKED_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "vector.h"
#include "hll_registers.h"

/* Registers are unpacked in pieces of this many, so as to stay in the cache. */
#define PDS_HLL_BLOCK 1024

#define PDS_HLL_SYMBOLS		7			/* values that are their own symbol */
#define PDS_HLL_EXCEPTION	7
#define PDS_HLL_BELOW		2			/* exceptions just below the symbols */
#define PDS_HLL_ABOVE		5			/* exceptions just above them */
#define PDS_HLL_ESCAPE		7

static inline size_t
pds_hll_escape_bytes(const pds_hll_packing *pk)
{
	return ((size_t) 6 * pk->escapes + 7) / 8;
}

static inline size_t
pds_hll_exception_bytes(const pds_hll_packing *pk)
{
	return ((size_t) 3 * pk->exceptions + 7) / 8;
}

/* to[i] = the larger of to[i] and from[i] + base */
PDS_BODY void
pds_hll_take_maximum(uint8_t *restrict to, const uint8_t *restrict from,
			 uint8_t base, size_t n)
{
	for (size_t i = 0; i < n; i++)
	{
		uint8_t		v = (uint8_t) (from[i] + base);

		to[i] = to[i] > v ? to[i] : v;
	}
}

/*
 * Which of the 64 symbols at s are exceptions, one bit each, as few steps as
 * can be: this is a good part of the time that a merge takes.
 */
PDS_BODY uint64_t
pds_hll_exception_mask(const uint8_t *s)
{
	uint64_t	mask = 0;

#ifdef __SSE2__
	for (int i = 0; i < 4; i++)
	{
		__m128i		x = _mm_loadu_si128((const __m128i *) (s + 16 * i));
		__m128i		hit = _mm_cmpeq_epi8(x, _mm_set1_epi8(PDS_HLL_EXCEPTION));

		mask |= (uint64_t) (uint32_t) _mm_movemask_epi8(hit) << (16 * i);
	}
#else
	for (int i = 0; i < 8; i++)
	{
		uint64_t	x = pds_load_le64(s + 8 * i);

		/* bit 0 of each byte that is 7, gathered in the top byte */
		x &= x >> 1 & x >> 2 & UINT64_C(0x0101010101010101);
		mask |= (x * UINT64_C(0x0102040810204080)) >> 56 << (8 * i);
	}
#endif
	return mask;
}

/*
 * The positions of the exceptions among n symbols, n rounded up to 64 readable
 * ones; returns how many.  Four are written in any case, since few of the words
 * have more and a branch mispredicted costs as much as all of them.
 */
PDS_BODY uint32_t
pds_hll_exceptions(const uint8_t *s, uint32_t n, uint16_t *at)
{
	uint32_t	found = 0;

	for (uint32_t i = 0; i < n; i += 64)
	{
		uint64_t	mask = pds_hll_exception_mask(s + i);
		uint32_t	count = (uint32_t) pds_popcount64(mask);
		uint32_t	k = 0;

		do
		{
			for (int unroll = 0; unroll < 4; unroll++, k++)
			{
				at[found + k] = (uint16_t) (i + (uint32_t) pds_ctz64(mask | UINT64_C(1) << 63));
				mask &= mask - 1;
			}
		} while (k < count);
		found += count;
	}
	return found;
}

/*
 * Count n values, most of them from base to base + 13.  They are counted in four tables, whose sum
 * pds_hll_count_of() is how often a value occurs.
 */
extern void pds_hll_count_values(const uint8_t *values, uint32_t n, uint8_t base,
								 uint32_t found[4][256]);

static inline uint32_t
pds_hll_count_of(uint32_t found[4][256], int v)
{
	return found[0][v] + found[1][v] + found[2][v] + found[3][v];
}

#endif
