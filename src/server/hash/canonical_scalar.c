/*
 * canonical_scalar.c: the canonical bytes of built-in types without parts
 *
 * Numbers are little-endian.  Values that are equal under a type's own "=" must give the same
 * bytes here, and other values must differ.  That is why interval is one span, and why inet
 * carries its prefix length.
 */
#include "postgres.h"

#include <sys/socket.h>

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/inet.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"
#include "utils/varbit.h"

#include "hasher.h"

StaticAssertDecl(PDS_PUT_MAX >= 18, "space for the fixed forms (inet)");

/* ---- numbers -------------------------------------------------------------- */

static inline size_t
put_i64(uint8 *out, int64 v)
{
	pds_store_le64(out, (uint64) v);
	return 8;
}

static size_t
put_int2(PdsHasher *hasher, Datum value, uint8 *out)
{
	return put_i64(out, DatumGetInt16(value));
}

/* int4, date */
static size_t
put_int4(PdsHasher *hasher, Datum value, uint8 *out)
{
	return put_i64(out, DatumGetInt32(value));
}

/* int8, money, time, timestamp and others whose values are 64 bits */
size_t
pds_put_int64(PdsHasher *hasher, Datum value, uint8 *out)
{
	return put_i64(out, DatumGetInt64(value));
}

static size_t
put_oid(PdsHasher *hasher, Datum value, uint8 *out)
{
	return put_i64(out, (int64) DatumGetObjectId(value));
}

static size_t
put_float4(PdsHasher *hasher, Datum value, uint8 *out)
{
	return put_i64(out, pds_double_bits((float8) DatumGetFloat4(value)));
}

static size_t
put_float8(PdsHasher *hasher, Datum value, uint8 *out)
{
	return put_i64(out, pds_double_bits(DatumGetFloat8(value)));
}

/* ---- numeric -------------------------------------------------------------- */

/*
 * numeric_send() is the one portable view of a numeric: ndigits, weight,
 * sign, dscale, and the digits base 10000, each two bytes, big-endian.
 */
#define NUMERIC_WIRE_HEADER	8
#define NUMERIC_WIRE_NEG	0x4000
#define NUMERIC_WIRE_NAN	0xC000
#define NUMERIC_WIRE_PINF	0xD000
#define NUMERIC_WIRE_NINF	0xF000

/* The first byte of the form that is not a 64-bit integer */
#define NUMERIC_POSITIVE	1
#define NUMERIC_NEGATIVE	2
#define NUMERIC_NAN			3
#define NUMERIC_PINF		4
#define NUMERIC_NINF		5

static inline unsigned
wire_u16(const uint8 *p)
{
	return ((unsigned) p[0] << 8) | p[1];
}

/*
 * The value of ndigits digits at p, the first of them times 10000^weight, as
 * an int64; false when it is none.  There are no zero digits at either end.
 */
static bool
digits_to_int64(const uint8 *p, int ndigits, int weight, bool negative,
				int64 *result)
{
	uint64		limit = negative ? UINT64CONST(0x8000000000000000) :
		UINT64CONST(0x7fffffffffffffff);
	uint64		v = 0;

	/* a digit behind the point, or more than 10^20 */
	if (ndigits > weight + 1 || weight > 4)
		return false;
	for (int i = 0; i <= weight; i++)
	{
		unsigned	digit = i < ndigits ? wire_u16(p + 2 * i) : 0;

		if (v > (limit - digit) / 10000)
			return false;
		v = v * 10000 + digit;
	}
	*result = negative ? (int64) (0 - v) : (int64) v;
	return true;
}

/*
 * An integer of 64 bits is its 8 bytes, as in the integer types.  All else
 * takes an odd number of bytes, so that the two cannot be confused: a class
 * byte, then for finite values the weight and the digits, 16 bits each.
 */
