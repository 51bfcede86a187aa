/*
 * murmur2.h: MurmurHash64A
 *
 * Austin Appleby's public-domain hash of 64 bits, the predecessor of
 * MurmurHash3: what Redis hashes with.  Native sketches have no use for it.
 * Same result on every CPU and byte order.
 */
#ifndef PDS_BASE_MURMUR2_H
#define PDS_BASE_MURMUR2_H

#include "bits.h"

extern uint64_t pds_murmur2_64a(const void *data, size_t len, uint64_t seed);

#endif
