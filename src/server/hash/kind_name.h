/*
 * kind_name.h: names and signatures of kinds (base/kind.h), those of collations too
 *
 * A signature is the low 32 bits of h1 of a description's hash.  Descriptions are
 * put together here; doc/hashing.md says what is in each.
 */
#ifndef PDS_SERVER_HASH_KIND_NAME_H
#define PDS_SERVER_HASH_KIND_NAME_H

#include "postgres.h"

#include "catalog/pg_collation.h"
#include "lib/stringinfo.h"
#include "utils/lsyscache.h"

#include "kind.h"

/*
 * Returns the name of a kind for a message: "number", "text", "array of date".  Two kinds that
 * differ in their signatures alone have the same name.
 */
extern const char *pds_kind_name(pds_kind kind);

/* Returns the name for an info row, which includes a signature: "record 1a2b3c4d". */
extern const char *pds_kind_full_name(pds_kind kind);

/* Returns the kind of this code, with the signature of a description, which is freed. */
extern pds_kind pds_kind_of_description(uint8 code, StringInfo description);

/* Append a kind to the description of a larger one: its code, and its signature if any. */
extern void pds_describe_kind(StringInfo description, pds_kind kind);

/* Append a name to a description: in UTF-8, and a zero byte behind it. */
extern void pds_describe_name(StringInfo description, const char *name);

/* The kind of arrays of elements of a kind. */
extern pds_kind pds_kind_of_array(pds_kind element);

/*
 * The kind of ranges (or, if "code" is PDS_KIND_MULTIRANGE, multiranges) over a kind.
 * "canonical" is the name of the function that brings the ranges of a discrete type
 * into one form, NULL for continuous ones.
 */
extern pds_kind pds_kind_of_range(uint8 code, pds_kind bound, const char *canonical);

/* The kind of records with these columns. */
extern pds_kind pds_kind_of_record(const pds_kind *column, int n);

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
