/*
 * varint_test.c: base/varint, round trips and what must be refused
 */
#include "test.h"

#include "varint.h"

static void
round_trip(uint64_t v, size_t bytes)
{
	uint8_t		buf[PDS_VARINT_MAX_BYTES + 1];
	uint64_t	back = ~v;
	size_t		n;

	memset(buf, 0xee, sizeof(buf));
	n = pds_varint_put(buf, v);
	CHECK_U64(n, bytes);
	CHECK_U64(buf[n], 0xee);
	CHECK_U64(pds_varint_get(buf, sizeof(buf), &back), n);
	CHECK_U64(back, v);

	/* exactly enough bytes, then cut off at each place */
	CHECK_U64(pds_varint_get(buf, n, &back), n);
	for (size_t cut = 0; cut < n; cut++)
		CHECK_U64(pds_varint_get(buf, cut, &back), 0);
}

TEST(round_trips_at_each_length)
{
	round_trip(0, 1);
	for (int bits = 1; bits <= 64; bits++)
	{
		uint64_t	top = UINT64_C(1) << (bits - 1);

		round_trip(top, (size_t) (bits + 6) / 7);
		round_trip(top | (top - 1), (size_t) (bits + 6) / 7);
		for (int i = 0; i < 100; i++)
			round_trip(top | (test_random() & (top - 1)), (size_t) (bits + 6) / 7);
	}
}

TEST(known_bytes)
{
	static const uint8_t want[] = {0xac, 0x02};
	uint8_t		buf[PDS_VARINT_MAX_BYTES];

	CHECK_U64(pds_varint_put(buf, 300), 2);
	CHECK_BYTES(buf, want, 2);
}

/* One number, one form: else equal sketches could be unequal bytes. */
TEST(longer_than_need_be_is_refused)
{
	for (size_t len = 2; len <= 12; len++)
	{
		uint8_t		buf[12];
		uint64_t	v;

		memset(buf, 0x80, sizeof(buf));
		buf[len - 1] = 0;
		CHECK_U64(pds_varint_get(buf, len, &v), 0);
		buf[0] = 0x81;
		CHECK_U64(pds_varint_get(buf, len, &v), 0);
	}
}

TEST(more_than_64_bits_are_refused)
{
	uint8_t		buf[12];
	uint64_t	v;

	memset(buf, 0xff, sizeof(buf));
	buf[9] = 0x01;
	CHECK_U64(pds_varint_get(buf, 10, &v), 10);
	CHECK_U64(v, UINT64_MAX);
	for (int last = 2; last < 256; last++)
	{
		buf[9] = (uint8_t) last;
		CHECK_U64(pds_varint_get(buf, 10, &v), 0);
	}
	/* eleven bytes */
	buf[9] = 0x81;
	buf[10] = 0x01;
	CHECK_U64(pds_varint_get(buf, 11, &v), 0);
	/* no end at all */
	memset(buf, 0x80, sizeof(buf));
	CHECK_U64(pds_varint_get(buf, sizeof(buf), &v), 0);
}

/* Whatever is accepted is what put() would have written. */
TEST(accepted_bytes_are_canonical)
{
	for (int i = 0; i < 100000; i++)
	{
		uint8_t		in[11];
		uint8_t		out[PDS_VARINT_MAX_BYTES];
		uint64_t	v;
		size_t		n;

		for (size_t j = 0; j < sizeof(in); j++)
			in[j] = (uint8_t) (test_random() | ((test_random() & 3) != 0 ? 0x80 : 0));
		n = pds_varint_get(in, sizeof(in), &v);
		if (n == 0)
			continue;
		CHECK_U64(pds_varint_put(out, v), n);
		CHECK_BYTES(out, in, n);
	}
}
