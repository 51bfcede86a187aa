/*
 * counting_bloom_ops.h: the table of functions by which the server's frame works on
 * counting filters
 */
#ifndef PDS_SKETCH_COUNTING_BLOOM_COUNTING_BLOOM_OPS_H
#define PDS_SKETCH_COUNTING_BLOOM_COUNTING_BLOOM_OPS_H

#include "state_ops.h"

extern const pds_state_ops pds_counting_bloom_ops;

#endif
