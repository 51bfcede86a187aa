/*
 * sketch.c: a value's payload and state, and what is wrong with it
 */
#include "postgres.h"

#include "compat.h"
#include "sketch.h"

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
	if (type->ops->check_state(state, VARSIZE(state)))
		return;
	if ((PDS_PAYLOAD(state)[0] & 0x0f) != PDS_STATE_VERSION)
		pds_stored_corrupt(type, "It is the state of an aggregate of another release.");
	pds_stored_corrupt(type, "As the state of an aggregate it contradicts itself.");
}

struct varlena *
pds_sketch_own_state(const PdsSketchType *type, const struct varlena *value)
{
	struct varlena *state = pds_sketch_from_payload(PDS_PAYLOAD(value), PDS_PAYLOAD_LEN(value));

	pds_require_state(type, state);
	return state;
}

void
pds_sketch_open(const PdsSketchType *type, const struct varlena *value, void *view)
{
	const char *why = NULL;

	if (type->ops->open(view, PDS_PAYLOAD(value), PDS_PAYLOAD_LEN(value),
						PDS_PAYLOAD_LEN(value), &why) != PDS_OK)
		pds_stored_corrupt(type, why);
}

void
pds_require_shape(const PdsSketchType *type, const double *values, void *shape)
{
	if (!type->shape_of(values, shape))
		type->impossible(values);
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
				 errmsg("%s of %s values cannot take a value of a different type of this kind",
						type->name, holds_name),
				 errdetail("%s", signature_detail(holds)),
				 errhint("Cast the value to the type that the %s was built from.", type->name)));
	ereport(ERROR,
			(errcode(ERRCODE_DATA_EXCEPTION),
			 errmsg("%s of %s values cannot take a value of kind %s",
					type->name, holds_name, value_name),
			 errdetail("Values of different kinds hash differently, so they would never match."),
			 value == pds_kind_of_array(holds) ?
			 errhint("For the elements of an array use %s.", type->array_functions) :
			 pds_kind_code(holds) == PDS_KIND_COLLATED && value == PDS_KIND_STRING ?
			 errhint("Write the value with the collation of the values in the %s, as in value "
					 "COLLATE name.",
					 type->name) :
			 errhint("Cast the value to the type that the %s was built from.", type->name)));
}

void
pds_family_mismatch(const char *type, const char *family, const char *what, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_EXCEPTION),
			 errmsg("%s of the %s hash family cannot take %s", type, family, what),
			 hint != NULL ? errhint("%s", hint) : 0));
}

void
pds_refuse_overflow(const char *what, const char *subject, uint64 most)
{
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("%s out of range", what),
			 errdetail("%s can be at most %llu.", subject, (unsigned long long) most)));
}

void
pds_refuse_values(const char *function, uint64 most, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("too many distinct values for %s", function),
			 errdetail("It can size a filter for up to %llu values.", (unsigned long long) most),
			 errhint("%s", hint)));
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
				 errdetail("The same value hashes differently in each, so the two cannot be "
						   "compared.")));
	if (!pds_kind_join(kind_a, kind_b, &kind))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot combine %s of %s values with %s of %s values",
						type->name, pds_kind_full_name(kind_a), type->name,
							pds_kind_full_name(kind_b)),
				 pds_kind_code(kind_a) == pds_kind_code(kind_b) ?
				 errdetail("%s", signature_detail(kind_a)) :
				 errdetail("Values of different kinds hash differently, so common values would "
						   "not be recognized."),
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

void
pds_refuse_shapes(const char *what, const char *one, const char *other, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_EXCEPTION),
			 errmsg("cannot combine %s", what),
			 errdetail("One is of %s, the other of %s.", one, other),
			 hint != NULL ? errhint("%s", hint) : 0));
}
