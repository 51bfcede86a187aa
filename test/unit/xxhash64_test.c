/*
 * xxhash64_test.c: base/xxhash64 against known values
 *
 * test/interop/xxhash_test.c compares all lengths with libxxhash.
 */
#include "test.h"

#include "xxhash64.h"

/* As xxhsum -H1 prints them. */
TEST(known_keys)
{
	static const struct
	{
		const char *key;
		uint64_t	hash;
	}			known[] = {
		{"", UINT64_C(0xef46db3751d8e999)},
		{"foo", UINT64_C(0x33bf00a859c4ba3f)},
		{"hello", UINT64_C(0x26c7827d889f6da3)},
		{"hello, world", UINT64_C(0xb33a384e6d1b1242)},
		{"The quick brown fox jumps over the lazy dog", UINT64_C(0x0b242d361fda71bc)},
	};
	uint8_t		number[8];

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		CHECK_U64(pds_xxhash64(known[i].key, strlen(known[i].key), 0), known[i].hash);
	pds_store_le64(number, 0);
	CHECK_U64(pds_xxhash64(number, 8, 0), UINT64_C(0x34c96acdcadb1bbb));
	pds_store_le64(number, 1);
	CHECK_U64(pds_xxhash64(number, 8, 0), UINT64_C(0x9f29cb17a2a49995));
}
