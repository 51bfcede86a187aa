/*
 * murmurhash_test.c: base/murmur3 against libmurmurhash, which others wrote
 *
 * That library takes 32 bits of seed, so wider seeds are left to the unit test.
 */
#include "test.h"

#include <murmurhash.h>

#include "murmur3.h"

#define LONGEST 300

/* One key and seed in both libraries */
static void
compare(const uint8_t *key, size_t len, uint32_t seed)
{
	uint64_t	theirs[2];
	pds_hash	ours = pds_murmur3(key, len, seed);

	lmmh_x64_128(key, (unsigned int) len, seed, theirs);
	if (!CHECK_U64(ours.h1, theirs[0]) || !CHECK_U64(ours.h2, theirs[1]))
		printf("# length %zu, seed %" PRIu32 "\n", len, seed);
}

static void
fill(uint8_t *key, size_t len)
{
	for (size_t i = 0; i < len; i++)
		key[i] = (uint8_t) test_random();
}

TEST(every_length_with_seed_0)
{
	uint8_t		key[LONGEST];

	for (size_t len = 0; len <= LONGEST; len++)
	{
		for (int turn = 0; turn < 20; turn++)
		{
			fill(key, len);
			compare(key, len, 0);
		}
	}
}

TEST(every_length_with_many_seeds)
{
	static const uint32_t edges[] = {1, 42, 9001, 0x7fffffff, 0x80000000, 0xffffffff};
	uint8_t		key[LONGEST];

	for (size_t len = 0; len <= LONGEST; len++)
	{
		fill(key, len);
		for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++)
			compare(key, len, edges[i]);
		for (int turn = 0; turn < 10; turn++)
			compare(key, len, (uint32_t) test_random());
	}
}

/* Bytes above 127, and all alike: where a sign or a tail goes wrong */
TEST(plain_patterns)
{
	static const uint8_t pattern[] = {0x00, 0x7f, 0x80, 0xff};
	uint8_t		key[LONGEST];

	for (size_t i = 0; i < sizeof(pattern); i++)
	{
		memset(key, pattern[i], sizeof(key));
		for (size_t len = 0; len <= LONGEST; len++)
			compare(key, len, 0);
	}
}

TEST(eight_byte_numbers)
{
	for (int i = 0; i < 10000; i++)
	{
		uint64_t	v = i < 1000 ? (uint64_t) i : test_random();
		uint8_t		key[8];
		uint64_t	theirs[2];
		pds_hash	ours = pds_murmur3_u64(v);

		pds_store_le64(key, v);
		lmmh_x64_128(key, 8, 0, theirs);
		CHECK_U64(ours.h1, theirs[0]);
		CHECK_U64(ours.h2, theirs[1]);
	}
}

/* Longer keys, at addresses that are no multiple of anything */
TEST(long_keys)
{
	static uint8_t key[100000];

	fill(key, sizeof(key));
	for (size_t offset = 0; offset < 17; offset++)
		compare(key + offset, sizeof(key) - 17, 0);
}
