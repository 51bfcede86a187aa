/*
 * minhash_ops.h: the table of functions by which the server's frame works on sketches
 */
#ifndef PDS_SKETCH_MINHASH_MINHASH_OPS_H
#define PDS_SKETCH_MINHASH_MINHASH_OPS_H

#include "state_ops.h"

extern const pds_state_ops pds_minhash_ops;

#endif
