/*
 * cuckoo_oracle.h: a second cuckoo filter, slow and simple
 *
 * Written from what cuckoo.h and cuckoo_format.c say, without the library's code: a list
 * of the classes and their copies, kept in order, and written one bit at a time.  Where
 * the two differ, one of them is wrong.
 */
#ifndef PDS_TEST_CUCKOO_ORACLE_H
#define PDS_TEST_CUCKOO_ORACLE_H

#include "cuckoo_sketch.h"

typedef struct oracle_class
{
	uint64_t	class;
	uint64_t	copies;
} oracle_class;

typedef struct oracle
{
	uint64_t	capacity;
	uint16_t	rate;
	uint64_t	m;
	uint64_t	n;
	uint64_t	space;
	oracle_class *list;
} oracle;

static inline oracle
oracle_new(uint64_t capacity, double rate)
{
	oracle		o = {capacity, pds_decimal_code(rate), 0, 0, 0, NULL};
	uint64_t	digits = 100 + (o.rate - 1) % 900;
	uint64_t	scale = 1000;

	for (int e = 0; e < (o.rate - 1) / 900; e++)
		scale *= 10;
	/* small enough here */
	o.m = (capacity * scale + digits - 1) / digits;
	return o;
}

static inline void
oracle_free(oracle *o)
{
	free(o->list);
	o->list = NULL;
}

/* floor(x * m / 2^64), one bit of m after the other. */
static inline uint64_t
oracle_class_of(const oracle *o, pds_hash h)
{
	uint64_t	high = 0;
	uint64_t	low = 0;

	for (int bit = 0; bit < 64; bit++)
		if ((o->m >> bit & 1) != 0)
		{
			uint64_t	add = h.h1 << bit;

			low += add;
			high += (bit > 0 ? h.h1 >> (64 - bit) : 0) + (low < add);
		}
	return high;
}

