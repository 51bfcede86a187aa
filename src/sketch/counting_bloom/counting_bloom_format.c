/*
 * counting_bloom_format.c: the stored form of a counting Bloom filter
 *
 * After the server's length word (numbers are little-endian, varints as in
 * base/varint.h):
 *
 *     0     0x61              sketch type 6, format version 1
 *     1     family | encoding family 0 blocked, 1 classic (bloom_bits.h);
 *                             encoding 0 empty, 1 coded, 2 array
 *     2     kind of value     0 if and only if empty
 *     ...   4 bytes           the kind's signature, if it has one (base/header.h)
 *     ...   2 bytes           rate asked for (base/decimal.h)
 *     ...   varint            capacity, at least 1
 *     ...   1 byte            k, the number of hashes
 *     ...   varint            m / 64, where m is the number of counters
 *
 * Empty, when all counters are 0: nothing more.
 *
 * Array, when coded it would be as long or longer: m / 2 bytes, counter i in byte i / 2, the
 * lower four bits first.
 *
 * Coded:
 *
 *     ...   varint            n, how many counters are not zero
 *     ...   2 bytes           bit c: is there a counter that is c, 1 to 15?  Bit 0 is 0.
 *     ...   4 bits each       if there are two or more such c: the lengths of their
 *                             codes, in ascending order of c, the lower four bits
 *                             of a byte first; filled up with zeros to a whole byte
 *     ...   4 bytes each      a directory, if there is more than one segment: where
 *                             each ends, in bytes from the end of the directory
 *     ...   segments          of 2^s counters each (the last of what remains), each a
 *                             string of bits filled up with zeros to whole bytes
 *
 * where s is at least 9.  It is the largest number with n * 2^s <= 512 * m, or the first with
 * 2^s >= m if that is smaller.  So a segment has some 256 to 512 counters that are not zero, a
 * block of 512 is within one segment, and a lookup of one value reads few segments.  A segment
 * has, for each counter that is not zero in ascending order:
 *
 *     counter less the one before, less 1 (the first: less the segment's first),
 *         Rice coded with r: the number >> r in unary (so many zeros, then a one),
 *         then its low r bits
 *     the code of what it counts, from its highest bit; none if all count the same
 *
 * with r = floor(log2(max(1, floor(985 * m / (1024 * n))))), where gaps of a random set cost
 * least.  In a filter filled as planned half of the counters are zero, and r is 0.
 *
 * The codes are Huffman's, "A method for the construction of minimum-redundancy codes", 1952.
 * Until one tree is left, the two lightest are joined.  Among trees of the same weight, the one
 * that came first goes first: the counts ascending, then joined trees.  Codes of the same
 * length are ascending numbers in ascending order of c, and a longer code is above all shorter
 * ones (canonical, as in RFC 1951).
 *
 * doc/format.md works through an example.
 */
#include "poll.h"
#include "sort.h"
#include "varint.h"
#include "counting_bloom.h"
#include "counting_bloom_build.h"
#include "counting_bloom_walk.h"

#define COUNTS	(PDS_COUNTING_BLOOM_MAX + 1)

/* ---------- codes ---------- */

void
pds_counting_bloom_code_lengths(const uint64_t *histogram, uint8_t *lengths)
{
	uint64_t	weight[2 * COUNTS];
	int			parent[2 * COUNTS];
	int			symbol[COUNTS];
	int			n = 0;
	int			nodes;

	memset(lengths, 0, COUNTS);
	for (int c = 1; c < COUNTS; c++)
		if (histogram[c] > 0)
		{
			symbol[n] = c;
			weight[n++] = histogram[c];
		}
	for (int i = 0; i < 2 * COUNTS; i++)
		parent[i] = -1;
	nodes = n;
	for (int joins = 1; joins < n; joins++)
	{
		for (int pick = 0; pick < 2; pick++)
		{
			int			lightest = -1;

			for (int i = 0; i < nodes; i++)
				if (parent[i] < 0 && (lightest < 0 || weight[i] < weight[lightest]))
					lightest = i;
			parent[lightest] = nodes;
			weight[nodes] = pick == 0 ? weight[lightest] : weight[nodes] + weight[lightest];
		}
		nodes++;
	}
	for (int i = 0; i < n; i++)
		for (int up = parent[i]; up >= 0; up = parent[up])
			lengths[symbol[i]]++;
}

