/*
 * hll_tokens.c: a stored list of tokens into registers
 */
#include "vector.h"
#include "hll.h"
#include "hll_tokens.h"

/* Takes one token of any kind.  Errors: PDS_CORRUPT if the bytes make none. */
static __attribute__((noinline)) pds_status
one_to_register(pds_hll_tokens *r, uint8_t *registers, int p)
{
	uint32_t	token = pds_hll_next_token(r);

	if (token == 0)
		return PDS_CORRUPT;
	pds_hll_token_to_register(registers, token, p);
	return PDS_OK;
}

/* A cell that tells its rank: above is what is above the index. */
static inline void
cell_to_register(uint8_t *registers, uint64_t cell, uint64_t above, uint32_t mask)
{
	uint32_t	index = (uint32_t) cell & mask;
	uint8_t		rank = (uint8_t) (pds_ctz64(above) + 1);

	registers[index] = registers[index] > rank ? registers[index] : rank;
}

/*
 * Where a token begins is known only when the one before it has been read, so the time goes into
 * that chain.  Hence a window of at least 56 bits in a register, from which two tokens are taken
 * before it is filled again, from an address that was known earlier.
 */
typedef struct token_window
{
	size_t		at;				/* the next byte, of which the window may have bits */
	uint64_t	window;
	uint64_t	next;			/* one past the last cell */
	uint32_t	bits;			/* in the window; what is above repeats byte "at" */
	uint32_t	k;
} token_window;

/* A window of what comes next. */
static inline void
open_window(token_window *w, const pds_hll_tokens *r)
{
	w->window = pds_bits_at(r->data, r->len, r->bit);
	w->next = r->next;
	w->bits = 56 - (uint32_t) (r->bit & 7);
	w->at = (r->bit >> 3) + 7;
	w->k = (uint32_t) r->k;
}

/*
 * Fill the window and take two tokens from it.  Returns false if it has them not whole, or if the
 * first has a rank: nothing is taken then.
 */
static inline bool
take_two(token_window *w, uint64_t more, uint8_t *registers, int p)
{
	const uint64_t guard = UINT64_C(1) << 63;	/* there is a bit to be found */
	const uint64_t low = (UINT64_C(1) << w->k) - 1;
	const uint32_t mask = pds_hll_registers(p) - 1;
	uint32_t	k = w->k;
	uint64_t	first;
	uint64_t	second;
	uint64_t	cell;
	uint64_t	above;
	uint32_t	zeros;
	uint32_t	zeros2;
	uint32_t	used;

	w->window |= more << w->bits;
	w->at += (63 - w->bits) >> 3;
	w->bits |= 56;

	first = w->window | guard;
	zeros = (uint32_t) pds_ctz64(first);
	second = first >> ((zeros + k + 1) & 63);
	zeros2 = (uint32_t) pds_ctz64(second);
	used = zeros + zeros2 + 2 * (k + 1);
	cell = w->next + ((uint64_t) zeros << k) + (first >> zeros >> 1 & low);
	above = cell >> p;
	if (used > 56 || above == 0)
		return false;
	cell_to_register(registers, cell, above, mask);
	cell += 1 + ((uint64_t) zeros2 << k) + (second >> zeros2 >> 1 & low);
	cell_to_register(registers, cell, cell >> p, mask);
	w->next = cell + 1;
	w->window >>= used;
	w->bits -= used;
	return true;
}

/*
 * Tokens that have a rank go one by one.  They come first, because their cells are the lowest.  So
 * do pairs too long for the window, and the last token of an odd number.
 */
PDS_BODY pds_status
to_registers_body(pds_path path, uint8_t *registers, int p, const uint8_t *data, size_t len,
				  uint32_t n)
{
	pds_hll_tokens r;

	(void) path;
	pds_hll_tokens_from(&r, data, len, n, p);
	while (n > 0)
	{
		if (n >= 2)
		{
			token_window w;
			bool		taken = true;

			open_window(&w, &r);
			/* pds_bits_at() alone would do, at 1.04 of the time for long lists */
			for (; taken && n >= 2 && w.at + 8 <= len; n -= taken ? 2 : 0)
				taken = take_two(&w, pds_load_le64(data + w.at), registers, p);
			for (; taken && n >= 2; n -= taken ? 2 : 0)
				taken = take_two(&w, pds_bits_at(data, len, 8 * w.at), registers, p);
			r.next = w.next;
			r.bit = 8 * w.at - w.bits;
		}
		if (n > 0)
		{
			if (one_to_register(&r, registers, p) != PDS_OK)
				return PDS_CORRUPT;
			n--;
		}
	}
	/* cells only grow, so the last one tells of all */
	return r.bit > 8 * len || (r.next - 1) >> PDS_HLL_CELL_BITS != 0 ? PDS_CORRUPT : PDS_OK;
}

PDS_PATHS(pds_status, to_registers,
		  (uint8_t *registers, int p, const uint8_t *data, size_t len, uint32_t n),
		  registers, p, data, len, n)

pds_status
pds_hll_tokens_to_registers(uint8_t *registers, int p, const uint8_t *data, size_t len, uint32_t n)
{
	return to_registers(registers, p, data, len, n);
}
