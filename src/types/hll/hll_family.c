/*
 * hll_family.c: what the hash families of hll are called and hold
 */
#include "postgres.h"

#include "call_argument.h"
#include "hll.h"
#include "hll_family.h"
#include "sketch.h"

static const struct
{
	const char *name;
	const char *hint;			/* what one can have in it */
}			families[] = {
	[PDS_FAMILY_NATIVE] = {"native", NULL},
	[PDS_HLL_REDIS] = {"redis", "Redis counts strings. Cast the value to text or bytea."},
	[PDS_HLL_DATASKETCHES] = {"datasketches",
	"DataSketches counts integers, floating-point numbers, strings and bytes."},
	[PDS_HLL_INT32] = {"int32", "It was imported as one of 4-byte integers."},
};

StaticAssertDecl(lengthof(families) == PDS_HLL_FAMILIES, "a hash family has no name");

const char *
hll_family_name(int family)
{
	return families[family].name;
}

const uint8 *
hll_family_bytes(int family, PdsHasher *hasher, Datum value, size_t *len)
{
	pds_kind	kind = pds_hasher_kind(hasher);
	const uint8 *bytes;
	int64		number = 0;

	if (!pds_hll_family_holds(family, kind))
		pds_family_mismatch("hll", hll_family_name(family),
							psprintf("a value of kind %s", pds_kind_name(kind)),
							families[family].hint);
	bytes = pds_bytes_of(hasher, value, len);
	if (family == PDS_HLL_INT32)
	{
		if (*len == 8)
			number = (int64) pds_load_le64(bytes);
		if (*len != 8 || number != (int32) number)
			pds_family_mismatch("hll", hll_family_name(family),
								"a number that is not an integer of 4 bytes", NULL);
		/* the first four of eight, little-endian, are the number as an int4 */
		*len = 4;
	}
	else if (kind == PDS_KIND_NUMBER && *len != 8)
		pds_family_mismatch("hll", hll_family_name(family), "a number that is not a bigint",
							"Cast the value to double precision if the sketch was built from that "
							"type.");
	return bytes;
}
