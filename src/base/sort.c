/*
 * sort.c: words in order
 */
#include <string.h>

#include "bits.h"
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

/* The most bits that words are distributed by at a time. */
#define DIGIT	10

void
pds_sort_words(uint64_t *list, uint64_t n)
{
	uint64_t	next[1 << DIGIT];
	uint64_t	end[1 << DIGIT];
	uint64_t	differ = 0;
	uint64_t	sum = 0;
	uint32_t	mask;
	int			bit;
	int			width = 1;

	if (n <= 32)
	{
		sort_few(list, n);
		return;
	}
	if (n > PDS_POLL_ITEMS)
		pds_poll();
	for (uint64_t i = 1; i < n; i++)
		differ |= list[i] ^ list[0];
	if (differ == 0)
		return;
	bit = pds_log2_64(differ) + 1;

	/* some eight words or more to each value of the bits */
	while (width < DIGIT && width < bit && n >> width > 8)
		width++;
	bit -= width;
	mask = (UINT32_C(1) << width) - 1;
	memset(end, 0, (mask + 1) * sizeof(uint64_t));
	for (uint64_t i = 0; i < n; i++)
	{
		pds_poll_each(i);
		end[list[i] >> bit & mask]++;
	}
	for (uint32_t d = 0; d <= mask; d++)
	{
		next[d] = sum;
		sum = end[d] += sum;
	}
	/* words change places until all have theirs; no step waits for the one before */
	for (uint64_t left = n; left > 0;)
		for (uint32_t d = 0; d <= mask; d++)
			for (uint64_t i = next[d]; i < end[d]; i++)
			{
				uint64_t	x = list[i];
				uint64_t	to = next[x >> bit & mask]++;

				pds_poll_each(left--);
				list[i] = list[to];
				list[to] = x;
			}
	for (uint32_t d = 0; d <= mask; d++)
	{
		uint64_t	from = d > 0 ? end[d - 1] : 0;

		if (bit > 0)
			pds_sort_words(list + from, end[d] - from);
	}
}
