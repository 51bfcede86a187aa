/*
 * cuckoo_image.h: the building form of a cuckoo filter, as it lies in memory
 *
 *     0                  pds_cuckoo_build
 *     ...                ring       classes that were added and wait for their buckets,
 *                                   uint64_t[ring]
 *     ...                stash      hash table of linear probing, pds_cuckoo_stash[]
 *     ...                buckets    of four slots of 1, 2, 4 or 8 bytes each
 *
 * A slot is all ones if it is free, or else
 *
 *     (copies - 1) << fingerprint_bits | fingerprint
 *
 * A class is in one slot at most.  The stash has the copies that a slot cannot count, and
 * the classes that found no slot (they are homeless).
 */
#ifndef PDS_SKETCH_CUCKOO_CUCKOO_IMAGE_H
#define PDS_SKETCH_CUCKOO_CUCKOO_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "header.h"
#include "cuckoo_shape.h"

#define PDS_CUCKOO_SLOTS	4	/* of a bucket */

/*
 * Large tables have a ring: classes wait in it while their buckets are fetched, and are
 * worked in many at a time, so that the cache misses overlap.
 */
#define PDS_CUCKOO_RING			16
#define PDS_CUCKOO_RING_BYTES	((size_t) 1 << 18)

/* A class and the number of its copies; the slot is free if that is 0. */
typedef struct pds_cuckoo_stash
{
	uint64_t	class;
	uint64_t	copies;
} pds_cuckoo_stash;

typedef struct pds_cuckoo_build
{
	uint32_t	varlena;		/* the server's length word, not ours */
	uint8_t		header[PDS_HEADER_BYTES];
	uint8_t		undecided;		/* a union of nothing yet: takes the shape of the first
								 * filter that it meets */
	uint32_t	signature;		/* of the kind of its values */
	uint8_t		width;			/* bytes of a slot */
	uint8_t		fingerprint_bits;
	uint8_t		ring;			/* size of the ring: 0 or PDS_CUCKOO_RING */
	uint8_t		pending;		/* how many wait in it, in the total already */
	pds_cuckoo_shape shape;
	uint64_t	total;			/* copies, of all classes */
	uint64_t	used;			/* slots taken */
	uint64_t	buckets;		/* N; even */
	uint64_t	fingerprints;	/* F */
	uint64_t	reciprocal;		/* floor((2^64 - 1) / F) */
	uint32_t	stash_slots;	/* a power of two */
	uint32_t	stash_used;		/* never above pds_cuckoo_stash_limit() */
	uint32_t	homeless;		/* how many of these classes have no slot */
	uint32_t	crowded;		/* 1: the buckets are full, the image must grow */
	uint64_t	resume;			/* in a union that had to grow: how much is done */

	uint64_t	words[];
} pds_cuckoo_build;

/* The image to begin with. */
#define PDS_CUCKOO_FIRST_STASH		4
#define PDS_CUCKOO_FIRST_BUCKETS	2	/* of slots that take any fingerprint */
#define PDS_CUCKOO_FIRST_SIZE \
	(sizeof(pds_cuckoo_build) + PDS_CUCKOO_FIRST_STASH * sizeof(pds_cuckoo_stash) + \
	 PDS_CUCKOO_FIRST_BUCKETS * PDS_CUCKOO_SLOTS * sizeof(uint64_t))

#endif
