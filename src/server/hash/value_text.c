/*
 * value_text.c: any SQL value -> its text in UTF-8, the same in every session
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "pgtime.h"
#include "utils/builtins.h"
#include "utils/bytea.h"
#include "utils/cash.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"

#include "hasher.h"
#include "value_text.h"

/* ---------- types whose output form depends on nothing ---------- */

static void
put_cstring(PdsSink *sink, const char *text)
{
	pds_sink_put(sink, text, strlen(text));
}

/* The kind number: numeric, and integers and object identifiers, which are 64 bits to be hashed */
static void
put_number(PdsHasher *hasher, Datum value, PdsSink *sink)
{
	char		digits[MAXINT8LEN + 1];
	uint8		number[PDS_PUT_MAX];
	char	   *text;

	if (hasher->typid == NUMERICOID)
	{
		text = numeric_normalize(DatumGetNumeric(value));
		put_cstring(sink, text);
		pfree(text);
		return;
	}
	(void) hasher->put(hasher, value, number);
	pg_lltoa((int64) pds_load_le64(number), digits);
	put_cstring(sink, digits);
}

/* Two decimals and no symbol: the form of the type's own output is lc_monetary's. */
static void
put_money(PdsSink *sink, Cash cents)
{
	uint64		v = cents < 0 ? (uint64) 0 - (uint64) cents : (uint64) cents;
	char		text[MAXINT8LEN + 3];

	snprintf(text, sizeof(text), "%s" UINT64_FORMAT ".%02d", cents < 0 ? "-" : "",
			 v / 100, (int) (v % 100));
	put_cstring(sink, text);
}

/* A string as it is, where its canonical bytes are only a hash of it */
static void
put_string(PdsSink *sink, Oid typid, Datum value)
{
	text	   *string = pds_string_as_text(typid, value);

	pds_sink_put_utf8(sink, VARDATA_ANY(string), VARSIZE_ANY_EXHDR(string));
	if ((Pointer) string != DatumGetPointer(value))
		pfree(string);
}

/* A document in UTF-8, whose keys are in the order that they have there. */
static void
put_jsonb(PdsSink *sink, Datum value)
{
	Jsonb	   *stored = DatumGetJsonbP(value);
	Jsonb	   *json = pds_json_in_utf8(stored);
	char	   *text = JsonbToCString(NULL, &json->root, VARSIZE(json));

	put_cstring(sink, text);
	pfree(text);
	if (json != stored)
		pfree(json);
	if ((Pointer) stored != DatumGetPointer(value))
		pfree(stored);
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

/* ---------- from a value to its text ---------- */

static void
put_text(PdsHasher *hasher, Datum value, PdsSink *sink)
{
	char	   *text;

	switch (pds_kind_code(hasher->kind))
	{
		case PDS_KIND_STRING:
		case PDS_KIND_ENUM:
		case PDS_KIND_CITEXT:
			pds_append(hasher, value, sink);
			/* the one string type that may hold half a character */
			if (hasher->typid == CHAROID && GetDatabaseEncoding() != PG_SQL_ASCII)
				(void) pg_verify_mbstr(PG_UTF8, (const char *) sink->data, (int) sink->len, false);
			break;
		case PDS_KIND_COLLATED:
			put_string(sink, hasher->typid, value);
			break;
		case PDS_KIND_NUMBER:
			put_number(hasher, value, sink);
			break;
		case PDS_KIND_MONEY:
			put_money(sink, DatumGetCash(value));
			break;
		case PDS_KIND_BOOLEAN:
			put_cstring(sink, DatumGetBool(value) ? "true" : "false");
			break;
		case PDS_KIND_JSONB:
			put_jsonb(sink, value);
			break;
		default:
			text = call_output(output_function(hasher),
							   without_negative_zero(hasher->typid, value));
			pds_sink_put_utf8(sink, text, strlen(text));
			pfree(text);
			break;
	}
}

const char *
pds_text_of(PdsHasher *hasher, Datum value, size_t *len)
{
	PdsSink    *sink = &hasher->sink;

	if (hasher->kind == PDS_KIND_STRING && hasher->shape == PDS_SHAPE_BYTES)
	{
		struct varlena *v = (struct varlena *) DatumGetPointer(value);

		if (likely(!VARATT_IS_EXTERNAL(v) && !VARATT_IS_COMPRESSED(v)))
		{
			*len = VARSIZE_ANY_EXHDR(v);
			return VARDATA_ANY(v);
		}
	}
	pds_sink_start(sink, PDS_SINK_KEEP);
	if (hasher->reads)
	{
		PdsHasher  *read;
		Datum		meant = pds_literal_value(hasher, value, &read);

		put_text(read, meant, sink);
	}
	else
		put_text(hasher, value, sink);
	*len = sink->len;
	return sink->len > 0 ? (const char *) sink->data : "";
}
