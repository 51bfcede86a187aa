/*
 * bloom_oracle.h: a second Bloom filter, slow and simple
 *
 * Written from the descriptions in bloom.h and bloom_format.c, without the library's code.  It
 * goes from hashes to places, one byte for each bit of the filter, and from those to the stored
 * bytes, one bit at a time.  Where the two differ, one of them is wrong.
 */
#ifndef PDS_TEST_BLOOM_ORACLE_H
#define PDS_TEST_BLOOM_ORACLE_H

#include "bloom_filter.h"

/* floor(a * n / 2^64) for n below 2^62, by school multiplication in base 2 */
static inline uint64_t
oracle_share(uint64_t a, uint64_t n)
{
	uint64_t	sum = 0;

	for (int i = 0; i < 64; i++)
		sum = (sum + (a >> i & 1) * n) / 2;
	return sum;
}

/* Place i of a hash. */
static inline uint64_t
oracle_place(pds_hash h, const pds_bloom_shape *s, int i)
{
	static const uint32_t salt[8] = {
		0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947,
			0x5c6bfb31
	};
	uint64_t	x;
	int32_t		c;

	if (s->family == PDS_BLOOM_GUAVA32)
	{
		/* as Java's int counts */
		c = (int32_t) (uint32_t) (h.h1 % (UINT64_C(1) << 32));
		for (int j = 0; j <= i; j++)
			c = (int32_t) ((uint32_t) c + (uint32_t) (h.h1 / (UINT64_C(1) << 32)));
		return (uint64_t) (c < 0 ? -(c + 1) : c) % s->bits;
	}
	if (s->family == PDS_BLOOM_REDIS)
		return (h.h1 + (uint64_t) i * h.h2) % s->bits;
	if (s->family == PDS_BLOOM_PARQUET || s->family == PDS_BLOOM_PARQUET32)
		return (h.h1 / (UINT64_C(1) << 32)) * (s->bits / 256) / (UINT64_C(1) << 32) * 256 +
			(uint64_t) (32 * i) + (uint32_t) h.h1 * salt[i] / (UINT32_C(1) << 27);
	if (s->family == PDS_BLOOM_CLASSIC)
		return ((h.h1 + (uint64_t) i * h.h2) % (UINT64_C(1) << 63)) % s->bits;
	x = h.h2;
	for (int j = 0; j < i; j++)
		x *= UINT64_C(0x9e3779b97f4a7c15);
	if (s->bits <= 4096)
		return (x >> 32) * s->bits >> 32;
	return oracle_share(h.h1, s->bits / 512) * 512 + ((x >> 32) * 512 >> 32);
}

/* One byte for each bit. */
static inline uint8_t *
oracle_bits(const pds_bloom_shape *s)
{
	uint8_t    *bits = calloc((size_t) s->bits, 1);

	if (bits == NULL)
		sketch_die("out of memory");
	return bits;
}

static inline void
oracle_add(uint8_t *bits, const pds_bloom_shape *s, pds_hash h)
{
	for (int i = 0; i < s->hashes; i++)
		bits[oracle_place(h, s, i)] = 1;
}

static inline bool
oracle_contains(const uint8_t *bits, const pds_bloom_shape *s, pds_hash h)
{
	bool		all = true;

	for (int i = 0; i < s->hashes; i++)
		all = all && bits[oracle_place(h, s, i)] != 0;
	return all;
}

static inline int
oracle_rice(uint64_t range, uint64_t n)
{
	int			r = 0;

	/* the largest with 2^r <= 985 * range / (1024 * n) */
	while ((UINT64_C(2) << r) * 1024 * n <= 985 * range)
		r++;
	return r;
}

static inline void
oracle_put_rice(bit_list *list, uint64_t v, int r)
{
	for (uint64_t i = 0; i < v >> r; i++)
		bit_list_put(list, 0, 1);
	bit_list_put(list, 1, 1);
	bit_list_put(list, v, r);
}