static void
append_numeric(PdsHasher *hasher, Datum value, PdsSink *sink)
{
	bytea	   *wire = DatumGetByteaPP(DirectFunctionCall1(numeric_send, value));
	const uint8 *p = (const uint8 *) VARDATA_ANY(wire);
	int			ndigits = (int) wire_u16(p);
	int			weight = (int16) wire_u16(p + 2);
	unsigned	sign = wire_u16(p + 4);
	bool		negative = sign == NUMERIC_WIRE_NEG;
	int64		integer;

	p += NUMERIC_WIRE_HEADER;
	while (ndigits > 0 && wire_u16(p) == 0)
	{
		p += 2;
		ndigits--;
		weight--;
	}
	while (ndigits > 0 && wire_u16(p + 2 * (ndigits - 1)) == 0)
		ndigits--;
	if (ndigits == 0)
		weight = -1;

	if (sign == NUMERIC_WIRE_NAN)
		pds_sink_put_byte(sink, NUMERIC_NAN);
	else if (sign == NUMERIC_WIRE_PINF)
		pds_sink_put_byte(sink, NUMERIC_PINF);
	else if (sign == NUMERIC_WIRE_NINF)
		pds_sink_put_byte(sink, NUMERIC_NINF);
	else if (digits_to_int64(p, ndigits, weight, negative, &integer))
		sink->len += put_i64(pds_sink_reserve(sink, 8), integer);
	else
	{
		uint8	   *q = pds_sink_reserve(sink, 3);

		q[0] = negative ? NUMERIC_NEGATIVE : NUMERIC_POSITIVE;
		pds_store_le16(q + 1, (uint16) weight);
		sink->len += 3;
		for (int i = 0; i < ndigits; i++)
		{
			pds_store_le16(pds_sink_reserve(sink, 2), (uint16) wire_u16(p + 2 * i));
			sink->len += 2;
		}
	}
	pfree(wire);
}

/* ---- dates and times ------------------------------------------------------- */

static size_t
put_timetz(PdsHasher *hasher, Datum value, uint8 *out)
{
	TimeTzADT  *t = DatumGetTimeTzADTP(value);

	put_i64(out, t->time);
	pds_store_le32(out + 8, (uint32) t->zone);
	return 12;
}

/*
 * What interval's "=" compares: months of 30 days and days of 24 hours, as
 * microseconds in 128 bits.  A day is 10546875 * 2^13 microseconds, and the
 * days (below 2^36) times 10546875 fit in 64 bits.
 */
static size_t
put_interval(PdsHasher *hasher, Datum value, uint8 *out)
{
	Interval   *span = DatumGetIntervalP(value);
	int64		days = (int64) span->month * DAYS_PER_MONTH + span->day;
	int64		scaled = days * (USECS_PER_DAY >> 13);
	uint64		lo = (uint64) scaled << 13;
	int64		hi = scaled >> 51;

	StaticAssertStmt(USECS_PER_DAY % 8192 == 0, "a day is no multiple of 2^13 microseconds");
	lo += (uint64) span->time;
	hi += (lo < (uint64) span->time) + (span->time < 0 ? -1 : 0);
	pds_store_le64(out, lo);
	put_i64(out + 8, hi);
	return 16;
}

/* ---- bits and addresses ----------------------------------------------------- */

static size_t
put_bool(PdsHasher *hasher, Datum value, uint8 *out)
{
	out[0] = DatumGetBool(value) ? 1 : 0;
	return 1;
}

static size_t
put_uuid(PdsHasher *hasher, Datum value, uint8 *out)
{
	memcpy(out, DatumGetUUIDP(value)->data, UUID_LEN);
	return UUID_LEN;
}

static size_t
put_inet(PdsHasher *hasher, Datum value, uint8 *out)
{
	inet	   *address = DatumGetInetPP(value);
	size_t		size = (size_t) ip_addrsize(address);

	out[0] = ip_family(address) == PGSQL_AF_INET ? 4 : 6;
	out[1] = ip_bits(address);
	memcpy(out + 2, ip_addr(address), size);
	if ((Pointer) address != DatumGetPointer(value))
		pfree(address);
	return 2 + size;
}

static size_t
put_macaddr(PdsHasher *hasher, Datum value, uint8 *out)
{
	memcpy(out, DatumGetMacaddrP(value), 6);
	return 6;
}

static size_t
put_macaddr8(PdsHasher *hasher, Datum value, uint8 *out)
{
	memcpy(out, DatumGetMacaddr8P(value), 8);
	return 8;
}

