/*
 * counting_bloom_filter.h: counting Bloom filters on malloc, for the tests, and a plain
 * array of counters to compare them with
 *
 * Every piece of memory is exactly as large as the library asked for, so that a
 * sanitizer sees the first byte too far.
 */
#ifndef PDS_TEST_COUNTING_BLOOM_FILTER_H
#define PDS_TEST_COUNTING_BLOOM_FILTER_H

#include "payload.h"

#include "decimal.h"
#include "murmur3.h"
#include "bloom.h"
#include "bloom_size.h"
#include "counting_bloom.h"

typedef struct filter
{
	pds_counting_bloom_build *b;
	size_t		size;
} filter;

static inline pds_bloom_shape
shape_of(uint64_t capacity, double rate, uint8_t family)
{
	pds_bloom_shape s;

	if (pds_counting_bloom_shape_for(capacity, pds_decimal_code(rate), family, &s) != PDS_OK)
		sketch_die("too large");
	return s;
}

/* An empty filter. */
static inline filter
filter_new(const pds_bloom_shape *shape)
{
	filter		f;

	f.size = pds_counting_bloom_first_size(shape);
	f.b = sketch_memory(f.size);
	memset(f.b, 0xee, f.size);
	pds_counting_bloom_init(f.b, f.size, shape);
	return f;
}

static inline filter
filter_new_exact(const pds_bloom_shape *shape)
{
	filter		f;

	f.size = pds_counting_bloom_first_size(shape);
	f.b = sketch_memory(f.size);
	memset(f.b, 0xee, f.size);
	pds_counting_bloom_init(f.b, f.size, shape);
	f.b->exact = 1;
	return f;
}

/* A union of nothing yet. */
static inline filter
filter_nothing(void)
{
	filter		f;

	f.size = pds_counting_bloom_ops.first_size;
	f.b = sketch_memory(f.size);
	memset(f.b, 0xee, f.size);
	pds_counting_bloom_ops.init_nothing(f.b);
	return f;
}

static inline void
filter_free(filter *f)
{
	free(f->b);
	f->b = NULL;
}

static inline void
filter_move(filter *f, pds_counting_bloom_plan *plan)
{
	filter		to;

	to.size = plan->size;
	to.b = sketch_memory(plan->size);
	pds_counting_bloom_rebuild(to.b, plan, f->b);
	free(f->b);
	*f = to;
}

static inline filter
filter_copy(const filter *f)
{
	filter		to;

	to.size = f->size;
	to.b = sketch_memory(f->size);
	memcpy(to.b, f->b, f->size);
	return to;
}

static inline void
filter_add(filter *f, pds_hash h)
{
	pds_status	status;
	int			moves = 0;

	/* the frame gives the kind before it adds */
	pds_state_set_kind(f->b, PDS_KIND_NUMBER);
	while ((status = pds_counting_bloom_add(f->b, h)) == PDS_FULL)
	{
		pds_counting_bloom_plan plan;

		if (++moves > 1)
			sketch_die("a plan that did not help");
		pds_counting_bloom_plan_growth(f->b, &plan);
		filter_move(f, &plan);
	}
	if (status != PDS_OK)
		sketch_die("a value that cannot be added");
}

static inline pds_status
filter_merge(filter *f, const pds_operand *from, pds_kind kind)
{
	pds_counting_bloom_plan plan;
	pds_status	status = pds_counting_bloom_plan_union(f->b, from, &plan);

	if (status == PDS_FULL)
		filter_move(f, &plan);
	else if (status != PDS_OK)
		return status;
	if (kind != PDS_KIND_NONE)
		pds_state_set_kind(f->b, kind);
	status = pds_counting_bloom_merge(f->b, from);
	if (status == PDS_FULL)
		sketch_die("a plan that did not help");
	return status;
}

static inline pds_status
filter_merge_filter(filter *f, const filter *from)
{
	pds_operand operand = {from->b, NULL};

	return filter_merge(f, &operand, pds_state_kind(from->b));
}

