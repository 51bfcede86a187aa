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
#include "segments.h"
#include "counting_bloom.h"

/* Reads the counters of one segment in ascending order. */
typedef struct pds_counting_bloom_segment
{
	const pds_counting_bloom_view *v;
	pds_bit_reader bits;
	uint64_t	next;			/* the first counter that can come */
	uint64_t	end;			/* one past the segment */
	bool		corrupt;
} pds_counting_bloom_segment;

/* A segment that is all in memory at data. */
extern void pds_counting_bloom_segment_open(pds_counting_bloom_segment *r,
											const pds_counting_bloom_view *v, uint64_t segment,
											const uint8_t *data, size_t len);

/* False at its end, and where the bytes make no sense (r->corrupt). */
extern bool pds_counting_bloom_segment_next(pds_counting_bloom_segment *r, uint64_t *counter,
											uint32_t *count);

/* A counter and what it counts, as a word of a list. */
static inline uint64_t
pds_counting_bloom_word(uint64_t counter, uint32_t count)
{
	return counter << 4 | count;
}

typedef struct pds_counting_bloom_walk
{
	const uint8_t *array;		/* an array, */
	const pds_counting_bloom_slot *table;	/* or a table, */
	const uint64_t *list;		/* or a list, */
	const pds_counting_bloom_view *v;	/* or segments */
	uint64_t	at;				/* next counter, slot, item or segment */
	uint64_t	end;			/* one past the last */
	pds_counting_bloom_segment segment;
	bool		corrupt;
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
 * where the bytes make no sense (w->corrupt).
 */
extern bool pds_counting_bloom_walk_next(pds_counting_bloom_walk *w, uint64_t *counter,
										 uint32_t *count);

/* How many counters of an array are not zero. */
extern uint64_t pds_counting_bloom_count_nonzero(const uint8_t *array, uint64_t counters);

/*
 * What the segments of a filter with so many counters that are not zero look like.
 * counting_bloom_format.c draws them.
 */
#define PDS_COUNTING_BLOOM_SEGMENT	512

/*
 * The lengths of the codes of the counts 1 to 15 that occur so often, in bits: Huffman's.
 * 0 where a count does not occur, or is the only one that does.
 */
extern void pds_counting_bloom_code_lengths(const uint64_t *histogram, uint8_t *lengths);

/*
 * Returns how many bytes the data of a coded filter takes (all after its shape), by a walk over
 * all its counters.  Writes the data at out, unless out is NULL.
 */
extern size_t pds_counting_bloom_put_coded(pds_counting_bloom_walk *w, uint64_t counters,
										   uint64_t nonzero, const uint8_t *lengths,
										   uint8_t *out);

#endif