/* bit and varbit: the number of bits, then the bytes that hold them */
static void
append_bits(PdsHasher *hasher, Datum value, PdsSink *sink)
{
	VarBit	   *bits = DatumGetVarBitP(value);

	pds_sink_put_u32(sink, (uint32) VARBITLEN(bits));
	pds_sink_put(sink, VARBITS(bits), VARBITBYTES(bits));
	if ((Pointer) bits != DatumGetPointer(value))
		pfree(bits);
}

/* ---- the table --------------------------------------------------------------- */

typedef struct ScalarForm
{
	Oid			typid;
	pds_kind	kind;
	PdsPut		put;			/* NULL: append() */
	PdsAppend	append;			/* NULL too: the varlena's own bytes */
} ScalarForm;

static const ScalarForm scalar_forms[] = {
	{INT4OID, PDS_KIND_NUMBER, put_int4, NULL},
	{INT8OID, PDS_KIND_NUMBER, pds_put_int64, NULL},
	{INT2OID, PDS_KIND_NUMBER, put_int2, NULL},
	{OIDOID, PDS_KIND_NUMBER, put_oid, NULL},
	{REGPROCOID, PDS_KIND_NUMBER, put_oid, NULL},
	{REGPROCEDUREOID, PDS_KIND_NUMBER, put_oid, NULL},
	{REGOPEROID, PDS_KIND_NUMBER, put_oid, NULL},
	{REGOPERATOROID, PDS_KIND_NUMBER, put_oid, NULL},
	{REGCLASSOID, PDS_KIND_NUMBER, put_oid, NULL},
	{REGCOLLATIONOID, PDS_KIND_NUMBER, put_oid, NULL},
	{REGTYPEOID, PDS_KIND_NUMBER, put_oid, NULL},
	{REGROLEOID, PDS_KIND_NUMBER, put_oid, NULL},
	{REGNAMESPACEOID, PDS_KIND_NUMBER, put_oid, NULL},
	{REGCONFIGOID, PDS_KIND_NUMBER, put_oid, NULL},
	{REGDICTIONARYOID, PDS_KIND_NUMBER, put_oid, NULL},
#ifdef REGDATABASEOID
	{REGDATABASEOID, PDS_KIND_NUMBER, put_oid, NULL},
#endif
	{NUMERICOID, PDS_KIND_NUMBER, NULL, append_numeric},
	{FLOAT4OID, PDS_KIND_FLOAT, put_float4, NULL},
	{FLOAT8OID, PDS_KIND_FLOAT, put_float8, NULL},
	{CASHOID, PDS_KIND_MONEY, pds_put_int64, NULL},
	{BOOLOID, PDS_KIND_BOOLEAN, put_bool, NULL},
	{BYTEAOID, PDS_KIND_BYTES, NULL, NULL},
	{UUIDOID, PDS_KIND_UUID, put_uuid, NULL},
	{DATEOID, PDS_KIND_DATE, put_int4, NULL},
	{TIMEOID, PDS_KIND_TIME, pds_put_int64, NULL},
	{TIMETZOID, PDS_KIND_TIMETZ, put_timetz, NULL},
	{TIMESTAMPOID, PDS_KIND_TIMESTAMP, pds_put_int64, NULL},
	{TIMESTAMPTZOID, PDS_KIND_TIMESTAMPTZ, pds_put_int64, NULL},
	{INTERVALOID, PDS_KIND_INTERVAL, put_interval, NULL},
	{INETOID, PDS_KIND_INET, put_inet, NULL},
	{CIDROID, PDS_KIND_INET, put_inet, NULL},
	{MACADDROID, PDS_KIND_MACADDR, put_macaddr, NULL},
	{MACADDR8OID, PDS_KIND_MACADDR8, put_macaddr8, NULL},
	{BITOID, PDS_KIND_BIT, NULL, append_bits},
	{VARBITOID, PDS_KIND_BIT, NULL, append_bits},
};

bool
pds_scalar_setup(PdsHasher *hasher, Oid typid)
{
	for (size_t i = 0; i < lengthof(scalar_forms); i++)
	{
		const ScalarForm *form = &scalar_forms[i];

		if (form->typid != typid)
			continue;
		hasher->kind = form->kind;
		hasher->put = form->put;
		hasher->append = form->append;
		hasher->shape = form->put != NULL ? PDS_SHAPE_PUT :
			form->append != NULL ? PDS_SHAPE_APPEND : PDS_SHAPE_BYTES;
		return true;
	}
	return false;
}
