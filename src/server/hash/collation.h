/*
 * collation.h: which strings a collation takes for equal
 */
#ifndef PDS_SERVER_HASH_COLLATION_H
#define PDS_SERVER_HASH_COLLATION_H

#include "postgres.h"

#include "catalog/pg_collation.h"
#include "utils/lsyscache.h"

#include "kind.h"

/* Returns whether strings are equal under a collation only if their bytes are the same. */
static inline bool
pds_collation_is_deterministic(Oid collation)
{
	/* the two that nearly all columns have cost no look-up */
	return !OidIsValid(collation) ||
		collation == DEFAULT_COLLATION_OID ||
		collation == C_COLLATION_OID ||
		get_collation_isdeterministic(collation);
}

/*
 * The kind of strings under a nondeterministic collation.  Its signature identifies the
 * collation by its provider, locale and rules, and by the version of the library, but not by
 * its name.  The hashes of strings depend on all of these.
 */
extern pds_kind pds_collation_kind(Oid collation);

#endif
