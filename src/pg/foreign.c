/*
 * foreign.c: what importers of other systems' sketches have in common
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "pg/foreign.h"
#include "pg/value.h"

void
pds_refuse_foreign(const char *what, const bytea *bytes, const char *why)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg_plural("invalid %s of %zu byte", "invalid %s of %zu bytes",
						   VARSIZE_ANY_EXHDR(bytes), what, (size_t) VARSIZE_ANY_EXHDR(bytes)),
			 errdetail("%s", why)));
}

pds_kind
pds_value_type_arg(FunctionCallInfo fcinfo, int argno, Oid *type)
{
	*type = InvalidOid;
	if (PG_ARGISNULL(argno))
		return PDS_KIND_HASH;
	if (!SearchSysCacheExists1(TYPEOID, ObjectIdGetDatum(PG_GETARG_OID(argno))))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("type with OID %u does not exist", PG_GETARG_OID(argno))));
	*type = getBaseType(PG_GETARG_OID(argno));
	return pds_hasher_kind(pds_hasher_for_type(*type, InvalidOid, CurrentMemoryContext));
}

void
pds_require_hashed_alike(Oid type, const Oid *types, size_t n, const char *system,
						 const char *hint)
{
	if (!OidIsValid(type))
		return;
	for (size_t i = 0; i < n; i++)
		if (types[i] == type)
			return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("values of type %s are hashed differently by %s",
					format_type_be(type), system),
			 type == INT4OID || type == INT2OID ?
			 errdetail("It hashes the %d bytes of the value, where this type hashes 8.",
					   get_typlen(type)) : 0,
			 errhint("%s", hint)));
}
