/*
 * xxhash_test.c: base/xxhash64 against libxxhash
 */
#include "test.h"

#include <xxhash.h>

#include "xxhash64.h"

#define LONGEST 300

TEST(every_length)
{
	uint8_t		key[LONGEST];

	for (size_t len = 0; len <= LONGEST; len++)
	{
		for (int turn = 0; turn < 50; turn++)
		{
			uint64_t	seed = turn < 25 ? 0 : test_random();

			for (size_t i = 0; i < len; i++)
				key[i] = turn == 0 ? 0xff : (uint8_t) test_random();
			if (!CHECK_U64(pds_xxhash64(key, len, seed), XXH64(key, len, seed)))
				printf("# length %zu, seed %" PRIu64 "\n", len, seed);
		}
	}
}
