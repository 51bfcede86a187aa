/*
 * varint.h: whole numbers in as few bytes as they need
 *
 * LEB128: seven bits a byte, the least significant first, the top bit set on
 * all but the last.  Only the shortest form of a number is accepted, so that
 * equal sketches are equal bytes.
 */
#ifndef PDS_BASE_VARINT_H
#define PDS_BASE_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PDS_VARINT_MAX_BYTES 10

/* Write v at p; returns the number of bytes, 1 to 10. */
static inline size_t
pds_varint_put(uint8_t *p, uint64_t v)
{
	size_t		n = 0;

	while (v >= 0x80)
	{
		p[n++] = (uint8_t) (v | 0x80);
		v >>= 7;
	}
	p[n++] = (uint8_t) v;
	return n;
}

/*
 * Read a number from the len bytes at p into *v.  Returns the number of bytes
 * it took, or 0 when it is cut off, over 64 bits, or longer than it need be.
 */
static inline size_t
pds_varint_get(const uint8_t *p, size_t len, uint64_t *v)
{
	uint64_t	r = 0;
	size_t		n = 0;

	while (n < len && n < PDS_VARINT_MAX_BYTES)
	{
		uint8_t		b = p[n];

		if (n == 9 && b > 1)
			return 0;
		r |= (uint64_t) (b & 0x7f) << (7 * n);
		n++;
		if ((b & 0x80) == 0)
		{
			if (b == 0 && n > 1)
				return 0;
			*v = r;
			return n;
		}
	}
	return 0;
}

/*
 * Read a number of up to "most" at *at of the "have" bytes at p, and move *at behind it.  False
 * if these bytes are no such number.
 */
static inline bool
pds_varint_read(const uint8_t *p, size_t have, size_t *at, uint64_t most, uint64_t *v)
{
	size_t		n = pds_varint_get(p + *at, have - *at, v);

	*at += n;
	return n > 0 && *v <= most;
}

#endif
