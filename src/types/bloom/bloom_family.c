/*
 * bloom_family.c: what the hash families of bloom and scalable_bloom are called, and how they hash
 */
#include "postgres.h"

#include "bloom_family.h"
#include "bloom_foreign.h"
#include "call_argument.h"
#include "sketch.h"

#define PARQUET_HOLDS \
	"Parquet's columns hold integers, strings, bytes and UUIDs. " \
	"Cast the value to what is in the column."

static const struct
{
	const char *name;
	const char *hint;			/* what one can have in it */
}			families[] = {
	[PDS_BLOOM_BLOCKED] = {"native", NULL},
	[PDS_BLOOM_CLASSIC] = {"native", NULL},
	[PDS_BLOOM_GUAVA32] = {"guava32", NULL},
	[PDS_BLOOM_REDIS] = {"redis", "RedisBloom hashes strings. Cast the value to text or bytea."},
	[PDS_BLOOM_PARQUET] = {"parquet", PARQUET_HOLDS},
	[PDS_BLOOM_PARQUET32] = {"parquet32", "It was imported as one of 4-byte integers."},
};

StaticAssertDecl(lengthof(families) == PDS_BLOOM_FAMILIES, "a hash family has no name");

const char *
bloom_family_name(uint8 family)
{
	return families[family].name;
}

bool
bloom_foreign_hash(uint8 family, PdsHasher *hasher, Datum value, pds_hash *hash)
{
	size_t		len;
	const uint8 *bytes = pds_bytes_of(hasher, value, &len);

	return pds_bloom_foreign_hash(family, pds_hasher_kind(hasher), bytes, len, hash);
}

pds_hash
bloom_foreign_hash_to_add(const char *type, uint8 family, PdsHasher *hasher, Datum value)
{
	pds_kind	kind = pds_hasher_kind(hasher);
	pds_hash	hash;

	if (!pds_bloom_family_holds(family, kind))
		pds_family_mismatch(type, bloom_family_name(family),
							psprintf("a value of kind %s", pds_kind_name(kind)),
							families[family].hint);
	if (!bloom_foreign_hash(family, hasher, value, &hash))
		pds_family_mismatch(type, bloom_family_name(family),
							family == PDS_BLOOM_PARQUET32 ?
							"a number that is not an integer of 4 bytes" :
							"a number that is not an integer of 8 bytes", NULL);
	return hash;
}

void
bloom_refuse_export(const char *what, uint8 family, const char *system)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_EXCEPTION),
			 errmsg("cannot write a %s of the %s hash family as one of %s", what,
					bloom_family_name(family), system),
			 errdetail("The same value hashes differently in each, so %s would not find the "
					   "values of the filter.",
					   system)));
}
