/*
 * bloom_list_test.c: lists of bits and their directories that must not pass for a Bloom
 * filter's, and what readers do with those that nobody checked
 */
#include "bloom_made.h"

static const refuse_target the_target = {.ops = &pds_bloom_ops};

#include "bloom_estimate.h"

/* One bit in a filter of one cell. */
static made
one_bit(uint64_t words, uint64_t gap, uint64_t n, uint64_t place)
{
	made		m = list_head(1, words, 1, 1);
	bit_list	list = list_of(&m);

	oracle_put_rice(&list, gap, 0);
	put_gamma(&list, n);
	oracle_put_rice(&list, place, oracle_rice(words * 64, n));
	end_list(&m, &list);
	return m;
}

TEST(places_outside_of_the_filter_are_refused)
{
	for (uint64_t words = 1; words <= 64; words++)
	{
		made		m;

		for (uint64_t place = 0; place < words * 64 + 70; place++)
		{
			m = one_bit(words, 0, 1, place);
			CHECK(made_refused(&m) == (place >= words * 64));
		}
		/* there is no second cell, and no second bit */
		m = one_bit(words, 1, 1, 0);
		CHECK(made_refused(&m));
		m = one_bit(words, 0, 2, 0);
		CHECK(made_refused(&m));
	}
	/* the last cell of a classic filter is not a whole one: 4160 bits are 4096 and 64 */
	for (uint64_t place = 0; place < 200; place++)
	{
		made		m = list_head(1, 65, 1, 1);
		bit_list	list = list_of(&m);

		oracle_put_rice(&list, 1, oracle_rice(2, 1));
		put_gamma(&list, 1);
		oracle_put_rice(&list, place, oracle_rice(4096, 1));
		end_list(&m, &list);
		CHECK(made_refused(&m) == (place >= 64));
	}
}

TEST(cells_outside_of_the_filter_are_refused)
{
	/* 9 blocks; gaps that lead behind the last, and far behind it */
	for (uint64_t gap = 0; gap < 2000; gap += gap < 20 ? 1 : 37)
	{
		made		m = list_head(0, 72, 1, 1);
		bit_list	list = list_of(&m);

		oracle_put_rice(&list, gap, oracle_rice(9, 1));
		put_gamma(&list, 1);
		oracle_put_rice(&list, 7, oracle_rice(512, 1));
		end_list(&m, &list);
		CHECK(made_refused(&m) == (gap >= 9));
	}
}

/* More bits in a cell than it has, up to numbers that no one can shift by. */
TEST(numbers_of_bits_in_a_cell_that_are_refused)
{
	for (int log = 0; log <= 80; log++)
	{
		made		m = list_head(1, 1, 8, 1);
		bit_list	list = list_of(&m);

		oracle_put_rice(&list, 0, 0);
		for (int i = 0; i < log; i++)
			bit_list_put(&list, 0, 1);
		bit_list_put(&list, 1, 1);
		bit_list_put(&list, 0, log < 30 ? log : 30);
		for (int i = 0; i < 1 << (log < 8 ? log : 8); i++)
			oracle_put_rice(&list, 0, log < 7 ? oracle_rice(64, UINT64_C(1) << log) : 0);
		end_list(&m, &list);
		/* 8 are what the head says */
		CHECK(made_refused(&m) == (log != 3));
	}
}

