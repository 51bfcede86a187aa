/*
 * rollup_key.c: groups told apart by a hash of their keys
 *
 * An index entry can have some 2,700 bytes, and a text that somebody groups by can be
 * longer.  Before PostgreSQL 15 a unique index takes NULLs for different, too.  So groups
 * whose keys are not all of a fixed length are told apart by 128 bits of hash.
 *
 * The keys come as one record: no overload that somebody adds can fit a call better.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/uuid.h"

#include "compat.h"
#include "type_hasher.h"
#include "call_argument.h"
#include "rollup.h"

void
rollup_require_hashable(const RollupDefinition *d)
{
	if (!d->by_hash)
		return;
	for (int i = 0; i < d->keys; i++)
		(void) pds_hasher_for_type(d->column[i].type, d->column[i].collation, CurrentMemoryContext);
}

/* _probds_rollup_key(record) -> uuid */
PG_FUNCTION_INFO_V1(probds_rollup_key);
Datum
probds_rollup_key(PG_FUNCTION_ARGS)
{
	PdsCallSite *site = pds_call_site(fcinfo);
	pg_uuid_t  *key = palloc(sizeof(pg_uuid_t));
	pds_hash	hash;

	if (site->hasher == NULL)
		site->hasher = pds_hasher_for_type(RECORDOID, InvalidOid, fcinfo->flinfo->fn_mcxt);
	hash = pds_hasher_hash(site->hasher, PG_GETARG_DATUM(0));
	pds_store_le64(key->data, hash.h1);
	pds_store_le64(key->data + 8, hash.h2);
	PG_RETURN_UUID_P(key);
}
