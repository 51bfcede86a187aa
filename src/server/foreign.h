/*
 * foreign.h: what importers of other systems' sketches have in common
 */
#ifndef PDS_SERVER_FOREIGN_H
#define PDS_SERVER_FOREIGN_H

#include "postgres.h"

#include "fmgr.h"

#include "header.h"
#include "compat.h"

/* 22P03: these bytes are nothing that the other system ("Redis sketch") can have written. */
pg_noreturn extern void pds_refuse_foreign(const char *what, const bytea *bytes,
										   const char *why);

/*
 * The kind of the values in an imported sketch, from argument argno, the type that
 * they have here.  NULL is "not known": such a sketch takes no values.  *type is
 * the type (of a domain its base), InvalidOid for NULL.
 */
extern pds_kind pds_value_type_arg(FunctionCallInfo fcinfo, int argno, Oid *type);

/*
 * 22023 unless the type (InvalidOid: not known) is one of n whose values the other
 * system hashes as they are hashed here.
 */
extern void pds_require_hashed_alike(Oid type, const Oid *types, size_t n,
									 const char *system, const char *hint);

#endif
