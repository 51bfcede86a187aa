/*
 * pieces.h: stored bytes read in pieces, and values to ask for
 */
#ifndef PDS_TEST_PIECES_H
#define PDS_TEST_PIECES_H

#include "fuzz.h"
#include "payload.h"

#include "murmur3.h"

/* The source of a target's fetch function. It hands out exactly the requested bytes, once. */
typedef struct source
{
	const payload *p;
	uint8_t    *piece;
} source;

static inline const uint8_t *
fetch_piece(void *context, size_t offset, size_t len)
{
	source	   *s = context;

	MUST(offset <= s->p->len && len <= s->p->len - offset);
	free(s->piece);
	s->piece = payload_copy(s->p->bytes + offset, len).bytes;
	return s->piece;
}

/* The next of a sequence of hashes. */
static inline pds_hash
fuzz_hash(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return pds_murmur3_u64(*seed);
}

/* The next of a sequence of numbers. */
static inline uint64_t
fuzz_next(uint64_t *seed)
{
	(void) fuzz_hash(seed);
	return *seed >> 16;
}

#endif
