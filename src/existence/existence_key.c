/*
 * existence_key.c: which keys an existence index can have, and how they are hashed
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/relation.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/typcache.h"

#include "existence.h"
#include "lookup.h"

PdsHasher *
existence_hasher(Relation index, MemoryContext mcxt)
{
	return pds_hasher_for_type(TupleDescAttr(RelationGetDescr(index), 0)->atttypid,
							   index->rd_indcollation[0], mcxt);
}

PdsHasher *
existence_hasher_for(Relation index, Oid type, MemoryContext mcxt)
{
	PdsHasher  *hasher = pds_hasher_for_type(type, index->rd_indcollation[0], mcxt);
	pds_kind	kind = existence_meta(index)->kind;

	/* a type can have changed since the build */
	return kind == pds_hasher_kind(hasher) &&
		kind == pds_hasher_kind(existence_hasher(index, mcxt)) ? hasher : NULL;
}

/*
 * Is a type an enum, or does it consist of such?  An enum's value is hashed by its label,
 * so that it is the same in every database.  ALTER TYPE ... RENAME VALUE changes the label
 * in the table's rows, and nobody tells the index.
 */
static bool
has_enum(Oid typid)
{
	Oid			part;

	check_stack_depth();
	typid = getBaseType(typid);
	if (OidIsValid(part = get_element_type(typid)))
		return has_enum(part);
	if (OidIsValid(part = get_range_subtype(typid)))
		return has_enum(part);
#ifdef PDS_HAVE_MULTIRANGE
	if (OidIsValid(part = get_multirange_range(typid)))
		return has_enum(part);
#endif
	if (get_typtype(typid) == TYPTYPE_COMPOSITE)
	{
		TupleDesc	columns = lookup_rowtype_tupdesc(typid, -1);
		bool		found = false;

		for (int i = 0; i < columns->natts && !found; i++)
			found = !TupleDescAttr(columns, i)->attisdropped &&
				has_enum(TupleDescAttr(columns, i)->atttypid);
		ReleaseTupleDesc(columns);
		return found;
	}
	return get_typtype(typid) == TYPTYPE_ENUM;
}

void
existence_check_key_type(Relation index)
{
	Oid			typid = TupleDescAttr(RelationGetDescr(index), 0)->atttypid;

	/* for its own errors */
	(void) existence_hasher(index, CurrentMemoryContext);
	if (has_enum(typid))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("access method \"existence\" does not support keys of type %s",
						format_type_be(typid)),
				 errdetail("A label of an enum can be renamed without the index being told."),
				 errhint("Use btree or hash.")));
	if (typid == RECORDOID || typid == RECORDARRAYOID)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("access method \"existence\" does not support keys of type %s",
						format_type_be(typid)),
				 errdetail("The columns of its values can differ from row to row.")));
}
