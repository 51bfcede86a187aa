/*
 * hll_registers.c: merging, counting, packing and unpacking of register arrays
 *
 * Built with -O3: the plain loops over bytes become vector instructions.  Most of the time of a
 * union is spent in unpacking, which is built for each path of vector.h.
 */
#include "vector.h"
#include "hll_registers.h"

#ifdef PDS_VECTOR_X86
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

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
PDS_BODY void
take_maximum(uint8_t *restrict to, const uint8_t *restrict from,
			 uint8_t base, size_t n)
{
	for (size_t i = 0; i < n; i++)
	{
		uint8_t		v = (uint8_t) (from[i] + base);

		to[i] = to[i] > v ? to[i] : v;
	}
}

/*
 * Which of the 64 symbols at s are exceptions, one bit each, as few steps as
 * can be: this is a good part of the time that a merge takes.
 */
PDS_BODY uint64_t
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
PDS_BODY uint32_t
find_exceptions(const uint8_t *s, uint32_t n, uint16_t *at)
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

/* In four tables, lest each count wait for the one before */
static void
count_plain(const uint8_t *values, uint32_t n, uint32_t found[4][256])
{
	uint32_t	i = 0;

	for (; i + 4 <= n; i += 4)
	{
		found[0][values[i]]++;
		found[1][values[i + 1]]++;
		found[2][values[i + 2]]++;
		found[3][values[i + 3]]++;
	}
	for (; i < n; i++)
		found[0][values[i]]++;
}

#ifdef PDS_VECTOR_X86
/* As many as there are registers of the CPU to count in, and as values have a code */
#define COMPARED	(BELOW + SYMBOLS + ABOVE)

/*
 * The same for a multiple of 32, by AVX2.  The values from base to base + 13 are compared with
 * each of these, 32 at once, and only the others are counted one by one.
 */
PDS_V3 static void
count_v3(const uint8_t *values, uint32_t n, uint8_t base, uint32_t found[4][256])
{
	const __m256i last = _mm256_set1_epi8(COMPARED - 1);

	while (n > 0)
	{
		/* so few that a byte can count them */
		uint32_t	part = n < 32 * 128 ? n : 32 * 128;
		__m256i		counts[COMPARED];

		for (int v = 0; v < COMPARED; v++)
			counts[v] = _mm256_setzero_si256();
		for (uint32_t i = 0; i < part; i += 32)
		{
			__m256i		x = _mm256_loadu_si256((const __m256i *) (values + i));
			uint32_t	others;

			x = _mm256_sub_epi8(x, _mm256_set1_epi8((char) base));
			for (int v = 0; v < COMPARED; v++)
				counts[v] = _mm256_sub_epi8(counts[v],
											_mm256_cmpeq_epi8(x, _mm256_set1_epi8((char) v)));
			others = ~(uint32_t) _mm256_movemask_epi8(
				_mm256_cmpeq_epi8(_mm256_min_epu8(x, last), x));
			for (; others != 0; others = _blsr_u32(others))
				found[0][values[i + _tzcnt_u32(others)]]++;
		}
		for (int v = 0; v < COMPARED; v++)
		{
			__m256i		sums = _mm256_sad_epu8(counts[v], _mm256_setzero_si256());

			found[0][(uint8_t) (base + v)] += (uint32_t) (
				_mm256_extract_epi64(sums, 0) + _mm256_extract_epi64(sums, 1) +
				_mm256_extract_epi64(sums, 2) + _mm256_extract_epi64(sums, 3));
		}
		values += part;
		n -= part;
	}
}
#endif

/*
 * Count n values, most of them from base to base + 13.  They are counted in four tables, whose sum
 * count_of() is how often a value occurs.
 */
static void
count_values(const uint8_t *values, uint32_t n, uint8_t base, uint32_t found[4][256])
{
#ifdef PDS_VECTOR_X86
	if (n % 32 == 0 && pds_vector_path() >= PDS_PATH_V3)
	{
		count_v3(values, n, base, found);
		return;
	}
#endif
	(void) base;
	count_plain(values, n, found);
}

static inline uint32_t
count_of(uint32_t found[4][256], int v)
{
	return found[0][v] + found[1][v] + found[2][v] + found[3][v];
}

