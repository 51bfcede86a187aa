/*
 * sketch_describe.c: the facts about a sketch, and probds_describe(), which makes one line of them
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "declared.h"
#include "decimal.h"
#include "run_as.h"
#include "sketch.h"

const PdsSketchType *const *pds_sketch_types;

const PdsSketchType *
pds_sketch_type_of(Oid type)
{
	Oid			base = getBaseType(type);
	char	   *name = pds_type_name(base);

	/* the owner of a trusted extension can add an enum called hll to it */
	if (get_typlen(base) != -1 || !pds_type_is_sketch(base))
		return NULL;
	for (int i = 0; pds_sketch_types[i] != NULL; i++)
		if (strcmp(name, pds_sketch_types[i]->name) == 0 && pds_is_member(TypeRelationId, base))
			return pds_sketch_types[i];
	return NULL;
}

void
pds_sketch_health(const PdsSketchType *type, Datum value, PdsView *view, PdsHealth *h)
{
	struct varlena *v = pds_sketch_get(type, value);

	*h = (PdsHealth) {
		.values = -1, .total = -1, .rate = -1, .error = -1, .status = "ok", .family = "native",
		.bytes = (int64) PDS_PAYLOAD_LEN(v),
		.kind = pds_header_kind(PDS_PAYLOAD(v), PDS_PAYLOAD_LEN(v))
	};
	pds_sketch_open(type, v, view);
	h->parameters = type->describe(view);
	type->health(view, h);
}

const char *
pds_capacity_modifier(uint64 capacity, uint16 rate)
{
	return capacity == 0 || rate == 0 ? NULL :
		psprintf("%llu, %g", (unsigned long long) capacity, pds_decimal_value(rate));
}

/* Appends the digits of a whole number in groups of three: "26,900". */
static void
append_digits(StringInfo s, const char *digits)
{
	int			len = (int) strlen(digits);

	for (int i = 0; i < len; i++)
	{
		appendStringInfoChar(s, digits[i]);
		if (i + 1 < len && (len - i - 1) % 3 == 0)
			appendStringInfoChar(s, ',');
	}
}

static void
append_grouped(StringInfo s, double n)
{
	append_digits(s, psprintf("%.0f", n));
}

/* What describes argument 0, whose type is looked up once per call site.  Errors: 42804. */
static const PdsSketchType *
described_type(FunctionCallInfo fcinfo)
{
	PdsCallSite *site = pds_call_site(fcinfo);
	Oid			type;

	if (site->known == NULL)
	{
		type = pds_declared_type(fcinfo, 0);
		site->known = unconstify(PdsSketchType *, pds_sketch_type_of(type));
		if (site->known == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH),
					 errmsg("a value of type %s is not a sketch", format_type_be(type)),
					 errhint("Cast the value to the type of the sketch, such as hll.")));
	}
	return site->known;
}

/*
 * probds_describe(sketch): "hll(14) of text: about 26,900 distinct values ± 0.8 %, 6,237 bytes".
 * Where the database is not in UTF-8, "±" is "+-".
 */
PDS_FUNCTION(probds_describe)
{
	const PdsSketchType *type = described_type(fcinfo);
	PdsView		view;
	PdsHealth	h;
	StringInfoData s;

	pds_sketch_health(type, PG_GETARG_DATUM(0), &view, &h);
	initStringInfo(&s);
	appendStringInfoString(&s, type->name);
	if (h.modifier != NULL)
		appendStringInfo(&s, "(%s)", h.modifier);
	if (h.kind == PDS_KIND_NONE)
		appendStringInfoString(&s, ": empty, ");
	else
	{
		appendStringInfo(&s, " of %s: ", pds_kind_name(h.kind));
		if (h.values >= 0)
		{
			appendStringInfoString(&s, "about ");
			append_grouped(&s, h.values);
			if (h.capacity > 0)
			{
				appendStringInfoString(&s, " of ");
				append_grouped(&s, h.capacity);
			}
			appendStringInfoString(&s, " distinct values");
			if (h.error >= 0 && h.total < 0)
				appendStringInfo(&s, " %s %.2g %%",
								 GetDatabaseEncoding() == PG_UTF8 ? "\302\261" : "+-",
								 100 * h.error);
			appendStringInfoString(&s, ", ");
		}
		if (h.rate >= 0)
			appendStringInfo(&s, "false-positive rate %.2g %%, ", 100 * h.rate);
		if (h.says != NULL)
			appendStringInfo(&s, "%s, ", h.says);
		else if (h.total >= 0)
		{
			appendStringInfoString(&s, "total ");
			append_digits(&s, psprintf(INT64_FORMAT, h.total));
			if (h.error > 0)
			{
				appendStringInfoString(&s, ", frequencies at most ");
				append_grouped(&s, h.error * (double) h.total);
				appendStringInfoString(&s, " too high, ");
			}
			else
				appendStringInfoString(&s, ", frequencies exact, ");
		}
	}
	if (strcmp(h.status, "ok") != 0)
		appendStringInfo(&s, "%s, ", h.status);
	if (strcmp(h.family, "native") != 0)
		appendStringInfo(&s, "hashes of %s, ", h.family);
	append_grouped(&s, (double) h.bytes);
	appendStringInfoString(&s, " bytes");
	PG_RETURN_TEXT_P(cstring_to_text_with_len(s.data, s.len));
}
