/*
 * canonical_nested.c: the canonical bytes of values that consist of values
 *
 * Every part is preceded by its length or a marker, so that the boundaries
 * between parts cannot move: {"ab","c"} and {"a","bc"} differ.
 */
#include "postgres.h"

/* first: it says what this server has */
#include "compat.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/arrayaccess.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/multirangetypes.h"
#include "utils/numeric.h"
#include "utils/rangetypes.h"
#include "utils/typcache.h"

#include "hasher.h"
#include "kind_name.h"
#include "utf8.h"

/* Stands for the length of an element that is NULL */
#define NULL_LENGTH		PG_UINT32_MAX

/* ---- arrays ----------------------------------------------------------------- */

typedef struct ArrayParts
{
	PdsHasher  *element;
	int16		typlen;
	bool		typbyval;
	char		typalign;
} ArrayParts;

/*
 * The kind of an array of records comes from its elements, as for each value (append_record).
 * Elements of different columns make a kind of their own.
 */
static pds_kind
join_elements(pds_kind sofar, pds_kind element)
{
	pds_kind	both[2] = {sofar, element};

	if (sofar == PDS_KIND_NONE || sofar == element)
		return element;
	return pds_kind_of_record(both, 2);
}

/*
 * Returns the kind that follows from a type alone, for a NULL column or an empty array.  A
 * composite type may have changed since its hasher was made.
 */
static pds_kind declared_kind(PdsHasher *hasher);

/* The dimensions, then each its length and lower bound, then the elements */
static void
append_array(PdsHasher *hasher, Datum value, PdsSink *sink)
{
	ArrayParts *parts = hasher->detail;
	AnyArrayType *array = DatumGetAnyArrayP(value);
	int			ndims = AARR_NDIM(array);
	int			nitems = ArrayGetNItems(ndims, AARR_DIMS(array));
	bool		records = parts->element->varies;
	pds_kind	element_kind = PDS_KIND_NONE;
	array_iter	it;

	check_stack_depth();
	pds_sink_put_byte(sink, (uint8) ndims);
	for (int i = 0; i < ndims; i++)
	{
		pds_sink_put_u32(sink, (uint32) AARR_DIMS(array)[i]);
		pds_sink_put_u32(sink, (uint32) AARR_LBOUND(array)[i]);
	}
	PDS_ARRAY_ITER_SETUP(&it, array, parts->typlen, parts->typbyval, parts->typalign);
	for (int i = 0; i < nitems; i++)
	{
		bool		isnull;
		Datum		element = PDS_ARRAY_ITER_NEXT(&it, &isnull, i, parts->typlen,
												  parts->typbyval, parts->typalign);

		CHECK_FOR_INTERRUPTS();
		if (isnull)
			pds_sink_put_u32(sink, NULL_LENGTH);
		else
		{
			pds_append_framed(parts->element, element, sink);
			if (records)
				element_kind = join_elements(element_kind, parts->element->kind);
		}
	}
	if (records)
		hasher->kind = element_kind != PDS_KIND_NONE ? pds_kind_of_array(element_kind) :
			declared_kind(hasher);
	if (!VARATT_IS_EXPANDED_HEADER(array) &&
		(Pointer) array != DatumGetPointer(value))
		pfree(array);
}

void
pds_array_setup(PdsHasher *hasher, Oid element_type, PdsHasher *element)
{
	ArrayParts *parts = MemoryContextAllocZero(hasher->mcxt, sizeof(ArrayParts));

	parts->element = element;
	get_typlenbyvalalign(element_type, &parts->typlen, &parts->typbyval, &parts->typalign);
	hasher->detail = parts;
	hasher->shape = PDS_SHAPE_APPEND;
	hasher->append = append_array;
	hasher->kind = pds_kind_of_array(element->kind);
	hasher->varies = element->varies;
}

/* ---- ranges ------------------------------------------------------------------- */

typedef struct RangeParts
{
	TypeCacheEntry *type;		/* the range type, also below a multirange */
	PdsHasher  *bound;
} RangeParts;

/* The flags byte before the bounds */
#define FLAG_EMPTY				0x01
#define FLAG_LOWER_INCLUSIVE	0x02
#define FLAG_UPPER_INCLUSIVE	0x04
#define FLAG_LOWER_INFINITE		0x08
#define FLAG_UPPER_INFINITE		0x10

