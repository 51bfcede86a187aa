/*
 * bloom_foreign.c: the filters of other systems
 *
 * Guava (numbers are big-endian):
 *
 *     0     strategy            0 MURMUR128_MITZ_32, 1 MURMUR128_MITZ_64
 *     1     k
 *     2     4 bytes             number of words
 *     6..   8 bytes each        words: bit i is bit i mod 64 of word i / 64
 *
 * RedisBloom (numbers are little-endian, without gaps):
 *
 *     0     8 bytes             values in all layers
 *     8     4 bytes             layers; a bloom has 1
 *     12    4 bytes             options: 1 the size is not rounded to a power of
 *                               2, 2 it was asked for in bits, 4 hashes of 64
 *                               bits, 8 no further layers
 *     16    4 bytes             by how much the next layer is larger
 *
 *     and then for each layer, the oldest first, 53 bytes
 *
 *     20    8 bytes             bytes of the layer
 *     28    8 bytes             bits of it, 8 times as many
 *     36    8 bytes             values in it
 *     44    double              rate
 *     52    double              bits a value, for this rate
 *     60    4 bytes             k, ceil(ln 2 * bits a value)
 *     64    8 bytes             capacity
 *     72    1 byte              log2 of the number of bits if rounded, else 0
 *
 *     and then the data of each layer
 *
 *     73..  bytes               bit i is bit i mod 8 of byte i / 8, the lowest first
 *
 * Parquet (Thrift's compact protocol):
 *
 *     15    field 1, i32        numBytes: a varint, zigzag
 *     1c    field 2, struct     algorithm: 1c 00 00, field 1 (BLOCK) is a struct of nothing
 *     1c    field 3, struct     hash: the same, field 1 is XXHASH
 *     1c    field 4, struct     compression: the same, field 1 is UNCOMPRESSED
 *     00
 *     ..    bytes               blocks of 8 words of 32 bits, little-endian
 */
#include <math.h>

#include "poll.h"
#include "decimal.h"
#include "murmur2.h"
#include "varint.h"
#include "xxhash64.h"
#include "bloom_foreign.h"
#include "bloom_size.h"

/* ---------- hashing ---------- */

#define REDIS_SEED	UINT64_C(0xc6a4a7935bd1e995)

bool
pds_bloom_foreign_hash(uint8_t family, pds_kind kind, const void *bytes, size_t len,
					   pds_hash *h)
{
	if (family == PDS_BLOOM_REDIS)
	{
		h->h1 = pds_murmur2_64a(bytes, len, REDIS_SEED);
		h->h2 = pds_murmur2_64a(bytes, len, h->h1);
		return true;
	}
	if (kind == PDS_KIND_NUMBER)
	{
		/* a numeric that is no such number takes an odd number of bytes */
		if (len != 8)
			return false;
		if (family == PDS_BLOOM_PARQUET32)
		{
			int64_t		v = (int64_t) pds_load_le64(bytes);

			if (v < INT32_MIN || v > INT32_MAX)
				return false;
			len = 4;
		}
	}
	h->h1 = pds_xxhash64(bytes, len, 0);
	h->h2 = 0;
	return true;
}

/* ---------- shapes ---------- */

/* What is left to be said of a shape whose numbers have been read. */
static pds_status
accept_shape(const pds_bloom_shape *s, const char **why)
{
	if (s->hashes > PDS_BLOOM_MAX_HASHES)
		PDS_DECLINE(why, "It has more than 40 hashes.");
	if (!pds_bloom_shape_valid(s))
		PDS_DECLINE(why, "It is larger than a value can be.");
	return PDS_OK;
}

/* ---------- Guava ---------- */

#define GUAVA_HEAD	6

pds_status
pds_bloom_guava_open(pds_bloom_foreign *f, const uint8_t *bytes, size_t len, const char **why)
{
	uint32_t	words;

	memset(f, 0, sizeof(*f));
	if (len < GUAVA_HEAD)
		PDS_REFUSE(why, "It is shorter than a header.");
	if (bytes[0] > 1)
		PDS_REFUSE(why, "Its strategy is neither MURMUR128_MITZ_32 nor MURMUR128_MITZ_64.");
	if (bytes[1] == 0)
		PDS_REFUSE(why, "It has no hashes.");
	words = __builtin_bswap32(pds_load_le32(bytes + 2));
	if (words == 0 || words > INT32_MAX || len - GUAVA_HEAD != (uint64_t) words * 8)
		PDS_REFUSE(why, "Its length is not what its number of words takes.");
	f->shape.family = bytes[0] == 0 ? PDS_BLOOM_GUAVA32 : PDS_BLOOM_CLASSIC;
	f->shape.hashes = bytes[1];
	f->shape.bits = (uint64_t) words * 64;
	f->swapped = true;
	f->data = bytes + GUAVA_HEAD;
	return accept_shape(&f->shape, why);
}

