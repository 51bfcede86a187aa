/*
 * sketch.c: input and output, comparison and type modifiers of all sketch types
 */
#include "postgres.h"

#include <ctype.h>

#include "access/detoast.h"
#include "catalog/pg_type.h"
#include "common/base64.h"
#include "common/hashfn.h"
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "compat.h"
#include "sketch.h"
#include "value.h"

struct varlena *
pds_sketch_from_payload(const uint8_t *payload, size_t len)
{
	struct varlena *v = palloc(VARHDRSZ + len);

	SET_VARSIZE(v, VARHDRSZ + len);
	memcpy(VARDATA(v), payload, len);
	return v;
}

void
pds_require_state(const PdsSketchType *type, const struct varlena *state)
{
	if (!type->check_state(state, VARSIZE(state)))
		pds_stored_corrupt(type, "As the state of an aggregate it contradicts itself.");
}

struct varlena *
pds_sketch_own_state(const PdsSketchType *type, const struct varlena *value)
{
	struct varlena *state = pds_sketch_from_payload(PDS_PAYLOAD(value), PDS_PAYLOAD_LEN(value));

	pds_require_state(type, state);
	return state;
}

struct varlena *
pds_sketch_get(const PdsSketchType *type, Datum value)
{
	struct varlena *v = PG_DETOAST_DATUM_PACKED(value);

	/* a copy: it may lie in a page of the table, and the state works in it */
	if (unlikely(pds_is_building(v)))
		v = type->store(pds_sketch_own_state(type, v));
	return v;
}

struct varlena *
pds_sketch_get_head(const PdsSketchType *type, Datum value, int32 most)
{
	struct varlena *v = (struct varlena *) DatumGetPointer(value);

	/*
	 * What is in the row already needs no slice.  (VARATT_IS_SHORT says yes of
	 * TOAST pointers too.)
	 */
	if (!VARATT_IS_EXTERNAL(v) && !VARATT_IS_COMPRESSED(v))
		return pds_sketch_get(type, value);
	v = PG_DETOAST_DATUM_SLICE(value, 0, most);
	if (unlikely(pds_is_building(v)))
		return pds_sketch_get(type, value);
	return v;
}

/* ---------- input and output ---------- */

/* A modifier that somebody has made up: the functions can be called by name. */
static void
require_typmod(const PdsSketchType *type, int32 typmod)
{
	if (!type->typmod_valid(typmod))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid type modifier for type %s: %d", type->name, typmod)));
}

/* Complain, softly where the server can, of a modifier's broken promise. */
static bool
accept_typmod(const PdsSketchType *type, const uint8_t *payload, size_t len,
			  int32 typmod, Node *escontext)
{
	char	   *promised;
	char	   *found;
	char	   *hint;

	if (typmod < 0)
		return true;
	require_typmod(type, typmod);
	if (!type->typmod_holds(payload, len, typmod, &promised, &found, &hint))
		ereturn(escontext, false,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("%s value of %s does not fit type %s(%s)",
						type->name, found, type->name, type->typmod_out(typmod)),
				 errdetail("The type promises %s.", promised),
				 errhint("%s", hint)));
	return true;
}

/* The same of text that is no sketch; why is a sentence. */
static bool
refuse_text(const PdsSketchType *type, const char *text, const char *why, Node *escontext)
{
	int			len = (int) strlen(text);

	ereturn(escontext, false,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg("invalid input syntax for type %s: \"%s%s\"", type->name,
					pnstrdup(text, pg_mbcliplen(text, len, 40)), len > 40 ? "..." : ""),
			 errdetail("%s", why),
			 errhint("To build one from values use %s_agg() or %s_add().",
					 type->name, type->name)));
}

/* Are the bytes a sketch?  If not, why is a sentence. */
static bool
is_valid(const PdsSketchType *type, const uint8_t *payload, size_t len, const char **why)
{
	if (type->check(payload, len, why) != PDS_OK)
		return false;
	*why = type->check_here != NULL ? type->check_here(payload, len) : NULL;
	return *why == NULL;
}

