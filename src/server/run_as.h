/*
 * run_as.h: code that runs as somebody
 *
 * Code that maintains a table, or looks at many tables, runs with the rights of the table's
 * owner in a security-restricted context, as VACUUM and REFRESH MATERIALIZED VIEW do.  So no
 * function, policy or operator of the owner's runs as the caller.
 */
#ifndef PDS_SERVER_RUN_AS_H
#define PDS_SERVER_RUN_AS_H

#include "postgres.h"

typedef struct PdsScope
{
	Oid			user;
	int			security;
	int			guc_level;
} PdsScope;

/*
 * From here to pds_scope_leave() "owner" is the current user in a security-restricted
 * context, and the search path is pg_catalog alone.  A query that policies would apply to
 * is an error: they are somebody else's code.  An error leaves as well.
 */
extern void pds_scope_enter(PdsScope *scope, Oid owner);

/* The search path alone: for statements that need the rights of the current user. */
extern void pds_scope_enter_path(PdsScope *scope);

/* The rights alone: for code of the owner's that may need the search path of the caller. */
extern void pds_scope_enter_rights(PdsScope *scope, Oid owner);

extern void pds_scope_leave(PdsScope *scope);

/* Set a setting until the scope is left. */
extern void pds_scope_set(const char *name, const char *value);

/*
 * Do something in a subtransaction.  If it fails what it did is undone, the message of
 * the error is in *why (in the current memory context), and the result is false.  To be
 * cancelled or shut down is passed on.
 */
extern bool pds_attempt(void (*work) (void *), void *arg, char **why);

/*
 * Lock a relation for reading, before a statement names it.  Who owns its schema may drop it, and
 * put a view of that name there while the statement waits: his code would run as "owner".  False if
 * it is gone, or somebody else's.
 */
extern bool pds_hold_relation(Oid relation, Oid owner);

/* The owner of a relation; InvalidOid if there is no such relation. */
extern Oid	pds_relation_owner(Oid relation);

/* Its name, quoted and qualified. */
extern char *pds_relation_name(Oid relation);

/* Is this object (of a catalog) a member of the extension probds? */
extern bool pds_is_member(Oid catalog, Oid object);

/* Is a function a superuser's? */
extern bool pds_is_of_superuser(Oid function);

/* Is it a member, and a superuser's?  The owner of a trusted extension can add his own to it. */
extern bool pds_is_our_function(Oid function);

/* That with so many arguments, of which the first has this type; InvalidOid if it is gone. */
extern Oid	pds_function(const char *name, int nargs, Oid first);

/* The name of a type, as it is in the catalog. */
extern char *pds_type_name(Oid type);

#endif
