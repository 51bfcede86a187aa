/*
 * counting_bloom_walk.h: the counters of a filter that are not zero, one after the other
 *
 * A walk goes over any form of a filter: an array of counters, the table of an image,
 * a list in ascending order, or the segments of a stored filter.  Of all but the table the
 * counters come in ascending order.
 */
#ifndef PDS_SKETCH_COUNTING_BLOOM_COUNTING_BLOOM_WALK_H
#define PDS_SKETCH_COUNTING_BLOOM_COUNTING_BLOOM_WALK_H

#include "bits.h"
#include "counting_bloom.h"

/* A counter and what it counts, as a word of a list. */
static inline uint64_t
pds_counting_bloom_word(uint64_t counter, uint64_t count)
{
	return counter << 4 | count;
}

typedef struct pds_counting_bloom_walk
{
	const uint8_t *array;		/* an array, */
	const pds_counting_bloom_slot *table;	/* or a table, */
	const uint64_t *list;		/* or a list, */
	uint64_t	at;				/* next counter, slot or item */
	uint64_t	end;			/* one past the last */
	pds_coded_reader coded;		/* or a stored list; "corrupt": the bytes make no sense */
} pds_counting_bloom_walk;

extern void pds_counting_bloom_walk_array(pds_counting_bloom_walk *w, const uint8_t *array,
										  uint64_t counters);
extern void pds_counting_bloom_walk_list(pds_counting_bloom_walk *w, const uint64_t *list,
										 uint64_t n);
/* of an image in whose ring nothing waits; of a view whose payload is all in memory */
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

/*
 * The code of what counters count, where so many of them count 1, ... 15: 0 where all count 1,
 * else 1 and the Rice parameter of their counts less 1, 0 to 3, that takes the fewest bits, the
 * smallest of several.
 */
extern uint8_t pds_counting_bloom_code(const uint64_t *histogram);

/* The encoding of a filter of so many counters, where so many count 1, ... 15, in that code. */
extern uint8_t pds_counting_bloom_encoding_for(uint64_t counters, const uint64_t *histogram,
											   uint8_t code);

/* The list of a filter of so many counters with so many that are not zero. */
extern pds_coded_list pds_counting_bloom_list_for(uint64_t counters, uint64_t nonzero,
												  uint8_t code);

#endif
