/*
 * scalable_bloom_foreign.h: chains of layers from RedisBloom, and for it
 *
 * A chain is what BF.SCANDUMP gives: its head (iterator 1) and the chunks of data one
 * after the other.  bloom_foreign.c draws it.
 */
#ifndef PDS_SKETCH_SCALABLE_BLOOM_SCALABLE_BLOOM_FOREIGN_H
#define PDS_SKETCH_SCALABLE_BLOOM_SCALABLE_BLOOM_FOREIGN_H

#include "bloom_foreign.h"
#include "scalable_bloom.h"

/* A chain, read in place. */
typedef struct pds_scalable_bloom_chain
{
	pds_scalable_bloom_parameters parameters;	/* the rate: what BF.RESERVE had, as far as
												 * the first layer's tells it */
	uint32_t	layers;
	const uint8_t *bytes;
	size_t		len;
} pds_scalable_bloom_chain;

/*
 * Read the head of a chain and of all its layers.  Errors: PDS_CORRUPT with a sentence in
 * *why for what RedisBloom cannot have written; PDS_PARAMETER_MISMATCH, also with a sentence, for
 * what it can but a scalable_bloom cannot be.
 */
extern pds_status pds_scalable_bloom_redis_open(pds_scalable_bloom_chain *c,
												const uint8_t *bytes, size_t len,
												const char **why);

/*
 * Make the sketch of a chain, whose values are of this kind, at b, aligned to 8, of
 * pds_scalable_bloom_import_size() bytes.  Layers without values are left out.  The varlena word is
 * left alone.
 */
extern size_t pds_scalable_bloom_import_size(const pds_scalable_bloom_chain *c);
extern void pds_scalable_bloom_import(pds_scalable_bloom_build *b,
									  const pds_scalable_bloom_chain *c, pds_kind kind);

/* How long the dump of a sketch of the family is going to be. Errors: PDS_CORRUPT. */
extern pds_status pds_scalable_bloom_redis_size(const pds_scalable_bloom_view *v, size_t *len);

/*
 * Write it; an empty one is a chain of one layer without values, as RedisBloom's is.  The numbers
 * of values are estimates.  Errors: PDS_CORRUPT.
 */
extern pds_status pds_scalable_bloom_redis_write(const pds_scalable_bloom_view *v, uint8_t *out);

#endif
