/*
 * run_as.c: code that runs as somebody
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "catalog/dependency.h"
#include "catalog/pg_class.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/catcache.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/syscache.h"

#include "run_as.h"

void
pds_scope_set(const char *name, const char *value)
{
	(void) set_config_option(name, value, superuser() ? PGC_SUSET : PGC_USERSET,
							 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
}

static void
begin(PdsScope *scope)
{
	GetUserIdAndSecContext(&scope->user, &scope->security);
	scope->guc_level = NewGUCNestLevel();
}

static void
become(const PdsScope *scope, Oid owner)
{
	SetUserIdAndSecContext(owner, scope->security | SECURITY_LOCAL_USERID_CHANGE |
						   SECURITY_RESTRICTED_OPERATION);
}

void
pds_scope_enter_path(PdsScope *scope)
{
	begin(scope);
	pds_scope_set("search_path", "pg_catalog, pg_temp");
	pds_scope_set("row_security", "off");
}

void
pds_scope_enter(PdsScope *scope, Oid owner)
{
	pds_scope_enter_path(scope);
	become(scope, owner);
}

void
pds_scope_enter_rights(PdsScope *scope, Oid owner)
{
	begin(scope);
	become(scope, owner);
}

void
pds_scope_leave(PdsScope *scope)
{
	AtEOXact_GUC(false, scope->guc_level);
	SetUserIdAndSecContext(scope->user, scope->security);
}

/* The message of the error that was caught.  Some errors are raised again instead. */
static char *
caught_message(void)
{
	ErrorData  *error = CopyErrorData();

	FlushErrorState();
	if (error->sqlerrcode == ERRCODE_QUERY_CANCELED || error->sqlerrcode == ERRCODE_ADMIN_SHUTDOWN)
		ReThrowError(error);
	return error->message;
}

bool
pds_attempt(void (*work) (void *), void *arg, char **why)
{
	MemoryContext old = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	volatile bool done = true;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(old);
	PG_TRY();
	{
		work(arg);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(old);
		*why = caught_message();
		RollbackAndReleaseCurrentSubTransaction();
		done = false;
	}
	PG_END_TRY();
	MemoryContextSwitchTo(old);
	CurrentResourceOwner = owner;
	return done;
}

bool
pds_hold_relation(Oid relation, Oid owner)
{
	LockRelationOid(relation, AccessShareLock);
	return OidIsValid(owner) && pds_relation_owner(relation) == owner;
}

Oid
pds_relation_owner(Oid relation)
{
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	return owner;
}

bool
pds_is_member(Oid catalog, Oid object)
{
	Oid			extension = getExtensionOfObject(catalog, object);

	return OidIsValid(extension) && extension == get_extension_oid("probds", true);
}

bool
pds_is_of_superuser(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	bool		result;

	if (!HeapTupleIsValid(tuple))
		return false;
	result = superuser_arg(((Form_pg_proc) GETSTRUCT(tuple))->proowner);
	ReleaseSysCache(tuple);
	return result;
}

bool
pds_is_our_function(Oid function)
{
	return pds_is_of_superuser(function) && pds_is_member(ProcedureRelationId, function);
}

Oid
pds_function(const char *name, int nargs, Oid first)
{
	CatCList   *list = SearchSysCacheList1(PROCNAMEARGSNSP, CStringGetDatum(name));
	Oid			result = InvalidOid;

	for (int i = 0; i < list->n_members; i++)
	{
		Form_pg_proc proc = (Form_pg_proc) GETSTRUCT(&list->members[i]->tuple);

		if (proc->pronargs == nargs && proc->proargtypes.values[0] == first &&
			pds_is_our_function(proc->oid))
			result = proc->oid;
	}
	ReleaseSysCacheList(list);
	return result;
}

char *
pds_type_name(Oid type)
{
	HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
	char	   *name;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for type %u", type);
	name = pstrdup(NameStr(((Form_pg_type) GETSTRUCT(tuple))->typname));
	ReleaseSysCache(tuple);
	return name;
}

char *
pds_relation_name(Oid relation)
{
	char	   *name = get_rel_name(relation);

	if (name == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relation)));
	return quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)), name);
}
