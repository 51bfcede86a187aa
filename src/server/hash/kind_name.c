/*
 * kind_name.c: names and signatures of kinds
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

#include "compat.h"
#include "kind_name.h"
#include "murmur3.h"
#include "utf8.h"

/* ---------- names ---------- */

const char *
pds_kind_name(pds_kind kind)
{
	uint8		code = pds_kind_code(kind);
	const char *name;

	name = pds_kind_code_valid(code) ? pds_kind_base_name(code) : "unknown";
	if (code & PDS_KIND_RANGE)
		name = psprintf("range of %s", name);
	if (code & PDS_KIND_ARRAY)
		name = psprintf("array of %s", name);
	return name;
}

const char *
pds_kind_full_name(pds_kind kind)
{
	if (!pds_kind_has_signature(pds_kind_code(kind)))
		return pds_kind_name(kind);
	return psprintf("%s %08x", pds_kind_name(kind), pds_kind_signature(kind));
}

/* ---------- signatures ---------- */

pds_kind
pds_kind_of_description(uint8 code, StringInfo description)
{
	pds_hash	hash = pds_murmur3(description->data, (size_t) description->len, 0);

	pfree(description->data);
	return pds_kind_make(code, (uint32) hash.h1);
}

void
pds_describe_kind(StringInfo description, pds_kind kind)
{
	uint8		bytes[1 + PDS_KIND_SIGNATURE_BYTES];

	bytes[0] = pds_kind_code(kind);
	pds_store_le32(bytes + 1, pds_kind_signature(kind));
	appendBinaryStringInfo(description, (char *) bytes,
						   pds_kind_has_signature(bytes[0]) ? sizeof(bytes) : 1);
}

void
pds_describe_name(StringInfo description, const char *name)
{
	size_t		len = strlen(name);
	const char *text = pds_to_utf8(name, &len);

	appendBinaryStringInfo(description, text, (int) len);
	appendStringInfoChar(description, '\0');
}

pds_kind
pds_kind_of_array(pds_kind element)
{
	uint8		code = pds_kind_code(element);
	StringInfoData description;

	if (!(code & PDS_KIND_ARRAY))
		return pds_kind_make(code | PDS_KIND_ARRAY, pds_kind_signature(element));

	/* a domain over an array can be the element of another */
	initStringInfo(&description);
	pds_describe_kind(&description, element);
	return pds_kind_of_description(PDS_KIND_ARRAY | PDS_KIND_NESTED, &description);
}

pds_kind
pds_kind_of_range(uint8 code, pds_kind bound, const char *canonical)
{
	StringInfoData description;

	if (code != PDS_KIND_MULTIRANGE)
	{
		code = PDS_KIND_RANGE;
		if (pds_kind_code(bound) & (PDS_KIND_RANGE | PDS_KIND_ARRAY))
			code |= PDS_KIND_NESTED;
		else
			code |= pds_kind_code(bound);
	}
	initStringInfo(&description);
	/* the server's own agree with each other: int4range and int8range are one kind */
	if (canonical == NULL)
		pds_describe_name(&description, "continuous");
	else if (strcmp(canonical, "int4range_canonical") == 0 ||
			 strcmp(canonical, "int8range_canonical") == 0 ||
			 strcmp(canonical, "daterange_canonical") == 0)
		pds_describe_name(&description, "discrete");
	else
		pds_describe_name(&description, canonical);
	pds_describe_kind(&description, bound);
	return pds_kind_of_description(code, &description);
}

pds_kind
pds_kind_of_record(const pds_kind *column, int n)
{
	StringInfoData description;

	initStringInfo(&description);
	for (int i = 0; i < n; i++)
		pds_describe_kind(&description, column[i]);
	return pds_kind_of_description(PDS_KIND_RECORD, &description);
}

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
	return pds_kind_of_description(PDS_KIND_COLLATED, &description);
}
