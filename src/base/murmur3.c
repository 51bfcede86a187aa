/*
 * murmur3.c: MurmurHash3 x64_128, body and tail
 */
#include "murmur3.h"

static inline uint64_t
mix_k1(uint64_t k1)
{
	return pds_rotl64(k1 * PDS_MURMUR3_C1, 31) * PDS_MURMUR3_C2;
}

static inline uint64_t
mix_k2(uint64_t k2)
{
	return pds_rotl64(k2 * PDS_MURMUR3_C2, 33) * PDS_MURMUR3_C1;
}

/* The n bytes at p (1 to 8) as a little-endian number, by overlapping loads. */
static inline uint64_t
load_tail(const uint8_t *p, size_t n)
{
	if (n >= 4)
		return pds_load_le32(p) |
			(uint64_t) pds_load_le32(p + n - 4) << (8 * (n - 4));
	return (uint64_t) p[0] |
		(uint64_t) p[n >> 1] << (8 * (n >> 1)) |
		(uint64_t) p[n - 1] << (8 * (n - 1));
}

static inline void
mix_block(uint64_t *h1, uint64_t *h2, const uint8_t *p)
{
	*h1 ^= mix_k1(pds_load_le64(p));
	*h1 = pds_rotl64(*h1, 27) + *h2;
	*h1 = *h1 * 5 + 0x52dce729;
	*h2 ^= mix_k2(pds_load_le64(p + 8));
	*h2 = pds_rotl64(*h2, 31) + *h1;
	*h2 = *h2 * 5 + 0x38495ab5;
}

/*
 * The whole blocks of len bytes, two at a time; the compiler makes one copy of it for each
 * caller.
 */
static inline void
mix_blocks(uint64_t *state_1, uint64_t *state_2, const uint8_t *p, size_t len)
{
	const uint8_t *end = p + len / PDS_MURMUR3_BLOCK * PDS_MURMUR3_BLOCK;
	uint64_t	h1 = *state_1;
	uint64_t	h2 = *state_2;

	if (len & PDS_MURMUR3_BLOCK)
	{
		mix_block(&h1, &h2, p);
		p += PDS_MURMUR3_BLOCK;
	}
	for (; p != end; p += 2 * PDS_MURMUR3_BLOCK)
	{
		mix_block(&h1, &h2, p);
		mix_block(&h1, &h2, p + PDS_MURMUR3_BLOCK);
	}
	*state_1 = h1;
	*state_2 = h2;
}

/* What is left of less than a block, and the end. */
static inline pds_hash
mix_tail(uint64_t h1, uint64_t h2, const uint8_t *p, size_t left, uint64_t total)
{
	if (left > 8)
	{
		/* the last 8 bytes, less those that are in the first 8 */
		h2 ^= mix_k2(pds_load_le64(p + left - 8) >> (8 * (16 - left)));
		h1 ^= mix_k1(pds_load_le64(p));
	}
	else if (left > 0)
		h1 ^= mix_k1(load_tail(p, left));
	return pds_murmur3_finish(h1, h2, total);
}

pds_hash
pds_murmur3(const void *data, size_t len, uint64_t seed)
{
	const uint8_t *p = data;
	size_t		left = len % PDS_MURMUR3_BLOCK;
	uint64_t	h1 = seed;
	uint64_t	h2 = seed;

	mix_blocks(&h1, &h2, p, len);
	return mix_tail(h1, h2, p + (len - left), left, (uint64_t) len);
}

void
pds_murmur3_blocks(uint64_t *h1, uint64_t *h2, const void *data, size_t len)
{
	mix_blocks(h1, h2, data, len);
}

pds_hash
pds_murmur3_end(uint64_t h1, uint64_t h2, const void *data, size_t len, uint64_t total)
{
	return mix_tail(h1, h2, data, len, total);
}
