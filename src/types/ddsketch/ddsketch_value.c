/*
 * ddsketch_value.c: SQL values as the numbers of a ddsketch, and back
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "ddsketch_type.h"

/* What interval's "=" compares.  From 17 on an interval can be infinite. */
static double
interval_value(const Interval *span)
{
	int64		days = (int64) span->month * DAYS_PER_MONTH + span->day;

#ifdef INTERVAL_IS_NOBEGIN
	if (INTERVAL_IS_NOBEGIN(span))
		return -get_float8_infinity();
	if (INTERVAL_IS_NOEND(span))
		return get_float8_infinity();
#endif
	/* whole numbers as long as they can be */
	if (days > -100000000 && days < 100000000 &&
		span->time > PG_INT64_MIN / 16 && span->time < PG_INT64_MAX / 16)
		return (double) (days * USECS_PER_DAY + span->time);
	return (double) days * USECS_PER_DAY + (double) span->time;
}

/* Of a value of this type, never a domain. */
static double
number_of(Oid typid, Datum value, pds_kind *kind)
{
	*kind = PDS_KIND_NUMBER;
	switch (typid)
	{
		case FLOAT8OID:
			return DatumGetFloat8(value);
		case FLOAT4OID:
			return DatumGetFloat4(value);
		case INT8OID:
			return (double) DatumGetInt64(value);
		case INT4OID:
			return DatumGetInt32(value);
		case INT2OID:
			return DatumGetInt16(value);
		case NUMERICOID:
			return DatumGetFloat8(DirectFunctionCall1(numeric_float8, value));
		case INTERVALOID:
			*kind = PDS_KIND_INTERVAL;
			return interval_value(DatumGetIntervalP(value));
		default:
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH),
					 errmsg("ddsketch holds numbers or intervals, not values of type %s",
							format_type_be(typid)),
					 errhint("Cast the value to double precision. Of points in time take the "
							 "difference from a fixed one, which is an interval.")));
	}
}

double
pds_ddsketch_value_of(const PdsHasher *hasher, Datum value, pds_kind *kind)
{
	if (!hasher->reads)
		return number_of(hasher->typid, value, kind);
	*kind = PDS_KIND_NUMBER;
	return DatumGetFloat8(DirectFunctionCall1(float8in,
											  CStringGetDatum(TextDatumGetCString(value))));
}

Datum
pds_ddsketch_interval(double microseconds)
{
	Interval   *span = palloc0(sizeof(Interval));
	double		days = trunc(microseconds / USECS_PER_DAY);

	if (isnan(microseconds) || isinf(microseconds))
	{
#ifdef INTERVAL_NOBEGIN
		if (microseconds < 0)
			INTERVAL_NOBEGIN(span);
		else
			INTERVAL_NOEND(span);
		return IntervalPGetDatum(span);
#endif
	}
	if (!(fabs(days) < PG_INT32_MAX))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("interval out of range")));
	span->day = (int32) days;
	span->time = (TimeOffset) rint(microseconds - days * USECS_PER_DAY);
	return IntervalPGetDatum(span);
}