/* The code of each count, its first bit the lowest. */
static void
make_codes(const uint8_t *lengths, uint16_t *codes)
{
	uint32_t	next = 0;

	for (int length = 1; length < COUNTS; length++)
	{
		for (int c = 1; c < COUNTS; c++)
		{
			if (lengths[c] != length)
				continue;
			codes[c] = 0;
			for (int bit = 0; bit < length; bit++)
				codes[c] |= (uint16_t) ((next >> (length - 1 - bit) & 1) << bit);
			next++;
		}
		next <<= 1;
	}
}

/* ---------- segments ---------- */

/* The counts that there are and the lengths of their codes; returns the number of bytes. */
static size_t
put_lengths(uint32_t counts, const uint8_t *lengths, uint8_t *out)
{
	size_t		at = 2;
	int			n = 0;

	pds_store_le16(out, (uint16_t) counts);
	if ((counts & (counts - 1)) == 0)
		return at;
	for (int c = 1; c < COUNTS; c++)
	{
		if ((counts >> c & 1) == 0)
			continue;
		if (n++ % 2 == 0)
			out[at++] = lengths[c];
		else
			out[at - 1] |= (uint8_t) (lengths[c] << 4);
	}
	return at;
}

size_t
pds_counting_bloom_put_coded(pds_counting_bloom_walk *w, uint64_t counters, uint64_t nonzero,
							 const uint8_t *lengths, uint8_t *out)
{
	int			shift = pds_segment_shift(counters, nonzero, PDS_COUNTING_BLOOM_SEGMENT, 9);
	int			rice = pds_rice_parameter(counters, nonzero);
	uint64_t	segments = pds_segments(counters, shift);
	size_t		directory = pds_segment_directory(segments);
	uint16_t	codes[COUNTS] = {0};
	size_t		len = 0;
	uint64_t	counter = 0;
	uint32_t	count = 0;
	bool		more = pds_counting_bloom_walk_next(w, &counter, &count);

	make_codes(lengths, codes);
	for (uint64_t segment = 0; segment < segments; segment++)
	{
		uint64_t	next = segment << shift;
		uint64_t	bits = 0;
		pds_bit_writer bw;

		pds_poll_every(segment, 1024);
		pds_bits_open(&bw, out != NULL ? out + directory + len : NULL);
		for (; more && counter >> shift == segment;
			 more = pds_counting_bloom_walk_next(w, &counter, &count))
		{
			uint64_t	gap = counter - next;

			if (out != NULL)
			{
				pds_bits_put_unary(&bw, gap >> rice);
				pds_bits_put(&bw, gap & ((UINT64_C(1) << rice) - 1), rice);
				pds_bits_put(&bw, codes[count], lengths[count]);
			}
			else
				bits += (gap >> rice) + 1 + (uint64_t) rice + lengths[count];
			next = counter + 1;
		}
		len += out != NULL ? pds_bits_close(&bw) : (size_t) ((bits + 7) / 8);
		if (out != NULL && directory > 0)
			pds_store_le32(out + segment * 4, (uint32_t) len);
	}
	return directory + len;
}

/* ---------- writing ---------- */

static size_t
put_head(const pds_counting_bloom_build *b, uint8_t encoding, uint8_t *out)
{
	size_t		at = pds_header_put(out, PDS_TYPE_COUNTING_BLOOM, b->shape.family, encoding,
									pds_state_kind(b));

	pds_store_le16(out + at, b->shape.rate);
	at += 2;
	at += pds_varint_put(out + at, b->shape.capacity);
	out[at++] = b->shape.hashes;
	at += pds_varint_put(out + at, b->shape.bits / 64);
	return at;
}

