/*
 * values.c: values: their canonical bytes, hashes and texts
 *
 * doc/hashing.md has the canonical bytes, src/server/hash/value_text.h the texts.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sketch.h"

/* ---------- numbers as text, whatever the locale ---------- */

int
write_text(char *out, size_t size, const char *format, ...)
{
	locale_t	c = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
	locale_t	before = c != (locale_t) 0 ? uselocale(c) : (locale_t) 0;
	va_list		args;
	int			n;

	va_start(args, format);
	n = vsnprintf(out, size, format, args);
	va_end(args);
	if (c != (locale_t) 0)
	{
		uselocale(before);
		freelocale(c);
	}
	return n;
}

bool
read_float(const char *text, size_t length, double *value)
{
	char		copy[512];
	char	   *end;
	bool		out_of_range;
	locale_t	c;
	locale_t	before;

	if (length == 0 || length >= sizeof(copy) || memchr(text, '\0', length) != NULL)
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	/* digits and the words infinity and nan; neither hexadecimal digits nor white space */
	if (copy[strspn(copy, "+-.0123456789eEinfatyINFATY")] != '\0')
		return false;
	c = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
	before = c != (locale_t) 0 ? uselocale(c) : (locale_t) 0;
	errno = 0;
	*value = strtod(copy, &end);
	/* what is not quite zero is in range, though it has fewer digits */
	out_of_range = errno == ERANGE && (*value == 0 || isinf(*value));
	if (c != (locale_t) 0)
	{
		uselocale(before);
		freelocale(c);
	}
	return *end == '\0' && end != copy && !out_of_range;
}

static bool
read_integer(const char *text, size_t length, int64_t *value)
{
	bool		negative = length > 0 && text[0] == '-';
	size_t		i = length > 0 && (text[0] == '-' || text[0] == '+');
	uint64_t	n = 0;

	if (i == length)
		return false;
	for (; i < length; i++)
	{
		unsigned	digit = (unsigned) (text[i] - '0');

		if (digit > 9 || n > (UINT64_MAX - digit) / 10)
			return false;
		n = n * 10 + digit;
	}
	if (n > (uint64_t) INT64_MAX + negative)
		return false;
	*value = (int64_t) (negative ? 0 - n : n);
	return true;
}

/* ---------- dates ---------- */

#define DAY			INT64_C(86400000000)
#define INFINITE_DATE	INT32_MAX

/* Days since 2000-01-01 of a date of the Gregorian calendar, and back. */
static int64_t
days_of(int64_t year, int month, int day)
{
	int64_t		y = year - (month <= 2);
	int64_t		era = (y >= 0 ? y : y - 399) / 400;
	int64_t		of_era = y - era * 400;
	int64_t		of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 730425;
}

static void
date_of(int64_t days, int64_t *year, int *month, int *day)
{
	int64_t		z = days + 730425;
	int64_t		era = (z >= 0 ? z : z - 146096) / 146097;
	int64_t		of_era = z - era * 146097;
	int64_t		y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t		of_year = of_era - (365 * y + y / 4 - y / 100);
	int			m = (int) ((5 * of_year + 2) / 153);

	*day = (int) (of_year - (153 * m + 2) / 5 + 1);
	*month = m + (m < 10 ? 3 : -9);
	*year = y + era * 400 + (*month <= 2);
}

/* Read up to "most" digits, at least "least"; false if they are not there. */
static bool
read_digits(const char **at, const char *end, int least, int most, int64_t *n)
{
	int			digits = 0;

	for (*n = 0; *at < end && digits < most && **at >= '0' && **at <= '9'; (*at)++, digits++)
		*n = *n * 10 + (**at - '0');
	return digits >= least;
}

static bool
read_char(const char **at, const char *end, char c)
{
	if (*at == end || **at != c)
		return false;
	(*at)++;
	return true;
}

