/*
 * hll_foreign.c: adding values as Redis and Apache DataSketches do
 */
#include "murmur2.h"
#include "hll_foreign.h"

/*
 * The low bits of h1 choose the register, the leading zeros of h2, up to 62,
 * plus 1 are the rank.
 */
static void
add_coupon(pds_hll_build *b, pds_hash h)
{
	uint32_t	index = (uint32_t) h.h1 & (pds_hll_registers(b->precision) - 1);
	uint8_t		rank = (uint8_t) (h.h2 > 1 ? 64 - pds_log2_64(h.h2) : 63);
	uint8_t    *there = pds_hll_build_registers(b) + index;

	/* past the ring, which only ever raises a register too */
	if (*there < rank)
		*there = rank;
}

void
pds_hll_add_bytes(pds_hll_build *b, const void *bytes, size_t len)
{
	if (pds_state_family(b) == PDS_HLL_DATASKETCHES)
	{
		/* its libraries pass over the empty string */
		if (len > 0)
			add_coupon(b, pds_murmur3(bytes, len, PDS_HLL_DATASKETCHES_SEED));
	}
	else
	{
		/* registers are never full */
		(void) pds_hll_add(b, pds_murmur2_64a(bytes, len, PDS_HLL_REDIS_SEED));
	}
}
