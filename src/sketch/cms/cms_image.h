/*
 * cms_image.h: the building form of a Count-Min sketch, as it lies in memory
 */
#ifndef PDS_SKETCH_CMS_CMS_IMAGE_H
#define PDS_SKETCH_CMS_CMS_IMAGE_H

#include <stdint.h>

#include "header.h"
#include "cms_shape.h"

/*
 * What a building image holds.  While there are few values, it holds the values, identified by
 * their columns, and how often each occurred.  That takes one access a row, where counters
 * would take "depth".  It requires columns that fit into a number, and no conservative update.
 * Otherwise, while few counters are not zero, it holds these counters and their positions.
 * Otherwise it holds all counters.  An image may change to a later mode, but never back.
 */
typedef enum pds_cms_mode
{
	PDS_CMS_VALUES,
	PDS_CMS_POSITIONS,
	PDS_CMS_COUNTERS
} pds_cms_mode;

/*
 * Hashes wait in a ring before they go to a table, and many are inserted at a time.  Among
 * thousands of groups every access to a table is a cache miss, and this way the misses overlap.
 * Small images have no ring.
 */
#define PDS_CMS_RING	16

typedef struct pds_cms_build
{
	uint32_t	varlena;		/* the server's length word, not ours */
	uint8_t		header[PDS_HEADER_BYTES];
	uint8_t		mode;			/* pds_cms_mode */
	uint32_t	signature;		/* of the kind of its values */
	uint8_t		bytes;			/* of a count: 1, 2, 4 or 8 */
	uint8_t		pending;		/* how many hashes wait in the ring, each with a
								 * weight of 1 that is in the total already */
	uint8_t		space;			/* how many may: never more than what the table
								 * takes, so that emptying cannot fail */
	uint8_t		ring;			/* size of the ring */
	pds_cms_shape shape;
	uint8_t		undecided;		/* a union of nothing yet: takes the shape of
								 * the first sketch that it meets */
	uint8_t		wanted_bytes;	/* after a PDS_FULL: what counts must be, */
	uint8_t		wanted_mode;	/* what there must be counts of, */
	uint32_t	slots;			/* size of the table */
	uint32_t	used;			/* how many of them are taken, be their count zero
								 * again or not */

	/* all that is needed for each row is in the first 64 bytes, up to here */
	uint64_t	total;			/* sum of all weights */
	uint64_t	largest;		/* no count in the table is above this */
	uint32_t	wanted;			/* and how many more of these there may be */
	uint32_t	unused;			/* 0; aligns what follows */

	/*
	 * All counters: row after row, each little-endian.  Else the ring, as
	 * pds_hash[], then the table (cms_build.h).
	 */
	uint8_t		data[];
} pds_cms_build;

/* Bytes of a building image to begin with. */
#define PDS_CMS_FIRST_SIZE		256

#endif
