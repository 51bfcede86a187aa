/*
 * hll_family.h: what the hash families of hll are called and hold
 */
#ifndef PDS_TYPES_HLL_HLL_FAMILY_H
#define PDS_TYPES_HLL_HLL_FAMILY_H

#include "postgres.h"

#include "call_argument.h"

/* Returns the name of a hash family: "native", "redis", "datasketches", "int32". */
extern const char *hll_family_name(int family);

/*
 * The bytes that a family other than the native one hashes of a value; they live until the
 * hasher's next one.  Errors: 22000 if the value is of a kind that the family does not hold.
 */
extern const uint8 *hll_family_bytes(int family, PdsHasher *hasher, Datum value, size_t *len);

#endif
