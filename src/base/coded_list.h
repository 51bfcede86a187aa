/*
 * coded_list.h: places in ascending order, each with a number, coded in segments that are read
 * one by one
 *
 *     end 0 | end 1 | ... | segment 0 | segment 1 | ...
 *
 * A sparse sketch stores which of its places are used: cells of a Bloom filter, counters, classes
 * of a cuckoo filter.  With each it stores a number of 1 or more, such as the count of a counter.
 * 2^shift places make a segment.  In front of the segments stands a directory with 4 bytes for
 * each of them, which say where the segment ends, counted from behind the directory.  A single
 * segment has no directory.  A segment is a string of bits, filled up with zeros to whole bytes.
 * It has an entry for each used place:
 *
 *     gap         the place less the one before, less 1 (the first: less the segment's first),
 *                 Rice coded with the list's parameter
 *     number      in the code of the type
 *
 * A type says how an entry is coded by a function that reads it (pds_coded_get) and one that
 * writes it behind pds_coded_gap().  The functions that walk over entries are inlined, and the
 * type's function with them.
 */
#ifndef PDS_BASE_CODED_LIST_H
#define PDS_BASE_CODED_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bits.h"
#include "header.h"
#include "poll.h"
#include "status.h"

/* How a list is laid out; all zero, a list of nothing. */
typedef struct pds_coded_list
{
	uint64_t	places;			/* they are from 0 to below this */
	uint64_t	segments;
	size_t		directory;		/* where it begins in the payload */
	size_t		data_at;		/* where the segments begin */
	size_t		data_len;		/* how long they are */
	uint8_t		shift;			/* a segment is of 2^shift places */
	uint8_t		rice;			/* of the code of gaps */
	uint8_t		code;			/* the type's, of numbers */
	uint8_t		order;			/* the type's, of numbers */
} pds_coded_list;

/* The best Rice parameter for the gaps of n places that are used, of "range". */
static inline int
pds_rice_parameter(uint64_t range, uint64_t n)
{
	uint64_t	mean = range < UINT64_C(1) << 53 ? 985 * range / (1024 * n) :
		range / 1024 / n * 985;

	return mean > 1 ? pds_log2_64(mean) : 0;
}

/*
 * Lay out a list of "places", of which so many are used.  A segment is of the most places that
 * are a power of 2 and have up to 2^log_most used ones on average, but of no less than 2^least.
 * The shift is no greater than all places take.  gap_rice is of the code of gaps.
 */
extern pds_coded_list pds_coded_layout(uint64_t places, uint64_t used, int log_most, int least,
									   int gap_rice);

/*
 * Bits that the gaps of so many used places take on average, if chance puts them there: r + 1 each,
 * and one for each 2^r places more.
 */
extern double pds_coded_gap_bits(const pds_coded_list *l, double used);

/* Bytes of the directory. */
static inline size_t
pds_coded_directory(const pds_coded_list *l)
{
	return l->segments > 1 ? (size_t) l->segments * 4 : 0;
}

/*
 * Note that a list stands at the end of a payload, from data_at on.  Returns false if its
 * directory does not fit there.
 */
extern bool pds_coded_found_at(pds_coded_list *l, size_t data_at, size_t len);

/* ---------- codes ---------- */

/*
 * The Rice code of v with the parameter r is v >> r in unary (so many zeros, then a one), then
 * the low r bits of v.  The exponential-Golomb code of a v of 1 or more has an order.  With
 * u = v - 1 + 2^order and l = floor(log2(u)), the code is l - order in unary, then the low l bits
 * of u.
 */

/* Append "zeros" zeros, a one and the n bits of "low". */
static inline void
pds_put_code(pds_bit_writer *w, uint64_t zeros, uint64_t low, int n)
{
	if (__builtin_expect(zeros + (uint64_t) n < 32, 1))
	{
		/* mostly it is short: all of it at once */
		pds_bits_put(w, (low << 1 | 1) << zeros, (int) zeros + 1 + n);
		return;
	}
	pds_bits_put_unary(w, zeros);
	pds_bits_put_long(w, low, n);
}

static inline void
pds_put_rice(pds_bit_writer *w, uint64_t v, int r)
{
	pds_put_code(w, v >> r, v & ((UINT64_C(1) << r) - 1), r);
}

