/*
 * hll_merge_test.c: unions and foldings of HyperLogLog sketches, by whatever way,
 * are the sketch of the union at the lowest precision
 */
#include "hll_sets.h"

/*
 * Builds a sketch of the first n hashes in a way that nobody would choose. The parts overlap,
 * each is built at its own precision of at least p, kept as an image or stored, and they are
 * merged in any order.
 */
static sketch
by_detours(const uint64_t *from, size_t n, int p, int depth)
{
	int			at = p + (below(3) == 0 ? (int) below((size_t) (HIGHEST - p) + 1) : 0);
	size_t		more = below(4) == 0 ? below(8000) : 0;
	sketch		s = sketch_sized(at, PDS_HLL_FIRST_SIZE + more);
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

/* What does not fit is said, and can be said again: nothing is lost by then. */
TEST(without_space_a_union_is_full_and_nothing_lost)
{
	const size_t n = 700;
	sketch		small = sketch_new(12);
	sketch		tokens = sketch_new(12);
	sketch		dense = sketch_dense(12);
	payload		stored;
	pds_hll_view v;

	take_hashes(n);
	for (size_t i = 0; i < n; i++)
	{
		sketch_add(&dense, hashes[i]);
		if (i < 600)
			sketch_add(&tokens, hashes[i]);
		if (i < 10)
			sketch_add(&small, hashes[i]);
	}
	/* 590 tokens too many for the smallest image, from an image and from a value */
	CHECK_U64(pds_hll_merge_build(small.b, tokens.b), PDS_FULL);
	stored = sketch_encode(&tokens);
	v = payload_view(&stored);
	CHECK_U64(pds_hll_merge_view(small.b, &v), PDS_FULL);
	payload_free(&stored);
	/* registers do not go into a table of tokens */
	CHECK_U64(pds_hll_merge_build(small.b, dense.b), PDS_FULL);
	stored = sketch_encode(&dense);
	v = payload_view(&stored);
	CHECK_U64(pds_hll_merge_view(small.b, &v), PDS_FULL);

	sketch_merge(&small, &tokens);
	check_set(&small, 600);
	sketch_merge(&small, &dense);
	CHECK(small.b->dense);

	/* bytes missing behind a head that was good */
	v.data_len--;
	CHECK_U64(pds_hll_merge_view(small.b, &v), PDS_CORRUPT);
	payload_free(&stored);
	stored = sketch_encode(&tokens);
	v = payload_view(&stored);
	v.data_len /= 2;
	CHECK_U64(pds_hll_merge_view(dense.b, &v), PDS_CORRUPT);
	payload_free(&stored);
	sketch_free(&small);
	sketch_free(&tokens);
	sketch_free(&dense);
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

/* What waits must find space in the image that the precision falls to. */
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
