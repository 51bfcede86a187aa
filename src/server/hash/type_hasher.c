/*
 * type_hasher.c: from a type to its hasher: the kind of its values and their shape
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "citext.h"
#include "declared.h"
#include "hasher.h"
#include "run_as.h"
#include "type_hasher.h"

/*
 * A sketch is no value to count: hll_agg(sketches) would say how many different
 * sketches there are, which nobody ever wants to know.  (hll_hashval is ours, too, but no sketch.)
 */
static void
refuse_sketch(Oid typid)
{
	const char *name = pds_type_name(typid);

	if (pds_type_is_sketch(typid) && get_typlen(typid) == -1)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("cannot take a sketch of type %s as a value", name),
				 strcmp(name, "fuse") == 0 ?
				 errhint("Filters of type fuse cannot be united. Make one from the rows.") :
				 errhint("Use %s_merge_agg() or || to unite sketches.", name)));
}

/* Are the bounds of a range type compared as values of its subtype are? */
static bool
has_usual_bounds(TypeCacheEntry *range)
{
	Oid			comparison = range->rng_cmp_proc_finfo.fn_oid;

	/* text_pattern_ops compares bytes */
	return comparison == F_BTTEXT_PATTERN_CMP || comparison ==
		lookup_type_cache(range->rngelemtype->type_id, TYPECACHE_CMP_PROC)->cmp_proc;
}

/*
 * The hasher for the bounds of a range type, under the collation that it has.  Errors: 42883 if the
 * range type may take different values of its subtype for the same bound.
 */
static PdsHasher *
bound_hasher(PdsHasher *hasher, TypeCacheEntry *range)
{
	Oid			subtype = range->rngelemtype->type_id;

	if (!has_usual_bounds(range))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("could not identify a hash function for type %s",
						format_type_be(range->type_id)),
				 errdetail("Its bounds are not compared as values of type %s are by default.",
						   format_type_be(subtype)),
				 errhint("Cast the value to a range type whose subtype_opclass is the default.")));
	return pds_hasher_for_type(subtype, range->rng_collation, hasher->mcxt);
}

/* All types but the built-in strings and scalars; jsonb is none. */
static void
catalog_setup(PdsHasher *hasher, Oid typid)
{
	Oid			element = get_element_type(typid);
	char		typtype = get_typtype(typid);
	TypeCacheEntry *range;

	if (OidIsValid(element))
		pds_array_setup(hasher, element,
						pds_hasher_for_type(element, hasher->collation, hasher->mcxt));
	else if (typid == JSONBOID)
		pds_jsonb_setup(hasher);
	else if (typtype == TYPTYPE_ENUM)
		pds_enum_setup(hasher);
	else if (typtype == TYPTYPE_RANGE)
	{
		range = lookup_type_cache(typid, TYPECACHE_RANGE_INFO);
		pds_range_setup(hasher, range, bound_hasher(hasher, range));
	}
	else if (typtype == TYPTYPE_MULTIRANGE)
	{
		range = lookup_type_cache(typid, TYPECACHE_MULTIRANGE_INFO)->rngtype;
		pds_multirange_setup(hasher, range, bound_hasher(hasher, range));
	}
	else if (typtype == TYPTYPE_COMPOSITE || typid == RECORDOID)
		pds_record_setup(hasher, pds_hasher_for_type);
	else if (pds_type_is_citext(typid))
		pds_citext_setup(hasher);
	else
	{
		refuse_sketch(typid);
		pds_opclass_setup(hasher, typid);
	}
}

PdsHasher *
pds_hasher_for_type(Oid typid, Oid collation, MemoryContext mcxt)
{
	PdsHasher  *hasher = pds_hasher_blank(mcxt);

	check_stack_depth();
	hasher->typid = getBaseType(typid);
	hasher->collation = collation;
	if (!pds_string_setup(hasher) && !pds_scalar_setup(hasher, hasher->typid))
		catalog_setup(hasher, hasher->typid);
	return hasher;
}

/* Can all columns of a composite type be hashed? */
static bool
columns_are_hashable(Oid typid)
{
	TupleDesc	columns = lookup_rowtype_tupdesc(typid, -1);
	bool		result = true;

	for (int i = 0; i < columns->natts && result; i++)
		result = TupleDescAttr(columns, i)->attisdropped ||
			pds_type_is_hashable(TupleDescAttr(columns, i)->atttypid);
	ReleaseTupleDesc(columns);
	return result;
}

bool
pds_type_is_hashable(Oid typid)
{
	Oid			base = getBaseType(typid);
	Oid			element = get_element_type(base);
	TypeCacheEntry *entry = lookup_type_cache(base, TYPECACHE_HASH_PROC | TYPECACHE_RANGE_INFO |
											  TYPECACHE_MULTIRANGE_INFO);
	TypeCacheEntry *range = entry->rngtype != NULL ? entry->rngtype : entry;

	check_stack_depth();
	if (!OidIsValid(entry->hash_proc))
		return false;
	if (OidIsValid(element))
		return pds_type_is_hashable(element);
	if (entry->typtype == TYPTYPE_COMPOSITE)
		return columns_are_hashable(base);
	if (range->rngelemtype != NULL)
		return has_usual_bounds(range) && pds_type_is_hashable(range->rngelemtype->type_id);
	return !pds_type_is_sketch(base);
}
