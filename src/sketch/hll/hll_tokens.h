/*
 * hll_tokens.h: reading the tokens of a stored list
 *
 * hll_format.c draws the list.  Most of the time of a union of small sketches goes into this.
 */
#ifndef PDS_SKETCH_HLL_HLL_TOKENS_H
#define PDS_SKETCH_HLL_HLL_TOKENS_H

#include "bits.h"
#include "status.h"
#include "hll.h"

/* 2 ln((1 + sqrt 5) / 2) * 2^26 */
#define PDS_HLL_RICE_LIMIT	UINT32_C(64587157)

/* The Rice parameter of a list of n tokens. */
static inline int
pds_hll_rice_parameter(uint32_t n)
{
	return pds_log2_64(PDS_HLL_RICE_LIMIT / n);
}

/* Where a reader is in a list. */
typedef struct pds_hll_tokens
{
	const uint8_t *data;
	size_t		len;
	size_t		bit;			/* the next one */
	uint64_t	next;			/* one past the last cell */
	int			k;
	int			precision;
} pds_hll_tokens;

static inline void
pds_hll_tokens_from(pds_hll_tokens *r, const uint8_t *data, size_t len, uint32_t n, int precision)
{
	r->data = data;
	r->len = len;
	r->bit = 0;
	r->next = 0;
	r->k = pds_hll_rice_parameter(n);
	r->precision = precision;
}

/*
 * Returns the next token, or 0 where the bytes make no sense.  The last one may be made of bits
 * behind the end, which pds_hll_tokens_overrun() says afterwards.  No byte is read there.
 */
static inline uint32_t
pds_hll_next_token(pds_hll_tokens *r)
{
	uint64_t	bits = pds_bits_at(r->data, r->len, r->bit);
	uint64_t	high = 0;
	uint64_t	cell;
	int			zeros;

	while (__builtin_expect(bits == 0, 0))
	{
		uint64_t	loaded = 64 - (r->bit & 7);

		if (r->bit >= 8 * r->len)
			return 0;
		high += loaded;
		r->bit += loaded;
		bits = pds_bits_at(r->data, r->len, r->bit);
	}
	zeros = pds_ctz64(bits);
	r->bit += (size_t) zeros + 1;
	/* two steps: there may be 63 zeros */
	bits = bits >> zeros >> 1;
	/* do the low bits and a rank come from the same load? */
	if (__builtin_expect(zeros + 1 + r->k + 6 > 57, 0))
		bits = pds_bits_at(r->data, r->len, r->bit);
	r->bit += (size_t) r->k;
	cell = r->next + ((high + (uint64_t) zeros) << r->k) + (bits & ((UINT64_C(1) << r->k) - 1));
	r->next = cell + 1;
	if (__builtin_expect(cell >> r->precision == 0, 0))
	{
		uint32_t	rank = (uint32_t) (bits >> r->k) & 63;

		r->bit += 6;
		return rank > 65 - PDS_HLL_CELL_BITS || rank == 0 ? 0 : (uint32_t) cell << 6 | rank;
	}
	return cell >> PDS_HLL_CELL_BITS != 0 ? 0 : (uint32_t) cell << 6;
}

/*
 * Take the maximum of registers of precision p and n tokens of a list that was made at the same
 * one.  Errors: PDS_CORRUPT, after which the registers are of no use.
 */
extern pds_status pds_hll_tokens_to_registers(uint8_t *registers, int p, const uint8_t *data,
											  size_t len, uint32_t n);

/* Returns whether more bits were read than there are. */
static inline bool
pds_hll_tokens_overrun(const pds_hll_tokens *r)
{
	return r->bit > 8 * r->len;
}

/* Returns whether all was read, except for less than a byte of zeros. */
static inline bool
pds_hll_tokens_at_end(const pds_hll_tokens *r)
{
	return (r->bit + 7) / 8 == r->len && pds_bits_at(r->data, r->len, r->bit) == 0;
}

#endif
