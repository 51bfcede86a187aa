/*
 * scalable_bloom_type.h: what the SQL face of scalable_bloom shares between its files
 */
#ifndef PDS_TYPES_SCALABLE_BLOOM_SCALABLE_BLOOM_TYPE_H
#define PDS_TYPES_SCALABLE_BLOOM_SCALABLE_BLOOM_TYPE_H

#include "postgres.h"

#include "scalable_bloom.h"
#include "sketch.h"

extern const PdsSketchType pds_scalable_bloom_type;

#endif
