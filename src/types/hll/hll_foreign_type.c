/*
 * hll_foreign_type.c: SQL functions that read and write the sketches of other systems
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/builtins.h"

#include "compat.h"
#include "hll_type.h"
#include "import.h"
#include "state.h"

/* hll_add_hash(hll, bigint): a value by a hash that was made elsewhere */
PDS_FUNCTION(probds_hll_add_hash)
{
	pds_hll_build *b;
	pds_hash	hash = {0, 0};

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (PG_ARGISNULL(1))
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	b = pds_state_load_arg(fcinfo, 0, &pds_hll_type);
	if (pds_state_family(b) != PDS_FAMILY_NATIVE)
		pds_family_mismatch("hll", hll_family_name(pds_state_family(b)), "hashes",
							"Add the values themselves by hll_add().");
	hash.h1 = (uint64) PG_GETARG_INT64(1);
	b = pds_state_add(&pds_hll_type, b, hash, PDS_KIND_HASH);
	PG_RETURN_POINTER(pds_state_store(&pds_hll_type, b));
}

/* ---------- what the importers share ---------- */

static void
require_precision(const char *system, const char *name, int precision)
{
	if (!pds_hll_holds_precision(precision))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot import a %s sketch with %s = %d", system, name, precision),
				 errdetail("An hll has a precision of %d to %d.",
						   PDS_HLL_MIN_PRECISION, PDS_HLL_MAX_PRECISION)));
}

/* A finished import as a stored value. */
static Datum
import_result(pds_hll_build *b, pds_kind kind)
{
	pds_state_set_kind(b, kind);
	PG_RETURN_POINTER(pds_state_store(&pds_hll_type, b));
}

/*
 * A sketch that is to be exported, as registers of a family; of postgresql-hll also if
 * it is of 4-byte integers, which it hashes both ways.
 */
static pds_hll_build *
export_arg(FunctionCallInfo fcinfo, int family, const char *system)
{
	struct varlena *value;
	pds_hll_view v;

	value = pds_sketch_arg(fcinfo, 0, &pds_hll_type, &v);
	if (v.family != family &&
		!(family == PDS_FAMILY_NATIVE && v.family == PDS_HLL_INT32))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot write an hll of the %s hash family as a %s sketch",
						hll_family_name(v.family), system),
				 errdetail("The same value hashes differently in each, so %s would not recognize "
						   "the values of the sketch.",
						   system)));
	return pds_hll_at_precision(pds_state_load(&pds_hll_type, value), v.precision, true);
}

/* ---------- postgresql-hll ---------- */

#define V1_SYSTEM	"postgresql-hll"

/*
 * The types whose values are hashed alike there and here.  There by hll_hash_text and
 * its like where they exist, and by hll_hash_any, which hashes by the length of a
 * type's values.
 */
static const Oid v1_types[] = {
	TEXTOID, VARCHAROID, BYTEAOID, INT8OID, BOOLOID, FLOAT8OID, UUIDOID,
	TIMEOID, TIMESTAMPOID, TIMESTAMPTZOID, MACADDROID
};

static Datum
from_v1(FunctionCallInfo fcinfo, bytea *bytes, pds_kind kind, Oid type)
{
	pds_hll_v1	s;
	pds_hll_build *b;
	uint32_t	full;
	const char *damage;
	int			family = PDS_FAMILY_NATIVE;

	if (type == INT4OID)
		family = PDS_HLL_INT32;
	else
		pds_require_hashed_alike(type, v1_types, lengthof(v1_types), V1_SYSTEM,
								 "Leave the type out, and add hashes made by " V1_SYSTEM " with "
								 "hll_add_hash() or hll_agg_hash().");
	PDS_READ_FOREIGN(pds_hll_v1_open(&s, PDS_PAYLOAD(bytes), PDS_PAYLOAD_LEN(bytes), &why),
					 V1_SYSTEM " sketch", bytes);

	/* there its number of values is NULL, and that of any union with it */
	if (s.type == PDS_HLL_V1_UNDEFINED)
		PG_RETURN_NULL();
	require_precision(V1_SYSTEM, "log2m", s.form.log2m);
	b = pds_hll_of_v1(&s, family, &full, &damage);
	if (b == NULL)
		pds_refuse_foreign(V1_SYSTEM " sketch", bytes, damage);
	if (pds_hll_v1_too_full(&s.form, full))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot import a %s sketch of %u registers of which %u are full",
						V1_SYSTEM, pds_hll_registers(s.form.log2m), full),
				 errdetail("Registers of regwidth %d hold values up to %d; larger values were "
						   "lost.",
						   s.form.regwidth, (1 << s.form.regwidth) - 1)));
	return import_result(b, kind);
}

