/*
 * hll_registers.c: packing, unpacking and merging of register arrays
 *
 * Built with -O3: the plain loops over bytes become vector instructions.
 */
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "hll_registers.h"

/* Registers are unpacked in pieces of this many, so as to stay in the cache. */
#define BLOCK 1024

#define SYMBOLS		7			/* values that are their own symbol */
#define EXCEPTION	7
#define BELOW		2			/* exceptions just below the symbols */
#define ABOVE		5			/* exceptions just above them */
#define ESCAPE		7

static inline size_t
escape_bytes(const pds_hll_packing *pk)
{
	return ((size_t) 6 * pk->escapes + 7) / 8;
}

static inline size_t
exception_bytes(const pds_hll_packing *pk)
{
	return ((size_t) 3 * pk->exceptions + 7) / 8;
}

/* to[i] = the larger of to[i] and from[i] + base */
static inline void
take_maximum(uint8_t *restrict to, const uint8_t *restrict from,
			 uint8_t base, size_t n)
{
	for (size_t i = 0; i < n; i++)
	{
		uint8_t		v = (uint8_t) (from[i] + base);

		to[i] = to[i] > v ? to[i] : v;
	}
}

void
pds_hll_registers_merge(uint8_t *to, int p, const uint8_t *from, int from_p, int family)
{
	uint32_t	m = pds_hll_registers(from_p);

	if (p == from_p)
		take_maximum(to, from, 0, m);
	else
	{
		for (uint32_t i = 0; i < m; i++)
			pds_hll_registers_fold(to, p, i, from[i], from_p, family);
	}
}

uint8_t
pds_hll_registers_lowest(const uint8_t *registers, int p)
{
	uint32_t	m = pds_hll_registers(p);
	uint8_t		lowest = 255;

	for (uint32_t i = 0; i < m; i++)
		lowest = registers[i] < lowest ? registers[i] : lowest;
	return lowest;
}

uint8_t
pds_hll_registers_highest(const uint8_t *registers, int p)
{
	uint32_t	m = pds_hll_registers(p);
	uint8_t		highest = 0;

	for (uint32_t i = 0; i < m; i++)
		highest = registers[i] > highest ? registers[i] : highest;
	return highest;
}

void
pds_hll_registers_histogram(const uint8_t *registers, int p,
							uint32_t histogram[PDS_HLL_RANKS])
{
	uint32_t	m = pds_hll_registers(p);

	/* four tables, lest each count wait for the one before */
	uint32_t	part[4][64];

	memset(part, 0, sizeof(part));
	for (uint32_t i = 0; i < m; i += 4)
	{
		part[0][registers[i] & 63]++;
		part[1][registers[i + 1] & 63]++;
		part[2][registers[i + 2] & 63]++;
		part[3][registers[i + 3] & 63]++;
	}
	for (int v = 0; v < PDS_HLL_RANKS; v++)
		histogram[v] = part[0][v] + part[1][v] + part[2][v] + part[3][v];
}

pds_hll_packing
pds_hll_packing_of(const uint32_t histogram[PDS_HLL_RANKS], int p)
{
	pds_hll_packing pk;
	uint32_t	window = 0;
	uint32_t	best;
	uint32_t	coded;

	for (int v = 0; v < SYMBOLS; v++)
		window += histogram[v];
	best = window;
	pk.base = 0;
	for (int base = 1; base + SYMBOLS <= PDS_HLL_RANKS; base++)
	{
		window += histogram[base + SYMBOLS - 1] - histogram[base - 1];
		if (window > best)
		{
			best = window;
			pk.base = base;
		}
	}
	coded = best;
	for (int v = pk.base - BELOW; v < pk.base; v++)
		if (v >= 0)
			coded += histogram[v];
	for (int v = pk.base + SYMBOLS; v < pk.base + SYMBOLS + ABOVE; v++)
		if (v < PDS_HLL_RANKS)
			coded += histogram[v];

	pk.exceptions = pds_hll_registers(p) - best;
	pk.escapes = pds_hll_registers(p) - coded;
	pk.bytes = (size_t) 3 * (pds_hll_registers(p) / 8) +
		escape_bytes(&pk) + exception_bytes(&pk);
	return pk;
}

/*
 * Which of the 64 symbols at s are exceptions, one bit each, as few steps as
 * can be: this is a good part of the time that a merge takes.
 */
