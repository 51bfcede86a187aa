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
 * Coded:
 *
 *     ...   varint            n, how many counters are not zero
 *     ...   1 byte            0 if all of them are 1; else 1 + q, where the counts less 1, Rice
 *                             coded with q (0 to 3), take the fewest bits: the smallest such q
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
 *     what it counts less 1, Rice coded with q; nothing if all counters are 1
 *
 * with r = floor(log2(max(1, floor(985 * m / (1024 * n))))), where gaps of a random set cost
 * least.  In a filter filled as planned half of the counters are zero, and r and q are 0.
 *
 * Array, where a list can take as much space, that is, where
 *
 *     n * (r + 1) + floor((m - n) / 2^r) + bits of all counts + 40 * segments >= 4 * m
 *
 * m / 2 bytes, counter i in byte i / 2, the lower four bits first.
 *
 * doc/format.md works through an example.
 */
#include <math.h>

#include "poll.h"
#include "sort.h"
#include "varint.h"
#include "counting_bloom.h"
#include "counting_bloom_build.h"

size_t
pds_counting_bloom_most_bytes(const pds_bloom_shape *s)
{
	return PDS_COUNTING_BLOOM_MAX_PREFIX + (size_t) (s->bits / 2);
}

/*
 * Counters are zero as Poisson's distribution has it.  With q = 0 the counts take a bit for each
 * hash of a value, and another q is chosen where it takes less.  Six times the square root of the
 * number of counters is for chance.
 */
size_t
pds_counting_bloom_full_bytes(const pds_bloom_shape *s)
{
	double		m = (double) s->bits;
	double		hashes = (double) s->capacity * s->hashes;
	double		nonzero = ceil(m * -expm1(-hashes / m));
	pds_coded_list list = pds_counting_bloom_list_for(s->bits, (uint64_t) nonzero, 0);
	double		bits = pds_coded_gap_bits(&list, nonzero) + hashes + 6 * sqrt(m);
	size_t		full = PDS_COUNTING_BLOOM_MAX_PREFIX + 5 * (size_t) list.segments +
		(size_t) ceil(bits / 8);
	size_t		most = pds_counting_bloom_most_bytes(s);

	return full < most ? full : most;
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
	uint64_t	histogram[PDS_COUNTING_BLOOM_MAX + 1] = {0};
	pds_counting_bloom_walk w;
	uint64_t	counter;
	uint64_t	count;

	pds_counting_bloom_flush(b);
	e->nonzero = 0;
	e->encoding = PDS_COUNTING_BLOOM_EMPTY;
	e->bytes = PDS_COUNTING_BLOOM_MAX_PREFIX;
	e->scratch = 0;
	if (b->nonzero == 0)
		return;
	pds_counting_bloom_walk_build(&w, b);
	for (; pds_counting_bloom_walk_next(&w, &counter, &count); e->nonzero++)
	{
		pds_poll_each(e->nonzero);
		histogram[count]++;
	}
	e->code = pds_counting_bloom_code(histogram);
	e->encoding = pds_counting_bloom_encoding_for(b->shape.bits, histogram, e->code);
	/* a list is shorter */
	e->bytes += (size_t) (b->shape.bits / 2);
	if (b->mode == PDS_COUNTING_BLOOM_TABLE)
		e->scratch = (size_t) b->nonzero * sizeof(uint64_t);
}

/* The counters of an image in ascending order; of a table the slots are sorted in scratch. */
static void
walk_in_order(pds_counting_bloom_walk *w, const pds_counting_bloom_build *b, uint64_t *scratch)
{
	uint64_t	n = 0;
	uint64_t	counter;
	uint64_t	count;

	pds_counting_bloom_walk_build(w, b);
	if (b->mode != PDS_COUNTING_BLOOM_TABLE)
		return;
	while (pds_counting_bloom_walk_next(w, &counter, &count))
		scratch[n++] = (counter + 1) << 32 | count;
	pds_sort_words(scratch, n);
	for (uint64_t i = 0; i < n; i++)
	{
		pds_counting_bloom_slot slot = {(uint32_t) (scratch[i] >> 32), (uint32_t) scratch[i]};

		memcpy(&scratch[i], &slot, sizeof(slot));
	}
	pds_counting_bloom_walk_table(w, (const pds_counting_bloom_slot *) scratch, n);
}

size_t
pds_counting_bloom_encode(pds_counting_bloom_build *b, const pds_counting_bloom_encoding *e,
						  void *scratch, uint8_t *out)
{
	size_t		at = put_head(b, e->encoding, out);
	pds_coded_list list;
	pds_coded_writer cw;
	pds_counting_bloom_walk w;
	uint64_t	counter;
	uint64_t	count;

	if (e->encoding == PDS_COUNTING_BLOOM_EMPTY)
		return at;
	if (e->encoding == PDS_COUNTING_BLOOM_ARRAY && b->mode == PDS_COUNTING_BLOOM_COUNTERS)
	{
		memcpy(out + at, pds_counting_bloom_array(b), (size_t) (b->shape.bits / 2));
		return at + (size_t) (b->shape.bits / 2);
	}
	walk_in_order(&w, b, scratch);
	if (e->encoding == PDS_COUNTING_BLOOM_ARRAY)
	{
		memset(out + at, 0, (size_t) (b->shape.bits / 2));
		while (pds_counting_bloom_walk_next(&w, &counter, &count))
			out[at + (counter >> 1)] |= (uint8_t) (count << counter % 2 * 4);
		return at + (size_t) (b->shape.bits / 2);
	}
	at += pds_varint_put(out + at, e->nonzero);
	out[at++] = e->code;
	list = pds_counting_bloom_list_for(b->shape.bits, e->nonzero, e->code);
	pds_coded_begin(&cw, &list, out + at);
	while (pds_counting_bloom_walk_next(&w, &counter, &count))
	{
		pds_put_rice(&cw.bits, pds_coded_gap(&cw, counter), list.rice);
		if (list.code > 0)
			pds_put_rice(&cw.bits, count - 1, list.code - 1);
	}
	return at + pds_coded_end(&cw);
}
