/*
 * hll_state_test.c: the state of a HyperLogLog sketch, and so its bytes, is a
 * function of the set of hashes and of the precision, and of nothing else
 *
 * Each way of adding is compared with the bytes that hll_oracle.h works out from
 * the hashes; hll_merge_test.c does so for unions.
 */
#include "hll_sets.h"

/* Fills worth a look: the ends, both sides of the switch, and beyond. */
static size_t
fills(int p, size_t *out)
{
	size_t		limit = pds_hll_max_tokens(p);
	size_t		m = pds_hll_registers(p);
	const size_t wanted[] = {0, 1, 2, 3, 15, 16, 17, limit / 2, limit - 1, limit,
		limit + 1, limit + 2, limit + 40, m / 2, m, 5 * m, 40 * m, 200 * m};
	size_t		n = 0;

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if (wanted[i] <= MOST_HASHES)
			out[n++] = wanted[i];
	return n;
}

TEST(one_value_at_a_time_gives_the_oracle_s_bytes)
{
	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		size_t		fill[32];
		size_t		count = fills(p, fill);

		for (size_t i = 0; i < count; i++)
		{
			sketch		s = sketch_new(p);

			take_hashes(fill[i]);
			for (size_t j = 0; j < fill[i]; j++)
				sketch_add(&s, hashes[j]);
			check_set(&s, fill[i]);
			sketch_free(&s);
		}
	}
}

TEST(every_number_of_values_up_to_and_over_the_switch)
{
	for (int p = LOWEST; p <= 9; p++)
	{
		sketch		s = sketch_new(p);
		size_t		most = 2 * pds_hll_max_tokens(p) + 40;

		take_hashes(most);
		for (size_t n = 0; n < most; n++)
		{
			check_set(&s, n);
			sketch_add(&s, hashes[n]);
		}
		sketch_free(&s);
	}
}

TEST(sparse_up_to_three_sixteenths_of_the_registers)
{
	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		uint32_t	limit = (UINT32_C(1) << p) * 3 / 16;
		sketch		s = sketch_new(p);
		payload		stored;

		CHECK_U64(pds_hll_max_tokens(p), limit);

		/* so many cells, and each of them again with other and higher ranks */
		for (int round = 0; round < 3; round++)
			for (uint32_t i = 0; i < limit; i++)
				sketch_add(&s, (uint64_t) i * 5 | UINT64_C(1) << (26 + 11 * round));
		stored = sketch_encode(&s);
		CHECK_U64(stored.bytes[1], PDS_HLL_SPARSE);
		CHECK_U64(payload_view(&stored).tokens, limit);
		payload_free(&stored);

		sketch_add(&s, (uint64_t) limit * 5);
		stored = sketch_encode(&s);
		CHECK_U64(stored.bytes[1], PDS_HLL_DENSE);
		payload_free(&stored);
		sketch_free(&s);
	}
}

/* A first image of any size must do, also one with space to spare. */
TEST(growth_paths_do_not_show)
{
	static const size_t sizes[] = {96, 100, 132, 512, 1000, 4096, 30000, 300000};

	for (int p = LOWEST; p <= HIGHEST; p += 2)
	{
		size_t		limit = pds_hll_max_tokens(p);
		const size_t fill[] = {1, limit / 3 + 1, limit, limit + 1, 3 * limit};

		for (size_t f = 0; f < sizeof(fill) / sizeof(fill[0]); f++)
		{
			payload		want;

			take_hashes(fill[f]);
			want = oracle_payload(hashes, fill[f], p);
			for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
			{
				sketch		s = sketch_sized(p, sizes[i]);

				for (size_t j = 0; j < fill[f]; j++)
					sketch_add(&s, hashes[j]);
				check_state(&s, &want);
				sketch_free(&s);
			}
			payload_free(&want);
		}
	}
}

TEST(a_building_image_never_outgrows_its_plan)
{
	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		sketch		s = sketch_new(p);
		size_t		largest = 0;
		int			moves = 0;

		while (!s.b->dense)
		{
			size_t		size = s.size;

			sketch_add(&s, test_random());
			if (s.size != size)
				moves++;
			if (!s.b->dense && s.size > largest)
				largest = s.size;
		}
		CHECK(largest <= pds_hll_dense_size(p) || largest <= PDS_HLL_FIRST_SIZE);
		CHECK(moves <= p);
		CHECK_U64(s.size, pds_hll_dense_size(p));
		sketch_free(&s);
	}
	CHECK(PDS_HLL_FIRST_SIZE < 100);
}

