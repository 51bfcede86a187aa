/*
 * literal.h: literals and parameters that are read as what a sketch holds
 *
 * For the files of src/server/hash; modules use call_argument.h.
 */
#ifndef PDS_SERVER_HASH_LITERAL_H
#define PDS_SERVER_HASH_LITERAL_H

#include "postgres.h"

#include "hasher.h"

/*
 * The hasher that reads a text as a value of kind "want", which is not text itself, allocated in
 * mcxt.  Errors: 42804 if the text of such values has more than one reading.
 */
extern PdsHasher *pds_hasher_for_literal(pds_kind want, MemoryContext mcxt);

/* The value that a text is read as, and the hasher of that.  Errors: 22P02 and others. */
extern Datum pds_literal_value(PdsHasher *hasher, Datum text, PdsHasher **read);

#endif
