/*
 * bloom_foreign.h: the filters of other systems, byte layouts and hashes
 *
 * All of them are a head and an array of bits.  The layouts are drawn in
 * bloom_foreign.c; how a value becomes bits is told in bloom.h, family by family.
 *
 *   Guava       com.google.common.hash.BloomFilter, what writeTo() writes.  Its
 *               strategy MURMUR128_MITZ_64 is the layout classic, MURMUR128_MITZ_32
 *               the family guava32.
 *   RedisBloom  what BF.SCANDUMP gives, of a filter that consists of one layer:
 *               the head (iterator 1) and the chunks of data one after the other
 *   Parquet     the split block filter of a column chunk: BloomFilterHeader in
 *               Thrift's compact protocol, then the bits
 *
 * Readers take any bytes.  They return PDS_CORRUPT, with a sentence in *why, for bytes that the
 * other system cannot have written.  They return PDS_PARAMETER_MISMATCH, also with a sentence,
 * for a valid filter that a bloom cannot represent.
 */
#ifndef PDS_SKETCH_BLOOM_BLOOM_FOREIGN_H
#define PDS_SKETCH_BLOOM_BLOOM_FOREIGN_H

#include "murmur3.h"
#include "bloom.h"

/* ---------- hashing ---------- */

/*
 * The hash of a value for a family that does not hash natively, from the value's
 * canonical bytes (doc/hashing.md).  False if such a filter cannot have a value
 * like that in it: numbers that are not whole, or do not fit in 8 bytes (parquet)
 * or in 4 (parquet32).
 */
extern bool pds_bloom_foreign_hash(uint8_t family, pds_kind kind, const void *bytes,
								   size_t len, pds_hash *h);

/* ---------- reading ---------- */

/* Return from a reader: not a mistake of theirs, but nothing that a sketch of ours can be. */
#define PDS_DECLINE(why, sentence) \
	do { \
		*(why) = (sentence); \
		return PDS_PARAMETER_MISMATCH; \
	} while (0)

/* A filter of another system, read in place. */
typedef struct pds_bloom_foreign
{
	pds_bloom_shape shape;		/* capacity and rate 0 where it does not say them */
	bool		swapped;		/* are the bytes of each word of 64 bits in reverse order? */
	const uint8_t *data;		/* shape.bits / 8 bytes */
} pds_bloom_foreign;

extern pds_status pds_bloom_guava_open(pds_bloom_foreign *f, const uint8_t *bytes,
									   size_t len, const char **why);
extern pds_status pds_bloom_redis_open(pds_bloom_foreign *f, const uint8_t *bytes,
									   size_t len, const char **why);

/* Reads a filter of the family parquet; its contents may make it parquet32. */
extern pds_status pds_bloom_parquet_open(pds_bloom_foreign *f, const uint8_t *bytes,
										 size_t len, const char **why);

/* Its bits, as an array of ours. */
extern void pds_bloom_foreign_array(const pds_bloom_foreign *f, uint8_t *array);

/* ---------- writing ---------- */

/*
 * Write the head of a filter of this shape, which is of the right family, and
 * return its length.  The array of bits follows; for Guava it goes through
 * pds_bloom_swap_words() first.
 */
#define PDS_BLOOM_FOREIGN_MAX_HEAD	80

extern size_t pds_bloom_guava_head(const pds_bloom_shape *s, uint8_t *out);
extern size_t pds_bloom_parquet_head(const pds_bloom_shape *s, uint8_t *out);

/*
 * items: how many values it is said to hold.  expansion: by how much the next layer
 * is larger, that RedisBloom adds when this one is full; 0 for a filter that then
 * refuses more values.
 */
extern size_t pds_bloom_redis_head(const pds_bloom_shape *s, uint64_t items,
								   uint32_t expansion, uint8_t *out);

/* ---------- RedisBloom's chains of layers ---------- */

/* Bytes at the beginning of a dump, and bytes for each layer before the layers' data. */
#define PDS_BLOOM_REDIS_CHAIN_BYTES		20
#define PDS_BLOOM_REDIS_LAYER_BYTES		53

typedef struct pds_bloom_redis_chain
{
	uint64_t	items;			/* values in all layers */
	uint32_t	layers;
	uint32_t	expansion;		/* by how much the next layer is larger; 0 without a next layer */
	bool		hashes_64_bits;
} pds_bloom_redis_chain;

/* Errors: PDS_CORRUPT. */
extern pds_status pds_bloom_redis_chain_open(pds_bloom_redis_chain *c, const uint8_t *bytes,
											 size_t len, const char **why);

/*
 * Read the part of a layer, PDS_BLOOM_REDIS_LAYER_BYTES long.  Errors: PDS_CORRUPT;
 * PDS_PARAMETER_MISMATCH for a shape that a bloom cannot have.
 */
extern pds_status pds_bloom_redis_layer_open(pds_bloom_shape *s, uint64_t *items,
											 const uint8_t *bytes, const char **why);

/* Write the same. */
extern void pds_bloom_redis_put_chain(const pds_bloom_redis_chain *c, uint8_t *out);
extern void pds_bloom_redis_put_layer(const pds_bloom_shape *s, uint64_t items, uint8_t *out);

/* The shape that RedisBloom, when it does not round sizes, gives a layer. */
extern void pds_bloom_redis_layer_shape(uint64_t capacity, double rate, pds_bloom_shape *s);

/* Reverse the bytes of each word of 64 bits; len is a multiple of 8. */
extern void pds_bloom_swap_words(uint8_t *array, size_t len);

#endif
