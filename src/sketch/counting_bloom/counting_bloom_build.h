/*
 * counting_bloom_build.h: inside the building form
 */
#ifndef PDS_SKETCH_COUNTING_BLOOM_COUNTING_BLOOM_BUILD_H
#define PDS_SKETCH_COUNTING_BLOOM_COUNTING_BLOOM_BUILD_H

#include "counting_bloom.h"

/* The most entries that a table takes: at least one slot stays free. */
static inline uint32_t
pds_counting_bloom_table_limit(uint32_t slots)
{
	return slots == 0 ? 0 : slots - slots / 8 - 1;
}

/* Is there space for n more? */
static inline bool
pds_counting_bloom_has_space(const pds_counting_bloom_build *b, uint64_t n)
{
	return n + b->used <= pds_counting_bloom_table_limit(b->slots);
}

/* The places of a hash in ascending order, each once; returns how many. */
extern int	pds_counting_bloom_places(const pds_bloom_shape *s, pds_hash h, uint64_t *places);

/* Counter i, past 15 in an exact image. */
extern uint64_t pds_counting_bloom_get(const pds_counting_bloom_build *b, uint64_t i);

/* Set a counter to what it is plus n, at most 15.  There is space; b is not exact. */
extern void pds_counting_bloom_raise(pds_counting_bloom_build *b, uint64_t i, uint32_t n);

/* Set a counter to what it is less n; nothing is below zero then. */
extern void pds_counting_bloom_lower(pds_counting_bloom_build *b, uint64_t i, uint32_t n);

/* How many counters of an array are not zero. */
extern uint64_t pds_counting_bloom_count_nonzero(const uint8_t *array, uint64_t counters);

/* Cut counters to 15. */
extern void pds_counting_bloom_make_plain(pds_counting_bloom_build *b);

/* The smallest image that has space for so many more counters that are not zero. */
extern void pds_counting_bloom_plan_for(const pds_counting_bloom_build *b, uint64_t more,
										pds_counting_bloom_plan *plan);

/* An image of all counters. */
extern void pds_counting_bloom_plan_counters(const pds_counting_bloom_build *b,
											 pds_counting_bloom_plan *plan);

/* The kind of values is forgotten when nothing is left. */
static inline void
pds_counting_bloom_settle(pds_counting_bloom_build *b)
{
	if (b->nonzero == 0)
		pds_state_set_kind(b, PDS_KIND_NONE);
}

#endif
