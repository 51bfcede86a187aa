/*
 * murmur2_test.c: base/murmur2 against known values
 */
#include "test.h"

#include "murmur2.h"

#define REDIS	UINT64_C(0xadc83b19)

/* As Redis hashes what PFADD is given. */
TEST(known_keys)
{
	static const struct
	{
		const char *key;
		uint64_t	hash;
	}			known[] = {
		{"", UINT64_C(0xd8dfea6585bc9732)},
		{"foo", UINT64_C(0xe64609b8b0141cb4)},
		{"hello", UINT64_C(0x0f656f01eecfe400)},
		{"hello, world", UINT64_C(0xf97a3f73969996ca)},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		CHECK_U64(pds_murmur2_64a(known[i].key, strlen(known[i].key), REDIS), known[i].hash);
}

/* As SMHasher sums up an implementation: keys of 0 to 255 bytes, and their hashes hashed. */
TEST(verification_value)
{
	uint8_t		key[256];
	uint8_t		hashes[256 * 8];

	for (int i = 0; i < 256; i++)
	{
		key[i] = (uint8_t) i;
		pds_store_le64(hashes + 8 * i, pds_murmur2_64a(key, (size_t) i, (uint64_t) (256 - i)));
	}
	CHECK_U64(pds_murmur2_64a(hashes, sizeof(hashes), 0) & UINT32_MAX, 0x1f0d3804);
}
