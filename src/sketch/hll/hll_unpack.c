/*
 * hll_unpack.c: reading packed registers, for a union and for a check
 *
 * Most of a union's time is spent here.  Built with -O3, and for each path of vector.h.
 */
#include "vector.h"
#include "hll_packed.h"

/* From this precision on a plane has 64 bytes or more, as the paths other than plain need. */
#define VECTOR_PRECISION	9

/* Eight bytes of a plane, or the n that are left of it. */
PDS_BODY uint64_t
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
PDS_BODY void
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
	u->exceptions = packed + 3 * (size_t) u->w + pds_hll_escape_bytes(pk);
	u->exceptions_read = 0;
	u->escapes_read = 0;
	pds_bits_from(&u->escapes, packed + 3 * (size_t) u->w, pds_hll_escape_bytes(pk));
	u->corrupt = false;
	memset(u->code_value, 0, sizeof(u->code_value));
	for (int i = 0; i < PDS_HLL_BELOW; i++)
		u->code_value[i] = (uint8_t) (-1 - i);
	for (int i = 0; i < PDS_HLL_ABOVE; i++)
		u->code_value[PDS_HLL_BELOW + i] = (uint8_t) (PDS_HLL_SYMBOLS + i);
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
	uint8_t		codes[PDS_HLL_BLOCK + 16];
	uint64_t	escapes = 0;

	if (found > pk->exceptions - u->exceptions_read)
	{
		u->corrupt = true;
		return;
	}
	for (uint32_t i = 0; i < found; i += 16)
	{
		uint64_t	bits = pds_bits_at(u->exceptions, pds_hll_exception_bytes(pk),
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
			if (codes[i] == PDS_HLL_ESCAPE)
				out[at[i]] = next_escape(u);
	}
	u->exceptions_read += found;
}

/*
 * The values less the base of the next n registers (at most PDS_HLL_BLOCK) of column c,
 * which begin at row "from".  The array has space for PDS_HLL_BLOCK + 64 of them.
 */
PDS_BODY void
unpack_block_plain(unpacker *u, uint8_t *out, int c, uint32_t from, uint32_t n)
{
	uint16_t	at[PDS_HLL_BLOCK + 64];

	unpack_column(out, u->planes, u->w, c, from, n);
	memset(out + n, 0, 64);
	patch(u, out, at, pds_hll_exceptions(out, n, at));
}

#ifdef PDS_VECTOR_X86
/*
 * The path below takes 64 rows at a time.  It makes symbols as unpack_column() does.  This is
 * where those of column c begin in a byte of their plane, and what of them is in the next plane.
 */
#define COLUMN_START(c)		(3 * (c) % 8)
#define COLUMN_SPLIT(c)		(COLUMN_START(c) > 5)
#define COLUMN_LOW_MASK(c)	(COLUMN_SPLIT(c) ? (1 << (8 - COLUMN_START(c))) - 1 : 7)
#define COLUMN_HIGH_MASK(c)	(7 & ~COLUMN_LOW_MASK(c))
#define COLUMN_PLANE(u, c)	((u)->planes + (size_t) (3 * (c) / 8) * (u)->w)

PDS_V4 static inline __m512i
symbols_v4(const uint8_t *plane, uint32_t w, int c)
{
	__m512i		s = _mm512_loadu_si512(plane);

	s = _mm512_srl_epi16(s, _mm_cvtsi32_si128(COLUMN_START(c)));
	s = _mm512_and_si512(s, _mm512_set1_epi8((char) COLUMN_LOW_MASK(c)));
	if (COLUMN_SPLIT(c))
	{
		__m512i		high = _mm512_loadu_si512(plane + w);

		high = _mm512_sll_epi16(high, _mm_cvtsi32_si128(8 - COLUMN_START(c)));
		high = _mm512_and_si512(high, _mm512_set1_epi8((char) COLUMN_HIGH_MASK(c)));
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
	const size_t len = pds_hll_exception_bytes(u->pk);
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
	if (path == PDS_PATH_V4)
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
		pds_bits_at(u->exceptions, pds_hll_exception_bytes(pk), bits) == 0;
}

PDS_BODY pds_status
merge_packed_body(pds_path path, uint8_t *to, int p, const uint8_t *packed,
				  const pds_hll_packing *pk, int from_p, int family)
{
	unpacker	u;
	uint8_t		values[PDS_HLL_BLOCK + 64];
	uint8_t		base = (uint8_t) pk->base;

	unpack_open(&u, packed, pk, from_p);
	for (int c = 0; c < 8; c++)
	{
		for (uint32_t from = 0; from < u.w; from += PDS_HLL_BLOCK)
		{
			uint32_t	n = u.w - from < PDS_HLL_BLOCK ? u.w - from : PDS_HLL_BLOCK;
			uint32_t	index = (uint32_t) c * u.w + from;

			unpack_block(path, &u, values, c, from, n);
			if (p == from_p)
				pds_hll_take_maximum(to + index, values, base, n);
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
	return from_p < VECTOR_PRECISION ?
		merge_packed_plain(to, p, packed, pk, from_p, family) :
		merge_packed(to, p, packed, pk, from_p, family);
}

PDS_BODY bool
check_packed_body(pds_path path, const uint8_t *packed, int p, const pds_hll_packing *pk,
				  const uint32_t histogram[PDS_HLL_RANKS])
{
	unpacker	u;
	uint8_t		values[PDS_HLL_BLOCK + 64];
	uint32_t	found[4][256];

	memset(found, 0, sizeof(found));
	unpack_open(&u, packed, pk, p);
	for (int c = 0; c < 8; c++)
	{
		for (uint32_t from = 0; from < u.w; from += PDS_HLL_BLOCK)
		{
			uint32_t	n = u.w - from < PDS_HLL_BLOCK ? u.w - from : PDS_HLL_BLOCK;

			unpack_block(path, &u, values, c, from, n);
			pds_hll_count_values(values, n, (uint8_t) -PDS_HLL_BELOW, found);
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

		if (pds_hll_count_of(found, i) != (v < PDS_HLL_RANKS ? histogram[v] : 0))
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
	return p < VECTOR_PRECISION ? check_packed_plain(packed, p, pk, histogram) :
		check_packed(packed, p, pk, histogram);
}
