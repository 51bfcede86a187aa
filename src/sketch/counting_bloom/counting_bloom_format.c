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

#include "decimal.h"
#include "poll.h"
#include "sort.h"
#include "varint.h"
#include "counting_bloom.h"
#include "counting_bloom_build.h"

#define COUNTS	(PDS_COUNTING_BLOOM_MAX + 1)

/* log2 of the most counters of a segment that are not zero, on average, and of a block. */
#define SEGMENT_LOG		9
#define BLOCK_LOG		9

/* The greatest code of counts. */
#define MAX_CODE		4

/* ---------- the codes ---------- */

/* Bits of all counts in a code; "code" is at least 1. */
static uint64_t
bits_of_counts(const uint64_t *histogram, int code)
{
	uint64_t	bits = 0;

	for (int c = 1; c < COUNTS; c++)
		bits += histogram[c] * (uint64_t) (((c - 1) >> (code - 1)) + code);
	return bits;
}

static uint64_t
nonzero_of(const uint64_t *histogram)
{
	uint64_t	n = 0;

	for (int c = 1; c < COUNTS; c++)
		n += histogram[c];
	return n;
}

/* The code of counts, of which so many are 1, ... 15. */
static uint8_t
code_for(const uint64_t *histogram)
{
	uint8_t		best = 1;

	if (nonzero_of(histogram) == histogram[1])
		return 0;
	for (uint8_t code = 2; code <= MAX_CODE; code++)
		if (bits_of_counts(histogram, code) < bits_of_counts(histogram, best))
			best = code;
	return best;
}

static pds_coded_list
list_for(uint64_t counters, uint64_t nonzero, uint8_t code)
{
	pds_coded_list list = pds_coded_layout(counters, nonzero, SEGMENT_LOG, BLOCK_LOG,
										   pds_rice_parameter(counters, nonzero));

	list.code = code;
	return list;
}

static uint8_t
encoding_for(uint64_t counters, const uint64_t *histogram, uint8_t code)
{
	uint64_t	n = nonzero_of(histogram);
	pds_coded_list list = list_for(counters, n, code);
	uint64_t	bits = n * (UINT64_C(1) + list.rice) + ((counters - n) >> list.rice) +
		(code > 0 ? bits_of_counts(histogram, code) : 0) + 40 * list.segments;

	return bits < 4 * counters ? PDS_COUNTING_BLOOM_CODED : PDS_COUNTING_BLOOM_ARRAY;
}

/* ---------- sizes ---------- */

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
	pds_coded_list list = list_for(s->bits, (uint64_t) nonzero, 0);
	double		bits = pds_coded_gap_bits(&list, nonzero) + hashes + 6 * sqrt(m);
	size_t		full = PDS_COUNTING_BLOOM_MAX_PREFIX + 5 * (size_t) list.segments +
		(size_t) ceil(bits / 8);
	size_t		most = pds_counting_bloom_most_bytes(s);

	return full < most ? full : most;
}

/* ---------- walks ---------- */

/* A counter, and what it counts, as pds_coded_get. */
PDS_INLINE bool
get_counter(pds_coded_reader *r, uint64_t *gap, uint64_t *count)
{
	*count = 0;
	if (!pds_get_rice(&r->bits, r->list->rice, gap) ||
		(r->list->code > 0 && !pds_get_rice(&r->bits, r->list->code - 1, count)))
		return false;
	return ++*count <= PDS_COUNTING_BLOOM_MAX;
}

static void
walk_nothing(pds_counting_bloom_walk *w)
{
	w->array = NULL;
	w->table = NULL;
	w->at = w->end = 0;
	w->coded.list = NULL;
	w->coded.corrupt = false;
}

static void
walk_array(pds_counting_bloom_walk *w, const uint8_t *array, uint64_t counters)
{
	walk_nothing(w);
	w->array = array;
	w->end = counters;
}

static void
walk_table(pds_counting_bloom_walk *w, const pds_counting_bloom_slot *table, uint64_t slots)
{
	walk_nothing(w);
	w->table = table;
	w->end = slots;
}

void
pds_counting_bloom_walk_build(pds_counting_bloom_walk *w, const pds_counting_bloom_build *b)
{
	if (b->mode == PDS_COUNTING_BLOOM_COUNTERS)
		walk_array(w, pds_counting_bloom_array(b), b->shape.bits);
	else
		walk_table(w, pds_counting_bloom_table(b), b->slots);
}

void
pds_counting_bloom_walk_view(pds_counting_bloom_walk *w, const pds_counting_bloom_view *v)
{
	if (v->encoding == PDS_COUNTING_BLOOM_ARRAY)
	{
		walk_array(w, v->payload + v->data_at, v->shape.bits);
		return;
	}
	walk_nothing(w);
	pds_coded_start(&w->coded, &v->list, v->payload);
}

