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
 * before it is filled again, from an address that was known earlier.  Tokens that have a rank
 * come first, because their cells are the lowest: these, the last few, and pairs too long for
 * the window go one by one.
 */
PDS_BODY pds_status
to_registers_body(pds_path path, uint8_t *registers, int p, const uint8_t *data, size_t len,
				  uint32_t n)
{
	const uint64_t guard = UINT64_C(1) << 63;	/* there is a bit to be found */
	const uint32_t mask = pds_hll_registers(p) - 1;
	pds_hll_tokens r;
	uint32_t	k;
	uint64_t	low;

	(void) path;
	pds_hll_tokens_from(&r, data, len, n, p);
	k = (uint32_t) r.k;
	low = (UINT64_C(1) << k) - 1;
	while (n > 0)
	{
		size_t		at = r.bit >> 3;

		if (n >= 2 && at + 15 <= len)
		{
			uint64_t	next = r.next;
			uint64_t	window = pds_load_le64(data + at) >> (r.bit & 7);
			uint32_t	bits = 56 - (uint32_t) (r.bit & 7); /* of it; those above repeat */

			for (at += 7; n >= 2 && at + 8 <= len; n -= 2)
			{
				uint64_t	first;
				uint64_t	second;
				uint64_t	cell;
				uint64_t	above;
				uint32_t	zeros;
				uint32_t	zeros2;
				uint32_t	used;

				window |= pds_load_le64(data + at) << bits;
				at += (63 - bits) >> 3;
				bits |= 56;

				first = window | guard;
				zeros = (uint32_t) pds_ctz64(first);
				second = first >> ((zeros + k + 1) & 63);
				zeros2 = (uint32_t) pds_ctz64(second);
				used = zeros + zeros2 + 2 * (k + 1);
				cell = next + ((uint64_t) zeros << k) + (first >> zeros >> 1 & low);
				above = cell >> p;
				if (used > 56 || above == 0)
					break;
				cell_to_register(registers, cell, above, mask);
				cell += 1 + ((uint64_t) zeros2 << k) + (second >> zeros2 >> 1 & low);
				cell_to_register(registers, cell, cell >> p, mask);
				next = cell + 1;
				window >>= used;
				bits -= used;
			}
			r.next = next;
			r.bit = 8 * at - bits;
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