static void
append_bounds(RangeParts *parts, const RangeBound *lower,
			  const RangeBound *upper, PdsSink *sink)
{
	uint8		flags = 0;

	if (lower->infinite)
		flags |= FLAG_LOWER_INFINITE;
	else if (lower->inclusive)
		flags |= FLAG_LOWER_INCLUSIVE;
	if (upper->infinite)
		flags |= FLAG_UPPER_INFINITE;
	else if (upper->inclusive)
		flags |= FLAG_UPPER_INCLUSIVE;
	pds_sink_put_byte(sink, (uint8) flags);
	if (!lower->infinite)
		pds_append_framed(parts->bound, lower->val, sink);
	if (!upper->infinite)
		pds_append_framed(parts->bound, upper->val, sink);
}

static void
append_range(PdsHasher *hasher, Datum value, PdsSink *sink)
{
	RangeParts *parts = hasher->detail;
	RangeType  *range = DatumGetRangeTypeP(value);
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	check_stack_depth();
	range_deserialize(parts->type, range, &lower, &upper, &empty);
	if (empty)
		pds_sink_put_byte(sink, FLAG_EMPTY);
	else
		append_bounds(parts, &lower, &upper, sink);
	if ((Pointer) range != DatumGetPointer(value))
		pfree(range);
}

static RangeParts *
range_parts(PdsHasher *hasher, TypeCacheEntry *type, PdsHasher *bound)
{
	RangeParts *parts = MemoryContextAllocZero(hasher->mcxt, sizeof(RangeParts));

	parts->type = type;
	parts->bound = bound;
	hasher->detail = parts;
	hasher->shape = PDS_SHAPE_APPEND;
	return parts;
}

/* The kind of the ranges of a type, or of its multiranges. */
static pds_kind
range_kind(uint8 code, const RangeParts *parts)
{
	Oid			canonical = parts->type->rng_canonical_finfo.fn_oid;

	return pds_kind_of_range(code, parts->bound->kind,
							 OidIsValid(canonical) ? get_func_name(canonical) : NULL);
}

void
pds_range_setup(PdsHasher *hasher, TypeCacheEntry *type, PdsHasher *bound)
{
	hasher->kind = range_kind(PDS_KIND_RANGE, range_parts(hasher, type, bound));
	hasher->append = append_range;
}

/* How many ranges, then each as it would be alone; none of them is empty */
static void
append_multirange(PdsHasher *hasher, Datum value, PdsSink *sink)
{
	RangeParts *parts = hasher->detail;
	MultirangeType *ranges = DatumGetMultirangeTypeP(value);

	check_stack_depth();
	pds_sink_put_u32(sink, ranges->rangeCount);
	for (uint32 i = 0; i < ranges->rangeCount; i++)
	{
		RangeBound	lower;
		RangeBound	upper;

		CHECK_FOR_INTERRUPTS();
		multirange_get_bounds(parts->type, ranges, i, &lower, &upper);
		append_bounds(parts, &lower, &upper, sink);
	}
	if ((Pointer) ranges != DatumGetPointer(value))
		pfree(ranges);
}

void
pds_multirange_setup(PdsHasher *hasher, TypeCacheEntry *type, PdsHasher *bound)
{
	hasher->kind = range_kind(PDS_KIND_MULTIRANGE, range_parts(hasher, type, bound));
	hasher->append = append_multirange;
}

/* ---- composites ----------------------------------------------------------------- */

/* What is known of the rows seen last; a record may change its type */
typedef struct RecordParts
{
	PdsLookup	lookup;
	uint64		type_identifier;	/* of the rows that "kind" is of; 0: none */
	pds_kind	kind;
	bool		kind_varies;	/* a column is itself of type record */
	int			ncolumns;		/* space for so many */
	PdsHasher **column;			/* NULL where none was needed yet */
	pds_kind   *column_kind;
	Datum	   *value;
	bool	   *isnull;
} RecordParts;

/*
 * Have space for n columns.  What there was is left behind, less than what there is now, and its
 * hashers are looked up again.
 */
static void
record_reserve(PdsHasher *hasher, RecordParts *parts, int n)
{
	if (n <= parts->ncolumns)
		return;
	n = Max(n, 2 * parts->ncolumns);
	parts->column = MemoryContextAllocZero(hasher->mcxt, n * sizeof(PdsHasher *));
	parts->column_kind = MemoryContextAllocZero(hasher->mcxt, n * sizeof(pds_kind));
	parts->value = MemoryContextAllocZero(hasher->mcxt, n * sizeof(Datum));
	parts->isnull = MemoryContextAllocZero(hasher->mcxt, n * sizeof(bool));
	parts->ncolumns = n;
}

