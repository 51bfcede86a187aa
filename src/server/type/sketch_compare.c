/*
 * sketch_compare.c: equality, order and hash of all sketch types
 */
#include "postgres.h"

#include "access/detoast.h"
#include "common/hashfn.h"
#include "miscadmin.h"

#include "compat.h"
#include "entry_points.h"

/* The length of a value's payload, without fetching it; -1 if it may be a state's. */
static int64
stored_length(Datum value)
{
	const struct varlena *v = (const struct varlena *) DatumGetPointer(value);

	/* a state is as long as its spare space says */
	if (VARATT_IS_EXTERNAL_EXPANDED(v) ||
		(!VARATT_IS_EXTERNAL(v) && (VARATT_IS_COMPRESSED(v) || pds_is_building(v))))
		return -1;
	return (int64) toast_raw_datum_size(value) - VARHDRSZ;
}

/* A state in a table is seldom, and told from a stored value by its first bytes. */
static bool
is_stored_state(const PdsSketchType *type, Datum value)
{
	const struct varlena *v = (const struct varlena *) DatumGetPointer(value);

	if (!VARATT_IS_EXTERNAL_ONDISK(v))
		return false;
	return pds_is_building((struct varlena *) PG_DETOAST_DATUM_SLICE(value, 0,
																	 PDS_HEADER_BYTES + 1));
}

/*
 * Equal states are equal bytes, so "=" compares bytes.  Values of different lengths are not
 * fetched to find out.
 */
bool
pds_sketch_equal(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	int64		a = stored_length(PG_GETARG_DATUM(0));
	int64		b = stored_length(PG_GETARG_DATUM(1));

	if (a >= 0 && b >= 0 && a != b &&
		!is_stored_state(type, PG_GETARG_DATUM(0)) && !is_stored_state(type, PG_GETARG_DATUM(1)))
		return false;
	return pds_sketch_cmp(fcinfo, type) == 0;
}

/*
 * The order is that of bytea and means nothing; it makes sorting, DISTINCT and merge
 * joins possible.
 */
int
pds_sketch_cmp(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	struct varlena *a = pds_sketch_get(type, PG_GETARG_DATUM(0));
	struct varlena *b = pds_sketch_get(type, PG_GETARG_DATUM(1));
	size_t		a_len = PDS_PAYLOAD_LEN(a);
	size_t		b_len = PDS_PAYLOAD_LEN(b);
	int			r = memcmp(PDS_PAYLOAD(a), PDS_PAYLOAD(b), Min(a_len, b_len));

	if (r == 0)
		r = a_len < b_len ? -1 : a_len > b_len;
	/* a btree support function may not leak */
	PG_FREE_IF_COPY(a, 0);
	PG_FREE_IF_COPY(b, 1);
	/* some machines' memcmp() says more than less or greater */
	return (r > 0) - (r < 0);
}

/*
 * Returns the hash of a payload, which is the hash of its bytes as of bytea.  Above 16 MB it is
 * computed in parts, each from the hash of the part before, with a check for interrupts between
 * them.  With seed 0 the lower 32 bits are the hash without a seed.
 */
static uint64
hash_payload(const struct varlena *v, uint64 seed)
{
	const size_t part = 16 * 1024 * 1024;
	const uint8_t *payload = PDS_PAYLOAD(v);
	size_t		len = PDS_PAYLOAD_LEN(v);

	for (; len > part; payload += part, len -= part)
	{
		CHECK_FOR_INTERRUPTS();
		seed = DatumGetUInt64(hash_any_extended(payload, (int) part, seed));
	}
	return DatumGetUInt64(hash_any_extended(payload, (int) len, seed));
}

Datum
pds_sketch_hash(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	struct varlena *v = pds_sketch_get(type, PG_GETARG_DATUM(0));
	uint32		r = (uint32) hash_payload(v, 0);

	PG_FREE_IF_COPY(v, 0);
	PG_RETURN_UINT32(r);
}

Datum
pds_sketch_hash_extended(FunctionCallInfo fcinfo, const PdsSketchType *type)
{
	struct varlena *v = pds_sketch_get(type, PG_GETARG_DATUM(0));
	uint64		r = hash_payload(v, (uint64) PG_GETARG_INT64(1));

	PG_FREE_IF_COPY(v, 0);
	PG_RETURN_UINT64(r);
}
