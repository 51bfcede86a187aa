/*
 * bloom_probe_type.h: what probing shares with the planner's estimates
 */
#ifndef PDS_TYPES_BLOOM_BLOOM_PROBE_TYPE_H
#define PDS_TYPES_BLOOM_BLOOM_PROBE_TYPE_H

#include "postgres.h"

#include "bloom.h"

/*
 * Returns whether a key is in a filter whose payload is in memory.  A sparse filter is decoded.
 * Errors: XX001.
 */
extern bool pds_bloom_payload_contains(const pds_bloom_view *v, pds_hash hash);

#endif
