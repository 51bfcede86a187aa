/*
 * hll_state_test.c: the state of a HyperLogLog sketch, and so its bytes, is a
 * function of the set of hashes and of the precision, and of nothing else
 *
 * Each way of building is compared with the bytes that hll_oracle.h works out
 * from the hashes.
 */
#include "test.h"

#include "hll_oracle.h"

#include "base/murmur3.h"
#include "hll/hll_registers.h"

#define LOWEST	PDS_HLL_MIN_PRECISION
#define HIGHEST	PDS_HLL_MAX_PRECISION

/* The larger precisions take long under a sanitizer. */
#define MOST_HASHES	300000

static uint64_t hashes[MOST_HASHES];

static size_t
below(size_t n)
{
	return (size_t) (test_random() % n);
}

/* The first hashes are those of n integers from a place of their own on. */
static void
take_hashes(size_t n)
{
	uint64_t	first = test_random();

	for (size_t i = 0; i < n; i++)
		hashes[i] = pds_murmur3_u64(first + i).h1;
}

static void
shuffle(uint64_t *a, size_t n)
{
	for (size_t i = n; i > 1; i--)
	{
		size_t		j = below(i);
		uint64_t	v = a[i - 1];

		a[i - 1] = a[j];
		a[j] = v;
	}
}

/* Is this the stored form of s, and that form all there is to know of it? */
static void
check_state(sketch *s, const payload *want)
{
	payload		got = sketch_encode(s);
	sketch		again = sketch_new(s->b->precision);
	payload		twice;
	const char *why = "";

	CHECK_U64(got.len, want->len);
	if (got.len == want->len)
		CHECK_BYTES(got.bytes, want->bytes, want->len);
	if (CHECK(pds_hll_check(got.bytes, got.len, &why) == PDS_OK))
	{
		sketch_merge_payload(&again, &got);
		twice = sketch_encode(&again);
		CHECK(payload_equal(&got, &twice));
		payload_free(&twice);
	}
	else
		printf("# %s\n", why);
	sketch_free(&again);
	payload_free(&got);
}

static void
check_set(sketch *s, size_t n)
{
	payload		want = oracle_payload(hashes, n, s->b->precision);

	check_state(s, &want);
	payload_free(&want);
}

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

/* A first image of any size must do, also one with room to spare. */
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
		CHECK(largest < pds_hll_dense_size(p) || largest <= PDS_HLL_FIRST_SIZE);
		CHECK(moves <= p);
		CHECK_U64(s.size, pds_hll_dense_size(p));
		sketch_free(&s);
	}
	CHECK(PDS_HLL_FIRST_SIZE < 100);
}

/*
 * A sketch of the first n hashes by a way that nobody would choose: split in
 * overlapping parts, each built at a precision of its own of at least p, kept
 * as an image or stored, and merged in any order.
 */
static sketch
by_detours(const uint64_t *from, size_t n, int p, int depth)
{
	int			at = p + (below(3) == 0 ? (int) below((size_t) (HIGHEST - p) + 1) : 0);
	sketch		s = below(4) == 0 ? sketch_sized(at, 96 + below(8000)) : sketch_new(at);
	int			parts = depth == 0 ? 0 : (int) below(4);

	if (parts < 2)
	{
		uint64_t   *own = sketch_memory(n * sizeof(uint64_t));

		memcpy(own, from, n * sizeof(uint64_t));
		shuffle(own, n);
		for (size_t i = 0; i < n; i++)
		{
			sketch_add(&s, own[i]);
			/* folding half-way is no different from folding at the end */
			if (s.b->precision > p && below(n) == 0)
				sketch_fold(&s, p + (int) below((size_t) (s.b->precision - p) + 1));
		}
		for (size_t i = 0; i < n / 7; i++)
			sketch_add(&s, own[below(n)]);
		free(own);
		return s;
	}
	for (int i = 0; i < parts; i++)
	{
		size_t		start = n * (size_t) i / (size_t) parts;
		size_t		end = n * (size_t) (i + 1) / (size_t) parts;
		sketch		part;

		if (start > 0 && below(2) == 0)
			start -= below(start);
		part = by_detours(from + start, end - start, p, depth - 1);
		if (below(2) == 0)
			sketch_merge(&s, &part);
		else
		{
			payload		stored = sketch_encode(&part);

			sketch_merge_payload(&s, &stored);
			payload_free(&stored);
		}
		sketch_free(&part);
	}
	return s;
}

TEST(neither_order_nor_merge_tree_nor_detour_shows)
{
	for (int p = LOWEST; p <= HIGHEST; p++)
	{
		for (int round = 0; round < 60; round++)
		{
			size_t		n = below(p <= 10 ? pds_hll_registers(p) * 4 :
								  pds_hll_max_tokens(p) * 3 / (round % 8 + 1));
			sketch		s;

			if (n > 20000)
				n = round % 30 == 0 ? n : n % 3000;
			take_hashes(n);
			s = by_detours(hashes, n, p, 4);
			sketch_fold(&s, p);
			CHECK_U64(s.b->precision, p);
			check_set(&s, n);
			sketch_free(&s);
		}
	}
}

