/*
 * cuckoo_format.h: the parts of the stored form that writer and reader share
 *
 * The whole of it is drawn in cuckoo_format.c.
 */
#ifndef PDS_SKETCH_CUCKOO_CUCKOO_FORMAT_H
#define PDS_SKETCH_CUCKOO_CUCKOO_FORMAT_H

#include "segments.h"
#include "cuckoo.h"

/* log2 of the most classes held that are to be expected in a segment. */
#define PDS_CUCKOO_SEGMENT_LOG	7

/* The largest order of the code of counts. */
#define PDS_CUCKOO_MAX_ORDER	62

/* Where the gaps of a random set cost least. */
static inline int
pds_cuckoo_gap_rice(uint64_t classes, uint64_t distinct)
{
	uint64_t	mean = classes / distinct;

	mean = mean < UINT64_C(1) << 32 ? 985 * mean / 1024 : mean / 1024 * 985;
	return mean > 1 ? pds_log2_64(mean) : 0;
}

static inline int
pds_cuckoo_segment_shift(uint64_t classes, uint64_t distinct)
{
	int			all = classes > 1 ? pds_log2_64(classes - 1) + 1 : 0;
	int			shift = pds_log2_64(classes / distinct) + PDS_CUCKOO_SEGMENT_LOG;

	return shift < all ? shift : all;
}

/* How many counts have which floor(log2(count)); none is zero. */
typedef struct pds_cuckoo_lengths
{
	uint64_t	count[64];
	uint64_t	n;
} pds_cuckoo_lengths;

static inline void
pds_cuckoo_lengths_add(pds_cuckoo_lengths *l, uint64_t count)
{
	l->count[pds_log2_64(count)]++;
	l->n++;
}

/* The order that these counts are coded with: the median of their logarithms. */
static inline uint8_t
pds_cuckoo_order(const pds_cuckoo_lengths *l)
{
	uint64_t	up_to = 0;
	uint8_t		order = 0;

	while (2 * (up_to += l->count[order]) < l->n)
		order++;
	return order;
}

/* The encoding of a filter of which so many classes have more than one copy. */
static inline uint8_t
pds_cuckoo_encoding_for(uint64_t distinct, uint64_t repeated, int rice)
{
	return repeated * (uint64_t) (rice + 1) > distinct ? PDS_CUCKOO_COUNTS : PDS_CUCKOO_CLASSES;
}

#endif
