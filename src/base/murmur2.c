/*
 * murmur2.c: MurmurHash64A
 */
#include "murmur2.h"

#define MULTIPLIER	UINT64_C(0xc6a4a7935bd1e995)

static inline uint64_t
mix(uint64_t k)
{
	k *= MULTIPLIER;
	k ^= k >> 47;
	return k * MULTIPLIER;
}

uint64_t
pds_murmur2_64a(const void *data, size_t len, uint64_t seed)
{
	const uint8_t *p = data;
	uint64_t	h = seed ^ (uint64_t) len * MULTIPLIER;
	size_t		left = len;

	for (; left >= 8; left -= 8, p += 8)
		h = (h ^ mix(pds_load_le64(p))) * MULTIPLIER;
	if (left > 0)
	{
		uint64_t	tail = 0;

		for (size_t i = 0; i < left; i++)
			tail |= (uint64_t) p[i] << (8 * i);
		h = (h ^ tail) * MULTIPLIER;
	}
	h ^= h >> 47;
	h *= MULTIPLIER;
	return h ^ h >> 47;
}
