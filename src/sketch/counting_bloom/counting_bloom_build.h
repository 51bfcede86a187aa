/*
 * counting_bloom_build.h: inside the building form, and walks over the counters of any form
 */
#ifndef PDS_SKETCH_COUNTING_BLOOM_COUNTING_BLOOM_BUILD_H
#define PDS_SKETCH_COUNTING_BLOOM_COUNTING_BLOOM_BUILD_H

#include "bits.h"
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

/*
 * A walk goes over the counters of a filter that are not zero.  They are in an array, in a table
 * of slots, or in the segments of a stored filter.  Of all but the table of an image, the counters
 * come in ascending order.
 */
typedef struct pds_counting_bloom_walk
{
	const uint8_t *array;		/* an array, */
	const pds_counting_bloom_slot *table;	/* or a table, */
	uint64_t	at;				/* next counter or slot */
	uint64_t	end;			/* one past the last */
	pds_coded_reader coded;		/* or a stored list; "corrupt": the bytes make no sense */
} pds_counting_bloom_walk;

/* Of an image in whose ring nothing waits; of a view whose payload is all in memory. */
extern void pds_counting_bloom_walk_build(pds_counting_bloom_walk *w,
										  const pds_counting_bloom_build *b);
extern void pds_counting_bloom_walk_view(pds_counting_bloom_walk *w,
										 const pds_counting_bloom_view *v);

/*
 * The next counter that is not zero, with its count, at most 15; false at the end, and
 * where the bytes make no sense (w->coded.corrupt).
 */
extern bool pds_counting_bloom_walk_next(pds_counting_bloom_walk *w, uint64_t *counter,
										 uint64_t *count);

#endif
