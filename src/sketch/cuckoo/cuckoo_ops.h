/*
 * cuckoo_ops.h: the table of functions by which the server's frame works on filters
 */
#ifndef PDS_SKETCH_CUCKOO_CUCKOO_OPS_H
#define PDS_SKETCH_CUCKOO_CUCKOO_OPS_H

#include "state_ops.h"

/* The shape of a union that has met nothing. */
#define PDS_CUCKOO_DEFAULT_CAPACITY	1000000
#define PDS_CUCKOO_DEFAULT_RATE		0.01

extern const pds_state_ops pds_cuckoo_ops;

#endif