static inline uint64_t
exception_mask(const uint8_t *s)
{
	uint64_t	mask = 0;

#ifdef __SSE2__
	for (int i = 0; i < 4; i++)
	{
		__m128i		x = _mm_loadu_si128((const __m128i *) (s + 16 * i));
		__m128i		hit = _mm_cmpeq_epi8(x, _mm_set1_epi8(EXCEPTION));

		mask |= (uint64_t) (uint32_t) _mm_movemask_epi8(hit) << (16 * i);
	}
#else
	for (int i = 0; i < 8; i++)
	{
		uint64_t	x = pds_load_le64(s + 8 * i);

		/* bit 0 of each byte that is 7, gathered in the top byte */
		x &= x >> 1 & x >> 2 & UINT64_C(0x0101010101010101);
		mask |= (x * UINT64_C(0x0102040810204080)) >> 56 << (8 * i);
	}
#endif
	return mask;
}

/*
 * The positions of the exceptions among n symbols, n rounded up to 64 readable
 * ones; returns how many.  Four are written in any case, since few of the words
 * have more and a branch mispredicted costs as much as all of them.
 */
static inline uint32_t
exception_positions(const uint8_t *s, uint32_t n, uint16_t *at)
{
	uint32_t	found = 0;

	for (uint32_t i = 0; i < n; i += 64)
	{
		uint64_t	mask = exception_mask(s + i);
		uint32_t	count = (uint32_t) pds_popcount64(mask);
		uint32_t	k = 0;

		do
		{
			for (int unroll = 0; unroll < 4; unroll++, k++)
			{
				at[found + k] = (uint16_t) (i + (uint32_t) pds_ctz64(mask | UINT64_C(1) << 63));
				mask &= mask - 1;
			}
		} while (k < count);
		found += count;
	}
	return found;
}

/* The symbols of n registers. */
static inline void
to_symbols(uint8_t *restrict s, const uint8_t *restrict registers, uint8_t base, uint32_t n)
{
	for (uint32_t j = 0; j < n; j++)
	{
		/* what is below the base wraps around and is an exception, too */
		uint8_t		d = (uint8_t) (registers[j] - base);

		s[j] = d < EXCEPTION ? d : EXCEPTION;
	}
}

/* Pack the symbols of eight columns of n rows, n rounded up to 8. */
static inline void
pack_rows(const uint8_t (*s)[BLOCK + 64], uint32_t n, uint8_t *restrict plane0,
		  uint8_t *restrict plane1, uint8_t *restrict plane2)
{
	for (uint32_t j = 0; j < n; j++)
	{
		plane0[j] = (uint8_t) (s[0][j] | s[1][j] << 3 | s[2][j] << 6);
		plane1[j] = (uint8_t) (s[2][j] >> 2 | s[3][j] << 1 | s[4][j] << 4 | s[5][j] << 7);
		plane2[j] = (uint8_t) (s[5][j] >> 1 | s[6][j] << 2 | s[7][j] << 5);
	}
}

void
pds_hll_registers_pack(const uint8_t *registers, int p,
					   const pds_hll_packing *pk, uint8_t *out)
{
	uint32_t	w = pds_hll_registers(p) / 8;
	uint8_t    *planes = out;
	pds_bit_writer escapes;
	pds_bit_writer exceptions;
	uint8_t		base = (uint8_t) pk->base;

	for (uint32_t from = 0; from < w; from += BLOCK)
	{
		uint32_t	n = w - from < BLOCK ? w - from : BLOCK;
		uint8_t		s[8][BLOCK + 64];

		for (int c = 0; c < 8; c++)
			to_symbols(s[c], registers + (size_t) c * w + from, base, n);
		pack_rows((const uint8_t (*)[BLOCK + 64]) s, n, planes + from,
				  planes + w + from, planes + 2 * (size_t) w + from);
	}

	pds_bits_open(&escapes, out + 3 * (size_t) w);
	pds_bits_open(&exceptions, out + 3 * (size_t) w + escape_bytes(pk));
	for (uint32_t from = 0; from < 8 * w; from += BLOCK)
	{
		uint32_t	n = 8 * w - from < BLOCK ? 8 * w - from : BLOCK;
		uint8_t		s[BLOCK + 64];
		uint16_t	at[BLOCK + 64];
		uint32_t	found;

		if (pk->exceptions == 0)
			break;
		to_symbols(s, registers + from, base, n);
		memset(s + n, 0, 64);
		found = exception_positions(s, n, at);
		for (uint32_t i = 0; i < found; i++)
		{
			uint8_t		value = registers[from + at[i]];
			int			d = (int) value - pk->base;
			int			code = d < 0 ? -1 - d : d - SYMBOLS + BELOW;

			if (d < -BELOW || code >= ESCAPE)
			{
				code = ESCAPE;
				pds_bits_put(&escapes, value, 6);
			}
			pds_bits_put(&exceptions, (uint64_t) code, 3);
		}
	}
	(void) pds_bits_close(&escapes);
	(void) pds_bits_close(&exceptions);
}

