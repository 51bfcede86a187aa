/*
 * import.h: what importers of other systems' sketches have in common
 */
#ifndef PDS_SERVER_TYPE_IMPORT_H
#define PDS_SERVER_TYPE_IMPORT_H

#include "postgres.h"

#include "fmgr.h"

#include "header.h"
#include "status.h"
#include "compat.h"
#include "entry_points.h"

/* 22P03: these bytes are nothing that the other system ("Redis sketch") can have written. */
pg_noreturn extern void pds_refuse_foreign(const char *what, const bytea *bytes,
										   const char *why);

/*
 * Raises the same error unless the bytes were read.  Also raises 0A000 for a sketch that cannot
 * be represented here, for which the reader returns PDS_PARAMETER_MISMATCH.
 */
extern void pds_require_foreign(pds_status status, const char *what, const bytea *bytes,
								const char *why);

/* Run "read", a call of a reader that sets "why", and raise these errors. */
#define PDS_READ_FOREIGN(read, what, bytes) \
	do { \
		const char *why; \
		pds_status	status = (read); \
		pds_require_foreign(status, what, bytes, why); \
	} while (0)

/*
 * An importer, of bytes whose values are of this kind, and type (of a domain its base;
 * InvalidOid: not known, and such a sketch takes no values).  Its entry point is a function
 * of (bytea, regtype).
 */
typedef Datum (*PdsImport) (FunctionCallInfo fcinfo, bytea *bytes, pds_kind kind, Oid type);

extern Datum pds_import(FunctionCallInfo fcinfo, PdsImport import);

#define PDS_IMPORT_FUNCTION(name, import) \
	PDS_SKETCH_FUNCTION(name, return pds_import(fcinfo, import))

/* 22023 unless the other system's sketches ("Redis sketch") hold values of this type. */
extern void pds_require_held(bool holds, Oid type, const char *what, const char *hint);

/*
 * 22023 unless the type (InvalidOid: not known) is one of n whose values the other
 * system hashes as they are hashed here.
 */
extern void pds_require_hashed_alike(Oid type, const Oid *types, size_t n,
									 const char *system, const char *hint);

#endif
