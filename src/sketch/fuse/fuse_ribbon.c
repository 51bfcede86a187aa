/*
 * fuse_ribbon.c: a part of a fuse filter: from a key to its equation, solving, and looking up
 *
 * 64 slots make a block, which has a word for each bit of a fingerprint: bit i of word c is bit c
 * of slot i.  The last block may have fewer slots, a multiple of 8, and then shorter words.
 *
 *     word 0 | word 1 | ... | word r - 1 | word 0 | ...
 *
 * So a key's window is at most three blocks in a row, and a lookup ends with the first bit that is
 * another than the fingerprint's.
 */
#include <math.h>

#include "decimal.h"
#include "fuse.h"
#include "poll.h"
#include "vector.h"

#define WINDOW	128
#define BLOCK	64

/* ---------- shapes ---------- */

uint8_t
pds_fuse_bits(uint16_t rate)
{
	uint8_t		bits = PDS_FUSE_MIN_BITS;

	while (bits < PDS_FUSE_MAX_BITS && ldexp(1, -bits) > pds_decimal_value(rate))
		bits++;
	return bits;
}

/*
 * Somewhere in a ribbon, more keys choose among some slots than these are.  How many more slots
 * than keys are needed grows with the logarithm of n.  These let nine ribbons of ten be solved
 * with the first seed, and each seed after it gets a few more.
 *
 * The share of systems that was solved with so many slots a key (of 300, 50 and 10 systems):
 *
 *			window 64, n =				window 128, n =
 *			10,000	100,000	1,000,000	10,000	100,000	1,000,000
 *	1.02	0.18	0		0			0.90	0.56	0
 *	1.04	0.65	0.04	0			0.99	0.98	0.80
 *	1.06	0.92	0.50	0			1		1		1
 *	1.10	1		1		0.40		1		1		1
 */
uint64_t
pds_fuse_slots(uint64_t n, uint8_t seed)
{
	uint64_t	log = n > 16 ? (uint64_t) pds_log2_64(n) - 4 : 0;

	return (n + n * log / 300 + n * seed / 128 + seed / 4 + 7) / 8 * 8;
}

/* ---------- equations ---------- */

/* A key's equation: which slots of its window it chooses, and what they come to. */
typedef struct equation
{
	uint64_t	start;			/* the first slot of the window */
	uint64_t	low;			/* slots 0 to 63 of the window */
	uint64_t	high;
	uint32_t	fingerprint;
} equation;

PDS_INLINE equation
equation_of(uint64_t within, uint64_t slots, uint8_t bits)
{
	uint64_t	window = slots < WINDOW ? slots : WINDOW;
	uint64_t	mixed = pds_murmur3_fmix(within);
	uint64_t	other = mixed * UINT64_C(0xc4ceb9fe1a85ec53);
	equation	e;

	/* ascending with the hash, so that the system is solved from one end to the other */
	e.start = pds_mulhi64(within, slots - window + 1);
	e.low = mixed;
	e.high = other ^ other >> 32;
	e.fingerprint = (uint32_t) (mixed * UINT64_C(0x9e3779b97f4a7c15) >> 32) >> (32 - bits);
	if (window < WINDOW)
	{
		e.high &= window > 64 ? (UINT64_C(1) << (window - 64)) - 1 : 0;
		e.low &= window < 64 ? (UINT64_C(1) << window) - 1 : UINT64_MAX;
	}
	return e;
}

/* ---------- solving ---------- */

/*
 * Gaussian elimination.  A slot's equation, in rows[2 i] and rows[2 i + 1], begins with that slot.
 */
static bool
eliminate(const uint64_t *within, uint64_t n, uint64_t slots, uint8_t bits, uint64_t *rows,
		  uint32_t *sums)
{
	for (uint64_t i = 0; i < n; i++)
	{
		equation	e = equation_of(within[i], slots, bits);
		uint64_t	at = e.start;

		pds_poll_each(i);
		for (;;)
		{
			int			zeros;

			if (e.low == 0)
			{
				if (e.high == 0)
				{
					if (e.fingerprint != 0)
						return false;
					break;
				}
				at += 64;
				e.low = e.high;
				e.high = 0;
			}
			zeros = pds_ctz64(e.low);
			at += (uint64_t) zeros;
			e.low = e.low >> zeros | (zeros > 0 ? e.high << (64 - zeros) : 0);
			e.high >>= zeros;
			if (rows[2 * at] == 0)
			{
				rows[2 * at] = e.low;
				rows[2 * at + 1] = e.high;
				sums[at] = e.fingerprint;
				break;
			}
			e.low ^= rows[2 * at];
			e.high ^= rows[2 * at + 1];
			e.fingerprint ^= sums[at];
		}
	}
	return true;
}