/* Eight bytes of a plane, or the n that are left of it. */
static inline uint64_t
load_rows(const uint8_t *p, uint32_t n)
{
	uint64_t	x = 0;

	if (n >= 8)
		memcpy(&x, p, 8);
	else
		memcpy(&x, p, n);
	return x;
}

/*
 * The symbols of n registers (rounded up to 8) of column c, from the planes at
 * row "from" on.  Eight bytes at a time: what a shift moves across the bounds of
 * a byte is masked away, in either byte order.
 */
static inline void
unpack_column(uint8_t *restrict out, const uint8_t *restrict planes,
			  uint32_t w, int c, uint32_t from, uint32_t n)
{
	const uint8_t *low = planes + from;
	const uint8_t *high;
	int			right;			/* the low plane's symbol starts at this bit */
	int			left = 0;		/* so many bits come from the low plane */

	static const uint8_t plane_of[8] = {0, 0, 0, 1, 1, 1, 2, 2};
	static const uint8_t start_of[8] = {0, 3, 6, 1, 4, 7, 2, 5};

	low += (size_t) plane_of[c] * w;
	high = low + w;
	right = start_of[c];
	if (right > 5)
		left = 8 - right;

#define EVERY UINT64_C(0x0101010101010101)
#define EACH_ROW(load, expr) \
	do { \
		for (j = 0; j + 8 <= n; j += 8) \
		{ \
			uint64_t	x = load(low + j, 8); \
			uint64_t	y = left ? load(high + j, 8) : 0; \
			uint64_t	v = (expr); \
			memcpy(out + j, &v, 8); \
		} \
		if (j < n) \
		{ \
			uint64_t	x = load(low + j, n - j); \
			uint64_t	y = left ? load(high + j, n - j) : 0; \
			uint64_t	v = (expr); \
			memcpy(out + j, &v, 8); \
		} \
	} while (0)

	{
		uint32_t	j;

		if (left == 0)
			EACH_ROW(load_rows, (x >> right & 7 * EVERY) | y);
		else
		{
			uint64_t	low_mask = ((UINT64_C(1) << left) - 1) * EVERY;
			uint64_t	high_mask = (7 * EVERY) & ~low_mask;

			EACH_ROW(load_rows, (x >> right & low_mask) | (y << left & high_mask));
		}
	}
#undef EACH_ROW
#undef EVERY
}

/* At least 57 bits of a stream from a given bit on; zeros beyond its end. */
static inline uint64_t
bits_at(const uint8_t *p, size_t len, size_t bit)
{
	size_t		at = bit >> 3;
	uint64_t	v = 0;

	if (at + 8 <= len)
		v = pds_load_le64(p + at);
	else
	{
		for (int i = 0; i < 8 && at < len; i++, at++)
			v |= (uint64_t) p[at] << (8 * i);
	}
	return v >> (bit & 7);
}

/* Reading continues through the layers from block to block. */
typedef struct unpacker
{
	const pds_hll_packing *pk;
	const uint8_t *planes;
	const uint8_t *exceptions;
	uint32_t	w;				/* bytes in a plane */
	uint32_t	exceptions_read;
	uint32_t	escapes_read;
	pds_bit_reader escapes;
	bool		corrupt;
	uint8_t		code_value[8];	/* an exception's code less the base */
} unpacker;

static void
unpack_open(unpacker *u, const uint8_t *packed, const pds_hll_packing *pk, int p)
{
	u->pk = pk;
	u->planes = packed;
	u->w = pds_hll_registers(p) / 8;
	u->exceptions = packed + 3 * (size_t) u->w + escape_bytes(pk);
	u->exceptions_read = 0;
	u->escapes_read = 0;
	pds_bits_from(&u->escapes, packed + 3 * (size_t) u->w, escape_bytes(pk));
	u->corrupt = false;
	for (int i = 0; i < BELOW; i++)
		u->code_value[i] = (uint8_t) (-1 - i);
	for (int i = 0; i < ABOVE; i++)
		u->code_value[BELOW + i] = (uint8_t) (SYMBOLS + i);
	u->code_value[ESCAPE] = 0;
}