void
pds_hll_registers_histogram(const uint8_t *registers, int p,
							uint32_t histogram[PDS_HLL_RANKS])
{
	uint32_t	m = pds_hll_registers(p);
	uint32_t	found[4][256];
	uint32_t	sum = 0;

	/* most values are around the mean, which the first of them tell */
	for (int i = 0; i < 16; i++)
		sum += registers[i];
	memset(found, 0, sizeof(found));
	count_values(registers, m, (uint8_t) (sum < 16 * 4 ? 0 : sum / 16 - 4), found);
	for (int v = 0; v < PDS_HLL_RANKS; v++)
		histogram[v] = count_of(found, v);
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
		found = find_exceptions(s, n, at);
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

/* ---------- unpacking, for a union and for a check ---------- */

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
	uint8_t		code_value[16];	/* an exception's code less the base; 8 are used */
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
	memset(u->code_value, 0, sizeof(u->code_value));
	for (int i = 0; i < BELOW; i++)
		u->code_value[i] = (uint8_t) (-1 - i);
	for (int i = 0; i < ABOVE; i++)
		u->code_value[BELOW + i] = (uint8_t) (SYMBOLS + i);
}

/* The value less the base of the next escape: there are few. */
static __attribute__((noinline)) uint8_t
next_escape(unpacker *u)
{
	if (u->escapes_read == u->pk->escapes)
	{
		u->corrupt = true;
		return 0;
	}
	u->escapes_read++;
	return (uint8_t) (pds_bits_get(&u->escapes, 6) - (uint32_t) u->pk->base);
}

/* Eight codes of 3 bits, in the low 24 of x, to a byte each, the first one in the lowest. */
PDS_BODY uint64_t
spread_codes(uint64_t x)
{
	x = (x & UINT64_C(0xfff)) | (x & UINT64_C(0xfff000)) << 20;
	x = (x & UINT64_C(0x0000003f0000003f)) | (x & UINT64_C(0x00000fc000000fc0)) << 10;
	return (x & UINT64_C(0x0007000700070007)) | (x & UINT64_C(0x0038003800380038)) << 5;
}

/* Put the values less the base of the next exceptions to their positions. */
PDS_BODY void
patch(unpacker *u, uint8_t *out, const uint16_t *at, uint32_t found)
{
	const pds_hll_packing *pk = u->pk;
	uint8_t		codes[BLOCK + 16];
	uint64_t	escapes = 0;

	if (found > pk->exceptions - u->exceptions_read)
	{
		u->corrupt = true;
		return;
	}
	for (uint32_t i = 0; i < found; i += 16)
	{
		uint64_t	bits = pds_bits_at(u->exceptions, exception_bytes(pk),
								   (size_t) 3 * (u->exceptions_read + i));
		uint64_t	low = spread_codes(bits & 0xffffff);
		uint64_t	high = spread_codes(bits >> 24 & 0xffffff);

		pds_store_le64(codes + i, low);
		pds_store_le64(codes + i + 8, high);
		/* there may be some after the last one, which then are looked at for nothing */
		escapes |= (low & low >> 1 & low >> 2) | (high & high >> 1 & high >> 2);
	}
	for (uint32_t i = 0; i < found; i++)
		out[at[i]] = u->code_value[codes[i]];
	if ((escapes & UINT64_C(0x0101010101010101)) != 0)
	{
		for (uint32_t i = 0; i < found; i++)
			if (codes[i] == ESCAPE)
				out[at[i]] = next_escape(u);
	}
	u->exceptions_read += found;
}

/*
 * Where the symbols of column c begin in a byte of their plane, how many of their bits are there,
 * and which ones these are.  The others are the lowest bits of the next plane.
 */
#define COLUMN_START(c)		(3 * (c) % 8)
#define COLUMN_BITS(c)		(COLUMN_START(c) > 5 ? 8 - COLUMN_START(c) : 3)
#define COLUMN_LOW_MASK(c)	((1 << COLUMN_BITS(c)) - 1)
#define COLUMN_PLANE(u, c)	((u)->planes + (size_t) (3 * (c) / 8) * (u)->w)

PDS_BODY uint64_t
load_rows(const uint8_t *rows)
{
	uint64_t	x;

	memcpy(&x, rows, sizeof(x));
	return x;
}

/*
 * The symbols of n registers (rounded up to 8) of a column, whose rows begin here in its plane.
 * The same rows of the next plane are w bytes behind.  Eight bytes at a time: what a shift moves
 * across the bounds of a byte is masked away, in either byte order.
 */