/*
 * Returns the hasher of a column.  The previous row's hasher is used again, unless this row is
 * of another type.
 */
static PdsHasher *
record_column(PdsHasher *hasher, RecordParts *parts, int i, Form_pg_attribute att)
{
	PdsHasher  *column = parts->column[i];

	while (column != NULL &&
		   (column->argtype != att->atttypid || column->collation != att->attcollation))
		column = column->next;
	if (column == NULL)
	{
		column = parts->lookup(att->atttypid, att->attcollation, hasher->mcxt);
		column->argtype = att->atttypid;
		column->next = parts->column[i];
		parts->column[i] = column;
	}
	return column;
}

/*
 * Find out the kind of rows of this type, from the kinds of their columns.  It is
 * known from the row before, unless that was of another type, or has columns whose
 * own kind each value tells.
 */
static void
record_kind(PdsHasher *hasher, RecordParts *parts, TupleDesc desc, Oid typid, int32 typmod)
{
	uint64		identifier = assign_record_type_identifier(typid, typmod);
	int			n = 0;

	if (identifier == parts->type_identifier && !parts->kind_varies)
	{
		hasher->kind = parts->kind;
		return;
	}
	parts->kind_varies = false;
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);
		PdsHasher  *column;

		if (att->attisdropped)
			continue;
		column = record_column(hasher, parts, i, att);
		parts->column_kind[n++] = parts->isnull[i] ? declared_kind(column) : column->kind;
		parts->kind_varies |= column->varies;
	}
	hasher->kind = parts->kind = pds_kind_of_record(parts->column_kind, n);
	parts->type_identifier = identifier;
}

/* Column by column its kind, length and bytes; a NULL is the kind "none" */
static void
append_record(PdsHasher *hasher, Datum value, PdsSink *sink)
{
	RecordParts *parts = hasher->detail;
	HeapTupleHeader row = DatumGetHeapTupleHeader(value);
	Oid			typid = HeapTupleHeaderGetTypeId(row);
	int32		typmod = HeapTupleHeaderGetTypMod(row);
	TupleDesc	desc = lookup_rowtype_tupdesc(typid, typmod);
	HeapTupleData tuple;

	check_stack_depth();
	record_reserve(hasher, parts, desc->natts);
	tuple.t_len = HeapTupleHeaderGetDatumLength(row);
	ItemPointerSetInvalid(&tuple.t_self);
	tuple.t_tableOid = InvalidOid;
	tuple.t_data = row;
	heap_deform_tuple(&tuple, desc, parts->value, parts->isnull);

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);
		PdsHasher  *column;

		if (att->attisdropped)
			continue;
		if (parts->isnull[i])
		{
			pds_sink_put_byte(sink, PDS_KIND_NONE);
			continue;
		}
		column = record_column(hasher, parts, i, att);
		pds_sink_put_byte(sink, pds_kind_code(column->kind));
		pds_append_framed(column, parts->value[i], sink);
	}
	/* after the columns, whose kinds may have changed with their values */
	record_kind(hasher, parts, desc, typid, typmod);
	ReleaseTupleDesc(desc);
	if ((Pointer) row != DatumGetPointer(value))
		pfree(row);
}

/* The kind of the rows of a composite type; one of type record is known only by its value. */
static pds_kind
declared_record_kind(PdsHasher *hasher)
{
	RecordParts *parts = hasher->detail;
	TupleDesc	desc;

	if (hasher->typid == RECORDOID)
		return pds_kind_of_record(NULL, 0);
	desc = lookup_rowtype_tupdesc(hasher->typid, -1);
	record_reserve(hasher, parts, desc->natts);
	memset(parts->isnull, true, desc->natts * sizeof(bool));
	record_kind(hasher, parts, desc, hasher->typid, -1);
	ReleaseTupleDesc(desc);
	return hasher->kind;
}

static pds_kind
declared_kind(PdsHasher *hasher)
{
	if (!hasher->varies)
		return hasher->kind;
	if (hasher->append == append_array)
		return pds_kind_of_array(declared_kind(((ArrayParts *) hasher->detail)->element));
	return declared_record_kind(hasher);
}

