/*
 * counting_bloom_read.c: reading stored counting Bloom filters, whole or only where a
 * value would be
 *
 * The stored form is drawn in counting_bloom_format.c.
 */
#include "decimal.h"
#include "poll.h"
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

uint8_t
pds_counting_bloom_code(const uint64_t *histogram)
{
	uint8_t		best = 1;

	if (nonzero_of(histogram) == histogram[1])
		return 0;
	for (uint8_t code = 2; code <= MAX_CODE; code++)
		if (bits_of_counts(histogram, code) < bits_of_counts(histogram, best))
			best = code;
	return best;
}

pds_coded_list
pds_counting_bloom_list_for(uint64_t counters, uint64_t nonzero, uint8_t code)
{
	pds_coded_list list = pds_coded_layout(counters, nonzero, SEGMENT_LOG, BLOCK_LOG,
										   pds_rice_parameter(counters, nonzero));

	list.code = code;
	return list;
}

uint8_t
pds_counting_bloom_encoding_for(uint64_t counters, const uint64_t *histogram, uint8_t code)
{
	uint64_t	n = nonzero_of(histogram);
	pds_coded_list list = pds_counting_bloom_list_for(counters, n, code);
	uint64_t	bits = n * (UINT64_C(1) + list.rice) + ((counters - n) >> list.rice) +
		(code > 0 ? bits_of_counts(histogram, code) : 0) + 40 * list.segments;

	return bits < 4 * counters ? PDS_COUNTING_BLOOM_CODED : PDS_COUNTING_BLOOM_ARRAY;
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
	v->list = pds_counting_bloom_list_for(v->shape.bits, v->nonzero, v->payload[(*at)++]);
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
	v->shape.rate = (uint16_t) (payload[at] | payload[at + 1] << 8);
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

PDS_VIEW_OPEN(counting_bloom, PDS_TYPE_COUNTING_BLOOM, PDS_COUNTING_BLOOM_FAMILIES)

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

void
pds_counting_bloom_walk_array(pds_counting_bloom_walk *w, const uint8_t *array, uint64_t counters)
{
	walk_nothing(w);
	w->array = array;
	w->end = counters;
}

void
pds_counting_bloom_walk_table(pds_counting_bloom_walk *w, const pds_counting_bloom_slot *table,
							  uint64_t slots)
{
	walk_nothing(w);
	w->table = table;
	w->end = slots;
}

void
pds_counting_bloom_walk_build(pds_counting_bloom_walk *w, const pds_counting_bloom_build *b)
{
	if (b->mode == PDS_COUNTING_BLOOM_COUNTERS)
		pds_counting_bloom_walk_array(w, pds_counting_bloom_array(b), b->shape.bits);
	else
		pds_counting_bloom_walk_table(w, pds_counting_bloom_table(b), b->slots);
}

void
pds_counting_bloom_walk_view(pds_counting_bloom_walk *w, const pds_counting_bloom_view *v)
{
	if (v->encoding == PDS_COUNTING_BLOOM_ARRAY)
	{
		pds_counting_bloom_walk_array(w, v->payload + v->data_at, v->shape.bits);
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
	code = pds_counting_bloom_code(histogram);
	if (v->encoding == PDS_COUNTING_BLOOM_CODED && code != v->list.code)
		PDS_REFUSE(why, "The code of its counts is not the one that it would be written with.");
	if (v->encoding != pds_counting_bloom_encoding_for(v->shape.bits, histogram, code))
		PDS_REFUSE(why, "It would be stored in another encoding.");
	return PDS_OK;
}

PDS_VIEW_CHECK(counting_bloom)

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