TEST(counts_that_are_wrong_are_refused)
{
	/* three bits in two of nine blocks */
	for (uint64_t n = 0; n < 700; n++)
	{
		for (uint64_t u = 0; u < 12; u++)
		{
			made		m = list_head(0, 72, n, u);
			bit_list	list = list_of(&m);
			int			gap_rice = u > 0 ? oracle_rice(9, u) : 0;

			oracle_put_rice(&list, 3, gap_rice);
			put_gamma(&list, 2);
			oracle_put_rice(&list, 5, oracle_rice(512, 2));
			oracle_put_rice(&list, 80, oracle_rice(512, 2));
			oracle_put_rice(&list, 1, gap_rice);
			put_gamma(&list, 1);
			oracle_put_rice(&list, 511, oracle_rice(512, 1));
			end_list(&m, &list);
			CHECK(made_refused(&m) == (n != 3 || u != 2));
		}
	}
	/* in more bytes than they take */
	for (int which = 0; which <= 2; which++)
	{
		made		m = explicit_head(1, 0, 7, 1);
		bit_list	list;

		m.bytes[1] |= PDS_BLOOM_SPARSE;
		m.bytes[2] = PDS_KIND_NUMBER;
		if (which == 1)
			put_long_number(&m, 1);
		else
			put_number(&m, 1);
		if (which == 2)
			put_long_number(&m, 1);
		else
			put_number(&m, 1);
		list = list_of(&m);
		oracle_put_rice(&list, 0, 0);
		put_gamma(&list, 1);
		oracle_put_rice(&list, 33, oracle_rice(64, 1));
		end_list(&m, &list);
		CHECK(made_refused(&m) == (which > 0));
	}
}

/* More than one bit in eight is an array. */
TEST(lists_that_are_too_long_are_refused)
{
	for (uint64_t n = 7; n <= 10; n++)
	{
		made		m = list_head(0, 1, n, 1);
		bit_list	list = list_of(&m);

		oracle_put_rice(&list, 0, 0);
		put_gamma(&list, n);
		for (uint64_t i = 0; i < n; i++)
			oracle_put_rice(&list, 1, oracle_rice(64, n));
		end_list(&m, &list);
		CHECK(made_refused(&m) == (n > 8));
	}
}

TEST(padding_that_is_not_zero_is_refused)
{
	for (uint64_t place = 0; place < 64; place++)
	{
		made		m = one_bit(1, 0, 1, place);
		/* a one for the gap, a one for the count, the place with r = 5 */
		uint64_t	used = 2 + place / 32 + 1 + 5;

		CHECK(!made_refused(&m));
		for (uint64_t bit = used; bit % 8 != 0; bit++)
		{
			uint8_t    *last = m.bytes + m.len - 1;

			*last ^= (uint8_t) (1 << bit % 8);
			CHECK(made_refused(&m));
			*last ^= (uint8_t) (1 << bit % 8);
		}
	}
}

/* ---------- directories ---------- */

TEST(directories_that_are_refused)
{
	pds_bloom_shape s = shape_explicit(512 * 64, 1, PDS_BLOOM_BLOCKED);
	payload		stored = stored_keys(&s, 2000);
	pds_bloom_view v = payload_view(&stored);
	uint8_t    *directory = stored.bytes + v.data_at;
	uint32_t	ends[5] = {0};

	CHECK_U64(v.encoding, PDS_BLOOM_SPARSE);
	CHECK_U64(v.list.segments, 4);
	for (int i = 0; i < 4; i++)
		ends[i + 1] = pds_load_le32(directory + 4 * i);
	CHECK_U64(v.data_at + 16 + ends[4], stored.len);

	for (int i = 0; i < 4; i++)
	{
		const uint32_t odd[] = {0, 1, ends[i + 1] - 1, ends[i + 1] + 1, ends[4] + 1, ends[4] + 100,
		0x7fffffff, 0x80000000, 0xffffffff, 0xffffffff - 15};

		for (size_t j = 0; j < sizeof(odd) / sizeof(odd[0]); j++)
		{
			pds_store_le32(directory + 4 * i, odd[j]);
			CHECK(refused(stored.bytes, stored.len));
		}
		pds_store_le32(directory + 4 * i, ends[i + 1]);
	}
	/* one that has none of its bytes, and one that has another's */
	pds_store_le32(directory, 0);
	CHECK(refused(stored.bytes, stored.len));
	pds_store_le32(directory, ends[2]);
	CHECK(refused(stored.bytes, stored.len));
	pds_store_le32(directory, ends[1]);
	CHECK(!refused(stored.bytes, stored.len));

	/* a byte of zeros between two segments */
	{
		uint8_t    *longer = sketch_memory(stored.len + 1);
		size_t		gap = v.data_at + 16 + ends[2];

		memcpy(longer, stored.bytes, gap);
		longer[gap] = 0;
		memcpy(longer + gap + 1, stored.bytes + gap, stored.len - gap);
		for (int i = 1; i < 4; i++)
			pds_store_le32(longer + v.data_at + 4 * i, ends[i + 1] + 1);
		CHECK(refused(longer, stored.len + 1));
		free(longer);
	}
	/* cut off within it */
	for (size_t len = 0; len < 16; len++)
		CHECK(refused(stored.bytes, v.data_at + len));
	payload_free(&stored);
}

