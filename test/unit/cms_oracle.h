/*
 * cms_oracle.h: a second Count-Min sketch, slow and simple
 *
 * Written from the descriptions in cms.h and cms_format.c, without the library's code.  All
 * counters are numbers of 64 bits, and from them it goes straight to the stored bytes, one bit
 * at a time.  Where the two differ, one of them is wrong.
 */
#ifndef PDS_TEST_CMS_ORACLE_H
#define PDS_TEST_CMS_ORACLE_H

#include "cms_sketch.h"

typedef struct oracle
{
	pds_cms_shape shape;
	uint64_t	total;
	uint64_t   *counters;
} oracle;

static inline oracle
oracle_new(const pds_cms_shape *shape)
{
	oracle		o;

	o.shape = *shape;
	o.total = 0;
	o.counters = calloc((size_t) shape->width * shape->depth, sizeof(uint64_t));
	if (o.counters == NULL)
		sketch_die("out of memory");
	return o;
}

static inline void
oracle_free(oracle *o)
{
	free(o->counters);
	o->counters = NULL;
}

/* floor(x * width / 2^64), one bit of the width after the other. */
static inline uint64_t
oracle_scale(uint64_t x, uint64_t width)
{
	uint64_t	high = 0;
	uint64_t	low = 0;

	for (int bit = 0; bit < 64; bit++)
		if ((width >> bit & 1) != 0)
		{
			uint64_t	add = x << bit;

			low += add;
			high += (bit > 0 ? x >> (64 - bit) : 0) + (low < add);
		}
	return high;
}

/* The counter of a hash in a row. */
static inline uint64_t *
oracle_counter(const oracle *o, pds_hash h, int row)
{
	uint64_t	x = h.h1;

	for (int i = 0; i < row; i++)
		x = x * UINT64_C(0x9e3779b97f4a7c15) + h.h2;
	return o->counters + (size_t) row * o->shape.width + oracle_scale(x, o->shape.width);
}

static inline uint64_t
oracle_frequency(const oracle *o, pds_hash h)
{
	uint64_t	least = UINT64_MAX;

	for (int row = 0; row < o->shape.depth; row++)
		if (*oracle_counter(o, h, row) < least)
			least = *oracle_counter(o, h, row);
	return least;
}

static inline void
oracle_add(oracle *o, pds_hash h, int64_t weight)
{
	uint64_t	after = oracle_frequency(o, h) + (uint64_t) weight;

	for (int row = 0; row < o->shape.depth; row++)
	{
		uint64_t   *counter = oracle_counter(o, h, row);

		if (!o->shape.conservative)
			*counter += (uint64_t) weight;
		else if (*counter < after)
			*counter = after;
	}
	o->total += (uint64_t) weight;
}

static inline void
oracle_merge(oracle *o, const oracle *from, bool subtract)
{
	for (size_t i = 0; i < (size_t) o->shape.width * o->shape.depth; i++)
		o->counters[i] += subtract ? 0 - from->counters[i] : from->counters[i];
	o->total += subtract ? 0 - from->total : from->total;
}

static inline void
oracle_put_unary(bit_list *l, uint64_t zeros)
{
	l->bits += zeros;
	bit_list_put(l, 1, 1);
}

static inline size_t
oracle_put_number(uint8_t *out, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		out[i] = (uint8_t) (v >> (8 * i));
	return (size_t) bytes;
}

static inline int
oracle_log2(uint64_t v)
{
	int			log = 0;

	while ((v >>= 1) != 0)
		log++;
	return log;
}

static int
oracle_compare(const void *a, const void *b)
{
	return *(const int *) a - *(const int *) b;
}

/* The median of floor(log2) over the counters that are not zero, the lower of two. */
static inline int
oracle_order(const oracle *o, size_t m, size_t nonzero)
{
	int		   *logs = sketch_memory(nonzero * sizeof(int));
	size_t		n = 0;
	int			order;

	for (size_t i = 0; i < m; i++)
		if (o->counters[i] != 0)
			logs[n++] = oracle_log2(o->counters[i]);
	qsort(logs, nonzero, sizeof(int), oracle_compare);
	order = logs[(nonzero - 1) / 2];
	free(logs);
	return order;
}

static inline size_t
oracle_sparse(const oracle *o, size_t m, size_t nonzero, uint8_t *out)
{
	size_t		at = 0;
	int			order = oracle_order(o, m, nonzero);
	size_t		segment = 1;
	size_t		segments;
	int			r = 0;
	size_t		data;
	size_t		directory;

	at += oracle_varint(out, nonzero);
	out[at++] = (uint8_t) order;
	while (nonzero * (UINT64_C(2) << r) <= m)
		r++;
	/* the largest segment that is not too full, or the first that holds all */
	while (segment < m && (uint64_t) nonzero * (segment * 2) <= (uint64_t) 512 * m)
		segment *= 2;
	segments = (m + segment - 1) / segment;
	directory = at;
	if (segments > 1)
		at += 4 * segments;
	data = at;
	for (size_t i = 0; i < segments; i++)
	{
		bit_list	list = {out + at, 0};
		size_t		next = i * segment;

		for (size_t position = next; position < m && position < (i + 1) * segment; position++)
		{
			uint64_t	count = o->counters[position];
			uint64_t	u = count - 1 + (UINT64_C(1) << order);

			if (count == 0)
				continue;
			oracle_put_unary(&list, (position - next) >> r);
			bit_list_put(&list, position - next, r);
			oracle_put_unary(&list, (uint64_t) (oracle_log2(u) - order));
			bit_list_put(&list, u, oracle_log2(u));
			next = position + 1;
		}
		at += (list.bits + 7) / 8;
		if (segments > 1)
			oracle_put_number(out + directory + 4 * i, at - data, 4);
	}
	return at;
}

/* The stored form of these counters of numbers. */
static inline payload
oracle_payload(const oracle *o)
{
	size_t		m = (size_t) o->shape.width * o->shape.depth;
	uint8_t    *out = calloc(m * 18 + 100, 1);
	size_t		at = 0;
	size_t		nonzero = 0;
	uint64_t	largest = 0;
	int			encoding;
	payload		result;

	if (out == NULL)
		sketch_die("out of memory");
	for (size_t i = 0; i < m; i++)
	{
		nonzero += o->counters[i] > 0;
		if (o->counters[i] > largest)
			largest = o->counters[i];
	}
	encoding = nonzero == 0 ? 0 : 2 * nonzero <= m ? 1 :
		largest < 256 ? 2 : largest < 65536 ? 3 : largest <= UINT32_MAX ? 4 : 5;
	at += oracle_put_number(out + at, 0x31, 1);
	at += oracle_put_number(out + at, (uint64_t) encoding, 1);
	at += oracle_put_number(out + at, encoding == 0 ? PDS_KIND_NONE : PDS_KIND_NUMBER, 1);
	at += oracle_put_number(out + at, o->shape.conservative, 1);
	at += oracle_put_number(out + at, o->shape.depth, 1);
	at += oracle_put_number(out + at, o->shape.epsilon, 2);
	at += oracle_put_number(out + at, o->shape.delta, 2);
	at += oracle_put_number(out + at, o->shape.width, 4);
	if (encoding > 0)
		at += oracle_put_number(out + at, o->total, 8);
	if (encoding == 1)
		at += oracle_sparse(o, m, nonzero, out + at);
	for (size_t i = 0; encoding >= 2 && i < m; i++)
		at += oracle_put_number(out + at, o->counters[i], 1 << (encoding - 2));
	result = payload_copy(out, at);
	free(out);
	return result;
}

#endif
