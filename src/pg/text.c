/*
 * text.c: any SQL value -> its text, the same in every session
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "pgtime.h"
#include "utils/builtins.h"
#include "utils/bytea.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"

#include "pg/canonical.h"
#include "pg/text.h"

/* ---- types whose output form depends on nothing --------------------------------- */

static void
append_integer(StringInfo out, int64 v)
{
	char		digits[MAXINT8LEN + 1];

	pg_lltoa(v, digits);
	appendStringInfoString(out, digits);
}

static void
append_and_free(StringInfo out, char *text)
{
	appendStringInfoString(out, text);
	pfree(text);
}

/* The kind number: integers, object identifiers of all sorts, numeric */
static void
append_number(Oid typid, Datum value, StringInfo out)
{
	if (typid == INT2OID)
		append_integer(out, DatumGetInt16(value));
	else if (typid == INT4OID)
		append_integer(out, DatumGetInt32(value));
	else if (typid == INT8OID)
		append_integer(out, DatumGetInt64(value));
	else if (typid == NUMERICOID)
		append_and_free(out, numeric_normalize(DatumGetNumeric(value)));
	else
		append_integer(out, (int64) DatumGetObjectId(value));
}

/* A string as it is, where its canonical bytes are only a hash of it */
static void
append_string(Oid typid, Datum value, StringInfo out)
{
	struct varlena *v;
	int			len;

	if (typid == NAMEOID)
	{
		appendStringInfoString(out, NameStr(*DatumGetName(value)));
		return;
	}
	v = PG_DETOAST_DATUM_PACKED(value);
	len = (int) VARSIZE_ANY_EXHDR(v);
	if (typid == BPCHAROID)
		len = bpchartruelen(VARDATA_ANY(v), len);
	appendBinaryStringInfo(out, VARDATA_ANY(v), len);
	if ((Pointer) v != DatumGetPointer(value))
		pfree(v);
}

/* ---- all others ------------------------------------------------------------------ */

/* -0 is 0, to which it is equal */
static Datum
without_negative_zero(Oid typid, Datum value)
{
	if (typid == FLOAT4OID && DatumGetFloat4(value) == 0)
		return Float4GetDatum(0);
	if (typid == FLOAT8OID && DatumGetFloat8(value) == 0)
		return Float8GetDatum(0);
	return value;
}

static FmgrInfo *
output_function(PdsHasher *hasher)
{
	if (hasher->output == NULL)
	{
		FmgrInfo   *output = MemoryContextAlloc(hasher->mcxt, sizeof(FmgrInfo));
		Oid			function;
		bool		is_varlena;

		getTypeOutputInfo(hasher->typid == CIDROID ? INETOID : hasher->typid,
						  &function, &is_varlena);
		fmgr_info_cxt(function, output, hasher->mcxt);
		hasher->output = output;
	}
	return hasher->output;
}

/*
 * The settings that output functions of the server look at are set aside, by
 * their variables: to go through SET for each value takes longer than all the rest.
 */
static char *
call_output(FmgrInfo *output, Datum value)
{
	int			date_style = DateStyle;
	int			interval_style = IntervalStyle;
	int			float_digits = extra_float_digits;
	int			bytea_style = bytea_output;
	pg_tz	   *timezone = session_timezone;
	static pg_tz *utc = NULL;
	char	   *volatile text = NULL;

	if (utc == NULL)
		utc = pg_tzset("GMT");
	PG_TRY();
	{
		DateStyle = USE_ISO_DATES;
		IntervalStyle = INTSTYLE_POSTGRES;
		extra_float_digits = 1;
		bytea_output = BYTEA_OUTPUT_HEX;
		if (utc != NULL)
			session_timezone = utc;
		text = OutputFunctionCall(output, value);
	}
	PG_FINALLY();
	{
		DateStyle = date_style;
		IntervalStyle = interval_style;
		extra_float_digits = float_digits;
		bytea_output = bytea_style;
		session_timezone = timezone;
	}
	PG_END_TRY();
	return text;
}

/* ---- from a value to its text ------------------------------------------------------ */

static void
append_text(PdsHasher *hasher, Datum value, StringInfo out)
{
	switch (hasher->kind)
	{
		case PDS_KIND_STRING:
		case PDS_KIND_ENUM:
		case PDS_KIND_CITEXT:
			pds_append(hasher, value, out);
			/* the one string type that may hold half a character */
			if (hasher->typid == CHAROID)
				pg_verifymbstr(out->data, out->len, false);
			break;
		case PDS_KIND_COLLATED:
			append_string(hasher->typid, value, out);
			break;
		case PDS_KIND_NUMBER:
			append_number(hasher->typid, value, out);
			break;
		case PDS_KIND_BOOLEAN:
			appendStringInfoString(out, DatumGetBool(value) ? "true" : "false");
			break;
		default:
			append_and_free(out, call_output(output_function(hasher),
											 without_negative_zero(hasher->typid, value)));
			break;
	}
}

const char *
pds_text_of(PdsHasher *hasher, Datum value, size_t *len)
{
	StringInfo	scratch;

	if (hasher->kind == PDS_KIND_STRING && hasher->shape == PDS_SHAPE_BYTES)
	{
		struct varlena *v = (struct varlena *) DatumGetPointer(value);

		if (likely(!VARATT_IS_EXTERNAL(v) && !VARATT_IS_COMPRESSED(v)))
		{
			*len = VARSIZE_ANY_EXHDR(v);
			return VARDATA_ANY(v);
		}
	}
	scratch = pds_hasher_scratch(hasher);
	if (pds_is_literal(hasher))
	{
		PdsHasher  *read;
		Datum		meant = pds_literal_value(hasher, value, &read);

		append_text(read, meant, scratch);
	}
	else
		append_text(hasher, value, scratch);
	*len = (size_t) scratch->len;
	return scratch->data;
}
