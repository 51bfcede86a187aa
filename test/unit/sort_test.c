/*
 * sort_test.c: words in order, against the library's qsort()
 */
#include <stdlib.h>

#include "test.h"

#include "sort.h"

#define MOST	70000

static uint64_t list[MOST];
static uint64_t expected[MOST];

static int
compare_words(const void *a, const void *b)
{
	uint64_t	x = *(const uint64_t *) a;
	uint64_t	y = *(const uint64_t *) b;

	return x < y ? -1 : x > y;
}

static void
check_sorted(uint64_t n)
{
	memcpy(expected, list, n * sizeof(uint64_t));
	qsort(expected, n, sizeof(uint64_t), compare_words);
	pds_sort_words(list, n);
	CHECK(memcmp(list, expected, n * sizeof(uint64_t)) == 0);
}

TEST(words_of_any_number_and_width)
{
	for (uint64_t n = 0; n <= MOST; n += 1 + n / 3)
		for (int bit = 0; bit <= 64; bit++)
		{
			uint64_t	above = bit < 64 ? test_random() << bit : 0;
			uint64_t	below = bit < 64 ? (UINT64_C(1) << bit) - 1 : UINT64_MAX;

			for (uint64_t i = 0; i < n; i++)
				list[i] = above | (test_random() & below);
			check_sorted(n);
		}
}

/* What is in order, or in the other order, or the same except for one bit. */
TEST(words_that_are_no_random_ones)
{
	for (int shift = 0; shift < 64; shift += 7)
	{
		for (uint64_t i = 0; i < MOST; i++)
			list[i] = i << shift;
		check_sorted(MOST);
		for (uint64_t i = 0; i < MOST; i++)
			list[i] = (MOST - i) << shift;
		check_sorted(MOST);
		for (uint64_t i = 0; i < MOST; i++)
			list[i] = (test_random() & 1) << shift;
		check_sorted(MOST);
	}
}
