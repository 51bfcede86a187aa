/*
 * rollup_key.c: groups told apart by a hash of their keys
 *
 * An index entry can have some 2,700 bytes, and a text that somebody groups by can be
 * longer.  Before PostgreSQL 15 a unique index takes NULLs for different, too.  So groups
 * whose keys are not all of a fixed length are told apart by 128 bits of hash.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"
#include "utils/uuid.h"

#include "pg/argument.h"
#include "pg/value.h"
#include "rollup/rollup.h"

/* _probds_rollup_key(VARIADIC "any") -> uuid */
PG_FUNCTION_INFO_V1(probds_rollup_key);
Datum
probds_rollup_key(PG_FUNCTION_ARGS)
{
	PdsCallSite *site = pds_call_site(fcinfo);
	int			n = PG_NARGS();
	PdsHasher **hasher = site->room;
	Datum		value[FUNC_MAX_ARGS];
	bool		isnull[FUNC_MAX_ARGS];
	pg_uuid_t  *key = palloc(sizeof(pg_uuid_t));
	pds_hash	hash;

	if (hasher == NULL)
	{
		hasher = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, n * sizeof(PdsHasher *));
		for (int i = 0; i < n; i++)
		{
			Node	   *arg = pds_argument(fcinfo, i);

			hasher[i] = pds_hasher_for_type(pds_argument_type(fcinfo, i),
											arg != NULL ? exprCollation(arg) : InvalidOid,
											fcinfo->flinfo->fn_mcxt);
		}
		site->room = hasher;
	}
	for (int i = 0; i < n; i++)
	{
		isnull[i] = PG_ARGISNULL(i);
		value[i] = PG_GETARG_DATUM(i);
	}
	hash = pds_hash_row(hasher, value, isnull, n);
	pds_store_le64(key->data, hash.h1);
	pds_store_le64(key->data + 8, hash.h2);
	PG_RETURN_UUID_P(key);
}
