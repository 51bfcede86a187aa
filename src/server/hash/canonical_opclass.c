/*
 * canonical_opclass.c: the canonical bytes of types that have no form of their own
 *
 * They are hashed by the function of the type's default hash operator class.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_am.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "utils/builtins.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "hasher.h"
#include "kind_name.h"
#include "run_as.h"

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

/*
 * Returns the kind of a type, by the names of the type and of its operator class, and by the
 * collation if different strings can be equal under it.
 */
static pds_kind
opclass_kind(Oid typid, Oid collation)
{
	Oid			opclass = GetDefaultOpClass(typid, HASH_AM_OID);
	HeapTuple	tuple = SearchSysCache1(CLAOID, ObjectIdGetDatum(opclass));
	StringInfoData description;

	initStringInfo(&description);
	pds_describe_name(&description, pds_type_name(typid));
	/* the server knows types that borrow another's operator class */
	pds_describe_name(&description, HeapTupleIsValid(tuple) ?
					  NameStr(((Form_pg_opclass) GETSTRUCT(tuple))->opcname) : "");
	if (!pds_collation_is_deterministic(collation))
		pds_describe_kind(&description, pds_collation_kind(collation));
	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	return pds_kind_of_description(PDS_KIND_OPCLASS, &description);
}

void
pds_opclass_setup(PdsHasher *hasher, Oid typid)
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
				 errhint("Cast the value to text, or to another type that has a hash operator "
						 "class.")));

	hasher->kind = opclass_kind(typid, hasher->collation);
	hasher->shape = PDS_SHAPE_PUT;
	/* the server's hash of these two has 2^32 values at most */
	if (typid == LSNOID || typid == XID8OID)
	{
		hasher->put = pds_put_int64;
		return;
	}
	hash = MemoryContextAllocZero(hasher->mcxt, sizeof(OpclassHash));
	fmgr_info_cxt(function, &hash->function, hasher->mcxt);
	hash->extended = function == entry->hash_extended_proc;
	hash->collation = OidIsValid(hasher->collation) ? hasher->collation : C_COLLATION_OID;
	hasher->detail = hash;
	hasher->put = put_opclass;
}
