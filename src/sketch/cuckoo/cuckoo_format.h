/*
 * cuckoo_format.h: the parts of the stored form that writer and reader share
 *
 * The whole of it is drawn in cuckoo_format.c.
 */
#ifndef PDS_SKETCH_CUCKOO_CUCKOO_FORMAT_H
#define PDS_SKETCH_CUCKOO_CUCKOO_FORMAT_H

#include "cuckoo.h"

/* The encoding of a filter of which so many classes have more than one copy. */
static inline uint8_t
pds_cuckoo_encoding_for(uint64_t distinct, uint64_t repeated, int rice)
{
	return repeated * (uint64_t) (rice + 1) > distinct ? PDS_CUCKOO_COUNTS : PDS_CUCKOO_CLASSES;
}

#endif
