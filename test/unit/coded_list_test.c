/*
 * coded_list_test.c: base/coded_list, codes of numbers of any size, and lists with a plain array
 * to compare them with
 */
#include <stdlib.h>

#include "test.h"

#include "coded_list.h"

/* Numbers of all sizes, and those beside powers of 2. */
static uint64_t
some_number(void)
{
	uint64_t	v = test_random() >> (1 + test_random() % 63);

	if (v == 0 || test_random() % 2 == 0)
		return v;
	return (UINT64_C(1) << pds_log2_64(v)) - test_random() % 2;
}

TEST(codes_are_read_as_they_were_written)
{
	static uint8_t out[1 << 16];
	uint64_t	numbers[200];
	int			parameters[200];

	for (int round = 0; round < 2000; round++)
	{
		int			n = 1 + (int) (test_random() % 200);
		pds_bit_writer w;
		pds_bit_reader r;
		size_t		len;
		uint64_t	v;
		bool		all = true;

		pds_bits_open(&w, out);
		for (int i = 0; i < n; i++)
		{
			numbers[i] = some_number() >> (round % 3 == 0 ? 0 : 40);
			/* a Rice code of up to 200 zeros */
			parameters[i] = numbers[i] < 200 ? 0 : pds_log2_64(numbers[i] / 100);
			parameters[i] += (int) (test_random() % (uint64_t) (62 - parameters[i]));
			pds_put_rice(&w, numbers[i], parameters[i]);
			pds_put_golomb(&w, numbers[i] + 1, parameters[i]);
		}
		len = pds_bits_close(&w);
		pds_bits_from(&r, out, len);
		for (int i = 0; i < n; i++)
		{
			all = all && pds_get_rice(&r, parameters[i], &v) && v == numbers[i];
			all = all && pds_get_golomb(&r, parameters[i], &v) && v == numbers[i] + 1;
		}
		CHECK(all && pds_bits_at_end(&r));
	}
}

TEST(codes_that_are_no_number_are_refused)
{
	uint8_t		bytes[40] = {0};
	pds_bit_reader r;
	uint64_t	v;

	/* no end, cut off, too many zeros for the code */
	pds_bits_from(&r, bytes, sizeof(bytes));
	CHECK(!pds_get_rice(&r, 3, &v));
	bytes[0] = 1;
	pds_bits_from(&r, bytes, 1);
	CHECK(!pds_get_rice(&r, 8, &v));
	bytes[0] = 0;
	bytes[8] = 1;
	pds_bits_from(&r, bytes, sizeof(bytes));
	CHECK(!pds_get_golomb(&r, 0, &v));
	pds_bits_from(&r, bytes + 1, sizeof(bytes) - 1);
	CHECK(pds_get_golomb(&r, 0, &v) && v == UINT64_C(1) << 56);
	/* above 2^63 - 1 */
	pds_bits_from(&r, bytes + 1, sizeof(bytes) - 1);
	CHECK(!pds_get_rice(&r, 58, &v));
}

/* A list of numbers at random places, some far from each other, and where each place is. */
#define PLACES	5000

static uint64_t numbers[PLACES];

static size_t
make_list(pds_coded_list *l, uint8_t *out, uint64_t used, int log_most, uint64_t *n)
{
	pds_coded_writer w;
	size_t		len;

	memset(numbers, 0, sizeof(numbers));
	for (uint64_t i = 0; i < used; i++)
		numbers[test_random() % PLACES] = 1 + (some_number() >> 44);
	*n = 0;
	for (uint64_t i = 0; i < PLACES; i++)
		*n += numbers[i] > 0;
	*l = pds_coded_layout(PLACES, *n, log_most, 0, pds_rice_parameter(PLACES, *n));
	l->order = 2;
	pds_coded_begin(&w, l, out);
	for (uint64_t i = 0; i < PLACES; i++)
		if (numbers[i] > 0)
		{
			pds_put_rice(&w.bits, pds_coded_gap(&w, i), l->rice);
			pds_put_golomb(&w.bits, numbers[i], l->order);
		}
	len = pds_coded_end(&w);
	CHECK(pds_coded_found_at(l, 0, len));
	return len;
}

