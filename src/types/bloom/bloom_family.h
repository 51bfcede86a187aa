/*
 * bloom_family.h: what the hash families of bloom and scalable_bloom are called, and how they hash
 */
#ifndef PDS_TYPES_BLOOM_BLOOM_FAMILY_H
#define PDS_TYPES_BLOOM_BLOOM_FAMILY_H

#include "postgres.h"

#include "bloom_shape.h"
#include "call_argument.h"

/* Returns the name of a hash family: "native", "redis", "parquet", ... */
extern const char *bloom_family_name(uint8 family);

/*
 * The hash of a value for a family that does not hash natively; false if no such
 * filter can have a value like that in it.
 */
extern bool bloom_foreign_hash(uint8 family, PdsHasher *hasher, Datum value, pds_hash *hash);

/* The same for a value to be added to a sketch of this type.  Errors: 22000 if it cannot be. */
extern pds_hash bloom_foreign_hash_to_add(const char *type, uint8 family, PdsHasher *hasher,
										  Datum value);

/* 22000: "what", a "bloom filter", cannot be written as one of a system that hashes otherwise. */
pg_noreturn extern void bloom_refuse_export(const char *what, uint8 family, const char *system);

#endif