static inline void
pds_put_golomb(pds_bit_writer *w, uint64_t v, int order)
{
	uint64_t	u = v - 1 + (UINT64_C(1) << order);
	int			length = pds_log2_64(u);

	pds_put_code(w, (uint64_t) (length - order), u ^ UINT64_C(1) << length, length);
}

/* What follows zeros and a one: "more" bits, and with the Golomb code as many again as zeros. */
PDS_INLINE uint64_t
pds_code_value(uint64_t zeros, uint64_t low, int more, bool golomb)
{
	return golomb ? (UINT64_C(1) << (zeros + (uint64_t) more) | low) - (UINT64_C(1) << more) + 1 :
		zeros << more | low;
}

/* Any code, bit by bit. */
extern bool pds_get_code_slowly(pds_bit_reader *r, int more, bool golomb, uint64_t *v);

PDS_INLINE bool
pds_get_code(pds_bit_reader *r, int more, bool golomb, uint64_t *v)
{
	if (r->fill < 40)
		pds_bits_refill(r);
	/* mostly all of it is in the accumulator, where bits above "fill" are the next ones, or 0 */
	if (__builtin_expect(r->acc != 0, 1))
	{
		int			zeros = pds_ctz64(r->acc);
		int			low = golomb ? more + zeros : more;
		int			n = zeros + 1 + low;

		if (__builtin_expect(n <= r->fill, 1))
		{
			uint64_t	rest = r->acc >> zeros >> 1;

			*v = pds_code_value((uint64_t) zeros, rest & ((UINT64_C(1) << low) - 1), more,
								golomb);
			r->acc = rest >> low;
			r->fill -= n;
			return true;
		}
	}
	return pds_get_code_slowly(r, more, golomb, v);
}

/* Read a number of up to 2^63 - 1.  False if the bits are cut off, or are no such number. */
PDS_INLINE bool
pds_get_rice(pds_bit_reader *r, int rice, uint64_t *v)
{
	return pds_get_code(r, rice, false, v);
}

PDS_INLINE bool
pds_get_golomb(pds_bit_reader *r, int order, uint64_t *v)
{
	return pds_get_code(r, order, true, v);
}

/* ---------- reading ---------- */

/* Reads entries in ascending order: those of a segment, or all of a list in memory. */
typedef struct pds_coded_reader
{
	pds_bit_reader bits;
	const pds_coded_list *list;
	const uint8_t *payload;		/* of a list in memory */
	uint64_t	segment;		/* of a list in memory: the next one */
	uint64_t	next;			/* the first place that can come */
	uint64_t	end;			/* one past the segment */
	bool		corrupt;		/* it ended where the bytes make no sense */
} pds_coded_reader;

/*
 * Reads an entry: its gap, and its number.  False if the bits make no sense.  The reader is the
 * first member of the type's own struct, if the type has more to say of an entry.
 */
typedef bool (*pds_coded_get) (pds_coded_reader *r, uint64_t *gap, uint64_t *number);

/* Of entries whose number is Golomb coded with the order of the list. */
PDS_INLINE bool
pds_coded_get_golomb(pds_coded_reader *r, uint64_t *gap, uint64_t *number)
{
	return pds_get_rice(&r->bits, r->list->rice, gap) &&
		pds_get_golomb(&r->bits, r->list->order, number);
}

/* Start with a segment.  Returns false if it does not lie within the payload. */
extern bool pds_coded_open(pds_coded_reader *r, const pds_coded_list *l, uint64_t segment,
						   pds_fetch fetch, void *context);

/* The next entry of the segment.  False at its end, and where the bits make no sense. */
PDS_INLINE bool
pds_coded_next(pds_coded_reader *r, pds_coded_get get, uint64_t *place, uint64_t *number)
{
	uint64_t	gap;

	if (r->bits.fill < 8 && pds_bits_at_end(&r->bits))
		return false;
	if (__builtin_expect(!get(r, &gap, number) || gap >= r->end - r->next, 0))
	{
		r->corrupt = true;
		return false;
	}
	*place = r->next + gap;
	r->next = *place + 1;
	return true;
}

/* Start with all of a list, in a payload in memory. */
extern void pds_coded_start(pds_coded_reader *r, const pds_coded_list *l, const uint8_t *payload);

/* Go to the next segment; false after the last, or where the directory makes no sense. */
extern bool pds_coded_next_segment(pds_coded_reader *r);

