/*
 * scalable_bloom_format.h: the parts of the stored form that writer and reader share
 *
 * The whole of it is drawn in scalable_bloom_format.c.
 */
#ifndef PDS_SKETCH_SCALABLE_BLOOM_SCALABLE_BLOOM_FORMAT_H
#define PDS_SKETCH_SCALABLE_BLOOM_SCALABLE_BLOOM_FORMAT_H

#include "scalable_bloom.h"

#define PDS_SCALABLE_BLOOM_DIRECTORY_ENTRY	4

static inline size_t
pds_scalable_bloom_directory_bytes(uint32_t layers)
{
	return layers > 1 ? (size_t) layers * PDS_SCALABLE_BLOOM_DIRECTORY_ENTRY : 0;
}

#endif
