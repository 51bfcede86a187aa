/*
 * hll_refuse_test.c: bytes that must not pass for a HyperLogLog sketch, and that
 * what does pass is the only way of writing it
 */
#include "test.h"
#include "hll.h"
#include "refuse.h"

#include "hll_oracle.h"

#define LOWEST	PDS_HLL_MIN_PRECISION
#define HIGHEST	PDS_HLL_MAX_PRECISION

/* Of every precision: empty, few values, lists to the brim and registers from then on. */
static payload
example(int number)
{
	int			p = LOWEST + number / 16;
	size_t		limit = pds_hll_max_tokens(p);
	const size_t fills[8] = {0, 1, 10, limit / 2, limit - limit / 50, 2 * limit + 10, 20 * limit,
		1000 * limit};
	size_t		n = fills[number / 2 % 8];

	/* (even numbers are lists, odd ones registers, where there can be either) */
	if (number % 2 == 1 && n <= limit)
		n = 2 * limit + 10 + n;
	if (number % 2 == 0 && n > limit)
		n = limit / 3;
	if (n > (p > 14 ? 820 : 60000))
		n = p > 14 ? 820 : 60000;
	return payload_of_integers(p, test_random(), n);
}

static const refuse_target the_target = {
	.ops = &pds_hll_ops,
	.example = example,
	.examples = (HIGHEST - LOWEST + 1) * 16,
	.encodings = 0x7,
	.classes = 2,
	.least = {0, 0},
	.most = {100, 100},
};

TEST(heads_that_are_refused)
{
	sketch		s = sketch_new(10);
	payload		stored;
	uint8_t		keep;

	sketch_add_integers(&s, 0, 50);
	stored = sketch_encode(&s);
	CHECK(!refused(stored.bytes, stored.len));

#define REFUSED_WITH(at, value) \
	do { \
		keep = stored.bytes[at]; \
		stored.bytes[at] = (uint8_t) (value); \
		CHECK(refused(stored.bytes, stored.len)); \
		stored.bytes[at] = keep; \
	} while (0)

	for (int value = 0; value < 256; value++)
	{
		/* type and version, family and encoding */
		if (value != 0x11)
			REFUSED_WITH(0, value);
		/* two families have tokens of integers */
		if (value != PDS_HLL_SPARSE && value != (PDS_HLL_INT32 << 4 | PDS_HLL_SPARSE))
			REFUSED_WITH(1, value);
		if (!kind_of_one_byte(value) || value == PDS_KIND_NONE)
			REFUSED_WITH(2, value);
		if (value < LOWEST || value > HIGHEST)
			REFUSED_WITH(3, value);
	}
	/* 50 tokens are too many at precision 8, and 0 are none */
	REFUSED_WITH(3, 8);
	REFUSED_WITH(4, 0);
	payload_free(&stored);

	/* nothing in it, but a kind or a byte */
	sketch_free(&s);
	s = sketch_new(10);
	stored = sketch_encode(&s);
	CHECK_U64(stored.len, 4);
	CHECK_U64(stored.bytes[2], PDS_KIND_NONE);
	REFUSED_WITH(2, PDS_KIND_NUMBER);
	REFUSED_WITH(1, PDS_HLL_SPARSE);
	REFUSED_WITH(1, PDS_HLL_DENSE);
	payload_free(&stored);
	sketch_free(&s);
#undef REFUSED_WITH
}

/* One token more than its precision takes is one too many. */
TEST(token_lists_that_are_too_long_are_refused)
{
	for (int p = LOWEST; p < HIGHEST; p++)
	{
		for (uint32_t more = 0; more <= 1; more++)
		{
			sketch		s = sketch_new(p + 1);
			payload		stored;

			/* cells that have no rank at either precision */
			for (uint32_t i = 0; i < pds_hll_max_tokens(p) + more; i++)
				sketch_add(&s, (UINT64_C(2) << p) + i * 7);
			stored = sketch_encode(&s);
			CHECK(!refused(stored.bytes, stored.len));
			stored.bytes[3] = (uint8_t) p;
			CHECK(refused(stored.bytes, stored.len) == (more == 1));
			payload_free(&stored);
			sketch_free(&s);
		}
	}
}

/* Token lists made by hand: count, then one Rice code after the other. */
static size_t
one_token(uint8_t *out, int p, uint64_t cell, int rank)
{
	bit_list	list;

	memset(out, 0, 32);
	out[0] = 0x11;
	out[1] = PDS_HLL_SPARSE;
	out[2] = PDS_KIND_NUMBER;
	out[3] = (uint8_t) p;
	out[4] = 1;
	list.bytes = out + 5;
	list.bits = 0;
	for (uint64_t zero = 0; zero < cell >> 25; zero++)
		bit_list_put(&list, 0, 1);
	bit_list_put(&list, 1, 1);
	bit_list_put(&list, cell, 25);
	if (rank >= 0)
		bit_list_put(&list, (uint64_t) rank, 6);
	return 5 + (list.bits + 7) / 8;
}