PDS_BODY void
unpack_column(uint8_t *restrict out, const uint8_t *restrict rows, uint32_t w, int c, uint32_t n)
{
	const uint64_t every = UINT64_C(0x0101010101010101);
	const uint64_t low_mask = COLUMN_LOW_MASK(c) * every;
	const uint64_t high_mask = 7 * every & ~low_mask;
	const int	start = COLUMN_START(c);
	const int	bits = COLUMN_BITS(c);
	uint8_t		few[2 * 8] = {0};

	if (n < 8)
	{
		/* of the lowest precisions, where there are no eight bytes to be read */
		memcpy(few, rows, n);
		if (high_mask != 0)
			memcpy(few + 8, rows + w, n);
		rows = few;
		w = 8;
	}
	for (uint32_t j = 0; j < n; j += 8)
	{
		uint64_t	s = load_rows(rows + j) >> start & low_mask;

		if (high_mask != 0)
			s |= load_rows(rows + w + j) << bits & high_mask;
		memcpy(out + j, &s, 8);
	}
}

/*
 * The values less the base of the next n registers (at most BLOCK) of column c,
 * which begin at row "from".  The array has space for BLOCK + 64 of them.
 */
PDS_BODY void
unpack_block_plain(unpacker *u, uint8_t *out, int c, uint32_t from, uint32_t n)
{
	uint16_t	at[BLOCK + 64];

	unpack_column(out, COLUMN_PLANE(u, c) + from, u->w, c, n);
	memset(out + n, 0, 64);
	patch(u, out, at, find_exceptions(out, n, at));
}

#ifdef PDS_VECTOR_X86
PDS_V4 static inline __m512i
symbols_v4(const uint8_t *plane, uint32_t w, int c)
{
	__m512i		s = _mm512_loadu_si512(plane);

	s = _mm512_srl_epi16(s, _mm_cvtsi32_si128(COLUMN_START(c)));
	s = _mm512_and_si512(s, _mm512_set1_epi8((char) COLUMN_LOW_MASK(c)));
	if (COLUMN_BITS(c) < 3)
	{
		__m512i		high = _mm512_loadu_si512(plane + w);

		high = _mm512_sll_epi16(high, _mm_cvtsi32_si128(COLUMN_BITS(c)));
		high = _mm512_and_si512(high, _mm512_set1_epi8(7 & ~COLUMN_LOW_MASK(c)));
		s = _mm512_or_si512(s, high);
	}
	return s;
}

/*
 * The same as unpack_block_plain() by AVX-512: 16,384 registers take 1.1 to 1.5 us instead of
 * 2.2 us.  (AVX2 by hand took 2 to 4 % less than the plain code compiled for v3.)  The codes of
 * 64 symbols are taken from their stream at once, and an "expand" puts their values to where the
 * exceptions are.
 */
PDS_V4 static inline void
unpack_block_v4(unpacker *u, uint8_t *out, int c, uint32_t from, uint32_t n)
{
	const uint8_t *plane = COLUMN_PLANE(u, c) + from;
	const __m512i seven = _mm512_set1_epi8(7);
	const __m512i values = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *) u->code_value));

	/* Of a stream of codes, word j of eight has the bytes from 3 j on; codes begin every 3 bits. */
	const __m512i bytes = _mm512_set_epi64(
		INT64_C(0x1c1b1a1918171615), INT64_C(0x1918171615141312), INT64_C(0x161514131211100f),
		INT64_C(0x131211100f0e0d0c), INT64_C(0x100f0e0d0c0b0a09), INT64_C(0x0d0c0b0a09080706),
		INT64_C(0x0a09080706050403), INT64_C(0x0706050403020100));
	const __m512i bits = _mm512_set1_epi64(INT64_C(0x15120f0c09060300));
	const size_t len = exception_bytes(u->pk);
	const size_t end = (size_t) 3 * u->pk->exceptions;
	size_t		bit = (size_t) 3 * u->exceptions_read;

	for (uint32_t i = 0; i < n; i += 64)
	{
		__m512i		s = symbols_v4(plane + i, u->w, c);
		__mmask64	hit = _mm512_cmpeq_epi8_mask(s, seven);
		uint32_t	count = (uint32_t) _mm_popcnt_u64(hit);
		const uint8_t *stream = u->exceptions + (bit >> 3);
		__m256i		part;
		__m512i		codes;
		uint64_t	far;

		if (__builtin_expect((bit >> 3) + 32 <= len, 1))
			part = _mm256_loadu_si256((const __m256i *) stream);
		else
			part = _mm256_maskz_loadu_epi8(
				(__mmask32) ((UINT64_C(1) << (len - (bit >> 3))) - 1), stream);
		codes = _mm512_permutexvar_epi8(bytes, _mm512_castsi256_si512(part));
		codes = _mm512_multishift_epi64_epi8(
			_mm512_add_epi8(bits, _mm512_set1_epi8((char) (bit & 7))), codes);
		codes = _mm512_and_si512(codes, seven);
		_mm512_storeu_si512(out + i, _mm512_mask_expand_epi8(s, hit,
															 _mm512_shuffle_epi8(values, codes)));
		bit += 3 * count;
		if (bit > end)
		{
			u->corrupt = true;
			return;
		}
		/* of the codes that were taken, which say that an escape follows? */
		far = _mm512_cmpeq_epi8_mask(codes, seven);
		if (__builtin_expect(_bzhi_u64(far, count) != 0, 0))
		{
			far = count < 64 ? _bzhi_u64(far, count) : far;
			for (far = _pdep_u64(far, hit); far != 0; far = _blsr_u64(far))
				out[i + (uint32_t) _tzcnt_u64(far)] = next_escape(u);
		}
	}
	u->exceptions_read = (uint32_t) (bit / 3);
}

