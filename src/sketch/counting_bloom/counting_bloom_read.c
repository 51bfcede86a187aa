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
#include "counting_bloom_walk.h"

#define COUNTS	(PDS_COUNTING_BLOOM_MAX + 1)

/* ---------- the head ---------- */

/* The codes of the counts, at *at, which is moved behind them. */
static pds_status
read_codes(pds_counting_bloom_view *v, size_t have, size_t *at, const char **why)
{
	const uint8_t *payload = v->payload;
	uint32_t	counts;
	uint32_t	space = 0;
	int			n = 0;

	if (have - *at < 2)
		PDS_REFUSE(why, "It ends within its header.");
	counts = (uint32_t) payload[*at] | (uint32_t) payload[*at + 1] << 8;
	*at += 2;
	v->symbols = (uint8_t) pds_popcount64(counts);
	if (counts == 0 || (counts & 1) != 0)
		PDS_REFUSE(why, "Its list of counts is malformed.");
	if (v->symbols == 1)
	{
		v->in_order[0] = (uint8_t) pds_ctz32(counts);
		return PDS_OK;
	}
	if (have - *at < (size_t) (v->symbols + 1) / 2)
		PDS_REFUSE(why, "It ends within its header.");
	for (int c = 1; c < COUNTS; c++)
	{
		if ((counts >> c & 1) == 0)
			continue;
		v->lengths[c] = payload[*at + (size_t) n / 2] >> n % 2 * 4 & 15;
		n++;
		if (v->lengths[c] == 0)
			PDS_REFUSE(why, "The code of a count is malformed.");
		v->of_length[v->lengths[c]]++;
		space += UINT32_C(0x8000) >> v->lengths[c];
	}
	if (space != 0x8000 || (n % 2 == 1 && payload[*at + (size_t) n / 2] >> 4 != 0))
		PDS_REFUSE(why, "The codes of its counts are malformed.");
	*at += (size_t) (n + 1) / 2;
	n = 0;
	for (int length = 1; length < COUNTS; length++)
		for (int c = 1; c < COUNTS; c++)
			if (v->lengths[c] == length)
				v->in_order[n++] = (uint8_t) c;
	return PDS_OK;
}

