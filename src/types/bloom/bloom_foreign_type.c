/*
 * bloom_foreign_type.c: SQL functions that read and write the filters of other systems
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "bloom_estimate.h"
#include "bloom_family.h"
#include "bloom_foreign.h"
#include "bloom_type.h"
#include "compat.h"
#include "import.h"
#include "state.h"

#define GUAVA_SYSTEM	"Guava"
#define REDIS_SYSTEM	"RedisBloom"
#define PARQUET_SYSTEM	"Parquet"

/* ---------- what importers and exporters share ---------- */

typedef pds_status (*OpenFunction) (pds_bloom_foreign *f, const uint8_t *bytes, size_t len,
									const char **why);

/*
 * Bytes of a system's filter as a stored value, "narrow" if of 4-byte integers.  22P03 or
 * 0A000 unless they are a filter.
 */
static Datum
import_filter(OpenFunction open, const char *what, const bytea *bytes, pds_kind kind, bool narrow)
{
	pds_bloom_foreign f;
	size_t		size;
	pds_bloom_build *b;

	PDS_READ_FOREIGN(open(&f, PDS_PAYLOAD(bytes), PDS_PAYLOAD_LEN(bytes), &why), what, bytes);
	if (narrow)
		f.shape.family = PDS_BLOOM_PARQUET32;
	size = pds_bloom_bits_size(f.shape.bits);
	b = pds_state_alloc(size);
	pds_bloom_build_init(b, size, &f.shape);
	pds_bloom_foreign_array(&f, pds_bloom_build_array(b));
	pds_state_set_kind(b, kind);
	PG_RETURN_POINTER(pds_state_store(&pds_bloom_type, b));
}

/* The filter to be exported, argument 0.  22000 unless it is of one of two families. */
static void
export_arg(FunctionCallInfo fcinfo, uint8 family, uint8 or_family, const char *system,
		   pds_bloom_view *v)
{
	(void) pds_sketch_arg(fcinfo, 0, &pds_bloom_type, v);
	if (v->shape.family == family || v->shape.family == or_family)
		return;
	if (pds_bloom_is_layout(v->shape.family) && family == PDS_BLOOM_CLASSIC)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot write a bloom filter of layout \"%s\" as one of %s",
						pds_bloom_layout_name(v->shape.family), system),
				 errhint("Build it with the layout \"%s\".", pds_bloom_layout_name(family))));
	bloom_refuse_export("bloom filter", v->shape.family, system);
}

/* The head and then the bits; *array is where these are. */
static bytea *
export_result(const pds_bloom_view *v, const uint8 *head, size_t head_len, uint8 **array)
{
	size_t		size = VARHDRSZ + head_len + (size_t) (v->shape.bits / 8);
	bytea	   *result;

	/* one that is sparse here may have more bits than fit there with a head */
	if (size > MaxAllocSize)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("bloom filter of %llu bits is too large for the format of the other system",
						(unsigned long long) v->shape.bits),
				 errdetail("It would be larger than a value can be.")));
	result = palloc0(size);
	SET_VARSIZE(result, size);
	memcpy(VARDATA(result), head, head_len);
	*array = (uint8 *) VARDATA(result) + head_len;
	if (pds_bloom_view_or(v, *array) != PDS_OK)
		pds_stored_corrupt(&pds_bloom_type, NULL);
	return result;
}

/* ---------- Guava ---------- */

static Datum
from_guava(FunctionCallInfo fcinfo, bytea *bytes, pds_kind kind, Oid type)
{
	/* its longFunnel, stringFunnel(UTF_8) and byteArrayFunnel */
	static const Oid types[] = {INT8OID, TEXTOID, VARCHAROID, BYTEAOID};

	pds_require_hashed_alike(type, types, lengthof(types), GUAVA_SYSTEM,
							 "Its longFunnel is bigint here, its stringFunnel of UTF-8 text, its "
							 "byteArrayFunnel bytea.");
	return import_filter(pds_bloom_guava_open, GUAVA_SYSTEM " filter", bytes, kind, false);
}

