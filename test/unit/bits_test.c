/*
 * bits_test.c: base/bits, loads and stores and the bit stream
 */
#include "test.h"

#include <stdlib.h>

#include "bits.h"

TEST(loads_and_stores_are_little_endian)
{
	static const uint8_t bytes[] = {0xff, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88};
	uint8_t		out[9] = {0};

	/* from an odd address */
	CHECK_U64(pds_load_le64(bytes + 1), UINT64_C(0x8807060504030201));
	CHECK_U64(pds_load_le32(bytes + 1), 0x04030201);
	pds_store_le64(out + 1, UINT64_C(0x8807060504030201));
	CHECK_BYTES(out + 1, bytes + 1, 8);
	memset(out, 0, sizeof(out));
	pds_store_le32(out + 1, 0x04030201);
	CHECK_BYTES(out + 1, bytes + 1, 4);
	CHECK_U64(out[5], 0);
	memset(out, 0, sizeof(out));
	pds_store_le16(out + 1, 0x0201);
	CHECK_BYTES(out + 1, bytes + 1, 2);
	CHECK_U64(out[3], 0);
}

TEST(bit_counts)
{
	for (int i = 0; i < 64; i++)
	{
		uint64_t	bit = UINT64_C(1) << i;

		CHECK_U64((uint64_t) pds_ctz64(bit | (test_random() & ~(bit - 1))), (uint64_t) i);
		CHECK_U64((uint64_t) pds_log2_64(bit | (test_random() & (bit - 1))), (uint64_t) i);
		CHECK_U64((uint64_t) pds_popcount64(bit - 1), (uint64_t) i);
		if (i < 32)
			CHECK_U64((uint64_t) pds_ctz32((uint32_t) bit), (uint64_t) i);
	}
}

/* One item of a stream: a number in so many bits, or (width -1) in unary. */
typedef struct item
{
	int			width;
	uint64_t	value;
} item;

#define ITEMS 400

/* Up to 32 bits an item, what get() reads at once; unary ones up to 200. */
static int
random_items(item *items)
{
	int			n = (int) (test_random() % ITEMS);

	for (int i = 0; i < n; i++)
	{
		if (test_random() % 4 == 0)
		{
			items[i].width = -1;
			items[i].value = test_random() % (test_random() % 8 == 0 ? 200 : 6);
		}
		else
		{
			items[i].width = (int) (test_random() % 33);
			items[i].value = test_random() & ((UINT64_C(1) << items[i].width) - 1);
		}
	}
	return n;
}

/* Returns the number of bits written. */
static size_t
write_items(const item *items, int n, uint8_t *out, size_t *bytes)
{
	pds_bit_writer w;
	size_t		bits = 0;

	pds_bits_open(&w, out);
	for (int i = 0; i < n; i++)
	{
		if (items[i].width < 0)
			pds_bits_put_unary(&w, items[i].value);
		else
			pds_bits_put(&w, items[i].value, items[i].width);
		bits += items[i].width < 0 ? items[i].value + 1 : (size_t) items[i].width;
	}
	*bytes = pds_bits_close(&w);
	return bits;
}

static bool
read_item(pds_bit_reader *r, const item *it)
{
	uint64_t	got = it->width < 0 ? pds_bits_get_unary(r) : pds_bits_get(r, it->width);

	return got == it->value && !r->overrun;
}

/* A buffer of exactly so many bytes, so that the sanitizer sees its end. */
static uint8_t *
exactly(const uint8_t *bytes, size_t len)
{
	uint8_t    *copy = malloc(len > 0 ? len : 1);

	if (copy == NULL)
		abort();
	memcpy(copy, bytes, len);
	return copy;
}

TEST(stream_round_trips)
{
	static item items[ITEMS];
	static uint8_t out[ITEMS * 32];

	for (int round = 0; round < 2000; round++)
	{
		int			n = random_items(items);
		size_t		len;
		size_t		bits = write_items(items, n, out, &len);
		uint8_t    *copy = exactly(out, len);
		pds_bit_reader r;

		CHECK_U64(len, (bits + 7) / 8);
		pds_bits_from(&r, copy, len);
		for (int i = 0; i < n; i++)
			CHECK(read_item(&r, &items[i]));
		CHECK(pds_bits_at_end(&r));
		CHECK(!r.overrun);
		free(copy);
	}
}

