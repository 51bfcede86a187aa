/*
 * collation.c: which strings a collation takes for equal
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

#include "collation.h"
#include "compat.h"
#include "kind_name.h"

/* A column of pg_collation as a string, "" if it is NULL. */
static const char *
collation_text(HeapTuple tuple, AttrNumber attribute, bool is_name)
{
	bool		isnull;
	Datum		value = SysCacheGetAttr(COLLOID, tuple, attribute, &isnull);

	if (isnull)
		return "";
	return is_name ? pstrdup(NameStr(*DatumGetName(value))) : TextDatumGetCString(value);
}

pds_kind
pds_collation_kind(Oid collation)
{
	HeapTuple	tuple = SearchSysCache1(COLLOID, ObjectIdGetDatum(collation));
	StringInfoData description;
	const char *locale;
	const char *rules = "";
	const char *version;
	char		provider;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for collation %u", collation);
	provider = ((Form_pg_collation) GETSTRUCT(tuple))->collprovider;
	locale = collation_text(tuple, PDS_COLLATION_LOCALE, PDS_COLLATION_LOCALE_IS_NAME);
#ifdef PDS_COLLATION_RULES
	rules = collation_text(tuple, PDS_COLLATION_RULES, false);
#endif
	version = get_collation_actual_version(provider, locale);

	initStringInfo(&description);
	appendStringInfoChar(&description, provider);
	pds_describe_name(&description, locale);
	pds_describe_name(&description, rules);
	pds_describe_name(&description, version != NULL ? version : "");
	ReleaseSysCache(tuple);
	return pds_kind_describe(PDS_KIND_COLLATED, &description);
}