static bool
next_in_array(pds_counting_bloom_walk *w, uint64_t *counter, uint64_t *count)
{
	while (w->at < w->end)
	{
		uint64_t	word = pds_load_le64(w->array + w->at / 16 * 8) >> w->at % 16 * 4;
		int			zeros;

		if (word == 0)
		{
			w->at = (w->at | 15) + 1;
			continue;
		}
		zeros = pds_ctz64(word) / 4;
		*counter = w->at + (uint64_t) zeros;
		*count = (uint32_t) (word >> 4 * zeros & 15);
		w->at = *counter + 1;
		return true;
	}
	return false;
}

bool
pds_counting_bloom_walk_next(pds_counting_bloom_walk *w, uint64_t *counter, uint64_t *count)
{
	if (w->array != NULL)
		return next_in_array(w, counter, count);
	if (w->coded.list != NULL)
		return pds_coded_walk(&w->coded, get_counter, counter, count);
	while (w->at < w->end)
	{
		const pds_counting_bloom_slot *slot = &w->table[w->at++];

		if (slot->count == 0)
			continue;
		*counter = (uint64_t) slot->key - 1;
		*count = slot->count < PDS_COUNTING_BLOOM_MAX ? slot->count : PDS_COUNTING_BLOOM_MAX;
		return true;
	}
	return false;
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
	e->code = code_for(histogram);
	e->encoding = encoding_for(b->shape.bits, histogram, e->code);
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
	walk_table(w, (const pds_counting_bloom_slot *) scratch, n);
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
	list = list_for(b->shape.bits, e->nonzero, e->code);
	pds_coded_begin(&cw, &list, out + at);
	while (pds_counting_bloom_walk_next(&w, &counter, &count))
	{
		pds_put_rice(&cw.bits, pds_coded_gap(&cw, counter), list.rice);
		if (list.code > 0)
			pds_put_rice(&cw.bits, count - 1, list.code - 1);
	}
	return at + pds_coded_end(&cw);
}

/* ---------- the head ---------- */

/* What stands before the segments, at *at, which is moved behind it. */
static pds_status
open_coded(pds_counting_bloom_view *v, size_t have, size_t *at, const char **why)
{
	if (!pds_varint_read(v->payload, have, at, v->shape.bits, &v->nonzero) || v->nonzero == 0)
		PDS_REFUSE(why, "Its number of counters that are not zero is malformed.");
	if (*at >= have || v->payload[*at] > MAX_CODE)
		PDS_REFUSE(why, "The code of its counts is malformed.");
	v->list = list_for(v->shape.bits, v->nonzero, v->payload[(*at)++]);
	if (!pds_coded_found_at(&v->list, *at, v->len))
		PDS_REFUSE(why, "It ends within its directory.");
	return PDS_OK;
}

static pds_status
open_fields(pds_counting_bloom_view *v, const uint8_t *payload, size_t have, const char **why)
{
	size_t		at = v->data_at;
	uint64_t	words;

	if (have - at < 2)
		PDS_REFUSE(why, "It ends within its header.");
	PDS_VIEW_CLEAR(v);
	v->shape.family = v->family;
	v->shape.rate = pds_load_le16(payload + at);
	at += 2;
	if (v->shape.rate == 0 || v->shape.rate >= PDS_DECIMAL_CODES)
		PDS_REFUSE(why, "Its false-positive rate is malformed.");
	if (!pds_varint_read(payload, have, &at, INT64_MAX, &v->shape.capacity) ||
		v->shape.capacity == 0)
		PDS_REFUSE(why, "Its capacity is malformed.");
	if (at >= have)
		PDS_REFUSE(why, "It ends within its header.");
	v->shape.hashes = payload[at++];
	if (!pds_varint_read(payload, have, &at, PDS_COUNTING_BLOOM_MAX_COUNTERS / 64, &words))
		PDS_REFUSE(why, "Its number of counters is malformed.");
	v->shape.bits = words * 64;
	if (!pds_counting_bloom_shape_valid(&v->shape))
		PDS_REFUSE(why, "Its numbers of counters and hashes are out of range.");

	if (v->encoding == PDS_COUNTING_BLOOM_CODED)
	{
		pds_status	status = open_coded(v, have, &at, why);

		if (status != PDS_OK)
			return status;
	}
	else if (v->encoding == PDS_COUNTING_BLOOM_ARRAY)
	{
		if (v->len - at != v->shape.bits / 2)
			PDS_REFUSE(why, "Its length is not what its number of counters takes.");
	}
	else
		PDS_VIEW_OPEN_EMPTY(v, at, why);
	v->data_at = at;
	return PDS_OK;
}

/* ---------- the whole of it ---------- */

