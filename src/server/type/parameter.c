/*
 * parameter.c: what a sketch type is told when it is built
 */
#include "postgres.h"

#include <math.h>

#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "compat.h"
#include "decimal.h"
#include "parameter.h"

int
pds_parameter_count(const PdsParameter *parameters)
{
	int			n = 0;

	while (parameters[n].name != NULL)
		n++;
	return n;
}

char *
pds_parameter_names(const PdsParameter *parameters, int n)
{
	StringInfoData s;

	initStringInfo(&s);
	for (int i = 0; i < n; i++)
		appendStringInfo(&s, "%s%s", i == 0 ? "" : i == n - 1 ? " and " : ", ",
						 parameters[i].name);
	return s.data;
}

/* ---------- one value ---------- */

/* 22023 unless the parameter can have this value, which may not be a number. */
static double
require_in_range(const char *type, const PdsParameter *p, double value)
{
	if (p->form == PDS_INTEGER && !(value >= p->least && value <= p->most))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s %s must be between %d and %d, not %d", type, p->name,
						(int) p->least, (int) p->most, (int) value),
				 errhint("%s", p->hint)));
	if (p->form == PDS_COUNT && !(value >= 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s %s must be at least 1, not %g", type, p->name, value),
				 errhint("%s", p->hint)));
	if (p->form == PDS_SHARE && pds_decimal_code(value) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s %s must be at least %g and below 1, not %g", type, p->name,
						PDS_DECIMAL_MIN, value),
				 errhint("%s", p->hint)));
	return p->form == PDS_COUNT ? ceil(value) : value;
}

/* The place of a name in the list of a NAME; 22023 if it is not there. */
static int
parameter_place(const char *type, const PdsParameter *parameter, const char *name, size_t len)
{
	for (int i = 0; parameter->names[i] != NULL; i++)
		if (strlen(parameter->names[i]) == len && memcmp(parameter->names[i], name, len) == 0)
			return i;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("unrecognized %s %s: \"%.*s\"", type, parameter->name, (int) Min(len, 40),
					name),
			 errhint("%s", parameter->hint)));
}

/* ---------- arguments ---------- */

static double
argument_value(FunctionCallInfo fcinfo, int argno, const char *type, const PdsParameter *p)
{
	text	   *name;

	switch (p->form)
	{
		case PDS_INTEGER:
			return require_in_range(type, p, PG_GETARG_INT32(argno));
		case PDS_NAME:
			name = PG_GETARG_TEXT_PP(argno);
			return parameter_place(type, p, VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name));
		case PDS_FLAG:
			return PG_GETARG_BOOL(argno);
		default:
			return require_in_range(type, p, PG_GETARG_FLOAT8(argno));
	}
}

void
pds_parameter_args(FunctionCallInfo fcinfo, int argno, const char *type,
				   const PdsParameter *parameters, double *values)
{
	for (int i = 0; parameters[i].name != NULL; i++)
		values[i] = argno + i < PG_NARGS() && !PG_ARGISNULL(argno + i) ?
			argument_value(fcinfo, argno + i, type, &parameters[i]) : parameters[i].standard;
}

void
pds_parameter_defaults(const char *type, const PdsParameter *parameters, double *values)
{
	for (int i = 0; parameters[i].name != NULL; i++)
	{
		values[i] = parameters[i].standard;
		if (isnan(values[i]))
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("cannot add to a %s that is null", type),
					 errdetail("A new %s needs a %s, which has no default.", type,
							   parameters[i].name),
					 errhint("Write coalesce(sketch, %s_empty(%s)), or give the column a type "
							 "modifier.", type, parameters[i].name)));
	}
}

/* ---------- type modifiers ---------- */

/*
 * A modifier is a number below 2^31 whose digits are the parameters, the first the lowest.  An
 * INTEGER digit is from 0 to the largest.  Others have bits: a COUNT four decimal digits (14 bits)
 * and the number of zeros behind them (3 bits).
 */
#define COUNT_DIGITS		9999
#define COUNT_DIGIT_BITS	14
#define COUNT_ZERO_BITS		3
#define SHARE_BITS			13
#define NAME_BITS			1

/* How many values the digit of a parameter can have. */
static uint64
base_of(const PdsParameter *p)
{
	switch (p->form)
	{
		case PDS_INTEGER:
			return (uint64) p->most + 1;
		case PDS_COUNT:
			return UINT64CONST(1) << (COUNT_DIGIT_BITS + COUNT_ZERO_BITS);
		case PDS_SHARE:
			return 1 << SHARE_BITS;
		case PDS_NAME:
			return 1 << NAME_BITS;
		default:
			return 1;
	}
}

/* The names that a modifier can have. */
static int
names_of(const PdsParameter *p)
{
	int			n = 0;

	while (p->names[n] != NULL)
		n++;
	return n - p->unmodified;
}

/* An argument of a modifier by the server's input function, with its error (22P02, 22003). */
static Datum
number_of(PGFunction input, const char *arg)
{
	return DirectFunctionCall1(input, CStringGetDatum(arg));
}

