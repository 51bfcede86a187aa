/*
 * canonical.c: from a type to its hasher, and from a value to its hash
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_enum.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/formatting.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "pg/canonical.h"

/* A scratch buffer that grew beyond this is not kept */
#define SCRATCH_KEEP		(64 * 1024)

PdsHasher *
pds_hasher_blank(MemoryContext mcxt)
{
	PdsHasher  *hasher = MemoryContextAllocZero(mcxt, sizeof(PdsHasher));

	hasher->mcxt = mcxt;
	return hasher;
}

/* ---- strings ---------------------------------------------------------- */

static bool
collation_is_deterministic(Oid collation)
{
	/* the two that nearly all columns have cost no look-up */
	return !OidIsValid(collation) ||
		collation == DEFAULT_COLLATION_OID ||
		collation == C_COLLATION_OID ||
		get_collation_isdeterministic(collation);
}

/*
 * Under a nondeterministic collation different bytes may be equal, and only
 * ICU knows which: the server's own hash of the string stands for the string.
 * That is its hash as text for all types: the server's hash of a char(n)
 * (tried on 15) depends on the padding here.
 */
static size_t
put_collated(PdsHasher *hasher, Datum value, uint8 *out)
{
	text	   *copy = NULL;
	uint64		hash;

	if (hasher->typid == NAMEOID)
		copy = cstring_to_text(NameStr(*DatumGetName(value)));
	else if (hasher->typid == BPCHAROID)
	{
		struct varlena *padded = PG_DETOAST_DATUM_PACKED(value);
		int			len = bpchartruelen(VARDATA_ANY(padded),
										(int) VARSIZE_ANY_EXHDR(padded));

		copy = cstring_to_text_with_len(VARDATA_ANY(padded), len);
		if ((Pointer) padded != DatumGetPointer(value))
			pfree(padded);
	}
	if (copy != NULL)
		value = PointerGetDatum(copy);
	hash = DatumGetUInt64(DirectFunctionCall2Coll(hashtextextended,
												  hasher->collation, value,
												  Int64GetDatum(0)));
	if (copy != NULL)
		pfree(copy);
	pds_store_le64(out, hash);
	return 8;
}

void
pds_append_citext(PdsHasher *hasher, Datum value, StringInfo out)
{
	text	   *txt = DatumGetTextPP(value);
	char	   *lower = str_tolower(VARDATA_ANY(txt), VARSIZE_ANY_EXHDR(txt),
									DEFAULT_COLLATION_OID);

	appendBinaryStringInfo(out, lower, strlen(lower));
	pfree(lower);
	if ((Pointer) txt != DatumGetPointer(value))
		pfree(txt);
}

static bool
is_citext(Form_pg_type type)
{
	char	   *input;
	bool		result;

	if (type->typtype != TYPTYPE_BASE || strcmp(NameStr(type->typname), "citext") != 0)
		return false;
	input = get_func_name(type->typinput);
	result = input != NULL && strcmp(input, "citextin") == 0;
	if (input != NULL)
		pfree(input);
	return result;
}

/*
 * A sketch is no value to count: hll_agg(sketches) would say how many different
 * sketches there are, which nobody ever wants to know.  Ours are told from all
 * others, in whatever schema, by the C name of their input function.
 */
static void
refuse_sketch(Form_pg_type type)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(type->typinput));
	bool		isnull = true;
	Datum		source = (Datum) 0;

	if (!HeapTupleIsValid(tuple))
		return;
	source = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_prosrc, &isnull);
	if (!isnull && strncmp(TextDatumGetCString(source), "probds_", 7) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("cannot take a sketch of type %s as a value",
						NameStr(type->typname)),
				 errhint("Use %s_merge_agg() or || to unite sketches.",
						 NameStr(type->typname))));
	ReleaseSysCache(tuple);
}