/* A segment without a bit takes no byte; not one of zeros either. */
TEST(segments_with_nothing_in_them)
{
	/* 18 blocks in segments of 8: 576 bits set in the first, the last two */
	made		m = list_head(0, 18 * 8, 576, 9);
	size_t		directory = m.len;
	uint64_t	per_segment = 1;
	bit_list	list;
	size_t		end;

	while (576 * per_segment * 2 <= 512 * 18)
		per_segment *= 2;
	CHECK_U64(per_segment, 16);
	m.len += 8;
	list = list_of(&m);
	for (int cell = 0; cell < 9; cell++)
	{
		oracle_put_rice(&list, 0, oracle_rice(18, 9));
		put_gamma(&list, 64);
		for (int i = 0; i < 64; i++)
			oracle_put_rice(&list, i % 4, oracle_rice(512, 64));
	}
	end_list(&m, &list);
	end = m.len - directory - 8;
	pds_store_le32(m.bytes + directory, (uint32_t) end);
	pds_store_le32(m.bytes + directory + 4, (uint32_t) end);
	CHECK(!made_refused(&m));
	CHECK(written_again_the_same(m.bytes, m.len));
	put_byte(&m, 0);
	CHECK(made_refused(&m));
	pds_store_le32(m.bytes + directory + 4, (uint32_t) end + 1);
	CHECK(made_refused(&m));
}

/* ---------- readers of what was never checked ---------- */

/* A damaged table's filter is not checked again: each reader says so, or ends. */
TEST(readers_of_damaged_lists_end)
{
	int			corrupt[6] = {0};

	for (int shape = 0; shape < ODD_SHAPES; shape++)
	{
		pds_bloom_shape s = odd_shape(shape);
		uint64_t	n = s.bits / 20 / s.hashes % 2000 + 1;
		payload		stored = stored_keys(&s, (size_t) n);
		pds_bloom_view v = payload_view(&stored);

		if (v.encoding != PDS_BLOOM_SPARSE)
		{
			payload_free(&stored);
			continue;
		}
		for (int round = 0; round < 150; round++)
		{
			size_t		at = v.data_at + below(stored.len - v.data_at);
			uint8_t		was = stored.bytes[at];
			filter		f = filter_undecided();
			filter		g = filter_of_bits(&s);
			pds_bloom_summary summary;
			uint64_t   *positions = sketch_memory((size_t) v.count * 8);
			uint64_t	found;

			stored.bytes[at] = (uint8_t) test_random();
			corrupt[0] += pds_bloom_view_positions(&v, positions) != PDS_OK;
			corrupt[1] += pds_bloom_summarize(&v, &summary) != PDS_OK;
			corrupt[2] += pds_bloom_view_or(&v, pds_bloom_build_array(g.b)) != PDS_OK;
			corrupt[3] += filter_merge_view(&f, &v) != PDS_OK;
			corrupt[4] += pds_bloom_intersect_view(g.b, &v) != PDS_OK;
			for (uint64_t key = 0; key < 30; key++)
				corrupt[5] += pds_bloom_view_contains(&v, hash_of(key), fetch_from_payload,
													  &stored, &found) != PDS_OK;
			stored.bytes[at] = was;
			free(positions);
			filter_free(&f);
			filter_free(&g);
		}
		payload_free(&stored);
	}
	for (int i = 0; i < 6; i++)
		CHECK(corrupt[i] > 0);
}