void
pds_parameter_typmod_args(const char *type, const PdsParameter *parameters, int most,
						  char **args, int n, double *values)
{
	for (int i = 0; i < most; i++)
	{
		const PdsParameter *p = &parameters[i];

		if (i >= n)
			values[i] = p->standard;
		else if (p->form == PDS_NAME)
		{
			values[i] = parameter_place(type, p, args[i], strlen(args[i]));
			if (values[i] >= names_of(p))
				(void) parameter_place(type, p, "", 0);
		}
		else if (p->form == PDS_INTEGER)
			values[i] = require_in_range(type, p, DatumGetInt32(number_of(int4in, args[i])));
		else
			values[i] = require_in_range(type, p, DatumGetFloat8(number_of(float8in, args[i])));
	}
	/* those that no modifier has */
	for (int i = most; i < pds_parameter_count(parameters); i++)
		values[i] = parameters[i].standard;
}

/* A count as digits and zeros; 22023 if it has too many of the former. */
static uint32
pack_count(const char *type, const PdsParameter *p, double value)
{
	uint32		zeros = 0;

	while (value > COUNT_DIGITS && fmod(value, 10) == 0 && zeros < (1 << COUNT_ZERO_BITS) - 1)
	{
		value /= 10;
		zeros++;
	}
	if (value > COUNT_DIGITS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s in a type modifier of %s can have four significant digits",
						p->name, type),
				 errhint("Round it up.")));
	return (uint32) value | zeros << COUNT_DIGIT_BITS;
}

int32
pds_parameter_pack(const char *type, const PdsParameter *parameters, int most,
				   const double *values)
{
	uint64		typmod = 0;
	uint64		place = 1;

	for (int i = 0; i < most; i++)
	{
		const PdsParameter *p = &parameters[i];
		uint32		digit;

		if (p->form == PDS_COUNT)
			digit = pack_count(type, p, values[i]);
		else if (p->form == PDS_SHARE)
			digit = pds_decimal_code(values[i]);
		else
			digit = (uint32) values[i];
		typmod += digit * place;
		place *= base_of(p);
	}
	Assert(place <= UINT64CONST(1) << 31);
	return (int32) typmod;
}

bool
pds_parameter_unpack(const PdsParameter *parameters, int most, int32 typmod, double *values)
{
	uint64		rest = (uint64) typmod;

	if (typmod < 0)
		return false;
	for (int i = 0; i < most; i++)
	{
		const PdsParameter *p = &parameters[i];
		uint32		digit = (uint32) (rest % base_of(p));

		rest /= base_of(p);
		switch (p->form)
		{
			case PDS_COUNT:
				values[i] = digit & ((1 << COUNT_DIGIT_BITS) - 1);
				if (values[i] < 1)
					return false;
				for (uint32 zeros = digit >> COUNT_DIGIT_BITS; zeros > 0; zeros--)
					values[i] *= 10;
				break;
			case PDS_SHARE:
				if (digit == 0 || digit >= PDS_DECIMAL_CODES)
					return false;
				values[i] = pds_decimal_value((uint16) digit);
				break;
			case PDS_NAME:
				if ((int) digit >= names_of(p))
					return false;
				values[i] = digit;
				break;
			default:
				values[i] = digit;
				if ((values[i] < p->least || values[i] > p->most) && values[i] != p->standard)
					return false;
		}
	}
	for (int i = most; parameters[i].name != NULL; i++)
		values[i] = parameters[i].standard;
	return rest == 0;
}

char *
pds_parameter_text(const PdsParameter *parameters, int most, const double *values,
				   const char *separator)
{
	StringInfoData s;

	initStringInfo(&s);
	for (int i = 0; i < most; i++)
	{
		const PdsParameter *p = &parameters[i];
		const char *between = i == 0 ? "" : separator;

		if ((p->form == PDS_NAME || (p->form == PDS_INTEGER && i > 0)) &&
			values[i] == p->standard)
			continue;
		if (p->form == PDS_NAME)
			appendStringInfo(&s, "%s'%s'", between, p->names[(int) values[i]]);
		else if (p->form == PDS_SHARE)
			appendStringInfo(&s, "%s%g", between,
							 pds_decimal_value(pds_decimal_code(values[i])));
		else
			appendStringInfo(&s, "%s%.0f", between, values[i]);
	}
	return s.data;
}

void
pds_refuse_capacity(const char *what, double capacity, uint16 rate, uint64 most)
{
	uint64		values = pds_capacity_of(capacity);

	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("%s for %llu values would be larger than a value can be", what,
					(unsigned long long) values),
			 errdetail("At a false-positive rate of %g one filter can be for up to %llu values.",
					   pds_decimal_value(rate), (unsigned long long) most),
			 errhint("Split the values over %llu rows by their hash, with a filter in each.",
					 (unsigned long long) ((values - 1) / most + 1))));
}
