/*
 * bytes.c: the canonical bytes of a value, not hashed yet
 */
#include "postgres.h"

#include "pg/bytes.h"
#include "pg/canonical.h"

const uint8 *
pds_bytes_of(PdsHasher *hasher, Datum value, size_t *len)
{
	StringInfo	scratch = pds_hasher_scratch(hasher);

	pds_append(hasher, value, scratch);
	*len = (size_t) scratch->len;
	return (const uint8 *) scratch->data;
}