bool
pds_type_is_citext(Oid typid)
{
	Oid			base = getBaseType(typid);
	HeapTuple	tuple;
	bool		result;

	/* most columns: no need to ask for the type's name */
	if (base == TEXTOID || base == VARCHAROID)
		return false;
	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(base));
	if (!HeapTupleIsValid(tuple))
		return false;
	result = is_citext((Form_pg_type) GETSTRUCT(tuple));
	ReleaseSysCache(tuple);
	return result;
}

/* A literal as a column of a ROW(): a C string, taken as text */
static void
append_cstring(PdsHasher *hasher, Datum value, StringInfo out)
{
	appendStringInfoString(out, DatumGetCString(value));
}

/* True when typid is a string type: text, varchar, bpchar or name. */
static bool
string_setup(PdsHasher *hasher, Oid typid)
{
	if (typid == UNKNOWNOID)
	{
		hasher->kind = PDS_KIND_STRING;
		hasher->shape = PDS_SHAPE_APPEND;
		hasher->append = append_cstring;
		return true;
	}
	if (typid != TEXTOID && typid != VARCHAROID && typid != BPCHAROID &&
		typid != NAMEOID)
		return false;
	if (!collation_is_deterministic(hasher->collation))
	{
		hasher->kind = PDS_KIND_COLLATED;
		hasher->put = put_collated;
	}
	else if (typid == NAMEOID)
		return pds_scalar_setup(hasher, typid);
	else
	{
		hasher->kind = PDS_KIND_STRING;
		hasher->shape = typid == BPCHAROID ? PDS_SHAPE_BLANK_PADDED : PDS_SHAPE_BYTES;
	}
	return true;
}

/* ---- enums ------------------------------------------------------------ */

#define ENUM_SLOTS	16

/* The labels last seen: a look-up in the catalog's cache costs more than a hash */
typedef struct EnumLabels
{
	Oid			oid[ENUM_SLOTS];
	NameData	label[ENUM_SLOTS];
} EnumLabels;

static size_t
put_enum(PdsHasher *hasher, Datum value, uint8 *out)
{
	EnumLabels *labels = hasher->detail;
	Oid			oid = DatumGetObjectId(value);
	int			slot = oid % ENUM_SLOTS;
	size_t		len;

	if (labels->oid[slot] != oid)
	{
		HeapTuple	tuple = SearchSysCache1(ENUMOID, value);

		if (!HeapTupleIsValid(tuple))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
					 errmsg("invalid internal value for enum: %u", oid)));
		labels->label[slot] = ((Form_pg_enum) GETSTRUCT(tuple))->enumlabel;
		labels->oid[slot] = oid;
		ReleaseSysCache(tuple);
	}
	len = strlen(NameStr(labels->label[slot]));
	memcpy(out, NameStr(labels->label[slot]), len);
	return len;
}

/* ---- types without a kind of their own ------------------------------------- */

static pds_kind
kind_of_type_name(const char *name)
{
	return (pds_kind)
		(PDS_KIND_OPCLASS_FIRST +
		 pds_murmur3(name, strlen(name), 0).h1 %
		 (PDS_KIND_OPCLASS_LAST - PDS_KIND_OPCLASS_FIRST + 1));
}

typedef struct OpclassHash
{
	FmgrInfo	function;
	bool		extended;		/* 64 bits, not 32 */
	Oid			collation;
} OpclassHash;

static size_t
put_opclass(PdsHasher *hasher, Datum value, uint8 *out)
{
	OpclassHash *hash = hasher->detail;
	uint64		bits;

	if (hash->extended)
		bits = DatumGetUInt64(FunctionCall2Coll(&hash->function, hash->collation,
												value, Int64GetDatum(0)));
	else
		bits = DatumGetUInt32(FunctionCall1Coll(&hash->function, hash->collation,
												value));
	pds_store_le64(out, bits);
	return 8;
}