/* An error unless the bytes are a sketch. */
static void
require_valid(const PdsSketchType *type, const uint8_t *payload, size_t len)
{
	const char *why;

	if (!is_valid(type, payload, len, &why))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg_plural("invalid %s value of %zu byte", "invalid %s value of %zu bytes",
							   len, type->name, len),
				 errdetail("%s", why)));
}

/* Of base64 that is read or written between two looks for an interrupt */
#define BASE64_PART		(1 << 20)

/* Base64 without white space to bytes; returns their number, or -1. */
static int
base64_decode(const char *text, int len, uint8_t *out)
{
	int			at = 0;
	int			n;

	for (; len > BASE64_PART; text += BASE64_PART, len -= BASE64_PART)
	{
		CHECK_FOR_INTERRUPTS();
		n = pg_b64_decode(text, BASE64_PART, (void *) (out + at), BASE64_PART / 4 * 3);
		/* padding is for the end */
		if (n != BASE64_PART / 4 * 3)
			return -1;
		at += n;
	}
	n = pg_b64_decode(text, len, (void *) (out + at), pg_b64_dec_len(len));
	return n < 0 ? -1 : at + n;
}

/*
 * Text to bytes: base64, or hexadecimal after \x as for bytea.  Returns -1, or
 * a length; the bytes are palloc'd.
 */
static int
decode_text(const char *text, size_t len, uint8_t **out)
{
	char	   *joined;
	int			kept = 0;
	int			n;

	if (text[0] == '\\' && (text[1] == 'x' || text[1] == 'X'))
	{
		const char *digits = text + 2;

		if (len % 2 != 0)
			return -1;
		*out = palloc(len / 2);
		n = 0;
		for (; *digits != '\0'; digits += 2)
		{
			int			value = 0;

			if (n % BASE64_PART == 0)
				CHECK_FOR_INTERRUPTS();
			for (int i = 0; i < 2; i++)
			{
				char		c = digits[i];

				if (c >= '0' && c <= '9')
					value = value * 16 + (c - '0');
				else if (c >= 'a' && c <= 'f')
					value = value * 16 + (c - 'a') + 10;
				else if (c >= 'A' && c <= 'F')
					value = value * 16 + (c - 'A') + 10;
				else
					return -1;
			}
			(*out)[n++] = (uint8_t) value;
		}
		return n;
	}

	if (len > MaxAllocSize / 4)
		return -1;

	/* encode(bytea, 'base64') breaks its lines, and so do mail and terminals */
	joined = palloc(len + 1);
	for (size_t i = 0; i < len; i++)
	{
		if (i % BASE64_PART == 0)
			CHECK_FOR_INTERRUPTS();
		if (!isspace((unsigned char) text[i]))
			joined[kept++] = text[i];
	}
	*out = palloc(pg_b64_dec_len(kept) + 1);
	n = base64_decode(joined, kept, *out);
	pfree(joined);
	return n;
}

/* Bytes to base64, not terminated; returns the length, or -1. */
static int
base64_encode(const uint8_t *bytes, size_t len, char *out)
{
	int			at = 0;
	int			n;

	/* in parts of whole groups of 3 bytes, which are not padded */
	for (; len > BASE64_PART / 4 * 3; bytes += BASE64_PART / 4 * 3, len -= BASE64_PART / 4 * 3)
	{
		CHECK_FOR_INTERRUPTS();
		n = pg_b64_encode((const void *) bytes, BASE64_PART / 4 * 3, out + at, BASE64_PART);
		if (n < 0)
			return -1;
		at += n;
	}
	n = pg_b64_encode((const void *) bytes, (int) len, out + at, pg_b64_enc_len((int) len));
	return n < 0 ? -1 : at + n;
}

Datum
pds_sketch_in(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	char	   *text = PG_GETARG_CSTRING(0);
	int32		typmod = PG_NARGS() > 2 ? PG_GETARG_INT32(2) : -1;
	size_t		text_len;
	const char *why = NULL;
	uint8_t    *payload;
	int			len;

	/* white space around it does no harm */
	while (isspace((unsigned char) *text))
		text++;
	text_len = strlen(text);
	while (text_len > 0 && isspace((unsigned char) text[text_len - 1]))
		text_len--;
	text = pnstrdup(text, text_len);
	len = decode_text(text, text_len, &payload);
	if (len <= 0)
		why = "The text form is base64, or hexadecimal digits after \\x.";
	if ((len <= 0 || !is_valid(type, payload, len, &why)) &&
		!refuse_text(type, text, why, fcinfo->context))
		return (Datum) 0;
	if (!accept_typmod(type, payload, len, typmod, fcinfo->context))
		return (Datum) 0;
	PG_RETURN_POINTER(pds_sketch_from_payload(payload, len));
}