static inline pds_status
filter_merge_view(filter *f, const pds_counting_bloom_view *v)
{
	pds_operand operand = {NULL, v};

	return filter_merge(f, &operand, v->kind);
}

/* The stored form. */
static inline payload
filter_encode(filter *f)
{
	pds_counting_bloom_encoding e;
	payload		p;
	void	   *scratch;

	pds_counting_bloom_measure(f->b, &e);
	scratch = sketch_memory(e.scratch);
	p.bytes = sketch_memory(e.bytes);
	p.len = pds_counting_bloom_encode(f->b, &e, scratch, p.bytes);
	if (p.len > e.bytes)
		sketch_die("longer than measured");
	p.bytes = realloc(p.bytes, p.len);
	free(scratch);
	return p;
}

static inline pds_counting_bloom_view
payload_view(const payload *p)
{
	pds_counting_bloom_view v;

	if (pds_counting_bloom_open(&v, p->bytes, p->len, p->len, NULL) != PDS_OK)
		sketch_die("what was written does not open");
	return v;
}

static inline uint32_t
view_count(pds_counting_bloom_view *v, pds_hash h)
{
	uint64_t	count;

	if (pds_counting_bloom_view_count(v, h, pds_in_memory, v, &count) != PDS_OK)
		sketch_die("a checked filter is corrupt");
	return (uint32_t) count;
}

/* ---------- the plain array ---------- */

typedef struct oracle
{
	pds_bloom_shape shape;
	uint8_t    *counters;		/* a byte each */
} oracle;

static inline oracle
oracle_new(const pds_bloom_shape *shape)
{
	oracle		o;

	o.shape = *shape;
	o.counters = sketch_memory((size_t) shape->bits);
	memset(o.counters, 0, (size_t) shape->bits);
	return o;
}

static inline void
oracle_free(oracle *o)
{
	free(o->counters);
	o->counters = NULL;
}

/* The bits that a Bloom filter sets for a hash. */
static inline uint8_t *
oracle_bits(const oracle *o, pds_hash h)
{
	uint8_t    *bits = sketch_memory((size_t) (o->shape.bits / 8));

	memset(bits, 0, (size_t) (o->shape.bits / 8));
	pds_bloom_array_add(bits, &o->shape, h);
	return bits;
}

static inline void
oracle_add(oracle *o, pds_hash h)
{
	uint8_t    *bits = oracle_bits(o, h);

	for (uint64_t i = 0; i < o->shape.bits; i++)
		if (pds_bloom_bit(bits, i) && o->counters[i] < 15)
			o->counters[i]++;
	free(bits);
}

static inline uint32_t
oracle_count(const oracle *o, pds_hash h)
{
	uint8_t    *bits = oracle_bits(o, h);
	uint32_t	least = 15;

	for (uint64_t i = 0; i < o->shape.bits; i++)
		if (pds_bloom_bit(bits, i) && o->counters[i] < least)
			least = o->counters[i];
	free(bits);
	return least;
}

static inline bool
oracle_remove(oracle *o, pds_hash h)
{
	uint8_t    *bits;

	if (oracle_count(o, h) == 0)
		return false;
	bits = oracle_bits(o, h);
	for (uint64_t i = 0; i < o->shape.bits; i++)
		if (pds_bloom_bit(bits, i) && o->counters[i] < 15)
			o->counters[i]--;
	free(bits);
	return true;
}

