/*
 * hll_image.h: how much the building form of a HyperLogLog sketch holds
 *
 * What hll.c, which changes an image, and hll_check.c, which checks one, both know of it.
 */
#ifndef PDS_SKETCH_HLL_HLL_IMAGE_H
#define PDS_SKETCH_HLL_HLL_IMAGE_H

#include "hll.h"

/*
 * Up to this precision the largest table becomes registers where it is; above,
 * the buffer for it would be too large for the stack.
 */
#define PDS_HLL_IN_PLACE	14

/* The longest log: a table of twice the size must fit on the stack */
#define PDS_HLL_LOG_WORDS	((UINT32_C(1) << PDS_HLL_IN_PLACE) / sizeof(uint32_t))

/* The tables of an image of the first and of the second size (table_step) */
#define PDS_HLL_SLOTS_IN(size)	(((size) - sizeof(pds_hll_build)) / sizeof(uint32_t))
#define PDS_HLL_FIRST_SLOTS		PDS_HLL_SLOTS_IN(PDS_HLL_FIRST_SIZE)
#define PDS_HLL_SMALL_SLOTS		PDS_HLL_SLOTS_IN(512)

/*
 * A table of this many slots takes so many tokens.  Small ones may be all but
 * full: they are a few cache lines, and groups of 100 values are to fit into 512
 * bytes.
 */
static inline uint32_t
pds_hll_table_limit(uint32_t slots)
{
	return slots - slots / (slots <= PDS_HLL_SMALL_SLOTS ? 32 : 6);
}

/* The slot where a token belongs. */
static inline uint32_t
pds_hll_home_of(const pds_hll_build *b, uint32_t token)
{
	return (uint32_t) (((uint64_t) token * b->slots) >> 32);
}

/* How many tokens more the table takes. */
static inline uint32_t
pds_hll_space_left(const pds_hll_build *b)
{
	uint32_t	limit = pds_hll_table_limit(b->slots);
	uint32_t	most = pds_hll_max_tokens(b->precision);

	if (limit > most)
		limit = most;
	return limit > b->tokens ? limit - b->tokens : 0;
}

/* Can the image hold registers? */
static inline bool
pds_hll_registers_fit(const pds_hll_build *b)
{
	return b->precision <= PDS_HLL_IN_PLACE &&
		b->slots * sizeof(uint32_t) >= pds_hll_registers(b->precision);
}

/*
 * How many words a log has.  What it holds must fit into the table, or else be registers where
 * it is.
 */
static inline uint32_t
pds_hll_log_limit(const pds_hll_build *b)
{
	uint32_t	limit = pds_hll_table_limit(b->slots);
	uint32_t	most = pds_hll_max_tokens(b->precision);

	if (pds_hll_registers_fit(b))
		limit = b->slots;
	else if (limit > most)
		limit = most;
	return limit < PDS_HLL_LOG_WORDS ? limit : PDS_HLL_LOG_WORDS;
}

#endif