/*
 * Back substitution, from the last slot.  The 128 slots behind the current one are kept, a bit of
 * each in a pair of words.  A slot without an equation is 0.
 */
PDS_BODY bool
substitute_body(pds_path path, uint64_t slots, int bits, const uint64_t *rows,
				const uint32_t *sums, uint8_t *ribbon)
{
	uint64_t	low[PDS_FUSE_MAX_BITS] = {0};
	uint64_t	high[PDS_FUSE_MAX_BITS] = {0};

	(void) path;
	for (uint64_t i = slots; i-- > 0;)
	{
		uint64_t	row_low = rows[2 * i] >> 1 | rows[2 * i + 1] << 63;
		uint64_t	row_high = rows[2 * i + 1] >> 1;
		uint64_t	used = rows[2 * i] != 0;

		pds_poll_each(i);
		for (int c = 0; c < bits; c++)
		{
			uint64_t	sum = (row_low & low[c]) ^ (row_high & high[c]);
			uint64_t	bit = ((uint64_t) __builtin_parityll(sum) ^ sums[i] >> c) & used;

			high[c] = high[c] << 1 | low[c] >> 63;
			low[c] = low[c] << 1 | bit;
		}
		if (i % BLOCK == 0)
		{
			uint64_t	width = slots - i < BLOCK ? (slots - i) / 8 : 8;
			uint8_t    *block = ribbon + (i / 8) * (uint64_t) bits;

			for (int c = 0; c < bits; c++)
				for (uint64_t j = 0; j < width; j++)
					*block++ = (uint8_t) (low[c] >> (8 * j));
		}
	}
	return true;
}

PDS_PATHS(bool, substitute, (uint64_t slots, int bits, const uint64_t *rows,
							 const uint32_t *sums, uint8_t *ribbon),
		  slots, bits, rows, sums, ribbon)

bool
pds_fuse_solve(const uint64_t *within, uint64_t n, uint64_t slots, uint8_t bits, uint64_t *work,
			   uint8_t *ribbon)
{
	uint32_t   *sums = (uint32_t *) (work + 2 * slots);

	memset(work, 0, pds_fuse_work_words(slots) * sizeof(*work));
	return eliminate(within, n, slots, bits, work, sums) &&
		substitute(slots, bits, work, sums, ribbon);
}

/* ---------- looking up ---------- */

/* Word c of the last block, which has words of so many bytes. */
static inline uint64_t
short_word(const uint8_t *block, int c, uint64_t width)
{
	uint64_t	word = 0;

	for (uint64_t j = 0; j < width; j++)
		word |= (uint64_t) block[(uint64_t) c * width + j] << (8 * j);
	return word;
}

bool
pds_fuse_ribbon_contains(uint64_t within, uint64_t slots, uint8_t bits, pds_fetch fetch,
						 void *context, size_t at)
{
	equation	e = equation_of(within, slots, bits);
	uint64_t	first = e.start / BLOCK;
	int			shift = (int) (e.start % BLOCK);
	uint64_t	end = e.start + WINDOW < slots ? e.start + WINDOW : slots;
	uint64_t	blocks = (end - 1) / BLOCK - first + 1;
	uint64_t	width = slots - (first + blocks - 1) * BLOCK;
	size_t		stride = (size_t) bits * 8;
	uint64_t	chosen[3];
	const uint8_t *block;

	/* the last one that is looked at */
	width = width < BLOCK ? width / 8 : 8;
	block = fetch(context, at + (size_t) first * stride,
				  (size_t) (blocks - 1) * stride + (size_t) width * bits);
	chosen[0] = e.low << shift;
	chosen[1] = e.high << shift | (shift > 0 ? e.low >> (64 - shift) : 0);
	chosen[2] = shift > 0 ? e.high >> (64 - shift) : 0;
	for (int c = 0; c < bits; c++)
	{
		uint64_t	sum = 0;

		for (uint64_t i = 0; i + 1 < blocks; i++)
			sum ^= chosen[i] & pds_load_le64(block + i * stride + (size_t) c * 8);
		sum ^= chosen[blocks - 1] &
			(width == 8 ? pds_load_le64(block + (blocks - 1) * stride + (size_t) c * 8) :
			 short_word(block + (blocks - 1) * stride, c, width));
		if (((uint32_t) __builtin_parityll(sum) ^ (e.fingerprint >> c & 1)) != 0)
			return false;
	}
	return true;
}
