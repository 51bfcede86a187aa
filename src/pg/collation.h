/*
 * collation.h: which strings a collation takes for equal
 */
#ifndef PDS_PG_COLLATION_H
#define PDS_PG_COLLATION_H

#include "postgres.h"

#include "catalog/pg_collation.h"
#include "utils/lsyscache.h"

#include "base/kind.h"

#pragma GCC visibility push(hidden)

/* Are strings equal under it only if their bytes are the same? */
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
 * The kind of strings under a nondeterministic collation.  Its signature tells what
 * the collation is, not what it is called: the provider, the locale, the rules, and
 * the version of the library, on which the hashes of strings depend.
 */
extern pds_kind pds_collation_kind(Oid collation);

#pragma GCC visibility pop

#endif
