/*
 * murmur3_test.c: base/murmur3 against the published values
 */
#include "test.h"

#include "murmur3.h"

typedef struct vector
{
	const char *key;
	uint64_t	h1;
	uint64_t	h2;
} vector;

/* As the reference implementation gives them with seed 0 */
static const vector seed_0[] = {
	{"", 0, 0},
	{"foo", UINT64_C(0xe271865701f54561), UINT64_C(0x7eaf87e42bba7d87)},
	{"hello", UINT64_C(0xcbd8a7b341bd9b02), UINT64_C(0x5b1e906a48ae1d19)},
	{"hello, world", UINT64_C(0x342fac623a5ebc8e), UINT64_C(0x4cdcbc079642414d)},
	{"The quick brown fox jumps over the lazy dog",
	UINT64_C(0xe34bbc7bbc071b6c), UINT64_C(0x7a433ca9c49a9347)},
};

TEST(known_keys)
{
	for (size_t i = 0; i < sizeof(seed_0) / sizeof(seed_0[0]); i++)
	{
		pds_hash	h = pds_murmur3(seed_0[i].key, strlen(seed_0[i].key), 0);

		CHECK_U64(h.h1, seed_0[i].h1);
		CHECK_U64(h.h2, seed_0[i].h2);
	}
}

/* Eight-byte numbers, as the hll extension's hash of a bigint gives them */
TEST(known_numbers)
{
	static const int64_t numbers[] = {0, 1, -1, 123456789, INT64_C(1) << 62};
	static const int64_t h1[] = {
		INT64_C(2945182322382062539), INT64_C(19144387141682250),
		INT64_C(-6853156495446839949), INT64_C(2733603999106345681),
		INT64_C(-1243006452765186581),
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		CHECK_U64(pds_murmur3_u64((uint64_t) numbers[i]).h1, (uint64_t) h1[i]);
}

/* A seed of Apache DataSketches', in both halves of the state */
TEST(known_seeded)
{
	uint8_t		one[8] = {1};
	pds_hash	h = pds_murmur3(one, 8, 9001);

	CHECK_U64(h.h1, UINT64_C(0x0b430d7b96fbf22b));
	CHECK_U64(h.h2, UINT64_C(0xe8ea0960d4246765));
}

/*
 * The check that the hash's author ships with it (SMHasher): keys of 0 to 255
 * bytes 0, 1, 2, ..., each with another seed, then the hash of all hashes.
 */
TEST(smhasher_verification_value)
{
	uint8_t		key[256];
	uint8_t		hashes[256 * 16];
	uint8_t		final[16];
	pds_hash	h;

	for (int i = 0; i < 256; i++)
	{
		key[i] = (uint8_t) i;
		h = pds_murmur3(key, (size_t) i, (uint64_t) (256 - i));
		pds_store_le64(hashes + 16 * i, h.h1);
		pds_store_le64(hashes + 16 * i + 8, h.h2);
	}
	h = pds_murmur3(hashes, sizeof(hashes), 0);
	pds_store_le64(final, h.h1);
	pds_store_le64(final + 8, h.h2);
	CHECK_U64(pds_load_le32(final), 0x6384ba69);
}

TEST(short_path_equals_the_general_one)
{
	for (int i = 0; i < 10000; i++)
	{
		uint64_t	v = i < 100 ? (uint64_t) i : test_random();
		uint8_t		bytes[8];
		pds_hash	general;
		pds_hash	quick = pds_murmur3_u64(v);

		pds_store_le64(bytes, v);
		general = pds_murmur3(bytes, 8, 0);
		CHECK_U64(quick.h1, general.h1);
		CHECK_U64(quick.h2, general.h2);
	}
}

/*
 * A key must hash the same at any address, and its neighbours in memory must
 * not matter.  The sanitizers watch that nothing beside it is read.
 */
TEST(any_address_and_length)
{
	for (size_t len = 0; len <= 40; len++)
	{
		uint8_t		key[40];
		pds_hash	want;

		for (size_t i = 0; i < len; i++)
			key[i] = (uint8_t) test_random();
		want = pds_murmur3(key, len, 7);
		for (size_t offset = 0; offset < 8; offset++)
		{
			uint8_t		space[48];
			pds_hash	got;

			memset(space, (int) (test_random() & 0xff), sizeof(space));
			memcpy(space + offset, key, len);
			got = pds_murmur3(space + offset, len, 7);
			CHECK_U64(got.h1, want.h1);
			CHECK_U64(got.h2, want.h2);
		}
	}
}

TEST(length_and_seed_matter)
{
	static const uint8_t zeros[32];
	pds_hash	before = pds_murmur3(zeros, 0, 1);

	for (size_t len = 1; len <= sizeof(zeros); len++)
	{
		pds_hash	h = pds_murmur3(zeros, len, 1);

		CHECK(h.h1 != before.h1 && h.h2 != before.h2);
		CHECK(h.h1 != pds_murmur3(zeros, len, 2).h1);
		/* both halves of a wide seed reach the result */
		CHECK(h.h1 != pds_murmur3(zeros, len, UINT64_C(1) << 32 | 1).h1);
		before = h;
	}
}
