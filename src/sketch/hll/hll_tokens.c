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

static inline void
cell_to_register(uint8_t *registers, uint64_t cell, uint64_t above, uint32_t mask)
{
	uint32_t	index = (uint32_t) cell & mask;
	uint8_t		rank = (uint8_t) (pds_ctz64(above) + 1);

	registers[index] = registers[index] > rank ? registers[index] : rank;
}

/*
 * Two tokens are taken from one load of 64 bits.  Those that have a rank come first, because
 * their cells are the lowest: these, the last few, and pairs too long for a load go one by one.
 */
PDS_BODY pds_status
to_registers_body(pds_path path, uint8_t *registers, int p, const uint8_t *data, size_t len,
				  uint32_t n)
{
	pds_hll_tokens r;
	uint32_t	mask = pds_hll_registers(p) - 1;
	uint64_t	low;
	uint64_t	next = 0;
	size_t		bit = 0;
	size_t		ends = len >= 8 ? 8 * (len - 7) : 0;	/* 8 bytes can be loaded before there */
	int			k;

	(void) path;
	pds_hll_tokens_from(&r, data, len, n, p);
	k = r.k;
	low = (UINT64_C(1) << k) - 1;
	for (;;)
	{
		for (; n >= 2 && bit < ends; n -= 2)
		{
			uint64_t	first = pds_load_le64(data + (bit >> 3)) >> (bit & 7);
			uint64_t	second;
			uint64_t	cell;
			uint64_t	cell2;
			int			zeros;
			int			zeros2;

			if (first == 0)
				break;
			zeros = pds_ctz64(first);
			first = first >> zeros >> 1;
			second = first >> k;
			if (second == 0)
				break;
			zeros2 = pds_ctz64(second);
			second = second >> zeros2 >> 1;
			cell = next + ((uint64_t) zeros << k) + (first & low);
			if (2 + zeros + zeros2 + 2 * k > 57 || cell >> p == 0)
				break;
			cell2 = cell + 1 + ((uint64_t) zeros2 << k) + (second & low);
			cell_to_register(registers, cell, cell >> p, mask);
			cell_to_register(registers, cell2, cell2 >> p, mask);
			next = cell2 + 1;
			bit += (size_t) (2 + zeros + zeros2 + 2 * k);
		}
		if (n == 0)
			break;
		r.next = next;
		r.bit = bit;
		if (one_to_register(&r, registers, p) != PDS_OK)
			return PDS_CORRUPT;
		next = r.next;
		bit = r.bit;
		n--;
	}
	/* cells only grow, so the last one tells of all */
	return bit > 8 * len || (next - 1) >> PDS_HLL_CELL_BITS != 0 ? PDS_CORRUPT : PDS_OK;
}

PDS_PATHS(pds_status, to_registers,
		  (uint8_t *registers, int p, const uint8_t *data, size_t len, uint32_t n),
		  registers, p, data, len, n)

pds_status
pds_hll_tokens_to_registers(uint8_t *registers, int p, const uint8_t *data, size_t len, uint32_t n)
{
	return to_registers(registers, p, data, len, n);
}