/*
 * The values less the base of the next n registers (at most BLOCK) of column c,
 * which begin at row "from".  The array has space for BLOCK + 64 of them.
 */
static void
unpack_block(unpacker *u, uint8_t *out, int c, uint32_t from, uint32_t n)
{
	const pds_hll_packing *pk = u->pk;
	uint16_t	at[BLOCK + 64];
	uint32_t	found;
	uint64_t	codes = 0;
	int			have = 0;

	unpack_column(out, u->planes, u->w, c, from, n);
	if (pk->exceptions == 0)
		return;
	memset(out + n, 0, 64);
	found = exception_positions(out, n, at);
	if (found > pk->exceptions - u->exceptions_read)
	{
		u->corrupt = true;
		return;
	}
	for (uint32_t i = 0; i < found; i++)
	{
		uint32_t	code;

		if (have == 0)
		{
			codes = bits_at(u->exceptions, exception_bytes(pk),
							(size_t) 3 * (u->exceptions_read + i));
			have = 19;
		}
		code = codes & 7;
		codes >>= 3;
		have--;
		out[at[i]] = u->code_value[code];
		if (code == ESCAPE)
		{
			if (u->escapes_read == pk->escapes)
			{
				u->corrupt = true;
				return;
			}
			u->escapes_read++;
			out[at[i]] = (uint8_t) (pds_bits_get(&u->escapes, 6) - (uint32_t) pk->base);
		}
	}
	u->exceptions_read += found;
}

/* Did the layers hold what they should, to the last bit? */
static bool
unpack_close(unpacker *u)
{
	const pds_hll_packing *pk = u->pk;
	size_t		bits = (size_t) 3 * pk->exceptions;

	return !u->corrupt && u->exceptions_read == pk->exceptions &&
		u->escapes_read == pk->escapes && pds_bits_at_end(&u->escapes) &&
		bits_at(u->exceptions, exception_bytes(pk), bits) == 0;
}

pds_status
pds_hll_registers_merge_packed(uint8_t *to, int p, const uint8_t *packed,
							   const pds_hll_packing *pk, int from_p, int family)
{
	unpacker	u;
	uint8_t		values[BLOCK + 64];
	uint8_t		base = (uint8_t) pk->base;

	unpack_open(&u, packed, pk, from_p);
	for (int c = 0; c < 8; c++)
	{
		for (uint32_t from = 0; from < u.w; from += BLOCK)
		{
			uint32_t	n = u.w - from < BLOCK ? u.w - from : BLOCK;
			uint32_t	index = (uint32_t) c * u.w + from;

			unpack_block(&u, values, c, from, n);
			if (p == from_p)
				take_maximum(to + index, values, base, n);
			else
			{
				for (uint32_t i = 0; i < n; i++)
					pds_hll_registers_fold(to, p, index + i,
										   (uint8_t) (values[i] + base), from_p, family);
			}
		}
	}
	return unpack_close(&u) ? PDS_OK : PDS_CORRUPT;
}

bool
pds_hll_registers_check_packed(const uint8_t *packed, int p,
							   const pds_hll_packing *pk,
							   const uint32_t histogram[PDS_HLL_RANKS])
{
	unpacker	u;
	uint8_t		values[BLOCK + 64];
	uint32_t	found[256];

	memset(found, 0, sizeof(found));
	unpack_open(&u, packed, pk, p);
	for (int c = 0; c < 8; c++)
	{
		for (uint32_t from = 0; from < u.w; from += BLOCK)
		{
			uint32_t	n = u.w - from < BLOCK ? u.w - from : BLOCK;

			unpack_block(&u, values, c, from, n);
			for (uint32_t i = 0; i < n; i++)
				found[(uint8_t) (values[i] + pk->base)]++;
		}
	}
	if (!unpack_close(&u))
		return false;

	/*
	 * The histogram also determines the codes.  If a value that has a symbol were written as an
	 * exception, the number of exceptions would differ.  If a value that has a code were
	 * written as an escape, the number of escapes would differ.
	 */
	for (int v = 0; v < 256; v++)
		if (found[v] != (v < PDS_HLL_RANKS ? histogram[v] : 0))
			return false;
	return true;
}
