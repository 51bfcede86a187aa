/*
 * bits.h: bit counting, unaligned little-endian access, and a bit stream
 *
 * Everything that is stored goes through these, so that a sketch is the same
 * bytes on every CPU.  The stream is written and read from the least
 * significant bit of each byte upwards.
 */
#ifndef PDS_BASE_BITS_H
#define PDS_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define PDS_BIG_ENDIAN 1
#endif

/*
 * Of a struct that stands for the head of any other.  Without this, a compiler that sees all files
 * at once (-flto) takes the two for different memory.
 */
#define PDS_HEAD	__attribute__((may_alias))

/* Of a function that becomes a copy for each constant that it is called with. */
#define PDS_INLINE	static inline __attribute__((always_inline))

/* pds_load_le32(), pds_store_le32(), ...: numbers in memory, little-endian. */
#ifdef PDS_BIG_ENDIAN
#define PDS_LITTLE(bits, v)	__builtin_bswap##bits(v)
#else
#define PDS_LITTLE(bits, v)	(v)
#endif

#define PDS_LITTLE_ENDIAN(bits) \
	static inline uint##bits##_t \
	pds_load_le##bits(const void *p) \
	{ \
		uint##bits##_t v; \
		memcpy(&v, p, sizeof(v)); \
		return PDS_LITTLE(bits, v); \
	} \
	static inline void \
	pds_store_le##bits(void *p, uint##bits##_t v) \
	{ \
		v = PDS_LITTLE(bits, v); \
		memcpy(p, &v, sizeof(v)); \
	}

PDS_LITTLE_ENDIAN(64)
PDS_LITTLE_ENDIAN(32)
PDS_LITTLE_ENDIAN(16)

/* Number i of an array of numbers of 1, 2, 4 or 8 bytes, little-endian. */
PDS_INLINE uint64_t
pds_load_number(const uint8_t *numbers, size_t i, int bytes)
{
	switch (bytes)
	{
		case 1:
			return numbers[i];
		case 2:
			return pds_load_le16(numbers + i * 2);
		case 4:
			return pds_load_le32(numbers + i * 4);
		default:
			return pds_load_le64(numbers + i * 8);
	}
}

PDS_INLINE void
pds_store_number(uint8_t *numbers, size_t i, int bytes, uint64_t v)
{
	switch (bytes)
	{
		case 1:
			numbers[i] = (uint8_t) v;
			break;
		case 2:
			pds_store_le16(numbers + i * 2, (uint16_t) v);
			break;
		case 4:
			pds_store_le32(numbers + i * 4, (uint32_t) v);
			break;
		default:
			pds_store_le64(numbers + i * 8, v);
			break;
	}
}

/* Trailing zero bits; v must not be 0. */
static inline int
pds_ctz64(uint64_t v)
{
	return __builtin_ctzll(v);
}

static inline int
pds_ctz32(uint32_t v)
{
	return __builtin_ctz(v);
}

/* Position of the highest set bit, 0 to 63; v must not be 0. */
static inline int
pds_log2_64(uint64_t v)
{
	return 63 - __builtin_clzll(v);
}

static inline int
pds_popcount64(uint64_t v)
{
#ifdef __POPCNT__
	return __builtin_popcountll(v);
#else
	/* without the instruction the compiler calls a table look-up */
	v -= v >> 1 & UINT64_C(0x5555555555555555);
	v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
	v = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (int) ((v * UINT64_C(0x0101010101010101)) >> 56);
#endif
}

/* The high 64 of the 128 bits of a product. */
static inline uint64_t
pds_mulhi64(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 wide;

	return (uint64_t) (((wide) a * b) >> 64);
#else
	uint64_t	low = (a & UINT32_MAX) * (b & UINT32_MAX);
	uint64_t	middle = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
	uint64_t	other = (a & UINT32_MAX) * (b >> 32) + (middle & UINT32_MAX);

	return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
#endif
}

/*
 * A stream of bits being written.  The caller has made sure of the space;
 * pds_bits_close() returns the number of bytes, the last one padded with zeros.
 */
typedef struct pds_bit_writer
{
	uint8_t    *out;
	size_t		pos;			/* bytes written */
	uint64_t	acc;			/* bits not yet written, from bit 0 */
	int			fill;			/* how many, 0 to 31 between calls */
} pds_bit_writer;

static inline void
pds_bits_open(pds_bit_writer *w, uint8_t *out)
{
	w->out = out;
	w->pos = 0;
	w->acc = 0;
	w->fill = 0;
}

/* Append the low n bits of v (0 <= n <= 32); higher bits of v must be 0. */
static inline void
pds_bits_put(pds_bit_writer *w, uint64_t v, int n)
{
	w->acc |= v << w->fill;
	w->fill += n;
	if (w->fill >= 32)
	{
		pds_store_le32(w->out + w->pos, (uint32_t) w->acc);
		w->pos += 4;
		w->acc >>= 32;
		w->fill -= 32;
	}
}

/* The same for an n of up to 63. */
static inline void
pds_bits_put_long(pds_bit_writer *w, uint64_t v, int n)
{
	if (n > 32)
	{
		pds_bits_put(w, v & UINT32_MAX, 32);
		v >>= 32;
		n -= 32;
	}
	pds_bits_put(w, v, n);
}

