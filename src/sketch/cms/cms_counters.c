/*
 * cms_counters.c: plain loops over arrays of counters
 *
 * Built with -O3: they become vector instructions.  Each is written once, for
 * counters of any width, and made for each width by passing it as a constant.
 */
#include "poll.h"
#include "cms_counters.h"

PDS_INLINE void
scan(const uint8_t *counters, uint32_t n, uint32_t *nonzero, uint64_t *any, int bytes)
{
	uint32_t	count = 0;
	uint64_t	all = 0;

	for (uint32_t i = 0; i < n; i++)
	{
		uint64_t	v = pds_load_number(counters, i, bytes);

		count += v != 0;
		all |= v;
	}
	*nonzero = count;
	*any = all;
}

void
pds_cms_scan(const uint8_t *counters, uint32_t n, int bytes, uint32_t *nonzero, uint64_t *any)
{
	*nonzero = 0;
	*any = 0;
	while (n > 0)
	{
		uint32_t	part = n < PDS_POLL_ITEMS ? n : PDS_POLL_ITEMS;
		uint32_t	part_nonzero;
		uint64_t	part_any;

		switch (bytes)
		{
			case 1:
				scan(counters, part, &part_nonzero, &part_any, 1);
				break;
			case 2:
				scan(counters, part, &part_nonzero, &part_any, 2);
				break;
			case 4:
				scan(counters, part, &part_nonzero, &part_any, 4);
				break;
			default:
				scan(counters, part, &part_nonzero, &part_any, 8);
				break;
		}
		*nonzero += part_nonzero;
		*any |= part_any;
		counters += (size_t) part * (size_t) bytes;
		n -= part;
		if (n > 0)
			pds_poll();
	}
}

/* Call one(..., to_bytes, from_bytes) with both as constants. */
#define OF_WIDTHS(one) \
	switch (to_bytes * 16 + from_bytes) \
	{ \
		case 0x11: one(1, 1); break; \
		case 0x12: one(1, 2); break; \
		case 0x14: one(1, 4); break; \
		case 0x18: one(1, 8); break; \
		case 0x21: one(2, 1); break; \
		case 0x22: one(2, 2); break; \
		case 0x24: one(2, 4); break; \
		case 0x28: one(2, 8); break; \
		case 0x41: one(4, 1); break; \
		case 0x42: one(4, 2); break; \
		case 0x44: one(4, 4); break; \
		case 0x48: one(4, 8); break; \
		case 0x81: one(8, 1); break; \
		case 0x82: one(8, 2); break; \
		case 0x84: one(8, 4); break; \
		default: one(8, 8); break; \
	}

PDS_INLINE void
copy(uint8_t *restrict to, const uint8_t *restrict from, uint32_t n, int to_bytes, int from_bytes)
{
	for (uint32_t i = 0; i < n; i++)
		pds_store_number(to, i, to_bytes, pds_load_number(from, i, from_bytes));
}

void
pds_cms_copy(uint8_t *to, int to_bytes, const uint8_t *from, int from_bytes, uint32_t n)
{
#define COPY(t, f)	copy(to, from, part, t, f)
	for (uint32_t part; n > 0; n -= part)
	{
		part = n < PDS_POLL_ITEMS ? n : PDS_POLL_ITEMS;
		if (to_bytes == from_bytes)
			memcpy(to, from, (size_t) part * (size_t) to_bytes);
		else
			OF_WIDTHS(COPY);
		to += (size_t) part * (size_t) to_bytes;
		from += (size_t) part * (size_t) from_bytes;
		pds_poll();
	}
#undef COPY
}

/*
 * Sums are taken modulo the counter's width, so that a second pass the other way restores what was
 * there.  They are taken in the counter's own type, which makes as many at once as can be.  Returns
 * whether one of them did not fit: whether the highest bit of "wrong" is set for a sum v of a and
 * b.  That bit is a carry or a borrow, or of 8 bytes the sign.
 */
#define SUMS(name, bits, sign, wrong) \
	PDS_INLINE bool \
	name(uint8_t *restrict to, const uint8_t *restrict from, uint32_t n, int from_bytes) \
	{ \
		uint##bits##_t any = 0; \
		for (uint32_t i = 0; i < n; i++) \
		{ \
			uint##bits##_t a = (uint##bits##_t) pds_load_number(to, i, bits / 8); \
			uint##bits##_t b = (uint##bits##_t) pds_load_number(from, i, from_bytes); \
			uint##bits##_t v = (uint##bits##_t) (a sign b); \
			any |= (uint##bits##_t) (wrong); \
			pds_store_number(to, i, bits / 8, v); \
		} \
		return any >> (bits - 1) != 0; \
	}
#define CARRY	((a & b) | ((a | b) & ~v))
#define BORROW	((~a & b) | ((~a | b) & v))

SUMS(add_1, 8, +, CARRY)
SUMS(add_2, 16, +, CARRY)
SUMS(add_4, 32, +, CARRY)
SUMS(add_8, 64, +, v)
SUMS(subtract_1, 8, -, BORROW)
SUMS(subtract_2, 16, -, BORROW)
SUMS(subtract_4, 32, -, BORROW)
SUMS(subtract_8, 64, -, v)

/* Returns whether one of the sums did not fit. */
static bool
sum_part(uint8_t *to, int to_bytes, const uint8_t *from, int from_bytes, uint32_t n, bool subtract)
{
	bool		any = false;

/* "from" is no wider than "to": other loops are not even compiled */
#define ADD(t, f)		any = (f) <= (t) && add_##t(to, from, n, f)
#define SUBTRACT(t, f)	any = (f) <= (t) && subtract_##t(to, from, n, f)
	if (subtract)
		OF_WIDTHS(SUBTRACT)
	else
		OF_WIDTHS(ADD)
	return any;
#undef ADD
#undef SUBTRACT
}

static bool
sum_all(uint8_t *to, int to_bytes, const uint8_t *from, int from_bytes, uint32_t n, bool subtract)
{
	bool		any = false;

	while (n > PDS_POLL_ITEMS)
	{
		any |= sum_part(to, to_bytes, from, from_bytes, PDS_POLL_ITEMS, subtract);
		to += PDS_POLL_ITEMS * (size_t) to_bytes;
		from += PDS_POLL_ITEMS * (size_t) from_bytes;
		n -= PDS_POLL_ITEMS;
		pds_poll();
	}
	return sum_part(to, to_bytes, from, from_bytes, n, subtract) || any;
}

bool
pds_cms_sum(uint8_t *to, int to_bytes, const uint8_t *from, int from_bytes,
			uint32_t n, bool subtract)
{
	if (!sum_all(to, to_bytes, from, from_bytes, n, subtract))
		return true;
	(void) sum_all(to, to_bytes, from, from_bytes, n, !subtract);
	return false;
}