TEST(building_then_folding_is_building_at_the_lower_precision)
{
	for (int p = LOWEST + 1; p <= HIGHEST; p++)
	{
		size_t		limit = pds_hll_max_tokens(p);
		const size_t fill[] = {0, 1, 3, limit / 5, limit, limit + 1, 4 * limit};

		for (size_t f = 0; f < sizeof(fill) / sizeof(fill[0]); f++)
		{
			sketch		s = sketch_new(p);
			payload		stored;

			if (fill[f] > 60000)
			{
				sketch_free(&s);
				break;
			}
			take_hashes(fill[f]);
			for (size_t i = 0; i < fill[f]; i++)
				sketch_add(&s, hashes[i]);
			stored = sketch_encode(&s);

			for (int to = LOWEST; to < p; to += p > 12 ? 3 : 1)
			{
				sketch		image = sketch_new(p);
				sketch		view = sketch_new(to);

				sketch_merge(&image, &s);
				sketch_fold(&image, to);
				check_set(&image, fill[f]);
				/* what hll_reduce() does with a stored one */
				sketch_merge_payload(&view, &stored);
				check_set(&view, fill[f]);
				sketch_free(&image);
				sketch_free(&view);
			}
			payload_free(&stored);
			sketch_free(&s);
		}
	}
}

TEST(merging_precisions_is_building_at_the_lowest)
{
	for (int round = 0; round < 400; round++)
	{
		int			p1 = LOWEST + (int) below(HIGHEST - LOWEST + 1);
		int			p2 = LOWEST + (int) below(HIGHEST - LOWEST + 1);
		size_t		n1 = below((size_t) 1 << below(13));
		size_t		n2 = below((size_t) 1 << below(13));
		sketch		a = sketch_new(p1);
		sketch		b = sketch_new(p2);
		payload		stored;

		take_hashes(n1 + n2);
		for (size_t i = 0; i < n1; i++)
			sketch_add(&a, hashes[i]);
		for (size_t i = 0; i < n2; i++)
			sketch_add(&b, hashes[n1 + i]);
		stored = sketch_encode(&b);
		if (round % 2 == 0)
			sketch_merge(&a, &b);
		else
			sketch_merge_payload(&a, &stored);
		CHECK_U64(a.b->precision, p1 < p2 ? p1 : p2);
		check_set(&a, n1 + n2);

		/* what was merged from is as it was */
		memmove(hashes, hashes + n1, n2 * sizeof(hashes[0]));
		check_set(&b, n2);
		payload_free(&stored);
		sketch_free(&a);
		sketch_free(&b);
	}
}

TEST(a_lower_precision_is_not_merged_into_a_higher_one)
{
	sketch		high = sketch_new(12);
	sketch		low = sketch_new(11);
	payload		stored;
	pds_hll_view v;

	sketch_add(&low, 1);
	stored = sketch_encode(&low);
	v = payload_view(&stored);
	CHECK_U64(pds_hll_merge_build(high.b, low.b), PDS_PARAMETER_MISMATCH);
	CHECK_U64(pds_hll_merge_view(high.b, &v), PDS_PARAMETER_MISMATCH);
	payload_free(&stored);
	sketch_free(&high);
	sketch_free(&low);
}

TEST(a_sketch_merged_with_itself_is_the_same)
{
	for (size_t n = 0; n < 5000; n = n * 3 + 1)
	{
		sketch		s = sketch_new(12);

		take_hashes(n);
		for (size_t i = 0; i < n; i++)
			sketch_add(&s, hashes[i]);
		sketch_merge(&s, &s);
		check_set(&s, n);
		sketch_free(&s);
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

/* What waits must find room in the image that the precision falls to. */
TEST(the_precision_falls_while_hashes_wait)
{
	for (size_t n = 1; n < 400; n++)
	{
		for (int way = 0; way < 3; way++)
		{
			int			p = 8 + (int) (n % 3);
			sketch		s = sketch_new(14);
			sketch		low = sketch_new(p);
			payload		stored;

			take_hashes(n + 1);
			for (size_t i = 0; i < n; i++)
				sketch_add(&s, hashes[i]);
			sketch_add(&low, hashes[n]);
			stored = sketch_encode(&low);
			if (way == 0)
				sketch_merge(&s, &low);
			else if (way == 1)
				sketch_merge_payload(&s, &stored);
			else
			{
				sketch_fold(&s, p);
				sketch_add(&s, hashes[n]);
			}
			CHECK_U64(s.b->precision, p);
			check_set(&s, n + 1);
			payload_free(&stored);
			sketch_free(&s);
			sketch_free(&low);
		}
	}
}

TEST(a_dense_fold_by_the_oracle)
{
	for (int round = 0; round < 200; round++)
	{
		int			from = LOWEST + 1 + (int) below(9);
		int			to = LOWEST + (int) below((size_t) (from - LOWEST));
		uint32_t	m = pds_hll_registers(from);
		sketch		s = sketch_dense(from);
		size_t		n = 0;
		payload		want;
		uint8_t    *registers = sketch_memory(pds_hll_registers(to));

		/* any register values, zeros and the largest among them */
		for (uint32_t i = 0; i < m; i++)
		{
			int			rank = (int) below((size_t) (66 - from));

			if (rank > 0)
				hashes[n++] = hash_of_register(i, rank, from);
		}
		for (size_t i = 0; i < n; i++)
			sketch_add(&s, hashes[i]);
		oracle_registers(hashes, n, to, registers);
		want = oracle_dense(registers, to);
		sketch_fold(&s, to);
		check_state(&s, &want);
		payload_free(&want);
		free(registers);
		sketch_free(&s);
	}
}
