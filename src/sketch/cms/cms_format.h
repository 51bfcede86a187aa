/*
 * cms_format.h: the parts of the stored form that writer and reader share
 *
 * The whole of it is drawn in cms_format.c.
 */
#ifndef PDS_SKETCH_CMS_CMS_FORMAT_H
#define PDS_SKETCH_CMS_CMS_FORMAT_H

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

/* A sketch is sparse if at most so many of its counters are not zero. */
static inline uint32_t
pds_cms_sparse_limit(uint32_t counters)
{
	return counters / 2;
}

#endif
