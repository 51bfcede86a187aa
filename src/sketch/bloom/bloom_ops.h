/*
 * bloom_ops.h: the table of functions by which the server's frame works on filters
 */
#ifndef PDS_SKETCH_BLOOM_BLOOM_OPS_H
#define PDS_SKETCH_BLOOM_BLOOM_OPS_H

#include "state_ops.h"

extern const pds_state_ops pds_bloom_ops;

#endif
