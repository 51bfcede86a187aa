/*
 * cms_counters.h: arrays of counters of 1, 2, 4 or 8 bytes, little-endian
 */
#ifndef PDS_SKETCH_CMS_CMS_COUNTERS_H
#define PDS_SKETCH_CMS_CMS_COUNTERS_H

#include "bits.h"
#include "cms_shape.h"

/* The largest value of a counter of so many bytes. */
static inline uint64_t
pds_cms_most(int bytes)
{
	return bytes == 8 ? PDS_CMS_MAX_COUNT : (UINT64_C(1) << (8 * bytes)) - 1;
}

/* The narrowest counter for a value. */
static inline int
pds_cms_bytes_for(uint64_t v)
{
	return v <= UINT8_MAX ? 1 : v <= UINT16_MAX ? 2 : v <= UINT32_MAX ? 4 : 8;
}

/* How many of n counters are not zero, and all of them or-ed together. */
extern void pds_cms_scan(const uint8_t *counters, uint32_t n, int bytes,
						 uint32_t *nonzero, uint64_t *any);

/* Copy n counters, all of which fit. */
extern void pds_cms_copy(uint8_t *to, int to_bytes,
						 const uint8_t *from, int from_bytes, uint32_t n);

/*
 * to[i] += from[i], or -= if "subtract", where "from" is no wider than "to".
 * Returns false, and has changed nothing, if a result does not fit.
 */
extern bool pds_cms_sum(uint8_t *to, int to_bytes, const uint8_t *from, int from_bytes,
						uint32_t n, bool subtract);

#endif
