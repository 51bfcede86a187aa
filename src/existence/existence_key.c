/*
 * existence_key.c: which keys an existence index can have, and how they are hashed
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/typcache.h"

#include "existence.h"
#include "type_hasher.h"

PdsHasher *
existence_hasher(Relation index, MemoryContext mcxt)
{
	return pds_hasher_for_type(TupleDescAttr(RelationGetDescr(index), 0)->atttypid,
							   index->rd_indcollation[0], mcxt);
}

bool
existence_hash_alike(Oid a, Oid b)
{
	a = getBaseType(a);
	b = getBaseType(b);
	switch (a)
	{
		case TEXTOID:
		case VARCHAROID:
			return b == TEXTOID || b == VARCHAROID;
		case INETOID:
		case CIDROID:
			return b == INETOID || b == CIDROID;
		default:
			return a == b;
	}
}

PdsHasher *
existence_hasher_for(Relation index, Oid left, Oid right, Oid collation, MemoryContext mcxt)
{
	PdsHasher  *hasher;

	if (!existence_hash_alike(TupleDescAttr(RelationGetDescr(index), 0)->atttypid, left))
		return NULL;
	hasher = pds_hasher_for_type(right, collation, mcxt);

	/* a type can have changed since the build */
	return existence_meta(index)->kind == pds_hasher_kind(hasher) &&
		existence_keys_are_as_built(index, existence_hasher(index, mcxt)) ? hasher : NULL;
}

/*
 * Is a type an enum, or does it consist of such?  An enum's value is hashed by its label,
 * so that it is the same in every database.  ALTER TYPE ... RENAME VALUE changes the label
 * in the table's rows, and nobody tells the index.  The attributes of composite types on
 * the way are appended to "shape".
 */
static bool
has_enum(Oid typid, StringInfo shape)
{
	Oid			part;

	check_stack_depth();
	typid = getBaseType(typid);
	if (OidIsValid(part = get_element_type(typid)))
		return has_enum(part, shape);
	if (OidIsValid(part = get_range_subtype(typid)))
		return has_enum(part, shape);
	if (OidIsValid(part = get_multirange_range(typid)))
		return has_enum(part, shape);
	if (get_typtype(typid) == TYPTYPE_COMPOSITE)
	{
		TupleDesc	columns = lookup_rowtype_tupdesc(typid, -1);
		bool		found = false;

		appendStringInfo(shape, "%d", columns->natts);
		for (int i = 0; i < columns->natts; i++)
		{
			bool		dropped = TupleDescAttr(columns, i)->attisdropped;

			appendStringInfoChar(shape, dropped ? '-' : '+');
			if (!dropped && has_enum(TupleDescAttr(columns, i)->atttypid, shape))
				found = true;
		}
		ReleaseTupleDesc(columns);
		return found;
	}
	return get_typtype(typid) == TYPTYPE_ENUM;
}

uint64
existence_key_shape(Relation index)
{
	StringInfoData shape;

	initStringInfo(&shape);
	(void) has_enum(TupleDescAttr(RelationGetDescr(index), 0)->atttypid, &shape);
	return shape.len == 0 ? 0 : pds_murmur3(shape.data, (size_t) shape.len, 0).h1;
}

bool
existence_keys_are_as_built(Relation index, PdsHasher *hasher)
{
	const pds_existence_meta *meta = existence_meta(index);

	/* what consists of other types has a signature; others have no shape to be looked for */
	return meta->kind == pds_hasher_kind(hasher) &&
		(!pds_kind_has_signature(pds_kind_code(meta->kind)) ||
		 meta->shape == existence_key_shape(index));
}

void
existence_check_key_type(Relation index)
{
	Oid			typid = TupleDescAttr(RelationGetDescr(index), 0)->atttypid;
	StringInfoData shape;
	bool		enums;

	/* for its own errors */
	(void) existence_hasher(index, CurrentMemoryContext);
	initStringInfo(&shape);
	enums = has_enum(typid, &shape);
	if (enums || typid == RECORDOID || typid == RECORDARRAYOID)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("access method \"existence\" does not support keys of type %s",
						format_type_be(typid)),
				 enums ? errdetail("The index is not updated when a label of an enum is renamed.") :
				 errdetail("Values of this type can have different columns in each row."),
				 enums ? errhint("Use a btree or hash index.") : 0));
}
