/*
 * citext.c: finds the type of the citext extension
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "citext.h"

bool
pds_type_is_citext(Oid typid)
{
	Oid			base = getBaseType(typid);
	HeapTuple	tuple;
	Form_pg_type type;
	char	   *input;
	bool		result = false;

	/* most columns: no need to ask for the type's name */
	if (base == TEXTOID || base == VARCHAROID)
		return false;
	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(base));
	if (!HeapTupleIsValid(tuple))
		return false;
	type = (Form_pg_type) GETSTRUCT(tuple);
	if (type->typtype == TYPTYPE_BASE && strcmp(NameStr(type->typname), "citext") == 0)
	{
		input = get_func_name(type->typinput);
		result = input != NULL && strcmp(input, "citextin") == 0;
	}
	ReleaseSysCache(tuple);
	return result;
}
