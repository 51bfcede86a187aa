/*
 * canonical_string.c: the canonical bytes of strings, in UTF-8
 *
 * Text of a database in UTF-8 needs no change, and then the bytes of a value are its
 * canonical bytes.  In a database of another encoding each value is converted, unless
 * it is ASCII.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_enum.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/formatting.h"
#include "utils/inval.h"
#include "utils/syscache.h"

#include "hasher.h"
#include "kind_name.h"
#include "utf8.h"

/* ---------- text under a nondeterministic collation ---------- */

text *
pds_string_as_text(Oid typid, Datum value)
{
	text	   *string;
	text	   *padded;

	if (typid == NAMEOID)
		return cstring_to_text(NameStr(*DatumGetName(value)));
	string = DatumGetTextPP(value);
	if (typid != BPCHAROID)
		return string;
	padded = string;
	string = cstring_to_text_with_len(VARDATA_ANY(padded),
									  bpchartruelen(VARDATA_ANY(padded),
													(int) VARSIZE_ANY_EXHDR(padded)));
	if ((Pointer) padded != DatumGetPointer(value))
		pfree(padded);
	return string;
}

/*
 * Under a nondeterministic collation different bytes may be equal, and only ICU
 * knows which: the server's own hash of the string stands for the string.  That is
 * its hash as text for all types: the server's hash of a char(n) (tried on 15) depends
 * on the padding here.
 */
static size_t
put_collated(PdsHasher *hasher, Datum value, uint8 *out)
{
	text	   *string = pds_string_as_text(hasher->typid, value);

	pds_store_le64(out, DatumGetUInt64(DirectFunctionCall2Coll(hashtextextended, hasher->collation,
															   PointerGetDatum(string),
															   Int64GetDatum(0))));
	if ((Pointer) string != DatumGetPointer(value))
		pfree(string);
	return 8;
}

/* ---------- text, varchar, bpchar, name, "char" ---------- */

/* Put text of the database at out, in UTF-8. */
static size_t
put_utf8(const PdsHasher *hasher, const char *text, size_t len, uint8 *out)
{
	const char *in_utf8 = hasher->recodes ? pds_to_utf8(text, &len) : text;

	memcpy(out, in_utf8, len);
	if (in_utf8 != text)
		pfree((char *) in_utf8);
	return len;
}

static size_t
put_name(PdsHasher *hasher, Datum value, uint8 *out)
{
	const char *name = NameStr(*DatumGetName(value));

	return put_utf8(hasher, name, strnlen(name, NAMEDATALEN), out);
}

/* "char": one byte, or none for '\0', as in its text form */
static size_t
put_char(PdsHasher *hasher, Datum value, uint8 *out)
{
	char		c = DatumGetChar(value);

	/* where characters take several bytes, a lone one above ASCII is none */
	if (c != '\0' && pg_database_encoding_max_length() == 1)
		return put_utf8(hasher, &c, 1, out);
	out[0] = (uint8) c;
	return c != '\0' ? 1 : 0;
}

/* A literal as a column of a ROW(): a C string, taken as text */
static void
append_cstring(PdsHasher *hasher, Datum value, PdsSink *sink)
{
	const char *text = DatumGetCString(value);

	pds_sink_put_utf8(sink, text, strlen(text));
}

static void
use_put(PdsHasher *hasher, PdsPut put)
{
	hasher->shape = PDS_SHAPE_PUT;
	hasher->put = put;
}

static void
use_append(PdsHasher *hasher, PdsAppend append)
{
	hasher->shape = PDS_SHAPE_APPEND;
	hasher->append = append;
}

bool
pds_string_setup(PdsHasher *hasher)
{
	hasher->kind = PDS_KIND_STRING;
	switch (hasher->typid)
	{
		case UNKNOWNOID:
			use_append(hasher, append_cstring);
			return true;
		case CHAROID:
			use_put(hasher, put_char);
			return true;
		case TEXTOID:
		case VARCHAROID:
			hasher->shape = hasher->recodes ? PDS_SHAPE_TEXT : PDS_SHAPE_BYTES;
			break;
		case BPCHAROID:
			hasher->shape = PDS_SHAPE_TEXT;
			break;
		case NAMEOID:
			use_put(hasher, put_name);
			break;
		default:
			return false;
	}
	if (!pds_collation_is_deterministic(hasher->collation))
	{
		hasher->kind = pds_collation_kind(hasher->collation);
		use_put(hasher, put_collated);
	}
	return true;
}

/* ---------- enums ---------- */

#define ENUM_SLOTS	16

/* A label that was seen, in UTF-8: a look-up in the catalog's cache costs more than a hash */
typedef struct EnumLabel
{
	Oid			oid;
	uint32		generation;		/* of when it was looked up */
	size_t		len;
	uint8		utf8[PDS_PUT_MAX];
} EnumLabel;

/* Counts the changes of pg_enum that this session has been told of. */
static uint32 enum_generation;

static void
enum_changed(Datum arg, int cacheid, uint32 hashvalue)
{
	enum_generation++;
}

/* The label; a label may be renamed in the transaction that looks. */
static size_t
put_enum(PdsHasher *hasher, Datum value, uint8 *out)
{
	Oid			oid = DatumGetObjectId(value);
	uint32		generation = enum_generation;

	/* the labels that a type is created with have even OIDs */
	EnumLabel  *label = (EnumLabel *) hasher->detail + oid / 2 % ENUM_SLOTS;

	if (label->oid != oid || label->generation != generation)
	{
		HeapTuple	tuple = SearchSysCache1(ENUMOID, value);
		const char *name;

		if (!HeapTupleIsValid(tuple))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
					 errmsg("invalid internal value for enum: %u", oid)));
		name = NameStr(((Form_pg_enum) GETSTRUCT(tuple))->enumlabel);
		label->len = put_utf8(hasher, name, strlen(name), label->utf8);
		label->oid = oid;
		label->generation = generation;
		ReleaseSysCache(tuple);
	}
	memcpy(out, label->utf8, label->len);
	return label->len;
}

void
pds_enum_setup(PdsHasher *hasher)
{
	static bool registered = false;

	if (!registered)
	{
		CacheRegisterSyscacheCallback(ENUMOID, enum_changed, (Datum) 0);
		registered = true;
	}
	hasher->kind = PDS_KIND_ENUM;
	hasher->detail = MemoryContextAllocZero(hasher->mcxt, ENUM_SLOTS * sizeof(EnumLabel));
	use_put(hasher, put_enum);
}

/* ---------- citext ---------- */

/* The lower-case form that citext's own = compares */
static void
append_citext(PdsHasher *hasher, Datum value, PdsSink *sink)
{
	text	   *txt = DatumGetTextPP(value);
	char	   *lower = str_tolower(VARDATA_ANY(txt), VARSIZE_ANY_EXHDR(txt),
									DEFAULT_COLLATION_OID);

	pds_sink_put_utf8(sink, lower, strlen(lower));
	pfree(lower);
	if ((Pointer) txt != DatumGetPointer(value))
		pfree(txt);
}

void
pds_citext_setup(PdsHasher *hasher)
{
	hasher->kind = PDS_KIND_CITEXT;
	use_append(hasher, append_citext);
}