/* bloom_from_guava(bytea, regtype) */
PDS_IMPORT_FUNCTION(probds_bloom_from_guava, from_guava);

/* bloom_to_guava(bloom) */
PDS_FUNCTION(probds_bloom_to_guava)
{
	uint8		head[PDS_BLOOM_FOREIGN_MAX_HEAD];
	pds_bloom_view v;
	uint8	   *array;
	bytea	   *result;

	export_arg(fcinfo, PDS_BLOOM_CLASSIC, PDS_BLOOM_GUAVA32, GUAVA_SYSTEM, &v);
	result = export_result(&v, head, pds_bloom_guava_head(&v.shape, head), &array);
	pds_bloom_swap_words(array, (size_t) (v.shape.bits / 8));
	PG_RETURN_BYTEA_P(result);
}

/* ---------- RedisBloom ---------- */

static Datum
from_redis(FunctionCallInfo fcinfo, bytea *bytes, pds_kind kind, Oid type)
{
	pds_require_held(pds_bloom_family_holds(PDS_BLOOM_REDIS, kind), type, REDIS_SYSTEM " filter",
					 "RedisBloom hashes strings: text or bytea.");
	return import_filter(pds_bloom_redis_open, REDIS_SYSTEM " filter", bytes, kind, false);
}

/* bloom_from_redis(bytea, regtype) */
PDS_IMPORT_FUNCTION(probds_bloom_from_redis, from_redis);

/* bloom_to_redis(bloom, expansion int) */
PDS_FUNCTION(probds_bloom_to_redis)
{
	int32		expansion = PG_GETARG_INT32(1);
	uint8		head[PDS_BLOOM_FOREIGN_MAX_HEAD];
	pds_bloom_view v;
	pds_bloom_summary s;
	uint8	   *array;
	size_t		len;

	export_arg(fcinfo, PDS_BLOOM_REDIS, PDS_BLOOM_REDIS, REDIS_SYSTEM, &v);
	if (expansion < 0 || expansion > 32768)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("expansion must be between 0 and 32768, not %d", expansion)));
	if (pds_bloom_summarize(&v, &s) != PDS_OK)
		pds_stored_corrupt(&pds_bloom_type, NULL);
	len = pds_bloom_redis_head(&v.shape, (uint64) rint(pds_bloom_cardinality(&s)),
							   (uint32) expansion, head);
	PG_RETURN_BYTEA_P(export_result(&v, head, len, &array));
}

/* ---------- Parquet ---------- */

static Datum
from_parquet(FunctionCallInfo fcinfo, bytea *bytes, pds_kind kind, Oid type)
{
	static const Oid types[] = {
		INT8OID, INT4OID, INT2OID, TEXTOID, VARCHAROID, BYTEAOID, UUIDOID
	};

	pds_require_hashed_alike(type, types, lengthof(types), PARQUET_SYSTEM,
							 "Ask for what the column stores: bigint for INT64, integer for "
							 "INT32, text or bytea for BYTE_ARRAY, uuid.");
	return import_filter(pds_bloom_parquet_open, PARQUET_SYSTEM " filter", bytes, kind,
						 type == INT4OID || type == INT2OID);
}

/* bloom_from_parquet(bytea, regtype) */
PDS_IMPORT_FUNCTION(probds_bloom_from_parquet, from_parquet);

/* bloom_to_parquet(bloom) */
PDS_FUNCTION(probds_bloom_to_parquet)
{
	uint8		head[PDS_BLOOM_FOREIGN_MAX_HEAD];
	pds_bloom_view v;
	uint8	   *array;

	export_arg(fcinfo, PDS_BLOOM_PARQUET, PDS_BLOOM_PARQUET32, PARQUET_SYSTEM, &v);
	PG_RETURN_BYTEA_P(export_result(&v, head, pds_bloom_parquet_head(&v.shape, head), &array));
}
