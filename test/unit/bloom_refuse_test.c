/*
 * bloom_refuse_test.c: bytes that must not pass for a Bloom filter, and that what
 * does pass is the only way of writing it
 */
#include "bloom_made.h"
#include "refuse.h"

/* Of every shape: empty, few bits, and more and more of them. */
static payload
example(int number)
{
	const size_t fills[] = {0, 1, 8, 100, 1000, 3000};
	const int	n = (int) (sizeof(fills) / sizeof(fills[0]));
	pds_bloom_shape s = odd_shape(number / n);
	size_t		fill = fills[number % n];

	/* each bit of a large one is a large union */
	return stored_keys(&s, s.bits > 100000 && fill > 8 ? 8 : fill);
}

static const refuse_target the_target = {
	.ops = &pds_bloom_ops,
	.example = example,
	.examples = ODD_SHAPES * 6,
	.encodings = 0x7,
	.classes = 1,
	.least = {0},
	.most = {100},
};

/* ---------- heads ---------- */

TEST(types_and_versions_that_are_refused)
{
	made		m = explicit_head(0, 0, 7, 15);

	CHECK(!made_refused(&m));
	for (int byte = 0; byte < 256; byte++)
	{
		m.bytes[0] = (uint8_t) byte;
		CHECK(made_refused(&m) == (byte != 0x21));
	}
}

TEST(families_and_encodings_that_are_refused)
{
	for (int shape = 0; shape < 2; shape++)
	{
		pds_bloom_shape s = odd_shape(shape);

		/* one that need not say its size */
		if (shape == 1)
			CHECK(pds_bloom_shape_for(100, s.rate, PDS_BLOOM_AS_GUAVA, &s) == PDS_OK);
		for (int n = 0; n < 3; n++)
		{
			payload		stored = stored_keys(&s, n == 0 ? 0 : n == 1 ? 3 : 100);
			uint8_t		was = stored.bytes[1];

			CHECK_U64(was & 15, (uint64_t) n);
			for (int byte = 0; byte < 256; byte++)
			{
				stored.bytes[1] = (uint8_t) byte;
				/* the other layout is as good */
				CHECK(refused(stored.bytes, stored.len) ==
					  !((byte & 15) == n && byte >> 4 <= 1));
			}
			payload_free(&stored);
		}
	}
}

TEST(kinds_of_value_that_are_refused)
{
	pds_bloom_shape s = odd_shape(0);

	for (int n = 0; n < 3; n++)
	{
		payload		stored = stored_keys(&s, n == 0 ? 0 : n == 1 ? 3 : 100);

		for (int kind = 0; kind < 256; kind++)
		{
			/* with a signature it would be longer: test/unit/header_test.c */
			if (pds_kind_has_signature((uint8_t) kind))
				continue;
			stored.bytes[2] = (uint8_t) kind;
			CHECK(refused(stored.bytes, stored.len) ==
				  (!kind_of_one_byte(kind) || (kind == PDS_KIND_NONE) != (n == 0)));
		}
		payload_free(&stored);
	}
}

TEST(rates_that_are_refused)
{
	for (int rate = 0; rate < 0x10000; rate++)
	{
		made		m = head_of(1, PDS_BLOOM_EMPTY, PDS_KIND_NONE, rate);
		int			code = rate & 0x7fff;

		put_number(&m, 10);
		if (rate < 0x8000)
		{
			/* a rate of 0 tells no size */
			CHECK(made_refused(&m) == (code == 0 || code >= PDS_DECIMAL_CODES));
			continue;
		}
		put_byte(&m, 7);
		put_number(&m, 150);
		CHECK(made_refused(&m) == (code >= PDS_DECIMAL_CODES));
	}
}

TEST(capacities_that_are_refused)
{
	const uint64_t most = INT64_MAX;
	made		m;

	for (int explicit = 0; explicit <= 1; explicit++)
	{
		for (int c = 0; c < 6; c++)
		{
			const uint64_t capacity[] = {10, most, most + 1, UINT64_MAX, 0, 1000};

			m = head_of(0, PDS_BLOOM_EMPTY, PDS_KIND_NONE, explicit << 15 | pds_decimal_code(0.01));
			put_number(&m, capacity[c]);
			if (explicit)
			{
				put_byte(&m, 7);
				put_number(&m, 16);
			}
			/* 0 and those that are too large tell no size that could be left out */
			CHECK(made_refused(&m) == (explicit ? capacity[c] > most : c > 0));
		}
		/* in more bytes than it takes, and in more than there are */
		m = head_of(0, PDS_BLOOM_EMPTY, PDS_KIND_NONE, explicit << 15 | pds_decimal_code(0.01));
		put_long_number(&m, 10);
		if (explicit)
		{
			put_byte(&m, 7);
			put_number(&m, 16);
		}
		CHECK(made_refused(&m));
		m = head_of(0, PDS_BLOOM_EMPTY, PDS_KIND_NONE, explicit << 15 | pds_decimal_code(0.01));
		for (int i = 0; i < 30; i++)
		{
			CHECK(made_refused(&m));
			put_byte(&m, 0xff);
		}
	}
}

