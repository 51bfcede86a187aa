/*
 * hll_state_test.c: the state of a HyperLogLog sketch, and so its bytes, is a
 * function of the set of hashes and of the precision, and of nothing else
 *
 * Each way of adding is compared with the bytes that hll_oracle.h works out from
 * the hashes; hll_merge_test.c does so for unions.
 */
#include "poll.h"
#include "hll.h"
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

/*
 * A cell for each number, all over the table (an odd factor gives each its own).  Cells in a row
 * would be neighbours in the table, and each of them would move the ones before it.
 */
static uint64_t
spread_cell(uint32_t i)
{
	return i * UINT32_C(0x9E3779B1) & ((UINT32_C(1) << 26) - 1);
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
				sketch_add(&s, spread_cell(i) | UINT64_C(1) << (26 + 11 * round));
		stored = sketch_encode(&s);
		CHECK_U64(stored.bytes[1], PDS_HLL_SPARSE);
		CHECK_U64(payload_view(&stored).tokens, limit);
		payload_free(&stored);

		sketch_add(&s, spread_cell(limit));
		stored = sketch_encode(&s);
		CHECK_U64(stored.bytes[1], PDS_HLL_DENSE);
		payload_free(&stored);
		sketch_free(&s);
	}
}

/* n hashes, many of them twice, in an image that began as a log. */
static sketch
logged(int p, const uint64_t *from, size_t n, uint64_t expected)
{
	sketch		s = sketch_expecting(p, expected);

	for (size_t j = 0; j < n; j++)
	{
		sketch_add(&s, from[j]);
		if (below(3) == 0)
			sketch_add(&s, from[below(j + 1)]);
	}
	return s;
}

TEST(a_log_gives_the_oracle_s_bytes)
{
	int			logs = 0;
	int			tables = 0;

	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		size_t		fill[32];
		size_t		count = fills(p, fill);

		for (size_t i = 0; i < count; i++)
			for (uint64_t expected = 20; expected < 200000; expected *= 10)
			{
				sketch		s;

				take_hashes(fill[i]);
				s = logged(p, hashes, fill[i], expected);
				CHECK(pds_hll_check_build(s.b, s.size));
				logs += !s.b->dense && pds_hll_is_log(s.b);
				tables += !s.b->dense && !pds_hll_is_log(s.b);
				check_set(&s, fill[i]);
				CHECK(!pds_hll_is_log(s.b));
				sketch_free(&s);
			}
	}
	CHECK(logs > 100);
	CHECK(tables > 50);
}

/* Equal values fill it, and then there is a table with space. */
TEST(a_log_of_one_value_is_a_table_of_one)
{
	for (int p = LOWEST + 4; p <= HIGHEST; p++)
	{
		sketch		s = sketch_expecting(p, 100000);
		size_t		size = s.size;

		take_hashes(1);
		CHECK(pds_hll_is_log(s.b));
		for (int i = 0; pds_hll_is_log(s.b) && i < 100000; i++)
			sketch_add(&s, hashes[0]);
		CHECK(!pds_hll_is_log(s.b) && !s.b->dense);
		CHECK_U64(s.size, size);
		pds_hll_flush(s.b);
		CHECK_U64(s.b->tokens, 1);
		check_set(&s, 1);
		sketch_free(&s);
	}
}

static int	polls;

static void
count_polls(void)
{
	polls++;
}

/* A poll may raise an error, and what is asked of a variable must leave it whole. */
TEST(a_log_is_settled_without_a_poll)
{
	static const size_t fill[] = {2500, 4500};

	for (size_t i = 0; i < sizeof(fill) / sizeof(fill[0]); i++)
	{
		sketch		s = sketch_expecting(14, 100000);

		polls = 0;
		pds_poll_hook = count_polls;
		take_hashes(fill[i]);
		for (size_t j = 0; j < fill[i]; j++)
			sketch_add(&s, hashes[j]);
		pds_hll_flush(s.b);
		pds_poll_hook = NULL;
		CHECK_U64(polls, 0);
		check_set(&s, fill[i]);
		sketch_free(&s);
	}
}

