/*
 * sketch_io.c: input, output and type modifiers of all sketch types
 */
#include "postgres.h"

#include <ctype.h>

#include "catalog/pg_type.h"
#include "common/base64.h"
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "base64.h"
#include "compat.h"
#include "expanded.h"
#include "entry_points.h"
#include "state.h"

/* ---------- input and output ---------- */

/* A modifier's promise, and a stored sketch that is to keep it. */
typedef struct Promise
{
	double		values[PDS_MAX_PARAMETERS];
	PdsView		promised;		/* an empty sketch of these parameters */
	PdsView		found;
} Promise;

/*
 * The values of a modifier; 22023 for one that somebody has made up: functions are called
 * by name.
 */
static void
typmod_values(const PdsSketchType *type, int32 typmod, double *values)
{
	PdsView		shape;

	if (!pds_parameter_unpack(type->parameters, type->modifiers, typmod, values) ||
		(type->shape_of != NULL && !type->shape_of(values, &shape)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid type modifier for type %s: %d", type->name, typmod)));
}

/* "1000,0.01": the values of a modifier as its type shows them. */
static char *
typmod_text(const PdsSketchType *type, const double *values)
{
	return pds_parameter_text(type->parameters, type->modifiers, values, ",");
}

/* Does a payload that has passed the check keep the promise of a modifier of 0 or more? */
static bool
keeps_promise(const PdsSketchType *type, const uint8_t *payload, size_t len, int32 typmod,
			  Promise *p)
{
	typmod_values(type, typmod, p->values);
	pds_sketch_open(type, pds_state_store(type, type->new_state(p->values)), &p->promised);
	if (type->ops->open(&p->found, payload, len, len, NULL) != PDS_OK)
		pds_stored_corrupt(type, NULL);
	return type->same_parameters(&p->found, &p->promised);
}

static bool
can_fold(const PdsSketchType *type, const uint8_t *payload, const Promise *p)
{
	return (payload[1] & 0x0f) == PDS_ENCODING_EMPTY ||
		(type->can_fold != NULL && type->can_fold(&p->found, &p->promised));
}

/* What to do about a promise that is not kept. */
static char *
promise_hint(const PdsSketchType *type, const uint8_t *payload, const Promise *p)
{
	char	   *arguments = pds_parameter_text(type->parameters, type->modifiers, p->values, ", ");

	if (can_fold(type, payload, p))
		return psprintf("Fold it by an explicit cast, value::%s(%s), or build it with "
						"%s_agg(value, %s).",
						type->name, arguments, type->name, arguments);
	return psprintf("Build it with %s_agg(value, %s) or %s_empty(%s).",
					type->name, arguments, type->name, arguments);
}

/* Complain, softly where the server can, of a modifier's broken promise. */
static bool
accept_typmod(const PdsSketchType *type, const struct varlena *value, int32 typmod,
			  Node *escontext)
{
	const uint8_t *payload = PDS_PAYLOAD(value);
	size_t		len = PDS_PAYLOAD_LEN(value);
	Promise		p;

	if (typmod < 0 || keeps_promise(type, payload, len, typmod, &p))
		return true;
	ereturn(escontext, false,
			(errcode(ERRCODE_DATA_EXCEPTION),
			 errmsg("%s value of %s does not fit type %s(%s)", type->name,
					pds_describe_beside(type, &p.found, &p.promised), type->name,
					typmod_text(type, p.values)),
			 errdetail("The type requires %s.", pds_describe_beside(type, &p.promised, &p.found)),
			 errhint("%s", promise_hint(type, payload, &p))));
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

/* The sketch that the bytes are.  NULL if they are none; then why is a sentence. */
static struct varlena *
read_value(const PdsSketchType *type, const uint8_t *payload, size_t len, const char **why)
{
	if (type->ops->check(payload, len, why) != PDS_OK)
		return NULL;
	*why = type->check_here != NULL ? type->check_here(payload, len) : NULL;
	return *why == NULL ? pds_sketch_from_payload(payload, len) : NULL;
}

/* The same; they may also be a sketch of another system. */
static struct varlena *
read_any(const PdsSketchType *type, const uint8_t *payload, size_t len, const char **why)
{
	struct varlena *value;

	if (type->read_foreign != NULL && type->read_foreign(payload, len, &value, why))
		return value;
	return read_value(type, payload, len, why);
}

/* The same; an error if they are none. */
static struct varlena *
require_value(const PdsSketchType *type, const uint8_t *payload, size_t len)
{
	const char *why;
	struct varlena *value = read_any(type, payload, len, &why);

	if (value == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg_plural("invalid %s value of %zu byte", "invalid %s value of %zu bytes",
							   len, type->name, len),
				 errdetail("%s", why)));
	return value;
}

/* Of text that is read or written between two looks for an interrupt */
#define TEXT_PART		(1 << 20)

/* Base64 up to the first white space or padding to bytes; returns their number. */
static int
base64_decode_plainly(const char *text, size_t len, uint8_t *out)
{
	size_t		at = 0;
	size_t		part;
	size_t		done;

	do
	{
		CHECK_FOR_INTERRUPTS();
		part = Min(len - at, TEXT_PART);
		done = pds_base64_decode(text + at, part, out + at / 4 * 3);
		at += done;
	} while (done == part && at < len);
	return (int) (at / 4 * 3);
}

/* Of four characters.  pg_b64_decode() writes as many, zeros, if what it is given is no base64. */
#define GROUP_BYTES		3

/*
 * Base64 without white space to bytes; returns their number, or -1.  There is space for a whole
 * group behind what the text can say.
 */
static int
base64_decode(const char *text, size_t len, uint8_t *out)
{
	int			n = base64_decode_plainly(text, len, out);
	size_t		left = len - (size_t) n / 3 * 4;
	int			last;

	/* padding is for the end */
	if (left > 4)
		return -1;
	last = pg_b64_decode(text + len - left, (int) left, (void *) (out + n), GROUP_BYTES);
	return last < 0 ? -1 : n + last;
}

/* Hexadecimal digits to bytes; returns their number, or -1. */
static int
hex_bytes(const char *text, size_t len, uint8_t *out)
{
	if (len % 2 != 0 || strspn(text, "0123456789abcdefABCDEF") < len)
		return -1;
	for (size_t at = 0; at < len; at += TEXT_PART)
	{
		CHECK_FOR_INTERRUPTS();
		(void) hex_decode(text + at, Min(len - at, TEXT_PART), (char *) out + at / 2);
	}
	return (int) (len / 2);
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
		*out = palloc(len / 2);
		return hex_bytes(text + 2, len - 2, *out);
	}

	/* encode(bytea, 'base64') breaks its lines, and so do mail and terminals */
	*out = palloc(len / 4 * 3 + GROUP_BYTES);
	n = base64_decode_plainly(text, len, *out);
	text += n / 3 * 4;
	len -= n / 3 * 4;
	joined = palloc(len + 1);
	for (size_t i = 0; i < len; i++)
	{
		if (i % TEXT_PART == 0)
			CHECK_FOR_INTERRUPTS();
		if (!isspace((unsigned char) text[i]))
			joined[kept++] = text[i];
	}
	kept = base64_decode(joined, kept, *out + n);
	pfree(joined);
	return kept < 0 ? -1 : n + kept;
}

/* Bytes to base64, not terminated; returns the length. */
static size_t
base64_encode(const uint8_t *bytes, size_t len, char *out)
{
	const size_t part = TEXT_PART / 4 * 3;
	size_t		at = 0;

	/* in parts of whole groups of 3 bytes, which are not padded */
	for (; len > part; bytes += part, len -= part)
	{
		CHECK_FOR_INTERRUPTS();
		at += pds_base64_encode(bytes, part, out + at);
	}
	return at + pds_base64_encode(bytes, len, out + at);
}

Datum
pds_sketch_in(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	char	   *text = PG_GETARG_CSTRING(0);
	int32		typmod = PG_NARGS() > 2 ? PG_GETARG_INT32(2) : -1;
	size_t		text_len;
	const char *why = NULL;
	uint8_t    *payload;
	struct varlena *value = NULL;
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
	else
		value = (text[0] == '\\' ? read_any : read_value) (type, payload, len, &why);
	if (value == NULL && !refuse_text(type, text, why, fcinfo->context))
		return (Datum) 0;
	if (!accept_typmod(type, value, typmod, fcinfo->context))
		return (Datum) 0;
	PG_RETURN_POINTER(value);
}

Datum
pds_sketch_out(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	struct varlena *v = pds_sketch_get(type, PG_GETARG_DATUM(0));
	size_t		len = PDS_PAYLOAD_LEN(v);
	char	   *text;

	/* the text of a value may not be longer than a value can be */
	if (len > (MaxAllocSize - 1) / 4 * 3 - 3)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%s value of %zu bytes is too large for its text form",
						type->name, len),
				 errhint("Use the binary format or cast to bytea.")));
	text = palloc(pg_b64_enc_len((int) len) + 1);
	text[base64_encode(PDS_PAYLOAD(v), len, text)] = '\0';
	PG_RETURN_CSTRING(text);
}

