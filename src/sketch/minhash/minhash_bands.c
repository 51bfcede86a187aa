/*
 * minhash_bands.c: numbers that similar sketches have in common
 *
 * With k registers, for the band number "band" of so many rows, all in 64 bits,
 *
 *     x = fmix(log2_k * 2^56 + rows * 2^32 + band + 1)
 *     for each bin of the band, band * rows + 0 ... rows - 1:
 *         x = fmix(x xor (source * 2^16 + register))
 *
 * where fmix is the finalizer of MurmurHash3, and the source is the bin itself, or if that
 * is empty
 *
 *     fmix(bin * 2^32 + i) mod k                for the first i from 1 to 32 for which that
 *                                               is not an empty bin; or else
 *     the bin s that is not empty for which fmix(bin * 2^32 + 2^31 + s) is the largest
 *
 * Stored in indexes of users: never changed.
 */
#include "minhash_estimate.h"
#include "poll.h"

#define TRIES	32

static uint32_t
source_of(const uint16_t *registers, uint32_t mask, const uint16_t *filled, uint32_t n,
		  uint32_t bin)
{
	uint64_t	seed = (uint64_t) bin << 32;
	uint64_t	best = 0;
	uint32_t	source = filled[0];

	if (registers[bin] != 0)
		return bin;
	for (uint32_t i = 1; i <= TRIES; i++)
	{
		uint32_t	other = (uint32_t) pds_murmur3_fmix(seed + i) & mask;

		if (registers[other] != 0)
			return other;
	}
	for (uint32_t i = 0; i < n; i++)
	{
		uint64_t	x = pds_murmur3_fmix(seed + (UINT64_C(1) << 31) + filled[i]);

		if (x > best)
		{
			best = x;
			source = filled[i];
		}
	}
	return source;
}

uint32_t
pds_minhash_bands(const uint16_t *registers, int log2_k, uint32_t bands, uint32_t rows,
				  uint16_t *scratch, uint64_t *out)
{
	uint32_t	k = UINT32_C(1) << log2_k;
	uint32_t	filled = 0;
	uint32_t	bin = 0;

	for (uint32_t i = 0; i < k; i++)
		if (registers[i] != 0)
			scratch[filled++] = (uint16_t) i;
	if (filled == 0)
		return 0;
	for (uint32_t band = 0; band < bands; band++)
	{
		uint64_t	x =
			pds_murmur3_fmix(((uint64_t) log2_k << 56) + ((uint64_t) rows << 32) + band + 1);

		for (uint32_t row = 0; row < rows; row++, bin++)
		{
			uint32_t	source = source_of(registers, k - 1, scratch, filled, bin);

			x = pds_murmur3_fmix(x ^ ((uint64_t) source << 16 | registers[source]));
			pds_poll_every(bin, 1024);
		}
		out[band] = x;
	}
	return bands;
}
