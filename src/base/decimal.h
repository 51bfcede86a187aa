/*
 * decimal.h: a probability in 16 bits, as people write it
 *
 * 0.01 is kept as 1.00e-2, with three significant decimal digits and an exponent. So a sketch
 * reports "0.01" again on every machine, and nothing stored depends on the last bit of a
 * floating-point number.
 *
 *     value = digits * 10^-(3 + e)    digits 100 to 999, e 0 to 8
 *     code  = 1 + 900 * e + digits - 100
 *
 * Code 0 is "not known".
 */
#ifndef PDS_BASE_DECIMAL_H
#define PDS_BASE_DECIMAL_H

#include <stdint.h>

#define PDS_DECIMAL_MIN			1e-9
#define PDS_DECIMAL_EXPONENTS	9
#define PDS_DECIMAL_CODES		(1 + 900 * PDS_DECIMAL_EXPONENTS)

static inline double
pds_decimal_scale(int e)
{
	static const double powers[PDS_DECIMAL_EXPONENTS] = {
		1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11
	};

	return powers[e];
}

/*
 * The code of a value of at least 1e-9 and below 1, rounded down to three
 * digits; 0 for any other, NaN included.
 */
static inline uint16_t
pds_decimal_code(double v)
{
	int			e = 0;
	int			digits;

	if (!(v >= PDS_DECIMAL_MIN * (1 - 1e-12) && v < 1))
		return 0;
	/* a number that misses a digit only by the rounding of a double counts as that digit */
	while (e < PDS_DECIMAL_EXPONENTS - 1 && v * pds_decimal_scale(e) < 100 - 1e-7)
		e++;
	digits = (int) (v * pds_decimal_scale(e) + 1e-7);
	if (digits < 100)
		digits = 100;
	if (digits > 999)
		digits = 999;
	return (uint16_t) (1 + 900 * e + digits - 100);
}

/* The value of a code of 1 to PDS_DECIMAL_CODES - 1: the double that is nearest to it. */
static inline double
pds_decimal_value(uint16_t code)
{
	return (100 + (code - 1) % 900) / pds_decimal_scale((code - 1) / 900);
}

#endif