Datum
pds_sketch_recv(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	StringInfo	buf = (StringInfo) PG_GETARG_POINTER(0);
	int32		typmod = PG_NARGS() > 2 ? PG_GETARG_INT32(2) : -1;
	int			len = buf->len - buf->cursor;
	struct varlena *value;

	value = require_value(type, (const uint8_t *) pq_getmsgbytes(buf, len), len);
	(void) accept_typmod(type, value, typmod, NULL);
	PG_RETURN_POINTER(value);
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

	PG_RETURN_POINTER(require_value(type, PDS_PAYLOAD(bytes), PDS_PAYLOAD_LEN(bytes)));
}

/* ---------- type modifiers ---------- */

Datum
pds_sketch_typmod_in(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(0);
	Datum	   *elements;
	char	  **args;
	double		values[PDS_MAX_PARAMETERS];
	int			others = 0;
	int			n;

	/* the parser makes no others, but the function can be called by hand */
	if (ARR_ELEMTYPE(array) != CSTRINGOID || ARR_NDIM(array) != 1 ||
		array_contains_nulls(array))
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_ELEMENT_ERROR),
				 errmsg("typmod array must be of type cstring[], one-dimensional and "
						"without nulls")));
	deconstruct_array(array, CSTRINGOID, -2, false, TYPALIGN_CHAR, &elements, NULL, &n);
	args = palloc(n * sizeof(char *));
	for (int i = 0; i < n; i++)
		args[i] = DatumGetCString(elements[i]);
	if (type->other_modifiers != NULL)
		others = pds_parameter_count(type->other_modifiers);
	if (n < 1 || n > type->modifiers + others)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("type %s takes %s", type->name, type->modifier_takes),
				 errhint("%s", type->modifier_hint)));
	if (n > type->modifiers)
		pds_parameter_typmod_args(type->name, type->other_modifiers, others,
								  args + type->modifiers, n - type->modifiers, values);
	pds_parameter_typmod_args(type->name, type->parameters, type->modifiers, args, n, values);
	/* what no sketch can be of is refused here, and not at the first row */
	pfree(type->new_state(values));
	if (type->simplify != NULL)
		type->simplify(values);
	PG_RETURN_INT32(pds_parameter_pack(type->name, type->parameters, type->modifiers, values));
}

