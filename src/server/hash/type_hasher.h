/*
 * type_hasher.h: from a type to its hasher
 */
#ifndef PDS_SERVER_HASH_TYPE_HASHER_H
#define PDS_SERVER_HASH_TYPE_HASHER_H

#include "postgres.h"

#include "hasher.h"

/*
 * The hasher for a type, allocated in mcxt.  Errors: 42883 when the type has no
 * equality that a hash could respect (json, xml, point, ...), with a hint what to
 * cast to.
 */
extern PdsHasher *pds_hasher_for_type(Oid typid, Oid collation, MemoryContext mcxt);

/*
 * Returns whether pds_hasher_for_type() has a hasher for all values of a type.  False for record
 * and anyarray, whose values are of types of their own.
 */
extern bool pds_type_is_hashable(Oid typid);

#endif