/* The next entry of all.  False at the end, and where the bytes make no sense. */
PDS_INLINE bool
pds_coded_walk(pds_coded_reader *r, pds_coded_get get, uint64_t *place, uint64_t *number)
{
	while (!pds_coded_next(r, get, place, number))
		if (r->corrupt || !pds_coded_next_segment(r))
			return false;
	return true;
}

/*
 * The smallest of the numbers of n places, which are in ascending order; 0 as soon as one of them
 * is not used.  Fetches the segments that they are in, and of the directory where these are.  The
 * reader then stands behind the last place that it looked at.  Errors: PDS_CORRUPT.
 */
PDS_INLINE pds_status
pds_coded_least(pds_coded_reader *r, const pds_coded_list *l, pds_coded_get get,
				const uint64_t *places, int n, pds_fetch fetch, void *context, uint64_t *least)
{
	uint64_t	opened = UINT64_MAX;
	uint64_t	number = 0;
	uint64_t	place;

	*least = UINT64_MAX;
	for (int i = 0; i < n && *least > 0; i++)
	{
		if (places[i] >> l->shift != opened)
		{
			opened = places[i] >> l->shift;
			if (!pds_coded_open(r, l, opened, fetch, context))
				return PDS_CORRUPT;
		}
		while (r->next <= places[i] && pds_coded_next(r, get, &place, &number))
			continue;
		if (r->corrupt)
			return PDS_CORRUPT;
		if (r->next != places[i] + 1)
			*least = 0;
		else if (number < *least)
			*least = number;
	}
	return PDS_OK;
}

/*
 * Would a lookup of these n places read the same bytes in two payloads of the same length, the
 * first of which has this list?  What stands before the list is compared, too.  A comparison is
 * many times faster than decoding.
 */
extern bool pds_coded_same(const pds_coded_list *l, const uint64_t *places, int n,
						   const uint8_t *payload, const uint8_t *other);

/* ---------- writing ---------- */

typedef struct pds_coded_writer
{
	pds_bit_writer bits;		/* one stream for all segments */
	const pds_coded_list *list;
	uint8_t    *directory;		/* where the list is written */
	uint64_t	segment;		/* the current one */
	uint64_t	next;			/* the first place that can come */
} pds_coded_writer;

/* Begin a list at out. */
PDS_INLINE void
pds_coded_begin(pds_coded_writer *w, const pds_coded_list *l, uint8_t *out)
{
	pds_bits_open(&w->bits, out + pds_coded_directory(l));
	w->list = l;
	w->directory = out;
	w->segment = w->next = 0;
}

PDS_INLINE void
pds_coded_end_segment(pds_coded_writer *w)
{
	size_t		len = pds_bits_close(&w->bits);

	pds_poll();
	if (w->list->segments > 1)
		pds_store_le32(w->directory + (size_t) w->segment * 4, (uint32_t) len);
	w->segment++;
	w->next = w->segment << w->list->shift;
}

/* Go to a place, behind all before; returns its gap.  The type writes gap and number. */
PDS_INLINE uint64_t
pds_coded_gap(pds_coded_writer *w, uint64_t place)
{
	uint64_t	gap;

	while (place >> w->list->shift != w->segment)
		pds_coded_end_segment(w);
	gap = place - w->next;
	w->next = place + 1;
	return gap;
}

/* End the list; returns its length, with the directory. */
PDS_INLINE size_t
pds_coded_end(pds_coded_writer *w)
{
	while (w->segment < w->list->segments)
		pds_coded_end_segment(w);
	return pds_coded_directory(w->list) + w->bits.pos;
}

/* ---------- the order of counts ---------- */

/* How many counts have which floor(log2(count)); none is zero. */
typedef struct pds_coded_lengths
{
	uint64_t	count[64];
	uint64_t	n;
} pds_coded_lengths;

static inline void
pds_coded_lengths_add(pds_coded_lengths *l, uint64_t count)
{
	l->count[pds_log2_64(count)]++;
	l->n++;
}

/*
 * The order that these counts are Golomb coded with: the median of their logarithms, the lower of
 * two.  One more would cost a bit for each count that is shorter, and save one for each longer.
 */
static inline uint8_t
pds_coded_order(const pds_coded_lengths *l)
{
	uint64_t	up_to = 0;
	uint8_t		order = 0;

	while (2 * (up_to += l->count[order]) < l->n)
		order++;
	return order;
}

/* The largest order: log2 of the largest count. */
#define PDS_CODED_MAX_ORDER	62

#endif