/* Where a class is in the list, or belongs. */
static inline uint64_t
oracle_find(const oracle *o, uint64_t class)
{
	uint64_t	from = 0;
	uint64_t	to = o->n;

	while (from < to)
	{
		uint64_t	middle = (from + to) / 2;

		if (o->list[middle].class < class)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static inline uint64_t
oracle_count(const oracle *o, pds_hash h)
{
	uint64_t	class = oracle_class_of(o, h);
	uint64_t	at = oracle_find(o, class);

	return at < o->n && o->list[at].class == class ? o->list[at].copies : 0;
}

static inline void
oracle_add_class(oracle *o, uint64_t class, uint64_t copies)
{
	uint64_t	at = oracle_find(o, class);

	if (at < o->n && o->list[at].class == class)
	{
		o->list[at].copies += copies;
		return;
	}
	if (o->n == o->space)
	{
		o->space = o->space * 2 + 16;
		o->list = realloc(o->list, o->space * sizeof(oracle_class));
		if (o->list == NULL)
			sketch_die("out of memory");
	}
	memmove(o->list + at + 1, o->list + at, (o->n - at) * sizeof(oracle_class));
	o->list[at] = (oracle_class) {class, copies};
	o->n++;
}

static inline void
oracle_add(oracle *o, pds_hash h)
{
	oracle_add_class(o, oracle_class_of(o, h), 1);
}

static inline bool
oracle_remove(oracle *o, pds_hash h)
{
	uint64_t	class = oracle_class_of(o, h);
	uint64_t	at = oracle_find(o, class);

	if (at == o->n || o->list[at].class != class)
		return false;
	if (--o->list[at].copies == 0)
	{
		memmove(o->list + at, o->list + at + 1, (o->n - at - 1) * sizeof(oracle_class));
		o->n--;
	}
	return true;
}

static inline void
oracle_merge(oracle *o, const oracle *from)
{
	oracle		sum = *o;
	uint64_t	i = 0;
	uint64_t	j = 0;

	if (from->n == 0)
		return;
	sum.n = 0;
	sum.space = o->n + from->n;
	sum.list = malloc(sum.space * sizeof(oracle_class));
	if (sum.list == NULL)
		sketch_die("out of memory");
	while (i < o->n || j < from->n)
	{
		bool		ours = i < o->n && (j == from->n || o->list[i].class <= from->list[j].class);
		oracle_class next = ours ? o->list[i++] : from->list[j++];

		if (ours && j < from->n && from->list[j].class == next.class)
			next.copies += from->list[j++].copies;
		sum.list[sum.n++] = next;
	}
	free(o->list);
	*o = sum;
}

static inline uint64_t
oracle_total(const oracle *o)
{
	uint64_t	total = 0;

	for (uint64_t i = 0; i < o->n; i++)
		total += o->list[i].copies;
	return total;
}

/* floor(log2(v)) of v > 0 */
static inline int
oracle_log(uint64_t v)
{
	int			l = 0;

	while (v > 1)
	{
		v /= 2;
		l++;
	}
	return l;
}

static inline int
oracle_compare(const void *a, const void *b)
{
	return *(const int *) a - *(const int *) b;
}

static inline void
oracle_put_unary(bit_list *l, uint64_t zeros)
{
	l->bits += zeros;
	bit_list_put(l, 1, 1);
}

static inline void
oracle_put_gap(bit_list *l, uint64_t gap, int rice)
{
	oracle_put_unary(l, gap >> rice);
	bit_list_put(l, gap, rice);
}

static inline void
oracle_put_count(bit_list *l, uint64_t count, int order)
{
	uint64_t	u = count - 1 + (UINT64_C(1) << order);

	oracle_put_unary(l, (uint64_t) (oracle_log(u) - order));
	bit_list_put(l, u, oracle_log(u));
}

/* The stored form, of the kind PDS_KIND_NUMBER. */
static inline payload
oracle_payload(const oracle *o)
{
	size_t		most = 200 + o->n * 60;
	uint8_t    *out = calloc(most, 1);
	bit_list	bits;
	int		   *logs = sketch_memory((o->n + 1) * sizeof(int));
	uint64_t	total = oracle_total(o);
	uint64_t	repeated = 0;
	uint64_t	mean;
	uint64_t	segments;
	uint64_t	next = 0;
	size_t		at = 3;
	size_t		directory;
	size_t		data;
	int			rice = 0;
	int			s = 0;
	int			order = 0;
	bool		counts;
	payload		p;

	if (out == NULL)
		sketch_die("out of memory");
	out[0] = 0x51;
	out[2] = o->n > 0 ? PDS_KIND_NUMBER : PDS_KIND_NONE;
	at += oracle_varint(out + at, o->capacity);
	out[at++] = (uint8_t) o->rate;
	out[at++] = (uint8_t) (o->rate >> 8);
	if (o->n == 0)
		goto done;

	/* where 985 * m is too large for 64 bits, the format rounds before */
	mean = o->m >> 53 == 0 ? 985 * o->m / (1024 * o->n) : o->m / 1024 / o->n * 985;
	if (mean > 0)
		rice = oracle_log(mean);
	for (uint64_t i = 0; i < o->n; i++)
		repeated += o->list[i].copies > 1;
	counts = repeated * ((uint64_t) rice + 1) > o->n;
	out[1] = counts ? 2 : 1;
	at += oracle_varint(out + at, o->n);
	at += oracle_varint(out + at, total - o->n);
	if (total > o->n)
	{
		uint64_t	k = 0;

		for (uint64_t i = 0; i < o->n; i++)
		{
			if (counts)
				logs[k++] = oracle_log(o->list[i].copies);
			else if (o->list[i].copies > 1)
				logs[k++] = oracle_log(o->list[i].copies - 1);
		}
		qsort(logs, k, sizeof(int), oracle_compare);
		order = logs[(k - 1) / 2];
		out[at++] = (uint8_t) order;
	}
	while ((UINT64_C(1) << s) < o->m && s < 7 + oracle_log(o->m / o->n))
		s++;
	segments = (o->m - 1) / (UINT64_C(1) << s) + 1;
	directory = at;
	data = at + (segments > 1 ? segments * 4 : 0);
	at = data;
	for (uint64_t segment = 0; segment < segments; segment++)
	{
		uint64_t	from = segment * (UINT64_C(1) << s);

		bits = (bit_list) {out + at, 0};
		for (; next < o->n && o->list[next].class >> s == segment; next++)
		{
			uint64_t	copies = o->list[next].copies;

			if (copies > 1 && !counts)
			{
				oracle_put_gap(&bits, 0, rice);
				oracle_put_count(&bits, copies - 1, order);
			}
			oracle_put_gap(&bits, o->list[next].class - from + !counts, rice);
			if (counts)
				oracle_put_count(&bits, copies, order);
			from = o->list[next].class + 1;
		}
		at += (bits.bits + 7) / 8;
		if (segments > 1)
			for (int i = 0; i < 4; i++)
				out[directory + segment * 4 + (size_t) i] = (uint8_t) ((at - data) >> (8 * i));
	}
	if (at > most)
		sketch_die("the oracle's space is too small");
done:
	p = payload_copy(out, at);
	free(out);
	free(logs);
	return p;
}

#endif
