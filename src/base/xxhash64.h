/*
 * xxhash64.h: xxHash64
 *
 * Yann Collet's hash of 64 bits, by its specification (xxhash_spec.md, XXH64):
 * what Apache Parquet hashes with.  Native sketches have no use for it.  Same
 * result on every CPU and byte order.
 */
#ifndef PDS_BASE_XXHASH64_H
#define PDS_BASE_XXHASH64_H

#include "bits.h"

extern uint64_t pds_xxhash64(const void *data, size_t len, uint64_t seed);

#endif