/* A type that is known by its hash operator class alone. */
static void
opclass_setup(PdsHasher *hasher, Oid typid)
{
	/*
	 * One call for the equality operator and the hash functions: looked up
	 * alone, a hash function need not agree with the btree equality operator.
	 */
	TypeCacheEntry *entry = lookup_type_cache(typid,
											  TYPECACHE_EQ_OPR |
											  TYPECACHE_HASH_PROC |
											  TYPECACHE_HASH_EXTENDED_PROC);
	Oid			function = entry->hash_extended_proc;
	OpclassHash *hash;

	if (!OidIsValid(function))
		function = entry->hash_proc;
	if (!OidIsValid(function))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("could not identify a hash function for type %s",
						format_type_be(typid)),
				 typid == JSONOID ?
				 errhint("Cast the value to jsonb.") :
				 errhint("Cast the value to text, or to another type that has a hash operator class.")));

	hash = MemoryContextAllocZero(hasher->mcxt, sizeof(OpclassHash));
	fmgr_info_cxt(function, &hash->function, hasher->mcxt);
	hash->extended = function == entry->hash_extended_proc;
	hash->collation = OidIsValid(hasher->collation) ? hasher->collation : C_COLLATION_OID;
	hasher->detail = hash;
	hasher->put = put_opclass;
}

/* ---- from a type to its hasher ------------------------------------------- */

/* All types but the built-in scalars and strings: by their row in pg_type. */
static void
catalog_setup(PdsHasher *hasher, Oid typid)
{
	Oid			element = get_element_type(typid);
	HeapTuple	tuple;
	Form_pg_type type;

	if (OidIsValid(element))
	{
		pds_array_setup(hasher, element, hasher->collation);
		return;
	}
	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(typid));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for type %u", typid);
	type = (Form_pg_type) GETSTRUCT(tuple);
	if (type->typtype == TYPTYPE_ENUM)
	{
		hasher->kind = PDS_KIND_ENUM;
		hasher->put = put_enum;
		hasher->detail = MemoryContextAllocZero(hasher->mcxt, sizeof(EnumLabels));
	}
	else if (type->typtype == TYPTYPE_RANGE)
		pds_range_setup(hasher, typid);
#ifdef PDS_HAVE_MULTIRANGE
	else if (type->typtype == TYPTYPE_MULTIRANGE)
		pds_multirange_setup(hasher, typid);
#endif
	else if (type->typtype == TYPTYPE_COMPOSITE || typid == RECORDOID)
		pds_record_setup(hasher);
	else if (is_citext(type))
	{
		hasher->kind = PDS_KIND_CITEXT;
		hasher->shape = PDS_SHAPE_APPEND;
		hasher->append = pds_append_citext;
	}
	else
	{
		refuse_sketch(type);
		hasher->kind = kind_of_type_name(NameStr(type->typname));
		/* the server's hash of these two has 2^32 values at most */
		if (typid == LSNOID || typid == XID8OID)
			hasher->put = pds_put_int64;
		else
			opclass_setup(hasher, typid);
	}
	ReleaseSysCache(tuple);
}

PdsHasher *
pds_hasher_for_type(Oid typid, Oid collation, MemoryContext mcxt)
{
	PdsHasher  *hasher = pds_hasher_blank(mcxt);

	hasher->typid = typid;
	hasher->collation = collation;
	if (!string_setup(hasher, typid) && !pds_scalar_setup(hasher, typid))
	{
		Oid			base = getBaseType(typid);

		/* from here on a domain is its base type */
		hasher->typid = base;
		if (base == typid ||
			(!string_setup(hasher, base) && !pds_scalar_setup(hasher, base)))
			catalog_setup(hasher, base);
	}
	return hasher;
}

pds_kind
pds_hasher_kind(const PdsHasher *hasher)
{
	return hasher->kind;
}

/* ---- from a value to its bytes and its hash ------------------------------ */

void
pds_append_u32(StringInfo out, uint32 v)
{
	uint8		bytes[4];

	pds_store_le32(bytes, v);
	appendBinaryStringInfo(out, (char *) bytes, sizeof(bytes));
}