size_t
pds_bloom_guava_head(const pds_bloom_shape *s, uint8_t *out)
{
	out[0] = s->family == PDS_BLOOM_CLASSIC;
	out[1] = s->hashes;
	pds_store_le32(out + 2, __builtin_bswap32((uint32_t) (s->bits / 64)));
	return GUAVA_HEAD;
}

void
pds_bloom_swap_words(uint8_t *array, size_t len)
{
	for (size_t i = 0; i < len; i += 8)
	{
		pds_poll_each(i / 8);
		pds_store_le64(array + i, __builtin_bswap64(pds_load_le64(array + i)));
	}
}

/* ---------- RedisBloom ---------- */

#define REDIS_HEAD			(PDS_BLOOM_REDIS_CHAIN_BYTES + PDS_BLOOM_REDIS_LAYER_BYTES)

#define REDIS_NOT_ROUNDED	1
#define REDIS_64_BITS		4
#define REDIS_NO_SCALING	8
#define REDIS_OPTIONS		15

/* Its constants: ln 2, and its square */
#define REDIS_LN2			0.693147180559945
#define REDIS_LN2_SQUARED	0.480453013918201

/* The part of a layer: what is said of its shape, and how many values are in it. */
pds_status
pds_bloom_redis_layer_open(pds_bloom_shape *s, uint64_t *items, const uint8_t *bytes,
						   const char **why)
{
	double		rate = pds_double_of(pds_load_le64(bytes + 24));
	uint32_t	hashes = pds_load_le32(bytes + 40);
	int			log2_bits = bytes[52];

	memset(s, 0, sizeof(*s));
	s->family = PDS_BLOOM_REDIS;
	s->bits = pds_load_le64(bytes + 8);
	s->capacity = pds_load_le64(bytes + 44);
	*items = pds_load_le64(bytes + 16);
	if (s->bits == 0 || s->bits % 64 != 0 || s->bits / 8 != pds_load_le64(bytes) ||
		(log2_bits != 0 && (log2_bits > 63 || s->bits != UINT64_C(1) << log2_bits)))
		PDS_REFUSE(why, "Its numbers of bytes and bits do not agree.");
	if (s->capacity == 0 || s->capacity > INT64_MAX)
		PDS_REFUSE(why, "Its capacity is out of range.");
	if (!(rate > 0 && rate < 1) || hashes == 0 ||
		hashes != ceil(REDIS_LN2 * pds_double_of(pds_load_le64(bytes + 32))))
		PDS_REFUSE(why, "Its rate, bits a value and number of hashes do not agree.");
	s->rate = pds_decimal_code(rate);
	s->hashes = hashes < UINT8_MAX ? (uint8_t) hashes : UINT8_MAX;
	return accept_shape(s, why);
}

pds_status
pds_bloom_redis_chain_open(pds_bloom_redis_chain *c, const uint8_t *bytes, size_t len,
						   const char **why)
{
	uint32_t	options;

	if (len < PDS_BLOOM_REDIS_CHAIN_BYTES)
		PDS_REFUSE(why, "It is shorter than a header.");
	options = pds_load_le32(bytes + 12);
	c->items = pds_load_le64(bytes);
	c->layers = pds_load_le32(bytes + 8);
	c->expansion = (options & REDIS_NO_SCALING) != 0 ? 0 : pds_load_le32(bytes + 16);
	if (c->layers == 0 || (options & ~(uint32_t) REDIS_OPTIONS) != 0)
		PDS_REFUSE(why, "It does not begin as BF.SCANDUMP does.");
	c->hashes_64_bits = (options & REDIS_64_BITS) != 0;
	return PDS_OK;
}

pds_status
pds_bloom_redis_open(pds_bloom_foreign *f, const uint8_t *bytes, size_t len, const char **why)
{
	pds_bloom_redis_chain chain;
	pds_status	status = pds_bloom_redis_chain_open(&chain, bytes, len, why);
	uint64_t	items;

	memset(f, 0, sizeof(*f));
	if (status != PDS_OK)
		return status;
	if (chain.layers > 1)
		PDS_DECLINE(why, "It has grown by further layers, each of another size.");
	if (!chain.hashes_64_bits)
		PDS_DECLINE(why, "Its hashes are of 32 bits.");
	if (len < REDIS_HEAD)
		PDS_REFUSE(why, "It is shorter than a header.");
	status = pds_bloom_redis_layer_open(&f->shape, &items, bytes + PDS_BLOOM_REDIS_CHAIN_BYTES,
										why);
	if (status == PDS_CORRUPT)
		return status;
	if (len - REDIS_HEAD != f->shape.bits / 8)
		PDS_REFUSE(why, "Its length is not what its number of bytes takes.");
	if (chain.items != items)
		PDS_REFUSE(why, "Its numbers of values do not agree.");
	f->data = bytes + REDIS_HEAD;
	return status;
}

