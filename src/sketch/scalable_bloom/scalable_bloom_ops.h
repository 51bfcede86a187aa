/*
 * scalable_bloom_ops.h: the table of functions by which the server's frame works on sketches
 */
#ifndef PDS_SKETCH_SCALABLE_BLOOM_SCALABLE_BLOOM_OPS_H
#define PDS_SKETCH_SCALABLE_BLOOM_SCALABLE_BLOOM_OPS_H

#include "state_ops.h"
#include "scalable_bloom.h"

#define PDS_SCALABLE_BLOOM_DEFAULT_CAPACITY		1000
#define PDS_SCALABLE_BLOOM_DEFAULT_RATE			0.01
#define PDS_SCALABLE_BLOOM_DEFAULT_EXPANSION	2

extern const pds_state_ops pds_scalable_bloom_ops;

#endif
