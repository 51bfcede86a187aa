/*
 * declared.c: with which types SQL declares our C functions
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_proc.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/regproc.h"
#include "utils/syscache.h"

#include "citext.h"
#include "declared.h"

/*
 * The functions that this session has looked at, each in the place of its OID's last bits.  Two
 * that are one in C (X_contains over text and "any") may be called in turns.
 */
#define SLOTS	1024
static Oid	seen[SLOTS];

bool
pds_type_is_sketch(Oid typid)
{
	HeapTuple	type = SearchSysCache1(TYPEOID, ObjectIdGetDatum(typid));
	HeapTuple	input;
	bool		isnull = true;
	Datum		source;
	bool		result;

	if (!HeapTupleIsValid(type))
		return false;
	input = SearchSysCache1(PROCOID, ObjectIdGetDatum(((Form_pg_type) GETSTRUCT(type))->typinput));
	ReleaseSysCache(type);
	if (!HeapTupleIsValid(input))
		return false;
	source = SysCacheGetAttr(PROCOID, input, Anum_pg_proc_prosrc, &isnull);
	result = !isnull && strncmp(TextDatumGetCString(source), "probds_", 7) == 0;
	ReleaseSysCache(input);
	return result;
}

static void
require_type(Oid function, Oid typid)
{
	Oid			element;

	/* the server's own */
	if (typid < FirstNormalObjectId)
		return;
	element = get_element_type(typid);
	if (OidIsValid(element))
		typid = element;
	/* no domain, which may be over citext and have the name of a sketch */
	if (getBaseType(typid) != typid ||
		(!pds_type_is_citext(typid) && !pds_type_is_sketch(typid)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
				 errmsg("function %s cannot be declared with type %s",
						format_procedure_qualified(function), format_type_be_qualified(typid)),
				 errdetail("The library probds cannot read or return values of this type."),
				 errhint("Drop the function, or the extension that it belongs to.")));
}

static void
look_at(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Form_pg_proc proc;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	proc = (Form_pg_proc) GETSTRUCT(tuple);
	require_type(function, proc->prorettype);
	for (int i = 0; i < proc->pronargs; i++)
		require_type(function, proc->proargtypes.values[i]);
	ReleaseSysCache(tuple);
}

void
pds_look_at_declaration(Oid function, Oid *last)
{
	Oid		   *slot = &seen[function % SLOTS];

	if (*slot != function)
		look_at(function);
	*slot = *last = function;
}
