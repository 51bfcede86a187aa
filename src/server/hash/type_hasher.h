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

#endif