static bool
read_date(const char **at, const char *end, int64_t *days)
{
	static const uint8_t lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int64_t		year;
	int64_t		month;
	int64_t		day;

	if (!read_digits(at, end, 4, 7, &year) || !read_char(at, end, '-') ||
		!read_digits(at, end, 2, 2, &month) || !read_char(at, end, '-') ||
		!read_digits(at, end, 2, 2, &day) || year < 1 || month < 1 || month > 12 || day < 1)
		return false;
	if (day > lengths[month - 1] + (month == 2 && year % 4 == 0 &&
									(year % 100 != 0 || year % 400 == 0)))
		return false;
	*days = days_of(year, (int) month, (int) day);
	return year <= 5874897;
}

/* "12:00", "12:00:00" or "12:00:00.5", in microseconds. */
static bool
read_time(const char **at, const char *end, int64_t *time)
{
	int64_t		hour;
	int64_t		minute;
	int64_t		second = 0;
	int64_t		fraction = 0;

	if (!read_digits(at, end, 2, 2, &hour) || !read_char(at, end, ':') ||
		!read_digits(at, end, 2, 2, &minute) || hour > 24 || minute > 59)
		return false;
	if (read_char(at, end, ':'))
	{
		if (!read_digits(at, end, 2, 2, &second) || second > 60)
			return false;
		if (read_char(at, end, '.'))
		{
			const char *from = *at;

			if (!read_digits(at, end, 1, 6, &fraction))
				return false;
			for (int64_t digits = *at - from; digits < 6; digits++)
				fraction *= 10;
		}
	}
	*time = ((hour * 60 + minute) * 60 + second) * 1000000 + fraction;
	return *time <= DAY;
}

/* "Z", "+00", "-05:30" or "+05:30:15", in microseconds to be taken off. */
static bool
read_zone(const char **at, const char *end, int64_t *offset)
{
	bool		west;
	int64_t		hour;
	int64_t		minute = 0;
	int64_t		second = 0;

	*offset = 0;
	if (read_char(at, end, 'Z'))
		return true;
	west = read_char(at, end, '-');
	if ((!west && !read_char(at, end, '+')) || !read_digits(at, end, 2, 2, &hour) ||
		(read_char(at, end, ':') && !read_digits(at, end, 2, 2, &minute)) ||
		(read_char(at, end, ':') && !read_digits(at, end, 2, 2, &second)) ||
		hour > 15 || minute > 59 || second > 59)
		return false;
	*offset = ((hour * 60 + minute) * 60 + second) * (west ? -1000000 : 1000000);
	return true;
}

/* A date or timestamp; false if it is none. */
static bool
read_when(int kind, const char *text, size_t length, int64_t *value)
{
	const char *at = text;
	const char *end = text + length;
	bool		below = length == 9 && memcmp(text, "-infinity", 9) == 0;
	int64_t		time = 0;
	int64_t		offset = 0;

	if (below || (length == 8 && memcmp(text, "infinity", 8) == 0))
	{
		*value = kind == PROBDS_DATE ? (below ? INT32_MIN : INFINITE_DATE) :
			below ? INT64_MIN : INT64_MAX;
		return true;
	}
	if (!read_date(&at, end, value))
		return false;
	if (kind == PROBDS_DATE)
		return at == end;
	if (at < end && !((read_char(&at, end, ' ') || read_char(&at, end, 'T')) &&
					  read_time(&at, end, &time)))
		return false;
	if (kind == PROBDS_TIMESTAMPTZ && !read_zone(&at, end, &offset))
		return false;
	/* the last timestamp of the server is in 294276 */
	if (at != end || *value >= days_of(294277, 1, 1))
		return false;
	*value = *value * DAY + time - offset;
	return *value < days_of(294277, 1, 1) * DAY;
}

/* ---------- reading ---------- */