void
pds_counting_bloom_measure(pds_counting_bloom_build *b, pds_counting_bloom_encoding *e)
{
	uint64_t	histogram[COUNTS] = {0};
	uint64_t	m = b->shape.bits;
	pds_counting_bloom_walk w;
	uint64_t	counter;
	uint32_t	count;

	pds_counting_bloom_flush(b);
	e->nonzero = b->nonzero;
	e->bytes = PDS_COUNTING_BLOOM_MAX_PREFIX;
	e->scratch = 0;
	memset(e->lengths, 0, sizeof(e->lengths));
	if (b->nonzero == 0)
		return;
	pds_counting_bloom_walk_build(&w, b);
	for (uint64_t i = 0; pds_counting_bloom_walk_next(&w, &counter, &count); i++)
	{
		pds_poll_each(i);
		histogram[count]++;
	}
	pds_counting_bloom_code_lengths(histogram, e->lengths);
	if (b->mode == PDS_COUNTING_BLOOM_TABLE)
	{
		/* gaps add up to m at most, and a code takes 4 bits at most on average */
		int			rice = pds_rice_parameter(m, b->nonzero);
		uint64_t	bits = (m >> rice) + b->nonzero * (1 + (uint64_t) rice + 4);
		uint64_t	segments = pds_segments(m,
			pds_segment_shift(m, b->nonzero, PDS_COUNTING_BLOOM_SEGMENT, 9));
		uint64_t	most = bits / 8 + 1 + segments * 5;

		e->bytes += (size_t) (most < m / 2 ? most : m / 2);
		e->scratch = (size_t) b->nonzero * sizeof(uint64_t);
	}
	else
		e->bytes += (size_t) (m / 2);
}

/* The counters of an image in ascending order; of a table they are sorted in scratch. */
static void
walk_in_order(pds_counting_bloom_walk *w, const pds_counting_bloom_build *b, uint64_t *list)
{
	uint64_t	n = 0;
	uint64_t	counter;
	uint32_t	count;

	pds_counting_bloom_walk_build(w, b);
	if (b->mode != PDS_COUNTING_BLOOM_TABLE)
		return;
	while (pds_counting_bloom_walk_next(w, &counter, &count))
		list[n++] = pds_counting_bloom_word(counter, count);
	pds_sort_words(list, n, pds_log2_64(b->shape.bits) + 5);
	pds_counting_bloom_walk_list(w, list, n);
}

size_t
pds_counting_bloom_encode(pds_counting_bloom_build *b, const pds_counting_bloom_encoding *e,
						  void *scratch, uint8_t *out)
{
	uint64_t	m = b->shape.bits;
	uint8_t		prefix[PDS_COUNTING_BLOOM_MAX_PREFIX];
	uint32_t	counts = 0;
	size_t		prefix_len;
	pds_counting_bloom_walk w;
	uint64_t	counter;
	uint32_t	count;
	size_t		at;

	if (e->nonzero == 0)
		return put_head(b, PDS_COUNTING_BLOOM_EMPTY, out);

	walk_in_order(&w, b, scratch);
	/* a code has no length if there is no other; one that is there */
	for (int c = 1; c < COUNTS; c++)
		counts |= (uint32_t) (e->lengths[c] > 0) << c;
	if (counts == 0)
	{
		pds_counting_bloom_walk first = w;

		(void) pds_counting_bloom_walk_next(&first, &counter, &count);
		counts = UINT32_C(1) << count;
	}
	prefix_len = pds_varint_put(prefix, e->nonzero);
	prefix_len += put_lengths(counts, e->lengths, prefix + prefix_len);

	{
		pds_counting_bloom_walk measured = w;

		if (prefix_len + pds_counting_bloom_put_coded(&measured, m, e->nonzero, e->lengths, NULL) <
			m / 2)
		{
			at = put_head(b, PDS_COUNTING_BLOOM_CODED, out);
			memcpy(out + at, prefix, prefix_len);
			at += prefix_len;
			return at + pds_counting_bloom_put_coded(&w, m, e->nonzero, e->lengths, out + at);
		}
	}
	at = put_head(b, PDS_COUNTING_BLOOM_ARRAY, out);
	if (b->mode == PDS_COUNTING_BLOOM_COUNTERS)
		memcpy(out + at, pds_counting_bloom_array(b), (size_t) (m / 2));
	else
	{
		memset(out + at, 0, (size_t) (m / 2));
		while (pds_counting_bloom_walk_next(&w, &counter, &count))
			out[at + (counter >> 1)] |= (uint8_t) (count << counter % 2 * 4);
	}
	return at + (size_t) (m / 2);
}
