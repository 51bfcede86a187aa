/*
 * literal.c: literals and parameters that are read as what a sketch holds
 *
 * A literal 'like this', and a parameter for which a driver gives no type, are text to
 * a function.  They are read as the kind of the values in the sketch, where that has
 * one reading: filter @> '42' on a filter of numbers looks for the number.  Kinds whose
 * text can mean several values (0.1 as real and as double precision), or whose
 * signature does not tell the type, need a cast.
 */
#include "postgres.h"

#include <ctype.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#include "hasher.h"
#include "kind_name.h"
#include "type_hasher.h"

typedef struct Literal
{
	FmgrInfo	input;
	Oid			ioparam;
	const char *example;		/* of a time: a text that no setting gives another meaning */
	PdsHasher  *read;			/* the hasher of that */
} Literal;

static const struct
{
	pds_kind	kind;
	Oid			typid;
	const char *example;
}			literal_types[] = {
	{PDS_KIND_CITEXT, TEXTOID, NULL},
	{PDS_KIND_ENUM, TEXTOID, NULL},
	{PDS_KIND_NUMBER, NUMERICOID, NULL},
	{PDS_KIND_BYTES, BYTEAOID, NULL},
	{PDS_KIND_UUID, UUIDOID, NULL},
	{PDS_KIND_BOOLEAN, BOOLOID, NULL},
	{PDS_KIND_DATE, DATEOID, "2026-01-31"},
	{PDS_KIND_TIME, TIMEOID, "12:00:00"},
	{PDS_KIND_TIMESTAMP, TIMESTAMPOID, "2026-01-31 12:00:00"},
	{PDS_KIND_TIMESTAMPTZ, TIMESTAMPTZOID, "2026-01-31 12:00:00+00"},
	{PDS_KIND_INET, INETOID, NULL},
	{PDS_KIND_MACADDR, MACADDROID, NULL},
	{PDS_KIND_MACADDR8, MACADDR8OID, NULL},
	{PDS_KIND_JSONB, JSONBOID, NULL},
	{PDS_KIND_BIT, VARBITOID, NULL},
};

/* Why a literal is read as a type that nobody wrote. */
static void
literal_context(void *hasher)
{
	errcontext("text read as a value of kind %s, which the sketch holds",
			   pds_kind_name(((PdsHasher *) hasher)->kind));
}

/* Does the text of a point in time end with its time zone: 12:00+02, 12:00:00Z? */
static bool
has_time_zone(const char *text)
{
	const char *time = strchr(text, ':');

	return time != NULL && strpbrk(time, "+-Zz") != NULL;
}

/*
 * Is the text of a date or time such that it does not depend on DateStyle, TimeZone or
 * the time of day?  The year comes first, and the time zone is written as an offset.
 */
static bool
is_iso(const char *text, pds_kind kind)
{
	int			digits;

	while (isspace((unsigned char) *text))
		text++;
	digits = (int) strspn(text, "0123456789");
	if (kind == PDS_KIND_TIME)
		return digits > 0;
	if (pg_strncasecmp(text, "infinity", 8) == 0 || pg_strncasecmp(text, "-infinity", 9) == 0)
		return true;
	return digits >= 4 && text[digits] == '-' &&
		(kind != PDS_KIND_TIMESTAMPTZ || has_time_zone(text));
}

static void
require_iso(const char *text, pds_kind kind, const char *example)
{
	if (example == NULL || is_iso(text, kind))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_DATETIME_FORMAT),
			 errmsg("cannot read \"%s\" as a value of kind %s", text, pds_kind_name(kind)),
			 errdetail("Its meaning depends on the settings of the session or on the time of day."),
			 errhint("Write it as %s, or cast it to the type of the values in the sketch.",
					 example)));
}

/* 'abc' may be bytes, or what a driver takes for text of its own: bytes are '\x616263'. */
static void
require_hex(const char *text, pds_kind kind)
{
	if (kind != PDS_KIND_BYTES || strncmp(text, "\\x", 2) == 0)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("cannot read \"%s\" as a value of kind %s", text, pds_kind_name(kind)),
			 errdetail("Bytes without a type are read in hexadecimal form only."),
			 errhint("Write it as '\\x616263', or cast it to bytea.")));
}

Datum
pds_literal_value(PdsHasher *hasher, Datum value, PdsHasher **read)
{
	Literal    *literal = hasher->detail;
	char	   *input = TextDatumGetCString(value);
	ErrorContextCallback context = {.previous = error_context_stack,
		.callback = literal_context, .arg = hasher};
	Datum		result;

	error_context_stack = &context;
	require_hex(input, hasher->kind);
	require_iso(input, hasher->kind, literal->example);
	result = InputFunctionCall(&literal->input, input, literal->ioparam, -1);
	error_context_stack = context.previous;
	*read = literal->read;
	return result;
}

static void
append_literal(PdsHasher *hasher, Datum value, PdsSink *sink)
{
	PdsHasher  *read;
	Datum		meant = pds_literal_value(hasher, value, &read);

	pds_append(read, meant, sink);
}

PdsHasher *
pds_hasher_for_literal(pds_kind want, MemoryContext mcxt)
{
	PdsHasher  *hasher;
	Literal    *literal;
	Oid			input;
	size_t		i = 0;

	while (i < lengthof(literal_types) && literal_types[i].kind != want)
		i++;
	if (i == lengthof(literal_types))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("cannot read text as a value of kind %s", pds_kind_name(want)),
				 errdetail("The sketch holds values of this kind, and a text can be read as "
						   "several of them."),
				 errhint("Cast the value to the type of these values.")));

	hasher = pds_hasher_blank(mcxt);
	literal = MemoryContextAllocZero(mcxt, sizeof(Literal));
	getTypeInputInfo(literal_types[i].typid, &input, &literal->ioparam);
	fmgr_info_cxt(input, &literal->input, mcxt);
	literal->example = literal_types[i].example;
	literal->read = pds_hasher_for_type(literal_types[i].typid, InvalidOid, mcxt);
	if (want == PDS_KIND_CITEXT)
		pds_citext_setup(literal->read);
	else if (want == PDS_KIND_ENUM)
		literal->read->kind = PDS_KIND_ENUM;
	hasher->kind = literal->read->kind;
	hasher->typid = TEXTOID;
	hasher->reads = true;
	hasher->shape = PDS_SHAPE_APPEND;
	hasher->append = append_literal;
	hasher->detail = literal;
	return hasher;
}
