/*
 * fuse_ribbon.c: a part of a fuse filter: from a key to its equation, solving, and looking up
 *
 * 64 slots make a block, which has a word for each bit of a fingerprint: bit i of word c is bit c
 * of slot i.  The last block may have fewer slots, a multiple of 8, and then shorter words.
 *
 *     word 0 | word 1 | ... | word r - 1 | word 0 | ...
 *
 * So a key's window is in two blocks in a row, and a lookup ends with the first bit that is
 * another than the fingerprint's.
 */
#include <math.h>

#include "decimal.h"
#include "fuse.h"
#include "poll.h"
#include "vector.h"

/* Slots of a window, and of a block. */
#define WINDOW	64

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
 * Somewhere in a ribbon, more keys choose among some slots than these are.  So there are 5 % more
 * slots than keys, and 7 % if there are many keys.  With these, nine ribbons of ten or more are
 * solved with the first seed.  Each seed after it gets a few more.
 */
uint64_t
pds_fuse_slots(uint64_t n, uint8_t seed)
{
	return (n + n / 20 + (n > 4096 ? n / 50 : 0) + n * seed / 128 + seed / 4 + 7) / 8 * 8;
}

/* ---------- equations ---------- */

/* A key's equation: which slots of its window it chooses, and what they come to. */
typedef struct equation
{
	uint64_t	start;			/* the first slot of the window */
	uint64_t	chosen;			/* bit i is slot start + i */
	uint32_t	fingerprint;
} equation;

PDS_INLINE equation
equation_of(uint64_t within, uint64_t slots, uint8_t bits)
{
	uint64_t	window = slots < WINDOW ? slots : WINDOW;
	equation	e;

	/* ascending with the hash, so that the system is solved from one end to the other */
	e.start = pds_mulhi64(within, slots - window + 1);
	e.chosen = pds_murmur3_fmix(within);
	e.fingerprint = (uint32_t) (e.chosen * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
	e.chosen &= UINT64_MAX >> (WINDOW - window);
	return e;
}

/* ---------- solving ---------- */

/* Gaussian elimination.  A slot's equation, in rows[i] and sums[i], begins with that slot. */
static bool
eliminate(const uint64_t *within, uint64_t n, uint64_t slots, uint8_t bits, uint64_t *rows,
		  uint32_t *sums)
{
	for (uint64_t i = 0; i < n; i++)
	{
		equation	e = equation_of(within[i], slots, bits);
		uint64_t	at = e.start;

		pds_poll_each(i);
		while (e.chosen != 0)
		{
			int			zeros = pds_ctz64(e.chosen);

			at += (uint64_t) zeros;
			e.chosen >>= zeros;
			if (rows[at] == 0)
			{
				rows[at] = e.chosen;
				sums[at] = e.fingerprint;
				break;
			}
			e.chosen ^= rows[at];
			e.fingerprint ^= sums[at];
		}
		if (e.chosen == 0 && e.fingerprint != 0)
			return false;
	}
	return true;
}

/*
 * Back substitution, from the last slot.  The 64 slots behind the current one are kept, a word for
 * each bit.  A slot without an equation is 0.
 */
PDS_BODY bool
substitute_body(pds_path path, uint64_t slots, int bits, const uint64_t *rows,
				const uint32_t *sums, uint8_t *ribbon)
{
	uint64_t	words[PDS_FUSE_MAX_BITS] = {0};

	(void) path;
	for (uint64_t i = slots; i-- > 0;)
	{
		pds_poll_each(i);
		for (int c = 0; c < bits; c++)
		{
			uint64_t	sum = (uint64_t) __builtin_parityll(rows[i] >> 1 & words[c]) ^ sums[i] >> c;

			words[c] = words[c] << 1 | (sum & (rows[i] & 1));
		}
		if (i % WINDOW == 0)
		{
			uint64_t	width = slots - i < WINDOW ? (slots - i) / 8 : 8;
			uint8_t    *block = ribbon + (i / 8) * (uint64_t) bits;

			for (int c = 0; c < bits; c++)
				for (uint64_t j = 0; j < width; j++)
					*block++ = (uint8_t) (words[c] >> (8 * j));
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
	uint32_t   *sums = (uint32_t *) (work + slots);

	memset(work, 0, pds_fuse_work_words(slots) * sizeof(*work));
	return eliminate(within, n, slots, bits, work, sums) &&
		substitute(slots, bits, work, sums, ribbon);
}

/* ---------- looking up ---------- */

/* Word c of a block whose words have so many bytes. */
PDS_INLINE uint64_t
word_of(const uint8_t *block, int c, uint64_t width)
{
	uint64_t	word = 0;

	if (width == 8)
		return pds_load_le64(block + (size_t) c * 8);
	for (uint64_t j = 0; j < width; j++)
		word |= (uint64_t) block[(uint64_t) c * width + j] << (8 * j);
	return word;
}

bool
pds_fuse_ribbon_contains(uint64_t within, uint64_t slots, uint8_t bits, pds_fetch fetch,
						 void *context, size_t at)
{
	equation	e = equation_of(within, slots, bits);
	uint64_t	first = e.start / WINDOW * WINDOW;
	uint64_t	behind = slots - first < 2 * WINDOW ? slots - first : 2 * WINDOW;
	uint64_t	width = (behind < WINDOW ? behind : WINDOW) / 8;
	int			shift = (int) (e.start % WINDOW);
	uint64_t	second = shift > 0 ? e.chosen >> (WINDOW - shift) : 0;
	const uint8_t *block;

	block = fetch(context, at + (size_t) (first / 8) * bits,
				  (size_t) (second > 0 ? behind / 8 : width) * bits);
	for (int c = 0; c < bits; c++)
	{
		uint64_t	sum = e.chosen << shift & word_of(block, c, width);

		if (second > 0)
			sum ^= second & word_of(block + 8 * (size_t) bits, c, behind / 8 - 8);
		if (((uint32_t) __builtin_parityll(sum) ^ (e.fingerprint >> c & 1)) != 0)
			return false;
	}
	return true;
}