TEST(cells_and_ranks_out_of_range_are_refused)
{
	uint8_t		out[64];

	for (int rank = 0; rank < 64; rank++)
	{
		size_t		len = one_token(out, 14, 7, rank);

		CHECK(refused(out, len) == (rank < 1 || rank > 39));
	}
	/* a cell that tells its rank has none written */
	CHECK(!refused(out, one_token(out, 14, 1 << 14, -1)));
	CHECK(refused(out, one_token(out, 14, 1 << 14, 1)));
	CHECK(refused(out, one_token(out, 14, (1 << 14) - 1, -1)));
	CHECK(!refused(out, one_token(out, 14, (1 << 26) - 1, -1)));
	CHECK(refused(out, one_token(out, 14, 1 << 26, -1)));
	CHECK(refused(out, one_token(out, 14, UINT64_C(100) << 25, -1)));
	/* a number of tokens in two bytes where one does */
	memmove(out + 6, out + 5, 20);
	(void) one_token(out, 14, 1 << 20, -1);
	out[4] = 0x81;
	out[5] = 0;
	CHECK(refused(out, 10));
}

/* The same registers in a second way: each must be refused. */
TEST(a_second_way_of_writing_is_refused)
{
	uint8_t		registers[1024];
	payload		stored;
	pds_hll_view v;
	uint8_t    *planes;
	size_t		w = 128;
	uint8_t    *escapes;
	uint8_t    *exceptions;

	/* base 3; register 5 is just below it, 900 just above, 1000 far above */
	for (int i = 0; i < 1024; i++)
		registers[i] = (uint8_t) (3 + i % 7);
	registers[5] = 2;
	registers[900] = 11;
	registers[1000] = 40;
	stored = oracle_dense(registers, 10);
	v = payload_view(&stored);
	planes = stored.bytes + (v.data - stored.bytes);
	escapes = planes + 3 * w;
	exceptions = escapes + 1;
	CHECK_U64((size_t) (exceptions + 2 - stored.bytes), stored.len);
	CHECK_U64(escapes[0], 40);

	/* padding */
	escapes[0] |= 0x40;
	CHECK(refused(stored.bytes, stored.len));
	escapes[0] = 40;
	exceptions[1] |= 0x80;
	CHECK(refused(stored.bytes, stored.len));
	exceptions[1] &= 0x7f;
	/* an escape that has a code: 11, and the code an escape's */
	CHECK_U64(exceptions[0] >> 3 & 7, 3);
	exceptions[0] |= 7 << 3;
	CHECK(refused(stored.bytes, stored.len));
	exceptions[0] = (uint8_t) ((exceptions[0] & ~(7 << 3)) | 3 << 3);
	CHECK(!refused(stored.bytes, stored.len));
	/* values of two exceptions exchanged: another sketch, which is fine */
	exceptions[0] = (uint8_t) ((exceptions[0] & ~0x3f) | 3 | 0 << 3);
	CHECK(!refused(stored.bytes, stored.len));
	CHECK(written_again_the_same(stored.bytes, stored.len));
	/* an escape below the registers' range or above it */
	escapes[0] = 56;
	CHECK(refused(stored.bytes, stored.len));
	escapes[0] = 0;
	CHECK(refused(stored.bytes, stored.len));
	payload_free(&stored);
}

/* A count of register values that is split or padded. */
TEST(histograms_that_are_refused)
{
	uint8_t		registers[256];
	payload		stored;
	uint8_t		out[400];

	for (int i = 0; i < 256; i++)
		registers[i] = (uint8_t) (2 + i % 2);
	stored = oracle_dense(registers, 8);
	memcpy(out, stored.bytes, stored.len);
	CHECK_U64(stored.bytes[4], 2);
	CHECK_U64(stored.bytes[5], 3);
	CHECK(!refused(out, stored.len));

	/* 128 is 80 01; as 80 81 00 it would be the same */
	memmove(out + 9, out + 8, stored.len - 8);
	out[6] = 0x80;
	out[7] = 0x81;
	out[8] = 0x00;
	CHECK(refused(out, stored.len + 1));

	/* a value that does not occur at either end */
	memcpy(out, stored.bytes, 4);
	out[4] = 1;
	out[5] = 3;
	out[6] = 0;
	memcpy(out + 7, stored.bytes + 6, stored.len - 6);
	CHECK(refused(out, stored.len + 1));
	out[4] = 2;
	out[5] = 4;
	memcpy(out + 6, stored.bytes + 6, 4);
	out[10] = 0;
	memcpy(out + 11, stored.bytes + 10, stored.len - 10);
	CHECK(refused(out, stored.len + 1));

	/* all registers 0 would be an empty sketch */
	memset(out, 0, sizeof(out));
	memcpy(out, stored.bytes, 4);
	out[6] = 0x80;
	out[7] = 0x02;
	CHECK(refused(out, 8 + 96));

	/* values that this precision cannot have, sums that are too large or small */
	memcpy(out, stored.bytes, stored.len);
	out[5] = (uint8_t) (pds_hll_max_rank(8) + 1);
	CHECK(refused(out, stored.len));
	out[5] = 1;
	CHECK(refused(out, stored.len));
	out[5] = 3;
	out[6] = 0x81;
	CHECK(refused(out, stored.len));
	out[6] = 0x80;
	out[7] = 0x00;
	CHECK(refused(out, stored.len));
	memset(out + 6, 0xff, 100);
	CHECK(refused(out, stored.len));
	payload_free(&stored);
}
