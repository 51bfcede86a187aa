/*
 * bloom_format_test.c: the stored form of a Bloom filter: the oracle's bytes at every
 * fill, read back the same, and as small as promised
 */
#include <math.h>

#include "bloom_sets.h"
#include "signature.h"

/* A filter with exactly these bits set. */
static filter
filter_with(const uint8_t *bits, const pds_bloom_shape *s)
{
	filter		f = filter_of_bits(s);

	for (uint64_t i = 0; i < s->bits; i++)
		if (bits[i])
			pds_bloom_set_bit(pds_bloom_build_array(f.b), i);
	return f;
}

/* Written as the oracle does, from an array and from a list, and all readers agree. */
static void
check_bits(const uint8_t *bits, const pds_bloom_shape *s)
{
	filter		f = filter_with(bits, s);
	filter		list = filter_undecided();
	payload		want = oracle_payload(bits, s, follows(s));
	pds_bloom_view v;
	uint8_t    *array = sketch_memory((size_t) (s->bits / 8));

	check_state(&f, &want);
	v = payload_view(&want);
	memset(array, 0, (size_t) (s->bits / 8));
	CHECK(pds_bloom_view_or(&v, array) == PDS_OK);
	CHECK_BYTES(array, pds_bloom_build_array(f.b), (size_t) (s->bits / 8));
	if (v.encoding == PDS_BLOOM_SPARSE)
	{
		pds_bloom_plan plan = {sizeof(pds_bloom_build) + (size_t) v.count * 8, PDS_BLOOM_POSITIONS,
			*s};

		filter_move(&list, &plan);
		CHECK(pds_bloom_view_positions(&v, list.b->words) == PDS_OK);
		list.b->count = list.b->sorted = v.count;
		pds_state_set_kind(list.b, PDS_KIND_NUMBER);
		check_state(&list, &want);
	}
	free(array);
	payload_free(&want);
	filter_free(&list);
	filter_free(&f);
}

/* The example of doc/format.md: the number 1 in bloom(100, 0.01). */
TEST(one_value_byte_by_byte)
{
	/* 0.01 is 0x0385, capacity 100; 7 bits set, in one cell: 83 106 208 230 260 331 868 */
	static const uint8_t want[] = {0x21, 0x01, 0x01, 0x85, 0x03, 0x64, 0x07, 0x01,
	0xf9, 0x69, 0xcb, 0xf2, 0xca, 0x4e, 0x23, 0xc4, 0x00};
	pds_bloom_shape s = shape_of(100, 0.01, PDS_BLOOM_BLOCKED);
	filter		f = filter_new(&s);
	payload		stored;

	CHECK_U64(pds_decimal_code(0.01), 0x0385);
	filter_add(&f, hash_of(1));
	stored = filter_encode(&f);
	if (CHECK_U64(stored.len, sizeof(want)))
		CHECK_BYTES(stored.bytes, want, sizeof(want));
	payload_free(&stored);
	filter_free(&f);
}