void
pds_record_setup(PdsHasher *hasher, PdsLookup lookup)
{
	RecordParts *parts = MemoryContextAllocZero(hasher->mcxt, sizeof(RecordParts));

	check_stack_depth();
	parts->lookup = lookup;
	hasher->shape = PDS_SHAPE_APPEND;
	hasher->append = append_record;
	hasher->detail = parts;
	hasher->varies = true;
	hasher->kind = declared_record_kind(hasher);
}

/* ---- jsonb ------------------------------------------------------------------------ */

static void
append_json_string(const JsonbValue *value, PdsSink *sink)
{
	pds_sink_put_u32(sink, (uint32) value->val.string.len);
	pds_sink_put(sink, value->val.string.val, value->val.string.len);
}

static void
append_json_scalar(const JsonbValue *value, PdsHasher *numbers, PdsSink *sink)
{
	switch (value->type)
	{
		case jbvNull:
			pds_sink_put_byte(sink, 'n');
			break;
		case jbvBool:
			pds_sink_put_byte(sink, value->val.boolean ? 't' : 'f');
			break;
		case jbvNumeric:
			pds_sink_put_byte(sink, '#');
			pds_append_framed(numbers, NumericGetDatum(value->val.numeric), sink);
			break;
		case jbvString:
			pds_sink_put_byte(sink, '"');
			append_json_string(value, sink);
			break;
		default:
			elog(ERROR, "unexpected jsonb value type %d", (int) value->type);
	}
}

Jsonb *
pds_json_in_utf8(Jsonb *json)
{
	JsonbIterator *it;
	JsonbIteratorToken token;
	JsonbInState state = {0};
	JsonbValue	part;

	if (pds_text_is_utf8() || pds_is_ascii(VARDATA(json), VARSIZE(json) - VARHDRSZ))
		return json;
	it = JsonbIteratorInit(&json->root);
	while ((token = JsonbIteratorNext(&it, &part, false)) != WJB_DONE)
	{
		CHECK_FOR_INTERRUPTS();
		if (token == WJB_KEY || token == WJB_VALUE || token == WJB_ELEM)
		{
			if (part.type == jbvString)
			{
				size_t		len = (size_t) part.val.string.len;

				part.val.string.val = (char *) pds_to_utf8(part.val.string.val, &len);
				part.val.string.len = (int) len;
			}
			PDS_PUSH_JSONB(&state, token, &part);
		}
		else
			PDS_PUSH_JSONB(&state, token,
						   token == WJB_BEGIN_ARRAY && part.val.array.rawScalar ? &part : NULL);
	}
	return JsonbValueToJsonb(state.result);
}

/*
 * The document from left to right: a letter for each value, a count before
 * the members of an array or object, a length before each string and number.
 * jsonb has sorted the keys (shorter ones first, then by bytes) and dropped
 * duplicates; the numbers' scale goes, as it does in jsonb's "=".
 */
static void
append_jsonb(PdsHasher *hasher, Datum value, PdsSink *sink)
{
	Jsonb	   *stored = DatumGetJsonbP(value);
	Jsonb	   *json = pds_json_in_utf8(stored);
	JsonbIterator *it = JsonbIteratorInit(&json->root);
	JsonbIteratorToken token;
	JsonbValue	part;

	while ((token = JsonbIteratorNext(&it, &part, false)) != WJB_DONE)
	{
		CHECK_FOR_INTERRUPTS();
		switch (token)
		{
			case WJB_BEGIN_ARRAY:
				/* a scalar alone is stored in an array that is none */
				if (part.val.array.rawScalar)
					break;
				pds_sink_put_byte(sink, '[');
				pds_sink_put_u32(sink, (uint32) part.val.array.nElems);
				break;
			case WJB_BEGIN_OBJECT:
				pds_sink_put_byte(sink, '{');
				pds_sink_put_u32(sink, (uint32) part.val.object.nPairs);
				break;
			case WJB_KEY:
				append_json_string(&part, sink);
				break;
			case WJB_VALUE:
			case WJB_ELEM:
				append_json_scalar(&part, hasher->detail, sink);
				break;
			default:
				break;			/* the counts say where they end */
		}
	}
	if (json != stored)
		pfree(json);
	if ((Pointer) stored != DatumGetPointer(value))
		pfree(stored);
}

void
pds_jsonb_setup(PdsHasher *hasher)
{
	hasher->kind = PDS_KIND_JSONB;
	hasher->shape = PDS_SHAPE_APPEND;
	hasher->append = append_jsonb;
	hasher->detail = pds_hasher_blank(hasher->mcxt);
	(void) pds_scalar_setup(hasher->detail, NUMERICOID);
}