/* What stands before the segments, at *at, which is moved behind it. */
static pds_status
open_coded(pds_counting_bloom_view *v, size_t have, size_t *at, const char **why)
{
	uint64_t	m = v->shape.bits;
	pds_status	status;

	if (!pds_varint_read(v->payload, have, at, m, &v->nonzero) || v->nonzero == 0)
		PDS_REFUSE(why, "Its number of counters that are not zero is malformed.");
	status = read_codes(v, have, at, why);
	if (status != PDS_OK)
		return status;
	v->rice = (uint8_t) pds_rice_parameter(m, v->nonzero);
	v->segment_shift = (uint8_t) pds_segment_shift(m, v->nonzero, PDS_COUNTING_BLOOM_SEGMENT, 9);
	v->segments = pds_segments(m, v->segment_shift);
	if (v->len - *at < pds_segment_directory(v->segments))
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

/* ---------- segments ---------- */

void
pds_counting_bloom_segment_open(pds_counting_bloom_segment *r, const pds_counting_bloom_view *v,
								uint64_t segment, const uint8_t *data, size_t len)
{
	r->v = v;
	pds_bits_from(&r->bits, data, len);
	r->next = segment << v->segment_shift;
	r->end = (segment + 1) << v->segment_shift;
	if (r->end > v->shape.bits)
		r->end = v->shape.bits;
	r->corrupt = false;
}

/* The next count; its code is complete, so that every string of bits is one (RFC 1951). */
static inline uint32_t
next_count(pds_counting_bloom_segment *r)
{
	const pds_counting_bloom_view *v = r->v;
	int			code = 0;
	int			first = 0;
	int			index = 0;

	if (v->symbols == 1)
		return v->in_order[0];
	for (int length = 1; length < COUNTS; length++)
	{
		int			n = v->of_length[length];

		code |= (int) pds_bits_get(&r->bits, 1);
		if (code - n < first)
			return v->in_order[index + (code - first)];
		index += n;
		first = (first + n) << 1;
		code <<= 1;
	}
	r->corrupt = true;
	return 1;
}

bool
pds_counting_bloom_segment_next(pds_counting_bloom_segment *r, uint64_t *counter,
								uint32_t *count)
{
	int			rice = r->v->rice;
	uint64_t	high;

	if (r->corrupt || pds_bits_at_end(&r->bits))
		return false;
	high = pds_bits_get_unary(&r->bits);
	if (high > r->end)
	{
		r->corrupt = true;
		return false;
	}
	*counter = r->next + (high << rice) + pds_bits_get(&r->bits, rice);
	*count = next_count(r);
	if (r->bits.overrun || *counter >= r->end)
		r->corrupt = true;
	r->next = *counter + 1;
	return !r->corrupt;
}

/* Where a segment lies behind the directory; "ends" are the entries before and of it. */
static bool
segment_range(const pds_counting_bloom_view *v, uint64_t segment, const uint8_t *ends,
			  size_t *from, size_t *to)
{
	size_t		data_len = v->len - v->data_at - pds_segment_directory(v->segments);

	return pds_segment_range(ends, segment, v->segments, data_len, from, to);
}

/* ---------- walks ---------- */

static void
walk_nothing(pds_counting_bloom_walk *w)
{
	w->array = NULL;
	w->table = NULL;
	w->list = NULL;
	w->v = NULL;
	w->at = w->end = 0;
	w->corrupt = false;
}

void
pds_counting_bloom_walk_array(pds_counting_bloom_walk *w, const uint8_t *array, uint64_t counters)
{
	walk_nothing(w);
	w->array = array;
	w->end = counters;
}

void
pds_counting_bloom_walk_list(pds_counting_bloom_walk *w, const uint64_t *list, uint64_t n)
{
	walk_nothing(w);
	w->list = list;
	w->end = n;
}

void
pds_counting_bloom_walk_build(pds_counting_bloom_walk *w, const pds_counting_bloom_build *b)
{
	if (b->mode == PDS_COUNTING_BLOOM_COUNTERS)
	{
		pds_counting_bloom_walk_array(w, pds_counting_bloom_array(b), b->shape.bits);
		return;
	}
	walk_nothing(w);
	w->table = pds_counting_bloom_table(b);
	w->end = b->slots;
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
	w->v = v;
	w->end = v->segments;
	w->segment.v = v;
	w->segment.corrupt = false;
	pds_bits_from(&w->segment.bits, v->payload, 0);
}

static bool
next_in_array(pds_counting_bloom_walk *w, uint64_t *counter, uint32_t *count)
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

static bool
next_in_segments(pds_counting_bloom_walk *w, uint64_t *counter, uint32_t *count)
{
	const pds_counting_bloom_view *v = w->v;
	const uint8_t *directory = v->payload + v->data_at;

	while (!pds_counting_bloom_segment_next(&w->segment, counter, count))
	{
		size_t		from;
		size_t		to;

		if (w->at == w->end && !w->segment.corrupt)
			return false;
		if (w->segment.corrupt ||
			!segment_range(v, w->at, directory + (w->at > 0 ? (w->at - 1) * 4 : 0), &from, &to))
		{
			w->corrupt = true;
			return false;
		}
		pds_poll_every(w->at, 1024);
		pds_counting_bloom_segment_open(&w->segment, v, w->at, directory +
			pds_segment_directory(v->segments) + from, to - from);
		w->at++;
	}
	return true;
}

bool
pds_counting_bloom_walk_next(pds_counting_bloom_walk *w, uint64_t *counter, uint32_t *count)
{
	if (w->array != NULL)
		return next_in_array(w, counter, count);
	if (w->v != NULL)
		return w->v->encoding != PDS_COUNTING_BLOOM_EMPTY && next_in_segments(w, counter, count);
	if (w->list != NULL)
	{
		if (w->at == w->end)
			return false;
		*counter = w->list[w->at] >> 4;
		*count = w->list[w->at++] & 15;
		return true;
	}
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

uint64_t
pds_counting_bloom_count_nonzero(const uint8_t *array, uint64_t counters)
{
	uint64_t	n = 0;

	for (size_t i = 0; i < counters / 2; i += 8)
	{
		uint64_t	w = pds_load_le64(array + i);

		w |= w >> 2;
		w |= w >> 1;
		n += (uint64_t) pds_popcount64(w & UINT64_C(0x1111111111111111));
		pds_poll_every(i / 8, PDS_POLL_BYTES / 8);
	}
	return n;
}

/* ---------- the whole of it ---------- */

pds_status
pds_counting_bloom_histogram(const pds_counting_bloom_view *v, uint64_t *histogram)
{
	pds_counting_bloom_walk w;
	uint64_t	counter;
	uint32_t	count;
	uint64_t	n = 0;

	memset(histogram, 0, COUNTS * sizeof(uint64_t));
	pds_counting_bloom_walk_view(&w, v);
	for (; pds_counting_bloom_walk_next(&w, &counter, &count); n++)
		histogram[count]++;
	histogram[0] = v->shape.bits - n;
	return w.corrupt ? PDS_CORRUPT : PDS_OK;
}

/* Does to an array what "put" says, for each counter that is not zero. */
static inline pds_status
put_all(const pds_counting_bloom_view *v, uint8_t *array,
		void (*put) (uint8_t *array, uint64_t counter, uint32_t count))
{
	pds_counting_bloom_walk w;
	uint64_t	counter;
	uint32_t	count;

	pds_counting_bloom_walk_view(&w, v);
	while (pds_counting_bloom_walk_next(&w, &counter, &count))
		put(array, counter, count);
	return w.corrupt ? PDS_CORRUPT : PDS_OK;
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

/* Would an array be stored as one? */
static bool
array_stays(const pds_counting_bloom_view *v, const uint64_t *histogram)
{
	uint64_t	nonzero = v->shape.bits - histogram[0];
	uint8_t		number[PDS_VARINT_MAX_BYTES];
	uint8_t		lengths[COUNTS];
	int			symbols = 0;
	pds_counting_bloom_walk w;
	size_t		prefix;

	if (nonzero == 0)
		return false;
	for (int c = 1; c < COUNTS; c++)
		symbols += histogram[c] > 0;
	prefix = pds_varint_put(number, nonzero) + 2 +
		(symbols > 1 ? (size_t) (symbols + 1) / 2 : 0);
	pds_counting_bloom_code_lengths(histogram, lengths);
	pds_counting_bloom_walk_view(&w, v);
	return prefix + pds_counting_bloom_put_coded(&w, v->shape.bits, nonzero, lengths, NULL) >=
		v->shape.bits / 2;
}

static pds_status
check_view(const pds_counting_bloom_view *v, const char **why)
{
	uint64_t	histogram[COUNTS];
	uint8_t		lengths[COUNTS];
	size_t		data;
	size_t		from;
	size_t		to;

	if (v->encoding == PDS_COUNTING_BLOOM_EMPTY)
		return PDS_OK;
	if (pds_counting_bloom_histogram(v, histogram) != PDS_OK)
		PDS_REFUSE(why, "Its counters are malformed.");
	if (v->encoding == PDS_COUNTING_BLOOM_ARRAY)
	{
		if (!array_stays(v, histogram))
			PDS_REFUSE(why, "It would be shorter as a list of counters.");
		return PDS_OK;
	}
	if (v->shape.bits - histogram[0] != v->nonzero)
		PDS_REFUSE(why, "Its counters do not agree with its header.");
	pds_counting_bloom_code_lengths(histogram, lengths);
	if (memcmp(lengths, v->lengths, COUNTS) != 0)
		PDS_REFUSE(why, "The codes of its counts are not those that it would be written with.");
	for (int i = 0; i < v->symbols; i++)
		if (histogram[v->in_order[i]] == 0)
			PDS_REFUSE(why, "It has a code for a count that does not occur.");
	data = v->data_at + pds_segment_directory(v->segments);
	(void) segment_range(v, v->segments - 1,
						 v->payload + v->data_at + (v->segments > 1 ? (v->segments - 2) * 4 : 0),
						 &from, &to);
	if (data + to != v->len)
		PDS_REFUSE(why, "There are bytes after its end.");
	/* the prefix before the data: a number, which counts there are, and their codes */
	{
		uint8_t		number[PDS_VARINT_MAX_BYTES];
		size_t		prefix = pds_varint_put(number, v->nonzero) + 2 +
			(v->symbols > 1 ? (size_t) (v->symbols + 1) / 2 : 0);

		if (prefix + v->len - v->data_at >= v->shape.bits / 2)
			PDS_REFUSE(why, "It would be shorter as an array.");
	}
	return PDS_OK;
}

PDS_VIEW_CHECK(counting_bloom)

/* ---------- looking up ---------- */

const uint8_t *
pds_counting_bloom_in_memory(void *view, size_t offset, size_t len)
{
	(void) len;
	return ((const pds_counting_bloom_view *) view)->payload + offset;
}

/* The entries of a directory that say where a segment is, and how long these are. */
static inline size_t
segment_entries(const pds_counting_bloom_view *v, uint64_t segment, size_t *len)
{
	*len = v->segments > 1 ? segment > 0 ? 8 : 4 : 0;
	return v->data_at + (size_t) (segment > 0 ? segment - 1 : 0) * 4;
}

static bool
same_segment(const pds_counting_bloom_view *v, const uint8_t *other, uint64_t segment)
{
	size_t		len;
	size_t		at = segment_entries(v, segment, &len);
	size_t		data_at = v->data_at + pds_segment_directory(v->segments);
	size_t		from;
	size_t		to;

	return memcmp(v->payload + at, other + at, len) == 0 &&
		segment_range(v, segment, v->payload + at, &from, &to) &&
		memcmp(v->payload + data_at + from, other + data_at + from, to - from) == 0;
}

bool
pds_counting_bloom_same_lookup(const pds_counting_bloom_view *v, const uint8_t *other, pds_hash h)
{
	uint64_t	places[PDS_BLOOM_MAX_HASHES];
	uint64_t	last = UINT64_MAX;
	int			n;

	if (memcmp(v->payload, other, v->data_at) != 0)
		return false;
	n = pds_counting_bloom_places(&v->shape, h, places);
	for (int i = 0; i < n; i++)
	{
		uint64_t	segment = places[i] >> v->segment_shift;

		if (segment != last && !same_segment(v, other, segment))
			return false;
		last = segment;
	}
	return true;
}

/* The smallest of n counters of one segment, which are in ascending order. */
static pds_status
least_in_segment(const pds_counting_bloom_view *v, uint64_t segment, const uint64_t *places, int n,
				 pds_counting_bloom_fetch fetch, void *context, uint32_t *least)
{
	size_t		data_at = v->data_at + pds_segment_directory(v->segments);
	size_t		entries;
	size_t		at = segment_entries(v, segment, &entries);
	const uint8_t *ends = NULL;
	pds_counting_bloom_segment r;
	uint64_t	counter;
	uint32_t	count;
	size_t		from;
	size_t		to;
	int			found = 0;

	if (entries > 0)
		ends = fetch(context, at, entries);
	if (!segment_range(v, segment, ends, &from, &to))
		return PDS_CORRUPT;
	if (from < to)
	{
		pds_counting_bloom_segment_open(&r, v, segment, fetch(context, data_at + from, to - from),
										to - from);
		while (found < n && pds_counting_bloom_segment_next(&r, &counter, &count))
		{
			if (counter > places[found])
				break;
			if (counter < places[found])
				continue;
			*least = count < *least ? count : *least;
			found++;
		}
		if (r.corrupt)
			return PDS_CORRUPT;
	}
	if (found < n)
		*least = 0;
	return PDS_OK;
}

pds_status
pds_counting_bloom_view_count(const pds_counting_bloom_view *v, pds_hash h,
							  pds_counting_bloom_fetch fetch, void *context, uint32_t *count)
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
		for (int i = 0; i < n && *count > 0;)
		{
			uint64_t	segment = places[i] >> v->segment_shift;
			int			end = i + 1;
			pds_status	status;

			while (end < n && places[end] >> v->segment_shift == segment)
				end++;
			status = least_in_segment(v, segment, places + i, end - i, fetch, context, count);
			if (status != PDS_OK)
				return status;
			i = end;
		}
		return PDS_OK;
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
		uint32_t	c = *byte >> places[i] % 2 * 4 & 15;

		*count = c < *count ? c : *count;
	}
	return PDS_OK;
}
