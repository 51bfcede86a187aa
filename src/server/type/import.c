/*
 * import.c: what importers of other systems' sketches have in common
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "import.h"
#include "type_hasher.h"
#include "call_argument.h"

void
pds_refuse_foreign(const char *what, const bytea *bytes, const char *why)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg_plural("invalid %s of %zu byte", "invalid %s of %zu bytes",
						   VARSIZE_ANY_EXHDR(bytes), what, (size_t) VARSIZE_ANY_EXHDR(bytes)),
			 errdetail("%s", why)));
}

void
pds_require_foreign(pds_status status, const char *what, const bytea *bytes, const char *why)
{
	if (status == PDS_PARAMETER_MISMATCH)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot import this %s", what),
				 errdetail("%s", why)));
	if (status != PDS_OK)
		pds_refuse_foreign(what, bytes, why);
}

/* The kind of an argument's type, which is *type; that of hashes for NULL. */
static pds_kind
value_type_arg(FunctionCallInfo fcinfo, int argno, Oid *type)
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

Datum
pds_import(FunctionCallInfo fcinfo, PdsImport import)
{
	pds_kind	kind;
	Oid			type;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	kind = value_type_arg(fcinfo, 1, &type);
	return import(fcinfo, PG_GETARG_BYTEA_PP(0), kind, type);
}

void
pds_require_held(bool holds, Oid type, const char *what, const char *hint)
{
	if (!holds)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a %s cannot hold values of type %s", what, format_type_be(type)),
				 errhint("%s", hint)));
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
