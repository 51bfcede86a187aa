/*
 * poll_test.c: long loops give way, and what they leave halfway is still right
 */
#include "test.h"

#include <setjmp.h>

#include "poll.h"
#include "bloom_sets.h"

static int	polls;
static int	patience;
static jmp_buf out;

static void
count_polls(void)
{
	polls++;
}

static void
lose_patience(void)
{
	if (++polls == patience)
		longjmp(out, 1);
}

TEST(a_large_filter_is_counted_in_parts)
{
	size_t		len = 8 * PDS_POLL_BYTES;
	uint8_t    *array = sketch_memory(len);

	memset(array, 0x11, len);
	polls = 0;
	pds_poll_hook = count_polls;
	CHECK_U64(pds_bloom_count_bits(array, len), 2 * len);
	pds_poll_hook = NULL;
	CHECK(polls >= 7);
	free(array);
}

/* A filter of positions, in no order, of a union of two stored ones. */
static filter
two_lists(const pds_bloom_shape *s, const payload *a, const payload *b)
{
	filter		f = filter_new(s);

	filter_merge_payload(&f, a);
	filter_merge_payload(&f, b);
	return f;
}

TEST(a_sort_that_is_left_halfway_is_done_again)
{
	pds_bloom_shape s = shape_of(20000000, 0.01, PDS_BLOOM_BLOCKED);
	payload		parts[2];
	payload		whole;
	filter		f;
	volatile int at;

	for (int i = 0; i < 2; i++)
	{
		filter		part = filter_new(&s);

		for (uint64_t k = 0; k < 20000; k++)
			filter_add(&part, hash_of(2 * k + (uint64_t) i));
		parts[i] = filter_encode(&part);
		filter_free(&part);
	}
	f = two_lists(&s, &parts[0], &parts[1]);
	whole = filter_encode(&f);
	filter_free(&f);

	/* at each of the first polls of it */
	for (at = 1; at <= 6; at++)
	{
		filter		again = two_lists(&s, &parts[0], &parts[1]);
		payload		p;

		CHECK(again.b->mode == PDS_BLOOM_POSITIONS);
		CHECK(again.b->sorted < again.b->count);
		polls = 0;
		patience = at;
		if (setjmp(out) == 0)
		{
			pds_poll_hook = lose_patience;
			pds_bloom_flush(again.b);
		}
		pds_poll_hook = NULL;
		p = filter_encode(&again);
		CHECK(payload_equal(&p, &whole));
		payload_free(&p);
		filter_free(&again);
	}
	payload_free(&whole);
	payload_free(&parts[0]);
	payload_free(&parts[1]);
}
