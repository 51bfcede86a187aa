/*
 * bloom_foreign_made.h: filters of other systems, written from their descriptions
 *
 * For the tests of what reads and asks them: heads by the drawings in
 * src/sketch/bloom/bloom_foreign.c, and bits as the oracle has them.
 */
#ifndef PDS_TEST_BLOOM_FOREIGN_MADE_H
#define PDS_TEST_BLOOM_FOREIGN_MADE_H

#include "bloom_filter.h"
#include "bloom_oracle.h"

#include "bloom_foreign.h"

static const uint8_t foreign_families[] = {
	PDS_BLOOM_CLASSIC, PDS_BLOOM_GUAVA32, PDS_BLOOM_REDIS, PDS_BLOOM_PARQUET
};

#define FOREIGN_FAMILIES	4

/* What a key sets in an array, and whether all of it is set there. */
static inline void
foreign_set(uint8_t *array, const pds_bloom_shape *s, pds_hash h)
{
	for (int i = 0; i < s->hashes; i++)
		array[oracle_place(h, s, i) / 8] |= (uint8_t) (1 << oracle_place(h, s, i) % 8);
}

static inline bool
foreign_has(const uint8_t *array, const pds_bloom_shape *s, pds_hash h)
{
	for (int i = 0; i < s->hashes; i++)
		if ((array[oracle_place(h, s, i) / 8] >> oracle_place(h, s, i) % 8 & 1) == 0)
			return false;
	return true;
}

/*
 * The bytes of a filter that has this array, as the system of its family writes it.
 * RedisBloom's: of so many values, for a capacity at a rate of 0.01.
 */
static inline payload
foreign_bytes(const pds_bloom_shape *s, const uint8_t *array, uint64_t items)
{
	size_t		len = (size_t) (s->bits / 8);
	payload		p = {sketch_memory(len + 80), 0};
	uint8_t    *data;
	double		rate = 0.01;
	double		bits_per_value = s->hashes / 0.693147180559945 - 0.3;

	if (s->family == PDS_BLOOM_CLASSIC || s->family == PDS_BLOOM_GUAVA32)
	{
		p.bytes[p.len++] = s->family == PDS_BLOOM_CLASSIC;
		p.bytes[p.len++] = s->hashes;
		for (int i = 3; i >= 0; i--)
			p.bytes[p.len++] = (uint8_t) (s->bits / 64 >> 8 * i & 0xff);
	}
	else if (s->family == PDS_BLOOM_REDIS)
	{
		memset(p.bytes, 0, 73);
		p.len = 73;
		pds_store_le64(p.bytes, items);
		p.bytes[8] = 1;
		p.bytes[12] = 5;
		p.bytes[16] = 2;
		pds_store_le64(p.bytes + 20, s->bits / 8);
		pds_store_le64(p.bytes + 28, s->bits);
		pds_store_le64(p.bytes + 36, items);
		memcpy(p.bytes + 44, &rate, 8);
		memcpy(p.bytes + 52, &bits_per_value, 8);
#ifdef PDS_BIG_ENDIAN
		pds_bloom_swap_words(p.bytes + 44, 16);
#endif
		p.bytes[60] = s->hashes;
		pds_store_le64(p.bytes + 64, s->capacity > 0 ? s->capacity : 1000);
	}
	else
	{
		p.bytes[p.len++] = 0x15;
		p.len += oracle_varint(p.bytes + p.len, 2 * len);
		for (int i = 0; i < 3; i++)
		{
			memcpy(p.bytes + p.len, "\x1c\x1c\0\0", 4);
			p.len += 4;
		}
		p.bytes[p.len++] = 0;
	}
	data = p.bytes + p.len;
	memcpy(data, array, len);
	if (p.bytes[0] <= 1 && p.len == 6)
		for (size_t i = 0; i < len; i++)
			data[i] = array[i ^ 7];
	p.len += len;
	p.bytes = realloc(p.bytes, p.len);
	if (p.bytes == NULL)
		sketch_die("out of memory");
	return p;
}

/* The reader of a family. */
static inline pds_status
foreign_open(uint8_t family, pds_bloom_foreign *f, const payload *p, const char **why)
{
	if (family == PDS_BLOOM_REDIS)
		return pds_bloom_redis_open(f, p->bytes, p->len, why);
	if (pds_bloom_is_split_block(family))
		return pds_bloom_parquet_open(f, p->bytes, p->len, why);
	return pds_bloom_guava_open(f, p->bytes, p->len, why);
}

/* What was opened, as a state, as the importers make it. */
static inline filter
foreign_filter(const pds_bloom_foreign *f, pds_kind kind)
{
	filter		to = filter_of_bits(&f->shape);

	pds_bloom_foreign_array(f, pds_bloom_build_array(to.b));
	pds_state_set_kind(to.b, kind);
	return to;
}

/* What it writes again, from its array of bits. */
static inline payload
foreign_write(const pds_bloom_shape *s, const uint8_t *array, uint64_t items, uint32_t expansion)
{
	uint8_t		head[PDS_BLOOM_FOREIGN_MAX_HEAD];
	size_t		head_len = s->family == PDS_BLOOM_REDIS ?
		pds_bloom_redis_head(s, items, expansion, head) :
		pds_bloom_is_split_block(s->family) ? pds_bloom_parquet_head(s, head) :
		pds_bloom_guava_head(s, head);
	payload		p;

	p.len = head_len + (size_t) (s->bits / 8);
	p.bytes = sketch_memory(p.len);
	memcpy(p.bytes, head, head_len);
	memcpy(p.bytes + head_len, array, p.len - head_len);
	if (s->family <= PDS_BLOOM_GUAVA32)
		pds_bloom_swap_words(p.bytes + head_len, p.len - head_len);
	return p;
}

#endif