Datum
pds_sketch_typmod_out(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	double		values[PDS_MAX_PARAMETERS];

	typmod_values(type, PG_GETARG_INT32(0), values);
	PG_RETURN_CSTRING(psprintf("(%s)", typmod_text(type, values)));
}

/* The cast of the type to itself that enforces a modifier: (value, typmod, explicit). */
Datum
pds_sketch_typmod_cast(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	const PdsExpanded *e = pds_expanded_of(type, (struct varlena *) PG_GETARG_POINTER(0));
	int32		typmod = PG_GETARG_INT32(1);
	bool		is_explicit = PG_GETARG_BOOL(2);
	struct varlena *v;
	Promise		p;

	/* PL/pgSQL casts whatever is assigned to a variable, which is to keep its object */
	if (typmod >= 0 && e != NULL)
	{
		typmod_values(type, typmod, p.values);
		if (type->fits_modifier != NULL ? type->fits_modifier(e->state, p.values) :
			type->begun_with(e->state, p.values))
			PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}
	v = pds_sketch_get(type, PG_GETARG_DATUM(0));
	if (typmod >= 0 && is_explicit &&
		!keeps_promise(type, PDS_PAYLOAD(v), PDS_PAYLOAD_LEN(v), typmod, &p))
	{
		void	   *folded = NULL;

		if (can_fold(type, PDS_PAYLOAD(v), &p))
			folded = type->fold == NULL ? type->new_state(p.values) : type->fold(v, p.values);
		if (folded == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_DATA_EXCEPTION),
					 errmsg("cannot fold %s value of %s to type %s(%s)", type->name,
							pds_describe_beside(type, &p.found, &p.promised), type->name,
							typmod_text(type, p.values)),
					 errdetail("The type requires %s, to which the value cannot be reduced.",
							   pds_describe_beside(type, &p.promised, &p.found))));
		PG_RETURN_POINTER(pds_state_store(type, folded));
	}
	(void) accept_typmod(type, v, typmod, NULL);
	PG_RETURN_POINTER(v);
}