/* The stored form, written from its description. */
static inline payload
oracle_encode(const oracle *o)
{
	uint64_t	m = o->shape.bits;
	uint64_t	n = 0;
	uint64_t	often[16] = {0};
	uint64_t	bits_of_counts = UINT64_MAX;
	uint64_t	bits;
	int			code = 0;
	int			rice = 0;
	int			shift = 9;
	uint8_t		head[64];
	size_t		at = 0;
	size_t		coded_at;
	uint8_t    *data = sketch_memory((size_t) m * 20);
	uint8_t    *directory = sketch_memory((size_t) (m / 512 + 1) * 4);
	size_t		len = 0;
	uint64_t	segments;
	payload		p;

	for (uint64_t i = 0; i < m; i++)
		often[o->counters[i]]++;
	n = m - often[0];
	head[at++] = 0x61;
	head[at++] = (uint8_t) (o->shape.family << 4 | (n > 0));
	head[at++] = n > 0 ? PDS_KIND_NUMBER : PDS_KIND_NONE;
	head[at++] = (uint8_t) (o->shape.rate % 256);
	head[at++] = (uint8_t) (o->shape.rate / 256);
	at += oracle_varint(head + at, o->shape.capacity);
	head[at++] = o->shape.hashes;
	at += oracle_varint(head + at, m / 64);
	coded_at = at;
	if (n == 0)
	{
		free(data);
		free(directory);
		return payload_copy(head, at);
	}

	for (int q = 0; q < 4 && n > often[1]; q++)
	{
		uint64_t	sum = 0;

		for (uint64_t c = 1; c < 16; c++)
			sum += often[c] * ((c - 1) / (UINT64_C(1) << q) + 1 + (uint64_t) q);
		if (sum < bits_of_counts)
		{
			bits_of_counts = sum;
			code = q + 1;
		}
	}
	if (code == 0)
		bits_of_counts = 0;
	at += oracle_varint(head + at, n);
	head[at++] = (uint8_t) code;
	while ((UINT64_C(2) << rice) <= 985 * m / (1024 * n))
		rice++;
	while ((UINT64_C(1) << shift) < m && n * (UINT64_C(2) << shift) <= 512 * m)
		shift++;
	segments = (m + (UINT64_C(1) << shift) - 1) >> shift;
	for (uint64_t segment = 0; segment < segments; segment++)
	{
		bit_list	l = {data + len, 0};
		uint64_t	next = segment << shift;

		memset(data + len, 0, (size_t) m * 20 - len);
		for (uint64_t i = next; i < m && i >> shift == segment; i++)
		{
			int			c = o->counters[i];

			if (c == 0)
				continue;
			for (uint64_t zeros = (i - next) >> rice; zeros > 0; zeros--)
				bit_list_put(&l, 0, 1);
			bit_list_put(&l, 1, 1);
			bit_list_put(&l, i - next, rice);
			if (code > 0)
			{
				for (int zeros = (c - 1) >> (code - 1); zeros > 0; zeros--)
					bit_list_put(&l, 0, 1);
				bit_list_put(&l, 1, 1);
				bit_list_put(&l, (uint64_t) c - 1, code - 1);
			}
			next = i + 1;
		}
		len += (l.bits + 7) / 8;
		for (int byte = 0; byte < 4; byte++)
			directory[segment * 4 + (uint64_t) byte] = (uint8_t) (len >> 8 * byte);
	}

	bits = n * (1 + (uint64_t) rice) + (m - n) / (UINT64_C(1) << rice) + bits_of_counts +
		40 * segments;
	if (bits >= 4 * m)
	{
		head[1]++;
		p.len = coded_at + (size_t) (m / 2);
		p.bytes = sketch_memory(p.len);
		memset(p.bytes, 0, p.len);
		memcpy(p.bytes, head, coded_at);
		for (uint64_t i = 0; i < m; i++)
			p.bytes[coded_at + i / 2] |= (uint8_t) (o->counters[i] << i % 2 * 4);
	}
	else
	{
		size_t		directory_len = segments > 1 ? (size_t) segments * 4 : 0;

		p.len = at + directory_len + len;
		p.bytes = sketch_memory(p.len);
		memcpy(p.bytes, head, at);
		memcpy(p.bytes + at, directory, directory_len);
		memcpy(p.bytes + at + directory_len, data, len);
	}
	free(data);
	free(directory);
	return p;
}

#endif