/* hll_from_storage_v1(bytea, regtype) */
PDS_IMPORT_FUNCTION(probds_hll_from_storage_v1, from_v1);

/* Returns whether argument argno is NULL, or beyond the last one. */
static bool
is_left_out(FunctionCallInfo fcinfo, int argno)
{
	return argno >= PG_NARGS() || PG_ARGISNULL(argno);
}

/* An integer argument within bounds, or its default where it is left out. */
static int
int_arg(FunctionCallInfo fcinfo, int argno, const char *name, int lowest, int highest,
		int by_default)
{
	int			n = is_left_out(fcinfo, argno) ? by_default : PG_GETARG_INT32(argno);

	if (n < lowest || n > highest)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be between %d and %d, not %d", name, lowest, highest, n)));
	return n;
}

/*
 * A number of hashes to be kept as it is stored: 63 automatic, 0 none, else its
 * logarithm plus 1.  Up to what postgresql-hll itself takes: its reader does not look
 * whether they fit into its memory.
 */
static uint8
expthresh_arg(FunctionCallInfo fcinfo, int argno)
{
	int64		n = is_left_out(fcinfo, argno) ? -1 : PG_GETARG_INT64(argno);

	if (n < -1 || n > 8192 || (n > 0 && (n & (n - 1)) != 0))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("expthresh must be -1, 0 or a power of 2 up to 8192, not " INT64_FORMAT,
						n)));
	return (uint8) (n < 0 ? 63 : n == 0 ? 0 : pds_log2_64((uint64) n) + 1);
}

/* The form that is in the three arguments from argno on, or as many as there are. */
static void
form_args(FunctionCallInfo fcinfo, int argno, pds_hll_v1_form *form)
{
	form->regwidth = (uint8) int_arg(fcinfo, argno, "regwidth", 1, 7, 5);
	form->expthresh = expthresh_arg(fcinfo, argno + 1);
	form->sparseon = int_arg(fcinfo, argno + 2, "sparseon", 0, 1, 1) != 0;
}

void
pds_hll_require_form_args(FunctionCallInfo fcinfo, int argno)
{
	pds_hll_v1_form form;

	form_args(fcinfo, argno, &form);
}

/* hll_to_storage_v1(hll, log2m int, regwidth int, expthresh bigint, sparseon int) */
PDS_FUNCTION(probds_hll_to_storage_v1)
{
	pds_hll_build *b;
	pds_hll_v1_form form;
	int			log2m;
	bytea	   *result;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	b = export_arg(fcinfo, PDS_FAMILY_NATIVE, V1_SYSTEM);
	log2m = int_arg(fcinfo, 1, "log2m", PDS_HLL_MIN_PRECISION, PDS_HLL_MAX_PRECISION,
					b->precision);
	form.log2m = (uint8) log2m;
	form_args(fcinfo, 2, &form);
	if (log2m > b->precision)
	{
		if (pds_state_kind(b) != PDS_KIND_NONE)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("cannot write an hll of precision %d with log2m = %d",
							b->precision, log2m),
					 errdetail("A sketch can only lose precision, not gain it.")));
		b = pds_hll_new(log2m, pds_state_family(b), true);
	}
	b = pds_hll_at_precision(b, log2m, true);
	result = palloc(VARHDRSZ + pds_hll_v1_bound(&form));
	SET_VARSIZE(result, VARHDRSZ +
				pds_hll_v1_write(pds_hll_build_registers(b), &form,
								 (uint8 *) VARDATA(result)));
	PG_RETURN_BYTEA_P(result);
}