Datum
pds_sketch_out(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	struct varlena *v = pds_sketch_get(type, PG_GETARG_DATUM(0));
	size_t		len = PDS_PAYLOAD_LEN(v);
	int			space;
	int			n;
	char	   *text;

	/* the text of a value may not be longer than a value can be */
	if (len > (MaxAllocSize - 1) / 4 * 3 - 3)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%s value of %zu bytes is too large for its text form",
						type->name, len),
				 errhint("Use the binary format or cast to bytea.")));
	space = pg_b64_enc_len((int) len);
	text = palloc(space + 1);
	n = base64_encode(PDS_PAYLOAD(v), len, text);
	if (n < 0)
		elog(ERROR, "could not encode %s value", type->name);
	text[n] = '\0';
	PG_RETURN_CSTRING(text);
}

Datum
pds_sketch_recv(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	StringInfo	buf = (StringInfo) PG_GETARG_POINTER(0);
	int32		typmod = PG_NARGS() > 2 ? PG_GETARG_INT32(2) : -1;
	int			len = buf->len - buf->cursor;
	const char *payload = pq_getmsgbytes(buf, len);

	require_valid(type, (const uint8_t *) payload, len);
	(void) accept_typmod(type, (const uint8_t *) payload, len, typmod, NULL);
	PG_RETURN_POINTER(pds_sketch_from_payload((const uint8_t *) payload, len));
}

/* Also the cast to bytea, which is the same bytes. */
Datum
pds_sketch_send(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	struct varlena *v = pds_sketch_get(type, PG_GETARG_DATUM(0));

	PG_RETURN_BYTEA_P(pds_sketch_from_payload(PDS_PAYLOAD(v), PDS_PAYLOAD_LEN(v)));
}

Datum
pds_sketch_from_bytea(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	bytea	   *bytes = PG_GETARG_BYTEA_PP(0);

	require_valid(type, PDS_PAYLOAD(bytes), PDS_PAYLOAD_LEN(bytes));
	PG_RETURN_POINTER(pds_sketch_from_payload(PDS_PAYLOAD(bytes), PDS_PAYLOAD_LEN(bytes)));
}

/* ---------- type modifiers ---------- */

Datum
pds_sketch_typmod_in(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(0);
	Datum	   *elements;
	char	  **args;
	int			n;

	/* the parser makes no others, but the function can be called by hand */
	if (ARR_ELEMTYPE(array) != CSTRINGOID || ARR_NDIM(array) != 1 ||
		array_contains_nulls(array))
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_ELEMENT_ERROR),
				 errmsg("typmod array must be of type cstring[], one-dimensional and without nulls")));
	deconstruct_array(array, CSTRINGOID, -2, false, TYPALIGN_CHAR, &elements, NULL, &n);
	args = palloc(n * sizeof(char *));
	for (int i = 0; i < n; i++)
		args[i] = DatumGetCString(elements[i]);
	PG_RETURN_INT32(type->typmod_in(args, n));
}

int32
pds_typmod_int32(const char *arg)
{
	return DatumGetInt32(DirectFunctionCall1(int4in, CStringGetDatum(arg)));
}

double
pds_typmod_float8(const char *arg)
{
	return DatumGetFloat8(DirectFunctionCall1(float8in, CStringGetDatum(arg)));
}

Datum
pds_sketch_typmod_out(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	require_typmod(type, PG_GETARG_INT32(0));
	PG_RETURN_CSTRING(psprintf("(%s)", type->typmod_out(PG_GETARG_INT32(0))));
}