static bool
read_uuid(const char *text, size_t length, uint8_t *out)
{
	static const char digits[] = "0123456789abcdef";
	int			n = 0;

	for (size_t i = 0; i < length; i++)
	{
		const char *digit;

		if (text[i] == '-' && (n == 8 || n == 12 || n == 16 || n == 20) && text[i - 1] != '-')
			continue;
		digit = memchr(digits, text[i] >= 'A' && text[i] <= 'F' ? text[i] + 32 : text[i], 16);
		if (digit == NULL || n == 32)
			return false;
		out[n / 2] = (uint8_t) (n % 2 == 0 ? (digit - digits) << 4 :
								out[n / 2] | (digit - digits));
		n++;
	}
	return n == 32;
}

static bool
read_boolean(const char *text, size_t length, int64_t *value)
{
	static const char *const words[] = {"f", "t", "false", "true", "0", "1", "no", "yes"};

	for (int i = 0; i < 8; i++)
		if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
		{
			*value = i % 2;
			return true;
		}
	return false;
}

int
probds_value_from_text(int kind, const char *text, size_t length, uint8_t memory[16],
					   probds_value *value, probds_error *error)
{
	bool		good;

	*value = probds_value_bytes(kind, text, length);
	switch (kind)
	{
		case PROBDS_TEXT:
		case PROBDS_BYTES:
			return PROBDS_OK;
		case PROBDS_UUID:
			good = read_uuid(text, length, memory);
			*value = probds_value_bytes(kind, memory, 16);
			break;
		case PROBDS_FLOAT:
			good = read_float(text, length, &value->of.real);
			break;
		case PROBDS_INTEGER:
			good = read_integer(text, length, &value->of.integer);
			break;
		case PROBDS_BOOLEAN:
			good = read_boolean(text, length, &value->of.integer);
			break;
		case PROBDS_DATE:
		case PROBDS_TIMESTAMP:
		case PROBDS_TIMESTAMPTZ:
			good = read_when(kind, text, length, &value->of.integer);
			break;
		default:
			return fail(error, PROBDS_VALUE, "A text cannot be read as a value of kind %s here.",
						probds_kind_of_name(kind));
	}
	return good ? PROBDS_OK :
		fail(error, PROBDS_VALUE, "This is no value of kind %s: \"%.*s\".",
			 kind == PROBDS_INTEGER ? "integer" : probds_kind_of_name(kind),
			 (int) (length < 60 ? length : 60), text);
}

/* ---------- hashes ---------- */

int
hash_value(const probds_value *v, pds_hash *hash, probds_error *error)
{
	uint8_t		byte;

	if (v->kind >= PROBDS_CANONICAL)
	{
		*hash = pds_murmur3(v->of.bytes, v->length, 0);
		return PROBDS_OK;
	}
	switch (v->kind)
	{
		case PROBDS_TEXT:
		case PROBDS_BYTES:
			*hash = pds_murmur3(v->of.bytes, v->length, 0);
			return PROBDS_OK;
		case PROBDS_UUID:
			if (v->length != 16)
				return fail(error, PROBDS_VALUE, "A uuid has 16 bytes, not %zu.", v->length);
			*hash = pds_murmur3(v->of.bytes, 16, 0);
			return PROBDS_OK;
		case PROBDS_BOOLEAN:
			byte = v->of.integer != 0;
			*hash = pds_murmur3(&byte, 1, 0);
			return PROBDS_OK;
		case PROBDS_FLOAT:
			*hash = pds_hash_number(pds_double_bits(v->of.real));
			return PROBDS_OK;
		case PROBDS_DATE:
			if (v->of.integer != (int32_t) v->of.integer)
				return fail(error, PROBDS_VALUE, "A date has 32 bits.");
			*hash = pds_hash_number(v->of.integer);
			return PROBDS_OK;
		case PROBDS_INTEGER:
		case PROBDS_TIMESTAMP:
		case PROBDS_TIMESTAMPTZ:
			*hash = pds_hash_number(v->of.integer);
			return PROBDS_OK;
		default:
			return fail(error, PROBDS_VALUE, "Values of kind %s cannot be hashed here.",
						probds_kind_of_name(v->kind));
	}
}

