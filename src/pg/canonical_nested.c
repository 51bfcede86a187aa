/*
 * canonical_nested.c: the canonical bytes of values that consist of values
 *
 * Every part is preceded by its length or a marker, so that the boundaries
 * between parts cannot move: {"ab","c"} and {"a","bc"} differ.
 */
#include "postgres.h"

/* first: it says what this server has */
#include "pg/compat.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/arrayaccess.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#ifdef PDS_HAVE_MULTIRANGE
#include "utils/multirangetypes.h"
#endif
#include "utils/numeric.h"
#include "utils/rangetypes.h"
#include "utils/typcache.h"

#include "pg/canonical.h"

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

/* The dimensions, then each its length and lower bound, then the elements */
static void
append_array(PdsHasher *hasher, Datum value, StringInfo out)
{
	ArrayParts *parts = hasher->detail;
	AnyArrayType *array = DatumGetAnyArrayP(value);
	int			ndims = AARR_NDIM(array);
	int			nitems = ArrayGetNItems(ndims, AARR_DIMS(array));
	array_iter	it;

	check_stack_depth();
	appendStringInfoCharMacro(out, (char) ndims);
	for (int i = 0; i < ndims; i++)
	{
		pds_append_u32(out, (uint32) AARR_DIMS(array)[i]);
		pds_append_u32(out, (uint32) AARR_LBOUND(array)[i]);
	}
	array_iter_setup(&it, array);
	for (int i = 0; i < nitems; i++)
	{
		bool		isnull;
		Datum		element = array_iter_next(&it, &isnull, i, parts->typlen,
											  parts->typbyval, parts->typalign);

		CHECK_FOR_INTERRUPTS();
		if (isnull)
			pds_append_u32(out, NULL_LENGTH);
		else
			pds_append_framed(parts->element, element, out);
	}
	if (!VARATT_IS_EXPANDED_HEADER(array) &&
		(Pointer) array != DatumGetPointer(value))
		pfree(array);
}

void
pds_array_setup(PdsHasher *hasher, Oid element, Oid collation)
{
	ArrayParts *parts = MemoryContextAllocZero(hasher->mcxt, sizeof(ArrayParts));

	check_stack_depth();
	parts->element = pds_hasher_for_type(element, collation, hasher->mcxt);
	get_typlenbyvalalign(element, &parts->typlen, &parts->typbyval,
						 &parts->typalign);
	hasher->detail = parts;
	hasher->shape = PDS_SHAPE_APPEND;
	hasher->append = append_array;
	hasher->kind = parts->element->kind | PDS_KIND_ARRAY;
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
			  const RangeBound *upper, StringInfo out)
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
	appendStringInfoCharMacro(out, (char) flags);
	if (!lower->infinite)
		pds_append_framed(parts->bound, lower->val, out);
	if (!upper->infinite)
		pds_append_framed(parts->bound, upper->val, out);
}

static void
append_range(PdsHasher *hasher, Datum value, StringInfo out)
{
	RangeParts *parts = hasher->detail;
	RangeType  *range = DatumGetRangeTypeP(value);
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	check_stack_depth();
	range_deserialize(parts->type, range, &lower, &upper, &empty);
	if (empty)
		appendStringInfoCharMacro(out, FLAG_EMPTY);
	else
		append_bounds(parts, &lower, &upper, out);
	if ((Pointer) range != DatumGetPointer(value))
		pfree(range);
}

/* The bounds are compared under the collation that the range type has. */
static RangeParts *
range_parts(PdsHasher *hasher, TypeCacheEntry *type)
{
	RangeParts *parts = MemoryContextAllocZero(hasher->mcxt, sizeof(RangeParts));

	check_stack_depth();
	parts->type = type;
	parts->bound = pds_hasher_for_type(type->rngelemtype->type_id,
									   type->rng_collation, hasher->mcxt);
	hasher->detail = parts;
	hasher->shape = PDS_SHAPE_APPEND;
	return parts;
}

void
pds_range_setup(PdsHasher *hasher, Oid typid)
{
	TypeCacheEntry *type = lookup_type_cache(typid, TYPECACHE_RANGE_INFO);

	hasher->kind = range_parts(hasher, type)->bound->kind | PDS_KIND_RANGE;
	hasher->append = append_range;
}

#ifdef PDS_HAVE_MULTIRANGE
/* How many ranges, then each as it would be alone; none of them is empty */
static void
append_multirange(PdsHasher *hasher, Datum value, StringInfo out)
{
	RangeParts *parts = hasher->detail;
	MultirangeType *ranges = DatumGetMultirangeTypeP(value);

	check_stack_depth();
	pds_append_u32(out, ranges->rangeCount);
	for (uint32 i = 0; i < ranges->rangeCount; i++)
	{
		RangeBound	lower;
		RangeBound	upper;

		CHECK_FOR_INTERRUPTS();
		multirange_get_bounds(parts->type, ranges, i, &lower, &upper);
		append_bounds(parts, &lower, &upper, out);
	}
	if ((Pointer) ranges != DatumGetPointer(value))
		pfree(ranges);
}

