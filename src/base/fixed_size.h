/*
 * fixed_size.h: canonical bits and hashes of values of a fixed size
 */
#ifndef PDS_BASE_FIXED_SIZE_H
#define PDS_BASE_FIXED_SIZE_H

#include <stdint.h>
#include <string.h>

#include "murmur3.h"

/* The canonical bits of a floating-point number: -0 is 0, and there is one NaN. */
static inline int64_t
pds_double_bits(double v)
{
	int64_t		bits;

	if (__builtin_expect(v != v, 0))
		return INT64_C(0x7ff8000000000000);
	if (v == 0.0)
		return 0;
	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

/* Numbers of up to 64 bits: 8 bytes, little-endian. */
static inline pds_hash
pds_hash_number(int64_t v)
{
	return pds_murmur3_u64((uint64_t) v);
}

#endif