/* Neither side of a union need be settled, and the one that is read does not change. */
TEST(a_union_with_a_log_is_the_union)
{
	for (int p = LOWEST + 2; p <= HIGHEST; p += 2)
	{
		size_t		limit = pds_hll_max_tokens(p);
		const size_t fill[] = {0, 3, limit / 4, limit, 2 * limit};

		for (size_t i = 0; i < sizeof(fill) / sizeof(fill[0]); i++)
			for (size_t j = 0; j < sizeof(fill) / sizeof(fill[0]); j++)
			{
				/* the first ones, and others from the midst of them on */
				size_t		end = fill[i] / 2 + fill[j];
				size_t		total = end > fill[i] ? end : fill[i];
				sketch		a;
				sketch		b;
				payload		was;

				take_hashes(total);
				a = logged(p - (int) below(2), hashes, fill[i], 100000);
				b = logged(p, hashes + fill[i] / 2, fill[j], 100000);
				was = payload_copy((const uint8_t *) b.b, b.size);
				sketch_merge(&a, &b);
				CHECK_BYTES((const uint8_t *) b.b, was.bytes, was.len);
				check_set(&a, total);
				payload_free(&was);
				sketch_free(&a);
				sketch_free(&b);
			}
	}
}

/* A first image of any size must do, also one with space to spare. */
TEST(growth_paths_do_not_show)
{
	static const size_t sizes[] = {128, 132, 160, 512, 1000, 4096, 30000, 300000};

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
		CHECK(largest <= pds_hll_roomy_size(p));
		CHECK(moves <= p);
		CHECK_U64(s.size, pds_hll_roomy_size(p));
		sketch_free(&s);
	}
	CHECK(PDS_HLL_FIRST_SIZE <= 128);
}

/* A ring may not hold more than what the table of the lower precision takes. */
TEST(a_union_of_nothing_takes_a_precision_and_then_values)
{
	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		sketch		s = sketch_new(p);
		sketch		empty = sketch_new(p);
		pds_operand operand = {.state = empty.b};
		pds_hll_plan plan = {.size = s.size};

		pds_hll_ops.init_nothing(s.b);
		pds_state_set_kind(empty.b, PDS_KIND_NONE);
		CHECK(pds_hll_ops.plan_union(s.b, &operand, (pds_plan *) &plan) == PDS_OK);
		CHECK(pds_hll_ops.merge(s.b, &operand) == PDS_OK);
		CHECK_U64(s.b->precision, p);
		CHECK(pds_hll_check_build(s.b, s.size));
		pds_state_set_kind(s.b, PDS_KIND_NUMBER);
		take_hashes(20);
		for (int i = 0; i < 20; i++)
			sketch_add(&s, hashes[i]);
		check_set(&s, 20);
		sketch_free(&s);
		sketch_free(&empty);
	}
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
		sketch		s = sketch_sized(16, round < 4 ? PDS_HLL_FIRST_SIZE : 300000);

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
	int			in_ring = 0;

	for (int waiting = 0; waiting < 300; waiting++)
	{
		int			p = waiting % 2 == 0 ? 8 : 6;
		size_t		n = pds_hll_max_tokens(p) + 1 + (size_t) waiting;
		sketch		s = sketch_new(p);
		sketch		into = sketch_dense(p);
		sketch		folded = sketch_new(p);
		payload		before;
		pds_hll_summary summary;

		take_hashes(n);
		for (size_t i = 0; i < n; i++)
			sketch_add(&s, hashes[i]);
		in_ring += s.b->pending > 0;
		check_set(&s, n);
		for (size_t i = 0; i < n; i++)
			sketch_add(&s, hashes[i]);
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
	CHECK(in_ring > 100);

	/* an image with far too much space is a right one at any time */
	for (int p = LOWEST; p <= 9; p++)
	{
		sketch		s = sketch_sized(p, 20000);

		take_hashes(8000);
		for (size_t i = 0; i < 8000; i++)
		{
			sketch_add(&s, hashes[i]);
			CHECK(pds_hll_check_build(s.b, s.size));
		}
		check_set(&s, 8000);
		sketch_free(&s);
	}
}