/* The cell of the bits "from" to one before "to"; list has space for all of it. */
static inline void
oracle_put_cell(bit_list *list, const uint8_t *bits, uint64_t from, uint64_t to,
				uint64_t range, uint64_t gap, int gap_rice)
{
	uint64_t	n = 0;
	uint64_t	next = from;
	int			log = 0;
	int			r;

	for (uint64_t i = from; i < to; i++)
		n += bits[i];
	oracle_put_rice(list, gap, gap_rice);
	while (n >> (log + 1) != 0)
		log++;
	for (int i = 0; i < log; i++)
		bit_list_put(list, 0, 1);
	bit_list_put(list, 1, 1);
	bit_list_put(list, n, log);
	r = oracle_rice(range, n);
	for (uint64_t i = from; i < to; i++)
	{
		if (bits[i] == 0)
			continue;
		oracle_put_rice(list, i - next, r);
		next = i + 1;
	}
}

/* Where the bits of cell c begin, and those of the one before it end. */
static inline uint64_t
oracle_cell_start(const pds_bloom_shape *s, uint64_t range, uint64_t c)
{
	return c * range < s->bits ? c * range : s->bits;
}

/* The stored form of these bits; "follows": capacity and rate tell m and k. */
static inline payload
oracle_payload(const uint8_t *bits, const pds_bloom_shape *s, bool follows)
{
	uint64_t	range = s->bits <= 4096 ? s->bits : s->family == PDS_BLOOM_BLOCKED ? 512 : 4096;
	uint64_t	cells = (s->bits + range - 1) / range;
	uint64_t	n = 0;
	uint64_t	used = 0;
	uint8_t    *out;
	size_t		at = 3;
	payload		result;

	for (uint64_t i = 0; i < s->bits; i++)
		n += bits[i];
	for (uint64_t c = 0; c < cells; c++)
		used += memchr(bits + oracle_cell_start(s, range, c), 1,
					   (size_t) (oracle_cell_start(s, range, c + 1) -
								 oracle_cell_start(s, range, c))) != NULL;

	/* the codes of a cell take less than 40 bits, those of places 30 on average */
	out = calloc((size_t) (s->bits / 8 + used * 5 + n * 4 + cells * 4 + 64), 1);
	if (out == NULL)
		sketch_die("out of memory");
	out[0] = 0x21;
	out[1] = (uint8_t) (s->family * 16 + (n == 0 ? 0 : n * 8 <= s->bits ? 1 : 2));
	out[2] = n == 0 ? PDS_KIND_NONE : filter_kind(s->family);
	out[at++] = (uint8_t) (s->rate % 256);
	out[at++] = (uint8_t) (s->rate / 256 + (follows ? 0 : 0x80));
	at += oracle_varint(out + at, s->capacity);
	if (!follows)
	{
		out[at++] = s->hashes;
		at += oracle_varint(out + at, s->bits / 64);
	}
	if (n * 8 > s->bits)
	{
		for (uint64_t i = 0; i < s->bits; i++)
			out[at + i / 8] |= (uint8_t) (bits[i] << i % 8);
		at += (size_t) (s->bits / 8);
	}
	else if (n > 0)
	{
		uint64_t	per_segment = 1;
		uint64_t	segments;
		size_t		start;

		at += oracle_varint(out + at, n);
		at += oracle_varint(out + at, used);
		while (per_segment < cells && n * per_segment * 2 <= 512 * cells)
			per_segment *= 2;
		segments = (cells + per_segment - 1) / per_segment;
		start = at + (size_t) (segments > 1 ? segments * 4 : 0);
		if (segments > 1)
			memset(out + at, 0, (size_t) segments * 4);
		for (uint64_t g = 0, written = 0; g < segments; g++)
		{
			bit_list	list = {out + start + written, 0};
			uint64_t	next = g * per_segment;

			for (uint64_t c = next; c < (g + 1) * per_segment && c < cells; c++)
			{
				uint64_t	from = oracle_cell_start(s, range, c);
				uint64_t	to = oracle_cell_start(s, range, c + 1);

				if (memchr(bits + from, 1, (size_t) (to - from)) == NULL)
					continue;
				oracle_put_cell(&list, bits, from, to, range, c - next,
								oracle_rice(cells, used));
				next = c + 1;
			}
			written += (list.bits + 7) / 8;
			for (int i = 0; segments > 1 && i < 4; i++)
				out[at + g * 4 + (uint64_t) i] = (uint8_t) (written >> (8 * i));
			if (g == segments - 1)
				at = start + (size_t) written;
		}
	}
	result = payload_copy(out, at);
	free(out);
	return result;
}

#endif
