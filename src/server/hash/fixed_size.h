/*
 * fixed_size.h: canonical bits and hashes of values of a fixed size
 */
#ifndef PDS_SERVER_HASH_FIXED_SIZE_H
#define PDS_SERVER_HASH_FIXED_SIZE_H

#include "postgres.h"

#include <math.h>

#include "murmur3.h"

/* The canonical bits of a floating-point number: -0 is 0, and there is one NaN. */
static inline int64
pds_double_bits(float8 v)
{
	int64		bits;

	if (unlikely(isnan(v)))
		return INT64CONST(0x7ff8000000000000);
	if (v == 0.0)
		return 0;
	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

/* Numbers of up to 64 bits: 8 bytes, little-endian. */
static inline pds_hash
pds_hash_number(int64 v)
{
	return pds_murmur3_u64((uint64) v);
}

#endif
