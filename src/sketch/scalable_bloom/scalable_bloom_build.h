/*
 * scalable_bloom_build.h: the closed layers of a building image, for the module's files
 */
#ifndef PDS_SKETCH_SCALABLE_BLOOM_SCALABLE_BLOOM_BUILD_H
#define PDS_SKETCH_SCALABLE_BLOOM_SCALABLE_BLOOM_BUILD_H

#include <string.h>

#include "scalable_bloom.h"

/* What stands before each closed layer: its length. */
#define PDS_SCALABLE_BLOOM_ENTRY_BYTES	8

static inline size_t
pds_scalable_bloom_round_up(size_t n)
{
	return (n + 7) / 8 * 8;
}

/* Bytes that a closed layer of so many takes. */
static inline size_t
pds_scalable_bloom_entry_size(size_t len)
{
	return PDS_SCALABLE_BLOOM_ENTRY_BYTES + pds_scalable_bloom_round_up(len);
}

static inline uint8_t *
pds_scalable_bloom_closed(const pds_scalable_bloom_build *b)
{
	return (uint8_t *) b->words;
}

/*
 * The closed layer at *at, which begins with 0 and is moved behind it; false at the end.
 * The state has passed its check, so every layer opens.
 */
static inline bool
pds_scalable_bloom_next_closed(const pds_scalable_bloom_build *b, size_t *at, pds_bloom_view *v)
{
	const uint8_t *entry = pds_scalable_bloom_closed(b) + *at;
	uint32_t	len;

	if (*at >= b->closed)
		return false;
	memcpy(&len, entry, sizeof(len));
	(void) pds_bloom_open(v, entry + PDS_SCALABLE_BLOOM_ENTRY_BYTES, len, len, NULL);
	*at += pds_scalable_bloom_entry_size(len);
	return true;
}

/* Close the layer whose len bytes stand behind the closed ones, where its entry will have them. */
extern void pds_scalable_bloom_close(pds_scalable_bloom_build *b, size_t len);

/* The same, unless a closed layer contains it.  Those that it contains are dropped. */
extern void pds_scalable_bloom_append(pds_scalable_bloom_build *b, size_t len);

/* The open layer's stored form, if it holds anything: how long it is at most, or 0. */
extern size_t pds_scalable_bloom_closing(const pds_scalable_bloom_build *b,
										 pds_bloom_encoding *encoding);

/* Append the open layer of "from" to the closed ones of b, which has the space. */
extern void pds_scalable_bloom_append_open(pds_scalable_bloom_build *b,
										   const pds_scalable_bloom_build *from);

#endif
