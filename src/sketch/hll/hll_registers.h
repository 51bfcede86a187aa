/*
 * hll_registers.h: arrays of registers, and how they are packed when stored
 *
 * The registers of a large sketch spread over few values around log2(n / m)
 * (their entropy is 2.83 bits).  They are packed in three layers:
 *
 *   symbols     3 bits a register: its value less the base, if that is 0 to 6;
 *               7 says that it is an exception
 *   escapes     6 bits each, in the order of registers: the value itself
 *   exceptions  3 bits each, in the order of registers: 0 and 1 for base - 1 and
 *               base - 2, 2 to 6 for base + 7 to base + 11; 7 says that it is
 *               an escape
 *
 * The base follows from the histogram of the values, which the stored form has
 * in its head: it is the lowest one that makes the fewest exceptions.  Some 5 %
 * of the registers are exceptions and 0.1 % escapes: 3.15 bits a register, and
 * all but the exceptions decoded by a few vector instructions per 16 registers.
 *
 * So that these need no shuffling, symbols are laid out in columns.  With
 * w = m / 8, byte j of three planes of w bytes holds the registers j, w + j, ...
 * 7w + j, that is, eight symbols s0 to s7 (bit 7 of each byte on the left):
 *
 *     plane 0, byte j:   s2(1..0)    s1(2..0)    s0(2..0)
 *     plane 1, byte j:   s5(0)  s4(2..0)  s3(2..0)  s2(2)
 *     plane 2, byte j:   s7(2..0)    s6(2..0)    s5(2..1)
 *
 * Escapes and exceptions are streams of bits, each from the least significant
 * bit of its first byte, filled up with zeros to whole bytes.
 */
#ifndef PDS_SKETCH_HLL_HLL_REGISTERS_H
#define PDS_SKETCH_HLL_HLL_REGISTERS_H

#include "hll.h"

/* to[i] = the larger of to[i] and from[i], folding "from" to p bits of index. */
extern void pds_hll_registers_merge(uint8_t *to, int p,
									const uint8_t *from, int from_p, int family);

/*
 * Put a value of register "index" at precision from_p into its register at precision p (p <=
 * from_p).  The index bits that are lost come before the rank.  In the DataSketches family they
 * do not, because its ranks come from another hash.
 */
static inline void
pds_hll_registers_fold(uint8_t *to, int p, uint32_t index, uint8_t value, int from_p,
					   int family)
{
	uint32_t	lost = index >> p;

	if (value == 0)
		return;
	index &= (UINT32_C(1) << p) - 1;
	if (family != PDS_HLL_DATASKETCHES)
		value = (uint8_t) (lost != 0 ? pds_ctz32(lost) + 1 : value + (from_p - p));
	if (to[index] < value)
		to[index] = value;
}

/* Count how often each value occurs.  Values above 63, of damaged registers, are not counted. */
extern void pds_hll_registers_histogram(const uint8_t *registers, int p,
										uint32_t histogram[PDS_HLL_RANKS]);

/* The sizes and the base of the packed form of registers with this histogram. */
typedef struct pds_hll_packing
{
	int			base;
	uint32_t	exceptions;
	uint32_t	escapes;
	size_t		bytes;			/* of the three layers together */
} pds_hll_packing;

extern pds_hll_packing pds_hll_packing_of(const uint32_t histogram[PDS_HLL_RANKS],
										  int p);

/* Write the packed form, pk->bytes long. */
extern void pds_hll_registers_pack(const uint8_t *registers, int p,
								   const pds_hll_packing *pk, uint8_t *out);

/*
 * Read a packed form of pk->bytes at precision from_p and take the maximum with
 * the registers "to" of precision p <= from_p.  Errors: PDS_CORRUPT if it has
 * not the exceptions and escapes that pk says.
 */
extern pds_status pds_hll_registers_merge_packed(uint8_t *to, int p,
												 const uint8_t *packed,
												 const pds_hll_packing *pk,
												 int from_p, int family);

/*
 * Returns whether a packed form has exactly this histogram and is its only valid encoding.
 */
extern bool pds_hll_registers_check_packed(const uint8_t *packed, int p,
										   const pds_hll_packing *pk,
										   const uint32_t histogram[PDS_HLL_RANKS]);

#endif