/* ---------- Redis ---------- */

#define REDIS_SYSTEM	"Redis"

static Datum
from_redis(FunctionCallInfo fcinfo, bytea *bytes, pds_kind kind, Oid type)
{
	pds_hll_build *b;

	pds_require_held(pds_hll_family_holds(PDS_HLL_REDIS, kind), type, REDIS_SYSTEM " sketch",
					 "Redis counts strings: text or bytea.");
	b = pds_hll_new(PDS_HLL_REDIS_PRECISION, PDS_HLL_REDIS, true);
	PDS_READ_FOREIGN(pds_hll_redis_read(pds_hll_build_registers(b), PDS_PAYLOAD(bytes),
										PDS_PAYLOAD_LEN(bytes), &why),
					 REDIS_SYSTEM " sketch", bytes);
	return import_result(b, kind);
}

/* hll_from_redis(bytea, regtype) */
PDS_IMPORT_FUNCTION(probds_hll_from_redis, from_redis);

/* hll_to_redis(hll) */
PDS_FUNCTION(probds_hll_to_redis)
{
	pds_hll_build *b = export_arg(fcinfo, PDS_HLL_REDIS, REDIS_SYSTEM);
	bytea	   *result;

	if (b->precision != PDS_HLL_REDIS_PRECISION)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("cannot write an hll of precision %d as a Redis sketch", b->precision),
				 errdetail("Sketches of Redis always have precision %d.",
						   PDS_HLL_REDIS_PRECISION)));
	result = palloc(VARHDRSZ + PDS_HLL_REDIS_BOUND);
	SET_VARSIZE(result, VARHDRSZ +
				pds_hll_redis_write(pds_hll_build_registers(b), (uint8 *) VARDATA(result)));
	PG_RETURN_BYTEA_P(result);
}

/* ---------- Apache DataSketches ---------- */

#define DATASKETCHES_SYSTEM	"DataSketches"

static Datum
from_datasketches(FunctionCallInfo fcinfo, bytea *bytes, pds_kind kind, Oid type)
{
	pds_hll_datasketches s;
	pds_hll_build *b;

	pds_require_held(pds_hll_family_holds(PDS_HLL_DATASKETCHES, kind), type,
					 DATASKETCHES_SYSTEM " sketch",
					 "DataSketches counts integers, floating-point numbers, strings and bytes.");
	PDS_READ_FOREIGN(pds_hll_datasketches_open(&s, PDS_PAYLOAD(bytes), PDS_PAYLOAD_LEN(bytes),
											   &why),
					 DATASKETCHES_SYSTEM " sketch", bytes);
	require_precision(DATASKETCHES_SYSTEM, "lg k", s.lg_k);
	b = pds_hll_new(s.lg_k, PDS_HLL_DATASKETCHES, true);
	PDS_READ_FOREIGN(pds_hll_datasketches_registers(&s, pds_hll_build_registers(b), &why),
					 DATASKETCHES_SYSTEM " sketch", bytes);
	return import_result(b, kind);
}

/* hll_from_datasketches(bytea, regtype) */
PDS_IMPORT_FUNCTION(probds_hll_from_datasketches, from_datasketches);

/* hll_to_datasketches(hll) */
PDS_FUNCTION(probds_hll_to_datasketches)
{
	pds_hll_build *b = export_arg(fcinfo, PDS_HLL_DATASKETCHES, DATASKETCHES_SYSTEM);
	bytea	   *result = palloc(VARHDRSZ + pds_hll_datasketches_bound(b->precision));

	SET_VARSIZE(result, VARHDRSZ +
				pds_hll_datasketches_write(pds_hll_build_registers(b), b->precision,
										   (uint8 *) VARDATA(result)));
	PG_RETURN_BYTEA_P(result);
}
