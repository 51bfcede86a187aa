/*
 * sort.c: words in order
 */
#include "poll.h"
#include "sort.h"

/* A few, by insertion. */
static void
sort_few(uint64_t *list, uint64_t n)
{
	for (uint64_t i = 1; i < n; i++)
	{
		uint64_t	x = list[i];
		uint64_t	j = i;

		for (; j > 0 && list[j - 1] > x; j--)
			list[j] = list[j - 1];
		list[j] = x;
	}
}

void
pds_sort_words(uint64_t *list, uint64_t n, int bit)
{
	for (; n > 32 && --bit >= 0;)
	{
		uint64_t	low = 0;
		uint64_t	high = n;

		if (n > PDS_POLL_ITEMS)
			pds_poll();
		while (low < high)
		{
			uint64_t	x = list[low];

			if ((x >> bit & 1) == 0)
				low++;
			else
			{
				list[low] = list[--high];
				list[high] = x;
			}
		}
		pds_sort_words(list, low, bit);
		list += low;
		n -= low;
	}
	if (bit >= 0)
		sort_few(list, n);
}
