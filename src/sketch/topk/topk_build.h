/*
 * topk_build.h: what building and reading have to say to each other
 */
#ifndef PDS_SKETCH_TOPK_TOPK_BUILD_H
#define PDS_SKETCH_TOPK_TOPK_BUILD_H

#include "poll.h"
#include "topk.h"

/* In a loop over items, with its count from 0: their texts may be long. */
static inline void
pds_topk_poll(uint32_t i)
{
	pds_poll_every(i, 1024);
}

/*
 * Begin a union with a sketch of this k, total and offset; its items are to
 * follow by pds_topk_put().  Errors: PDS_PARAMETER_MISMATCH, PDS_OVERFLOW, and
 * PDS_FULL if b has no space for errors; after all of them nothing is changed.
 */
extern pds_status pds_topk_merge_begin(pds_topk_build *b, uint32_t k, uint64_t total,
									   uint64_t offset);

/*
 * Add an item of another sketch, or the weight of a value, to b.  "count" is the item's upper
 * bound less the offset of its own sketch, "deficit" that offset less the item's error.  For a
 * value they are its weight and 0.  The total is the caller's business.  Errors: PDS_FULL.
 */
extern pds_status pds_topk_put(pds_topk_build *b, uint64_t hash, uint64_t count,
							   uint64_t deficit, const char *text, uint32_t len);

#endif