/* The cast of the type to itself that enforces a modifier: (value, typmod, explicit). */
Datum
pds_sketch_typmod_cast(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	struct varlena *v = pds_sketch_get(type, PG_GETARG_DATUM(0));
	int32		typmod = PG_GETARG_INT32(1);
	bool		is_explicit = PG_GETARG_BOOL(2);
	char	   *promised;
	char	   *found;
	char	   *hint;

	if (typmod >= 0)
		require_typmod(type, typmod);
	if (typmod >= 0 && is_explicit &&
		!type->typmod_holds(PDS_PAYLOAD(v), PDS_PAYLOAD_LEN(v), typmod,
							&promised, &found, &hint))
	{
		struct varlena *folded = type->typmod_fold(v, typmod);

		if (folded == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_DATA_EXCEPTION),
					 errmsg("cannot fold %s value of %s to type %s(%s)",
							type->name, found, type->name, type->typmod_out(typmod)),
					 errdetail("The type promises %s, and what was never recorded cannot be added.",
							   promised)));
		PG_RETURN_POINTER(folded);
	}
	(void) accept_typmod(type, PDS_PAYLOAD(v), PDS_PAYLOAD_LEN(v), typmod, NULL);
	PG_RETURN_POINTER(v);
}

/* ---------- comparison ---------- */

/* The length of a value's payload, without fetching it; -1 if it may be a state's. */
static int64
stored_length(Datum value)
{
	const struct varlena *v = (const struct varlena *) DatumGetPointer(value);

	/* a state is as long as its spare space says */
	if (VARATT_IS_EXTERNAL_EXPANDED(v) ||
		(!VARATT_IS_EXTERNAL(v) && (VARATT_IS_COMPRESSED(v) || pds_is_building(v))))
		return -1;
	return (int64) toast_raw_datum_size(value) - VARHDRSZ;
}

/* A state in a table is seldom, and told from a stored value by its first bytes. */
static bool
is_stored_state(const PdsSketchType *type, Datum value)
{
	const struct varlena *v = (const struct varlena *) DatumGetPointer(value);

	if (!VARATT_IS_EXTERNAL_ONDISK(v))
		return false;
	return pds_is_building((struct varlena *) PG_DETOAST_DATUM_SLICE(value, 0, PDS_HEADER_BYTES + 1));
}

/*
 * Equal states are equal bytes, so "=" is that of the bytes.  Values of different
 * lengths are not fetched to find out.
 */
bool
pds_sketch_equal(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	int64		a = stored_length(PG_GETARG_DATUM(0));
	int64		b = stored_length(PG_GETARG_DATUM(1));

	if (a >= 0 && b >= 0 && a != b &&
		!is_stored_state(type, PG_GETARG_DATUM(0)) && !is_stored_state(type, PG_GETARG_DATUM(1)))
		return false;
	return pds_sketch_cmp(fcinfo, type) == 0;
}

/*
 * The order is that of bytea and means nothing; it makes sorting, DISTINCT and merge
 * joins possible.
 */
int
pds_sketch_cmp(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	struct varlena *a = pds_sketch_get(type, PG_GETARG_DATUM(0));
	struct varlena *b = pds_sketch_get(type, PG_GETARG_DATUM(1));
	size_t		a_len = PDS_PAYLOAD_LEN(a);
	size_t		b_len = PDS_PAYLOAD_LEN(b);
	int			r = memcmp(PDS_PAYLOAD(a), PDS_PAYLOAD(b), Min(a_len, b_len));

	if (r == 0)
		r = a_len < b_len ? -1 : a_len > b_len;
	/* a btree support function may not leak */
	PG_FREE_IF_COPY(a, 0);
	PG_FREE_IF_COPY(b, 1);
	/* some machines' memcmp() says more than less or greater */
	return (r > 0) - (r < 0);
}

/*
 * The hash of a payload: that of its bytes, as of bytea; of more than 16 MB that
 * of one part goes on from that of the part before, to look for an interrupt between
 * them.  With seed 0 the lower 32 bits are the hash without a seed.
 */
