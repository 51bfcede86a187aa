/*
 * xxhash64.c: xxHash64
 */
#include "murmur3.h"
#include "xxhash64.h"

#define PRIME_1	UINT64_C(0x9e3779b185ebca87)
#define PRIME_2	UINT64_C(0xc2b2ae3d27d4eb4f)
#define PRIME_3	UINT64_C(0x165667b19e3779f9)
#define PRIME_4	UINT64_C(0x85ebca77c2b2ae63)
#define PRIME_5	UINT64_C(0x27d4eb2f165667c5)

#define LANES	4

static inline uint64_t
lane_round(uint64_t lane, uint64_t v)
{
	return pds_rotl64(lane + v * PRIME_2, 31) * PRIME_1;
}

uint64_t
pds_xxhash64(const void *data, size_t len, uint64_t seed)
{
	static const int rotations[LANES] = {1, 7, 12, 18};
	const uint8_t *p = data;
	size_t		left = len;
	uint64_t	h = seed + PRIME_5;

	if (len >= 8 * LANES)
	{
		uint64_t	lane[LANES] = {seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1};

		for (; left >= 8 * LANES; left -= 8 * LANES)
			for (int i = 0; i < LANES; i++, p += 8)
				lane[i] = lane_round(lane[i], pds_load_le64(p));
		h = 0;
		for (int i = 0; i < LANES; i++)
			h += pds_rotl64(lane[i], rotations[i]);
		for (int i = 0; i < LANES; i++)
			h = (h ^ lane_round(0, lane[i])) * PRIME_1 + PRIME_4;
	}
	h += (uint64_t) len;
	for (; left >= 8; left -= 8, p += 8)
		h = pds_rotl64(h ^ lane_round(0, pds_load_le64(p)), 27) * PRIME_1 + PRIME_4;
	if (left >= 4)
	{
		h = pds_rotl64(h ^ pds_load_le32(p) * PRIME_1, 23) * PRIME_2 + PRIME_3;
		left -= 4;
		p += 4;
	}
	for (; left > 0; left--, p++)
		h = pds_rotl64(h ^ *p * PRIME_5, 11) * PRIME_1;
	h = (h ^ h >> 33) * PRIME_2;
	h = (h ^ h >> 29) * PRIME_3;
	return h ^ h >> 32;
}
