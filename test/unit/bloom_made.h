/*
 * bloom_made.h: bytes made by hand that may or may not pass for a Bloom filter
 */
#ifndef PDS_TEST_BLOOM_MADE_H
#define PDS_TEST_BLOOM_MADE_H

#include "bloom.h"
#include "bloom_sets.h"
#include "refused.h"

static inline payload
stored_keys(const pds_bloom_shape *s, size_t n)
{
	filter		f = filter_new(s);
	payload		stored;

	for (size_t i = 0; i < n; i++)
		filter_add(&f, hash_of(i));
	stored = filter_encode(&f);
	filter_free(&f);
	return stored;
}

/* Bytes are put together from these. */
typedef struct made
{
	uint8_t		bytes[4096];
	size_t		len;
} made;

static inline made
head_of(int family, int encoding, int kind, int rate)
{
	made		m = {{0x21, (uint8_t) (family << 4 | encoding), (uint8_t) kind,
	(uint8_t) (rate & 0xff), (uint8_t) (rate >> 8)}, 5};

	return m;
}

static inline void
put_byte(made *m, int byte)
{
	m->bytes[m->len++] = (uint8_t) byte;
}

static inline void
put_number(made *m, uint64_t v)
{
	m->len += oracle_varint(m->bytes + m->len, v);
}

/* A number in one byte more than it takes. */
static inline void
put_long_number(made *m, uint64_t v)
{
	put_number(m, v);
	m->bytes[m->len - 1] |= 0x80;
	put_byte(m, 0);
}

static inline bool
made_refused(const made *m)
{
	return refused(m->bytes, m->len);
}

/* An empty filter of an explicit size. */
static inline made
explicit_head(int family, uint64_t capacity, int hashes, uint64_t words)
{
	made		m = head_of(family, PDS_BLOOM_EMPTY, PDS_KIND_NONE, 0x8000);

	put_number(&m, capacity);
	put_byte(&m, hashes);
	put_number(&m, words);
	return m;
}

/* ---------- lists ---------- */

/* A list of n bits in u cells, in a filter of so many words. */
static inline made
list_head(int family, uint64_t words, uint64_t n, uint64_t u)
{
	made		m = explicit_head(family, 0, 7, words);

	m.bytes[1] |= PDS_BLOOM_SPARSE;
	m.bytes[2] = PDS_KIND_NUMBER;
	put_number(&m, n);
	put_number(&m, u);
	return m;
}

static inline bit_list
list_of(made *m)
{
	bit_list	list = {m->bytes + m->len, 0};

	memset(list.bytes, 0, sizeof(m->bytes) - m->len);
	return list;
}

static inline void
put_gamma(bit_list *list, uint64_t n)
{
	int			log = 0;

	while (n >> (log + 1) != 0)
		log++;
	bit_list_put(list, UINT64_C(1) << log, log + 1);
	bit_list_put(list, n, log);
}

static inline void
end_list(made *m, const bit_list *list)
{
	m->len += (list->bits + 7) / 8;
}

#endif