int
probds_value_hash(probds_value value, uint64_t hash[2], probds_error *error)
{
	pds_hash	h;
	int			code = hash_value(&value, &h, error);

	if (code != PROBDS_OK)
		return code;
	hash[0] = h.h1;
	hash[1] = h.h2;
	return PROBDS_OK;
}

const char *
probds_kind_of_name(int kind)
{
	if (kind < 0 || kind > 255 || !pds_kind_code_valid((uint8_t) kind))
		return "unknown";
	if ((kind & (PDS_KIND_ARRAY | PDS_KIND_RANGE)) != 0)
		return (kind & PDS_KIND_ARRAY) != 0 ? "array" : "range";
	return pds_kind_base_name((uint8_t) kind);
}

/* ---------- texts ---------- */

bool
is_utf8(const char *text, size_t length)
{
	const uint8_t *p = (const uint8_t *) text;
	const uint8_t *end = p + length;

	while (p < end)
	{
		int			more;
		uint32_t	c = *p++;

		if (c < 0x80)
		{
			if (c == 0)
				return false;
			continue;
		}
		more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
		if (c < 0xc2 || c > 0xf4 || end - p < more)
			return false;
		c &= 0x3fu >> more;
		for (int i = 0; i < more; i++)
		{
			if ((*p & 0xc0) != 0x80)
				return false;
			c = c << 6 | (*p++ & 0x3f);
		}
		if ((more == 2 && (c < 0x800 || (c >= 0xd800 && c < 0xe000))) ||
			(more == 3 && (c < 0x10000 || c > 0x10ffff)))
			return false;
	}
	return true;
}

/*
 * Is a number of so few digits, "1.25e+20", halfway between two doubles?  The server takes no such
 * text, although it is read as one of the two.  Halfway are numbers whose odd part has 54 bits.
 * With up to 16 digits these are whole.
 */
static bool
is_halfway(const char *digits, int precision, int exponent)
{
	int			power = exponent - (precision - 1);
	uint64_t	odd = 0;

	for (const char *c = digits; *c != 'e'; c++)
		if (*c >= '0' && *c <= '9')
			odd = odd * 10 + (uint64_t) (*c - '0');
	if (precision > 16 || power < 0 || odd == 0)
		return false;
	while (odd % 2 == 0)
		odd /= 2;
	for (; power > 0 && odd < UINT64_C(1) << 54; power--)
		odd *= 5;
	return odd > UINT64_C(1) << 53 && odd < UINT64_C(1) << 54;
}

/* The fewest digits that tell the number, in the form of the server's. */
static size_t
float_text(double v, char *out)
{
	char		digits[40];
	int			n;
	int			exponent = 0;
	int			precision = 1;
	bool		done = false;
	char	   *e = digits;

	if (v != v)
		return (size_t) write_text(out, VALUE_TEXT, "NaN");
	if (isinf(v))
		return (size_t) write_text(out, VALUE_TEXT, v < 0 ? "-Infinity" : "Infinity");
	if (v == 0)
		v = 0;
	for (; !done && precision <= 17; precision++)
	{
		double		back;
		int			binary;

		n = write_text(digits, sizeof(digits), "%.*e", precision - 1, v);
		e = strchr(digits, 'e');
		exponent = atoi(e + 1);
		for (int up = 0; up < 2 && !done; up++)
		{
			/* below a power of 2 doubles are closer, so it may be the next number above */
			if (up > 0 && fabs(frexp(v, &binary)) == 0.5 && e[-1] < '9')
				e[-1]++;
			done = read_float(digits, (size_t) n, &back) && back == v &&
				!is_halfway(digits, precision, exponent);
		}
	}
	precision--;
	if (exponent >= -4 && exponent < 15)
		return (size_t) write_text(out, VALUE_TEXT, "%.*f", precision - 1 > exponent ?
								   precision - 1 - exponent : 0, v);
	return (size_t) write_text(out, VALUE_TEXT, "%.*s%s%s%02d", (int) (e - digits), digits, "e",
							   exponent < 0 ? "-" : "+", exponent < 0 ? -exponent : exponent);
}