static const uint8_t *
fetch(void *payload, size_t offset, size_t len)
{
	(void) len;
	return (uint8_t *) payload + offset;
}

TEST(lists_are_walked_looked_up_and_compared)
{
	for (int round = 0; round < 300; round++)
	{
		size_t		space = PLACES * 64;
		uint8_t    *out = calloc(space, 2);
		uint8_t    *other = out + space;
		pds_coded_list l;
		pds_coded_reader r;
		uint64_t	n;
		uint64_t	place;
		uint64_t	number;
		uint64_t	seen = 0;
		size_t		len = make_list(&l, out, 1 + test_random() % (round % 2 == 0 ? 5 : PLACES),
									(int) (test_random() % 10), &n);

		pds_coded_start(&r, &l, out);
		while (pds_coded_walk(&r, pds_coded_get_golomb, &place, &number))
			seen += place < PLACES && numbers[place] == number;
		CHECK(!r.corrupt && seen == n);
		for (int i = 0; i < 50; i++)
		{
			uint64_t	at[3] = {test_random() % PLACES};
			uint64_t	want;
			uint64_t	least;

			at[1] = at[0] + test_random() % (PLACES - at[0]);
			at[2] = at[1] + test_random() % (PLACES - at[1]);
			want = numbers[at[0]] < numbers[at[1]] ? numbers[at[0]] : numbers[at[1]];
			want = want < numbers[at[2]] ? want : numbers[at[2]];
			CHECK(pds_coded_least(&r, &l, pds_coded_get_golomb, at, 3, fetch, out, &least) ==
				  PDS_OK);
			CHECK_U64(least, want);
		}

		/* another byte at the end, and so in the last segment that has some */
		memcpy(other, out, len);
		other[len - 1] ^= 1;
		for (uint64_t i = 0; i < PLACES; i += 97)
		{
			uint64_t	segment = i >> l.shift;
			size_t		from = segment > 0 ? pds_load_le32(out + 4 * (segment - 1)) : 0;
			size_t		to = segment < l.segments - 1 ? pds_load_le32(out + 4 * segment) :
				l.data_len;

			CHECK(pds_coded_same(&l, &i, 1, out, other) == (from == to || to < l.data_len));
		}
		/* a directory that goes beyond the end, or is cut off */
		if (l.segments > 1)
		{
			pds_store_le32(out + 4 * (l.segments - 2), (uint32_t) l.data_len + 1);
			pds_coded_start(&r, &l, out);
			while (pds_coded_walk(&r, pds_coded_get_golomb, &place, &number))
				continue;
			CHECK(r.corrupt);
			CHECK(!pds_coded_found_at(&l, 0, 4 * l.segments - 1));
		}
		free(out);
	}
}

TEST(layouts_are_the_largest_segments_that_are_small_enough)
{
	for (int i = 0; i < 100000; i++)
	{
		uint64_t	places = 1 + (test_random() >> (20 + test_random() % 44));
		uint64_t	used = 1 + test_random() % (places * 64);
		int			least = (int) (test_random() % 3) * 4;
		pds_coded_list l = pds_coded_layout(places, used, 9, least, 0);
		int			shift = least;

		while ((UINT64_C(1) << shift) < places && used << (shift + 1) <= places << 9)
			shift++;
		CHECK_U64(l.shift, (uint64_t) shift);
		CHECK_U64(l.segments, ((places - 1) >> shift) + 1);
	}
	/* of the most places there can be */
	CHECK_U64(pds_coded_layout(UINT64_C(1) << 62, 1, 7, 0, 0).segments, 1);
	CHECK_U64(pds_coded_layout(UINT64_C(1) << 62, UINT64_C(1) << 30, 7, 0, 0).shift, 39);
	CHECK_U64((uint64_t) pds_rice_parameter(UINT64_C(1) << 62, 1), 61);
	CHECK_U64((uint64_t) pds_rice_parameter(1000, 10), 6);
	CHECK_U64((uint64_t) pds_rice_parameter(10, 10), 0);
}
