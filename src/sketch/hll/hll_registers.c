/*
 * hll_registers.c: merging, counting and packing of register arrays
 *
 * Built with -O3: the plain loops over bytes become vector instructions.
 */
#include "vector.h"
#include "hll_packed.h"

void
pds_hll_registers_merge(uint8_t *to, int p, const uint8_t *from, int from_p, int family)
{
	uint32_t	m = pds_hll_registers(from_p);

	if (p == from_p)
		pds_hll_take_maximum(to, from, 0, m);
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
#define COMPARED	(PDS_HLL_BELOW + PDS_HLL_SYMBOLS + PDS_HLL_ABOVE)

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

void
pds_hll_count_values(const uint8_t *values, uint32_t n, uint8_t base, uint32_t found[4][256])
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
	pds_hll_count_values(registers, m, (uint8_t) (sum < 16 * 4 ? 0 : sum / 16 - 4), found);
	for (int v = 0; v < PDS_HLL_RANKS; v++)
		histogram[v] = pds_hll_count_of(found, v);
}

pds_hll_packing
pds_hll_packing_of(const uint32_t histogram[PDS_HLL_RANKS], int p)
{
	pds_hll_packing pk;
	uint32_t	window = 0;
	uint32_t	best;
	uint32_t	coded;

	for (int v = 0; v < PDS_HLL_SYMBOLS; v++)
		window += histogram[v];
	best = window;
	pk.base = 0;
	for (int base = 1; base + PDS_HLL_SYMBOLS <= PDS_HLL_RANKS; base++)
	{
		window += histogram[base + PDS_HLL_SYMBOLS - 1] - histogram[base - 1];
		if (window > best)
		{
			best = window;
			pk.base = base;
		}
	}
	coded = best;
	for (int v = pk.base - PDS_HLL_BELOW; v < pk.base; v++)
		if (v >= 0)
			coded += histogram[v];
	for (int v = pk.base + PDS_HLL_SYMBOLS; v < pk.base + PDS_HLL_SYMBOLS + PDS_HLL_ABOVE; v++)
		if (v < PDS_HLL_RANKS)
			coded += histogram[v];

	pk.exceptions = pds_hll_registers(p) - best;
	pk.escapes = pds_hll_registers(p) - coded;
	pk.bytes = (size_t) 3 * (pds_hll_registers(p) / 8) +
		pds_hll_escape_bytes(&pk) + pds_hll_exception_bytes(&pk);
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

		s[j] = d < PDS_HLL_EXCEPTION ? d : PDS_HLL_EXCEPTION;
	}
}

/* Pack the symbols of eight columns of n rows, n rounded up to 8. */
static inline void
pack_rows(const uint8_t (*s)[PDS_HLL_BLOCK + 64], uint32_t n, uint8_t *restrict plane0,
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

	for (uint32_t from = 0; from < w; from += PDS_HLL_BLOCK)
	{
		uint32_t	n = w - from < PDS_HLL_BLOCK ? w - from : PDS_HLL_BLOCK;
		uint8_t		s[8][PDS_HLL_BLOCK + 64];

		for (int c = 0; c < 8; c++)
			to_symbols(s[c], registers + (size_t) c * w + from, base, n);
		pack_rows((const uint8_t (*)[PDS_HLL_BLOCK + 64]) s, n, planes + from,
				  planes + w + from, planes + 2 * (size_t) w + from);
	}

	pds_bits_open(&escapes, out + 3 * (size_t) w);
	pds_bits_open(&exceptions, out + 3 * (size_t) w + pds_hll_escape_bytes(pk));
	for (uint32_t from = 0; from < 8 * w; from += PDS_HLL_BLOCK)
	{
		uint32_t	n = 8 * w - from < PDS_HLL_BLOCK ? 8 * w - from : PDS_HLL_BLOCK;
		uint8_t		s[PDS_HLL_BLOCK + 64];
		uint16_t	at[PDS_HLL_BLOCK + 64];
		uint32_t	found;

		if (pk->exceptions == 0)
			break;
		to_symbols(s, registers + from, base, n);
		memset(s + n, 0, 64);
		found = pds_hll_exceptions(s, n, at);
		for (uint32_t i = 0; i < found; i++)
		{
			uint8_t		value = registers[from + at[i]];
			int			d = (int) value - pk->base;
			int			code = d < 0 ? -1 - d : d - PDS_HLL_SYMBOLS + PDS_HLL_BELOW;

			if (d < -PDS_HLL_BELOW || code >= PDS_HLL_ESCAPE)
			{
				code = PDS_HLL_ESCAPE;
				pds_bits_put(&escapes, value, 6);
			}
			pds_bits_put(&exceptions, (uint64_t) code, 3);
		}
	}
	(void) pds_bits_close(&escapes);
	(void) pds_bits_close(&exceptions);
}
