/*
 * counting_bloom_type.h: what the SQL face of counting_bloom shares between its files
 */
#ifndef PDS_TYPES_COUNTING_BLOOM_COUNTING_BLOOM_TYPE_H
#define PDS_TYPES_COUNTING_BLOOM_COUNTING_BLOOM_TYPE_H

#include "postgres.h"

#include "counting_bloom.h"
#include "sketch.h"

extern const PdsSketchType pds_counting_bloom_type;

#endif