void
pds_multirange_setup(PdsHasher *hasher, Oid typid)
{
	TypeCacheEntry *type = lookup_type_cache(typid, TYPECACHE_MULTIRANGE_INFO);

	range_parts(hasher, type->rngtype);
	hasher->kind = PDS_KIND_MULTIRANGE;
	hasher->append = append_multirange;
}
#endif

/* ---- composites ----------------------------------------------------------------- */

/* What is known of the rows seen last; a record may change its type */
typedef struct RecordParts
{
	int			ncolumns;		/* room for so many */
	PdsHasher **column;			/* NULL where no value was seen yet */
	Datum	   *value;
	bool	   *isnull;
} RecordParts;

static void
record_reserve(PdsHasher *hasher, RecordParts *parts, int ncolumns)
{
	RecordParts more;

	if (ncolumns <= parts->ncolumns)
		return;
	more.ncolumns = ncolumns;
	more.column = MemoryContextAllocZero(hasher->mcxt, ncolumns * sizeof(PdsHasher *));
	more.value = MemoryContextAlloc(hasher->mcxt, ncolumns * sizeof(Datum));
	more.isnull = MemoryContextAlloc(hasher->mcxt, ncolumns * sizeof(bool));
	if (parts->ncolumns > 0)
	{
		memcpy(more.column, parts->column, parts->ncolumns * sizeof(PdsHasher *));
		pfree(parts->column);
		pfree(parts->value);
		pfree(parts->isnull);
	}
	*parts = more;
}

/*
 * The hasher of a column: that of the row before, unless this row is of
 * another type.
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
		column = pds_hasher_for_type(att->atttypid, att->attcollation, hasher->mcxt);
		column->argtype = att->atttypid;
		column->next = parts->column[i];
		parts->column[i] = column;
	}
	return column;
}

/* Column by column its kind, length and bytes; a NULL is the kind "none" */
static void
append_record(PdsHasher *hasher, Datum value, StringInfo out)
{
	RecordParts *parts = hasher->detail;
	HeapTupleHeader row = DatumGetHeapTupleHeader(value);
	TupleDesc	desc = lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(row),
											  HeapTupleHeaderGetTypMod(row));
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
			appendStringInfoCharMacro(out, PDS_KIND_NONE);
			continue;
		}
		column = record_column(hasher, parts, i, att);
		appendStringInfoCharMacro(out, (char) column->kind);
		pds_append_framed(column, parts->value[i], out);
	}
	ReleaseTupleDesc(desc);
	if ((Pointer) row != DatumGetPointer(value))
		pfree(row);
}

void
pds_record_setup(PdsHasher *hasher)
{
	hasher->kind = PDS_KIND_RECORD;
	hasher->shape = PDS_SHAPE_APPEND;
	hasher->append = append_record;
	hasher->detail = MemoryContextAllocZero(hasher->mcxt, sizeof(RecordParts));
}

/* ---- jsonb ------------------------------------------------------------------------ */

static void
append_json_string(const JsonbValue *value, StringInfo out)
{
	pds_append_u32(out, (uint32) value->val.string.len);
	appendBinaryStringInfo(out, value->val.string.val, value->val.string.len);
}

static void
append_json_scalar(const JsonbValue *value, StringInfo out)
{
	int			start;

	switch (value->type)
	{
		case jbvNull:
			appendStringInfoCharMacro(out, 'n');
			break;
		case jbvBool:
			appendStringInfoCharMacro(out, value->val.boolean ? 't' : 'f');
			break;
		case jbvNumeric:
			appendStringInfoCharMacro(out, '#');
			start = out->len;
			pds_append_u32(out, 0);
			pds_append_numeric(NULL, NumericGetDatum(value->val.numeric), out);
			pds_store_le32(out->data + start, (uint32) (out->len - start - 4));
			break;
		case jbvString:
			appendStringInfoCharMacro(out, '"');
			append_json_string(value, out);
			break;
		default:
			elog(ERROR, "unexpected jsonb value type %d", (int) value->type);
	}
}

/*
 * The document from left to right: a letter for each value, a count before
 * the members of an array or object, a length before each string and number.
 * jsonb has sorted the keys (shorter ones first, then by bytes) and dropped
 * duplicates; the numbers' scale goes, as it does in jsonb's "=".
 */
void
pds_append_jsonb(PdsHasher *hasher, Datum value, StringInfo out)
{
	Jsonb	   *json = DatumGetJsonbP(value);
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
				appendStringInfoCharMacro(out, '[');
				pds_append_u32(out, (uint32) part.val.array.nElems);
				break;
			case WJB_BEGIN_OBJECT:
				appendStringInfoCharMacro(out, '{');
				pds_append_u32(out, (uint32) part.val.object.nPairs);
				break;
			case WJB_KEY:
				append_json_string(&part, out);
				break;
			case WJB_VALUE:
			case WJB_ELEM:
				append_json_scalar(&part, out);
				break;
			default:
				break;			/* the counts say where they end */
		}
	}
	if ((Pointer) json != DatumGetPointer(value))
		pfree(json);
}
