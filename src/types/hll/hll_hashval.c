/*
 * hll_hashval.c: the functions of the add-on probds_hll, which speaks postgresql-hll's SQL
 *
 * A hash is made as postgresql-hll makes it, so that a sketch of its hashes takes more of them.  An
 * hll_hashval is an int8.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

#include "bits.h"
#include "compat.h"
#include "entry_points.h"
#include "hll_type.h"
#include "murmur3.h"
#include "result_row.h"
#include "state.h"

/* ---------- hll_hashval ---------- */

/* hll_hashval_in(cstring, oid, int) */
PDS_FUNCTION(probds_hll_hashval_in)
{
	return int8in(fcinfo);
}

/* hll_hashval_out(hll_hashval) */
PDS_FUNCTION(probds_hll_hashval_out)
{
	return int8out(fcinfo);
}

/* The result of a function whose argument 1 is the seed. */
static Datum
hash_bytes(FunctionCallInfo fcinfo, const void *bytes, size_t len)
{
	return Int64GetDatum((int64) pds_murmur3(bytes, len, (uint32) PG_GETARG_INT32(1)).h1);
}

/* Of the first len bytes of a number, little-endian. */
static Datum
hash_number(FunctionCallInfo fcinfo, int64 number, size_t len)
{
	uint8		bytes[8];

	pds_store_le64(bytes, (uint64) number);
	return hash_bytes(fcinfo, bytes, len);
}

static Datum
hash_varlena(FunctionCallInfo fcinfo, struct varlena *value)
{
	return hash_bytes(fcinfo, PDS_PAYLOAD(value), PDS_PAYLOAD_LEN(value));
}

/* hll_hash_boolean(boolean, int) */
PDS_FUNCTION(probds_hll_hash_boolean)
{
	return hash_number(fcinfo, PG_GETARG_BOOL(0), 1);
}

/* hll_hash_smallint(smallint, int) */
PDS_FUNCTION(probds_hll_hash_smallint)
{
	return hash_number(fcinfo, PG_GETARG_INT16(0), 2);
}

/* hll_hash_integer(int, int) */
PDS_FUNCTION(probds_hll_hash_integer)
{
	return hash_number(fcinfo, PG_GETARG_INT32(0), 4);
}

/* hll_hash_bigint(bigint, int) */
PDS_FUNCTION(probds_hll_hash_bigint)
{
	return hash_number(fcinfo, PG_GETARG_INT64(0), 8);
}

/* hll_hash_bytea(bytea, int), hll_hash_text(text, int) */
PDS_FUNCTION(probds_hll_hash_varlena)
{
	return hash_varlena(fcinfo, PG_GETARG_VARLENA_PP(0));
}

/* What hll_hash_any() keeps of its argument's type. */
typedef struct AnyType
{
	int16		len;
	bool		byval;
	FmgrInfo	send;			/* of a type of another fixed length */
} AnyType;

static AnyType *
any_type(FunctionCallInfo fcinfo)
{
	PdsCallSite *site = pds_call_site(fcinfo);
	AnyType    *any = site->known;
	Oid			type;
	Oid			send;
	bool		varlena;

	if (any != NULL)
		return any;
	type = get_fn_expr_argtype(fcinfo->flinfo, 0);
	if (!OidIsValid(type))
		ereport(ERROR,
				(errcode(ERRCODE_INDETERMINATE_DATATYPE),
				 errmsg("could not determine the type of the value of hll_hash_any()")));
	any = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(AnyType));
	get_typlenbyval(type, &any->len, &any->byval);
	if (!any->byval && any->len != -1)
	{
		getTypeBinaryOutputInfo(type, &send, &varlena);
		fmgr_info_cxt(send, &any->send, fcinfo->flinfo->fn_mcxt);
	}
	return site->known = any;
}

/*
 * hll_hash_any(anyelement, int): by the length of the type's values, as there.  A number of 8 bytes
 * is by reference where a Datum has 4.
 */
PDS_FUNCTION(probds_hll_hash_any)
{
	AnyType    *any = any_type(fcinfo);
	Datum		value = PG_GETARG_DATUM(0);

	if (any->len == -1)
		return hash_varlena(fcinfo, PG_GETARG_VARLENA_PP(0));
	if (any->len == 8 && (any->byval || sizeof(Datum) < 8))
		return hash_number(fcinfo, DatumGetInt64(value), 8);
	if (any->byval)
		return hash_number(fcinfo, (int64) value, any->len);
	return hash_varlena(fcinfo, SendFunctionCall(&any->send, value));
}

/* ---------- defaults ---------- */

int			pds_hll_log2m = PDS_HLL_LOG2M;

/* hll_empty(log2m int, regwidth int, expthresh bigint, sparseon int) */
PDS_FUNCTION(probds_hll_empty_v1)
{
	pds_hll_require_form_args(fcinfo, 1);
	return pds_sketch_empty(fcinfo, &pds_hll_type);
}

/* hll_set_defaults(log2m int, regwidth int, expthresh bigint, sparseon int): the former ones */
PDS_FUNCTION(probds_hll_set_defaults)
{
	double		values[PDS_MAX_PARAMETERS];
	Datum		former[] = {
		Int32GetDatum(pds_hll_log2m), Int32GetDatum(5), Int64GetDatum(-1), Int32GetDatum(1)
	};

	pds_parameter_args(fcinfo, 0, pds_hll_type.name, pds_hll_type.parameters, values);
	pds_hll_require_form_args(fcinfo, 1);
	SetConfigOption("probds_hll.log2m", psprintf("%.0f", values[0]), PGC_USERSET, PGC_S_SESSION);
	return pds_info_row(fcinfo, former, NULL);
}