static uint64
hash_payload(const struct varlena *v, uint64 seed)
{
	const size_t part = 16 * 1024 * 1024;
	const uint8_t *payload = PDS_PAYLOAD(v);
	size_t		len = PDS_PAYLOAD_LEN(v);

	for (; len > part; payload += part, len -= part)
	{
		CHECK_FOR_INTERRUPTS();
		seed = DatumGetUInt64(hash_any_extended(payload, (int) part, seed));
	}
	return DatumGetUInt64(hash_any_extended(payload, (int) len, seed));
}

Datum
pds_sketch_hash(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	struct varlena *v = pds_sketch_get(type, PG_GETARG_DATUM(0));
	uint32		r = (uint32) hash_payload(v, 0);

	PG_FREE_IF_COPY(v, 0);
	PG_RETURN_UINT32(r);
}

Datum
pds_sketch_hash_extended(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	struct varlena *v = pds_sketch_get(type, PG_GETARG_DATUM(0));
	uint64		r = hash_payload(v, (uint64) PG_GETARG_INT64(1));

	PG_FREE_IF_COPY(v, 0);
	PG_RETURN_UINT64(r);
}

/* ---------- errors ---------- */

/* What differs between two kinds of the same code, as a sentence. */
static const char *
signature_detail(pds_kind kind)
{
	switch (pds_kind_code(kind) & PDS_KIND_BASE_MASK)
	{
		case PDS_KIND_COLLATED:
			return "Their collations are not the same.";
		case PDS_KIND_RECORD:
			return "Their columns are not of the same kinds.";
		case PDS_KIND_OPCLASS:
			return "Their types are not hashed alike.";
		case PDS_KIND_NESTED:
			return "Their elements or bounds are not of the same kind.";
		default:
			return "Their bounds are not of the same kind, or only one of them is discrete.";
	}
}

void
pds_kind_mismatch(const PdsSketchType *type, pds_kind holds, pds_kind value)
{
	const char *holds_name = pds_kind_name(holds);
	const char *value_name = pds_kind_name(value);

	if (holds == PDS_KIND_HASH)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("%s of %s values cannot take a value of kind %s",
						type->name, holds_name, value_name),
				 errdetail("It was imported, and the type of its values is not known.")));
	if (pds_kind_code(holds) == pds_kind_code(value))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("%s of %s values cannot take a value of another such type",
						type->name, holds_name),
				 errdetail("%s", signature_detail(holds)),
				 errhint("Cast the value to the type that the %s was built from.", type->name)));
	ereport(ERROR,
			(errcode(ERRCODE_DATA_EXCEPTION),
			 errmsg("%s of %s values cannot take a value of kind %s",
					type->name, holds_name, value_name),
			 errdetail("Values of different kinds hash differently, so one would never be found as the other."),
			 value == pds_kind_of_array(holds) ?
			 errhint("For the elements of an array use %s.", type->array_functions) :
			 pds_kind_code(holds) == PDS_KIND_COLLATED && value == PDS_KIND_STRING ?
			 errhint("Write the value with the collation of the values in the %s, as in value COLLATE name.",
					 type->name) :
			 errhint("Cast the value to the type that the %s was built from.", type->name)));
}

pds_kind
pds_require_mergeable(const PdsSketchType *type, pds_kind kind_a, uint8_t family_a,
					  pds_kind kind_b, uint8_t family_b)
{
	pds_kind	kind;

	if (kind_a != PDS_KIND_NONE && kind_b != PDS_KIND_NONE && family_a != family_b)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot combine %s values of different hash families", type->name),
				 errdetail("The same value hashes differently in each, so nothing of the two can be compared.")));
	if (!pds_kind_join(kind_a, kind_b, &kind))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot combine %s of %s values with %s of %s values",
						type->name, pds_kind_full_name(kind_a), type->name, pds_kind_full_name(kind_b)),
				 pds_kind_code(kind_a) == pds_kind_code(kind_b) ?
				 errdetail("%s", signature_detail(kind_a)) :
				 errdetail("Values of different kinds hash differently, so what is in both would not be recognized."),
				 errhint("Build both from values of the same type, casting where necessary.")));
	return kind;
}

void
pds_stored_corrupt(const PdsSketchType *type, const char *why)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("stored %s value is corrupt", type->name),
			 errdetail("%s", why != NULL ? why : "Its data does not agree with its header.")));
}