/* Append n zeros and a one. */
static inline void
pds_bits_put_unary(pds_bit_writer *w, uint64_t n)
{
	for (; n >= 32; n -= 32)
		pds_bits_put(w, 0, 32);
	pds_bits_put(w, UINT64_C(1) << n, (int) n + 1);
}

static inline size_t
pds_bits_close(pds_bit_writer *w)
{
	for (; w->fill > 0; w->fill -= 8, w->acc >>= 8)
		w->out[w->pos++] = (uint8_t) (w->acc & 0xff);
	w->acc = 0;
	w->fill = 0;
	return w->pos;
}

/*
 * A stream of bits being read.  Reading past the end yields zeros and sets
 * "overrun"; it never touches memory outside [in, in + len).
 */
typedef struct pds_bit_reader
{
	const uint8_t *in;
	size_t		len;
	size_t		pos;			/* next byte to load */
	uint64_t	acc;
	int			fill;			/* valid bits in acc */
	bool		overrun;
} pds_bit_reader;

static inline void
pds_bits_from(pds_bit_reader *r, const uint8_t *in, size_t len)
{
	r->in = in;
	r->len = len;
	r->pos = 0;
	r->acc = 0;
	r->fill = 0;
	r->overrun = false;
}

/* Have at least 56 bits in acc, or all that are left. */
static inline void
pds_bits_refill(pds_bit_reader *r)
{
	if (r->pos + 8 <= r->len)
	{
		/* bits above "fill" may be loaded twice, with the same value */
		r->acc |= pds_load_le64(r->in + r->pos) << r->fill;
		r->pos += (size_t) ((63 - r->fill) >> 3);
		r->fill |= 56;
		return;
	}
	while (r->fill <= 56 && r->pos < r->len)
	{
		r->acc |= (uint64_t) r->in[r->pos++] << r->fill;
		r->fill += 8;
	}
}

/* The next n bits (0 <= n <= 32). */
static inline uint32_t
pds_bits_get(pds_bit_reader *r, int n)
{
	uint32_t	v;

	if (r->fill < n)
	{
		pds_bits_refill(r);
		if (r->fill < n)
		{
			r->overrun = true;
			r->fill = 0;
			r->acc = 0;
			return 0;
		}
	}
	v = (uint32_t) (r->acc & ((UINT64_C(1) << n) - 1));
	r->acc >>= n;
	r->fill -= n;
	return v;
}

/* How many zeros stand before the next one; the one is consumed too. */
static inline uint64_t
pds_bits_get_unary(pds_bit_reader *r)
{
	uint64_t	n = 0;

	for (;;)
	{
		uint64_t	valid;

		if (r->fill < 32)
			pds_bits_refill(r);
		if (r->fill == 0)
		{
			r->overrun = true;
			return 0;
		}
		valid = r->fill >= 64 ? r->acc :
			r->acc & ((UINT64_C(1) << r->fill) - 1);
		if (valid != 0)
		{
			int			z = pds_ctz64(valid);

			n += (uint64_t) z;
			/* two steps: z + 1 may be 64 */
			r->acc = (r->acc >> z) >> 1;
			r->fill -= z + 1;
			return n;
		}
		n += (uint64_t) r->fill;
		r->acc = 0;
		r->fill = 0;
	}
}

/*
 * Returns the bits of a stream of len bytes from a given one on, the first in bit 0: at least 57
 * of them, with zeros beyond its end.
 */
static inline uint64_t
pds_bits_at(const uint8_t *in, size_t len, size_t bit)
{
	size_t		at = bit >> 3;
	uint64_t	v = 0;

	if (__builtin_expect(at + 8 <= len, 1))
		return pds_load_le64(in + at) >> (bit & 7);
	if (at >= len)
		return 0;
	if (len >= 8)
		return pds_load_le64(in + len - 8) >> (8 * (at + 8 - len) + (bit & 7));
	for (int i = 0; at < len; i++, at++)
		v |= (uint64_t) in[at] << (8 * i);
	return v >> (bit & 7);
}

/* True when everything was read, except for less than a byte of zero padding. */
static inline bool
pds_bits_at_end(pds_bit_reader *r)
{
	uint64_t	valid;

	if (r->overrun || r->fill >= 8)
		return false;
	pds_bits_refill(r);
	if (r->pos < r->len || r->fill >= 8)
		return false;
	valid = r->acc & ((UINT64_C(1) << r->fill) - 1);
	return valid == 0;
}

/* The bits of a floating-point number, and back. */
static inline uint64_t
pds_bits_of(double v)
{
	uint64_t	bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

static inline double
pds_double_of(uint64_t bits)
{
	double		v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* The canonical bits of a floating-point number: -0 is 0, and there is one NaN. */
static inline int64_t
pds_double_bits(double v)
{
	if (__builtin_expect(v != v, 0))
		return INT64_C(0x7ff8000000000000);
	return v == 0.0 ? 0 : (int64_t) pds_bits_of(v);
}

#endif