void
pds_bloom_redis_put_chain(const pds_bloom_redis_chain *c, uint8_t *out)
{
	pds_store_le64(out, c->items);
	pds_store_le32(out + 8, c->layers);
	pds_store_le32(out + 12, REDIS_NOT_ROUNDED | REDIS_64_BITS |
				   (c->expansion == 0 ? REDIS_NO_SCALING : 0));
	pds_store_le32(out + 16, c->expansion == 0 ? 2 : c->expansion);
}

void
pds_bloom_redis_put_layer(const pds_bloom_shape *s, uint64_t items, uint8_t *out)
{
	double		rate = s->rate != 0 ? pds_decimal_value(s->rate) : 0;
	double		bits_per_value = -log(rate) / REDIS_LN2_SQUARED;

	/* the digits of the rate that are not kept may have been the ones that counted */
	if (s->rate == 0 || ceil(REDIS_LN2 * bits_per_value) != s->hashes)
	{
		bits_per_value = (s->hashes - 0.5) / REDIS_LN2;
		rate = exp(-bits_per_value * REDIS_LN2_SQUARED);
	}
	pds_store_le64(out, s->bits / 8);
	pds_store_le64(out + 8, s->bits);
	pds_store_le64(out + 16, items);
	pds_store_le64(out + 24, pds_bits_of(rate));
	pds_store_le64(out + 32, pds_bits_of(bits_per_value));
	pds_store_le32(out + 40, s->hashes);
	pds_store_le64(out + 44, s->capacity);
	out[52] = 0;
}

void
pds_bloom_redis_layer_shape(uint64_t capacity, double rate, pds_bloom_shape *s)
{
	double		bits_per_value = -log(rate) / REDIS_LN2_SQUARED;

	memset(s, 0, sizeof(*s));
	s->family = PDS_BLOOM_REDIS;
	s->rate = pds_decimal_code(rate);
	s->hashes = (uint8_t) fmin(ceil(REDIS_LN2 * bits_per_value), PDS_BLOOM_MAX_HASHES);
	s->capacity = capacity;
	s->bits = ((uint64_t) ((double) capacity * bits_per_value) + 63) / 64 * 64;
	if (s->bits == 0)
		s->bits = 64;
}

size_t
pds_bloom_redis_head(const pds_bloom_shape *s, uint64_t items, uint32_t expansion, uint8_t *out)
{
	pds_bloom_redis_chain chain = {items, 1, expansion, true};

	pds_bloom_redis_put_chain(&chain, out);
	pds_bloom_redis_put_layer(s, items, out + PDS_BLOOM_REDIS_CHAIN_BYTES);
	return REDIS_HEAD;
}

/* ---------- Parquet ---------- */

static const uint8_t parquet_tail[] = {
	0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0
};

pds_status
pds_bloom_parquet_open(pds_bloom_foreign *f, const uint8_t *bytes, size_t len, const char **why)
{
	uint64_t	zigzag;
	size_t		at = 1;
	size_t		n;

	memset(f, 0, sizeof(*f));
	if (len < 1 || bytes[0] != 0x15)
		PDS_REFUSE(why, "It does not begin as a BloomFilterHeader does.");
	n = pds_varint_get(bytes + at, len - at, &zigzag);
	if (n == 0 || zigzag % 2 != 0 || zigzag / 2 > INT32_MAX ||
		zigzag / 2 == 0 || zigzag / 2 % (PDS_BLOOM_SPLIT_BITS / 8) != 0)
		PDS_REFUSE(why, "Its number of bytes is not one of whole blocks.");
	at += n;
	if (len - at < sizeof(parquet_tail) ||
		memcmp(bytes + at, parquet_tail, sizeof(parquet_tail)) != 0)
		PDS_REFUSE(why, "Its header does not say BLOCK, XXHASH and UNCOMPRESSED.");
	at += sizeof(parquet_tail);
	if (len - at != zigzag / 2)
		PDS_REFUSE(why, "Its length is not what its number of bytes takes.");
	f->shape.family = PDS_BLOOM_PARQUET;
	f->shape.hashes = PDS_BLOOM_SPLIT_WORDS;
	f->shape.bits = zigzag / 2 * 8;
	f->data = bytes + at;
	return accept_shape(&f->shape, why);
}

size_t
pds_bloom_parquet_head(const pds_bloom_shape *s, uint8_t *out)
{
	size_t		at = 0;

	out[at++] = 0x15;
	at += pds_varint_put(out + at, s->bits / 8 * 2);
	memcpy(out + at, parquet_tail, sizeof(parquet_tail));
	return at + sizeof(parquet_tail);
}

/* ---------- bits ---------- */

void
pds_bloom_foreign_array(const pds_bloom_foreign *f, uint8_t *array)
{
	memcpy(array, f->data, (size_t) (f->shape.bits / 8));
	if (f->swapped)
		pds_bloom_swap_words(array, (size_t) (f->shape.bits / 8));
}