#endif

PDS_BODY void
unpack_block(pds_path path, unpacker *u, uint8_t *out, int c, uint32_t from, uint32_t n)
{
#ifdef PDS_VECTOR_X86
	/* which takes 64 rows at a time */
	if (path == PDS_PATH_V4 && n >= 64)
		unpack_block_v4(u, out, c, from, n);
	else
#endif
		unpack_block_plain(u, out, c, from, n);
	(void) path;
}

/* Did the layers hold what they should, to the last bit? */
static bool
unpack_close(unpacker *u)
{
	const pds_hll_packing *pk = u->pk;
	size_t		bits = (size_t) 3 * pk->exceptions;

	return !u->corrupt && u->exceptions_read == pk->exceptions &&
		u->escapes_read == pk->escapes && pds_bits_at_end(&u->escapes) &&
		pds_bits_at(u->exceptions, exception_bytes(pk), bits) == 0;
}

PDS_BODY pds_status
merge_packed_body(pds_path path, uint8_t *to, int p, const uint8_t *packed,
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

			unpack_block(path, &u, values, c, from, n);
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

PDS_PATHS(pds_status, merge_packed,
		  (uint8_t *to, int p, const uint8_t *packed, const pds_hll_packing *pk, int from_p,
		   int family),
		  to, p, packed, pk, from_p, family)

pds_status
pds_hll_registers_merge_packed(uint8_t *to, int p, const uint8_t *packed,
							   const pds_hll_packing *pk, int from_p, int family)
{
	return merge_packed(to, p, packed, pk, from_p, family);
}

PDS_BODY bool
check_packed_body(pds_path path, const uint8_t *packed, int p, const pds_hll_packing *pk,
				  const uint32_t histogram[PDS_HLL_RANKS])
{
	unpacker	u;
	uint8_t		values[BLOCK + 64];
	uint32_t	found[4][256];

	memset(found, 0, sizeof(found));
	unpack_open(&u, packed, pk, p);
	for (int c = 0; c < 8; c++)
	{
		for (uint32_t from = 0; from < u.w; from += BLOCK)
		{
			uint32_t	n = u.w - from < BLOCK ? u.w - from : BLOCK;

			unpack_block(path, &u, values, c, from, n);
			count_values(values, n, (uint8_t) -BELOW, found);
		}
	}
	if (!unpack_close(&u))
		return false;

	/*
	 * The histogram also determines the codes.  If a value that has a symbol were written as an
	 * exception, the number of exceptions would differ.  If a value that has a code were
	 * written as an escape, the number of escapes would differ.
	 */
	for (int i = 0; i < 256; i++)
	{
		uint8_t		v = (uint8_t) (i + pk->base);

		if (count_of(found, i) != (v < PDS_HLL_RANKS ? histogram[v] : 0))
			return false;
	}
	return true;
}

PDS_PATHS(bool, check_packed,
		  (const uint8_t *packed, int p, const pds_hll_packing *pk,
		   const uint32_t histogram[PDS_HLL_RANKS]),
		  packed, p, pk, histogram)

bool
pds_hll_registers_check_packed(const uint8_t *packed, int p, const pds_hll_packing *pk,
							   const uint32_t histogram[PDS_HLL_RANKS])
{
	return check_packed(packed, p, pk, histogram);
}