/* Hashes below 2^26 have the highest rank that a token can have. */
TEST(tokens_keep_the_rank_where_the_cell_does_not_tell_it)
{
	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		uint32_t	limit = pds_hll_max_tokens(p);
		sketch		s = sketch_new(p);
		size_t		n = 0;

		for (uint32_t i = 0; i < limit && i < 500; i++)
		{
			uint64_t	cell = i < limit / 2 ? i : (UINT64_C(1) << p) + i;
			int			rank = (int) below(40);

			CHECK_U64(pds_hll_token(cell, p),
					  (cell << 6) | (i < limit / 2 ? 39 : 0));
			hashes[n++] = cell | (rank < 38 ? UINT64_C(1) << (26 + rank) : 0);
		}
		for (size_t i = 0; i < n; i++)
			sketch_add(&s, hashes[i]);
		check_set(&s, n);

		/* the same cells with other ranks: the larger ones stay */
		for (size_t i = 0; i < n; i++)
		{
			hashes[n + i] = (hashes[i] & 0x3ffffff) | UINT64_C(1) << (26 + below(38));
			sketch_add(&s, hashes[n + i]);
		}
		check_set(&s, 2 * n);
		for (int to = LOWEST; to < p; to++)
		{
			sketch		lower = sketch_new(to);

			sketch_merge(&lower, &s);
			check_set(&lower, 2 * n);
			sketch_free(&lower);
		}
		sketch_free(&s);
	}
}

/* Cells side by side fall to one end of the table, and past its end. */
TEST(keys_that_collide_on_purpose)
{
	for (int p = LOWEST; p <= 15; p++)
	{
		uint32_t	limit = pds_hll_max_tokens(p);

		for (int where = 0; where < 4; where++)
		{
			for (uint32_t n = limit; n <= limit + 1; n++)
			{
				sketch		s = sketch_new(p);

				for (uint32_t i = 0; i < n; i++)
				{
					static const uint64_t place[] = {0, 0x1ffff00, 0x3fffff0, 0x3ffffff};
					uint64_t	cell = place[where] + (where == 3 ? (uint64_t) 0 - i : i);

					hashes[i] = (cell & 0x3ffffff) | test_random() << 26;
				}
				if (n % 2 == 0)
					shuffle(hashes, n);
				for (uint32_t i = 0; i < n; i++)
					sketch_add(&s, hashes[i]);
				check_set(&s, n);
				sketch_free(&s);
			}
		}
	}
}

/* Cells in an order that is hard on a table which keeps them by value. */
TEST(tokens_come_out_sorted_whatever_the_order)
{
	const size_t n = 12000;
	uint32_t   *out = sketch_memory(n * sizeof(uint32_t));

	for (int round = 0; round < 5; round++)
	{
		sketch		s = sketch_sized(16, round < 4 ? 96 : 300000);

		for (size_t i = 0; i < n; i++)
		{
			size_t		cell = round == 0 ? n - 1 - i : round == 1 ? i :
				round == 2 ? (i + n / 2) % n : round == 3 ? i % 2 * n + i : below(n);

			/* spread over the table, or all at its end */
			hashes[i] = i % 3 == 0 ? cell * 5591 : cell + (1 << 26) - 3 * n;
			sketch_add(&s, hashes[i] | test_random() << 26);
			hashes[i] |= UINT64_C(1) << 63;
			sketch_add(&s, hashes[i]);
		}
		pds_hll_flush(s.b);
		pds_hll_sorted_tokens(s.b, out);
		for (uint32_t i = 1; i < s.b->tokens; i++)
			CHECK(out[i - 1] >> 6 < out[i] >> 6);
		CHECK(s.b->tokens > 7000);
		sketch_free(&s);
	}
	free(out);
}

TEST(hashes_that_wait_in_the_ring_count)
{
	bool		some_waited = false;

	for (int waiting = 0; waiting < PDS_HLL_RING; waiting++)
	{
		size_t		n = pds_hll_max_tokens(8) + 1 + (size_t) waiting;
		sketch		s = sketch_new(8);
		sketch		into = sketch_dense(8);
		sketch		folded = sketch_new(8);
		payload		before;
		pds_hll_summary summary;

		take_hashes(n);
		for (size_t i = 0; i < n; i++)
			sketch_add(&s, hashes[i]);
		some_waited |= s.b->pending > 0;
		check_set(&s, n);
		sketch_merge(&into, &s);
		check_set(&into, n);
		sketch_merge(&folded, &s);
		sketch_fold(&folded, 5);
		check_set(&folded, n);

		/* writing it and looking at it does not change it */
		before = sketch_encode(&s);
		sketch_add(&s, hashes[0]);
		pds_hll_summarize_build(s.b, &summary);
		sketch_add(&s, hashes[0]);
		pds_hll_flush(s.b);
		CHECK_U64(s.b->pending, 0);
		check_state(&s, &before);
		payload_free(&before);
		sketch_free(&s);
		sketch_free(&into);
		sketch_free(&folded);
	}
	CHECK(some_waited);
}