/* The bytes of a value of one of the two varlena shapes, without padding */
static inline struct varlena *
varlena_bytes(const PdsHasher *hasher, Datum value, size_t *len)
{
	struct varlena *v = PG_DETOAST_DATUM_PACKED(value);

	*len = VARSIZE_ANY_EXHDR(v);
	if (hasher->shape == PDS_SHAPE_BLANK_PADDED)
		*len = (size_t) bpchartruelen(VARDATA_ANY(v), (int) *len);
	return v;
}

void
pds_append(PdsHasher *hasher, Datum value, StringInfo out)
{
	switch (hasher->shape)
	{
		case PDS_SHAPE_PUT:
			enlargeStringInfo(out, PDS_PUT_MAX);
			out->len += (int) hasher->put(hasher, value,
										  (uint8 *) out->data + out->len);
			break;
		case PDS_SHAPE_BYTES:
		case PDS_SHAPE_BLANK_PADDED:
			{
				size_t		len;
				struct varlena *v = varlena_bytes(hasher, value, &len);

				appendBinaryStringInfo(out, VARDATA_ANY(v), (int) len);
				if ((Pointer) v != DatumGetPointer(value))
					pfree(v);
				break;
			}
		case PDS_SHAPE_APPEND:
			hasher->append(hasher, value, out);
			break;
	}
}

void
pds_append_framed(PdsHasher *hasher, Datum value, StringInfo out)
{
	int			start = out->len;

	pds_append_u32(out, 0);
	pds_append(hasher, value, out);
	pds_store_le32(out->data + start, (uint32) (out->len - start - 4));
}

pds_hash
pds_hash_toasted(Datum value)
{
	struct varlena *v = PG_DETOAST_DATUM_PACKED(value);
	pds_hash	hash = pds_murmur3(VARDATA_ANY(v), VARSIZE_ANY_EXHDR(v), 0);

	if ((Pointer) v != DatumGetPointer(value))
		pfree(v);
	return hash;
}

StringInfo
pds_hasher_scratch(PdsHasher *hasher)
{
	StringInfo	scratch = &hasher->scratch;

	if (scratch->data == NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(hasher->mcxt);

		initStringInfo(scratch);
		MemoryContextSwitchTo(old);
	}
	resetStringInfo(scratch);
	return scratch;
}

/* The way over a buffer, for types of any size. */
static pds_hash
hash_appended(PdsHasher *hasher, Datum value)
{
	StringInfo	scratch = pds_hasher_scratch(hasher);
	pds_hash	hash;

	hasher->append(hasher, value, scratch);
	hash = pds_murmur3(scratch->data, (size_t) scratch->len, 0);
	if (scratch->maxlen > SCRATCH_KEEP)
	{
		pfree(scratch->data);
		scratch->data = NULL;
	}
	return hash;
}

pds_hash
pds_hasher_hash(PdsHasher *hasher, Datum value)
{
	pds_hash	hash;

	switch (hasher->shape)
	{
		case PDS_SHAPE_PUT:
			{
				uint8		bytes[PDS_PUT_MAX];
				size_t		len = hasher->put(hasher, value, bytes);

				if (len == 8)
					return pds_murmur3_u64(pds_load_le64(bytes));
				return pds_murmur3(bytes, len, 0);
			}
		case PDS_SHAPE_BYTES:
			return pds_hash_varlena(value);
		case PDS_SHAPE_BLANK_PADDED:
			{
				size_t		len;
				struct varlena *v = varlena_bytes(hasher, value, &len);

				hash = pds_murmur3(VARDATA_ANY(v), len, 0);
				if ((Pointer) v != DatumGetPointer(value))
					pfree(v);
				return hash;
			}
		case PDS_SHAPE_APPEND:
			break;
	}
	return hash_appended(hasher, value);
}
