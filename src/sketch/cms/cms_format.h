/*
 * cms_format.h: the parts of the stored form that writer and reader share
 *
 * The whole of it is drawn in cms_format.c.
 */
#ifndef PDS_SKETCH_CMS_CMS_FORMAT_H
#define PDS_SKETCH_CMS_CMS_FORMAT_H

#include "segments.h"
#include "cms.h"

/*
 * Where fields are behind the common header (base/header.h), and how long they are
 * with and without the total.
 */
#define PDS_CMS_AT_FLAGS	0
#define PDS_CMS_AT_DEPTH	1
#define PDS_CMS_AT_EPSILON	2
#define PDS_CMS_AT_DELTA	4
#define PDS_CMS_AT_WIDTH	6
#define PDS_CMS_AT_TOTAL	10
#define PDS_CMS_FIELD_BYTES	18

#define PDS_CMS_CONSERVATIVE	0x01

#define PDS_CMS_SEGMENT_COUNTERS	512

/* The largest order of the code of counters: log2 of the largest counter. */
#define PDS_CMS_MAX_ORDER		62

/* A sketch is sparse if at most so many of its counters are not zero. */
static inline uint32_t
pds_cms_sparse_limit(uint32_t counters)
{
	return counters / 2;
}

/* The parameter at which the gaps of a random set take the fewest bits, to within some 0.1 %. */
static inline int
pds_cms_gap_rice(uint32_t counters, uint32_t nonzero)
{
	return pds_log2_64(counters / nonzero);
}

/* How many counters have which floor(log2(counter)); none is zero. */
typedef struct pds_cms_lengths
{
	uint32_t	count[64];
} pds_cms_lengths;

/* The order that n counters of these lengths are coded with: their median. */
static inline uint8_t
pds_cms_order(const pds_cms_lengths *lengths, uint32_t n)
{
	uint32_t	up_to = 0;
	uint8_t		order = 0;

	while (2 * (uint64_t) (up_to += lengths->count[order]) < n)
		order++;
	return order;
}

#endif