/* One byte off the end: some item must be missed, and none read wrongly. */
TEST(cut_off_streams_say_so)
{
	static item items[ITEMS];
	static uint8_t out[ITEMS * 32];

	for (int round = 0; round < 2000; round++)
	{
		int			n = random_items(items);
		size_t		len;
		size_t		bits = write_items(items, n, out, &len);
		uint8_t    *copy;
		size_t		seen = 0;
		pds_bit_reader r;

		if (len == 0)
			continue;
		len -= 1 + test_random() % len;
		copy = exactly(out, len);
		pds_bits_from(&r, copy, len);
		for (int i = 0; i < n; i++)
		{
			size_t		need = items[i].width < 0 ? items[i].value + 1 : (size_t) items[i].width;

			if (seen + need <= len * 8)
				CHECK(read_item(&r, &items[i]));
			else
			{
				/* the bits are not there: zero, and remembered */
				if (items[i].width < 0)
					CHECK_U64(pds_bits_get_unary(&r), 0);
				else
					CHECK_U64(pds_bits_get(&r, items[i].width), 0);
				CHECK(r.overrun);
				break;
			}
			seen += need;
		}
		CHECK(r.overrun || bits <= len * 8);
		CHECK(!r.overrun || !pds_bits_at_end(&r));
		free(copy);
	}
}

TEST(reading_nothing)
{
	pds_bit_reader r;

	pds_bits_from(&r, NULL, 0);
	CHECK(pds_bits_at_end(&r));
	CHECK_U64(pds_bits_get(&r, 0), 0);
	CHECK(!r.overrun);
	CHECK_U64(pds_bits_get(&r, 1), 0);
	CHECK(r.overrun);
	CHECK(!pds_bits_at_end(&r));

	pds_bits_from(&r, NULL, 0);
	CHECK_U64(pds_bits_get_unary(&r), 0);
	CHECK(r.overrun);
}

TEST(unary_without_its_one)
{
	static const uint8_t zeros[20];

	for (size_t len = 0; len <= sizeof(zeros); len++)
	{
		pds_bit_reader r;

		pds_bits_from(&r, zeros, len);
		CHECK_U64(pds_bits_get_unary(&r), 0);
		CHECK(r.overrun);
	}
}

TEST(unary_of_any_length_after_any_offset)
{
	for (uint64_t n = 0; n < 200; n++)
		for (int offset = 0; offset < 32; offset++)
		{
			uint8_t		out[64];
			size_t		len;
			uint8_t    *copy;
			pds_bit_writer w;
			pds_bit_reader r;

			pds_bits_open(&w, out);
			pds_bits_put(&w, (UINT64_C(1) << offset) - 1, offset);
			pds_bits_put_unary(&w, n);
			pds_bits_put(&w, 5, 3);
			len = pds_bits_close(&w);
			copy = exactly(out, len);
			pds_bits_from(&r, copy, len);
			CHECK_U64(pds_bits_get(&r, offset), (UINT64_C(1) << offset) - 1);
			CHECK_U64(pds_bits_get_unary(&r), n);
			CHECK_U64(pds_bits_get(&r, 3), 5);
			CHECK(pds_bits_at_end(&r));
			free(copy);
		}
}

/* What is left over must be less than a byte, and zeros. */
TEST(padding)
{
	for (int used = 0; used <= 24; used++)
		for (size_t len = 0; len <= 6; len++)
			for (int dirty = -1; dirty < (int) len * 8; dirty++)
			{
				uint8_t		bytes[6] = {0};
				uint8_t    *copy;
				pds_bit_reader r;
				bool		want;

				if ((size_t) used > len * 8)
					continue;
				if (dirty >= 0)
					bytes[dirty / 8] = (uint8_t) (1 << (dirty % 8));
				copy = exactly(bytes, len);
				pds_bits_from(&r, copy, len);
				pds_bits_get(&r, used);
				want = len * 8 - (size_t) used < 8 && dirty < used;
				CHECK(pds_bits_at_end(&r) == want);
				free(copy);
			}
}

/* put() takes up to 56 bits at once. */
TEST(wide_puts)
{
	for (int width = 33; width <= 56; width++)
		for (int offset = 0; offset < 8; offset++)
		{
			uint8_t		out[16];
			uint64_t	v = test_random() & ((UINT64_C(1) << width) - 1);
			uint64_t	low;
			uint64_t	high;
			pds_bit_writer w;
			pds_bit_reader r;

			pds_bits_open(&w, out);
			pds_bits_put(&w, 0, offset);
			pds_bits_put(&w, v, width);
			CHECK_U64((uint64_t) pds_bits_close(&w), (uint64_t) (offset + width + 7) / 8);
			pds_bits_from(&r, out, (size_t) (offset + width + 7) / 8);
			CHECK_U64(pds_bits_get(&r, offset), 0);
			low = pds_bits_get(&r, 32);
			high = pds_bits_get(&r, width - 32);
			CHECK_U64(low | high << 32, v);
		}
}
