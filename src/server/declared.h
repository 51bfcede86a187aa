/*
 * declared.h: with which types SQL declares our C functions
 *
 * An install script declares them, and finds the types by their names.  Somebody else's type of
 * the same name would make a C function read a number as a pointer.  So before a function is
 * called for the first time, its row in pg_proc is looked at.
 */
#ifndef PDS_SERVER_DECLARED_H
#define PDS_SERVER_DECLARED_H

#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"

/*
 * Returns whether the type is one of our sketch types or hll_hashval, in whatever schema.  They are
 * known by the C name of their input function.  Only a superuser can make a type with an input
 * function.
 */
extern bool pds_type_is_sketch(Oid typid);

/*
 * Look at a function that was not the last one called by this name in C; that is "last" then.
 * Raises 42P13 if it takes or returns a type that is neither the server's, nor citext, nor ours.
 */
extern void pds_look_at_declaration(Oid function, Oid *last);

/* The same of a call.  Who calls without a FmgrInfo is C code, and knows what it does. */
static inline void
pds_require_declared(FunctionCallInfo fcinfo, Oid *last)
{
	if (likely(fcinfo->flinfo != NULL) && unlikely(fcinfo->flinfo->fn_oid != *last))
		pds_look_at_declaration(fcinfo->flinfo->fn_oid, last);
}

#endif
