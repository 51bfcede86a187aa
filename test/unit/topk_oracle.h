/*
 * topk_oracle.h: a second sketch of the most frequent values, slow and simple
 *
 * Written from the descriptions in topk.h and topk_format.c, without the library's code.  It is
 * a plain list of the values, sorted as a whole for every purge, and written a byte at a time.
 * Where the two differ, one of them is wrong.
 */
#ifndef PDS_TEST_TOPK_ORACLE_H
#define PDS_TEST_TOPK_ORACLE_H

#include "topk_sketch.h"

/* Values are numbers below this. */
#define ORACLE_VALUES	200000

typedef struct oracle_item
{
	uint64_t	value;
	uint64_t	hash;
	uint64_t	upper;
	uint64_t	error;
} oracle_item;

typedef struct oracle
{
	uint32_t	k;
	uint32_t	counters;
	pds_kind	kind;
	uint64_t	total;
	uint64_t	offset;
	uint32_t	n;
	oracle_item *items;
	int32_t    *where;			/* of each value: its item, or -1 */
	uint64_t   *truth;			/* of each value: how often it occurred */
} oracle;

static inline uint32_t
oracle_usual_counters(uint32_t k)
{
	return k * 16 > 2048 ? k * 16 : 2048;
}

static inline oracle
oracle_new_of(uint32_t k, uint32_t counters, pds_kind kind)
{
	oracle		o = {k, counters, kind, 0, 0, 0, NULL, NULL, NULL};

	o.items = sketch_memory(ORACLE_VALUES * sizeof(oracle_item));
	o.where = sketch_memory(ORACLE_VALUES * sizeof(int32_t));
	o.truth = calloc(ORACLE_VALUES, sizeof(uint64_t));
	if (o.truth == NULL)
		sketch_die("out of memory");
	memset(o.where, 0xff, ORACLE_VALUES * sizeof(int32_t));
	return o;
}

static inline void
oracle_free(oracle *o)
{
	free(o->items);
	free(o->where);
	free(o->truth);
}

static inline oracle
oracle_new(uint32_t k, pds_kind kind)
{
	return oracle_new_of(k, oracle_usual_counters(k), kind);
}

static inline int
oracle_compare(const void *a, const void *b)
{
	const oracle_item *x = a;
	const oracle_item *y = b;

	if (x->upper != y->upper)
		return x->upper > y->upper ? -1 : 1;
	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* The items as they are sorted; to be freed. */
static inline oracle_item *
oracle_sorted(const oracle *o)
{
	oracle_item *sorted = sketch_memory(o->n * sizeof(oracle_item));

	memcpy(sorted, o->items, o->n * sizeof(oracle_item));
	qsort(sorted, o->n, sizeof(oracle_item), oracle_compare);
	return sorted;
}

static inline void
oracle_purge(oracle *o)
{
	oracle_item *sorted = oracle_sorted(o);
	uint32_t	kept = o->counters;

	o->offset = sorted[kept].upper;
	for (uint32_t i = 0; i < o->n; i++)
		o->where[sorted[i].value] = i < kept ? (int32_t) i : -1;
	memcpy(o->items, sorted, kept * sizeof(oracle_item));
	o->n = kept;
	free(sorted);
}

static inline void
oracle_new_item(oracle *o, uint64_t value, uint64_t upper, uint64_t error)
{
	oracle_item item = {value, value_hash(o->kind, value), upper, error};

	o->where[value] = (int32_t) o->n;
	o->items[o->n++] = item;
}

static inline void
oracle_add(oracle *o, uint64_t value, uint64_t weight)
{
	o->total += weight;
	o->truth[value] += weight;
	if (o->where[value] >= 0)
	{
		o->items[o->where[value]].upper += weight;
		return;
	}
	if (o->n == 2 * o->counters)
		oracle_purge(o);
	oracle_new_item(o, value, o->offset + weight, o->offset);
}

/* As topk.h says it, for unions that need no purge on their way. */
static inline void
oracle_merge(oracle *o, const oracle *from)
{
	uint64_t	offset = o->offset;

	for (uint32_t i = 0; i < o->n; i++)
	{
		int32_t		other = from->where[o->items[i].value];

		o->items[i].upper += other >= 0 ? from->items[other].upper : from->offset;
		o->items[i].error += other >= 0 ? from->items[other].error : from->offset;
	}
	for (uint32_t i = 0; i < from->n; i++)
		if (o->where[from->items[i].value] < 0)
			oracle_new_item(o, from->items[i].value, from->items[i].upper + offset,
							from->items[i].error + offset);
	if (o->n > 2 * o->counters)
		sketch_die("the oracle cannot merge so much");
	o->total += from->total;
	o->offset += from->offset;
	for (uint32_t i = 0; i < ORACLE_VALUES; i++)
		o->truth[i] += from->truth[i];
}

/* The stored form; the oracle comes to rest by it. */
static inline payload
oracle_encode(oracle *o)
{
	uint8_t    *out;
	uint8_t    *records;
	size_t		at = 3;
	size_t		record_bytes = 0;
	oracle_item *sorted;
	payload		p;

	if (o->n > o->counters)
		oracle_purge(o);
	sorted = oracle_sorted(o);
	out = sketch_memory(o->n * 120 + 100);
	records = sketch_memory(o->n * 80);
	for (uint32_t i = 0; i < o->n; i++)
	{
		record_bytes += value_text(o->kind, sorted[i].value, (char *) records + record_bytes);
		if (o->kind != PDS_KIND_STRING && o->kind != PDS_KIND_NUMBER)
			for (int byte = 0; byte < 8; byte++)
				records[record_bytes++] = (uint8_t) (sorted[i].hash >> (8 * byte));
	}

	out[0] = 0x41;
	out[1] = o->total > 0;
	out[2] = o->total > 0 ? o->kind : 0;
	if (o->counters == oracle_usual_counters(o->k))
		at += oracle_varint(out + at, o->k);
	else
	{
		at += oracle_varint(out + at, 65536 + o->k);
		at += oracle_varint(out + at, o->counters);
	}
	if (o->total > 0)
	{
		at += oracle_varint(out + at, o->total);
		at += oracle_varint(out + at, o->offset);
		at += oracle_varint(out + at, o->n);
		at += oracle_varint(out + at, record_bytes);
		for (uint32_t i = 0; i < o->n; i++)
		{
			char		text[VALUE_TEXT];

			at += oracle_varint(out + at, i == 0 ? sorted[0].upper - o->offset :
								sorted[i - 1].upper - sorted[i].upper);
			if (o->offset > 0)
				at += oracle_varint(out + at, sorted[i].error == 0 ? 0 :
									1 + o->offset - sorted[i].error);
			at += oracle_varint(out + at, value_text(o->kind, sorted[i].value, text));
		}
		memcpy(out + at, records, record_bytes);
		at += record_bytes;
	}
	p = payload_copy(out, at);
	free(sorted);
	free(records);
	free(out);
	return p;
}

/*
 * A stream that has everything: a few heavy values, many light ones, and others that
 * come once.
 */
static inline uint64_t
oracle_draw(uint64_t random)
{
	uint64_t	r = random >> 40;

	switch (random & 7)
	{
		case 0:
		case 1:
			return r % 10;
		case 2:
		case 3:
			return r % 1000;
		case 4:
		case 5:
			return r % 30000;
		default:
			return r % ORACLE_VALUES;
	}
}

#endif