/* One bit after the other in random order, from none to all. */
TEST(every_fill_from_none_to_all)
{
	static const struct
	{
		uint64_t	bits;
		int			step;		/* not every fill of large ones */
	}			sizes[] = {
		{64, 1}, {128, 1}, {192, 1}, {512, 1}, {960, 3}, {4096, 67}, {4608, 67}, {8192, 301},
		{40960, 2503}, {200 * 512, 9001}
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
	{
		for (int family = 0; family <= 1; family++)
		{
			/* a classic filter's last cell may be of any size */
			pds_bloom_shape s = shape_explicit(sizes[i].bits
											   + (family == 1 && sizes[i].bits > 4096 ? 64 : 0),
											   3, (uint8_t) family);
			uint8_t    *bits = oracle_bits(&s);
			uint64_t   *order = sketch_memory((size_t) s.bits * sizeof(uint64_t));
			uint64_t	limit = s.bits / 8;

			for (uint64_t j = 0; j < s.bits; j++)
			{
				size_t		k = below((size_t) j + 1);

				order[j] = order[k];
				order[k] = j;
			}
			check_bits(bits, &s);
			for (uint64_t n = 0; n < s.bits; n++)
			{
				bits[order[n]] = 1;
				/* and around the change of encodings */
				if (n < 4 || n % (uint64_t) sizes[i].step == 0 || n + 3 > s.bits ||
					(n + 3 > limit && n < limit + 2))
					check_bits(bits, &s);
			}
			free(order);
			free(bits);
		}
	}
}

/* All bits that are set crowd together: cells that are full, gaps that are long. */
TEST(crowded_bits)
{
	for (int family = 0; family <= 1; family++)
	{
		for (uint64_t bits = 64; bits < 70000; bits = bits * 3 / 512 * 512 + (bits < 600 ? 512 : 0))
		{
			pds_bloom_shape s = shape_explicit(bits, 2, (uint8_t) family);
			uint8_t    *set = oracle_bits(&s);

			for (uint64_t length = 1; length <= bits / 8; length *= 3)
			{
				for (int at = 0; at < 3; at++)
				{
					uint64_t	from = at == 0 ? 0 : at == 1 ? bits - length :
						below((size_t) (bits - length));

					memset(set, 0, (size_t) bits);
					memset(set + from, 1, (size_t) length);
					check_bits(set, &s);
				}
				/* every so many */
				memset(set, 0, (size_t) bits);
				for (uint64_t i = below(8); i < bits; i += bits / length)
					set[i] = 1;
				check_bits(set, &s);
			}
			/* the most that a list may have, in as few cells as possible */
			memset(set, 0, (size_t) bits);
			memset(set + bits - bits / 8, 1, (size_t) (bits / 8));
			check_bits(set, &s);
			free(set);
		}
	}
}

/* Some megabytes: thousands of segments, by the keys that would be in it. */
TEST(large_filters)
{
	for (int family = 0; family <= 1; family++)
	{
		pds_bloom_shape s = shape_of(500000, 0.01, (uint8_t) family);
		uint8_t    *bits = oracle_bits(&s);
		uint64_t	n = 0;

		for (uint64_t to = 1; to < 300000; to = to * 13)
		{
			for (; n < to; n++)
				oracle_add(bits, &s, pds_murmur3_u64(n));
			check_bits(bits, &s);
		}
		free(bits);
	}
}

TEST(sizes_as_promised)
{
	for (int family = 0; family <= 1; family++)
	{
		pds_bloom_shape s = shape_of(100, 0.01, (uint8_t) family);
		pds_bloom_shape large = shape_of(1000000, 0.01, (uint8_t) family);
		size_t		longest = 0;

		/* a classic one of that size is Guava's */
		if (family == PDS_BLOOM_CLASSIC)
			CHECK(pds_bloom_shape_for(100, pds_decimal_code(0.01), PDS_BLOOM_AS_GUAVA, &s) ==
				  PDS_OK);
		for (int round = 0; round < 200; round++)
		{
			filter		f = filter_new(&s);
			filter		g = filter_new(&large);
			payload		stored;

			take_hashes(100);
			for (int i = 0; i < 100; i++)
				filter_add(&f, hashes[i]);
			/* 126 bytes are 168 characters of base64 */
			stored = filter_encode(&f);
			CHECK(stored.len <= 126);
			payload_free(&stored);
			for (int i = 0; i < 10; i++)
				filter_add(&g, hashes[i]);
			stored = filter_encode(&g);
			/* of a classic one already the information is 162 bytes */
			CHECK(stored.len <= (family == PDS_BLOOM_CLASSIC ? 200 : 150));
			if (stored.len > longest)
				longest = stored.len;
			payload_free(&stored);
			filter_free(&f);
			filter_free(&g);
		}
		printf("# ten keys of a million, %s: %zu bytes at most\n",
			   family == PDS_BLOOM_CLASSIC ? "classic" : "blocked", longest);
	}
}

/* A list of bits costs about what its information is, and less than the array. */
TEST(lists_are_near_their_information)
{
	for (int family = 0; family <= 1; family++)
	{
		pds_bloom_shape s = shape_of(1000000, 0.01, (uint8_t) family);
		filter		f = filter_new(&s);
		uint64_t	n = 0;

		for (uint64_t to = 100; to < 1000000; to *= 2)
		{
			payload		stored;
			pds_bloom_view v;
			double		m = (double) s.bits;
			double		x;
			double		information;

			for (; n < to; n++)
				filter_add(&f, pds_murmur3_u64(n));
			stored = filter_encode(&f);
			v = payload_view(&stored);
			CHECK(stored.len <= s.bits / 8 + PDS_BLOOM_MAX_PREFIX);
			if (v.encoding == PDS_BLOOM_SPARSE)
			{
				x = (double) v.count / m;
				information = m * (-x * log2(x) - (1 - x) * log2(1 - x)) / 8;
				/* of blocked bits it is less: they come in groups */
				CHECK((double) stored.len < information * 1.12 + 60);
			}
			payload_free(&stored);
		}
		filter_free(&f);
	}
}

/* A large value's head can be read alone. */
TEST(the_first_bytes_are_enough_for_the_head)
{
	for (int shape = 0; shape < ODD_SHAPES; shape++)
	{
		pds_bloom_shape s = odd_shape(shape);

		for (size_t n = 0; n < 20000; n = n * 6 + 1)
		{
			filter		f = filter_new(&s);
			payload		stored;
			payload		head;
			pds_bloom_view whole;
			pds_bloom_view part;
			size_t		len;

			take_hashes(n);
			for (size_t i = 0; i < n; i++)
				filter_add(&f, hashes[i]);
			stored = filter_encode(&f);
			whole = payload_view(&stored);
			CHECK(whole.data_at <= PDS_BLOOM_MAX_PREFIX);
			len = stored.len < PDS_BLOOM_MAX_PREFIX ? stored.len : PDS_BLOOM_MAX_PREFIX;
			head = payload_copy(stored.bytes, len);
			CHECK(pds_bloom_open(&part, head.bytes, len, stored.len, NULL) == PDS_OK);
			CHECK_U64(part.encoding, whole.encoding);
			CHECK_U64(part.kind, whole.kind);
			CHECK(pds_bloom_same_shape(&part.shape, &whole.shape));
			CHECK_U64(part.shape.capacity, s.capacity);
			CHECK_U64(part.shape.rate, s.rate);
			CHECK_U64(part.count, whole.count);
			CHECK_U64(part.used, whole.used);
			CHECK_U64(part.list.segments, whole.list.segments);
			CHECK_U64(part.len, stored.len);
			CHECK_U64(part.data_at, whole.data_at);
			payload_free(&head);
			payload_free(&stored);
			filter_free(&f);
		}
	}
	/* the longest head that there can be */
	{
		pds_bloom_shape s = shape_explicit(PDS_BLOOM_MAX_BITS, 40, PDS_BLOOM_CLASSIC);
		uint8_t		head[PDS_BLOOM_MAX_PREFIX];
		uint8_t		varint[10];

		s.capacity = INT64_MAX;
		s.rate = PDS_DECIMAL_CODES - 1;
		CHECK(pds_bloom_write_head(&s, PDS_BLOOM_SPARSE, PDS_KIND_NUMBER, head) +
			  oracle_varint(varint, s.bits / 8) + oracle_varint(varint, s.bits / 8) <=
			  PDS_BLOOM_MAX_PREFIX);
	}
}

/* All capacities and rates that tell the size: the head is enough to know it again. */
TEST(sizes_that_follow_are_found_again)
{
	for (int code = 1; code < PDS_DECIMAL_CODES; code += 13)
	{
		for (uint64_t capacity = 1; capacity < 30000; capacity += 1 + capacity / 9)
		{
			for (int family = 0; family <= 1; family++)
			{
				pds_bloom_shape s;
				pds_bloom_shape small;
				pds_bloom_view v;
				uint8_t		head[PDS_BLOOM_MAX_PREFIX];
				size_t		len;

				CHECK(pds_bloom_shape_for(capacity, (uint16_t) code, (uint8_t) family, &s) ==
					  PDS_OK);
				len = pds_bloom_write_head(&s, PDS_BLOOM_EMPTY, PDS_KIND_NONE, head);
				if (family == PDS_BLOOM_BLOCKED)
					CHECK((head[4] < 0x80) == (s.bits <= 4096));
				else
				{
					/* the textbook's size is left out, a larger one is not */
					bool		follows = pds_bloom_small_shape(capacity, (uint16_t) code,
						(uint8_t) family, &small) &&
						small.bits == s.bits;

					CHECK((head[4] < 0x80) == follows);
				}
				CHECK(pds_bloom_check(head, len, NULL) == PDS_OK);
				CHECK(pds_bloom_open(&v, head, len, len, NULL) == PDS_OK);
				CHECK(pds_bloom_same_shape(&v.shape, &s));
				CHECK_U64(v.shape.capacity, capacity);
				CHECK_U64(v.shape.rate, (uint64_t) code);
			}
		}
	}
}

SIGNATURE_OPENS(bloom)

TEST(a_signature_stands_behind_the_kind)
{
	for (uint64_t n = 1; n <= 1000; n *= 10)
	{
		pds_bloom_shape s;
		filter		f;
		payload		plain;
		payload		with;

		CHECK(pds_bloom_shape_for(1000, pds_decimal_code(0.01), PDS_BLOOM_BLOCKED, &s) == PDS_OK);
		f = filter_new(&s);
		for (uint64_t i = 0; i < n; i++)
			filter_add(&f, pds_murmur3_u64(i));
		plain = filter_encode(&f);
		pds_state_set_kind(f.b, SIGNED_KIND);
		with = filter_encode(&f);
		check_signature(&plain, &with, opens);
		payload_free(&plain);
		payload_free(&with);
		filter_free(&f);
	}
}
