/*
 * hash.c: the hash of probds as SQL functions
 *
 * With them an application, or a test, can compute what a sketch stores:
 * doc/hashing.md has the rules and a test vector for each type.
 */
#include "postgres.h"

#include "fmgr.h"

#include "murmur3.h"
#include "compat.h"
#include "call_argument.h"

PG_FUNCTION_INFO_V1(probds_hash);
PG_FUNCTION_INFO_V1(probds_murmur3_x64_128);

/* probds_hash("any") -> bigint: the first half of a value's hash */
Datum
probds_hash(PG_FUNCTION_ARGS)
{
	pds_kind	kind;
	pds_hash	hash = pds_hash_arg(fcinfo, 0, PDS_KIND_NONE, &kind);

	PG_RETURN_INT64((int64) hash.h1);
}

/* murmur3_x64_128(bytea, seed bigint) -> bytea: h1 and h2, little-endian */
Datum
probds_murmur3_x64_128(PG_FUNCTION_ARGS)
{
	bytea	   *data = PG_GETARG_BYTEA_PP(0);
	int64		seed = PG_GETARG_INT64(1);
	bytea	   *result = palloc(VARHDRSZ + 16);
	pds_hash	hash;

	hash = pds_murmur3(VARDATA_ANY(data), VARSIZE_ANY_EXHDR(data),
					   (uint64) seed);
	SET_VARSIZE(result, VARHDRSZ + 16);
	pds_store_le64(VARDATA(result), hash.h1);
	pds_store_le64(VARDATA(result) + 8, hash.h2);
	PG_FREE_IF_COPY(data, 0);
	PG_RETURN_BYTEA_P(result);
}