static size_t
when_text(int kind, int64_t value, char *out)
{
	int64_t		days = value;
	int64_t		time = 0;
	int64_t		year;
	int			month;
	int			day;
	int			n;
	int			second;

	if (value == (kind == PROBDS_DATE ? INT32_MIN : INT64_MIN))
		return (size_t) write_text(out, VALUE_TEXT, "-infinity");
	if (value == (kind == PROBDS_DATE ? INFINITE_DATE : INT64_MAX))
		return (size_t) write_text(out, VALUE_TEXT, "infinity");
	if (kind != PROBDS_DATE)
	{
		/* (days * DAY can be below all int64_t) */
		days = value / DAY - (value % DAY < 0);
		time = value % DAY + (value % DAY < 0 ? DAY : 0);
	}
	date_of(days, &year, &month, &day);
	n = write_text(out, VALUE_TEXT, "%04lld-%02d-%02d", (long long) (year > 0 ? year : 1 - year),
				   month, day);
	if (kind != PROBDS_DATE)
	{
		int			micros = (int) (time % 1000000);

		second = (int) (time / 1000000);
		n += write_text(out + n, (size_t) (VALUE_TEXT - n), " %02d:%02d:%02d", second / 3600,
						second / 60 % 60, second % 60);
		if (micros != 0)
		{
			n += write_text(out + n, (size_t) (VALUE_TEXT - n), ".%06d", micros);
			while (out[n - 1] == '0')
				n--;
		}
		if (kind == PROBDS_TIMESTAMPTZ)
			n += write_text(out + n, (size_t) (VALUE_TEXT - n), "+00");
	}
	if (year <= 0)
		n += write_text(out + n, (size_t) (VALUE_TEXT - n), " BC");
	return (size_t) n;
}

static char *
put_hex(const uint8_t *bytes, size_t n, char *out)
{
	for (size_t i = 0; i < n; i++)
	{
		*out++ = "0123456789abcdef"[bytes[i] >> 4];
		*out++ = "0123456789abcdef"[bytes[i] & 15];
	}
	return out;
}

const char *
value_text(const probds_value *v, char *memory, size_t most, size_t *length)
{
	const uint8_t *bytes = v->of.bytes;
	char	   *at = memory;

	if (v->kind >= PROBDS_CANONICAL)
		return NULL;
	switch (v->kind)
	{
		case PROBDS_TEXT:
			*length = v->length;
			return is_utf8(v->of.bytes, v->length) ? v->of.bytes : NULL;
		case PROBDS_BYTES:
			*length = 2 + 2 * v->length;
			memory[0] = '\\';
			memory[1] = 'x';
			put_hex(bytes, v->length < (most - 2) / 2 ? v->length : (most - 2) / 2, memory + 2);
			return memory;
		case PROBDS_UUID:
			for (int i = 0; i < 16; i++)
			{
				if (i == 4 || i == 6 || i == 8 || i == 10)
					*at++ = '-';
				at = put_hex(bytes + i, 1, at);
			}
			*length = 36;
			return memory;
		case PROBDS_FLOAT:
			*length = float_text(v->of.real, memory);
			return memory;
		case PROBDS_BOOLEAN:
			*length = (size_t) write_text(memory, VALUE_TEXT, v->of.integer ? "true" : "false");
			return memory;
		case PROBDS_INTEGER:
			*length = (size_t) write_text(memory, VALUE_TEXT, "%lld", (long long) v->of.integer);
			return memory;
		default:
			*length = when_text(v->kind, v->of.integer, memory);
			return memory;
	}
}