TEST(explicit_sizes_that_are_refused)
{
	const uint64_t most = PDS_BLOOM_MAX_BITS / 64;
	made		m;

	for (int family = 0; family <= 1; family++)
	{
		for (int hashes = 0; hashes < 256; hashes++)
		{
			m = explicit_head(family, 0, hashes, 15);
			CHECK(made_refused(&m) == (hashes < 1 || hashes > PDS_BLOOM_MAX_HASHES));
		}
		for (uint64_t words = 0; words < 300; words++)
		{
			m = explicit_head(family, 0, 7, words);
			CHECK(made_refused(&m) ==
				  (words == 0 || (family == PDS_BLOOM_BLOCKED && words > 64 && words % 8 != 0)));
		}
		m = explicit_head(family, 0, 7, most);
		CHECK(!made_refused(&m));
		m = explicit_head(family, 0, 7, most + 8);
		CHECK(made_refused(&m));
		/* 64 times this is 64 again in 64 bits */
		m = explicit_head(family, 0, 7, (UINT64_C(1) << 58) + 1);
		CHECK(made_refused(&m));
		m = explicit_head(family, 0, 7, UINT64_MAX);
		CHECK(made_refused(&m));
		m = head_of(family, PDS_BLOOM_EMPTY, PDS_KIND_NONE, 0x8000);
		put_number(&m, 0);
		put_byte(&m, 7);
		put_long_number(&m, 15);
		CHECK(made_refused(&m));
	}
}

/* A size that follows from capacity and rate is not written, and one that does not is. */
TEST(sizes_that_are_said_in_the_other_way_are_refused)
{
	for (int family = 0; family <= 1; family++)
	{
		pds_bloom_shape s = shape_of(100, 0.01, (uint8_t) family);

		if (family == PDS_BLOOM_CLASSIC)
			CHECK(pds_bloom_shape_for(100, s.rate, PDS_BLOOM_AS_GUAVA, &s) == PDS_OK);
		for (int hashes = 6; hashes <= 8; hashes++)
		{
			for (uint64_t words = 14; words <= 16; words++)
			{
				made		m = head_of(family, PDS_BLOOM_EMPTY, PDS_KIND_NONE, 0x8000 | s.rate);

				put_number(&m, 100);
				put_byte(&m, hashes);
				put_number(&m, words);
				CHECK(made_refused(&m) == (hashes == s.hashes && words * 64 == s.bits));
			}
		}
		/* 4,160 bits, or 4,608 in blocks */
		{
			made		m = head_of(family, PDS_BLOOM_EMPTY, PDS_KIND_NONE, s.rate);

			put_number(&m, 428);
			CHECK(made_refused(&m));
			m = head_of(family, PDS_BLOOM_EMPTY, PDS_KIND_NONE, s.rate);
			put_number(&m, 427);
			CHECK(!made_refused(&m));
		}
	}
}

/* ---------- arrays ---------- */

TEST(arrays_that_are_refused)
{
	for (int family = 0; family <= 1; family++)
	{
		for (uint64_t words = 1; words <= 64; words *= 2)
		{
			made		m = explicit_head(family, 0, 7, words);
			size_t		head = m.len;

			m.bytes[1] |= PDS_BLOOM_ARRAY;
			m.bytes[2] = PDS_KIND_NUMBER;
			memset(m.bytes + head, 0xff, 8 * 64 + 8);
			for (size_t len = 0; len <= words * 8 + 8; len++)
				CHECK(refused(m.bytes, head + len) == (len != words * 8));
			/* one bit in eight and none more would be a list */
			m.len = head + words * 8;
			memset(m.bytes + head, 0x10, words * 8);
			CHECK(made_refused(&m));
			m.bytes[head + below(words * 8)] |= 1;
			CHECK(!made_refused(&m));
			CHECK(written_again_the_same(m.bytes, m.len));
			memset(m.bytes + head, 0, words * 8);
			CHECK(made_refused(&m));
		}
	}
}
