/*
 * literal.c: literals that have no type yet
 *
 * A function declared with "any" gets a plain 'literal' as type unknown.  It
 * is read as what the sketch holds, where that is certain: bloom @> '42' on a
 * filter of integers asks for the number.  Kinds whose text depends on
 * settings (dates), on a collation, or stands for types that write the same
 * text differently (real and double precision) need a cast.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/lsyscache.h"

#include "pg/canonical.h"

typedef struct Literal
{
	FmgrInfo	input;
	Oid			ioparam;
	PdsHasher  *hasher;
} Literal;

static const struct
{
	pds_kind	kind;
	Oid			typid;			/* what the literal is read as */
}			literal_types[] = {
	{PDS_KIND_NONE, TEXTOID},
	{PDS_KIND_STRING, TEXTOID},
	{PDS_KIND_CITEXT, TEXTOID},
	{PDS_KIND_ENUM, TEXTOID},
	{PDS_KIND_NUMBER, NUMERICOID},
	{PDS_KIND_BYTES, BYTEAOID},
	{PDS_KIND_UUID, UUIDOID},
	{PDS_KIND_BOOLEAN, BOOLOID},
	{PDS_KIND_INET, INETOID},
	{PDS_KIND_MACADDR, MACADDROID},
	{PDS_KIND_MACADDR8, MACADDR8OID},
	{PDS_KIND_JSONB, JSONBOID},
};

/* Why a literal is read as a type that nobody wrote. */
static void
literal_context(void *hasher)
{
	errcontext("literal without a type, read as the %s values that the sketch holds",
			   pds_kind_name(((PdsHasher *) hasher)->kind));
}

Datum
pds_literal_value(PdsHasher *hasher, Datum value, PdsHasher **read)
{
	Literal    *literal = hasher->detail;
	ErrorContextCallback context;
	Datum		result;

	context.callback = literal_context;
	context.arg = hasher;
	context.previous = error_context_stack;
	error_context_stack = &context;
	result = InputFunctionCall(&literal->input, DatumGetCString(value),
							   literal->ioparam, -1);
	error_context_stack = context.previous;
	*read = literal->hasher;
	return result;
}

static void
append_literal(PdsHasher *hasher, Datum value, StringInfo out)
{
	PdsHasher  *read;
	Datum		meant = pds_literal_value(hasher, value, &read);

	pds_append(read, meant, out);
}

bool
pds_is_literal(const PdsHasher *hasher)
{
	return hasher->append == append_literal;
}

PdsHasher *
pds_hasher_for_literal(pds_kind want, MemoryContext mcxt)
{
	PdsHasher  *hasher;
	Literal    *literal;
	Oid			typid = InvalidOid;
	Oid			input;

	for (size_t i = 0; i < lengthof(literal_types); i++)
	{
		if (literal_types[i].kind == want)
			typid = literal_types[i].typid;
	}
	if (!OidIsValid(typid))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("cannot read a literal without a type as a value of kind %s",
						pds_kind_name(want)),
				 errdetail("The sketch holds values of this kind, and their text form has more than one reading."),
				 errhint("Cast the literal to the type of these values.")));

	hasher = pds_hasher_blank(mcxt);
	literal = MemoryContextAllocZero(mcxt, sizeof(Literal));
	getTypeInputInfo(typid, &input, &literal->ioparam);
	fmgr_info_cxt(input, &literal->input, mcxt);
	literal->hasher = pds_hasher_for_type(typid, InvalidOid, mcxt);
	if (want == PDS_KIND_CITEXT)
	{
		literal->hasher->shape = PDS_SHAPE_APPEND;
		literal->hasher->append = pds_append_citext;
	}
	hasher->kind = want == PDS_KIND_NONE ? PDS_KIND_STRING : want;
	hasher->shape = PDS_SHAPE_APPEND;
	hasher->append = append_literal;
	hasher->detail = literal;
	return hasher;
}