pds_status
pds_counting_bloom_histogram(const pds_counting_bloom_view *v, uint64_t *histogram)
{
	pds_counting_bloom_walk w;
	uint64_t	counter;
	uint64_t	count;
	uint64_t	n = 0;

	memset(histogram, 0, COUNTS * sizeof(uint64_t));
	pds_counting_bloom_walk_view(&w, v);
	for (; pds_counting_bloom_walk_next(&w, &counter, &count); n++)
		histogram[count]++;
	histogram[0] = v->shape.bits - n;
	return w.coded.corrupt ? PDS_CORRUPT : PDS_OK;
}

/* Does to an array what "put" says, for each counter that is not zero. */
static inline pds_status
put_all(const pds_counting_bloom_view *v, uint8_t *array,
		void (*put) (uint8_t *array, uint64_t counter, uint32_t count))
{
	pds_counting_bloom_walk w;
	uint64_t	counter;
	uint64_t	count;

	pds_counting_bloom_walk_view(&w, v);
	while (pds_counting_bloom_walk_next(&w, &counter, &count))
		put(array, counter, (uint32_t) count);
	return w.coded.corrupt ? PDS_CORRUPT : PDS_OK;
}

static inline void
put_bit(uint8_t *bits, uint64_t counter, uint32_t count)
{
	(void) count;
	pds_bloom_set_bit(bits, counter);
}

static inline void
put_count(uint8_t *array, uint64_t counter, uint32_t count)
{
	array[counter >> 1] |= (uint8_t) (count << counter % 2 * 4);
}

pds_status
pds_counting_bloom_set_bits(const pds_counting_bloom_view *v, uint8_t *bits)
{
	return put_all(v, bits, put_bit);
}

pds_status
pds_counting_bloom_unpack(const pds_counting_bloom_view *v, uint8_t *array)
{
	return put_all(v, array, put_count);
}

static pds_status
check_view(const pds_counting_bloom_view *v, const char **why)
{
	uint64_t	histogram[COUNTS];
	uint8_t		code;

	if (v->encoding == PDS_COUNTING_BLOOM_EMPTY)
		return PDS_OK;
	if (pds_counting_bloom_histogram(v, histogram) != PDS_OK)
		PDS_REFUSE(why, "Its counters are malformed.");
	if (histogram[0] == v->shape.bits)
		PDS_REFUSE(why, "It holds nothing, but is not stored as empty.");
	if (v->encoding == PDS_COUNTING_BLOOM_CODED && v->shape.bits - histogram[0] != v->nonzero)
		PDS_REFUSE(why, "Its counters do not agree with its header.");
	code = code_for(histogram);
	if (v->encoding == PDS_COUNTING_BLOOM_CODED && code != v->list.code)
		PDS_REFUSE(why, "The code of its counts is not the one that it would be written with.");
	if (v->encoding != encoding_for(v->shape.bits, histogram, code))
		PDS_REFUSE(why, "It would be stored in another encoding.");
	return PDS_OK;
}

PDS_VIEW_READERS(counting_bloom, PDS_TYPE_COUNTING_BLOOM, PDS_COUNTING_BLOOM_FAMILIES)

/* ---------- looking up ---------- */

bool
pds_counting_bloom_same_lookup(const pds_counting_bloom_view *v, const uint8_t *other, pds_hash h)
{
	uint64_t	places[PDS_BLOOM_MAX_HASHES];
	int			n = pds_counting_bloom_places(&v->shape, h, places);

	return pds_coded_same(&v->list, places, n, v->payload, other);
}

pds_status
pds_counting_bloom_view_count(const pds_counting_bloom_view *v, pds_hash h,
							  pds_fetch fetch, void *context, uint64_t *count)
{
	uint64_t	places[PDS_BLOOM_MAX_HASHES];
	const uint8_t *block = NULL;
	uint64_t	base = 0;
	int			n;

	*count = 0;
	if (v->encoding == PDS_COUNTING_BLOOM_EMPTY)
		return PDS_OK;
	*count = PDS_COUNTING_BLOOM_MAX;
	n = pds_counting_bloom_places(&v->shape, h, places);
	if (v->encoding == PDS_COUNTING_BLOOM_CODED)
	{
		pds_coded_reader r;

		return pds_coded_least(&r, &v->list, get_counter, places, n, fetch, context, count);
	}
	if (v->shape.family == PDS_BLOOM_BLOCKED)
	{
		base = pds_bloom_block_of(h.h1, v->shape.bits);
		block = fetch(context, v->data_at + (size_t) (base / 2),
					  pds_bloom_block_bits(v->shape.bits) / 2);
	}
	for (int i = 0; i < n && *count > 0; i++)
	{
		const uint8_t *byte = block != NULL ? block + (places[i] - base) / 2 :
			fetch(context, v->data_at + (size_t) (places[i] / 2), 1);
		uint64_t	c = *byte >> places[i] % 2 * 4 & 15;

		*count = c < *count ? c : *count;
	}
	return PDS_OK;
}
